//===- missing-fast-math.cpp (host) -------------------------------------------------------===//
//
// Before: clBuildProgram(program, 1, &device, NULL, NULL, NULL)
// After:  clBuildProgram(program, 1, &device, "-cl-fast-relaxed-math", NULL, NULL)
// Limits: information if some options are known only at run time, if the kernels compute in
//         integers, or if a function of another file builds the program.
//
//===------------------------------------------------------------------------------------------===//

#include "checks/model/frontend/Embedded.h"
#include "checks/model/frontend/Files.h"
#include "checks/query/HostCalls.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Regex.h"
#include <tuple>

using namespace llvm;
using namespace clmali;
using namespace clmali::checks;
using namespace clmali::model;

/// The argument with the options of a build; null: there is none. \p Builds: Call builds a program.
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
    Builds =
        any_of(Call.Args, [](const HostArgument &A) { return A.Type == "bool" && A.Value == 1; });
  return nullptr;
}

/// True if the options allow everything that -cl-fast-relaxed-math allows.
static bool relaxes(StringRef Options) {
  return Options.contains("-cl-fast-relaxed-math") ||
         (Options.contains("-cl-finite-math-only") &&
          Options.contains("-cl-unsafe-math-optimizations"));
}

/// True if the file has options in string literals, and none of them relaxes floating point. Then
/// options that it assembles at run time do not relax it either, unless another file adds to them.
static bool hasOnlyStrictOptions(StringRef Text) {
  bool Writes = false;
  for (StringRef Line; !Text.empty();) {
    std::tie(Line, Text) = Text.split('\n');
    Line = Line.split("//").first;
    if (Line.contains("fast-relaxed-math") || Line.contains("unsafe-math") ||
        Line.contains("finite-math"))
      return false;
    for (size_t At = Line.find('"'); At != StringRef::npos && !Writes;
         At = Line.find('"', At + 1)) {
      StringRef Option = Line.drop_front(At + 1).ltrim(' ');
      Writes = Option.starts_with("-cl-") || Option.starts_with("-D") || Option.starts_with("-I");
    }
  }
  return Writes;
}

/// Calls Then with the text of each kernel that the file builds. False: some are not known.
static bool forEachSource(const HostModule &H, function_ref<void(StringRef)> Then) {
  bool AllKnown = !H.Kernels.empty() || !H.KernelFiles.empty();
  for (const EmbeddedKernel &E : H.Kernels) {
    Then(E.Source);
    AllKnown &= !E.IsGuessed;
  }
  for (StringRef Name : H.KernelFiles) {
    SmallString<256> Path(folderOfHeader(H.Files[0].Name, Name));
    bool IsFound = !Path.empty();
    sys::path::append(Path, Name);
    ErrorOr<std::unique_ptr<MemoryBuffer>> Text =
        IsFound ? fileSystem()->getBufferForFile(Path)
                : ErrorOr<std::unique_ptr<MemoryBuffer>>(
                      std::make_error_code(std::errc::no_such_file_or_directory));
    AllKnown &= bool(Text);
    if (Text)
      Then((*Text)->getBuffer());
  }
  return AllKnown;
}

/// True if all kernels that the file builds are known, and none of them uses floating point.
static bool computesInIntegers(const HostModule &H) {
  bool Floats = any_of(H.BuildOptions, mayUseFloats);
  return forEachSource(H, [&](StringRef Text) { Floats |= mayUseFloats(Text); }) && !Floats;
}

/// True if a kernel tests for NaN or infinity, which the option would fold.
static bool testsForNaN(const HostModule &H) {
  static const Regex Tests("(^|[^A-Za-z0-9_])(isnan|isinf|isfinite|isnormal|isunordered|isordered|"
                           "NAN|INFINITY)([^A-Za-z0-9_]|$)");
  static const Regex Itself("(^|[^A-Za-z0-9_.])([A-Za-z_][A-Za-z0-9_]*) *(!=|==) *\\2"
                            "([^A-Za-z0-9_.[(]|$)");
  bool Found = false;
  forEachSource(H, [&](StringRef Text) { Found |= Tests.match(Text) || Itself.match(Text); });
  return Found;
}

/// True if a function of another file builds the program, and Call passes it no options, or none
/// that relax floating point.
static bool isBuiltElsewhere(const HostCall &Call) {
  // A wrapper of clCreateProgramWithSource builds nothing.
  if (StringRef(Call.Name).ends_with_insensitive("CreateProgramWithSource"))
    return false;
  // If one argument is known to be the options, the others are not.
  auto Given = find_if(Call.Args, [](const HostArgument &A) {
    return A.Options && StringRef(*A.Options).ltrim().starts_with("-");
  });
  if (Given != Call.Args.end())
    return Call.MakesProgram && Call.From == HostCall::Source && !relaxes(*Given->Options);
  return Call.MakesProgram && Call.From == HostCall::Source &&
         all_of(Call.Args, [](const HostArgument &A) {
           // A string, or an argument whose name suggests options.
           bool IsText =
               A.Type == "const char *" || A.Type == "char *" ||
               StringRef(A.Type).contains("string") ||
               any_of(ArrayRef<StringRef>{"opt", "flag", "build", "param", "define", "macro"},
                      [&](StringRef Word) { return StringRef(A.Text).contains_insensitive(Word); });
           return !IsText || A.IsNull || (A.Options && !relaxes(*A.Options));
         });
}

static void run(const HostModule &H, Context &C) {
  if (testsForNaN(H))
    return;
  bool Integers = computesInIntegers(H);
  bool BuildsHere = false;
  for (const HostCall &Call : H.Calls) {
    bool Builds = false;
    const HostArgument *A = optionsOf(Call, Builds);
    BuildsHere |= Builds;
    // A binary is compiled already.
    bool AtRunTime = A && !A->IsNull && !A->Options;
    if (!Builds || Call.From == HostCall::Binary ||
        (AtRunTime && !hasOnlyStrictOptions(H.Files[Call.NameRange.File].Text)))
      continue;
    StringRef Given = A && A->Options ? StringRef(*A->Options) : StringRef();
    if (relaxes(Given))
      continue;
    Finding &F = C.report(Call.NameRange, "the program is built without -cl-fast-relaxed-math");
    if (AtRunTime)
      F.atMost(rules::Severity::Info);
    if (Integers)
      F.atMost(rules::Severity::Info)
          .cost("its kernels compute in integers: it gains once one computes in float");
    else
      F.cost("a float division takes 4 cycles instead of 2");
    std::vector<Edit> Edits;
    if (A && A->IsNull && (A->Text == "NULL" || A->Text == "nullptr"))
      Edits.push_back({A->Range, "\"-cl-fast-relaxed-math\""});
    else if (A && A->String && StringRef(A->Text).starts_with("\"") &&
             StringRef(A->Text).ends_with("\""))
      Edits.push_back({{A->Range.File, A->Range.End - 1, A->Range.End - 1},
                       Given.empty() ? "-cl-fast-relaxed-math" : " -cl-fast-relaxed-math"});
    F.fix(Applicability::Unsafe, "add -cl-fast-relaxed-math", std::move(Edits));
  }
  if (BuildsHere)
    return;
  for (const HostCall &Call : H.Calls)
    if (isBuiltElsewhere(Call))
      C.report(Call.NameRange,
               "'" + Call.Name + "' is not given the build option -cl-fast-relaxed-math")
          .atMost(rules::Severity::Info)
          .cost("unless it adds the option itself, a float division takes 4 cycles instead of 2");
}

CLMALI_HOST_CHECK("missing-fast-math", run);
