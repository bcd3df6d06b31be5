//===-- rewriters/pass/PassState.cpp - What a pass works on ------------------===//

#include "rewriters/pass/PassState.h"

#include "llvm/ADT/STLExtras.h"

namespace clmali::rewrite {

using namespace model;

/// "vectorize" of "vectorize:16".
static llvm::StringRef nameOf(llvm::StringRef Shown) { return Shown.split(':').first; }

bool PassContext::allows(llvm::StringRef ShownAs) const {
  return (!named() && ShownAs != Options.Without) ||
         llvm::any_of(Options.Passes, [&](llvm::StringRef P) { return nameOf(P) == ShownAs; });
}

WorkSize PassState::localSize() const {
  WorkSize Size = launch().localSizeOf(kernel());
  if (!kernel().ReqdWorkGroupSize)
    for (unsigned D = 0; D < 3; ++D)
      Size[D] = Size[D] % Blocked.factor(D) ? 0 : Size[D] / Blocked.factor(D);
  return Size;
}

void PassState::refuseIfNamed(llvm::ArrayRef<RefusalAt> All) {
  if (C->named())
    for (const RefusalAt &R : All)
      refuse(R);
}

void PassState::record(llvm::StringRef Shown) {
  if (llvm::none_of(Applied, [&](llvm::StringRef P) { return nameOf(P) == nameOf(Shown); }))
    Applied.push_back(Shown.str());
}

void PassState::oblige(const pattern::Apart &Assumed) {
  if (Assumed.ByShift)
    Contract.oblige(NoOverlapText.str());
  if (Assumed.ReadByAll)
    Contract.oblige(ReadByAllText.str());
}

bool PassState::takeDemand(llvm::StringRef Id) {
  auto It = llvm::find(Demanded, Id);
  if (It == Demanded.end())
    return false;
  Demanded.erase(It);
  return true;
}

} // namespace clmali::rewrite
