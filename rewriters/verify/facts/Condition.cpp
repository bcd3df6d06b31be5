#include "rewriters/verify/facts/Condition.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/PromoteMemToReg.h"

using namespace llvm;

namespace clmali::verify {
namespace {

using Op = Condition::Op;

/// Builds the program of one comparison; fails where a value comes from a variable in memory or a
/// loop.
class Extraction {
public:
  std::optional<Condition> run(const CmpInst &I) {
    if (!isNumber(I.getOperand(0)->getType()) || !comparison(I) || !decides())
      return std::nullopt;
    return std::move(Result);
  }

private:
  /// An argument or a loaded value that is compared with a constant: KernelFacts has it. For an id,
  /// the launches of the manifest decide which sizes have it.
  bool decides() const {
    using Kind = Condition::Input::Kind;
    auto isOfLaunch = [](const Condition::Input &In) {
      return In.K == Kind::Id || In.K == Kind::Size;
    };
    return !Result.Leaves.empty() &&
           (Result.Leaves.size() > 1 || isOfLaunch(Result.Leaves.front()) ||
            any_of(Result.Nodes, [](const Condition::Node &N) {
              return (N.K >= Op::Multiply && N.K <= Op::Xor) ||
                     (N.K >= Op::FloatAdd && N.K <= Op::FloatDivide) || N.K >= Op::FloatOfSigned;
            }));
  }

  std::optional<unsigned> add(Condition::Node N) {
    constexpr size_t Most = 64;
    if (Result.Nodes.size() >= Most)
      return std::nullopt;
    Result.Nodes.push_back(N);
    return Result.Nodes.size() - 1;
  }
  std::optional<unsigned> leaf(Condition::Input::Kind K, unsigned Number, unsigned Width) {
    const Condition::Input In{K, Number};
    auto It = find(Result.Leaves, In);
    const unsigned Index = It - Result.Leaves.begin();
    if (It == Result.Leaves.end())
      Result.Leaves.push_back(In);
    return add({Op::Leaf, static_cast<uint8_t>(Width), Index, 0, 0, 0});
  }

  static bool isNumber(const Type *T) {
    return T->isIntegerTy() || T->isFloatTy() || T->isDoubleTy();
  }

  std::optional<unsigned> comparison(const CmpInst &I) {
    const auto *F = dyn_cast<FCmpInst>(&I);
    return F ? ofFloats(*F) : ofIntegers(cast<ICmpInst>(I));
  }
  /// As if no operand were a NaN.
  std::optional<unsigned> ofFloats(const FCmpInst &I) {
    std::optional<unsigned> A = value(I.getOperand(0)), B = value(I.getOperand(1));
    const FCmpInst::Predicate P = FCmpInst::getOrderedPredicate(I.getPredicate());
    const bool Equality = P == FCmpInst::FCMP_OEQ || P == FCmpInst::FCMP_ONE;
    const bool Strict = P == FCmpInst::FCMP_OLT || P == FCmpInst::FCMP_OGT;
    if (!A || !B || !(Equality || Strict || P == FCmpInst::FCMP_OLE || P == FCmpInst::FCMP_OGE))
      return std::nullopt;
    if (P == FCmpInst::FCMP_OGT || P == FCmpInst::FCMP_OLE)
      std::swap(A, B);
    const auto Width = static_cast<uint8_t>(I.getOperand(0)->getType()->getScalarSizeInBits());
    std::optional<unsigned> Bit =
        add({Equality ? Op::FloatEqual : Op::FloatLess, Width, *A, *B, 0, 0});
    const bool Negate = P == FCmpInst::FCMP_ONE || (!Equality && !Strict);
    return Bit && Negate ? add({Op::Not, 1, *Bit, 0, 0, 0}) : Bit;
  }
  std::optional<unsigned> ofIntegers(const ICmpInst &I) {
    ICmpInst::Predicate P = I.getPredicate();
    std::optional<unsigned> A = value(I.getOperand(0)), B = value(I.getOperand(1));
    if (!A || !B)
      return std::nullopt;
    // a <= b is !(b < a).
    const bool Swap = P == ICmpInst::ICMP_UGT || P == ICmpInst::ICMP_SGT ||
                      P == ICmpInst::ICMP_ULE || P == ICmpInst::ICMP_SLE;
    const bool Negate = P == ICmpInst::ICMP_NE || ICmpInst::isNonStrictPredicate(P);
    if (Swap)
      std::swap(A, B);
    const Op K = I.isEquality() ? Op::Equal : I.isSigned() ? Op::LessSigned : Op::Less;
    const auto Width = static_cast<uint8_t>(I.getOperand(0)->getType()->getIntegerBitWidth());
    std::optional<unsigned> Bit = add({K, Width, *A, *B, 0, 0});
    return Bit && Negate ? add({Op::Not, 1, *Bit, 0, 0, 0}) : Bit;
  }

  std::optional<unsigned> binary(const BinaryOperator &B, uint8_t Width) {
    Op K;
    switch (B.getOpcode()) {
    case Instruction::Add:
      K = Op::Add;
      break;
    case Instruction::Sub:
      K = Op::Subtract;
      break;
    case Instruction::Mul:
      K = Op::Multiply;
      break;
    case Instruction::UDiv:
      K = Op::UnsignedDivide;
      break;
    case Instruction::SDiv:
      K = Op::SignedDivide;
      break;
    case Instruction::URem:
      K = Op::UnsignedRemainder;
      break;
    case Instruction::SRem:
      K = Op::SignedRemainder;
      break;
    case Instruction::Shl:
      K = Op::ShiftLeft;
      break;
    case Instruction::LShr:
      K = Op::ShiftRight;
      break;
    case Instruction::AShr:
      K = Op::ShiftRightSigned;
      break;
    case Instruction::And:
      K = Op::And;
      break;
    case Instruction::Or:
      K = Op::Or;
      break;
    case Instruction::Xor:
      K = Op::Xor;
      break;
    case Instruction::FAdd:
      K = Op::FloatAdd;
      break;
    case Instruction::FSub:
      K = Op::FloatSubtract;
      break;
    case Instruction::FMul:
      K = Op::FloatMultiply;
      break;
    case Instruction::FDiv:
      K = Op::FloatDivide;
      break;
    default:
      return std::nullopt;
    }
    std::optional<unsigned> X = value(B.getOperand(0)), Y = value(B.getOperand(1));
    return X && Y ? add({K, Width, *X, *Y, 0, 0}) : std::nullopt;
  }

  std::optional<unsigned> call(const CallInst &C, uint8_t Width) {
    const Function *Callee = C.getCalledFunction();
    const auto *Dimension = C.arg_size() == 1 ? dyn_cast<ConstantInt>(C.getArgOperand(0)) : nullptr;
    if (!Callee || !Callee->isDeclaration() || !Dimension || Dimension->getZExtValue() > 2)
      return std::nullopt;
    const auto D = static_cast<unsigned>(Dimension->getZExtValue());
    if (Callee->getName().contains("get_global_id"))
      return leaf(Condition::Input::Kind::Id, D, Width);
    if (Callee->getName().contains("get_global_size"))
      return leaf(Condition::Input::Kind::Size, D, Width);
    return std::nullopt;
  }

  std::optional<unsigned> fused(const CallInst &C, uint8_t Width) {
    std::optional<unsigned> A = value(C.getArgOperand(0)), B = value(C.getArgOperand(1)),
                            D = value(C.getArgOperand(2));
    if (!A || !B || !D)
      return std::nullopt;
    std::optional<unsigned> Product = add({Op::FloatMultiply, Width, *A, *B, 0, 0});
    return Product ? add({Op::FloatAdd, Width, *Product, *D, 0, 0}) : std::nullopt;
  }

  /// A value that is loaded from a buffer: by a load, or as a lane of vloadN.
  std::optional<unsigned> loaded(const Value *V, uint8_t Width) {
    if (const auto *B = dyn_cast<BitCastInst>(V)) {
      V = B->getOperand(0);
      if (const auto *A = dyn_cast<Argument>(V); A && A->getType()->isFloatingPointTy())
        return leaf(Condition::Input::Kind::Scalar, A->getArgNo(), Width);
    }
    if (const auto *E = dyn_cast<ExtractElementInst>(V))
      V = E->getVectorOperand();
    if (V->getType()->getScalarSizeInBits() != Width)
      return std::nullopt;
    const Value *Pointer = nullptr;
    if (const auto *L = dyn_cast<LoadInst>(V))
      Pointer = L->getPointerOperand();
    else if (const auto *C = dyn_cast<CallInst>(V);
             C && C->arg_size() == 2 && C->getCalledFunction() &&
             C->getCalledFunction()->getName().contains("vload"))
      Pointer = C->getArgOperand(1);
    const auto *Buffer = Pointer ? dyn_cast<Argument>(getUnderlyingObject(Pointer)) : nullptr;
    return Buffer ? leaf(Condition::Input::Kind::Loaded, Buffer->getArgNo(), Width) : std::nullopt;
  }

  std::optional<unsigned> value(const Value *V) {
    if (auto It = Seen.find(V); It != Seen.end())
      return It->second;
    std::optional<unsigned> N = newValue(V);
    if (N)
      Seen[V] = *N;
    return N;
  }
  std::optional<unsigned> newValue(const Value *V) {
    if (!isNumber(V->getType()) || V->getType()->getScalarSizeInBits() > 64)
      return std::nullopt;
    const auto Width = static_cast<uint8_t>(V->getType()->getScalarSizeInBits());
    if (const auto *C = dyn_cast<ConstantFP>(V))
      return add({Op::Constant, Width, 0, 0, 0, C->getValueAPF().bitcastToAPInt().getZExtValue()});
    if (const auto *C = dyn_cast<ConstantInt>(V))
      return add({Op::Constant, Width, 0, 0, 0, C->getZExtValue()});
    if (const auto *A = dyn_cast<Argument>(V))
      return leaf(Condition::Input::Kind::Scalar, A->getArgNo(), Width);
    if (const auto *B = dyn_cast<BinaryOperator>(V))
      return binary(*B, Width);
    if (const auto *C = dyn_cast<CallInst>(V)) {
      std::optional<unsigned> N =
          C->getIntrinsicID() == Intrinsic::fmuladd ? fused(*C, Width) : call(*C, Width);
      return N ? N : loaded(V, Width);
    }
    if (const auto *C = dyn_cast<CmpInst>(V))
      return comparison(*C);
    if (const auto *S = dyn_cast<SelectInst>(V)) {
      std::optional<unsigned> A = value(S->getCondition()), B = value(S->getTrueValue()),
                              C = value(S->getFalseValue());
      return A && B && C ? add({Op::Select, Width, *A, *B, *C, 0}) : std::nullopt;
    }
    const bool ToFloat = isa<SIToFPInst, UIToFPInst>(V);
    if (!isa<TruncInst, ZExtInst, SExtInst>(V) && !ToFloat)
      return loaded(V, Width);
    const Value *From = cast<CastInst>(V)->getOperand(0);
    std::optional<unsigned> A = value(From);
    if (!A)
      return std::nullopt;
    const uint64_t Bits = From->getType()->getIntegerBitWidth();
    if (ToFloat)
      return add(
          {isa<SIToFPInst>(V) ? Op::FloatOfSigned : Op::FloatOfUnsigned, Width, *A, 0, 0, Bits});
    return add({isa<SExtInst>(V) ? Op::SignExtend : Op::Truncate, Width, *A, 0, 0, Bits});
  }

  Condition Result;
  DenseMap<const Value *, unsigned> Seen;
};

uint64_t masked(uint64_t Value, unsigned Width) {
  return Width >= 64 ? Value : Value & ((uint64_t(1) << Width) - 1);
}
int64_t asSigned(uint64_t Value, unsigned Width) {
  return Width >= 64 ? static_cast<int64_t>(Value) : SignExtend64(Value, Width);
}

double asFloat(uint64_t Bits, unsigned Width) {
  return Width == 32 ? bit_cast<float>(static_cast<uint32_t>(Bits)) : bit_cast<double>(Bits);
}
uint64_t floatBits(double Value, unsigned Width) {
  return Width == 32 ? bit_cast<uint32_t>(static_cast<float>(Value)) : bit_cast<uint64_t>(Value);
}

/// Float is computed as double and rounded once more, which gives the same result.
uint64_t appliedToFloats(const Condition::Node &N, uint64_t A, uint64_t B) {
  const double X = asFloat(A, N.Width), Y = asFloat(B, N.Width);
  switch (N.K) {
  case Op::FloatAdd:
    return floatBits(X + Y, N.Width);
  case Op::FloatSubtract:
    return floatBits(X - Y, N.Width);
  case Op::FloatMultiply:
    return floatBits(X * Y, N.Width);
  case Op::FloatDivide:
    return floatBits(X / Y, N.Width);
  case Op::FloatEqual:
    return X == Y;
  case Op::FloatLess:
    return X < Y;
  case Op::FloatOfSigned:
    return floatBits(static_cast<double>(asSigned(A, static_cast<unsigned>(N.Value))), N.Width);
  default:
    return floatBits(static_cast<double>(A), N.Width);
  }
}

/// A division; nothing where C has no result.
std::optional<uint64_t> divided(Op K, uint64_t A, uint64_t B, unsigned Width) {
  if (B == 0)
    return std::nullopt;
  if (K == Op::UnsignedDivide)
    return A / B;
  if (K == Op::UnsignedRemainder)
    return A % B;
  const int64_t X = asSigned(A, Width), Y = asSigned(B, Width);
  if (Y == -1)
    return K == Op::SignedDivide ? 0 - static_cast<uint64_t>(X) : 0;
  return static_cast<uint64_t>(K == Op::SignedDivide ? X / Y : X % Y);
}

std::optional<uint64_t> applied(const Condition::Node &N, uint64_t A, uint64_t B, uint64_t C) {
  // OpenCL takes the amount of a shift modulo the width.
  const unsigned Amount = N.Width ? B % N.Width : 0;
  switch (N.K) {
  case Op::Constant:
  case Op::Leaf:
    return A;
  case Op::Add:
    return A + B;
  case Op::Subtract:
    return A - B;
  case Op::Multiply:
    return A * B;
  case Op::UnsignedDivide:
  case Op::SignedDivide:
  case Op::UnsignedRemainder:
  case Op::SignedRemainder:
    return divided(N.K, A, B, N.Width);
  case Op::ShiftLeft:
    return A << Amount;
  case Op::ShiftRight:
    return A >> Amount;
  case Op::ShiftRightSigned:
    return static_cast<uint64_t>(asSigned(A, N.Width) >> Amount);
  case Op::And:
    return A & B;
  case Op::Or:
    return A | B;
  case Op::Xor:
    return A ^ B;
  case Op::SignExtend:
    return static_cast<uint64_t>(asSigned(A, static_cast<unsigned>(N.Value)));
  case Op::Truncate:
    return A;
  case Op::Equal:
    return A == B;
  case Op::Less:
    return A < B;
  case Op::LessSigned:
    return asSigned(A, N.Width) < asSigned(B, N.Width);
  case Op::Not:
    return A == 0;
  case Op::Select:
    return A ? B : C;
  case Op::RoundUp:
    return B == 0 ? std::nullopt : std::optional((A + B - 1) / B * B);
  default:
    return appliedToFloats(N, A, B);
  }
  return std::nullopt;
}

} // namespace

bool Condition::isFloat(unsigned LeafNumber) const {
  return any_of(Nodes, [&](const Node &N) {
    auto isLeaf = [&](unsigned I) { return Nodes[I].K == Op::Leaf && Nodes[I].A == LeafNumber; };
    return N.K >= Op::FloatAdd && N.K <= Op::FloatLess && (isLeaf(N.A) || isLeaf(N.B));
  });
}

std::optional<uint64_t> Condition::evaluate(ArrayRef<uint64_t> Inputs,
                                            std::vector<uint64_t> &Scratch) const {
  Scratch.resize(Nodes.size());
  for (size_t I = 0; I < Nodes.size(); ++I) {
    const Node &N = Nodes[I];
    const uint64_t A = N.K == Op::Constant ? N.Value : N.K == Op::Leaf ? Inputs[N.A] : Scratch[N.A];
    std::optional<uint64_t> Value = applied(N, A, Scratch[N.B], Scratch[N.C]);
    if (!Value)
      return std::nullopt;
    Scratch[I] = masked(*Value, N.Width);
  }
  return Scratch.back();
}

/// Calls of functions that the program defines.
static void inlineCalls(Function &Kernel) {
  constexpr unsigned Most = 64;
  for (unsigned Done = 0; Done < Most; ++Done) {
    auto All = instructions(Kernel);
    auto It = find_if(All, [&](Instruction &I) {
      auto *C = dyn_cast<CallInst>(&I);
      const Function *Callee = C ? C->getCalledFunction() : nullptr;
      return Callee && Callee != &Kernel && !Callee->isDeclaration();
    });
    InlineFunctionInfo Info;
    if (It == All.end() || !InlineFunction(cast<CallInst>(*It), Info).isSuccess())
      return;
  }
}

std::set<Condition> conditionsIn(Function &Kernel) {
  inlineCalls(Kernel);
  std::vector<AllocaInst *> Variables;
  for (Instruction &I : instructions(Kernel))
    if (auto *A = dyn_cast<AllocaInst>(&I); A && isAllocaPromotable(A))
      Variables.push_back(A);
  DominatorTree Tree(Kernel);
  PromoteMemToReg(Variables, Tree);
  std::set<Condition> All;
  for (const Instruction &I : instructions(Kernel))
    if (const auto *C = dyn_cast<CmpInst>(&I))
      if (std::optional<Condition> One = Extraction().run(*C))
        All.insert(std::move(*One));
  return All;
}

} // namespace clmali::verify
