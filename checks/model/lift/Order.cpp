//===-- checks/model/lift/Order.cpp - Side effects in C's order ------------===//
//
// What it does: emits statements, saves values that later statements would change, and finds
// expressions whose side effects C does not order.
//
//   before: x * a[i] + f(&a[j])      after: was = load a[i]; ...f inlined...
//                                           (x * was) + f_result
//
//===----------------------------------------------------------------------===//

#include "checks/model/lift/Lifter.h"
#include "llvm/ADT/SmallPtrSet.h"

using llvm::StringRef;

namespace clmali::model {

//===----------------------------------------------------------------------===//
// Emitting, and keeping values
//===----------------------------------------------------------------------===//

const Expr *Lifter::at(const Expr *E, SourceRange R) {
  // A node without a range has just been made.
  if (E && !E->Range.isValid())
    const_cast<Expr *>(E)->Range = R;
  return E;
}

Stmt *Lifter::emit(StmtKind Kind, SourceRange R) {
  Stmt *S = M.newStmt(Kind, R);
  if (!WaitingComments.empty() && Frames.size() == 1)
    S->Comments.swap(WaitingComments);
  Out->push_back(S);
  ++Statements;
  return S;
}

void Lifter::emitAssign(Var *V, const Expr *E, SourceRange R) {
  Stmt *S = emit(StmtKind::Assign, R);
  S->V = V;
  S->E = E;
}

void Lifter::note(StringRef What, SourceRange R) { K->Opaques.push_back({What.str(), R}); }

const Expr *Lifter::opaque(StringRef What, const Type *Ty, SourceRange R) {
  note(What, R);
  Expr *E = M.newExpr(ExprKind::Opaque, Ty, R);
  E->Text = What.str();
  return E;
}

void Lifter::opaqueStmt(StringRef What, SourceRange R) {
  note(What, R);
  emit(StmtKind::Opaque, R)->Text = What.str();
}

/// Keeps the text: it may change the variables that it names.
void Lifter::unparsedStmt(SourceRange R) {
  note("text that did not parse", R);
  Stmt *S = emit(StmtKind::Opaque, R);
  S->Text = "text that did not parse";
  if (R.isValid() && R.File < M.Files.size())
    S->Name = StringRef(M.Files[R.File].Text).slice(R.Begin, R.End).str();
}

void Lifter::flush() {
  StmtList Now;
  Now.swap(Pending);
  Out->insert(Out->end(), Now.begin(), Now.end());
}

namespace {

/// What some statements may change.
struct Effects {
  llvm::SmallPtrSet<const Var *, 8> Assigned, Stored;
  bool AllMemory = false;

  void add(const Stmt &S) {
    switch (S.K) {
    case StmtKind::Decl:
      break; // a new variable has not been read yet
    case StmtKind::Assign:
      Assigned.insert(S.V);
      break;
    case StmtKind::Store:
    case StmtKind::AsyncCopy:
      Stored.insert(S.Acc.Base);
      break;
    case StmtKind::ImageWrite:
      Stored.insert(S.Image);
      break;
    case StmtKind::Atomic:
      Stored.insert(S.Acc.Base);
      if (S.V)
        Assigned.insert(S.V);
      break;
    case StmtKind::Barrier:
    case StmtKind::Call:
    case StmtKind::Opaque:
      AllMemory = true;
      break;
    case StmtKind::If:
    case StmtKind::Loop:
    case StmtKind::Break:
    case StmtKind::Continue:
    case StmtKind::Return:
      break;
    }
    for (const StmtList *B : {&S.Init, &S.Body, &S.Else, &S.Step})
      for (const Stmt *Nested : *B)
        add(*Nested);
  }
  bool touches(const Var *Base) const {
    if (AllMemory || Stored.contains(Base))
      return true;
    // Pointer arguments of one address space may point to the same memory.
    if (!Base->isPointerParam())
      return false;
    return llvm::any_of(Stored, [&](const Var *Other) {
      return Other->isPointerParam() && Other->Ty->AS == Base->Ty->AS;
    });
  }
  bool changes(const Expr *E) const {
    bool Changed = false;
    walk(E, [&](const Expr *Sub) {
      Changed |= Sub->K == ExprKind::VarRef && Assigned.contains(Sub->V);
      Changed |= Sub->K == ExprKind::Load && touches(Sub->Acc.Base);
      Changed |= Sub->K == ExprKind::ImageRead && isWritable(*Sub->Image) && touches(Sub->Image);
      return !Changed;
    });
    return Changed;
  }
};

} // namespace

/// Only the leaves are saved, never a sum or a product: `a * b + f(c)` may be
/// contracted, and must stay one expression.
const Expr *Lifter::protect(const Expr *E, size_t Mark) {
  if (!E || Mark >= Out->size())
    return E;
  Effects Fx;
  for (size_t I = Mark; I < Out->size(); ++I)
    Fx.add(*(*Out)[I]);
  std::function<const Expr *(const Expr *)> Save = [&](const Expr *Sub) -> const Expr * {
    if (!Fx.changes(Sub))
      return Sub;
    bool Guarded = (Sub->K == ExprKind::Select && Sub->Ops[0]->Ty->isScalar()) ||
                   (Sub->K == ExprKind::Binary && Sub->Ty->isScalar() &&
                    (Sub->O == Op::LogicalAnd || Sub->O == Op::LogicalOr));
    if (Sub->K != ExprKind::VarRef && !isRead(Sub->K) && !Guarded)
      return mapOperands(M, Sub, Save);
    Var *V = newVar(Var::Temp, Sub->K == ExprKind::VarRef ? Sub->V->Name + "_was" : "was", Sub->Ty,
                    Sub->Range);
    V->IsPointerOffset = Sub->K == ExprKind::VarRef && Sub->V->IsPointerOffset;
    Stmt *S = M.newStmt(StmtKind::Decl, Sub->Range);
    S->V = V;
    S->E = Sub;
    Out->insert(Out->begin() + Mark++, S);
    return at(M.ref(V), Sub->Range);
  };
  return Save(E);
}

void Lifter::protect(Place &P, size_t Mark) {
  if (P.K == Place::Constant)
    P.E = protect(P.E, Mark);
  for (const Expr *&I : P.Index)
    if (I) // the declarations that this inserts are no effects
      I = protect(I, Mark);
}

const Expr *Lifter::settled(const ClangExpr *E) {
  if (unsequenced(E)) {
    opaqueStmt("unsequenced side effects", range(E));
    return opaque("unsequenced side effects", type(E->getType()), range(E));
  }
  const Expr *V = expr(E);
  size_t Mark = Out->size();
  flush();
  return protect(V, Mark);
}

namespace {

/// Reads and writes of local variables inside one expression.
struct Uses {
  llvm::SmallPtrSet<const clang::VarDecl *, 4> Reads, Writes;
};

const clang::VarDecl *variable(const clang::Expr *E) {
  const auto *D = llvm::dyn_cast<clang::DeclRefExpr>(E->IgnoreParens());
  return D ? llvm::dyn_cast<clang::VarDecl>(D->getDecl()) : nullptr;
}

bool hasEffects(const clang::Stmt *S, bool Top) {
  if (!S)
    return false;
  if (!Top) {
    if (const auto *B = llvm::dyn_cast<clang::BinaryOperator>(S); B && B->isAssignmentOp())
      return true;
    if (const auto *U = llvm::dyn_cast<clang::UnaryOperator>(S); U && U->isIncrementDecrementOp())
      return true;
  }
  for (const clang::Stmt *Child : S->children())
    if (hasEffects(Child, false))
      return true;
  return false;
}

struct SequenceCheck {
  bool Conflict = false;

  void clash(const Uses &A, const Uses &B) {
    for (const clang::VarDecl *W : A.Writes)
      Conflict |= B.Reads.contains(W) || B.Writes.contains(W);
    for (const clang::VarDecl *W : B.Writes)
      Conflict |= A.Reads.contains(W);
  }
  static void merge(Uses &To, const Uses &From) {
    To.Reads.insert(From.Reads.begin(), From.Reads.end());
    To.Writes.insert(From.Writes.begin(), From.Writes.end());
  }
  Uses visit(const clang::Stmt *S) {
    Uses U;
    if (!S || llvm::isa<clang::StmtExpr>(S))
      return U;
    if (const auto *D = llvm::dyn_cast<clang::DeclRefExpr>(S)) {
      if (const auto *V = llvm::dyn_cast<clang::VarDecl>(D->getDecl()))
        U.Reads.insert(V);
      return U;
    }
    if (const auto *I = llvm::dyn_cast<clang::UnaryOperator>(S); I && I->isIncrementDecrementOp()) {
      U = visit(I->getSubExpr());
      if (const clang::VarDecl *V = variable(I->getSubExpr()))
        U.Writes.insert(V);
      return U;
    }
    const auto *B = llvm::dyn_cast<clang::BinaryOperator>(S);
    if (B && B->isAssignmentOp()) {
      Uses R = visit(B->getRHS());
      const clang::VarDecl *V = variable(B->getLHS());
      Uses L;
      if (!V)
        L = visit(B->getLHS());
      clash(L, R);
      merge(U, L);
      merge(U, R);
      if (V) {
        Conflict |= R.Writes.contains(V);
        U.Writes.insert(V);
        if (B->isCompoundAssignmentOp())
          U.Reads.insert(V);
      }
      return U;
    }
    bool Sequenced = (B && (B->isLogicalOp() || B->isCommaOp())) ||
                     llvm::isa<clang::AbstractConditionalOperator>(S);
    for (const clang::Stmt *Child : S->children()) {
      Uses C = visit(Child);
      if (!Sequenced)
        clash(U, C);
      merge(U, C);
    }
    return U;
  }
};

} // namespace

bool Lifter::unsequenced(const ClangExpr *E) {
  if (!hasEffects(E, /*Top=*/true))
    return false;
  SequenceCheck C;
  C.visit(E);
  return C.Conflict;
}

} // namespace clmali::model
