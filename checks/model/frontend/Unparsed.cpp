//===-- checks/model/frontend/Unparsed.cpp - Why a file has no kernel --------------===//

#include "checks/model/frontend/Unparsed.h"
#include "checks/model/frontend/tolerant/DialectFixes.h"
#include "checks/model/frontend/tolerant/SourceText.h"

using llvm::StringRef;

namespace clmali::model {

/// The length of a placeholder that Rest begins with; 0: none. Last: the character before, without
/// blanks; 0 at the start of a line.
static size_t placeholderAt(StringRef Rest, char Last) {
  auto Name = [](StringRef S) {
    StringRef Word = S.take_while([](char C) { return isNameChar(C) || C == '.'; });
    return Word.empty() || llvm::isDigit(Word[0]) ? StringRef() : Word;
  };
  auto Enclosed = [&](StringRef Open, StringRef Close) -> size_t {
    if (!Rest.starts_with(Open))
      return 0;
    StringRef Inside = Rest.drop_front(Open.size());
    size_t Blanks = Inside.size() - Inside.ltrim(" ").size();
    StringRef Word = Name(Inside.drop_front(Blanks));
    StringRef Behind = Inside.drop_front(Blanks + Word.size());
    size_t More = Behind.size() - Behind.ltrim(" ").size();
    return !Word.empty() && Behind.ltrim(" ").starts_with(Close)
               ? Open.size() + Blanks + Word.size() + More + Close.size()
               : 0;
  };
  // C has no use for @ and $; Clang takes $ as a letter.
  if (size_t Length = Enclosed("@", "@"))
    return Length;
  if (size_t Length = Enclosed("${", "}"))
    return Length;
  if (Rest.starts_with("$") && !Name(Rest.drop_front()).empty())
    return 1 + Name(Rest.drop_front()).size();
  // {{x}} may be a nested list of values: behind = { or a comma.
  bool Value = StringRef("={,").contains(Last) && Last;
  if (size_t Length = Value ? 0 : Enclosed("{{", "}}"))
    return Length;
  if (Rest.starts_with("{%"))
    if (size_t End = Rest.take_until([](char C) { return C == '\n'; }).find("%}");
        End != StringRef::npos)
      return End + 2;
  // % where no operand precedes it.
  bool NoOperand = !Last || StringRef("=(,[{};:<>").contains(Last);
  if (Rest.starts_with("%") && NoOperand) {
    if (size_t Length = Enclosed("%", "%"))
      return Length;
    if (size_t Length = Enclosed("%(", ")"))
      return Length + 1;
    StringRef Kind = Rest.drop_front();
    if (!Kind.empty() && StringRef("dius").contains(Kind[0]) &&
        (Kind.size() == 1 || !isNameChar(Kind[1])))
      return 2;
  }
  return 0;
}

std::optional<Placeholder> firstPlaceholder(StringRef Text) {
  std::string Plain = withoutComments(Text);
  StringRef Code = Plain;
  char Last = 0;
  unsigned Line = 1;
  size_t Start = 0;
  for (size_t I = 0; I < Code.size(); ++I) {
    char C = Code[I];
    if (C == '\n') {
      ++Line;
      Start = I + 1;
      Last = 0;
      continue;
    }
    if (C == '"' || C == '\'') {
      for (++I; I < Code.size() && Code[I] != C && Code[I] != '\n'; ++I)
        I += Code[I] == '\\';
      Last = C;
      I -= I < Code.size() && Code[I] == '\n';
      continue;
    }
    if (size_t Length = placeholderAt(Code.substr(I), Last))
      return Placeholder{Code.substr(I, Length).str(), Line, unsigned(I - Start + 1)};
    if (!llvm::isSpace(C))
      Last = C;
  }
  return std::nullopt;
}

/// The text behind the parentheses that Text begins with; Text: it begins with none.
static StringRef behindParentheses(StringRef Text) {
  StringRef Rest = Text.ltrim();
  if (!Rest.starts_with("("))
    return Text;
  int Depth = 0;
  for (size_t I = 0; I < Rest.size(); ++I) {
    Depth += Rest[I] == '(' ? 1 : Rest[I] == ')' ? -1 : 0;
    if (Depth == 0)
      return Rest.drop_front(I + 1);
  }
  return Text;
}

bool mentionsKernel(StringRef Text) {
  std::string Plain = withoutComments(Text);
  bool Continued = false;
  size_t End = 0;
  StringRef Code = Plain;
  for (size_t At = 0; At < Code.size(); At = End + 1) {
    End = std::min(Code.find('\n', At), Code.size());
    StringRef Line = Code.slice(At, End);
    bool Directive = Continued || Line.ltrim().starts_with("#");
    Continued = Directive && Line.rtrim().ends_with("\\");
    if (Directive)
      continue;
    for (size_t I = 0; I < Line.size();) {
      StringRef Word = wordAt(Line.drop_front(I));
      if (Word.empty()) {
        ++I;
        continue;
      }
      I += Word.size();
      StringRef Rest = Code.drop_front(At + I);
      if (Word == "__kernel" || (Word == "kernel" && (Rest.ltrim().starts_with("void") ||
                                                      Rest.ltrim().starts_with("__attribute"))))
        return true;
      bool Capital = Word.contains("KERNEL") && llvm::none_of(Word, llvm::isLower);
      StringRef Behind = behindParentheses(Rest).ltrim();
      if (Capital &&
          (Rest.ltrim().starts_with("void") || Behind.starts_with("(") || Behind.starts_with("{")))
        return true;
    }
  }
  return false;
}

bool isWrappedText(StringRef Text) {
  std::string Plain;
  return unwrap(Text, Plain) && mentionsKernel(Plain);
}

} // namespace clmali::model
