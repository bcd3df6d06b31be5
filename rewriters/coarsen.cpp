//===-- rewriters/coarsen.cpp - One work-item does several rows --------------===//
//
// What it does: neighbouring work-items along a dimension become one work-item of a new kernel
// that does their work one after the other and shares what is the same for all of them.
//
//   before                             after, 2 rows
//   int y = get_global_id(1);          int y = get_global_id(1) * 2;
//   d[y * w + x] = f(s, x, y);         d[y * w + x] = f(s, x, y);
//                                      d[(y + 1) * w + x] = f(s, x, y + 1);
//
// Legality, limits and the transformation itself: blocking/Block.h.
//
//===----------------------------------------------------------------------===//

#include "rewriters/blocking/BlockPass.h"
#include "rewriters/pass/Pass.h"

namespace clmali::rewrite {

/// A shape with lanes and rows has been made as one block by vectorize.
static unsigned edit(PassState &S) { return S.Blocked.rows() > 1 ? 1 : makeBlock(S); }

CLMALI_PASS(.Id = "coarsen", .ShownAs = "coarsen",
            .Does = "One work-item does the work of several neighbours and shares their loads.",
            .Edit = edit, .Requires = NormalForm);

} // namespace clmali::rewrite
