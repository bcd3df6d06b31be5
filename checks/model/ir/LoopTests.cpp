//===-- checks/model/ir/LoopTests.cpp - Tests of loops in their headers ----------===//
//
// A test at the start of a loop's body goes to the header, so that the loop counts like any other.
// What the source computes in front of the test is an increment or decrement inside the condition:
//
//   while (++i < n) B        i = i + 1; for (; i < n; i = i + 1) B
//   while (n--) B            while (n) { n_was = n; n = n - 1; B }       n is not read afterwards
//   for (;;) { if (i >= n) break; B }    for (; i < n;) B
//
//===----------------------------------------------------------------------===//

#include "checks/model/ir/StructureExits.h"
#include "checks/model/ir/Traversal.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"

namespace clmali::model {

namespace {

using Vars = llvm::DenseSet<const Var *>;

bool reads(const Expr *E, const Vars &V) {
  return llvm::any_of(exprs(E),
                      [&](ExprAt X) { return X->K == ExprKind::VarRef && V.contains(X->V); });
}

/// True if S or a statement in it reads one of V.
bool reads(const Stmt *S, const Vars &V) {
  StmtList One = {const_cast<Stmt *>(S)};
  return llvm::any_of(exprs(One),
                      [&](ExprAt X) { return X->K == ExprKind::VarRef && V.contains(X->V); });
}

bool leaves(const Stmt *S) {
  StmtList One = {const_cast<Stmt *>(S)};
  return llvm::any_of(stmts(One), [](const Stmt *X) {
    return X->K == StmtKind::Break || X->K == StmtKind::Continue || X->K == StmtKind::Return;
  });
}

/// Variables whose values at one place may be read later: they leave the set where a statement sets
/// them, whatever they were.
struct Awaited {
  Vars V;
  bool Leaves = false; ///< what follows may be skipped

  /// False: S reads one of them.
  bool pass(const Stmt *S) {
    if (reads(S, V))
      return false;
    Leaves |= leaves(S);
    if (!Leaves && ((S->K == StmtKind::Assign && S->LaneIdx.empty()) ||
                    (S->K == StmtKind::Decl && (S->E || S->V->K == Var::Temp))))
      V.erase(S->V);
    return true;
  }
  bool pass(const StmtList &B) {
    return llvm::all_of(B, [&](const Stmt *S) { return pass(S); });
  }
};

/// What B does with the variables after Loop: it may read one; it reads none up to its end; or B
/// does not contain Loop.
enum class After : uint8_t { Read, End, Elsewhere };

After after(const StmtList &B, const Stmt *Loop, Awaited &A) {
  for (size_t At = 0; At < B.size(); ++At) {
    Stmt *S = B[At];
    After Inner = S == Loop ? After::End : After::Elsewhere;
    forEachStmtList(*S, [&](StmtList &Nested) {
      if (Inner == After::Elsewhere)
        Inner = after(Nested, Loop, A);
    });
    if (Inner == After::Elsewhere)
      continue;
    // The next iteration of a loop around Loop, up to Loop itself.
    if (Inner == After::End && S != Loop && S->K == StmtKind::Loop) {
      Awaited Next = A;
      bool Reads = !Next.pass(S->Step) || (S->E && reads(S->E, Next.V));
      for (const Stmt *X : S->Body) {
        Reads |= !Next.pass(X);
        StmtList One = {const_cast<Stmt *>(X)};
        if (Reads || llvm::is_contained(stmts(One), Loop))
          break;
      }
      if (Reads)
        return After::Read;
    }
    StmtList Rest(B.begin() + At + 1, B.end());
    return Inner == After::End && A.pass(Rest) ? After::End : After::Read;
  }
  return After::Elsewhere;
}

/// The statements before the test at the start of a body, and the condition under which the loop
/// goes on.
struct Test {
  size_t At = 0; ///< of the `if (..) break;`
  const Expr *GoesOn = nullptr;
  bool AssignsOnly = true; ///< no declarations before it
};

/// The condition under which E is false.
const Expr *negated(Module &M, const Expr *E) {
  if (E->K == ExprKind::Unary && E->O == Op::LogicalNot)
    return E->Ops[0];
  bool Swaps = E->K == ExprKind::Binary && isComparison(E->O) && E->Ops[0]->Ty->isInteger();
  const Expr *X =
      Swaps ? M.binary(inverse(E->O), E->Ops[0], E->Ops[1]) : M.unary(Op::LogicalNot, E);
  const_cast<Expr *>(X)->Range = E->Range; // X has just been made
  return X;
}

/// True if E computes with registers and constants only, and cannot fault.
bool isPlain(const Expr *E) {
  return llvm::all_of(exprs(E), [](ExprAt X) {
    return X->K == ExprKind::VarRef || X->K == ExprKind::IntConst || X->K == ExprKind::Cast ||
           X->K == ExprKind::Unary ||
           (X->K == ExprKind::Binary && X->O != Op::Div && X->O != Op::Rem);
  });
}

std::optional<Test> testOf(Module &M, const Stmt *Loop) {
  Test T;
  for (; T.At < Loop->Body.size(); ++T.At) {
    const Stmt *S = Loop->Body[T.At];
    if (S->K == StmtKind::If)
      break;
    bool Sets = (S->K == StmtKind::Assign || S->K == StmtKind::Decl) && !S->V->isMemory() &&
                S->V->Ty->isScalar() && S->V->Ty->isInteger() && S->LaneIdx.empty();
    if (!Sets || !S->E || !isPlain(S->E))
      return std::nullopt;
    T.AssignsOnly &= S->K == StmtKind::Assign;
  }
  if (T.At == Loop->Body.size())
    return std::nullopt;
  const Stmt *If = Loop->Body[T.At];
  if (If->Body.size() != 1 || If->Body[0]->K != StmtKind::Break || !If->Else.empty())
    return std::nullopt;
  if (!isPlain(If->E) || !If->E->Ty->isScalar())
    return std::nullopt;
  T.GoesOn = negated(M, If->E);
  return T;
}

/// `P; for (; c; P) B` for `while () { P; if (!c) break; B }`: a test of what P computes.
void rotate(Module &M, StmtList &B, size_t At, const Test &T) {
  Stmt *Loop = B[At];
  StmtList Before(Loop->Body.begin(), Loop->Body.begin() + T.At);
  StmtList First = cloneStmts(M, Before, [](Var *V) { return V; });
  Loop->Body.erase(Loop->Body.begin(), Loop->Body.begin() + T.At + 1);
  Loop->Step.insert(Loop->Step.end(), Before.begin(), Before.end());
  Loop->E = T.GoesOn;
  if (Loop->Form == Stmt::For && !Loop->Init.empty())
    Loop->Init.insert(Loop->Init.end(), First.begin(), First.end());
  else
    B.insert(B.begin() + At, First.begin(), First.end());
  Loop->Form = Stmt::For;
}

/// `while (c') { P; B }` for the same, where c' is c in terms of the values before P: false if what
/// P sets is read behind the loop.
bool liftTest(Module &M, Kernel &K, Stmt *Loop, const Test &T) {
  llvm::DenseMap<const Var *, const Expr *> Values;
  auto Now = [&](const Expr *E) {
    return substitute(M, E, [&](const Expr *X) -> const Expr * {
      return X->K == ExprKind::VarRef ? Values.lookup(X->V) : nullptr;
    });
  };
  Vars Set;
  for (size_t I = 0; I < T.At; ++I) {
    const Stmt *S = Loop->Body[I];
    Values[S->V] = Now(S->E);
    if (S->K == StmtKind::Assign)
      Set.insert(S->V); // what P declares is set again in each iteration
  }
  Awaited A = {Set};
  if (!Set.empty() && after(K.Body, Loop, A) == After::Read)
    return false;
  Loop->E = Now(T.GoesOn);
  StmtList &B = Loop->Body;
  B.erase(B.begin() + T.At);
  // The old value that only the test has read.
  for (size_t I = T.At; I-- > 0;)
    if (B[I]->K == StmtKind::Decl &&
        llvm::none_of(B, [&](const Stmt *S) { return reads(S, Vars({B[I]->V})); }))
      B.erase(B.begin() + I);
  return true;
}

void visit(Module &M, Kernel &K, StmtList &B) {
  for (size_t At = 0; At < B.size(); ++At) {
    Stmt *S = B[At];
    forEachStmtList(*S, [&](StmtList &Inner) { visit(M, K, Inner); });
    if (S->K != StmtKind::Loop || S->E || S->Form == Stmt::DoWhile)
      continue;
    std::optional<Test> T = testOf(M, S);
    if (!T)
      continue;
    Vars Set;
    for (size_t I = 0; I < T->At; ++I)
      Set.insert(S->Body[I]->V);
    if (!T->AssignsOnly || !reads(T->GoesOn, Set))
      liftTest(M, K, S, *T);
    else
      rotate(M, B, At, *T);
  }
}

} // namespace

void testInHeaders(Module &M, Kernel &K) { visit(M, K, K.Body); }

} // namespace clmali::model
