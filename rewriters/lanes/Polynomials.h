//===-- rewriters/lanes/Polynomials.h - Integers as polynomials -*- C++ -*-===//
//
// Integer expressions as polynomials over variables, so that two of them can be compared:
// 4 * i + 3 and (i * 4 + 1) + 2 are equal.
//
// Variables with one definition are replaced by it. Other variables, and whatever is not
// arithmetic, are symbols. What may wrap is followed as far as the question allows (lanes/Exact.h):
//
//   of         the value modulo 2^width of its type
//   exact      the value as an integer
//   address    an index in bounds, which does not wrap
//
//===----------------------------------------------------------------------===//
#ifndef CLMALI_REWRITERS_LANES_POLYNOMIALS_H
#define CLMALI_REWRITERS_LANES_POLYNOMIALS_H

#include "checks/model/analysis/Analysis.h"
#include "rewriters/lanes/Exact.h"
#include "llvm/ADT/DenseMap.h"

namespace clmali::rewrite {

class Polynomials {
public:
  /// As for ExactInts. Without Definition, the variables are those that define() has told.
  Polynomials(IdSpace Ids, int64_t &IdsBelow, ExactInts::DefinitionOf Definition = nullptr,
              ExactInts::RangeOf Known = nullptr);
  Polynomials(const Polynomials &) = delete;

  model::Poly of(const model::Expr *E) { return of(E, Wrap::Modulo, 0); }
  model::Poly exact(const model::Expr *E) { return of(E, Wrap::Never, 0); }
  /// True if every value of P is one of E's type. If P is of(E), it is exact then.
  bool fits(const model::Poly &P, const model::Expr *E);
  /// What each operation does by itself.
  ExactInts &operations() { return Ints; }
  /// The offset of Acc from its base in bytes.
  model::Poly address(const model::Access &Acc);
  /// V has one definition, E.
  void define(const model::Var *V, const model::Expr *E) { Definitions[V] = E; }
  /// Null: V has none, or several.
  const model::Expr *definition(const model::Var *V) const { return Definition(V); }
  const model::Expr *symbol(unsigned S) const { return Symbols[S]; }

private:
  enum class Wrap : uint8_t { Modulo, Never, InBounds };
  std::optional<model::Poly> arithmetic(const model::Expr *E, Wrap How, unsigned Depth);
  std::optional<model::Poly> conversion(const model::Expr *E, Wrap How, unsigned Depth);
  model::Poly of(const model::Expr *E, Wrap How, unsigned Depth);
  unsigned symbolOf(const model::Expr *E);

  std::vector<const model::Expr *> Symbols;
  llvm::DenseMap<const model::Var *, const model::Expr *> Definitions;
  const ExactInts::DefinitionOf Definition;
  ExactInts Ints;
};

} // namespace clmali::rewrite
#endif
