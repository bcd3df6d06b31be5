//===-- rewriters/plan/Cost.cpp - What a kernel costs on a device --------------===//
//
// Counts each statement's operations as the device executes them, weighted by
// how often it runs. Every figure comes from rules/devices.yaml.
//
//===----------------------------------------------------------------------===//

#include "rewriters/plan/Cost.h"
#include "checks/model/analysis/Analysis.h"
#include "rewriters/plan/Registers.h"
#include "llvm/ADT/StringSet.h"
#include <algorithm>
#include <cmath>
#include <set>

namespace clmali::rewrite {

using namespace model;

double Cost::busiest() const { return std::max({Arithmetic, LoadStore, Texture}); }

llvm::StringRef Cost::bound() const {
  return Texture > std::max(Arithmetic, LoadStore) ? "T" : LoadStore >= Arithmetic ? "L/S" : "A";
}

namespace {

/// Half and a quarter of the work-items hide less latency. Estimates.
constexpr double HalfThreads = 1.1, QuarterThreads = 1.3;
/// Work-items of a group wait for the slowest. An estimate.
constexpr double Waiting = 1.2;
/// Cycles to set a work-item up. An estimate.
constexpr double PerWorkItem = 0.5;

/// A constant, or one for all lanes.
bool isConstant(const Expr *E) {
  while (E->K == ExprKind::Cast)
    E = E->Ops[0];
  return constantValue(E).has_value() || E->K == ExprKind::FloatConst;
}

bool isPowerOfTwo(const Expr *E) {
  while (E->K == ExprKind::Cast)
    E = E->Ops[0];
  std::optional<int64_t> V = constantValue(E);
  return V && *V > 0 && (*V & (*V - 1)) == 0;
}

/// Built-ins that every GPU has as an instruction.
bool isInstruction(llvm::StringRef Name) {
  static const llvm::StringSet<> Names = {
      "min",   "max",   "fmin",    "fmax",     "fabs",     "abs",   "floor",     "ceil", "trunc",
      "rint",  "sign",  "select",  "copysign", "popcount", "clz",   "bitselect", "any",  "all",
      "isnan", "isinf", "signbit", "step",     "mul_hi",   "mul24", "rotate"};
  return Names.contains(Name);
}

/// The class of a function; where the family's documents say nothing, the one
/// of the vendor that published them: which functions are cheap hardly differs.
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
      : K(K), A(A), D(D), F(D) {}

  Cost run() {
    block(K.Body, 1);
    Cost C;
    RegisterUse Use = registers(K, A, D);
    C.Registers = std::ceil(Use.Registers);
    C.Arithmetic = arithmetic(T);
    C.LoadStore = T.LoadStore;
    C.Branch = T.Branch;
    C.Stalls = T.Stalls;
    C.MemoryOps = T.MemoryOps;
    C.Threads = D.ThreadsFull;
    double Slower = 1;
    if (D.RegistersHalf && C.Registers > D.RegistersHalf) {
      Slower = QuarterThreads;
      C.Threads = D.ThreadsFull / 4;
    } else if (D.RegistersFull && C.Registers > D.RegistersFull) {
      Slower = HalfThreads;
      C.Threads = D.ThreadsFull / 2;
    }
    // What does not fit is stored and loaded again, each time round; and few
    // work-items are there to hide it.
    if (D.RegistersQuarter && C.Registers > D.RegistersQuarter) {
      Slower *= C.Registers / D.RegistersQuarter;
      C.LoadStore += 2 * (C.Registers - D.RegistersQuarter) * Use.Times * D.LoadStoreCycles *
                     std::max(1.0, double(D.RegisterBits) / std::max(1u, D.IdealAccessBits));
    }
    // Where local memory is plain memory, who waits at a barrier waits for nothing.
    if (Barriers && !D.LocalOnChip)
      Slower *= Waiting;
    double Memory = C.LoadStore + C.Stalls;
    C.Cycles = (std::max(C.Arithmetic, Memory) + 0.25 * std::min(C.Arithmetic, Memory) + C.Branch +
                PerWorkItem) *
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
  const CostFacts F;
  Totals T;
  const Stmt *At = nullptr;
  bool Barriers = false;
  /// Addresses without their constants, that are there already.
  std::set<std::map<Monomial, int64_t>> Addresses;

  double arithmetic(const Totals &X) const {
    double Words = F.MultiplyBesideAdd ? std::max({X.Adds, X.Muls, X.ScalarAdds, X.ScalarMuls})
                                       : std::max(X.Adds + X.Muls, X.ScalarAdds + X.ScalarMuls);
    return Words / std::max(1u, D.ArithmeticPerCycle) + X.Fixed;
  }

  unsigned bits(const Type *Ty) const {
    return Ty->Scalar == ScalarKind::Bool ? 32 : sizeInBits(Ty->Scalar);
  }
  /// Count operations on values of type Ty.
  void add(const Type *Ty, double Count) { (isScalarUnit(Ty) ? T.ScalarAdds : T.Adds) += Count; }
  void multiply(const Type *Ty, double Count) {
    (isScalarUnit(Ty) ? T.ScalarMuls : T.Muls) += Count;
  }
  bool isScalarUnit(const Type *Ty) const { return F.ScalarBesideVector && !Ty->isVector(); }
  double operations(const Type *Ty) const {
    if (!Ty->isValue())
      return 1;
    return std::ceil(double(Ty->Lanes) / std::max(1u, D.arithmeticLanes(bits(Ty))));
  }

  //--- Memory.

  /// Bytes from a work-item's access to that of its neighbour in dimension 0;
  /// 0: the same for all; nullopt: far away, or from data.
  std::optional<double> neighbour(const Access &Acc) const {
    if (std::optional<Poly> S = A.stride(Acc, 0)) {
      if (S->isConstant())
        return std::fabs(double(S->constantTerm()));
      return std::nullopt;
    }
    bool Same =
        llvm::all_of(Acc.Index, [&](const Expr *Ix) { return !(A.varies(Ix, At).Item & 1); });
    return Same ? std::optional<double>(0) : std::nullopt;
  }

  void access(const Access &Acc, double Times) {
    if (Acc.Base->space() == AddressSpace::Private)
      return;
    double Bits = sizeInBytes(Acc.Elem) * 8.0 * Acc.Lanes;
    double Pieces = std::max(1.0, std::ceil(Bits / std::max(1u, D.IdealAccessBits)));
    T.MemoryOps += Times;
    bool OnChip = D.LocalOnChip && Acc.Base->space() == AddressSpace::Local;
    if (OnChip && D.LocalBanks && D.LocalBankBits && D.LanesPerCycle) {
      // The banks serve the work-items that issue in one cycle; conflicts are counted elsewhere.
      double Each = std::max(Bits, D.PadsSubword ? 32.0 * Acc.Lanes : 0.0);
      T.LoadStore +=
          Times *
          std::max(1.0, std::ceil(Each * D.LanesPerCycle / (D.LocalBanks * D.LocalBankBits)));
      return;
    }
    if (F.CoalesceBytes && !OnChip) {
      // The accesses of neighbours take as many turns as they touch segments.
      if (F.SplitsUnaligned && Acc.F == Access::VLoad)
        Pieces = Acc.Lanes;
      double Most = D.SimdWidth, Segments = Most;
      if (std::optional<double> Stride = neighbour(Acc))
        Segments = std::clamp(Most * *Stride / F.CoalesceBytes, 1.0, Most);
      T.LoadStore += Times * Pieces * Segments * D.LoadStoreCycles;
      return;
    }
    double Cycles = Times * Pieces * D.LoadStoreCycles;
    T.LoadStore += Cycles;
    if (!F.Reissue256 || OnChip)
      return;
    // 128 bits for each work-item come with its neighbours'; what lies further
    // apart comes after all neighbours had their first.
    double Far = F.Reissue512 / 100.0, Factor = Far;
    if (std::optional<double> Stride = neighbour(Acc)) {
      double Middle = F.Reissue256 / 100.0;
      Factor = *Stride <= 16   ? 1
               : *Stride <= 32 ? 1 + (Middle - 1) * (*Stride - 16) / 16
                               : std::min(Far, Middle + (Far - Middle) * (*Stride - 32) / 32);
    }
    T.Stalls += Cycles * (Factor - 1);
  }

  /// Constants fold into the access; an address that differs from another by a
  /// constant alone costs nothing more.
  void address(const Access &Acc, double Times) {
    for (const Expr *Ix : Acc.Index) {
      if (isLeaf(Ix))
        continue;
      Poly P = A.poly(Ix, At);
      P.Terms.erase(Monomial());
      // Loads in the index are made all the same.
      bool Known = P.isZero() || !Addresses.insert(P.Terms).second;
      expression(Ix, Times, true, Known);
    }
  }
  static bool isLeaf(const Expr *E) {
    while (E->K == ExprKind::Cast)
      E = E->Ops[0];
    return E->K == ExprKind::VarRef || E->K == ExprKind::IntConst || E->K == ExprKind::WorkItem;
  }

  //--- Vectors.

  /// Registers of the source that each register of the result takes lanes
  /// from, summed. Lanes: source lane, for each result lane.
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
  /// Are lanes registers of their own, so that choosing some is naming them?
  bool lanesAreRegisters(const Type *Ty) const { return bits(Ty) >= D.RegisterBits; }

  void swizzle(const Expr *E, double Times) {
    if (lanesAreRegisters(E->Ty))
      return;
    if (F.FreeSwizzles) {
      // What comes from one register comes on the way; from two, by a move.
      unsigned B = bits(E->Ty);
      double Results = std::ceil(double(E->Ty->Lanes) * B / D.RegisterBits);
      T.Adds += Times * std::max(0.0, gathered(E->LaneIdx, bits(E->Ops[0]->Ty), B) - Results);
      return;
    }
    add(E->Ops[0]->Ty, Times * (E->LaneIdx.size() == 1 ? 1.0
                                                       : 0.25 * operations(E->Ty) *
                                                             std::max(1u, D.ArithmeticPerCycle)));
  }

  void construct(const Expr *E, double Times) {
    if (lanesAreRegisters(E->Ty) || llvm::all_of(E->Ops, [](const Expr *X) {
          return X->K == ExprKind::IntConst || X->K == ExprKind::FloatConst;
        }))
      return;
    if (!F.FreeSwizzles) {
      T.Adds += Times * E->Ops.size();
      return;
    }
    // A move for each register that a register of the result is put together from.
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
    if (E->C == CastOp::Splat || E->C == CastOp::Bitcast || E->Ops[0]->K == ExprKind::IntConst ||
        E->Ops[0]->K == ExprKind::FloatConst)
      return;
    bool Kind = To->isFloat() != From->isFloat() || (To->isFloat() && To->Scalar != From->Scalar);
    if (!Kind && (F.FreeConversions || !To->isVector() || bits(To) == bits(From)))
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

  /// LoadsOnly: the value is there already, but for what it loads.
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
        if (E->Ty->isInteger() && (E->O == Op::Div || E->O == Op::Rem)) {
          if (!isConstant(E->Ops[1]))
            T.Fixed += Times * D.IntegerDivideCycles * E->Ty->Lanes;
          else // multiply, shift, correct; or shift or mask
            add(E->Ty, Times * (isPowerOfTwo(E->Ops[1]) ? 1 : 4) * operations(E->Ty));
        } else if (E->O == Op::Div && E->Ty->isFloat()) {
          T.Fixed += Times * D.FloatDivideCycles * operations(E->Ty);
        } else if (Address && constantValue(E->Ops[1])) {
          break;
        } else if (E->O == Op::Mul) {
          multiply(E->Ty, Times * operations(E->Ty));
        } else {
          const Type *Ty = isComparison(E->O) ? E->Ops[0]->Ty : E->Ty;
          add(Ty, Times * operations(Ty));
        }
        break;
      case ExprKind::Unary:
        if (E->O == Op::LogicalNot)
          break; // the comparison or the branch the other way round
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

  void statement(const Stmt &S, double Times) {
    At = &S;
    switch (S.K) {
    case StmtKind::If: {
      expression(S.E, Times);
      if (S.Rare)
        return;
      T.Branch += Times * D.BranchCycles * 0.25;
      if (S.Else.empty() || S.Body.empty()) {
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
      return;
    }
    case StmtKind::Loop: {
      if (S.Rare)
        return;
      double Trips = expectedTrips(A, &S);
      block(S.Init, Times);
      At = &S;
      if (S.E)
        expression(S.E, Times * Trips);
      T.Branch += Times * Trips * D.BranchCycles * 0.25;
      block(S.Body, Times * Trips);
      block(S.Step, Times * Trips);
      return;
    }
    case StmtKind::Barrier:
      Barriers = true;
      T.Branch += Times * D.BarrierCycles;
      return;
    case StmtKind::AsyncCopy: {
      // The group's work-items share it.
      double Group = D.SimdWidth;
      if (K.ReqdWorkGroupSize)
        Group = double((*K.ReqdWorkGroupSize)[0]) * (*K.ReqdWorkGroupSize)[1] *
                (*K.ReqdWorkGroupSize)[2];
      double Count = S.Args.empty() ? 1 : double(constantValue(S.Args[0]).value_or(int64_t(Group)));
      double Bits = Count * sizeInBytes(S.Acc.Elem) * 8.0 * S.Acc.Lanes;
      double Accesses = std::ceil(Bits / std::max(1u, D.IdealAccessBits)) / std::max(1.0, Group);
      T.LoadStore += Times * 2 * Accesses * D.LoadStoreCycles; // read there, written here
      T.MemoryOps += Times * 2 * Accesses;
      T.Branch += Times * D.BranchCycles * 0.25;
      forEachExpr(S, [&](const Expr *E) { expression(E, Times, true); });
      return;
    }
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

} // namespace clmali::rewrite
