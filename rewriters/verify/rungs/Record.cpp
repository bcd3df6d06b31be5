#include "rewriters/verify/rungs/Record.h"

#include "rewriters/verify/run/Worker.h"

#include "llvm/ADT/StringExtras.h"

#include <set>

using namespace llvm;

namespace clmali::verify {

namespace {

/// Each launch file and size of the plan, once.
json::Array plannedSizes(const RecordInput &In) {
  json::Array Sizes;
  std::set<std::pair<unsigned, unsigned>> Seen;
  for (const TestInput &Input : In.Plan.Inputs)
    if (Seen.insert({Input.Launch, Input.SizeId}).second)
      Sizes.push_back(json::Object{{"launch", In.Request.Launches[Input.Launch].Path},
                                   {"size", describe(Input.At)},
                                   {"listed", Input.Listed},
                                   {"workItems", static_cast<int64_t>(Input.Items)}});
  return Sizes;
}

json::Array tolerancesOf(const RecordInput &In) {
  json::Array Tolerances;
  for (const launch::LaunchFile &F : In.Request.Launches) {
    auto one = [](StringRef Where, const launch::Tolerance &T) {
      json::Object J{{"of", Where.str()}, {"exact", T.isExact()}};
      if (T.Ulp)
        J["ulp"] = *T.Ulp;
      if (T.Relative)
        J["rel"] = *T.Relative;
      if (T.Absolute)
        J["abs"] = *T.Absolute;
      return J;
    };
    Tolerances.push_back(one(F.Path, F.Compare));
    for (const launch::Argument &A : F.Args)
      if (A.Compare)
        Tolerances.push_back(one(A.Name, *A.Compare));
  }
  return Tolerances;
}

json::Object toJson(const Counterexample &X) {
  return json::Object{{"check", X.Rung},
                      {"part", X.Part},
                      {"what", json::fixUTF8(X.What)},
                      {"size", X.Size},
                      {"argument", X.Argument},
                      {"element", static_cast<int64_t>(X.Element)},
                      {"expected", X.Expected},
                      {"got", X.Got},
                      {"originalItem", X.OriginalItem},
                      {"rewrittenItem", X.RewrittenItem},
                      {"nonZeroInputs", static_cast<int64_t>(X.NonZero)},
                      {"replayed", X.Replayed},
                      {"launchFile", X.LaunchFile}};
}

std::string hashOf(const ProgramText &P) {
  return P.Hash.empty() ? launch::sourceHash(P.Source) : P.Hash;
}

} // namespace

void writeRecord(Verdict &V, RecordInput In) {
  json::Object &O = V.Record;
  O["verdict"] = toString(V.Result);
  O["summary"] = json::fixUTF8(V.Summary);
  O["kernel"] = In.Request.Manifest.Original;
  O["original"] =
      json::Object{{"name", In.Request.Original.Name}, {"hash", hashOf(In.Request.Original)}};
  O["rewritten"] =
      json::Object{{"name", In.Request.Rewritten.Name}, {"hash", hashOf(In.Request.Rewritten)}};
  O["device"] = toJson(In.Device);
  O["devices"] = std::move(In.Devices);
  O["seed"] = static_cast<int64_t>(In.Request.Options.Seed);
  if (!In.Request.Options.Without.empty()) {
    json::Array Left;
    for (const std::string &Part : In.Request.Options.Without)
      Left.push_back(Part);
    O["leftOut"] = std::move(Left);
  }
  json::Array Checks;
  for (const Rung &One : V.Rungs)
    Checks.push_back(json::Object{
        {"name", One.Name}, {"state", stateOf(One, V)}, {"detail", json::fixUTF8(One.Detail)}});
  O["checks"] = std::move(Checks);
  O["counts"] = std::move(In.Counts);
  O["runs"] = static_cast<int64_t>(In.TotalRuns);
  O["sizesNotLaunchable"] = In.Plan.SizesSkipped;
  O["planned"] = plannedSizes(In);
  if (V.Result == Outcome::Held)
    O["basis"] = toString(V.RestsOn);
  O["sizes"] = json::Array(V.Sizes);
  json::Array Skipped;
  for (const launch::SkippedInputs &S : V.Skipped)
    Skipped.push_back(
        json::Object{{"why", json::fixUTF8(S.Why)}, {"count", static_cast<int64_t>(S.Count)}});
  O["skipped"] = std::move(Skipped);
  json::Array Patterns;
  for (Pattern Pat : AllPatterns)
    Patterns.push_back(toString(Pat));
  O["patterns"] = std::move(Patterns);
  O["tolerances"] = tolerancesOf(In);
  bool Limited = false, Addresses = false;
  for (const TestPlan::PerLaunch &L : In.Plan.Launches) {
    Limited |= L.Rules.LimitIntegers;
    Addresses |= L.Rules.LimitAddresses;
  }
  if (Limited || Addresses)
    In.Notes.push_back(std::string(Limited ? "integers" : "integers in addresses and trip counts") +
                       " stay inside the declared data: the original makes invalid accesses on "
                       "others");
  if (In.Symbolic.Ended)
    O["symbolic"] = json::Object(In.Symbolic.Record);
  O["generic"] = toJson(V.Generic);
  O["notes"] = json::Array(In.Notes);
  if (V.Example)
    O["counterexample"] = toJson(*V.Example);
  O["seconds"] = In.Seconds;
}

} // namespace clmali::verify
