//===- Fit.cpp --------------------------------------------------------------------------------===//

#include "tools/record/Fit.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <algorithm>

using namespace llvm;

namespace clmali::record {

/// Work-items may compute so many elements each.
static constexpr int64_t PerItem[] = {2, 3, 4, 8, 16};

bool Fitter::known(StringRef Text) const {
  Expected<launch::Expression> E = launch::Expression::parse(Text);
  if (!E) {
    consumeError(E.takeError());
    return false;
  }
  return all_of(E->names(), [&](const std::string &N) { return is_contained(Variables, N); });
}

bool Fitter::fits(StringRef Text, const std::vector<int64_t> &Values, bool AtMost) const {
  if (!known(Text))
    return false;
  launch::Expression E = cantFail(launch::Expression::parse(Text));
  for (size_t I = 0; I < Points.size(); ++I) {
    Expected<int64_t> V = E.evaluate(Points[I]);
    if (!V) {
      consumeError(V.takeError());
      return false;
    }
    if (AtMost ? *V > Values[I] || *V < 1 : *V != Values[I])
      return false;
  }
  return true;
}

/// \p Text as it is, rounded up, or divided among work-items.
std::optional<std::string> Fitter::rounded(StringRef Text, const std::vector<int64_t> &Values,
                                           const std::set<int64_t> &Sizes) const {
  if (Text.empty() || !known(Text))
    return std::nullopt;
  if (fits(Text, Values))
    return Text.str();
  std::vector<std::string> Bases{Text.str()};
  for (int64_t K : PerItem)
    Bases.push_back(formatv("({0} + {1}) / {2}", Text, K - 1, K));
  for (const std::string &Base : Bases) {
    if (fits(Base, Values))
      return Base;
    for (int64_t K : Sizes)
      for (const std::string &Up : {formatv("roundup({0}, {1})", Base, K).str(),
                                    formatv("({0} + {1}) / {1} * {1}", Base, K).str()})
        if (fits(Up, Values))
          return Up;
  }
  for (int64_t K : PerItem)
    if (std::string Times = formatv("{0} * ({1})", K, Text); fits(Times, Values))
      return Times;
  return std::nullopt;
}

std::optional<std::string> Fitter::size(const std::vector<int64_t> &Values, StringRef Hint,
                                        const std::set<int64_t> &Sizes) const {
  if (std::optional<std::string> E = rounded(Hint, Values, Sizes))
    return E;
  const bool AllEqual = all_equal(Values);
  // Many points with the same size: it does not depend on the variables that differ.
  if (AllEqual && Points.size() > 1)
    return std::to_string(Values.front());
  // A size of a few work-items says nothing about variables.
  if (any_of(Values, [](int64_t V) { return V > 4; }))
    for (const std::string &V : Variables)
      if (std::optional<std::string> E = rounded(V, Values, Sizes))
        return E;
  if (AllEqual)
    return std::to_string(Values.front());
  for (const std::string &A : Variables)
    for (const std::string &B : Variables)
      if (A < B)
        if (std::optional<std::string> E = rounded(A + " * " + B, Values, Sizes))
          return E;
  return std::nullopt;
}

std::optional<std::string> Fitter::count(const std::vector<int64_t> &Values, StringRef Hint) const {
  if (!Hint.empty() && fits(Hint, Values))
    return Hint.str();
  // Of several variables with the same values, those that the kernel addresses the buffer with.
  std::vector<std::string> Order = Variables;
  if (Expected<launch::Expression> E = launch::Expression::parse(Hint)) {
    const std::vector<std::string> Own = E->names();
    std::stable_partition(Order.begin(), Order.end(),
                          [&](const std::string &V) { return is_contained(Own, V); });
  } else {
    consumeError(E.takeError());
  }
  auto pairs = [&](auto Try) -> std::optional<std::string> {
    for (size_t A = 0; A < Order.size(); ++A)
      for (size_t B = A; B < Order.size(); ++B)
        if (std::optional<std::string> E = Try(Order[A] + " * " + Order[B]))
          return E;
    return std::nullopt;
  };
  auto fitting = [&](std::string E) {
    return fits(E, Values) ? std::optional(std::move(E)) : std::nullopt;
  };
  if (std::optional<std::string> E = pairs(fitting))
    return E;
  if (any_of(Values, [](int64_t N) { return N > 4; }))
    for (const std::string &V : Order)
      if (fits(V, Values))
        return V;
  if (std::optional<std::string> E = pairs([&](const std::string &Product) {
        std::optional<std::string> Found;
        for (int64_t K : PerItem)
          if (!Found)
            Found = fitting(formatv("{0} * {1}", K, Product));
        return Found;
      }))
    return E;
  if (!Hint.empty() && fits(Hint, Values, /*AtMost=*/true))
    return Hint.str();
  // Programs round the sizes of their buffers up, to use them again.
  if (std::optional<std::string> E = pairs([&](const std::string &Product) {
        std::optional<std::string> Found;
        for (int64_t K = 64; K <= 65536 && !Found; K *= 2)
          Found = fitting(formatv("roundup({0}, {1})", Product, K));
        return Found;
      }))
    return E;
  if (all_equal(Values))
    return std::to_string(Values.front());
  return std::nullopt;
}

} // namespace clmali::record
