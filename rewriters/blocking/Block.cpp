//===-- rewriters/blocking/Block.cpp - The kernel of a block ------------------===//
//
// Puts the new kernel together:
//
//   prologue                  definitions that both paths need
//   if (assumptions)
//     fast path               all items of the block in lockstep
//   else
//     slow path               the items one by one (SlowPath.cpp)
//
//===----------------------------------------------------------------------===//

#include "checks/model/ir/Traversal.h"
#include "rewriters/blocking/BlockEmitter.h"
#include "llvm/ADT/Sequence.h"

namespace clmali::rewrite {

/// Emits the leading definitions that rest on no assumption and load nothing. Returns the number
/// of statements.
size_t BlockEmitter::emitPrologue() {
  size_t Count = 0;
  for (Stmt *St : Old.Body) {
    if (St->K == StmtKind::Decl && St->V->K == Var::Memory) {
      emit(St);
      ++Count;
      continue;
    }
    if (St->K != StmtKind::Decl || !St->E || St->V->K != Var::Temp || A.singleDef(St->V) != St ||
        Block.shapeOf(St->V).K == VShape::Vector || !St->V->Ty->isScalar())
      return Count;
    bool Pure = llvm::all_of(exprs(St->E), [&](ExprAt X) {
      unsigned Winner = 0;
      auto Bits = Block.bitsOp(X.E);
      return !isRead(X->K) && !(Bits && Bits->Assumes) && !Block.coordinateOp(X.E, Winner);
    });
    if (!Pure)
      return Count;
    emit(St);
    Block.Prologue.push_back(St);
    ++Count;
  }
  return Count;
}

/// Adds the fast path, and where it rests on assumptions their test and the slow path.
void BlockEmitter::finishKernel(StmtList Fast, const StmtList &Rest) {
  if (Assumed.empty()) {
    W.New->Body.insert(W.New->Body.end(), Fast.begin(), Fast.end());
  } else {
    Stmt *I = M.newStmt(StmtKind::If);
    I->E = Assumed.conjunction();
    I->Body = std::move(Fast);
    I->Else = slowPath(Rest);
    W.New->Body.push_back(I);
    Out.Border = Assumed.border();
  }
  if (Loads.assumedNoOverlap())
    Out.Needs.Obligations.push_back(NoOverlapText.str());
  if (P.NeedsNext)
    Out.Needs.Obligations.push_back(NextItemText.str());
  Out.K = W.New;
}

BlockOutcome BlockEmitter::run() {
  llvm::SmallVector<const Var *, 4> Private;
  if (!isBlockable(Old, A, S, Out.Needs, Out.Refusals, Private))
    return Out;
  Block.setArrays(Private);
  for (const Var *V : Private)
    Arrays[V] = {};
  Block.computeShapes();
  W.start(Old, [&](const Var *V) { return Arrays.count(V); });
  ActiveRows = llvm::to_vector<16>(llvm::seq(0u, R));
  P = findPacks(Old, A, S, Block);
  if (usesSteps())
    findSharedSteps(Old.Body);
  size_t Split = emitPrologue();
  StmtList Rest(Old.Body.begin() + Split, Old.Body.end());
  StmtList Fast;
  W.Cur = &Fast;
  emit(Rest);
  if (Failed)
    return Out;
  if (N > 1 && HasSplitBranch && !VectorAccesses) {
    refuse(Refusal::UnstructuredControl, "vectorize",
           "all that is done stands in a branch that differs between neighbours", Old.NameRange);
    return Out;
  }
  finishKernel(std::move(Fast), Rest);
  return Out;
}

BlockOutcome block(Module &M, const Kernel &Original, const KernelAnalysis &A, const BlockShape &S,
                   const Kernel *Short) {
  BlockOutcome Out;
  // Code for one lane at a time has no constant for each lane.
  for (bool UseSteps : {true, false}) {
    BlockEmitter Emitter(M, Original, A, S, Short, false, UseSteps);
    Out = Emitter.run();
    if (Out.K || !Emitter.usesSteps())
      break;
  }
  auto IsDivergence = [](const RefusalAt &R) {
    return R.Why == Refusal::UnstructuredControl || R.Why == Refusal::DivergentLoop;
  };
  if (Out.K || S.Lanes == 1 || !llvm::any_of(Out.Refusals, IsDivergence))
    return Out;
  // Divergent lanes can stay together if their accesses are guarded.
  BlockOutcome Together;
  Kernel *Counted = cloneKernel(M, Original, Original.Name);
  EditedKernel Edited(M, *Counted);
  if (countApart(Edited)) {
    Together = BlockEmitter(M, *Counted, *Edited.analysis(), S, Short, true).run();
  } else {
    Together = BlockEmitter(M, Original, A, S, Short, true).run();
  }
  return Together.K ? Together : Out;
}

} // namespace clmali::rewrite
