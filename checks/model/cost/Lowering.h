//===-- checks/model/cost/Lowering.h - A kernel as the compiler executes it -*- C++ -*-===//
//
// What a GPU compiler makes of a kernel before it selects instructions, as far as costs depend on
// it: loops of few constant trips are unrolled, constants are folded, equal values are computed
// once, loop-invariant values are computed before the loop where the device's compiler does so, and
// what nothing uses is left out.
//
//   for (int c = 0; c < 4; ++c)                     4 loads, 4 addresses (one index, 4 offsets),
//     d[4 * i + c] = s[4 * i + c] / 9;              4 divisions by a constant, 4 stores
//
// An operation has the lanes of its vector type. Lanes that are only named anew (swizzles,
// literals of vectors) are an operation of class Pack; whether it takes an instruction depends on
// the registers of the device (Instructions.h).
//
// Limits: paths marked as rare are left out. Memory is known by the object: a store to global
// memory ends the validity of all loads from it.
//
//===----------------------------------------------------------------------===//
#ifndef CLMALI_CHECKS_MODEL_COST_LOWERING_H
#define CLMALI_CHECKS_MODEL_COST_LOWERING_H

#include "checks/model/analysis/Analysis.h"
#include "rules/Devices.h"

namespace clmali::model {

/// Operations of one class and element width have one cost on a device.
enum class OpClass : uint8_t {
  Leaf,  ///< a constant, an argument, an id, or the value of a variable where paths meet
  Alias, ///< the same bits under another type; a splat
  Add,
  Multiply,
  MultiplyHigh,
  MultiplyAdd, ///< contracted or not: mad, x * y + z
  Fused,       ///< fma: one rounding
  Shift,
  Bitwise,
  Compare,
  MinMax,
  Select,
  Saturate, ///< add_sat, sub_sat
  Average,  ///< hadd, abs_diff and others of a few instructions
  Widen,    ///< to an integer of more bits
  Narrow,
  FromInt, ///< integer to floating point
  ToInt,
  Resize,        ///< floating point to floating point
  Divide,        ///< of integers
  DivideByConst, ///< no power of two
  FloatDivide,
  Function, ///< of the class in Operation::Special
  Pack,     ///< lanes of other values: Operation::From
  Extend,   ///< an index to the width of addresses
  Scale,    ///< an index by the size of its elements
  Address,
  Offset,  ///< an address that differs from another one by a constant
  Control, ///< a branch; a loop iteration
  Barrier,
  Copy, ///< async_work_group_copy
  Load,
  Store,
  Atomic,
  Texture,    ///< a read of an image
  TexelStore, ///< a write to one
};
constexpr unsigned OpClasses = unsigned(OpClass::TexelStore) + 1;
/// "multiply-add", as in the facts of rules/devices.yaml.
llvm::StringRef name(OpClass C);

struct Operation {
  OpClass Class = OpClass::Leaf;
  bool Float = false;
  uint8_t Bits = 32; ///< of an element, where the operation is executed: the wider of both types
  uint8_t Lanes = 1;
  const Type *Ty = nullptr; ///< of the result; null: none
  rules::CostClass Special = rules::CostClass::Unknown;
  bool Used = false;    ///< a result or an effect depends on it
  bool Carried = false; ///< Leaf: a variable of a loop: its first and its next value
  bool Named = false;   ///< Pack: conversions choose its lanes from the registers of the sources
  unsigned Region = 0;  ///< that executes it
  llvm::SmallVector<unsigned, 3> Operands;
  /// Pack: operation and lane for each lane of the result.
  llvm::SmallVector<std::pair<unsigned, uint8_t>, 4> From;
  const Access *Acc = nullptr;
  const Var *Image = nullptr;   ///< Texture
  const Var *Sampler = nullptr; ///< Texture; null: it has none
  /// What is first computed by it, in At. Null: no expression of the kernel.
  const Expr *E = nullptr;
  const Stmt *At = nullptr;
};

/// A part of the kernel that is executed as a whole: the body, a path of a branch, a loop that is
/// not unrolled.
struct Region {
  enum Kind : uint8_t { Body, Path, Loop } K = Body;
  unsigned Parent = 0;
  double Times = 1; ///< executions in one work-item
  /// Path: the other path of the branch, executed instead of this one. 0: none.
  unsigned Instead = 0;
  bool Writes = false;    ///< Loop: may change memory that work-items share
  std::vector<int> Order; ///< operations; ~N: region N
};

struct Program {
  std::vector<Operation> Ops;
  std::vector<Region> Regions; ///< [0]: the body
  /// Values that elements of private arrays hold. A Leaf among them is what the element holds at
  /// the head of a loop.
  std::vector<std::pair<const Var *, unsigned>> Elements;
  bool isInside(unsigned Region, unsigned Ancestor) const;
};

Program lower(const KernelAnalysis &A, const rules::DeviceFacts &D);

} // namespace clmali::model
#endif
