//===-- checks/model/host/parse/HostRun.cpp - One run of Clang over a host file ------===//

#include "checks/model/host/parse/HostRun.h"
#include "checks/model/frontend/Files.h"
#include "checks/model/host/parse/BuiltInHeaders.h"
#include "checks/model/host/values/HostAst.h"
#include "clang/AST/ASTConsumer.h"
#include "clang/AST/ASTContext.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendAction.h"
#include "clang/Lex/PPCallbacks.h"
#include "clang/Lex/Preprocessor.h"
#include "clang/Tooling/Tooling.h"

using namespace clang;
using namespace llvm;

namespace clmali::model {

namespace {

ParseDiagnostic errorAt(std::string Message, SourceLocation At, const SourceManager &SM) {
  ParseDiagnostic P;
  P.IsError = true;
  P.Message = std::move(Message);
  if (PresumedLoc L = SM.getPresumedLoc(SM.getExpansionLoc(At)); L.isValid()) {
    P.File = L.getFilename();
    P.Line = L.getLine();
    P.Column = L.getColumn();
  }
  return P;
}

/// Collects diagnostics instead of printing them.
class Collector : public DiagnosticConsumer {
public:
  explicit Collector(std::vector<ParseDiagnostic> &Out) : Out(Out) {}
  void HandleDiagnostic(DiagnosticsEngine::Level Level, const Diagnostic &D) override {
    DiagnosticConsumer::HandleDiagnostic(Level, D);
    if (Level < DiagnosticsEngine::Error)
      return;
    SmallString<128> Text;
    D.FormatDiagnostic(Text);
    if (D.getLocation().isValid() && D.hasSourceManager()) {
      Out.push_back(errorAt(Text.str().str(), D.getLocation(), D.getSourceManager()));
      return;
    }
    ParseDiagnostic P;
    P.IsError = true;
    P.Message = Text.str().str();
    Out.push_back(std::move(P));
  }

private:
  std::vector<ParseDiagnostic> &Out;
};

/// Records headers that were not found, and what conditions leave out.
class IncludeRecorder : public PPCallbacks {
public:
  IncludeRecorder(Preprocessor &PP, HostRun &Run) : SM(PP.getSourceManager()), Run(Run) {}
  bool FileNotFound(StringRef) override { return true; }
  void InclusionDirective(SourceLocation Hash, const Token &, StringRef Name, bool, CharSourceRange,
                          OptionalFileEntryRef File, StringRef, StringRef, const clang::Module *,
                          bool, SrcMgr::CharacteristicKind) override {
    if (!File)
      Run.Missing.push_back(
          errorAt("'" + Name.str() +
                      "' file not found; what it declares is not seen (where is it? -- -I FOLDER)",
                  Hash, SM));
  }
  void SourceRangeSkipped(clang::SourceRange R, SourceLocation) override {
    if (SM.isInMainFile(R.getBegin()))
      Run.LeftOut.emplace_back(SM.getFileOffset(R.getBegin()), SM.getFileOffset(R.getEnd()));
  }

private:
  SourceManager &SM;
  HostRun &Run;
};

/// Lifts when the file is parsed, with however many errors.
class LiftAction : public ASTFrontendAction {
public:
  explicit LiftAction(HostRun &Run) : Run(Run) {}
  bool BeginSourceFileAction(CompilerInstance &CI) override {
    CI.getPreprocessor().addPPCallbacks(
        std::make_unique<IncludeRecorder>(CI.getPreprocessor(), Run));
    return true;
  }
  std::unique_ptr<ASTConsumer> CreateASTConsumer(CompilerInstance &, StringRef) override {
    class Consumer : public ASTConsumer {
    public:
      explicit Consumer(std::unique_ptr<HostModule> &To) : To(To) {}
      void HandleTranslationUnit(ASTContext &Ctx) override { To = liftHost(Ctx); }

    private:
      std::unique_ptr<HostModule> &To;
    };
    return std::make_unique<Consumer>(Run.M);
  }

private:
  HostRun &Run;
};

struct RunAction : tooling::ToolAction {
  explicit RunAction(HostRun &Run) : Run(Run) {}
  HostRun &Run;

  bool runInvocation(std::shared_ptr<CompilerInvocation> Invocation, FileManager *Files,
                     std::shared_ptr<PCHContainerOperations> Containers,
                     DiagnosticConsumer *Consumer) override {
    CompilerInstance Compiler(std::move(Containers));
    Compiler.setInvocation(std::move(Invocation));
    Compiler.setFileManager(Files);
    Compiler.setVerboseOutputStream(std::make_unique<raw_null_ostream>());
    Compiler.createDiagnostics(Consumer, /*ShouldOwnClient=*/false);
    if (!Compiler.hasDiagnostics())
      return false;
    Compiler.createSourceManager(*Files);
    LiftAction Action(Run);
    Compiler.ExecuteAction(Action);
    Files->clearStatCache();
    return Run.M != nullptr;
  }
};

} // namespace

StringRef missingHeader(const ParseDiagnostic &Missing) {
  return StringRef(Missing.Message).drop_front().split('\'').first;
}

// Does what tooling::buildASTFromCodeWithArgs does, on this thread's file system.
HostRun runHostParse(StringRef FileName, StringRef Text, StringRef Names,
                     const std::vector<std::string> &Args) {
  auto Overlay = llvm::makeIntrusiveRefCnt<llvm::vfs::OverlayFileSystem>(fileSystem());
  auto Memory = llvm::makeIntrusiveRefCnt<llvm::vfs::InMemoryFileSystem>();
  Overlay->pushOverlay(Memory);
  auto Files = llvm::makeIntrusiveRefCnt<FileManager>(FileSystemOptions(), Overlay);
  auto Add = [&](StringRef Name, StringRef Content) {
    Memory->addFile(Name, 0, llvm::MemoryBuffer::getMemBufferCopy(Content));
  };
  Add(FileName, Text);
  Add(OpenCLPrefixName, openCLPrefix());
  Add(GlPrefixName, glPrefix());
  Add(JniPrefixName, jniPrefix());
  Add(StandardPrefixName, standardPrefix());
  Add(MissingNamesFile, Names);
  std::vector<std::string> Line{"clmali-lint", "-fsyntax-only"};
  std::vector<std::string> Adjusted =
      tooling::getClangStripDependencyFileAdjuster()(Args, FileName);
  Line.insert(Line.end(), Adjusted.begin(), Adjusted.end());
  Line.push_back(FileName.str());
  HostRun Run;
  Collector Consumer(Run.Errors);
  RunAction Action(Run);
  tooling::ToolInvocation Invocation(Line, &Action, Files.get(),
                                     std::make_shared<PCHContainerOperations>());
  Invocation.setDiagnosticConsumer(&Consumer);
  (void)Invocation.run();
  return Run;
}

} // namespace clmali::model
