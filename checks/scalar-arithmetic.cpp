//===- scalar-arithmetic.cpp -------------------------------------------------------------------===//
//
// Before: out[i] = (3 * a[i] + 5 * b[i] + 4) >> 3;       one value for each operation
// After:  the same on 16 lanes                           (clmali-rewrite, vectorize)
// Limits: what flows from loads to stores of global memory, and into pixels; a kernel with vector arithmetic that
//         is more than a sixteenth of its operations was vectorized by hand.
//
//===------------------------------------------------------------------------------------------===//

#include "checks/Contiguity.h"
#include "checks/Query.h"
#include "llvm/ADT/StringExtras.h"
#include <functional>
#include <set>
#include <utility>

using namespace llvm;
using namespace clmali;
using namespace clmali::checks;
using namespace clmali::model;

namespace {
struct Count {
  uint64_t Scalar = 0, Vector = 0; ///< operations that a work-item executes
  unsigned Widest = 0;   ///< bits of what is counted and computed in floating point
  bool Integers = false; ///< integers, which may be as narrow as the data, are counted
  const Expr *First = nullptr;
  std::function<bool(const Expr *)> Pays; ///< does one operation of the family take several like it?
  const Conditions *Control = nullptr;    ///< what decides counts, too
  const Leaves *Left = nullptr;           ///< and how often a loop runs
  const Module *M = nullptr;
  const Conditions *Around = nullptr;     ///< the loops in which a statement stands
  const Stmt *At = nullptr;               ///< where what is collected is computed
  bool InIndex = false; ///< integers are addresses there
  std::set<const Expr *> Masks; ///< comparisons whose outcomes are computed with
  std::map<const Var *, std::set<unsigned>> Components; ///< of vectors that images hold: those that are taken out
  std::set<const Expr *> Seen;
  std::set<const Var *> SeenVars;
};
} // namespace

static void collect(const KernelAnalysis &K, const Expr *E, Count &N);

/// Operators and built-in functions. What is only compared is not computed with; what was computed, and is compared, is.
static bool isComputed(const KernelAnalysis &K, const Expr *E) {
  if (E->K == ExprKind::Call)
    return E->Ty->isValue() && all_of(E->Ops, [](const Expr *X) { return X->Ty->isValue(); });
  if (E->K != ExprKind::Binary || E->O == Op::LogicalAnd || E->O == Op::LogicalOr)
    return false;
  return !isComparison(E->O) || any_of(E->Ops, [&](const Expr *X) {
    const Expr *From = stripCasts(X);
    return From->Ty->isFloat() && (From->K == ExprKind::Binary || From->K == ExprKind::Call) && isComputed(K, From);
  });
}

/// byte & 0xff
static bool changesNothing(const KernelAnalysis &K, const Expr *E, const Stmt *At) {
  if (E->K != ExprKind::Binary || E->O != Op::And || !E->Ty->isScalar())
    return false;
  std::optional<int64_t> Mask = constantValue(E->Ops[1]);
  if (!Mask || *Mask < 0 || (*Mask & (*Mask + 1)))
    return false;
  Range R = K.range(E->Ops[0], At);
  return R.Lo >= 0 && R.Hi <= *Mask;
}

/// x[i]++ counts.
static bool isCounter(const Stmt *S) {
  const Expr *E = stripCasts(S->E);
  if (E->K != ExprKind::Binary || (E->O != Op::Add && E->O != Op::Sub) || !E->Ty->isInteger())
    return false;
  const Expr *Old = stripCasts(E->Ops[0]), *By = stripCasts(E->Ops[1]);
  return Old->K == ExprKind::Load && Old->Acc.Base == S->Acc.Base && By->K == ExprKind::IntConst && By->Int == 1;
}

/// What decides whether S runs. A loop that counts decides nothing that is computed.
static void control(const KernelAnalysis &K, const Stmt *S, Count &N) {
  if (!N.Control)
    return;
  auto At = N.Control->find(S);
  if (At == N.Control->end())
    return;
  for (const Stmt *Around : At->second) {
    if (auto Exits = N.Left->find(Around); Exits != N.Left->end())
      for (const Stmt *Branch : Exits->second) {
        const Stmt *Outer = std::exchange(N.At, Branch);
        collect(K, Branch->E, N);
        N.At = Outer;
      }
    bool Floats = Around->K != StmtKind::Loop;
    walk(Around->E, [&](const Expr *E) {
      Floats |= E->Ty->isFloat();
      return !Floats;
    });
    if (Floats) {
      const Stmt *Outer = N.At;
      if (Around->K == StmtKind::If)
        N.At = Around;
      collect(K, Around->E, N);
      N.At = Outer;
    }
  }
}

static void collect(const KernelAnalysis &K, const Expr *E, Count &N) {
  if (!N.Seen.insert(E).second)
    return;
  auto Assigned = [&](const Stmt *S) {
    const Stmt *Outer = std::exchange(N.At, S);
    if (S->K != StmtKind::Store || !isCounter(S))
      collect(K, S->E, N);
    control(K, S, N);
    N.At = Outer;
  };
  if (E->K == ExprKind::Load) {
    // Intermediate values may stand in an array, of the work-item or of the group.
    const Var *Base = E->Acc.Base;
    if ((Base->space() == AddressSpace::Private || Base->space() == AddressSpace::Local) && N.SeenVars.insert(Base).second)
      for (const AccessSite &A : K.accesses())
        if (A.A->Base == Base && A.IsWrite && A.S->K == StmtKind::Store)
          Assigned(A.S);
    // A colour that is looked up where the computation ended.
    if (N.Control && !N.InIndex) {
      N.InIndex = true;
      for (const Expr *Index : E->Acc.Index)
        collect(K, Index, N);
      N.InIndex = false;
    }
    return;
  }
  if (E->K == ExprKind::VarRef) {
    if (N.SeenVars.insert(E->V).second)
      for (const Stmt *Def : K.defs(E->V))
        if (Def->E)
          Assigned(Def);
    return;
  }
  // What did not parse may well be vectors; v[i] is one.
  if (E->K == ExprKind::Opaque && (StringRef(E->Text).contains("did not parse") || StringRef(E->Text).starts_with("vector component")))
    ++N.Vector;
  // The channels of a pixel that are put together: it came as a vector.
  if (E->K == ExprKind::Swizzle && E->Ty->isScalar() && E->Ops[0]->K == ExprKind::VarRef) {
    ArrayRef<const Stmt *> Defs = K.defs(E->Ops[0]->V);
    if (any_of(Defs, [](const Stmt *S) { return S->E && hasOpaque(S->E); })) {
      std::set<unsigned> &Taken = N.Components[E->Ops[0]->V];
      Taken.insert(E->LaneIdx.begin(), E->LaneIdx.end());
      N.Vector += Taken.size() > 1;
    }
  }
  bool Arithmetic = isComputed(K, E) || N.Masks.count(E);
  if (Arithmetic && E->K == ExprKind::Binary && !isComparison(E->O))
    for (const Expr *X : E->Ops)
      if (const Expr *From = stripCasts(X); From->K == ExprKind::Binary && isComparison(From->O))
        N.Masks.insert(From);
  // Integers that come from ids alone are addresses and counters; floating point is what is computed.
  Variation V = Arithmetic ? K.varies(E) : Variation();
  if (Arithmetic && E->Ty->isValue() && !changesNothing(K, E, N.At) && ((V.Data && !(N.InIndex && E->Ty->isInteger())) || (!E->Ty->isInteger() && !V.uniform()))) {
    bool OfVectors = E->Ty->isVector() || any_of(E->Ops, [](const Expr *X) { return X->Ty->isVector(); });
    bool Counts = OfVectors || N.Pays(E);
    uint64_t Times = knownRounds(*N.M, K, *N.Around, N.At);
    if (OfVectors)
      N.Vector += Times;
    else if (Counts) {
      N.Scalar += Times;
      if (E->Ops.empty() || !E->Ops[0]->Ty->isFloat())
        N.Integers = true;
      else
        N.Widest = std::max(N.Widest, sizeInBits(E->Ops[0]->Ty->Scalar));
    }
    if (Counts && E->Range.isValid() && (!N.First || isEarlier(K.kernel(), E->Range, N.First->Range)))
      N.First = E;
  }
  forEachOperand(*E, [&](const Expr *X) { collect(K, X, N); });
}

static void run(const Kernel &, Context &C) {
  const KernelAnalysis &K = C.analysis();
  // Where memory is gathered, there is nothing to make vectors of; who loads vectors has thought of them.
  unsigned Bits = 8;
  bool Regular = true;
  for (const AccessSite &A : K.accesses())
    if (A.A->Base->space() == AddressSpace::Global) {
      Regular &= isRegular(K, A) && A.A->Lanes == 1;
      Bits = std::max(Bits, sizeInBits(A.A->Elem));
    }
  std::vector<ContiguousBuffer> Buffers = contiguousScalars(C, {8, 16, 32, 64});
  if (Buffers.empty() && !Regular)
    return;
  if (!Buffers.empty())
    Bits = 8;
  for (const ContiguousBuffer &B : Buffers)
    Bits = std::max(Bits, sizeInBits(B.First->A->Elem));
  unsigned Lanes = C.device().arithmeticLanes(Bits);
  if (Lanes < 2)
    return;
  std::vector<const Stmt *> Pixels;
  walk(K.kernel().Body, [&](Stmt *S) {
    if (S->K == StmtKind::Opaque && !S->Args.empty() && StringRef(S->Name).starts_with("write_image"))
      Pixels.push_back(S);
    return true;
  });
  // What is stored; where that is little, what decides about it, too.
  auto Counted = [&](bool Control) {
    Count N;
    // Integers may be as narrow as the data; what is computed in float is as wide as float.
    N.Pays = [&](const Expr *E) {
      return E->Ty->isInteger() || C.device().arithmeticLanes(std::max(Bits, sizeInBits(E->Ty->Scalar))) > 1;
    };
    N.M = &C.module();
    N.Around = &conditions(C);
    if (Control) {
      N.Control = N.Around;
      N.Left = &leaves(C);
    }
    for (const AccessSite &A : K.accesses())
      if (A.IsWrite && A.S->K == StmtKind::Store && A.A->Base->space() == AddressSpace::Global) {
        N.At = A.S;
        if (!isCounter(A.S))
          collect(K, A.S->E, N);
        control(K, A.S, N);
      }
    // A pixel, of which the channels may be computed one by one.
    for (const Stmt *S : Pixels) {
      N.At = S;
      collect(K, S->Args.back(), N);
      control(K, S, N);
    }
    return N;
  };
  Count N = Counted(false);
  if (!N.Vector && int64_t(N.Scalar) < C.option("MinOperations"))
    N = Counted(true);
  // Who computes on vectors has thought of them; a colour made of the result does not count.
  constexpr uint64_t Mostly = 16;
  if (N.Scalar < Mostly * N.Vector || int64_t(N.Scalar) < C.option("MinOperations") || !N.First)
    return;
  // Where all of it is computed in float, that is how wide it is.
  if (N.Widest > Bits && !N.Integers) {
    Bits = N.Widest;
    Lanes = C.device().arithmeticLanes(Bits);
  }
  C.report(N.First->Range, utostr(N.Scalar) + (N.Scalar == 1 ? " operation computes on single " : " operations compute on single ") + utostr(Bits) + "-bit values")
      .cost("one operation takes " + utostr(Lanes) + " of them")
      .fix(Applicability::Verify, "clmali-rewrite --passes=vectorize");
}

CLMALI_KERNEL_CHECK("scalar-arithmetic", run);
