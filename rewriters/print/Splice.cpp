//===-- rewriters/print/Splice.cpp - The file around a kernel --------------===//
//
// What it does: inserts a printed kernel into the user's file, after the original or instead of it,
// and changes no other byte:
//
//   before                         after
//   __kernel void f(...) {...}     __kernel void f(...) {...}
//   __kernel void g(...) {...}
//                                  #if !defined(TILE) || (TILE) != 16
//                                  #error "f_v4 was made for TILE=16"
//                                  #endif
//                                  // clmali: rewritten from f
//                                  __kernel void f_v4(...) {...}
//                                  __kernel void g(...) {...}
//
// Integers are compared by value, single words (T=float) by pasting; other macros are only tested
// for being defined. Macros that the file itself tests (#ifdef, #ifndef) and that were not given
// are checked too.
//
//===----------------------------------------------------------------------===//

#include "rewriters/print/Printer.h"
#include "llvm/ADT/StringExtras.h"

using namespace clmali::model;
using llvm::StringRef;

namespace clmali::rewrite {

static bool isWord(char C) { return llvm::isAlnum(C) || C == '_'; }

/// The lines of Text with continued lines joined and comments at their ends cut.
static std::vector<std::string> directives(StringRef Text) {
  std::vector<std::string> Result;
  std::string Line;
  bool Comment = false;
  llvm::SmallVector<StringRef, 0> Lines;
  Text.split(Lines, '\n');
  for (StringRef L : Lines) {
    L = L.rtrim("\r");
    bool More = L.consume_back("\\");
    for (size_t I = 0; I < L.size(); ++I) {
      if (Comment) {
        if (L.substr(I).starts_with("*/")) {
          Comment = false;
          ++I;
        }
        continue;
      }
      if (L.substr(I).starts_with("//"))
        break;
      if (L.substr(I).starts_with("/*")) {
        Comment = true;
        Line += ' ';
        ++I;
        continue;
      }
      Line += L[I];
    }
    if (More)
      continue;
    if (StringRef D = StringRef(Line).trim(); D.consume_front("#"))
      Result.push_back(D.ltrim().str());
    Line.clear();
  }
  return Result;
}

/// The conditions around a directive.
class OpenConditions {
public:
  /// Reads an #if.., #else or #endif.
  void read(StringRef D) {
    if (D.starts_with("endif")) {
      if (!Open.empty())
        Open.pop_back();
    } else if (D.starts_with("el")) {
      if (!Open.empty())
        Open.back() = {};
    } else if (D.starts_with("if")) {
      Open.push_back({unsetName(D), false});
    }
  }
  /// True if a #define of Name here is in effect whatever the other macros are, unless the build
  /// gives Name: it is under no condition but #ifndef Name and the include guards of headers.
  /// \p Empty: the definition is.
  bool isDefault(StringRef Name, bool Empty) {
    for (Condition &C : Open)
      if (!C.Guards && (C.Unset != Name || &C != &Open.back()))
        return false;
    // What #ifndef GUARD, #define GUARD encloses.
    if (Empty && !Open.empty() && Open.back().Unset == Name)
      Open.back().Guards = true;
    return true;
  }

private:
  struct Condition {
    StringRef Unset;     ///< #ifndef Unset; empty: another condition
    bool Guards = false; ///< Unset has been defined inside
  };
  llvm::SmallVector<Condition, 4> Open;

  static StringRef unsetName(StringRef D) {
    if (D.consume_front("ifndef"))
      return D.trim();
    if (!D.consume_front("if") || !(D = D.trim()).consume_front("!"))
      return "";
    D = D.ltrim();
    if (!D.consume_front("defined"))
      return "";
    D = D.trim();
    if (D.consume_front("("))
      D = D.consume_back(")") ? D.trim() : "";
    return llvm::all_of(D, isWord) ? D : "";
  }
};

MacroTable::MacroTable(const Module &M) {
  llvm::StringSet<> Twice;
  for (const SourceFile &F : M.Files) {
    if (!StringRef(F.Text).contains("define"))
      continue;
    OpenConditions Conditions;
    const std::vector<std::string> Directives = directives(F.Text);
    for (const std::string &D : Directives) {
      StringRef T = D;
      Conditions.read(T);
      bool Undef = T.consume_front("undef");
      if (!Undef && !T.consume_front("define"))
        continue;
      T = T.ltrim();
      StringRef Name = T.take_while(isWord);
      T = T.drop_front(Name.size());
      Names.insert(Name);
      if (!Undef && Conditions.isDefault(Name, T.trim().empty()))
        Defaults.insert(Name);
      if (Undef || Body.count(Name))
        Twice.insert(Name);
      if (!Undef && !T.starts_with("("))
        Body[Name] = T.trim().str();
      // A function-like macro, or one in parentheses without a space in between, is no constant.
    }
  }
  for (const auto &Entry : Twice)
    Body.erase(Entry.getKey());
}

static StringRef lineEnding(StringRef Text) {
  size_t At = Text.find('\n');
  return At != StringRef::npos && At > 0 && Text[At - 1] == '\r' ? "\r\n" : "\n";
}

/// Names that #ifdef, #ifndef and defined() test.
static std::vector<std::string> testedNames(StringRef Text) {
  std::vector<std::string> Names;
  auto Add = [&](StringRef N) {
    N = N.ltrim(" \t(").take_while(isWord);
    // Such names describe the compiler or the device, not the build.
    bool Foreign = N.empty() || N.starts_with("_") || N.starts_with_insensitive("cl_");
    if (!Foreign && !llvm::is_contained(Names, N))
      Names.push_back(N.str());
  };
  for (const std::string &D : directives(Text)) {
    StringRef T = D;
    if (T.consume_front("ifdef") || T.consume_front("ifndef")) {
      Add(T);
      continue;
    }
    if (!T.starts_with("if") && !T.starts_with("elif"))
      continue;
    for (size_t At = T.find("defined"); At != StringRef::npos; At = T.find("defined", At + 7))
      Add(T.substr(At + 7));
  }
  return Names;
}

/// The value of an integer literal, as the preprocessor compares it.
static bool isInteger(StringRef V) {
  V = V.trim();
  V.consume_front("-");
  V = V.rtrim("uUlL");
  uint64_t N;
  return !V.empty() && !V.getAsInteger(0, N);
}

static std::string guards(const Module &M,
                          llvm::ArrayRef<std::pair<std::string, std::string>> Defines) {
  StringRef Text = M.Files[0].Text;
  MacroTable Macros(M);
  std::vector<std::pair<std::string, std::optional<std::string>>> Wanted; // none: not defined
  for (const auto &[Name, Value] : Defines)
    Wanted.push_back({Name, Value});
  for (const std::string &Name : testedNames(Text)) {
    if (llvm::any_of(Wanted, [&](const auto &W) { return W.first == Name; }))
      continue;
    if (!Macros.Names.contains(Name)) {
      Wanted.push_back({Name, std::nullopt});
      continue;
    }
    // `#ifndef N`, `#define N 16`: a default that a build may replace. A definition under other
    // conditions may not be in effect; the build decides it through the macros that they test.
    auto It = Macros.Body.find(Name);
    if (It != Macros.Body.end() && isInteger(It->second) && Macros.Defaults.contains(Name))
      Wanted.push_back({Name, It->second});
  }
  std::string S;
  bool Pasted = false;
  for (const auto &[Name, Value] : Wanted) {
    std::string What = Value ? Name + "=" + *Value : "no " + Name;
    std::string Test;
    StringRef V = Value ? StringRef(*Value).trim() : StringRef();
    if (!Value)
      Test = "defined(" + Name + ")";
    else if (isInteger(V))
      Test = "!defined(" + Name + ") || (" + Name + ") != (" + V.str() + ")";
    else if (!V.empty() && llvm::all_of(V, isWord)) {
      std::string Probe = "CLMALI_" + Name + "_";
      if (!Pasted && !StringRef(Text).contains("define CLMALI_PASTE("))
        S += "#define CLMALI_PASTE_(a, b) a##b\n#define CLMALI_PASTE(a, b) CLMALI_PASTE_(a, b)\n";
      Pasted = true;
      if (std::string Define = "#define " + Probe + V.str() + " 1\n"; !Text.contains(Define))
        S += Define;
      Test = "!defined(" + Name + ") || CLMALI_PASTE(" + Probe + ", " + Name + ") != 1";
    } else {
      Test = "!defined(" + Name + ")";
    }
    std::string Quoted;
    for (char C : What)
      if (C != '"' && C != '\\' && C != '\n')
        Quoted += C;
    std::string Guard = "#if " + Test + "\n#error \"clmali made this file for " + Quoted +
                        "; rewrite the original again\"\n#endif\n";
    // An earlier kernel of the file has the same test.
    if (!Text.contains("#if " + Test))
      S += Guard;
  }
  return S;
}

std::string spliceFile(const Module &M, const Kernel &Original, StringRef NewText, bool After,
                       llvm::ArrayRef<std::pair<std::string, std::string>> Defines) {
  StringRef Text = M.Files[0].Text;
  std::string New = guards(M, Defines) + NewText.rtrim("\n").str();
  std::string Before = Text.str(), Behind;
  if (Original.Range.File == 0 && Original.Range.isValid()) {
    size_t Begin = Original.Range.Begin, End = Original.Range.End;
    bool Definition = Text.slice(Begin, End).ends_with("}");
    if (After || !Definition) {
      // A kernel from a macro ends with its line.
      if (!Definition)
        End = std::min(Text.find('\n', End), Text.size());
      Before = Text.substr(0, End).str() + "\n\n";
    } else {
      Before = Text.substr(0, Begin).str();
      // A directive needs a line of its own.
      if (!Before.empty() && Before.back() != '\n')
        Before += "\n";
    }
    Behind = Text.substr(End).str();
    if (!Behind.empty() && Behind.front() != '\n' && Behind.front() != '\r')
      New += "\n";
    // An empty line on either side of a new kernel.
    StringRef Next = StringRef(Behind).split('\n').second;
    if (After && !Next.empty() && !Next.ltrim(" \t\r").starts_with("\n"))
      New += "\n";
  } else {
    // The kernel is in a header: the new one is added at the end of the file.
    Before = Text.rtrim("\n").str() + "\n\n";
    Behind = "\n";
  }
  if (Behind.empty())
    New += "\n";
  if (lineEnding(Text) == "\r\n") {
    auto Crlf = [](StringRef S) {
      std::string R;
      for (size_t I = 0; I < S.size(); ++I) {
        if (S[I] == '\n' && (I == 0 || S[I - 1] != '\r'))
          R += '\r';
        R += S[I];
      }
      return R;
    };
    New = Crlf(New);
    size_t Kept = std::min(Before.size(), Text.size());
    Before = Before.substr(0, Kept) + Crlf(StringRef(Before).substr(Kept));
    if (After)
      Before = StringRef(Before).rtrim("\n").rtrim("\r").str() + "\r\n\r\n";
  }
  return Before + New + Behind;
}

bool isRewritten(const Module &M, const Kernel &K) {
  for (const SourceFile &F : M.Files) {
    StringRef Text = F.Text;
    for (size_t At = Text.find(RewrittenMarker); At != StringRef::npos;
         At = Text.find(RewrittenMarker, At + 1))
      if (Text.substr(At + RewrittenMarker.size()).take_while(isWord) == K.Name)
        return true;
  }
  if (!K.Range.isValid() || K.Range.File >= M.Files.size())
    return false;
  // The block of // lines directly above.
  StringRef Above = StringRef(M.Files[K.Range.File].Text).take_front(K.Range.Begin).rtrim();
  while (!Above.empty()) {
    size_t Start = Above.rfind('\n');
    StringRef Line = Start == StringRef::npos ? Above : Above.substr(Start + 1);
    if (!Line.ltrim().starts_with("//"))
      return false;
    if (Line.contains(RewrittenMarker))
      return true;
    Above = Start == StringRef::npos ? StringRef() : Above.take_front(Start).rtrim("\r");
  }
  return false;
}

} // namespace clmali::rewrite
