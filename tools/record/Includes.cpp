//===- Includes.cpp ---------------------------------------------------------------------------===//

#include "tools/record/Includes.h"
#include "checks/model/frontend/Files.h"
#include "tools/layer/Files.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/StringSaver.h"
#include "llvm/Support/VirtualFileSystem.h"
#include <map>
#include <optional>
#include <set>

using namespace llvm;

namespace clmali::record {
namespace {

std::string absolute(const Twine &Path) {
  SmallString<256> Full;
  Path.toVector(Full);
  sys::fs::make_absolute(Full);
  sys::path::remove_dots(Full, /*remove_dot_dot=*/true);
  return std::string(Full);
}

/// Notes the files that are read.
class ReadFiles : public vfs::ProxyFileSystem {
public:
  ReadFiles() : ProxyFileSystem(vfs::getRealFileSystem()) {}
  ErrorOr<std::unique_ptr<vfs::File>> openFileForRead(const Twine &Path) override {
    auto File = ProxyFileSystem::openFileForRead(Path);
    if (File)
      Paths.insert(absolute(Path));
    return File;
  }
  std::set<std::string> Paths;
};

std::vector<std::string> wordsOf(StringRef Options) {
  BumpPtrAllocator Memory;
  StringSaver Saver(Memory);
  SmallVector<const char *, 8> Words;
  cl::TokenizeGNUCommandLine(Options, Saver, Words);
  return {Words.begin(), Words.end()};
}

std::string quoted(const std::string &Word) {
  return StringRef(Word).contains(' ') ? "\"" + Word + "\"" : Word;
}

/// The folders of the build in their order; the program's working folder is searched last.
std::vector<std::string> originalFolders(const RecordedProgram &P) {
  std::vector<std::string> All, Words = wordsOf(P.Options);
  for (size_t I = 0; I < Words.size(); ++I)
    if (Words[I] == "-I" && I + 1 < Words.size())
      All.push_back(Words[++I]);
    else if (StringRef(Words[I]).starts_with("-I"))
      All.push_back(Words[I].substr(2));
  if (!P.WorkingFolder.empty())
    All.push_back(P.WorkingFolder);
  return All;
}

/// The name of a copy: include/K/PATH for a file of the K-th folder; nothing: it is in none.
std::optional<std::string> copyOf(const std::string &Path, ArrayRef<std::string> Folders) {
  for (size_t K = 0; K < Folders.size(); ++K) {
    StringRef Rest = Path;
    std::string Folder = absolute(Folders[K]);
    if (Rest.consume_front(Folder) && (Rest.consume_front("/") || StringRef(Folder).ends_with("/")))
      return "include/" + std::to_string(K) + "/" + Rest.str();
  }
  return std::nullopt;
}

/// Sorted, so that the same files in other places are equal.
std::vector<std::string> textsOf(ArrayRef<IncludedFile> Files) {
  std::vector<std::string> All;
  for (const IncludedFile &F : Files)
    All.push_back(F.Text);
  llvm::sort(All);
  return All;
}

} // namespace

model::ParseResult parseWithIncludes(const std::string &File, const std::string &Text,
                                     const std::vector<std::string> &ClangArguments,
                                     std::vector<IncludedFile> &Included) {
  auto Read = makeIntrusiveRefCnt<ReadFiles>();
  model::ParseOptions Options;
  Options.ClangArgs = ClangArguments;
  model::ParseResult Result;
  {
    model::FileSystemScope Scope(Read);
    Result = model::parseOpenCL(File, Text, Options);
  }
  const std::string Own = absolute(model::resourceDir()) + "/";
  for (const std::string &Path : Read->Paths)
    if (Path != absolute(File) && !StringRef(Path).starts_with(Own))
      if (std::optional<std::string> Content = layer::readFile(Path))
        Included.push_back({Path, std::move(*Content)});
  return Result;
}

/// Writes the copies. True if the text finds the same files there, and no others.
static Expected<bool> copied(const std::string &Folder, RecordedProgram &P,
                             ArrayRef<IncludedFile> Included, ArrayRef<std::string> Folders) {
  std::map<std::string, const IncludedFile *> Copies;
  std::set<std::string> Used;
  for (const IncludedFile &F : Included) {
    std::optional<std::string> Name = copyOf(F.Path, Folders);
    if (!Name)
      return false;
    Copies[*Name] = &F;
    Used.insert(Name->substr(0, Name->find('/', StringRef("include/").size())));
  }
  for (const auto &[Name, F] : Copies) {
    const std::string Path = Folder + "/" + Name;
    if (!layer::makeFolder(sys::path::parent_path(Path).str()) || !layer::writeFile(Path, F->Text))
      return createStringError(inconvertibleErrorCode(), "cannot write '" + Path + "'");
  }
  for (size_t K = 0; K < Folders.size(); ++K)
    if (std::string Name = "include/" + std::to_string(K); Used.count(Name))
      P.Includes.push_back(Name);
  std::vector<IncludedFile> Found;
  parseWithIncludes(Folder + "/program.cl", P.Source, clangArguments(P, Folder), Found);
  const std::string Below = absolute(Folder) + "/include/";
  return textsOf(Found) == textsOf(Included) &&
         all_of(Found, [&](const IncludedFile &F) { return StringRef(F.Path).starts_with(Below); });
}

Error copyIncludes(const std::string &Folder, RecordedProgram &P,
                   const std::vector<IncludedFile> &Included) {
  if (Included.empty())
    return Error::success();
  const std::vector<std::string> Folders = originalFolders(P);
  RecordedProgram Copy = P;
  Expected<bool> Found = copied(Folder, Copy, Included, Folders);
  if (!Found)
    return Found.takeError();
  if (*Found) {
    P.Includes = std::move(Copy.Includes);
    return Error::success();
  }
  sys::fs::remove_directories(Folder + "/include");
  // The files stay where they are. Compilers must search the working folder too, if one is there.
  const std::string Last = "include/" + std::to_string(Folders.size() - 1) + "/";
  if (!P.WorkingFolder.empty() && any_of(Included, [&](const IncludedFile &F) {
        return StringRef(copyOf(F.Path, Folders).value_or("")).starts_with(Last);
      }))
    P.Options += " -I " + quoted(P.WorkingFolder);
  return Error::success();
}

static std::string joined(const RecordedProgram &P, StringRef Before) {
  if (P.Includes.empty())
    return P.Options;
  std::string Result;
  auto add = [&](const std::string &Word) { Result += (Result.empty() ? "" : " ") + quoted(Word); };
  for (const std::string &Name : P.Includes) {
    add("-I");
    add(Before.str() + Name);
  }
  std::vector<std::string> Words = wordsOf(P.Options);
  for (size_t I = 0; I < Words.size(); ++I)
    if (Words[I] == "-I")
      ++I;
    else if (!StringRef(Words[I]).starts_with("-I"))
      add(Words[I]);
  return Result;
}

std::string buildOptions(const RecordedProgram &P, StringRef Up) { return joined(P, Up); }

std::vector<std::string> clangArguments(const RecordedProgram &P, const std::string &Folder) {
  std::vector<std::string> All = wordsOf(joined(P, absolute(Folder) + "/"));
  if (P.Includes.empty() && !P.WorkingFolder.empty())
    All.push_back("-I" + P.WorkingFolder);
  return All;
}

} // namespace clmali::record
