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

#include "rewriters/pass/Pass.h"
#include "rewriters/pass/Passes.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include <map>
#include <set>

namespace clmali::rewrite {

using namespace model;

namespace {

/// Elements [Begin, End), counted from the first load of a group.
struct Span {
  int64_t Begin = 0, End = 0;
  bool overlaps(const Span &O) const { return Begin < O.End && O.Begin < End; }
  bool contains(const Span &O) const { return Begin <= O.Begin && O.End <= End; }
  int64_t size() const { return End - Begin; }
  auto operator<=>(const Span &O) const = default;
};

struct Item {
  size_t At; ///< statement
  const Expr *Load;
  Span S;
  bool Conditional; ///< evaluated only if a condition of its statement holds
};

/// Loads of one base at constant distances, between which nothing is written to
/// what they read.
struct Group {
  Var *Base;
  ScalarKind Elem;
  Poly Address; ///< bytes, of element 0
  std::vector<Item> Items;
  std::vector<Span> Written;
};

/// A load to make: Span elements, declared before statement At.
struct Chunk {
  Span S;
  size_t At = 0;
  Var *V = nullptr;
};

bool mayAlias(const Var *A, const Var *B) {
  if (A == B)
    return true;
  if (A->space() != B->space() || A->K != Var::Param || B->K != Var::Param)
    return false;
  return !A->Ty->Restrict && !B->Ty->Restrict;
}

const Type *elementOf(const Var *V) {
  const Type *Elem = V->Ty;
  while (Elem->K == Type::Array || Elem->K == Type::Pointer)
    Elem = Elem->Elem;
  return Elem;
}

/// Elements that have parts: structs (unions excepted) and vectors.
bool hasFields(const Var *V) {
  const Type *Elem = elementOf(V);
  return (Elem->K == Type::Struct && !Elem->isUnion()) || Elem->isVector();
}

/// Is Acc one element, or several in a row, of an array of scalars?
bool isPlain(const Access &Acc) {
  const Type *Elem = elementOf(Acc.Base);
  return Elem->isScalar() && Elem->Scalar == Acc.Elem && Acc.Path.empty() && !Acc.Disp &&
         Acc.Stride.back() == sizeInBytes(Acc.Elem);
}

class Merger {
public:
  Merger(Module &M, Kernel &K, bool Overlapping) : M(M), K(K), A(M, K), Overlapping(Overlapping) {}
  unsigned run() {
    block(K.Body);
    return Changes;
  }

private:
  Module &M;
  Kernel &K;
  KernelAnalysis A;
  const bool Overlapping;
  unsigned Changes = 0;

  std::vector<Group> Open;
  /// By statement too: statements may share expressions.
  std::map<std::pair<size_t, const Expr *>, const Expr *> Replace;
  std::map<size_t, StmtList> Before; ///< declarations, by statement

  void block(StmtList &B);
  void loadsOf(const Expr *E, size_t At, const Stmt *S, bool Conditional);
  void written(const Access &Acc, const Stmt *S, StmtList &B);
  void close(StmtList &B, llvm::function_ref<bool(Group &)> Which);
  void merge(const Group &G, StmtList &B);
  bool cover(const std::set<Span> &Spans, std::vector<Chunk> &Chunks);
  void runs(const std::set<Span> &Spans, std::vector<Chunk> &Chunks);
  void wholeVectors(const Group &G, unsigned Lanes, std::vector<Chunk> &Chunks);
  void declare(Chunk &C, const Group &G, const Item &First);
  const Expr *value(const Span &S, llvm::ArrayRef<Chunk> Chunks, const Type *Ty);
};

/// May control leave S for a place outside of the block that S stands in?
bool mayLeave(const Stmt *S, bool InLoop = false) {
  if (S->K == StmtKind::Return)
    return true;
  if (S->K == StmtKind::Break || S->K == StmtKind::Continue)
    return !InLoop;
  bool Inside = InLoop || S->K == StmtKind::Loop;
  return llvm::any_of(S->Body, [&](const Stmt *N) { return mayLeave(N, Inside); }) ||
         llvm::any_of(S->Else, [&](const Stmt *N) { return mayLeave(N, Inside); });
}

void Merger::loadsOf(const Expr *E, size_t At, const Stmt *S, bool Conditional) {
  if (E->K == ExprKind::Select && E->Ops[0]->Ty->isScalar()) {
    loadsOf(E->Ops[0], At, S, Conditional);
    loadsOf(E->Ops[1], At, S, true);
    loadsOf(E->Ops[2], At, S, true);
    return;
  }
  if (E->K == ExprKind::Binary && (E->O == Op::LogicalAnd || E->O == Op::LogicalOr) &&
      E->Ops[0]->Ty->isScalar()) {
    loadsOf(E->Ops[0], At, S, Conditional);
    loadsOf(E->Ops[1], At, S, true);
    return;
  }
  forEachOperand(*E, [&](const Expr *X) { loadsOf(X, At, S, Conditional); });
  if (E->K != ExprKind::Load || E->Acc.Volatile)
    return;
  const Access &Acc = E->Acc;
  unsigned Size = sizeInBytes(Acc.Elem);
  bool Field = Acc.Lanes == 1 && Acc.F == Access::Subscript && hasFields(Acc.Base);
  bool Merges = !Acc.Index.empty() && Acc.Elem != ScalarKind::Bool && (isPlain(Acc) || Field) &&
                Acc.Base->space() != AddressSpace::Private && !Acc.Base->ProgramScope &&
                (Acc.Lanes == 1 || Acc.F == Access::VLoad);
  if (!Merges)
    return;
  Poly Address = A.bytes(Acc, S);
  for (Group &G : llvm::reverse(Open)) {
    if (G.Base != Acc.Base || G.Elem != Acc.Elem)
      continue;
    Poly D = Address - G.Address;
    if (!D.isConstant() || D.constantTerm() % int64_t(Size))
      continue;
    int64_t Begin = D.constantTerm() / int64_t(Size);
    Span Here{Begin, Begin + Acc.Lanes};
    if (llvm::any_of(G.Written, [&](const Span &W) { return W.overlaps(Here); }))
      continue; // it reads what was written meanwhile: another group
    G.Items.push_back({At, E, Here, Conditional});
    return;
  }
  Open.push_back({Acc.Base, Acc.Elem, Address, {{At, E, {0, Acc.Lanes}, Conditional}}, {}});
}

/// S writes Acc, after its own loads.
void Merger::written(const Access &Acc, const Stmt *S, StmtList &B) {
  Poly Address = A.bytes(Acc, S);
  unsigned Bytes = sizeInBytes(Acc.Elem) * Acc.Lanes;
  close(B, [&](Group &G) {
    if (!mayAlias(Acc.Base, G.Base))
      return false;
    Poly D = Address - G.Address;
    if (!D.isConstant())
      return true;
    int64_t Size = sizeInBytes(G.Elem), C = D.constantTerm();
    auto floorDiv = [](int64_t X, int64_t Y) { return X / Y - (X % Y < 0); };
    G.Written.push_back({floorDiv(C, Size), floorDiv(C + Bytes - 1, Size) + 1});
    return false;
  });
}

void Merger::close(StmtList &B, llvm::function_ref<bool(Group &)> Which) {
  std::vector<Group> Kept;
  for (Group &G : Open) {
    if (Which(G))
      merge(G, B);
    else
      Kept.push_back(std::move(G));
  }
  Open = std::move(Kept);
}

//===----------------------------------------------------------------------===//
// What to load
//===----------------------------------------------------------------------===//

/// The fewest loads that read just the union of Spans, if they are fewer.
bool Merger::cover(const std::set<Span> &Spans, std::vector<Chunk> &Chunks) {
  bool Any = false;
  for (auto It = Spans.begin(); It != Spans.end();) {
    Span All = *It;
    unsigned Count = 0;
    bool HasVector = false;
    for (; It != Spans.end() && It->Begin <= All.End; ++It, ++Count) {
      All.End = std::max(All.End, It->End);
      HasVector |= It->size() > 1;
    }
    int64_t Size = 1;
    while (Size < 16 && Size * 2 <= All.size())
      Size *= 2;
    std::vector<Chunk> New;
    int64_t Place = All.Begin;
    for (; Place + Size <= All.End; Place += Size)
      New.push_back({{Place, Place + Size}});
    if (int64_t Rest = All.End - Place) {
      int64_t Last = 1;
      while (Last < Rest)
        Last *= 2;
      New.push_back({{All.End - Last, All.End}});
    }
    if (New.size() >= Count || !HasVector)
      continue;
    Chunks.insert(Chunks.end(), New.begin(), New.end());
    Any = true;
  }
  return Any;
}

/// Runs of single elements, as 16, 8, 4 or 2.
void Merger::runs(const std::set<Span> &Spans, std::vector<Chunk> &Chunks) {
  for (auto It = Spans.begin(); It != Spans.end();) {
    int64_t Begin = It->Begin, End = Begin;
    for (; It != Spans.end() && It->Begin == End; ++It)
      ++End;
    while (End - Begin >= 2) {
      int64_t Size = 16;
      while (Size > End - Begin)
        Size /= 2;
      if (End - Begin == 3)
        Size = 3;
      Chunks.push_back({{Begin, Begin + Size}});
      Begin += Size;
    }
  }
}

/// Vectors in memory of which components are read one by one.
void Merger::wholeVectors(const Group &G, unsigned Lanes, std::vector<Chunk> &Chunks) {
  bool Written = false;
  walk(K.Body, [&](Stmt *S) {
    bool Writes = S->K == StmtKind::Store || S->K == StmtKind::Atomic ||
                  S->K == StmtKind::AsyncCopy || S->K == StmtKind::Call;
    Written |= Writes && (!S->Acc.Base || mayAlias(S->Acc.Base, G.Base));
    return !Written;
  });
  std::map<int64_t, std::set<int64_t>> Read; ///< components, by where their vector begins
  for (const Item &I : G.Items)
    if (!I.Conditional && I.S.size() == 1)
      Read[I.S.Begin - int64_t(I.Load->Acc.Disp / sizeInBytes(G.Elem))].insert(I.S.Begin);
  for (const auto &[Begin, Components] : Read)
    if (Components.size() >= (Written ? Lanes : std::min(Lanes, 2u)))
      Chunks.push_back({{Begin, Begin + Lanes}});
}

void Merger::merge(const Group &G, StmtList &B) {
  std::set<Span> All, Single;
  std::map<Span, unsigned> Times;
  for (const Item &I : G.Items) {
    ++Times[I.S];
    if (I.Conditional)
      continue;
    All.insert(I.S);
    if (I.S.size() == 1)
      Single.insert(I.S);
  }
  std::vector<Chunk> Chunks;
  if (Overlapping)
    cover(All, Chunks);
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
    for (const Item &I : G.Items)
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
    for (const Item &I : G.Items)
      if (!I.Conditional && I.S.overlaps(C.S)) {
        declare(C, G, I);
        break;
      }
  for (const Item &I : G.Items) {
    bool Later = covered(I.S) && llvm::all_of(Chunks, [&](const Chunk &C) {
                   return !C.S.overlaps(I.S) || C.At <= I.At;
                 });
    if (!Later)
      continue;
    Replace[{I.At, I.Load}] = value(I.S, Chunks, I.Load->Ty);
    ++Changes;
  }
}

void Merger::declare(Chunk &C, const Group &G, const Item &First) {
  unsigned Lanes = C.S.size();
  const Type *Ty = M.value(G.Elem, Lanes);
  Access Acc = First.Load->Acc;
  const Expr *&Index = Acc.Index.back();
  const Type *Whole = elementOf(G.Base);
  // The first of several in the statement may not be the lowest: count from it.
  int64_t Shift = C.S.Begin - First.S.Begin;
  if (Shift && !isPlain(Acc)) {
    Acc.Disp += Shift * int64_t(sizeInBytes(G.Elem));
  } else if (Shift) {
    const Expr *Distance = M.intConst(std::abs(Shift), Index->Ty);
    Index = simplify(M, M.binary(Shift > 0 ? Op::Add : Op::Sub, Index, Distance));
  }
  Acc.Lanes = Lanes;
  Acc.F = Lanes > 1 ? Access::VLoad : Access::Subscript;
  if (!isPlain(First.Load->Acc) && Lanes > 1) {
    // The field where it begins, if that is one that was read.
    auto Lowest = llvm::find_if(
        G.Items, [&](const Item &I) { return I.S.Begin == C.S.Begin && I.S.size() == 1; });
    Acc.Path = Lowest == G.Items.end() ? std::string() : Lowest->Load->Acc.Path;
    // A whole vector of an array of vectors is aligned to itself.
    if (Whole->isVector() && Whole->Lanes == Lanes && Acc.Disp == 0 &&
        Acc.Stride.back() % Whole->Size == 0)
      Acc.F = Access::Subscript;
  }
  C.At = First.At;
  C.V = M.newVar(Var::Temp, uniqueName(K, G.Base->Name + "_v"), Ty);
  K.Vars.push_back(C.V);
  Stmt *D = M.newStmt(StmtKind::Decl);
  D->V = C.V;
  D->E = M.load(Acc);
  Before[C.At].push_back(D);
}

/// The elements of S out of the chunks that hold them.
const Expr *Merger::value(const Span &S, llvm::ArrayRef<Chunk> Chunks, const Type *Ty) {
  llvm::SmallVector<const Expr *, 4> Parts;
  for (int64_t Next = S.Begin; Next < S.End;) {
    // The chunk that reaches furthest from here.
    const Chunk *Best = nullptr;
    for (const Chunk &C : Chunks)
      if (C.S.contains({Next, Next + 1}) && (!Best || C.S.End > Best->S.End))
        Best = &C;
    int64_t End = std::min(Best->S.End, S.End);
    // A run is split into lengths that vectors have.
    if (int64_t Run = End - Next; Run != 16)
      End = Next + (Run >= 8 ? 8 : Run >= 4 ? 4 : Run >= 2 ? 2 : 1);
    llvm::SmallVector<uint8_t, 16> Lanes;
    for (int64_t I = Next; I < End; ++I)
      Lanes.push_back(uint8_t(I - Best->S.Begin));
    const Expr *Ref = M.ref(Best->V);
    bool Whole = Next == Best->S.Begin && End == Best->S.End;
    Parts.push_back(Whole ? Ref : M.swizzle(Ref, Lanes));
    Next = End;
  }
  return Parts.size() == 1 ? Parts[0] : M.vectorCtor(Ty, Parts);
}

//===----------------------------------------------------------------------===//
// Blocks
//===----------------------------------------------------------------------===//

void Merger::block(StmtList &B) {
  // Those of nested blocks first, each by itself.
  for (Stmt *S : B)
    for (StmtList *Nested : {&S->Body, &S->Else}) {
      if (S->Rare)
        continue; // stays as the user wrote it
      auto Saved = std::move(Open);
      Open.clear();
      block(*Nested);
      Open = std::move(Saved);
    }
  auto SavedReplace = std::move(Replace);
  auto SavedBefore = std::move(Before);
  Replace.clear();
  Before.clear();

  for (size_t At = 0; At < B.size(); ++At) {
    Stmt *S = B[At];
    auto all = [](const Group &) { return true; };
    switch (S->K) {
    case StmtKind::Decl:
    case StmtKind::Assign:
    case StmtKind::If:
    case StmtKind::Store:
      forEachExpr(*S, [&](const Expr *E) { loadsOf(E, At, S, false); });
      break;
    case StmtKind::Loop:
      break;
    default:
      // Barriers, atomics, calls: others may write.
      close(B, all);
      continue;
    }
    if (S->K == StmtKind::Store) {
      if (S->Acc.Volatile)
        close(B, all);
      else
        written(S->Acc, S, B);
    }
    if (S->K != StmtKind::If && S->K != StmtKind::Loop)
      continue;
    llvm::DenseSet<const Var *> Bases;
    bool Everything = mayLeave(S);
    walk({S}, [&](Stmt *N) {
      if (N->K == StmtKind::Store)
        Bases.insert(N->Acc.Base);
      else if (N->K != StmtKind::Decl && N->K != StmtKind::Assign && N->K != StmtKind::If &&
               N->K != StmtKind::Loop && N->K != StmtKind::Break && N->K != StmtKind::Continue)
        Everything = true;
      return true;
    });
    close(B, [&](const Group &G) {
      return Everything || llvm::any_of(Bases, [&](const Var *W) { return mayAlias(W, G.Base); });
    });
  }
  close(B, [](const Group &) { return true; });

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

unsigned mergeLoads(Module &M, Kernel &K, bool Overlapping) {
  bool HasOpaque = !K.Opaques.empty();
  walk(K.Body, [&](Stmt *S) { return !(HasOpaque |= S->K == StmtKind::Opaque); });
  return HasOpaque ? 0 : Merger(M, K, Overlapping).run();
}

static unsigned merge(PassState &S) { return mergeLoads(S.module(), S.kernel(), false); }

CLMALI_PASS(.Id = "merge-loads", .ShownAs = "merge-loads",
            .Does = "Loads of neighbouring elements become one vector load.", .Edit = merge,
            .Requires = NormalForm);

static unsigned mergeOverlapping(PassState &S) { return mergeLoads(S.module(), S.kernel(), true); }

CLMALI_PASS(.Id = "merge-overlapping", .ShownAs = "merge-loads",
            .Does = "Vector loads that share elements become fewer.", .Edit = mergeOverlapping,
            .Requires = NormalForm);

} // namespace clmali::rewrite
