//===-- checks/model/frontend/Guesses.cpp - What was guessed ------------------------===//

#include "checks/model/frontend/Guesses.h"
#include "checks/model/frontend/tolerant/DialectFixes.h"
#include "llvm/ADT/StringExtras.h"
#include <optional>

using llvm::StringRef;

namespace clmali::model {

static constexpr llvm::StringLiteral NotePrefix =
    "the host defines macros that were not given; taken as ";

std::string noteOfGuesses(llvm::ArrayRef<std::string> Defines) {
  return (NotePrefix + llvm::join(Defines, ", ")).str();
}

std::optional<std::string> withPlaceholdersNamed(StringRef Text) {
  std::string Named;
  if (Text.find_first_of("%$") == StringRef::npos || !namePlaceholders(Text, Named))
    return std::nullopt;
  return Named;
}

static bool isWordChar(char C) { return llvm::isAlnum(C) || C == '_'; }

bool containsWord(const Guesses::Names &Names, StringRef Text) {
  if (Names.empty())
    return false;
  while (!Text.empty()) {
    StringRef Word = Text.take_while(isWordChar);
    if (!Word.empty() && Names.count(Word))
      return true;
    Text = Text.drop_front(std::max<size_t>(Word.size(), 1));
  }
  return false;
}

bool mentions(const Guesses::Names &Names, StringRef Text) {
  std::string Filled;
  return containsWord(Names, Text) ||
         (!Names.empty() && Text.find_first_of("%$") != StringRef::npos &&
          namePlaceholders(Text, Filled) && containsWord(Names, Filled));
}

static void add(Guesses &G, StringRef Define) {
  auto [Name, Value] = Define.split('=');
  int64_t Number = 0;
  bool IsNumber = !Value.getAsInteger(0, Number);
  G.OnlyNumbers &= IsNumber;
  G.Floats |= Value.starts_with("float");
  if (Name.consume_back("(...)")) {
    G.Functions = true;
    if (Value.empty() || Value.starts_with("(__VA_ARGS__)"))
      G.Texts.insert(Name.str());
    if (Value.empty())
      G.Erased.insert(Name.str());
  } else if (Name.contains('(')) {
    // With named parameters, its result is computed from them.
  } else if (IsNumber) {
    G.Numbers.insert(Name.str());
  } else if (!Value.empty() && llvm::isAlpha(Value.front())) {
    G.Types.insert(Name.str());
  }
}

/// Adds the macros without parameters that Text computes from guessed numbers. Returns whether
/// there are new ones.
static bool addComputed(Guesses::Names &Numbers, StringRef Text) {
  bool Any = false;
  for (size_t At; (At = Text.find("#define")) != StringRef::npos;) {
    Text = Text.drop_front(At + 7);
    size_t End = Text.find('\n');
    while (End != StringRef::npos && Text.take_front(End).rtrim("\r").ends_with("\\"))
      End = Text.find('\n', End + 1);
    StringRef Line = Text.take_front(End).ltrim();
    StringRef Name = Line.take_while(isWordChar), Body = Line.drop_front(Name.size());
    if (!Name.empty() && !Body.starts_with("(") && !Numbers.count(Name) && mentions(Numbers, Body))
      Any |= Numbers.insert(Name.str()).second;
  }
  return Any;
}

/// Adds the macros that the files of M compute from G.Numbers.
static void addAllComputed(Guesses &G, const Module &M) {
  for (bool Again = !G.Numbers.empty(); Again;) {
    Again = false;
    for (const SourceFile &File : M.Files)
      Again |= addComputed(G.Numbers, File.Text);
  }
}

Guesses guessesOf(const Module &M, llvm::function_ref<bool(StringRef)> Matters) {
  Guesses G;
  for (StringRef Note : M.Notes) {
    if (!Note.consume_front(NotePrefix))
      continue;
    llvm::SmallVector<StringRef, 8> Defines;
    Note.split(Defines, ", ");
    for (StringRef D : Defines)
      if (Matters(D.take_while(isWordChar)))
        add(G, D);
  }
  addAllComputed(G, M);
  return G;
}

/// The name of `#ifndef NAME` or `#if !defined(NAME)`, and nothing else in the line; else "".
static StringRef nameOfDefault(StringRef Line) {
  if (!Line.consume_front("#"))
    return "";
  Line = Line.ltrim();
  if (!Line.consume_front("ifndef")) {
    if (!Line.consume_front("if"))
      return "";
    Line = Line.ltrim();
    if (!Line.consume_front("!"))
      return "";
    Line = Line.ltrim();
    if (!Line.consume_front("defined"))
      return "";
  }
  Line = Line.trim(" \t()");
  StringRef Name = Line.take_while(isWordChar);
  return Name.size() == Line.size() ? Name : "";
}

/// The value of `#define Name VALUE`.
static std::optional<int64_t> defaultOf(StringRef Name, StringRef Line) {
  if (!Line.consume_front("#"))
    return std::nullopt;
  Line = Line.ltrim();
  if (!Line.consume_front("define"))
    return std::nullopt;
  Line = Line.ltrim();
  int64_t Value = 0;
  if (!Line.consume_front(Name) || Line.trim(" \t()").getAsInteger(0, Value))
    return std::nullopt;
  return Value;
}

void addPlaceholders(Guesses &G, const Module &M,
                     llvm::function_ref<bool(StringRef, int64_t)> IsInUse) {
  size_t Before = G.Numbers.size();
  for (const SourceFile &File : M.Files) {
    StringRef Condition;
    for (StringRef Line : llvm::split(StringRef(File.Text), '\n')) {
      Line = Line.take_front(Line.find("//")).trim();
      if (Line.empty())
        continue;
      std::optional<int64_t> Value;
      if (!Condition.empty())
        Value = defaultOf(Condition, Line);
      if (Value && (*Value == 0 || *Value == 1) && IsInUse(Condition, *Value))
        G.Numbers.insert(Condition.str());
      Condition = nameOfDefault(Line);
    }
  }
  if (G.Numbers.size() != Before)
    addAllComputed(G, M);
}

} // namespace clmali::model
