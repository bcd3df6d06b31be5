// The ladder: probe, launch validity, coverage, Oclgrind and protected pages
// side by side, then differential runs; and the verdict from what they say.
#include "rewriters/verify/Judge.h"
#include "rewriters/verify/Campaign.h"
#include "rewriters/verify/Oclgrind.h"
#include "rewriters/verify/Plan.h"
#include "rewriters/verify/Record.h"
#include "rewriters/verify/Shrink.h"
#include "rewriters/verify/SymbolicRung.h"
#include "rewriters/verify/Worker.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/Twine.h"

#include <algorithm>
#include <chrono>
#include <set>

using namespace llvm;

namespace clmali::verify {
namespace {

Error failure(const Twine &Message) {
  return createStringError(inconvertibleErrorCode(), Message);
}

using Clock = std::chrono::steady_clock;

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
  for (StringRef Word : {"barrier", "__local", "local ", "atomic_", "atom_",
                         "mem_fence", "async_work_group"})
    if (StringRef(Source).contains(Word))
      return true;
  return false;
}

/// Everything a judgement knows while it goes on.
class Judgement {
public:
  explicit Judgement(const JudgeRequest &R) : R(R), Start(Clock::now()) {
    P.Request = &R;
  }

  Expected<Verdict> run() {
    if (R.Launches.empty())
      return failure("no launch file: the judge must know how the host runs the "
                     "kernel");
    if (R.Manifest.Launches.empty())
      return failure("the manifest has no launch for kernel '" +
                     R.Manifest.Original + "'");
    for (const launch::LaunchFile &F : R.Launches)
      if (F.Kernel != R.Manifest.Original)
        return failure(F.Path + " launches kernel '" + F.Kernel +
                       "', and the manifest replaces '" + R.Manifest.Original +
                       "'");
    if (Error E = probeKernels())
      return E;
    if (!Decided && checkStatically() && !Decided)
      climb();
    finish();
    return std::move(V);
  }

private:
  // --- what stands fixed before anything runs ---
  Error probeKernels() {
    Main.Wanted = R.Options.Platform;
    std::string Cannot, Broken;
    std::map<std::string, std::vector<KernelShape>> New;
    ChildTask T;
    T.SilenceSeconds = std::max(R.Options.LaunchTimeout, 60u); // compiling
    T.TotalSeconds = R.Options.TotalTimeout;
    T.Work = [this](Channel &Out) { probe(Out, R, Main); };
    P.Launches.resize(R.Launches.size());
    T.OnMessage = [&](const json::Object &O) {
      if (const json::Object *D = O.getObject("device"))
        Device = infoFromJson(*D);
      else if (std::optional<StringRef> Text = O.getString("cannot"))
        Cannot = Text->str();
      else if (std::optional<StringRef> Text = O.getString("broken"))
        Broken = Text->str();
      else if (const json::Object *S = O.getObject("shape")) {
        KernelShape Shape = shapeFromJson(*S);
        unsigned L = S->getInteger("launch").value_or(0);
        if (S->getBoolean("rewritten").value_or(false))
          New[Shape.Name].push_back(std::move(Shape));
        else
          P.Launches[L].Shape = std::move(Shape);
      }
      return true;
    };
    ChildTask Limits = T;
    ChildEnd End = runChild(std::move(T));
    if (!Cannot.empty()) {
      inconclusive(Cannot);
      return Error::success();
    }
    if (!Broken.empty()) {
      inconclusive("the rewritten program: " + Broken);
      return Error::success();
    }
    if (End.K != ChildEnd::Kind::Finished) {
      inconclusive("building the kernels: the device " + describe(End, Limits));
      return Error::success();
    }
    for (unsigned L = 0; L < R.Launches.size(); ++L) {
      const launch::LaunchFile &F = R.Launches[L];
      if (Error E = checkFits(F, P.Launches[L].Shape))
        return E;
      Plan::PerLaunch &Per = P.Launches[L];
      Per.OriginalOptions = originalOptions(R, L);
      Per.RewrittenOptions = rewrittenOptions(R, L);
      Per.Variants.assign(1, {});
      bool AllExact = F.Compare.isExact();
      bool AnyTolerance = F.Compare.Ulp || F.Compare.Relative || F.Compare.Absolute;
      for (const launch::Argument &A : F.Args)
        if (A.Compare) {
          AllExact &= A.Compare->isExact();
          AnyTolerance = true;
        }
      bool Fast = allowsFastMath(Per.OriginalOptions);
      bool Floats = mentionsFloats(R.Original.Source);
      if (Fast && Floats && !AnyTolerance)
        return failure(F.Path + ": the build options let the compiler change "
                       "floating-point results; say how near they must be: "
                       "compare: { ulp: N } or { rel: X }");
      Per.Rules.Tame = !AllExact || Fast;
    }
    for (const auto &[Name, Shapes] : New)
      for (const KernelShape &S : Shapes)
        if (without("launch"))
          continue;
        else if (std::string Why = signatureDiffers(P.Launches[0].Shape, S);
            !Why.empty()) {
          refuteStatically("launch", Why);
          return Error::success();
        }
    for (const auto &[Name, Shapes] : New)
      NewShapes[Name] = Shapes.front();
    P.Constants = scanConstants(R.Original.Source);
    for (double D : scanConstants(R.Rewritten.Source).Floats)
      P.Constants.add(D);
    for (const launch::LaunchFile &F : R.Launches)
      for (const auto &[Name, Text] : F.Defines) {
        double Value;
        if (!StringRef(Text).getAsDouble(Value))
          P.Constants.add(Value);
      }
    P.FloatsAbout = mentionsFloats(R.Original.Source);
    for (const Plan::PerLaunch &L : P.Launches)
      for (const Parameter &Param : L.Shape.Params)
        P.FloatsAbout |= Param.Type.isFloat();
    return Error::success();
  }

  std::string signatureDiffers(const KernelShape &Old, const KernelShape &New) {
    if (Old.Params.size() != New.Params.size())
      return "kernel '" + New.Name + "' takes " +
             std::to_string(New.Params.size()) + " arguments, the original " +
             std::to_string(Old.Params.size()) +
             ": the host would pass the wrong ones";
    for (unsigned I = 0; I < Old.Params.size(); ++I) {
      const Parameter &A = Old.Params[I], &B = New.Params[I];
      bool Same = A.IsPointer == B.IsPointer &&
                  (A.Where == Parameter::Space::Local) ==
                      (B.Where == Parameter::Space::Local) &&
                  (A.IsPointer || A.Type.Size == B.Type.Size);
      // A scalar keeps its kind; a pointer may point to wider elements.
      if (Same && !A.IsPointer && A.Type.K != ElementType::Kind::Raw)
        Same = A.Type.isFloat() == B.Type.isFloat();
      if (!Same)
        return "argument " + std::to_string(I) + " ('" + A.Name + "') is " +
               A.TypeName + " in the original and " + B.TypeName +
               " in kernel '" + New.Name + "'";
    }
    return {};
  }

  bool checkStatically() {
    std::vector<CoverageSize> Sizes = coverageSizes(P);
    std::vector<launch::CoverageCase> Many;
    for (const CoverageSize &S : Sizes)
      Many.push_back(S.Geometry);
    if (without("launch")) {
      rung("launch", false, "left out by request");
    } else {
      for (const launch::CoverageCase &C : Many)
        if (!launchValid(C))
          return false;
      rung("launch", true,
           std::to_string(Many.size()) + " geometries give valid launches");
    }

    std::vector<size_t> Holes;
    Expected<std::map<std::string, launch::Blocks>> Shape =
        launch::inferBlocks(R.Manifest, Many, &Holes);
    if (Shape) {
      P.Blocks = *Shape;
      P.Disjoint = true;
      std::string Text = "each work-item once, at " +
                         std::to_string(Many.size()) + " geometries";
      for (const auto &[Name, B] : *Shape)
        Text += "; " + Name + ": " + std::to_string(B.Factor[0]) + "x" +
                std::to_string(B.Factor[1]) + "x" + std::to_string(B.Factor[2]) +
                " each";
      rung("coverage", true, Text);
    } else {
      std::string Why = llvm::toString(Shape.takeError());
      rung("coverage", false,
           "no block of work-items for each new one tiles the range: " + Why);
      // At most sizes one does: then the others are suspect, and are run.
      if (Holes.size() * 2 > Many.size())
        Holes.clear();
    }
    if (Error E = chooseCases(P)) {
      inconclusive(llvm::toString(std::move(E)));
      return false;
    }
    if (!without("coverage")) {
      std::vector<CoverageSize> Suspect;
      for (size_t I : Holes)
        Suspect.push_back(Sizes[I]);
      addHoles(P, Suspect);
    } else {
      V.Rungs.back() = {"coverage", false, "left out by request"};
    }
    for (const Case &C : P.Cases) {
      Expected<CaseShape> S = shapeOf(P, C.Launch, C.At, C.Variant);
      if (!S) {
        consumeError(S.takeError());
        continue;
      }
      if (!without("launch") && !launchValid({S->Original, S->Integers}))
        return false;
    }
    return true;
  }

  /// What OpenCL 1.2 asks of a launch, whatever this device lets pass.
  bool launchValid(const launch::CoverageCase &C) {
    Expected<std::vector<launch::ResolvedLaunch>> L =
        launch::resolveLaunches(R.Manifest, C.Original, C.Arguments);
    auto where = [&] {
      std::string Text = "at global size (";
      for (unsigned D = 0; D < C.Original.Dimensions; ++D)
        Text += (D ? ", " : "") + std::to_string(C.Original.Global[D]);
      return Text + ")";
    };
    if (!L) {
      refuteStatically("launch",
                       where() + ": " + llvm::toString(L.takeError()));
      return false;
    }
    for (const launch::ResolvedLaunch &One : *L) {
      auto It = NewShapes.find(One.Kernel);
      if (It == NewShapes.end())
        continue;
      const KernelShape &S = It->second;
      if (S.RequiredLocal[0] != 0 && One.Shape.Local != S.RequiredLocal) {
        refuteStatically(
            "launch", where() + ": kernel '" + One.Kernel +
                          "' has reqd_work_group_size, and the manifest's "
                          "launch has " +
                          (One.Shape.hasLocal() ? "another local size"
                                                : "no local size"));
        return false;
      }
      for (const auto &[Name, Bytes] : One.LocalBytes) {
        bool Known = false;
        for (unsigned I = 0; I < R.Launches[0].Args.size(); ++I)
          Known |= R.Launches[0].Args[I].Name == Name &&
                   R.Launches[0].Args[I].K == launch::Argument::Kind::Local;
        if (!Known) {
          refuteStatically("launch", "localBytes names '" + Name +
                                         "', which is no __local argument");
          return false;
        }
      }
      uint64_t Items =
          One.Shape.Local[0] * One.Shape.Local[1] * One.Shape.Local[2];
      if (Items > S.MostItems && S.MostItems > 0) {
        inconclusive(where() + ": kernel '" + One.Kernel +
                     "' asks for work-groups of " + std::to_string(Items) +
                     ", this device has at most " + std::to_string(S.MostItems));
        return false;
      }
    }
    return true;
  }

  // --- the rungs ---
  bool without(const char *Part) const {
    return R.Options.Without.count(Part) != 0;
  }

  void climb() {
    Campaign Grind, Unset, Pages;
    Grind.Rung = "oclgrind";
    Grind.Setup.M = WorkerSetup::Mode::Oclgrind;
    Grind.Setup.Choice.Library = findOclgrind(R.Options);
    Pages.Rung = "guard-pages";
    Pages.Setup.M = WorkerSetup::Mode::Pages;
    Pages.Setup.Unoptimised = true;
    Pages.Setup.Choice = Main;
    bool IsPocl = StringRef(Device.Platform)
                      .contains_insensitive("Portable Computing Language");
    if (!IsPocl)
      Pages.Setup.Choice.Wanted = "Portable Computing Language";

    bool Synchronise =
        synchronises(R.Original.Source) || synchronises(R.Rewritten.Source);
    std::vector<ChildTask> Tasks;
    auto add = [&](Campaign &C, unsigned Seconds) {
      ChildTask T = taskOf(C, P, R.Options.Progress);
      T.TotalSeconds = std::min(T.TotalSeconds, Seconds);
      // Once one of them has found a fault, the others have nothing to add.
      T.OnMessage = [Inner = T.OnMessage, &Grind, &Unset, &Pages,
                     Synchronise](const json::Object &O) {
        bool Goes = Inner(O);
        auto settled = [](const Campaign &One) {
          return One.Found && One.Found->Kind != "device";
        };
        if (Synchronise)
          return Goes; // the device's finding may not show again
        return Goes && !settled(Grind) && !settled(Unset) && !settled(Pages);
      };
      Tasks.push_back(std::move(T));
    };
    chooseGrindCases(Grind.Setup.Cases);
    for (size_t I = 0; I < P.Cases.size(); ++I)
      if (P.Cases[I].Items <= PagesMostItems && P.Cases[I].Bytes <= PagesMostBytes)
        Pages.Setup.Cases.push_back(I);
    if (without("guard-pages"))
      Pages.Setup.Cases.clear();
    bool HaveGrind = !Grind.Setup.Choice.Library.empty();
    if (HaveGrind && !Grind.Setup.Cases.empty())
      add(Grind, OclgrindSeconds);
    Unset.Rung = "oclgrind-uninitialised";
    Unset.Setup = Grind.Setup;
    Unset.Setup.Uninitialised = true;
    llvm::erase_if(Unset.Setup.Cases, [this](size_t I) {
      return P.Cases[I].P != Pattern::Declared;
    });
    if (Unset.Setup.Cases.size() > 2)
      Unset.Setup.Cases.resize(2);
    if (HaveGrind && !Unset.Setup.Cases.empty() &&
        !without("oclgrind-uninitialised"))
      add(Unset, OclgrindSeconds);
    if (!Pages.Setup.Cases.empty())
      add(Pages, R.Options.TotalTimeout);
    runChildren(std::move(Tasks));
    note(Grind);
    note(Unset);
    note(Pages);

    if (!HaveGrind)
      Grind.Cannot = R.Options.UseOclgrind ? "Oclgrind is not installed"
                                           : "left out by request";
    else if (Grind.Setup.Cases.empty() && Grind.Done.empty())
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
      return inconclusive(P.Cases[Pages.Suspect->Case], Pages.Suspect->Why);
    if (judgeOriginalErrors(Grind))
      return;
    // A race shows on a device today and not tomorrow; Oclgrind names it.
    std::vector<const Campaign *> Order{&Pages, &Grind, &Unset};
    if (Synchronise)
      Order = {&Grind, &Pages, &Unset};
    bool Any = false;
    for (const Campaign *C : Order)
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
    Campaign Runs;
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
      return Runs.Found->Kind == "device" ? inconclusive(Runs.Found->What)
                                          : void(refute(Runs));
    if (!Runs.Cannot.empty())
      return inconclusive(Runs.Cannot);
    if (!Runs.Broken.empty())
      return inconclusive(Runs.Broken);
    if (!Runs.Stopped.empty())
      return inconclusive(Runs.Stopped);
    if (Runs.OutOfTime)
      return inconclusive("not all sizes could be run in " +
                          std::to_string(R.Options.TotalTimeout) + " s");
    if (Device.Type == "CPU" && Synchronise &&
        (!GrindClimbed || without("oclgrind-race")))
      return inconclusive(
          "the kernels synchronise, this device runs work-items in order, and "
          "Oclgrind, which would see a race, was not climbed: " +
          Grind.Cannot + Grind.Broken + Grind.Stopped +
          (without("oclgrind-race") ? "left out by request" : ""));
    if (heedCorners(Runs) || heedSolver({&Runs, &Pages, &Grind}))
      return;
    decide(Runs);
  }

  /// Runs the inputs that may drive narrow arithmetic out of its range. True
  /// where that decides against the rewritten kernel.
  bool heedCorners(const Campaign &Runs) {
    if (R.Options.SymbolicSeconds == 0 || without("interval")) {
      rung("interval", false, "left out by request");
      return false;
    }
    std::string Detail = Symbolic.IntervalDetail.empty()
                             ? "the kernels could not be executed over terms"
                             : Symbolic.IntervalDetail;
    Campaign Corners;
    Corners.Rung = "interval";
    Corners.Setup = Runs.Setup;
    Corners.Setup.SelfAgreement = false;
    Corners.Setup.Cases = cornerCases(P, Symbolic);
    if (Corners.Setup.Cases.empty()) {
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

  void chooseGrindCases(std::vector<size_t> &Into) {
    for (unsigned L = 0; L < P.Launches.size(); ++L) {
      // Sizes in ascending order; of those that are small enough, the first,
      // the last and some between.
      std::vector<unsigned> Sizes;
      for (const Case &C : P.Cases)
        if (C.Launch == L && C.Items <= OclgrindMostItems &&
            !is_contained(Sizes, C.SizeId))
          Sizes.push_back(C.SizeId);
      if (Sizes.empty())
        for (const Case &C : P.Cases)
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
      for (size_t I = 0; I < P.Cases.size(); ++I) {
        const Case &C = P.Cases[I];
        if (C.Launch != L || C.Variant != 0 || C.Repeat != 0 ||
            !is_contained(Picked, C.SizeId))
          continue;
        bool Middle = Picked.size() > 2 && C.SizeId == Picked[Picked.size() / 2];
        if (C.P == Pattern::Declared ||
            (Middle && (C.P == Pattern::Constants || C.P == Pattern::Ramp)))
          Into.push_back(I);
      }
    }
  }

  /// Races and divergent barriers of the original: nothing can be compared with
  /// a result that is not determined. True where that decides.
  bool judgeOriginalErrors(Campaign &Grind) {
    const Campaign::OriginalError *Race = nullptr, *Divergence = nullptr;
    for (const Campaign::OriginalError &E : Grind.OriginalErrors) {
      if (P.Cases[E.Case].P != Pattern::Declared)
        continue;
      if (E.Class == "race" && !Race)
        Race = &E;
      if (E.Class == "divergence" && !Divergence)
        Divergence = &E;
    }
    if (Divergence) {
      inconclusive(P.Cases[Divergence->Case],
                   "the original has a divergent barrier: " + Divergence->Message);
      return true;
    }
    if (!Race)
      return false;
    // Many work-items that write one same value do no harm; ask without them.
    Campaign Plain;
    Plain.Rung = "oclgrind";
    Plain.Setup = Grind.Setup;
    Plain.Setup.UniformWrites = false;
    Plain.Setup.Cases = {Race->Case};
    runChild(taskOf(Plain, P, nullptr));
    for (const Campaign::OriginalError &E : Plain.OriginalErrors)
      if (E.Class == "race") {
        inconclusive(P.Cases[Race->Case],
                     "the original is racy: " + E.Message);
        return true;
      }
    if (Plain.Done.empty() && Plain.Skipped.empty()) {
      inconclusive(P.Cases[Race->Case], "the original is racy: " + Race->Message);
      return true;
    }
    Notes.push_back("the original's work-items write the same value to one "
                    "address");
    return false;
  }

  /// A scalar may be the pitch of a tile in local memory: with other values of
  /// it, two work-items of the original share an element, and what comes out is
  /// nobody's fault. Where \p C finds a difference at such values, Oclgrind is
  /// asked about the original there; without it, they prove nothing.
  void leaveOutRacyScalars(Campaign &C, const WorkerSetup &Grind,
                           bool HaveGrind) {
    while (C.Found && C.Found->Kind != "device" &&
           P.Cases[C.Found->Case].Variant != 0) {
      size_t At = C.Found->Case;
      const unsigned Launch = P.Cases[At].Launch, Variant = P.Cases[At].Variant;
      if (HaveGrind) {
        Campaign Plain;
        Plain.Rung = "oclgrind";
        Plain.Setup = Grind;
        Plain.Setup.Uninitialised = Plain.Setup.UniformWrites = false;
        Plain.Setup.Cases = {At};
        runChild(taskOf(Plain, P, nullptr));
        if (Plain.OriginalErrors.empty())
          return;
      }
      for (size_t I = 0; I < P.Cases.size(); ++I)
        if (P.Cases[I].Launch == Launch && P.Cases[I].Variant == Variant &&
            !C.Done.count(I))
          C.Skipped[I] = {"racy", HaveGrind
                                      ? "with other scalars the original is "
                                        "racy, as Oclgrind sees it"
                                      : "with other scalars the original may "
                                        "be racy, and Oclgrind is not there "
                                        "to tell"};
      C.Found.reset();
      llvm::erase_if(C.Setup.Cases, [&](size_t I) {
        return C.Done.count(I) || C.Skipped.count(I);
      });
      if (C.Setup.Cases.empty())
        return;
      runChild(taskOf(C, P, R.Options.Progress));
    }
  }

  void differential(Campaign &Runs, ArrayRef<const Campaign *> Before) {
    for (size_t I = 0; I < P.Cases.size(); ++I) {
      bool Bad = false;
      for (const Campaign *C : Before) {
        for (const auto &[Index, Skip] : C->Skipped) {
          const Case &S = P.Cases[Index];
          bool SameSize = S.Launch == P.Cases[I].Launch &&
                          S.SizeId == P.Cases[I].SizeId &&
                          S.P == Pattern::Declared && S.Variant == 0;
          bool Astray = Skip.Kind == "stray" || Skip.Kind == "hang" ||
                        Skip.Kind == "launch" || Skip.Kind == "slow";
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
        Runs.Setup.Cases.push_back(I);
    }
    if (Runs.Setup.Cases.empty()) {
      rung("differential", false, "the original cannot be run at any size");
      std::string Why = Runs.Skipped.empty() ? std::string()
                                             : Runs.Skipped.begin()->second.Why;
      return inconclusive("the original cannot be run at any size without "
                          "straying or crashing: " + Why);
    }
    std::vector<ChildTask> Both;
    Both.push_back(taskOf(Runs, P, R.Options.Progress));
    if (R.Options.SymbolicSeconds > 0 &&
        !(without("symbolic") && without("interval")))
      Both.push_back(symbolicTask(Symbolic, P, R.Options.SymbolicSeconds));
    runChildren(std::move(Both));
    if (Runs.Suspect && (Runs.Suspect->Kind == "optimised-wrong" ||
                         Runs.Suspect->Kind == "unoptimised-wrong")) {
      bool Optimised = Runs.Suspect->Kind == "optimised-wrong";
      Notes.push_back(
          std::string("the device's ") +
          (Optimised ? "optimised" : "unoptimised") +
          " build of the original disagrees with the other one and with "
          "Oclgrind at " +
          describe(P.Cases[Runs.Suspect->Case].At) + "; it is left out");
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
      return inconclusive(P.Cases[Runs.Suspect->Case], Runs.Suspect->Why);
    }
    rung("self-agreement", !without("self-agreement"),
         without("self-agreement") ? "left out by request"
         : LeftOut.empty()
             ? "twice, with and without optimisation" +
                   std::string(Runs.Setup.Others->empty() ? "" : ", Oclgrind")
             : LeftOut + " left out");
    report(Runs, "runs");
    bool Climbed = !Runs.Done.empty();
    std::string Zones = "poison before and after each buffer, two patterns";
    for (const char *Part : {"guard-zones", "poison"})
      if (without(Part))
        Zones += std::string("; ") + Part + " left out by request";
    rung("guard-zones", Climbed && !without("guard-zones"),
         Climbed ? Zones : "no case was run");
    unsigned Several = 0;
    for (size_t I : Runs.Done)
      if (P.Cases[I].P == Pattern::Declared)
        ++Several;
    bool Split = R.Manifest.Launches.size() > 1;
    rung("reverse-order",
         P.Disjoint && Split && Climbed && !without("reverse-order"),
         without("reverse-order") ? "left out by request"
         : !Split         ? "the manifest has one launch"
         : !P.Disjoint  ? "the launches are not known to be disjoint"
                        : std::to_string(Several) + " cases");
  }

  /// What the solver says, once the runs have found nothing. True where that
  /// decides against the rewritten kernel.
  bool heedSolver(ArrayRef<const Campaign *> Ways) {
    if (R.Options.SymbolicSeconds == 0 || without("symbolic")) {
      rung("symbolic", false, "left out by request");
      Symbolic.Proved = false;
      return false;
    }
    if (!Symbolic.Found) {
      rung("symbolic", Symbolic.Proved,
           Symbolic.Detail.empty() ? "the solver gave no answer"
                                   : Symbolic.Detail);
      return false;
    }
    Counterexample X = replaySymbolic(P, *Symbolic.Found, Ways);
    if (!X.Replayed && Symbolic.Found->MustBeReplayed) {
      rung("symbolic", false,
           "a difference that no device shows: " + Symbolic.Found->What);
      return false;
    }
    rung("symbolic", true, Symbolic.Found->What);
    Decided = true;
    V.Result = X.Replayed ? Outcome::Refuted : Outcome::Inconclusive;
    V.Summary = (X.Replayed ? "" : "the solver has a counterexample that no "
                                   "device shows: ") +
                X.What + " (at " + X.Size + ")";
    V.Example = std::move(X);
    return true;
  }

  void decide(const Campaign &Runs) {
    std::set<std::pair<unsigned, unsigned>> Sizes, Listed, AllListed;
    for (size_t I = 0; I < P.Cases.size(); ++I) {
      const Case &C = P.Cases[I];
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
      if (P.Cases[Index].Listed && WhyNot.empty())
        WhyNot = describe(P.Cases[Index].At) + ": " + Skip.Why;
    // Each launch file must have been run at a size of its own.
    for (unsigned L = 0; L < R.Launches.size(); ++L)
      if (none_of(Listed, [L](const auto &S) { return S.first == L; }))
        return inconclusive("no size of " + R.Launches[L].Path +
                            " could be compared: " + WhyNot);
    V.Result = Outcome::Held;
    Decided = true;
    V.Summary = "same result in " + std::to_string(TotalRuns) + " runs at " +
                std::to_string(Sizes.size()) + " sizes";
    if (!Runs.Skipped.empty())
      V.Summary += "; " + std::to_string(Runs.Skipped.size()) +
                   " cases skipped (" + Runs.Skipped.begin()->second.Why + ")";
    if (!LeftOut.empty())
      V.Summary += "; " + LeftOut + " left out";
    if (!R.Options.Without.empty())
      V.Summary += "; left out by request: " + join(R.Options.Without, ", ");
    if (Symbolic.Proved)
      V.Summary += "; " + Symbolic.Detail;
  }

  // --- bookkeeping ---
  void rung(StringRef Name, bool Climbed, const std::string &Detail) {
    V.Rungs.push_back({Name.str(), Climbed, Detail});
  }
  void note(const Campaign &C) {
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
  bool report(const Campaign &C, StringRef What) {
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
        Why = !C.Skipped.empty()       ? C.Skipped.begin()->second.Why
              : C.Setup.Cases.empty() ? "no case fits"
                                      : "another rung found a fault first";
      rung(C.Rung, false, Why);
      return false;
    }
    std::set<unsigned> Sizes;
    for (size_t I : C.Done)
      Sizes.insert(P.Cases[I].SizeId);
    std::string Text = std::to_string(C.Runs) + " " + What.str() + " at " +
                       std::to_string(Sizes.size()) + " sizes";
    if (!C.Skipped.empty())
      Text += ", " + std::to_string(C.Skipped.size()) + " cases skipped";
    if (C.OutOfTime)
      Text += ", then out of time";
    rung(C.Rung, true, Text);
    return true;
  }

  void inconclusive(const std::string &Why) {
    if (Decided)
      return;
    Decided = true;
    V.Result = Outcome::Inconclusive;
    V.Summary = Why;
  }
  void inconclusive(const Case &C, const std::string &Why) {
    inconclusive(Why + " (at " + describe(C.At) + ", " + toString(C.P).str() +
                 " data)");
  }
  void refuteStatically(StringRef Rung, const std::string &What) {
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
  /// False where the difference could not be shown again.
  bool refute(const Campaign &C) {
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

  void finish() {
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

  const JudgeRequest &R;
  Clock::time_point Start;
  Plan P;
  Verdict V;
  bool Decided = false;
  bool GrindClimbed = false;
  DeviceChoice Main;
  DeviceInfo Device;
  std::map<std::string, KernelShape> NewShapes;
  SymbolicRung Symbolic;
  std::string LeftOut;
  std::vector<std::string> Notes;
  json::Object Devices, Counts;
  uint64_t TotalRuns = 0;
};

} // namespace

ArrayRef<StringRef> partNames() {
  static constexpr StringRef Names[] = {
      "launch",          "coverage",       "oclgrind-memory",
      "oclgrind-race",   "oclgrind-divergence", "oclgrind-uninitialised",
      "oclgrind-values", "guard-pages",    "guard-zones",
      "poison",          "self-agreement", "random-data",
      "extreme-data",    "structured-data", "boundary-data",
      "scalars",         "own-sizes",      "reverse-order",
      "interval",        "symbolic"};
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

Expected<Verdict> judge(const JudgeRequest &Request) {
  return Judgement(Request).run();
}

} // namespace clmali::verify
