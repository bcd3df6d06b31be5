//===-- checks/model/frontend/tolerant/Placeholders.cpp - What a host fills in ------===//
//
// See DialectFixes.h.
//
//===----------------------------------------------------------------------===//

#include "checks/model/frontend/tolerant/DialectFixes.h"
#include "checks/model/frontend/tolerant/SourceText.h"

using llvm::StringRef;

namespace clmali::model {

/// Inside, the text between double braces, is a name or a member of one.
static bool isTemplateName(StringRef Inside) {
  StringRef Name = Inside.trim();
  return !Name.empty() && (llvm::isAlpha(Name[0]) || Name[0] == '_') &&
         llvm::all_of(Name, [](char C) { return llvm::isAlnum(C) || C == '_' || C == '.'; });
}

/// A template engine fills in parts of the text: {% .. %}, (x + {{y}}). Then `{{` begins no nested
/// list.
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

/// Makes a name of `{{ name }}`, and blanks `{% .. %}`. Nested initialiser lists stay.
static bool nameTemplates(StringRef Text, std::string &Out) {
  std::string Result = Text.str();
  bool Any = false, Filled = hasTemplates(Text);
  for (size_t At = Text.find('{'); At != StringRef::npos; At = Text.find('{', At + 1)) {
    StringRef Rest = Text.drop_front(At);
    if (Rest.starts_with("{%")) {
      size_t End = Rest.find("%}");
      if (End == StringRef::npos || Rest.take_front(End).count('\n') > 3)
        continue;
      blank(Result, At, At + End + 2);
      At += End + 1;
      Any = true;
    } else if (Rest.starts_with("{{")) {
      size_t End = Rest.find("}}");
      StringRef Before = Text.take_front(At).rtrim();
      if (End == StringRef::npos || !isTemplateName(Rest.slice(2, End)) || Before.ends_with("{") ||
          (!Filled && (Before.ends_with(",") || Before.ends_with("="))))
        continue;
      // {{value}}f and x_{{name}} become one word.
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

/// Makes a directive `# if !   x ` of a template engine's line `% if not x:`, and a name of
/// `${x[0]}`.
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

/// Makes a name of a script's format: `%(width)d` becomes `__width_d`.
static bool nameKeys(StringRef Text, std::string &Out) {
  std::string Result = Text.str();
  bool Any = false;
  for (size_t At = Text.find("%("); At != StringRef::npos; At = Text.find("%(", At + 1)) {
    StringRef Name = Text.drop_front(At + 2).take_while(isNameChar);
    StringRef Rest = Text.drop_front(At + 2 + Name.size());
    // In C, (b)d has no meaning after an operator.
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

/// Names of formats in the body of a macro or where a value is expected: `= %d` becomes `= _d`.
class FormatNamer {
public:
  explicit FormatNamer(StringRef Text) : Result(Text.str()), Text(Text) {}
  std::string Result;
  bool Any = false; ///< a format was replaced

  void run() {
    for (size_t I = 0; I < Text.size(); ++I) {
      if (skip(I))
        continue;
      char C = Text[I];
      if (C == '%')
        C = replaceFormat(I);
      if (!llvm::isSpace(C))
        Last = C;
    }
  }

private:
  StringRef Text;
  char Last = 0; ///< the character before, without blanks

  bool lastIsOneOf(StringRef Characters) const { return Last && Characters.contains(Last); }

  /// Skips a comment or a literal that begins at I; I is then its last character.
  bool skip(size_t &I) {
    StringRef Rest = Text.drop_front(I);
    char C = Text[I];
    if (Rest.starts_with("//")) {
      I += Rest.find('\n') == StringRef::npos ? Rest.size() : Rest.find('\n');
      return true;
    }
    if (Rest.starts_with("/*")) {
      size_t End = Rest.find("*/", 2);
      I += End == StringRef::npos ? Rest.size() : End + 1;
      return true;
    }
    if (C != '"' && C != '\'')
      return false;
    for (++I; I < Text.size() && Text[I] != C && Text[I] != '\n'; ++I)
      if (Text[I] == '\\')
        ++I;
    Last = C;
    return true;
  }

  /// Replaces a format that begins with the % at I; I is then its last replaced character. Returns
  /// the character that is there for what follows.
  char replaceFormat(size_t &I) {
    StringRef Rest = Text.drop_front(I), Before = Text.take_front(I);
    StringRef Line = Before.contains('\n') ? Before.rsplit('\n').second : Before;
    StringRef Behind = Rest.drop_front().take_until([](char X) { return X == '\n'; }).trim();
    // %s or %unroll% alone on a line: statements or a directive, of which nothing is known.
    bool IsNamed = Behind.ends_with("%") && isName(Behind.drop_back()) &&
                   (!Last || StringRef(";{}").contains(Last));
    if (Line.trim().empty() && (Behind == "s" || IsNamed)) {
      size_t End = I + (IsNamed ? Rest.find('%', 1) : Rest.find('s')) + 1;
      blank(Result, I, End);
      I = End - 1;
      Any = true;
      return ' ';
    }
    if (size_t End = lastIsOneOf("=(,[{};") ? Rest.drop_front().find_first_not_of(NameChars)
                                            : StringRef::npos;
        End != StringRef::npos && End > 1 && Rest[End + 1] == '%' && !llvm::isDigit(Rest[1])) {
      // [%size%]
      Result[I] = Result[I + End + 1] = '_';
      I += End + 1;
      Any = true;
      return '_';
    }
    // The body of a macro, of which a formatter may have made `% d`.
    bool Body = Line.ltrim().starts_with("#") && Line.contains("define") &&
                Line.rtrim().size() < Line.size() && Line.trim().count(' ') < 3 &&
                isNameChar(Line.rtrim().back());
    if (!Body && !lastIsOneOf("=(,[{+-*/<>&|?:!"))
      return '%';
    StringRef Kind = Rest.drop_front();
    bool Apart = Body && Kind.consume_front(" ");
    Kind = Kind.drop_while([](char X) { return X == 'l' || X == 'z'; });
    bool Ends = Kind.size() < 2 || !isNameChar(Kind[1]);
    if (!Kind.empty() && Ends && StringRef("diufgs").contains(Kind[0])) {
      Result[I] = '_';
      if (Apart)
        std::swap(Result[I + 1], Result[I + 2]);
      Any = true;
    }
    return '%';
  }
};

/// The formats of sprintf.
static bool nameFormats(StringRef Text, std::string &Out) {
  FormatNamer Namer(Text);
  Namer.run();
  if (Namer.Any)
    Out = std::move(Namer.Result);
  return Namer.Any;
}

bool namePlaceholders(StringRef Text, std::string &Out) {
  std::string Current = Text.str();
  bool Any = false;
  for (auto Name : {nameTemplates, nameScripts, nameKeys, nameFormats})
    if (std::string Named; Name(Current, Named)) {
      Current = std::move(Named);
      Any = true;
    }
  if (Any)
    Out = std::move(Current);
  return Any;
}

} // namespace clmali::model
