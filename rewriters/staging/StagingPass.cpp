//===-- rewriters/staging/StagingPass.cpp - Contract of staging passes -------===//

#include "rewriters/staging/StagingPass.h"

#include "rewriters/launch/Expression.h"

namespace clmali::rewrite {

using namespace model;

StagingNeeds stagingNeeds(const PassState &S) {
  StagingNeeds Needs;
  static_cast<LaunchContract &>(Needs) = S.Contract;
  Needs.KnownLocal = S.launch().KnownLocal;
  return Needs;
}

bool acceptNeeds(PassState &S, const StagingNeeds &Needs) {
  S.Contract = Needs;
  if (Needs.When.empty())
    return true;
  for (const Var *P : S.context().Original.Params)
    if (launch::isReservedName(P->Name) && P->Ty->isScalar() && P->Ty->isInteger()) {
      S.refuse({Refusal::GroupGeometry, "delocalize",
                "the launch would have to be compared with " + P->Name +
                    ", a name that stands for the geometry there",
                P->Range});
      return false;
    }
  return true;
}

} // namespace clmali::rewrite
