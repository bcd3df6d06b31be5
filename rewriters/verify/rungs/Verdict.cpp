// The verdict, from the results of the rungs.
#include "rewriters/verify/rungs/Judgement.h"
#include "rewriters/verify/rungs/Record.h"
#include "rewriters/verify/rungs/Shrink.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/ADT/Twine.h"

#include <set>

using namespace llvm;

namespace clmali::verify {
namespace {

Error failure(const Twine &Message) { return createStringError(inconvertibleErrorCode(), Message); }

/// Fewer than three say so.
std::string sizesInWords(size_t Count) {
  return std::to_string(Count) + (Count == 1 ? " size" : " sizes") + (Count < 3 ? " only" : "");
}

/// The sizes of a proof that holds for some values only: "every size where t is 7".
std::string forPinned(const GenericProof &Proof) {
  return "every size where " + join(Proof.Pinned, " and ");
}

constexpr StringLiteral OverflowsThere =
    "the original overflows a signed integer there; the programs agree where that wraps";

/// Why inputs were skipped, without the numbers of the single input.
std::string skipReason(const RungRun::Skip &Skip) {
  return StringSwitch<std::string>(Skip.Kind)
      .Case("stray", "the original makes an invalid access there")
      .Case("hang", "the original hangs there")
      .Case("racy", "the original is racy there")
      .Case("undefined", "the original's result is not defined there")
      .Case("overflow", OverflowsThere.str())
      .Default(Skip.Why);
}

bool hasTolerance(const launch::LaunchFile &F) {
  return !F.Compare.isExact() || any_of(F.Args, [](const launch::Argument &A) {
    return A.Compare && !A.Compare->isExact();
  });
}

} // namespace

Expected<Verdict> Judgement::run() {
  if (R.Launches.empty())
    return failure("no launch file: the judge must know how the host runs the kernel");
  if (R.Manifest.Launches.empty())
    return failure("the manifest has no launch for kernel '" + R.Manifest.Original + "'");
  for (const launch::LaunchFile &F : R.Launches)
    if (F.Kernel != R.Manifest.Original)
      return failure(F.Path + " launches kernel '" + F.Kernel + "', and the manifest replaces '" +
                     R.Manifest.Original + "'");
  if (Error E = probeKernels())
    return E;
  if (!Decided && checkStatically() && !Decided)
    climb();
  finish();
  return std::move(V);
}

std::vector<std::string> Judgement::neverLaunched(const RungRun &Runs) const {
  std::set<std::string> Left = newKernels(P);
  for (size_t I : Runs.Done) {
    if (Left.empty())
      break;
    for (const std::string &Name : newKernelsAt(P, P.Inputs[I]))
      Left.erase(Name);
  }
  return {Left.begin(), Left.end()};
}

void Judgement::noteForms(const RungRun &Runs) {
  if (newKernels(P).size() < 2)
    return;
  std::map<std::string, std::set<std::pair<unsigned, unsigned>>> Sizes;
  for (size_t I : Runs.Done)
    for (const std::string &Name : newKernelsAt(P, P.Inputs[I]))
      Sizes[Name].insert({P.Inputs[I].Launch, P.Inputs[I].SizeId});
  std::vector<std::string> Texts;
  for (const auto &[Name, At] : Sizes)
    Texts.push_back(Name + " at " + sizesInWords(At.size()));
  Forms = join(Texts, ", ");
}

void Judgement::decide(const RungRun &Runs) {
  std::set<std::pair<unsigned, unsigned>> Sizes, Listed, AllListed;
  for (size_t I = 0; I < P.Inputs.size(); ++I) {
    const TestInput &In = P.Inputs[I];
    if (In.Listed)
      AllListed.insert({In.Launch, In.SizeId});
    if (!Runs.Done.count(I))
      continue;
    Sizes.insert({In.Launch, In.SizeId});
    if (In.Listed && In.Fill == Pattern::Declared)
      Listed.insert({In.Launch, In.SizeId});
  }
  std::string WhyNot;
  for (const auto &[Index, Skip] : Runs.Skipped)
    if (P.Inputs[Index].Listed && WhyNot.empty())
      WhyNot = describe(P.Inputs[Index].At) + ": " + Skip.Why;
  // Each launch file must have been run at a listed size.
  for (unsigned L = 0; L < R.Launches.size(); ++L)
    if (none_of(Listed, [L](const auto &S) { return S.first == L; })) {
      V.NoListedSize = true;
      return inconclusive(
          because("no size of " + R.Launches[L].Path + " could be compared", WhyNot));
    }
  // The device that ran both says nothing of another one.
  if (const std::vector<std::string> &Open = P.Facts.NewOpenResults;
      !V.Generic.proved() && !Open.empty() && none_of(R.Launches, hasTolerance))
    return inconclusive("the rewritten program uses " + join(Open, ", ") +
                        ", whose result OpenCL leaves to the device, and the original does not; "
                        "give a tolerance (compare)");
  // A proof for every size has a launch of the rewritten kernel.
  if (!V.Generic.proved())
    V.NeverLaunched = neverLaunched(Runs);
  if (!V.NeverLaunched.empty() && V.NeverLaunched.size() == newKernels(P).size())
    return inconclusive("no size that could be compared launches kernel '" +
                        V.NeverLaunched.front() + "'");
  for (const std::string &Name : V.NeverLaunched)
    Notes.push_back("no size that was compared launches kernel '" + Name +
                    "': where it would be, the original has to run");
  noteForms(Runs);
  V.Result = Outcome::Held;
  Decided = true;
  // A proof for the value that the launch file gives to a scalar says nothing of other values.
  const bool ForOneValue = V.Generic.proved() && !V.Generic.Pinned.empty();
  V.RestsOn = V.Generic.proved() && !ForOneValue ? Basis::Proved
              : ForOneValue || Symbolic.Proved   ? Basis::ProvedAt
                                                 : Basis::Tested;
  V.Skipped = skippedOf(Runs);
  V.Sizes = ForOneValue                    ? std::vector<std::string>{forPinned(V.Generic)}
            : V.RestsOn == Basis::ProvedAt ? Symbolic.ProvedAt
                                           : sizesOf(Runs.Done);
  V.Summary = heldText(Runs, Sizes.size());
}

std::vector<std::string> Judgement::sizesOf(const std::set<size_t> &Inputs) const {
  std::vector<std::string> Sizes;
  for (size_t I : Inputs)
    if (std::string Size = describe(P.Inputs[I].At); !is_contained(Sizes, Size))
      Sizes.push_back(std::move(Size));
  return Sizes;
}

std::vector<launch::SkippedInputs> Judgement::skippedOf(const RungRun &Runs) const {
  std::map<std::string, uint64_t> Counts;
  for (const auto &[Index, Skip] : Runs.Skipped)
    ++Counts[skipReason(Skip)];
  std::vector<launch::SkippedInputs> All;
  for (const auto &[Why, Count] : Counts)
    All.push_back({Why, Count});
  llvm::stable_sort(All, [](const auto &A, const auto &B) { return A.Count > B.Count; });
  return All;
}

std::string Judgement::heldText(const RungRun &Runs, size_t SizesRun) const {
  uint64_t Largest = 0;
  for (size_t I : Runs.Done)
    Largest = std::max(Largest, P.Inputs[I].Items);
  const std::string Tested =
      "tested at " + sizesInWords(SizesRun) + ", up to " + std::to_string(Largest) + " work-items";
  std::string Text;
  switch (V.RestsOn) {
  case Basis::Proved:
    Text = "proved for every size; " + Tested;
    break;
  case Basis::ProvedAt:
    if (V.Generic.proved()) {
      Text = "proved for " + V.Sizes.front();
    } else {
      Text = "proved at " + sizesInWords(V.Sizes.size()) + ", up to " + V.Sizes.back();
      for (const std::string &A : Symbolic.Assumptions)
        Text += "; " + A;
    }
    Text += "; " + Tested;
    break;
  case Basis::Tested:
    Text = Tested;
    break;
  }
  Text += ": same result in " + std::to_string(TotalRuns) + " runs";
  if (!Runs.Skipped.empty()) {
    const size_t Skipped = Runs.Skipped.size(), All = Skipped + Runs.Done.size();
    Text += std::string("; ") +
            (2 * Skipped > All ? "more than half of the inputs skipped: " : "") +
            std::to_string(Skipped) + " of " + std::to_string(All) + " inputs skipped (" +
            V.Skipped.front().Why + ")";
  }
  if (Overflowing != 0 && !StringRef(Text).contains(OverflowsThere))
    Text += "; " + std::to_string(Overflowing) + " inputs left out by a check (" +
            OverflowsThere.str() + ")";
  if (!Forms.empty())
    Text += "; launched: " + Forms;
  if (!LeftOut.empty())
    Text += "; " + LeftOut + " left out";
  if (!R.Options.Without.empty())
    Text += "; left out by request: " + join(R.Options.Without, ", ");
  return Text;
}

void Judgement::note(const RungRun &Run) {
  TotalRuns += Run.Runs;
  if (Run.Opened)
    Devices[Run.Rung] = toJson(Run.Device);
  json::Object O{{"cases", static_cast<int64_t>(Run.Done.size())},
                 {"runs", Run.Runs},
                 {"skipped", static_cast<int64_t>(Run.Skipped.size())},
                 {"restarts", Run.Restarts}};
  std::map<std::string, int64_t> Why;
  unsigned Overflows = 0;
  for (const auto &[Index, Skip] : Run.Skipped) {
    ++Why[Skip.Kind + ": " + Skip.Why];
    Overflows += Skip.Kind == "overflow";
  }
  Overflowing = std::max(Overflowing, Overflows);
  json::Object Reasons;
  for (const auto &[Text, Count] : Why)
    Reasons[json::fixUTF8(Text)] = Count;
  O["skippedBecause"] = std::move(Reasons);
  Counts[Run.Rung] = std::move(O);
}

bool Judgement::report(const RungRun &Run, StringRef What) {
  if (Run.Found) {
    rung(Run.Rung, true, Run.Found->What);
    return true;
  }
  if (!Run.Cannot.empty() || !Run.Broken.empty() || Run.Done.empty()) {
    rung(Run.Rung, false, whyNotClimbed(Run));
    return false;
  }
  std::set<unsigned> Sizes;
  for (size_t I : Run.Done)
    Sizes.insert(P.Inputs[I].SizeId);
  std::string Text = std::to_string(Run.Runs) + " " + What.str() + " at " +
                     std::to_string(Sizes.size()) + " sizes";
  if (!Run.Skipped.empty())
    Text += ", " + std::to_string(Run.Skipped.size()) + " inputs skipped";
  if (Run.OutOfTime)
    Text += ", then out of time (" + std::to_string(Run.Seconds) + " s)";
  rung(Run.Rung, true, Text);
  return true;
}

void Judgement::refuteStatically(StringRef Rung, const std::string &What) {
  Decided = true;
  V.Result = Outcome::Refuted;
  V.Summary = What;
  rung(Rung, true, What);
  Counterexample X;
  X.Rung = X.Part = Rung.str();
  X.What = What;
  // Arithmetic alone proves it; there is nothing to run.
  X.Replayed = true;
  V.Example = std::move(X);
}

bool Judgement::refute(const RungRun &Run) {
  if (R.Options.Progress)
    R.Options.Progress(Run.Rung + ": differs; looking for the smallest input");
  Counterexample X = shrink(P, Run);
  Decided = true;
  if (!X.Replayed) {
    // The cause may be the device, or a race.
    V.Result = Outcome::Inconclusive;
    V.Summary = "differed once and not again: " + X.What;
  } else {
    V.Result = Outcome::Refuted;
    V.Summary = X.What + " (at " + X.Size + ")";
  }
  if (none_of(V.Rungs, [&](const Rung &One) { return One.Name == Run.Rung; }))
    rung(Run.Rung, true, Run.Found->What);
  V.Example = std::move(X);
  return V.Result == Outcome::Refuted;
}

void Judgement::finish() {
  if (!Decided)
    inconclusive("nothing was decided");
  if (none_of(V.Rungs, [](const Rung &One) { return One.Name == "symbolic"; }))
    rung("symbolic", false, "the verdict was reached without it");
  if (V.Result != Outcome::Held) {
    std::set<size_t> All;
    for (size_t I = 0; I < P.Inputs.size(); ++I)
      All.insert(I);
    V.Sizes = sizesOf(All);
  }
  V.Runs = TotalRuns;
  RecordInput In{R, P, Device, Symbolic, {}, {}, {}, 0, 0};
  In.Devices = std::move(Devices);
  In.Counts = std::move(Counts);
  In.Notes = std::move(Notes);
  In.TotalRuns = TotalRuns;
  In.Seconds = std::chrono::duration<double>(Clock::now() - Start).count();
  writeRecord(V, std::move(In));
}

} // namespace clmali::verify
