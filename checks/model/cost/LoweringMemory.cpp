//===-- checks/model/cost/LoweringMemory.cpp - Accesses of a lowered kernel ===//

#include "checks/model/cost/LoweringImpl.h"

namespace clmali::model {

Lowering::Location Lowering::locate(const Access &Acc) {
  Location L;
  L.Offset = Acc.Disp;
  L.Key.push_back(uint64_t(reinterpret_cast<uintptr_t>(Acc.Base)));
  for (auto [I, Ix] : llvm::enumerate(Acc.Index)) {
    auto [N, Constant] = sum(value(Ix));
    if (std::optional<int64_t> V = constant(N)) {
      L.Offset += (*V + Constant) * int64_t(Acc.Stride[I]);
      continue;
    }
    L.Offset += Constant * int64_t(Acc.Stride[I]);
    L.Index.push_back(N);
    L.Key.push_back(Acc.Stride[I]);
  }
  return L;
}

unsigned Lowering::address(const Access &Acc, const Location &L) {
  const Type *Ty = addressType();
  unsigned Bits = Acc.Base->space() == AddressSpace::Local ? 32 : 64;
  llvm::SmallVector<unsigned, 2> Index;
  for (auto [I, Value] : llvm::enumerate(L.Index)) {
    unsigned N = Value;
    if (P.Ops[N].Bits < Bits)
      N = makeWide(OpClass::Extend, Ty, Bits, {N});
    uint64_t By = L.Key[1 + I];
    if (By > 1)
      N = makeWide(OpClass::Scale, Ty, Bits, {N}, {By});
    Index.push_back(N);
  }
  unsigned First = makeWide(OpClass::Address, Ty, Bits, Index, L.Key);
  if (auto [It, New] = FirstOffset.try_emplace(First, L.Offset); New || It->second == L.Offset)
    return First;
  llvm::SmallVector<unsigned, 3> From = {First};
  return makeWide(OpClass::Offset, Ty, Bits, From, {uint64_t(L.Offset)});
}

const Type *Lowering::addressType() {
  static const Type Ty = [] {
    Type T;
    T.K = Type::Value;
    T.Scalar = ScalarKind::ULong;
    T.Size = 8;
    return T;
  }();
  return &Ty;
}

/// The element at Offset of a private array, if a store gives it: of that element, or of a vector
/// around it.
std::optional<std::pair<unsigned, uint8_t>> Lowering::element(const Access &Acc, int64_t Offset) {
  auto It = Elements.upper_bound({Acc.Base, Offset});
  if (It == Elements.begin() || (--It)->first.first != Acc.Base)
    return std::nullopt;
  Lanes Stored;
  lanesOf(It->second, Stored);
  const int64_t Size = sizeInBytes(Acc.Elem), Distance = Offset - It->first.second;
  if (Distance % Size || Distance / Size >= int64_t(Stored.size()))
    return std::nullopt;
  return Stored[Distance / Size];
}

/// The elements of a wider store that V does not replace stay known.
void Lowering::setElement(const Access &Acc, int64_t Offset, unsigned V) {
  P.Elements.push_back({Acc.Base, V});
  const int64_t Size = sizeInBytes(Acc.Elem);
  Lanes New;
  lanesOf(V, New);
  const int64_t End = Offset + int64_t(New.size()) * Size;
  for (auto It = Elements.lower_bound({Acc.Base, Offset - 15 * Size});
       It != Elements.end() && It->first.first == Acc.Base && It->first.second < End;) {
    const int64_t Begin = It->first.second;
    Lanes Old;
    lanesOf(It->second, Old);
    if (Begin + int64_t(Old.size()) * Size <= Offset) {
      ++It;
      continue;
    }
    if (Begin <= Offset && End <= Begin + int64_t(Old.size()) * Size && Old.size() > New.size() &&
        (Offset - Begin) % Size == 0) {
      std::copy(New.begin(), New.end(), Old.begin() + (Offset - Begin) / Size);
      It->second = pack(P.Ops[It->second].Ty, Old);
      return;
    }
    It = Elements.erase(It);
  }
  Elements[{Acc.Base, Offset}] = V;
}

unsigned Lowering::load(const Expr *E) {
  const Access &Acc = E->Acc;
  Location L = locate(Acc);
  Lanes Known;
  llvm::SmallVector<unsigned, 16> Unknown;
  for (unsigned I = 0; isPrivate(Acc) && L.Index.empty() && I < Acc.Lanes; ++I) {
    auto Lane = element(Acc, L.Offset + int64_t(I) * sizeInBytes(Acc.Elem));
    if (!Lane)
      Unknown.push_back(I);
    Known.push_back(Lane.value_or(std::pair(0u, uint8_t(0))));
  }
  if (!Known.empty() && Unknown.empty())
    return pack(E->Ty, Known);
  if (L.Index.empty() && !Acc.Base->Ints.empty() && Acc.Lanes == 1 && !Acc.Disp) {
    size_t I = size_t(L.Offset) / sizeInBytes(Acc.Elem);
    if (I < Acc.Base->Ints.size())
      return integer(Acc.Base->Ints[I], E->Ty);
  }
  Operation O;
  O.Class = OpClass::Load;
  O.Ty = E->Ty;
  O.Lanes = E->Ty->Lanes;
  O.Bits = elementBits(E->Ty);
  if (!isPrivate(Acc))
    O.Operands.push_back(address(Acc, L));
  else
    O.Operands.assign(L.Index.begin(), L.Index.end());
  O.Acc = &Acc;
  uint64_t Version = Acc.Base->space() == AddressSpace::Constant ? 0 : Epoch + 1;
  L.Key.push_back(uint64_t(L.Offset));
  L.Key.push_back(Version);
  unsigned N = numbered(std::move(O), L.Key);
  if (Unknown.size() == Known.size())
    return N;
  for (unsigned I : Unknown)
    Known[I] = {N, uint8_t(I)};
  return pack(E->Ty, Known);
}

/// Reads at equal coordinates are one. One of a buffer goes through the load/store unit.
unsigned Lowering::texel(const Expr *E) {
  Operation O;
  O.Class = OpClass::Texture;
  O.Ty = E->Ty;
  O.Lanes = E->Ty->Lanes;
  O.Bits = elementBits(E->Ty);
  O.Float = E->Ty->isFloat();
  for (const Expr *X : E->Ops)
    O.Operands.push_back(value(X));
  O.Image = E->Image;
  O.Sampler = E->Sampler;
  uint64_t Version = isWritable(*E->Image) ? Epoch + 1 : 0;
  return numbered(std::move(O), {uint64_t(reinterpret_cast<uintptr_t>(E->Image)),
                                 uint64_t(reinterpret_cast<uintptr_t>(E->Sampler)), Version});
}

void Lowering::effect(OpClass C, const Access *Acc, llvm::ArrayRef<unsigned> Operands) {
  Operation O;
  O.Class = C;
  O.Acc = Acc;
  O.Operands.assign(Operands.begin(), Operands.end());
  if (Acc) {
    O.Lanes = Acc->Lanes;
    O.Bits = 8 * sizeInBytes(Acc->Elem);
  }
  append(std::move(O), false);
}

void Lowering::store(const Stmt &S) {
  unsigned V = value(S.E);
  Location L = locate(S.Acc);
  if (isPrivate(S.Acc)) {
    if (L.Index.empty()) {
      setElement(S.Acc, L.Offset, V);
      return;
    }
    forgetElements(S.Acc.Base);
    effect(OpClass::Store, &S.Acc, {V});
    return;
  }
  effect(OpClass::Store, &S.Acc, {address(S.Acc, L), V});
  ++Epoch;
}

void Lowering::forgetElements(const Var *Array) {
  for (auto It = Elements.begin(); It != Elements.end();)
    It = It->first.first == Array ? Elements.erase(It) : std::next(It);
}

} // namespace clmali::model
