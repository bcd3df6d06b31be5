//===- Values.cpp - the largest and smallest values of a kernel's integers --------------------===//

#include "checks/model/analysis/Slice.h"
#include "checks/model/ir/Traversal.h"
#include "rewriters/launch/Expression.h"
#include "tools/rewrite/derive/Deriver.h"
#include "tools/rewrite/derive/Images.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <algorithm>

using namespace llvm;
using namespace clmali;
using namespace clmali::tool;
using namespace clmali::model;

std::vector<std::string> tool::names(StringRef Text) {
  Expected<launch::Expression> E = launch::Expression::parse(Text);
  if (!E) {
    consumeError(E.takeError());
    return {};
  }
  return E->names();
}

std::string tool::componentName(const Var &P, unsigned Lane) {
  constexpr StringLiteral Few = "xyzw", Many = "0123456789abcdef";
  return P.Name + "_" + (P.Ty->Lanes <= Few.size() ? Few : Many)[Lane];
}

std::string tool::argumentName(const SymbolInfo &I) {
  const Expr *E = I.E;
  if (!E || !E->Ty->isInteger())
    return "";
  if (I.K == SymbolInfo::Param && E->K == ExprKind::VarRef && E->V->K == Var::Param)
    return E->V->Name;
  if (I.K == SymbolInfo::Atom && E->K == ExprKind::Swizzle && E->LaneIdx.size() == 1 &&
      E->Ops[0]->K == ExprKind::VarRef && E->Ops[0]->V->K == Var::Param)
    return componentName(*E->Ops[0]->V, E->LaneIdx[0]);
  return "";
}

/// The largest (or smallest) value of a symbol.
std::optional<NamePoly> Deriver::symbol(unsigned S, bool Largest, unsigned Depth) {
  const SymbolInfo &I = A.symbol(S);
  switch (I.K) {
  case SymbolInfo::Param: {
    const std::string Name = argumentName(I);
    if (Name.empty())
      return std::nullopt;
    Sizes.insert(Name);
    return NamePoly{{{Name}, 1}};
  }
  case SymbolInfo::WorkItem:
    return id(I.E, Largest);
  case SymbolInfo::LoopVar: {
    std::optional<CountedLoop> L = I.Loop ? A.countedLoop(I.Loop) : std::nullopt;
    if (!L && I.E && I.E->K == ExprKind::VarRef) // for (k = 0; k < n && k < m; ++k)
      return variable(I.E->V, Largest, Depth);
    if (!L || !L->Lower || !L->Bound)
      return std::nullopt;
    bool Up = L->Step >= 0; // a grid-stride loop
    if (Largest != Up)
      return extreme(A.poly(L->Lower), Largest, Depth + 1);
    std::optional<NamePoly> Bound = extreme(A.poly(L->Bound), Largest, Depth + 1);
    if (!Bound)
      return std::nullopt;
    bool Included = L->Compare == Op::LE || L->Compare == Op::GE;
    return add(*Bound, constant(Included ? 0 : Up ? -1 : 1));
  }
  case SymbolInfo::Iteration: {
    if (!Largest)
      return NamePoly{};
    std::optional<CountedLoop> L = I.Loop ? A.countedLoop(I.Loop) : std::nullopt;
    if (!L || !L->Lower || !L->Bound)
      return std::nullopt;
    bool Up = L->Step >= 0;
    std::optional<NamePoly> Step =
        L->Step ? constant(std::abs(L->Step)) : extreme(A.poly(L->StepExpr), false, Depth + 1);
    if (!Step || Step->empty())
      return std::nullopt;
    std::optional<NamePoly> From = extreme(A.poly(L->Lower), !Up, Depth + 1),
                            To = extreme(A.poly(L->Bound), Up, Depth + 1);
    if (!From || !To)
      return std::nullopt;
    NamePoly Way = add(Up ? add(*To, *From, -1) : add(*From, *To, -1),
                       constant(L->Compare == Op::LE || L->Compare == Op::GE ? 0 : -1));
    return quotient(Way, *Step);
  }
  case SymbolInfo::Atom:
    if (const std::string Name = argumentName(I); !Name.empty()) {
      Sizes.insert(Name);
      return NamePoly{{{Name}, 1}};
    }
    // For example i % 16, or a byte used as an index: a small known range.
    if (I.R.Lo >= 0 && I.R.Hi <= 65535)
      return constant(Largest ? I.R.Hi : I.R.Lo);
    return I.E ? atom(I.E, Largest, Depth + 1) : std::nullopt;
  }
  return std::nullopt;
}

std::optional<NamePoly> Deriver::id(const Expr *E, bool Largest) {
  unsigned D = E->Dim;
  if (D >= 3 || Global[D].empty())
    return std::nullopt;
  // A counter ends one below its bound.
  bool Counts = E->Query == WorkItemQuery::GlobalId || E->Query == WorkItemQuery::LocalId ||
                E->Query == WorkItemQuery::GroupId;
  if (E->Query == WorkItemQuery::GlobalOffset || (Counts && !Largest))
    return NamePoly{};
  NamePoly Items = {{{items(D)}, 1}};
  switch (E->Query) {
  case WorkItemQuery::GlobalSize:
    return Items;
  case WorkItemQuery::LocalSize:
  case WorkItemQuery::LocalId:
    return Local[D] ? std::optional(constant(int64_t(Local[D]) - Counts)) : std::nullopt;
  case WorkItemQuery::NumGroups:
  case WorkItemQuery::GroupId:
    if (!Local[D])
      return std::nullopt;
    return add({{{"(" + items(D) + " / " + std::to_string(Local[D]) + ")"}, 1}},
               constant(-int64_t(Counts)));
  case WorkItemQuery::GlobalId: {
    // Exactly the elements that the guards allow, so that out-of-bounds accesses are found.
    std::optional<int64_t> Offset;
    for (const Bound &B : Here)
      if (B.Dim == D && B.Name == Global[D])
        Offset = std::min(Offset.value_or(-1), B.Offset);
    return Offset ? add({{{Global[D]}, 1}}, constant(*Offset)) : add(Items, constant(-1));
  }
  default:
    return std::nullopt;
  }
}

/// The largest (smallest) value of a remainder, a mask, a quotient or a shift.
std::optional<NamePoly> Deriver::binary(const Expr *E, bool Largest, unsigned Depth) {
  auto Of = [&](unsigned N, bool Most) { return extreme(E->Ops[N], Most, Depth + 1); };
  if (E->O == Op::Rem || E->O == Op::And) {
    // Only for non-negative operands.
    if (!Largest)
      return constant(0);
    std::optional<NamePoly> By = Of(1, true);
    return By && E->O == Op::Rem ? add(*By, constant(-1)) : By;
  }
  std::optional<int64_t> C = constantValue(E->Ops[1]);
  std::optional<NamePoly> X = E->O == Op::Div || E->O == Op::Shr ? Of(0, Largest) : std::nullopt;
  if (!X)
    return std::nullopt;
  if (E->O == Op::Shr && (!C || *C < 0 || *C > 30))
    return std::nullopt;
  std::optional<NamePoly> By =
      E->O == Op::Shr ? std::optional(constant(int64_t(1) << *C)) : Of(1, !Largest);
  return By && !By->empty() ? std::optional(quotient(*X, *By)) : std::nullopt;
}

static const Expr *withoutCasts(const Expr *E) {
  while (E && E->K == ExprKind::Cast)
    E = E->Ops[0];
  return E;
}

static bool isReadOf(const Expr *E, const Var *V) {
  E = withoutCasts(E);
  return E->K == ExprKind::VarRef && E->V == V;
}

/// True if S assigns a variable that it also reads and steps: s >>= 1 (down), s *= 2 (up).
Deriver::Direction Deriver::direction(const Stmt &S, unsigned Depth) {
  const Expr *D = S.K == StmtKind::Assign ? withoutCasts(S.E) : nullptr;
  if (!D || D->K != ExprKind::Binary || !isReadOf(D->Ops[0], S.V) || !S.LaneIdx.empty())
    return Direction::None;
  bool Positive = constantValue(D->Ops[1]).value_or(-1) > 0;
  if (D->O == Op::Shr || D->O == Op::Div || (D->O == Op::Sub && Positive))
    return Direction::Down;
  bool Up = D->O == Op::Shl || D->O == Op::Mul ||
            (D->O == Op::Add && extreme(D->Ops[1], false, Depth + 1) == NamePoly{}) ||
            (D->O == Op::Add && Positive);
  return Up ? Direction::Up : Direction::None;
}

/// The largest value of V that `while (V < n)` allows; nullopt if Loop has no such condition.
std::optional<NamePoly> Deriver::limitOf(const Stmt &Loop, const Var *V, unsigned Depth) {
  return Loop.K == StmtKind::Loop && Loop.E ? limitOf(Loop.E, V, Depth) : std::nullopt;
}

std::optional<NamePoly> Deriver::limitOf(const Expr *E, const Var *V, unsigned Depth) {
  if (E->K == ExprKind::Binary && E->O == Op::LogicalAnd) {
    std::optional<NamePoly> X = limitOf(E->Ops[0], V, Depth), Y = limitOf(E->Ops[1], V, Depth);
    return X ? X : Y;
  }
  if (E->K != ExprKind::Binary || !isReadOf(E->Ops[0], V) || (E->O != Op::LT && E->O != Op::LE))
    return std::nullopt;
  std::optional<NamePoly> X = extreme(E->Ops[1], true, Depth + 1);
  return X ? std::optional(add(*X, constant(E->O == Op::LT ? -1 : 0))) : std::nullopt;
}

/// The largest (smallest) value over all definitions of V.
std::optional<NamePoly> Deriver::variable(const Var *V, bool Largest, unsigned Depth) {
  std::optional<NamePoly> R, Limit;
  bool Known = V->K == Var::Temp;
  walk(K.Body, [&](Stmt *S) {
    if (Largest)
      if (std::optional<NamePoly> X = limitOf(*S, V, Depth); X && Known)
        Limit = X;
    if (Limit)
      return false;
    if (S->V != V || (S->K == StmtKind::Decl && !S->E) || !Known)
      return Known;
    Direction Goes = direction(*S, Depth);
    if (Goes == Direction::Down && !Largest) {
      R = R ? outer(*R, {}, false) : NamePoly{};
      return true;
    }
    if (Goes == Direction::Down || (Goes == Direction::Up && !Largest))
      return true;
    std::optional<NamePoly> X =
        (S->K == StmtKind::Decl || S->K == StmtKind::Assign) && S->LaneIdx.empty() && S->E
            ? extreme(S->E, Largest, Depth + 1)
            : std::nullopt;
    Known = X.has_value();
    if (Known)
      R = R ? outer(*R, *X, Largest) : *X;
    return Known;
  });
  return Limit ? Limit : Known ? R : std::nullopt;
}

/// The largest (smallest) value of a non-polynomial expression: clamp, select, division.
std::optional<NamePoly> Deriver::atom(const Expr *E, bool Largest, unsigned Depth) {
  if (Depth > 6 || !E->Ty->isScalar() || !E->Ty->isInteger())
    return std::nullopt;
  auto Of = [&](unsigned N, bool Most) { return extreme(E->Ops[N], Most, Depth + 1); };
  auto Outer = [&](std::optional<NamePoly> X,
                   std::optional<NamePoly> Y) -> std::optional<NamePoly> {
    if (!X || !Y)
      return std::nullopt;
    return outer(*X, *Y, Largest);
  };
  // Use the bound of one operand if it holds for the whole expression.
  auto Inner = [&](std::optional<NamePoly> X,
                   std::optional<NamePoly> Y) -> std::optional<NamePoly> {
    if (!X || !Y)
      return X ? X : Y;
    return outer(*X, *Y, !Largest);
  };
  switch (E->K) {
  case ExprKind::Cast:
    return E->C == CastOp::Convert && E->Ops[0]->Ty->isInteger() ? Of(0, Largest) : std::nullopt;
  case ExprKind::Select:
    return Outer(Of(1, Largest), Of(2, Largest));
  case ExprKind::Call: {
    if (E->Name == "min" || E->Name == "max")
      return (E->Name == "min") == Largest ? Inner(Of(0, Largest), Of(1, Largest))
                                           : Outer(Of(0, Largest), Of(1, Largest));
    return E->Name == "clamp" ? Of(Largest ? 2 : 1, Largest) : std::nullopt;
  }
  case ExprKind::Binary:
    return binary(E, Largest, Depth);
  case ExprKind::VarRef:
    return variable(E->V, Largest, Depth);
  case ExprKind::Load: {
    const Var *B = E->Acc.Base;
    if (!B->isPointerParam())
      return std::nullopt;
    unsigned &Most = Indices.try_emplace(B, 63).first->second;
    return constant(Largest ? Most : 0);
  }
  default:
    return std::nullopt;
  }
}

std::optional<NamePoly> Deriver::extreme(const Expr *E, bool Largest, unsigned Depth) {
  Poly P = A.poly(E);
  // The same expression again: not a polynomial.
  if (P.Terms.size() == 1 && P.Terms.begin()->first.size() == 1 && P.Terms.begin()->second == 1)
    if (const SymbolInfo &I = A.symbol(P.Terms.begin()->first[0]);
        I.K == SymbolInfo::Atom && I.E == E)
      return I.R.Lo >= 0 && I.R.Hi <= 65535 ? constant(Largest ? I.R.Hi : I.R.Lo)
                                            : atom(E, Largest, Depth);
  return extreme(P, Largest, Depth + 1);
}

std::optional<NamePoly> Deriver::extreme(const Poly &P, bool Largest, unsigned Depth) {
  if (Depth > 8)
    return std::nullopt;
  NamePoly R;
  for (const auto &[Mono, C] : P.Terms) {
    NamePoly Term = constant(C);
    for (unsigned S : Mono) {
      std::optional<NamePoly> Value = symbol(S, (C > 0) == Largest, Depth);
      if (!Value)
        return std::nullopt;
      Term = multiply(Term, *Value);
    }
    R = add(std::move(R), Term);
  }
  return R;
}

/// The bound that is never above the other; X if neither is known to be.
static std::optional<NamePoly> lesser(std::optional<NamePoly> X, std::optional<NamePoly> Y) {
  return !X || (Y && isCount(add(*X, *Y, -1))) ? Y : X;
}

/// The largest value of P. A guard may bound a sum of which no single term has a bound: from
/// lid + stride < size follows base + lid + stride <= base + size - 1. As few guards as possible.
std::optional<NamePoly> Deriver::largestUnder(const Poly &P, ArrayRef<Poly> AtLeastZero) {
  constexpr unsigned MostGuards = 3; // one for each dimension
  std::optional<NamePoly> Most;
  for (unsigned Guards = 0; Guards <= MostGuards && !Most; ++Guards)
    Most = largestUnder(P, AtLeastZero, Guards);
  // The range of a type bounds what a guard bounds better.
  return Most ? lesser(Most, largestUnder(P, AtLeastZero, 1)) : Most;
}

std::optional<NamePoly> Deriver::largestUnder(const Poly &P, ArrayRef<Poly> AtLeastZero,
                                              unsigned Guards) {
  if (!Guards)
    return extreme(P, /*Largest=*/true);
  std::optional<NamePoly> Most;
  for (const Poly &D : AtLeastZero)
    for (const auto &[Less, By] : D.Terms)
      for (const auto &[Mono, C] : P.Terms) {
        // P = c * times * less + ..: adding c * times * D replaces what is less.
        if (By >= 0 || Less.empty() || C <= 0 || C % By ||
            !std::includes(Mono.begin(), Mono.end(), Less.begin(), Less.end()))
          continue;
        Monomial Times;
        std::set_difference(Mono.begin(), Mono.end(), Less.begin(), Less.end(),
                            std::back_inserter(Times));
        Poly Factor;
        Factor.Terms[Times] = -(C / By);
        Most = lesser(std::move(Most), largestUnder(P + D * Factor, AtLeastZero, Guards - 1));
      }
  return Most;
}
