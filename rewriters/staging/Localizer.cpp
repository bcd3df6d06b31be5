//===-- rewriters/staging/Localizer.cpp - Tiles filled by asynchronous copies -------===//
//
// Part of `localize`: finds the runs of elements that a tile is filled with, and fills it by
// asynchronous copies.
//
//===----------------------------------------------------------------------===//

#include "rewriters/staging/Delocalizer.h"
#include "llvm/ADT/STLExtras.h"

namespace clmali::rewrite {

/// Stand for the row and the column of an element while its source is looked for.
constexpr unsigned RowOf = Undetermined + 0x80, ColumnOf = Undetermined + 0x81;

/// What the tile's elements are copied from: Base + Way, in terms of RowOf, ColumnOf.
std::optional<Poly> Delocalizer::sourceOf(const Tile &T, const Copy &C, llvm::ArrayRef<Poly> Index,
                                          const Access *&From) {
  const Expr *E = C.S->E;
  const Stmt *At = C.S;
  for (unsigned Depth = 0; E->K == ExprKind::VarRef && Depth < 8; ++Depth) {
    const Stmt *D = A.singleDef(E->V);
    if (!D || !D->E || D->E->Ty != E->Ty)
      return std::nullopt;
    E = D->E;
    At = D;
  }
  if (E->K != ExprKind::Load || E->Acc.Index.size() != 1 || E->Acc.Volatile || E->Acc.Disp ||
      !E->Acc.Path.empty() || E->Acc.Elem != C.S->Acc.Elem || E->Acc.Lanes != C.S->Acc.Lanes ||
      E->Acc.Base->space() != AddressSpace::Global || E->Acc.F != Access::Subscript)
    return std::nullopt;
  From = &E->Acc;
  auto Map = solve(T, C, Index);
  if (!Map)
    return std::nullopt;
  return substituteAll(A.poly(E->Acc.Index[0], At), [&](unsigned S) {
    if (auto It = Map->find(S); It != Map->end())
      return It->second;
    for (unsigned D = 0; D < 3; ++D)
      if (S == P.globalId(D))
        return Poly::symbol(S) - Poly::symbol(P.localId(D)) + Map->at(P.localId(D));
    return Poly::symbol(S);
  });
}

/// What T's copies store, as one run of elements or rows of one length, from one run of
/// the source. False: why not.
bool Delocalizer::runOf(const Tile &T, Run &R, std::string &Why) {
  auto Elements = marked(T);
  if (!Elements || Elements->empty()) {
    Why = "is filled at places that cannot be counted";
    return false;
  }
  size_t Dims = Elements->begin()->size();
  std::map<int64_t, std::pair<int64_t, int64_t>> Rows; // row: first, last
  std::map<int64_t, int64_t> Counts;
  for (const Element &E : *Elements) {
    int64_t Row = Dims == 2 ? E[0] : 0, Column = E.back();
    auto [It, New] = Rows.try_emplace(Row, Column, Column);
    It->second.first = std::min(It->second.first, Column);
    It->second.second = std::max(It->second.second, Column);
    ++Counts[Row];
  }
  std::tie(R.First, R.Last) = Rows.begin()->second;
  R.Row0 = Rows.begin()->first;
  R.RowN = Rows.rbegin()->first;
  R.Rows = Dims == 2;
  bool Regular =
      Dims <= 2 && R.RowN - R.Row0 + 1 == int64_t(Rows.size()) && (!T.Row || T.Row->isConstant());
  for (const auto &[Row, Ends] : Rows)
    Regular &= Ends == std::make_pair(R.First, R.Last) && Counts[Row] == R.Last - R.First + 1;
  if (!Regular) {
    Why = "is not filled in one run or in rows of one length";
    return false;
  }
  // Where an element comes from: the same for all copies.
  std::vector<Poly> Index;
  if (R.Rows)
    Index.push_back(Poly::symbol(RowOf));
  Index.push_back(Poly::symbol(ColumnOf));
  R.Main = nullptr;
  for (const Copy &C : T.Copies)
    if (!R.Main ||
        C.Pins.size() + C.OwnerGuards.size() < R.Main->Pins.size() + R.Main->OwnerGuards.size())
      R.Main = &C;
  auto Way = sourceOf(T, *R.Main, Index, R.From);
  bool Same =
      Way && Way->degree(ColumnOf) == 1 && Way->coefficient(ColumnOf) == Poly::constant(1) &&
      !mentions(*Way, [](unsigned S) { return S >= Undetermined && S != RowOf && S != ColumnOf; });
  for (const Copy &C : T.Copies)
    Same = Same && (&C == R.Main || agree(T, *R.Main, C));
  if (!Same) {
    Why = "is not copied from one run of its source";
    return false;
  }
  R.Start = *Way - Poly::symbol(ColumnOf);
  return true;
}

bool Delocalizer::stage(Tile &T, unsigned MinGroup) {
  uint64_t Group = P.LocalSize[0];
  for (unsigned D = 1; D < 3; ++D)
    Group *= std::max<uint64_t>(1, P.LocalSize[D]);
  if (!find(T))
    return false;
  SourceRange Where = T.Copies[0].S->Range;
  if (Group < std::max(MinGroup, 1u)) {
    refuse(Refusal::GroupGeometry, T.V,
           Group ? "is filled by a group that is too small for the fast copy"
                 : "is filled by a group of unknown size",
           Where);
    return false;
  }
  if (!copies(T))
    return false;
  for (Copy &C : T.Copies)
    if (!C.DataGuards.empty()) {
      refuse(Refusal::StagingNotACopy, T.V, "is filled under a condition over the data",
             C.S->Range);
      return false;
    }
  if (const Copy *C = twice(T)) {
    refuse(Refusal::StagingModified, T.V, "may be filled twice by one work-item", C->S->Range);
    return false;
  }
  // As it is indexed; then as rows.
  Run Found;
  std::string Why;
  bool Fits = false;
  for (bool Rows : {false, true}) {
    if (Fits || (Rows && !rows(T)))
      break;
    Fits = runOf(T, Found, Why);
  }
  if (!Fits) {
    refuse(Refusal::StagingNotACopy, T.V, Why, Where);
    return false;
  }
  Poly Start = Found.Start;
  // In terms of the group: gid - lid is where the group begins.
  for (unsigned D = 0; D < 3; ++D) {
    unsigned G = P.globalId(D), L = P.localId(D);
    if (!Start.has(G) && !Start.has(L))
      continue;
    if (Start.degree(G) != 1 || Start.degree(L) != 1 ||
        !(Start.coefficient(G) + Start.coefficient(L)).isZero()) {
      refuse(Refusal::LocalIdUse, T.V, "is copied from a place that differs in the group", Where);
      return false;
    }
    Poly Begin = Poly::symbol(A.symbolFor(M.workItem(WorkItemQuery::GroupId, D))) *
                 int64_t(std::max<uint64_t>(1, P.LocalSize[D]));
    Start = Start.substitute(L, Poly()).substitute(G, Begin);
    static const char *const Offsets[] = {"ox == 0", "oy == 0", "oz == 0"};
    if (!llvm::is_contained(When, Offsets[D]))
      When.push_back(Offsets[D]);
  }
  if (mentions(Start, [&](unsigned S) {
        return S != RowOf && (S >= Undetermined || A.symbol(S).Varies.Item != 0);
      })) {
    refuse(Refusal::LocalIdUse, T.V, "is copied from a place that differs in the group", Where);
    return false;
  }
  if (Covered Known = covered(T); Known == Covered::Never) {
    refuse(Refusal::StagingNotACopy, T.V, "is read where nothing was copied",
           T.Reads[0].Load->Range);
    return false;
  }

  // The copies, in the place of the barrier.
  const Type *Int = M.value(ScalarKind::Int);
  Var *Round = nullptr;
  Poly Rest = Start;
  if (Start.has(RowOf)) {
    if (Start.degree(RowOf) != 1)
      return false;
    Rest = Start.substitute(RowOf, Poly());
  }
  const Expr *Begin = P.express(Rest + Poly::constant(Found.First), Int, T.Barrier);
  const Expr *Step = nullptr;
  if (Start.has(RowOf))
    Step = P.express(Start.coefficient(RowOf), Int, T.Barrier);
  if (!Begin || (Start.has(RowOf) && !Step)) {
    refuse(Refusal::LocalIdUse, T.V, "is copied from a place that cannot be said at the barrier",
           Where);
    return false;
  }
  StmtList &Made = Async[T.Barrier];
  Var *Event = nullptr;
  for (Stmt *S : Made)
    if (S->K == StmtKind::Decl)
      Event = S->V;
  if (!Event) {
    Event = newTemp(M, K, "copied", M.other("event_t"));
    Stmt *D = M.newStmt(StmtKind::Decl);
    D->V = Event;
    Made.push_back(D);
  }
  Stmt *Copy = M.newStmt(StmtKind::AsyncCopy);
  Copy->Name = "async_work_group_copy";
  Copy->V = Event;
  Copy->Acc = Found.Main->S->Acc;
  Copy->Source = *Found.From;
  Copy->Args = {M.intConst(Found.Last - Found.First + 1, Int)};
  // An array whose rows are contiguous is one run of elements.
  for (const Expr *&Index : Copy->Acc.Index)
    Index = M.intConst(0, Int);
  Copy->Acc.Index.back() = M.intConst(Found.First, Int);
  Copy->Source.Index[0] = Begin;
  if (Found.Rows) {
    Round = newTemp(M, K, "row", Int);
    Stmt *Loop = M.newStmt(StmtKind::Loop);
    Stmt *Init = M.newStmt(StmtKind::Decl);
    Init->V = Round;
    Init->E = M.intConst(Found.Row0, Int);
    Loop->Init = {Init};
    Loop->E = M.binary(Op::LT, M.ref(Round), M.intConst(Found.RowN + 1, Int));
    Stmt *Next = M.newStmt(StmtKind::Assign);
    Next->V = Round;
    Next->E = M.binary(Op::Add, M.ref(Round), M.intConst(1, Int));
    Loop->Step = {Next};
    if (T.Row) {
      const Expr *Begins = M.binary(Op::Mul, M.ref(Round), M.intConst(T.Row->constantTerm(), Int));
      Copy->Acc.Index.back() =
          Found.First ? M.binary(Op::Add, Begins, M.intConst(Found.First, Int)) : Begins;
    } else {
      Copy->Acc.Index[0] = M.ref(Round);
    }
    if (Step) {
      const Expr *Far =
          constantValue(Step) == 1 ? M.ref(Round) : M.binary(Op::Mul, M.ref(Round), Step);
      Copy->Source.Index[0] = M.binary(Op::Add, Begin, Far);
    }
    Loop->Body = {Copy};
    Made.push_back(Loop);
  } else {
    Made.push_back(Copy);
  }
  for (const auto &C : T.Copies)
    Dead.insert(C.S);
  Staged.insert(T.V);
  return true;
}

/// Fills tiles by async copies. MinGroup: work-items from which that is fast.
unsigned Delocalizer::localize(unsigned MinGroup) {
  PassName = "localize";
  unsigned Done = 0;
  for (Var *V : tilesInOrder()) {
    Tile T;
    T.V = V;
    auto SavedWhen = When;
    auto SavedMax = P.LocalMax;
    if (stage(T, MinGroup)) {
      ++Done;
    } else {
      When = SavedWhen;
      P.LocalMax = SavedMax;
    }
  }
  if (!Done)
    return 0;
  // A barrier had nothing else to order if local memory is nothing but these tiles, and
  // no memory is both written and read.
  bool OnlyTiles = true;
  for (const AccessSite &X : A.accesses()) {
    AddressSpace AS = X.A->Base->space();
    if (AS == AddressSpace::Local)
      OnlyTiles &= Staged.contains(X.A->Base);
    else if (AS == AddressSpace::Global && X.IsRead)
      OnlyTiles &= !Written.contains(X.A->Base);
  }
  std::function<void(StmtList &)> edit = [&](StmtList &B) {
    StmtList Kept;
    for (Stmt *S : B) {
      forEachStmtList(*S, edit);
      if (Dead.contains(S))
        continue;
      if (auto It = Async.find(S); It != Async.end()) {
        llvm::append_range(Kept, It->second);
        Stmt *Wait = M.newStmt(StmtKind::Call);
        Wait->Name = "wait_group_events";
        Wait->V = It->second.front()->V;
        Kept.push_back(Wait);
        if (OnlyTiles)
          continue;
      }
      Kept.push_back(S);
    }
    B = std::move(Kept);
  };
  edit(K.Body);
  cleanup(Edited);
  if (Needs) {
    llvm::append_range(Needs->When, When);
    for (unsigned D = 0; D < 3; ++D)
      if (P.LocalMax[D])
        Needs->LocalMax[D] = std::min(Needs->LocalMax[D].value_or(INT64_MAX), *P.LocalMax[D] + 1);
  }
  return Done;
}

} // namespace clmali::rewrite
