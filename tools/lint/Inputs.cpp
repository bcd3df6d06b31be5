//===- Inputs.cpp - which files are linted -----------------------------------------------------===//

#include "tools/lint/Lint.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include <algorithm>

using namespace llvm;
using namespace clmali;
using namespace clmali::lint;

bool lint::isKernelFile(StringRef Name) {
  return StringSwitch<bool>(sys::path::extension(Name).lower())
      .Cases(".cl", ".ocl", ".clh", ".opencl", true)
      .Default(false);
}

bool lint::isHostFile(StringRef Name) {
  return StringSwitch<bool>(sys::path::extension(Name).lower())
      .Cases(".c", ".cc", ".cpp", ".cxx", ".c++", ".h", ".hh", ".hpp", true)
      .Case(".hxx", true)
      .Default(false);
}

namespace {
struct Command {
  std::string File; ///< absolute
  std::vector<std::string> Args;
};
} // namespace

/// Reads compile_commands.json. Only what a parse needs is kept: neither the compiler's name, the
/// file, nor outputs.
static Expected<std::vector<Command>> readCommands(StringRef Build) {
  SmallString<128> Path(Build);
  sys::path::append(Path, "compile_commands.json");
  auto Buffer = MemoryBuffer::getFile(Path);
  if (!Buffer)
    return createStringError(Buffer.getError(), "cannot read '" + Path + "': " +
                                                    Buffer.getError().message() +
                                                    "; -p takes the build folder that holds it");
  Expected<json::Value> Root = json::parse((*Buffer)->getBuffer());
  if (!Root)
    return createStringError(inconvertibleErrorCode(),
                             "'" + Path + "' is no JSON: " + toString(Root.takeError()));
  std::vector<Command> Result;
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
    Command C;
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

static std::string absolute(StringRef Name) {
  SmallString<128> Path(Name);
  sys::fs::make_absolute(Path);
  sys::path::remove_dots(Path, /*remove_dot_dot=*/true);
  return Path.str().str();
}

std::vector<InputFile> lint::collectInputs(const Options &O, std::vector<Trouble> &Errors) {
  std::vector<Command> Commands;
  if (!O.BuildPath.empty()) {
    if (auto Read = readCommands(O.BuildPath))
      Commands = std::move(*Read);
    else
      Errors.push_back({O.BuildPath, 0, 0, toString(Read.takeError())});
  }
  auto ArgsOf = [&](StringRef Name) -> std::vector<std::string> {
    std::string Full = absolute(Name);
    for (const Command &C : Commands)
      if (C.File == Full)
        return C.Args;
    return {};
  };

  std::vector<InputFile> Result;
  for (const std::string &Path : O.Paths) {
    sys::fs::file_status Status;
    if (std::error_code EC = sys::fs::status(Path, Status)) {
      Errors.push_back({Path, 0, 0, "there is no such file or folder (" + EC.message() + ")"});
      continue;
    }
    if (!sys::fs::is_directory(Status)) {
      Result.push_back({Path, true, ArgsOf(Path)});
      continue;
    }
    std::vector<std::string> Below;
    std::error_code EC;
    for (sys::fs::recursive_directory_iterator I(Path, EC, /*follow_symlinks=*/false), End;
         I != End && !EC; I.increment(EC)) {
      StringRef Name = sys::path::filename(I->path());
      if (Name.starts_with(".")) {
        I.no_push();
        continue;
      }
      if (isKernelFile(Name) && I->type() != sys::fs::file_type::directory_file)
        Below.push_back(I->path());
    }
    if (EC)
      Errors.push_back({Path, 0, 0, "cannot read all of it: " + EC.message()});
    llvm::sort(Below);
    for (std::string &Name : Below)
      Result.push_back({std::move(Name), false, {}});
    // Host files only where a compile command says how they are built.
    std::string Root = absolute(Path) + "/";
    size_t Before = Result.size();
    for (const Command &C : Commands)
      if (StringRef(C.File).starts_with(Root) && isHostFile(C.File))
        Result.push_back({(StringRef(Path).rtrim('/') + "/" +
                           StringRef(C.File).drop_front(Root.size()))
                              .str(),
                          false, C.Args});
    if (Below.empty() && Result.size() == Before)
      Errors.push_back({Path, 0, 0, "no .cl file is below it, so nothing was linted"});
  }
  // The same file given twice is one file.
  StringSet<> Names;
  erase_if(Result, [&](const InputFile &F) { return !Names.insert(absolute(F.Name)).second; });
  return Result;
}
