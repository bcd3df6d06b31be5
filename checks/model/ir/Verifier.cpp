//===-- checks/model/ir/Verifier.cpp - Is a kernel well formed? --------------===//

#include "checks/model/ir/Verifier.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/Twine.h"

namespace clmali::model {

namespace {

/// The type of a value without its width: signed char and short differ, so do lanes.
bool sameElement(const Type *A, const Type *B) { return A->Scalar == B->Scalar; }

bool isTruth(Op O) {
  return isComparison(O) || O == Op::LogicalAnd || O == Op::LogicalOr || O == Op::LogicalNot;
}

class Verifier {
public:
  Verifier(const Kernel &K, unsigned Most) : K(K), Most(Most) {}

  std::vector<std::string> run() {
    llvm::StringSet<> Names;
    for (const std::vector<Var *> *List : {&K.Params, &K.Vars})
      for (const Var *V : *List) {
        if (!V || !V->Ty) {
          error("a variable without a type");
          continue;
        }
        if (!Known.insert(V).second)
          error("the variable " + V->Name + " is listed twice");
        if (!Names.insert(V->Name).second)
          error("two variables are called " + V->Name);
      }
    for (const Var *V : K.Params)
      Declared.insert(V);
    list(K.Body, 0);
    return std::move(Errors);
  }

private:
  const Kernel &K;
  const unsigned Most;
  std::vector<std::string> Errors;
  llvm::DenseSet<const Var *> Known;   ///< of the kernel
  llvm::DenseSet<const Var *> InScope; ///< declared at the statement at hand
  /// Declared at it or before it. A pass may leave a use behind the block of the declaration: the
  /// printer finds a place for it.
  llvm::DenseSet<const Var *> Declared;
  llvm::DenseSet<const Stmt *> Seen;

  void error(const llvm::Twine &Text) {
    if (Errors.size() < Most)
      Errors.push_back(Text.str());
  }
  void error(const Expr *E, const llvm::Twine &Text) { error(Text + ": " + dump(E)); }

  // Variables
  bool use(const Var *V, llvm::StringRef Where);
  void declare(const Var *V, llvm::SmallVectorImpl<const Var *> &Here);
  void leave(llvm::ArrayRef<const Var *> Here) {
    for (const Var *V : Here)
      InScope.erase(V);
  }

  // Expressions
  bool operands(const Expr *E, size_t Count);
  void expr(const Expr *E);
  void image(const Var *V, llvm::StringRef Where);
  static bool isSampler(const Var *V) { return !V || V->Ty->K == Type::Sampler; }
  void access(const Access &A, llvm::StringRef Where);
  void binary(const Expr *E);
  void cast(const Expr *E);
  void select(const Expr *E);
  void swizzle(const Expr *E);
  void vectorCtor(const Expr *E);

  // Statements
  void list(const StmtList &B, unsigned Loops);
  void statements(const StmtList &B, unsigned Loops, llvm::SmallVectorImpl<const Var *> &Here);
  void stmt(const Stmt &S, unsigned Loops);
  void decl(const Stmt &S);
  void assign(const Stmt &S);
  void loop(const Stmt &S, unsigned Loops);
};

//===----------------------------------------------------------------------===//
// Variables
//===----------------------------------------------------------------------===//

bool Verifier::use(const Var *V, llvm::StringRef Where) {
  if (!V) {
    error("no variable in " + Where);
    return false;
  }
  if (!V->ProgramScope && !Known.contains(V))
    error(V->Name + " is not a variable of the kernel, in " + Where);
  else if (!V->ProgramScope && !Declared.contains(V))
    error(V->Name + " is used before it is declared, in " + Where);
  return true;
}

void Verifier::declare(const Var *V, llvm::SmallVectorImpl<const Var *> &Here) {
  Declared.insert(V);
  if (!InScope.insert(V).second)
    error(V->Name + " is declared where it is in scope already");
  else
    Here.push_back(V);
}

//===----------------------------------------------------------------------===//
// Expressions
//===----------------------------------------------------------------------===//

/// Has E so many operands, and none of them null?
bool Verifier::operands(const Expr *E, size_t Count) {
  if (E->Ops.size() == Count && !llvm::is_contained(E->Ops, nullptr))
    return true;
  error("an expression has " + llvm::Twine(E->Ops.size()) + " operands instead of " +
        llvm::Twine(Count));
  return false;
}

void Verifier::expr(const Expr *E) {
  if (!E) {
    error("an operand is null");
    return;
  }
  if (!E->Ty || (!E->Ty->isValue() && E->K != ExprKind::Opaque)) {
    error("an expression is not of a value type");
    return;
  }
  size_t Before = Errors.size();
  forEachOperand(*E, [&](const Expr *Operand) { expr(Operand); });
  if (Errors.size() > Before)
    return; // one report for one mistake
  switch (E->K) {
  case ExprKind::IntConst:
    if (!E->Ty->isScalar() || !E->Ty->isInteger())
      error(E, "an integer constant of another type");
    break;
  case ExprKind::FloatConst:
    if (!E->Ty->isScalar() || !E->Ty->isFloat())
      error(E, "a floating-point constant of another type");
    break;
  case ExprKind::VarRef:
    if (use(E->V, "an expression") && (E->V->isMemory() || E->V->Ty != E->Ty))
      error(E, "a reference has another type than its variable");
    break;
  case ExprKind::WorkItem:
    if (!E->Ty->isScalar() || E->Dim > 2)
      error(E, "a work-item function of a dimension that does not exist");
    break;
  case ExprKind::Unary:
    if (operands(E, 1) && !isTruth(E->O) && E->Ops[0]->Ty != E->Ty)
      error(E, "a unary operation has another type than its operand");
    break;
  case ExprKind::Binary:
    binary(E);
    break;
  case ExprKind::Cast:
    cast(E);
    break;
  case ExprKind::Select:
    select(E);
    break;
  case ExprKind::Load:
    access(E->Acc, "a load");
    if (E->Ty->Scalar != E->Acc.Elem || E->Ty->Lanes != E->Acc.Lanes)
      error(E, "a load has another type than its access");
    break;
  case ExprKind::Swizzle:
    swizzle(E);
    break;
  case ExprKind::VectorCtor:
    vectorCtor(E);
    break;
  case ExprKind::Call:
  case ExprKind::HelperCall:
    if (E->Name.empty())
      error(E, "a call without a name");
    break;
  case ExprKind::ImageRead:
  case ExprKind::ImageQuery:
    image(E->Image, E->Name);
    if (E->K == ExprKind::ImageRead && (E->Ops.empty() || !isSampler(E->Sampler)))
      error(E, "a read of an image without coordinates, or with what is no sampler");
    break;
  case ExprKind::Opaque:
    break;
  }
}

void Verifier::image(const Var *V, llvm::StringRef Where) {
  if (!V || !V->isImage())
    error("what is no image, in " + Where);
  else
    use(V, Where);
}

void Verifier::binary(const Expr *E) {
  if (!operands(E, 2))
    return;
  const Type *A = E->Ops[0]->Ty, *B = E->Ops[1]->Ty;
  bool Shift = E->O == Op::Shl || E->O == Op::Shr;
  bool Logical = E->O == Op::LogicalAnd || E->O == Op::LogicalOr;
  if (Shift ? (!A->isInteger() || !B->isInteger() || (B->isVector() && A->Lanes != B->Lanes))
            : (Logical ? A->Lanes != B->Lanes : A != B))
    error(E, "the operands of " + spelling(E->O) + " differ in type");
  if (isTruth(E->O) ? E->Ty->Lanes != A->Lanes || !E->Ty->isInteger() : E->Ty != A)
    error(E, "the result of " + spelling(E->O) + " has the wrong type");
}

void Verifier::cast(const Expr *E) {
  if (!operands(E, 1))
    return;
  const Type *From = E->Ops[0]->Ty, *To = E->Ty;
  switch (E->C) {
  case CastOp::Splat:
    if (!From->isScalar() || !To->isVector() || !sameElement(From, To))
      error(E, "a splat does not go from a scalar to its vector");
    break;
  case CastOp::Convert:
  case CastOp::Builtin:
    if (From->Lanes != To->Lanes)
      error(E, "a conversion changes the number of lanes");
    break;
  case CastOp::Bitcast:
    if (From->Size != To->Size)
      error(E, "as_type changes the number of bytes");
    break;
  }
}

void Verifier::select(const Expr *E) {
  if (!operands(E, 3))
    return;
  const Type *Cond = E->Ops[0]->Ty;
  if (E->Ops[1]->Ty != E->Ty || E->Ops[2]->Ty != E->Ty)
    error(E, "the sides of a selection differ in type");
  if (Cond->Lanes != 1 && (Cond->Lanes != E->Ty->Lanes || !Cond->isInteger()))
    error(E, "the condition of a selection has another number of lanes");
}

void Verifier::swizzle(const Expr *E) {
  if (!operands(E, 1))
    return;
  const Type *From = E->Ops[0]->Ty;
  if (E->LaneIdx.size() != E->Ty->Lanes || !sameElement(From, E->Ty))
    error(E, "a swizzle has another type than its lanes");
  for (uint8_t Lane : E->LaneIdx)
    if (Lane >= From->Lanes)
      error(E, "a swizzle takes a lane that does not exist");
}

void Verifier::vectorCtor(const Expr *E) {
  unsigned Lanes = 0;
  for (const Expr *Part : E->Ops) {
    Lanes += Part->Ty->Lanes;
    if (!sameElement(Part->Ty, E->Ty))
      error(E, "a part of a vector has another element type");
  }
  if (Lanes != E->Ty->Lanes)
    error(E, "the parts of a vector have " + llvm::Twine(Lanes) + " lanes instead of " +
                 llvm::Twine(unsigned(E->Ty->Lanes)));
}

void Verifier::access(const Access &A, llvm::StringRef Where) {
  if (!A.Base) {
    error("an access without a base, in " + Where);
    return;
  }
  use(A.Base, Where);
  if (!A.Base->isMemory())
    error(A.Base->Name + " is no memory, in " + Where);
  if (A.Index.size() != A.Stride.size())
    error(llvm::Twine(A.Index.size()) + " indices and " + llvm::Twine(A.Stride.size()) +
          " strides, in " + Where + " of " + A.Base->Name);
  for (const Expr *Index : A.Index)
    if (Index && Index->Ty && (!Index->Ty->isScalar() || !Index->Ty->isInteger()))
      error(Index, "an index is not a scalar integer, in " + Where);
}

//===----------------------------------------------------------------------===//
// Statements
//===----------------------------------------------------------------------===//

void Verifier::list(const StmtList &B, unsigned Loops) {
  llvm::SmallVector<const Var *, 8> Here;
  statements(B, Loops, Here);
  leave(Here);
}

/// What B declares is added to Here and stays in scope.
void Verifier::statements(const StmtList &B, unsigned Loops,
                          llvm::SmallVectorImpl<const Var *> &Here) {
  for (const Stmt *S : B) {
    if (!S || !Seen.insert(S).second) {
      error(S ? "a statement is in two lists" : "a statement is null");
      continue;
    }
    stmt(*S, Loops);
    if (S->K == StmtKind::Decl && S->V)
      declare(S->V, Here);
  }
}

void Verifier::decl(const Stmt &S) {
  if (!S.V) {
    error("a declaration without a variable");
    return;
  }
  if (!Known.contains(S.V))
    error(S.V->Name + " is declared, but not a variable of the kernel");
  if (S.V->K == Var::Param)
    error("the parameter " + S.V->Name + " is declared in the body");
  if (S.E && S.E->Ty != S.V->Ty)
    error(S.E, "the first value of " + S.V->Name + " has another type");
}

void Verifier::assign(const Stmt &S) {
  if (!S.E || !use(S.V, "an assignment"))
    return error("an assignment without a variable or a value");
  if (S.LaneIdx.empty()) {
    if (S.E->Ty != S.V->Ty)
      error(S.E, "the value assigned to " + S.V->Name + " has another type");
    return;
  }
  for (uint8_t Lane : S.LaneIdx)
    if (Lane >= S.V->Ty->Lanes)
      error("an assignment to a lane that " + S.V->Name + " does not have");
  if (S.E->Ty->Lanes != S.LaneIdx.size() || !sameElement(S.E->Ty, S.V->Ty))
    error(S.E, "the value assigned to lanes of " + S.V->Name + " has another type");
}

/// Init is in scope for the condition, the step and the body; a do-while's condition does not see
/// the body's declarations.
void Verifier::loop(const Stmt &S, unsigned Loops) {
  llvm::SmallVector<const Var *, 4> Here;
  statements(S.Init, Loops, Here);
  if (S.E) {
    expr(S.E);
    if (S.E->Ty && !S.E->Ty->isScalar())
      error(S.E, "the condition of a loop is not a scalar");
  }
  list(S.Body, Loops + 1);
  list(S.Step, Loops);
  leave(Here);
}

void Verifier::stmt(const Stmt &S, unsigned Loops) {
  if (S.K == StmtKind::Loop)
    return loop(S, Loops);
  forEachExpr(S, [&](const Expr *E) { expr(E); });
  switch (S.K) {
  case StmtKind::Decl:
    decl(S);
    break;
  case StmtKind::Assign:
    assign(S);
    break;
  case StmtKind::Store:
    access(S.Acc, "a store");
    if (!S.E)
      error("a store without a value");
    else if (S.E->Ty->Scalar != S.Acc.Elem || S.E->Ty->Lanes != S.Acc.Lanes)
      error(S.E, "a stored value has another type than the access");
    break;
  case StmtKind::If:
    if (!S.E || !S.E->Ty->isScalar())
      error("the condition of a branch is missing or no scalar");
    list(S.Body, Loops);
    list(S.Else, Loops);
    break;
  case StmtKind::Break:
  case StmtKind::Continue:
    if (!Loops)
      error("break or continue outside a loop");
    break;
  case StmtKind::Atomic:
    access(S.Acc, "an atomic");
    if (S.V)
      use(S.V, "an atomic");
    break;
  case StmtKind::AsyncCopy:
    access(S.Acc, "an asynchronous copy");
    access(S.Source, "an asynchronous copy");
    if (S.V)
      use(S.V, "an asynchronous copy");
    break;
  case StmtKind::ImageWrite:
    image(S.Image, S.Name);
    if (S.Args.empty() || !S.E)
      error("a write to an image without coordinates or a value");
    break;
  case StmtKind::Loop:
  case StmtKind::Return:
  case StmtKind::Barrier:
  case StmtKind::Call:
  case StmtKind::Opaque:
    break;
  }
}

} // namespace

std::vector<std::string> verify(const Kernel &K, unsigned MostErrors) {
  return Verifier(K, MostErrors).run();
}

} // namespace clmali::model
