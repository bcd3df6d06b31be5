//===-- checks/model/ir/Traversal.h - Ranges over statements and expressions -*- C++ -*-===//
//
// The one way to visit a kernel:
//
//   for (Stmt *S : stmts(K.Body))          every statement, nested ones included
//   for (ExprAt X : exprs(K.Body))         every expression, with the statement that holds it
//   for (ExprAt X : exprs(*S))             those that S itself holds, not those of nested
//   statements for (ExprAt X : exprs(E))              E and everything below
//
// All ranges are in preorder and lazy: `break` ends the visit. A statement's own expressions come
// before its nested statements. The kernel must not change during the visit; a pass that edits
// while it visits uses walk() of Model.h.
//
//===----------------------------------------------------------------------===//

#ifndef CLMALI_CHECKS_MODEL_IR_TRAVERSAL_H
#define CLMALI_CHECKS_MODEL_IR_TRAVERSAL_H

#include "checks/model/ir/Model.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/iterator.h"
#include "llvm/ADT/iterator_range.h"

namespace clmali::model {

/// An expression and the statement that holds it (null: it was visited without one).
struct ExprAt {
  const Expr *E = nullptr;
  Stmt *S = nullptr;
  const Expr *operator->() const { return E; }
};

class StmtIterator
    : public llvm::iterator_facade_base<StmtIterator, std::forward_iterator_tag, Stmt *,
                                        std::ptrdiff_t, Stmt *const *, Stmt *> {
public:
  StmtIterator() = default;
  explicit StmtIterator(const StmtList &B) { push(B); }
  Stmt *operator*() const { return Pending.back(); }
  StmtIterator &operator++();
  /// The next step leaves out the statements nested in the current one.
  void skipNested() { Skip = true; }
  bool operator==(const StmtIterator &O) const {
    return Pending.size() == O.Pending.size() &&
           (Pending.empty() || Pending.back() == O.Pending.back());
  }

private:
  void push(const StmtList &B);
  llvm::SmallVector<Stmt *, 16> Pending; ///< the current one last
  bool Skip = false;
};

class ExprIterator
    : public llvm::iterator_facade_base<ExprIterator, std::forward_iterator_tag, ExprAt,
                                        std::ptrdiff_t, const ExprAt *, ExprAt> {
public:
  ExprIterator() = default;
  /// E and below, held by S.
  ExprIterator(const Expr *E, Stmt *S);
  /// Of S itself.
  explicit ExprIterator(Stmt &S);
  /// Of all statements in B.
  explicit ExprIterator(const StmtList &B);
  ExprAt operator*() const { return {Pending.back(), S}; }
  ExprIterator &operator++();
  /// The next step leaves out the operands of the current expression.
  void skipOperands() { Skip = true; }
  bool operator==(const ExprIterator &O) const {
    return Pending.size() == O.Pending.size() &&
           (Pending.empty() || (Pending.back() == O.Pending.back() && S == O.S));
  }

private:
  void push(Stmt *Of);
  void settle();
  llvm::SmallVector<const Expr *, 16> Pending; ///< the current one last
  Stmt *S = nullptr;
  StmtIterator Rest; ///< statements not begun, S first
  bool Skip = false;
};

using StmtRange = llvm::iterator_range<StmtIterator>;
using ExprRange = llvm::iterator_range<ExprIterator>;

inline StmtRange stmts(const StmtList &B) { return {StmtIterator(B), StmtIterator()}; }
inline ExprRange exprs(const StmtList &B) { return {ExprIterator(B), ExprIterator()}; }
inline ExprRange exprs(const Stmt &S) {
  return {ExprIterator(const_cast<Stmt &>(S)), ExprIterator()};
}
inline ExprRange exprs(const Expr *E, Stmt *S = nullptr) {
  return {ExprIterator(E, S), ExprIterator()};
}

/// The position of each statement: its parent and its list. A snapshot; make a new one after an
/// edit.
class StmtTree {
public:
  struct Position {
    Stmt *Parent = nullptr;   ///< null: the kernel's body
    StmtList *List = nullptr; ///< the list that holds it
    size_t Index = 0;         ///< in List
  };
  explicit StmtTree(Kernel &K) : StmtTree(K.Body) {}
  explicit StmtTree(StmtList &Body) { add(Body, nullptr); }
  bool contains(const Stmt *S) const { return Positions.contains(S); }
  /// All null where S is not of the kernel.
  Position positionOf(const Stmt *S) const { return Positions.lookup(S); }
  Stmt *parentOf(const Stmt *S) const { return Positions.lookup(S).Parent; }
  /// The statements around S, innermost first.
  llvm::SmallVector<Stmt *, 8> ancestorsOf(const Stmt *S) const;
  /// The loops around S, outermost first.
  llvm::SmallVector<Stmt *, 4> loopsOf(const Stmt *S) const;
  bool isInside(const Stmt *S, const Stmt *Ancestor) const;

private:
  void add(StmtList &B, Stmt *Parent);
  llvm::DenseMap<const Stmt *, Position> Positions;
};

/// Which work-item functions a kernel calls: for each query a set of dimensions, bit d for
/// dimension d.
struct NDRangeUse {
  std::array<uint8_t, 8> Dims = {}; ///< by WorkItemQuery

  static NDRangeUse of(const StmtList &B);
  static NDRangeUse of(const Kernel &K) { return of(K.Body); }
  static NDRangeUse of(const Expr *E);
  uint8_t operator[](WorkItemQuery Q) const { return Dims[static_cast<size_t>(Q)]; }
  bool uses(WorkItemQuery Q) const { return (*this)[Q] != 0; }
  void add(const Expr &E);
  NDRangeUse operator|(const NDRangeUse &O) const;
  /// True if the groups of a launch matter: local or group ids, or their numbers, occur.
  bool usesGroups() const;
  /// Dimensions of any id: global, local or group.
  uint8_t ids() const;
  /// Dimensions of ids that differ within a work-group: global or local.
  uint8_t itemIds() const;
  /// Dimensions named in any query.
  uint8_t any() const;
};

} // namespace clmali::model

#endif // CLMALI_CHECKS_MODEL_IR_TRAVERSAL_H
