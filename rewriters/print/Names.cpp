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
#include "rewriters/print/LayoutMaker.h"
#include "llvm/ADT/StringExtras.h"

using namespace clmali::model;
using llvm::StringRef;

namespace clmali::rewrite {

void LayoutMaker::refer(const Expr *E, unsigned P) {
  walk(E, [&](const Expr *X) {
    if (X->V)
      refer(X->V, P);
    if (X->Acc.Base)
      refer(X->Acc.Base, P);
    for (const Var *V : {X->Image, X->Sampler})
      if (V)
        refer(V, P);
    if (!X->Name.empty())
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
    if (S->Image)
      refer(S->Image, At);
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
  if (V->K == Var::Param || V->K == Var::SamplerConst || V->ProgramScope) {
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

bool readsVolatile(const Expr *E) {
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
    if (V->ProgramScope || V->K == Var::SamplerConst)
      take(V, V->Name, All);
  // Names without a suffix come first: they are the user's.
  for (bool Own : {true, false})
    for (auto &[V, I] : Vars) {
      if (L.Name.count(V) || JoinedTo.count(V) || L.Inline.count(V))
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

Layout layOut(const Kernel &K, const Module &M, const MacroTable &Macros, bool Faithful) {
  return LayoutMaker(K, M, Macros, Faithful).run();
}

} // namespace clmali::rewrite
