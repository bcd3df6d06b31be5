// Groups of a known size: local memory, barriers, ids of groups.
#include "GenericTest.h"

using namespace clmali::verify;
using namespace clmali::verify::test;
using Reason = GenericProof::Reason;

namespace {

/// Launches whose groups are divided in the same way.
std::string inGroups(unsigned N) {
  std::string All = R"json(
{"kernel": "k_v", "when": "WHEN", "global": ["gx / COLS", "gy"], "local": ["lx / COLS", "ly"]},
{"kernel": "k", "when": "(WHEN) == 0", "global": ["gx", "gy", "gz"],
 "local": ["lx", "max(ly, min(lx, 1))", "max(lz, min(lx, 1))"], "offset": ["ox", "oy", "oz"]})json";
  All = everywhere(All, "WHEN",
                   "gx + ox < 1073741824 && gy + oy < 1073741824 && ox == 0 && oy == 0 && lx > 0 "
                   "&& lx % COLS == 0 && gx % max(lx, 1) == 0 && gz == 1");
  return everywhere(All, "COLS", std::to_string(N));
}

/// Each group reverses its part of a.
Case reversed(const std::string &Body) {
  Case C;
  C.Original = R"(
__kernel void k(__global const int *a, __global int *out) {
  __local int t[16];
  int i = get_global_id(0), l = get_local_id(0);
  t[l] = a[i];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[i] = t[15 - l];
})";
  C.Rewritten = "__kernel void k_v(__global const int *a, __global int *out) {" + Body + "}";
  C.Args = "  - { name: a, buffer: in, count: \"n\" }\n"
           "  - { name: out, buffer: out, count: \"n\" }\n";
  C.Global = "\"roundup(n, 16)\"";
  C.More = "local: [ \"16\" ]\n";
  C.Launches = inGroups(4);
  return C;
}

const char *const Direct = "int i = get_global_id(0) * 4;\n"
                           "int from = get_group_id(0) * 16 + 12 - get_local_id(0) * 4;\n"
                           "vstore4(vload4(0, a + from).s3210, 0, out + i);";

TEST(GenericGroup, LocalMemoryAgainstNone) {
  GenericProof P = reversed(Direct).prove();
  EXPECT_TRUE(P.proved());
  EXPECT_EQ(P.Require, (std::vector<std::string>{"lx == 16", "ox == 0"}));
  expectReason(reversed(replaced(Direct, "s3210", "s3201")), {Reason::ValueDiffers});
  expectReason(reversed(replaced(Direct, "* 16 + 12", "* 16 + 8")),
               {Reason::ValueDiffers, Reason::NewAccess});
  // Wrong for the last work-item of a group alone.
  expectReason(reversed(replaced(Direct, "+ 12 -", "+ (get_local_id(0) == 3 ? 8 : 12) -")),
               {Reason::ValueDiffers, Reason::NewAccess});
  // Wrong in one group.
  expectReason(reversed(replaced(Direct, "get_group_id(0) * 16",
                                 "(get_group_id(0) == 70001 ? 70000 : get_group_id(0)) * 16")),
               {Reason::ValueDiffers, Reason::NewAccess});
}

TEST(GenericGroup, LocalMemoryOnBothSides) {
  const std::string Body = R"(
  __local int t[16];
  int i = get_global_id(0) * 4, l = get_local_id(0) * 4;
  vstore4(vload4(0, a + i), 0, t + l);
  barrier(CLK_LOCAL_MEM_FENCE);
  vstore4(vload4(0, t + 12 - l).s3210, 0, out + i);)";
  expectProved(reversed(Body));
  expectReason(reversed(replaced(Body, "barrier(CLK_LOCAL_MEM_FENCE);", "")),
               {Reason::Interference});
  expectReason(reversed(replaced(Body, "+ 12 - l", "+ l")), {Reason::ValueDiffers});
  // Another group size than the launch has.
  expectReason(reversed(replaced(Body, "t[16]", "t[12]")),
               {Reason::NewAccess, Reason::Uninitialised});
}

TEST(GenericGroup, GroupsWithoutLocalMemory) {
  Case C = reversed("int i = get_global_id(0) * 4;\n"
                    "vstore4(vload4(0, a + i) + (int4)(get_group_id(0)), 0, out + i);");
  C.Original = R"(
__kernel void k(__global const int *a, __global int *out) {
  int i = get_group_id(0) * get_local_size(0) + get_local_id(0);
  out[i] = a[i] + get_group_id(0);
})";
  expectProved(C);
  C.More = "local: [ \"32\" ]\n";
  C.Global = "\"roundup(n, 32)\"";
  expectProved(C);
  // The original's groups are not known.
  C.More = "";
  expectReason(C, {Reason::Groups, Reason::Coverage});
}

TEST(GenericGroup, GroupsFromIds) {
  const std::string Body = "int i = get_global_id(0) * 4;\n"
                           "vstore4(vload4(0, a + (i & ~15) + 12 - (i & 15)).s3210, 0, out + i);";
  expectProved(reversed(Body));
  expectReason(reversed(replaced(Body, "~15", "~31")), {Reason::ValueDiffers, Reason::NewAccess});
}

/// A sum of each group, as a tree.
Case summed(const std::string &Body) {
  Case C;
  C.Original = R"(
__kernel void k(__global const int *a, __global int *out) {
  __local int t[8];
  int l = get_local_id(0);
  t[l] = a[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int s = 4; s > 0; s >>= 1) {
    if (l < s) t[l] += t[l + s];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (l == 0) out[get_group_id(0)] = t[0];
})";
  C.Rewritten = "__kernel void k_v(__global const int *a, __global int *out) {" + Body + "}";
  C.Args = "  - { name: a, buffer: in, count: \"8 * n\" }\n"
           "  - { name: out, buffer: out, count: \"n\" }\n";
  C.Global = "\"8 * n\"";
  C.More = "local: [ \"8\" ]\n";
  C.Launches = inGroups(8);
  return C;
}

TEST(GenericGroup, Reductions) {
  const std::string Body = R"(
  int i = get_global_id(0);
  int8 v = vload8(i, a);
  int4 x = v.lo + v.hi;
  int2 y = x.lo + x.hi;
  out[i] = y.x + y.y;)";
  expectProved(summed(Body));
  expectReason(summed(replaced(Body, "x.lo + x.hi", "x.lo + x.lo")),
               {Reason::ValueDiffers, Reason::Overflow});
  Case C = summed(Body);
  // Without the barrier in the loop the original's result is not determined.
  C.Original = replaced(C.Original, "t[l + s];\n    barrier(CLK_LOCAL_MEM_FENCE);", "t[l + s];");
  expectReason(C, {Reason::Interference});
}

TEST(GenericGroup, TwoWritersOfOnePlace) {
  // All work-items of the rewritten kernel store to the group's place; the last one is right.
  Case C = summed(R"(
  __local int t[8];
  int l = get_local_id(0), s = 0;
  t[l] = a[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int k = 0; k < 8; ++k) s += t[k];
  out[get_group_id(0)] = l == 7 ? s : 0;)");
  C.Launches = inGroups(1);
  C.Original = everywhere(C.Original, "int ", "uint ");
  C.Rewritten = everywhere(C.Rewritten, "int ", "uint ");
  expectReason(C, {Reason::StoreOrder, Reason::ValueDiffers});
  C.Rewritten = replaced(C.Rewritten, "l == 7 ? s : 0", "s");
  expectProved(C);
}

TEST(GenericGroup, InPlaceAcrossWorkItems) {
  // Each work-item swaps two elements of its own; the rewritten ones swap those of a neighbour.
  Case C;
  C.Original = R"(
__kernel void k(__global int *a) {
  __local int t[8];
  int l = get_local_id(0), i = get_global_id(0) * 2;
  t[l] = a[i];
  barrier(CLK_LOCAL_MEM_FENCE);
  a[i] = a[i + 1];
  a[i + 1] = t[l];
})";
  C.Args = "  - { name: a, buffer: inout, count: \"2 * n\" }\n";
  C.Global = "\"roundup(n, 8)\"";
  C.More = "local: [ \"8\" ]\n";
  C.Launches = inGroups(1);
  C.Rewritten = R"(
__kernel void k_v(__global int *a) {
  int i = get_global_id(0) * 2;
  int x = a[i];
  a[i] = a[i + 1];
  a[i + 1] = x;
})";
  expectProved(C);
  // Reads what another work-item writes.
  C.Rewritten = R"(
__kernel void k_v(__global int *a) {
  int g = get_group_id(0) * 8, l = get_local_id(0);
  a[(g + l) * 2] = a[(g + l) * 2 + 1];
  a[(g + (l ^ 1)) * 2 + 1] = a[(g + (l ^ 1)) * 2];
})";
  EXPECT_FALSE(C.prove().proved());
}

} // namespace
