// Opens libz3 when the first of its functions is called, so that linting needs the C library alone.
// It lies in a folder of the archive; the program's run path names it.
#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>

static constexpr const char *Names[] = {
#define ENTRY(Index, Name) #Name,
#include "Z3Entries.def"
};

extern "C" {
/// The functions, in the order of Z3Entries.def; null until they are loaded.
__attribute__((visibility("hidden"))) void *clmali_z3_table[sizeof Names / sizeof *Names];

__attribute__((visibility("hidden"))) void clmali_z3_load() {
  void *Library = dlopen("libz3.so.4", RTLD_NOW | RTLD_LOCAL);
  if (!Library) {
    std::fprintf(stderr,
                 "clmali: the solver cannot be loaded (%s). To judge without proofs: "
                 "--without=symbolic,generic\n",
                 dlerror());
    std::_Exit(2);
  }
  // The first entry says that all are there, and is written last.
  for (unsigned I = sizeof Names / sizeof *Names; I-- > 0;)
    __atomic_store_n(&clmali_z3_table[I], dlsym(Library, Names[I]), __ATOMIC_RELEASE);
}
}
