//===-- rewriters/blocking/Assume.cpp - What a block takes for granted --------===//
//
// Conditions that hold for all lanes and rows of a block but at the border are taken
// for granted, and asked once for the whole block; where they fail, the scalar form runs:
//
//   x == 0 ? 0 : x - 1     ->  x - 1, and the block's first lane is not at x == 0
//
// Limits: comparisons that are linear in the lanes, or that all lanes answer alike.
//
//===----------------------------------------------------------------------===//

#include "rewriters/blocking/ItemBlocker.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/ADT/StringSwitch.h"

namespace clmali::rewrite {

/// C, a comparison of signed integers by order, says that this is positive.
std::optional<Poly> ItemBlocker::slack(const Expr *C) {
  if (C->K != ExprKind::Binary || !isComparison(C->O) || C->O == Op::EQ || C->O == Op::NE ||
      !C->Ops[0]->Ty->isScalar() || !C->Ops[0]->Ty->isInteger() || !isSigned(C->Ops[0]->Ty->Scalar))
    return std::nullopt;
  bool Less = C->O == Op::LT || C->O == Op::LE;
  Poly P = Less ? polyOf(C->Ops[1]) - polyOf(C->Ops[0]) : polyOf(C->Ops[0]) - polyOf(C->Ops[1]);
  return C->O == Op::LE || C->O == Op::GE ? P + Poly::constant(1) : P;
}

/// Is P certainly positive (Sign 1), or certainly not (-1)? Ids are not negative, and
/// those that are kept in signed variables fit them (IdsBelow2G).
bool ItemBlocker::certain(const Poly &P, int Sign) {
  if (P.constantTerm() * Sign < (Sign > 0 ? 1 : 0))
    return false;
  bool Ids = false;
  for (const auto &[Mono, Factor] : P.Terms) {
    for (unsigned Sym : Mono)
      if (PolySymbols[Sym]->K != ExprKind::WorkItem)
        return false;
    if (!Mono.empty() && Factor * Sign < 0)
      return false;
    Ids |= !Mono.empty();
  }
  Out.Needs.IdsBelow2G |= Ids;
  return true;
}

/// How many blocks touch the border along each dimension, whatever the size: those for
/// which a bound fails at an index space that is made of whole blocks.
void ItemBlocker::countBorder() {
  std::array<int64_t, 3> First = {0, 0, 0}, Last = {0, 0, 0};
  for (const Expr *C : Assumptions) {
    std::optional<Poly> P = slack(C);
    if (!P)
      continue;
    std::optional<unsigned> Dim;
    int64_t Step = 0, Rest = P->constantTerm();
    for (const auto &[Mono, Factor] : P->Terms) {
      if (Mono.empty())
        continue;
      const Expr *S = Mono.size() == 1 ? PolySymbols[Mono[0]] : nullptr;
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
  for (unsigned D = 0; D < 3; ++D)
    Out.Border[D] = unsigned(std::min<int64_t>(First[D] + Last[D], 1 << 20));
}

/// Adds C to what the fast path needs: of bounds that differ by a constant the
/// narrower one, and of alternatives those that can be.
void ItemBlocker::assume(const Expr *C) {
  C = simplify(M, C);
  if (C->K == ExprKind::Binary && C->O == Op::LogicalAnd) {
    assume(C->Ops[0]);
    assume(C->Ops[1]);
    return;
  }
  if (auto V = constantValue(C); V && *V)
    return;
  auto Excluded = [&](const Expr *X) {
    std::optional<Poly> P = slack(X);
    return P && (certain(*P, -1) || llvm::any_of(Assumptions, [&](const Expr *Known) {
                   std::optional<Poly> K = slack(Known);
                   Poly Sum = K ? *K + *P : Poly::constant(2);
                   return Sum.isConstant() && Sum.constantTerm() <= 1;
                 }));
  };
  while (C->K == ExprKind::Binary && C->O == Op::LogicalOr &&
         (Excluded(C->Ops[0]) || Excluded(C->Ops[1])))
    C = Excluded(C->Ops[0]) ? C->Ops[1] : C->Ops[0];
  std::optional<Poly> New = slack(C);
  if (New && certain(*New, 1))
    return;
  for (const Expr *&X : Assumptions) {
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
  Assumptions.push_back(C);
}

/// The value of E, an operation of coordinateOp, under an assumption for every
/// row and lane, which is recorded.
LaneVal ItemBlocker::evalAssumed(const Expr *E, unsigned Winner, unsigned Row) {
  auto Compare = [&](Op O, const Expr *X, const Expr *Y) {
    const Expr *C = allAgree(M.binary(O, X, Y), true);
    if (C)
      assume(C);
    else
      refuse(Refusal::OpaqueConstruct, "vectorize", "coordinate arithmetic", E->Range);
  };
  if (AssumedOps.insert({E, Around.empty() ? nullptr : Around.back()}).second) {
    // Once, and also for the rows that are not being written just now.
    llvm::SmallVector<unsigned, 16> Now = llvm::to_vector<16>(llvm::seq(0u, R));
    std::swap(Now, ActiveRows);
    if (E->K == ExprKind::Select) {
      if (const Expr *C = allAgree(E->Ops[0], Winner == 1))
        assume(C);
      else
        refuse(Refusal::OpaqueConstruct, "vectorize", "coordinate arithmetic", E->Range);
    } else if (E->K == ExprKind::Call && E->Name == "abs") {
      Compare(Op::GE, E->Ops[0], M.intConst(0, E->Ops[0]->Ty));
    } else if (E->K == ExprKind::Call && E->Name == "clamp") {
      Compare(Op::GE, E->Ops[0], E->Ops[1]);
      Compare(Op::LE, E->Ops[0], E->Ops[2]);
    } else if (E->K == ExprKind::Call) {
      Compare(E->Name == "max" ? Op::GE : Op::LE, E->Ops[Winner], E->Ops[1 - Winner]);
    } else {
      // i0 % w + (N - 1) * stride < w, and nothing negative.
      const Type *Ty = E->Ty;
      bool Was = AtEntry;
      AtEntry = true;
      LaneVal I = eval(atEntry(E->Ops[0]), 0), W = eval(atEntry(E->Ops[1]), 0);
      AtEntry = Was;
      if (isSigned(Ty->Scalar)) {
        assume(M.binary(Op::GE, I.E, M.intConst(0, Ty)));
        if (!constantValue(W.E))
          assume(M.binary(Op::GT, W.E, M.intConst(0, Ty)));
      } else if (!constantValue(W.E)) {
        assume(M.binary(Op::NE, W.E, M.intConst(0, Ty)));
      }
      const Expr *Rem = M.binary(Op::Rem, I.E, W.E);
      assume(
          M.binary(Op::LT, M.binary(Op::Add, Rem, M.intConst(int64_t(N - 1) * I.Stride, Ty)), W.E));
    }
    std::swap(Now, ActiveRows);
  }
  LaneVal V = eval(E->Ops[Winner], Row);
  if (E->Ops[Winner]->Ty != E->Ty) // abs is unsigned
    V.E = simplify(M, M.cast(V.E, E->Ty));
  if (E->K == ExprKind::Call || E->K == ExprKind::Select)
    return V;
  LaneVal W = eval(E->Ops[1], Row);
  const Expr *Base = simplify(M, M.binary(E->O, V.E, W.E));
  if (E->O == Op::Div)
    return {LaneVal::Uniform, Base};
  return {LaneVal::Linear, Base, V.Stride};
}

/// The largest value of X, made of ids below 2^31 (which IdsBelow2G then asks of
/// the launch) by additions and multiplications; nullopt: not so, or it may be
/// larger than the type holds. size_t may have 32 bits.
static std::optional<uint64_t> countsUpTo(const Expr *X, const BlockShape &S) {
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
               ? countsUpTo(X->Ops[0], S)
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
    auto A = countsUpTo(X->Ops[0], S), B = countsUpTo(X->Ops[1], S);
    if (!A || !B)
      return std::nullopt;
    return Below(X->O == Op::Add ? *A + *B : *A * *B);
  }
  default:
    return std::nullopt;
  }
}

/// Can X + the last lane's distance not wrap?
bool ItemBlocker::countsUp(const Expr *X) {
  while (X->K == ExprKind::VarRef) {
    auto It = NewDefs.find(X->V);
    if (It == NewDefs.end())
      return false;
    X = It->second;
  }
  if (!countsUpTo(X, S))
    return false;
  // An id alone, or that of the block's first item, is what the launch has.
  while (X->K == ExprKind::Cast)
    X = X->Ops[0];
  if (X->K == ExprKind::Binary && X->O == Op::Mul && X->Ops[0]->K == ExprKind::WorkItem &&
      constantValue(X->Ops[1]) == std::optional<int64_t>(S.factor(X->Ops[0]->Dim)))
    X = X->Ops[0];
  Out.Needs.IdsBelow2G |= X->K != ExprKind::WorkItem;
  return true;
}

/// A scalar condition, computed at entry, that is true only if Cond is Holds
/// for every item of the block. Null: cannot be said.
const Expr *ItemBlocker::allAgree(const Expr *Cond, bool Holds) {
  if (Cond->K == ExprKind::Cast && Cond->Implicit)
    return allAgree(Cond->Ops[0], Holds);
  if (Cond->K == ExprKind::Unary && Cond->O == Op::LogicalNot)
    return allAgree(Cond->Ops[0], !Holds);
  bool Was = AtEntry;
  AtEntry = !AgreeHere;
  auto Restore = llvm::make_scope_exit([&] { AtEntry = Was; });
  auto Entry = [&](const Expr *X) { return AgreeHere ? X : atEntry(X); };
  VShape Sh = shape(Cond);
  bool Compound =
      Cond->K == ExprKind::Binary &&
      (Cond->O == Op::LogicalAnd || Cond->O == Op::LogicalOr ||
       (isComparison(Cond->O) && Cond->Ops[0]->Ty->isScalar() && Cond->Ops[0]->Ty->isInteger()));
  if (Sh.K == VShape::Uniform && !Sh.Rows && (Holds || !Compound))
    if (const Expr *C = Entry(Cond)) {
      const Expr *V = eval(C, 0).E;
      return Holds ? V : simplify(M, M.unary(Op::LogicalNot, V));
    }
  if (Cond->K == ExprKind::VarRef && !AgreeHere) {
    const Stmt *D = A.singleDef(Cond->V);
    return D && D->E && D->LaneIdx.empty() ? allAgree(D->E, Holds) : nullptr;
  }
  // Lanes of vectors are asked one by one.
  auto Each = [&]() -> const Expr * {
    if (!AgreeHere || N == 1 || ActiveRows.size() > 1 || !speculable(Cond))
      return nullptr;
    const Expr *Mask = condition(Cond, ActiveRows[0], M.value(ScalarKind::Int));
    return M.call("all", M.value(ScalarKind::Int), {Holds ? Mask : M.unary(Op::BitNot, Mask)});
  };
  // l < 4 ? x >= 4 : x - 4 < w: whichever is asked.
  if (Cond->K == ExprKind::Select && Cond->Ty->isScalar()) {
    const Expr *X = allAgree(Cond->Ops[1], Holds), *Y = allAgree(Cond->Ops[2], Holds);
    return X && Y ? M.binary(Op::LogicalAnd, X, Y) : nullptr;
  }
  if (Cond->K != ExprKind::Binary)
    return nullptr;
  Op O = Cond->O;
  if (O == Op::LogicalAnd || O == Op::LogicalOr || O == Op::And || O == Op::Or) {
    const Expr *X = allAgree(Cond->Ops[0], Holds), *Y = allAgree(Cond->Ops[1], Holds);
    if (!X || !Y)
      return nullptr;
    bool IsAnd = O == Op::LogicalAnd || O == Op::And;
    return M.binary(IsAnd == Holds ? Op::LogicalAnd : Op::LogicalOr, X, Y);
  }
  if (!isComparison(O) || !Cond->Ops[0]->Ty->isInteger())
    return nullptr;
  if (!Holds)
    O = inverse(O);
  const Expr *X = Entry(Cond->Ops[0]), *Y = Entry(Cond->Ops[1]);
  if ((!X || !Y) && O != Op::NE) {
    // In every round of a loop.
    llvm::SmallVector<const Expr *, 2> Tests;
    if (AgreeHere || !atLoopEnds(M.binary(O, Cond->Ops[0], Cond->Ops[1]), Tests))
      return nullptr;
    const Expr *Every = nullptr;
    for (const Expr *T : Tests) {
      const Expr *C = allAgree(T, true);
      if (!C)
        return nullptr;
      Every = Every ? M.binary(Op::LogicalAnd, Every, C) : C;
    }
    return Every;
  }
  if (O == Op::NE && Sh.K == VShape::Uniform && !Sh.Rows && X && Y)
    return simplify(M, M.binary(O, eval(X, 0).E, eval(Y, 0).E));
  if (O == Op::NE) {
    // All below or all above.
    const Expr *Below = allAgree(M.binary(Op::LT, Cond->Ops[0], Cond->Ops[1]), true);
    const Expr *Above = allAgree(M.binary(Op::GT, Cond->Ops[0], Cond->Ops[1]), true);
    return Below && Above ? M.binary(Op::LogicalOr, Below, Above) : nullptr;
  }
  const Type *Ty = Cond->Ops[0]->Ty;
  struct Side {
    const Expr *L, *R;
  };
  std::vector<Side> Sides;
  std::vector<const Expr *> Extra;
  for (unsigned Row : ActiveRows) {
    LaneVal VX = eval(X, Row), VY = eval(Y, Row);
    if (VX.K >= LaneVal::Vector || VY.K >= LaneVal::Vector)
      return Each();
    int64_t Delta = VX.Stride - VY.Stride;
    if (O == Op::EQ && Delta)
      return nullptr;
    bool Less = O == Op::LT || O == Op::LE;
    unsigned Lane = (Delta > 0) == Less && Delta ? N - 1 : 0;
    Sides.push_back({scalarOf(VX, Lane, Ty), scalarOf(VY, Lane, Ty)});
    if (!isSigned(Ty->Scalar))
      for (const LaneVal &V : {VX, VY})
        if (V.K == LaneVal::Linear && !(V.Stride > 0 && countsUp(V.E))) {
          const Expr *First = scalarOf(V, 0, Ty), *Last = scalarOf(V, N - 1, Ty);
          Extra.push_back(M.binary(V.Stride > 0 ? Op::LE : Op::GE, First, Last));
        }
  }
  // Rows that differ by a constant: one of them implies the others.
  std::vector<Side> Kept;
  for (const Side &Sd : Sides) {
    bool Implied = false;
    for (Side &Kp : Kept) {
      Poly D = (polyOf(Sd.L) - polyOf(Sd.R)) - (polyOf(Kp.L) - polyOf(Kp.R));
      if (!D.isConstant() || (!isSigned(Ty->Scalar) && D.constantTerm() != 0))
        continue;
      bool Less = O == Op::LT || O == Op::LE;
      int64_t C = D.constantTerm();
      if (C == 0 || (O != Op::EQ && (C < 0) == Less)) {
        Implied = true;
        break;
      }
      if (O != Op::EQ) {
        Kp = Sd;
        Implied = true;
        break;
      }
    }
    if (!Implied)
      Kept.push_back(Sd);
  }
  const Expr *All = nullptr;
  auto And = [&](const Expr *C) {
    if (auto V = constantValue(C); V && *V)
      return;
    All = All ? M.binary(Op::LogicalAnd, All, C) : C;
  };
  for (const Side &Sd : Kept)
    And(simplify(M, M.binary(O, Sd.L, Sd.R)));
  for (const Expr *C : Extra)
    And(C);
  return All ? All : M.intConst(1);
}

} // namespace clmali::rewrite
