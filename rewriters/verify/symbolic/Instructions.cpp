// What each LLVM instruction computes over terms.
//
// Integers wrap (an overflow that C leaves undefined is noted as an assumption
// where it cannot be excluded). Floating-point operations are functions nobody
// interprets, brought into one form where IEEE says that two forms are the same
// value: a - b is a + (-b), operands of + and * are sorted, a > b is b < a, and
// a conversion from an integer does not depend on how wide that integer was.

#include "rewriters/verify/symbolic/Machine.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Intrinsics.h"
#include "llvm/IR/Operator.h"
#include "llvm/Support/raw_ostream.h"

namespace clmali::verify::symbolic {

using namespace llvm;

static std::string nameOfType(Type *Ty) {
  std::string Text;
  raw_string_ostream OS(Text);
  Ty->print(OS);
  return Text;
}

ArrayRef<Part> Machine::partsOf(Type *Ty) {
  if (auto It = Types.find(Ty); It != Types.end())
    return *It->second;
  auto Parts = std::make_unique<std::vector<Part>>();
  auto append = [&](Type *Inner, uint64_t At) {
    for (Part P : partsOf(Inner)) {
      P.Offset += At;
      Parts->push_back(P);
    }
  };
  if (auto *I = dyn_cast<IntegerType>(Ty)) {
    if (I->getBitWidth() > 64)
      fail("integers of more than 64 bits");
    Parts->push_back({0, std::min(I->getBitWidth(), 64u), false});
  } else if (Ty->isHalfTy() || Ty->isFloatTy() || Ty->isDoubleTy()) {
    Parts->push_back({0, unsigned(Ty->getPrimitiveSizeInBits().getFixedValue()), false});
  } else if (Ty->isPointerTy()) {
    Parts->push_back({0, pointerBits(), true});
  } else if (Ty->isTargetExtTy()) {
    // Events: nothing is ever computed from them.
    Parts->push_back({0, 64, false});
  } else if (auto *V = dyn_cast<FixedVectorType>(Ty)) {
    uint64_t Bytes = (V->getElementType()->getPrimitiveSizeInBits() + 7) / 8;
    if (V->getElementType()->isPointerTy())
      Bytes = pointerBits() / 8;
    for (unsigned I = 0; I < V->getNumElements(); ++I)
      append(V->getElementType(), I * Bytes);
  } else if (auto *A = dyn_cast<ArrayType>(Ty)) {
    uint64_t Bytes = Layout.getTypeAllocSize(A->getElementType());
    if (A->getNumElements() > 65536)
      fail("an array of more than 65536 elements as one value");
    else
      for (uint64_t I = 0; I < A->getNumElements(); ++I)
        append(A->getElementType(), I * Bytes);
  } else if (auto *S = dyn_cast<StructType>(Ty); S && !S->isOpaque()) {
    const StructLayout *L = Layout.getStructLayout(S);
    for (unsigned I = 0; I < S->getNumElements(); ++I)
      append(S->getElementType(I), L->getElementOffset(I));
  } else if (!Ty->isVoidTy()) {
    fail("the type " + nameOfType(Ty));
  }
  std::unique_ptr<std::vector<Part>> &Slot = Types[Ty];
  Slot = std::move(Parts);
  return *Slot;
}

const Lanes &Machine::constantLanes(const Constant *C) {
  std::unique_ptr<Lanes> &Known = Constants[C];
  if (Known)
    return *Known;
  auto L = std::make_unique<Lanes>();
  Type *Ty = C->getType();
  if (isa<UndefValue>(C)) {
    for (const Part &P : partsOf(Ty))
      L->push_back({T.undef(P.Bits), P.Pointer ? MixedObject : NoObject});
  } else if (C->isNullValue()) {
    for (const Part &P : partsOf(Ty))
      L->push_back({T.constant(P.Bits, 0), P.Pointer ? NullObject : NoObject});
  } else if (const auto *I = dyn_cast<ConstantInt>(C); I && I->getBitWidth() <= 64) {
    L->push_back({T.constant(I->getBitWidth(), I->getZExtValue()), NoObject});
  } else if (const auto *F = dyn_cast<ConstantFP>(C);
             F && F->getType()->getPrimitiveSizeInBits() <= 64) {
    APInt Bits = F->getValueAPF().bitcastToAPInt();
    L->push_back({T.constant(Bits.getBitWidth(), Bits.getZExtValue()), NoObject});
  } else if (const auto *D = dyn_cast<ConstantDataSequential>(C)) {
    for (unsigned I = 0; I < D->getNumElements(); ++I)
      L->append(constantLanes(D->getElementAsConstant(I)));
  } else if (isa<ConstantAggregate>(C)) {
    for (const Use &U : C->operands())
      L->append(constantLanes(cast<Constant>(U.get())));
  } else if (Ty->isPointerTy()) {
    APInt Offset(pointerBits(), 0);
    const Value *Base = C->stripAndAccumulateConstantOffsets(Layout, Offset, true);
    const auto *G = dyn_cast<GlobalVariable>(Base);
    if (G && G->getAddressSpace() != 3)
      L->push_back({T.constant(pointerBits(), Offset.getZExtValue()), objectOfGlobal(*G, nullptr)});
    else
      fail("the constant address " + Base->getName());
  } else {
    fail("a constant of type " + nameOfType(Ty));
  }
  if (failed() && L->size() != partsOf(Ty).size()) {
    L->clear();
    for (const Part &P : partsOf(Ty))
      L->push_back({T.undef(P.Bits), P.Pointer ? MixedObject : NoObject});
  }
  // The map may have grown.
  std::unique_ptr<Lanes> &Slot = Constants[C];
  Slot = std::move(L);
  return *Slot;
}

Lanes Machine::get(Frame &F, const Value *V) {
  if (const auto *C = dyn_cast<Constant>(V)) {
    // Local variables are other objects in each group: never remembered.
    if (C->getType()->isPointerTy()) {
      APInt Offset(pointerBits(), 0);
      const Value *Base = C->stripAndAccumulateConstantOffsets(Layout, Offset, true);
      if (const auto *G = dyn_cast<GlobalVariable>(Base))
        return {
            Lane{T.constant(pointerBits(), Offset.getZExtValue()), objectOfGlobal(*G, nullptr)}};
    }
    return constantLanes(C);
  }
  auto It = F.Info->Slots.find(V);
  if (It == F.Info->Slots.end()) {
    fail("an operand that is no value: " + nameOfType(V->getType()));
    return {};
  }
  size_t Count = partsOf(V->getType()).size();
  return Lanes(F.Registers.begin() + It->second, F.Registers.begin() + It->second + Count);
}

Lane Machine::getOne(Frame &F, const Value *V) {
  Lanes L = get(F, V);
  if (L.size() != 1) {
    fail("a vector where one value is expected");
    return {T.undef(1), NoObject};
  }
  return L.front();
}

void Machine::set(Frame &F, const Value *V, ArrayRef<Lane> L) {
  auto It = F.Info->Slots.find(V);
  if (failed() || It == F.Info->Slots.end())
    return;
  for (size_t I = 0; I < L.size(); ++I)
    F.Registers[It->second + I] = L[I];
}

Lane Machine::choose(Term C, Lane A, Lane B) {
  if (A == B)
    return A;
  if (T.isConst(C))
    return T.value(C) ? A : B;
  if (A.Object != B.Object || A.Object == MixedObject)
    return {T.undef(pointerBits()), MixedObject};
  if (T.width(A.T) != T.width(B.T)) {
    fail("values of two widths in one place");
    return A;
  }
  return {T.ite(C, A.T, B.T), A.Object};
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
    return T.callCommutative("fadd", W, {X, Y});
  case Instruction::FSub: {
    // Sorted by the operands as they stand, so that a - b has one form.
    Term Negative = floatNegate(Y);
    return T.callCommutative("fadd", W, {X, Negative});
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
  const auto *O = dyn_cast<OverflowingBinaryOperator>(&B);
  if (O && O->hasNoSignedWrap()) {
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
    Wide Low = -(Wide(1) << (Width - 1)), High = -Low - 1;
    for (Wide C : Corner)
      if (C < Low || C > High)
        Assumptions.insert("signed overflow wraps");
  }
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
  case Instruction::SRem: {
    bool Signed = B.getOpcode() == Instruction::SDiv || B.getOpcode() == Instruction::SRem;
    Term Bad = T.eq(Y, T.constant(Width, 0));
    if (Signed)
      Bad = T.bitOr(Bad, T.bitAnd(T.eq(Y, T.constant(Width, ~0ull)),
                                  T.eq(X, T.constant(Width, 1ull << (Width - 1)))));
    if (!T.isConst(Bad, 0) && !T.isUndef(Bad)) {
      Hazard H = hazard(W, Hazard::Kind::Division, Bad);
      H.What = "divides by zero, or overflows in a division";
      addHazard(std::move(H));
    }
    return T.div(B.getOpcode() == Instruction::UDiv   ? Op::UDiv
                 : B.getOpcode() == Instruction::SDiv ? Op::SDiv
                 : B.getOpcode() == Instruction::URem ? Op::URem
                                                      : Op::SRem,
                 X, Y);
  }
  default:
    return floatArithmetic(B.getOpcode(), X, Y);
  }
}

Term Machine::integerToFloat(Term X, bool Signed, unsigned Width, StringRef Rounding) {
  Term Wide = T.resize(X, 64, Signed);
  Signed |= T.isNonNegative(Wide);
  unsigned Digits = Width == 16 ? 11 : Width == 32 ? 24 : 53;
  if (T.isConst(Wide) && Signed) {
    int64_t V = int64_t(T.value(Wide));
    if (V >= -(1ll << Digits) && V <= (1ll << Digits) &&
        (Width != 16 || (V >= -2048 && V <= 2048))) {
      // Exact, whatever the rounding.
      APFloat F(Width == 16   ? APFloat::IEEEhalf()
                : Width == 32 ? APFloat::IEEEsingle()
                              : APFloat::IEEEdouble());
      F.convertFromAPInt(APInt(64, uint64_t(V)), true, APFloat::rmNearestTiesToEven);
      return T.constant(Width, F.bitcastToAPInt().getZExtValue());
    }
  }
  // In range of what the type holds exactly, the rounding does not matter.
  const Node &N = T.node(Wide);
  if (Signed && N.SLo >= -(1ll << Digits) && N.SHi <= (1ll << Digits))
    Rounding = "";
  return T.call(((Signed ? "i2f" : "u2f") + Rounding).str(), Width, {Wide});
}

Term Machine::floatToInteger(Term X, bool Signed, unsigned Width, StringRef Suffix) {
  if (!Suffix.contains("sat"))
    Assumptions.insert("floating-point values that become integers are within "
                       "the integers' range");
  return T.call(((Signed ? "f2i" : "f2u") + Suffix).str(), Width, {X});
}

Lanes Machine::bitcast(ArrayRef<Lane> From, Type *FromTy, Type *ToTy) {
  ArrayRef<Part> To = partsOf(ToTy);
  if (failed() || From.empty())
    return {};
  for (const Lane &L : From)
    if (L.isPointer() && !To.empty() && To.front().Pointer)
      return Lanes(From.begin(), From.end());
  unsigned FromBits = T.width(From.front().T), ToBits = To.front().Bits;
  Lanes R;
  if (From.front().isPointer() || FromBits * From.size() != ToBits * To.size()) {
    fail("a bit cast from " + nameOfType(FromTy) + " to " + nameOfType(ToTy));
    return {};
  }
  for (size_t I = 0; I < To.size(); ++I) {
    if (ToBits <= FromBits && FromBits % ToBits == 0) {
      unsigned Ratio = FromBits / ToBits;
      R.push_back({T.extract(From[I / Ratio].T, unsigned(I % Ratio) * ToBits, ToBits), NoObject});
    } else if (ToBits % FromBits == 0) {
      unsigned Ratio = ToBits / FromBits;
      Term X = 0;
      for (unsigned J = 0; J < Ratio; ++J) {
        Term Next = From[I * Ratio + J].T;
        X = X ? T.concat(Next, X) : Next;
      }
      R.push_back({X, NoObject});
    } else {
      fail("a bit cast from " + nameOfType(FromTy) + " to " + nameOfType(ToTy));
      return {};
    }
  }
  return R;
}

Lanes Machine::convert(unsigned Opcode, ArrayRef<Lane> From, Type *FromTy, Type *ToTy) {
  if (Opcode == Instruction::BitCast)
    return bitcast(From, FromTy, ToTy);
  if (Opcode == Instruction::AddrSpaceCast)
    return Lanes(From.begin(), From.end());
  unsigned Bits = ToTy->getScalarSizeInBits();
  Lanes R;
  for (const Lane &L : From) {
    Term X = 0;
    if (L.isPointer() || Opcode == Instruction::PtrToInt || Opcode == Instruction::IntToPtr) {
      fail("a pointer becomes a number, or a number a pointer");
      return {};
    }
    switch (Opcode) {
    case Instruction::Trunc:
    case Instruction::ZExt:
      X = T.resize(L.T, Bits, false);
      break;
    case Instruction::SExt:
      X = T.resize(L.T, Bits, true);
      break;
    case Instruction::FPExt:
      X = T.call("fpext", Bits, {L.T});
      break;
    case Instruction::FPTrunc:
      X = T.call("fptrunc", Bits, {L.T});
      break;
    case Instruction::SIToFP:
    case Instruction::UIToFP:
      X = integerToFloat(L.T, Opcode == Instruction::SIToFP, Bits);
      break;
    default:
      X = floatToInteger(L.T, Opcode == Instruction::FPToSI, Bits);
      break;
    }
    R.push_back({X, NoObject});
  }
  return R;
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
    Term Index = getOne(F, U.get()).T;
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
    Term Wide = T.resize(Index, pointerBits(), true);
    Offset = T.add(Offset, T.mul(Wide, T.constant(pointerBits(), Bytes)));
  }
  return {Offset, Base.Object};
}

bool Machine::step(Item &W, const Instruction &I) {
  Frame &F = W.Frames.back();
  Lanes R;
  switch (I.getOpcode()) {
  case Instruction::Alloca: {
    const auto &A = cast<AllocaInst>(I);
    if (!A.isStaticAlloca()) {
      fail("a variable of varying size");
      break;
    }
    uint32_t Id = newObject(Object::Kind::Private, A.getName(), *A.getAllocationSize(Layout));
    Objects[Id].Alignment = A.getAlign().value();
    F.Objects.push_back(Id);
    R.push_back({T.constant(pointerBits(), 0), Id});
    break;
  }
  case Instruction::Load: {
    Lane At = getOne(F, cast<LoadInst>(I).getPointerOperand());
    if (failed())
      break;
    checkAlignment(W, At, cast<LoadInst>(I).getAlign().value());
    R = loadType(W, At, I.getType());
    break;
  }
  case Instruction::Store: {
    const auto &S = cast<StoreInst>(I);
    Lanes L = get(F, S.getValueOperand());
    Lane At = getOne(F, S.getPointerOperand());
    if (failed())
      break;
    checkAlignment(W, At, S.getAlign().value());
    storeType(W, At, L, S.getValueOperand()->getType());
    break;
  }
  case Instruction::GetElementPtr:
    R.push_back(addressOf(F, cast<GetElementPtrInst>(I)));
    break;
  case Instruction::FNeg:
    for (const Lane &L : get(F, I.getOperand(0)))
      R.push_back({floatNegate(L.T), NoObject});
    break;
  case Instruction::ICmp:
  case Instruction::FCmp: {
    const auto &C = cast<CmpInst>(I);
    Lanes X = get(F, I.getOperand(0)), Y = get(F, I.getOperand(1));
    for (size_t N = 0; N < X.size() && !failed(); ++N)
      R.push_back({C.isFPPredicate() ? compareFloats(C.getPredicate(), X[N].T, Y[N].T)
                                     : compareIntegers(C.getPredicate(), X[N], Y[N]),
                   NoObject});
    break;
  }
  case Instruction::Select: {
    Lanes C = get(F, I.getOperand(0)), X = get(F, I.getOperand(1)), Y = get(F, I.getOperand(2));
    for (size_t N = 0; N < X.size() && !failed(); ++N)
      R.push_back(choose(C[C.size() == 1 ? 0 : N].T, X[N], Y[N]));
    break;
  }
  case Instruction::ExtractElement: {
    Lanes X = get(F, I.getOperand(0));
    Term Index = getOne(F, I.getOperand(1)).T;
    if (failed())
      break;
    // Past the end is poison, which an uninitialised value stands for.
    Lane L{T.undef(T.width(X.front().T)), X.front().Object};
    for (size_t N = 0; N < X.size(); ++N)
      L = choose(T.eq(Index, T.constant(T.width(Index), N)), X[N], L);
    R.push_back(L);
    break;
  }
  case Instruction::InsertElement: {
    R = get(F, I.getOperand(0));
    Lane New = getOne(F, I.getOperand(1));
    Term Index = getOne(F, I.getOperand(2)).T;
    if (failed())
      break;
    for (size_t N = 0; N < R.size(); ++N)
      R[N] = choose(T.eq(Index, T.constant(T.width(Index), N)), New, R[N]);
    break;
  }
  case Instruction::ShuffleVector: {
    const auto &S = cast<ShuffleVectorInst>(I);
    Lanes X = get(F, I.getOperand(0)), Y = get(F, I.getOperand(1));
    for (int N : S.getShuffleMask()) {
      if (N < 0)
        R.push_back({T.undef(T.width(X.front().T)), X.front().Object});
      else
        R.push_back(size_t(N) < X.size() ? X[N] : Y[N - X.size()]);
    }
    break;
  }
  case Instruction::ExtractValue:
  case Instruction::InsertValue: {
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
    if (Extract) {
      R.append(Whole.begin() + First, Whole.begin() + First + Count);
    } else {
      Lanes New = get(F, I.getOperand(1));
      std::copy(New.begin(), New.end(), Whole.begin() + First);
      R = Whole;
    }
    break;
  }
  case Instruction::Freeze:
    R = get(F, I.getOperand(0));
    for (const Lane &L : R)
      if (T.node(L.T).HasUndef)
        fail("an uninitialised value is frozen");
    break;
  default:
    if (const auto *B = dyn_cast<BinaryOperator>(&I)) {
      Lanes X = get(F, I.getOperand(0)), Y = get(F, I.getOperand(1));
      for (size_t N = 0; N < X.size() && !failed(); ++N) {
        if (X[N].isPointer() || Y[N].isPointer())
          fail("arithmetic on pointers");
        else
          R.push_back({arithmetic(W, *B, X[N].T, Y[N].T), NoObject});
      }
      break;
    }
    if (isa<CastInst>(I)) {
      Lanes From = get(F, I.getOperand(0));
      if (I.getOpcode() == Instruction::Trunc)
        for (const Lane &L : From)
          if (!L.isPointer())
            noteNarrow(W, I, I.getOpcode(), I.getType()->getScalarSizeInBits(), L.T, 0);
      R = convert(I.getOpcode(), From, I.getOperand(0)->getType(), I.getType());
      break;
    }
    fail("the instruction " + Twine(I.getOpcodeName()));
    break;
  }
  if (!I.getType()->isVoidTy())
    set(F, &I, R);
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
