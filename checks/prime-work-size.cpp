//===- prime-work-size.cpp (host) -------------------------------------------------------------===//
//
// Before: size_t global[1] = {1009};
// After:  size_t global[1] = {1024};     where the kernel guards against work-items past the end
// Limits: sizes that can be evaluated without running the program.
//
//===------------------------------------------------------------------------------------------===//

#include "checks/query/GroupLimit.h"
#include "checks/query/HostCalls.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;
using namespace clmali;
using namespace clmali::checks;
using namespace clmali::model;

/// The largest divisor of N that is at most Limit.
static uint64_t largestDivisor(uint64_t N, uint64_t Limit) {
  for (uint64_t D = std::min(N, Limit); D > 1; --D)
    if (N % D == 0)
      return D;
  return 1;
}

static bool isPrime(uint64_t N) {
  if (N < 4)
    return N > 1;
  for (uint64_t D = 2; D <= N / D; ++D)
    if (N % D == 0)
      return false;
  return true;
}

/// The largest work-group of at most \p Limit work-items, a multiple of \p Multiple, whose sizes
/// divide \p Size; 0 if there is none.
static uint64_t largestGroup(ArrayRef<std::optional<uint64_t>> Size, uint64_t Multiple,
                             uint64_t Limit) {
  uint64_t Best = 0;
  auto Try = [&](auto &&Self, unsigned Dim, uint64_t Group) -> void {
    if (Dim == Size.size()) {
      if (Group % Multiple == 0)
        Best = std::max(Best, Group);
      return;
    }
    for (uint64_t D = 1; D <= Limit / Group; ++D)
      if (*Size[Dim] % D == 0)
        Self(Self, Dim + 1, Group * D);
  };
  Try(Try, 0, 1);
  return Best;
}

/// Reports a launch whose dimensions together have no good work-group, although none is bad by
/// itself.
static void reportWhole(const HostLaunch &L, Context &C) {
  const rules::DeviceFacts &D = C.device();
  std::optional<uint64_t> Items = workItems(L.Global, L.Dims);
  uint64_t Multiple = std::min(D.SmallWorkGroup, D.WorkGroupMultiple);
  // A small launch is one group; report it only if the group leaves lanes empty.
  bool Small = Items && *Items < uint64_t(C.option("MinSize"));
  bool Whole = Small && workItems(L.Local, L.Dims) == Items;
  if (!(L.LocalIsNull || Whole) || L.Dims == 0 || !Items ||
      (Small && (*Items < Multiple || *Items % Multiple == 0)))
    return;
  uint64_t Best = largestGroup(ArrayRef(L.Global).take_front(L.Dims), Multiple, D.MaxWorkGroup);
  if (Best >= D.WorkGroupMultiple)
    return;
  reportSize(C, L, L.GlobalRange[0],
             kernelOf(L) + " is launched with " + utostr(*Items) + " work-items in all" +
                 (L.GlobalByDefault ? " by default" : ""))
      .atMost(rules::Severity::Info)
      .cost(Best ? "the largest work-group that divides it and is a multiple of " +
                       utostr(Multiple) + " has " + utostr(Best) + " work-items"
                 : "no work-group that is a multiple of " + utostr(Multiple) + " divides it");
}

static void run(const HostModule &H, Context &C) {
  const rules::DeviceFacts &D = C.device();
  for (const HostLaunch &L : H.Launches) {
    // A given local size that is a good one compensates for other dimensions.
    uint64_t Group = 1;
    bool LocalKnown = !L.LocalIsNull && L.Dims > 0;
    for (unsigned Dim = 0; Dim < L.Dims; ++Dim) {
      LocalKnown &= L.Local[Dim].has_value();
      Group *= L.Local[Dim].value_or(1);
    }
    bool Reported = false;
    for (unsigned Dim = 0; Dim < std::max(1u, L.Dims); ++Dim) {
      if (!L.Global[Dim])
        continue;
      // A size of 2, or a small one that is not prime, makes one group.
      bool Small = *L.Global[Dim] < uint64_t(C.option("MinSize"));
      if (Small && (*L.Global[Dim] == 2 || !isPrime(*L.Global[Dim])))
        continue;
      uint64_t N = *L.Global[Dim];
      uint64_t Local = L.LocalIsNull ? 1 : L.Local[Dim].value_or(1);
      bool Divides = Local <= 1 || N % Local == 0;
      if (Divides && LocalKnown && Group % D.WorkGroupMultiple == 0)
        continue;
      bool Prime = isPrime(N);
      uint64_t Best = largestDivisor(N, D.MaxWorkGroup);
      if (Divides && !Prime && Best >= D.SmallWorkGroup)
        continue;
      Finding &F =
          reportSize(C, L, L.GlobalRange[Dim],
                     kernelOf(L) + " is launched with " + utostr(N) + " work-items in dimension " +
                         utostr(Dim) + (L.GlobalByDefault ? " by default" : "") +
                         (Prime ? ", which is prime" : ""));
      Reported = true;
      if (Small)
        F.atMost(rules::Severity::Info);
      if (!Divides && !L.GlobalByDefault && !L.LocalByDefault && needsWholeGroups(H))
        F.cost("the local size " + utostr(Local) +
               " does not divide it, and the program is built for OpenCL C before 2.0: the launch "
               "fails")
            .fails();
      else if (!Divides)
        F.cost("the local size " + utostr(Local) +
               " does not divide it: the launch fails before OpenCL 2.0, and ends "
               "in a part of a group since");
      else if (N <= D.MaxWorkGroup)
        F.cost("a work-group has 1 or all " + utostr(N) + " of them");
      else
        F.cost("no work-group of more than " + utostr(Best) +
               (Best == 1 ? " work-item" : " work-items") + " divides it");
      uint64_t Rounded = alignTo(N, Divides ? D.WorkGroupMultiple : Local);
      // No edit, since it changes the launch; clmali-rewrite and its verifier check that the kernel
      // guards.
      F.fix(Applicability::Unsafe,
            "round it up to " + utostr(Rounded) + " where the kernel guards against the rest");
    }
    if (!Reported)
      reportWhole(L, C);
  }
}

CLMALI_HOST_CHECK("prime-work-size", run);
