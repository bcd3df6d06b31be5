// RUN: %{python} %{expect} %s
// RUN: clmali-lint --device=powervr --checks=-*,register-pressure --option=register-pressure.Percent=1000 %s
__kernel void many(__global float16 *x) { // HIT: registers of
  int i = 6 * get_global_id(0);
  float16 a = x[i], b = x[i + 1], c = x[i + 2], d = x[i + 3], e = x[i + 4], f = x[i + 5];
  x[i] = a * b + c * d + e * f;
  x[i + 1] = a * f + b * e + c * d;
}

__kernel void vectors(__global float4 *x) { // HIT(mali-midgard): its variables take about 9 registers of 128 bits
  int i = 8 * get_global_id(0);
  float4 a = x[i], b = x[i + 1], c = x[i + 2], d = x[i + 3];
  float4 e = x[i + 4], f = x[i + 5], g = x[i + 6], h = x[i + 7];
  x[i] = a * b + c * d + e * f + g * h;
  x[i + 1] = a * h + b * g + c * f + d * e;
}

__kernel void few(__global float4 *x) { // miss: three values
  int i = get_global_id(0);
  float4 a = x[i];
  x[i] = a * a + a;
}

__kernel void one_after_another(__global float16 *x) { // miss: never alive at the same time
  int i = 3 * get_global_id(0);
  float4 s = (float4)(0.0f);
  float4 a = x[i].s0123;
  s += a;
  float4 b = x[i + 1].s0123;
  s += b;
  float4 c = x[i + 2].s0123;
  s += c;
  x[i].s0123 = s;
}
