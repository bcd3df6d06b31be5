//===- Globs.cpp - selection of rules by globs ------------------------------------------------===//
//
// The globs are those of clang-tidy; an id may be written with or without "clmali-".
//
//===------------------------------------------------------------------------------------------===//

#include "tools/lint/Lint.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include <optional>

using namespace llvm;
using namespace clmali;

/// '*' matches any text.
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

/// nullopt: no glob of the list matches Id.
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
  // "integer-division" alone enables only that rule; "-foo" alone enables all but that rule.
  StringRef First = Globs.split(',').first.trim();
  return lastMatch(Globs, Id).value_or(First.starts_with("-") && First != "-*");
}
