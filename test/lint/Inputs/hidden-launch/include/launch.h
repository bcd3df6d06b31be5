inline void launch(cl_command_queue queue, cl_kernel kernel, size_t items) {
  size_t one = 1;
  clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, &one, 0, NULL, NULL);
}
