//===- Original.cpp - kernels that are refused before anything is planned ---------------------===//
//
// A rewrite keeps what a kernel does; a kernel whose result depends on the order of its work-items
// has nothing to keep. The linter's errors of races and divergent barriers count, with the
// sizes of the launch:
//
//   part[l] += part[l + 32];                      racy-original, where nothing orders the two
//   if (get_local_id(0) < 32) { .. barrier(..) }  divergent-barrier, in groups of more than 32
//   kernel void sum(.., global float *r) { *r += ..; }   racy-original, launched with 64 work-items
//
// Limits: only errors. What may be right (a launch of whole groups, data) goes to the judge.
//
//===------------------------------------------------------------------------------------------===//

#include "checks/Check.h"
#include "checks/model/ir/Traversal.h"
#include "rules/Models.h"
#include "tools/rewrite/FileRewriter.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace clmali;
using namespace clmali::tool;
using rewrite::Refusal;
using rewrite::RefusalAt;

/// The first argument that a launch file cannot hold; null: none.
static const model::Var *unsupportedArgument(const model::Kernel &K) {
  for (const model::Var *P : K.Params)
    if (P->Ty->K == model::Type::Other)
      return P;
  return nullptr;
}

/// A buffer that a kernel without ids both reads and writes at one place: each work-item of the
/// launch does the same to it.
static std::optional<RefusalAt> updateByAll(model::Module &M, const model::Kernel &K) {
  using namespace model;
  auto IsId = [](const ExprAt &X) {
    return X->K == ExprKind::WorkItem &&
           (X->Query == WorkItemQuery::GlobalId || X->Query == WorkItemQuery::LocalId ||
            X->Query == WorkItemQuery::GroupId);
  };
  if (any_of(exprs(K.Body), IsId) || !K.Opaques.empty())
    return std::nullopt;
  KernelAnalysis A(M, K);
  for (const AccessSite &W : A.accesses())
    for (const AccessSite &R : A.accesses())
      if (W.IsWrite && !W.IsAtomic && R.Load && !R.IsAtomic && W.A->Base == R.A->Base &&
          W.A->Base->space() == AddressSpace::Global && A.distance(W, R) == 0)
        return RefusalAt{Refusal::RacyOriginal, "plan",
                         "each work-item of the launch reads and writes the same elements of '" +
                             W.A->Base->Name + "': the kernel uses no work-item id",
                         W.A->Range};
  return std::nullopt;
}

/// The kernel's error of one of these rules: a race or a divergent barrier.
static std::optional<RefusalAt> lintError(model::Module &M, const model::Kernel &K, StringRef Rule,
                                          Refusal Why) {
  checks::RunOptions Run;
  Run.Families = rules::allFamilies();
  Run.Enabled = [&](StringRef Id) { return Id == Rule; };
  // The other kernels of the module are left out.
  std::vector<std::unique_ptr<model::Kernel>> Kernels = std::move(M.Kernels);
  auto Own = find_if(Kernels, [&](const auto &X) { return X.get() == &K; });
  M.Kernels.clear();
  M.Kernels.push_back(std::move(*Own));
  std::vector<checks::Finding> Found = checks::runKernelChecks(M, Run);
  *Own = std::move(M.Kernels.front());
  M.Kernels = std::move(Kernels);
  auto Other = [&](const checks::Finding &F) {
    return F.Notes.empty() || !F.Notes.front().File.empty()
               ? std::string()
               : " (" + F.Notes.front().Message + ": " + placeText(M, F.Notes.front().Range) + ")";
  };
  for (const checks::Finding &F : Found)
    if (checks::severity(F, Run.Families) == rules::Severity::Error)
      return RefusalAt{Why, "plan", F.Message + Other(F) + ": mend this first", F.Range};
  return std::nullopt;
}

/// The race that \p Race is about is one in global memory.
static bool isInGlobalMemory(const model::Kernel &K, const RefusalAt &Race) {
  return any_of(K.Params, [&](const model::Var *P) {
    return P->isPointerParam() && P->space() == model::AddressSpace::Global &&
           StringRef(Race.Detail).contains("'" + P->Name + "'");
  });
}

/// Says of a race in volatile local memory what its author relied on.
static void explainLockstep(const model::Kernel &K, RefusalAt &Race) {
  using namespace model;
  auto IsIn = [&](const Access &A) {
    return A.Volatile && A.Base->space() == AddressSpace::Local &&
           StringRef(Race.Detail).contains("'" + A.Base->Name + "'");
  };
  const bool Volatile =
      any_of(exprs(K.Body), [&](ExprAt E) { return E->K == ExprKind::Load && IsIn(E->Acc); });
  if (Volatile)
    Race.Detail += "; volatile is no barrier, for OpenCL does not run work-items in lockstep";
}

std::optional<RefusalAt> FileRewriter::defectOf(model::Module &M, model::Kernel &K,
                                                const model::LaunchFacts &Launch) {
  model::WorkSize Local = Launch.localSizeOf(K), Global = Launch.LargestGlobal;
  // One work-item has nothing to race with.
  bool Alone = all_of(Global, [](uint64_t N) { return N == 1; });
  if (Alone)
    return std::nullopt;
  auto Required = K.ReqdWorkGroupSize;
  if (all_of(Local, [](uint64_t N) { return N != 0 && N <= UINT32_MAX; }))
    K.ReqdWorkGroupSize = {uint32_t(Local[0]), uint32_t(Local[1]), uint32_t(Local[2])};
  std::optional<RefusalAt> Found =
      lintError(M, K, "barrier-in-divergent-flow", Refusal::DivergentBarrier);
  if (!Found)
    if ((Found = lintError(M, K, "write-race", Refusal::RacyOriginal))) {
      // Without a launch file, the host may launch as few work-items as the race needs to vanish:
      // rows of 16 elements for 16 work-items.
      constexpr uint32_t Few = 4;
      const bool Launched = any_of(Global, [](uint64_t N) { return N != 0; });
      K.ReqdWorkGroupSize = {Few, 1, 1};
      if (!Launched && !Required && isInGlobalMemory(K, *Found) &&
          !lintError(M, K, "write-race", Refusal::RacyOriginal))
        Found.reset();
      else
        explainLockstep(K, *Found);
    }
  K.ReqdWorkGroupSize = Required;
  if (!Found && any_of(Global, [](uint64_t N) { return N > 1; }))
    Found = updateByAll(M, K);
  return Found;
}

std::optional<RefusalAt> FileRewriter::unsupported(const model::Kernel &K) const {
  const model::Var *P = unsupportedArgument(K);
  if (!P || O.NoVerify)
    return std::nullopt;
  const std::string Argument = "'" + P->Ty->Name + " " + P->Name + "'";
  return RefusalAt{Refusal::UnsupportedType, "judge",
                   "kernels with such arguments cannot be judged: " + Argument,
                   P->Range.isValid() ? P->Range : K.NameRange};
}

/// True if nothing that a host can see depends on K.
static bool storesNothing(const model::Kernel &K) {
  using model::StmtKind;
  return K.Opaques.empty() && none_of(model::stmts(K.Body), [](const model::Stmt *S) {
           return S->K == StmtKind::Store
                      ? S->Acc.Base->space() == model::AddressSpace::Global
                      : is_contained({StmtKind::ImageWrite, StmtKind::Atomic, StmtKind::AsyncCopy,
                                      StmtKind::Call, StmtKind::Opaque},
                                     S->K);
         });
}

/// Copies a bool of a buffer into a buffer, as the assignment of a struct with bool fields does.
/// What bytes other than 0 and 1 become is open, and buffers of the host may hold any.
static std::optional<RefusalAt> copiesBool(const model::Kernel &K) {
  auto IsBool = [](const model::Access &A) {
    return A.Elem == model::ScalarKind::Bool && A.Base->space() == model::AddressSpace::Global;
  };
  const bool Reads = any_of(model::exprs(K.Body), [&](const model::ExprAt &X) {
    return X->K == model::ExprKind::Load && IsBool(X->Acc);
  });
  for (const model::Stmt *S : model::stmts(K.Body))
    if (Reads && S->K == model::StmtKind::Store && IsBool(S->Acc))
      return RefusalAt{Refusal::UnsupportedType, "plan",
                       "'" + S->Acc.Base->Name +
                           "' holds bool, and OpenCL does not say what other values than 0 and 1 "
                           "become: char in its place has all of them",
                       S->Range.isValid() ? S->Range : K.NameRange};
  return std::nullopt;
}

std::optional<RefusalAt> FileRewriter::refusalOfOriginal(model::Module &M, model::Kernel &K) {
  if (std::optional<RefusalAt> Why = unsupported(K))
    return Why;
  if (storesNothing(K))
    return RefusalAt{Refusal::NothingPays, "plan", "it stores nothing in buffers or images",
                     K.NameRange};
  if (std::optional<RefusalAt> Why = copiesBool(K))
    return Why;
  return defectOf(M, K, planOptions(O, In, K).Launch);
}
