#include "rewriters/verify/cases/Solve.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/bit.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

using namespace llvm;

namespace clmali::verify {
namespace {

using launch::Expression;
using launch::LaunchFile;
using Op = Condition::Op;
using Input = Condition::Input;

/// Of the values that are looked at first, fewer than one in so many are rare.
constexpr uint64_t Looked = 256, RareShare = 32;
constexpr uint64_t MostOfRange = uint64_t(1) << 21, MostOfOthers = 8192;
/// Evaluations for one launch file: some tenths of a second.
constexpr uint64_t MostEvaluations = uint64_t(1) << 22;
constexpr unsigned MostSolutions = 3; ///< of one search
constexpr uint64_t LongestRun = 64;   ///< of values that are rounded alike
/// Where a search has found a value, it ends here at the latest, or at so many times the value.
constexpr uint64_t MostFurther = uint64_t(1) << 16;

/// A condition over the variables of `sizes`: those are its scalars, by their number.
class Bound {
public:
  Bound(const LaunchFile &F, ArrayRef<std::string> Names) : F(F), Names(Names) {}
  /// The sizes of a kernel's launch are those of \p L in the manifest.
  Bound(const LaunchFile &F, ArrayRef<std::string> Names, const launch::ManifestLaunch &L)
      : F(F), Names(Names), Launched(&L) {}

  /// False where an argument is no integer expression.
  bool bind(const Condition &C) {
    std::vector<unsigned> Number;
    for (const Condition::Node &N : C.Nodes) {
      Condition::Node M = N;
      if (N.K == Op::Leaf) {
        std::optional<unsigned> Value = input(C.Leaves[N.A]);
        if (!Value)
          return false;
        M = {Op::Truncate, N.Width, *Value, 0, 0, 64};
      } else if (N.K != Op::Constant) {
        M.A = Number[N.A];
        M.B = Number[N.B];
        M.C = Number[N.C];
      }
      Number.push_back(add(M));
    }
    return true;
  }

  /// The node of \p E, in 64 bits. \p Geometry: names are those of a manifest.
  std::optional<unsigned> bind(const Expression &E, bool Geometry) {
    std::vector<unsigned> Number;
    for (const Expression::Node &N : E.nodes()) {
      std::optional<unsigned> One = node(N, Number, Geometry);
      if (!One)
        return std::nullopt;
      Number.push_back(*One);
    }
    return Number.back();
  }

  Condition Result;

private:
  unsigned add(Condition::Node N) {
    Result.Nodes.push_back(N);
    return Result.Nodes.size() - 1;
  }
  unsigned op(Op K, unsigned A, unsigned B = 0, unsigned C = 0) { return add({K, 64, A, B, C, 0}); }
  unsigned constant(int64_t Value) {
    return add({Op::Constant, 64, 0, 0, 0, static_cast<uint64_t>(Value)});
  }
  unsigned leaf(Input In) {
    auto It = find(Result.Leaves, In);
    const unsigned Index = It - Result.Leaves.begin();
    if (It == Result.Leaves.end())
      Result.Leaves.push_back(In);
    return op(Op::Leaf, Index);
  }

  std::optional<unsigned> input(const Input &In) {
    if (In.K == Input::Kind::Id)
      return leaf(In);
    if (In.K == Input::Kind::Loaded)
      return std::nullopt;
    if (In.K == Input::Kind::Size) {
      const std::vector<Expression> &Global = Launched ? Launched->Global : F.Global;
      return In.Number < Global.size() ? bind(Global[In.Number], Launched != nullptr) : constant(1);
    }
    return In.Number < F.Args.size() ? argument(F.Args[In.Number]) : std::nullopt;
  }
  std::optional<unsigned> argument(const launch::Argument &A) {
    if (A.K != launch::Argument::Kind::Scalar || A.Value.size() != 1 ||
        launch::isFloatLiteral(A.Value.front()))
      return std::nullopt;
    Expected<Expression> E = Expression::parse(A.Value.front());
    if (E)
      return bind(*E, false);
    consumeError(E.takeError());
    return std::nullopt;
  }

  std::optional<unsigned> name(const std::string &Name, bool Geometry) {
    if (Geometry && launch::isReservedName(Name)) {
      const auto &List = Name[0] == 'g' ? F.Global : Name[0] == 'l' ? F.Local : F.Offset;
      const unsigned D = Name[1] - 'x';
      return D < List.size() ? bind(List[D], false) : constant(Name[0] == 'g' ? 1 : 0);
    }
    if (Geometry)
      if (const launch::Argument *A = F.findArgument(Name))
        return argument(*A);
    if (auto It = find(Names, Name); It != Names.end())
      return leaf({Input::Kind::Scalar, static_cast<unsigned>(It - Names.begin())});
    for (const auto &[Define, Text] : F.Defines)
      if (int64_t Value; Define == Name && !StringRef(Text).trim().getAsInteger(0, Value))
        return constant(Value);
    return std::nullopt;
  }

  std::optional<unsigned> node(const Expression::Node &N, ArrayRef<unsigned> Number,
                               bool Geometry) {
    using Kind = Expression::Op;
    if (N.Kind == Kind::Number)
      return constant(N.Value);
    if (N.Kind == Kind::Name)
      return name(N.Name, Geometry);
    const unsigned A = Number[N.Left], B = N.Kind == Kind::Negate ? A : Number[N.Right];
    auto truth = [this](unsigned X) { return op(Op::Not, op(Op::Not, X)); };
    switch (N.Kind) {
    case Kind::Number:
    case Kind::Name:
      break;
    case Kind::Negate:
      return op(Op::Subtract, constant(0), A);
    case Kind::Add:
      return op(Op::Add, A, B);
    case Kind::Subtract:
      return op(Op::Subtract, A, B);
    case Kind::Multiply:
      return op(Op::Multiply, A, B);
    case Kind::Divide:
      return op(Op::SignedDivide, A, B);
    case Kind::Remainder:
      return op(Op::SignedRemainder, A, B);
    case Kind::Less:
      return op(Op::LessSigned, A, B);
    case Kind::Greater:
      return op(Op::LessSigned, B, A);
    case Kind::LessEqual:
      return op(Op::Not, op(Op::LessSigned, B, A));
    case Kind::GreaterEqual:
      return op(Op::Not, op(Op::LessSigned, A, B));
    case Kind::Equal:
      return op(Op::Equal, A, B);
    case Kind::NotEqual:
      return op(Op::Not, op(Op::Equal, A, B));
    case Kind::And:
      return op(Op::And, truth(A), truth(B));
    case Kind::Or:
      return op(Op::Or, truth(A), truth(B));
    case Kind::RoundUp:
      return op(Op::RoundUp, A, B);
    case Kind::Minimum:
      return op(Op::Select, op(Op::LessSigned, A, B), A, B);
    case Kind::Maximum:
      return op(Op::Select, op(Op::LessSigned, A, B), B, A);
    }
    return std::nullopt;
  }

  const LaunchFile &F;
  ArrayRef<std::string> Names;
  const launch::ManifestLaunch *Launched = nullptr;
};

unsigned widthOf(const Condition &C, size_t Leaf) {
  auto It =
      find_if(C.Nodes, [&](const Condition::Node &N) { return N.K == Op::Leaf && N.A == Leaf; });
  return It == C.Nodes.end() ? 64 : It->Width;
}

/// The bits of a number with few digits: 0, -0, 1/8, -1/8, 2/8 ..
uint64_t shortFloat(uint64_t Number, unsigned Width) {
  const double Value = static_cast<double>(Number / 2) / (Number % 2 ? -8 : 8);
  return Width == 32 ? bit_cast<uint32_t>(static_cast<float>(Value)) : bit_cast<uint64_t>(Value);
}

/// Searches one input of a condition.
class Search {
public:
  explicit Search(uint64_t Evaluations) : Left(Evaluations) {}

  /// Values of input \p Index, ascending from \p From, at which \p C decides as it does at few of
  /// the first ones. Each is some times the one before, or ends a short run that the one before
  /// begins: where sizes are rounded, some effects show at the end only.
  std::vector<uint64_t> run(const Condition &C, std::vector<uint64_t> Inputs, size_t Index,
                            uint64_t From, uint64_t Most) {
    const bool Float = C.isFloat(Index);
    if (Float) {
      From = 0;
      Most = MostFurther;
    }
    auto at = [&](uint64_t Value) {
      Inputs[Index] = Float ? shortFloat(Value, widthOf(C, Index)) : Value;
      std::optional<uint64_t> V = C.evaluate(Inputs, Scratch);
      return V && *V != 0;
    };
    uint64_t True = 0;
    for (uint64_t Value = From; Value < From + Looked; ++Value)
      True += at(Value);
    const bool Rare = True < Looked / 2;
    if (const uint64_t Times = Rare ? True : Looked - True; Times * RareShare >= Looked)
      return {};
    std::vector<uint64_t> Found;
    unsigned Runs = 0;
    uint64_t Next = 0;
    for (uint64_t Value = From; Value <= Most && Left > 0; ++Value, --Left) {
      if (Found.empty() && Value == From + MostFurther && isOrdered(C)) {
        // A bound beyond this one is passed once.
        if (std::optional<uint64_t> Bound = firstBeyond(Value, Most, Rare, at))
          Found.push_back(*Bound);
        break;
      }
      if (at(Value) == Rare && Value >= Next) {
        Found.push_back(Inputs[Index]);
        uint64_t Last = Value;
        while (!Float && Last < Value + LongestRun && at(Last + 1) == Rare)
          ++Last;
        if (Last != Value && Last != Value + LongestRun)
          Found.push_back(Last);
        if (++Runs == MostSolutions)
          break;
        Next = std::max(8 * Value, Value + Looked);
        Most = std::min(Most, std::max(MostFurther, 64 * Value));
      }
    }
    return Found;
  }

private:
  static bool isOrdered(const Condition &C) {
    const Condition::Node &Root = C.Nodes.back();
    const Op K = Root.K == Op::Not ? C.Nodes[Root.A].K : Root.K;
    return K == Op::Less || K == Op::LessSigned || K == Op::FloatLess;
  }
  /// The first value at which \p At is \p Wanted, if it is so from there to the next power of two
  /// times \p From.
  static std::optional<uint64_t> firstBeyond(uint64_t From, uint64_t Most, bool Wanted,
                                             function_ref<bool(uint64_t)> At) {
    for (uint64_t Low = std::max<uint64_t>(From, 1), High = 2 * Low; High <= Most;
         Low = High, High *= 2) {
      if (At(High) != Wanted)
        continue;
      while (High - Low > 1) {
        const uint64_t Middle = Low + (High - Low) / 2;
        (At(Middle) == Wanted ? High : Low) = Middle;
      }
      return High;
    }
    return std::nullopt;
  }

  uint64_t Left;
  std::vector<uint64_t> Scratch;
};

/// Rare sizes of one launch file.
class SizeSolver {
public:
  SizeSolver(const TestPlan &P, unsigned Launch) : P(P), F(P.Request->Launches[Launch]) {
    for (const auto &[Name, Value] : F.Sizes.front())
      Names.push_back(Name);
    // Few work-items besides: Oclgrind can look at them.
    Bases = F.Sizes;
    llvm::stable_sort(Bases, [](const launch::Size &A, const launch::Size &B) {
      auto product = [](const launch::Size &S) {
        double All = 1;
        for (const auto &[Name, Value] : S)
          All *= static_cast<double>(Value);
        return All;
      };
      return product(A) < product(B);
    });
    for (const auto &[Name, Blocks] : P.Blocks)
      for (size_t D = 0; D < Blocks.Factor.size(); ++D)
        Block[D] = std::max(Block[D], static_cast<int64_t>(Blocks.Factor[D]));
    // A block between those at the borders.
    const int64_t Roomy = 3 * *std::max_element(Block.begin(), Block.end());
    auto WithBlocks = find_if(Bases, [&](const launch::Size &S) {
      return all_of(S, [&](const auto &Variable) { return Variable.second >= Roomy; });
    });
    Few.push_back(Bases.front());
    if (WithBlocks != Bases.end() && WithBlocks != Bases.begin())
      Few.push_back(*WithBlocks);
  }

  std::vector<RareSize> run() {
    for (const Condition &C : P.Facts.Conditions)
      solveKernels(C);
    for (const launch::ManifestLaunch &L : P.Request->Manifest.Launches) {
      comparisons(L.When);
      for (const auto *List : {&L.Global, &L.Offset})
        for (const Expression &E : *List)
          comparisons(E);
    }
    return std::move(All);
  }

private:
  /// \p C, which may be of the original or of a kernel that the manifest launches.
  void solveKernels(const Condition &C) {
    std::vector<Bound> Ways{Bound(F, Names)};
    if (any_of(C.Leaves, [](const Input &In) { return In.K == Input::Kind::Size; }))
      for (const launch::ManifestLaunch &L : P.Request->Manifest.Launches)
        Ways.emplace_back(F, Names, L);
    for (Bound &B : Ways)
      if (B.bind(C))
        solve(B.Result);
  }

  void comparisons(const Expression &E) {
    for (unsigned I = 0; I < E.nodes().size(); ++I) {
      const Expression::Op K = E.nodes()[I].Kind;
      if (K < Expression::Op::Less || K > Expression::Op::NotEqual)
        continue;
      Bound B(F, Names);
      if (B.bind(E.partAt(I), true))
        solve(B.Result);
    }
  }

  void solve(const Condition &C) {
    if (!Solved.insert(C).second)
      return;
    std::vector<size_t> Ids, Variables;
    for (size_t I = 0; I < C.Leaves.size(); ++I)
      (C.Leaves[I].K == Input::Kind::Id ? Ids : Variables).push_back(I);
    constexpr size_t MostBases = 3;
    if (Ids.size() == 1)
      for (const launch::Size &Base :
           Variables.empty() ? ArrayRef(Few) : ArrayRef(Bases).take_front(MostBases))
        solveId(C, Ids.front(), Base);
    if (!Ids.empty())
      return;
    const size_t Before = All.size();
    const bool Alone = Variables.size() == 1;
    for (size_t V : Variables)
      for (const launch::Size &Base : Alone ? ArrayRef(Few) : ArrayRef(Bases).take_front(MostBases))
        solveVariable(C, V, Base, Alone ? MostOfRange : MostFurther);
    // A relation of several variables may need other values of all of them.
    if (Variables.size() < 2 || All.size() != Before)
      return;
    for (int64_t Other = 2; Other <= 64; ++Other) {
      launch::Size Base = Bases.front();
      for (size_t V : Variables)
        Base[Names[C.Leaves[V].Number]] = Other;
      for (size_t V : Variables)
        solveVariable(C, V, Base, MostOfOthers);
      if (All.size() != Before)
        return;
    }
  }

  bool isOfRange(const std::string &Name) const {
    return any_of(F.Global, [&](const Expression &E) { return is_contained(E.names(), Name); });
  }

  void solveVariable(const Condition &C, size_t Leaf, const launch::Size &Base, uint64_t Most) {
    std::vector<uint64_t> Inputs;
    std::vector<std::string> Others;
    for (size_t I = 0; I < C.Leaves.size(); ++I) {
      const std::string &Name = Names[C.Leaves[I].Number];
      Inputs.push_back(static_cast<uint64_t>(Base.at(Name)));
      if (I != Leaf)
        Others.push_back(Name);
    }
    const std::string &Name = Names[C.Leaves[Leaf].Number];
    if (!isOfRange(Name))
      Most = std::min(Most, MostOfOthers);
    for (uint64_t Value : S.run(C, Inputs, Leaf, 1, Most))
      add(Name, Base, static_cast<int64_t>(Value), Others);
  }

  /// Sizes that have work-items of such an id, of either program. The end of a range is tested at
  /// every size: there, the variables of the range are in the comparison.
  void solveId(const Condition &C, size_t Leaf, const launch::Size &Base) {
    const unsigned D = C.Leaves[Leaf].Number;
    if (D >= F.Global.size())
      return;
    std::vector<uint64_t> Inputs;
    std::vector<std::string> Others;
    for (const Input &In : C.Leaves) {
      const bool IsId = In.K == Input::Kind::Id;
      Inputs.push_back(IsId ? 0 : static_cast<uint64_t>(Base.at(Names[In.Number])));
      if (!IsId)
        Others.push_back(Names[In.Number]);
    }
    for (uint64_t Id : S.run(C, Inputs, Leaf, 0, Others.empty() ? MostOfRange : MostFurther))
      for (const std::string &Name : F.Global[D].names())
        for (int64_t Each : {int64_t(1), Block[D]})
          if (is_contained(Names, Name) && !is_contained(Others, Name))
            add(Name, Base, (static_cast<int64_t>(Id) + 1) * Each + 2 * Block[D] + 1, Others);
  }

  void add(const std::string &Name, launch::Size At, int64_t Value,
           const std::vector<std::string> &Others) {
    At[Name] = Value;
    if (none_of(All, [&](const RareSize &R) { return R.At == At; }))
      All.push_back({Name, std::move(At), Others});
  }

  const TestPlan &P;
  const LaunchFile &F;
  std::vector<std::string> Names;
  std::vector<launch::Size> Bases; ///< the listed ones, smallest first
  std::vector<launch::Size> Few;   ///< the smallest, and the smallest with a block in the middle
  std::array<int64_t, 3> Block{1, 1, 1};
  Search S{MostEvaluations};
  std::set<Condition> Solved;
  std::vector<RareSize> All;
};

} // namespace

std::vector<RareSize> rareSizes(const TestPlan &P, unsigned Launch) {
  return SizeSolver(P, Launch).run();
}

std::vector<int64_t> rareScalars(const TestPlan &P, unsigned Launch, unsigned Index, unsigned Width,
                                 uint64_t First) {
  const LaunchFile &F = P.Request->Launches[Launch];
  Expected<launch::Bindings> Declared = launch::integerArgumentsAt(F, F.Sizes.front());
  if (!Declared) {
    consumeError(Declared.takeError());
    return {};
  }
  Search S(MostEvaluations);
  std::vector<int64_t> Values;
  for (const Condition &C : P.Facts.Conditions) {
    std::vector<uint64_t> Inputs;
    std::optional<size_t> Leaf;
    for (size_t I = 0; I < C.Leaves.size(); ++I) {
      const Input &In = C.Leaves[I];
      if (In.K != Input::Kind::Scalar || In.Number >= F.Args.size())
        break;
      auto It = Declared->find(F.Args[In.Number].Name);
      Inputs.push_back(It == Declared->end() ? 0 : static_cast<uint64_t>(It->second));
      if (In.Number == Index)
        Leaf = I;
    }
    if (!Leaf || Inputs.size() != C.Leaves.size())
      continue;
    for (uint64_t Value : S.run(C, Inputs, *Leaf, First, First + MostOfRange))
      Values.push_back(static_cast<int64_t>(Value));
  }
  llvm::erase_if(Values, [Width](int64_t V) { return Width < 32 && V >> Width != 0; });
  return Values;
}

std::vector<ConstantUse> rareContents(ArrayRef<Condition> Conditions) {
  constexpr size_t Most = 24; // they share few elements
  Search S(MostEvaluations);
  std::vector<ConstantUse> All;
  for (const Condition &C : Conditions) {
    if (C.Leaves.size() != 1 || C.Leaves.front().K != Input::Kind::Loaded)
      continue;
    const unsigned Width = widthOf(C, 0);
    const uint64_t Largest = Width < 21 ? (uint64_t(1) << Width) - 1 : MostOfRange;
    Origin From;
    From.Buffers.insert(C.Leaves.front().Number);
    for (uint64_t Value : S.run(C, {0}, 0, 0, Largest))
      if (All.size() < Most)
        All.push_back({ConstantUse::Kind::Compared, Width, C.isFloat(0), Value, From});
  }
  return All;
}

} // namespace clmali::verify
