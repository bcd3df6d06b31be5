//===-- checks/model/host/repair/MissingDeclarations.cpp - What missing headers declared
//--------===//

#include "checks/model/host/repair/MissingDeclarations.h"
#include "checks/model/frontend/Files.h"
#include "clang/Basic/LangOptions.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace llvm;

namespace clmali::model {

/// Integer types that many projects name alike.
static StringRef integerType(StringRef Name) {
  return StringSwitch<StringRef>(Name)
      .Cases("uchar", "byte", "BYTE", "u8", "uint8", "unsigned char")
      .Cases("ushort", "u16", "uint16", "WORD", "unsigned short")
      .Cases("uint", "u32", "uint32", "UINT", "DWORD", "unsigned int")
      .Cases("ulong", "u64", "uint64", "unsigned long")
      .Default("");
}

static bool isWord(char C) { return isAlnum(C) || C == '_'; }

/// The word of Line that begins at or behind Column (from 1).
static StringRef wordAt(StringRef Line, unsigned Column) {
  return Line.drop_front(std::min<size_t>(Column ? Column - 1 : 0, Line.size()))
      .drop_while([](char C) { return !isWord(C); })
      .take_while(isWord);
}

/// The word that ends before Column.
static StringRef wordBefore(StringRef Line, unsigned Column) {
  StringRef Head = Line.take_front(Column ? Column - 1 : 0);
  while (!Head.empty() && !isWord(Head.back()))
    Head = Head.drop_back();
  size_t Begin = Head.size();
  while (Begin && isWord(Head[Begin - 1]))
    --Begin;
  return Head.drop_front(Begin);
}

/// No lower case, and no short one.
static bool shouts(StringRef Name) {
  return Name.size() > 3 && none_of(Name, [](char C) { return isLower(C); });
}

/// `LIBRARY_EXPORT int scale(`: a type and a name follow, so that it is none.
static bool standsBeforeType(StringRef Name, StringRef Rest) {
  Rest = Rest.take_front(256);
  StringRef Type = Rest.take_while(isWord);
  Rest = Rest.drop_front(Type.size()).ltrim(" \t*&");
  bool Qualifies = StringSwitch<bool>(Type)
                       .Cases("const", "volatile", "static", "inline", "restrict", true)
                       .Default(false);
  if (!shouts(Name) || Type.empty() || Qualifies)
    return false;
  // The name may stand in a line of its own.
  StringRef Line = Rest.take_until([](char C) { return C == '\n'; });
  bool Alone = Line.trim().empty();
  Rest = Alone ? Rest.ltrim() : Line;
  StringRef Declared = Rest.take_while(isWord);
  // Another such macro ends the line: `JNIEXPORT void JNICALL`.
  if (StringRef Behind = Rest.drop_front(Declared.size()).ltrim();
      !Alone && shouts(Declared) && Behind.empty())
    return true;
  return !Declared.empty() && !isDigit(Declared.front()) &&
         (Alone ? Rest.drop_front(Declared.size()).ltrim().starts_with("(") : Rest.contains('('));
}

/// Is a name in capitals a number? Not where it is called, or has members.
static bool isConstant(StringRef Name, StringRef Code) {
  if (Name.size() < 2 || any_of(Name, [](char C) { return isLower(C); }))
    return false;
  for (size_t At = Code.find(Name); At != StringRef::npos; At = Code.find(Name, At + 1)) {
    if ((At && isWord(Code[At - 1])) ||
        (At + Name.size() < Code.size() && isWord(Code[At + Name.size()])))
      continue;
    StringRef Rest = Code.drop_front(At + Name.size()).ltrim(" \t");
    if (Rest.starts_with("(") || Rest.starts_with(".") || Rest.starts_with("->") ||
        Rest.starts_with("::") || Rest.starts_with("["))
      return false;
  }
  return true;
}

/// The type of the API that `Name = clCreateKernel(..)` or the like says that Name has; empty:
/// none, or several.
static std::string apiType(StringRef Name, StringRef Code, bool IsCpp) {
  std::string Type;
  auto Says = [&](StringRef T) {
    bool Same = Type.empty() || Type == T;
    Type = T.str();
    return Same;
  };
  for (size_t At = Code.find(Name); At != StringRef::npos; At = Code.find(Name, At + 1)) {
    if ((At && isWord(Code[At - 1])) ||
        (At + Name.size() < Code.size() && isWord(Code[At + Name.size()])))
      continue;
    StringRef Rest = Code.drop_front(At + Name.size()).ltrim();
    // An array or a class of them; another's member of that name.
    if (Rest.starts_with("[") || Rest.starts_with("(") || Rest.starts_with("::"))
      return "";
    StringRef Before = Code.take_front(At).rtrim();
    bool Member = Before.ends_with(".") || (Before.ends_with("->") && !Before.ends_with("this->"));
    bool Pointer = Rest.starts_with("->");
    if (Pointer || Rest.starts_with(".")) {
      StringRef Called = Rest.drop_front(Pointer ? 2 : 1).ltrim().take_while(isWord);
      bool Enqueues = StringSwitch<bool>(Called)
                          .Cases("enqueueNDRangeKernel", "enqueueReadBuffer", "enqueueWriteBuffer",
                                 "enqueueMapBuffer", true)
                          .Default(false);
      if (IsCpp && Called == "setArg" && !Says(Pointer ? "cl::Kernel *" : "cl::Kernel"))
        return "";
      if (IsCpp && Enqueues && !Says(Pointer ? "cl::CommandQueue *" : "cl::CommandQueue"))
        return "";
      continue;
    }
    if (Member || !Rest.consume_front("=") || Rest.starts_with("="))
      continue;
    Rest = Rest.ltrim();
    if (IsCpp && Rest.consume_front("cl::")) {
      StringRef Class = Rest.take_while(isWord);
      if (!StringSwitch<bool>(Class)
               .Cases("Program", "Kernel", "Buffer", "CommandQueue", "Context", "Device",
                      "Platform", true)
               .Default(false) ||
          !Rest.drop_front(Class.size()).ltrim().starts_with("("))
        return "";
      if (!Says(("cl::" + Class).str()))
        return "";
      continue;
    }
    StringRef Made =
        StringSwitch<StringRef>(Rest.take_while(isWord))
            .Case("clCreateKernel", "cl_kernel")
            .Cases("clCreateProgramWithSource", "clCreateProgramWithBinary", "cl_program")
            .Cases("clCreateBuffer", "clCreateImage", "clCreateImage2D", "clCreateImage3D",
                   "cl_mem")
            .Cases("clCreateCommandQueue", "clCreateCommandQueueWithProperties", "cl_command_queue")
            .Cases("clCreateContext", "clCreateContextFromType", "cl_context")
            .Default("");
    if (!Made.empty() && !Says(Made))
      return "";
  }
  return Type;
}

void MissingDeclarations::type(StringRef Name, StringRef Code) {
  auto [At, New] = Types.try_emplace(Name.str());
  if (New)
    At->second = apiType(Name, Code, IsCpp);
}

static std::set<std::string> headsOf(StringRef Code);

void MissingDeclarations::read(StringRef Code) {
  if (!Plain.empty())
    return;
  Plain = Code.str();
  clang::LangOptions Options;
  Options.CPlusPlus = Options.CPlusPlus11 = Options.LineComment = true;
  std::string Buffer = Code.str(); // the lexer wants a zero behind it
  clang::Lexer Lex(clang::SourceLocation(), Options, Buffer.data(), Buffer.data(),
                   Buffer.data() + Buffer.size());
  clang::Token T, Name, Declared;
  for (clang::Token *X : {&T, &Name, &Declared})
    X->startToken();
  Lex.SetCommentRetentionState(true);
  bool Directive = false;
  auto IsName = [](const clang::Token &X) {
    return X.is(clang::tok::raw_identifier) &&
           !StringSwitch<bool>(X.getRawIdentifier())
                .Cases("return", "else", "do", "case", "goto", "new", "delete", "throw", "const",
                       true)
                .Cases("if", "for", "while", "switch", "break", "continue", "and", "or", "not",
                       true)
                .Cases("int", "void", "float", "double", "char", "short", "long", "unsigned",
                       "signed", true)
                .Cases("struct", "class", "typename", "template", "static", "inline", "operator",
                       "sizeof", true)
                .Default(false);
  };
  for (bool End = false; !End;) {
    End = Lex.LexFromRawLexer(T);
    if (T.is(clang::tok::comment)) {
      size_t Behind = Lex.getBufferLocation() - Buffer.data();
      for (size_t I = Behind - T.getLength(); I < Behind; ++I)
        if (Plain[I] != '\n')
          Plain[I] = ' ';
      continue;
    }
    if (T.isAtStartOfLine())
      Directive = T.is(clang::tok::hash);
    if (Directive)
      continue;
    if (IsName(Name) && IsName(Declared) && !Declared.isAtStartOfLine() &&
        T.isOneOf(clang::tok::equal, clang::tok::semi, clang::tok::comma, clang::tok::r_paren,
                  clang::tok::l_square))
      Declaring.insert(Name.getRawIdentifier().str());
    Name = Declared;
    Declared = T;
  }
  Heads = headsOf(Plain);
}

void MissingDeclarations::note(std::map<std::string, Kind> &To, StringRef Name, Kind K) {
  // Reserved names are those of the system's own headers.
  if (Name.empty() || isDigit(Name.front()) || Name.starts_with("__") || To.size() > 2000 ||
      Exports.count(Name.str()) || (Name.size() > 1 && Name[0] == '_' && isUpper(Name[1])))
    return;
  auto [At, New] = To.try_emplace(Name.str(), K);
  // A type can be called, too; what was taken for a number may have members.
  bool Better = !New && At->second != K &&
                (isMacro(K) || isMacro(At->second) ? isMacro(K) && !isMacro(At->second)
                 : K == Structure                  ? At->second != Template
                                  : K == Template || (K == Value && At->second == Constant)) &&
                At->second != Scope;
  if (Better)
    At->second = K;
  Changed |= New || Better;
}

/// Where a member of a class template is defined: `template <class T> void Name<T>::run(`. npos:
/// nowhere.
static size_t memberOfTemplate(StringRef Name, StringRef Code, StringRef &Parameters) {
  for (size_t At = Code.find(Name); At != StringRef::npos; At = Code.find(Name, At + 1)) {
    StringRef Rest = Code.drop_front(At + Name.size()).ltrim(), Before = Code.take_front(At);
    if (isWord(At ? Code[At - 1] : ' ') || !Rest.consume_front("<") ||
        !Rest.drop_until([](char C) { return C == '>'; }).drop_front(1).ltrim().starts_with("::"))
      continue;
    size_t Head = Before.rfind("template");
    StringRef Said = Head == StringRef::npos ? StringRef() : Before.drop_front(Head + 8).ltrim();
    if (!Said.consume_front("<") || Said.find_first_of(";{}") != StringRef::npos)
      continue;
    Parameters = Said.take_until([](char C) { return C == '>'; });
    if (!Parameters.trim().empty() && !Parameters.contains('<'))
      return At;
  }
  return StringRef::npos;
}

/// The namespaces around a place: "a::b::".
static std::string namespacesAround(StringRef Code, size_t Place) {
  std::vector<StringRef> Around;
  for (size_t At = Code.find_first_of("{}"); At < Place; At = Code.find_first_of("{}", At + 1)) {
    if (Code[At] == '}') {
      if (!Around.empty())
        Around.pop_back();
      continue;
    }
    StringRef Before = Code.take_front(At).rtrim();
    size_t Begin = Before.size();
    while (Begin && (isWord(Before[Begin - 1]) || Before[Begin - 1] == ':'))
      --Begin;
    StringRef Word = Before.take_front(Begin).rtrim();
    bool IsNamespace = Word.consume_back("namespace") && (Word.empty() || !isWord(Word.back()));
    Around.push_back(IsNamespace ? Before.drop_front(Begin) : StringRef());
  }
  std::string Result;
  for (StringRef One : Around)
    if (!One.empty())
      Result += (One + "::").str();
  return Result;
}

/// The macro of `class LIBRARY_EXPORT Scaler : public Filter {`; empty: none. Rest is what follows
/// the line. Another macro may stand there for it: then Said names it, `variable has incomplete
/// type 'class LIBRARY_EXPORT'`.
static StringRef exportOf(StringRef Line, StringRef Rest, StringRef Said) {
  Line = Line.ltrim();
  if (!Line.consume_front("class ") && !Line.consume_front("struct "))
    return "";
  StringRef Name = Line.ltrim().take_while(isWord);
  Line = Line.ltrim().drop_front(Name.size()).ltrim();
  StringRef Class = Line.take_while(isWord);
  Line = Line.drop_front(Class.size()).ltrim();
  if (Line.consume_front("final"))
    Line = Line.ltrim();
  StringRef Next = Line.empty() ? Rest.ltrim() : Line;
  bool Defines = Next.starts_with("{") || (Next.starts_with(":") && !Next.starts_with("::"));
  if (!Defines || Class.empty() || Class == "final" || isDigit(Class.front()))
    return "";
  StringRef Type = Said.split('\'').second.take_until([](char C) { return C == '\''; });
  if (Type.consume_front("class ") || Type.consume_front("struct "))
    Type = Type.rsplit("::").second.empty() ? Type : Type.rsplit("::").second;
  else
    Type = Name;
  return shouts(Type) ? Type : StringRef();
}

/// The macro in whose arguments Place stands, where its name shouts and nobody defines it; empty:
/// none.
/// \p Later: it is not in the first of them.
static StringRef macroAround(StringRef Code, size_t Place, bool &Later) {
  int Depth = 0;
  for (size_t At = std::min(Place, Code.size()), Least = At > 2000 ? At - 2000 : 0; At-- > Least;) {
    if (Code[At] == ';' || Code[At] == '{' || Code[At] == '}')
      return "";
    Depth += Code[At] == ')' ? 1 : Code[At] == '(' ? -1 : 0;
    Later |= Depth == 0 && Code[At] == ',';
    if (Depth >= 0)
      continue;
    size_t End = At;
    while (At && isWord(Code[At - 1]))
      --At;
    StringRef Name = Code.slice(At, End), Before = Code.take_front(At).rtrim();
    bool Shouts = Name.size() > 2 && !isDigit(Name.front()) &&
                  none_of(Name, [](char C) { return isLower(C); });
    bool Starts = Before.empty() || StringRef(";{})").contains(Before.back());
    return Shouts && Starts && !Code.contains(("define " + Name).str()) ? Name : StringRef();
  }
  return "";
}

/// The names of the macros that head functions: `BENCHMARK(scale) {`, outside of functions and of
/// classes.
static std::set<std::string> headsOf(StringRef Code) {
  std::set<std::string> Result;
  unsigned Depth = 0; ///< braces but those of namespaces
  SmallVector<bool, 16> Counted;
  bool AtLineStart = true, Directive = false;
  for (size_t At = 0; At < Code.size(); ++At) {
    char C = Code[At];
    if (C == '\n') {
      Directive = Directive && At && Code[At - 1] == '\\';
      AtLineStart = true;
      continue;
    }
    Directive |= AtLineStart && C == '#';
    AtLineStart &= isSpace(C);
    if (Directive)
      continue;
    if (C == '"' || C == '\'') {
      while (++At < Code.size() && Code[At] != C && Code[At] != '\n')
        At += Code[At] == '\\';
      continue;
    }
    if (C == '{') {
      StringRef Before = Code.take_front(At).rtrim();
      StringRef Line = Before.drop_front(Before.find_last_of(";{}") + 1);
      bool Opens = Line.ltrim().starts_with("namespace") || Line.contains("\nnamespace ") ||
                   Line.ends_with("extern \"C\"");
      Counted.push_back(!Opens);
      Depth += !Opens;
    } else if (C == '}' && !Counted.empty()) {
      Depth -= Counted.pop_back_val();
    }
    if (Depth || !isWord(C) || (At && isWord(Code[At - 1])))
      continue;
    StringRef Name = Code.drop_front(At).take_while(isWord), Before = Code.take_front(At).rtrim();
    size_t Behind = At + Name.size();
    At = Behind - 1;
    // Alone in front of its arguments; a line above may be a directive.
    StringRef Line = Before.drop_front(Before.find_last_of('\n') + 1);
    bool Starts =
        Before.empty() || StringRef(";{}").contains(Before.back()) || Line.ltrim().starts_with("#");
    if (!Starts || !shouts(Name) || isDigit(Name.front()) ||
        !Code.drop_front(Behind).ltrim().starts_with("("))
      continue;
    size_t End = Code.find('(', Behind);
    for (int Open = 0; End < Code.size() && End < Behind + 400; ++End) {
      Open += Code[End] == '(' ? 1 : Code[End] == ')' ? -1 : 0;
      if (!Open)
        break;
    }
    if (Code.drop_front(std::min(End + 1, Code.size())).ltrim().starts_with("{") &&
        !Code.contains((Name + "::").str()) && !Code.contains(("define " + Name).str()))
      Result.insert(Name.str());
  }
  return Result;
}

/// Does the text open a namespace of that name? Nothing else of it can stand beside.
static bool isNamespace(StringRef Name, StringRef Code) {
  for (size_t At = Code.find(Name); !Name.empty() && At != StringRef::npos;
       At = Code.find(Name, At + 1)) {
    StringRef Before = Code.take_front(At), Rest = Code.drop_front(At + Name.size());
    if (Before.rtrim().ends_with("namespace") && Before.size() != Before.rtrim().size() &&
        Rest.ltrim().starts_with("{"))
      return true;
  }
  return false;
}

bool MissingDeclarations::learn(StringRef Code, ArrayRef<ParseDiagnostic> Said) {
  Changed = false;
  read(Code);
  for (StringRef Name : Heads)
    note(Names, Name, Head);
  // `std::vector<int> v(N);` declares a function of an N; that N is no type is seen elsewhere.
  std::set<std::string> UsedAsValues;
  for (const ParseDiagnostic &D : Said)
    if (StringRef M = D.Message; M.consume_front("use of undeclared identifier '"))
      UsedAsValues.insert(M.take_until([](char C) { return C == '\''; }).str());
  std::map<std::string, std::string> Texts; ///< of other files
  SmallVector<StringRef, 0> Lines;
  std::string Of;
  for (const ParseDiagnostic &D : Said) {
    if (D.File.empty() || !D.Line)
      continue;
    if (Of != D.File) {
      StringRef Text = Code;
      if (D.File != FileName) {
        auto [At, New] = Texts.try_emplace(D.File);
        if (New)
          if (auto Buffer = fileSystem()->getBufferForFile(D.File))
            At->second = (*Buffer)->getBuffer().str();
        Text = At->second;
      }
      Of = D.File;
      Lines.clear();
      Text.split(Lines, '\n');
    }
    if (D.Line > Lines.size())
      continue;
    StringRef Line = Lines[D.Line - 1], M = D.Message;
    if (StringRef Name =
            IsCpp ? exportOf(Line, D.Line < Lines.size() ? Lines[D.Line] : StringRef(), M)
                  : StringRef();
        !Name.empty())
      if (Exports.insert(Name.str()).second) {
        Names[Name.str()] = Nothing;
        Changed = true;
        continue;
      }
    auto Quoted = [&] { return M.take_until([](char C) { return C == '\''; }); };
    auto Behind = [&](StringRef Name) {
      StringRef Rest = Line.drop_front(std::min<size_t>(D.Column ? D.Column - 1 : 0, Line.size()));
      return Rest.consume_front(Name) ? Rest.ltrim() : StringRef();
    };
    if (M.consume_front("unknown type name '")) {
      StringRef Name = Quoted();
      if (IsCpp && isNamespace(Name, Plain))
        continue;
      StringRef Next = Behind(Name);
      if (IsCpp && (Next.starts_with(")") || Next.starts_with(",")) &&
          UsedAsValues.count(Name.str()) && !Declaring.count(Name.str()))
        continue;
      bool IsTemplate = IsCpp && Behind(Name).starts_with("<");
      StringRef Text = D.File == FileName ? Code : StringRef(Texts[D.File]);
      StringRef Rest = Text.drop_front(
          std::min<size_t>(Line.data() - Text.data() + (D.Column ? D.Column - 1 : 0), Text.size()));
      if (Rest.consume_front(Name) && standsBeforeType(Name, Rest.ltrim(" \t")))
        note(Names, Name, Nothing);
      else
        note(Names, Name, !integerType(Name).empty() ? Integer : IsTemplate ? Template : Structure);
    } else if (M.consume_front("use of undeclared identifier '")) {
      StringRef Name = Quoted(), Rest = Behind(Name);
      type(Name, Plain);
      if (IsCpp && isNamespace(Name, Plain))
        continue;
      if (!integerType(Name).empty())
        note(Names, Name, Integer);
      else if (!IsCpp)
        note(Names, Name, Constant);
      else if (Name == "std" || (Name == "cl" && StringRef(Plain).contains("cl::")))
        continue; // headers of their own
      else if (Rest.starts_with("::"))
        note(Names, Name, Scope);
      else if (Rest.starts_with("<") && Rest.contains('>') && !Rest.starts_with("<<") &&
               !Rest.starts_with("< "))
        note(Names, Name, Template);
      else
        note(Names, Name,
             Declaring.count(Name.str()) ? Structure
             : isConstant(Name, Plain)   ? Constant
                                         : Value);
    } else if (M.contains("' does not name a template but is followed by template arguments")) {
      M.consume_front("'");
      std::string Name = Quoted().str();
      for (const auto &[Full, K] : Names)
        if (Full == Name || StringRef(Full).ends_with("::" + Name))
          note(Names, std::string(Full), Template);
      if (Members.count(Name))
        note(Members, Name, Template);
    } else if (M.starts_with("template argument for template type parameter must be a type")) {
      StringRef Qualified = Line.drop_front(std::min<size_t>(D.Column - 1, Line.size()));
      Qualified = Qualified.take_while([](char C) { return isWord(C) || C == ':'; });
      std::string Name = Qualified.rsplit("::").second.empty()
                             ? Qualified.str()
                             : Qualified.rsplit("::").second.str();
      for (const auto &[Full, K] : Names)
        if (Full == Name || StringRef(Full).ends_with("::" + Name))
          note(Names, std::string(Full), Structure);
    } else if (M.starts_with("expected ';' at end of declaration") ||
               M.starts_with("expected ';' after top level")) {
      // The place is behind the name that was read as the variable's.
      StringRef Name = wordBefore(Line, D.Column),
                Rest = Line.drop_front(std::min<size_t>(D.Column - 1, Line.size()));
      Rest = Rest.ltrim();
      if (Rest.empty() && D.Line < Lines.size())
        Rest = Lines[D.Line].ltrim();
      if (shouts(Name) && !Rest.empty() &&
          (isAlpha(Rest.front()) || Rest.front() == '_' || Rest.front() == '*'))
        note(Names, Name, Nothing);
    } else if (M.starts_with("expected '(' for function-style cast") && D.File == FileName) {
      bool Later = false;
      StringRef Name = macroAround(
          Code, (Line.data() - Code.data()) + std::min<size_t>(D.Column - 1, Line.size()), Later);
      note(Names, Name, Later ? LateWrapper : Wrapper);
    } else if (M.consume_front("redefinition of '") && M.contains("as different kind of symbol")) {
      // A header opens a namespace of that name, behind where it was first asked for.
      StringRef Before = Line.take_front(D.Column ? D.Column - 1 : 0).rtrim();
      if (auto At = Names.find(Quoted().str());
          Before.ends_with("namespace") && At != Names.end() && At->second != Scope) {
        At->second = Scope;
        Changed = true;
      }
    } else if (M.starts_with("expected class name")) {
      note(Names, wordAt(Line, D.Column), Structure);
    } else if (M.starts_with("expected namespace name")) {
      note(Names, wordAt(Line, D.Column), Scope);
    } else if (bool IsTemplate = M.consume_front("no template named '"),
               IsType = M.consume_front("no type named '");
               IsTemplate || IsType || M.consume_front("no member named '")) {
      StringRef Name = Quoted(), In = M.split("' in namespace '").second.split('\'').first;
      Kind K = IsTemplate ? Template : IsType ? Structure : Value;
      if (In == "std" || In.starts_with("std::") || In == "cl" || In.starts_with("cl::"))
        continue;
      if (!In.empty()) {
        StringRef Rest = Behind(Name);
        if (K == Value && Rest.starts_with("::"))
          K = Scope;
        else if (K == Value && Rest.starts_with("<") && Rest.contains('>') &&
                 !Rest.starts_with("<<")) // value<int>()
          K = Template;
        else if (K == Value && !Rest.empty() &&
                 (isAlpha(Rest.front()) || Rest.front() == '_')) // Rect r(..)
          K = Structure;
        note(Names, (In + "::" + Name).str(), K);
      } else {
        // A member is defined in the namespace of its class.
        StringRef Parameters;
        size_t Member = IsTemplate ? memberOfTemplate(Name, Plain, Parameters) : StringRef::npos;
        std::string Around = Member == StringRef::npos ? "" : namespacesAround(Plain, Member);
        note(IsTemplate ? Names : Members, Around + Name.str(), K);
      }
    } else if (M.starts_with("member reference base type '") ||
               M.starts_with("called object type '") ||
               M.starts_with("subscripted value is not an array") ||
               M.starts_with("indirection requires pointer operand")) {
      StringRef Name = wordBefore(Line, D.Column);
      if (IsCpp && Names.count(Name.str()))
        note(Names, Name, Value);
      // What is asked for a member that is no class here: in C, of a type that is unknown.
      if (!IsCpp && M.consume_front("member reference base type '"))
        if (StringRef Type = Quoted().take_while(isWord); Names.count(Type.str()))
          note(Names, Type, Template);
    } else if (M.contains("incomplete type '") ||
               M.starts_with("incomplete definition of type '") ||
               M.starts_with("incomplete result type '")) {
      M = M.split('\'').second;
      StringRef Name = Quoted();
      for (StringRef Head : {"const ", "struct ", "class "})
        Name.consume_front(Head);
      Name = Name.take_while(isWord);
      if (IsCpp)
        note(Names, Name, Structure);
    }
  }
  return Changed;
}

/// It converts to everything, and from it; the operators are found by its arguments.
static constexpr StringLiteral Any = R"(
struct Any;
template <bool> struct If {};
template <> struct If<true> { typedef Any Type; };
struct Any {
  Any();
  template <class... T> Any(T &&...);
  template <class T, class = typename If<!__is_base_of(Any, T)>::Type> operator T &() const;
  operator int() const;
  template <class... T> Any operator()(T &&...) const;
  template <class T> Any operator[](T &&) const;
  template <class T> const Any &operator=(const T &) const;
  template <class T> Any &operator=(const T &);
  Any *operator->() const;
  Any operator*() const;
  Any operator-() const;
  Any operator~() const;
  Any operator&() const;
  bool operator!() const;
  Any operator++() const;
  Any operator++(int) const;
  Any operator--() const;
  Any operator--(int) const;
  Any *begin() const;
  Any *end() const;
)";
static constexpr StringLiteral Operators[] = {"+",  "-",  "*",  "/",  "%",  "&",  "|",
                                              "^",  "<",  ">",  "<=", ">=", "==", "!=",
                                              ">>", "+=", "-=", "*=", "/=", "|=", "&="};

std::string MissingDeclarations::text() const {
  if (Names.empty() && Members.empty())
    return "";
  std::string Result;
  auto TypeOf = [&](StringRef Name) {
    auto At = Types.find(Name.str());
    return At == Types.end() ? std::string() : At->second;
  };
  if (any_of(Types, [](const auto &T) { return !T.second.empty(); })) {
    for (StringRef Handle : {"kernel", "program", "mem", "command_queue", "context"})
      Result += ("typedef struct _cl_" + Handle + " *cl_" + Handle + ";\n").str();
    if (IsCpp)
      Result += "namespace cl { class Program; class Kernel; class Buffer; class CommandQueue; "
                "class Context; class Device; "
                "class Platform; }\n";
  }
  if (IsCpp) {
    Result += ("namespace " + Namespace + " {").str();
    Result += Any;
    for (const auto &[Name, K] : Members) {
      if (Name == "begin" || Name == "end" || Name == "Any")
        continue;
      // Functions of the API keep their form, so that they are seen as calls of it.
      if (K == Structure)
        Result += "  typedef Any " + Name + ";\n";
      else if (StringRef(Name).starts_with("enqueue"))
        Result += "  template <class... T> int " + Name + "(T &&...) const;\n";
      else if (K == Template) // settings->get<int>("size")
        Result += "  template <class... X, class... T> Any " + Name + "(T &&...) const;\n";
      else
        Result += "  static Any " + Name + ";\n";
    }
    Result += "};\n";
    for (StringRef Op : Operators) {
      Result += ("template <class A, class B> typename If<__is_base_of(Any, A)>::Type operator" +
                 Op + "(const A &, const B &);\n")
                    .str();
      Result += ("template <class A, class B> typename If<!__is_base_of(Any, A) && "
                 "__is_base_of(Any, B)>::Type operator" +
                 Op + "(const A &, const B &);\n")
                    .str();
    }
    Result += "template <class B> const Any &operator<<(const Any &, const B &);\n"
              "template <class A, class B, class = typename If<!__is_base_of(Any, A) && "
              "__is_base_of(Any, B)>::Type> "
              "A &operator<<(A &, const B &);\n}\n";
  } else {
    Result += "struct clmali_missing {\n";
    for (const auto &[Name, K] : Members)
      Result += "  int " + Name + ";\n";
    Result += "  int clmali_none;\n};\n";
  }
  if (any_of(Names, [](const auto &N) { return N.second == Head; }))
    Result +=
        "#define CLMALI_PASTED(n) clmali_function_##n\n#define CLMALI_NAMED(n) CLMALI_PASTED(n)\n";
  std::string Base = (Namespace + "::Any").str();
  for (const auto &[Full, K] : Names) {
    SmallVector<StringRef, 4> Scopes;
    StringRef(Full).split(Scopes, "::");
    std::string Name = (K == Scope ? "" : Scopes.pop_back_val()).str();
    for (StringRef One : Scopes)
      Result += ("namespace " + One + " {").str();
    if (K == Nothing) {
      Result += "\n#define " + Name + "\n";
      continue;
    }
    if (K == Head) {
      Result += "\n#define " + Name + "(...) static void CLMALI_NAMED(__COUNTER__)()\n";
      continue;
    }
    if (isMacro(K)) { // what a loop without braces repeats comes first
      Result += "\n#define " + Name +
                (K == Wrapper ? "(first, ...) first; __VA_ARGS__\n"
                              : "(first, ...) __VA_ARGS__; first\n");
      continue;
    }
    if (!IsCpp && Name == "nullptr") { // of C23
      Result += "\n#define nullptr ((void *)0)\n";
      continue;
    }
    if (K == Integer)
      Result += ("typedef " + integerType(Name) + " " + Name + ";").str();
    else if ((K == Value || K == Constant) && !TypeOf(Full).empty())
      Result += "extern " + TypeOf(Full) + " " + Name + ";";
    else if (K == Constant)
      Result += "extern int " + Name + ";";
    else if (!IsCpp && K != Scope)
      Result += (K == Template ? "typedef struct clmali_missing " : "typedef int ") + Name + ";";
    else if (K == Value)
      Result += "extern " + Base + " " + Name + ";";
    else if (K != Scope) {
      // A definition of a member fits a template with its parameters only.
      StringRef Parameters;
      if (K != Template || memberOfTemplate(Name, Plain, Parameters) == StringRef::npos)
        Parameters = "class... T";
      Result += (K == Template ? "template <" + Parameters.str() + "> " : "") + ("struct " + Name) +
                " : " + Base + " {\n  using " + Base + "::Any;\n  using " + Base +
                "::operator=;\n  " + Name + "();\n  " + Name + "(const " + Base + " &);\n};";
    }
    Result.append(Scopes.size(), '}');
    Result += "\n";
  }
  return Result;
}

} // namespace clmali::model
