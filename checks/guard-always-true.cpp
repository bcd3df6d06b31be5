//===- guard-always-true.cpp ------------------------------------------------------------------===//
//
// Before: if (i >= get_global_size(0)) return;      always false
// After:  if (i >= count) return;
// Limits: ids and sizes as polynomials; a global id that begins at an offset is taken to begin at
//         0, as the comparison does.
//
//===------------------------------------------------------------------------------------------===//

#include "checks/model/ir/Comparison.h"
#include "checks/query/Query.h"
#include <set>

using namespace llvm;
using namespace clmali;
using namespace clmali::checks;
using namespace clmali::model;

namespace {
/// Id - Size + Rest, where Id is at least 0 and below Size.
struct Distance {
  WorkItemQuery Id, Size;
  unsigned Dim = 0;
  int64_t Rest = 0;
};
} // namespace

/// The size that bounds an id.
static std::optional<WorkItemQuery> sizeOf(WorkItemQuery Id) {
  switch (Id) {
  case WorkItemQuery::GlobalId:
    return WorkItemQuery::GlobalSize;
  case WorkItemQuery::LocalId:
    return WorkItemQuery::LocalSize;
  case WorkItemQuery::GroupId:
    return WorkItemQuery::NumGroups;
  default:
    return std::nullopt;
  }
}

/// P as an id less its size, plus a constant. The global id may be written as group * size + local.
static std::optional<Distance> distance(const KernelAnalysis &K, const Poly &P) {
  std::optional<Distance> Found;
  std::set<unsigned> Symbols;
  for (const auto &[M, Coefficient] : P.Terms)
    for (unsigned S : M)
      if (K.symbol(S).K == SymbolInfo::WorkItem)
        Symbols.insert(S);
  for (unsigned Dim = 0; Dim < 3 && !Found; ++Dim)
    for (WorkItemQuery Id :
         {WorkItemQuery::GlobalId, WorkItemQuery::LocalId, WorkItemQuery::GroupId}) {
      unsigned IdSymbol = ~0u, SizeSymbol = ~0u, Group = ~0u, Local = ~0u, LocalSize = ~0u;
      for (unsigned S : Symbols) {
        const SymbolInfo &I = K.symbol(S);
        if (I.E->Dim != Dim)
          continue;
        if (I.E->Query == Id)
          IdSymbol = S;
        if (I.E->Query == *sizeOf(Id))
          SizeSymbol = S;
        if (I.E->Query == WorkItemQuery::GroupId)
          Group = S;
        if (I.E->Query == WorkItemQuery::LocalId)
          Local = S;
        if (I.E->Query == WorkItemQuery::LocalSize)
          LocalSize = S;
      }
      if (SizeSymbol == ~0u)
        continue;
      auto Try = [&](const Poly &IdPoly) {
        Poly R = P - IdPoly + Poly::symbol(SizeSymbol);
        if (R.isConstant())
          Found = Distance{Id, *sizeOf(Id), Dim, R.constantTerm()};
      };
      if (IdSymbol != ~0u)
        Try(Poly::symbol(IdSymbol));
      if (!Found && Id == WorkItemQuery::GlobalId && Group != ~0u && Local != ~0u &&
          LocalSize != ~0u)
        Try(Poly::symbol(Group) * Poly::symbol(LocalSize) + Poly::symbol(Local));
    }
  return Found;
}

/// The value that X has for every work-item, if it compares an id with its size.
static std::optional<bool> alwaysIs(Op O, const Distance &D) {
  // Id - Size is at most -1, and at most Rest - 1 with the constant.
  switch (O) {
  case Op::LT:
    return D.Rest == 0 ? std::optional(true) : std::nullopt;
  case Op::LE:
    return D.Rest == 0 || D.Rest == 1 ? std::optional(true) : std::nullopt;
  case Op::GE:
    return D.Rest == 0 ? std::optional(false) : std::nullopt;
  case Op::GT:
    return D.Rest == 0 || D.Rest == 1 ? std::optional(false) : std::nullopt;
  case Op::EQ:
    return D.Rest == 0 ? std::optional(false) : std::nullopt;
  case Op::NE:
    return D.Rest == 0 ? std::optional(true) : std::nullopt;
  default:
    return std::nullopt;
  }
}

static void run(const Kernel &K, Context &C) {
  const KernelAnalysis &A = C.analysis();
  std::set<const Stmt *> Reported;
  for (ExprAt X : exprs(K.Body)) {
    if (X->K != ExprKind::Binary || !isComparison(X->O) || !X->Ops[0]->Ty->isScalar() ||
        !X->Ops[0]->Ty->isInteger() || Reported.count(X.S))
      continue;
    Poly P = A.poly(X->Ops[0], X.S) - A.poly(X->Ops[1], X.S);
    std::optional<Distance> D = distance(A, P);
    Op O = X->O;
    if (!D) {
      D = distance(A, P * -1);
      O = mirrored(O);
    }
    std::optional<bool> Is = D ? alwaysIs(O, *D) : std::nullopt;
    if (!Is)
      continue;
    Reported.insert(X.S);
    std::string Dim = "(" + std::to_string(D->Dim) + ")";
    std::string Size = builtinName(D->Size).str() + Dim;
    C.report(X->Range, "the condition is always " + std::string(*Is ? "true" : "false") + ": " +
                           builtinName(D->Id) + Dim + " is below " + Size)
        .restsOn(X->Range)
        .cost("as a guard it keeps no work-item out; compare with the number of elements");
  }
}

CLMALI_KERNEL_CHECK("guard-always-true", run);
