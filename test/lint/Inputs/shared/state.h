#pragma once
#ifdef ON_DEVICE
typedef float2 point;
#else
#include <vector>
#include "vectors.hpp"
#endif
typedef struct {
  point at;
  int id;
} State;
