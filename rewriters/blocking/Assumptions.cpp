//===-- rewriters/blocking/Assumptions.cpp - Conditions of the fast path ------===//

#include "rewriters/blocking/Assumptions.h"
#include "checks/model/ir/Simplify.h"

namespace clmali::rewrite {

using namespace model;

/// The polynomial that is positive exactly where C, an ordering of signed integers, holds.
std::optional<Poly> Assumptions::slack(const Expr *C) const {
  if (C->K != ExprKind::Binary || !isComparison(C->O) || C->O == Op::EQ || C->O == Op::NE ||
      !C->Ops[0]->Ty->isScalar() || !C->Ops[0]->Ty->isInteger() || !isSigned(C->Ops[0]->Ty->Scalar))
    return std::nullopt;
  bool Less = C->O == Op::LT || C->O == Op::LE;
  Poly P =
      Less ? Polys.of(C->Ops[1]) - Polys.of(C->Ops[0]) : Polys.of(C->Ops[0]) - Polys.of(C->Ops[1]);
  return C->O == Op::LE || C->O == Op::GE ? P + Poly::constant(1) : P;
}

/// True if P is certainly positive (Sign 1), or certainly not (-1). Ids are not negative, and
/// those in signed variables fit them (IdsBelow2G).
bool Assumptions::certain(const Poly &P, int Sign) {
  if (P.constantTerm() * Sign < (Sign > 0 ? 1 : 0))
    return false;
  bool Ids = false;
  for (const auto &[Mono, Factor] : P.Terms) {
    for (unsigned Sym : Mono)
      if (Polys.symbol(Sym)->K != ExprKind::WorkItem)
        return false;
    if (!Mono.empty() && Factor * Sign < 0)
      return false;
    Ids |= !Mono.empty();
  }
  Needs.IdsBelow2G |= Ids;
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

/// Adds C: of bounds that differ by a constant the narrower one is kept, and of alternatives those
/// that are possible.
void Assumptions::add(const Expr *C) {
  C = simplify(M, C);
  if (C->K == ExprKind::Binary && C->O == Op::LogicalAnd) {
    add(C->Ops[0]);
    add(C->Ops[1]);
    return;
  }
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

//===----------------------------------------------------------------------===//
// Unsigned ids
//===----------------------------------------------------------------------===//

/// An upper bound of X, made of ids below 2^31 (which IdsBelow2G demands of the launch) by
/// additions and multiplications. Nothing: X is not of that form, or may be larger than its type
/// holds. size_t may have 32 bits.
static std::optional<uint64_t> upperBound(const Expr *X, const BlockShape &S) {
  constexpr uint64_t Ids = INT32_MAX, Most = UINT32_MAX;
  auto Below = [](uint64_t V) { return V <= Most ? std::optional<uint64_t>(V) : std::nullopt; };
  switch (X->K) {
  case ExprKind::WorkItem:
    return Ids;
  case ExprKind::IntConst:
    return X->Int >= 0 ? Below(X->Int) : std::nullopt;
  case ExprKind::Cast:
    // A narrower type than 32 bits may cut; those are no lanes anyhow.
    return X->C == CastOp::Convert && X->Ty->isInteger() && sizeInBits(X->Ty->Scalar) >= 32
               ? upperBound(X->Ops[0], S)
               : std::nullopt;
  case ExprKind::Binary: {
    if (X->O != Op::Add && X->O != Op::Mul)
      return std::nullopt;
    auto Query = [](const Expr *E) {
      while (E->K == ExprKind::Cast && E->C == CastOp::Convert)
        E = E->Ops[0];
      return E->K == ExprKind::WorkItem ? E : nullptr;
    };
    const Expr *QX = Query(X->Ops[0]), *QY = Query(X->Ops[1]);
    // The first global id of a group, and that of a block, are ids too.
    if (X->O == Op::Mul && QX && QY && QX->Dim == QY->Dim &&
        ((QX->Query == WorkItemQuery::GroupId && QY->Query == WorkItemQuery::LocalSize) ||
         (QX->Query == WorkItemQuery::LocalSize && QY->Query == WorkItemQuery::GroupId)))
      return Ids;
    if (X->O == Op::Mul && QX &&
        constantValue(X->Ops[1]) == std::optional<int64_t>(S.factor(QX->Dim)))
      return Ids;
    auto A = upperBound(X->Ops[0], S), B = upperBound(X->Ops[1], S);
    if (!A || !B)
      return std::nullopt;
    return Below(X->O == Op::Add ? *A + *B : *A * *B);
  }
  default:
    return std::nullopt;
  }
}

bool Assumptions::cannotWrap(const Expr *X) {
  while (X->K == ExprKind::VarRef) {
    X = Polys.definition(X->V);
    if (!X)
      return false;
  }
  if (!upperBound(X, S))
    return false;
  // An id alone, or that of the block's first item, is what the launch has.
  while (X->K == ExprKind::Cast)
    X = X->Ops[0];
  if (X->K == ExprKind::Binary && X->O == Op::Mul && X->Ops[0]->K == ExprKind::WorkItem &&
      constantValue(X->Ops[1]) == std::optional<int64_t>(S.factor(X->Ops[0]->Dim)))
    X = X->Ops[0];
  Needs.IdsBelow2G |= X->K != ExprKind::WorkItem;
  return true;
}

} // namespace clmali::rewrite
