// Parsing and checked evaluation of launch expressions: recursive descent with
// C's precedences into a flat list of nodes.
#include "rewriters/launch/Expression.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/MathExtras.h"

#include <limits>

using namespace llvm;

namespace clmali::launch {

namespace {
Error failure(const Twine &Message) { return createStringError(inconvertibleErrorCode(), Message); }

/// Deeper nesting would overflow the stack.
constexpr unsigned MaxDepth = 200;
} // namespace

class ExpressionParser {
public:
  explicit ExpressionParser(StringRef Text) : Text(Text) {}

  Expected<Expression> run() {
    Result.Text = Text.trim().str();
    unsigned Root = binary(0);
    if (Problem.empty()) {
      skipSpace();
      if (At != Text.size())
        fail("an operator or the end");
    }
    if (!Problem.empty())
      return failure("expression '" + Text + "': " + Problem);
    (void)Root; // the root is created last
    return std::move(Result);
  }

private:
  using Op = Expression::Op;

  void skipSpace() {
    while (At < Text.size() && isSpace(Text[At]))
      ++At;
  }
  unsigned fail(const Twine &Wanted) {
    if (Problem.empty())
      Problem = ("column " + Twine(At + 1) + ": expected " + Wanted).str();
    return 0;
  }
  bool take(StringRef Token) {
    skipSpace();
    if (!Text.substr(At).starts_with(Token))
      return false;
    At += Token.size();
    return true;
  }
  unsigned add(Op Kind, unsigned Left = 0, unsigned Right = 0) {
    Expression::Node N;
    N.Kind = Kind;
    N.Left = Left;
    N.Right = Right;
    Result.Nodes.push_back(std::move(N));
    return Result.Nodes.size() - 1;
  }

  struct Operator {
    StringRef Token;
    Op Kind;
  };
  /// A token comes before its prefixes.
  static ArrayRef<Operator> operatorsAt(unsigned Level) {
    static const Operator Or[] = {{"||", Op::Or}};
    static const Operator And[] = {{"&&", Op::And}};
    static const Operator Equality[] = {{"==", Op::Equal}, {"!=", Op::NotEqual}};
    static const Operator Order[] = {
        {"<=", Op::LessEqual}, {">=", Op::GreaterEqual}, {"<", Op::Less}, {">", Op::Greater}};
    static const Operator Sum[] = {{"+", Op::Add}, {"-", Op::Subtract}};
    static const Operator Product[] = {
        {"*", Op::Multiply}, {"/", Op::Divide}, {"%", Op::Remainder}};
    static const ArrayRef<Operator> Levels[] = {Or, And, Equality, Order, Sum, Product};
    return Levels[Level];
  }
  static constexpr unsigned LevelCount = 6;

  unsigned binary(unsigned Level) {
    if (Level == LevelCount)
      return unary();
    unsigned Left = binary(Level + 1);
    while (Problem.empty()) {
      const Operator *Found = nullptr;
      for (const Operator &O : operatorsAt(Level))
        if (take(O.Token)) {
          Found = &O;
          break;
        }
      if (!Found)
        return Left;
      unsigned Right = binary(Level + 1);
      Left = add(Found->Kind, Left, Right);
    }
    return 0;
  }

  unsigned unary() {
    if (++Depth > MaxDepth)
      return fail("an expression that nests less than " + Twine(MaxDepth) + " deep");
    unsigned Node = 0;
    if (take("-"))
      Node = add(Op::Negate, unary());
    else if (take("+"))
      Node = unary();
    else
      Node = primary();
    --Depth;
    return Node;
  }

  unsigned primary() {
    skipSpace();
    if (take("(")) {
      unsigned Inner = binary(0);
      if (Problem.empty() && !take(")"))
        return fail("')'");
      return Inner;
    }
    StringRef Rest = Text.substr(At);
    if (Rest.empty())
      return fail("a number, a name or '('");
    if (isDigit(Rest.front()))
      return number(Rest);
    if (isAlpha(Rest.front()) || Rest.front() == '_') {
      StringRef Name = Rest.take_while([](char C) { return isAlnum(C) || C == '_'; });
      unsigned Start = At;
      At += Name.size();
      if (take("("))
        return call(Name, Start);
      unsigned Node = add(Op::Name);
      Result.Nodes[Node].Name = Name.str();
      return Node;
    }
    return fail("a number, a name or '('");
  }

  unsigned number(StringRef Rest) {
    StringRef Digits = Rest.take_while([](char C) { return isAlnum(C) || C == '.'; });
    int64_t Value = 0;
    // A leading 0 does not mean octal: 010 is 10.
    bool Hex = Digits.starts_with_insensitive("0x");
    if ((Hex ? Digits.drop_front(2) : Digits).getAsInteger(Hex ? 16 : 10, Value))
      return fail("an integer of at most 64 bits, not '" + Digits + "'");
    At += Digits.size();
    unsigned Node = add(Op::Number);
    Result.Nodes[Node].Value = Value;
    return Node;
  }

  unsigned call(StringRef Name, unsigned Start) {
    if (is_contained(extentNames(), Name))
      return extent(Name);
    std::optional<Op> Kind = StringSwitch<std::optional<Op>>(Name)
                                 .Case("roundup", Op::RoundUp)
                                 .Case("min", Op::Minimum)
                                 .Case("max", Op::Maximum)
                                 .Default(std::nullopt);
    if (!Kind) {
      At = Start;
      return fail("roundup, min, max, width, height, depth or layers before '(', not '" + Name +
                  "'");
    }
    unsigned Left = binary(0);
    if (Problem.empty() && !take(","))
      return fail("',': " + Name + " takes two values");
    unsigned Right = Problem.empty() ? binary(0) : 0;
    if (Problem.empty() && !take(")"))
      return fail("')'");
    return Problem.empty() ? add(*Kind, Left, Right) : 0;
  }

  /// The name of an image and the parenthesis behind it.
  unsigned extent(StringRef Name) {
    skipSpace();
    StringRef Image = Text.substr(At).take_while([](char C) { return isAlnum(C) || C == '_'; });
    if (Image.empty() || isDigit(Image.front()))
      return fail("the name of an image");
    At += Image.size();
    if (!take(")"))
      return fail("')'");
    unsigned Node = add(Op::Name);
    Result.Nodes[Node].Name = extentName(Name, Image);
    return Node;
  }

  StringRef Text;
  size_t At = 0;
  unsigned Depth = 0;
  std::string Problem;
  Expression Result{Expression::Unset{}};
};

Expected<Expression> Expression::parse(StringRef Text) { return ExpressionParser(Text).run(); }

Expression Expression::constant(int64_t Value) {
  Expression E{Unset{}};
  E.Text = std::to_string(Value);
  Node N;
  N.Value = Value;
  E.Nodes.push_back(std::move(N));
  return E;
}

std::vector<std::string> Expression::names() const {
  std::vector<std::string> Names;
  for (const Node &N : Nodes)
    if (N.Kind == Op::Name && !is_contained(Names, N.Name))
      Names.push_back(N.Name);
  return Names;
}

Expected<int64_t> Expression::evaluate(const Bindings &Values) const {
  Expected<int64_t> Value = evaluateNode(Nodes.size() - 1, Values);
  if (!Value)
    return failure("'" + Text + "': " + toString(Value.takeError()));
  return Value;
}

/// The least multiple of \p B that is not below \p A, for negative values too.
static Expected<int64_t> roundUp(int64_t A, int64_t B) {
  if (B <= 0)
    return failure("roundup to a multiple of " + Twine(B));
  int64_t Over = A % B;
  if (Over == 0)
    return A;
  int64_t Result = 0;
  if (AddOverflow(A, Over > 0 ? B - Over : -Over, Result))
    return failure("overflow in a roundup");
  return Result;
}

/// A binary operation on two values; an error where it overflows or is undefined.
Expected<int64_t> Expression::apply(Op Kind, int64_t A, int64_t B) {
  int64_t Result = 0;
  constexpr int64_t Lowest = std::numeric_limits<int64_t>::min();
  auto overflow = [](StringRef What) { return failure("overflow in a " + What); };
  switch (Kind) {
  case Op::Add:
    if (AddOverflow(A, B, Result))
      return overflow("sum");
    return Result;
  case Op::Subtract:
    if (SubOverflow(A, B, Result))
      return overflow("difference");
    return Result;
  case Op::Multiply:
    if (MulOverflow(A, B, Result))
      return overflow("product");
    return Result;
  case Op::Divide:
  case Op::Remainder:
    if (B == 0)
      return failure("division by zero");
    if (A == Lowest && B == -1)
      return overflow("division");
    return Kind == Op::Divide ? A / B : A % B;
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
  case Op::And:
  case Op::Or:
    return B != 0;
  case Op::Minimum:
    return std::min(A, B);
  case Op::Maximum:
    return std::max(A, B);
  case Op::RoundUp:
    return roundUp(A, B);
  case Op::Number:
  case Op::Name:
  case Op::Negate:
    break;
  }
  return failure("malformed expression");
}

Expected<int64_t> Expression::evaluateNode(unsigned Index, const Bindings &Values) const {
  const Node &N = Nodes[Index];
  if (N.Kind == Op::Number)
    return N.Value;
  if (N.Kind == Op::Name) {
    auto It = Values.find(N.Name);
    if (It == Values.end())
      return failure("unknown name '" + N.Name + "'");
    return It->second;
  }

  Expected<int64_t> LeftValue = evaluateNode(N.Left, Values);
  if (!LeftValue)
    return LeftValue;
  const int64_t A = *LeftValue;
  int64_t Result = 0;
  if (N.Kind == Op::Negate) {
    if (SubOverflow<int64_t>(0, A, Result))
      return failure("overflow in a negation");
    return Result;
  }
  if (N.Kind == Op::And && !A)
    return 0;
  if (N.Kind == Op::Or && A)
    return 1;

  Expected<int64_t> RightValue = evaluateNode(N.Right, Values);
  if (!RightValue)
    return RightValue;
  return apply(N.Kind, A, *RightValue);
}

Expression Expression::replaced(const std::map<std::string, std::string> &Texts) const {
  auto isWord = [](char C) { return isAlnum(C) || C == '_'; };
  std::string Out;
  for (StringRef Rest = Text; !Rest.empty();) {
    StringRef Word = Rest.take_while(isWord);
    if (Word.empty()) {
      Out += Rest.front();
      Rest = Rest.drop_front();
      continue;
    }
    Rest = Rest.drop_front(Word.size());
    if (is_contained(extentNames(), Word) && Rest.ltrim().starts_with("(")) {
      // The name in parentheses is that of an argument.
      auto [Inside, Behind] = Rest.ltrim().drop_front().split(')');
      auto Extent = Texts.find(extentName(Word, Inside.trim()));
      Out += Extent == Texts.end() ? extentName(Word, Inside.trim()) : "(" + Extent->second + ")";
      Rest = Behind;
      continue;
    }
    auto It = Texts.find(Word.str());
    bool IsName = !isDigit(Word.front()) && !Rest.ltrim().starts_with("(");
    if (!IsName || It == Texts.end())
      Out += Word;
    else if (all_of(It->second, isWord))
      Out += It->second;
    else
      Out += "(" + It->second + ")";
  }
  Expected<Expression> E = parse(Out);
  if (E)
    return *E;
  consumeError(E.takeError()); // a text that is no expression: nothing is replaced
  return *this;
}

std::optional<int64_t> Expression::numberAt(unsigned Index) const {
  if (Nodes[Index].Kind != Op::Number)
    return std::nullopt;
  return Nodes[Index].Value;
}

Expression Expression::partAt(unsigned Index) const {
  // Children come before their parents.
  std::vector<bool> Used(Index + 1);
  Used[Index] = true;
  auto isLeaf = [](const Node &N) { return N.Kind == Op::Number || N.Kind == Op::Name; };
  for (unsigned I = Index + 1; I-- > 0;)
    if (Used[I] && !isLeaf(Nodes[I]))
      Used[Nodes[I].Left] = Used[Nodes[I].Kind == Op::Negate ? Nodes[I].Left : Nodes[I].Right] =
          true;
  Expression E{Unset{}};
  E.Text = Text;
  std::vector<unsigned> Number(Index + 1);
  for (unsigned I = 0; I <= Index; ++I) {
    if (!Used[I])
      continue;
    Number[I] = E.Nodes.size();
    E.Nodes.push_back(Nodes[I]);
    E.Nodes.back().Left = Number[Nodes[I].Left];
    E.Nodes.back().Right = Number[Nodes[I].Right];
  }
  return E;
}

std::optional<Expression> Expression::roundedValue() const {
  const Node &Root = Nodes.back();
  if (Root.Kind == Op::RoundUp && numberAt(Root.Right))
    return partAt(Root.Left);
  if (Root.Kind != Op::Multiply)
    return std::nullopt;
  // (X + N - 1) / N * N and N * ((X + N - 1) / N); some hosts add N.
  for (auto [Quotient, Factor] : {std::pair(Root.Left, Root.Right), {Root.Right, Root.Left}}) {
    std::optional<int64_t> N = numberAt(Factor);
    const Node &Division = Nodes[Quotient];
    if (!N || Division.Kind != Op::Divide || numberAt(Division.Right) != N)
      continue;
    const Node &Sum = Nodes[Division.Left];
    if (Sum.Kind == Op::Add && (numberAt(Sum.Right) == *N - 1 || numberAt(Sum.Right) == *N))
      return partAt(Sum.Left);
    // (X + N) - 1, as it is usually written.
    if (Sum.Kind == Op::Subtract && numberAt(Sum.Right) == 1 && Nodes[Sum.Left].Kind == Op::Add &&
        numberAt(Nodes[Sum.Left].Right) == N)
      return partAt(Nodes[Sum.Left].Left);
  }
  return std::nullopt;
}

std::string extentName(StringRef Extent, StringRef Image) {
  return (Extent + "(" + Image + ")").str();
}

ArrayRef<StringLiteral> extentNames() {
  static constexpr StringLiteral Names[] = {"width", "height", "depth", "layers"};
  return Names;
}

bool isReservedName(StringRef Name) {
  return Name.size() == 2 && StringRef("glo").contains(Name[0]) &&
         StringRef("xyz").contains(Name[1]);
}

} // namespace clmali::launch
