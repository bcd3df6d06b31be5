// Products of sums, differences of sums, and terms built again with other operands.

#include "rewriters/verify/symbolic/terms/Terms.h"

#include <algorithm>

namespace clmali::verify::symbolic {

using llvm::ArrayRef;
using llvm::DenseMap;
using llvm::SmallVector;

/// Parts of the longest sum that an expanded product becomes.
static constexpr size_t MaxProductParts = 64;

Term TermStore::plainProduct(Term A, Term B) {
  if (before(B, A))
    std::swap(A, B);
  return binary(Op::Mul, A, B, width(A));
}

Term TermStore::expandedProduct(Term Sum, Term B) {
  const unsigned W = width(Sum);
  SmallVector<Term, 32> Ops(operands(Sum)); // the pool grows
  const size_t Others = Nodes[B].O == Op::Sum ? Nodes[B].Count / 2 + 1 : 1;
  if ((Ops.size() / 2 + 1) * Others > MaxProductParts)
    return 0;
  Term R = linear(B, Nodes[Sum].Imm, 0, 0, 0);
  for (size_t I = 0; I < Ops.size(); I += 2)
    R = linear(R, 1, mul(Ops[I], B), value(Ops[I + 1]), 0);
  return width(R) == W ? R : 0;
}

Term TermStore::wholePart(Term A, Term B) {
  // Both may be extended; then the quotient must not overflow, and the dividend is not negative.
  const Op Extension = Nodes[A].O;
  const bool Extended = Extension == Op::ZExt || Extension == Op::SExt;
  if (Extended && Nodes[B].O != Extension)
    return 0;
  const Term Quotient = Extended ? operands(A)[0] : A, Divisor = Extended ? operands(B)[0] : B;
  const Op O = Nodes[Quotient].O;
  if ((O != Op::UDiv && O != Op::SDiv) || operands(Quotient)[1] != Divisor)
    return 0;
  const Term Dividend = operands(Quotient)[0];
  if (Extended && (O == Op::SDiv) != (Extension == Op::SExt))
    return 0;
  if (Extended && (O == Op::UDiv || Nodes[Dividend].SLo < 0))
    return 0;
  const Term Rest = div(O == Op::UDiv ? Op::URem : Op::SRem, Dividend, Divisor);
  const unsigned W = width(A);
  return sub(extend(Dividend, W, true), extend(Rest, W, true));
}

Term TermStore::product(Term A, Term B) {
  for (auto [P, Q] : {std::pair(A, B), std::pair(B, A)})
    if (Term Whole = wholePart(P, Q))
      return Whole;
  if (Nodes[B].O == Op::Sum)
    std::swap(A, B);
  if (Nodes[A].O == Op::Sum)
    if (Term Expanded = expandedProduct(A, B))
      return Expanded;
  // The factors in one order, whatever the order in which they were multiplied.
  SmallVector<Term, 8> Factors, Stack{A, B};
  while (!Stack.empty()) {
    Term X = Stack.pop_back_val();
    if (Nodes[X].O == Op::Mul) {
      Stack.push_back(operands(X)[0]);
      Stack.push_back(operands(X)[1]);
    } else {
      Factors.push_back(X);
    }
  }
  std::sort(Factors.begin(), Factors.end(), [&](Term X, Term Y) { return X != Y && before(X, Y); });
  Term R = Factors[0];
  for (size_t I = 1; I < Factors.size(); ++I)
    R = plainProduct(R, Factors[I]);
  return R;
}

bool TermStore::exactDifference(Term A, Term B, bool Signed, int64_t &Difference) {
  if (Nodes[A].O != Op::Sum && Nodes[B].O != Op::Sum)
    return false;
  auto exact = [&](Term X) {
    const Node &N = Nodes[X];
    if (N.O != Op::Sum)
      return true;
    __int128 Low = 0, High = 0;
    return sumBounds(N, operands(X), Signed, true, Low, High) &&
           (Signed ? Low >= signedMin(N.Width) && High <= signedMax(N.Width)
                   : Low >= 0 && High <= __int128(maskOf(N.Width)));
  };
  auto constantOf = [&](Term X) {
    return Nodes[X].O == Op::Sum ? signedOf(Nodes[X].Imm, Nodes[X].Width) : 0;
  };
  auto variable = [&](Term X) {
    SumParts Parts;
    uint64_t K = 0;
    addTo(Parts, K, X, 1);
    return Parts;
  };
  if (isConst(A) || isConst(B) || variable(A) != variable(B) || !exact(A) || !exact(B))
    return false;
  return !__builtin_sub_overflow(constantOf(B), constantOf(A), &Difference);
}

Term TermStore::rebuilt(Term X, ArrayRef<Term> Ops) {
  const Node N = Nodes[X];
  switch (N.O) {
  case Op::Sum: {
    SumParts Parts;
    uint64_t K = N.Imm;
    for (size_t I = 0; I < Ops.size(); I += 2)
      addTo(Parts, K, Ops[I], value(Ops[I + 1]));
    return sumOf(N.Width, K, Parts);
  }
  case Op::Mul:
    return mul(Ops[0], Ops[1]);
  case Op::UDiv:
  case Op::SDiv:
  case Op::URem:
  case Op::SRem:
    return div(N.O, Ops[0], Ops[1]);
  case Op::And:
    return bitAnd(Ops[0], Ops[1]);
  case Op::Or:
    return bitOr(Ops[0], Ops[1]);
  case Op::Xor:
    return bitXor(Ops[0], Ops[1]);
  case Op::Shl:
  case Op::LShr:
  case Op::AShr:
    return shift(N.O, Ops[0], Ops[1]);
  case Op::Ite:
    return ite(Ops[0], Ops[1], Ops[2]);
  case Op::Eq:
    return eq(Ops[0], Ops[1]);
  case Op::Ult:
  case Op::Slt:
    return less(N.O, Ops[0], Ops[1]);
  case Op::SMin:
  case Op::SMax:
  case Op::UMin:
  case Op::UMax:
    return minMax(N.O, Ops[0], Ops[1]);
  case Op::Concat:
    return concat(Ops[0], Ops[1]);
  case Op::Extract:
    return extract(Ops[0], unsigned(N.Imm), N.Width);
  case Op::ZExt:
  case Op::SExt:
    return extend(Ops[0], N.Width, N.O == Op::SExt);
  case Op::Read:
    return read(unsigned(N.Imm), N.Width, Ops[0]);
  case Op::Call: {
    const std::string Name = FunctionNames[N.Imm];
    return Commutes[N.Imm] ? callCommutative(Name, N.Width, Ops) : call(Name, N.Width, Ops);
  }
  case Op::Const:
  case Op::Var:
  case Op::Undef:
    break;
  }
  return X;
}

Term TermStore::substitute(Term Root, const DenseMap<Term, Term> &Map) {
  DenseMap<Term, Term> Done;
  SmallVector<std::pair<Term, bool>, 32> Stack{{Root, false}};
  while (!Stack.empty()) {
    auto [X, Visited] = Stack.pop_back_val();
    if (Done.contains(X))
      continue;
    if (auto It = Map.find(X); It != Map.end()) {
      Done[X] = It->second;
      continue;
    }
    SmallVector<Term, 16> Ops(operands(X));
    if (!Visited) {
      Stack.push_back({X, true});
      for (Term Operand : Ops)
        Stack.push_back({Operand, false});
      continue;
    }
    bool Changed = false;
    for (Term &Operand : Ops) {
      Term New = Done.lookup(Operand);
      Changed |= New != Operand;
      Operand = New;
    }
    Done[X] = Changed ? rebuilt(X, Ops) : X;
  }
  return Done.lookup(Root);
}

} // namespace clmali::verify::symbolic
