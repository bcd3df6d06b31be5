// The ladder: probe, launch validity, coverage, Oclgrind and protected pages
// side by side, then differential runs; and the verdict from what they say.
#include "rewriters/verify/cases/Shrink.h"
#include "rewriters/verify/rungs/Judgement.h"

#include <set>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/Twine.h"

using namespace llvm;

namespace clmali::verify {

namespace {

Error failure(const Twine &Message) { return createStringError(inconvertibleErrorCode(), Message); }

} // namespace

Expected<Verdict> Judgement::run() {
  if (R.Launches.empty())
    return failure("no launch file: the judge must know how the host runs the "
                   "kernel");
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

void Judgement::decide(const RungRun &Runs) {
  std::set<std::pair<unsigned, unsigned>> Sizes, Listed, AllListed;
  for (size_t I = 0; I < P.TestInputs.size(); ++I) {
    const TestInput &C = P.TestInputs[I];
    if (C.Listed)
      AllListed.insert({C.Launch, C.SizeId});
    if (!Runs.Done.count(I))
      continue;
    Sizes.insert({C.Launch, C.SizeId});
    if (C.Listed && C.P == Pattern::Declared)
      Listed.insert({C.Launch, C.SizeId});
  }
  std::string WhyNot;
  for (const auto &[Index, Skip] : Runs.Skipped)
    if (P.TestInputs[Index].Listed && WhyNot.empty())
      WhyNot = describe(P.TestInputs[Index].At) + ": " + Skip.Why;
  // Each launch file must have been run at a size of its own.
  for (unsigned L = 0; L < R.Launches.size(); ++L)
    if (none_of(Listed, [L](const auto &S) { return S.first == L; }))
      return inconclusive("no size of " + R.Launches[L].Path + " could be compared: " + WhyNot);
  V.Result = Outcome::Held;
  Decided = true;
  V.Summary = "same result in " + std::to_string(TotalRuns) + " runs at " +
              std::to_string(Sizes.size()) + " sizes";
  if (!Runs.Skipped.empty())
    V.Summary += "; " + std::to_string(Runs.Skipped.size()) + " cases skipped (" +
                 Runs.Skipped.begin()->second.Why + ")";
  if (!LeftOut.empty())
    V.Summary += "; " + LeftOut + " left out";
  if (!R.Options.Without.empty())
    V.Summary += "; left out by request: " + join(R.Options.Without, ", ");
  if (Symbolic.Proved)
    V.Summary += "; " + Symbolic.Detail;
}

void Judgement::note(const RungRun &C) {
  TotalRuns += C.Runs;
  if (C.Opened)
    Devices[C.Rung] = toJson(C.Device);
  json::Object O{{"cases", static_cast<int64_t>(C.Done.size())},
                 {"runs", C.Runs},
                 {"skipped", static_cast<int64_t>(C.Skipped.size())},
                 {"restarts", C.Restarts}};
  std::map<std::string, int64_t> Why;
  for (const auto &[Index, Skip] : C.Skipped)
    ++Why[Skip.Kind + ": " + Skip.Why];
  json::Object Reasons;
  for (const auto &[Text, Count] : Why)
    Reasons[json::fixUTF8(Text)] = Count;
  O["skippedBecause"] = std::move(Reasons);
  Counts[C.Rung] = std::move(O);
}

bool Judgement::report(const RungRun &C, StringRef What) {
  if (C.Found) {
    rung(C.Rung, true, C.Found->What);
    return true;
  }
  if (!C.Cannot.empty() || !C.Broken.empty() || C.Done.empty()) {
    std::string Why = C.Cannot + C.Broken;
    if (Why.empty())
      Why = C.Stopped;
    if (Why.empty() && C.OutOfTime)
      Why = "too slow";
    if (Why.empty())
      Why = !C.Skipped.empty()           ? C.Skipped.begin()->second.Why
            : C.Setup.TestInputs.empty() ? "no case fits"
                                         : "another rung found a fault first";
    rung(C.Rung, false, Why);
    return false;
  }
  std::set<unsigned> Sizes;
  for (size_t I : C.Done)
    Sizes.insert(P.TestInputs[I].SizeId);
  std::string Text =
      std::to_string(C.Runs) + " " + What.str() + " at " + std::to_string(Sizes.size()) + " sizes";
  if (!C.Skipped.empty())
    Text += ", " + std::to_string(C.Skipped.size()) + " cases skipped";
  if (C.OutOfTime)
    Text += ", then out of time";
  rung(C.Rung, true, Text);
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
  // Arithmetic alone shows it; there is nothing to run.
  X.Replayed = true;
  V.Example = std::move(X);
}

bool Judgement::refute(const RungRun &C) {
  if (R.Options.Progress)
    R.Options.Progress(C.Rung + ": differs; looking for the smallest input");
  Counterexample X = shrink(P, C);
  Decided = true;
  if (!X.Replayed) {
    // What cannot be shown twice may be the device's, or a race.
    V.Result = Outcome::Inconclusive;
    V.Summary = "differed once and not again: " + X.What;
  } else {
    V.Result = Outcome::Refuted;
    V.Summary = X.What + " (at " + X.Size + ")";
  }
  if (none_of(V.Rungs, [&](const Rung &One) { return One.Name == C.Rung; }))
    rung(C.Rung, true, C.Found->What);
  V.Example = std::move(X);
  return V.Result == Outcome::Refuted;
}

void Judgement::finish() {
  if (!Decided)
    inconclusive("nothing was decided");
  if (none_of(V.Rungs, [](const Rung &One) { return One.Name == "symbolic"; }))
    rung("symbolic", false, "the verdict stood without it");
  RecordInput In{R, P, Device, Symbolic, {}, {}, {}, 0, 0};
  In.Devices = std::move(Devices);
  In.Counts = std::move(Counts);
  In.Notes = std::move(Notes);
  In.TotalRuns = TotalRuns;
  In.Seconds = std::chrono::duration<double>(Clock::now() - Start).count();
  writeRecord(V, std::move(In));
}

ArrayRef<StringRef> partNames() {
  static constexpr StringRef Names[] = {"launch",
                                        "coverage",
                                        "oclgrind-memory",
                                        "oclgrind-race",
                                        "oclgrind-divergence",
                                        "oclgrind-uninitialised",
                                        "oclgrind-values",
                                        "guard-pages",
                                        "guard-zones",
                                        "poison",
                                        "self-agreement",
                                        "random-data",
                                        "extreme-data",
                                        "structured-data",
                                        "boundary-data",
                                        "scalars",
                                        "own-sizes",
                                        "reverse-order",
                                        "interval",
                                        "symbolic"};
  return Names;
}

StringRef toString(Outcome O) {
  switch (O) {
  case Outcome::Held:
    return "held";
  case Outcome::Refuted:
    return "refuted";
  case Outcome::Inconclusive:
    return "inconclusive";
  }
  return "inconclusive";
}

Expected<Verdict> judge(const JudgeRequest &Request) { return Judgement(Request).run(); }

} // namespace clmali::verify
