//===-- rewriters/normalize/ImageCoordinates.cpp - Coordinates of images -----------------===//
//
//   int2 pos = (int2)(x, y), dim = get_image_dim(src);
//   read_imagef(src, s, pos + (int2)(1, 0))         read_imagef(src, s, (int2)(pos.x + 1, pos.y))
//
// Coordinates become vectors of scalars, and so do the integer vectors that they are made of. What
// is only read by component then becomes scalars (SplitVectors.cpp), which blocks can compare.
//
// Limits: coordinates in which a product of floating-point numbers stands stay as they are.
//
//===----------------------------------------------------------------------===//

#include "checks/model/ir/Traversal.h"
#include "rewriters/lanes/Components.h"
#include "rewriters/normalize/Steps.h"
#include "llvm/ADT/DenseSet.h"

namespace clmali::rewrite::normalization {

namespace {

class CoordinateSplitter {
public:
  CoordinateSplitter(Module &M, Kernel &K) : M(M), K(K) {}
  void run();

private:
  Module &M;
  Kernel &K;
  llvm::DenseSet<const Var *> Coordinates; ///< vectors of integers that coordinates are made of

  void find();
  const Expr *apart(const Expr *E);
  const Expr *leaf(const Expr *E, unsigned L);
};

bool isIntVector(const Type *Ty) { return Ty->isVector() && Ty->isInteger() && Ty->Lanes <= 4; }

} // namespace

/// Variables of coordinates, and those that their definitions read.
void CoordinateSplitter::find() {
  bool Changed = false;
  auto See = [&](const Expr *E) {
    for (ExprAt X : exprs(E))
      if (X->K == ExprKind::VarRef && X->V->K == Var::Temp && isIntVector(X->Ty))
        Changed |= Coordinates.insert(X->V).second;
  };
  do {
    Changed = false;
    for (const Stmt *S : stmts(K.Body)) {
      if (S->K == StmtKind::ImageWrite)
        See(S->Args[0]);
      if (S->V && S->E && Coordinates.contains(S->V))
        See(S->E);
      for (ExprAt X : exprs(*S))
        if (X->K == ExprKind::ImageRead)
          See(X->Ops[0]);
    }
  } while (Changed);
}

/// Component L of a variable or of an image's size; null: neither.
const Expr *CoordinateSplitter::leaf(const Expr *E, unsigned L) {
  if (E->K == ExprKind::VarRef)
    return M.swizzle(E, {uint8_t(L)});
  static constexpr llvm::StringLiteral Extents[] = {"get_image_width", "get_image_height",
                                                    "get_image_depth"};
  if (E->K != ExprKind::ImageQuery || E->Name != "get_image_dim" || L >= E->Image->Ty->Dims ||
      L >= std::size(Extents))
    return nullptr;
  Expr *X = M.newExpr(ExprKind::ImageQuery, M.value(ScalarKind::Int), E->Range);
  X->Name = Extents[L].str();
  X->Image = E->Image;
  return X;
}

/// E, a vector, as a vector of its components; E itself where it has none.
const Expr *CoordinateSplitter::apart(const Expr *E) {
  if (!E->Ty->isVector())
    return E;
  Components Of(
      M, [&](const Expr *X, unsigned L) { return leaf(X, L); },
      [](const Expr *) { return nullptr; });
  llvm::SmallVector<const Expr *, 4> Parts;
  for (unsigned L = 0; L < E->Ty->Lanes && !Of.failed(); ++L)
    Parts.push_back(simplify(M, Of.component(E, L)));
  return Of.failed() ? E : M.vectorCtor(E->Ty, Parts);
}

void CoordinateSplitter::run() {
  find();
  std::function<const Expr *(const Expr *)> Replace = [&](const Expr *E) -> const Expr * {
    E = mapOperands(M, E, Replace);
    if (E->K == ExprKind::Swizzle && E->Ops[0]->K == ExprKind::ImageQuery && E->LaneIdx.size() == 1)
      if (const Expr *Extent = leaf(E->Ops[0], E->LaneIdx[0]))
        return Extent;
    if (E->K != ExprKind::ImageRead)
      return E;
    llvm::SmallVector<const Expr *, 2> Ops(E->Ops.begin(), E->Ops.end());
    Ops[0] = apart(Ops[0]);
    return Ops[0] == E->Ops[0] ? E : M.imageRead(E, Ops);
  };
  walk(K.Body, [&](Stmt *S) {
    mapExprs(M, *S, Replace);
    if (S->K == StmtKind::ImageWrite)
      S->Args[0] = apart(S->Args[0]);
    bool Sets = S->K == StmtKind::Decl || S->K == StmtKind::Assign;
    if (Sets && S->V && S->E && S->LaneIdx.empty() &&
        (Coordinates.contains(S->V) || S->E->K == ExprKind::ImageQuery))
      S->E = apart(S->E);
    return true;
  });
}

void splitCoordinates(Module &M, Kernel &K) { CoordinateSplitter(M, K).run(); }

} // namespace clmali::rewrite::normalization
