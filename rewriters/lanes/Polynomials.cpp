//===-- rewriters/lanes/Polynomials.cpp - Integers as polynomials -------------===//

#include "rewriters/lanes/Polynomials.h"
#include "checks/model/ir/Constants.h"

namespace clmali::rewrite {

using namespace model;

/// Deeper expressions become symbols.
static constexpr unsigned MaxDepth = 32;

Polynomials::Polynomials(IdSpace Ids, int64_t &IdsBelow, ExactInts::DefinitionOf Given,
                         ExactInts::RangeOf Known)
    : Definition(Given ? std::move(Given) : [this](const Var *V) { return Definitions.lookup(V); }),
      Ints(Ids, Definition, std::move(Known), IdsBelow) {}

bool Polynomials::fits(const Poly &P, const Expr *E) {
  return Ints.fits(P, E->Ty->Scalar, [&](unsigned S) { return Symbols[S]; });
}

Poly Polynomials::address(const Access &Acc) {
  Poly P = Poly::constant(Acc.Disp);
  for (unsigned D = 0; D < Acc.Index.size(); ++D)
    P = P + of(Acc.Index[D], Wrap::InBounds, 0) * int64_t(Acc.Stride[D]);
  return P;
}

unsigned Polynomials::symbolOf(const Expr *E) {
  for (unsigned I = 0; I < Symbols.size(); ++I)
    if (equal(Symbols[I], E))
      return I;
  Symbols.push_back(E);
  return Symbols.size() - 1;
}

Poly Polynomials::of(const Expr *E, Wrap How, unsigned Depth) {
  if (auto C = constantValue(E))
    return Poly::constant(*C);
  if (How == Wrap::Never && E->Ty->isScalar() && E->Ty->isInteger()) {
    // Sums that wrap and are cut to a narrower type may come out right: (int)(gid(0) - 1).
    Poly P = of(E, Wrap::Modulo, Depth);
    if (fits(P, E))
      return P;
  }
  if (Depth < MaxDepth)
    if (std::optional<Poly> P = arithmetic(E, How, Depth + 1))
      return *P;
  return Poly::symbol(symbolOf(E));
}

std::optional<Poly> Polynomials::conversion(const Expr *E, Wrap How, unsigned Depth) {
  const Expr *X = E->Ops[0];
  if (E->C != CastOp::Convert || !E->Ty->isScalar() || !E->Ty->isInteger() || !X->Ty->isInteger() ||
      sizeInBits(E->Ty->Scalar) < 32)
    return std::nullopt;
  if (How == Wrap::InBounds)
    return of(X, How, Depth);
  if (How == Wrap::Never)
    return Ints.isExact(E) ? std::optional(of(X, How, Depth)) : std::nullopt;
  bool Widens = sizeInBits(E->Ty->Scalar) > sizeInBits(X->Ty->Scalar);
  return of(X, Widens ? Wrap::Never : How, Depth);
}

std::optional<Poly> Polynomials::arithmetic(const Expr *E, Wrap How, unsigned Depth) {
  // As a term of a sum or product, 4294967295u is -1.
  auto Of = [&](unsigned I) {
    auto C = How == Wrap::Never ? std::nullopt : constantValue(E->Ops[I]);
    return C ? Poly::constant(asTerm(*C, E->Ops[I]->Ty->Scalar)) : of(E->Ops[I], How, Depth);
  };
  if (E->K == ExprKind::VarRef) {
    const Expr *D = definition(E->V);
    return D && (D->Ty == E->Ty || How == Wrap::InBounds) ? std::optional(of(D, How, Depth))
                                                          : std::nullopt;
  }
  if (E->K == ExprKind::Cast)
    return conversion(E, How, Depth);
  bool IsNegation = E->K == ExprKind::Unary && E->O == Op::Neg;
  if ((!IsNegation && E->K != ExprKind::Binary) || !E->Ty->isInteger() ||
      sizeInBits(E->Ty->Scalar) < 32)
    return std::nullopt;
  bool IsSum = E->O == Op::Add || E->O == Op::Sub || E->O == Op::Mul || E->O == Op::Shl;
  if ((!IsNegation && !IsSum) || (How == Wrap::Never && !Ints.isExact(E)))
    return std::nullopt;
  if (IsNegation)
    return Of(0) * -1;
  switch (E->O) {
  case Op::Add:
    return Of(0) + Of(1);
  case Op::Sub:
    return Of(0) - Of(1);
  case Op::Mul:
    return Of(0) * Of(1);
  default:
    if (auto C = constantValue(E->Ops[1]); C && *C >= 0 && *C < 31)
      return Of(0) * (int64_t(1) << *C);
    return std::nullopt;
  }
}

} // namespace clmali::rewrite
