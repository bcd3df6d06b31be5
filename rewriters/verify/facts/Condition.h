// Comparisons of which both sides are computed from scalar arguments, ids and loaded values, as
// small programs that are evaluated for many sizes: to find those at which a comparison decides
// differently.
#ifndef CLMALI_REWRITERS_VERIFY_FACTS_CONDITION_H
#define CLMALI_REWRITERS_VERIFY_FACTS_CONDITION_H

#include "llvm/ADT/ArrayRef.h"

#include <cstdint>
#include <optional>
#include <set>
#include <vector>

namespace llvm {
class Function;
} // namespace llvm

namespace clmali::verify {

/// A comparison as a list of operations on the values of earlier ones. Values have up to 64 bits,
/// zero-extended.
struct Condition {
  enum class Op : uint8_t {
    Constant, ///< Value
    Leaf,     ///< leaf number A
    Add,
    Subtract,
    Multiply,
    UnsignedDivide,
    SignedDivide,
    UnsignedRemainder,
    SignedRemainder,
    ShiftLeft,
    ShiftRight,
    ShiftRightSigned,
    And,
    Or,
    Xor,
    SignExtend, ///< from Value bits
    Truncate,   ///< also zero-extends
    Equal,
    Less, ///< unsigned
    LessSigned,
    Not,      ///< of a bit
    Select,   ///< A ? B : C
    RoundUp,  ///< A to a multiple of B
    FloatAdd, ///< of float or double, by the width; so are the others
    FloatSubtract,
    FloatMultiply,
    FloatDivide,
    FloatEqual,
    FloatLess,
    FloatOfSigned,  ///< of an integer of Value bits
    FloatOfUnsigned ///< the same
  };
  struct Node {
    Op K = Op::Constant;
    uint8_t Width = 64; ///< of the result, and of the operands of a comparison
    unsigned A = 0, B = 0, C = 0;
    uint64_t Value = 0;
    auto operator<=>(const Node &) const = default;
  };
  /// What a leaf stands for.
  struct Input {
    enum class Kind : uint8_t {
      Scalar,
      Id,
      Size,
      Loaded ///< from a buffer: any element
    } K = Kind::Scalar;
    unsigned Number = 0; ///< of the argument, or the dimension
    auto operator<=>(const Input &) const = default;
  };
  std::vector<Node> Nodes; ///< the last one is the whole
  std::vector<Input> Leaves;

  auto operator<=>(const Condition &) const = default;

  /// True if the leaf is a floating-point number: an operand of such an operation.
  bool isFloat(unsigned LeafNumber) const;

  /// The value of the last node; nothing where it divides by zero. \p Scratch is reused.
  std::optional<uint64_t> evaluate(llvm::ArrayRef<uint64_t> Leaves,
                                   std::vector<uint64_t> &Scratch) const;
};

/// The comparisons in \p Kernel and the functions that it calls, of an unoptimised module, which
/// this changes. Without those of an argument, id or loaded value with a constant.
std::set<Condition> conditionsIn(llvm::Function &Kernel);

} // namespace clmali::verify

#endif
