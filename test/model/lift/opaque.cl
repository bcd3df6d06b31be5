// What cannot be represented says what it is.
// RUN: clmali-model %s | FileCheck %s --match-full-lines

kernel void all(global int *a, global float *f, int n) {
  float whole, part = fract(f[0], &whole);
  a[get_global_id(n)] = 1;
  if (n)
    goto end;
  a[0] = (int)(size_t)a;
  if (a)
    a[1] = 2;
  int *null = 0;
  vstore_half((double)n, 0, (global half *)f);
  float h = vload_half(0, (global half *)f);
  __asm__("nop");
end:
  a[3] = part + h;
}

int undefined(int x);
kernel void calls(global int *a) {
  a[0] = undefined(3);
}

struct node {
  global struct node *next;
  uint value;
};
kernel void points_to_itself(global struct node *head) {
  head->value = 1;
}

// CHECK:      kernel all(global int *a, global float *f, int n)
// CHECK-NEXT:   float whole
// CHECK-NEXT:   float operand = load f[0]
// CHECK-NEXT:   whole = fract.second(operand)
// CHECK-NEXT:   float part = fract(operand)
// CHECK-NEXT:   store a[opaque{get_global_id of a dimension chosen at run time}] = 1
// CHECK-NEXT:   if (n) {
// CHECK-NEXT:     opaque{goto}
// CHECK-NEXT:   }
// CHECK-NEXT:   store a[0] = (int)opaque{pointer as a number}
// CHECK-NEXT:   if (opaque{pointer as a condition}) {
// CHECK-NEXT:     store a[1] = 2
// CHECK-NEXT:   }
// CHECK-NEXT:   opaque{vstore}
// CHECK-NEXT:   float h = (float)load f[<ulong>0 *2]:half!
// CHECK-NEXT:   opaque{inline assembly}
// CHECK-NEXT:   opaque{goto}
// CHECK-NEXT:   store a[3] = <int>(part + h)
// CHECK-NEXT:   ! opaque: get_global_id of a dimension chosen at run time
// CHECK-NEXT:   ! opaque: goto
// CHECK-NEXT:   ! opaque: pointer as a number
// CHECK-NEXT:   ! opaque: pointer as a condition
// CHECK-NEXT:   ! opaque: vstore
// CHECK-NEXT:   ! opaque: inline assembly
// CHECK-NEXT:   ! opaque: goto
// CHECK:      kernel calls(global int *a)
// CHECK-NEXT:   opaque{call of undefined, which is not defined here, and is given values}
// CHECK-NEXT:   store a[0] = opaque{call of undefined, which is not defined here, and is given values}
// CHECK-NEXT:   ! opaque: call of undefined, which is not defined here, and is given values
// CHECK:      kernel points_to_itself(global struct node *head)
// CHECK-NEXT:   store head[0]+8.value:uint = <uint>1
