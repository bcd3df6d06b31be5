// expect: held passes=vectorize
// European options by the closed form: exponential, logarithm and a polynomial for the normal distribution.
float cnd(float d) {
  const float A1 = 0.31938153f, A2 = -0.356563782f, A3 = 1.781477937f, A4 = -1.821255978f, A5 = 1.330274429f;
  float K = 1.0f / (1.0f + 0.2316419f * fabs(d));
  float c = 0.39894228f * exp(-0.5f * d * d) * (K * (A1 + K * (A2 + K * (A3 + K * (A4 + K * A5)))));
  if (d > 0)
    c = 1.0f - c;
  return c;
}

__kernel void option_price(__global float *call, __global float *put, __global const float *S, __global const float *X,
                           __global const float *T, float R, float V, unsigned int optN) {
  unsigned int opt = get_global_id(0);
  if (opt >= optN)
    return;
  float sqrtT = sqrt(T[opt]);
  float d1 = (log(S[opt] / X[opt]) + (R + 0.5f * V * V) * T[opt]) / (V * sqrtT);
  float d2 = d1 - V * sqrtT;
  float expRT = exp(-R * T[opt]);
  call[opt] = S[opt] * cnd(d1) - X[opt] * expRT * cnd(d2);
  put[opt] = X[opt] * expRT * (1.0f - cnd(d2)) - S[opt] * (1.0f - cnd(d1));
}
