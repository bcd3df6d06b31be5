//===-- checks/model/host/repair/Conditions.cpp - Macros that satisfy #if ----------===//

#include "checks/model/host/repair/Conditions.h"
#include "clang/Basic/LangOptions.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/StringSwitch.h"
#include <map>
#include <set>

using namespace clang;
using namespace llvm;

namespace clmali::model {

namespace {

/// An open condition.
struct Condition {
  std::vector<Token> Holds;               ///< of the current branch; empty: #else
  std::vector<std::vector<Token>> Others; ///< of the branches before
  bool IsDef = false;                     ///< #ifdef
};

/// Names that must be defined, with their values, and names that must not.
struct WantedNames {
  std::map<std::string, std::string> Values;
  std::set<std::string> Not;

  void add(ArrayRef<Token> Tokens, bool Holds, bool IsDef) {
    for (size_t I = 0; I < Tokens.size(); ++I) {
      const Token &T = Tokens[I];
      if (T.isNot(tok::raw_identifier) || T.getRawIdentifier() == "defined" ||
          T.getRawIdentifier().starts_with("__has_"))
        continue;
      std::string Name = T.getRawIdentifier().str();
      // !NAME, !defined(NAME), !defined NAME
      size_t At = I;
      while (At &&
             (Tokens[At - 1].is(tok::l_paren) || (Tokens[At - 1].is(tok::raw_identifier) &&
                                                  Tokens[At - 1].getRawIdentifier() == "defined")))
        --At;
      bool Wanted = Holds != (At && Tokens[At - 1].is(tok::exclaim));
      std::string Value = "1";
      if (!IsDef && I + 2 < Tokens.size() && Tokens[I + 2].is(tok::numeric_constant) &&
          Tokens[I + 1].isOneOf(tok::equalequal, tok::greaterequal)) {
        const Token &N = Tokens[I + 2];
        Value.assign(N.getLiteralData(), N.getLength());
      }
      if (Wanted)
        Values.try_emplace(Name, Value);
      else
        Not.insert(Name);
    }
  }
};

} // namespace

/// The macro belongs to the compiler or the system.
static bool isForeign(StringRef Name) {
  // An include guard is the program's: __FILTER_H__.
  StringRef Bare = Name.rtrim('_');
  if (Bare.ends_with("_H") || Bare.ends_with("_HPP"))
    return false;
  // So is a switch: __USE_OPENCL__.
  for (StringRef Word : {"USE_", "HAVE_", "WITH_", "ENABLE_", "USING_"})
    if (size_t At = Name.find(Word); At != StringRef::npos && Name.drop_front(At).contains("CL"))
      return false;
  return Name.starts_with("_") ||
         StringSwitch<bool>(Name)
             .Cases("WIN32", "WIN64", "WINDOWS", "APPLE", "MACOSX", "ANDROID", true)
             .Cases("NDEBUG", "DEBUG", "linux", "unix", "CL_HPP_ENABLE_EXCEPTIONS", true)
             .Default(Name.starts_with("CL_VERSION"));
}

std::vector<std::string> definitionsFor(StringRef Text, uint32_t Offset) {
  LangOptions Options;
  Options.CPlusPlus = Options.CPlusPlus11 = Options.LineComment = true;
  std::string Buffer = Text.str(); // the lexer needs a terminating zero
  Lexer Lex(SourceLocation(), Options, Buffer.data(), Buffer.data(), Buffer.data() + Buffer.size());
  std::vector<Condition> Around;
  std::set<std::string> Defined;
  std::vector<Token> Line; ///< of a directive, without the #
  bool Directive = false;
  auto Ends = [&] {
    if (Line.empty() || Line[0].isNot(tok::raw_identifier))
      return;
    StringRef Word = Line[0].getRawIdentifier();
    std::vector<Token> Rest(Line.begin() + 1, Line.end());
    if (Word == "if" || Word == "ifdef") {
      Around.push_back({Rest, {}, Word == "ifdef"});
    } else if (Word == "ifndef") {
      Around.push_back({{}, {Rest}, true});
    } else if ((Word == "elif" || Word == "else") && !Around.empty()) {
      Condition &C = Around.back();
      if (C.IsDef && C.Holds.empty() && C.Others.size() == 1 && Word == "else") { // of #ifndef
        C.Holds = C.Others.front();
        C.Others.clear();
        return;
      }
      C.Others.push_back(C.Holds);
      C.Holds = Word == "elif" ? Rest : std::vector<Token>();
    } else if (Word == "endif" && !Around.empty()) {
      Around.pop_back();
    } else if (Word == "define" && !Rest.empty() && Rest[0].is(tok::raw_identifier)) {
      Defined.insert(Rest[0].getRawIdentifier().str());
    }
  };
  for (bool End = false; !End;) {
    Token T;
    End = Lex.LexFromRawLexer(T);
    if (T.isAtStartOfLine()) {
      if (Directive)
        Ends();
      if (Lex.getBufferLocation() - Buffer.data() > Offset)
        break;
      Line.clear();
      Directive = T.is(tok::hash);
      if (Directive)
        continue;
    }
    if (Directive)
      Line.push_back(T);
  }
  WantedNames W;
  for (const Condition &C : Around) {
    for (const std::vector<Token> &Other : C.Others)
      W.add(Other, false, C.IsDef);
    W.add(C.Holds, true, C.IsDef);
  }
  std::vector<std::string> Result;
  for (const auto &[Name, Value] : W.Values)
    if (!W.Not.count(Name) && !Defined.count(Name) && !isForeign(Name))
      Result.push_back(Name + "=" + Value);
  return Result;
}

} // namespace clmali::model
