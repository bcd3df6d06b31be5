// A forward dataflow over the functions that a kernel reaches, without regard to the order of
// statements: every value, and every object in memory, has one set of origins.
//
//   before   an unoptimised LLVM module
//   after    ConstantUse, pairs of compared values, origins of addresses and loop exits
//   limits   constants are followed through memory, casts and calls, not through arithmetic

#include "rewriters/verify/facts/KernelFacts.h"
#include "rewriters/verify/facts/OpenResults.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

#include <algorithm>
#include <iterator>

using namespace llvm;

namespace clmali::verify {

namespace {

/// A constant as ConstantUse has it.
struct Literal {
  uint64_t Bits;
  unsigned Width;
  bool IsFloat;
  auto operator<=>(const Literal &) const = default;
};

/// What is known of one value or of one object.
struct Flow {
  Origin From;
  std::set<const Value *> Objects; ///< that it points to
  std::set<Literal> Literals;      ///< values that it may have

  bool merge(const Flow &Other) {
    const size_t Before = weight();
    From.Id |= Other.From.Id;
    From.Group |= Other.From.Group;
    From.Local |= Other.From.Local;
    From.Scalars.insert(Other.From.Scalars.begin(), Other.From.Scalars.end());
    From.Buffers.insert(Other.From.Buffers.begin(), Other.From.Buffers.end());
    Objects.insert(Other.Objects.begin(), Other.Objects.end());
    // A variable that takes many constants is a table, and none of them a threshold.
    constexpr size_t MostLiterals = 8;
    for (const Literal &L : Other.Literals)
      if (Literals.size() < MostLiterals)
        Literals.insert(L);
    return weight() != Before;
  }

private:
  size_t weight() const {
    return From.Id + From.Group + From.Local + From.Scalars.size() + From.Buffers.size() +
           Objects.size() + Literals.size();
  }
};

bool isEmpty(const Origin &O) { return O == Origin(); }

void addTo(Origin &Into, const Origin &More) {
  Flow A, B;
  A.From = std::move(Into);
  B.From = More;
  A.merge(B);
  Into = std::move(A.From);
}

/// The scalar constants of \p V, which may be a vector.
std::set<Literal> literalsOf(const Value *V) {
  std::set<Literal> All;
  auto add = [&All](const Constant *C) {
    if (const auto *I = dyn_cast_or_null<ConstantInt>(C); I && I->getBitWidth() <= 64)
      All.insert({I->getZExtValue(), I->getBitWidth(), false});
    if (const auto *F = dyn_cast_or_null<ConstantFP>(C)) {
      APInt Bits = F->getValueAPF().bitcastToAPInt();
      if (Bits.getBitWidth() <= 64)
        All.insert({Bits.getZExtValue(), Bits.getBitWidth(), true});
    }
  };
  const auto *C = dyn_cast<Constant>(V);
  if (!C)
    return All;
  if (const auto *T = dyn_cast<FixedVectorType>(C->getType()))
    for (unsigned I = 0; I < T->getNumElements(); ++I)
      add(C->getAggregateElement(I));
  else
    add(C);
  return All;
}

class Analysis {
public:
  Analysis(const Function &Kernel, KernelFacts &Into) : Into(Into) {
    reach(Kernel);
    for (const Argument &A : Kernel.args()) {
      const unsigned Space = A.getType()->isPointerTy() ? A.getType()->getPointerAddressSpace() : 0;
      if (!A.getType()->isPointerTy()) {
        Values[&A].From.Scalars.insert(A.getArgNo());
        continue;
      }
      Values[&A].Objects.insert(&A);
      // A struct by value is a pointer to private memory.
      if (Space == 0)
        Memory[&A].From.Scalars.insert(A.getArgNo());
      else
        Memory[&A].From.Buffers.insert(A.getArgNo());
    }
  }

  void run() {
    do {
      Changed = false;
      for (const Function *F : Functions)
        for (const Instruction &I : instructions(*F))
          transfer(I);
    } while (Changed);
    for (const Function *F : Functions)
      collectExits(*F);
    for (const Function *F : Functions)
      for (const Instruction &I : instructions(*F))
        collect(I);
  }

private:
  void reach(const Function &F) {
    if (F.isDeclaration() || !Functions.insert(&F))
      return;
    for (const Instruction &I : instructions(F))
      if (const auto *C = dyn_cast<CallBase>(&I); C && C->getCalledFunction())
        reach(*C->getCalledFunction());
  }

  Flow flowOf(const Value *V) {
    if (auto It = Values.find(V); It != Values.end())
      return It->second;
    Flow F;
    if (isa<GlobalVariable>(V))
      F.Objects.insert(V);
    else if (const auto *E = dyn_cast<ConstantExpr>(V))
      F = flowOf(E->getOperand(0)); // the address of an element of a global variable
    else
      F.Literals = literalsOf(V);
    return F;
  }
  Flow loaded(const Flow &Pointer) {
    Flow F;
    for (const Value *Object : Pointer.Objects)
      F.merge(Memory[Object]);
    return F;
  }
  void set(const Value *V, const Flow &F) { Changed |= Values[V].merge(F); }
  void store(const Flow &Pointer, const Flow &F) {
    for (const Value *Object : Pointer.Objects)
      Changed |= Memory[Object].merge(F);
  }

  void transfer(const Instruction &I) {
    if (isa<AllocaInst>(I)) {
      Flow F;
      F.Objects.insert(&I);
      return set(&I, F);
    }
    if (const auto *L = dyn_cast<LoadInst>(&I))
      return set(&I, loaded(flowOf(L->getPointerOperand())));
    if (const auto *S = dyn_cast<StoreInst>(&I))
      return store(flowOf(S->getPointerOperand()), flowOf(S->getValueOperand()));
    if (const auto *G = dyn_cast<GetElementPtrInst>(&I))
      return set(&I, flowOf(G->getPointerOperand()));
    if (const auto *R = dyn_cast<ReturnInst>(&I)) {
      if (R->getReturnValue())
        set(R->getFunction(), flowOf(R->getReturnValue()));
      return;
    }
    if (const auto *C = dyn_cast<CallBase>(&I))
      return transferCall(*C);
    Flow F;
    for (const Value *Operand : I.operands())
      F.merge(flowOf(Operand));
    if (!isa<CastInst, PHINode, SelectInst, FreezeInst>(I))
      F.Literals.clear();
    if (isa<CmpInst>(I))
      F.Objects.clear();
    set(&I, F);
  }

  void transferCall(const CallBase &C) {
    const Function *Callee = C.getCalledFunction();
    if (!Callee)
      return;
    if (Functions.contains(Callee)) {
      for (const Argument &A : Callee->args())
        if (A.getArgNo() < C.arg_size())
          set(&A, flowOf(C.getArgOperand(A.getArgNo())));
      return set(&C, flowOf(Callee));
    }
    StringRef Name = Callee->getName();
    Flow F;
    if (Name.contains("get_global_id") || Name.contains("get_global_size") ||
        Name.contains("get_global_linear_id"))
      F.From.Id = true;
    else if (Name.contains("get_group_id") || Name.contains("get_num_groups"))
      F.From.Group = true;
    else if (Name.contains("get_local_") || Name.contains("get_enqueued_local_size"))
      F.From.Local = true;
    // Any other built-in: each result, and each object that it may write, comes from each argument.
    for (const Value *Argument : C.args()) {
      Flow A = flowOf(Argument);
      F.merge(loaded(A));
      A.Objects.clear();
      A.Literals.clear();
      F.merge(A);
    }
    F.Literals.clear();
    for (const Value *Argument : C.args())
      if (Argument->getType()->isPointerTy())
        store(flowOf(Argument), F);
    set(&C, F);
  }

  void use(ConstantUse::Kind K, const Literal &L, const Origin &With) {
    if (!isEmpty(With))
      Into.Constants.insert({K, L.Width, L.IsFloat, L.Bits, With});
  }
  /// The origin of a value that meets a constant. What comes from nothing but is no constant counts
  /// the iterations of a loop.
  Origin metBy(const Value *V, const Flow &F) const {
    return isEmpty(F.From) && !isa<Constant>(V) && V->getType()->isIntegerTy() ? Into.Exits
                                                                               : F.From;
  }
  /// \p A and \p B are compared.
  void compare(const Value *A, const Value *B) {
    const Flow X = flowOf(A), Y = flowOf(B);
    for (const Literal &L : X.Literals)
      use(ConstantUse::Kind::Compared, L, isa<Constant>(A) ? metBy(B, Y) : Y.From);
    for (const Literal &L : Y.Literals)
      use(ConstantUse::Kind::Compared, L, isa<Constant>(B) ? metBy(A, X) : X.From);
    if (!isEmpty(X.From) && !isEmpty(Y.From))
      Into.Compared.insert(std::minmax(X.From, Y.From));
  }

  static Literal powerOfTwo(uint64_t Exponent, unsigned Width) {
    return {Exponent < 64 ? uint64_t(1) << Exponent : 0, Width, false};
  }

  void collect(const Instruction &I) {
    if (const auto *C = dyn_cast<CmpInst>(&I))
      return compare(C->getOperand(0), C->getOperand(1));
    if (const auto *S = dyn_cast<SwitchInst>(&I)) {
      for (const auto &Case : S->cases())
        compare(Case.getCaseValue(), S->getCondition());
      return;
    }
    if (const auto *G = dyn_cast<GetElementPtrInst>(&I)) {
      for (const Value *Index : G->indices())
        addTo(Into.Addresses, flowOf(Index).From);
      return;
    }
    if (const auto *T = dyn_cast<TruncInst>(&I)) {
      const unsigned Width = T->getType()->getScalarSizeInBits();
      if (Width < 32)
        use(ConstantUse::Kind::Divisor, powerOfTwo(Width, 64),
            metBy(T->getOperand(0), flowOf(T->getOperand(0))));
      return;
    }
    if (isa<SExtInst, ZExtInst>(I)) { // of a narrow counter
      const Value *From = I.getOperand(0);
      const unsigned Width = From->getType()->getScalarSizeInBits();
      if (const Flow F = flowOf(From); Width > 1 && Width < 32 && isEmpty(F.From))
        use(ConstantUse::Kind::Divisor, powerOfTwo(Width, 64), metBy(From, F));
      return;
    }
    if (const auto *C = dyn_cast<CallBase>(&I))
      return collectCall(*C);
    if (const auto *B = dyn_cast<BinaryOperator>(&I))
      collectArithmetic(*B);
  }

  void collectArithmetic(const BinaryOperator &B) {
    const Flow X = flowOf(B.getOperand(0)), Y = flowOf(B.getOperand(1));
    using Kind = ConstantUse::Kind;
    switch (B.getOpcode()) {
    case Instruction::Add:
    case Instruction::Sub:
      for (const Literal &L : X.Literals)
        use(Kind::Offset, L, Y.From);
      for (const Literal &L : Y.Literals)
        use(Kind::Offset, L, X.From);
      break;
    case Instruction::Mul:
      for (const Literal &L : X.Literals)
        use(Kind::Factor, L, Y.From);
      for (const Literal &L : Y.Literals)
        use(Kind::Factor, L, X.From);
      break;
    case Instruction::Shl:
      for (const Literal &L : Y.Literals)
        use(Kind::Factor, powerOfTwo(L.Bits, L.Width), X.From);
      break;
    case Instruction::LShr:
    case Instruction::AShr:
      for (const Literal &L : Y.Literals)
        use(Kind::Divisor, powerOfTwo(L.Bits, L.Width), X.From);
      break;
    case Instruction::And: // a mask of the low bits
      for (const Literal &L : Y.Literals)
        if (L.Bits < (uint64_t(1) << 62) && isPowerOf2_64(L.Bits + 1))
          use(Kind::Divisor, {L.Bits + 1, L.Width, false}, X.From);
      break;
    case Instruction::UDiv:
    case Instruction::SDiv:
    case Instruction::URem:
    case Instruction::SRem:
      for (const Literal &L : Y.Literals)
        use(Kind::Divisor, L, X.From);
      break;
    default:
      break;
    }
  }

  void collectCall(const CallBase &C) {
    const Function *Callee = C.getCalledFunction();
    if (!Callee || Functions.contains(Callee))
      return;
    StringRef Name = Callee->getName();
    const bool Moves = Name.contains("vload") || Name.contains("vstore") ||
                       Name.contains("async_work_group") || Name.contains("prefetch");
    for (const Use &A : C.args()) {
      // The value that vstore writes is no address.
      const bool Data = Name.contains("vstore") && C.getArgOperandNo(&A) == 0;
      if (Moves && !Data)
        addTo(Into.Addresses, flowOf(A.get()).From);
      if (!Moves) // min, clamp and the like
        for (const Use &B : C.args())
          if (&A < &B)
            compare(A.get(), B.get());
    }
  }

  void collectExits(const Function &F) {
    DominatorTree Tree(const_cast<Function &>(F));
    LoopInfo Loops(Tree);
    for (const Loop *L : Loops.getLoopsInPreorder()) {
      SmallVector<BasicBlock *, 4> Exiting;
      L->getExitingBlocks(Exiting);
      for (const BasicBlock *B : Exiting)
        if (const auto *Branch = dyn_cast<BranchInst>(B->getTerminator());
            Branch && Branch->isConditional())
          addTo(Into.Exits, flowOf(Branch->getCondition()).From);
    }
  }

  KernelFacts &Into;
  SetVector<const Function *> Functions;
  DenseMap<const Value *, Flow> Values; ///< a function's entry is its result
  DenseMap<const Value *, Flow> Memory; ///< contents by object
  bool Changed = false;
};

} // namespace

int64_t ConstantUse::value() const {
  return Width >= 64 ? static_cast<int64_t>(Bits) : SignExtend64(Bits, Width);
}

double ConstantUse::asDouble() const {
  APFloat F(Width == 16   ? APFloat::IEEEhalf()
            : Width == 32 ? APFloat::IEEEsingle()
                          : APFloat::IEEEdouble(),
            APInt(Width, Bits));
  bool Lost;
  F.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven, &Lost);
  return F.convertToDouble();
}

void addFacts(Function &Kernel, KernelFacts &Into) {
  addOpenResults(Kernel, Into.OpenResults);
  Analysis(Kernel, Into).run();
  Into.Conditions.merge(conditionsIn(Kernel));
}

ProgramFacts mergeFacts(const KernelFacts &Original, const KernelFacts &Rewritten) {
  ProgramFacts All;
  std::set_symmetric_difference(Original.Constants.begin(), Original.Constants.end(),
                                Rewritten.Constants.begin(), Rewritten.Constants.end(),
                                std::back_inserter(All.Constants));
  std::set_intersection(Original.Constants.begin(), Original.Constants.end(),
                        Rewritten.Constants.begin(), Rewritten.Constants.end(),
                        std::back_inserter(All.Constants));
  std::set_symmetric_difference(Original.Conditions.begin(), Original.Conditions.end(),
                                Rewritten.Conditions.begin(), Rewritten.Conditions.end(),
                                std::back_inserter(All.Conditions));
  std::set_difference(Rewritten.OpenResults.begin(), Rewritten.OpenResults.end(),
                      Original.OpenResults.begin(), Original.OpenResults.end(),
                      std::back_inserter(All.NewOpenResults));
  for (const KernelFacts *Facts : {&Original, &Rewritten}) {
    All.Compared.insert(Facts->Compared.begin(), Facts->Compared.end());
    addTo(All.Addresses, Facts->Addresses);
    addTo(All.Exits, Facts->Exits);
  }
  return All;
}

ProgramFacts factsOfText(const std::vector<int64_t> &Constants, unsigned Arguments) {
  ProgramFacts All;
  Origin Anything;
  Anything.Id = Anything.Group = Anything.Local = true;
  for (unsigned I = 0; I < Arguments; ++I) {
    Anything.Scalars.insert(I);
    Anything.Buffers.insert(I);
  }
  for (int64_t C : Constants)
    All.Constants.push_back(
        {ConstantUse::Kind::Compared, 64, false, static_cast<uint64_t>(C), Anything});
  All.Compared.insert({Anything, Anything});
  All.Addresses = All.Exits = Anything;
  return All;
}

} // namespace clmali::verify
