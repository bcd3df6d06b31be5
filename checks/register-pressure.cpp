//===- register-pressure.cpp
//----------------------------------------------------------------------===//
//
// Before: many large variables, all live at one statement
// After:  smaller types, shorter live ranges, or a kernel in two parts
//
// The estimate is that of the cost model (checks/model/cost/Registers.h), which --cost shows.
// Limits: those of the estimate; arrays count whole while they are live.
//
//===------------------------------------------------------------------------------------------===//

#include "checks/model/cost/Registers.h"
#include "checks/query/Query.h"
#include "llvm/ADT/StringExtras.h"
#include <cmath>
#include <set>

using namespace llvm;
using namespace clmali;
using namespace clmali::checks;
using namespace clmali::model;

/// True if a structure holds an array. Its size may be a guess, which the declarations of variables
/// do not show.
static bool hasArrays(const Type *Ty) {
  while (Ty->K == Type::Array)
    Ty = Ty->Elem;
  return any_of(Ty->Fields,
                [](const model::Field &F) { return F.Ty->K == Type::Array || hasArrays(F.Ty); });
}

/// Private arrays and structures, without constant tables and those of an unknown size: a guessed
/// number or type declares it.
static std::set<const Var *> objectsOf(const KernelAnalysis &K, Context &C) {
  const GuessedFacts &G = guessed(C);
  std::set<const Var *> Written;
  for (const AccessSite &A : K.accesses())
    if (const Var *V = A.A->Base; A.IsWrite && V->K == Var::Memory &&
                                  V->space() == AddressSpace::Private && !Written.count(V) &&
                                  !G.hasGuessedSize(*V) && !G.hasGuessedType(*V) &&
                                  (!G.hasNumbers() || !hasArrays(V->Ty)))
      Written.insert(V);
  return Written;
}

/// True if the range is in the kernel's own text, not in that of a function that it calls.
static bool isInKernel(const Kernel &K, const SourceRange &R) {
  return R.isValid() && R.File == K.Range.File && R.Begin >= K.Range.Begin && R.End <= K.Range.End;
}

static void run(const Kernel &K, Context &C) {
  const rules::DeviceFacts &D = C.device();
  const rules::Fact *Limit = D.fact("registers-reported");
  if (!Limit)
    return;
  // Tuned kernels may keep a block of vectors live on purpose.
  const rules::Fact *Noted =
      D.fact(isHandTuned(C.analysis()) ? "registers-noted-tuned" : "registers-noted");
  std::set<const Var *> Objects = objectsOf(C.analysis(), C);
  RegisterUse Use = registers(C.analysis(), D, [&](const Var *V) { return Objects.count(V) > 0; });
  uint64_t Values = std::ceil(Use.Values), InObjects = std::ceil(Use.Objects),
           All = std::ceil(Use.All);
  auto Exceeds = [&](uint64_t Registers, const rules::Fact *Of) {
    // A count of registers, not evidence: what was taken for float may be half, and two of them
    // share a register.
    if (guessed(C).names().Floats && !D.PadsSubword)
      Registers /= 2;
    return Of && int64_t(Registers) * 100 > Of->Value * C.option("Percent");
  };
  const Var *Array = Use.Largest;
  bool Many = Exceeds(Values, Limit);
  bool ManyInArrays = Array && Exceeds(InObjects, Limit);
  bool Together =
      Array && (Exceeds(All * 100 / std::max<int64_t>(1, C.option("ArrayPercent")), Noted) ||
                Exceeds(All, Limit));
  if (!Many && !ManyInArrays && !Together && !Exceeds(Values, Noted))
    return;
  ManyInArrays |= Together && !Many;
  uint64_t Most = ManyInArrays ? All : Values;
  std::string Cost = "the family has " + utostr(D.RegistersFull) + " at full occupancy";
  if (Most > D.RegistersQuarter)
    Cost += ", and above " + utostr(D.RegistersQuarter) + " they go to memory";
  // A finding in a function that the kernel calls would not name the kernel.
  bool IsOwn = ManyInArrays && isInKernel(K, Array->Range);
  Finding &F = C.report(
      IsOwn && !Many ? Array->Range : K.NameRange,
      (ManyInArrays ? "its variables and arrays take about " : "its variables take about ") +
          utostr(Most) + " registers of " + utostr(D.RegisterBits) + " bits at once");
  F.cost(Cost);
  if (!ManyInArrays && Use.Where && Use.Where->Range.isValid())
    F.note(Use.Where->Range, "the most are alive here");
  else if (ManyInArrays && (Many || !IsOwn) && Array->Range.isValid())
    F.note(Array->Range, "the largest array");
  if (!Many)
    F.atMost(rules::Severity::Info);
}

CLMALI_KERNEL_CHECK("register-pressure", run);
