//===- local-size-exceeds-kernel-limit.cpp ----------------------------------------------------===//
//
// Before: size_t local = 256;   for a kernel with 26 registers: Midgard runs groups of 64
// After:  size_t local = 64;    or CL_KERNEL_WORK_GROUP_SIZE of the kernel
//
// Registers are the estimate of the cost model (checks/model/cost/Registers.h).
// Limits: sizes that are known without running the program.
//
//===------------------------------------------------------------------------------------------===//

#include "checks/model/cost/Registers.h"
#include "checks/query/Evidence.h"
#include "checks/query/GroupLimit.h"
#include "checks/query/HostCalls.h"
#include "checks/query/Query.h"
#include "llvm/ADT/StringExtras.h"
#include <cmath>
#include <set>

using namespace llvm;
using namespace clmali;
using namespace clmali::checks;
using namespace clmali::model;

namespace {
/// A size with which the kernel is launched.
struct Group {
  uint64_t Items = 0;
  bool Largest = false;           ///< one of several sizes, the largest
  const HostLaunch *By = nullptr; ///< null: the kernel's attribute
};
} // namespace

/// The largest group that the attribute or a launch asks for. A program that asks for the kernel's
/// limit is taken to respect it.
static std::optional<Group> largestGroup(const Kernel &K, Context &C) {
  std::optional<Group> Most;
  auto Add = [&](uint64_t Items, bool Largest, const HostLaunch *By) {
    if (Items && (!Most || Items > Most->Items))
      Most = Group{Items, Largest, By};
  };
  if (K.ReqdWorkGroupSize && !mentions(guessed(C).names().Numbers,
                                       C.text({K.Range.File, K.Range.Begin, K.BodyRange.Begin}))) {
    const auto &Size = *K.ReqdWorkGroupSize;
    Add(uint64_t(Size[0]) * Size[1] * Size[2], false, nullptr);
  }
  for (const HostLaunch &L : C.launches()) {
    if (L.LocalIsNull || L.Dims == 0 || L.AsksKernelLimit)
      continue;
    if (std::optional<uint64_t> Known = workItems(L.Local, L.Dims))
      Add(*Known, false, &L);
    else if (std::optional<uint64_t> AtMost = workItems(L.LocalAtMost, L.Dims))
      Add(*AtMost, true, &L);
  }
  return Most;
}

/// Arrays and structures of the work-item that data or loops index: in registers or in its stack.
static std::set<const Var *> objectsOf(const KernelAnalysis &K, Context &C) {
  std::set<const Var *> Objects;
  for (const AccessSite &A : K.accesses())
    if (const Var *V = A.A->Base; A.IsWrite && V->K == Var::Memory &&
                                  V->space() == AddressSpace::Private && !guessed(C).hasNumbers() &&
                                  !guessed(C).hasGuessedType(*V))
      Objects.insert(V);
  return Objects;
}

static void reportRegisters(const Kernel &K, const Group &G, Context &C) {
  const rules::DeviceFacts &D = C.device();
  std::set<const Var *> Objects = objectsOf(C.analysis(), C);
  RegisterUse Use = registers(C.analysis(), D, [&](const Var *V) { return Objects.count(V) > 0; });
  double Scale = guessed(C).names().Floats && !D.PadsSubword ? 0.5 : 1;
  double Values = Use.Values * Scale, All = std::max(Use.Values, Use.All) * Scale;
  auto Limit = [&](double Registers, StringRef Percent) {
    return groupLimit(D, Registers * 100 / std::max<int64_t>(1, C.option(Percent)));
  };
  uint64_t Known = Limit(All, "Percent");
  if (G.Items <= Known)
    return;
  std::string Of = utostr(G.Items) + " work-items";
  bool IsObjects = G.Items <= Limit(Values, "Percent");
  Finding &F = C.report(K.NameRange, G.By ? "it is launched in groups of " +
                                                std::string(G.Largest ? "up to " : "") + Of
                                          : "it requires groups of " + Of);
  F.cost((IsObjects ? "its variables and arrays take about " : "its variables take about ") +
         utostr(uint64_t(std::ceil(IsObjects ? All : Values))) + " registers of " +
         utostr(D.RegisterBits) + " bits, with which a group has at most " + utostr(Known) +
         ": the launch fails unless the compiler spills them; ask CL_KERNEL_WORK_GROUP_SIZE");
  // Values alone that need several times what the group allows.
  if (!G.Largest && !IsObjects && G.Items > Limit(Values, "CertainPercent"))
    F.fails();
  else if (G.Largest)
    F.atMost(rules::Severity::Info);
  if (Use.Where && Use.Where->Range.isValid() && !IsObjects)
    F.note(Use.Where->Range, "the most are alive here");
  else if (Use.Largest && IsObjects && Use.Largest->Range.isValid())
    F.note(Use.Largest->Range, "the largest array");
  if (G.By)
    F.inHost(G.By->Range, G.By->File, "the kernel");
}

/// The size in bytes of the local memory of a group, and the largest part of it.
static uint64_t localBytes(const Kernel &K, Context &C, const Var *&Largest) {
  uint64_t Bytes = 0, LargestBytes = 0;
  for (const Var *V : K.Vars) {
    if (V->K != Var::Memory || V->AS != AddressSpace::Local || guessed(C).hasGuessedSize(*V) ||
        guessed(C).hasGuessedType(*V))
      continue;
    Bytes += V->Ty->Size;
    if (V->Ty->Size > LargestBytes && V->Range.isValid()) {
      Largest = V;
      LargestBytes = V->Ty->Size;
    }
  }
  uint64_t Most = 0; // of the launches
  for (const HostLaunch &L : C.launches()) {
    uint64_t Given = 0;
    std::set<unsigned> Seen;
    for (const HostKernelArg &A : L.Args)
      if (A.K == HostKernelArg::Local && A.Size && Seen.insert(A.Index).second)
        Given += *A.Size;
    Most = std::max(Most, Given);
  }
  return Bytes + Most;
}

static void reportLocalMemory(const Kernel &K, Context &C) {
  const rules::Fact *Limit = C.device().fact("max-local-memory");
  const Var *Largest = nullptr;
  uint64_t Bytes = localBytes(K, C, Largest);
  if (!Limit || Bytes <= uint64_t(Limit->Value) || guessed(C).hasNumbers())
    return;
  C.report(Largest ? Largest->Range : K.NameRange,
           "a work-group takes " + utostr(Bytes) + " bytes of local memory")
      .cost("a group has at most " + utostr(uint64_t(Limit->Value)) + ", so the launch fails")
      .fails();
}

static void run(const Kernel &K, Context &C) {
  reportLocalMemory(K, C);
  const rules::DeviceFacts &D = C.device();
  std::optional<Group> G = largestGroup(K, C);
  // Larger than any kernel allows: work-group-size and local-size-multiple report it.
  if (G && G->Items <= groupLimit(D, 0))
    reportRegisters(K, *G, C);
}

CLMALI_KERNEL_CHECK("local-size-exceeds-kernel-limit", run);
