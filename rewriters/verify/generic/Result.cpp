// Names and the record of a proof.
#include "rewriters/verify/generic/Generic.h"

namespace clmali::verify {

using namespace llvm;

StringRef toString(GenericProof::Outcome O) {
  switch (O) {
  case GenericProof::Outcome::Proved:
    return "proved";
  case GenericProof::Outcome::Refuted:
    return "refuted";
  case GenericProof::Outcome::NotProved:
    return "not-proved";
  }
  return "not-proved";
}

StringRef toString(GenericProof::Reason R) {
  using Reason = GenericProof::Reason;
  switch (R) {
  case Reason::None:
    return "";
  case Reason::LeftOut:
    return "left-out";
  case Reason::NotTried:
    return "not-tried";
  case Reason::OutOfTime:
    return "out-of-time";
  case Reason::SolverGaveUp:
    return "solver-gave-up";
  case Reason::NotCompiled:
    return "not-compiled";
  case Reason::Launches:
    return "launch-files-differ";
  case Reason::Expression:
    return "launch-expression";
  case Reason::Coverage:
    return "coverage";
  case Reason::LocalMemory:
    return "local-memory";
  case Reason::Groups:
    return "work-groups";
  case Reason::Atomics:
    return "atomics";
  case Reason::Images:
    return "images";
  case Reason::RelaxedMath:
    return "relaxed-math";
  case Reason::Instruction:
    return "not-modelled";
  case Reason::Pointer:
    return "pointer-from-data";
  case Reason::Uninitialised:
    return "uninitialised";
  case Reason::LoopForm:
    return "loop-form";
  case Reason::LoopDiffers:
    return "loop-differs";
  case Reason::StoreInLoop:
    return "store-in-loop";
  case Reason::StoreDiffers:
    return "store-differs";
  case Reason::ValueDiffers:
    return "value-differs";
  case Reason::StoreOrder:
    return "store-order";
  case Reason::Interference:
    return "interference";
  case Reason::NewAccess:
    return "new-access";
  case Reason::Overflow:
    return "overflow";
  case Reason::NeverRuns:
    return "never-runs";
  case Reason::Limit:
    return "limit";
  case Reason::NotReplayed:
    return "not-replayed";
  }
  return "not-tried";
}

json::Object toJson(const GenericProof &P) {
  json::Object O{{"outcome", toString(P.Result)},
                 {"reason", toString(P.Why)},
                 {"detail", json::fixUTF8(P.Detail)},
                 {"seconds", P.Seconds}};
  auto list = [&](StringRef Key, ArrayRef<std::string> Lines) {
    if (!Lines.empty())
      O[Key] = json::Array(Lines);
  };
  list("assumptions", P.Assumptions);
  list("pinned", P.Pinned);
  list("require", P.Require);
  if (!P.Candidates.empty()) {
    json::Array All;
    for (const GenericCandidate &C : P.Candidates) {
      json::Object At;
      for (const auto &[Name, Value] : C.At)
        At[Name] = Value;
      All.push_back(json::Object{{"launch", static_cast<int64_t>(C.Launch)},
                                 {"at", std::move(At)},
                                 {"what", json::fixUTF8(C.What)}});
    }
    O["candidates"] = std::move(All);
  }
  return O;
}

} // namespace clmali::verify
