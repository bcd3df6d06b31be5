// In-place kernels, rows of images, order of stores.
#include "GenericTest.h"

using namespace clmali::verify;
using namespace clmali::verify::test;
using Reason = GenericProof::Reason;

namespace {

const char *const Image = "  - { name: a, buffer: inout, count: \"w * h\" }\n"
                          "  - { name: w, value: \"w\" }\n"
                          "  - { name: h, value: \"h\" }\n";

Case rows(const std::string &Original, const std::string &Rewritten) {
  Case C;
  C.Original = "__kernel void k(__global uchar *a, int w, int h) {\n"
               "  int x = get_global_id(0), y = get_global_id(1);\n" +
               Original + "}";
  C.Rewritten = "__kernel void k_v(__global uchar *a, int w, int h) {\n"
                "  int x = get_global_id(0) * 4, y = get_global_id(1) * 2;\n" +
                Rewritten + "}";
  C.Args = Image;
  C.Global = "\"roundup(w, 16)\", \"roundup(h, 4)\"";
  C.Sizes = "{ w: 40, h: 20 }";
  C.Launches = blocksOf(4, 2);
  return C;
}

const char *const Tail = "  else\n    for (int j = y; j <= y + 1 && j < h; ++j)\n"
                         "      for (int i = x; i <= x + 3 && i < w; ++i)\n"
                         "        a[j * w + i] = 255 - a[j * w + i];\n";

TEST(GenericMemory, RowsInPlace) {
  const std::string Original = "  if (x < w && y < h) a[y * w + x] = 255 - a[y * w + x];\n";
  // That rows do not meet is seldom shown in time, so right forms are not tested here.
  expectReason(rows(Original, "  if (x + 3 < w && y + 1 < h) {\n"
                              "    uchar4 p = vload4(0, a + y * w + x);\n"
                              "    vstore4((uchar)255 - p, 0, a + y * w + x);\n"
                              "    vstore4((uchar)255 - p, 0, a + (y + 1) * w + x);\n"
                              "  }" +
                                  std::string(Tail)),
               {Reason::ValueDiffers, Reason::Interference});
}

TEST(GenericMemory, NeighboursInPlaceInterfere) {
  // The original is racy: what a work-item reads, its neighbour writes.
  expectReason(rows("  if (x + 1 < w && y < h) a[y * w + x] = a[y * w + x + 1];\n",
                    "  if (x + 4 < w && y + 1 < h) {\n"
                    "    vstore4(vload4(0, a + y * w + x + 1), 0, a + y * w + x);\n"
                    "    vstore4(vload4(0, a + (y + 1) * w + x + 1), 0, a + (y + 1) * w + x);\n"
                    "  } else\n    for (int j = y; j <= y + 1 && j < h; ++j)\n"
                    "      for (int i = x; i <= x + 3 && i + 1 < w; ++i)\n"
                    "        a[j * w + i] = a[j * w + i + 1];\n"),
               {Reason::Interference, Reason::StoreOrder, Reason::SolverGaveUp});
}

TEST(GenericMemory, StoresOfOneItemKeepTheirOrder) {
  Case C;
  C.Original = R"(
__kernel void k(__global int *out, int d) {
  int i = get_global_id(0);
  out[2 * i] = 1;
  out[2 * i + d] = 2;
})";
  C.Args = "  - { name: out, buffer: inout, count: \"2 * n + d\" }\n"
           "  - { name: d, value: \"d\" }\n";
  C.Sizes = "{ n: 100, d: 1 }";
  C.Launches = blocksOf(1);
  const std::string Head = "__kernel void k_v(__global int *out, int d) {\n"
                           "  int i = get_global_id(0);\n";
  C.Rewritten = Head + "  out[2 * i] = 1;\n  out[2 * i + d] = 2;\n}";
  expectProved(C);
  C.Rewritten = Head + "  out[2 * i + d] = 2;\n  out[2 * i] = 1;\n}";
  expectReason(C, {Reason::StoreOrder});
}

TEST(GenericMemory, UnchangedValuesMayBeStored) {
  Case C;
  C.Original = R"(
__kernel void k(__global short *x, short low, int n) {
  int i = get_global_id(0);
  if (i < n && x[i] < low) x[i] = low;
})";
  C.Args = "  - { name: x, buffer: inout, count: \"n\" }\n"
           "  - { name: low, value: 3 }\n  - { name: n, value: \"n\" }\n";
  const std::string Head = "__kernel void k_v(__global short *x, short low, int n) {\n"
                           "  int i = get_global_id(0) * 4;\n  if (i + 3 < n)\n";
  const std::string Tail = "  else for (int j = i; j <= i + 3 && j < n; ++j)\n"
                           "    if (x[j] < low) x[j] = low;\n}";
  C.Rewritten = Head + "    vstore4(max(vload4(0, x + i), low), 0, x + i);\n" + Tail;
  expectProved(C);
  C.Rewritten = Head + "    vstore4(min(vload4(0, x + i), low), 0, x + i);\n" + Tail;
  expectReason(C, {Reason::ValueDiffers});
}

TEST(GenericMemory, NotModelled) {
  Case C;
  C.Rewritten = "__kernel void k_v(__global int *out, int n) { out[get_global_id(0)] = 0; }";
  C.Args = "  - { name: out, buffer: inout, count: \"n\" }\n  - { name: n, value: \"n\" }\n";
  C.Launches = blocksOf(1);
  C.Original =
      "__kernel void k(__global int *out, int n) { atomic_inc(out + get_global_id(0) % 4); }";
  expectReason(C, {Reason::Atomics});
}

} // namespace
