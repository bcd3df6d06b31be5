//===- Measure.cpp - the forms of one kernel, timed on the device at hand
//-----------------------===//

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

/// From here on the size of the launch file is measured as it is: what a launch costs by itself
/// (some hundredths of a millisecond) and what a clock misses no longer tell one form from another.
constexpr double BusyMs = 1;
/// Larger than this nothing is made only to be measured: work-items, and elements of all buffers.
constexpr uint64_t MostItems = 1 << 22, MostElements = 1 << 27;
/// Runs of which the best counts, for a first look.
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
    // Small numbers are taps, channels and the like.
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
    // As many doublings at once as the time is short of, a few at most: it may grow faster than the
    // items.
    unsigned Steps = std::clamp<int>(std::ceil(std::log2(BusyMs / std::max(Ms, 1e-3)) / 2), 1, 2);
    std::optional<launch::Size> Next = grown(At, Steps);
    if (!Next && Steps > 1)
      Next = grown(At, 1);
    if (!Next)
      break;
    launch::Size Before = std::exchange(At, *Next);
    std::optional<double> Time = time(Original.Source, std::nullopt, Quick);
    std::optional<double> Own = C && Time ? time(*C, Quick) : Time;
    if (!Own) { // what the launch file says does not carry so far
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
  // In turns, and more than once, for a machine may be busy; what is launched and gone says
  // nothing.
  constexpr unsigned Runs = 5, Rounds = 3;
  constexpr double Clearly = 1.25, LaunchMs = 0.03;
  start();
  LastMs.reset();
  for (unsigned I = 0; I < Rounds; ++I) {
    std::optional<double> Before = time(Original.Source, std::nullopt, Runs);
    std::optional<double> After = Before ? time(C, Runs) : std::nullopt;
    if (!After) // the judge ran both; what fails now is the measuring
      return false;
    OriginalMs = std::min(OriginalMs.value_or(*Before), *Before);
    LastMs = std::min(LastMs.value_or(*After), *After);
    if (*LastMs <= *OriginalMs * Clearly || *LastMs <= *OriginalMs + LaunchMs)
      return false;
  }
  return true;
}

void Measure::rank(std::vector<rewrite::Candidate> &Candidates, std::vector<double> &Times) {
  // A quick look at all of them, a long one at the best and at what the model likes best: in turns
  // and more than once, for what takes less than a millisecond is told by luck otherwise.
  constexpr unsigned Long = 7, Finalists = 8, BestShapes = 4, Rounds = 4;
  constexpr double Pays = 1.03; // less than three per cent is noise
  constexpr std::chrono::seconds TuneLimit(180);
  start();
  if (!OriginalMs)
    return Candidates.clear();
  Say << formatv("{0}: {1:f3} ms as it is\n", Launch.Kernel, *OriginalMs);
  std::vector<std::pair<double, rewrite::Candidate>> Measured;
  auto ByTime = [](const auto &A, const auto &B) { return A.first < B.first; };
  auto ShapeOf = [](const rewrite::Candidate &C) {
    std::string Shape;
    for (StringRef P : C.Passes)
      if (P.starts_with("vectorize") || P.starts_with("coarsen"))
        Shape += (P + " ").str();
    return Shape;
  };
  auto Began = std::chrono::steady_clock::now();
  auto Late = [&] { return std::chrono::steady_clock::now() - Began > TuneLimit; };
  auto Try = [&](rewrite::Candidate &C) {
    std::optional<double> Time = time(C, Quick);
    if (!Time) {
      Say << Launch.Kernel << ": cannot be measured: " << Cannot << "\n";
      return;
    }
    Say << formatv("{0}: {1:f3} ms, {2:f2}x with [{3}]\n", Launch.Kernel, *Time,
                   *OriginalMs / *Time, join(C.Passes, ", "));
    if (*Time * Pays < *OriginalMs)
      Measured.push_back({*Time, std::move(C)});
  };
  const std::vector<std::string> Predicted =
      Candidates.empty() ? std::vector<std::string>() : Candidates.front().Passes;
  // One form of each shape, and then the other forms of the best shapes.
  StringSet<> Seen;
  std::vector<rewrite::Candidate *> Others;
  for (rewrite::Candidate &C : Candidates) {
    if (!Seen.insert(ShapeOf(C)).second)
      Others.push_back(&C);
    else if (!Late())
      Try(C);
  }
  stable_sort(Measured, ByTime);
  StringSet<> Best;
  for (size_t I = 0; I < Measured.size() && I < BestShapes; ++I)
    Best.insert(ShapeOf(Measured[I].second));
  for (rewrite::Candidate *C : Others)
    if (Best.contains(ShapeOf(*C)) && !Late())
      Try(*C);
  if (Late())
    Say << Launch.Kernel << ": not every candidate was measured, for want of time\n";
  stable_sort(Measured, ByTime);
  size_t Again = std::min<size_t>(Finalists, Measured.size());
  auto Liked = find_if(Measured, [&](const auto &X) { return X.second.Passes == Predicted; });
  if (Liked != Measured.end() && size_t(Liked - Measured.begin()) >= Again)
    std::iter_swap(Liked, Measured.begin() + Again - 1);
  if (Again) {
    growFor(&Measured.front().second, Measured.front().first);
    Measured.resize(Again); // the others were seen at another size, and are not near the best
    for (auto &X : Measured)
      X.first = std::numeric_limits<double>::infinity();
  }
  for (unsigned Round = 0; Again && (Round == 0 || (Round < Rounds && !Late())); ++Round) {
    if (std::optional<double> Time = time(Original.Source, std::nullopt, Long))
      OriginalMs = std::min(*OriginalMs, *Time);
    for (auto &[Best, C] : Measured)
      if (std::optional<double> Time = time(C, Long))
        Best = std::min(Best, *Time);
  }
  stable_sort(Measured, ByTime);
  erase_if(Measured, [&](const auto &X) { return X.first * Pays > *OriginalMs; });
  for (const auto &[Time, C] : Measured)
    Say << formatv("{0}: {1:f3} ms, {2:f2}x with [{3}]\n", Launch.Kernel, Time, *OriginalMs / Time,
                   join(C.Passes, ", "));
  // What is as fast as the fastest here, as far as a clock can tell, is told by the model: it knows
  // what larger sizes ask for.
  constexpr double AsFast = 1.1;
  auto Slower =
      find_if(Measured, [&](const auto &X) { return X.first > Measured.front().first * AsFast; });
  std::stable_sort(Measured.begin(), Slower, [](const auto &A, const auto &B) {
    return A.second.PredictedSpeedup > B.second.PredictedSpeedup;
  });
  Candidates.clear();
  for (auto &[Time, C] : Measured) {
    Times.push_back(Time);
    Candidates.push_back(std::move(C));
  }
}
