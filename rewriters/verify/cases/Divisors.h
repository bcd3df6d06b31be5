// Names that something is divided by, as the text of a program shows them.
#ifndef CLMALI_REWRITERS_VERIFY_CASES_DIVISORS_H
#define CLMALI_REWRITERS_VERIFY_CASES_DIVISORS_H

#include "llvm/ADT/StringRef.h"

#include <set>
#include <string>

namespace clmali::verify {

/// Names that stand in a divisor (behind `/` or `%`), or that such a name is
/// computed from: by an assignment, or as the argument of a function or macro.
/// Read without scopes and types: rather a name too many than one too few.
std::set<std::string> divisorsIn(llvm::StringRef Source);

} // namespace clmali::verify

#endif
