//===- Formula.cpp ----------------------------------------------------------------------------===//

#include "tools/layer/Formula.h"
#include <algorithm>
#include <charconv>
#include <limits>

namespace clmali::layer {

class FormulaParser {
public:
  FormulaParser(std::string_view Text, const Formula::SlotOf &Slots) : Text(Text), Slots(Slots) {}

  std::optional<Formula> run() {
    binary(0);
    space();
    if (Failed || At != Text.size())
      return std::nullopt;
    return std::move(Result);
  }

private:
  using Op = Formula::Op;
  static constexpr unsigned MaxDepth = 200;

  static bool isWord(char C) {
    return (C >= '0' && C <= '9') || (C >= 'a' && C <= 'z') || (C >= 'A' && C <= 'Z') || C == '_';
  }
  void space() {
    while (At < Text.size() && (Text[At] == ' ' || Text[At] == '\t'))
      ++At;
  }
  bool take(std::string_view Token) {
    space();
    if (Text.substr(At, Token.size()) != Token)
      return false;
    At += Token.size();
    return true;
  }
  unsigned add(Op Kind, unsigned Left = 0, unsigned Right = 0, int64_t Value = 0) {
    Result.Nodes.push_back({Kind, Value, Left, Right});
    return Result.Nodes.size() - 1;
  }
  unsigned fail() {
    Failed = true;
    return 0;
  }

  struct Operator {
    std::string_view Token;
    Op Kind;
    unsigned Level;
  };
  unsigned binary(unsigned Level) {
    // A token comes before its prefixes.
    static constexpr Operator Operators[] = {
        {"||", Op::Or, 0},       {"&&", Op::And, 1},       {"==", Op::Equal, 2},
        {"!=", Op::NotEqual, 2}, {"<=", Op::LessEqual, 3}, {">=", Op::GreaterEqual, 3},
        {"<", Op::Less, 3},      {">", Op::Greater, 3},    {"+", Op::Add, 4},
        {"-", Op::Subtract, 4},  {"*", Op::Multiply, 5},   {"/", Op::Divide, 5},
        {"%", Op::Remainder, 5}};
    if (Level == 6)
      return unary();
    unsigned Left = binary(Level + 1);
    while (!Failed) {
      const Operator *Found =
          std::find_if(std::begin(Operators), std::end(Operators),
                       [&](const Operator &O) { return O.Level == Level && take(O.Token); });
      if (Found == std::end(Operators))
        return Left;
      unsigned Right = binary(Level + 1);
      Left = add(Found->Kind, Left, Right);
    }
    return 0;
  }
  unsigned unary() {
    if (++Depth > MaxDepth)
      return fail();
    unsigned Node = 0;
    if (take("-")) {
      unsigned Inner = unary();
      Node = add(Op::Negate, Inner);
    } else if (take("+")) {
      Node = unary();
    } else {
      Node = primary();
    }
    --Depth;
    return Node;
  }
  unsigned primary() {
    if (take("(")) {
      unsigned Inner = binary(0);
      return take(")") ? Inner : fail();
    }
    space();
    size_t End = At;
    while (End < Text.size() && isWord(Text[End]))
      ++End;
    std::string Word(Text.substr(At, End - At));
    if (Word.empty())
      return fail();
    At = End;
    if (Word[0] >= '0' && Word[0] <= '9')
      return number(Word);
    if (take("("))
      return call(Word);
    int Slot = Slots(Word);
    return Slot < 0 ? fail() : add(Op::Slot, 0, 0, Slot);
  }
  unsigned number(std::string_view Word) {
    int Base = 10;
    if (Word.starts_with("0x") || Word.starts_with("0X")) {
      Base = 16;
      Word.remove_prefix(2);
    }
    int64_t Value = 0;
    auto [End, Error] = std::from_chars(Word.data(), Word.data() + Word.size(), Value, Base);
    if (Error != std::errc() || End != Word.data() + Word.size())
      return fail();
    return add(Op::Number, 0, 0, Value);
  }
  /// width(src): one name.
  unsigned extent(const std::string &Name) {
    const size_t End = Text.find(')', At);
    if (End == std::string_view::npos)
      return fail();
    std::string Image;
    for (char C : Text.substr(At, End - At))
      if (C != ' ' && C != '\t')
        Image += C;
    At = End + 1;
    int Slot = Slots(Name + "(" + Image + ")");
    return Slot < 0 ? fail() : add(Op::Slot, 0, 0, Slot);
  }
  unsigned call(const std::string &Name) {
    if (Name == "width" || Name == "height" || Name == "depth" || Name == "layers")
      return extent(Name);
    Op Kind = Name == "roundup" ? Op::RoundUp : Name == "min" ? Op::Minimum : Op::Maximum;
    if (Kind == Op::Maximum && Name != "max")
      return fail();
    unsigned Left = binary(0);
    if (!take(","))
      return fail();
    unsigned Right = binary(0);
    return take(")") ? add(Kind, Left, Right) : fail();
  }

  std::string_view Text;
  const Formula::SlotOf &Slots;
  size_t At = 0;
  unsigned Depth = 0;
  bool Failed = false;
  Formula Result;
};

std::optional<Formula> Formula::parse(std::string_view Text, const SlotOf &Slots) {
  return FormulaParser(Text, Slots).run();
}

std::optional<int64_t> Formula::apply(Op Kind, int64_t A, int64_t B) {
  int64_t R = 0;
  bool DividesBadly = B == 0 || (A == std::numeric_limits<int64_t>::min() && B == -1);
  auto checked = [&](bool Overflows) { return Overflows ? std::nullopt : std::optional(R); };
  switch (Kind) {
  case Op::Add:
    return checked(__builtin_add_overflow(A, B, &R));
  case Op::Subtract:
    return checked(__builtin_sub_overflow(A, B, &R));
  case Op::Multiply:
    return checked(__builtin_mul_overflow(A, B, &R));
  case Op::Divide:
    return DividesBadly ? std::nullopt : std::optional(A / B);
  case Op::Remainder:
    return DividesBadly ? std::nullopt : std::optional(A % B);
  case Op::Less:
    return A < B;
  case Op::LessEqual:
    return A <= B;
  case Op::Greater:
    return A > B;
  case Op::GreaterEqual:
    return A >= B;
  case Op::Equal:
    return A == B;
  case Op::NotEqual:
    return A != B;
  case Op::Minimum:
    return std::min(A, B);
  case Op::Maximum:
    return std::max(A, B);
  case Op::RoundUp: {
    if (B <= 0)
      return std::nullopt;
    int64_t Over = A % B;
    if (Over == 0)
      return A;
    return checked(__builtin_add_overflow(A, Over > 0 ? B - Over : -Over, &R));
  }
  default:
    return std::nullopt;
  }
}

std::optional<int64_t> Formula::valueOf(size_t Index, const std::vector<int64_t> &Slots) const {
  const Node &N = Nodes[Index];
  if (N.Kind == Op::Number)
    return N.Value;
  if (N.Kind == Op::Slot)
    return Slots[N.Value];
  std::optional<int64_t> A = valueOf(N.Left, Slots);
  if (!A)
    return std::nullopt;
  if (N.Kind == Op::Negate)
    return apply(Op::Subtract, 0, *A);
  if (N.Kind == Op::And && !*A)
    return 0;
  if (N.Kind == Op::Or && *A)
    return 1;
  std::optional<int64_t> B = valueOf(N.Right, Slots);
  if (!B)
    return std::nullopt;
  if (N.Kind == Op::And || N.Kind == Op::Or)
    return *B != 0;
  return apply(N.Kind, *A, *B);
}

} // namespace clmali::layer
