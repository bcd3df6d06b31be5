//===-- checks/model/frontend/tolerant/Proposals.cpp - Definitions of unknown names -===//

#include "checks/model/frontend/tolerant/Definitions.h"

using llvm::StringRef;

namespace clmali::model {
namespace {

/// Collects definitions by kind; take() adds what no other name of Known is.
class Proposer {
public:
  Proposer(const TokenScan &T, StringRef FileName, StringRef Text, llvm::StringSet<> &Known)
      : T(T), FileName(FileName), Text(Text), Known(Known) {}

  void read(const ParseDiagnostic &D) {
    readDeclarators(D);
    if (!D.IsError)
      return;
    readReachedError(D);
    std::optional<Definition> R = repair(T, D, FileName, Text);
    bool IsWhole = R && R->IsText;
    if (R && Known.insert(StringRef(R->Name).split('(').first).second)
      Repairs.push_back(std::move(*R));
    if (!IsWhole && !readExtraParameters(D))
      readName(D);
  }

  /// The most urgent kind. The names of the other kinds are no longer Known: later errors may
  /// propose them again.
  std::vector<Definition> mostUrgent() {
    if (!Reached.empty() || !Types.empty() || !Macros.empty() || !Others.empty())
      forget(Repairs); // they may follow from the names
    std::vector<std::vector<Definition> *> ByUrgency{&Reached, &Types, &Macros, &Others};
    for (size_t I = 0; I < ByUrgency.size(); ++I) {
      if (ByUrgency[I]->empty())
        continue;
      for (size_t Later = I + 1; Later < ByUrgency.size(); ++Later)
        forget(*ByUrgency[Later]);
      return std::move(*ByUrgency[I]);
    }
    return std::move(Repairs);
  }

private:
  const TokenScan &T;
  StringRef FileName, Text;
  llvm::StringSet<> &Known;
  std::vector<Definition> Reached; ///< macros under which a definition is reached
  std::vector<Definition> Types, Macros, Others, Repairs;
  std::vector<std::pair<size_t, size_t>> Dropped; ///< offsets: arguments of macros without a use

  void take(std::vector<Definition> &To, StringRef Name, const Meaning &M) {
    if (Known.insert(Name).second)
      To.push_back(M.IsType ? defineType(T, Name, M) : define(Name, M));
  }
  void forget(const std::vector<Definition> &List) {
    for (const Definition &D : List)
      Known.erase(StringRef(D.Name).split('(').first);
  }
  /// The text of the file before the position of D, without blanks at its end.
  StringRef textBefore(const ParseDiagnostic &D) const {
    return StringRef(Text.begin(), textFrom(Text, D).begin() - Text.begin()).rtrim();
  }
  /// Word may be a macro of the host by its form: in capitals, and not defined.
  bool isUnknownCapital(StringRef Word) const {
    return isName(Word) && !T.defines(Word) && llvm::none_of(Word, llvm::isLower);
  }

  /// The first word of the declaration that Before ends in.
  static std::string declarationStart(StringRef Before) {
    std::string Plain = withoutComments(Before);
    StringRef Rest = StringRef(Plain).substr(StringRef(Plain).find_last_of(";}") + 1);
    bool Continued = false;
    while (!Rest.empty()) {
      auto [Line, Next] = Rest.split('\n');
      if (!Continued && !Line.trim().empty() && !Line.ltrim().starts_with("#"))
        return wordAt(Rest.ltrim()).str();
      Continued = Line.rtrim().ends_with("\\");
      Rest = Next;
    }
    return "";
  }

  /// Macros in declarators, where Clang expects types.
  void readDeclarators(const ParseDiagnostic &D) {
    StringRef Message = D.Message;
    // f(BOUNDS(n) __global T *p): the arguments of BOUNDS are no list of types.
    if (D.File == FileName && Message.starts_with("type specifier missing"))
      if (StringRef Word = wordAt(textFrom(Text, D)); isName(Word) && !T.defines(Word))
        if (Meaning M = T.meaning(Word); !M.Parameters.empty() && M.Value.empty())
          take(Reached, Word, M);
    // ATTR(16) __kernel void f(..): ATTR(16) is taken for a function without a body.
    if (D.File == FileName && Message.starts_with("expected function body after function"))
      if (std::string Word = declarationStart(textBefore(D)); isName(Word) && !T.defines(Word))
        if (Meaning M = T.meaning(Word); !M.Parameters.empty() && M.Value.empty())
          take(Reached, Word, M);
    // void NAME(add)(int x): NAME makes a name, and is no function.
    if (D.File == FileName && Message.starts_with("function cannot return function type")) {
      StringRef Before = textBefore(D);
      StringRef Word = Before.drop_front(Before.find_last_not_of(NameChars) + 1);
      if (isName(Word) && !T.defines(Word))
        if (Meaning M = T.meaning(Word); StringRef(M.Parameters).starts_with("(a"))
          take(Reached, Word, M);
    }
    // The same in a header.
    if (D.IsError && D.File != FileName &&
        Message.starts_with("function cannot return function type"))
      for (const std::string &Word : T.nameMakers())
        if (Meaning M = T.meaning(Word); StringRef(M.Parameters).starts_with("(a"))
          take(Reached, Word, M);
  }

  /// An #error that was reached: macros under which its condition is false.
  void readReachedError(const ParseDiagnostic &D) {
    unsigned Line = T.errorLine(D.File == FileName ? D.Line : 0, D.Message);
    if (!Line)
      return;
    for (const WantedMacro &W : T.wantedAgainst(Line)) {
      Meaning M = T.meaning(W.Name);
      if (!W.Value.empty())
        M = {"", W.Value, false, false};
      take(Types, W.Name, M);
    }
  }

  /// `float *out DEBUG_ARGS)`: further parameters, of which none is needed. False: D is no such
  /// error.
  bool readExtraParameters(const ParseDiagnostic &D) {
    if (D.File != FileName || !StringRef(D.Message).starts_with("expected ')'"))
      return false;
    StringRef Rest = textFrom(Text, D), Word = wordAt(Rest), Before = textBefore(D);
    if (!isUnknownCapital(Word) || Before.empty() || !isNameChar(Before.back()) ||
        !Rest.drop_front(Word.size()).ltrim().starts_with(")"))
      return false;
    take(Macros, Word, {"", "", false, false});
    return true;
  }

  /// `a OP b`: the message only says what is expected in the place of OP. Empty: there is none.
  StringRef operatorAt(const ParseDiagnostic &D) const {
    StringRef Message = D.Message;
    if (D.File != FileName ||
        !(Message.starts_with("expected ')'") || Message.starts_with("expected ';'")))
      return "";
    StringRef Word = wordAt(textFrom(Text, D));
    return isUnknownCapital(Word) && T.meaning(Word).Value == "+" ? Word : StringRef();
  }

  /// The unknown name of an error.
  void readName(const ParseDiagnostic &D) {
    StringRef Message = D.Message, Name = quoted(Message);
    StringRef Operator = operatorAt(D);
    if (!Operator.empty())
      Name = Operator;
    if (!isName(Name) || Known.contains(Name))
      return;
    bool IsType = Message.starts_with("unknown type name");
    bool IsValue = Message.starts_with("use of undeclared identifier") ||
                   Message.contains("undeclared function") ||
                   Message.contains("implicit declaration");
    if (!IsType && !IsValue && Operator.empty())
      return;
    // A variable of the file whose declaration did not parse is no macro.
    if (IsValue && llvm::any_of(Name, llvm::isLower) && T.declares(Name))
      return;
    if (takeReaching(Name) || (IsValue && takeTable(Name)))
      return;
    // #pragma unroll(COUNT): its value has no effect on the parse.
    if (IsValue && !T.uses(Name) && D.File == FileName && lineOf(Text, D).ltrim().starts_with("#"))
      return take(Macros, Name, {"", "4", false, false});
    if (!T.uses(Name) || T.defines(Name)) {
      if (takePasted(Name))
        return;
      // A definition in the file would win; a name that is pasted of unknown parts has no meaning.
      if (T.defines(Name) || !T.uses(Name))
        return;
    }
    Meaning M = T.meaning(Name);
    if (IsType && !M.IsType && M.Value == "16")
      M = T.asType(Name);
    if (IsType || M.IsType)
      take(Types, Name, M);
    else if (llvm::none_of(Name, llvm::isLower))
      take(Macros, Name, M);
    else if (Types.empty() && !isInDropped(D)) {
      take(Others, Name, M);
      if (!M.Parameters.empty() && !usesArguments(M))
        dropArguments(D);
    }
  }

  /// False: the macro's value is the same whatever its arguments are, so names in these need no
  /// definition.
  static bool usesArguments(const Meaning &M) {
    return StringRef(M.Value).contains("__VA_ARGS__") || !StringRef(M.Parameters).contains("...");
  }
  std::optional<size_t> offsetOf(const ParseDiagnostic &D) const {
    StringRef From = D.File == FileName ? textFrom(Text, D) : StringRef();
    if (From.empty())
      return std::nullopt;
    return From.begin() - Text.begin();
  }
  bool isInDropped(const ParseDiagnostic &D) const {
    std::optional<size_t> At = offsetOf(D);
    return At &&
           llvm::any_of(Dropped, [&](const auto &R) { return R.first < *At && *At < R.second; });
  }
  /// The arguments of the call at D.
  void dropArguments(const ParseDiagnostic &D) {
    std::optional<size_t> Begin = offsetOf(D);
    if (!Begin)
      return;
    size_t End = Text.find('(', *Begin);
    for (unsigned Open = 0; End < Text.size(); ++End)
      if (Text[End] == '(')
        ++Open;
      else if (Text[End] == ')' && --Open == 0)
        break;
    Dropped.emplace_back(*Begin, std::min(End, Text.size()));
  }

  /// A #define or typedef of Name is under a condition: the macros that make it true. False: there
  /// is none.
  bool takeReaching(StringRef Name) {
    std::vector<WantedMacro> Wanted = T.wantedToDefine(Name);
    for (const WantedMacro &W : Wanted)
      take(Reached, W.Name,
           W.Value.empty() ? T.meaning(W.Name) : Meaning{"", W.Value, false, false});
    return !Wanted.empty();
  }

  /// A table that a missing header defines. False: it is none.
  bool takeTable(StringRef Name) {
    std::string Table = !T.defines(Name) && !T.declares(Name) ? T.tableOf(Name) : "";
    if (Table.empty())
      return false;
    if (!Known.insert(Name).second)
      return true;
    Definition Result{Name.str(),
                      "extern __constant " + Table + ";",
                      false,
                      {},
                      (Name + " is taken as a table of numbers").str()};
    Result.IsText = true;
    Macros.push_back(std::move(Result));
    return true;
  }

  /// A name that a macro is pasted into (vloadVEC_SIZE, T4): that macro. False: there is none.
  bool takePasted(StringRef Name) {
    std::string Part = T.pastedMacro(Name);
    if (Part.empty())
      return false;
    if (Known.contains(Part))
      return true;
    StringRef Whole = Name;
    if (Whole.consume_back(Part) && (Whole == "read_image" || Whole == "write_image")) {
      take(Types, Part, {"", "f", false, false});
      return true;
    }
    Meaning M = T.meaning(Part);
    bool Lanes = Name.ends_with(Part) && !M.IsType;
    if (Lanes || M.Value == "16")
      M = {"", "4", false, false};
    take(Types, Part, M);
    return true;
  }
};

} // namespace

std::vector<Definition> propose(const TokenScan &T, llvm::ArrayRef<ParseDiagnostic> Diagnostics,
                                StringRef FileName, StringRef Text, llvm::StringSet<> &Known) {
  Proposer P(T, FileName, Text, Known);
  for (const ParseDiagnostic &D : Diagnostics)
    P.read(D);
  return P.mostUrgent();
}

} // namespace clmali::model
