//===-- checks/model/host/values/Flow.h - Where host variables are written -*- C++ -*-===//
//
// Who writes to the variables of a host program, and which of these writes can be
// what a place reads. Bodies are structured, so the question is answered by walking
// up and back from the place, without a control flow graph.
//
//   size_t g = 1024;              // Start
//   if (argc > 1) g = atoi(..);   // reaches, perhaps
//   g = roundUp(g, 64);           // always reaches: the one that counts
//   launch(&g);
//
// Limits: one translation unit; what is written through a pointer is not seen, a
// variable whose address is kept somewhere has no known value.
//
//===----------------------------------------------------------------------===//
#ifndef CLMALI_CHECKS_MODEL_HOST_VALUES_FLOW_H
#define CLMALI_CHECKS_MODEL_HOST_VALUES_FLOW_H

#include "checks/model/host/values/HostAst.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"
#include <optional>
#include <vector>

namespace clmali::model {

struct HostWrite {
  enum Kind : uint8_t {
    Start,    ///< a declaration; Value is null where it has no initialiser
    Assign,   ///< = Value
    Compound, ///< Op= Value
    Step,     ///< ++ or --
    Format,   ///< sprintf, strcpy: Value is the call
    Append,   ///< +=, <<, append, strcat: Value is what is added
    Unknown,  ///< a function that may write to it
  };
  Kind K = Unknown;
  const clang::Stmt *At = nullptr; ///< null: outside of functions
  const clang::Expr *Value = nullptr;
  std::optional<uint64_t> Element; ///< of an array; none: all of it
  clang::BinaryOperatorKind Op = clang::BO_Assign;
};

class HostFlow {
public:
  explicit HostFlow(clang::ASTContext &Ctx) : Ctx(Ctx) {}
  /// Collects the writes and calls of D and all below it.
  void collect(clang::Decl *D);

  /// In source order.
  llvm::ArrayRef<HostWrite> writes(const clang::ValueDecl *D) const;
  /// Its address is kept: anybody could write to it.
  bool escapes(const clang::ValueDecl *D) const { return Escaped.contains(D); }

  /// Writes that may be what Use reads.
  struct Reach {
    const HostWrite *Must = nullptr; ///< no later one is between it and Use on any way
    llvm::SmallVector<const HostWrite *, 4> May;
    bool Entry = false; ///< or what D held when the function was called
  };
  /// Condition: the value of a condition, where known.
  Reach reach(const clang::ValueDecl *D, std::optional<uint64_t> Element, const clang::Stmt *Use,
              llvm::function_ref<std::optional<bool>(const clang::Expr *)> Condition) const;

  const clang::Stmt *parent(const clang::Stmt *S) const { return Parents.lookup(S); }
  bool isInside(const clang::Stmt *S, const clang::Stmt *Outer) const;
  /// Whose body (or lambda) S stands in; null: none.
  const clang::FunctionDecl *functionOf(const clang::Stmt *S) const;
  /// The innermost loop around S in its function; `do .. while (0)` is none. Of a lambda that
  /// std::for_each or the like is given, that call.
  const clang::Stmt *loopAround(const clang::Stmt *S) const;
  bool isLoop(const clang::Stmt *S) const;
  /// Calls of F in the user's files.
  llvm::ArrayRef<const clang::CallExpr *> callsOf(const clang::FunctionDecl *F) const;
  /// The definitions that a call of F may run: its own, and those of methods that override it.
  llvm::SmallVector<const clang::FunctionDecl *, 4> bodiesOf(const clang::FunctionDecl *F) const;
  /// The same of a call, which may name a function whose class is missing.
  llvm::SmallVector<const clang::FunctionDecl *, 4> bodiesOf(const clang::CallExpr *C) const;
  /// Where the user's files run F: calls, of a constructor what makes an object by it, of a method
  /// that overrides another one the calls of that, too.
  llvm::SmallVector<const clang::Expr *, 8> runsOf(const clang::FunctionDecl *F) const;
  /// All functions of the user's files that have a body, lambdas among them, in the order of the
  /// source.
  std::vector<const clang::FunctionDecl *> functions() const;
  /// Calls each place that runs a function, and the function, as runsOf would find it.
  void
  forEachRun(llvm::function_ref<void(const clang::FunctionDecl *, const clang::Expr *)> Then) const;
  /// Calls each place that calls a name of what is missing.
  void forEachGuessed(llvm::function_ref<void(llvm::StringRef, const clang::Expr *)> Then) const;
  /// Is work enqueued on the variable or field D somewhere?
  bool isQueue(const clang::ValueDecl *D) const { return D && Queues.contains(D); }
  /// Does E, or what decides whether it is evaluated, speak of the command line or other input?
  bool isInput(const clang::Stmt *E) const;

private:
  friend class FlowCollector;
  clang::ASTContext &Ctx;
  llvm::DenseMap<const clang::ValueDecl *, std::vector<HostWrite>> Written;
  llvm::DenseSet<const clang::ValueDecl *> Escaped, Queues;
  llvm::DenseMap<const clang::Stmt *, const clang::Stmt *> Parents;
  llvm::DenseMap<const clang::Stmt *, const clang::FunctionDecl *> Bodies;
  llvm::DenseMap<const clang::FunctionDecl *, std::vector<const clang::CallExpr *>> Calls;
  llvm::DenseMap<const clang::FunctionDecl *, std::vector<const clang::Expr *>> Constructions;
  llvm::DenseMap<const clang::FunctionDecl *, std::vector<const clang::FunctionDecl *>> Overriders;
  llvm::StringMap<std::vector<const clang::Expr *>> GuessedCalls;
  llvm::StringMap<std::vector<const clang::FunctionDecl *>> Defined; ///< functions of the main file
};

} // namespace clmali::model
#endif
