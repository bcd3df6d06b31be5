// Atomic updates: operands joined before one operation, in any order.
#include "GenericTest.h"

using namespace clmali::verify;
using namespace clmali::verify::test;
using Reason = GenericProof::Reason;

namespace {

/// Each of n work-items makes Body. The rewritten kernel makes Fast for four of them, Body for the
/// last ones.
Case updates(const std::string &Body, const std::string &Fast) {
  const std::string Parameters =
      "(__global const int *a, __global int *c, __global uint *u, int t, int n) {\n";
  Case C;
  C.Original = "__kernel void k" + Parameters + "  int i = get_global_id(0);\n  if (i < n) {\n" +
               Body + "  }\n}\n";
  C.Rewritten = "__kernel void k_v" + Parameters + "  int first = get_global_id(0) * 4;\n" +
                "  if (first + 3 < n) {\n    int4 v = vload4(0, a + first);\n" + Fast +
                "  } else\n    for (int i = first; i <= first + 3 && i < n; ++i) {\n" + Body +
                "    }\n}\n";
  C.Args = "  - { name: a, buffer: in, count: \"n\" }\n"
           "  - { name: c, buffer: inout, count: 16 }\n"
           "  - { name: u, buffer: inout, count: 16 }\n"
           "  - { name: t, value: 3 }\n  - { name: n, value: \"n\" }\n";
  C.Global = "\"roundup(n, 16)\"";
  return C;
}

const char *const Different[] = {"v.x", "v.y", "v.z", "v.w"};

/// Call for each of the lanes, with V for its element.
std::string each(const std::string &Call) {
  std::string All;
  for (const char *Lane : Different)
    All += "    " + everywhere(Call, "V", Lane) + "\n";
  return All;
}

TEST(GenericUpdates, Counts) {
  const std::string Body = "    if (a[i] > t) atomic_inc(c);\n";
  const std::string Mask = "    int4 m = v > t;\n    int4 by = select((int4)0, (int4)1, m);\n";
  const std::string Sum = "by.x + by.y + by.z + by.w";
  expectProved(updates(Body, Mask + "    if (any(m)) atomic_add(c, " + Sum + ");\n"));
  expectProved(updates(Body, each("if (V > t) atomic_add(c, 1);")));
  expectProved(updates(Body, each("if (V > t) atomic_sub(c, V > t ? -1 : 7);")));
  expectReason(updates(Body, Mask + "    if (all(m)) atomic_add(c, " + Sum + ");\n"),
               {Reason::ValueDiffers});
  expectReason(updates(Body, Mask + "    if (any(m)) atomic_add(c, by.x + by.y + by.z);\n"),
               {Reason::ValueDiffers});
  expectReason(updates(Body, Mask + "    if (any(m)) atomic_sub(c, " + Sum + ");\n"),
               {Reason::ValueDiffers});
  expectReason(updates(Body, Mask + "    if (any(m)) atomic_max(c, " + Sum + ");\n"),
               {Reason::Atomics});
  expectReason(
      updates(Body, replaced(Mask, ">", ">=") + "    if (any(m)) atomic_add(c, " + Sum + ");\n"),
      {Reason::ValueDiffers, Reason::NewAccess});
  // Where no lane counts, the original does not touch c.
  expectReason(updates(Body, Mask + "    atomic_add(c, " + Sum + ");\n"), {Reason::NewAccess});
  Case LostTail = updates(Body, each("if (V > t) atomic_inc(c);"));
  LostTail.Rewritten = replaced(LostTail.Rewritten, "i < n", "i + 1 < n");
  expectReason(LostTail, {Reason::ValueDiffers, Reason::SolverGaveUp});
}

TEST(GenericUpdates, Histograms) {
  const std::string Body = "    atomic_add(&c[a[i] & 15], 2);\n";
  expectProved(updates(Body, each("atomic_add(&c[V & 15], 2);")));
  expectReason(updates(Body, each("atomic_add(&c[V & 7], 2);")),
               {Reason::ValueDiffers, Reason::NewAccess});
  expectReason(updates(Body, each("atomic_add(&c[V & 15], 1);")), {Reason::ValueDiffers});
  expectReason(updates(Body, replaced(each("atomic_add(&c[V & 15], 2);"), "v.w", "v.z")),
               {Reason::ValueDiffers});
  expectReason(updates(Body, each("atomic_add(&c[V & 15], 2);") + "    c[3] = 0;\n"),
               {Reason::Atomics, Reason::StoreDiffers});
  expectReason(updates(Body, each("atomic_add((volatile __global int *)&u[V & 15], 2);")),
               {Reason::ValueDiffers});
}

TEST(GenericUpdates, Extremes) {
  const std::string Body = "    atomic_min(c, a[i]);\n    atomic_max(c + 1, a[i]);\n";
  const std::string Fast =
      "    int2 l = min(v.xy, v.zw), h = max(v.xw, v.yz);\n"
      "    atomic_max(&c[1], max(h.x, h.y));\n    atomic_min(c, min(l.x, l.y));\n";
  expectProved(updates(Body, Fast));
  expectReason(updates(Body, replaced(Fast, "v.zw", "v.zz")), {Reason::ValueDiffers});
  expectReason(updates(Body, replaced(Fast, "&c[1]", "&c[2]")),
               {Reason::Atomics, Reason::ValueDiffers});
  // Joined as signed numbers, compared as unsigned ones.
  expectReason(updates("    atomic_min(u, (uint)a[i]);\n",
                       "    int2 l = min(v.xy, v.zw);\n    atomic_min(u, (uint)min(l.x, l.y));\n"),
               {Reason::ValueDiffers});
  expectProved(updates("    atomic_min(u, (uint)a[i]);\n",
                       "    uint2 l = min(as_uint4(v).xy, as_uint4(v).zw);\n"
                       "    atomic_min(u, min(l.x, l.y));\n"));
}

TEST(GenericUpdates, ExtremesUnderACondition) {
  const std::string Body = "    if (a[i] != t) atomic_max(c, a[i]);\n";
  const std::string Fast = "    int4 m = v != t, w = select((int4)NONE, v, m);\n"
                           "    if (any(m)) atomic_max(c, max(max(w.x, w.y), max(w.z, w.w)));\n";
  expectProved(updates(Body, replaced(Fast, "NONE", "INT_MIN")));
  expectReason(updates(Body, replaced(Fast, "NONE", "0")), {Reason::ValueDiffers});
  expectReason(updates(Body, replaced(Fast, "NONE", "INT_MIN + 1")), {Reason::ValueDiffers});
}

TEST(GenericUpdates, Bits) {
  const std::string Body = "    atomic_xor(c, a[i]);\n    atomic_or(u, 1u << (a[i] & 31));\n";
  const std::string Fast = "    atomic_xor(c, v.x ^ v.y ^ v.z ^ v.w);\n    uint4 b = (uint4)1u << "
                           "(uint4)(as_uint4(v) & 31u);\n"
                           "    atomic_or(u, b.x | b.y | b.z | b.w);\n";
  expectProved(updates(Body, Fast));
  expectReason(updates(Body, replaced(Fast, "v.x ^ v.y", "(v.x | v.y)")), {Reason::ValueDiffers});
  expectReason(updates(Body, replaced(Fast, "b.x | b.y", "b.x | b.x")), {Reason::ValueDiffers});
}

TEST(GenericUpdates, OthersAreRefused) {
  const std::string Body = "    atomic_xor(c, a[i]);\n    if (c[1] > 3) u[i] = 1;\n";
  expectReason(updates(Body, "    atomic_xor(c, v.x ^ v.y ^ v.z ^ v.w);\n"),
               {Reason::Atomics, Reason::StoreDiffers});
  expectReason(updates("    u[atomic_inc(c) & 15] = 1;\n", "    u[atomic_add(c, 4) & 15] = 1;\n"),
               {Reason::Atomics});
}

} // namespace
