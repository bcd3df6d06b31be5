//===-- checks/model/Embedded.cpp - Kernels inside host strings -----------===//

#include "checks/model/Embedded.h"
#include "llvm/ADT/StringExtras.h"
#include <algorithm>

namespace clmali::model {

static unsigned hostOffset(const EmbeddedKernel &E, unsigned I) {
  return I < E.Offsets.size() ? E.Offsets[I] : E.Offsets.back() + 1;
}

SourceRange hostRange(const EmbeddedKernel &E, SourceRange R) {
  if (E.Offsets.empty())
    return E.Range;
  unsigned Begin = hostOffset(E, R.Begin);
  unsigned End = R.End > R.Begin ? hostOffset(E, R.End - 1) + 1 : Begin;
  return {E.Range.File, Begin, std::max(Begin, End)};
}

bool canEditInHost(const EmbeddedKernel &E, SourceRange R) {
  if (E.Offsets.empty() || R.End > E.Offsets.size())
    return false;
  return hostOffset(E, R.End) - hostOffset(E, R.Begin) == R.End - R.Begin;
}

std::vector<std::string> hostDefines(const HostModule &H) {
  std::vector<std::string> Result;
  for (const std::string &Line : H.BuildOptions)
    for (llvm::StringRef Arg : llvm::split(Line, ' '))
      // What is known only at run time is '\1': the macro is guessed like any other.
      if (Arg.starts_with("-D") && Arg.size() > 2 && !Arg.contains('\1'))
        Result.push_back(Arg.str());
  return Result;
}

} // namespace clmali::model
