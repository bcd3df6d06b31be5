//===- NoLint.cpp - which rules run, and what a comment silences ------------------------------===//
//
// The forms are clang-tidy's: NOLINT, NOLINTNEXTLINE and NOLINTBEGIN/NOLINTEND, each bare or with a
// list of globs in parentheses that directly follow. A list names checks as clang-tidy does
// ("clmali-integer-division"); the bare id is taken too.
//
//===------------------------------------------------------------------------------------------===//

#include "tools/lint/Lint.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include <optional>

using namespace llvm;
using namespace clmali;

/// '*' stands for any text.
static bool globMatches(StringRef Glob, StringRef Text) {
  size_t Star = Glob.find('*');
  if (Star == StringRef::npos)
    return Glob == Text;
  if (!Text.consume_front(Glob.take_front(Star)))
    return false;
  Glob = Glob.drop_front(Star + 1);
  if (Glob.empty())
    return true;
  for (size_t I = 0; I <= Text.size(); ++I)
    if (globMatches(Glob, Text.drop_front(I)))
      return true;
  return false;
}

static bool matchesRule(StringRef Glob, StringRef Id) {
  return globMatches(Glob, Id) || globMatches(Glob, ("clmali-" + Id).str());
}

/// nullopt: no glob of the list says anything of Id.
static std::optional<bool> lastMatch(StringRef Globs, StringRef Id) {
  std::optional<bool> Result;
  SmallVector<StringRef, 8> Parts;
  Globs.split(Parts, ',', -1, /*KeepEmpty=*/false);
  for (StringRef Part : Parts) {
    Part = Part.trim();
    bool Add = !Part.consume_front("-");
    if (matchesRule(Part, Id))
      Result = Add;
  }
  return Result;
}

bool lint::isEnabled(StringRef Globs, StringRef Id) {
  // "integer-division" alone means only that; "-foo" alone means all but that.
  StringRef First = Globs.split(',').first.trim();
  return lastMatch(Globs, Id).value_or(First.starts_with("-") && First != "-*");
}

namespace {
enum class Directive { None, Here, NextLine, Begin, End };
struct Found {
  Directive What;
  bool Bare;
  StringRef List;
};
} // namespace

static SmallVector<Found, 1> directives(StringRef Line) {
  SmallVector<Found, 1> Result;
  size_t At = 0;
  while ((At = Line.find("NOLINT", At)) != StringRef::npos) {
    StringRef Rest = Line.drop_front(At + 6);
    At += 6;
    Found F{Directive::Here, true, ""};
    if (Rest.consume_front("NEXTLINE"))
      F.What = Directive::NextLine;
    else if (Rest.consume_front("BEGIN"))
      F.What = Directive::Begin;
    else if (Rest.consume_front("END"))
      F.What = Directive::End;
    else if (!Rest.empty() && (isAlnum(Rest.front()) || Rest.front() == '_'))
      continue; // NOLINTER is another word
    if (Rest.consume_front("(")) {
      F.Bare = false;
      F.List = Rest.take_until([](char C) { return C == ')'; });
    }
    Result.push_back(F);
  }
  return Result;
}

bool lint::isSuppressed(StringRef Text, unsigned Line, StringRef Id) {
  if (!Text.contains("NOLINT"))
    return false;
  auto Covers = [&](const Found &F) {
    return F.Bare || lastMatch(F.List, Id).value_or(false);
  };
  // An open block silences; a BEGIN must be closed by an END with the same list.
  SmallVector<Found, 4> Open;
  unsigned Number = 0;
  bool BlockOpen = false;
  while (!Text.empty()) {
    StringRef Current;
    std::tie(Current, Text) = Text.split('\n');
    ++Number;
    if (Number > Line && !BlockOpen)
      break;
    if (!Current.contains("NOLINT"))
      continue;
    for (const Found &F : directives(Current)) {
      if (F.What == Directive::Here && Number == Line && Covers(F))
        return true;
      if (F.What == Directive::NextLine && Number + 1 == Line && Covers(F))
        return true;
      if (F.What == Directive::Begin && Number <= Line)
        Open.push_back(F);
      if (F.What == Directive::End) {
        if (!Open.empty() && Open.back().Bare == F.Bare && Open.back().List == F.List) {
          // The block reached past the line: it held.
          if (Number >= Line && Covers(Open.back()))
            return true;
          Open.pop_back();
        }
      }
    }
    BlockOpen = !Open.empty();
  }
  // A BEGIN without END silences nothing, as in clang-tidy.
  return false;
}
