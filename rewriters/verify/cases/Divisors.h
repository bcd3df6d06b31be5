// The names by which a program divides, from its text.
#ifndef CLMALI_REWRITERS_VERIFY_CASES_DIVISORS_H
#define CLMALI_REWRITERS_VERIFY_CASES_DIVISORS_H

#include "llvm/ADT/StringRef.h"

#include <set>
#include <string>

namespace clmali::verify {

/// The names in divisors (after `/` or `%`), and the names from which such a name is computed: by
/// an assignment, or as the argument of a function or macro. Scopes and types are ignored, so there
/// may be too many names, not too few.
std::set<std::string> divisorsIn(llvm::StringRef Source);

} // namespace clmali::verify

#endif
