#include "gpu.h"
void deep(cl_command_queue queue) { twice(queue); }
void local(cl_command_queue queue) {
  for (int i = 0; i < 9; ++i)
    same(queue);
}
