//===-- rewriters/normalize/Cleanup.cpp - Dead code, copies and names --------------------===//
//
// What it does: copies kernels, finds free names, and removes what has no
// effect:
//
//   before                              after
//   int unused = a[i];
//   int t = u;                          y[i] = u;
//   y[i] = t;
//   if (c) { }
//   float v; v = x * 2;                 float v = x * 2;
//   if (c) v = a; else v = a;           v = a;
//   if (c) v = a; else v = b;           v = c ? a : b; (Choices.cpp)
//   int sum = 0; int sum_2 = sum + a;   int sum_2 = a;
//   while (k < 9) k += 4;
//
// A private or local object that nothing reads is removed with all stores to it.
//
// Limits: does nothing in a kernel with opaque nodes, whose text may name any variable.
// Computations are not moved into their use: that would permit a floating-point contraction that
// the source excludes.
//
//===----------------------------------------------------------------------===//

#include "checks/model/ir/Traversal.h"
#include "checks/model/pattern/Opaque.h"
#include "rewriters/normalize/Steps.h"
#include "rewriters/pass/Passes.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace clmali::rewrite {

using namespace model;

//===----------------------------------------------------------------------===//
// Copies of kernels
//===----------------------------------------------------------------------===//

Kernel *cloneKernel(Module &M, const Kernel &K, llvm::StringRef Name) {
  llvm::DenseMap<Var *, Var *> Copies;
  auto copy = [&](Var *V) {
    // Program-scope objects and constants are shared by both kernels.
    if (V->ProgramScope || V->K == Var::SamplerConst)
      return V;
    Var *&C = Copies[V];
    if (!C) {
      C = M.newVar(V->K, V->Name, V->Ty);
      *C = *V;
    }
    return C;
  };
  Kernel *New = M.newKernel(Name);
  std::string Text = Name.str();
  StmtList Body = K.Body;
  *New = K;
  New->Name = std::move(Text);
  for (Var *&P : New->Params)
    P = copy(P);
  for (Var *&V : New->Vars)
    V = copy(V);
  New->Body = cloneStmts(M, Body, copy);
  return New;
}

bool spells(const Module &M, const Var &V, llvm::StringRef Name) {
  if (!V.Range.isValid() || V.Range.File >= M.Files.size())
    return false;
  llvm::StringRef Text =
      llvm::StringRef(M.Files[V.Range.File].Text).slice(V.Range.Begin, V.Range.End);
  auto IsWord = [](char C) { return llvm::isAlnum(C) || C == '_'; };
  for (size_t At = Text.find(Name); At != llvm::StringRef::npos; At = Text.find(Name, At + 1)) {
    size_t End = At + Name.size();
    if ((At == 0 || !IsWord(Text[At - 1])) && (End >= Text.size() || !IsWord(Text[End])))
      return true;
  }
  return false;
}

llvm::StringRef sourceName(const Module &M, const Var &V) {
  llvm::StringRef Name = V.Name, Stem = Name.rtrim("0123456789");
  bool Numbered = Stem.size() != Name.size() && Stem.consume_back("_") && !Stem.empty();
  return Numbered && !spells(M, V, Name) && spells(M, V, Stem) ? Stem : Name;
}

std::string uniqueName(const Kernel &K, llvm::StringRef Base) {
  llvm::DenseSet<llvm::StringRef> Taken; ///< only those that start with Base
  for (const auto *Vars : {&K.Params, &K.Vars})
    for (const Var *V : *Vars)
      if (llvm::StringRef(V->Name).starts_with(Base))
        Taken.insert(V->Name);
  std::string Name = Base.str();
  for (unsigned I = 2; Taken.contains(Name); ++I)
    Name = (Base + "_" + llvm::Twine(I)).str();
  return Name;
}

Var *newTemp(Module &M, Kernel &K, llvm::StringRef Base, const Type *Ty) {
  K.Vars.push_back(M.newVar(Var::Temp, uniqueName(K, Base), Ty));
  return K.Vars.back();
}

Stmt *declareTemp(Module &M, Kernel &K, llvm::StringRef Base, const Expr *E, SourceRange At) {
  Stmt *D = M.newStmt(StmtKind::Decl, At);
  D->V = newTemp(M, K, Base, E->Ty);
  D->E = E;
  return D;
}

//===----------------------------------------------------------------------===//
// Cleaning
//===----------------------------------------------------------------------===//

bool normalization::mayDrop(const Expr *E) {
  bool Pure = true;
  walk(E, [&](const Expr *X) {
    if (X->K == ExprKind::Opaque || (X->K == ExprKind::Load && X->Acc.Volatile))
      Pure = false;
    return Pure;
  });
  return Pure;
}

namespace {

using normalization::mayDrop;

class Cleaner {
public:
  explicit Cleaner(const EditedKernel &E) : Edited(E), M(E.module()), K(E.kernel()) {}
  unsigned run();
  unsigned unused();

private:
  const EditedKernel Edited;
  Module &M;
  Kernel &K;
  unsigned Changes = 0;

  void dropCopies();
  void joinDecls(StmtList &B);
  void foldStarts();
  void dropDead();
  void dropDead(StmtList &B, const llvm::DenseSet<const Var *> &Live);
  void dropEmpty(StmtList &B, const llvm::DenseSet<const Stmt *> &Finite);
  void dropIdleLoops();
  void dropUndeclared();
};

/// Values that V gets: Decl with a value, Assign, Atomic and AsyncCopy results.
bool definesVar(const Stmt *S) {
  return S->V && (S->K != StmtKind::Decl || S->E || !S->Text.empty());
}

/// True if S only sets S->V (a Temp), or an element of an object.
const Var *onlyTarget(const Stmt *S) {
  bool Pure = true;
  forEachExpr(*S, [&](const Expr *E) { Pure &= mayDrop(E); });
  if (!Pure)
    return nullptr;
  if (S->K == StmtKind::Decl || S->K == StmtKind::Assign)
    return S->V;
  if (S->K == StmtKind::Store && !S->Acc.Volatile && S->Acc.Base->K == Var::Memory &&
      !S->Acc.Base->ProgramScope)
    return S->Acc.Base;
  return nullptr;
}

/// t = u, both declared with their only value: u does not change while t lives.
void Cleaner::dropCopies() {
  llvm::DenseMap<const Var *, unsigned> Defs;
  llvm::DenseMap<const Var *, Stmt *> Declared;
  walk(K.Body, [&](Stmt *S) {
    if (definesVar(S)) {
      ++Defs[S->V];
      if (S->K == StmtKind::Decl && S->E)
        Declared[S->V] = S;
    }
    return true;
  });
  auto fixed = [&](const Var *V) {
    unsigned N = Defs.lookup(V);
    return V->K == Var::Param ? N == 0 : N == 1 && Declared.contains(V);
  };
  llvm::DenseMap<const Var *, Var *> Source;
  walk(K.Body, [&](Stmt *S) {
    if (S->K == StmtKind::Decl && S->V->K == Var::Temp && S->E && S->E->K == ExprKind::VarRef &&
        S->E->Ty == S->V->Ty && fixed(S->V) && fixed(S->E->V))
      Source[S->V] = S->E->V;
    return true;
  });
  if (Source.empty())
    return;
  auto origin = [&](Var *V) {
    while (Var *From = Source.lookup(V))
      V = From;
    return V;
  };
  // Prefer the user's name to one that a pass made.
  for (Var *Copy : K.Vars) {
    if (!Source.contains(Copy))
      continue;
    Var *O = origin(Copy);
    if (O->K == Var::Temp && !O->Range.isValid() && Copy->Range.isValid()) {
      O->Name = Copy->Name;
      O->Spelling = Copy->Spelling;
      O->Range = Copy->Range;
    }
  }
  auto Leaf = [&](const Expr *X) -> const Expr * {
    if (X->K != ExprKind::VarRef || !Source.contains(X->V))
      return nullptr;
    Expr *N = M.newExpr(ExprKind::VarRef, X->Ty, X->Range);
    *N = *X;
    N->V = origin(X->V);
    return N;
  };
  walk(K.Body, [&](Stmt *S) {
    mapExprs(M, *S, [&](const Expr *E) { return substitute(M, E, Leaf); });
    forEachStmtList(*S, [&](StmtList &B) {
      llvm::erase_if(B, [&](Stmt *D) { return D->K == StmtKind::Decl && Source.contains(D->V); });
    });
    return true;
  });
  llvm::erase_if(K.Body, [&](Stmt *D) { return D->K == StmtKind::Decl && Source.contains(D->V); });
  llvm::erase_if(K.Vars, [&](Var *V) { return Source.contains(V); });
  Changes += Source.size();
}

/// T v; ... v = E;, the only value of v: T v = E.
void Cleaner::joinDecls(StmtList &B) {
  llvm::DenseMap<const Var *, unsigned> Defs;
  walk(K.Body, [&](Stmt *S) {
    if (definesVar(S))
      ++Defs[S->V];
    return true;
  });
  std::function<void(StmtList &)> join = [&](StmtList &Here) {
    llvm::DenseMap<const Var *, Stmt *> Bare;
    llvm::DenseSet<const Stmt *> Gone;
    for (Stmt *S : Here) {
      forEachStmtList(*S, join);
      if (S->K == StmtKind::Decl && S->V->K == Var::Temp && !S->E && S->Text.empty())
        Bare[S->V] = S;
      if (S->K != StmtKind::Assign || !S->LaneIdx.empty() || Defs.lookup(S->V) != 1)
        continue;
      Stmt *D = Bare.lookup(S->V);
      // A variable that reads itself before it has a value stays as it is.
      bool Reads = false;
      walk(S->E,
           [&](const Expr *X) { return !(Reads |= X->K == ExprKind::VarRef && X->V == S->V); });
      if (!D || Reads)
        continue;
      S->K = StmtKind::Decl;
      S->Comments.insert(S->Comments.begin(), D->Comments.begin(), D->Comments.end());
      Gone.insert(D);
      ++Changes;
    }
    if (!Gone.empty())
      llvm::erase_if(Here, [&](Stmt *S) { return Gone.contains(S); });
  };
  join(B);
}

/// The initial constant of a split variable (sum = 0, while sum_2 and so on hold the sums), if used
/// once, is written where it is used, and that of a pointer's offset wherever it is used.
void Cleaner::foldStarts() {
  llvm::DenseMap<const Var *, unsigned> Defs, Uses;
  llvm::DenseMap<const Var *, const Expr *> Start;
  walk(K.Body, [&](Stmt *S) {
    if (definesVar(S))
      ++Defs[S->V];
    if (S->K == StmtKind::Decl && S->E && S->E->K == ExprKind::IntConst && S->V->K == Var::Temp &&
        S->E->Ty == S->V->Ty)
      Start[S->V] = S->E;
    forEachExpr(*S, [&](const Expr *E) {
      walk(E, [&](const Expr *X) {
        if (X->K == ExprKind::VarRef)
          ++Uses[X->V];
        return true;
      });
    });
    return true;
  });
  auto reused = [&](const Var *V) {
    return llvm::any_of(K.Vars, [&](const Var *W) {
      llvm::StringRef Rest = W->Name;
      return Rest.consume_front(V->Name) && Rest.consume_front("_") && !Rest.empty() &&
             llvm::all_of(Rest, llvm::isDigit);
    });
  };
  auto folds = [&](const Var *V) {
    return Start.contains(V) && Defs.lookup(V) == 1 &&
           (V->IsPointerOffset || (Uses.lookup(V) == 1 && reused(V)));
  };
  auto Leaf = [&](const Expr *X) -> const Expr * {
    return X->K == ExprKind::VarRef && folds(X->V) ? Start.lookup(X->V) : nullptr;
  };
  walk(K.Body, [&](Stmt *S) {
    mapExprs(M, *S, [&](const Expr *E) {
      const Expr *New = substitute(M, E, Leaf);
      if (New == E)
        return E;
      ++Changes;
      return simplify(M, New);
    });
    return true;
  });
}

/// Live: what a statement with an effect reads, and what is needed for that.
void Cleaner::dropDead() {
  llvm::DenseMap<const Var *, llvm::SmallVector<const Stmt *, 2>> Needs;
  llvm::DenseSet<const Var *> Live;
  llvm::SmallVector<const Var *, 16> Work;
  auto need = [&](const Var *V) {
    if (V && Live.insert(V).second)
      Work.push_back(V);
  };
  auto needAll = [&](const Stmt *S) {
    forEachExpr(*S, [&](const Expr *E) {
      walk(E, [&](const Expr *X) {
        if (X->K == ExprKind::VarRef)
          need(X->V);
        if (X->K == ExprKind::Load)
          need(X->Acc.Base);
        return true;
      });
    });
  };
  walk(K.Body, [&](Stmt *S) {
    if (const Var *Target = onlyTarget(S)) {
      Needs[Target].push_back(S);
      return true;
    }
    need(S->V);
    need(S->Acc.Base);
    need(S->Source.Base);
    needAll(S);
    return true;
  });
  while (!Work.empty()) {
    const Var *V = Work.pop_back_val();
    for (const Stmt *S : Needs.lookup(V))
      needAll(S);
  }
  dropDead(K.Body, Live);
}

void Cleaner::dropDead(StmtList &B, const llvm::DenseSet<const Var *> &Live) {
  StmtList Kept;
  for (Stmt *S : B) {
    forEachStmtList(*S, [&](StmtList &Nested) { dropDead(Nested, Live); });
    const Var *Target = onlyTarget(S);
    if (!Target || Live.contains(Target)) {
      Kept.push_back(S);
      continue;
    }
    ++Changes;
  }
  B = std::move(Kept);
}

void Cleaner::dropEmpty(StmtList &B, const llvm::DenseSet<const Stmt *> &Finite) {
  StmtList Kept;
  for (Stmt *S : B) {
    forEachStmtList(*S, [&](StmtList &Nested) { dropEmpty(Nested, Finite); });
    if (S->K == StmtKind::If && mayDrop(S->E)) {
      std::optional<int64_t> C =
          S->E->Ty->isScalar() && S->E->Ty->isInteger() ? constantValue(S->E) : std::nullopt;
      if (C) {
        StmtList &Taken = *C ? S->Body : S->Else;
        if (!Taken.empty())
          Taken.front()->Comments.insert(Taken.front()->Comments.begin(), S->Comments.begin(),
                                         S->Comments.end());
        Kept.insert(Kept.end(), Taken.begin(), Taken.end());
        ++Changes;
        continue;
      }
      if (S->Body.empty() && S->Else.empty()) {
        ++Changes;
        continue;
      }
      // Both arms do the same.
      if (S->Body.size() == 1 && S->Else.size() == 1 && !S->EarlyReturn) {
        Stmt *X = S->Body[0], *Y = S->Else[0];
        if (X->K == Y->K && (X->K == StmtKind::Assign || X->K == StmtKind::Store) && X->V == Y->V &&
            X->LaneIdx == Y->LaneIdx && equal(X->E, Y->E) &&
            (X->K != StmtKind::Store || equal(X->Acc, Y->Acc))) {
          X->Comments.insert(X->Comments.begin(), S->Comments.begin(), S->Comments.end());
          Kept.push_back(X);
          ++Changes;
          continue;
        }
      }
      if (S->Body.empty() && !S->EarlyReturn) {
        bool Negated = S->E->K == ExprKind::Unary && S->E->O == Op::LogicalNot;
        S->E = Negated ? S->E->Ops[0] : simplify(M, M.unary(Op::LogicalNot, S->E));
        std::swap(S->Body, S->Else);
        ++Changes;
      }
      if (S->E->K == ExprKind::Unary && S->E->O == Op::LogicalNot) {
        const Expr *Was = std::exchange(S->E, simplify(M, S->E));
        Changes += !equal(S->E, Was);
      }
    }
    // A counter that is declared in its loop is not read elsewhere.
    if (S->K == StmtKind::Loop && S->Body.empty() && Finite.contains(S) && S->Init.size() == 1 &&
        S->Init[0]->K == StmtKind::Decl && S->Step.size() == 1 && S->Step[0]->V == S->Init[0]->V &&
        S->E && mayDrop(S->E) && onlyTarget(S->Init[0]) && onlyTarget(S->Step[0])) {
      ++Changes;
      continue;
    }
    Kept.push_back(S);
  }
  B = std::move(Kept);
}

/// Counted loops that only set variables which are not read elsewhere: while (k < n) k += 256;
void Cleaner::dropIdleLoops() {
  using Reads = llvm::DenseMap<const Var *, unsigned>;
  auto count = [](const StmtList &B, Reads &Into) {
    walk(B, [&](Stmt *S) {
      forEachExpr(*S, [&](const Expr *E) {
        walk(E, [&](const Expr *X) {
          if (X->K == ExprKind::VarRef)
            ++Into[X->V];
          return true;
        });
      });
      return true;
    });
  };
  Reads All;
  llvm::SmallVector<Stmt *, 4> Found;
  walk(K.Body, [&](Stmt *S) {
    if (S->K != StmtKind::Loop || !S->E || !mayDrop(S->E) || S->Body.empty())
      return true;
    bool Idle = true;
    Reads Inside;
    count(StmtList{S}, Inside);
    if (All.empty())
      count(K.Body, All);
    walk(StmtList{S}, [&](Stmt *X) {
      // Paths through it, all of which end.
      if (X == S || X->K == StmtKind::Break || X->K == StmtKind::Continue ||
          ((X->K == StmtKind::If || X->K == StmtKind::Loop) && X->E && mayDrop(X->E)))
        return Idle;
      const Var *V = X->K == StmtKind::Decl || X->K == StmtKind::Assign ? onlyTarget(X) : nullptr;
      Idle &= V && V->K == Var::Temp && Inside.lookup(V) == All.lookup(V);
      return Idle;
    });
    if (Idle)
      Found.push_back(S);
    return true;
  });
  if (Found.empty())
    return;
  const EditedKernel::Analysis A = Edited.analysisNow();
  llvm::erase_if(Found, [&](Stmt *L) {
    bool Ends = true;
    walk(StmtList{L},
         [&](Stmt *X) { return (Ends &= X->K != StmtKind::Loop || A->countedLoop(X)); });
    return !Ends;
  });
  std::function<void(StmtList &)> drop = [&](StmtList &B) {
    for (Stmt *S : B)
      forEachStmtList(*S, drop);
    llvm::erase_if(B, [&](Stmt *S) { return llvm::is_contained(Found, S); });
  };
  drop(K.Body);
  Changes += Found.size();
}

/// Removes variables that no statement uses.
void Cleaner::dropUndeclared() {
  llvm::DenseSet<const Var *> Used;
  walk(K.Body, [&](Stmt *S) {
    Used.insert(S->V);
    Used.insert(S->Acc.Base);
    Used.insert(S->Source.Base);
    forEachExpr(*S, [&](const Expr *E) {
      walk(E, [&](const Expr *X) {
        if (X->V)
          Used.insert(X->V);
        if (X->Acc.Base)
          Used.insert(X->Acc.Base);
        return true;
      });
    });
    return true;
  });
  llvm::erase_if(K.Vars, [&](const Var *V) { return !Used.contains(V); });
}

unsigned Cleaner::run() {
  if (pattern::hasOpaqueParts(K))
    return 0;
  for (unsigned Before = ~0u; Before != Changes;) {
    Before = Changes;
    joinDecls(K.Body);
    foldStarts();
    dropCopies();
    dropDead();
    llvm::DenseSet<const Stmt *> Finite;
    bool HasEmptyLoop = false;
    walk(K.Body, [&](Stmt *S) {
      HasEmptyLoop |= S->K == StmtKind::Loop && S->Body.empty();
      return true;
    });
    if (HasEmptyLoop) {
      const EditedKernel::Analysis A = Edited.analysisNow();
      walk(K.Body, [&](Stmt *S) {
        if (S->K == StmtKind::Loop && S->Body.empty() && A->countedLoop(S))
          Finite.insert(S);
        return true;
      });
    }
    dropEmpty(K.Body, Finite);
    dropIdleLoops();
    Changes += normalization::chooseValues(M, K);
  }
  if (Changes)
    dropUndeclared();
  Edited.edited();
  return Changes;
}

unsigned Cleaner::unused() {
  if (pattern::hasOpaqueParts(K))
    return 0;
  dropDead();
  if (Changes)
    dropUndeclared();
  Edited.edited();
  return Changes;
}

} // namespace

unsigned cleanup(const EditedKernel &E) { return Cleaner(E).run(); }
unsigned dropUnused(const EditedKernel &E) { return Cleaner(E).unused(); }

} // namespace clmali::rewrite
