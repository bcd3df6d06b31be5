//===-- rewriters/vectorize.cpp - Work-items become the lanes of vectors -----===//
//
// What it does: neighbouring work-items along one dimension become one work-item of a new kernel,
// and each value that differs between them a vector. Rows of the same shape (coarsen) are made
// with it, in one block.
//
//   before                             after, 4 lanes
//   int i = get_global_id(0);          int i = get_global_id(0) * 4;
//   y[i] = a * x[i];                   vstore4(a * vload4(0, x + i), 0, y + i);
//
// Legality, limits and the transformation itself: blocking/Block.h.
//
//===----------------------------------------------------------------------===//

#include "rewriters/blocking/BlockPass.h"
#include "rewriters/pass/Pass.h"

namespace clmali::rewrite {

CLMALI_PASS(.Id = "vectorize", .ShownAs = "vectorize",
            .Does = "Neighbouring work-items become the lanes of vectors.", .Edit = makeBlock,
            .Requires = NormalForm);

} // namespace clmali::rewrite
