//===-- rewriters/normalize/LeaveLoops.cpp - Returns inside loops -------------------===//
//
// A return inside a loop becomes a break; the stores before it move after the loop, and a flag
// skips the rest of the kernel:
//
//   before                                   after
//   for (..) {                               int done = 0, out_last;
//     if (a[k] == x) { out[i] = k; return; } for (..) {
//   }                                          if (a[k] == x) { out_last = k; done = 1; break; }
//   out[i] = -1;                             }
//                                            if (done) out[i] = out_last; else out[i] = -1;
//
// Limits: no barrier after the loop, which work-items that have returned do not reach.
//
//===----------------------------------------------------------------------===//

#include "rewriters/pass/Passes.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"

namespace clmali::rewrite {

using namespace model;

namespace {

bool holds(const StmtList &B, llvm::function_ref<bool(const Stmt *)> What) {
  bool Found = false;
  walk(B, [&](Stmt *S) { return !(Found |= What(S)); });
  return Found;
}

class Leaver {
public:
  Leaver(Module &M, Kernel &K, Var *Done) : M(M), K(K), Done(Done) {}

  /// Removes the returns from B, in the body of Loop, or in no loop. True: B may set Done.
  bool run(StmtList &B, const Stmt *Loop) {
    StmtList Out;
    bool Sets = false;
    for (size_t I = 0; I < B.size(); ++I) {
      Stmt *S = B[I];
      if (S->K == StmtKind::Return && Loop) {
        leave(S, Loop, Out);
        B = std::move(Out); // what follows is not reached
        return true;
      }
      Out.push_back(S);
      bool Here = false;
      if (S->K == StmtKind::Loop) {
        Here = run(S->Body, Loop ? Loop : S);
      } else if (S->K == StmtKind::If) {
        Here = run(S->Body, Loop);
        Here |= run(S->Else, Loop);
      }
      if (!Here)
        continue;
      Sets = true;
      if (Loop) {
        // A break in a branch has left the loop already.
        if (S->K == StmtKind::Loop) {
          Stmt *Too = M.newStmt(StmtKind::If);
          Too->E = M.binary(Op::NE, M.ref(Done), M.intConst(0));
          Too->Body = {M.newStmt(StmtKind::Break)};
          Out.push_back(Too);
        }
        continue;
      }
      StmtList Rest(B.begin() + I + 1, B.end());
      run(Rest, nullptr);
      std::vector<Site> Left =
          S->K == StmtKind::Loop ? std::exchange(Sites, {}) : std::vector<Site>();
      for (size_t N = Left.size(); N-- > 0;) {
        Stmt *Last = M.newStmt(StmtKind::If);
        Last->E = M.binary(Op::EQ, M.ref(Done), M.intConst(Left[N].Number));
        Last->Body = std::move(Left[N].Stores);
        Last->Else = std::move(Rest);
        Rest = {Last};
      }
      if (Left.empty() && !Rest.empty()) {
        Stmt *Unless = M.newStmt(StmtKind::If);
        Unless->E = M.binary(Op::EQ, M.ref(Done), M.intConst(0));
        Unless->Body = std::move(Rest);
        Rest = {Unless};
      }
      Out.insert(Out.end(), Rest.begin(), Rest.end());
      break;
    }
    B = std::move(Out);
    return Sets;
  }

  StmtList Decls; ///< of what is stored after the loops

private:
  struct Site {
    int64_t Number;
    StmtList Stores;
  };
  Module &M;
  Kernel &K;
  Var *Done;
  std::vector<Site> Sites; ///< of the current loop
  int64_t Numbers = 0;

  /// True if E, in Loop, has the same value after it.
  static bool stays(const Expr *E, const Stmt *Loop) {
    bool Fixed = true;
    walk(E, [&](const Expr *X) {
      Fixed &= X->K != ExprKind::Load;
      if (X->K == ExprKind::VarRef && X->V->K == Var::Temp)
        Fixed &= !holds({const_cast<Stmt *>(Loop)}, [&](const Stmt *S) { return S->V == X->V; });
      return Fixed;
    });
    return Fixed;
  }

  /// Replaces the return: the stores before it are made after the loop.
  void leave(Stmt *Return, const Stmt *Loop, StmtList &Out) {
    size_t First = Out.size();
    while (First > 0 && Out[First - 1]->K == StmtKind::Store && Out[First - 1]->E->Ty->isScalar() &&
           Out[First - 1]->LaneIdx.empty() && !Out[First - 1]->Acc.Volatile &&
           llvm::all_of(Out[First - 1]->Acc.Index, [&](const Expr *Ix) { return stays(Ix, Loop); }))
      --First;
    // A later value must not depend on an earlier store.
    for (size_t I = First; I < Out.size(); ++I)
      if (holds({Out[I]}, [&](const Stmt *S) { return loads(S->E); }) && I > First)
        First = I;
    StmtList Stores(Out.begin() + First, Out.end());
    Out.resize(First);
    for (Stmt *S : Stores) {
      Var *V = newTemp(M, K, S->Acc.Base->Name + "_last", S->E->Ty);
      Stmt *D = M.newStmt(StmtKind::Decl), *Set = M.newStmt(StmtKind::Assign, S->Range);
      D->V = Set->V = V;
      D->E = V->Ty->isFloat() ? M.floatConst(0, V->Ty) : M.intConst(0, V->Ty);
      Set->E = S->E;
      S->E = M.ref(V);
      Decls.push_back(D);
      Out.push_back(Set);
    }
    Stmt *Set = M.newStmt(StmtKind::Assign, Return->Range),
         *Break = M.newStmt(StmtKind::Break, Return->Range);
    Set->V = Done;
    Set->E = M.intConst(++Numbers);
    Set->Comments = Return->Comments;
    Out.push_back(Set);
    Out.push_back(Break);
    Sites.push_back({Numbers, std::move(Stores)});
  }

  static bool loads(const Expr *E) {
    bool Any = false;
    if (E)
      walk(E, [&](const Expr *X) { return !(Any |= X->K == ExprKind::Load); });
    return Any;
  }
};

} // namespace

unsigned leaveLoops(Module &M, Kernel &K) {
  bool Returns = holds(K.Body, [](const Stmt *L) {
    return L->K == StmtKind::Loop &&
           holds(L->Body, [](const Stmt *S) { return S->K == StmtKind::Return; });
  });
  if (!Returns || holds(K.Body, [](const Stmt *S) {
        return S->K == StmtKind::Barrier || S->K == StmtKind::AsyncCopy;
      }))
    return 0;
  Var *Done = newTemp(M, K, "done", M.value(ScalarKind::Int));
  Leaver L(M, K, Done);
  L.run(K.Body, nullptr);
  Stmt *D = M.newStmt(StmtKind::Decl);
  D->V = Done;
  D->E = M.intConst(0);
  L.Decls.insert(L.Decls.begin(), D);
  // Before the first statement that may set it; before that are ids and guards.
  auto First = llvm::find_if(K.Body, [&](Stmt *S) {
    return holds({S}, [&](const Stmt *X) { return X->K == StmtKind::Assign && X->V == Done; });
  });
  K.Body.insert(First, L.Decls.begin(), L.Decls.end());
  return 1;
}

} // namespace clmali::rewrite
