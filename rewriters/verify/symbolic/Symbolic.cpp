// The steps of a proof (Proof.h), and proofs with and without the host's ranges.

#include "rewriters/verify/symbolic/Proof.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

namespace clmali::verify {

using namespace llvm;
using namespace symbolic;
using Clock = std::chrono::steady_clock;

StringRef toString(SymbolicOutcome O) {
  switch (O) {
  case SymbolicOutcome::Proved:
    return "proved";
  case SymbolicOutcome::Counterexample:
    return "counterexample";
  case SymbolicOutcome::NotClimbed:
    return "not run";
  }
  return "not run";
}

std::unique_ptr<Machine> Proof::execute(const Module &M, bool Rewritten) {
  auto Run = std::make_unique<Machine>(T, R.Limits, M, contents(Rewritten), Deadline);
  for (const SymbolicLaunch &L : launchesOf(Rewritten))
    if (!Run->launch(L, Bound))
      break;
  Result.Instructions += Run->instructions();
  Result.LongestLoop = std::max(Result.LongestLoop, Run->longestLoop());
  (Rewritten ? Result.RewrittenItems : Result.OriginalItems) = Run->items();
  for (const std::string &A : Run->assumptions())
    if (!is_contained(Result.Assumptions, A))
      Result.Assumptions.push_back(A);
  if (!Rewritten)
    Overflows = Run->overflows();
  else
    Result.OverflowsAlike =
        !Overflows.empty() && all_of(Run->overflows(), [this](const Machine::Overflow &O) {
          return Overflows.count(O) != 0;
        });
  // Variables that the machine made stand for values that do not matter; none is a float.
  FloatVariables.resize(T.variables(), false);
  return Run;
}

void Proof::boundNarrow(const Machine &Rewritten) {
  constexpr size_t MostCorners = 8;
  const NarrowArithmetic &Narrow = Rewritten.narrow();
  SymbolicInterval &I = Result.Interval;
  I.Climbed = Rewritten.reason().empty();
  I.Sites = Narrow.sites();
  I.MayLeave = Narrow.mayLeave();
  I.Operations = Narrow.operations();
  for (NarrowCorner &C : Narrow.corners(T, MostCorners))
    I.Corners.push_back(
        {std::move(C.What), example(SymbolicExample::Kind::Value, std::move(C.Inputs)).Inputs});
}

bool Proof::checkOriginal(const Machine &Original) {
  for (const Hazard &H : Original.hazards())
    if (T.isConst(H.Path, 1) && T.isConst(H.Bad, 1))
      return stop("the original " + H.What + " at this size, in work-item " + H.WorkItem);
  if (!Original.reason().empty())
    return stop("original: " + Original.reason());
  for (const Hazard &H : Original.hazards())
    Questions->assume(T.bitNot(T.bitAnd(H.Path, H.Bad)));
  if (!Original.hazards().empty())
    Result.Assumptions.push_back(
        "inputs for which the original accesses memory outside its buffers, divides by zero or is "
        "misaligned are left out");
  return true;
}

bool Proof::checkRewritten(const Machine &Original, Machine &Rewritten) {
  DenseSet<Term> Known;
  for (const Hazard &H : Original.hazards())
    Known.insert(T.bitAnd(H.Path, H.Bad));
  for (const Hazard &H : Rewritten.hazards()) {
    Term Bad = T.bitAnd(H.Path, H.Bad);
    if (Known.count(Bad))
      continue;
    Assignment Inputs(T.variables(), 0);
    Answer A = Questions->ask(Bad, Inputs);
    if (A == Answer::Impossible)
      continue;
    std::string Text = "the rewritten program " + H.What +
                       ", which the original does not, in work-item " + H.WorkItem;
    if (A == Answer::Unknown)
      return stop("not disproved: " + Text + ": " + Questions->reason());
    if (H.K != Hazard::Kind::Bounds)
      return stop("for some inputs " + Text);
    Result.Example = example(SymbolicExample::Kind::OutOfBounds, std::move(Inputs));
    Result.Example->Argument = H.Argument;
    Result.Example->Element = H.Element;
    Result.Example->WorkItem = H.WorkItem;
    Result.Example->MustBeReplayed = T.node(Bad).HasCall;
    Result.Outcome =
        T.node(Bad).HasCall ? SymbolicOutcome::NotClimbed : SymbolicOutcome::Counterexample;
    Result.Detail = Text;
    return false;
  }
  if (const std::optional<RaceReport> &Race = Rewritten.race()) {
    if (!Race->Definite)
      return stop("rewritten: " + Rewritten.reason());
    Result.Example = example(SymbolicExample::Kind::Race, {});
    Result.Example->Argument = Race->Argument;
    Result.Example->Element = Race->Element;
    Result.Example->WorkItem = Race->First + " and " + Race->Second;
    Result.Outcome = SymbolicOutcome::Counterexample;
    Result.Detail =
        "the rewritten program has " + Rewritten.reason() + ", which the original has not";
    return false;
  }
  if (!Rewritten.reason().empty())
    return stop("rewritten: " + Rewritten.reason());
  return true;
}

SymbolicResult Proof::run() {
  if (!compile())
    return Result;
  uint64_t Items = R.OriginalLaunch.Shape.items();
  for (const SymbolicLaunch &L : R.RewrittenLaunches)
    Items += L.Shape.items();
  if (Items > R.Limits.WorkItems) {
    stop("more than " + Twine(R.Limits.WorkItems) + " work-items");
    return Result;
  }
  if (!bind())
    return Result;
  SolverBuffers = contents(false);
  std::unique_ptr<Machine> Original = execute(*Programs[0].M, false);
  // The interval rung needs only the rewritten program.
  auto boundOnly = [&] {
    boundNarrow(*execute(*Programs[1].M, true));
    return Result;
  };
  Questions = std::make_unique<Solver>(T, SolverBuffers, FloatVariables, R.Limits, Deadline);
  if (!checkOriginal(*Original))
    return boundOnly();
  std::unique_ptr<Machine> Rewritten = execute(*Programs[1].M, true);
  Questions->setFloatVariables(FloatVariables);
  boundNarrow(*Rewritten);
  if (checkRewritten(*Original, *Rewritten))
    compareBuffers(*Original, *Rewritten);
  Result.Questions = Questions->questions();
  Result.QuestionsToZ3 = Questions->questionsToZ3();
  return Result;
}

SymbolicResult proveEquivalent(const SymbolicRequest &Request) {
  auto Start = Clock::now();
  auto Deadline = Start + std::chrono::milliseconds(uint64_t(Request.Limits.Seconds * 1000));
  SymbolicResult Result = Proof(Request, false, Deadline).run();
  bool Ranges = any_of(
      Request.Args, [](const SymbolicArgument &A) { return A.holdsData() && A.Range.has_value(); });
  if (Ranges && Result.Outcome != SymbolicOutcome::Proved) {
    Result = Proof(Request, true, Deadline).run();
    for (const SymbolicArgument &A : Request.Args)
      if (A.holdsData() && A.Range)
        Result.Assumptions.push_back(
            formatv("{0} holds values from {1} to {2}", A.Name, A.Range->first, A.Range->second)
                .str());
  }
  for (const SymbolicArgument &A : Request.Args)
    if (A.Pinned && A.Values) {
      std::string Text = A.Name + " is";
      for (int64_t V : *A.Values)
        Text += " " + std::to_string(V);
      Result.Assumptions.push_back(std::move(Text));
    }
  Result.Seconds = std::chrono::duration<double>(Clock::now() - Start).count();
  Result.OutOfTime =
      Result.Outcome == SymbolicOutcome::NotClimbed && !Result.Example && Clock::now() > Deadline;
  return Result;
}

} // namespace clmali::verify
