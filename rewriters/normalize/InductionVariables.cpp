//===-- rewriters/normalize/InductionVariables.cpp - Offsets as functions of the counter ---===//
//
// A variable that each iteration of a counted loop moves by the same amount becomes a function of
// the loop's counter, as if the source had subscripts instead of a pointer that walks:
//
//   before                                  after
//   q = x;                                  q = x;
//   for (k = 0; k < n; k++, q += n)         for (k = 0; k < n; k++)
//     sum += b[q];                            sum += b[q + k * n];
//
// A counter that counts down becomes one that counts up, so that later passes see one direction:
//
//   for (k = n; k > 0; k--) .. k ..         for (k_up = 0; k_up < n; k_up++) .. n - k_up ..
//
// Legal where the variable is set before the loop on every path into it, once in the loop and
// unconditionally, and is read only in the loop; and where the amount and the counter's first value
// do not change in the loop. Unsigned and 64-bit variables, and 32-bit signed ones that only grow
// from a value that is not negative: then no product overflows that the source does not reach.
//
//===----------------------------------------------------------------------===//

#include "checks/model/ir/Traversal.h"
#include "rewriters/normalize/Steps.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"

namespace clmali::rewrite {

using namespace model;

namespace {

struct Induction {
  Stmt *Loop, *Update;
  CountedLoop Counter;
  Var *V;
  const Expr *By;      ///< added by each iteration
  bool Negative;       ///< subtracted instead
  bool InBody = false; ///< else in the loop's Step
};

class Inductions : KernelEditor {
public:
  explicit Inductions(const EditedKernel &E) : KernelEditor(E), Tree(K) {
    for (const Stmt *S : stmts(K.Body)) {
      if ((S->K == StmtKind::Decl && S->E) || S->K != StmtKind::Decl)
        if (S->V)
          Defs[S->V].push_back(S);
      for (ExprAt X : exprs(*S))
        if (X->K == ExprKind::VarRef)
          Uses[X->V].push_back(S);
    }
  }

  std::vector<Induction> find() {
    std::vector<Induction> Found;
    for (Stmt *L : stmts(K.Body)) {
      if (L->K != StmtKind::Loop || L->Form == Stmt::DoWhile || !L->E)
        continue;
      auto C = A.countedLoop(L);
      // One step of the counter, in the loop's header, is one iteration.
      if (!C || !C->Lower || C->StepExpr || (C->Step != 1 && C->Step != -1) ||
          llvm::count_if(L->Step, [&](const Stmt *S) { return S->V == C->V; }) != 1)
        continue;
      Changed.clear();
      for (const Stmt *S : stmts(L->Body))
        Changed.insert(S->V);
      for (const StmtList *List : {&L->Step, &L->Init})
        for (const Stmt *S : *List)
          Changed.insert(S->V);
      if (!invariant(C->Lower))
        continue;
      for (bool InBody : {true, false})
        for (Stmt *S : InBody ? L->Body : L->Step)
          if (auto I = induction(L, *C, S)) {
            I->InBody = InBody;
            Found.push_back(*I);
          }
    }
    return Found;
  }

private:
  StmtTree Tree;
  llvm::DenseMap<const Var *, llvm::SmallVector<const Stmt *, 2>> Defs, Uses;
  llvm::DenseSet<const Var *> Changed; ///< by the loop at hand

  bool invariant(const Expr *E) const {
    return !mayFault(E) && llvm::all_of(exprs(E), [&](ExprAt X) {
      return X->K != ExprKind::Opaque && X->K != ExprKind::Call &&
             (X->K != ExprKind::VarRef || !Changed.contains(X->V));
    });
  }

  bool isIn(const Stmt *S, const Stmt *L) const { return S == L || Tree.isInside(S, L); }

  /// Does Def run before each entry of L? It stands before L in a list around it, inside the same
  /// loops.
  bool precedes(const Stmt *Def, const Stmt *L) const {
    StmtTree::Position D = Tree.positionOf(Def);
    for (const Stmt *P = L; P;) {
      StmtTree::Position At = Tree.positionOf(P);
      if (At.List == D.List)
        return D.Index < At.Index;
      P = At.Parent && At.Parent->K != StmtKind::Loop ? At.Parent : nullptr;
    }
    return false;
  }

  std::optional<Induction> induction(Stmt *L, const CountedLoop &C, Stmt *S) {
    Var *V = S->V;
    if (S->K != StmtKind::Assign || !V || V == C.V || V->K != Var::Temp || !S->LaneIdx.empty() ||
        !V->Ty->isScalar() || !V->Ty->isInteger() || sizeInBits(V->Ty->Scalar) < 32 ||
        sizeInBits(V->Ty->Scalar) < sizeInBits(C.V->Ty->Scalar))
      return std::nullopt;
    const Expr *E = S->E;
    if (E->K != ExprKind::Binary || (E->O != Op::Add && E->O != Op::Sub) || E->Ty != V->Ty)
      return std::nullopt;
    auto IsV = [&](const Expr *X) { return X->K == ExprKind::VarRef && X->V == V; };
    const Expr *By = IsV(E->Ops[0])                      ? E->Ops[1]
                     : IsV(E->Ops[1]) && E->O == Op::Add ? E->Ops[0]
                                                         : nullptr;
    if (!By || !invariant(By) || Defs[V].size() != 2)
      return std::nullopt;
    const Stmt *First = Defs[V][0] == S ? Defs[V][1] : Defs[V][0];
    if ((First->K != StmtKind::Decl && First->K != StmtKind::Assign) || !First->E ||
        !First->LaneIdx.empty() || isIn(First, L) || !precedes(First, L))
      return std::nullopt;
    bool Elsewhere = llvm::any_of(Uses[V], [&](const Stmt *U) {
      return !isIn(U, L) || (U != S && llvm::is_contained(L->Step, U));
    });
    bool Grows = E->O == Op::Add && A.range(By, S).Lo >= 0 && A.range(First->E, First).Lo >= 0;
    if (Elsewhere || (isSigned(V->Ty->Scalar) && sizeInBits(V->Ty->Scalar) < 64 && !Grows))
      return std::nullopt;
    return Induction{L, S, C, V, By, E->O == Op::Sub};
  }
};

/// The value of I.V, Steps iterations after the one that the counter says.
const Expr *closedForm(Module &M, const Induction &I, bool Next) {
  const Type *Ty = I.V->Ty;
  const Expr *At = M.cast(M.ref(I.Counter.V), Ty, true);
  const Expr *From = M.cast(I.Counter.Lower, Ty, true);
  const Expr *Count =
      I.Counter.Step > 0 ? M.binary(Op::Sub, At, From) : M.binary(Op::Sub, From, At);
  if (Next)
    Count = M.binary(Op::Add, Count, M.intConst(1, Ty));
  return M.binary(I.Negative ? Op::Sub : Op::Add, M.ref(I.V), M.binary(Op::Mul, Count, I.By));
}

/// E with Value for V.
const Expr *replaced(Module &M, const Expr *E, const Var *V, const Expr *Value) {
  return substitute(M, E, [&](const Expr *X) -> const Expr * {
    return X->K == ExprKind::VarRef && X->V == V ? Value : nullptr;
  });
}

void replaceIn(Module &M, const StmtList &List, const Var *V, const Expr *Value) {
  walk(List, [&](Stmt *S) {
    mapExprs(M, *S, [&](const Expr *E) { return replaced(M, E, V, Value); });
    return true;
  });
}

void close(Module &M, const Induction &I) {
  StmtList &Body = I.Loop->Body;
  auto At = I.InBody ? llvm::find(Body, I.Update) : Body.end();
  StmtList Before(Body.begin(), At), After(I.InBody ? At + 1 : At, Body.end());
  const Expr *Value = simplify(M, closedForm(M, I, false));
  replaceIn(M, Before, I.V, Value);
  replaceIn(M, After, I.V, simplify(M, closedForm(M, I, true)));
  I.Loop->E = replaced(M, I.Loop->E, I.V, Value);
  llvm::erase(I.InBody ? Body : I.Loop->Step, I.Update);
}

/// A counter that counts down by one, is used in its loop only, and whose first value less its
/// bound does not overflow.
bool countsDown(const KernelAnalysis &A, const Kernel &K, const StmtTree &Tree, const Stmt *L,
                const CountedLoop &C) {
  if (C.Step != -1 || (C.Compare != Op::GT && C.Compare != Op::GE) || L->Step.size() != 1 ||
      L->Init.size() != 1 || L->Init[0]->K != StmtKind::Decl || L->Init[0]->V != C.V ||
      L->Init[0]->E != C.Lower || C.Lower->Ty != C.V->Ty || C.Bound->Ty != C.V->Ty)
    return false;
  bool Elsewhere = llvm::any_of(exprs(K.Body), [&](ExprAt X) {
    return X->K == ExprKind::VarRef && X->V == C.V && X.S != L && !Tree.isInside(X.S, L);
  });
  bool Changes = llvm::any_of(exprs(C.Lower), [&](ExprAt X) {
    return X->K == ExprKind::Call || X->K == ExprKind::Opaque ||
           (X->K == ExprKind::VarRef &&
            llvm::any_of(stmts(L->Body), [&](const Stmt *S) { return S->V == X->V; }));
  });
  // An unsigned bound above the first value would make the difference large.
  bool Fits =
      constantValue(C.Bound) == 0 ||
      (isSigned(C.V->Ty->Scalar) && A.range(C.Lower, L).Lo >= 0 && A.range(C.Bound, L).Lo >= 0);
  return !Elsewhere && !Changes && Fits && !mayFault(C.Lower) && !mayFault(C.Bound);
}

void countUp(Module &M, Kernel &K, Stmt *L, const CountedLoop &C) {
  Var *Up = newTemp(M, K, C.V->Name + "_up", C.V->Ty);
  Up->Spelling = C.V->Spelling;
  Up->Range = C.V->Range;
  const Expr *Now = M.binary(Op::Sub, C.Lower, M.ref(Up));
  const Expr *Count = M.binary(Op::Sub, C.Lower, C.Bound);
  replaceIn(M, L->Body, C.V, Now);
  L->Init[0]->V = L->Step[0]->V = Up;
  L->Init[0]->E = M.intConst(0, Up->Ty);
  L->Step[0]->E = M.binary(Op::Add, M.ref(Up), M.intConst(1, Up->Ty));
  L->E = M.binary(C.Compare == Op::GT ? Op::LT : Op::LE, M.ref(Up), simplify(M, Count));
}

unsigned countAllUp(const EditedKernel &E) {
  Module &M = E.module();
  Kernel &K = E.kernel();
  const EditedKernel::Analysis Held = E.analysis();
  const KernelAnalysis &A = *Held;
  StmtTree Tree(K);
  std::vector<std::pair<Stmt *, CountedLoop>> Found;
  for (Stmt *L : stmts(K.Body)) {
    if (L->K != StmtKind::Loop || L->Form == Stmt::DoWhile || !L->E)
      continue;
    auto C = A.countedLoop(L);
    if (C && C->Lower && C->Bound && countsDown(A, K, Tree, L, *C))
      Found.push_back({L, *C});
  }
  for (auto &[L, C] : Found)
    countUp(M, K, L, C);
  return Found.size();
}

} // namespace

unsigned closeInductions(const EditedKernel &E) {
  unsigned Done = countAllUp(E);
  // A closed variable can make another one's amount or first value invariant.
  for (unsigned Round = 0; Round < 4; ++Round) {
    E.edited();
    std::vector<Induction> Found = Inductions(E).find();
    if (Found.empty())
      break;
    for (const Induction &I : Found)
      close(E.module(), I);
    Done += Found.size();
  }
  return Done;
}

} // namespace clmali::rewrite
