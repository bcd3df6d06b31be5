#include "checks/query/RareCode.h"
#include "checks/model/analysis/Slice.h"
#include "checks/model/cost/Work.h"
#include "checks/model/ir/Simplify.h"
#include "checks/model/ir/Traversal.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <map>
#include <set>

using namespace llvm;
using namespace clmali;
using namespace clmali::checks;
using namespace clmali::model;

namespace {

/// What a list of statements stores to one buffer in global memory.
struct Stores {
  uint64_t Elements = 0; ///< of a work-item
  unsigned Widest = 0;   ///< elements of one store
};
using StoresByBuffer = std::map<const Var *, Stores>;

class RareStmts {
public:
  explicit RareStmts(const KernelAnalysis &K) : K(K) { visit(K.kernel().Body, false); }
  bool contains(const Stmt *S) const { return Rare.count(S); }

private:
  const KernelAnalysis &K;
  std::set<const Stmt *> Rare;

  void visit(const StmtList &List, bool IsRare) {
    const Stmt *Before = nullptr;
    for (Stmt *S : List) {
      if (IsRare)
        Rare.insert(S);
      if (S->K == StmtKind::If) {
        visit(S->Body, IsRare || isBorder(*S, S->Body, S->Else));
        visit(S->Else, IsRare || isBorder(*S, S->Else, S->Body));
      } else {
        bool Remains = S->K == StmtKind::Loop && Before && isRemainder(*Before, *S);
        forEachStmtList(*S, [&](StmtList &Nested) { visit(Nested, IsRare || Remains); });
      }
      Before = S;
    }
  }

  /// Adds what List stores when it runs Times times. Loops of unknown length count once.
  void addStores(const StmtList &List, uint64_t Times, StoresByBuffer &To) const {
    for (Stmt *S : List) {
      if (S->K == StmtKind::Store && S->Acc.Base->space() == AddressSpace::Global) {
        Stores &Of = To[S->Acc.Base];
        Of.Elements = SaturatingAdd(Of.Elements, SaturatingMultiply<uint64_t>(Times, S->Acc.Lanes));
        Of.Widest = std::max(Of.Widest, unsigned(S->Acc.Lanes));
      }
      uint64_t Trips = 1;
      if (S->K == StmtKind::Loop)
        if (std::optional<CountedLoop> Counted = K.countedLoop(S); Counted && Counted->TripCount)
          Trips = std::max<int64_t>(*Counted->TripCount, 0);
      forEachStmtList(
          *S, [&](StmtList &Nested) { addStores(Nested, SaturatingMultiply(Times, Trips), To); });
    }
  }

  /// True if ids and arguments decide the branch, and Arm stores to the buffers that Other stores
  /// to, each by narrower accesses or in a loop over the elements of Other's block.
  bool isBorder(const Stmt &Branch, const StmtList &Arm, const StmtList &Other) const {
    Variation V = K.varies(Branch.E, &Branch);
    if (V.Data || V.uniformInLaunch())
      return false;
    StoresByBuffer Here, There;
    addStores(Arm, 1, Here);
    if (Here.empty())
      return false;
    addStores(Other, 1, There);
    bool Loops = any_of(Arm, [](const Stmt *S) { return S->K == StmtKind::Loop; });
    return all_of(Here, [&](const auto &Buffer) {
      auto Twin = There.find(Buffer.first);
      return Twin != There.end() && (Buffer.second.Widest < Twin->second.Widest ||
                                     (Loops && Buffer.second.Widest == Twin->second.Widest &&
                                      Buffer.second.Elements <= Twin->second.Elements &&
                                      Twin->second.Elements > 1 && !hasLoop(Other)));
    });
  }

  static bool hasLoop(const StmtList &List) {
    return any_of(stmts(List), [](const Stmt *S) { return S->K == StmtKind::Loop; });
  }

  /// The variable that the head of a loop, or its last statement, adds a constant to.
  static std::pair<const Var *, int64_t> counter(const Stmt &Loop) {
    const StmtList &Last = Loop.Step.empty() ? Loop.Body : Loop.Step;
    const Stmt *S = Last.empty() ? nullptr : Last.back();
    if (!S || S->K != StmtKind::Assign || !S->LaneIdx.empty())
      return {nullptr, 0};
    const Expr *E = stripCasts(S->E);
    if (E->K != ExprKind::Binary || E->O != Op::Add || stripCasts(E->Ops[0])->V != S->V)
      return {nullptr, 0};
    std::optional<int64_t> By = constantValue(E->Ops[1]);
    return {By ? S->V : nullptr, By.value_or(0)};
  }

  /// True if Next goes on where First ends, in smaller steps.
  static bool isRemainder(const Stmt &First, const Stmt &Next) {
    if (First.K != StmtKind::Loop || !Next.Init.empty())
      return false;
    auto [A, Large] = counter(First);
    auto [B, Small] = counter(Next);
    return A && A == B && Small > 0 && Large > Small;
  }
};

} // namespace

bool checks::isRare(Context &C, const Stmt *S) { return C.cached<RareStmts>().contains(S); }

namespace {
/// The part of the kernel's accesses that are not rare; KernelWork counts all branches.
struct FrequentPart {
  double Of = 1;
};
} // namespace

static double frequentPart(Context &C) {
  return C
      .cached<FrequentPart>([&] {
        std::vector<const AccessSite *> Rare, Frequent;
        for (const AccessSite &Site : C.analysis().accesses())
          (isRare(C, Site.S) ? Rare : Frequent).push_back(&Site);
        const auto &Work = C.cached<KernelWork>();
        double Part = Rare.empty() ? 0 : Work.share(Rare), Rest = Work.share(Frequent);
        return FrequentPart{Part > 0 && Rest > 0 ? Rest / (Rest + Part) : 1};
      })
      .Of;
}

double checks::shareOfWork(Context &C, ArrayRef<const AccessSite *> Accesses) {
  std::vector<const AccessSite *> Frequent;
  copy_if(Accesses, std::back_inserter(Frequent),
          [&](const AccessSite *Site) { return !isRare(C, Site->S); });
  return std::min(1.0, C.cached<KernelWork>().share(Frequent) / frequentPart(C));
}

double checks::shareOfWork(Context &C, const Var &Memory) {
  std::vector<const AccessSite *> Sites;
  for (const AccessSite &Site : C.analysis().accesses())
    if (Site.A->Base == &Memory)
      Sites.push_back(&Site);
  return shareOfWork(C, Sites);
}

double checks::shareOfWork(Context &C, const Stmt *S, double Operations) {
  if (isRare(C, S))
    return 0;
  return std::min(1.0, C.cached<KernelWork>().share(S, Operations) / frequentPart(C));
}
