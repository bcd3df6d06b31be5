//===- Bytes.h - bytes and halves of integers -------------------------------------------------===//
//
// Recognises integers that are put together or taken apart by shifts and masks.
//
//===------------------------------------------------------------------------------------------===//

#ifndef CLMALI_CHECKS_QUERY_BYTES_H
#define CLMALI_CHECKS_QUERY_BYTES_H

#include "checks/Check.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <set>

namespace clmali::checks {

/// True if the trip count is 3 to 8, as in a loop over the bytes of an integer.
bool isLoopOverBytes(const model::CountedLoop &L);

/// The number of the byte that E takes out of a value \p Of of 32 or 64 bits: 1 for (x >> 8) & 255,
/// (x & 0xff00) >> 8 and (uchar)(x >> 8). Sets \p InLoop if a loop over bytes gives the shift; the
/// number is then that of the first iteration.
std::optional<unsigned> byteOf(const model::KernelAnalysis &K, const model::Expr *E,
                               const model::Stmt *At, const model::Expr *&Of, bool &InLoop);

/// The numbers of the bytes that E combines with |, + or ^, without operands for which \p IsOld is
/// true. Empty: some operand is not a byte, or two overlap.
std::set<unsigned> packedBytes(const model::KernelAnalysis &K, const model::Expr *E,
                               const model::Stmt *S,
                               llvm::function_ref<bool(const model::Expr *)> IsOld, bool &InLoop);

/// 0 or 1 for the low or high half that E takes out of a value \p Of of 32 or 64 bits: v >> 32,
/// (uint)v, v & 0xffff.
std::optional<unsigned> halfOf(const model::Expr *E, const model::Expr *&Of);

/// (ulong)hi << 32 | lo, of two values.
bool isPackOfHalves(const model::KernelAnalysis &K, const model::Expr *E, const model::Stmt *S);

/// v = v << 8 | byte.
bool isByteAppended(const model::KernelAnalysis &K, const model::Stmt *S);

} // namespace clmali::checks

#endif
