//===- private-array.cpp -----------------------------------------------------------------------===//
//
// Before: table[index[i] & 3]      in memory
// After:  indices that are constants once loops are unrolled: in registers
// Limits: once for each array.
//
//===------------------------------------------------------------------------------------------===//

#include "checks/Query.h"
#include "llvm/ADT/StringExtras.h"
#include <set>

using namespace llvm;
using namespace clmali;
using namespace clmali::checks;
using namespace clmali::model;

/// Why an index is not known at compile time; empty if it is.
static std::string unknown(const KernelAnalysis &K, const AccessSite &Site) {
  for (const auto &[M, Coefficient] : Site.Bytes.Terms)
    for (unsigned S : M) {
      const SymbolInfo &Info = K.symbol(S);
      switch (Info.K) {
      case SymbolInfo::WorkItem:
        return "a work-item's id";
      case SymbolInfo::Param:
        return "an argument";
      case SymbolInfo::LoopVar: {
        std::optional<CountedLoop> L = K.countedLoop(Info.Loop);
        if (!L || !L->TripCount)
          return "a loop whose length is not known";
        break;
      }
      default:
        if (Info.Varies.Data)
          return "data";
        return "a value that is not known at compile time";
      }
    }
  return "";
}

static void run(const Kernel &, Context &C) {
  const KernelAnalysis &K = C.analysis();
  std::set<const Var *> Reported;
  for (const AccessSite &Site : K.accesses()) {
    const Access &A = *Site.A;
    if (A.Base->K != Var::Memory || A.Base->space() != AddressSpace::Private ||
        A.Base->Ty->K != Type::Array || Reported.count(A.Base))
      continue;
    std::string Why = unknown(K, Site);
    if (Why.empty())
      continue;
    Reported.insert(A.Base);
    C.report(A.Range, "the private array " + nameOf(A) + " is indexed by " + Why)
        .cost("its " + utostr(A.Base->Ty->Size) + " bytes go to memory instead of registers");
  }
}

CLMALI_KERNEL_CHECK("private-array", run);
