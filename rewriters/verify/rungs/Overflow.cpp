#include "rewriters/verify/rungs/Overflow.h"

#include "rewriters/verify/rungs/GenericRung.h"
#include "rewriters/verify/symbolic/Symbolic.h"

#include <optional>
#include <set>
#include <utility>

using namespace llvm;

namespace clmali::verify {

/// Of processor time for one input. Numbers are executed at once; only what depends on
/// floating-point values may take long.
static constexpr double MostSeconds = 3;

/// Nothing: the machine cannot execute the programs on this input.
static std::optional<bool> differsByOverflow(const TestPlan &P, const TestInput &In,
                                             const PreparedInput &Ready) {
  const JudgeRequest &R = *P.Request;
  if (!R.Manifest.AsBuffers.empty())
    return std::nullopt; // the machine has no image that is a buffer in one program
  const TestPlan::PerLaunch &L = P.Launches[In.Launch];
  Expected<SymbolicRequest> Request = makeSymbolicRequest(
      programOf(R.Original, L.OriginalOptions), programOf(R.Rewritten, L.RewrittenOptions),
      R.Launches[In.Launch], In.At, R.Manifest);
  if (!Request) {
    consumeError(Request.takeError());
    return std::nullopt;
  }
  Request->Limits.Seconds = Request->Limits.SolverSeconds = MostSeconds;
  Request->OriginalLaunch.Shape = Ready.Original;
  Request->RewrittenLaunches.clear();
  for (const launch::ResolvedLaunch &One : Ready.Rewritten)
    Request->RewrittenLaunches.push_back({One.Kernel, One.Shape, One.LocalBytes});
  for (size_t I = 0; I < Request->Args.size(); ++I) {
    const ArgumentValue &V = Ready.Values[I];
    if (V.holdsData() || V.K == ArgumentValue::Kind::Scalar)
      Request->Args[I].Contents = V.Data;
  }
  const SymbolicResult Result = proveEquivalent(*Request);
  if (Result.Outcome == SymbolicOutcome::NotClimbed)
    return std::nullopt;
  return Result.Outcome == SymbolicOutcome::Proved && Result.OverflowsAlike;
}

std::function<bool(const TestInput &, const PreparedInput &)> overflowCheck(const TestPlan &P) {
  std::set<std::pair<unsigned, Pattern>> Overflowing; // launches and kinds of data
  return [&P, Overflowing](const TestInput &In, const PreparedInput &Ready) mutable {
    const std::pair<unsigned, Pattern> Kind(In.Launch, In.Fill);
    std::optional<bool> Known = differsByOverflow(P, In, Ready);
    if (Known.value_or(false))
      Overflowing.insert(Kind);
    return Known.value_or(In.Fill != Pattern::Declared && Overflowing.count(Kind) != 0);
  };
}

} // namespace clmali::verify
