//===-- rewriters/blocking/Polynomials.h - Addresses of the new kernel -*- C++ -*-===//
//
// Integer expressions of the new kernel as polynomials over its own variables, so that two
// addresses can be compared: 4 * i + 3 and (i * 4 + 1) + 2 are equal.
//
// Variables with one definition are replaced by it. Other variables, and whatever is not
// arithmetic, are symbols.
//
//===----------------------------------------------------------------------===//
#ifndef CLMALI_REWRITERS_BLOCKING_POLYNOMIALS_H
#define CLMALI_REWRITERS_BLOCKING_POLYNOMIALS_H

#include "checks/model/analysis/Analysis.h"
#include "llvm/ADT/DenseMap.h"

namespace clmali::rewrite {

class NewPolynomials {
public:
  model::Poly of(const model::Expr *E);
  /// The offset of Acc from its base in bytes.
  model::Poly address(const model::Access &Acc);
  /// V has one definition, E.
  void define(const model::Var *V, const model::Expr *E) { Definitions[V] = E; }
  /// Null: V has none, or several.
  const model::Expr *definition(const model::Var *V) const { return Definitions.lookup(V); }
  const model::Expr *symbol(unsigned S) const { return Symbols[S]; }

private:
  std::optional<model::Poly> arithmetic(const model::Expr *E, unsigned Depth);
  model::Poly of(const model::Expr *E, unsigned Depth);
  unsigned symbolOf(const model::Expr *E);

  std::vector<const model::Expr *> Symbols;
  llvm::DenseMap<const model::Var *, const model::Expr *> Definitions;
};

} // namespace clmali::rewrite
#endif
