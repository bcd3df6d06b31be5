//===-- rewriters/print/LayoutMaker.h - Inside Names.cpp and Inline.cpp --------===//
#ifndef CLMALI_REWRITERS_PRINT_LAYOUTMAKER_H
#define CLMALI_REWRITERS_PRINT_LAYOUTMAKER_H

#include "rewriters/print/Printer.h"
#include "llvm/ADT/MapVector.h"

namespace clmali::rewrite {

using namespace model;

/// A half-open interval of statement positions.
struct Span {
  unsigned Begin = 0, End = 0;
  bool holds(unsigned P) const { return Begin <= P && P < End; }
  bool holds(const Span &O) const { return Begin <= O.Begin && O.End <= End; }
  bool overlaps(const Span &O) const { return Begin < O.End && O.Begin < End; }
};

struct BlockInfo {
  const StmtList *B = nullptr;
  Span Where;
  unsigned ScopeEnd = 0; ///< a loop's Init reaches to the end of the loop
  bool InHead = false;   ///< Init or Step of a loop
};

struct VarInfo {
  std::vector<unsigned> Refs; ///< positions, declarations not counted
  std::vector<const Stmt *> Decls;
  std::vector<Span> Scopes; ///< of the declarations, as printed
  bool Hoisted = false;
  bool Dropped = false;
};

inline bool samePlace(const SourceRange &A, const SourceRange &B) {
  return A.File == B.File && A.Begin == B.Begin && A.End == B.End;
}

class LayoutMaker {
public:
  LayoutMaker(const Kernel &K, const Module &M, const MacroTable &Macros, bool Faithful)
      : K(K), M(M), Macros(Macros), Faithful(Faithful) {}
  Layout run();

private:
  void number(const StmtList &B, bool InHead, unsigned *ScopeEnd = nullptr);
  void refer(const Expr *E, unsigned P);
  void refer(const Var *V, unsigned P) { Vars[V].Refs.push_back(P); }
  const BlockInfo &blockOf(const Stmt *S) const { return Blocks[BlockOf.lookup(S)]; }
  void scope(const Var *V, VarInfo &I);
  void hoist(const Var *V, VarInfo &I);
  void dropUnused();
  bool prints(const Stmt *S) const { return !L.Skip.contains(S) || L.Before.count(S); }
  bool delay(const Var *V, VarInfo &I);
  void join();
  void forward(const StmtList &B);
  void nameAll();
  std::string baseName(const Var *V) const;
  void inlineLoads(const StmtList &B);
  bool isInlinable(const Stmt *S);
  bool isReassigned(const Var *V);
  bool isFixed(const Expr *E);
  bool isShuffle(const Expr *E);
  std::vector<unsigned> usesOf(const Stmt *S);
  void inlineComponents(const StmtList &B);
  void inlineSteps(const StmtList &B);
  void inlined(const Stmt *S, llvm::ArrayRef<unsigned> Uses);
  void walkShown(const Expr *E, llvm::function_ref<void(const Expr *)> F) const;
  size_t shownLength(const Expr *E) const;
  void intoHeads(const StmtList &B);
  bool free(const std::string &N, llvm::ArrayRef<Span> Scopes) const;
  void take(const Var *V, const std::string &N, llvm::ArrayRef<Span> Scopes);

  const Kernel &K;
  const Module &M;
  const MacroTable &Macros;
  bool Faithful;
  Layout L;
  unsigned Next = 0;
  llvm::MapVector<const Var *, VarInfo> Vars;
  std::vector<BlockInfo> Blocks;
  llvm::DenseMap<const Stmt *, unsigned> BlockOf;
  llvm::DenseMap<const Stmt *, Span> SpanOf;
  llvm::StringSet<> Reserved;
  llvm::StringMap<std::vector<Span>> Taken;
  llvm::DenseMap<const Var *, const Var *> JoinedTo;
  llvm::DenseMap<const Var *, unsigned> Assignments; ///< other than by the declaration
};

/// True if E reads volatile memory, or is not known.
bool readsVolatile(const Expr *E);

} // namespace clmali::rewrite
#endif
