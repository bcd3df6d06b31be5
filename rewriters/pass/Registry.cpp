//===-- rewriters/pass/Registry.cpp - All passes, by id ----------------------===//

#include "rewriters/pass/Pass.h"
#include "llvm/ADT/STLExtras.h"

namespace clmali::rewrite {

static std::vector<Pass> &registry() {
  static std::vector<Pass> All;
  return All;
}

static bool before(const Pass &P, llvm::StringRef Id) { return P.Id < Id; }

// The static objects of the passes' files run in no particular order: keep the list sorted.
PassRegistration::PassRegistration(Pass P) {
  std::vector<Pass> &All = registry();
  All.insert(std::lower_bound(All.begin(), All.end(), llvm::StringRef(P.Id), before), P);
}

llvm::ArrayRef<Pass> allPasses() { return registry(); }

const Pass *findPass(llvm::StringRef Id) {
  const std::vector<Pass> &All = registry();
  auto It = std::lower_bound(All.begin(), All.end(), Id, before);
  return It != All.end() && It->Id == Id ? &*It : nullptr;
}

std::vector<llvm::StringRef> publicPasses() {
  std::vector<llvm::StringRef> Names;
  for (const Pass &P : allPasses())
    if (!P.ShownAs.empty())
      Names.push_back(P.ShownAs);
  llvm::sort(Names);
  Names.erase(llvm::unique(Names), Names.end());
  return Names;
}

} // namespace clmali::rewrite
