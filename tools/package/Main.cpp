//===- Main.cpp - clmali: all programs in one file --------------------------------------------===//
//
// The portable archive has lint, rewrite, run, record and inject as one program: most of each is
// Clang. It is called by a link with the name of one of them, or as "clmali lint ARGUMENTS...".
//
//===------------------------------------------------------------------------------------------===//

#include "tools/version/Version.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include <cstdlib>
#include <string>

using namespace llvm;

int clmali_lint_main(int, char **);
int clmali_rewrite_main(int, char **);
int clmali_run_main(int, char **);
int clmali_record_main(int, char **);
int clmali_inject_main(int, char **);
int clmali_clang_main(int, char **);

static constexpr struct {
  StringLiteral Name;
  int (*Main)(int, char **);
} Programs[] = {{"clmali-lint", clmali_lint_main},
                {"clmali-rewrite", clmali_rewrite_main},
                {"clmali-run", clmali_run_main},
                {"clmali-record", clmali_record_main},
                {"clmali-inject", clmali_inject_main}};

/// Where no clang-19 is installed, the judge finds the one of the archive.
static void offerClang(const char *Argv0) {
  static int Anchor;
  SmallString<256> Folder(sys::path::parent_path(sys::fs::getMainExecutable(Argv0, &Anchor)));
  sys::path::append(Folder, "..", "lib", "clmali");
  const char *Before = std::getenv("PATH");
  setenv("PATH", (Twine(Before ? Before : "/usr/bin:/bin") + ":" + Folder).str().c_str(), 1);
}

int main(int Argc, char **Argv) {
  offerClang(Argv[0]);
  StringRef Called = sys::path::filename(Argv[0]);
  for (const auto &P : Programs)
    if (Called == P.Name)
      return P.Main(Argc, Argv);
  StringRef First = Argc > 1 ? Argv[1] : "";
  for (const auto &P : Programs)
    if (First == P.Name.drop_front(sizeof "clmali-" - 1))
      return P.Main(Argc - 1, Argv + 1);
  if (First == "clang") // internal: lib/clmali/clang-19
    return clmali_clang_main(Argc - 1, Argv + 1);
  if (First == "--version") {
    clmali::printVersion("clmali");
    return 0;
  }
  bool Help = First == "--help" || First == "-h";
  raw_ostream &Out = Help ? outs() : errs();
  Out << "usage: clmali PROGRAM [arguments], where PROGRAM is one of\n";
  for (const auto &P : Programs)
    Out << "  " << P.Name.drop_front(sizeof "clmali-" - 1) << "\n";
  Out << "The same programs are called " << Programs[0].Name << " and so on; each has --help.\n";
  return Help ? 0 : 2;
}
