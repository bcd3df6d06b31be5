//===- main.cpp - clmali-model: prints the model of a file ------------------------------------===//
//
// Prints every kernel of each file as the model represents it, or with --summary one line for each
// kernel: "clear", or its first opaque node.
//
//   clmali-model [--tolerant] [--size-t=32|64] [--summary] FILE.cl... [-- CLANG-ARGS]
//
// Exit code: 0, or 2 if a file could not be read or parsed.
//
//===----------------------------------------------------------------------===//

#include "checks/model/frontend/Frontend.h"
#include "tools/version/Version.h"
#include "llvm/Support/raw_ostream.h"

using namespace clmali::model;

int main(int Argc, char **Argv) {
  ParseOptions O;
  bool Summary = false;
  std::vector<std::string> Files;
  for (int I = 1; I < Argc; ++I) {
    llvm::StringRef Arg = Argv[I];
    if (Arg == "--") {
      O.ClangArgs.assign(Argv + I + 1, Argv + Argc);
      break;
    }
    if (Arg == "--version") {
      clmali::printVersion("clmali-model");
      return 0;
    }
    if (Arg == "--tolerant")
      O.Tolerant = true;
    else if (Arg == "--size-t=32" || Arg == "--size-t=64")
      O.SizeTBits = Arg.ends_with("32") ? 32 : 64;
    else if (Arg == "--summary")
      Summary = true;
    else if (Arg.starts_with("-")) {
      llvm::errs() << "clmali-model: unknown option " << Arg << "\n";
      return 2;
    } else
      Files.push_back(Arg.str());
  }
  if (Files.empty()) {
    llvm::errs() << "usage: clmali-model [--tolerant] [--size-t=32|64] [--summary] FILE.cl... "
                    "[-- CLANG-ARGS]\n";
    return 2;
  }
  int Exit = 0;
  for (const std::string &File : Files) {
    llvm::Expected<ParseResult> R = parseOpenCLFile(File, O);
    if (!R) {
      llvm::errs() << "clmali-model: " << llvm::toString(R.takeError()) << "\n";
      Exit = 2;
      continue;
    }
    unsigned Shown = 0;
    if (!R->M || !Summary)
      for (const ParseDiagnostic &D : R->Diagnostics)
        if (D.IsError && ++Shown <= 20)
          llvm::errs() << D.File << ':' << D.Line << ':' << D.Column << ": error: " << D.Message
                       << "\n";
    if (!R->M) {
      if (Summary)
        llvm::outs() << File << "\t-\tunparsed\n";
      Exit = 2;
      continue;
    }
    if (!Summary)
      for (const std::string &N : R->M->Notes)
        llvm::outs() << "note: " << N << "\n";
    for (const std::unique_ptr<Kernel> &K : R->M->Kernels) {
      if (!Summary) {
        llvm::outs() << dump(*K);
        continue;
      }
      llvm::outs() << File << '\t' << K->Name << '\t'
                   << (K->Opaques.empty() ? "clear" : K->Opaques.front().What) << '\n';
    }
  }
  return Exit;
}
