// One jump for each function of OpenCL, through clmali_table, which DropIn.cpp fills.
#if defined(__x86_64__)
#define STUB(index, name)                                                                          \
  .globl name;                                                                                     \
  .type name, %function;                                                                           \
  name: jmp *(clmali_table + 8 * index)(%rip);                                                     \
  .size name, . - name;
#elif defined(__aarch64__)
#define STUB(index, name)                                                                          \
  .globl name;                                                                                     \
  .type name, %function;                                                                           \
  name: adrp x16, clmali_table + 8 * index;                                                        \
  ldr x16, [x16, :lo12:clmali_table + 8 * index];                                                  \
  br x16;                                                                                          \
  .size name, . - name;
#else
#error "the drop-in library is made for x86-64 and aarch64"
#endif
#define SLOT(index, name) STUB(index, name)
#define EXTRA(index, name) STUB(index, name)
#define HIDDEN(index, name)

  .text
#include "Entries.def"
  .section .note.GNU-stack, "", %progbits
