//===-- test/passes/LoopLanesTest.cpp - loop iterations as lanes -----------===//
//
// Floating-point data are small whole numbers, whose sums are exact in any order.

#include "Kernels.h"

namespace clmali::testing {
namespace {

using namespace rewrite;

constexpr unsigned Items = 3;

/// `kernel void k(global const T *a, global const T *b, global R *o, int n)` over rows of n.
template <typename T, typename R = T> Launch rows(int N, double Low = -9, double High = 9) {
  Launch L;
  L.Global = {Items, 1, 1};
  auto Whole = [](std::vector<uint8_t> Bytes) {
    for (size_t I = 0; I < Bytes.size() / sizeof(T); ++I) {
      T V;
      __builtin_memcpy(&V, &Bytes[I * sizeof(T)], sizeof(T));
      V = T(int64_t(V));
      __builtin_memcpy(&Bytes[I * sizeof(T)], &V, sizeof(T));
    }
    return Bytes;
  };
  L.Buffers = {{"a", Whole(data<T>(Items * N, 1, Low, High))},
               {"b", Whole(data<T>(N, 2, Low, High))},
               {"o", data<R>(Items, 3, 0, 1)}};
  L.Scalars = {{"n", {double(N)}}};
  return L;
}

std::string kernel(const std::string &T, const std::string &R, const std::string &Body) {
  return "kernel void k(global const " + T + " *a, global const " + T + " *b, global " + R +
         " *o, int n) { int y = get_global_id(0); " + Body + " }";
}

/// The loop becomes lanes, and gives the same for every rest.
template <typename T, typename R = T>
void expectLanes(const std::string &Body, const char *TName, const char *RName, bool Float = false,
                 unsigned Lanes = 4, double Low = -9, double High = 9) {
  Source S = parse(kernel(TName, RName, Body));
  normalize({S.module(), *S.New});
  if (Float) {
    Source Strict = parse(kernel(TName, RName, Body));
    normalize({Strict.module(), *Strict.New});
    EXPECT_EQ(sumInLanes({Strict.module(), *Strict.New}, Lanes, false), 0u)
        << "without leave to regroup";
  }
  ASSERT_GT(sumInLanes({S.module(), *S.New}, Lanes, Float), 0u) << S.text();
  for (int N : {1, 2, 3, 4, 5, 7, 8, 9, 16, 19})
    expectSame(S, rows<T, R>(N, Low, High));
}

void expectNone(const std::string &Body, const char *TName = "float", const char *RName = "float") {
  Source S = parse(kernel(TName, RName, Body));
  normalize({S.module(), *S.New});
  EXPECT_EQ(sumInLanes({S.module(), *S.New}, 4, true), 0u) << S.text();
}

void floats(const std::string &Body, unsigned Lanes = 4) {
  expectLanes<float>(Body, "float", "float", true, Lanes);
}
void ints(const std::string &Body, unsigned Lanes = 4, double Low = -2e9, double High = 2e9) {
  expectLanes<int>(Body, "int", "int", false, Lanes, Low, High);
}

//===----------------------------------------------------------------------===//
// Sums
//===----------------------------------------------------------------------===//

TEST(LoopLanes, DotProduct) {
  floats("float s = 0; for (int i = 0; i < n; i++) s += a[y * n + i] * b[i]; o[y] = s;");
}
TEST(LoopLanes, SixteenLanes) {
  floats("float s = 1; for (int i = 0; i < n; i++) s += a[y * n + i]; o[y] = s;", 16);
}
TEST(LoopLanes, TwoLanes) {
  floats("float s = 1; for (int i = 0; i < n; i++) s = a[y * n + i] + s; o[y] = s;", 2);
}
TEST(LoopLanes, Subtracted) {
  floats("float s = 5; for (int i = 0; i < n; i++) s -= a[y * n + i] + 1; o[y] = s;");
}
TEST(LoopLanes, TwoTermsInOneStatement) {
  floats("float s = 0; for (int i = 0; i < n; i++) s = s + a[y * n + i] - b[i]; o[y] = s;");
}
TEST(LoopLanes, MultiplyAdd) {
  floats("float s = 0; for (int i = 0; i < n; i++) s = fma(a[y * n + i], b[i], s); o[y] = s;");
}
TEST(LoopLanes, TwoSumsThroughAVariable) {
  floats("float s = 0, q = 0; for (int i = 0; i < n; i++) { float e = a[y * n + i]; s += e; q += e "
         "* e; } o[y] = s + 3 * q;");
}
TEST(LoopLanes, Product) {
  expectLanes<float>("float p = 1; for (int i = 0; i < n; i++) p *= a[y * n + i]; o[y] = p;",
                     "float", "float", true, 4, 1, 2.9);
}
TEST(LoopLanes, Largest) {
  floats("float m = a[y * n]; for (int i = 1; i < n; i++) m = fmax(m, a[y * n + i]); o[y] = m;");
}
TEST(LoopLanes, LargestByBranch) {
  floats("float m = a[y * n]; for (int i = 1; i < n; i++) if (a[y * n + i] > m) m = a[y * n + i]; "
         "o[y] = m;");
}
TEST(LoopLanes, SmallestByChoiceFromTheOtherSide) {
  floats("float m = a[y * n]; for (int i = 1; i < n; i++) { float e = a[y * n + i] * 2; m = m > e "
         "? e : m; } o[y] = m;");
}
TEST(LoopLanes, UnderACondition) {
  floats("float s = 0; for (int i = 0; i < n; i++) { float e = a[y * n + i]; if (e > 0) s += e; "
         "else s -= 2 * e; } o[y] = s;");
}
TEST(LoopLanes, UnderAConditionForAllRounds) {
  floats("float s = 0; for (int i = 0; i < n; i++) { if (y > 1) s += a[y * n + i]; s += b[i]; } "
         "o[y] = s;");
}
TEST(LoopLanes, NotItself) {
  floats("float s = 0; for (int i = 0; i < n; i++) { float e = a[y * n + i]; if (i != y) s += e; } "
         "o[y] = s;");
}
TEST(LoopLanes, IndexAsAValue) {
  floats("float s = 0; for (int i = 0; i < n; i++) s += a[y * n + i] * (float)(i - y); o[y] = s;");
}

TEST(LoopLanes, IntegersWrap) {
  ints("int s = y; for (int i = 0; i < n; i++) s += (a[y * n + i] ^ b[i]) / 64; o[y] = s;");
}
TEST(LoopLanes, UnsignedWraps) {
  expectLanes<uint32_t>("uint s = 1; for (int i = 0; i < n; i++) s *= a[y * n + i] | 1u; o[y] = s;",
                        "uint", "uint", false, 4, 0, 4e9);
}
TEST(LoopLanes, Bits) {
  ints("int p = -1, q = 0, r = 0; for (int i = 0; i < n; i++) { p &= a[y * n + i] | 255; q |= "
       "b[i]; r ^= a[y * n + i]; } o[y] = p + 3 * (q & 15) + (r >> 4);");
}
TEST(LoopLanes, SmallestInteger) {
  ints("int m = 7; for (int i = 0; i < n; i++) m = min(a[y * n + i], m); o[y] = m;", 8);
}
TEST(LoopLanes, NarrowSum) {
  expectLanes<uint8_t>("uchar s = 3; for (int i = 0; i < n; i++) s += a[y * n + i]; o[y] = s;",
                       "uchar", "uchar", false, 16, 0, 255);
}
TEST(LoopLanes, WideSumOfNarrow) {
  expectLanes<int16_t, int64_t>(
      "long s = 0; for (int i = 0; i < n; i++) s += (long)a[y * n + i] * b[i]; o[y] = s;", "short",
      "long", false, 8, -30000, 30000);
}
TEST(LoopLanes, Counted) {
  ints("int c = 0; for (int i = 0; i < n; i++) if (a[y * n + i] > b[0]) c++; o[y] = c;");
}
TEST(LoopLanes, GatheredByColumn) {
  ints("int s = 0; for (int i = 0; i < n; i++) s += a[i * 3 + y] >> 8; o[y] = s;");
}
TEST(LoopLanes, GatheredByData) {
  expectLanes<int>("int s = 0; for (int i = 0; i < n; i++) s += a[b[i] & 1]; o[y] = s;", "int",
                   "int", false, 4, 0, 1000);
}
TEST(LoopLanes, Backwards) {
  ints("int s = 0; for (int i = 0; i < n; i++) s += a[y * n + i] * 0 + b[n - 1 - i] / 16 * (i & "
       "3); o[y] = s;");
}
TEST(LoopLanes, UpToAndWith) {
  ints("int s = 0; for (int i = 1; i <= n - 1; i++) s += b[i] / 32; o[y] = s;");
}
TEST(LoopLanes, FromSomewhere) {
  ints("int s = 0; for (int i = y * n; i < y * n + n; i++) s += a[i] / 32; o[y] = s;");
}
TEST(LoopLanes, CountsInTheBody) {
  ints("int s = 0, i = 0; while (i < n) { s += b[i] / 32; i++; } o[y] = s;");
}
TEST(LoopLanes, PointersWalkAlong) {
  ints("int s = 0; global const int *p = a + y * n, *q = b; for (int i = 0; i < n; i++) s += *p++ "
       "/ 64 + *q++ / 64; o[y] = s;");
}
TEST(LoopLanes, PointerInTheHeader) {
  ints("int s = 0; global const int *p = a + y * n; for (int i = 0; i < n; i++, p++) s += *p / 64; "
       "o[y] = s;");
}

/// The lanes are summed up once, behind all rows.
TEST(LoopLanes, LanesLiveAcrossTheLoopAround) {
  std::string Body = "int s = 0; for (int j = 0; j < 3; j++) for (int i = 0; i < n; i++) s += a[j "
                     "* n + i] / 64; o[y] = s;";
  ints(Body);
  Source S = parse(kernel("int", "int", Body));
  normalize({S.module(), *S.New});
  sumInLanes({S.module(), *S.New}, 4, false);
  for (const model::Stmt *Top : S.New->Body)
    if (Top->K == model::StmtKind::Loop)
      model::walk(Top->Body, [&](model::Stmt *T) {
        EXPECT_FALSE(T->K == model::StmtKind::Decl && T->V->Ty->isVector()) << S.text();
        return true;
      });
}

/// ... but not where each row's sum is looked at.
TEST(LoopLanes, RowsThatAreLookedAt) {
  ints("int s = 0, m = 0; for (int j = 0; j < 3; j++) { for (int i = 0; i < n; i++) s += a[j * n + "
       "i] / 64; m ^= s; } o[y] = m;");
}

//===----------------------------------------------------------------------===//
// Near misses
//===----------------------------------------------------------------------===//

TEST(LoopLanes, NotWhatTheOrderMattersTo) {
  expectNone("float s = 0; for (int i = 0; i < n; i++) s = s * 0.5f + a[y * n + i]; o[y] = s;");
  expectNone("float s = 0; for (int i = 0; i < n; i++) s = a[y * n + i] - s; o[y] = s;");
  expectNone("int s = 0; for (int i = 0; i < n; i++) s = add_sat(s, a[y * n + i]); o[y] = s;",
             "int", "int");
  expectNone("int s = 0; for (int i = 0; i < n; i++) s = (s + a[y * n + i]) >> 1; o[y] = s;", "int",
             "int");
  expectNone(
      "float s = 0; for (int i = 0; i < n; i++) { s += a[y * n + i]; s *= b[i]; } o[y] = s;");
}

TEST(LoopLanes, NotWhatIsLookedAtMeanwhile) {
  expectNone(
      "float s = 0, q = 0; for (int i = 0; i < n; i++) { s += a[y * n + i]; q += s; } o[y] = q;");
  expectNone("float s = 0; for (int i = 0; i < n; i++) { s += a[y * n + i]; if (s > 100) s -= 100; "
             "} o[y] = s;");
  expectNone("float s = 0; for (int i = 0; i < n && s < 4; i++) s += a[y * n + i]; o[y] = s;");
  expectNone("float s = 0, last = 0; for (int i = 0; i < n; i++) { s += last * a[y * n + i]; last "
             "= a[y * n + i]; } o[y] = s;");
}

TEST(LoopLanes, NotTheFirstOfTheLargest) {
  expectNone("float m = a[y * n]; int at = 0; for (int i = 1; i < n; i++) if (a[y * n + i] > m) { "
             "m = a[y * n + i]; at = i; } o[y] = at + m;");
}

/// NaN is taken once it comes, and lost again: by order.
TEST(LoopLanes, NotAChoiceThatTakesWhatDoesNotCompare) {
  expectNone("float m = a[y * n]; for (int i = 1; i < n; i++) { float e = a[y * n + i]; m = m > e "
             "? m : e; } o[y] = m;");
}

TEST(LoopLanes, NotWhatLeaves) {
  expectNone("float s = 0; for (int i = 0; i < n; i++) { if (a[y * n + i] < 0) break; s += a[y * n "
             "+ i]; } o[y] = s;");
}

TEST(LoopLanes, NothingIsLoadedThatWasNot) {
  expectNone("float s = 0; for (int i = 0; i < n; i++) if (b[i] > 0) s += a[y * n + i]; o[y] = s;");
  expectNone("float s = 0; for (int i = 0; i < n; i++) if (i != y) s += a[y * n + i]; o[y] = s;");
  expectNone(
      "float s = 0; for (int i = 0; i < n; i++) s += b[i] > 0 ? a[y * n + i] : 1.0f; o[y] = s;");
}

TEST(LoopLanes, NotWhereItStores) {
  expectNone("float s = 0; for (int i = 0; i < n; i++) { s += a[y * n + i]; o[y] = 1; } o[y] = s;");
}

TEST(LoopLanes, NotVolatile) {
  Source S = parse("kernel void k(global const volatile float *a, global float *o, int n) {"
                   " float s = 0; for (int i = 0; i < n; i++) s += a[i]; o[0] = s; }");
  normalize({S.module(), *S.New});
  EXPECT_EQ(sumInLanes({S.module(), *S.New}, 4, true), 0u);
}

} // namespace
} // namespace clmali::testing
