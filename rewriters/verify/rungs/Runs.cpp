// The rungs that run: Oclgrind and protected pages side by side, then
// differential runs, then what the solver says.
#include "rewriters/verify/run/Oclgrind.h"
#include "rewriters/verify/run/Worker.h"
#include "rewriters/verify/rungs/Judgement.h"

#include <algorithm>
#include <set>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/Twine.h"

using namespace llvm;

namespace clmali::verify {

namespace {

constexpr uint64_t PagesMostItems = 1 << 15;
constexpr uint64_t PagesMostBytes = uint64_t(8) << 20;
/// Oclgrind is some hundred times slower than the device.
constexpr uint64_t OclgrindMostItems = 700;
constexpr unsigned OclgrindSizes = 5;
constexpr unsigned OclgrindSeconds = 25;

/// Words of both programs that make results depend on how work-items follow one
/// another: a device that runs them in order says little about those.
bool synchronises(StringRef Text) {
  std::string Source; // without comments
  for (size_t I = 0; I < Text.size(); ++I) {
    StringRef Rest = Text.substr(I);
    if (Rest.starts_with("//"))
      I += Rest.find('\n') == StringRef::npos ? Rest.size() : Rest.find('\n');
    else if (Rest.starts_with("/*"))
      I += Rest.find("*/") == StringRef::npos ? Rest.size() : Rest.find("*/") + 1;
    else
      Source += Text[I];
  }
  for (StringRef Word :
       {"barrier", "__local", "local ", "atomic_", "atom_", "mem_fence", "async_work_group"})
    if (StringRef(Source).contains(Word))
      return true;
  return false;
}

} // namespace

void Judgement::climb() {
  RungRun Grind, Unset, Pages;
  Grind.Rung = "oclgrind";
  Grind.Setup.M = WorkerSetup::Mode::Oclgrind;
  Grind.Setup.Choice.Library = findOclgrind(R.Options);
  Pages.Rung = "guard-pages";
  Pages.Setup.M = WorkerSetup::Mode::Pages;
  Pages.Setup.Unoptimised = true;
  Pages.Setup.Choice = Main;
  bool IsPocl = StringRef(Device.Platform).contains_insensitive("Portable Computing Language");
  if (!IsPocl)
    Pages.Setup.Choice.Wanted = "Portable Computing Language";

  bool Synchronise = synchronises(R.Original.Source) || synchronises(R.Rewritten.Source);
  std::vector<ChildTask> Tasks;
  auto add = [&](RungRun &C, unsigned Seconds) {
    ChildTask T = taskOf(C, P, R.Options.Progress);
    T.TotalSeconds = std::min(T.TotalSeconds, Seconds);
    // Once one of them has found a fault, the others have nothing to add.
    T.OnMessage = [Inner = T.OnMessage, &Grind, &Unset, &Pages,
                   Synchronise](const json::Object &O) {
      bool Goes = Inner(O);
      auto settled = [](const RungRun &One) { return One.Found && One.Found->Kind != "device"; };
      if (Synchronise)
        return Goes; // the device's finding may not show again
      return Goes && !settled(Grind) && !settled(Unset) && !settled(Pages);
    };
    Tasks.push_back(std::move(T));
  };
  chooseGrindCases(Grind.Setup.TestInputs);
  for (size_t I = 0; I < P.TestInputs.size(); ++I)
    if (P.TestInputs[I].Items <= PagesMostItems && P.TestInputs[I].Bytes <= PagesMostBytes)
      Pages.Setup.TestInputs.push_back(I);
  if (without("guard-pages"))
    Pages.Setup.TestInputs.clear();
  bool HaveGrind = !Grind.Setup.Choice.Library.empty();
  if (HaveGrind && !Grind.Setup.TestInputs.empty())
    add(Grind, OclgrindSeconds);
  Unset.Rung = "oclgrind-uninitialised";
  Unset.Setup = Grind.Setup;
  Unset.Setup.Uninitialised = true;
  llvm::erase_if(Unset.Setup.TestInputs,
                 [this](size_t I) { return P.TestInputs[I].P != Pattern::Declared; });
  if (Unset.Setup.TestInputs.size() > 2)
    Unset.Setup.TestInputs.resize(2);
  if (HaveGrind && !Unset.Setup.TestInputs.empty() && !without("oclgrind-uninitialised"))
    add(Unset, OclgrindSeconds);
  if (!Pages.Setup.TestInputs.empty())
    add(Pages, R.Options.TotalTimeout);
  runChildren(std::move(Tasks));
  note(Grind);
  note(Unset);
  note(Pages);

  if (!HaveGrind)
    Grind.Cannot = R.Options.UseOclgrind ? "Oclgrind is not installed" : "left out by request";
  else if (Grind.Setup.TestInputs.empty() && Grind.Done.empty())
    Grind.Cannot = "every size is too large for it";
  if (Unset.Cannot.empty() && Unset.Done.empty())
    Unset.Cannot = Grind.Cannot;
  if (without("oclgrind-uninitialised"))
    Unset.Cannot = "left out by request";
  if (without("guard-pages"))
    Pages.Cannot = "left out by request";
  GrindClimbed = report(Grind, "runs");
  report(Unset, "runs");
  report(Pages, "runs against protected pages, without optimisation");

  if (Synchronise)
    leaveOutRacyScalars(Pages, Grind.Setup, HaveGrind);
  if (Pages.Suspect && Pages.Suspect->Kind == "unstable")
    return inconclusive(P.TestInputs[Pages.Suspect->TestInput], Pages.Suspect->Why);
  if (judgeOriginalErrors(Grind, Pages))
    return;
  // A race shows on a device today and not tomorrow; Oclgrind names it.
  std::vector<const RungRun *> Order{&Pages, &Grind, &Unset};
  if (Synchronise)
    Order = {&Grind, &Pages, &Unset};
  bool Any = false;
  for (const RungRun *C : Order)
    if (C->Found && C->Found->Kind != "device") {
      Any = true;
      if (refute(*C))
        return;
    }
  if (Any)
    return; // the verdict says that it did not show again

  if (!Pages.Stopped.empty())
    return inconclusive(Pages.Stopped);

  // Differential runs over everything at which the original behaves.
  RungRun Runs;
  Runs.Rung = "differential";
  Runs.Setup.M = WorkerSetup::Mode::Guards;
  Runs.Setup.Choice = Main;
  // What an Oclgrind that crashed computed before counts no less.
  Runs.Setup.Others = &Grind.Outputs;
  Runs.Setup.SelfAgreement = !without("self-agreement");
  differential(Runs, {&Pages, &Grind});
  if (Decided)
    return;
  if (Synchronise)
    leaveOutRacyScalars(Runs, Grind.Setup, HaveGrind);
  if (Runs.Found)
    return Runs.Found->Kind == "device" ? inconclusive(Runs.Found->What) : void(refute(Runs));
  if (!Runs.Cannot.empty())
    return inconclusive(Runs.Cannot);
  if (!Runs.Broken.empty())
    return inconclusive(Runs.Broken);
  if (!Runs.Stopped.empty())
    return inconclusive(Runs.Stopped);
  if (Runs.OutOfTime)
    return inconclusive("not all sizes could be run in " + std::to_string(R.Options.TotalTimeout) +
                        " s");
  if (Device.Type == "CPU" && Synchronise && (!GrindClimbed || without("oclgrind-race")))
    return inconclusive("the kernels synchronise, this device runs work-items in order, and "
                        "Oclgrind, which would see a race, was not climbed: " +
                        Grind.Cannot + Grind.Broken + Grind.Stopped +
                        (without("oclgrind-race") ? "left out by request" : ""));
  if (heedCorners(Runs) || heedSolver({&Runs, &Pages, &Grind}))
    return;
  decide(Runs);
}

bool Judgement::heedCorners(const RungRun &Runs) {
  if (R.Options.SymbolicSeconds == 0 || without("interval")) {
    rung("interval", false, "left out by request");
    return false;
  }
  std::string Detail = Symbolic.IntervalDetail.empty()
                           ? "the kernels could not be executed over terms"
                           : Symbolic.IntervalDetail;
  RungRun Corners;
  Corners.Rung = "interval";
  Corners.Setup = Runs.Setup;
  Corners.Setup.SelfAgreement = false;
  Corners.Setup.TestInputs = cornerCases(P, Symbolic);
  if (Corners.Setup.TestInputs.empty()) {
    rung("interval", Symbolic.IntervalClimbed, Detail);
    return false;
  }
  runChild(taskOf(Corners, P, R.Options.Progress));
  note(Corners);
  if (Corners.Found && Corners.Found->Kind != "device" && refute(Corners))
    return true;
  rung("interval", Symbolic.IntervalClimbed && !Corners.Done.empty(),
       Detail + "; the inputs that drive the others furthest out of it: " +
           std::to_string(Corners.Done.size()) + " run, same result");
  return false;
}

void Judgement::chooseGrindCases(std::vector<size_t> &Into) {
  for (unsigned L = 0; L < P.Launches.size(); ++L) {
    // Sizes in ascending order; of those that are small enough, the first,
    // the last and some between.
    std::vector<unsigned> Sizes;
    for (const TestInput &C : P.TestInputs)
      if (C.Launch == L && C.Items <= OclgrindMostItems && !is_contained(Sizes, C.SizeId))
        Sizes.push_back(C.SizeId);
    if (Sizes.empty())
      for (const TestInput &C : P.TestInputs)
        if (C.Launch == L && C.Items <= (1 << 14)) {
          Sizes.push_back(C.SizeId);
          break;
        }
    std::vector<unsigned> Picked;
    for (unsigned I = 0; I < OclgrindSizes && !Sizes.empty(); ++I) {
      unsigned Id = Sizes[I * (Sizes.size() - 1) / (OclgrindSizes - 1)];
      if (!is_contained(Picked, Id))
        Picked.push_back(Id);
    }
    for (size_t I = 0; I < P.TestInputs.size(); ++I) {
      const TestInput &C = P.TestInputs[I];
      if (C.Launch != L || C.Variant != 0 || C.Repeat != 0 || !is_contained(Picked, C.SizeId))
        continue;
      bool Middle = Picked.size() > 2 && C.SizeId == Picked[Picked.size() / 2];
      if (C.P == Pattern::Declared ||
          (Middle && (C.P == Pattern::Constants || C.P == Pattern::Ramp)))
        Into.push_back(I);
    }
  }
}

bool Judgement::judgeOriginalErrors(RungRun &Grind, const RungRun &Pages) {
  const RungRun::OriginalError *Race = nullptr, *Divergence = nullptr;
  auto strays = [&](size_t Index) {
    for (const RungRun *C : {&Pages, static_cast<const RungRun *>(&Grind)})
      for (const auto &[I, Skip] : C->Skipped)
        if (Skip.Kind == "stray" && P.TestInputs[I].Launch == P.TestInputs[Index].Launch &&
            P.TestInputs[I].SizeId == P.TestInputs[Index].SizeId && !P.TestInputs[I].Listed)
          return true;
    return false;
  };
  for (const RungRun::OriginalError &E : Grind.OriginalErrors) {
    if (P.TestInputs[E.TestInput].P != Pattern::Declared)
      continue;
    // Where it strays, nothing is compared: with a pitch below the width, rows meet and the
    // last one leaves the buffer.
    if (E.Class == "race" && !Race && !strays(E.TestInput))
      Race = &E;
    if (E.Class == "divergence" && !Divergence)
      Divergence = &E;
  }
  if (Divergence) {
    inconclusive(P.TestInputs[Divergence->TestInput],
                 "the original has a divergent barrier: " + Divergence->Message);
    return true;
  }
  if (!Race)
    return false;
  // Many work-items that write one same value do no harm; ask without them.
  RungRun Plain;
  Plain.Rung = "oclgrind";
  Plain.Setup = Grind.Setup;
  Plain.Setup.UniformWrites = false;
  Plain.Setup.TestInputs = {Race->TestInput};
  runChild(taskOf(Plain, P, nullptr));
  for (const RungRun::OriginalError &E : Plain.OriginalErrors)
    if (E.Class == "race") {
      inconclusive(P.TestInputs[Race->TestInput], "the original is racy: " + E.Message);
      return true;
    }
  if (Plain.Done.empty() && Plain.Skipped.empty()) {
    inconclusive(P.TestInputs[Race->TestInput], "the original is racy: " + Race->Message);
    return true;
  }
  Notes.push_back("the original's work-items write the same value to one "
                  "address");
  return false;
}

void Judgement::leaveOutRacyScalars(RungRun &C, const WorkerSetup &Grind, bool HaveGrind) {
  while (C.Found && C.Found->Kind != "device" && P.TestInputs[C.Found->TestInput].Variant != 0) {
    size_t At = C.Found->TestInput;
    const unsigned Launch = P.TestInputs[At].Launch, Variant = P.TestInputs[At].Variant;
    if (HaveGrind) {
      RungRun Plain;
      Plain.Rung = "oclgrind";
      Plain.Setup = Grind;
      Plain.Setup.Uninitialised = Plain.Setup.UniformWrites = false;
      Plain.Setup.TestInputs = {At};
      runChild(taskOf(Plain, P, nullptr));
      if (Plain.OriginalErrors.empty())
        return;
    }
    for (size_t I = 0; I < P.TestInputs.size(); ++I)
      if (P.TestInputs[I].Launch == Launch && P.TestInputs[I].Variant == Variant &&
          !C.Done.count(I))
        C.Skipped[I] = {"racy", HaveGrind ? "with other scalars the original is "
                                            "racy, as Oclgrind sees it"
                                          : "with other scalars the original may "
                                            "be racy, and Oclgrind is not there "
                                            "to tell"};
    C.Found.reset();
    llvm::erase_if(C.Setup.TestInputs,
                   [&](size_t I) { return C.Done.count(I) || C.Skipped.count(I); });
    if (C.Setup.TestInputs.empty())
      return;
    runChild(taskOf(C, P, R.Options.Progress));
  }
}

void Judgement::differential(RungRun &Runs, ArrayRef<const RungRun *> Before) {
  for (size_t I = 0; I < P.TestInputs.size(); ++I) {
    bool Bad = false;
    for (const RungRun *C : Before) {
      for (const auto &[Index, Skip] : C->Skipped) {
        const TestInput &S = P.TestInputs[Index];
        bool SameSize = S.Launch == P.TestInputs[I].Launch && S.SizeId == P.TestInputs[I].SizeId &&
                        S.P == Pattern::Declared && S.Variant == 0;
        bool Astray = Skip.Kind == "stray" || Skip.Kind == "hang" || Skip.Kind == "launch" ||
                      Skip.Kind == "slow";
        if (C->Rung == "oclgrind" && Skip.Kind != "stray")
          continue;
        Bad |= Astray && (Index == I || SameSize);
        if (Bad) {
          Runs.Skipped[I] = Skip;
          break;
        }
      }
    }
    if (!Bad)
      Runs.Setup.TestInputs.push_back(I);
  }
  if (Runs.Setup.TestInputs.empty()) {
    rung("differential", false, "the original cannot be run at any size");
    std::string Why = Runs.Skipped.empty() ? std::string() : Runs.Skipped.begin()->second.Why;
    return inconclusive("the original cannot be run at any size without "
                        "straying or crashing: " +
                        Why);
  }
  std::vector<ChildTask> Both;
  Both.push_back(taskOf(Runs, P, R.Options.Progress));
  if (R.Options.SymbolicSeconds > 0 && !(without("symbolic") && without("interval")))
    Both.push_back(symbolicTask(Symbolic, P, R.Options.SymbolicSeconds));
  runChildren(std::move(Both));
  if (Runs.Suspect &&
      (Runs.Suspect->Kind == "optimised-wrong" || Runs.Suspect->Kind == "unoptimised-wrong")) {
    bool Optimised = Runs.Suspect->Kind == "optimised-wrong";
    Notes.push_back(std::string("the device's ") + (Optimised ? "optimised" : "unoptimised") +
                    " build of the original disagrees with the other one and with "
                    "Oclgrind at " +
                    describe(P.TestInputs[Runs.Suspect->TestInput].At) + "; it is left out");
    LeftOut = Optimised ? "optimised build" : "unoptimised build";
    Runs.Suspect.reset();
    Runs.Setup.Unoptimised = Optimised;
    Runs.Setup.SelfAgreement = false;
    Runs.Done.clear();
    runChild(taskOf(Runs, P, R.Options.Progress));
  }
  note(Runs);
  if (Runs.Suspect) {
    rung("self-agreement", false, Runs.Suspect->Why);
    return inconclusive(P.TestInputs[Runs.Suspect->TestInput], Runs.Suspect->Why);
  }
  rung("self-agreement", !without("self-agreement"),
       without("self-agreement") ? "left out by request"
       : LeftOut.empty()         ? "twice, with and without optimisation" +
                               std::string(Runs.Setup.Others->empty() ? "" : ", Oclgrind")
                         : LeftOut + " left out");
  report(Runs, "runs");
  bool Climbed = !Runs.Done.empty();
  std::string Zones = "poison before and after each buffer, two patterns";
  for (const char *Part : {"guard-zones", "poison"})
    if (without(Part))
      Zones += std::string("; ") + Part + " left out by request";
  rung("guard-zones", Climbed && !without("guard-zones"), Climbed ? Zones : "no case was run");
  unsigned Several = 0;
  for (size_t I : Runs.Done)
    if (P.TestInputs[I].P == Pattern::Declared)
      ++Several;
  bool Split = R.Manifest.Launches.size() > 1;
  rung("reverse-order", P.Disjoint && Split && Climbed && !without("reverse-order"),
       without("reverse-order") ? "left out by request"
       : !Split                 ? "the manifest has one launch"
       : !P.Disjoint            ? "the launches are not known to be disjoint"
                                : std::to_string(Several) + " cases");
}

bool Judgement::heedSolver(ArrayRef<const RungRun *> Ways) {
  if (R.Options.SymbolicSeconds == 0 || without("symbolic")) {
    rung("symbolic", false, "left out by request");
    Symbolic.Proved = false;
    return false;
  }
  if (!Symbolic.Found) {
    rung("symbolic", Symbolic.Proved,
         Symbolic.Detail.empty() ? "the solver gave no answer" : Symbolic.Detail);
    return false;
  }
  Counterexample X = replaySymbolic(P, *Symbolic.Found, Ways);
  if (!X.Replayed && Symbolic.Found->MustBeReplayed) {
    rung("symbolic", false, "a difference that no device shows: " + Symbolic.Found->What);
    return false;
  }
  rung("symbolic", true, Symbolic.Found->What);
  Decided = true;
  V.Result = X.Replayed ? Outcome::Refuted : Outcome::Inconclusive;
  V.Summary = (X.Replayed ? ""
                          : "the solver has a counterexample that no "
                            "device shows: ") +
              X.What + " (at " + X.Size + ")";
  V.Example = std::move(X);
  return true;
}

} // namespace clmali::verify
