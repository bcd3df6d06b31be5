// Operations whose result OpenCL leaves to the device: at most so many units in the last place from
// the right one, or undefined for some operands. A device that runs both programs does not show
// that another one gives the same.
#ifndef CLMALI_REWRITERS_VERIFY_FACTS_OPENRESULTS_H
#define CLMALI_REWRITERS_VERIFY_FACTS_OPENRESULTS_H

#include <set>
#include <string>

namespace llvm {
class Function;
} // namespace llvm

namespace clmali::verify {

/// Adds such operations of \p Kernel and of the functions that it calls: names of built-ins, and
/// "/" for a division of floating-point numbers by what is no power of two.
void addOpenResults(const llvm::Function &Kernel, std::set<std::string> &Into);

} // namespace clmali::verify

#endif
