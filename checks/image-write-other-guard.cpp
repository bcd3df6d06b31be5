//===- image-write-other-guard.cpp ------------------------------------------------------------===//
//
// Before: if (x >= w || y >= h) return;  write_imagef(out, (int2)(h - 1 - y, x), ..)
// After:  .. && h - 1 - y < get_image_width(out) && x < get_image_height(out)
// Limits: coordinates as polynomials.
//
//===------------------------------------------------------------------------------------------===//

#include "checks/query/Query.h"
#include <set>

using namespace llvm;
using namespace clmali;
using namespace clmali::checks;
using namespace clmali::model;

namespace {
/// What the guards around a write compare.
struct Guards {
  bool Any = false;           ///< an id is compared with something
  bool WithImage = false;     ///< the size of the image that is written is part of it
  std::vector<Poly> Compared; ///< both sides of each comparison
};
} // namespace

static Guards guardsOf(Context &C, const KernelAnalysis &K, const Stmt *Write) {
  Guards G;
  auto Around = conditions(C).find(Write);
  if (Around == conditions(C).end())
    return G;
  for (const Stmt *S : Around->second) {
    if (S->K != StmtKind::If || !S->E)
      continue;
    SliceOptions O;
    O.Control = true;
    for (ExprAt X : Slice(K, S->E, S, O)) {
      G.WithImage |= isExtent(*X.E) && X->Image == Write->Image;
      if (X->K != ExprKind::Binary || !isComparison(X->O) || !X->Ops[0]->Ty->isInteger())
        continue;
      bool Scalar = X->Ops[0]->Ty->isScalar();
      for (const Expr *Side : X->Ops) {
        G.Any |= K.varies(Side, X.S ? X.S : S).Item != 0;
        if (Scalar)
          G.Compared.push_back(K.poly(Side, X.S ? X.S : S));
        else
          for (const Expr *Part : pattern::components(K, Side))
            G.Compared.push_back(K.poly(Part, X.S ? X.S : S));
      }
    }
  }
  return G;
}

/// True if P is a global id of dimension Dim, plus a value that is the same for all work-items.
static bool isPlainId(const KernelAnalysis &K, const Poly &P, unsigned Dim) {
  bool Has = false;
  for (const auto &[Mono, Coefficient] : P.Terms)
    for (unsigned S : Mono) {
      const SymbolInfo &I = K.symbol(S);
      if (!I.Varies.Item && !I.Varies.Group)
        continue;
      bool IsId = I.K == SymbolInfo::WorkItem && I.E->Dim == Dim &&
                  (I.E->Query == WorkItemQuery::GlobalId || I.E->Query == WorkItemQuery::LocalId ||
                   I.E->Query == WorkItemQuery::GroupId);
      if (!IsId || (I.E->Query == WorkItemQuery::GlobalId && (Mono.size() > 1 || Coefficient != 1)))
        return false;
      Has = true;
    }
  return Has;
}

/// True if P is made of ids of one dimension and values that are the same for all work-items. Ids
/// of several dimensions in one coordinate are a packed image, whose size follows from all of them.
static bool isOfOneDimension(const KernelAnalysis &K, const Poly &P) {
  std::optional<unsigned> Dim;
  for (const auto &[Mono, Coefficient] : P.Terms)
    for (unsigned S : Mono) {
      const SymbolInfo &I = K.symbol(S);
      if (!I.Varies.Item && !I.Varies.Group && !I.Varies.Data)
        continue;
      if (I.K != SymbolInfo::WorkItem || (Dim && *Dim != I.E->Dim))
        return false;
      Dim = I.E->Dim;
    }
  return Dim.has_value();
}

static void run(const Kernel &K, Context &C) {
  const KernelAnalysis &A = C.analysis();
  for (const Stmt *S : stmts(K.Body)) {
    if (S->K != StmtKind::ImageWrite)
      continue;
    SmallVector<const Expr *, 4> Parts = pattern::components(A, S->Args[0]);
    if (Parts.empty() || hasOpaque(S->Args[0]))
      continue;
    Guards G = guardsOf(C, A, S);
    if (!G.Any || G.WithImage)
      continue;
    bool Moved = false;
    if (!all_of(Parts, [&](const Expr *Part) { return isOfOneDimension(A, A.poly(Part, S)); }))
      continue;
    for (auto [Dim, Part] : enumerate(Parts)) {
      Poly P = A.poly(Part, S);
      Variation V = A.varies(Part, S);
      // An element that data choose, or the same for all: no permuted id.
      if (Dim > 2 || V.Data || !(V.Item || V.Group) || isPlainId(A, P, Dim))
        continue;
      bool Guarded = any_of(G.Compared, [&](const Poly &Q) { return (P - Q).isConstant(); });
      // A guard on a bare id says nothing of another dimension of this image.
      bool Bare = false;
      for (unsigned Other = 0; Other < 3; ++Other)
        Bare |= Other != Dim && isPlainId(A, P, Other);
      Moved |= Bare || !Guarded;
    }
    if (Moved)
      C.report(S->Range, "the coordinates at which '" + S->Image->Name +
                             "' is written are not those of the guard, and are not compared with "
                             "its size")
          .restsOn(S->Range)
          .cost("outside the image the write is undefined; compare with get_image_dim(" +
                S->Image->Name + ")")
          .atMost(rules::Severity::Info);
  }
}

CLMALI_KERNEL_CHECK("image-write-other-guard", run);
