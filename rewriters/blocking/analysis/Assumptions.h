//===-- rewriters/blocking/analysis/Assumptions.h - Conditions of the fast path -*- C++ -*-===//
//
// The scalar conditions that a block tests before the fast path: each once, without those that
// others imply or that hold for every launch.
//
//===----------------------------------------------------------------------===//
#ifndef CLMALI_REWRITERS_BLOCKING_ANALYSIS_ASSUMPTIONS_H
#define CLMALI_REWRITERS_BLOCKING_ANALYSIS_ASSUMPTIONS_H

#include "rewriters/lanes/Polynomials.h"
#include <array>
#include <utility>

namespace clmali::rewrite {

class Assumptions {
public:
  Assumptions(model::Module &M, Polynomials &Polys) : M(M), Polys(Polys) {}

  void add(const model::Expr *C);
  bool empty() const { return Conditions.empty(); }
  /// All of them; null: there are none.
  const model::Expr *conjunction() const;
  /// Starts a new list and returns the old one, for restore().
  std::vector<const model::Expr *> startNew() { return std::exchange(Conditions, {}); }
  void restore(std::vector<const model::Expr *> Old) { Conditions = std::move(Old); }

  /// The number of blocks along each dimension that fail a condition in an index space of whole
  /// blocks, whatever its size.
  std::array<unsigned, 3> border() const;

private:
  model::Module &M;
  Polynomials &Polys;
  std::vector<const model::Expr *> Conditions;

  std::optional<model::Poly> slack(const model::Expr *C) const;
  const model::Expr *withoutSum(const model::Expr *C) const;
  bool isPositive(const model::Poly &P) const { return certain(P, 1); }
  bool isNotPositive(const model::Poly &P) const { return certain(P, -1); }
  bool certain(const model::Poly &P, int Sign) const;
};

} // namespace clmali::rewrite
#endif
