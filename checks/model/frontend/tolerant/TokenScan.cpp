//===-- checks/model/frontend/tolerant/TokenScan.cpp - Reads tokens and directives ---===//

#include "checks/model/frontend/tolerant/NameForms.h"
#include "llvm/ADT/SmallVector.h"

using llvm::StringRef;

namespace clmali::model {

Meaning TokenScan::asType(StringRef Name) { return typeOf(Name); }

TokenScan::TokenScan(StringRef Text, const llvm::StringMap<std::string> &Given)
    : Code(withoutComments(Text)), Given(Given) {
  for (const auto &G : Given)
    Defined.insert(G.getKey());
  std::vector<unsigned> Open; // indices of the open branches
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
      // A typedef under a condition counts like a #define.
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

/// #define: its name, its number, and its body as tokens.
void TokenScan::defineDirective(StringRef Rest, unsigned Number,
                                const std::vector<unsigned> &Open) {
  StringRef Name = Rest.take_while(isNameChar);
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
  // A parameter is no use of the same word elsewhere.
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
  Tokens.push_back({";", Number}); // a body is a statement of its own
  size_t First = Tokens.size();
  lex(Body, Number);
  for (size_t I = First; I < Tokens.size(); ++I)
    if (Own.contains(Tokens[I].Text))
      Tokens[I].Text = "clmali_parameter";
  Tokens.push_back({";", Number});
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
    defineDirective(Rest, Number, Open);
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
    // After attributes, `name (`.
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
    bool OpenCL = llvm::is_contained(
        {"defined(__OPENCL_VERSION__)", "defined(__OPENCL_C_VERSION__)"}, Condition);
    bool Other = llvm::is_contained({"defined(__cplusplus)", "defined(__CUDACC__)"}, Condition);
    return Line > B.Begin && Line < B.End && ((OpenCL && Not) || (Other && !Not));
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

} // namespace clmali::model
