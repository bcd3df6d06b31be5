//===-- rewriters/blocking/Polynomials.cpp - Addresses of the new kernel ------===//

#include "rewriters/blocking/Polynomials.h"

namespace clmali::rewrite {

using namespace model;

/// Deeper expressions become symbols.
static constexpr unsigned MaxDepth = 32;

Poly NewPolynomials::of(const Expr *E) { return of(E, 0); }

Poly NewPolynomials::address(const Access &Acc) {
  Poly P = Poly::constant(Acc.Disp);
  for (unsigned D = 0; D < Acc.Index.size(); ++D)
    P = P + of(Acc.Index[D]) * int64_t(Acc.Stride[D]);
  return P;
}

unsigned NewPolynomials::symbolOf(const Expr *E) {
  for (unsigned I = 0; I < Symbols.size(); ++I)
    if (equal(Symbols[I], E))
      return I;
  Symbols.push_back(E);
  return Symbols.size() - 1;
}

Poly NewPolynomials::of(const Expr *E, unsigned Depth) {
  if (auto C = constantValue(E))
    return Poly::constant(*C);
  if (Depth < MaxDepth)
    if (std::optional<Poly> P = arithmetic(E, Depth + 1))
      return *P;
  return Poly::symbol(symbolOf(E));
}

std::optional<Poly> NewPolynomials::arithmetic(const Expr *E, unsigned Depth) {
  if (E->K == ExprKind::VarRef) {
    const Expr *D = definition(E->V);
    return D ? std::optional(of(D, Depth)) : std::nullopt;
  }
  if (E->K == ExprKind::Cast && E->C == CastOp::Convert && E->Ty->isScalar() &&
      E->Ty->isInteger() && E->Ops[0]->Ty->isInteger() && sizeInBits(E->Ty->Scalar) >= 32)
    return of(E->Ops[0], Depth);
  if (E->K == ExprKind::Unary && E->O == Op::Neg)
    return of(E->Ops[0], Depth) * -1;
  if (E->K != ExprKind::Binary || sizeInBits(E->Ty->Scalar) < 32)
    return std::nullopt;
  switch (E->O) {
  case Op::Add:
    return of(E->Ops[0], Depth) + of(E->Ops[1], Depth);
  case Op::Sub:
    return of(E->Ops[0], Depth) - of(E->Ops[1], Depth);
  case Op::Mul:
    return of(E->Ops[0], Depth) * of(E->Ops[1], Depth);
  case Op::Shl:
    if (auto C = constantValue(E->Ops[1]); C && *C >= 0 && *C < 31)
      return of(E->Ops[0], Depth) * (int64_t(1) << *C);
    return std::nullopt;
  default:
    return std::nullopt;
  }
}

} // namespace clmali::rewrite
