//===- OpaqueParts.cpp - parts that the model cannot represent --------------------------------===//

#include "checks/model/frontend/tolerant/TokenScan.h"
#include "checks/query/Query.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace clmali;
using namespace clmali::checks;
using namespace clmali::model;

std::vector<ImageAccess> checks::imageAccesses(Context &C) {
  const KernelAnalysis &K = C.analysis();
  std::vector<ImageAccess> Result;
  for (const Stmt *S : stmts(K.kernel().Body)) {
    for (ExprAt X : exprs(*S))
      if (X->K == ExprKind::ImageRead)
        Result.push_back({S, X.E, X->Image->Name, false, X->Range, X->Ops[0],
                          pattern::components(K, X->Ops[0])});
    if (S->K == StmtKind::ImageWrite)
      Result.push_back({S, nullptr, S->Image->Name, true, S->Range, S->Args[0],
                        pattern::components(K, S->Args[0])});
  }
  return Result;
}

bool checks::isOfImages(const OpaqueNote &N) {
  return StringRef(N.What).starts_with("sampler") || N.What == "image access" ||
         N.What == "image that is read and written";
}

bool checks::hasImages(const Kernel &K) {
  return any_of(K.Params, [](const Var *P) { return P->isImage(); });
}

StringRef checks::unparsedText(const Module &M, const OpaqueNote &N) {
  if (N.What != "text that did not parse" || !N.Range.isValid() || N.Range.File >= M.Files.size())
    return "";
  StringRef Text = M.Files[N.Range.File].Text;
  size_t Before = Text.take_front(N.Range.Begin).find_last_of(";{}");
  return Text.slice(Before == StringRef::npos ? 0 : Before + 1,
                    Text.find_first_of(";{}", N.Range.End));
}

static bool touchesBuffers(const OpaqueNote &N) {
  StringRef What = N.What;
  return !isOfImages(N) && What != "sub-group function" && What != "work-group function" &&
         What != "printf of what is no number" && What != "pointer as a condition" &&
         What != "vectors of float with double"; // a note on text that did not parse
}

bool checks::opaqueTouchesBuffers(const Kernel &K) { return any_of(K.Opaques, touchesBuffers); }

bool checks::swapsPointers(const Kernel &K) {
  return any_of(K.Opaques,
                [](const OpaqueNote &N) { return N.What == "pointer that changes its buffer"; });
}

bool checks::opaqueTouches(Context &C, const Kernel &K, const Var &Buffer) {
  return any_of(K.Opaques, [&](const OpaqueNote &N) {
    StringRef Text = unparsedText(C.module(), N);
    // v[i] names its vector, usually a variable.
    if (N.What == "vector component chosen at run time")
      Text = C.text(N.Range);
    // The statements around a goto are in the model.
    return N.What != "goto" && touchesBuffers(N) &&
           (Text.empty() || model::containsWord({Buffer.Name}, Text));
  });
}
