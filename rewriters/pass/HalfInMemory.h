//===-- rewriters/pass/HalfInMemory.h - Halves that are only stored -----*- C++ -*-===//
#ifndef CLMALI_REWRITERS_PASS_HALFINMEMORY_H
#define CLMALI_REWRITERS_PASS_HALFINMEMORY_H

#include "checks/model/ir/Model.h"

namespace clmali::rewrite {

/// Makes values and variables of half float where Original, which K was made from, has half in
/// memory only: loaded and stored by vload_half and vstore_half. False: some value is rounded to
/// half and used; K is not to be used then.
bool keepHalfInMemory(model::Module &M, const model::Kernel &Original, model::Kernel &K);

} // namespace clmali::rewrite
#endif
