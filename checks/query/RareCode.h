//===- RareCode.h - code that few work-items execute ------------------------------------------===//
//
// Two kinds of code run for a few work-items only: the slow path of border blocks, and the loop
// over the elements that fill no whole block.
//
//   if (x + 7 < w)
//     vstore8(f(vload8(0, in + x)), 0, out + x);
//   else                                    // rare: the blocks at the border
//     for (int lane = 0; lane < 8; ++lane)
//       if (x + lane < w)
//         out[x + lane] = f(in[x + lane]);
//
//   for (; i + 7 < n; i += 8) ...
//   for (; i < n; ++i) ...                  // rare: what the first loop leaves over
//
// What costs time there is information. Rules use shareOfWork in place of KernelWork::share.
//
// Limits: branches on ids and arguments. A branch on data may go either way.
//
//===------------------------------------------------------------------------------------------===//

#ifndef CLMALI_CHECKS_QUERY_RARECODE_H
#define CLMALI_CHECKS_QUERY_RARECODE_H

#include "checks/Check.h"

namespace clmali::checks {

/// True if S is in an arm that does by single elements what the other arm does by whole blocks, or
/// in a loop over what a loop with a larger step leaves over.
bool isRare(Context &C, const model::Stmt *S);

/// The part of the kernel's work without rare code, 0 to 1, that the accesses take which are not
/// rare.
double shareOfWork(Context &C, llvm::ArrayRef<const model::AccessSite *> Accesses);
/// The same for all accesses to Memory.
double shareOfWork(Context &C, const model::Var &Memory);
/// The same for Operations that S executes each time.
double shareOfWork(Context &C, const model::Stmt *S, double Operations);

} // namespace clmali::checks

#endif
