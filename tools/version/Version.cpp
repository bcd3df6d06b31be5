//===- Version.cpp ----------------------------------------------------------------------------===//

#include "tools/version/Version.h"
#include "clang/Basic/Version.inc"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace clmali {

const char ToolVersion[] = CLMALI_VERSION;

static constexpr char Commit[] =
#include "Commit.inc"
    ;

void printVersion(StringRef Program) {
  outs() << Program << " " << ToolVersion << " (commit " << Commit << ", Clang "
         << CLANG_VERSION_STRING << ")\n";
  outs().flush();
}

} // namespace clmali
