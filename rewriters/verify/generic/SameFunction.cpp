#include "rewriters/verify/generic/SameFunction.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Operator.h"

namespace clmali::verify::generic {

using namespace llvm;

namespace {

/// True if values of both types lie in memory in the same way: structs of two modules have
/// different names.
bool sameLayout(const Type *A, const Type *B) {
  if (A == B)
    return true;
  if (const auto *X = dyn_cast<ArrayType>(A)) {
    const auto *Y = dyn_cast<ArrayType>(B);
    return Y && X->getNumElements() == Y->getNumElements() &&
           sameLayout(X->getElementType(), Y->getElementType());
  }
  const auto *X = dyn_cast<StructType>(A), *Y = dyn_cast<StructType>(B);
  return X && Y && !X->isOpaque() && !Y->isOpaque() && X->isPacked() == Y->isPacked() &&
         X->getNumElements() == Y->getNumElements() &&
         all_of(zip(X->elements(), Y->elements()),
                [](const auto &Pair) { return sameLayout(std::get<0>(Pair), std::get<1>(Pair)); });
}

/// The same operation, operands aside.
bool sameOperation(const Instruction &A, const Instruction &B) {
  if (const auto *X = dyn_cast<GetElementPtrInst>(&A))
    return sameLayout(X->getSourceElementType(), cast<GetElementPtrInst>(B).getSourceElementType());
  if (const auto *X = dyn_cast<AllocaInst>(&A)) {
    const auto &Y = cast<AllocaInst>(B);
    return sameLayout(X->getAllocatedType(), Y.getAllocatedType()) && X->getAlign() == Y.getAlign();
  }
  return A.isSameOperationAs(&B, 0);
}

/// Pairs of values that are the same if their functions are.
class Comparison {
public:
  bool functions(const Function &A, const Function &B);

private:
  bool values(const Value *A, const Value *B);
  bool constants(const Constant *A, const Constant *B);
  bool instructions(const Instruction &A, const Instruction &B);

  DenseMap<const Value *, const Value *> Pairs;
};

bool Comparison::constants(const Constant *A, const Constant *B) {
  if (A->getValueID() != B->getValueID() || A->getType() != B->getType() ||
      A->getNumOperands() != B->getNumOperands())
    return false;
  if (A == B)
    return true; // uniqued in the context; no part of it is of a module
  if (const auto *X = dyn_cast<ConstantExpr>(A)) {
    const auto *Y = cast<ConstantExpr>(B);
    if (X->getOpcode() != Y->getOpcode())
      return false;
    if (const auto *P = dyn_cast<GEPOperator>(X);
        P && !sameLayout(P->getSourceElementType(), cast<GEPOperator>(Y)->getSourceElementType()))
      return false;
  } else if (A->getNumOperands() == 0) {
    return false;
  }
  for (unsigned I = 0; I < A->getNumOperands(); ++I)
    if (!values(A->getOperand(I), B->getOperand(I)))
      return false;
  return true;
}

bool Comparison::values(const Value *A, const Value *B) {
  if (auto It = Pairs.find(A); It != Pairs.end())
    return It->second == B;
  if (const auto *F = dyn_cast<Function>(A)) {
    const auto *G = dyn_cast<Function>(B);
    return G && functions(*F, *G);
  }
  if (const auto *X = dyn_cast<GlobalVariable>(A)) {
    const auto *Y = dyn_cast<GlobalVariable>(B);
    if (!Y || X->getValueType() != Y->getValueType() || X->isConstant() != Y->isConstant() ||
        X->getAddressSpace() != Y->getAddressSpace() || X->hasInitializer() != Y->hasInitializer())
      return false;
    Pairs[A] = B;
    return !X->hasInitializer() || constants(X->getInitializer(), Y->getInitializer());
  }
  if (const auto *C = dyn_cast<Constant>(A)) {
    const auto *D = dyn_cast<Constant>(B);
    return D && constants(C, D);
  }
  if (isa<MetadataAsValue>(A))
    return isa<MetadataAsValue>(B); // debug information
  return false;
}

bool Comparison::instructions(const Instruction &A, const Instruction &B) {
  if (A.getOpcode() != B.getOpcode() || A.getType() != B.getType() ||
      A.getNumOperands() != B.getNumOperands() || !A.hasSameSubclassOptionalData(&B) ||
      !sameOperation(A, B) || A.getMetadata("fpmath") != B.getMetadata("fpmath"))
    return false;
  for (unsigned I = 0; I < A.getNumOperands(); ++I)
    if (!values(A.getOperand(I), B.getOperand(I)))
      return false;
  if (const auto *P = dyn_cast<PHINode>(&A))
    for (unsigned I = 0; I < P->getNumIncomingValues(); ++I)
      if (!values(P->getIncomingBlock(I), cast<PHINode>(B).getIncomingBlock(I)))
        return false;
  return true;
}

bool Comparison::functions(const Function &A, const Function &B) {
  if (auto It = Pairs.find(&A); It != Pairs.end())
    return It->second == &B;
  if (A.getFunctionType() != B.getFunctionType() || A.getCallingConv() != B.getCallingConv() ||
      A.isDeclaration() != B.isDeclaration() || A.size() != B.size())
    return false;
  if (A.isDeclaration() && A.getName() != B.getName())
    return false;
  Pairs[&A] = &B;
  // All values are paired first: phis and branches look forward.
  for (unsigned I = 0; I < A.arg_size(); ++I)
    Pairs[A.getArg(I)] = B.getArg(I);
  for (auto [X, Y] : zip(A, B)) {
    Pairs[&X] = &Y;
    if (X.size() != Y.size())
      return false;
    for (auto [P, Q] : zip(X, Y))
      Pairs[&P] = &Q;
  }
  for (auto [X, Y] : zip(A, B))
    for (auto [P, Q] : zip(X, Y))
      if (!instructions(P, Q))
        return false;
  return true;
}

} // namespace

bool sameFunction(const Function &A, const Function &B) { return Comparison().functions(A, B); }

LaunchUse launchUse(const Function &F) {
  LaunchUse Use;
  DenseSet<const Function *> Seen;
  SmallVector<const Function *, 8> Stack{&F};
  while (!Stack.empty()) {
    const Function *Next = Stack.pop_back_val();
    if (!Seen.insert(Next).second)
      continue;
    if (Next->isDeclaration()) {
      if (Next->isIntrinsic())
        continue;
      const std::string Whole = demangle(Next->getName());
      StringRef Name = StringRef(Whole).split('(').first;
      if (Name.contains("barrier") || Name.contains("group") || Name.contains("wait_") ||
          Name.starts_with("get_local") || Name.starts_with("get_enqueued"))
        Use.Groups = true;
      else if (Name.starts_with("get_") && Name != "get_global_id" &&
               !Name.starts_with("get_image"))
        Use.Sizes = true;
      continue;
    }
    for (const Argument &A : Next->args())
      Use.Groups |= A.getType()->isPointerTy() && A.getType()->getPointerAddressSpace() == 3;
    for (const Instruction &I : instructions(*Next))
      for (const llvm::Use &U : I.operands()) {
        const Value *V = getUnderlyingObject(U.get());
        if (const auto *G = dyn_cast<GlobalVariable>(V))
          Use.Groups |= G->getAddressSpace() == 3;
        if (const auto *G = dyn_cast<Function>(V))
          Stack.push_back(G);
      }
  }
  return Use;
}

} // namespace clmali::verify::generic
