// Proofs at several sizes.
//
//   before   all sizes of the plan, and a manifest
//   after    proofs at up to six of them: for each set of the manifest's launches
//            that runs at some size, the smallest such size, then the largest
//            that is small enough, then sizes between
//   limits   a proof holds for the sizes that it names only

#include "rewriters/verify/symbolic/Symbolic.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>
#include <chrono>
#include <tuple>

namespace clmali::verify {

using namespace llvm;

/// Work-items of the original beyond which no size is tried.
static constexpr uint64_t MostItems = 4096;
static constexpr size_t MostSizes = 6;

static std::string describe(const launch::Size &At) {
  std::string Text;
  for (const auto &[Name, Value] : At)
    Text += (Text.empty() ? "" : ", ") + Name + "=" + std::to_string(Value);
  return Text.empty() ? "the only size" : Text;
}

/// The launches that run at a size.
static std::string launchesOf(const SymbolicRequest &R) {
  std::string Text;
  for (const SymbolicLaunch &L : R.RewrittenLaunches)
    Text += L.Kernel + ";";
  return Text;
}

/// The interval rung in one line, from the results at each size.
static void sumUpIntervals(SymbolicLadder &Ladder) {
  std::string Whole, Partly;
  SymbolicInterval Most;
  for (const SymbolicSize &S : Ladder.Sizes) {
    const SymbolicInterval &I = S.Result.Interval;
    if (!I.Climbed) {
      if (Partly.empty())
        Partly = "at " + describe(S.At) + ": " + S.Result.Detail;
      continue;
    }
    if (I.Sites == 0)
      continue;
    Whole += (Whole.empty() ? "" : "; ") + describe(S.At);
    Most.Sites = std::max(Most.Sites, I.Sites);
    Most.MayLeave = std::max(Most.MayLeave, I.MayLeave);
    Most.Operations = std::max(Most.Operations, I.Operations);
  }
  raw_string_ostream OS(Ladder.IntervalDetail);
  if (Whole.empty()) {
    OS << (Partly.empty() ? "no arithmetic in 8 or 16 bits" : Partly);
    return;
  }
  Ladder.IntervalClimbed = true;
  OS << (Most.Sites - Most.MayLeave) << " of " << Most.Sites
     << " instructions in 8 or 16 bits never leave their type's range, for all "
        "inputs (at "
     << Whole << ")";
}

namespace {

/// A size at which a proof may be tried.
struct Choice {
  SymbolicSize Size;
  SymbolicRequest Request;
  std::string Kind; ///< launch file and launches that run
};

/// The sizes that are small enough, in ascending order. \p WhyNone: why there is none.
std::vector<Choice> choicesOf(const SymbolicProgram &Original, const SymbolicProgram &Rewritten,
                              ArrayRef<launch::LaunchFile> Launches,
                              const launch::ManifestKernel &Manifest,
                              ArrayRef<SymbolicSize> Candidates, std::string &WhyNone) {
  std::vector<SymbolicSize> Sorted;
  for (const SymbolicSize &S : Candidates)
    if (S.Items <= MostItems && S.Launch < Launches.size())
      Sorted.push_back(S);
  llvm::sort(Sorted, [](const SymbolicSize &A, const SymbolicSize &B) {
    return std::tie(A.Items, A.Launch, A.At) < std::tie(B.Items, B.Launch, B.At);
  });
  std::vector<Choice> Choices;
  WhyNone = "no size with at most " + std::to_string(MostItems) + " work-items";
  for (SymbolicSize &S : Sorted) {
    Expected<SymbolicRequest> R =
        makeSymbolicRequest(Original, Rewritten, Launches[S.Launch], S.At, Manifest);
    if (!R) {
      WhyNone = llvm::toString(R.takeError());
      continue;
    }
    for (size_t I = 0; I < std::min(R->Args.size(), S.Fields.size()); ++I)
      R->Args[I].Fields = S.Fields[I];
    std::string Kind = std::to_string(S.Launch) + ":" + launchesOf(*R);
    Choices.push_back({S, std::move(*R), std::move(Kind)});
  }
  return Choices;
}

/// Up to MostSizes of the choices, in ascending order: for each kind the smallest, then for each
/// kind the largest, then sizes between.
std::vector<size_t> selectSizes(ArrayRef<Choice> Choices) {
  std::map<std::string, std::vector<size_t>> Kinds;
  for (size_t I = 0; I < Choices.size(); ++I)
    Kinds[Choices[I].Kind].push_back(I);
  std::vector<size_t> Order;
  auto take = [&](size_t I) {
    if (Order.size() < MostSizes && !is_contained(Order, I))
      Order.push_back(I);
  };
  for (double Part : {0.0, 1.0, 0.5, 0.25})
    for (const auto &[Kind, Indices] : Kinds)
      take(Indices[size_t(Part * double(Indices.size() - 1))]);
  // Small sizes first: what they refute need not be computed at large ones.
  llvm::sort(Order);
  return Order;
}

/// What the proofs at the sizes say together.
class Summary {
public:
  void add(const std::string &Size, const SymbolicResult &R) {
    if (R.Outcome == SymbolicOutcome::Proved)
      addProof(Size, R);
    else if (R.OutOfTime)
      TooLong += (TooLong.empty() ? "" : "; ") + Size;
    else if (NotProved.empty())
      NotProved = "at " + Size + ": " + R.Detail;
  }

  void finish(SymbolicLadder &Ladder) const {
    raw_string_ostream OS(Ladder.Detail);
    if (!NotProved.empty()) {
      OS << NotProved;
      if (!Proved.empty())
        OS << " (proved at " << Proved << ")";
      return;
    }
    if (Written == 0) {
      OS << (TooLong.empty() ? "nothing is written at any size that was tried"
                             : "out of time at the smallest size");
      return;
    }
    Ladder.Outcome = SymbolicOutcome::Proved;
    OS << "proved for all inputs at " << Written << (Written == 1 ? " size (" : " sizes (")
       << Proved << "): up to " << Most.OriginalItems << " work-items against "
       << Most.RewrittenItems << ", loops up to " << Most.LongestLoop << " iterations";
    if (!TooLong.empty())
      OS << "; no time for " << TooLong;
    if (Idle)
      OS << "; nothing is written at " << Idle << " more";
    for (const std::string &A : Most.Assumptions)
      OS << "; " << A;
  }

private:
  void addProof(const std::string &Size, const SymbolicResult &R) {
    if (R.ElementsCompared == 0) {
      ++Idle;
      return;
    }
    ++Written;
    Proved += (Proved.empty() ? "" : "; ") + Size;
    if (R.OriginalItems >= Most.OriginalItems) {
      Most.OriginalItems = R.OriginalItems;
      Most.RewrittenItems = R.RewrittenItems;
    }
    Most.LongestLoop = std::max(Most.LongestLoop, R.LongestLoop);
    for (const std::string &A : R.Assumptions)
      if (!is_contained(Most.Assumptions, A))
        Most.Assumptions.push_back(A);
  }

  std::string Proved, NotProved, TooLong; ///< sizes
  SymbolicResult Most;                    ///< the largest numbers of the proofs
  unsigned Written = 0, Idle = 0;         ///< sizes at which something is written, or nothing
};

SymbolicLadder climb(const SymbolicProgram &Original, const SymbolicProgram &Rewritten,
                     ArrayRef<launch::LaunchFile> Launches, const launch::ManifestKernel &Manifest,
                     ArrayRef<SymbolicSize> Candidates, double Seconds) {
  using Clock = std::chrono::steady_clock;
  const auto Start = Clock::now();
  SymbolicLadder Ladder;
  std::string WhyNone;
  std::vector<Choice> Choices =
      choicesOf(Original, Rewritten, Launches, Manifest, Candidates, WhyNone);
  if (Choices.empty()) {
    Ladder.Detail = WhyNone;
    return Ladder;
  }
  Summary S;
  for (size_t I : selectSizes(Choices)) {
    double Left = Seconds - std::chrono::duration<double>(Clock::now() - Start).count();
    Choice &C = Choices[I];
    const std::string Name = describe(C.Size.At);
    if (Left <= 0) {
      C.Size.Result.Detail = "out of time";
      C.Size.Result.OutOfTime = true;
    } else {
      C.Request.Limits.Seconds = Left;
      C.Size.Result = proveEquivalent(C.Request);
    }
    const SymbolicResult &R = C.Size.Result;
    Ladder.Sizes.push_back(C.Size);
    if (R.Outcome == SymbolicOutcome::Counterexample) {
      Ladder.Outcome = R.Outcome;
      Ladder.Detail = "at " + Name + ": " + R.Detail;
      return Ladder;
    }
    S.add(Name, R);
  }
  S.finish(Ladder);
  return Ladder;
}

} // namespace

SymbolicLadder proveAtSizes(const SymbolicProgram &Original, const SymbolicProgram &Rewritten,
                            ArrayRef<launch::LaunchFile> Launches,
                            const launch::ManifestKernel &Manifest,
                            ArrayRef<SymbolicSize> Candidates, double Seconds) {
  SymbolicLadder Ladder = climb(Original, Rewritten, Launches, Manifest, Candidates, Seconds);
  sumUpIntervals(Ladder);
  return Ladder;
}

json::Object toJson(const SymbolicLadder &Ladder) {
  json::Array Sizes;
  for (const SymbolicSize &S : Ladder.Sizes) {
    const SymbolicResult &R = S.Result;
    Sizes.push_back(
        json::Object{{"size", describe(S.At)},
                     {"outcome", toString(R.Outcome)},
                     {"detail", json::fixUTF8(R.Detail)},
                     {"assumptions", json::Array(R.Assumptions)},
                     {"originalWorkItems", int64_t(R.OriginalItems)},
                     {"rewrittenWorkItems", int64_t(R.RewrittenItems)},
                     {"elementsCompared", int64_t(R.ElementsCompared)},
                     {"sameOperations", int64_t(R.Structural)},
                     {"elementsUnchanged", int64_t(R.ElementsUnchanged)},
                     {"questions", int64_t(R.Questions)},
                     {"questionsToZ3", int64_t(R.QuestionsToZ3)},
                     {"longestLoop", int64_t(R.LongestLoop)},
                     {"narrow", json::Object{{"run", R.Interval.Climbed},
                                             {"instructions", int64_t(R.Interval.Sites)},
                                             {"mayLeaveRange", int64_t(R.Interval.MayLeave)},
                                             {"operations", int64_t(R.Interval.Operations)},
                                             {"corners", int64_t(R.Interval.Corners.size())}}},
                     {"seconds", R.Seconds}});
  }
  return json::Object{{"outcome", toString(Ladder.Outcome)},
                      {"detail", json::fixUTF8(Ladder.Detail)},
                      {"sizes", std::move(Sizes)}};
}

} // namespace clmali::verify
