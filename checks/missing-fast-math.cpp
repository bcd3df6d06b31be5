//===- missing-fast-math.cpp (host) ------------------------------------------------------------===//

#include "checks/HostQuery.h"

using namespace llvm;
using namespace clmali;
using namespace clmali::checks;
using namespace clmali::model;

static void run(const HostModule &H, Context &C) {
  for (const HostCall &Call : H.Calls) {
    if (Call.Name != "clBuildProgram" || Call.Args.size() < 4)
      continue;
    const HostArgument &A = Call.Args[3];
    if (!A.IsNull && !A.String)
      continue;
    StringRef Given = A.String ? StringRef(*A.String) : StringRef();
    if (Given.contains("-cl-fast-relaxed-math"))
      continue;
    Finding &F = C.report(A.Range, "the program is built without -cl-fast-relaxed-math");
    F.cost("a float division takes 4 cycles instead of 2");
    std::vector<Edit> Edits;
    if (A.IsNull && A.Text == "NULL")
      Edits.push_back({A.Range, "\"-cl-fast-relaxed-math\""});
    else if (A.String && StringRef(A.Text).starts_with("\"") && StringRef(A.Text).ends_with("\""))
      Edits.push_back({{A.Range.File, A.Range.End - 1, A.Range.End - 1},
                       Given.empty() ? "-cl-fast-relaxed-math" : " -cl-fast-relaxed-math"});
    F.fix(Applicability::Unsafe, "add -cl-fast-relaxed-math", std::move(Edits));
  }
}

CLMALI_HOST_CHECK("missing-fast-math", run);
