// RUN: %{python} %{expect} %s --no-balance
// Options of which parts are known at run time only, in a file that writes none that relaxes: near misses are in
// missing-fast-math.nowhere.c (it writes none at all) and missing-fast-math.chosen.c (it writes one that does).
#include <CL/cl.h>
#include <string>
std::string toText(int n);
std::string more();
void build(cl_program p, int n, const std::string &folder) {
  std::string values = "-DSIZE=" + toText(n) + " -I " + folder;
  clBuildProgram(p, 0, nullptr, values.c_str(), nullptr, nullptr); // HIT(powervr-rogue): built without -cl-fast-relaxed-math
  std::string open = "-DSIZE=4 " + more();
  clBuildProgram(p, 0, nullptr, open.c_str(), nullptr, nullptr); // HIT(powervr-rogue): built without -cl-fast-relaxed-math
}
