//===-- checks/model/frontend/tolerant/DialectFixes.cpp - Text that Clang refuses, and others take
//-------------===//
//
// See MacroInference.h. What wraps a kernel file (strings, raw strings, macros that make strings,
// template engines) and what vendors' compilers take and Clang does not is blanked or replaced by
// text of the same length: all places stay.
//
//===----------------------------------------------------------------------===//

#include "checks/model/frontend/tolerant/MacroInference.h"
#include "checks/model/frontend/tolerant/TokenScan.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/StringSwitch.h"

using llvm::StringRef;

namespace clmali::model {

StringRef from(StringRef Text, const ParseDiagnostic &D) {
  for (unsigned Line = 1; Line < D.Line; ++Line) {
    size_t End = Text.find('\n');
    if (End == StringRef::npos)
      return "";
    Text = Text.drop_front(End + 1);
  }
  return D.Column ? Text.drop_front(std::min<size_t>(D.Column - 1, Text.size())) : Text;
}

/// Of the same width on a device of 64 bits, and no longer than its own name.
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
  auto IsWord = [](char C) { return llvm::isAlnum(C) || C == '_'; };
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

/// What stands in Text from Begin to End becomes blank, but for the ends of lines.
static void blank(std::string &Text, size_t Begin, size_t End) {
  for (size_t I = Begin; I < End && I < Text.size(); ++I)
    if (Text[I] != '\n' && Text[I] != '\r')
      Text[I] = ' ';
}

/// The word `const` of the declaration of Name before At that gives it no value; npos: there is
/// none.
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

/// Blanks the __attribute__((..)) around the place At.
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

/// `= x ? a : b` of a floating-point x becomes `=!!x? a : b`, if there are blanks to take, and x is
/// no sum: Question is where the mark stands.
static void plainCondition(std::string &Text, size_t Question) {
  size_t Begin = Question;
  unsigned Blanks = 0; // outside of parentheses, and not at the end
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

/// Blanks qualifiers and attributes that Clang refuses and vendors' compilers take: an access that
/// is written before a buffer, an address space before a parameter that is no pointer, const where
/// the value comes later, restrict before the star, a hint before a label.
bool dropUnknownQualifiers(StringRef FileName, StringRef Text,
                           llvm::ArrayRef<ParseDiagnostic> Diagnostics, std::string &Out) {
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
    if (D.IsError && D.File == FileName && M.consume_front("cannot assign to variable '"))
      if (size_t At =
              constWithoutValue(New, M.split('\'').first, Text.size() - from(Text, D).size());
          At != StringRef::npos)
        std::fill_n(New.begin() + At, strlen("const"), ' ');
    // Before what is taken for a declaration: a label, a block.
    if (D.IsError && D.File == FileName &&
        M.contains("attribute cannot be applied to a declaration"))
      blankAttribute(New, Text.size() - from(Text, D).size());
    if (D.IsError && D.File == FileName && M.starts_with("restrict requires a pointer"))
      if (size_t At = Text.size() - from(Text, D).size();
          StringRef(New).drop_front(At).starts_with("restrict"))
        std::fill_n(New.begin() + At, strlen("restrict"), ' ');
    if (D.IsError && D.File == FileName && M.ends_with("where floating point type is not allowed"))
      if (size_t At = Text.size() - from(Text, D).size(); At < New.size() && New[At] == '?')
        plainCondition(New, At);
    bool Access = M.starts_with("access qualifier can only be used for");
    if (!D.IsError || D.File != FileName ||
        !(Access || M.starts_with("parameter may not be qualified with an address space")))
      continue;
    // The whole parameter around the place.
    size_t At = Text.size() - from(Text, D).size();
    size_t Begin = At, End = At;
    while (Begin && !StringRef(",({;}").contains(Text[Begin - 1]))
      --Begin;
    while (End < Text.size() && !StringRef(",){;}").contains(Text[End]))
      ++End;
    // An array of unknown size is another matter, and so is a pointer behind a macro that was taken
    // for its type.
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

/// Is the kernel, in whose parameters place At stands, called by others? Then it is no more than a
/// function: its keyword becomes blank.
static bool isCalledKernel(StringRef Code, size_t At, std::string &Out) {
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
    size_t At = Text.size() - from(Text, D).size();
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
      Called |= isCalledKernel(C, At, Out);
    }
  }
  std::vector<std::string> Notes;
  if (Comma)
    Notes.push_back("a comma behind the last parameter is left out");
  if (Array)
    Notes.push_back("arrays as parameters of kernels are taken as pointers");
  if (Called)
    Notes.push_back("kernels that only kernels can call are taken as functions");
  return Notes;
}

/// Where the parenthesis of STRINGIFY( stands, before which there is no kernel; npos: nowhere.
static size_t stringified(StringRef Text) {
  auto IsName = [](char C) { return llvm::isAlnum(C) || C == '_'; };
  for (StringRef Word : {"stringify", "stringize", "to_string"})
    for (size_t At = Text.find_insensitive(Word); At != StringRef::npos;
         At = Text.find_insensitive(Word, At + 1)) {
      StringRef Before = Text.take_front(At);
      if (Before.contains('{') || Before.contains("kernel void"))
        break;
      StringRef Line =
          Before.substr(Before.rfind('\n') == StringRef::npos ? 0 : Before.rfind('\n') + 1).ltrim();
      StringRef Rest = Text.drop_front(At).drop_while(IsName);
      if (Line.starts_with("#") || !Rest.starts_with("("))
        continue;
      return Text.size() - Rest.size();
    }
  // str( ... ) around the whole file
  StringRef Whole = Text.trim();
  StringRef Rest = Whole.drop_while(IsName);
  if (Rest.size() < Whole.size() && Rest.starts_with("(") &&
      (Whole.ends_with(")") || Whole.ends_with(");")) && Rest.contains("kernel")) {
    int Depth = 0;
    size_t Close = 0;
    while (Close < Rest.size() && (Depth += Rest[Close] == '(' ? 1 : Rest[Close] == ')' ? -1 : 0))
      ++Close;
    if (Close + 2 >= Rest.size())
      return Rest.data() - Text.data();
  }
  return StringRef::npos;
}

/// Is Inside, of braces in braces, a name, or a member of one?
static bool isTemplateName(StringRef Inside) {
  StringRef Name = Inside.trim();
  return !Name.empty() && (llvm::isAlpha(Name[0]) || Name[0] == '_') &&
         llvm::all_of(Name, [](char C) { return llvm::isAlnum(C) || C == '_' || C == '.'; });
}

/// Does a template engine fill in any of the text: {% .. %}, (x + {{y}})? Then what looks like a
/// list in a list is none.
static bool hasTemplates(StringRef Text) {
  if (Text.contains("{%") && Text.contains("%}"))
    return true;
  for (size_t At = Text.find("{{"); At != StringRef::npos; At = Text.find("{{", At + 1)) {
    StringRef Inside = Text.drop_front(At + 2).split("}}").first;
    StringRef Before = Text.take_front(At).rtrim();
    if (isTemplateName(Inside) && !Before.empty() &&
        (isNameChar(Before.back()) || StringRef("(+-*/%<>&|?:").contains(Before.back())))
      return true;
  }
  return false;
}

/// Blanks what a template engine fills: `{{ name }}` becomes a name, `{% .. %}` nothing. A list in
/// a list is no such thing.
static bool nameTemplates(StringRef Text, std::string &Out) {
  std::string Result = Text.str();
  bool Any = false, Filled = hasTemplates(Text);
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
      StringRef Before = Text.take_front(At).rtrim();
      if (End == StringRef::npos || !isTemplateName(Rest.slice(2, End)) || Before.ends_with("{") ||
          (!Filled && (Before.ends_with(",") || Before.ends_with("="))))
        continue;
      // {{value}}f and x_{{name}} are one word.
      bool Joins = At && isNameChar(Text[At - 1]),
           Goes = isNameChar(Rest.drop_front(End + 2).take_front(1).empty() ? ' ' : Rest[End + 2]);
      for (size_t I = At; I < At + End + 2; ++I)
        if (!isNameChar(Result[I]))
          Result[I] = Result[I] == '.' || Joins || Goes ? '_' : ' ';
      if (Goes && !Joins)
        Result[At] = 'x';
      At += End + 1;
      Any = true;
    }
  }
  if (Any)
    Out = std::move(Result);
  return Any;
}

/// Makes conditions of a template engine's lines, `% if not x:` becomes `# if !   x `, and names of
/// what it fills in, `${x[0]}`.
static bool nameScripts(StringRef Text, std::string &Out) {
  std::string Result = Text.str();
  bool Any = false;
  for (size_t At = Text.find("${"); At != StringRef::npos; At = Text.find("${", At + 1)) {
    size_t End = Text.find('}', At);
    if (End == StringRef::npos || Text.slice(At, End).contains('\n') ||
        Text.slice(At + 2, End).contains('{'))
      continue;
    for (size_t I = At; I <= End; ++I)
      Result[I] = isNameChar(Result[I]) ? Result[I] : '_';
    Any = true;
  }
  for (size_t Begin = 0, End; Begin < Text.size(); Begin = End + 1) {
    End = std::min(Text.find('\n', Begin), Text.size());
    StringRef Rest = Text.slice(Begin, End).ltrim();
    size_t At = End - Rest.size();
    if (!Rest.consume_front("%"))
      continue;
    StringRef Word = Rest.ltrim().take_while(isNameChar);
    size_t Behind = Word.end() - Text.begin();
    if (llvm::is_contained({"for", "endfor", "while", "endwhile"}, Word))
      blank(Result, At, End); // loops run once
    else if (Word == "else" || Word == "endif")
      blank(Result, Behind, End);
    else if (Word != "if" && Word != "elif")
      continue;
    else if (size_t Last = Text.slice(Behind, End).rtrim().size();
             Last && Text[Behind + Last - 1] == ':')
      Result[Behind + Last - 1] = ' ';
    Any = true;
    if (Result[At] == '%')
      Result[At] = '#';
    for (size_t I = Behind; I < End;) {
      StringRef Name = Text.slice(I, End).take_while(isNameChar);
      StringRef As = Name == "not" ? "!" : Name == "and" ? "&&" : Name == "or" ? "||" : "";
      if (!As.empty() && Result[I] != ' ') {
        blank(Result, I, I + Name.size());
        Result.replace(I, As.size(), As);
      }
      I += std::max<size_t>(Name.size(), 1);
    }
  }
  if (Any)
    Out = std::move(Result);
  return Any;
}

/// What a script's formatting puts into the text: `%(width)d` becomes `__width_d`, of the same
/// length.
static bool nameKeys(StringRef Text, std::string &Out) {
  std::string Result = Text.str();
  bool Any = false;
  for (size_t At = Text.find("%("); At != StringRef::npos; At = Text.find("%(", At + 1)) {
    StringRef Name = Text.drop_front(At + 2).take_while(isNameChar);
    StringRef Rest = Text.drop_front(At + 2 + Name.size());
    // (b)d is nothing that C knows.
    if (Name.empty() || llvm::isDigit(Name[0]) || !Rest.consume_front(")") || Rest.empty() ||
        !StringRef("diufgexs").contains(Rest[0]))
      continue;
    Result[At] = Result[At + 1] = Result[At + 2 + Name.size()] = '_';
    Any = true;
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
  for (auto Name : {nameScripts, nameKeys})
    if (std::string Named; Name(Text, Named)) {
      Plain = std::move(Named);
      Text = Plain;
      Any = true;
    }
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
    // Of a line: its own, with declarations in it; and the body of a macro, of which formatting may
    // have made `% d`.
    StringRef Line = Text.take_front(I).rsplit('\n').second;
    if (!Text.take_front(I).contains('\n'))
      Line = Text.take_front(I);
    StringRef Behind = C == '%'
                           ? Rest.drop_front().take_until([](char X) { return X == '\n'; }).trim()
                           : StringRef();
    // %s or %unroll% on a line of its own: statements or a directive, of which nothing is known.
    bool IsNamed = Behind.ends_with("%") && isName(Behind.drop_back()) &&
                   (!Last || StringRef(";{}").contains(Last));
    bool Whole = C == '%' && Line.trim().empty() && (Behind == "s" || IsNamed);
    bool Body = C == '%' && Line.ltrim().starts_with("#") && Line.contains("define") &&
                Line.rtrim().size() < Line.size() && Line.trim().count(' ') < 3 &&
                isNameChar(Line.rtrim().back());
    if (Whole) {
      size_t End = I + (IsNamed ? Rest.find('%', 1) : Rest.find('s')) + 1;
      blank(Result, I, End);
      I = End - 1;
      C = ' ';
      Any = true;
    } else if (size_t End = C == '%' && Last && StringRef("=(,[{};").contains(Last)
                                ? Rest.drop_front().find_first_not_of(NameChars)
                                : StringRef::npos;
               End != StringRef::npos && End > 1 && Rest[End + 1] == '%' &&
               !llvm::isDigit(Rest[1])) {
      // [%size%]
      Result[I] = Result[I + End + 1] = '_';
      I += End + 1;
      C = '_';
      Any = true;
    } else if (C == '%' && (Body || (Last && StringRef("=(,[{+-*/<>&|?:!").contains(Last)))) {
      StringRef Kind = Rest.drop_front();
      bool Apart = Body && Kind.consume_front(" ");
      StringRef Length = Kind.take_while([](char X) { return X == 'l' || X == 'z'; });
      Kind = Kind.drop_front(Length.size());
      bool Ends = Kind.size() < 2 || !(llvm::isAlnum(Kind[1]) || Kind[1] == '_');
      if (!Kind.empty() && Ends && StringRef("diufgs").contains(Kind[0])) {
        Result[I] = '_';
        if (Apart)
          std::swap(Result[I + 1], Result[I + 2]);
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

/// Blanks the lines `const char *name = "` and `";` between which sources stand as they are, for a
/// script to make strings of them. False: there are none.
static bool unwrapSections(StringRef Text, std::string &Out) {
  bool Any = false, Open = false;
  std::string Result = Text.str();
  for (size_t At = 0; At < Text.size();) {
    size_t End = std::min(Text.find('\n', At), Text.size());
    StringRef Line = Text.slice(At, End).trim();
    bool Opens = !Open && Line.contains("char") && Line.ends_with("\"") &&
                 Line.drop_back().rtrim().ends_with("=");
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
    std::string Before = withoutComments(Text.take_front(Raw));
    bool Code = StringRef(Before).contains("kernel") || StringRef(Before).contains('{');
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
  // Lines of "...\n", or one string that goes on behind each of its lines: = "..\n \.
  StringRef Head = Body.take_front(512);
  auto [Declared, Literal] = Head.split('"');
  bool GoesOn = StringRef(Declared).rtrim().ends_with("=") && !Declared.contains('{') &&
                !Declared.contains("kernel") && Declared.contains("char") &&
                Literal.take_until([](char C) { return C == '\n'; }).rtrim().ends_with("\\");
  if (!Body.starts_with("\"") && !Head.contains("=\n\"") && !Head.contains("= \n\"") && !GoesOn)
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
