//===-- rewriters/normalize/ShareValues.cpp - Values that are computed twice ----------------===//
//
// What it does: common subexpressions that are declared. They are frequent in unrolled loops and
// between the rows of a block:
//
//   before                              after
//   int yy = clamp(y - 1, 0, h - 1);    int yy = clamp(y - 1, 0, h - 1);
//   int xx = x - 1;                     int xx = x - 1;
//   s += a[yy * w + xx];                s += a[yy * w + xx];
//   int yy_2 = clamp(y - 1, 0, h - 1);
//   s += a[yy_2 * w + x];               s += a[yy * w + x];
//
// and between a guard and what it guards:
//
//   if ((int)floor(x * s) >= 1) {       float f = x * s;
//     float f = x * s;                  int x0 = (int)floor(f);
//     int x0 = (int)floor(f);           if (x0 >= 1) {
//
// Limits: values without loads, declared with their only value. A whole value is taken, never a
// part of one: floating-point contraction stays as it is.
//
//===----------------------------------------------------------------------===//

#include "checks/model/ir/Traversal.h"
#include "rewriters/lanes/Operations.h"
#include "rewriters/pass/Passes.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"

namespace clmali::rewrite {

using namespace model;

namespace {

class ValueSharer {
public:
  ValueSharer(Module &M, Kernel &K) : M(M), K(K) {
    walk(K.Body, [&](Stmt *S) {
      if (S->V && (S->K != StmtKind::Decl || S->E))
        ++Defs[S->V];
      return true;
    });
  }
  unsigned run() {
    visit(K.Body, {});
    llvm::erase_if(K.Vars, [&](Var *V) { return Same.count(V); });
    return Same.size() + Moved;
  }

private:
  using Values = std::vector<std::pair<const Expr *, Var *>>;
  Module &M;
  Kernel &K;
  llvm::DenseMap<const Var *, unsigned> Defs;
  llvm::DenseMap<const Var *, Var *> Same;
  unsigned Moved = 0; ///< declarations

  bool fixed(const Expr *E) {
    bool Ok = true;
    walk(E, [&](const Expr *X) {
      Ok &= !isRead(X->K) && X->K != ExprKind::Opaque &&
            (X->K != ExprKind::VarRef || Defs.lookup(X->V) == (X->V->K == Var::Param ? 0u : 1u));
      return Ok;
    });
    return Ok;
  }

  const Expr *replaced(const Expr *E) {
    return substitute(M, E, [&](const Expr *X) -> const Expr * {
      if (X->K != ExprKind::VarRef)
        return nullptr;
      auto It = Same.find(X->V);
      return It == Same.end() ? nullptr : M.ref(It->second);
    });
  }

  /// A declaration with the whole value, as an expression of what is set outside.
  struct Definition {
    Stmt *Decl;
    const Expr *Value;
  };
  using Definitions = llvm::MapVector<const Var *, Definition>;

  static unsigned operations(const Expr *E) {
    return llvm::count_if(exprs(E), [](ExprAt X) { return !X->Ops.empty(); });
  }

  /// The declarations in B that could stand before it.
  Definitions movable(const StmtList &B) {
    constexpr unsigned Most = 60; ///< operations
    Definitions Found;
    llvm::DenseSet<const Var *> SetInside;
    for (const Stmt *S : stmts(B))
      SetInside.insert(S->V);
    for (Stmt *S : B) {
      if (S->K != StmtKind::Decl || !S->E || S->V->K != Var::Temp || Defs.lookup(S->V) != 1 ||
          !fixed(S->E) || mayFault(S->E))
        continue;
      bool Needs = false;
      const Expr *Value = substitute(M, S->E, [&](const Expr *X) -> const Expr * {
        if (X->K != ExprKind::VarRef || !SetInside.contains(X->V))
          return nullptr;
        auto It = Found.find(X->V);
        Needs |= It == Found.end();
        return Needs ? nullptr : It->second.Value;
      });
      if (!Needs && operations(Value) <= Most)
        Found[S->V] = {S, Value};
    }
    return Found;
  }

  /// Declarations in If's body of which If's condition computes the value, too, move to the end of
  /// Out, with those that they need.
  void declareBefore(Stmt &If, StmtList &Out) {
    constexpr unsigned Fewest = 2; ///< operations
    Definitions Known = movable(If.Body);
    llvm::DenseSet<const Stmt *> Moves;
    auto Move = [&](auto Self, const Stmt *S) -> void {
      if (Moves.insert(S).second)
        for (ExprAt X : exprs(S->E))
          if (auto It = Known.find(X->V); It != Known.end())
            Self(Self, It->second.Decl);
    };
    auto Shared = [&](auto Self, const Expr *E) -> const Expr * {
      if (operations(E) < Fewest)
        return E;
      for (const auto &[V, Def] : Known)
        if (equal(Def.Value, E)) {
          Move(Move, Def.Decl);
          return M.ref(Def.Decl->V);
        }
      return mapOperands(M, E, [&](const Expr *X) { return Self(Self, X); });
    };
    If.E = Shared(Shared, If.E);
    auto IsMoved = [&](const Stmt *S) { return Moves.contains(S); };
    llvm::copy_if(If.Body, std::back_inserter(Out), IsMoved);
    llvm::erase_if(If.Body, IsMoved);
    Moved += Moves.size();
  }

  void visit(StmtList &B, Values Known) {
    StmtList Out;
    for (Stmt *S : B) {
      if (!Same.empty())
        mapExprs(M, *S, [&](const Expr *E) { return replaced(E); });
      bool Candidate = S->K == StmtKind::Decl && S->E && S->V->K == Var::Temp &&
                       S->LaneIdx.empty() && Defs.lookup(S->V) == 1 &&
                       S->E->K != ExprKind::IntConst && fixed(S->E);
      if (Candidate) {
        auto Earlier = llvm::find_if(Known, [&](const auto &P) {
          return P.second->Ty == S->V->Ty && P.second->IsPointerOffset == S->V->IsPointerOffset &&
                 equal(P.first, S->E);
        });
        if (Earlier != Known.end()) {
          Same[S->V] = Earlier->second;
          continue;
        }
        Known.push_back({S->E, S->V});
      }
      if (S->K == StmtKind::If)
        declareBefore(*S, Out);
      forEachStmtList(*S, [&](StmtList &Nested) { visit(Nested, Known); });
      Out.push_back(S);
    }
    B = std::move(Out);
  }
};

} // namespace

unsigned shareValues(Module &M, Kernel &K) { return ValueSharer(M, K).run(); }

} // namespace clmali::rewrite
