//===- scalar-byte-load.cpp -------------------------------------------------------------------===//
//
// Before: dst[i] = 255 - src[i];                                  (uchar, one for each work-item)
// After:  vstore16((uchar16)(255) - vload16(i, src), i, dst);     (clmali-rewrite, launch / 16)
//
//===------------------------------------------------------------------------------------------===//

#include "checks/model/pattern/LockstepItems.h"
#include "checks/query/Contiguity.h"
#include "checks/query/Query.h"
#include "checks/query/RareCode.h"
#include "llvm/ADT/StringExtras.h"
#include <set>

using namespace llvm;
using namespace clmali;
using namespace clmali::checks;
using namespace clmali::model;

static std::string verb(bool Read, bool Written) {
  return Read && Written ? "read and written" : Written ? "written" : "read";
}

static std::string cost(const Access &A, const rules::DeviceFacts &Device) {
  std::string Cost = utostr(sizeInBytes(A.Elem)) + " of " + utostr(Device.IdealAccessBits / 8) +
                     " bytes of each access are used";
  if (const rules::Fact *Burst = Device.fact("max-burst-bytes"))
    Cost += ", and elements below " + utostr(Device.MinBurstBits) +
            " bits form no burst of up to " + utostr(Burst->Value) + " bytes";
  return Cost;
}

static void run(const Kernel &, Context &C) {
  std::set<const Var *> Reported;
  std::vector<const AccessSite *> Firsts, All;
  for (const ContiguousBuffer &B : contiguousScalars(C, {8, 16})) {
    if (B.Count < C.option("MinAccesses"))
      continue;
    const Access &A = *B.First->A;
    Reported.insert(A.Base);
    Firsts.push_back(B.First);
    append_range(All, B.Sites);
    std::string Each = B.ForEach == 1 ? "one " + typeOf(A) + " at a time"
                                      : typeOf(A) + " by " + typeOf(A) + ", " + utostr(B.ForEach) +
                                            " for each work-item";
    Finding &F = C.report(A.Range, nameOf(A) + " is " + verb(B.Read, B.Written) + " " + Each +
                                       ", although neighbours in dimension " + utostr(B.Dim) +
                                       " are contiguous");
    F.cost(cost(A, C.device()));
    if (hasVectorForm(C, *A.Base))
      F.atMost(rules::Severity::Info);
    F.share(shareOfWork(C, B.Sites));
    if (pattern::mayBecomeLanes(C.analysis(), C.cached<pattern::LockstepItems>()))
      F.fix(Applicability::Verify, "clmali-rewrite --passes=vectorize");
  }
  using Neighbours = std::vector<NeighbouringElements>;
  for (const NeighbouringElements &N :
       C.cached<Neighbours>([&] { return neighboursOfOneItem(C, {8, 16}); })) {
    const Access &A = *N.First->A;
    if (std::max(N.Count, 1u) < C.option("MinAccesses") || !Reported.insert(A.Base).second)
      continue;
    Firsts.push_back(N.First);
    if (!N.Alike)
      append_range(All, N.Sites);
    std::string Type = model::name(A.Elem).str();
    Finding &F = C.report(
        A.Range,
        nameOf(A) + " is " + verb(N.Read, N.Written) + " " + Type + " by " + Type +
            (N.Count ? ", although a work-item takes " + utostr(N.Count) + " that are adjacent"
                     : std::string(", one per iteration, although they are adjacent")));
    F.cost(cost(A, C.device()));
    // Work of a single work-item of a group is a remainder.
    bool ByOne =
        all_of(N.Sites, [&](const AccessSite *Site) { return isPinned(C.analysis(), *Site, 0); });
    if (N.Alike || ByOne || hasVectorForm(C, *A.Base))
      F.atMost(rules::Severity::Info);
    F.share(shareOfWork(C, N.Sites));
  }
  for (const AccessSite *Site : distinctLocations(C, Firsts, All))
    C.report(Site->A->Range, nameOf(*Site->A) + " is " + verb(Site->IsRead, Site->IsWrite) + " " +
                                 model::name(Site->A->Elem) + " by " + model::name(Site->A->Elem) +
                                 " here, too")
        .cost(cost(*Site->A, C.device()))
        .atMost(hasVectorForm(C, *Site->A->Base) || isRare(C, Site->S) ? rules::Severity::Info
                                                                       : rules::Severity::Error);
}

CLMALI_KERNEL_CHECK("scalar-byte-load", run);
