// Choices and comparisons: ite, min, max, equal, less. They are built as narrow as their values
// allow.

#include "rewriters/verify/symbolic/terms/Terms.h"

#include <utility>

namespace clmali::verify::symbolic {

Term TermStore::ite(Term C, Term A, Term B) {
  unsigned W = width(A);
  if (isConst(C))
    return value(C) ? A : B;
  if (A == B)
    return A;
  if (isUndef(C))
    return undef(W);
  // A negated condition: swap the operands.
  if (Nodes[C].O == Op::Xor && isConst(operands(C)[1]))
    return ite(operands(C)[0], B, A);
  if (Nodes[A].O == Op::Ite && operands(A)[0] == C)
    return ite(C, operands(A)[1], B);
  if (Nodes[B].O == Op::Ite && operands(B)[0] == C)
    return ite(C, A, operands(B)[2]);
  if (Term Sum = choiceOfSum(C, A, B))
    return Sum;
  if (W == 1 && !isUndef(A) && !isUndef(B)) {
    if (isConst(A))
      return value(A) ? bitOr(C, B) : bitAnd(bitNot(C), B);
    if (isConst(B))
      return value(B) ? bitOr(bitNot(C), A) : bitAnd(C, A);
  }
  if (bool Signed = false; W > 1 && !isUndef(A) && !isUndef(B)) {
    unsigned Narrow = widthFor(A, B, Signed);
    if (Narrow < W) {
      Term X = trunc(A, Narrow);
      return extend(ite(C, X, trunc(B, Narrow)), W, Signed);
    }
  }
  if (Nodes[C].O == Op::Slt || Nodes[C].O == Op::Ult) {
    bool Signed = Nodes[C].O == Op::Slt;
    Term P = operands(C)[0], Q = operands(C)[1];
    if (A == P && B == Q)
      return minMax(Signed ? Op::SMin : Op::UMin, A, B);
    if (A == Q && B == P)
      return minMax(Signed ? Op::SMax : Op::UMax, A, B);
  }
  Term Ops[] = {C, A, B};
  return make(Op::Ite, W, 0, Ops);
}

Term TermStore::minMax(Op O, Term A, Term B) {
  unsigned W = width(A);
  if (isUndef(A) || isUndef(B))
    return undef(W);
  if (A == B)
    return A;
  bool HasSign = false;
  unsigned Narrow = widthFor(A, B, HasSign);
  if (!HasSign)
    O = O == Op::SMin ? Op::UMin : O == Op::SMax ? Op::UMax : O;
  const Node &X = Nodes[A], &Y = Nodes[B];
  bool Signed = O == Op::SMin || O == Op::SMax;
  bool Min = O == Op::SMin || O == Op::UMin;
  if (Signed ? X.SHi <= Y.SLo : X.UHi <= Y.ULo)
    return Min ? A : B;
  if (Signed ? Y.SHi <= X.SLo : Y.UHi <= X.ULo)
    return Min ? B : A;
  // The narrowest width that holds both gives one form. Not for an unsigned comparison of numbers
  // that may be negative: in a narrower width they are other unsigned numbers.
  if (Narrow < W && (Signed || !HasSign)) {
    Term P = trunc(A, Narrow);
    return extend(minMax(O, P, trunc(B, Narrow)), W, HasSign);
  }
  if (isConst(A) || (!isConst(B) && before(B, A)))
    std::swap(A, B);
  return binary(O, A, B, W);
}

Term TermStore::eq(Term A, Term B) {
  if (isUndef(A) || isUndef(B))
    return undef(1);
  if (A == B)
    return boolean(true);
  unsigned W = width(A);
  const Node &X = Nodes[A], &Y = Nodes[B];
  if (X.UHi < Y.ULo || Y.UHi < X.ULo || X.SHi < Y.SLo || Y.SHi < X.SLo)
    return boolean(false);
  if (isConst(A))
    std::swap(A, B);
  if (W == 1) {
    if (isConst(B))
      return value(B) ? A : bitNot(A);
    return bitNot(bitXor(A, B));
  }
  if (isConst(B)) {
    uint64_t K = value(B);
    Node N = Nodes[A];
    if (N.O == Op::ZExt || N.O == Op::SExt) {
      Term Inner = operands(A)[0];
      Term Low = constant(width(Inner), K);
      return value(extend(Low, W, N.O == Op::SExt)) == K ? eq(Inner, Low) : boolean(false);
    }
    if (N.O == Op::Sum && N.Count == 2 && isConst(operands(A)[1], 1))
      return eq(operands(A)[0], constant(W, K - N.Imm));
    if (N.O == Op::Sum && N.Count == 2 && isConst(operands(A)[1], ~0ull))
      return eq(operands(A)[0], constant(W, N.Imm - K));
    if (N.O == Op::Ite && isConst(operands(A)[1]) && isConst(operands(A)[2])) {
      Term C = operands(A)[0];
      bool Then = value(operands(A)[1]) == K, Else = value(operands(A)[2]) == K;
      return ite(C, boolean(Then), boolean(Else));
    }
  } else {
    if (X.O == Y.O && (X.O == Op::ZExt || X.O == Op::SExt) &&
        width(operands(A)[0]) == width(operands(B)[0]))
      return eq(operands(A)[0], operands(B)[0]);
    if (X.O == Op::Sum || Y.O == Op::Sum) {
      Term D = sub(A, B);
      if (isConst(D))
        return boolean(value(D) == 0);
    }
    if (before(B, A))
      std::swap(A, B);
  }
  bool Signed = false;
  if (unsigned Narrow = widthFor(A, B, Signed); Narrow < W) {
    Term P = trunc(A, Narrow);
    return eq(P, trunc(B, Narrow));
  }
  return binary(Op::Eq, A, B, 1);
}

Term TermStore::less(Op O, Term A, Term B) {
  if (isUndef(A) || isUndef(B))
    return undef(1);
  if (A == B)
    return boolean(false);
  bool HasSign = false;
  const unsigned W = width(A), Narrow = widthFor(A, B, HasSign);
  if (O == Op::Slt && !HasSign)
    O = Op::Ult;
  if (W == 1)
    return O == Op::Ult ? bitAnd(bitNot(A), B) : bitAnd(A, bitNot(B));
  const Node &X = Nodes[A], &Y = Nodes[B];
  bool Signed = O == Op::Slt;
  if (Signed ? X.SHi < Y.SLo : X.UHi < Y.ULo)
    return boolean(true);
  if (Signed ? X.SLo >= Y.SHi : X.ULo >= Y.UHi)
    return boolean(false);
  if (int64_t Difference = 0; exactDifference(A, B, Signed, Difference))
    return boolean(Difference > 0);
  for (unsigned Side : {0u, 1u}) {
    Term I = Side ? B : A, Other = Side ? A : B;
    if (Nodes[I].O != Op::Ite || !isConst(Other))
      continue;
    Term C = operands(I)[0], P = operands(I)[1], Q = operands(I)[2];
    if (!isConst(P) || !isConst(Q))
      continue;
    Term Then = Side ? less(O, Other, P) : less(O, P, Other);
    return ite(C, Then, Side ? less(O, Other, Q) : less(O, Q, Other));
  }
  if (Narrow < W && (Signed || !HasSign)) {
    Term P = trunc(A, Narrow);
    return less(O, P, trunc(B, Narrow));
  }
  return binary(O, A, B, 1);
}

} // namespace clmali::verify::symbolic
