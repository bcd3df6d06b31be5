//===- Limits.h - work budgets of the checks
//----------------------------------------------------===//
//
// Bounds on the work of a query, so that no kernel takes unreasonably long. Beyond them a query
// gives its conservative answer. They are no thresholds: those are `options:` of the rule pages.
//
//===------------------------------------------------------------------------------------------===//

#ifndef CLMALI_CHECKS_QUERY_LIMITS_H
#define CLMALI_CHECKS_QUERY_LIMITS_H

namespace clmali::checks {

/// Definitions of variables that a query follows one after another.
constexpr unsigned MaxDefinitionDepth = 8;
/// The same where each step may follow several variables of an expression.
constexpr unsigned MaxConditionDepth = 4;
/// Steps of a division of polynomials.
constexpr unsigned MaxDivisionSteps = 16;

} // namespace clmali::checks

#endif
