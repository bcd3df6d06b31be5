//===-- checks/model/analysis/Analysis.h - Queries over a kernel ---------*- C++ -*-===//
//
// The analyses over the model, computed once for a kernel and cached:
// definitions and loops, uniformity, affine (polynomial) index, value ranges,
// memory accesses with their guards, conflicts between work-items.
//
// A KernelAnalysis describes the kernel as it is when the analysis is made; after
// a change of the kernel make a new one. Expressions are immutable and may be
// shared by several statements (cloneStmts does that): then At says which one is
// meant. Without At, a variable that has several values in these statements is
// an unknown that equals nothing.
//
//===----------------------------------------------------------------------===//

#ifndef CLMALI_CHECKS_MODEL_ANALYSIS_ANALYSIS_H
#define CLMALI_CHECKS_MODEL_ANALYSIS_ANALYSIS_H

#include "checks/model/ir/Model.h"
#include "checks/model/ir/Poly.h"
#include "checks/model/ir/Range.h"
#include "checks/model/ir/Simplify.h"
#include <map>

namespace clmali::model {

//===----------------------------------------------------------------------===//
// Uniformity
//===----------------------------------------------------------------------===//

/// Along which work-item dimensions a value may differ between the work-items
/// of a launch: bit d for global/local id of dimension d. Group bits: it may
/// differ between work-groups only (get_group_id).
struct Variation {
  uint8_t Item = 0;  ///< bit d: differs between neighbours in dimension d
  uint8_t Group = 0; ///< bit d: differs between groups in dimension d, not within one
  bool Data = false; ///< through a loaded value, an atomic's result or something opaque
  bool uniform() const { return !Item; } ///< the same in a work-group
  bool uniformInLaunch() const { return !Item && !Group; }
  Variation operator|(const Variation &O) const {
    return {uint8_t(Item | O.Item), uint8_t(Group | O.Group), Data || O.Data};
  }
};

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

/// `for (V = Lower; V < Bound; V += Step)` in any of its spellings, V not
/// otherwise assigned in the loop.
struct CountedLoop {
  Var *V = nullptr;
  const Expr *Lower = nullptr;
  const Expr *Bound = nullptr; ///< trips go on while V Compare Bound; invariant in the loop
  Op Compare = Op::LT;
  int64_t Step = 0;                 ///< constant; 0: StepExpr
  const Expr *StepExpr = nullptr;   ///< uniform in the loop (grid-stride loops)
  std::optional<int64_t> TripCount; ///< where constant
};

//===----------------------------------------------------------------------===//
// Accesses
//===----------------------------------------------------------------------===//

/// A condition that holds where a statement runs.
struct Guard {
  const Expr *Cond = nullptr;
  bool Holds = true;        ///< false: its negation holds
  const Stmt *At = nullptr; ///< the statement that evaluates Cond, where it matters
};

struct AccessSite {
  const Access *A = nullptr;
  const Stmt *S = nullptr;    ///< the statement that executes it
  const Expr *Load = nullptr; ///< null: it is a store, atomic or copy
  bool IsWrite = false, IsRead = false, IsAtomic = false;
  bool Conditional = false;        ///< inside ?:, && or || of its own statement
  std::vector<const Stmt *> Loops; ///< outermost first
  std::vector<Guard> Guards;       ///< outermost first
  unsigned Interval = 0; ///< barrier interval: accesses with equal numbers may run concurrently;
                         ///< intervals that a loop's back edge connects are one
  Poly Bytes;            ///< address in bytes from Base
  bool Affine = false;   ///< Bytes is a polynomial without data-dependent atoms
};

enum class Conflict : uint8_t {
  No,   ///< proved: no two work-items touch a common byte
  May,  ///< not known
  Must, ///< proved: for some launch that the guards allow, two work-items do
};

/// What a tile of neighbouring work-items accesses of one object.
struct Footprint {
  uint64_t Items = 1;    ///< in the tile
  uint64_t Accesses = 0; ///< of one work-item; loops of known length unrolled
  int64_t PerItem = 0;   ///< distinct bytes that one work-item touches
  int64_t PerTile = 0;   ///< distinct bytes that the tile touches
  bool Exact =
      true; ///< false: an address moves by an unknown step; one trip or work-item represents it
  /// How many of the tile's work-items use one byte, on average.
  double reuse() const { return PerTile ? double(PerItem) * double(Items) / double(PerTile) : 0; }
};

//===----------------------------------------------------------------------===//
// The analysis of one kernel
//===----------------------------------------------------------------------===//

struct ConflictResult; // conflict/ConflictReason.h

struct SymbolInfo {
  enum Kind : uint8_t {
    WorkItem,  ///< E is the query
    Param,     ///< E is the reference
    LoopVar,   ///< variable of a counted loop
    Iteration, ///< number of the trip of a counted loop, from 0 (E is null); used for variables
               ///< whose start differs between work-items
    Atom,      ///< anything else that is integer: x / 3, a loaded value, a variable with several
               ///< definitions
  };
  Kind K = Atom;
  const Expr *E = nullptr;
  const Stmt *Loop = nullptr; ///< LoopVar
  Variation Varies;
  Range R;
};

/// Whether ids that a kernel keeps in variables of 16 bits are taken to fit them. Rules may assume
/// it: a larger launch is another error. Rewriters may not.
enum class NarrowIds : bool { MayWrap, Fit };

class KernelAnalysis {
public:
  KernelAnalysis(Module &M, const Kernel &K, NarrowIds Ids = NarrowIds::MayWrap);
  ~KernelAnalysis();

  const Kernel &kernel() const;

  /// The one definition of V: its Decl or Assign, if V has exactly one that
  /// gives a value (and no component assignments); else null.
  const Stmt *singleDef(const Var *V) const;
  /// All statements that give V a value.
  llvm::ArrayRef<const Stmt *> defs(const Var *V) const;

  /// The statement around S; null: S is in the kernel's body.
  const Stmt *parentOf(const Stmt *S) const;
  /// The loops around S, outermost first.
  std::vector<const Stmt *> loopsOf(const Stmt *S) const;

  std::optional<CountedLoop> countedLoop(const Stmt *Loop) const;
  /// An upper bound of the loop's trip count, where it is a constant.
  std::optional<int64_t> mostTrips(const Stmt *Loop) const;

  /// True if E, computed at At, has the same value in each iteration of Loop. Loads are invariant
  /// if no store in the loop may change them.
  bool isLoopInvariant(const Expr *E, const Stmt *At, const Stmt *Loop) const;

  /// At: as for poly.
  Variation varies(const Expr *E, const Stmt *At = nullptr) const;
  Variation varies(const Var *V) const;
  /// Along which dimensions the work-items of a group may differ in whether they execute S.
  Variation controlOf(const Stmt *S) const;

  /// E, an integer expression, as a polynomial. Variables with one definition
  /// are replaced by it when that is valid at every use. Arithmetic of 32 and
  /// 64 bits is taken as not wrapping (as C promises for signed types; for
  /// unsigned and size_t this is the obligation that an index in bounds does
  /// not come from a wrap inside one vector); 8- and 16-bit truncations that
  /// value ranges do not prove harmless become atoms.
  /// At: the statement where E is computed; needed only for an expression that
  /// is no part of the kernel, or of several statements.
  Poly poly(const Expr *E, const Stmt *At = nullptr) const;
  Poly bytes(const Access &A, const Stmt *At = nullptr) const;
  /// "4*y*w + 8*get_global_id(0)", for messages and tests.
  std::string text(const Poly &P) const;
  unsigned symbolFor(const Expr *Atom) const;
  const SymbolInfo &symbol(unsigned S) const;
  unsigned numSymbols() const;
  /// The statement where an atom is computed, for poly's At. Null: its operands have one value.
  const Stmt *placeOf(unsigned S) const;

  /// How far (bytes) A moves from a work-item to its neighbour in dimension
  /// Dim: the coefficient of global id plus that of local id. nullopt: not
  /// affine in it. The polynomial's symbols are uniform along Dim.
  std::optional<Poly> stride(const Access &A, unsigned Dim) const;
  std::optional<Poly> stride(const Poly &Bytes, unsigned Dim) const;
  /// The dimension along which most global accesses are contiguous (stride of
  /// the element or of a small constant number of elements); nullopt: none.
  std::optional<unsigned> contiguousDimension() const;

  /// Values of E where it is computed, from types, definitions, loop bounds,
  /// clamps, constant tables and (At given) the guards of that statement.
  /// Sound for C's promotion, wrap-around and sign.
  Range range(const Expr *E, const Stmt *At = nullptr) const;
  Range range(const Var *V) const;

  llvm::ArrayRef<AccessSite> accesses() const;
  /// The loops, guards and barrier interval of S, without an access.
  AccessSite siteOf(const Stmt *S) const;
  bool hasBarrier() const;

  /// Whether two different work-items may touch a common byte through A and B
  /// (one of them writing) concurrently. Different bases are assumed not to
  /// overlap here.
  Conflict conflict(const AccessSite &A, const AccessSite &B) const;
  /// The same with the reason (conflict/ConflictReason.h).
  ConflictResult conflictReason(const AccessSite &A, const AccessSite &B) const;

  /// What Tile[0] x Tile[1] x Tile[2] neighbouring work-items read (or write)
  /// of Base. A row: {16, 1, 1}.
  Footprint footprint(const Var *Base, bool Writes, std::array<unsigned, 3> Tile) const;

  /// The bytes of B's access lie behind/before A's by a constant, if they do.
  std::optional<int64_t> distance(const Access &A, const Access &B) const;
  std::optional<int64_t> distance(const AccessSite &A, const AccessSite &B) const;

  struct Impl; ///< AnalysisImpl.h, for the analyses themselves

private:
  std::unique_ptr<Impl> I;
};

/// Splits each variable into its live ranges (definitions that share a use), so
/// that a variable reused for several values becomes several with one definition
/// each where possible. Semantics unchanged; the printer joins them again.
void splitLiveRanges(Module &M, Kernel &K);

} // namespace clmali::model
#endif
