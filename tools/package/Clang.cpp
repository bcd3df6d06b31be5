//===- Clang.cpp - what the judge starts as clang-19 ------------------------------------------===//
//
// The judge proves with the LLVM IR of both kernels, which a Clang in a process of its own makes:
// "clang-19 -emit-llvm -c -O0 -o OUT.bc KERNEL.cl". The archive has no clang-19, but most of one:
// this is its driver, its front end, and the generation of IR, without optimisation.
//
//===------------------------------------------------------------------------------------------===//

#include "checks/model/frontend/Files.h"
#include "clang/Basic/TargetInfo.h"
#include "clang/CodeGen/ModuleBuilder.h"
#include "clang/Driver/Compilation.h"
#include "clang/Driver/Driver.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendAction.h"
#include "clang/Frontend/TextDiagnosticPrinter.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/Transforms/IPO/AlwaysInliner.h"

using namespace clang;
using llvm::IntrusiveRefCntPtr;
using llvm::StringRef;

namespace {

/// Generates IR and writes it as bitcode.
class EmitBitcode : public ASTFrontendAction {
public:
  std::unique_ptr<ASTConsumer> CreateASTConsumer(CompilerInstance &CI, StringRef File) override {
    auto Owned = std::unique_ptr<CodeGenerator>(CreateLLVMCodeGen(
        CI.getDiagnostics(), File, &CI.getVirtualFileSystem(), CI.getHeaderSearchOpts(),
        CI.getPreprocessorOpts(), CI.getCodeGenOpts(), Context));
    Generator = Owned.get();
    return Owned;
  }
  void EndSourceFileAction() override {
    CompilerInstance &CI = getCompilerInstance();
    if (CI.getDiagnostics().hasErrorOccurred())
      return;
    std::unique_ptr<llvm::Module> M(Generator->ReleaseModule());
    // The one pass that changes what a program means at -O0.
    llvm::legacy::PassManager Passes;
    Passes.add(llvm::createAlwaysInlinerLegacyPass(/*InsertLifetime=*/false));
    Passes.run(*M);
    if (std::unique_ptr<llvm::raw_pwrite_stream> Out =
            CI.createDefaultOutputFile(/*Binary=*/true, getCurrentFile(), "bc"))
      llvm::WriteBitcodeToFile(*M, *Out);
  }

private:
  llvm::LLVMContext Context;
  CodeGenerator *Generator = nullptr;
};

} // namespace

/// As clang-19 for one input and -emit-llvm -c: 0, or 1 with messages on standard error.
int clmali_clang_main(int Argc, char **Argv) {
  IntrusiveRefCntPtr<DiagnosticOptions> Options = new DiagnosticOptions();
  IntrusiveRefCntPtr<DiagnosticsEngine> Diags = CompilerInstance::createDiagnostics(Options.get());
  clang::driver::Driver Driver(Argv[0], llvm::sys::getDefaultTargetTriple(), *Diags);
  Driver.ResourceDir = clmali::model::resourceDir();
  std::unique_ptr<clang::driver::Compilation> C(
      Driver.BuildCompilation(llvm::ArrayRef<const char *>(Argv, Argc)));
  if (!C || C->getJobs().size() != 1 || C->containsError()) {
    llvm::errs() << "clmali clang: one file with -emit-llvm -c is what it compiles\n";
    return 1;
  }
  CompilerInstance CI;
  auto Invocation = std::make_shared<CompilerInvocation>();
  if (!CompilerInvocation::CreateFromArgs(*Invocation, C->getJobs().begin()->getArguments(),
                                          *Diags))
    return 1;
  CI.setInvocation(std::move(Invocation));
  CI.createDiagnostics();
  EmitBitcode Action;
  return CI.ExecuteAction(Action) ? 0 : 1;
}
