//===- divergent-branch.cpp --------------------------------------------------------------------===//
//
// Before: if (v < 0) v = -2 * v;
// After:  v = v < 0 ? -2 * v : v;
// Limits: assignments to variables only: no memory, no expensive calls, no nested control.
//
//===------------------------------------------------------------------------------------------===//

#include "checks/Query.h"
#include "llvm/ADT/StringSet.h"

using namespace llvm;
using namespace clmali;
using namespace clmali::checks;
using namespace clmali::model;

/// A variable whose address some helper gets: memory for the model, a register for the compiler that inlines.
static bool isVariable(const Access &A) {
  return A.Base->K == Var::Memory && A.Base->space() == AddressSpace::Private && A.Base->Ty->K != Type::Array;
}

/// A built-in of an instruction or two.
static bool isCheap(StringRef Name) {
  static const StringSet<> Names{"abs",  "clamp", "fabs",  "floor", "fma", "fmax", "fmin", "mad",    "mad24",
                                 "max",  "min",   "mul24", "mix",   "rint", "select", "sign", "step", "trunc"};
  return Names.contains(Name);
}

/// Only assignments that compute; counts them.
static bool isPureBlock(const Block &B, unsigned &Count) {
  for (const Stmt *S : B) {
    if (S->K != StmtKind::Assign && S->K != StmtKind::Decl && !(S->K == StmtKind::Store && isVariable(S->Acc)))
      return false;
    ++Count;
    bool Pure = true;
    forEachExpr(*S, [&](const Expr *Root) {
      walk(Root, [&](const Expr *E) {
        // A division of integers is left out for good reason; so is a load, and what is expensive.
        if ((E->K == ExprKind::Load && !isVariable(E->Acc)) || E->K == ExprKind::Opaque ||
            (E->K == ExprKind::Call && !isCheap(E->Name)) ||
            (E->K == ExprKind::Binary && E->Ty->isInteger() && (E->O == Op::Div || E->O == Op::Rem)))
          Pure = false;
        return Pure;
      });
    });
    if (!Pure)
      return false;
  }
  return true;
}

/// Does a side compute, or does it only choose a value that is there (or that is the same for all work-items, and
/// so is computed once)? Many compilers make a choice a select by themselves.
static bool computes(const KernelAnalysis &An, const Block &B) {
  bool Found = false;
  for (const Stmt *S : B)
    forEachExpr(*S, [&](const Expr *Root) {
      walk(Root, [&](const Expr *E) {
        Found |= (E->K == ExprKind::Binary || E->K == ExprKind::Unary || E->K == ExprKind::Call) && !An.varies(E, S).uniformInLaunch();
        return !Found;
      });
    });
  return Found;
}

static void run(const Kernel &K, Context &C) {
  if (C.device().SimdWidth < 2)
    return;
  const KernelAnalysis &An = C.analysis();
  walk(K.Body, [&](Stmt *S) {
    if (S->K != StmtKind::If || S->EarlyReturn || !S->Range.isValid() || !S->E)
      return true;
    unsigned Count = 0;
    if (An.varies(S->E).uniform() || !isPureBlock(S->Body, Count) || !isPureBlock(S->Else, Count) ||
        Count == 0 || Count > C.option("MaxStatements"))
      return true;
    Finding &F = C.report(S->E->Range.isValid() ? S->E->Range : S->Range,
                          "a short branch on a value that differs between work-items");
    F.cost("both sides run, and the branch costs on top").fix(Applicability::Verify, "clmali-rewrite --passes=select");
    if (!computes(An, S->Body) && !computes(An, S->Else))
      F.atMost(rules::Severity::Info);
    return true;
  });
}

CLMALI_KERNEL_CHECK("divergent-branch", run);
