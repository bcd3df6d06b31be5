//===-- rewriters/use-builtins.cpp - What is a built-in by another name -----===//
//
// What it does: recognises hand-written min, max, clamp, abs and abs_diff of
// integers, as ternaries and as chains of ifs:
//
//   before                                   after
//   v < 0 ? 0 : (v > 255 ? 255 : v)          clamp(v, 0, 255)
//   if (v < lo) v = lo;                      v = max(v, lo);
//   a > b ? a - b : b - a                    (int)abs_diff(a, b)
//
// Exact: what is compared must be what is chosen, up to conversions that keep
// every value, so that signed stays signed and unsigned stays unsigned.
//
// Limits: integers only; a float comparison decides otherwise for NaN and -0
// than the built-ins do. clamp only of constants whose order is known: it is
// undefined where the lower bound is above the upper one.
//
//===----------------------------------------------------------------------===//

#include "rewriters/pass/Pass.h"
#include "rewriters/pass/Passes.h"
#include "llvm/ADT/STLExtras.h"

namespace clmali::rewrite {

using namespace model;

namespace {

using Wide = __int128;

bool preservesValue(ScalarKind From, ScalarKind To) {
  if (!isInteger(From) || !isInteger(To) || To == ScalarKind::Bool)
    return From == To;
  if (isSigned(From) && !isSigned(To))
    return false;
  return sizeInBits(From) + (isSigned(To) && !isSigned(From) ? 1 : 0) <= sizeInBits(To);
}

/// E without the conversions on top of it that keep every value.
const Expr *peel(const Expr *E) {
  while (E->K == ExprKind::Cast && E->C == CastOp::Convert && E->Ops[0]->Ty->isInteger() &&
         E->Ops[0]->Ty->Lanes == E->Ty->Lanes &&
         preservesValue(E->Ops[0]->Ty->Scalar, E->Ty->Scalar))
    E = E->Ops[0];
  return E;
}

bool sameValue(const Expr *A, const Expr *B) { return equal(peel(A), peel(B)); }

/// The value of a constant, or of all lanes of one.
std::optional<Wide> constantOf(const Expr *E) {
  E = peel(E);
  if (E->K == ExprKind::Cast && E->C == CastOp::Splat)
    E = E->Ops[0];
  std::optional<int64_t> V = constantValue(E);
  if (!V)
    return std::nullopt;
  return E->Ty->Scalar == ScalarKind::ULong ? Wide(uint64_t(*V)) : Wide(*V);
}

ScalarKind unsignedOf(ScalarKind K) {
  switch (sizeInBytes(K)) {
  case 1:
    return ScalarKind::UChar;
  case 2:
    return ScalarKind::UShort;
  case 4:
    return ScalarKind::UInt;
  default:
    return ScalarKind::ULong;
  }
}

/// V is compared, chosen, and there once: what is volatile or opaque is not.
bool mayRepeat(const Expr *E) {
  bool Pure = true;
  walk(E, [&](const Expr *X) {
    if (X->K == ExprKind::Opaque || (X->K == ExprKind::Load && X->Acc.Volatile))
      Pure = false;
    return Pure;
  });
  return Pure;
}

class Builtins {
public:
  Builtins(Module &M, Kernel &K) : M(M), K(K) {}
  unsigned run() {
    statements(K.Body);
    return Changes;
  }

private:
  Module &M;
  Kernel &K;
  unsigned Changes = 0;

  const Expr *make(llvm::StringRef Name, const Type *Ty, llvm::ArrayRef<const Expr *> Ops);
  const Expr *choice(const Expr *Cond, const Expr *A, const Expr *B);
  const Expr *againstConstant(const Expr *V, Wide T, const Expr *Low, const Expr *High);
  const Expr *nested(const Expr *E);
  const Expr *expression(const Expr *E);
  Stmt *branch(Stmt *S);
  void statements(StmtList &B);
};

const Expr *Builtins::make(llvm::StringRef Name, const Type *Ty, llvm::ArrayRef<const Expr *> Ops) {
  llvm::SmallVector<const Expr *, 3> Converted;
  for (const Expr *E : Ops) {
    std::optional<Wide> C = E->Ty == Ty ? std::nullopt : constantOf(E);
    Converted.push_back(C ? M.intConst(int64_t(*C), Ty) : M.cast(E, Ty, true));
  }
  const Expr *Call = M.call(Name, Ty, Converted);
  return Call;
}

/// A call of Name with one constant operand: the other, and the constant.
struct OneSided {
  const Expr *X;
  const Expr *Bound;
  Wide Value;
};
std::optional<OneSided> oneSided(const Expr *E, llvm::StringRef Name) {
  E = peel(E);
  if (E->K != ExprKind::Call || E->Name != Name || E->Ops.size() != 2)
    return std::nullopt;
  for (unsigned I : {1u, 0u})
    if (std::optional<Wide> C = constantOf(E->Ops[I]);
        C && E->Ops[1 - I]->Ty == E->Ty && E->Ops[I]->Ty == E->Ty)
      return OneSided{E->Ops[1 - I], E->Ops[I], *C};
  return std::nullopt;
}

/// V <= T ? Low : High.
const Expr *Builtins::againstConstant(const Expr *V, Wide T, const Expr *Low, const Expr *High) {
  const Type *Ty = Low->Ty;
  // A bound one step beside T chooses the same values.
  auto beside = [&](std::optional<Wide> C) { return C && (*C == T || *C == T + 1); };
  std::optional<Wide> CLow = constantOf(Low), CHigh = constantOf(High);
  if (sameValue(Low, V) && beside(CHigh))
    return make("min", Ty, {Low, High});
  if (sameValue(High, V) && beside(CLow))
    return make("max", Ty, {High, Low});
  if (beside(CLow))
    if (auto Min = oneSided(High, "min"); Min && sameValue(Min->X, V) && *CLow <= Min->Value)
      return make("clamp", Ty, {Min->X, Low, Min->Bound});
  if (beside(CHigh))
    if (auto Max = oneSided(Low, "max"); Max && sameValue(Max->X, V) && Max->Value <= *CHigh)
      return make("clamp", Ty, {Max->X, Max->Bound, High});
  if (isSigned(Ty->Scalar) && (T == 0 || T == -1) && Low->K == ExprKind::Unary &&
      Low->O == Op::Neg && sameValue(Low->Ops[0], V) && sameValue(High, V)) {
    const Type *Abs = M.value(unsignedOf(Ty->Scalar), Ty->Lanes);
    return M.cast(M.call("abs", Abs, {High}), Ty, !Ty->isVector());
  }
  return nullptr;
}

/// Cond ? A : B as a built-in, or null.
const Expr *Builtins::choice(const Expr *Cond, const Expr *A, const Expr *B) {
  if (!A->Ty->isInteger() || A->Ty != B->Ty || A->Ty->Scalar == ScalarKind::Bool)
    return nullptr;
  if (Cond->K == ExprKind::Unary && Cond->O == Op::LogicalNot && Cond->Ty->isScalar())
    return choice(Cond->Ops[0], B, A);
  if (Cond->K != ExprKind::Binary || Cond->O < Op::LT || Cond->O > Op::GE)
    return nullptr;
  const Expr *X = Cond->Ops[0], *Y = Cond->Ops[1];
  if (!X->Ty->isInteger() || X->Ty != Y->Ty || X->Ty->Lanes != A->Ty->Lanes || !mayRepeat(Cond))
    return nullptr;
  bool Strict = Cond->O == Op::LT || Cond->O == Op::GT;
  if (Cond->O == Op::GT || Cond->O == Op::GE)
    std::swap(X, Y);
  // X < Y ? A : B
  std::optional<Wide> CX = constantOf(X), CY = constantOf(Y);
  if (CX && CY)
    return nullptr;
  if (CY)
    return againstConstant(X, *CY - (Strict ? 1 : 0), A, B);
  if (CX)
    return againstConstant(Y, *CX - (Strict ? 0 : 1), B, A);
  if (sameValue(A, X) && sameValue(B, Y))
    return make("min", A->Ty, {A, B});
  if (sameValue(A, Y) && sameValue(B, X))
    return make("max", A->Ty, {A, B});
  auto isDifference = [](const Expr *E, const Expr *L, const Expr *R) {
    return E->K == ExprKind::Binary && E->O == Op::Sub && sameValue(E->Ops[0], L) &&
           sameValue(E->Ops[1], R);
  };
  if (isDifference(A, Y, X) && isDifference(B, X, Y)) {
    ScalarKind S = A->Ty->Scalar;
    if (sizeInBytes(S) < 4 && !A->Ty->isVector())
      return nullptr;
    const Type *Abs = M.value(unsignedOf(S), A->Ty->Lanes);
    return M.cast(M.call("abs_diff", Abs, {B->Ops[0], B->Ops[1]}), A->Ty, !A->Ty->isVector());
  }
  return nullptr;
}

/// min(max(x, lo), hi) and max(min(x, hi), lo) are clamp(x, lo, hi).
const Expr *Builtins::nested(const Expr *E) {
  if (E->K != ExprKind::Call || !E->Ty->isInteger())
    return nullptr;
  if (auto Min = oneSided(E, "min"))
    if (auto Max = oneSided(Min->X, "max"); Max && Max->Value <= Min->Value)
      return make("clamp", E->Ty, {Max->X, Max->Bound, Min->Bound});
  if (auto Max = oneSided(E, "max"))
    if (auto Min = oneSided(Max->X, "min"); Min && Max->Value <= Min->Value)
      return make("clamp", E->Ty, {Min->X, Max->Bound, Min->Bound});
  return nullptr;
}

const Expr *Builtins::expression(const Expr *E) {
  E = mapOperands(M, E, [&](const Expr *Op) { return expression(Op); });
  const Expr *New = nullptr;
  if (E->K == ExprKind::Select)
    New = choice(E->Ops[0], E->Ops[1], E->Ops[2]);
  if (const Expr *Clamp = nested(New ? New : E))
    New = Clamp;
  if (!New)
    return E;
  ++Changes;
  return New;
}

/// if (v > hi) v = hi; as an assignment, or null. The same for two stores to
/// one place.
Stmt *Builtins::branch(Stmt *S) {
  if (S->K != StmtKind::If || S->EarlyReturn || S->Body.size() != 1 || S->Else.size() > 1)
    return nullptr;
  Stmt *Then = S->Body[0], *Else = S->Else.empty() ? nullptr : S->Else[0];
  if (!Then->LaneIdx.empty() || (Else && (Else->K != Then->K || !Else->LaneIdx.empty())))
    return nullptr;
  const Expr *Other = nullptr;
  if (Then->K == StmtKind::Assign && (!Else || Else->V == Then->V))
    Other = Else ? Else->E : M.ref(Then->V);
  else if (Then->K == StmtKind::Store && Else && equal(Then->Acc, Else->Acc) &&
           !Then->Acc.Volatile && llvm::all_of(Then->Acc.Index, mayRepeat))
    Other = Else->E;
  if (!Other)
    return nullptr;
  const Expr *E = choice(S->E, Then->E, Other);
  if (!E)
    return nullptr;
  if (const Expr *Clamp = nested(E))
    E = Clamp;
  Stmt *New = M.newStmt(Then->K, S->Range);
  *New = *Then;
  New->E = E;
  New->Range = S->Range;
  New->Comments = S->Comments;
  for (const Stmt *From : {Then, Else})
    if (From)
      New->Comments.insert(New->Comments.end(), From->Comments.begin(), From->Comments.end());
  ++Changes;
  return New;
}

void Builtins::statements(StmtList &B) {
  StmtList Kept;
  for (Stmt *S : B) {
    forEachStmtList(*S, [&](StmtList &Nested) { statements(Nested); });
    mapExprs(M, *S, [&](const Expr *E) { return expression(E); });
    if (Stmt *New = branch(S))
      S = New;
    // v = max(.., lo); v = min(v, hi): one clamp.
    Stmt *Last = Kept.empty() ? nullptr : Kept.back();
    if (Last && S->K == StmtKind::Assign && S->LaneIdx.empty() && Last->LaneIdx.empty() &&
        (Last->K == StmtKind::Assign || Last->K == StmtKind::Decl) && Last->V == S->V && Last->E &&
        S->E->Ty->isInteger() && peel(Last->E)->K == ExprKind::Call) {
      for (auto [Outer, Inner] : {std::pair("min", "max"), std::pair("max", "min")}) {
        auto O = oneSided(S->E, Outer);
        auto I = oneSided(Last->E, Inner);
        if (!O || !I || peel(O->X)->K != ExprKind::VarRef || peel(O->X)->V != S->V)
          continue;
        const OneSided &Low = Outer[1] == 'a' ? *O : *I, &High = Outer[1] == 'a' ? *I : *O;
        if (Low.Value > High.Value)
          continue;
        Last->E =
            M.cast(make("clamp", peel(S->E)->Ty, {I->X, Low.Bound, High.Bound}), Last->E->Ty, true);
        Last->Comments.insert(Last->Comments.end(), S->Comments.begin(), S->Comments.end());
        ++Changes;
        S = nullptr;
        break;
      }
    }
    if (S)
      Kept.push_back(S);
  }
  B = std::move(Kept);
}

} // namespace

unsigned useBuiltins(Module &M, Kernel &K) { return Builtins(M, K).run(); }

static unsigned edit(PassState &S) {
  // Names that the source defines otherwise.
  for (llvm::StringRef Name : {"min", "max", "clamp", "abs", "abs_diff"})
    if (S.context().Hidden.contains(Name))
      return 0;
  return useBuiltins(S.module(), S.kernel());
}

CLMALI_PASS(.Id = "use-builtins", .ShownAs = "use-builtins",
            .Does = "Hand-written min, max, clamp, abs and abs_diff become the built-ins.",
            .Edit = edit, .Requires = NormalForm);

} // namespace clmali::rewrite
