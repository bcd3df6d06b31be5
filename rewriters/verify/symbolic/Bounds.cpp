// Bounds of terms: between which numbers a value must lie, as unsigned and as
// signed number. Always sound, seldom exact.

#include "rewriters/verify/symbolic/Terms.h"

#include <algorithm>

namespace clmali::verify::symbolic {

using llvm::ArrayRef;
using llvm::SmallVector;
using llvm::SmallVectorImpl;

static int64_t signedMin(unsigned W) { return signedOf(1ull << (W - 1), W); }
static int64_t signedMax(unsigned W) { return int64_t(maskOf(W) >> 1); }

bool TermStore::sumBounds(const Node &N, ArrayRef<Term> Ops, bool Signed, bool ConstantSigned,
                          __int128 &Low, __int128 &High) const {
  constexpr __int128 Limit = __int128(1) << 100;
  Low = High = ConstantSigned ? __int128(signedOf(N.Imm, N.Width)) : __int128(N.Imm);
  for (size_t I = 0; I < Ops.size(); I += 2) {
    const Node &X = Nodes[Ops[I]];
    __int128 F = signedOf(Nodes[Ops[I + 1]].Imm, N.Width);
    __int128 A = F * (Signed ? __int128(X.SLo) : __int128(X.ULo));
    __int128 B = F * (Signed ? __int128(X.SHi) : __int128(X.UHi));
    // Before they are added: a product alone may need 127 bits.
    if (std::min(A, B) < -Limit || std::max(A, B) > Limit)
      return false;
    Low += std::min(A, B);
    High += std::max(A, B);
    if (Low < -Limit || High > Limit)
      return false;
  }
  return true;
}

void TermStore::setBounds(Node &N, ArrayRef<Term> Ops) const {
  unsigned W = N.Width;
  const int64_t SMin = signedMin(W), SMax = signedMax(W);
  const uint64_t UMax = maskOf(W);
  N.ULo = 0;
  N.UHi = UMax;
  N.SLo = SMin;
  N.SHi = SMax;
  auto setU = [&](uint64_t Low, uint64_t High) {
    N.ULo = std::max(N.ULo, Low);
    N.UHi = std::min(N.UHi, High);
  };
  auto setS = [&](int64_t Low, int64_t High) {
    N.SLo = std::max(N.SLo, Low);
    N.SHi = std::min(N.SHi, High);
  };
  auto op = [&](unsigned I) -> const Node & { return Nodes[Ops[I]]; };

  switch (N.O) {
  case Op::Const:
    setU(N.Imm, N.Imm);
    setS(signedOf(N.Imm, W), signedOf(N.Imm, W));
    return;
  case Op::Var:
    setU(NewVariable.ULo, NewVariable.UHi);
    setS(NewVariable.SLo, NewVariable.SHi);
    break;
  case Op::Sum: {
    __int128 Low = 0, High = 0;
    for (bool ConstantSigned : {true, false}) {
      if (sumBounds(N, Ops, true, ConstantSigned, Low, High) && Low >= SMin && High <= SMax)
        setS(int64_t(Low), int64_t(High));
      if (sumBounds(N, Ops, false, ConstantSigned, Low, High) && Low >= 0 && High <= __int128(UMax))
        setU(uint64_t(Low), uint64_t(High));
    }
    break;
  }
  case Op::Mul: {
    __int128 A = __int128(op(0).SLo) * op(1).SLo, B = __int128(op(0).SLo) * op(1).SHi,
             C = __int128(op(0).SHi) * op(1).SLo, D = __int128(op(0).SHi) * op(1).SHi;
    __int128 Low = std::min(std::min(A, B), std::min(C, D)),
             High = std::max(std::max(A, B), std::max(C, D));
    if (Ops[0] == Ops[1] && Low < 0)
      Low = 0;
    if (Low >= SMin && High <= SMax)
      setS(int64_t(Low), int64_t(High));
    unsigned __int128 UHigh = (unsigned __int128)(op(0).UHi) * op(1).UHi;
    if (UHigh <= UMax)
      setU(op(0).ULo * op(1).ULo, uint64_t(UHigh));
    break;
  }
  case Op::UDiv:
    if (op(1).ULo > 0)
      setU(op(0).ULo / op(1).UHi, op(0).UHi / op(1).ULo);
    break;
  case Op::URem:
    if (op(1).ULo > 0)
      setU(0, std::min(op(0).UHi, op(1).UHi - 1));
    break;
  case Op::SDiv:
    if (op(1).O == Op::Const && op(1).SLo > 0)
      setS(op(0).SLo / op(1).SLo, op(0).SHi / op(1).SLo);
    break;
  case Op::SRem:
    if (op(1).O == Op::Const && op(1).SLo > 0)
      setS(op(0).SLo >= 0 ? 0 : -(op(1).SLo - 1), op(0).SHi <= 0 ? 0 : op(1).SLo - 1);
    break;
  case Op::And:
    setU(0, std::min(op(0).UHi, op(1).UHi));
    break;
  case Op::Or:
  case Op::Xor: {
    uint64_t Top = std::max(op(0).UHi, op(1).UHi);
    unsigned Bits = Top ? 64 - unsigned(__builtin_clzll(Top)) : 0;
    setU(N.O == Op::Or ? std::max(op(0).ULo, op(1).ULo) : 0, maskOf(Bits));
    if (Bits == 0)
      setU(0, 0);
    break;
  }
  case Op::LShr:
    setU(0, op(0).UHi);
    break;
  case Op::AShr:
    setS(std::min<int64_t>(op(0).SLo, 0), std::max<int64_t>(op(0).SHi, 0));
    break;
  case Op::Ite:
    setU(std::min(op(1).ULo, op(2).ULo), std::max(op(1).UHi, op(2).UHi));
    setS(std::min(op(1).SLo, op(2).SLo), std::max(op(1).SHi, op(2).SHi));
    // x < 0 ? -x : x
    if (op(0).O == Op::Slt && Pool[op(0).First] == Ops[2] && isConst(Pool[op(0).First + 1], 0) &&
        op(2).SLo > SMin && isNegation(Ops[1], Ops[2]))
      setS(0, std::max(op(2).SHi, -op(2).SLo));
    break;
  case Op::SMin:
    setS(std::min(op(0).SLo, op(1).SLo), std::min(op(0).SHi, op(1).SHi));
    break;
  case Op::SMax:
    setS(std::max(op(0).SLo, op(1).SLo), std::max(op(0).SHi, op(1).SHi));
    break;
  case Op::UMin:
    setU(std::min(op(0).ULo, op(1).ULo), std::min(op(0).UHi, op(1).UHi));
    break;
  case Op::UMax:
    setU(std::max(op(0).ULo, op(1).ULo), std::max(op(0).UHi, op(1).UHi));
    break;
  case Op::Concat: {
    unsigned Low = op(1).Width;
    setU((op(0).ULo << Low) | op(1).ULo, (op(0).UHi << Low) | op(1).UHi);
    break;
  }
  case Op::Extract:
    if (N.Imm + W == op(0).Width || (op(0).UHi >> N.Imm) <= UMax)
      setU(op(0).ULo >> N.Imm, op(0).UHi >> N.Imm);
    if (N.Imm + W == op(0).Width)
      setS(op(0).SLo >> N.Imm, op(0).SHi >> N.Imm);
    else if (N.Imm == 0 && op(0).SLo >= SMin && op(0).SHi <= SMax)
      setS(op(0).SLo, op(0).SHi);
    break;
  case Op::ZExt:
    setU(op(0).ULo, op(0).UHi);
    break;
  case Op::SExt:
    setS(op(0).SLo, op(0).SHi);
    break;
  case Op::Undef:
  case Op::Shl:
  case Op::Eq:
  case Op::Ult:
  case Op::Slt:
  case Op::Read:
  case Op::Call:
    break;
  }
  // What one reading knows, the other may use.
  if (N.UHi <= uint64_t(SMax))
    setS(int64_t(N.ULo), int64_t(N.UHi));
  if (N.SLo >= 0)
    setU(uint64_t(N.SLo), uint64_t(N.SHi));
  else if (N.SHi < 0)
    setU(uint64_t(N.SLo) & UMax, uint64_t(N.SHi) & UMax);
}

unsigned TermStore::widthFor(Term A, Term B, bool &Signed) const {
  const Node &X = Nodes[A], &Y = Nodes[B];
  Signed = X.SLo < 0 || Y.SLo < 0;
  auto bits = [](uint64_t Value) { return Value ? 64 - unsigned(__builtin_clzll(Value)) : 0; };
  if (!Signed)
    return std::max(1u, bits(std::max(X.UHi, Y.UHi)));
  uint64_t Low = uint64_t(~std::min(X.SLo, Y.SLo));
  uint64_t High = uint64_t(std::max<int64_t>({X.SHi, Y.SHi, 0}));
  return 1 + std::max(bits(Low), bits(High));
}

} // namespace clmali::verify::symbolic
