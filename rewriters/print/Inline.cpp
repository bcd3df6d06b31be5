//===-- rewriters/print/Inline.cpp - Values printed where they are used --------===//
//
// Part of LayoutMaker: variables that a pass made and that are not worth a line of their own.
//
//   before (model)                           after (text)
//   float4 x_v = vload4(0, x + i);
//   y[i] = x_v;                              y[i] = vload4(0, x + i);
//   uchar8 a = w.lo;
//   short8 s = convert(a) + convert(w.hi);   short8 s = convert(w.lo) + convert(w.hi);
//   s_2 = s + t; s_3 = s_2 + u;              s = s + t + u;
//
// The model stays as it is: only the text has fewer variables. No product of floating-point numbers
// moves into another expression, where it could fuse with a sum.
//
//===----------------------------------------------------------------------===//

#include "rewriters/print/LayoutMaker.h"
#include "llvm/ADT/STLExtras.h"

namespace clmali::rewrite {

/// `float4 x_v = vload4(0, x + i); y[i] = x_v;`: a load that a pass made for the next statement
/// only is printed there.
void LayoutMaker::inlineLoads(const StmtList &B) {
  for (size_t I = 0; I < B.size(); ++I) {
    const Stmt *S = B[I];
    forEachStmtList(*const_cast<Stmt *>(S), [&](StmtList &Nested) { inlineLoads(Nested); });
    auto isLoad = [&](const Stmt *D) {
      return D->K == StmtKind::Decl && D->E && D->E->K == ExprKind::Load && !readsVolatile(D->E) &&
             D->E->Acc.F != Access::Cast && D->Comments.empty() && !L.Skip.contains(D) &&
             !L.Before.count(D);
    };
    if (!isLoad(S) || S->V->Range.isValid() || S->V->Ty != S->E->Ty || blockOf(S).InHead)
      continue;
    const VarInfo &Info = Vars[S->V];
    if (Info.Refs.size() != 1 || Info.Decls.size() != 1 || Info.Hoisted || L.AsAssign.contains(S) ||
        JoinedTo.count(S->V))
      continue;
    // Other loads may be in between.
    size_t At = I + 1;
    while (At < B.size() && SpanOf[B[At]].Begin != Info.Refs[0] && isLoad(B[At]))
      ++At;
    if (At == B.size() || SpanOf[B[At]].Begin != Info.Refs[0])
      continue;
    const Stmt *User = B[At];
    bool Plain =
        User->K == StmtKind::Decl || User->K == StmtKind::Assign || User->K == StmtKind::Store;
    if (!Plain || L.Skip.contains(User))
      continue;
    L.Inline[S->V] = S->E;
    L.Skip.insert(S);
  }
}

/// Calls F on E and all below, variables that are printed as their value replaced by it.
void LayoutMaker::walkShown(const Expr *E, llvm::function_ref<void(const Expr *)> F) const {
  walk(E, [&](const Expr *X) {
    if (X->K == ExprKind::VarRef)
      if (auto It = L.Inline.find(X->V); It != L.Inline.end()) {
        walkShown(It->second, F);
        return true;
      }
    F(X);
    return true;
  });
}

/// About as many characters as E has in the text.
size_t LayoutMaker::shownLength(const Expr *E) const {
  size_t Length = 0;
  walkShown(E, [&](const Expr *X) {
    switch (X->K) {
    case ExprKind::VarRef:
      Length += X->V->Name.size();
      break;
    case ExprKind::Load:
      Length += X->Acc.Base->Name.size() + (X->Acc.Lanes > 1 ? 14 : 2);
      break;
    case ExprKind::Cast:
      Length += X->Implicit ? 0 : typeName(X->Ty).size() + 2;
      break;
    case ExprKind::Swizzle:
      Length += X->LaneIdx.size() + 2;
      break;
    case ExprKind::WorkItem:
      Length += 16;
      break;
    case ExprKind::Call:
    case ExprKind::ImageRead:
    case ExprKind::ImageQuery:
      Length += X->Name.size() + 2 * X->Ops.size();
      break;
    case ExprKind::VectorCtor:
      Length += typeName(X->Ty).size() + 2 + 2 * X->Ops.size();
      break;
    default:
      Length += 3;
    }
  });
  return Length;
}

/// True if S gives a variable its only value, which can be printed at its uses.
bool LayoutMaker::isInlinable(const Stmt *S) {
  bool Declares = S->K == StmtKind::Decl ? !L.Skip.contains(S) && !L.AsAssign.contains(S)
                                         : S->K == StmtKind::Assign && L.AsDecl.contains(S);
  if (!Declares || !S->E || !S->LaneIdx.empty() || S->V->K != Var::Temp || S->V->Ty != S->E->Ty ||
      !S->V->Ty->isValue() || !S->Comments.empty() || readsVolatile(S->E))
    return false;
  const VarInfo &Info = Vars[S->V];
  return Info.Decls.size() == 1 && !Info.Hoisted && !Info.Dropped && !usesOf(S).empty() &&
         !isReassigned(S->V) && !L.Before.count(S) && !blockOf(S).InHead;
}

/// True if V may get more than one value.
bool LayoutMaker::isReassigned(const Var *V) {
  if (V->K == Var::Param)
    return Assignments.count(V);
  const VarInfo &Info = Vars[V];
  return Info.Decls.size() != 1 || Assignments.lookup(V) > (Info.Decls[0]->E ? 0u : 1u);
}

/// The positions that read what S, a statement for which isInlinable holds, sets.
std::vector<unsigned> LayoutMaker::usesOf(const Stmt *S) {
  std::vector<unsigned> Uses = Vars[S->V].Refs;
  if (S->K == StmtKind::Assign)
    llvm::erase(Uses, SpanOf[S].Begin);
  return Uses;
}

/// S is not printed; its value is, at Uses: what it refers to is used there.
void LayoutMaker::inlined(const Stmt *S, llvm::ArrayRef<unsigned> Uses) {
  const unsigned At = SpanOf[S].Begin;
  walkShown(S->E, [&](const Expr *X) {
    for (const Var *W : {X->V, X->Acc.Base}) {
      if (!W)
        continue;
      std::vector<unsigned> &Refs = Vars[W].Refs;
      if (auto It = llvm::find(Refs, At); It != Refs.end())
        Refs.erase(It);
      Refs.insert(Refs.end(), Uses.begin(), Uses.end());
    }
  });
  L.Inline[S->V] = S->E;
  L.Skip.insert(S);
  Vars[S->V].Dropped = true;
}

/// `uchar8 v = w.lo;`: where a pass made v, or only one statement uses it, w.lo is printed there,
/// if w keeps its value.
void LayoutMaker::inlineComponents(const StmtList &B) {
  for (const Stmt *S : B) {
    if (isInlinable(S) && S->E->K == ExprKind::Swizzle &&
        (!S->V->Range.isValid() || usesOf(S).size() == 1)) {
      const Expr *Of = S->E->Ops[0];
      if (Of->K == ExprKind::VarRef && Of->V->K == Var::Temp && !isReassigned(Of->V)) {
        inlined(S, usesOf(S));
        continue;
      }
    }
    forEachStmtList(*const_cast<Stmt *>(S), [&](StmtList &Nested) { inlineComponents(Nested); });
  }
}

/// True if E is a product of floating-point numbers, or made of one: in another expression it may
/// fuse with a sum.
static bool isProduct(const Expr *E) {
  if (!E->Ty->isFloat())
    return false;
  switch (E->K) {
  case ExprKind::Binary:
    return E->O == Op::Mul;
  case ExprKind::Unary:
  case ExprKind::Cast:
  case ExprKind::Select:
  case ExprKind::Swizzle:
  case ExprKind::VectorCtor:
    return llvm::any_of(E->Ops, isProduct);
  default:
    return false;
  }
}

/// True if E is the same wherever it is computed: no loads, and no variables that change.
bool LayoutMaker::isFixed(const Expr *E) {
  bool Fixed = true;
  walkShown(E, [&](const Expr *X) {
    Fixed &= !isRead(X->K) && (X->K != ExprKind::VarRef || !isReassigned(X->V));
  });
  return Fixed;
}

/// True if E only takes components of variables that keep their value. To do that later costs
/// nothing.
bool LayoutMaker::isShuffle(const Expr *E) {
  if (E->K == ExprKind::VarRef)
    return !isReassigned(E->V) && (!L.Inline.count(E->V) || isShuffle(L.Inline.lookup(E->V)));
  return (E->K == ExprKind::Swizzle || E->K == ExprKind::VectorCtor) &&
         llvm::all_of(E->Ops, [&](const Expr *X) { return isShuffle(X); });
}

/// `int4 s_2 = s + a; s = s_2 + b;` is `s = s + a + b;`: a value that only one statement uses and
/// that a pass made, or that is an earlier one of the same variable. Between the two are no loads,
/// so that no more values are live at once, unless it only takes components.
void LayoutMaker::inlineSteps(const StmtList &B) {
  constexpr size_t MostLength = 240; ///< of a statement
  struct Waiting {
    const Stmt *Value;
    unsigned LoadsBefore;
  };
  llvm::DenseMap<unsigned, llvm::SmallVector<Waiting, 2>> At; ///< by the position of the use
  const Stmt *Previous = nullptr;
  unsigned Loads = 0; ///< statements with loads or effects so far
  for (const Stmt *S : B) {
    forEachStmtList(*const_cast<Stmt *>(S), [&](StmtList &Nested) { inlineSteps(Nested); });
    if (!prints(S))
      continue;
    const unsigned Here = SpanOf[S].Begin;
    bool Sets = S->K == StmtKind::Decl || S->K == StmtKind::Assign;
    bool Takes = (Sets || S->K == StmtKind::Store) && S->E && S->Comments.empty();
    size_t Length = S->E ? shownLength(S->E) : 0;
    for (auto [Value, LoadsBefore] : Takes ? At.lookup(Here) : llvm::SmallVector<Waiting, 2>()) {
      bool SameVariable = S->V && S->V->Range.isValid() && S->V->Ty == Value->V->Ty &&
                          samePlace(S->V->Range, Value->V->Range);
      size_t More = shownLength(Value->E);
      bool Moves =
          Value == Previous || isShuffle(Value->E) || (LoadsBefore == Loads && isFixed(Value->E));
      if (Moves && (SameVariable || !Value->V->Range.isValid()) && Length + More <= MostLength &&
          usesOf(Value) == std::vector<unsigned>{Here}) {
        inlined(Value, {Here});
        Length += More;
      }
    }
    bool HasLoad = !Sets || !S->E;
    if (!HasLoad)
      walk(S->E, [&](const Expr *X) { return !(HasLoad |= isRead(X->K)); });
    Loads += HasLoad;
    bool Constant = S->E && (S->E->K == ExprKind::IntConst || S->E->K == ExprKind::FloatConst);
    if (Sets && isInlinable(S) && !isRead(S->E->K) && !isProduct(S->E) && !Constant)
      if (std::vector<unsigned> Uses = usesOf(S); Uses.size() == 1)
        At[Uses[0]].push_back({S, Loads});
    Previous = S;
  }
}

} // namespace clmali::rewrite
