// RUN: %{python} %{expect} %s --no-balance
// RUN: clmali-lint --checks=-*,program-not-cached,unified-memory-not-queried %S/Inputs/uses-library.cpp | count 0
// What a header loads that the file does not use says nothing of the file's own programs.
#include "Inputs/library.hpp"
cl_program own(cl_context c, const char *s) {
  return clCreateProgramWithSource(c, 1, &s, nullptr, nullptr); // HIT: its binary is never stored
}
