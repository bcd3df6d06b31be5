//===- Evidence.cpp - what a finding rests on -------------------------------------------------===//

#include "checks/query/Evidence.h"
#include "checks/model/ir/Traversal.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace clmali;
using namespace clmali::checks;
using namespace clmali::model;

/// True if the values that the kernel has for the macro Name, in its text and its attribute, are
/// Default.
static bool usesDefault(const Kernel &K, StringRef Name, int64_t Default) {
  bool Used = false, Others = false;
  for (ExprAt X : exprs(K.Body))
    if (X->K == ExprKind::IntConst && X->Text == Name)
      (X->Int == Default ? Used : Others) = true;
  if (!Used && !Others && K.ReqdWorkGroupSize)
    Used = is_contained(*K.ReqdWorkGroupSize, uint32_t(Default));
  return Used && !Others;
}

/// The text of a file without what belongs to other kernels only: their own text, their functions,
/// and conditions around nothing else.
static std::string textAround(const Module &M, const Kernel &K, uint32_t File) {
  std::string Text = M.Files[File].Text;
  auto Blank = [&](SourceRange R) {
    if (R.isValid() && R.File == File)
      for (size_t I = R.Begin; I < std::min<size_t>(R.End, Text.size()); ++I)
        if (Text[I] != '\n')
          Text[I] = ' ';
  };
  auto IsOwn = [&](SourceRange R) {
    return any_of(K.HelperRanges,
                  [&](SourceRange Own) { return Own.File == R.File && Own.Begin == R.Begin; });
  };
  for (const auto &Other : M.Kernels)
    if (Other.get() != &K && Other->Name != K.Name) {
      Blank(Other->Range);
      for (SourceRange R : Other->HelperRanges)
        if (!IsOwn(R))
          Blank(R);
    }
  // #if X .. #endif around blank lines.
  std::vector<size_t> Open; ///< where each #if begins that has only been followed by blank lines
  for (size_t Begin = 0; Begin < Text.size();) {
    size_t End = std::min(Text.find('\n', Begin), Text.size());
    StringRef Line = StringRef(Text).slice(Begin, End).trim();
    bool IsDirective = Line.consume_front("#");
    Line = Line.ltrim();
    if (IsDirective && Line.starts_with("if")) {
      Open.push_back(Begin);
    } else if (IsDirective && Line.starts_with("endif")) {
      if (!Open.empty()) {
        for (size_t I = Open.back(); I < End; ++I)
          if (Text[I] != '\n')
            Text[I] = ' ';
        Open.pop_back();
      }
    } else if (!Line.empty() && !(IsDirective && Line.starts_with("el"))) {
      Open.clear();
    }
    Begin = End + 1;
  }
  return Text;
}

/// The guesses on which the kernel's text depends: a macro of another kernel is none of them.
static Guesses guessesFor(const Module &M, const Kernel &K) {
  if (M.Kernels.size() < 2)
    return guessesOf(M);
  std::optional<std::string> Text;
  return guessesOf(M, [&](StringRef Name) {
    if (!Text) {
      Text.emplace();
      for (size_t File = 0; File < M.Files.size(); ++File)
        *Text += textAround(M, K, File) + "\n";
    }
    return mentions({Name.str()}, *Text);
  });
}

GuessedFacts::GuessedFacts(const Module &M, const KernelAnalysis &K)
    : M(M), Names(guessesFor(M, K.kernel())) {
  addPlaceholders(Names, M, [&](StringRef Name, int64_t Default) {
    return usesDefault(K.kernel(), Name, Default);
  });
  auto LosesCode = [&](SourceRange R) { return containsWord(Names.Erased, text(R)); };
  LacksCode = !Names.Erased.empty() &&
              (LosesCode(K.kernel().Range) || any_of(K.kernel().HelperRanges, LosesCode));
  if (!hasNumbers())
    return;
  std::vector<const Var *> Variables;
  for (const std::vector<Var *> *List : {&K.kernel().Params, &K.kernel().Vars})
    Variables.insert(Variables.end(), List->begin(), List->end());
  for (size_t Before = ~size_t(0); Before != Marked.size();) {
    Before = Marked.size();
    for (const Var *V : Variables)
      if (!Marked.contains(V) && any_of(K.defs(V), [&](const Stmt *S) { return isGuessed(S->E); }))
        Marked.insert(V);
  }
}

bool GuessedFacts::isGuessed(const Expr *Value) const {
  bool Found = false;
  if (Value && hasNumbers())
    walk(Value, [&](const Expr *E) {
      Found |= E->K == ExprKind::IntConst && Names.Numbers.count(E->Text);
      Found |= E->K == ExprKind::VarRef && Marked.contains(E->V);
      return !Found;
    });
  return Found;
}

bool GuessedFacts::isGuessed(const Access &Address) const {
  return any_of(Address.Index, [&](const Expr *E) { return isGuessed(E); });
}

bool GuessedFacts::isGuessed(const AccessSite &AddressAndGuards) const {
  return isGuessed(*AddressAndGuards.A) ||
         any_of(AddressAndGuards.Guards, [&](const Guard &G) { return isGuessed(G.Cond); });
}

bool GuessedFacts::isGuessed(const CountedLoop &TripCount) const {
  return isGuessed(TripCount.Lower) || isGuessed(TripCount.Bound) || isGuessed(TripCount.StepExpr);
}

StringRef GuessedFacts::text(SourceRange R) const {
  return R.isValid() && R.File < M.Files.size()
             ? StringRef(M.Files[R.File].Text).slice(R.Begin, R.End)
             : StringRef();
}

bool GuessedFacts::hasGuessedSize(const Var &V) const {
  return hasNumbers() && mentions(Names.Numbers, text(V.Range));
}

bool GuessedFacts::hasGuessedType(const Var &V) const {
  return containsWord(Names.Types, text(V.Range));
}

std::optional<int64_t> GuessedFacts::knownTripCount(const CountedLoop &L) const {
  return L.TripCount && !isGuessed(L) ? L.TripCount : std::nullopt;
}

const GuessedFacts &checks::guessed(Context &C) {
  return C.cached<GuessedFacts>([&] { return GuessedFacts(C.module(), C.analysis()); });
}
