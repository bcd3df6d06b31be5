#include "checks/model/launch/Rewritten.h"

using namespace clmali::model;
using llvm::StringRef;

/// The original that the // lines directly above K name; empty: none.
static StringRef originalOf(const Module &M, const Kernel &K) {
  if (!K.Range.isValid() || K.Range.File >= M.Files.size())
    return "";
  StringRef Above = StringRef(M.Files[K.Range.File].Text).take_front(K.Range.Begin).rtrim();
  while (!Above.empty()) {
    auto [Before, Line] = Above.contains('\n') ? Above.rsplit('\n') : std::pair(StringRef(), Above);
    Line = Line.trim();
    if (!Line.consume_front("//"))
      return "";
    if (Line = Line.ltrim(); Line.consume_front(RewrittenMarker))
      return Line.trim();
    Above = Before.rtrim("\r");
  }
  return "";
}

std::string clmali::model::rewrittenForm(const Module &M, const Kernel &K) {
  for (const auto &Other : M.Kernels)
    if (Other.get() != &K && Other->Name != K.Name && originalOf(M, *Other) == K.Name)
      return Other->Name;
  return "";
}
