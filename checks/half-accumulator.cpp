//===- half-accumulator.cpp -------------------------------------------------------------------===//
//
// Before: half s = 0; for (k < n) s += a[k] * b[k];
// After:  float s = 0; for (k < n) s += (float)a[k] * (float)b[k];     converted once at the end
// Limits: sums in variables, in private arrays and in elements of buffers.
//
//===------------------------------------------------------------------------------------------===//

#include "checks/query/Evidence.h"
#include "checks/query/Query.h"
#include <set>

using namespace llvm;
using namespace clmali;
using namespace clmali::checks;
using namespace clmali::model;

static bool isHalf(const Type *T) { return T->isFloat() && T->Scalar == ScalarKind::Half; }

/// The operand that E adds to a value for which IsSum holds; null: E adds nothing to it.
static const Expr *addedTo(const Expr *E, function_ref<bool(const Expr *)> IsSum) {
  // A conversion to half and back changes the type only.
  while (E->K == ExprKind::Cast && isHalf(E->Ty))
    E = E->Ops[0];
  if (E->K == ExprKind::Binary && (E->O == Op::Add || E->O == Op::Sub)) {
    if (IsSum(E->Ops[0]))
      return E->Ops[1];
    if (E->O == Op::Add && IsSum(E->Ops[1]))
      return E->Ops[0];
    // s + a + b
    if (const Expr *Added = addedTo(E->Ops[0], IsSum))
      return Added;
    return E->O == Op::Add ? addedTo(E->Ops[1], IsSum) : nullptr;
  }
  if (E->K == ExprKind::Call && (E->Name == "fma" || E->Name == "mad") && IsSum(E->Ops[2]))
    return E->Ops[0];
  return nullptr;
}

/// True if the loop halves or doubles a variable for its next trip: a tree of partial sums.
static bool isTree(const Stmt *Loop) {
  auto Scales = [](const Stmt *S) {
    return S->K == StmtKind::Assign && S->E && S->V->Ty->isInteger() &&
           any_of(exprs(S->E), [&](ExprAt X) {
             if (X->K != ExprKind::Binary ||
                 (X->O != Op::Div && X->O != Op::Shr && X->O != Op::Mul && X->O != Op::Shl))
               return false;
             const Expr *Of = stripCasts(X->Ops[0]);
             return Of->K == ExprKind::VarRef && Of->V == S->V;
           });
  };
  return any_of(Loop->Step, Scales) || any_of(Loop->Body, Scales);
}

namespace {
/// The trips over which a sum is kept.
struct Trips {
  const Stmt *Loop = nullptr; ///< the outermost one
  uint64_t Known = 1;         ///< product of the known trip counts
  bool Open = false;          ///< a trip count is not known
};
} // namespace

/// The loops around S that do not contain Start, the declaration or first value of the sum.
static Trips tripsOf(Context &C, const KernelAnalysis &K, const Stmt *S,
                     function_ref<bool(const Stmt *Loop)> StartsIn) {
  Trips T;
  std::vector<const Stmt *> Loops = K.loopsOf(S);
  for (const Stmt *Loop : reverse(Loops)) {
    if (StartsIn(Loop))
      break;
    if (isTree(Loop))
      return {};
    T.Loop = Loop;
    std::optional<CountedLoop> L = K.countedLoop(Loop);
    if (std::optional<int64_t> Count = L ? guessed(C).knownTripCount(*L) : std::nullopt)
      T.Known *= std::max<int64_t>(1, *Count);
    else
      T.Open = true;
  }
  return T;
}

/// True if X gives the elements of the private array Sum a value that is no sum.
static bool startsArray(const Stmt &X, const Var *Sum) {
  if (X.K == StmtKind::Decl)
    return X.V == Sum;
  return X.K == StmtKind::Store && X.Acc.Base == Sum &&
         !addedTo(X.E, [&](const Expr *E) { return E->K == ExprKind::Load && E->Acc.Base == Sum; });
}

/// True for a loop in which the sum of S gets a new value, or in which its element is another one
/// in each trip. Stores: the sum is an element of Sum, not the variable itself.
static bool startsIn(const KernelAnalysis &A, const Stmt &Loop, const Stmt &S, bool Stores,
                     const Var *Sum, function_ref<bool(const Expr *)> IsSum) {
  if (Stores && Sum->K == Var::Memory && Sum->space() == AddressSpace::Private)
    return any_of(stmts(Loop.Body), [&](const Stmt *X) { return startsArray(*X, Sum); });
  if (!Stores)
    return any_of(stmts(Loop.Body), [&](const Stmt *X) {
      return X != &S && X->V == Sum &&
             (X->K == StmtKind::Decl ||
              (X->K == StmtKind::Assign && X->E && !addedTo(X->E, IsSum)));
    });
  Poly Bytes = A.bytes(S.Acc, &S);
  for (const auto &[Mono, Coefficient] : Bytes.Terms)
    for (unsigned Symbol : Mono)
      if (A.symbol(Symbol).Loop == &Loop)
        return true;
  return false;
}

static void run(const Kernel &K, Context &C) {
  const KernelAnalysis &A = C.analysis();
  std::set<const Stmt *> Seen;
  std::set<const Var *> Reported;
  std::map<std::tuple<const Stmt *, bool, uint64_t>, Finding *> OfLoop; ///< first of equal ones
  for (const Stmt *S : stmts(K.Body)) {
    bool Stores = S->K == StmtKind::Store;
    if ((S->K != StmtKind::Assign && !Stores) || !S->E || !isHalf(S->E->Ty))
      continue;
    const Var *Sum = Stores ? S->Acc.Base : S->V;
    auto IsSum = [&](const Expr *E) {
      while (E->K == ExprKind::Cast && isHalf(E->Ty) && isHalf(E->Ops[0]->Ty))
        E = E->Ops[0];
      if (E->K == ExprKind::Swizzle)
        E = E->Ops[0];
      return Stores ? E->K == ExprKind::Load && equal(E->Acc, S->Acc)
                    : E->K == ExprKind::VarRef && E->V == Sum;
    };
    const Expr *Added = addedTo(S->E, IsSum);
    if (!Added || stripCasts(Added)->K == ExprKind::FloatConst || Reported.count(Sum))
      continue;
    // A step of a coordinate.
    if (const Expr *From = origin(A, Added); From->K == ExprKind::FloatConst)
      continue;
    auto StartsIn = [&](const Stmt *Loop) { return startsIn(A, *Loop, *S, Stores, Sum, IsSum); };
    Trips T = tripsOf(C, A, S, StartsIn);
    if (!T.Loop || (!T.Open && T.Known <= uint64_t(C.option("MaxTrips"))))
      continue;
    Reported.insert(Sum);
    bool Products =
        any_of(exprs(Added),
               [](ExprAt X) {
                 return (X->K == ExprKind::Binary && X->O == Op::Mul) || X->K == ExprKind::Call;
               }) ||
        any_of(exprs(S->E), [](ExprAt X) { return X->K == ExprKind::Call; });
    Finding *&First = OfLoop[{T.Loop, Products, T.Open ? 0 : T.Known}];
    if (First) {
      First->note(S->Range, "so is '" + Sum->Name + "'");
      continue;
    }
    Finding &F = C.report(S->Range, "'" + Sum->Name + "' is a sum in half over " +
                                        (T.Open ? std::string("a loop of unknown length")
                                                : std::to_string(T.Known) + " terms"));
    First = &F;
    F.cost("above 2048 it takes no step below 1, and above 65504 it is infinite; keep the sum in "
           "float, and convert it once at the end");
    if (T.Loop->Range.isValid())
      F.note(T.Loop->Range, "the loop");
    if (!Products)
      F.atMost(rules::Severity::Info);
  }
}

CLMALI_KERNEL_CHECK("half-accumulator", run);
