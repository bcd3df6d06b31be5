//===-- checks/model/host/values/Frames.cpp - Calls of the function around ---------===//

#include "checks/model/host/values/Frames.h"
#include "clang/AST/ExprCXX.h"

using namespace clang;
using namespace llvm;

namespace clmali::model {

/// Left: calls that are still followed.
static void expand(const HostFlow &Flow, const FunctionDecl *F,
                   const std::function<void(const HostFrame *)> &Then, unsigned Depth,
                   unsigned &Left) {
  constexpr unsigned MaxDepth = 3;
  bool Any = false;
  if (Depth < MaxDepth && F && F->getNumParams() && !F->isVariadic())
    for (const CallExpr *C : Flow.callsOf(F)) {
      unsigned First = isa<CXXOperatorCallExpr>(C) && isa<CXXMethodDecl>(F) ? 1 : 0;
      const FunctionDecl *Caller = Flow.functionOf(C);
      if (C->getNumArgs() != F->getNumParams() + First || Caller == F || !Left)
        continue;
      --Left;
      Any = true;
      SmallVector<const Expr *, 8> Args(C->arg_begin() + First, C->arg_end());
      expand(
          Flow, Caller,
          [&](const HostFrame *Up) {
            HostFrame Frame{F, C, Args, Up};
            Then(&Frame);
          },
          Depth + 1, Left);
    }
  if (!Any)
    Then(nullptr);
}

void forEachFrame(const HostFlow &Flow, const clang::Stmt *S,
                  const std::function<void(const HostFrame *)> &Then) {
  unsigned Left = 24;
  expand(Flow, Flow.functionOf(S), Then, 0, Left);
}

} // namespace clmali::model
