//===- missing-fast-math.cpp (host) ------------------------------------------------------------===//

#include "checks/HostQuery.h"
#include "llvm/ADT/STLExtras.h"

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

static void run(const HostModule &H, Context &C) {
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
