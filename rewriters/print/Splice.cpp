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

MacroTable::MacroTable(const Module &M, size_t End) {
  llvm::StringSet<> Twice;
  for (const SourceFile &F : M.Files) {
    StringRef Text = F.Text;
    if (&F == &M.Files.front())
      Text = Text.take_front(End);
    if (!Text.contains("define"))
      continue;
    OpenConditions Conditions;
    const std::vector<std::string> Directives = directives(Text);
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

/// The macros that a build must define as this one did; no value: must not be defined.
using WantedMacros = std::vector<std::pair<std::string, std::optional<std::string>>>;

/// The word that \p Value is expanded to by macros of the source; nothing if it is no word: more
/// tokens, or a macro that is not defined in one way.
static std::optional<std::string> expandedWord(StringRef Value, const MacroTable &Macros) {
  std::string Word = Value.trim().str();
  for (unsigned Depth = 0; Depth < 16; ++Depth) {
    if (!llvm::all_of(Word, isWord))
      return std::nullopt;
    if (!Macros.Names.contains(Word))
      return Word;
    auto It = Macros.Body.find(Word);
    // Not an object-like macro, or defined twice.
    if (It == Macros.Body.end())
      return std::nullopt;
    Word = It->second;
  }
  return std::nullopt;
}

static WantedMacros wantedMacros(StringRef Text, const MacroTable &Macros,
                                 llvm::ArrayRef<std::pair<std::string, std::string>> Defines) {
  WantedMacros Wanted;
  for (const auto &[Name, Value] : Defines)
    Wanted.push_back({Name, Value});
  for (const std::string &Name : testedNames(Text)) {
    // The guard of an earlier kernel tests if a value is a macro on the device.
    if (StringRef(Text).contains("CLMALI_PASTE(") && llvm::any_of(Defines, [&](const auto &D) {
          return expandedWord(D.second, Macros) == Name;
        }))
      continue;
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
  return Wanted;
}

/// "#if Test, #error", for a macro that is not What.
static std::string errorIf(StringRef Test, StringRef What) {
  std::string Quoted;
  for (char C : What)
    if (C != '"' && C != '\\' && C != '\n')
      Quoted += C;
  return ("#if " + Test + "\n#error \"clmali made this file for " + Quoted +
          "; rewrite the original again\"\n#endif\n")
      .str();
}

/// The guard of a macro whose value is the word \p Word. The preprocessor compares words by pasting
/// them to a name. A word that is a macro itself (of the device: PoCL defines convert_float as one)
/// is pasted as it expands. Its expansion is not known here, so that the compiler compares:
/// an enumerator of that name must be the one that the macro's own expansion names.
static std::string wordGuard(StringRef Name, StringRef Word, StringRef What) {
  std::string Probe = ("CLMALI_" + Name + "_").str();
  std::string Own = "CLMALI_PASTE(" + Probe + ", " + Name.str() + ")";
  if (Word.empty() || llvm::isDigit(Word.front()))
    return "#define " + Probe + Word.str() + " 1\n" +
           errorIf("!defined(" + Name.str() + ") || " + Own + " != 1", What);
  return "#define " + Probe + Word.str() + " 1\n" + errorIf("!defined(" + Name.str() + ")", What) +
         "#ifndef " + Word.str() + "\n" + errorIf(Own + " != 1", What) +
         "#else // the name below must be declared\nenum { CLMALI_PASTE(" + Probe + "is_, " +
         Word.str() + ") = 1 };\ntypedef char " + Probe + "must_be_" + Word.str() +
         "[CLMALI_PASTE(" + Probe + "is_, " + Name.str() + ")];\n#endif\n";
}

/// The tests that a kernel at Place, an offset of the main file, gets in front of it. What stands
/// behind it is not in effect there.
static std::string guards(const Module &M, size_t Place,
                          llvm::ArrayRef<std::pair<std::string, std::string>> Defines) {
  StringRef Text = StringRef(M.Files[0].Text).take_front(Place);
  MacroTable Macros(M, Place);
  std::string S;
  bool Pasted = StringRef(Text).contains("define CLMALI_PASTE(");
  for (const auto &[Whole, Value] : wantedMacros(Text, Macros, Defines)) {
    const std::string Name = StringRef(Whole).split('(').first.str(); // of MAX(a, b)
    std::string What = Value ? Whole + "=" + *Value : "no " + Whole;
    std::string Guard;
    if (!Value) {
      Guard = errorIf("defined(" + Name + ")", What);
    } else if (Name != Whole) {
      Guard = errorIf("!defined(" + Name + ")", What);
    } else if (StringRef V = StringRef(*Value).trim(); isInteger(V)) {
      Guard = errorIf("!defined(" + Name + ") || (" + Name + ") != (" + V.str() + ")", What);
    } else if (std::optional<std::string> Word = expandedWord(V, Macros); Word) {
      if (!std::exchange(Pasted, true))
        S += "#define CLMALI_PASTE_(a, b) a##b\n#define CLMALI_PASTE(a, b) CLMALI_PASTE_(a, b)\n";
      Guard = wordGuard(Name, *Word, What);
    } else {
      Guard = errorIf("!defined(" + Name + ")", What);
    }
    // An earlier kernel of the file has the same guard; the file may end its lines in another way.
    if (!Text.contains(StringRef(Guard).split('\n').first))
      S += Guard;
  }
  return S;
}

std::string spliceFile(const Module &M, const Kernel &Original, StringRef NewText, bool After,
                       llvm::ArrayRef<std::pair<std::string, std::string>> Defines) {
  StringRef Text = M.Files[0].Text;
  const bool IsHere = Original.Range.File == 0 && Original.Range.isValid();
  std::string New =
      guards(M, IsHere ? Original.Range.End : Text.size(), Defines) + NewText.rtrim("\n").str();
  std::string Before = Text.str(), Behind;
  if (IsHere) {
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

std::string onlyKernels(const Module &M, llvm::ArrayRef<StringRef> Kept) {
  std::string Text = M.Files[0].Text;
  auto Count = [](StringRef In, StringRef Word) {
    unsigned N = 0;
    for (size_t At = In.find(Word); At != StringRef::npos; At = In.find(Word, At + 1)) {
      bool Whole = (At == 0 || !isWord(In[At - 1])) && !isWord(In.substr(At + Word.size())[0]);
      N += Whole;
    }
    return N;
  };
  for (const auto &K : M.Kernels) {
    if (llvm::is_contained(Kept, K->Name) || K->Range.File != 0 || !K->Range.isValid())
      continue;
    // A definition as it is written, not one that a macro makes.
    StringRef Own = StringRef(Text).slice(K->Range.Begin, K->Range.End);
    if (!Own.ends_with("}") || Count(Text, K->Name) != Count(Own, K->Name))
      continue;
    for (size_t I = K->Range.Begin; I < K->Range.End; ++I)
      if (Text[I] != '\n' && Text[I] != '\r')
        Text[I] = ' ';
  }
  return Text;
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
