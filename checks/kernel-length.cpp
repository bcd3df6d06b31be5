//===- kernel-length.cpp
//--------------------------------------------------------------------------===//
//
// Limits: operations of the source, not instructions of a compiler; both sides of branches count.
//         In a kernel without loops, equal values count once, and values that are the same for all
//         work-items do not count.
//
//===------------------------------------------------------------------------------------------===//

#include "checks/query/Limits.h"
#include "checks/query/Query.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace clmali;
using namespace clmali::checks;
using namespace clmali::model;

/// True if a compiler makes at least an instruction of E.
static bool isOperation(const Expr *E) {
  return E->K == ExprKind::Binary || E->K == ExprKind::Unary || E->K == ExprKind::Load ||
         E->K == ExprKind::Call || E->K == ExprKind::Select || E->K == ExprKind::ImageRead;
}

/// The same of the statement itself. An image access is one operation.
static bool isOperation(const Stmt &S) {
  return S.K == StmtKind::Store || S.K == StmtKind::Barrier || S.K == StmtKind::Atomic ||
         S.K == StmtKind::ImageWrite;
}

/// The operations that a work-item executes. Unknown is set if a loop's trip count is not known or
/// a guess; its body counts once.
static uint64_t count(Context &C, bool &Unknown) {
  const KernelAnalysis &K = C.analysis();
  const GuessedFacts &G = guessed(C);
  uint64_t Total = 0;
  for (const Stmt *S : stmts(K.kernel().Body)) {
    uint64_t Here = isOperation(*S);
    for (ExprAt X : exprs(*S))
      Here += isOperation(X.E);
    Total += Here * knownRounds(G, K, conditions(C), S);
    if (S->K == StmtKind::Loop)
      if (std::optional<CountedLoop> L = K.countedLoop(S); !L || !G.knownTripCount(*L))
        Unknown = true;
  }
  return Total;
}

/// The operations of a kernel without loops that a compiler leaves: each value once, and no value
/// that is the same for all work-items.
static uint64_t countDistinct(const Kernel &Kernel, const KernelAnalysis &K) {
  SmallVector<const Expr *> Seen;
  uint64_t Total = 0;
  for (const Stmt *S : stmts(Kernel.Body))
    Total += isOperation(*S);
  for (ExprAt X : exprs(Kernel.Body)) {
    if (!isOperation(X.E) || K.varies(X.E, X.S).uniformInLaunch() ||
        any_of(Seen, [&](const Expr *Old) { return equal(Old, X.E); }))
      continue;
    Seen.push_back(X.E);
    ++Total;
  }
  return Total;
}

/// True if the kernel accesses global memory by the widest accesses of the device. Such a kernel
/// may be short: it is bound by memory.
static bool movesVectors(Context &C) {
  return any_of(C.analysis().accesses(), [&](const AccessSite &A) {
    return A.A->Base->space() == AddressSpace::Global &&
           widthInBytes(*A.A) * 8 >= C.device().IdealAccessBits;
  });
}

/// Adds the first store, which is what a short kernel is for.
static void addStore(const Kernel &K, Finding &F) {
  for (const Stmt *S : stmts(K.Body))
    if (S->K == StmtKind::Store) {
      F.note(S->Acc.Range, "the result");
      return;
    }
}

static void run(const Kernel &K, Context &C) {
  const rules::DeviceFacts &D = C.device();
  if (!D.MinInstructions)
    return;
  // A guessed macro is a part of the question, as what the model cannot represent: its operations
  // make "about N" to "at least N".
  bool Unknown =
      !all_of(K.Opaques, isOfImages) || containsWord(guessed(C).names().Texts, C.text(K.BodyRange));
  uint64_t Operations = count(C, Unknown);
  auto IsLoop = [](const Stmt *S) { return S->K == StmtKind::Loop; };
  if (Operations < D.MaxInstructions && none_of(stmts(K.Body), IsLoop))
    Operations = countDistinct(K, C.analysis());
  // An operation of the source is one or two instructions.
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
