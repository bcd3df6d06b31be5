// Building terms: hash-consing, bounds, and the rules that simplify integers.
//
// A rule stands here only if it holds for every value in wrapping arithmetic;
// what is not simplified is left to the solver, so a missing rule costs time,
// never a proof's truth. Operands of flat sums are limited (MaxParts): beyond
// that a sum is kept as it is.

#include "rewriters/verify/SymbolicTerms.h"

#include "llvm/ADT/Hashing.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>
#include <cassert>

namespace clmali::verify::symbolic {

using llvm::ArrayRef;
using llvm::SmallVector;
using llvm::SmallVectorImpl;

/// Sums longer than this are not flattened any further: a reduction over n
/// elements would cost n * n.
static constexpr size_t MaxParts = 96;

static int64_t signedMin(unsigned W) { return signedOf(1ull << (W - 1), W); }
static int64_t signedMax(unsigned W) { return int64_t(maskOf(W) >> 1); }

TermStore::TermStore() {
  Nodes.resize(1);
  Table.assign(1 << 16, 0);
}

static size_t hashNode(Op O, unsigned Width, uint64_t Imm, ArrayRef<Term> Ops) {
  return llvm::hash_combine(unsigned(O), Width, Imm,
                            llvm::hash_combine_range(Ops.begin(), Ops.end()));
}

void TermStore::grow() {
  std::vector<Term> Bigger(Table.size() * 2, 0);
  size_t Mask = Bigger.size() - 1;
  for (Term T : Table) {
    if (!T)
      continue;
    const Node &N = Nodes[T];
    size_t At = hashNode(N.O, N.Width, N.Imm, operands(T)) & Mask;
    while (Bigger[At])
      At = (At + 1) & Mask;
    Bigger[At] = T;
  }
  Table = std::move(Bigger);
}

Term TermStore::make(Op O, unsigned Width, uint64_t Imm, ArrayRef<Term> Ops) {
  assert(Width >= 1 && Width <= 64);
  if (Nodes.size() * 2 > Table.size())
    grow();
  size_t Mask = Table.size() - 1;
  size_t At = hashNode(O, Width, Imm, Ops) & Mask;
  for (; Table[At]; At = (At + 1) & Mask) {
    const Node &N = Nodes[Table[At]];
    if (N.O == O && N.Width == Width && N.Imm == Imm &&
        operands(Table[At]) == Ops)
      return Table[At];
  }
  Node N;
  N.O = O;
  N.Width = uint8_t(Width);
  N.Imm = Imm;
  N.First = uint32_t(Pool.size());
  N.Count = uint32_t(Ops.size());
  N.HasUndef = O == Op::Undef;
  N.HasCall = O == Op::Call;
  if (O == Op::Var)
    N.MinVar = uint32_t(Imm);
  for (Term T : Ops) {
    N.HasUndef |= Nodes[T].HasUndef;
    N.HasCall |= Nodes[T].HasCall;
    N.MinVar = std::min(N.MinVar, Nodes[T].MinVar);
  }
  setBounds(N, Ops);
  Pool.insert(Pool.end(), Ops.begin(), Ops.end());
  Nodes.push_back(N);
  Term T = Term(Nodes.size() - 1);
  Table[At] = T;
  return T;
}

bool TermStore::before(Term A, Term B) const {
  // By address, then by kind: neighbouring work-items get terms of one shape,
  // and one question to the solver answers for all of them.
  const Node &X = Nodes[A], &Y = Nodes[B];
  if (X.MinVar != Y.MinVar)
    return X.MinVar < Y.MinVar;
  if (X.O != Y.O)
    return X.O < Y.O;
  return A < B;
}

bool TermStore::sumBounds(const Node &N, ArrayRef<Term> Ops, bool Signed,
                          bool ConstantSigned, __int128 &Low,
                          __int128 &High) const {
  constexpr __int128 Limit = __int128(1) << 100;
  Low = High = ConstantSigned ? __int128(signedOf(N.Imm, N.Width))
                              : __int128(N.Imm);
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
      if (sumBounds(N, Ops, true, ConstantSigned, Low, High) && Low >= SMin &&
          High <= SMax)
        setS(int64_t(Low), int64_t(High));
      if (sumBounds(N, Ops, false, ConstantSigned, Low, High) && Low >= 0 &&
          High <= __int128(UMax))
        setU(uint64_t(Low), uint64_t(High));
    }
    break;
  }
  case Op::Mul: {
    __int128 A = __int128(op(0).SLo) * op(1).SLo,
             B = __int128(op(0).SLo) * op(1).SHi,
             C = __int128(op(0).SHi) * op(1).SLo,
             D = __int128(op(0).SHi) * op(1).SHi;
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
      setS(op(0).SLo >= 0 ? 0 : -(op(1).SLo - 1),
           op(0).SHi <= 0 ? 0 : op(1).SLo - 1);
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
    if (op(0).O == Op::Slt && Pool[op(0).First] == Ops[2] &&
        isConst(Pool[op(0).First + 1], 0) && op(2).SLo > SMin &&
        isNegation(Ops[1], Ops[2]))
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

bool TermStore::isNegation(Term A, Term B) const {
  const Node &X = Nodes[A], &Y = Nodes[B];
  const uint64_t Mask = maskOf(X.Width);
  if (X.O != Op::Sum)
    return false;
  ArrayRef<Term> P = operands(A), Q = operands(B);
  if (Y.O != Op::Sum)
    return X.Count == 2 && X.Imm == 0 && P[0] == B && isConst(P[1], ~0ull);
  if (X.Count != Y.Count || ((X.Imm + Y.Imm) & Mask) != 0)
    return false;
  for (unsigned I = 0; I < X.Count; I += 2)
    if (P[I] != Q[I] || ((value(P[I + 1]) + value(Q[I + 1])) & Mask) != 0)
      return false;
  return true;
}

unsigned TermStore::widthFor(Term A, Term B, bool &Signed) const {
  const Node &X = Nodes[A], &Y = Nodes[B];
  Signed = X.SLo < 0 || Y.SLo < 0;
  auto bits = [](uint64_t Value) {
    return Value ? 64 - unsigned(__builtin_clzll(Value)) : 0;
  };
  if (!Signed)
    return std::max(1u, bits(std::max(X.UHi, Y.UHi)));
  uint64_t Low = uint64_t(~std::min(X.SLo, Y.SLo));
  uint64_t High = uint64_t(std::max<int64_t>({X.SHi, Y.SHi, 0}));
  return 1 + std::max(bits(Low), bits(High));
}

Term TermStore::constant(unsigned Width, uint64_t Value) {
  return make(Op::Const, Width, Value & maskOf(Width), {});
}

Term TermStore::variable(unsigned Width) {
  return variableBetween(Width, signedMin(Width), signedMax(Width));
}

Term TermStore::variableBetween(unsigned Width, int64_t Low, int64_t High) {
  NewVariable = Node();
  NewVariable.ULo = 0;
  NewVariable.UHi = maskOf(Width);
  NewVariable.SLo = signedMin(Width);
  NewVariable.SHi = signedMax(Width);
  // Bounds outside the signed ones are those of an unsigned type.
  if (High > signedMax(Width)) {
    NewVariable.ULo = uint64_t(std::max<int64_t>(Low, 0));
    NewVariable.UHi = std::min(uint64_t(High), maskOf(Width));
  } else {
    NewVariable.SLo = std::max(Low, NewVariable.SLo);
    NewVariable.SHi = High;
  }
  Term T = make(Op::Var, Width, VariableTerms.size(), {});
  VariableTerms.push_back(T);
  return T;
}

Term TermStore::undef(unsigned Width) { return make(Op::Undef, Width, 0, {}); }

Term TermStore::binary(Op O, Term A, Term B, unsigned Width) {
  Term Ops[] = {A, B};
  return make(O, Width, 0, Ops);
}

Term TermStore::sumOf(unsigned Width, uint64_t K,
                      SmallVectorImpl<std::pair<Term, uint64_t>> &Parts) {
  const uint64_t Mask = maskOf(Width);
  std::sort(Parts.begin(), Parts.end(), [&](const auto &X, const auto &Y) {
    return X.first != Y.first && before(X.first, Y.first);
  });
  SmallVector<Term, 16> Ops;
  for (size_t I = 0; I < Parts.size();) {
    uint64_t Factor = 0;
    size_t J = I;
    for (; J < Parts.size() && Parts[J].first == Parts[I].first; ++J)
      Factor += Parts[J].second;
    if (Factor & Mask) {
      Ops.push_back(Parts[I].first);
      Ops.push_back(constant(Width, Factor));
    }
    I = J;
  }
  K &= Mask;
  if (Ops.empty())
    return constant(Width, K);
  if (K == 0 && Ops.size() == 2 && isConst(Ops[1], 1))
    return Ops[0];
  return make(Op::Sum, Width, K, Ops);
}

Term TermStore::linear(Term A, uint64_t FactorA, Term B, uint64_t FactorB,
                       uint64_t K) {
  unsigned W = width(A);
  if (isUndef(A) || (B && isUndef(B)))
    return undef(W);
  if (W == 1) {
    // Modulo two: only the parity of the factors counts.
    Term R = constant(1, K);
    if (FactorA & 1)
      R = bitXor(R, A);
    if (B && (FactorB & 1))
      R = bitXor(R, B);
    return R;
  }
  SmallVector<std::pair<Term, uint64_t>, 16> Parts;
  auto put = [&](Term T, uint64_t Factor) {
    if (!T)
      return;
    if (isConst(T)) {
      K += Factor * value(T);
      return;
    }
    if (Nodes[T].O == Op::Sum && Nodes[T].Count <= 2 * MaxParts) {
      K += Factor * Nodes[T].Imm;
      ArrayRef<Term> Ops = operands(T);
      for (size_t I = 0; I < Ops.size(); I += 2)
        Parts.push_back({Ops[I], Factor * value(Ops[I + 1])});
      return;
    }
    Parts.push_back({T, Factor});
  };
  put(A, FactorA);
  put(B, FactorB);
  return sumOf(W, K, Parts);
}

Term TermStore::mul(Term A, Term B) {
  unsigned W = width(A);
  if (isUndef(A) || isUndef(B))
    return undef(W);
  if (W == 1)
    return bitAnd(A, B);
  if (isConst(A))
    std::swap(A, B);
  if (isConst(B))
    return linear(A, value(B), 0, 0, 0);
  if (before(B, A))
    std::swap(A, B);
  return binary(Op::Mul, A, B, W);
}

Term TermStore::div(Op O, Term A, Term B) {
  unsigned W = width(A);
  if (isUndef(A) || isUndef(B))
    return undef(W);
  bool Signed = O == Op::SDiv || O == Op::SRem;
  if (Signed && isNonNegative(A) && isNonNegative(B)) {
    O = O == Op::SDiv ? Op::UDiv : Op::URem;
    Signed = false;
  }
  if (isConst(B) && value(B) != 0) {
    uint64_t K = value(B);
    if (isConst(A)) {
      int64_t X = signedOf(value(A), W), Y = signedOf(K, W);
      switch (O) {
      case Op::UDiv:
        return constant(W, value(A) / K);
      case Op::URem:
        return constant(W, value(A) % K);
      case Op::SDiv:
        return constant(W, Y == -1 ? 0 - uint64_t(X) : uint64_t(X / Y));
      default:
        return constant(W, Y == -1 ? 0 : uint64_t(X % Y));
      }
    }
    if (K == 1)
      return O == Op::UDiv || O == Op::SDiv ? A : constant(W, 0);
    if (!Signed && (K & (K - 1)) == 0) {
      unsigned Bits = unsigned(__builtin_ctzll(K));
      if (O == Op::UDiv)
        return shift(Op::LShr, A, constant(W, Bits));
      return bitAnd(A, constant(W, K - 1));
    }
    if (!Signed && Nodes[A].UHi < K)
      return O == Op::UDiv ? constant(W, 0) : A;
    // As narrow as it can be: division is the solver's most costly operation.
    bool HasSign = false;
    unsigned Narrow = widthFor(A, B, HasSign);
    if (!Signed && !HasSign && Narrow < W) {
      Term X = trunc(A, Narrow);
      return extend(div(O, X, trunc(B, Narrow)), W, false);
    }
  }
  return binary(O, A, B, W);
}

Term TermStore::bitAnd(Term A, Term B) {
  unsigned W = width(A);
  if (isConst(A))
    std::swap(A, B);
  if (isConst(B)) {
    uint64_t K = value(B);
    if (K == 0)
      return B;
    if (isUndef(A))
      return A;
    if (isConst(A))
      return constant(W, value(A) & K);
    if (K == maskOf(W))
      return A;
    if ((K & (K + 1)) == 0)
      return extend(trunc(A, 64 - unsigned(__builtin_clzll(K))), W, false);
    if (Nodes[A].O == Op::And && isConst(operands(A)[1]))
      return bitAnd(operands(A)[0], constant(W, K & value(operands(A)[1])));
  }
  if (isUndef(A) || isUndef(B))
    return undef(W);
  if (A == B)
    return A;
  if (W == 1 && bitNot(A) == B)
    return constant(1, 0);
  // All bits or none, as vector comparisons give them.
  for (unsigned Turn = 0; Turn < 2 && W > 1; ++Turn, std::swap(A, B))
    if (Nodes[A].O == Op::SExt && width(operands(A)[0]) == 1)
      return ite(operands(A)[0], B, constant(W, 0));
  if (!isConst(B) && before(B, A))
    std::swap(A, B);
  return binary(Op::And, A, B, W);
}

Term TermStore::bitOr(Term A, Term B) {
  unsigned W = width(A);
  if (isUndef(A) || isUndef(B))
    return undef(W);
  if (isConst(A))
    std::swap(A, B);
  if (isConst(B)) {
    if (isConst(A))
      return constant(W, value(A) | value(B));
    if (value(B) == 0)
      return A;
    if (value(B) == maskOf(W))
      return B;
  }
  if (A == B)
    return A;
  if (W == 1 && bitNot(A) == B)
    return constant(1, 1);
  // (c ? a : 0) | (c ? 0 : b), which a choice between vectors is made of.
  if (Nodes[A].O == Op::Ite && Nodes[B].O == Op::Ite &&
      operands(A)[0] == operands(B)[0]) {
    Term C = operands(A)[0], P = operands(A)[1], Q = operands(A)[2],
         X = operands(B)[1], Y = operands(B)[2];
    if (isConst(Q, 0) && isConst(X, 0))
      return ite(C, P, Y);
    if (isConst(P, 0) && isConst(Y, 0))
      return ite(C, X, Q);
  }
  if (!isConst(B) && before(B, A))
    std::swap(A, B);
  return binary(Op::Or, A, B, W);
}

Term TermStore::bitXor(Term A, Term B) {
  unsigned W = width(A);
  if (isUndef(A) || isUndef(B))
    return undef(W);
  if (isConst(A))
    std::swap(A, B);
  if (isConst(B)) {
    if (isConst(A))
      return constant(W, value(A) ^ value(B));
    if (value(B) == 0)
      return A;
    if (Nodes[A].O == Op::SExt && width(operands(A)[0]) == 1 &&
        value(B) == maskOf(W))
      return extend(bitNot(operands(A)[0]), W, true);
    if (Nodes[A].O == Op::Xor && isConst(operands(A)[1]))
      return bitXor(operands(A)[0],
                    constant(W, value(B) ^ value(operands(A)[1])));
  }
  if (A == B)
    return constant(W, 0);
  if (!isConst(B) && before(B, A))
    std::swap(A, B);
  return binary(Op::Xor, A, B, W);
}

Term TermStore::shift(Op O, Term A, Term Amount) {
  unsigned W = width(A);
  if (isUndef(A) || isUndef(Amount))
    return undef(W);
  if (!isConst(Amount)) {
    if (isConst(A, 0))
      return A;
    return binary(O, A, Amount, W);
  }
  uint64_t N = value(Amount);
  if (N == 0)
    return A;
  switch (O) {
  case Op::Shl:
    return N >= W ? constant(W, 0) : linear(A, 1ull << N, 0, 0, 0);
  case Op::LShr:
    return N >= W ? constant(W, 0)
                  : extend(extract(A, unsigned(N), W - unsigned(N)), W, false);
  default:
    N = std::min<uint64_t>(N, W - 1);
    return extend(extract(A, unsigned(N), W - unsigned(N)), W, true);
  }
}

Term TermStore::ite(Term C, Term A, Term B) {
  unsigned W = width(A);
  if (isConst(C))
    return value(C) ? A : B;
  if (A == B)
    return A;
  if (isUndef(C))
    return undef(W);
  // A condition that is a negation: the other way round.
  if (Nodes[C].O == Op::Xor && isConst(operands(C)[1]))
    return ite(operands(C)[0], B, A);
  if (Nodes[A].O == Op::Ite && operands(A)[0] == C)
    return ite(C, operands(A)[1], B);
  if (Nodes[B].O == Op::Ite && operands(B)[0] == C)
    return ite(C, A, operands(B)[2]);
  if (W == 1 && !isUndef(A) && !isUndef(B)) {
    if (isConst(A))
      return value(A) ? bitOr(C, B) : bitAnd(bitNot(C), B);
    if (isConst(B))
      return value(B) ? bitOr(bitNot(C), A) : bitAnd(C, A);
  }
  if (bool Signed = false; W > 1 && !isUndef(A) && !isUndef(B)) {
    unsigned Narrow = widthFor(A, B, Signed);
    if (Narrow < W) {
      Term X = trunc(A, Narrow);
      return extend(ite(C, X, trunc(B, Narrow)), W, Signed);
    }
  }
  if (Nodes[C].O == Op::Slt || Nodes[C].O == Op::Ult) {
    bool Signed = Nodes[C].O == Op::Slt;
    Term P = operands(C)[0], Q = operands(C)[1];
    if (A == P && B == Q)
      return minMax(Signed ? Op::SMin : Op::UMin, A, B);
    if (A == Q && B == P)
      return minMax(Signed ? Op::SMax : Op::UMax, A, B);
  }
  Term Ops[] = {C, A, B};
  return make(Op::Ite, W, 0, Ops);
}

Term TermStore::minMax(Op O, Term A, Term B) {
  unsigned W = width(A);
  if (isUndef(A) || isUndef(B))
    return undef(W);
  if (A == B)
    return A;
  bool HasSign = false;
  unsigned Narrow = widthFor(A, B, HasSign);
  if (!HasSign)
    O = O == Op::SMin ? Op::UMin : O == Op::SMax ? Op::UMax : O;
  const Node &X = Nodes[A], &Y = Nodes[B];
  bool Signed = O == Op::SMin || O == Op::SMax;
  bool Min = O == Op::SMin || O == Op::UMin;
  if (Signed ? X.SHi <= Y.SLo : X.UHi <= Y.ULo)
    return Min ? A : B;
  if (Signed ? Y.SHi <= X.SLo : Y.UHi <= X.ULo)
    return Min ? B : A;
  // One form for all widths that hold both. (Numbers that may be negative are
  // no large unsigned ones.)
  if (Narrow < W && (Signed || !HasSign)) {
    Term P = trunc(A, Narrow);
    return extend(minMax(O, P, trunc(B, Narrow)), W, HasSign);
  }
  if (isConst(A) || (!isConst(B) && before(B, A)))
    std::swap(A, B);
  return binary(O, A, B, W);
}

Term TermStore::eq(Term A, Term B) {
  if (isUndef(A) || isUndef(B))
    return undef(1);
  if (A == B)
    return boolean(true);
  unsigned W = width(A);
  const Node &X = Nodes[A], &Y = Nodes[B];
  if (X.UHi < Y.ULo || Y.UHi < X.ULo || X.SHi < Y.SLo || Y.SHi < X.SLo)
    return boolean(false);
  if (isConst(A))
    std::swap(A, B);
  if (W == 1) {
    if (isConst(B))
      return value(B) ? A : bitNot(A);
    return bitNot(bitXor(A, B));
  }
  if (isConst(B)) {
    uint64_t K = value(B);
    Node N = Nodes[A];
    if (N.O == Op::ZExt || N.O == Op::SExt) {
      Term Inner = operands(A)[0];
      // The bounds above have shown that K can be reached.
      Term Low = constant(width(Inner), K);
      return value(extend(Low, W, N.O == Op::SExt)) == K ? eq(Inner, Low)
                                                         : boolean(false);
    }
    if (N.O == Op::Sum && N.Count == 2 && isConst(operands(A)[1], 1))
      return eq(operands(A)[0], constant(W, K - N.Imm));
    if (N.O == Op::Sum && N.Count == 2 && isConst(operands(A)[1], ~0ull))
      return eq(operands(A)[0], constant(W, N.Imm - K));
    if (N.O == Op::Ite && isConst(operands(A)[1]) && isConst(operands(A)[2])) {
      Term C = operands(A)[0];
      bool Then = value(operands(A)[1]) == K, Else = value(operands(A)[2]) == K;
      return ite(C, boolean(Then), boolean(Else));
    }
  } else {
    if (X.O == Y.O && (X.O == Op::ZExt || X.O == Op::SExt) &&
        width(operands(A)[0]) == width(operands(B)[0]))
      return eq(operands(A)[0], operands(B)[0]);
    if (X.O == Op::Sum || Y.O == Op::Sum) {
      Term D = sub(A, B);
      if (isConst(D))
        return boolean(value(D) == 0);
    }
    if (before(B, A))
      std::swap(A, B);
  }
  bool Signed = false;
  if (unsigned Narrow = widthFor(A, B, Signed); Narrow < W) {
    Term P = trunc(A, Narrow);
    return eq(P, trunc(B, Narrow));
  }
  return binary(Op::Eq, A, B, 1);
}

Term TermStore::less(Op O, Term A, Term B) {
  if (isUndef(A) || isUndef(B))
    return undef(1);
  if (A == B)
    return boolean(false);
  bool HasSign = false;
  const unsigned W = width(A), Narrow = widthFor(A, B, HasSign);
  if (O == Op::Slt && !HasSign)
    O = Op::Ult;
  if (W == 1)
    return O == Op::Ult ? bitAnd(bitNot(A), B) : bitAnd(A, bitNot(B));
  const Node &X = Nodes[A], &Y = Nodes[B];
  bool Signed = O == Op::Slt;
  if (Signed ? X.SHi < Y.SLo : X.UHi < Y.ULo)
    return boolean(true);
  if (Signed ? X.SLo >= Y.SHi : X.ULo >= Y.UHi)
    return boolean(false);
  for (unsigned Side : {0u, 1u}) {
    Term I = Side ? B : A, Other = Side ? A : B;
    if (Nodes[I].O != Op::Ite || !isConst(Other))
      continue;
    Term C = operands(I)[0], P = operands(I)[1], Q = operands(I)[2];
    if (!isConst(P) || !isConst(Q))
      continue;
    Term Then = Side ? less(O, Other, P) : less(O, P, Other);
    return ite(C, Then, Side ? less(O, Other, Q) : less(O, Q, Other));
  }
  if (Narrow < W && (Signed || !HasSign)) {
    Term P = trunc(A, Narrow);
    return less(O, P, trunc(B, Narrow));
  }
  return binary(O, A, B, 1);
}

Term TermStore::concat(Term High, Term Low) {
  unsigned W = width(High) + width(Low);
  if (isUndef(High) && isUndef(Low))
    return undef(W);
  if (isConst(High) && isConst(Low))
    return constant(W, value(High) << width(Low) | value(Low));
  if (Nodes[High].O == Op::Concat) {
    Term A = operands(High)[0], B = operands(High)[1];
    return concat(A, concat(B, Low));
  }
  // Neighbouring parts of one term are a part of it again.
  auto part = [&](Term T, Term &Whole, unsigned &At) {
    if (Nodes[T].O != Op::Extract)
      return false;
    Whole = operands(T)[0];
    At = unsigned(Nodes[T].Imm);
    return true;
  };
  Term Whole = 0, Whole2 = 0;
  unsigned At = 0, At2 = 0;
  Term Next = Nodes[Low].O == Op::Concat ? operands(Low)[0] : Low;
  bool IsPart = part(Next, Whole2, At2);
  if (!IsPart && !isConst(Next)) {
    // A truncation that was moved inwards is recognised by building it again.
    if (part(High, Whole, At) && At == width(Next) &&
        extract(Whole, 0, width(Next)) == Next) {
      Whole2 = Whole;
      At2 = 0;
      IsPart = true;
    }
  }
  if (IsPart && part(High, Whole, At) && Whole == Whole2 &&
      At == At2 + width(Next)) {
    Term Both = extract(Whole, At2, width(High) + width(Next));
    return Nodes[Low].O == Op::Concat ? concat(Both, operands(Low)[1]) : Both;
  }
  if (Nodes[High].O == Op::Ite && Nodes[Low].O == Op::Ite &&
      operands(High)[0] == operands(Low)[0]) {
    Term C = operands(High)[0], H1 = operands(High)[1], H2 = operands(High)[2],
         L1 = operands(Low)[1], L2 = operands(Low)[2];
    return ite(C, concat(H1, L1), concat(H2, L2));
  }
  if (isConst(High, 0) && !isUndef(Low))
    return extend(Low, W, false);
  return binary(Op::Concat, High, Low, W);
}

Term TermStore::extract(Term A, unsigned Low, unsigned Width) {
  Node N = Nodes[A];
  assert(Low + Width <= N.Width);
  if (Width == N.Width)
    return A;
  switch (N.O) {
  case Op::Undef:
    return undef(Width);
  case Op::Const:
    return constant(Width, N.Imm >> Low);
  case Op::Extract:
    return extract(operands(A)[0], unsigned(N.Imm) + Low, Width);
  case Op::Concat: {
    Term High = operands(A)[0], Tail = operands(A)[1];
    unsigned Split = width(Tail);
    if (Low >= Split)
      return extract(High, Low - Split, Width);
    if (Low + Width <= Split)
      return extract(Tail, Low, Width);
    Term Upper = extract(High, 0, Low + Width - Split);
    return concat(Upper, extract(Tail, Low, Split - Low));
  }
  case Op::ZExt:
  case Op::SExt: {
    Term Inner = operands(A)[0];
    unsigned Split = width(Inner);
    if (Low + Width <= Split)
      return extract(Inner, Low, Width);
    if (Low == 0)
      return extend(Inner, Width, N.O == Op::SExt);
    if (N.O == Op::ZExt)
      return Low >= Split
                 ? constant(Width, 0)
                 : extend(extract(Inner, Low, Split - Low), Width, false);
    break;
  }
  case Op::Sum:
    if (Low == 0 && Width > 1) {
      SmallVector<Term, 32> Ops(operands(A));
      SmallVector<std::pair<Term, uint64_t>, 16> Parts;
      uint64_t K = N.Imm;
      for (size_t I = 0; I < Ops.size(); I += 2) {
        Term T = trunc(Ops[I], Width);
        uint64_t Factor = value(Ops[I + 1]);
        if (isConst(T))
          K += Factor * value(T);
        else if (Nodes[T].O == Op::Sum) {
          K += Factor * Nodes[T].Imm;
          ArrayRef<Term> Inner = operands(T);
          for (size_t J = 0; J < Inner.size(); J += 2)
            Parts.push_back({Inner[J], Factor * value(Inner[J + 1])});
        } else {
          Parts.push_back({T, Factor});
        }
      }
      return sumOf(Width, K, Parts);
    }
    break;
  case Op::Mul:
    if (Low == 0) {
      Term X = operands(A)[0], Y = operands(A)[1];
      X = trunc(X, Width);
      return mul(X, trunc(Y, Width));
    }
    break;
  case Op::And:
  case Op::Or:
  case Op::Xor: {
    Term X = operands(A)[0], Y = operands(A)[1];
    X = extract(X, Low, Width);
    Y = extract(Y, Low, Width);
    return N.O == Op::And  ? bitAnd(X, Y)
           : N.O == Op::Or ? bitOr(X, Y)
                           : bitXor(X, Y);
  }
  case Op::Ite: {
    Term C = operands(A)[0], X = operands(A)[1], Y = operands(A)[2];
    X = extract(X, Low, Width);
    return ite(C, X, extract(Y, Low, Width));
  }
  case Op::SMin:
  case Op::SMax: {
    Term X = operands(A)[0], Y = operands(A)[1];
    auto fits = [&](Term T) {
      return Width > 1 && Nodes[T].SLo >= signedMin(Width) &&
             Nodes[T].SHi <= signedMax(Width);
    };
    if (Low == 0 && fits(X) && fits(Y)) {
      X = trunc(X, Width);
      return minMax(N.O, X, trunc(Y, Width));
    }
    break;
  }
  default:
    break;
  }
  Term Ops[] = {A};
  return make(Op::Extract, Width, Low, Ops);
}

// The extension of an operation that does not wrap is the operation on
// extended operands: 16-bit and 32-bit arithmetic meet in one form.
Term TermStore::pushExtension(Term A, unsigned Width, bool Signed) {
  Node N = Nodes[A];
  unsigned W = N.Width;
  switch (N.O) {
  case Op::Sum: {
    SmallVector<Term, 32> Ops(operands(A));
    for (unsigned Reading = 0; Reading < 4; ++Reading) {
      bool AsSigned = (Reading & 1) == 0, ConstantSigned = (Reading & 2) == 0;
      __int128 Low = 0, High = 0;
      if (!sumBounds(N, Ops, AsSigned, ConstantSigned, Low, High))
        continue;
      // Read back as the extension reads it.
      bool Fits = Signed ? Low >= signedMin(W) && High <= signedMax(W)
                         : Low >= 0 && High <= __int128(maskOf(W));
      if (!Fits)
        continue;
      SmallVector<std::pair<Term, uint64_t>, 16> Parts;
      uint64_t K = ConstantSigned ? uint64_t(signedOf(N.Imm, W)) : N.Imm;
      for (size_t I = 0; I < Ops.size(); I += 2) {
        uint64_t Factor = uint64_t(signedOf(value(Ops[I + 1]), W));
        Term T = extend(Ops[I], Width, AsSigned);
        if (Nodes[T].O == Op::Sum) {
          K += Factor * Nodes[T].Imm;
          ArrayRef<Term> Inner = operands(T);
          for (size_t J = 0; J < Inner.size(); J += 2)
            Parts.push_back({Inner[J], Factor * value(Inner[J + 1])});
        } else {
          Parts.push_back({T, Factor});
        }
      }
      return sumOf(Width, K, Parts);
    }
    return 0;
  }
  case Op::Mul: {
    Term X = operands(A)[0], Y = operands(A)[1];
    __int128 Corner[] = {__int128(Nodes[X].SLo) * Nodes[Y].SLo,
                         __int128(Nodes[X].SLo) * Nodes[Y].SHi,
                         __int128(Nodes[X].SHi) * Nodes[Y].SLo,
                         __int128(Nodes[X].SHi) * Nodes[Y].SHi};
    __int128 Low = *std::min_element(std::begin(Corner), std::end(Corner));
    __int128 High = *std::max_element(std::begin(Corner), std::end(Corner));
    if (Signed ? Low >= signedMin(W) && High <= signedMax(W)
               : Low >= 0 && High <= __int128(maskOf(W))) {
      X = extend(X, Width, true);
      return mul(X, extend(Y, Width, true));
    }
    if (!Signed &&
        (unsigned __int128)(Nodes[X].UHi) * Nodes[Y].UHi <= maskOf(W)) {
      X = extend(X, Width, false);
      return mul(X, extend(Y, Width, false));
    }
    return 0;
  }
  default:
    return 0;
  }
}

Term TermStore::extend(Term A, unsigned Width, bool Signed) {
  Node N = Nodes[A];
  if (Width == N.Width)
    return A;
  if (isUndef(A))
    return undef(Width);
  if (N.O == Op::Const)
    return constant(Width, Signed ? uint64_t(signedOf(N.Imm, N.Width)) : N.Imm);
  if (Signed && N.SLo >= 0)
    Signed = false;
  if (N.O == Op::ZExt)
    return extend(operands(A)[0], Width, false);
  if (N.O == Op::SExt && Signed)
    return extend(operands(A)[0], Width, true);
  if (N.Width > 1)
    if (Term Pushed = pushExtension(A, Width, Signed))
      return Pushed;
  Term Ops[] = {A};
  return make(Signed ? Op::SExt : Op::ZExt, Width, 0, Ops);
}

Term TermStore::resize(Term A, unsigned Width, bool Signed) {
  return Width <= width(A) ? trunc(A, Width) : extend(A, Width, Signed);
}

Term TermStore::read(unsigned Buffer, unsigned Width, Term Offset) {
  Term Ops[] = {Offset};
  return make(Op::Read, Width, Buffer, Ops);
}

unsigned TermStore::function(llvm::StringRef Name) {
  auto [It, New] = Functions.try_emplace(Name, unsigned(FunctionNames.size()));
  if (New)
    FunctionNames.push_back(Name.str());
  return It->second;
}

Term TermStore::call(llvm::StringRef Name, unsigned Width,
                     ArrayRef<Term> Ops) {
  for (Term T : Ops)
    if (isUndef(T))
      return undef(Width);
  return make(Op::Call, Width, function(Name), Ops);
}

Term TermStore::callCommutative(llvm::StringRef Name, unsigned Width,
                                ArrayRef<Term> Ops) {
  SmallVector<Term, 3> Sorted(Ops);
  if (before(Sorted[1], Sorted[0]))
    std::swap(Sorted[0], Sorted[1]);
  return call(Name, Width, Sorted);
}

bool TermStore::offsets(Term Address, uint64_t Size, unsigned Bytes,
                        size_t Limit,
                        SmallVectorImpl<uint64_t> &Offsets) const {
  if (Size < Bytes)
    return false;
  const Node &N = Nodes[Address];
  uint64_t Low = N.ULo, High = std::min<uint64_t>(N.UHi, Size - Bytes);
  // A sum of multiples of a power of two keeps its remainder, wrapping or not.
  uint64_t Step = 1;
  if (N.O == Op::Sum) {
    uint64_t Factors = 0;
    ArrayRef<Term> Ops = operands(Address);
    for (size_t I = 1; I < Ops.size(); I += 2)
      Factors |= value(Ops[I]);
    Step = Factors & -Factors;
    Low += (N.Imm - Low) & (Step - 1);
  }
  if (High < Low || (High - Low) / Step >= Limit)
    return false;
  for (uint64_t At = Low; At <= High; At += Step)
    Offsets.push_back(At);
  return true;
}

std::string TermStore::print(Term T, unsigned Depth) const {
  static const char *const Names[] = {
      "const", "var", "undef", "sum", "mul", "udiv", "sdiv", "urem", "srem",
      "and", "or", "xor", "shl", "lshr", "ashr", "ite", "eq", "ult", "slt",
      "smin", "smax", "umin", "umax", "concat", "extract", "zext", "sext",
      "read", "call"};
  const Node &N = Nodes[T];
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  if (N.O == Op::Const)
    OS << signedOf(N.Imm, N.Width);
  else if (N.O == Op::Var)
    OS << 'v' << N.Imm << ':' << unsigned(N.Width);
  else {
    OS << (N.O == Op::Call ? FunctionNames[N.Imm] : Names[unsigned(N.O)]) << ':'
       << unsigned(N.Width);
    if (N.O == Op::Extract || N.O == Op::Sum || N.O == Op::Read)
      OS << '#' << N.Imm;
    OS << '(';
    bool First = true;
    for (Term Operand : operands(T)) {
      OS << (First ? "" : ", ") << (Depth ? print(Operand, Depth - 1) : "..");
      First = false;
    }
    OS << ')';
  }
  return Text;
}

} // namespace clmali::verify::symbolic
