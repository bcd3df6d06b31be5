// Values of the machine: the parts of types, operands, constants, and conversions.
//
// A conversion from an integer does not depend on the width of that integer.

#include "rewriters/verify/symbolic/Machine.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/GlobalVariable.h"
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
    // An image is its object. Events and samplers are numbers that no instruction computes with.
    Parts->push_back({0, pointerBits(), imageShapeOf(Ty).has_value()});
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
    // Not cached: a local variable is another object in each group.
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
  // Every integer in this range is exact in the type: the rounding does not matter.
  const Node &N = T.node(Wide);
  if (Signed && N.SLo >= -(1ll << Digits) && N.SHi <= (1ll << Digits))
    Rounding = "";
  return T.call(((Signed ? "i2f" : "u2f") + Rounding).str(), Width, {Wide});
}

Term Machine::floatToInteger(Term X, bool Signed, unsigned Width, StringRef Suffix) {
  if (!Suffix.contains("sat"))
    Assumptions.insert("floating-point values that become integers are within "
                       "the integers' range");
  // Within the range the type does not matter.
  if (Open && Suffix.empty() && (Signed || Width < 64))
    return T.trunc(T.call("f2i", 64, {X}), Width);
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
      X = T.resize(L.Wide ? L.Wide : L.T, Bits, true);
      break;
    case Instruction::FPExt:
      X = T.call("fpext", Bits, {L.T});
      break;
    case Instruction::FPTrunc:
      X = T.call("fptrunc", Bits, {L.T});
      break;
    case Instruction::SIToFP:
    case Instruction::UIToFP:
      X = integerToFloat(L.Wide && Opcode == Instruction::SIToFP ? L.Wide : L.T,
                         Opcode == Instruction::SIToFP, Bits);
      break;
    default:
      X = floatToInteger(L.T, Opcode == Instruction::FPToSI, Bits);
      break;
    }
    R.push_back({X, NoObject});
  }
  return R;
}

} // namespace clmali::verify::symbolic
