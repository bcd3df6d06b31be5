//===-- rewriters/print/KernelPrinter.h - Inside Print.cpp and Control.cpp -----===//
#ifndef CLMALI_REWRITERS_PRINT_KERNELPRINTER_H
#define CLMALI_REWRITERS_PRINT_KERNELPRINTER_H

#include "rewriters/print/Printer.h"

namespace clmali::rewrite {

using namespace model;

/// A loop over the work-items of a block along one dimension: for (c = 0; c < Count; ++c) with
/// `Item = First + c;` in its body.
struct ItemLoop {
  const Stmt *Loop = nullptr;
  const Var *Counter = nullptr;
  int64_t Count = 0;
  const Stmt *Item = nullptr; ///< the declaration
  const Expr *First = nullptr;
  std::vector<const Expr *> While; ///< guards of the items that end the loop
};

class KernelPrinter {
public:
  KernelPrinter(const Module &M, const Kernel &K, bool Faithful)
      : M(M), K(K), Macros(M), L(layOut(K, M, Macros, Faithful)),
        Print(
            &M, &Macros, [this](const Var *V) { return nameOf(V); }, Faithful, &L.Inline, K.Name),
        Faithful(Faithful) {
    llvm::DenseSet<const Var *> Waiting;
    followEvents(K.Body, Waiting);
  }

  std::string body() {
    declareTypes();
    unusedNow();
    block(K.Body, /*Tail=*/true);
    flushComments();
    return std::move(Out);
  }
  /// Functions that the text of the body calls.
  std::string helpers() const { return Print.helpers(); }
  std::string signature() const { return signatureText(M, K, Macros); }

private:
  std::string nameOf(const Var *V) const {
    auto It = L.Name.find(V);
    return It == L.Name.end() ? V->Name : It->second;
  }
  void line(const llvm::Twine &T) { Out += (T + "\n").str(); }
  void flushComments() {
    for (const std::string &C : Pending)
      line(C);
    Pending.clear();
  }
  void declareTypes();
  void unusedNow();
  void block(const StmtList &B, bool Tail);
  void braced(const StmtList &B, bool Tail = false);
  bool spacedFrom(const Stmt *Before, const Stmt *S) const;
  void stmt(const Stmt *S, bool Tail, bool Last, const StmtList &B);
  // Control.cpp
  void ifStmt(const Stmt *S, bool Tail);
  void loop(const Stmt *S);
  bool itemLoops(const Stmt *S);
  bool matchItems(const Stmt *S, std::vector<ItemLoop> &Nest, const StmtList *&Rest) const;
  bool splitGuard(const Stmt *If, std::vector<ItemLoop> &Nest,
                  llvm::SmallVectorImpl<const Expr *> &Kept) const;
  bool startsAtId(const Var *V) const;
  bool isInvariant(const Expr *E, llvm::ArrayRef<ItemLoop> Nest) const;
  bool prints(const Stmt *S) const { return !L.Skip.contains(S) || L.Before.count(S); }
  bool empty(const StmtList &B) const {
    return llvm::none_of(B, [&](const Stmt *S) { return prints(S) || !S->Comments.empty(); });
  }
  const Stmt *only(const StmtList &B) const;
  bool isPlain(const StmtList &B) const;
  bool needsNoBraces(const StmtList &B) const;
  void declare(const Stmt *S);
  std::string typeOf(const Var *V) const;
  std::string declarator(const Var *V) const;
  bool lengthIs(llvm::StringRef Text, uint64_t Count) const;
  std::string declaration(const Var *V) const { return typeOf(V) + " " + declarator(V); }
  std::string assignment(const std::string &LValue, CType Ty, const Expr *E) const;
  std::optional<std::string> expression(const Stmt *S) const;
  bool bothResults(const Stmt *A, const Stmt *B);
  bool takesSecondResult(const Stmt *S) const;
  std::optional<std::string> headInit(const StmtList &B) const;
  std::optional<std::string> headStep(const StmtList &B) const;
  std::string target(const Stmt *S) const;
  std::string sourceText(SourceRange R) const { return rewrite::sourceText(M, R); }
  std::string waitText(const Stmt *S) const;
  void followEvents(const StmtList &B, llvm::DenseSet<const Var *> &Waiting);

  const Module &M;
  const Kernel &K;
  MacroTable Macros;
  Layout L;
  ExprPrinter Print;
  bool Faithful;
  std::string Out;
  llvm::DenseMap<const Type *, std::string> LocalTypes; ///< declared in the text
  size_t Declared = 0;      ///< where Out ends with a declaration that another one may join
  std::string DeclaredType; ///< of that declaration
  std::vector<std::string> Pending;
  std::vector<const Var *> Events;
  llvm::DenseSet<const Stmt *> Joined; ///< copies that share an event
  std::vector<const StmtList *> Steps; ///< of the loops around: what `continue` must run first
};

} // namespace clmali::rewrite
#endif
