//===- Packing.cpp - scalar accesses that are lanes of one vector -----------------------------===//

#include "checks/query/Packing.h"
#include "checks/query/Limits.h"
#include "checks/query/Query.h"
#include "llvm/ADT/STLExtras.h"
#include <set>

using namespace llvm;
using namespace clmali;
using namespace clmali::checks;
using namespace clmali::model;

/// Calls F for each expression that Root is computed from, through variables with a single
/// definition.
static void walkThrough(const KernelAnalysis &K, const Expr *Root,
                        function_ref<void(const Expr *)> F) {
  std::set<const Var *> Seen;
  auto Visit = [&](const Expr *R, auto &&Self) -> void {
    walk(R, [&](const Expr *E) {
      F(E);
      if (E->K == ExprKind::VarRef && E->V->K == Var::Temp && !E->Ty->isVector() &&
          Seen.insert(E->V).second)
        if (const Stmt *Def = K.singleDef(E->V); Def && Def->E)
          Self(Def->E, Self);
      return true;
    });
  };
  Visit(Root, Visit);
}

/// A private vector that is kept in memory because its lanes are selected by an index.
static bool isVectorInMemory(const Var *V) {
  return V->K == Var::Memory && V->space() == AddressSpace::Private && V->Ty->isVector();
}

/// True if the innermost loop moves A by a stride that is only known at run time.
static bool movesByPlanes(const KernelAnalysis &K, const AccessSite &A) {
  if (A.Loops.empty())
    return false;
  for (unsigned S = 0; S < K.numSymbols(); ++S) {
    const SymbolInfo &Info = K.symbol(S);
    if ((Info.K == SymbolInfo::LoopVar || Info.K == SymbolInfo::Iteration) &&
        Info.Loop == A.Loops.back() && A.Bytes.degree(S) == 1)
      return !A.Bytes.coefficient(S).isConstant();
  }
  return false;
}

/// True if some of Sites are a run-time distance apart and no two of them are adjacent.
static bool inPlanes(const KernelAnalysis &K, ArrayRef<const AccessSite *> Sites) {
  bool Apart = false;
  for (const AccessSite *A : Sites) {
    Apart |= movesByPlanes(K, *A);
    for (const AccessSite *B : Sites) {
      std::optional<int64_t> D = K.distance(*A, *B);
      if (D && std::abs(*D) == int64_t(sizeInBytes(A->A->Elem)))
        return false;
      Apart |= !D;
    }
  }
  return Apart;
}

bool checks::isPacked(Context &C, const Var *Buffer) {
  const KernelAnalysis &K = C.analysis();
  const bool Images = hasImages(K.kernel());
  bool LoadsWhole = Images, StoresWhole = Images;
  std::map<const Expr *, const AccessSite *> SiteOf;
  std::vector<const AccessSite *> Stores;
  for (const AccessSite &Site : K.accesses()) {
    if (Site.A->Lanes > 1 && Site.A->Base->space() == AddressSpace::Global)
      (Site.IsWrite ? StoresWhole : LoadsWhole) = true;
    if (Site.A->Base == Buffer && Site.Load)
      SiteOf[Site.Load] = &Site;
    if (Site.A->Base == Buffer && Site.S->K == StmtKind::Store && !Site.Load)
      Stores.push_back(&Site);
  }

  if (StoresWhole && !SiteOf.empty()) {
    // The loads of Buffer, keyed by the vector that they become lanes of.
    std::map<const void *, std::vector<const AccessSite *>> Lanes;
    auto Add = [&](const void *Vector, const Expr *E) {
      walkThrough(K, E, [&](const Expr *X) {
        if (auto At = SiteOf.find(X); At != SiteOf.end())
          Lanes[Vector].push_back(At->second);
      });
    };
    for (const Stmt *S : stmts(K.kernel().Body)) {
      if (S->K == StmtKind::Assign && S->LaneIdx.size() == 1 && S->E)
        Add(S->V, S->E);
      if (S->K == StmtKind::Store && S->Acc.Lanes == 1 && S->E && isVectorInMemory(S->Acc.Base))
        Add(S->Acc.Base, S->E);
      for (ExprAt X : exprs(*S))
        if (X->K == ExprKind::VectorCtor)
          for (const Expr *Operand : X->Ops)
            if (Operand->Ty->isScalar())
              Add(X.E, Operand);
    }
    if (any_of(Lanes, [&](const auto &L) { return inPlanes(K, L.second); }))
      return true;
  }

  std::vector<const AccessSite *> Taken;
  for (const AccessSite *Site : Stores) {
    bool OfLane = false;
    if (Site->S->E)
      walkThrough(K, Site->S->E, [&](const Expr *E) {
        OfLane |= (E->K == ExprKind::Swizzle && E->LaneIdx.size() == 1) ||
                  (E->K == ExprKind::Load && E->Acc.Lanes == 1 && isVectorInMemory(E->Acc.Base));
      });
    if (OfLane)
      Taken.push_back(Site);
  }
  return LoadsWhole && inPlanes(K, Taken);
}

bool checks::isReadBesideVectors(Context &C, const Var *Buffer) {
  const KernelAnalysis &K = C.analysis();
  bool Found = false;
  for (const AccessSite &Site : K.accesses()) {
    if (Site.A->Base != Buffer)
      continue;
    if (Site.IsWrite || Site.Loops.empty() || Site.A->Lanes > 1)
      return false;
    bool SiblingFiles = any_of(K.accesses(), [&](const AccessSite &Other) {
      return Other.A->Base != Buffer && Other.A->Base->space() == AddressSpace::Global &&
             Other.IsRead && Other.A->Lanes >= 4 && Other.A->F != Access::Subscript &&
             !Other.Loops.empty() && Other.Loops.back() == Site.Loops.back();
    });
    if (!SiblingFiles)
      return false;
    Found = true;
  }
  return Found;
}

/// True if P is Of times a polynomial. Divides polynomials, terms of the highest degree first.
bool checks::isMultipleOf(Poly P, const Poly &Of) {
  if (Of.isZero() || P.isZero())
    return false;
  auto Highest = [](const Poly &X) {
    return std::max_element(X.Terms.begin(), X.Terms.end(), [](const auto &A, const auto &B) {
      return A.first.size() != B.first.size() ? A.first.size() < B.first.size() : A.first > B.first;
    });
  };
  auto By = Highest(Of);
  for (unsigned Steps = 0; !P.isZero(); ++Steps) {
    auto At = Highest(P);
    if (Steps > 16 || At->second % By->second != 0 ||
        !std::includes(At->first.begin(), At->first.end(), By->first.begin(), By->first.end()))
      return false;
    Monomial Rest;
    std::set_difference(At->first.begin(), At->first.end(), By->first.begin(), By->first.end(),
                        std::back_inserter(Rest));
    Poly Times;
    Times.Terms[Rest] = At->second / By->second;
    P = P - Of * Times;
  }
  return true;
}

/// True if Cond, where it holds (or does not), says that an id of dimension Dim is below Bound.
static bool isBelow(const KernelAnalysis &K, const Expr *Cond, bool Holds, unsigned Dim,
                    const Poly &Bound, const Stmt *At) {
  Cond = stripCasts(Cond);
  if (Cond->K == ExprKind::Unary && Cond->O == Op::LogicalNot)
    return isBelow(K, Cond->Ops[0], !Holds, Dim, Bound, At);
  if (Cond->K != ExprKind::Binary)
    return false;
  if (Cond->O == (Holds ? Op::LogicalAnd : Op::LogicalOr))
    return any_of(Cond->Ops, [&](const Expr *X) { return isBelow(K, X, Holds, Dim, Bound, At); });
  if (!isComparison(Cond->O) || !Cond->Ops[0]->Ty->isInteger() || !Cond->Ops[0]->Ty->isScalar())
    return false;
  Op O = Holds ? Cond->O : inverse(Cond->O);
  Poly Less = K.poly(Cond->Ops[0], At), More = K.poly(Cond->Ops[1], At);
  if (O == Op::GT || O == Op::GE)
    std::swap(Less, More);
  if (O == Op::LE || O == Op::GE)
    More = More + Poly::constant(1);
  else if (O != Op::LT && O != Op::GT)
    return false;
  bool IsId = Less.Terms.size() == 1 && Less.Terms.begin()->first.size() == 1 &&
              Less.Terms.begin()->second == 1;
  const Expr *E = IsId ? K.symbol(Less.Terms.begin()->first[0]).E : nullptr;
  return E && E->K == ExprKind::WorkItem && E->Dim == Dim && More == Bound;
}

bool checks::isPixelElement(const KernelAnalysis &K, const AccessSite &Site, unsigned Dim) {
  std::optional<Poly> Step = K.stride(*Site.A, 0), Element = K.stride(*Site.A, Dim);
  if (Dim == 0 || !Step || !Element || !Element->isConstant() || Element->isZero() ||
      Step->isZero() || *Step == *Element)
    return false;
  auto IsRow = [&](const Poly &Row) {
    return !Row.isZero() && !(Row == *Step) && isMultipleOf(Row, *Step);
  };
  // The step of a pixel is a small number, or what bounds the ids of its elements.
  int64_t Bytes = std::abs(Element->constantTerm());
  bool Small = Step->isConstant() &&
               std::abs(Step->constantTerm()) <= int64_t(limits::PixelElements) * Bytes;
  Poly Elements;
  for (const auto &[Mono, Coefficient] : Step->Terms)
    Elements.Terms[Mono] = Coefficient / Bytes;
  if (!Small && (!(Elements * Bytes == *Step) || none_of(Site.Guards, [&](const Guard &G) {
        return isBelow(K, G.Cond, G.Holds, Dim, Elements, G.At);
      })))
    return false;
  for (unsigned Other = 1; Other < 3; ++Other)
    if (std::optional<Poly> Row = K.stride(*Site.A, Other); Other != Dim && Row && IsRow(*Row))
      return true;
  return false;
}
