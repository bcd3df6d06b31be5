//===-- rewriters/normalize/Normalize.cpp - One form for all kernels ----------------===//
//
// Brings a lifted kernel into the form that the other passes expect.
//
//   before                                   after
//   void f(.., int n) { n = n - 1; .. n ..}  int n_2 = n - 1; .. n_2 ..
//   if (i < n && a[i] > 0) s;                if (i < n) { if (a[i] > 0) s; }
//   if (i >= n || a[i] == 0) return; s;      if (i < n) { if (a[i] != 0) s; }
//   x = i < n ? a[i] : 0;                    float v; if (i < n) v = a[i]; else v = 0; x = v;
//   t = i * 4; .. t = j;                     t = i * 4; .. t_2 = j;
//   if (p[i].x > 0) s += p[i].w;             float p_v = p[i].w; if (p[i].x > 0) s += p_v;
//   for (..) { if (c) continue; s; }         for (..) { if (c) {} else s; }
//   a[mad24(y, w, x)]                        a[y * w + x]
//   if (i < 0) i = -i; .. a[i] ..            i_2 = i < 0 ? -i : i; .. a[i_2] ..
//   if (v > t) a[i] = 1; else a[i] = 0;      a[i] = v > t ? 1 : 0;
//   if (a[i] > t) a[i] = t;                  float a_v = a[i]; a[i] = a_v > t ? t : a_v;
//
// The second to fourth are done only where work-items may differ in the
// condition: what stands behind it can then be guarded, not speculated.
//
//===----------------------------------------------------------------------===//

#include "checks/model/lift/StructureExits.h"
#include "rewriters/pass/Passes.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"

namespace clmali::rewrite {

using namespace model;

namespace {

/// Loads and integer divisions must not happen where the source has none.
bool mayFault(const Expr *E) {
  bool Found = false;
  walk(E, [&](const Expr *X) {
    if (X->K == ExprKind::Load || X->K == ExprKind::Opaque)
      Found = true;
    if (X->K == ExprKind::Binary && (X->O == Op::Div || X->O == Op::Rem) && X->Ty->isInteger()) {
      auto C = constantValue(X->Ops[1]);
      Found |= !C || *C == 0 || *C == -1;
    }
    return !Found;
  });
  return Found;
}

class Hoister {
public:
  Hoister(Module &M, Kernel &K, const KernelAnalysis &A) : M(M), K(K), A(A) {}

  void run(StmtList &B) {
    StmtList Out;
    for (Stmt *S : B)
      statement(S, Out);
    B = std::move(Out);
  }

private:
  Module &M;
  Kernel &K;
  const KernelAnalysis &A;

  bool lazy(const Expr *E) const {
    if (E->K == ExprKind::Select && E->Ops[0]->Ty->isScalar())
      return (mayFault(E->Ops[1]) || mayFault(E->Ops[2])) && A.varies(E->Ops[0]).Item;
    if (E->K == ExprKind::Binary && (E->O == Op::LogicalAnd || E->O == Op::LogicalOr) &&
        E->Ty->isScalar())
      return mayFault(E->Ops[1]) && A.varies(E->Ops[0]).Item;
    return false;
  }

  /// The outermost lazy node of E, or null.
  const Expr *find(const Expr *E) const {
    const Expr *Found = nullptr;
    walk(E, [&](const Expr *X) {
      if (!Found && lazy(X))
        Found = X;
      return !Found;
    });
    return Found;
  }

  Stmt *make(StmtKind Kind, Var *V, const Expr *E, SourceRange R) {
    Stmt *S = M.newStmt(Kind, R);
    S->V = V;
    S->E = E;
    return S;
  }

  /// a[i] < t ? a[i] : t  reads a[i] anyway: once, before it.
  const Expr *shareLoads(const Expr *L, StmtList &Out) {
    std::vector<const Expr *> Anyway;
    std::function<void(const Expr *)> Always = [&](const Expr *E) {
      if (E->K == ExprKind::Load && !E->Acc.Volatile)
        Anyway.push_back(E);
      bool Short = (E->K == ExprKind::Select && E->Ops[0]->Ty->isScalar()) ||
                   (E->K == ExprKind::Binary && (E->O == Op::LogicalAnd || E->O == Op::LogicalOr));
      if (Short)
        Always(E->Ops[0]);
      else
        forEachOperand(*E, Always);
    };
    Always(L->Ops[0]);
    for (const Expr *X : Anyway) {
      bool Again = false;
      for (size_t I = 1; I < L->Ops.size(); ++I)
        walk(L->Ops[I],
             [&](const Expr *Y) { return !(Again |= Y->K == ExprKind::Load && equal(X, Y)); });
      if (!Again)
        continue;
      Var *V = M.newVar(Var::Temp, uniqueName(K, X->Acc.Base->Name + "_v"), X->Ty);
      V->Range = X->Range;
      K.Vars.push_back(V);
      statement(make(StmtKind::Decl, V, X, X->Range), Out);
      std::function<const Expr *(const Expr *)> Held = [&](const Expr *E) -> const Expr * {
        return E->K == ExprKind::Load && equal(X, E) ? M.ref(V) : mapOperands(M, E, Held);
      };
      return Held(L);
    }
    return L;
  }

  /// Replaces the lazy nodes of E by variables that statements in Out set.
  const Expr *expression(const Expr *E, StmtList &Out) {
    while (const Expr *L = find(E)) {
      if (const Expr *Shared = shareLoads(L, Out); Shared != L) {
        E = replace(E, L, Shared);
        continue;
      }
      Var *V =
          M.newVar(Var::Temp, uniqueName(K, L->K == ExprKind::Select ? "value" : "cond"), L->Ty);
      V->Range = L->Range;
      K.Vars.push_back(V);
      Stmt *I = M.newStmt(StmtKind::If, L->Range);
      auto Truth = [&](const Expr *X) -> const Expr * {
        const Expr *T =
            X->K == ExprKind::Binary &&
                    (isComparison(X->O) || X->O == Op::LogicalAnd || X->O == Op::LogicalOr)
                ? X
                : M.binary(Op::NE, X,
                           X->Ty->isFloat() ? M.floatConst(0, X->Ty) : M.intConst(0, X->Ty));
        return T->Ty == L->Ty ? T : M.cast(T, L->Ty, true);
      };
      if (L->K == ExprKind::Select) {
        statement(make(StmtKind::Decl, V, nullptr, L->Range), Out);
        I->E = L->Ops[0];
        I->Body = {make(StmtKind::Assign, V, L->Ops[1], L->Range)};
        I->Else = {make(StmtKind::Assign, V, L->Ops[2], L->Range)};
      } else {
        bool And = L->O == Op::LogicalAnd;
        statement(make(StmtKind::Decl, V, M.intConst(And ? 0 : 1, L->Ty), L->Range), Out);
        I->E = And ? L->Ops[0] : M.unary(Op::LogicalNot, L->Ops[0]);
        I->Body = {make(StmtKind::Assign, V, Truth(L->Ops[1]), L->Range)};
      }
      statement(I, Out);
      E = replace(E, L, M.ref(V));
    }
    return E;
  }

  const Expr *replace(const Expr *E, const Expr *Old, const Expr *New) {
    if (E == Old)
      return New;
    return mapOperands(M, E, [&](const Expr *X) { return replace(X, Old, New); });
  }

  /// !E, without a negation where there is another way to say it. Comparisons of
  /// floating point keep theirs: both they and their opposite are false for a NaN.
  const Expr *negate(const Expr *E) {
    if (E->K == ExprKind::Unary && E->O == Op::LogicalNot)
      return E->Ops[0];
    if (E->K == ExprKind::Binary && (E->O == Op::LogicalAnd || E->O == Op::LogicalOr))
      return M.binary(E->O == Op::LogicalAnd ? Op::LogicalOr : Op::LogicalAnd, negate(E->Ops[0]),
                      negate(E->Ops[1]));
    if (E->K == ExprKind::Binary && isComparison(E->O) && E->Ops[0]->Ty->isScalar() &&
        E->Ops[0]->Ty->isInteger())
      return M.binary(inverse(E->O), E->Ops[0], E->Ops[1]);
    return M.unary(Op::LogicalNot, E);
  }

  void statement(Stmt *S, StmtList &Out) {
    // if (!A || !B) return; S  ->  if (A && B) S
    if (S->K == StmtKind::If && S->Body.empty() && !S->Else.empty() && find(S->E)) {
      const Expr *E = negate(S->E);
      if (E->K == ExprKind::Binary && E->O == Op::LogicalAnd) {
        S->E = E;
        std::swap(S->Body, S->Else);
        S->EarlyReturn = false;
      }
    }
    // if (A && B) S  ->  if (A) if (B) S
    if (S->K == StmtKind::If && S->Else.empty() && S->E->K == ExprKind::Binary &&
        S->E->O == Op::LogicalAnd && lazy(S->E)) {
      Stmt *Inner = M.newStmt(StmtKind::If, S->Range);
      Inner->E = S->E->Ops[1];
      Inner->Body = std::move(S->Body);
      S->E = S->E->Ops[0];
      S->Body = {Inner};
      S->EarlyReturn = false;
      statement(S, Out);
      return;
    }
    bool HasHeader = S->K == StmtKind::Loop;
    if (!HasHeader)
      mapExprs(M, *S, [&](const Expr *E) { return expression(E, Out); });
    run(S->Body);
    run(S->Else);
    Out.push_back(S);
  }
};

/// Parameters that are assigned become variables.
void freezeParams(Module &M, Kernel &K) {
  llvm::DenseMap<Var *, Var *> Own;
  walk(K.Body, [&](Stmt *S) {
    if ((S->K == StmtKind::Assign || S->K == StmtKind::Atomic) && S->V && S->V->K == Var::Param)
      Own[S->V] = nullptr;
    return true;
  });
  if (Own.empty())
    return;
  StmtList Decls;
  for (auto &[P, V] : Own) {
    V = M.newVar(Var::Temp, uniqueName(K, P->Name + "_now"), P->Ty);
    V->Spelling = P->Spelling;
    V->Range = P->Range;
    K.Vars.push_back(V);
  }
  walk(K.Body, [&](Stmt *S) {
    if (S->V)
      if (auto It = Own.find(S->V); It != Own.end())
        S->V = It->second;
    mapExprs(M, *S, [&](const Expr *E) {
      return substitute(M, E, [&](const Expr *X) -> const Expr * {
        if (X->K != ExprKind::VarRef)
          return nullptr;
        auto It = Own.find(X->V);
        return It == Own.end() ? nullptr : M.ref(It->second);
      });
    });
    return true;
  });
  for (Var *P : K.Params)
    if (auto It = Own.find(P); It != Own.end()) {
      Stmt *D = M.newStmt(StmtKind::Decl);
      D->V = It->second;
      D->E = M.ref(P);
      Decls.push_back(D);
    }
  K.Body.insert(K.Body.begin(), Decls.begin(), Decls.end());
}

/// Vector variables that are only read by component and only set as a whole
/// from scalars become scalars: int2 pos = (int2)(get_global_id(0), ...).
void splitVectors(Module &M, Kernel &K) {
  llvm::DenseMap<const Var *, bool> Splits;
  auto Parts = [](const Expr *E) {
    if (E->K == ExprKind::VectorCtor)
      return E->Ops.size() == E->Ty->Lanes &&
             llvm::all_of(E->Ops, [](const Expr *X) { return X->Ty->isScalar(); });
    return E->K == ExprKind::Cast && E->C == CastOp::Splat;
  };
  walk(K.Body, [&](Stmt *S) {
    if (S->V && S->V->K == Var::Temp && S->V->Ty->isVector()) {
      bool Ok = (S->K == StmtKind::Decl || S->K == StmtKind::Assign) &&
                (S->LaneIdx.empty() ? !S->E || Parts(S->E) : S->LaneIdx.size() == 1);
      auto [It, New] = Splits.try_emplace(S->V, Ok);
      It->second &= Ok;
    }
    forEachExpr(*S, [&](const Expr *Root) {
      walk(Root, [&](const Expr *E) {
        if (E->K == ExprKind::Swizzle && E->Ops[0]->K == ExprKind::VarRef && E->LaneIdx.size() == 1)
          return false;
        if (E->K == ExprKind::VarRef && E->Ty->isVector())
          Splits[E->V] = false;
        return true;
      });
    });
    return true;
  });
  llvm::DenseMap<const Var *, llvm::SmallVector<Var *, 4>> Scalars;
  auto Of = [&](Var *V) -> llvm::SmallVector<Var *, 4> & {
    auto &New = Scalars[V];
    if (New.empty())
      for (unsigned L = 0; L < V->Ty->Lanes; ++L) {
        std::string Name =
            V->Name + "_" + (V->Ty->Lanes <= 4 ? std::string(1, "xyzw"[L]) : std::to_string(L));
        Var *X = M.newVar(Var::Temp, uniqueName(K, Name), M.value(V->Ty->Scalar));
        X->Range = V->Range;
        K.Vars.push_back(X);
        New.push_back(X);
      }
    return New;
  };
  if (llvm::none_of(Splits, [](const auto &P) { return P.second; }))
    return;
  std::function<const Expr *(const Expr *)> Replace = [&](const Expr *E) -> const Expr * {
    if (E->K == ExprKind::Swizzle && E->Ops[0]->K == ExprKind::VarRef && E->LaneIdx.size() == 1 &&
        Splits.lookup(E->Ops[0]->V))
      return M.ref(Of(E->Ops[0]->V)[E->LaneIdx[0]]);
    return mapOperands(M, E, Replace);
  };
  std::function<void(StmtList &)> Visit = [&](StmtList &B) {
    StmtList Out;
    for (Stmt *S : B) {
      forEachStmtList(*S, Visit);
      mapExprs(M, *S, Replace);
      if (!S->V || !Splits.lookup(S->V)) {
        Out.push_back(S);
        continue;
      }
      llvm::SmallVector<Var *, 4> New = Of(S->V);
      if (!S->LaneIdx.empty()) {
        S->V = New[S->LaneIdx[0]];
        S->LaneIdx.clear();
        Out.push_back(S);
        continue;
      }
      // All parts are read before any is set: (a, b) = (b, a).
      llvm::SmallVector<const Expr *, 4> Values;
      bool Swap = S->K == StmtKind::Assign;
      for (unsigned L = 0; L < New.size(); ++L) {
        const Expr *V = !S->E                             ? nullptr
                        : S->E->K == ExprKind::VectorCtor ? S->E->Ops[L]
                                                          : S->E->Ops[0];
        if (V && Swap) {
          Stmt *D = M.newStmt(StmtKind::Decl, S->Range);
          D->V = M.newVar(Var::Temp, uniqueName(K, New[L]->Name + "_next"), New[L]->Ty);
          K.Vars.push_back(D->V);
          D->E = V;
          Out.push_back(D);
          V = M.ref(D->V);
        }
        Values.push_back(V);
      }
      for (unsigned L = 0; L < New.size(); ++L) {
        Stmt *D = M.newStmt(S->K, S->Range);
        D->V = New[L];
        D->E = Values[L];
        if (!L)
          D->Comments = S->Comments;
        Out.push_back(D);
      }
    }
    B = std::move(Out);
  };
  Visit(K.Body);
}

//===----------------------------------------------------------------------===//
// Loads behind a condition that may as well stand before it
//===----------------------------------------------------------------------===//

/// Under a condition that differs between work-items, a load of an element of
/// which something is loaded anyway comes before the condition: the rest can then
/// be selected.
class LoadHoister {
public:
  LoadHoister(Module &M, Kernel &K, const KernelAnalysis &A) : M(M), K(K), A(A) {}
  void run(StmtList &B) { visit(B, {}); }

  using Accesses = std::vector<const Access *>;

  /// The same element: of a struct or a vector, any part of it.
  static bool sameElement(const Access &X, const Access &Y) {
    if (X.Base != Y.Base || X.Volatile || Y.Volatile || X.F != Access::Subscript ||
        Y.F != Access::Subscript || X.Index.empty() || X.Index.size() != Y.Index.size() ||
        X.Stride != Y.Stride)
      return false;
    for (size_t D = 0; D < X.Index.size(); ++D)
      if (!equal(X.Index[D], Y.Index[D]))
        return false;
    return X.Disp < X.Stride.back() && Y.Disp < Y.Stride.back();
  }

  static void loads(const Expr *E, Accesses &Into) {
    if (E->K == ExprKind::Select && E->Ops[0]->Ty->isScalar())
      return loads(E->Ops[0], Into);
    if (E->K == ExprKind::Binary && (E->O == Op::LogicalAnd || E->O == Op::LogicalOr))
      return loads(E->Ops[0], Into);
    if (E->K == ExprKind::Load)
      Into.push_back(&E->Acc);
    forEachOperand(*E, [&](const Expr *X) { loads(X, Into); });
  }

  /// Those whose place does not depend on what B assigns.
  static Accesses stable(const Accesses &Known, const StmtList &B) {
    llvm::DenseMap<const Var *, bool> Assigned;
    walk(B, [&](Stmt *S) {
      if (S->V)
        Assigned[S->V] = true;
      return true;
    });
    Accesses Out;
    for (const Access *Acc : Known) {
      bool Moves = false;
      for (const Expr *Ix : Acc->Index)
        walk(Ix, [&](const Expr *X) {
          Moves |= X->K == ExprKind::Load || (X->K == ExprKind::VarRef && Assigned.lookup(X->V));
          return !Moves;
        });
      if (!Moves)
        Out.push_back(Acc);
    }
    return Out;
  }

  static bool computesOnly(const StmtList &B) {
    bool Only = true;
    walk(B, [&](Stmt *S) {
      Only &= S->K == StmtKind::Decl || S->K == StmtKind::Assign || S->K == StmtKind::If;
      return Only;
    });
    return Only;
  }

private:
  Module &M;
  Kernel &K;
  const KernelAnalysis &A;

  void hoist(Stmt *S, const Accesses &Known, StmtList &Out) {
    Accesses Fixed = stable(Known, {S});
    std::vector<std::pair<const Expr *, Var *>> Done;
    std::function<const Expr *(const Expr *)> replace = [&](const Expr *E) -> const Expr * {
      if (E->K != ExprKind::Load)
        return mapOperands(M, E, replace);
      if (llvm::none_of(Fixed, [&](const Access *Acc) { return sameElement(*Acc, E->Acc); }))
        return mapOperands(M, E, replace);
      for (auto &[L, V] : Done)
        if (equal(L, E))
          return M.ref(V);
      Stmt *D = M.newStmt(StmtKind::Decl, E->Range);
      D->V = M.newVar(Var::Temp, uniqueName(K, E->Acc.Base->Name + "_v"), E->Ty);
      K.Vars.push_back(D->V);
      D->E = E;
      Out.push_back(D);
      Done.push_back({E, D->V});
      return M.ref(D->V);
    };
    for (StmtList *B : {&S->Body, &S->Else})
      walk(*B, [&](Stmt *N) {
        mapExprs(M, *N, replace);
        return true;
      });
    // The condition asks for the same.
    std::function<const Expr *(const Expr *)> Again = [&](const Expr *E) -> const Expr * {
      for (auto &[L, V] : Done)
        if (E->K == ExprKind::Load && equal(L, E))
          return M.ref(V);
      return mapOperands(M, E, Again);
    };
    if (!Done.empty())
      S->E = Again(S->E);
  }

  void visit(StmtList &B, Accesses Known) {
    StmtList Out;
    for (Stmt *S : B) {
      if (S->K == StmtKind::If) {
        loads(S->E, Known);
        if (computesOnly({S}) && A.varies(S->E, S).Item)
          hoist(S, Known, Out);
        visit(S->Body, Known);
        visit(S->Else, Known);
      } else if (S->K == StmtKind::Loop) {
        visit(S->Body, stable(Known, {S}));
      } else {
        forEachExpr(*S, [&](const Expr *E) { loads(E, Known); });
      }
      Known = stable(Known, {S});
      Out.push_back(S);
    }
    B = std::move(Out);
  }
};

/// `continue` becomes a condition on the rest of the loop's body.
void structureLoops(Module &M, Kernel &K) {
  walk(K.Body, [&](Stmt *S) {
    if (S->K == StmtKind::Loop)
      structureContinues(M, S->Body, [&] {
        Var *Flag = M.newVar(Var::Temp, uniqueName(K, "skipped"), M.value(ScalarKind::Int));
        K.Vars.push_back(Flag);
        return Flag;
      });
    return true;
  });
}

/// mul24 and mad24 become plain arithmetic: where the operands are known to fit,
/// and in what is made of ids and arguments, since OpenCL leaves to the device
/// what a coordinate beyond 24 bits gives.
void plainProducts(Module &M, Kernel &K) {
  bool Any = false;
  auto Product = [](const Expr *E) {
    return E->K == ExprKind::Call && (E->Name == "mul24" || E->Name == "mad24") &&
           E->Ty->isScalar();
  };
  walk(K.Body, [&](Stmt *S) {
    forEachExpr(*S, [&](const Expr *Root) {
      walk(Root, [&](const Expr *E) { return !(Any |= Product(E)); });
    });
    return !Any;
  });
  if (!Any)
    return;
  KernelAnalysis A(M, K);
  std::vector<std::pair<const Expr *, bool>> Known; // decided before anything changes
  auto Plain = [&](const Expr *E, const Stmt *At) {
    bool Signed = isSigned(E->Ty->Scalar);
    Range Fits = {Signed ? -(1 << 23) : 0, Signed ? (1 << 23) - 1 : (1 << 24) - 1};
    Variation V = A.varies(E, At);
    if (V.Item && !V.Data)
      return true;
    return Fits.contains(A.range(E->Ops[0], At)) && Fits.contains(A.range(E->Ops[1], At)) &&
           rangeOf(E->Ty->Scalar).contains(A.range(E, At));
  };
  walk(K.Body, [&](Stmt *S) {
    forEachExpr(*S, [&](const Expr *Root) {
      walk(Root, [&](const Expr *E) {
        if (Product(E))
          Known.push_back({E, Plain(E, S)});
        return true;
      });
    });
    return true;
  });
  llvm::DenseMap<const Expr *, bool> Replaces;
  for (auto [E, Yes] : Known)
    Replaces.try_emplace(E, true).first->second &= Yes;
  std::function<const Expr *(const Expr *)> Replace = [&](const Expr *E) -> const Expr * {
    const Expr *X = mapOperands(M, E, Replace);
    if (!Replaces.lookup(E))
      return X;
    const Expr *P = M.binary(Op::Mul, X->Ops[0], X->Ops[1]);
    return X->Ops.size() == 3 ? M.binary(Op::Add, P, X->Ops[2]) : P;
  };
  walk(K.Body, [&](Stmt *S) {
    mapExprs(M, *S, Replace);
    return true;
  });
}

//===----------------------------------------------------------------------===//
// Stores at the end of branches
//===----------------------------------------------------------------------===//

/// Branches that end by storing to one place, by a condition on data, choose the value
/// instead, and it is stored behind them. Where one of them stores only, the element must
/// have been read anyway: it is then this work-item's, and may be stored as it was.
class StoreSinker {
public:
  StoreSinker(Module &M, Kernel &K, const KernelAnalysis &A, std::vector<std::string> *Obligations)
      : M(M), K(K), A(A), Obligations(Obligations) {}
  void run(StmtList &B) { visit(B, {}, nullptr); }

private:
  using Accesses = LoadHoister::Accesses;
  Module &M;
  Kernel &K;
  const KernelAnalysis &A;
  std::vector<std::string> *Obligations;

  /// All values are computed before the first of the stores. What a later one loads must not
  /// be what an earlier one wrote; that two buffers are two is an obligation.
  bool readsWhatWasStored(llvm::ArrayRef<Stmt *> Stores) {
    std::vector<std::string> Assumed;
    for (size_t I = 1; I < Stores.size(); ++I) {
      Accesses Loads;
      forEachExpr(*Stores[I], [&](const Expr *E) {
        walk(E, [&](const Expr *X) {
          if (X->K == ExprKind::Load)
            Loads.push_back(&X->Acc);
          return true;
        });
      });
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
          std::string Turned = "buffers '" + Q->Name + "' and '" + P->Name + "' do not overlap";
          if (!llvm::is_contained(Assumed, Turned) && !llvm::is_contained(Assumed, Text))
            Assumed.push_back(Text);
        }
    }
    for (std::string &Text : Assumed)
      if (!llvm::is_contained(*Obligations, Text))
        Obligations->push_back(std::move(Text));
    return false;
  }

  /// Does a block of neighbours certainly not agree: data, or bits of an id?
  bool parts(const Stmt *S) const {
    Variation By = A.varies(S->E, S);
    bool Bits = false;
    walk(S->E, [&](const Expr *E) {
      Bits |= E->K == ExprKind::Binary && E->Ty->isInteger() &&
              (E->O == Op::And || E->O == Op::Xor || E->O == Op::Rem || E->O == Op::Shr);
      return !Bits;
    });
    return By.Item && (By.Data || Bits);
  }

  static size_t trailing(const StmtList &B) {
    size_t N = 0;
    while (N < B.size() && B[B.size() - 1 - N]->K == StmtKind::Store)
      ++N;
    return N;
  }

  static bool same(const Access &X, const Access &Y) {
    return equal(X, Y) && X.Elem == Y.Elem && X.Lanes == Y.Lanes && X.F == Y.F && !X.Volatile &&
           !Y.Volatile;
  }

  /// E with what is loaded anyway loaded before S.
  const Expr *early(const Expr *E, const Accesses &Known, Stmt *S, StmtList &Before) {
    Accesses Fixed = LoadHoister::stable(Known, {S});
    std::function<const Expr *(const Expr *)> Replace = [&](const Expr *X) -> const Expr * {
      if (X->K != ExprKind::Load || llvm::none_of(Fixed, [&](const Access *L) {
            return LoadHoister::sameElement(*L, X->Acc);
          }))
        return mapOperands(M, X, Replace);
      for (Stmt *D : Before)
        if (equal(D->E, X))
          return M.ref(D->V);
      Stmt *D = M.newStmt(StmtKind::Decl, X->Range);
      D->V = M.newVar(Var::Temp, uniqueName(K, X->Acc.Base->Name + "_v"), X->Ty);
      K.Vars.push_back(D->V);
      D->E = X;
      Before.push_back(D);
      return M.ref(D->V);
    };
    return Replace(E);
  }

  bool sink(Stmt *S, const Accesses &Known, const Accesses *Allowed, StmtList &Before,
            StmtList &Behind) {
    size_t Then = trailing(S->Body), Else = trailing(S->Else);
    if (!Then && !Else)
      return false;
    auto Rest = [](const StmtList &B, size_t N) {
      return LoadHoister::computesOnly(StmtList(B.begin(), B.end() - N));
    };
    if (!Rest(S->Body, Then) || !Rest(S->Else, Else) || (Then && Else && Then != Else))
      return false;
    size_t N = std::max(Then, Else);
    std::vector<std::pair<Stmt *, Stmt *>> Pairs; // from the last to the first
    for (size_t I = 0; I < N; ++I) {
      Stmt *X = Then ? S->Body[S->Body.size() - 1 - I] : nullptr,
           *Y = Else ? S->Else[S->Else.size() - 1 - I] : nullptr;
      const Stmt *Any = X ? X : Y;
      if (!Any->E->Ty->isScalar() || Any->Acc.Base->space() != AddressSpace::Global ||
          Any->Acc.Volatile || LoadHoister::stable({&Any->Acc}, {S}).empty())
        return false;
      if (X && Y ? !same(X->Acc, Y->Acc) || X->E->Ty != Y->E->Ty
                 : llvm::none_of(Known, [&](const Access *L) { return same(*L, Any->Acc); }) ||
                       (Allowed && llvm::none_of(*Allowed, [&](const Access *L) {
                          return same(*L, Any->Acc);
                        })))
        return false;
      Pairs.push_back({X, Y});
    }
    for (auto [B, Count] : {std::pair(&S->Body, Then), std::pair(&S->Else, Else)})
      if (readsWhatWasStored(llvm::ArrayRef(*B).take_back(Count)))
        return false;
    // What the branches only load, of what is known, is loaded before them.
    Accesses Fixed = LoadHoister::stable(Known, {S});
    for (StmtList *Branch : {&S->Body, &S->Else})
      llvm::erase_if(*Branch, [&](Stmt *D) {
        bool Early = D->K == StmtKind::Decl && D->E && D->E->K == ExprKind::Load &&
                     A.defs(D->V).empty() && llvm::any_of(Fixed, [&](const Access *L) {
                       return LoadHoister::sameElement(*L, D->E->Acc);
                     });
        if (Early)
          Before.push_back(D);
        return Early;
      });
    size_t Kept = Before.size();
    if (S->Body.size() == Then && S->Else.size() == Else) {
      // One store takes the choice itself; for several it is made before the first.
      const Expr *Cond = N == 1 ? S->E : early(S->E, Known, S, Before);
      bool Plain = N == 1 || !mayFault(Cond);
      std::vector<const Expr *> Chosen;
      for (auto [X, Y] : Pairs) {
        const Access &Acc = (X ? X : Y)->Acc;
        const Expr *Yes = early(X ? X->E : M.load(Acc), Known, S, Before),
                   *No = early(Y ? Y->E : M.load(Acc), Known, S, Before);
        Plain &= !mayFault(Yes) && !mayFault(No);
        Chosen.push_back(M.select(Cond, Yes, No));
      }
      if (Plain) {
        for (size_t I = N; I-- > 0;) {
          auto [X, Y] = Pairs[I];
          Stmt *Store = N == 1 ? S : M.newStmt(StmtKind::Store, (X ? X : Y)->Range);
          for (Stmt *St : {X, Y})
            if (St)
              Store->Comments.insert(Store->Comments.end(), St->Comments.begin(),
                                     St->Comments.end());
          Store->Acc = (X ? X : Y)->Acc;
          Store->E = Chosen[I];
          if (N == 1)
            continue;
          Stmt *D = M.newStmt(StmtKind::Decl, S->Range);
          D->V = M.newVar(Var::Temp, uniqueName(K, Store->Acc.Base->Name + "_new"), Store->E->Ty);
          K.Vars.push_back(D->V);
          D->E = Store->E;
          Store->E = M.ref(D->V);
          Before.push_back(D);
          Behind.push_back(Store);
        }
        S->Body.clear();
        S->Else.clear();
        S->EarlyReturn = false;
        if (N == 1)
          S->K = StmtKind::Store;
        return true;
      }
      Before.resize(Kept);
    }
    std::vector<Stmt *> Assigned[2];
    for (auto [X, Y] : Pairs) {
      const Stmt *Any = X ? X : Y;
      Var *V = M.newVar(Var::Temp, uniqueName(K, Any->Acc.Base->Name + "_new"), Any->E->Ty);
      K.Vars.push_back(V);
      Stmt *D = M.newStmt(StmtKind::Decl, S->Range);
      D->V = V;
      if (!X || !Y)
        D->E = M.load(Any->Acc);
      Before.push_back(D);
      for (auto [St, Which] : {std::pair(X, 0), std::pair(Y, 1)})
        if (St) {
          Stmt *Set = M.newStmt(StmtKind::Assign, St->Range);
          Set->V = V;
          Set->E = St->E;
          Set->Comments = St->Comments;
          Assigned[Which].insert(Assigned[Which].begin(), Set);
        }
      Stmt *Store = M.newStmt(StmtKind::Store, Any->Range);
      Store->Acc = Any->Acc;
      Store->E = M.ref(V);
      Behind.insert(Behind.begin(), Store);
    }
    S->Body.resize(S->Body.size() - Then);
    S->Else.resize(S->Else.size() - Else);
    S->Body.insert(S->Body.end(), Assigned[0].begin(), Assigned[0].end());
    S->Else.insert(S->Else.end(), Assigned[1].begin(), Assigned[1].end());
    S->EarlyReturn = false;
    return true;
  }

  /// Allowed: inside of a branch that parts neighbours, what may be stored for all without
  /// that branch becoming longer: the branch around will choose between it and its like.
  void visit(StmtList &B, Accesses Known, const Accesses *Allowed) {
    StmtList Out;
    for (Stmt *S : B) {
      StmtList Before, Behind;
      if (S->K == StmtKind::If) {
        LoadHoister::loads(S->E, Known);
        bool Parts = parts(S);
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
        visit(S->Body, Known, Parts ? &InThen : Allowed);
        visit(S->Else, Known, Parts ? &InElse : Allowed);
        if (Parts)
          sink(S, Known, Allowed, Before, Behind);
      } else if (S->K == StmtKind::Loop) {
        visit(S->Body, LoadHoister::stable(Known, {S}), Allowed);
      } else {
        forEachExpr(*S, [&](const Expr *E) { LoadHoister::loads(E, Known); });
      }
      Known = LoadHoister::stable(Known, {S});
      Out.insert(Out.end(), Before.begin(), Before.end());
      if (S->K != StmtKind::If || !S->Body.empty() || !S->Else.empty() || Behind.empty())
        Out.push_back(S);
      Out.insert(Out.end(), Behind.begin(), Behind.end());
    }
    B = std::move(Out);
  }
};

//===----------------------------------------------------------------------===//
// Coordinates that are corrected at the border
//===----------------------------------------------------------------------===//

/// Variables whose values become addresses.
llvm::DenseMap<const Var *, bool> addressVars(const Kernel &K) {
  llvm::DenseMap<const Var *, bool> Known;
  llvm::DenseMap<const Var *, llvm::SmallVector<const Expr *, 2>> Defs;
  llvm::SmallVector<const Var *, 8> Work;
  auto Need = [&](const Expr *E) {
    walk(E, [&](const Expr *X) {
      if (X->K == ExprKind::VarRef && X->V->K == Var::Temp && Known.try_emplace(X->V, true).second)
        Work.push_back(X->V);
      return X->K != ExprKind::Load;
    });
  };
  walk(K.Body, [&](Stmt *S) {
    if ((S->K == StmtKind::Decl || S->K == StmtKind::Assign) && S->V && S->E)
      Defs[S->V].push_back(S->E);
    for (const Expr *Ix : S->Acc.Index)
      Need(Ix);
    forEachExpr(*S, [&](const Expr *Root) {
      walk(Root, [&](const Expr *E) {
        if (E->K == ExprKind::Load)
          for (const Expr *Ix : E->Acc.Index)
            Need(Ix);
        return true;
      });
    });
    return true;
  });
  while (!Work.empty()) {
    const Var *V = Work.pop_back_val();
    for (const Expr *E : Defs.lookup(V))
      Need(E);
  }
  return Known;
}

/// A branch that does nothing but set one coordinate, by a condition on coordinates,
/// becomes a selection: the coordinate then has one definition, which a block that does
/// not touch the border can look through.
void selectCoordinates(Module &M, Kernel &K) {
  KernelAnalysis A(M, K);
  llvm::DenseMap<const Var *, bool> Address = addressVars(K);
  auto Sets = [&](const StmtList &B) -> Var * {
    if (B.size() != 1 || B[0]->K != StmtKind::Assign || !B[0]->LaneIdx.empty() || mayFault(B[0]->E))
      return nullptr;
    Var *V = B[0]->V;
    return V->K == Var::Temp && V->Ty->isScalar() && V->Ty->isInteger() &&
                   sizeInBits(V->Ty->Scalar) >= 32 && Address.lookup(V)
               ? V
               : nullptr;
  };
  walk(K.Body, [&](Stmt *S) {
    if (S->K != StmtKind::If || mayFault(S->E) || (S->Body.empty() && S->Else.empty()))
      return true;
    Var *Then = Sets(S->Body), *Else = Sets(S->Else);
    Var *V = Then ? Then : Else;
    if (!V || (!Then && !S->Body.empty()) || (!Else && !S->Else.empty()) ||
        (Then && Else && Then != Else))
      return true;
    Variation By = A.varies(S->E, S);
    if (!By.Item || By.Data)
      return true;
    const Expr *X = Then ? S->Body[0]->E : M.ref(V), *Y = Else ? S->Else[0]->E : M.ref(V);
    S->E = M.select(S->E, X, Y);
    S->K = StmtKind::Assign;
    S->V = V;
    S->EarlyReturn = false;
    S->Body.clear();
    S->Else.clear();
    return true;
  });
}

} // namespace

void normalize(Module &M, Kernel &K, std::vector<std::string> *Obligations) {
  freezeParams(M, K);
  testComponents(M, K);
  splitVectors(M, K);
  leaveLoops(M, K);
  structureLoops(M, K);
  plainProducts(M, K);
  {
    KernelAnalysis A(M, K);
    Hoister(M, K, A).run(K.Body);
  }
  {
    KernelAnalysis A(M, K);
    StoreSinker(M, K, A, Obligations).run(K.Body);
  }
  {
    KernelAnalysis A(M, K);
    LoadHoister(M, K, A).run(K.Body);
  }
  selectCoordinates(M, K);
  walk(K.Body, [&](Stmt *S) {
    mapExprs(M, *S, [&](const Expr *E) { return simplify(M, E); });
    return true;
  });
  splitLiveRanges(M, K);
}

} // namespace clmali::rewrite
