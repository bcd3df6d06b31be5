// What a child process does with the inputs of a plan. Worker.h lists its messages.
#include "rewriters/verify/run/Worker.h"
#include "rewriters/verify/run/Comparison.h"
#include "rewriters/verify/run/InputRunner.h"
#include "rewriters/verify/run/Oclgrind.h"
#include "rewriters/verify/run/RunTimes.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/Base64.h"
#include "llvm/Support/Regex.h"

#include <cstdlib>
#include <set>

using namespace llvm;

namespace clmali::verify {
namespace {

using launch::Argument;

/// Inputs up to this size get every check; larger ones the comparison only.
constexpr uint64_t ThoroughBytes = uint64_t(1) << 20;

bool usesVectors(StringRef Source) {
  static const Regex Vector("(char|short|int|long|float|double|half|vload|vstore)"
                            "(2|3|4|8|16)");
  return Vector.match(Source);
}

class Worker {
public:
  Worker(Channel &Out, const TestPlan &P, const WorkerSetup &Setup, Device &D)
      : Out(Out), P(P), Setup(Setup), Runner(D, P), Uncontracted(D, P),
        Contracts(D.info().Type != "CPU"), Times(Setup.M == WorkerSetup::Mode::Oclgrind) {
    // Goes before the first line, so that line numbers stay.
    Uncontracted.Preamble = "#pragma OPENCL FP_CONTRACT OFF\n#line 1\n";
  }

  /// Oclgrind only. The log must be open before the library is loaded.
  OclgrindLog *Log = nullptr;

  void setPreamble(std::string Text) { Runner.Preamble = std::move(Text); }

  bool buildAll() {
    bool Unoptimised = Setup.Unoptimised || Setup.M == WorkerSetup::Mode::Oclgrind;
    for (unsigned L = 0; L < P.Launches.size(); ++L) {
      Out.send("at", json::Object{{"case", -1}, {"who", "build"}});
      Error E = Runner.buildOriginal(L, Unoptimised);
      if (E && !Runner.Preamble.empty()) {
        // The program may define the preamble's functions itself.
        consumeError(std::move(E));
        Runner.Preamble.clear();
        E = Runner.buildOriginal(L, Unoptimised);
      }
      if (E) {
        Out.send("cannot", json::fixUTF8("the original: " + llvm::toString(std::move(E))));
        return false;
      }
      if (Error E = Runner.buildRewritten(L, Unoptimised)) {
        Out.send("broken", json::fixUTF8("the rewritten program: " + llvm::toString(std::move(E))));
        return false;
      }
    }
    if (Runner.checksImages() && (Setup.M == WorkerSetup::Mode::Oclgrind || !usesBufferImages(P)))
      Out.send("imagesChecked", true);
    return true;
  }
  bool checksImages() const { return Runner.checksImages(); }

  void run() {
    for (size_t Index : Setup.Inputs) {
      const TestInput &In = P.Inputs[Index];
      if (Times.isSlow(In)) {
        skip(Index, "slow", "with other scalars the original runs too long");
        continue;
      }
      if (Times.isTooLarge(In)) {
        skip(Index, "time", TooLarge.str());
        continue;
      }
      const double Before = ownSeconds();
      at(Index, "original");
      Expected<PreparedInput> Ready = prepare(P, In);
      if (!Ready) {
        skip(Index, "launch", llvm::toString(Ready.takeError()));
        continue;
      }
      Runs = 0;
      bool Goes = Setup.M == WorkerSetup::Mode::Oclgrind ? oclgrind(Index, In, *Ready)
                  : Setup.M == WorkerSetup::Mode::Pages  ? pages(Index, In, *Ready)
                                                         : guards(Index, In, *Ready);
      if (!Goes)
        return;
      if (In.Large)
        Times.spend(ownSeconds() - Before);
    }
  }

private:
  // --- messages ---
  void at(size_t Index, StringRef Program) {
    Out.send("at", json::Object{{"case", static_cast<int64_t>(Index)}, {"who", Program}});
  }
  void skip(size_t Index, StringRef Kind, const std::string &Why) {
    Out.send("skip", json::Object{{"case", static_cast<int64_t>(Index)},
                                  {"kind", Kind},
                                  {"why", json::fixUTF8(Why)}});
  }
  void suspect(size_t Index, StringRef Kind, const std::string &Why) {
    Out.send("suspect",
             json::Object{{"case", static_cast<int64_t>(Index)}, {"kind", Kind}, {"why", Why}});
  }
  void done(size_t Index) {
    Out.send("done", json::Object{{"case", static_cast<int64_t>(Index)},
                                  {"runs", static_cast<int64_t>(Runs)}});
  }
  bool differs(size_t Index, json::Object What) {
    What["case"] = static_cast<int64_t>(Index);
    Out.send("differs", std::move(What));
    return false;
  }

  // --- runs ---
  Expected<RunResult> original(size_t Index, const PreparedInput &Ready, const Surroundings &Around,
                               bool Unoptimised) {
    at(Index, "original");
    ++Runs;
    Expected<RunResult> R = createStringError(inconvertibleErrorCode(), "not run");
    Times.measure(P.Inputs[Index], [&] {
      consumeError(R.takeError());
      R = Runner.original(P.Inputs[Index], Ready, Unoptimised, Around);
    });
    return R;
  }
  Expected<RunResult> rewritten(size_t Index, const PreparedInput &Ready,
                                const Surroundings &Around, bool Unoptimised,
                                bool Reverse = false) {
    at(Index, "rewritten");
    ++Runs;
    return Runner.rewritten(P.Inputs[Index], Ready, Unoptimised, Around, Reverse);
  }

  bool without(const char *Part) const { return P.Request->Options.Without.count(Part) != 0; }
  /// Oclgrind's errors since the last call, without the classes that the request leaves out.
  OclgrindErrors takeErrors() {
    OclgrindErrors Errors = parseLog(Log->take());
    for (auto It = Errors.begin(); It != Errors.end();)
      It = without(("oclgrind-" + errorClass(It->first)).str().c_str()) ? Errors.erase(It)
                                                                        : std::next(It);
    return Errors;
  }

  std::optional<BufferDifference> compare(const TestInput &In, const RunResult &A,
                                          const RunResult &B, bool Exactly = false) const {
    return compareBuffers(P, In, A, B, Exactly);
  }
  /// The rewritten kernel wrote outside a buffer: reports the first such byte.
  bool reportStray(size_t Index, const RunResult &Original, const RunResult &New) {
    const Stray &S = New.Strays.front();
    return differs(Index,
                   describeStray(P, P.Inputs[Index], S, Original.Buffers[S.Argument].size()));
  }

  // --- what a difference comes from ---
  enum class Cause {
    Rewritten, ///< the rewritten kernel
    Strays,    ///< the original reads outside its buffers
    Racy,      ///< the original gives another result when it runs again
    Undefined, ///< the original's result differs between builds or devices
    Overflow   ///< the original overflows a signed integer; the difference is what became of that
  };
  /// True if the element at \p At is more than a rounding apart in \p Other, a result of the
  /// original on another build or device.
  bool elementDiffersGrossly(const TestInput &In, const BufferDifference &At,
                             const RunResult &First, const std::vector<Bytes> &Other) const {
    const ElementType &T = P.Launches[In.Launch].Shape.Params[At.Argument].Type;
    size_t Offset = At.D.Element * T.Size;
    if (Other.size() <= At.Argument || Other[At.Argument].size() < Offset + T.Size)
      return false;
    ArrayRef<uint8_t> A = ArrayRef(First.Buffers[At.Argument]);
    ArrayRef<uint8_t> B = ArrayRef(Other[At.Argument]);
    return !roughlyAgree(T, A.slice(Offset, T.Size), B.slice(Offset, T.Size), P.UsesFloats);
  }
  /// The original's result on this input on the device of another kind, if it is known.
  const std::vector<Bytes> *otherResult(size_t Index) const {
    if (!Setup.Others)
      return nullptr;
    auto It = Setup.Others->find(Index);
    return It == Setup.Others->end() ? nullptr : &It->second;
  }

  /// Runs the original again, with the same and with another poison, to find the cause of a
  /// difference from \p First.
  Cause causeOf(size_t Index, const TestInput &In, const PreparedInput &Ready,
                const RunResult &First, const Surroundings &Around, bool Unoptimised,
                const BufferDifference *At) {
    Expected<RunResult> Again = original(Index, Ready, Around, Unoptimised);
    if (!Again) {
      consumeError(Again.takeError());
      return Cause::Racy;
    }
    if (compare(In, First, *Again, true))
      return Cause::Racy;
    Surroundings Other = Around;
    Other.Poison = Around.Poison == FirstPoison ? SecondPoison : FirstPoison;
    Expected<RunResult> Poisoned = original(Index, Ready, Other, Unoptimised);
    if (!Poisoned) {
      consumeError(Poisoned.takeError());
      return Cause::Strays;
    }
    if (compare(In, First, *Poisoned, true))
      return Cause::Strays;
    // On data other than the declared ones the result may be undefined in C (a float that no
    // integer holds, say). Then builds and devices differ.
    if (At && In.Fill != Pattern::Declared) {
      auto differsGrossly = [&](const std::vector<Bytes> &Other) {
        return elementDiffersGrossly(In, *At, First, Other);
      };
      Expected<RunResult> Plain = original(Index, Ready, Around, !Unoptimised);
      if (!Plain)
        consumeError(Plain.takeError());
      else if (differsGrossly(Plain->Buffers))
        return Cause::Undefined;
      if (const std::vector<Bytes> *Other = otherResult(Index); Other && differsGrossly(*Other))
        return Cause::Undefined;
    }
    return At && Setup.DiffersByOverflow && Setup.DiffersByOverflow(In, Ready) ? Cause::Overflow
                                                                               : Cause::Rewritten;
  }
  /// Why an input that the judge added to the launch file's proves nothing.
  static std::string unstableText(const TestInput &In) {
    return std::string(In.Variant ? "with other scalars" : "at a size that is not listed") +
           " the original gives another result when it runs again";
  }
  /// Reports or skips the input, by the cause of the difference; true to go on with the next one.
  bool reportDifference(size_t Index, Cause Why, json::Object What) {
    switch (Why) {
    case Cause::Rewritten:
      return differs(Index, std::move(What));
    case Cause::Strays:
      skip(Index, "stray", "the original reads outside its buffers");
      return true;
    case Cause::Undefined:
      skip(Index, "undefined", "the original's result on this input differs from build to build");
      return true;
    case Cause::Overflow:
      skip(Index, "overflow", "only what the original overflows makes the programs differ");
      return true;
    case Cause::Racy:
      if (P.Inputs[Index].Variant != 0 || !P.Inputs[Index].Listed) {
        skip(Index, "racy", unstableText(P.Inputs[Index]));
        return true;
      }
      suspect(Index, "unstable", "the original gives another result when it runs again");
      return false;
    }
    return false;
  }

  /// The rewritten kernel cannot be launched. A large size may exceed what the device has, which
  /// says nothing.
  bool launchFailed(size_t Index, Error Why) {
    const std::string Text = llvm::toString(std::move(Why));
    json::Object What = describeLaunchFailure(Text);
    if (!P.Inputs[Index].Large || What.getString("kind") != "device")
      return differs(Index, std::move(What));
    skip(Index, "launch", Text);
    return true;
  }

  // --- guard zones and differential runs ---
  bool guards(size_t Index, const TestInput &In, const PreparedInput &Ready) {
    bool Thorough = In.Bytes <= ThoroughBytes;
    bool Plain = Setup.Unoptimised;
    Surroundings Around{Placement::Guarded, FirstPoison, false};
    Expected<RunResult> First = original(Index, Ready, Around, Plain);
    if (!First) {
      skip(Index, "launch", llvm::toString(First.takeError()));
      return true;
    }
    bool Zones = !without("guard-zones");
    if (Zones && !First->Strays.empty()) {
      skip(Index, "stray", "the original writes outside its buffers");
      return true;
    }
    if (Setup.SelfAgreement && In.Fill == Pattern::Declared && Thorough && In.Variant == 0) {
      // At a size that the judge added the original may be racy, or read outside its buffers.
      if (!In.Listed)
        if (Cause Why = causeOf(Index, In, Ready, *First, Around, Plain, nullptr);
            Why != Cause::Rewritten)
          return reportDifference(Index, Why, {});
      if (std::optional<bool> GoOn = doubts(Index, In, Ready, *First, Around))
        return *GoOn;
    }

    Expected<RunResult> New = rewritten(Index, Ready, Around, Plain);
    if (!New)
      return launchFailed(Index, New.takeError());
    if (Zones && !New->Strays.empty())
      return reportStray(Index, *First, *New);
    if (std::optional<BufferDifference> F = compare(In, *First, *New)) {
      if (Contracts && P.UsesFloats && roughlyEqual(P, In, First->Buffers, New->Buffers) &&
          agreesUncontracted(Index, In, Ready, Around)) {
        suspect(Index, "contraction",
                "the results differ in rounding, and not with FP_CONTRACT OFF: "
                "this device's compiler fuses multiplications and additions as "
                "it likes; give a tolerance (compare), or judge on a CPU device");
        return false;
      }
      Cause Why = causeOf(Index, In, Ready, *First, Around, Plain, &*F);
      return reportDifference(Index, Why, describeDifference(P, In, *F, "value", ""));
    }
    if (In.Large || (!Thorough && In.Fill != Pattern::Declared)) {
      done(Index);
      return true;
    }

    if (!without("poison")) {
      Surroundings Other = Around;
      Other.Poison = SecondPoison;
      Expected<RunResult> Poisoned = rewritten(Index, Ready, Other, Plain);
      if (!Poisoned)
        return differs(Index, describeLaunchFailure(llvm::toString(Poisoned.takeError())));
      if (Zones && !Poisoned->Strays.empty())
        return reportStray(Index, *First, *Poisoned);
      if (std::optional<BufferDifference> F = compare(In, *New, *Poisoned, true)) {
        Cause Why = causeOf(Index, In, Ready, *First, Around, Plain, nullptr);
        return reportDifference(
            Index, Why,
            describeDifference(P, In, *F, "stray-read",
                               "the result depends on what lies outside the buffers: "));
      }
    }
    if (P.Disjoint && Ready.Rewritten.size() > 1 && In.Fill == Pattern::Declared &&
        !without("reverse-order")) {
      Expected<RunResult> Back = rewritten(Index, Ready, Around, Plain, true);
      if (!Back)
        return differs(Index, describeLaunchFailure(llvm::toString(Back.takeError())));
      if (std::optional<BufferDifference> F = compare(In, *New, *Back, true))
        return differs(Index,
                       describeDifference(P, In, *F, "order",
                                          "the result depends on the order of the manifest's "
                                          "launches: "));
    }
    done(Index);
    return true;
  }

  /// True if both programs give the same result when no multiply-add is fused.
  bool agreesUncontracted(size_t Index, const TestInput &In, const PreparedInput &Ready,
                          const Surroundings &Around) {
    at(Index, "original");
    Expected<RunResult> A = Uncontracted.original(In, Ready, Setup.Unoptimised, Around);
    at(Index, "rewritten");
    Expected<RunResult> B = Uncontracted.rewritten(In, Ready, Setup.Unoptimised, Around);
    Runs += 2;
    if (!A || !B) {
      consumeError(A.takeError());
      consumeError(B.takeError());
      return false;
    }
    return !compare(In, *A, *B);
  }

  /// Two runs of the original differ. At a size that the judge chose that is no evidence against
  /// the rewrite: the host may never launch it. True to go on with the next input.
  bool originalDiffers(size_t Index, const TestInput &In, StringRef Kind, const std::string &Why) {
    if (In.Listed)
      suspect(Index, Kind, Why);
    else
      skip(Index, "undefined", "at a size that is not listed " + Why);
    return !In.Listed;
  }

  /// Nothing: the original agrees with itself. Else as originalDiffers.
  std::optional<bool> doubts(size_t Index, const TestInput &In, const PreparedInput &Ready,
                             const RunResult &First, const Surroundings &Around) {
    Expected<RunResult> Again = original(Index, Ready, Around, Setup.Unoptimised);
    if (!Again || compare(In, First, *Again, true)) {
      if (!Again)
        consumeError(Again.takeError());
      return originalDiffers(Index, In, "unstable",
                             "the original gives another result when it runs again");
    }
    if (Setup.Unoptimised)
      return std::nullopt; // the other build was found to be wrong before
    Expected<RunResult> Plain = original(Index, Ready, Around, true);
    if (!Plain) {
      consumeError(Plain.takeError()); // -cl-opt-disable may be unsupported
      return std::nullopt;
    }
    const std::vector<Bytes> *Other = otherResult(Index);
    if (roughlyEqual(P, In, First.Buffers, Plain->Buffers)) {
      if (!Other || roughlyEqual(P, In, First.Buffers, *Other))
        return std::nullopt;
      return originalDiffers(
          Index, In, "devices",
          "the original's result on this device differs from its result under Oclgrind");
    }
    // The build that disagrees with Oclgrind too is the wrong one.
    const std::string Why = "the original's result with the device compiler's optimisation differs "
                            "from its result without it";
    StringRef Kind;
    if (Other && roughlyEqual(P, In, Plain->Buffers, *Other))
      Kind = "optimised-wrong";
    else if (Other && roughlyEqual(P, In, First.Buffers, *Other))
      Kind = "unoptimised-wrong";
    if (Kind.empty())
      return originalDiffers(Index, In, "builds", Why);
    suspect(Index, Kind, Why);
    return false;
  }

  // --- protected pages ---
  bool pages(size_t Index, const TestInput &In, const PreparedInput &Ready) {
    bool FirstOfSize = SizesSeen.insert(In.SizeId).second;
    for (Placement Where : {Placement::PagesEnd, Placement::PagesStart}) {
      if (Where == Placement::PagesStart && !FirstOfSize)
        continue;
      Surroundings Around{Where, FirstPoison, P.AlignStart};
      Expected<RunResult> First = original(Index, Ready, Around, Setup.Unoptimised);
      if (!First) {
        skip(Index, "launch", llvm::toString(First.takeError()));
        return true;
      }
      if (!First->Strays.empty()) {
        skip(Index, "stray", "the original writes outside its buffers");
        return true;
      }
      Expected<RunResult> New = rewritten(Index, Ready, Around, Setup.Unoptimised);
      if (!New)
        return launchFailed(Index, New.takeError());
      if (!New->Strays.empty())
        return reportStray(Index, *First, *New);
      if (std::optional<BufferDifference> F = compare(In, *First, *New)) {
        Cause Why = causeOf(Index, In, Ready, *First, Around, Setup.Unoptimised, &*F);
        if (!reportDifference(Index, Why, describeDifference(P, In, *F, "value", "")))
          return false;
        return true;
      }
    }
    done(Index);
    return true;
  }

  // --- Oclgrind ---
  // Its optimiser emits arithmetic on vectors of single bits (masks), which Oclgrind 21.10
  // computes wrongly. So every program runs unoptimised here.
  bool oclgrind(size_t Index, const TestInput &In, const PreparedInput &Ready) {
    (void)Log->take();
    Surroundings Around;
    Expected<RunResult> First = original(Index, Ready, Around, true);
    if (!First) {
      skip(Index, "launch", llvm::toString(First.takeError()));
      return true;
    }
    OclgrindErrors Old = takeErrors();
    if (Setup.Uninitialised)
      return uninitialised(Index, In, Ready, Old);
    if (!Old.empty())
      Out.send("original",
               json::Object{{"case", static_cast<int64_t>(Index)}, {"errors", toJson(Old)}});
    else if (In.Fill == Pattern::Declared && In.Variant == 0) {
      json::Array Buffers;
      for (const Bytes &B : First->Buffers)
        Buffers.push_back(encodeBase64(B));
      Out.send("output", json::Object{{"case", static_cast<int64_t>(Index)},
                                      {"buffers", std::move(Buffers)}});
    }
    if (!Setup.UniformWrites && Setup.Inputs.size() == 1) {
      done(Index); // a run of the original only
      return true;
    }
    Expected<RunResult> New = rewritten(Index, Ready, Around, true);
    if (!New)
      return differs(Index, describeLaunchFailure(llvm::toString(New.takeError())));
    OclgrindErrors Errors = takeErrors();
    std::set<StringRef> OldClasses;
    for (const auto &[Kind, Message] : Old)
      OldClasses.insert(errorClass(Kind));
    for (const auto &[Kind, Message] : Errors) {
      // After an invalid access of the original, its other errors may be a consequence.
      if (OldClasses.count("memory") || OldClasses.count(errorClass(Kind)))
        continue;
      return differs(Index, json::Object{{"kind", "oclgrind"},
                                         {"class", errorClass(Kind)},
                                         {"item", entityOf(Message)},
                                         {"what", "Oclgrind on the rewritten kernel: " +
                                                      json::fixUTF8(inOneLine(Message))}});
    }
    if (!Old.empty()) {
      skip(Index, "stray", "Oclgrind reports an error in the original");
      return true;
    }
    if (std::optional<BufferDifference> F = compare(In, *First, *New);
        F && !without("oclgrind-values")) {
      // With one build only it is not known whether the original's result is defined on this
      // input. The differential runs check that, so undeclared data do not count here.
      if (In.Fill != Pattern::Declared && P.UsesFloats) {
        skip(Index, "undefined", "differs under Oclgrind on undeclared data");
        return true;
      }
      return differs(Index, describeDifference(P, In, *F, "value", "under Oclgrind, "));
    }
    done(Index);
    return Log->size() < (off_t(16) << 20);
  }

  bool uninitialised(size_t Index, const TestInput &In, const PreparedInput &Ready,
                     const OclgrindErrors &Old) {
    auto has = [](const OclgrindErrors &Errors) -> const std::string * {
      for (const auto &[Kind, Message] : Errors)
        if (errorClass(Kind) == "uninitialised")
          return &Message;
      return nullptr;
    };
    if (has(Old)) {
      skip(Index, "undefined", "the original uses uninitialised values, as Oclgrind reports");
      return true;
    }
    Expected<RunResult> New = rewritten(Index, Ready, {}, true);
    if (!New)
      return differs(Index, describeLaunchFailure(llvm::toString(New.takeError())));
    OclgrindErrors Errors = takeErrors();
    if (const std::string *Message = has(Errors)) {
      // Oclgrind tracks undefined values by whole vectors: an unused lane makes the others
      // undefined too. Only in a scalar program the report is reliable.
      if (!RewrittenHasVectors)
        return differs(Index, json::Object{{"kind", "oclgrind"},
                                           {"class", "uninitialised"},
                                           {"item", entityOf(*Message)},
                                           {"what", "Oclgrind on the rewritten kernel: " +
                                                        json::fixUTF8(inOneLine(*Message))}});
      skip(Index, "undefined", "Oclgrind suspects uninitialised values in vector code");
      return true;
    }
    done(Index);
    return true;
  }

  Channel &Out;
  const TestPlan &P;
  const WorkerSetup &Setup;
  InputRunner Runner;
  /// Both programs once more, without fused multiply-adds; built when needed.
  InputRunner Uncontracted;
  /// The device's compiler may fuse multiplications and additions of several expressions.
  bool Contracts = false;
  unsigned Runs = 0;
  std::set<unsigned> SizesSeen;
  RunTimes Times;
  bool RewrittenHasVectors = usesVectors(P.Request->Rewritten.Source);
};

} // namespace

void runInputs(Channel &Out, const TestPlan &P, const WorkerSetup &Setup) {
  std::optional<OclgrindLog> Log;
  if (Setup.M == WorkerSetup::Mode::Oclgrind) {
    Log.emplace();
    if (Setup.Uninitialised) {
      setenv("OCLGRIND_UNINITIALIZED", "1", 1);
    } else {
      if (!P.Request->Options.Without.count("oclgrind-race"))
        setenv("OCLGRIND_DATA_RACES", "1", 1);
      if (Setup.UniformWrites)
        setenv("OCLGRIND_UNIFORM_WRITES", "1", 1);
    }
    setenv("OCLGRIND_NUM_THREADS", "1", 1);
    // Oclgrind stops reporting at this limit, and would then miss errors of the rewritten kernel.
    setenv("OCLGRIND_MAX_ERRORS", "100000000", 1);
  }
  Expected<Device> D = Device::open(Setup.Choice);
  if (!D) {
    Out.send("cannot", llvm::toString(D.takeError()));
    return;
  }
  Out.send("device", toJson(D->info()));
  Worker W(Out, P, Setup, *D);
  W.Log = Log ? &*Log : nullptr;
  if (Log)
    W.setPreamble(oclgrindPreamble());
  if (!W.buildAll())
    return;
  if (W.checksImages())
    if (Error E = protectImageZone())
      return Out.send("cannot", llvm::toString(std::move(E)));
  if (Setup.M == WorkerSetup::Mode::Pages || W.checksImages())
    reportFaults(Out, D->Zones);
  W.run();
}

} // namespace clmali::verify
