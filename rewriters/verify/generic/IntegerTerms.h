// Terms as integers, for questions about ids, sizes and addresses.
//
//   before   a sum of bit-vectors
//   after    the same sum of integers, less a multiple of 2^width where it may wrap
//   limits   a product of two variables is any number that has the sign and the order of products;
//            reads, calls and other operations on bits are any number within their bounds
//
// What follows here follows for the bit-vectors. What does not may still hold.
#ifndef CLMALI_REWRITERS_VERIFY_GENERIC_INTEGERTERMS_H
#define CLMALI_REWRITERS_VERIFY_GENERIC_INTEGERTERMS_H

#include "rewriters/verify/symbolic/terms/Terms.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"

#include <z3.h>

#include <string>
#include <vector>

namespace clmali::verify::generic {

using symbolic::Term;
using symbolic::TermStore;

class IntegerTerms {
public:
  explicit IntegerTerms(const TermStore &T);
  ~IntegerTerms();
  IntegerTerms(const IntegerTerms &) = delete;
  IntegerTerms &operator=(const IntegerTerms &) = delete;

  /// True if \p Claim, of one bit, is shown to be 1 wherever all of \p Given are.
  bool follows(Term Claim, llvm::ArrayRef<Term> Given, double Seconds);

private:
  /// A term's signed value; a truth value where it has one bit.
  Z3_ast translate(Term Root);
  Z3_ast one(Term X);
  Z3_ast truth(Term X);
  Z3_ast ofSum(Term X);
  Z3_ast ofAnd(Term X);
  Z3_ast ofExtract(Term X);
  Z3_ast ofDivision(Term X);
  Z3_ast ofConcat(Term X);

  Z3_ast at(Term X) { return Values.lookup(X); }
  Z3_ast number(int64_t V) { return Z3_mk_int64(C, V, Z3_mk_int_sort(C)); }
  Z3_ast power(unsigned Bits);
  Z3_ast fresh();
  /// Any number within the bounds of \p X.
  Z3_ast any(Term X);
  Z3_ast unsignedValue(Term X);
  Z3_ast add(Z3_ast A, Z3_ast B);
  Z3_ast times(Z3_ast A, Z3_ast B);
  void side(Term X, Z3_ast Condition) { Sides[X].push_back(Condition); }
  void between(Term X, Z3_ast Value, Z3_ast Low, Z3_ast High);
  /// The number of \p Width bits that is \p Value modulo 2^Width.
  Z3_ast wrapped(Term X, Z3_ast Value, unsigned Width);
  struct Parts {
    Z3_ast Quotient, Remainder;
  };
  /// Rounded down. \p By is positive.
  Parts divide(Term X, Z3_ast Value, Z3_ast By);
  void assertProducts(Z3_solver S, llvm::ArrayRef<Term> Products);
  void assertPair(Z3_solver S, Term P, Term Q, unsigned I, unsigned J);

  const TermStore &T;
  Z3_context C = nullptr;
  unsigned Count = 0;
  llvm::DenseMap<Term, Z3_ast> Values;
  /// What is known of the numbers that stand for a term.
  llvm::DenseMap<Term, std::vector<Z3_ast>> Sides;
};

} // namespace clmali::verify::generic

#endif
