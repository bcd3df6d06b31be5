//===-- checks/model/analysis/Cache.h - Results computed once -------*- C++ -*-===//
//
// Holds one object of each type:
//
//   LaunchSimulator &L = Cache.get<LaunchSimulator>([&] { return LaunchSimulator(A); });
//
// Two results of one type need two types: `struct Leaves : Map {};`. The objects are destroyed with
// the cache, so whatever they refer to must outlive it.
//
//===----------------------------------------------------------------------===//
#ifndef CLMALI_CHECKS_MODEL_ANALYSIS_CACHE_H
#define CLMALI_CHECKS_MODEL_ANALYSIS_CACHE_H

#include "llvm/ADT/DenseMap.h"
#include <memory>

namespace clmali::model {

class AnalysisCache {
public:
  /// The T of this cache; Make makes it on the first call. Make may ask the cache for other types.
  template <typename T, typename Function> T &get(Function Make) {
    std::shared_ptr<void> Object = Objects.lookup(&Key<T>);
    if (!Object) {
      Object = std::shared_ptr<T>(new T(Make()));
      Objects[&Key<T>] = Object;
    }
    return *static_cast<T *>(Object.get());
  }

private:
  template <typename T> inline static char Key = 0; ///< its address identifies the type
  llvm::DenseMap<const void *, std::shared_ptr<void>> Objects;
};

} // namespace clmali::model
#endif
