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

/// Sizes of a few work-items, and factors as small, are equal by chance.
static bool tells(ArrayRef<int64_t> Values) {
  return any_of(Values, [](int64_t V) { return V > 4; });
}

/// A variable with exactly these values.
std::optional<std::string> Fitter::exact(const std::vector<int64_t> &Values,
                                         const std::vector<std::string> &Order) const {
  if (tells(Values))
    for (const std::string &V : Order)
      if (fits(V, Values))
        return V;
  return std::nullopt;
}

/// \p Text as it is, or rounded up.
std::optional<std::string> Fitter::roundedUp(StringRef Text, const std::vector<int64_t> &Values,
                                             const std::set<int64_t> &Sizes) const {
  if (Text.empty() || !known(Text))
    return std::nullopt;
  if (fits(Text, Values))
    return Text.str();
  for (int64_t K : Sizes) {
    if (std::string Up = formatv("roundup({0}, {1})", Text, K); fits(Up, Values))
      return Up;
    // Always one group more than full groups: only where several values show it.
    if (std::string Up = formatv("({0} + {1}) / {1} * {1}", Text, K);
        !all_equal(Values) && fits(Up, Values))
      return Up;
  }
  return std::nullopt;
}

/// \p Text divided among work-items, and that rounded up; or a multiple.
std::optional<std::string> Fitter::divided(StringRef Text, const std::vector<int64_t> &Values,
                                           const std::set<int64_t> &Sizes) const {
  if (Text.empty() || !known(Text))
    return std::nullopt;
  for (int64_t K : PerItem)
    if (std::optional<std::string> E =
            roundedUp(formatv("({0} + {1}) / {2}", Text, K - 1, K).str(), Values, Sizes))
      return E;
  for (int64_t K : PerItem)
    if (std::string Times = formatv("{0} * ({1})", K, Text); fits(Times, Values))
      return Times;
  return std::nullopt;
}

std::optional<std::string> Fitter::size(const std::vector<int64_t> &Values, StringRef Hint,
                                        const std::set<int64_t> &Sizes) const {
  if (std::optional<std::string> E = roundedUp(Hint, Values, Sizes))
    return E;
  if (std::optional<std::string> E = exact(Values, Variables))
    return E;
  if (all_equal(Values))
    return std::to_string(Values.front());
  if (std::optional<std::string> E = divided(Hint, Values, Sizes))
    return E;
  // Every variable rounded before any is divided: the simpler relation is the likelier one.
  if (tells(Values))
    for (auto Form : {&Fitter::roundedUp, &Fitter::divided})
      for (const std::string &V : Variables)
        if (std::optional<std::string> E = (this->*Form)(V, Values, Sizes))
          return E;
  for (auto Form : {&Fitter::roundedUp, &Fitter::divided})
    for (const std::string &A : Variables)
      for (const std::string &B : Variables)
        if (A < B)
          if (std::optional<std::string> E = (this->*Form)(A + " * " + B, Values, Sizes))
            return E;
  return std::nullopt;
}

std::optional<std::string> Fitter::setting(const std::vector<int64_t> &Values,
                                           const std::set<int64_t> &Sizes) const {
  return all_equal(Values) ? std::to_string(Values.front()) : size(Values, "", Sizes);
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
  auto fitting = [&](std::string E) {
    return fits(E, Values) ? std::optional(std::move(E)) : std::nullopt;
  };
  auto pairs = [&](auto Try) -> std::optional<std::string> {
    for (size_t A = 0; A < Order.size(); ++A)
      for (size_t B = A; B < Order.size(); ++B)
        if (std::optional<std::string> E = Try(Order[A] + " * " + Order[B]))
          return E;
    return std::nullopt;
  };
  auto multiple = [&](const std::string &Of) -> std::optional<std::string> {
    for (int64_t K : PerItem)
      if (std::optional<std::string> E = fitting(formatv("{0} * {1}", K, Of)))
        return E;
    return std::nullopt;
  };
  if (std::optional<std::string> E = exact(Values, Order))
    return E;
  if (std::optional<std::string> E = pairs(fitting))
    return E;
  for (const std::string &V : Order)
    if (any_of(Points, [&](const launch::Bindings &P) { return tells(P.at(V)); }))
      if (std::optional<std::string> E = multiple(V))
        return E;
  if (std::optional<std::string> E = pairs(multiple))
    return E;
  if (!Hint.empty() && fits(Hint, Values, /*AtMost=*/true))
    return Hint.str();
  // Programs round the sizes of their buffers up, to use them again.
  if (!all_equal(Values))
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
