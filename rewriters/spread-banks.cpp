//===-- rewriters/spread-banks.cpp - Local memory without bank conflicts -----===//
//
// What it does: lays out arrays in local memory so that work-items that access them in
// one cycle meet in as few banks as possible:
//
//   before                               after
//   local float part[1024];              local float part[64];
//   part[l * 16] = v;                    part[l] = v;            (closed up)
//
//   local float tile[32][32];            local float tile[32][33];
//   v = tile[l][k];                      v = tile[l][k];         (rows padded)
//
// Legal if: every access names whole elements by subscripts; closing up: all indices
// are multiples of one number; padding: no index leaves its row, as far as the ranges
// and the local size tell, and the larger array still fits the device.
//
// Pays if: the accesses take fewer cycles in the banks of the device than before. Only
// strides that are constants count.
//
//===----------------------------------------------------------------------===//

#include "rewriters/pass/Pass.h"
#include "rewriters/staging/Delocalizer.h"
#include "rewriters/staging/LocalMemory.h"
#include "llvm/ADT/STLExtras.h"
#include <numeric>
#include <set>

namespace clmali::rewrite {

namespace {

class Spreader {
public:
  Spreader(Module &M, Kernel &K, const rules::DeviceFacts &D, std::array<uint64_t, 3> Local,
           std::vector<RefusalAt> &Refusals)
      : M(M), K(K), D(D), A(M, K), P(M, K, A), Local(Local), Refusals(Refusals) {
    P.LocalSize = Local;
  }

  /// Of the arrays whose accesses are all known.
  double lost() const {
    double Sum = 0;
    for (Var *V : K.Vars) {
      if (V->K != Var::Memory || V->AS != AddressSpace::Local || V->Ty->K != Type::Array)
        continue;
      std::vector<const AccessSite *> Sites;
      for (const AccessSite &S : A.accesses())
        if (S.A->Base == V && isWhole(*S.A))
          Sites.push_back(&S);
      Sum += cycles(Sites, V, 0, 1) - floorOf(Sites, V);
    }
    return Sum;
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
          Known &= isWhole(*S.A);
        }
      if (Sites.empty())
        continue;
      double Now = cycles(Sites, V, 0, 1);
      if (Now <= floorOf(Sites, V))
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
  Module &M;
  Kernel &K;
  const rules::DeviceFacts &D;
  KernelAnalysis A;
  PathFacts P;
  std::array<uint64_t, 3> Local;
  std::vector<RefusalAt> &Refusals;

  void refuse(Refusal Why, const Var *V, const char *Detail, SourceRange At) {
    Refusals.push_back({Why, "spread-banks", "'" + V->Name + "' " + Detail, At});
  }

  static const Type *elementOf(const Var *V) {
    const Type *T = V->Ty;
    while (T->K == Type::Array)
      T = T->Elem;
    return T;
  }
  static bool isWhole(const Access &Acc) {
    const Type *T = elementOf(Acc.Base);
    unsigned Dims = 0;
    for (const Type *X = Acc.Base->Ty; X->K == Type::Array; X = X->Elem)
      ++Dims;
    return T->isValue() && T->Scalar == Acc.Elem && T->Lanes == Acc.Lanes && !Acc.Disp &&
           Acc.Path.empty() && Acc.Index.size() == Dims &&
           (Acc.F == Access::Subscript || Acc.Lanes == 1);
  }

  //--- What the banks say.

  /// How far (in elements of its dimension) index I moves along work-item dimension Dim.
  std::optional<int64_t> step(const Poly &I, unsigned Dim) const {
    int64_t C = 0;
    for (const auto &[Mono, X] : I.Terms)
      for (unsigned S : Mono)
        if (S == P.localId(Dim) || S == P.globalId(Dim)) {
          if (Mono.size() > 1)
            return std::nullopt;
          C += X;
        } else if (A.symbol(S).K == SymbolInfo::Atom && (A.symbol(S).Varies.Item >> Dim & 1)) {
          return std::nullopt;
        }
    return C;
  }

  /// Byte addresses of the lanes of one cycle, with Pad more elements in a row and
  /// all indices divided by By; empty: not known.
  std::vector<int64_t> lanes(const AccessSite &Site, int64_t Pad, int64_t By) const {
    std::vector<int64_t> Out;
    const Var *V = Site.A->Base;
    int64_t Width = elementOf(V)->Size;
    if (D.PadsSubword && Width < 4)
      Width = 4;
    unsigned Columns =
        Local[0] ? unsigned(std::min<uint64_t>(Local[0], D.LanesPerCycle)) : D.LanesPerCycle;
    // Bytes that one step of each index makes.
    std::vector<int64_t> Scale(Site.A->Index.size(), Width);
    const Type *T = V->Ty;
    std::vector<int64_t> Counts;
    for (; T->K == Type::Array; T = T->Elem)
      Counts.push_back(int64_t(T->Count));
    if (Scale.size() != Counts.size())
      return Out;
    for (size_t I = Scale.size(); I-- > 1;)
      Scale[I - 1] = Scale[I] * (Counts[I] + (I + 1 == Counts.size() ? Pad : 0));
    std::array<int64_t, 2> Way = {0, 0};
    for (size_t I = 0; I < Scale.size(); ++I) {
      Poly Index = A.poly(Site.A->Index[I], Site.S);
      for (unsigned Dim = 0; Dim < 2; ++Dim) {
        if (Dim == 1 && Columns >= D.LanesPerCycle)
          continue;
        auto S = step(Index, Dim);
        if (!S)
          return Out;
        Way[Dim] += *S * Scale[I] / By;
      }
    }
    for (unsigned L = 0; L < D.LanesPerCycle; ++L)
      Out.push_back(int64_t(L % Columns) * Way[0] + int64_t(L / Columns) * Way[1]);
    int64_t Low = *std::min_element(Out.begin(), Out.end());
    for (int64_t &Address : Out)
      Address -= Low;
    return Out;
  }

  /// Only one work-item of dimension 0 or few of them.
  bool isPinned(const AccessSite &Site) const {
    for (const Guard &F : P.factsAt(Site.S))
      if (F.Cond->K == ExprKind::Binary && F.Cond->O == (F.Holds ? Op::EQ : Op::NE) &&
          F.Cond->Ops[0]->Ty->isScalar() && F.Cond->Ops[0]->Ty->isInteger()) {
        Poly X = A.poly(F.Cond->Ops[0], F.At) - A.poly(F.Cond->Ops[1], F.At);
        if (X.has(P.localId(0)) || X.has(P.globalId(0)))
          return true;
      }
    return false;
  }

  /// Cycles of the sites together; Best: as few as their bytes need.
  double sum(llvm::ArrayRef<const AccessSite *> Sites, const Var *V, int64_t Pad, int64_t By,
             bool Best) const {
    double Sum = 0;
    unsigned Row = D.LocalBankBits / 8;
    unsigned Width = std::max<unsigned>(4, unsigned(elementOf(V)->Size));
    for (const AccessSite *Site : Sites) {
      if (isPinned(*Site))
        continue;
      std::map<int64_t, std::set<int64_t>> Registers; // by bank
      std::set<int64_t> Words;
      for (int64_t Address : lanes(*Site, Pad, By))
        for (int64_t B = Address; B < Address + Width; B += 4) {
          Registers[(B / Row) % D.LocalBanks].insert(B / Row);
          Words.insert(B / 4);
        }
      size_t Most = 0;
      for (const auto &[Bank, Set] : Registers)
        Most = std::max(Most, Set.size());
      size_t Least = (Words.size() * 4 + Row * D.LocalBanks - 1) / (Row * D.LocalBanks);
      double Times = 1;
      for (const Stmt *L : Site->Loops)
        if (auto Counted = A.countedLoop(L))
          Times *= double(Counted->TripCount.value_or(16));
      Sum += Times * double(Best ? std::min(Least, Most) : Most);
    }
    return Sum;
  }
  double cycles(llvm::ArrayRef<const AccessSite *> Sites, const Var *V, int64_t Pad,
                int64_t By) const {
    return sum(Sites, V, Pad, By, false);
  }
  double floorOf(llvm::ArrayRef<const AccessSite *> Sites, const Var *V) const {
    return sum(Sites, V, 0, 1, true);
  }

  //--- Rows padded.

  uint64_t localBytes() const {
    uint64_t Sum = 0;
    for (const Var *V : K.Vars)
      if (V->K == Var::Memory && V->AS == AddressSpace::Local)
        Sum += V->Ty->Size;
    return Sum;
  }

  /// Does no index leave its row? With: the local size was needed to say so.
  bool staysInRow(llvm::ArrayRef<const AccessSite *> Sites, int64_t Length, bool &With,
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
      With = true;
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
    int64_t Length = int64_t(Rows->Elem->Count), Best = 0;
    double Least = Now;
    for (int64_t Pad = 1; Pad <= 4; ++Pad)
      if (double C = cycles(Sites, V, Pad, 1); C < Least) {
        Least = C;
        Best = Pad;
      }
    if (!Best)
      return false;
    bool With = false;
    SourceRange At;
    if (!staysInRow(Sites, Length, With, At)) {
      refuse(Refusal::GroupGeometry, V, "may be accessed behind the end of a row", At);
      return false;
    }
    uint64_t More = V->Ty->Count * uint64_t(Best) * elementOf(V)->Size;
    if (D.LocalMemoryBytes && localBytes() + More > D.LocalMemoryBytes) {
      refuse(Refusal::NothingPays, V,
             "would take more local memory than the device has for full occupancy", V->Range);
      return false;
    }
    NeedsLocal |= With;
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
    if (By < 2 || cycles(Sites, V, 0, By) >= Now) {
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
    auto fit = [&](Access &Acc, const Stmt *S) {
      const Type *T = Ty;
      for (size_t I = 0; I < Acc.Index.size() && T->K == Type::Array; ++I, T = T->Elem)
        Acc.Stride[I] = uint32_t(T->Elem->Size);
      if (Acc.Index.size() == 1)
        Acc.Index[0] = Index(Acc.Index[0], S);
    };
    walk(K.Body, [&](Stmt *S) {
      std::function<const Expr *(const Expr *)> change = [&](const Expr *E) -> const Expr * {
        const Expr *X = E;
        bool Ours = E->K == ExprKind::Load && E->Acc.Base == V;
        const Expr *Old = Ours ? E->Acc.Index[0] : nullptr;
        X = mapOperands(M, E, [&](const Expr *Op) {
          return Ours && Op == Old && E->Acc.Index.size() == 1 ? Op : change(Op);
        });
        if (!Ours)
          return X;
        Access Acc = X->Acc;
        fit(Acc, S);
        Expr *New = M.newExpr(ExprKind::Load, X->Ty, X->Range);
        *New = *X;
        New->Acc = Acc;
        return New;
      };
      if (S->K != StmtKind::Decl && S->Acc.Base == V)
        fit(S->Acc, S);
      mapExprs(M, *S, change);
      return true;
    });
  }
};

} // namespace

unsigned spreadBanks(Module &M, Kernel &K, const rules::DeviceFacts &D,
                     std::array<uint64_t, 3> Local, std::vector<RefusalAt> &Refusals,
                     bool &NeedsLocal) {
  if (!D.LocalBanks || !D.LocalBankBits || !D.LanesPerCycle || !K.Opaques.empty())
    return 0;
  return Spreader(M, K, D, Local, Refusals).run(NeedsLocal);
}

double bankConflicts(Module &M, Kernel &K, const rules::DeviceFacts &D,
                     std::array<uint64_t, 3> Local) {
  std::vector<RefusalAt> Ignored;
  return D.LocalBanks && D.LocalBankBits && D.LanesPerCycle
             ? Spreader(M, K, D, Local, Ignored).lost()
             : 0;
}

static unsigned edit(PassState &S) {
  std::vector<RefusalAt> Refusals;
  bool NeedsLocal = false;
  unsigned Done =
      spreadBanks(S.module(), S.kernel(), S.device(), S.localSize(), Refusals, NeedsLocal);
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
