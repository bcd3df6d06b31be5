//===-- checks/model/frontend/tolerant/Meaning.cpp - What an unknown name stands for -===//
//
// See TokenScan.h. First each use of the name is classified, then the kinds of use decide.
//
//   __kernel void k(__global TYPE *x)   a type: `TYPE *x` in a list of parameters
//   x[N * i]                            a constant
//   INLINE int f(int x)                 a qualifier: a type and a name follow
//   x = LOAD(p, i);                     a function
//
//===----------------------------------------------------------------------===//

#include "checks/model/frontend/tolerant/NameForms.h"
#include <set>

using llvm::StringRef;

namespace clmali::model {

/// The uses of one name.
struct TokenScan::NameUse {
  // The number of uses of each kind.
  unsigned Type = 0, Qualifier = 0, Constant = 0, Call = 0, Operator = 0;
  unsigned Nothing = 0;       ///< a statement of its own: NAME;
  unsigned Whole = 0;         ///< a statement without a semicolon
  unsigned Maybe = 0;         ///< `f(NAME * x)`: a constant or a type
  unsigned QualifierCall = 0; ///< f(NAME(n) __global T *p), NAME(n) __kernel void f(..)
  unsigned CaseNumber = 0;    ///< the token of the first `case NAME:`
  bool Pasted = false;        ///< ##
  bool Compared = false;      ///< x == NAME, NAME != 1
  bool StoresInteger = false; ///< p[i] = (NAME)n, where n is an integer

  // Of the calls.
  bool AsStatement = false;         ///< NAME(x);
  unsigned Writes = 0;              ///< NAME(.., image, position, colour);
  bool Declares = false;            ///< NAME(T, n) x;
  bool NoArgument = false;          ///< NAME()
  bool TakesAddress = false;        ///< NAME(&x)
  unsigned Arguments = 0;           ///< the largest number of arguments
  std::optional<unsigned> Image;    ///< which argument is an image
  std::set<unsigned> TypeArguments; ///< CONVERT(x, TYPE): arguments that are no values
  StringRef Component;              ///< NAME(..).x
  unsigned NamedParts = 0;          ///< NAME(a, b)(int x) makes a name of so many parts
  bool NamesKernel = false;         ///< and with it what precedes a kernel's name

  // Other names for it.
  StringRef Alias;     ///< #define ALIAS NAME
  StringRef CallAlias; ///< #define ALIAS(x) NAME(x)
};

static bool isOneOf(StringRef Token, StringRef Characters) {
  return Token.size() == 1 && Characters.contains(Token);
}

static bool beginsStatement(StringRef Before) {
  return Before.empty() || Before == ";" || Before == "{" || Before == "}";
}

StringRef TokenScan::definedBy(size_t I) const {
  auto Body = I ? BodyBegins.find(I - 1) : BodyBegins.end();
  return Body == BodyBegins.end() ? StringRef() : Body->second;
}

/// A value ends before token I and another begins after it: a.x OP b.x, f(x) OP 3.
bool TokenScan::isBetweenValues(size_t I) const {
  StringRef Before = before(I), After = at(I + 1);
  bool ValueBefore = Before == ")" || Before == "]" ||
                     (isName(Before) && !isTypeWord(Before) && !isStatementWord(Before) && I > 1 &&
                      at(I - 2) == ".");
  bool ValueAfter = isName(After) ? !isTypeWord(After)
                                  : !After.empty() && (llvm::isDigit(After[0]) || After[0] == '.');
  return ValueBefore && ValueAfter && !isStatementWord(After);
}

/// Adds the call at token I to U.
void TokenScan::addCall(StringRef Name, size_t I, NameUse &U) const {
  ++U.Call;
  unsigned Depth = 0, Argument = 0;
  std::optional<unsigned> Image; // of this call
  bool ReadsImage = false;
  size_t J = I + 1, ArgumentBegin = I + 2;
  auto EndArgument = [&] {
    if (J == ArgumentBegin + 1 && (isTypeWord(at(ArgumentBegin)) || namesType(at(ArgumentBegin))))
      U.TypeArguments.insert(Argument);
    ArgumentBegin = J + 1;
  };
  for (; J < Tokens.size(); ++J) {
    if (at(J) == "(")
      ++Depth;
    else if (at(J) == ")" && --Depth == 0) {
      EndArgument();
      break;
    } else if (at(J) == "," && Depth == 1) {
      EndArgument();
      ++Argument;
    } else if (Depth == 1 && isName(at(J)) && !Image && isImage(at(J))) {
      Image = Argument;
      ReadsImage = isReadOnly(at(J));
    }
  }
  if (!U.Image)
    U.Image = Image;
  U.Arguments = std::max(U.Arguments, Argument + 1);
  U.NoArgument |= J == I + 2;
  for (size_t A = I + 2; A < J; ++A)
    U.TakesAddress |= at(A) == "&" && (at(A - 1) == "(" || at(A - 1) == ",");
  StringRef Before = before(I), Then = at(J + 1), Later = at(J + 2);
  // #define next(s) stream_next(s): both names have one meaning.
  if (StringRef Defined = definedBy(I);
      I && BodyBegins.count(I - 1) && Then == ";" && Defined != Name) {
    U.CallAlias = Defined;
    return;
  }
  // Before a type, or before another macro that names a function: ATTR(16) KERNEL(copy)(..)
  unsigned Parts = isName(Then) ? namesFrom(J + 2) : 0;
  bool NamesFunction = Parts && at(J + 2 * Parts + 3) == "(";
  if (((Before == "(" || Before == ",") && isTypeWord(Then)) ||
      ((beginsStatement(Before) || Before == ")") && (isTypeWord(Then) || NamesFunction)))
    ++U.QualifierCall;
  if (Then == "." && isSwizzle(Later))
    U.Component = Later;
  if (isName(Then) && (Later == "=" || Later == ";" || Later == "," || Later == "["))
    U.Declares = true;
  else if (beginsStatement(Before) && (Then == ";" || isName(Then) || Then == "}") &&
           !isInHeader(I)) {
    U.AsStatement = true;
    U.Writes += Image && !ReadsImage && Argument - *Image == 2;
  }
}

/// Adds `NAME *..` at token I to U: a product or a pointer. `f(A * B)` may be either;
/// `void f(T *p)` and `(T *)p` are no products.
void TokenScan::addStar(size_t I, NameUse &U) const {
  StringRef Before = before(I), Beyond = at(I + 2), Then = at(I + 3);
  bool Declarator = I > 2 && isName(at(I - 2)) && isTypeWord(at(I - 3));
  // A value that is added or assigned, and a cast, which has no name: n * (ROWS * COLS)
  StringRef Outside = Before == "(" && I > 1 ? at(I - 2) : StringRef();
  bool OfValue = Outside == "return" || isOneOf(Outside, "+-/*%<>&|?:=^~!");
  if (isName(Beyond) && (isOneOf(Then, "+-/*%<>&|?") || OfValue))
    ++U.Constant; // (WIDTH * y + x)
  else if (isName(Beyond) && (Before == "(" || Before == ",") && !Declarator)
    ++(isInCall(I) ? U.Constant : U.Maybe);
  else
    ++U.Type;
}

/// Adds `(NAME)` at token I to U: a cast, or a value in parentheses.
void TokenScan::addParenthesized(size_t I, NameUse &U) const {
  StringRef Callee = I > 1 ? at(I - 2) : StringRef(), Beyond = at(I + 2);
  bool Called = isName(Callee) && !isStatementWord(Callee);
  // p[i] = (T)n;
  StringRef Assigned = Callee == "=" && I > 2 ? at(I - 3) : StringRef();
  U.StoresInteger |= Assigned == "]" && isInteger(Beyond) && at(I + 3) == ";";
  if (Callee == "sizeof" || (!Called && (isName(Beyond) || Beyond == "(" ||
                                         (!Beyond.empty() && llvm::isDigit(Beyond[0])))))
    ++U.Type;
  else if (!Called)
    ++U.Constant;
}

/// The body of a #define is a product that begins with token I: #define SIZE GROUPS*LANES,
/// #define SIZE (GROUPS * LANES).
bool TokenScan::isDefinedProduct(size_t I) const {
  bool Bare = I && BodyBegins.count(I - 1) && at(I + 3) == ";";
  bool InParens =
      I > 1 && before(I) == "(" && BodyBegins.count(I - 2) && at(I + 3) == ")" && at(I + 4) == ";";
  return at(I + 1) == "*" && isName(at(I + 2)) && (Bare || InParens);
}

/// Adds the use of Name at token I to U.
void TokenScan::addUse(StringRef Name, size_t I, NameUse &U) const {
  StringRef Before = before(I), After = at(I + 1), Beyond = at(I + 2);
  bool Begins = beginsStatement(Before);
  U.Compared |= (Before == "=" && I > 1 && (at(I - 2) == "=" || at(I - 2) == "!")) ||
                ((After == "=" || After == "!") && Beyond == "=");
  if (isWholeStatement(I)) {
    ++U.Whole;
  } else if (isBetweenValues(I)) {
    ++U.Operator;
  } else if (Before == "case" && After == ":") {
    U.CaseNumber = U.CaseNumber ? U.CaseNumber : I;
    ++U.Constant;
  } else if (After == "##" || Before == "##") {
    U.Pasted = true;
  } else if (unsigned Parts = namesFrom(I + 1); Parts && at(I + 2 * Parts + 2) == "(") {
    // uint NAME(index)(uint x), KERNEL(copy)(__global T *x), void NAMED(copy, T)(__global T *x)
    U.NamedParts = std::max(U.NamedParts, Parts);
    U.NamesKernel |= !isTypeWord(Before) && !isStatementWord(Before) && (Before == ")" || Begins);
  } else if (After == "(" && !isTypeWord(Before) && (Before != "*" || isProduct(I - 1))) {
    addCall(Name, I, U);
  } else if (isDefinedProduct(I)) {
    ++U.Constant;
  } else if (After == "*" && (Before == "(" || Before == "," || Begins || isTypeWord(Before)) &&
             (isName(Beyond) || Beyond == ")" || Beyond == "*")) {
    addStar(I, U);
  } else if (After == "const" || After == "volatile" || After == "restrict") {
    // T const *x; Q const T *x
    bool Precedes =
        isName(Beyond) && (at(I + 3) == "*" || (isName(at(I + 3)) && !isStatementWord(at(I + 3))));
    ++(Precedes ? U.Qualifier : U.Type);
  } else if (isName(After) && !isStatementWord(After)) {
    bool Precedes = isTypeWord(After) || isName(Beyond) ||
                    (Beyond == "*" && isName(at(I + 3)) && !isStatementWord(at(I + 3)));
    ++(Precedes ? U.Qualifier : U.Type); // Q T *p, T p
  } else if (Before == "(" && After == ")") {
    addParenthesized(I, U);
  } else if (After == ";" && Begins) {
    if (StringRef Defined = definedBy(I); I && BodyBegins.count(I - 1) && Uses.contains(Defined))
      U.Alias = Defined;
    ++U.Nothing;
  } else if (Before == "(" || Before == ",") {
    // An argument of a macro may be a type or a value.
    if (After != "," && After != ")")
      ++U.Constant;
  } else {
    ++U.Constant;
  }
}

/// What a name that is only called stands for.
static Meaning meaningOfCall(const TokenScan::NameUse &U, StringRef Capital) {
  // A statement that write_imagef cannot be, in all its uses, does something else.
  if (U.Image && (!U.AsStatement || U.Writes == U.Call)) {
    // The arguments before the image are the macro's own; a sampler may be left out.
    std::string Parameters = "(";
    for (unsigned A = 0; A < *U.Image; ++A)
      Parameters += "a" + std::to_string(A) + ",";
    if (U.AsStatement)
      return {Parameters + "...)", "write_imagef(__VA_ARGS__)", false, false};
    if (U.Arguments - *U.Image == 3)
      return {Parameters + "i,s,...)", "read_imagef(i,__VA_ARGS__)", false, false};
    return {Parameters + "...)", "read_imagef(__VA_ARGS__)", false, false};
  }
  if (U.AsStatement)
    return {"(...)", "", false, false};
  if (StringRef Rest = Capital; Rest.consume_front("CONVERT"))
    return {"(...)", "convert_" + typeOf(Rest.ltrim('_')).Value + "(__VA_ARGS__)", false, false};
  if (!U.TypeArguments.empty()) {
    std::string Parameters, Value;
    for (unsigned A = 0; A < U.Arguments; ++A) {
      Parameters += (A ? ",a" : "a") + std::to_string(A);
      if (!U.TypeArguments.count(A))
        Value += (Value.empty() ? "a" : ",a") + std::to_string(A);
    }
    return {"(" + Parameters + ")", Value.empty() ? "0" : "(" + Value + ")", false, false};
  }
  if (!U.Component.empty()) {
    StringRef Lanes = llvm::isDigit(U.Component.back()) && U.Component != "s3" ? "16" : "4";
    return {"(...)", ("((float" + Lanes + ")" + UnknownName + ")").str(), false, false};
  }
  // rand(), next(&state): the result is none of the arguments.
  if (U.NoArgument || U.TakesAddress)
    return {"(...)", UnknownName.str(), false, false};
  return {"(...)", "(__VA_ARGS__)", false, false};
}

/// A qualifier by its name; empty where it says nothing.
static StringRef qualifierOf(StringRef Capital) {
  if (Capital.contains("KERNEL"))
    return "__kernel";
  if (Capital.contains("SIZE") || Capital.contains("DIM") || Capital.contains("PARAM"))
    return ""; // parameters that the host may add
  if (Capital.contains("GLOBAL") || Capital.contains("GLB"))
    return "__global";
  if (Capital.contains("LOCAL") || Capital.contains("SHARED"))
    return "__local";
  if (Capital.contains("CONSTANT"))
    return "__constant";
  return "";
}

Meaning TokenScan::meaningOfAlias(StringRef Name, StringRef Alias) const {
  if (!InProgress.insert(Name).second)
    return {};
  Meaning Same = meaning(Alias);
  InProgress.erase(Name);
  return Same;
}

std::vector<std::string> TokenScan::nameMakers() const {
  std::vector<std::string> Result;
  for (const auto &[Name, At] : Uses) {
    if (defines(Name))
      continue;
    NameUse U;
    for (unsigned I : At)
      if (namesFrom(I + 1))
        addUse(Name, I, U);
    if (U.NamedParts && !U.Type)
      Result.push_back(Name.str());
  }
  llvm::sort(Result);
  return Result;
}

Meaning TokenScan::meaning(StringRef Name) const {
  NameUse U;
  auto At = Uses.find(Name);
  if (At != Uses.end())
    for (unsigned I : At->second)
      addUse(Name, I, U);
  if (!U.Constant)
    U.Type += U.Maybe;
  std::string Upper = Name.upper();
  StringRef Capital = Upper;
  auto Value = [](StringRef V) { return Meaning{"", V.str(), false, false}; };

  // Called.
  if (U.Call && !U.Type && !U.CallAlias.empty() && Uses.contains(U.CallAlias))
    if (Meaning Same = meaningOfAlias(Name, U.CallAlias); !Same.Parameters.empty())
      return Same;
  if (U.Call && U.Call == U.QualifierCall)
    return {"(...)", "", false, false};
  if (U.NamedParts && !U.Call && !U.Type)
    return {U.NamedParts > 1 ? "(a,...)" : "(a)",
            U.NamesKernel && Capital.contains("KERNEL") ? "__kernel void a" : "a", false, false};
  if (U.Call && !U.Type && U.Declares)
    return {"(...)", "float4", false, false}; // VECTOR(T, N) x
  if (U.Call && !U.Type)
    return meaningOfCall(U, Capital);

  // Values with a special form or name.
  if (U.Operator > U.Type + U.Constant + U.Call)
    return Value("+");
  if (U.CaseNumber && U.Type < U.Constant) {
    // Each case has another number.
    unsigned Earlier = 0;
    for (unsigned I = 0; I < U.CaseNumber; ++I)
      Earlier += at(I) == "case";
    return Value(std::to_string(Earlier));
  }
  if (Capital.contains("SAMPLER") && U.Type <= U.Constant)
    return Value("clmali_sampler");
  bool OnlyConstant = U.Constant && !U.Type && !U.Qualifier;
  if (OnlyConstant && llvm::is_contained({"ID", "GID", "TID", "GLOBAL_ID", "THREAD_ID"}, Capital))
    return Value("get_global_id(0)");
  if (OnlyConstant && llvm::is_contained({"LID", "LOCAL_ID"}, Capital))
    return Value("get_local_id(0)");

  // Qualifiers, statements, types, constants.
  bool NamesType = namesType(Name) && !(U.Compared && !U.Type);
  if (U.Qualifier > U.Type && !NamesType)
    return Value(qualifierOf(Capital));
  if (U.Whole > U.Type + U.Constant)
    return Value("");
  if (NamesType || (U.Type && U.Type >= U.Constant)) {
    Meaning Type = typeOf(Name);
    return U.StoresInteger && Type.Value == "float" && !Capital.contains("FLOAT") ? Value("uchar")
                                                                                  : Type;
  }
  if (!U.Alias.empty() && !U.Type && !U.Constant && !InProgress.contains(Name))
    return meaningOfAlias(Name, U.Alias);
  if (U.Nothing && !U.Constant)
    return Value("");
  if (!U.Constant && !U.Pasted && At == Uses.end())
    return Value("1"); // only tested: a flag
  bool Lanes = U.Pasted || Capital.contains("VEC") || Capital.contains("LANE") ||
               (Capital.size() <= 2 && llvm::isDigit(Capital.back()));
  return Value(Lanes ? "4" : "16");
}

} // namespace clmali::model
