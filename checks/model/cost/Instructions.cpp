//===-- checks/model/cost/Instructions.cpp - Instructions of an operation ------===//

#include "checks/model/cost/Instructions.h"
#include "checks/model/cost/Constants.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"
#include <cmath>
#include <set>

namespace clmali::model {

/// Per cent of an instruction where the device has no fact.
double InstructionCosts::standard(OpClass C, bool Float) const {
  switch (C) {
  case OpClass::Leaf:
  case OpClass::Alias:
  case OpClass::Load:
  case OpClass::Store:
  case OpClass::Atomic:
  case OpClass::Texture:
  case OpClass::TexelStore:
  case OpClass::Barrier:
  case OpClass::Control:
  case OpClass::Copy:
  case OpClass::Extend:
  case OpClass::Scale:
  case OpClass::Offset:
    return 0;
  case OpClass::Address:
    return 100.0 * D.AddressOperations;
  case OpClass::DivideByConst:
    return 100 * estimate::DivisionByConstant;
  case OpClass::Divide:
    return 100.0 * D.IntegerDivideCycles;
  case OpClass::FloatDivide:
    return 100.0 * D.FloatDivideCycles;
  case OpClass::Average:
    return 300;
  case OpClass::Widen:
  case OpClass::Narrow:
    return D.FreeConversions ? 0 : 100;
  default:
    return 100;
  }
}

InstructionCosts::InstructionCosts(const rules::DeviceFacts &D) : D(D) {
  for (unsigned C = 0; C < OpClasses; ++C)
    for (unsigned I = 0; I < 8; ++I)
      Each[C][I] = standard(OpClass(C), I > 3) / 100;
  for (const rules::Fact &F : D.Facts) {
    auto [Name, Bits] = llvm::StringRef(F.Name).rsplit("-cost-");
    if (Bits.empty())
      continue;
    bool Float = Name.consume_back("-float");
    unsigned N = 0;
    for (unsigned C = 0; C < OpClasses; ++C)
      if (name(OpClass(C)) == Name && !Bits.getAsInteger(10, N))
        Each[C][(N <= 8 ? 0 : N <= 16 ? 1 : N <= 32 ? 2 : 3) + (Float ? 4 : 0)] = F.Value / 100.0;
  }
}

double InstructionCosts::packets(const Operation &O) const {
  return std::ceil(double(O.Lanes) / std::max(1u, D.arithmeticLanes(O.Bits)));
}

/// A move for each register of the result that is not a register of a source. Where operands can be
/// swizzled, lanes of one register need none, and those of several one for each.
double InstructionCosts::moves(const Program &P, const Operation &O) const {
  unsigned Register = std::max(32u, D.RegisterBits);
  if (D.PadsSubword || (O.Named && !D.FreeSwizzles) || O.Bits >= Register || O.From.size() == 1)
    return 0;
  unsigned Each = Register / O.Bits;
  double Moves = 0;
  bool OneSource = O.Operands.size() == 1;
  for (unsigned At = 0; At < O.From.size(); At += Each) {
    std::set<std::pair<unsigned, unsigned>> Sources;
    bool Named = true;
    for (unsigned L = At; L < std::min<size_t>(At + Each, O.From.size()); ++L) {
      auto [Op, Lane] = O.From[L];
      if (P.Ops[Op].Class == OpClass::Leaf && P.Ops[Op].Operands.empty())
        continue;
      Named &= Lane % Each == L - At;
      Sources.insert({Op, Lane / Each});
    }
    if (Sources.empty() || (Named && Sources.size() == 1 && O.From.size() >= Each))
      continue;
    Moves += !D.FreeSwizzles ? 1 : OneSource ? double(Sources.size()) - 1 : double(Sources.size());
  }
  return Moves;
}

double InstructionCosts::of(const Program &P, const Operation &O) const {
  unsigned Index = (O.Bits <= 8 ? 0 : O.Bits <= 16 ? 1 : O.Bits <= 32 ? 2 : 3) + (O.Float ? 4 : 0);
  double Cost = Each[unsigned(O.Class)][Index];
  switch (O.Class) {
  case OpClass::Pack:
    return Cost * moves(P, O);
  case OpClass::Load:
  case OpClass::Store:
  case OpClass::Atomic:
    return Cost * std::ceil(double(O.Bits) * O.Lanes / std::max(1u, D.IdealAccessBits));
  case OpClass::Texture: // one message for all channels
  case OpClass::TexelStore:
    return Cost;
  case OpClass::Function:
    return Cost * D.specialCycles(O.Special) *
           (D.SpecialIsScalar ? O.Lanes : packets(O) / std::max(1u, D.ArithmeticPerCycle));
  default:
    return Cost == 0 ? 0 : Cost * packets(O);
  }
}

} // namespace clmali::model
