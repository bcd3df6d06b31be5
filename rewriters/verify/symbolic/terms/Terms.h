// Terms: the values of the symbolic executor, in place of numbers.
//
// A term is a bit-vector of 1 to 64 bits: a constant, a variable (an element of
// a buffer, a free argument), or an operation on terms. Terms are hash-consed:
// the same operation on the same operands is the same term, so that equality is
// a comparison of two numbers. Integers are simplified as they are built (sums
// are flat and sorted, extensions and truncations move inwards, min and max are
// recognised, choices and comparisons are as narrow as their values allow);
// every rule holds for all values, in wrapping arithmetic.
//
// Floating-point operations are uninterpreted functions (Op::Call). Only
// operations on the sign, which are exact, are bit operations.
#ifndef CLMALI_REWRITERS_VERIFY_SYMBOLIC_TERMS_TERMS_H
#define CLMALI_REWRITERS_VERIFY_SYMBOLIC_TERMS_TERMS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace clmali::verify::symbolic {

/// Index of a term in its store; 0 is no term.
using Term = uint32_t;

enum class Op : uint8_t {
  Const, ///< Imm
  Var,   ///< Imm: index of the variable
  Undef, ///< not initialised; every operation on it is Undef too
  Sum,   ///< Imm + sum of (term, constant factor) pairs, at least one
  Mul,
  UDiv,
  SDiv,
  URem,
  SRem,
  And,
  Or,
  Xor,
  Shl,
  LShr,
  AShr,
  Ite, ///< condition of one bit, then, else
  Eq,
  Ult,
  Slt,
  SMin,
  SMax,
  UMin,
  UMax,
  Concat,  ///< high, low
  Extract, ///< Imm: lowest bit
  ZExt,
  SExt,
  Read, ///< Imm: buffer; little-endian bytes at an offset of its first contents
  Call  ///< Imm: function
};

struct Node {
  uint64_t Imm = 0;
  /// Bounds of the value, as unsigned and as signed number; always sound.
  uint64_t ULo = 0, UHi = 0;
  int64_t SLo = 0, SHi = 0;
  uint32_t First = 0; ///< of the operands
  uint32_t Count = 0;
  uint32_t MinVar = ~0u; ///< least variable inside: keeps sums in address order
  Op O = Op::Const;
  uint8_t Width = 0;
  bool HasUndef = false;
  bool HasCall = false;
};

inline uint64_t maskOf(unsigned Width) { return Width >= 64 ? ~0ull : (1ull << Width) - 1; }
inline int64_t signedOf(uint64_t Value, unsigned Width) {
  return Width >= 64 ? int64_t(Value) : int64_t(Value << (64 - Width)) >> (64 - Width);
}
inline int64_t signedMin(unsigned Width) { return signedOf(1ull << (Width - 1), Width); }
inline int64_t signedMax(unsigned Width) { return int64_t(maskOf(Width) >> 1); }

/// The function of sums in floating point.
inline constexpr llvm::StringLiteral FloatSum = "fadd";

class TermStore {
public:
  TermStore();

  const Node &node(Term T) const { return Nodes[T]; }
  llvm::ArrayRef<Term> operands(Term T) const {
    return llvm::ArrayRef<Term>(Pool).slice(Nodes[T].First, Nodes[T].Count);
  }
  size_t size() const { return Nodes.size(); }
  unsigned width(Term T) const { return Nodes[T].Width; }
  bool isConst(Term T) const { return Nodes[T].O == Op::Const; }
  bool isConst(Term T, uint64_t Value) const {
    return isConst(T) && Nodes[T].Imm == (Value & maskOf(width(T)));
  }
  uint64_t value(Term T) const { return Nodes[T].Imm; }
  bool isUndef(Term T) const { return Nodes[T].O == Op::Undef; }
  bool isNonNegative(Term T) const { return Nodes[T].SLo >= 0; }

  Term constant(unsigned Width, uint64_t Value);
  Term boolean(bool Value) { return constant(1, Value); }
  /// A new variable; its bounds are signed ones where \p Signed.
  Term variable(unsigned Width);
  Term variableBetween(unsigned Width, int64_t Low, int64_t High);
  unsigned variables() const { return unsigned(VariableTerms.size()); }
  Term variableTerm(unsigned Index) const { return VariableTerms[Index]; }
  Term undef(unsigned Width);

  Term add(Term A, Term B) { return linear(A, 1, B, 1, 0); }
  Term sub(Term A, Term B) { return linear(A, 1, B, ~0ull, 0); }
  Term neg(Term A) { return linear(A, ~0ull, 0, 0, 0); }
  Term addConst(Term A, uint64_t K) { return linear(A, 1, 0, 0, K); }
  Term mul(Term A, Term B);
  /// LLVM's udiv, sdiv, urem, srem; by zero: some fixed value.
  Term div(Op O, Term A, Term B);
  Term bitAnd(Term A, Term B);
  Term bitOr(Term A, Term B);
  Term bitXor(Term A, Term B);
  Term bitNot(Term A) { return bitXor(A, constant(width(A), ~0ull)); }
  /// Shl, LShr, AShr; all bits shifted out where the amount is too large.
  Term shift(Op O, Term A, Term Amount);
  Term ite(Term C, Term A, Term B);
  Term eq(Term A, Term B);
  Term ult(Term A, Term B) { return less(Op::Ult, A, B); }
  Term slt(Term A, Term B) { return less(Op::Slt, A, B); }
  Term minMax(Op O, Term A, Term B);
  Term concat(Term High, Term Low);
  Term extract(Term A, unsigned Low, unsigned Width);
  Term trunc(Term A, unsigned Width) { return extract(A, 0, Width); }
  Term extend(Term A, unsigned Width, bool Signed);
  /// To \p Width, by truncation or extension.
  Term resize(Term A, unsigned Width, bool Signed);
  Term read(unsigned Buffer, unsigned Width, Term Offset);

  /// The function of that name, made on first use.
  unsigned function(llvm::StringRef Name);
  bool commutes(unsigned F) const { return Commutes[F]; }
  llvm::StringRef functionName(unsigned F) const { return FunctionNames[F]; }
  /// A function applied: same name, width and operands, same value.
  Term call(llvm::StringRef Name, unsigned Width, llvm::ArrayRef<Term> Ops);
  /// The same, where the order of the first two operands does not matter.
  Term callCommutative(llvm::StringRef Name, unsigned Width, llvm::ArrayRef<Term> Ops);
  /// \p Root with each term of \p Map replaced, built again with all simplifications.
  Term substitute(Term Root, const llvm::DenseMap<Term, Term> &Map);

  /// From now on products of sums become sums of products, so that equal polynomials are one term.
  void expandProducts() { ExpandsProducts = true; }

  /// The offsets that \p Address can have in an object of \p Size bytes for an
  /// access of \p Bytes inside it; false where they are more than \p Limit.
  bool offsets(Term Address, uint64_t Size, unsigned Bytes, size_t Limit,
               llvm::SmallVectorImpl<uint64_t> &Offsets) const;

  /// A short text for messages.
  std::string print(Term T, unsigned Depth = 4) const;

private:
  Term make(Op O, unsigned Width, uint64_t Imm, llvm::ArrayRef<Term> Ops);
  Term binary(Op O, Term A, Term B, unsigned Width);
  Term less(Op O, Term A, Term B);
  /// Factor * A + FactorB * B + K, flat. B may be 0 (none).
  Term linear(Term A, uint64_t FactorA, Term B, uint64_t FactorB, uint64_t K);
  using SumParts = llvm::SmallVector<std::pair<Term, uint64_t>, 16>;
  /// Adds Factor * T to the parts of a sum and its constant \p K; a sum is added part by part.
  void addTo(SumParts &Parts, uint64_t &K, Term T, uint64_t Factor) const;
  /// The sum of \p Parts and \p K, sorted, equal terms joined.
  Term sumOf(unsigned Width, uint64_t K, SumParts &Parts);
  bool before(Term A, Term B) const;
  void setBounds(Node &N, llvm::ArrayRef<Term> Ops) const;
  void boundSum(Node &N, llvm::ArrayRef<Term> Ops) const;
  void boundProduct(Node &N, llvm::ArrayRef<Term> Ops) const;
  void boundChoice(Node &N, llvm::ArrayRef<Term> Ops) const;
  /// Exact bounds of a sum in unlimited arithmetic, its operands read as signed
  /// or unsigned numbers; false where they leave 64 bits.
  bool sumBounds(const Node &N, llvm::ArrayRef<Term> Ops, bool Signed, bool ConstantSigned,
                 __int128 &Low, __int128 &High) const;
  /// The least width that holds both values, and whether as signed numbers.
  unsigned widthFor(Term A, Term B, bool &Signed) const;
  bool isNegation(Term A, Term B) const;
  /// True if \p T, a number in floating point, is never -0, whatever the values of functions are.
  bool isNeverNegativeZero(Term T);
  /// C ? S + X : S as S + (C ? X : 0), and the opposite, so that a sum under a condition and a sum
  /// with a chosen value are one term; no term where \p A and \p B are no such sums.
  Term choiceOfSum(Term C, Term A, Term B);
  /// The operation of \p A on extended operands, if it does not wrap; else no term.
  Term pushExtension(Term A, unsigned Width, bool Signed);
  Term extendSum(Term A, unsigned Width, bool Signed);
  Term extendProduct(Term A, unsigned Width, bool Signed);
  Term extractNew(Term A, unsigned Low, unsigned Width);
  Term extractFromConcat(Term A, unsigned Low, unsigned Width);
  /// No term where nothing can be simplified.
  Term extractFromExtension(Term A, unsigned Low, unsigned Width);
  Term truncateSum(Term A, unsigned Width);
  /// The bits of a sum from \p Low on, if its variable part is a multiple of 2^Low; else no term.
  /// The part of a sum's constant below the lowest bit of its factors.
  uint64_t lowConstant(Term Sum) const;
  Term highPartOfSum(Term A, unsigned Low, unsigned Width);
  /// A sum of products for the product of a sum and a term; no term where it would be long.
  Term expandedProduct(Term Sum, Term B);
  Term product(Term A, Term B);
  /// X - X % B, if \p A is X / B; else no term.
  Term wholePart(Term A, Term B);
  Term plainProduct(Term A, Term B);
  /// True if both are sums that cannot wrap, with the same variable part; \p Difference is B - A.
  bool exactDifference(Term A, Term B, bool Signed, int64_t &Difference);
  /// \p X with other operands.
  Term rebuilt(Term X, llvm::ArrayRef<Term> Ops);
  void grow();

  std::vector<Node> Nodes;
  std::vector<Term> Pool;
  std::vector<Term> Table; // open addressing; 0 is free
  std::vector<Term> VariableTerms;
  /// Results of extract(): term, lowest bit and width.
  llvm::DenseMap<std::pair<Term, uint16_t>, Term> Extracts;
  llvm::StringMap<unsigned> Functions;
  std::vector<std::string> FunctionNames;
  std::vector<bool> Commutes;                   ///< by function: the first two operands
  llvm::DenseMap<Term, bool> NeverNegativeZero; ///< results of isNeverNegativeZero()
  bool ExpandsProducts = false;
  Node NewVariable; // bounds of the variable under construction
};

} // namespace clmali::verify::symbolic

#endif
