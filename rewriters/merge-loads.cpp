//===-- rewriters/merge-loads.cpp - Neighbouring loads become one ------------===//
//
// What it does: within straight-line code, scalar loads of neighbouring elements
// become one vector load and its lanes, loads of one address become one, and (with
// Overlapping) vector loads that share elements become fewer:
//
//   before                              after
//   float a = p[4 * i];                 float4 p_v = vload4(0, p + 4 * i);
//   float b = p[4 * i + 1];             float a = p_v.s0, b = p_v.s1 ...
//
//   before                              after, Overlapping
//   uchar16 l = vload16(0, s + i);      uchar16 l = vload16(0, s + i);
//   uchar16 m = vload16(0, s + i + 3);  uchar8 s_v = vload8(0, s + i + 14);
//   uchar16 r = vload16(0, s + i + 6);  m = (uchar16)(l.s3456..., s_v.s234); ...
//
// A new load reads only bytes that the old ones read, all of them unconditionally;
// of a vector that nobody writes, also the components beside them.
// Nothing that may write them stands between it and the loads that it replaces: a
// store through another pointer counts as one to the same buffer, so it conflicts
// unless it is known to go to other elements.
//
// Fields of a struct that lie beside each other merge too, and so do components of
// a vector in memory: all of them become a load of the vector.
//
// Limits: scalars or their vectors. No private arrays, which are registers.
//
//===----------------------------------------------------------------------===//

#include "checks/model/pattern/LoadGroups.h"
#include "checks/model/pattern/Opaque.h"
#include "rewriters/lanes/Pieces.h"
#include "rewriters/pass/Pass.h"
#include "rewriters/pass/Passes.h"
#include "llvm/ADT/STLExtras.h"
#include <map>
#include <set>

namespace clmali::rewrite {

using namespace model;
using pattern::elementOf, pattern::GroupedLoad, pattern::isPlain, pattern::LoadGroup,
    pattern::mayAlias, pattern::Span;

namespace {

/// A load to make: Span elements, declared before statement At.
struct Chunk {
  Span S;
  size_t At = 0;
  const Expr *Ref = nullptr; ///< to the variable that holds it
};

class Merger : KernelEditor {
public:
  Merger(const EditedKernel &E, bool Overlapping, pattern::Apart *Assumed)
      : KernelEditor(E), Overlapping(Overlapping), Assumed(Assumed) {}
  unsigned run() {
    block(K.Body);
    return Changes;
  }

private:
  const bool Overlapping;
  pattern::Apart *const Assumed;
  unsigned Changes = 0;

  /// By statement too: statements may share expressions.
  std::map<std::pair<size_t, const Expr *>, const Expr *> Replace;
  std::map<size_t, StmtList> Before; ///< declarations, by statement

  void block(StmtList &B);
  void merge(const LoadGroup &G);
  void runs(const std::set<Span> &Spans, std::vector<Chunk> &Chunks);
  void wholeVectors(const LoadGroup &G, unsigned Lanes, std::vector<Chunk> &Chunks);
  void declare(Chunk &C, const LoadGroup &G, const GroupedLoad &First);
  const Expr *value(const Span &S, llvm::ArrayRef<Chunk> Chunks);
};

//===----------------------------------------------------------------------===//
// What to load
//===----------------------------------------------------------------------===//

/// Runs of single elements, as 16, 8, 4 or 2.
void Merger::runs(const std::set<Span> &Spans, std::vector<Chunk> &Chunks) {
  for (auto It = Spans.begin(); It != Spans.end();) {
    int64_t Begin = It->Begin, End = Begin;
    for (; It != Spans.end() && It->Begin == End; ++It)
      ++End;
    while (End - Begin >= 2) {
      int64_t Size = accessLength(End - Begin);
      Chunks.push_back({{Begin, Begin + Size}});
      Begin += Size;
    }
  }
}

/// Vectors in memory of which components are read one by one; neighbours in one load, up to the
/// widest that a unit takes at once.
void Merger::wholeVectors(const LoadGroup &G, unsigned Lanes, std::vector<Chunk> &Chunks) {
  bool Written = false;
  walk(K.Body, [&](Stmt *S) {
    bool Writes = S->K == StmtKind::Store || S->K == StmtKind::Atomic ||
                  S->K == StmtKind::AsyncCopy || S->K == StmtKind::Call;
    Written |= Writes && (!S->Acc.Base || mayAlias(S->Acc.Base, G.Base));
    return !Written;
  });
  std::map<int64_t, std::set<int64_t>> Read; ///< components, by where their vector begins
  for (const GroupedLoad &I : G.Loads)
    if (!I.Conditional && I.S.size() == 1)
      Read[I.S.Begin - int64_t(I.Load->Acc.Disp / sizeInBytes(G.Elem))].insert(I.S.Begin);
  std::vector<int64_t> Begins;
  for (const auto &[Begin, Components] : Read)
    if (Components.size() >= (Written ? Lanes : std::min(Lanes, 2u)))
      Begins.push_back(Begin);
  const unsigned Most = std::max(1u, 16 / sizeInBytes(G.Elem) / Lanes);
  for (size_t I = 0; I < Begins.size();) {
    size_t Run = 1;
    while (I + Run < Begins.size() && Begins[I + Run] == Begins[I] + int64_t(Run * Lanes))
      ++Run;
    size_t Take = pieceLength(Run, Most);
    Chunks.push_back({{Begins[I], Begins[I] + int64_t(Take * Lanes)}});
    I += Take;
  }
}

void Merger::merge(const LoadGroup &G) {
  std::set<Span> All, Single;
  std::map<Span, unsigned> Times;
  for (const GroupedLoad &I : G.Loads) {
    ++Times[I.S];
    if (I.Conditional)
      continue;
    All.insert(I.S);
    if (I.S.size() == 1)
      Single.insert(I.S);
  }
  std::vector<Chunk> Chunks;
  if (Overlapping)
    for (const Span &S : pattern::fewerLoads(All))
      Chunks.push_back({S});
  auto covered = [&](const Span &S) {
    int64_t Next = S.Begin;
    while (Next < S.End) {
      auto C =
          llvm::find_if(Chunks, [&](const Chunk &C) { return C.S.contains({Next, Next + 1}); });
      if (C == Chunks.end())
        return false;
      Next = C->S.End;
    }
    return true;
  };
  if (const Type *Whole = elementOf(G.Base); Whole->isVector())
    wholeVectors(G, Whole->Lanes, Chunks);
  std::set<Span> Rest;
  for (const Span &S : Single)
    if (!covered(S))
      Rest.insert(S);
  runs(Rest, Chunks);
  // A field before the first one in the source has no address that can be told from it.
  llvm::erase_if(Chunks, [&](const Chunk &C) {
    for (const GroupedLoad &I : G.Loads)
      if (!I.Conditional && I.S.overlaps(C.S))
        return !isPlain(I.Load->Acc) &&
               int64_t(I.Load->Acc.Disp) + (C.S.Begin - I.S.Begin) * int64_t(sizeInBytes(G.Elem)) <
                   0;
    return true;
  });
  for (const Span &S : All)
    if (Times[S] > 1 && !covered(S))
      Chunks.push_back({S});
  if (Chunks.empty())
    return;
  // Items come in the order of statements: the first of a chunk places it.
  for (Chunk &C : Chunks)
    for (const GroupedLoad &I : G.Loads)
      if (!I.Conditional && I.S.overlaps(C.S)) {
        declare(C, G, I);
        break;
      }
  for (const GroupedLoad &I : G.Loads) {
    bool Later = covered(I.S) && llvm::all_of(Chunks, [&](const Chunk &C) {
                   return !C.S.overlaps(I.S) || C.At <= I.At;
                 });
    if (!Later)
      continue;
    Replace[{I.At, I.Load}] = value(I.S, Chunks);
    ++Changes;
  }
}

void Merger::declare(Chunk &C, const LoadGroup &G, const GroupedLoad &First) {
  unsigned Lanes = C.S.size();
  Access Acc = First.Load->Acc;
  const Type *Whole = elementOf(G.Base);
  // The first of several in the statement may not be the lowest: count from it.
  int64_t Shift = C.S.Begin - First.S.Begin;
  Acc = movedBy(M, Acc, Shift);
  Acc.Lanes = Lanes;
  Acc.F = Lanes > 1 ? Access::VLoad : Access::Subscript;
  if (!isPlain(First.Load->Acc) && Lanes > 1) {
    // The field where it begins, if that is one that was read.
    auto Lowest = llvm::find_if(
        G.Loads, [&](const GroupedLoad &I) { return I.S.Begin == C.S.Begin && I.S.size() == 1; });
    Acc.Path = Lowest == G.Loads.end() ? std::string() : Lowest->Load->Acc.Path;
    // A whole vector of an array of vectors is aligned to itself.
    if (Whole->isVector() && Whole->Lanes == Lanes && Acc.Disp == 0 &&
        Acc.Stride.back() % Whole->Size == 0)
      Acc.F = Access::Subscript;
  }
  C.At = First.At;
  Stmt *D = declareTemp(M, K, G.Base->Name + "_v", M.load(Acc));
  C.Ref = M.ref(D->V);
  Before[C.At].push_back(D);
}

/// The elements of S out of the chunks that hold them.
const Expr *Merger::value(const Span &S, llvm::ArrayRef<Chunk> Chunks) {
  llvm::SmallVector<LaneOf, MostLanes> Lanes;
  for (int64_t Next = S.Begin; Next < S.End;) {
    // The chunk that reaches furthest from here.
    const Chunk *Best = nullptr;
    for (const Chunk &C : Chunks)
      if (C.S.contains({Next, Next + 1}) && (!Best || C.S.End > Best->S.End))
        Best = &C;
    // From the end of each piece, another chunk may reach further.
    int64_t End = Next + pieceLength(std::min(Best->S.End, S.End) - Next);
    for (; Next < End; ++Next)
      Lanes.push_back({Best->Ref, uint8_t(Next - Best->S.Begin)});
  }
  return gatherLanes(M, Lanes);
}

//===----------------------------------------------------------------------===//
// Blocks
//===----------------------------------------------------------------------===//

void Merger::block(StmtList &B) {
  // Those of nested blocks first, each by itself.
  for (Stmt *S : B)
    if (!S->Rare) // stays as the user wrote it
      for (StmtList *Nested : {&S->Body, &S->Else})
        block(*Nested);
  auto SavedReplace = std::move(Replace);
  auto SavedBefore = std::move(Before);
  Replace.clear();
  Before.clear();
  for (const LoadGroup &G : pattern::loadGroups(A, B, Assumed != nullptr)) {
    unsigned Before = Changes;
    merge(G);
    if (Assumed && Changes > Before)
      *Assumed |= G.Assumed;
  }

  if (!Replace.empty()) {
    size_t Here = 0;
    std::function<const Expr *(const Expr *)> rewrite = [&](const Expr *E) -> const Expr * {
      auto It = Replace.find({Here, E});
      return It != Replace.end() ? It->second : mapOperands(M, E, rewrite);
    };
    StmtList New;
    for (size_t At = 0; At < B.size(); ++At) {
      if (auto It = Before.find(At); It != Before.end())
        New.insert(New.end(), It->second.begin(), It->second.end());
      Here = At;
      mapExprs(M, *B[At], rewrite);
      New.push_back(B[At]);
    }
    B = std::move(New);
  }
  Replace = std::move(SavedReplace);
  Before = std::move(SavedBefore);
}

} // namespace

unsigned mergeLoads(const EditedKernel &E, bool Overlapping, pattern::Apart *Assumed) {
  return pattern::hasOpaqueParts(E.kernel()) ? 0 : Merger(E, Overlapping, Assumed).run();
}

static unsigned merge(PassState &S, bool Overlapping) {
  pattern::Apart Assumed;
  unsigned Merged =
      mergeLoads(S.editedKernel(), Overlapping, S.context().BuffersShared ? nullptr : &Assumed);
  S.oblige(Assumed);
  return Merged;
}
static unsigned mergeSingle(PassState &S) { return merge(S, false); }
static unsigned mergeOverlapping(PassState &S) { return merge(S, true); }

CLMALI_PASS(.Id = "merge-loads", .ShownAs = "merge-loads",
            .Does = "Loads of neighbouring elements become one vector load.", .Edit = mergeSingle,
            .Requires = NormalForm);

CLMALI_PASS(.Id = "merge-overlapping", .ShownAs = "merge-loads",
            .Does = "Vector loads that share elements become fewer.", .Edit = mergeOverlapping,
            .ReusesVariables = true, .Requires = NormalForm);

} // namespace clmali::rewrite
