//===- Packing.h - scalars that are the lanes of one vector
//--------------------------------------===//
//
// Before: v.x = in[o]; v.y = in[o + plane]; v.z = in[o + 2 * plane]; .. vstore4(v, i, out);
// After:  isPacked(in): a vector of neighbours would have to be transposed to become v
// Limits: a run-time distance apart; what stands together is loaded as a vector in any case.
//
//===------------------------------------------------------------------------------------------===//

#ifndef CLMALI_CHECKS_QUERY_PACKING_H
#define CLMALI_CHECKS_QUERY_PACKING_H

#include "checks/Check.h"

namespace clmali::checks {

/// Are the scalars that a work-item reads from (or writes to) Buffer, each in a plane of its own,
/// the lanes of vectors or texels that the kernel stores (or loads) whole?
bool isPacked(Context &C, const model::Var *Buffer);

/// Is Buffer read in a loop together with whole vectors of another one: rows against columns of a
/// block?
bool isReadBesideVectors(Context &C, const model::Var *Buffer);

} // namespace clmali::checks

#endif
