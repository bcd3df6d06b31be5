//===- CompileCommands.cpp --------------------------------------------------------------------===//

#include "tools/config/CompileCommands.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace clmali::config {

bool isHostFile(StringRef Name) {
  return StringSwitch<bool>(sys::path::extension(Name).lower())
      .Cases(".c", ".cc", ".cpp", ".cxx", ".c++", ".h", ".hh", ".hpp", true)
      .Cases(".hxx", ".inl", ".ipp", ".tpp", ".txx", true)
      .Default(false);
}

Expected<std::vector<CompileCommand>> readCompileCommands(StringRef Build) {
  SmallString<128> Path(Build);
  sys::path::append(Path, "compile_commands.json");
  auto Buffer = MemoryBuffer::getFile(Path);
  if (!Buffer)
    return createStringError(Buffer.getError(), "cannot read '" + Path +
                                                    "': " + Buffer.getError().message() +
                                                    "; -p takes the build folder that holds it");
  Expected<json::Value> Root = json::parse((*Buffer)->getBuffer());
  if (!Root)
    return createStringError(inconvertibleErrorCode(),
                             "'" + Path + "' is no JSON: " + toString(Root.takeError()));
  std::vector<CompileCommand> Result;
  const json::Array *List = Root->getAsArray();
  if (!List)
    return createStringError(inconvertibleErrorCode(), "'" + Path + "' is no list of commands");
  for (const json::Value &V : *List) {
    const json::Object *O = V.getAsObject();
    if (!O)
      continue;
    StringRef Directory = O->getString("directory").value_or("");
    StringRef File = O->getString("file").value_or("");
    std::vector<std::string> All;
    if (const json::Array *Arguments = O->getArray("arguments")) {
      for (const json::Value &A : *Arguments)
        All.push_back(A.getAsString().value_or("").str());
    } else {
      BumpPtrAllocator Alloc;
      StringSaver Saver(Alloc);
      SmallVector<const char *, 32> Tokens;
      cl::TokenizeGNUCommandLine(O->getString("command").value_or(""), Saver, Tokens);
      for (const char *T : Tokens)
        All.push_back(T);
    }
    CompileCommand C;
    SmallString<128> Absolute(File);
    sys::fs::make_absolute(Directory, Absolute);
    sys::path::remove_dots(Absolute, /*remove_dot_dot=*/true);
    C.File = Absolute.str().str();
    C.Args.push_back("-working-directory=" + Directory.str());
    for (size_t I = 1; I < All.size(); ++I) {
      StringRef A = All[I];
      if (A == "-o" || A == "-MF" || A == "-MT" || A == "-MQ") {
        ++I;
        continue;
      }
      if (A == "-c" || A == "-MD" || A == "-MMD" || A == File || A.starts_with("-o"))
        continue;
      C.Args.push_back(A.str());
    }
    Result.push_back(std::move(C));
  }
  return Result;
}

bool namesFile(StringRef Literal, StringRef Path) {
  while (Literal.consume_front("./") || Literal.consume_front("../"))
    ;
  if (!Path.ends_with(Literal))
    return Literal.contains('/') && namesFile(sys::path::filename(Literal), Path);
  StringRef Before = Path.drop_back(Literal.size());
  return Before.empty() || Before.ends_with("/");
}

} // namespace clmali::config
