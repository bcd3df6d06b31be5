//===- loop-invariant-read.cpp ----------------------------------------------------------------===//
//
// Before: for (c < 4) { float4 p = read_imagef(src, s, (int2)(x, y)); .. }
// After:  float4 p = read_imagef(src, s, (int2)(x, y)); for (c < 4) { .. }
// Limits: reads of images, and loads of buffers that a barrier or a store keeps in the loop.
//
//===------------------------------------------------------------------------------------------===//

#include "checks/query/Limits.h"
#include "checks/query/Query.h"
#include "llvm/ADT/DenseSet.h"
#include <map>
#include <set>

using namespace llvm;
using namespace clmali;
using namespace clmali::checks;
using namespace clmali::model;

namespace {
/// What a loop changes.
class LoopEffects {
public:
  LoopEffects(const KernelAnalysis &K, const Stmt *Loop) : K(K) {
    for (const Stmt *S : stmts(K.kernel().Body))
      if (S->K == StmtKind::ImageWrite)
        Written.insert(S->Image);
    Inside.insert(Loop);
    for (const StmtList *B : {&Loop->Init, &Loop->Body, &Loop->Step})
      for (const Stmt *S : stmts(*B)) {
        Inside.insert(S);
        HasBarrier |= S->K == StmtKind::Barrier && B == &Loop->Body;
      }
    for (const AccessSite &A : K.accesses())
      if (A.IsWrite && contains(A.S)) {
        Writes.push_back(&A);
        Stored.insert(A.A->Base);
      }
  }
  bool hasBarrier() const { return HasBarrier; }
  /// The accesses in the loop that write.
  ArrayRef<const AccessSite *> writes() const { return Writes; }
  bool contains(const Stmt *S) const { return Inside.count(S); }

  /// True if E has the same value in each trip.
  bool isInvariant(const Expr *E, unsigned Depth = 0) const {
    if (Depth > limits::DefinitionDepth)
      return false;
    for (ExprAt X : exprs(E)) {
      if (X->K == ExprKind::Opaque || (X->K == ExprKind::ImageRead && Written.count(X->Image)))
        return false;
      if (X->K == ExprKind::Load && X->Acc.Base->space() != AddressSpace::Constant &&
          Stored.count(X->Acc.Base))
        return false;
      if (X->K != ExprKind::VarRef || X->V->K == Var::Param)
        continue;
      ArrayRef<const Stmt *> Defs = K.defs(X->V);
      if (none_of(Defs, [&](const Stmt *D) { return contains(D); }))
        continue;
      // Computed in the loop, each time from the same values.
      const Stmt *Only = K.singleDef(X->V);
      if (!Only || !Only->E || !Only->LaneIdx.empty() || !isInvariant(Only->E, Depth + 1))
        return false;
    }
    return true;
  }

private:
  const KernelAnalysis &K;
  DenseSet<const Stmt *> Inside;
  std::set<const Var *> Written; ///< images
  std::vector<const AccessSite *> Writes;
  std::set<const Var *> Stored; ///< the objects of Writes
  bool HasBarrier = false;
};

/// Reports each read once, at the innermost loop on which it does not depend.
class Finder {
public:
  explicit Finder(Context &C) : C(C), K(C.analysis()) {}

  void run(const Kernel &Of) {
    for (ExprAt X : exprs(Of.Body))
      if (X->K == ExprKind::ImageRead)
        if (const Stmt *Loop = X.S->K == StmtKind::Loop ? nullptr : loopAround(X.S))
          if (effects(Loop).isInvariant(X.E))
            report(X->Range, "the read of '" + X->Image->Name + "'", Loop,
                   "not every compiler moves image reads out of a loop");
    for (const AccessSite &A : K.accesses())
      if (A.IsWrite)
        Changed.insert(A.A->Base);
    if (!swapsPointers(Of) && !opaqueTouchesBuffers(Of))
      for (const AccessSite &A : K.accesses())
        load(A);
  }

private:
  Context &C;
  const KernelAnalysis &K;
  std::map<const Stmt *, LoopEffects> Effects;
  std::set<const Var *> Changed; ///< objects that the kernel writes
  std::set<std::pair<uint32_t, uint32_t>> Seen;

  const LoopEffects &effects(const Stmt *Loop) {
    return Effects.try_emplace(Loop, K, Loop).first->second;
  }

  /// The innermost loop around S, if it executes S in each trip, and has several trips.
  const Stmt *loopAround(const Stmt *S) const {
    const Stmt *Loop = K.parentOf(S);
    if (!Loop || Loop->K != StmtKind::Loop)
      return nullptr;
    std::optional<CountedLoop> L = K.countedLoop(Loop);
    return L && L->TripCount && *L->TripCount < 2 ? nullptr : Loop;
  }

  void report(SourceRange R, const std::string &What, const Stmt *Loop, StringRef Cost) {
    if (!Seen.insert({R.File, R.Begin}).second)
      return;
    std::optional<CountedLoop> L = K.countedLoop(Loop);
    Finding &F = C.report(R, What + " does not depend on the loop" +
                                 (L ? " over '" + L->V->Name + "'" : std::string()));
    F.restsOn(R).cost(Cost.str() + "; read it before the loop");
    if (Loop->Range.isValid())
      F.note(Loop->Range, "the loop");
  }

  /// A load that a compiler must repeat: a barrier or a store that may change it is in the loop.
  void load(const AccessSite &A) {
    if (!A.Load || A.IsWrite || A.IsAtomic || A.Conditional || A.A->Volatile ||
        A.A->Base->space() != AddressSpace::Global)
      return;
    const Stmt *Loop = loopAround(A.S);
    if (!Loop || (A.S->K == StmtKind::Loop))
      return;
    const LoopEffects &E = effects(Loop);
    auto Store = find_if(E.writes(), [&](const AccessSite *W) { return mayChange(*W->A, *A.A); });
    const bool IsStored = Store != E.writes().end();
    if ((!IsStored && !E.hasBarrier()) || Changed.count(A.A->Base) || !E.isInvariant(A.Load))
      return;
    report(A.A->Range, "the load of " + nameOf(*A.A), Loop,
           IsStored ? "the compiler must assume that the store to " + nameOf(*(*Store)->A) +
                          " in the loop changes it"
                    : "the barrier in the loop makes the compiler load it again");
  }
};
} // namespace

static void run(const Kernel &K, Context &C) { Finder(C).run(K); }

CLMALI_KERNEL_CHECK("loop-invariant-read", run);
