//===- Formula.h - the expressions of manifests, for the layer --------------------------------===//
//
// The same language as rewriters/launch/Expression.h: checked 64-bit integers with C's truncation,
// comparisons, && ||, roundup, min, max, and width(a) .. layers(a), which are names. Names are
// slots of an array, so that a launch costs no look-up. An overflow, a division by zero or an
// unknown name gives no value.
//
//===------------------------------------------------------------------------------------------===//

#ifndef CLMALI_TOOLS_LAYER_FORMULA_H
#define CLMALI_TOOLS_LAYER_FORMULA_H

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace clmali::layer {

class Formula {
public:
  /// The slot of a name; -1: there is no such name.
  using SlotOf = std::function<int(const std::string &)>;

  static std::optional<Formula> parse(std::string_view Text, const SlotOf &Slots);
  std::optional<int64_t> evaluate(const std::vector<int64_t> &Slots) const {
    return valueOf(Nodes.size() - 1, Slots);
  }

private:
  enum class Op : uint8_t {
    Number,
    Slot,
    Negate,
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    Equal,
    NotEqual,
    And,
    Or,
    RoundUp,
    Minimum,
    Maximum
  };
  struct Node {
    Op Kind = Op::Number;
    int64_t Value = 0;
    unsigned Left = 0, Right = 0;
  };
  friend class FormulaParser;
  static std::optional<int64_t> apply(Op Kind, int64_t A, int64_t B);
  std::optional<int64_t> valueOf(size_t Index, const std::vector<int64_t> &Slots) const;

  std::vector<Node> Nodes; // children before parents; the last is the root
};

} // namespace clmali::layer

#endif
