#include "rewriters/verify/cases/Shrink.h"
#include "rewriters/verify/cases/Witness.h"
#include "rewriters/verify/run/InputRunner.h"
#include "rewriters/verify/run/Worker.h"

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
/// More values than this belong in no launch file.
constexpr uint64_t MostValues = 1 << 15;

/// Smaller sizes than \p C's, with data of its kind.
std::vector<TestInput> smallerCases(const TestPlan &P, const TestInput &C) {
  const launch::LaunchFile &F = P.Request->Launches[C.Launch];
  std::set<launch::Size> Sizes;
  std::vector<std::vector<int64_t>> Choices;
  std::vector<std::string> Names;
  size_t Product = 1;
  for (const auto &[Name, Value] : C.At) {
    std::vector<int64_t> V;
    for (int64_t Small = 1; Small <= 12 && Small <= Value; ++Small)
      V.push_back(Small);
    for (int64_t More : {16, 17, 32, 33, 64, 128})
      if (More < Value)
        V.push_back(More);
    if (!is_contained(V, Value))
      V.push_back(Value);
    Names.push_back(Name);
    Product *= V.size();
    Choices.push_back(std::move(V));
  }
  Random Rng(mixSeed(P.Request->Options.Seed, "shrink"));
  for (size_t I = 0; I < std::min<size_t>(Product, 4000); ++I) {
    size_t Code = Product <= 4000 ? I : Rng.below(Product);
    launch::Size S;
    for (size_t V = 0; V < Names.size(); ++V) {
      S[Names[V]] = Choices[V][Code % Choices[V].size()];
      Code /= Choices[V].size();
    }
    Sizes.insert(S);
  }
  std::vector<TestInput> All;
  unsigned SizeId = 0;
  for (const launch::Size &S : Sizes) {
    Expected<CaseShape> Shape = shapeOf(P, C.Launch, S, C.Variant);
    if (!Shape) {
      consumeError(Shape.takeError());
      continue;
    }
    TestInput New = C;
    New.At = S;
    New.Listed = is_contained(F.Sizes, S);
    New.AsHost = New.Listed && (P.InGroups || C.AsHost);
    New.Items = Shape->Original.items();
    New.Bytes = Shape->Bytes;
    New.SizeId = SizeId++;
    if (std::pair(New.Items, New.Bytes) < std::pair(C.Items, C.Bytes))
      All.push_back(std::move(New));
  }
  llvm::sort(All, [](const TestInput &A, const TestInput &B) {
    return std::tuple(A.Items, A.Bytes, A.At) < std::tuple(B.Items, B.Bytes, B.At);
  });
  if (All.size() > MostSizes)
    All.resize(MostSizes);
  // Little data may miss by chance what much data shows: several draws of each.
  std::vector<TestInput> Drawn;
  for (TestInput &One : All) {
    One.Inputs = nullptr;
    for (One.Repeat = 0; One.Repeat < 3; ++One.Repeat)
      Drawn.push_back(One);
    One.Repeat = 0;
    for (Pattern Other : {Pattern::Extremes, Pattern::Ramp})
      if (One.P != Pattern::Declared && One.P != Other) {
        One.P = Other;
        Drawn.push_back(One);
      }
  }
  return Drawn;
}

/// Runs \p TestInputs with \p Setup and gives the first finding.
std::optional<Finding> firstFinding(TestPlan &P, const WorkerSetup &Like,
                                    std::vector<TestInput> TestInputs, unsigned Seconds) {
  P.TestInputs = std::move(TestInputs);
  RungRun C;
  C.Rung = "shrink";
  C.Setup = Like;
  C.Setup.SelfAgreement = false;
  C.Setup.Others = nullptr;
  C.Setup.TestInputs.clear();
  for (size_t I = 0; I < P.TestInputs.size(); ++I)
    C.Setup.TestInputs.push_back(I);
  ChildTask T = taskOf(C, P, nullptr);
  T.TotalSeconds = Seconds;
  T.SilenceSeconds = std::min(T.SilenceSeconds, Seconds);
  std::vector<ChildTask> Tasks;
  Tasks.push_back(std::move(T));
  runChildren(std::move(Tasks));
  if (C.Found && C.Found->Kind == "device")
    return std::nullopt;
  return C.Found;
}

uint64_t valuesOf(const PreparedCase &Ready, const KernelShape &Shape) {
  uint64_t Total = 0;
  for (unsigned I = 0; I < Ready.Values.size(); ++I)
    if (Ready.Values[I].K == ArgumentValue::Kind::Buffer)
      Total += Ready.Values[I].Data.size() / Shape.Params[I].Type.ScalarBytes;
  return Total;
}

/// A launch file of one size, with the very values of \p Ready.
launch::LaunchFile reproduction(const TestPlan &P, const TestInput &C, const PreparedCase &Ready) {
  launch::LaunchFile F = P.Request->Launches[C.Launch];
  const TestPlan::PerLaunch &L = P.Launches[C.Launch];
  F.Sizes = {C.At};
  F.Require.clear();
  bool Small = valuesOf(Ready, L.Shape) <= MostValues;
  for (unsigned I = 0; I < F.Args.size(); ++I) {
    Argument &A = F.Args[I];
    if (auto It = L.Variants[C.Variant].find(I); It != L.Variants[C.Variant].end())
      A.Value = {It->second};
    if (A.K != Argument::Kind::Buffer || A.Data.K == DataSpec::Kind::SameAs || !Small)
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

} // namespace

void minimise(Channel &Out, const TestPlan &P, const TestInput &C, const WorkerSetup &Setup) {
  Expected<PreparedCase> Ready = prepare(P, C);
  Expected<Device> D = Device::open(Setup.Choice);
  if (!Ready || !D) {
    consumeError(Ready.takeError());
    consumeError(D.takeError());
    return;
  }
  const launch::LaunchFile &F = P.Request->Launches[C.Launch];
  const KernelShape &Shape = P.Launches[C.Launch].Shape;
  InputRunner Runner(*D, P);
  Surroundings Around;
  if (Setup.M != WorkerSetup::Mode::Oclgrind)
    Around.Where = Placement::Guarded;
  unsigned Tries = 0;
  auto Start = std::chrono::steady_clock::now();
  struct Hit {
    unsigned Argument = 0;
    Difference D;
  };
  auto differs = [&](const PreparedCase &Data) -> std::optional<Hit> {
    ++Tries;
    Expected<RunResult> A = Runner.original(C, Data, Setup.Unoptimised, Around);
    Expected<RunResult> B = Runner.rewritten(C, Data, Setup.Unoptimised, Around);
    if (!A || !B) {
      consumeError(A.takeError());
      consumeError(B.takeError());
      return std::nullopt;
    }
    if (!A->Strays.empty())
      return std::nullopt;
    for (unsigned I = 0; I < A->Buffers.size(); ++I)
      if (!A->Buffers[I].empty())
        if (std::optional<Difference> Diff =
                firstDifference(Shape.Params[I].Type, F.Args[I].Compare.value_or(F.Compare),
                                A->Buffers[I], B->Buffers[I]))
          return Hit{I, *Diff};
    return std::nullopt;
  };
  auto spent = [&] {
    return Tries >= MostTries || std::chrono::steady_clock::now() - Start > MostTime;
  };
  std::optional<Hit> Best = differs(*Ready);
  if (!Best)
    return;
  PreparedCase Least = std::move(*Ready);
  // Zero whole buffers, then halves, quarters ... as long as it still differs.
  for (unsigned I = 0; I < Least.Values.size(); ++I) {
    if (Least.Values[I].K != ArgumentValue::Kind::Buffer)
      continue;
    size_t Step = Shape.Params[I].Type.ScalarBytes;
    size_t Size = Least.Values[I].Data.size();
    for (size_t Chunk = Size; Chunk >= Step && !spent(); Chunk /= 2) {
      Chunk = Chunk / Step * Step;
      for (size_t At = 0; At < Size && !spent(); At += Chunk) {
        size_t End = std::min(Size, At + Chunk);
        Bytes &Data = Least.Values[I].Data;
        if (std::all_of(Data.begin() + At, Data.begin() + End, [](uint8_t B) { return B == 0; }))
          continue;
        Bytes Saved(Data.begin() + At, Data.begin() + End);
        std::fill(Data.begin() + At, Data.begin() + End, 0);
        if (std::optional<Hit> H = differs(Least))
          Best = H;
        else
          std::copy(Saved.begin(), Saved.end(), Data.begin() + At);
      }
      if (Chunk == Step)
        break;
    }
  }
  json::Array Buffers;
  for (const ArgumentValue &V : Least.Values)
    Buffers.push_back(V.K == ArgumentValue::Kind::Buffer ? encodeBase64(V.Data) : std::string());
  Out.send("least", json::Object{{"buffers", std::move(Buffers)},
                                 {"argument", static_cast<int64_t>(Best->Argument)},
                                 {"element", static_cast<int64_t>(Best->D.Element)},
                                 {"expected", Best->D.Expected},
                                 {"got", Best->D.Got},
                                 {"tries", Tries}});
}

uint64_t nonZeroValues(const PreparedCase &Ready, const KernelShape &Shape) {
  uint64_t Count = 0;
  for (unsigned I = 0; I < Ready.Values.size(); ++I) {
    if (Ready.Values[I].K != ArgumentValue::Kind::Buffer)
      continue;
    const Bytes &Data = Ready.Values[I].Data;
    size_t Step = Shape.Params[I].Type.ScalarBytes;
    for (size_t At = 0; At + Step <= Data.size(); At += Step)
      Count += any_of(ArrayRef(Data).slice(At, Step), [](uint8_t B) { return B != 0; });
  }
  return Count;
}

void nameWriters(const TestPlan &P, const TestInput &C, const PreparedCase &Data,
                 Counterexample &X) {
  const launch::LaunchFile &F = P.Request->Launches[C.Launch];
  const Argument *A = F.findArgument(X.Argument);
  if (!A)
    return;
  Witness W = findWriters(P, C, Data, A - F.Args.data(), X.Element);
  X.OriginalItem = W.Original;
  X.RewrittenItem = W.Rewritten;
}

bool showsAgain(const TestPlan &P, const TestInput &C, const PreparedCase &Data,
                const WorkerSetup &Setup, std::string &LaunchFile) {
  launch::LaunchFile F = reproduction(P, C, Data);
  LaunchFile = launch::printLaunchFile(F);
  Expected<launch::LaunchFile> Parsed = launch::parseLaunchFile(LaunchFile, F.Path);
  if (!Parsed) {
    consumeError(Parsed.takeError());
    return false;
  }
  JudgeRequest R = *P.Request;
  R.Launches[C.Launch] = *Parsed;
  TestPlan Again = P;
  Again.Request = &R;
  Again.Launches[C.Launch].Variants.assign(1, {});
  TestInput Replayed = C;
  Replayed.Variant = 0;
  if (valuesOf(Data, P.Launches[C.Launch].Shape) <= MostValues)
    Replayed.P = Pattern::Declared; // the values are in the file
  if (Replayed.P == Pattern::Declared)
    Replayed.Inputs = nullptr;
  return firstFinding(Again, Setup, {Replayed}, 15).has_value();
}

Counterexample shrink(const TestPlan &Whole, const RungRun &Found) {
  TestPlan P = Whole; // its cases change here
  Finding Best = *Found.Found;
  TestInput C = Whole.TestInputs[Best.TestInput];
  WorkerSetup Setup = Found.Setup;

  // 1. The smallest size.
  std::vector<TestInput> Smaller = smallerCases(P, C);
  if (!Smaller.empty())
    if (std::optional<Finding> F = firstFinding(P, Setup, Smaller, 10)) {
      Best = *F;
      C = P.TestInputs[F->TestInput];
    }

  // 2. The fewest values.
  Expected<PreparedCase> Ready = prepare(P, C);
  Counterexample X;
  X.Rung = Found.Rung;
  X.Part = Found.Found->Part;
  X.What = Best.What;
  X.Size = describe(C.At);
  if (Best.Argument)
    X.Argument = P.Request->Launches[C.Launch].Args[*Best.Argument].Name;
  X.Element = Best.Element;
  X.Expected = Best.Expected;
  X.Got = Best.Got;
  if (!Ready) {
    consumeError(Ready.takeError());
    return X;
  }
  PreparedCase Original = *Ready;
  const KernelShape &Shape = P.Launches[C.Launch].Shape;
  bool Small = valuesOf(*Ready, Shape) <= MostValues;
  if (Small && Best.Kind == "value") {
    ChildTask T;
    T.SilenceSeconds = T.TotalSeconds = 10;
    T.Work = [&](Channel &Out) { minimise(Out, P, C, Setup); };
    T.OnMessage = [&](const json::Object &O) {
      const json::Object *Least = O.getObject("least");
      const json::Array *Buffers = Least ? Least->getArray("buffers") : nullptr;
      if (!Buffers)
        return true;
      for (unsigned I = 0; I < Buffers->size() && I < Ready->Values.size(); ++I) {
        std::vector<char> Decoded;
        if (Error E = decodeBase64((*Buffers)[I].getAsString().value_or(""), Decoded)) {
          consumeError(std::move(E));
          continue;
        }
        if (Decoded.size() == Ready->Values[I].Data.size())
          std::copy(Decoded.begin(), Decoded.end(), Ready->Values[I].Data.begin());
      }
      unsigned Argument = Least->getInteger("argument").value_or(0);
      X.Argument = P.Request->Launches[C.Launch].Args[Argument].Name;
      X.Element = Least->getInteger("element").value_or(0);
      X.Expected = Least->getString("expected").value_or("").str();
      X.Got = Least->getString("got").value_or("").str();
      X.What = "'" + X.Argument + "' element " + std::to_string(X.Element) + ": expected " +
               X.Expected + ", got " + X.Got;
      return true;
    };
    runChild(std::move(T));
  } else if (Small && Best.Kind != "order") {
    // Where it strays or races, and not what it computes, counts: any data do.
    for (ArgumentValue &V : Ready->Values)
      if (V.K == ArgumentValue::Kind::Buffer)
        std::fill(V.Data.begin(), V.Data.end(), 0);
  }

  // 3. Once more, as anybody else would: from the launch file.
  auto replay = [&](const PreparedCase &Data) {
    return showsAgain(P, C, Data, Setup, X.LaunchFile);
  };
  const PreparedCase *Shown = &*Ready;
  X.Replayed = replay(*Ready);
  if (!X.Replayed) {
    Shown = &Original;
    X.Replayed = replay(Original);
  }
  X.NonZero = nonZeroValues(*Shown, Shape);

  // 4. Who did it.
  X.RewrittenItem = Best.Item;
  if (Best.Kind == "value" && !X.Argument.empty())
    nameWriters(P, C, *Shown, X);
  else if (X.RewrittenItem.empty())
    X.RewrittenItem = findCulprit(P, C, *Shown);
  return X;
}

} // namespace clmali::verify
