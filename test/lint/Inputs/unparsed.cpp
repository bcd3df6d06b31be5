#include <no/such/kernels.h>

SOURCE(raw) R"(
__kernel void raw(__global int *x) {
  x[get_global_id(0)] = x[get_global_id(0)] / 3;
}
)";
PROGRAM(scaled, "__kernel void scaled(__global int *x) {\n"
#if 0
                "left out\n"
#endif
                "\tx[get_global_id(0)] = x[get_global_id(0)] / 7;\n}\n")
SAY(but, "a kernel is; a void (of meaning) {}");
const std::string Kernels::text("#define N " + std::to_string(COUNT) + "\n"
                                "__kernel void member(__global int *x) { x[get_global_id(0)] /= 9; }");
