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

/// True if the parser found the declaration not to be at the kernel's own scope.
static bool isInBlock(const Context &C, const SourceRange &Declaration) {
  return any_of(C.module().Refused, [&](const RefusedCode &R) {
    return R.K == RefusedCode::LocalInBlock && isInside(R.Range, Declaration);
  });
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
    bool InBlock = !InHelper && isInside(V->Range, K.BodyRange) && isInBlock(C, V->Range);
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
