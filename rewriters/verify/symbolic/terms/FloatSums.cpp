// Sums in floating point with 0. X + 0 is X unless X is -0, which a sum is only if both operands
// are.

#include "rewriters/verify/symbolic/terms/Terms.h"

namespace clmali::verify::symbolic {

bool TermStore::isNeverNegativeZero(Term T) {
  auto [Known, New] = NeverNegativeZero.try_emplace(T, false);
  if (!New)
    return Known->second;
  const Node N = Nodes[T];
  bool Never = false;
  if (N.O == Op::Const) {
    Never = N.Imm != 1ull << (N.Width - 1);
  } else if (N.O == Op::Ite) {
    Never = isNeverNegativeZero(operands(T)[1]) && isNeverNegativeZero(operands(T)[2]);
  } else if (N.O == Op::Call) {
    const llvm::StringRef Name = FunctionNames[N.Imm];
    Never = Name == "i2f" || Name == "u2f" ||
            (Name == FloatSum &&
             (isNeverNegativeZero(operands(T)[0]) || isNeverNegativeZero(operands(T)[1])));
  }
  return NeverNegativeZero[T] = Never;
}

Term TermStore::choiceOfSum(Term C, Term A, Term B) {
  for (const bool Then : {true, false}) {
    const Term Sum = Then ? A : B, Other = Then ? B : A;
    if (Nodes[Sum].O != Op::Call || FunctionNames[Nodes[Sum].Imm] != FloatSum)
      continue;
    for (unsigned Side : {0u, 1u})
      if (operands(Sum)[Side] == Other && isNeverNegativeZero(Other)) {
        const Term X = operands(Sum)[!Side], Zero = constant(width(X), 0);
        return callCommutative(FloatSum, width(X),
                               {Other, Then ? ite(C, X, Zero) : ite(C, Zero, X)});
      }
  }
  return 0;
}

} // namespace clmali::verify::symbolic
