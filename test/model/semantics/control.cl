// Helpers, returns, switches, loops, conditions with side effects, names.
// Each work-item owns elements 4i to 4i+3 of each buffer.
// RUN: clmali-print-back %s %t.cl
// RUN: clmali-run-both %s %t.cl

int absdiff(int x, int y) {
  if (x > y)
    return x - y;
  return y - x;
}
int find(__global const uint *p, uint key, int n) {
  for (int i = 0; i < n; ++i) {
    if (p[i] == key)
      return i;
    if (p[i] == key + 1) {
      if (i > 3)
        return -i;
    }
  }
  return -100;
}
int nested(int x) {
  for (int i = 0; i < 4; i++) {
    for (int j = 0; j < 4; j++) {
      if (i * j == x)
        return i * 10 + j;
      if (i + j == 7)
        break;
    }
    if (i == x)
      return 77;
  }
  x += 3;
  if (x > 5)
    return x;
  return -x;
}
int classify(int v) {
  switch (v & 7) {
  case 0:
    return 1;
  case 1:
  case 2:
    v += 5;
    break;
  case 3: {
    if (v > 4)
      break;
    v = 9;
  } break;
  default:
    v--;
    break;
  case 6:
    v *= 2;
  }
  return v;
}
int sideeffect(__global int *p) {
  p[1] = p[1] + 1;
  return p[0];
}
bool odd(int v) { return v & 1; }
int f2(__global int *p) { return ++*p; }
float opt(int v, int *extra) {
  if (extra)
    *extra = v;
  if (v < 0)
    return 0.5f;
  return extra == 0 ? 1.0f : 2.0f;
}
float big(float x, float y) { return max(x, y) + fmin(x, y); }
__constant int lim = 9;
int getlim(void) { return lim; }

kernel void helpers(__global int *a, __global uint *b, __global float *f, int n) {
  int i = get_global_id(0);
  a[4 * i] = absdiff(a[4 * i], a[4 * i + 1]);
  a[4 * i + 1] = find(b + 4 * i, 7, 4) + find(b + 4 * i, b[4 * i], 4);
  a[4 * i + 2] = nested(a[4 * i + 2]);
}

kernel void switches(__global int *a, __global uint *b, __global float *f, int n) {
  int i = get_global_id(0);
  for (int j = 0; j < 4; ++j) {
    int v = a[4 * i + j];
    if (v == 3)
      continue;
    switch (v) {
    case 1:
      a[4 * i + j] = 100;
      continue;
    case 2:
      if (i & 1)
        break;
      a[4 * i + j] = 50;
      break;
    case -1:
    case -2:
      a[4 * i + j] = classify(i);
      break;
    default:
      a[4 * i + j] = classify(v);
    }
    a[4 * i + j] += 1;
  }
}

kernel void effects(__global int *a, __global uint *b, __global float *f, int n) {
  int i = get_global_id(0);
  int x = 4 * i;
  int y = a[x++];
  y += a[x] + sideeffect(a + x) * 2;
  if (y++ > 3 && sideeffect(a + 4 * i) > 0)
    y += 10;
  int z = (y > 5 || sideeffect(a + 4 * i + 1) > 2) ? y-- : ++y;
  a[4 * i + 3] = z + y;
  int k = 0;
  while (k++ < 3)
    z += k;
  do {
    z -= k--;
  } while (k-- > 0);
  b[4 * i] = z;
  for (int m = 0, q = 9; m < q; m++, q -= 2)
    b[4 * i + 1] += m * q;
  int w;
  w = x = 3;
  b[4 * i + 2] = w + x;
  x = (w++, w + 1);
  b[4 * i + 3] = x;
}

kernel void exits(__global int *a, __global uint *b, __global float *f, int n) {
  int i = get_global_id(0);
  do {
    if (a[4 * i] > 5)
      break;
    a[4 * i + 1] = 9;
    if (a[4 * i] < -5) {
      a[4 * i + 2] = 3;
      break;
    }
    a[4 * i + 3] = 4;
  } while (0);
  if (a[4 * i] == 7)
    return;
  for (int j = 0; j < 3; ++j) {
    if (a[4 * i + j] == 2)
      return;
    if (a[4 * i + j] == 3)
      break;
    a[4 * i + j]--;
  }
  if (i % 3) {
    if (i % 5 == 0)
      return;
    a[4 * i] += 50;
  } else {
    a[4 * i] += 60;
  }
  a[4 * i + 1] += 70;
  if (i & 1) {
    b[4 * i] = 1;
    return;
  }
  b[4 * i] = 2;
}

kernel void shadows(__global int *a, __global uint *b, __global float *f, int n) {
  int i = get_global_id(0);
  int x = 1;
  {
    int x = 2;
    a[4 * i] += x;
  }
  a[4 * i + 1] += x;
  for (int i = 0; i < 3; i++) {
    int x = i;
    x += 3;
    a[4 * get_global_id(0) + 2] += x;
  }
  for (int i = 5; i > 3; i--)
    a[4 * get_global_id(0) + 3] -= i;
}

kernel void conditions(__global int *a, __global uint *b, __global float *f, int n) {
  int i = get_global_id(0);
  int z = 0;
  int t = a[4 * i] > 0 ? z++ : --z;
  t += a[4 * i + 1] > 0 && (z += 3) > 2;
  t += a[4 * i + 2] < 0 || odd(z++) || f2(a + 4 * i + 3) > 4;
  a[4 * i] = t * 100 + z;
  if (odd(i) && !odd(i / 2) || a[4 * i] == 4)
    a[4 * i + 1] = 5;
  else if (odd(i / 4))
    a[4 * i + 1] = 6;
  int w = 0;
  while (w < 5 && f2(a + 4 * i + 2) < 20) {
    if (w++ == 2)
      continue;
    t += w;
  }
  do {
    if (t & 1) {
      t++;
      continue;
    }
    t -= 3;
  } while (t > 100);
  a[4 * i + 3] = t;
  z = i;
  do {
    z -= 2;
  } while (z-- > 3 && odd(z));
  b[4 * i] = z;
  b[4 * i + 1] = (i > 3, t, z + 1);
  int m = (z = 4) + 1;
  b[4 * i + 2] = m + z;
  for (;;) {
    if (++m > 9)
      break;
  }
  b[4 * i + 3] = m;
  f[4 * i] = opt(a[4 * i], 0) + opt(a[4 * i + 1], &m) + opt(3, NULL);
  b[4 * i] += m;
}

kernel void returns(__global int *a, __global uint *b, __global float *f, int n) {
  int i = get_global_id(0);
  if (i > 90)
    return;
  if (i % 3 == 0) {
    if (i % 2) {
      a[4 * i] = 1;
      return;
    } else if (i % 5 == 0) {
      a[4 * i] = 2;
    } else {
      a[4 * i] = 3;
      return;
    }
    a[4 * i + 1] = 4;
  } else if (i % 7 == 0)
    return;
  a[4 * i + 2] = 5;
  for (int k = 0; k < 4; k++) {
    for (int j = 0; j < 3; j++) {
      if (a[4 * i + k] == j) {
        b[4 * i] = 9;
        return;
      }
      if (j == 2)
        break;
    }
  }
  switch (i & 3) {
  case 0:
    return;
  case 1:
    b[4 * i + 1] = 1;
    break;
  case 2:
    if (a[4 * i] > 3)
      return;
    b[4 * i + 1] = 2;
  }
  b[4 * i + 2] = 8;
  if (a[4 * i] < 0) {
    b[4 * i + 3] = 7;
  } else {
    return;
  }
  b[4 * i + 3] += 1;
}

kernel void names(__global int *a, __global uint *b, __global float *f, int n) {
  int i = get_global_id(0);
  float max = 3.0f;
  int fmin = 2;
  f[4 * i] = big(max, f[4 * i + 1]) + fmin;
  int lim = 4;
  a[4 * i] = lim + getlim();
  enum { LA = 5, LB };
  typedef float myf;
  myf z = LB;
  f[4 * i + 1] = z;
  int int_ = 3;
  int a_1 = 2;
  int getlim_result = 7;
  a[4 * i + 1] = getlim() + getlim_result + a_1 + int_;
  int des[6] = {[4] = 7, [1] = 3};
  a[4 * i + 2] = des[1] + des[4] * 10 + des[i % 6];
}

kernel void loops(__global int *a, __global uint *b, __global float *f, int n) {
  int i = get_global_id(0);
  int k;
  for (k = i; k < n; k += 32) {
    a[4 * i] += k;
    if (k & 1)
      continue;
    a[4 * i + 1] ^= k;
  }
  for (uint z = 3; z-- > 0;)
    b[4 * i] += z * z;
  for (int x = 0, y = 10; x != y; ++x, --y)
    b[4 * i + 1] += x * y;
  for (; k > 50; k -= 7)
    ;
  b[4 * i + 2] = k;
  int j = 0;
  for (;;) {
    j += 3;
    if (j > 20)
      break;
    if (j % 2)
      continue;
    b[4 * i + 3] += j;
  }
  do
    j--;
  while (j > 5);
  a[4 * i + 2] = j;
  while (1) {
    while (j < 20) {
      j += 7;
      if (j == 12)
        break;
    }
    if (j >= 12)
      break;
  }
  a[4 * i + 3] = j;
  for (int q = 0; q < 3; a[4 * i] += q, q++) {
    if (q == 1)
      continue;
    a[4 * i + 1] += 1;
  }
}
kernel void tests_of_loops(__global int *a, __global uint *b, __global float *f, int n) {
  int i = get_global_id(0);
  int k = (a[4 * i] & 7) + 1, m = k;
  while (k--) {
    if (k == 3)
      continue;
    a[4 * i] += k * 5;
  }
  k = m;
  while (k-- > 1)
    a[4 * i + 1] += k;
  a[4 * i + 2] = k;
  int j = -1;
  while (++j < m) {
    if (j == 4)
      break;
    a[4 * i + 3] += j;
  }
  b[4 * i] = j;
  int left = 6;
  for (int q = 0; q < 3; ++q)
    while (left-- > 2 * q) {
      b[4 * i + 1] += left;
      if (left == 3)
        break;
    }
  for (uint u = 0;; u += 2) {
    if (u >= 9 || b[4 * i + 2] > 100)
      break;
    b[4 * i + 2] += u;
  }
  for (int q = 0, r = m;; q++) {
    r--;
    if (q >= r)
      break;
    b[4 * i + 3] += q * r;
  }
}

int rest_of(int v, int n) {
  switch (n) {
  case 3:
    v ^= 5;
  case 2:
    v *= 3;
    if (v & 8)
      return v;
  case 1:
    v += 7;
  }
  return v;
}

kernel void falls_through(__global int *a, __global uint *b, __global float *f, int n) {
  int i = get_global_id(0);
  for (int k = 0; k < 4; ++k) {
    int v = a[4 * i + k], sum = 0;
    switch (v & 7) { // the default in the middle, breaks under conditions
    case 0:
      sum += 1;
    case 1:
    case 2:
      sum += 10;
      if (v & 16)
        break;
    default:
      sum += 100;
    case 3:
      sum += 1000;
      v = 5; // tests see the first value
    case 4:
      if (v > 100)
        break;
      sum += 10000;
      break;
    case 5:
      sum = -1;
    case 6:
      sum -= 2;
      if (i & 1)
        continue;
    }
    switch (v >> 3 & 3) {
    default:
      ++sum;
    case 1:
      sum *= 2;
    }
    switch (v & 1) {
    case 0:
    default:
      sum += 3;
    }
    a[4 * i + k] = sum + rest_of(v, k);
  }
}
