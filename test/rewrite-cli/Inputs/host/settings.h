// Names the kernel file; the file that includes it gives the macros.
static const char *kernelFile = "host/scale.cl";

static void build(cl_program program, cl_device_id device) {
  char options[100];
  sprintf(options, "-DFACTOR=%s -DTILE=%d", FACTOR_TEXT, TILE);
  clBuildProgram(program, 1, &device, options, NULL, NULL);
}
