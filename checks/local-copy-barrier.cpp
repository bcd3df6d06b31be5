//===- local-copy-barrier.cpp ----------------------------------------------------------------===//
//
// Before: tile[l] = in[g]; barrier(CLK_LOCAL_MEM_FENCE); ... tile[l + 1] ...
// After:  ... in[g + 1] ...                                       (clmali-rewrite, delocalize)
// Limits: pure copies: every store to the local array is a value of one buffer in global memory,
//         of one image, or a constant (the filled halo), as pattern/LocalCopy finds it. Later
//         stores may change it where each work-item only accesses its own elements. Where the
//         kernel writes the buffer, the copy may keep what is overwritten: reported only if a
//         barrier separates the copy's last read from the write, or another part of the buffer
//         is written.
//
//===------------------------------------------------------------------------------------------===//

#include "checks/model/cost/Constants.h"
#include "checks/model/pattern/LocalCopy.h"
#include "checks/model/pattern/Opaque.h"
#include "checks/query/Barriers.h"
#include "checks/query/Evidence.h"
#include "checks/query/Query.h"
#include "checks/query/RareCode.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <set>

using namespace llvm;
using namespace clmali;
using namespace clmali::checks;
using namespace clmali::model;

namespace {
struct Copy {
  const AccessSite *Store = nullptr;
  const Var *Source = nullptr;
  const Var *Image = nullptr; ///< or the image whose pixels it holds
  std::vector<const Expr *> Loads;
  unsigned Parts = 0; ///< loads and pixels that are copied
  bool Pure = true;
  bool Holds = true;       ///< it is filled as a copy, whatever becomes of it later
  bool Gathers = false;    ///< data say what is copied
  bool Replaceable = true; ///< each stored value can be computed where the copy is read
};
} // namespace

/// Adds what a store to the local array copies, E; false if that is no copy, or of another buffer
/// or image.
static bool addCopy(const KernelAnalysis &K, const pattern::CopyRecognizer &Recognizer,
                    const Expr *E, const Stmt *At, Copy &Into) {
  std::optional<pattern::CopySources> Sources = Recognizer.sourcesOf(E, At);
  if (!Sources)
    return false;
  for (const Expr *Pixel : Sources->Pixels) {
    if (Into.Image && Into.Image != Pixel->Image)
      return false;
    Into.Image = Pixel->Image;
  }
  for (const Expr *Load : Sources->Loads) {
    if (Into.Source && Into.Source != Load->Acc.Base)
      return false;
    Into.Source = Load->Acc.Base;
    // Of a gather, the local array saves loads of indices, too.
    for (const Expr *Index : Load->Acc.Index)
      Into.Gathers |= !Index->Ty->isScalar() || !isRegular(K, K.poly(Index));
    Into.Loads.push_back(Load);
  }
  Into.Parts += Sources->Pixels.size() + Sources->Loads.size();
  Into.Replaceable &= Sources->Replaceable;
  return true;
}

/// Are the two addresses apart by what chooses a part of the buffer: an argument, or a group's
/// number?
static bool areParts(const KernelAnalysis &K, const Poly &A, const Poly &B) {
  bool Parts = false;
  for (const auto &[M, Coefficient] : (A - B).Terms)
    for (unsigned S : M) {
      const SymbolInfo &Info = K.symbol(S);
      if (Info.Varies.Data || Info.K == SymbolInfo::Atom)
        return false;
      Parts |= Info.K == SymbolInfo::Param ||
               (Info.K == SymbolInfo::WorkItem && Info.E->Query == WorkItemQuery::GroupId);
    }
  return Parts;
}

/// May the source be written while the copy is still needed?
static bool keepsOverwritten(const KernelAnalysis &K, const Copy &Of, const Var *Tile,
                             std::map<const Stmt *, unsigned> &At) {
  std::vector<unsigned> Barriers;
  for (const auto &[S, Place] : At)
    if (S->K == StmtKind::Barrier)
      Barriers.push_back(Place);
  unsigned LastRead = 0;
  for (const AccessSite &Site : K.accesses())
    if (Site.IsRead && Site.A->Base == Tile)
      LastRead = std::max(LastRead, At[Site.S]);
  for (const AccessSite &Write : K.accesses()) {
    if (!Write.IsWrite || Write.A->Base != Of.Source)
      continue;
    if (any_of(Barriers,
               [&](unsigned Barrier) { return LastRead < Barrier && Barrier <= At[Write.S]; }))
      continue;
    bool Elsewhere = !Of.Loads.empty() && all_of(K.accesses(), [&](const AccessSite &Site) {
      return !is_contained(Of.Loads, Site.Load) || areParts(K, Write.Bytes, Site.Bytes);
    });
    if (!Elsewhere)
      return true;
  }
  return false;
}

/// Does a place that did not parse assign to it?
static bool isAssignedUnparsed(const Module &M, const Kernel &K, const Var &Tile) {
  return any_of(K.Opaques, [&](const OpaqueNote &N) {
    auto [Left, Right] = unparsedText(M, N).split('=');
    return !Right.empty() && Left.contains(Tile.Name);
  });
}

/// Does no work-item touch what another one does?
static bool isOnesOwn(const KernelAnalysis &K, const Var *Tile) {
  return none_of(K.accesses(), [&](const AccessSite &A) {
    return A.A->Base == Tile && A.IsWrite &&
           any_of(K.accesses(), [&](const AccessSite &B) { return mayOverlapUnordered(K, A, B); });
  });
}

/// A local array that is no copy, and that is written on one side of the barrier and accessed on
/// the other: the barrier is needed without the copy, too. Null: there is none.
static const Var *alsoOrders(const KernelAnalysis &K, const Stmt *Barrier,
                             const std::map<const Var *, Copy> &Copies,
                             const std::map<const Stmt *, unsigned> &At) {
  unsigned Place = At.at(Barrier);
  for (const AccessSite &Write : K.accesses()) {
    const Var *Base = Write.A->Base;
    auto Of = Copies.find(Base);
    if (!Write.IsWrite || Of == Copies.end() || Of->second.Pure || isOnesOwn(K, Base))
      continue;
    bool Before = At.at(Write.S) < Place;
    if (any_of(K.accesses(), [&](const AccessSite &Other) {
          return Other.A->Base == Base && (At.at(Other.S) < Place) != Before;
        }))
      return Base;
  }
  return nullptr;
}

/// What would go with the copy: the stores to it, and the loads that they store.
static std::vector<const AccessSite *> copyingSites(const KernelAnalysis &K, const Var *Base,
                                                    const Var *Source) {
  std::set<const Expr *> Stored;
  for (const AccessSite &Site : K.accesses())
    if (Site.IsWrite && Site.A->Base == Base && Site.S->E)
      for (ExprAt X : Slice(K, Site.S->E, Site.S))
        Stored.insert(X.E);
  std::vector<const AccessSite *> Result;
  for (const AccessSite &Site : K.accesses())
    if ((Site.IsWrite && Site.A->Base == Base) ||
        (Site.A->Base == Source && Site.Load && Stored.count(Site.Load)))
      Result.push_back(&Site);
  return Result;
}

static void run(const Kernel &K, Context &C) {
  // Where pointers are swapped, nobody knows what else is written to the copy.
  if (C.device().LocalOnChip || swapsPointers(K))
    return;
  const KernelAnalysis &An = C.analysis();
  const pattern::CopyRecognizer Recognizer(An);
  std::map<const Var *, Copy> Copies;
  std::set<const Var *> Read, Written;
  std::map<const Stmt *, unsigned> At;
  walk(K.Body, [&](Stmt *S) {
    At.emplace(S, At.size());
    return true;
  });
  std::map<const Var *, unsigned> FirstRead;
  for (const AccessSite &Site : An.accesses())
    if (Site.IsRead) {
      unsigned &First = FirstRead.try_emplace(Site.A->Base, ~0u).first->second;
      First = std::min(First, At[Site.S]);
    }
  for (const AccessSite &Site : An.accesses()) {
    const Var *Base = Site.A->Base;
    if (Site.IsRead)
      Read.insert(Base);
    if (!Site.IsWrite)
      continue;
    Written.insert(Base);
    if (Base->space() != AddressSpace::Local)
      continue;
    Copy &Of = Copies[Base];
    if (!Of.Store)
      Of.Store = &Site;
    const Stmt *S = Site.S;
    if (Site.IsAtomic)
      Of.Pure = Of.Holds = false;
    else if (!isRegular(An, Site)) // a queue is filled where data says
      Of.Pure = false;
    else if (S->K == StmtKind::AsyncCopy) {
      if (Of.Source && Of.Source != S->Source.Base)
        Of.Pure = Of.Holds = false;
      Of.Source = S->Source.Base;
    } else {
      // A number that is stored when the copy has been read already is no halo.
      bool Filled = FirstRead.count(Base) && At[S] > FirstRead[Base];
      Copy More = Of;
      bool Copies = S->K == StmtKind::Store && addCopy(An, Recognizer, S->E, S, More) &&
                    !(Filled && More.Parts == Of.Parts);
      // Filled with a number before, it is a copy from the first store on that copies.
      if (Copies && !Of.Parts && More.Parts)
        More.Store = &Site;
      if (Copies)
        Of = std::move(More);
      else {
        Of.Pure = false;
        Of.Holds &= Filled;
      }
    }
  }
  std::vector<const Stmt *> Barriers;
  walk(K.Body, [&](Stmt *S) {
    if (S->K == StmtKind::Barrier || (S->K == StmtKind::Call && S->Name == "wait_group_events"))
      Barriers.push_back(S);
    return true;
  });
  std::vector<std::pair<uint32_t, const Var *>> Order;
  for (const auto &[Base, Of] : Copies)
    Order.emplace_back(Of.Store->A->Range.Begin, Base);
  llvm::sort(Order);
  for (const auto &[Begin, Base] : Order) {
    const Copy &Of = Copies[Base];
    if (isAssignedUnparsed(C.module(), K, *Base) || !Of.Source == !Of.Image)
      continue;
    // What is never read may be read where nobody can see it.
    bool Dead = !Read.count(Base);
    if (Dead && (opaqueTouches(C, K, *Base) || guessed(C).mayLackCode()))
      continue;
    // Where each work-item goes on with its own elements alone, it is a copy all the same.
    bool Own = !Of.Pure && Of.Holds && isOnesOwn(An, Base);
    if (!Of.Pure && !Own)
      continue;
    bool Overwritten = Of.Source && Written.count(Of.Source);
    if (Overwritten && keepsOverwritten(An, Of, Base, At))
      continue;
    const Stmt *FirstBarrier = nullptr;
    for (const Stmt *S : Barriers)
      if (S->Range.Begin >= Begin && (!FirstBarrier || S->Range.Begin < FirstBarrier->Range.Begin))
        FirstBarrier = S;
    if (!FirstBarrier)
      continue;
    Finding &F =
        C.report(Of.Store->A->Range,
                 "'" + Base->Name + "' is a copy of '" + (Of.Source ? Of.Source : Of.Image)->Name +
                     "' in local memory, and a barrier waits for it" +
                     (Dead  ? ": nobody reads it"
                      : Own ? ": each work-item reads and changes its own elements alone"
                            : ""));
    const Var *Other = alsoOrders(An, FirstBarrier, Copies, At);
    F.cost(Other ? "local memory is ordinary cached memory here, so the copy buys nothing; '" +
                       Other->Name + "' needs the barrier"
                 : std::string("local memory is ordinary cached memory here, so the copy and the "
                               "barrier buy nothing"));
    F.note(FirstBarrier->Range, "the barrier");
    F.share(shareOfWork(C, copyingSites(An, Base, Of.Source)) +
            shareOfWork(C, FirstBarrier, estimate::BarrierWork));
    if (!Of.Source || Of.Gathers || Own || Other)
      F.atMost(rules::Severity::Info);
    else if (!Overwritten && !Dead && Of.Replaceable && !pattern::hasOpaqueParts(K) &&
             Recognizer.isStaged(Base))
      F.fix(Applicability::Verify, "clmali-rewrite --passes=delocalize");
  }
}

CLMALI_KERNEL_CHECK("local-copy-barrier", run);
