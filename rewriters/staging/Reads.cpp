//===-- rewriters/staging/Reads.cpp - What a read of a tile reads ---------===//
//
// What it does: finds, for an element that is read, the work-item and the iteration that stored it,
// and expresses what was copied at the location of the read:
//
//   tile[l + 1] = src[g];  ...  tile[l]     lid = l - 1:  src[g - 1]
//
// If several copies fill one tile, those that store the same in every element count as one (halos);
// others are distinguished by the elements that they fill.
//
// Limits: the index must have an id or an iteration with factor 1; the result must not depend on
// what nothing determines.
//
//===----------------------------------------------------------------------===//

#include "rewriters/lanes/Linear.h"
#include "rewriters/staging/Delocalizer.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/ScopeExit.h"

namespace clmali::rewrite {

using namespace model;

std::vector<Poly> Delocalizer::known(const Read &R) {
  std::vector<Poly> Known = Always;
  for (const Guard &F : P.factsAt(R.S))
    P.nonNegative(F, Known);
  for (const Guard &F : R.Inside)
    P.nonNegative(F, Known);
  return Known;
}

/// E, an integer, by its polynomial. Nothing: it is not a polynomial of what is valid at To. Null:
/// it cannot be expressed.
std::optional<const Expr *> Delocalizer::transformInteger(const Expr *E, const Stmt *From,
                                                          const Mapping &Map, const Stmt *To) {
  auto image = [&](unsigned S) {
    if (auto It = Map.find(S); It != Map.end())
      return It->second;
    for (unsigned D = 0; D < 3; ++D)
      if (S == P.globalId(D))
        return Poly::symbol(S) - Poly::symbol(P.localId(D)) + Map.at(P.localId(D));
    return Poly::symbol(S);
  };
  Poly Q = A.poly(E, From);
  bool Atom = Q.Terms.size() == 1 && !Q.isConstant() && !mentions(Q, [&](unsigned S) {
                return Map.contains(S) || A.symbol(S).K != SymbolInfo::Atom;
              });
  bool Valid = !mentions(Q, [&](unsigned S) {
    if (Map.contains(S))
      return false;
    const SymbolInfo &I = A.symbol(S);
    if (I.K == SymbolInfo::WorkItem)
      return false;
    if (I.K == SymbolInfo::LoopVar || I.K == SymbolInfo::Iteration)
      return !P.isInside(To, I.Loop);
    return I.Varies.Item != 0 || (I.K == SymbolInfo::Atom && !P.isValid(S, To));
  });
  if (!Valid || (Atom && E->K != ExprKind::VarRef))
    return std::nullopt;
  Poly New = substituteAll(Q, image);
  if (New == Q && !Canonical && E->K != ExprKind::IntConst && P.isVisible(E, To) &&
      A.poly(E, To) == Q)
    return E;
  // An index is in bounds; another value that may wrap is not what its polynomial is.
  if (!InIndex && !P.isExact(E))
    return std::nullopt;
  New = substituteAll(New, [&](unsigned S) {
    auto It = ReaderPins.find(S);
    return It == ReaderPins.end() ? Poly::symbol(S) : It->second;
  });
  return isUndetermined(New) ? nullptr : P.express(New, E->Ty, To);
}

/// E, / or % by a constant: of a flat index into row and column if possible. Nothing: the divisor
/// is not constant. Null: E cannot be expressed.
std::optional<const Expr *> Delocalizer::transformDivision(const Expr *E, const Stmt *From,
                                                           const Mapping &Map, const Stmt *To,
                                                           unsigned Depth) {
  auto By = constantValue(E->Ops[1]);
  const Expr *Divisor = E->Ops[1];
  if (!By)
    if (Poly Value = A.poly(E->Ops[1], From); Value.isConstant()) {
      By = Value.constantTerm();
      Divisor = M.intConst(*By, E->Ty);
    }
  if (!By || *By < 2)
    return std::nullopt;
  const Expr *X = transform(E->Ops[0], From, Map, To, Depth + 1);
  if (!X)
    return nullptr;
  Poly Flat = A.poly(X, To);
  auto Saved = P.LocalMax;
  auto Parts = P.prove(Flat, Here) ? divide(Flat, Poly::constant(*By), Here) : std::nullopt;
  if (P.LocalMax != Saved && !Needs) {
    Parts.reset();
    P.LocalMax = Saved;
  }
  if (Parts)
    if (const Expr *Y = P.express((*Parts)[E->O == Op::Div ? 0 : 1], E->Ty, To))
      return Y;
  return M.binary(E->O, X, Divisor);
}

/// E, computed by a copy at From, for the work-item that Map describes, as an expression at To.
/// Null: it cannot be expressed.
const Expr *Delocalizer::transform(const Expr *E, const Stmt *From, const Mapping &Map,
                                   const Stmt *To, unsigned Depth) {
  if (Depth > 16)
    return nullptr;
  if (E->Ty->isScalar() && E->Ty->isInteger())
    if (auto New = transformInteger(E, From, Map, To))
      return *New;
  bool WasIndex = std::exchange(InIndex, E->K == ExprKind::Load || (InIndex && keepsLowBits(E)));
  auto Restore = llvm::make_scope_exit([&] { InIndex = WasIndex; });
  switch (E->K) {
  case ExprKind::IntConst:
  case ExprKind::FloatConst:
    return E;
  case ExprKind::WorkItem:
    return nullptr;
  case ExprKind::VarRef: {
    if (E->V->K == Var::Param)
      return A.defs(E->V).empty() ? E : nullptr;
    if (auto C = Recognizer.chosenValue(E->V, From)) {
      const Expr *Cond = transform(C->If->E, C->If, Map, To, Depth + 1);
      const Expr *X = transform(C->Then->E, C->Then, Map, To, Depth + 1);
      const Expr *Y = transform(C->Else->E, C->Else, Map, To, Depth + 1);
      return Cond && X && Y ? M.select(Cond, X, Y) : nullptr;
    }
    const Stmt *D = A.singleDef(E->V);
    return D && D->E && D->E->Ty == E->Ty ? transform(D->E, D, Map, To, Depth + 1) : nullptr;
  }
  case ExprKind::Load:
    if (E->Acc.Volatile || Written.contains(E->Acc.Base) ||
        (E->Acc.Base->space() != AddressSpace::Global &&
         E->Acc.Base->space() != AddressSpace::Constant))
      return nullptr;
    break;
  case ExprKind::Opaque:
    return nullptr;
  case ExprKind::Select: {
    // Only the operand that is known to be selected.
    const Expr *Cond = Canonical || !E->Ops[0]->Ty->isScalar()
                           ? nullptr
                           : transform(E->Ops[0], From, Map, To, Depth + 1);
    if (!Cond)
      break;
    for (bool Holds : {true, false})
      if (implied({Cond, Holds, To}, Here))
        return transform(E->Ops[Holds ? 1 : 2], From, Map, To, Depth + 1);
    const Expr *X = transform(E->Ops[1], From, Map, To, Depth + 1);
    const Expr *Y = transform(E->Ops[2], From, Map, To, Depth + 1);
    return X && Y ? M.select(Cond, X, Y) : nullptr;
  }
  case ExprKind::Binary:
    if ((E->O == Op::Div || E->O == Op::Rem) && E->Ty->isScalar() && E->Ty->isInteger())
      if (auto New = transformDivision(E, From, Map, To, Depth))
        return *New;
    break;
  default:
    break;
  }
  bool Fine = true;
  const Expr *New = mapOperands(M, E, [&](const Expr *Op) {
    const Expr *X = Fine ? transform(Op, From, Map, To, Depth + 1) : nullptr;
    Fine &= X != nullptr;
    return X ? X : Op;
  });
  return Fine ? New : nullptr;
}

/// X >= 0 or X == 0, written without a leading minus.
const Expr *Delocalizer::compare(Op O, const Poly &X, const Stmt *S) {
  int64_t C = X.constantTerm(), Minus = 0;
  Poly Left = X - Poly::constant(C);
  for (const auto &[Mono, Coefficient] : Left.Terms)
    Minus += Coefficient < 0 ? 1 : -1;
  const Type *Int = M.value(ScalarKind::Int);
  int64_t Right = -C;
  if (Minus > 0) {
    Left = Left * -1;
    Right = C;
    if (O == Op::GE) {
      O = Op::LT; // Left <= C
      ++Right;
    }
  }
  const Expr *L = P.express(Left, Int, S);
  return L ? M.binary(O, L, M.intConst(Right, Int)) : nullptr;
}

/// Value, copied by C under its data guards. Fine: set to false if they cannot be expressed at the
/// read. Asked: set if Value tests them.
const Expr *Delocalizer::under(const Copy &C, const Expr *Value, const Mapping &Map, const Read &R,
                               llvm::ArrayRef<Poly> Known, bool &Fine, bool *Asked) {
  const Expr *Condition = nullptr;
  for (const Guard &F : C.DataGuards) {
    const Expr *Cond = transform(F.Cond, F.At, Map, R.S);
    if (!Cond) {
      Fine = false;
      return Value;
    }
    // It may follow from what holds here.
    if (implied({Cond, F.Holds, R.S}, Known))
      continue;
    if (C.MayKeepOlder) {
      Fine = false;
      return Value;
    }
    if (!F.Holds)
      Cond = simplify(M, M.unary(Op::LogicalNot, Cond));
    Condition = Condition ? M.binary(Op::LogicalAnd, Cond, Condition) : Cond;
  }
  if (!Condition)
    return Value;
  if (Asked)
    *Asked = true;
  const Type *Ty = Value->Ty;
  const Expr *Zero = isFloat(Ty->Scalar) ? M.floatConst(0, Ty) : M.intConst(0, Ty);
  return M.select(Condition, Value, Zero);
}

bool Delocalizer::implied(const Guard &F, llvm::ArrayRef<Poly> Known) {
  std::vector<Poly> Wanted;
  P.nonNegative(F, Wanted);
  return !Wanted.empty() && llvm::all_of(Wanted, [&](const Poly &W) { return P.prove(W, Known); });
}

bool Delocalizer::holds(const Condition &C, llvm::ArrayRef<Poly> Known) {
  return P.prove(C.X, Known) && (C.O != Op::EQ || P.prove(C.X * -1, Known));
}

bool Delocalizer::fails(const Condition &C, llvm::ArrayRef<Poly> Known) {
  Poly One = Poly::constant(1);
  return P.prove(C.X * -1 - One, Known) || (C.O == Op::EQ && P.prove(C.X - One, Known));
}

/// True if no element is stored by both.
bool Delocalizer::apart(const Answer &X, const Answer &Y, llvm::ArrayRef<Poly> Known) {
  auto fail = [&](const Answer &Ones, const Answer &Others) {
    std::vector<Poly> All(Known.begin(), Known.end());
    for (const Condition &C : Others.All) {
      All.push_back(C.X);
      if (C.O == Op::EQ)
        All.push_back(C.X * -1);
    }
    return llvm::any_of(Ones.All, [&](const Condition &C) { return fails(C, All); });
  };
  return fail(X, Y) || fail(Y, X);
}

/// The ids of the reader that follow from the element: C stores some dimensions of it at one index
/// only.
Mapping Delocalizer::pinnedReader(const Copy &C, llvm::ArrayRef<Poly> Index,
                                  llvm::ArrayRef<Poly> Stored) const {
  Mapping Pins;
  if (C.Pins.empty())
    return Pins;
  for (size_t D = 0; D < Stored.size(); ++D) {
    if (!Stored[D].isConstant())
      continue;
    Poly Off = Index[D] - Stored[D];
    for (unsigned I = 0; I < 3; ++I) {
      unsigned S = P.localId(I);
      auto It = Off.Terms.find(Monomial{S});
      if (It != Off.Terms.end() && (It->second == 1 || It->second == -1) && Off.degree(S) == 1)
        if (Poly Rest = Off - Poly::symbol(S) * It->second; Rest.isConstant())
          Pins[S] = Rest * -It->second;
    }
  }
  return Pins;
}

/// Adds O X to the conditions under which the copy of Says stores the element. Upper: that its
/// work-items exist.
void Delocalizer::require(Answer &Says, Op O, const Poly &X, llvm::ArrayRef<Poly> Known,
                          bool Upper) {
  if (isUndetermined(X)) {
    Says.Exact = false;
    return;
  }
  Condition Cond{O, X};
  if (fails(Cond, Known))
    Says.Never = true;
  (Upper ? Says.Upper : Says.All).push_back(Cond);
  if (!Upper && !holds(Cond, Known))
    Says.Open.push_back(Cond);
}

/// Adds F, a guard that selects the copying work-items, for those that Map describes.
void Delocalizer::requireGuard(Answer &Says, const Guard &F, const Mapping &Map,
                               llvm::ArrayRef<Poly> Known) {
  Poly X = A.poly(F.Cond->Ops[0], F.At), Y = A.poly(F.Cond->Ops[1], F.At);
  Poly Diff = substituteAll(Y - X, [&](unsigned S) {
    auto It = Map.find(S);
    return It == Map.end() ? Poly::symbol(S) : It->second;
  });
  Poly One = Poly::constant(1);
  switch (F.Holds ? F.Cond->O : inverse(F.Cond->O)) { // X O Y by Diff = Y - X
  case Op::LT:
    return require(Says, Op::GE, Diff - One, Known);
  case Op::LE:
    return require(Says, Op::GE, Diff, Known);
  case Op::GT:
    return require(Says, Op::GE, Diff * -1 - One, Known);
  case Op::GE:
    return require(Says, Op::GE, Diff * -1, Known);
  case Op::EQ:
    if (!Diff.isZero())
      require(Says, Op::EQ, Diff, Known);
    return;
  default:
    Says.Exact = false;
  }
}

/// The value that C stores in the element at Index, and when it does so.
Delocalizer::Answer Delocalizer::answer(const Tile &T, const Copy &C, const Read &R,
                                        llvm::ArrayRef<Poly> Index, llvm::ArrayRef<Poly> Known) {
  Answer Says;
  Says.C = &C;
  auto Map = solve(T, C, Index, &Says.Never);
  auto Stored = stored(T, C);
  if (!Map || !Stored) {
    Says.Exact = false;
    return Says;
  }
  ReaderPins = pinnedReader(C, Index, *Stored);
  Says.Value = transform(C.S->E, C.S, *Map, R.S);
  bool Fine = Says.Value != nullptr;
  if (Fine)
    Says.Value = under(C, Says.Value, *Map, R, Known, Fine, &Says.Asked);
  if (!Fine)
    Says.Value = nullptr;
  ReaderPins.clear();

  for (size_t D = 0; D < Stored->size(); ++D)
    if (!mentions((*Stored)[D], [&](unsigned S) { return isId(C, S); }))
      require(Says, Op::EQ, Index[D] - (*Stored)[D], Known);
  for (unsigned D = 0; D < 3; ++D) {
    const Poly &L = Map->at(P.localId(D));
    if (C.Pins.contains(P.localId(D)) || L == Poly::symbol(P.localId(D)))
      continue;
    require(Says, Op::GE, L, Known);
    Poly Size = P.LocalSize[D] ? Poly::constant(int64_t(P.LocalSize[D]))
                               : Poly::symbol(A.symbolFor(M.workItem(WorkItemQuery::LocalSize, D)));
    require(Says, Op::GE, Size - Poly::constant(1) - L, Known, /*Upper=*/true);
  }
  for (const Part &X : C.Parts) {
    require(Says, Op::GE, Map->at(X.Q), Known);
    require(Says, Op::GE, Map->at(X.R), Known);
    require(Says, Op::GE, Poly::constant(X.By - 1) - Map->at(X.R), Known);
  }
  for (unsigned S : C.Rounds) {
    const SymbolInfo &I = A.symbol(S);
    auto L = A.countedLoop(I.Loop);
    Says.Exact &= runsWhole(I.Loop) &&
                  (I.K == SymbolInfo::Iteration || (L && (L->Step == 1 || L->Step == -1)));
    if (I.R.Lo > INT32_MIN)
      require(Says, Op::GE, Map->at(S) - Poly::constant(I.R.Lo), Known);
  }
  for (const Guard &F : C.OwnerGuards)
    requireGuard(Says, F, *Map, Known);
  return Says;
}

/// True if Main stores the same in every element that C stores.
bool Delocalizer::agree(const Tile &T, const Copy &Main, const Copy &C) {
  if (C.DataGuards.size() != Main.DataGuards.size() || C.MayKeepOlder || Main.MayKeepOlder)
    return false;
  auto Stored = stored(T, C);
  auto ByMain = Stored ? solve(T, Main, *Stored) : std::nullopt;
  if (!ByMain)
    return false;
  Mapping Own = C.Pins, Self = itself(C);
  Own.insert(Self.begin(), Self.end());
  Canonical = true;
  auto same = [&](const Expr *X, const Stmt *AtX, const Expr *Y, const Stmt *AtY) {
    const Expr *L = transform(X, AtX, *ByMain, C.S), *R = transform(Y, AtY, Own, C.S);
    return L && R && equal(L, R);
  };
  bool Same = same(Main.S->E, Main.S, C.S->E, C.S);
  for (size_t I = 0; Same && I < C.DataGuards.size(); ++I) {
    const Guard &F = Main.DataGuards[I], &G = C.DataGuards[I];
    Same = F.Holds == G.Holds && same(F.Cond, F.At, G.Cond, G.At);
  }
  Canonical = false;
  return Same;
}

/// Mine if Conds hold, else Value, as one selection if the two differ in a guard only: Mine is
/// `g ? x : 0`, Value is x. Null: they differ in more.
const Expr *Delocalizer::joined(const Expr *Mine, const Expr *Value,
                                llvm::ArrayRef<Condition> Conds, const Read &R,
                                llvm::ArrayRef<Poly> Known) {
  if (Mine->K != ExprKind::Select || Conds.size() != 1 || Conds[0].O != Op::GE)
    return nullptr;
  for (bool Holds : {true, false}) {
    if (!equal(Mine->Ops[Holds ? 1 : 2], Value))
      continue;
    // The guard must select x where Conds do not hold, too.
    std::vector<Poly> Else(Known.begin(), Known.end());
    Else.push_back(Conds[0].X * -1 - Poly::constant(1));
    std::vector<Guard> Guards;
    PathFacts::split(Mine->Ops[0], Holds, R.S, Guards);
    if (llvm::all_of(Guards, [&](const Guard &F) { return implied(F, Else); }))
      return Mine;
  }
  return nullptr;
}

/// The value of Says if it stored the element, else Value. Null, with the reason in Why: when it
/// did is not known.
const Expr *Delocalizer::combinedWith(const Answer &Says, const Expr *Value, const Read &R,
                                      llvm::ArrayRef<Answer> Answers, llvm::ArrayRef<Poly> Known,
                                      std::string &Why) {
  std::vector<Condition> Conds = Says.Open;
  bool Apart = llvm::all_of(
      Answers, [&](const Answer &Other) { return &Other == &Says || apart(Says, Other, Known); });
  auto Fail = [&] {
    Why = "is filled by copies that cannot be told apart";
    return nullptr;
  };
  if (!Apart) {
    for (const Condition &C : Says.Upper)
      if (!holds(C, Known))
        Conds.push_back(C);
    // With a data guard another copy may have stored it.
    if (!Says.Exact || !Says.C->DataGuards.empty())
      return Fail();
  }
  if (const Expr *Both = joined(Says.Value, Value, Conds, R, Known))
    return Both;
  const Expr *All = nullptr;
  for (const Condition &C : Conds) {
    const Expr *Cond = compare(C.O, C.X, R.S);
    if (!Cond)
      return Fail();
    All = All ? M.binary(Op::LogicalAnd, All, Cond) : Cond;
  }
  return All ? M.select(All, Says.Value, Value) : Says.Value;
}

/// The value of an element that the copies of Answers may have stored. Null, with the reason in
/// Why: not known.
const Expr *Delocalizer::combined(const Tile &T, const Read &R, llvm::ArrayRef<Answer> Answers,
                                  llvm::ArrayRef<Poly> Known, std::string &Why) {
  // A longer chain of selections costs more than the tile.
  constexpr size_t MostChoices = 8;
  std::vector<const Answer *> Different; // from the first
  for (const Answer &Says : Answers)
    if (Different.empty() || !agree(T, *Different[0]->C, *Says.C))
      Different.push_back(&Says);
  if (Different.size() > MostChoices) {
    Why = "is filled by too many copies that differ";
    return nullptr;
  }
  const Expr *Value = nullptr;
  for (const Answer *Says : Different) {
    if (!Says->Value) {
      Why = Says == Different[0] ? "is read at a place whose copy cannot be told"
                                 : "is filled by copies that cannot be told apart";
      return nullptr;
    }
    Value = Value ? combinedWith(*Says, Value, R, Answers, Known, Why) : Says->Value;
    if (!Value)
      return nullptr;
  }
  return Value;
}

/// The value that R reads, as loads of the sources. Null, with the reason in Why: not known.
const Expr *Delocalizer::valueAt(const Tile &T, const Read &R, std::string &Why) {
  std::vector<Poly> Known = known(R);
  std::vector<Poly> Index = indexOf(T, R.Load->Acc, R.S);

  // The read is in bounds of the tile.
  for (auto [I, Length] : llvm::zip(Index, lengths(T)))
    Known.push_back(Poly::constant(int64_t(Length) - 1) - I);
  llvm::append_range(Known, Index);
  Here = Known;

  // This work-item's own copy.
  for (const Copy &C : T.Copies) {
    if (C.Index != Index || !C.Rounds.empty() || (T.Copies.size() > 1 && !C.Guards.empty()))
      continue;
    Mapping Same = itself(C);
    if (!llvm::all_of(C.OwnerGuards, [&](const Guard &F) { return implied(F, Known); }))
      continue;
    bool Fine = true;
    if (const Expr *V = transform(C.S->E, C.S, Same, R.S))
      if (const Expr *Value = under(C, V, Same, R, Known, Fine); Fine) {
        askForRows(C);
        return Value;
      }
  }

  if (T.Row && Index.size() == 1) {
    auto Divided = divide(Index[0], *T.Row, Known);
    if (!Divided) {
      Why = "is read at a place that may lie in the next row";
      return nullptr;
    }
    Index = *Divided;
  }
  std::vector<Answer> Answers;
  for (const Copy &C : T.Copies)
    if (Answer Says = answer(T, C, R, Index, Known); !Says.Never)
      Answers.push_back(std::move(Says));
  if (Answers.empty()) {
    Why = "is read where nothing was copied";
    return nullptr;
  }
  // The copy that fills most elements represents all that agree with it.
  llvm::stable_sort(Answers, [](const Answer &X, const Answer &Y) {
    return X.C->Pins.size() + X.C->OwnerGuards.size() < Y.C->Pins.size() + Y.C->OwnerGuards.size();
  });
  return combined(T, R, Answers, Known, Why);
}

} // namespace clmali::rewrite
