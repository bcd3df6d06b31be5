//===-- rewriters/staging/StageEdit.cpp - Tiles for what a group reads ---===//
//
// Part of stageReuse: declares the tiles, fills them by asynchronous copies, and replaces the loads
// of the source by loads of the tiles. Groups that fail the test run the original code.
//
//===----------------------------------------------------------------------===//

#include "rewriters/staging/Stager.h"
#include "llvm/ADT/STLExtras.h"

namespace clmali::rewrite {

/// X >= 0, written without subtraction.
const Expr *Stager::compare(const Poly &X, const Stmt *At) {
  Poly More, Less;
  for (const auto &[Mono, C] : X.Terms)
    (C > 0 ? More : Less).Terms[Mono] = std::abs(C);
  const Type *Int = M.value(ScalarKind::Int);
  const Expr *L = P.express(Less, Int, At), *R = P.express(More, Int, At);
  return L && R ? M.binary(Op::LE, L, R) : nullptr;
}

/// for (int row = Row; row < RowEnd; row++) copied = async_work_group_copy(tile[row - first], ...)
Stmt *Stager::copyRows(const Tile &T, int64_t Row, int64_t RowEnd,
                       std::pair<int64_t, int64_t> Columns, Var *Event, const Stmt *At) {
  const Type *Int = M.value(ScalarKind::Int);
  const Load &L = T.Loads.front();
  Stmt *Copy = M.newStmt(StmtKind::AsyncCopy);
  Copy->Name = "async_work_group_copy";
  Copy->V = Event;
  Copy->Source = L.E->Acc;
  Copy->Args = {M.intConst(Columns.second - Columns.first + 1, Int)};
  Copy->Acc = L.E->Acc;
  Copy->Acc.Base = T.V;
  uint32_t Size = L.E->Acc.Stride[0];
  auto Column = M.intConst(Columns.first - T.FirstColumn, Int);
  int64_t First = T.Rows.begin()->first;
  Poly Start = L.W.Start + Poly::constant(Columns.first);
  if (!T.TwoDimensional) {
    Copy->Acc.Index = {Column};
    Copy->Source.Index[0] = P.express(Start + L.W.Pitch * First, Int, At);
    return Copy->Source.Index[0] ? Copy : nullptr;
  }
  Copy->Acc.Stride = {uint32_t(T.LastColumn - T.FirstColumn + 1) * Size, Size};
  if (RowEnd - Row == 1) {
    Copy->Acc.Index = {M.intConst(Row - First, Int), Column};
    Copy->Source.Index[0] = P.express(Start + L.W.Pitch * Row, Int, At);
    return Copy->Source.Index[0] ? Copy : nullptr;
  }
  const Expr *Begin = P.express(Start + L.W.Pitch * First, Int, At),
             *Pitch = P.express(L.W.Pitch, Int, At);
  if (!Begin || !Pitch)
    return nullptr;
  Var *Counter = newTemp(M, K, "row", Int);
  Stmt *Loop = M.newStmt(StmtKind::Loop);
  Stmt *Init = M.newStmt(StmtKind::Decl);
  Init->V = Counter;
  Init->E = M.intConst(Row - First, Int);
  Loop->Init = {Init};
  Loop->E = M.binary(Op::LT, M.ref(Counter), M.intConst(RowEnd - First, Int));
  Stmt *Next = M.newStmt(StmtKind::Assign);
  Next->V = Counter;
  Next->E = M.binary(Op::Add, M.ref(Counter), M.intConst(1, Int));
  Loop->Step = {Next};
  Copy->Acc.Index = {M.ref(Counter), Column};
  Copy->Source.Index[0] = M.binary(Op::Add, Begin, M.binary(Op::Mul, M.ref(Counter), Pitch));
  Loop->Body = {Copy};
  return Loop;
}

/// The index in the kernel's body of the first statement that reads a tile.
size_t Stager::firstReader(llvm::ArrayRef<Tile> Tiles) const {
  size_t From = K.Body.size();
  for (const Tile &T : Tiles)
    for (const Load &L : T.Loads) {
      const Stmt *S = L.S;
      while (const Stmt *Up = P.Positions.lookup(S).Parent)
        S = Up;
      From = std::min(From, P.Positions.lookup(S).Index);
    }
  return From;
}

/// The tests of all loads, each once and in its strictest form; null: there are none. Nothing: they
/// cannot be expressed at At.
std::optional<const Expr *> Stager::wholeGroupTest(llvm::ArrayRef<Tile> Tiles, const Stmt *At) {
  std::map<std::map<Monomial, int64_t>, int64_t> Tests;
  for (const Tile &T : Tiles)
    for (const Load &L : T.Loads)
      for (const Poly &X : L.Tests) {
        int64_t C = X.constantTerm();
        auto Rest = X.Terms;
        Rest.erase(Monomial());
        auto [It, New] = Tests.try_emplace(Rest, C);
        It->second = std::min(It->second, C);
      }
  const Expr *Whole = nullptr;
  for (const auto &[Rest, C] : Tests) {
    Poly X;
    X.Terms = Rest;
    const Expr *Cond = compare(X + Poly::constant(C), At);
    if (!Cond)
      return std::nullopt;
    Whole = Whole ? M.binary(Op::LogicalAnd, Whole, Cond) : Cond;
  }
  return Whole;
}

/// Makes T's variable and adds the copies that fill it to Fill. False: they cannot be expressed.
bool Stager::declareTile(Tile &T, Var *Event, const Stmt *At, StmtList &Fill) {
  const Access &Acc = T.Loads.front().E->Acc;
  const Type *Ty =
      M.array(M.value(Acc.Elem, Acc.Lanes), uint64_t(T.LastColumn - T.FirstColumn + 1));
  if (T.TwoDimensional)
    Ty = M.array(Ty, T.Rows.size());
  T.V = M.newVar(Var::Memory, uniqueName(K, T.Source->Name + "_tile"), Ty);
  T.V->AS = AddressSpace::Local;
  K.Vars.push_back(T.V);
  // Rows of one length together.
  for (auto It = T.Rows.begin(); It != T.Rows.end();) {
    auto End = It;
    while (End != T.Rows.end() && End->second == It->second)
      ++End;
    int64_t Last = std::prev(End)->first;
    Stmt *Copy = copyRows(T, It->first, Last + 1, It->second, Event, At);
    if (!Copy)
      return false;
    Fill.push_back(Copy);
    It = End;
  }
  return true;
}

/// Adds loads of T for the loads of its source. False: they cannot be expressed.
bool Stager::replaceLoads(const Tile &T, Replacements &Replace) {
  const Type *Int = M.value(ScalarKind::Int);
  for (const Load &L : T.Loads) {
    Access New = L.E->Acc;
    New.Base = T.V;
    const Expr *Column = P.express(L.W.Column - Poly::constant(T.FirstColumn), Int, L.S);
    const Expr *Row = P.express(L.W.Row - Poly::constant(T.Rows.begin()->first), Int, L.S);
    if (!Column || !Row)
      return false;
    if (T.TwoDimensional) {
      New.Index = {Row, Column};
      New.Stride = {uint32_t(T.LastColumn - T.FirstColumn + 1) * L.E->Acc.Stride[0],
                    L.E->Acc.Stride[0]};
    } else {
      New.Index = {Column};
    }
    Replace[{L.S, L.E}] = M.load(New);
  }
  return true;
}

/// A copy of B with its own variables.
StmtList Stager::ownCopy(const StmtList &B) {
  llvm::DenseMap<Var *, Var *> Own;
  for (Stmt *S : stmts(B))
    if (S->K == StmtKind::Decl && S->V && !Own.contains(S->V)) {
      Var *V = M.newVar(S->V->K, uniqueName(K, S->V->Name), S->V->Ty);
      std::string Name = V->Name;
      *V = *S->V;
      V->Name = Name;
      Own[S->V] = V;
      K.Vars.push_back(V);
    }
  return cloneStmts(M, B, [&](Var *V) { return Own.contains(V) ? Own[V] : V; });
}

/// The branches that the test decides, and whether the group takes the body.
std::map<const Stmt *, bool> Stager::takenBranches(llvm::ArrayRef<Tile> Tiles) const {
  std::map<const Stmt *, bool> Taken;
  for (const Tile &T : Tiles)
    for (const Load &L : T.Loads)
      for (const Stmt *X = L.S; X; X = P.Positions.lookup(X).Parent)
        if (const Stmt *Around = P.Positions.lookup(X).Parent;
            Around && llvm::is_contained(L.Branches, Around))
          Taken[Around] = P.Positions.lookup(X).In == &Around->Body;
  return Taken;
}

/// Replaces loads in B, and branches by the arm that is taken.
void Stager::rewrite(StmtList &B, const Replacements &Replace,
                     const std::map<const Stmt *, bool> &Taken) {
  StmtList Kept;
  for (Stmt *S : B) {
    std::function<const Expr *(const Expr *)> replace = [&](const Expr *E) -> const Expr * {
      auto It = Replace.find({S, E});
      return It != Replace.end() ? It->second : mapOperands(M, E, replace);
    };
    mapExprs(M, *S, [&](const Expr *E) { return replace(E); });
    forEachStmtList(*S, [&](StmtList &Nested) { rewrite(Nested, Replace, Taken); });
    if (auto It = Taken.find(S); It != Taken.end())
      llvm::append_range(Kept, It->second ? S->Body : S->Else);
    else
      Kept.push_back(S);
  }
  B = std::move(Kept);
}

/// Stages Tiles. False: something cannot be expressed, and nothing was changed.
bool Stager::edit(std::vector<Tile> &Tiles) {
  const size_t From = firstReader(Tiles);
  const Stmt *At = K.Body[From], *FillAt = Strip ? Strip->Body.front() : At;
  std::optional<const Expr *> Whole = wholeGroupTest(Tiles, At);
  if (!Whole)
    return false;
  StmtList Fill, Tops;
  Var *Event = M.newVar(Var::Temp, uniqueName(K, "copied"), M.other("event_t"));
  auto declare = [&](StmtList &To, Var *V) {
    Stmt *D = M.newStmt(StmtKind::Decl);
    D->V = V;
    To.push_back(D);
  };
  declare(Fill, Event);
  Replacements Replace;
  const std::vector<Var *> Vars = K.Vars;
  K.Vars.push_back(Event);
  for (Tile &T : Tiles) {
    if (!declareTile(T, Event, FillAt, Fill) || !replaceLoads(T, Replace)) {
      K.Vars = Vars;
      return false;
    }
    declare(Tops, T.V);
  }
  Stmt *Wait = M.newStmt(StmtKind::Call);
  Wait->Name = "wait_group_events";
  Wait->V = Event;
  Fill.push_back(Wait);

  StmtList Tail(K.Body.begin() + From, K.Body.end()), Slow;
  if (*Whole)
    Slow = ownCopy(Before ? StmtList(Before->begin() + From, Before->end()) : Tail);
  rewrite(Tail, Replace, takenBranches(Tiles));
  StmtList Fast;
  if (Strip) {
    Strip->Body.insert(Strip->Body.begin(), Fill.begin(), Fill.end());
    Stmt *Fence = M.newStmt(StmtKind::Barrier);
    Fence->Name = "barrier";
    Fence->LocalFence = true;
    Strip->Body.push_back(Fence);
  } else {
    Fast = std::move(Fill);
  }
  llvm::append_range(Fast, Tail);
  K.Body.resize(From);
  if (*Whole) {
    Stmt *Both = M.newStmt(StmtKind::If);
    Both->E = *Whole;
    Both->Body = std::move(Fast);
    Both->Else = std::move(Slow);
    K.Body.push_back(Both);
  } else {
    llvm::append_range(K.Body, Fast);
  }
  K.Body.insert(K.Body.begin(), Tops.begin(), Tops.end());
  return true;
}

} // namespace clmali::rewrite
