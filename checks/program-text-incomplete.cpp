//===- program-text-incomplete.cpp (host) -------------------------------------------------===//
//
// Before: "for (..) { .. } }"                       the head of the kernel is missing
// After:  "kernel void f(..) { for (..) { .. } }"
// Limits: the whole text of a program, where it is known without running the host.
//
//===------------------------------------------------------------------------------------------===//

#include "checks/query/HostCalls.h"
#include "llvm/ADT/StringExtras.h"
#include <set>

using namespace llvm;
using namespace clmali;
using namespace clmali::checks;
using namespace clmali::model;

/// What makes a text no translation unit; empty: nothing that is seen without a parser.
static std::string whatIsMissing(StringRef Text) {
  std::string Open;  ///< brackets that are not closed
  std::string First; ///< the first word at file scope
  for (size_t I = 0; I < Text.size(); ++I) {
    StringRef Rest = Text.substr(I);
    if (Rest.starts_with("//") || (Rest.starts_with("#") && Open.empty())) {
      // A directive may go on in the next line.
      while (I < Text.size() && (Text[I] != '\n' || (I && Text[I - 1] == '\\')))
        ++I;
      continue;
    }
    if (Rest.starts_with("/*")) {
      size_t End = Text.find("*/", I + 2);
      if (End == StringRef::npos)
        return "a comment does not end";
      I = End + 1;
      continue;
    }
    char C = Text[I];
    if (C == '"' || C == '\'') {
      size_t End = I + 1;
      while (End < Text.size() && Text[End] != C)
        End += Text[End] == '\\' ? 2 : 1;
      I = End;
      continue;
    }
    if (First.empty() && (isAlpha(C) || C == '_'))
      First = Rest.take_while([](char X) { return isAlnum(X) || X == '_'; }).str();
    if (C == '{' || C == '(' || C == '[')
      Open += C;
    if (C != '}' && C != ')' && C != ']')
      continue;
    char Wanted = C == '}' ? '{' : C == ')' ? '(' : '[';
    if (Open.empty() || Open.back() != Wanted)
      return "a '" + std::string(1, C) + "' closes nothing";
    Open.pop_back();
  }
  static const std::set<StringRef> Statements = {"for",   "if",     "while", "do",     "return",
                                                 "break", "switch", "else",  "barrier"};
  if (Statements.count(First))
    return "it begins with the statement '" + First + "'";
  return Open.empty() ? "" : "a '" + std::string(1, Open.back()) + "' is not closed";
}

/// Where the text stands in the main file: its first line that is not blank. None: elsewhere, or
/// twice.
static std::optional<SourceRange> locate(const HostModule &H, StringRef Text) {
  StringRef Line = Text.ltrim().split('\n').first.rtrim();
  StringRef In = H.Files.front().Text;
  size_t At = In.find(Line);
  if (Line.size() < 4 || At == StringRef::npos || In.find(Line, At + 1) != StringRef::npos)
    return std::nullopt;
  return SourceRange{0, uint32_t(At), uint32_t(At + Line.size())};
}

static void run(const HostModule &H, Context &C) {
  for (const HostCall &Call : H.Calls) {
    bool Makes = Call.Name == "clCreateProgramWithSource" || Call.Name == "cl::Program";
    if (!Makes || Call.From == HostCall::Binary)
      continue;
    for (const HostArgument &A : Call.Args) {
      if (!A.String ||
          (Call.Name == "cl::Program" && StringRef(*A.String).ltrim().starts_with("-")))
        continue;
      std::string Missing = whatIsMissing(*A.String);
      if (Missing.empty() || StringRef(*A.String).trim().empty())
        continue;
      std::optional<SourceRange> At = locate(H, *A.String);
      Finding &F =
          C.report(At.value_or(Call.NameRange), "this program text does not parse: " + Missing);
      F.cost("the build fails; is its head missing?");
      if (At)
        F.note(Call.NameRange, "the program is made here");
      break;
    }
  }
}

CLMALI_HOST_CHECK("program-text-incomplete", run);
