//===- manual-dot.cpp --------------------------------------------------------------------------===//
//
// Before: a.x * b.x + a.y * b.y + a.z * b.z
// After:  dot(a.xyz, b.xyz)           (unsafe: another order of additions)
// Before: 0.299f * p.x + 0.587f * p.y + 0.114f * p.z
// After:  dot(p.xyz, (float3)(0.299f, 0.587f, 0.114f))
// Limits: sums in floating point; each component once. A sum may be gathered over statements that
//         follow one another (s += a.x * b.x; s += a.y * b.y; ...).
//
//===------------------------------------------------------------------------------------------===//

#include "checks/Query.h"
#include "llvm/ADT/StringExtras.h"
#include <set>

using namespace llvm;
using namespace clmali;
using namespace clmali::checks;
using namespace clmali::model;

namespace {
/// A component that a sum multiplies by that of another vector, or by a number of its own.
struct Term {
  const Expr *A = nullptr, *B = nullptr; ///< the vectors; B null: a number
  unsigned Lane = 0;
};
} // namespace

static void addends(const Expr *E, std::vector<const Expr *> &Out) {
  if (E->K == ExprKind::Binary && E->O == Op::Add && E->Ty->isScalar()) {
    addends(E->Ops[0], Out);
    addends(E->Ops[1], Out);
    return;
  }
  Out.push_back(E);
}

static const Expr *component(const Expr *E) {
  E = stripCasts(E);
  return E->K == ExprKind::Swizzle && E->LaneIdx.size() == 1 ? E : nullptr;
}

static std::optional<Term> termOf(const KernelAnalysis &K, const Expr *E) {
  if (const Expr *X = component(E)) {
    // A component of a product that was made of whole vectors.
    const Expr *Of = origin(K, X->Ops[0]);
    if (Of->K != ExprKind::Binary || Of->O != Op::Mul || !Of->Ty->isFloat())
      return std::nullopt;
    return Term{Of, Of, X->LaneIdx[0]};
  }
  if (E->K != ExprKind::Binary || E->O != Op::Mul || !E->Ty->isFloat())
    return std::nullopt;
  const Expr *A = component(E->Ops[0]), *B = component(E->Ops[1]);
  if (A && B && A->LaneIdx[0] == B->LaneIdx[0])
    return Term{A->Ops[0], B->Ops[0], A->LaneIdx[0]};
  if (!A == !B)
    return std::nullopt;
  const Expr *Other = E->Ops[A ? 1 : 0];
  if (!K.varies(Other).uniformInLaunch())
    return std::nullopt;
  return Term{(A ? A : B)->Ops[0], nullptr, (A ? A : B)->LaneIdx[0]};
}

static bool ofSameVectors(const Term &X, const Term &Y) {
  if (!X.B || !Y.B)
    return !X.B && !Y.B && model::equal(X.A, Y.A);
  return (model::equal(X.A, Y.A) && model::equal(X.B, Y.B)) || (model::equal(X.A, Y.B) && model::equal(X.B, Y.A));
}

/// How many components of an inner product stand in the sum: 3 or 4, or 0.
static unsigned innerProduct(const KernelAnalysis &K, ArrayRef<const Expr *> Sum) {
  std::vector<Term> Terms;
  for (const Expr *E : Sum)
    if (std::optional<Term> T = termOf(K, E))
      Terms.push_back(*T);
  for (const Term &First : Terms) {
    std::set<unsigned> Lanes;
    unsigned Matching = 0;
    for (const Term &T : Terms)
      if (ofSameVectors(First, T)) {
        ++Matching;
        Lanes.insert(T.Lane);
      }
    if ((Matching == 3 || Matching == 4) && Lanes.size() == Matching)
      return Matching;
  }
  return 0;
}

namespace {
class Finder {
public:
  Finder(Context &C) : C(C), K(C.analysis()) {}
  void visit(const Block &B) {
    const Var *Into = nullptr; ///< what the statements before have been adding to
    std::vector<const Expr *> Sum;
    SourceRange First;
    unsigned Statements = 0;
    for (Stmt *S : B) {
      forEachExpr(*S, [&](const Expr *Root) { lookInto(Root); });
      std::vector<const Expr *> Added;
      if (S->K == StmtKind::Assign && S->LaneIdx.empty() && S->E->Ty->isScalar() && S->E->Ty->isFloat())
        addends(S->E, Added);
      size_t Before = Added.size();
      erase_if(Added, [&](const Expr *E) { return E->K == ExprKind::VarRef && E->V == S->V; });
      if (Added.empty() || Added.size() == Before || S->V != Into) {
        gathered(First, Sum, Statements);
        Statements = 0;
        Into = Added.empty() ? nullptr : S->V;
        Sum.clear();
        First = S->Range;
      }
      Sum.insert(Sum.end(), Added.begin(), Added.end());
      Statements += !Added.empty();
      forEachBlock(*S, [&](Block &Nested) { visit(Nested); });
    }
    gathered(First, Sum, Statements);
  }

private:
  void lookInto(const Expr *Root) {
    walk(Root, [&](const Expr *E) {
      if (E->K != ExprKind::Binary || E->O != Op::Add || !E->Ty->isScalar() || !E->Ty->isFloat())
        return true;
      std::vector<const Expr *> Sum;
      addends(E, Sum);
      unsigned N = innerProduct(K, Sum);
      report(E->Range, N);
      return !N;
    });
  }
  void gathered(SourceRange First, ArrayRef<const Expr *> Sum, unsigned Statements) {
    if (Statements > 1)
      report(First, innerProduct(K, Sum));
  }
  void report(SourceRange At, unsigned N) {
    if (N && At.isValid() && Seen.insert({At.File, At.Begin}).second)
      C.report(At, "an inner product of " + utostr(N) + " components is written out")
          .fix(Applicability::Unsafe, "dot, where the order of additions does not matter");
  }
  Context &C;
  const KernelAnalysis &K;
  std::set<std::pair<uint32_t, uint32_t>> Seen;
};
} // namespace

static void run(const Kernel &K, Context &C) { Finder(C).visit(K.Body); }

CLMALI_KERNEL_CHECK("manual-dot", run);
