//===-- checks/model/ir/Poly.h - Polynomials over symbols -*- C++ -*-===//
#ifndef CLMALI_CHECKS_MODEL_IR_POLY_H
#define CLMALI_CHECKS_MODEL_IR_POLY_H

#include "checks/model/ir/Model.h"
#include <map>

namespace clmali::model {

/// Sorted symbol numbers (KernelAnalysis::symbol); empty for the constant term.
using Monomial = llvm::SmallVector<unsigned, 2>;

/// An integer polynomial: sum of Coefficient * product of symbols. Exact over
/// the mathematical integers; KernelAnalysis::poly says what it assumes.
struct Poly {
  std::map<Monomial, int64_t> Terms; ///< no zero coefficients

  static Poly constant(int64_t C);
  static Poly symbol(unsigned S);
  bool isConstant() const; ///< zero included
  int64_t constantTerm() const;
  bool isZero() const { return Terms.empty(); }
  bool has(unsigned S) const;
  unsigned degree(unsigned S) const;
  /// Of a polynomial of degree at most 1 in S: what S is multiplied by.
  Poly coefficient(unsigned S) const;
  Poly substitute(unsigned S, const Poly &By) const;
  bool operator==(const Poly &O) const { return Terms == O.Terms; }
};
Poly operator+(const Poly &A, const Poly &B);
Poly operator-(const Poly &A, const Poly &B);
Poly operator*(const Poly &A, const Poly &B);
Poly operator*(const Poly &A, int64_t C);

} // namespace clmali::model

#endif // CLMALI_CHECKS_MODEL_IR_POLY_H
