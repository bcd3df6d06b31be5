// Large sizes, and sizes at which a constant of either program decides something.
//
//   before   the facts of both programs, the listed sizes
//   after    for each variable its targets, each with values for the other variables
//   limits   what takes too long is left out when it is run (Worker.cpp)
#include "rewriters/verify/cases/Relations.h"
#include "rewriters/verify/cases/Sizes.h"
#include "rewriters/verify/cases/Solve.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <numeric>
#include <set>

using namespace llvm;

namespace clmali::verify {
namespace {

using launch::LaunchFile;

constexpr uint64_t MostItems = uint64_t(1) << 21;
constexpr uint64_t MostBytes = uint64_t(64) << 20;
/// For each launch file, besides the fixed targets.
constexpr size_t MostFromConstants = 28;
/// Beyond the sizes at which nearly all is tail or one block; primes, one above a power of two, and
/// beyond 2^15 and 2^16.
constexpr int64_t FixedTargets[] = {97, 257, 1021, 4099, 33000, 70001};
/// For variables that give no number of work-items, but bound loops.
constexpr int64_t MostTrips = 4099;
/// The same where a constant says that the number decides something.
constexpr int64_t MostTripsOfConstants = int64_t(1) << 17;

/// True if the variable gives a number of work-items.
bool isOfRange(const LaunchFile &F, const std::string &Variable) {
  return any_of(F.Global,
                [&](const launch::Expression &E) { return is_contained(E.names(), Variable); });
}

/// A value for one variable.
struct Target {
  std::string Variable;
  int64_t Value;
};

/// The values of one constant that decide something, the least likely to be met otherwise first.
class TargetList {
public:
  TargetList(const TestPlan &P, unsigned Launch) : P(P), F(P.Request->Launches[Launch]) {
    for (const auto &[Name, Blocks] : P.Blocks)
      for (uint64_t Factor : Blocks.Factor)
        Block = std::max(Block, static_cast<int64_t>(Factor));
    for (const auto &[Name, Value] : F.Sizes.front())
      Names.push_back(Name);
  }

  std::vector<Target> run() {
    for (const ConstantUse &C : P.Facts.Constants)
      addConstant(C);
    for (const launch::ManifestLaunch &L : P.Request->Manifest.Launches)
      for (int64_t C : scanConstants(L.When.text()).Integers)
        addAround(C, Names);
    addResidues();
    // Constants in turn: the first value of each, then the second of each.
    std::vector<Target> All;
    for (size_t I = 0; All.size() < MostFromConstants; ++I) {
      bool Any = false;
      for (const std::vector<Target> &One : Lists)
        if (I < One.size() && All.size() < MostFromConstants) {
          Any = true;
          if (none_of(All, [&](const Target &T) {
                return T.Variable == One[I].Variable && T.Value == One[I].Value;
              }))
            All.push_back(One[I]);
        }
      if (!Any)
        break;
    }
    return All;
  }

  /// A whole block beyond constants above 64; after run().
  std::vector<Target> Beyond;

private:
  /// The variables that \p O depends on: of a scalar argument, those that its value names; of an
  /// id, all.
  std::vector<std::string> variablesOf(const Origin &O) const {
    if (O.Id || O.Group)
      return Names;
    std::vector<std::string> Variables;
    for (unsigned Index : O.Scalars)
      if (Index < F.Args.size() && F.Args[Index].K == launch::Argument::Kind::Scalar)
        for (const std::string &Text : F.Args[Index].Value)
          for (const std::string &Name : namesIn(Text))
            if (is_contained(Names, Name) && !is_contained(Variables, Name))
              Variables.push_back(Name);
    return Variables;
  }

  /// Of an integer expression; a float literal has none.
  static std::vector<std::string> namesIn(const std::string &Text) {
    Expected<launch::Expression> E = launch::Expression::parse(Text);
    if (E)
      return E->names();
    consumeError(E.takeError());
    return {};
  }

  void add(std::vector<Target> &List, ArrayRef<std::string> Variables, int64_t Value) const {
    for (const std::string &Variable : Variables)
      if (Value >= 1 && (Value <= MostTripsOfConstants || isOfRange(F, Variable)))
        List.push_back({Variable, Value});
  }
  /// Sizes at which a variable is C, C + 1, C - 1, or C plus or minus one block.
  void addAround(int64_t C, ArrayRef<std::string> Variables) {
    if (C < 2 || Variables.empty())
      return;
    constexpr size_t MostBeyond = 8;
    for (const std::string &Variable : Variables)
      if (C > 64 && Beyond.size() < MostBeyond)
        Beyond.push_back({Variable, C + 2 * Block});
    std::vector<Target> List;
    for (int64_t Step : {int64_t(0), int64_t(1), int64_t(-1), Block, -Block})
      add(List, Variables, C + Step);
    Lists.push_back(std::move(List));
  }

  void addConstant(const ConstantUse &C) {
    const std::vector<std::string> Variables = variablesOf(C.With);
    const int64_t Value = C.IsFloat ? 0 : C.value();
    if (Variables.empty() || Value == 0)
      return;
    switch (C.K) {
    case ConstantUse::Kind::Compared:
      addAround(Value, Variables);
      Largest = std::max(Largest, Value < int64_t(MostItems) ? Value : 0);
      if (Value > 0)
        Residues.insert(Value);
      // A group id is met from this many work-items on.
      if (C.With.Group && Value < int64_t(MostItems))
        addAround((Value + 1) * groupSize(), Variables);
      break;
    case ConstantUse::Kind::Offset: // where the sum passes zero
      addAround(Value < 0 ? -Value : Value, Variables);
      break;
    case ConstantUse::Kind::Factor: {
      // Where the product changes its sign, and where it wraps.
      const uint64_t Factor = Value < 0 ? uint64_t(0) - static_cast<uint64_t>(Value) : Value;
      std::vector<Target> List;
      for (uint64_t Limit : {uint64_t(1) << 31, uint64_t(1) << 32, uint64_t(1) << 16})
        if (Factor > 1 && Limit / Factor > 1)
          add(List, Variables, static_cast<int64_t>(Limit / Factor) + 2 * Block + 1);
      Lists.push_back(std::move(List));
      break;
    }
    case ConstantUse::Kind::Divisor:
      if (Value > 1)
        for (const std::string &Variable : Variables)
          Moduli.insert({Value, Variable});
      break;
    }
  }

  /// Sizes beyond every comparison with each residue of interest: 0, 1, -1, and the constants.
  void addResidues() {
    for (const auto &[Modulus, Variable] : Moduli) {
      if (Modulus > int64_t(MostItems))
        continue;
      // Every quotient and residue up to the modulus itself.
      addAround(Modulus, {Variable});
      if (Modulus > 1 << 16)
        continue;
      const int64_t Base = (std::max<int64_t>(Largest, 1024) / Modulus + 1) * Modulus;
      std::vector<Target> List;
      for (int64_t Residue : {int64_t(1), int64_t(0), Modulus - 1})
        add(List, {Variable}, Base + Residue);
      for (int64_t Residue : Residues)
        if (Residue > 1 && Residue + 1 < Modulus && List.size() < 6)
          add(List, {Variable}, Base + Residue);
      Lists.push_back(std::move(List));
    }
  }

  int64_t groupSize() const {
    Expected<launch::Geometry> G = launch::geometryAt(F, F.Sizes.front());
    if (!G) {
      consumeError(G.takeError());
      return 1;
    }
    return std::max<int64_t>(G->Local[0], 1);
  }

  const TestPlan &P;
  const LaunchFile &F;
  std::vector<std::string> Names;
  int64_t Block = 1;
  int64_t Largest = 0; ///< that a size, or an id, is compared with
  std::set<int64_t> Residues;
  std::set<std::pair<int64_t, std::string>> Moduli;
  std::vector<std::vector<Target>> Lists;
};

/// Makes sizes of targets.
class Placement {
public:
  Placement(const TestPlan &P, unsigned Launch, ArrayRef<ChosenSize> Chosen)
      : P(P), Launch(Launch), F(P.Request->Launches[Launch]), Relations(F) {
    for (const ChosenSize &C : Chosen)
      Seen.insert(C.At);
  }

  /// What the other variables are.
  enum class Others {
    Small,   ///< so that a target is an extreme ratio too
    Ordered, ///< small, in the order that they have in every listed size (a pitch of at least the
             ///< width)
    Listed   ///< as in a listed size
  };
  /// Takes the first valid size of those; of the others, if there is none.
  void place(const Target &T, Others First) {
    for (int64_t Value : {T.Value, roundedUp(T)})
      for (Others How : {First, Others::Small, Others::Listed})
        if (consider(sizeOf(T.Variable, Value, How), T.Variable))
          return;
  }
  /// With several values of the other variables: what happens at a constant may depend on them.
  void placeWithOthers(const Target &T) {
    for (const launch::Size &Listed : F.Sizes) {
      launch::Size S = Listed;
      S[T.Variable] = T.Value;
      consider(S, T.Variable);
      if (&Listed - F.Sizes.data() == 2)
        break;
    }
    for (int64_t Other : {37, 129, 1000}) {
      launch::Size S;
      for (const auto &[Name, Ignored] : F.Sizes.front())
        S[Name] = Name == T.Variable ? T.Value : Other;
      consider(S, T.Variable);
    }
  }
  void place(const RareSize &R) {
    constexpr int64_t Small[] = {3, 1, 17};
    if (consider(R.At, R.Variable))
      return;
    for (int64_t Other : Small) { // the size with the others as listed is too large
      launch::Size S = R.At;
      for (auto &[Name, Value] : S)
        if (Name != R.Variable && !is_contained(R.Others, Name))
          Value = Other;
      if (consider(S, R.Variable))
        return;
    }
  }
  /// \p Keep: the variable that the size is for.
  bool consider(const launch::Size &Drawn, StringRef Keep = "") {
    const launch::Size S = Relations.settled(Drawn, /*OnlyRequire=*/All.size() % 8 == 7, Keep);
    if (Seen.count(S))
      return true;
    Expected<InputShape> Shape = shapeOf(P, Launch, S, 0);
    if (!Shape) {
      consumeError(Shape.takeError());
      return false;
    }
    const uint64_t MostInGroup = P.Launches[Launch].Shape.MostItems;
    const std::array<uint64_t, 3> &Local = Shape->Original.Local;
    if (Shape->Original.items() > MostItems || Shape->Bytes > MostBytes ||
        (MostInGroup && Local[0] * Local[1] * Local[2] > MostInGroup))
      return false;
    Seen.insert(S);
    All.push_back({S, std::move(*Shape), false});
    return true;
  }
  std::vector<ChosenSize> take() { return std::move(All); }

private:
  /// To the next multiple of what all listed values of the variable are multiples of.
  int64_t roundedUp(const Target &T) const {
    int64_t Common = 0;
    for (const launch::Size &S : F.Sizes)
      Common = std::gcd(Common, S.at(T.Variable));
    return Common > 0 ? (T.Value + Common - 1) / Common * Common : T.Value;
  }

  launch::Size sizeOf(const std::string &Variable, int64_t Value, Others How) {
    constexpr int64_t Values[] = {3, 1, 2, 5};
    launch::Size S = F.Sizes[Turn % F.Sizes.size()];
    for (auto &[Name, Other] : S) {
      if (Name == Variable) {
        Other = Value;
        continue;
      }
      if (How != Others::Listed)
        Other = Values[Turn++ % std::size(Values)];
      if (How == Others::Ordered && all_of(F.Sizes, [&, &Name = Name](const launch::Size &L) {
            return L.at(Variable) <= L.at(Name);
          }))
        Other = std::max(Other, Value);
    }
    return S;
  }

  const TestPlan &P;
  unsigned Launch;
  const LaunchFile &F;
  const SizeRelations Relations;
  std::set<launch::Size> Seen;
  std::vector<ChosenSize> All;
  size_t Turn = 0;
};

} // namespace

bool keepsOrder(const LaunchFile &F, const launch::Size &At) {
  for (const auto &[A, Value] : At)
    for (const auto &[B, Other] : At)
      if (Value > Other && all_of(F.Sizes, [&, &A = A, &B = B](const launch::Size &L) {
            return L.at(A) <= L.at(B);
          }))
        return false;
  return true;
}

std::vector<ChosenSize> largeSizes(const TestPlan &P, unsigned Launch,
                                   ArrayRef<ChosenSize> Chosen) {
  const LaunchFile &F = P.Request->Launches[Launch];
  const launch::Size &First = F.Sizes.front();
  Placement Sizes(P, Launch, Chosen);
  for (const auto &[Name, Ignored] : First)
    for (int64_t Value : FixedTargets) {
      if (Value > MostTrips && !isOfRange(F, Name))
        continue;
      Sizes.place({Name, Value}, Placement::Others::Small);
      if (First.size() > 1)
        Sizes.place({Name, Value}, Placement::Others::Ordered);
    }
  if (First.size() > 1) { // squares, and cubes
    for (int64_t Edge : {65, 257}) {
      launch::Size S = First;
      for (auto &[Name, Value] : S)
        Value = Edge;
      Sizes.consider(S);
    }
  }
  constexpr Placement::Others Ways[] = {Placement::Others::Listed, Placement::Others::Small,
                                        Placement::Others::Ordered};
  size_t Way = 0;
  TargetList Targets(P, Launch);
  for (const Target &T : Targets.run())
    Sizes.place(T, Ways[Way++ % std::size(Ways)]);
  for (const Target &T : Targets.Beyond)
    if (First.size() > 1 && isOfRange(F, T.Variable))
      Sizes.placeWithOthers(T);
  constexpr size_t MostRare = 24;
  const std::vector<RareSize> Rare = rareSizes(P, Launch);
  for (const RareSize &R : ArrayRef(Rare).take_front(MostRare))
    Sizes.place(R);
  std::vector<ChosenSize> All = Sizes.take();
  // Those that may take too long come last: many work-items, or many iterations of each.
  auto work = [](const ChosenSize &S) {
    double Product = 1;
    for (const auto &[Name, Value] : S.At)
      Product *= static_cast<double>(std::max<int64_t>(Value, 1));
    return std::max(Product, static_cast<double>(S.Shape.Original.items()));
  };
  llvm::stable_sort(All,
                    [&](const ChosenSize &A, const ChosenSize &B) { return work(A) < work(B); });
  return All;
}

} // namespace clmali::verify
