//===-- checks/model/pattern/LoadGroups.cpp - Loads that may become fewer ---===//

#include "checks/model/pattern/LoadGroups.h"
#include "checks/model/ir/Traversal.h"
#include "llvm/ADT/STLExtras.h"

namespace clmali::model::pattern {

bool mayAlias(const Var *A, const Var *B) {
  if (A == B)
    return true;
  if (A->space() != B->space() || A->K != Var::Param || B->K != Var::Param)
    return false;
  return !A->Ty->Restrict && !B->Ty->Restrict;
}

const Type *elementOf(const Var *V) {
  const Type *Elem = V->Ty;
  while (Elem->K == Type::Array || Elem->K == Type::Pointer)
    Elem = Elem->Elem;
  return Elem;
}

/// True if the elements have parts: structs (unions excepted) and vectors.
static bool hasFields(const Var *V) {
  const Type *Elem = elementOf(V);
  return (Elem->K == Type::Struct && !Elem->isUnion()) || Elem->isVector();
}

bool isPlain(const Access &Acc) {
  const Type *Elem = elementOf(Acc.Base);
  return Elem->isScalar() && Elem->Scalar == Acc.Elem && Acc.Path.empty() && !Acc.Disp &&
         Acc.Stride.back() == sizeInBytes(Acc.Elem);
}

/// True if a load of Acc can be part of another one.
static bool canMerge(const Access &Acc) {
  bool Field = Acc.Lanes == 1 && Acc.F == Access::Subscript && hasFields(Acc.Base);
  return !Acc.Volatile && !Acc.Index.empty() && Acc.Elem != ScalarKind::Bool &&
         (isPlain(Acc) || Field) && Acc.Base->space() != AddressSpace::Private &&
         !Acc.Base->ProgramScope && (Acc.Lanes == 1 || Acc.F == Access::VLoad);
}

/// May control leave S for a statement outside of the block that holds S?
static bool mayLeave(const Stmt *S, bool InLoop = false) {
  if (S->K == StmtKind::Return)
    return true;
  if (S->K == StmtKind::Break || S->K == StmtKind::Continue)
    return !InLoop;
  bool Inside = InLoop || S->K == StmtKind::Loop;
  auto Leaves = [&](const Stmt *N) { return mayLeave(N, Inside); };
  return llvm::any_of(S->Body, Leaves) || llvm::any_of(S->Else, Leaves);
}

namespace {
/// Collects the groups of one block, statement by statement. A group is closed where something may
/// write what it reads.
class Collector {
public:
  explicit Collector(const KernelAnalysis &A) : A(A) {}

  std::vector<LoadGroup> collect(const StmtList &B) {
    for (size_t At = 0; At < B.size(); ++At)
      statement(At, B[At]);
    closeAll();
    return std::move(Closed);
  }

private:
  const KernelAnalysis &A;
  std::vector<LoadGroup> Open, Closed;

  void close(llvm::function_ref<bool(LoadGroup &)> Which) {
    std::vector<LoadGroup> Kept;
    for (LoadGroup &G : Open)
      (Which(G) ? Closed : Kept).push_back(std::move(G));
    Open = std::move(Kept);
  }
  void closeAll() {
    close([](const LoadGroup &) { return true; });
  }

  void statement(size_t At, const Stmt *S) {
    switch (S->K) {
    case StmtKind::Decl:
    case StmtKind::Assign:
    case StmtKind::If:
    case StmtKind::Store:
      forEachExpr(*S, [&](const Expr *E) { loadsOf(E, At, S, false); });
      break;
    case StmtKind::Loop:
      break;
    default:
      // Barriers, atomics, calls: others may write.
      closeAll();
      return;
    }
    if (S->K == StmtKind::Store && S->Acc.Volatile)
      closeAll();
    else if (S->K == StmtKind::Store)
      written(S->Acc, S);
    else if (S->K == StmtKind::If || S->K == StmtKind::Loop)
      nested(S);
  }

  /// What is written inside of a branch or a loop.
  void nested(const Stmt *S) {
    llvm::DenseSet<const Var *> Bases;
    bool Everything = mayLeave(S);
    for (const Stmt *N : stmts({const_cast<Stmt *>(S)})) {
      if (N->K == StmtKind::Store)
        Bases.insert(N->Acc.Base);
      else if (N->K != StmtKind::Decl && N->K != StmtKind::Assign && N->K != StmtKind::If &&
               N->K != StmtKind::Loop && N->K != StmtKind::Break && N->K != StmtKind::Continue)
        Everything = true;
    }
    close([&](const LoadGroup &G) {
      return Everything || llvm::any_of(Bases, [&](const Var *W) { return mayAlias(W, G.Base); });
    });
  }

  void loadsOf(const Expr *E, size_t At, const Stmt *S, bool Conditional) {
    bool Scalar = !E->Ops.empty() && E->Ops[0]->Ty->isScalar();
    bool Lazy =
        Scalar && (E->K == ExprKind::Select ||
                   (E->K == ExprKind::Binary && (E->O == Op::LogicalAnd || E->O == Op::LogicalOr)));
    if (Lazy) {
      loadsOf(E->Ops[0], At, S, Conditional);
      for (const Expr *X : llvm::drop_begin(E->Ops))
        loadsOf(X, At, S, true);
      return;
    }
    forEachOperand(*E, [&](const Expr *X) { loadsOf(X, At, S, Conditional); });
    if (E->K == ExprKind::Load && canMerge(E->Acc))
      add(E, At, S, Conditional);
  }

  void add(const Expr *E, size_t At, const Stmt *S, bool Conditional) {
    const Access &Acc = E->Acc;
    int64_t Size = sizeInBytes(Acc.Elem);
    Poly Address = A.bytes(Acc, S);
    for (LoadGroup &G : llvm::reverse(Open)) {
      if (G.Base != Acc.Base || G.Elem != Acc.Elem)
        continue;
      Poly D = Address - G.Address;
      if (!D.isConstant() || D.constantTerm() % Size)
        continue;
      int64_t Begin = D.constantTerm() / Size;
      Span Here{Begin, Begin + Acc.Lanes};
      if (llvm::any_of(G.Written, [&](const Span &W) { return W.overlaps(Here); }))
        continue; // it reads what was written meanwhile: another group
      G.Loads.push_back({At, E, Here, Conditional});
      return;
    }
    Open.push_back({Acc.Base, Acc.Elem, Address, {{At, E, {0, Acc.Lanes}, Conditional}}, {}});
  }

  /// S writes Acc, after its own loads.
  void written(const Access &Acc, const Stmt *S) {
    Poly Address = A.bytes(Acc, S);
    unsigned Bytes = sizeInBytes(Acc.Elem) * Acc.Lanes;
    auto floorDiv = [](int64_t X, int64_t Y) { return X / Y - (X % Y < 0); };
    close([&](LoadGroup &G) {
      if (!mayAlias(Acc.Base, G.Base))
        return false;
      Poly D = Address - G.Address;
      if (!D.isConstant())
        return true;
      int64_t Size = sizeInBytes(G.Elem), C = D.constantTerm();
      G.Written.push_back({floorDiv(C, Size), floorDiv(C + Bytes - 1, Size) + 1});
      return false;
    });
  }
};
} // namespace

std::vector<LoadGroup> loadGroups(const KernelAnalysis &A, const StmtList &B) {
  return Collector(A).collect(B);
}

std::vector<Span> fewerLoads(const std::set<Span> &Spans) {
  std::vector<Span> Result;
  for (auto It = Spans.begin(); It != Spans.end();) {
    Span All = *It;
    unsigned Count = 0;
    bool HasVector = false;
    for (; It != Spans.end() && It->Begin <= All.End; ++It, ++Count) {
      All.End = std::max(All.End, It->End);
      HasVector |= It->size() > 1;
    }
    int64_t Size = 1;
    while (Size < 16 && Size * 2 <= All.size())
      Size *= 2;
    std::vector<Span> New;
    int64_t Begin = All.Begin;
    for (; Begin + Size <= All.End; Begin += Size)
      New.push_back({Begin, Begin + Size});
    if (int64_t Rest = All.End - Begin) {
      int64_t Last = 1;
      while (Last < Rest)
        Last *= 2;
      New.push_back({All.End - Last, All.End});
    }
    if (New.size() < Count && HasVector)
      Result.insert(Result.end(), New.begin(), New.end());
  }
  return Result;
}

llvm::DenseSet<const Expr *> overlappingLoads(const KernelAnalysis &A) {
  llvm::DenseSet<const Expr *> Result;
  auto Add = [&](const StmtList &B) {
    for (const LoadGroup &G : loadGroups(A, B)) {
      std::map<Span, std::vector<const Expr *>> BySpan;
      std::set<Span> Unconditional;
      for (const GroupedLoad &L : G.Loads) {
        BySpan[L.S].push_back(L.Load);
        if (!L.Conditional)
          Unconditional.insert(L.S);
      }
      std::vector<Span> Fewer = fewerLoads(Unconditional);
      auto IsReplaced = [&](const Span &S) {
        return llvm::any_of(Fewer, [&](const Span &New) { return New.overlaps(S); });
      };
      for (const auto &[S, Loads] : BySpan)
        if (IsReplaced(S) || (Loads.size() > 1 && Unconditional.count(S)))
          Result.insert(Loads.begin(), Loads.end());
    }
  };
  Add(A.kernel().Body);
  for (Stmt *S : stmts(A.kernel().Body))
    if (!S->Rare)
      for (const StmtList *Nested : {&S->Body, &S->Else})
        Add(*Nested);
  return Result;
}

} // namespace clmali::model::pattern
