//===- register-pressure.cpp ------------------------------------------------------------------===//
//
// Before: many large variables, all live at one statement
// After:  smaller types, shorter live ranges, or a kernel in two parts
//
// The number of registers is that of --cost, as are occupancy and spills
// (checks/model/cost/Schedule.h); with arrays, that of checks/model/cost/Registers.h.
// Limits: those of the estimates; arrays count whole while they are live.
//
//===------------------------------------------------------------------------------------------===//

#include "checks/model/cost/Registers.h"
#include "checks/model/cost/Schedule.h"
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
  const rules::Fact *Noted = D.fact("registers-noted");
  if (!Noted)
    return;
  std::set<const Var *> Objects = objectsOf(C.analysis(), C);
  RegisterUse Use = registers(C.analysis(), D, [&](const Var *V) { return Objects.count(V) > 0; });
  // A count of registers, not evidence: what was taken for float may be half, and two of them share
  // a register.
  double Scale = guessed(C).names().Floats && !D.PadsSubword ? 0.5 : 1;
  uint64_t Values = std::ceil(Use.Values * Scale), All = std::ceil(Use.All * Scale);
  Occupancy Left;
  const uint64_t Percent = C.option("Percent");
  if (Values * 100 > Noted->Value * Percent) {
    Pressure Live = pressure(lower(C.analysis(), D), D);
    Live.Source *= Scale;
    Live.Least *= Scale;
    Left = occupancy(Live, D);
  }
  bool InArrays = Left.Part < 4 && Use.Largest && All * 100 > D.RegistersHalf * Percent;
  if (Left.Part == 1 && !InArrays)
    return;
  // A finding in a function that the kernel calls would not name the kernel.
  bool IsOwn = InArrays && isInKernel(K, Use.Largest->Range);
  Finding &F =
      C.report(IsOwn ? Use.Largest->Range : K.NameRange,
               (InArrays ? "its variables and arrays take about " : "its variables take about ") +
                   utostr(InArrays ? All : uint64_t(std::ceil(Left.Allocated))) + " registers of " +
                   utostr(D.RegisterBits) + " bits at once");
  std::string Cost = "the family has " + utostr(D.RegistersFull) + " at full occupancy";
  if (Left.Needed > D.RegistersQuarter || (InArrays && All > D.RegistersQuarter))
    Cost += ", and above " + utostr(D.RegistersQuarter) + " they go to memory";
  else if (!InArrays)
    Cost += std::string(", and ") + (Left.Part == 4 ? "a quarter" : "half") +
            " of the work-items remain";
  F.cost(Cost);
  if (!InArrays && Use.Where && Use.Where->Range.isValid())
    F.note(Use.Where->Range, "the most are alive here");
  else if (InArrays && !IsOwn && Use.Largest->Range.isValid())
    F.note(Use.Largest->Range, "the largest array");
  if (Left.Part < 4)
    F.atMost(rules::Severity::Info);
}

CLMALI_KERNEL_CHECK("register-pressure", run);
