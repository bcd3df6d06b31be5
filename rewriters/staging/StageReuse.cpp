//===-- rewriters/staging/StageReuse.cpp - Reuse that nobody staged --------------===//
//
// What it does, for GPUs whose local memory is on chip: what several work-items of a group
// read of a buffer is copied to local memory first, row by row, by asynchronous copies:
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
// Legal if: the group's size is known; the kernel does not write the source; what a group
// reads is a window that moves with the group, row after row (or one row), known by counting.
// The conditions under which it is read, and those under which a clamped coordinate is the
// coordinate itself, are asked for the whole group at once: such groups copy exactly what
// their work-items read, all others do as before. The branch is the same for a whole group,
// so all of its work-items come to the copy.
//
// Pays if: each element is read by at least two work-items, the group is large enough for the
// fast copy, and the tiles fit local memory (devices.yaml). Against blocks of several elements
// for each work-item, which keep what they share in registers, the cost model decides.
//
// A loop whose length is an argument (the sum of a product) goes in strips, each of which is
// copied before it is read, with a barrier behind it; what is left over is done as before:
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
// that goes in strips; the kernel has no local memory of its own.
//
//===----------------------------------------------------------------------===//

#include "rewriters/staging/Delocalizer.h"
#include "rewriters/staging/LocalMemory.h"
#include "llvm/ADT/STLExtras.h"
#include <set>

namespace clmali::rewrite {

namespace {

class Stager {
public:
  Stager(Module &M, Kernel &K, const rules::DeviceFacts &D, std::array<uint64_t, 3> Local,
         std::vector<RefusalAt> &Refusals, StagingNeeds &Needs, Stmt *Strip = nullptr,
         const StmtList *Before = nullptr)
      : M(M), K(K), D(D), A(M, K), P(M, K, A), Local(Local), Refusals(Refusals), Needs(Needs),
        Strip(Strip), Before(Before) {
    P.LocalSize = Local;
  }
  unsigned run();

private:
  Module &M;
  Kernel &K;
  const rules::DeviceFacts &D;
  KernelAnalysis A;
  PathFacts P;
  std::array<uint64_t, 3> Local;
  std::vector<RefusalAt> &Refusals;
  StagingNeeds &Needs;
  Stmt *Strip;            ///< the loop whose rounds are copied for one by one; null: copied once
  const StmtList *Before; ///< the kernel's body without strips
  uint8_t Offsets = 0;    ///< dimensions whose global ids are taken for group and local ids

  void refuse(Refusal Why, const Var *V, const std::string &Detail, SourceRange At) {
    RefusalAt R;
    R.Why = Why;
    R.Pass = "localize";
    R.Detail = "'" + V->Name + "' " + Detail;
    R.Range = At;
    Refusals.push_back(std::move(R));
  }

  /// Row * Pitch + Column of local ids and rounds, from a place that is the group's.
  struct Window {
    Poly Pitch; ///< 0: one row
    Poly Start; ///< of the group
    Poly Row, Column;
  };
  struct Load {
    const Stmt *S = nullptr;
    const Expr *E = nullptr;
    Window W;
    std::vector<Poly> Asked;            ///< not negative, for all of the group
    std::vector<const Stmt *> Branches; ///< whose way that settles
    std::vector<const Stmt *> Loops;    ///< that move the window
  };
  struct Tile {
    Var *Source = nullptr, *V = nullptr;
    std::vector<Load> Loads;
    std::map<int64_t, std::pair<int64_t, int64_t>> Rows; ///< first, last column
    int64_t FirstColumn = 0, LastColumn = 0;
    bool TwoDimensional = false;
  };

  bool varies(unsigned S) const;
  std::optional<std::pair<int64_t, int64_t>> valuesOf(unsigned S) const;
  std::optional<Poly> inGroup(const Poly &X, std::vector<Poly> &Asked, unsigned Depth = 0);
  std::optional<Poly> wholeGroup(const Poly &X) const;
  std::optional<Window> window(const Poly &Index) const;
  bool ask(Load &L, const std::vector<Poly> &Conds);
  bool look(Load &L, std::string &Why);
  bool count(Tile &T, std::string &Why);
  double readsOf(const Load &L) const;
  const Expr *compare(const Poly &X, const Stmt *At);
  void edit(std::vector<Tile> &Tiles);
  Stmt *copyRows(const Tile &T, int64_t Row, int64_t RowEnd, std::pair<int64_t, int64_t> Columns,
                 Var *Event, const Stmt *At);
};

/// Is S different for the work-items of a group, or in the rounds of a loop?
bool Stager::varies(unsigned S) const {
  const SymbolInfo &I = A.symbol(S);
  if (I.K != SymbolInfo::LoopVar && I.K != SymbolInfo::Iteration)
    return I.Varies.Item;
  // The rounds that are copied for are one place for the group.
  return I.Varies.Item || !Strip || !P.isInside(Strip, I.Loop);
}

/// The least and greatest value of a local id or of a loop's variable, where they are constants.
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

/// X in local ids, rounds and what is the group's; clamps are looked through, and what makes
/// them do nothing is asked for.
std::optional<Poly> Stager::inGroup(const Poly &X, std::vector<Poly> &Asked, unsigned Depth) {
  if (Depth > 8)
    return std::nullopt;
  bool Fine = true;
  Poly R = substituteAll(X, [&](unsigned S) {
    for (unsigned Dm = 0; Dm < 3; ++Dm)
      if (S == P.globalId(Dm))
        return Poly::symbol(A.symbolFor(M.workItem(WorkItemQuery::GroupId, Dm))) *
                   int64_t(std::max<uint64_t>(1, Local[Dm])) +
               Poly::symbol(P.localId(Dm));
    const SymbolInfo I = A.symbol(S);
    if (I.K != SymbolInfo::Atom || !varies(S))
      return Poly::symbol(S);
    auto inner = [&](const Expr *E) -> std::optional<Poly> {
      return inGroup(A.poly(E, A.placeOf(S)), Asked, Depth + 1);
    };
    const Expr *E = I.E;
    if (E && E->K == ExprKind::Call && E->Ty->isScalar() && isSigned(E->Ty->Scalar)) {
      if (E->Name == "clamp" && E->Ops.size() == 3) {
        auto V = inner(E->Ops[0]), Lo = inner(E->Ops[1]), Hi = inner(E->Ops[2]);
        if (V && Lo && Hi) {
          Asked.push_back(*V - *Lo);
          Asked.push_back(*Hi - *V);
          return *V;
        }
      } else if ((E->Name == "min" || E->Name == "max") && E->Ops.size() == 2) {
        auto Y = inner(E->Ops[0]), Z = inner(E->Ops[1]);
        if (Y && Z) {
          // The one that moves.
          auto moves = [&](const Poly &Q) {
            return mentions(Q, [&](unsigned Each) { return varies(Each); });
          };
          if (moves(*Y) && moves(*Z))
            Fine = false;
          const Poly &Taken = moves(*Z) ? *Z : *Y, &Other = moves(*Z) ? *Y : *Z;
          Asked.push_back(E->Name == "min" ? Other - Taken : Taken - Other);
          return Taken;
        }
      }
    }
    Fine = false;
    return Poly();
  });
  return Fine ? std::optional(R) : std::nullopt;
}

/// X at its least in the group, as a polynomial of what is the group's.
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

std::optional<Stager::Window> Stager::window(const Poly &Index) const {
  Window W;
  // What local ids and rounds are multiplied by.
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
  else if (Largest >= 16 && Smallest <= 4)
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

/// Conds, for the whole group.
bool Stager::ask(Load &L, const std::vector<Poly> &Conds) {
  for (const Poly &C : Conds) {
    auto Least = wholeGroup(C);
    if (!Least)
      return false;
    if (Least->isConstant() && Least->constantTerm() < 0)
      return false;
    if (auto Lo = P.least(*Least); Lo && *Lo >= 0)
      continue;
    L.Asked.push_back(*Least);
  }
  return true;
}

bool Stager::look(Load &L, std::string &Why) {
  std::vector<Poly> Asked;
  auto Index = inGroup(A.poly(L.E->Acc.Index[0], L.S), Asked);
  auto W = Index ? window(*Index) : std::nullopt;
  if (!W) {
    Why = "is read at places that do not move with the group";
    return false;
  }
  L.W = *W;
  bool Fine = ask(L, Asked);
  // Branches around it: all work-items go the same way where the whole group may.
  for (const Stmt *X = L.S;;) {
    Position At = P.Positions.lookup(X);
    const Stmt *Around = At.Parent;
    if (!Around)
      break;
    if (Around->K == StmtKind::If) {
      std::vector<Guard> Facts;
      PathFacts::split(Around->E, At.In == &Around->Body, Around, Facts);
      for (const Guard &F : Facts) {
        std::vector<Poly> Holds, Whole;
        P.nonNegative(F, Holds);
        Fine &= !Holds.empty();
        for (const Poly &H : Holds) {
          auto In = inGroup(H, Whole);
          Fine &= In.has_value();
          if (In)
            Whole.push_back(*In);
        }
        Fine = Fine && ask(L, Whole);
      }
      L.Branches.push_back(Around);
    } else if (Around->K == StmtKind::Loop) {
      Fine &= runsWhole(Around);
      bool Moves = false;
      for (const Poly *Each : {&L.W.Row, &L.W.Column})
        Moves |= mentions(*Each, [&](unsigned S) { return A.symbol(S).Loop == Around; });
      if (Moves)
        L.Loops.push_back(Around);
      // The loop is entered.
      if (Strip && P.isInside(Strip, Around)) {
        X = Around;
        continue;
      }
      auto Counted = A.countedLoop(Around);
      Fine &= Counted && Counted->TripCount.value_or(0) > 0;
    }
    X = Around;
  }
  if (!Fine)
    Why = "is read under conditions that cannot be asked for a whole group";
  return Fine;
}

double Stager::readsOf(const Load &L) const {
  double N = 1;
  for (uint64_t Each : Local)
    N *= double(std::max<uint64_t>(1, Each));
  for (const Stmt *Loop : L.Loops)
    N *= double(A.countedLoop(Loop)->TripCount.value_or(1));
  return N;
}

/// The elements that the group reads, counted.
bool Stager::count(Tile &T, std::string &Why) {
  constexpr double Most = 200000;
  double Reads = 0;
  std::set<std::pair<int64_t, int64_t>> Elements;
  for (const Load &L : T.Loads) {
    Reads += readsOf(L);
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
    if (Steps > Most) {
      Why = "is read at more places than local memory holds";
      return false;
    }
    std::map<unsigned, int64_t> At;
    std::function<void(size_t)> each = [&](size_t N) {
      if (N == Symbols.size()) {
        auto value = [&](const Poly &Q) {
          int64_t Sum = 0;
          for (const auto &[Mono, C] : Q.Terms)
            Sum += C * (Mono.empty() ? 1 : At[Mono[0]]);
          return Sum;
        };
        Elements.insert({value(L.W.Row), value(L.W.Column)});
        return;
      }
      auto [Lo, Hi] = *valuesOf(Symbols[N]);
      // A loop that leaves values out.
      int64_t Step = 1;
      if (const SymbolInfo &I = A.symbol(Symbols[N]); I.K == SymbolInfo::LoopVar)
        Step = std::max<int64_t>(1, std::abs(A.countedLoop(I.Loop)->Step));
      for (int64_t V = Lo; V <= Hi; V += Step) {
        At[Symbols[N]] = V;
        each(N + 1);
      }
    };
    each(0);
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

/// X >= 0 with nothing subtracted.
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
  Var *Round = M.newVar(Var::Temp, uniqueName(K, "row"), Int);
  K.Vars.push_back(Round);
  Stmt *Loop = M.newStmt(StmtKind::Loop);
  Stmt *Init = M.newStmt(StmtKind::Decl);
  Init->V = Round;
  Init->E = M.intConst(Row - First, Int);
  Loop->Init = {Init};
  Loop->E = M.binary(Op::LT, M.ref(Round), M.intConst(RowEnd - First, Int));
  Stmt *Next = M.newStmt(StmtKind::Assign);
  Next->V = Round;
  Next->E = M.binary(Op::Add, M.ref(Round), M.intConst(1, Int));
  Loop->Step = {Next};
  Copy->Acc.Index = {M.ref(Round), Column};
  Copy->Source.Index[0] = M.binary(Op::Add, Begin, M.binary(Op::Mul, M.ref(Round), Pitch));
  Loop->Body = {Copy};
  return Loop;
}

void Stager::edit(std::vector<Tile> &Tiles) {
  const Type *Int = M.value(ScalarKind::Int);
  // From the first statement of the kernel's own block that reads of them.
  size_t From = K.Body.size();
  auto outermost = [&](const Stmt *S) {
    while (P.Positions.lookup(S).Parent)
      S = P.Positions.lookup(S).Parent;
    return P.Positions.lookup(S).Index;
  };
  for (const Tile &T : Tiles)
    for (const Load &L : T.Loads)
      From = std::min(From, outermost(L.S));
  const Stmt *At = K.Body[From], *FillAt = Strip ? Strip->Body.front() : At;

  // What is asked of the group, each once and in its strictest form.
  std::map<std::map<Monomial, int64_t>, int64_t> Asked;
  for (const Tile &T : Tiles)
    for (const Load &L : T.Loads)
      for (const Poly &X : L.Asked) {
        int64_t C = X.constantTerm();
        auto Rest = X.Terms;
        Rest.erase(Monomial());
        auto [It, New] = Asked.try_emplace(Rest, C);
        It->second = std::min(It->second, C);
      }
  const Expr *Whole = nullptr;
  for (const auto &[Rest, C] : Asked) {
    Poly X;
    X.Terms = Rest;
    const Expr *Cond = compare(X + Poly::constant(C), At);
    if (!Cond)
      return Tiles.clear();
    Whole = Whole ? M.binary(Op::LogicalAnd, Whole, Cond) : Cond;
  }

  StmtList Fill;
  Var *Event = M.newVar(Var::Temp, uniqueName(K, "copied"), M.other("event_t"));
  Stmt *Declared = M.newStmt(StmtKind::Decl);
  Declared->V = Event;
  Fill.push_back(Declared);
  StmtList Tops;
  std::map<std::pair<const Stmt *, const Expr *>, const Expr *> Replace;
  const std::vector<Var *> Vars = K.Vars;
  K.Vars.push_back(Event);
  auto fail = [&] {
    K.Vars = Vars;
    Tiles.clear();
  };
  for (Tile &T : Tiles) {
    const Access &Acc = T.Loads.front().E->Acc;
    const Type *Elem = M.value(Acc.Elem, Acc.Lanes);
    const Type *Ty = M.array(Elem, uint64_t(T.LastColumn - T.FirstColumn + 1));
    if (T.TwoDimensional)
      Ty = M.array(Ty, T.Rows.size());
    T.V = M.newVar(Var::Memory, uniqueName(K, T.Source->Name + "_tile"), Ty);
    T.V->AS = AddressSpace::Local;
    K.Vars.push_back(T.V);
    Stmt *Top = M.newStmt(StmtKind::Decl);
    Top->V = T.V;
    Tops.push_back(Top);
    // Rows of one length together.
    for (auto It = T.Rows.begin(); It != T.Rows.end();) {
      auto End = It;
      while (End != T.Rows.end() && End->second == It->second)
        ++End;
      int64_t Last = std::prev(End)->first;
      Stmt *Copy = copyRows(T, It->first, Last + 1, It->second, Event, FillAt);
      if (!Copy)
        return fail();
      Fill.push_back(Copy);
      It = End;
    }
    for (const Load &L : T.Loads) {
      Access New = L.E->Acc;
      New.Base = T.V;
      const Expr *Column = P.express(L.W.Column - Poly::constant(T.FirstColumn), Int, L.S);
      const Expr *Row = P.express(L.W.Row - Poly::constant(T.Rows.begin()->first), Int, L.S);
      if (!Column || !Row)
        return fail();
      if (T.TwoDimensional) {
        New.Index = {Row, Column};
        New.Stride = {uint32_t(T.LastColumn - T.FirstColumn + 1) * L.E->Acc.Stride[0],
                      L.E->Acc.Stride[0]};
      } else {
        New.Index = {Column};
      }
      Replace[{L.S, L.E}] = M.load(New);
    }
  }
  Stmt *Wait = M.newStmt(StmtKind::Call);
  Wait->Name = "wait_group_events";
  Wait->V = Event;
  Fill.push_back(Wait);

  // The others do as before.
  StmtList Tail(K.Body.begin() + From, K.Body.end()), Slow;
  if (Whole) {
    llvm::DenseMap<Var *, Var *> Own;
    StmtList Old = Before ? StmtList(Before->begin() + From, Before->end()) : Tail;
    walk(Old, [&](Stmt *S) {
      if (S->K == StmtKind::Decl && S->V && !Own.contains(S->V)) {
        Var *V = M.newVar(S->V->K, uniqueName(K, S->V->Name), S->V->Ty);
        std::string Name = V->Name;
        *V = *S->V;
        V->Name = Name;
        Own[S->V] = V;
        K.Vars.push_back(V);
      }
      return true;
    });
    Slow = cloneStmts(M, Old, [&](Var *V) { return Own.contains(V) ? Own[V] : V; });
  }
  // Branches that the whole group takes.
  std::map<const Stmt *, bool> Taken; // the body?
  for (const Tile &T : Tiles)
    for (const Load &L : T.Loads)
      for (const Stmt *X = L.S; X; X = P.Positions.lookup(X).Parent)
        if (const Stmt *Around = P.Positions.lookup(X).Parent;
            Around && llvm::is_contained(L.Branches, Around))
          Taken[Around] = P.Positions.lookup(X).In == &Around->Body;
  const Stmt *Here = nullptr;
  std::function<const Expr *(const Expr *)> replace = [&](const Expr *E) -> const Expr * {
    auto It = Replace.find({Here, E});
    return It != Replace.end() ? It->second : mapOperands(M, E, replace);
  };
  std::function<void(StmtList &)> change = [&](StmtList &B) {
    StmtList Kept;
    for (Stmt *S : B) {
      Here = S;
      mapExprs(M, *S, [&](const Expr *E) { return replace(E); });
      forEachStmtList(*S, change);
      if (auto It = Taken.find(S); It != Taken.end())
        llvm::append_range(Kept, It->second ? S->Body : S->Else);
      else
        Kept.push_back(S);
    }
    B = std::move(Kept);
  };
  change(Tail);
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
  if (Whole) {
    Stmt *Both = M.newStmt(StmtKind::If);
    Both->E = Whole;
    Both->Body = std::move(Fast);
    Both->Else = std::move(Slow);
    K.Body.push_back(Both);
  } else {
    llvm::append_range(K.Body, Fast);
  }
  K.Body.insert(K.Body.begin(), Tops.begin(), Tops.end());
}

unsigned Stager::run() {
  // A kernel that stages by itself is another matter; so are work-items that leave early.
  bool Plain = K.Opaques.empty();
  llvm::DenseSet<const Var *> Written;
  walk(K.Body, [&](Stmt *S) {
    Plain &= S->K != StmtKind::Opaque && S->K != StmtKind::AsyncCopy && S->K != StmtKind::Barrier &&
             S->K != StmtKind::Return && S->K != StmtKind::Atomic && S->K != StmtKind::Call;
    if (S->K != StmtKind::Decl && S->Acc.Base) {
      Written.insert(S->Acc.Base);
      Plain &= S->Acc.Base->space() != AddressSpace::Local;
    }
    return Plain;
  });
  if (!Plain)
    return 0;
  uint64_t Group = std::max<uint64_t>(1, Local[0]) * std::max<uint64_t>(1, Local[1]) *
                   std::max<uint64_t>(1, Local[2]);
  std::vector<Var *> Sources;
  for (Var *V : K.Params)
    if (V->isPointerParam() && V->space() == AddressSpace::Global)
      Sources.push_back(V);
  std::vector<Tile> Tiles;
  uint64_t Bytes = 0;
  for (Var *V : Sources) {
    Tile T;
    T.Source = V;
    std::string Why;
    bool Whole = true;
    SourceRange Place;
    for (const AccessSite &X : A.accesses()) {
      if (X.A->Base != V || !X.Load || (Strip && !P.isInside(X.S, Strip)))
        continue;
      Place = X.A->Range;
      Whole &= !X.A->Volatile && X.A->Index.size() == 1 && !X.A->Disp && X.A->Path.empty() &&
               X.A->F == Access::Subscript && X.A->Lanes != 3 && !X.Conditional;
      Load L;
      L.S = X.S;
      L.E = X.Load;
      T.Loads.push_back(std::move(L));
    }
    if (T.Loads.empty())
      continue;
    // Where nothing is read twice there is nothing to say.
    auto Reuse = A.footprint(V, false,
                             {unsigned(std::max<uint64_t>(1, Local[0])),
                              unsigned(std::max<uint64_t>(1, Local[1])),
                              unsigned(std::max<uint64_t>(1, Local[2]))});
    if (!Local[0]) {
      refuse(Refusal::GroupGeometry, V, "is read by groups of unknown size", Place);
      continue;
    }
    if (Reuse.Exact && Reuse.reuse() < 2) {
      refuse(Refusal::NothingPays, V, "is not read by several work-items of a group", Place);
      continue;
    }
    if (Written.contains(V)) {
      refuse(Refusal::StagingSourceWritten, V, "is written by the kernel", Place);
      continue;
    }
    if (Group < std::max(1u, D.AsyncCopyWorkGroup)) {
      refuse(Refusal::GroupGeometry, V, "is read by groups that are too small for the fast copy",
             Place);
      continue;
    }
    if (!Whole) {
      refuse(Refusal::StagingNotACopy, V, "is not read element by element", Place);
      continue;
    }
    bool Fine = true;
    for (Load &L : T.Loads)
      Fine = Fine && look(L, Why);
    for (const Load &L : T.Loads)
      if (Fine && (!(L.W.Start == T.Loads[0].W.Start) || !(L.W.Pitch == T.Loads[0].W.Pitch))) {
        // One row of a picture is a window of it, too.
        Fine = false;
        Why = "is read in windows that do not move together";
      }
    if (!Fine) {
      refuse(Refusal::LocalIdUse, V, Why, Place);
      continue;
    }
    if (!count(T, Why)) {
      refuse(Refusal::NothingPays, V, Why, Place);
      continue;
    }
    const Access &Acc = T.Loads[0].E->Acc;
    uint64_t Size = T.Rows.size() * uint64_t(T.LastColumn - T.FirstColumn + 1) * Acc.Stride[0];
    if (D.LocalMemoryBytes && Bytes + Size > D.LocalMemoryBytes) {
      refuse(Refusal::NothingPays, V, "is read in a window that does not fit local memory", Place);
      continue;
    }
    Bytes += Size;
    Tiles.push_back(std::move(T));
  }
  if (Tiles.empty())
    return 0;
  // Which ids were taken for those of the group.
  for (const Tile &T : Tiles)
    for (const Load &L : T.Loads) {
      auto ids = [&](const Poly &X) {
        for (unsigned Dm = 0; Dm < 3; ++Dm)
          if (X.has(A.symbolFor(M.workItem(WorkItemQuery::GroupId, Dm))) || X.has(P.localId(Dm)))
            Offsets |= 1u << Dm;
      };
      for (const Poly *X : {&L.W.Start, &L.W.Row, &L.W.Column})
        ids(*X);
      for (const Poly &X : L.Asked)
        ids(X);
    }
  // No work-item goes both ways.
  std::map<const Stmt *, const StmtList *> Ways;
  for (const Tile &T : Tiles)
    for (const Load &L : T.Loads)
      for (const Stmt *X = L.S; X; X = P.Positions.lookup(X).Parent)
        if (Position At = P.Positions.lookup(X); At.Parent && At.Parent->K == StmtKind::If)
          if (auto [It, New] = Ways.try_emplace(At.Parent, At.In); It->second != At.In) {
            refuse(Refusal::LocalIdUse, T.Source, "is read on both ways of a branch", L.E->Range);
            return 0;
          }
  unsigned Done = Tiles.size();
  std::vector<const Var *> From;
  for (const Tile &T : Tiles)
    From.push_back(T.Source);
  edit(Tiles);
  if (Tiles.empty())
    return 0;
  static const char *const Zero[] = {"ox == 0", "oy == 0", "oz == 0"};
  for (unsigned Dm = 0; Dm < 3; ++Dm)
    if ((Offsets >> Dm & 1) && !llvm::is_contained(Needs.When, Zero[Dm]))
      Needs.When.push_back(Zero[Dm]);
  for (const Var *Source : From)
    for (const Var *W : Written)
      if (W->isPointerParam() && W->space() == AddressSpace::Global && !W->Ty->Restrict &&
          !Source->Ty->Restrict) {
        std::string Text = "buffers '" + Source->Name + "' and '" + W->Name + "' do not overlap";
        if (!llvm::is_contained(Needs.Obligations, Text))
          Needs.Obligations.push_back(Text);
      }
  cleanup(M, K);
  return Done;
}

/// The first loop of K whose length is an argument, in strips of Length rounds. Null: there is
/// none.
Stmt *stripLoop(Module &M, Kernel &K, unsigned Length) {
  KernelAnalysis A(M, K);
  Stmt *Strip = nullptr;
  std::function<void(StmtList &)> visit = [&](StmtList &B) {
    for (size_t I = 0; I < B.size() && !Strip; ++I) {
      Stmt *L = B[I];
      if (L->K != StmtKind::Loop) {
        forEachStmtList(*L, visit);
        continue;
      }
      auto C = A.countedLoop(L);
      bool Inner = true; // no loop of unknown length inside
      walk(L->Body, [&](Stmt *S) {
        if (S->K == StmtKind::Loop) {
          auto Each = A.countedLoop(S);
          Inner &= Each && Each->TripCount;
        }
        return true;
      });
      if (!Inner) {
        forEachStmtList(*L, visit);
        continue;
      }
      if (!C || C->TripCount || C->Step != 1 || C->Compare != Op::LT || !runsWhole(L) ||
          L->Init.size() != 1 || L->Init[0]->K != StmtKind::Decl || L->Init[0]->V != C->V ||
          !A.varies(C->Bound, L).uniform() || !A.varies(C->Lower, L).uniform() ||
          !isSigned(C->V->Ty->Scalar) || C->Bound->Ty != C->V->Ty)
        continue;
      auto made = [&](llvm::StringRef Name, const Type *Ty) {
        Var *V = M.newVar(Var::Temp, uniqueName(K, Name), Ty);
        K.Vars.push_back(V);
        return V;
      };
      const Type *Ty = C->V->Ty;
      const Expr *N = M.intConst(Length, Ty);
      Var *Start = made(C->V->Name + "0", Ty), *Round = made(C->V->Name + "1", Ty);
      auto declare = [&](Var *V, const Expr *E) {
        Stmt *S = M.newStmt(StmtKind::Decl);
        S->V = V;
        S->E = E;
        return S;
      };
      auto advance = [&](Var *V, const Expr *By) {
        Stmt *S = M.newStmt(StmtKind::Assign);
        S->V = V;
        S->E = M.binary(Op::Add, M.ref(V), By);
        return S;
      };
      // The body twice, with variables of its own in the strips.
      llvm::DenseMap<Var *, Var *> Own;
      Own[C->V] = made(C->V->Name, Ty);
      walk(L->Body, [&](Stmt *S) {
        if (S->K == StmtKind::Decl && !Own.contains(S->V)) {
          Var *V = made(S->V->Name, S->V->Ty);
          std::string Name = V->Name;
          *V = *S->V;
          V->Name = Name;
          Own[S->V] = V;
        }
        return true;
      });
      Stmt *Each = M.newStmt(StmtKind::Loop);
      Each->Init = {declare(Round, M.intConst(0, Ty))};
      Each->E = M.binary(Op::LT, M.ref(Round), N);
      Each->Step = {advance(Round, M.intConst(1, Ty))};
      Each->Body = cloneStmts(M, L->Body, [&](Var *V) { return Own.contains(V) ? Own[V] : V; });
      Each->Body.insert(Each->Body.begin(),
                        declare(Own[C->V], M.binary(Op::Add, M.ref(Start), M.ref(Round))));
      Strip = M.newStmt(StmtKind::Loop);
      Strip->E = M.binary(Op::LE, M.binary(Op::Add, M.ref(Start), N), C->Bound);
      Strip->Step = {advance(Start, N)};
      Strip->Body = {Each};
      Stmt *First = declare(Start, L->Init[0]->E);
      First->Comments = L->Comments;
      L->Comments.clear();
      L->Init[0]->E = M.ref(Start);
      L->Rare = true;
      B.insert(B.begin() + I, {First, Strip});
      return;
    }
  };
  visit(K.Body);
  return Strip;
}

} // namespace

unsigned stageReuse(Module &M, Kernel &K, const rules::DeviceFacts &D,
                    std::array<uint64_t, 3> Local, std::vector<RefusalAt> &Refusals,
                    StagingNeeds &Needs) {
  std::vector<RefusalAt> Once;
  if (unsigned Done = Stager(M, K, D, Local, Once, Needs).run()) {
    llvm::append_range(Refusals, Once);
    return Done;
  }
  // In strips: as long as the bursts of 32-bit elements.
  const StmtList Body = K.Body;
  const std::vector<Var *> Vars = K.Vars;
  auto same = [](Var *V) { return V; };
  const StmtList Kept = cloneStmts(M, Body, same);
  K.Body = cloneStmts(M, Body, same);
  std::vector<RefusalAt> Striped;
  if (Stmt *Strip = stripLoop(M, K, std::max(16u, D.MaxBurstBytes / 4)))
    if (unsigned Done = Stager(M, K, D, Local, Striped, Needs, Strip, &Kept).run()) {
      llvm::append_range(Refusals, Striped);
      return Done;
    }
  K.Body = Body;
  K.Vars = Vars;
  llvm::append_range(Refusals, Once);
  return 0;
}

} // namespace clmali::rewrite
