//===- missing-fast-math.cpp (host) ------------------------------------------------------------===//

#include "checks/HostQuery.h"
#include "checks/model/Files.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

using namespace llvm;
using namespace clmali;
using namespace clmali::checks;
using namespace clmali::model;

/// The options of a build; null: it is given none.
static const HostArgument *optionsOf(const HostCall &Call, bool &Builds) {
  Builds = false;
  if (Call.Name == "clBuildProgram" || Call.Name == "clCompileProgram") {
    Builds = Call.Args.size() >= 4;
    return Builds ? &Call.Args[3] : nullptr;
  }
  std::string Name = shortName(Call);
  if (Name == "build" && Call.Name.rfind("cl::", 0) == 0) {
    Builds = true;
    for (const HostArgument &A : Call.Args)
      if (A.String || A.Options || A.Type == "const char *" || StringRef(A.Type).contains("string"))
        return &A;
  }
  // cl::Program(context, source, true) builds without options.
  if (Call.Name == "cl::Program" && Call.From == HostCall::Source)
    Builds = any_of(Call.Args, [](const HostArgument &A) { return A.Type == "bool" && A.Value == 1; });
  return nullptr;
}

/// Does OpenCL C, or an option of its compiler, speak of floating point? Of what it includes nothing is known: it may.
static bool mayUseFloats(StringRef Source) {
  while (!Source.empty()) {
    if (Source.starts_with("//")) {
      Source = Source.drop_until([](char C) { return C == '\n'; });
    } else if (Source.starts_with("/*")) {
      size_t End = Source.find("*/", 2);
      Source = End == StringRef::npos ? StringRef() : Source.drop_front(End + 2);
    } else if (isDigit(Source.front())) {
      StringRef Number = Source.take_while([](char C) { return isAlnum(C) || C == '.'; });
      if (Number.contains('.') || (!Number.starts_with_insensitive("0x") && Number.contains_insensitive("e")))
        return true;
      Source = Source.drop_front(Number.size());
    } else if (isAlpha(Source.front()) || Source.front() == '_') {
      StringRef Word = Source.take_while([](char C) { return isAlnum(C) || C == '_'; });
      if (Word.contains("float") || Word.contains("double") || Word.starts_with("half") || Word.ends_with("imagef") ||
          Word == "include")
        return true;
      Source = Source.drop_front(Word.size());
    } else {
      if (Source.front() == '\1' || (Source.front() == '.' && Source.size() > 1 && isDigit(Source[1])))
        return true;
      Source = Source.drop_front();
    }
  }
  return false;
}

/// Are all kernels seen that the file builds, and does none of them compute in floating point?
static bool computesInIntegers(const HostModule &H) {
  if (H.Kernels.empty() && H.KernelFiles.empty())
    return false;
  for (const EmbeddedKernel &E : H.Kernels)
    if (E.IsGuessed || mayUseFloats(E.Source))
      return false;
  for (StringRef Name : H.KernelFiles) {
    std::string Folder = folderOfHeader(H.Files[0].Name, Name);
    if (Folder.empty())
      return false;
    SmallString<256> Path(Folder);
    sys::path::append(Path, Name);
    ErrorOr<std::unique_ptr<MemoryBuffer>> Text = fileSystem()->getBufferForFile(Path);
    if (!Text || mayUseFloats((*Text)->getBuffer()))
      return false;
  }
  return none_of(H.BuildOptions, mayUseFloats);
}

static void run(const HostModule &H, Context &C) {
  if (computesInIntegers(H))
    return;
  for (const HostCall &Call : H.Calls) {
    bool Builds = false;
    const HostArgument *A = optionsOf(Call, Builds);
    // What is loaded as a binary was compiled before.
    if (!Builds || Call.From == HostCall::Binary || (A && !A->IsNull && !A->Options))
      continue;
    StringRef Given = A && A->Options ? StringRef(*A->Options) : StringRef();
    if (Given.contains("-cl-fast-relaxed-math") ||
        (Given.contains("-cl-finite-math-only") && Given.contains("-cl-unsafe-math-optimizations")))
      continue;
    Finding &F = C.report(Call.NameRange, "the program is built without -cl-fast-relaxed-math");
    F.cost("a float division takes 4 cycles instead of 2");
    std::vector<Edit> Edits;
    if (A && A->IsNull && (A->Text == "NULL" || A->Text == "nullptr"))
      Edits.push_back({A->Range, "\"-cl-fast-relaxed-math\""});
    else if (A && A->String && StringRef(A->Text).starts_with("\"") && StringRef(A->Text).ends_with("\""))
      Edits.push_back({{A->Range.File, A->Range.End - 1, A->Range.End - 1},
                       Given.empty() ? "-cl-fast-relaxed-math" : " -cl-fast-relaxed-math"});
    F.fix(Applicability::Unsafe, "add -cl-fast-relaxed-math", std::move(Edits));
  }
}

CLMALI_HOST_CHECK("missing-fast-math", run);
