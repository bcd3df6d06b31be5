// RUN: %{python} %{expect} %s --no-balance
// What a loop does when it has found something, and then ends, runs once.
#include <CL/cl.h>
cl_kernel kernels[8];
int matches(int i, const char *name);
void found(cl_command_queue q, cl_program p, const char *name) {
  for (int i = 0; i < 8; ++i) {
    if (matches(i, name)) {
      clFinish(q); // miss: the function ends
      return;
    }
  }
  for (int i = 0; i < 8; ++i)
    if (matches(i, name)) {
      clFinish(q); // miss: the loop ends
      break;
    }
  for (int i = 0; i < 8; ++i)
    if (matches(i, name)) {
      clFinish(q); // miss: it throws
      throw i;
    }
}
void again(cl_command_queue q, cl_event e, const char *name) {
  for (int turn = 0; turn < 9; ++turn)
    for (int i = 0; i < 8; ++i)
      if (matches(i, name)) {
        clFinish(q); // HIT: waits in a loop
        break;
      }
  for (int i = 0; i < 8; ++i) {
    if (!matches(i, name)) {
      clWaitForEvents(1, &e); // HIT: waits in a loop
      continue;
    }
    break;
  }
  while (true) {
    clFinish(q); // HIT: waits in a loop
    if (matches(0, name))
      continue;
    break;
  }
  for (int i = 0; i < 8; ++i)
    switch (i) {
    case 0: {
      clFinish(q); // HIT: waits in a loop
      break;
    }
    }
}
void wait(cl_command_queue q) {
  clFinish(q); // miss: the loop ends behind its call
}
void waits(cl_command_queue q) {
  for (int i = 0; i < 8; ++i) {
    if (matches(i, "all")) {
      wait(q);
      return;
    }
  }
}
