//===-- checks/model/cost/CostModel.cpp - What a kernel costs on a device ------===//
//
// Lowers the kernel as a compiler does (Lowering.h), and counts the instructions and accesses of
// each operation, times how often it is executed.
//
//===----------------------------------------------------------------------===//

#include "checks/model/cost/CostModel.h"
#include "checks/model/analysis/Analysis.h"
#include "checks/model/cost/Coalescing.h"
#include "checks/model/cost/Constants.h"
#include "checks/model/cost/Instructions.h"
#include "checks/model/cost/Lowering.h"
#include "checks/model/cost/Schedule.h"
#include "checks/model/cost/TripCount.h"
#include "checks/model/ir/Samplers.h"
#include "checks/model/ir/Traversal.h"
#include "checks/model/launch/LaunchFacts.h"
#include "llvm/ADT/DenseMap.h"
#include <algorithm>
#include <cmath>
#include <map>

namespace clmali::model {

double Cost::busiest() const { return std::max({Arithmetic, LoadStore, Texture}); }

llvm::StringRef Cost::bound() const {
  return Texture > std::max(Arithmetic, LoadStore) ? "T" : LoadStore >= Arithmetic ? "L/S" : "A";
}

/// Cycles while full occupancy hides all latency.
static double fullyOccupied(const Cost &C, const rules::DeviceFacts &D) {
  double Memory = std::max(C.LoadStore + C.Stalls, C.Texture);
  return std::max(C.Arithmetic, Memory) + estimate::NotOverlapped * std::min(C.Arithmetic, Memory) +
         C.Branch + estimate::WorkItemSetup / D.ArithmeticLanes;
}

namespace {

class Counter {
public:
  Counter(const KernelAnalysis &A, const rules::DeviceFacts &D, const LaunchFacts *Launch)
      : K(A.kernel()), A(A), D(D), Launch(Launch), P(lower(A, D)), Instructions(D) {}

  Cost run() {
    Totals T = count(0);
    Pressure Use = pressure(P, D);
    Cost C;
    C.Arithmetic = arithmetic(T);
    C.LoadStore = T.LoadStore;
    C.Texture = T.Texture;
    C.Branch = T.Branch / D.ArithmeticLanes;
    C.Stalls = T.Stalls;
    C.MemoryOps = T.MemoryOps;
    C.TexelReads = T.TexelReads;
    double Slower = occupancy(C, Use);
    // Where local memory is ordinary memory, nothing else runs while work-items wait at a barrier.
    if (T.Barriers > 0 && !D.LocalOnChip)
      Slower *= estimate::WithBarriers;
    C.Cycles = fullyOccupied(C, D) * Slower;
    return C;
  }

private:
  struct Totals {
    double Adds = 0, Muls = 0; ///< operations of the width of the unit
    double ScalarAdds = 0,
           ScalarMuls = 0; ///< those that the scalar units take, where there are any
    double Fixed = 0;      ///< cycles of divisions and functions
    double LoadStore = 0, Texture = 0, Stalls = 0, Branch = 0, MemoryOps = 0, TexelReads = 0,
           Barriers = 0;

    void add(const Totals &X) {
      Adds += X.Adds;
      Muls += X.Muls;
      ScalarAdds += X.ScalarAdds;
      ScalarMuls += X.ScalarMuls;
      Fixed += X.Fixed;
      LoadStore += X.LoadStore;
      Texture += X.Texture;
      Stalls += X.Stalls;
      Branch += X.Branch;
      MemoryOps += X.MemoryOps;
      TexelReads += X.TexelReads;
      Barriers += X.Barriers;
    }
  };
  const Kernel &K;
  const KernelAnalysis &A;
  const rules::DeviceFacts &D;
  const LaunchFacts *Launch;
  Program P;
  InstructionCosts Instructions;
  llvm::DenseMap<const Access *, AccessCycles> Accesses; ///< one execution of each

  /// Sets C.Threads and adds the accesses of spilled registers. Returns the factor by which the
  /// kernel is slower because fewer work-items are resident.
  double occupancy(Cost &C, const Pressure &Use) const {
    Occupancy O = model::occupancy(Use, D);
    C.Registers = std::ceil(O.Allocated);
    C.Spilled = O.Spilled;
    C.Threads = D.ThreadsFull / O.Part;
    double Slower = slowdown(1.0 / O.Part);
    if (O.Spilled > 0) {
      // What does not fit is stored and loaded again each time that the statement runs, and few
      // work-items are there to hide it.
      Slower *= std::max(1.0, O.Needed / D.RegistersQuarter);
      const rules::Fact *Each = D.fact("accesses-of-spill");
      double Accesses = Each ? Each->Value : estimate::AccessesOfSpill;
      // Values that a loop does not read are stored before it and loaded after it.
      double Idle = std::min(O.Spilled, Use.Idle);
      C.LoadStore += Accesses * ((O.Spilled - Idle) * Use.Times + Idle * Use.Outside) *
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

  //--- Memory.

  /// Distances between work-items do not depend on the iteration, so one access stands for all that
  /// unrolling makes of it.
  void access(const Operation &O, double Times, Totals &T) {
    if (O.Acc->Base->space() == AddressSpace::Private)
      return;
    auto [It, New] = Accesses.try_emplace(O.Acc);
    if (New)
      It->second = accessCycles(A, *O.Acc, O.At, 1, D);
    T.LoadStore += Times * It->second.Issue;
    T.Stalls += Times * It->second.Stalls;
    T.MemoryOps += Times;
  }

  /// How many times longer than that of a narrow texel of two dimensions O, a read, takes.
  double texelRate(const Operation &O) const {
    const rules::Fact *FullRate = D.fact("full-rate-texel-bits");
    if (!FullRate)
      return 1;
    const bool IsArray = llvm::StringRef(O.Image->Ty->Name).contains("_array");
    double Rate = O.Image->Ty->Dims > 2 && !IsArray ? 2 : 1;
    auto Format = Launch ? Launch->Texels.find(O.Image->Name) : decltype(Launch->Texels.end())();
    if (!Launch || Format == Launch->Texels.end())
      return Rate;
    if (Format->second.Bits > unsigned(FullRate->Value))
      Rate *= 2;
    std::optional<SamplerBits> Bits = O.Sampler ? constantSampler(*O.Sampler) : std::nullopt;
    return Format->second.IsFloat32 && Bits && Bits->Linear ? 2 * Rate : Rate;
  }

  /// A read takes the texture pipe, that of an image in a buffer the messages of a write: the
  /// texel's address and its value.
  void image(const Operation &O, double Times, Totals &T) const {
    if (O.Class == OpClass::Texture && !O.Image->Ty->OfBuffer)
      T.Texture += Times * D.TexturePercent / 100 * texelRate(O);
    else
      T.LoadStore += Times * D.ImageAccesses * D.LoadStoreCycles;
    T.MemoryOps += Times;
    T.TexelReads += O.Class == OpClass::Texture ? Times : 0;
  }

  /// The work-items of the group share the copy.
  void asyncCopy(const Stmt &S, double Times, Totals &T) const {
    double Group = D.SimdWidth;
    if (K.ReqdWorkGroupSize)
      Group =
          double((*K.ReqdWorkGroupSize)[0]) * (*K.ReqdWorkGroupSize)[1] * (*K.ReqdWorkGroupSize)[2];
    double Count = S.Args.empty() ? 1 : double(constantValue(S.Args[0]).value_or(int64_t(Group)));
    double Bits = Count * sizeInBytes(S.Acc.Elem) * 8.0 * S.Acc.Lanes;
    double Each = std::ceil(Bits / std::max(1u, D.IdealAccessBits)) / std::max(1.0, Group);
    T.LoadStore += Times * 2 * Each * D.LoadStoreCycles; // a read and a write
    T.MemoryOps += Times * 2 * Each;
    T.Branch += Times * D.BranchCycles * estimate::BranchShare;
  }

  //--- Operations.

  void operation(const Operation &O, double Times, Totals &T) {
    switch (O.Class) {
    case OpClass::Load:
    case OpClass::Store:
    case OpClass::Atomic:
      access(O, Times, T);
      break;
    case OpClass::Texture:
    case OpClass::TexelStore:
      image(O, Times, T);
      break;
    case OpClass::Copy:
      return asyncCopy(*O.At, Times, T);
    case OpClass::Barrier:
      T.Barriers += Times;
      T.Branch += Times * D.BarrierCycles;
      return;
    case OpClass::Control:
      T.Branch += Times * D.BranchCycles * estimate::BranchShare;
      return;
    default:
      break;
    }
    double N = Times * Instructions.of(P, O);
    bool Scalar = D.ScalarBesideVector && O.Lanes == 1;
    switch (O.Class) {
    case OpClass::Divide:
    case OpClass::FloatDivide:
    case OpClass::Function:
      T.Fixed += N;
      return;
    case OpClass::MultiplyAdd:
    case OpClass::Fused:
      if (D.MultiplyBesideAdd)
        (Scalar ? T.ScalarAdds : T.Adds) += N;
      [[fallthrough]];
    case OpClass::Multiply:
    case OpClass::MultiplyHigh:
      (Scalar ? T.ScalarMuls : T.Muls) += N;
      return;
    default:
      (Scalar ? T.ScalarAdds : T.Adds) += N;
    }
  }

  double largest(const Totals &T) const {
    return std::max({arithmetic(T), T.LoadStore, T.Texture});
  }

  /// Of region R and those inside. Of two paths, the one with more work counts.
  Totals count(unsigned R) {
    Totals T;
    std::map<unsigned, Totals> Paths;
    for (int Item : P.Regions[R].Order) {
      if (Item >= 0) {
        if (P.Ops[Item].Used)
          operation(P.Ops[Item], P.Regions[R].Times, T);
        continue;
      }
      unsigned Nested = unsigned(~Item);
      Totals Inner = count(Nested);
      if (unsigned Other = P.Regions[Nested].Instead) {
        Totals &Then = Paths[Other];
        if (largest(Inner) > largest(Then))
          Then = Inner;
      } else {
        Paths[Nested] = Inner;
      }
    }
    for (auto &[Path, Inner] : Paths)
      T.add(Inner);
    return T;
  }
};

} // namespace

Cost cost(const KernelAnalysis &A, const rules::DeviceFacts &D, const LaunchFacts *Launch) {
  return Counter(A, D, Launch).run();
}

Cost cost(Module &M, const Kernel &K, const rules::DeviceFacts &D, const LaunchFacts *Launch) {
  return cost(KernelAnalysis(M, K), D, Launch);
}

double shareOfArithmetic(const Cost &C, double Cycles, const rules::DeviceFacts &D) {
  Cost Without = C;
  Without.Arithmetic = std::max(0.0, C.Arithmetic - Cycles / D.ArithmeticLanes);
  return 1 - fullyOccupied(Without, D) / fullyOccupied(C, D);
}

} // namespace clmali::model
