//===-- test/passes/GoldenTest.cpp - Every pass on every golden kernel -----===//
//
// Each kernel of test/rewrite is run by the machine before and after each pass,
// at the smallest size of its launch file. What a pass must keep: the bytes of
// every buffer, that no byte is read that was not read before, and a well-formed kernel.
//
//===----------------------------------------------------------------------===//

#include "Kernels.h"
#include "checks/model/ir/Verifier.h"
#include "rewriters/launch/LaunchFile.h"
#include <filesystem>
#include <functional>

namespace clmali::testing {
namespace {

using namespace model;
namespace fs = std::filesystem;

struct Pass {
  const char *Name;
  std::function<unsigned(Source &)> Run;
};

std::vector<Pass> passes() {
  using namespace rewrite;
  auto Builtins = [](Source &S) { return useBuiltins({S.module(), *S.New}); };
  auto Unroll = [](Source &S) {
    unsigned N = unrollConstantLoops({S.module(), *S.New}, 16, 4000);
    splitLiveRanges(S.module(), *S.New);
    return N + scalarizeArrays(S.module(), *S.New);
  };
  auto Inner = [](Source &S) { return unrollInner({S.module(), *S.New}, 4); };
  auto Merge = [](Source &S) { return mergeLoads({S.module(), *S.New}, false); };
  auto Overlapping = [](Source &S) { return mergeLoads({S.module(), *S.New}, true); };
  auto Columns = [](Source &S) { return shareColumns({S.module(), *S.New}); };
  auto Pack = [=](Source &S) {
    model::pattern::Apart Assumed;
    return Merge(S) + packStores({S.module(), *S.New}, Assumed);
  };
  auto Split = [](Source &S) -> unsigned {
    // All or nothing: what is left of a kernel that does not split is of no use.
    Kernel *Scalars = cloneKernel(S.module(), *S.New, S.New->Name);
    if (!splitComponents({S.module(), *Scalars}))
      return 0;
    S.New = Scalars;
    normalize({S.module(), *S.New});
    return 1;
  };
  auto Narrow = [](Source &S) { return narrow({S.module(), *S.New}, S.Refusals); };
  auto Reduce = [](Source &S) { return strengthReduce({S.module(), *S.New}); };
  auto Delocalize = [](Source &S) {
    return delocalize({S.module(), *S.New}, S.Refusals, &S.Needs);
  };
  auto Cleanup = [](Source &S) { return cleanup({S.module(), *S.New}); };
  auto All = [=](Source &S) {
    unsigned N = Builtins(S) + Unroll(S);
    splitLiveRanges(S.module(), *S.New);
    N += Delocalize(S) + Split(S) + Inner(S) + Pack(S) + Overlapping(S) + Columns(S) + Narrow(S) +
         Reduce(S);
    return N + Cleanup(S);
  };
  return {{"use-builtins", Builtins},
          {"unroll", Unroll},
          {"unroll-inner", Inner},
          {"merge-loads", Merge},
          {"merge-overlapping", Overlapping},
          {"share-columns", Columns},
          {"narrow", Narrow},
          {"pack-stores", Pack},
          {"split-components", Split},
          {"strength-reduce", Reduce},
          {"delocalize", Delocalize},
          {"cleanup", Cleanup},
          {"all", All}};
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

TEST_P(Golden, KeepsItsMeaning) {
  auto File = launch::readLaunchFile(GetParam().string());
  ASSERT_TRUE(bool(File)) << llvm::toString(File.takeError());
  fs::path Path = GetParam();
  Path.replace_extension().replace_extension(".cl");
  ParseOptions O;
  for (auto &[Name, Text] : File->Defines)
    O.ClangArgs.push_back("-D" + Name + "=" + Text);
  unsigned Applied = 0;
  for (const Pass &P : passes()) {
    SCOPED_TRACE(P.Name);
    auto Parsed = parseOpenCLFile(Path.string(), O);
    ASSERT_TRUE(bool(Parsed)) << llvm::toString(Parsed.takeError());
    ASSERT_TRUE(Parsed->M != nullptr);
    Source S;
    S.Parsed = std::move(*Parsed);
    for (auto &K : S.Parsed.M->Kernels)
      if (K->Name == File->Kernel)
        S.New = K.get();
    ASSERT_TRUE(S.New != nullptr);
    splitLiveRanges(S.module(), *S.New);
    S.Old = rewrite::cloneKernel(S.module(), *S.New, S.New->Name);
    std::optional<Launch> L = launchOf(*File, *S.New);
    if (!L)
      GTEST_SKIP() << "no launch for the machine";
    Outcome Before = run(*S.Old, *L);
    if (!Before.Unknown.empty() || !Before.Wrong.empty())
      GTEST_SKIP() << Before.Unknown << Before.Wrong;
    unsigned N = P.Run(S);
    if (!N)
      continue;
    ++Applied;
    EXPECT_EQ(verify(*S.New), std::vector<std::string>());
    Both R = expectSame(S, *L);
    if (HasFailure())
      return;
    if (std::getenv("CLMALI_SHOW"))
      llvm::errs() << GetParam().stem().stem().string() << ' ' << P.Name << ' ' << N << " loads "
                   << Before.Loads << " -> " << R.New.Loads << ", local " << Before.LocalAccesses
                   << " -> " << R.New.LocalAccesses << ", barriers " << Before.Barriers << " -> "
                   << R.New.Barriers << '\n';
  }
  RecordProperty("applied", int(Applied));
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
