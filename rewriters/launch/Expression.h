// The integer expressions of launch files and manifests.
//
// Checked 64-bit integers with C's truncation: names, numbers, + - * / % ( ),
// comparisons, && ||, roundup(a, b), min(a, b), max(a, b), and the extents of an
// image: width(a), height(a), depth(a), layers(a). Overflow, division
// by zero and unknown names are errors, never a wrapped value: a launch with a
// wrapped size would run and be wrong. && and || do not evaluate their right
// side where the left side decides, so "n > 0 && gx % n == 0" is safe.
#ifndef CLMALI_REWRITERS_LAUNCH_EXPRESSION_H
#define CLMALI_REWRITERS_LAUNCH_EXPRESSION_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace clmali::launch {

/// Values of the names that an expression may use.
using Bindings = std::map<std::string, int64_t, std::less<>>;

class Expression {
public:
  enum class Op : uint8_t {
    Number,
    Name,
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
  /// An operation on two nodes before it; a negation on the left one.
  struct Node {
    Op Kind = Op::Number;
    int64_t Value = 0;
    std::string Name;
    unsigned Left = 0, Right = 0;
  };

  /// The constant 0.
  Expression() : Expression(constant(0)) {}

  /// Parses the whole of \p Text; the error names the column and what was
  /// expected there.
  static llvm::Expected<Expression> parse(llvm::StringRef Text);
  static Expression constant(int64_t Value);

  /// The value under \p Values; comparisons and logic give 0 or 1.
  llvm::Expected<int64_t> evaluate(const Bindings &Values) const;

  /// The text as it was written.
  const std::string &text() const { return Text; }
  /// Operands before the operations on them; the last is the whole expression.
  llvm::ArrayRef<Node> nodes() const { return Nodes; }
  /// The node as an expression of its own, with the text of the whole one.
  Expression partAt(unsigned Index) const;
  /// Every name that is used, each once, in order of appearance; the extent of an image is a name
  /// as extentName() gives it.
  std::vector<std::string> names() const;
  /// The expression with each name of \p Texts replaced by its text, in parentheses where it is
  /// more than a name or a number.
  Expression replaced(const std::map<std::string, std::string> &Texts) const;
  /// X, if this is roundup(X, N), (X + N - 1) / N * N or (X + N) / N * N for a number N.
  std::optional<Expression> roundedValue() const;

  friend bool operator==(const Expression &A, const Expression &B) { return A.Text == B.Text; }

private:
  friend class ExpressionParser;
  struct Unset {};
  explicit Expression(Unset) {}
  std::optional<int64_t> numberAt(unsigned Index) const;
  llvm::Expected<int64_t> evaluateNode(unsigned Index, const Bindings &Values) const;
  static llvm::Expected<int64_t> apply(Op Kind, int64_t A, int64_t B);

  std::string Text;
  std::vector<Node> Nodes;
};

/// "width(src)": the name of an extent of image \p Image in Bindings. \p Extent is one of the names
/// of extentNames().
std::string extentName(llvm::StringRef Extent, llvm::StringRef Image);
/// width, height, depth, layers.
llvm::ArrayRef<llvm::StringLiteral> extentNames();

/// True for gx gy gz lx ly lz ox oy oz: names of the original's geometry in a
/// manifest, which no size variable and no argument may take.
bool isReservedName(llvm::StringRef Name);

} // namespace clmali::launch

#endif
