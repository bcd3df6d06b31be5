//===-- checks/model/frontend/tolerant/TokenScan.cpp - What a file's text says about names
//------------===//
//
// See TokenScan.h.
//
//===--------------------------------------------------------------------------------===//

#include "checks/model/frontend/tolerant/TokenScan.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"

using llvm::StringRef;

namespace clmali::model {

std::string withoutComments(StringRef Text) {
  std::string Out = Text.str();
  enum { Plain, Line, StmtList, String, Char } In = Plain;
  for (size_t I = 0; I < Out.size(); ++I) {
    char C = Out[I], Next = I + 1 < Out.size() ? Out[I + 1] : '\0';
    switch (In) {
    case Plain:
      if (C == '/' && Next == '/')
        In = Line;
      else if (C == '/' && Next == '*') {
        In = StmtList;
        Out[I] = ' ';
        Out[++I] = ' ';
        continue;
      } else if (C == '"')
        In = String;
      else if (C == '\'')
        In = Char;
      break;
    case Line:
      if (C == '\n')
        In = Plain;
      break;
    case StmtList:
      if (C == '*' && Next == '/') {
        Out[I] = ' ';
        Out[++I] = ' ';
        In = Plain;
        continue;
      }
      break;
    case String:
    case Char:
      if (C == '\\')
        ++I;
      else if (C == (In == String ? '"' : '\'') || C == '\n')
        In = Plain;
      continue;
    }
    if ((In == Line || In == StmtList) && C != '\n' && C != '\\')
      Out[I] = ' ';
  }
  return Out;
}

namespace {

bool isTypeWord(StringRef S) {
  static const llvm::StringSet<> Words = [] {
    llvm::StringSet<> W;
    for (const char *S : {"void",
                          "char",
                          "uchar",
                          "short",
                          "ushort",
                          "int",
                          "uint",
                          "long",
                          "ulong",
                          "half",
                          "float",
                          "double",
                          "bool",
                          "size_t",
                          "unsigned",
                          "signed",
                          "const",
                          "volatile",
                          "struct",
                          "__global",
                          "global",
                          "__local",
                          "local",
                          "__constant",
                          "constant",
                          "__private",
                          "private",
                          "__kernel",
                          "kernel",
                          "inline",
                          "static",
                          "__attribute__",
                          "__read_only",
                          "read_only",
                          "__write_only",
                          "write_only",
                          "__read_write",
                          "read_write",
                          "image2d_t",
                          "image1d_t",
                          "image3d_t",
                          "image2d_array_t",
                          "image1d_buffer_t",
                          "sampler_t"})
      W.insert(S);
    return W;
  }();
  return Words.contains(S) ||
         (!S.empty() && llvm::isDigit(S.back()) && Words.contains(S.rtrim("0123456789")));
}

bool isStatementWord(StringRef S) {
  return S == "return" || S == "else" || S == "case" || S == "if" || S == "while" || S == "for" ||
         S == "do" || S == "goto" || S == "sizeof";
}

/// DATA_TYPE, and not DATA_TYPE_SIZE.
bool namesType(StringRef Name) {
  std::string Upper = Name.upper();
  StringRef C = Upper;
  return C.contains("TYPE") && !C.contains("SIZE") && !C.contains("BYTES") &&
         !C.contains("TYPE_I") && !C.contains("TYPE_M") && !C.contains("TYPE_CHAR") &&
         !C.ends_with("_STR");
}

/// A type's name says which one; float where it does not.
Meaning typeOf(StringRef Name) {
  std::string Lower = Name.lower();
  StringRef L = Lower;
  std::string Value;
  for (const char *Known : {"uchar", "ushort", "uint", "ulong", "char", "short", "int", "long",
                            "double", "float", "half"})
    if (L == Known || L == (StringRef(Known) + "_t").str() || L.rtrim("0123456789") == Known)
      Value = Known;
  bool Sized = true;
  if (L.starts_with("uint8") || L.starts_with("u8"))
    Value = "uchar";
  else if (L.starts_with("uint16") || L.starts_with("u16"))
    Value = "ushort";
  else if (L.starts_with("uint32") || L.starts_with("u32"))
    Value = "uint";
  else if (L.starts_with("uint64") || L.starts_with("u64"))
    Value = "ulong";
  else if (L.starts_with("int8"))
    Value = "char";
  else if (L.starts_with("int16"))
    Value = "short";
  else if (L.starts_with("int32"))
    Value = "int";
  else if (L.starts_with("int64"))
    Value = "long";
  else
    Sized = false;
  StringRef Digits = L.drop_front(L.rtrim("0123456789").size());
  bool Lanes = Digits == "2" || Digits == "3" || Digits == "4" || Digits == "8" || Digits == "16";
  if (Sized && (L == "uint8" || L == "uint16" || L == "int8" || L == "int16")) {
    // A vector of the language, in capitals or not.
    Value = L.rtrim("0123456789").str();
    Sized = false;
  }
  bool InferredMacros = Value.empty();
  if (InferredMacros) {
    if (L.contains("index") || L.contains("idx") || L.contains("select") || L.contains("cond") ||
        L.contains("offset") || L.starts_with("dim") || L.contains("size"))
      Value = "int";
    else if (L.contains("uint"))
      Value = "uint";
    else if (L.contains("int") && !L.contains("point") && !L.contains("inter"))
      Value = "int";
    else if (L.contains("mask"))
      Value = "uint";
    else if (L.contains("uchar") || L.contains("pixel_t"))
      Value = "uchar";
    else if (L.contains("half"))
      Value = "half";
    else
      Value = "float";
    if (!Lanes && L.contains("vec") && !L.contains("elem"))
      Value += "4";
  }
  // A vector's name keeps its lanes: T4, real2.
  if (!Sized && Lanes)
    Value += Digits;
  return {"", Value, true, InferredMacros};
}

} // namespace

Meaning TokenScan::asType(StringRef Name) { return typeOf(Name); }

TokenScan::TokenScan(StringRef Text, const llvm::StringMap<std::string> &Given)
    : Code(withoutComments(Text)), Given(Given) {
  for (const auto &G : Given)
    Defined.insert(G.getKey());
  std::vector<unsigned> Open; // indices of the branches that are open
  unsigned Groups = 0, Number = 0;
  StringRef Rest = Code;
  std::string Joined;
  while (!Rest.empty()) {
    ++Number;
    auto [Line, After] = Rest.split('\n');
    Rest = After;
    StringRef Trimmed = Line.ltrim();
    if (!Trimmed.starts_with("#")) {
      size_t First = Tokens.size();
      lex(Line, Number);
      // A typedef under a condition is as good as a macro.
      if (!Open.empty() && Tokens.size() > First + 2 && Tokens[First].Text == "typedef" &&
          Tokens.back().Text == ";" && isName(Tokens[Tokens.size() - 2].Text))
        DefineLines[Tokens[Tokens.size() - 2].Text].push_back(Number);
      continue;
    }
    unsigned First = Number;
    const char *Begin = Trimmed.data();
    while (Line.rtrim(" \t\r").ends_with("\\") && !Rest.empty()) {
      std::tie(Line, Rest) = Rest.split('\n');
      ++Number;
    }
    directive(StringRef(Begin, Line.end() - Begin), First, Open, Groups);
  }
  for (unsigned B : Open)
    Branches[B].End = Number + 1;
  for (size_t I = 0; I < Tokens.size(); ++I)
    if (isName(Tokens[I].Text))
      Uses[Tokens[I].Text].push_back(I);
  findKernels();
}

void TokenScan::lex(StringRef Line, unsigned Number) {
  for (size_t I = 0; I < Line.size();) {
    char C = Line[I];
    if (C == ' ' || C == '\t' || C == '\r' || C == '\\' || C == '\n') {
      ++I;
      continue;
    }
    size_t Begin = I;
    if (isNameChar(C) || (C == '.' && I + 1 < Line.size() && llvm::isDigit(Line[I + 1]))) {
      bool IsNumber = llvm::isDigit(C) || C == '.';
      while (I < Line.size() && (isNameChar(Line[I]) || (IsNumber && Line[I] == '.')))
        ++I;
    } else if (C == '"' || C == '\'') {
      ++I;
      while (I < Line.size() && Line[I] != C)
        I += Line[I] == '\\' ? 2 : 1;
      I = std::min(I + 1, Line.size());
    } else if (C == '#' && I + 1 < Line.size() && Line[I + 1] == '#') {
      I += 2;
    } else {
      ++I;
    }
    Tokens.push_back({Line.slice(Begin, I), Number});
  }
}

void TokenScan::directive(StringRef Line, unsigned Number, std::vector<unsigned> &Open,
                          unsigned &Groups) {
  StringRef Rest = Line.drop_front(1).ltrim();
  StringRef Word = Rest.take_while(isNameChar);
  Rest = Rest.drop_front(Word.size()).trim();
  auto NameIn = [](StringRef S) { return S.ltrim().take_while(isNameChar); };
  auto Begin = [&](std::string Condition, unsigned Group, bool IsElse) {
    Open.push_back(Branches.size());
    Branches.push_back({std::move(Condition), Number, Number, Group, IsElse});
  };
  if (Word == "define") {
    StringRef Name = NameIn(Rest);
    StringRef Body = Rest.drop_front(Name.size());
    int64_t Default;
    if (!Open.empty() && Branches[Open.back()].Condition == ("!defined(" + Name + ")").str() &&
        !Defined.contains(Name) && !Body.trim().getAsInteger(0, Default))
      Defaults[Name] = Default;
    else
      Defaults.erase(Name);
    auto [Unit, Shift] = Body.trim(" \t\r()").split("<<");
    int64_t Constant, By = 0;
    if (!Defined.contains(Name) && !Unit.trim().getAsInteger(0, Constant) &&
        (Shift.empty() || !Shift.trim().getAsInteger(0, By)) && By >= 0 && By < 32)
      Constants[Name] = Constant << By;
    else
      Constants.erase(Name);
    Defined.insert(Name);
    DefineLines[Name].push_back(Number);
    // A parameter is another name than the same word elsewhere.
    llvm::StringSet<> Own;
    if (Body.starts_with("(")) {
      auto [Parameters, After] = Body.drop_front(1).split(')');
      llvm::SmallVector<StringRef, 8> Parts;
      Parameters.split(Parts, ',');
      for (StringRef P : Parts)
        Own.insert(P.trim(" \t\r\n\\"));
      Body = After;
    }
    BodyBegins[Tokens.size()] = Name;
    Tokens.push_back({";", Number}); // a body stands for itself
    size_t First = Tokens.size();
    lex(Body, Number);
    for (size_t I = First; I < Tokens.size(); ++I)
      if (Own.contains(Tokens[I].Text))
        Tokens[I].Text = "clmali_parameter";
    Tokens.push_back({";", Number});
  } else if (Word == "error") {
    ErrorLines[Number] = Rest.str();
  } else if (Word == "ifdef") {
    Tested.insert(NameIn(Rest));
    Begin(("defined(" + NameIn(Rest) + ")").str(), Groups++, false);
  } else if (Word == "ifndef") {
    Tested.insert(NameIn(Rest));
    Begin(("!defined(" + NameIn(Rest) + ")").str(), Groups++, false);
  } else if (Word == "if") {
    Begin(Rest.str(), Groups++, false);
  } else if ((Word == "elif" || Word == "else") && !Open.empty()) {
    Branch &Before = Branches[Open.back()];
    Before.End = Number;
    unsigned Group = Before.Group;
    Open.pop_back();
    Begin(Word == "elif" ? Rest.str() : std::string(), Group, Word == "else");
  } else if (Word == "endif" && !Open.empty()) {
    Branches[Open.back()].End = Number;
    Open.pop_back();
  }
}

void TokenScan::findKernels() {
  for (size_t I = 0; I < Tokens.size(); ++I) {
    if (at(I) != "__kernel" && at(I) != "kernel")
      continue;
    unsigned Line = Tokens[I].Line;
    // Past attributes to `name (`.
    for (size_t J = I + 1; J < Tokens.size() && J < I + 40; ++J) {
      if (at(J) == ";" || at(J) == "{")
        break;
      if (at(J) == "__attribute__") {
        unsigned Depth = 0;
        for (++J; J < Tokens.size(); ++J) {
          if (at(J) == "(")
            ++Depth;
          else if (at(J) == ")" && --Depth == 0)
            break;
        }
        continue;
      }
      if (isName(at(J)) && at(J + 1) == "(") {
        size_t Open = J, Close = J;
        while (Open < Tokens.size() && at(Open) != "{")
          ++Open;
        for (int Depth = 0; Close < Tokens.size() && !(at(Close) == "}" && Depth == 1); ++Close)
          Depth += at(Close) == "{" ? 1 : at(Close) == "}" ? -1 : 0;
        auto LineOf = [&](size_t At) { return At < Tokens.size() ? Tokens[At].Line : Line; };
        Kernels.push_back({at(J).str(), Line, LineOf(Open), LineOf(Close)});
        break;
      }
    }
  }
}

bool TokenScan::isOtherLanguage(unsigned Line) const {
  return llvm::any_of(Branches, [&](const Branch &B) {
    StringRef Condition = B.Condition;
    bool Not = Condition.consume_front("!");
    bool Here = llvm::is_contained({"defined(__OPENCL_VERSION__)", "defined(__OPENCL_C_VERSION__)"},
                                   Condition);
    bool There = llvm::is_contained({"defined(__cplusplus)", "defined(__CUDACC__)"}, Condition);
    return Line > B.Begin && Line < B.End && ((Here && Not) || (There && !Not));
  });
}

bool TokenScan::defines(StringRef Name) const {
  auto At = DefineLines.find(Name);
  return Defined.contains(Name) &&
         (At == DefineLines.end() ||
          !llvm::all_of(At->second, [&](unsigned Line) { return isOtherLanguage(Line); }));
}

bool TokenScan::hasVariants(StringRef Kernel) const {
  auto Outside = [&](const KernelAt &K) {
    return llvm::any_of(Branches, [&](const Branch &B) {
      return B.Condition == "0" && B.Begin < K.Line && K.Line < B.End;
    });
  };
  unsigned Definitions = 0;
  for (const KernelAt &K : Kernels) {
    if (K.Name != Kernel || Outside(K))
      continue;
    ++Definitions;
    if (llvm::any_of(Branches,
                     [&](const Branch &B) { return K.Line <= B.Begin && B.Begin <= K.Body; }))
      return true;
  }
  return Definitions > 1;
}

//===------------------------------------------------------------------------------===//
// Names
//===------------------------------------------------------------------------------===//

std::string TokenScan::pastedMacro(StringRef Name) const {
  StringRef Best;
  auto Try = [&](StringRef M) {
    if (M.size() > Best.size() && M.size() < Name.size() && M.size() > 1 && !Defined.contains(M) &&
        llvm::any_of(M, llvm::isUpper) && (Name.ends_with(M) || Name.starts_with(M)))
      Best = M;
  };
  for (const auto &T : Tested)
    Try(T.getKey());
  for (const auto &U : Uses)
    Try(U.getKey());
  return Best.str();
}

bool TokenScan::isImage(StringRef Name) const {
  auto At = Uses.find(Name);
  return At != Uses.end() && llvm::any_of(At->second, [&](unsigned I) {
           return I && at(I - 1).starts_with("image") && at(I - 1).ends_with("_t");
         });
}

bool TokenScan::declares(StringRef Name) const {
  auto At = Uses.find(Name);
  return At != Uses.end() && llvm::any_of(At->second, [&](unsigned I) {
           StringRef Before = I ? at(I - 1) : StringRef(), After = at(I + 1);
           // T x = ..: of a type that is not known, either.
           bool IsType = isTypeWord(Before) || namesType(Before) ||
                         (isName(Before) && (After == "=" || After == ";") &&
                          !llvm::is_contained({"return", "else", "goto", "do", "case"}, Before));
           return IsType &&
                  (After == "=" || After == ";" || After == "," || After == ")" || After == "[");
         });
}

/// The components of a vector: x, xyz, s0, sAB, lo, even.
static bool isSwizzle(StringRef S) {
  if (S == "lo" || S == "hi" || S == "even" || S == "odd")
    return true;
  if (S.size() <= 4 && (S.find_first_not_of("xyzw") == StringRef::npos ||
                        S.find_first_not_of("rgba") == StringRef::npos))
    return true;
  return S.size() > 1 && (S[0] == 's' || S[0] == 'S') &&
         llvm::all_of(S.drop_front(), llvm::isHexDigit);
}

std::string TokenScan::tableOf(StringRef Name) const {
  auto At = Uses.find(Name);
  unsigned Dimensions = 0, Lanes = 1;
  for (unsigned I : At == Uses.end() ? std::vector<unsigned>() : At->second) {
    StringRef Before = I ? at(I - 1) : StringRef(), After = at(I + 1);
    // f(table), table + n: as a whole.
    bool Whole = (Before == "(" || Before == ",") && (After == ")" || After == "," || After == "+");
    if (After != "[" && !Whole)
      return "";
    unsigned Count = 0;
    unsigned J = pastBrackets(I + 1, Count);
    Dimensions = std::max(Dimensions, Count);
    // Elements that are set are no table's.
    size_t Store = J + (llvm::is_contained({"+", "-", "*", "/", "|", "&", "^"}, at(J)) ? 1 : 0);
    if ((Count && at(Store) == "=" && at(Store + 1) != "=") || (at(J) == "+" && at(J + 1) == "+") ||
        (at(J) == "-" && at(J + 1) == "-"))
      return "";
    if (Count && at(J) == "." && isName(at(J + 1))) {
      if (!isSwizzle(at(J + 1)))
        return "";
      Lanes = std::max(Lanes, at(J + 1).find_first_of("456789abcdefABCDEF") == 1 ? 16u : 4u);
    }
  }
  if (!Dimensions)
    return "";
  std::string Table =
      "int" + (Lanes > 1 ? std::to_string(Lanes) : std::string()) + " " + Name.str() + "[4096]";
  for (unsigned D = 1; D < Dimensions; ++D)
    Table += "[256]";
  return Table;
}

std::string TokenScan::stemOf(StringRef Suffix) const {
  std::string Best; // of several the first by name, whatever the order of the table
  for (const auto &D : Defined) {
    StringRef Stem = D.getKey();
    if (Stem.consume_back(Suffix) && isName(Stem) && llvm::any_of(Stem, llvm::isLower) &&
        (Best.empty() || Stem < Best))
      Best = Stem.str();
  }
  return Best;
}

unsigned TokenScan::pastBrackets(unsigned J, unsigned &Count) const {
  while (at(J) == "[") {
    unsigned Depth = 0;
    for (; J < Tokens.size(); ++J)
      if (at(J) == "[")
        ++Depth;
      else if (at(J) == "]" && --Depth == 0)
        break;
    ++J;
    ++Count;
  }
  return J;
}

std::string TokenScan::membersOf(StringRef Name) const {
  auto At = Uses.find(Name);
  if (At == Uses.end() || Name.empty())
    return "";
  // Its variables: T v, T *v, const T v, T v[4].
  llvm::StringSet<> Variables;
  for (unsigned I : At->second) {
    unsigned J = I + 1;
    while (at(J) == "*" || isTypeWord(at(J)) || at(J) == "restrict")
      ++J;
    if (!isName(at(J)) || isStatementWord(at(J)))
      continue;
    // A product is no declaration; a function returns it.
    StringRef Then = at(J + 1);
    if (Then == "," || Then == ")" || Then == ";" || Then == "=" || Then == "[")
      Variables.insert(at(J));
  }
  if (Variables.empty())
    return "";
  struct Member {
    std::string Name;
    unsigned Arrays = 0;
    bool Vector = false;
  };
  std::vector<Member> Members;
  bool OnlyComponents = true;
  for (const auto &V : Variables) {
    auto Used = Uses.find(V.getKey());
    if (Used == Uses.end())
      continue;
    for (unsigned I : Used->second) {
      if (I && (at(I - 1) == "." || at(I - 1) == ">"))
        continue; // somebody's member
      unsigned Ignored = 0, J = pastBrackets(I + 1, Ignored);
      if (at(J) == "-" && at(J + 1) == ">")
        ++J;
      else if (at(J) != ".")
        continue;
      StringRef M = at(J + 1);
      if (!isName(M))
        continue;
      OnlyComponents &= isSwizzle(M);
      auto Same = llvm::find_if(Members, [&](const Member &X) { return X.Name == M; });
      if (Same == Members.end()) {
        Members.push_back({M.str(), 0, false});
        Same = Members.end() - 1;
      }
      unsigned Arrays = 0;
      J = pastBrackets(J + 2, Arrays);
      Same->Arrays = std::max(Same->Arrays, Arrays);
      if (at(J) == ".") {
        if (!isSwizzle(at(J + 1)))
          return ""; // a structure in a structure
        Same->Vector = true;
      }
    }
  }
  if (OnlyComponents)
    return "";
  std::string Result;
  for (const Member &M : Members) {
    std::string Type = typeOf(M.Name).Value, Lower = StringRef(M.Name).lower();
    StringRef L = Lower;
    for (const char *Count : {"dim", "stride", "offset", "size", "num", "count", "len", "width",
                              "height", "depth", "idx", "step", "begin", "start", "end", "id"})
      if (L.contains(Count) && Type == "float")
        Type = "int";
    Result += " " + (M.Vector ? Type + "4" : Type) + " " + M.Name;
    for (unsigned A = 0; A < M.Arrays; ++A)
      Result += "[16]";
    Result += ";";
  }
  return Result + " ";
}

bool TokenScan::isProduct(size_t Star) const {
  StringRef Left = Star ? at(Star - 1) : StringRef();
  if (Left == ")" || Left == "]" || (!Left.empty() && (llvm::isDigit(Left[0]) || Left[0] == '.')))
    return true;
  // `T *f(int n) {` and `T *f(int n);` declare; in a statement that began before, a name is a
  // value.
  StringRef Before = Star > 1 ? at(Star - 2) : StringRef();
  bool Begins =
      Before.empty() || Before == ";" || Before == "{" || Before == "}" || isTypeWord(Before);
  return isName(Left) && !isTypeWord(Left) && !isStatementWord(Left) && !Begins;
}

bool TokenScan::isWholeStatement(size_t I) const {
  StringRef Before = I ? at(I - 1) : StringRef(), After = at(I + 1), Beyond = at(I + 2);
  bool Begins = Before.empty() || Before == ";" || Before == "{" || Before == "}" ||
                (I > 1 && Tokens[I - 1].Line < Tokens[I].Line && isName(Before) &&
                 !isTypeWord(Before) && isWholeStatement(I - 1));
  if (!Begins || isInHeader(I))
    return false;
  // { N } is a list.
  if ((After == "}" && Before != "{") ||
      llvm::is_contained({"if", "for", "while", "do", "return", "switch", "break", "continue"},
                         After))
    return true;
  if (!isName(After) || isStatementWord(After))
    return false;
  // LOAD x += 1; is no declaration.
  if (Beyond.size() == 1 && StringRef("+-/%&|^<>.!?").contains(Beyond[0]))
    return true;
  // In a body, alone on its line; `TYPE`, and on the next line `f(int x)`, declares a function.
  if ((I && Tokens[I - 1].Line == Tokens[I].Line) || Tokens[I + 1].Line == Tokens[I].Line)
    return false;
  int Depth = 0;
  for (size_t J = 0; J < I; ++J)
    Depth += at(J) == "{" ? 1 : at(J) == "}" ? -1 : 0;
  return Depth > 0;
}

bool TokenScan::isInHeader(size_t I) const {
  for (unsigned Closed = 0; I-- > 0;) {
    StringRef T = at(I);
    if (T == "{" || T == "}")
      return false;
    if (T == ")")
      ++Closed;
    else if (T == "(" && Closed-- == 0)
      return true;
  }
  return false;
}

unsigned TokenScan::namesFrom(size_t Open) const {
  unsigned Count = 0;
  for (size_t I = Open;
       (at(I) == "(" || at(I) == ",") && isName(at(I + 1)) && (I == Open) == (at(I) == "("); I += 2)
    ++Count;
  return Count && at(Open + 2 * Count) == ")" ? Count : 0;
}

bool TokenScan::isInCall(size_t I) const {
  for (unsigned Closed = 0; I-- > 0;) {
    StringRef T = at(I);
    if (T == ";" || T == "{" || T == "}")
      return false;
    if (T == ")")
      ++Closed;
    else if (T == "(" && Closed-- == 0) {
      StringRef Callee = I ? at(I - 1) : StringRef(), Before = I > 1 ? at(I - 2) : StringRef();
      return isName(Callee) && !isStatementWord(Callee) &&
             (Before == "return" ||
              (Before.size() == 1 && StringRef("=(,+-/<>?:[!&|").contains(Before)));
    }
  }
  return false;
}

bool TokenScan::calls(StringRef Line, StringRef Name) const {
  if (Line.contains((Name + "(").str()))
    return true;
  auto At = Uses.find(Name);
  return At != Uses.end() && llvm::any_of(At->second, [&](unsigned I) {
           auto Body = I ? BodyBegins.find(I - 1) : BodyBegins.end();
           return Body != BodyBegins.end() && Line.contains(Body->second);
         });
}

Meaning TokenScan::meaning(StringRef Name) const {
  unsigned Type = 0, Qualifier = 0, Constant = 0, Call = 0, Nothing = 0, Whole = 0, Maybe = 0;
  unsigned Operator = 0, CaseNumber = 0;
  bool Pasted = false, AsStatement = false, Declares = false;
  unsigned QualifierCall = 0;
  bool Compared = false;                         // x == KIND, KIND != 1
  bool NoArgument = false, TakesAddress = false; // in one of its calls
  std::optional<unsigned> ImageAt;               // which argument is an image
  unsigned Arguments = 0;
  unsigned Named = 0;               ///< it makes names
  bool NamesKernel = false;         ///< and what stands before a kernel's
  StringRef Alias;                  ///< #define ALIAS NAME
  StringRef CallAlias;              ///< #define ALIAS(x) NAME(x)
  StringRef Component;              ///< NAME(..).x
  std::set<unsigned> TypeArguments; ///< CONVERT(x, TYPE): not to be evaluated
  auto At = Uses.find(Name);
  if (At != Uses.end())
    for (unsigned I : At->second) {
      StringRef Before = I ? at(I - 1) : StringRef(), After = at(I + 1), Beyond = at(I + 2);
      Compared |= (Before == "=" && I > 1 && (at(I - 2) == "=" || at(I - 2) == "!")) ||
                  ((After == "=" || After == "!") && Beyond == "=");
      bool BeginsStatement = Before.empty() || Before == ";" || Before == "{" || Before == "}";
      // Does a value end before it and begin behind it? a.x OP b.x, f(x) OP 3
      bool ValueBefore = Before == ")" || Before == "]" ||
                         (isName(Before) && !isTypeWord(Before) && !isStatementWord(Before) &&
                          I > 1 && at(I - 2) == ".");
      bool ValueAfter = isName(After)
                            ? !isTypeWord(After)
                            : !After.empty() && (llvm::isDigit(After[0]) || After[0] == '.');
      if (isWholeStatement(I)) {
        ++Whole;
      } else if (ValueBefore && ValueAfter && !isStatementWord(After)) {
        ++Operator;
      } else if (Before == "case" && After == ":") {
        // Each its own number.
        CaseNumber = CaseNumber ? CaseNumber : I;
        ++Constant;
      } else if (After == "##" || Before == "##") {
        Pasted = true;
      } else if (unsigned Parts = namesFrom(I + 1); Parts && at(I + 2 * Parts + 2) == "(") {
        // uint NAME(index)(uint x), KERNEL(copy)(__global T *x), void NAMED(copy, T)(__global T *x)
        Named = std::max(Named, Parts);
        NamesKernel |=
            !isTypeWord(Before) && !isStatementWord(Before) && (Before == ")" || BeginsStatement);
      } else if (After == "(" && !isTypeWord(Before) && (Before != "*" || isProduct(I - 1))) {
        ++Call;
        unsigned Depth = 0, Argument = 0;
        size_t J = I + 1, ArgumentBegin = I + 2;
        auto EndArgument = [&] {
          if (J == ArgumentBegin + 1 &&
              (isTypeWord(at(ArgumentBegin)) || namesType(at(ArgumentBegin))))
            TypeArguments.insert(Argument);
          ArgumentBegin = J + 1;
        };
        for (; J < Tokens.size(); ++J) {
          if (at(J) == "(")
            ++Depth;
          else if (at(J) == ")" && --Depth == 0) {
            EndArgument();
            break;
          } else if (at(J) == "," && Depth == 1) {
            EndArgument();
            ++Argument;
          } else if (Depth == 1 && isName(at(J)) && !ImageAt && isImage(at(J)))
            ImageAt = Argument;
        }
        Arguments = std::max(Arguments, Argument + 1);
        NoArgument |= J == I + 2;
        for (size_t A = I + 2; A < J; ++A)
          TakesAddress |= at(A) == "&" && (at(A - 1) == "(" || at(A - 1) == ",");
        StringRef Then = at(J + 1), Later = at(J + 2);
        // #define next(s) stream_next(s): what is made of the one is made of the other.
        if (auto Body = BodyBegins.find(I - 1);
            I && Body != BodyBegins.end() && Then == ";" && Body->second != Name) {
          CallAlias = Body->second;
          continue;
        }
        // f(BOUNDS(n) __global T *p)
        if ((Before == "(" || Before == ",") && isTypeWord(Then))
          ++QualifierCall;
        if (Then == "." && isSwizzle(Later))
          Component = Later;
        if (isName(Then) && (Later == "=" || Later == ";" || Later == "," || Later == "["))
          Declares = true;
        else if (BeginsStatement && (Then == ";" || isName(Then) || Then == "}") && !isInHeader(I))
          AsStatement = true;
      } else if (After == "*" && isName(Beyond) &&
                 ((I && BodyBegins.contains(I - 1) && at(I + 3) == ";") ||
                  (I > 1 && Before == "(" && BodyBegins.contains(I - 2) && at(I + 3) == ")" &&
                   at(I + 4) == ";"))) {
        ++Constant; // #define SIZE GROUPS*LANES, #define SIZE (GROUPS * LANES)
      } else if (After == "*" &&
                 (Before == "(" || Before == "," || BeginsStatement || isTypeWord(Before)) &&
                 (isName(Beyond) || Beyond == ")" || Beyond == "*")) {
        // `f(A * B)` may be a product; `void f(T *p)` and `(T *)p` are not.
        bool Declarator = I > 2 && isName(at(I - 2)) && isTypeWord(at(I - 3));
        StringRef Then = at(I + 3);
        // What is added, or given, is a value, and a cast names nothing: n * (ROWS * COLS)
        StringRef Outside = Before == "(" && I > 1 ? at(I - 2) : StringRef();
        bool OfValue = Outside == "return" ||
                       (Outside.size() == 1 && StringRef("+-/*%<>&|?:=^~!").contains(Outside));
        if (isName(Beyond) &&
            ((Then.size() == 1 && StringRef("+-/*%<>&|?").contains(Then)) || OfValue))
          ++Constant; // (WIDTH * y + x)
        else if (isName(Beyond) && (Before == "(" || Before == ",") && !Declarator)
          ++(isInCall(I) ? Constant : Maybe);
        else
          ++Type;
      } else if (After == "const" || After == "volatile" || After == "restrict") {
        // T const *x; Q const T *x
        bool Before = isName(Beyond) &&
                      (at(I + 3) == "*" || (isName(at(I + 3)) && !isStatementWord(at(I + 3))));
        ++(Before ? Qualifier : Type);
      } else if (isName(After) && !isStatementWord(After)) {
        if (isTypeWord(After) || isName(Beyond) ||
            (Beyond == "*" && isName(at(I + 3)) && !isStatementWord(at(I + 3))))
          ++Qualifier; // Q T *p
        else
          ++Type;
      } else if (Before == "(" && After == ")") {
        StringRef Callee = I > 1 ? at(I - 2) : StringRef();
        bool Called = isName(Callee) && !isStatementWord(Callee);
        if (Callee == "sizeof" || (!Called && (isName(Beyond) || Beyond == "(" ||
                                               (!Beyond.empty() && llvm::isDigit(Beyond[0])))))
          ++Type;
        else if (!Called)
          ++Constant;
      } else if (After == ";" && BeginsStatement) {
        if (auto Body = BodyBegins.find(I - 1);
            I && Body != BodyBegins.end() && Uses.contains(Body->second))
          Alias = Body->second;
        ++Nothing;
      } else if (Before == "(" || Before == ",") {
        // An argument of a macro may be either.
        if (After != "," && After != ")")
          ++Constant;
      } else {
        ++Constant;
      }
    }
  if (!Constant)
    Type += Maybe;
  std::string Capital = Name.upper();
  StringRef C = Capital;
  bool NamesType = namesType(Name) && !(Compared && !Type);
  if (Call && !Type && !CallAlias.empty() && Uses.contains(CallAlias) &&
      Asking.insert(Name).second) {
    Meaning Same = meaning(CallAlias);
    Asking.erase(Name);
    if (!Same.Parameters.empty())
      return Same;
  }
  if (Call && Call == QualifierCall)
    return {"(...)", "", false, false};
  if (Named && !Call && !Type)
    return {Named > 1 ? "(a,...)" : "(a)",
            NamesKernel && C.contains("KERNEL") ? "__kernel void a" : "a", false, false};
  if (Call && !Type && Declares)
    return {"(...)", "float4", false, false}; // VECTOR(T, N) x
  if (Call && !Type) {
    if (ImageAt) {
      // What stands before the image is the macro's own; a sampler may be left out.
      std::string Parameters = "(";
      for (unsigned A = 0; A < *ImageAt; ++A)
        Parameters += "a" + std::to_string(A) + ",";
      if (AsStatement)
        return {Parameters + "...)", "write_imagef(__VA_ARGS__)", false, false};
      if (Arguments - *ImageAt == 3)
        return {Parameters + "i,s,...)", "read_imagef(i,__VA_ARGS__)", false, false};
      return {Parameters + "...)", "read_imagef(__VA_ARGS__)", false, false};
    }
    if (AsStatement)
      return {"(...)", "", false, false};
    StringRef Rest = C;
    if (Rest.consume_front("CONVERT"))
      return {"(...)", "convert_" + typeOf(Rest.ltrim('_')).Value + "(__VA_ARGS__)", false, false};
    if (!TypeArguments.empty()) {
      std::string Parameters, Value;
      for (unsigned A = 0; A < Arguments; ++A) {
        Parameters += (A ? ",a" : "a") + std::to_string(A);
        if (!TypeArguments.count(A))
          Value += (Value.empty() ? "a" : ",a") + std::to_string(A);
      }
      return {"(" + Parameters + ")", Value.empty() ? "0" : "(" + Value + ")", false, false};
    }
    if (!Component.empty())
      return {"(...)",
              ("((float" +
               StringRef(llvm::isDigit(Component.back()) && Component != "s3" ? "16" : "4") + ")" +
               UnknownName + ")")
                  .str(),
              false, false};
    // rand(), next(&state): what it gives back is none of its arguments.
    if (NoArgument || TakesAddress)
      return {"(...)", UnknownName.str(), false, false};
    return {"(...)", "(__VA_ARGS__)", false, false};
  }
  if (Operator > Type + Constant + Call)
    return {"", "+", false, false};
  if (CaseNumber && Type < Constant) {
    unsigned Before = 0;
    for (unsigned I = 0; I < CaseNumber; ++I)
      Before += at(I) == "case";
    return {"", std::to_string(Before), false, false};
  }
  if (C.contains("SAMPLER") && Type <= Constant)
    return {"", "clmali_sampler", false, false};
  // #define ID get_global_id(0)
  if (Constant && !Type && !Qualifier &&
      llvm::is_contained({"ID", "GID", "TID", "GLOBAL_ID", "THREAD_ID"}, C))
    return {"", "get_global_id(0)", false, false};
  if (Constant && !Type && !Qualifier && llvm::is_contained({"LID", "LOCAL_ID"}, C))
    return {"", "get_local_id(0)", false, false};
  if (Qualifier > Type && !NamesType) {
    if (C.contains("KERNEL"))
      return {"", "__kernel", false, false};
    if (C.contains("SIZE") || C.contains("DIM") || C.contains("PARAM"))
      return {"", "", false, false}; // parameters that the host may add
    if (C.contains("GLOBAL") || C.contains("GLB"))
      return {"", "__global", false, false};
    if (C.contains("LOCAL") || C.contains("SHARED"))
      return {"", "__local", false, false};
    if (C.contains("CONSTANT"))
      return {"", "__constant", false, false};
    return {"", "", false, false};
  }
  if (Whole > Type + Constant)
    return {"", "", false, false};
  if (NamesType || (Type && Type >= Constant))
    return typeOf(Name);
  // Another name of it says what it is.
  if (!Alias.empty() && !Type && !Constant && Asking.insert(Name).second) {
    Meaning Same = meaning(Alias);
    Asking.erase(Name);
    return Same;
  }
  if (Nothing && !Constant)
    return {"", "", false, false};
  if (!Constant && !Pasted && At == Uses.end())
    return {"", "1", false, false}; // only tested: a flag
  bool Lanes = Pasted || C.contains("VEC") || C.contains("LANE") ||
               (C.size() <= 2 && llvm::isDigit(C.back()));
  return {"", Lanes ? "4" : "16", false, false};
}

} // namespace clmali::model
