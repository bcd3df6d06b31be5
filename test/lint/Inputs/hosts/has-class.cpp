#include <CL/cl.h>
class Renderer {
public:
  void draw(cl_command_queue queue);
};
void show(Renderer &renderer, cl_command_queue queue) {
  for (int i = 0; i < 9; ++i)
    renderer.draw(queue);
}
