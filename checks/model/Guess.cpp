//===-- checks/model/Guess.cpp - What a host would have defined -----------===//
//
// See Guess.h. Limits: each name gets one meaning, chosen by how it is used at
// its first error; there is no search over combinations.
//
//===----------------------------------------------------------------------===//

#include "checks/model/Guess.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"

using llvm::StringRef;

namespace clmali::model {
namespace {

constexpr unsigned MaxGuesses = 32;

/// The name between quotes in a message.
StringRef quoted(StringRef Message) {
  size_t Begin = Message.find('\'');
  if (Begin == StringRef::npos)
    return "";
  StringRef Rest = Message.drop_front(Begin + 1);
  return Rest.take_until([](char C) { return C == '\''; });
}

bool isName(StringRef S) {
  return !S.empty() && (llvm::isAlpha(S[0]) || S[0] == '_') &&
         llvm::all_of(S, [](char C) { return llvm::isAlnum(C) || C == '_'; });
}

/// The text of a diagnostic's line, from its column.
StringRef from(StringRef Text, const ParseDiagnostic &D) {
  for (unsigned Line = 1; Line < D.Line; ++Line) {
    size_t End = Text.find('\n');
    if (End == StringRef::npos)
      return "";
    Text = Text.drop_front(End + 1);
  }
  return D.Column ? Text.drop_front(std::min<size_t>(D.Column - 1, Text.size())) : Text;
}

StringRef takeName(StringRef &Text) {
  Text = Text.ltrim();
  StringRef Name = Text.take_while([](char C) { return llvm::isAlnum(C) || C == '_'; });
  Text = Text.drop_front(Name.size());
  return Name;
}

bool isTypeWord(StringRef S) {
  StringRef Base = S.rtrim("0123456789");
  for (const char *Word :
       {"void",     "char",   "uchar",      "short",         "ushort",      "int",      "uint",
        "long",     "ulong",  "half",       "float",         "double",      "bool",     "size_t",
        "unsigned", "signed", "const",      "volatile",      "struct",      "__global", "global",
        "__local",  "local",  "__constant", "constant",      "__private",   "private",  "__kernel",
        "kernel",   "inline", "static",     "__attribute__", "__read_only", "read_only"})
    if (S == Word || Base == Word)
      return true;
  return false;
}

struct Definition {
  std::string Name, Value, Note;
};

Definition asType(StringRef Name) {
  std::string Lower = Name.lower();
  StringRef L = Lower;
  std::string Value = "float";
  for (const char *Known : {"uchar", "ushort", "uint", "ulong", "char", "short", "int", "long",
                            "double", "float", "half"})
    if (L == Known || L == (StringRef(Known) + "_t").str())
      Value = Known;
  if (L.starts_with("uint8") || L.starts_with("u8"))
    Value = "uchar";
  else if (L.starts_with("uint16") || L.starts_with("u16"))
    Value = "ushort";
  else if (L.starts_with("uint32") || L.starts_with("u32") || L.ends_with("uint"))
    Value = "uint";
  else if (L.starts_with("uint64") || L.starts_with("u64"))
    Value = "ulong";
  else if (L.starts_with("int8"))
    Value = "char";
  else if (L.starts_with("int16"))
    Value = "short";
  else if (L.starts_with("int32") || L.contains("index") || L.ends_with("int"))
    Value = "int";
  else if (L.starts_with("int64"))
    Value = "long";
  // A vector's name keeps its lanes: T4, real2.
  StringRef Digits = L.drop_front(L.rtrim("0123456789").size());
  bool Sized = L.contains("int8") || L.contains("int16") || L.contains("int32") ||
               L.contains("int64") || L.starts_with("u8") || L.starts_with("u16") ||
               L.starts_with("u32") || L.starts_with("u64");
  if (!Sized &&
      (Digits == "2" || Digits == "3" || Digits == "4" || Digits == "8" || Digits == "16"))
    Value += Digits;
  return {Name.str(), Value, ("macro " + Name + " taken as " + Value).str()};
}

/// What D's name might stand for, seen how it is used.
std::optional<Definition> propose(StringRef Text, const ParseDiagnostic &D,
                                  const llvm::StringSet<> &Known) {
  StringRef Message = D.Message;
  StringRef Name = quoted(Message);
  StringRef Use = from(Text, D);
  auto Nothing = [](StringRef N) {
    return Definition{N.str(), "", ("macro " + N + " taken as nothing").str()};
  };
  if (Message.starts_with("unknown type name")) {
    if (!isName(Name) || Known.contains(Name))
      return std::nullopt;
    StringRef After = Use;
    if (!After.consume_front(Name))
      return asType(Name); // reported inside a macro: nothing of its use is visible
    StringRef Next = takeName(After);
    std::string Upper = Name.upper();
    if (StringRef(Upper).contains("KERNEL") && (isTypeWord(Next)))
      return Definition{Name.str(), "__kernel", ("macro " + Name + " taken as __kernel").str()};
    // `X T *p` and `X T p`: X qualifies; `X p` and `X *p`: X is the type.
    StringRef Beyond = After.ltrim().take_front(1);
    if (isTypeWord(Next) || (isName(Next) && (Beyond == "*" || isName(Beyond)))) {
      if (StringRef(Upper).contains("GLOBAL"))
        return Definition{Name.str(), "__global", ("macro " + Name + " taken as __global").str()};
      if (StringRef(Upper).contains("LOCAL") || StringRef(Upper).contains("SHARED"))
        return Definition{Name.str(), "__local", ("macro " + Name + " taken as __local").str()};
      return Nothing(Name);
    }
    return asType(Name);
  }
  if (Message.starts_with("use of undeclared identifier")) {
    if (!isName(Name) || Known.contains(Name))
      return std::nullopt;
    StringRef After = Use;
    After.consume_front(Name);
    After = After.ltrim();
    if (After.starts_with("("))
      return Definition{Name.str() + "(...)", "0", ("macro " + Name + "() taken as 0").str()};
    // `(T)x`, `(T)2` and `T y`: a type.
    unsigned Ignored;
    if (!After.empty() && (llvm::isAlpha(After[0]) || After[0] == '_'))
      return asType(Name);
    if (After.starts_with(")") && After.size() > 1) {
      StringRef Next = After.drop_front(1).ltrim(" ").take_front(1);
      if (isName(Next) || Next == "(" || Next == "." || llvm::to_integer(Next, Ignored))
        return asType(Name);
    }
    return Definition{Name.str(), "16", ("macro " + Name + " taken as 16").str()};
  }
  if (Message.contains("undeclared function") || Message.contains("implicit declaration")) {
    if (!isName(Name) || Known.contains(Name))
      return std::nullopt;
    return Definition{Name.str() + "(...)", "0", ("function " + Name + " taken as 0").str()};
  }
  // A qualifier that nothing says: KERNEL_FQ void f(...)
  if (Message.starts_with("expected ';' after top level declarator") ||
      Message.starts_with("expected identifier") || Message.starts_with("expected ')'") ||
      Message.starts_with("expected ';'")) {
    return std::nullopt;
  }
  return std::nullopt;
}

} // namespace

Guessed guess(StringRef Text, llvm::ArrayRef<std::string> Dialects, StringRef Triple,
              bool MayChangeTriple, TryFn Try) {
  Guessed Best;
  bool Have = false;
  auto Better = [](const GuessAttempt &A, const GuessAttempt &B) {
    if (A.Kernels != B.Kernels)
      return A.Kernels > B.Kernels;
    return A.Errors < B.Errors;
  };
  // The dialect with the fewest errors is the one to mend.
  for (const std::string &D : Dialects) {
    GuessAttempt A = Try({}, D, Triple, /*Limit=*/false);
    if (!Have || Better(A, Best.Attempt)) {
      Best = {std::move(A), D, {}};
      Have = true;
    }
  }
  std::string Std = Best.Dialect;

  std::vector<std::string> Extra, Notes;
  llvm::StringSet<> Known;
  GuessAttempt Now = Best.Attempt;
  for (unsigned Round = 0; Round < MaxGuesses && Now.Errors; ++Round) {
    std::optional<Definition> Next;
    for (const ParseDiagnostic &D : Now.Diagnostics)
      if (D.IsError && (Next = propose(Text, D, Known)))
        break;
    if (!Next)
      break;
    Known.insert(StringRef(Next->Name).split('(').first);
    Extra.push_back("-D");
    Extra.push_back(Next->Name + "=" + Next->Value);
    Notes.push_back(Next->Note);
    Now = Try(Extra, Std, Triple, /*Limit=*/true);
  }
  if (!Extra.empty()) {
    if (Now.Errors)
      Now = Try(Extra, Std, Triple, /*Limit=*/false);
    if (Better(Now, Best.Attempt))
      Best = {Now, Std, Notes};
  }
  if (Best.Attempt.Errors && MayChangeTriple && Triple == "spir64") {
    if (Best.Notes.empty())
      Extra.clear();
    GuessAttempt Small = Try(Extra, Std, "spir", /*Limit=*/false);
    if (Better(Small, Best.Attempt)) {
      Best.Attempt = Small;
      Best.Notes.push_back("size_t taken as 32 bits wide");
    }
  }
  return Best;
}

std::string blankMissingInclude(StringRef FileName, StringRef Text,
                                llvm::ArrayRef<ParseDiagnostic> Diagnostics, std::string &Out) {
  for (const ParseDiagnostic &D : Diagnostics) {
    if (!D.IsError || !StringRef(D.Message).ends_with("file not found") || D.File != FileName)
      continue;
    StringRef Rest = from(Text, {"", D.Line, 1, true, ""});
    size_t Begin = Text.size() - Rest.size();
    std::string New = Text.str();
    for (size_t I = Begin; I < New.size() && New[I] != '\n'; ++I)
      if (New[I] != '\r')
        New[I] = ' ';
    Out = std::move(New);
    return quoted(D.Message).str();
  }
  return "";
}

bool unwrap(StringRef Text, std::string &Out) {
  StringRef Body = Text.ltrim();
  // STRINGIFY( ... ), with \n written before each directive
  StringRef Macro = Body.take_while([](char C) { return llvm::isAlnum(C) || C == '_'; });
  if (Macro.contains_insensitive("stringify") && Body.drop_front(Macro.size()).starts_with("(")) {
    Out = Text.str();
    size_t Open = Out.find('('), Close = Out.rfind(')');
    for (size_t I = 0; I < Out.size(); ++I) {
      bool Wrapping = I <= Open || (Close > Open && I >= Close);
      bool Newline = Out[I] == '\\' && I + 1 < Out.size() && Out[I + 1] == 'n';
      if (Newline)
        Out[I] = Out[I + 1] = ' ';
      else if (Wrapping && Out[I] != '\n' && Out[I] != '\r')
        Out[I] = ' ';
    }
    return true;
  }
  auto Blank = [](std::string &S, size_t Begin, size_t End) {
    for (size_t I = Begin; I < End; ++I)
      if (S[I] != '\n' && S[I] != '\r')
        S[I] = ' ';
  };
  // R"tag( ... )tag"
  size_t Raw = Text.find("R\"");
  if (Raw != StringRef::npos && Raw < 4096) {
    size_t Paren = Text.find('(', Raw);
    StringRef Before = Text.take_front(Raw);
    bool Code = Before.contains("kernel") || Before.contains('{');
    if (!Code && Paren != StringRef::npos && Paren - Raw <= 18) {
      std::string Close = (")" + Text.slice(Raw + 2, Paren) + "\"").str();
      size_t End = Text.find(Close, Paren);
      if (End != StringRef::npos) {
        Out = Text.str();
        Blank(Out, 0, Paren + 1);
        Blank(Out, End, Out.size());
        return true;
      }
    }
  }
  // Lines of "...\n"
  if (!Body.starts_with("\"") && !Body.take_front(512).contains("=\n\"") &&
      !Body.take_front(512).contains("= \n\""))
    return false;
  Out = Text.str();
  bool In = false;
  for (size_t I = 0; I < Out.size(); ++I) {
    char C = Out[I];
    if (!In) {
      In = C == '"';
      if (C != '\n' && C != '\r')
        Out[I] = ' ';
      continue;
    }
    if (C == '"') {
      In = false;
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

} // namespace clmali::model
