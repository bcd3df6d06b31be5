//===-- test/model/semantics/print_back.cpp - Lift a file, print it back --===//
//
//   clmali-print-back IN.cl OUT.cl
//
// OUT.cl is IN.cl with each kernel as the model has it, printed faithfully. A
// kernel with an opaque node is an error: there would be nothing to compare.
//
//===----------------------------------------------------------------------===//

#include "checks/model/frontend/Frontend.h"
#include "rewriters/print/Print.h"
#include "llvm/Support/raw_ostream.h"

using namespace clmali;

int main(int Argc, char **Argv) {
  if (Argc != 3) {
    llvm::errs() << "usage: clmali-print-back IN.cl OUT.cl\n";
    return 2;
  }
  llvm::Expected<model::ParseResult> R = model::parseOpenCLFile(Argv[1], {});
  if (!R || !R->M || R->M->Kernels.empty()) {
    llvm::errs() << Argv[1] << ": "
                 << (R ? "does not parse, or has no kernel" : llvm::toString(R.takeError()))
                 << "\n";
    return 2;
  }
  // From the back, so that the places in front stay right.
  std::string Text = R->M->Files[0].Text;
  for (auto It = R->M->Kernels.rbegin(); It != R->M->Kernels.rend(); ++It) {
    const model::Kernel &K = **It;
    if (!K.Opaques.empty()) {
      llvm::errs() << Argv[1] << ": " << K.Name << ": " << K.Opaques.front().What << "\n";
      return 1;
    }
    Text.replace(K.Range.Begin, K.Range.End - K.Range.Begin,
                 rewrite::printKernel(*R->M, K, {}, /*Faithful=*/true));
  }
  std::error_code EC;
  llvm::raw_fd_ostream OS(Argv[2], EC);
  if (EC) {
    llvm::errs() << Argv[2] << ": " << EC.message() << "\n";
    return 2;
  }
  OS << Text;
  return 0;
}
