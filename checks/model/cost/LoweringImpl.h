//===-- checks/model/cost/LoweringImpl.h - Lowering by symbolic execution -*- C++ -*-===//
//
// Executes the kernel symbolically: each variable has the number of an operation, and an operation
// that exists already is not made again (value numbering by a hash of class, type and operands).
// For Lowering.cpp (operations, statements), LoweringValues.cpp (expressions) and
// LoweringMemory.cpp.
//
//===----------------------------------------------------------------------===//
#ifndef CLMALI_CHECKS_MODEL_COST_LOWERINGIMPL_H
#define CLMALI_CHECKS_MODEL_COST_LOWERINGIMPL_H

#include "checks/model/cost/Lowering.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include <map>

namespace clmali::model {

/// Bits of an element in a register.
inline unsigned elementBits(const Type *Ty) {
  return Ty->Scalar == ScalarKind::Bool ? 32 : sizeInBits(Ty->Scalar);
}

class Lowering {
public:
  Lowering(const KernelAnalysis &A, const rules::DeviceFacts &D) : A(A), D(D) {
    auto Number = [&](llvm::StringRef Name, unsigned Default) {
      const rules::Fact *F = D.fact(Name);
      return F ? unsigned(F->Value) : Default;
    };
    UnrolledTrips = Number("unrolled-trips", 0);
    UnrolledOperations = Number("unrolled-operations", 0);
    HoistsInvariants = Number("hoists-invariants", 0);
    P.Regions.emplace_back();
  }

  Program run() {
    block(A.kernel().Body);
    markUsed();
    markNamed();
    return std::move(P);
  }

private:
  const KernelAnalysis &A;
  const rules::DeviceFacts &D;
  Program P;
  unsigned UnrolledTrips = 0, UnrolledOperations = 0;
  bool HoistsInvariants = false;
  unsigned Now = 0; ///< the present region
  const Stmt *At = nullptr;
  const Expr *Of = nullptr;                 ///< the present expression
  llvm::DenseMap<uint64_t, unsigned> Known; ///< operations by their hash
  std::vector<uint64_t> Added;              ///< their hashes in the order of addition
  llvm::DenseMap<const Var *, unsigned> Values;
  std::map<std::pair<const Var *, int64_t>, unsigned> Elements; ///< of private arrays
  /// Constants: integers and floating point.
  llvm::DenseMap<unsigned, int64_t> Ints;
  llvm::DenseMap<unsigned, double> Floats;
  llvm::DenseSet<unsigned> Ids; ///< work-item functions
  /// Operation N is Sums[N].first + Sums[N].second.
  llvm::DenseMap<unsigned, std::pair<unsigned, int64_t>> Sums;
  unsigned Epoch = 0; ///< changes with each store and barrier

  //--- Operations.

  /// The region, at most the present one, in which an operation with these operands is executed:
  /// outside of loops that do not change them.
  unsigned regionFor(const Operation &O) const;

  unsigned append(Operation O, bool Hoist);

  static uint64_t hash(const Operation &O, llvm::ArrayRef<uint64_t> More);

  /// The operation O; More tells apart operations that are equal otherwise.
  unsigned numbered(Operation O, llvm::ArrayRef<uint64_t> More = {});

  unsigned makeWide(OpClass C, const Type *Ty, unsigned Bits, llvm::ArrayRef<unsigned> Operands,
                    llvm::ArrayRef<uint64_t> More = {});
  unsigned make(OpClass C, const Type *Ty, llvm::ArrayRef<unsigned> Operands,
                llvm::ArrayRef<uint64_t> More = {});

  /// A value that equals no other one.
  unsigned fresh(const Type *Ty);

  unsigned integer(int64_t V, const Type *Ty);
  unsigned floating(double V, const Type *Ty);
  std::optional<int64_t> constant(unsigned N) const;
  bool isConstant(unsigned N) const { return Ints.contains(N) || Floats.contains(N); }

  bool isId(unsigned N) const { return Ids.contains(N); }

  /// N as a value and a constant that is added to it.
  std::pair<unsigned, int64_t> sum(unsigned N) const;
  unsigned plus(unsigned Value, int64_t Constant, const Type *Ty);

  //--- Expressions.

  /// x + 0, x * 1, x << 0; sums and multiples of sums with constants.
  std::optional<unsigned> simplified(const Expr *E, unsigned X, unsigned Y);

  static llvm::SmallVector<unsigned, 2> ordered(unsigned X, unsigned Y, bool Commutes);

  unsigned multiple(unsigned X, int64_t By, const Type *Ty);

  /// A constant, or a constant for all lanes.
  std::optional<int64_t> splatConstant(unsigned N) const;

  OpClass classOf(const Expr *E, unsigned Y) const;

  unsigned binary(const Expr *E);

  /// X within the limits of the type that E converts to, and rounded, where E says so.
  unsigned clamped(const Expr *E, unsigned X);

  unsigned cast(const Expr *E);

  /// N, a scalar of 64 bits, with what depends on its low 32 bits alone computed in 32 bits; none:
  /// something else takes part.
  std::optional<unsigned> inLowBits(unsigned N, const Type *Ty, unsigned Depth = 0);
  llvm::DenseMap<unsigned, int64_t> Shifts; ///< multiples by a constant, and that

  using Lanes = llvm::SmallVector<std::pair<unsigned, uint8_t>, 16>;

  /// Adds the lanes of operation N.
  void lanesOf(unsigned N, Lanes &Out) const;

  unsigned pack(const Type *Ty, const Lanes &From);

  unsigned swizzle(const Expr *E);

  unsigned construct(const Expr *E);

  unsigned call(const Expr *E);

  unsigned variable(const Var *V);

  unsigned value(const Expr *E);
  unsigned lowered(const Expr *E);

  //--- Memory.

  struct Location {
    llvm::SmallVector<unsigned, 2> Index; ///< without their constants
    llvm::SmallVector<uint64_t, 4> Key;   ///< object, strides
    int64_t Offset = 0;                   ///< bytes
  };

  Location locate(const Access &Acc);

  static bool isPrivate(const Access &Acc) { return Acc.Base->space() == AddressSpace::Private; }

  /// The address of an access: indices are extended to its width, scaled, and added to the object.
  unsigned address(const Access &Acc, const Location &L);
  static const Type *addressType();
  llvm::DenseMap<unsigned, int64_t> FirstOffset; ///< of the first access at an address

  unsigned load(const Expr *E);
  unsigned texel(const Expr *E);

  void effect(OpClass C, const Access *Acc, llvm::ArrayRef<unsigned> Operands);

  void store(const Stmt &S);

  std::optional<std::pair<unsigned, uint8_t>> element(const Access &Acc, int64_t Offset);
  void setElement(const Access &Acc, int64_t Offset, unsigned V);
  void forgetElements(const Var *Array);

  //--- Statements.

  void block(const StmtList &B);

  void assign(const Stmt &S);

  unsigned enter(Region::Kind K, double Times);
  /// What was computed inside the region is not known behind it.
  void leave(size_t AddedBefore);

  void path(const StmtList &B);

  void branch(const Stmt &S);

  /// Values where two paths meet. A variable that only one of them has set has its value.
  void join(const llvm::DenseMap<const Var *, unsigned> &Then,
            const std::map<std::pair<const Var *, int64_t>, unsigned> &ThenElements);

  /// Operations of the statements, as a compiler counts them before it unrolls a loop.
  double size(const StmtList &B) const;

  /// Iterations of a loop, where its bounds are constants at this point.
  std::optional<int64_t> constantTrips(const Stmt &S);
  bool isUnrolled(const Stmt &S, int64_t Trips) const;

  void loop(const Stmt &S);

  /// The elements of a private array that a loop sets.
  void carryElements(const Var *Array);

  void statement(const Stmt &S);

  /// Atomics, copies and calls.
  void other(const Stmt &S);

  //--- After all statements.

  void markUsed();

  /// A conversion of a lane takes it from any position of a register.
  void markNamed();
};

} // namespace clmali::model
#endif
