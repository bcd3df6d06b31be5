// Blocks of work-items: right ones are proved for every size, wrong ones are not.
#include "GenericTest.h"

using namespace clmali::verify;
using namespace clmali::verify::test;
using Reason = GenericProof::Reason;

namespace {

const char *const OneInOneOut = "  - { name: a, buffer: in, count: \"n\" }\n"
                                "  - { name: out, buffer: inout, count: \"n\" }\n";
const char *const WithCount = "  - { name: a, buffer: in, count: \"n\" }\n"
                              "  - { name: out, buffer: inout, count: \"n\" }\n"
                              "  - { name: n, value: \"n\" }\n";

Case guarded(const std::string &Body) {
  Case C;
  C.Original = R"(
__kernel void k(__global const uint *a, __global uint *out, int n) {
  int i = get_global_id(0);
  if (i < n) out[i] = a[i] * 3u + 1u;
})";
  C.Rewritten = "__kernel void k_v(__global const uint *a, __global uint *out, int n) {\n"
                "  int i = get_global_id(0) * 4;\n" +
                Body + "}";
  C.Args = WithCount;
  C.Global = "\"roundup(n, 64)\"";
  return C;
}

const char *const Tail = "  for (int j = i; j <= i + 3 && j < n; ++j) out[j] = a[j] * 3u + 1u;\n";

std::string fast(const std::string &Guard,
                 const std::string &Value = "vload4(0, a + i) * 3u + 1u") {
  return "  if (" + Guard + ") { vstore4(" + Value + ", 0, out + i); }\n  else" + Tail;
}

TEST(GenericBlock, GuardWithTailIsProved) { expectProved(guarded(fast("i + 3 < n"))); }

TEST(GenericBlock, WrongGuardsAreNotProved) {
  expectReason(guarded(fast("i + 2 < n")), {Reason::NewAccess, Reason::StoreDiffers});
  expectReason(guarded(fast("i + 4 < n") + "  if (i + 4 == n) out[i] = 0;\n"),
               {Reason::StoreDiffers, Reason::ValueDiffers, Reason::NewAccess});
  expectReason(guarded("  vstore4(vload4(0, a + i) * 3u + 1u, 0, out + i);\n"),
               {Reason::NewAccess, Reason::StoreDiffers});
}

TEST(GenericBlock, WrongTailIsNotProved) {
  std::string Body = fast("i + 3 < n");
  // The tail has three work-items at most.
  expectProved(guarded(replaced(Body, "j <= i + 3", "j <= i + 2")));
  expectReason(guarded(replaced(Body, "j <= i + 3", "j <= i + 1")), {Reason::StoreDiffers});
  expectReason(guarded(replaced(Body, "j < n", "j < n - 1")),
               {Reason::StoreDiffers, Reason::Overflow});
  expectReason(guarded(replaced(Body, "out[j] = a[j] * 3u + 1u", "out[j] = a[j] * 3u")),
               {Reason::ValueDiffers});
}

TEST(GenericBlock, LanesInAnotherOrderAreNotProved) {
  expectReason(guarded(fast("i + 3 < n", "vload4(0, a + i).s0132 * 3u + 1u")),
               {Reason::ValueDiffers});
}

TEST(GenericBlock, RareFaultsAreNotProved) {
  for (const char *Fault : {"+ (uint)(n == 481)", "+ (uint)(n % 64 == 1 && n > 2000)",
                            "+ (uint)(i == 70000)", "+ (uint)(i + n == 1000000007)"})
    expectReason(guarded(fast("i + 3 < n", "vload4(0, a + i) * 3u + 1u " + std::string(Fault))),
                 {Reason::ValueDiffers, Reason::Overflow});
  // One bit pattern of the data.
  expectReason(guarded(fast("i + 3 < n", "vload4(0, a + i) * 3u + 1u + "
                                         "(uint4)(a[i + 2] == 0x40490fdbu, 0, 0, 0)")),
               {Reason::ValueDiffers});
}

TEST(GenericBlock, AccessesOfTheBlockOnly) {
  // Beyond the block, and not always in the buffer.
  expectReason(guarded(fast("i + 3 < n", "vload4(0, a + i) * 3u + 1u + a[i + 4] * 0u")),
               {Reason::NewAccess});
  expectReason(
      guarded(fast("i + 3 < n", "vload4(0, a + i) * 3u + 1u") +
              "  if (n > 1200) out[i] = out[i];\n"),
      {Reason::NewAccess, Reason::StoreDiffers, Reason::Interference, Reason::ValueDiffers});
}

TEST(GenericBlock, BlockFactorIsAClaim) {
  Case C = guarded(fast("i + 3 < n"));
  C.Launches = replaced(C.Launches, "gx / 4", "gx / 4 - 1");
  expectReason(C, {Reason::Coverage});
  C.Launches = replaced(blocksOf(4), "gx % 4\", \"gy\"", "gx % 4 + 1\", \"gy\"");
  expectReason(C, {Reason::Coverage});
  C.Launches = replaced(blocksOf(4), "ox % 4 == 0", "1");
  expectReason(C, {Reason::Coverage});
  // A kernel that does eight, launched as if it did four.
  C = guarded(fast("i + 3 < n"));
  C.Rewritten = replaced(C.Rewritten, "get_global_id(0) * 4", "get_global_id(0) * 8");
  expectReason(C, {Reason::StoreDiffers, Reason::NewAccess});
}

TEST(GenericBlock, MasksOfManyBits) {
  for (const char *Mask : {"0x7fffffffffffffffL", "0x3fffffffffffffffL", "0x7fffffffL", "-256L"}) {
    const std::string Bound = std::string("((long)n & ") + Mask + ")";
    Case C = guarded("  for (int j = i; j <= i + 3; ++j) if (j < " + Bound + ") out[j] = a[j];\n");
    C.Original = "__kernel void k(__global const uint *a, __global uint *out, int n) {\n"
                 "  int i = get_global_id(0);\n"
                 "  if (i < " +
                 Bound + ") out[i] = a[i];\n}";
    expectProved(C);
    C.Rewritten = replaced(C.Rewritten, "j < (", "j <= (");
    EXPECT_FALSE(C.prove().proved());
  }
}

TEST(GenericBlock, WideIdsNeedTheirBound) {
  // Without gx + ox < 2^31 the id does not fit an int.
  Case C = guarded(fast("i + 3 < n"));
  C.Launches = blocksOf(4);
  for (int I = 0; I < 3; ++I)
    C.Launches = replaced(C.Launches, "gx + ox < 2147483648 && ", "");
  GenericProof P = C.prove();
  EXPECT_FALSE(P.proved());
}

TEST(GenericBlock, SignOfAWrappedProduct) {
  Case C;
  C.Original = R"(
__kernel void k(__global const uchar *a, __global uchar *out) {
  uint i = get_global_id(0);
  int h = (int)(i * 1000003u);
  out[i] = h < 0 ? a[i] : 255 - a[i];
})";
  const std::string Head = "__kernel void k_v(__global const uchar *a, __global uchar *out) {\n"
                           "  uint i = get_global_id(0) * 4;\n";
  C.Args = OneInOneOut;
  C.Rewritten = Head + "  vstore4((uchar)255 - vload4(0, a + i), 0, out + i);\n}";
  expectReason(C, {Reason::ValueDiffers});
  C.Rewritten = Head + R"(
  int4 h = as_int4((i + (uint4)(0, 1, 2, 3)) * 1000003u);
  uchar4 v = vload4(0, a + i);
  vstore4(select((uchar)255 - v, v, convert_char4(h < 0)), 0, out + i);
})";
  expectProved(C);
}

TEST(GenericBlock, ShiftAmountModuloWidth) {
  Case C;
  C.Original = R"(
__kernel void k(__global const float *a, __global float *out, int s) {
  int i = get_global_id(0);
  out[i] = a[i >> s] * 2.0f;
})";
  auto rewritten = [](const std::string &Guard) {
    return "__kernel void k_v(__global const float *a, __global float *out, int s) {\n"
           "  int i = get_global_id(0) * 4;\n"
           "  if (" +
           Guard +
           ")\n"
           "    vstore4((float4)(a[i >> s] * 2.0f), 0, out + i);\n"
           "  else\n"
           "    for (int j = i; j <= i + 3; ++j) out[j] = a[j >> s] * 2.0f;\n}";
  };
  C.Args = std::string(OneInOneOut) + "  - { name: s, value: 4 }\n";
  C.Rewritten = rewritten("s >= 2 && s < 32");
  expectProved(C);
  C.Rewritten = rewritten("s >= 2");
  GenericProof P = C.prove();
  // With s = 4, the launch file's only value, it is right: the proof says so.
  EXPECT_EQ(P.proved(), !P.Pinned.empty());
  C.Args = replaced(C.Args, "value: 4", "value: \"n / 100\"");
  expectReason(C, {Reason::ValueDiffers, Reason::NewAccess});
}

TEST(GenericBlock, WidenedUnsignedWraps) {
  Case C;
  C.Original = R"(
__kernel void k(__global const float *a, __global float *out) {
  uint i = get_global_id(0);
  ulong j = (ulong)(i - 5001u) + 1ul;
  out[i] = j < 100ul ? 1.0f : 2.0f;
})";
  auto rewritten = [](const std::string &Value) {
    return "__kernel void k_v(__global const float *a, __global float *out) {\n"
           "  uint i = get_global_id(0) * 4;\n"
           "  ulong4 j = " +
           Value +
           ";\n"
           "  vstore4(select((float4)(2.0f), (float4)(1.0f), convert_int4(j < 100ul)), 0, out + "
           "i);\n}";
  };
  C.Args = OneInOneOut;
  C.Rewritten = rewritten("convert_ulong4(i - 5001u + (uint4)(0, 1, 2, 3)) + 1ul");
  expectProved(C);
  C.Rewritten = rewritten("(ulong)(i - 5001u) + 1ul + (ulong4)(0, 1, 2, 3)");
  expectReason(C, {Reason::ValueDiffers});
}

TEST(GenericBlock, RemainderOfAWrappingDividend) {
  Case C;
  C.Original = R"(
__kernel void k(__global const float *a, __global float *out, uint w) {
  uint i = get_global_id(0);
  out[i] = a[(i - 5002u) % w] * 2.0f;
})";
  auto rewritten = [](const std::string &Guard) {
    return "__kernel void k_v(__global const float *a, __global float *out, uint w) {\n"
           "  uint i = get_global_id(0) * 4;\n"
           "  uint r = (i - 5002u) % w;\n"
           "  if (" +
           Guard +
           ")\n"
           "    vstore4(vload4(0, a + r) * 2.0f, 0, out + i);\n"
           "  else\n"
           "    for (uint j = i; j <= i + 3; ++j) out[j] = a[(j - 5002u) % w] * 2.0f;\n}";
  };
  C.Args = std::string(OneInOneOut) + "  - { name: w, value: \"w\" }\n";
  C.Sizes = "{ n: 100, w: 20 }";
  C.Rewritten = rewritten("r + 3 < w && r + 3 >= r && i - 5002u <= 0xffffffffu - 3");
  expectProved(C);
  C.Rewritten = rewritten("r + 3 < w && r + 3 >= r");
  GenericProof P = C.prove();
  EXPECT_FALSE(P.proved());
}

TEST(GenericBlock, NarrowedIdIsNotProved) {
  Case C = guarded(fast("i + 3 < n"));
  C.Rewritten = replaced(C.Rewritten, "int i = get_global_id(0) * 4",
                         "int i = (ushort)(get_global_id(0) * 4)");
  expectReason(C, {Reason::StoreDiffers, Reason::NewAccess});
}

TEST(GenericBlock, NarrowArithmetic) {
  Case C;
  C.Original = R"(
__kernel void k(__global const uchar *a, __global uchar *out) {
  int i = get_global_id(0);
  out[i] = (a[i] * 77 + 128) >> 8;
})";
  const std::string Head = "__kernel void k_v(__global const uchar *a, __global uchar *out) {\n"
                           "  int i = get_global_id(0) * 4;\n";
  C.Args = OneInOneOut;
  C.Rewritten =
      Head +
      "  ushort4 v = convert_ushort4(vload4(0, a + i));\n"
      "  vstore4(convert_uchar4((v * (ushort)77 + (ushort)128) >> (ushort)8), 0, out + i);\n}";
  expectProved(C);
  C.Rewritten = replaced(C.Rewritten, "ushort4 v = convert_ushort4", "short4 v = convert_short4");
  C.Rewritten = replaced(
      replaced(replaced(C.Rewritten, "(ushort)77", "(short)255"), "(ushort)128", "(short)128"),
      "(ushort)8", "(short)9");
  C.Original = replaced(replaced(C.Original, "77", "255"), ">> 8", ">> 9");
  expectReason(C, {Reason::ValueDiffers});
}

TEST(GenericBlock, ContractionIsKept) {
  Case C;
  C.Original = R"(
__kernel void k(__global const float *a, __global float *out, float x) {
  int i = get_global_id(0);
  out[i] = a[i] * x + 1.5f;
})";
  const std::string Head =
      "__kernel void k_v(__global const float *a, __global float *out, float x) {\n"
      "  int i = get_global_id(0) * 4;\n";
  C.Args = std::string(OneInOneOut) + "  - { name: x, value: \"2.5\" }\n";
  C.Rewritten = Head + "  vstore4(vload4(0, a + i) * x + 1.5f, 0, out + i);\n}";
  expectProved(C);
  C.Rewritten = Head + "  float4 t = vload4(0, a + i) * x;\n  vstore4(t + 1.5f, 0, out + i);\n}";
  expectReason(C, {Reason::ValueDiffers});
  C.Rewritten = Head + "  vstore4(vload4(0, a + i) * x + 1.5f, 0, out + i);\n}";
  C.Options = "-cl-fast-relaxed-math";
  expectReason(C, {Reason::RelaxedMath});
}

} // namespace
