// The rung "generic" inside the ladder. The proof runs in a child process.
#ifndef CLMALI_REWRITERS_VERIFY_RUNGS_GENERICRUNG_H
#define CLMALI_REWRITERS_VERIFY_RUNGS_GENERICRUNG_H

#include "rewriters/verify/cases/TestPlan.h"
#include "rewriters/verify/generic/Generic.h"
#include "rewriters/verify/symbolic/Symbolic.h"

namespace clmali::verify {

/// Why nothing is proved of a manifest that exchanges images for buffers: texels that are converted
/// are unknown functions of what is stored.
inline constexpr const char *ImageAgainstBuffer = "an image is compared with a buffer";

/// A program as Clang gets it: the judge's options without those that only devices know.
SymbolicProgram programOf(const ProgramText &Text, const std::string &Options);

/// Adds inputs to \p P for the sizes at which the proof found that the programs may differ.
void addCandidates(TestPlan &P, const GenericProof &Proof);

/// Tries to prove the two programs of \p P equal at every size, within \p Seconds of processor
/// time.
GenericProof runGenericRung(const TestPlan &P, unsigned Seconds);

} // namespace clmali::verify

#endif
