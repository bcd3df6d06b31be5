//===-- checks/model/ir/Poly.cpp - Integer polynomials over symbols ----------===//
//
// What it does: sums and products of polynomials, the coefficient of a symbol, substitution.
//
// Limits: coefficients are 64 bits wide. A coefficient that would overflow saturates, so it cannot
// be mistaken for a small one; KernelAnalysis::poly makes atoms of polynomials with large
// coefficients.
//
//===----------------------------------------------------------------------===//

#include "checks/model/ir/Poly.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>

namespace clmali::model {

static int64_t addSaturated(int64_t A, int64_t B) {
  int64_t R;
  if (!llvm::AddOverflow(A, B, R))
    return R;
  return A < 0 ? INT64_MIN : INT64_MAX;
}

static int64_t mulSaturated(int64_t A, int64_t B) {
  int64_t R;
  if (!llvm::MulOverflow(A, B, R))
    return R;
  return (A < 0) == (B < 0) ? INT64_MAX : INT64_MIN;
}

static void addTerm(Poly &P, const Monomial &M, int64_t C) {
  if (C == 0)
    return;
  auto [It, New] = P.Terms.try_emplace(M, C);
  if (New)
    return;
  It->second = addSaturated(It->second, C);
  if (It->second == 0)
    P.Terms.erase(It);
}

Poly Poly::constant(int64_t C) {
  Poly P;
  addTerm(P, {}, C);
  return P;
}

Poly Poly::symbol(unsigned S) {
  Poly P;
  P.Terms[{S}] = 1;
  return P;
}

bool Poly::isConstant() const {
  return Terms.empty() || (Terms.size() == 1 && Terms.begin()->first.empty());
}

int64_t Poly::constantTerm() const {
  auto It = Terms.find(Monomial());
  return It == Terms.end() ? 0 : It->second;
}

bool Poly::has(unsigned S) const {
  return std::any_of(Terms.begin(), Terms.end(), [S](const auto &T) {
    return std::find(T.first.begin(), T.first.end(), S) != T.first.end();
  });
}

unsigned Poly::degree(unsigned S) const {
  unsigned D = 0;
  for (const auto &[M, C] : Terms)
    D = std::max<unsigned>(D, std::count(M.begin(), M.end(), S));
  return D;
}

Poly Poly::coefficient(unsigned S) const {
  Poly P;
  for (const auto &[M, C] : Terms) {
    auto It = std::find(M.begin(), M.end(), S);
    if (It == M.end())
      continue;
    Monomial Rest(M.begin(), It);
    Rest.append(It + 1, M.end());
    addTerm(P, Rest, C);
  }
  return P;
}

Poly Poly::substitute(unsigned S, const Poly &By) const {
  Poly P;
  for (const auto &[M, C] : Terms) {
    Poly Term;
    Monomial Rest;
    unsigned Times = 0;
    for (unsigned X : M) {
      if (X == S)
        ++Times;
      else
        Rest.push_back(X);
    }
    Term.Terms[Rest] = C;
    for (; Times; --Times)
      Term = Term * By;
    P = P + Term;
  }
  return P;
}

Poly operator+(const Poly &A, const Poly &B) {
  Poly P = A;
  for (const auto &[M, C] : B.Terms)
    addTerm(P, M, C);
  return P;
}

Poly operator-(const Poly &A, const Poly &B) {
  Poly P = A;
  for (const auto &[M, C] : B.Terms)
    addTerm(P, M, mulSaturated(C, -1));
  return P;
}

Poly operator*(const Poly &A, const Poly &B) {
  Poly P;
  for (const auto &[MA, CA] : A.Terms)
    for (const auto &[MB, CB] : B.Terms) {
      Monomial M;
      std::merge(MA.begin(), MA.end(), MB.begin(), MB.end(), std::back_inserter(M));
      addTerm(P, M, mulSaturated(CA, CB));
    }
  return P;
}

Poly operator*(const Poly &A, int64_t C) {
  if (!C)
    return Poly();
  Poly P = A;
  for (auto &[M, Factor] : P.Terms)
    Factor = mulSaturated(Factor, C);
  return P;
}

} // namespace clmali::model
