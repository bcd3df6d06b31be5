//===-- checks/model/frontend/tolerant/SourceText.cpp - Names, lines, comments ------===//

#include "checks/model/frontend/tolerant/SourceText.h"
#include "checks/model/frontend/Frontend.h"

using llvm::StringRef;

namespace clmali::model {

std::string withoutComments(StringRef Text) {
  std::string Out = Text.str();
  enum { Code, Line, Block, String, Char } In = Code;
  for (size_t I = 0; I < Out.size(); ++I) {
    char C = Out[I], Next = I + 1 < Out.size() ? Out[I + 1] : '\0';
    switch (In) {
    case Code:
      if (C == '/' && Next == '/')
        In = Line;
      else if (C == '/' && Next == '*') {
        In = Block;
        Out[I] = ' ';
        Out[++I] = ' ';
        continue;
      } else if (C == '"')
        In = String;
      else if (C == '\'')
        In = Char;
      break;
    case Line:
      if (C == '\n')
        In = Code;
      break;
    case Block:
      if (C == '*' && Next == '/') {
        Out[I] = ' ';
        Out[++I] = ' ';
        In = Code;
        continue;
      }
      break;
    case String:
    case Char:
      if (C == '\\')
        ++I;
      else if (C == (In == String ? '"' : '\'') || C == '\n')
        In = Code;
      continue;
    }
    if ((In == Line || In == Block) && C != '\n' && C != '\\')
      Out[I] = ' ';
  }
  return Out;
}

std::string withoutDefines(StringRef Text, const llvm::StringSet<> &Names) {
  std::string Result = Text.str();
  for (StringRef Line : llvm::split(Text, '\n')) {
    StringRef Word = Line.trim();
    if (Word.consume_front("#") && (Word = Word.ltrim()).consume_front("define") &&
        Names.contains(wordAt(Word.ltrim())) && !Line.rtrim().ends_with("\\"))
      std::fill_n(Result.begin() + (Line.data() - Text.data()), Line.size(), ' ');
  }
  return Result;
}

std::string withoutInConditions(StringRef Text, StringRef Name) {
  std::string Result = Text.str();
  bool Inside = false; // a condition, which may continue on the next line
  for (StringRef Line : llvm::split(Text, '\n')) {
    StringRef Word = Line.ltrim();
    if (!Inside && Word.consume_front("#")) {
      Word = Word.ltrim();
      Inside = Word.starts_with("if") || Word.starts_with("elif");
    }
    for (size_t At = 0; Inside && (At = Line.find(Name, At)) != StringRef::npos;
         At += Name.size()) {
      StringRef Behind = Line.drop_front(At + Name.size());
      if ((At == 0 || !isNameChar(Line[At - 1])) && wordAt(Behind).empty())
        Result[Line.data() - Text.data() + At + Name.size() - 1] = '_';
    }
    Inside &= Line.rtrim().ends_with("\\");
  }
  return Result;
}

void blank(std::string &Text, size_t Begin, size_t End) {
  for (size_t I = Begin; I < End && I < Text.size(); ++I)
    if (Text[I] != '\n' && Text[I] != '\r')
      Text[I] = ' ';
}

StringRef textFrom(StringRef Text, const ParseDiagnostic &D) {
  for (unsigned Line = 1; Line < D.Line; ++Line) {
    size_t End = Text.find('\n');
    if (End == StringRef::npos)
      return "";
    Text = Text.drop_front(End + 1);
  }
  return D.Column ? Text.drop_front(std::min<size_t>(D.Column - 1, Text.size())) : Text;
}

StringRef lineOf(StringRef Text, const ParseDiagnostic &D) {
  return textFrom(Text, {"", D.Line, 1, true, ""}).take_until([](char C) { return C == '\n'; });
}

StringRef quoted(StringRef Message) {
  size_t Begin = Message.find('\'');
  if (Begin == StringRef::npos)
    return "";
  return Message.drop_front(Begin + 1).take_until([](char C) { return C == '\''; });
}

} // namespace clmali::model
