//===-- checks/model/host/values/Flow.h - Writes to host variables -------*- C++ -*-===//
//
// The writes to the variables of a host program, and the reaching definitions of a use. Bodies are
// structured, so that these are found by walking up and back from the use, without a control flow
// graph.
//
//   size_t g = 1024;              // Start
//   if (argc > 1) g = atoi(..);   // may reach
//   g = roundUp(g, 64);           // must reach
//   launch(&g);
//
// Limits: one translation unit; writes through pointers are not seen, so that a variable whose
// address is stored has no known value.
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
    Append,   ///< +=, <<, append, strcat: Value is the added text
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
  /// The address of D is stored: any function may write to it.
  bool escapes(const clang::ValueDecl *D) const { return Escaped.contains(D); }

  /// Writes that may be what Use reads.
  struct Reach {
    const HostWrite *Must = nullptr; ///< no path from it to Use has another certain write
    llvm::SmallVector<const HostWrite *, 4> May;
    bool Entry = false; ///< the value at the entry of the function may reach
  };
  /// The writes to D (or an element of it) that reach Use. Condition: returns the value of a
  /// condition, where known.
  Reach reach(const clang::ValueDecl *D, std::optional<uint64_t> Element, const clang::Stmt *Use,
              llvm::function_ref<std::optional<bool>(const clang::Expr *)> Condition) const;

  const clang::Stmt *parent(const clang::Stmt *S) const { return Parents.lookup(S); }
  bool isInside(const clang::Stmt *S, const clang::Stmt *Outer) const;
  /// The function or lambda around S; null: none.
  const clang::FunctionDecl *functionOf(const clang::Stmt *S) const;
  /// The innermost loop around S in its function; `do .. while (0)` is none. For a lambda that is
  /// an argument of std::for_each or similar functions, that call.
  const clang::Stmt *loopAround(const clang::Stmt *S) const;
  bool isLoop(const clang::Stmt *S) const;
  /// Calls of F in the user's files.
  llvm::ArrayRef<const clang::CallExpr *> callsOf(const clang::FunctionDecl *F) const;
  /// The definitions that a call of F may run: its own, and overriding methods.
  llvm::SmallVector<const clang::FunctionDecl *, 4> bodiesOf(const clang::FunctionDecl *F) const;
  /// The same for a call, which may be of a function whose class is missing.
  llvm::SmallVector<const clang::FunctionDecl *, 4> bodiesOf(const clang::CallExpr *C) const;
  /// The expressions in the user's files that run F: calls, of a constructor the objects made by
  /// it, of an overriding method also the calls of the base's.
  llvm::SmallVector<const clang::Expr *, 8> runsOf(const clang::FunctionDecl *F) const;
  /// All functions of the user's files that have a body, lambdas among them, in the order of the
  /// source.
  std::vector<const clang::FunctionDecl *> functions() const;
  /// Visits all calls and constructions, with the functions that they run.
  void
  forEachRun(llvm::function_ref<void(const clang::FunctionDecl *, const clang::Expr *)> Then) const;
  /// Visits the calls of names of MissingNamesFile.
  void
  forEachMissingCall(llvm::function_ref<void(llvm::StringRef, const clang::Expr *)> Then) const;
  /// The file enqueues work on the variable or field D.
  bool isQueue(const clang::ValueDecl *D) const { return D && Queues.contains(D); }
  /// E, or a condition under which it is evaluated, reads the command line or other input.
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
  llvm::StringMap<std::vector<const clang::Expr *>> MissingCalls;
  llvm::StringMap<std::vector<const clang::FunctionDecl *>> Defined; ///< functions of the main file
};

} // namespace clmali::model
#endif
