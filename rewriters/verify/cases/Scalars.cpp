#include "rewriters/verify/cases/Scalars.h"

#include "rewriters/verify/cases/Divisors.h"
#include "rewriters/verify/cases/Solve.h"

#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/MathExtras.h"

#include <cmath>
#include <cstdint>
#include <set>

using namespace llvm;

namespace clmali::verify {
namespace {

using launch::Argument;
using launch::LaunchFile;

constexpr unsigned MostVariants = 14;
constexpr unsigned MostRareVariants = 64;
/// Of the variants with several kinds of data, one of so many changes scalars in addresses.
constexpr unsigned InAddressEach = 4;
/// Constants of the kernel that become values of one scalar.
constexpr unsigned MostConstants = 4;

Error failure(const Twine &Message) { return createStringError(inconvertibleErrorCode(), Message); }

/// A float literal as it is, an integer expression by its value.
Expected<std::string> scalarText(const std::string &Text, const launch::Bindings &Values) {
  if (launch::isFloatLiteral(Text))
    return Text;
  Expected<launch::Expression> E = launch::Expression::parse(Text);
  if (!E)
    return E.takeError();
  Expected<int64_t> V = E->evaluate(Values);
  if (!V)
    return V.takeError();
  return std::to_string(*V);
}

/// A scalar argument and the values it may take, those most likely to show a fault first.
struct FreeScalar {
  unsigned Index;
  std::vector<std::string> Pool;
  /// Further values, each of which is run once or twice: they lie around the widths of types, or
  /// decide something in either program.
  std::vector<std::string> Rare;
  std::string Declared;
  bool InAddress = false; ///< other values may give invalid accesses

  void add(std::string Value) {
    if (!is_contained(Pool, Value))
      Pool.push_back(std::move(Value));
  }
  void addRare(std::string Value) {
    if (!is_contained(Pool, Value) && !is_contained(Rare, Value))
      Rare.push_back(std::move(Value));
  }
};

void addFloats(FreeScalar &S, const SourceConstants &Constants, const DataRules &Rules) {
  for (const char *Value : {"-1.3125", "0.1", "0.0", "1.0", "3.0"})
    S.add(Value);
  if (!Rules.Tame)
    for (const char *Value : {"-0.0", "nan", "inf", "1e-40", "-1e30"})
      S.add(Value);
  unsigned Taken = 0;
  for (double C : Constants.Floats)
    if (Taken++ < MostConstants)
      S.add(std::to_string(C));
}

void addIntegers(FreeScalar &S, int64_t Declared, const SourceConstants &Constants) {
  S.add(std::to_string(Declared + 1));
  S.add(std::to_string(Declared - 1));
  for (const char *Value : {"0", "1", "-1", "100", "3", "10"})
    S.add(Value);
  unsigned Taken = 0;
  for (int64_t C : Constants.Integers)
    if (C > 1 && Taken++ < MostConstants)
      for (int64_t Step : {-1, 0, 1})
        S.add(std::to_string(C + Step));
}

/// The constants that scalar \p S is compared with, and their neighbours.
void addDeciding(FreeScalar &S, const ElementType &T, const ProgramFacts &Facts) {
  constexpr size_t Most = 36;
  for (const ConstantUse &C : Facts.Constants) {
    if (C.K != ConstantUse::Kind::Compared || !C.With.Scalars.count(S.Index) ||
        S.Rare.size() >= Most)
      continue;
    if (T.isFloat() && C.IsFloat && std::isfinite(C.asDouble())) {
      const float Value = static_cast<float>(C.asDouble());
      for (double V : {C.asDouble(), static_cast<double>(std::nextafter(Value, HUGE_VALF)),
                       static_cast<double>(std::nextafter(Value, -HUGE_VALF))}) {
        SmallString<32> Text;
        APFloat(V).toString(Text);
        S.addRare(launch::isFloatLiteral(Text) ? Text.str().str() : Text.str().str() + ".0");
      }
    } else if (!T.isFloat() && !C.IsFloat) {
      for (int64_t Step : {0, -1, 1})
        if (int64_t Value; !AddOverflow(C.value(), Step, Value))
          S.addRare(std::to_string(Value));
    }
  }
}

/// Floats whose bits decide something, near the declared one.
void addDecidingBits(FreeScalar &S, const ElementType &T, const TestPlan &P, unsigned Launch) {
  uint64_t First = 0;
  if (T.ScalarBytes != 4)
    return;
  if (Error E = parseScalar(T, S.Declared, reinterpret_cast<uint8_t *>(&First)))
    return consumeError(std::move(E));
  for (int64_t Bits : rareScalars(P, Launch, S.Index, T.bits(), First)) {
    const auto *At = reinterpret_cast<const uint8_t *>(&Bits);
    if (std::isfinite(asDouble(T, At)))
      S.addRare(formatScalar(T, At));
  }
}

void addWidths(FreeScalar &S) {
  for (int64_t Value : {31, 32, 33, 63, 64, 65, 255, 256, 257, 65535, 65536, 65537})
    S.addRare(std::to_string(Value));
  for (int64_t Value : {int64_t(INT32_MIN), int64_t(INT32_MAX)})
    S.addRare(std::to_string(Value));
}

void keepIf(FreeScalar &S, function_ref<bool(int64_t)> Allowed) {
  for (std::vector<std::string> *Values : {&S.Pool, &S.Rare})
    llvm::erase_if(*Values, [&](const std::string &Value) {
      int64_t V = 0;
      return StringRef(Value).getAsInteger(0, V) || !Allowed(V);
    });
}

/// Defines, and the variables of `sizes` that fix neither geometry nor the size of a buffer.
launch::Bindings fixedNames(const LaunchFile &F) {
  std::set<std::string> InGeometry;
  auto mark = [&InGeometry](const launch::Expression &E) {
    for (const std::string &Name : E.names())
      InGeometry.insert(Name);
  };
  for (const auto *List : {&F.Global, &F.Local, &F.Offset})
    for (const launch::Expression &E : *List)
      mark(E);
  for (const Argument &A : F.Args)
    for (const launch::Expression *E :
         {&A.Count, &A.LocalBytes, &A.Data.RangeLow, &A.Data.RangeHigh})
      mark(*E);
  launch::Bindings Fixed = launch::bindingsAt(F, F.Sizes.front());
  for (const auto &[Name, Ignored] : F.Sizes.front())
    if (InGeometry.count(Name))
      Fixed.erase(Name);
  return Fixed;
}

bool dependsOnSize(const LaunchFile &F, const std::string &Text) {
  Expected<launch::Expression> E = launch::Expression::parse(Text);
  if (E)
    return any_of(E->names(), [&](const auto &Name) { return F.Sizes.front().count(Name) != 0; });
  consumeError(E.takeError());
  return false;
}

/// The scalars whose values do not depend on the size, with their pools.
std::vector<FreeScalar> freeScalars(const TestPlan &P, const LaunchFile &F,
                                    const KernelShape &Shape, const DataRules &Rules) {
  const launch::Bindings Fixed = fixedNames(F);
  std::vector<FreeScalar> Scalars;
  const std::set<std::string> Divisors = divisorsIn(P.Request->Original.Source);
  for (unsigned I = 0; I < F.Args.size(); ++I) {
    const Argument &A = F.Args[I];
    const ElementType &T = Shape.Params[I].Type;
    if (A.K != Argument::Kind::Scalar || A.Value.size() != 1 || T.K == ElementType::Kind::Raw)
      continue;
    Expected<std::string> Text = scalarText(A.Value.front(), Fixed);
    if (!Text) {
      consumeError(Text.takeError()); // depends on the size
      continue;
    }
    FreeScalar S;
    S.Index = I;
    S.Declared = *Text;
    S.InAddress = P.Facts.Addresses.Scalars.count(I) || P.Facts.Exits.Scalars.count(I);
    // The choice of sizes varies it, together with what is tied to it.
    if (S.InAddress && dependsOnSize(F, A.Value.front()))
      continue;
    if (T.isFloat()) {
      addFloats(S, P.Constants, Rules);
      addDeciding(S, T, P.Facts);
      addDecidingBits(S, T, P, &F - P.Request->Launches.data());
    } else {
      int64_t Declared = 0;
      (void)StringRef(*Text).getAsInteger(0, Declared);
      addIntegers(S, Declared, P.Constants);
      addDeciding(S, T, P.Facts);
      for (int64_t Value : rareScalars(P, &F - P.Request->Launches.data(), I, T.bits()))
        S.addRare(std::to_string(Value));
      addWidths(S);
      // A divisor must not be 0 or -1; nor 1, where the kernel divides by one less.
      if (Divisors.count(Shape.Params[I].Name) || Divisors.count(A.Name))
        keepIf(S, [](int64_t Value) { return Value >= 2; });
      // A trip count: the original would run for minutes.
      constexpr int64_t MostTrips = 257;
      if (P.Facts.Exits.Scalars.count(I))
        llvm::erase_if(S.Rare, [](const std::string &Value) {
          int64_t V = 0;
          return !StringRef(Value).getAsInteger(0, V) && (V > MostTrips || V < 0);
        });
    }
    if (!S.Pool.empty())
      Scalars.push_back(std::move(S));
  }
  return Scalars;
}

/// True if `require` holds with the values of \p V at a listed size.
bool isAllowed(const LaunchFile &F, const ScalarVariant &V) {
  if (F.Require.empty())
    return true;
  return any_of(F.Sizes, [&](const launch::Size &At) {
    Expected<launch::Bindings> Integers = launch::integerArgumentsAt(F, At);
    if (!Integers) {
      consumeError(Integers.takeError());
      return false;
    }
    for (const auto &[Index, Text] : V)
      if (std::optional<int64_t> Value = integerValue(Text, launch::bindingsAt(F, At)))
        (*Integers)[F.Args[Index].Name] = *Value;
    Expected<bool> Met = launch::meetsRequirements(F, At, &*Integers);
    if (Met)
      return *Met;
    consumeError(Met.takeError());
    return false;
  });
}

/// Pairs of scalar arguments that either program compares with each other.
std::set<std::pair<unsigned, unsigned>> relatedScalars(const ProgramFacts &Facts) {
  std::set<std::pair<unsigned, unsigned>> Pairs;
  auto add = [&Pairs](const std::set<unsigned> &A, const std::set<unsigned> &B) {
    for (unsigned X : A)
      for (unsigned Y : B)
        if (X != Y)
          Pairs.insert(std::minmax(X, Y));
  };
  for (const auto &[A, B] : Facts.Compared)
    add(A.Scalars, B.Scalars);
  for (const ConstantUse &C : Facts.Constants) // a - b == 0
    if (C.K == ConstantUse::Kind::Compared)
      add(C.With.Scalars, C.With.Scalars);
  return Pairs;
}

/// Values that make scalars equal, or one apart.
std::vector<ScalarVariant> relations(const TestPlan &P, const LaunchFile &F,
                                     ArrayRef<FreeScalar> Scalars) {
  auto find = [&](unsigned Index) -> const FreeScalar * {
    auto It = find_if(Scalars, [&](const FreeScalar &S) { return S.Index == Index; });
    return It == Scalars.end() ? nullptr : &*It;
  };
  std::vector<ScalarVariant> All;
  for (const auto &[A, B] : relatedScalars(P.Facts)) {
    const FreeScalar *X = find(A), *Y = find(B);
    if (!X && !Y)
      continue;
    if (!X)
      std::swap(X, Y);
    const unsigned Other = X->Index == A ? B : A;
    if (Other >= F.Args.size() || F.Args[Other].K != Argument::Kind::Scalar ||
        F.Args[Other].Value.size() != 1)
      continue;
    const std::string Text = Y ? Y->Declared : F.Args[Other].Value.front();
    All.push_back({{X->Index, Text}});
    if (launch::isFloatLiteral(Text))
      continue;
    for (const char *Step : {" - 1", " + 1"})
      All.push_back({{X->Index, "(" + Text + ")" + Step}});
    if (Y)
      for (const std::string &Value : {std::string("5"), std::string("0"), Y->Pool.front()})
        if (is_contained(X->Pool, Value) || Value == "5")
          All.push_back({{X->Index, Value}, {Y->Index, Value}});
  }
  return All;
}

/// Variants that are run once: each rare value, and relations. Scalars in addresses and trip counts
/// are varied alone, so that an invalid access costs no other value.
std::vector<ScalarVariant> rareVariants(const TestPlan &P, const LaunchFile &F,
                                        ArrayRef<FreeScalar> Scalars) {
  std::vector<ScalarVariant> All = relations(P, F, Scalars);
  size_t Longest = 0;
  for (const FreeScalar &S : Scalars)
    Longest = std::max(Longest, S.Rare.size());
  for (size_t I = 0; I < Longest; ++I) {
    ScalarVariant Together;
    for (size_t S = 0; S < Scalars.size(); ++S) {
      const std::vector<std::string> &Rare = Scalars[S].Rare;
      if (Rare.empty())
        continue;
      if (!Scalars[S].InAddress)
        Together[Scalars[S].Index] = Rare[(I + 3 * S) % Rare.size()];
      else if (I < Rare.size())
        All.push_back({{Scalars[S].Index, Rare[I]}});
    }
    if (!Together.empty())
      All.push_back(std::move(Together));
  }
  return All;
}

/// The values of the pool for which no variant was left are run once.
void addUnused(FreeScalar &S, ArrayRef<ScalarVariant> Chosen) {
  std::vector<std::string> Unused;
  for (const std::string &Value : S.Pool)
    if (none_of(Chosen, [&](const ScalarVariant &V) {
          auto It = V.find(S.Index);
          return It != V.end() && It->second == Value;
        }))
      Unused.push_back(Value);
  S.Rare.insert(S.Rare.begin(), Unused.begin(), Unused.end());
}

/// True if the launch file has no variables and an earlier one has the same build options: a launch
/// that was recorded. It runs with its own scalars only; the earlier file has the other values.
bool isAsRecorded(const TestPlan &P, unsigned Launch) {
  const std::vector<LaunchFile> &All = P.Request->Launches;
  const LaunchFile &F = All[Launch];
  const bool HasVariables = any_of(F.Sizes, [](const launch::Size &At) { return !At.empty(); });
  return !HasVariables && any_of(ArrayRef(All).take_front(Launch), [&F](const LaunchFile &Other) {
    return Other.Options == F.Options && Other.Defines == F.Defines;
  });
}

} // namespace

std::vector<std::string> scalarTexts(const TestPlan &P, const TestInput &In, unsigned Index) {
  const ScalarVariant &Variant = P.Launches[In.Launch].Variants[In.Variant];
  auto Varied = Variant.find(Index);
  if (Varied != Variant.end())
    return {Varied->second};
  return P.Request->Launches[In.Launch].Args[Index].Value;
}

Expected<Bytes> scalarBytes(const Argument &A, const ElementType &T, ArrayRef<std::string> Texts,
                            const launch::Bindings &Values) {
  Bytes Out(T.Size, 0);
  ElementType One = T;
  unsigned Lanes = T.Lanes;
  if (T.K == ElementType::Kind::Raw) {
    One.K = ElementType::Kind::Unsigned;
    One.ScalarBytes = 1;
    Lanes = T.Size;
  }
  // A single 0 stands for all bytes of a struct, and for a null buffer.
  const bool ForAll = Texts.size() == 1 && (T.K != ElementType::Kind::Raw || Texts.front() == "0");
  if (Texts.size() != Lanes && !ForAll)
    return failure("argument '" + A.Name + "' takes " + Twine(Lanes) +
                   (T.K == ElementType::Kind::Raw ? " bytes" : " components") +
                   ", and value gives " + Twine(Texts.size()));
  for (unsigned L = 0; L < Lanes; ++L) {
    Expected<std::string> Text = scalarText(Texts[Texts.size() == 1 ? 0 : L], Values);
    if (!Text)
      return failure("argument '" + A.Name + "': " + llvm::toString(Text.takeError()));
    if (Error E = parseScalar(One, *Text, &Out[L * One.ScalarBytes]))
      return failure("argument '" + A.Name + "': " + llvm::toString(std::move(E)));
  }
  return Out;
}

std::optional<int64_t> integerValue(const std::string &Text, const launch::Bindings &Values) {
  if (launch::isFloatLiteral(Text))
    return std::nullopt;
  Expected<launch::Expression> E = launch::Expression::parse(Text);
  Expected<int64_t> V = E ? E->evaluate(Values) : Expected<int64_t>(E.takeError());
  if (V)
    return *V;
  consumeError(V.takeError());
  return std::nullopt;
}

void chooseVariants(TestPlan &P, unsigned Launch) {
  const LaunchFile &F = P.Request->Launches[Launch];
  TestPlan::PerLaunch &L = P.Launches[Launch];
  std::vector<ScalarVariant> &All = L.Variants;
  All.assign(1, {});
  L.Thorough = 1;
  if (P.Request->Options.Without.count("scalars") || isAsRecorded(P, Launch))
    return;
  std::vector<FreeScalar> Scalars = freeScalars(P, F, L.Shape, L.Rules);
  if (Scalars.empty())
    return;
  Random Rng(mixSeed(P.Request->Options.Seed, "scalars"));
  size_t Longest = 0;
  for (const FreeScalar &S : Scalars)
    Longest = std::max(Longest, S.Pool.size());
  // Each value once; then random combinations of values, more of them where `require` may forbid
  // most.
  const unsigned Draws = F.Require.empty() ? MostVariants : 40 * MostVariants;
  for (unsigned I = 0; All.size() < MostVariants && I < Longest + Draws; ++I) {
    ScalarVariant V;
    for (unsigned S = 0; S < Scalars.size(); ++S) {
      const std::vector<std::string> &Pool = Scalars[S].Pool;
      // Other pitches and trip counts mostly give invalid accesses.
      if (Scalars[S].InAddress && I % InAddressEach != 0)
        continue;
      if (I < Longest)
        V[Scalars[S].Index] = Pool[(I + 2 * S) % Pool.size()];
      else if (Rng.below(4) != 0)
        V[Scalars[S].Index] = Pool[Rng.below(Pool.size())];
    }
    if (!V.empty() && !is_contained(All, V) && isAllowed(F, V))
      All.push_back(std::move(V));
  }
  L.Thorough = All.size();
  for (FreeScalar &S : Scalars)
    addUnused(S, All);
  for (ScalarVariant &V : rareVariants(P, F, Scalars))
    if (All.size() < L.Thorough + MostRareVariants && !is_contained(All, V) && isAllowed(F, V))
      All.push_back(std::move(V));
}

} // namespace clmali::verify
