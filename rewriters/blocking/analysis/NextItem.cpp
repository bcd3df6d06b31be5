//===-- rewriters/blocking/analysis/NextItem.cpp - What the work-item after a block executes -===//
//
// Vectors of all channels may end behind what the block's own items access. The elements lie in the
// buffer if the next item accesses some that lie further on; the fast path tests that it does.
//
// Limits: the guards are comparisons of what grows with the lane.
//
//===----------------------------------------------------------------------===//

#include "checks/model/ir/Traversal.h"
#include "rewriters/blocking/analysis/Packs.h"

namespace clmali::rewrite {

/// True if B contains a return, break or continue: the statements after it may not run.
bool hasWaysOut(const StmtList &B) {
  return llvm::any_of(stmts(B), [](const Stmt *St) {
    return St->K == StmtKind::Break || St->K == StmtKind::Continue || St->K == StmtKind::Return;
  });
}

/// True if Cond, where it is Holds, limits a value that grows with the lane.
static bool boundsAbove(BlockAnalysis &Block, const Expr *Cond, bool Holds) {
  if (Cond->K == ExprKind::Cast && Cond->Implicit)
    return boundsAbove(Block, Cond->Ops[0], Holds);
  if (Cond->K == ExprKind::Unary && Cond->O == Op::LogicalNot)
    return boundsAbove(Block, Cond->Ops[0], !Holds);
  if (Cond->K != ExprKind::Binary)
    return false;
  if (Cond->O == (Holds ? Op::LogicalAnd : Op::LogicalOr))
    return boundsAbove(Block, Cond->Ops[0], Holds) || boundsAbove(Block, Cond->Ops[1], Holds);
  if (!isComparison(Cond->O))
    return false;
  Op O = Holds ? Cond->O : inverse(Cond->O);
  bool Less = O == Op::LT || O == Op::LE, More = O == Op::GT || O == Op::GE;
  VShape Small = Block.shape(Cond->Ops[Less ? 0 : 1]), Large = Block.shape(Cond->Ops[Less ? 1 : 0]);
  return (Less || More) && Small.K == VShape::Linear && Small.Stride > 0 &&
         Large.K == VShape::Uniform;
}

/// True if the fast path can test that the item after the block's last one executes St, too.
bool hasNextItem(const Kernel &Old, StmtTree &Tree, BlockAnalysis &Block, const Stmt *St) {
  if (hasWaysOut(Old.Body))
    return false;
  bool Bounded = false;
  for (const Stmt *Up = Tree.parentOf(St); Up; Up = Tree.parentOf(Up)) {
    auto Was = Block.Around;
    auto Loops = Tree.loopsOf(Up);
    Block.Around.assign(Loops.begin(), Loops.end());
    auto Restore = llvm::make_scope_exit([&] { Block.Around = Was; });
    if (Up->K == StmtKind::Loop)
      return false;
    if (Up->K != StmtKind::If || !varies(Block.shape(Up->E)))
      continue;
    std::optional<bool> Arm = Block.assumedArm(Up);
    if (!Arm)
      return false;
    Bounded |= boundsAbove(Block, Up->E, *Arm);
  }
  return Bounded;
}

} // namespace clmali::rewrite
