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

Expected<Verdict> judge(const JudgeRequest &Request) { return Judgement(Request).run(); }

} // namespace clmali::verify
