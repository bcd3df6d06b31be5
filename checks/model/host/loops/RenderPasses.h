//===-- checks/model/host/loops/RenderPasses.h - Work with OpenGL ---------*- C++ -*-===//
//
// What the code around a call of OpenGL does in any case: whether a loop draws and reads its
// results back (a computation), or shows frames (graphics). Code under a condition does not count,
// except where both branches do the same.
//
//   for (i..) { glDrawArrays(..); if (key) save(); }   ofLoops(glDrawArrays)  GlDraws
//   glReadPixels(..);                                   around(glDrawArrays)  + GlReadsBack
//
//===----------------------------------------------------------------------===//
#ifndef CLMALI_CHECKS_MODEL_HOST_LOOPS_RENDERPASSES_H
#define CLMALI_CHECKS_MODEL_HOST_LOOPS_RENDERPASSES_H

#include "checks/model/host/GlEffect.h"
#include "checks/model/host/loops/Loops.h"

namespace clmali::model {

class HostPasses {
public:
  HostPasses(clang::ASTContext &Ctx, const HostFlow &Flow, const HostLoops &Loops)
      : Ctx(Ctx), Flow(Flow), Loops(Loops) {}
  /// What S does whenever it is executed, functions of the program that it calls included: bits of
  /// GlEffect.
  uint8_t always(const clang::Stmt *S, unsigned Depth = 0);
  /// What F does at each call.
  uint8_t ofFunction(const clang::FunctionDecl *F, unsigned Depth = 0);
  /// What is done before and after S in its function, whenever S is executed.
  uint8_t around(const clang::Stmt *S);
  /// What the loops around S in its function do in each iteration. Where they show no frames, also
  /// what is done whenever S is, if that draws and reads back: `if (frame) { draw(); read(); }`.
  uint8_t ofLoops(const clang::Stmt *S);
  /// S is executed whenever its function is, or the loop around it has another iteration.
  bool isUnconditional(const clang::Stmt *S) const;
  /// After Target, which selects the framebuffer, something is drawn before anything clears it: in
  /// the same iteration, or behind all calls of the function.
  bool drawsUncleared(const clang::Stmt *Target) { return next(Target, 0) == GlDraws; }
  /// F is a step of a computation for callers in other files: it, or a function of this file that
  /// calls it, draws and reads back, shows nothing, and has no caller itself.
  bool worksForCallers(const clang::FunctionDecl *F, unsigned Depth = 0);
  /// E is written in a loop around S: a size that differs from one iteration to the next.
  bool variesInLoop(const clang::Expr *E, const clang::Stmt *S) const;
  /// Pointer is certainly the address of memory of the host, and no offset in a buffer.
  bool isHostMemory(const clang::Expr *Pointer, unsigned Depth = 0) const;

private:
  clang::ASTContext &Ctx;
  const HostFlow &Flow;
  const HostLoops &Loops;
  // Results, by function and by block.
  llvm::DenseMap<const clang::FunctionDecl *, uint8_t> Functions, Firsts;
  llvm::DenseMap<const clang::Stmt *, uint8_t> Blocks;

  /// A read-back of a single pixel tests or picks.
  uint8_t ofCall(const clang::Stmt *Call) const;
  uint8_t compute(const clang::Stmt *S, unsigned Depth);
  /// The blocks around S, in Loop, that draw and read back; not under a condition on its counter.
  uint8_t ofBlocks(const clang::Stmt *S, const clang::Stmt *Loop);
  /// The first of GlClears, GlDraws and GlTargets in the order of execution; 0: none.
  uint8_t first(const clang::Stmt *S, unsigned Depth);
  /// The same for what is executed after S.
  uint8_t next(const clang::Stmt *S, unsigned Depth);
};

} // namespace clmali::model
#endif
