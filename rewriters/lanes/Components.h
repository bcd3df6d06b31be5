//===-- rewriters/lanes/Components.h - One component of vectors -*- C++ -*-===//
//
// The inverse of Operations.h: what the source computes on vectors, for one component alone. What
// must hold everywhere is written here once:
//   - a product that is taken out of a vector is no summand there, and must not become one: it
//     could be contracted then
//   - 8 and 16 bits are computed in int, which C does to scalars and not to vectors; amounts of
//     shifts are taken modulo the width of the vector's components
//   - comparisons are 0 or -1 in a vector, conditions as scalars
//
//===----------------------------------------------------------------------===//
#ifndef CLMALI_REWRITERS_LANES_COMPONENTS_H
#define CLMALI_REWRITERS_LANES_COMPONENTS_H

#include "checks/model/ir/Model.h"
#include <functional>

namespace clmali::rewrite {

class Components {
public:
  /// Component L of E, a variable, a load or an image's size. Null: it has none.
  using LeafFn = std::function<const model::Expr *(const model::Expr *E, unsigned L)>;
  /// E, a product, in a variable. Null: no variable can be set here.
  using HoldFn = std::function<const model::Expr *(const model::Expr *E)>;
  Components(model::Module &M, LeafFn Leaf, HoldFn Hold)
      : M(M), Leaf(std::move(Leaf)), Hold(std::move(Hold)) {}

  /// Component L of E; of a scalar, all of it.
  const model::Expr *component(const model::Expr *E, unsigned L);
  /// E, a scalar, without vectors inside.
  const model::Expr *scalar(const model::Expr *E);
  /// True once something had no scalar form: what has been returned since is not to be used.
  bool failed() const { return Failed; }

private:
  model::Module &M;
  const LeafFn Leaf;
  const HoldFn Hold;
  bool Failed = false;

  const model::Expr *checked(const model::Expr *E, const model::Expr *Old);
  const model::Expr *fail(const model::Expr *E) { return checked(nullptr, E); }
  const model::Expr *takenOut(const model::Expr *E);
  const model::Expr *truth(const model::Expr *E, unsigned L);
  const model::Expr *binary(const model::Expr *E, unsigned L);
  const model::Expr *cast(const model::Expr *E, unsigned L);
};

} // namespace clmali::rewrite
#endif
