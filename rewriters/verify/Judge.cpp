// The judge's interface. The steps of a judgement are in rungs/Judgement.h.
#include "rewriters/verify/rungs/Judgement.h"

using namespace llvm;

namespace clmali::verify {

ArrayRef<StringRef> partNames() {
  static constexpr StringRef Names[] = {"launch",
                                        "coverage",
                                        "oclgrind-memory",
                                        "oclgrind-race",
                                        "oclgrind-divergence",
                                        "oclgrind-uninitialised",
                                        "oclgrind-values",
                                        "guard-pages",
                                        "guard-zones",
                                        "poison",
                                        "self-agreement",
                                        "random-data",
                                        "extreme-data",
                                        "structured-data",
                                        "boundary-data",
                                        "scalars",
                                        "own-sizes",
                                        "local-sizes",
                                        "reverse-order",
                                        "interval",
                                        "symbolic",
                                        "generic"};
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

StringRef toString(Basis B) {
  switch (B) {
  case Basis::Proved:
    return "proved";
  case Basis::ProvedAt:
    return "proved-at";
  case Basis::Tested:
    return "tested";
  }
  return "tested";
}

StringRef stateOf(const Rung &Check, const Verdict &V) {
  const bool IsProof = Check.Name == "generic" || Check.Name == "symbolic";
  if (!Check.Climbed)
    return IsProof ? "no proof" : "not run";
  return V.Result == Outcome::Refuted && V.Example && V.Example->Rung == Check.Name ? "failed"
                                                                                    : "passed";
}

void addRequire(launch::ManifestKernel &K, const Verdict &V) {
  std::vector<std::string> All;
  if (V.Generic.proved())
    All = V.Generic.Require;
  for (const launch::ManifestLaunch &L : K.Launches)
    if (is_contained(V.NeverLaunched, L.Kernel))
      All.push_back("(" + L.When.text() + ") == 0");
  for (const std::string &Text : All)
    if (none_of(K.Require, [&](const launch::Expression &E) { return E.text() == Text; }))
      K.Require.push_back(cantFail(launch::Expression::parse(Text)));
}

launch::ManifestVerdict manifestVerdict(const Verdict &V) {
  return {toString(V.Result).str(), toString(V.RestsOn).str(), V.Sizes, V.Runs, V.Skipped};
}

Expected<Verdict> judge(const JudgeRequest &Request) { return Judgement(Request).run(); }

} // namespace clmali::verify
