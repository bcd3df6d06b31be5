//===-- rewriters/print/Names.cpp - Names and positions of declarations ----===//
//
// What it does: decides what each variable is called in the text and where it
// is declared:
//
//   before (model)                after (text)
//   Decl t                        int t = a[i];
//   t = load a[i]                 b[i] = t;
//   store b[i] = t                t = a[i + 1];
//   Decl t_2 = load a[i + 1]      c[i] = t;
//   store c[i] = t_2
//
// - Names that the model made unique (i_2) become the user's again where scopes allow.
// - A live range that was split off joins its variable again if that one is dead.
// - A declaration without value moves down to the first assignment, into the block of all uses.
// - A load that a pass made for the next statement only is printed there.
// - A variable used outside the block of its declaration is declared further up.
// - A declaration without uses is not printed.
//
// Limits: joins only within one block; everything else keeps its own name.
//
//===----------------------------------------------------------------------===//

#include "rewriters/pass/Passes.h"
#include "rewriters/print/Printer.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringExtras.h"

using namespace clmali::model;
using llvm::StringRef;

namespace clmali::rewrite {
namespace {

/// A half-open interval of statement positions.
struct Span {
  unsigned Begin = 0, End = 0;
  bool holds(unsigned P) const { return Begin <= P && P < End; }
  bool holds(const Span &O) const { return Begin <= O.Begin && O.End <= End; }
  bool overlaps(const Span &O) const { return Begin < O.End && O.Begin < End; }
};

struct BlockInfo {
  const StmtList *B = nullptr;
  Span Where;
  unsigned ScopeEnd = 0; ///< a loop's Init reaches to the end of the loop
  bool InHead = false;   ///< Init or Step of a loop
};

struct VarInfo {
  std::vector<unsigned> Refs; ///< positions, declarations not counted
  std::vector<const Stmt *> Decls;
  std::vector<Span> Scopes; ///< of the declarations, as printed
  bool Hoisted = false;
  bool Dropped = false;
};

bool samePlace(const SourceRange &A, const SourceRange &B) {
  return A.File == B.File && A.Begin == B.Begin && A.End == B.End;
}

class LayoutMaker {
public:
  LayoutMaker(const Kernel &K, const Module &M, const MacroTable &Macros, bool Faithful)
      : K(K), M(M), Macros(Macros), Faithful(Faithful) {}
  Layout run();

private:
  void number(const StmtList &B, bool InHead, unsigned *ScopeEnd = nullptr);
  void refer(const Expr *E, unsigned P);
  void refer(const Var *V, unsigned P) { Vars[V].Refs.push_back(P); }
  const BlockInfo &blockOf(const Stmt *S) const { return Blocks[BlockOf.lookup(S)]; }
  void scope(const Var *V, VarInfo &I);
  void hoist(const Var *V, VarInfo &I);
  void dropUnused();
  bool prints(const Stmt *S) const { return !L.Skip.contains(S) || L.Before.count(S); }
  bool delay(const Var *V, VarInfo &I);
  void join();
  void forward(const StmtList &B);
  void nameAll();
  std::string baseName(const Var *V) const;
  void inlineLoads(const StmtList &B);
  bool isInlinable(const Stmt *S);
  bool isReassigned(const Var *V);
  bool isFixed(const Expr *E);
  std::vector<unsigned> usesOf(const Stmt *S);
  void inlineComponents(const StmtList &B);
  void inlineSteps(const StmtList &B);
  void inlined(const Stmt *S, llvm::ArrayRef<unsigned> Uses);
  void walkShown(const Expr *E, llvm::function_ref<void(const Expr *)> F) const;
  size_t shownLength(const Expr *E) const;
  void intoHeads(const StmtList &B);
  bool free(const std::string &N, llvm::ArrayRef<Span> Scopes) const;
  void take(const Var *V, const std::string &N, llvm::ArrayRef<Span> Scopes);

  const Kernel &K;
  const Module &M;
  const MacroTable &Macros;
  bool Faithful;
  Layout L;
  unsigned Next = 0;
  llvm::MapVector<const Var *, VarInfo> Vars;
  std::vector<BlockInfo> Blocks;
  llvm::DenseMap<const Stmt *, unsigned> BlockOf;
  llvm::DenseMap<const Stmt *, Span> SpanOf;
  llvm::StringSet<> Reserved;
  llvm::StringMap<std::vector<Span>> Taken;
  llvm::DenseMap<const Var *, const Var *> JoinedTo;
  llvm::DenseMap<const Var *, unsigned> Assignments; ///< other than by the declaration
};

void LayoutMaker::refer(const Expr *E, unsigned P) {
  walk(E, [&](const Expr *X) {
    if (X->V)
      refer(X->V, P);
    if (X->Acc.Base)
      refer(X->Acc.Base, P);
    if (X->K == ExprKind::Call)
      Reserved.insert(X->Name);
    if (X->K == ExprKind::WorkItem)
      Reserved.insert(builtinName(X->Query));
    return true;
  });
}

void LayoutMaker::number(const StmtList &B, bool InHead, unsigned *ScopeEnd) {
  unsigned Id = Blocks.size();
  Blocks.push_back({&B, {Next, 0}, 0, InHead});
  for (const Stmt *S : B) {
    BlockOf[S] = Id;
    unsigned P = Next++;
    SpanOf[S] = {P, 0};
    unsigned InitEnd = 0;
    unsigned InitBlock = Blocks.size();
    if (S->K == StmtKind::Loop && !S->Init.empty())
      number(S->Init, /*InHead=*/true, &InitEnd);
    // A loop's condition sees what Init declares.
    unsigned At = S->K == StmtKind::Loop ? Next++ : P;
    forEachExpr(*S, [&](const Expr *E) { refer(E, At); });
    if (S->V && S->K == StmtKind::Decl)
      Vars[S->V].Decls.push_back(S);
    else if (S->V)
      refer(S->V, At);
    if (S->Acc.Base)
      refer(S->Acc.Base, At);
    if (S->Source.Base)
      refer(S->Source.Base, At);
    if (!S->Name.empty())
      Reserved.insert(S->Name);
    number(S->Body, false);
    number(S->Else, false);
    if (!S->Step.empty())
      number(S->Step, /*InHead=*/true);
    SpanOf[S].End = Next;
    if (InitEnd)
      Blocks[InitBlock].ScopeEnd = Next;
  }
  Blocks[Id].Where.End = Next;
  Blocks[Id].ScopeEnd = Next;
  if (ScopeEnd)
    *ScopeEnd = Next;
}

/// Moves the declaration before the statement with the first use, into the innermost block that
/// contains all uses.
void LayoutMaker::hoist(const Var *V, VarInfo &I) {
  unsigned First = UINT_MAX, Last = 0;
  auto See = [&](unsigned P) {
    First = std::min(First, P);
    Last = std::max(Last, P);
  };
  for (unsigned P : I.Refs)
    See(P);
  for (const Stmt *D : I.Decls)
    See(SpanOf[D].Begin);
  const BlockInfo *Home = nullptr;
  for (const BlockInfo &B : Blocks)
    if (!B.InHead && B.Where.holds(First) && B.Where.holds(Last) &&
        (!Home || Home->Where.holds(B.Where)))
      Home = &B;
  if (!Home)
    return;
  for (const Stmt *S : *Home->B) {
    if (!SpanOf[S].holds(First))
      continue;
    L.Before[S].push_back(V);
    I.Scopes = {{SpanOf[S].Begin, Home->ScopeEnd}};
  }
  for (const Stmt *D : I.Decls)
    (D->E ? L.AsAssign : L.Skip).insert(D);
  I.Hoisted = true;
}

void LayoutMaker::scope(const Var *V, VarInfo &I) {
  if (V->K == Var::Param || V->ProgramScope) {
    I.Scopes = {{0, Next + 1}};
    return;
  }
  for (const Stmt *D : I.Decls)
    I.Scopes.push_back({SpanOf[D].Begin, blockOf(D).ScopeEnd});
  bool Fits = !I.Decls.empty();
  for (unsigned P : I.Refs)
    Fits &= llvm::any_of(I.Scopes, [&](const Span &S) { return S.holds(P); });
  for (size_t A = 0; A < I.Scopes.size(); ++A)
    for (size_t B = 0; B < A; ++B)
      Fits &= !I.Scopes[A].overlaps(I.Scopes[B]);
  if (!Fits && (Faithful || !delay(V, I)))
    hoist(V, I);
}

static bool readsVolatile(const Expr *E) {
  bool Found = false;
  walk(E, [&](const Expr *X) {
    return !(Found |= (X->K == ExprKind::Load && X->Acc.Volatile) || X->K == ExprKind::Opaque);
  });
  return Found;
}

/// Declarations without uses, and then those that only such declarations used.
void LayoutMaker::dropUnused() {
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (auto &[V, I] : Vars) {
      bool Silent =
          llvm::none_of(I.Decls, [](const Stmt *D) { return D->E && readsVolatile(D->E); });
      bool InHead = llvm::any_of(I.Decls, [&](const Stmt *D) { return blockOf(D).InHead; });
      if (I.Dropped || I.Hoisted || V->K != Var::Temp || I.Decls.empty() || !I.Refs.empty() ||
          !Silent || InHead)
        continue;
      I.Dropped = Changed = true;
      for (const Stmt *D : I.Decls) {
        L.Skip.insert(D);
        walk(D->E, [&](const Expr *X) {
          for (const Var *W : {X->V, X->Acc.Base})
            if (auto It = Vars.find(W); W && It != Vars.end())
              if (auto At = llvm::find(It->second.Refs, SpanOf[D].Begin);
                  At != It->second.Refs.end())
                It->second.Refs.erase(At);
          return true;
        });
      }
    }
  }
}

/// `T v; ...; v = e;` becomes `T v = e;`, in the innermost block of all uses.
bool LayoutMaker::delay(const Var *V, VarInfo &I) {
  bool Bare = llvm::all_of(
      I.Decls, [&](const Stmt *D) { return !D->E && D->Text.empty() && !blockOf(D).InHead; });
  if (I.Hoisted || I.Dropped || V->K != Var::Temp || I.Decls.empty() || I.Refs.empty() || !Bare)
    return false;
  unsigned First = *llvm::min_element(I.Refs), Last = *llvm::max_element(I.Refs);
  // The variable gets a value each time that this block is entered.
  const BlockInfo *Home = &Blocks[0];
  if (!V->Ty->isValue()) { // events: waits do not name them in the model
    if (I.Decls.size() != 1)
      return false;
    Home = &blockOf(I.Decls[0]);
  }
  for (const BlockInfo &B : Blocks)
    if (V->Ty->isValue() && !B.InHead && B.Where.holds(First) && B.Where.holds(Last) &&
        Home->Where.holds(B.Where))
      Home = &B;
  auto becomes = [&](const Stmt *S, unsigned ScopeEnd) {
    bool Gives =
        S->V == V &&
        (S->K == StmtKind::Assign || S->K == StmtKind::Atomic || S->K == StmtKind::AsyncCopy) &&
        S->LaneIdx.empty();
    // Its only position: it is the target, and not used.
    if (!Gives || llvm::count(I.Refs, SpanOf[S].Begin) != 1)
      return false;
    L.Skip.insert(I.Decls.begin(), I.Decls.end());
    L.AsDecl.insert(S);
    I.Scopes = {{SpanOf[S].Begin, ScopeEnd}};
    return true;
  };
  for (const Stmt *S : *Home->B) {
    if (!SpanOf[S].holds(First))
      continue;
    // `for (int i = ...`, if it is not read after the loop.
    if (S->K == StmtKind::Loop && S->Form == Stmt::For && S->Init.size() == 1 &&
        SpanOf[S->Init[0]].Begin == First && S->Init[0]->K == StmtKind::Assign &&
        SpanOf[S].holds(Last))
      return becomes(S->Init[0], SpanOf[S].End);
    return becomes(S, Home->ScopeEnd);
  }
  return false;
}

/// `int old = atomic_inc(c); int at = old;` where old has no other use.
void LayoutMaker::forward(const StmtList &B) {
  for (size_t I = 0; I < B.size(); ++I) {
    const Stmt *S = B[I];
    forEachStmtList(*const_cast<Stmt *>(S), [&](StmtList &Nested) { forward(Nested); });
    if (S->K != StmtKind::Atomic || !S->V || I + 1 == B.size())
      continue;
    const Stmt *T = B[I + 1];
    const VarInfo &Info = Vars[S->V];
    bool Plain = (T->K == StmtKind::Decl || T->K == StmtKind::Assign) && T->V &&
                 T->V->K == Var::Temp && T->LaneIdx.empty() && T->E &&
                 T->E->K == ExprKind::VarRef && T->E->V == S->V && T->Comments.empty();
    if (!Plain || Info.Refs.size() != 2 || Info.Hoisted || L.Skip.contains(T))
      continue;
    L.Taker[S] = T;
    L.Skip.insert(T);
    L.Skip.insert(Info.Decls.begin(), Info.Decls.end());
    L.AsDecl.erase(S);
  }
}

/// `int i = l; for (; i < n; i += 8)` is `for (int i = l; ...)` where i has no other use.
void LayoutMaker::intoHeads(const StmtList &B) {
  for (size_t I = 0; I < B.size(); ++I) {
    const Stmt *S = B[I];
    forEachStmtList(*const_cast<Stmt *>(S), [&](StmtList &Nested) { intoHeads(Nested); });
    if (S->K != StmtKind::Loop || S->Form != Stmt::For || !S->Init.empty() || S->Step.empty())
      continue;
    size_t Before = I;
    while (Before > 0 && L.Skip.contains(B[Before - 1]))
      --Before;
    if (Before == 0)
      continue;
    const Stmt *D = B[Before - 1];
    if (D->K != StmtKind::Decl || !D->E || !D->V->Ty->isScalar() || !D->Comments.empty() ||
        L.Skip.contains(D) || L.AsAssign.contains(D) || L.Before.count(D) || JoinedTo.count(D->V) ||
        Vars[D->V].Decls.size() != 1 ||
        llvm::none_of(S->Step, [&](const Stmt *X) { return X->V == D->V; }))
      continue;
    VarInfo &Info = Vars[D->V];
    bool Inside = llvm::all_of(Info.Refs, [&](unsigned P) { return SpanOf[S].holds(P); });
    bool Joined = llvm::any_of(JoinedTo, [&](const auto &Pair) { return Pair.second == D->V; });
    if (!Inside || Joined)
      continue;
    L.Head[S] = D;
    L.Skip.insert(D);
    Info.Scopes = {{SpanOf[D].Begin, SpanOf[S].End}};
  }
}

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
    Fixed &= X->K != ExprKind::Load && (X->K != ExprKind::VarRef || !isReassigned(X->V));
  });
  return Fixed;
}

/// `int4 s_2 = s + a; s = s_2 + b;` is `s = s + a + b;`: a value that only one statement uses and
/// that a pass made, or that is an earlier one of the same variable. Between the two are no loads,
/// so that no more values are live at once.
void LayoutMaker::inlineSteps(const StmtList &B) {
  constexpr size_t MostLength = 240; ///< of a statement
  llvm::SmallVector<const Stmt *, 16> Values;
  const Stmt *Previous = nullptr;
  for (const Stmt *S : B) {
    forEachStmtList(*const_cast<Stmt *>(S), [&](StmtList &Nested) { inlineSteps(Nested); });
    if (!prints(S))
      continue;
    bool Sets = S->K == StmtKind::Decl || S->K == StmtKind::Assign;
    size_t Length = S->E ? shownLength(S->E) : 0;
    for (const Stmt *Value : Values) {
      bool SameVariable = S->V && S->V->Range.isValid() && S->V->Ty == Value->V->Ty &&
                          samePlace(S->V->Range, Value->V->Range);
      size_t More = shownLength(Value->E);
      if ((Sets || S->K == StmtKind::Store) && S->E && S->Comments.empty() &&
          usesOf(Value) == std::vector<unsigned>{SpanOf[S].Begin} &&
          (SameVariable || !Value->V->Range.isValid()) && Length + More <= MostLength &&
          (Value == Previous || isFixed(Value->E))) {
        inlined(Value, {SpanOf[S].Begin});
        Length += More;
      }
    }
    bool Loads = !Sets || !S->E;
    if (!Loads)
      walk(S->E, [&](const Expr *X) { return !(Loads |= X->K == ExprKind::Load); });
    if (Loads)
      Values.clear();
    bool Constant = S->E && (S->E->K == ExprKind::IntConst || S->E->K == ExprKind::FloatConst);
    if (Sets && isInlinable(S) && S->E->K != ExprKind::Load && !isProduct(S->E) && !Constant)
      Values.push_back(S);
    Previous = S;
  }
}

/// The name without the model's suffix: x_2 was split from x, or renamed because of x.
std::string LayoutMaker::baseName(const Var *V) const {
  StringRef N = V->Name;
  if (size_t Dot = N.rfind('.'); Dot != StringRef::npos)
    N = N.substr(Dot + 1);
  std::string Clean;
  for (char C : N)
    Clean += llvm::isAlnum(C) || C == '_' ? C : '_';
  if (Clean.empty() || llvm::isDigit(Clean[0]))
    Clean = "t" + Clean;
  if (Faithful || V->K == Var::Param || V->ProgramScope || spells(M, *V, V->Name))
    return Clean;
  StringRef Stem = StringRef(Clean).rtrim("0123456789");
  bool Numbered = Stem.size() != Clean.size() && Stem.consume_back("_") && !Stem.empty();
  // Split from a variable of the user: it has the same declaration in the source.
  if (V->Range.isValid())
    for (const auto &[W, Info] : Vars)
      if (Numbered && W != V && samePlace(W->Range, V->Range) && W->Name == Stem)
        return W->Name;
  if (V->Range.isValid())
    for (const auto &[W, Info] : Vars)
      if (W != V && samePlace(W->Range, V->Range) && spells(M, *W, W->Name))
        return W->Name;
  // Split from one that was removed, or from that of one row.
  if (Numbered && (spells(M, *V, Stem) ||
                   (llvm::isDigit(Stem.back()) && spells(M, *V, Stem.rtrim("0123456789")))))
    return Stem.str();
  if (!Numbered)
    return Clean;
  auto Is = [&](const Var *W) { return W->Name == Stem; };
  if (llvm::any_of(K.Params, Is) || llvm::any_of(K.Vars, Is) ||
      Vars.end() != llvm::find_if(Vars, [&](auto &P) { return Is(P.first); }))
    return Stem.str();
  return Clean;
}

void LayoutMaker::join() {
  // In order of declaration, so that x_2 joins x before x_3 does.
  struct Candidate {
    const Var *V;
    const Stmt *S; ///< what declares it
  };
  std::vector<Candidate> List;
  for (auto &[V, I] : Vars) {
    if (I.Hoisted || I.Dropped || V->K != Var::Temp || I.Decls.size() != 1)
      continue;
    const Stmt *S = I.Decls[0];
    if (L.Skip.contains(S))
      for (const Stmt *D : L.AsDecl)
        if (D->V == V)
          S = D;
    if (!blockOf(S).InHead)
      List.push_back({V, S});
  }
  llvm::sort(List, [&](const Candidate &A, const Candidate &B) {
    return SpanOf[A.S].Begin < SpanOf[B.S].Begin;
  });
  struct Group {
    const Var *V;
    std::string Base;
    const StmtList *B;
    unsigned LastRef;
  };
  std::vector<Group> Groups;
  // Only live ranges of one variable are joined: they have its declaration in the source.
  auto LastRef = [&](const VarInfo &I) { return I.Refs.empty() ? 0 : *llvm::max_element(I.Refs); };
  for (const Var *P : K.Params)
    if (P->Ty->isValue())
      Groups.push_back({P, P->Name, &K.Body, Vars.count(P) ? LastRef(Vars[P]) : 0});
  for (const Candidate &C : List) {
    VarInfo &I = Vars[C.V];
    std::string Base = baseName(C.V);
    const BlockInfo &B = blockOf(C.S);
    unsigned Begin = SpanOf[C.S].Begin;
    Group *Found = nullptr;
    for (Group &G : Groups)
      if (G.Base == Base && G.B == B.B && C.V->Range.isValid() &&
          samePlace(G.V->Range, C.V->Range) && G.V->Ty == C.V->Ty &&
          G.V->IsPointerOffset == C.V->IsPointerOffset &&
          (G.V->K == Var::Param || G.V->Spelling == C.V->Spelling) && G.LastRef <= Begin && !Found)
        Found = &G;
    if (!Found || Base == C.V->Name) {
      Groups.push_back({C.V, Base, B.B, LastRef(I)});
      continue;
    }
    JoinedTo[C.V] = Found->V;
    L.Reassigned.insert(Found->V);
    Found->LastRef = std::max(Found->LastRef, LastRef(I));
    if (L.AsDecl.erase(C.S))
      continue;
    (C.S->E ? L.AsAssign : L.Skip).insert(C.S);
  }
}

bool LayoutMaker::free(const std::string &N, llvm::ArrayRef<Span> Scopes) const {
  if (Reserved.contains(N) || Macros.Names.contains(N))
    return false;
  auto It = Taken.find(N);
  if (It == Taken.end())
    return true;
  for (const Span &A : Scopes)
    for (const Span &B : It->second)
      if (A.overlaps(B))
        return false;
  return true;
}

void LayoutMaker::take(const Var *V, const std::string &N, llvm::ArrayRef<Span> Scopes) {
  L.Name[V] = N;
  llvm::append_range(Taken[N], Scopes);
}

void LayoutMaker::nameAll() {
  Span All{0, Next + 1};
  for (const Var *P : K.Params)
    take(P, P->Name, All);
  for (auto &[V, I] : Vars)
    if (V->ProgramScope)
      take(V, V->Name, All);
  // Names without a suffix come first: they are the user's.
  for (bool Own : {true, false})
    for (auto &[V, I] : Vars) {
      if (L.Name.count(V) || JoinedTo.count(V))
        continue;
      std::string Base = baseName(V);
      if ((Base == V->Name) != Own)
        continue;
      if (I.Scopes.empty())
        I.Scopes = {All};
      std::string N = Base;
      for (unsigned I2 = 2; !free(N, I.Scopes); ++I2)
        N = N == Base && V->Name != Base && V->Range.isValid() &&
                    V->Name.find('.') == std::string::npos
                ? V->Name
                : Base + "_" + std::to_string(I2);
      take(V, N, I.Scopes);
    }
  for (auto &[V, To] : JoinedTo) {
    const Var *Root = To;
    while (JoinedTo.count(Root))
      Root = JoinedTo[Root];
    std::string N = L.Name[Root]; // not while the map may grow
    L.Name[V] = N;
  }
  for (const Var *V : K.Vars)
    if (!L.Name.count(V))
      L.Name[V] = V->Name;
}

Layout LayoutMaker::run() {
  number(K.Body, false);
  walk(K.Body, [&](Stmt *S) {
    if (S->V && S->K != StmtKind::Decl)
      ++Assignments[S->V];
    return true;
  });
  // A joined or hoisted variable may come in any order: collect them all first.
  for (auto &[V, I] : Vars)
    scope(V, I);
  if (!Faithful) {
    dropUnused();
    for (auto &[V, I] : Vars)
      if (llvm::none_of(I.Decls, [&](const Stmt *D) { return L.Skip.contains(D); }))
        delay(V, I);
    inlineComponents(K.Body);
    inlineSteps(K.Body);
    join();
    forward(K.Body);
    inlineLoads(K.Body);
    intoHeads(K.Body);
  }
  walk(K.Body, [&](Stmt *S) {
    if (S->V && (S->K != StmtKind::Decl || L.AsAssign.contains(S)) && !L.AsDecl.contains(S))
      L.Reassigned.insert(S->V);
    return true;
  });
  nameAll();
  return std::move(L);
}

} // namespace

Layout layOut(const Kernel &K, const Module &M, const MacroTable &Macros, bool Faithful) {
  return LayoutMaker(K, M, Macros, Faithful).run();
}

} // namespace clmali::rewrite
