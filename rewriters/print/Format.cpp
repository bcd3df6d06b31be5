//===-- rewriters/print/Format.cpp - Layout and line breaks ----------------===//
//
// LibFormat formats the kernel. Its search for the best line breaks takes seconds for a statement
// of some hundred nested operands (a value for each of sixteen lanes, a deep polynomial). Such a
// statement is broken here instead: where a line is mostly full, at the least nested position.
// LibFormat gets a name in its place.
//
//===----------------------------------------------------------------------===//

#include "clang/Format/Format.h"
#include "rewriters/print/Printer.h"
#include "llvm/ADT/StringExtras.h"

namespace clmali::rewrite {

using llvm::StringRef;

namespace {

/// Longer and deeper statements are not formatted by LibFormat.
constexpr size_t LongStatement = 300, LongNested = 130;
constexpr unsigned Nested = 6;
const char LongName[] = "clmali_long_statement_";

/// LibFormat takes `(uchar16)(v.s0 * a, ...)` for a declaration and writes v.s0 *a. The body of a
/// kernel declares no pointers.
std::string withProducts(StringRef Text) {
  size_t Body = Text.find("{\n");
  std::string Out = Text.take_front(Body).str();
  if (Body == StringRef::npos)
    return Out;
  auto IsWord = [](char C) { return llvm::isAlnum(C) || C == '_'; };
  StringRef Rest = Text.substr(Body);
  for (size_t I = 0; I < Rest.size(); ++I) {
    Out += Rest[I];
    bool Pointer = Rest[I] == '*' && I > 1 && I + 1 < Rest.size() && Rest[I - 1] == ' ' &&
                   (IsWord(Rest[I - 2]) || Rest[I - 2] == ')' || Rest[I - 2] == ']') &&
                   IsWord(Rest[I + 1]);
    if (Pointer)
      Out += ' ';
  }
  return Out;
}

/// True if Code has a branch for each lane of a vector, which are read best as lines of a table:
/// if (mask.s0 != 0) v.s0 = in[i];
bool hasLaneTable(StringRef Code) {
  constexpr unsigned Lanes = 4;
  unsigned Found = 0;
  for (StringRef Rest = Code; !Rest.empty() && Found < Lanes;) {
    auto [Line, Next] = Rest.split('\n');
    Rest = Next;
    auto [Before, Lane] = Line.ltrim().split('.');
    bool IsBranch = Before.starts_with("if (") && !Line.ends_with("{") &&
                    (Lane.starts_with("s") || StringRef("xyzw").contains(Lane.take_front(1)));
    Found += IsBranch && !Lane.empty();
  }
  return Found == Lanes;
}

std::string reformatted(const std::string &Code, unsigned Limit, unsigned Indent) {
  using namespace clang;
  format::FormatStyle Style = format::getLLVMStyle(format::FormatStyle::LK_Cpp);
  Style.IndentWidth = Indent;
  Style.ContinuationIndentWidth = Indent;
  Style.ColumnLimit = Limit;
  Style.SortIncludes = format::FormatStyle::SI_Never;
  Style.AllowShortFunctionsOnASingleLine = format::FormatStyle::SFS_None;
  Style.MaxEmptyLinesToKeep = 1;
  Style.ReflowComments = false;
  Style.PenaltyReturnTypeOnItsOwnLine = 10000;
  if (hasLaneTable(Code))
    Style.AllowShortIfStatementsOnASingleLine = format::FormatStyle::SIS_WithoutElse;
  tooling::Range All(0, Code.size());
  tooling::Replacements Edits = format::reformat(Style, Code, All, "kernel.cl");
  llvm::Expected<std::string> Result = tooling::applyAllReplacements(Code, Edits);
  if (Result)
    return withProducts(*Result);
  llvm::consumeError(Result.takeError());
  return Code;
}

/// A formatted statement of one line, broken into lines that begin in column At.
std::string broken(StringRef S, unsigned At, const TextStyle &Style) {
  const unsigned Columns = Style.Columns, Indent = Style.Indent;
  std::string Out;
  // Where each open bracket's content begins.
  llvm::SmallVector<unsigned, 8> Open;
  unsigned Column = At;
  while (Column + S.size() > Columns) {
    // The last position of least depth among those that leave the line mostly full.
    llvm::SmallVector<unsigned, 8> Inner = Open, BestOpen;
    size_t Best = 0;
    unsigned BestDepth = ~0u;
    for (size_t I = 0; I + 1 < S.size(); ++I) {
      if (Column + I >= Columns && Best)
        break;
      if (S[I] == '(' || S[I] == '[')
        Inner.push_back(Column + I + 1);
      if ((S[I] == ')' || S[I] == ']') && !Inner.empty())
        Inner.pop_back();
      // After a comma or an operator, before ? and :, at a space.
      bool Ends = S[I] == ' ' && I && S[I + 1] != '?' && S[I + 1] != ':'
                      ? S[I - 1] == ',' || StringRef("+-*/%&|^<>=").contains(S[I - 1])
                      : S[I] == ' ' && I != 0;
      bool Full = Column + I >= Columns * 2 / 3;
      if (Ends && I > Indent &&
          (Inner.size() <= BestDepth || (Full && Column + Best < Columns * 2 / 3))) {
        Best = I;
        BestDepth = Inner.size();
        BestOpen = Inner;
      }
    }
    if (!Best)
      break;
    Out += S.take_front(Best).str();
    S = S.drop_front(Best + 1);
    Open = BestOpen;
    Column = Open.empty() ? At + Indent : Open.back();
    if (Column > Columns / 2 || Open.size() > 2)
      Column = At + Indent * std::min<unsigned>(1 + Open.size(), 3);
    Out += "\n" + std::string(Column, ' ');
  }
  return Out + S.str();
}

/// The nesting depth of brackets.
unsigned depth(StringRef Line) {
  unsigned Now = 0, Most = 0;
  for (char C : Line) {
    if (C == '(' || C == '[')
      Most = std::max(Most, ++Now);
    if ((C == ')' || C == ']') && Now)
      --Now;
  }
  return Most;
}

/// True for a complete statement without a block, on its own line.
bool isPlain(StringRef Line) {
  Line = Line.trim();
  return Line.ends_with(";") && !Line.contains("//") && !Line.contains("/*") &&
         !Line.contains('{') && Line.count('(') == Line.count(')') && Line.count(';') == 1 &&
         Line.count('"') == 0 && !Line.starts_with("#") && !Line.starts_with("if") &&
         !Line.starts_with("while") && !Line.starts_with("else");
}

} // namespace

TextStyle styleOf(StringRef File, StringRef Body) {
  TextStyle Style;
  size_t Longest = 0;
  for (StringRef Rest = File; !Rest.empty();) {
    auto [Line, Next] = Rest.split('\n');
    Rest = Next;
    if (!Line.ltrim().starts_with("//") && !Line.contains('\t'))
      Longest = std::max(Longest, Line.rtrim().size());
  }
  if (Longest > Style.Columns)
    Style.Columns = TextStyle::MostColumns;
  // The first line of the body.
  StringRef First = Body.contains('\n') ? Body.split('\n').second.ltrim("\r\n") : StringRef();
  size_t Spaces = First.take_while([](char C) { return C == ' '; }).size();
  if (Spaces >= 2 && Spaces <= 8 && Spaces < First.size() && First[Spaces] != '\t')
    Style.Indent = Spaces;
  return Style;
}

std::string formatted(const std::string &Code, const TextStyle &Style) {
  std::vector<std::string> Long;
  std::string Short;
  llvm::SmallVector<StringRef, 64> Lines;
  StringRef(Code).split(Lines, '\n');
  for (size_t I = 0; I < Lines.size(); ++I) {
    if (I)
      Short += '\n';
    if ((Lines[I].size() > LongStatement ||
         (Lines[I].size() > LongNested && depth(Lines[I]) >= Nested)) &&
        isPlain(Lines[I])) {
      Short += LongName + std::to_string(Long.size()) + ";";
      Long.push_back(Lines[I].trim().str());
    } else {
      Short += Lines[I].str();
    }
  }
  std::string Text = reformatted(Short, Style.Columns, Style.Indent);
  for (size_t N = 0; N < Long.size(); ++N) {
    std::string Name = LongName + std::to_string(N) + ";";
    size_t Found = Text.find(Name);
    if (Found == std::string::npos)
      return reformatted(Code, Style.Columns, Style.Indent);
    size_t Line = Text.rfind('\n', Found);
    Line = Line == std::string::npos ? 0 : Line + 1;
    // LibFormat breaks and aligns a chain of selections without a limit, too.
    const std::string Whole = reformatted(Long[N], 0, Style.Indent);
    llvm::SmallVector<StringRef, 64> Words;
    llvm::SplitString(Whole, Words);
    const std::string One = llvm::join(Words, " ");
    Text.replace(Found, Name.size(), broken(One, Found - Line, Style));
  }
  return Text;
}

} // namespace clmali::rewrite
