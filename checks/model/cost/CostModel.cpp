//===-- checks/model/cost/CostModel.cpp - What a kernel costs on a device ------===//
//
// Counts the operations of each statement as the device executes them, times how often the
// statement runs.
//
//===----------------------------------------------------------------------===//

#include "checks/model/cost/CostModel.h"
#include "checks/model/analysis/Analysis.h"
#include "checks/model/cost/Coalescing.h"
#include "checks/model/cost/Constants.h"
#include "checks/model/cost/Registers.h"
#include "checks/model/cost/TripCount.h"
#include "llvm/ADT/StringSet.h"
#include <algorithm>
#include <cmath>
#include <set>

namespace clmali::model {

double Cost::busiest() const { return std::max({Arithmetic, LoadStore, Texture}); }

llvm::StringRef Cost::bound() const {
  return Texture > std::max(Arithmetic, LoadStore) ? "T" : LoadStore >= Arithmetic ? "L/S" : "A";
}

namespace {

const Expr *withoutCasts(const Expr *E) {
  while (E->K == ExprKind::Cast)
    E = E->Ops[0];
  return E;
}

/// True if E is a constant, or a constant for all lanes of a vector.
bool isConstant(const Expr *E) {
  E = withoutCasts(E);
  return constantValue(E).has_value() || E->K == ExprKind::FloatConst;
}

bool isPowerOfTwo(const Expr *E) {
  std::optional<int64_t> V = constantValue(withoutCasts(E));
  return V && *V > 0 && (*V & (*V - 1)) == 0;
}

bool isLiteral(const Expr *E) { return E->K == ExprKind::IntConst || E->K == ExprKind::FloatConst; }

/// True if E needs no instruction as an index: a variable, a constant or an id.
bool isLeaf(const Expr *E) {
  E = withoutCasts(E);
  return E->K == ExprKind::VarRef || E->K == ExprKind::IntConst || E->K == ExprKind::WorkItem;
}

/// Built-ins that every GPU has as an instruction.
bool isInstruction(llvm::StringRef Name) {
  static const llvm::StringSet<> Names = {
      "min",   "max",   "fmin",    "fmax",     "fabs",     "abs",   "floor",     "ceil", "trunc",
      "rint",  "sign",  "select",  "copysign", "popcount", "clz",   "bitselect", "any",  "all",
      "isnan", "isinf", "signbit", "step",     "mul_hi",   "mul24", "rotate"};
  return Names.contains(Name);
}

/// The cost class of a function. Where the family's documents have none, that of the vendor that
/// published them: which functions are cheap hardly differs between GPUs.
rules::CostClass costClass(const rules::DeviceFacts &D, llvm::StringRef Name) {
  for (llvm::StringRef Prefix : {"native_", "half_"})
    if (Name.consume_front(Prefix))
      return rules::CostClass::Low;
  rules::CostClass C = D.functionCost(Name);
  for (const rules::DeviceFacts &F : rules::families())
    if (C == rules::CostClass::Unknown)
      C = F.functionCost(Name);
  return C;
}

class Counter {
public:
  Counter(const Kernel &K, const KernelAnalysis &A, const rules::DeviceFacts &D)
      : K(K), A(A), D(D) {}

  Cost run() {
    block(K.Body, 1);
    Cost C;
    RegisterUse Use = registers(A, D);
    C.Registers = std::ceil(Use.Values);
    C.Arithmetic = arithmetic(T);
    C.LoadStore = T.LoadStore;
    C.Branch = T.Branch / D.ArithmeticLanes;
    C.Stalls = T.Stalls;
    C.MemoryOps = T.MemoryOps;
    double Slower = occupancy(C, Use);
    // Where local memory is ordinary memory, nothing else runs while work-items wait at a barrier.
    if (Barriers && !D.LocalOnChip)
      Slower *= estimate::WithBarriers;
    double Memory = C.LoadStore + C.Stalls;
    C.Cycles =
        (std::max(C.Arithmetic, Memory) + estimate::NotOverlapped * std::min(C.Arithmetic, Memory) +
         C.Branch + estimate::WorkItemSetup / D.ArithmeticLanes) *
        Slower;
    return C;
  }

private:
  struct Totals {
    double Adds = 0, Muls = 0; ///< operations of the width of the unit
    double ScalarAdds = 0,
           ScalarMuls = 0; ///< those that the scalar units take, where there are any
    double Fixed = 0;      ///< cycles of divisions and functions
    double LoadStore = 0, Stalls = 0, Branch = 0, MemoryOps = 0;
  };
  const Kernel &K;
  const KernelAnalysis &A;
  const rules::DeviceFacts &D;
  Totals T;
  const Stmt *At = nullptr;
  bool Barriers = false;
  /// Polynomials of the addresses that are computed already, without their constants.
  std::set<std::map<Monomial, int64_t>> Addresses;

  /// Sets C.Threads and adds the accesses of spilled registers. Returns the factor by which the
  /// kernel is slower because fewer work-items are resident.
  double occupancy(Cost &C, const RegisterUse &Use) const {
    double Slower = 1;
    C.Threads = D.ThreadsFull;
    if (D.RegistersHalf && C.Registers > D.RegistersHalf) {
      Slower = estimate::WithQuarterOfThreads;
      C.Threads = D.ThreadsFull / 4;
    } else if (D.RegistersFull && C.Registers > D.RegistersFull) {
      Slower = estimate::WithHalfOfThreads;
      C.Threads = D.ThreadsFull / 2;
    }
    // What does not fit is stored and loaded again each time that the statement runs, and few
    // work-items are there to hide it.
    double Usable = estimate::UsableRegisters * D.RegistersQuarter;
    if (D.RegistersQuarter && C.Registers > Usable) {
      Slower *= std::max(1.0, C.Registers / D.RegistersQuarter);
      C.LoadStore += estimate::AccessesOfSpill * (C.Registers - Usable) * Use.Executions *
                     D.LoadStoreCycles *
                     std::max(1.0, double(D.RegisterBits) / std::max(1u, D.IdealAccessBits));
    }
    return Slower;
  }

  double arithmetic(const Totals &X) const {
    double Words = D.MultiplyBesideAdd ? std::max({X.Adds, X.Muls, X.ScalarAdds, X.ScalarMuls})
                                       : std::max(X.Adds + X.Muls, X.ScalarAdds + X.ScalarMuls);
    return (Words / std::max(1u, D.ArithmeticPerCycle) + X.Fixed) / D.ArithmeticLanes;
  }

  unsigned bits(const Type *Ty) const {
    return Ty->Scalar == ScalarKind::Bool ? 32 : sizeInBits(Ty->Scalar);
  }
  /// Count operations on values of type Ty.
  void add(const Type *Ty, double Count) { (isScalarUnit(Ty) ? T.ScalarAdds : T.Adds) += Count; }
  void multiply(const Type *Ty, double Count) {
    (isScalarUnit(Ty) ? T.ScalarMuls : T.Muls) += Count;
  }
  bool isScalarUnit(const Type *Ty) const { return D.ScalarBesideVector && !Ty->isVector(); }
  double operations(const Type *Ty) const {
    if (!Ty->isValue())
      return 1;
    return std::ceil(double(Ty->Lanes) / std::max(1u, D.arithmeticLanes(bits(Ty))));
  }

  //--- Memory.

  void access(const Access &Acc, double Times) {
    if (Acc.Base->space() == AddressSpace::Private)
      return;
    AccessCycles C = accessCycles(A, Acc, At, Times, D);
    T.LoadStore += C.Issue;
    T.Stalls += C.Stalls;
    T.MemoryOps += Times;
  }

  /// Constants fold into the access; an address that differs from another one only by a constant
  /// costs nothing more.
  void address(const Access &Acc, double Times) {
    if (Acc.Base->space() != AddressSpace::Private)
      T.Adds += Times * D.AddressOperations;
    for (const Expr *Ix : Acc.Index) {
      if (isLeaf(Ix))
        continue;
      Poly P = A.poly(Ix, At);
      P.Terms.erase(Monomial());
      // Loads in the index are executed in either case.
      bool Known = P.isZero() || !Addresses.insert(P.Terms).second;
      expression(Ix, Times, true, Known);
    }
  }

  //--- Vectors.

  /// The sum, over the registers of the result, of the source registers from which each takes its
  /// lanes. Lanes: the source lane of each result lane.
  double gathered(llvm::ArrayRef<uint8_t> Lanes, unsigned SourceBits, unsigned ResultBits) const {
    unsigned PerResult = std::max(1u, D.RegisterBits / ResultBits),
             PerSource = std::max(1u, D.RegisterBits / SourceBits);
    double Sum = 0;
    for (size_t I = 0; I < Lanes.size(); I += PerResult) {
      std::set<unsigned> From;
      for (uint8_t L : Lanes.slice(I, std::min<size_t>(PerResult, Lanes.size() - I)))
        From.insert(L / PerSource);
      Sum += From.size();
    }
    return Sum;
  }
  /// True if each lane is a register of its own: to choose lanes is to name registers.
  bool lanesAreRegisters(const Type *Ty) const { return bits(Ty) >= D.RegisterBits; }

  void swizzle(const Expr *E, double Times) {
    if (lanesAreRegisters(E->Ty))
      return;
    if (D.FreeSwizzles) {
      // Lanes of one register are swizzled on their way to the operation; two need a move.
      unsigned B = bits(E->Ty);
      double Results = std::ceil(double(E->Ty->Lanes) * B / D.RegisterBits);
      T.Adds += Times * std::max(0.0, gathered(E->LaneIdx, bits(E->Ops[0]->Ty), B) - Results);
      return;
    }
    add(E->Ops[0]->Ty, Times * (E->LaneIdx.size() == 1 ? 1.0
                                                       : estimate::LaneMove * operations(E->Ty) *
                                                             std::max(1u, D.ArithmeticPerCycle)));
  }

  void construct(const Expr *E, double Times) {
    if (lanesAreRegisters(E->Ty) || llvm::all_of(E->Ops, isLiteral))
      return;
    if (!D.FreeSwizzles) {
      T.Adds += Times * E->Ops.size();
      return;
    }
    // A move for each register from which a register of the result takes lanes.
    unsigned PerResult = std::max(1u, D.RegisterBits / bits(E->Ty)), Lane = 0;
    std::set<std::pair<unsigned, std::pair<const void *, unsigned>>> Moves;
    for (const Expr *Op : E->Ops) {
      const Expr *Source = Op;
      llvm::ArrayRef<uint8_t> Chosen;
      if (Op->K == ExprKind::Swizzle) {
        Source = Op->Ops[0];
        Chosen = Op->LaneIdx;
      }
      const void *Which = Source->K == ExprKind::VarRef ? static_cast<const void *>(Source->V) : Op;
      unsigned PerSource = std::max(1u, D.RegisterBits / bits(Source->Ty));
      for (unsigned I = 0; I < Op->Ty->Lanes; ++I, ++Lane)
        Moves.insert({Lane / PerResult, {Which, (Chosen.empty() ? I : Chosen[I]) / PerSource}});
    }
    T.Adds += Times * Moves.size();
  }

  void convert(const Expr *E, double Times) {
    const Type *To = E->Ty, *From = E->Ops[0]->Ty;
    if (E->C == CastOp::Splat || E->C == CastOp::Bitcast || isLiteral(E->Ops[0]))
      return;
    bool Kind = To->isFloat() != From->isFloat() || (To->isFloat() && To->Scalar != From->Scalar);
    if (!Kind && (D.FreeConversions || !To->isVector() || bits(To) == bits(From)))
      return;
    // Saturation is a clamp.
    double Each = 1 + (llvm::StringRef(E->Text).contains("sat") ? 1 : 0);
    add(To, Times * Each * operations(bits(To) > bits(From) ? To : From));
  }

  void call(const Expr *E, double Times) {
    llvm::StringRef Name = E->Name;
    double Ops = operations(E->Ty);
    if (Name == "mad" || Name == "fma" || Name == "mad24" || Name == "mad_hi" || Name == "mix" ||
        Name == "dot") {
      const Type *Ty = Name == "dot" ? E->Ops[0]->Ty : E->Ty;
      add(Ty, Times * operations(Ty));
      multiply(Ty, Times * operations(Ty));
    } else if (Name == "clamp") {
      add(E->Ty, Times * 2 * Ops);
    } else if (Name == "mul24" || Name == "mul_hi") {
      multiply(E->Ty, Times * Ops);
    } else if (isInstruction(Name)) {
      add(E->Ty, Times * Ops);
    } else if (rules::CostClass Class = costClass(D, Name); Class != rules::CostClass::Unknown) {
      T.Fixed += Times * D.specialCycles(Class) *
                 (D.SpecialIsScalar ? E->Ty->Lanes : Ops / std::max(1u, D.ArithmeticPerCycle));
    } else {
      add(E->Ty, Times * Ops);
    }
  }

  //--- Expressions and statements.

  void binary(const Expr *E, double Times, bool Address) {
    if (E->Ty->isInteger() && (E->O == Op::Div || E->O == Op::Rem)) {
      if (!isConstant(E->Ops[1]))
        T.Fixed += Times * D.IntegerDivideCycles * E->Ty->Lanes;
      else // a power of two: shift or mask
        add(E->Ty, Times * (isPowerOfTwo(E->Ops[1]) ? 1 : estimate::DivisionByConstant) *
                       operations(E->Ty));
    } else if (E->O == Op::Div && E->Ty->isFloat()) {
      T.Fixed += Times * D.FloatDivideCycles * operations(E->Ty);
    } else if (Address && constantValue(E->Ops[1])) {
      return;
    } else if (E->O == Op::Mul) {
      multiply(E->Ty, Times * operations(E->Ty));
    } else {
      const Type *Ty = isComparison(E->O) ? E->Ops[0]->Ty : E->Ty;
      add(Ty, Times * operations(Ty));
    }
  }

  /// Address: it is part of an address, so constants and conversions cost nothing. LoadsOnly: only
  /// loads cost, because the value is known already.
  void expression(const Expr *Root, double Times, bool Address = false, bool LoadsOnly = false) {
    walk(Root, [&](const Expr *E) {
      if (E->K == ExprKind::Load) {
        access(E->Acc, Times);
        address(E->Acc, Times);
        return false;
      }
      if (LoadsOnly)
        return true;
      switch (E->K) {
      case ExprKind::Binary:
        binary(E, Times, Address);
        break;
      case ExprKind::Unary:
        if (E->O == Op::LogicalNot)
          break; // the comparison or the branch is inverted
        [[fallthrough]];
      case ExprKind::Select:
        add(E->Ty, Times * operations(E->Ty));
        break;
      case ExprKind::Cast:
        if (!Address)
          convert(E, Times);
        break;
      case ExprKind::VectorCtor:
        construct(E, Times);
        break;
      case ExprKind::Swizzle:
        swizzle(E, Times);
        break;
      case ExprKind::Call:
        call(E, Times);
        break;
      default:
        break;
      }
      return true;
    });
  }

  void block(const StmtList &B, double Times) {
    for (const Stmt *S : B)
      statement(*S, Times);
  }

  void branch(const Stmt &S, double Times) {
    expression(S.E, Times);
    if (S.Rare)
      return;
    T.Branch += Times * D.BranchCycles * estimate::BranchShare;
    // `if (all(mask)) whole; else if (any(mask)) lanes`: the fall-back is no alternative.
    bool FallsBack = llvm::all_of(S.Else, [](const Stmt *X) { return X->Rare; });
    if (FallsBack || S.Body.empty()) {
      block(S.Body, Times);
      block(S.Else, Times);
      return;
    }
    Totals Before = T;
    block(S.Body, Times);
    Totals Then = T;
    T = Before;
    block(S.Else, Times);
    if (std::max(arithmetic(Then), Then.LoadStore) > std::max(arithmetic(T), T.LoadStore))
      T = Then;
  }

  void loop(const Stmt &S, double Times) {
    if (S.Rare)
      return;
    double Trips = expectedTrips(A, &S);
    block(S.Init, Times);
    At = &S;
    if (S.E)
      expression(S.E, Times * Trips);
    T.Branch += Times * Trips * D.BranchCycles * estimate::BranchShare;
    block(S.Body, Times * Trips);
    block(S.Step, Times * Trips);
  }

  /// The work-items of the group share the copy.
  void asyncCopy(const Stmt &S, double Times) {
    double Group = D.SimdWidth;
    if (K.ReqdWorkGroupSize)
      Group =
          double((*K.ReqdWorkGroupSize)[0]) * (*K.ReqdWorkGroupSize)[1] * (*K.ReqdWorkGroupSize)[2];
    double Count = S.Args.empty() ? 1 : double(constantValue(S.Args[0]).value_or(int64_t(Group)));
    double Bits = Count * sizeInBytes(S.Acc.Elem) * 8.0 * S.Acc.Lanes;
    double Accesses = std::ceil(Bits / std::max(1u, D.IdealAccessBits)) / std::max(1.0, Group);
    T.LoadStore += Times * 2 * Accesses * D.LoadStoreCycles; // a read and a write
    T.MemoryOps += Times * 2 * Accesses;
    T.Branch += Times * D.BranchCycles * estimate::BranchShare;
    forEachExpr(S, [&](const Expr *E) { expression(E, Times, true); });
  }

  void statement(const Stmt &S, double Times) {
    At = &S;
    switch (S.K) {
    case StmtKind::If:
      return branch(S, Times);
    case StmtKind::Loop:
      return loop(S, Times);
    case StmtKind::Barrier:
      Barriers = true;
      T.Branch += Times * D.BarrierCycles;
      return;
    case StmtKind::AsyncCopy:
      return asyncCopy(S, Times);
    case StmtKind::Store:
      access(S.Acc, Times);
      address(S.Acc, Times);
      expression(S.E, Times);
      return;
    default:
      forEachExpr(S, [&](const Expr *E) { expression(E, Times); });
      if (S.K == StmtKind::Atomic)
        access(S.Acc, Times);
      if (S.K == StmtKind::Call && S.Name == "wait_group_events") {
        Barriers = true;
        T.Branch += Times * D.BarrierCycles;
      }
      return;
    }
  }
};

} // namespace

Cost cost(Module &M, const Kernel &K, const rules::DeviceFacts &D) {
  KernelAnalysis A(M, K);
  return Counter(K, A, D).run();
}

} // namespace clmali::model
