// The rules that simplify terms, compared with arithmetic on numbers: for random terms and random
// inputs the simplified term must have the value of its operations, within its bounds.
#include "rewriters/verify/symbolic/Solver.h"

#include <gtest/gtest.h>

#include <chrono>
#include <random>

using namespace clmali::verify;
using namespace clmali::verify::symbolic;

namespace {

/// The same operation on numbers.
struct Model {
  static uint64_t divide(Op O, uint64_t A, uint64_t B, unsigned W) {
    int64_t X = signedOf(A, W), Y = signedOf(B, W);
    if (B == 0)
      return 0; // not used
    switch (O) {
    case Op::UDiv:
      return A / B;
    case Op::URem:
      return A % B;
    case Op::SDiv:
      return Y == -1 ? 0 - A : uint64_t(X / Y);
    default:
      return Y == -1 ? 0 : uint64_t(X % Y);
    }
  }
  static uint64_t shift(Op O, uint64_t A, uint64_t N, unsigned W) {
    if (O == Op::Shl)
      return N >= W ? 0 : A << N;
    if (O == Op::LShr)
      return N >= W ? 0 : A >> N;
    return uint64_t(signedOf(A, W) >> (N >= W ? W - 1 : N));
  }
};

class RandomTerms : public testing::TestWithParam<unsigned> {
protected:
  using Values = std::vector<uint64_t>; // one for each assignment
  static constexpr unsigned Samples = 24;

  TermStore T;
  std::mt19937_64 Random{GetParam() * 7919u + 1};
  std::vector<Assignment> Inputs{Samples};
  std::vector<std::pair<Term, Values>> Pool;

  uint64_t below(uint64_t N) { return Random() % N; }

  unsigned anyWidth() {
    static const unsigned Widths[] = {1, 8, 8, 16, 16, 32, 32, 64, 7, 24};
    return Widths[below(10)];
  }

  void addVariable(unsigned Width) {
    int64_t Low = signedOf(1ull << (Width - 1), Width), High = int64_t(maskOf(Width) >> 1);
    if (below(2) && Width > 1) {
      // A narrow one, sometimes of an unsigned type.
      High = int64_t(below(std::min<uint64_t>(maskOf(Width), 1u << 20)));
      Low = below(2) ? 0 : -int64_t(below(uint64_t(High) + 1)) / 2;
      Low = std::max(Low, signedOf(1ull << (Width - 1), Width));
    }
    Term X = T.variableBetween(Width, Low, High);
    const Node &N = T.node(X);
    Values V;
    for (Assignment &A : Inputs) {
      uint64_t Value = 0;
      do {
        switch (below(6)) {
        case 0:
          Value = uint64_t(N.SLo);
          break;
        case 1:
          Value = uint64_t(N.SHi);
          break;
        case 2:
          Value = N.ULo + below(4);
          break;
        default:
          Value = uint64_t(N.SLo) +
                  (N.SHi - N.SLo == -1 ? Random() : below(uint64_t(N.SHi - N.SLo) + 1));
          break;
        }
        Value &= maskOf(Width);
      } while (Value < N.ULo || Value > N.UHi || signedOf(Value, Width) < N.SLo ||
               signedOf(Value, Width) > N.SHi);
      A.push_back(Value);
      V.push_back(Value);
    }
    Pool.push_back({X, V});
  }

  std::pair<Term, Values> any() { return Pool[below(Pool.size())]; }

  std::pair<Term, Values> anyOf(unsigned Width) {
    for (unsigned I = 0; I < 8; ++I) {
      auto X = any();
      if (T.width(X.first) == Width)
        return X;
    }
    if (below(3) == 0) {
      static const uint64_t Constants[] = {0, 1, 2, 3, 255, 256, ~0ull, 127};
      uint64_t C = (below(2) ? Constants[below(8)] : Random()) & maskOf(Width);
      return {T.constant(Width, C), Values(Samples, C)};
    }
    auto X = any();
    bool Signed = below(2);
    return resized(X, Width, Signed);
  }

  std::pair<Term, Values> resized(const std::pair<Term, Values> &X, unsigned Width, bool Signed) {
    unsigned From = T.width(X.first);
    Values V;
    for (uint64_t A : X.second)
      V.push_back((Signed ? uint64_t(signedOf(A, From)) : A) & maskOf(Width));
    return {T.resize(X.first, Width, Signed), V};
  }

  using Operand = std::pair<Term, Values>;

  /// A term, and its values by \p F from those of the operands.
  template <typename Function>
  Operand result(Term R, const Operand &A, const Operand &B, Function F) const {
    Values V(Samples);
    for (unsigned I = 0; I < Samples; ++I)
      V[I] = F(A.second[I], B.second[I], I);
    return {R, V};
  }

  Operand arithmetic(unsigned Kind, unsigned W, const Operand &A, const Operand &B) {
    switch (Kind) {
    case 0:
      return result(T.add(A.first, B.first), A, B,
                    [](uint64_t X, uint64_t Y, unsigned) { return X + Y; });
    case 1:
      return result(T.sub(A.first, B.first), A, B,
                    [](uint64_t X, uint64_t Y, unsigned) { return X - Y; });
    case 2:
      return result(T.mul(A.first, B.first), A, B,
                    [](uint64_t X, uint64_t Y, unsigned) { return X * Y; });
    case 3: {
      uint64_t C = below(2) ? 1 + below(20) : Random();
      return result(T.mul(A.first, T.constant(W, C)), A, B,
                    [&](uint64_t X, uint64_t, unsigned) { return X * C; });
    }
    default: {
      uint64_t C = (below(2) ? 1ull << below(W) : Random()) & maskOf(W);
      if (C == 0)
        return {};
      Op O = Op(unsigned(Op::UDiv) + below(4));
      return result(T.div(O, A.first, T.constant(W, C)), A, B,
                    [&](uint64_t X, uint64_t, unsigned) { return Model::divide(O, X, C, W); });
    }
    }
  }

  Operand bits(unsigned Kind, unsigned W, const Operand &A, const Operand &B) {
    switch (Kind) {
    case 5:
      return result(T.bitAnd(A.first, B.first), A, B,
                    [](uint64_t X, uint64_t Y, unsigned) { return X & Y; });
    case 6:
      return result(T.bitOr(A.first, B.first), A, B,
                    [](uint64_t X, uint64_t Y, unsigned) { return X | Y; });
    case 7:
      return result(T.bitXor(A.first, B.first), A, B,
                    [](uint64_t X, uint64_t Y, unsigned) { return X ^ Y; });
    default: {
      Op O = Op(unsigned(Op::Shl) + below(3));
      Term N = below(2) ? T.constant(W, below(W)) : B.first;
      uint64_t C = T.isConst(N) ? T.value(N) : 0;
      return result(T.shift(O, A.first, N), A, B, [&](uint64_t X, uint64_t Y, unsigned) {
        return Model::shift(O, X, T.isConst(N) ? C : Y, W);
      });
    }
    }
  }

  Operand choices(unsigned Kind, unsigned W, const Operand &A, const Operand &B) {
    switch (Kind) {
    case 9: {
      Operand C = anyOf(1);
      return result(T.ite(C.first, A.first, B.first), A, B,
                    [&](uint64_t X, uint64_t Y, unsigned I) { return C.second[I] ? X : Y; });
    }
    case 10:
      return result(T.eq(A.first, B.first), A, B,
                    [](uint64_t X, uint64_t Y, unsigned) { return uint64_t(X == Y); });
    case 11:
      return result(T.ult(A.first, B.first), A, B,
                    [](uint64_t X, uint64_t Y, unsigned) { return uint64_t(X < Y); });
    case 12:
      return result(T.slt(A.first, B.first), A, B, [&](uint64_t X, uint64_t Y, unsigned) {
        return uint64_t(signedOf(X, W) < signedOf(Y, W));
      });
    default: {
      Op O = Op(unsigned(Op::SMin) + below(4));
      return result(T.minMax(O, A.first, B.first), A, B, [&](uint64_t X, uint64_t Y, unsigned) {
        bool Less = O == Op::SMin || O == Op::SMax ? signedOf(X, W) < signedOf(Y, W) : X < Y;
        return (O == Op::SMin || O == Op::UMin) == Less ? X : Y;
      });
    }
    }
  }

  Operand widths(unsigned Kind, unsigned W, const Operand &A, const Operand &B) {
    switch (Kind) {
    case 14:
      if (W > 32)
        return {};
      return result(T.concat(A.first, B.first), A, B,
                    [&](uint64_t X, uint64_t Y, unsigned) { return X << W | Y; });
    case 15: {
      unsigned Low = unsigned(below(W)), N = 1 + unsigned(below(W - Low));
      return result(T.extract(A.first, Low, N), A, B,
                    [&](uint64_t X, uint64_t, unsigned) { return X >> Low; });
    }
    default:
      return resized(any(), W, below(2));
    }
  }

  /// Adds a random operation on terms of the pool.
  void grow() {
    unsigned W = anyWidth();
    Operand A = anyOf(W), B = anyOf(W);
    unsigned Kind = unsigned(below(17));
    Operand New = Kind < 5    ? arithmetic(Kind, W, A, B)
                  : Kind < 9  ? bits(Kind, W, A, B)
                  : Kind < 14 ? choices(Kind, W, A, B)
                              : widths(Kind, W, A, B);
    if (!New.first)
      return;
    for (uint64_t &X : New.second)
      X &= maskOf(T.width(New.first));
    Pool.push_back(std::move(New));
  }
};

TEST_P(RandomTerms, HaveTheValuesOfTheirOperations) {
  for (unsigned I = 0; I < 12; ++I)
    addVariable(anyWidth());
  for (unsigned I = 0; I < 600; ++I)
    grow();
  std::vector<Term> Roots;
  for (auto &[X, V] : Pool)
    Roots.push_back(X);
  Evaluator E(T, {}, Roots);
  for (unsigned I = 0; I < Samples; ++I) {
    E.run(Inputs[I]);
    for (auto &[X, V] : Pool) {
      const Node &N = T.node(X);
      ASSERT_EQ(E.value(X), V[I]) << T.print(X);
      ASSERT_LE(N.ULo, V[I]) << T.print(X);
      ASSERT_GE(N.UHi, V[I]) << T.print(X);
      ASSERT_LE(N.SLo, signedOf(V[I], N.Width)) << T.print(X);
      ASSERT_GE(N.SHi, signedOf(V[I], N.Width)) << T.print(X);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomTerms, testing::Range(0u, 60u));

// The translation to Z3 must agree with the evaluator: for random terms and fixed inputs, the
// computed value must be possible and any other value impossible.
class SolvedTerms : public RandomTerms {};
INSTANTIATE_TEST_SUITE_P(Seeds, SolvedTerms, testing::Range(0u, 12u));

TEST_P(SolvedTerms, MeanTheSameToTheSolver) {
  for (unsigned I = 0; I < 6; ++I)
    addVariable(anyWidth());
  for (unsigned I = 0; I < 60; ++I)
    grow();
  SymbolicLimits Limits;
  Limits.SolverSeconds = 2;
  Solver S(T, {}, std::vector<bool>(T.variables(), false), Limits,
           std::chrono::steady_clock::now() + std::chrono::seconds(20));
  // The inputs of one sample.
  Term Fixed = T.boolean(true);
  for (unsigned V = 0; V < T.variables(); ++V) {
    Term X = T.variableTerm(V);
    Fixed = T.bitAnd(Fixed, T.eq(X, T.constant(T.width(X), Inputs[0][V])));
  }
  for (unsigned I = 40; I < Pool.size(); ++I) {
    auto &[X, V] = Pool[I];
    Term Is = T.eq(X, T.constant(T.width(X), V[0]));
    Assignment Example;
    EXPECT_NE(S.ask(T.bitAnd(Fixed, T.bitNot(Is)), Example), Answer::Possible) << T.print(X);
    EXPECT_NE(S.ask(T.bitAnd(Fixed, Is), Example), Answer::Impossible) << T.print(X);
  }
}

} // namespace
