//===-- checks/model/frontend/tolerant/MacroInference.cpp - What a host would have defined
//-----------===//
//
// See MacroInference.h. Limits: each name gets one meaning, chosen by how it is used in the
// whole file; there is no search over combinations.
//
//===----------------------------------------------------------------------===//

#include "checks/model/frontend/tolerant/MacroInference.h"
#include "checks/model/frontend/tolerant/TokenScan.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/Regex.h"

using llvm::StringRef;

namespace clmali::model {
namespace {

constexpr unsigned MaxRounds = 12;

/// The name between quotes in a message.
StringRef quoted(StringRef Message) {
  size_t Begin = Message.find('\'');
  if (Begin == StringRef::npos)
    return "";
  StringRef Rest = Message.drop_front(Begin + 1);
  return Rest.take_until([](char C) { return C == '\''; });
}

struct Definition {
  std::string Name, Value;
  bool MayBeInteger = false;
  std::string Members; ///< of a structure: what stands between its braces
  std::string Repair;  ///< not the host's: what was done so that it parses
  /// Of a repair: Value is text that stands before the file, or Name is an option.
  bool IsText = false, IsOption = false;
};

Definition define(StringRef Name, const Meaning &M) {
  return {Name.str() + M.Parameters, M.Value, M.MayBeInteger, {}, {}};
}

/// A type whose members the file uses is a structure of them.
Definition defineType(const TokenScan &T, StringRef Name, const Meaning &M) {
  // What its name calls a vector or a number is one.
  std::string Members = M.MayBeInteger ? T.membersOf(Name) : std::string();
  if (Members.empty())
    return define(Name, M);
  return {Name.str(), ("struct clmali_" + Name).str(), /*MayBeInteger=*/true, Members, {}};
}

/// The line of a diagnostic.
StringRef lineOf(StringRef Text, const ParseDiagnostic &D) {
  return from(Text, {"", D.Line, 1, true, ""}).take_until([](char C) { return C == '\n'; });
}

StringRef wordAt(StringRef S) {
  return S.take_while([](char C) { return llvm::isAlnum(C) || C == '_'; });
}

/// float, uint4
bool isVectorOrNumber(StringRef Word) {
  return llvm::StringSwitch<bool>(Word.rtrim("0123456789"))
      .Cases("char", "uchar", "short", "ushort", "int", "uint", "long", "ulong", true)
      .Cases("float", "double", "half", true)
      .Default(false);
}

/// The variable whose component a diagnostic is about: v of v.s7.
StringRef variableBefore(StringRef Text, const ParseDiagnostic &D) {
  StringRef Here = from(Text, D);
  StringRef Name = wordAt(Here);
  if (!Name.empty() && Here.drop_front(Name.size()).starts_with("."))
    return Name;
  StringRef Before = StringRef(Text.begin(), Here.begin() - Text.begin()).rtrim(".");
  return Before.take_back(
      Before.size() -
      Before.rtrim("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_").size());
}

/// Is there a declaration `Type ..Variable`?
bool declaresAs(StringRef Text, StringRef Type, StringRef Variable) {
  if (Variable.empty() || Type.empty())
    return false;
  llvm::Regex Declaration(("(^|[^a-zA-Z0-9_])" + Type +
                           "[ \t*]+([a-zA-Z0-9_]+[ \t]*(=[^,;(]*)?,[ \t\r\n]*)*" + Variable +
                           "[^a-zA-Z0-9_(]")
                              .str());
  return Declaration.match(Text);
}

/// How many lanes the components of Variable ask for: 8 for v.s7, and four where nothing says more.
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

/// The head of a function that the file defines, of types of the language alone: "float f(float
/// x)". "": there is none.
std::string headOf(StringRef Text, StringRef Name) {
  auto IsWord = [](char C) { return llvm::isAlnum(C) || C == '_'; };
  for (size_t At = Text.find(Name); At != StringRef::npos; At = Text.find(Name, At + 1)) {
    StringRef Rest = Text.drop_front(At + Name.size());
    size_t Close = Rest.find(')');
    if ((At && IsWord(Text[At - 1])) || !Rest.ltrim().starts_with("(") ||
        Close == StringRef::npos || !Rest.drop_front(Close + 1).ltrim().starts_with("{"))
      continue;
    size_t Begin = Text.take_front(At).find_last_of(";}\n");
    StringRef Head =
        Text.slice(Begin == StringRef::npos ? 0 : Begin + 1, At + Name.size() + Close + 1).trim();
    bool Plain = wordAt(Head) != Name;
    for (StringRef Left = Head; !Left.empty() && Plain;) {
      StringRef Word = wordAt(Left);
      Left = Left.drop_front(std::max<size_t>(Word.size(), 1));
      if (Word.empty() || Word == Name)
        continue;
      StringRef Then = Left.ltrim(); // a parameter's name
      if (Then.starts_with(",") || Then.starts_with(")") || Then.starts_with("["))
        continue;
      Plain = llvm::StringSwitch<bool>(Word.rtrim("0123456789"))
                  .Cases("void", "char", "uchar", "short", "ushort", "int", "uint", "long", "ulong",
                         true)
                  .Cases("float", "double", "half", "bool", "size_t", "unsigned", "signed", "const",
                         "inline", true)
                  .Cases("static", "restrict", "volatile", "global", "local", "constant", "private",
                         true)
                  .Cases("__global", "__local", "__constant", "__private", "__inline", "image",
                         "sampler_t", true)
                  .Default(false);
    }
    if (Plain)
      return Head.str() + ";";
  }
  return "";
}

/// What other compilers take and Clang does not, and what a missing header would have said: as a
/// macro of its own name.
std::optional<Definition> repair(const TokenScan &T, const ParseDiagnostic &D, StringRef FileName,
                                 StringRef Text) {
  StringRef Message = D.Message, Name = quoted(Message);
  // pow(x, 2) of a float, min(id, 255): of one type.
  if (Message.ends_with("is ambiguous") && Message.starts_with("call to '") && !T.defines(Name)) {
    // atomic_add of a long, whose name is atom_add.
    if (StringRef Operation = Name; Operation.consume_front("atomic_"))
      if (llvm::is_contained(
              {"add", "sub", "xchg", "inc", "dec", "cmpxchg", "min", "max", "and", "or", "xor"},
              Operation)) {
        StringRef Arguments = llvm::is_contained({"inc", "dec"}, Operation) ? "(a)"
                              : Operation == "cmpxchg"                      ? "(a,b,c)"
                                                                            : "(a,b)";
        return Definition{(Name + Arguments).str(),
                          ("atom_" + Operation + Arguments).str(),
                          false,
                          {},
                          (Name + " is taken as one of 64 bits, too").str()};
      }
    std::string Repair = ("the arguments of " + Name + " are taken as of one type").str();
    auto Both = [&](StringRef More) {
      std::string As = ("((__typeof__((a)+(b)" + More + "))").str();
      return Definition{Name.str() + "(a,b)",
                        (Name + "(" + As + "(a))," + As + "(b)))").str(),
                        false,
                        {},
                        Repair};
    };
    if (llvm::is_contained(
            {"min", "max", "mul24", "mul_hi", "hadd", "rhadd", "add_sat", "sub_sat", "rotate"},
            Name))
      return Both("");
    if (llvm::is_contained(
            {"clamp", "mix", "mad", "fma", "smoothstep", "mad24", "mad_hi", "mad_sat"}, Name)) {
      std::string As = Name == "clamp" || Name.starts_with("mad_") || Name == "mad24"
                           ? "((__typeof__((a)+(b)+(c)))"
                           : "((__typeof__((a)+(b)+(c)+0.0f))";
      return Definition{Name.str() + "(a,b,c)",
                        (Name + "(" + As + "(a))," + As + "(b))," + As + "(c)))").str(),
                        false,
                        {},
                        Repair};
    }
    if (Name == "abs") // of a float
      return Definition{"abs(a)", "fabs((__typeof__((a)+0.0f))(a))", false, {}, Repair};
    if (llvm::is_contained(
            {"pow", "fmin", "fmax", "fmod", "atan2", "hypot", "fdim", "step", "powr"}, Name))
      return Both("+0.0f");
    if (llvm::is_contained(
            {"sqrt",        "log",         "log2",         "log10",        "exp",
             "exp2",        "sin",         "cos",          "tan",          "fabs",
             "floor",       "ceil",        "round",        "rsqrt",        "trunc",
             "atan",        "acos",        "asin",         "sinh",         "cosh",
             "tanh",        "asinh",       "acosh",        "atanh",        "cbrt",
             "erf",         "erfc",        "exp10",        "expm1",        "log1p",
             "rint",        "sinpi",       "cospi",        "sign",         "degrees",
             "radians",     "native_log",  "native_log10", "native_recip", "native_tan",
             "native_sqrt", "native_log2", "native_exp",   "native_sin",   "native_cos",
             "native_rsqrt"},
            Name))
      return Definition{
          Name.str() + "(a)", (Name + "((__typeof__((a)+0.0f))(a))").str(), false, {}, Repair};
  }
  // struct X *p of a header that is not here.
  size_t Incomplete = Message.contains("incomplete") ? Message.find("type '") : StringRef::npos;
  if (Incomplete != StringRef::npos) {
    StringRef Type = Message.drop_front(Incomplete + strlen("type '")).take_until([](char C) {
      return C == '\'';
    });
    size_t Struct = Type.rfind("struct ");
    Name = Struct == StringRef::npos ? StringRef()
                                     : wordAt(Type.drop_front(Struct + strlen("struct ")));
    std::string Members = isName(Name) ? T.membersOf(Name) : std::string();
    if (!Members.empty())
      return Definition{Name.str(), ("struct " + Name).str(), true, Members, {}};
  }
  if (D.File != FileName)
    return std::nullopt;
  auto AsText = [](std::string Key, StringRef Before, std::string Repair) {
    Definition Result{std::move(Key), Before.str(), false, {}, std::move(Repair)};
    Result.IsText = true;
    return Result;
  };
  // A function that is called before it stands there.
  bool Undeclared = Message.contains("implicit declaration of function") ||
                    Message.starts_with("use of undeclared identifier");
  if (Undeclared && isName(Name) && !T.defines(Name))
    if (std::string Head = headOf(Text, Name); !Head.empty())
      return AsText(Name.str(), Head,
                    ("function " + Name + " is called before it is declared").str());
  if (Message.contains("requires cl_khr_fp16") || Message.contains("half' is not allowed"))
    return AsText("cl_khr_fp16", "#pragma OPENCL EXTENSION cl_khr_fp16 : enable",
                  "cl_khr_fp16 is taken as enabled");
  if (Message.ends_with("does not support the 'auto' storage class specifier"))
    return Definition{"auto", "__auto_type", false, {}, "OpenCL C knows no auto"};
  // float4 * 0.5, where nothing is meant to be double
  bool Doubles = false;
  for (const char *Type : {"double", "double2", "double3", "double4", "double8", "double16"})
    Doubles |= T.uses(Type);
  if (mixesDouble(Message) && !Doubles) {
    Definition Result{"-cl-single-precision-constant", "", false, {}, FloatLiterals.str()};
    Result.IsOption = true;
    return Result;
  }
  // float2(x, y), 1 / float(x)
  if (Message == "expected expression")
    if (StringRef Word = wordAt(from(Text, D)); isVectorOrNumber(Word))
      Name = Word;
  if ((Message.starts_with("unexpected type name") || Message == "expected expression") &&
      isName(Name) && T.uses(Name)) {
    StringRef Rest = from(Text, D);
    if (Rest.consume_front(Name) && Rest.ltrim().starts_with("(") && !T.defines(Name))
      return Definition{Name.str() + "(...)",
                        ("((" + Name + ")(__VA_ARGS__))").str(),
                        false,
                        {},
                        (Name + "(..) is taken as a conversion").str()};
  }
  // float a[COUNT] with the COUNT that only says that the host gives another.
  if (Message.contains("array with a negative size")) {
    for (StringRef Line = lineOf(Text, D); !Line.empty();
         Line = Line.drop_front(std::max<size_t>(wordAt(Line).size(), 1)))
      if (StringRef Word = wordAt(Line); isName(Word) && T.defines(Word) && T.tests(Word))
        return Definition{Word.str(), "16", false, {}, {}};
  }
  // #if gpu_of(DEVICE): of no vendor
  if (Message.starts_with("function-like macro ") && Message.ends_with("is not defined") &&
      isName(Name))
    return Definition{Name.str() + "(...)", "0", false, {}, {}};
  // KERNELS_OF(add, a + b) between functions.
  bool Between = Message.starts_with("expected function body") ||
                 Message.starts_with("type specifier missing") ||
                 Message.starts_with("expected parameter declarator") ||
                 Message.starts_with("expected ')'") ||
                 Message.starts_with("expected identifier") ||
                 Message.starts_with("a parameter list without types");
  if (Between) {
    StringRef Line = lineOf(Text, D), Word = wordAt(Line);
    if (isName(Word) && llvm::none_of(Word, llvm::isLower) &&
        Line.drop_front(Word.size()).ltrim().starts_with("(") && !T.defines(Word)) {
      Meaning M = T.meaning(Word);
      if (!M.Parameters.empty() && M.Value.empty())
        return define(Word, M);
    }
  }
  return std::nullopt;
}

/// What the names of the errors might stand for: all types of a round at once, because the other
/// errors may follow from them; else all macros; else the first other name.
std::vector<Definition> propose(const TokenScan &T, llvm::ArrayRef<ParseDiagnostic> Diagnostics,
                                StringRef FileName, StringRef Text, llvm::StringSet<> &Known) {
  std::vector<Definition> Reached, Types, Macros, Others, Repairs;
  auto Take = [&](std::vector<Definition> &To, StringRef Name, const Meaning &M) {
    if (Known.insert(Name).second)
      To.push_back(M.IsType ? defineType(T, Name, M) : define(Name, M));
  };
  for (const ParseDiagnostic &D : Diagnostics) {
    StringRef Message = D.Message;
    // f(BOUNDS(n) __global T *p): what its parentheses hold is no list of types.
    if (D.File == FileName && Message.starts_with("type specifier missing"))
      if (StringRef Word = wordAt(from(Text, D)); isName(Word) && !T.defines(Word))
        if (Meaning M = T.meaning(Word); !M.Parameters.empty() && M.Value.empty())
          Take(Reached, Word, M);
    // void NAME(add)(int x): what makes a name is no function.
    if (D.File == FileName && Message.starts_with("function cannot return function type")) {
      StringRef Before = StringRef(Text.begin(), from(Text, D).begin() - Text.begin()).rtrim();
      StringRef Word = Before.drop_front(Before.find_last_not_of(NameChars) + 1);
      if (isName(Word) && !T.defines(Word))
        if (Meaning M = T.meaning(Word); StringRef(M.Parameters).starts_with("(a"))
          Take(Reached, Word, M);
    }
    if (!D.IsError)
      continue;
    // An #error that was reached: what its condition misses.
    if (unsigned Line = T.errorLine(D.File == FileName ? D.Line : 0, Message))
      for (const WantedMacro &W : T.wantedAgainst(Line)) {
        Meaning M = T.meaning(W.Name);
        if (!W.Value.empty())
          M = {"", W.Value, false, false};
        Take(Types, W.Name, M);
      }
    std::optional<Definition> R = repair(T, D, FileName, Text);
    bool Repaired = R && R->IsText;
    if (R && Known.insert(StringRef(R->Name).split('(').first).second)
      Repairs.push_back(std::move(*R));
    if (Repaired)
      continue;
    StringRef Name = quoted(Message);
    bool IsType = Message.starts_with("unknown type name");
    // a OP b: what is expected instead of it is all that is said.
    bool IsOperator = false;
    // float *out DEBUG_ARGS): of more parameters, none.
    if (D.File == FileName && Message.starts_with("expected ')'")) {
      StringRef Rest = from(Text, D), Word = wordAt(Rest);
      StringRef Before = StringRef(Text.begin(), Rest.begin() - Text.begin()).rtrim();
      if (isName(Word) && !T.defines(Word) && llvm::none_of(Word, llvm::isLower) &&
          !Before.empty() && isNameChar(Before.back()) &&
          Rest.drop_front(Word.size()).ltrim().starts_with(")")) {
        Take(Macros, Word, {"", "", false, false});
        continue;
      }
    }
    if (D.File == FileName &&
        (Message.starts_with("expected ')'") || Message.starts_with("expected ';'"))) {
      StringRef Word =
          from(Text, D).take_while([](char C) { return llvm::isAlnum(C) || C == '_'; });
      if (isName(Word) && !T.defines(Word) && llvm::none_of(Word, llvm::isLower) &&
          T.meaning(Word).Value == "+") {
        Name = Word;
        IsOperator = true;
      }
    }
    if (!isName(Name) || Known.contains(Name))
      continue;
    bool IsValue = Message.starts_with("use of undeclared identifier") ||
                   Message.contains("undeclared function") ||
                   Message.contains("implicit declaration");
    if (!IsType && !IsValue && !IsOperator)
      continue;
    // A variable of the file whose declaration did not parse is nobody's macro.
    if (IsValue && llvm::any_of(Name, llvm::isLower) && T.declares(Name))
      continue;
    // A #define or typedef of it stands under a condition: let that be reached.
    if (std::vector<WantedMacro> Wanted = T.wantedToDefine(Name); !Wanted.empty()) {
      for (const WantedMacro &W : Wanted)
        Take(Reached, W.Name,
             W.Value.empty() ? T.meaning(W.Name) : Meaning{"", W.Value, false, false});
      continue;
    }
    // A table of a header that is not here.
    if (std::string Table = IsValue && !T.defines(Name) && !T.declares(Name) ? T.tableOf(Name) : "";
        !Table.empty()) {
      if (!Known.insert(Name).second)
        continue;
      Definition Result{Name.str(),
                        "extern __constant " + Table + ";",
                        false,
                        {},
                        (Name + " is taken as a table of numbers").str()};
      Result.IsText = true;
      Macros.push_back(std::move(Result));
      continue;
    }
    // #pragma unroll(COUNT) says nothing of COUNT.
    if (IsValue && !T.uses(Name) && D.File == FileName &&
        lineOf(Text, D).ltrim().starts_with("#")) {
      Take(Macros, Name, {"", "4", false, false});
      continue;
    }
    // vloadVEC_SIZE, T4: a part of it is the macro.
    if (!T.uses(Name) || T.defines(Name)) {
      std::string Part = T.pastedMacro(Name);
      if (!Part.empty() && Known.contains(Part))
        continue;
      if (!Part.empty()) {
        StringRef Whole = Name;
        if (Whole.consume_back(Part) && (Whole == "read_image" || Whole == "write_image")) {
          Take(Types, Part, {"", "f", false, false});
          continue;
        }
        Meaning M = T.meaning(Part);
        bool Lanes = Name.ends_with(Part) && !M.IsType;
        if (Lanes || M.Value == "16")
          M = {"", "4", false, false};
        Take(Types, Part, M);
        continue;
      }
      // Its own definition would win; what is pasted of unknown parts has no meaning of its own.
      if (T.defines(Name) || !T.uses(Name))
        continue;
    }
    Meaning M = T.meaning(Name);
    if (IsType && !M.IsType && M.Value == "16")
      M = T.asType(Name);
    if (IsType || M.IsType)
      Take(Types, Name, M);
    else if (llvm::none_of(Name, llvm::isLower))
      Take(Macros, Name, M);
    else if (Types.empty() && (Others.empty() || M.Parameters.empty()))
      Take(Others, Name, M);
  }
  // Names that are not taken now may be asked for again.
  auto Forget = [&](const std::vector<Definition> &List) {
    for (const Definition &D : List)
      Known.erase(StringRef(D.Name).split('(').first);
  };
  if (!Reached.empty() || !Types.empty() || !Macros.empty() || !Others.empty())
    Forget(Repairs); // they may follow from the names
  if (!Reached.empty()) {
    Forget(Types);
    Forget(Macros);
    Forget(Others);
    return Reached;
  }
  if (!Types.empty()) {
    Forget(Macros);
    Forget(Others);
    return Types;
  }
  if (!Macros.empty()) {
    Forget(Others);
    return Macros;
  }
  return Others.empty() ? Repairs : Others;
}

/// What an #error speaks against is another value (#if BITS == 16, #elif BITS == 32, #else #error).
/// True if any is changed.
bool contradicted(const TokenScan &T, llvm::ArrayRef<ParseDiagnostic> Diagnostics,
                  StringRef FileName, std::vector<Definition> &Definitions,
                  llvm::StringSet<> &Revised) {
  bool Any = false;
  std::vector<WantedMacro> InferredMacros;
  for (const Definition &D : Definitions)
    if (!D.Value.empty() && llvm::all_of(D.Value, llvm::isDigit))
      InferredMacros.push_back({D.Name, D.Value});
  for (const ParseDiagnostic &Said : Diagnostics)
    if (unsigned Line =
            Said.IsError ? T.errorLine(Said.File == FileName ? Said.Line : 0, Said.Message) : 0)
      for (const WantedMacro &W : T.wantedAgainst(Line, InferredMacros))
        for (Definition &D : Definitions)
          if (D.Name == W.Name && !W.Value.empty() && D.Value != W.Value &&
              Revised.insert(D.Name).second) {
            D.Value = W.Value;
            Any = true;
          }
  return Any;
}

/// What the errors show to be another value than was taken: a name that is pasted to what the file
/// defines
/// (`ACT##_op`, where there is a relu_op). True if any is changed.
bool revise(const TokenScan &T, llvm::ArrayRef<ParseDiagnostic> Diagnostics, StringRef FileName,
            StringRef Text, std::vector<Definition> &Definitions, llvm::StringSet<> &Revised) {
  bool Any = false;
  auto Set = [&](Definition &D, StringRef Value) {
    if (D.Value == Value || !Revised.insert(D.Name).second)
      return;
    D.Value = Value.str();
    Any = true;
  };
  llvm::StringSet<> Asked; // variables
  for (const ParseDiagnostic &Said : Diagnostics) {
    if (!Said.IsError || Said.File != FileName)
      continue;
    StringRef Message = Said.Message;
    // Its #define stands under #if ORDER == 2, and ORDER was taken for another number.
    if (Message.starts_with("use of undeclared identifier"))
      for (const WantedMacro &W : T.wantedToDefine(quoted(Message)))
        for (Definition &D : Definitions)
          if (D.Name == W.Name && !W.Value.empty())
            Set(D, W.Value);
    // ray->origin = v.xyz: a vector, as that is.
    if (Message.starts_with("assigning to '") &&
        Message.contains("float' from incompatible type") && Message.contains("(vector of")) {
      StringRef Width = Message.drop_front(Message.find("(vector of ") + strlen("(vector of "))
                            .take_while(llvm::isDigit);
      StringRef To = lineOf(Text, Said).split('=').first.rtrim();
      std::string Member = ("float " + To.take_back(To.size() - To.rfind('.') - 1) + ";").str();
      for (Definition &D : Definitions)
        if (size_t At = D.Members.find(Member);
            To.contains('.') && At != std::string::npos && Revised.insert(D.Name + Member).second) {
          D.Members.insert(At + strlen("float"), Width);
          Any = true;
        }
      if (Any)
        continue;
    }
    // x = load(i, p): what it gives back is no pointer, the last of its arguments or not.
    // Nor is it a vector of another kind.
    if (Message == FellOver || (Message.contains("incompatible") &&
                                (Message.contains("*'") || Message.contains("(vector of")))) {
      StringRef Line = lineOf(Text, Said);
      for (Definition &D : Definitions)
        if (StringRef(D.Name).ends_with("(...)") && D.Value == "(__VA_ARGS__)" &&
            T.calls(Line, StringRef(D.Name).drop_back(5)))
          Set(D, UnknownName);
      continue;
    }
    // convert_float4(LOAD4(p)), where p is a pointer, or a number: it has as many components as are
    // asked for.
    if (Message.starts_with("no matching function for call to 'convert_")) {
      StringRef Rest = from(Text, Said), Of = wordAt(Rest);
      StringRef Inner = wordAt(Rest.drop_front(Of.size()).ltrim(" ("));
      StringRef Lanes = Of.drop_front(std::min(Of.size(), strlen("convert_")))
                            .split('_')
                            .first.ltrim("abcdefghijklmnopqrstuvwxyz");
      for (Definition &D : Definitions)
        if (D.Name == (Inner + "(...)").str() && D.Value == "(__VA_ARGS__)" && !Inner.empty())
          Set(D, Lanes.empty() ? UnknownName.str()
                               : ("((float" + Lanes + ")" + UnknownName + ")").str());
      continue;
    }
    // KV.s0, where KV was taken for a number: it is a vector.
    if (Message.starts_with("member reference base type") ||
        Message.starts_with("vector component access exceeds type")) {
      StringRef Base = quoted(Message);
      Base = Base.substr(Base.rfind(' ') + 1); // without its address space
      StringRef Variable = variableBefore(Text, Said);
      if (!Asked.insert(Variable).second)
        continue;
      bool Declared = llvm::any_of(
          Definitions, [&](const Definition &D) { return declaresAs(Text, D.Name, Variable); });
      for (Definition &D : Definitions)
        if (D.Members.empty() && D.Value == Base && Base.rtrim("0123456789") != "double" &&
            (!Declared || declaresAs(Text, D.Name, Variable)))
          Set(D, Base.rtrim("0123456789").str() + std::to_string(lanesOf(Text, Variable)));
      continue;
    }
    // (T)(a, b, .. of eight), where T was taken for four.
    if (Message.starts_with("too many elements in vector initialization")) {
      unsigned Have = 0;
      StringRef Count =
          Message.drop_front(Message.find("have ") + strlen("have ")).take_while(llvm::isDigit);
      bool IsWidth =
          !Count.getAsInteger(10, Have) && llvm::is_contained({2u, 3u, 4u, 8u, 16u}, Have);
      StringRef Before = StringRef(Text.begin(), from(Text, Said).begin() - Text.begin());
      for (Definition &D : Definitions)
        if (IsWidth && isVectorOrNumber(D.Value) &&
            Before.rsplit(';').second.contains("(" + D.Name + ")"))
          Set(D, StringRef(D.Value).rtrim("0123456789").str() + Count.str());
      continue;
    }
    if (!Message.starts_with("invalid suffix"))
      continue;
    std::string Stem = T.stemOf(quoted(Message));
    if (Stem.empty())
      continue;
    // Of the numbers on that line the one that is pasted.
    StringRef Line =
        from(Text, {"", Said.Line, 1, true, ""}).take_until([](char C) { return C == '\n'; });
    llvm::StringSet<> Words;
    while (!Line.empty()) {
      StringRef Word = Line.take_while([](char C) { return llvm::isAlnum(C) || C == '_'; });
      Words.insert(Word);
      Line = Line.drop_front(std::max<size_t>(Word.size(), 1));
    }
    for (Definition &D : Definitions)
      if (llvm::all_of(D.Value, llvm::isDigit) && Words.contains(D.Name)) {
        Set(D, Stem);
        break;
      }
  }
  return Any;
}

} // namespace

/// "scalar operand type has greater rank than the type of the vector element. ('float4' (..) and
/// 'double')"
bool mixesDouble(StringRef Message) {
  return Message.starts_with("scalar operand type has greater rank") &&
         Message.contains("'double'") && Message.contains("'float' values");
}

InferredMacros guess(StringRef FileName, StringRef Text, StringRef Headers,
                     const llvm::StringMap<std::string> &Given,
                     llvm::ArrayRef<std::string> Dialects, StringRef Triple, bool MayChangeTriple,
                     unsigned Wanted, TryFn Try) {
  TokenScan T((Text + "\n" + Headers).str(), Given);
  std::vector<Definition> Definitions;
  llvm::StringSet<> Known, Revised;
  auto Extra = [&] {
    std::vector<std::string> Args;
    for (const Definition &D : Definitions) {
      if (D.IsOption) {
        Args.push_back(D.Name);
        continue;
      }
      if (D.IsText) {
        Args.push_back(PreludeOption.str());
        Args.push_back(D.Value);
        continue;
      }
      if (!D.Members.empty()) {
        Args.push_back(PreludeOption.str());
        Args.push_back("typedef " + D.Value + " {" + D.Members + "} " + D.Name + ";");
        continue;
      }
      Args.push_back("-D");
      Args.push_back(D.Name + "=" + D.Value);
    }
    return Args;
  };
  auto Notes = [&] {
    std::vector<std::string> Result;
    for (const Definition &D : Definitions)
      if (D.Repair.empty())
        Result.push_back(D.Members.empty() ? D.Name + "=" + D.Value
                                           : D.Name + "=struct {" + D.Members + "}");
    return Result;
  };
  auto Repairs = [&] {
    std::vector<std::string> Result;
    for (const Definition &D : Definitions)
      if (!D.Repair.empty())
        Result.push_back(D.Repair);
    return Result;
  };
  for (const WantedMacro &W : T.wantedForKernels(Wanted))
    if (Known.insert(W.Name).second)
      Definitions.push_back(W.Value.empty() ? define(W.Name, T.meaning(W.Name))
                                            : Definition{W.Name, W.Value, false, {}, {}});
  // What a kernel is wanted for is defined from the start: without it, there are other kernels.
  std::vector<std::string> BestArgs;
  if (Wanted)
    BestArgs = Extra();
  // Without these, all parses as well; kernels lack a part.
  bool Numbers = false;
  for (const WantedMacro &W : T.wantedNumbers())
    if (Known.insert(W.Name).second) {
      Definitions.push_back({W.Name, W.Value, false, {}, {}});
      Numbers = true;
    }
  InferredMacros Best;
  bool Have = false;
  auto Better = [](const ParseAttempt &A, const ParseAttempt &B) {
    if (A.Kernels != B.Kernels)
      return A.Kernels > B.Kernels;
    return A.Errors < B.Errors;
  };
  // The dialect with the fewest errors is the one to mend.
  for (const std::string &D : Dialects) {
    ParseAttempt A = Try(BestArgs, D, Triple, /*Limit=*/false);
    if (!Have || Better(A, Best.Attempt)) {
      Best = {std::move(A), D, Wanted ? Notes() : std::vector<std::string>(), {}, {}, {}, {}};
      Have = true;
    }
    if (!Best.Attempt.Errors)
      break;
  }
  std::string Std = Best.Dialect;
  bool WasClean = Best.Attempt.Errors == 0;

  ParseAttempt Now = Best.Attempt;
  if (!Definitions.empty())
    Now = Try(Extra(), Std, Triple, /*Limit=*/true);
  for (unsigned Round = 0; Round < MaxRounds && Now.Errors; ++Round) {
    // Before it is mended, names that hang on it would be taken for the host's.
    std::vector<Definition> Next;
    bool Mended = contradicted(T, Now.Diagnostics, FileName, Definitions, Revised);
    if (!Mended)
      Next = propose(T, Now.Diagnostics, FileName, Text, Known);
    if (!Mended && Next.empty() &&
        !revise(T, Now.Diagnostics, FileName, Text, Definitions, Revised))
      break;
    Definitions.insert(Definitions.end(), Next.begin(), Next.end());
    Now = Try(Extra(), Std, Triple, /*Limit=*/true);
  }
  auto Consider = [&](ParseAttempt &A) {
    // What parsed as it was is not made worse for a kernel more.
    if ((WasClean && Best.Attempt.Kernels && A.Errors) ||
        (Numbers ? Better(Best.Attempt, A) : !Better(A, Best.Attempt)))
      return;
    Numbers = false;
    Best = {A, Std, Notes(), Repairs(), {}, {}, {}};
    BestArgs = Extra();
  };
  if (!Definitions.empty()) {
    if (Now.Errors)
      Now = Try(Extra(), Std, Triple, /*Limit=*/false);
    Consider(Now);
    // Types of which nothing was known but that they are types: integers, if that reads better.
    if (Now.Errors) {
      bool Any = false;
      for (Definition &D : Definitions)
        if (D.MayBeInteger && StringRef(D.Value).starts_with("float")) {
          D.Value = "int" + D.Value.substr(5);
          Any = true;
        } else if (size_t At;
                   D.MayBeInteger && (At = D.Members.find("float ")) != std::string::npos) {
          for (; At != std::string::npos; At = D.Members.find("float "))
            D.Members.replace(At, 5, "int");
          Any = true;
        }
      if (Any) {
        ParseAttempt Integers = Try(Extra(), Std, Triple, /*Limit=*/false);
        Consider(Integers);
      }
    }
  }
  // What only generic pointers allow, and variables of the program that are no constants.
  if (llvm::any_of(Now.Diagnostics, [](const ParseDiagnostic &D) {
        return D.IsError &&
               (StringRef(D.Message).contains("changes address space") ||
                StringRef(D.Message).starts_with("program scope variable must reside"));
      }))
    for (const std::string &D : Dialects) {
      Std = D;
      ParseAttempt Other = Try(Extra(), D, Triple, /*Limit=*/false);
      Consider(Other);
    }
  if (Best.Attempt.Errors && MayChangeTriple && Triple == "spir64") {
    ParseAttempt Small = Try(BestArgs, Best.Dialect, "spir", /*Limit=*/false);
    if (Better(Small, Best.Attempt)) {
      Best.Attempt = Small;
      Best.Notes.push_back("size_t taken as 32 bits wide");
    }
  }
  // Nothing was seen, and it is known what for.
  if (!Best.Attempt.Kernels && Best.Defines.empty() && !Definitions.empty()) {
    std::string Note = "its kernels wait for macros that the host defines (give them with -D):";
    bool Any = false;
    for (const Definition &D : Definitions)
      if (D.Repair.empty()) {
        Note += (Any ? ", " : " ") + StringRef(D.Name).split('(').first.str();
        Any = true;
      }
    if (Any)
      Best.Notes.push_back(Note);
  }
  auto Told = [](llvm::ArrayRef<std::string> Defines) {
    std::string Note = "the host defines macros that were not given; taken as";
    for (size_t I = 0; I < Defines.size(); ++I)
      Note += (I ? ", " : " ") + Defines[I];
    return Note;
  };
  if (!Best.Defines.empty())
    Best.Notes.insert(Best.Notes.begin(), Told(Best.Defines));
  Best.Arguments = BestArgs;
  Best.LastArguments = Extra();
  if (!Notes().empty())
    Best.LastNotes = {Told(Notes())};
  for (std::string &N : Repairs())
    Best.LastNotes.push_back(std::move(N));
  return Best;
}

} // namespace clmali::model
