//===-- rewriters/pass/PassManager.cpp - Runs the steps of a pipeline --------===//

#include "rewriters/pass/PassManager.h"

#include "checks/model/ir/Verifier.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/raw_ostream.h"

namespace clmali::rewrite {

/// Is P to run? Not asked where an earlier pass requires it.
static bool applies(const Pass &P, const PassState &S) {
  if (!P.ShownAs.empty() && !S.context().allows(P.ShownAs))
    return false;
  return !P.Suits || S.context().named() || P.Suits(S);
}

unsigned PassManager::run(const Pass &P, PassState &S) const {
  unsigned Changes = S.takeDemand(P.Id) || applies(P, S) ? P.Edit(S) : 0;
  if (Changes) {
    if (P.ReusesVariables)
      splitLiveRanges(S.module(), S.kernel());
    S.edited();
    if (!P.ShownAs.empty())
      S.record(P.ShownAs);
  }
  if (!P.Establishes.empty() && !llvm::is_contained(S.Forms, P.Establishes))
    S.Forms.push_back(P.Establishes);
  return Changes;
}

bool PassManager::run(llvm::ArrayRef<Step> Steps, PassState &S) const {
  unsigned Changes = 0;
  for (const Step &One : Steps) {
    bool Runs = One.Runs == When::Changed ? Changes > 0 : holds(One.Runs, S.How);
    const Pass *P = findPass(One.Pass);
    const std::string Before = Runs && Options.VerifyIR ? model::dump(S.kernel()) : std::string();
    Changes = Runs ? run(*P, S) : 0;
    if (Runs) {
      print(*P, S, Changes);
      verify(*P, S, Changes ? "" : Before);
    }
    if (!Changes && holds(One.Must, S.How))
      return false;
  }
  S.edited(); // states are kept, and analyses are large
  return true;
}

/// The choices that made the candidate, in one line.
static void printChoice(const PassState &S, llvm::raw_ostream &Out) {
  const Choice &How = S.How;
  Out << "lanes " << How.Shape.Lanes << ", rows " << How.Shape.Rows[0] << "x" << How.Shape.Rows[1]
      << "x" << How.Shape.Rows[2];
  if (How.Shape.phases() > 1)
    Out << ", phases " << How.Shape.Phases[0] << "x" << How.Shape.Phases[1] << "x"
        << How.Shape.Phases[2];
  const std::pair<bool, const char *> Flags[] = {{How.LaunchValues, "values"},
                                                 {How.SplitComponents, "components"},
                                                 {How.Exchange, "exchange"},
                                                 {How.Unroll, "unroll"},
                                                 {How.Stage == Staging::Localize, "localize"},
                                                 {How.Stage == Staging::Delocalize, "delocalize"},
                                                 {How.Overlap, "overlap"}};
  for (const auto &[On, Name] : Flags)
    if (On)
      Out << ", " << Name;
  if (How.Inner > 1)
    Out << ", inner " << How.Inner;
  if (How.Sums > 1)
    Out << ", sums " << How.Sums;
}

void PassManager::print(const Pass &P, const PassState &S, unsigned Changes) const {
  if (Options.PrintAfter != "all" && Options.PrintAfter != P.Id)
    return;
  llvm::raw_ostream &Out = llvm::errs();
  Out << "--- " << S.kernel().Name << " after " << P.Id << ", " << Changes << " changes (";
  printChoice(S, Out);
  Out << ")\n";
  if (Changes)
    Out << model::dump(S.kernel());
}

/// Ends the program if there are problems: K is broken, At: where.
static void report(const model::Kernel &K, llvm::ArrayRef<std::string> Problems,
                   const llvm::Twine &At) {
  if (Problems.empty())
    return;
  llvm::errs() << model::dump(K) << "the kernel " << K.Name << " is broken " << At << ":\n";
  for (const std::string &One : Problems)
    llvm::errs() << "  " << One << "\n";
  llvm::report_fatal_error("the IR verifier found errors", /*gen_crash_diag=*/false);
}

void PassManager::verify(const Pass &P, const PassState &S, llvm::StringRef Same) const {
  if (!Options.VerifyIR)
    return;
  std::vector<std::string> Problems = model::verify(S.kernel());
  if (!Same.empty() && model::dump(S.kernel()) != Same)
    Problems.push_back("the pass changed the kernel and reports no change");
  if (!P.Requires.empty() && !llvm::is_contained(S.Forms, P.Requires))
    Problems.push_back("the pass requires " + P.Requires.str() + ", which no step has established");
  std::string Choices;
  llvm::raw_string_ostream Out(Choices);
  printChoice(S, Out);
  report(S.kernel(), Problems, "after the pass " + P.Id + " (" + Out.str() + ")");
}

void PassManager::verifyInput(const model::Kernel &K) const {
  if (Options.VerifyIR)
    report(K, model::verify(K), "as it was lifted");
}

std::vector<std::string> pipelineErrors(llvm::ArrayRef<llvm::ArrayRef<Step>> Parts) {
  std::vector<std::string> Errors;
  std::vector<llvm::StringRef> Forms;
  for (llvm::ArrayRef<Step> Steps : Parts)
    for (const Step &One : Steps) {
      const Pass *P = findPass(One.Pass);
      if (!P || !P->Edit) {
        Errors.push_back("no pass is registered as " + One.Pass.str());
        continue;
      }
      if (!P->Requires.empty() && !llvm::is_contained(Forms, P->Requires))
        Errors.push_back(One.Pass.str() + " requires " + P->Requires.str() +
                         ", which no earlier step establishes");
      if (!P->Establishes.empty())
        Forms.push_back(P->Establishes);
    }
  return Errors;
}

} // namespace clmali::rewrite
