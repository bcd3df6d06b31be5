//===-- checks/model/analysis/Recomputation.h - Results that are out of date -*- C++ -*-===//
//
// A fixpoint iteration computes results from each other, pass after pass, until none changes. Few
// change in most passes. This class knows which have to be computed again: those that read a
// result which has changed since.
//
//   for (unsigned N = R.next(0, End); N < End; N = R.next(N + 1, End)) {
//     R.begin(N);                // what is read from here on is read by N
//     .. R.read(M) ..
//     if (New != Old)
//       R.changed(N);
//   }
//
// Limits: a computation must depend on nothing else that changes during the iteration.
//
//===----------------------------------------------------------------------===//

#ifndef CLMALI_CHECKS_MODEL_ANALYSIS_RECOMPUTATION_H
#define CLMALI_CHECKS_MODEL_ANALYSIS_RECOMPUTATION_H

#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/SmallVector.h"
#include <vector>

namespace clmali::model {

class Recomputation {
public:
  /// Results are numbered from 0 to Results - 1. All are out of date.
  explicit Recomputation(unsigned Results)
      : Stale(Results, true), Readers(Results), LastReader(Results, NoResult) {}

  bool isOutOfDate(unsigned N) const { return Stale.test(N); }
  /// The first result from Begin on that is out of date; End: none before End is.
  unsigned next(unsigned Begin, unsigned End) const {
    int N = Begin < End ? Stale.find_first_in(Begin, End) : -1;
    return N < 0 ? End : unsigned(N);
  }
  void begin(unsigned N) {
    Stale.reset(N);
    Current = N;
  }
  /// What is no result of the iteration does not change.
  void read(unsigned N) {
    if (Current == NoResult || N >= Readers.size() || LastReader[N] == Current)
      return;
    LastReader[N] = Current;
    Readers[N].push_back(Current);
  }
  void changed(unsigned N) {
    for (unsigned Reader : Readers[N])
      Stale.set(Reader);
  }
  /// The rule by which results are computed has changed: all are out of date.
  void restart() { Stale.set(); }

private:
  static constexpr unsigned NoResult = ~0u;
  llvm::BitVector Stale;
  std::vector<llvm::SmallVector<unsigned, 2>> Readers; ///< a result may occur twice
  std::vector<unsigned> LastReader;                    ///< added to Readers
  unsigned Current = NoResult;
};

} // namespace clmali::model

#endif // CLMALI_CHECKS_MODEL_ANALYSIS_RECOMPUTATION_H
