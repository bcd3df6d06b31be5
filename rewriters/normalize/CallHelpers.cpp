//===-- rewriters/normalize/CallHelpers.cpp - Bodies that become calls again --------------===//
//
// What it does: lifting inlines the helpers of the source. Where a scalar is still computed as a
// helper computes it, the text calls the helper:
//
//   before                                      after
//   float t = fx - x0;                          float weight_result = weight(fx - x0);
//   float a = fabs(t);
//   float weight_result = a <= 1.0f
//       ? 1.0f - a : 0.0f;
//
// When it is legal: for helpers that are pure functions of scalars (Module::PureHelpers). A
// contraction that the call prevents is allowed, never required. An argument that may fault is one
// only where it was computed whenever the value was.
//
// When it pays: a helper of three operations or more, none of whose intermediate values is used
// elsewhere.
//
// Limits: helpers whose value is one expression, without loops and without tables.
//
//===----------------------------------------------------------------------===//

#include "checks/model/ir/Traversal.h"
#include "rewriters/lanes/Operations.h"
#include "rewriters/pass/Passes.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/ADT/SetVector.h"

namespace clmali::rewrite {

using namespace model;

namespace {

/// What a helper computes.
struct Pattern {
  const Kernel *Helper = nullptr;
  const Expr *Value = nullptr; ///< of the helper's parameters
  unsigned Operations = 0;
};

bool isLeaf(const Expr *E) {
  return E->K == ExprKind::VarRef || E->K == ExprKind::IntConst || E->K == ExprKind::FloatConst;
}

/// Variables with their values as expressions of a helper's parameters.
using Values = llvm::MapVector<const Var *, const Expr *>;

/// Runs B, which computes and branches. The value of a store is that of the variable null. False: B
/// does something else.
bool follow(Module &M, const StmtList &B, Values &Now) {
  auto Known = [&](const Expr *E) {
    return substitute(M, E, [&](const Expr *X) -> const Expr * {
      return X->K == ExprKind::VarRef ? Now.lookup(X->V) : nullptr;
    });
  };
  for (const Stmt *S : B) {
    if (S->K == StmtKind::If) {
      const Expr *Condition = Known(S->E);
      Values Else = Now;
      if (!follow(M, S->Body, Now) || !follow(M, S->Else, Else))
        return false;
      for (auto [V, Value] : Else) {
        const Expr *&Mine = Now[V];
        bool Chosen = Mine && Value && Mine != Value;
        Mine = Chosen ? M.select(Condition, Mine, Value) : Mine ? Mine : Value;
      }
    } else if (S->K == StmtKind::Store) {
      Now[nullptr] = Known(S->E);
    } else if ((S->K == StmtKind::Decl || S->K == StmtKind::Assign) && S->V->Ty->isScalar()) {
      Now[S->V] = S->E ? Known(S->E) : nullptr;
    } else {
      return false;
    }
  }
  return true;
}

/// The value that Helper stores as an expression of its parameters; null: it is none.
const Expr *valueOf(Module &M, const Kernel &Helper) {
  Values Now;
  return follow(M, Helper.Body, Now) ? Now.lookup(nullptr) : nullptr;
}

/// Helper as the passes leave what is inlined of it; null: without Reduced divisions it is the
/// same.
Kernel *formOf(Module &M, const Kernel &Helper, bool Reduced) {
  Kernel *Form = cloneKernel(M, Helper, Helper.Name);
  EditedKernel Edited(M, *Form);
  normalize(Edited);
  Edited.edited();
  useBuiltins(Edited);
  Edited.edited();
  if (Reduced && !strengthReduce(Edited))
    return nullptr;
  Edited.edited();
  cleanup(Edited);
  return Form;
}

/// The largest first.
std::vector<Pattern> patternsOf(Module &M, const Kernel &K, llvm::ArrayRef<std::string> Helpers) {
  constexpr unsigned Fewest = 3, Most = 300; ///< operations
  std::vector<Pattern> Found;
  for (const auto &Helper : M.PureHelpers) {
    if (!llvm::is_contained(Helpers, Helper->Name) ||
        llvm::any_of(K.Params, [&](const Var *V) { return V->Name == Helper->Name; }))
      continue;
    for (bool Reduced : {false, true}) {
      const Kernel *Form = formOf(M, *Helper, Reduced);
      const Expr *Value = Form ? valueOf(M, *Form) : nullptr;
      if (!Value || llvm::any_of(exprs(Value), [](ExprAt X) { return isRead(X->K); }))
        continue;
      unsigned Operations = llvm::count_if(exprs(Value), [](ExprAt X) { return !isLeaf(X.E); });
      if (Operations >= Fewest && Operations <= Most)
        Found.push_back({Form, Value, Operations});
    }
  }
  llvm::stable_sort(Found,
                    [](const Pattern &A, const Pattern &B) { return A.Operations > B.Operations; });
  return Found;
}

class HelperCaller {
public:
  HelperCaller(Module &M, Kernel &K) : M(M), K(K) {}
  unsigned run(llvm::ArrayRef<std::string> Helpers) {
    for (const Pattern &P : patternsOf(M, K, Helpers)) {
      count();
      walk(K.Body, [&](Stmt *S) {
        callInsteadOfBranch(*S, P);
        mapExprs(M, *S, [&](const Expr *E) { return withCalls(E, P); });
        return true;
      });
    }
    return Calls;
  }

private:
  Module &M;
  Kernel &K;
  unsigned Calls = 0;
  llvm::DenseMap<const Var *, const Stmt *> Defs; ///< null: several
  llvm::DenseMap<const Var *, unsigned> Uses;

  struct Match {
    llvm::DenseMap<const Var *, const Expr *> Arguments;
    llvm::DenseSet<const Var *> Computed;        ///< parameters, whenever the value is
    llvm::SetVector<const Stmt *> Through;       ///< definitions of intermediate values
    llvm::DenseMap<const Var *, unsigned> Reads; ///< how often, for this value
  };

  void count() {
    Defs.clear();
    Uses.clear();
    for (const Stmt *S : stmts(K.Body)) {
      if (!S->V)
        continue;
      bool IsOnly = S->K == StmtKind::Decl && S->E && S->V->K == Var::Temp;
      if (S->K != StmtKind::Decl || S->E)
        if (auto [It, New] = Defs.try_emplace(S->V, IsOnly ? S : nullptr); !New)
          It->second = nullptr;
    }
    for (ExprAt X : exprs(K.Body))
      if (X->K == ExprKind::VarRef)
        ++Uses[X->V];
  }

  /// E is the same wherever it is computed.
  bool isFixed(const Expr *E) const {
    return llvm::none_of(exprs(E), [&](ExprAt X) {
      if (X->K == ExprKind::VarRef)
        return X->V->K == Var::Param ? Defs.count(X->V) != 0 : !Defs.lookup(X->V);
      return isRead(X->K) || X->K == ExprKind::Opaque;
    });
  }

  /// The definition of the variable that E reads, if its value can be computed at E, too.
  const Stmt *definitionOf(const Expr *E) const {
    const Stmt *Def = E->K == ExprKind::VarRef ? Defs.lookup(E->V) : nullptr;
    return Def && E->V->Ty == Def->E->Ty && isFixed(Def->E) ? Def : nullptr;
  }

  /// True if E computes T for some arguments. Lazy: not whenever T is computed.
  bool matches(const Expr *T, const Expr *E, Match &Found, bool Lazy = false) const {
    if (T->K == ExprKind::VarRef) {
      if (!Lazy)
        Found.Computed.insert(T->V);
      const Expr *&Bound = Found.Arguments[T->V];
      if (!Bound)
        Bound = E;
      return E->Ty == T->Ty && equal(Bound, E);
    }
    if (const Stmt *Def = definitionOf(E)) {
      Found.Through.insert(Def);
      return matches(T, Def->E, Found, Lazy);
    }
    if (T->K != E->K || T->Ty != E->Ty || T->O != E->O || T->C != E->C || T->Name != E->Name ||
        T->LaneIdx != E->LaneIdx || T->Ops.size() != E->Ops.size())
      return false;
    if (T->Ops.empty())
      return equal(T, E);
    if (T->K == ExprKind::Cast && T->C == CastOp::Builtin && T->Text != E->Text)
      return false;
    return llvm::all_of(llvm::seq<unsigned>(0, T->Ops.size()), [&](unsigned I) {
      return matches(T->Ops[I], E->Ops[I], Found, Lazy || isLazyOperand(T, I));
    });
  }

  /// True if the call may compute the arguments that E computes on some condition only.
  static bool maySpeculate(const Match &Found) {
    return llvm::all_of(Found.Arguments, [&](const auto &Argument) {
      return Found.Computed.contains(Argument.first) || !mayFault(Argument.second);
    });
  }

  /// Counts what is read for E, the intermediate values included. True if those are used nowhere
  /// else.
  bool endsHere(const Expr *E, Match &Found) const {
    auto CountIn = [&](const Expr *In) {
      for (ExprAt X : exprs(In))
        if (X->K == ExprKind::VarRef)
          ++Found.Reads[X->V];
    };
    CountIn(E);
    for (const Stmt *Def : Found.Through)
      CountIn(Def->E);
    return llvm::all_of(Found.Through,
                        [&](const Stmt *Def) { return isReadOnlyHere(Def->V, Found); });
  }
  bool isReadOnlyHere(const Var *V, const Match &Found) const {
    return Found.Reads.lookup(V) == Uses.lookup(V);
  }

  /// `if (c) v = x; else v = y;` where c ? x : y is P becomes v = P's call.
  void callInsteadOfBranch(Stmt &If, const Pattern &P) {
    auto Sets = [](const StmtList &Arm) {
      return Arm.size() == 1 && Arm[0]->K == StmtKind::Assign && Arm[0]->E->Ty->isScalar();
    };
    if (If.K != StmtKind::If || !If.E->Ty->isScalar() || !Sets(If.Body) || !Sets(If.Else))
      return;
    const Stmt *Then = If.Body[0], *Else = If.Else[0];
    if (Then->V != Else->V || Then->LaneIdx != Else->LaneIdx || Then->E->Ty != Else->E->Ty)
      return;
    const Expr *Call = callOf(M.select(If.E, Then->E, Else->E), P);
    if (!Call)
      return;
    If.K = StmtKind::Assign;
    If.V = Then->V;
    If.LaneIdx = Then->LaneIdx;
    If.E = Call;
    If.Body.clear();
    If.Else.clear();
  }

  const Expr *withCalls(const Expr *E, const Pattern &P) {
    if (const Expr *Call = callOf(E, P))
      return Call;
    return mapOperands(M, E, [&](const Expr *X) { return withCalls(X, P); });
  }

  /// The call that computes E; null: P does something else.
  const Expr *callOf(const Expr *E, const Pattern &P) {
    Match Found;
    if (E->K == ExprKind::VarRef || E->Ty != P.Value->Ty || !matches(P.Value, E, Found) ||
        !maySpeculate(Found) || !endsHere(E, Found))
      return nullptr;

    Expr *Call = M.newExpr(ExprKind::HelperCall, E->Ty, E->Range);
    Call->Name = P.Helper->Name;
    for (const Var *V : llvm::ArrayRef(P.Helper->Params).drop_back())
      Call->Ops.push_back(argument(Found, V));
    ++Calls;
    return Call;
  }

  /// What the helper gets for Parameter: a variable of a helper that only this call reads is
  /// printed as its value.
  const Expr *argument(const Match &Found, const Var *Parameter) {
    const Expr *E = Found.Arguments.lookup(Parameter);
    if (!E) // not used by the helper
      return Parameter->Ty->isFloat() ? M.floatConst(0, Parameter->Ty)
                                      : M.intConst(0, Parameter->Ty);
    const Stmt *Def = definitionOf(E);
    return Def && E->V->FromHelper && isReadOnlyHere(E->V, Found) ? Def->E : E;
  }
};

} // namespace

unsigned callHelpers(Module &M, Kernel &K, llvm::ArrayRef<std::string> Helpers) {
  if (M.PureHelpers.empty())
    return 0;
  unsigned Calls = HelperCaller(M, K).run(Helpers);
  if (Calls)
    dropUnused({M, K});
  return Calls;
}

} // namespace clmali::rewrite
