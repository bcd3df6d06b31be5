// Building terms: hash-consing and the rules that simplify integers (bounds: Bounds.cpp; extensions
// and parts: Widths.cpp; choices and comparisons: Choices.cpp).
//
// Each rule holds for every value in wrapping arithmetic. The solver decides what is not
// simplified, so a missing rule costs time and never makes a proof wrong.

#include "rewriters/verify/symbolic/terms/Terms.h"

#include "llvm/ADT/Hashing.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>
#include <cassert>

namespace clmali::verify::symbolic {

using llvm::ArrayRef;
using llvm::SmallVector;
using llvm::SmallVectorImpl;

/// Longer sums are not flattened: a reduction over n elements would cost n * n.
static constexpr size_t MaxParts = 96;

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
    if (N.O == O && N.Width == Width && N.Imm == Imm && operands(Table[At]) == Ops)
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
  // By address, then by kind: adjacent work-items get terms of one shape, so that one answer of the
  // solver holds for all of them.
  const Node &X = Nodes[A], &Y = Nodes[B];
  if (X.MinVar != Y.MinVar)
    return X.MinVar < Y.MinVar;
  if (X.O != Y.O)
    return X.O < Y.O;
  return A < B;
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

void TermStore::addTo(SumParts &Parts, uint64_t &K, Term T, uint64_t Factor) const {
  if (isConst(T)) {
    K += Factor * value(T);
  } else if (Nodes[T].O == Op::Sum) {
    K += Factor * Nodes[T].Imm;
    ArrayRef<Term> Ops = operands(T);
    for (size_t I = 0; I < Ops.size(); I += 2)
      Parts.push_back({Ops[I], Factor * value(Ops[I + 1])});
  } else {
    Parts.push_back({T, Factor});
  }
}

Term TermStore::sumOf(unsigned Width, uint64_t K, SumParts &Parts) {
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

Term TermStore::linear(Term A, uint64_t FactorA, Term B, uint64_t FactorB, uint64_t K) {
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
  SumParts Parts;
  auto put = [&](Term T, uint64_t Factor) {
    if (T && Nodes[T].O == Op::Sum && Nodes[T].Count > 2 * MaxParts)
      Parts.push_back({T, Factor});
    else if (T)
      addTo(Parts, K, T, Factor);
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
  return ExpandsProducts ? product(A, B) : plainProduct(A, B);
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
    // As narrow as possible: division is the solver's most expensive operation.
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
  // A vector comparison gives all bits or none.
  for (unsigned Side = 0; Side < 2 && W > 1; ++Side, std::swap(A, B))
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
  // (c ? a : 0) | (c ? 0 : b): the usual form of a select between vectors.
  if (Nodes[A].O == Op::Ite && Nodes[B].O == Op::Ite && operands(A)[0] == operands(B)[0]) {
    Term C = operands(A)[0], P = operands(A)[1], Q = operands(A)[2], X = operands(B)[1],
         Y = operands(B)[2];
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
    if (Nodes[A].O == Op::SExt && width(operands(A)[0]) == 1 && value(B) == maskOf(W))
      return extend(bitNot(operands(A)[0]), W, true);
    if (Nodes[A].O == Op::Xor && isConst(operands(A)[1]))
      return bitXor(operands(A)[0], constant(W, value(B) ^ value(operands(A)[1])));
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
    return N >= W ? constant(W, 0) : extend(extract(A, unsigned(N), W - unsigned(N)), W, false);
  default:
    N = std::min<uint64_t>(N, W - 1);
    return extend(extract(A, unsigned(N), W - unsigned(N)), W, true);
  }
}

Term TermStore::read(unsigned Buffer, unsigned Width, Term Offset) {
  Term Ops[] = {Offset};
  return make(Op::Read, Width, Buffer, Ops);
}

unsigned TermStore::function(llvm::StringRef Name) {
  auto [It, New] = Functions.try_emplace(Name, unsigned(FunctionNames.size()));
  if (New)
    FunctionNames.push_back(Name.str());
  Commutes.resize(FunctionNames.size(), false);
  return It->second;
}

Term TermStore::call(llvm::StringRef Name, unsigned Width, ArrayRef<Term> Ops) {
  for (Term T : Ops)
    if (isUndef(T))
      return undef(Width);
  return make(Op::Call, Width, function(Name), Ops);
}

Term TermStore::callCommutative(llvm::StringRef Name, unsigned Width, ArrayRef<Term> Ops) {
  Commutes[function(Name)] = true;
  SmallVector<Term, 3> Sorted(Ops);
  if (before(Sorted[1], Sorted[0]))
    std::swap(Sorted[0], Sorted[1]);
  if (Name == FloatSum)
    for (unsigned Side : {0u, 1u})
      if (isConst(Sorted[Side], 0) && isNeverNegativeZero(Sorted[!Side]))
        return Sorted[!Side];
  return call(Name, Width, Sorted);
}

bool TermStore::offsets(Term Address, uint64_t Size, unsigned Bytes, size_t Limit,
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
      "const", "var",  "undef", "sum",    "mul",     "udiv", "sdiv", "urem", "srem", "and",
      "or",    "xor",  "shl",   "lshr",   "ashr",    "ite",  "eq",   "ult",  "slt",  "smin",
      "smax",  "umin", "umax",  "concat", "extract", "zext", "sext", "read", "call"};
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
