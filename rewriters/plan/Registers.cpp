//===-- rewriters/plan/Registers.cpp - How many registers a kernel needs -------===//
//
// Two bounds from the variables' lives along the statements: as the source is
// ordered, and as a scheduler could order it that computes a value used once
// where it is used. A compiler moves loads up to hide their latency as long as
// that costs no work-items, and down when it would: so the estimate is the
// source's order, as far as half of the work-items remain, and else the least.
//
// Limits: kernel arguments and constants live in registers of their own
// (uniform registers); what a compiler rematerializes is not known.
//
//===----------------------------------------------------------------------===//

#include "rewriters/plan/Registers.h"
#include "llvm/ADT/DenseMap.h"
#include <algorithm>
#include <cmath>

namespace clmali::rewrite {

using namespace model;

namespace {

class Pressure {
public:
  Pressure(const Kernel &K, const KernelAnalysis &A, const rules::DeviceFacts &D)
      : A(A), D(D), F(D) {
    visit(K.Body, 1, 0);
  }

  /// Peak of the lives; with Sink, values used once live at their use only.
  RegisterUse peak(bool Sink) {
    Lives.clear();
    Sunk.clear();
    if (Sink)
      findSunk();
    std::vector<double> Extra(Times.size(), 0);
    for (unsigned T = 0; T < Statements.size(); ++T) {
      const Stmt *S = Statements[T];
      if (S->V && S->E && Sunk.count(S->V))
        continue;
      if (S->V)
        touch(S->V, T);
      double Need = 0;
      Needs.clear();
      forEachExpr(*S, [&](const Expr *Root) { Need = std::max(Need, need(Root, T)); });
      Extra[T] = Need;
    }
    // What lives into a loop lives through it.
    for (auto [From, To] : Loops)
      for (auto &[V, L] : Lives)
        if (L.From < From && L.To >= From)
          L.To = std::max(L.To, To);
    std::vector<double> Alive = Extra;
    for (auto &[V, L] : Lives)
      for (unsigned T = L.From; T <= L.To && T < Alive.size(); ++T)
        Alive[T] += size(V->Ty);
    RegisterUse Use;
    for (unsigned T = 0; T < Alive.size(); ++T)
      if (Alive[T] > Use.Registers)
        Use = {Alive[T], Times[T]};
    return Use;
  }

private:
  struct Life {
    unsigned From = ~0u, To = 0;
  };
  struct Uses {
    const Stmt *Def = nullptr;
    unsigned Defs = 0, DefAt = 0, UseAt = 0, UsedIn = 0;
    unsigned DefLoop = 0, UseLoop = 0;
  };
  const KernelAnalysis &A;
  const rules::DeviceFacts &D;
  const CostFacts F;
  std::vector<const Stmt *> Statements;
  std::vector<double> Times;
  std::vector<unsigned> LoopOf;
  std::vector<std::pair<unsigned, unsigned>> Loops; ///< inner ones first
  llvm::DenseMap<const Var *, Life> Lives;
  llvm::DenseMap<const Var *, const Expr *> Sunk;
  llvm::DenseMap<const Var *, double> Needs; ///< of the sunk ones, at the statement at hand

  double size(const Type *Ty) const {
    if (!Ty->isValue())
      return 0;
    double Bits = Ty->Scalar == ScalarKind::Bool ? 32 : sizeInBits(Ty->Scalar);
    // Small scalars share a register only where operations can name its parts.
    if (!Ty->isVector() || D.PadsSubword)
      Bits = std::max(Bits, 32.0);
    double Registers = Bits * Ty->Lanes / std::max(32u, D.RegisterBits);
    return Ty->isVector() ? std::ceil(Registers) : Registers;
  }

  void visit(const StmtList &B, double Often, unsigned Loop) {
    for (const Stmt *S : B) {
      Statements.push_back(S);
      Times.push_back(Often);
      LoopOf.push_back(Loop);
      unsigned Begin = Statements.size() - 1;
      if (S->K == StmtKind::Loop) {
        if (S->Rare)
          continue;
        double Trips = expectedTrips(A, S);
        visit(S->Init, Often, Loop);
        visit(S->Body, Often * Trips, Begin + 1);
        visit(S->Step, Often * Trips, Begin + 1);
        Loops.push_back({Begin, unsigned(Statements.size()) - 1});
      } else if (!S->Rare) {
        visit(S->Body, Often, Loop);
        visit(S->Else, Often, Loop);
      }
    }
  }

  static bool isRegister(const Var *V) { return V->K == Var::Temp && V->Ty->isValue(); }

  void touch(const Var *V, unsigned T) {
    if (!isRegister(V))
      return;
    Life &L = Lives[V];
    L.From = std::min(L.From, T);
    L.To = std::max(L.To, T);
  }

  void findSunk() {
    llvm::DenseMap<const Var *, Uses> All;
    for (unsigned T = 0; T < Statements.size(); ++T) {
      const Stmt *S = Statements[T];
      if (S->V && isRegister(S->V)) {
        Uses &U = All[S->V];
        ++U.Defs;
        U.Def = S->E && S->LaneIdx.empty() && (S->K == StmtKind::Decl || S->K == StmtKind::Assign)
                    ? S
                    : nullptr;
        U.DefAt = T;
        U.DefLoop = LoopOf[T];
      }
      llvm::SmallVector<const Var *, 8> Seen;
      forEachExpr(*S, [&](const Expr *Root) {
        walk(Root, [&](const Expr *E) {
          if (E->K == ExprKind::VarRef && isRegister(E->V) && !llvm::is_contained(Seen, E->V)) {
            Seen.push_back(E->V);
            Uses &U = All[E->V];
            ++U.UsedIn;
            U.UseAt = T;
            U.UseLoop = LoopOf[T];
          }
          return true;
        });
      });
    }
    for (auto &[V, U] : All)
      if (U.Defs == 1 && U.Def && U.UsedIn == 1 && U.UseLoop == U.DefLoop && U.UseAt > U.DefAt)
        Sunk[V] = U.Def->E;
  }

  /// Registers for the values inside E while it is computed at T; the result
  /// is one of them. Variables are counted by their lives.
  double need(const Expr *E, unsigned T) {
    switch (E->K) {
    case ExprKind::IntConst:
    case ExprKind::FloatConst:
      return 0;
    case ExprKind::VarRef: {
      auto It = Sunk.find(E->V);
      if (It != Sunk.end()) {
        // Each of a chain may name the one before it several times.
        if (auto Known = Needs.find(E->V); Known != Needs.end())
          return Known->second;
        double N = need(It->second, T);
        return Needs[E->V] = N;
      }
      touch(E->V, T);
      return 0;
    }
    case ExprKind::Load:
      for (const Expr *Ix : E->Acc.Index)
        need(Ix, T);
      return E->Acc.Base->space() == AddressSpace::Private ? 0 : size(E->Ty);
    case ExprKind::Cast:
      if (E->C == CastOp::Splat || E->C == CastOp::Bitcast ||
          (F.FreeConversions && !E->Ty->isFloat()))
        return need(E->Ops[0], T);
      break;
    case ExprKind::Swizzle:
      if (F.FreeSwizzles || E->Ty->Lanes == 1)
        return need(E->Ops[0], T);
      break;
    default:
      break;
    }
    llvm::SmallVector<std::pair<double, double>, 4> Operands; // while it is computed, held then
    bool Adds = E->K == ExprKind::Binary && (E->O == Op::Add || E->O == Op::Sub);
    for (const Expr *X : E->Ops) {
      // A product on its way into an addition stands in no register.
      bool Product = Adds && F.MultiplyBesideAdd && X->K == ExprKind::Binary && X->O == Op::Mul;
      double N = Product ? std::max(need(X->Ops[0], T), need(X->Ops[1], T)) : need(X, T);
      Operands.push_back({N, N > 0 ? std::min(N, size(X->Ty)) : 0});
    }
    llvm::stable_sort(Operands, [](auto &X, auto &Y) { return X.first > Y.first; });
    double Most = size(E->Ty), Held = 0;
    for (auto [While, Then] : Operands) {
      Most = std::max(Most, Held + While);
      Held += Then;
    }
    return Most;
  }
};

} // namespace

CostFacts::CostFacts(const rules::DeviceFacts &D) {
  auto Value = [&](llvm::StringRef Name) -> double {
    const rules::Fact *F = D.fact(Name);
    return F ? double(F->Value) : 0;
  };
  MultiplyBesideAdd = Value("multiply-beside-add");
  ScalarBesideVector = Value("scalar-beside-vector");
  FreeConversions = Value("free-conversions");
  FreeSwizzles = Value("free-swizzles");
  Reissue256 = Value("reissue-256");
  Reissue512 = Value("reissue-512");
  CoalesceBytes = Value("coalesce-bytes");
  SplitsUnaligned = Value("splits-unaligned");
}

double expectedTrips(const KernelAnalysis &A, const Stmt *Loop) {
  constexpr double Unknown = 16;
  std::optional<CountedLoop> L = A.countedLoop(Loop);
  if (!L) {
    // for (; k + 16 <= n; k += 16)
    const Stmt *Next =
        Loop->Step.size() == 1 && Loop->Step[0]->K == StmtKind::Assign ? Loop->Step[0] : nullptr;
    auto By = Next && Next->E->K == ExprKind::Binary && Next->E->O == Op::Add &&
                      Next->E->Ops[0]->K == ExprKind::VarRef && Next->E->Ops[0]->V == Next->V
                  ? constantValue(Next->E->Ops[1])
                  : std::nullopt;
    return By && *By > 1 ? std::max(1.0, Unknown / double(*By)) : Unknown;
  }
  if (L->TripCount)
    return *L->TripCount;
  // j from y - 1 to y + 1
  if (L->Lower && L->Bound && L->Step > 0 && (L->Compare == Op::LT || L->Compare == Op::LE)) {
    Poly Span = A.poly(L->Bound) - A.poly(L->Lower);
    if (Span.isConstant())
      return std::max(
          1.0, std::ceil(double(Span.constantTerm() + (L->Compare == Op::LE)) / double(L->Step)));
  }
  return L->Step ? std::max(1.0, Unknown / std::fabs(double(L->Step))) : Unknown;
}

RegisterUse registers(const Kernel &K, const KernelAnalysis &A, const rules::DeviceFacts &D) {
  Pressure P(K, A, D);
  RegisterUse Source = P.peak(false), Least = P.peak(true);
  double Budget = std::max<double>(Least.Registers, D.RegistersHalf);
  if (Source.Registers <= Budget)
    return Source;
  return {Budget, Least.Times};
}

} // namespace clmali::rewrite
