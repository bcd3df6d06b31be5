//===-- checks/model/host/repair/MissingClasses.cpp - Members without their classes ------===//

#include "checks/model/host/repair/MissingClasses.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include <algorithm>
#include <vector>

using namespace llvm;

namespace clmali::model {

/// Code, the text after `Class::`, is a definition: `run(..) const {`, `Bench(..) : a(1) {`.
static bool defines(StringRef Class, StringRef Code) {
  Code = Code.ltrim();
  bool Destroys = Code.consume_front("~");
  StringRef Name = Code.take_while([](char C) { return isAlnum(C) || C == '_'; });
  Code = Code.drop_front(Name.size());
  if (Name == "operator")
    Code = Code.drop_until([](char C) { return C == '('; });
  Code = Code.ltrim();
  if (Name.empty() || !Code.starts_with("("))
    return false;
  size_t End = 0;
  for (int Depth = 0; End < Code.size() && End < 4096; ++End) {
    Depth += Code[End] == '(' ? 1 : Code[End] == ')' ? -1 : 0;
    if (!Depth)
      break;
  }
  Code = Code.drop_front(std::min(End + 1, Code.size())).ltrim();
  for (bool More = true; More;) {
    More = false;
    for (StringRef Word : {"const", "noexcept", "throw()", "override"})
      More |= Code.consume_front(Word);
    while (Code.starts_with("//") || Code.starts_with("/*")) {
      Code = Code.drop_front(
          std::min(Code.size(), Code.starts_with("//") ? Code.find('\n') : Code.find("*/") + 2));
      Code = Code.ltrim();
    }
    Code = Code.ltrim();
  }
  return Code.starts_with("{") || (Code.starts_with(":") && Name == Class && !Destroys);
}

/// `const std::string Bench::source = ..;`: Before, the text before the class, ends with a type,
/// and Code, the text after `::`, begins with the name of a variable.
static bool definesVariable(StringRef Before, StringRef Code) {
  Before = Before.rtrim();
  Code = Code.ltrim();
  StringRef Name = Code.take_while([](char C) { return isAlnum(C) || C == '_'; });
  Code = Code.drop_front(Name.size()).ltrim();
  if (Name.empty() || Before.empty() || Code.empty() ||
      !StringRef("(=;[{").contains(Code.front()) || Code.starts_with("=="))
    return false;
  if (Before.ends_with(">"))
    return !Before.ends_with("->") && !Before.ends_with(" >");
  if (Before.ends_with("*") || Before.ends_with("&"))
    Before = Before.rtrim("*& \t");
  size_t Begin = Before.size();
  while (Begin && (isAlnum(Before[Begin - 1]) || Before[Begin - 1] == '_'))
    --Begin;
  StringRef Type = Before.drop_front(Begin);
  return !Type.empty() && !isDigit(Type.front()) &&
         !StringSwitch<bool>(Type)
              .Cases("return", "else", "do", "case", "goto", "new", "delete", "throw", "and", "or",
                     true)
              .Cases("not", "typedef", "using", "typename", "struct", "class", "enum", "friend",
                     "public", "private", true)
              .Cases("protected", "static", "inline", "constexpr", "volatile", "mutable", "extern",
                     "virtual", "operator", true)
              .Cases("co_return", "co_await", "co_yield", "sizeof", "const", "explicit", "template",
                     "namespace", true)
              .Default(false);
}

/// Makes statements `{ a(1); b(2) ;` of the list `: a(1), b{2} {` after the arguments of a
/// constructor that is read as a function. Does nothing where there is no such list.
static void withoutInitializers(std::string &Code, size_t At) {
  auto Skip = [&] {
    while (At < Code.size() && isSpace(Code[At]))
      ++At;
  };
  auto Closing = [&](size_t Open) { // npos: none
    for (size_t I = Open, Depth = 0; I < Code.size() && I < Open + 8192; ++I) {
      if (Code[I] == '"' || Code[I] == '\'') {
        char Quote = Code[I];
        while (++I < Code.size() && Code[I] != Quote && Code[I] != '\n')
          I += Code[I] == '\\';
        continue;
      }
      Depth += StringRef("([{").contains(Code[I]) ? 1 : StringRef(")]}").contains(Code[I]) ? -1 : 0;
      if (!Depth)
        return I;
    }
    return std::string::npos;
  };
  At = Code.find('(', At);
  At = At == std::string::npos ? At : Closing(At);
  if (At == std::string::npos)
    return;
  ++At;
  Skip();
  if (StringRef(Code).substr(At).starts_with("noexcept")) {
    At += 8;
    Skip();
  }
  if (At >= Code.size() || Code[At] != ':')
    return;
  std::vector<std::pair<size_t, char>> Edits{{At, '{'}};
  for (++At;;) {
    Skip();
    size_t Name = At;
    while (At < Code.size() && (isAlnum(Code[At]) || StringRef("_:<>").contains(Code[At])))
      ++At;
    Skip();
    if (At >= Code.size() || At == Name || (Code[At] != '(' && Code[At] != '{'))
      return;
    size_t End = Closing(At);
    if (End == std::string::npos)
      return;
    Edits.insert(Edits.end(), {{At, '('}, {End, ')'}});
    At = End + 1;
    Skip();
    if (At >= Code.size() || (Code[At] != ',' && Code[At] != '{'))
      return;
    Edits.emplace_back(At, ';');
    if (Code[At++] == '{')
      break;
  }
  for (auto [Offset, Character] : Edits)
    Code[Offset] = Character;
}

bool withoutClasses(StringRef FileName, ArrayRef<ParseDiagnostic> Errors, std::string &Code) {
  bool Any = false;
  auto IsWord = [](char C) { return isAlnum(C) || C == '_'; };
  for (const ParseDiagnostic &D : Errors) {
    StringRef M = D.Message;
    bool Undeclared = M.consume_front("use of undeclared identifier '"),
         Incomplete = !Undeclared && M.consume_front("incomplete type '");
    bool Member = !Undeclared && !Incomplete && M.consume_front("no member named '") &&
                  M.contains("' in namespace '");
    if ((!Undeclared && !Member &&
         !(Incomplete && M.contains("' named in nested name specifier"))) ||
        D.File != FileName || !D.Line || !D.Column)
      continue;
    StringRef Name = M.take_until([](char C) { return C == '\''; });
    Name = Incomplete && Name.contains("::") ? Name.rsplit("::").second : Name;
    size_t At = 0;
    for (unsigned Line = 1; Line < D.Line && At != std::string::npos; ++Line)
      At = Code.find('\n', At + (Line > 1));
    if (At == std::string::npos)
      continue;
    At += (D.Line > 1) + D.Column - 1;
    if (At >= Code.size() || !StringRef(Code).substr(At).starts_with((Name + "::").str()))
      continue;
    // With its namespaces: `tools::Bench::run(`.
    size_t Begin = At, Behind = At + Name.size() + 2;
    while (!Undeclared && Begin >= 3 && StringRef(Code).take_front(Begin).ends_with("::") &&
           IsWord(Code[Begin - 3])) {
      Begin -= 2;
      while (Begin && IsWord(Code[Begin - 1]))
        --Begin;
    }
    std::string Class = Name.str();
    for (StringRef Rest = StringRef(Code).substr(Behind);;) {
      StringRef Inner = Rest.take_while(IsWord);
      if (Inner.empty() || !Rest.drop_front(Inner.size()).starts_with("::"))
        break;
      Class = Inner.str();
      Behind += Inner.size() + 2;
      Rest = StringRef(Code).substr(Behind);
    }
    if (!defines(Class, StringRef(Code).substr(Behind)) &&
        !definesVariable(StringRef(Code).take_front(Begin), StringRef(Code).substr(Behind)))
      continue;
    std::fill(Code.begin() + Begin, Code.begin() + Behind, ' ');
    // A constructor and a destructor are functions, too.
    bool Destroys = StringRef(Code).substr(Behind).ltrim().starts_with("~");
    if (Destroys)
      Code[Code.find('~', Behind)] = ' ';
    StringRef Defined = StringRef(Code).substr(Behind).ltrim(" ~").take_while(IsWord);
    if (Defined == Class && Behind - Begin > 5) {
      std::copy_n("void", 4, Code.begin() + Begin);
      if (!Destroys)
        withoutInitializers(Code, Behind);
    }
    Any = true;
  }
  return Any;
}

/// The offsets in Code of the diagnostics that begin with Message.
static SmallVector<size_t, 8> offsetsOf(StringRef Message, StringRef FileName,
                                        ArrayRef<ParseDiagnostic> Errors, StringRef Code) {
  SmallVector<size_t, 0> Starts{0};
  for (size_t I = 0; I < Code.size(); ++I)
    if (Code[I] == '\n')
      Starts.push_back(I + 1);
  SmallVector<size_t, 8> Result;
  for (const ParseDiagnostic &D : Errors)
    if (D.File == FileName && D.Line && D.Column && D.Line <= Starts.size() &&
        StringRef(D.Message).starts_with(Message))
      Result.push_back(Starts[D.Line - 1] + D.Column - 1);
  return Result;
}

bool withoutThis(StringRef FileName, ArrayRef<ParseDiagnostic> Errors, std::string &Code) {
  bool Any = false;
  for (size_t At : offsetsOf("invalid use of 'this' outside", FileName, Errors, Code)) {
    StringRef Rest = StringRef(Code).drop_front(std::min(At, Code.size()));
    if (!Rest.starts_with("this"))
      continue;
    bool Member = Rest.drop_front(4).starts_with("->");
    std::fill_n(Code.begin() + At, Member ? 6 : 4, ' ');
    if (!Member)
      Code[At] = '0';
    Any = true;
  }
  return Any;
}

bool withoutSpecializations(StringRef FileName, ArrayRef<ParseDiagnostic> Errors,
                            std::string &Code) {
  bool Any = false;
  for (size_t Open : offsetsOf("expected ';' after top level declarator", FileName, Errors, Code)) {
    size_t Close = Code.find('>', Open);
    if (Open >= Code.size() || Code[Open] != '<' || Close == std::string::npos ||
        StringRef(Code).slice(Open, Close).find_first_of(";{}()\n") != StringRef::npos ||
        !StringRef(Code).drop_front(Close + 1).ltrim().starts_with("("))
      continue;
    size_t Head = StringRef(Code).take_front(Open).rfind("template");
    StringRef Before =
        Head == StringRef::npos ? StringRef() : StringRef(Code).slice(Head + 8, Open).ltrim();
    if (!Before.consume_front("<") || !Before.ltrim().starts_with(">") ||
        Before.find_first_of(";{}") != StringRef::npos)
      continue;
    std::fill(Code.begin() + Open, Code.begin() + Close + 1, ' ');
    std::fill(Code.begin() + Head, Code.begin() + Code.find('>', Head) + 1, ' ');
    Any = true;
  }
  return Any;
}

} // namespace clmali::model
