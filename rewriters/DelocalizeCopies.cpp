//===-- rewriters/DelocalizeCopies.cpp - What the copies of a tile store ----===//
//
// What it does: decides whether a store to local memory is a copy of global memory,
// and describes it by its index, its guards and the rounds of its loops:
//
//   for (int i = lid; i < 20; i += 16)     index: i, round: i
//     if (x + i < n)                       data guard: x + i < n
//       tile[i] = src[x + i];
//
// Limits: indices are polynomials of local ids, rounds and what a group shares; no
// work-item may store one element by two copies.
//
//===----------------------------------------------------------------------===//

#include "rewriters/DelocalizeImpl.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"

namespace clmali::rewrite {

using namespace model;

/// if (c) v = a; else v = b;  as the only values of v.
std::optional<Delocalizer::Choice> Delocalizer::choiceOf(const Var *V) const {
  llvm::ArrayRef<const Stmt *> D = A.defs(V);
  if (V->K != Var::Temp || D.size() != 2)
    return std::nullopt;
  Choice C;
  for (const Stmt *S : D) {
    Spot At = P.Spots.lookup(S);
    if (S->K != StmtKind::Assign || !S->LaneIdx.empty() || !At.Parent || At.Parent->K != StmtKind::If ||
        (C.If && C.If != At.Parent) || S->E->Ty != V->Ty)
      return std::nullopt;
    C.If = At.Parent;
    (At.In == &At.Parent->Body ? C.Then : C.Else) = S;
  }
  if (!C.Then || !C.Else)
    return std::nullopt;
  return C;
}

/// Is what find() found a copy: of memory that stays as it is, before a barrier that all
/// its readers stand behind, to places that can be told? Refuses, where it is not.
bool Delocalizer::copies(Tile &T) {
  for (Copy &C : T.Copies) {
    Refusal Why;
    if (!isCopy(C.S->E, T, C.S, Why)) {
      refuse(Why, T.V,
             Why == Refusal::StagingModified        ? "is changed after it was copied"
             : Why == Refusal::StagingSourceWritten ? "holds copies of memory that the kernel writes"
                                                    : "holds values that are no plain copies",
             C.S->Range);
      return false;
    }
  }
  return placed(T) && llvm::all_of(T.Copies, [&](Copy &C) { return describe(T, C); });
}

/// Is E a value of global memory, possibly converted, or a constant instead of it?
bool Delocalizer::isCopy(const Expr *E, const Tile &T, const Stmt *At, Refusal &Why, unsigned Depth) {
  bool Own = false;
  walk(E, [&](const Expr *X) { return !(Own |= X->K == ExprKind::Load && X->Acc.Base == T.V); });
  if (Own) {
    Why = Refusal::StagingModified;
    return false;
  }
  Why = Refusal::StagingNotACopy;
  if (Depth > 8)
    return false;
  switch (E->K) {
  case ExprKind::IntConst:
  case ExprKind::FloatConst:
    return true;
  case ExprKind::VarRef: {
    if (E->V->K == Var::Param)
      return A.defs(E->V).empty();
    if (auto C = choiceOf(E->V))
      return isCopy(C->Then->E, T, C->Then, Why, Depth + 1) &&
             isCopy(C->Else->E, T, C->Else, Why, Depth + 1);
    const Stmt *D = A.singleDef(E->V);
    return D && D->E && isCopy(D->E, T, D, Why, Depth + 1);
  }
  case ExprKind::Cast:
    return (E->C == CastOp::Convert || E->C == CastOp::Splat) && isCopy(E->Ops[0], T, At, Why, Depth);
  case ExprKind::Select:
    return E->Ops[0]->Ty->isScalar() && isCopy(E->Ops[1], T, At, Why, Depth) &&
           isCopy(E->Ops[2], T, At, Why, Depth);
  case ExprKind::VectorCtor:
    return llvm::all_of(E->Ops, [&](const Expr *X) { return isCopy(X, T, At, Why, Depth); });
  case ExprKind::Load: {
    AddressSpace AS = E->Acc.Base->space();
    if (E->Acc.Volatile || (AS != AddressSpace::Global && AS != AddressSpace::Constant))
      return false;
    if (!Written.contains(E->Acc.Base))
      return true;
    Why = Refusal::StagingSourceWritten;
    return false;
  }
  default:
    return false;
  }
}
/// Index, guards and loops of one copy.
bool Delocalizer::describe(Tile &T, Copy &C) {
  for (const Expr *I : C.S->Acc.Index)
    C.Index.push_back(A.poly(I, C.S));
  std::vector<const Stmt *> Outer; // loops around the block
  const Stmt *Owner = P.Spots.lookup(T.Barrier).Parent;
  for (const Stmt *X = Owner; X; X = P.Spots.lookup(X).Parent)
    if (X->K == StmtKind::Loop)
      Outer.push_back(X);
  C.Guards = P.factsAt(C.S, Owner);
  auto roundOf = [&](unsigned S, bool Outside) {
    if (S >= Undetermined)
      return false;
    const SymbolInfo &I = A.symbol(S);
    if (I.K != SymbolInfo::LoopVar && I.K != SymbolInfo::Iteration)
      return false;
    return llvm::is_contained(Outer, I.Loop) == Outside;
  };
  auto note = [&](const Poly &Q) {
    mentions(Q, [&](unsigned S) {
      if (roundOf(S, false))
        C.Rounds.insert(S);
      return false;
    });
  };
  for (const Poly &I : C.Index) {
    note(I);
    // Elements that differ from round to round keep older rounds' copies.
    bool Moves = mentions(I, [&](unsigned S) {
      if (roundOf(S, true))
        return true;
      if (A.symbol(S).K != SymbolInfo::Atom || Outer.empty())
        return false;
      // t % 2 and the like, with t of a loop around.
      bool Fixed = A.symbol(S).E != nullptr;
      walk(A.symbol(S).E, [&](const Expr *X) {
        if (X->K == ExprKind::Load || (X->K == ExprKind::VarRef && X->V->K != Var::Param))
          Fixed = false;
        return Fixed;
      });
      return !Fixed;
    });
    if (Moves) {
      refuse(Refusal::StagingModified, T.V, "is filled at other places in each round of a loop", C.S->Range);
      return false;
    }
    if (mentions(I, [&](unsigned S) {
          const SymbolInfo &Info = A.symbol(S);
          return Info.Varies.Item && !C.Rounds.contains(S) &&
                 !(Info.K == SymbolInfo::WorkItem && Info.E->Query == WorkItemQuery::LocalId);
        })) {
      refuse(Refusal::StagingNotACopy, T.V, "is filled at places that do not follow from local ids", C.S->Range);
      return false;
    }
  }
  for (const Fact &F : C.Guards) {
    bool Comparison = F.Cond->K == ExprKind::Binary && isComparison(F.Cond->O) &&
                      F.Cond->Ops[0]->Ty->isScalar() && F.Cond->Ops[0]->Ty->isInteger();
    // Over local ids, rounds and constants only: it chooses who copies.
    bool Owner = Comparison;
    if (Comparison) {
      Poly Q = A.poly(F.Cond->Ops[0], F.At) - A.poly(F.Cond->Ops[1], F.At);
      note(Q);
      Owner = !mentions(Q, [&](unsigned S) {
        const SymbolInfo &I = A.symbol(S);
        return !C.Rounds.contains(S) &&
               !(I.K == SymbolInfo::WorkItem && (I.E->Query == WorkItemQuery::LocalId ||
                                                 I.E->Query == WorkItemQuery::LocalSize));
      });
      bool Equal = (F.Cond->O == Op::EQ && F.Holds) || (F.Cond->O == Op::NE && !F.Holds);
      if (Owner && Equal)
        for (unsigned D = 0; D < 3; ++D) {
          auto It = Q.Terms.find(Monomial{P.localId(D)});
          if (It == Q.Terms.end() || (It->second != 1 && It->second != -1) || Q.degree(P.localId(D)) != 1)
            continue;
          Poly Rest = Q - Poly::symbol(P.localId(D)) * It->second;
          if (mentions(Rest, [&](unsigned S) { return C.Rounds.contains(S) || A.symbol(S).Varies.Item; }))
            continue;
          C.Pins[P.localId(D)] = Rest * -It->second;
        }
    }
    (Owner ? C.OwnerGuards : C.DataGuards).push_back(F);
    if (!Owner && !Outer.empty()) {
      // What is not copied in this round stays from an older one.
      bool Moves = false;
      walk(F.Cond, [&](const Expr *X) {
        if (X->Ty->isValue() && X->Ty->isScalar() && X->Ty->isInteger() && X->K == ExprKind::VarRef)
          Moves |= mentions(A.poly(X, F.At), [&](unsigned S) {
            return roundOf(S, true) || A.symbol(S).K == SymbolInfo::Atom;
          });
        Moves |= X->K == ExprKind::Load;
        return true;
      });
      C.MayKeepOlder |= Moves;
    }
  }
  return true;
}

/// No work-item stores one element by two of the copies: else the last one counts.
/// Gives a copy for which that is not known.
const Copy *Delocalizer::twice(const Tile &T) {
  for (size_t X = 0; X < T.Copies.size(); ++X)
    for (size_t Y = X + 1; Y < T.Copies.size(); ++Y) {
      const Copy &C = T.Copies[X], &D = T.Copies[Y];
      std::vector<Poly> Known;
      for (const Copy *Each : {&C, &D})
        for (const Fact &F : Each->OwnerGuards)
          P.nonNegative(F, Known);
      auto pinned = [&](unsigned S) {
        for (const Copy *Each : {&C, &D})
          if (auto It = Each->Pins.find(S); It != Each->Pins.end())
            return It->second;
        return Poly::symbol(S);
      };
      bool Apart = false;
      auto Ones = T.Row ? stored(T, C) : C.Index, Others = T.Row ? stored(T, D) : D.Index;
      for (size_t I = 0; Ones && Others && I < Ones->size() && I < Others->size(); ++I) {
        Poly Way = substituteAll((*Ones)[I] - (*Others)[I], pinned), One = Poly::constant(1);
        Apart |= P.prove(Way - One, Known) || P.prove(Way * -1 - One, Known);
      }
      // Ids pinned to two values: no work-item does both.
      for (const auto &[S, Value] : C.Pins)
        if (auto It = D.Pins.find(S); It != D.Pins.end())
          Apart |= (Value - It->second).isConstant() && !(Value == It->second);
      if (!Apart)
        return &D;
    }
  return nullptr;
}

/// Flat indices of two local ids: finds the length of a row, a constant or else a
/// parameter. False: there is none.
bool Delocalizer::rows(Tile &T) {
  auto isId = [&](const Copy &C, unsigned S) {
    return C.Rounds.contains(S) || S == P.localId(0) || S == P.localId(1) || S == P.localId(2);
  };
  std::optional<int64_t> Constant;
  std::optional<unsigned> Symbol;
  for (Copy &C : T.Copies) {
    if (C.Index.size() != 1)
      return false;
    unsigned Ids = 0;
    int64_t Largest = 0;
    for (const auto &[Mono, Coefficient] : C.Index[0].Terms) {
      if (!llvm::any_of(Mono, [&](unsigned S) { return isId(C, S); }))
        continue;
      if (Mono.size() == 2 && Coefficient == 1) {
        unsigned Other = isId(C, Mono[0]) ? Mono[1] : Mono[0];
        if (A.symbol(Other).K != SymbolInfo::Param || (Symbol && *Symbol != Other))
          return false;
        Symbol = Other;
      } else if (Mono.size() != 1) {
        return false;
      } else {
        ++Ids;
        Largest = std::max(Largest, std::abs(Coefficient));
      }
    }
    if (Ids >= 2 && Largest > 1)
      Constant = Constant ? std::min(*Constant, Largest) : Largest;
  }
  T.Row.reset();
  if (Constant && Symbol)
    return false;
  if (Constant)
    T.Row = Poly::constant(*Constant);
  else if (Symbol)
    T.Row = Poly::symbol(*Symbol);
  // What the copies themselves need of the local size.
  return T.Row && llvm::all_of(T.Copies, [&](const Copy &C) { return stored(T, C).has_value(); });
}

/// Where C stores, with what guards fix put in; row and column of a flat tile.
std::optional<std::vector<Poly>> Delocalizer::stored(const Tile &T, const Copy &C) {
  std::vector<Poly> Index;
  for (const Poly &I : C.Index)
    Index.push_back(substituteAll(I, [&](unsigned S) {
      auto It = C.Pins.find(S);
      return It == C.Pins.end() ? Poly::symbol(S) : It->second;
    }));
  if (!T.Row || Index.size() != 1)
    return Index;
  std::vector<Poly> Known;
  for (const Fact &F : C.Guards)
    P.nonNegative(F, Known);
  return divide(Index[0], *T.Row, Known);
}

/// tile[ly * row + lx]: no two work-items of a group may store the same element,
/// or the last one would win.
void Delocalizer::askForRows(const Copy &C) {
  if (C.Index.size() != 1)
    return;
  std::vector<std::pair<int64_t, unsigned>> Steps; // by local id
  std::optional<unsigned> Symbolic;
  for (const auto &[Mono, Coefficient] : C.Index[0].Terms)
    for (unsigned D = 0; D < 3; ++D) {
      if (!llvm::is_contained(Mono, P.localId(D)))
        continue;
      if (Mono.size() == 1)
        Steps.push_back({std::abs(Coefficient), D});
      else if (Mono.size() == 2 && Coefficient == 1)
        Symbolic = Mono[0] == P.localId(D) ? Mono[1] : Mono[0];
    }
  llvm::sort(Steps);
  for (size_t I = 0; I + 1 < Steps.size(); ++I) {
    std::optional<int64_t> &Max = P.LocalMax[Steps[I].second];
    Max = std::min(Max.value_or(INT64_MAX), std::max<int64_t>(1, Steps[I + 1].first / Steps[I].first) - 1);
  }
  static const char *const Names[] = {"lx", "ly", "lz"};
  if (!Symbolic || Steps.size() != 1 || Steps[0].first != 1)
    return;
  const SymbolInfo &S = A.symbol(*Symbolic);
  if (S.K != SymbolInfo::Param)
    return;
  std::string L = Names[Steps[0].second];
  std::string Text = "lx > 0 && " + L + " <= " + S.E->V->Name;
  if (!llvm::is_contained(When, Text))
    When.push_back(Text);
}

/// Flat = Row * [0] + [1] with [1] in a row, if that is known.
std::optional<std::vector<Poly>> Delocalizer::divide(const Poly &Flat, const Poly &Row,
                                                     llvm::ArrayRef<Poly> Known) {
  if (!Row.isConstant()) {
    unsigned S = Row.Terms.begin()->first[0];
    if (Flat.degree(S) > 1)
      return std::nullopt;
    Poly Q = Flat.coefficient(S), R = Flat - Q * Row;
    Poly Room = Row - Poly::constant(1) - R;
    if (!P.prove(R, Known))
      return std::nullopt;
    if (!P.prove(Room, Known)) {
      // Asked of the launch, with the largest local ids.
      static const char *const Sizes[] = {"lx", "ly", "lz"};
      std::string Text;
      for (const auto &[Mono, C] : R.Terms) {
        if (Mono.size() > 1)
          return std::nullopt;
        std::string Name;
        int64_t Constant = C;
        if (!Mono.empty()) {
          const SymbolInfo &I = A.symbol(Mono[0]);
          if (I.K != SymbolInfo::WorkItem ||
              (I.E->Query != WorkItemQuery::LocalId && I.E->Query != WorkItemQuery::LocalSize))
            return std::nullopt;
          Name = Sizes[I.E->Dim];
          Constant = 0;
          if (I.E->Query == WorkItemQuery::LocalId) {
            if (C < 0)
              continue;
            Constant = -C;
          }
          Text += (Text.empty() ? "" : " + ") + std::to_string(C) + " * " + Name;
        }
        if (Constant)
          Text += (Text.empty() ? "" : " + ") + ("(" + std::to_string(Constant) + ")");
      }
      Text = "lx > 0 && " + (Text.empty() ? "0" : Text) + " < " + A.symbol(S).E->V->Name;
      if (!llvm::is_contained(When, Text))
        When.push_back(Text);
    }
    return std::vector<Poly>{Q, R};
  }
  int64_t Length = Row.constantTerm();
  Poly Q, R;
  for (const auto &[Mono, C] : Flat.Terms) {
    Poly Term;
    Term.Terms[Mono] = C;
    if (!Mono.empty() && C % Length == 0) {
      Term.Terms[Mono] = C / Length;
      Q = Q + Term;
    } else if (!Mono.empty()) {
      R = R + Term;
    }
  }
  int64_t C = Flat.constantTerm(), Floor = C / Length - (C % Length < 0);
  // Of the ways to divide, the one that asks least of the local size.
  auto Saved = P.LocalMax, Loosest = Saved;
  std::optional<std::vector<Poly>> Best;
  auto asks = [&](const auto &Max) {
    int64_t Sum = 0;
    for (const std::optional<int64_t> &D : Max)
      Sum += std::min<int64_t>(D.value_or(1 << 20), 1 << 20);
    return Sum;
  };
  for (int64_t M0 : {Floor, Floor + 1, Floor - 1}) {
    Poly Rest = R + Poly::constant(C - M0 * Length);
    P.LocalMax = Saved;
    if (P.prove(Rest, Known) && P.prove(Poly::constant(Length - 1) - Rest, Known, /*Assume=*/true) &&
        (!Best || asks(P.LocalMax) > asks(Loosest))) {
      Best = std::vector<Poly>{Q + Poly::constant(M0), Rest};
      Loosest = P.LocalMax;
    }
  }
  P.LocalMax = Loosest;
  return Best;
}

} // namespace clmali::rewrite
