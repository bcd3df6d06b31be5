//===-- checks/model/frontend/tolerant/DialectFixes.cpp - Types, qualifiers, templates -===//
//
// See DialectFixes.h.
//
//===----------------------------------------------------------------------===//

#include "checks/model/frontend/tolerant/DialectFixes.h"
#include "checks/model/frontend/tolerant/SourceText.h"
#include "llvm/ADT/StringSwitch.h"

using llvm::StringRef;

namespace clmali::model {

/// A type of the same width on a 64-bit device, with a name that is no longer.
static StringRef plainType(StringRef Word) {
  return llvm::StringSwitch<StringRef>(Word)
      .Case("bool", "char")
      .Cases("size_t", "uintptr_t", "ulong")
      .Cases("ptrdiff_t", "intptr_t", "long")
      .Default("");
}

bool fixParameterTypes(StringRef FileName, StringRef Text,
                       llvm::ArrayRef<ParseDiagnostic> Diagnostics, std::string &Out) {
  std::string New = Text.str();
  auto Replace = [&](size_t Begin, size_t End) {
    StringRef Plain = plainType(Text.slice(Begin, End));
    for (size_t I = Begin; !Plain.empty() && I < End; ++I)
      New[I] = I - Begin < Plain.size() ? Plain[I - Begin] : ' ';
    return !Plain.empty();
  };
  for (const ParseDiagnostic &D : Diagnostics) {
    if (!D.IsError || D.File != FileName ||
        !StringRef(D.Message).contains("cannot be used as the type of a kernel parameter"))
      continue;
    // The diagnostic is at the parameter's name; the type is before it.
    size_t End = Text.size() - textFrom(Text, D).size();
    while (End && !isNameChar(Text[End - 1]) && Text[End - 1] != ',' && Text[End - 1] != '(')
      --End;
    size_t Begin = End;
    while (Begin && isNameChar(Text[Begin - 1]))
      --Begin;
    if (Replace(Begin, End))
      continue;
    // The type is a structure: the members of all structures.
    for (size_t At = Text.find("struct"); At != StringRef::npos; At = Text.find("struct", At + 1)) {
      size_t Body = Text.find_first_of("{;)", At);
      if (Body == StringRef::npos || Text[Body] != '{')
        continue;
      for (size_t I = Body, Close = std::min(Text.find('}', Body), Text.size()); I < Close;) {
        size_t Word = I;
        while (I < Close && isNameChar(Text[I]))
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

/// The word `const` of the declaration of Name before At, if that has no initialiser; npos: there
/// is none.
static size_t constWithoutValue(StringRef Text, StringRef Name, size_t At) {
  for (size_t Const = Text.take_front(At).rfind("const"); Const != StringRef::npos;
       Const = Text.take_front(Const).rfind("const")) {
    StringRef Declares = Text.drop_front(Const + strlen("const")).take_until([](char C) {
      return StringRef(";=(){}").contains(C);
    });
    StringRef Before = Declares.rtrim();
    bool IsWord = (!Const || !isNameChar(Text[Const - 1])) && Before.consume_back(Name) &&
                  !Before.empty() && !isNameChar(Before.front()) && !isNameChar(Before.back());
    if (IsWord && Text.drop_front(Const + strlen("const") + Declares.size()).starts_with(";"))
      return Const;
  }
  return StringRef::npos;
}

/// Blanks the __attribute__((..)) around the offset At.
static void blankAttribute(std::string &Text, size_t At) {
  constexpr StringRef Word = "__attribute__";
  size_t Begin = StringRef(Text).take_front(At + 1).rfind(Word);
  size_t End = Begin == StringRef::npos ? Begin : Text.find('(', Begin + Word.size());
  if (End == StringRef::npos || End > At)
    return;
  int Depth = 0;
  for (; End < Text.size() && Text[End] != ';'; ++End)
    if (Depth += Text[End] == '(' ? 1 : Text[End] == ')' ? -1 : 0; !Depth) {
      if (End > At)
        blank(Text, Begin, End + 1);
      return;
    }
}

/// Makes `= x ? a : b` with a floating-point x to `=!!x? a : b`, if there are blanks to replace and
/// x has no operator. Question: the offset of `?`.
static void convertCondition(std::string &Text, size_t Question) {
  size_t Begin = Question;
  unsigned Blanks = 0; // outside of parentheses
  for (int Depth = 0; Begin; --Begin) {
    char C = Text[Begin - 1];
    Depth += C == ')' || C == ']' ? 1 : C == '(' || C == '[' ? -1 : 0;
    if (Depth < 0 || (!Depth && (StringRef("=,;{}:?\n").contains(C) || Blanks == 2)))
      break;
    Blanks += !Depth && C == ' ';
  }
  StringRef Before = StringRef(Text).take_front(Begin),
            Condition = StringRef(Text).slice(Begin, Question);
  bool Returns =
      Before.ends_with("return") && !isNameChar(Before.drop_back(strlen("return")).empty()
                                                    ? ' '
                                                    : Before[Before.size() - strlen("return") - 1]);
  if (Condition.size() < 3 || Condition.front() != ' ' || Condition.back() != ' ' || Blanks != 2 ||
      !(Returns || (!Before.empty() && StringRef("=,(:?").contains(Before.back()))))
    return;
  std::string Plain = ("!!" + Condition.drop_front().drop_back()).str();
  Text.replace(Begin, Plain.size(), Plain);
}

/// Removed are: an access qualifier of a buffer, an address space of a parameter that is no
/// pointer, const where the variable is assigned later, restrict before the star, an attribute of a
/// label.
bool dropUnknownQualifiers(StringRef FileName, StringRef Text,
                           llvm::ArrayRef<ParseDiagnostic> Diagnostics, std::string &Out) {
  std::string New = Text.str();
  auto Blank = [&](size_t Begin, size_t End, bool Access) {
    for (size_t I = Begin; I < End;) {
      size_t Word = I;
      while (I < End && isNameChar(New[I]))
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
    if (D.IsError && D.File == FileName && M.consume_front("cannot assign to variable '"))
      if (size_t At =
              constWithoutValue(New, M.split('\'').first, Text.size() - textFrom(Text, D).size());
          At != StringRef::npos)
        std::fill_n(New.begin() + At, strlen("const"), ' ');
    // An attribute of a label or a block, which Clang reads as one of a declaration.
    if (D.IsError && D.File == FileName &&
        M.contains("attribute cannot be applied to a declaration"))
      blankAttribute(New, Text.size() - textFrom(Text, D).size());
    if (D.IsError && D.File == FileName && M.starts_with("restrict requires a pointer"))
      if (size_t At = Text.size() - textFrom(Text, D).size();
          StringRef(New).drop_front(At).starts_with("restrict"))
        std::fill_n(New.begin() + At, strlen("restrict"), ' ');
    if (D.IsError && D.File == FileName && M.ends_with("where floating point type is not allowed"))
      if (size_t At = Text.size() - textFrom(Text, D).size(); At < New.size() && New[At] == '?')
        convertCondition(New, At);
    bool Access = M.starts_with("access qualifier can only be used for");
    if (!D.IsError || D.File != FileName ||
        !(Access || M.starts_with("parameter may not be qualified with an address space")))
      continue;
    // The whole parameter around the position.
    size_t At = Text.size() - textFrom(Text, D).size();
    size_t Begin = At, End = At;
    while (Begin && !StringRef(",({;}").contains(Text[Begin - 1]))
      --Begin;
    while (End < Text.size() && !StringRef(",){;}").contains(Text[End]))
      ++End;
    // Not for an array of unknown size, nor for a pointer that follows a macro which was inferred
    // to be its type.
    if (Access || Text.slice(Begin, End).find_first_of("[*") == StringRef::npos)
      Blank(Begin, End, Access);
  }
  Out = std::move(New);
  return Out != Text;
}

bool flattenTemplates(StringRef Text, std::string &Out) {
  if (!Text.contains("template"))
    return false;
  std::string Code = withoutComments(Text), Result = Text.str();
  StringRef C = Code;
  llvm::StringSet<> Parameters;
  bool Any = false;
  for (size_t At = C.find("template"); At != StringRef::npos; At = C.find("template", At + 1)) {
    size_t Behind = At + strlen("template");
    if ((At && isNameChar(C[At - 1])) ||
        isNameChar(C.drop_front(Behind).take_front(1).empty() ? ' ' : C[Behind]))
      continue;
    StringRef Rest = C.drop_front(Behind).ltrim();
    if (!Rest.consume_front("<")) { // template .. void f<float>(..);
      size_t End = C.find_first_of(";{", Behind);
      if (End == StringRef::npos || C[End] == '{')
        return false;
      blank(Result, At, End + 1);
      continue;
    }
    auto [List, After] = Rest.split('>');
    StringRef Next = After.ltrim();
    if (List.contains('<') || List.contains(';') || Next.starts_with("class") ||
        Next.starts_with("struct"))
      return false;
    llvm::SmallVector<StringRef, 4> Parts;
    List.split(Parts, ',');
    for (StringRef P : Parts) {
      P = P.split('=').first.trim();
      Parameters.insert(P.substr(P.find_last_of(" \t\n") + 1));
    }
    blank(Result, At, C.size() - After.size());
    Any = true;
  }
  // f<T>(x)
  for (size_t At = C.find('<'); Any && At != StringRef::npos; At = C.find('<', At + 1)) {
    auto [List, After] = C.drop_front(At + 1).split('>');
    llvm::SmallVector<StringRef, 4> Parts;
    List.split(Parts, ',');
    if (At && isNameChar(C[At - 1]) && After.ltrim().starts_with("(") &&
        llvm::all_of(Parts, [&](StringRef P) { return Parameters.contains(P.trim()); }))
      blank(Result, At, C.size() - After.size());
  }
  // static_cast<T>(x)
  constexpr StringRef Cast = "static_cast<";
  for (size_t At = C.find(Cast); Any && At != StringRef::npos; At = C.find(Cast, At + 1)) {
    size_t Close = C.find('>', At);
    if (Close == StringRef::npos)
      break;
    blank(Result, At, At + Cast.size());
    Result[At + Cast.size() - 1] = '(';
    Result[Close] = ')';
  }
  if (Any)
    Out = std::move(Result);
  return Any;
}

/// True if the kernel whose parameters are at offset At is called by others. Then it becomes a
/// function: its keyword is blanked in Out.
static bool demoteCalledKernel(StringRef Code, size_t At, std::string &Out) {
  size_t Kernel = Code.take_front(At).rfind("kernel");
  while (Kernel != StringRef::npos && Kernel && isNameChar(Code[Kernel + strlen("kernel")]))
    Kernel = Code.take_front(Kernel).rfind("kernel");
  if (Kernel == StringRef::npos || Code.slice(Kernel, At).find_first_of("{};") != StringRef::npos)
    return false;
  size_t Open = Code.find('(', Kernel);
  StringRef Name = Code.slice(Kernel, Open).rtrim();
  Name = Name.substr(Name.find_last_of(" \t\n*") + 1);
  unsigned Uses = 0;
  for (size_t Use = Code.find(Name); !Name.empty() && Use != StringRef::npos;
       Use = Code.find(Name, Use + 1))
    Uses += (!Use || !isNameChar(Code[Use - 1])) &&
            Code.drop_front(Use + Name.size()).ltrim().starts_with("(");
  if (Uses < 2)
    return false;
  blank(Out, Kernel - (Code.take_front(Kernel).ends_with("__") ? 2 : 0), Kernel + strlen("kernel"));
  return true;
}

std::vector<std::string> fixParameterLists(StringRef FileName, StringRef Text,
                                           llvm::ArrayRef<ParseDiagnostic> Diagnostics,
                                           std::string &Out) {
  Out = Text.str();
  std::string Code = withoutComments(Text);
  StringRef C = Code;
  bool Comma = false, Array = false, Called = false;
  for (const ParseDiagnostic &D : Diagnostics) {
    if (!D.IsError || D.File != FileName)
      continue;
    size_t At = Text.size() - textFrom(Text, D).size();
    StringRef Before = C.take_front(At).rtrim();
    if (StringRef(D.Message) == "expected parameter declarator" &&
        C.drop_front(At).starts_with(")") && Before.ends_with(",")) {
      Out[Before.size() - 1] = ' ';
      Comma = true;
    }
    if (!StringRef(D.Message).starts_with("pointer arguments to kernel functions must reside"))
      continue;
    // __global int a[N]
    size_t Open = At;
    while (Open < C.size() && isNameChar(C[Open]))
      ++Open;
    size_t Close = C.find(']', Open);
    if (C.drop_front(Open).starts_with("[") && Close != StringRef::npos && At && C[At - 1] == ' ') {
      Out[At - 1] = '*';
      blank(Out, Open, Close + 1);
      Array = true;
    } else {
      Called |= demoteCalledKernel(C, At, Out);
    }
  }
  std::vector<std::string> Notes;
  if (Comma)
    Notes.push_back("a comma after the last parameter is left out");
  if (Array)
    Notes.push_back("arrays as parameters of kernels are taken as pointers");
  if (Called)
    Notes.push_back("kernels that only kernels can call are taken as functions");
  return Notes;
}

} // namespace clmali::model
