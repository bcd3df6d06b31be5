//===-- rewriters/blocking/phases/Phases.cpp - Work-items of all remainders ----===//
//
// Where a kernel does another thing for each remainder of an id by a small constant (channels of
// interleaved data by flat ids, 2x2 patterns), neighbouring lanes disagree. A block of phases makes
// the work-items of all remainders one work-item first, and lanes of those:
//
//   before                              phases of 3                    lanes of those
//   i = get_global_id(0);               i = get_global_id(0) * 3;      as for pixels of three
//   d[i] = i % 3 == 0 ? s[i] : -s[i];   d[i] = s[i];                   channels
//                                       d[i + 1] = -s[i + 1]; ..
//
// Limits: remainders by at most MaxPhases; kernels that do not work in groups.
//
//===----------------------------------------------------------------------===//

#include "checks/model/ir/Simplify.h"
#include "checks/model/ir/Traversal.h"
#include "rewriters/blocking/Block.h"
#include "rewriters/blocking/analysis/BlockAnalysis.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <numeric>

namespace clmali::rewrite {

using namespace model;

/// More phases of one dimension, and of all together, make blocks that are too large.
static constexpr int64_t MaxPhases = 4, MaxTogether = 8;

/// X % By or X / By of a scalar integer, in whatever spelling.
struct Division {
  int64_t By;
  bool Remainder;
  bool RoundsDown; ///< of negative values, too: masks and shifts
};

static std::optional<Division> divisionOf(const Expr *E) {
  if (E->K != ExprKind::Binary || !E->Ty->isScalar() || !E->Ty->isInteger() ||
      sizeInBits(E->Ty->Scalar) < 32 || !E->Ops[0]->Ty->isInteger())
    return std::nullopt;
  std::optional<int64_t> C = constantValue(E->Ops[1]);
  if (!C || *C <= 0)
    return std::nullopt;
  switch (E->O) {
  case Op::Div:
  case Op::Rem:
    return Division{*C, E->O == Op::Rem, false};
  case Op::And:
    return llvm::isPowerOf2_64(*C + 1) ? std::optional(Division{*C + 1, true, true}) : std::nullopt;
  case Op::Shr:
    return *C < 31 ? std::optional(Division{int64_t(1) << *C, false, true}) : std::nullopt;
  default:
    return std::nullopt;
  }
}

std::array<unsigned, 3> phasesOf(const KernelAnalysis &A) {
  std::array<unsigned, 3> Phases = {1, 1, 1};
  for (ExprAt E : exprs(A.kernel().Body)) {
    std::optional<Division> D = divisionOf(E.E);
    // Quotients by powers of two are known for each lane (Quotients.cpp).
    if (!D || D->By < 2 || D->By > MaxPhases || (!D->Remainder && llvm::isPowerOf2_64(D->By)))
      continue;
    for (const auto &[Mono, Factor] : A.poly(E->Ops[0]).Terms) {
      const SymbolInfo *Id = Mono.size() == 1 ? &A.symbol(Mono[0]) : nullptr;
      if (!Id || Id->K != SymbolInfo::WorkItem || Id->E->Query != WorkItemQuery::GlobalId ||
          Id->E->Dim > 2)
        continue;
      int64_t Common = std::lcm<int64_t>(Phases[Id->E->Dim], D->By / std::gcd(D->By, Factor));
      if (Common <= MaxPhases)
        Phases[Id->E->Dim] = unsigned(Common);
    }
  }
  if (Phases[0] * Phases[1] * Phases[2] > MaxTogether)
    return {1, 1, 1};
  return Phases;
}

//===----------------------------------------------------------------------===//
// Known remainders
//===----------------------------------------------------------------------===//

namespace {

/// Computes quotients and remainders of ids that are multiples of the divisor.
class Folder {
public:
  Folder(const EditedKernel &E, const BlockShape &S, int64_t &IdsBelow)
      : Edited(E), M(E.module()), K(E.kernel()), A(*Held),
        Polys(idSpace(K, S), IdsBelow, [this](const Var *V) -> const Expr * {
          const Stmt *D = V->K == Var::Temp ? A.singleDef(V) : nullptr;
          return D && D->LaneIdx.empty() ? D->E : nullptr;
        }) {}
  void run();

private:
  const EditedKernel Edited;
  Module &M;
  Kernel &K;
  const EditedKernel::Analysis Held = Edited.analysis();
  const KernelAnalysis &A;
  Polynomials Polys;

  const Expr *quotient(const Expr *E, const Poly &P, int64_t By, int64_t Rest);
  const Expr *fold(const Expr *E);
  void takeArms(StmtList &B);
};

} // namespace

/// (P - Rest) / By, where P is a product of one symbol, and a constant. Null: it is not.
const Expr *Folder::quotient(const Expr *E, const Poly &P, int64_t By, int64_t Rest) {
  const Expr *Q = nullptr;
  for (const auto &[Mono, Factor] : P.Terms) {
    if (Mono.empty())
      continue;
    if (Q || Mono.size() != 1)
      return nullptr;
    Q = M.binary(Op::Mul, M.cast(Polys.symbol(Mono[0]), E->Ty, true),
                 M.intConst(Factor / By, E->Ty));
  }
  int64_t C = (P.constantTerm() - Rest) / By;
  return simplify(M, M.binary(Op::Add, Q, M.intConst(C, E->Ty)));
}

const Expr *Folder::fold(const Expr *E) {
  if (std::optional<Division> D = divisionOf(E)) {
    const Poly P = Polys.exact(E->Ops[0]);
    bool Divides = !P.isConstant() && llvm::all_of(P.Terms, [&](const auto &Term) {
      return Term.first.empty() || Term.second % D->By == 0;
    });
    if (Divides && (D->RoundsDown || Polys.operations().isNotNegative(E->Ops[0]))) {
      const int64_t Rest = ((P.constantTerm() % D->By) + D->By) % D->By;
      const Expr *By = D->Remainder ? M.intConst(Rest, E->Ty) : quotient(E, P, D->By, Rest);
      if (By)
        return By;
    }
  }
  return mapOperands(M, E, [&](const Expr *X) { return fold(X); });
}

/// Branches by constants become the arm that is taken.
void Folder::takeArms(StmtList &B) {
  StmtList Kept;
  for (Stmt *S : B) {
    forEachStmtList(*S, [&](StmtList &Inner) { takeArms(Inner); });
    auto C = S->K == StmtKind::If ? constantValue(S->E) : std::nullopt;
    if (C)
      llvm::append_range(Kept, *C ? S->Body : S->Else);
    else
      Kept.push_back(S);
  }
  B = std::move(Kept);
}

void Folder::run() {
  walk(K.Body, [&](Stmt *S) {
    if (!S->Rare)
      mapExprs(M, *S, [&](const Expr *E) { return simplify(M, fold(E)); });
    return !S->Rare;
  });
  propagateConstants(M, K);
  takeArms(K.Body);
  Edited.edited();
}

//===----------------------------------------------------------------------===//
// Blocks of phases
//===----------------------------------------------------------------------===//

/// K without its fast path, which the slow path does as well. Null: it has only one path.
static Kernel *slowOnly(Module &M, const Kernel &K) {
  if (K.Body.empty() || K.Body.back()->K != StmtKind::If || K.Body.back()->Else.empty() ||
      !K.Body.back()->Else.back()->Rare)
    return nullptr;
  Kernel *Slow = cloneKernel(M, K, K.Name);
  StmtList Else = std::move(Slow->Body.back()->Else);
  Slow->Body.pop_back();
  llvm::append_range(Slow->Body, Else);
  return Slow;
}

BlockOutcome blockOfPhases(Module &M, const Kernel &Original, const KernelAnalysis &A,
                           const BlockShape &S, const Kernel *Short) {
  BlockShape Together, Lanes = S;
  Together.LaneDim = 3;
  Together.Rows = S.Phases;
  Lanes.Phases = {1, 1, 1};
  BlockOutcome First = block(M, Original, A, Together, Short);
  if (First.K && (First.Needs.GroupSemantics || First.Needs.WholeBlocks))
    First.K = nullptr;
  if (!First.K)
    return First;
  EditedKernel Items(M, *First.K);
  Folder(Items, Together, First.Needs.IdsBelow).run();
  BlockOutcome Out = block(M, *First.K, *Items.analysis(), Lanes, slowOnly(M, *First.K));
  if (First.Needs.IdsBelow)
    lowerTo(Out.Needs.IdsBelow, First.Needs.IdsBelow);
  Out.Needs.oblige(First.Needs.Obligations);
  llvm::append_range(Out.Needs.When, First.Needs.When);
  llvm::append_range(Out.Needs.Facts, First.Needs.Facts);
  return Out;
}

} // namespace clmali::rewrite
