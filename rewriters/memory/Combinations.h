//===-- rewriters/memory/Combinations.h - What vectors combine -------*- C++ -*-===//
//
// Vectors of integers of a statement list as sums (with factors), minima or maxima of vectors that
// were loaded, however the source spells them:
//
//   s = a; s += 2 * b; t = s - (c << 1);      t: a + 2 b - 2 c
//
// and where these vectors lie: in which row of neighbouring elements, and at which shift.
//
//===----------------------------------------------------------------------===//
#ifndef CLMALI_REWRITERS_MEMORY_COMBINATIONS_H
#define CLMALI_REWRITERS_MEMORY_COMBINATIONS_H

#include "checks/model/ir/Model.h"
#include "rewriters/pass/EditedKernel.h"
#include "llvm/ADT/DenseMap.h"
#include <map>
#include <optional>

namespace clmali::rewrite {

using namespace model;

/// The address of lane 0 of a vector of neighbouring elements, and the statements that load them.
struct Place {
  const Var *Base = nullptr;
  Poly Bytes;
  size_t First = 0, Last = 0;
};

/// A vector of elements of one row, at a shift.
struct Leaf {
  unsigned Row;
  int64_t Shift;
  const Expr *Vector; ///< a variable
  size_t At;          ///< where it is declared
  size_t FirstLoad, LastLoad;
};

/// Neighbouring elements of a buffer. Offsets in elements.
struct Row {
  const Var *Base;
  Poly Start; ///< bytes; no constant term
  int64_t Size, First, Origin;
};

/// What an expression combines: a sum with factors, or a minimum or maximum of those present.
struct Form {
  std::map<unsigned, int64_t> Of; ///< leaf: factor
  int64_t Constant = 0;
  llvm::SmallVector<const Expr *, 2> Others; ///< of min and max
  llvm::StringRef Name;                      ///< "min", "max"; empty: a sum
};

/// "min" or "max" if that is what E calls; else empty.
llvm::StringRef extremumOf(const Expr *E);
/// The constant that all lanes of E have.
std::optional<int64_t> constantLanes(const Expr *E);

class Combinations : protected KernelEditor {
public:
  explicit Combinations(const EditedKernel &E) : KernelEditor(E) {}
  /// Starts on another statement list; what was known of the last one is forgotten.
  void enter(StmtList &B);
  /// The definition of V, if it is declared in this list.
  const Stmt *definition(const Var *V) const;
  /// What the variable E, or the one that it is a copy of, is computed from.
  const Expr *valueOf(const Expr *E) const;
  /// What E of type Ty combines: a sum, or minima or maxima (Name). None: something else.
  std::optional<Form> form(const Expr *E, const Type *Ty, llvm::StringRef Name);
  /// True if F may be computed in any order.
  bool isSafe(const Form &F, const Type *Ty) const;

  StmtList *Here = nullptr;
  llvm::DenseMap<const Var *, size_t> DeclaredAt;
  std::vector<Leaf> Leaves;

private:
  std::vector<Row> Rows;
  std::map<std::pair<const Var *, std::string>, std::optional<Form>> Known;

  bool stays(const Expr *E) const;
  std::optional<Place> place(const Expr *E, unsigned Depth = 0) const;
  std::optional<unsigned> leaf(const Expr *E, const Type *Ty);
  std::optional<Form> sum(const Expr *E, const Type *Ty);
  std::optional<Form> extremum(const Expr *E, const Type *Ty, llvm::StringRef Name);
};

} // namespace clmali::rewrite
#endif
