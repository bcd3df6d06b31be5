//===- Join.cpp - which host code belongs to a kernel file ------------------------------------===//
//
// A host names the kernel file that it loads; of several files of that name the one nearest to it is
// meant. A host that names no file is joined only with the one kernel file of the run. What the host
// gives clBuildProgram is given to the parser: -D, -I, -cl-std.
//
// Limits: names put together at run time are not seen; options known only at run time are left out,
// so that their macros are guessed like any other.
//
//===------------------------------------------------------------------------------------------===//

#include "tools/lint/Lint.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace llvm;
using namespace clmali;
using namespace clmali::lint;

static std::string absolute(StringRef Name) {
  SmallString<256> Path(Name);
  sys::fs::make_absolute(Path);
  sys::path::remove_dots(Path, /*remove_dot_dot=*/true);
  return Path.str().str();
}

static StringRef hostName(const model::HostModule &H) {
  return H.Files.empty() ? StringRef() : StringRef(H.Files.front().Name);
}

/// Components that two paths share at their beginnings.
static unsigned shared(StringRef A, StringRef B) {
  unsigned N = 0;
  auto I = sys::path::begin(A), J = sys::path::begin(B);
  for (; I != sys::path::end(A) && J != sys::path::end(B) && *I == *J; ++I, ++J)
    ++N;
  return N;
}

/// "kernels/saxpy.cl" names ".../kernels/saxpy.cl".
static bool names(StringRef Literal, StringRef Path) {
  while (Literal.consume_front("./") || Literal.consume_front("../"))
    ;
  if (!Path.ends_with(Literal))
    return Literal.contains('/') && names(sys::path::filename(Literal), Path);
  StringRef Before = Path.drop_back(Literal.size());
  return Before.empty() || Before.ends_with("/");
}

std::vector<const model::HostModule *>
lint::hostsOf(StringRef KernelFile, ArrayRef<const model::HostModule *> All,
              ArrayRef<InputFile> Inputs) {
  std::string Path = absolute(KernelFile);
  SmallVector<std::string, 16> Kernels;
  for (const InputFile &In : Inputs)
    if (!isHostFile(In.Name))
      Kernels.push_back(absolute(In.Name));
  std::vector<const model::HostModule *> Result;
  for (const model::HostModule *H : All) {
    if (H->KernelFiles.empty()) {
      if (Kernels.size() == 1 && H->Kernels.empty())
        Result.push_back(H);
      continue;
    }
    std::string Host = absolute(hostName(*H));
    bool Meant = any_of(H->KernelFiles, [&](StringRef Literal) {
      if (!names(Literal, Path))
        return false;
      unsigned Mine = shared(Path, Host);
      return none_of(Kernels, [&](StringRef Other) {
        return Other != Path && names(Literal, Other) && shared(Other, Host) > Mine;
      });
    });
    if (Meant)
      Result.push_back(H);
  }
  return Result;
}

std::vector<std::string> lint::buildOptionsOf(ArrayRef<const model::HostModule *> Hosts,
                                              StringRef KernelFile) {
  std::vector<std::string> Result;
  StringSet<> Macros;
  auto Define = [&](StringRef Text) {
    StringRef Name = Text.split('=').first;
    // What is known only at run time is '\1'. Of several values the first is taken.
    if (Text.contains('\1') || Name.empty() || !Macros.insert(Name).second)
      return;
    Result.push_back(("-D" + Text).str());
  };
  auto Folder = [&](StringRef Text) {
    if (Text.contains('\1') || Text.empty())
      return;
    Result.push_back(("-I" + Text).str());
    if (sys::path::is_relative(Text)) {
      SmallString<256> Beside(sys::path::parent_path(KernelFile));
      sys::path::append(Beside, Text);
      Result.push_back(("-I" + Beside).str());
    }
  };
  for (const model::HostModule *H : Hosts)
    for (StringRef Line : H->BuildOptions) {
      SmallVector<StringRef, 16> Words;
      Line.split(Words, ' ', -1, /*KeepEmpty=*/false);
      for (size_t I = 0; I < Words.size(); ++I) {
        StringRef Word = Words[I];
        auto Value = [&] {
          return !Word.empty() ? Word : I + 1 < Words.size() ? Words[++I] : StringRef();
        };
        if (Word.consume_front("-D"))
          Define(Value());
        else if (Word.consume_front("-I"))
          Folder(Value());
        else if (Word.starts_with("-cl-std=") && !Word.contains('\1') &&
                 none_of(Result, [](StringRef S) { return S.starts_with("-cl-std="); }))
          Result.push_back(Word.str());
      }
    }
  return Result;
}
