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
// undefined where the lower bound is above the upper one. Which choices limit a
// value says the recogniser, which manual-clamp asks, too (pattern/MinMax.h).
//
//===----------------------------------------------------------------------===//

#include "checks/model/pattern/MinMax.h"
#include "rewriters/pass/Pass.h"
#include "rewriters/pass/Passes.h"
#include "llvm/ADT/STLExtras.h"

namespace clmali::rewrite {

using namespace model;
using namespace model::pattern;

namespace {

/// As equal, up to conversions that keep every value.
bool sameValue(const Expr *A, const Expr *B) {
  return equal(withoutExtensions(A), withoutExtensions(B));
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

class Builtins : KernelEditor {
public:
  explicit Builtins(const EditedKernel &E) : KernelEditor(E) {}
  unsigned run() {
    statements(K.Body);
    return Changes;
  }

private:
  unsigned Changes = 0;

  /// M as a call, if that is Exact; else null.
  const Expr *call(const std::optional<MinMax> &Found, const Type *Ty) {
    if (!Found || Found->P != MinMax::Exact)
      return nullptr;
    if (Found->F == MinMax::Clamp)
      return make("clamp", Ty, {Found->Value, Found->Low, Found->High});
    return make(Found->F == MinMax::Min ? "min" : "max", Ty, {Found->Value, Found->limit()});
  }
  const Expr *make(llvm::StringRef Name, const Type *Ty, llvm::ArrayRef<const Expr *> Ops);
  const Expr *difference(const Expr *E);
  const Expr *expression(const Expr *E, const Stmt *At);
  Stmt *branch(Stmt *S);
  bool joinWithLast(Stmt *Last, const Stmt *S);
  void statements(StmtList &B);
};

const Expr *Builtins::make(llvm::StringRef Name, const Type *Ty, llvm::ArrayRef<const Expr *> Ops) {
  llvm::SmallVector<const Expr *, 3> Converted;
  for (const Expr *E : Ops) {
    std::optional<__int128> C = E->Ty == Ty ? std::nullopt : integerConstant(E);
    Converted.push_back(C ? M.intConst(int64_t(*C), Ty) : M.cast(E, Ty, true));
  }
  return M.call(Name, Ty, Converted);
}

/// a > b ? a - b : b - a, and v < 0 ? -v : v; or null.
const Expr *Builtins::difference(const Expr *E) {
  const Expr *Cond = E->Ops[0], *Less = E->Ops[1], *More = E->Ops[2];
  if (!E->Ty->isInteger() || Less->Ty != More->Ty || Cond->K != ExprKind::Binary ||
      Cond->O < Op::LT || Cond->O > Op::GE || Cond->Ops[0]->Ty->Lanes != E->Ty->Lanes)
    return nullptr;
  const Expr *X = Cond->Ops[0], *Y = Cond->Ops[1];
  if (Cond->O == Op::GT || Cond->O == Op::GE)
    std::swap(Less, More);
  ScalarKind S = E->Ty->Scalar;
  const Type *Magnitude = M.value(unsignedOf(S), E->Ty->Lanes);
  // X < 0 ? -X : X; for X = 0 either choice is right.
  if (isSigned(S) && integerConstant(Y) == 0 && Less->K == ExprKind::Unary && Less->O == Op::Neg &&
      sameValue(Less->Ops[0], X) && sameValue(More, X))
    return M.cast(M.call("abs", Magnitude, {More}), E->Ty, !E->Ty->isVector());
  auto Is = [](const Expr *E, const Expr *L, const Expr *R) {
    return E->K == ExprKind::Binary && E->O == Op::Sub && sameValue(E->Ops[0], L) &&
           sameValue(E->Ops[1], R);
  };
  if (Is(Less, Y, X) && Is(More, X, Y) && (sizeInBytes(S) >= 4 || E->Ty->isVector()))
    return M.cast(M.call("abs_diff", Magnitude, {More->Ops[0], More->Ops[1]}), E->Ty,
                  !E->Ty->isVector());
  return nullptr;
}

const Expr *Builtins::expression(const Expr *E, const Stmt *At) {
  E = mapOperands(M, E, [&](const Expr *Op) { return expression(Op, At); });
  if (!E->Ty->isInteger() || (E->K != ExprKind::Select && E->K != ExprKind::Call))
    return E;
  std::optional<MinMax> Found = asMinMax(E, [&](const Expr *X) { return A.range(X, At); });
  if (Found && E->K == ExprKind::Call && Found->F != MinMax::Clamp)
    return E;
  const Expr *New = call(Found, E->Ty);
  if (!New && E->K == ExprKind::Select)
    New = difference(E);
  Changes += New != nullptr;
  return New ? New : E;
}

/// if (v > hi) v = hi; as an assignment, or null. The same for two stores to
/// one place.
Stmt *Builtins::branch(Stmt *S) {
  std::optional<LimitedTarget> Found = asLimitedTarget(
      S, [&](const Expr *X) { return A.range(X, S); }, [](const Stmt *) { return false; });
  if (!Found || !Found->Set->LaneIdx.empty())
    return nullptr;
  const Expr *E = call(Found->M, Found->Set->E->Ty);
  if (!E)
    return nullptr;
  Stmt *New = M.newStmt(Found->Set->K, S->Range);
  *New = *Found->Set;
  New->E = E;
  New->Range = S->Range;
  New->Comments = S->Comments;
  for (const StmtList *From : {&S->Body, &S->Else})
    for (const Stmt *Old : *From)
      New->Comments.insert(New->Comments.end(), Old->Comments.begin(), Old->Comments.end());
  ++Changes;
  return New;
}

/// v = max(.., lo); v = min(v, hi): one clamp, in Last.
bool Builtins::joinWithLast(Stmt *Last, const Stmt *S) {
  if (!Last || S->K != StmtKind::Assign || !S->LaneIdx.empty() || !Last->LaneIdx.empty() ||
      (Last->K != StmtKind::Assign && Last->K != StmtKind::Decl) || Last->V != S->V || !Last->E ||
      !S->E->Ty->isInteger())
    return false;
  auto Of = [&](const Expr *X) { return A.range(X); };
  std::optional<MinMax> Inner = asMinMax(Last->E, Of), Outer = asMinMax(S->E, Of);
  if (!Inner || !Outer || Inner->F == MinMax::Clamp || Outer->F == MinMax::Clamp ||
      withoutExtensions(S->E)->K != ExprKind::Call ||
      withoutExtensions(Outer->Value)->K != ExprKind::VarRef ||
      withoutExtensions(Outer->Value)->V != S->V)
    return false;
  const Type *Ty = Outer->Value->Ty;
  const Expr *Whole =
      M.call(withoutExtensions(S->E)->Name, Ty, {M.cast(Last->E, Ty, true), Outer->limit()});
  const Expr *New = call(asMinMax(Whole, Of), Ty);
  if (!New || New->Name != "clamp")
    return false;
  Last->E = M.cast(New, Last->E->Ty, true);
  Last->Comments.insert(Last->Comments.end(), S->Comments.begin(), S->Comments.end());
  ++Changes;
  return true;
}

void Builtins::statements(StmtList &B) {
  StmtList Kept;
  for (Stmt *S : B) {
    forEachStmtList(*S, [&](StmtList &Nested) { statements(Nested); });
    mapExprs(M, *S, [&](const Expr *E) { return expression(E, S); });
    if (Stmt *New = branch(S))
      S = New;
    if (!joinWithLast(Kept.empty() ? nullptr : Kept.back(), S))
      Kept.push_back(S);
  }
  B = std::move(Kept);
}

} // namespace

unsigned useBuiltins(const EditedKernel &E) { return Builtins(E).run(); }

static unsigned edit(PassState &S) {
  // Names that the source defines otherwise.
  for (llvm::StringRef Name : {"min", "max", "clamp", "abs", "abs_diff"})
    if (S.context().Hidden.contains(Name))
      return 0;
  return useBuiltins(S.editedKernel());
}

CLMALI_PASS(.Id = "use-builtins", .ShownAs = "use-builtins",
            .Does = "Hand-written min, max, clamp, abs and abs_diff become the built-ins.",
            .Edit = edit, .Requires = NormalForm);

} // namespace clmali::rewrite
