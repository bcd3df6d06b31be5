//===-- checks/model/host/repair/MissingDeclarations.cpp - Learns from errors ---------===//

#include "checks/model/host/repair/MissingDeclarations.h"
#include "checks/model/frontend/Files.h"
#include "checks/model/host/repair/CodePatterns.h"
#include "clang/Basic/LangOptions.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace llvm;

namespace clmali::model {

StringRef MissingDeclarations::Error::quoted() const {
  return Message.take_until([](char C) { return C == '\''; });
}

StringRef MissingDeclarations::Error::rest() const {
  return Line.drop_front(std::min<size_t>(D.Column ? D.Column - 1 : 0, Line.size()));
}

StringRef MissingDeclarations::Error::after(StringRef Name) const {
  StringRef Rest = rest();
  return Rest.consume_front(Name) ? Rest.ltrim() : StringRef();
}

void MissingDeclarations::addType(StringRef Name) {
  auto [At, New] = Types.try_emplace(Name.str());
  if (New)
    At->second = apiType(Name, Plain, IsCpp);
}

/// An identifier that may be a type or a variable.
static bool isDeclarationName(const clang::Token &X) {
  return X.is(clang::tok::raw_identifier) &&
         !StringSwitch<bool>(X.getRawIdentifier())
              .Cases("return", "else", "do", "case", "goto", "new", "delete", "throw", "const",
                     true)
              .Cases("if", "for", "while", "switch", "break", "continue", "and", "or", "not", true)
              .Cases("int", "void", "float", "double", "char", "short", "long", "unsigned",
                     "signed", true)
              .Cases("struct", "class", "typename", "template", "static", "inline", "operator",
                     "sizeof", true)
              .Default(false);
}

void MissingDeclarations::read(StringRef Code) {
  if (!Plain.empty())
    return;
  Plain = Code.str();
  clang::LangOptions Options;
  Options.CPlusPlus = Options.CPlusPlus11 = Options.LineComment = true;
  std::string Buffer = Code.str(); // the lexer needs a terminating zero
  clang::Lexer Lex(clang::SourceLocation(), Options, Buffer.data(), Buffer.data(),
                   Buffer.data() + Buffer.size());
  clang::Token T, Name, Declared;
  for (clang::Token *X : {&T, &Name, &Declared})
    X->startToken();
  Lex.SetCommentRetentionState(true);
  bool Directive = false;
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
    if (isDeclarationName(Name) && isDeclarationName(Declared) && !Declared.isAtStartOfLine() &&
        T.isOneOf(clang::tok::equal, clang::tok::semi, clang::tok::comma, clang::tok::r_paren,
                  clang::tok::l_square))
      Declaring.insert(Name.getRawIdentifier().str());
    Name = Declared;
    Declared = T;
  }
  Heads = functionHeadMacros(Plain);
}

void MissingDeclarations::add(std::map<std::string, Kind> &To, StringRef Name, Kind K) {
  // Reserved names belong to system headers.
  if (Name.empty() || isDigit(Name.front()) || Name.starts_with("__") || To.size() > 2000 ||
      Exports.count(Name.str()) || (Name.size() > 1 && Name[0] == '_' && isUpper(Name[1])))
    return;
  auto [At, New] = To.try_emplace(Name.str(), K);
  // A type can also be called; what was inferred to be a number may turn out to have members.
  bool Better = !New && At->second != K &&
                (isMacro(K) || isMacro(At->second) ? isMacro(K) && !isMacro(At->second)
                 : K == Structure                  ? At->second != Template
                                  : K == Template || (K == Value && At->second == Constant)) &&
                At->second != Scope;
  if (Better)
    At->second = K;
  Changed |= New || Better;
}

void MissingDeclarations::addQualified(const std::string &Name, Kind K) {
  for (const auto &[Full, Old] : Names)
    if (Full == Name || StringRef(Full).ends_with("::" + Name))
      add(Names, std::string(Full), K);
}

/// `class LIBRARY_EXPORT Scaler {`
bool MissingDeclarations::learnExportMacro(const Error &E) {
  StringRef Name = IsCpp ? exportMacroOf(E.Line, E.NextLine, E.Message) : StringRef();
  if (Name.empty() || !Exports.insert(Name.str()).second)
    return false;
  Names[Name.str()] = Nothing;
  Changed = true;
  return true;
}

/// A type, or an empty macro before one.
bool MissingDeclarations::learnUnknownType(Error &E) {
  if (!E.Message.consume_front("unknown type name '"))
    return false;
  StringRef Name = E.quoted();
  if (IsCpp && isNamespace(Name, Plain))
    return true;
  // `std::vector<int> v(N);` declares a function with a parameter of type N; another error shows
  // that N is no type.
  StringRef Next = E.after(Name);
  if (IsCpp && (Next.starts_with(")") || Next.starts_with(",")) && UsedAsValues.count(Name.str()) &&
      !Declaring.count(Name.str()))
    return true;
  bool IsTemplate = IsCpp && Next.starts_with("<");
  StringRef Rest = E.Text.drop_front(std::min<size_t>(
      E.Line.data() - E.Text.data() + (E.D.Column ? E.D.Column - 1 : 0), E.Text.size()));
  if (Rest.consume_front(Name) && standsBeforeType(Name, Rest.ltrim(" \t")))
    add(Names, Name, Nothing);
  else
    add(Names, Name, !integerType(Name).empty() ? Integer : IsTemplate ? Template : Structure);
  return true;
}

/// A value, or what precedes `::` or `<`.
bool MissingDeclarations::learnUndeclared(Error &E) {
  if (!E.Message.consume_front("use of undeclared identifier '"))
    return false;
  StringRef Name = E.quoted(), Rest = E.after(Name);
  addType(Name);
  if (IsCpp && isNamespace(Name, Plain))
    return true;
  if (!integerType(Name).empty())
    add(Names, Name, Integer);
  else if (!IsCpp)
    add(Names, Name, Constant);
  else if (Name == "std" || (Name == "cl" && StringRef(Plain).contains("cl::")))
    return true; // other steps include their headers
  else if (Rest.starts_with("::"))
    add(Names, Name, Scope);
  else if (Rest.starts_with("<") && Rest.contains('>') && !Rest.starts_with("<<") &&
           !Rest.starts_with("< "))
    add(Names, Name, Template);
  else
    add(Names, Name,
        Declaring.count(Name.str())  ? Structure
        : isNumberByUse(Name, Plain) ? Constant
                                     : Value);
  return true;
}

/// A known name is followed by template arguments.
bool MissingDeclarations::learnTemplate(Error &E) {
  if (!E.Message.contains("' does not name a template but is followed by template arguments"))
    return false;
  E.Message.consume_front("'");
  std::string Name = E.quoted().str();
  addQualified(Name, Template);
  if (Members.count(Name))
    add(Members, Name, Template);
  return true;
}

/// A known name is a template argument that must be a type.
bool MissingDeclarations::learnTypeArgument(Error &E) {
  if (!E.Message.starts_with("template argument for template type parameter must be a type"))
    return false;
  StringRef Qualified = E.Line.drop_front(std::min<size_t>(E.D.Column - 1, E.Line.size()));
  Qualified = Qualified.take_while([](char C) { return isWord(C) || C == ':'; });
  StringRef Last = Qualified.rsplit("::").second;
  addQualified((Last.empty() ? Qualified : Last).str(), Structure);
  return true;
}

/// An empty macro between a type and a name. The position is after the word that was read as the
/// variable's name.
bool MissingDeclarations::learnEmptyMacro(Error &E) {
  if (!E.Message.starts_with("expected ';' at end of declaration") &&
      !E.Message.starts_with("expected ';' after top level"))
    return false;
  StringRef Name = wordBefore(E.Line, E.D.Column),
            Rest = E.Line.drop_front(std::min<size_t>(E.D.Column - 1, E.Line.size())).ltrim();
  if (Rest.empty())
    Rest = E.NextLine.ltrim();
  if (isAllCapitals(Name) && !Rest.empty() &&
      (isAlpha(Rest.front()) || Rest.front() == '_' || Rest.front() == '*'))
    add(Names, Name, Nothing);
  return true;
}

/// A macro around a declaration.
bool MissingDeclarations::learnWrapper(Error &E, StringRef Code) {
  if (!E.Message.starts_with("expected '(' for function-style cast") || E.D.File != FileName)
    return false;
  bool Later = false;
  size_t Offset = (E.Line.data() - Code.data()) + std::min<size_t>(E.D.Column - 1, E.Line.size());
  StringRef Name = macroAround(Code, Offset, Later);
  add(Names, Name, Later ? LateWrapper : Wrapper);
  return true;
}

/// Names that are namespaces: a header opens one after the first use of the name, or `using
/// namespace` names it.
bool MissingDeclarations::learnNamespace(Error &E) {
  if (E.Message.starts_with("expected namespace name")) {
    add(Names, wordAt(E.Line, E.D.Column), Scope);
    return true;
  }
  if (!E.Message.consume_front("redefinition of '") ||
      !E.Message.contains("as different kind of symbol"))
    return false;
  StringRef Before = E.Line.take_front(E.D.Column ? E.D.Column - 1 : 0).rtrim();
  if (auto At = Names.find(E.quoted().str());
      Before.ends_with("namespace") && At != Names.end() && At->second != Scope) {
    At->second = Scope;
    Changed = true;
  }
  return true;
}

/// A member of a missing class or namespace.
bool MissingDeclarations::learnMissingMember(Error &E) {
  bool IsTemplate = E.Message.consume_front("no template named '"),
       IsType = E.Message.consume_front("no type named '");
  if (!IsTemplate && !IsType && !E.Message.consume_front("no member named '"))
    return false;
  StringRef Name = E.quoted(), In = E.Message.split("' in namespace '").second.split('\'').first;
  Kind K = IsTemplate ? Template : IsType ? Structure : Value;
  if (In == "std" || In.starts_with("std::") || In == "cl" || In.starts_with("cl::"))
    return true;
  if (In.empty()) {
    // A member of a class template is defined in the namespace of its class.
    StringRef Parameters;
    size_t Member = IsTemplate ? memberOfTemplate(Name, Plain, Parameters) : StringRef::npos;
    std::string Around = Member == StringRef::npos ? "" : namespacesAround(Plain, Member);
    add(IsTemplate ? Names : Members, Around + Name.str(), K);
    return true;
  }
  StringRef Rest = E.after(Name);
  if (K == Value && Rest.starts_with("::"))
    K = Scope;
  else if (K == Value && Rest.starts_with("<") && Rest.contains('>') &&
           !Rest.starts_with("<<")) // value<int>()
    K = Template;
  else if (K == Value && !Rest.empty() &&
           (isAlpha(Rest.front()) || Rest.front() == '_')) // Rect r(..)
    K = Structure;
  add(Names, (In + "::" + Name).str(), K);
  return true;
}

/// The object of a member, call or subscript is of another kind than was inferred.
bool MissingDeclarations::learnBase(Error &E) {
  if (!E.Message.starts_with("member reference base type '") &&
      !E.Message.starts_with("called object type '") &&
      !E.Message.starts_with("subscripted value is not an array") &&
      !E.Message.starts_with("indirection requires pointer operand"))
    return false;
  StringRef Name = wordBefore(E.Line, E.D.Column);
  if (IsCpp && Names.count(Name.str()))
    add(Names, Name, Value);
  // In C, an unknown type of which a member is used is a structure.
  if (!IsCpp && E.Message.consume_front("member reference base type '"))
    if (StringRef Type = E.quoted().take_while(isWord); Names.count(Type.str()))
      add(Names, Type, Template);
  return true;
}

/// A class that is only declared.
bool MissingDeclarations::learnIncomplete(Error &E) {
  if (!E.Message.contains("incomplete type '") &&
      !E.Message.starts_with("incomplete definition of type '") &&
      !E.Message.starts_with("incomplete result type '"))
    return false;
  E.Message = E.Message.split('\'').second;
  StringRef Name = E.quoted();
  for (StringRef Head : {"const ", "struct ", "class "})
    Name.consume_front(Head);
  if (IsCpp)
    add(Names, Name.take_while(isWord), Structure);
  return true;
}

void MissingDeclarations::learnFrom(Error E, StringRef Code) {
  if (learnExportMacro(E) || learnUnknownType(E) || learnUndeclared(E) || learnTemplate(E) ||
      learnTypeArgument(E) || learnEmptyMacro(E) || learnWrapper(E, Code))
    return;
  StringRef Message = E.Message;
  if (learnNamespace(E))
    return;
  E.Message = Message;
  if (E.Message.starts_with("expected class name"))
    return add(Names, wordAt(E.Line, E.D.Column), Structure);
  if (!learnMissingMember(E) && !learnBase(E))
    learnIncomplete(E);
}

bool MissingDeclarations::learn(StringRef Code, ArrayRef<ParseDiagnostic> Errors) {
  Changed = false;
  read(Code);
  for (StringRef Name : Heads)
    add(Names, Name, Head);
  UsedAsValues.clear();
  for (const ParseDiagnostic &D : Errors)
    if (StringRef M = D.Message; M.consume_front("use of undeclared identifier '"))
      UsedAsValues.insert(M.take_until([](char C) { return C == '\''; }).str());
  std::map<std::string, std::string> Texts; ///< of other files
  StringRef Text;
  SmallVector<StringRef, 0> Lines; ///< of Text
  std::string Of;                  ///< the file of Text
  for (const ParseDiagnostic &D : Errors) {
    if (D.File.empty() || !D.Line)
      continue;
    if (Of != D.File) {
      Text = Code;
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
    StringRef Next = D.Line < Lines.size() ? Lines[D.Line] : StringRef();
    learnFrom({D, D.Message, Text, Lines[D.Line - 1], Next}, Code);
  }
  return Changed;
}

} // namespace clmali::model
