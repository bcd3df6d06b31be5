//===- BanksTest.cpp - bank conflicts in local memory -----------------------------------------===//
//
// powervr-rogue: 4 banks of 128 bits, 16 work-items in a cycle (source S1 of rules/devices.yaml).
//
//===------------------------------------------------------------------------------------------===//

#include "checks/model/cost/Banks.h"
#include "checks/model/frontend/Frontend.h"
#include "gtest/gtest.h"

using namespace clmali;
using model::LocalBanks;

namespace {

const rules::DeviceFacts &rogue() { return *rules::findFamily("powervr-rogue"); }

double cyclesOf(std::array<int64_t, 2> Stride, unsigned Bytes, unsigned Columns = 16) {
  LocalBanks Banks(rogue());
  return Banks.cycles(Banks.offsets(Stride, Columns), Bytes).Taken;
}

/// Cycles that a work-item loses in a kernel with these statements. l is its local id.
double lost(const char *Body, uint64_t LocalSize = 64, const rules::DeviceFacts &D = rogue()) {
  std::string Text = std::string("kernel void f(global float *o, global const float *a, int n) {"
                                 " int l = get_local_id(0), g = get_global_id(0);") +
                     Body + " o[g] = 0; }";
  model::ParseResult R = model::parseOpenCL("test.cl", Text, {});
  EXPECT_TRUE(R.M && R.M->Kernels.size() == 1);
  model::KernelAnalysis A(*R.M, *R.M->Kernels[0]);
  return model::bankConflicts(A, D, LocalSize);
}

} // namespace

TEST(Banks, Strides) {
  EXPECT_EQ(cyclesOf({4, 0}, 4), 1);     // consecutive
  EXPECT_EQ(cyclesOf({0, 0}, 4), 1);     // one address
  EXPECT_EQ(cyclesOf({-4, 0}, 4), 1);    // backwards
  EXPECT_EQ(cyclesOf({8, 0}, 4), 2);     // every second word
  EXPECT_EQ(cyclesOf({64, 0}, 4), 16);   // one bank
  EXPECT_EQ(cyclesOf({16, 0}, 16), 4);   // 128 bits each, the fewest for so many bytes
  EXPECT_EQ(cyclesOf({68, 0}, 4), 4);    // rows of 17 words
  EXPECT_EQ(cyclesOf({4, 32}, 4, 8), 1); // two rows of 8, one behind the other
  EXPECT_EQ(cyclesOf({4, 64}, 4, 8), 2); // two rows of 8 in the same banks
}

TEST(Banks, Needed) {
  LocalBanks Banks(rogue());
  EXPECT_EQ(Banks.cycles(Banks.offsets({64, 0}, 16), 4).Needed, 1);
  EXPECT_EQ(Banks.cycles(Banks.offsets({16, 0}, 16), 16).Needed, 4);
  EXPECT_EQ(Banks.cycles({}, 4).Taken, 0);
  EXPECT_EQ(Banks.cyclesFarApart(), 4u);
  EXPECT_EQ(Banks.cyclesWithoutConflicts(32), 1);
  EXPECT_EQ(Banks.cyclesWithoutConflicts(128), 4);
}

TEST(Banks, NoneWithoutOnChipMemory) {
  EXPECT_FALSE(LocalBanks(*rules::findFamily("mali-bifrost")).known());
  EXPECT_EQ(lost("local float t[1024]; t[16 * l] = 1;", 64, *rules::findFamily("mali-bifrost")), 0);
}

TEST(Banks, Conflicts) {
  EXPECT_EQ(lost("local float t[1024]; t[16 * l] = 1;"), 15);
  EXPECT_EQ(lost("local float t[1024]; t[l] = 1;"), 0);
  EXPECT_EQ(lost("local float t[16][16]; t[l][get_local_id(1)] = 1;", 16), 15);
  EXPECT_EQ(lost("local float t[1024]; t[(int)a[l]] = 1;"), 0); // not known
}

// The rule reports a single work-item as little as the cost model counts it, however the guard is
// written.
TEST(Banks, OneWorkItemHasNoConflict) {
  EXPECT_EQ(lost("local float t[1024]; if (l == 0) t[16 * l] = 1;"), 0);
  EXPECT_EQ(lost("local float t[1024]; if (!l) t[16 * l] = 1;"), 0);
  EXPECT_EQ(lost("local float t[1024]; if (l < 1) t[16 * l] = 1;"), 0);
  EXPECT_EQ(lost("local float t[1024]; if (l < 9) t[16 * l] = 1;"), 15);
}

// An id divided into row and column.
TEST(Banks, Quotients) {
  EXPECT_EQ(lost("local float t[16][16]; t[l / 16][l % 16] = 1;"), 0);
  EXPECT_EQ(lost("local float t[16][16]; t[l % 16][l / 16] = 1;"), 15);
  EXPECT_EQ(lost("local float t[16][16]; t[l & 15][l >> 4] = 1;"), 15);
  EXPECT_EQ(lost("local float t[16][16]; t[l % n][0] = 1;"), 0);               // not known
  EXPECT_EQ(lost("local float t[16][16]; t[get_local_id(1) * l][0] = 1;"), 0); // not known
}

// Each lane of a vector of bytes takes 32 bits, as for footprints and registers.
TEST(Banks, SmallElements) {
  EXPECT_EQ(lost("local uchar t[1024]; t[l] = 1;"), 0);
  EXPECT_EQ(lost("local uchar t[1024]; t[4 * l] = 1;"), 3);
  EXPECT_EQ(lost("local uchar4 t[64]; t[l] = 1;"), 0);
  // 64 bytes each, of which 16 work-items need 16 cycles at least: nothing is lost.
  EXPECT_EQ(lost("local uchar16 t[64]; t[l] = 1;"), 0);
  EXPECT_EQ(lost("local uchar4 t[256]; t[4 * l] = 1;"), 12);
}

// Loops count as in the rest of the cost model.
TEST(Banks, Loops) {
  EXPECT_EQ(lost("local float t[1024]; for (int k = 0; k < 3; ++k) t[16 * l + k] = 1;"), 3 * 15);
  EXPECT_EQ(lost("local float t[1024]; for (int k = 0; k < n; ++k) t[16 * l + k] = 1;"), 16 * 15);
  EXPECT_EQ(lost("local float t[1024]; for (int k = 0; k < n; k += 4) t[16 * l + k] = 1;"), 4 * 15);
  EXPECT_EQ(lost("local float t[1024]; for (int k = l; k < l + 3; ++k) t[16 * l + n] = 1;"),
            3 * 15);
}
