//===-- checks/model/host/summary/CallSummaryBuilder.h - Summary of an AST -*- C++ -*-===//
#ifndef CLMALI_CHECKS_MODEL_HOST_SUMMARY_CALLSUMMARYBUILDER_H
#define CLMALI_CHECKS_MODEL_HOST_SUMMARY_CALLSUMMARYBUILDER_H

#include "checks/model/host/loops/RenderPasses.h"
#include "checks/model/host/summary/CallSummary.h"
#include "clang/Basic/SourceLocation.h"

namespace clmali::model {

class CallSummaryBuilder {
public:
  CallSummaryBuilder(clang::ASTContext &Ctx, const HostFlow &Flow, HostLoops &Loops,
                     HostPasses &Passes)
      : Ctx(Ctx), Flow(Flow), Loops(Loops), Passes(Passes) {}
  /// Adds functions and call sites; before API calls are added.
  void begin(CallSummary &O);
  uint32_t indexOf(const clang::FunctionDecl *F) const;
  HostName nameOf(const clang::Expr *Call) const;
  /// The call, or the head of the loop, names devices.
  bool namesDevices(const clang::Stmt *Call, const clang::Stmt *Loop) const;

  /// The text of one of the summary's files.
  std::optional<std::string> text(llvm::StringRef File) const;

private:
  clang::ASTContext &Ctx;
  const HostFlow &Flow;
  HostLoops &Loops;
  HostPasses &Passes;
  llvm::DenseMap<const clang::FunctionDecl *, uint32_t> Indices; ///< of definitions
  llvm::StringMap<std::pair<uint32_t, clang::FileID>> Files;
  mutable llvm::DenseMap<const clang::FunctionDecl *, HostName> Names;

  HostName nameOf(const clang::FunctionDecl *F, std::optional<unsigned> Given) const;
  std::string locationOf(const clang::Decl *D) const;
};

} // namespace clmali::model
#endif
