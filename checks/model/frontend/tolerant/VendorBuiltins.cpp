//===-- checks/model/frontend/tolerant/VendorBuiltins.cpp - Built-ins of extensions -===//
//
// Declarations of the functions that vendors' extensions add and Clang does not know, for the
// linter's tolerant parse. A call of one is opaque to the model; the rest of the kernel is lifted.
//
// Limits: the extensions that were found in public code. Any other function is inferred like a
// macro of the host.
//
//===----------------------------------------------------------------------===//

#include "checks/model/frontend/tolerant/VendorBuiltins.h"

namespace clmali::model {

llvm::StringRef vendorBuiltinsHeader() {
  return R"(
#define CLMALI_OVL __attribute__((overloadable))

/* cl_arm_integer_dot_product_int8, _accumulate_int8, _accumulate_int16,
   _accumulate_saturate_int8 */
int CLMALI_OVL arm_dot(char4 a, char4 b);
uint CLMALI_OVL arm_dot(uchar4 a, uchar4 b);
int CLMALI_OVL arm_dot_acc(char4 a, char4 b, int c);
uint CLMALI_OVL arm_dot_acc(uchar4 a, uchar4 b, uint c);
int CLMALI_OVL arm_dot_acc(short2 a, short2 b, int c);
uint CLMALI_OVL arm_dot_acc(ushort2 a, ushort2 b, uint c);
int CLMALI_OVL arm_dot_acc_sat(char4 a, char4 b, int c);
uint CLMALI_OVL arm_dot_acc_sat(uchar4 a, uchar4 b, uint c);
/* cl_arm_get_core_id, cl_arm_printf */
uint arm_get_core_id(void);

/* cl_intel_subgroups, _short, _char; cl_qcom_subgroup_shuffle */
#define CLMALI_SHUFFLE(T)                                                                          \
  T CLMALI_OVL intel_sub_group_shuffle(T x, uint lane);                                            \
  T CLMALI_OVL intel_sub_group_shuffle_down(T x, T next, uint by);                                 \
  T CLMALI_OVL intel_sub_group_shuffle_up(T previous, T x, uint by);                               \
  T CLMALI_OVL intel_sub_group_shuffle_xor(T x, uint by);                                          \
  T CLMALI_OVL qcom_sub_group_shuffle_down(T x, uint by, int width, T other);                      \
  T CLMALI_OVL qcom_sub_group_shuffle_up(T x, uint by, int width, T other);                        \
  T CLMALI_OVL qcom_sub_group_shuffle_xor(T x, uint by, int width, T other);
#define CLMALI_SHUFFLES(T)                                                                         \
  CLMALI_SHUFFLE(T) CLMALI_SHUFFLE(T##2) CLMALI_SHUFFLE(T##4) CLMALI_SHUFFLE(T##8)
CLMALI_SHUFFLES(float)
CLMALI_SHUFFLES(int)
CLMALI_SHUFFLES(uint)
CLMALI_SHUFFLES(short)
CLMALI_SHUFFLES(ushort)
CLMALI_SHUFFLES(char)
CLMALI_SHUFFLES(uchar)
#ifdef cl_khr_fp16
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
CLMALI_SHUFFLES(half)
#endif

#define CLMALI_BLOCK(T, N, S)                                                                      \
  T##N CLMALI_OVL intel_sub_group_block_read##S##N(const __global T *p);                           \
  T##N CLMALI_OVL intel_sub_group_block_read##S##N(__read_only image2d_t image, int2 at);          \
  void CLMALI_OVL intel_sub_group_block_write##S##N(__global T *p, T##N x);                        \
  void CLMALI_OVL intel_sub_group_block_write##S##N(__write_only image2d_t image, int2 at, T##N x);
#define CLMALI_BLOCKS(T, S)                                                                        \
  CLMALI_BLOCK(T, , S) CLMALI_BLOCK(T, 2, S) CLMALI_BLOCK(T, 4, S) CLMALI_BLOCK(T, 8, S)
CLMALI_BLOCKS(uint, )
CLMALI_BLOCKS(uint, _ui)
CLMALI_BLOCKS(ushort, _us)
CLMALI_BLOCKS(uchar, _uc)
)";
}

bool usesVendorBuiltins(llvm::StringRef Text) {
  return Text.contains("arm_dot") || Text.contains("arm_get_core_id") ||
         Text.contains("intel_sub_group_") || Text.contains("qcom_sub_group_");
}

} // namespace clmali::model
