#include "rewriters/verify/rungs/Shrink.h"
#include "rewriters/verify/run/Comparison.h"
#include "rewriters/verify/run/InputRunner.h"
#include "rewriters/verify/run/Worker.h"
#include "rewriters/verify/rungs/Witness.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/Base64.h"

#include <algorithm>
#include <chrono>
#include <tuple>

using namespace llvm;

namespace clmali::verify {
namespace {

using launch::Argument;
using launch::DataSpec;

constexpr unsigned MostSizes = 48;
constexpr unsigned MostTries = 400;
constexpr auto MostTime = std::chrono::seconds(4);
/// Buffers with more values are not written into the launch file.
constexpr uint64_t MostValues = 1 << 18;

/// Combinations of small values of the size's variables; a random selection where they are many.
std::set<launch::Size> smallerSizes(const launch::Size &At, uint64_t Seed) {
  constexpr size_t MostCombinations = 4000;
  std::vector<std::vector<int64_t>> Choices;
  std::vector<std::string> Names;
  size_t Product = 1;
  for (const auto &[Name, Value] : At) {
    std::vector<int64_t> V;
    for (int64_t Small = 1; Small <= 12 && Small <= Value; ++Small)
      V.push_back(Small);
    for (int64_t More : {16, 17, 32, 33, 64, 128})
      if (More < Value)
        V.push_back(More);
    for (int64_t Large = 256; Large < Value; Large *= 2)
      V.push_back(Large);
    for (int64_t Part : {Value / 2, Value - Value / 4, Value - Value / 8})
      if (Value > 0 && Part > V.back() && Part < Value)
        V.push_back(Part);
    if (!is_contained(V, Value))
      V.push_back(Value);
    Names.push_back(Name);
    Product *= V.size();
    Choices.push_back(std::move(V));
  }
  std::set<launch::Size> Sizes;
  Random Rng(mixSeed(Seed, "shrink"));
  for (size_t I = 0; I < std::min<size_t>(Product, MostCombinations); ++I) {
    size_t Code = Product <= MostCombinations ? I : Rng.below(Product);
    launch::Size S;
    for (size_t V = 0; V < Names.size(); ++V) {
      S[Names[V]] = Choices[V][Code % Choices[V].size()];
      Code /= Choices[V].size();
    }
    Sizes.insert(S);
  }
  return Sizes;
}

/// Inputs at smaller sizes than \p In's, with the same kind of data; smallest first.
std::vector<TestInput> smallerInputs(const TestPlan &P, const TestInput &In) {
  const launch::LaunchFile &F = P.Request->Launches[In.Launch];
  std::vector<TestInput> All;
  unsigned SizeId = 0;
  for (const launch::Size &S : smallerSizes(In.At, P.Request->Options.Seed)) {
    Expected<InputShape> Shape = shapeOf(P, In.Launch, S, In.Variant);
    if (!Shape) {
      consumeError(Shape.takeError());
      continue;
    }
    TestInput New = In;
    New.At = S;
    New.Listed = is_contained(F.Sizes, S);
    New.AsHost = New.Listed && (P.InGroups || In.AsHost);
    New.Items = Shape->Original.items();
    New.Bytes = Shape->Bytes;
    New.SizeId = SizeId++;
    if (std::pair(New.Items, New.Bytes) < std::pair(In.Items, In.Bytes))
      All.push_back(std::move(New));
  }
  llvm::sort(All, [](const TestInput &A, const TestInput &B) {
    return std::tuple(A.Items, A.Bytes, A.At) < std::tuple(B.Items, B.Bytes, B.At);
  });
  if (All.size() > MostSizes)
    All.resize(MostSizes);
  // A small size has little data, which may miss the fault by chance: draw them several times.
  std::vector<TestInput> Drawn;
  for (TestInput &One : All) {
    One.Contents = nullptr;
    for (One.Repeat = 0; One.Repeat < 3; ++One.Repeat)
      Drawn.push_back(One);
    One.Repeat = 0;
    for (Pattern Other : {Pattern::Extremes, Pattern::Ramp})
      if (One.Fill != Pattern::Declared && One.Fill != Other) {
        One.Fill = Other;
        Drawn.push_back(One);
      }
  }
  return Drawn;
}

/// Replaces the plan's inputs by \p Inputs, runs them, and returns the first finding.
std::optional<Finding> firstFinding(TestPlan &P, const WorkerSetup &Like,
                                    std::vector<TestInput> Inputs, unsigned Seconds) {
  P.Inputs = std::move(Inputs);
  RungRun Run;
  Run.Rung = "shrink";
  Run.Setup = Like;
  Run.Setup.SelfAgreement = false;
  Run.Setup.Others = nullptr;
  Run.Setup.Inputs.clear();
  for (size_t I = 0; I < P.Inputs.size(); ++I)
    Run.Setup.Inputs.push_back(I);
  ChildTask T = taskOf(Run, P, nullptr);
  T.TotalSeconds = Seconds;
  T.SilenceSeconds = std::min(T.SilenceSeconds, Seconds);
  std::vector<ChildTask> Tasks;
  Tasks.push_back(std::move(T));
  runChildren(std::move(Tasks));
  if (Run.Found && Run.Found->Kind == "device")
    return std::nullopt;
  return Run.Found;
}

/// The number of values in all buffers and images.
uint64_t valuesOf(const PreparedInput &Ready, const KernelShape &Shape) {
  uint64_t Total = 0;
  for (unsigned I = 0; I < Ready.Values.size(); ++I)
    if (Ready.Values[I].holdsData())
      Total += Ready.Values[I].Data.size() / Shape.Params[I].Type.ScalarBytes;
  return Total;
}

/// A launch file of one size that holds the values of \p Ready.
launch::LaunchFile reproduction(const TestPlan &P, const TestInput &In,
                                const PreparedInput &Ready) {
  launch::LaunchFile F = P.Request->Launches[In.Launch];
  const TestPlan::PerLaunch &L = P.Launches[In.Launch];
  F.Sizes = {In.At};
  F.Require.clear();
  bool Small = valuesOf(Ready, L.Shape) <= MostValues;
  for (unsigned I = 0; I < F.Args.size(); ++I) {
    Argument &A = F.Args[I];
    if (auto It = L.Variants[In.Variant].find(I); It != L.Variants[In.Variant].end())
      A.Value = {It->second};
    if (!A.holdsData() || A.Data.K == DataSpec::Kind::SameAs || !Small)
      continue;
    ElementType T = L.Shape.Params[I].Type;
    const Bytes &Data = Ready.Values[I].Data;
    unsigned Lanes = T.Lanes;
    if (T.K == ElementType::Kind::Raw) {
      T.K = ElementType::Kind::Unsigned;
      T.ScalarBytes = 1;
      Lanes = T.Size;
    }
    A.Data = DataSpec();
    if (all_of(Data, [](uint8_t B) { return B == 0; })) {
      A.Data.K = DataSpec::Kind::Zero;
      continue;
    }
    A.Data.K = DataSpec::Kind::Values;
    for (size_t E = 0; E < Data.size() / T.Size; ++E)
      for (unsigned Lane = 0; Lane < Lanes; ++Lane)
        A.Data.Values.push_back(formatScalar(T, &Data[E * T.Size + Lane * T.ScalarBytes]));
  }
  return F;
}

/// In a child process: zeroes as much of an input's data as still shows a difference.
class DataReduction {
public:
  DataReduction(Device &D, const TestPlan &P, const TestInput &In, const WorkerSetup &Setup)
      : P(P), In(In), Unoptimised(Setup.Unoptimised), Runner(D, P),
        Start(std::chrono::steady_clock::now()) {
    if (Setup.M != WorkerSetup::Mode::Oclgrind)
      Around.Where = Placement::Guarded;
  }

  /// The difference that is left, if \p Data show one at all.
  std::optional<BufferDifference> run(PreparedInput &Data) {
    std::optional<BufferDifference> Best = differs(Data);
    for (unsigned I = 0; Best && I < Data.Values.size(); ++I)
      if (Data.Values[I].holdsData())
        reduceBuffer(Data, I, *Best);
    return Best;
  }
  unsigned tries() const { return Tries; }

private:
  bool spent() const {
    return Tries >= MostTries || std::chrono::steady_clock::now() - Start > MostTime;
  }

  std::optional<BufferDifference> differs(const PreparedInput &Data) {
    ++Tries;
    Expected<RunResult> A = Runner.original(In, Data, Unoptimised, Around);
    Expected<RunResult> B = Runner.rewritten(In, Data, Unoptimised, Around);
    if (!A || !B) {
      consumeError(A.takeError());
      consumeError(B.takeError());
      return std::nullopt;
    }
    if (!A->Strays.empty())
      return std::nullopt;
    return compareBuffers(P, In, *A, *B);
  }

  /// Zeroes the whole buffer, then halves, quarters ... as long as the results differ.
  void reduceBuffer(PreparedInput &Data, unsigned Index, BufferDifference &Best) {
    size_t Step = P.Launches[In.Launch].Shape.Params[Index].Type.ScalarBytes;
    size_t Size = Data.Values[Index].Data.size();
    for (size_t Chunk = Size; Chunk >= Step && !spent(); Chunk /= 2) {
      Chunk = Chunk / Step * Step;
      for (size_t At = 0; At < Size && !spent(); At += Chunk)
        zero(Data, Index, At, std::min(Size, At + Chunk), Best);
      if (Chunk == Step)
        break;
    }
  }

  /// Zeroes the bytes from \p At to \p End; restores them if the results then agree.
  void zero(PreparedInput &Data, unsigned Index, size_t At, size_t End, BufferDifference &Best) {
    Bytes &Buffer = Data.Values[Index].Data;
    if (std::all_of(Buffer.begin() + At, Buffer.begin() + End, [](uint8_t B) { return B == 0; }))
      return;
    Bytes Saved(Buffer.begin() + At, Buffer.begin() + End);
    std::fill(Buffer.begin() + At, Buffer.begin() + End, 0);
    if (std::optional<BufferDifference> D = differs(Data))
      Best = *D;
    else
      std::copy(Saved.begin(), Saved.end(), Buffer.begin() + At);
  }

  const TestPlan &P;
  const TestInput &In;
  bool Unoptimised;
  InputRunner Runner;
  Surroundings Around;
  std::chrono::steady_clock::time_point Start;
  unsigned Tries = 0;
};

/// In a child process: sends  least {buffers: [..], argument, element, expected, got, tries}.
void reduceData(Channel &Out, const TestPlan &P, const TestInput &In, const WorkerSetup &Setup) {
  Expected<PreparedInput> Ready = prepare(P, In);
  Expected<Device> D = Device::open(Setup.Choice);
  if (!Ready || !D) {
    consumeError(Ready.takeError());
    consumeError(D.takeError());
    return;
  }
  DataReduction Reduction(*D, P, In, Setup);
  std::optional<BufferDifference> Best = Reduction.run(*Ready);
  if (!Best)
    return;
  json::Array Buffers;
  for (const ArgumentValue &V : Ready->Values)
    Buffers.push_back(V.holdsData() ? encodeBase64(V.Data) : std::string());
  Out.send("least", json::Object{{"buffers", std::move(Buffers)},
                                 {"argument", static_cast<int64_t>(Best->Argument)},
                                 {"element", static_cast<int64_t>(Best->D.Element)},
                                 {"expected", Best->D.Expected},
                                 {"got", Best->D.Got},
                                 {"tries", Reduction.tries()}});
}

/// Takes the message of reduceData() into \p Ready and \p X.
void takeReducedData(const json::Object &O, const TestPlan &P, const TestInput &In,
                     PreparedInput &Ready, Counterexample &X) {
  const json::Object *Least = O.getObject("least");
  const json::Array *Buffers = Least ? Least->getArray("buffers") : nullptr;
  if (!Buffers)
    return;
  for (unsigned I = 0; I < Buffers->size() && I < Ready.Values.size(); ++I) {
    std::vector<char> Decoded;
    if (Error E = decodeBase64((*Buffers)[I].getAsString().value_or(""), Decoded)) {
      consumeError(std::move(E));
      continue;
    }
    if (Decoded.size() == Ready.Values[I].Data.size())
      std::copy(Decoded.begin(), Decoded.end(), Ready.Values[I].Data.begin());
  }
  unsigned Argument = Least->getInteger("argument").value_or(0);
  X.Argument = P.Request->Launches[In.Launch].Args[Argument].Name;
  X.Element = Least->getInteger("element").value_or(0);
  X.Expected = Least->getString("expected").value_or("").str();
  X.Got = Least->getString("got").value_or("").str();
  X.What = "'" + X.Argument + "' " + elementText(P, In, Argument, X.Element) + ": expected " +
           X.Expected + ", got " + X.Got;
}

/// The finding \p F of a rung in the words of the judge's interface.
Counterexample counterexampleOf(const TestPlan &P, const RungRun &Found, const Finding &F,
                                const TestInput &In) {
  Counterexample X;
  X.Rung = Found.Rung;
  X.Part = Found.Found->Part;
  X.What = F.What;
  X.Size = describe(In.At);
  if (F.Argument)
    X.Argument = P.Request->Launches[In.Launch].Args[*F.Argument].Name;
  X.Element = F.Element;
  X.Expected = F.Expected;
  X.Got = F.Got;
  return X;
}

} // namespace

uint64_t nonZeroValues(const PreparedInput &Ready, const KernelShape &Shape) {
  uint64_t Count = 0;
  for (unsigned I = 0; I < Ready.Values.size(); ++I) {
    if (!Ready.Values[I].holdsData())
      continue;
    const Bytes &Data = Ready.Values[I].Data;
    size_t Step = Shape.Params[I].Type.ScalarBytes;
    for (size_t At = 0; At + Step <= Data.size(); At += Step)
      Count += any_of(ArrayRef(Data).slice(At, Step), [](uint8_t B) { return B != 0; });
  }
  return Count;
}

void nameWriters(const TestPlan &P, const TestInput &In, const PreparedInput &Data,
                 Counterexample &X) {
  const launch::LaunchFile &F = P.Request->Launches[In.Launch];
  const Argument *A = F.findArgument(X.Argument);
  if (!A)
    return;
  Witness W = findWriters(P, In, Data, A - F.Args.data(), X.Element);
  X.OriginalItem = W.Original;
  X.RewrittenItem = W.Rewritten;
}

bool showsAgain(const TestPlan &P, const TestInput &In, const PreparedInput &Data,
                const WorkerSetup &Setup, std::string &LaunchFile) {
  launch::LaunchFile F = reproduction(P, In, Data);
  LaunchFile = launch::printLaunchFile(F);
  Expected<launch::LaunchFile> Parsed = launch::parseLaunchFile(LaunchFile, F.Path);
  if (!Parsed) {
    consumeError(Parsed.takeError());
    return false;
  }
  JudgeRequest R = *P.Request;
  R.Launches[In.Launch] = *Parsed;
  TestPlan Again = P;
  Again.Request = &R;
  Again.Launches[In.Launch].Variants.assign(1, {});
  TestInput Replayed = In;
  Replayed.Variant = 0;
  if (valuesOf(Data, P.Launches[In.Launch].Shape) <= MostValues)
    Replayed.Fill = Pattern::Declared; // the values are in the file
  if (Replayed.Fill == Pattern::Declared)
    Replayed.Contents = nullptr;
  return firstFinding(Again, Setup, {Replayed}, 15).has_value();
}

Counterexample shrink(const TestPlan &Whole, const RungRun &Found) {
  TestPlan P = Whole; // its inputs change here
  Finding Best = *Found.Found;
  TestInput In = Whole.Inputs[Best.Input];
  const WorkerSetup Setup = Found.Setup;

  // 1. The smallest size.
  std::vector<TestInput> Smaller = smallerInputs(P, In);
  if (!Smaller.empty())
    if (std::optional<Finding> F = firstFinding(P, Setup, Smaller, 10)) {
      Best = *F;
      In = P.Inputs[F->Input];
    }

  // 2. The fewest values.
  Counterexample X = counterexampleOf(P, Found, Best, In);
  Expected<PreparedInput> Ready = prepare(P, In);
  if (!Ready) {
    consumeError(Ready.takeError());
    return X;
  }
  const PreparedInput Original = *Ready;
  const KernelShape &Shape = P.Launches[In.Launch].Shape;
  bool Small = valuesOf(*Ready, Shape) <= MostValues;
  if (Small && Best.Kind == "value") {
    ChildTask T;
    T.SilenceSeconds = T.TotalSeconds = 10;
    T.Work = [&](Channel &Out) { reduceData(Out, P, In, Setup); };
    T.OnMessage = [&](const json::Object &O) {
      takeReducedData(O, P, In, *Ready, X);
      return true;
    };
    runChild(std::move(T));
  } else if (Small && Best.Kind != "order") {
    // An invalid access or a race does not depend on the values: all zero.
    for (ArgumentValue &V : Ready->Values)
      if (V.holdsData())
        std::fill(V.Data.begin(), V.Data.end(), 0);
  }

  // 3. Once more, from the launch file, as a user would run it.
  const PreparedInput *Shown = &*Ready;
  X.Replayed = showsAgain(P, In, *Ready, Setup, X.LaunchFile);
  if (!X.Replayed) {
    Shown = &Original;
    X.Replayed = showsAgain(P, In, Original, Setup, X.LaunchFile);
  }
  X.NonZero = nonZeroValues(*Shown, Shape);

  // 4. The work-items.
  X.RewrittenItem = Best.Item;
  if (Best.Kind == "value" && !X.Argument.empty())
    nameWriters(P, In, *Shown, X);
  else if (X.RewrittenItem.empty())
    X.RewrittenItem = findInvalidAccess(P, In, *Shown);
  return X;
}

} // namespace clmali::verify
