//===-- checks/model/Guess.cpp - What a host would have defined -----------===//
//
// See Guess.h. Limits: each name gets one meaning, chosen by how it is used in the
// whole file; there is no search over combinations.
//
//===----------------------------------------------------------------------===//

#include "checks/model/Guess.h"
#include "checks/model/GuessText.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/StringSwitch.h"

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
Definition defineType(const GuessText &T, StringRef Name, const Meaning &M) {
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

/// The head of a function that the file defines, of types of the language alone: "float f(float x)". "": there is none.
std::string headOf(StringRef Text, StringRef Name) {
  auto IsWord = [](char C) { return llvm::isAlnum(C) || C == '_'; };
  for (size_t At = Text.find(Name); At != StringRef::npos; At = Text.find(Name, At + 1)) {
    StringRef Rest = Text.drop_front(At + Name.size());
    size_t Close = Rest.find(')');
    if ((At && IsWord(Text[At - 1])) || !Rest.ltrim().starts_with("(") || Close == StringRef::npos ||
        !Rest.drop_front(Close + 1).ltrim().starts_with("{"))
      continue;
    size_t Begin = Text.take_front(At).find_last_of(";}\n");
    StringRef Head = Text.slice(Begin == StringRef::npos ? 0 : Begin + 1, At + Name.size() + Close + 1).trim();
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
                  .Cases("void", "char", "uchar", "short", "ushort", "int", "uint", "long", "ulong", true)
                  .Cases("float", "double", "half", "bool", "size_t", "unsigned", "signed", "const", "inline", true)
                  .Cases("static", "restrict", "volatile", "global", "local", "constant", "private", true)
                  .Cases("__global", "__local", "__constant", "__private", "__inline", "image", "sampler_t", true)
                  .Default(false);
    }
    if (Plain)
      return Head.str() + ";";
  }
  return "";
}

/// What other compilers take and Clang does not, and what a missing header would have said: as a macro of its own name.
std::optional<Definition> repair(const GuessText &T, const ParseDiagnostic &D, StringRef FileName, StringRef Text) {
  StringRef Message = D.Message, Name = quoted(Message);
  // pow(x, 2) of a float, min(id, 255): of one type.
  if (Message.ends_with("is ambiguous") && Message.starts_with("call to '") && !T.defines(Name)) {
    std::string Repair = ("the arguments of " + Name + " are taken as of one type").str();
    auto Both = [&](StringRef More) {
      std::string As = ("((__typeof__((a)+(b)" + More + "))").str();
      return Definition{Name.str() + "(a,b)", (Name + "(" + As + "(a))," + As + "(b)))").str(), false, {}, Repair};
    };
    if (llvm::is_contained({"min", "max"}, Name))
      return Both("");
    if (llvm::is_contained({"clamp", "mix", "mad", "fma", "smoothstep"}, Name)) {
      std::string As = Name == "clamp" ? "((__typeof__((a)+(b)+(c)))" : "((__typeof__((a)+(b)+(c)+0.0f))";
      return Definition{Name.str() + "(a,b,c)", (Name + "(" + As + "(a))," + As + "(b))," + As + "(c)))").str(), false, {}, Repair};
    }
    if (Name == "abs") // of a float
      return Definition{"abs(a)", "fabs((__typeof__((a)+0.0f))(a))", false, {}, Repair};
    if (llvm::is_contained({"pow", "fmin", "fmax", "fmod", "atan2", "hypot", "fdim", "step", "powr"}, Name))
      return Both("+0.0f");
    if (llvm::is_contained({"sqrt", "log", "log2", "log10", "exp", "exp2", "sin", "cos", "tan", "fabs", "floor", "ceil", "round",
                            "rsqrt", "trunc", "atan", "acos", "asin", "native_sqrt", "native_log2", "native_exp", "native_sin",
                            "native_cos", "native_rsqrt"},
                           Name))
      return Definition{Name.str() + "(a)", (Name + "((__typeof__((a)+0.0f))(a))").str(), false, {}, Repair};
  }
  if (D.File != FileName)
    return std::nullopt;
  auto AsText = [](std::string Key, StringRef Before, std::string Repair) {
    Definition Result{std::move(Key), Before.str(), false, {}, std::move(Repair)};
    Result.IsText = true;
    return Result;
  };
  // A function that is called before it stands there.
  bool Undeclared = Message.contains("implicit declaration of function") || Message.starts_with("use of undeclared identifier");
  if (Undeclared && isName(Name) && !T.defines(Name))
    if (std::string Head = headOf(Text, Name); !Head.empty())
      return AsText(Name.str(), Head, ("function " + Name + " is called before it is declared").str());
  if (Message.contains("requires cl_khr_fp16") || Message.contains("'half' is not allowed"))
    return AsText("cl_khr_fp16", "#pragma OPENCL EXTENSION cl_khr_fp16 : enable", "cl_khr_fp16 is taken as enabled");
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
  // float2(x, y)
  if (Message.starts_with("unexpected type name") && isName(Name) && T.uses(Name)) {
    StringRef Rest = from(Text, D);
    if (Rest.consume_front(Name) && Rest.ltrim().starts_with("(") && !T.defines(Name))
      return Definition{Name.str() + "(...)", ("((" + Name + ")(__VA_ARGS__))").str(), false, {},
                        (Name + "(..) is taken as a conversion").str()};
  }
  // float a[COUNT] with the COUNT that only says that the host gives another.
  if (Message.contains("array with a negative size")) {
    for (StringRef Line = lineOf(Text, D); !Line.empty(); Line = Line.drop_front(std::max<size_t>(wordAt(Line).size(), 1)))
      if (StringRef Word = wordAt(Line); isName(Word) && T.defines(Word) && T.tests(Word))
        return Definition{Word.str(), "16", false, {}, {}};
  }
  // struct X *p of a header that is not here.
  if (size_t At = Message.find("incomplete type '"); At != StringRef::npos) {
    StringRef Type = Message.drop_front(At + strlen("incomplete type '")).take_until([](char C) { return C == '\''; });
    size_t Struct = Type.rfind("struct ");
    Name = Struct == StringRef::npos ? StringRef() : wordAt(Type.drop_front(Struct + strlen("struct ")));
    std::string Members = isName(Name) ? T.membersOf(Name) : std::string();
    if (!Members.empty())
      return Definition{Name.str(), ("struct " + Name).str(), true, Members, {}};
  }
  // #if gpu_of(DEVICE): of no vendor
  if (Message.starts_with("function-like macro ") && Message.ends_with("is not defined") && isName(Name))
    return Definition{Name.str() + "(...)", "0", false, {}, {}};
  // KERNELS_OF(add, a + b) between functions.
  bool Between = Message.starts_with("expected function body") || Message.starts_with("type specifier missing") ||
                 Message.starts_with("expected parameter declarator") || Message.starts_with("expected ')'") ||
                 Message.starts_with("expected identifier") || Message.starts_with("a parameter list without types");
  if (Between) {
    StringRef Line = lineOf(Text, D), Word = wordAt(Line);
    if (isName(Word) && llvm::none_of(Word, llvm::isLower) && Line.drop_front(Word.size()).ltrim().starts_with("(") &&
        !T.defines(Word)) {
      Meaning M = T.meaning(Word);
      if (!M.Parameters.empty() && M.Value.empty())
        return define(Word, M);
    }
  }
  return std::nullopt;
}

/// What the names of the errors might stand for: all types of a round at once, because the other
/// errors may follow from them; else all macros; else the first other name.
std::vector<Definition> propose(const GuessText &T, llvm::ArrayRef<ParseDiagnostic> Diagnostics,
                                StringRef FileName, StringRef Text, llvm::StringSet<> &Known) {
  std::vector<Definition> Reached, Types, Macros, Others, Repairs;
  auto Take = [&](std::vector<Definition> &To, StringRef Name, const Meaning &M) {
    if (Known.insert(Name).second)
      To.push_back(M.IsType ? defineType(T, Name, M) : define(Name, M));
  };
  for (const ParseDiagnostic &D : Diagnostics) {
    if (!D.IsError)
      continue;
    StringRef Message = D.Message;
    // An #error that was reached: what its condition misses.
    if (D.File == FileName)
      for (const WantedMacro &W : T.wantedAgainst(D.Line))
        if (T.isErrorLine(D.Line)) {
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
    if (D.File == FileName && (Message.starts_with("expected ')'") || Message.starts_with("expected ';'"))) {
      StringRef Word = from(Text, D).take_while([](char C) { return llvm::isAlnum(C) || C == '_'; });
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
    // A #define of it stands under a condition: let that be reached.
    if (T.defines(Name)) {
      std::vector<WantedMacro> Wanted = T.wantedToDefine(Name);
      for (const WantedMacro &W : Wanted)
        Take(Reached, W.Name, W.Value.empty() ? T.meaning(W.Name) : Meaning{"", W.Value, false, false});
      if (!Wanted.empty())
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
    // A variable of the file whose declaration did not parse is nobody's macro.
    if (IsValue && llvm::any_of(Name, llvm::isLower) && T.declares(Name))
      continue;
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

/// What the errors show to be another value than was taken: an #error that speaks against it, a name
/// that is pasted to what the file defines (`ACT##_op`, where there is a relu_op). True if any is changed.
bool revise(const GuessText &T, llvm::ArrayRef<ParseDiagnostic> Diagnostics, StringRef FileName,
            StringRef Text, std::vector<Definition> &Definitions, llvm::StringSet<> &Revised) {
  bool Any = false;
  auto Set = [&](Definition &D, StringRef Value) {
    if (D.Value == Value || !Revised.insert(D.Name).second)
      return;
    D.Value = Value.str();
    Any = true;
  };
  for (const ParseDiagnostic &Said : Diagnostics) {
    if (!Said.IsError || Said.File != FileName)
      continue;
    if (T.isErrorLine(Said.Line)) {
      for (const WantedMacro &W : T.wantedAgainst(Said.Line))
        for (Definition &D : Definitions)
          if (D.Name == W.Name && !W.Value.empty())
            Set(D, W.Value);
      continue;
    }
    StringRef Message = Said.Message;
    // KV.s0, where KV was taken for a number: it is a vector.
    if (Message.starts_with("member reference base type")) {
      StringRef Base = quoted(Message);
      Base = Base.substr(Base.rfind(' ') + 1); // without its address space
      for (Definition &D : Definitions)
        if (D.Members.empty() && D.Value == Base && (Base == "float" || Base == "int"))
          Set(D, Base.str() + "4");
      continue;
    }
    if (!Message.starts_with("invalid suffix"))
      continue;
    std::string Stem = T.stemOf(quoted(Message));
    if (Stem.empty())
      continue;
    // Of the numbers on that line the one that is pasted.
    StringRef Line = from(Text, {"", Said.Line, 1, true, ""}).take_until([](char C) { return C == '\n'; });
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

/// "scalar operand type has greater rank than the type of the vector element. ('float4' (..) and 'double')"
bool mixesDouble(StringRef Message) {
  return Message.starts_with("scalar operand type has greater rank") && Message.contains("'double'") &&
         Message.contains("'float' values");
}

Guessed guess(StringRef FileName, StringRef Text, StringRef Headers, const llvm::StringMap<std::string> &Given,
              llvm::ArrayRef<std::string> Dialects, StringRef Triple, bool MayChangeTriple, TryFn Try) {
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
      Best = {std::move(A), D, {}, {}, {}, {}, {}};
      Have = true;
    }
    if (!Best.Attempt.Errors)
      break;
  }
  std::string Std = Best.Dialect;
  bool WasClean = Best.Attempt.Errors == 0;

  GuessText T((Text + "\n" + Headers).str(), Given);
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
  for (const WantedMacro &W : T.wantedForKernels())
    if (Known.insert(W.Name).second)
      Definitions.push_back(W.Value.empty() ? define(W.Name, T.meaning(W.Name))
                                            : Definition{W.Name, W.Value, false, {}, {}});
  GuessAttempt Now = Best.Attempt;
  if (!Definitions.empty())
    Now = Try(Extra(), Std, Triple, /*Limit=*/true);
  for (unsigned Round = 0; Round < MaxRounds && Now.Errors; ++Round) {
    std::vector<Definition> Next = propose(T, Now.Diagnostics, FileName, Text, Known);
    if (Next.empty() && !revise(T, Now.Diagnostics, FileName, Text, Definitions, Revised))
      break;
    Definitions.insert(Definitions.end(), Next.begin(), Next.end());
    Now = Try(Extra(), Std, Triple, /*Limit=*/true);
  }
  std::vector<std::string> BestArgs;
  auto Consider = [&](GuessAttempt &A) {
    // What parsed as it was is not made worse for a kernel more.
    if ((WasClean && Best.Attempt.Kernels && A.Errors) || !Better(A, Best.Attempt))
      return;
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
        } else if (size_t At; D.MayBeInteger && (At = D.Members.find("float ")) != std::string::npos) {
          for (; At != std::string::npos; At = D.Members.find("float "))
            D.Members.replace(At, 5, "int");
          Any = true;
        }
      if (Any) {
        GuessAttempt Integers = Try(Extra(), Std, Triple, /*Limit=*/false);
        Consider(Integers);
      }
    }
  }
  if (Best.Attempt.Errors && MayChangeTriple && Triple == "spir64") {
    GuessAttempt Small = Try(BestArgs, Std, "spir", /*Limit=*/false);
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

/// Of the same width on a device of 64 bits, and no longer than its own name.
static StringRef plainType(StringRef Word) {
  return llvm::StringSwitch<StringRef>(Word)
      .Case("bool", "char")
      .Cases("size_t", "uintptr_t", "ulong")
      .Cases("ptrdiff_t", "intptr_t", "long")
      .Default("");
}

bool plainParameters(StringRef FileName, StringRef Text, llvm::ArrayRef<ParseDiagnostic> Diagnostics,
                     std::string &Out) {
  std::string New = Text.str();
  auto IsWord = [](char C) { return llvm::isAlnum(C) || C == '_'; };
  auto Replace = [&](size_t Begin, size_t End) {
    StringRef Plain = plainType(Text.slice(Begin, End));
    for (size_t I = Begin; !Plain.empty() && I < End; ++I)
      New[I] = I - Begin < Plain.size() ? Plain[I - Begin] : ' ';
    return !Plain.empty();
  };
  for (const ParseDiagnostic &D : Diagnostics) {
    if (!D.IsError || D.File != FileName || !StringRef(D.Message).contains("cannot be used as the type of a kernel parameter"))
      continue;
    // The parameter's name is told; its type stands before it.
    size_t End = Text.size() - from(Text, D).size();
    while (End && !IsWord(Text[End - 1]) && Text[End - 1] != ',' && Text[End - 1] != '(')
      --End;
    size_t Begin = End;
    while (Begin && IsWord(Text[Begin - 1]))
      --Begin;
    if (Replace(Begin, End))
      continue;
    // A structure: its members.
    for (size_t At = Text.find("struct"); At != StringRef::npos; At = Text.find("struct", At + 1)) {
      size_t Body = Text.find_first_of("{;)", At);
      if (Body == StringRef::npos || Text[Body] != '{')
        continue;
      for (size_t I = Body, Close = std::min(Text.find('}', Body), Text.size()); I < Close;) {
        size_t Word = I;
        while (I < Close && IsWord(Text[I]))
          ++I;
        if (I == Word)
          ++I;
        else
          Replace(Word, I);
      }
    }
  }
  Out = std::move(New);
  return Out != Text;
}

/// Blanks qualifiers that Clang refuses and vendors' compilers take: an access that is written before a buffer, an
/// address space before a parameter that is no pointer.
bool plainQualifiers(StringRef FileName, StringRef Text, llvm::ArrayRef<ParseDiagnostic> Diagnostics, std::string &Out) {
  std::string New = Text.str();
  auto IsWord = [](char C) { return llvm::isAlnum(C) || C == '_'; };
  auto Blank = [&](size_t Begin, size_t End, bool Access) {
    for (size_t I = Begin; I < End;) {
      size_t Word = I;
      while (I < End && IsWord(New[I]))
        ++I;
      StringRef Name = StringRef(New).slice(Word, I);
      Name.consume_front("__");
      bool Refused = llvm::StringSwitch<bool>(Name)
                         .Cases("read_only", "write_only", "read_write", Access)
                         .Cases("global", "local", "constant", !Access)
                         .Default(false);
      if (Refused)
        std::fill(New.begin() + Word, New.begin() + I, ' ');
      I += I == Word;
    }
  };
  for (const ParseDiagnostic &D : Diagnostics) {
    StringRef M = D.Message;
    bool Access = M.starts_with("access qualifier can only be used for");
    if (!D.IsError || D.File != FileName || !(Access || M.starts_with("parameter may not be qualified with an address space")))
      continue;
    // The whole parameter around the place.
    size_t At = Text.size() - from(Text, D).size();
    size_t Begin = At, End = At;
    while (Begin && !StringRef(",({;}").contains(Text[Begin - 1]))
      --Begin;
    while (End < Text.size() && !StringRef(",){;}").contains(Text[End]))
      ++End;
    Blank(Begin, End, Access);
  }
  Out = std::move(New);
  return Out != Text;
}

/// Where the parenthesis of STRINGIFY( stands, before which there is no kernel; npos: nowhere.
static size_t stringified(StringRef Text) {
  auto IsName = [](char C) { return llvm::isAlnum(C) || C == '_'; };
  for (StringRef Word : {"stringify", "stringize", "to_string"})
    for (size_t At = Text.find_insensitive(Word); At != StringRef::npos; At = Text.find_insensitive(Word, At + 1)) {
      StringRef Before = Text.take_front(At);
      if (Before.contains('{') || Before.contains("kernel void"))
        break;
      StringRef Line = Before.substr(Before.rfind('\n') == StringRef::npos ? 0 : Before.rfind('\n') + 1).ltrim();
      StringRef Rest = Text.drop_front(At).drop_while(IsName);
      if (Line.starts_with("#") || !Rest.starts_with("("))
        continue;
      return Text.size() - Rest.size();
    }
  // str( ... ) around the whole file
  StringRef Whole = Text.trim();
  StringRef Rest = Whole.drop_while(IsName);
  if (Rest.size() < Whole.size() && Rest.starts_with("(") && (Whole.ends_with(")") || Whole.ends_with(");")) &&
      Rest.contains("kernel")) {
    int Depth = 0;
    size_t Close = 0;
    while (Close < Rest.size() && (Depth += Rest[Close] == '(' ? 1 : Rest[Close] == ')' ? -1 : 0))
      ++Close;
    if (Close + 2 >= Rest.size())
      return Rest.data() - Text.data();
  }
  return StringRef::npos;
}

/// Blanks what a template engine fills: `{{ name }}` becomes a name, `{% .. %}` nothing. A list in a list is no such thing.
static bool nameTemplates(StringRef Text, std::string &Out) {
  std::string Result = Text.str();
  bool Any = false;
  for (size_t At = Text.find('{'); At != StringRef::npos; At = Text.find('{', At + 1)) {
    StringRef Rest = Text.drop_front(At);
    if (Rest.starts_with("{%")) {
      size_t End = Rest.find("%}");
      if (End == StringRef::npos || Rest.take_front(End).count('\n') > 3)
        continue;
      for (size_t I = At; I < At + End + 2; ++I)
        if (Result[I] != '\n' && Result[I] != '\r')
          Result[I] = ' ';
      At += End + 1;
      Any = true;
    } else if (Rest.starts_with("{{")) {
      size_t End = Rest.find("}}");
      StringRef Inside = End == StringRef::npos ? StringRef() : Rest.slice(2, End);
      StringRef Name = Inside.trim();
      bool IsName = !Name.empty() && (llvm::isAlpha(Name[0]) || Name[0] == '_') &&
                    llvm::all_of(Name, [](char C) { return llvm::isAlnum(C) || C == '_' || C == '.'; });
      StringRef Before = Text.take_front(At).rtrim();
      if (!IsName || Before.ends_with("{") || Before.ends_with(",") || Before.ends_with("="))
        continue;
      Result[At] = Result[At + 1] = Result[At + End] = Result[At + End + 1] = ' ';
      for (size_t I = At + 2; I < At + End; ++I)
        if (Result[I] == '.')
          Result[I] = '_';
      At += End + 1;
      Any = true;
    }
  }
  if (Any)
    Out = std::move(Result);
  return Any;
}

/// What sprintf puts into the text: `= %d` becomes `= _d`, a name that nobody defines.
bool namePlaceholders(StringRef Text, std::string &Out) {
  std::string Plain;
  bool Any = nameTemplates(Text, Plain);
  if (Any)
    Text = Plain;
  if (!Text.contains('%')) {
    if (Any)
      Out = std::move(Plain);
    return Any;
  }
  std::string Result = Text.str();
  char Last = 0; // before, no blank
  for (size_t I = 0; I < Text.size(); ++I) {
    char C = Text[I];
    StringRef Rest = Text.drop_front(I);
    if (Rest.starts_with("//")) {
      I += Rest.find('\n') == StringRef::npos ? Rest.size() : Rest.find('\n');
      continue;
    }
    if (Rest.starts_with("/*")) {
      size_t End = Rest.find("*/", 2);
      I += End == StringRef::npos ? Rest.size() : End + 1;
      continue;
    }
    if (C == '"' || C == '\'') {
      for (++I; I < Text.size() && Text[I] != C && Text[I] != '\n'; ++I)
        if (Text[I] == '\\')
          ++I;
      Last = C;
      continue;
    }
    if (C == '%' && Last && StringRef("=(,[{+-*/<>&|?:!").contains(Last)) {
      StringRef Kind = Rest.drop_front();
      StringRef Length = Kind.take_while([](char X) { return X == 'l' || X == 'z'; });
      Kind = Kind.drop_front(Length.size());
      bool Ends = Kind.size() < 2 || !(llvm::isAlnum(Kind[1]) || Kind[1] == '_');
      if (!Kind.empty() && Ends && StringRef("diufgs").contains(Kind[0])) {
        Result[I] = '_';
        Any = true;
      }
    }
    if (!llvm::isSpace(C))
      Last = C;
  }
  if (Any)
    Out = std::move(Result);
  return Any;
}

/// Blanks the lines `const char *name = "` and `";` between which sources stand as they are, for a script to make strings
/// of them. False: there are none.
static bool unwrapSections(StringRef Text, std::string &Out) {
  bool Any = false, Open = false;
  std::string Result = Text.str();
  for (size_t At = 0; At < Text.size();) {
    size_t End = std::min(Text.find('\n', At), Text.size());
    StringRef Line = Text.slice(At, End).trim();
    bool Opens = !Open && Line.contains("char") && Line.ends_with("\"") && Line.drop_back().rtrim().ends_with("=");
    bool Closes = Open && (Line == "\";" || Line == "\"");
    if (Opens || Closes) {
      std::fill(Result.begin() + At, Result.begin() + End, ' ');
      Open = Opens;
      Any = true;
    }
    At = End + 1;
  }
  if (Any && !Open)
    Out = std::move(Result);
  return Any && !Open;
}

bool unwrap(StringRef Text, std::string &Out) {
  if (unwrapSections(Text, Out))
    return true;
  StringRef Body = Text.ltrim();
  // STRINGIFY( ... ), with \n written before each directive
  if (size_t Open = stringified(Text); Open != StringRef::npos) {
    Out = Text.str();
    size_t Close = Out.rfind(')');
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
  // R"tag( ... )tag", one behind the other
  size_t Raw = Text.find("R\"");
  if (Raw != StringRef::npos && Raw < 4096) {
    StringRef Before = Text.take_front(Raw);
    bool Code = Before.contains("kernel") || Before.contains('{');
    size_t Outside = 0; // where what is no string begins
    Out = Text.str();
    while (!Code && Raw != StringRef::npos) {
      size_t Paren = Text.find('(', Raw);
      if (Paren == StringRef::npos || Paren - Raw > 18)
        break;
      std::string Close = (")" + Text.slice(Raw + 2, Paren) + "\"").str();
      size_t End = Text.find(Close, Paren);
      if (End == StringRef::npos)
        break;
      Blank(Out, Outside, Paren + 1);
      Outside = End;
      Raw = Text.find("R\"", End + Close.size());
    }
    if (Outside) {
      Blank(Out, Outside, Out.size());
      return true;
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
