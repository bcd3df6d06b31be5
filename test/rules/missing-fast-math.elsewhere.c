// RUN: %{python} %{expect} %s
// Programs that functions of other files create: the options passed are seen here, those added there are not.
#include <CL/cl.h>
cl_program loadProgram(cl_context c, const char *file, const char *options);
cl_program makeProgram(cl_context c, cl_device_id d, const char *file);
cl_program getProgram(int which);
cl_program first(cl_context c) {
  return loadProgram(c, "scale.cl", "-DN=4"); // HIT: 'loadProgram' is not told to build the program with -cl-fast-relaxed-math
}
cl_program none(cl_context c) {
  return loadProgram(c, "scale.cl", NULL); // HIT: 'loadProgram' is not told
}
cl_program alone(cl_context c, cl_device_id d) {
  return makeProgram(c, d, "scale.cl"); // HIT: 'makeProgram' is not told
}
cl_program makeProgramOf(cl_context c, const char *source, const char *options);
cl_program told(cl_context c, const char *source) {
  return makeProgramOf(c, source, "-I."); // HIT: 'makeProgramOf' is not told
}
cl_program told_fast(cl_context c, const char *source) {
  return makeProgramOf(c, source, "-cl-fast-relaxed-math"); // miss: it is
}
cl_program relaxed(cl_context c) {
  return loadProgram(c, "scale.cl", "-DN=4 -cl-fast-relaxed-math"); // miss: it is
}
cl_program given(cl_context c, const char *options) {
  return loadProgram(c, "scale.cl", options); // miss: not known
}
struct build_data { const char *file, *flags; };
cl_program buildProgram(cl_context c, struct build_data *data);
cl_program held(cl_context c, struct build_data *buildData) {
  return buildProgram(c, buildData); // miss: they may be in it
}
cl_program there(void) {
  return getProgram(1); // miss: of what is there
}
static cl_program (*loadedCreateProgramWithSource)(cl_context, cl_uint, const char **, const size_t *, cl_int *);
cl_program loaded(cl_context c, const char *source) {
  return loadedCreateProgramWithSource(c, 1, &source, NULL, NULL); // miss: a pointer to the API's own, which builds nothing
}
