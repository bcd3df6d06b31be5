//===-- rewriters/blocking/analysis/Assumptions.cpp - Conditions of the fast path ------===//

#include "rewriters/blocking/analysis/Assumptions.h"
#include "checks/model/ir/Range.h"
#include "checks/model/ir/Simplify.h"

namespace clmali::rewrite {

using namespace model;

/// The polynomial that is positive exactly where C, an ordering of signed integers, holds.
std::optional<Poly> Assumptions::slack(const Expr *C) const {
  if (C->K != ExprKind::Binary || !isComparison(C->O) || C->O == Op::EQ || C->O == Op::NE ||
      !C->Ops[0]->Ty->isScalar() || !C->Ops[0]->Ty->isInteger() || !isSigned(C->Ops[0]->Ty->Scalar))
    return std::nullopt;
  bool Less = C->O == Op::LT || C->O == Op::LE;
  Poly X = Polys.exact(C->Ops[0]), Y = Polys.exact(C->Ops[1]), P = Less ? Y - X : X - Y;
  return C->O == Op::LE || C->O == Op::GE ? P + Poly::constant(1) : P;
}

/// True if P is certainly positive (Sign 1), or certainly not (-1). Ids are not negative.
bool Assumptions::certain(const Poly &P, int Sign) const {
  if (P.constantTerm() * Sign < (Sign > 0 ? 1 : 0))
    return false;
  for (const auto &[Mono, Factor] : P.Terms) {
    for (unsigned Sym : Mono)
      if (Polys.symbol(Sym)->K != ExprKind::WorkItem)
        return false;
    if (!Mono.empty() && Factor * Sign < 0)
      return false;
  }
  return true;
}

std::array<unsigned, 3> Assumptions::border() const {
  constexpr int64_t Most = 1 << 20;
  std::array<int64_t, 3> First = {0, 0, 0}, Last = {0, 0, 0};
  for (const Expr *C : Conditions) {
    std::optional<Poly> P = slack(C);
    if (!P)
      continue;
    std::optional<unsigned> Dim;
    int64_t Step = 0, Rest = P->constantTerm();
    for (const auto &[Mono, Factor] : P->Terms) {
      if (Mono.empty())
        continue;
      const Expr *S = Mono.size() == 1 ? Polys.symbol(Mono[0]) : nullptr;
      if (S && S->K == ExprKind::WorkItem &&
          (S->Query == WorkItemQuery::GlobalId || S->Query == WorkItemQuery::LocalId)) {
        Dim = S->Dim;
        Step = Factor;
      } else if (S && S->K != ExprKind::WorkItem && Factor < 0) {
        Rest += Factor; // a radius: at least 1
      }
    }
    if (!Dim || !Step)
      continue;
    // Step * id + Rest > 0, and size - |Step| * id + Rest > 0.
    int64_t &Blocks = Step > 0 ? First[*Dim] : Last[*Dim];
    if (Rest <= 0)
      Blocks = std::max(Blocks, Step > 0 ? -Rest / Step + 1 : Rest / Step);
  }
  std::array<unsigned, 3> Border;
  for (unsigned D = 0; D < 3; ++D)
    Border[D] = unsigned(std::min<int64_t>(First[D] + Last[D], Most));
  return Border;
}

/// x < k - c for C, x + c < k, an ordering of signed integers with constants: it needs no other
/// condition that says where x + c is an integer of its type. A constant, where all integers of
/// that type or none are below k - c. Null: C has no such sum.
const Expr *Assumptions::withoutSum(const Expr *C) const {
  if (!slack(C))
    return nullptr;
  const Range Values = rangeOf(C->Ops[0]->Ty->Scalar);
  for (unsigned I : {0u, 1u}) {
    const Expr *Sum = C->Ops[I];
    auto K = constantValue(C->Ops[1 - I]);
    auto By = Sum->K == ExprKind::Binary && (Sum->O == Op::Add || Sum->O == Op::Sub)
                  ? constantValue(Sum->Ops[1])
                  : std::nullopt;
    if (!K || !By)
      continue;
    const __int128 Moved = Sum->O == Op::Add ? __int128(*K) - *By : __int128(*K) + *By;
    if (Moved < Values.Lo || Moved > Values.Hi) {
      const bool Less = (C->O == Op::LT || C->O == Op::LE) == (I == 0);
      return M.intConst(Less == (Moved > Values.Hi), C->Ty);
    }
    const Expr *Other = M.intConst(int64_t(Moved), C->Ops[1 - I]->Ty);
    return I ? M.binary(C->O, Other, Sum->Ops[0]) : M.binary(C->O, Sum->Ops[0], Other);
  }
  return nullptr;
}

/// Adds C: of bounds that differ by a constant the narrower one is kept, and of alternatives those
/// that are possible.
void Assumptions::add(const Expr *C) {
  C = simplify(M, C);
  if (C->K == ExprKind::Binary && C->O == Op::LogicalAnd) {
    add(C->Ops[0]);
    add(C->Ops[1]);
    return;
  }
  while (const Expr *Moved = withoutSum(C))
    C = Moved;
  if (auto V = constantValue(C); V && *V)
    return;
  auto Excluded = [&](const Expr *X) {
    std::optional<Poly> P = slack(X);
    return P && (isNotPositive(*P) || llvm::any_of(Conditions, [&](const Expr *Known) {
                   std::optional<Poly> K = slack(Known);
                   Poly Sum = K ? *K + *P : Poly::constant(2);
                   return Sum.isConstant() && Sum.constantTerm() <= 1;
                 }));
  };
  while (C->K == ExprKind::Binary && C->O == Op::LogicalOr &&
         (Excluded(C->Ops[0]) || Excluded(C->Ops[1])))
    C = Excluded(C->Ops[0]) ? C->Ops[1] : C->Ops[0];
  std::optional<Poly> New = slack(C);
  if (New && isPositive(*New))
    return;
  for (const Expr *&X : Conditions) {
    if (equal(X, C))
      return;
    std::optional<Poly> Old =
        New && X->K == ExprKind::Binary && X->Ops[0]->Ty == C->Ops[0]->Ty ? slack(X) : std::nullopt;
    if (!Old)
      continue;
    Poly D = *New - *Old;
    if (!D.isConstant())
      continue;
    if (D.constantTerm() < 0)
      X = C;
    return;
  }
  Conditions.push_back(C);
}

const Expr *Assumptions::conjunction() const {
  const Expr *All = nullptr;
  for (const Expr *C : Conditions)
    All = All ? M.binary(Op::LogicalAnd, All, C) : C;
  return All;
}

} // namespace clmali::rewrite
