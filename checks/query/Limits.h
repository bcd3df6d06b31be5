//===- Limits.h - work budgets and heuristic limits of queries --------------------------------===//
//
// Constants that bound the work of a check or describe what compilers do. Thresholds that decide
// how large something must be for a finding are options of the rule's page instead.
//
//===------------------------------------------------------------------------------------------===//

#ifndef CLMALI_CHECKS_QUERY_LIMITS_H
#define CLMALI_CHECKS_QUERY_LIMITS_H

#include <cstddef>
#include <cstdint>

namespace clmali::checks::limits {

/// Work budgets: beyond them a check gives up.
inline constexpr unsigned AccessPairs = 50000; ///< pairs whose conflict is asked for
inline constexpr unsigned DivisionDepth = 8;   ///< nested quotients that are evaluated
inline constexpr unsigned DefinitionDepth = 8; ///< definitions followed for the width of an index
inline constexpr int64_t EnumeratedIterations = 256; ///< iterations that are evaluated one by one
inline constexpr uint64_t Iterations = uint64_t(1) << 20; ///< cap of a product of trip counts

/// What compilers unroll.
inline constexpr int64_t ShortLoop = 8;      ///< trip count that is unrolled with early exits
inline constexpr int64_t UnrolledOuter = 16; ///< trip count of a loop around other loops

/// Elements of one work-item up to which they are a pixel; more are a block.
inline constexpr int64_t PixelElements = 16;
/// Least divisor with which most adjacent work-items are in the same row of i / w, i % w.
inline constexpr int64_t RowElements = 16;
/// Least number of adjacent uniform elements for which scalar loads cost something.
inline constexpr unsigned UniformElements = 4;
/// Source lines up to which two accesses are shown as one location: a brace, a blank, a comment.
inline constexpr int64_t AdjacentLines = 4;

/// Elements up to which loads are adjacent although the length of a row is guessed.
inline constexpr int64_t AdjacentElements = 4;

/// A location is reported with the heaviest one if its weight is at least 1 / WeightShare of that.
inline constexpr uint64_t WeightShare = 4;
/// A statement can represent its loop if its weight is at least 1 / StatementShare of the heaviest.
inline constexpr uint64_t StatementShare = 2;
/// Number of called functions that are reported besides.
inline constexpr size_t ReportedFunctions = 3;
/// A kernel is a hash if at least 1 / MixShare of its operations mix bits: it needs whole words.
inline constexpr uint64_t MixShare = 4;

} // namespace clmali::checks::limits

#endif
