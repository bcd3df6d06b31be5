//===-- checks/model/host/summary/CallSummaryBuilder.h - A file's outline from its AST -*- C++
//-*-===//
#ifndef CLMALI_CHECKS_MODEL_HOST_SUMMARY_CALLSUMMARYBUILDER_H
#define CLMALI_CHECKS_MODEL_HOST_SUMMARY_CALLSUMMARYBUILDER_H

#include "checks/model/host/loops/Loops.h"
#include "checks/model/host/summary/CallSummary.h"
#include "clang/Basic/SourceLocation.h"

namespace clmali::model {

class CallSummaryBuilder {
public:
  CallSummaryBuilder(clang::ASTContext &Ctx, const HostFlow &Flow, HostLoops &Loops)
      : Ctx(Ctx), Flow(Flow), Loops(Loops) {}
  /// Functions and runs; before calls are added.
  void begin(CallSummary &O);
  uint32_t indexOf(const clang::FunctionDecl *F) const;
  HostName nameOf(const clang::Expr *Call) const;
  /// Do the call, or what is said of the loop in front of its body, speak of devices?
  bool speaksOfDevices(const clang::Stmt *Call, const clang::Stmt *Loop) const;

  /// Of one of the outline's files.
  std::optional<std::string> text(llvm::StringRef File) const;

private:
  clang::ASTContext &Ctx;
  const HostFlow &Flow;
  HostLoops &Loops;
  llvm::DenseMap<const clang::FunctionDecl *, uint32_t> Indices; ///< of definitions
  llvm::StringMap<std::pair<uint32_t, clang::FileID>> Files;
  mutable llvm::DenseMap<const clang::FunctionDecl *, HostName> Names;

  HostName nameOf(const clang::FunctionDecl *F, std::optional<unsigned> Given) const;
  std::string place(const clang::Decl *D) const;
};

} // namespace clmali::model
#endif
