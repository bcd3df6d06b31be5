// Values of scalar arguments: those of the launch file, and the judge's own.
#ifndef CLMALI_REWRITERS_VERIFY_CASES_SCALARS_H
#define CLMALI_REWRITERS_VERIFY_CASES_SCALARS_H

#include "rewriters/verify/cases/TestPlan.h"

namespace clmali::verify {

/// The texts that give scalar argument \p Index its value in \p In.
std::vector<std::string> scalarTexts(const TestPlan &P, const TestInput &In, unsigned Index);

/// The bytes of scalar argument \p A of type \p T. One text for all components, one for each
/// component, or one for each byte of a struct.
llvm::Expected<Bytes> scalarBytes(const launch::Argument &A, const ElementType &T,
                                  llvm::ArrayRef<std::string> Texts,
                                  const launch::Bindings &Values);

/// The value of \p Text, an integer expression; nothing where it is none under \p Values.
std::optional<int64_t> integerValue(const std::string &Text, const launch::Bindings &Values);

/// Sets PerLaunch::Variants: other values for scalars that do not depend on the size. They refute a
/// rewrite that is right only for alpha = 1, for a level above the kernel's constants, or where two
/// scalars differ. A value may be an expression over the variables of `sizes`.
void chooseVariants(TestPlan &P, unsigned Launch);

} // namespace clmali::verify

#endif
