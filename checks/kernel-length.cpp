//===- kernel-length.cpp
//-----------------------------------------------------------------------===//
//
// Limits: operations of the source, no instructions of a compiler; both sides of branches count.
// Where no loop is, those of one
//         value count once, and what all work-items have alike does not count.
//
//===------------------------------------------------------------------------------------------===//

#include "checks/query/Query.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace clmali;
using namespace clmali::checks;
using namespace clmali::model;

static uint64_t count(const StmtList &B, const KernelAnalysis &K, const Module &M, bool &Unknown) {
  uint64_t Total = 0;
  for (Stmt *S : B) {
    uint64_t Here = S->K == StmtKind::Store || S->K == StmtKind::Barrier ||
                    S->K == StmtKind::Atomic ||
                    (S->K == StmtKind::Opaque && S->Text == "image access");
    forEachExpr(*S, [&](const Expr *Root) {
      walk(Root, [&](const Expr *E) {
        Here += E->K == ExprKind::Binary || E->K == ExprKind::Unary || E->K == ExprKind::Load ||
                E->K == ExprKind::Call || E->K == ExprKind::Select;
        return true;
      });
    });
    uint64_t Inside = 0;
    forEachStmtList(*S, [&](StmtList &Nested) { Inside += count(Nested, K, M, Unknown); });
    if (S->K == StmtKind::Loop) {
      std::optional<CountedLoop> L = K.countedLoop(S);
      // Rounds that a guess counts are no number of the kernel's.
      if (L && restsOnGuess(M, K, *L))
        Unknown = true;
      else if (L && L->TripCount)
        Inside *= std::min<uint64_t>(*L->TripCount, 1 << 20);
      else
        Unknown = true;
    }
    Total += Here + Inside;
  }
  return std::min<uint64_t>(Total, 1ull << 40);
}

/// The operations of a kernel without loops that a compiler leaves: those of one value once, and
/// none of what all work-items have alike.
static uint64_t countDistinct(const Kernel &Kernel, const KernelAnalysis &K) {
  SmallVector<const Expr *> Seen;
  uint64_t Total = 0;
  walk(Kernel.Body, [&](const Stmt *S) {
    Total += S->K == StmtKind::Store || S->K == StmtKind::Barrier || S->K == StmtKind::Atomic ||
             (S->K == StmtKind::Opaque && S->Text == "image access");
    forEachExpr(*S, [&](const Expr *Root) {
      walk(Root, [&](const Expr *E) {
        bool Counts = E->K == ExprKind::Binary || E->K == ExprKind::Unary ||
                      E->K == ExprKind::Load || E->K == ExprKind::Call || E->K == ExprKind::Select;
        if (!Counts || K.varies(E, S).uniformInLaunch() ||
            any_of(Seen, [&](const Expr *Old) { return equal(Old, E); }))
          return true;
        Seen.push_back(E);
        ++Total;
        return true;
      });
    });
    return true;
  });
  return Total;
}

/// A short kernel that moves as much as an access can is short of nothing, unless it hardly does
/// more.
static bool movesVectors(Context &C) {
  return any_of(C.analysis().accesses(), [&](const AccessSite &A) {
    return A.A->Base->space() == AddressSpace::Global &&
           widthInBytes(*A.A) * 8 >= C.device().IdealAccessBits;
  });
}

/// Where a short kernel does what it is there for.
static void addStore(const Kernel &K, Finding &F) {
  const Stmt *First = nullptr;
  walk(K.Body, [&](const Stmt *S) {
    if (!First && S->K == StmtKind::Store)
      First = S;
    return !First;
  });
  if (First)
    F.note(First->Acc.Range, "for the sake of this");
}

static void run(const Kernel &K, Context &C) {
  const rules::DeviceFacts &D = C.device();
  if (!D.MinInstructions)
    return;
  // An image access is one operation.
  bool Unknown =
      !all_of(K.Opaques, isOfImages) || mentionsGuessedText(C.module(), C.text(K.BodyRange));
  uint64_t Operations = count(K.Body, C.analysis(), C.module(), Unknown);
  if (bool Loops = false; Operations < D.MaxInstructions) {
    walk(K.Body, [&](const Stmt *S) { return !(Loops |= S->K == StmtKind::Loop); });
    if (!Loops)
      Operations = countDistinct(K, C.analysis());
  }
  // An operation of the source is an instruction or two.
  uint64_t Least =
      C.option("MinOperations") > 0 ? C.option("MinOperations") : D.MinInstructions / 2;
  std::string What = (Unknown ? "it executes at least " : "it executes about ") +
                     utostr(Operations) + (Operations == 1 ? " operation" : " operations") +
                     " for each work-item";
  if (Operations > D.MaxInstructions)
    C.report(K.NameRange, What)
        .cost("above " + utostr(D.MaxInstructions) + " it starves everything else");
  else if (Operations < Least && !Unknown && (2 * Operations <= Least || !movesVectors(C)))
    addStore(K, C.report(K.NameRange, What).cost("setting a work-item up costs as much"));
}

CLMALI_KERNEL_CHECK("kernel-length", run);
