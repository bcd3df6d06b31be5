//===- slow-rounding-conversion.cpp -----------------------------------------------------------===//
//
// Before: (float)in[k]
// After:  convert_float_rtz(in[k])       (unsafe: another rounding beyond 2^24)
// Limits: conversions of data, ids and loop counters; one finding for all outside of loops.
//
//===------------------------------------------------------------------------------------------===//

#include "checks/query/Query.h"
#include "llvm/ADT/STLExtras.h"
#include <set>

using namespace llvm;
using namespace clmali;
using namespace clmali::checks;
using namespace clmali::model;

namespace {
class Finder {
public:
  explicit Finder(Context &C) : C(C), K(C.analysis()) {}
  void visit(const StmtList &B) {
    for (Stmt *S : B) {
      bool Loop = S->K == StmtKind::Loop;
      forEachExpr(*S, [&](const Expr *Root) { look(Root, S); });
      if (Loop)
        Loops.push_back(S);
      forEachStmtList(*S, [&](StmtList &Nested) { visit(Nested); });
      if (Loop)
        Loops.pop_back();
    }
  }

  /// Conversions outside of loops have one finding.
  void finish() {
    llvm::stable_sort(Outside, [&](const Expr *A, const Expr *B) {
      return isEarlier(K.kernel(), locationOf(A), locationOf(B));
    });
    for (const Expr *E : Outside)
      if (!Seen.empty() || report(E, "an integer is converted to float, rounded to nearest"))
        return;
  }

private:
  static SourceRange locationOf(const Expr *E) {
    return E->Range.isValid() ? E->Range : E->Ops[0]->Range;
  }
  /// False: the finding was dropped.
  bool report(const Expr *E, const char *What) {
    const Expr *From = E->Ops[0];
    return C.report(locationOf(E), What)
        .restsOn(From)
        .cost("rounding toward zero is the fast conversion")
        .fix(Applicability::Unsafe, isSigned(From->Ty->Scalar)
                                        ? "convert_float_rtz"
                                        : "convert_float_rtz or convert_float_rtn")
        .stands();
  }
  /// True if the value changes from iteration to iteration.
  bool changes(const Expr *From, unsigned Depth = 0) {
    bool Found = false;
    walk(From, [&](const Expr *E) {
      if (E->K == ExprKind::VarRef && !Found)
        for (const Stmt *Loop : Loops)
          for (const StmtList *B : {&Loop->Body, &Loop->Step})
            walk(*B, [&](Stmt *S) {
              Found |= S->K == StmtKind::Assign && S->V == E->V;
              // A variable declared in the loop changes if its initial value does.
              Found |= S->K == StmtKind::Decl && S->V == E->V && S->E && Depth < 8 &&
                       changes(S->E, Depth + 1);
              return !Found;
            });
      return !Found;
    });
    return Found;
  }

  /// True if the value is a polynomial of ids, arguments and counters, with no bits masked out.
  bool isCount(const Expr *From, const Stmt *S) {
    Poly P = K.poly(From, S);
    return all_of(P.Terms, [&](const auto &Term) {
      return all_of(Term.first,
                    [&](unsigned Symbol) { return K.symbol(Symbol).K != SymbolInfo::Atom; });
    });
  }

  /// True if conditions select the value from constants.
  bool isChosen(const Expr *From, unsigned Depth = 0) {
    From = stripCasts(From);
    if (From->K == ExprKind::Select)
      return isChosen(From->Ops[1], Depth) && isChosen(From->Ops[2], Depth);
    if (From->K != ExprKind::VarRef || K.defs(From->V).empty() || Depth == 4)
      return constantValue(From).has_value();
    return all_of(K.defs(From->V),
                  [&](const Stmt *S) { return S->E && isChosen(S->E, Depth + 1); });
  }

  void look(const Expr *Root, const Stmt *S) {
    walk(Root, [&](const Expr *E) {
      if (E->K != ExprKind::Cast || E->C != CastOp::Convert || E->Ty->Scalar != ScalarKind::Float)
        return true;
      const Expr *From = E->Ops[0];
      Variation V = K.varies(From, S);
      if (!From->Ty->isInteger() || sizeInBits(From->Ty->Scalar) != 32 ||
          (!V.Data && V.uniformInLaunch() && !changes(From)))
        return true;
      // The compiler knows the range of a counter, and of a narrower type in memory.
      Range R = K.range(From, S);
      int64_t Exact = 1 << 24; // float holds all integers up to here
      bool Narrow =
          origin(K, From)->Ty->isInteger() && sizeInBits(origin(K, From)->Ty->Scalar) < 32;
      SourceRange At = locationOf(E);
      if (((Narrow || (!V.Data && (Loops.empty() || !changes(From) || isCount(From, S))) ||
            isChosen(From)) &&
           R.Lo >= -Exact && R.Hi <= Exact) ||
          !At.isValid())
        return true;
      if (Loops.empty())
        Outside.push_back(E);
      else if (!Seen.count({At.File, At.Begin}) &&
               report(E, "an integer is converted to float in a loop, rounded to nearest"))
        Seen.insert({At.File, At.Begin});
      return true;
    });
  }

  Context &C;
  const KernelAnalysis &K;
  std::vector<const Stmt *> Loops;
  std::set<std::pair<uint32_t, uint32_t>> Seen;
  std::vector<const Expr *> Outside; ///< conversions outside of loops
};
} // namespace

static void run(const Kernel &K, Context &C) {
  Finder F(C);
  F.visit(K.Body);
  F.finish();
}

CLMALI_KERNEL_CHECK("slow-rounding-conversion", run);
