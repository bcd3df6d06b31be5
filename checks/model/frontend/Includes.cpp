//===-- checks/model/frontend/Includes.cpp - #include and -D, without a parse ------===//

#include "checks/model/frontend/Includes.h"
#include "checks/model/frontend/Files.h"
#include "checks/model/frontend/Frontend.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

using llvm::StringRef;

namespace clmali::model {

std::string missingInclude(llvm::ArrayRef<ParseDiagnostic> Diagnostics) {
  for (const ParseDiagnostic &D : Diagnostics) {
    StringRef Message = D.Message;
    if (D.IsError && Message.contains("file not found") && Message.consume_front("'"))
      return Message.take_until([](char C) { return C == '\''; }).str();
  }
  return "";
}

llvm::StringMap<std::string> macrosOf(llvm::ArrayRef<std::string> ClangArgs) {
  llvm::StringMap<std::string> Result;
  for (size_t I = 0; I < ClangArgs.size(); ++I) {
    StringRef Arg = ClangArgs[I];
    bool Defines = Arg.consume_front("-D");
    if (!Defines && !Arg.consume_front("-U"))
      continue;
    if (Arg.empty() && I + 1 < ClangArgs.size())
      Arg = ClangArgs[++I];
    auto [Name, Value] = Arg.split('=');
    if (Defines && Value == Name)
      continue;
    if (Defines)
      Result[Name.split('(').first] = Arg.contains('=') ? Value.str() : "1";
    else
      Result.erase(Name);
  }
  return Result;
}

/// The file that a line `#include "..."` or `<...>` names; empty: the line is none.
static StringRef includedName(StringRef Line) {
  Line = Line.trim();
  if (!Line.consume_front("#") || !(Line = Line.ltrim()).consume_front("include"))
    return "";
  Line = Line.trim();
  return Line.drop_front(Line.empty() ? 0 : 1).take_until([](char C) {
    return C == '"' || C == '>';
  });
}

/// The -I folders, after the folder of the file.
static std::vector<std::string> includeFolders(StringRef FileName,
                                               llvm::ArrayRef<std::string> ClangArgs) {
  std::vector<std::string> Folders{llvm::sys::path::parent_path(FileName).str()};
  for (size_t I = 0; I < ClangArgs.size(); ++I)
    if (StringRef Arg = ClangArgs[I]; Arg.consume_front("-I"))
      Folders.push_back(Arg.empty() && I + 1 < ClangArgs.size() ? ClangArgs[I + 1] : Arg.str());
  return Folders;
}

std::vector<IncludedFile> headersOf(StringRef FileName, StringRef Text,
                                    llvm::ArrayRef<std::string> ClangArgs) {
  constexpr size_t MaxHeaders = 32;
  std::vector<IncludedFile> Result;
  llvm::StringSet<> Seen;
  std::vector<std::string> Folders = includeFolders(FileName, ClangArgs);
  std::vector<std::string> Work{Text.str()};
  while (!Work.empty() && Seen.size() < MaxHeaders) {
    std::string Current = std::move(Work.back());
    Work.pop_back();
    // Includes under conditions of another language do not count.
    std::optional<TokenScan> Conditions;
    if (StringRef(Current).contains("__OPENCL_") || StringRef(Current).contains("__cplusplus"))
      Conditions.emplace(Current, llvm::StringMap<std::string>());
    unsigned Number = 0;
    for (StringRef Line : llvm::split(Current, '\n')) {
      ++Number;
      StringRef Name = includedName(Line);
      if (Name.empty() || (Conditions && !Conditions->mayReach(Number)) ||
          !Seen.insert(Name).second)
        continue;
      for (const std::string &Folder : Folders) {
        llvm::SmallString<256> Path(Folder);
        llvm::sys::path::append(Path, Name);
        if (auto Buffer = fileSystem()->getBufferForFile(Path)) {
          Result.push_back({std::string(Path), (*Buffer)->getBuffer().str()});
          Work.push_back((*Buffer)->getBuffer().str());
          break;
        }
      }
    }
  }
  return Result;
}

/// The header belongs to the host: C, C++, OpenCL's API, the system.
static bool isHostHeader(StringRef Name) {
  bool OfLanguage = !Name.contains('.') && !Name.empty() &&
                    llvm::all_of(Name, [](char C) { return llvm::isLower(C) || C == '_'; });
  return OfLanguage || Name.starts_with("CL/") || Name.starts_with("OpenCL/") ||
         llvm::is_contained({"cl.h", "cl.hpp", "cl2.hpp", "opencl.h", "opencl.hpp", "stdio.h",
                             "stdlib.h", "string.h", "stdint.h", "stdbool.h", "stddef.h", "math.h",
                             "assert.h", "windows.h"},
                            Name);
}

std::vector<WantedMacro> macrosAgainstHostHeaders(StringRef Text,
                                                  const llvm::StringMap<std::string> &Given) {
  std::optional<TokenScan> T;
  std::vector<WantedMacro> Out;
  unsigned Number = 0;
  for (StringRef Line : llvm::split(Text, '\n')) {
    ++Number;
    if (!isHostHeader(includedName(Line)))
      continue;
    if (!T)
      T.emplace(Text, Given);
    llvm::append_range(Out, T->wantedAgainst(Number));
  }
  return Out;
}

} // namespace clmali::model
