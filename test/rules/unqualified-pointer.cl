// RUN: %{python} %{expect} %s
// RUN: cp %s %t.cl
// RUN: clmali-lint --device=mali --checks=-*,unqualified-pointer --fix %t.cl
// RUN: diff %S/Inputs/unqualified-pointer.fixed %t.cl
// RUN: clang-19 -fsyntax-only --target=spir64 -cl-std=CL1.2 %t.cl

__kernel void plain(__global float *in, __global float *out) { // HIT: 'in' is only read from
  out[get_global_id(0)] = in[get_global_id(0)];
}

__kernel void vectors(global float4 * in, global float4 *out) { // HIT: 'in' is only read from
  out[get_global_id(0)] = in[get_global_id(0)];
}

float get(__global float *p) { return p[0]; }
__kernel void helper(__global float *in, __global float *out) { // HIT: 'in' is only read from
  out[get_global_id(0)] = get(in);
}

__kernel void qualified(__global const float *restrict in, __global float *out) { // miss: const
  out[get_global_id(0)] = in[get_global_id(0)];
}

__kernel void both(__global float *data) { // miss: written
  data[get_global_id(0)] *= 2.0f;
}

__kernel void atomics(__global int *n) { // miss: an atomic writes
  atomic_inc(n);
}

__kernel void constants(__constant float *in, __global float *out) { // miss: constant memory cannot be written
  out[get_global_id(0)] = in[0];
}

__kernel void unused(__global float *in, __global float *out) { // HIT: is not used, and not const
  out[get_global_id(0)] = 1.0f;
}

void fill_elsewhere(__global float *);
__kernel void handed_on(__global float *in, __global float *out) { // miss: an external function may write
  fill_elsewhere(in);
  out[get_global_id(0)] = 1.0f;
}

__kernel void scratch(__local float *in, __global float *out) { // miss: local memory
  out[get_global_id(0)] = in[get_local_id(0)];
}

#define TENSOR(name) __global uchar *name, int name##_stride
__kernel void declared_by_a_macro(TENSOR(in), TENSOR(out)) { // miss: the macro declares outputs, too
  int i = get_global_id(0);
  out[i * out_stride] = in[i * in_stride];
}

__kernel void image(__global float *weights, __write_only image2d_t out) { // HIT: 'weights' is only read from
  int x = get_global_id(0);
  write_imagef(out, (int2)(x, 0), (float4)(weights[x])); // an image is no buffer
}

__kernel void image_and_output(__global float *weights, __read_only image2d_t in, sampler_t s) { // miss: written
  int x = get_global_id(0);
  weights[x] += read_imagef(in, s, (int2)(x, 0)).x;
}

// What a goto skips is seen all the same.
__kernel void skips(__global float *in, __global float *out, int n) { // HIT: 'in' is only read from
  int i = get_global_id(0);
  if (i >= n)
    goto end;
  out[i] = in[i];
end:
  return;
}

__kernel void skips_a_store(__global float *in, int n) { // miss: written
  int i = get_global_id(0);
  if (i >= n)
    goto end;
  in[i] = 2.0f * in[i];
end:
  return;
}

// A built-in's second result is stored to a variable.
__kernel void parts(__global float *in, __global float *out) { // HIT: 'in' is only read from, and not const
  int i = get_global_id(0);
  float whole, x = in[i];
  out[i] = fract(x, &whole) + whole;
}

__kernel void partsOfMemory(__global const float *in, __global float *out, __global float *wholes) { // miss: it is written by the built-in
  int i = get_global_id(0);
  out[i] = fract(in[i], &wholes[i]);
}

// A buffer that may be missing.
__kernel void optional_bias(__global const float *in, __global float *bias, __global float *out) { // HIT: 'bias' is only read from, and not const
  int i = get_global_id(0);
  float v = in[i];
  if (bias)
    v += bias[i];
  out[i] = v;
}

__kernel void optional_sum(__global const float *in, __global float *sum) { // miss: it is written where it is there
  int i = get_global_id(0);
  if (sum)
    sum[i] += in[i];
}

// Without a host in sight: a load that waits for a store through another pointer.
__kernel void sums(__global const float *in, __global float *out, int n) { // HIT: 'in' is not restrict: the stores to 'out' may change it
  int i = get_global_id(0);
  for (int k = 0; k < n; k++)
    out[i] += in[k];
}

__kernel void behind(__global const float *in, __global float *out) { // HIT: 'in' is not restrict: the stores to 'out' may change it
  int i = get_global_id(0);
  out[2 * i] = in[2 * i];
  out[2 * i + 1] = in[2 * i + 1];
}

__kernel void before(__global const float *in, __global float *out) { // miss: all loads come before the store
  int i = get_global_id(0);
  float a = in[2 * i], b = in[2 * i + 1];
  out[2 * i] = a;
  out[2 * i + 1] = b;
}

__kernel void in_the_end(__global const float *in, __global float *out, int n) { // miss: the store is behind the loop
  int i = get_global_id(0);
  float sum = 0.0f;
  for (int k = 0; k < n; k++)
    sum += in[k];
  out[i] = sum;
}

__kernel void promised(__global const float *restrict in, __global float *out, int n) { // miss: already qualified
  int i = get_global_id(0);
  for (int k = 0; k < n; k++)
    out[i] += in[k];
}

__kernel void of_another_type(__global const int *in, __global float *out, int n) { // miss: a store of float changes no int
  int i = get_global_id(0);
  for (int k = 0; k < n; k++)
    out[i] += in[k];
}

__kernel void either(__global const float *in, __global float *out, int n) { // miss: where one runs, the other does not
  int i = get_global_id(0);
  if (i >= n)
    out[i] = 0.0f;
  else
    out[i] = in[i];
}
