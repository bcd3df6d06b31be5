//===-- checks/model/analysis/AnalysisImpl.h - Inside the analyses -------*- C++ -*-===//
//
// The analyses share one structure: every variable, and every object in memory, has numbered
// versions (static single assignment, found in one structured walk). A version is a definition, or
// a join of definitions: behind an If, at the head of a loop, behind a loop. Two uses of one
// version, in one trip of the loops around it, see the same value; so guards, ranges and symbols
// that hold for a version at one statement hold at others.
//
// Behind a loop each variable that the loop changes has a new version, so no expansion of a
// definition carries a loop's variable out of its loop.
//
//===----------------------------------------------------------------------===//

#ifndef CLMALI_CHECKS_MODEL_ANALYSIS_ANALYSISIMPL_H
#define CLMALI_CHECKS_MODEL_ANALYSIS_ANALYSISIMPL_H

#include "checks/model/analysis/Analysis.h"
#include "checks/model/analysis/Recomputation.h"
#include "checks/model/analysis/SlotVersions.h"
#include "checks/model/ir/Budget.h"
#include "checks/model/ir/Comparison.h"
#include "checks/model/ir/Traversal.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/IntEqClasses.h"
#include "llvm/ADT/StringMap.h"
#include <deque>
#include <unordered_map>

namespace clmali::model {

constexpr unsigned None = ~0u;

struct Version {
  enum Kind : uint8_t {
    Entry,    ///< the value at the kernel's start: a parameter, a buffer's content
    Undef,    ///< declared, no value yet
    Def,      ///< S defines it (a component assignment keeps part of Prev)
    Join,     ///< joins In behind the If S, or before the Step of the loop S
    LoopHead, ///< In[0] comes from before the loop S, In[1] from its previous trip
    LoopExit, ///< joins In behind the loop S
    Unknown,  ///< any of V's values: an expression without a known statement
  };
  Kind K = Entry;
  const Var *V = nullptr;
  const Stmt *S = nullptr;
  unsigned Prev = None;
  llvm::SmallVector<unsigned, 2> In;
};

/// A condition that holds, as statement At evaluates it.
struct GuardLink {
  const Expr *Cond;
  bool Holds;
  const Stmt *At;
  const GuardLink *Outer;
  bool Listed; ///< for AccessSite: its variables do not change below
};

struct StmtInfo {
  unsigned Time = 0; ///< position of its expressions in the walk
  const Stmt *Parent = nullptr;
  bool InHead = false; ///< in the parent loop's Init
  unsigned Interval = 0;
  const GuardLink *Guards = nullptr;
};

/// value(Key) + Offset Compare value(Other), Other evaluated under the guard.
struct Refinement {
  struct Step {
    bool IsCast;
    ScalarKind K;
    int64_t Add;
  };
  unsigned Key = None; ///< value number
  Op Compare = Op::None;
  const Expr *Other = nullptr;
  llvm::SmallVector<Step, 2> Steps; ///< from the key outwards to what is compared
};

struct KeyHash {
  size_t operator()(const std::vector<uint64_t> &K) const {
    return llvm::hash_combine_range(K.begin(), K.end());
  }
};

/// True if V's statement gives its variable a whole new value: V.S->E, of any type.
bool isWholeDef(const Version &V);

/// True if S, which the model cannot represent, may give V another value.
bool mayChange(const Stmt &S, const Var &V);

/// The innermost element type of an array or pointer.
const Type *elementOf(const Type *T);

struct KernelAnalysis::Impl {
  Impl(Module &M, const Kernel &K) : M(M), K(K) {}

  Module &M;
  const Kernel &K;
  NarrowIds Ids = NarrowIds::MayWrap;

  // --- versions (Versions.cpp)
  using State = SlotVersions; ///< empty: not reached
  struct Exits {
    std::vector<State> Break, Continue;
  };
  std::deque<Version> Versions;
  std::vector<const Var *> Slots; ///< variables and memory bases
  llvm::DenseMap<const Var *, unsigned> SlotOf;
  std::vector<std::vector<std::pair<unsigned, unsigned>>> Log; ///< slot -> (time, version)
  State Logged;                    ///< the last version of each slot in Log
  std::vector<unsigned> UnknownOf; ///< slot -> Unknown version or None
  std::vector<unsigned> SeenOf;    ///< slot -> the one version that is read, or None
  llvm::DenseMap<const Stmt *, StmtInfo> Info;
  std::vector<const Stmt *> Order;                  ///< all statements, in the walk's order
  llvm::DenseMap<const Expr *, const Stmt *> Owner; ///< null: of several statements
  llvm::DenseMap<const Var *, std::vector<const Stmt *>> DefsOf;
  llvm::DenseMap<std::pair<const Stmt *, unsigned>, unsigned> VersionMade; ///< (S, slot) -> Def
  llvm::DenseMap<std::pair<const Stmt *, unsigned>, unsigned> HeadOf; ///< (loop, slot) -> LoopHead
  llvm::DenseMap<const Stmt *, std::vector<const Stmt *>>
      Leaves;                          ///< loop -> its breaks and continues
  llvm::DenseSet<const Var *> Written; ///< memory bases stored to
  std::vector<unsigned> WrittenShared; ///< their slots, if other work-items see the stores; sorted
  std::vector<const Stmt *> Returns;   ///< in the walk's order
  std::deque<GuardLink> Links;
  llvm::IntEqClasses Intervals;
  unsigned NumIntervals = 1;
  bool Barriers = false, HasOpaque = false;
  bool LeavesEarly = false; ///< has a break, continue or return somewhere
  uint8_t LocalDims = 0;    ///< dimensions whose local id the kernel uses
  bool UsesGroups = false;  ///< NDRangeUse::usesGroups of the kernel
  uint8_t UsedDims = 0;     ///< dimensions of which the kernel uses an id
  uint8_t ItemDims = 0;     ///< of those, where it uses the global or local id
  unsigned Time = 0;

  void buildVersions();
  unsigned slot(const Var *V);
  unsigned newVersion(Version::Kind K, unsigned Slot, const Stmt *S);
  void set(State &St, unsigned Slot, unsigned Version);
  void become(State &Current, const State &New);
  State merge(const std::vector<State> &States, Version::Kind K, const Stmt *S);
  void collect(const StmtList &B);
  void forEachClobbered(const Stmt &S, llvm::function_ref<void(unsigned)> Visit) const;
  void clobber(State &St, const Stmt *S);
  void flow(const StmtList &B, State &St, Exits *Loop, const GuardLink *G, unsigned &Interval,
            const Stmt *Parent, bool InHead);
  void flow(const Stmt *S, State &St, Exits *Loop, const GuardLink *G, unsigned &Interval);
  void flowLoop(const Stmt *S, State &St, const GuardLink *G, unsigned &Interval);
  const GuardLink *guard(const Expr *Cond, bool Holds, const Stmt *At, const GuardLink *Outer);
  void unlistChanged(const GuardLink *Inner, const GuardLink *Outer, unsigned Begin);
  unsigned meeting(llvm::ArrayRef<unsigned> From);
  void definedIn(const StmtList &B, llvm::DenseSet<unsigned> &Slots);
  std::vector<unsigned> Breaks; ///< intervals at the breaks of the loops being walked
  std::vector<const Stmt *> LoopStack;

  const Stmt *owner(const Expr *E) const { return Owner.lookup(E); }
  /// The version of V that S's expressions see. S null: the only one that is read, else Unknown.
  unsigned versionAt(const Var *V, const Stmt *S);
  /// True if S is in Loop's body, step or condition.
  bool isInside(const Stmt *S, const Stmt *Loop) const;
  std::vector<const Stmt *> loopsOf(const Stmt *S) const;
  bool invariant(unsigned Version, const Stmt *Loop);
  /// Results for versions that are defined in the loop: a chain of definitions may name one several
  /// times.
  llvm::DenseMap<std::pair<unsigned, const Stmt *>, bool> Invariant;
  bool invariant(const Expr *E, const Stmt *At, const Stmt *Loop);

  // --- loops (Loops.cpp)
  struct LoopShape {
    CountedLoop C;
    unsigned Head = None, Init = None; ///< versions of V
    bool LeavesEarly = false;
    bool HasOtherTests = false; ///< i < n && .., so it leaves early, too
  };
  std::map<const Stmt *, std::optional<LoopShape>> Shapes;
  const std::optional<LoopShape> &shape(const Stmt *Loop);
  std::optional<LoopShape> findShape(const Stmt *Loop);
  std::optional<LoopShape> findShape(const Stmt *Loop, const Expr *Test);
  std::optional<int64_t> tripCount(const Stmt *Loop);
  /// An upper bound of the trip count.
  std::optional<int64_t> mostTrips(const Stmt *Loop);
  void anchors(const Expr *E, const Stmt *At,
               llvm::SmallVectorImpl<std::pair<unsigned, int64_t>> &Out);

  // --- value numbers (ValueNumbers.cpp), symbols and polynomials (Affine.cpp)
  struct ValueInfo {
    const Expr *E;
    const Stmt *At;
    unsigned Symbol = None;
  };
  std::vector<ValueInfo> Values;
  std::unordered_map<std::vector<uint64_t>, unsigned, KeyHash> ValueOf;
  llvm::DenseMap<std::pair<const Expr *, const Stmt *>, unsigned> ValueMemo;
  llvm::StringMap<unsigned> TextIds;
  std::vector<unsigned> VersionValue;
  std::deque<SymbolInfo> Symbols;
  llvm::DenseMap<unsigned, unsigned> IdSymbol;        ///< query * 4 + dimension -> symbol
  std::vector<const Stmt *> SymbolAt;                 ///< the statement of a symbol's expression
  llvm::DenseMap<const Stmt *, unsigned> IterationOf; ///< loop -> symbol
  /// Results: each round of a hash uses all earlier rounds several times.
  struct PolyMemo {
    std::map<unsigned, Poly> OfVersion;
    std::map<std::pair<const Expr *, const Stmt *>, Poly>
        OfComponent; ///< by what was stored, and where
  };
  PolyMemo FinalPolys;
  std::vector<PolyMemo> Provisional; ///< for each loop's head that is represented by its own symbol
                                     ///< at present: polynomials with it are not final
  PolyMemo &currentPolys() { return Provisional.empty() ? FinalPolys : Provisional.back(); }
  llvm::DenseSet<unsigned> PolyOpen; ///< loop heads being resolved
  unsigned HeadsFollowed = 0; ///< for the outermost of them; beyond a limit heads are not resolved

  /// The scalar expression that a component of a vector is, and its statement.
  using Component = std::pair<const Expr *, const Stmt *>;
  std::map<std::tuple<const Expr *, unsigned, const Stmt *>, std::optional<Component>> Components;
  std::optional<Component> component(const Expr *E, unsigned Lane, const Stmt *At);
  std::optional<Component> definedComponent(const Expr *Ref, unsigned Lane, const Stmt *At);
  std::optional<Component> findComponent(const Expr *E, unsigned Lane, const Stmt *At);
  std::optional<Component> componentOf(const Expr *SwizzleOrLoad, const Stmt *At);
  std::optional<Component> storedElement(const Expr *Load, const Stmt *At);

  unsigned valueOf(const Expr *E, const Stmt *At);
  unsigned valueOfVersion(unsigned V);
  unsigned intern(std::vector<uint64_t> Key, const Expr *E, const Stmt *At);
  unsigned symbolOf(const Expr *E, const Stmt *At);
  unsigned iterationSymbol(const Stmt *Loop);
  Poly atom(const Expr *E, const Stmt *At);
  Poly joinedRemainders(Poly P);
  Poly poly(const Expr *E, const Stmt *At);
  std::optional<Poly> polyOfCast(const Expr *E, const Stmt *At);
  std::optional<Poly> polyOfBinary(const Expr *E, const Stmt *At);
  std::optional<Poly> polyOfOr(const Expr *A, const Expr *B, const Stmt *At);
  bool isOfIds(const Poly &P) const;
  Poly polyOfVersion(unsigned V);
  Poly polyOfHead(unsigned V);
  Poly headItself(unsigned V, const Expr *Ref);
  std::optional<Poly> polyOfCounter(const LoopShape &Loop, const Stmt *S);
  std::optional<Poly> polyOfMoving(const Version &Ver, const LoopShape &Loop, unsigned Self);
  std::optional<Poly> polyOfExit(unsigned V);
  std::optional<Poly> polyOfJoin(unsigned V);
  Poly bytes(const Access &A, const Stmt *At);
  bool symbolInvariant(unsigned S, const Stmt *Loop);
  std::optional<Poly> strideOf(const Poly &Bytes, unsigned Dim);
  std::optional<Poly> mostlyStrideOf(Poly P, unsigned Dim);

  // --- uniformity (Uniformity.cpp)
  std::vector<Variation> VersionVaries;
  llvm::DenseMap<const Var *, Variation> MemoryVaries; ///< private objects
  bool UniformReady = false;
  std::optional<Recomputation> VariationPass; ///< while it is found: versions, slots, stores
  void findVariation();
  Variation variationOf(unsigned Version);
  Variation variationIn(const Var *Memory);
  Variation storedVariation(const Stmt *S);
  Variation varies(const Expr *E, const Stmt *At);
  std::pair<const Expr *, const Stmt *> computedAs(const Expr *E, const Stmt *At);
  bool isLocalSize(const Expr *E, const Stmt *At, unsigned Dim);
  std::optional<unsigned> sameInGroup(const Expr *E, const Stmt *At);
  Variation evalVariation(const Version &V);
  bool isSameInBoth(const Version &V);
  Variation leaves(const Stmt *Loop); ///< of the conditions under which work-items leave it
  Variation branches(const Stmt *S, const Stmt *Loop);
  Variation continues(const Stmt *Loop, const Stmt *S = nullptr);
  /// ByRanges: ranges are final; conditions that they decide do not count.
  Variation control(const Stmt *S, const Stmt *Outermost, bool ByRanges = false);

  // --- ranges (Ranges.cpp, RangeEval.cpp)
  std::vector<Range> VersionRange;        ///< Lo > Hi: nothing yet
  std::optional<Recomputation> RangePass; ///< while they are found: versions, slots
  Range rangeOfVersion(unsigned N);
  unsigned arrayNode(const Var *V) const { return VersionRange.size() + SlotOf.lookup(V); }
  bool RangesReady = false, RangesFinal = false;
  /// Private arrays of integers all of whose stores are visible, and the range of their elements.
  /// Reading an element before it is written is undefined, as it is for variables.
  std::vector<std::pair<const Var *, std::vector<const Stmt *>>> Arrays;
  llvm::DenseMap<const Var *, Range> ArrayRange;
  std::vector<std::vector<unsigned>> DefVersions; ///< slot -> its Defs, ascending
  void findArrays();
  Range evalArray(const Var *V, const std::vector<const Stmt *> &Stores);

  /// Lives while a component of a vector is followed to its definition. In hashes, components are
  /// computed from components of all earlier rounds: the number of steps is bounded.
  struct Following {
    explicit Following(Impl &I) : I(I) {
      ++I.ComponentDepth, ++I.ComponentSteps, ++I.AllComponentSteps;
    }
    ~Following() { I.ComponentSteps = --I.ComponentDepth ? I.ComponentSteps : 0; }
    /// In a kernel of many such rounds the bound is small.
    static bool mayGoOn(const Impl &I) {
      return I.ComponentSteps < (I.AllComponentSteps < 500000 ? 32u : 2u);
    }
    Impl &I;
  };
  unsigned ComponentDepth = 0, ComponentSteps = 0, AllComponentSteps = 0;
  llvm::DenseMap<const GuardLink *, llvm::SmallVector<Refinement, 4>> Refinements;
  void findRanges();
  Range evalVersion(unsigned V);
  Range eval(const Expr *E, const Stmt *At, const GuardLink *G);
  Range evalRaw(const Expr *E, const Stmt *At, const GuardLink *G);
  Range evalUnary(const Expr *E, const Stmt *At, const GuardLink *G);
  Range evalBinary(const Expr *E, const Stmt *At, const GuardLink *G);
  Range evalCast(const Expr *E, const Stmt *At, const GuardLink *G);
  Range evalSelect(const Expr *E, const Stmt *At, const GuardLink *G);
  Range evalLoad(const Expr *E);
  Range evalCall(const Expr *E, const Stmt *At, const GuardLink *G);
  void refineSide(const Expr *Side, const Stmt *At, Refinement R,
                  llvm::SmallVectorImpl<Refinement> &List);
  Range refine(Range R, unsigned Key, ScalarKind K, const GuardLink *G);
  unsigned RefineDepth = 0; ///< guards whose other side is being evaluated
  llvm::ArrayRef<Refinement> refinements(const GuardLink *G);
  bool isIntVersion(unsigned N) const;
  bool growRanges(bool Widen);
  bool narrowRanges();
  bool narrowByTrips(unsigned N);
  int64_t tripsBefore(const Stmt *Loop, const Stmt *User, int64_t Trips) const;
  std::optional<std::pair<Range, const Expr *>> addedBy(const Stmt *S, Range &Fits);
  std::optional<Range> delta(unsigned V, unsigned Head, Range &Fits, const Stmt *User,
                             unsigned Depth);
  Range rangeAt(const Expr *E, const Stmt *At);

  // --- accesses (Accesses.cpp)
  std::vector<AccessSite> Sites;
  bool SitesReady = false;
  llvm::DenseMap<const Access *, const Stmt *> AccessOwner;
  void findSites();
  AccessSite siteOf(const Stmt *S);

  // --- conflicts (conflict/Witness.cpp)
  /// By statement and guards, for each choice of arguments: the work-items that pass the guards.
  std::map<std::vector<uint64_t>, std::vector<llvm::BitVector>> Passing;
};

bool isIntScalar(const Expr *E);
/// P / D, if D divides all coefficients.
std::optional<Poly> divided(const Poly &P, int64_t D);
/// The symbol that P is; None: P is something else than one symbol.
unsigned onlySymbol(const Poly &P);

// ConvexSums.cpp
/// The interval of E = x * a + y * (c - a) where guards G hold. Nothing: E is no such sum.
std::optional<Range> convexSum(KernelAnalysis::Impl &I, const Expr *E, const Stmt *At,
                               const GuardLink *G);

} // namespace clmali::model

#endif // CLMALI_CHECKS_MODEL_ANALYSIS_ANALYSISIMPL_H
