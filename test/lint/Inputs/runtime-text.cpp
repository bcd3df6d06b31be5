#include <CL/cl.h>
#include <string>
#include <sstream>
#define CODE(...) #__VA_ARGS__
static std::string library = CODE(
kernel void twice(global float *v) {
  int i = get_global_id(0);
  v[i] = v[i] * 2.0f;
}

kernel void halve(global float *v, int step) {
  int i = get_global_id(0);
  v[i] = v[i] / 2.0f;
  v[i + i % step] = 0.0f;
}
);
static std::string plain = CODE(
kernel void NAME(global TYPE *v, global TYPE *w) {
  int i = get_global_id(0);
  v[i] = v[i] + w[i];
}
);
static std::string fill(std::string t, const char *name, const char *type) {
  for (size_t at; (at = t.find("NAME")) != std::string::npos;) t.replace(at, 4, name);
  for (size_t at; (at = t.find("TYPE")) != std::string::npos;) t.replace(at, 4, type);
  return t;
}
static std::string all() {
  std::stringstream s;
  s << library << '\n';
  const char *types[] = {"float", "int"};
  for (auto t : types) s << fill(plain, t, t) << '\n';
  return s.str();
}
cl_program make(cl_context c) {
  std::string text = all();
  const char *p = text.c_str();
  return clCreateProgramWithSource(c, 1, &p, nullptr, nullptr);
}
std::string typed(const std::string &type, const std::string &more) {
  std::string s = "kernel void typed(global " + type + " *v) {\n";
  s += "  int i = get_global_id(0);\n  v[i] = v[i] % 7;" + more + type + "\n}\n";
  return s;
}
