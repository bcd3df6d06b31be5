#include "rewriters/verify/cases/Scalars.h"

#include "rewriters/verify/cases/Divisors.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/Twine.h"

#include <set>

using namespace llvm;

namespace clmali::verify {
namespace {

using launch::Argument;
using launch::LaunchFile;

constexpr unsigned MostVariants = 14;
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

  void add(std::string Value) {
    if (!is_contained(Pool, Value))
      Pool.push_back(std::move(Value));
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

/// The scalars whose values do not depend on the size, with their pools.
std::vector<FreeScalar> freeScalars(const TestPlan &P, const LaunchFile &F,
                                    const KernelShape &Shape, const DataRules &Rules) {
  launch::Bindings Fixed;
  for (const auto &[Name, Text] : F.Defines) {
    int64_t Value;
    if (!StringRef(Text).getAsInteger(0, Value))
      Fixed[Name] = Value;
  }
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
    if (T.isFloat()) {
      addFloats(S, P.Constants, Rules);
    } else {
      int64_t Declared = 0;
      (void)StringRef(*Text).getAsInteger(0, Declared);
      addIntegers(S, Declared, P.Constants);
      // A divisor must not be 0 or -1; nor 1, where the kernel divides by one less.
      if (Divisors.count(Shape.Params[I].Name) || Divisors.count(A.Name))
        llvm::erase_if(S.Pool, [](const std::string &Value) {
          int64_t V = 0;
          return StringRef(Value).getAsInteger(0, V) || V < 2;
        });
    }
    if (S.Pool.empty())
      continue;
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
      if (int64_t Value; !StringRef(Text).getAsInteger(0, Value))
        (*Integers)[F.Args[Index].Name] = Value;
    Expected<bool> Met = launch::meetsRequirements(F, At, &*Integers);
    if (Met)
      return *Met;
    consumeError(Met.takeError());
    return false;
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
  if (Texts.size() != Lanes && !(Texts.size() == 1 && T.K != ElementType::Kind::Raw))
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

std::vector<ScalarVariant> scalarVariants(const TestPlan &P, const LaunchFile &F,
                                          const KernelShape &Shape, const DataRules &Rules) {
  std::vector<ScalarVariant> All(1);
  const std::vector<FreeScalar> Scalars = freeScalars(P, F, Shape, Rules);
  if (Scalars.empty())
    return All;
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
      if (I < Longest)
        V[Scalars[S].Index] = Pool[(I + 2 * S) % Pool.size()];
      else if (Rng.below(4) != 0)
        V[Scalars[S].Index] = Pool[Rng.below(Pool.size())];
    }
    if (!V.empty() && !is_contained(All, V) && isAllowed(F, V))
      All.push_back(std::move(V));
  }
  return All;
}

} // namespace clmali::verify
