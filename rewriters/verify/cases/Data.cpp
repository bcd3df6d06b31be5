#include "rewriters/verify/cases/Data.h"

#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/MemoryBuffer.h"

#include <algorithm>
#include <cmath>
#include <cstring>

using namespace llvm;

namespace clmali::verify {
namespace {

using launch::DataSpec;

Error failure(const Twine &Message) { return createStringError(inconvertibleErrorCode(), Message); }

/// The bits of one scalar of \p T from a number; integers wrap as in C.
uint64_t scalarBits(const ElementType &T, double Value) {
  if (T.isFloat()) {
    APFloat F(Value);
    bool Lost;
    F.convert(T.ScalarBytes == 2   ? APFloat::IEEEhalf()
              : T.ScalarBytes == 4 ? APFloat::IEEEsingle()
                                   : APFloat::IEEEdouble(),
              APFloat::rmNearestTiesToEven, &Lost);
    return F.bitcastToAPInt().getZExtValue();
  }
  if (!(std::fabs(Value) < 0x1p63))
    return 0;
  return static_cast<uint64_t>(static_cast<int64_t>(Value));
}

uint64_t neighbour(const ElementType &T, double Value, bool Up) {
  uint64_t Bits = scalarBits(T, Value);
  APFloat F(T.ScalarBytes == 2   ? APFloat::IEEEhalf()
            : T.ScalarBytes == 4 ? APFloat::IEEEsingle()
                                 : APFloat::IEEEdouble(),
            APInt(T.bits(), Bits));
  F.next(!Up);
  return F.bitcastToAPInt().getZExtValue();
}

/// The values of \p T at which arithmetic overflows or rounds.
std::vector<uint64_t> extremesOf(const ElementType &T, bool Tame) {
  std::vector<uint64_t> V;
  if (T.isFloat()) {
    for (double D : {0.0, 1.0, -1.0, 0.5, -2.0, 255.0, 256.0, -128.0, 3.0})
      V.push_back(scalarBits(T, D));
    V.push_back(neighbour(T, 1.0, true));
    V.push_back(neighbour(T, 1.0, false));
    if (Tame)
      return V;
    const fltSemantics &S = T.ScalarBytes == 2   ? APFloat::IEEEhalf()
                            : T.ScalarBytes == 4 ? APFloat::IEEEsingle()
                                                 : APFloat::IEEEdouble();
    for (bool Negative : {false, true})
      for (const APFloat &F : {APFloat::getZero(S, Negative), APFloat::getInf(S, Negative),
                               APFloat::getLargest(S, Negative), APFloat::getSmallest(S, Negative),
                               APFloat::getSmallestNormalized(S, Negative)})
        V.push_back(F.bitcastToAPInt().getZExtValue());
    constexpr uint64_t Payload = 0x15;
    for (bool Negative : {false, true})
      V.push_back(APFloat::getQNaN(S, Negative).bitcastToAPInt().getZExtValue());
    V.push_back(APFloat::getNaN(S, false, Payload).bitcastToAPInt().getZExtValue());
    V.push_back(APFloat::getSNaN(S).bitcastToAPInt().getZExtValue());
    // The edges of exact integers and of conversions to integers.
    for (double D :
         {0x1p24, 0x1p24 + 1, 0x1p31, -0x1p31, 0x1p32, 65535.0, 65536.0, 32768.0, 1e30, -1e30})
      V.push_back(scalarBits(T, D));
    return V;
  }
  uint64_t Ones = T.bits() == 64 ? ~uint64_t(0) : (uint64_t(1) << T.bits()) - 1;
  uint64_t Top = uint64_t(1) << (T.bits() - 1);
  V = {0, 1, 2, Ones, Ones - 1, Top, Top - 1, Top + 1, Top >> 1};
  return V;
}

uint64_t largestOf(const ElementType &T, bool Tame) {
  if (T.isFloat())
    return Tame ? scalarBits(T, 100.0)
                : scalarBits(T, T.ScalarBytes == 2   ? 65504.0
                                : T.ScalarBytes == 4 ? 3.4028234663852886e38
                                                     : 1.7976931348623157e308);
  uint64_t Ones = T.bits() == 64 ? ~uint64_t(0) : (uint64_t(1) << T.bits()) - 1;
  return T.K == ElementType::Kind::Signed ? Ones >> 1 : Ones;
}

struct Ends {
  bool IsFloat = false;
  double Low = 0, High = 0;
  int64_t RangeLow = 0, RangeHigh = 0;
};

Expected<Ends> endsOf(const DataRequest &R) {
  Ends E;
  const DataSpec &D = R.Arg->Data;
  if (D.K == DataSpec::Kind::Uniform) {
    E.IsFloat = true;
    E.Low = D.Low;
    E.High = D.High;
    // What a kernel reads as a fraction is stored as an integer.
    const double One = R.Type.Normalized ? R.Type.one() : 1;
    const double Most = R.Type.Normalized ? One : 0x1p62;
    const double Least = R.Type.Normalized && R.Type.K == ElementType::Kind::Unsigned ? 0 : -Most;
    E.RangeLow = static_cast<int64_t>(std::ceil(std::clamp(D.Low * One, Least, Most)));
    E.RangeHigh = static_cast<int64_t>(std::floor(std::clamp(D.High * One, Least, Most)));
    E.RangeHigh = std::max(E.RangeHigh, E.RangeLow);
    return E;
  }
  Expected<int64_t> Low = D.RangeLow.evaluate(R.Values);
  if (!Low)
    return Low.takeError();
  Expected<int64_t> High = D.RangeHigh.evaluate(R.Values);
  if (!High)
    return High.takeError();
  if (*Low > *High)
    return failure("argument '" + R.Arg->Name + "': range from " + Twine(*Low) + " to " +
                   Twine(*High) + " is empty");
  E.RangeLow = *Low;
  E.RangeHigh = *High;
  E.Low = static_cast<double>(*Low);
  E.High = static_cast<double>(*High);
  return E;
}

class Filler {
public:
  Filler(const DataRequest &R, Bytes &Out)
      : R(R), T(R.Type), Out(Out),
        Rng(mixSeed(R.Seed ^ (static_cast<uint64_t>(R.P) << 56), R.Arg->Name)) {}

  Error run() {
    const DataSpec &D = R.Arg->Data;
    bool HasDomain = D.K == DataSpec::Kind::Uniform || D.K == DataSpec::Kind::Range;
    bool Limited = T.isFloat()     ? R.Rules.LimitFloats
                   : T.isInteger() ? R.Rules.LimitIntegers || R.Limited
                                   : R.Rules.LimitIntegers;
    if (T.K == ElementType::Kind::Raw) {
      // The bytes of a struct. Its fields are unknown, so the declared bytes are used, or random
      // ones.
      if (D.K == DataSpec::Kind::Unspecified) {
        for (uint8_t &B : Out)
          B = static_cast<uint8_t>(Rng.next());
        // As floats, random bits differ by many orders of magnitude.
        if (R.P != Pattern::Declared)
          return Error::success();
        for (const auto &[Offset, Bytes] : T.FloatFields) {
          ElementType Float;
          Float.K = ElementType::Kind::Float;
          Float.ScalarBytes = Float.Size = Bytes;
          for (size_t E = Offset; E + Bytes <= Out.size(); E += T.Size) {
            uint64_t Bits = scalarBits(Float, Rng.unit() * 2 - 1);
            std::memcpy(&Out[E], &Bits, Bytes);
          }
        }
        return Error::success();
      }
      return declared();
    }
    if (R.P == Pattern::Declared)
      return declared();
    if (Limited) {
      if (HasDomain)
        return limited();
      if (D.K != DataSpec::Kind::Unspecified)
        return declared(); // a table: its values depend on one another
      if (T.isInteger()) {
        // Nothing is declared, and the full range gives invalid accesses: small values.
        for (size_t I = 0; I < scalars(); ++I)
          put(I, Rng.below(2));
        return Error::success();
      }
      return declared();
    }
    fillWithPattern();
    return Error::success();
  }

private:
  size_t scalars() const { return Out.size() / T.ScalarBytes; }
  void put(size_t Index, uint64_t Bits) {
    std::memcpy(&Out[Index * T.ScalarBytes], &Bits, T.ScalarBytes);
  }
  uint64_t randomIn(int64_t Low, int64_t High) {
    uint64_t Width = static_cast<uint64_t>(High) - static_cast<uint64_t>(Low);
    uint64_t Offset = Width == ~uint64_t(0) ? Rng.next() : Rng.below(Width + 1);
    return static_cast<uint64_t>(Low) + Offset;
  }
  uint64_t integerBits(int64_t Value) const {
    return T.isFloat() ? scalarBits(T, static_cast<double>(Value)) : static_cast<uint64_t>(Value);
  }
  uint64_t randomBits() {
    uint64_t Bits = Rng.next();
    if (!T.isFloat())
      return Bits;
    if (!R.Rules.Tame) {
      // Random bits are nearly all huge or tiny. Half of the values near one keep sums and products
      // from being all infinite.
      if (Rng.below(2))
        return Bits;
    }
    return scalarBits(T, (Rng.unit() * 2 - 1) * std::ldexp(1.0, Rng.below(12)));
  }

  Error declared() {
    const DataSpec &D = R.Arg->Data;
    switch (D.K) {
    case DataSpec::Kind::Unspecified:
      for (size_t I = 0; I < scalars(); ++I)
        put(I, T.isFloat() ? scalarBits(T, Rng.unit() * 2 - 1) : Rng.next());
      return Error::success();
    case DataSpec::Kind::Uniform: {
      Expected<Ends> E = endsOf(R);
      if (!E)
        return E.takeError();
      for (size_t I = 0; I < scalars(); ++I)
        put(I, T.isFloat() ? scalarBits(T, E->Low + (E->High - E->Low) * Rng.unit())
                           : randomIn(E->RangeLow, E->RangeHigh));
      return Error::success();
    }
    case DataSpec::Kind::Range: {
      Expected<Ends> E = endsOf(R);
      if (!E)
        return E.takeError();
      for (size_t I = 0; I < scalars(); ++I)
        put(I, integerBits(static_cast<int64_t>(randomIn(E->RangeLow, E->RangeHigh))));
      return Error::success();
    }
    case DataSpec::Kind::Zero:
    case DataSpec::Kind::SameAs:
      return Error::success();
    case DataSpec::Kind::Values:
      return values();
    case DataSpec::Kind::File:
      return file();
    }
    return Error::success();
  }

  Error values() {
    std::vector<uint64_t> Parsed;
    ElementType One = T;
    if (T.K == ElementType::Kind::Raw) {
      One.K = ElementType::Kind::Unsigned; // a struct is given by its bytes
      One.ScalarBytes = 1;
    }
    for (const std::string &Text : R.Arg->Data.Values) {
      uint64_t Bits = 0;
      if (Error E = parseScalar(One, Text, reinterpret_cast<uint8_t *>(&Bits)))
        return failure("argument '" + R.Arg->Name + "': values: " + llvm::toString(std::move(E)));
      Parsed.push_back(Bits);
    }
    // The fourth component of a float3 is padding and gets no value.
    unsigned Stride = T.Size / One.ScalarBytes;
    unsigned Lanes = T.K == ElementType::Kind::Raw ? Stride : T.Lanes;
    size_t At = 0;
    for (size_t E = 0; E < R.Count; ++E)
      for (unsigned L = 0; L < Lanes; ++L, ++At)
        std::memcpy(&Out[E * T.Size + L * One.ScalarBytes], &Parsed[At % Parsed.size()],
                    One.ScalarBytes);
    return Error::success();
  }

  Error file() {
    std::string Path = launch::besideLaunchFile(*R.File, R.Arg->Data.File);
    ErrorOr<std::unique_ptr<MemoryBuffer>> Buffer =
        MemoryBuffer::getFile(Path, /*IsText=*/false,
                              /*RequiresNullTerminator=*/false);
    if (!Buffer)
      return failure("argument '" + R.Arg->Name + "': cannot read '" + Path +
                     "': " + Buffer.getError().message());
    StringRef Data = (*Buffer)->getBuffer();
    if (Data.empty())
      return failure("argument '" + R.Arg->Name + "': '" + Path + "' is empty");
    for (size_t I = 0; I < Out.size(); ++I)
      Out[I] = static_cast<uint8_t>(Data[I % Data.size()]);
    return Error::success();
  }

  /// Extremes, constants and random values of the declared interval.
  Error limited() {
    Expected<Ends> E = endsOf(R);
    if (!E)
      return E.takeError();
    std::vector<uint64_t> Picks;
    if (T.isFloat() && E->IsFloat) {
      for (double V : {E->Low, E->High, (E->Low + E->High) / 2})
        Picks.push_back(scalarBits(T, V));
      for (double C : R.Constants->Floats)
        if (C >= E->Low && C <= E->High)
          Picks.push_back(scalarBits(T, C));
    } else {
      auto add = [&](int64_t V) {
        if (V >= E->RangeLow && V <= E->RangeHigh)
          Picks.push_back(integerBits(V));
      };
      add(E->RangeLow);
      add(E->RangeHigh);
      if (E->RangeLow < E->RangeHigh) {
        add(E->RangeLow + 1);
        add(E->RangeHigh - 1);
      }
      for (int64_t C : R.Constants->Integers)
        for (int64_t Step : {-1, 0, 1})
          add(C + Step);
    }
    size_t Run = 0;
    uint64_t Current = 0;
    for (size_t I = 0; I < scalars(); ++I) {
      if (Run == 0) {
        Run = R.P == Pattern::ExtremeRuns ? 1 + Rng.below(40) : 1;
        bool Pick = R.P != Pattern::RandomBits && R.P != Pattern::Ramp && Rng.below(4) != 0;
        Current = Pick ? Picks[Rng.below(Picks.size())]
                  : T.isFloat() && E->IsFloat
                      ? scalarBits(T, E->Low + (E->High - E->Low) * Rng.unit())
                      : integerBits(static_cast<int64_t>(randomIn(E->RangeLow, E->RangeHigh)));
        if (R.P == Pattern::AllMost)
          Current = Picks[1];
      }
      --Run;
      put(I, Current);
    }
    return Error::success();
  }

  std::vector<uint64_t> constants() {
    std::vector<uint64_t> V;
    for (int64_t C : R.Constants->Integers)
      for (int64_t Step : {-1, 0, 1}) {
        int64_t Value =
            static_cast<int64_t>(static_cast<uint64_t>(C) + static_cast<uint64_t>(Step));
        V.push_back(integerBits(Value));
        if (T.isFloat())
          V.push_back(neighbour(T, static_cast<double>(C), Step > 0));
      }
    for (double C : R.Constants->Floats) {
      if (!T.isFloat()) {
        for (double Step : {-1.0, 0.0, 1.0})
          V.push_back(scalarBits(T, std::floor(T.Normalized ? C * T.one() : C) + Step));
        continue;
      }
      V.push_back(scalarBits(T, C));
      V.push_back(neighbour(T, C, true));
      V.push_back(neighbour(T, C, false));
      V.push_back(scalarBits(T, -C));
    }
    if (V.empty())
      V = extremesOf(T, R.Rules.Tame);
    // As often as all others together: they decide something.
    const std::vector<uint64_t> Deciding = compared();
    for (size_t I = 0, Others = V.size(); I < Others && !Deciding.empty(); ++I)
      V.push_back(Deciding[I % Deciding.size()]);
    return V;
  }

  /// The constants that this buffer's values are compared with, and their neighbours.
  std::vector<uint64_t> compared() const {
    constexpr size_t Most = 96;
    std::vector<uint64_t> V;
    for (const ConstantUse &C : R.Compared) {
      if (V.size() >= Most)
        break;
      if (C.IsFloat && !T.isFloat())
        continue; // R.Constants has them, rounded
      if (C.IsFloat)
        for (uint64_t Bits : {scalarBits(T, C.asDouble()), neighbour(T, C.asDouble(), true),
                              neighbour(T, C.asDouble(), false)})
          V.push_back(Bits);
      else if (!(T.isFloat() && R.Rules.Tame)) // the bits of a number, for floats too
        for (int Step : {0, -1, 1})
          V.push_back(C.Bits + static_cast<uint64_t>(static_cast<int64_t>(Step)));
    }
    return V;
  }

  void fillWithPattern() {
    Extremes = extremesOf(T, R.Rules.Tame);
    if (R.P == Pattern::Constants || R.P == Pattern::Mixed)
      Constant = constants();
    for (size_t I = 0; I < scalars(); ++I)
      put(I,
          patternBits(
              R.P == Pattern::Mixed && !R.Mix.empty() ? R.Mix[Rng.below(R.Mix.size())] : R.P, I));
  }

  uint64_t patternBits(Pattern P, size_t I) {
    switch (P) {
    case Pattern::Declared:
    case Pattern::RandomBits:
    case Pattern::Mixed:
      return randomBits();
    case Pattern::Extremes:
      return Extremes[Rng.below(Extremes.size())];
    case Pattern::ExtremeRuns:
      if (Run == 0) {
        Run = 1 + Rng.below(40);
        Current = Extremes[Rng.below(Extremes.size())];
      }
      --Run;
      return Current;
    case Pattern::Constants:
      return Constant[Rng.below(Constant.size())];
    case Pattern::Ramp:
      // Irregular steps, so that no two rows are equal, whatever the pitch.
      return integerBits(static_cast<int64_t>(I + 3 * (I / 7) + Rng.below(2)));
    case Pattern::Sparse:
      return Rng.below(8) != 0 ? 0
             : Rng.below(2)    ? integerBits(1)
                               : Extremes[Rng.below(Extremes.size())];
    case Pattern::AllMost:
      return largestOf(T, R.Rules.Tame);
    }
    return 0;
  }

  std::vector<uint64_t> Extremes, Constant;
  // Pattern::ExtremeRuns: elements left of the run, and their value.
  size_t Run = 0;
  uint64_t Current = 0;

  const DataRequest &R;
  const ElementType &T;
  Bytes &Out;
  Random Rng;
};

} // namespace

StringRef toString(Pattern P) {
  switch (P) {
  case Pattern::Declared:
    return "declared";
  case Pattern::RandomBits:
    return "random-bits";
  case Pattern::Extremes:
    return "extremes";
  case Pattern::ExtremeRuns:
    return "extreme-runs";
  case Pattern::Constants:
    return "constants";
  case Pattern::Ramp:
    return "ramp";
  case Pattern::Sparse:
    return "sparse";
  case Pattern::AllMost:
    return "all-most";
  case Pattern::Mixed:
    return "mixed";
  }
  return "declared";
}

uint64_t Random::next() { // splitmix64
  uint64_t Z = (State += 0x9e3779b97f4a7c15);
  Z = (Z ^ (Z >> 30)) * 0xbf58476d1ce4e5b9;
  Z = (Z ^ (Z >> 27)) * 0x94d049bb133111eb;
  return Z ^ (Z >> 31);
}

uint64_t mixSeed(uint64_t Seed, StringRef Text) {
  for (char C : Text)
    Seed = (Seed ^ static_cast<uint8_t>(C)) * 0x100000001b3;
  return Random(Seed).next();
}

void SourceConstants::add(double Value) {
  if (!is_contained(Floats, Value))
    Floats.push_back(Value);
  if (std::floor(Value) == Value && std::fabs(Value) < 0x1p62)
    if (int64_t I = static_cast<int64_t>(Value); !is_contained(Integers, I))
      Integers.push_back(I);
}

SourceConstants scanConstants(StringRef Source) {
  constexpr size_t Most = 64; // the entries of a large table are no thresholds
  SourceConstants C;
  size_t I = 0, N = Source.size();
  auto full = [&] { return C.Floats.size() >= Most; };
  while (I < N && !full()) {
    StringRef Rest = Source.substr(I);
    if (Rest.starts_with("//")) {
      size_t End = Source.find('\n', I);
      I = End == StringRef::npos ? N : End;
    } else if (Rest.starts_with("/*")) {
      size_t End = Source.find("*/", I + 2);
      I = End == StringRef::npos ? N : End + 2;
    } else if (Rest.front() == '"') {
      for (++I; I < N && Source[I] != '"'; ++I)
        if (Source[I] == '\\')
          ++I;
      ++I;
    } else if (isAlpha(Rest.front()) || Rest.front() == '_') {
      while (I < N && (isAlnum(Source[I]) || Source[I] == '_'))
        ++I;
    } else if (isDigit(Rest.front()) ||
               (Rest.front() == '.' && Rest.size() > 1 && isDigit(Rest[1]))) {
      bool Hex = Rest.starts_with_insensitive("0x");
      size_t End = 0;
      while (End < Rest.size() && (isAlnum(Rest[End]) || Rest[End] == '.' ||
                                   ((Rest[End] == '+' || Rest[End] == '-') && End > 0 &&
                                    (Hex ? (Rest[End - 1] == 'p' || Rest[End - 1] == 'P')
                                         : (Rest[End - 1] == 'e' || Rest[End - 1] == 'E')))))
        ++End;
      std::string Text = Rest.substr(0, End).str();
      I += End;
      double Value = std::strtod(Text.c_str(), nullptr);
      if (std::isfinite(Value))
        C.add(Value);
    } else {
      ++I;
    }
  }
  return C;
}

bool mentionsFloats(StringRef Source) {
  return Source.contains("float") || Source.contains("double") || Source.contains("half");
}

Expected<Bytes> makeData(const DataRequest &Request) {
  Bytes Out(Request.Count * Request.Type.Size, 0);
  Filler F(Request, Out);
  if (Error E = F.run())
    return E;
  return Out;
}

} // namespace clmali::verify
