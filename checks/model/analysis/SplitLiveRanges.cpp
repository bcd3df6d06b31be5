//===-- checks/model/analysis/SplitLiveRanges.cpp - One variable for each purpose -------------===//
//
// What it does: splits each variable into its live ranges (webs), the sets of definitions that
// share a use:
//
//   before                      after
//   int i, t;                   int i = get_global_id(0);
//   i = get_global_id(0);       int t = a[i];
//   t = a[i];                   b[i] = t;
//   b[i] = t;                   int t_2 = a[i + 1];
//   t = a[i + 1];               c[i] = t_2;
//   c[i] = t;
//
// How: reaching definitions by one structured walk (a loop's body is walked once beforehand for the
// definitions that its back edge carries), union-find over the definitions that reach one use. A
// web whose first assignment precedes all its other definitions and uses is declared there.
//
// Limits: does nothing in a kernel with opaque nodes, whose text may name any variable. Variables
// of other types than values (events, samplers) are not split.
//
//===----------------------------------------------------------------------===//

#include "checks/model/analysis/Analysis.h"
#include "checks/model/ir/Traversal.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/IntEqClasses.h"
#include "llvm/ADT/StringSet.h"

namespace clmali::model {
namespace {

/// A definition of a variable. S null: the kernel's parameter.
struct Def {
  Var *V;
  Stmt *S;
};

/// The position of a statement: in B at Index, B being a list of Owner.
struct Position {
  StmtList *B = nullptr;
  unsigned Index = 0;
  Stmt *Owner = nullptr;
};

class WebSplitter {
public:
  WebSplitter(Module &M, Kernel &K) : M(M), K(K) {}
  void run();

private:
  using State = llvm::BitVector;
  struct Exits {
    State Break, Continue;
  };

  bool collect(StmtList &B, Stmt *Owner);
  void addDef(Var *V, Stmt *S);
  void flow(const StmtList &B, State &In, Exits *Loop);
  void flow(Stmt *S, State &In, Exits *Loop);
  void flowLoop(Stmt *S, State &In);
  void uses(Stmt *S, const State &In);
  void define(Stmt *S, State &In);
  void useOf(Var *V, Stmt *S, const State &In);
  void split();
  bool isBelow(Stmt *S, Stmt *Top) const;
  void rename();
  void dropDeadDecls();
  std::string freshName(llvm::StringRef Base);

  Module &M;
  Kernel &K;
  std::vector<Def> Defs;
  llvm::DenseMap<Var *, llvm::SmallVector<unsigned, 4>> DefsOf;
  llvm::DenseMap<Stmt *, unsigned> DefAt;
  std::vector<Var *> Order; ///< variables in order of first definition
  llvm::DenseMap<Stmt *, Position> Positions;
  bool Recording = false;
  llvm::IntEqClasses Webs;
  /// (variable, statement) -> a definition of the web that it uses there.
  std::map<std::pair<Stmt *, Var *>, unsigned> UseDef;
  llvm::DenseMap<unsigned, Var *> VarOf; ///< web leader -> its variable
  llvm::DenseSet<Stmt *> Dead;
  std::map<std::pair<StmtList *, unsigned>, StmtList> NewDecls; ///< to put before a statement
  llvm::StringSet<> Names;
};

bool splittable(const Var *V) {
  return V && (V->K == Var::Temp || V->K == Var::Param) && V->Ty->isValue();
}

void WebSplitter::addDef(Var *V, Stmt *S) {
  auto &List = DefsOf[V];
  if (List.empty())
    Order.push_back(V);
  List.push_back(Defs.size());
  if (S)
    DefAt[S] = Defs.size();
  Defs.push_back({V, S});
}

/// Collects definitions and positions; false if something is opaque.
bool WebSplitter::collect(StmtList &B, Stmt *Owner) {
  for (unsigned I = 0; I < B.size(); ++I) {
    Stmt *S = B[I];
    // Shared statements would be renamed twice.
    if (S->K == StmtKind::Opaque || !Positions.try_emplace(S, Position{&B, I, Owner}).second)
      return false;
    if (llvm::any_of(exprs(*S), [](ExprAt X) { return X->K == ExprKind::Opaque; }))
      return false;
    if (splittable(S->V))
      addDef(S->V, S);
    bool Clear = true;
    forEachStmtList(*S, [&](StmtList &Nested) { Clear = Clear && collect(Nested, S); });
    if (!Clear)
      return false;
  }
  return true;
}

void WebSplitter::useOf(Var *V, Stmt *S, const State &In) {
  auto It = DefsOf.find(V);
  if (It == DefsOf.end())
    return;
  for (unsigned D : It->second) {
    if (!In.test(D))
      continue;
    auto [Use, New] = UseDef.try_emplace({S, V}, D);
    Webs.join(Use->second, D);
  }
  // No definition reaches dead code; it must still compile.
  UseDef.try_emplace({S, V}, It->second.front());
}

void WebSplitter::uses(Stmt *S, const State &In) {
  if (!Recording)
    return;
  for (ExprAt X : exprs(*S))
    if (X->K == ExprKind::VarRef)
      useOf(X->V, S, In);
  // Writing some components keeps the others.
  if (!S->LaneIdx.empty() && splittable(S->V))
    useOf(S->V, S, In);
}

void WebSplitter::define(Stmt *S, State &In) {
  auto It = DefAt.find(S);
  if (It == DefAt.end())
    return;
  if (S->LaneIdx.empty()) {
    for (unsigned D : DefsOf[S->V])
      In.reset(D);
  } else if (Recording) {
    if (auto Use = UseDef.find({S, S->V}); Use != UseDef.end())
      Webs.join(Use->second, It->second);
  }
  In.set(It->second);
}

void WebSplitter::flow(const StmtList &B, State &In, Exits *Loop) {
  for (Stmt *S : B)
    flow(S, In, Loop);
}

void WebSplitter::flow(Stmt *S, State &In, Exits *Loop) {
  switch (S->K) {
  case StmtKind::If: {
    uses(S, In);
    State Else = In;
    flow(S->Body, In, Loop);
    flow(S->Else, Else, Loop);
    In |= Else;
    return;
  }
  case StmtKind::Loop:
    return flowLoop(S, In);
  case StmtKind::Break:
  case StmtKind::Continue:
    if (Loop)
      (S->K == StmtKind::Break ? Loop->Break : Loop->Continue) |= In;
    In.reset();
    return;
  case StmtKind::Return:
    In.reset();
    return;
  default:
    uses(S, In);
    define(S, In);
  }
}

void WebSplitter::flowLoop(Stmt *S, State &In) {
  flow(S->Init, In, nullptr);
  // One trip, from the state at the head to the state at its end.
  auto Trip = [&](State &Head, State &Out) {
    Exits E{State(Defs.size()), State(Defs.size())};
    bool TestFirst = S->Form != Stmt::DoWhile;
    if (TestFirst) {
      uses(S, Head);
      if (S->E)
        Out |= Head;
    }
    flow(S->Body, Head, &E);
    Head |= E.Continue;
    flow(S->Step, Head, nullptr);
    if (!TestFirst) {
      uses(S, Head);
      if (S->E)
        Out |= Head;
    }
    Out |= E.Break;
  };
  // The definitions on the back edge are those made in the loop and those that come in anyway: one
  // trip from the empty state finds the former.
  bool Was = Recording;
  Recording = false;
  State Back(Defs.size()), Ignored(Defs.size());
  Trip(Back, Ignored);
  Recording = Was;
  State Head = In;
  Head |= Back;
  State Out(Defs.size());
  Trip(Head, Out);
  In = Out;
}

/// True if S is in Top's block behind Top, or nested in a statement that is (or, for the head of a
/// loop, in that loop).
bool WebSplitter::isBelow(Stmt *S, Stmt *Top) const {
  Position T = Positions.lookup(Top);
  for (Position P = Positions.lookup(S);; P = Positions.lookup(P.Owner)) {
    if (P.B == T.B)
      return P.Index > T.Index;
    // `for (int i = 0; ...)`: visible in all of the loop.
    if (T.Owner && T.Owner->K == StmtKind::Loop && T.B == &T.Owner->Init &&
        (S == T.Owner || P.Owner == T.Owner))
      return true;
    if (!P.Owner)
      return false;
  }
}

std::string WebSplitter::freshName(llvm::StringRef Base) {
  // x_2 split again is x_3, not x_2_2.
  size_t Under = Base.rfind('_');
  unsigned Number;
  if (Under != llvm::StringRef::npos && Under && !Base.substr(Under + 1).getAsInteger(10, Number) &&
      Number >= 2 && Names.contains(Base.substr(0, Under)))
    Base = Base.substr(0, Under);
  for (unsigned I = 2;; ++I) {
    std::string Name = Base.str() + "_" + std::to_string(I);
    if (Names.insert(Name).second)
      return Name;
  }
}

void WebSplitter::split() {
  llvm::DenseMap<unsigned, llvm::SmallVector<Stmt *, 8>> UsesOf;
  for (const auto &[Key, D] : UseDef)
    UsesOf[Webs.findLeader(D)].push_back(Key.first);

  for (Var *V : Order) {
    // Webs by their first definition.
    llvm::SmallVector<unsigned, 4> Leaders;
    llvm::DenseMap<unsigned, llvm::SmallVector<unsigned, 4>> Members;
    for (unsigned D : DefsOf[V]) {
      unsigned L = Webs.findLeader(D);
      if (Members[L].empty())
        Leaders.push_back(L);
      Members[L].push_back(D);
    }
    // A declaration without a value that is never read is no live range.
    Stmt *Home = nullptr;
    for (unsigned L : llvm::SmallVector<unsigned, 4>(Leaders)) {
      Stmt *S = Defs[Members[L].front()].S;
      if (S && S->K == StmtKind::Decl && !Home)
        Home = S;
      if (Members[L].size() == 1 && S && S->K == StmtKind::Decl && !S->E && !UsesOf.count(L) &&
          Leaders.size() > 1) {
        Dead.insert(S);
        llvm::erase(Leaders, L);
      }
    }
    bool First = true;
    for (unsigned L : Leaders) {
      Var *W = V;
      if (!First) {
        W = M.newVar(V->K, freshName(V->Name), V->Ty);
        std::string Name = W->Name;
        *W = *V;
        W->K = Var::Temp;
        W->Name = Name;
        K.Vars.push_back(W);
      }
      VarOf[L] = W;
      bool WasFirst = First;
      First = false;

      // It is declared by its own Decl, or by its first assignment if that precedes all other
      // definitions and uses, or by a new Decl where V's was.
      if (W->K == Var::Param)
        continue;
      bool Declared = false;
      for (unsigned D : Members[L])
        Declared |= Defs[D].S->K == StmtKind::Decl;
      if (Declared)
        continue;
      Stmt *Top = Defs[Members[L].front()].S;
      bool Above = Top->K == StmtKind::Assign && Top->LaneIdx.empty();
      // The head of a loop declares one variable or none.
      if (Position P = Positions.lookup(Top);
          P.Owner && P.Owner->K == StmtKind::Loop && P.B != &P.Owner->Body)
        Above = Above && P.B == &P.Owner->Init && P.B->size() == 1;
      for (unsigned D : Members[L])
        Above = Above && (Defs[D].S == Top || isBelow(Defs[D].S, Top));
      if (auto It = UsesOf.find(L); It != UsesOf.end())
        for (Stmt *U : It->second)
          Above = Above && isBelow(U, Top);
      if (Above) {
        Top->K = StmtKind::Decl;
        continue;
      }
      if (WasFirst && Home && Dead.erase(Home))
        continue; // V's own bare declaration is still needed
      if (WasFirst && !Home)
        continue; // the model never declared it
      Position P = Home ? Positions.lookup(Home) : Position{&K.Body, 0, nullptr};
      // Not in the head of a loop: before it.
      while (P.Owner && P.Owner->K == StmtKind::Loop && P.B != &P.Owner->Body)
        P = Positions.lookup(P.Owner);
      Stmt *Decl = M.newStmt(StmtKind::Decl, Home ? Home->Range : SourceRange());
      Decl->V = W;
      NewDecls[{P.B, P.Index}].push_back(Decl);
    }
  }
}

void WebSplitter::rename() {
  for (auto &[S, P] : Positions) {
    if (auto It = DefAt.find(S); It != DefAt.end())
      if (Var *W = VarOf.lookup(Webs.findLeader(It->second)))
        S->V = W;
    if (llvm::none_of(exprs(*S), [](ExprAt X) { return X->K == ExprKind::VarRef && X->V; }))
      continue;
    Stmt *At = S;
    auto Leaf = [&](const Expr *X) -> const Expr * {
      if (X->K != ExprKind::VarRef)
        return nullptr;
      auto Use = UseDef.find({At, X->V});
      if (Use == UseDef.end())
        return nullptr;
      Var *W = VarOf.lookup(Webs.findLeader(Use->second));
      if (!W || W == X->V)
        return nullptr;
      Expr *N = M.newExpr(ExprKind::VarRef, X->Ty, X->Range);
      *N = *X;
      N->V = W;
      return N;
    };
    mapExprs(M, *S, [&](const Expr *E) { return substitute(M, E, Leaf); });
  }
}

void WebSplitter::dropDeadDecls() {
  llvm::DenseSet<StmtList *> Touched;
  for (Stmt *S : Dead)
    Touched.insert(Positions.lookup(S).B);
  for (auto &[Key, List] : NewDecls)
    Touched.insert(Key.first);
  for (StmtList *B : Touched) {
    StmtList New;
    std::vector<std::string> Comments;
    for (unsigned I = 0; I < B->size(); ++I) {
      Stmt *S = (*B)[I];
      if (auto It = NewDecls.find({B, I}); It != NewDecls.end())
        New.insert(New.end(), It->second.begin(), It->second.end());
      if (Dead.contains(S)) {
        Comments.insert(Comments.end(), S->Comments.begin(), S->Comments.end());
        continue;
      }
      S->Comments.insert(S->Comments.begin(), Comments.begin(), Comments.end());
      Comments.clear();
      New.push_back(S);
    }
    *B = std::move(New);
  }
}

void WebSplitter::run() {
  for (Var *P : K.Params) {
    Names.insert(P->Name);
    if (splittable(P))
      addDef(P, nullptr);
  }
  for (Var *V : K.Vars)
    Names.insert(V->Name);
  if (!collect(K.Body, nullptr))
    return;
  Webs.grow(Defs.size());
  State In(Defs.size());
  for (Var *P : K.Params)
    if (splittable(P))
      In.set(DefsOf[P].front());
  Recording = true;
  flow(K.Body, In, nullptr);
  split();
  rename();
  dropDeadDecls();
}

} // namespace

void splitLiveRanges(Module &M, Kernel &K) { WebSplitter(M, K).run(); }

} // namespace clmali::model
