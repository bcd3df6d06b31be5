//===-- checks/model/lift/Stmts.cpp - Control flow --------------------------===//
//
// What it does: lifts statements. Switches become chains of if, conditions with side effects move
// into the loop's body, comments stay with the statement that they precede.
//
//   switch (x) { case 1: A; break; default: B; }      if (x == 1) { A } else { B }
//
// Limits: goto, switches that fall through, and inline assembly are opaque.
//
//===----------------------------------------------------------------------===//

#include "checks/model/lift/Lifter.h"
#include "clang/AST/Attr.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/ScopeExit.h"

using llvm::StringRef;

namespace clmali::model {

StmtList Lifter::blockOf(llvm::function_ref<void()> F) {
  StmtList B, Waiting;
  std::swap(Waiting, Pending);
  StmtList *Outer = Out;
  Out = &B;
  F();
  flush();
  Out = Outer;
  std::swap(Waiting, Pending);
  return B;
}

StmtList Lifter::blockOf(const clang::Stmt *S) {
  return blockOf([&] {
    if (S)
      stmt(S);
  });
}

std::string Lifter::newRegion() { return "#" + std::to_string(++Regions); }

void Lifter::leaveRegion(StringRef Id, SourceRange R) {
  emit(StmtKind::Return, R)->Text = Id.str();
}

void Lifter::stmt(const clang::Stmt *S) {
  if (!S)
    return;
  SourceRange R = range(S);
  if (Statements > MaxStatements)
    return;
  if (Statements == MaxStatements) {
    ++Statements;
    return opaqueStmt("too large after inlining", R);
  }
  switch (S->getStmtClass()) {
  case clang::Stmt::NullStmtClass:
    return;
  case clang::Stmt::CompoundStmtClass:
    return compound(llvm::cast<clang::CompoundStmt>(S));
  case clang::Stmt::DeclStmtClass:
    return declStmt(llvm::cast<clang::DeclStmt>(S));
  case clang::Stmt::IfStmtClass:
    return ifStmt(llvm::cast<clang::IfStmt>(S));
  case clang::Stmt::ForStmtClass:
  case clang::Stmt::WhileStmtClass:
  case clang::Stmt::DoStmtClass:
    return loop(S, /*Unroll=*/false);
  case clang::Stmt::AttributedStmtClass: {
    const auto *A = llvm::cast<clang::AttributedStmt>(S);
    bool Unroll = llvm::any_of(A->getAttrs(), [](const clang::Attr *X) {
      return llvm::isa<clang::OpenCLUnrollHintAttr, clang::LoopHintAttr>(X);
    });
    const clang::Stmt *Sub = A->getSubStmt();
    if (llvm::isa<clang::ForStmt, clang::WhileStmt, clang::DoStmt>(Sub))
      return loop(Sub, Unroll);
    return stmt(Sub);
  }
  case clang::Stmt::SwitchStmtClass:
    return switchStmt(llvm::cast<clang::SwitchStmt>(S));
  case clang::Stmt::ReturnStmtClass:
    return returnStmt(llvm::cast<clang::ReturnStmt>(S));
  case clang::Stmt::BreakStmtClass:
    if (BreakRegion.empty())
      emit(StmtKind::Break, R);
    else
      leaveRegion(BreakRegion, R);
    return;
  case clang::Stmt::ContinueStmtClass:
    if (ContinueRegion.empty()) {
      emit(StmtKind::Continue, R);
      NeedsContinue = true;
    } else {
      leaveRegion(ContinueRegion, R);
    }
    return;
  case clang::Stmt::GotoStmtClass:
  case clang::Stmt::IndirectGotoStmtClass:
    return opaqueStmt("goto", R);
  case clang::Stmt::LabelStmtClass:
    // A label without a goto does nothing.
    if (llvm::cast<clang::LabelStmt>(S)->getDecl()->isUsed())
      opaqueStmt("goto", R);
    return stmt(llvm::cast<clang::LabelStmt>(S)->getSubStmt());
  case clang::Stmt::GCCAsmStmtClass:
  case clang::Stmt::MSAsmStmtClass:
    return opaqueStmt("inline assembly", R);
  case clang::Stmt::CaseStmtClass:
  case clang::Stmt::DefaultStmtClass:
    return opaqueStmt("case label inside a statement", R);
  default:
    if (const auto *E = llvm::dyn_cast<clang::Expr>(S)) {
      if (unsequenced(E))
        return opaqueStmt("unsequenced side effects", R);
      return exprStmt(E);
    }
    return opaqueStmt(S->getStmtClassName(), R);
  }
}

/// The offset behind the statement and its semicolon.
static uint32_t endOfStatement(StringRef Text, uint32_t End) {
  size_t I = End;
  while (I < Text.size() && (Text[I] == ' ' || Text[I] == '\t'))
    ++I;
  return I < Text.size() && Text[I] == ';' ? I + 1 : End;
}

void Lifter::compound(const clang::CompoundStmt *CS) {
  Scopes.push_back(CS);
  SourceRange Whole = range(CS);
  bool Comments = Frames.size() == 1 && Whole.isValid() && !CS->getLBracLoc().isMacroID();
  uint32_t At = Whole.Begin + 1;
  for (const clang::Stmt *S : CS->body()) {
    SourceRange R = range(S);
    bool Here = Comments && R.isValid() && R.File == Whole.File && R.Begin >= At;
    size_t Before = Out->size();
    if (Here) {
      for (std::string &C : comments(R.File, At, R.Begin))
        WaitingComments.push_back(std::move(C));
      StringRef Text = M.Files[R.File].Text;
      At = endOfStatement(Text, R.End);
      // A comment on the same line belongs to the statement as well.
      size_t Line = std::min(Text.find('\n', At), size_t(Whole.End - 1));
      StringRef Tail = Text.slice(At, Line).ltrim(" \t");
      if (Tail.starts_with("//") || (Tail.starts_with("/*") && Tail.rtrim().ends_with("*/"))) {
        for (std::string &C : comments(R.File, At, Line))
          WaitingComments.push_back(std::move(C));
        At = Line;
      }
    }
    std::vector<std::string> Own;
    Own.swap(WaitingComments);
    stmt(S);
    if (Out->size() > Before) {
      std::vector<std::string> &To = (*Out)[Before]->Comments;
      To.insert(To.begin(), Own.begin(), Own.end());
    } else { // no statement was emitted: the next one takes them
      WaitingComments.insert(WaitingComments.begin(), Own.begin(), Own.end());
    }
  }
  if (Comments && !Out->empty()) {
    for (std::string &C : comments(Whole.File, At, Whole.End - 1))
      WaitingComments.push_back(std::move(C));
    std::vector<std::string> &Last = Out->back()->Comments;
    Last.insert(Last.end(), WaitingComments.begin(), WaitingComments.end());
    WaitingComments.clear();
  }
  Scopes.pop_back();
}

void Lifter::exprStmt(const ClangExpr *E) {
  E = E->IgnoreParens();
  if (E->containsErrors())
    return unparsedStmt(range(E));
  if (const auto *C = llvm::dyn_cast<clang::CastExpr>(E); C && C->getCastKind() == clang::CK_ToVoid)
    return exprStmt(C->getSubExpr());
  if (const auto *X = llvm::dyn_cast<clang::FullExpr>(E))
    return exprStmt(X->getSubExpr());
  if (const auto *B = llvm::dyn_cast<clang::BinaryOperator>(E)) {
    if (B->isAssignmentOp())
      assign(B, /*Want=*/false);
    else if (B->isCommaOp()) {
      exprStmt(B->getLHS());
      exprStmt(B->getRHS());
    } else {
      expr(E);
    }
  } else if (const auto *U = llvm::dyn_cast<clang::UnaryOperator>(E);
             U && U->isIncrementDecrementOp()) {
    increment(U, /*Want=*/false);
  } else if (const auto *C = llvm::dyn_cast<clang::CallExpr>(E)) {
    if (E->getType()->isRecordType())
      structValue(E);
    else if (E->getType()->isPointerType())
      pointer(E);
    else
      call(C, /*Want=*/false);
  } else if (const auto *C = llvm::dyn_cast<clang::ConditionalOperator>(E)) {
    conditionalExpr(C);
  } else if (const auto *X = llvm::dyn_cast<clang::StmtExpr>(E)) {
    compound(X->getSubStmt());
  } else if (E->HasSideEffects(Ctx, /*IncludePossibleEffects=*/false)) {
    if (type(E->getType())->isValue())
      expr(E);
    else
      opaqueStmt(E->getStmtClassName(), range(E));
  }
  flush();
}

//===----------------------------------------------------------------------===//
// Branches and loops
//===----------------------------------------------------------------------===//

void Lifter::ifStmt(const clang::IfStmt *S) {
  SourceRange R = range(S);
  const Expr *C = condition(S->getCond());
  // `if (0)` and `if (1)` from macros: only the branch that is executed is lifted.
  if (C->K == ExprKind::IntConst) {
    StmtList Taken = blockOf(C->Int ? S->getThen() : S->getElse());
    Out->insert(Out->end(), Taken.begin(), Taken.end());
    return;
  }
  Stmt *If = M.newStmt(StmtKind::If, R);
  ++Statements;
  If->E = C;
  If->Body = blockOf(S->getThen());
  If->Else = blockOf(S->getElse());
  Out->push_back(If);
}

/// do { Body } while (0): a block, which break and continue leave.
void Lifter::runOnce(const clang::Stmt *Body) {
  std::string Region = newRegion();
  BreakRegion = ContinueRegion = Region;
  StmtList Once = blockOf(Body);
  structureExits(M, Once, Region, /*InLoops=*/true,
                 [&] { return newVar(Var::Temp, "left", M.value(ScalarKind::Int)); });
  Out->insert(Out->end(), Once.begin(), Once.end());
}

/// The initialisation of a for loop: in its head if that has no effects but on registers, else
/// before the loop.
void Lifter::loopInit(const clang::Stmt *Source, Stmt *L) {
  StmtList Init = blockOf(Source);
  bool Simple = llvm::all_of(Init, [](const Stmt *X) {
    return (X->K == StmtKind::Decl && X->V->K == Var::Temp) || X->K == StmtKind::Assign;
  });
  if (Simple)
    L->Init = std::move(Init);
  else
    Out->insert(Out->end(), Init.begin(), Init.end());
}

/// The step of a for loop, whose body has been lifted: in its head, or at the end of the body.
void Lifter::loopStep(const ClangExpr *Source, Stmt *L, bool Continues) {
  StmtList Step = blockOf([&] {
    if (unsequenced(Source))
      opaqueStmt("unsequenced side effects", range(Source));
    else
      exprStmt(Source);
  });
  bool Simple = llvm::all_of(Step, [](const Stmt *X) { return X->K == StmtKind::Assign; });
  if (Simple || Continues)
    L->Step = std::move(Step);
  else
    L->Body.insert(L->Body.end(), Step.begin(), Step.end());
}

/// The condition C of a loop, whose side effects are Effects: with some, a break in the body.
///   before: while (i++ < n) B      after: while () { t = i; i = i + 1; if (!(t < n)) break; B }
void Lifter::loopTest(const Expr *C, StmtList Effects, SourceRange R, Stmt *L, bool Continues) {
  if (Effects.empty()) {
    L->E = C;
    return;
  }
  Stmt *Leave = M.newStmt(StmtKind::If, R);
  Leave->E = at(M.unary(Op::LogicalNot, C), C->Range);
  Leave->Body.push_back(M.newStmt(StmtKind::Break, Leave->Range));
  Effects.push_back(Leave);
  if (L->Form != Stmt::DoWhile) {
    L->Body.insert(L->Body.begin(), Effects.begin(), Effects.end());
  } else if (Continues) {
    opaqueStmt("continue in a loop whose condition has side effects", L->Range);
  } else {
    L->Body.insert(L->Body.end(), Effects.begin(), Effects.end());
    L->Form = Stmt::While;
  }
}

void Lifter::loop(const clang::Stmt *S, bool Unroll) {
  const auto *For = llvm::dyn_cast<clang::ForStmt>(S);
  const auto *While = llvm::dyn_cast<clang::WhileStmt>(S);
  const auto *Do = llvm::dyn_cast<clang::DoStmt>(S);
  const clang::Stmt *Body = For ? For->getBody() : While ? While->getBody() : Do->getBody();
  const ClangExpr *Cond = For ? For->getCond() : While ? While->getCond() : Do->getCond();

  std::string OuterBreak, OuterContinue;
  std::swap(OuterBreak, BreakRegion);
  std::swap(OuterContinue, ContinueRegion);
  bool OuterNeeds = NeedsContinue;
  NeedsContinue = false;
  auto Restore = llvm::make_scope_exit([&] {
    BreakRegion = OuterBreak;
    ContinueRegion = OuterContinue;
    NeedsContinue = OuterNeeds;
  });
  clang::Expr::EvalResult V;
  if (Do && !Cond->isValueDependent() && Cond->EvaluateAsInt(V, Ctx) && V.Val.getInt() == 0)
    return runOnce(Body);

  Scopes.push_back(S);
  Stmt *L = M.newStmt(StmtKind::Loop, range(S));
  ++Statements;
  L->Form = For ? Stmt::For : While ? Stmt::While : Stmt::DoWhile;
  L->UnrollHint = Unroll;
  if (For && For->getInit())
    loopInit(For->getInit(), L);
  const Expr *C = nullptr;
  StmtList Effects = blockOf([&] {
    if (Cond)
      C = condition(Cond);
  });
  // while (1) and for (;;) have no condition.
  if (C && C->K == ExprKind::IntConst && C->Int != 0 && Effects.empty())
    C = nullptr;
  L->Body = blockOf(Body);
  bool Continues = NeedsContinue;
  if (For && For->getInc())
    loopStep(For->getInc(), L, Continues);
  loopTest(C, std::move(Effects), Cond ? range(Cond) : SourceRange(), L, Continues);
  Scopes.pop_back();
  Out->push_back(L);
}

/// The groups of labels of a switch and the statements behind each; nullopt: a statement before the
/// first label.
std::optional<std::vector<Lifter::CaseGroup>> Lifter::caseGroups(const clang::CompoundStmt *Body) {
  std::vector<CaseGroup> Groups;
  for (const clang::Stmt *Sub : Body->body()) {
    if (llvm::isa<clang::SwitchCase>(Sub))
      Groups.emplace_back();
    while (const auto *Label = llvm::dyn_cast<clang::SwitchCase>(Sub)) {
      Groups.back().Labels.push_back(Label);
      Groups.back().Default |= llvm::isa<clang::DefaultStmt>(Label);
      Sub = Label->getSubStmt();
    }
    if (!Groups.empty()) {
      Groups.back().Stmts.push_back(Sub);
      continue;
    }
    if (!llvm::isa<clang::DeclStmt>(Sub))
      return std::nullopt;
    stmt(Sub);
  }
  return Groups;
}

/// `Value == label`, for any label of Groups but the default; null: there is none.
const Expr *Lifter::caseTest(llvm::ArrayRef<CaseGroup> Groups, const Expr *Value) {
  const Expr *Test = nullptr;
  for (const CaseGroup &G : Groups)
    for (const clang::SwitchCase *Label : G.Labels) {
      const auto *Case = llvm::dyn_cast<clang::CaseStmt>(Label);
      if (!Case)
        continue;
      const Expr *Known = expr(Case->getLHS());
      const Expr *Is = at(M.binary(Op::EQ, Value, M.cast(Known, Value->Ty, /*Implicit=*/true)),
                          range(Case->getLHS()));
      Test = Test ? M.binary(Op::LogicalOr, Test, Is) : Is;
    }
  return Test;
}

/// The statements of Run, groups of which each but the last falls through to the next one: a group
/// is executed if Value has one of its labels, or of those before.
///   case 1: a(); case 2: b(); break;        if (v == 1) a(); b();
StmtList Lifter::caseRun(llvm::MutableArrayRef<CaseGroup> Run, const Expr *Value) {
  StmtList Body;
  bool Default = false;
  for (size_t I = 0; I + 1 < Run.size(); ++I) {
    Default |= Run[I].Default;
    Stmt *If = M.newStmt(StmtKind::If, range(Run[I].Labels.front()));
    const Expr *Later = Default ? caseTest(Run.drop_front(I + 1), Value) : nullptr;
    If->E = Default ? (Later ? M.unary(Op::LogicalNot, Later) : nullptr)
                    : caseTest(Run.take_front(I + 1), Value);
    if (If->E) {
      If->Body = std::move(Run[I].Lifted);
      Body.push_back(If);
    } else {
      Body.insert(Body.end(), Run[I].Lifted.begin(), Run[I].Lifted.end());
    }
  }
  Body.insert(Body.end(), Run.back().Lifted.begin(), Run.back().Lifted.end());
  return Body;
}

/// The groups of a switch in runs that begin where the group before does not fall through.
std::vector<llvm::MutableArrayRef<Lifter::CaseGroup>>
Lifter::runsOf(llvm::MutableArrayRef<CaseGroup> Groups) {
  std::vector<llvm::MutableArrayRef<CaseGroup>> Runs;
  for (size_t I = 0, First = 0; I < Groups.size(); ++I)
    if (I + 1 == Groups.size() || !fallsThrough(Groups[I].Lifted)) {
      Runs.push_back(Groups.slice(First, I + 1 - First));
      First = I + 1;
    }
  return Runs;
}

/// A switch as a chain of if.
void Lifter::switchStmt(const clang::SwitchStmt *S) {
  SourceRange R = range(S);
  const auto *Body = llvm::dyn_cast<clang::CompoundStmt>(S->getBody());
  if (!Body)
    return opaqueStmt("switch without a block", R);
  const Expr *Value = settled(S->getCond());
  if (!Value->Ty->isScalar())
    return opaqueStmt("switch over what is no number", R);
  std::optional<std::vector<CaseGroup>> Groups = caseGroups(Body);
  if (!Groups)
    return opaqueStmt("statement before the first case", R);
  std::string Region = newRegion(), OuterBreak = Region;
  std::swap(OuterBreak, BreakRegion);
  Scopes.push_back(Body);
  for (CaseGroup &G : *Groups)
    G.Lifted = blockOf([&] {
      for (const clang::Stmt *Sub : G.Stmts)
        stmt(Sub);
    });
  Scopes.pop_back();
  BreakRegion = OuterBreak;

  // A value that several tests use is computed once, before the cases change it.
  if (Value->K != ExprKind::IntConst)
    Value = M.ref(temp("choice", Value->Ty, Value, range(S->getCond())));
  StmtList Chain; // built from the last run; the one with the default is the last else
  auto Runs = runsOf(*Groups);
  auto HasDefault = [](llvm::ArrayRef<CaseGroup> Run) {
    return llvm::any_of(Run, [](const CaseGroup &G) { return G.Default; });
  };
  for (const auto &Run : Runs) {
    for (const CaseGroup &G : Run) {
      auto IsRange = [](const clang::SwitchCase *Label) {
        const auto *Case = llvm::dyn_cast<clang::CaseStmt>(Label);
        return Case && Case->getRHS();
      };
      if (llvm::any_of(G.Labels, IsRange))
        return opaqueStmt("case range", R);
      // A variable that the next group might use.
      if (&G != &Run.back() && llvm::any_of(G.Stmts, llvm::IsaPred<clang::DeclStmt>))
        return opaqueStmt("switch that falls through a declaration", R);
    }
    if (HasDefault(Run))
      Chain = caseRun(Run, Value);
  }
  for (const auto &Run : llvm::reverse(Runs)) {
    if (HasDefault(Run))
      continue;
    Stmt *If = M.newStmt(StmtKind::If, range(Run.front().Labels.front()));
    If->E = caseTest(Run, Value);
    If->Body = caseRun(Run, Value);
    If->Else = std::move(Chain);
    Chain = {If};
  }
  structureExits(M, Chain, Region, /*InLoops=*/true,
                 [&] { return newVar(Var::Temp, "left", M.value(ScalarKind::Int)); });
  Out->insert(Out->end(), Chain.begin(), Chain.end());
}

void Lifter::returnStmt(const clang::ReturnStmt *S) {
  SourceRange R = range(S);
  Frame &F = Frames.back();
  std::string Region = F.Region;
  Place Result = F.Result;
  if (const ClangExpr *E = S->getRetValue()) {
    if (unsequenced(E)) {
      opaqueStmt("unsequenced side effects", R);
    } else if (E->getType()->isVoidType()) {
      exprStmt(E);
    } else if (E->getType()->isRecordType()) {
      copyStruct(Result, structValue(E), R);
    } else if (E->getType()->isPointerType()) {
      // Known only for a helper that returns once, at its end (inlineCall).
      Place P = pointer(E);
      size_t Mark = Out->size();
      flush();
      protect(P, Mark);
      Frames.back().Result = P;
    } else {
      const Expr *V = expr(E);
      if (V->Ty->isValue() && Result)
        write(Result, V, R);
    }
    flush();
  }
  leaveRegion(Region, R);
}

} // namespace clmali::model
