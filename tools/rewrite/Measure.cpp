//===- Measure.cpp - times the versions of a kernel on the device at hand ---------------------===//

#include "tools/rewrite/Measure.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FormatVariadic.h"
#include <chrono>
#include <cmath>
#include <limits>

using namespace llvm;
using namespace clmali;
using namespace clmali::tool;

namespace {

/// Times at or above this are used without growing the size: launch overhead (some hundredths of a
/// millisecond) and the resolution of the clock no longer matter.
constexpr double BusyMs = 1;
/// Limits for grown sizes: work-items, and elements of all buffers.
constexpr uint64_t MostItems = 1 << 22, MostElements = 1 << 27;
/// Runs in the first measurement, of which the best counts.
constexpr unsigned Quick = 2;

uint64_t itemsAt(const launch::LaunchFile &L, const launch::Size &S) {
  Expected<launch::Geometry> G = launch::geometryAt(L, S);
  if (G)
    return G->items();
  consumeError(G.takeError());
  return 0;
}

/// "w=1024 h=768"
std::string describe(const launch::Size &S) {
  std::string Text;
  for (const auto &[Name, Value] : S)
    Text += formatv("{0}{1}={2}", Text.empty() ? "" : " ", Name, Value).str();
  return Text;
}

} // namespace

Measure::Measure(verify::ProgramText Original, launch::LaunchFile Launch,
                 verify::JudgeOptions Judge, EntryOf Entry, bool Grows, raw_ostream &Say)
    : Original(std::move(Original)), Launch(std::move(Launch)), Judge(std::move(Judge)),
      Entry(std::move(Entry)), Grows(Grows), Say(Say) {}

std::optional<double> Measure::time(const std::string &Source,
                                    std::optional<launch::ManifestKernel> Entry, unsigned Runs) {
  verify::TimeRequest T;
  T.Launch = Launch;
  T.Options = Judge;
  T.Program = {Source, Original.Name};
  T.Manifest = std::move(Entry);
  T.Runs = Runs;
  T.At = At;
  Expected<verify::Timing> Time = verify::timeLaunch(T);
  if (Time)
    return Time->BestMs;
  Cannot = toString(Time.takeError());
  return std::nullopt;
}

std::optional<launch::Size> Measure::grown(const launch::Size &S, unsigned Steps) const {
  launch::Size Next = S;
  uint64_t Items = itemsAt(Launch, S);
  for (auto &[Name, Value] : Next) {
    launch::Size One = S;
    One[Name] *= 2;
    // Small sizes are filter taps, channels and similar.
    if (Value >= 32 && itemsAt(Launch, One) > Items)
      Value <<= Steps;
  }
  uint64_t More = itemsAt(Launch, Next);
  if (More <= Items || More > MostItems)
    return std::nullopt;
  Expected<bool> Allowed = launch::meetsRequirements(Launch, Next);
  if (!Allowed) {
    consumeError(Allowed.takeError());
    return std::nullopt;
  }
  uint64_t Elements = 0;
  for (const launch::Argument &A : Launch.Args)
    if (A.K == launch::Argument::Kind::Buffer) {
      Expected<int64_t> Count = A.Count.evaluate(launch::bindingsAt(Launch, Next));
      if (!Count) {
        consumeError(Count.takeError());
        return std::nullopt;
      }
      Elements += std::max<int64_t>(0, *Count);
    }
  if (!*Allowed || Elements > MostElements)
    return std::nullopt;
  return Next;
}

void Measure::start() {
  if (std::exchange(Started, true))
    return;
  uint64_t Most = 0;
  for (const launch::Size &S : Launch.Sizes)
    if (uint64_t Items = itemsAt(Launch, S); Items > Most) {
      Most = Items;
      At = S;
    }
  OriginalMs = time(Original.Source, std::nullopt, Quick);
  if (!OriginalMs)
    Say << Launch.Kernel << ": cannot be measured: " << Cannot << "\n";
  else
    growFor(nullptr, *OriginalMs);
}

void Measure::growFor(const rewrite::Candidate *C, double Ms) {
  bool Grew = false;
  while (Grows && Ms < BusyMs) {
    // As many doublings at once as the time suggests, a few at most: time may grow faster than the
    // number of items.
    unsigned Steps = std::clamp<int>(std::ceil(std::log2(BusyMs / std::max(Ms, 1e-3)) / 2), 1, 2);
    std::optional<launch::Size> Next = grown(At, Steps);
    if (!Next && Steps > 1)
      Next = grown(At, 1);
    if (!Next)
      break;
    launch::Size Before = std::exchange(At, *Next);
    std::optional<double> Time = time(Original.Source, std::nullopt, Quick);
    std::optional<double> Own = C && Time ? time(*C, Quick) : Time;
    if (!Own) { // the launch file does not allow this size
      At = Before;
      break;
    }
    OriginalMs = Time;
    Ms = *Own;
    Grew = true;
  }
  if (Grew)
    Say << Launch.Kernel << ": measured at " << describe(At)
        << "; at the launch file's sizes it is over too soon\n";
}

bool Measure::isSlower(const rewrite::Candidate &C) {
  // Alternate and repeat, because the machine may be busy; skip launches that end too soon to
  // measure.
  constexpr unsigned Runs = 5, Rounds = 3;
  constexpr double Clearly = 1.25, LaunchMs = 0.03;
  start();
  LastMs.reset();
  for (unsigned I = 0; I < Rounds; ++I) {
    std::optional<double> Before = time(Original.Source, std::nullopt, Runs);
    std::optional<double> After = Before ? time(C, Runs) : std::nullopt;
    if (!After) // the judge ran both, so only the measurement failed
      return false;
    OriginalMs = std::min(OriginalMs.value_or(*Before), *Before);
    LastMs = std::min(LastMs.value_or(*After), *After);
    if (*LastMs <= *OriginalMs * Clearly || *LastMs <= *OriginalMs + LaunchMs)
      return false;
  }
  return true;
}

using Clock = std::chrono::steady_clock;
/// No new measurement starts this long after the first.
static constexpr std::chrono::seconds TuneLimit(180);
/// A smaller gain counts as noise.
static constexpr double Pays = 1.03;

static bool isLate(Clock::time_point Began) { return Clock::now() - Began > TuneLimit; }

static bool byTime(const Measure::Timed &A, const Measure::Timed &B) { return A.first < B.first; }

/// Lanes and rows without the ways to finish the block: "vectorize:4 coarsen:2 ".
static std::string shapeOf(const rewrite::Candidate &C) {
  std::string Shape;
  for (StringRef P : C.Passes)
    if (P.starts_with("vectorize") || P.starts_with("coarsen"))
      Shape += (P + " ").str();
  return Shape;
}

void Measure::say(double Ms, const rewrite::Candidate &C) const {
  Say << formatv("{0}: {1:f3} ms, {2:f2}x with [{3}]\n", Launch.Kernel, Ms, *OriginalMs / Ms,
                 join(C.Passes, ", "));
}

/// Measures C briefly and adds it if it is faster than the original.
void Measure::look(rewrite::Candidate &C, std::vector<Timed> &Measured) {
  std::optional<double> Time = time(C, Quick);
  if (!Time) {
    Say << Launch.Kernel << ": cannot be measured: " << Cannot << "\n";
    return;
  }
  say(*Time, C);
  if (*Time * Pays < *OriginalMs)
    Measured.push_back({*Time, std::move(C)});
}

/// The candidates that are faster than the original, fastest first: one of each shape, then the
/// others of the best shapes.
std::vector<Measure::Timed> Measure::lookAtAll(std::vector<rewrite::Candidate> &Candidates,
                                               Clock::time_point Began) {
  constexpr unsigned BestShapes = 4;
  std::vector<Timed> Measured;
  StringSet<> Seen, Best;
  std::vector<rewrite::Candidate *> Others;
  for (rewrite::Candidate &C : Candidates) {
    if (!Seen.insert(shapeOf(C)).second)
      Others.push_back(&C);
    else if (!isLate(Began))
      look(C, Measured);
  }
  stable_sort(Measured, byTime);
  for (size_t I = 0; I < Measured.size() && I < BestShapes; ++I)
    Best.insert(shapeOf(Measured[I].second));
  for (rewrite::Candidate *C : Others)
    if (Best.contains(shapeOf(*C)) && !isLate(Began))
      look(*C, Measured);
  if (isLate(Began))
    Say << Launch.Kernel << ": not every candidate was measured, for want of time\n";
  stable_sort(Measured, byTime);
  return Measured;
}

/// Keeps the fastest of Measured and the best predicted ones, measures them thoroughly and sorts by
/// time. Measurements alternate and repeat: below a millisecond a single one is unreliable.
void Measure::measureFinalists(std::vector<Timed> &Measured, ArrayRef<std::string> Predicted,
                               Clock::time_point Began) {
  constexpr unsigned Long = 7, Finalists = 8, Rounds = 4;
  size_t Again = std::min<size_t>(Finalists, Measured.size());
  if (!Again)
    return;
  auto Liked =
      find_if(Measured, [&](const Timed &X) { return ArrayRef(X.second.Passes) == Predicted; });
  if (Liked != Measured.end() && size_t(Liked - Measured.begin()) >= Again)
    std::iter_swap(Liked, Measured.begin() + Again - 1);
  growFor(&Measured.front().second, Measured.front().first);
  Measured.resize(Again); // the others were measured at another size and are not near the best
  for (Timed &X : Measured)
    X.first = std::numeric_limits<double>::infinity();
  for (unsigned Round = 0; Round == 0 || (Round < Rounds && !isLate(Began)); ++Round) {
    if (std::optional<double> Time = time(Original.Source, std::nullopt, Long))
      OriginalMs = std::min(*OriginalMs, *Time);
    for (auto &[Best, C] : Measured)
      if (std::optional<double> Time = time(C, Long))
        Best = std::min(Best, *Time);
  }
  stable_sort(Measured, byTime);
}

void Measure::rank(std::vector<rewrite::Candidate> &Candidates, std::vector<double> &Times) {
  start();
  if (!OriginalMs)
    return Candidates.clear();
  Say << formatv("{0}: {1:f3} ms as it is\n", Launch.Kernel, *OriginalMs);
  Clock::time_point Began = Clock::now();
  const std::vector<std::string> Predicted =
      Candidates.empty() ? std::vector<std::string>() : Candidates.front().Passes;
  std::vector<Timed> Measured = lookAtAll(Candidates, Began);
  measureFinalists(Measured, Predicted, Began);
  erase_if(Measured, [&](const Timed &X) { return X.first * Pays > *OriginalMs; });
  for (const auto &[Time, C] : Measured)
    say(Time, C);
  // Among candidates within the resolution of the clock, take the best predicted one: the model
  // accounts for larger sizes.
  constexpr double AsFast = 1.1;
  auto Slower =
      find_if(Measured, [&](const Timed &X) { return X.first > Measured.front().first * AsFast; });
  std::stable_sort(Measured.begin(), Slower, [](const Timed &A, const Timed &B) {
    return A.second.PredictedSpeedup > B.second.PredictedSpeedup;
  });
  Candidates.clear();
  for (auto &[Time, C] : Measured) {
    Times.push_back(Time);
    Candidates.push_back(std::move(C));
  }
}
