//===- KnownFindings.cpp - findings of kernels that have not changed --------------------------===//

#include "checks/KnownFindings.h"
#include "checks/model/frontend/Guesses.h"
#include "checks/query/Contiguity.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace clmali;
using namespace clmali::checks;
using namespace clmali::model;

namespace {

using Words = std::set<StringRef>;

/// Adds the words of Text, and those that replace placeholders in it. Filled keeps their text.
void addWords(StringRef Text, Words &To, std::deque<std::string> &Filled) {
  auto IsWord = [](char C) { return isAlnum(C) || C == '_'; };
  auto Add = [&](StringRef From) {
    while (!(From = From.drop_until(IsWord)).empty()) {
      StringRef Word = From.take_while(IsWord);
      To.insert(Word);
      From = From.drop_front(Word.size());
    }
  };
  Add(Text);
  if (std::optional<std::string> Named = withPlaceholdersNamed(Text))
    Add(Filled.emplace_back(std::move(*Named)));
}

/// What rules may ask about names of the module: the text of macros, and what was guessed.
class NamesOfModule {
public:
  explicit NamesOfModule(const Module &M) : M(M), All(guessesOf(M)) {
    addPlaceholders(All, M, [](StringRef, int64_t) { return true; });
    for (const SourceFile &File : M.Files)
      addMacros(File.Text);
    addCommonWords();
  }

  /// As text: all of it that concerns the kernel.
  std::string of(const Fingerprint &F) {
    Words Own;
    for (SourceRange R : F.Anchors)
      addWords(text(R), Own, Filled);
    std::vector<StringRef> Next(Own.begin(), Own.end());
    while (!Next.empty()) {
      StringRef Name = Next.back();
      Next.pop_back();
      for (StringRef Line : Macros.lookup(Name)) {
        Words Used;
        addWords(Line, Used, Filled);
        for (StringRef W : Used)
          if (Own.insert(W).second)
            Next.push_back(W);
      }
    }
    std::string Result;
    for (StringRef W : Own) {
      for (StringRef Line : Macros.lookup(W))
        Result += Line.str() + "\n";
      for (bool Is : {All.Numbers.count(W) != 0, All.Types.count(W) != 0, All.Texts.count(W) != 0,
                      All.Erased.count(W) != 0})
        Result += Is ? '1' : '0';
    }
    // A name outside of all kernels concerns each of them.
    Guesses Of =
        guessesOf(M, [&](StringRef Name) { return Own.count(Name) || Common.count(Name); });
    Result += {char('0' + Of.Functions), char('0' + Of.Floats), char('0' + Of.OnlyNumbers)};
    return Result;
  }

private:
  const Module &M;
  Guesses All;
  DenseMap<StringRef, std::vector<StringRef>> Macros; ///< lines that define the name
  Words Common;                                       ///< of the text outside of kernels
  std::deque<std::string> Filled;

  StringRef text(SourceRange R) const {
    return R.isValid() && R.File < M.Files.size()
               ? StringRef(M.Files[R.File].Text).slice(R.Begin, R.End)
               : StringRef();
  }

  void addMacros(StringRef Text) {
    for (size_t At; (At = Text.find("#define")) != StringRef::npos;) {
      Text = Text.drop_front(At);
      size_t End = Text.find('\n');
      while (End != StringRef::npos && Text.take_front(End).rtrim("\r").ends_with("\\"))
        End = Text.find('\n', End + 1);
      StringRef Line = Text.take_front(End);
      Text = Text.drop_front(7);
      StringRef Name = Line.drop_front(7).ltrim();
      Macros[Name.take_while([](char C) { return isAlnum(C) || C == '_'; })].push_back(Line);
    }
  }

  void addCommonWords() {
    std::vector<SourceRange> Kernels;
    for (const auto &K : M.Kernels) {
      Kernels.push_back(K->Range);
      Kernels.insert(Kernels.end(), K->HelperRanges.begin(), K->HelperRanges.end());
    }
    llvm::sort(Kernels, [](SourceRange A, SourceRange B) {
      return std::tie(A.File, A.Begin) < std::tie(B.File, B.Begin);
    });
    for (uint32_t File = 0; File < M.Files.size(); ++File) {
      StringRef Text = M.Files[File].Text;
      size_t At = 0;
      for (SourceRange R : Kernels)
        if (R.isValid() && R.File == File) {
          addWords(Text.slice(At, std::max<size_t>(At, R.Begin)), Common, Filled);
          At = std::max<size_t>(At, R.End);
        }
      addWords(Text.substr(At), Common, Filled);
    }
  }
};

} // namespace

/// The options on which all findings of a run depend.
static std::string textOf(const RunOptions &O) {
  std::string Text = std::to_string(O.Families) + "\n" + O.KernelOptions + "\n";
  for (const Registered &Check : allChecks())
    if (O.Enabled && !O.Enabled(Check.Id))
      Text += (Twine("-") + Check.Id + "\n").str();
  for (const auto &[Name, Value] : O.CheckOptions)
    Text += Name + "=" + Value + "\n";
  return Text;
}

void KnownFindings::begin(const Module &M, const RunOptions &O) {
  Now.clear();
  if (!O.Hosts.empty())
    return;
  std::string Options = textOf(O);
  if (is_contained(M.Notes, FloatLiterals))
    Options += FloatLiterals;
  NamesOfModule Names(M);
  std::multimap<std::string, std::array<uint64_t, 2>> Forms; ///< by the name without a width
  for (const auto &K : M.Kernels) {
    Fingerprint &F = Now[K.get()] = fingerprint(M, *K);
    Forms.emplace(nameWithoutWidth(K->Name), F.Hash);
  }
  for (auto &[K, F] : Now) {
    std::string More = Options + Names.of(F);
    auto [Begin, End] = Forms.equal_range(nameWithoutWidth(K->Name));
    for (auto I = Begin; I != End; ++I)
      for (uint64_t Part : I->second)
        More += std::to_string(Part) + "\n";
    addTo(F, More);
  }
}

/// Calls Visit on each range of F. False: it did so once.
static bool forEachRange(Finding &F, function_ref<bool(SourceRange &)> Visit) {
  bool Ok = Visit(F.Range);
  for (Note &N : F.Notes)
    Ok = Ok && Visit(N.Range);
  for (Fix &X : F.Fixes)
    for (Edit &E : X.Edits)
      Ok = Ok && Visit(E.Range);
  return Ok;
}

static bool carry(std::vector<Finding> &Findings, const Fingerprint &From, const Fingerprint &To) {
  return all_of(Findings, [&](Finding &F) {
    return forEachRange(F, [&](SourceRange &R) {
      std::optional<SourceRange> There = From.carried(R, To);
      R = There.value_or(R);
      return There.has_value();
    });
  });
}

std::optional<KnownFindings::OfKernel> KnownFindings::find(const Kernel &K) {
  auto At = Now.find(&K);
  auto Old = At == Now.end() ? Known.end() : Known.find(At->second.Hash);
  if (Old == Known.end()) {
    ++Analysed;
    return std::nullopt;
  }
  Old->second.Used = true;
  ++Reused;
  OfKernel Result = Old->second.Found;
  carry(Result.Findings, Old->second.Of, At->second);
  return Result;
}

void KnownFindings::add(const Kernel &K, const OfKernel &Found) {
  auto At = Now.find(&K);
  if (At == Now.end())
    return;
  // A finding outside of the anchors could not be found again.
  std::vector<Finding> Findings = Found.Findings;
  if (carry(Findings, At->second, At->second))
    Known[At->second.Hash] = {At->second, Found, true};
}

void KnownFindings::forgetUnused() {
  for (auto I = Known.begin(); I != Known.end();)
    I = std::exchange(I->second.Used, false) ? std::next(I) : Known.erase(I);
}
