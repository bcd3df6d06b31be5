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

/// Other values for scalars that do not depend on the size; the first variant is empty. They
/// refute a rewrite that is right only for alpha = 1, or for a level above the kernel's constants.
std::vector<ScalarVariant> scalarVariants(const TestPlan &P, const launch::LaunchFile &F,
                                          const KernelShape &Shape, const DataRules &Rules);

} // namespace clmali::verify

#endif
