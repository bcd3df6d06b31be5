//===-- rewriters/Delocalize.cpp - Local memory that only holds copies ------===//
//
// What it does: where local memory holds nothing but copies of global memory, each
// read of it becomes a read of what was copied; the copies and the barriers that
// nothing needs any more go:
//
//   before                                        after
//   tile[l + 1] = src[g];                         d[g] = src[g - 1] + src[g + 1];
//   if (l == 0) tile[0] = src[g - 1];
//   if (l == 63) tile[65] = src[g + 1];
//   barrier(CLK_LOCAL_MEM_FENCE);
//   d[g] = tile[l] + tile[l + 2];
//
// How: of each copy, tile[I(lid)] = value(lid, gid, ...), the local ids of the
// work-item that stored an element follow from the element's index: lid = I^-1(index).
// What it copied is its value with those ids put in: gid becomes gid - lid +
// I^-1(index). Where several copies fill one tile, those that say the same of every
// element are one (halos); others are told apart by the elements that they fill.
//
// Legal if: all copies stand before a barrier that all reach and all reads behind
// it, in one block; nothing else writes the tile; the source is never written. A
// copy's condition over the data's size is asked again at the read unless it follows
// from what holds there, so nothing is read that no work-item read before.
//
// Limits: an element that is read must have been stored: what the original reads
// otherwise has no value, and is taken as not happening. Tiles with flat indices of
// two local ids need a local size that does not exceed the row (StagingNeeds).
//
//===----------------------------------------------------------------------===//

#include "rewriters/DelocalizeImpl.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"

namespace clmali::rewrite {

using namespace model;

namespace {

/// Stands for an id that nothing determines: no result may depend on it.
constexpr unsigned Undetermined = 0xFFFFFF00;

bool mentions(const Poly &P, llvm::function_ref<bool(unsigned)> Which) {
  for (const auto &[Mono, C] : P.Terms)
    for (unsigned S : Mono)
      if (Which(S))
        return true;
  return false;
}
bool isUndetermined(const Poly &P) {
  return mentions(P, [](unsigned S) { return S >= Undetermined; });
}

/// What stands for each local id and each round of the copy's loops.
using Mapping = std::map<unsigned, Poly>;

struct Copy {
  Stmt *S = nullptr;
  std::vector<Poly> Index;      ///< by dimension
  std::vector<Fact> Guards;     ///< between the block and the copy
  std::vector<Fact> OwnerGuards; ///< of Guards: those that only choose the work-items that copy
  std::vector<Fact> DataGuards;  ///< the others
  Mapping Pins;                 ///< ids that guards fix
  bool MayKeepOlder = false;    ///< what its guards leave out may hold an older round's copy
  llvm::DenseSet<unsigned> Rounds; ///< symbols of loops between the block and the copy
};

struct Read {
  Stmt *S;
  const Expr *Load;
  std::vector<Fact> Inside; ///< conditions of its own expression
};

struct Tile {
  Var *V;
  std::vector<Copy> Copies;
  std::vector<Read> Reads;
  std::optional<int64_t> RowLength; ///< flat index of rows of this length
  Block *B = nullptr;
  Stmt *Barrier = nullptr;
};

class Delocalizer {
public:
  Delocalizer(Module &M, Kernel &K, std::vector<RefusalAt> &Refusals, StagingNeeds *Needs)
      : M(M), K(K), A(M, K), P(M, K, A), Refusals(Refusals), Needs(Needs) {}
  unsigned run();

private:
  Module &M;
  Kernel &K;
  KernelAnalysis A;
  Places P;
  std::vector<RefusalAt> &Refusals;
  StagingNeeds *Needs;
  llvm::DenseSet<const Var *> Written; ///< bases that the kernel writes
  std::map<std::pair<const Stmt *, const Expr *>, const Expr *> Replace;
  llvm::DenseSet<const Stmt *> Dead;
  std::vector<std::string> Obligations;
  std::vector<std::string> When;
  Mapping ReaderPins; ///< the reader's ids, where a condition fixes them
  bool Canonical = false;   ///< write everything anew, so that equal values look equal
  std::vector<Poly> Always; ///< not negative for any work-item

  void refuse(Refusal Why, const Var *V, const std::string &Detail, SourceRange At);
  bool find(Tile &T);
  bool placed(Tile &T);
  bool describe(Tile &T, Copy &C);
  struct Choice {
    const Stmt *If = nullptr, *Then = nullptr, *Else = nullptr;
  };
  std::optional<Choice> choiceOf(const Var *V) const;
  bool isCopy(const Expr *E, const Tile &T, const Stmt *At, Refusal &Why, unsigned Depth = 0);
  bool distinct(const Tile &T);
  bool rows(Tile &T);
  void askForRows(const Copy &C);
  std::optional<std::vector<Poly>> divide(const Poly &Flat, int64_t Row, llvm::ArrayRef<Poly> Known);
  std::vector<Poly> known(const Read &R);
  std::optional<Mapping> solve(const Tile &T, const Copy &C, llvm::ArrayRef<Poly> Index);
  const Expr *transform(const Expr *E, const Stmt *From, const Mapping &Map, const Stmt *To,
                        unsigned Depth = 0);
  const Expr *compare(Op O, const Poly &X, const Stmt *S);
  const Expr *valueAt(const Tile &T, const Read &R, std::string &Why);
  const Expr *under(const Copy &C, const Expr *Value, const Mapping &Map, const Read &R,
                    llvm::ArrayRef<Poly> Known, bool &Fine);
  bool rewrite(Tile &T);
  void dropBarriers();
};

void Delocalizer::refuse(Refusal Why, const Var *V, const std::string &Detail, SourceRange At) {
  RefusalAt R;
  R.Why = Why;
  R.Pass = "delocalize";
  R.Detail = "'" + V->Name + "' " + Detail;
  R.Range = At;
  Refusals.push_back(std::move(R));
}

//===----------------------------------------------------------------------===//
// Legality
//===----------------------------------------------------------------------===//

/// Collects what touches T.V; false where that is more than stores and loads of
/// whole elements.
bool Delocalizer::find(Tile &T) {
  bool Plain = true;
  const Type *Elem = T.V->Ty;
  while (Elem->K == Type::Array || Elem->K == Type::Pointer)
    Elem = Elem->Elem;
  auto whole = [&](const Access &Acc, SourceRange At) {
    if (Acc.Volatile) {
      refuse(Refusal::VolatileAccess, T.V, "is volatile", At);
      return Plain = false;
    }
    if (Elem->isValue() && Acc.Elem == Elem->Scalar && Acc.Lanes == Elem->Lanes && !Acc.Disp &&
        Acc.Path.empty() && (Acc.F == Access::Subscript || Acc.Lanes == 1))
      return true;
    refuse(Refusal::StagingNotACopy, T.V, "is accessed by parts of its elements", At);
    return Plain = false;
  };
  walk(K.Body, [&](Stmt *S) {
    if (!Plain)
      return false;
    std::function<void(const Expr *, std::vector<Fact>)> loads = [&](const Expr *E, std::vector<Fact> Inside) {
      if (E->K == ExprKind::Load && E->Acc.Base == T.V && whole(E->Acc, E->Range))
        T.Reads.push_back({S, E, Inside});
      bool Lazy = E->Ops.size() > 1 && E->Ops[0]->Ty->isScalar() &&
                  (E->K == ExprKind::Select ||
                   (E->K == ExprKind::Binary && (E->O == Op::LogicalAnd || E->O == Op::LogicalOr)));
      for (size_t I = 0; I < E->Ops.size(); ++I) {
        std::vector<Fact> Below = Inside;
        if (Lazy && I > 0)
          Places::split(E->Ops[0], E->K == ExprKind::Select ? I == 1 : E->O == Op::LogicalAnd, S,
                        Below);
        loads(E->Ops[I], std::move(Below));
      }
      for (const Expr *Index : E->Acc.Index)
        loads(Index, Inside);
    };
    forEachExpr(*S, [&](const Expr *E) { loads(E, {}); });
    if (S->Source.Base == T.V || (S->Acc.Base == T.V && S->K != StmtKind::Store)) {
      Plain = false;
      refuse(S->K == StmtKind::Atomic ? Refusal::Atomic : Refusal::StagingNotACopy, T.V,
             "is not only copied to", S->Range);
    } else if (S->Acc.Base == T.V && whole(S->Acc, S->Range)) {
      Copy C;
      C.S = S;
      T.Copies.push_back(std::move(C));
    }
    return Plain;
  });
  return Plain && !T.Copies.empty() && !T.Reads.empty();
}

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

/// All copies before a barrier, all reads behind it, in one block.
bool Delocalizer::placed(Tile &T) {
  auto chain = [&](const Stmt *S) {
    std::vector<std::pair<Block *, size_t>> R; // outermost first
    for (const Stmt *X = S; X; X = P.Spots.lookup(X).Parent)
      R.insert(R.begin(), {P.Spots.lookup(X).In, P.Spots.lookup(X).Index});
    return R;
  };
  std::vector<std::vector<std::pair<Block *, size_t>>> Writes, Reads;
  for (Copy &C : T.Copies)
    Writes.push_back(chain(C.S));
  for (Read &R : T.Reads)
    Reads.push_back(chain(R.S));
  // The innermost block that holds them all.
  size_t Depth = 0;
  auto all = [&](auto F) { return llvm::all_of(Writes, F) && llvm::all_of(Reads, F); };
  while (all([&](const auto &C) {
    return C.size() > Depth + 1 && Writes[0].size() > Depth + 1 &&
           C[Depth + 1].first == Writes[0][Depth + 1].first;
  }))
    ++Depth;
  T.B = Writes[0][Depth].first;
  size_t LastWrite = 0, FirstRead = SIZE_MAX;
  for (auto &C : Writes)
    LastWrite = std::max(LastWrite, C[Depth].second);
  for (auto &C : Reads)
    FirstRead = std::min(FirstRead, C[Depth].second);
  if (FirstRead <= LastWrite) {
    refuse(Refusal::StagingModified, T.V, "is written again after it was read", T.Copies.back().S->Range);
    return false;
  }
  for (size_t I = LastWrite + 1; I < FirstRead; ++I)
    if ((*T.B)[I]->K == StmtKind::Barrier)
      T.Barrier = (*T.B)[I];
  if (!T.Barrier) {
    refuse(Refusal::StagingNotACopy, T.V, "is read without a barrier behind its copy", T.Reads[0].Load->Range);
    return false;
  }
  if (!A.controlOf(T.Barrier).uniform()) {
    refuse(Refusal::DivergentBarrier, T.V, "is copied before a barrier that not all work-items reach",
           T.Barrier->Range);
    return false;
  }
  return true;
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
          if (!Rest.isConstant())
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
bool Delocalizer::distinct(const Tile &T) {
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
      for (size_t I = 0; I < C.Index.size() && I < D.Index.size(); ++I) {
        Poly Way = substituteAll(C.Index[I] - D.Index[I], pinned), One = Poly::constant(1);
        Apart |= P.prove(Way - One, Known) || P.prove(Way * -1 - One, Known);
      }
      // Ids pinned to two values: no work-item does both.
      for (const auto &[S, Value] : C.Pins)
        if (auto It = D.Pins.find(S); It != D.Pins.end())
          Apart |= (Value - It->second).isConstant() && !(Value == It->second);
      if (!Apart) {
        refuse(Refusal::StagingModified, T.V, "may be filled twice by one work-item", D.S->Range);
        return false;
      }
    }
  return true;
}

/// Flat indices of two local ids: finds the length of a row. False: there is none.
bool Delocalizer::rows(Tile &T) {
  std::optional<int64_t> Row;
  for (Copy &C : T.Copies) {
    if (C.Index.size() != 1)
      return false;
    unsigned Ids = 0;
    int64_t Largest = 0;
    for (const auto &[Mono, Coefficient] : C.Index[0].Terms) {
      bool Id = llvm::any_of(Mono, [&](unsigned S) {
        return C.Rounds.contains(S) || S == P.localId(0) || S == P.localId(1) || S == P.localId(2);
      });
      if (!Id)
        continue;
      if (Mono.size() != 1)
        return false; // rows of a length that is no constant
      ++Ids;
      Largest = std::max(Largest, std::abs(Coefficient));
    }
    if (Ids >= 2 && Largest > 1)
      Row = Row ? std::min(*Row, Largest) : Largest;
  }
  T.RowLength = Row;
  if (!Row)
    return false;
  // What the copies themselves need of the local size.
  for (Copy &C : T.Copies) {
    std::vector<Poly> Known;
    for (const Fact &F : C.OwnerGuards)
      P.nonNegative(F, Known);
    if (!divide(substituteAll(C.Index[0], [&](unsigned S) {
          auto It = C.Pins.find(S);
          return It == C.Pins.end() ? Poly::symbol(S) : It->second;
        }), *Row, Known))
      return false;
  }
  return true;
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
std::optional<std::vector<Poly>> Delocalizer::divide(const Poly &Flat, int64_t Row,
                                                     llvm::ArrayRef<Poly> Known) {
  Poly Q, R;
  for (const auto &[Mono, C] : Flat.Terms) {
    Poly Term;
    Term.Terms[Mono] = C;
    if (!Mono.empty() && C % Row == 0) {
      Term.Terms[Mono] = C / Row;
      Q = Q + Term;
    } else if (!Mono.empty()) {
      R = R + Term;
    }
  }
  int64_t C = Flat.constantTerm(), Floor = C / Row - (C % Row < 0);
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
    Poly Rest = R + Poly::constant(C - M0 * Row);
    P.LocalMax = Saved;
    if (P.prove(Rest, Known) && P.prove(Poly::constant(Row - 1) - Rest, Known, /*Assume=*/true) &&
        (!Best || asks(P.LocalMax) > asks(Loosest))) {
      Best = std::vector<Poly>{Q + Poly::constant(M0), Rest};
      Loosest = P.LocalMax;
    }
  }
  P.LocalMax = Loosest;
  return Best;
}

std::vector<Poly> Delocalizer::known(const Read &R) {
  std::vector<Poly> Known = Always;
  for (const Fact &F : P.factsAt(R.S))
    P.nonNegative(F, Known);
  for (const Fact &F : R.Inside)
    P.nonNegative(F, Known);
  return Known;
}

//===----------------------------------------------------------------------===//
// Who copied an element, and what
//===----------------------------------------------------------------------===//

/// The ids and rounds in which C stores the element at Index.
std::optional<Mapping> Delocalizer::solve(const Tile &T, const Copy &C, llvm::ArrayRef<Poly> Index) {
  Mapping Map = C.Pins;
  unsigned Next = Undetermined;
  auto pinned = [&](unsigned S) {
    auto It = C.Pins.find(S);
    return It == C.Pins.end() ? Poly::symbol(S) : It->second;
  };
  auto isId = [&](unsigned S) {
    return C.Rounds.contains(S) || S == P.localId(0) || S == P.localId(1) || S == P.localId(2);
  };
  std::vector<Poly> Own = C.Index;
  if (T.RowLength && Own.size() == 1) {
    std::vector<Poly> Known;
    for (const Fact &F : C.OwnerGuards)
      P.nonNegative(F, Known);
    auto Divided = divide(substituteAll(Own[0], pinned), *T.RowLength, Known);
    if (!Divided)
      return std::nullopt;
    Own = *Divided;
  }
  if (Own.size() != Index.size())
    return std::nullopt;
  for (size_t D = 0; D < Own.size(); ++D) {
    Poly I = substituteAll(Own[D], pinned);
    // One id that moves by one element; the others must not matter.
    std::optional<unsigned> Solved;
    int64_t Sign = 1;
    for (const auto &[Mono, Coefficient] : I.Terms)
      if (Mono.size() == 1 && isId(Mono[0]) && !Map.contains(Mono[0]) && I.degree(Mono[0]) == 1 &&
          (Coefficient == 1 || Coefficient == -1) && !Solved) {
        Solved = Mono[0];
        Sign = Coefficient;
      }
    if (!Solved) {
      if (mentions(I, [&](unsigned S) { return isId(S) && !Map.contains(S); }))
        return std::nullopt;
      continue; // one place: the caller asks whether it is that
    }
    Poly Rest = I - Poly::symbol(*Solved) * Sign;
    Rest = substituteAll(Rest, [&](unsigned S) {
      if (!isId(S))
        return Poly::symbol(S);
      auto [It, New] = Map.try_emplace(S);
      if (New)
        It->second = Poly::symbol(Next++);
      return It->second;
    });
    Map[*Solved] = (Index[D] - Rest) * Sign;
  }
  // Work-items that differ in an id that neither index nor guards mention all store
  // the same element, hence (no race) the same value: the reader's own id will do.
  for (unsigned D = 0; D < 3; ++D) {
    unsigned S = P.localId(D);
    if (Map.contains(S))
      continue;
    bool Mentioned = llvm::any_of(C.Index, [&](const Poly &I) { return I.has(S); });
    for (const Fact &F : C.OwnerGuards)
      Mentioned |= A.poly(F.Cond->Ops[0], F.At).has(S) || A.poly(F.Cond->Ops[1], F.At).has(S);
    Map[S] = Poly::symbol(Mentioned ? Next++ : S);
  }
  for (unsigned S : C.Rounds)
    if (!Map.contains(S))
      Map[S] = Poly::symbol(Next++);
  return Map;
}

/// E, computed by a copy at From, for the work-item that Map describes, as an
/// expression at To. Null: it cannot be said.
const Expr *Delocalizer::transform(const Expr *E, const Stmt *From, const Mapping &Map,
                                   const Stmt *To, unsigned Depth) {
  if (Depth > 16)
    return nullptr;
  auto image = [&](unsigned S) {
    if (auto It = Map.find(S); It != Map.end())
      return It->second;
    for (unsigned D = 0; D < 3; ++D)
      if (S == P.globalId(D))
        return Poly::symbol(S) - Poly::symbol(P.localId(D)) + Map.at(P.localId(D));
    return Poly::symbol(S);
  };
  if (E->Ty->isScalar() && E->Ty->isInteger()) {
    Poly Q = A.poly(E, From);
    bool Atom = Q.Terms.size() == 1 && !Q.isConstant() && !mentions(Q, [&](unsigned S) {
      return A.symbol(S).K != SymbolInfo::Atom;
    });
    bool Clean = !mentions(Q, [&](unsigned S) {
      if (Map.contains(S))
        return false;
      const SymbolInfo &I = A.symbol(S);
      if (I.K == SymbolInfo::WorkItem)
        return false;
      if (I.K == SymbolInfo::LoopVar || I.K == SymbolInfo::Iteration)
        return !P.isInside(To, I.Loop);
      return I.Varies.Item != 0 || (I.K == SymbolInfo::Atom && !P.isValid(S, To));
    });
    if (Clean && !(Atom && E->K != ExprKind::VarRef)) {
      Poly New = substituteAll(Q, image);
      if (New == Q && !Canonical && E->K != ExprKind::IntConst && P.isVisible(E, To) && A.poly(E, To) == Q)
        return E;
      New = substituteAll(New, [&](unsigned S) {
        auto It = ReaderPins.find(S);
        return It == ReaderPins.end() ? Poly::symbol(S) : It->second;
      });
      return isUndetermined(New) ? nullptr : P.express(New, E->Ty, To);
    }
  }
  switch (E->K) {
  case ExprKind::IntConst:
  case ExprKind::FloatConst:
    return E;
  case ExprKind::WorkItem:
    return nullptr;
  case ExprKind::VarRef: {
    if (E->V->K == Var::Param)
      return A.defs(E->V).empty() ? E : nullptr;
    if (auto C = choiceOf(E->V)) {
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
        (E->Acc.Base->space() != AddressSpace::Global && E->Acc.Base->space() != AddressSpace::Constant))
      return nullptr;
    break;
  case ExprKind::Opaque:
    return nullptr;
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

/// X >= 0 or X == 0, said without leading minus.
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

/// Value, copied by C under its conditions over the data. Fine is false where
/// they cannot be said at the read.
const Expr *Delocalizer::under(const Copy &C, const Expr *Value, const Mapping &Map, const Read &R,
                               llvm::ArrayRef<Poly> Known, bool &Fine) {
  const Expr *Guard = nullptr;
  for (const Fact &F : C.DataGuards) {
    const Expr *Cond = transform(F.Cond, F.At, Map, R.S);
    if (!Cond) {
      Fine = false;
      return Value;
    }
    // Does it follow from what holds here?
    std::vector<Poly> Wanted;
    P.nonNegative({Cond, F.Holds, R.S}, Wanted);
    if (!Wanted.empty() && llvm::all_of(Wanted, [&](const Poly &W) { return P.prove(W, Known); }))
      continue;
    if (C.MayKeepOlder) {
      Fine = false;
      return Value;
    }
    if (!F.Holds)
      Cond = simplify(M, M.unary(Op::LogicalNot, Cond));
    Guard = Guard ? M.binary(Op::LogicalAnd, Cond, Guard) : Cond;
  }
  if (!Guard)
    return Value;
  const Type *Ty = Value->Ty;
  const Expr *Zero = isFloat(Ty->Scalar) ? M.floatConst(0, Ty) : M.intConst(0, Ty);
  return M.select(Guard, Value, Zero);
}

/// What R reads, from the sources.
const Expr *Delocalizer::valueAt(const Tile &T, const Read &R, std::string &Why) {
  std::vector<Poly> Known = known(R);
  std::vector<Poly> Index;
  for (const Expr *I : R.Load->Acc.Index)
    Index.push_back(A.poly(I, R.S));

  // It reads inside of the tile.
  const Type *Part = T.V->Ty;
  for (const Poly &I : Index) {
    if (Part->K == Type::Array)
      Known.push_back(Poly::constant(int64_t(Part->Count) - 1) - I);
    Known.push_back(I);
    Part = Part->Elem ? Part->Elem : Part;
  }

  // What this very work-item stored.
  for (const Copy &C : T.Copies) {
    if (C.Index != Index || !C.Rounds.empty() || (T.Copies.size() > 1 && !C.Guards.empty()))
      continue;
    Mapping Same;
    for (unsigned D = 0; D < 3; ++D)
      Same[P.localId(D)] = Poly::symbol(P.localId(D));
    bool Owner = llvm::all_of(C.OwnerGuards, [&](const Fact &F) {
      std::vector<Poly> Wanted;
      P.nonNegative(F, Wanted);
      return !Wanted.empty() && llvm::all_of(Wanted, [&](const Poly &W) { return P.prove(W, Known); });
    });
    if (!Owner)
      continue;
    bool Fine = true;
    if (const Expr *V = transform(C.S->E, C.S, Same, R.S))
      if (const Expr *Value = under(C, V, Same, R, Known, Fine); Fine) {
        askForRows(C);
        return Value;
      }
  }

  if (T.RowLength && Index.size() == 1) {
    auto Divided = divide(Index[0], *T.RowLength, Known);
    if (!Divided) {
      Why = "is read at a place that may lie in the next row";
      return nullptr;
    }
    Index = *Divided;
  }
  // The copy that fills most elements speaks for all that agree with it.
  const Copy *Main = nullptr;
  for (const Copy &C : T.Copies)
    if (!Main || C.Pins.size() + C.OwnerGuards.size() < Main->Pins.size() + Main->OwnerGuards.size())
      Main = &C;
  auto Map = solve(T, *Main, Index);
  const Expr *Value = Map ? transform(Main->S->E, Main->S, *Map, R.S) : nullptr;
  bool Fine = Value != nullptr;
  if (Fine)
    Value = under(*Main, Value, *Map, R, Known, Fine);
  if (!Fine) {
    Why = "is read at a place whose copy cannot be told";
    return nullptr;
  }
  for (const Copy &C : T.Copies) {
    if (&C == Main)
      continue;
    // Does Main say the same of what C stores?
    auto pinned = [&](unsigned S) {
      auto It = C.Pins.find(S);
      return It == C.Pins.end() ? Poly::symbol(S) : It->second;
    };
    std::vector<Poly> Stored;
    for (const Poly &I : C.Index)
      Stored.push_back(substituteAll(I, pinned));
    std::vector<Poly> Filled;
    for (const Fact &F : C.Guards)
      P.nonNegative(F, Filled);
    bool CanDivide = true;
    if (T.RowLength && Stored.size() == 1) {
      auto Divided = divide(Stored[0], *T.RowLength, Filled);
      CanDivide = Divided.has_value();
      if (Divided)
        Stored = *Divided;
    }
    Mapping Own = C.Pins;
    for (unsigned D = 0; D < 3; ++D)
      Own.try_emplace(P.localId(D), Poly::symbol(P.localId(D)));
    if (CanDivide && C.DataGuards.empty() && Main->DataGuards.empty())
      if (auto ByMain = solve(T, *Main, Stored)) {
        Canonical = true;
        const Expr *X = transform(Main->S->E, Main->S, *ByMain, C.S);
        const Expr *Y = transform(C.S->E, C.S, Own, C.S);
        Canonical = false;
        if (X && Y && equal(X, Y))
          continue;
      }
    // Otherwise its elements must be told from Main's.
    auto Here = CanDivide ? solve(T, C, Index) : std::nullopt;
    // Where C stores one place only, the reader of that place is known too.
    for (size_t D = 0; Here && D < Stored.size(); ++D) {
      Poly Off = Index[D] - Stored[D];
      for (unsigned I = 0; I < 3; ++I) {
        unsigned S = P.localId(I);
        auto It = Off.Terms.find(Monomial{S});
        if (Stored[D].isConstant() && It != Off.Terms.end() && (It->second == 1 || It->second == -1) &&
            Off.degree(S) == 1)
          if (Poly Rest = Off - Poly::symbol(S) * It->second; Rest.isConstant())
            ReaderPins[S] = Rest * -It->second;
      }
    }
    const Expr *Mine = Here ? transform(C.S->E, C.S, *Here, R.S) : nullptr;
    bool Said = Mine != nullptr;
    if (Said)
      Mine = under(C, Mine, *Here, R, Known, Said);
    ReaderPins.clear();
    if (!Said) {
      Why = "is filled by copies that cannot be told apart";
      return nullptr;
    }
    std::vector<const Expr *> Conds;
    bool Never = false, Told = false;
    auto want = [&](Op O, const Poly &X) {
      bool Equal = O == Op::EQ;
      Poly Minus = X * -1;
      if (P.prove(X, Known) && (!Equal || P.prove(Minus, Known))) {
        Told |= Equal;
        return;
      }
      if (P.prove(Minus - Poly::constant(1), Known) ||
          (Equal && P.prove(X - Poly::constant(1), Known))) {
        Never = true;
        return;
      }
      Told = true;
      const Expr *Cond = compare(O, X, R.S);
      Said &= Cond != nullptr;
      if (Cond)
        Conds.push_back(Cond);
    };
    for (size_t D = 0; D < Stored.size(); ++D)
      if (!mentions(Stored[D], [&](unsigned S) {
            return C.Rounds.contains(S) || S == P.localId(0) || S == P.localId(1) || S == P.localId(2);
          }))
        want(Op::EQ, Index[D] - Stored[D]);
    for (unsigned D = 0; D < 3; ++D)
      if (Poly L = Here->at(P.localId(D)); !isUndetermined(L) && !C.Pins.contains(P.localId(D)))
        want(Op::GE, L);
    for (const Fact &F : C.OwnerGuards) {
      Poly X = A.poly(F.Cond->Ops[0], F.At), Y = A.poly(F.Cond->Ops[1], F.At);
      auto image = [&](unsigned S) {
        auto It = Here->find(S);
        return It == Here->end() ? Poly::symbol(S) : It->second;
      };
      Poly Diff = substituteAll(Y - X, image); // holds as Diff O' 0
      if (isUndetermined(Diff)) {
        Said = false;
        break;
      }
      Op O = F.Cond->O;
      if (!F.Holds)
        O = O == Op::LT ? Op::GE : O == Op::LE ? Op::GT : O == Op::GT ? Op::LE : O == Op::GE ? Op::LT : O == Op::EQ ? Op::NE : Op::EQ;
      Poly One = Poly::constant(1);
      switch (O) {
      case Op::LT: want(Op::GE, Diff - One); break;
      case Op::LE: want(Op::GE, Diff); break;
      case Op::GT: want(Op::GE, Diff * -1 - One); break;
      case Op::GE: want(Op::GE, Diff * -1); break;
      case Op::EQ:
        if (!Diff.isZero())
          want(Op::EQ, Diff);
        break;
      default: Said = false;
      }
    }
    if (Never)
      continue;
    if (!Said || (!Told && Conds.empty() && C.OwnerGuards.empty() && C.Pins.empty())) {
      Why = "is filled by copies that cannot be told apart";
      return nullptr;
    }
    const Expr *All = nullptr;
    for (const Expr *Cond : Conds)
      All = All ? M.binary(Op::LogicalAnd, All, Cond) : Cond;
    Value = All ? M.select(All, Mine, Value) : Mine;
  }
  return Value;
}

//===----------------------------------------------------------------------===//
// The edit
//===----------------------------------------------------------------------===//

bool Delocalizer::rewrite(Tile &T) {
  if (!find(T))
    return false;
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
  if (!placed(T))
    return false;
  for (Copy &C : T.Copies)
    if (!describe(T, C))
      return false;
  if (!distinct(T))
    return false;
  // Every work-item stores inside of the tile.
  Always.clear();
  for (Copy &C : T.Copies) {
    const Type *Part = T.V->Ty;
    for (const Poly &I : C.Index) {
      if (Part->K == Type::Array && C.Guards.empty() && C.Rounds.empty())
        Always.push_back(Poly::constant(int64_t(Part->Count) - 1) - I);
      Part = Part->Elem ? Part->Elem : Part;
    }
  }
  auto SavedMax = P.LocalMax;
  auto SavedWhen = When;
  std::map<std::pair<const Stmt *, const Expr *>, const Expr *> New;
  // As it is indexed; then as rows.
  for (bool Rows : {false, true}) {
    P.LocalMax = SavedMax;
    When = SavedWhen;
    New.clear();
    if (Rows && !rows(T))
      T.RowLength.reset();
    const Read *Failed = nullptr;
    std::string Why;
    for (const Read &R : T.Reads) {
      const Expr *Value = valueAt(T, R, Why);
      if (!Value) {
        Failed = &R;
        break;
      }
      New[{R.S, R.Load}] = M.cast(Value, R.Load->Ty, true);
    }
    if (!Failed)
      break;
    if (Rows) {
      refuse(Refusal::StagingNotACopy, T.V, Why, Failed->Load->Range);
      P.LocalMax = SavedMax;
      When = SavedWhen;
      return false;
    }
  }
  if ((P.LocalMax != SavedMax || When != SavedWhen) && !Needs) {
    refuse(Refusal::GroupGeometry, T.V, "has rows that a larger work-group would overlap", T.Copies[0].S->Range);
    P.LocalMax = SavedMax;
    When = SavedWhen;
    return false;
  }
  Replace.insert(New.begin(), New.end());
  for (Copy &C : T.Copies) {
    Dead.insert(C.S);
    walk(C.S->E, [&](const Expr *X) {
      const Var *Source = X->K == ExprKind::Load ? X->Acc.Base : nullptr;
      if (Source && Source->isPointerParam() && Source->space() == AddressSpace::Global)
        for (const Var *W : Written)
          if (W->isPointerParam() && W->space() == AddressSpace::Global && !W->Ty->Restrict &&
              !Source->Ty->Restrict)
            Obligations.push_back("buffers '" + Source->Name + "' and '" + W->Name + "' do not overlap");
      return true;
    });
  }
  return true;
}

/// Barriers go if nothing that one work-item writes is touched by another across
/// one: what was between the same barriers anyway, or what no two items share.
void Delocalizer::dropBarriers() {
  bool Others = false;
  walk(K.Body, [&](Stmt *S) {
    Others |= S->K == StmtKind::Atomic || S->K == StmtKind::AsyncCopy || S->K == StmtKind::Call ||
              S->K == StmtKind::Opaque;
    return true;
  });
  if (Others)
    return;
  auto hasBarrier = [](const Stmt *L) {
    bool Has = false;
    walk(L->Body, [&](Stmt *S) { return !(Has |= S->K == StmtKind::Barrier); });
    return Has;
  };
  llvm::DenseMap<const Var *, unsigned> Interval;
  llvm::DenseSet<const Var *> Crossing;
  {
    KernelAnalysis With(M, K);
    for (const AccessSite &X : With.accesses()) {
      auto [It, New] = Interval.try_emplace(X.A->Base, X.Interval);
      if (It->second != X.Interval || llvm::any_of(X.Loops, hasBarrier))
        Crossing.insert(X.A->Base);
    }
  }
  std::vector<std::pair<Block *, Block>> Saved;
  std::function<void(Block &)> drop = [&](Block &B) {
    for (Stmt *S : B)
      forEachBlock(*S, drop);
    Saved.push_back({&B, B});
    llvm::erase_if(B, [](const Stmt *S) { return S->K == StmtKind::Barrier; });
  };
  drop(K.Body);
  KernelAnalysis Without(M, K);
  bool Needed = false;
  for (const AccessSite &X : Without.accesses())
    if (X.IsWrite && Crossing.contains(X.A->Base) && X.A->Base->space() != AddressSpace::Private)
      for (const AccessSite &Y : Without.accesses())
        Needed |= Y.A->Base == X.A->Base && Without.conflict(X, Y) != Conflict::No;
  if (Needed)
    for (auto &[Place, Old] : Saved)
      *Place = std::move(Old);
}

unsigned Delocalizer::run() {
  walk(K.Body, [&](Stmt *S) {
    if (S->K != StmtKind::Decl && S->Acc.Base)
      Written.insert(S->Acc.Base);
    return true;
  });
  llvm::SmallVector<Var *, 4> Tiles;
  for (Var *V : K.Params)
    if (V->isPointerParam() && V->space() == AddressSpace::Local)
      Tiles.push_back(V);
  for (Var *V : K.Vars)
    if (V->K == Var::Memory && V->AS == AddressSpace::Local)
      Tiles.push_back(V);
  unsigned Done = 0;
  for (Var *V : Tiles) {
    Tile T;
    T.V = V;
    if (rewrite(T))
      ++Done;
  }
  if (!Done)
    return 0;
  // Loads inside of replaced expressions are loads of sources.
  const Stmt *Here = nullptr;
  std::function<const Expr *(const Expr *)> replace = [&](const Expr *E) -> const Expr * {
    auto It = Replace.find({Here, E});
    return It != Replace.end() ? It->second : mapOperands(M, E, replace);
  };
  std::function<void(Block &)> edit = [&](Block &B) {
    Block Kept;
    for (Stmt *S : B) {
      forEachBlock(*S, edit);
      if (Dead.contains(S))
        continue;
      Here = S;
      mapExprs(M, *S, [&](const Expr *E) {
        const Expr *New = replace(E);
        return New == E ? E : simplify(M, New);
      });
      Kept.push_back(S);
    }
    B = std::move(Kept);
  };
  edit(K.Body);
  dropBarriers();
  cleanup(M, K);
  if (Needs) {
    llvm::sort(Obligations);
    Obligations.erase(std::unique(Obligations.begin(), Obligations.end()), Obligations.end());
    Needs->Obligations.insert(Needs->Obligations.end(), Obligations.begin(), Obligations.end());
    llvm::append_range(Needs->When, When);
    for (unsigned D = 0; D < 3; ++D)
      if (P.LocalMax[D])
        Needs->LocalMax[D] = std::min(Needs->LocalMax[D].value_or(INT64_MAX), *P.LocalMax[D] + 1);
  }
  return Done;
}

} // namespace

unsigned delocalize(Module &M, Kernel &K, std::vector<RefusalAt> &Refusals, StagingNeeds *Needs) {
  bool HasOpaque = !K.Opaques.empty();
  walk(K.Body, [&](Stmt *S) { return !(HasOpaque |= S->K == StmtKind::Opaque); });
  return HasOpaque ? 0 : Delocalizer(M, K, Refusals, Needs).run();
}

} // namespace clmali::rewrite
