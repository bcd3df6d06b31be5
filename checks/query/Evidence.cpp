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

GuessedFacts::GuessedFacts(const Module &M, const KernelAnalysis &K) : M(M), Names(guessesOf(M)) {
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
