// What each LLVM instruction computes over terms.
//
// Integers wrap; if an overflow that is undefined in C cannot be excluded, that is noted as an
// assumption. Floating-point operations are uninterpreted functions. Forms that have the same value
// by IEEE 754 become one form: a - b is a + (-b), operands of + and * are sorted, a > b is b < a.

#include "rewriters/verify/symbolic/Machine.h"

#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Intrinsics.h"
#include "llvm/IR/Operator.h"

namespace clmali::verify::symbolic {

using namespace llvm;

Lane Machine::choose(Term C, Lane A, Lane B) {
  if (A == B)
    return A;
  if (T.isConst(C))
    return T.value(C) ? A : B;
  if (A.Object != B.Object || A.Object == MixedObject)
    return {T.undef(pointerBits()), MixedObject};
  if (T.width(A.T) != T.width(B.T)) {
    fail("values of two widths in one variable");
    return A;
  }
  Term Wide = A.Wide || B.Wide ? T.ite(C, wideOf(A), wideOf(B)) : 0;
  return {T.ite(C, A.T, B.T), A.Object, Wide};
}

Term Machine::floatNegate(Term X) {
  unsigned W = T.width(X);
  return T.bitXor(X, T.constant(W, 1ull << (W - 1)));
}

Term Machine::isNan(Term X) {
  unsigned W = T.width(X);
  uint64_t Infinity = W == 16 ? 0x7c00 : W == 32 ? 0x7f800000 : 0x7ff0000000000000;
  Term Magnitude = T.bitAnd(X, T.constant(W, maskOf(W) >> 1));
  return T.ult(T.constant(W, Infinity), Magnitude);
}

Term Machine::floatArithmetic(unsigned Opcode, Term X, Term Y) {
  unsigned W = T.width(X);
  switch (Opcode) {
  case Instruction::FAdd:
    return T.callCommutative(FloatSum, W, {X, Y});
  case Instruction::FSub: {
    Term Negative = floatNegate(Y);
    return T.callCommutative(FloatSum, W, {X, Negative});
  }
  case Instruction::FMul:
    return T.callCommutative("fmul", W, {X, Y});
  case Instruction::FDiv:
    return T.call("fdiv", W, {X, Y});
  default:
    return T.call("frem", W, {X, Y});
  }
}

Term Machine::compareFloats(CmpInst::Predicate P, Term X, Term Y) {
  auto less = [&](Term A, Term B) { return T.call("fcmp.olt", 1, {A, B}); };
  auto lessEqual = [&](Term A, Term B) { return T.call("fcmp.ole", 1, {A, B}); };
  auto equal = [&] { return T.callCommutative("fcmp.oeq", 1, {X, Y}); };
  switch (P) {
  case CmpInst::FCMP_FALSE:
    return T.boolean(false);
  case CmpInst::FCMP_OEQ:
    return equal();
  case CmpInst::FCMP_OGT:
    return less(Y, X);
  case CmpInst::FCMP_OGE:
    return lessEqual(Y, X);
  case CmpInst::FCMP_OLT:
    return less(X, Y);
  case CmpInst::FCMP_OLE:
    return lessEqual(X, Y);
  case CmpInst::FCMP_ONE:
    return T.bitOr(less(X, Y), less(Y, X));
  case CmpInst::FCMP_UNO:
    return T.bitOr(isNan(X), isNan(Y));
  case CmpInst::FCMP_TRUE:
    return T.boolean(true);
  default:
    return T.bitNot(compareFloats(CmpInst::getInversePredicate(P), X, Y));
  }
}

Term Machine::compareIntegers(CmpInst::Predicate P, Lane X, Lane Y) {
  if (X.isPointer() || Y.isPointer()) {
    bool Known = X.Object != MixedObject && Y.Object != MixedObject;
    if (Known && X.Object != Y.Object && CmpInst::isEquality(P))
      return T.boolean(P == CmpInst::ICMP_NE);
    if (!Known || X.Object != Y.Object) {
      fail("pointers into two variables are compared");
      return T.undef(1);
    }
  }
  Term A = X.T, B = Y.T;
  if ((X.Wide || Y.Wide) && (CmpInst::isSigned(P) || CmpInst::isEquality(P))) {
    A = wideOf(X);
    B = wideOf(Y);
  }
  switch (P) {
  case CmpInst::ICMP_EQ:
    return T.eq(A, B);
  case CmpInst::ICMP_NE:
    return T.bitNot(T.eq(A, B));
  case CmpInst::ICMP_UGT:
    return T.ult(B, A);
  case CmpInst::ICMP_UGE:
    return T.bitNot(T.ult(A, B));
  case CmpInst::ICMP_ULT:
    return T.ult(A, B);
  case CmpInst::ICMP_ULE:
    return T.bitNot(T.ult(B, A));
  case CmpInst::ICMP_SGT:
    return T.slt(B, A);
  case CmpInst::ICMP_SGE:
    return T.bitNot(T.slt(A, B));
  case CmpInst::ICMP_SLT:
    return T.slt(A, B);
  default:
    return T.bitNot(T.slt(B, A));
  }
}

void Machine::noteNarrow(const Item &W, const Instruction &I, unsigned Opcode, unsigned Bits,
                         Term X, Term Y) {
  if (Bits == 8 || Bits == 16)
    Narrow.note(T, &I, Opcode, Bits, X, Y, [&] { return nameOf(W); });
}

void Machine::noteSignedOverflow(const BinaryOperator &B, Term X, Term Y) {
  const auto *O = dyn_cast<OverflowingBinaryOperator>(&B);
  if (!O || !O->hasNoSignedWrap())
    return;
  const Node &P = T.node(X), &Q = T.node(Y);
  using Wide = __int128;
  Wide Corner[4] = {0, 0, 0, 0};
  const Wide PB[] = {P.SLo, P.SHi}, QB[] = {Q.SLo, Q.SHi};
  for (int I = 0; I < 4; ++I) {
    Wide A = PB[I & 1], C = QB[I >> 1];
    Corner[I] = B.getOpcode() == Instruction::Add   ? A + C
                : B.getOpcode() == Instruction::Sub ? A - C
                : B.getOpcode() == Instruction::Mul ? A * C
                                                    : A * (Wide(1) << std::min<Wide>(Q.UHi, 63));
  }
  Wide Low = -(Wide(1) << (T.width(X) - 1)), High = -Low - 1;
  if (none_of(Corner, [&](Wide C) { return C < Low || C > High; }))
    return;
  // widen() leaves out inputs on which the original overflows.
  Assumptions.insert(Open && T.width(X) == 32 ? "the original overflows no signed integer"
                                              : "signed overflow wraps");
  if (B.isCommutative() && Y < X)
    std::swap(X, Y);
  Overflows.insert({B.getOpcode(), X, Y});
}

Term Machine::divide(Item &W, unsigned Opcode, Term X, Term Y) {
  unsigned Width = T.width(X);
  bool Signed = Opcode == Instruction::SDiv || Opcode == Instruction::SRem;
  Term Bad = T.eq(Y, T.constant(Width, 0));
  if (Signed)
    Bad = T.bitOr(Bad, T.bitAnd(T.eq(Y, T.constant(Width, ~0ull)),
                                T.eq(X, T.constant(Width, 1ull << (Width - 1)))));
  if (!T.isConst(Bad, 0) && !T.isUndef(Bad)) {
    Hazard H = hazard(W, Hazard::Kind::Division, Bad);
    H.What = "divides by zero, or overflows in a division";
    addHazard(std::move(H));
  }
  return T.div(Opcode == Instruction::UDiv   ? Op::UDiv
               : Opcode == Instruction::SDiv ? Op::SDiv
               : Opcode == Instruction::URem ? Op::URem
                                             : Op::SRem,
               X, Y);
}

Term Machine::arithmetic(Item &W, const BinaryOperator &B, Term X, Term Y) {
  unsigned Width = T.width(X);
  if (Width <= 16)
    switch (B.getOpcode()) {
    case Instruction::Add:
    case Instruction::Sub:
    case Instruction::Mul:
    case Instruction::Shl:
      noteNarrow(W, B, B.getOpcode(), Width, X, Y);
      break;
    default:
      break;
    }
  noteSignedOverflow(B, X, Y);
  switch (B.getOpcode()) {
  case Instruction::Add:
    return T.add(X, Y);
  case Instruction::Sub:
    return T.sub(X, Y);
  case Instruction::Mul:
    return T.mul(X, Y);
  case Instruction::And:
    return T.bitAnd(X, Y);
  case Instruction::Or:
    return T.bitOr(X, Y);
  case Instruction::Xor:
    return T.bitXor(X, Y);
  case Instruction::Shl:
    return T.shift(Op::Shl, X, Y);
  case Instruction::LShr:
    return T.shift(Op::LShr, X, Y);
  case Instruction::AShr:
    return T.shift(Op::AShr, X, Y);
  case Instruction::UDiv:
  case Instruction::SDiv:
  case Instruction::URem:
  case Instruction::SRem:
    return divide(W, B.getOpcode(), X, Y);
  default:
    return floatArithmetic(B.getOpcode(), X, Y);
  }
}

Lane Machine::addressOf(Frame &F, const GetElementPtrInst &G) {
  Lane Base = getOne(F, G.getPointerOperand());
  Term Offset = Base.T;
  Type *Ty = G.getSourceElementType();
  bool First = true;
  for (const Use &U : G.indices()) {
    if (G.getType()->isVectorTy()) {
      fail("vectors of pointers");
      return Base;
    }
    const Lane IndexLane = getOne(F, U.get());
    Term Index = IndexLane.T;
    if (failed())
      return Base;
    if (auto *S = dyn_cast<StructType>(Ty); S && !First) {
      unsigned Field = unsigned(T.value(Index));
      Offset = T.addConst(Offset, Layout.getStructLayout(S)->getElementOffset(Field));
      Ty = S->getElementType(Field);
      continue;
    }
    if (!First)
      Ty = isa<ArrayType>(Ty) ? Ty->getArrayElementType() : cast<VectorType>(Ty)->getElementType();
    First = false;
    uint64_t Bytes = Layout.getTypeAllocSize(Ty);
    Term Wide = IndexLane.Wide ? T.resize(IndexLane.Wide, pointerBits(), true)
                               : T.resize(Index, pointerBits(), true);
    Offset = T.add(Offset, T.mul(Wide, T.constant(pointerBits(), Bytes)));
  }
  return {Offset, Base.Object};
}

Lanes Machine::allocate(Frame &F, const AllocaInst &A) {
  if (!A.isStaticAlloca()) {
    fail("a variable of varying size");
    return {};
  }
  uint32_t Id = newObject(Object::Kind::Private, A.getName(), *A.getAllocationSize(Layout));
  Objects[Id].Alignment = A.getAlign().value();
  F.Objects.push_back(Id);
  return {Lane{T.constant(pointerBits(), 0), Id}};
}

Lanes Machine::loadInstruction(Item &W, const LoadInst &I) {
  Lane At = getOne(W.Frames.back(), I.getPointerOperand());
  if (failed())
    return {};
  checkAlignment(W, At, I.getAlign().value());
  return loadType(W, At, I.getType());
}

void Machine::storeInstruction(Item &W, const StoreInst &I) {
  Frame &F = W.Frames.back();
  Lanes L = get(F, I.getValueOperand());
  Lane At = getOne(F, I.getPointerOperand());
  if (failed())
    return;
  checkAlignment(W, At, I.getAlign().value());
  storeType(W, At, L, I.getValueOperand()->getType());
}

Lanes Machine::compareInstruction(Frame &F, const CmpInst &C) {
  Lanes X = get(F, C.getOperand(0)), Y = get(F, C.getOperand(1)), R;
  for (size_t N = 0; N < X.size() && !failed(); ++N)
    R.push_back({C.isFPPredicate() ? compareFloats(C.getPredicate(), X[N].T, Y[N].T)
                                   : compareIntegers(C.getPredicate(), X[N], Y[N]),
                 NoObject});
  return R;
}

Lanes Machine::selectInstruction(Frame &F, const SelectInst &I) {
  Lanes C = get(F, I.getOperand(0)), X = get(F, I.getOperand(1)), Y = get(F, I.getOperand(2)), R;
  for (size_t N = 0; N < X.size() && !failed(); ++N)
    R.push_back(choose(C[C.size() == 1 ? 0 : N].T, X[N], Y[N]));
  return R;
}

Lanes Machine::extractElement(Frame &F, const ExtractElementInst &I) {
  Lanes X = get(F, I.getOperand(0));
  Term Index = getOne(F, I.getOperand(1)).T;
  if (failed())
    return {};
  // An element past the end is poison; an uninitialised value stands for it.
  Lane L{T.undef(T.width(X.front().T)), X.front().Object};
  for (size_t N = 0; N < X.size(); ++N)
    L = choose(T.eq(Index, T.constant(T.width(Index), N)), X[N], L);
  return {L};
}

Lanes Machine::insertElement(Frame &F, const InsertElementInst &I) {
  Lanes R = get(F, I.getOperand(0));
  Lane New = getOne(F, I.getOperand(1));
  Term Index = getOne(F, I.getOperand(2)).T;
  if (failed())
    return R;
  for (size_t N = 0; N < R.size(); ++N)
    R[N] = choose(T.eq(Index, T.constant(T.width(Index), N)), New, R[N]);
  return R;
}

Lanes Machine::shuffle(Frame &F, const ShuffleVectorInst &I) {
  Lanes X = get(F, I.getOperand(0)), Y = get(F, I.getOperand(1)), R;
  for (int N : I.getShuffleMask()) {
    if (N < 0)
      R.push_back({T.undef(T.width(X.front().T)), X.front().Object});
    else
      R.push_back(size_t(N) < X.size() ? X[N] : Y[N - X.size()]);
  }
  return R;
}

Lanes Machine::aggregate(Frame &F, const Instruction &I) {
  bool Extract = I.getOpcode() == Instruction::ExtractValue;
  ArrayRef<unsigned> Indices =
      Extract ? cast<ExtractValueInst>(I).getIndices() : cast<InsertValueInst>(I).getIndices();
  Type *Ty = I.getOperand(0)->getType();
  size_t First = 0;
  for (unsigned Index : Indices) {
    for (unsigned N = 0; N < Index; ++N)
      First += partsOf(GetElementPtrInst::getTypeAtIndex(Ty, uint64_t(N))).size();
    Ty = GetElementPtrInst::getTypeAtIndex(Ty, uint64_t(Index));
  }
  Lanes Whole = get(F, I.getOperand(0));
  size_t Count = partsOf(Ty).size();
  if (Extract)
    return Lanes(Whole.begin() + First, Whole.begin() + First + Count);
  Lanes New = get(F, I.getOperand(1));
  std::copy(New.begin(), New.end(), Whole.begin() + First);
  return Whole;
}

Lanes Machine::castInstruction(Item &W, const CastInst &I) {
  Lanes From = get(W.Frames.back(), I.getOperand(0));
  if (I.getOpcode() == Instruction::Trunc)
    for (const Lane &L : From)
      if (!L.isPointer())
        noteNarrow(W, I, I.getOpcode(), I.getType()->getScalarSizeInBits(), L.T, 0);
  return convert(I.getOpcode(), From, I.getOperand(0)->getType(), I.getType());
}

Lanes Machine::binaryInstruction(Item &W, const BinaryOperator &B) {
  Frame &F = W.Frames.back();
  Lanes X = get(F, B.getOperand(0)), Y = get(F, B.getOperand(1)), R;
  for (size_t N = 0; N < X.size() && !failed(); ++N) {
    if (X[N].isPointer() || Y[N].isPointer())
      fail("arithmetic on pointers");
    else
      R.push_back({arithmetic(W, B, X[N].T, Y[N].T), NoObject});
    if (Open && !failed())
      widen(W, B, X[N], Y[N], R.back());
  }
  return R;
}

Lanes Machine::compute(Item &W, const Instruction &I) {
  Frame &F = W.Frames.back();
  switch (I.getOpcode()) {
  case Instruction::Alloca:
    return allocate(F, cast<AllocaInst>(I));
  case Instruction::Load:
    return loadInstruction(W, cast<LoadInst>(I));
  case Instruction::Store:
    storeInstruction(W, cast<StoreInst>(I));
    return {};
  case Instruction::GetElementPtr:
    return {addressOf(F, cast<GetElementPtrInst>(I))};
  case Instruction::FNeg: {
    Lanes R;
    for (const Lane &L : get(F, I.getOperand(0)))
      R.push_back({floatNegate(L.T), NoObject});
    return R;
  }
  case Instruction::ICmp:
  case Instruction::FCmp:
    return compareInstruction(F, cast<CmpInst>(I));
  case Instruction::Select:
    return selectInstruction(F, cast<SelectInst>(I));
  case Instruction::ExtractElement:
    return extractElement(F, cast<ExtractElementInst>(I));
  case Instruction::InsertElement:
    return insertElement(F, cast<InsertElementInst>(I));
  case Instruction::ShuffleVector:
    return shuffle(F, cast<ShuffleVectorInst>(I));
  case Instruction::ExtractValue:
  case Instruction::InsertValue:
    return aggregate(F, I);
  case Instruction::Freeze: {
    Lanes R = get(F, I.getOperand(0));
    for (const Lane &L : R)
      if (T.node(L.T).HasUndef)
        fail("an uninitialised value is frozen");
    return R;
  }
  default:
    if (const auto *B = dyn_cast<BinaryOperator>(&I))
      return binaryInstruction(W, *B);
    if (const auto *C = dyn_cast<CastInst>(&I))
      return castInstruction(W, *C);
    fail("the instruction " + Twine(I.getOpcodeName()));
    return {};
  }
}

bool Machine::step(Item &W, const Instruction &I) {
  Lanes R = compute(W, I);
  if (!I.getType()->isVoidTy())
    set(W.Frames.back(), &I, R);
  return !failed();
}

bool Machine::intrinsic(Item &W, const CallInst &C, StringRef Name) {
  Frame &F = W.Frames.back();
  switch (C.getIntrinsicID()) {
  case Intrinsic::lifetime_start:
  case Intrinsic::lifetime_end:
  case Intrinsic::dbg_declare:
  case Intrinsic::dbg_value:
  case Intrinsic::dbg_label:
  case Intrinsic::assume:
  case Intrinsic::experimental_noalias_scope_decl:
    return true;
  case Intrinsic::memcpy:
  case Intrinsic::memmove:
  case Intrinsic::memset: {
    Lane To = getOne(F, C.getArgOperand(0)), From = getOne(F, C.getArgOperand(1));
    Term Bytes = getOne(F, C.getArgOperand(2)).T;
    if (failed())
      return false;
    if (!T.isConst(Bytes))
      fail("a copy of varying length");
    else if (C.getIntrinsicID() == Intrinsic::memset)
      fillBytes(W, To, From.T, T.value(Bytes));
    else
      copyBytes(W, To, From, T.value(Bytes));
    return !failed();
  }
  case Intrinsic::fmuladd:
  case Intrinsic::fma: {
    Lanes X = get(F, C.getArgOperand(0)), Y = get(F, C.getArgOperand(1)),
          Z = get(F, C.getArgOperand(2)), R;
    StringRef Function = C.getIntrinsicID() == Intrinsic::fma ? "fma" : "fmuladd";
    for (size_t N = 0; N < X.size(); ++N)
      R.push_back(
          {T.callCommutative(Function, T.width(X[N].T), {X[N].T, Y[N].T, Z[N].T}), NoObject});
    set(F, &C, R);
    return true;
  }
  default:
    fail("the intrinsic " + Name);
    return false;
  }
}

bool Machine::call(Item &W, const CallInst &C, bool &Entered) {
  const Function *Callee = C.getCalledFunction();
  if (!Callee) {
    fail(C.isInlineAsm() ? "assembly" : "an indirect call");
    return false;
  }
  if (Callee->isIntrinsic())
    return intrinsic(W, C, Callee->getName());
  if (Callee->isDeclaration())
    return builtin(W, C);
  std::vector<Lanes> Args;
  for (const Use &U : C.args())
    Args.push_back(get(W.Frames.back(), U.get()));
  if (failed() || !enter(W, *Callee))
    return false;
  Entered = true;
  Frame &New = W.Frames.back();
  for (const Argument &A : Callee->args()) {
    Lanes &L = Args[A.getArgNo()];
    if (A.hasByValAttr()) {
      Type *Ty = A.getParamByValType();
      uint32_t Id = newObject(Object::Kind::Private, A.getName(), Layout.getTypeAllocSize(Ty));
      New.Objects.push_back(Id);
      Lane Copy{T.constant(pointerBits(), 0), Id};
      copyBytes(W, Copy, L.front(), Layout.getTypeAllocSize(Ty));
      L = {Copy};
    }
    set(New, &A, L);
  }
  return !failed();
}

} // namespace clmali::verify::symbolic
