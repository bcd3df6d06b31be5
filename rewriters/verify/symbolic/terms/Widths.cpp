// Terms of other widths: concatenation, extraction, extension. An extraction from a concatenation
// or an extension gives the operand itself.

#include "rewriters/verify/symbolic/terms/Terms.h"

#include <algorithm>
#include <cassert>
#include <iterator>

namespace clmali::verify::symbolic {

using llvm::ArrayRef;
using llvm::SmallVector;
using llvm::SmallVectorImpl;

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
  // Adjacent parts of one term are a part of it.
  auto part = [&](Term T, Term &Whole, unsigned &At) {
    if (Nodes[T].O != Op::Extract)
      return false;
    Whole = operands(T)[0];
    At = unsigned(Nodes[T].Imm);
    return true;
  };
  Term Whole = 0, LowWhole = 0;
  unsigned At = 0, LowAt = 0;
  Term Next = Nodes[Low].O == Op::Concat ? operands(Low)[0] : Low;
  bool IsPart = part(Next, LowWhole, LowAt);
  if (!IsPart && !isConst(Next)) {
    // A truncation that was moved inwards has another form: build it again and compare.
    if (part(High, Whole, At) && At == width(Next) && extract(Whole, 0, width(Next)) == Next) {
      LowWhole = Whole;
      LowAt = 0;
      IsPart = true;
    }
  }
  if (IsPart && part(High, Whole, At) && Whole == LowWhole && At == LowAt + width(Next)) {
    Term Both = extract(Whole, LowAt, width(High) + width(Next));
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

Term TermStore::extractFromConcat(Term A, unsigned Low, unsigned Width) {
  Term High = operands(A)[0], Tail = operands(A)[1];
  unsigned Split = width(Tail);
  if (Low >= Split)
    return extract(High, Low - Split, Width);
  if (Low + Width <= Split)
    return extract(Tail, Low, Width);
  Term Upper = extract(High, 0, Low + Width - Split);
  return concat(Upper, extract(Tail, Low, Split - Low));
}

Term TermStore::extractFromExtension(Term A, unsigned Low, unsigned Width) {
  bool Signed = Nodes[A].O == Op::SExt;
  Term Inner = operands(A)[0];
  unsigned Split = width(Inner);
  if (Low + Width <= Split)
    return extract(Inner, Low, Width);
  if (Low == 0)
    return extend(Inner, Width, Signed);
  if (Low >= Split) // copies of the sign, or of 0
    return Signed ? extend(extract(Inner, Split - 1, 1), Width, true) : constant(Width, 0);
  return extend(extract(Inner, Low, Split - Low), Width, Signed);
}

Term TermStore::truncateSum(Term A, unsigned Width) {
  SmallVector<Term, 32> Ops(operands(A)); // the pool grows
  SumParts Parts;
  uint64_t K = Nodes[A].Imm;
  for (size_t I = 0; I < Ops.size(); I += 2)
    addTo(Parts, K, trunc(Ops[I], Width), value(Ops[I + 1]));
  return sumOf(Width, K, Parts);
}

uint64_t TermStore::lowConstant(Term Sum) const {
  uint64_t Factors = 0;
  ArrayRef<Term> Ops = operands(Sum);
  for (size_t I = 1; I < Ops.size(); I += 2)
    Factors |= value(Ops[I]);
  const uint64_t Step = Factors & -Factors;
  return Step ? Nodes[Sum].Imm & (Step - 1) : 0;
}

Term TermStore::highPartOfSum(Term A, unsigned Low, unsigned Width) {
  SmallVector<Term, 32> Ops(operands(A)); // the pool grows
  const uint64_t Constant = Nodes[A].Imm;
  const unsigned Whole = Nodes[A].Width;
  // The part of the constant below all factors changes no bit above it.
  if (uint64_t Below = lowConstant(A); Below && Below <= maskOf(Low))
    return extract(addConst(A, 0 - Below), Low, Width);
  for (size_t I = 1; I < Ops.size(); I += 2)
    if (value(Ops[I]) & maskOf(Low))
      return 0;
  if (Whole - Low < 2)
    return 0;
  // The low bits are those of the constant, so nothing is carried out of them.
  SumParts Parts;
  uint64_t K = Constant >> Low;
  for (size_t I = 0; I < Ops.size(); I += 2)
    addTo(Parts, K, trunc(Ops[I], Whole - Low), value(Ops[I + 1]) >> Low);
  return extract(sumOf(Whole - Low, K, Parts), 0, Width);
}

Term TermStore::extract(Term A, unsigned Low, unsigned Width) {
  assert(Low + Width <= Nodes[A].Width);
  if (Width == Nodes[A].Width)
    return A;
  // Choices share their operands: without this the work grows with the number of paths.
  const std::pair<Term, uint16_t> Key{A, uint16_t(Low << 8 | Width)};
  if (auto It = Extracts.find(Key); It != Extracts.end())
    return It->second;
  Term Result = extractNew(A, Low, Width);
  Extracts[Key] = Result;
  return Result;
}

Term TermStore::extractNew(Term A, unsigned Low, unsigned Width) {
  Node N = Nodes[A];
  switch (N.O) {
  case Op::Undef:
    return undef(Width);
  case Op::Const:
    return constant(Width, N.Imm >> Low);
  case Op::Extract:
    return extract(operands(A)[0], unsigned(N.Imm) + Low, Width);
  case Op::Concat:
    return extractFromConcat(A, Low, Width);
  case Op::ZExt:
  case Op::SExt:
    return extractFromExtension(A, Low, Width);
  case Op::Sum:
    if (Low == 0 && Width > 1)
      return truncateSum(A, Width);
    if (Term Part = Low > 0 ? highPartOfSum(A, Low, Width) : 0)
      return Part;
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
    return N.O == Op::And ? bitAnd(X, Y) : N.O == Op::Or ? bitOr(X, Y) : bitXor(X, Y);
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
      return Width > 1 && Nodes[T].SLo >= signedMin(Width) && Nodes[T].SHi <= signedMax(Width);
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

Term TermStore::extendSum(Term A, unsigned Width, bool Signed) {
  const Node N = Nodes[A];
  const unsigned W = N.Width;
  SmallVector<Term, 32> Ops(operands(A)); // the pool grows
  for (unsigned Reading = 0; Reading < 4; ++Reading) {
    bool AsSigned = (Reading & 1) == 0, ConstantSigned = (Reading & 2) == 0;
    __int128 Low = 0, High = 0;
    if (!sumBounds(N, Ops, AsSigned, ConstantSigned, Low, High))
      continue;
    // The exact sum must lie in the range from which the extension reads.
    bool Fits = Signed ? Low >= signedMin(W) && High <= signedMax(W)
                       : Low >= 0 && High <= __int128(maskOf(W));
    if (!Fits)
      continue;
    SumParts Parts;
    uint64_t K = ConstantSigned ? uint64_t(signedOf(N.Imm, W)) : N.Imm;
    for (size_t I = 0; I < Ops.size(); I += 2)
      addTo(Parts, K, extend(Ops[I], Width, AsSigned), uint64_t(signedOf(value(Ops[I + 1]), W)));
    return sumOf(Width, K, Parts);
  }
  return 0;
}

Term TermStore::extendProduct(Term A, unsigned Width, bool Signed) {
  const unsigned W = Nodes[A].Width;
  Term X = operands(A)[0], Y = operands(A)[1];
  __int128 Corner[] = {__int128(Nodes[X].SLo) * Nodes[Y].SLo, __int128(Nodes[X].SLo) * Nodes[Y].SHi,
                       __int128(Nodes[X].SHi) * Nodes[Y].SLo,
                       __int128(Nodes[X].SHi) * Nodes[Y].SHi};
  __int128 Low = *std::min_element(std::begin(Corner), std::end(Corner));
  __int128 High = *std::max_element(std::begin(Corner), std::end(Corner));
  if (Signed ? Low >= signedMin(W) && High <= signedMax(W)
             : Low >= 0 && High <= __int128(maskOf(W))) {
    X = extend(X, Width, true);
    return mul(X, extend(Y, Width, true));
  }
  if (!Signed && (unsigned __int128)(Nodes[X].UHi) * Nodes[Y].UHi <= maskOf(W)) {
    X = extend(X, Width, false);
    return mul(X, extend(Y, Width, false));
  }
  return 0;
}

// So 16-bit and 32-bit arithmetic get one form.
Term TermStore::pushExtension(Term A, unsigned Width, bool Signed) {
  switch (Nodes[A].O) {
  case Op::Sum:
    if (Term Sum = extendSum(A, Width, Signed))
      return Sum;
    // The part of the constant below all factors is added without a carry.
    if (uint64_t Below = lowConstant(A); Below && Below <= maskOf(Nodes[A].Width - 1))
      return addConst(extend(addConst(A, 0 - Below), Width, Signed), Below);
    return 0;
  case Op::Mul:
    return extendProduct(A, Width, Signed);
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
  // The lowest bits of a number that fits into them are that number.
  if (N.O == Op::Extract && N.Imm == 0) {
    Term Inner = operands(A)[0];
    const Node &I = Nodes[Inner];
    if (Signed ? I.SLo >= signedMin(N.Width) && I.SHi <= signedMax(N.Width)
               : I.UHi <= maskOf(N.Width))
      return resize(Inner, Width, Signed);
  }
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

} // namespace clmali::verify::symbolic
