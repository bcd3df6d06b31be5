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

#include "checks/query/Limits.h"
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

namespace {
/// Collects the 64-bit operations that the addresses of a kernel depend on. Of each kind it keeps
/// the first in source order.
class AddressOperations {
public:
  explicit AddressOperations(const KernelAnalysis &K) : K(K) {
    collectLoops(K.kernel().Body, false);
    // Loops first: an index that is also used outside of a loop counts as in the loop.
    for (bool Loop : {true, false}) {
      InLoop = Loop;
      for (const AccessSite &Site : K.accesses())
        if (Site.Loops.empty() != Loop)
          for (const Expr *Index : Site.A->Index)
            visit(Index, false, 0);
    }
    for (const AccessSite &Site : K.accesses())
      for (const Expr *Index : Site.A->Index)
        visitVariables(Index);
  }

  const Expr *Product = nullptr; ///< of two values that are not constant; in a loop if there is one
  const Expr *Sum = nullptr;     ///< see isWideSum
  const Expr *Quotient = nullptr; ///< see isWideDivision
  const Expr *Id = nullptr;       ///< an id with arithmetic beyond the addition of a constant
  const Expr *Variable = nullptr; ///< see isDeclaredWide
  const Expr *Computed = nullptr; ///< a variable of any type name that arithmetic uses
  unsigned Sums = 0;
  std::set<std::pair<uint32_t, uint32_t>> Products; ///< locations of products

private:
  void collectLoops(const StmtList &B, bool Loop) {
    for (Stmt *S : B) {
      if (Loop)
        Inside.insert(S);
      forEachStmtList(
          *S, [&](StmtList &Nested) { collectLoops(Nested, Loop || S->K == StmtKind::Loop); });
    }
  }

  void keepFirst(const Expr *&Kept, const Expr *E) const {
    if (!Kept || isEarlier(K.kernel(), E->Range, Kept->Range))
      Kept = E;
  }

  /// Cut: only the lower half of the value is used (int i = y * width), unlike with y / width.
  void visit(const Expr *Root, bool Cut, unsigned Depth) {
    walk(Root, [&](const Expr *E) {
      if (!Seen.insert({E, Cut}).second || E->K == ExprKind::Load)
        return false;
      if (isWideDivision(E))
        keepFirst(Quotient, E);
      if (!Cut && isCut(E)) {
        visit(E->Ops[0], true, Depth);
        return false;
      }
      if (E->K == ExprKind::VarRef && Depth < limits::DefinitionDepth)
        followDefinitions(E, Cut, Depth);
      if (!Cut)
        note(E);
      return true;
    });
  }

  void followDefinitions(const Expr *E, bool Cut, unsigned Depth) {
    auto Follow = [&](const Stmt *Def) {
      // A definition before the loop is not computed in it.
      bool Outer = InLoop;
      InLoop = InLoop && Inside.count(Def);
      visit(Def->E, Cut, Depth + 1);
      InLoop = Outer;
    };
    if (const Stmt *Def = K.singleDef(E->V); Def && Def->E)
      Follow(Def);
    else if (E->V->IsPointerOffset ||
             sizeInBits(E->Ty->Scalar) < 64) // p += y * width; for (int i = id / n; ..
      for (const Stmt *Each : K.defs(E->V))
        if (Each->E)
          Follow(Each);
  }

  void note(const Expr *E) {
    if (isScaled(E) && isId(E->Ops[0]) && E->Range.isValid())
      keepFirst(Id, E);
    if (isScaled(E))
      walk(E, [&](const Expr *Part) {
        if (isWide(Part))
          Scaled.insert(Part->V);
        return Part->K != ExprKind::Load && !isCut(Part);
      });
    if (isWideSum(E) && !isOffset(E->Ops[0]) && !isOffset(E->Ops[1]) && E->Range.isValid()) {
      ++Sums;
      keepFirst(Sum, E);
    }
    if (E->K == ExprKind::Binary && E->O == Op::Mul && E->Ty->isInteger() &&
        sizeInBits(E->Ty->Scalar) == 64 && !constantValue(stripCasts(E->Ops[0])) &&
        !constantValue(stripCasts(E->Ops[1])) && E->Range.isValid() &&
        Products.insert({E->Range.File, E->Range.Begin}).second)
      if (!Product ||
          (InLoop == ProductInLoop && isEarlier(K.kernel(), E->Range, Product->Range))) {
        Product = E;
        ProductInLoop = InLoop;
      }
  }

  void visitVariables(const Expr *Index) {
    walk(Index, [&](const Expr *E) {
      if (isDeclaredWide(E) && E->Range.isValid())
        keepFirst(Variable, E);
      if (isWide(E) && isComputedWith(K, E, Scaled))
        keepFirst(Computed, E);
      return E->K != ExprKind::Load && !isCut(E);
    });
  }

  const KernelAnalysis &K;
  std::set<std::pair<const Expr *, bool>> Seen;
  std::set<const Var *>
      Scaled; ///< 64-bit variables that are multiplied by constants, shifted, divided
  std::set<const Stmt *> Inside; ///< statements in loops
  bool InLoop = false, ProductInLoop = false;
};
} // namespace

/// Reports the most expensive operation of a kernel that has no products; false if there is none.
static bool reportWithoutProduct(Context &C, const AddressOperations &Of) {
  if (Of.Quotient) {
    C.report(Of.Quotient->Range, "an address is computed by a division of 64 bits")
        .cost("no family has an instruction for it: it takes several times as long as one of 32 "
              "bits");
    return true;
  }
  const Expr *Variable = !Of.Variable && !Of.Sum ? Of.Computed : Of.Variable;
  if (Variable) {
    C.report(Variable->Range,
             "an address is computed from '" + C.text(Variable->Range) + "' of 64 bits")
        .cost("it takes two registers, and each operation two or more");
    return true;
  }
  if (Of.Id && !Of.Sum) {
    C.report(Of.Id->Range, "an address is a multiple of an id, computed in 64 bits")
        .cost("it takes two registers, and each operation two or more");
    return true;
  }
  if (Of.Sum) {
    C.report(Of.Sum->Range,
             Of.Sums == 1 ? "an address is a sum of 64 bits" : "addresses are sums of 64 bits")
        .cost("each part takes two registers, and each addition two instructions");
    return true;
  }
  return false;
}

static void run(const Kernel &, Context &C) {
  AddressOperations Of(C.analysis());
  size_t Products = Of.Products.size();
  if (C.option("MinMultiplications") <= 1 && !Of.Product && reportWithoutProduct(C, Of))
    return;
  if (Of.Product && int64_t(Products) >= C.option("MinMultiplications"))
    C.report(Of.Product->Range,
             utostr(Products) + (Products == 1 ? " multiplication of 64 bits computes an address"
                                               : " multiplications of 64 bits compute addresses"))
        .cost(std::string(Products == 1 ? "it" : "each") +
              " takes several instructions and register pairs");
}

CLMALI_KERNEL_CHECK("wide-index", run);
