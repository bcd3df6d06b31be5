//===-- rewriters/lanes/Joins.h - Lanes reduced to one value -----------*- C++ -*-===//
//
// Operations that reduce many values to one, in any order.
//
//===----------------------------------------------------------------------===//
#ifndef CLMALI_REWRITERS_LANES_JOINS_H
#define CLMALI_REWRITERS_LANES_JOINS_H

#include "checks/model/ir/Model.h"

namespace clmali::rewrite {

/// From Min on they are idempotent. Choose: one of two values, by a comparison that the user of
/// these functions knows.
enum class Join : uint8_t { Sum, Product, And, Or, Xor, Min, Max, FMin, FMax, Choose };

/// X and Y, scalars or vectors of one type, joined. Not for Choose.
const model::Expr *join(model::Module &M, Join How, const model::Expr *X, const model::Expr *Y);

/// The type in which integers of type Elem are joined without undefined overflow: unsigned, of 32
/// bits or more, where the result may wrap.
model::ScalarKind joinedIn(Join How, model::ScalarKind Elem);

/// A value of scalar type Ty that joins with any other to that one. Null: Min or Max of floating
/// point or of more than 32 bits.
const model::Expr *neutralFor(model::Module &M, Join How, const model::Type *Ty);

/// All lanes of Vector, 2, 4, 8 or 16, as one value: its halves are joined, and so on.
/// Hold(E, Lanes): E in a variable; it has that many lanes.
const model::Expr *
joinLanes(model::Module &M, const model::Expr *Vector,
          llvm::function_ref<const model::Expr *(const model::Expr *, const model::Expr *)> Both,
          llvm::function_ref<const model::Expr *(const model::Expr *, unsigned Lanes)> Hold);

} // namespace clmali::rewrite
#endif
