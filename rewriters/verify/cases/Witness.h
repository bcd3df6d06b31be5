// Who did it: the work-items behind a counterexample.
#ifndef CLMALI_REWRITERS_VERIFY_CASES_WITNESS_H
#define CLMALI_REWRITERS_VERIFY_CASES_WITNESS_H

#include "rewriters/verify/cases/TestPlan.h"

#include <string>

namespace clmali::verify {

/// Work-items as "(5, 0, 0) of axpy_v4"; "no work-item"; empty: not known.
struct Witness {
  std::string Original, Rewritten;
};

/// The work-items that write element \p Element of argument \p Argument last, in
/// the original and in the rewritten kernel, on the data of \p Ready.
Witness findWriters(const TestPlan &P, const TestInput &C, const PreparedCase &Ready,
                    unsigned Argument, uint64_t Element);

/// The work-item of the rewritten kernel that first strays from its buffers.
std::string findCulprit(const TestPlan &P, const TestInput &C, const PreparedCase &Ready);

} // namespace clmali::verify

#endif
