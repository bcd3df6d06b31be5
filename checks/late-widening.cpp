//===- late-widening.cpp ----------------------------------------------------------------------===//
//
// Before: sum += convert_float4(a * b);                     the product is rounded to half
// After:  sum += convert_float4(a) * convert_float4(b);
// Limits: the conversion stands directly around the arithmetic, or C makes it where a product is
//         added to a wider sum.
//
//===------------------------------------------------------------------------------------------===//

#include "checks/query/Evidence.h"
#include "checks/query/Query.h"
#include <set>

using namespace llvm;
using namespace clmali;
using namespace clmali::checks;
using namespace clmali::model;

/// True if A O B is proved to lie in To. The operands have at most 32 bits.
static bool fits(Op O, const Range &A, const Range &B, const Range &To) {
  const Range Words{INT32_MIN, UINT32_MAX};
  if (!Words.contains(A) || !Words.contains(B) || O == Op::Shl)
    return false;
  if (O == Op::Add)
    return To.contains({A.Lo + B.Lo, A.Hi + B.Hi});
  if (O == Op::Sub)
    return To.contains({A.Lo - B.Hi, A.Hi - B.Lo});
  auto [Lo, Hi] = std::minmax({A.Lo * B.Lo, A.Lo * B.Hi, A.Hi * B.Lo, A.Hi * B.Hi});
  return To.contains({Lo, Hi});
}

/// The arithmetic of Cast's operand, with what it loses; null: none, or nothing is lost.
static const Expr *narrowArithmetic(const KernelAnalysis &K, ExprAt Cast, std::string &Loses) {
  const Expr *X = Cast->Ops[0];
  if (X->K != ExprKind::Binary || !X->Ty->isValue())
    return nullptr;
  bool Product = X->O == Op::Mul;
  if (X->Ty->Scalar == ScalarKind::Half && Cast->Ty->isFloat()) {
    Loses = "is rounded to 11 bits, and is infinite above 65504";
    return Product ? X : nullptr;
  }
  if (!X->Ty->isInteger() || X->Ty->Scalar == ScalarKind::Bool)
    return nullptr;
  unsigned Bits = sizeInBits(X->Ty->Scalar);
  // Scalars below int are computed as int. Sums of 32 bits rarely wrap.
  bool Wraps = Bits <= 16 ? Product || X->O == Op::Add || X->O == Op::Sub || X->O == Op::Shl
                          : Bits == 32 && !Cast->Implicit && Product && Cast->Ty->isInteger();
  if (!Wraps || !(Cast->Ty->isFloat() || sizeInBits(Cast->Ty->Scalar) > Bits))
    return nullptr;
  if (fits(X->O, K.range(X->Ops[0], Cast.S), K.range(X->Ops[1], Cast.S), rangeOf(X->Ty->Scalar)))
    return nullptr;
  Loses = "wraps around at " + std::to_string(Bits) + " bits";
  return X;
}

/// True if S adds to a variable or an element that it also reads.
static bool accumulates(const Stmt *S) {
  if (!S->E || (S->K != StmtKind::Assign && S->K != StmtKind::Store))
    return false;
  return any_of(exprs(S->E), [&](ExprAt X) {
    if (X->K == ExprKind::Load)
      return S->K == StmtKind::Store && equal(X->Acc, S->Acc);
    return X->K == ExprKind::VarRef && S->K == StmtKind::Assign && X->V == S->V;
  });
}

static void run(const Kernel &K, Context &C) {
  const KernelAnalysis &A = C.analysis();
  std::set<const Expr *> Seen;
  for (ExprAt X : exprs(K.Body)) {
    if (X->K != ExprKind::Cast || (X->C != CastOp::Convert && X->C != CastOp::Builtin) ||
        !X->Ty->isValue() || !Seen.insert(X.E).second)
      continue;
    bool Sums = accumulates(X.S);
    if (X->Implicit && !Sums)
      continue;
    std::string Loses;
    const Expr *Narrow = narrowArithmetic(A, X, Loses);
    if (!Narrow || containsWord(guessed(C).names().Types, C.text(X->Range)))
      continue;
    auto Name = [](const Type *T) {
      return name(T->Scalar).str() + (T->Lanes > 1 ? std::to_string(T->Lanes) : "");
    };
    Finding &F = C.report(Narrow->Range, "the operation is computed in " + Name(Narrow->Ty) +
                                             ", and the result converted to " + Name(X->Ty));
    F.cost("it " + Loses + "; convert the operands");
    if (!Sums || Narrow->Ty->isScalar())
      F.atMost(Narrow->Ty->isFloat() && Sums ? rules::Severity::Warning : rules::Severity::Info);
  }
}

CLMALI_KERNEL_CHECK("late-widening", run);
