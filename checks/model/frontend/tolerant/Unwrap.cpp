//===-- checks/model/frontend/tolerant/Unwrap.cpp - Kernel files in strings or macros -===//
//
// See DialectFixes.h.
//
//===----------------------------------------------------------------------===//

#include "checks/model/frontend/tolerant/DialectFixes.h"
#include "checks/model/frontend/tolerant/SourceText.h"

using llvm::StringRef;

namespace clmali::model {

/// The offset of the parenthesis of STRINGIFY( with no kernel before it; npos: there is none.
static size_t stringified(StringRef Text) {
  for (StringRef Word : {"stringify", "stringize", "to_string"})
    for (size_t At = Text.find_insensitive(Word); At != StringRef::npos;
         At = Text.find_insensitive(Word, At + 1)) {
      StringRef Before = Text.take_front(At);
      if (Before.contains('{') || Before.contains("kernel void"))
        break;
      StringRef Line =
          Before.substr(Before.rfind('\n') == StringRef::npos ? 0 : Before.rfind('\n') + 1).ltrim();
      StringRef Rest = Text.drop_front(At).drop_while(isNameChar);
      if (Line.starts_with("#") || !Rest.starts_with("("))
        continue;
      return Text.size() - Rest.size();
    }
  // str( ... ) around the whole file
  StringRef Whole = Text.trim();
  StringRef Rest = Whole.drop_while(isNameChar);
  if (Rest.size() < Whole.size() && Rest.starts_with("(") &&
      (Whole.ends_with(")") || Whole.ends_with(");")) && Rest.contains("kernel")) {
    int Depth = 0;
    size_t Close = 0;
    while (Close < Rest.size() && (Depth += Rest[Close] == '(' ? 1 : Rest[Close] == ')' ? -1 : 0))
      ++Close;
    if (Close + 2 >= Rest.size())
      return Rest.data() - Text.data();
  }
  return StringRef::npos;
}

/// Sources between the lines `const char *name = "` and `";`, of which a script makes strings.
/// Blanks these lines. False: there are none.
static bool unwrapSections(StringRef Text, std::string &Out) {
  bool Any = false, Open = false;
  std::string Result = Text.str();
  for (size_t At = 0; At < Text.size();) {
    size_t End = std::min(Text.find('\n', At), Text.size());
    StringRef Line = Text.slice(At, End).trim();
    bool Opens = !Open && Line.contains("char") && Line.ends_with("\"") &&
                 Line.drop_back().rtrim().ends_with("=");
    bool Closes = Open && (Line == "\";" || Line == "\"");
    if (Opens || Closes) {
      std::fill(Result.begin() + At, Result.begin() + End, ' ');
      Open = Opens;
      Any = true;
    }
    At = End + 1;
  }
  if (Any && !Open)
    Out = std::move(Result);
  return Any && !Open;
}

/// STRINGIFY( ... ), with `\n` before each directive.
static bool unwrapMacro(StringRef Text, std::string &Out) {
  size_t Open = stringified(Text);
  if (Open == StringRef::npos)
    return false;
  Out = Text.str();
  size_t Close = Out.rfind(')');
  for (size_t I = 0; I < Out.size(); ++I) {
    bool Wrapping = I <= Open || (Close > Open && I >= Close);
    bool Newline = Out[I] == '\\' && I + 1 < Out.size() && Out[I + 1] == 'n';
    if (Newline)
      Out[I] = Out[I + 1] = ' ';
    else if (Wrapping)
      blank(Out, I, I + 1);
  }
  return true;
}

/// One or several R"tag( ... )tag".
static bool unwrapRawStrings(StringRef Text, std::string &Out) {
  constexpr size_t MaxHead = 4096, MaxTag = 16; // the standard allows tags of 16 characters
  size_t Raw = Text.find("R\"");
  if (Raw == StringRef::npos || Raw >= MaxHead)
    return false;
  std::string Before = withoutComments(Text.take_front(Raw));
  if (StringRef(Before).contains("kernel") || StringRef(Before).contains('{'))
    return false;
  std::string Result = Text.str();
  size_t Outside = 0; // the end of the last string
  while (Raw != StringRef::npos) {
    size_t Paren = Text.find('(', Raw);
    if (Paren == StringRef::npos || Paren - Raw > MaxTag + 2)
      break;
    std::string Close = (")" + Text.slice(Raw + 2, Paren) + "\"").str();
    size_t End = Text.find(Close, Paren);
    if (End == StringRef::npos)
      break;
    blank(Result, Outside, Paren + 1);
    Outside = End;
    Raw = Text.find("R\"", End + Close.size());
  }
  if (!Outside)
    return false;
  blank(Result, Outside, Result.size());
  Out = std::move(Result);
  return true;
}

/// Lines of "...\n", or one string whose lines end with a backslash: = "..\n \.
static bool unwrapStrings(StringRef Text, std::string &Out) {
  StringRef Body = Text.ltrim(), Head = Body.take_front(512);
  auto [Declared, Literal] = Head.split('"');
  bool Continues = StringRef(Declared).rtrim().ends_with("=") && !Declared.contains('{') &&
                   !Declared.contains("kernel") && Declared.contains("char") &&
                   Literal.take_until([](char C) { return C == '\n'; }).rtrim().ends_with("\\");
  if (!Body.starts_with("\"") && !Head.contains("=\n\"") && !Head.contains("= \n\"") && !Continues)
    return false;
  Out = Text.str();
  bool InString = false;
  for (size_t I = 0; I < Out.size(); ++I) {
    char C = Out[I];
    if (!InString) {
      InString = C == '"';
      blank(Out, I, I + 1);
      continue;
    }
    if (C == '"') {
      InString = false;
      Out[I] = ' ';
    } else if (C == '\\' && I + 1 < Out.size()) {
      char Next = Out[I + 1];
      Out[I] = ' ';
      if (Next == 'n' || Next == 't' || Next == 'r')
        Out[I + 1] = ' ';
      ++I;
    }
  }
  return true;
}

bool unwrap(StringRef Text, std::string &Out) {
  return unwrapSections(Text, Out) || unwrapMacro(Text, Out) || unwrapRawStrings(Text, Out) ||
         unwrapStrings(Text, Out);
}

} // namespace clmali::model
