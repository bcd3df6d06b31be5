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

#include "rewriters/staging/Delocalizer.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"

namespace clmali::rewrite {

using namespace model;

/// if (c) v = a; else v = b;  or  v = b; if (c) v = a;  as the only values of v at At.
std::optional<Delocalizer::Choice> Delocalizer::choiceOf(const Var *V, const Stmt *Use) const {
  llvm::ArrayRef<const Stmt *> D = A.defs(V);
  if (V->K != Var::Temp || D.size() != 2)
    return std::nullopt;
  Choice C;
  const Stmt *First = nullptr;
  for (const Stmt *S : D) {
    Position At = P.Positions.lookup(S);
    if ((S->K != StmtKind::Assign && S->K != StmtKind::Decl) || !S->E || !S->LaneIdx.empty() ||
        S->E->Ty != V->Ty)
      return std::nullopt;
    bool Inside = At.Parent && At.Parent->K == StmtKind::If && S->K == StmtKind::Assign;
    if (Inside && (!C.If || C.If == At.Parent)) {
      C.If = At.Parent;
      (At.In == &At.Parent->Body ? C.Then : C.Else) = S;
    } else {
      First = S;
    }
  }
  if (First && C.If && !(C.Then && C.Else)) {
    // The branch follows it, and the use follows the branch.
    Position Before = P.Positions.lookup(First), Branch = P.Positions.lookup(C.If);
    if (Before.In != Branch.In || Before.Index >= Branch.Index)
      return std::nullopt;
    const Stmt *X = Use;
    while (X && P.Positions.lookup(X).In != Branch.In)
      X = P.Positions.lookup(X).Parent;
    if (!X || P.Positions.lookup(X).Index <= Branch.Index)
      return std::nullopt;
    (C.Then ? C.Else : C.Then) = First;
  }
  if (!C.Then || !C.Else)
    return std::nullopt;
  return C;
}

/// True if the stores that find() found are copies: of memory that does not change, to indices that
/// are known, before a barrier that all readers follow. Else refuses.
bool Delocalizer::copies(Tile &T) {
  for (Copy &C : T.Copies) {
    Refusal Why;
    if (!isCopy(C.S->E, T, C.S, Why)) {
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

/// True if E is a value of global memory, possibly converted, or a constant in its place.
bool Delocalizer::isCopy(const Expr *E, const Tile &T, const Stmt *At, Refusal &Why,
                         unsigned Depth) {
  if (readsTile(E, T)) {
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
    if (auto C = choiceOf(E->V, At))
      return isCopy(C->Then->E, T, C->Then, Why, Depth + 1) &&
             isCopy(C->Else->E, T, C->Else, Why, Depth + 1);
    const Stmt *D = A.singleDef(E->V);
    return D && D->E && isCopy(D->E, T, D, Why, Depth + 1);
  }
  case ExprKind::Cast:
    return (E->C == CastOp::Convert || E->C == CastOp::Splat) &&
           isCopy(E->Ops[0], T, At, Why, Depth);
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

/// Index, guards and loops of one copy.
bool Delocalizer::describe(Tile &T, Copy &C) {
  C.Index = indexOf(T, C.S->Acc, C.S);
  std::vector<const Stmt *> Outer; // loops around the block
  const Stmt *Owner = P.Positions.lookup(T.Barrier).Parent;
  for (const Stmt *X = Owner; X; X = P.Positions.lookup(X).Parent)
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
  for (Poly &I : C.Index) {
    note(I);
    if (auto Divided = divideOut(C, I, note))
      I = *Divided;
  }
  // All in terms of the same parts.
  for (Poly &I : C.Index)
    for (const Part &Each : C.Parts)
      I = I.substitute(Each.Id, Each.IdIs);
  std::vector<Poly> Where = C.Index;
  for (const Part &Each : C.Parts)
    Where.push_back(Each.Of);
  for (const Poly &I : Where) {
    // Elements that differ between iterations keep the copies of older ones.
    bool Moves = mentions(I, [&](unsigned S) {
      if (roundOf(S, true))
        return true;
      if (A.symbol(S).K != SymbolInfo::Atom || Outer.empty() || isId(C, S))
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
      refuse(Refusal::StagingModified, T.V, "is filled at other places in each round of a loop",
             C.S->Range);
      return false;
    }
    if (mentions(I, [&](unsigned S) {
          const SymbolInfo &Info = A.symbol(S);
          return Info.Varies.Item && !isId(C, S) &&
                 !(Info.K == SymbolInfo::WorkItem && Info.E->Query == WorkItemQuery::LocalId);
        })) {
      refuse(Refusal::StagingNotACopy, T.V, "is filled at places that do not follow from local ids",
             C.S->Range);
      return false;
    }
  }
  for (const Guard &F : C.Guards) {
    bool Comparison = F.Cond->K == ExprKind::Binary && isComparison(F.Cond->O) &&
                      F.Cond->Ops[0]->Ty->isScalar() && F.Cond->Ops[0]->Ty->isInteger();
    // Of local ids, iterations and constants only: it selects the work-items that copy.
    bool Owner = Comparison;
    if (Comparison) {
      Poly Q = A.poly(F.Cond->Ops[0], F.At) - A.poly(F.Cond->Ops[1], F.At);
      note(Q);
      Owner = !mentions(Q, [&](unsigned S) {
        const SymbolInfo &I = A.symbol(S);
        return !isId(C, S) && !C.Atoms.count(S) &&
               !(I.K == SymbolInfo::WorkItem &&
                 (I.E->Query == WorkItemQuery::LocalId || I.E->Query == WorkItemQuery::LocalSize));
      });
      bool Equal = (F.Cond->O == Op::EQ && F.Holds) || (F.Cond->O == Op::NE && !F.Holds);
      if (Owner && Equal)
        for (unsigned D = 0; D < 3; ++D) {
          auto It = Q.Terms.find(Monomial{P.localId(D)});
          if (It == Q.Terms.end() || (It->second != 1 && It->second != -1) ||
              Q.degree(P.localId(D)) != 1)
            continue;
          Poly Rest = Q - Poly::symbol(P.localId(D)) * It->second;
          if (mentions(Rest,
                       [&](unsigned S) { return C.Rounds.contains(S) || A.symbol(S).Varies.Item; }))
            continue;
          C.Pins[P.localId(D)] = Rest * -It->second;
          if (llvm::any_of(C.Parts, [&](const Part &Each) { return Each.Of.has(P.localId(D)); })) {
            refuse(Refusal::StagingNotACopy, T.V,
                   "is filled at places that do not follow from local ids", C.S->Range);
            return false;
          }
        }
    }
    (Owner ? C.OwnerGuards : C.DataGuards).push_back(F);
    if (!Owner && !Outer.empty()) {
      // What is not copied in this iteration stays from an older one.
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

/// Flat indices of two local ids: finds the length of a row, a constant or else a
/// parameter. False: there is none.
bool Delocalizer::rows(Tile &T) {
  std::optional<int64_t> Constant;
  std::optional<unsigned> Symbol;
  for (Copy &C : T.Copies) {
    if (C.Index.size() != 1)
      return false;
    unsigned Ids = 0, Local = 0;
    int64_t Largest = 0, LargestLocal = 0;
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
        for (unsigned D = 0; D < 3; ++D)
          if (Mono[0] == P.localId(D)) {
            ++Local;
            LargestLocal = std::max(LargestLocal, std::abs(Coefficient));
          }
      }
    }
    // An iteration of many rows, t[(ly + 16 * r) * 20 + lx], does not give the length of a row.
    if (Local >= 2 && LargestLocal > 1)
      Largest = LargestLocal;
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
  // The copies themselves may need a bound of the local size.
  return T.Row && llvm::all_of(T.Copies, [&](const Copy &C) { return stored(T, C).has_value(); });
}

/// The index at which C stores, with pinned ids replaced; row and column for a flat tile.
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
  for (const Guard &F : C.Guards)
    P.nonNegative(F, Known);
  return divide(Index[0], *T.Row, Known);
}

/// tile[ly * row + lx]: demands that no two work-items of a group store the same element.
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
    Max = std::min(Max.value_or(INT64_MAX),
                   std::max<int64_t>(1, Steps[I + 1].first / Steps[I].first) - 1);
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
      // Demanded of the launch, with the largest local ids.
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
  // Of several divisions, the one with the weakest bound of the local size.
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
    if (P.prove(Rest, Known) &&
        P.prove(Poly::constant(Length - 1) - Rest, Known, /*Assume=*/true) &&
        (!Best || asks(P.LocalMax) > asks(Loosest))) {
      Best = std::vector<Poly>{Q + Poly::constant(M0), Rest};
      Loosest = P.LocalMax;
    }
  }
  P.LocalMax = Loosest;
  return Best;
}

} // namespace clmali::rewrite
