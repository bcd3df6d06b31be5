//===-- test/passes/GoldenTest.cpp - Every pass on every golden kernel -----===//
//
// Each kernel of test/rewrite is run by the machine before and after each pass of the registry, and
// before and after the pipeline, at the smallest size of its launch file. What a pass must keep:
// the bytes of every buffer, that no byte is read that was not read before, and a well-formed
// kernel.
//
//===----------------------------------------------------------------------===//

#include "Kernels.h"
#include "checks/model/ir/Verifier.h"
#include "rewriters/launch/LaunchFile.h"
#include "rewriters/pass/PassManager.h"
#include <cmath>
#include <filesystem>

namespace clmali::testing {
namespace {

using namespace model;
namespace fs = std::filesystem;

using rewrite::Pass;
using rewrite::PassState;

/// The values of the planner's axes with which Id has something to do.
rewrite::Choice choiceFor(llvm::StringRef Id, const PassState &S) {
  rewrite::Choice How;
  How.LaunchValues = How.SplitComponents = How.Unroll = How.Overlap = true;
  How.Inner = How.Sums = 4;
  How.Stage = Id == "localize" ? rewrite::Staging::Localize : rewrite::Staging::Delocalize;
  if (Id == "vectorize") {
    How.Shape.LaneDim = S.Contiguous.value_or(0);
    How.Shape.Lanes = 4;
  } else if (Id == "coarsen") {
    How.Shape.LaneDim = 3;
    How.Shape.Rows[S.Contiguous == 0u && S.context().Dims > 1] = 2;
  }
  return How;
}

/// The launch of S's kernel in place of L: work-items by block, dimensions in their new order.
/// Nothing: L does not divide into blocks.
std::optional<Launch> launchAfter(const PassState &S, const Launch &L) {
  Launch New = L;
  for (unsigned D = 0; D < 3; ++D) {
    unsigned Of = S.Axis[D], Factor = S.Blocked.factor(Of);
    if (L.Global[Of] % Factor || L.Offset[Of] % Factor || (L.Local[Of] > 1 && L.Local[Of] % Factor))
      return std::nullopt;
    New.Global[D] = L.Global[Of] / Factor;
    New.Offset[D] = L.Offset[Of] / Factor;
    New.Local[D] = std::max<uint64_t>(L.Local[Of] / Factor, 1);
  }
  return New;
}

std::vector<uint8_t> fill(const launch::DataSpec &D, const Type *Elem, uint64_t Count,
                          const launch::Bindings &Names, uint64_t Seed) {
  ScalarKind K = Elem->isValue() ? Elem->Scalar : ScalarKind::UChar;
  uint64_t N = Elem->Size * Count / sizeInBytes(K);
  bool F = isFloat(K);
  double Low = F ? -8 : -2e9, High = F ? 8 : 2e9;
  if (D.K == launch::DataSpec::Kind::Uniform) {
    Low = D.Low;
    High = D.High;
  } else if (D.K == launch::DataSpec::Kind::Range) {
    auto L = D.RangeLow.evaluate(Names), H = D.RangeHigh.evaluate(Names);
    if (L && H) {
      Low = double(*L);
      High = double(*H) + (F ? 0 : 0.999);
    } else {
      llvm::consumeError(L.takeError());
      llvm::consumeError(H.takeError());
    }
  } else if (!F) {
    Range R = rangeOf(K);
    Low = std::max(double(R.Lo), -9e18);
    High = std::min(double(R.Hi) + 0.999, 9e18);
  }
  switch (K) {
  case ScalarKind::Char:
    return data<int8_t>(N, Seed, Low, High);
  case ScalarKind::Bool:
  case ScalarKind::UChar:
    return data<uint8_t>(N, Seed, Low, High);
  case ScalarKind::Short:
    return data<int16_t>(N, Seed, Low, High);
  case ScalarKind::Half:
  case ScalarKind::UShort:
    return data<uint16_t>(N, Seed, Low, High);
  case ScalarKind::Int:
    return data<int32_t>(N, Seed, Low, High);
  case ScalarKind::UInt:
    return data<uint32_t>(N, Seed, Low, High);
  case ScalarKind::Long:
    return data<int64_t>(N, Seed, Low, High);
  case ScalarKind::ULong:
    return data<uint64_t>(N, Seed, Low, High);
  case ScalarKind::Float:
    return data<float>(N, Seed, Low, High);
  case ScalarKind::Double:
    return data<double>(N, Seed, Low, High);
  }
  return {};
}

/// The launch of the smallest size with two groups or more, if the machine can
/// do it.
std::optional<Launch> launchOf(const launch::LaunchFile &File, const Kernel &K) {
  std::optional<Launch> Best;
  uint64_t BestItems = 20000;
  for (const launch::Size &At : File.Sizes) {
    auto G = launch::geometryAt(File, At);
    if (!G) {
      llvm::consumeError(G.takeError());
      continue;
    }
    if (G->items() >= BestItems || (Best && G->items() < 64))
      continue;
    launch::Bindings Names = launch::bindingsAt(File, At);
    Launch L;
    bool Known = true;
    for (unsigned D = 0; D < 3; ++D) {
      L.Global[D] = G->Global[D];
      L.Offset[D] = G->Offset[D];
      L.Local[D] = G->hasLocal() ? G->Local[D] : 1;
    }
    uint64_t Seed = 1;
    for (const Var *P : K.Params) {
      const launch::Argument *A = File.findArgument(P->Name);
      if (!A) {
        Known = false;
        break;
      }
      auto number = [&](const launch::Expression &E) -> uint64_t {
        auto V = E.evaluate(Names);
        if (V)
          return *V;
        llvm::consumeError(V.takeError());
        Known = false;
        return 0;
      };
      if (A->K == launch::Argument::Kind::Scalar) {
        for (const std::string &Text : A->Value) {
          auto E = launch::Expression::parse(Text);
          if (E) {
            L.Scalars[P->Name].push_back(double(int64_t(number(*E))));
          } else {
            llvm::consumeError(E.takeError());
            L.Scalars[P->Name].push_back(std::strtod(Text.c_str(), nullptr));
          }
        }
      } else if (A->K == launch::Argument::Kind::Local) {
        L.LocalBytes[P->Name] = number(A->LocalBytes);
      } else if (A->K == launch::Argument::Kind::Image) {
        auto &Size = L.Images[P->Name] = {1, 1, 1};
        for (size_t D = 0; D < std::min<size_t>(A->Extents.size(), 3); ++D)
          Size[D] = int64_t(number(A->Extents[D]));
        L.Buffers[P->Name] =
            data<float>(4 * Size[0] * Size[1] * Size[2], Seed++, A->Data.Low, A->Data.High);
      } else {
        if (A->Data.K == launch::DataSpec::Kind::SameAs ||
            A->Data.K == launch::DataSpec::Kind::File || !P->isPointerParam()) {
          Known = false;
          break;
        }
        L.Buffers[P->Name] = fill(A->Data, P->Ty->Elem, number(A->Count), Names, Seed++);
      }
    }
    if (Known) {
      Best = std::move(L);
      BestItems = G->items();
    }
  }
  return Best;
}

class Golden : public ::testing::TestWithParam<fs::path> {};

/// A golden kernel, its launch for the machine, and a state as the planner makes it.
struct GoldenKernel {
  Source S;
  Launch L;
  rewrite::RewriteOptions Options;
  rules::DeviceFacts Device = *rules::findFamily("mali-midgard");
  std::optional<rewrite::PassContext> Context;

  /// Null: the machine cannot run it, Why.
  static std::unique_ptr<GoldenKernel> read(const fs::path &LaunchFile, std::string &Why) {
    auto File = launch::readLaunchFile(LaunchFile.string());
    if (!File) {
      ADD_FAILURE() << llvm::toString(File.takeError());
      return nullptr;
    }
    fs::path Path = LaunchFile;
    Path.replace_extension().replace_extension(".cl");
    ParseOptions O;
    for (auto &[Name, Text] : File->Defines)
      O.ClangArgs.push_back("-D" + Name + "=" + Text);
    auto G = std::make_unique<GoldenKernel>();
    auto Parsed = parseOpenCLFile(Path.string(), O);
    if (!Parsed || !Parsed->M) {
      ADD_FAILURE() << llvm::toString(Parsed.takeError());
      return nullptr;
    }
    G->S.Parsed = std::move(*Parsed);
    for (auto &K : G->S.Parsed.M->Kernels)
      if (K->Name == File->Kernel)
        G->S.New = K.get();
    if (!G->S.New) {
      ADD_FAILURE() << "no kernel " << File->Kernel;
      return nullptr;
    }
    splitLiveRanges(G->S.module(), *G->S.New);
    G->S.Old = rewrite::cloneKernel(G->S.module(), *G->S.New, G->S.New->Name);
    std::optional<Launch> L = launchOf(*File, *G->S.New);
    if (!L) {
      Why = "no launch for the machine";
      return nullptr;
    }
    G->L = std::move(*L);
    Outcome Before = run(*G->S.Old, G->L);
    Why = Before.Unknown + Before.Wrong;
    if (!Why.empty())
      return nullptr;
    G->Options.Pipeline.VerifyIR = true;
    G->Options.Launch.LargestGlobal = G->L.Global;
    if (G->L.Local == WorkSize{1, 1, 1})
      G->Options.Launch.NoLocalSize = true;
    else
      G->Options.Launch.KnownLocal = G->L.Local;
    for (const auto &[Name, Values] : G->L.Scalars)
      if (Values.size() == 1 && Values[0] == std::floor(Values[0]))
        G->Options.Launch.KnownScalars.push_back({Name, Name, int64_t(Values[0])});
    G->Context.emplace(rewrite::PassContext{G->S.module(), *G->S.Old, G->Device, G->Options});
    for (unsigned D = 0; D < 3; ++D)
      if (G->L.Global[D] > 1)
        G->Context->Dims = D + 1;
    return G;
  }

  /// A copy of the kernel, which no pass has seen.
  PassState start() { return {*Context, rewrite::cloneKernel(S.module(), *S.Old, S.Old->Name)}; }

  /// What the passes made of the kernel does the same.
  void expectSameAfter(const PassState &State) {
    std::optional<Launch> After = launchAfter(State, L);
    if (!After)
      return;
    S.New = &State.kernel();
    const bool IsBlock = State.Blocked.Lanes * State.Blocked.rows() > 1;
    expectSame(S, L, *After, IsBlock);
  }
};

TEST_P(Golden, EachPassKeepsItsMeaning) {
  std::string Why;
  auto G = GoldenKernel::read(GetParam(), Why);
  if (!G)
    GTEST_SKIP() << Why;
  const rewrite::PassManager Manager(G->Options.Pipeline);
  auto Run = [&](llvm::StringLiteral Id, PassState &State) {
    return Manager.run(rewrite::Step{Id, rewrite::When::Always, rewrite::When::Always, ""}, State);
  };
  unsigned Applied = 0;
  for (const Pass &P : rewrite::allPasses()) {
    SCOPED_TRACE(P.Id.str());
    if (P.ShownAs.empty())
      G->Options.Passes = {};
    else
      G->Options.Passes = {P.ShownAs.str()};
    PassState State = G->start();
    if (!P.Requires.empty()) {
      Run("normalize", State);
      State.Contiguous = State.analysis().contiguousDimension();
    }
    State.How = choiceFor(P.Id, State);
    if (!Run(P.Id, State))
      continue;
    ++Applied;
    G->expectSameAfter(State);
    if (HasFailure())
      return;
  }
  RecordProperty("applied", int(Applied));
}

TEST_P(Golden, TheWholePipelineKeepsItsMeaning) {
  std::string Why;
  auto G = GoldenKernel::read(GetParam(), Why);
  if (!G)
    GTEST_SKIP() << Why;
  const rewrite::PassManager Manager(G->Options.Pipeline);
  for (auto Stage : {rewrite::Staging::Keep, rewrite::Staging::Delocalize}) {
    PassState State = G->start();
    State.How.Stage = Stage;
    if (!Manager.run(rewrite::normalFormSteps(), State))
      continue;
    State.How.Overlap = true;
    State.How.Shape.LaneDim = 3;
    Manager.run(rewrite::finishSteps(), State);
    G->expectSameAfter(State);
  }
}

std::vector<fs::path> goldenFiles() {
  std::vector<fs::path> Files;
  for (const auto &E : fs::recursive_directory_iterator(CLMALI_GOLDEN_KERNELS))
    if (E.path().string().ends_with(".launch.yaml"))
      Files.push_back(E.path());
  std::sort(Files.begin(), Files.end());
  return Files;
}

INSTANTIATE_TEST_SUITE_P(All, Golden, ::testing::ValuesIn(goldenFiles()), [](const auto &Info) {
  std::string Name = Info.param.stem().stem().string();
  return Info.param.parent_path().filename().string() + "_" + Name;
});

} // namespace
} // namespace clmali::testing
