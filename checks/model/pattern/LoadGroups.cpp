//===-- checks/model/pattern/LoadGroups.cpp - Loads that may become fewer ---===//

#include "checks/model/pattern/LoadGroups.h"
#include "checks/model/ir/Traversal.h"
#include "llvm/ADT/STLExtras.h"
#include <numeric>

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
  Collector(const KernelAnalysis &A, bool AssumeApart) : A(A), AssumeApart(AssumeApart) {}

  std::vector<LoadGroup> collect(const StmtList &B) {
    for (size_t At = 0; At < B.size(); ++At)
      statement(At, B[At]);
    closeAll();
    return std::move(Closed);
  }

private:
  const KernelAnalysis &A;
  const bool AssumeApart;
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

  /// True if a load of Acc from Address may move over the stores behind the loads of G.
  bool mayMove(const LoadGroup &G, const Access &Acc, const Poly &Address, Apart &Assumed) const {
    for (auto [Store, StoredAt] : llvm::zip_equal(G.Stores, G.StoredAt)) {
      if (neverOverlap(Address - StoredAt, sizeInBytes(Store->Elem) * Store->Lanes,
                       sizeInBytes(Acc.Elem) * Acc.Lanes))
        Assumed.ByShift |= Store->Base != Acc.Base;
      else if (AssumeApart && isReadByAll(A, Acc, *Store))
        Assumed.ReadByAll = true;
      else
        return false;
    }
    return true;
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
      Apart Assumed;
      if (!mayMove(G, Acc, Address, Assumed))
        continue; // it reads what may be written meanwhile: another group
      int64_t Begin = D.constantTerm() / Size;
      G.Loads.push_back({At, E, {Begin, Begin + Acc.Lanes}, Conditional});
      G.Assumed |= Assumed;
      return;
    }
    Open.push_back(
        {Acc.Base, Acc.Elem, Address, {{At, E, {0, Acc.Lanes}, Conditional}}, {}, {}, {}});
  }

  /// S writes Acc, after its own loads.
  void written(const Access &Acc, const Stmt *S) {
    for (LoadGroup &G : Open)
      if (mayAlias(Acc.Base, G.Base)) {
        G.Stores.push_back(&Acc);
        G.StoredAt.push_back(A.bytes(Acc, S));
      }
  }
};
} // namespace

bool neverOverlap(const Poly &Distance, int64_t FirstBytes, int64_t SecondBytes) {
  int64_t Steps = 0, C = Distance.constantTerm();
  for (const auto &[Mono, Factor] : Distance.Terms)
    if (!Mono.empty())
      Steps = std::gcd(Steps, Factor);
  if (!Steps)
    return C >= FirstBytes || -C >= SecondBytes;
  int64_t Rest = (C % Steps + Steps) % Steps;
  return Rest >= FirstBytes && Steps - Rest >= SecondBytes;
}

bool isReadByAll(const KernelAnalysis &A, const Access &Load, const Access &Store) {
  if (Load.Base == Store.Base || !Load.Base->isPointerParam() || !Store.Base->isPointerParam() ||
      Store.Base->space() != AddressSpace::Global)
    return false;
  bool Moves = false;
  for (unsigned D = 0; D < 3; ++D) {
    std::optional<Poly> L = A.stride(Load, D), S = A.stride(Store, D);
    if (!L || !L->isConstant() || L->constantTerm())
      return false;
    Moves |= S && (!S->isConstant() || S->constantTerm());
  }
  return Moves;
}

std::vector<LoadGroup> loadGroups(const KernelAnalysis &A, const StmtList &B, bool AssumeApart) {
  return Collector(A, AssumeApart).collect(B);
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
