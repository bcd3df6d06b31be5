//===-- checks/model/frontend/tolerant/ConditionSolver.cpp - Macros that satisfy #if ----===//
//
// See TokenScan.h: the macros under which a line of the file is reached, or is not. Conditions are
// solved one comparison or defined(..) at a time; arithmetic counts as true.
//
//===----------------------------------------------------------------------===//

#include "checks/model/frontend/tolerant/TokenScan.h"
#include "llvm/ADT/SmallVector.h"

using llvm::StringRef;

namespace clmali::model {

namespace {

/// A name of the implementation, which no host defines.
bool isReserved(StringRef Name) {
  return Name.starts_with("__") || Name.starts_with("cl_") || Name.starts_with("CL_VERSION_") ||
         Name.starts_with("CLK_");
}

/// Splits at an operator outside of parentheses; blanks and outer parentheses are trimmed.
void splitTop(StringRef S, StringRef Operator, llvm::SmallVectorImpl<StringRef> &Out) {
  int Depth = 0;
  size_t Begin = 0;
  for (size_t I = 0; I < S.size(); ++I) {
    if (S[I] == '(')
      ++Depth;
    else if (S[I] == ')')
      --Depth;
    else if (!Depth && S.substr(I).starts_with(Operator)) {
      Out.push_back(S.slice(Begin, I).trim());
      I += Operator.size() - 1;
      Begin = I + 1;
    }
  }
  Out.push_back(S.substr(Begin).trim());
}

StringRef withoutParens(StringRef S) {
  S = S.trim(" \t\\\r\n");
  while (S.starts_with("(") && S.ends_with(")")) {
    int Depth = 0;
    for (size_t I = 0; I + 1 < S.size(); ++I) {
      Depth += S[I] == '(' ? 1 : S[I] == ')' ? -1 : 0;
      if (!Depth)
        return S;
    }
    S = S.drop_front().drop_back().trim();
  }
  return S;
}

/// X of "defined(X)" and "defined X".
StringRef definedName(StringRef Term) {
  if (!Term.consume_front("defined"))
    return "";
  Term = Term.trim();
  if (Term.consume_front("(")) {
    if (!Term.consume_back(")"))
      return "";
  }
  Term = Term.trim();
  return llvm::all_of(Term, isNameChar) ? Term : StringRef();
}

} // namespace

// While the #defines of a name are searched, there is none: the condition of an include guard is
// true.
bool TokenScan::isDefined(StringRef Name) const {
  if (Given.contains(Name))
    return true;
  auto At = DefineLines.find(Name);
  if (At == DefineLines.end() || !InProgress.insert(Name).second)
    return false;
  bool Found = llvm::any_of(At->second, [&](unsigned Line) { return isActive(Line); });
  InProgress.erase(Name);
  return Found;
}

std::optional<int64_t> TokenScan::numberOf(StringRef Name) const {
  int64_t Value = 0;
  if (auto At = Given.find(Name); At != Given.end()) {
    if (StringRef(At->second).getAsInteger(0, Value))
      return std::nullopt;
    return Value;
  }
  if (auto At = Defaults.find(Name); At != Defaults.end())
    return At->second;
  if (Defined.contains(Name) || isReserved(Name))
    return std::nullopt;
  return 0;
}

bool TokenScan::comparison(StringRef Term, StringRef &Name, StringRef &Operator,
                           int64_t &Number) const {
  size_t At = Term.find_first_of("=<>!");
  if (At == StringRef::npos)
    return false;
  Name = Term.take_front(At).trim();
  StringRef Rest = Term.drop_front(At);
  Operator = Rest.take_while([](char C) { return C == '=' || C == '<' || C == '>' || C == '!'; });
  Rest = Rest.drop_front(Operator.size()).trim();
  if (Rest.size() == 3 && Rest.front() == '\'' && Rest.back() == '\'') {
    Number = Rest[1];
    return isName(Name);
  }
  if (isName(Rest)) {
    auto Constant = Constants.find(Rest);
    std::optional<int64_t> Value =
        Constant != Constants.end() ? std::optional(Constant->second) : numberOf(Rest);
    if (!Value)
      return false;
    Number = *Value;
    return isName(Name);
  }
  return isName(Name) && !Rest.getAsInteger(0, Number);
}

bool TokenScan::holds(StringRef Condition) const {
  Condition = withoutParens(Condition);
  llvm::SmallVector<StringRef, 4> Parts;
  splitTop(Condition, "||", Parts);
  if (Parts.size() > 1)
    return llvm::any_of(Parts, [&](StringRef P) { return holds(P); });
  Parts.clear();
  splitTop(Condition, "&&", Parts);
  if (Parts.size() > 1)
    return llvm::all_of(Parts, [&](StringRef P) { return holds(P); });
  if (Condition.starts_with("!") && !Condition.starts_with("!="))
    return !holds(Condition.drop_front());
  if (StringRef Name = definedName(Condition); !Name.empty())
    return isDefined(Name) || Name.starts_with("cl_") || Name == "__OPENCL_VERSION__" ||
           Name == "__OPENCL_C_VERSION__";
  int64_t Number;
  if (!Condition.getAsInteger(0, Number))
    return Number != 0;
  StringRef Name, Operator;
  if (comparison(Condition, Name, Operator, Number)) {
    std::optional<int64_t> Value = numberOf(Name);
    if (!Value)
      return true; // no macro is wanted for it
    return Operator == "=="   ? *Value == Number
           : Operator == "!=" ? *Value != Number
           : Operator == ">"  ? *Value > Number
           : Operator == ">=" ? *Value >= Number
           : Operator == "<"  ? *Value < Number
                              : *Value <= Number;
  }
  if (isName(Condition))
    return numberOf(Condition) != 0;
  return true;
}

bool TokenScan::isActive(unsigned Line) const {
  for (const Branch &B : Branches) {
    if (Line <= B.Begin || Line >= B.End)
      continue;
    if (!B.IsElse && !holds(B.Condition))
      return false;
    // An earlier branch of the same group that holds comes first.
    for (const Branch &Earlier : Branches)
      if (Earlier.Group == B.Group && Earlier.Begin < B.Begin && holds(Earlier.Condition))
        return false;
  }
  return true;
}

void TokenScan::wants(StringRef Condition, std::vector<WantedMacro> &Out) const {
  Condition = withoutParens(Condition);
  if (holds(Condition))
    return;
  llvm::SmallVector<StringRef, 4> Parts;
  splitTop(Condition, "||", Parts);
  if (Parts.size() > 1)
    return wants(Parts.front(), Out);
  Parts.clear();
  splitTop(Condition, "&&", Parts);
  if (Parts.size() > 1) {
    for (StringRef P : Parts)
      wants(P, Out);
    return;
  }
  auto Add = [&](StringRef Name, std::string Value) {
    if (isReserved(Name) || (Defined.contains(Name) && !Defaults.contains(Name)))
      return;
    for (WantedMacro &W : Out)
      if (W.Name == Name) {
        if (W.Value.empty())
          W.Value = Value;
        return;
      }
    Out.push_back({Name.str(), std::move(Value)});
  };
  if (StringRef Name = definedName(Condition); !Name.empty()) {
    // One of its definitions may be under a condition that other macros fulfil.
    for (const WantedMacro &W : wantedToDefine(Name))
      Add(W.Name, W.Value);
    return Add(Name, "");
  }
  StringRef Name, Operator;
  int64_t Number;
  if (comparison(Condition, Name, Operator, Number)) {
    if (Operator == ">" || Operator == "!=")
      ++Number;
    else if (Operator == "<")
      --Number;
    return Add(Name, std::to_string(Number));
  }
  if (isName(Condition))
    Add(Condition, "1");
}

bool TokenScan::testsIn(const KernelAt &K, const std::vector<WantedMacro> &Names) const {
  for (const Branch &B : Branches) {
    if (B.Begin <= K.Line || B.Begin >= K.End)
      continue;
    for (StringRef Rest = B.Condition; !Rest.empty();) {
      StringRef Word = Rest.take_while(isNameChar);
      if (llvm::any_of(Names, [&](const WantedMacro &W) { return W.Name == Word; }))
        return true;
      Rest = Rest.drop_front(std::max<size_t>(Word.size(), 1));
    }
  }
  return false;
}

std::vector<WantedMacro> TokenScan::wantedAt(unsigned Line) const {
  std::vector<WantedMacro> Out;
  for (const Branch &B : Branches) {
    if (Line <= B.Begin || Line >= B.End)
      continue;
    wants(B.Condition, Out);
    // #else of #if WIDTH <= 32: another number; #else of #ifndef FAST: define it.
    for (const Branch &Earlier : Branches) {
      StringRef Name, Operator;
      int64_t Number;
      if (StringRef Condition = withoutParens(Earlier.Condition);
          Earlier.Group == B.Group && Earlier.Begin < B.Begin && Condition.consume_front("!") &&
          holds(Earlier.Condition))
        if (Name = definedName(withoutParens(Condition));
            isName(Name) && !isReserved(Name) && !Defined.contains(Name))
          Out.push_back({Name.str(), ""});
      if (Earlier.Group != B.Group || Earlier.Begin >= B.Begin ||
          !comparison(withoutParens(Earlier.Condition), Name, Operator, Number) ||
          !holds(Earlier.Condition) || Given.contains(Name) || !numberOf(Name) ||
          llvm::any_of(Out, [&](const WantedMacro &W) { return W.Name == Name; }))
        continue;
      int64_t Other = Operator == "<="   ? Number + 1
                      : Operator == ">=" ? Number - 1
                      : Operator == "==" ? (Number ? 0 : 1)
                                         : Number;
      Out.push_back({Name.str(), std::to_string(Other)});
    }
  }
  return Out;
}

bool TokenScan::mayReach(unsigned Line) const {
  llvm::StringMap<std::string> Before = Given;
  assume(wantedAt(Line));
  bool Reached = isActive(Line);
  Given = std::move(Before);
  return Reached;
}

void TokenScan::assume(llvm::ArrayRef<WantedMacro> Wanted) const {
  for (const WantedMacro &W : Wanted)
    if (std::string &Value = Given[W.Name]; Value.empty())
      Value = W.Value;
}

std::vector<unsigned>
TokenScan::kernelsLeftOut(const llvm::StringMap<std::string> &Inferred) const {
  std::vector<unsigned> Out;
  for (const KernelAt &K : Kernels) {
    llvm::StringMap<std::string> Before = Given;
    for (const auto &G : Inferred)
      Given.insert({G.getKey(), G.getValue()});
    bool Seen = isActive(K.Line);
    Given = Before;
    assume(wantedAt(K.Line));
    if (!Seen && isActive(K.Line))
      Out.push_back(K.Line);
    Given = std::move(Before);
  }
  return Out;
}

std::vector<std::string> TokenScan::comparedAround(unsigned Line) const {
  std::vector<std::string> Out;
  for (const Branch &B : Branches)
    for (const Branch &Each : Branches) {
      if (Line <= B.Begin || Line >= B.End || Each.Group != B.Group)
        continue;
      llvm::SmallVector<StringRef, 4> Terms, Factors;
      splitTop(withoutParens(Each.Condition), "||", Terms);
      for (StringRef T : Terms) {
        Factors.clear();
        splitTop(withoutParens(T), "&&", Factors);
        for (StringRef F : Factors)
          if (size_t At = (F = withoutParens(F)).find_first_of("=<>!"); At != StringRef::npos)
            if (StringRef Name = F.take_front(At).trim();
                isName(Name) && !isReserved(Name) && !llvm::is_contained(Out, Name))
              Out.push_back(Name.str());
      }
    }
  return Out;
}

std::vector<std::string> TokenScan::settings(const TokenScan &Headers) const {
  auto DefinedOnce = [](const TokenScan &T, StringRef Name) {
    auto At = T.DefineLines.find(Name);
    return At != T.DefineLines.end() && At->second.size() == 1;
  };
  std::vector<std::string> Out;
  for (const KernelAt &K : Kernels)
    for (std::string &Name : comparedAround(K.Line))
      if (!Given.contains(Name) && !Defaults.contains(Name) && !Headers.Defaults.contains(Name) &&
          !llvm::is_contained(Out, Name) && DefinedOnce(*this, Name) != DefinedOnce(Headers, Name))
        Out.push_back(std::move(Name));
  return Out;
}

std::vector<unsigned> TokenScan::kernelsThatTest(llvm::ArrayRef<std::string> Names) const {
  std::vector<unsigned> Out;
  for (const KernelAt &K : Kernels)
    if (llvm::any_of(comparedAround(K.Line),
                     [&](const std::string &N) { return llvm::is_contained(Names, N); }))
      Out.push_back(K.Line);
  return Out;
}

std::vector<const TokenScan::KernelAt *> TokenScan::shownKernels() const {
  std::vector<const KernelAt *> Result;
  for (const KernelAt &K : Kernels)
    if (isActive(K.Line))
      Result.push_back(&K);
  return Result;
}

std::optional<std::vector<WantedMacro>>
TokenScan::wantedForKernel(const KernelAt &K, llvm::ArrayRef<WantedMacro> AlreadyWanted) const {
  std::vector<WantedMacro> Result;
  bool Possible = true;
  for (const Branch &B : Branches) {
    if (K.Line <= B.Begin || K.Line >= B.End)
      continue;
    wants(B.Condition, Result);
    if (StringRef C = withoutParens(B.Condition); C.starts_with("!")) {
      StringRef Name = definedName(C.drop_front().trim());
      if (llvm::any_of(AlreadyWanted, [&](const WantedMacro &W) { return W.Name == Name; }))
        Possible = false;
    }
    // #else of a condition that the file makes true.
    for (const Branch &Earlier : Branches)
      if (Earlier.Group == B.Group && Earlier.Begin < B.Begin && holds(Earlier.Condition))
        Possible = false;
  }
  return Possible ? std::optional(std::move(Result)) : std::nullopt;
}

std::vector<WantedMacro> TokenScan::wantedForKernels(unsigned Wanted) const {
  std::vector<WantedMacro> Out;
  llvm::StringMap<std::string> Saved = Given;
  if (Wanted) {
    Out = wantedAt(Wanted);
    assume(Out);
  }
  llvm::StringSet<> Visible;
  std::vector<const KernelAt *> Unconditional = shownKernels(); ///< without further macros
  for (const KernelAt *K : Unconditional)
    Visible.insert(K->Name);
  // True if Mine shows kernel Name, and all visible kernels stay shown. Alternatives (#ifdef A,
  // #elif defined(B)) do not; a macro that changes more kernels than it adds makes a variant of
  // the file.
  auto StayShown = [&](StringRef Name, const std::vector<WantedMacro> &Mine) {
    llvm::StringMap<std::string> Before = Given;
    assume(Out);
    assume(Mine);
    bool Possible = !Wanted || isActive(Wanted);
    llvm::StringSet<> Now;
    for (const KernelAt *K : shownKernels())
      Now.insert(K->Name);
    Given = std::move(Before);
    size_t Changed =
        llvm::count_if(Unconditional, [&](const KernelAt *K) { return testsIn(*K, Mine); });
    return Possible && Now.contains(Name) && Now.size() >= Visible.size() + Changed &&
           llvm::all_of(Visible, [&](const auto &V) { return Now.contains(V.getKey()); });
  };
  for (const KernelAt &K : Kernels) {
    if (Visible.contains(K.Name))
      continue; // a variant of one that is shown
    std::optional<std::vector<WantedMacro>> Mine = wantedForKernel(K, Out);
    if (!Mine || !StayShown(K.Name, *Mine))
      continue;
    Visible.insert(K.Name);
    for (WantedMacro &W : *Mine) {
      auto Same = llvm::find_if(Out, [&](const WantedMacro &X) { return X.Name == W.Name; });
      if (Same == Out.end())
        Out.push_back(std::move(W));
      else if (Same->Value.empty())
        Same->Value = W.Value;
    }
  }
  Given = std::move(Saved);
  return Out;
}

std::vector<WantedMacro> TokenScan::wantedNumbers() const {
  std::vector<WantedMacro> Out;
  // With an #else the kernel is complete without the macro.
  auto HasOther = [&](const Branch &B) {
    return llvm::any_of(
        Branches, [&](const Branch &Other) { return Other.Group == B.Group && &Other != &B; });
  };
  for (const Branch &B : Branches) {
    StringRef Name, Operator;
    int64_t Number;
    bool OfKernel = llvm::any_of(
        Kernels, [&](const KernelAt &K) { return B.Begin > K.Line && B.Begin < K.End; });
    if (!OfKernel || !comparison(withoutParens(B.Condition), Name, Operator, Number) ||
        !Operator.starts_with(">") || holds(B.Condition) || Defined.contains(Name) ||
        isReserved(Name) || !isActive(B.Begin) || HasOther(B) ||
        llvm::any_of(Out, [&](const WantedMacro &W) { return W.Name == Name; }))
      continue;
    auto Used = Uses.find(Name);
    if (Used == Uses.end() || llvm::none_of(Used->second, [&](unsigned I) {
          return Tokens[I].Line > B.Begin && Tokens[I].Line < B.End;
        }))
      continue;
    constexpr int64_t Usual = 16;
    Out.push_back({Name.str(), std::to_string(std::max(Usual, Number + 1))});
  }
  return Out;
}

std::vector<WantedMacro> TokenScan::wantedToDefine(StringRef Name) const {
  std::vector<WantedMacro> Out;
  auto At = DefineLines.find(Name);
  if (At == DefineLines.end() ||
      llvm::any_of(At->second, [&](unsigned Line) { return isActive(Line); }))
    return Out;
  // Of half, float and double, most hosts choose float.
  llvm::SmallVector<StringRef, 0> Lines;
  StringRef(Code).split(Lines, '\n');
  std::vector<unsigned> Definitions = At->second;
  std::stable_partition(Definitions.begin(), Definitions.end(), [&](unsigned Line) {
    llvm::SmallVector<StringRef, 8> Words;
    if (Line >= 1 && Line <= Lines.size())
      llvm::SplitString(Lines[Line - 1], Words, " \t\r;");
    return llvm::is_contained(Words, "float");
  });
  for (unsigned Line : Definitions) {
    for (const Branch &B : Branches)
      if (Line > B.Begin && Line < B.End)
        wants(B.Condition, Out);
    if (!Out.empty())
      break;
  }
  return Out;
}

unsigned TokenScan::errorLine(unsigned Line, StringRef Message) const {
  if (Line)
    return ErrorLines.count(Line) ? Line : 0;
  for (const auto &[At, Text] : ErrorLines)
    if (StringRef(Text).trim() == Message.trim())
      return At;
  return 0;
}

void TokenScan::wantsNot(StringRef Condition, std::vector<WantedMacro> &Out) const {
  // #ifndef A, #if !defined(A) || !defined(B), #if N != 4 && N != 8: all terms must be false, so
  // one factor of each term.
  llvm::SmallVector<StringRef, 4> Terms, Factors;
  splitTop(withoutParens(Condition), "||", Terms);
  if (Terms.size() > 1) {
    for (StringRef T : Terms)
      wantsNot(T, Out);
    return;
  }
  splitTop(withoutParens(Condition), "&&", Factors);
  StringRef F = withoutParens(Factors.front());
  if (F.consume_front("!") && !F.starts_with("="))
    return wants(withoutParens(F), Out);
  StringRef Name, Operator;
  int64_t Number;
  if (!holds(Condition) || !comparison(F, Name, Operator, Number))
    return;
  auto Add = [&](StringRef Of, int64_t Value) {
    if (!isReserved(Of) && numberOf(Of) && (!Defined.contains(Of) || Defaults.contains(Of)) &&
        llvm::none_of(Out, [&](const WantedMacro &W) { return W.Name == Of; }))
      Out.push_back({Of.str(), std::to_string(Value)});
  };
  // #if SUB > WHOLE: a larger WHOLE.
  StringRef Other = F.substr(F.find_last_of("=<>!") + 1).trim();
  if (std::optional<int64_t> Value = numberOf(Name);
      isName(Other) && Value && (Operator == ">" || Operator == "<"))
    return Add(Other, *Value);
  Add(Name, Operator == "==" || Operator == "<=" ? Number + 1
            : Operator == ">="                   ? Number - 1
                                                 : Number);
}

std::vector<WantedMacro> TokenScan::wantedAgainst(unsigned Line,
                                                  llvm::ArrayRef<WantedMacro> Inferred) const {
  // The innermost branch decides.
  const Branch *Inner = nullptr;
  for (const Branch &B : Branches)
    if (Line > B.Begin && Line < B.End && (!Inner || B.Begin > Inner->Begin))
      Inner = &B;
  std::vector<WantedMacro> Out;
  if (!Inner)
    return Out;
  if (Inner->IsElse) {
    for (const Branch &B : Branches)
      if (B.Group == Inner->Group && !B.IsElse) {
        wants(B.Condition, Out);
        if (!Out.empty())
          break;
      }
    return Out;
  }
  llvm::StringMap<std::string> Before = Given;
  assume(Inferred);
  wantsNot(Inner->Condition, Out);
  Given = std::move(Before);
  return Out;
}

} // namespace clmali::model
