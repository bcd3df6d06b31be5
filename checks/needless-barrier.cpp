//===- needless-barrier.cpp ------------------------------------------------------------------===//
//
// Before: t[l] = in[i]; barrier(CLK_LOCAL_MEM_FENCE); out[i] = 2 * t[l];
// After:  out[i] = 2 * in[i];
// Limits: barriers between accesses that are proved not to conflict between work-items; in
//         loops, only where local memory is written around them. Divergent barriers belong to
//         barrier-in-divergent-flow. Silent for kernels with volatile accesses or images that
//         are read and written.
//
//===------------------------------------------------------------------------------------------===//

#include "checks/query/Barriers.h"
#include "checks/query/Query.h"
#include "llvm/ADT/STLExtras.h"
#include <set>

using namespace llvm;
using namespace clmali;
using namespace clmali::checks;
using namespace clmali::model;

namespace {

/// What may run next after each statement, and before it. What may not run at all, or leave a loop,
/// is taken to do both.
struct Paths {
  std::map<const Stmt *, std::vector<const Stmt *>> Next, Before;
  struct Place {
    const Stmt *Barrier;
    bool InLoop;
  };
  std::vector<Place> Places;

  explicit Paths(const StmtList &Body) { add(Body, {}, {}, false); }

  /// All statements on the ways from S to the next barriers (to those before it), Gone left out.
  std::set<const Stmt *> reach(const Stmt *S,
                               const std::map<const Stmt *, std::vector<const Stmt *>> &Ways,
                               const std::set<const Stmt *> &Gone) const {
    std::set<const Stmt *> Seen;
    std::vector<const Stmt *> Work{S};
    while (!Work.empty()) {
      const Stmt *At = Work.back();
      Work.pop_back();
      auto It = Ways.find(At);
      if (It == Ways.end())
        continue;
      for (const Stmt *To : It->second)
        if (!(isGroupBarrier(To) && !Gone.count(To)) && Seen.insert(To).second)
          Work.push_back(To);
    }
    return Seen;
  }

  /// The barriers that end those ways.
  std::set<const Stmt *> ends(const Stmt *S,
                              const std::map<const Stmt *, std::vector<const Stmt *>> &Ways,
                              const std::set<const Stmt *> &Gone) const {
    std::set<const Stmt *> Result, Within = reach(S, Ways, Gone);
    Within.insert(S);
    for (const Stmt *At : Within)
      if (auto It = Ways.find(At); It != Ways.end())
        for (const Stmt *To : It->second)
          if (isGroupBarrier(To) && !Gone.count(To))
            Result.insert(To);
    return Result;
  }

private:
  using Ends = std::vector<const Stmt *>;
  void link(const Ends &From, const Stmt *To) {
    for (const Stmt *S : From) {
      Next[S].push_back(To);
      Before[To].push_back(S);
    }
  }
  /// From: what may have run last. What may run last in the block is returned.
  Ends add(const StmtList &B, Ends From, std::vector<Ends *> Left, bool InLoop) {
    for (Stmt *S : B) {
      link(From, S);
      if (isGroupBarrier(S) && S->Range.isValid())
        Places.push_back({S, InLoop});
      if (S->K == StmtKind::If) {
        From = add(S->Body, {S}, Left, InLoop);
        Ends Else = add(S->Else, {S}, Left, InLoop);
        From.insert(From.end(), Else.begin(), Else.end());
      } else if (S->K == StmtKind::Loop) {
        // S itself stands for its condition, before each round and at the end.
        Ends Leaves{S};
        Left.push_back(&Leaves);
        link(add(S->Init, From, Left, InLoop), S);
        Ends Round = add(S->Body, {S}, Left, true);
        Round.insert(Round.end(), Leaves.begin() + 1, Leaves.end()); // continue
        Ends Step = add(S->Step, Round, Left, true);
        link(Step, S);
        Left.pop_back();
        From = Leaves;
      } else {
        if (!Left.empty() && (S->K == StmtKind::Break || S->K == StmtKind::Continue))
          Left.back()->push_back(S);
        From = {S};
      }
    }
    return From;
  }
};

} // namespace

/// Images tell no addresses; one that is read and written has an order that barriers make.
static bool imagesBothWays(const Kernel &K) {
  return any_of(K.Params, [](const Var *P) {
    return P->isImage() && P->Ty->Qualifier == AccessQualifier::ReadWrite;
  });
}

/// True if other definitions of the host may add accesses to the kernel: by a macro with arguments,
/// or by a number that conditions of the preprocessor test.
static bool mayHaveOtherAccesses(Context &C, const Kernel &K) {
  const Guesses &G = guessed(C).names();
  if (G.Functions || G.Numbers.empty())
    return G.Functions;
  StringRef Text = C.text(K.BodyRange);
  return Text.empty() || !K.Helpers.empty() || K.ReqdWorkGroupSize || Text.contains("#if") ||
         Text.contains("#else");
}

static AccessSite withoutGuards(const AccessSite &Of) {
  AccessSite Result = Of;
  Result.Guards.clear();
  return Result;
}

/// barrier(..); barrier(..): does nothing at all happen between S and one that fences as much,
/// whatever the kernel does elsewhere?
static bool isStraightAfter(Context &C, const Stmt *S, const std::set<const Stmt *> &Between,
                            const std::set<const Stmt *> &Barriers) {
  auto Happens = [](const Stmt *B) {
    bool Any = B->K == StmtKind::Opaque || B->K == StmtKind::Call || B->K == StmtKind::Store ||
               B->K == StmtKind::Atomic || B->K == StmtKind::AsyncCopy;
    auto Look = [&](const Expr *Root) {
      walk(Root, [&](const Expr *E) {
        Any |= (E->K == ExprKind::Load && E->Acc.Base->space() != AddressSpace::Private) ||
               E->K == ExprKind::Opaque;
        return !Any;
      });
    };
    forEachExpr(*const_cast<Stmt *>(B), Look);
    return Any;
  };
  return !Barriers.empty() && none_of(Between, Happens) && all_of(Barriers, [&](const Stmt *B) {
    if (B == S || B->LocalFence < S->LocalFence || B->GlobalFence < S->GlobalFence ||
        B->Range.File != S->Range.File)
      return false;
    StringRef Text = C.text({S->Range.File, std::min(B->Range.End, S->Range.End),
                             std::max(B->Range.Begin, S->Range.Begin)});
    // A macro that was replaced by nothing may access memory.
    return !Text.contains('#') && !containsWord(guessed(C).names().Texts, Text);
  });
}

/// The finding that no access of Earlier conflicts with one of Later rests on their addresses, and
/// on guards that alone keep two of them apart.
static void addEvidence(Finding &F, Context &C, ArrayRef<const AccessSite *> Sites,
                        const std::set<const Stmt *> &Earlier,
                        const std::set<const Stmt *> &Later) {
  const KernelAnalysis &An = C.analysis();
  F.restsOnGuess(mayHaveOtherAccesses(C, An.kernel()));
  const GuessedFacts &G = guessed(C);
  if (!G.hasNumbers())
    return;
  std::set<const Var *> Written;
  for (const AccessSite *A : Sites)
    if (A->IsWrite)
      Written.insert(A->A->Base);
  for (const AccessSite *A : Sites)
    if ((Earlier.count(A->S) || Later.count(A->S)) && Written.count(A->A->Base)) {
      const Type *Element = A->A->Base->Ty->Elem;
      bool HasRows = Element && Element->K == Type::Array;
      // The length of rows may be any guessed number.
      F.restsOn(*A->A).restsOnGuess(HasRows);
    }
  for (const AccessSite *A : Sites)
    for (const AccessSite *B : Sites)
      if (F.stands() && Earlier.count(A->S) && Later.count(B->S) &&
          (G.isGuessed(*A) || G.isGuessed(*B)))
        F.restsOnGuess(mayOverlapUnordered(An, withoutGuards(*A), withoutGuards(*B)));
}

static void run(const Kernel &K, Context &C) {
  const KernelAnalysis &An = C.analysis();
  if (!An.hasBarrier())
    return;
  // What is not known may lean on any barrier but the last statement of all.
  bool Unknown = opaqueTouchesBuffers(K) || imagesBothWays(K);
  auto IsLast = [&](const Stmt *S) {
    return S == K.Body.back() && none_of(K.Opaques, [&](const OpaqueNote &N) {
             return N.Range.File == S->Range.File && N.Range.Begin > S->Range.Begin;
           });
  };
  std::vector<const AccessSite *> Sites;
  for (const AccessSite &A : An.accesses()) {
    AddressSpace Space = A.A->Base->space();
    if (Space != AddressSpace::Local && Space != AddressSpace::Global)
      continue;
    Unknown |= A.A->Volatile;
    Sites.push_back(&A);
  }
  // Do work-items meet there anywhere in the kernel?
  std::map<AddressSpace, bool> Known;
  auto Shares = [&](AddressSpace Space) {
    auto [It, New] = Known.try_emplace(Space, true);
    if (New && Sites.size() <= 64)
      It->second = any_of(Sites, [&](const AccessSite *A) {
        return A->A->Base->space() == Space && A->IsWrite &&
               any_of(Sites, [&](const AccessSite *B) { return mayOverlapUnordered(An, *A, *B); });
      });
    return It->second;
  };
  Paths P(K.Body);
  const Conditions &Around = conditions(C);
  // It waits for those who went another way, at another barrier.
  auto IsDivergent = [&](const Stmt *S) {
    auto At = Around.find(S);
    return At != Around.end() && any_of(At->second, [&](const Stmt *If) {
             return If->K == StmtKind::If && S->Range.Begin >= If->Range.Begin &&
                    S->Range.End <= If->Range.End && !An.varies(If->E, If).uniform();
           });
  };
  std::set<const Stmt *> Gone; ///< found needless: what they divided counts as one
  for (auto [S, InLoop] : P.Places) {
    if (IsDivergent(S))
      continue;
    // Another barrier may lean on this one's fence.
    if (any_of(P.Places, [&](const Paths::Place &Other) {
          return (S->LocalFence && !Other.Barrier->LocalFence && Shares(AddressSpace::Local)) ||
                 (S->GlobalFence && !Other.Barrier->GlobalFence && Shares(AddressSpace::Global));
        }))
      continue;
    std::set<const Stmt *> Earlier = P.reach(S, P.Before, Gone), Later = P.reach(S, P.Next, Gone);
    // In a function, it may be for another call of it.
    if (functionOf(K, S->Range) == K.Helpers.size() &&
        isStraightAfter(C, S, Earlier, P.ends(S, P.Before, Gone))) {
      Gone.insert(S);
      C.report(S->Range, "nothing happens between this barrier and the one before")
          .cost("all work-items of the group wait here for nothing")
          .fix(Applicability::Verify, "take it out");
      continue;
    }
    // Waiting for slower work-items in a loop over what nobody writes can pay.
    if (InLoop && none_of(Sites, [&](const AccessSite *A) {
          return A->A->Base->space() == AddressSpace::Local && A->IsWrite &&
                 (Earlier.count(A->S) || Later.count(A->S));
        }))
      continue;
    bool Meet = any_of(Sites, [&](const AccessSite *A) {
      return Earlier.count(A->S) && any_of(Sites, [&](const AccessSite *B) {
               return Later.count(B->S) && mayOverlapUnordered(An, *A, *B);
             });
    });
    if (Meet || (Unknown && !IsLast(S)))
      continue;
    Finding &F = C.report(S->Range, "no two accesses around this barrier can conflict");
    // Nothing can need a barrier at the end of the kernel.
    if (!IsLast(S))
      addEvidence(F, C, Sites, Earlier, Later);
    if (F.stands())
      Gone.insert(S);
    F.cost(InLoop ? "all work-items of the group wait here in each round for nothing"
                  : "all work-items of the group wait here for nothing")
        .fix(Applicability::Verify, "take it out");
    if (InLoop)
      F.atMost(rules::Severity::Info);
  }
}

CLMALI_KERNEL_CHECK("needless-barrier", run);
