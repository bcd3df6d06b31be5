//===- image-read-outside.cpp -----------------------------------------------------------------===//
//
// Before: sampler with CLK_ADDRESS_NONE;           read_imagef(in, s, (int2)(x - 1, y))
// After:  sampler with CLK_ADDRESS_CLAMP_TO_EDGE;  the same
// Limits: coordinates below 0, made of global ids, loop variables and constants; constant samplers,
//         and reads without one.
//
//===------------------------------------------------------------------------------------------===//

#include "checks/model/ir/Samplers.h"
#include "checks/query/Limits.h"
#include "checks/query/Query.h"
#include "llvm/ADT/STLExtras.h"
#include <set>

using namespace llvm;
using namespace clmali;
using namespace clmali::checks;
using namespace clmali::model;

/// The least value of P, if it is made of ids, loop variables and constants alone, and an id is
/// among them.
static std::optional<int64_t> least(const KernelAnalysis &K, const Poly &P) {
  int64_t Least = P.constantTerm();
  bool HasId = false;
  for (const auto &[Mono, Coefficient] : P.Terms) {
    if (Mono.empty())
      continue;
    const SymbolInfo &Info = K.symbol(Mono.front());
    if (Mono.size() > 1)
      return std::nullopt;
    if (Info.K == SymbolInfo::WorkItem && Info.E->Query == WorkItemQuery::GlobalId &&
        Coefficient > 0) {
      HasId = true; // from 0 on
      continue;
    }
    int64_t End = Coefficient > 0 ? Info.R.Lo : Info.R.Hi;
    if (Info.K != SymbolInfo::LoopVar || std::abs(End) > int64_t(limits::Iterations))
      return std::nullopt;
    Least += Coefficient * End;
  }
  return HasId ? std::optional(Least) : std::nullopt;
}

/// True if a comparison in the slice of Root compares P with something.
static bool comparesIn(const KernelAnalysis &K, const Expr *Root, const Stmt *At, const Poly &P) {
  for (ExprAt X : Slice(K, Root, At))
    if (X->K == ExprKind::Binary && isComparison(X->O) && X->Ops[0]->Ty->isInteger() &&
        X->Ops[0]->Ty->isScalar())
      for (const Expr *Side : X->Ops)
        if ((K.poly(Side, X.S ? X.S : At) - P).isConstant())
          return true;
  return false;
}

/// True if a condition around S, or in it, compares P with something.
static bool isCompared(Context &C, const Stmt *S, const Poly &P) {
  const KernelAnalysis &K = C.analysis();
  if (auto Around = conditions(C).find(S); Around != conditions(C).end())
    for (const Stmt *If : Around->second)
      if (If->K == StmtKind::If && If->E && comparesIn(K, If->E, If, P))
        return true;
  bool Chosen = any_of(exprs(*S), [](ExprAt X) { return X->K == ExprKind::Select; });
  return Chosen && S->E && comparesIn(K, S->E, S, P);
}

static void run(const Kernel &, Context &C) {
  const KernelAnalysis &K = C.analysis();
  std::set<StringRef> Reported;
  for (const ImageAccess &A : imageAccesses(C)) {
    if (!A.Read || !isUndefinedOutside(*A.Read) || Reported.count(A.Image))
      continue;
    for (const Expr *Part : A.Parts) {
      if (!Part->Ty->isInteger())
        continue;
      Poly P = K.poly(Part, A.S);
      std::optional<int64_t> Lowest = least(K, P);
      if (!Lowest || *Lowest >= 0 || isCompared(C, A.S, P))
        continue;
      Reported.insert(A.Image);
      C.report(A.Range, "at the border a coordinate of the read of '" + A.Image + "' is " +
                            Twine(*Lowest) + ", and " +
                            (A.Read->Sampler ? "the sampler has no address mode"
                                             : "there is no sampler with an address mode"))
          .restsOn(A.Range)
          .cost("what such a read gives is undefined; CLK_ADDRESS_CLAMP_TO_EDGE costs nothing");
      break;
    }
  }
}

CLMALI_KERNEL_CHECK("image-read-outside", run);
