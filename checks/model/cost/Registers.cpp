//===-- checks/model/cost/Registers.cpp - How many registers a kernel needs ----===//

#include "checks/model/cost/Registers.h"
#include "checks/model/cost/TripCount.h"
#include "checks/model/ir/Traversal.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <cmath>
#include <deque>
#include <tuple>

namespace clmali::model {

/// Order of declarations. Those of one statement begin at the same byte: float a[4], b[4];
static bool isDeclaredBefore(const Var &A, const Var &B) {
  return std::tie(A.Range.Begin, A.Range.End) < std::tie(B.Range.Begin, B.Range.End);
}

namespace {

/// The statements of a kernel in their order, and the live ranges of its variables as intervals of
/// their numbers.
class Pressure {
public:
  Pressure(const KernelAnalysis &A, const rules::DeviceFacts &D,
           llvm::function_ref<bool(const Var *)> IsObject)
      : A(A), D(D), IsObject(IsObject) {
    number(A.kernel().Body, 1, 0);
  }

  /// Registers for values, by statement. Sink: a value that is used once is computed at its use.
  std::vector<double> values(bool Sink) {
    Ranges.clear();
    Sunk.clear();
    if (Sink)
      findSunk();
    std::vector<double> Live(Statements.size(), 0);
    for (unsigned T = 0; T < Statements.size(); ++T) {
      const Stmt *S = Statements[T];
      if (S->V && S->E && Sunk.count(S->V))
        continue;
      // A declaration without a value needs no register yet.
      if (S->V && isRegister(S->V) && (S->E || S->K != StmtKind::Decl))
        touch(S->V, T);
      Needs.clear();
      forEachExpr(*S, [&](const Expr *Root) { Live[T] = std::max(Live[T], need(Root, T)); });
    }
    addRanges(Live, [&](const Var *V) { return size(V); });
    return Live;
  }

  /// Registers for private arrays and structures, by statement.
  std::vector<double> objects() {
    Ranges.clear();
    for (unsigned T = 0; T < Statements.size(); ++T) {
      const Stmt *S = Statements[T];
      if (S->V && IsObject(S->V))
        touch(S->V, T);
      forEachAccess(*S, [&](const Access &Acc) {
        if (IsObject(Acc.Base))
          touch(Acc.Base, T);
      });
    }
    std::vector<double> Live(Statements.size(), 0);
    addRanges(Live, [&](const Var *V) { return objectSize(V); });
    return Live;
  }

  /// Of the objects that are live at statement T, the largest; the first of several. After
  /// objects().
  const Var *largestObject(unsigned T) const {
    const Var *Most = nullptr;
    for (auto &[V, R] : Ranges)
      if (R.From <= T && T <= R.To &&
          (!Most || V->Ty->Size > Most->Ty->Size ||
           (V->Ty->Size == Most->Ty->Size && isDeclaredBefore(*V, *Most))))
        Most = V;
    return Most;
  }

  const Stmt *statement(unsigned T) const { return Statements[T]; }
  double executions(unsigned T) const { return Executions[T]; }

private:
  struct LiveRange {
    unsigned From = ~0u, To = 0;
  };
  struct Uses {
    const Stmt *Def = nullptr;
    unsigned Defs = 0, DefAt = 0, UseAt = 0, UsedIn = 0;
    unsigned DefLoop = 0, UseLoop = 0;
  };
  const KernelAnalysis &A;
  const rules::DeviceFacts &D;
  llvm::function_ref<bool(const Var *)> IsObject;
  std::vector<const Stmt *> Statements;
  std::vector<double> Executions;
  std::vector<unsigned> LoopOf;
  /// The statements of a loop: itself, and all that are nested in it.
  struct LoopSpan {
    unsigned From = 0, To = 0;
    const LoopSpan *Outer = nullptr;
  };
  std::deque<LoopSpan> Spans;
  std::vector<const LoopSpan *> SpanOf; ///< the innermost one of each statement
  llvm::DenseMap<const Var *, LiveRange> Ranges;
  llvm::DenseMap<const Var *, const Expr *> Sunk;
  llvm::DenseMap<const Var *, double> Needs; ///< of the sunk ones, at the present statement

  void number(const StmtList &B, double Times, unsigned Loop, const LoopSpan *Span = nullptr) {
    for (const Stmt *S : B) {
      Statements.push_back(S);
      Executions.push_back(Times);
      LoopOf.push_back(Loop);
      SpanOf.push_back(Span);
      unsigned Begin = Statements.size() - 1;
      if (S->K == StmtKind::Loop) {
        if (S->Rare)
          continue;
        double Trips = expectedTrips(A, S);
        LoopSpan &Own = Spans.emplace_back(LoopSpan{Begin, Begin, Span});
        SpanOf[Begin] = &Own;
        number(S->Init, Times, Loop, &Own);
        number(S->Body, Times * Trips, Begin + 1, &Own);
        number(S->Step, Times * Trips, Begin + 1, &Own);
        Own.To = Statements.size() - 1;
      } else if (!S->Rare) {
        number(S->Body, Times, Loop, Span);
        number(S->Else, Times, Loop, Span);
      }
    }
  }

  static bool isRegister(const Var *V) { return V->K == Var::Temp && V->Ty->isValue(); }

  void touch(const Var *V, unsigned T) {
    LiveRange &R = Ranges[V];
    R.From = std::min(R.From, T);
    R.To = std::max(R.To, T);
  }

  static void forEachAccess(const Stmt &S, llvm::function_ref<void(const Access &)> Visit) {
    for (ExprAt X : exprs(S))
      if (X->K == ExprKind::Load)
        Visit(X->Acc);
    if (S.K == StmtKind::Store || S.K == StmtKind::Atomic || S.K == StmtKind::AsyncCopy)
      Visit(S.Acc);
  }

  /// Adds the sizes of the variables to each statement of their live ranges.
  void addRanges(std::vector<double> &Live, llvm::function_ref<double(const Var *)> Size) {
    // Sizes are multiples of a power of two, so sums of differences are exact.
    std::vector<double> Change(Live.size() + 1, 0);
    for (auto &[V, R] : Ranges) {
      // A variable that is live into a loop is live through it.
      for (const LoopSpan *L = SpanOf[R.To]; L && L->From > R.From; L = L->Outer)
        R.To = std::max(R.To, L->To);
      double Registers = Size(V);
      Change[R.From] += Registers;
      Change[R.To + 1] -= Registers;
    }
    double Now = 0;
    for (size_t T = 0; T < Live.size(); ++T)
      Live[T] += Now += Change[T];
  }

  double size(const Type *Ty) const {
    if (!Ty->isValue())
      return 0;
    double Bits = Ty->Scalar == ScalarKind::Bool ? 32 : sizeInBits(Ty->Scalar);
    // Small scalars share a register only where operations can address its parts.
    if (!Ty->isVector() || D.PadsSubword)
      Bits = std::max(Bits, 32.0);
    double Registers = Bits * Ty->Lanes / std::max(32u, D.RegisterBits);
    return Ty->isVector() ? std::ceil(Registers) : Registers;
  }

  /// True if all lanes of V are one number in all of its definitions: float4 w = x * y;
  bool isSplat(const Var *V) const {
    llvm::ArrayRef<const Stmt *> Defs = A.defs(V);
    return V->Ty->isVector() && !Defs.empty() && llvm::all_of(Defs, [](const Stmt *Def) {
             return !Def->E || (Def->LaneIdx.empty() && Def->E->K == ExprKind::Cast &&
                                Def->E->C == CastOp::Splat);
           });
  }

  /// A splat takes what its number takes.
  double size(const Var *V) const {
    if (!isSplat(V))
      return size(V->Ty);
    double Bits = sizeInBits(V->Ty->Scalar);
    return std::max(Bits, 32.0) / std::max(32u, D.RegisterBits);
  }

  double objectSize(const Var *V) const {
    const Type *Of = V->Ty;
    uint64_t Elements = 1;
    for (; Of->K == Type::Array; Of = Of->Elem)
      Elements *= Of->Count;
    uint64_t Bits = V->Ty->Size * 8;
    if (Of->isValue()) {
      unsigned Each = sizeInBits(Of->Scalar);
      Bits = Elements * Of->Lanes * (D.PadsSubword ? std::max(Each, 32u) : Each);
    }
    return double(llvm::alignTo(Bits, 32)) / std::max(32u, D.RegisterBits);
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
      for (ExprAt X : exprs(*S))
        if (X->K == ExprKind::VarRef && isRegister(X->V) && !llvm::is_contained(Seen, X->V)) {
          Seen.push_back(X->V);
          Uses &U = All[X->V];
          ++U.UsedIn;
          U.UseAt = T;
          U.UseLoop = LoopOf[T];
        }
    }
    for (auto &[V, U] : All)
      if (U.Defs == 1 && U.Def && U.UsedIn == 1 && U.UseLoop == U.DefLoop && U.UseAt > U.DefAt)
        Sunk[V] = U.Def->E;
  }

  /// Registers for the values inside E while statement T computes it; the result is one of them.
  /// Variables are counted by their live ranges.
  double need(const Expr *E, unsigned T) {
    switch (E->K) {
    case ExprKind::IntConst:
    case ExprKind::FloatConst:
      return 0;
    case ExprKind::VarRef: {
      auto It = Sunk.find(E->V);
      if (It != Sunk.end()) {
        // In a chain, each may refer to the one before it several times.
        if (auto Known = Needs.find(E->V); Known != Needs.end())
          return Known->second;
        double N = need(It->second, T);
        return Needs[E->V] = N;
      }
      if (isRegister(E->V))
        touch(E->V, T);
      return 0;
    }
    case ExprKind::Load:
      for (const Expr *Ix : E->Acc.Index)
        need(Ix, T);
      return E->Acc.Base->space() == AddressSpace::Private ? 0 : size(E->Ty);
    case ExprKind::Cast:
      if (E->C == CastOp::Splat || E->C == CastOp::Bitcast ||
          (D.FreeConversions && !E->Ty->isFloat()))
        return need(E->Ops[0], T);
      break;
    case ExprKind::Swizzle:
      if (D.FreeSwizzles || E->Ty->Lanes == 1)
        return need(E->Ops[0], T);
      break;
    default:
      break;
    }
    return needOfOperation(E, T);
  }

  /// The operands are computed one after another, the one with the largest need first.
  double needOfOperation(const Expr *E, unsigned T) {
    struct Operand {
      double While; ///< it is computed
      double Held;  ///< until the operation
    };
    llvm::SmallVector<Operand, 4> Operands;
    bool Adds = E->K == ExprKind::Binary && (E->O == Op::Add || E->O == Op::Sub);
    for (const Expr *X : E->Ops) {
      // A product that is added in the same instruction needs no register.
      bool Product = Adds && D.MultiplyBesideAdd && X->K == ExprKind::Binary && X->O == Op::Mul;
      double N = Product ? std::max(need(X->Ops[0], T), need(X->Ops[1], T)) : need(X, T);
      Operands.push_back({N, N > 0 ? std::min(N, size(X->Ty)) : 0});
    }
    llvm::stable_sort(Operands, [](auto &X, auto &Y) { return X.While > Y.While; });
    double Most = size(E->Ty), Held = 0;
    for (const Operand &X : Operands) {
      Most = std::max(Most, Held + X.While);
      Held += X.Held;
    }
    return Most;
  }
};

/// The first statement with the most registers.
unsigned peak(const std::vector<double> &Live) {
  return unsigned(std::max_element(Live.begin(), Live.end()) - Live.begin());
}

} // namespace

RegisterUse registers(const KernelAnalysis &A, const rules::DeviceFacts &D,
                      llvm::function_ref<bool(const Var *)> IsObject) {
  RegisterUse Use;
  Pressure P(A, D, IsObject);
  std::vector<double> Source = P.values(false), Least = P.values(true);
  if (Source.empty())
    return Use;
  unsigned AtSource = peak(Source), AtLeast = peak(Least);
  double Budget = std::max<double>(Least[AtLeast], D.RegistersHalf);
  bool Fits = Source[AtSource] <= Budget;
  Use.Values = Fits ? Source[AtSource] : Budget;
  Use.Executions = P.executions(Fits ? AtSource : AtLeast);
  Use.Where = P.statement(AtSource);
  Use.All = Use.Values;
  if (!IsObject)
    return Use;
  std::vector<double> Objects = P.objects();
  unsigned AtObjects = peak(Objects);
  Use.Objects = Objects[AtObjects];
  Use.Largest = P.largestObject(AtObjects);
  for (unsigned T = 0; T < Objects.size(); ++T)
    Use.All = std::max(Use.All, Objects[T] + std::min(Source[T], Use.Values));
  return Use;
}

} // namespace clmali::model
