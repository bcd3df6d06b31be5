//===-- checks/model/ir/StructureExits.cpp - Returns become if/else ---------------===//
//
// What it does: removes the exits of one region (the returns of a function, the
// breaks of a switch, the continues of a loop) from a block.
//
//   before                         after
//   if (c) { A; return; }          if (c) { A } else {
//   B                                B
//                                  }
//
// Where several paths fall through and another one leaves, the rest is guarded by a flag instead of
// being duplicated.
//
// Limits: exits from inside loops stay unless InLoops is set.
//
//===----------------------------------------------------------------------===//

#include "checks/model/ir/StructureExits.h"
#include "llvm/ADT/SmallPtrSet.h"

namespace clmali::model {
namespace {

/// The ends of blocks at which control falls through (Open), and at which it has left the region.
struct Ends {
  llvm::SmallVector<StmtList *, 2> Open, Left;
};

class Structurer {
public:
  Structurer(Module &M, StmtKind Exit, llvm::StringRef Id, bool InHelper,
             llvm::function_ref<Var *()> NewFlag)
      : M(M), Exit(Exit), Id(Id), InLoops(InHelper), NewFlag(NewFlag) {}

  Ends block(StmtList &B);
  /// Removes empty guards.
  void clean(StmtList &B) {
    llvm::erase_if(B, [&](Stmt *S) {
      forEachStmtList(*S, [&](StmtList &Nested) { clean(Nested); });
      return Guards.contains(S) && S->Body.empty() && S->Else.empty();
    });
  }
  StmtList FlagDecls;

private:
  llvm::SmallPtrSet<const Stmt *, 4> Guards;
  Module &M;
  StmtKind Exit; ///< Return, or the loop's Continue
  llvm::StringRef Id;
  bool InLoops;
  llvm::function_ref<Var *()> NewFlag;

  bool isExit(const Stmt *S) const {
    return S->K == Exit && (Exit != StmtKind::Return || S->Text == Id);
  }
  bool holdsExit(const StmtList &B) const {
    bool Found = false;
    walk(B, [&](Stmt *S) { return !(Found |= isExit(S)); });
    return Found;
  }
  Var *flag() {
    Var *F = NewFlag();
    Stmt *D = M.newStmt(StmtKind::Decl);
    D->V = F;
    D->E = M.intConst(0, F->Ty);
    FlagDecls.push_back(D);
    return F;
  }
  Stmt *set(Var *F) {
    Stmt *S = M.newStmt(StmtKind::Assign);
    S->V = F;
    S->E = M.intConst(1, F->Ty);
    return S;
  }
  Ends guarded(StmtList &B, Var *F, StmtList Rest);
  void breakOut(StmtList &B, Var *F);
};

/// `if (!F) { Rest }` behind B.
Ends Structurer::guarded(StmtList &B, Var *F, StmtList Rest) {
  Stmt *If = M.newStmt(StmtKind::If, Rest.empty() ? SourceRange() : Rest.front()->Range);
  Guards.insert(If);
  If->E = M.binary(Op::EQ, M.ref(F), M.intConst(0, F->Ty));
  If->Body = std::move(Rest);
  B.push_back(If);
  Ends R = block(If->Body);
  R.Left.push_back(&If->Else);
  return R;
}

/// Exits inside a loop's body: set the flag, then break; one break for each enclosing loop.
void Structurer::breakOut(StmtList &B, Var *F) {
  StmtList Result;
  for (Stmt *S : B) {
    if (isExit(S)) {
      Result.push_back(set(F));
      Result.push_back(M.newStmt(StmtKind::Break, S->Range));
      break;
    }
    bool Inner = S->K == StmtKind::Loop && holdsExit(S->Body);
    forEachStmtList(*S, [&](StmtList &Nested) { breakOut(Nested, F); });
    Result.push_back(S);
    if (Inner) {
      Stmt *If = M.newStmt(StmtKind::If, S->Range);
      If->E = M.binary(Op::NE, M.ref(F), M.intConst(0, F->Ty));
      If->Body.push_back(M.newStmt(StmtKind::Break, S->Range));
      Result.push_back(If);
    }
  }
  B = std::move(Result);
}

Ends Structurer::block(StmtList &B) {
  for (size_t I = 0; I < B.size(); ++I) {
    Stmt *S = B[I];
    if (isExit(S)) {
      B.resize(I);
      return {{}, {&B}};
    }
    if (S->K == StmtKind::Return || S->K == StmtKind::Break || S->K == StmtKind::Continue) {
      B.resize(I + 1); // what follows is dead
      return {};
    }
    if (S->K == StmtKind::Loop && InLoops && holdsExit(S->Body)) {
      Var *F = flag();
      breakOut(S->Body, F);
      StmtList Rest(B.begin() + I + 1, B.end());
      B.resize(I + 1);
      return guarded(B, F, std::move(Rest));
    }
    if (S->K != StmtKind::If)
      continue;
    Ends Then = block(S->Body), Else = block(S->Else);
    if (Then.Left.empty() && Else.Left.empty()) {
      if (Then.Open.empty() && Else.Open.empty()) {
        B.resize(I + 1);
        return {};
      }
      continue;
    }
    bool Early = S->Else.empty() && Then.Open.empty();
    Ends All = Then;
    All.Open.append(Else.Open.begin(), Else.Open.end());
    All.Left.append(Else.Left.begin(), Else.Left.end());
    StmtList Rest(B.begin() + I + 1, B.end());
    B.resize(I + 1);
    if (Rest.empty() || All.Open.empty())
      return All;
    if (All.Open.size() == 1) {
      StmtList *Target = All.Open.front();
      // Only a kernel's own return may be printed as a return.
      S->EarlyReturn = Exit == StmtKind::Return && !InLoops && Early && Target == &S->Else;
      Ends R = block(Rest);
      for (auto *List : {&R.Open, &R.Left})
        std::replace(List->begin(), List->end(), &Rest, Target);
      Target->insert(Target->end(), Rest.begin(), Rest.end());
      R.Left.append(All.Left.begin(), All.Left.end());
      return R;
    }
    Var *F = flag();
    for (StmtList *Leaving : All.Left)
      Leaving->push_back(set(F));
    return guarded(B, F, std::move(Rest));
  }
  return {{&B}, {}};
}

} // namespace

void structureExits(Module &M, StmtList &B, llvm::StringRef Id, bool InLoops,
                    llvm::function_ref<Var *()> NewFlag) {
  Structurer S(M, StmtKind::Return, Id, InLoops, NewFlag);
  S.block(B);
  S.clean(B);
  B.insert(B.begin(), S.FlagDecls.begin(), S.FlagDecls.end());
}

void structureContinues(Module &M, StmtList &B, llvm::function_ref<Var *()> NewFlag) {
  Structurer S(M, StmtKind::Continue, "", /*InHelper=*/false, NewFlag);
  S.block(B);
  S.clean(B);
  B.insert(B.begin(), S.FlagDecls.begin(), S.FlagDecls.end());
}

bool fallsThrough(const StmtList &B) {
  for (const Stmt *S : B) {
    if (S->K == StmtKind::Return || S->K == StmtKind::Break || S->K == StmtKind::Continue)
      return false;
    if (S->K == StmtKind::If && !fallsThrough(S->Body) && !fallsThrough(S->Else))
      return false;
  }
  return true;
}

} // namespace clmali::model
