// The order of a proof: launches, programs, coverage, then each kernel that the manifest launches.
#include "rewriters/verify/generic/Prover.h"

#include "llvm/ADT/STLExtras.h"

namespace clmali::verify {

using namespace llvm;

namespace generic {

GenericProof Prover::run() {
  Questions Plain(T, [this] { return secondsLeft(); });
  Loops.Prove = [&](Term Bit) { return Plain.ask(Bit) == Truth::Always; };
  if (!checkLaunches() || !compile())
    return std::move(Result);
  findGroups();
  if (!bind())
    return std::move(Result);
  Coverage = proveCoverage(Manifest, R.Launches, Host, scalarRanges());
  if (!Coverage.Problem.empty()) {
    stop(Coverage.Unmodelled ? Reason::Expression : Reason::Coverage, Coverage.Problem);
    return std::move(Result);
  }
  std::vector<std::string> Kernels;
  for (const LaunchClaim &C : Coverage.Claims)
    if (!C.Never && !is_contained(Kernels, C.Kernel))
      Kernels.push_back(C.Kernel);
  for (const std::string &Kernel : Kernels) {
    std::vector<const LaunchClaim *> Claims;
    for (const LaunchClaim &C : Coverage.Claims)
      if (!C.Never && C.Kernel == Kernel)
        Claims.push_back(&C);
    if (!proveKernel(Kernel, Claims))
      return std::move(Result);
  }
  Result.Result = GenericProof::Outcome::Proved;
  Result.Why = Reason::None;
  Result.Assumptions.push_back("each buffer is smaller than 4 GiB, each size below 2^40");
  Result.Detail = "proved for every size";
  for (const std::string &P : Result.Pinned)
    Result.Detail += ", where " + P;
  return std::move(Result);
}

} // namespace generic

GenericProof proveForEverySize(const GenericRequest &Request) {
  using namespace generic;
  const double Start = processorSeconds();
  const double Until = Start + Request.Seconds;
  GenericProof P = Prover(Request, false, Until).run();
  if (!P.proved()) {
    GenericProof Pinned = Prover(Request, true, Until).run();
    if (Pinned.proved())
      P = std::move(Pinned);
  }
  P.Seconds = processorSeconds() - Start;
  return P;
}

} // namespace clmali::verify
