// The parts of the judge that need no device: elements and their comparison, deterministic data,
// constants of a source, child processes.
#include "rewriters/verify/cases/Data.h"
#include "rewriters/verify/cases/Divisors.h"
#include "rewriters/verify/cases/Element.h"
#include "rewriters/verify/run/Child.h"
#include "rewriters/verify/rungs/RungRun.h"

#include "gtest/gtest.h"

#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <set>
#include <thread>
#include <unistd.h>

using namespace clmali;
using namespace clmali::verify;

namespace {

template <typename T> Bytes bytesOf(std::initializer_list<T> Values) {
  Bytes B(Values.size() * sizeof(T));
  size_t At = 0;
  for (T V : Values) {
    std::memcpy(&B[At], &V, sizeof(T));
    At += sizeof(T);
  }
  return B;
}

ElementType type(llvm::StringRef Name) {
  std::optional<ElementType> T = elementFromName(Name);
  EXPECT_TRUE(T) << Name.str();
  return T.value_or(ElementType());
}

TEST(Element, KnowsTheTypesOfOpenCL) {
  EXPECT_EQ(type("uchar").Size, 1u);
  EXPECT_EQ(type("unsigned char").K, ElementType::Kind::Unsigned);
  EXPECT_EQ(type("unsigned int").Size, 4u);
  EXPECT_EQ(type("unsigned").K, ElementType::Kind::Unsigned);
  EXPECT_EQ(type("long").Size, 8u);
  EXPECT_EQ(type("float4").Lanes, 4u);
  EXPECT_EQ(type("float3").Lanes, 3u);
  EXPECT_EQ(type("float3").Size, 16u);
  EXPECT_EQ(type("half").Size, 2u);
  EXPECT_EQ(type("const float").K, ElementType::Kind::Float);
  for (const char *Name : {"real", "struct particle", "float5", "image2d_t", ""})
    EXPECT_FALSE(elementFromName(Name) && Name[0]) << Name;
}

TEST(Element, TextGoesThereAndBack) {
  for (float V : {0.0f, -0.0f, 1.0f, 0.1f, 1e-45f, 3.4028235e38f, -2.5e-7f, INFINITY, -INFINITY}) {
    uint8_t In[4], Out[4] = {};
    std::memcpy(In, &V, 4);
    std::string Text = formatScalar(type("float"), In);
    ASSERT_FALSE(llvm::errorToBool(parseScalar(type("float"), Text, Out))) << Text;
    EXPECT_EQ(std::memcmp(In, Out, 4), 0) << Text;
  }
  for (int64_t V : {INT64_MIN, INT64_MAX, int64_t(-1), int64_t(0)}) {
    uint8_t In[8], Out[8] = {};
    std::memcpy(In, &V, 8);
    std::string Text = formatScalar(type("long"), In);
    ASSERT_FALSE(llvm::errorToBool(parseScalar(type("long"), Text, Out)));
    EXPECT_EQ(std::memcmp(In, Out, 8), 0) << Text;
  }
  for (uint32_t V : {0x7fc00000u, 0x7f800001u, 0xffc00000u, 0x7fc00015u}) { // NaNs
    uint8_t In[4], Out[4] = {};
    std::memcpy(In, &V, 4);
    std::string Text = formatScalar(type("float"), In);
    ASSERT_FALSE(llvm::errorToBool(parseScalar(type("float"), Text, Out))) << Text;
    EXPECT_EQ(std::memcmp(In, Out, 4), 0) << Text;
    EXPECT_TRUE(launch::isFloatLiteral(Text)) << Text;
  }
  uint8_t Out[8];
  EXPECT_TRUE(llvm::errorToBool(parseScalar(type("float"), "nan(0x3f800000)", Out))); // 1.0
  EXPECT_TRUE(llvm::errorToBool(parseScalar(type("int"), "1.5", Out)));
  EXPECT_TRUE(llvm::errorToBool(parseScalar(type("float"), "much", Out)));
  EXPECT_FALSE(llvm::errorToBool(parseScalar(type("float"), "nan", Out)));
  EXPECT_FALSE(llvm::errorToBool(parseScalar(type("uchar"), "255", Out)));
}

bool same(const char *Type, const Bytes &A, const Bytes &B, launch::Tolerance T = {}) {
  return !firstDifference(type(Type), T, A, B);
}

TEST(Compare, IsExactButForNaN) {
  float Nan = std::numeric_limits<float>::quiet_NaN();
  uint32_t OtherNanBits = 0xffc01234;
  float OtherNan;
  std::memcpy(&OtherNan, &OtherNanBits, 4);
  EXPECT_TRUE(same("float", bytesOf({Nan}), bytesOf({OtherNan})));
  EXPECT_FALSE(same("float", bytesOf({0.0f}), bytesOf({-0.0f})));
  EXPECT_FALSE(same("float", bytesOf({1.0f}), bytesOf({std::nextafterf(1, 2)})));
  EXPECT_FALSE(same("float", bytesOf({Nan}), bytesOf({1.0f})));
  EXPECT_FALSE(same("float", bytesOf({INFINITY}), bytesOf({-INFINITY})));
  EXPECT_FALSE(same("uchar", bytesOf<uint8_t>({1}), bytesOf<uint8_t>({2})));
  EXPECT_TRUE(same("double", bytesOf({0.5}), bytesOf({0.5})));
}

TEST(Compare, HasTolerances) {
  launch::Tolerance Ulp, Relative, Absolute, Zero;
  Ulp.Ulp = 2;
  Relative.Relative = 1e-3;
  Absolute.Absolute = 0.01;
  Zero.Ulp = 0;
  float One = 1.0f, Next = std::nextafterf(1.0f, 2.0f);
  float Third = std::nextafterf(std::nextafterf(Next, 2.0f), 2.0f);
  EXPECT_TRUE(same("float", bytesOf({One}), bytesOf({Next}), Ulp));
  EXPECT_FALSE(same("float", bytesOf({One}), bytesOf({Third}), Ulp));
  EXPECT_FALSE(same("float", bytesOf({One}), bytesOf({Next}), Zero));
  EXPECT_TRUE(same("float", bytesOf({0.0f}), bytesOf({-0.0f}), Ulp));
  EXPECT_FALSE(same("float", bytesOf({0.0f}), bytesOf({-0.0f}), Zero));
  EXPECT_TRUE(same("float", bytesOf({1000.0f}), bytesOf({1000.9f}), Relative));
  EXPECT_FALSE(same("float", bytesOf({1000.0f}), bytesOf({1002.0f}), Relative));
  EXPECT_TRUE(same("float", bytesOf({1.0f}), bytesOf({1.009f}), Absolute));
  EXPECT_FALSE(same("float", bytesOf({1.0f}), bytesOf({1.02f}), Absolute));
  // No tolerance makes an infinity equal to a number, or a NaN to one.
  EXPECT_FALSE(same("float", bytesOf({INFINITY}), bytesOf({3.4e38f}), Relative));
  EXPECT_FALSE(same("float", bytesOf({NAN}), bytesOf({1.0f}), Absolute));
  // Integers are compared exactly, whatever the tolerance.
  EXPECT_FALSE(same("int", bytesOf({1000}), bytesOf({1001}), Relative));
}

TEST(Compare, NamesTheFirstDifference) {
  std::optional<Difference> D =
      firstDifference(type("short2"), {}, bytesOf<int16_t>({1, 2, 3, 4, 5, 6}),
                      bytesOf<int16_t>({1, 2, 3, 9, 5, 7}));
  ASSERT_TRUE(D);
  EXPECT_EQ(D->Element, 1u);
  EXPECT_EQ(D->Lane, 1u);
  EXPECT_EQ(D->Expected, "4");
  EXPECT_EQ(D->Got, "9");
  EXPECT_EQ(D->Count, 2u);
  EXPECT_EQ(D->Total, 6u);
}

TEST(Compare, LeavesThePaddingOfThreeLanesOut) {
  EXPECT_TRUE(same("int3", bytesOf({1, 2, 3, 4}), bytesOf({1, 2, 3, 5})));
  EXPECT_FALSE(same("int3", bytesOf({1, 2, 3, 4}), bytesOf({1, 2, 4, 4})));
}

TEST(Divisors, WhatIsDividedByIsSeenThroughNamesAndCalls) {
  auto In = [](llvm::StringRef Source, llvm::StringRef Name) {
    return divisorsIn(Source).count(Name.str()) != 0;
  };
  EXPECT_TRUE(In("a[i] = 255 * iter / most;", "most"));
  EXPECT_FALSE(In("a[i] = 255 * iter / most;", "iter"));
  EXPECT_TRUE(In("a[i] = i % (w - 1);", "w"));
  EXPECT_TRUE(In("a[i] = i / (int)w;", "w"));
  EXPECT_TRUE(In("x /= h + 1;", "h"));
  EXPECT_TRUE(In("int groups = most * 2; x = i / groups;", "most"));
  EXPECT_FALSE(In("int groups = most * 2; x = i / 3 + groups;", "most"));
  EXPECT_TRUE(In(
      "int f(int a, int b) { return a / b; } kernel void k(int u, int v) { x = f(u, v); }", "v"));
  EXPECT_FALSE(In(
      "int f(int a, int b) { return a / b; } kernel void k(int u, int v) { x = f(u, v); }", "u"));
  EXPECT_TRUE(
      In("#define ROW(i, w) ((i) / (w))\nkernel void k(int width) { x = ROW(g(1, 2), width); }",
         "width"));
  EXPECT_FALSE(In("x = a; // of 7 / most", "most"));
  EXPECT_FALSE(In("x = a /* / most */ + most;", "most"));
}

TEST(Constants, AreThoseOfTheCode) {
  SourceConstants C =
      scanConstants("// 11\n/* 12 */ #define X 13\nint a14 = 0x0F; \"15\" f(2.5f, 1e3, 16u);");
  EXPECT_EQ(C.Integers, (std::vector<int64_t>{13, 15, 1000, 16}));
  EXPECT_EQ(C.Floats, (std::vector<double>{13, 15, 2.5, 1000, 16}));
}

struct DataCase {
  launch::LaunchFile File;
  launch::Argument Arg;
  SourceConstants Constants;
  Bytes make(const char *Type, Pattern P, uint64_t Seed, DataRules Rules = {},
             uint64_t Count = 500) {
    DataRequest R;
    R.File = &File;
    R.Arg = &Arg;
    R.Type = type(Type);
    R.Count = Count;
    R.P = P;
    R.Seed = Seed;
    R.Constants = &Constants;
    R.Rules = Rules;
    llvm::Expected<Bytes> B = makeData(R);
    if (!B) {
      ADD_FAILURE() << llvm::toString(B.takeError());
      return {};
    }
    return *B;
  }
};

TEST(Data, IsTheSameForTheSameSeed) {
  for (Pattern P : AllPatterns) {
    DataCase D;
    D.Arg.Name = "x";
    EXPECT_EQ(D.make("float", P, 1), D.make("float", P, 1));
    DataCase Other;
    Other.Arg.Name = "y";
    if (P != Pattern::AllMost)
      EXPECT_NE(D.make("float", P, 1), D.make("float", P, 2));
    if (P == Pattern::RandomBits)
      EXPECT_NE(D.make("float", P, 1), Other.make("float", P, 1));
  }
}

TEST(Data, StaysInTheDeclaredRange) {
  DataCase D;
  D.Arg.Data.K = launch::DataSpec::Kind::Range;
  D.Arg.Data.RangeLow = launch::Expression::constant(-3);
  D.Arg.Data.RangeHigh = launch::Expression::constant(9);
  DataRules Limited;
  Limited.LimitIntegers = true;
  bool Low = false, High = false;
  for (Pattern P : AllPatterns) {
    Bytes B = D.make("int", P, 5, Limited);
    for (size_t I = 0; I < B.size(); I += 4) {
      int V;
      std::memcpy(&V, &B[I], 4);
      ASSERT_GE(V, -3) << toString(P).str();
      ASSERT_LE(V, 9) << toString(P).str();
      Low |= V == -3;
      High |= V == 9;
    }
  }
  EXPECT_TRUE(Low && High) << "both ends are tried";
  Bytes Wild = D.make("int", Pattern::RandomBits, 5);
  bool Outside = false;
  for (size_t I = 0; I < Wild.size(); I += 4) {
    int V;
    std::memcpy(&V, &Wild[I], 4);
    Outside |= V < -3 || V > 9;
  }
  EXPECT_TRUE(Outside) << "a range is how the host fills it, no promise";
}

TEST(Data, HasTheHardValues) {
  DataCase D;
  Bytes B = D.make("float", Pattern::Extremes, 1, {}, 2000);
  bool Nan = false, Infinite = false, MinusZero = false, Denormal = false;
  for (size_t I = 0; I < B.size(); I += 4) {
    float V;
    std::memcpy(&V, &B[I], 4);
    Nan |= std::isnan(V);
    Infinite |= std::isinf(V);
    MinusZero |= V == 0 && std::signbit(V);
    Denormal |= V != 0 && std::fabs(V) < std::numeric_limits<float>::min();
  }
  EXPECT_TRUE(Nan && Infinite && MinusZero && Denormal);
  DataRules Tame;
  Tame.Tame = true;
  for (Pattern P : AllPatterns) {
    Bytes T = D.make("float", P, 1, Tame, 2000);
    for (size_t I = 0; I < T.size(); I += 4) {
      float V;
      std::memcpy(&V, &T[I], 4);
      ASSERT_TRUE(std::isfinite(V)) << toString(P).str();
    }
  }
}

TEST(Data, HasTheKernelsConstantsAndTheirNeighbours) {
  DataCase D;
  D.Constants.add(100);
  Bytes B = D.make("uchar", Pattern::Constants, 1);
  for (int Wanted : {99, 100, 101})
    EXPECT_NE(std::find(B.begin(), B.end(), Wanted), B.end()) << Wanted;
  D.Constants = {};
  D.Constants.add(0.7);
  Bytes F = D.make("float", Pattern::Constants, 1);
  std::set<float> Seen;
  for (size_t I = 0; I < F.size(); I += 4) {
    float V;
    std::memcpy(&V, &F[I], 4);
    Seen.insert(V);
  }
  for (float Wanted : {0.7f, std::nextafterf(0.7f, 1), std::nextafterf(0.7f, 0)})
    EXPECT_TRUE(Seen.count(Wanted)) << Wanted;
}

ChildTask quick(std::function<void(Channel &)> Work) {
  ChildTask T;
  T.Work = std::move(Work);
  T.SilenceSeconds = 1;
  T.TotalSeconds = 3;
  return T;
}

TEST(Child, ReportsAndEnds) {
  ChildTask T = quick([](Channel &Out) {
    for (int I = 0; I < 1000; ++I)
      Out.send("n", I);
  });
  int64_t Sum = 0;
  T.OnMessage = [&Sum](const llvm::json::Object &O) {
    Sum += O.getInteger("n").value_or(0);
    return true;
  };
  EXPECT_EQ(runChild(std::move(T)).K, ChildEnd::Kind::Finished);
  EXPECT_EQ(Sum, 999 * 1000 / 2);
}

TEST(Child, SurvivesWhatTheWorkDoes) {
  ChildEnd Crash = runChild(quick([](Channel &) { std::raise(SIGSEGV); }));
  EXPECT_EQ(Crash.K, ChildEnd::Kind::Crashed);
  EXPECT_EQ(Crash.Signal, SIGSEGV);
  EXPECT_EQ(runChild(quick([](Channel &) { _exit(0); })).K, ChildEnd::Kind::Crashed)
      << "leaving without a word is no success";
  EXPECT_EQ(
      runChild(quick([](Channel &) { std::this_thread::sleep_for(std::chrono::seconds(60)); })).K,
      ChildEnd::Kind::Hung);
  ChildEnd Busy = runChild(quick([](Channel &Out) {
    while (true) {
      Out.send("alive", true);
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
    }
  }));
  EXPECT_EQ(Busy.K, ChildEnd::Kind::Hung);
  EXPECT_TRUE(Busy.OverTotal);
  ChildTask Greedy = quick([](Channel &) {
    std::vector<char *> Hoard;
    for (int I = 0; I < 64; ++I) {
      char *P = static_cast<char *>(std::malloc(32 << 20));
      std::memset(P, I + 1, 32 << 20);
      Hoard.push_back(P);
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
  });
  // A busy machine needs seconds for this too.
  Greedy.SilenceSeconds = Greedy.TotalSeconds = 60;
  Greedy.MemoryBytes = uint64_t(256) << 20;
  EXPECT_EQ(runChild(std::move(Greedy)).K, ChildEnd::Kind::Memory);
}

TEST(Child, StopsAndStartsAgain) {
  int Starts = 0;
  ChildTask T = quick([&Starts](Channel &Out) {
    Out.send("start", Starts);
    if (Starts < 2)
      std::raise(SIGSEGV);
  });
  T.Again = [&Starts](const ChildEnd &End) {
    return End.K == ChildEnd::Kind::Crashed && ++Starts < 5;
  };
  EXPECT_EQ(runChild(std::move(T)).K, ChildEnd::Kind::Finished);
  EXPECT_EQ(Starts, 2);
  ChildTask Stop = quick([](Channel &Out) {
    Out.send("a", 1);
    std::this_thread::sleep_for(std::chrono::seconds(60));
  });
  Stop.OnMessage = [](const llvm::json::Object &) { return false; };
  EXPECT_EQ(runChild(std::move(Stop)).K, ChildEnd::Kind::Stopped);
}

TEST(RungRun, TheReasonIsNeverEmpty) {
  RungRun Run;
  EXPECT_EQ(whyNotClimbed(Run), "no input is small enough");
  Run.Setup.Inputs = {0};
  EXPECT_EQ(whyNotClimbed(Run), "another check found a fault first");
  Run.Skipped[0] = {"stray", "the original reads outside its buffers"};
  EXPECT_EQ(whyNotClimbed(Run), "the original reads outside its buffers");
  Run.Skipped[0].Why = "";
  EXPECT_FALSE(whyNotClimbed(Run).empty());
  Run.OutOfTime = true;
  EXPECT_EQ(whyNotClimbed(Run), "too slow");
  Run.Seconds = 25;
  EXPECT_EQ(whyNotClimbed(Run), "it took longer than 25 s");
  Run.Stopped = "it crashed 40 times";
  EXPECT_EQ(whyNotClimbed(Run), "it crashed 40 times");
  Run.Cannot = "Oclgrind is not installed";
  EXPECT_EQ(whyNotClimbed(Run), "Oclgrind is not installed");
}

// Without protected pages a write outside may have changed the child itself.
TEST(RungRun, AnotherChildGoesOnWhereTheOriginalLeftItsBuffers) {
  using Mode = WorkerSetup::Mode;
  auto goesOn = [](Mode M, const char *Kind) {
    JudgeRequest Request;
    TestPlan P;
    P.Request = &Request;
    P.Inputs.resize(1);
    P.Launches.resize(1);
    RungRun Run;
    Run.Setup.M = M;
    Run.Setup.Inputs = {0};
    llvm::json::Object Skip{{"case", 0}, {"kind", Kind}, {"why", "."}};
    bool SameChild =
        taskOf(Run, P, nullptr).OnMessage(llvm::json::Object{{"skip", std::move(Skip)}});
    EXPECT_EQ(Run.Skipped.count(0), 1u);
    return SameChild;
  };
  EXPECT_FALSE(goesOn(Mode::Guards, "stray"));
  EXPECT_TRUE(goesOn(Mode::Guards, "racy"));
  EXPECT_TRUE(goesOn(Mode::Pages, "stray"));
  EXPECT_TRUE(goesOn(Mode::Oclgrind, "stray"));
}

TEST(RungRun, NoSentenceEndsInAColon) {
  EXPECT_EQ(because("no size could be compared", "too slow"),
            "no size could be compared: too slow");
  EXPECT_EQ(because("no size could be compared", ""), "no size could be compared");
}

} // namespace
