//===-- rewriters/spread-banks.cpp - Local memory without bank conflicts -----===//
//
// What it does: changes the layout of arrays in local memory so that the work-items that
// access them in one cycle use different banks (checks/model/cost/Banks.h):
//
//   before                               after
//   local float part[1024];              local float part[64];
//   part[l * 16] = v;                    part[l] = v;            (closed up)
//
//   local float tile[32][32];            local float tile[32][33];
//   v = tile[l][k];                      v = tile[l][k];         (rows padded)
//
// Legal if: every access names whole elements by subscripts; closing up: all indices
// are multiples of one number; padding: the ranges and the local size prove that no index
// leaves its row, and the larger array still fits the device.
//
// Pays if: the accesses take fewer cycles in the banks of the device than before. Accesses
// at distances that are not known do not count.
//
//===----------------------------------------------------------------------===//

#include "checks/model/cost/Banks.h"
#include "checks/model/pattern/Opaque.h"
#include "rewriters/pass/Pass.h"
#include "rewriters/pass/Passes.h"
#include "rewriters/staging/Delocalizer.h"
#include "llvm/ADT/STLExtras.h"
#include <numeric>
#include <set>

namespace clmali::rewrite {

namespace {

class Spreader : KernelEditor {
public:
  Spreader(const EditedKernel &E, const rules::DeviceFacts &D, WorkSize Local,
           std::vector<RefusalAt> &Refusals)
      : KernelEditor(E), D(D), P(M, K, A), Local(Local), Refusals(Refusals) {
    P.LocalSize = Local;
  }

  unsigned run(bool &NeedsLocal) {
    unsigned Done = 0;
    for (Var *V : K.Vars) {
      if (V->K != Var::Memory || V->AS != AddressSpace::Local || V->Ty->K != Type::Array)
        continue;
      std::vector<const AccessSite *> Sites;
      bool Known = true;
      for (const AccessSite &S : A.accesses())
        if (S.A->Base == V) {
          Sites.push_back(&S);
          Known &= isWholeElement(*S.A);
        }
      if (Sites.empty())
        continue;
      auto [Now, Needed] = cycles(Sites, V);
      if (Now <= Needed)
        continue; // no conflict
      if (!Known) {
        refuse(Refusal::StagingNotACopy, V, "is accessed by parts of its elements",
               Sites[0]->A->Range);
        continue;
      }
      if (V->Ty->Elem->K == Type::Array ? pad(V, Sites, Now, NeedsLocal) : close(V, Sites, Now))
        ++Done;
    }
    return Done;
  }

private:
  const rules::DeviceFacts &D;
  PathFacts P;
  std::array<uint64_t, 3> Local;
  std::vector<RefusalAt> &Refusals;

  void refuse(Refusal Why, const Var *V, const char *Detail, SourceRange At) {
    Refusals.push_back({Why, "spread-banks", "'" + V->Name + "' " + Detail, At});
  }

  LocalBanks::Cycles cycles(llvm::ArrayRef<const AccessSite *> Sites, const Var *V,
                            LocalLayout Layout = {}) const {
    return LocalBanks(D).cycles(A, Sites, V, Local[0], Layout);
  }

  //--- Rows padded.

  uint64_t localBytes() const {
    uint64_t Sum = 0;
    for (const Var *V : K.Vars)
      if (V->K == Var::Memory && V->AS == AddressSpace::Local)
        Sum += LocalBanks(D).storedBytes(V->Ty);
    return Sum;
  }

  /// True if no index can leave its row. NeedsSize: the proof uses the local size. At: the access
  /// that was looked at last.
  bool staysInRow(llvm::ArrayRef<const AccessSite *> Sites, int64_t Length, bool &NeedsSize,
                  SourceRange &At) {
    for (const AccessSite *Site : Sites) {
      const Expr *I = Site->A->Index.back();
      Range R = A.range(I, Site->S);
      if (R.Lo >= 0 && R.Hi < Length)
        continue;
      std::vector<Poly> Known;
      for (const Guard &F : P.factsAt(Site->S))
        P.nonNegative(F, Known);
      Poly Index = A.poly(I, Site->S);
      NeedsSize = true;
      At = Site->A->Range;
      if (!P.prove(Index, Known) || !P.prove(Poly::constant(Length - 1) - Index, Known))
        return false;
    }
    return true;
  }

  bool pad(Var *V, llvm::ArrayRef<const AccessSite *> Sites, double Now, bool &NeedsLocal) {
    const Type *Rows = V->Ty;
    while (Rows->Elem->Elem && Rows->Elem->K == Type::Array && Rows->Elem->Elem->K == Type::Array)
      Rows = Rows->Elem;
    if (Rows != V->Ty) {
      refuse(Refusal::UnsupportedType, V, "has more than two dimensions", Sites[0]->A->Range);
      return false;
    }
    constexpr int64_t MostPadding = 4; // elements
    int64_t Length = int64_t(Rows->Elem->Count), Best = 0;
    double Least = Now;
    for (int64_t Pad = 1; Pad <= MostPadding; ++Pad)
      if (double C = cycles(Sites, V, {.Pad = Pad}).Taken; C < Least) {
        Least = C;
        Best = Pad;
      }
    if (!Best)
      return false;
    bool NeedsSize = false;
    SourceRange At;
    if (!staysInRow(Sites, Length, NeedsSize, At)) {
      refuse(Refusal::GroupGeometry, V, "may be accessed behind the end of a row", At);
      return false;
    }
    uint64_t More = V->Ty->Count * uint64_t(Best) * LocalBanks(D).storedBytes(Rows->Elem->Elem);
    if (D.LocalMemoryBytes && localBytes() + More > D.LocalMemoryBytes) {
      refuse(Refusal::NothingPays, V,
             "would take more local memory than the device has for full occupancy", V->Range);
      return false;
    }
    NeedsLocal |= NeedsSize;
    const Type *Wide = M.array(M.array(Rows->Elem->Elem, uint64_t(Length + Best)), V->Ty->Count);
    retype(V, Wide, [](const Expr *I, const Stmt *) { return I; });
    return true;
  }

  //--- Multiples closed up.

  bool close(Var *V, llvm::ArrayRef<const AccessSite *> Sites, double Now) {
    int64_t By = 0;
    for (const AccessSite *Site : Sites)
      for (const auto &[Mono, C] : A.poly(Site->A->Index[0], Site->S).Terms)
        By = std::gcd(By, C);
    if (By < 2 || cycles(Sites, V, {.Divisor = By}).Taken >= Now) {
      refuse(Refusal::NothingPays, V, "has no layout that is known to be faster",
             Sites[0]->A->Range);
      return false;
    }
    std::map<std::pair<const Stmt *, const Expr *>, const Expr *> New;
    for (const AccessSite *Site : Sites) {
      const Expr *I = Site->A->Index[0];
      Poly Part;
      for (const auto &[Mono, C] : A.poly(I, Site->S).Terms)
        Part.Terms[Mono] = C / By;
      const Expr *E = P.express(Part, I->Ty, Site->S);
      if (!E) {
        refuse(Refusal::IndexOverflow, V, "is accessed at an index that cannot be divided",
               Site->A->Range);
        return false;
      }
      New[{Site->S, I}] = E;
    }
    uint64_t Count = (V->Ty->Count + uint64_t(By) - 1) / uint64_t(By);
    retype(V, M.array(V->Ty->Elem, Count),
           [&](const Expr *I, const Stmt *S) { return New.at({S, I}); });
    return true;
  }

  //--- The edit.

  void retype(Var *V, const Type *Ty,
              llvm::function_ref<const Expr *(const Expr *, const Stmt *)> Index) {
    V->Ty = Ty;
    V->Spelling.clear();
    auto fit = [&](Access &Acc, const Stmt *S) { // strides of the new type, and the new index
      const Type *T = Ty;
      for (size_t I = 0; I < Acc.Index.size() && T->K == Type::Array; ++I, T = T->Elem)
        Acc.Stride[I] = uint32_t(T->Elem->Size);
      if (Acc.Index.size() == 1)
        Acc.Index[0] = Index(Acc.Index[0], S);
    };
    walk(K.Body, [&](Stmt *S) {
      if (S->K != StmtKind::Decl && S->Acc.Base == V)
        fit(S->Acc, S);
      mapExprs(M, *S, [&](const Expr *E) { return refit(E, V, S, fit); });
      return true;
    });
  }

  /// E with every load from V changed by Fit; inner ones first, but for a single index, which Fit
  /// replaces.
  const Expr *refit(const Expr *E, const Var *V, const Stmt *S,
                    llvm::function_ref<void(Access &, const Stmt *)> Fit) {
    bool IsOfV = E->K == ExprKind::Load && E->Acc.Base == V;
    const Expr *Replaced = IsOfV && E->Acc.Index.size() == 1 ? E->Acc.Index[0] : nullptr;
    const Expr *X = mapOperands(
        M, E, [&](const Expr *Op) { return Op == Replaced ? Op : refit(Op, V, S, Fit); });
    if (!IsOfV)
      return X;
    Expr *New = M.newExpr(ExprKind::Load, X->Ty, X->Range);
    *New = *X;
    Fit(New->Acc, S);
    return New;
  }
};

} // namespace

unsigned spreadBanks(const EditedKernel &E, const rules::DeviceFacts &D, WorkSize Local,
                     std::vector<RefusalAt> &Refusals, bool &NeedsLocal) {
  if (!LocalBanks(D).known() || pattern::hasOpaqueParts(E.kernel()))
    return 0;
  return Spreader(E, D, Local, Refusals).run(NeedsLocal);
}

double bankConflicts(const EditedKernel &E, const rules::DeviceFacts &D, WorkSize Local) {
  return LocalBanks(D).known() ? model::bankConflicts(*E.analysis(), D, Local[0]) : 0;
}

static unsigned edit(PassState &S) {
  std::vector<RefusalAt> Refusals;
  bool NeedsLocal = false;
  unsigned Done = spreadBanks(S.editedKernel(), S.device(), S.localSize(), Refusals, NeedsLocal);
  S.refuseIfNamed(Refusals);
  if (Done)
    S.Contract.GroupSemantics = true;
  if (NeedsLocal)
    S.demand("pin-work-group-size");
  return Done;
}

CLMALI_PASS(.Id = "spread-banks", .ShownAs = "spread-banks",
            .Does = "Arrays in local memory are laid out so that accesses meet in fewer banks.",
            .Edit = edit);

} // namespace clmali::rewrite
