//===-- checks/model/frontend/tolerant/Revisions.cpp - Definitions that errors contradict -===//

#include "checks/model/frontend/tolerant/Definitions.h"
#include "checks/model/frontend/tolerant/MacroInference.h"
#include "llvm/Support/Regex.h"

using llvm::StringRef;

namespace clmali::model {
namespace {

/// The variable whose component a diagnostic is about: v of v.s7.
StringRef variableBefore(StringRef Text, const ParseDiagnostic &D) {
  StringRef Here = textFrom(Text, D);
  StringRef Name = wordAt(Here);
  if (!Name.empty() && Here.drop_front(Name.size()).starts_with("."))
    return Name;
  StringRef Before = StringRef(Text.begin(), Here.begin() - Text.begin()).rtrim(".");
  return Before.take_back(Before.size() - Before.rtrim(NameChars).size());
}

/// There is a declaration `Type ..Variable`.
bool declaresAs(StringRef Text, StringRef Type, StringRef Variable) {
  if (Variable.empty() || Type.empty())
    return false;
  llvm::Regex Declaration(("(^|[^a-zA-Z0-9_])" + Type +
                           "[ \t*]+([a-zA-Z0-9_]+[ \t]*(=[^,;(]*)?,[ \t\r\n]*)*" + Variable +
                           "[^a-zA-Z0-9_(]")
                              .str());
  return Declaration.match(Text);
}

/// The lanes that the components of Variable need: 8 for v.s7, at least four.
unsigned lanesOf(StringRef Text, StringRef Variable) {
  unsigned Lanes = 4;
  std::string Prefix = (Variable + ".s").str();
  for (size_t At = Variable.empty() ? StringRef::npos : Text.find(Prefix); At != StringRef::npos;
       At = Text.find(Prefix, At + 1))
    for (char C : Text.drop_front(At + Prefix.size()).take_while(llvm::isHexDigit))
      Lanes = std::max(Lanes, llvm::hexDigitValue(C) < 4   ? 4u
                              : llvm::hexDigitValue(C) < 8 ? 8u
                                                           : 16u);
  return Lanes;
}

/// Each method answers one kind of message; it returns false for others.
class Reviser {
public:
  Reviser(const TokenScan &T, StringRef Text, std::vector<Definition> &Definitions,
          llvm::StringSet<> &Revised)
      : T(T), Text(Text), Definitions(Definitions), Revised(Revised) {}
  bool Any = false; ///< a definition was changed

  void read(const ParseDiagnostic &D) {
    reviseCondition(D.Message);
    if (!withdraw(D) && !reviseMember(D) && !reviseReturned(D) && !reviseConverted(D) &&
        !reviseLanes(D) && !reviseLiteral(D))
      revisePasted(D);
  }

private:
  const TokenScan &T;
  StringRef Text;
  std::vector<Definition> &Definitions;
  llvm::StringSet<> &Revised;
  llvm::StringSet<> SeenVariables;

  void set(Definition &D, StringRef Value) {
    if (D.Value == Value || !Revised.insert(D.Name).second)
      return;
    D.Value = Value.str();
    Any = true;
  }

  /// The #define of an unknown name is under #if ORDER == 2, and another value was inferred for
  /// ORDER.
  void reviseCondition(StringRef Message) {
    if (!Message.starts_with("use of undeclared identifier"))
      return;
    for (const WantedMacro &W : T.wantedToDefine(quoted(Message)))
      for (Definition &D : Definitions)
        if (D.Name == W.Name && !W.Value.empty())
          set(D, W.Value);
  }

  /// STEP(a, image, n), taken as write_imagef(image, n): arguments that the built-in does not take.
  bool withdraw(const ParseDiagnostic &At) {
    if (!StringRef(At.Message).starts_with("no matching function for call to"))
      return false;
    StringRef Line = lineOf(Text, At);
    for (Definition &D : Definitions)
      if (StringRef(D.Value).starts_with((quoted(At.Message) + "(").str()) &&
          T.calls(Line, StringRef(D.Name).split('(').first)) {
        set(D, StringRef(D.Value).starts_with("write_") ? StringRef() : StringRef(UnknownName));
        return true;
      }
    return false;
  }

  /// ray->origin = v.xyz: the member is a vector.
  bool reviseMember(const ParseDiagnostic &At) {
    StringRef Message = At.Message;
    if (!Message.starts_with("assigning to '") ||
        !Message.contains("float' from incompatible type") || !Message.contains("(vector of"))
      return false;
    StringRef Width = Message.drop_front(Message.find("(vector of ") + strlen("(vector of "))
                          .take_while(llvm::isDigit);
    StringRef To = lineOf(Text, At).split('=').first.rtrim();
    std::string Member = ("float " + To.take_back(To.size() - To.rfind('.') - 1) + ";").str();
    for (Definition &D : Definitions)
      if (size_t Found = D.Members.find(Member); To.contains('.') && Found != std::string::npos &&
                                                 Revised.insert(D.Name + Member).second) {
        D.Members.insert(Found + strlen("float"), Width);
        Any = true;
      }
    return Any;
  }

  /// x = load(i, p): the result is no pointer, though an argument is; nor a vector of another
  /// length.
  bool reviseReturned(const ParseDiagnostic &At) {
    StringRef Message = At.Message;
    if (Message != ParserCrash && !(Message.contains("incompatible") &&
                                    (Message.contains("*'") || Message.contains("(vector of"))))
      return false;
    StringRef Line = lineOf(Text, At);
    for (Definition &D : Definitions)
      if (StringRef(D.Name).ends_with("(...)") && D.Value == "(__VA_ARGS__)" &&
          T.calls(Line, StringRef(D.Name).drop_back(5)))
        set(D, UnknownName);
    return true;
  }

  /// convert_float4(LOAD4(p)), where p is a pointer or a number: LOAD4 returns as many components
  /// as the conversion takes.
  bool reviseConverted(const ParseDiagnostic &At) {
    if (!StringRef(At.Message).starts_with("no matching function for call to 'convert_"))
      return false;
    StringRef Rest = textFrom(Text, At), Conversion = wordAt(Rest);
    StringRef Inner = wordAt(Rest.drop_front(Conversion.size()).ltrim(" ("));
    StringRef Lanes = Conversion.drop_front(std::min(Conversion.size(), strlen("convert_")))
                          .split('_')
                          .first.ltrim("abcdefghijklmnopqrstuvwxyz");
    for (Definition &D : Definitions)
      if (D.Name == (Inner + "(...)").str() && D.Value == "(__VA_ARGS__)" && !Inner.empty())
        set(D, Lanes.empty() ? UnknownName.str()
                             : ("((float" + Lanes + ")" + UnknownName + ")").str());
    return true;
  }

  /// KV.s0, where a number was inferred for the type of KV: it is a vector.
  bool reviseLanes(const ParseDiagnostic &At) {
    StringRef Message = At.Message;
    if (!Message.starts_with("member reference base type") &&
        !Message.starts_with("vector component access exceeds type"))
      return false;
    StringRef Base = quoted(Message);
    Base = Base.substr(Base.rfind(' ') + 1); // without its address space
    StringRef Variable = variableBefore(Text, At);
    if (!SeenVariables.insert(Variable).second)
      return true;
    bool Declared = llvm::any_of(
        Definitions, [&](const Definition &D) { return declaresAs(Text, D.Name, Variable); });
    for (Definition &D : Definitions)
      if (D.Members.empty() && D.Value == Base && Base.rtrim("0123456789") != "double" &&
          (!Declared || declaresAs(Text, D.Name, Variable)))
        set(D, Base.rtrim("0123456789").str() + std::to_string(lanesOf(Text, Variable)));
    return true;
  }

  /// (T)(a, b, ..) with eight values, where four lanes were inferred for T.
  bool reviseLiteral(const ParseDiagnostic &At) {
    StringRef Message = At.Message;
    if (!Message.starts_with("too many elements in vector initialization"))
      return false;
    unsigned Have = 0;
    StringRef Count =
        Message.drop_front(Message.find("have ") + strlen("have ")).take_while(llvm::isDigit);
    bool IsWidth = !Count.getAsInteger(10, Have) && llvm::is_contained({2u, 3u, 4u, 8u, 16u}, Have);
    StringRef Before = StringRef(Text.begin(), textFrom(Text, At).begin() - Text.begin());
    for (Definition &D : Definitions)
      if (IsWidth && isVectorOrNumber(D.Value) &&
          Before.rsplit(';').second.contains("(" + D.Name + ")"))
        set(D, StringRef(D.Value).rtrim("0123456789").str() + Count.str());
    return true;
  }

  /// `invalid suffix '_op'`: of the numbers in the line, the one that is pasted to it is the name
  /// of a function.
  void revisePasted(const ParseDiagnostic &At) {
    StringRef Message = At.Message;
    if (!Message.starts_with("invalid suffix"))
      return;
    std::string Stem = T.stemOf(quoted(Message));
    if (Stem.empty())
      return;
    llvm::StringSet<> Words;
    for (StringRef Line = lineOf(Text, At); !Line.empty();) {
      StringRef Word = wordAt(Line);
      Words.insert(Word);
      Line = Line.drop_front(std::max<size_t>(Word.size(), 1));
    }
    for (Definition &D : Definitions)
      if (llvm::all_of(D.Value, llvm::isDigit) && Words.contains(D.Name)) {
        set(D, Stem);
        break;
      }
  }
};

} // namespace

bool contradicted(const TokenScan &T, llvm::ArrayRef<ParseDiagnostic> Diagnostics,
                  StringRef FileName, std::vector<Definition> &Definitions,
                  llvm::StringSet<> &Revised) {
  bool Any = false;
  std::vector<WantedMacro> Numbers;
  for (const Definition &D : Definitions)
    if (!D.Value.empty() && llvm::all_of(D.Value, llvm::isDigit))
      Numbers.push_back({D.Name, D.Value});
  for (const ParseDiagnostic &At : Diagnostics)
    if (unsigned Line = At.IsError ? T.errorLine(At.File == FileName ? At.Line : 0, At.Message) : 0)
      for (const WantedMacro &W : T.wantedAgainst(Line, Numbers))
        for (Definition &D : Definitions)
          if (D.Name == W.Name && !W.Value.empty() && D.Value != W.Value &&
              Revised.insert(D.Name).second) {
            D.Value = W.Value;
            Any = true;
          }
  return Any;
}

bool revise(const TokenScan &T, llvm::ArrayRef<ParseDiagnostic> Diagnostics, StringRef FileName,
            StringRef Text, std::vector<Definition> &Definitions, llvm::StringSet<> &Revised) {
  Reviser R(T, Text, Definitions, Revised);
  for (const ParseDiagnostic &D : Diagnostics)
    if (D.IsError && D.File == FileName)
      R.read(D);
  return R.Any;
}

} // namespace clmali::model
