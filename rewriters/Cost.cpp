//===-- rewriters/Cost.cpp - What a kernel costs on a device --------------===//
//
// Counts each statement's operations as the device executes them, weighted by
// how often it runs. Every figure comes from rules/devices.yaml.
//
//===----------------------------------------------------------------------===//

#include "rewriters/Cost.h"
#include "checks/model/Analysis.h"
#include "llvm/ADT/DenseMap.h"
#include <algorithm>
#include <cmath>

namespace clmali::rewrite {

using namespace model;

namespace {

constexpr double UnknownTrips = 16;

/// A constant, or one for all lanes.
bool isConstant(const Expr *E) {
  while (E->K == ExprKind::Cast)
    E = E->Ops[0];
  return constantValue(E).has_value() || E->K == ExprKind::FloatConst;
}

class Counter {
public:
  Counter(const Kernel &K, const KernelAnalysis &A, const rules::DeviceFacts &D) : K(K), A(A), D(D) {}

  Cost run() {
    block(K.Body, 1);
    C.Registers = registers();
    double Pipes = std::max(C.Arithmetic, C.LoadStore) + 0.25 * std::min(C.Arithmetic, C.LoadStore);
    C.Cycles = Pipes + C.Branch + 4;
    // Registers: fewer work-items hide less latency; above the last step they spill.
    if (D.RegistersQuarter && C.Registers > D.RegistersQuarter)
      C.Cycles *= 1 + 1.5 * (C.Registers / D.RegistersQuarter);
    else if (D.RegistersHalf && C.Registers > D.RegistersHalf)
      C.Cycles *= 1.3;
    else if (D.RegistersFull && C.Registers > D.RegistersFull)
      C.Cycles *= 1.1;
    return C;
  }

private:
  const Kernel &K;
  const KernelAnalysis &A;
  const rules::DeviceFacts &D;
  Cost C;

  unsigned bits(const Type *T) const {
    unsigned B = T->Scalar == ScalarKind::Bool ? 32 : sizeInBits(T->Scalar);
    return T->Lanes == 1 && !D.PadsSubword ? std::max(B, 1u) : B;
  }
  double operations(const Type *T) const {
    if (!T->isValue())
      return 1;
    unsigned PerOp = std::max(1u, D.arithmeticLanes(bits(T)));
    return std::ceil(double(T->Lanes) / PerOp) / std::max(1u, D.ArithmeticPerCycle);
  }
  void access(const Access &Acc, double Times) {
    if (Acc.Base->space() == AddressSpace::Private)
      return;
    unsigned Bits = sizeInBytes(Acc.Elem) * 8 * Acc.Lanes;
    double Ops = std::max(1.0, std::ceil(double(Bits) / std::max(1u, D.IdealAccessBits)));
    C.LoadStore += Times * Ops * D.LoadStoreCycles;
    C.MemoryOps += Times;
  }

  void expression(const Expr *Root, double Times, bool Address = false) {
    walk(Root, [&](const Expr *E) {
      switch (E->K) {
      case ExprKind::Load:
        access(E->Acc, Times);
        // Addresses: constants fold into the access.
        for (const Expr *Ix : E->Acc.Index)
          expression(Ix, Times, true);
        return false;
      case ExprKind::Binary:
        if (E->Ty->isInteger() && (E->O == Op::Div || E->O == Op::Rem) && !isConstant(E->Ops[1]))
          C.Arithmetic += Times * D.IntegerDivideCycles * E->Ty->Lanes;
        else if (E->Ty->isInteger() && (E->O == Op::Div || E->O == Op::Rem))
          C.Arithmetic += Times * 4 * operations(E->Ty); // multiply, shift, correct
        else if (E->O == Op::Div && E->Ty->isFloat())
          C.Arithmetic += Times * D.FloatDivideCycles * operations(E->Ty);
        else if (Address && constantValue(E->Ops[1]))
          break;
        else
          C.Arithmetic += Times * operations(isComparison(E->O) ? E->Ops[0]->Ty : E->Ty) * (Address ? 0.5 : 1);
        break;
      case ExprKind::Unary:
      case ExprKind::Select:
        C.Arithmetic += Times * operations(E->Ty);
        break;
      case ExprKind::Cast:
        if (!Address && E->C != CastOp::Splat && E->C != CastOp::Bitcast && E->Ty->isVector())
          C.Arithmetic += Times * operations(bits(E->Ty) > bits(E->Ops[0]->Ty) ? E->Ty : E->Ops[0]->Ty);
        break;
      case ExprKind::VectorCtor:
        if (!llvm::all_of(E->Ops, [](const Expr *X) { return X->K == ExprKind::IntConst || X->K == ExprKind::FloatConst; }))
          C.Arithmetic += Times * E->Ops.size() / std::max(1u, D.ArithmeticPerCycle);
        break;
      case ExprKind::Swizzle:
        C.Arithmetic += Times * (E->LaneIdx.size() == 1 ? 1.0 / std::max(1u, D.ArithmeticPerCycle) : 0.25 * operations(E->Ty));
        break;
      case ExprKind::Call: {
        rules::CostClass Class = D.functionCost(E->Name);
        double Each = Class == rules::CostClass::Unknown ? 1 : D.specialCycles(Class);
        C.Arithmetic += Times * Each * (D.SpecialIsScalar && Each > 1 ? E->Ty->Lanes : operations(E->Ty));
        break;
      }
      default:
        break;
      }
      return true;
    });
  }

  void block(const Block &B, double Times) {
    for (const Stmt *S : B)
      statement(*S, Times);
  }

  void statement(const Stmt &S, double Times) {
    switch (S.K) {
    case StmtKind::If: {
      expression(S.E, Times);
      C.Branch += Times * D.BranchCycles * 0.25;
      if (S.Else.empty() || S.Body.empty()) {
        block(S.Body, Times);
        block(S.Else, Times);
        return;
      }
      Cost Before = C;
      block(S.Body, Times);
      Cost Then = C;
      C = Before;
      block(S.Else, Times);
      if (std::max(Then.Arithmetic, Then.LoadStore) > std::max(C.Arithmetic, C.LoadStore))
        C = Then;
      return;
    }
    case StmtKind::Loop: {
      if (S.Rare)
        return;
      double Trips = UnknownTrips;
      if (auto L = A.countedLoop(&S); L && L->TripCount)
        Trips = *L->TripCount;
      block(S.Init, Times);
      if (S.E)
        expression(S.E, Times * Trips);
      C.Branch += Times * Trips * D.BranchCycles * 0.25;
      block(S.Body, Times * Trips);
      block(S.Step, Times * Trips);
      return;
    }
    case StmtKind::Barrier:
      C.Branch += Times * D.BarrierCycles;
      return;
    case StmtKind::Store:
      access(S.Acc, Times);
      for (const Expr *Ix : S.Acc.Index)
        expression(Ix, Times, true);
      expression(S.E, Times);
      return;
    default:
      forEachExpr(S, [&](const Expr *E) { expression(E, Times); });
      if (S.K == StmtKind::Atomic)
        access(S.Acc, Times);
      return;
    }
  }

  //--- Registers: variables alive at once, along the statements in order.
  double registers() const {
    struct Life {
      unsigned From = ~0u, To = 0;
      double Size = 0;
    };
    llvm::DenseMap<const Var *, Life> Lives;
    unsigned Time = 0;
    std::function<void(const Block &)> Visit = [&](const Block &B) {
      for (const Stmt *S : B) {
        ++Time;
        auto Touch = [&](const Var *V) {
          if (V->K != Var::Temp || !V->Ty->isValue())
            return;
          Life &L = Lives[V];
          L.From = std::min(L.From, Time);
          L.To = std::max(L.To, Time);
          L.Size = std::ceil(double(bits(V->Ty)) * V->Ty->Lanes / std::max(32u, D.RegisterBits));
          if (!V->Ty->isVector() && D.RegisterBits >= 128)
            L.Size = 0.34;
        };
        if (S->V)
          Touch(S->V);
        forEachExpr(*S, [&](const Expr *Root) {
          walk(Root, [&](const Expr *E) {
            if (E->K == ExprKind::VarRef)
              Touch(E->V);
            return true;
          });
        });
        unsigned Start = Time;
        Visit(S->Init);
        Visit(S->Body);
        Visit(S->Else);
        Visit(S->Step);
        // What lives into a loop lives through it.
        if (S->K == StmtKind::Loop)
          for (auto &[V, L] : Lives)
            if (L.From <= Start && L.To >= Start)
              L.To = std::max(L.To, Time);
      }
    };
    Visit(K.Body);
    std::vector<double> Alive(Time + 2, 0);
    for (auto &[V, L] : Lives)
      for (unsigned T = L.From; T <= L.To && T < Alive.size(); ++T)
        Alive[T] += L.Size;
    return Alive.empty() ? 0 : *std::max_element(Alive.begin(), Alive.end());
  }
};

} // namespace

Cost cost(Module &M, const Kernel &K, const rules::DeviceFacts &D) {
  KernelAnalysis A(M, K);
  return Counter(K, A, D).run();
}

} // namespace clmali::rewrite
