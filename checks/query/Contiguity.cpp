//===- Contiguity.cpp - contiguous scalar accesses --------------------------------------------===//

#include "checks/query/Contiguity.h"
#include "checks/model/analysis/eval/LaunchSimulator.h"
#include "checks/query/Limits.h"
#include "checks/query/Packing.h"
#include "checks/query/Query.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <set>

using namespace llvm;
using namespace clmali;
using namespace clmali::checks;
using namespace clmali::model;

namespace {
/// Accesses of one work-item whose addresses differ by constants.
struct Cluster {
  const AccessSite *Leader;
  int64_t Stride; ///< bytes from a work-item to its neighbour
  std::vector<std::pair<const AccessSite *, int64_t>> Members; ///< with their distance in bytes
};
} // namespace

/// True for an element of the buffer or of an array in a structure (all->x[i]), or one component of
/// a vector in the buffer (out[i].x = ..); false for a field of a structure.
static bool isElement(const Access &A) {
  StringRef P = A.Path;
  if (P.empty() || P.ends_with("[]"))
    return true;
  return A.Base->isPointerParam() && A.Base->Ty->Elem && A.Base->Ty->Elem->isVector() &&
         P.starts_with(".") && !P.contains('[') && !P.drop_front().contains('.');
}

/// The offsets in bytes that short loops around Site add to its address: 0, 4, 8 and 12 for `for (c
/// = 0; c < 4; c++) p[4 * i + c]`.
static std::set<int64_t> inRounds(const GuessedFacts &G, const KernelAnalysis &K,
                                  const AccessSite &Site) {
  std::set<int64_t> Result = {0};
  if (Site.A->F == Access::Cast)
    return Result;
  for (unsigned S = 0; S < K.numSymbols(); ++S) {
    const SymbolInfo &Info = K.symbol(S);
    if (Info.K != SymbolInfo::LoopVar || Site.Bytes.degree(S) != 1 ||
        !is_contained(Site.Loops, Info.Loop))
      continue;
    std::optional<CountedLoop> Loop = K.countedLoop(Info.Loop);
    Poly Step = Site.Bytes.coefficient(S);
    std::optional<int64_t> Trips = Loop ? G.knownTripCount(*Loop) : std::nullopt;
    if (!Trips || !Step.isConstant() || *Trips > limits::PixelElements ||
        Result.size() * *Trips > 4 * limits::PixelElements)
      continue;
    std::set<int64_t> Moved;
    for (int64_t From : Result)
      for (int64_t Iteration = 0; Iteration < *Trips; ++Iteration)
        Moved.insert(From + Iteration * Loop->Step * Step.constantTerm());
    Result = std::move(Moved);
  }
  return Result;
}

/// True if the residues of a cluster modulo the stride cover every element. Of a vector in memory,
/// three components are sufficient: out[i].x = ..; out[i].y = ..; out[i].z = ..
static bool covers(const GuessedFacts &G, const KernelAnalysis &K, const Cluster &C, int64_t Stride,
                   int64_t Element) {
  if (Stride < 0)
    Stride = -Stride;
  if (Stride == 0 || Stride % Element || Stride / Element > limits::PixelElements)
    return false;
  std::set<int64_t> Residues;
  for (const auto &[Site, Distance] : C.Members)
    if (Stride == Element)
      Residues.insert(((Distance % Stride) + Stride) % Stride);
    else
      for (int64_t Moved : inRounds(G, K, *Site))
        Residues.insert((((Distance + Moved) % Stride) + Stride) % Stride);
  if (*Residues.begin() % Element)
    return false;
  const Access &Leader = *C.Leader->A;
  bool OfVector = !Leader.Path.empty() && Leader.Base->isPointerParam() && Leader.Base->Ty->Elem &&
                  Leader.Base->Ty->Elem->isVector() && Stride == 4 * Element;
  return int64_t(Residues.size()) >= (OfVector ? 3 : Stride / Element);
}

/// True if B does not change along dimension 0 while another buffer is accessed contiguously along
/// it: a bias for each row, a table of indices. One access then serves many work-items.
static bool isBroadcast(const KernelAnalysis &K, const ContiguousBuffer &B) {
  if (B.Dim == 0 || B.Written)
    return false;
  bool Walks = false;
  for (const AccessSite &Site : K.accesses()) {
    if (Site.A->Base->space() != AddressSpace::Global || Site.IsAtomic)
      continue;
    std::optional<Poly> Along = K.stride(*Site.A, 0);
    if (Site.A->Base == B.First->A->Base) {
      if (!Along || !Along->isZero())
        return false;
    } else if (std::optional<int64_t> Step = dominantStride(K, Site, 0); Step && *Step != 0) {
      Walks |= std::abs(*Step) <=
               int64_t(std::max(sizeInBytes(Site.A->Elem) * 4, widthInBytes(*Site.A)));
    }
  }
  return Walks;
}

/// True if Root depends on a quotient or a remainder of an id, through any variables.
static bool dividesId(const KernelAnalysis &K, const Expr *Root, std::set<const Var *> &Seen) {
  bool Found = false;
  walk(Root, [&](const Expr *E) {
    Found |= E->K == ExprKind::Binary && (E->O == Op::Div || E->O == Op::Rem) && K.varies(E).Item;
    if (E->K == ExprKind::VarRef && !Found && Seen.insert(E->V).second)
      for (const Stmt *Def : K.defs(E->V))
        Found |= Def->E && dividesId(K, Def->E, Seen);
    return !Found;
  });
  return Found;
}

/// True if B is the single result of a work-item that reads only in loops over its own window.
/// Windows of adjacent work-items have different bounds, and where a flat id is divided they can be
/// in another row, so adjacent results have no common loop to vectorize.
static bool isResultOfWindows(const KernelAnalysis &K, const ContiguousBuffer &B) {
  if (B.Read || B.Count != 1)
    return false;
  bool Any = false;
  for (const AccessSite &Site : K.accesses()) {
    if (!Site.IsRead || Site.A->Base->space() != AddressSpace::Global)
      continue;
    bool Own = any_of(Site.Loops, [&](const Stmt *Loop) {
      if (is_contained(B.First->Loops, Loop))
        return false; // grid-stride loop around both
      Variation V = Loop->E ? K.varies(Loop->E, Loop) : Variation();
      std::set<const Var *> Seen;
      return (V.Item >> B.Dim & 1) && !V.Data && dividesId(K, Loop->E, Seen);
    });
    if (!Own || dominantStride(K, Site, B.Dim))
      return false;
    Any = true;
  }
  return Any;
}

static bool mentions(const Expr *E, const Var *V) {
  bool Found = false;
  walk(E, [&](const Expr *X) { return !(Found |= X->K == ExprKind::VarRef && X->V == V); });
  return Found;
}

/// True if E, or a variable in it, multiplies something that Is says by a guessed 1: id * WIDTH.
static bool scalesByGuess(const GuessedFacts &Guessed, const KernelAnalysis &K, const Expr *E,
                          const Stmt *At, std::set<const Var *> &Seen,
                          function_ref<bool(const Expr *, const Stmt *)> Is) {
  bool Found = false;
  walk(E, [&](const Expr *X) {
    if (X->K == ExprKind::Binary && X->O == Op::Mul)
      for (unsigned I : {0, 1}) {
        Poly Factor = K.poly(X->Ops[I], At);
        Found |= Guessed.isGuessed(X->Ops[I]) && Factor.isConstant() &&
                 Factor.constantTerm() == 1 && Is(X->Ops[1 - I], At);
      }
    if (X->K == ExprKind::VarRef && Seen.insert(X->V).second)
      Found |= any_of(K.defs(X->V), [&](const Stmt *Def) {
        return Def->E && scalesByGuess(Guessed, K, Def->E, Def, Seen, Is);
      });
    return !Found;
  });
  return Found;
}

/// out[first[bucket[i]] + i]: true if the offset is loaded at an index that is loaded, too, at a
/// place of the work-item's own: neighbours may have any two offsets.
static bool offsetIsOwnData(const KernelAnalysis &K, const AccessSite &Site, unsigned Dim) {
  auto IsOwn = [&](unsigned S) {
    const Expr *E = K.symbol(S).E ? origin(K, K.symbol(S).E) : nullptr;
    if (!E || E->K != ExprKind::Load)
      return false;
    return any_of(E->Acc.Index, [&](const Expr *Index) {
      Variation V = K.varies(Index);
      return V.Data && (V.Item >> Dim & 1);
    });
  };
  return any_of(Site.Bytes.Terms, [&](const auto &Term) { return any_of(Term.first, IsOwn); });
}

/// True if neighbours are contiguous only because a placeholder of the host is 1 here. False for
/// x[id * COLORS + c] in a loop over c < COLORS: that covers the elements between neighbours.
static bool isContiguousByGuess(const GuessedFacts &Guessed, const KernelAnalysis &K,
                                const AccessSite &Site, int64_t Stride, unsigned Dim) {
  if (!Guessed.hasNumbers() || std::abs(Stride) != int64_t(sizeInBytes(Site.A->Elem)))
    return false;
  auto Scales = [&](function_ref<bool(const Expr *, const Stmt *)> Is) {
    std::set<const Var *> Seen;
    return any_of(Site.A->Index,
                  [&](const Expr *E) { return scalesByGuess(Guessed, K, E, Site.S, Seen, Is); });
  };
  if (!Scales([&](const Expr *E, const Stmt *At) { return K.varies(E, At).Item >> Dim & 1; }))
    return false;
  return none_of(Site.Loops, [&](const Stmt *Loop) {
    std::optional<CountedLoop> L = K.countedLoop(Loop);
    return L && Guessed.isGuessed(*L) && !K.varies(L->Lower, Loop).Item &&
           !Scales([&](const Expr *E, const Stmt *) { return mentions(E, L->V); });
  });
}

/// Contiguous buffers of all element sizes.
static std::vector<ContiguousBuffer> find(Context &Ctx) {
  const KernelAnalysis &K = Ctx.analysis();
  // Buffers that are already vectorized.
  std::set<const Var *> Vectorized;
  for (const AccessSite &A : K.accesses())
    if (A.A->Lanes > 1)
      Vectorized.insert(A.A->Base);

  std::map<const Var *, ContiguousBuffer> Found;
  for (unsigned Dim = 0; Dim < 3; ++Dim) {
    for (bool Write : {false, true}) {
      std::vector<Cluster> Clusters;
      std::map<std::pair<AddressClass, int64_t>, size_t> ClusterOf;
      for (const AccessSite &Site : K.accesses()) {
        const Access &A = *Site.A;
        if (A.Base->space() != AddressSpace::Global || A.Lanes != 1 || A.Volatile ||
            Site.IsAtomic || !isElement(A) ||
            // A vector that is loaded whole may still be stored component by component.
            (Vectorized.count(A.Base) && !(Write && !A.Path.empty())) ||
            // Code that computes byte addresses in tensors has chosen the layout of its dimensions.
            (A.F == Access::Cast && Dim > 0) || (Write ? !Site.IsWrite : !Site.IsRead) ||
            isPinned(K, Site, Dim))
          continue;
        std::optional<int64_t> Stride = dominantStride(K, Site, Dim);
        // If rows begin at a loaded offset, the elements of a row are still contiguous.
        if (!isRegular(K, Site) && (!Stride || Dim > 0 || Site.Loops.empty() ||
                                    A.F == Access::Cast || offsetIsOwnData(K, Site, Dim)))
          continue;
        // Addresses that are clamped or wrapped at borders are no polynomials: simulate.
        if (!Stride && !K.stride(A, Dim) && !guessed(Ctx).isGuessed(Site))
          Stride = Ctx.cached<LaunchSimulator>().pace(Site, Dim);
        if (!Stride || *Stride == 0 || isPixelElement(K, Site, Dim) ||
            isContiguousByGuess(guessed(Ctx), K, Site, *Stride, Dim))
          continue;
        auto [At, New] = ClusterOf.try_emplace({addressClass(Site), *Stride}, Clusters.size());
        if (New)
          Clusters.push_back({&Site, *Stride, {}});
        Cluster &In = Clusters[At->second];
        In.Members.emplace_back(&Site, K.distance(*In.Leader, Site).value_or(0));
      }
      for (const Cluster &C : Clusters) {
        int64_t Element = sizeInBytes(C.Leader->A->Elem);
        if (!covers(guessed(Ctx), K, C, C.Stride, Element))
          continue;
        ContiguousBuffer &B = Found[C.Leader->A->Base];
        if (B.First && B.Dim != Dim)
          continue; // adjacent work-items differ in the lowest dimension
        B.Dim = Dim;
        B.Count += C.Members.size();
        B.ForEach = std::max<unsigned>(B.ForEach, std::abs(C.Stride) / Element);
        (Write ? B.Written : B.Read) = true;
        for (const auto &[Site, Distance] : C.Members) {
          B.Sites.push_back(Site);
          if (!B.First || isEarlier(K.kernel(), Site->A->Range, B.First->A->Range))
            B.First = Site;
        }
      }
    }
  }
  std::vector<ContiguousBuffer> Result;
  for (auto &[Base, B] : Found)
    if (B.First && !isBroadcast(K, B) && !isResultOfWindows(K, B) && !isPacked(Ctx, Base) &&
        !isReadBesideVectors(Ctx, Base))
      Result.push_back(B);
  // The map is ordered by address; reports must not depend on it.
  llvm::sort(Result, [](const ContiguousBuffer &A, const ContiguousBuffer &B) {
    return std::tie(A.First->A->Range.File, A.First->A->Range.Begin) <
           std::tie(B.First->A->Range.File, B.First->A->Range.Begin);
  });
  return Result;
}

namespace {
/// An element that a work-item accesses: by a scalar access, or as a component of a vector that is
/// loaded for this component only.
struct Piece {
  const AccessSite *Site;
  int64_t Offset; ///< bytes from the first element of the group
};
} // namespace

/// { uchar r, g, b; }: a structure of bytes whose size is no multiple of a word, aligned to a byte.
static bool isOfBytes(const Type *Ty) {
  return Ty && Ty->K == Type::Struct && !Ty->isUnion() && Ty->Size % 4 &&
         all_of(Ty->Fields,
                [](const Field &F) { return F.Ty->isScalar() && sizeInBytes(F.Ty->Scalar) == 1; });
}

/// The statement list that contains each statement.
static std::map<const Stmt *, const StmtList *> blocksOf(const Kernel &K) {
  std::map<const Stmt *, const StmtList *> Result;
  auto Visit = [&](const StmtList &B, auto &&Self) -> void {
    for (Stmt *S : B) {
      Result[S] = &B;
      forEachStmtList(*S, [&](StmtList &Nested) { Self(Nested, Self); });
    }
  };
  Visit(K.Body, Visit);
  return Result;
}

/// Calls F for each run of adjacent elements in G, as it grows: with the first access in source
/// order and the number of elements so far. Sorts G.
static void forEachRun(const Kernel &K, std::vector<Piece> &G,
                       function_ref<void(const AccessSite &, unsigned)> F) {
  llvm::stable_sort(G, [](const Piece &A, const Piece &B) { return A.Offset < B.Offset; });
  unsigned Run = 1;
  const AccessSite *First = G.front().Site;
  for (size_t I = 1; I < G.size(); ++I) {
    const Access &A = *G[I].Site->A, &Before = *G[I - 1].Site->A;
    int64_t Step = G[I].Offset - G[I - 1].Offset;
    if (Step == 0)
      continue;
    // Fields with the same source range are a structure that is copied whole. It is copied byte by
    // byte only if it has no words.
    bool SameRange = !A.Path.empty() && A.Range.Begin == Before.Range.Begin &&
                     A.Range.End == Before.Range.End && !isOfBytes(A.Base->Ty->Elem);
    Run = Step == sizeInBytes(A.Elem) && !SameRange ? Run + 1 : 1;
    if (Run == 1 || isEarlier(K, A.Range, First->A->Range))
      First = G[I].Site;
    if (Run == 2 && isEarlier(K, Before.Range, First->A->Range))
      First = G[I - 1].Site;
    if (Run > 1)
      F(*First, Run);
  }
}

/// Removes vector loads of which all components are used: v[i].x + .. + v[i].w loads v[i] whole,
/// once.
static void dropWholeLoads(const KernelAnalysis &K, std::map<const Expr *, unsigned> &Component) {
  std::vector<const AccessSite *> Vectors;
  for (const AccessSite &Site : K.accesses())
    if (Site.Load && Site.A->Lanes > 1)
      Vectors.push_back(&Site);
  std::set<const Expr *> Whole;
  for (const AccessSite *A : Vectors) {
    if (!Component.count(A->Load))
      continue;
    std::set<unsigned> Used;
    bool Loaded = false; // by an access that uses more than one component
    for (const AccessSite *B : Vectors) {
      if (B->A->Base != A->A->Base || B->A->Elem != A->A->Elem || B->A->Lanes != A->A->Lanes ||
          K.distance(*A, *B) != 0)
        continue;
      auto Lane = Component.find(B->Load);
      Loaded |= Lane == Component.end();
      if (Lane != Component.end())
        Used.insert(Lane->second);
    }
    if (Loaded || Used.size() == A->A->Lanes)
      Whole.insert(A->Load);
  }
  for (const Expr *Load : Whole)
    Component.erase(Load);
}

std::vector<NeighbouringElements> checks::neighboursOfOneItem(Context &C,
                                                              ArrayRef<unsigned> ElementBits) {
  const KernelAnalysis &K = C.analysis();
  auto Wanted = [&](const AccessSite &Site) {
    const Access &A = *Site.A;
    return A.Base->space() == AddressSpace::Global &&
           is_contained(ElementBits, 8 * sizeInBytes(A.Elem)) && !A.Volatile && !Site.IsAtomic;
  };
  std::vector<NeighbouringElements> Result;
  if (none_of(K.accesses(), Wanted))
    return Result;
  std::map<const Expr *, unsigned> Component = componentLoads(K.kernel());
  dropWholeLoads(K, Component);
  std::map<const Stmt *, const StmtList *> BlockOf = blocksOf(K.kernel());
  std::set<const Var *> Vectorized;
  for (const AccessSite &Site : K.accesses())
    if (Site.A->Lanes > 1 && !(Site.Load && Component.count(Site.Load)))
      Vectorized.insert(Site.A->Base);

  // A kernel that uses no ids runs as a single work-item.
  std::optional<bool> UsesIds;
  auto HasIds = [&] {
    if (!UsesIds)
      UsesIds = usesIds(K);
    return *UsesIds;
  };
  std::map<const Var *, NeighbouringElements> Found;
  auto Add = [&](const AccessSite &Site, unsigned Count, bool Write) {
    // Uniform reads are shared by the work-items of a warp: a few of them cost nothing.
    bool Alike = isAlike(K, Site.Bytes);
    if (Alike && (Count < limits::UniformElements || Write) &&
        ((Count && Count < limits::UniformElements) || HasIds()))
      return;
    NeighbouringElements &N = Found[Site.A->Base];
    N.Alike = Alike && (N.Alike || !N.First);
    if (!N.First || isEarlier(K.kernel(), Site.A->Range, N.First->A->Range))
      N.First = &Site;
    N.Count = std::max(N.Count, Count);
    N.Sites.push_back(&Site);
    (Write ? N.Written : N.Read) = true;
  };
  for (bool Write : {false, true}) {
    std::vector<std::vector<Piece>> Groups;
    std::map<std::tuple<AddressClass, ScalarKind, const StmtList *>, size_t> GroupOf;
    for (const AccessSite &Site : K.accesses()) {
      const Access &A = *Site.A;
      if (!Wanted(Site) || Site.Conditional || (Write ? !Site.IsWrite : !Site.IsRead))
        continue;
      int64_t Lane = 0;
      if (auto At = Component.find(Site.Load); Site.Load && At != Component.end())
        Lane = int64_t(At->second) * sizeInBytes(A.Elem);
      else if (A.Lanes > 1 || Vectorized.count(A.Base))
        continue;
      if (A.Path.empty() && A.Lanes == 1 && stepsByElement(K, Site))
        Add(Site, 0, Write);
      auto Key = std::make_tuple(addressClass(Site), A.Elem, BlockOf[Site.S]);
      auto [At, New] = GroupOf.try_emplace(std::move(Key), Groups.size());
      if (New) {
        Groups.push_back({{&Site, Lane}});
        continue;
      }
      std::vector<Piece> &G = Groups[At->second];
      G.push_back({&Site, *K.distance(*G.front().Site, Site) + Lane});
    }
    for (std::vector<Piece> &G : Groups)
      forEachRun(K.kernel(), G,
                 [&](const AccessSite &First, unsigned Run) { Add(First, Run, Write); });
  }
  for (auto &[Base, N] : Found)
    Result.push_back(N);
  llvm::sort(Result, [&](const NeighbouringElements &A, const NeighbouringElements &B) {
    return isEarlier(K.kernel(), A.First->A->Range, B.First->A->Range);
  });
  return Result;
}

/// Lines from the begin of A to the begin of B, if B is later in the same file.
static std::optional<int64_t> linesBetween(Context &C, SourceRange A, SourceRange B) {
  if (A.File != B.File || B.Begin < A.Begin)
    return std::nullopt;
  return C.text({A.File, A.Begin, B.Begin}).count('\n');
}

std::vector<const AccessSite *> checks::distinctLocations(Context &C,
                                                          ArrayRef<const AccessSite *> Reported,
                                                          ArrayRef<const AccessSite *> All) {
  std::vector<const AccessSite *> Sorted(All.begin(), All.end()), Result;
  llvm::stable_sort(Sorted, [](const AccessSite *A, const AccessSite *B) {
    return std::tie(A->A->Range.File, A->A->Range.Begin) <
           std::tie(B->A->Range.File, B->A->Range.Begin);
  });
  for (size_t I = 0; I < Sorted.size();) {
    size_t End = I + 1;
    while (End < Sorted.size() &&
           linesBetween(C, Sorted[End - 1]->A->Range, Sorted[End]->A->Range)
                   .value_or(limits::AdjacentLines + 1) <= limits::AdjacentLines)
      ++End;
    bool Known = any_of(ArrayRef(Sorted).slice(I, End - I), [&](const AccessSite *Site) {
      return any_of(Reported, [&](const AccessSite *T) {
        return T->A->Range.File == Site->A->Range.File && T->A->Range.Begin == Site->A->Range.Begin;
      });
    });
    if (!Known)
      Result.push_back(Sorted[I]);
    I = End;
  }
  return Result;
}

std::vector<ContiguousBuffer> checks::contiguousScalars(Context &C,
                                                        ArrayRef<unsigned> ElementBits) {
  using Buffers = std::vector<ContiguousBuffer>;
  Buffers Result;
  for (const ContiguousBuffer &B : C.cached<Buffers>([&] { return find(C); }))
    if (is_contained(ElementBits, 8 * sizeInBytes(B.First->A->Elem)))
      Result.push_back(B);
  return Result;
}

namespace {
/// For each kernel, the names of the buffers that it accesses by vloadN or vstoreN.
struct VectorBuffers : std::map<const Kernel *, std::set<std::string, std::less<>>> {};
} // namespace

static std::set<std::string, std::less<>> vectorBuffersOf(const Kernel &K) {
  std::set<std::string, std::less<>> Names;
  auto Visit = [&](const Access &A) {
    if (A.F == Access::VLoad && A.Lanes > 1 && A.Base)
      Names.insert(A.Base->Name);
  };
  for (const Stmt *S : stmts(K.Body))
    if (S->K == StmtKind::Store)
      Visit(S->Acc);
  for (ExprAt X : exprs(K.Body))
    if (X->K == ExprKind::Load)
      Visit(X->Acc);
  return Names;
}

/// True if Of, a kernel of the module, accesses a buffer of that name by vloadN or vstoreN.
static bool takesByVectors(Context &C, const Kernel &Of, StringRef Name) {
  auto &Known = C.cached<VectorBuffers>([] { return VectorBuffers(); });
  auto At = Known.find(&Of);
  if (At == Known.end())
    At = Known.emplace(&Of, vectorBuffersOf(Of)).first;
  return At->second.count(Name);
}

std::string checks::nameWithoutWidth(StringRef Name) {
  std::string Plain;
  while (!Name.empty()) {
    auto [Word, Rest] = Name.split('_');
    Name = Rest;
    StringRef Number = Word;
    Number.consume_front("v"), Number.consume_front("ec"), Number.consume_front("x");
    if (Number != "2" && Number != "4" && Number != "8" && Number != "16")
      Plain += ("_" + Word).str();
  }
  return Plain;
}

/// True if Text has a vector access to Name: vload4(i, name + ..).
static bool namesInVectorAccess(StringRef Text, StringRef Name) {
  auto IsWord = [](char C) { return isAlnum(C) || C == '_'; };
  for (StringRef Word : {"vload", "vstore"})
    for (size_t At = Text.find(Word); At != StringRef::npos; At = Text.find(Word, At + 1)) {
      StringRef Call = Text.substr(At).take_until([](char C) { return C == ';'; });
      for (size_t In = Call.find(Name); In != StringRef::npos; In = Call.find(Name, In + 1))
        if (!IsWord(Call[In - 1]) &&
            (In + Name.size() == Call.size() || !IsWord(Call[In + Name.size()])))
          return true;
    }
  return false;
}

bool checks::hasVectorForm(Context &C, const Var &Buffer) {
  const Kernel &K = C.analysis().kernel();
  auto SameArguments = [&](const Kernel &Other) {
    return std::equal(
        K.Params.begin(), K.Params.end(), Other.Params.begin(), Other.Params.end(),
        [](const Var *A, const Var *B) { return A->Name == B->Name && A->Ty == B->Ty; });
  };
  for (const auto &Other : C.module().Kernels)
    if (Other.get() != &K && nameWithoutWidth(Other->Name) == nameWithoutWidth(K.Name) &&
        SameArguments(*Other) && takesByVectors(C, *Other, Buffer.Name))
      return true;
  StringRef Text = C.text(K.BodyRange);
  return Text.contains("#if") && Text.contains("#el") && !takesByVectors(C, K, Buffer.Name) &&
         namesInVectorAccess(Text, Buffer.Name);
}
