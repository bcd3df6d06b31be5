// A divisor of 0 makes the original undefined: a CPU stops, a GPU gives any number, and a
// difference says nothing about the rewrite. So the judge's own values for scalars avoid it.

#include "rewriters/verify/cases/Divisors.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <map>
#include <vector>

namespace clmali::verify {

using namespace llvm;

namespace {

bool isName(StringRef T) { return isAlpha(T.front()) || T.front() == '_'; }

/// `int`, `uint4`, `const`: names of types and qualifiers.
bool isType(StringRef T) {
  return is_contained({"int", "uint", "long", "ulong", "short", "ushort", "char", "uchar", "float",
                       "double", "half", "size_t", "ptrdiff_t", "bool", "unsigned", "signed",
                       "const", "void", "return"},
                      T.rtrim("0123456789"));
}

/// Names, numbers and single characters; comments and strings are left out.
std::vector<StringRef> tokens(StringRef Source) {
  std::vector<StringRef> Out;
  for (size_t I = 0; I < Source.size();) {
    StringRef Rest = Source.substr(I);
    size_t Length = 1;
    if (Rest.starts_with("//")) {
      Length = std::min(Rest.find('\n'), Rest.size());
    } else if (Rest.starts_with("/*")) {
      size_t End = Rest.find("*/", 2);
      Length = End == StringRef::npos ? Rest.size() : End + 2;
    } else if (Rest.front() == '"') {
      while (Length < Rest.size() && Rest[Length] != '"')
        Length += Rest[Length] == '\\' ? 2 : 1;
      ++Length;
    } else if (isAlnum(Rest.front()) || Rest.front() == '_') {
      while (Length < Rest.size() &&
             (isAlnum(Rest[Length]) || Rest[Length] == '_' || Rest[Length] == '.'))
        ++Length;
      if (isName(Rest)) // a.b is two names
        Length = std::min(Length, Rest.find('.'));
      Out.push_back(Rest.take_front(Length));
    } else if (!isSpace(Rest.front())) {
      Out.push_back(Rest.take_front(1));
    }
    I += std::min(Length, Rest.size());
  }
  return Out;
}

class Reader {
public:
  explicit Reader(StringRef Source) : T(tokens(Source)) {}

  std::set<std::string> run() {
    for (size_t I = 0; I + 1 < T.size(); ++I)
      if (T[I] == "/" || T[I] == "%")
        operand(I + 1);
    for (size_t Before = ~size_t(0); Before != Found.size();) {
      Before = Found.size();
      for (size_t I = 0; I < T.size(); ++I)
        if (isName(T[I]) && Found.count(T[I].str())) {
          assigned(I);
          parameter(I);
        }
    }
    return std::move(Found);
  }

private:
  const std::vector<StringRef> T;
  std::set<std::string> Found;

  /// The index after the bracket that closes the one at I.
  size_t behind(size_t I) const {
    unsigned Depth = 0;
    for (; I < T.size(); ++I) {
      if (StringRef("([{").contains(T[I]))
        ++Depth;
      if (StringRef(")]}").contains(T[I]) && --Depth == 0)
        return I + 1;
    }
    return I;
  }

  void take(size_t From, size_t To) {
    for (; From < std::min(To, T.size()); ++From)
      if (isName(T[From]) && !isType(T[From]))
        Found.insert(T[From].str());
  }

  /// Takes the names of the divisor that begins at I: signs and casts, a name or a bracket, and its
  /// postfix operators.
  void operand(size_t I) {
    size_t Begin = I;
    if (I < T.size() && T[I] == "=") // x /= y: the whole value
      return take(I, endOfValue(I + 1));
    while (I < T.size() && StringRef("+-~!*&").contains(T[I]))
      ++I;
    while (I < T.size() && T[I] == "(") { // a bracket, or a cast and its operand
      I = behind(I);
      while (I < T.size() && StringRef("+-~!*&").contains(T[I]) && I + 1 < T.size() &&
             T[I + 1] == "(")
        ++I;
    }
    if (I < T.size() && isAlnum(T[I].front()))
      ++I;
    while (I < T.size() && (T[I] == "(" || T[I] == "[" || T[I] == "."))
      I = T[I] == "." ? I + 2 : behind(I);
    take(Begin, I);
  }

  size_t endOfValue(size_t I) const {
    while (I < T.size() && T[I] != ";" && T[I] != "," && T[I] != ")")
      I = StringRef("([{").contains(T[I]) ? behind(I) : I + 1;
    return I;
  }

  /// name = value, name += value
  void assigned(size_t I) {
    size_t At = I + 1;
    if (At < T.size() && StringRef("+-*/%&|^").contains(T[At]))
      ++At;
    if (At + 1 < T.size() && T[At] == "=" && T[At + 1] != "=")
      take(At + 1, endOfValue(At + 1));
  }

  /// If the name at I is a parameter of a function or macro: takes its arguments.
  void parameter(size_t I) {
    size_t Open = I, Position = 0;
    unsigned Depth = 0;
    for (; Open > 0; --Open) {
      StringRef X = T[Open - 1];
      if (X == ")" || X == "]")
        ++Depth;
      else if ((X == "(" || X == "[") && Depth)
        --Depth;
      else if (X == "(")
        break;
      else if (X == "," && !Depth)
        ++Position;
      else if (X == ";" || X == "{" || X == "}")
        return;
    }
    if (Open < 2 || !isName(T[Open - 2]))
      return;
    StringRef Name = T[Open - 2];
    for (size_t C = 0; C + 1 < T.size(); ++C) {
      if (T[C] != Name || T[C + 1] != "(" || C + 1 == Open - 1)
        continue;
      size_t At = C + 2;
      for (size_t P = 0; P < Position && At < T.size(); ++P)
        At = endOfValue(At) + 1;
      take(At, endOfValue(At));
    }
  }
};

} // namespace

std::set<std::string> divisorsIn(StringRef Source) { return Reader(Source).run(); }

} // namespace clmali::verify
