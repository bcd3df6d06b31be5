// RUN: %{python} %{expect} %s
// Options of which only values are known at run time.
#include <CL/cl.h>
#include <string>
std::string toText(int n);
std::string more();
void build(cl_program p, int n, const std::string &folder) {
  std::string values = "-DSIZE=" + toText(n) + " -I " + folder;
  clBuildProgram(p, 0, nullptr, values.c_str(), nullptr, nullptr); // HIT(powervr-rogue): built without -cl-fast-relaxed-math
  std::string open = "-DSIZE=4 " + more();
  clBuildProgram(p, 0, nullptr, open.c_str(), nullptr, nullptr); // miss: what more() adds may be the option
  std::string all = more();
  clBuildProgram(p, 0, nullptr, all.c_str(), nullptr, nullptr); // miss: nothing of it is known
}
