// The rungs that run the kernels: Oclgrind and protected pages at the same time, then differential
// runs, then the inputs and the counterexample of the symbolic rung.
#include "rewriters/verify/rungs/Judgement.h"

#include "rewriters/verify/run/Oclgrind.h"
#include "rewriters/verify/run/Worker.h"
#include "rewriters/verify/rungs/GenericRung.h"
#include "rewriters/verify/rungs/Overflow.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/Twine.h"

#include <algorithm>
#include <optional>
#include <set>

using namespace llvm;

namespace clmali::verify {

namespace {

constexpr uint64_t PagesMostItems = 1 << 15;
constexpr uint64_t PagesMostItemsOfLarge = 1 << 18; ///< those are left out where they are slow
constexpr uint64_t PagesMostBytes = uint64_t(8) << 20;
/// Oclgrind is some hundred times slower than the device.
constexpr uint64_t OclgrindMostItems = 700;
/// Limit where no size is that small: then the smallest one is run.
constexpr uint64_t OclgrindMostItemsOfOne = 1 << 14;
/// One of the judge's larger sizes is run where it takes little time.
constexpr uint64_t OclgrindMostItemsOfLarge = 1 << 13;
constexpr unsigned OclgrindSizes = 5;
constexpr unsigned OclgrindSeconds = 25;
/// Some compilers take a thousand times as long without optimisation.
constexpr unsigned PagesSeconds = 60;

/// True if the text contains a word of synchronisation. The result may then depend on the order of
/// work-items, which a device that runs them one after the other does not vary.
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

/// Runs against protected pages take no optimised code, so they are slow, and find invalid accesses
/// only: data and scalars matter less there.
bool isForPages(const TestInput &In) {
  if (In.Large)
    return In.Variant == 0 && In.Items <= PagesMostItemsOfLarge;
  return In.Local[0] == 0 && In.Items <= PagesMostItems && In.Bytes <= PagesMostBytes;
}

/// A finding about the kernels, not about a limit of the device.
bool hasFault(const RungRun &Run) { return Run.Found && Run.Found->Kind != "device"; }

} // namespace

void Judgement::proveGenerically() {
  if (R.Options.GenericSeconds == 0 || without("generic")) {
    V.Generic.Why = GenericProof::Reason::LeftOut;
    V.Generic.Detail = "left out by request";
  } else {
    V.Generic = runGenericRung(P, R.Options.GenericSeconds);
    addCandidates(P, V.Generic);
  }
  rung("generic", V.Generic.proved(), V.Generic.Detail);
}

void Judgement::climb() {
  proveGenerically();
  if (V.Generic.proved() && V.Generic.Pinned.empty())
    keepFew(P);
  FirstRungs First;
  setUp(First);
  runTogether(First);
  const bool Stopped = hasFault(First.Pages);
  leaveOutInvalidOriginals(First.Pages, First);
  // A fault of the original had ended the other rungs.
  if (Stopped && !hasFault(First.Pages))
    for (RungRun *Run : {&First.Oclgrind, &First.Uninitialised})
      goOn(*Run);
  reportFirst(First);
  if (decideByFirst(First))
    return;
  RungRun Runs;
  if (decideByDifferential(Runs, First))
    return;
  if (runCorners(Runs) || reportSymbolic({&Runs, &First.Pages, &First.Oclgrind}))
    return;
  decide(Runs);
}

void Judgement::goOn(RungRun &Run) {
  if (hasFault(Run) || !Run.Cannot.empty() || !Run.Broken.empty())
    return;
  const std::vector<size_t> All = Run.Setup.Inputs;
  llvm::erase_if(Run.Setup.Inputs,
                 [&](size_t I) { return Run.Done.count(I) || Run.Skipped.count(I); });
  if (!Run.Setup.Inputs.empty())
    runChild(taskOf(Run, P, R.Options.Progress));
  Run.Setup.Inputs = All;
}

void Judgement::setUp(FirstRungs &F) {
  F.Oclgrind.Rung = "oclgrind";
  F.Oclgrind.Setup.M = WorkerSetup::Mode::Oclgrind;
  F.Oclgrind.Setup.Choice.Library = findOclgrind(R.Options);
  F.HasOclgrind = !F.Oclgrind.Setup.Choice.Library.empty();
  chooseOclgrindInputs(F.Oclgrind.Setup.Inputs);

  F.Uninitialised.Rung = "oclgrind-uninitialised";
  F.Uninitialised.Setup = F.Oclgrind.Setup;
  F.Uninitialised.Setup.Uninitialised = true;
  std::vector<size_t> &Inputs = F.Uninitialised.Setup.Inputs;
  llvm::erase_if(Inputs, [this](size_t I) { return P.Inputs[I].Fill != Pattern::Declared; });
  if (Inputs.size() > 2)
    Inputs.resize(2);

  if (usesImages(P)) {
    Inputs.clear();
    F.Uninitialised.Cannot = "Oclgrind does not follow uninitialised values through images";
  }

  F.Pages.Rung = "guard-pages";
  F.Pages.Setup.M = WorkerSetup::Mode::Pages;
  F.Pages.Setup.Unoptimised = true;
  F.Pages.Setup.Choice = Main;
  F.Pages.Setup.DiffersByOverflow = overflowCheck(P);
  bool IsPocl = StringRef(Device.Platform).contains_insensitive("Portable Computing Language");
  if (!IsPocl)
    F.Pages.Setup.Choice.Wanted = "Portable Computing Language";
  if (!without("guard-pages"))
    for (size_t I = 0; I < P.Inputs.size(); ++I)
      if (isForPages(P.Inputs[I]))
        F.Pages.Setup.Inputs.push_back(I);

  F.Synchronises = synchronises(R.Original.Source) || synchronises(R.Rewritten.Source);
}

void Judgement::runTogether(FirstRungs &F) {
  std::vector<ChildTask> Tasks;
  auto add = [&](RungRun &Run, unsigned Seconds) {
    Run.Seconds = Seconds;
    ChildTask T = taskOf(Run, P, R.Options.Progress);
    // A fault in one rung stops the others. Not for kernels that synchronise: the fault may not
    // show again, and another check may find it too.
    T.OnMessage = [Inner = T.OnMessage, &F](const json::Object &O) {
      bool Continue = Inner(O);
      if (F.Synchronises)
        return Continue;
      return Continue && !hasFault(F.Oclgrind) && !hasFault(F.Uninitialised) && !hasFault(F.Pages);
    };
    Tasks.push_back(std::move(T));
  };
  if (F.HasOclgrind && !F.Oclgrind.Setup.Inputs.empty())
    add(F.Oclgrind, OclgrindSeconds);
  if (F.HasOclgrind && !F.Uninitialised.Setup.Inputs.empty() && !without("oclgrind-uninitialised"))
    add(F.Uninitialised, OclgrindSeconds);
  if (!F.Pages.Setup.Inputs.empty())
    add(F.Pages, PagesSeconds);
  runChildren(std::move(Tasks));
}

void Judgement::reportFirst(FirstRungs &F) {
  note(F.Oclgrind);
  note(F.Uninitialised);
  note(F.Pages);
  if (!F.HasOclgrind)
    F.Oclgrind.Cannot = R.Options.UseOclgrind ? "Oclgrind is not installed" : "left out by request";
  else if (F.Oclgrind.Setup.Inputs.empty() && F.Oclgrind.Done.empty())
    F.Oclgrind.Cannot = "every size is too large for it";
  if (F.Uninitialised.Cannot.empty() && F.Uninitialised.Done.empty())
    F.Uninitialised.Cannot = F.Oclgrind.Cannot;
  if (without("oclgrind-uninitialised"))
    F.Uninitialised.Cannot = "left out by request";
  if (without("guard-pages"))
    F.Pages.Cannot = "left out by request";
  OclgrindClimbed = report(F.Oclgrind, "runs");
  report(F.Uninitialised, "runs");
  report(F.Pages, "runs against protected pages, without optimisation");
}

bool Judgement::decideByFirst(FirstRungs &F) {
  if (F.Pages.Suspect && F.Pages.Suspect->Kind == "unstable") {
    inconclusive(P.Inputs[F.Pages.Suspect->Input], F.Pages.Suspect->Why);
    return true;
  }
  if (judgeOriginalErrors(F.Oclgrind, F.Pages))
    return true;
  // On a device a race does not show in every run; Oclgrind reports it every time.
  std::vector<const RungRun *> Order{&F.Pages, &F.Oclgrind, &F.Uninitialised};
  if (F.Synchronises)
    Order = {&F.Oclgrind, &F.Pages, &F.Uninitialised};
  bool Any = false;
  for (const RungRun *Run : Order)
    if (hasFault(*Run)) {
      Any = true;
      if (refute(*Run))
        return true;
    }
  if (Any)
    return true; // the verdict says that it did not show again
  if (!F.Pages.Stopped.empty())
    inconclusive(F.Pages.Stopped);
  return Decided;
}

/// Nothing has shown a race, and no rung that ran would see one.
void Judgement::judgeWithoutOclgrind(const RungRun &Oclgrind) {
  for (const RungRun::OriginalError &E : Oclgrind.OriginalErrors)
    if (E.Class == "race" && P.Inputs[E.Input].Fill == Pattern::Declared)
      return inconclusive(P.Inputs[E.Input], "the original is racy: " + E.Message);
  inconclusive(because("the kernels synchronise, this device runs work-items in order, and "
                       "Oclgrind, which would see a race, did not run",
                       without("oclgrind-race") ? "left out by request" : whyNotClimbed(Oclgrind)));
}

bool Judgement::decideByDifferential(RungRun &Runs, const FirstRungs &F) {
  Runs.Rung = "differential";
  Runs.Setup.M = WorkerSetup::Mode::Guards;
  Runs.Setup.Choice = Main;
  Runs.Setup.DiffersByOverflow = overflowCheck(P);
  // Results that Oclgrind computed before it crashed are used too.
  Runs.Setup.Others = &F.Oclgrind.Outputs;
  Runs.Setup.SelfAgreement = !without("self-agreement");
  differential(Runs, F);
  if (Decided)
    return true;
  if (hasFault(Runs))
    refute(Runs);
  else if (Runs.Found)
    inconclusive(Runs.Found->What);
  else if (!Runs.Cannot.empty())
    inconclusive(Runs.Cannot);
  else if (!Runs.Broken.empty())
    inconclusive(Runs.Broken);
  else if (!Runs.Stopped.empty())
    inconclusive(Runs.Stopped);
  else if (Runs.OutOfTime)
    inconclusive("not all sizes could be run in " + std::to_string(R.Options.TotalTimeout) + " s");
  else if (Device.Type == "CPU" && F.Synchronises && (!OclgrindClimbed || without("oclgrind-race")))
    judgeWithoutOclgrind(F.Oclgrind);
  return Decided || imagesAreUnchecked({&Runs, &F.Oclgrind, &F.Pages}) || bordersAreWrong();
}

bool Judgement::runCorners(const RungRun &Runs) {
  if (R.Options.SymbolicSeconds == 0 || without("interval")) {
    rung("interval", false, "left out by request");
    return false;
  }
  std::string Detail = Symbolic.IntervalDetail.empty()
                           ? "the kernels could not be executed symbolically"
                           : Symbolic.IntervalDetail;
  RungRun Corners;
  Corners.Rung = "interval";
  Corners.Setup = Runs.Setup;
  Corners.Setup.SelfAgreement = false;
  Corners.Setup.Inputs = cornerInputs(P, Symbolic);
  if (Corners.Setup.Inputs.empty()) {
    rung("interval", Symbolic.IntervalClimbed, Detail);
    return false;
  }
  runChild(taskOf(Corners, P, R.Options.Progress));
  note(Corners);
  if (hasFault(Corners) && refute(Corners))
    return true;
  rung("interval", Symbolic.IntervalClimbed && !Corners.Done.empty(),
       Detail + "; the inputs that drive the others furthest out of it: " +
           std::to_string(Corners.Done.size()) + " run, same result");
  return false;
}

void Judgement::chooseOclgrindInputs(std::vector<size_t> &Into) {
  for (unsigned L = 0; L < P.Launches.size(); ++L) {
    // Of the sizes that are small enough, in ascending order: the first, the last and some between.
    std::vector<unsigned> Sizes;
    for (const TestInput &In : P.Inputs)
      if (In.Launch == L && !In.Large && In.Items <= OclgrindMostItems &&
          !is_contained(Sizes, In.SizeId))
        Sizes.push_back(In.SizeId);
    if (Sizes.empty())
      for (const TestInput &In : P.Inputs)
        if (In.Launch == L && In.Items <= OclgrindMostItemsOfOne) {
          Sizes.push_back(In.SizeId);
          break;
        }
    std::vector<unsigned> Picked;
    for (unsigned I = 0; I < OclgrindSizes && !Sizes.empty(); ++I) {
      unsigned Id = Sizes[I * (Sizes.size() - 1) / (OclgrindSizes - 1)];
      if (!is_contained(Picked, Id))
        Picked.push_back(Id);
    }
    // A listed size shows whether the original is free of races where the host runs it.
    std::vector<unsigned> Listed;
    for (const TestInput &In : P.Inputs)
      if (In.Launch == L && In.Listed && is_contained(Sizes, In.SizeId))
        Listed.push_back(In.SizeId);
    if (llvm::none_of(Listed, [&](unsigned Id) { return is_contained(Picked, Id); }))
      Picked.insert(Picked.end(), Listed.begin(),
                    Listed.begin() + std::min<size_t>(1, Listed.size()));
    for (size_t I = 0; I < P.Inputs.size(); ++I) {
      const TestInput &In = P.Inputs[I];
      if (In.Launch != L || In.Variant != 0 || In.Repeat != 0 || In.Local[0] != 0 ||
          !is_contained(Picked, In.SizeId))
        continue;
      bool Middle = Picked.size() > 2 && In.SizeId == Picked[Picked.size() / 2];
      if (In.Fill == Pattern::Declared ||
          (Middle && (In.Fill == Pattern::Constants || In.Fill == Pattern::Ramp)))
        Into.push_back(I);
    }
    std::optional<size_t> Large;
    for (size_t I = 0; I < P.Inputs.size(); ++I)
      if (P.Inputs[I].Launch == L && P.Inputs[I].Large && P.Inputs[I].Variant == 0 &&
          P.Inputs[I].Items <= OclgrindMostItemsOfLarge &&
          (!Large || P.Inputs[I].Items > P.Inputs[*Large].Items))
        Large = I;
    if (Large)
      Into.push_back(*Large);
  }
}

bool Judgement::judgeOriginalErrors(RungRun &Oclgrind, const RungRun &Pages) {
  const RungRun::OriginalError *Race = nullptr, *Divergence = nullptr;
  // Oclgrind skips an input of the original with any error. Where it ran none of the sizes that
  // the launch file lists, a race at another size counts unless an access is invalid there.
  bool RanListed =
      llvm::any_of(Oclgrind.Setup.Inputs, [&](size_t I) { return P.Inputs[I].Listed; });
  auto isInvalid = [&](const RungRun *Run, size_t Index) {
    return RanListed || Run != &Oclgrind ||
           llvm::any_of(Oclgrind.OriginalErrors,
                        [&](const auto &E) { return E.Input == Index && E.Class == "memory"; });
  };
  auto strays = [&](size_t Index) {
    for (const RungRun *Run : {&Pages, static_cast<const RungRun *>(&Oclgrind)})
      for (const auto &[I, Skip] : Run->Skipped)
        if (Skip.Kind == "stray" && isInvalid(Run, I) &&
            P.Inputs[I].Launch == P.Inputs[Index].Launch &&
            P.Inputs[I].SizeId == P.Inputs[Index].SizeId && !P.Inputs[I].Listed)
          return true;
    return false;
  };
  // The launch file may leave a relation between its variables unsaid (a pitch of at least the
  // width). Where the listed sizes are free of races, a race at a size that the judge added is no
  // defect of the original: that size is not compared.
  bool ListedIsClean = llvm::any_of(Oclgrind.Done, [&](size_t I) { return P.Inputs[I].Listed; });
  for (const RungRun::OriginalError &E : Oclgrind.OriginalErrors) {
    if (P.Inputs[E.Input].Fill != Pattern::Declared)
      continue;
    if (E.Class == "race" && ListedIsClean && !P.Inputs[E.Input].Listed) {
      noteRacySize(P.Inputs[E.Input]);
      continue;
    }
    // Sizes with an invalid access are not compared at all: with a pitch below the width, say, rows
    // overlap and the last one leaves the buffer.
    if (E.Class == "race" && !Race && !strays(E.Input))
      Race = &E;
    if (E.Class == "divergence" && !Divergence)
      Divergence = &E;
  }
  if (Divergence) {
    inconclusive(P.Inputs[Divergence->Input],
                 "the original has a divergent barrier: " + Divergence->Message);
    return true;
  }
  if (!Race)
    return false;
  // Work-items that write the same value do not change the result: run again without such reports.
  RungRun Plain;
  Plain.Rung = "oclgrind";
  Plain.Setup = Oclgrind.Setup;
  Plain.Setup.UniformWrites = false;
  Plain.Setup.Inputs = {Race->Input};
  runChild(taskOf(Plain, P, nullptr));
  for (const RungRun::OriginalError &E : Plain.OriginalErrors)
    if (E.Class == "race") {
      inconclusive(P.Inputs[Race->Input], "the original is racy: " + E.Message);
      return true;
    }
  if (Plain.Done.empty() && Plain.Skipped.empty()) {
    inconclusive(P.Inputs[Race->Input], "the original is racy: " + Race->Message);
    return true;
  }
  Notes.push_back("the original's work-items write the same value to one address");
  return false;
}

void Judgement::noteRacySize(const TestInput &In) {
  std::string Text = "the original is racy at " + describe(In.At) +
                     ", which the launch file does not list; that size is not compared";
  if (!llvm::is_contained(Notes, Text))
    Notes.push_back(Text);
}

Judgement::RaceCheck Judgement::checkForRaces(size_t Index, const FirstRungs &F) {
  if (!F.HasOclgrind)
    return RaceCheck::Impossible;
  RungRun Plain;
  Plain.Rung = "oclgrind";
  Plain.Setup = F.Oclgrind.Setup;
  Plain.Setup.Uninitialised = Plain.Setup.UniformWrites = false;
  Plain.Setup.Inputs = {Index};
  Plain.Seconds = OclgrindSeconds;
  runChild(taskOf(Plain, P, nullptr));
  if (!Plain.OriginalErrors.empty())
    return RaceCheck::Racy;
  if (!Plain.Cannot.empty() || !Plain.Broken.empty())
    return RaceCheck::Impossible;
  // A finding about the rewritten kernel comes after a run of the original without errors.
  return Plain.Done.count(Index) || Plain.Found ? RaceCheck::Free : RaceCheck::Unknown;
}

void Judgement::leaveOutInvalidOriginals(RungRun &Run, const FirstRungs &F) {
  auto isAdded = [&](const TestInput &In) { return In.Variant != 0 || !In.Listed; };
  while (hasFault(Run) && isAdded(P.Inputs[Run.Found->Input])) {
    const TestInput At = P.Inputs[Run.Found->Input];
    const bool Varied = At.Variant != 0;
    const std::string With = Varied ? "with other scalars" : "at a size that is not listed";
    RaceCheck Check = checkForRaces(Run.Found->Input, F);
    if (Check == RaceCheck::Free)
      return;
    if (Check == RaceCheck::Unknown) {
      Run.Stopped =
          "the results differ " + With + " (" + describe(At.At) +
          "), where Oclgrind could not show in time that the original is free of races: " +
          Run.Found->What;
      Run.Found.reset();
      return;
    }
    if (Check == RaceCheck::Impossible && !(Varied && F.Synchronises))
      return;
    for (size_t I = 0; I < P.Inputs.size(); ++I)
      if (P.Inputs[I].Launch == At.Launch && P.Inputs[I].Variant == At.Variant &&
          (Varied || P.Inputs[I].SizeId == At.SizeId) && !Run.Done.count(I))
        Run.Skipped[I] = {"racy", With + (Check == RaceCheck::Racy
                                              ? " the original is racy, as Oclgrind reports"
                                              : " the original may be racy, and Oclgrind is not "
                                                "there to check")};
    Run.Found.reset();
    llvm::erase_if(Run.Setup.Inputs,
                   [&](size_t I) { return Run.Done.count(I) || Run.Skipped.count(I); });
    if (Run.Setup.Inputs.empty())
      return;
    runChild(taskOf(Run, P, R.Options.Progress));
  }
}

/// True if \p Skip, of input \p S, means that input \p In cannot be compared either.
/// \p WasRun: the check that skipped \p S ran \p In, without a fault.
static bool excludes(const TestInput &S, const RungRun::Skip &Skip, const TestInput &In,
                     bool IsSame, bool WasRun) {
  bool Invalid =
      Skip.Kind == "stray" || Skip.Kind == "hang" || Skip.Kind == "launch" || Skip.Kind == "slow";
  bool SameSize = S.Launch == In.Launch && S.SizeId == In.SizeId && S.Fill == Pattern::Declared &&
                  S.Variant == 0;
  // Without protected pages, an access far outside the buffers goes unnoticed, or changes the
  // process, and a later crash tells nothing.
  bool SameScalars = S.Launch == In.Launch && S.Variant != 0 && S.Variant == In.Variant &&
                     Skip.Kind == "stray" && !WasRun;
  return Invalid && (IsSame || SameSize || SameScalars);
}

void Judgement::chooseDifferentialInputs(RungRun &Runs, ArrayRef<const RungRun *> Before) {
  for (size_t I = 0; I < P.Inputs.size(); ++I) {
    bool Excluded = false;
    for (const RungRun *Run : Before)
      for (const auto &[Index, Skip] : Run->Skipped) {
        // Oclgrind's launch failures and time limits are its own.
        if (Run->Rung == "oclgrind" && (Skip.Kind != "stray" || P.Inputs[Index].Large))
          continue;
        if (!excludes(P.Inputs[Index], Skip, P.Inputs[I], Index == I, Run->Done.count(I)))
          continue;
        Excluded = true;
        Runs.Skipped[I] = Skip;
        break;
      }
    if (!Excluded)
      Runs.Setup.Inputs.push_back(I);
  }
}

void Judgement::leaveOutWrongBuild(RungRun &Runs) {
  bool Optimised = Runs.Suspect->Kind == "optimised-wrong";
  Notes.push_back(std::string("the device's ") + (Optimised ? "optimised" : "unoptimised") +
                  " build of the original disagrees with the other one and with Oclgrind at " +
                  describe(P.Inputs[Runs.Suspect->Input].At) + "; it is left out");
  LeftOut = Optimised ? "optimised build" : "unoptimised build";
  Runs.Suspect.reset();
  Runs.Setup.Unoptimised = Optimised;
  Runs.Setup.SelfAgreement = false;
  Runs.Done.clear();
  runChild(taskOf(Runs, P, R.Options.Progress));
}

void Judgement::differential(RungRun &Runs, const FirstRungs &F) {
  chooseDifferentialInputs(Runs, {&F.Pages, &F.Oclgrind});
  if (Runs.Setup.Inputs.empty()) {
    rung("differential", false, "the original cannot be run at any size");
    V.NoListedSize = true;
    std::string Why = Runs.Skipped.empty() ? std::string() : Runs.Skipped.begin()->second.Why;
    return inconclusive(because(
        "the original cannot be run at any size without an invalid access or a crash", Why));
  }
  std::vector<ChildTask> Both;
  Both.push_back(taskOf(Runs, P, R.Options.Progress));
  if (!R.Manifest.AsBuffers.empty())
    Symbolic.Detail = Symbolic.IntervalDetail = ImageAgainstBuffer;
  else if (R.Options.SymbolicSeconds > 0 && !(without("symbolic") && without("interval")))
    Both.push_back(symbolicTask(Symbolic, P, R.Options.SymbolicSeconds));
  runChildren(std::move(Both));
  if (Runs.Suspect &&
      (Runs.Suspect->Kind == "optimised-wrong" || Runs.Suspect->Kind == "unoptimised-wrong"))
    leaveOutWrongBuild(Runs);
  leaveOutInvalidOriginals(Runs, F);
  note(Runs);
  if (Runs.Suspect) {
    rung("self-agreement", false, Runs.Suspect->Why);
    return inconclusive(P.Inputs[Runs.Suspect->Input], Runs.Suspect->Why);
  }
  reportDifferential(Runs);
}

void Judgement::reportDifferential(const RungRun &Runs) {
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
  rung("guard-zones", Climbed && !without("guard-zones"), Climbed ? Zones : "no input was run");
  unsigned Several = 0;
  for (size_t I : Runs.Done)
    if (P.Inputs[I].Fill == Pattern::Declared)
      ++Several;
  bool Split = R.Manifest.Launches.size() > 1;
  rung("reverse-order", P.Disjoint && Split && Climbed && !without("reverse-order"),
       without("reverse-order") ? "left out by request"
       : !Split                 ? "the manifest has one launch"
       : !P.Disjoint            ? "the launches are not known to be disjoint"
                                : std::to_string(Several) + " inputs");
}

bool Judgement::reportSymbolic(ArrayRef<const RungRun *> Setups) {
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
  std::string OriginalRace;
  Counterexample X = replaySymbolic(P, *Symbolic.Found, Setups, OriginalRace);
  if (!OriginalRace.empty()) {
    TestInput At;
    At.At = Symbolic.Found->At;
    noteRacySize(At);
    rung("symbolic", false, "the original is racy at " + X.Size + ": " + OriginalRace);
    return false;
  }
  if (!X.Replayed && Symbolic.Found->MustBeReplayed) {
    rung("symbolic", false, "a difference that no device reproduces: " + Symbolic.Found->What);
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
