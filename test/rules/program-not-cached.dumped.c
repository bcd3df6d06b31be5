// RUN: %{python} %{expect} %s --no-balance
// RUN: clmali-lint --checks=-*,program-not-cached %S/Inputs/cached-pointer.c | count 0
// RUN: clmali-lint --checks=-*,program-not-cached %S/Inputs/cached-stored.c | count 0
// A binary that is fetched and looked at; nothing loads it.
#include <CL/cl.h>
#include <stdio.h>
cl_program first(cl_context c, const char *s) {
  cl_program p = clCreateProgramWithSource(c, 1, &s, NULL, NULL); // HIT: its binary is fetched, but nothing here loads it
  unsigned char *binary[1];
  size_t size;
  clBuildProgram(p, 0, NULL, NULL, NULL, NULL);
  clGetProgramInfo(p, CL_PROGRAM_BINARY_SIZES, sizeof(size), &size, NULL);
  clGetProgramInfo(p, CL_PROGRAM_BINARIES, sizeof(binary), binary, NULL); // miss: no program is made here
  FILE *log = fopen("build.log", "wb");
  fwrite(binary[0], 1, size, log);
  fclose(log);
  return p;
}
