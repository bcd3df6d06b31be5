#include "lib.h"
void frames(cl_command_queue queue) {
  for (;;)
    wait_all(queue);
}
