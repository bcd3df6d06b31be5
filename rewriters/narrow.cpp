//===-- rewriters/narrow.cpp - Integers in fewer bits ----------------------===//
//
// What it does: computes vectors of integers in the narrowest type in which
// every intermediate value provably fits, so that results are the same:
//
//   before                                        after
//   int16 t = convert_int16(a) * 9;               short16 t = convert_short16(a) * (short)9;
//   t -= convert_int16(b);                        t -= convert_short16(b);
//   d = convert_uchar16(clamp(t, 0, 255));        d = convert_uchar16(clamp(t, ...));
//
// How: for each expression the cost, in registers of 128 bits, of making it in
// its own type and in each narrower one, from the bottom up; conversions count
// as operations. Variables take the narrowest type in which all that they are
// given is no dearer than before.
//
// Limits: vectors of 4 lanes and more; scalars are left alone. 8-bit arithmetic
// only where nothing has to be converted for it. Nothing that would wrap in the
// narrower type, even where the wrap would not show: signed overflow is
// undefined.
//
//===----------------------------------------------------------------------===//

#include "checks/model/pattern/NarrowRange.h"
#include "checks/model/pattern/Opaque.h"
#include "rewriters/pass/Pass.h"
#include "rewriters/pass/Passes.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>
#include <map>

namespace clmali::rewrite {

using namespace model;

namespace {

/// An expression, and how many 128-bit operations it takes.
struct Made {
  double Cost = HUGE_VAL;
  const Expr *E = nullptr;
  explicit operator bool() const { return E; }
};
void keep(Made &Best, Made New) {
  if (New && New.Cost < Best.Cost)
    Best = New;
}

bool isIntVector(const Expr *E) {
  return E->Ty->isVector() && E->Ty->isInteger() && E->Ty->Scalar != ScalarKind::Bool;
}

/// Is there a comparison at the bottom: lanes of 0 and -1?
bool isMask(const Expr *E) {
  return (E->K == ExprKind::Binary &&
          (isComparison(E->O) || E->O == Op::LogicalAnd || E->O == Op::LogicalOr)) ||
         (E->K == ExprKind::Unary && E->O == Op::LogicalNot);
}

/// As a variable may be typed, best first. 16 bits: signed or unsigned first.
using Order = std::vector<ScalarKind>;
const Order SignedFirst = {ScalarKind::UChar,  ScalarKind::Char, ScalarKind::Short,
                           ScalarKind::UShort, ScalarKind::Int,  ScalarKind::UInt};
const Order UnsignedFirst = {ScalarKind::UChar, ScalarKind::Char, ScalarKind::UShort,
                             ScalarKind::Short, ScalarKind::UInt, ScalarKind::Int};

class Narrower : KernelEditor {
public:
  /// Padded: lanes of fewer than 32 bits take no fewer instructions, so comparisons stay wide.
  /// HasClamp: the built-in can be written.
  Narrower(const EditedKernel &E, std::vector<RefusalAt> &Refusals, bool Padded = false,
           bool HasClamp = true)
      : KernelEditor(E), Refusals(Refusals), Padded(Padded), HasClamp(HasClamp) {}
  unsigned run();

private:
  std::vector<RefusalAt> &Refusals;
  const bool Padded, HasClamp;

  struct Definition {
    Stmt *S;
    unsigned Weight; ///< how often it runs, roughly
  };
  std::map<Var *, std::vector<Definition>> Candidates;
  std::vector<Var *> CandidateOrder;
  llvm::DenseMap<const Var *, ScalarKind> Chosen;
  const Stmt *At = nullptr;
  llvm::DenseMap<const Expr *, Made> Own;
  std::map<std::pair<const Expr *, ScalarKind>, Made> Narrow;
  /// Not forgotten: the analysis is about the kernel before any statement was changed.
  llvm::DenseMap<std::pair<const Expr *, const Stmt *>, Range> Ranges;

  void enter(const Stmt *S) {
    At = S;
    Own.clear();
    Narrow.clear();
  }
  Range range(const Expr *E) {
    auto [It, New] = Ranges.try_emplace({E, At});
    if (New)
      It->second = A.range(E, At);
    return It->second;
  }
  bool fits(const Expr *E, ScalarKind N) { return rangeOf(N).contains(range(E)); }

  double width(const Type *Ty) {
    return Ty->isVector() ? double(Ty->Lanes) * sizeInBits(Ty->Scalar) / 128 : 0;
  }
  Made converted(Made X, const Type *Ty);
  Made direct(const Expr *E);
  Made computeDirect(const Expr *E);
  Made narrowed(const Expr *E, ScalarKind N);
  Made computeNarrowed(const Expr *E, ScalarKind N);
  Made own(const Expr *E);
  Made as(const Expr *E, ScalarKind N);
  Made compared(const Expr *E, const Expr *With, ScalarKind N);
  void findCandidates();
  double choose(const Order &O);
  double total(bool Apply, unsigned &Changes);
  double total(StmtList &B, unsigned Weight, bool Apply, unsigned &Changes);
  void noteOverflow(const Stmt *S, const Expr *E);
  bool HasVectors = false;
};

Made Narrower::converted(Made X, const Type *Ty) {
  if (!X || X.E->Ty == Ty)
    return X;
  // 8 bits only where nothing is converted for it.
  double Cost = sizeInBits(X.E->Ty->Scalar) == sizeInBits(Ty->Scalar)
                    ? 0.25
                    : std::max(width(X.E->Ty), width(Ty));
  return {X.Cost + Cost, M.cast(X.E, Ty)};
}

Made Narrower::direct(const Expr *E) {
  auto It = Own.find(E);
  if (It != Own.end())
    return It->second;
  Made R = computeDirect(E);
  Own[E] = R;
  return R;
}

/// E in its own type, from its operands in whatever type is cheapest.
Made Narrower::computeDirect(const Expr *E) {
  if (E->K == ExprKind::VarRef) {
    auto It = Chosen.find(E->V);
    if (It == Chosen.end())
      return {0, E};
    Expr *Ref = M.newExpr(ExprKind::VarRef, M.value(It->second, E->Ty->Lanes), E->Range);
    Ref->V = E->V;
    return converted({0, Ref}, E->Ty);
  }
  if (E->K == ExprKind::Cast && (E->C == CastOp::Convert || E->C == CastOp::Builtin) &&
      isIntVector(E->Ops[0])) {
    // What is converted depends on the value, not on the type that held it.
    const Expr *X = E->Ops[0];
    llvm::SmallVector<Made, 8> Options = {direct(X)};
    for (ScalarKind N : SignedFirst)
      Options.push_back(narrowed(X, N));
    Made Best;
    for (Made &O : Options) {
      if (!O)
        continue;
      if (O.E->Ty == E->Ty) {
        keep(Best, O);
        continue;
      }
      Expr *N = M.newExpr(ExprKind::Cast, E->Ty, E->Range);
      *N = *E;
      N->Ops = {O.E};
      keep(Best, {O.Cost + std::max(width(O.E->Ty), width(E->Ty)), N});
    }
    return Best;
  }
  Made Best;
  if (E->K == ExprKind::Swizzle && isIntVector(E->Ops[0]))
    // Lanes are taken before they are widened.
    for (ScalarKind N : SignedFirst)
      if (Made X = narrowed(E->Ops[0], N)) {
        Made Lanes{X.Cost + width(E->Ty), M.swizzle(X.E, E->LaneIdx)};
        keep(Best, converted(Lanes, E->Ty));
      }
  Made R{0, nullptr};
  R.E = mapOperands(M, E, [&](const Expr *Op) {
    Made X = own(Op);
    R.Cost += X.Cost;
    return X.E;
  });
  bool Free = E->K == ExprKind::Load || (E->K == ExprKind::Cast && E->C == CastOp::Splat);
  // Comparisons work on their operands' width.
  const Type *Worked = isMask(E) ? E->Ops[0]->Ty : E->Ty;
  R.Cost += Free ? 0 : width(Worked);
  keep(Best, R);
  return Best;
}

Made Narrower::narrowed(const Expr *E, ScalarKind N) {
  auto Key = std::pair(E, N);
  auto It = Narrow.find(Key);
  if (It != Narrow.end())
    return It->second;
  Narrow[Key] = Made();
  Made R;
  bool Less = isIntVector(E) && sizeInBits(N) < sizeInBits(E->Ty->Scalar);
  if (Less && fits(E, N))
    R = computeNarrowed(E, N);
  return Narrow[Key] = R;
}

/// E, whose values all fit N, computed in N; nothing if that is not exact.
Made Narrower::computeNarrowed(const Expr *E, ScalarKind N) {
  const Type *Ty = M.value(N, E->Ty->Lanes);
  unsigned Bits = sizeInBits(N);
  auto Kind = [&](bool Signed) {
    switch (Bits) {
    case 8:
      return Signed ? ScalarKind::Char : ScalarKind::UChar;
    case 16:
      return Signed ? ScalarKind::Short : ScalarKind::UShort;
    default:
      return Signed ? ScalarKind::Int : ScalarKind::UInt;
    }
  };
  auto make = [&](double Cost, llvm::ArrayRef<Made> Ops, const Type *Result) -> Made {
    Expr *New = M.newExpr(E->K, Result, E->Range);
    *New = *E;
    New->Ty = Result;
    New->Ops.clear();
    for (const Made &X : Ops) {
      if (!X)
        return {};
      Cost += X.Cost;
      New->Ops.push_back(X.E);
    }
    return {Cost, New};
  };
  switch (E->K) {
  case ExprKind::VarRef: {
    auto It = Chosen.find(E->V);
    if (It == Chosen.end() || It->second != N)
      return {};
    Expr *Ref = M.newExpr(ExprKind::VarRef, Ty, E->Range);
    Ref->V = E->V;
    return {0, Ref};
  }
  case ExprKind::Cast: {
    const Expr *X = E->Ops[0];
    if (!X->Ty->isInteger() || X->Ty->Scalar == ScalarKind::Bool)
      return {};
    if (E->C == CastOp::Splat) {
      if (!fits(X, N))
        return {};
      Made S = own(X);
      if (auto C = constantValue(X))
        S.E = M.intConst(*C, N);
      return {S.Cost, M.cast(M.cast(S.E, M.value(N), true), Ty, true)};
    }
    if (E->C != CastOp::Convert || !rangeOf(E->Ty->Scalar).contains(range(X)))
      return {};
    // The conversion keeps the value: N of it is N of the operand.
    if (X->Ty == Ty)
      return own(X);
    if (sizeInBits(X->Ty->Scalar) > Bits)
      return narrowed(X, N);
    if (Bits == 8)
      return {};
    return converted(own(X), Ty);
  }
  case ExprKind::Unary: {
    if (E->O == Op::LogicalNot) {
      Made Best;
      for (bool Signed : {true, false})
        keep(Best, make(width(Ty), {as(E->Ops[0], Kind(Signed))}, Ty));
      return isSigned(N) ? Best : Made();
    }
    return make(width(Ty), {as(E->Ops[0], N)}, Ty);
  }
  case ExprKind::Binary: {
    const Expr *X = E->Ops[0], *Y = E->Ops[1];
    if (!isIntVector(X))
      return {};
    if (isMask(E)) {
      // The mask is as wide as what is compared.
      if (!isSigned(N) || !isIntVector(Y))
        return {};
      Made Best;
      for (bool Signed : {true, false}) {
        ScalarKind P = Kind(Signed);
        Made L = isComparison(E->O) ? compared(X, Y, P) : as(X, P);
        Made R = isComparison(E->O) ? compared(Y, X, P) : as(Y, P);
        keep(Best, make(width(Ty), {L, R}, Ty));
      }
      return Best;
    }
    if (E->O == Op::Shl || E->O == Op::Shr) {
      // Counts are taken modulo the width: they must mean the same in N.
      if (!Range{0, int64_t(Bits) - 1}.contains(range(Y)))
        return {};
      if (Y->Ty->isScalar())
        return make(width(Ty), {as(X, N), own(Y)}, Ty);
    }
    return make(width(Ty), {as(X, N), as(Y, N)}, Ty);
  }
  case ExprKind::Select: {
    const Expr *C = E->Ops[0];
    Made Cond = C->Ty->isScalar() ? own(C) : as(C, Kind(true));
    // A mask of wider lanes is converted rather than what it selects.
    if (!Cond && !Padded && isIntVector(C) && isMask(C)) {
      const Type *MaskTy = M.value(Kind(true), Ty->Lanes);
      keep(Cond, converted(own(C), MaskTy));
      for (ScalarKind Other : SignedFirst)
        keep(Cond, converted(narrowed(C, Other), MaskTy));
    }
    return make(width(Ty), {Cond, as(E->Ops[1], N), as(E->Ops[2], N)}, Ty);
  }
  case ExprKind::Swizzle:
    if (!isIntVector(E->Ops[0]))
      return {};
    return make(width(Ty), {as(E->Ops[0], N)}, Ty);
  case ExprKind::VectorCtor: {
    llvm::SmallVector<Made, 16> Parts;
    for (const Expr *P : E->Ops) {
      if (!fits(P, N))
        return {};
      Made S = P->Ty->isVector() ? as(P, N) : own(P);
      if (P->Ty->isScalar())
        S.E = M.cast(S.E, M.value(N), true);
      Parts.push_back(S);
    }
    return make(width(Ty), Parts, Ty);
  }
  case ExprKind::Call: {
    llvm::StringRef Name = E->Name;
    if (Name == "min" || Name == "max" || Name == "clamp") {
      llvm::SmallVector<Made, 3> Ops;
      for (const Expr *X : E->Ops) {
        if (X->Ty->isVector()) {
          Ops.push_back(as(X, N));
          continue;
        }
        // One bound for all lanes.
        if (!fits(X, N))
          return {};
        Made S = own(X);
        std::optional<int64_t> C = constantValue(X);
        S.E = C ? M.intConst(*C, N) : M.cast(S.E, M.value(N), true);
        Ops.push_back(S);
      }
      return make(width(Ty), Ops, Ty);
    }
    if (!llvm::all_of(E->Ops, isIntVector))
      return {};
    if (Name == "select")
      return make(width(Ty), {as(E->Ops[0], N), as(E->Ops[1], N), as(E->Ops[2], Kind(true))}, Ty);
    if (Name == "abs" || Name == "abs_diff") {
      // Results are unsigned, whatever the operands are.
      Made Best;
      const Type *Abs = M.value(Kind(false), Ty->Lanes);
      for (bool Signed : {true, false}) {
        llvm::SmallVector<Made, 3> Ops;
        for (const Expr *X : E->Ops)
          Ops.push_back(as(X, Kind(Signed)));
        keep(Best, converted(make(width(Ty), Ops, Abs), Ty));
      }
      return Best;
    }
    return {};
  }
  default:
    return {};
  }
}

/// E in its own type.
Made Narrower::own(const Expr *E) {
  Made Best = direct(E);
  if (isIntVector(E) && E->Ty->Lanes >= 2)
    for (ScalarKind N : SignedFirst)
      keep(Best, converted(narrowed(E, N), E->Ty));
  return Best;
}

/// E in N, which must hold its values; nothing if it does not.
Made Narrower::as(const Expr *E, ScalarKind N) {
  if (!isIntVector(E))
    return {};
  const Type *Ty = M.value(N, E->Ty->Lanes);
  if (E->Ty == Ty)
    return own(E);
  if (!fits(E, N))
    return {};
  Made Best = narrowed(E, N);
  if (sizeInBits(N) == 8)
    return Best;
  keep(Best, converted(direct(E), Ty));
  for (ScalarKind Other : SignedFirst)
    if (Other != N)
      keep(Best, converted(narrowed(E, Other), Ty));
  return Best;
}

/// E in N, or a value in N that compares with each value of With as E does: a scalar may be clamped
/// to the values of With and one more on each side.
Made Narrower::compared(const Expr *E, const Expr *With, ScalarKind N) {
  bool Scalar = E->K == ExprKind::Cast && E->C == CastOp::Splat && E->Ops[0]->Ty->isInteger() &&
                E->Ops[0]->Ty->Scalar == E->Ty->Scalar;
  if (!Scalar || Padded || !fits(With, N) || fits(E, N))
    return as(E, N);
  const Range Kind = rangeOf(E->Ty->Scalar), Of = range(With);
  Range To{std::max(Of.Lo - 1, Kind.Lo), std::min(Of.Hi + 1, Kind.Hi)};
  if (!rangeOf(N).contains(To) || !HasClamp)
    return {};
  Made S = own(E->Ops[0]);
  const Expr *Lo = M.intConst(To.Lo, E->Ty->Scalar), *Hi = M.intConst(To.Hi, E->Ty->Scalar);
  const Expr *Clamped = M.call("clamp", E->Ops[0]->Ty, {S.E, Lo, Hi});
  return {S.Cost, M.cast(M.cast(Clamped, M.value(N)), M.value(N, E->Ty->Lanes), true)};
}

//===----------------------------------------------------------------------===//
// Variables
//===----------------------------------------------------------------------===//

void Narrower::findCandidates() {
  llvm::DenseSet<const Var *> Bad;
  std::function<void(StmtList &, unsigned)> visit = [&](StmtList &B, unsigned Weight) {
    for (Stmt *S : B) {
      if (S->V) {
        bool Plain = (S->K == StmtKind::Decl || S->K == StmtKind::Assign) && S->LaneIdx.empty() &&
                     (S->K != StmtKind::Decl || S->Text.empty());
        if (!Plain || S->V->K != Var::Temp)
          Bad.insert(S->V);
        else if (S->V->Ty->isVector() && S->V->Ty->isInteger() && S->V->Ty->Lanes >= 2 &&
                 sizeInBits(S->V->Ty->Scalar) >= 16) {
          if (!Candidates.contains(S->V))
            CandidateOrder.push_back(S->V);
          auto &Defs = Candidates[S->V];
          if (S->E)
            Defs.push_back({S, Weight});
        }
      }
      forEachStmtList(*S, [&](StmtList &N) {
        visit(N, S->K == StmtKind::Loop ? std::min(Weight * 8, 1u << 20) : Weight);
      });
    }
  };
  visit(K.Body, 1);
  llvm::erase_if(CandidateOrder, [&](Var *V) {
    bool Out = Bad.contains(V) || Candidates[V].empty();
    if (Out)
      Candidates.erase(V);
    return Out;
  });
}

/// Types for all candidates; what everything then costs.
double Narrower::choose(const Order &O) {
  Chosen.clear();
  std::map<Var *, unsigned> Place;
  auto fitting = [&](Var *V, unsigned From) -> bool {
    Range R = A.range(V);
    for (const Definition &D : Candidates[V]) {
      enter(D.S);
      Range X = range(D.S->E);
      R = {std::min(R.Lo, X.Lo), std::max(R.Hi, X.Hi)};
    }
    for (unsigned I = From; I < O.size(); ++I)
      if (sizeInBits(O[I]) < sizeInBits(V->Ty->Scalar) && rangeOf(O[I]).contains(R)) {
        Place[V] = I;
        Chosen[V] = O[I];
        return true;
      }
    Place.erase(V);
    Chosen.erase(V);
    return false;
  };
  for (Var *V : CandidateOrder)
    fitting(V, 0);
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (Var *V : CandidateOrder) {
      if (!Place.contains(V))
        continue;
      bool Good = true;
      double Before = 0, After = 0;
      for (const Definition &D : Candidates[V]) {
        enter(D.S);
        Made N = as(D.S->E, Chosen[V]);
        Good &= bool(N);
        After += N.Cost * D.Weight;
        Before += own(D.S->E).Cost * D.Weight;
      }
      if (Good && After <= Before)
        continue;
      fitting(V, Place[V] + 1);
      Changed = true;
    }
  }
  unsigned Ignored = 0;
  return total(K.Body, 1, /*Apply=*/false, Ignored);
}

double Narrower::total(StmtList &B, unsigned Weight, bool Apply, unsigned &Changes) {
  double Sum = 0;
  for (Stmt *S : B) {
    enter(S);
    bool Changed = false;
    bool Defines = (S->K == StmtKind::Decl || S->K == StmtKind::Assign) && S->E;
    auto Type = Defines ? Chosen.find(S->V) : Chosen.end();
    auto one = [&](const Expr *E) -> const Expr * {
      Made X = Type != Chosen.end() && E == S->E ? as(E, Type->second) : own(E);
      Sum += X.Cost * Weight;
      Changed |= X.E != E;
      return X.E;
    };
    if (Apply)
      mapExprs(M, *S, one);
    else
      forEachExpr(*S, [&](const Expr *E) { one(E); });
    Changes += Changed;
    forEachStmtList(*S, [&](StmtList &N) {
      Sum += total(N, S->K == StmtKind::Loop ? std::min(Weight * 8, 1u << 20) : Weight, Apply,
                   Changes);
    });
  }
  return Sum;
}

/// Says where the sum, product or shift of narrow values gets too large.
void Narrower::noteOverflow(const Stmt *S, const Expr *E) {
  enter(S);
  auto narrowOperand = [&](const Expr *X) { return pattern::fits16Bits(range(X)); };
  walk(E, [&](const Expr *X) {
    if (X->K == ExprKind::Load)
      return false; // indices stay as they are
    bool Grows = X->K == ExprKind::Binary &&
                 (X->O == Op::Add || X->O == Op::Sub || X->O == Op::Mul || X->O == Op::Shl);
    bool Vector = isIntVector(X) && X->Ty->Lanes >= 4;
    bool Scalar = !HasVectors && X->Ty->isScalar() && X->Ty->isInteger();
    if (!Grows || !(Vector || Scalar) || sizeInBits(X->Ty->Scalar) != 32)
      return true;
    // The innermost place where it breaks. A sum over a loop breaks by its length.
    bool Sums =
        S->K == StmtKind::Assign && X == S->E && X->O == Op::Add &&
        ((X->Ops[0]->K == ExprKind::VarRef && X->Ops[0]->V == S->V && narrowOperand(X->Ops[1])) ||
         (X->Ops[1]->K == ExprKind::VarRef && X->Ops[1]->V == S->V && narrowOperand(X->Ops[0]))) &&
        !constantValue(X->Ops[0]) && !constantValue(X->Ops[1]);
    if (narrowOperand(X) ||
        (!Sums && (!narrowOperand(X->Ops[0]) || (X->O != Op::Shl && !narrowOperand(X->Ops[1])))))
      return true;
    bool BothConstant = X->Ops[0]->K == ExprKind::Cast && X->Ops[1]->K == ExprKind::Cast &&
                        X->Ops[0]->C == CastOp::Splat && X->Ops[1]->C == CastOp::Splat;
    if (BothConstant)
      return true;
    Range R = range(X);
    RefusalAt Refused;
    Refused.Why = Refusal::NarrowingOverflow;
    Refused.Pass = "narrow";
    Refused.Detail = "'" + spelling(X->O).str() + "' gives values from " + std::to_string(R.Lo) +
                     " to " + std::to_string(R.Hi) + ", which 16 bits do not hold";
    Refused.Range = X->Range.isValid() ? X->Range : S->Range;
    Refusals.push_back(std::move(Refused));
    return false;
  });
}

unsigned Narrower::run() {
  if (pattern::hasOpaqueParts(K))
    return 0;
  HasVectors = llvm::any_of(K.Vars, [](const Var *V) { return V->Ty->isVector(); });
  walk(K.Body, [&](Stmt *S) {
    forEachExpr(*S, [&](const Expr *E) { noteOverflow(S, E); });
    return true;
  });
  findCandidates();
  // What it costs as it stands.
  double Before = 0;
  std::function<void(const StmtList &, unsigned)> count = [&](const StmtList &B, unsigned Weight) {
    for (Stmt *S : B) {
      forEachExpr(*S, [&](const Expr *E) {
        walk(E, [&](const Expr *X) {
          bool Free = X->K == ExprKind::Load || X->K == ExprKind::VarRef ||
                      (X->K == ExprKind::Cast && X->C == CastOp::Splat);
          bool IsConvert = X->K == ExprKind::Cast && X->C != CastOp::Splat;
          double Cost = width(isMask(X) ? X->Ops[0]->Ty : X->Ty);
          if (IsConvert)
            Cost = std::max(Cost, width(X->Ops[0]->Ty));
          Before += Free ? 0 : Cost * Weight;
          return true;
        });
      });
      forEachStmtList(*S, [&](StmtList &N) {
        count(N, S->K == StmtKind::Loop ? std::min(Weight * 8, 1u << 20) : Weight);
      });
    }
  };
  count(K.Body, 1);
  double Signed = choose(SignedFirst), Unsigned = choose(UnsignedFirst);
  double After = Unsigned;
  if (Signed <= Unsigned)
    After = choose(SignedFirst);
  if (After >= Before)
    return 0;
  unsigned Changes = 0;
  total(K.Body, 1, /*Apply=*/true, Changes);
  for (Var *V : CandidateOrder) {
    auto It = Chosen.find(V);
    if (It == Chosen.end())
      continue;
    V->Ty = M.value(It->second, V->Ty->Lanes);
    V->Spelling.clear();
    ++Changes;
  }
  // Bounds are known now that were not: t + p * -2 is t - p * 2.
  walk(K.Body, [&](Stmt *S) {
    if (S->E && S->E->Ty->isVector() && S->E->Ty->isInteger())
      S->E = simplify(M, S->E);
    return true;
  });
  return Changes;
}

} // namespace

unsigned narrow(const EditedKernel &E, std::vector<RefusalAt> &Refusals) {
  return Narrower(E, Refusals).run();
}

static unsigned edit(PassState &S) {
  std::vector<RefusalAt> Refusals;
  unsigned Done = Narrower(S.editedKernel(), Refusals, S.device().PadsSubword,
                           !S.context().Hidden.contains("clamp"))
                      .run();
  S.refuseIfNamed(Refusals);
  return Done;
}

CLMALI_PASS(.Id = "narrow", .ShownAs = "narrow",
            .Does =
                "Vectors of integers are computed in the narrowest type that holds every value.",
            .Edit = edit);

} // namespace clmali::rewrite
