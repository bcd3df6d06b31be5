//===- Geometry.cpp - work-items, row pitches and groups of a derived launch file -------------===//

#include "checks/model/analysis/Slice.h"
#include "checks/model/ir/Traversal.h"
#include "rewriters/launch/Expression.h"
#include "tools/rewrite/derive/Deriver.h"
#include "tools/rewrite/derive/Images.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/ADT/StringExtras.h"
#include <numeric>

using namespace llvm;
using namespace clmali;
using namespace clmali::tool;
using namespace clmali::model;

void Deriver::distances(const Guard &G, std::vector<Poly> &Found) const {
  const Expr *E = G.Cond;
  while (E->K == ExprKind::Cast && E->C == CastOp::Convert)
    E = E->Ops[0];
  if (E->K == ExprKind::Unary && E->O == Op::LogicalNot)
    return distances({E->Ops[0], !G.Holds}, Found);
  if (E->K != ExprKind::Binary)
    return;
  if ((E->O == Op::LogicalAnd && G.Holds) || (E->O == Op::LogicalOr && !G.Holds)) {
    distances({E->Ops[0], G.Holds}, Found);
    return distances({E->Ops[1], G.Holds}, Found);
  }
  Op O = E->O;
  if (O != Op::LT && O != Op::LE && O != Op::GT && O != Op::GE)
    return;
  bool Less = (O == Op::LT || O == Op::LE) == G.Holds,
       Strict = (O == Op::LT || O == Op::GT) == G.Holds;
  Found.push_back(A.poly(E->Ops[Less ? 1 : 0]) - A.poly(E->Ops[Less ? 0 : 1]) -
                  Poly::constant(Strict));
}

/// Bounds of global ids that a guard such as gid < n - 1 implies, in any of its forms.
void Deriver::bounds(const Guard &G, std::vector<Bound> &Found) const {
  std::vector<Poly> All;
  distances(G, All);
  for (const Poly &Distance : All)
    bound(Distance, Found);
}

/// The bound of a global id that Distance >= 0 gives, where it is name + constant - gid.
void Deriver::bound(const Poly &Distance, std::vector<Bound> &Found) const {
  Bound B{3, "", Distance.constantTerm(), {}};
  NamePoly Count;
  for (const auto &[Mono, C] : Distance.Terms) {
    if (Mono.empty())
      continue;
    const SymbolInfo &I = A.symbol(Mono[0]);
    if (Mono.size() == 1 && C == -1 && I.K == SymbolInfo::WorkItem &&
        I.E->Query == WorkItemQuery::GlobalId && B.Dim == 3) {
      B.Dim = I.E->Dim;
      continue;
    }
    Names Product;
    for (unsigned S : Mono) {
      const SymbolInfo &P = A.symbol(S);
      const std::string Argument = argumentName(P);
      const std::string Name = Argument.empty() ? extentName(K, P.E) : Argument;
      if (C < 0 || Name.empty())
        return;
      Product.push_back(Name);
      B.Of.insert(Name);
    }
    llvm::sort(Product);
    Count = add(Count, {{Product, C}});
  }
  if (B.Dim == 3 || Count.empty())
    return;
  bool One = B.Of.size() == 1 && text(Count) == *B.Of.begin();
  B.Name = One ? *B.Of.begin() : "(" + text(Count) + ")";
  Found.push_back(B);
}

void Deriver::findGeometry() {
  auto take = [&](const Guard &G) {
    std::vector<Bound> Found;
    bounds(G, Found);
    for (const Bound &B : Found)
      if (Global[B.Dim].empty()) {
        Global[B.Dim] = B.Name;
        Sizes.insert(B.Of.begin(), B.Of.end());
      }
  };
  for (const AccessSite &S : A.accesses())
    for (const Guard &G : S.Guards)
      take(G);
  // Of accesses to images: a condition that bounds an id bounds it on one side only.
  if (any_of(K.Params, [](const Var *P) { return P->isImage(); }))
    for (Stmt *S : stmts(K.Body))
      if (S->K == StmtKind::If)
        for (bool Holds : {true, false}) {
          take({S->E, Holds});
          bounds({S->E, Holds}, OfImages);
        }
  // Some accesses are under a stronger condition than others.
  erase_if(OfImages, [this](const Bound &B) {
    return any_of(OfImages, [&](const Bound &Other) {
      return Other.Dim == B.Dim && Other.Name == B.Name && Other.Offset > B.Offset;
    });
  });
  // A guard around an early return is among the guards of the following accesses. Without any
  // guard, a row pitch gives the length of a row: y * w + x.
  for (const AccessSite &S : A.accesses())
    for (const auto &[Mono, C] : S.Bytes.Terms) {
      if (Mono.size() != 2)
        continue;
      for (unsigned Which : {0u, 1u}) {
        const SymbolInfo &Id = A.symbol(Mono[Which]), &Pitch = A.symbol(Mono[1 - Which]);
        auto Moves = [](const SymbolInfo &I) {
          return I.K == SymbolInfo::WorkItem &&
                 (I.E->Query == WorkItemQuery::GlobalId || I.E->Query == WorkItemQuery::LocalId);
        };
        if (!Moves(Id) || argumentName(Pitch).empty())
          continue;
        for (unsigned D = 0; D < Dims; ++D)
          if (D != Id.E->Dim && Global[D].empty() && !(OneGroup >> D & 1))
            for (unsigned X = 0; X < A.numSymbols(); ++X)
              if (const SymbolInfo &Other = A.symbol(X);
                  Moves(Other) && Other.E->Dim == D && S.Bytes.degree(X) == 1) {
                Global[D] = argumentName(Pitch);
                Whole.insert(Global[D]);
              }
      }
    }
  static const char *const Free[] = {"items", "rows", "planes"};
  for (unsigned D = 0; D < Dims; ++D) {
    // Work-items along a dimension whose ids are unused would all access the same elements.
    if (Global[D].empty() && !(IdDims >> D & 1)) {
      Global[D] = "1";
      continue;
    }
    if (OneGroup >> D & 1) {
      Global[D] = OneGroupText;
      continue;
    }
    if (Global[D].empty()) {
      Global[D] = Free[D];
      Whole.insert(Global[D]);
    }
    if (!StringRef(Global[D]).ends_with(")"))
      Sizes.insert(Global[D]);
  }
}

std::string Deriver::RowPitch::text() const {
  int64_t Common = PitchBytes;
  for (const auto &[Name, C] : Length)
    Common = std::gcd(Common, C);
  NamePoly Bytes = Length;
  for (auto &[Name, C] : Bytes)
    C /= Common;
  return tool::text({{{Pitch}, PitchBytes / Common}}) + " >= " + tool::text(Bytes);
}

uint64_t Deriver::RowPitch::least(const std::map<std::string, uint64_t> &Sizes) const {
  Expected<launch::Expression> Bytes = launch::Expression::parse(tool::text(Length));
  Expected<int64_t> Value =
      Bytes ? Bytes->evaluate({Sizes.begin(), Sizes.end()}) : Expected<int64_t>(Bytes.takeError());
  if (!Value) { // of names that are no sizes
    consumeError(Value.takeError());
    return 0;
  }
  return divideCeil(std::max<int64_t>(*Value, 0), PitchBytes);
}

/// y * pitch + x: rows must not overlap, those of a loop where they are written. x is an id below
/// another argument, or, where rows are written, anything of which the largest value is known:
/// get_global_id(0) / 32 * 32 + ..
void Deriver::findPitches() {
  for (const AccessSite &S : A.accesses()) {
    std::map<unsigned, std::pair<int64_t, unsigned>> Rows; // of a pitch: the shortest step, its id
    for (const auto &[Mono, C] : S.Bytes.Terms) {
      if (Mono.size() != 2 || C <= 0)
        continue;
      for (unsigned Which : {0u, 1u}) {
        const unsigned Pitch = Mono[1 - Which];
        // Rows of a loop that are read may overlap: in[k * dilation + x].
        const SymbolInfo &Row = A.symbol(Mono[Which]);
        const bool IsRow =
            Row.Varies.Item ||
            (S.IsWrite && (Row.K == SymbolInfo::LoopVar || Row.K == SymbolInfo::Iteration));
        if (argumentName(A.symbol(Pitch)).empty() || !IsRow)
          continue;
        auto [At, New] = Rows.try_emplace(Pitch, C, Mono[Which]);
        if (!New && C < At->second.first)
          At->second = {C, Mono[Which]};
      }
    }
    for (const auto &[Pitch, Row] : Rows)
      findPitch(S, argumentName(A.symbol(Pitch)), Pitch, Row.first, A.symbol(Row.second));
  }
}

void Deriver::findPitch(const AccessSite &S, const std::string &Pitch, unsigned Symbol,
                        int64_t PitchBytes, const SymbolInfo &Row) {
  // What chooses the row is no address within it: (pitch + 1) * y + x is pitch * y + (y + x).
  std::set<unsigned> OfRows;
  for (const auto &[Mono, C] : S.Bytes.Terms)
    if (is_contained(Mono, Symbol))
      OfRows.insert(Mono.begin(), Mono.end());
  Poly Along; // the address within a row
  for (const auto &[Mono, C] : S.Bytes.Terms) {
    bool Varies = any_of(Mono, [&](unsigned X) { return !A.symbol(X).Varies.uniformInLaunch(); });
    if (Varies && none_of(Mono, [&](unsigned X) { return OfRows.count(X); }))
      Along.Terms[Mono] = C;
  }
  bool AllIds = true, Any = false;
  for (const auto &[Mono, C] : Along.Terms) {
    const SymbolInfo &I = A.symbol(Mono[0]);
    Any = true;
    AllIds &= Mono.size() == 1 && C > 0 && I.K == SymbolInfo::WorkItem &&
              I.E->Query == WorkItemQuery::GlobalId;
    const bool OfOtherDim =
        Row.K == SymbolInfo::WorkItem ? I.E->Dim != Row.E->Dim : !Row.Varies.Item;
    if (AllIds && OfOtherDim && I.E->Dim < Dims && Sizes.count(Global[I.E->Dim]) &&
        Global[I.E->Dim] != Pitch)
      Pitches.insert({Pitch, {{{Global[I.E->Dim]}, C}}, PitchBytes});
  }
  if (AllIds || !Any || !S.IsWrite || S.A->Base->space() != AddressSpace::Global)
    return;
  Here.clear();
  for (const Guard &G : S.Guards)
    bounds(G, Here);
  std::optional<NamePoly> Last = extreme(Along, /*Largest=*/true);
  // Where the pitch itself gives the number of work-items, the geometry says so.
  auto Mentions = [&](const auto &Term) {
    return any_of(Term.first, [&](StringRef Text) { return is_contained(names(Text), Pitch); });
  };
  if (Last && none_of(*Last, Mentions))
    Pitches.insert(
        {Pitch, add(*Last, constant(int64_t(sizeInBytes(S.A->Elem)) * S.A->Lanes)), PitchBytes});
}

/// True if work-items of one group that differ along D only would write one element of local
/// memory: its address and guards name other local ids, and not this one.
bool Deriver::sharesLocalMemoryAlong(unsigned D) const {
  auto ItemsIn = [&](const Poly &P) {
    uint8_t Items = 0;
    for (const auto &[Mono, C] : P.Terms)
      for (unsigned X : Mono)
        Items |= A.symbol(X).Varies.Item;
    return Items;
  };
  return any_of(A.accesses(), [&](const AccessSite &S) {
    uint8_t Items = ItemsIn(S.Bytes);
    if (!S.IsWrite || S.A->Base->space() != AddressSpace::Local || !Items || (Items >> D & 1))
      return false;
    return none_of(S.Guards, [&](const Guard &G) {
      // A size is no choice of one work-item.
      std::vector<Bound> Found;
      bounds(G, Found);
      return Found.empty() && (A.varies(G.Cond, S.S).Item >> D & 1);
    });
  });
}

/// For integers in memory that index arrays of fixed size (histogram[data[i]]), sets the largest
/// index that fits; those that bound loops get small values.
void Deriver::findIndices() {
  constexpr unsigned MostIterations = 63;
  for (const Stmt *S : stmts(K.Body)) {
    std::optional<CountedLoop> L =
        S->K == StmtKind::Loop ? A.countedLoop(S) : std::optional<CountedLoop>();
    for (const Expr *Bound : {L ? L->Lower : nullptr, L ? L->Bound : nullptr})
      for (const auto &[Mono, C] : Bound ? A.poly(Bound).Terms : decltype(Poly::Terms)())
        for (unsigned X : Mono)
          if (const SymbolInfo &I = A.symbol(X); I.K == SymbolInfo::Atom && I.E &&
                                                 I.E->K == ExprKind::Load &&
                                                 I.E->Acc.Base->isPointerParam())
            Indices.try_emplace(I.E->Acc.Base, MostIterations);
  }
  for (const AccessSite &S : A.accesses()) {
    if (S.A->Base->K != Var::Memory || !S.A->Base->Ty->Size)
      continue;
    // Elements after the constant offset: 8 in table[8 + data[i]].
    int64_t Size = int64_t(S.A->Base->Ty->Size) - std::max<int64_t>(0, S.Bytes.constantTerm());
    for (const auto &[Mono, C] : S.Bytes.Terms)
      for (unsigned X : Mono)
        if (const SymbolInfo &I = A.symbol(X); I.K == SymbolInfo::Atom && I.E &&
                                               I.E->K == ExprKind::Load && C > 0 &&
                                               I.E->Acc.Base->isPointerParam()) {
          unsigned &Most = Indices.try_emplace(I.E->Acc.Base, 63).first->second;
          int64_t Room = std::max<int64_t>(1, Size / C) - 1;
          Most = std::min<int64_t>(Most, Mono.size() == 1 ? Room : 1);
        }
  }
}

/// True if every local array of fixed size covers its accesses.
bool Deriver::fitsArrays() {
  return all_of(A.accesses(), [&](const AccessSite &S) {
    const Var *V = S.A->Base;
    if (V->K != Var::Memory || V->AS != AddressSpace::Local)
      return true;
    Here.clear();
    std::optional<NamePoly> Last = extreme(S.Bytes, /*Largest=*/true);
    // A copy loop adapts its trip count to the group.
    if (!Last || !all_of(*Last, [](const auto &T) { return T.first.empty(); }))
      return true;
    return add(*Last, constant(uint64_t(sizeInBytes(S.A->Elem)) * S.A->Lanes))[{}] <=
           int64_t(V->Ty->Size);
  });
}

void Deriver::findLocal() {
  if (K.ReqdWorkGroupSize)
    copy(*K.ReqdWorkGroupSize, Local.begin());
  else if (HostLocal)
    copy(*HostLocal, Local.begin());
  if (K.ReqdWorkGroupSize || HostLocal || !InGroups)
    return;
  std::array<unsigned, 3> Said = {0, 0, 0}, Flat = {0, 0, 0};
  const NDRangeUse Use = NDRangeUse::of(K);
  auto Look = [&](const Expr *E) {
    // The number of the group, where local ids are used, too: get_global_id(0) / 32.
    std::optional<int64_t> By =
        E->K == ExprKind::Binary && E->O == Op::Div ? constantValue(E->Ops[1]) : std::nullopt;
    if (By && *By > 1 && *By <= 1024 && Use.uses(WorkItemQuery::LocalId))
      for (unsigned D = 0; D < 3; ++D)
        if (const Expr *Id = origin(A, E->Ops[0]); Id->K == ExprKind::WorkItem &&
                                                   Id->Query == WorkItemQuery::GlobalId &&
                                                   Id->Dim == D && !Said[D])
          Said[D] = unsigned(*By);
    if (E->K != ExprKind::Binary || E->O != Op::Add || !E->Ty->isScalar() || !E->Ty->isInteger())
      return;
    Poly P = A.poly(E);
    std::array<int64_t, 3> Group = {0, 0, 0}, Item = {0, 0, 0};
    for (const auto &[Mono, C] : P.Terms)
      if (Mono.size() == 1)
        if (const SymbolInfo &I = A.symbol(Mono[0]); I.K == SymbolInfo::WorkItem && I.E->Dim < 3) {
          if (I.E->Query == WorkItemQuery::GroupId)
            Group[I.E->Dim] = C;
          if (I.E->Query == WorkItemQuery::LocalId)
            Item[I.E->Dim] = C;
        }
    for (unsigned D = 0; D < 3; ++D)
      if (Item[D] == 1 && Group[D] > 0 && Group[D] <= 1024)
        Said[D] = unsigned(Group[D]);
    // A flat id in the group, get_local_id(1) * 8 + get_local_id(0). The row of a padded array has
    // another length, which is no power of two.
    for (unsigned D = 0; D < 2; ++D)
      if (Item[D] > 0 && Item[D + 1] % Item[D] == 0)
        if (const int64_t Row = Item[D + 1] / Item[D]; Row > 1 && Row <= 1024 && isPowerOf2_64(Row))
          Flat[D] = unsigned(Row);
  };
  for (ExprAt X : exprs(K.Body))
    Look(X.E);
  // Work-items of a group may do more elements than there are of them: then only flat ids say how
  // many these are.
  constexpr unsigned MaxItems = 1024;
  const bool TooMany =
      std::max(1u, Said[0]) * std::max(1u, Said[1]) * std::max(1u, Said[2]) > MaxItems;
  for (unsigned D = 0; D < 3; ++D)
    Said[D] = Flat[D] ? Flat[D] : TooMany ? 0 : Said[D];
  static constexpr std::array<unsigned, 3> Usual[][7] = {
      {{64, 1, 1}, {256, 1, 1}, {128, 1, 1}, {32, 1, 1}, {16, 1, 1}, {8, 1, 1}, {4, 1, 1}},
      {{16, 16, 1}, {32, 8, 1}, {32, 4, 1}, {16, 8, 1}, {8, 8, 1}, {8, 4, 1}, {4, 4, 1}},
      {{8, 8, 4}, {4, 4, 4}, {8, 4, 2}, {4, 4, 2}, {4, 2, 2}, {2, 2, 2}, {2, 2, 1}}};
  auto IsOne = [&](unsigned D) {
    return D >= Dims || Global[D] == "1" || sharesLocalMemoryAlong(D);
  };
  unsigned Extends =
      std::max(1u, unsigned(count_if(seq(3u), [&](unsigned D) { return !IsOne(D); })));
  for (const std::array<unsigned, 3> &Sizes : Usual[Extends - 1]) {
    for (unsigned D = 0, Next = 0; D < 3; ++D)
      Local[D] = IsOne(D) ? 1 : Said[D] ? (++Next, Said[D]) : Sizes[Next++];
    if (fitsArrays())
      return;
  }
}
