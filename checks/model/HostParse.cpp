//===-- checks/model/HostParse.cpp - A host file through Clang ------------===//
//
// Parses a C or C++ file with its compile command, keeps the diagnostics instead
// of printing them, and lifts what could be parsed.
//
//===----------------------------------------------------------------------===//

#include "checks/model/Files.h"
#include "checks/model/Host.h"
#include "clang/AST/ASTContext.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Frontend/ASTUnit.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Tooling/Tooling.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace clang;
using namespace llvm;

namespace clmali::model {

namespace {

/// Collects diagnostics instead of printing them.
class Collector : public DiagnosticConsumer {
public:
  explicit Collector(std::vector<ParseDiagnostic> &Out) : Out(Out) {}
  void HandleDiagnostic(DiagnosticsEngine::Level Level, const Diagnostic &D) override {
    DiagnosticConsumer::HandleDiagnostic(Level, D);
    if (Level < DiagnosticsEngine::Error)
      return;
    ParseDiagnostic P;
    P.IsError = true;
    SmallString<128> Text;
    D.FormatDiagnostic(Text);
    P.Message = Text.str().str();
    if (D.getLocation().isValid() && D.hasSourceManager()) {
      PresumedLoc L = D.getSourceManager().getPresumedLoc(
          D.getSourceManager().getExpansionLoc(D.getLocation()));
      if (L.isValid()) {
        P.File = L.getFilename();
        P.Line = L.getLine();
        P.Column = L.getColumn();
      }
    }
    Out.push_back(std::move(P));
  }

private:
  std::vector<ParseDiagnostic> &Out;
};

struct BuildAction : tooling::ToolAction {
  std::unique_ptr<ASTUnit> Unit;
  bool runInvocation(std::shared_ptr<CompilerInvocation> Invocation, FileManager *Files,
                     std::shared_ptr<PCHContainerOperations> Containers,
                     DiagnosticConsumer *Consumer) override {
    Unit = ASTUnit::LoadFromCompilerInvocation(
        Invocation, std::move(Containers),
        CompilerInstance::createDiagnostics(&Invocation->getDiagnosticOpts(), Consumer,
                                            /*ShouldOwnClient=*/false),
        Files);
    return Unit != nullptr;
  }
};
} // namespace

/// tooling::buildASTFromCodeWithArgs, on this thread's file system.
static std::unique_ptr<ASTUnit> buildAST(StringRef FileName, StringRef Text,
                                         const std::vector<std::string> &Args,
                                         DiagnosticConsumer &Consumer) {
  auto Overlay = llvm::makeIntrusiveRefCnt<llvm::vfs::OverlayFileSystem>(fileSystem());
  auto Memory = llvm::makeIntrusiveRefCnt<llvm::vfs::InMemoryFileSystem>();
  Overlay->pushOverlay(Memory);
  auto Files = llvm::makeIntrusiveRefCnt<FileManager>(FileSystemOptions(), Overlay);
  Memory->addFile(FileName, 0, llvm::MemoryBuffer::getMemBufferCopy(Text));
  std::vector<std::string> Line{"clmali-lint", "-fsyntax-only"};
  std::vector<std::string> Adjusted =
      tooling::getClangStripDependencyFileAdjuster()(Args, FileName);
  Line.insert(Line.end(), Adjusted.begin(), Adjusted.end());
  Line.push_back(FileName.str());
  BuildAction Action;
  tooling::ToolInvocation Invocation(Line, &Action, Files.get(),
                                     std::make_shared<PCHContainerOperations>());
  Invocation.setDiagnosticConsumer(&Consumer);
  return Invocation.run() ? std::move(Action.Unit) : nullptr;
}

std::string resourceDir() {
  if (sys::fs::exists(CLMALI_RESOURCE_DIR "/include"))
    return CLMALI_RESOURCE_DIR;
  static int Anchor;
  SmallString<256> Path(sys::path::parent_path(sys::path::parent_path(
      sys::fs::getMainExecutable("clmali-lint", &Anchor))));
  sys::path::append(Path, CLMALI_INSTALLED_RESOURCES);
  return sys::fs::exists(Path) ? Path.str().str() : "";
}

HostParse parseHost(StringRef FileName, StringRef Text, const std::vector<std::string> &Args) {
  HostParse Result;
  std::vector<std::string> All;
  // Headers and C files are told apart by their names as the driver does; a .h may be either, and
  // C++ reads more of them.
  if (sys::path::extension(FileName) == ".h")
    All.insert(All.end(), {"-x", "c++"});
  All.insert(All.end(), Args.begin(), Args.end());
  All.insert(All.end(), {"-fsyntax-only", "-w", "-DCL_TARGET_OPENCL_VERSION=300"});
  std::string Resources = resourceDir();
  if (!Resources.empty())
    All.push_back("-resource-dir=" + Resources);
  Collector Consumer(Result.Diagnostics);
  std::unique_ptr<ASTUnit> Unit = buildAST(FileName, Text, All, Consumer);
  for (ParseDiagnostic &D : Result.Diagnostics)
    if (D.File.empty())
      D.File = FileName.str();
  if (!Unit) {
    if (Result.Diagnostics.empty())
      Result.Diagnostics.push_back(
          {FileName.str(), 0, 0, true, "clang could not make sense of its arguments"});
    return Result;
  }
  Result.M = liftHost(Unit->getASTContext());
  if (!Result.M->Files.empty())
    Result.M->Files.front().Name = FileName.str();
  return Result;
}

} // namespace clmali::model
