#include "checks/model/launch/Rewritten.h"

using namespace clmali::model;
using llvm::StringRef;

namespace {

/// The comment of a rewritten kernel.
struct RewriteComment {
  StringRef Original; ///< empty: it has none
  bool IsRemainder = false;
};

} // namespace

/// Reads the // lines directly above K.
static RewriteComment commentOf(const Module &M, const Kernel &K) {
  RewriteComment Result;
  if (!K.Range.isValid() || K.Range.File >= M.Files.size())
    return Result;
  StringRef Above = StringRef(M.Files[K.Range.File].Text).take_front(K.Range.Begin).rtrim();
  while (!Above.empty()) {
    auto [Before, Line] = Above.contains('\n') ? Above.rsplit('\n') : std::pair(StringRef(), Above);
    Line = Line.trim();
    if (!Line.consume_front("//"))
      break;
    Result.IsRemainder |= Line.contains(RemainderMarker);
    if (Line = Line.ltrim(); Line.consume_front(RewrittenMarker)) {
      Result.Original = Line.trim();
      break;
    }
    Above = Before.rtrim("\r");
  }
  return Result;
}

std::string clmali::model::rewrittenForm(const Module &M, const Kernel &K) {
  RewriteComment Own = commentOf(M, K);
  if (!Own.Original.empty() && !Own.IsRemainder)
    return "";
  StringRef Original = Own.Original.empty() ? StringRef(K.Name) : Own.Original;
  for (const auto &Other : M.Kernels) {
    RewriteComment Comment = commentOf(M, *Other);
    if (Other.get() != &K && Comment.Original == Original && !Comment.IsRemainder)
      return Other->Name;
  }
  return "";
}
