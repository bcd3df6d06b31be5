// Bounds of terms, as unsigned and as signed numbers. Always sound, seldom exact.

#include "rewriters/verify/symbolic/terms/Terms.h"

#include <algorithm>

namespace clmali::verify::symbolic {

using llvm::ArrayRef;
using llvm::SmallVector;
using llvm::SmallVectorImpl;

bool TermStore::sumBounds(const Node &N, ArrayRef<Term> Ops, bool Signed, bool ConstantSigned,
                          __int128 &Low, __int128 &High) const {
  constexpr __int128 Limit = __int128(1) << 100;
  Low = High = ConstantSigned ? __int128(signedOf(N.Imm, N.Width)) : __int128(N.Imm);
  for (size_t I = 0; I < Ops.size(); I += 2) {
    const Node &X = Nodes[Ops[I]];
    __int128 F = signedOf(Nodes[Ops[I + 1]].Imm, N.Width);
    __int128 A = F * (Signed ? __int128(X.SLo) : __int128(X.ULo));
    __int128 B = F * (Signed ? __int128(X.SHi) : __int128(X.UHi));
    // Checked before they are added: a product alone may need 127 bits.
    if (std::min(A, B) < -Limit || std::max(A, B) > Limit)
      return false;
    Low += std::min(A, B);
    High += std::max(A, B);
    if (Low < -Limit || High > Limit)
      return false;
  }
  return true;
}

/// Narrows the bounds of \p N as an unsigned number.
static void narrowUnsigned(Node &N, uint64_t Low, uint64_t High) {
  N.ULo = std::max(N.ULo, Low);
  N.UHi = std::min(N.UHi, High);
}

/// Narrows the bounds of \p N as a signed number.
static void narrowSigned(Node &N, int64_t Low, int64_t High) {
  N.SLo = std::max(N.SLo, Low);
  N.SHi = std::min(N.SHi, High);
}

void TermStore::boundSum(Node &N, ArrayRef<Term> Ops) const {
  __int128 Low = 0, High = 0;
  for (bool ConstantSigned : {true, false}) {
    if (sumBounds(N, Ops, true, ConstantSigned, Low, High) && Low >= signedMin(N.Width) &&
        High <= signedMax(N.Width))
      narrowSigned(N, int64_t(Low), int64_t(High));
    if (sumBounds(N, Ops, false, ConstantSigned, Low, High) && Low >= 0 &&
        High <= __int128(maskOf(N.Width)))
      narrowUnsigned(N, uint64_t(Low), uint64_t(High));
  }
}

void TermStore::boundProduct(Node &N, ArrayRef<Term> Ops) const {
  const Node &X = Nodes[Ops[0]], &Y = Nodes[Ops[1]];
  __int128 A = __int128(X.SLo) * Y.SLo, B = __int128(X.SLo) * Y.SHi, C = __int128(X.SHi) * Y.SLo,
           D = __int128(X.SHi) * Y.SHi;
  __int128 Low = std::min(std::min(A, B), std::min(C, D)),
           High = std::max(std::max(A, B), std::max(C, D));
  if (Ops[0] == Ops[1] && Low < 0)
    Low = 0; // a square
  if (Low >= signedMin(N.Width) && High <= signedMax(N.Width))
    narrowSigned(N, int64_t(Low), int64_t(High));
  unsigned __int128 UHigh = (unsigned __int128)(X.UHi) * Y.UHi;
  if (UHigh <= maskOf(N.Width))
    narrowUnsigned(N, X.ULo * Y.ULo, uint64_t(UHigh));
}

/// Quotients and remainders. A divisor that may be 0 gives no bounds.
static void boundDivision(Node &N, const Node &X, const Node &Y) {
  bool PositiveConstant = Y.O == Op::Const && Y.SLo > 0;
  switch (N.O) {
  case Op::UDiv:
    if (Y.ULo > 0)
      narrowUnsigned(N, X.ULo / Y.UHi, X.UHi / Y.ULo);
    break;
  case Op::URem:
    if (Y.ULo > 0)
      narrowUnsigned(N, 0, std::min(X.UHi, Y.UHi - 1));
    break;
  case Op::SDiv:
    if (PositiveConstant)
      narrowSigned(N, X.SLo / Y.SLo, X.SHi / Y.SLo);
    break;
  default: // SRem
    if (PositiveConstant)
      narrowSigned(N, X.SLo >= 0 ? 0 : -(Y.SLo - 1), X.SHi <= 0 ? 0 : Y.SLo - 1);
    break;
  }
}

/// Bit operations and shifts to the right.
static void boundBits(Node &N, const Node &X, const Node &Y) {
  switch (N.O) {
  case Op::And:
    narrowUnsigned(N, 0, std::min(X.UHi, Y.UHi));
    break;
  case Op::LShr:
    narrowUnsigned(N, 0, X.UHi);
    break;
  case Op::AShr:
    narrowSigned(N, std::min<int64_t>(X.SLo, 0), std::max<int64_t>(X.SHi, 0));
    break;
  default: { // Or, Xor
    uint64_t Top = std::max(X.UHi, Y.UHi);
    unsigned Bits = Top ? 64 - unsigned(__builtin_clzll(Top)) : 0;
    narrowUnsigned(N, N.O == Op::Or ? std::max(X.ULo, Y.ULo) : 0, maskOf(Bits));
    if (Bits == 0)
      narrowUnsigned(N, 0, 0);
    break;
  }
  }
}

void TermStore::boundChoice(Node &N, ArrayRef<Term> Ops) const {
  const Node &C = Nodes[Ops[0]], &X = Nodes[Ops[1]], &Y = Nodes[Ops[2]];
  narrowUnsigned(N, std::min(X.ULo, Y.ULo), std::max(X.UHi, Y.UHi));
  narrowSigned(N, std::min(X.SLo, Y.SLo), std::max(X.SHi, Y.SHi));
  // x < 0 ? -x : x
  if (C.O == Op::Slt && Pool[C.First] == Ops[2] && isConst(Pool[C.First + 1], 0) &&
      Y.SLo > signedMin(N.Width) && isNegation(Ops[1], Ops[2]))
    narrowSigned(N, 0, std::max(Y.SHi, -Y.SLo));
}

static void boundMinMax(Node &N, const Node &X, const Node &Y) {
  switch (N.O) {
  case Op::SMin:
    narrowSigned(N, std::min(X.SLo, Y.SLo), std::min(X.SHi, Y.SHi));
    break;
  case Op::SMax:
    narrowSigned(N, std::max(X.SLo, Y.SLo), std::max(X.SHi, Y.SHi));
    break;
  case Op::UMin:
    narrowUnsigned(N, std::min(X.ULo, Y.ULo), std::min(X.UHi, Y.UHi));
    break;
  default: // UMax
    narrowUnsigned(N, std::max(X.ULo, Y.ULo), std::max(X.UHi, Y.UHi));
    break;
  }
}

/// The bits from N.Imm of \p X.
static void boundExtract(Node &N, const Node &X) {
  const bool TopBits = N.Imm + N.Width == X.Width;
  if (TopBits || (X.UHi >> N.Imm) <= maskOf(N.Width))
    narrowUnsigned(N, X.ULo >> N.Imm, X.UHi >> N.Imm);
  if (TopBits)
    narrowSigned(N, X.SLo >> N.Imm, X.SHi >> N.Imm);
  else if (N.Imm == 0 && X.SLo >= signedMin(N.Width) && X.SHi <= signedMax(N.Width))
    narrowSigned(N, X.SLo, X.SHi);
}

void TermStore::setBounds(Node &N, ArrayRef<Term> Ops) const {
  const unsigned W = N.Width;
  const uint64_t UMax = maskOf(W);
  N.ULo = 0;
  N.UHi = UMax;
  N.SLo = signedMin(W);
  N.SHi = signedMax(W);
  auto op = [&](unsigned I) -> const Node & { return Nodes[Ops[I]]; };

  switch (N.O) {
  case Op::Const:
    narrowUnsigned(N, N.Imm, N.Imm);
    narrowSigned(N, signedOf(N.Imm, W), signedOf(N.Imm, W));
    return;
  case Op::Var:
    narrowUnsigned(N, NewVariable.ULo, NewVariable.UHi);
    narrowSigned(N, NewVariable.SLo, NewVariable.SHi);
    break;
  case Op::Sum:
    boundSum(N, Ops);
    break;
  case Op::Mul:
    boundProduct(N, Ops);
    break;
  case Op::UDiv:
  case Op::URem:
  case Op::SDiv:
  case Op::SRem:
    boundDivision(N, op(0), op(1));
    break;
  case Op::And:
  case Op::Or:
  case Op::Xor:
  case Op::LShr:
  case Op::AShr:
    boundBits(N, op(0), op(1));
    break;
  case Op::Ite:
    boundChoice(N, Ops);
    break;
  case Op::SMin:
  case Op::SMax:
  case Op::UMin:
  case Op::UMax:
    boundMinMax(N, op(0), op(1));
    break;
  case Op::Concat:
    narrowUnsigned(N, (op(0).ULo << op(1).Width) | op(1).ULo,
                   (op(0).UHi << op(1).Width) | op(1).UHi);
    break;
  case Op::Extract:
    boundExtract(N, op(0));
    break;
  case Op::ZExt:
    narrowUnsigned(N, op(0).ULo, op(0).UHi);
    break;
  case Op::SExt:
    narrowSigned(N, op(0).SLo, op(0).SHi);
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
  // Each pair of bounds narrows the other.
  if (N.UHi <= uint64_t(signedMax(W)))
    narrowSigned(N, int64_t(N.ULo), int64_t(N.UHi));
  if (N.SLo >= 0)
    narrowUnsigned(N, uint64_t(N.SLo), uint64_t(N.SHi));
  else if (N.SHi < 0)
    narrowUnsigned(N, uint64_t(N.SLo) & UMax, uint64_t(N.SHi) & UMax);
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
