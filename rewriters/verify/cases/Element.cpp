#include "rewriters/verify/cases/Element.h"

#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/APSInt.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/ADT/Twine.h"

#include <cmath>
#include <cstdlib>
#include <cstring>

using namespace llvm;

namespace clmali::verify {
namespace {

uint64_t rawBits(const ElementType &T, const uint8_t *At) {
  uint64_t Bits = 0;
  std::memcpy(&Bits, At, T.ScalarBytes); // little-endian hosts only, as OpenCL
  return Bits;
}

const fltSemantics &semantics(const ElementType &T) {
  return T.ScalarBytes == 2   ? APFloat::IEEEhalf()
         : T.ScalarBytes == 4 ? APFloat::IEEEsingle()
                              : APFloat::IEEEdouble();
}

bool isNan(const ElementType &T, uint64_t Bits) {
  switch (T.ScalarBytes) {
  case 2:
    return (Bits & 0x7fff) > 0x7c00;
  case 4:
    return (Bits & 0x7fffffff) > 0x7f800000;
  default:
    return (Bits & 0x7fffffffffffffff) > 0x7ff0000000000000;
  }
}

bool isInfinite(const ElementType &T, uint64_t Bits) {
  switch (T.ScalarBytes) {
  case 2:
    return (Bits & 0x7fff) == 0x7c00;
  case 4:
    return (Bits & 0x7fffffff) == 0x7f800000;
  default:
    return (Bits & 0x7fffffffffffffff) == 0x7ff0000000000000;
  }
}

/// Maps floats to integers in the same order, so that a difference counts ULPs. -0 and +0 give 0.
__int128 ordered(const ElementType &T, uint64_t Bits) {
  uint64_t Sign = uint64_t(1) << (T.bits() - 1);
  __int128 Magnitude = static_cast<__int128>(Bits & (Sign - 1));
  return (Bits & Sign) ? -Magnitude : Magnitude;
}

bool within(const ElementType &T, const launch::Tolerance &Tol, const uint8_t *Expected,
            const uint8_t *Got) {
  uint64_t A = rawBits(T, Expected), B = rawBits(T, Got);
  if (isInfinite(T, A) || isInfinite(T, B))
    return false; // equal infinities are handled before
  if (Tol.Ulp) {
    __int128 Distance = ordered(T, A) - ordered(T, B);
    if (Distance < 0)
      Distance = -Distance;
    if (static_cast<double>(Distance) <= *Tol.Ulp && (Distance != 0 || *Tol.Ulp > 0))
      return true;
  }
  double X = asDouble(T, Expected), Y = asDouble(T, Got);
  if (Tol.Absolute && *Tol.Absolute > 0 && std::fabs(X - Y) <= *Tol.Absolute)
    return true;
  return Tol.Relative && *Tol.Relative > 0 &&
         std::fabs(X - Y) <= *Tol.Relative * std::max(std::fabs(X), std::fabs(Y));
}

/// The tolerances of integers.
bool withinSteps(const ElementType &T, const launch::Tolerance &Tol, const uint8_t *Expected,
                 const uint8_t *Got) {
  if (Tol.isExact())
    return false; // before 64-bit integers lose bits
  const double Distance = std::fabs(asDouble(T, Expected) - asDouble(T, Got));
  if (Tol.Steps.value_or(0) > 0 && Distance <= *Tol.Steps)
    return true;
  return T.Normalized && Tol.Absolute && Distance <= *Tol.Absolute * T.one();
}

bool same(const ElementType &T, const launch::Tolerance &Tol, const uint8_t *Expected,
          const uint8_t *Got) {
  if (std::memcmp(Expected, Got, T.ScalarBytes) == 0)
    return true;
  if (!T.isFloat())
    return T.isInteger() && withinSteps(T, Tol, Expected, Got);
  bool NanA = isNan(T, rawBits(T, Expected)), NanB = isNan(T, rawBits(T, Got));
  if (NanA || NanB)
    return NanA && NanB;
  return !Tol.isExact() && within(T, Tol, Expected, Got);
}

} // namespace

double ElementType::one() const {
  return std::ldexp(1.0, bits() - (K == Kind::Signed ? 1 : 0)) - 1;
}

ElementType texelOf(const launch::ImageFormat &Format) {
  using Kind = launch::ImageFormat::Kind;
  ElementType T;
  T.K = Format.K == Kind::Float                               ? ElementType::Kind::Float
        : Format.K == Kind::Snorm || Format.K == Kind::Signed ? ElementType::Kind::Signed
                                                              : ElementType::Kind::Unsigned;
  T.Normalized = Format.isNormalized();
  T.ScalarBytes = Format.ChannelBytes;
  T.Size = Format.texelBytes();
  T.Lanes = T.Size / T.ScalarBytes;
  return T;
}

std::optional<ElementType> elementFromName(StringRef Name) {
  // Clang prints "unsigned int"; the driver may print "uint".
  SmallVector<StringRef, 4> Words;
  Name.split(Words, ' ', -1, /*KeepEmpty=*/false);
  std::string Base;
  bool Unsigned = false;
  for (StringRef W : Words) {
    if (W == "const" || W == "volatile" || W == "restrict" || W == "signed" || W == "__private" ||
        W == "__global" || W == "__constant" || W == "__local")
      continue;
    if (W == "unsigned") {
      Unsigned = true;
      continue;
    }
    if (!Base.empty())
      return std::nullopt;
    Base = W.str();
  }
  if (Base.empty())
    Base = Unsigned ? "uint" : "int";
  else if (Unsigned)
    Base = "u" + Base;
  StringRef Scalar = StringRef(Base).rtrim("0123456789");
  StringRef LaneText = StringRef(Base).drop_front(Scalar.size());
  unsigned Lanes = 1;
  if (!LaneText.empty() && LaneText.getAsInteger(10, Lanes))
    return std::nullopt;
  if (Lanes != 1 && Lanes != 2 && Lanes != 3 && Lanes != 4 && Lanes != 8 && Lanes != 16)
    return std::nullopt;
  using K = ElementType::Kind;
  struct Basic {
    K Kind;
    unsigned Bytes;
  };
  Basic Found = StringSwitch<Basic>(Scalar)
                    .Case("char", {K::Signed, 1})
                    .Case("uchar", {K::Unsigned, 1})
                    .Case("short", {K::Signed, 2})
                    .Case("ushort", {K::Unsigned, 2})
                    .Case("int", {K::Signed, 4})
                    .Case("uint", {K::Unsigned, 4})
                    .Case("long", {K::Signed, 8})
                    .Case("ulong", {K::Unsigned, 8})
                    .Case("half", {K::Float, 2})
                    .Case("float", {K::Float, 4})
                    .Case("double", {K::Float, 8})
                    .Default({K::Raw, 0});
  if (Found.Bytes == 0)
    return std::nullopt;
  ElementType T;
  T.K = Found.Kind;
  T.ScalarBytes = Found.Bytes;
  T.Lanes = Lanes;
  T.Size = Found.Bytes * (Lanes == 3 ? 4 : Lanes);
  return T;
}

double asDouble(const ElementType &T, const uint8_t *At) {
  uint64_t Bits = rawBits(T, At);
  if (T.isFloat()) {
    APFloat F(semantics(T), APInt(T.bits(), Bits));
    bool Lost;
    F.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven, &Lost);
    return F.convertToDouble();
  }
  if (T.K == ElementType::Kind::Signed)
    return static_cast<double>(APInt(T.bits(), Bits).getSExtValue());
  return static_cast<double>(Bits);
}

std::string formatScalar(const ElementType &T, const uint8_t *At) {
  uint64_t Bits = rawBits(T, At);
  if (T.isFloat()) {
    APFloat F(semantics(T), APInt(T.bits(), Bits));
    if (F.isNaN())
      return Bits == APFloat::getQNaN(semantics(T)).bitcastToAPInt().getZExtValue()
                 ? "nan"
                 : "nan(0x" + utohexstr(Bits, /*LowerCase=*/true) + ")";
    if (F.isInfinity())
      return F.isNegative() ? "-inf" : "inf";
    if (F.isZero())
      return F.isNegative() ? "-0.0" : "0.0";
    char Text[64];
    double Value = asDouble(T, At);
    // The fewest digits that convert back to the same bits.
    for (int Digits = 1; Digits <= 17; ++Digits) {
      std::snprintf(Text, sizeof(Text), "%.*g", Digits, Value);
      uint64_t Back = 0;
      if (!errorToBool(parseScalar(T, Text, reinterpret_cast<uint8_t *>(&Back))) && Back == Bits)
        break;
    }
    std::string Result = Text;
    if (Result.find_first_of(".en") == std::string::npos)
      Result += ".0";
    return Result;
  }
  if (T.K == ElementType::Kind::Signed)
    return std::to_string(APInt(T.bits(), Bits).getSExtValue());
  return std::to_string(Bits);
}

Error parseScalar(const ElementType &T, StringRef Text, uint8_t *At) {
  Text = Text.trim();
  auto wrong = [&](StringRef Wanted) {
    return createStringError(inconvertibleErrorCode(), "'" + Text + "' is not " + Wanted);
  };
  if (T.isFloat()) {
    StringRef Body = Text;
    bool Hex = Body.contains_insensitive("0x");
    if (!Hex && !Body.ends_with_insensitive("inf") && Body.size() > 1 &&
        (Body.ends_with("f") || Body.ends_with("F") || Body.ends_with("h")))
      Body = Body.drop_back();
    uint64_t Bits = 0;
    StringRef Plain = Body.starts_with("-") ? Body.drop_front() : Body;
    if (StringRef Number = Plain; Number.consume_front("nan(") && Number.consume_back(")")) {
      if (Number.getAsInteger(0, Bits) || !isNan(T, Bits))
        return wrong("the bits of a NaN");
    } else if (Plain.equals_insensitive("nan") || Plain.equals_insensitive("inf") ||
               Plain.equals_insensitive("infinity")) {
      APFloat F = Plain.equals_insensitive("nan")
                      ? APFloat::getQNaN(semantics(T))
                      : APFloat::getInf(semantics(T), Body.starts_with("-"));
      Bits = F.bitcastToAPInt().getZExtValue();
    } else {
      APFloat F(semantics(T));
      Expected<APFloat::opStatus> Status =
          Body.empty() ? Expected<APFloat::opStatus>(wrong("a number"))
                       : F.convertFromString(Body, APFloat::rmNearestTiesToEven);
      if (!Status) {
        consumeError(Status.takeError());
        return wrong("a number");
      }
      Bits = F.bitcastToAPInt().getZExtValue();
    }
    std::memcpy(At, &Bits, T.ScalarBytes);
    return Error::success();
  }
  bool Negative = Text.consume_front("-");
  APInt Value(64, 0);
  uint64_t Magnitude = 0;
  if (Text.getAsInteger(0, Magnitude))
    return wrong("an integer");
  uint64_t Bits = Negative ? uint64_t(0) - Magnitude : Magnitude;
  std::memcpy(At, &Bits, T.ScalarBytes);
  return Error::success();
}

std::optional<Difference> firstDifference(const ElementType &T, const launch::Tolerance &Tol,
                                          ArrayRef<uint8_t> Expected, ArrayRef<uint8_t> Got) {
  if (Expected.size() == Got.size() && std::memcmp(Expected.data(), Got.data(), Got.size()) == 0)
    return std::nullopt;
  Difference D;
  bool Found = false;
  size_t Elements = std::min(Expected.size(), Got.size()) / T.Size;
  // For each byte of a struct the floating-point field that contains it.
  std::vector<const std::pair<unsigned, unsigned> *> FieldAt(T.FloatFields.empty() ? 0 : T.Size);
  for (const auto &Field : T.FloatFields)
    for (unsigned I = 0; I < Field.second; ++I)
      FieldAt[Field.first + I] = &Field;
  std::vector<bool> Ignored(T.Padding.empty() ? 0 : T.Size);
  for (unsigned I : T.Padding)
    Ignored[I] = true;
  auto sameField = [&](size_t E, unsigned Byte) {
    if (!Ignored.empty() && Ignored[Byte])
      return true;
    if (FieldAt.empty() || !FieldAt[Byte])
      return false;
    const auto &[Offset, Bytes] = *FieldAt[Byte];
    ElementType Float;
    Float.K = ElementType::Kind::Float;
    Float.ScalarBytes = Float.Size = Bytes;
    return same(Float, Tol, &Expected[E * T.Size + Offset], &Got[E * T.Size + Offset]);
  };
  for (size_t E = 0; E < Elements; ++E)
    for (unsigned L = 0; L < T.Lanes; ++L) {
      size_t At = E * T.Size + L * T.ScalarBytes;
      if (same(T, Tol, &Expected[At], &Got[At]) || sameField(E, L))
        continue;
      ++D.Count;
      if (Found)
        continue;
      Found = true;
      D.Scalar = E * T.Lanes + L;
      D.Element = E;
      D.Lane = L;
      D.Expected = formatScalar(T, &Expected[At]);
      D.Got = formatScalar(T, &Got[At]);
    }
  D.Total = Elements * T.Lanes;
  if (!Found)
    return std::nullopt;
  return D;
}

bool roughlyAgree(const ElementType &T, ArrayRef<uint8_t> A, ArrayRef<uint8_t> B, bool UsesFloats) {
  if (A.size() != B.size())
    return false;
  if (std::memcmp(A.data(), B.data(), A.size()) == 0)
    return true;
  if (T.K == ElementType::Kind::Raw)
    return UsesFloats; // unknown fields; equal bytes are handled above
  double Largest = 0;
  size_t Elements = A.size() / T.Size;
  auto each = [&](auto &&Visit) {
    for (size_t E = 0; E < Elements; ++E)
      for (unsigned L = 0; L < T.Lanes; ++L) {
        size_t At = E * T.Size + L * T.ScalarBytes;
        Visit(&A[At], &B[At]);
      }
  };
  if (T.isFloat())
    each([&](const uint8_t *X, const uint8_t *) {
      double V = std::fabs(asDouble(T, X));
      if (std::isfinite(V))
        Largest = std::max(Largest, V);
    });
  size_t Far = 0;
  each([&](const uint8_t *X, const uint8_t *Y) {
    if (same(T, {}, X, Y))
      return;
    if (T.isFloat()) {
      double V = asDouble(T, X), W = asDouble(T, Y);
      // After cancellation the error of a small result is proportional to its terms.
      if (!(std::fabs(V - W) <= 1e-3 * std::max({std::fabs(V), std::fabs(W), Largest * 1e-3})))
        ++Far;
    } else if (!UsesFloats || std::fabs(asDouble(T, X) - asDouble(T, Y)) > 1) {
      ++Far;
    }
  });
  return Far == 0;
}

} // namespace clmali::verify
