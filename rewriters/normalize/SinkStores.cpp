//===-- rewriters/normalize/SinkStores.cpp - Stores at the end of branches ------------===//
//
//   if (v > t) a[i] = 1; else a[i] = 0;      a[i] = v > t ? 1 : 0;
//   if (a[i] > t) a[i] = t;                  float a_v = a[i]; a[i] = a_v > t ? t : a_v;
//
// Arms of a data-dependent branch that end by storing to one element select the value instead, and
// it is stored after them. So do arms that store nothing but constants and variables, whatever the
// condition: a selection costs less than a branch. If only one arm stores, the element must be
// loaded in any case: it then belongs to this work-item and may be stored unchanged.
//
//===----------------------------------------------------------------------===//

#include "checks/model/ir/Traversal.h"
#include "rewriters/normalize/Steps.h"
#include "llvm/ADT/STLExtras.h"

namespace clmali::rewrite::normalization {

namespace {

/// The stores of both arms to one element; one of them may be missing.
struct StorePair {
  Stmt *Then, *Else;
  const Stmt *any() const { return Then ? Then : Else; }
  const Access &access() const { return any()->Acc; }
};

class StoreSinker {
public:
  StoreSinker(Module &M, Kernel &K, const KernelAnalysis &A, std::vector<std::string> *Obligations)
      : M(M), K(K), A(A), Obligations(Obligations) {}
  void visit(StmtList &B, Accesses Known, const Accesses *Allowed);

private:
  Module &M;
  Kernel &K;
  const KernelAnalysis &A;
  std::vector<std::string> *Obligations;

  bool readsStored(llvm::ArrayRef<Stmt *> Stores);
  bool diverges(const Stmt *S) const;
  const Expr *early(const Expr *E, const Accesses &Known, Stmt *S, StmtList &Before);
  Stmt *declare(const Expr *E, const Type *Ty, llvm::StringRef Name, SourceRange At);
  std::optional<std::vector<StorePair>> pairsOf(Stmt *S, const Accesses &Known,
                                                const Accesses *Allowed);
  void moveLoads(Stmt *S, const Accesses &Known, StmtList &Before);
  bool selectValues(Stmt *S, llvm::ArrayRef<StorePair> Pairs, const Accesses &Known,
                    StmtList &Before, StmtList &After);
  void assignInArms(Stmt *S, llvm::ArrayRef<StorePair> Pairs, StmtList &Before, StmtList &After);
  void sink(Stmt *S, const Accesses &Known, const Accesses *Allowed, StmtList &Before,
            StmtList &After);
};

} // namespace

/// All values are computed before the first of the stores. True if a later one may load what an
/// earlier one wrote; that two buffers do not overlap is an obligation.
bool StoreSinker::readsStored(llvm::ArrayRef<Stmt *> Stores) {
  std::vector<std::string> Assumed;
  for (size_t I = 1; I < Stores.size(); ++I) {
    Accesses Loads;
    for (ExprAt X : exprs(*Stores[I]))
      if (X->K == ExprKind::Load)
        Loads.push_back(&X->Acc);
    for (const Access *L : Loads)
      for (const Stmt *Earlier : Stores.take_front(I)) {
        const Var *P = Earlier->Acc.Base, *Q = L->Base;
        if (P == Q)
          return true;
        if (Q->space() != AddressSpace::Global || P->Ty->Restrict || Q->Ty->Restrict)
          continue;
        if (!Obligations)
          return true;
        std::string Text = "buffers '" + P->Name + "' and '" + Q->Name + "' do not overlap";
        std::string Swapped = "buffers '" + Q->Name + "' and '" + P->Name + "' do not overlap";
        if (!llvm::is_contained(Assumed, Swapped) && !llvm::is_contained(Assumed, Text))
          Assumed.push_back(Text);
      }
  }
  for (std::string &Text : Assumed)
    if (!llvm::is_contained(*Obligations, Text))
      Obligations->push_back(std::move(Text));
  return false;
}

/// True if both arms only store constants and variables.
static bool storesLeaves(const Stmt *S) {
  auto IsLeaf = [](const Stmt *St) {
    const Expr *E = St->K == StmtKind::Store ? St->E : nullptr;
    while (E && E->K == ExprKind::Cast)
      E = E->Ops[0];
    return E &&
           (E->K == ExprKind::IntConst || E->K == ExprKind::FloatConst || E->K == ExprKind::VarRef);
  };
  return !S->Body.empty() && !S->Else.empty() && llvm::all_of(S->Body, IsLeaf) &&
         llvm::all_of(S->Else, IsLeaf);
}

/// True if the work-items of a block certainly disagree, about data or about bits of an id; or if
/// they may, and selecting costs nothing.
bool StoreSinker::diverges(const Stmt *S) const {
  Variation By = A.varies(S->E, S);
  bool Bits = llvm::any_of(exprs(S->E), [](ExprAt E) {
    return E->K == ExprKind::Binary && E->Ty->isInteger() &&
           (E->O == Op::And || E->O == Op::Xor || E->O == Op::Rem || E->O == Op::Shr);
  });
  return By.Item && (By.Data || Bits || storesLeaves(S));
}

/// The number of stores at the end of B.
static size_t trailingStores(const StmtList &B) {
  size_t N = 0;
  while (N < B.size() && B[B.size() - 1 - N]->K == StmtKind::Store)
    ++N;
  return N;
}

static bool same(const Access &X, const Access &Y) {
  return equal(X, Y) && X.Elem == Y.Elem && X.Lanes == Y.Lanes && X.F == Y.F && !X.Volatile &&
         !Y.Volatile;
}

/// E with the loads of known elements made before S.
const Expr *StoreSinker::early(const Expr *E, const Accesses &Known, Stmt *S, StmtList &Before) {
  Accesses Fixed = stable(Known, {S});
  std::function<const Expr *(const Expr *)> Replace = [&](const Expr *X) -> const Expr * {
    if (X->K != ExprKind::Load ||
        llvm::none_of(Fixed, [&](const Access *L) { return sameElement(*L, X->Acc); }))
      return mapOperands(M, X, Replace);
    for (Stmt *D : Before)
      if (equal(D->E, X))
        return M.ref(D->V);
    Stmt *D = declareTemp(M, K, X->Acc.Base->Name + "_v", X, X->Range);
    Before.push_back(D);
    return M.ref(D->V);
  };
  return Replace(E);
}

/// A new variable of type Ty with the value E, which may be null.
Stmt *StoreSinker::declare(const Expr *E, const Type *Ty, llvm::StringRef Name, SourceRange At) {
  Stmt *D = M.newStmt(StmtKind::Decl, At);
  D->V = newTemp(M, K, Name, Ty);
  D->E = E;
  return D;
}

/// The stores at the end of S's arms, from the last to the first. Nothing: they cannot be sunk.
std::optional<std::vector<StorePair>> StoreSinker::pairsOf(Stmt *S, const Accesses &Known,
                                                           const Accesses *Allowed) {
  size_t Then = trailingStores(S->Body), Else = trailingStores(S->Else);
  auto Rest = [](const StmtList &B, size_t N) {
    return computesOnly(StmtList(B.begin(), B.end() - N));
  };
  if ((!Then && !Else) || !Rest(S->Body, Then) || !Rest(S->Else, Else) ||
      (Then && Else && Then != Else))
    return std::nullopt;
  std::vector<StorePair> Pairs;
  for (size_t I = 0; I < std::max(Then, Else); ++I) {
    StorePair P = {Then ? S->Body[S->Body.size() - 1 - I] : nullptr,
                   Else ? S->Else[S->Else.size() - 1 - I] : nullptr};
    const Access &Acc = P.access();
    auto IsIn = [&](const Accesses &Set) {
      return llvm::any_of(Set, [&](const Access *L) { return same(*L, Acc); });
    };
    if (!P.any()->E->Ty->isScalar() || Acc.Base->space() != AddressSpace::Global || Acc.Volatile ||
        stable({&Acc}, {S}).empty())
      return std::nullopt;
    if (P.Then && P.Else ? !same(P.Then->Acc, P.Else->Acc) || P.Then->E->Ty != P.Else->E->Ty
                         : !IsIn(Known) || (Allowed && !IsIn(*Allowed)))
      return std::nullopt;
    Pairs.push_back(P);
  }
  for (auto [B, Count] : {std::pair(&S->Body, Then), std::pair(&S->Else, Else)})
    if (readsStored(llvm::ArrayRef(*B).take_back(Count)))
      return std::nullopt;
  return Pairs;
}

/// Moves declarations in S's arms that only load known elements before S.
void StoreSinker::moveLoads(Stmt *S, const Accesses &Known, StmtList &Before) {
  Accesses Fixed = stable(Known, {S});
  for (StmtList *Arm : {&S->Body, &S->Else})
    llvm::erase_if(*Arm, [&](Stmt *D) {
      bool Early = D->K == StmtKind::Decl && D->E && D->E->K == ExprKind::Load &&
                   A.defs(D->V).empty() &&
                   llvm::any_of(Fixed, [&](const Access *L) { return sameElement(*L, D->E->Acc); });
      if (Early)
        Before.push_back(D);
      return Early;
    });
}

/// Replaces S, whose arms only store, by stores of selected values. False: a value may fault, and
/// nothing was changed.
bool StoreSinker::selectValues(Stmt *S, llvm::ArrayRef<StorePair> Pairs, const Accesses &Known,
                               StmtList &Before, StmtList &After) {
  const size_t N = Pairs.size(), Kept = Before.size();
  // One store takes the selection itself; for several it is made before the first.
  const Expr *Cond = N == 1 ? S->E : early(S->E, Known, S, Before);
  bool Safe = N == 1 || !mayFault(Cond);
  std::vector<const Expr *> Selected;
  for (const StorePair &P : Pairs) {
    const Expr *Yes = early(P.Then ? P.Then->E : M.load(P.access()), Known, S, Before),
               *No = early(P.Else ? P.Else->E : M.load(P.access()), Known, S, Before);
    Safe &= !mayFault(Yes) && !mayFault(No);
    Selected.push_back(M.select(Cond, Yes, No));
  }
  if (!Safe) {
    Before.resize(Kept);
    return false;
  }
  for (size_t I = N; I-- > 0;) {
    const StorePair &P = Pairs[I];
    Stmt *Store = N == 1 ? S : M.newStmt(StmtKind::Store, P.any()->Range);
    for (Stmt *St : {P.Then, P.Else})
      if (St)
        Store->Comments.insert(Store->Comments.end(), St->Comments.begin(), St->Comments.end());
    Store->Acc = P.access();
    Store->E = Selected[I];
    if (N == 1)
      continue;
    Stmt *D = declare(Store->E, Store->E->Ty, Store->Acc.Base->Name + "_new", S->Range);
    Store->E = M.ref(D->V);
    Before.push_back(D);
    After.push_back(Store);
  }
  S->Body.clear();
  S->Else.clear();
  S->EarlyReturn = false;
  if (N == 1)
    S->K = StmtKind::Store;
  return true;
}

/// Replaces the stores in S's arms by assignments to variables, which are stored after S.
void StoreSinker::assignInArms(Stmt *S, llvm::ArrayRef<StorePair> Pairs, StmtList &Before,
                               StmtList &After) {
  StmtList InThen, InElse;
  for (const StorePair &P : Pairs) {
    const Access Acc = P.access();
    const bool Both = P.Then && P.Else;
    Stmt *D =
        declare(Both ? nullptr : M.load(Acc), P.any()->E->Ty, Acc.Base->Name + "_new", S->Range);
    Before.push_back(D);
    for (auto [St, Arm] : {std::pair(P.Then, &InThen), std::pair(P.Else, &InElse)})
      if (St) {
        Stmt *Set = M.newStmt(StmtKind::Assign, St->Range);
        Set->V = D->V;
        Set->E = St->E;
        Set->Comments = St->Comments;
        Arm->insert(Arm->begin(), Set);
      }
    Stmt *Store = M.newStmt(StmtKind::Store, P.any()->Range);
    Store->Acc = Acc;
    Store->E = M.ref(D->V);
    After.insert(After.begin(), Store);
  }
  for (auto [Arm, Sets] : {std::pair(&S->Body, &InThen), std::pair(&S->Else, &InElse)}) {
    Arm->resize(Arm->size() - Sets->size());
    Arm->insert(Arm->end(), Sets->begin(), Sets->end());
  }
  S->EarlyReturn = false;
}

/// Moves the stores at the end of S's arms after S. Before, After: what is added around it.
void StoreSinker::sink(Stmt *S, const Accesses &Known, const Accesses *Allowed, StmtList &Before,
                       StmtList &After) {
  auto Pairs = pairsOf(S, Known, Allowed);
  if (!Pairs)
    return;
  moveLoads(S, Known, Before);
  auto OnlyStores = [](const StmtList &B) { return trailingStores(B) == B.size(); };
  if (OnlyStores(S->Body) && OnlyStores(S->Else) && selectValues(S, *Pairs, Known, Before, After))
    return;
  assignInArms(S, *Pairs, Before, After);
}

/// Known: loaded on every path to B. Allowed: in a divergent branch, what may be stored for all
/// work-items without making that branch longer, since it will select the value.
void StoreSinker::visit(StmtList &B, Accesses Known, const Accesses *Allowed) {
  StmtList Out;
  for (Stmt *S : B) {
    StmtList Before, After;
    if (S->K == StmtKind::If) {
      unconditionalLoads(S->E, Known);
      bool Diverges = diverges(S);
      auto With = [&](const StmtList &Other) {
        Accesses Both;
        for (const Access *L : Known)
          if (!Allowed || llvm::any_of(*Allowed, [&](const Access *X) { return same(*X, *L); }))
            Both.push_back(L);
        walk(Other, [&](Stmt *X) {
          if (X->K == StmtKind::Store)
            Both.push_back(&X->Acc);
          return true;
        });
        return Both;
      };
      Accesses InThen = With(S->Else), InElse = With(S->Body);
      visit(S->Body, Known, Diverges ? &InThen : Allowed);
      visit(S->Else, Known, Diverges ? &InElse : Allowed);
      if (Diverges)
        sink(S, Known, Allowed, Before, After);
    } else if (S->K == StmtKind::Loop) {
      visit(S->Body, stable(Known, {S}), Allowed);
    } else {
      forEachExpr(*S, [&](const Expr *E) { unconditionalLoads(E, Known); });
    }
    Known = stable(Known, {S});
    Out.insert(Out.end(), Before.begin(), Before.end());
    if (S->K != StmtKind::If || !S->Body.empty() || !S->Else.empty() || After.empty())
      Out.push_back(S);
    Out.insert(Out.end(), After.begin(), After.end());
  }
  B = std::move(Out);
}

void sinkStores(const EditedKernel &E, std::vector<std::string> *Obligations) {
  StoreSinker(E.module(), E.kernel(), *E.analysis(), Obligations)
      .visit(E.kernel().Body, {}, nullptr);
  E.edited();
}

} // namespace clmali::rewrite::normalization
