//===- local-variable-in-function.cpp ---------------------------------------------------------===//
//
// Before: void total(..) { __local float part[64]; .. }
// After:  void total(.., __local float *part) { .. }, and the array in the kernel
// Limits: functions that a kernel calls.
//
//===------------------------------------------------------------------------------------------===//

#include "checks/query/Query.h"
#include <set>

using namespace llvm;
using namespace clmali;
using namespace clmali::checks;
using namespace clmali::model;

static bool isInside(const SourceRange &R, const SourceRange &Outer) {
  return R.File == Outer.File && R.Begin >= Outer.Begin && R.End <= Outer.End;
}

/// Braces that are open at R, from the body's own on. Text in comments and literals has none.
static int depthIn(const Context &C, const SourceRange &Body, const SourceRange &R) {
  StringRef Text = C.text({Body.File, Body.Begin, R.Begin});
  int Depth = 0;
  for (size_t I = 0; I < Text.size(); ++I) {
    if (Text.substr(I).starts_with("//"))
      I = std::min(Text.find('\n', I), Text.size() - 1);
    else if (Text.substr(I).starts_with("/*"))
      I = std::min(Text.find("*/", I + 2), Text.size() - 2) + 1;
    else
      Depth += Text[I] == '{' ? 1 : Text[I] == '}' ? -1 : 0;
  }
  return Depth;
}

static void run(const Kernel &K, Context &C) {
  std::set<std::pair<uint32_t, uint32_t>> Seen;
  for (const Var *V : K.Vars) {
    if (V->K != Var::Memory && V->K != Var::Temp)
      continue;
    if (V->AS != AddressSpace::Local || V->ProgramScope || !V->Range.isValid() ||
        !Seen.insert({V->Range.File, V->Range.Begin}).second)
      continue;
    bool InHelper =
        any_of(K.HelperRanges, [&](const SourceRange &R) { return isInside(V->Range, R); });
    bool InBlock =
        !InHelper && isInside(V->Range, K.BodyRange) && depthIn(C, K.BodyRange, V->Range) > 1;
    if (InHelper)
      C.report(V->Range, "a local variable in a function that is no kernel")
          .cost("OpenCL C forbids it, and compilers that are made from Clang refuse the program; "
                "declare it in the kernel and pass a pointer");
    else if (InBlock)
      C.report(V->Range, "a local variable in a block of the kernel")
          .cost("OpenCL C allows local variables at the kernel's own scope only, and compilers "
                "that are made from Clang refuse the program");
  }
}

CLMALI_KERNEL_CHECK("local-variable-in-function", run);
