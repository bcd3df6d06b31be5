//===-- checks/model/frontend/ClangParse.cpp - One run of Clang over a kernel file -===//
//
// Clang runs in this process, over files in memory and on disk. Its base header for OpenCL is
// built in; samplers, vendors' built-ins and the texts of the tolerant parse are further built-in
// headers.
//
//===----------------------------------------------------------------------===//

#include "checks/model/frontend/ClangParse.h"
#include "checks/model/frontend/Files.h"
#include "checks/model/frontend/LiftAction.h"
#include "checks/model/frontend/tolerant/MacroInference.h"
#include "checks/model/frontend/tolerant/VendorBuiltins.h"
#include "checks/model/ir/Budget.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/CompilerInvocation.h"
#include "clang/Frontend/FrontendAction.h"
#include "llvm/Support/CrashRecoveryContext.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/VirtualFileSystem.h"

using llvm::StringRef;

namespace clmali::model {
namespace {

const char BaseHeader[] =
#include "OpenCLBaseHeader.inc"
    ;

/// The file system of a parse: the built-in headers and the changed texts, over the real files.
llvm::IntrusiveRefCntPtr<llvm::vfs::OverlayFileSystem>
parseFiles(StringRef FileName, StringRef Text, const ClangArguments &A,
           llvm::ArrayRef<std::string> Extra, StringRef Prelude) {
  auto Overlay = llvm::makeIntrusiveRefCnt<llvm::vfs::OverlayFileSystem>(fileSystem());
  auto Memory = llvm::makeIntrusiveRefCnt<llvm::vfs::InMemoryFileSystem>();
  if (auto Directory = llvm::vfs::getRealFileSystem()->getCurrentWorkingDirectory())
    Memory->setCurrentWorkingDirectory(*Directory);
  Memory->addFile(builtInHeader("opencl-c-base.h"), 0,
                  llvm::MemoryBuffer::getMemBuffer(StringRef(BaseHeader, sizeof(BaseHeader) - 1)));
  if (A.DeclareVendorBuiltins)
    Memory->addFile(builtInHeader("vendor.h"), 0,
                    llvm::MemoryBuffer::getMemBuffer(vendorBuiltinsHeader()));
  Memory->addFile(builtInHeader("sampler.h"), 0,
                  llvm::MemoryBuffer::getMemBufferCopy("__constant sampler_t " + SamplerName.str() +
                                                       " = 16;\n"));
  if (!Prelude.empty())
    Memory->addFile(builtInHeader("prelude.h"), 0, llvm::MemoryBuffer::getMemBufferCopy(Prelude));
  for (StringRef Name : A.Empty)
    Memory->addFile(llvm::sys::path::is_absolute(Name) ? Name.str() : builtInHeader(Name), 0,
                    llvm::MemoryBuffer::getMemBuffer(""));
  // A given macro wins over a #define in a sibling file, which is one of several settings.
  llvm::StringSet<> Given;
  for (llvm::ArrayRef<std::string> From : {llvm::ArrayRef<std::string>(A.Pass), Extra})
    for (size_t I = 0; I < From.size(); ++I)
      if (StringRef Arg = From[I]; Arg.consume_front("-D"))
        Given.insert(wordAt(Arg.empty() && I + 1 < From.size() ? StringRef(From[I + 1]) : Arg));
  for (const SiblingFile &B : A.Before)
    Memory->addFile(B.Path, 0,
                    llvm::MemoryBuffer::getMemBufferCopy(withoutDefines(B.Text, Given), B.Path));
  for (const IncludedFile &H : A.Replaced)
    Memory->addFile(H.Path, 0, llvm::MemoryBuffer::getMemBufferCopy(H.Text, H.Path));
  Memory->addFile(FileName, 0, llvm::MemoryBuffer::getMemBufferCopy(Text, FileName));
  Overlay->pushOverlay(Memory);
  return Overlay;
}

} // namespace

ClangParse parseOnce(StringRef FileName, StringRef Text, const ClangArguments &A,
                     llvm::ArrayRef<std::string> Extra, StringRef Std, StringRef Triple,
                     bool Tolerant, bool Limit) {
  BudgetPause NoExceptions; // they must not cross Clang
  ++Work.Parses;
  ClangParse Result;
  Result.M = std::make_unique<Module>();
  DiagnosticCollector Collector(Result.Diagnostics);
  clang::CompilerInstance CI;

  std::string Prelude;
  std::vector<std::string> Args =
      commandLine(FileName, Text, A, Extra, Std, Triple, Tolerant, Limit, Prelude);
  std::vector<const char *> Pointers;
  for (const std::string &S : Args)
    Pointers.push_back(S.c_str());
  auto Engine = clang::CompilerInstance::createDiagnostics(new clang::DiagnosticOptions(),
                                                           &Collector, /*ShouldOwnClient=*/false);
  if (!clang::CompilerInvocation::CreateFromArgs(CI.getInvocation(), Pointers, *Engine)) {
    Result.Errors = std::max(1u, Collector.getNumErrors());
    Result.M.reset();
    return Result;
  }

  CI.createDiagnostics(&Collector, /*ShouldOwnClient=*/false);
  CI.createFileManager(parseFiles(FileName, Text, A, Extra, Prelude));
  CI.getFrontendOpts().DisableFree = false;
  CI.getDiagnosticOpts().ShowCarets = false; // or Clang prints the number of errors on stderr
  bool Lifted = false;
  std::unique_ptr<clang::FrontendAction> Action = makeLiftAction(
      *Result.M, Collector,
      {Tolerant, A.Partial, /*OwnOnly=*/!A.Before.empty(), /*HasPrelude=*/!Prelude.empty()},
      Lifted);
  // Clang may crash on code that parses in part; only this parse is lost then.
  llvm::CrashRecoveryContext::Enable();
  llvm::CrashRecoveryContext Recovery;
  if (!Recovery.RunSafely([&] { CI.ExecuteAction(*Action); })) {
    Lifted = false;
    Collector.addCrash(CI.getSourceManager());
    Result.Errors = 1;
  }
  Result.Errors = std::max(Result.Errors, Collector.getNumErrors());
  Result.Fatal = Collector.Fatal;
  Result.Accepted = Collector.NumAccepted;
  if (!Lifted)
    Result.M.reset();
  else
    Result.M->Files[0].Name = FileName.str();
  return Result;
}

bool isInBaseHeader(StringRef Name) {
  static const llvm::StringSet<> Words = [] {
    llvm::StringSet<> Result;
    auto IsWord = [](char C) { return isNameChar(C); };
    StringRef Rest(BaseHeader, sizeof(BaseHeader) - 1);
    while (!(Rest = Rest.drop_until(IsWord)).empty()) {
      Result.insert(Rest.take_while(IsWord));
      Rest = Rest.drop_while(IsWord);
    }
    return Result;
  }();
  return Words.contains(Name);
}

ParseResult toResult(ClangParse &&P, StringRef Std) {
  ParseResult R;
  R.M = std::move(P.M);
  R.Diagnostics = std::move(P.Diagnostics);
  R.Dialect = Std.str();
  return R;
}

} // namespace clmali::model
