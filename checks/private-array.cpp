//===- private-array.cpp -----------------------------------------------------------------------===//
//
// Before: table[index[i] & 3]      in memory
// After:  indices that are constants once loops are unrolled: in registers
// Limits: once for each array.
//
//===------------------------------------------------------------------------------------------===//

#include "checks/Query.h"
#include "llvm/ADT/StringExtras.h"
#include <set>

using namespace llvm;
using namespace clmali;
using namespace clmali::checks;
using namespace clmali::model;

/// Does each round of Loop begin with a value of its own for V, before V is used?
static bool beginsAnew(const Stmt *Loop, const Var *V) {
  // What is declared in the loop, at whatever depth, keeps nothing.
  bool Declared = false;
  walk(Loop->Body, [&](Stmt *S) {
    Declared |= S->K == StmtKind::Decl && S->V == V;
    return !Declared;
  });
  if (Declared)
    return true;
  for (const Stmt *S : Loop->Body) {
    bool Uses = false;
    auto Look = [&](const Stmt &X) {
      forEachExpr(X, [&](const Expr *Root) {
        walk(Root, [&](const Expr *E) {
          Uses |= E->K == ExprKind::VarRef && E->V == V;
          return !Uses;
        });
      });
    };
    auto Gives = [&](const Stmt &X) {
      Look(X);
      return !Uses && X.K == StmtKind::Assign && X.V == V && X.LaneIdx.empty();
    };
    if (any_of(S->Init, [&](const Stmt *X) { return Gives(*X); }) || Gives(*S))
      return true;
    bool Assigns = false;
    forEachBlock(*const_cast<Stmt *>(S), [&](Block &B) {
      walk(B, [&](Stmt *X) {
        Look(*X);
        Assigns |= X->K == StmtKind::Assign && X->V == V;
        return true;
      });
    });
    if (Uses || Assigns)
      return false;
  }
  return false;
}

/// Is all that E is computed from written in the source? (A loop in some other form then counts through numbers.)
static bool fromConstants(const KernelAnalysis &K, const AccessSite &Site, const Expr *Root,
                          std::set<const Var *> &Seen) {
  bool Constant = true;
  walk(Root, [&](const Expr *E) {
    if (E->K == ExprKind::Load || E->K == ExprKind::Opaque || E->K == ExprKind::WorkItem ||
        (E->K == ExprKind::VarRef && E->V->K != Var::Temp))
      Constant = false;
    if (E->K != ExprKind::VarRef || E->V->K != Var::Temp || !Seen.insert(E->V).second)
      return Constant;
    for (const Stmt *Def : K.defs(E->V))
      Constant = Constant && (!Def->E || fromConstants(K, Site, Def->E, Seen));
    // How often a loop changes it, its test says.
    for (const Stmt *Loop : Site.Loops) {
      bool Changed = false;
      for (const Block *B : {&Loop->Body, &Loop->Step})
        walk(*B, [&](Stmt *S) {
          Changed |= S->K == StmtKind::Assign && S->V == E->V;
          return !Changed;
        });
      if (Changed && !beginsAnew(Loop, E->V))
        Constant = Constant && Loop->E && fromConstants(K, Site, Loop->E, Seen);
    }
    return Constant;
  });
  return Constant;
}

static bool comesFromMemory(const KernelAnalysis &K, const Expr *Root, std::set<const Var *> &Seen) {
  bool Found = false;
  walk(Root, [&](const Expr *E) {
    Found |= E->K == ExprKind::Load || E->K == ExprKind::Opaque || E->K == ExprKind::Call;
    if (E->K == ExprKind::VarRef && Seen.insert(E->V).second)
      for (const Stmt *Def : K.defs(E->V))
        Found |= !Def->E || Def->K == StmtKind::Atomic || comesFromMemory(K, Def->E, Seen);
    return !Found;
  });
  return Found;
}

/// Why an index is not known at compile time; empty if it is.
static std::string unknown(const KernelAnalysis &K, const AccessSite &Site) {
  for (const auto &[M, Coefficient] : Site.Bytes.Terms)
    for (unsigned S : M) {
      const SymbolInfo &Info = K.symbol(S);
      switch (Info.K) {
      case SymbolInfo::WorkItem:
        return "a work-item's id";
      case SymbolInfo::Param:
        return "an argument";
      case SymbolInfo::LoopVar: {
        std::optional<CountedLoop> L = K.countedLoop(Info.Loop);
        // A loop that may be left early can be unrolled all the same.
        std::set<const Var *> Seen;
        if ((!L || !L->TripCount) && !(Info.E && fromConstants(K, Site, Info.E, Seen)))
          return "a loop whose length is not known";
        break;
      }
      default:
        if (std::set<const Var *> Seen; Info.E && Info.Varies.uniformInLaunch() && !Info.Varies.Data &&
                                        fromConstants(K, Site, Info.E, Seen))
          break;
        if (Info.Varies.Data) {
          // What an opaque statement may have changed is not known, and no data.
          std::set<const Var *> Found;
          if (!K.kernel().Opaques.empty() && Info.E && Info.E->K == ExprKind::VarRef && !comesFromMemory(K, Info.E, Found))
            break;
          return "data";
        }
        return "a value that is not known at compile time";
      }
    }
  return "";
}

/// if (whole) vstore4(v, 0, out + i); else for (..) out[i + k] = v[k]: the rest of what the other branch does by vectors,
/// for the few at the edge.
static bool isRest(const KernelAnalysis &K, const AccessSite &Site, const Conditions &Around) {
  auto Found = Around.find(Site.S);
  if (Found == Around.end())
    return false;
  for (const Stmt *If : Found->second) {
    if (If->K != StmtKind::If)
      continue;
    std::set<const Stmt *> Branch[2];
    for (const Block *B : {&If->Body, &If->Else})
      walk(*B, [&](Stmt *S) { return Branch[B == &If->Else].insert(S).second; });
    bool InElse = Branch[1].count(Site.S);
    std::set<const Var *> Whole;
    for (const AccessSite &A : K.accesses())
      if (A.IsWrite && A.A->F == Access::VLoad && Branch[!InElse].count(A.S))
        Whole.insert(A.A->Base);
    if (any_of(K.accesses(), [&](const AccessSite &A) {
          return A.IsWrite && A.A->Lanes == 1 && Branch[InElse].count(A.S) && Whole.count(A.A->Base);
        }))
      return true;
  }
  return false;
}

static void run(const Kernel &, Context &C) {
  const KernelAnalysis &K = C.analysis();
  std::set<const Var *> Reported;
  for (const AccessSite &Site : K.accesses()) {
    const Access &A = *Site.A;
    if (A.Base->K != Var::Memory || A.Base->space() != AddressSpace::Private ||
        A.Base->Ty->K != Type::Array || Reported.count(A.Base))
      continue;
    std::string Why = unknown(K, Site);
    if (Why.empty() || isRest(K, Site, conditions(C)))
      continue;
    Reported.insert(A.Base);
    C.report(A.Range, "the private array " + nameOf(A) + " is indexed by " + Why)
        .cost("its " + utostr(A.Base->Ty->Size) + " bytes go to memory instead of registers");
  }
}

CLMALI_KERNEL_CHECK("private-array", run);
