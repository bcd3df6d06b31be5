// One jump for each function of libz3, through clmali_z3_table. The first call loads the table (Z3.cpp): arguments in
// registers are kept meanwhile. Functions with many arguments have the others on the stack, which is as it was when the
// jump is made.
#if defined(__x86_64__)
#define ENTRY(index, name)                                                                         \
  .globl name;                                                                                     \
  .type name, %function;                                                                           \
  name: endbr64;                                                                                   \
  movl $index, %eax;                                                                               \
  jmp enter;                                                                                       \
  .size name, . - name;
#elif defined(__aarch64__)
#define ENTRY(index, name)                                                                         \
  .globl name;                                                                                     \
  .type name, %function;                                                                           \
  name: mov x16, index;                                                                            \
  b enter;                                                                                         \
  .size name, . - name;
#else
#error "the portable archive is made for x86-64 and aarch64"
#endif

  .text
  .type enter, %function
enter:
#if defined(__x86_64__)
  leaq clmali_z3_table(%rip), %r11
  cmpq $0, (%r11)
  je load
  jmp *(%r11, %rax, 8)
load: // 7 pushes align the stack to 16 bytes
  pushq %rax
  pushq %rdi
  pushq %rsi
  pushq %rdx
  pushq %rcx
  pushq %r8
  pushq %r9
  subq $16, %rsp
  movsd %xmm0, (%rsp)
  call clmali_z3_load
  movsd (%rsp), %xmm0
  addq $16, %rsp
  popq %r9
  popq %r8
  popq %rcx
  popq %rdx
  popq %rsi
  popq %rdi
  popq %rax
  leaq clmali_z3_table(%rip), %r11
  jmp *(%r11, %rax, 8)
#else
  adrp x17, clmali_z3_table
  add x17, x17, :lo12:clmali_z3_table
  ldar x9, [x17]
  cbz x9, load
  ldr x17, [x17, x16, lsl 3]
  br x17
load:
  stp x29, x30, [sp, -112]!
  stp x0, x1, [sp, 16]
  stp x2, x3, [sp, 32]
  stp x4, x5, [sp, 48]
  stp x6, x7, [sp, 64]
  stp x8, x16, [sp, 80]
  str d0, [sp, 96]
  bl clmali_z3_load
  ldr d0, [sp, 96]
  ldp x8, x16, [sp, 80]
  ldp x6, x7, [sp, 64]
  ldp x4, x5, [sp, 48]
  ldp x2, x3, [sp, 32]
  ldp x0, x1, [sp, 16]
  ldp x29, x30, [sp], 112
  adrp x17, clmali_z3_table
  add x17, x17, :lo12:clmali_z3_table
  ldr x17, [x17, x16, lsl 3]
  br x17
#endif
  .size enter, . - enter

#include "Z3Entries.def"
  .section .note.GNU-stack, "", %progbits
