// The work-items of a counterexample.
#ifndef CLMALI_REWRITERS_VERIFY_RUNGS_WITNESS_H
#define CLMALI_REWRITERS_VERIFY_RUNGS_WITNESS_H

#include "rewriters/verify/cases/TestPlan.h"

#include <string>

namespace clmali::verify {

/// Work-items as "(5, 0, 0) of axpy_v4"; "no work-item"; empty: not known.
struct Witness {
  std::string Original, Rewritten;
};

/// The work-items that write element \p Element of argument \p Argument last, in
/// the original and in the rewritten kernel, on the data of \p Ready.
Witness findWriters(const TestPlan &P, const TestInput &In, const PreparedInput &Ready,
                    unsigned Argument, uint64_t Element);

/// The work-item of the rewritten kernel with the first access outside its buffers; empty: not
/// known.
std::string findInvalidAccess(const TestPlan &P, const TestInput &In, const PreparedInput &Ready);

/// The first data race of the original that Oclgrind sees; empty: none, or it cannot be run there.
std::string findOriginalRace(const TestPlan &P, const TestInput &In, const PreparedInput &Ready);

} // namespace clmali::verify

#endif
