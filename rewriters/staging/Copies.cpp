//===-- rewriters/staging/Copies.cpp - What the copies of a tile store ----===//
//
// What it does: decides whether a store to local memory is a copy of global memory, and describes
// it by its index, its guards and the iterations of its loops:
//
//   for (int i = lid; i < 20; i += 16)     index: i, iteration: i
//     if (x + i < n)                       data guard: x + i < n
//       tile[i] = src[x + i];
//
// Row and column of a flat index, k / 18 and k % 18, are separate ids (Part): k is 18 times the one
// plus the other, and the local id in k follows from it.
//
// Limits: indices are polynomials of local ids, iterations, quotients and remainders of them by
// constants, and what is uniform in a group; two copies of a work-item to one element must store
// the same.
//
//===----------------------------------------------------------------------===//

#include "checks/model/ir/Traversal.h"
#include "rewriters/staging/Delocalizer.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"

namespace clmali::rewrite {

using namespace model;

/// True if the stores that find() found are copies: of memory that does not change, to indices that
/// are known, before a barrier that all readers follow. Else refuses.
bool Delocalizer::copies(Tile &T) {
  for (Copy &C : T.Copies) {
    Refusal Why;
    if (!isCopy(C.S->E, T, C.S, Why)) {
      if (std::optional<std::string> Exchanged = exchange(T)) {
        refuse(Refusal::GroupExchange, T.V, *Exchanged, C.S->Range);
        return false;
      }
      refuse(Why, T.V,
             Why == Refusal::StagingModified ? "is changed after it was copied"
             : Why == Refusal::StagingSourceWritten
                 ? "holds copies of memory that the kernel writes"
                 : "holds values that are no plain copies",
             C.S->Range);
      return false;
    }
  }
  return placed(T) && llvm::all_of(T.Copies, [&](Copy &C) { return describe(T, C); });
}

/// True if E depends on the tile itself, also through variables.
bool Delocalizer::readsTile(const Expr *E, const Tile &T, unsigned Depth) {
  bool Own = false;
  walk(E, [&](const Expr *X) { return !(Own |= X->K == ExprKind::Load && X->Acc.Base == T.V); });
  // The index of a load does not count.
  walk(E, [&](const Expr *X) {
    if (X->K == ExprKind::VarRef && X->V->K == Var::Temp && Depth < 4)
      for (const Stmt *D : A.defs(X->V))
        Own |= !Own && D->E && readsTile(D->E, T, Depth + 1);
    return !Own && X->K != ExprKind::Load;
  });
  return Own;
}

/// True if E is a copy of memory that the kernel does not write and can be computed at a read. Why:
/// set where it is not.
bool Delocalizer::isCopy(const Expr *E, const Tile &T, const Stmt *At, Refusal &Why) {
  if (readsTile(E, T)) {
    Why = Refusal::StagingModified;
    return false;
  }
  Why = Refusal::StagingNotACopy;
  std::optional<pattern::CopySources> Sources = Recognizer.sourcesOf(E, At);
  if (!Sources || !Sources->Replaceable)
    return false;
  Why = Refusal::StagingSourceWritten;
  return llvm::none_of(Sources->Loads,
                       [&](const Expr *Load) { return Written.contains(Load->Acc.Base); });
}

//===----------------------------------------------------------------------===//
// Quotients and remainders as ids
//===----------------------------------------------------------------------===//

bool Delocalizer::isId(const Copy &C, unsigned S) const {
  return C.Rounds.contains(S) || S == P.localId(0) || S == P.localId(1) || S == P.localId(2) ||
         llvm::any_of(C.Parts, [&](const Part &X) { return S == X.Q || S == X.R; });
}

/// Quotient and remainder of X (the value of Of) by By, in ids and parts; makes new parts if
/// needed.
std::optional<std::pair<Poly, Poly>> Delocalizer::quotient(Copy &C, const Expr *Of, const Stmt *At,
                                                           const Poly &X, int64_t By) {
  auto within = [&](const Poly &R, int64_t Below) {
    auto Lo = P.least(R), Hi = P.least(Poly::constant(Below - 1) - R);
    return Lo && *Lo >= 0 && Hi && *Hi >= 0;
  };
  auto split = [](const Poly &X, int64_t Unit) {
    Poly Q, R;
    for (const auto &[Mono, Coefficient] : X.Terms) {
      int64_t Floor = Coefficient / Unit - (Coefficient % Unit < 0);
      if (Mono.empty() || Coefficient % Unit == 0) {
        if (Floor)
          Q.Terms[Mono] = Floor;
        if (Coefficient != Floor * Unit)
          R.Terms[Mono] = Coefficient - Floor * Unit;
      } else {
        R.Terms[Mono] = Coefficient;
      }
    }
    return std::pair(Q, R);
  };
  // The remainder does not carry.
  if (auto [Q, R] = split(X, By); within(R, By))
    return std::pair(Q, R);
  // (18 * a + b) / 36 with b below 18 is a / 2.
  for (const auto &[Mono, Coefficient] : X.Terms) {
    int64_t Unit = std::abs(Coefficient);
    if (Mono.empty() || Unit < 2 || Unit >= By || By % Unit)
      continue;
    auto [Q, R] = split(X, Unit);
    if (!within(R, Unit))
      continue;
    // The quotient as a separate expression: Of / Unit.
    const Expr *Inner = M.binary(Op::Div, Of, M.intConst(Unit, Of->Ty));
    auto Next = quotient(C, Inner, At, Q, By / Unit);
    if (!Next)
      return std::nullopt;
    return std::pair(Next->first, Next->second * Unit + R);
  }
  // 60 * a + b by 10 is 6 * a plus b by 10: b is a separate remainder.
  if (auto [Q, R] = split(X, By); !Q.isZero() && R.Terms.size() == 1 &&
                                  R.Terms.begin()->second == 1 &&
                                  R.Terms.begin()->first.size() == 1) {
    unsigned S = R.Terms.begin()->first[0];
    if (const Expr *Own = A.symbol(S).E; Own && isId(C, S) && A.symbol(S).K == SymbolInfo::Atom) {
      auto Next = quotient(C, Own, A.placeOf(S), R, By);
      if (!Next)
        return std::nullopt;
      return std::pair(Q + Next->first, Next->second);
    }
  }
  // One id of X has factor 1: it is By * Q + R minus the others.
  auto Least = P.least(X);
  if (!Least || *Least < 0)
    return std::nullopt;
  for (const auto &[Mono, Coefficient] : X.Terms) {
    if (Mono.size() != 1 || (Coefficient != 1 && Coefficient != -1) || !isId(C, Mono[0]) ||
        X.degree(Mono[0]) != 1 ||
        llvm::any_of(C.Parts, [&](const Part &Y) { return Y.Id == Mono[0]; }))
      continue;
    Part New;
    New.By = By;
    New.Of = X;
    New.Id = Mono[0];
    const Expr *Divisor = M.intConst(By, Of->Ty);
    auto symbol = [&](Op O) -> std::optional<unsigned> {
      Poly P = A.poly(M.binary(O, Of, Divisor), At);
      if (P.Terms.size() != 1 || P.Terms.begin()->second != 1 ||
          P.Terms.begin()->first.size() != 1 || isId(C, P.Terms.begin()->first[0]))
        return std::nullopt;
      return P.Terms.begin()->first[0];
    };
    auto Q = symbol(Op::Div), R = symbol(Op::Rem);
    if (!Q || !R)
      return std::nullopt;
    New.Q = *Q;
    New.R = *R;
    P.Bounds[New.R] = {0, By - 1};
    auto Most = P.least(X * -1);
    P.Bounds[New.Q] = {0, Most ? -*Most / By : INT64_MAX};
    Poly Rest = X - Poly::symbol(New.Id) * Coefficient;
    New.IdIs = (Poly::symbol(New.Q) * By + Poly::symbol(New.R) - Rest) * Coefficient;
    C.Parts.push_back(New);
    return std::pair(Poly::symbol(New.Q), Poly::symbol(New.R));
  }
  return std::nullopt;
}

/// X with quotients and remainders of ids by constants as parts. Note is called for what they
/// divide.
std::optional<Poly> Delocalizer::divideOut(Copy &C, const Poly &X,
                                           llvm::function_ref<void(const Poly &)> Note) {
  Poly Result = X;
  for (unsigned Depth = 0; Depth < 16; ++Depth) {
    // Ids that parts determine.
    for (const Part &Each : C.Parts)
      Result = Result.substitute(Each.Id, Each.IdIs);
    std::optional<unsigned> Atom;
    mentions(Result, [&](unsigned S) {
      if (!Atom && S < Undetermined && A.symbol(S).K == SymbolInfo::Atom &&
          A.symbol(S).Varies.Item && !isId(C, S))
        Atom = S;
      return false;
    });
    if (!Atom)
      return Result;
    if (auto It = C.Atoms.find(*Atom); It != C.Atoms.end()) {
      Result = Result.substitute(*Atom, It->second);
      continue;
    }
    const Stmt *At = A.placeOf(*Atom);
    auto D = divisionOf(A.symbol(*Atom).E, [&](const Expr *E) { return A.poly(E, At); });
    if (!D)
      return std::nullopt;
    Poly Of = A.poly(D->Of, At);
    Note(Of);
    auto Inner = divideOut(C, Of, Note);
    if (!Inner)
      return std::nullopt;
    auto QR = quotient(C, D->Of, At, *Inner, D->By);
    if (!QR)
      return std::nullopt;
    const Poly &Value = D->Rest ? QR->second : QR->first;
    if (!(Value == Poly::symbol(*Atom)))
      C.Atoms[*Atom] = Value;
  }
  return std::nullopt;
}

/// True if S is the variable or the iteration of a loop in Outer (Inside: of another loop).
bool Delocalizer::isIteration(unsigned S, llvm::ArrayRef<const Stmt *> Outer, bool Inside) const {
  if (S >= Undetermined)
    return false;
  const SymbolInfo &I = A.symbol(S);
  return (I.K == SymbolInfo::LoopVar || I.K == SymbolInfo::Iteration) &&
         llvm::is_contained(Outer, I.Loop) != Inside;
}

/// C stores at I. Refuses if I changes with the loops around the block (Outer), or does not follow
/// from local ids.
bool Delocalizer::checkIndex(const Tile &T, const Copy &C, const Poly &I,
                             llvm::ArrayRef<const Stmt *> Outer) {
  // Elements that differ between iterations keep the copies of older ones.
  bool Moves = mentions(I, [&](unsigned S) {
    if (isIteration(S, Outer, false))
      return true;
    if (A.symbol(S).K != SymbolInfo::Atom || Outer.empty() || isId(C, S))
      return false;
    // t % 2 and the like, with t of a loop around.
    const Expr *E = A.symbol(S).E;
    return !E || llvm::any_of(exprs(E), [](ExprAt X) {
      return X->K == ExprKind::Load || (X->K == ExprKind::VarRef && X->V->K != Var::Param);
    });
  });
  if (Moves) {
    refuse(Refusal::StagingModified, T.V, "is filled at other places in each round of a loop",
           C.S->Range);
    return false;
  }
  bool Foreign = mentions(I, [&](unsigned S) {
    const SymbolInfo &Info = A.symbol(S);
    return Info.Varies.Item && !isId(C, S) &&
           !(Info.K == SymbolInfo::WorkItem && Info.E->Query == WorkItemQuery::LocalId);
  });
  if (Foreign)
    refuse(Refusal::StagingNotACopy, T.V, "is filled at places that do not follow from local ids",
           C.S->Range);
  return !Foreign;
}

/// Q == 0 holds where C stores: pins the local ids that follow from it. False: a pinned id is part
/// of a quotient.
bool Delocalizer::pin(Copy &C, const Poly &Q) {
  for (unsigned D = 0; D < 3; ++D) {
    auto It = Q.Terms.find(Monomial{P.localId(D)});
    if (It == Q.Terms.end() || (It->second != 1 && It->second != -1) || Q.degree(P.localId(D)) != 1)
      continue;
    Poly Rest = Q - Poly::symbol(P.localId(D)) * It->second;
    if (mentions(Rest, [&](unsigned S) { return C.Rounds.contains(S) || A.symbol(S).Varies.Item; }))
      continue;
    C.Pins[P.localId(D)] = Rest * -It->second;
    if (llvm::any_of(C.Parts, [&](const Part &Each) { return Each.Of.has(P.localId(D)); }))
      return false;
  }
  return true;
}

/// Adds F, a guard of C, to those that select the copying work-items or to those of the data.
bool Delocalizer::classifyGuard(const Tile &T, Copy &C, const Guard &F,
                                llvm::ArrayRef<const Stmt *> Outer,
                                llvm::function_ref<void(const Poly &)> Note) {
  bool Comparison = P.isComparison(F);
  // Of local ids, iterations and constants only: it selects the work-items that copy.
  bool Owner = Comparison;
  if (Comparison) {
    Poly Q = A.poly(F.Cond->Ops[0], F.At) - A.poly(F.Cond->Ops[1], F.At);
    Note(Q);
    Owner = !mentions(Q, [&](unsigned S) {
      const SymbolInfo &I = A.symbol(S);
      return !isId(C, S) && !C.Atoms.count(S) &&
             !(I.K == SymbolInfo::WorkItem &&
               (I.E->Query == WorkItemQuery::LocalId || I.E->Query == WorkItemQuery::LocalSize));
    });
    bool Equal = (F.Cond->O == Op::EQ && F.Holds) || (F.Cond->O == Op::NE && !F.Holds);
    if (Owner && Equal && !pin(C, Q)) {
      refuse(Refusal::StagingNotACopy, T.V, "is filled at places that do not follow from local ids",
             C.S->Range);
      return false;
    }
  }
  (Owner ? C.OwnerGuards : C.DataGuards).push_back(F);
  if (Owner || Outer.empty())
    return true;
  // What is not copied in this iteration stays from an older one.
  C.MayKeepOlder |= llvm::any_of(exprs(F.Cond), [&](ExprAt X) {
    if (X->K == ExprKind::Load)
      return true;
    return X->Ty->isValue() && X->Ty->isScalar() && X->Ty->isInteger() &&
           X->K == ExprKind::VarRef && mentions(A.poly(X.E, F.At), [&](unsigned S) {
             return isIteration(S, Outer, false) || A.symbol(S).K == SymbolInfo::Atom;
           });
  });
  return true;
}

/// Finds index, guards and loops of C. False: refused.
bool Delocalizer::describe(Tile &T, Copy &C) {
  C.Index = indexOf(T, C.S->Acc, C.S);
  std::vector<const Stmt *> Outer; // loops around the block
  const Stmt *Owner = P.Positions.lookup(T.Barrier).Parent;
  for (const Stmt *X = Owner; X; X = P.Positions.lookup(X).Parent)
    if (X->K == StmtKind::Loop)
      Outer.push_back(X);
  C.Guards = P.factsAt(C.S, Owner);
  auto note = [&](const Poly &Q) {
    mentions(Q, [&](unsigned S) {
      if (isIteration(S, Outer, true))
        C.Rounds.insert(S);
      return false;
    });
  };
  for (Poly &I : C.Index) {
    note(I);
    if (auto Divided = divideOut(C, I, note))
      I = *Divided;
  }
  // All in terms of the same parts.
  for (Poly &I : C.Index)
    for (const Part &Each : C.Parts)
      I = I.substitute(Each.Id, Each.IdIs);
  std::vector<Poly> Indices = C.Index;
  for (const Part &Each : C.Parts)
    Indices.push_back(Each.Of);
  return llvm::all_of(Indices, [&](const Poly &I) { return checkIndex(T, C, I, Outer); }) &&
         llvm::all_of(C.Guards,
                      [&](const Guard &F) { return classifyGuard(T, C, F, Outer, note); });
}

/// If a work-item stores one element by two copies, the last one counts. Returns a copy for which
/// that cannot be excluded; null: there is none.
const Copy *Delocalizer::twice(const Tile &T) {
  for (size_t X = 0; X < T.Copies.size(); ++X)
    for (size_t Y = X + 1; Y < T.Copies.size(); ++Y) {
      const Copy &C = T.Copies[X], &D = T.Copies[Y];
      std::vector<Poly> Known;
      for (const Copy *Each : {&C, &D})
        for (const Guard &F : Each->OwnerGuards)
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
      // k / 18 and k % 18 of two k: the elements differ as they do.
      if (C.Parts.size() == 1 && D.Parts.size() == 1 && C.Parts[0].By == D.Parts[0].By && Ones &&
          Others) {
        const Part &X = C.Parts[0], &Y = D.Parts[0];
        auto asOnes = [&](const Poly &Q) {
          return substituteAll(Q, [&](unsigned S) {
            return Poly::symbol(S == Y.Q ? X.Q : S == Y.R ? X.R : S);
          });
        };
        bool Alike = Ones->size() == Others->size();
        for (size_t I = 0; Alike && I < Ones->size(); ++I)
          Alike = (*Ones)[I] == asOnes((*Others)[I]);
        auto says = [&](unsigned S) {
          return llvm::any_of(*Ones, [&](const Poly &I) {
            return (I - Poly::symbol(S)).isConstant() || (I + Poly::symbol(S)).isConstant();
          });
        };
        Poly Way = substituteAll(X.Of - Y.Of, pinned), One = Poly::constant(1);
        Apart |= Alike && says(X.Q) && says(X.R) &&
                 (P.prove(Way - One, Known) || P.prove(Way * -1 - One, Known));
      }
      // Ids pinned to two values: no work-item does both.
      for (const auto &[S, Value] : C.Pins)
        if (auto It = D.Pins.find(S); It != D.Pins.end())
          Apart |= (Value - It->second).isConstant() && !(Value == It->second);
      // Two equal copies count as one.
      if (!Apart && !agree(T, C, D) && !agree(T, D, C))
        return &D;
    }
  return nullptr;
}

} // namespace clmali::rewrite
