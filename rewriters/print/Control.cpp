//===-- rewriters/print/Control.cpp - Branches and loops as text ---------------===//
//
// Part of KernelPrinter: if, else if, early return; for, while, do; and the loops over the items of
// a block that is not whole:
//
//   before (model)                            after (text)
//   for (int lane = 0; lane < 8; ++lane) {    for (int x_2 = x; x_2 <= x + 7 && x_2 < n; ++x_2)
//     int x_2 = x + lane;                       out[x_2] = in[x_2];
//     if (x_2 < n)
//       out[x_2] = in[x_2];
//   }
//
//===----------------------------------------------------------------------===//

#include "checks/model/analysis/Slice.h"
#include "checks/model/ir/Simplify.h"
#include "checks/model/ir/Traversal.h"
#include "rewriters/print/KernelPrinter.h"

using llvm::StringRef;

namespace clmali::rewrite {

/// True if B is one statement, or one loop or branch that holds all others.
bool KernelPrinter::needsNoBraces(const StmtList &B) const {
  if (isPlain(B))
    return true;
  const Stmt *S = only(B);
  if (!S || Faithful)
    return false;
  if (S->K == StmtKind::If)
    return empty(S->Else) && !empty(S->Body) && !S->EarlyReturn;
  return S->K == StmtKind::Loop && S->Form == Stmt::For && !S->UnrollHint && headInit(S->Init) &&
         headStep(S->Step);
}

void KernelPrinter::ifStmt(const Stmt *S, bool Tail) {
  // `if (c) { ...; return; }`, if only Else follows in the kernel.
  if (Tail && S->EarlyReturn && Steps.empty() && !empty(S->Else)) {
    line("if (" + Print.condition(S->E).S + ")" + (empty(S->Body) ? "" : " {"));
    if (!empty(S->Body)) {
      block(S->Body, false);
      flushComments();
    }
    line("return;");
    if (!empty(S->Body))
      line("}");
    if (spacedFrom(S, S->Else.front()))
      line("");
    return block(S->Else, Tail);
  }
  const StmtList *Then = &S->Body, *Else = &S->Else;
  std::string Cond;
  if (empty(*Then) && !empty(*Else)) {
    Cond = Print.negated(S->E).S;
    std::swap(Then, Else);
  } else {
    Cond = Print.condition(S->E).S;
  }
  std::string Head = "if (" + Cond + ")";
  bool HasElse = !empty(*Else);
  if (isPlain(*Then) && (!HasElse || isPlain(*Else))) {
    line(Head);
    block(*Then, false);
    if (HasElse) {
      line("else");
      block(*Else, false);
    }
    return;
  }
  line(Head);
  braced(*Then, Tail);
  if (!HasElse)
    return;
  const Stmt *Only = only(*Else);
  bool Chain = Only && Only->K == StmtKind::If && !(Tail && Only->EarlyReturn);
  Out += "else ";
  if (Chain)
    return ifStmt(Only, Tail);
  braced(*Else, Tail);
}

/// `int i = 0, j = 1` or `i = 0, j = 1`.
std::optional<std::string> KernelPrinter::headInit(const StmtList &B) const {
  std::string Text, Ty;
  bool First = true, Declares = false;
  for (const Stmt *S : B) {
    if (L.Before.count(S))
      return std::nullopt;
    if (L.Skip.contains(S))
      continue;
    bool Decl = S->K == StmtKind::Decl ? !L.AsAssign.contains(S) : L.AsDecl.contains(S);
    if (Decl && (S->V->K != Var::Temp || (!First && typeOf(S->V) != Ty)))
      return std::nullopt;
    if (!First && Decl != Declares)
      return std::nullopt;
    Declares = Decl;
    if (Decl) {
      Ty = typeOf(S->V);
      Text += (First ? Ty + " " : ", ") + declarator(S->V) +
              (S->E ? " = " + Print.initialiser(S->E) : "");
    } else {
      std::optional<std::string> E = expression(S);
      if (!E)
        return std::nullopt;
      Text += (First ? "" : ", ") + *E;
    }
    First = false;
  }
  return Text;
}

std::optional<std::string> KernelPrinter::headStep(const StmtList &B) const {
  std::string Text;
  for (const Stmt *S : B) {
    std::optional<std::string> E;
    if (!L.Before.count(S) && !L.AsDecl.contains(S))
      E = expression(S);
    if (!E)
      return std::nullopt;
    Text += (Text.empty() ? "" : ", ") + *E;
  }
  return Text;
}

void KernelPrinter::loop(const Stmt *S) {
  if (itemLoops(S))
    return;
  std::optional<std::string> Init = headInit(S->Init), Step = headStep(S->Step);
  if (auto It = L.Head.find(S); It != L.Head.end())
    Init = declaration(It->second->V) + " = " + Print.initialiser(It->second->E);
  bool DoWhile = S->Form == Stmt::DoWhile;
  for (const StmtList *Head : {&S->Init, &S->Step})
    for (const Stmt *X : *Head)
      for (const std::string &C : X->Comments)
        line(C);
  // What the head cannot hold is printed before the loop, or at the end of its body.
  bool Outside = !Init || (DoWhile && !S->Init.empty());
  if (Outside) {
    line("{");
    block(S->Init, false);
    flushComments();
    Init = "";
  }
  if (S->UnrollHint)
    line("#pragma unroll");
  bool InBody = !Step || (DoWhile && !S->Step.empty());
  std::string Cond = S->E ? Print.condition(S->E).S : "";
  bool For =
      !DoWhile && (!S->E || S->Form == Stmt::For || !Init->empty() || (Step && !Step->empty()));
  if (DoWhile)
    line("do");
  else if (For)
    line("for (" + *Init + "; " + Cond + "; " + (Step && !InBody ? *Step : "") + ")");
  else
    line("while (" + Cond + ")");
  Steps.push_back(InBody ? &S->Step : nullptr);
  if (needsNoBraces(S->Body) && !DoWhile && !InBody) {
    block(S->Body, false);
  } else {
    line("{");
    block(S->Body, false);
    if (InBody) {
      // Not after an exit at the end: it would never run.
      Steps.back() = nullptr;
      block(S->Step, false);
    }
    flushComments();
    line("}");
  }
  Steps.pop_back();
  if (DoWhile)
    line("while (" + (S->E ? Cond : "1") + ");");
  if (Outside)
    line("}");
}

//===----------------------------------------------------------------------===//
// Loops over the items of a block
//===----------------------------------------------------------------------===//

/// True if V is an id times a constant, so that a block of items does not wrap.
bool KernelPrinter::startsAtId(const Var *V) const {
  const Stmt *Def = nullptr;
  for (Stmt *S : stmts(K.Body))
    if (S->K == StmtKind::Decl && S->V == V)
      Def = S;
  const Expr *E = Def && Def->E ? stripCasts(Def->E) : nullptr;
  if (!E || E->K != ExprKind::Binary || E->O != Op::Mul || !constantValue(E->Ops[1]))
    return false;
  const Expr *Id = stripCasts(E->Ops[0]);
  return Id->K == ExprKind::WorkItem && Id->Query == WorkItemQuery::GlobalId;
}

/// The nest of loops at S, each with the declaration of its item, and the statements after these.
/// The counters have no other use.
bool KernelPrinter::matchItems(const Stmt *S, std::vector<ItemLoop> &Nest,
                               const StmtList *&Rest) const {
  for (const Stmt *Loop = S; Loop && Loop->K == StmtKind::Loop; Loop = only(Loop->Body)) {
    auto Is = [](const Expr *E, ExprKind K, const Var *V) { return E->K == K && E->V == V; };
    if (Loop->Form != Stmt::For || Loop->UnrollHint || Loop->Init.size() != 1 ||
        Loop->Step.size() != 1 || !Loop->E || L.Head.count(Loop))
      return false;
    const Stmt *Init = Loop->Init[0], *Step = Loop->Step[0];
    const Var *C = Init->V;
    bool Counts = Init->K == StmtKind::Decl && Init->E && constantValue(Init->E) == 0 &&
                  Init->Comments.empty() && Loop->E->K == ExprKind::Binary &&
                  Loop->E->O == Op::LT && Is(Loop->E->Ops[0], ExprKind::VarRef, C) &&
                  constantValue(Loop->E->Ops[1]) && Step->K == StmtKind::Assign && Step->V == C &&
                  Step->E->K == ExprKind::Binary && Step->E->O == Op::Add &&
                  Is(Step->E->Ops[0], ExprKind::VarRef, C) && constantValue(Step->E->Ops[1]) == 1;
    if (!Counts)
      return false;
    Nest.push_back({Loop, C, *constantValue(Loop->E->Ops[1]), nullptr, nullptr, {}});
    Rest = &Loop->Body;
  }
  for (const Stmt *D : *Rest) {
    if (!D->Comments.empty() || L.Before.count(D))
      return false;
    if (L.Skip.contains(D))
      continue;
    if (D->K != StmtKind::Decl || L.AsAssign.contains(D) || !D->E || D->E->K != ExprKind::Binary ||
        D->E->O != Op::Add)
      break;
    const Expr *First = D->E->Ops[0];
    for (ItemLoop &Of : Nest)
      if (stripCasts(D->E->Ops[1])->K == ExprKind::VarRef &&
          stripCasts(D->E->Ops[1])->V == Of.Counter && !Of.Item && First->K == ExprKind::VarRef &&
          D->V->Ty == First->V->Ty && D->V->Ty->isScalar() && D->V->Ty->isInteger() &&
          sizeInBits(D->V->Ty->Scalar) >= 32 && !L.Reassigned.contains(D->V) &&
          !L.Reassigned.contains(First->V) && !L.Inline.contains(First->V) &&
          (isSigned(D->V->Ty->Scalar) || startsAtId(First->V)))
        std::tie(Of.Item, Of.First) = std::make_pair(D, First);
  }
  llvm::DenseMap<const Var *, unsigned> Uses;
  for (ExprAt X : exprs(*Rest))
    if (X->K == ExprKind::VarRef)
      ++Uses[X->V];
  return llvm::all_of(Nest,
                      [&](const ItemLoop &Of) { return Of.Item && Uses.lookup(Of.Counter) == 1; });
}

/// True if E is the same for all items of the block, and may be computed once more.
bool KernelPrinter::isInvariant(const Expr *E, llvm::ArrayRef<ItemLoop> Nest) const {
  for (ExprAt X : exprs(E)) {
    if (isRead(X->K) || X->K == ExprKind::Opaque || X->K == ExprKind::Call || X->O == Op::Div ||
        X->O == Op::Rem)
      return false;
    if (X->K == ExprKind::VarRef &&
        (L.Reassigned.contains(X->V) || llvm::any_of(Nest, [&](const ItemLoop &Of) {
           return X->V == Of.Item->V || X->V == Of.Counter;
         })))
      return false;
  }
  return true;
}

/// Divides the guard of the items into what ends the loops, since it fails for all later items,
/// too, and Kept. False if some loop would have no bound.
bool KernelPrinter::splitGuard(const Stmt *If, std::vector<ItemLoop> &Nest,
                               llvm::SmallVectorImpl<const Expr *> &Kept) const {
  llvm::SmallVector<const Expr *, 8> Work = {If->E};
  while (!Work.empty()) {
    const Expr *E = Work.pop_back_val();
    if (E->K == ExprKind::Binary && E->O == Op::LogicalAnd) {
      Work.push_back(E->Ops[1]);
      Work.push_back(E->Ops[0]);
      continue;
    }
    ItemLoop *Ends = nullptr;
    if (E->K == ExprKind::Binary && (E->O == Op::LT || E->O == Op::GT)) {
      const Expr *Item = E->Ops[E->O == Op::LT ? 0 : 1], *Bound = E->Ops[E->O == Op::LT ? 1 : 0];
      for (ItemLoop &Of : Nest)
        if (Item->K == ExprKind::VarRef && Item->V == Of.Item->V && isInvariant(Bound, Nest))
          Ends = &Of;
    }
    if (Ends)
      Ends->While.push_back(E);
    else
      Kept.push_back(E);
  }
  return llvm::all_of(Nest, [](const ItemLoop &Of) { return !Of.While.empty(); });
}

bool KernelPrinter::itemLoops(const Stmt *S) {
  std::vector<ItemLoop> Nest;
  const StmtList *Body = nullptr;
  if (Faithful || !matchItems(S, Nest, Body))
    return false;
  const Stmt *If = nullptr;
  for (const Stmt *X : *Body) {
    if (L.Skip.contains(X) || llvm::any_of(Nest, [&](const ItemLoop &Of) { return Of.Item == X; }))
      continue;
    if (If || X->K != StmtKind::If || !empty(X->Else) || X->EarlyReturn)
      return false;
    If = X;
  }
  llvm::SmallVector<const Expr *, 4> Kept;
  if (!If || empty(If->Body) || !splitGuard(If, Nest, Kept))
    return false;
  auto all = [&](llvm::ArrayRef<const Expr *> Conditions) {
    std::string Text;
    for (const Expr *E : Conditions)
      Text += (Text.empty() ? "" : " && ") + paren(Print.condition(E), PrecLogicalAnd);
    return Text;
  };
  for (const ItemLoop &Of : Nest) {
    std::string Type = typeOf(Of.Item->V), Item = nameOf(Of.Item->V), First = nameOf(Of.First->V);
    if (StringRef Plain = Type; Plain.consume_front("const "))
      Type = Plain.str();
    line("for (" + Type + " " + Item + " = " + First + "; " + Item + " <= " + First + " + " +
         std::to_string(Of.Count - 1) + " && " + all(Of.While) + "; ++" + Item + ")");
  }
  if (!Kept.empty())
    line("if (" + all(Kept) + ")");
  Steps.push_back(nullptr);
  if (isPlain(If->Body))
    block(If->Body, false);
  else
    braced(If->Body);
  Steps.pop_back();
  return true;
}

} // namespace clmali::rewrite
