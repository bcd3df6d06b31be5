//===-- checks/model/pattern/QuotientReuse.h - A remainder next to its quotient -*- C++ -*-===//
//
// A remainder of two values whose quotient is in a variable already:
//
//   int y = i / w;                  int y = i / w;
//   int x = i % w;                  int x = i - y * w;
//
// Rule: integer-division. Pass: strength-reduce.
//
// Limits: dividend and divisor are the same expressions, and keep their values from the quotient to
// the remainder: arguments and variables that are assigned once, no memory. The quotient is the
// initial value of a variable that is never assigned again, and is in scope at the remainder. The
// quotient may also be the declaration directly behind that of the remainder.
//
//===----------------------------------------------------------------------===//

#ifndef CLMALI_CHECKS_MODEL_PATTERN_QUOTIENTREUSE_H
#define CLMALI_CHECKS_MODEL_PATTERN_QUOTIENTREUSE_H

#include "checks/model/ir/Model.h"
#include <map>

namespace clmali::model::pattern {

/// The constant that E is, or that all of its lanes are.
std::optional<int64_t> laneConstant(const Expr *E);

/// How a kernel's quotients are used for remainders.
struct QuotientReuse {
  /// The declaration whose variable holds the quotient, for each remainder. A remainder is named by
  /// its statement, too: statements may share expressions.
  std::map<std::pair<const Stmt *, const Expr *>, Stmt *> QuotientOf;
  /// Declarations of remainders that have to change places with the quotient's, directly behind.
  std::vector<std::pair<const Stmt *, const Stmt *>> Swapped;

  explicit QuotientReuse(const StmtList &Body);
  /// True if E, at S, is a remainder or a quotient of a pair.
  bool involves(const Stmt *S, const Expr *E) const;
};

} // namespace clmali::model::pattern

#endif
