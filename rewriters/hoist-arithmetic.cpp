//===-- rewriters/hoist-arithmetic.cpp - Arithmetic before the barrier -------===//
//
// What it does: what directly follows a barrier, and touches no memory, moves before
// it where a read of local memory stands there, whose latency it then hides:
//
//   before                                   after
//   float v = part[63 - l];                  float v = part[63 - l];
//   barrier(CLK_LOCAL_MEM_FENCE);            float w = a * b + a / b;
//   float w = a * b + a / b;                 barrier(CLK_LOCAL_MEM_FENCE);
//   part[l] = v + w;                         part[l] = v + w;
//
// Legal always: a barrier orders accesses to memory, and what moves makes none. The
// statements keep their order.
//
// Pays if: the statement before the barrier reads local memory or a table of constants,
// and what moves computes something.
//
//===----------------------------------------------------------------------===//

#include "rewriters/pass/Pass.h"
#include "rewriters/staging/LocalMemory.h"
#include <algorithm>

namespace clmali::rewrite {

using namespace model;

namespace {

bool readsCommonStore(const Stmt &S) {
  bool Reads = false;
  forEachExpr(S, [&](const Expr *Root) {
    walk(Root, [&](const Expr *E) {
      Reads |= E->K == ExprKind::Load &&
               (E->Acc.Base->space() == AddressSpace::Local ||
                (E->Acc.Base->space() == AddressSpace::Constant && !E->Acc.Base->isPointerParam()));
      return !Reads;
    });
  });
  return Reads;
}

/// An assignment to a variable that touches no memory.
bool isLegal(const Stmt &S, bool &Computes) {
  if ((S.K != StmtKind::Assign && S.K != StmtKind::Decl) || !S.V || !S.V->Ty->isValue())
    return false;
  bool Memory = S.V->K == Var::Memory;
  forEachExpr(S, [&](const Expr *Root) {
    walk(Root, [&](const Expr *E) {
      Computes |= E->K == ExprKind::Binary || E->K == ExprKind::Call || E->K == ExprKind::Unary ||
                  E->K == ExprKind::Select;
      Memory |= E->K == ExprKind::Load || E->K == ExprKind::Opaque;
      return !Memory;
    });
  });
  return !Memory;
}

unsigned hoist(StmtList &B) {
  unsigned Done = 0;
  for (size_t I = 0; I < B.size(); ++I) {
    forEachStmtList(*B[I], [&](StmtList &Nested) { Done += hoist(Nested); });
    if (B[I]->K != StmtKind::Barrier || I == 0 || !readsCommonStore(*B[I - 1]) ||
        (B[I - 1]->K != StmtKind::Assign && B[I - 1]->K != StmtKind::Decl))
      continue;
    size_t End = I + 1;
    bool Pays = false;
    for (bool Computes = false; End < B.size() && isLegal(*B[End], Computes); ++End)
      Pays |= Computes;
    if (!Pays)
      continue;
    std::rotate(B.begin() + long(I), B.begin() + long(I) + 1, B.begin() + long(End));
    I = End - 1;
    ++Done;
  }
  return Done;
}

} // namespace

unsigned hoistArithmetic(Module &, Kernel &K) { return hoist(K.Body); }

static bool suits(const PassState &S) { return S.device().LocalOnChip; }

static unsigned edit(PassState &S) { return hoistArithmetic(S.module(), S.kernel()); }

CLMALI_PASS(.Id = "hoist-arithmetic", .ShownAs = "hoist-arithmetic",
            .Does = "Arithmetic after a barrier moves before it, where it hides a read's latency.",
            .Suits = suits, .Edit = edit);

} // namespace clmali::rewrite
