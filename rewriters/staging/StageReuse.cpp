//===-- rewriters/staging/StageReuse.cpp - Reuse through local memory ---------===//
//
// What it does, for GPUs with on-chip local memory: elements of a buffer that several work-items
// of a group read are copied to local memory first, row by row, by asynchronous copies:
//
//   before                               after
//   if (x > 0 && x < w - 1)              __local float src_tile[66];
//     dst[x] = src[x - 1] + src[x]       if (1 <= 64 * get_group_id(0) &&
//              + src[x + 1];                 64 * get_group_id(0) + 65 <= w) {
//                                          event_t copied = async_work_group_copy(src_tile,
//                                              src + (64 * get_group_id(0) - 1), 66, 0);
//                                          wait_group_events(1, &copied);
//                                          dst[x] = src_tile[l] + src_tile[l + 1] + src_tile[l +
//                                          2];
//                                        } else { as before }
//
// Legal if: the group's size is known; the kernel does not write the source; what a group reads
// is a window that moves with the group (one row, or several rows), known by enumeration. The
// guards of the reads, and the conditions under which a clamp does nothing, are tested for the
// whole group at once. Groups that pass copy exactly what their work-items read; the others run
// the original code. The test is uniform, so all work-items of a group reach the copy.
//
// Pays if: each element is read by at least two work-items, the group is large enough for the
// fast copy, and the tiles fit local memory (devices.yaml). The cost model decides between this
// and blocks of several elements for each work-item, which keep shared values in registers.
//
// A loop whose trip count is an argument (the sum of a product) is divided into strips. Each is
// copied before it is read, with a barrier after it; a loop as before does the remainder:
//
//   for (k = 0; k < n; k++)              for (; k0 + 16 <= n; k0 += 16) {
//     s += a[y * n + k] * x[k];            copied = async_work_group_copy(x_tile, x + k0, 16, 0);
//     ...
//                                          for (k1 = 0; k1 < 16; k1++)
//                                            s += a[y * n + (k0 + k1)] * x_tile[k1];
//                                          barrier(CLK_LOCAL_MEM_FENCE);
//                                        }
//                                        for (k = k0; k < n; k++) ...
//
// Limits: windows of one or two dimensions; loops of constant bounds around the reads, one
// of them in strips; the kernel has no local memory of its own.
//
//===----------------------------------------------------------------------===//

#include "rewriters/staging/Stager.h"
#include "llvm/ADT/STLExtras.h"

namespace clmali::rewrite {

/// Loads of more elements are not enumerated.
static constexpr double MaxElements = 200000;
/// A window is two-dimensional if its indices differ by at least MinPitch from row to row and by at
/// most MaxColumnStep within one.
static constexpr int64_t MinPitch = 16, MaxColumnStep = 4;

void Stager::refuse(Refusal Why, const Var *V, const std::string &Detail, SourceRange At) {
  RefusalAt R;
  R.Why = Why;
  R.Pass = "localize";
  R.Detail = "'" + V->Name + "' " + Detail;
  R.Range = At;
  Refusals.push_back(std::move(R));
}

std::array<unsigned, 3> Stager::groupSize() const {
  std::array<unsigned, 3> Size;
  for (unsigned Dm = 0; Dm < 3; ++Dm)
    Size[Dm] = unsigned(std::max<uint64_t>(1, Local[Dm]));
  return Size;
}

//===----------------------------------------------------------------------===//
// Indices in terms of the group
//===----------------------------------------------------------------------===//

/// True if S differs between the work-items of a group, or in the iterations of a loop.
bool Stager::varies(unsigned S) const {
  const SymbolInfo &I = A.symbol(S);
  if (I.K != SymbolInfo::LoopVar && I.K != SymbolInfo::Iteration)
    return I.Varies.Item;
  // Each iteration of the strips has its own copy: there the group is at one element.
  return I.Varies.Item || !Strip || !P.isInside(Strip, I.Loop);
}

/// The least and greatest value of a local id or of a loop's variable, if they are constants.
std::optional<std::pair<int64_t, int64_t>> Stager::valuesOf(unsigned S) const {
  for (unsigned Dm = 0; Dm < 3; ++Dm)
    if (S == P.localId(Dm))
      return std::pair<int64_t, int64_t>(0, int64_t(std::max<uint64_t>(1, Local[Dm])) - 1);
  const SymbolInfo &I = A.symbol(S);
  if (!I.Loop)
    return std::nullopt;
  auto L = A.countedLoop(I.Loop);
  if (!L || !L->TripCount || *L->TripCount < 1 || !runsWhole(I.Loop))
    return std::nullopt;
  if (I.K == SymbolInfo::Iteration)
    return std::pair<int64_t, int64_t>(0, *L->TripCount - 1);
  auto First = constantValue(L->Lower);
  if (!First || !L->Step)
    return std::nullopt;
  int64_t Last = *First + L->Step * (*L->TripCount - 1);
  return std::pair(std::min(*First, Last), std::max(*First, Last));
}

/// The value of clamp, min or max I in the group where it does nothing, which is added to Tests.
std::optional<Poly> Stager::withoutClamp(const SymbolInfo &I, const Stmt *At,
                                         std::vector<Poly> &Tests, unsigned Depth) {
  const Expr *E = I.E;
  if (!E || E->K != ExprKind::Call || !E->Ty->isScalar() || !isSigned(E->Ty->Scalar))
    return std::nullopt;
  auto inner = [&](const Expr *X) { return inGroup(A.poly(X, At), Tests, Depth + 1); };
  if (E->Name == "clamp" && E->Ops.size() == 3) {
    auto V = inner(E->Ops[0]), Lo = inner(E->Ops[1]), Hi = inner(E->Ops[2]);
    if (!V || !Lo || !Hi)
      return std::nullopt;
    Tests.push_back(*V - *Lo);
    Tests.push_back(*Hi - *V);
    return *V;
  }
  if ((E->Name != "min" && E->Name != "max") || E->Ops.size() != 2)
    return std::nullopt;
  auto Y = inner(E->Ops[0]), Z = inner(E->Ops[1]);
  if (!Y || !Z)
    return std::nullopt;
  auto moves = [&](const Poly &Q) { return mentions(Q, [&](unsigned S) { return varies(S); }); };
  bool ZMoves = moves(*Z);
  if (ZMoves && moves(*Y))
    return std::nullopt;
  const Poly &Taken = ZMoves ? *Z : *Y, &Other = ZMoves ? *Y : *Z;
  Tests.push_back(E->Name == "min" ? Other - Taken : Taken - Other);
  return Taken;
}

/// X in local ids, loop variables and what is uniform in the group. Clamps are taken to do nothing;
/// the conditions for that are added to Tests.
std::optional<Poly> Stager::inGroup(const Poly &X, std::vector<Poly> &Tests, unsigned Depth) {
  constexpr unsigned MaxDepth = 8;
  if (Depth > MaxDepth)
    return std::nullopt;
  bool Fine = true;
  Poly R = substituteAll(X, [&](unsigned S) {
    for (unsigned Dm = 0; Dm < 3; ++Dm)
      if (S == P.globalId(Dm))
        return Poly::symbol(A.symbolFor(M.workItem(WorkItemQuery::GroupId, Dm))) *
                   int64_t(groupSize()[Dm]) +
               Poly::symbol(P.localId(Dm));
    const SymbolInfo I = A.symbol(S);
    if (I.K != SymbolInfo::Atom || !varies(S))
      return Poly::symbol(S);
    auto Value = withoutClamp(I, A.placeOf(S), Tests, Depth);
    Fine &= Value.has_value();
    return Value.value_or(Poly());
  });
  return Fine ? std::optional(R) : std::nullopt;
}

/// The least value of X in the group, as a polynomial of what is uniform in it.
std::optional<Poly> Stager::wholeGroup(const Poly &X) const {
  Poly R;
  for (const auto &[Mono, C] : X.Terms) {
    Poly Term;
    if (!llvm::any_of(Mono, [&](unsigned S) { return varies(S); })) {
      Term.Terms[Mono] = C;
      R = R + Term;
      continue;
    }
    auto Values = Mono.size() == 1 ? valuesOf(Mono[0]) : std::nullopt;
    if (!Values)
      return std::nullopt;
    R = R + Poly::constant(C * (C > 0 ? Values->first : Values->second));
  }
  return R;
}

/// Index as rows and columns. Nothing: it is not of that form.
std::optional<Stager::Window> Stager::window(const Poly &Index) const {
  Window W;
  // The factors of local ids and loop variables.
  std::optional<unsigned> Symbol;
  int64_t Largest = 0, Smallest = INT64_MAX;
  for (const auto &[Mono, C] : Index.Terms) {
    unsigned Moving = llvm::count_if(Mono, [&](unsigned S) { return varies(S); });
    if (!Moving)
      continue;
    if (Moving > 1 || Mono.size() > 2)
      return std::nullopt;
    if (Mono.size() == 2) {
      unsigned Other = varies(Mono[0]) ? Mono[1] : Mono[0];
      if (Symbol && *Symbol != Other)
        return std::nullopt;
      Symbol = Other;
      continue;
    }
    Largest = std::max(Largest, std::abs(C));
    Smallest = std::min(Smallest, std::abs(C));
  }
  int64_t Pitch = 0;
  if (Symbol)
    W.Pitch = Poly::symbol(*Symbol);
  else if (Largest >= MinPitch && Smallest <= MaxColumnStep)
    W.Pitch = Poly::constant(Pitch = Largest);
  for (const auto &[Mono, C] : Index.Terms) {
    bool Moves = llvm::any_of(Mono, [&](unsigned S) { return varies(S); });
    Poly Term;
    if (Symbol && Mono.size() == (Moves ? 2u : 1u) && llvm::is_contained(Mono, *Symbol)) {
      W.Row = W.Row +
              (Moves ? Poly::symbol(varies(Mono[0]) ? Mono[0] : Mono[1]) : Poly::constant(1)) * C;
    } else if (Moves && Pitch && C % Pitch == 0) {
      Term.Terms[Mono] = C / Pitch;
      W.Row = W.Row + Term;
    } else if (Mono.empty() && Pitch) {
      int64_t Row = (C + (C >= 0 ? Pitch / 2 : -Pitch / 2)) / Pitch;
      W.Row = W.Row + Poly::constant(Row);
      W.Column = W.Column + Poly::constant(C - Row * Pitch);
    } else {
      Term.Terms[Mono] = C;
      (Moves || Mono.empty() ? W.Column : W.Start) =
          (Moves || Mono.empty() ? W.Column : W.Start) + Term;
    }
  }
  return W;
}

//===----------------------------------------------------------------------===//
// Loads
//===----------------------------------------------------------------------===//

/// Adds Conds, taken for the whole group, to L's tests. False: that is not possible.
bool Stager::testWholeGroup(Load &L, const std::vector<Poly> &Conds) {
  for (const Poly &C : Conds) {
    auto Least = wholeGroup(C);
    if (!Least)
      return false;
    if (Least->isConstant() && Least->constantTerm() < 0)
      return false;
    if (auto Lo = P.least(*Least); Lo && *Lo >= 0)
      continue;
    L.Tests.push_back(*Least);
  }
  return true;
}

/// L is in arm Then of If: the whole group goes there if its tests hold.
bool Stager::throughBranch(Load &L, const Stmt *If, bool Then) {
  std::vector<Guard> Guards;
  PathFacts::split(If->E, Then, If, Guards);
  bool Fine = true;
  std::vector<Poly> Whole;
  for (const Guard &F : Guards) {
    std::vector<Poly> Holds;
    Whole.clear();
    P.nonNegative(F, Holds);
    Fine &= !Holds.empty();
    for (const Poly &H : Holds) {
      auto In = inGroup(H, Whole);
      Fine &= In.has_value();
      if (In)
        Whole.push_back(*In);
    }
    Fine = Fine && testWholeGroup(L, Whole);
  }
  L.Branches.push_back(If);
  return Fine;
}

/// L is in Loop, which must be entered and run all its iterations.
bool Stager::throughLoop(Load &L, const Stmt *Loop) {
  auto OfLoop = [&](unsigned S) { return A.symbol(S).Loop == Loop; };
  if (mentions(L.W.Row, OfLoop) || mentions(L.W.Column, OfLoop))
    L.Loops.push_back(Loop);
  if (!runsWhole(Loop))
    return false;
  if (Strip && P.isInside(Strip, Loop))
    return true;
  auto Counted = A.countedLoop(Loop);
  return Counted && Counted->TripCount.value_or(0) > 0;
}

/// Finds L's window and the tests under which all work-items of a group make the load. False, with
/// the reason in Why: there are none.
bool Stager::analyse(Load &L, std::string &Why) {
  std::vector<Poly> Tests;
  auto Index = inGroup(A.poly(L.E->Acc.Index[0], L.S), Tests);
  auto W = Index ? window(*Index) : std::nullopt;
  if (!W) {
    Why = "is read at places that do not move with the group";
    return false;
  }
  L.W = *W;
  bool Fine = testWholeGroup(L, Tests);
  const Stmt *X = L.S;
  while (const Stmt *Around = P.Positions.lookup(X).Parent) {
    if (Around->K == StmtKind::If)
      Fine &= throughBranch(L, Around, P.Positions.lookup(X).In == &Around->Body);
    else if (Around->K == StmtKind::Loop)
      Fine &= throughLoop(L, Around);
    X = Around;
  }
  if (!Fine)
    Why = "is read under conditions that cannot be asked for a whole group";
  return Fine;
}

//===----------------------------------------------------------------------===//
// Reuse
//===----------------------------------------------------------------------===//

/// How often the work-items of a group execute L.
double Stager::readsOf(const Load &L) const {
  double N = 1;
  for (unsigned Each : groupSize())
    N *= Each;
  for (const Stmt *Loop : L.Loops)
    N *= double(A.countedLoop(Loop)->TripCount.value_or(1));
  return N;
}

/// Adds the elements that L reads, as row and column. False, with the reason in Why: too many, or
/// not known.
bool Stager::enumerate(const Load &L, std::set<std::pair<int64_t, int64_t>> &Elements,
                       std::string &Why) {
  std::vector<unsigned> Symbols;
  for (const Poly *Each : {&L.W.Row, &L.W.Column})
    mentions(*Each, [&](unsigned S) {
      if (!llvm::is_contained(Symbols, S))
        Symbols.push_back(S);
      return false;
    });
  double Steps = 1;
  for (unsigned S : Symbols) {
    auto V = valuesOf(S);
    if (!V) {
      Why = "is read at places that do not move with the group";
      return false;
    }
    Steps *= double(V->second - V->first + 1);
  }
  if (Steps > MaxElements) {
    Why = "is read at more places than local memory holds";
    return false;
  }
  std::map<unsigned, int64_t> At;
  auto value = [&](const Poly &Q) {
    int64_t Sum = 0;
    for (const auto &[Mono, C] : Q.Terms)
      Sum += C * (Mono.empty() ? 1 : At[Mono[0]]);
    return Sum;
  };
  std::function<void(size_t)> each = [&](size_t N) {
    if (N == Symbols.size()) {
      Elements.insert({value(L.W.Row), value(L.W.Column)});
      return;
    }
    auto [Lo, Hi] = *valuesOf(Symbols[N]);
    // A loop may leave values out.
    int64_t Step = 1;
    if (const SymbolInfo &I = A.symbol(Symbols[N]); I.K == SymbolInfo::LoopVar)
      Step = std::max<int64_t>(1, std::abs(A.countedLoop(I.Loop)->Step));
    for (int64_t V = Lo; V <= Hi; V += Step) {
      At[Symbols[N]] = V;
      each(N + 1);
    }
  };
  each(0);
  return true;
}

/// Finds the window of T. False, with the reason in Why: it has gaps, or there is no reuse.
bool Stager::count(Tile &T, std::string &Why) {
  double Reads = 0;
  std::set<std::pair<int64_t, int64_t>> Elements;
  for (const Load &L : T.Loads) {
    Reads += readsOf(L);
    if (!enumerate(L, Elements, Why))
      return false;
  }
  for (auto [Row, Column] : Elements) {
    auto [It, New] = T.Rows.try_emplace(Row, Column, Column);
    It->second.first = std::min(It->second.first, Column);
    It->second.second = std::max(It->second.second, Column);
  }
  size_t Filled = 0;
  T.FirstColumn = INT64_MAX;
  T.LastColumn = INT64_MIN;
  for (const auto &[Row, Ends] : T.Rows) {
    Filled += size_t(Ends.second - Ends.first + 1);
    T.FirstColumn = std::min(T.FirstColumn, Ends.first);
    T.LastColumn = std::max(T.LastColumn, Ends.second);
  }
  if (Filled != Elements.size() ||
      T.Rows.rbegin()->first - T.Rows.begin()->first + 1 != int64_t(T.Rows.size())) {
    Why = "is read in a window with gaps";
    return false;
  }
  T.TwoDimensional = T.Rows.size() > 1;
  if (Reads < 2 * double(Elements.size())) {
    Why = "is not read by several work-items of a group";
    return false;
  }
  return true;
}

uint64_t Stager::bytesOf(const Tile &T) const {
  return T.Rows.size() * uint64_t(T.LastColumn - T.FirstColumn + 1) * T.Loads[0].E->Acc.Stride[0];
}

/// The tile for V, if staging it is legal and pays; else the reason is a refusal. BytesInUse: of
/// the tiles so far.
std::optional<Stager::Tile> Stager::tileOf(Var *V, uint64_t BytesInUse) {
  Tile T;
  T.Source = V;
  bool Whole = true;
  for (const AccessSite &X : A.accesses()) {
    if (X.A->Base != V || !X.Load || (Strip && !P.isInside(X.S, Strip)))
      continue;
    T.At = X.A->Range;
    Whole &= !X.A->Volatile && X.A->Index.size() == 1 && !X.A->Disp && X.A->Path.empty() &&
             X.A->F == Access::Subscript && X.A->Lanes != 3 && !X.Conditional;
    Load L;
    L.S = X.S;
    L.E = X.Load;
    T.Loads.push_back(std::move(L));
  }
  if (T.Loads.empty())
    return std::nullopt;
  auto No = [&](Refusal Why, const std::string &Detail) -> std::optional<Tile> {
    refuse(Why, V, Detail, T.At);
    return std::nullopt;
  };
  const auto Size = groupSize();
  auto Reuse = A.footprint(V, false, {Size[0], Size[1], Size[2]});
  if (!Local[0])
    return No(Refusal::GroupGeometry, "is read by groups of unknown size");
  if (Reuse.Exact && Reuse.reuse() < 2)
    return No(Refusal::NothingPays, "is not read by several work-items of a group");
  if (Written.contains(V))
    return No(Refusal::StagingSourceWritten, "is written by the kernel");
  if (uint64_t(Size[0]) * Size[1] * Size[2] < std::max(1u, D.AsyncCopyWorkGroup))
    return No(Refusal::GroupGeometry, "is read by groups that are too small for the fast copy");
  if (!Whole)
    return No(Refusal::StagingNotACopy, "is not read element by element");
  std::string Why;
  bool Fine = true;
  for (Load &L : T.Loads)
    Fine = Fine && analyse(L, Why);
  for (const Load &L : T.Loads)
    if (Fine && (!(L.W.Start == T.Loads[0].W.Start) || !(L.W.Pitch == T.Loads[0].W.Pitch))) {
      Fine = false;
      Why = "is read in windows that do not move together";
    }
  if (!Fine)
    return No(Refusal::LocalIdUse, Why);
  if (!count(T, Why))
    return No(Refusal::NothingPays, Why);
  if (D.LocalMemoryBytes && BytesInUse + bytesOf(T) > D.LocalMemoryBytes)
    return No(Refusal::NothingPays, "is read in a window that does not fit local memory");
  return T;
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

/// False for a kernel that stages by itself, and where work-items may leave early. Notes what the
/// kernel writes.
bool Stager::isPlainKernel() {
  if (!K.Opaques.empty())
    return false;
  for (const Stmt *S : stmts(K.Body)) {
    if (S->K == StmtKind::Opaque || S->K == StmtKind::AsyncCopy || S->K == StmtKind::Barrier ||
        S->K == StmtKind::Return || S->K == StmtKind::Atomic || S->K == StmtKind::Call)
      return false;
    if (S->K == StmtKind::Decl || !S->Acc.Base)
      continue;
    Written.insert(S->Acc.Base);
    if (S->Acc.Base->space() == AddressSpace::Local)
      return false;
  }
  return true;
}

/// True if loads of the tiles are in both arms of a branch: no group goes both ways.
bool Stager::readsBothArms(llvm::ArrayRef<Tile> Tiles) {
  std::map<const Stmt *, const StmtList *> Arms;
  for (const Tile &T : Tiles)
    for (const Load &L : T.Loads)
      for (const Stmt *X = L.S; X; X = P.Positions.lookup(X).Parent)
        if (Position At = P.Positions.lookup(X); At.Parent && At.Parent->K == StmtKind::If)
          if (auto [It, New] = Arms.try_emplace(At.Parent, At.In); It->second != At.In) {
            refuse(Refusal::LocalIdUse, T.Source, "is read on both ways of a branch", L.E->Range);
            return true;
          }
  return false;
}

/// What the new kernel needs of the launch: no offset along dimensions whose global ids were
/// expressed by group and local ids, and buffers that do not overlap.
void Stager::addNeeds(llvm::ArrayRef<Tile> Tiles) {
  static const char *const Zero[] = {"ox == 0", "oy == 0", "oz == 0"};
  auto add = [](std::vector<std::string> &To, const std::string &Text) {
    if (!llvm::is_contained(To, Text))
      To.push_back(Text);
  };
  for (unsigned Dm = 0; Dm < 3; ++Dm) {
    unsigned Group = A.symbolFor(M.workItem(WorkItemQuery::GroupId, Dm));
    auto Uses = [&](const Poly &X) { return X.has(Group) || X.has(P.localId(Dm)); };
    bool Used = llvm::any_of(Tiles, [&](const Tile &T) {
      return llvm::any_of(T.Loads, [&](const Load &L) {
        return Uses(L.W.Start) || Uses(L.W.Row) || Uses(L.W.Column) || llvm::any_of(L.Tests, Uses);
      });
    });
    if (Used)
      add(Needs.When, Zero[Dm]);
  }
  for (const Tile &T : Tiles)
    for (const Var *W : Written)
      if (W->isPointerParam() && W->space() == AddressSpace::Global && !W->Ty->Restrict &&
          !T.Source->Ty->Restrict)
        add(Needs.Obligations,
            "buffers '" + T.Source->Name + "' and '" + W->Name + "' do not overlap");
}

unsigned Stager::run() {
  if (!isPlainKernel())
    return 0;
  std::vector<Tile> Tiles;
  uint64_t Bytes = 0;
  for (Var *V : std::vector<Var *>(K.Params)) {
    if (!V->isPointerParam() || V->space() != AddressSpace::Global)
      continue;
    if (std::optional<Tile> T = tileOf(V, Bytes)) {
      Bytes += bytesOf(*T);
      Tiles.push_back(std::move(*T));
    }
  }
  if (Tiles.empty() || readsBothArms(Tiles) || !edit(Tiles))
    return 0;
  addNeeds(Tiles);
  cleanup(Edited);
  return Tiles.size();
}

unsigned stageReuse(const EditedKernel &E, const rules::DeviceFacts &D, WorkSize Local,
                    std::vector<RefusalAt> &Refusals, StagingNeeds &Needs) {
  Module &M = E.module();
  Kernel &K = E.kernel();
  std::vector<RefusalAt> Once;
  if (unsigned Done = Stager(E, D, Local, Once, Needs).run()) {
    llvm::append_range(Refusals, Once);
    return Done;
  }
  // In strips as long as a burst of 32-bit elements.
  const StmtList Body = K.Body;
  const std::vector<Var *> Vars = K.Vars;
  auto same = [](Var *V) { return V; };
  const StmtList Kept = cloneStmts(M, Body, same);
  K.Body = cloneStmts(M, Body, same);
  E.edited();
  std::vector<RefusalAt> Striped;
  if (Stmt *Strip = stripLoop(E, std::max(16u, D.MaxBurstBytes / 4))) {
    E.edited();
    if (unsigned Done = Stager(E, D, Local, Striped, Needs, Strip, &Kept).run()) {
      llvm::append_range(Refusals, Striped);
      return Done;
    }
  }
  K.Body = Body;
  K.Vars = Vars;
  E.edited();
  llvm::append_range(Refusals, Once);
  return 0;
}

} // namespace clmali::rewrite
