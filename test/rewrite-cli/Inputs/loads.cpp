#include <string>
std::string load(const char *);
std::string text() { return load("scale.cl"); }
