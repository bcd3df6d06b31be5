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
  if (!AnyRuns) {
    stop(Reason::NeverRuns, "no launch of the manifest ever runs");
    return std::move(Result);
  }
  Result.Result = GenericProof::Outcome::Proved;
  Result.Why = Reason::None;
  Result.Assumptions.push_back("each buffer is smaller than 4 GiB, each size below 2^40");
  if (any_of(BufferImages, [](const auto &I) { return I.has_value(); }))
    Result.Assumptions.push_back("each extent of an image that has rows is below 2^19");
  Result.Detail = "proved for every size";
  requireGroups();
  for (const std::string &P : Result.Pinned)
    Result.Detail += ", where " + P;
  return std::move(Result);
}

void Prover::requireGroups() {
  std::string Local, Offset;
  for (unsigned D = 0; D < Host.Dimensions; ++D) {
    const std::string And = D ? " && " : "", Axis(1, "xyz"[D]);
    Local += And + "l" + Axis + " == " + std::to_string(Host.Local[D]);
    Offset += And + "o" + Axis + " == 0";
  }
  if (Host.Local[0])
    Result.Require.push_back(Local);
  if (Host.NoOffset)
    Result.Require.push_back(Offset);
  for (const std::string &Text : Result.Require)
    Result.Assumptions.push_back("each launch has " + Text);
}

/// The proofs of launch files by the size of their groups, as one.
static GenericProof proveByGroups(const GenericRequest &Request, bool Pin, double Until) {
  std::map<GroupSize, std::vector<launch::LaunchFile>> Files;
  for (const launch::LaunchFile &F : Request.Launches)
    Files[groupSizeOf(F)].push_back(F);
  if (Files.size() == 1)
    return Prover(Request, Pin, Until).run();
  GenericProof All;
  std::string Any;
  for (const auto &[Group, Of] : Files) {
    GenericRequest Part = Request;
    Part.Launches = Of;
    GenericProof P = Prover(Part, Pin, Until).run();
    // Candidates are numbered by all launch files.
    P.Candidates.clear();
    std::string Its;
    for (const std::string &Text : P.Require)
      Its += (Its.empty() ? "(" : " && (") + Text + ")";
    P.Require.clear();
    Any += (Any.empty() ? "(" : " || (") + (Its.empty() ? "1" : Its) + ")";
    if (!P.proved())
      return P;
    if (All.proved())
      for (const std::string &Text : All.Pinned)
        if (!is_contained(P.Pinned, Text))
          P.Pinned.push_back(Text);
    All = std::move(P);
  }
  All.Require = {Any};
  return All;
}

} // namespace generic

GenericProof proveForEverySize(const GenericRequest &Request) {
  using namespace generic;
  const double Start = processorSeconds();
  const double Until = Start + Request.Seconds;
  GenericProof P = proveByGroups(Request, false, Until);
  if (!P.proved()) {
    GenericProof Pinned = proveByGroups(Request, true, Until);
    if (Pinned.proved())
      P = std::move(Pinned);
  }
  P.Seconds = processorSeconds() - Start;
  return P;
}

} // namespace clmali::verify
