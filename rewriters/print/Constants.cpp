//===-- rewriters/print/Constants.cpp - Constants as text -------------------===//
//
// Part of ExprPrinter: prints a constant as the user wrote it (a literal, a macro), if that still
// has the constant's value; else as the shortest literal of the value.
//
//===----------------------------------------------------------------------===//

#include "rewriters/print/Printer.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"
#include <cmath>
#include <cstdlib>

using namespace clmali::model;
using llvm::StringRef;

namespace clmali::rewrite {

namespace {
struct Literal {
  bool IsFloat = false;
  uint64_t Int = 0;
  bool Negative = false;
  double Float = 0;
  ScalarKind K = ScalarKind::Int;
  bool Parens = false;
};
} // namespace

static std::optional<Literal> parseInt(StringRef T) {
  Literal L;
  StringRef Digits = T;
  bool U = false, Long = false;
  while (!Digits.empty()) {
    char C = Digits.back();
    if ((C == 'u' || C == 'U') && !U)
      U = true;
    else if ((C == 'l' || C == 'L') && !Long)
      Long = true;
    else
      break;
    Digits = Digits.drop_back();
  }
  bool Decimal = !(Digits.size() > 1 && Digits[0] == '0');
  if (Digits.empty() || Digits.getAsInteger(0, L.Int))
    return std::nullopt;
  // C's list of types for a literal: the first that fits.
  uint64_t V = L.Int;
  if (!U && !Long && V <= INT32_MAX)
    L.K = ScalarKind::Int;
  else if (!Long && (U || !Decimal) && V <= UINT32_MAX)
    L.K = ScalarKind::UInt;
  else if (!U && V <= INT64_MAX)
    L.K = ScalarKind::Long;
  else
    L.K = ScalarKind::ULong;
  return L;
}

static std::optional<Literal> parseLiteral(StringRef T) {
  T = T.trim();
  if (T.size() > 2 && T.front() == '(' && T.back() == ')' && !T.drop_front().contains('(')) {
    std::optional<Literal> L = parseLiteral(T.drop_front().drop_back());
    if (L)
      L->Parens = true;
    return L;
  }
  bool Negative = T.consume_front("-");
  T = T.ltrim();
  if (T.empty())
    return std::nullopt;
  if (T.size() == 3 && T.front() == '\'' && T.back() == '\'' && T[1] != '\\' && T[1] > 0) {
    Literal L;
    L.Int = static_cast<unsigned char>(T[1]);
    L.Negative = Negative;
    return L;
  }
  if (!llvm::isDigit(T[0]) && T[0] != '.')
    return std::nullopt;
  if (std::optional<Literal> L = parseInt(T)) {
    L->Negative = Negative;
    return L;
  }
  Literal L;
  L.IsFloat = true;
  L.K = ScalarKind::Double;
  bool Hex = T.starts_with_insensitive("0x");
  StringRef Digits = T;
  if (!Hex || T.contains_insensitive("p")) {
    if (Digits.consume_back("f") || Digits.consume_back("F"))
      L.K = ScalarKind::Float;
    else if (Digits.consume_back("h") || Digits.consume_back("H"))
      return std::nullopt;
  }
  std::string Copy = Digits.str();
  char *End = nullptr;
  L.Float =
      L.K == ScalarKind::Float ? std::strtof(Copy.c_str(), &End) : std::strtod(Copy.c_str(), &End);
  if (*End)
    return std::nullopt;
  L.Negative = Negative;
  if (Negative)
    L.Float = -L.Float;
  return L;
}

static bool isIdentifier(StringRef T) {
  return !T.empty() && !llvm::isDigit(T[0]) &&
         llvm::all_of(T, [](char C) { return llvm::isAlnum(C) || C == '_'; });
}

/// The text that the user wrote for E, if it still means E's value.
static std::optional<ExprText> asWritten(const Expr *E, const MacroTable *Macros) {
  StringRef Text = StringRef(E->Text).trim();
  if (Text.empty() || !E->Ty->isScalar())
    return std::nullopt;
  auto Matches = [&](const Literal &L) {
    if (E->K == ExprKind::FloatConst)
      return L.IsFloat && L.K == E->Ty->Scalar &&
             llvm::bit_cast<uint64_t>(L.Float) == llvm::bit_cast<uint64_t>(E->Float);
    uint64_t V = L.Negative ? 0 - L.Int : L.Int;
    if (L.IsFloat || V != static_cast<uint64_t>(E->Int))
      return false;
    // A negated unsigned 32-bit literal wraps at 32 bits.
    return !L.Negative || L.K == ScalarKind::Int || L.K == ScalarKind::Long;
  };
  if (std::optional<Literal> L = parseLiteral(Text)) {
    if (!Matches(*L))
      return std::nullopt;
    return ExprText{Text.str(), L->Negative && !L->Parens ? PrecUnary : PrecPostfix, {L->K, 1}};
  }
  if (!Macros || !isIdentifier(Text))
    return std::nullopt;
  if (Macros->Names.contains(Text)) {
    auto It = Macros->Body.find(Text);
    std::optional<Literal> L;
    if (It != Macros->Body.end())
      L = parseLiteral(It->second);
    if (!L || !Matches(*L))
      return std::nullopt;
    return ExprText{Text.str(), L->Negative && !L->Parens ? PrecUnary : PrecPostfix, {L->K, 1}};
  }
  // Defined on the command line or by the compiler: the lifter saw its type.
  ScalarKind K = E->Ty->Scalar;
  if (K == ScalarKind::Int || K == ScalarKind::Float || K == ScalarKind::Double)
    return ExprText{Text.str(), PrecPostfix, {K, 1}};
  return std::nullopt;
}

static std::string decimal(const Expr *E) {
  bool Unsigned = !isSigned(E->Ty->Scalar);
  return Unsigned ? std::to_string(static_cast<uint64_t>(E->Int)) : std::to_string(E->Int);
}

static ExprText intText(const Expr *E) {
  ScalarKind K = E->Ty->Scalar;
  auto Made = [](std::string S, ScalarKind K) {
    Precedence P = S[0] == '-' ? PrecUnary : PrecPostfix;
    return ExprText{std::move(S), P, {K, 1}};
  };
  bool IsUnsigned = !isSigned(K);
  if (E->Int >= 0 && E->Int <= INT32_MAX)
    return Made(decimal(E), ScalarKind::Int);
  if (IsUnsigned) // a ulong beyond INT64_MAX is negative here
    return sizeInBytes(K) == 8 ? Made(decimal(E) + "UL", ScalarKind::ULong)
                               : Made(decimal(E) + "u", ScalarKind::UInt);
  if (E->Int == INT64_MIN)
    return Made("(-9223372036854775807L - 1)", ScalarKind::Long);
  if (E->Int == INT32_MIN)
    return Made("(-2147483647 - 1)", ScalarKind::Int);
  if (E->Int > INT32_MIN && E->Int < 0)
    return Made(decimal(E), ScalarKind::Int);
  return Made(decimal(E) + "L", ScalarKind::Long);
}

static ExprText floatText(const Expr *E) {
  ScalarKind K = E->Ty->Scalar;
  double V = E->Float;
  ExprText T{"", PrecPostfix, {K, 1}};
  bool Negative = std::signbit(V);
  double Magnitude = std::fabs(V);
  if (std::isnan(V)) {
    T.S = K == ScalarKind::Float ? "NAN" : "(" + name(K).str() + ")NAN";
    T.Prec = K == ScalarKind::Float ? PrecPostfix : PrecUnary;
    return T;
  }
  std::string S;
  if (std::isinf(V)) {
    S = "INFINITY";
  } else {
    // The shortest decimal that reads back as the same bits.
    int Last = K == ScalarKind::Double ? 17 : 9;
    for (int Digits = 1; Digits <= Last; ++Digits) {
      char Buffer[64];
      snprintf(Buffer, sizeof Buffer, "%.*g", Digits, Magnitude);
      S = Buffer;
      double Back =
          K == ScalarKind::Double ? std::strtod(Buffer, nullptr) : std::strtof(Buffer, nullptr);
      if (Back == Magnitude)
        break;
    }
    if (S.find_first_of(".e") == std::string::npos)
      S += ".0";
    if (K != ScalarKind::Double)
      S += "f";
  }
  if (Negative) {
    S = "-" + S;
    T.Prec = PrecUnary;
  }
  bool Cast = K == ScalarKind::Half || (std::isinf(V) && K == ScalarKind::Double);
  if (Cast) {
    S = "(" + name(K).str() + ")" + S;
    T.Prec = PrecUnary;
  }
  T.S = S;
  return T;
}

static StringRef suffix(ScalarKind K) {
  switch (K) {
  case ScalarKind::UInt:
    return "u";
  case ScalarKind::Long:
    return "L";
  case ScalarKind::ULong:
    return "UL";
  default:
    return "";
  }
}

ExprText ExprPrinter::constant(const Expr *E) const {
  if (std::optional<ExprText> T = asWritten(E, Macros))
    return *T;
  if (E->K == ExprKind::FloatConst)
    return floatText(E);
  // A plain literal converts by itself; the same model needs the same type.
  ExprText T = intText(E);
  if (Faithful && E->Text.empty() && T.S[0] != '(' && T.Ty.Scalar == ScalarKind::Int &&
      E->Ty->Scalar != T.Ty.Scalar && sizeInBytes(E->Ty->Scalar) >= 4)
    return {T.S + suffix(E->Ty->Scalar).str(), T.Prec, ctype(E->Ty)};
  return T;
}

/// A constant of exactly its type.
ExprText ExprPrinter::typedConstant(const Expr *E) const {
  ExprText T = constant(E);
  if (T.Ty == ctype(E->Ty))
    return T;
  CType To = ctype(E->Ty);
  StringRef Suffix = suffix(To.Scalar);
  // A plain literal takes a suffix; a macro, a sum or a smaller type a cast.
  bool Plain = T.Prec == PrecPostfix && llvm::all_of(T.S, llvm::isAlnum) && llvm::isDigit(T.S[0]);
  if (Plain && !Suffix.empty() && T.Ty.Scalar == ScalarKind::Int)
    return {T.S + Suffix.str(), PrecPostfix, To};
  return {"(" + typeName(To) + ")" + paren(T, PrecUnary), PrecUnary, To};
}

} // namespace clmali::rewrite
