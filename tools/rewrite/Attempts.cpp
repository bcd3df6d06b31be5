//===- Attempts.cpp - the candidates of one kernel, judged until one holds --------------------===//

#include "tools/rewrite/FileRewriter.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;
using namespace clmali;
using namespace clmali::tool;

/// "; occupancy 100 % -> 50 %", as far as the compiler reports it.
static std::string occupancyText(const compilers::Cost &Before, const compilers::Cost &After) {
  if (!Before.Occupancy || !After.Occupancy)
    return "";
  return formatv("; occupancy {0} % -> {1} %", *Before.Occupancy, *After.Occupancy);
}

/// "A 1.50, L/S 2.00", and the texture pipe where images are read; for each original work-item.
static std::string pipesText(const rewrite::Cost &C, double Items) {
  std::string Text =
      formatv("A {0:f2}, L/S {1:f2}", C.Arithmetic / Items, C.LoadStore / Items).str();
  return C.Texture > 0 ? Text + formatv(", T {0:f2}", C.Texture / Items).str() : Text;
}

/// Costs before and after by pipe, per original work-item.
static std::string costText(const KernelOutcome &K, const std::optional<CompiledForm> &Compiled) {
  if (!K.After)
    return "";
  if (Compiled)
    return formatv("    compiled, {0}: {1} for each original work-item {2:f2} -> {3:f2}",
                   K.Compiled->By, K.Compiled->Unit, K.Compiled->Original.Figure, Compiled->Figure)
               .str() +
           occupancyText(K.Compiled->Original.Cost, Compiled->Cost);
  const rewrite::Cost &B = K.Before, &A = *K.After;
  return formatv("    cost model, {0}: cycles for each original work-item {1} -> {2}; "
                 "memory operations {3:f1} -> {4:f1}; registers {5:f0} -> {6:f0}",
                 K.CostOf, pipesText(B, 1), pipesText(A, K.Items), B.MemoryOps,
                 A.MemoryOps / K.Items, B.Registers, A.Registers);
}

Attempts::Attempts(FileRewriter &F, KernelOutcome &Out, rewrite::RewriteResult Plan,
                   PlanWithout Replan, bool Derived, std::string Place)
    : F(F), Out(Out), Plan(std::move(Plan)), Replan(std::move(Replan)), Derived(Derived),
      Place(std::move(Place)),
      Clock(
          {F.In.Text, F.O.File}, F.launchOf(Out.Name), F.judgeOptions(),
          [&F](const rewrite::Candidate &C) { return F.entryOf(C); },
          /*Grows=*/F.By == FileRewriter::Choice::Clock || !F.runsOnCpu(), F.Say) {}

/// --tune: sorts the candidates by measured time. False if none is faster.
bool Attempts::tune() {
  Clock.rank(Plan.Candidates, Times);
  Out.OriginalMilliseconds = Clock.originalMs();
  if (!Plan.Candidates.empty())
    return true;
  Out.Code = Out.OriginalMilliseconds ? Refused : NotJudged;
  Out.Summary = Out.OriginalMilliseconds
                    ? "nothing-pays (tune): no candidate is faster on this device"
                    : "it could not be measured";
  F.Say << Place << ": " << Out.Summary << "\n";
  return false;
}

bool Attempts::isSlowerHere(const rewrite::Candidate &C, Attempt &A) {
  bool Slower = Clock.isSlower(C);
  Out.OriginalMilliseconds = Clock.originalMs();
  A.Milliseconds = Clock.lastMs();
  if (Slower)
    F.Say << formatv("{0}: [{1}] is slower on this device: {2:f3} ms, as it is {3:f3} ms\n",
                     Out.Name, join(C.Passes, ", "), *A.Milliseconds, *Out.OriginalMilliseconds);
  return Slower;
}

launch::ManifestKernel Attempts::entryOf(const rewrite::Candidate &C) const {
  launch::ManifestKernel Entry = F.entryOf(C);
  if (Derived)
    Entry.Obligations.push_back({"the host launches " + Out.Name +
                                     " as was derived from the kernel alone: " + F.In.LaunchText,
                                 launch::ObligationState::Assumed});
  return Entry;
}

/// Accepts C as the result. Ms: its measured time.
void Attempts::accept(const rewrite::Candidate &C, const launch::ManifestKernel &Entry,
                      const Attempt &A) {
  std::optional<double> Ms = A.Milliseconds;
  Out.Code = F.O.NoVerify ? NotJudged : Done;
  F.acceptForm(C, Entry, A, Out);
  Out.Summary =
      formatv("{0} with [{1}], {2} {3:f1}x", F.O.NoVerify ? "not verified" : "held",
              join(C.Passes, ", "), A.Compiled ? "compiled" : "predicted",
              A.Compiled ? Out.Compiled->Original.Figure / A.Compiled->Figure : C.PredictedSpeedup);
  if (Ms && Out.OriginalMilliseconds)
    Out.Summary += formatv(", measured {0:f1}x", *Out.OriginalMilliseconds / *Ms);
  if (A.Verdict)
    Out.Summary += "; " + StringRef(A.Verdict->Summary).split(": same result").first.str();
  Out.CompiledAfter = A.Compiled;
  Out.After = C.After;
  Out.Items = C.Items;
  F.Say << Out.Name << ": " << Out.Summary << "\n" << costText(Out, A.Compiled) << "\n";
}

/// Not decided, or not proved where a proof is required.
bool Attempts::isUnclear(const Attempt &A) const {
  if (!A.Verdict)
    return false;
  const verify::Verdict &V = *A.Verdict;
  return V.Result == verify::Outcome::Inconclusive ||
         (F.O.RequireProved && V.Result == verify::Outcome::Held &&
          V.RestsOn != verify::Basis::Proved);
}

/// Refuted, not decided, or never judged.
bool Attempts::hasFailed(const Attempt &A) const {
  return !A.Problem.empty() || isUnclear(A) ||
         (A.Verdict && A.Verdict->Result == verify::Outcome::Refuted);
}

/// The public name of a pass: "coarsen" of "coarsen:4".
static StringRef nameOf(StringRef Pass) { return Pass.split(':').first; }

static bool hasPass(const Attempt &A, StringRef Name) {
  return any_of(A.Passes, [&](StringRef P) { return nameOf(P) == Name; });
}

/// After failures: for each pass that all of them have in common, the best candidate without it is
/// the next one to be judged, before the candidates from number At on.
void Attempts::addOthers(size_t At) {
  Replanned = true;
  if (F.By != FileRewriter::Choice::Model || !F.O.Passes.empty() || F.O.Block.any())
    return; // they have no figures, or are not what the user chose
  auto IsInAll = [this](StringRef Name) {
    return all_of(Out.Attempts,
                  [&](const Attempt &A) { return !hasFailed(A) || hasPass(A, Name); });
  };
  std::vector<rewrite::Candidate> Others;
  for (StringRef Pass : Out.Attempts.back().Passes) {
    rewrite::RewriteResult R =
        IsInAll(nameOf(Pass)) ? Replan(nameOf(Pass)) : rewrite::RewriteResult();
    if (R.Candidates.empty())
      continue;
    auto IsSame = [&](const rewrite::Candidate &C) {
      return C.Source == R.Candidates.front().Source;
    };
    auto Next = Plan.Candidates.begin() + At;
    if (any_of(make_range(Plan.Candidates.begin(), Next), IsSame) || any_of(Others, IsSame))
      continue;
    Plan.Candidates.erase(std::remove_if(Next, Plan.Candidates.end(), IsSame),
                          Plan.Candidates.end());
    Others.push_back(std::move(R.Candidates.front()));
  }
  stable_sort(Others, [](const rewrite::Candidate &X, const rewrite::Candidate &Y) {
    return X.PredictedSpeedup > Y.PredictedSpeedup;
  });
  if (!Others.empty())
    MostUnclear = Unclear + 1;
  Plan.Candidates.insert(Plan.Candidates.begin() + At, Others.begin(), Others.end());
}

/// Judges candidate N; sets Out.Manifest if it is accepted.
Error Attempts::tryOne(size_t N) {
  const rewrite::Candidate &C = Plan.Candidates[N];
  Attempt A;
  if (N < Times.size())
    A.Milliseconds = Times[N];
  if (Out.Compiled)
    A.Compiled = Out.Compiled->Forms[N];
  launch::ManifestKernel Entry = entryOf(C);
  // Measuring is cheaper than judging.
  if (Slower && isSlowerHere(C, A))
    return Error::success();
  Expected<bool> Holds = F.tryCandidate(C, Entry, Out, A);
  if (!Holds)
    return Holds.takeError();
  SawRefuted |= A.Verdict && A.Verdict->Result == verify::Outcome::Refuted;
  Unclear += isUnclear(A);
  // Measure if the device at hand is the target and the user chose neither passes nor a block.
  bool Measures = F.O.Device == "generic" && F.By == FileRewriter::Choice::Model && !F.O.NoVerify &&
                  F.O.Passes.empty() && !F.O.Block.any();
  bool IsSlower = *Holds && Measures && !Slower && isSlowerHere(C, A);
  if (IsSlower)
    Slower = SlowerOne{N, Out.Attempts.size(), Entry, {Out.LineAfter, Out.CodeAfter}};
  Out.Attempts.push_back(std::move(A));
  if (*Holds && !IsSlower)
    accept(C, Entry, Out.Attempts.back());
  return Error::success();
}

/// Accepts the first candidate that holds, although it is slower here: it may be faster on the GPU.
void Attempts::acceptSlower() {
  std::tie(Out.LineAfter, Out.CodeAfter) = Slower->Code;
  // The report and the records list the accepted candidate last.
  auto At = Out.Attempts.begin() + Slower->Attempt;
  std::rotate(At, At + 1, Out.Attempts.end());
  accept(Plan.Candidates[Slower->Candidate], Slower->Entry, Out.Attempts.back());
  F.Say << "    slower on this CPU, with fewer memory operations: --device=FAMILY names the GPU "
           "that it is for, "
           "--tune keeps what is faster here\n";
}

void Attempts::noteNotTried(size_t From) {
  for (size_t N = From; N < Plan.Candidates.size(); ++N) {
    Attempt &A = Out.NotTried.emplace_back();
    A.Passes = Plan.Candidates[N].Passes;
    A.PredictedSpeedup = Plan.Candidates[N].PredictedSpeedup;
    if (Out.Compiled)
      A.Compiled = Out.Compiled->Forms[N];
  }
}

/// What the judge says of the best candidate that it could not decide.
std::string Attempts::whyUnclear() const {
  for (const Attempt &A : Out.Attempts)
    if (A.Verdict && A.Verdict->Result == verify::Outcome::Inconclusive)
      return A.Verdict->Summary;
  return "no candidate was judged";
}

Error Attempts::run() {
  if (F.By == FileRewriter::Choice::Clock && !tune())
    return Error::success();
  for (size_t N = 0; N < Plan.Candidates.size(); ++N) {
    if (Error E = tryOne(N))
      return E;
    if (Out.Manifest) {
      noteNotTried(N + 1);
      return Error::success();
    }
    if (Out.Attempts.back().Verdict && Out.Attempts.back().Verdict->NoListedSize)
      break;
    const auto Failed = count_if(Out.Attempts, [this](const Attempt &A) { return hasFailed(A); });
    if (!Replanned && (Failed == 2 || (Failed == 1 && N + 1 == Plan.Candidates.size())))
      addOthers(N + 1);
    if (Unclear >= MostUnclear)
      break;
  }
  if (Slower && F.runsOnCpu()) {
    acceptSlower();
    return Error::success();
  }
  if (Slower && !SawRefuted) {
    Out.Code = Refused;
    Out.Summary = "nothing-pays (measured): what holds is slower on this device";
    F.Say << Place << ": " << Out.Summary << "\n";
    return Error::success();
  }
  // --require=proved has not accepted it.
  const bool OnlyTested = any_of(Out.Attempts, [this](const Attempt &A) {
    return isUnclear(A) && A.Verdict->Result == verify::Outcome::Held;
  });
  // The kernel stays as it is, which does not end the others.
  if (all_of(Out.Attempts, [](const Attempt &A) { return !A.Problem.empty(); })) {
    Out.Code = Refused;
    Out.Summary = "refused: every rewrite failed to parse; this is a defect of clmali: " +
                  Out.Attempts.front().Problem;
    F.Say << Out.Name << ": " << Out.Summary << "\n";
    return Error::success();
  }
  Out.Code = SawRefuted && !OnlyTested ? WasRefuted : NotJudged;
  Out.Summary = OnlyTested   ? "held, but not proved for every size, as --require=proved asks"
                : SawRefuted ? "refuted: no candidate does the same as the original"
                : Derived
                    ? "inconclusive: nothing could be shown with the derived launch; a launch "
                      "file says how the host runs it"
                    : "inconclusive: " + whyUnclear();
  F.Say << Out.Name << ": " << Out.Summary << "\n";
  return Error::success();
}
