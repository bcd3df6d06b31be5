//===- wide-index.cpp -------------------------------------------------------------------------===//
//
// Before: out[y * width + x]    with ulong width
// After:  out[y * width + x]    with int width
// Before: out[get_global_id(1) * width + x]
// After:  int y = get_global_id(1); out[y * width + x]
// Before: part[get_group_id(0) * 64 + get_local_id(0)]
// After:  int at = get_group_id(0) * 64 + get_local_id(0); part[at]
// Before: out[get_global_id(0) * 4 + c]
// After:  int i = get_global_id(0); out[i * 4 + c]
// Before: for (size_t i = get_global_id(0); i < n; i += get_global_size(0)) out[i] = in[i]
// After:  the same with int i
// Before: int x = get_global_id(0) % width
// After:  int id = get_global_id(0), x = id % width
// Limits: multiplications by constants are shifts or folded, and count as additions do; an id that
// is used as it comes costs
//         nothing, nor does a constant that is added to it. What is cut to 32 bits is computed in
//         32 bits, where that gives the same: not quotients and remainders.
//
//===------------------------------------------------------------------------------------------===//

#include "checks/query/Query.h"
#include "llvm/ADT/StringExtras.h"
#include <set>

using namespace llvm;
using namespace clmali;
using namespace clmali::checks;
using namespace clmali::model;

/// True for a variable declared with 64 bits, but not as size_t or another type of ids and sizes.
static bool isDeclaredWide(const Expr *E) {
  if (E->K != ExprKind::VarRef || !E->Ty->isScalar() || !E->Ty->isInteger() ||
      sizeInBits(E->Ty->Scalar) != 64 || E->V->IsPointerOffset || E->V->FromHelper)
    return false;
  // A long has no other spelling; other names of the type, such as size_t, are kept in it.
  bool IsLong = E->V->Spelling.empty() && E->V->Range.isValid();
  return IsLong || StringRef(E->V->Spelling).contains("long");
}

/// True for a variable of 64 bits in the source, under any type name.
static bool isWide(const Expr *E) {
  return E->K == ExprKind::VarRef && E->Ty->isScalar() && E->Ty->isInteger() &&
         sizeInBits(E->Ty->Scalar) == 64 && !E->V->IsPointerOffset && !E->V->FromHelper &&
         E->V->Range.isValid() && E->Range.isValid();
}

/// True for arithmetic beyond the addition of a constant, which the access does by itself: i % 3, i
/// * 64.
static bool isScaled(const Expr *E) {
  return E->K == ExprKind::Binary && E->Ty->isScalar() && E->Ty->isInteger() &&
         sizeInBits(E->Ty->Scalar) == 64 && E->O != Op::Add && E->O != Op::Sub;
}

/// get_global_id(0), whose type is size_t.
static bool isId(const Expr *E) {
  E = stripCasts(E);
  return E->K == ExprKind::WorkItem && sizeInBits(E->Ty->Scalar) == 64;
}

/// True for a conversion to 32 bits or less.
static bool isCut(const Expr *E) {
  return E->K == ExprKind::Cast && E->Ty->isInteger() && sizeInBits(E->Ty->Scalar) < 64;
}

/// True for a quotient or remainder of 64 bits with no constant operand: hundreds of instructions.
static bool isWideDivision(const Expr *E) {
  return E->K == ExprKind::Binary && (E->O == Op::Div || E->O == Op::Rem) && E->Ty->isInteger() &&
         E->Ty->isScalar() && sizeInBits(E->Ty->Scalar) == 64 &&
         !constantValue(stripCasts(E->Ops[1])) && !constantValue(stripCasts(E->Ops[0])) &&
         E->Range.isValid();
}

/// True for a sum or difference of 64 bits without a constant operand: n - i.
static bool isWideSum(const Expr *E) {
  if (E->K != ExprKind::Binary || !E->Ty->isScalar() || !E->Ty->isInteger() ||
      sizeInBits(E->Ty->Scalar) < 64 || constantValue(stripCasts(E->Ops[0])) ||
      constantValue(stripCasts(E->Ops[1])))
    return false;
  return E->O == Op::Add || E->O == Op::Sub;
}

/// True for the offset of a pointer (implicit conversions removed), which is added to every index.
static bool isOffset(const Expr *E) {
  E = stripCasts(E);
  return E->K == ExprKind::VarRef && E->V->IsPointerOffset;
}

/// True if a variable of 64 bits is stepped, scaled, or assigned a value that is computed from
/// another one.
static bool isComputedWith(const KernelAnalysis &K, const Expr *E,
                           const std::set<const Var *> &Scaled) {
  if (Scaled.count(E->V) || K.defs(E->V).size() > 1)
    return true;
  const Stmt *Def = K.singleDef(E->V);
  return Def && Def->E && isScaled(stripCasts(Def->E));
}

static void run(const Kernel &, Context &C) {
  const KernelAnalysis &K = C.analysis();
  std::set<std::pair<const Expr *, bool>> Seen;
  std::set<std::pair<uint32_t, uint32_t>> Places;
  const Expr *First = nullptr, *Sum = nullptr, *Quotient = nullptr, *Id = nullptr;
  unsigned Sums = 0;
  bool InLoop = false, FirstInLoop = false;
  std::set<const Var *>
      Scaled; ///< variables of 64 bits that are multiplied by constants, shifted, divided
  std::set<const Stmt *> Inside; ///< statements in loops
  auto Collect = [&](const StmtList &B, bool Loop, auto &&Self) -> void {
    for (Stmt *S : B) {
      if (Loop)
        Inside.insert(S);
      forEachStmtList(
          *S, [&](StmtList &Nested) { Self(Nested, Loop || S->K == StmtKind::Loop, Self); });
    }
  };
  Collect(K.kernel().Body, false, Collect);
  // Cut: only the lower half of the value is used (int i = y * width), unlike with y / width.
  auto Visit = [&](const Expr *Root, bool Cut, auto &&Self, unsigned Depth) -> void {
    walk(Root, [&](const Expr *E) {
      if (!Seen.insert({E, Cut}).second || E->K == ExprKind::Load)
        return false;
      if (isWideDivision(E) && (!Quotient || isEarlier(K.kernel(), E->Range, Quotient->Range)))
        Quotient = E;
      if (!Cut && isCut(E)) {
        Self(E->Ops[0], true, Self, Depth);
        return false;
      }
      auto Follow = [&](const Stmt *Def) {
        // A definition before the loop is not computed in it.
        bool Outer = InLoop;
        InLoop = InLoop && Inside.count(Def);
        Self(Def->E, Cut, Self, Depth + 1);
        InLoop = Outer;
      };
      if (E->K == ExprKind::VarRef && Depth < 8) {
        if (const Stmt *Def = K.singleDef(E->V); Def && Def->E)
          Follow(Def);
        else if (E->V->IsPointerOffset ||
                 sizeInBits(E->Ty->Scalar) < 64) // p += y * width; for (int i = id / n; ..
          for (const Stmt *Each : K.defs(E->V))
            if (Each->E)
              Follow(Each);
      }
      if (Cut)
        return true;
      if (isScaled(E) && isId(E->Ops[0]) && E->Range.isValid() &&
          (!Id || isEarlier(K.kernel(), E->Range, Id->Range)))
        Id = E;
      if (isScaled(E))
        walk(E, [&](const Expr *Part) {
          if (isWide(Part))
            Scaled.insert(Part->V);
          return Part->K != ExprKind::Load && !isCut(Part);
        });
      if (isWideSum(E) && !isOffset(E->Ops[0]) && !isOffset(E->Ops[1]) && E->Range.isValid()) {
        ++Sums;
        if (!Sum || isEarlier(K.kernel(), E->Range, Sum->Range))
          Sum = E;
      }
      if (E->K == ExprKind::Binary && E->O == Op::Mul && E->Ty->isInteger() &&
          sizeInBits(E->Ty->Scalar) == 64 && !constantValue(stripCasts(E->Ops[0])) &&
          !constantValue(stripCasts(E->Ops[1])) && E->Range.isValid() &&
          Places.insert({E->Range.File, E->Range.Begin}).second)
        if (!First || (InLoop == FirstInLoop && isEarlier(K.kernel(), E->Range, First->Range))) {
          First = E;
          FirstInLoop = InLoop;
        }
      return true;
    });
  };
  // Loops first: an index that is also used outside of a loop counts as in the loop.
  for (bool Loop : {true, false}) {
    InLoop = Loop;
    for (const AccessSite &Site : K.accesses())
      if (Site.Loops.empty() != Loop)
        for (const Expr *Index : Site.A->Index)
          Visit(Index, false, Visit, 0);
  }
  const Expr *Variable = nullptr;
  const Expr *Computed = nullptr; ///< a variable of any type name that arithmetic uses
  for (const AccessSite &Site : K.accesses())
    for (const Expr *Index : Site.A->Index)
      walk(Index, [&](const Expr *E) {
        if (isDeclaredWide(E) && E->Range.isValid() &&
            (!Variable || isEarlier(K.kernel(), E->Range, Variable->Range)))
          Variable = E;
        if (isWide(E) && isComputedWith(K, E, Scaled) &&
            (!Computed || isEarlier(K.kernel(), E->Range, Computed->Range)))
          Computed = E;
        return E->K != ExprKind::Load && !isCut(E);
      });
  if (C.option("MinMultiplications") <= 1 && !First) {
    if (Quotient) {
      C.report(Quotient->Range, "an address is computed by a division of 64 bits")
          .cost("no family has an instruction for it: it takes several times as long as one of 32 "
                "bits");
      return;
    }
    if (!Variable && !Sum)
      Variable = Computed;
    if (Variable) {
      C.report(Variable->Range,
               "an address is computed from '" + C.text(Variable->Range) + "' of 64 bits")
          .cost("it takes two registers, and each operation two or more");
      return;
    }
    if (Id && !Sum) {
      C.report(Id->Range, "an address is a multiple of an id, computed in 64 bits")
          .cost("it takes two registers, and each operation two or more");
      return;
    }
    if (Sum) {
      C.report(Sum->Range,
               Sums == 1 ? "an address is a sum of 64 bits" : "addresses are sums of 64 bits")
          .cost("each part takes two registers, and each addition two instructions");
      return;
    }
  }
  if (First && int64_t(Places.size()) >= C.option("MinMultiplications"))
    C.report(First->Range,
             utostr(Places.size()) + (Places.size() == 1
                                          ? " multiplication of 64 bits computes an address"
                                          : " multiplications of 64 bits compute addresses"))
        .cost(std::string(Places.size() == 1 ? "it" : "each") +
              " takes several instructions and register pairs");
}

CLMALI_KERNEL_CHECK("wide-index", run);
