// The work of a child: see Worker.h for what it tells the parent.
#include "rewriters/verify/run/Worker.h"
#include "rewriters/verify/run/InputRunner.h"
#include "rewriters/verify/run/Oclgrind.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/Base64.h"
#include "llvm/Support/Regex.h"

#include <cmath>
#include <cstdlib>
#include <set>
#include <sys/resource.h>
#include <sys/time.h>

using namespace llvm;

namespace clmali::verify {
namespace {

using launch::Argument;

/// Bit patterns that change a result when they slip into it: as a float one is
/// huge and positive, the other large and negative, as a byte 127 and 206.
constexpr uint8_t FirstPoison = 0x7f;
constexpr uint8_t SecondPoison = 0xce;
/// TestInputs up to this size get every check; larger ones the plain comparison.
constexpr uint64_t ThoroughBytes = uint64_t(1) << 20;

/// For one run of the original with other scalars than the launch file's; a
/// compilation may be in it.
constexpr double VariantSeconds = 1.5;

/// From now on so many seconds of this process's own time, and three times as
/// many by the clock, end it (SIGPROF, SIGALRM); 0: no limit.
void limitTime(double Seconds) {
  auto set = [](int Which, double Limit) {
    itimerval Timer{};
    Timer.it_value.tv_sec = static_cast<time_t>(Limit);
    Timer.it_value.tv_usec = static_cast<suseconds_t>((Limit - std::floor(Limit)) * 1e6);
    setitimer(Which, &Timer, nullptr);
  };
  set(ITIMER_PROF, Seconds);
  set(ITIMER_REAL, 3 * Seconds);
}

double ownSeconds() {
  rusage Used{};
  getrusage(RUSAGE_SELF, &Used);
  return static_cast<double>(Used.ru_utime.tv_sec) +
         static_cast<double>(Used.ru_utime.tv_usec) * 1e-6;
}

bool usesVectors(StringRef Source) {
  static const Regex Vector("(char|short|int|long|float|double|half|vload|vstore)"
                            "(2|3|4|8|16)");
  return Vector.match(Source);
}

json::Array keys(const OclgrindErrors &Errors) {
  json::Array A;
  for (const auto &[Kind, Message] : Errors)
    A.push_back(json::Object{{"kind", Kind},
                             {"class", errorClass(Kind)},
                             {"message", json::fixUTF8(inOneLine(Message))}});
  return A;
}

class Worker {
public:
  Worker(Channel &Out, const TestPlan &P, const WorkerSetup &Setup, Device &D)
      : Out(Out), P(P), Setup(Setup), Runner(D, P), Uncontracted(D, P),
        Contracts(D.info().Type != "CPU") {
    // Goes before the first line, so that line numbers stay.
    Uncontracted.Preamble = "#pragma OPENCL FP_CONTRACT OFF\n#line 1\n";
  }

  /// For Oclgrind, whose log must be open before its library is.
  OclgrindLog *Log = nullptr;

  void setPreamble(std::string Text) { Runner.Preamble = std::move(Text); }

  bool buildAll() {
    bool Unoptimised = Setup.Unoptimised || Setup.M == WorkerSetup::Mode::Oclgrind;
    for (unsigned L = 0; L < P.Launches.size(); ++L) {
      Out.send("at", json::Object{{"case", -1}, {"who", "build"}});
      Error E = Runner.buildOriginal(L, Unoptimised);
      if (E && !Runner.Preamble.empty()) {
        // A program with functions of those names and types of its own.
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
    return true;
  }

  void run() {
    for (size_t Index : Setup.TestInputs) {
      const TestInput &C = P.TestInputs[Index];
      if (SlowVariants.count({C.Launch, C.Variant})) {
        skip(Index, "slow", "with other scalars the original runs too long");
        continue;
      }
      at(Index, "original");
      Expected<PreparedCase> Ready = prepare(P, C);
      if (!Ready) {
        skip(Index, "launch", llvm::toString(Ready.takeError()));
        continue;
      }
      Runs = 0;
      bool Goes = Setup.M == WorkerSetup::Mode::Oclgrind ? oclgrind(Index, C, *Ready)
                  : Setup.M == WorkerSetup::Mode::Pages  ? pages(Index, C, *Ready)
                                                         : guards(Index, C, *Ready);
      if (!Goes)
        return;
    }
  }

private:
  // --- messages ---
  void at(size_t Index, StringRef Who) {
    Out.send("at", json::Object{{"case", static_cast<int64_t>(Index)}, {"who", Who}});
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
  Expected<RunResult> original(size_t Index, const PreparedCase &Ready, const Surroundings &Around,
                               bool Unoptimised) {
    at(Index, "original");
    ++Runs;
    // A scalar may be a number of turns: with another value the kernel may run
    // for minutes, and shows nothing that it would not show with fewer.
    const TestInput &C = P.TestInputs[Index];
    if (C.Variant == 0)
      return Runner.original(C, Ready, Unoptimised, Around);
    double Before = ownSeconds();
    limitTime(VariantSeconds);
    Expected<RunResult> R = Runner.original(C, Ready, Unoptimised, Around);
    limitTime(0);
    if (ownSeconds() - Before > VariantSeconds / 4)
      SlowVariants.insert({C.Launch, C.Variant});
    return R;
  }
  Expected<RunResult> rewritten(size_t Index, const PreparedCase &Ready, const Surroundings &Around,
                                bool Unoptimised, bool Reverse = false) {
    at(Index, "rewritten");
    ++Runs;
    return Runner.rewritten(P.TestInputs[Index], Ready, Unoptimised, Around, Reverse);
  }

  bool without(const char *Part) const { return P.Request->Options.Without.count(Part) != 0; }
  /// What Oclgrind has to say since the last call, as far as it is asked.
  OclgrindErrors takeErrors() {
    OclgrindErrors Errors = parseLog(Log->take());
    for (auto It = Errors.begin(); It != Errors.end();)
      It = without(("oclgrind-" + errorClass(It->first)).str().c_str()) ? Errors.erase(It)
                                                                        : std::next(It);
    return Errors;
  }

  struct Found {
    unsigned Argument = 0;
    Difference D;
  };
  std::optional<Found> compare(const TestInput &C, const RunResult &A, const RunResult &B,
                               bool Exactly = false) const {
    const launch::LaunchFile &F = P.Request->Launches[C.Launch];
    for (unsigned I = 0; I < A.Buffers.size(); ++I) {
      if (A.Buffers[I].empty())
        continue;
      launch::Tolerance T = F.Args[I].Compare.value_or(F.Compare);
      if (Exactly)
        T = {};
      if (std::optional<Difference> D = firstDifference(P.Launches[C.Launch].Shape.Params[I].Type,
                                                        T, A.Buffers[I], B.Buffers[I]))
        return Found{I, *D};
    }
    return std::nullopt;
  }
  bool roughlyEqual(const TestInput &C, const std::vector<Bytes> &A,
                    const std::vector<Bytes> &B) const {
    for (unsigned I = 0; I < A.size(); ++I)
      if (!A[I].empty() &&
          !roughlyAgree(P.Launches[C.Launch].Shape.Params[I].Type, A[I], B[I], P.FloatsAbout))
        return false;
    return true;
  }

  json::Object value(const TestInput &C, const Found &F, StringRef Kind, const Twine &What) const {
    const ElementType &T = P.Launches[C.Launch].Shape.Params[F.Argument].Type;
    std::string Name = P.Request->Launches[C.Launch].Args[F.Argument].Name;
    std::string Text = What.str() + "'" + Name + "' element " + std::to_string(F.D.Element);
    if (T.Lanes > 1)
      Text += " lane " + std::to_string(F.D.Lane);
    Text += ": expected " + F.D.Expected + ", got " + F.D.Got + " (" + std::to_string(F.D.Count) +
            " of " + std::to_string(F.D.Total) + " differ)";
    return json::Object{{"kind", Kind},
                        {"argument", static_cast<int64_t>(F.Argument)},
                        {"element", static_cast<int64_t>(F.D.Element)},
                        {"expected", F.D.Expected},
                        {"got", F.D.Got},
                        {"what", Text}};
  }
  json::Object stray(const TestInput &C, const Stray &S, uint64_t Size) const {
    std::string Name = P.Request->Launches[C.Launch].Args[S.Argument].Name;
    std::string Where = S.Offset < 0
                            ? "before '" + Name + "' (" + std::to_string(-S.Offset) + " bytes)"
                            : "past the end of '" + Name + "' (byte " + std::to_string(S.Offset) +
                                  " of " + std::to_string(Size) + ")";
    return json::Object{{"kind", "stray-write"},
                        {"argument", static_cast<int64_t>(S.Argument)},
                        {"what", "the rewritten kernel writes " + Where}};
  }
  json::Object launchFails(const std::string &Why) const {
    // What a device cannot do says nothing about the kernel.
    bool Device = StringRef(Why).contains("CL_OUT_OF") ||
                  StringRef(Why).contains("ALLOCATION_FAILURE") ||
                  StringRef(Why).contains("CL_INVALID_BUFFER_SIZE") ||
                  StringRef(Why).contains("does not build");
    return json::Object{{"kind", Device ? "device" : "launch"},
                        {"what", "the rewritten launch fails: " + json::fixUTF8(Why)}};
  }

  /// The original again, to see whether a difference is its own doing.
  enum class Blame { Rewritten, Strays, Racy, Undefined };
  Blame blame(size_t Index, const TestInput &C, const PreparedCase &Ready, const RunResult &First,
              const Surroundings &Around, bool Unoptimised, const Found *At) {
    Expected<RunResult> Again = original(Index, Ready, Around, Unoptimised);
    if (!Again) {
      consumeError(Again.takeError());
      return Blame::Racy;
    }
    if (compare(C, First, *Again, true))
      return Blame::Racy;
    Surroundings Other = Around;
    Other.Poison = Around.Poison == FirstPoison ? SecondPoison : FirstPoison;
    Expected<RunResult> Poisoned = original(Index, Ready, Other, Unoptimised);
    if (!Poisoned) {
      consumeError(Poisoned.takeError());
      return Blame::Strays;
    }
    if (compare(C, First, *Poisoned, true))
      return Blame::Strays;
    // On data that the launch file never promised, C may leave the result open
    // (a float that no integer holds, say). Then builds and devices differ.
    if (At && C.P != Pattern::Declared) {
      auto grosslyElsewhere = [&](const std::vector<Bytes> &Other) {
        const ElementType &T = P.Launches[C.Launch].Shape.Params[At->Argument].Type;
        size_t Where = At->D.Element * T.Size;
        if (Other.size() <= At->Argument || Other[At->Argument].size() < Where + T.Size)
          return false;
        ArrayRef<uint8_t> A = ArrayRef(First.Buffers[At->Argument]);
        ArrayRef<uint8_t> B = ArrayRef(Other[At->Argument]);
        return !roughlyAgree(T, A.slice(Where, T.Size), B.slice(Where, T.Size), P.FloatsAbout);
      };
      Expected<RunResult> Plain = original(Index, Ready, Around, !Unoptimised);
      if (!Plain)
        consumeError(Plain.takeError());
      else if (grosslyElsewhere(Plain->Buffers))
        return Blame::Undefined;
      if (Setup.Others)
        if (auto It = Setup.Others->find(Index);
            It != Setup.Others->end() && grosslyElsewhere(It->second))
          return Blame::Undefined;
    }
    return Blame::Rewritten;
  }
  /// Skips or reports by \p B; true where the worker goes on.
  bool settle(size_t Index, Blame B, json::Object What) {
    switch (B) {
    case Blame::Rewritten:
      return differs(Index, std::move(What));
    case Blame::Strays:
      skip(Index, "stray", "the original reads outside its buffers");
      return true;
    case Blame::Undefined:
      skip(Index, "undefined",
           "the original's result on this input differs "
           "from build to build");
      return true;
    case Blame::Racy:
      if (P.TestInputs[Index].Variant != 0) {
        skip(Index, "racy",
             "with other scalars the original gives another "
             "result when it runs again");
        return true;
      }
      suspect(Index, "unstable",
              "the original gives another result when it "
              "runs again");
      return false;
    }
    return false;
  }

  // --- guard zones and differential runs ---
  bool guards(size_t Index, const TestInput &C, const PreparedCase &Ready) {
    bool Thorough = C.Bytes <= ThoroughBytes;
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
    if (Setup.SelfAgreement && C.P == Pattern::Declared && Thorough && C.Variant == 0 &&
        !agreesWithItself(Index, C, Ready, *First, Around))
      return false;

    Expected<RunResult> New = rewritten(Index, Ready, Around, Plain);
    if (!New)
      return differs(Index, launchFails(llvm::toString(New.takeError())));
    if (Zones && !New->Strays.empty())
      return differs(Index, stray(C, New->Strays.front(),
                                  First->Buffers[New->Strays.front().Argument].size()));
    if (std::optional<Found> F = compare(C, *First, *New)) {
      if (Contracts && P.FloatsAbout && roughlyEqual(C, First->Buffers, New->Buffers) &&
          agreesUncontracted(Index, C, Ready, Around)) {
        suspect(Index, "contraction",
                "the results differ in rounding, and not with FP_CONTRACT OFF: "
                "this device's compiler fuses multiplications and additions as "
                "it likes; give a tolerance (compare), or judge on a CPU device");
        return false;
      }
      Blame B = blame(Index, C, Ready, *First, Around, Plain, &*F);
      return settle(Index, B, value(C, *F, "value", ""));
    }
    if (!Thorough && C.P != Pattern::Declared) {
      done(Index);
      return true;
    }

    if (!without("poison")) {
      Surroundings Other = Around;
      Other.Poison = SecondPoison;
      Expected<RunResult> Poisoned = rewritten(Index, Ready, Other, Plain);
      if (!Poisoned)
        return differs(Index, launchFails(llvm::toString(Poisoned.takeError())));
      if (Zones && !Poisoned->Strays.empty())
        return differs(Index, stray(C, Poisoned->Strays.front(),
                                    First->Buffers[Poisoned->Strays.front().Argument].size()));
      if (std::optional<Found> F = compare(C, *New, *Poisoned, true)) {
        Blame B = blame(Index, C, Ready, *First, Around, Plain, nullptr);
        return settle(
            Index, B,
            value(C, *F, "stray-read", "the result depends on what lies outside the buffers: "));
      }
    }
    if (P.Disjoint && Ready.Rewritten.size() > 1 && C.P == Pattern::Declared &&
        !without("reverse-order")) {
      Expected<RunResult> Back = rewritten(Index, Ready, Around, Plain, true);
      if (!Back)
        return differs(Index, launchFails(llvm::toString(Back.takeError())));
      if (std::optional<Found> F = compare(C, *New, *Back, true))
        return differs(Index, value(C, *F, "order",
                                    "the result depends on the order of the manifest's "
                                    "launches: "));
    }
    done(Index);
    return true;
  }

  /// Whether both compute the same where nothing is fused.
  bool agreesUncontracted(size_t Index, const TestInput &C, const PreparedCase &Ready,
                          const Surroundings &Around) {
    at(Index, "original");
    Expected<RunResult> A = Uncontracted.original(C, Ready, Setup.Unoptimised, Around);
    at(Index, "rewritten");
    Expected<RunResult> B = Uncontracted.rewritten(C, Ready, Setup.Unoptimised, Around);
    Runs += 2;
    if (!A || !B) {
      consumeError(A.takeError());
      consumeError(B.takeError());
      return false;
    }
    return !compare(C, *A, *B);
  }

  bool agreesWithItself(size_t Index, const TestInput &C, const PreparedCase &Ready,
                        const RunResult &First, const Surroundings &Around) {
    Expected<RunResult> Again = original(Index, Ready, Around, Setup.Unoptimised);
    if (!Again || compare(C, First, *Again, true)) {
      if (!Again)
        consumeError(Again.takeError());
      suspect(Index, "unstable", "the original gives another result when it runs again");
      return false;
    }
    if (Setup.Unoptimised)
      return true; // the other build was found wanting before
    Expected<RunResult> Plain = original(Index, Ready, Around, true);
    if (!Plain) {
      consumeError(Plain.takeError()); // -cl-opt-disable may be unsupported
      return true;
    }
    if (roughlyEqual(C, First.Buffers, Plain->Buffers)) {
      if (Setup.Others)
        if (auto It = Setup.Others->find(Index);
            It != Setup.Others->end() && !roughlyEqual(C, First.Buffers, It->second)) {
          suspect(Index, "devices",
                  "the original computes one thing here and another under "
                  "Oclgrind");
          return false;
        }
      return true;
    }
    // Who is right? Ask a third party.
    StringRef Kind = "builds";
    if (Setup.Others)
      if (auto It = Setup.Others->find(Index); It != Setup.Others->end()) {
        if (roughlyEqual(C, Plain->Buffers, It->second))
          Kind = "optimised-wrong";
        else if (roughlyEqual(C, First.Buffers, It->second))
          Kind = "unoptimised-wrong";
      }
    suspect(Index, Kind,
            "the original computes one thing with the device compiler's "
            "optimisation and another without it");
    return false;
  }

  // --- protected pages ---
  bool pages(size_t Index, const TestInput &C, const PreparedCase &Ready) {
    bool FirstOfSize = SizesSeen.insert(C.SizeId).second;
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
        return differs(Index, launchFails(llvm::toString(New.takeError())));
      if (!New->Strays.empty())
        return differs(Index, stray(C, New->Strays.front(),
                                    First->Buffers[New->Strays.front().Argument].size()));
      if (std::optional<Found> F = compare(C, *First, *New)) {
        Blame B = blame(Index, C, Ready, *First, Around, Setup.Unoptimised, &*F);
        if (!settle(Index, B, value(C, *F, "value", "")))
          return false;
        return true;
      }
    }
    done(Index);
    return true;
  }

  // --- Oclgrind ---
  // Its optimiser makes arithmetic on vectors of single bits (masks), which
  // Oclgrind 21.10 computes wrongly: everything runs unoptimised here.
  bool oclgrind(size_t Index, const TestInput &C, const PreparedCase &Ready) {
    (void)Log->take();
    Surroundings Around;
    Expected<RunResult> First = original(Index, Ready, Around, true);
    if (!First) {
      skip(Index, "launch", llvm::toString(First.takeError()));
      return true;
    }
    OclgrindErrors Old = takeErrors();
    if (Setup.Uninitialised)
      return uninitialised(Index, C, Ready, Old);
    if (!Old.empty())
      Out.send("original",
               json::Object{{"case", static_cast<int64_t>(Index)}, {"errors", keys(Old)}});
    else if (C.P == Pattern::Declared && C.Variant == 0) {
      json::Array Buffers;
      for (const Bytes &B : First->Buffers)
        Buffers.push_back(encodeBase64(B));
      Out.send("output", json::Object{{"case", static_cast<int64_t>(Index)},
                                      {"buffers", std::move(Buffers)}});
    }
    if (!Setup.UniformWrites && Setup.TestInputs.size() == 1) {
      done(Index); // asked about the original only
      return true;
    }
    Expected<RunResult> New = rewritten(Index, Ready, Around, true);
    if (!New)
      return differs(Index, launchFails(llvm::toString(New.takeError())));
    OclgrindErrors Errors = takeErrors();
    std::set<StringRef> OldClasses;
    for (const auto &[Kind, Message] : Old)
      OldClasses.insert(errorClass(Kind));
    for (const auto &[Kind, Message] : Errors) {
      // Where the original strays, all that follows may be its doing.
      if (OldClasses.count("memory") || OldClasses.count(errorClass(Kind)))
        continue;
      return differs(Index, json::Object{{"kind", "oclgrind"},
                                         {"class", errorClass(Kind)},
                                         {"item", entityOf(Message)},
                                         {"what", "Oclgrind on the rewritten kernel: " +
                                                      json::fixUTF8(inOneLine(Message))}});
    }
    if (!Old.empty()) {
      skip(Index, "stray", "Oclgrind reports the original");
      return true;
    }
    if (std::optional<Found> F = compare(C, *First, *New); F && !without("oclgrind-values")) {
      // Oclgrind has one build only; the other device's word on undefined
      // inputs comes later, so what nobody declared counts less here.
      if (C.P != Pattern::Declared && P.FloatsAbout) {
        skip(Index, "undefined", "differs under Oclgrind on undeclared data");
        return true;
      }
      return differs(Index, value(C, *F, "value", "under Oclgrind, "));
    }
    done(Index);
    return Log->size() < (off_t(16) << 20);
  }

  bool uninitialised(size_t Index, const TestInput &C, const PreparedCase &Ready,
                     const OclgrindErrors &Old) {
    auto has = [](const OclgrindErrors &Errors) -> const std::string * {
      for (const auto &[Kind, Message] : Errors)
        if (errorClass(Kind) == "uninitialised")
          return &Message;
      return nullptr;
    };
    if (has(Old)) {
      skip(Index, "undefined",
           "the original uses uninitialised values, as "
           "Oclgrind sees it");
      return true;
    }
    Expected<RunResult> New = rewritten(Index, Ready, {}, true);
    if (!New)
      return differs(Index, launchFails(llvm::toString(New.takeError())));
    OclgrindErrors Errors = takeErrors();
    if (const std::string *Message = has(Errors)) {
      // It follows undefined values by whole vectors: lanes that nobody uses
      // make the others suspect. Only a scalar program is sure to be guilty.
      if (!RewrittenHasVectors)
        return differs(Index, json::Object{{"kind", "oclgrind"},
                                           {"class", "uninitialised"},
                                           {"item", entityOf(*Message)},
                                           {"what", "Oclgrind on the rewritten kernel: " +
                                                        json::fixUTF8(inOneLine(*Message))}});
      skip(Index, "undefined",
           "Oclgrind suspects uninitialised values in "
           "vector code");
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
  /// The device's compiler may fuse more than one expression's a * b + c.
  bool Contracts = false;
  unsigned Runs = 0;
  std::set<unsigned> SizesSeen;
  /// Launch and variant of the scalars with which one run was enough.
  std::set<std::pair<unsigned, unsigned>> SlowVariants;
  bool RewrittenHasVectors = usesVectors(P.Request->Rewritten.Source);
};

} // namespace

void workOnCases(Channel &Out, const TestPlan &P, const WorkerSetup &Setup) {
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
    // It stops reporting at its limit, and would then hold its tongue about
    // the rewritten kernel.
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
  if (Setup.M == WorkerSetup::Mode::Pages)
    reportFaults(Out, D->Zones);
  W.run();
}

} // namespace clmali::verify
