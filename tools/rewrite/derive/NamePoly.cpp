//===- NamePoly.cpp - polynomials over the names of a launch file -----------------------------===//

#include "tools/rewrite/derive/NamePoly.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace clmali;
using namespace clmali::tool;

NamePoly tool::constant(int64_t C) { return C ? NamePoly{{{}, C}} : NamePoly{}; }

NamePoly tool::add(NamePoly A, const NamePoly &B, int64_t Factor) {
  for (const auto &[N, C] : B)
    if ((A[N] += C * Factor) == 0)
      A.erase(N);
  return A;
}

NamePoly tool::multiply(const NamePoly &A, const NamePoly &B) {
  NamePoly R;
  for (const auto &[NA, CA] : A)
    for (const auto &[NB, CB] : B) {
      Names N = NA;
      N.insert(N.end(), NB.begin(), NB.end());
      llvm::sort(N);
      R = add(std::move(R), {{N, CA * CB}});
    }
  return R;
}

std::string tool::text(const NamePoly &P) {
  std::string S;
  for (const auto &[N, C] : reverse(P)) {
    std::string Term = join(N, " * ");
    int64_t Magnitude = C < 0 ? -C : C;
    if (Term.empty() || Magnitude != 1)
      Term = std::to_string(Magnitude) + (Term.empty() ? "" : " * " + Term);
    S += S.empty() ? (C < 0 ? "0 - " : "") : C < 0 ? " - " : " + ";
    S += Term;
  }
  return S.empty() ? "0" : S;
}

NamePoly tool::quotient(const NamePoly &X, const NamePoly &By) {
  auto Number = [](const NamePoly &P) {
    return P.empty() ? 0 : P.size() == 1 && P.begin()->first.empty() ? P.begin()->second : -1;
  };
  if (int64_t N = Number(X), D = Number(By); N >= 0 && D > 0)
    return constant(N / D);
  return {{{"((" + text(X) + ") / (" + text(By) + "))"}, 1}};
}

bool tool::isCount(const NamePoly &P) {
  int64_t Least = 0;
  for (const auto &[N, C] : P) {
    bool Computed = any_of(N, [](const std::string &Name) { return Name.ends_with(")"); });
    if (!N.empty() && C < 0)
      return false;
    Least += Computed ? 0 : C;
  }
  return Least >= 0;
}

NamePoly tool::outer(const NamePoly &X, const NamePoly &Y, bool Largest) {
  if (isCount(add(X, Y, -1)))
    return Largest ? X : Y;
  if (isCount(add(Y, X, -1)))
    return Largest ? Y : X;
  return {{{(Largest ? "max(" : "min(") + text(X) + ", " + text(Y) + ")"}, 1}};
}
