//===-- rewriters/plan/Planner.cpp - Enumerate, run, rank --------------------===//

#include "rewriters/plan/Planner.h"
#include "rewriters/pass/HalfInMemory.h"
#include "rewriters/pass/LaunchUse.h"

#include "checks/model/cost/CostModel.h"
#include "checks/model/ir/Budget.h"
#include "checks/model/ir/Traversal.h"
#include "checks/model/pattern/Opaque.h"
#include "rewriters/blocking/Block.h"
#include "rewriters/blocking/BlockPass.h"
#include "rewriters/normalize/Contraction.h"
#include "rewriters/pass/Passes.h"
#include "rewriters/print/Print.h"
#include "rules/Models.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/raw_ostream.h"

namespace clmali::rewrite {

using namespace model;

bool sameShape(const BlockShape &X, const BlockShape &Y) {
  return X.Lanes == Y.Lanes && X.Rows == Y.Rows && X.Phases == Y.Phases &&
         (X.Lanes == 1 || X.LaneDim == Y.LaneDim);
}

//===----------------------------------------------------------------------===//
// Kernels that no candidate is made for
//===----------------------------------------------------------------------===//

/// Buffers that the launch passes twice: one work-item may write where another reads, unless both
/// accesses are at the work-item's own element.
bool Planner::overlaps() {
  if (Context.launch().SameBuffers.empty())
    return false;
  const EditedKernel::Analysis A = Original.analysis();
  for (const AccessSite &W : A->accesses())
    for (const AccessSite &X : A->accesses())
      if (W.IsWrite && W.A->Base != X.A->Base &&
          Context.launch().maySameBuffer(*W.A->Base, *X.A->Base)) {
        Shared = {W.A->Base->Name + " and " + X.A->Base->Name + " are one buffer in this launch",
                  W.A->Range};
        if (W.Affine && X.Affine && W.Bytes == X.Bytes)
          continue;
        Context.Refusals.add({Refusal::Aliasing, "plan",
                              Shared->first +
                                  ", and it is not known that the kernel accesses parts of it that "
                                  "are apart: with buffers of their own it may be rewritten",
                              Shared->second});
        return true;
      }
  return false;
}

/// The launches of a manifest have dimensions of their own.
bool Planner::readsDimensions() {
  for (ExprAt X : exprs(K.Body))
    if (X->K == ExprKind::WorkItem && X->Query == WorkItemQuery::WorkDim) {
      Context.Refusals.add({Refusal::LocalIdUse, "plan", "get_work_dim",
                            X->Range.isValid() ? X->Range : X.S->Range});
      return true;
    }
  return false;
}

bool Planner::contractionDiffers() {
  std::optional<SourceRange> At = contractionSwitch(Context.M, K);
  if (At)
    Context.Refusals.add({Refusal::OpaqueConstruct, "plan",
                          "FP_CONTRACT is not the same for all that the kernel computes", *At});
  return At.has_value();
}

//===----------------------------------------------------------------------===//
// Normal forms
//===----------------------------------------------------------------------===//

/// Where local memory is on chip it is kept, and filled better if the device copies by itself;
/// elsewhere it goes. A pass that the user named decides.
static Staging stagingFor(const PassContext &C) {
  bool CopiesItself = C.Device.LocalOnChip && C.Device.AsyncCopyWorkGroup;
  return C.allows("localize") && (CopiesItself || C.named()) ? Staging::Localize
                                                             : Staging::Delocalize;
}

void Planner::makeBases(bool Exchange) {
  Staging Other = stagingFor(Context);
  bool Allowed = Context.allows("localize") || Context.allows("delocalize");
  for (bool Values : {false, true})
    for (bool Split : {false, true})
      for (bool Unroll : {false, true})
        for (Staging Stage : {Staging::Keep, Other}) {
          if (Values && Context.launch().KnownScalars.empty())
            continue;
          if (Stage != Staging::Keep && Shared) {
            // A copy of one buffer is no copy once the other has been written.
            if (Allowed)
              Context.Refusals.add({Refusal::Aliasing,
                                    Stage == Staging::Localize ? "localize" : "delocalize",
                                    Shared->first, Shared->second});
            continue;
          }
          Choice How;
          How.LaunchValues = Values;
          How.SplitComponents = Split;
          How.Exchange = Exchange;
          How.Unroll = Unroll;
          How.Stage = Stage;
          if (std::optional<Base> B = prepare(How))
            Bases.push_back(std::move(*B));
        }
}

static bool requireTheSame(const LaunchContract &A, const LaunchContract &B) {
  return A.Obligations == B.Obligations && A.When == B.When && A.LocalMax == B.LocalMax;
}

/// The normal form of S without unrolled loops and with calls of helpers; null: the kernel calls
/// none, or it is refused or requires something else of the launch. It is tried silently: a block
/// does without.
const Kernel *Planner::formWithCalls(const PassState &S) {
  if (!K.WithCalls)
    return nullptr;
  RefusalList Before = Context.Refusals;
  PassState Brief(Context, cloneKernel(Context.M, *K.WithCalls, K.Name));
  Brief.How = S.How;
  Brief.How.Unroll = false;
  bool Made = Manager.run(normalFormSteps(), Brief) &&
              keepHalfInMemory(Context.M, *K.WithCalls, Brief.kernel());
  Context.Refusals = std::move(Before);
  return Made && requireTheSame(Brief.Contract, S.Contract) ? &Brief.kernel() : nullptr;
}

/// The kernel with the same choices and its loops and calls, if it requires the same of the launch;
/// null.
const Kernel *Planner::shortForm(const PassState &S) {
  if (const Kernel *Brief = formWithCalls(S))
    return Brief;
  const Kernel *Short = nullptr;
  for (const Base &B : Bases) {
    const PassState &O = B.State;
    if (S.How.Unroll && !O.How.Unroll && O.How.Stage == S.How.Stage &&
        O.How.LaunchValues == S.How.LaunchValues &&
        O.How.SplitComponents == S.How.SplitComponents && requireTheSame(O.Contract, S.Contract))
      Short = &O.kernel();
  }
  return Short;
}

static RefusalAt halfIsRounded(const Kernel &K) {
  return {Refusal::OpaqueConstruct, "plan",
          "a value that is rounded to half and used again cannot be written without cl_khr_fp16",
          K.NameRange};
}

/// The kernel in the normal form of How; nothing where that is what other choices give already.
std::optional<Base> Planner::prepare(const Choice &How) {
  PassState S(Context, cloneKernel(Context.M, K, K.Name));
  S.How = How;
  if (!Manager.run(normalFormSteps(), S))
    return std::nullopt;
  S.Short = shortForm(S);
  if (const Var *V = unprintable(S.kernel())) {
    Context.Refusals.add({Refusal::OpaqueConstruct, "plan",
                          V->Name + " is of a type that is declared inside a function", V->Range});
    return std::nullopt;
  }
  if (!keepHalfInMemory(Context.M, K, S.kernel())) {
    Context.Refusals.add(halfIsRounded(K));
    return std::nullopt;
  }
  S.edited();
  S.Contiguous = S.analysis().contiguousDimension();
  Cost Single = costOf(Context, S.kernel(), S.localSize());
  std::array<unsigned, 3> Phases = phasesOf(S.analysis());
  return Base{std::move(S), Single, Phases};
}

//===----------------------------------------------------------------------===//
// One candidate
//===----------------------------------------------------------------------===//

/// The work-items as they are.
PassState Planner::single(const Base &B, const Choice &How) {
  PassState S = B.State;
  S.How = How;
  S.replaceKernel(cloneKernel(Context.M, B.State.kernel(), K.Name));
  S.Contract.GroupSemantics = worksInGroups(S.kernel());
  std::vector<std::string> Obligations = std::move(S.Contract.Obligations);
  S.Contract.Obligations.clear();
  S.Contract.oblige(Obligations);
  return S;
}

/// Blocks of B's work-items; nothing where they are refused. What is finished in several ways is
/// made once.
std::optional<PassState> Planner::blocked(const Base &B, const Choice &How) {
  auto Make = [&]() -> std::optional<PassState> {
    PassState S = B.State;
    S.How = How;
    if (!Manager.run(blockSteps(), S))
      return std::nullopt;
    return S;
  };
  if (!How.Overlap && How.Inner == 1 && How.Sums == 1)
    return Make();
  if (Last.From != &B || Last.Shape.LaneDim != How.Shape.LaneDim ||
      !sameShape(Last.Shape, How.Shape)) {
    Last.From = &B;
    Last.Shape = How.Shape;
    Last.State.reset();
    Last.State = Make();
  }
  if (!Last.State)
    return std::nullopt;
  PassState S = *Last.State;
  S.How = How;
  S.replaceKernel(cloneKernel(Context.M, S.kernel(), K.Name));
  return S;
}

/// Single work-items in which no access became wider: on such devices nothing else is worth a new
/// launch.
bool Planner::changesTooLittle(const Base &B, const PassState &S) const {
  bool Single = S.How.Shape.Lanes == 1 && S.How.Shape.rows() == 1;
  if (!Single || Context.chosen() || D.LocalOnChip || S.How.Sums > 1)
    return false;
  return llvm::all_of(B.State.Applied, [](llvm::StringRef P) { return P == "use-builtins"; }) &&
         !llvm::is_contained(S.Applied, "merge-loads") &&
         !llvm::is_contained(S.Applied, "vectorize");
}

/// Rows alone pay by what they share; that there are fewer work-items is no gain.
bool Planner::rowsShareTooLittle(const EvaluatedCandidate &T) const {
  constexpr double SharedAtLeast = 0.8;
  return T.shape().Lanes == 1 && T.shape().rows() > 1 && !Context.chosen() &&
         T.Predicted.MemoryOps > SharedAtLeast * Before.MemoryOps * T.Items;
}

/// The module keeps the nodes of all candidates. Throws OutOfTime where they take too much memory.
void Planner::checkMemory() const {
  constexpr size_t MaxBytes = size_t(1) << 30;
  size_t Bytes = llvm::sys::Process::GetMallocUsage();
  if (Bytes > BytesAtStart && Bytes - BytesAtStart > MaxBytes)
    throw OutOfTime();
}

std::optional<double> Planner::evaluate(const Base &B, const Choice &Wanted) {
  if (!isWanted(B, Wanted.Shape))
    return std::nullopt;
  checkMemory();
  Choice How = B.State.How;
  How.Shape = Wanted.Shape;
  How.Inner = Wanted.Inner;
  How.Sums = Wanted.Sums;
  How.Overlap = Wanted.Overlap;
  bool Blocks = How.Shape.Lanes > 1 || How.Shape.rows() > 1;
  std::optional<PassState> S = Blocks ? blocked(B, How) : single(B, How);
  if (!S || !Manager.run(finishSteps(), *S) || S->Applied.empty() || changesTooLittle(B, *S))
    return std::nullopt;
  // They are printed as they were written, and what they need may have gone.
  if (pattern::hasOpaqueParts(S->kernel())) {
    auto IsOpaque = [](const RefusalAt &R) { return R.Why == Refusal::OpaqueConstruct; };
    if (llvm::none_of(Context.Refusals.all(), IsOpaque) && !K.Opaques.empty())
      Context.Refusals.add(
          {Refusal::OpaqueConstruct, "plan", K.Opaques.front().What, K.Opaques.front().Range});
    return std::nullopt;
  }
  if (!keepHalfInMemory(Context.M, K, S->kernel())) {
    Context.Refusals.add(halfIsRounded(K));
    return std::nullopt;
  }
  if (std::optional<std::string> Name = hiddenBuiltin(Context.Hidden, S->kernel())) {
    Context.Refusals.add({Refusal::OpaqueConstruct, "plan",
                          "the rewrite needs " + *Name + ", which is a macro of the file",
                          K.NameRange});
    return std::nullopt;
  }
  S->edited(); // frees the analysis
  EvaluatedCandidate T{&B, std::move(*S)};
  predict(T);
  if (rowsShareTooLittle(T)) {
    SharesLittle = true;
    return std::nullopt;
  }
  Evaluated.push_back(std::move(T));
  return Evaluated.back().perItem();
}

std::optional<double> Planner::costOfForm(const Choice &How) {
  for (const EvaluatedCandidate &T : Evaluated)
    if (T.State.How == How)
      return T.perItem();
  for (const Base &B : Bases) {
    const Choice &Of = B.State.How;
    if (Of.LaunchValues == How.LaunchValues && Of.SplitComponents == How.SplitComponents &&
        Of.Unroll == How.Unroll && Of.Stage == How.Stage)
      return evaluate(B, How);
  }
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// The plan
//===----------------------------------------------------------------------===//

/// Finds a reason to make no candidate at all.
bool Planner::isRefused() { return overlaps() || readsDimensions() || contractionDiffers(); }

std::string Planner::whyNothingPays() const {
  if (Cut)
    return "planning took too much time or memory and was ended: of " +
           std::to_string(Evaluated.size()) + " candidates none is predicted to be faster";
  bool Images = llvm::any_of(K.Params, [](const Var *P) { return P->isImage(); });
  auto IsBetweenTexels = [](const ExprAt &X) {
    return X->K == ExprKind::ImageRead && X->Ops[0]->Ty->isFloat();
  };
  if (Images && SharesLittle && llvm::any_of(exprs(K.Body), IsBetweenTexels))
    return "it reads images at floating-point coordinates: which texels neighbouring work-items "
           "share is not known, and nothing else pays";
  if (Images && SharesLittle && Evaluated.empty())
    return "neighbouring work-items share few texels or none: the kernel is as fast as its reads "
           "and writes of images";
  if (Context.launch().hasOddOffsets())
    return "each launch begins at an odd id, and blocks of work-items begin at multiples of their "
           "size";
  return "no block shape is predicted to be faster";
}

RewriteResult Planner::run(const std::function<bool(const Candidate &)> &IsWanted) {
  RewriteResult Result;
  bool GroupsInOriginal;
  {
    BudgetPause Short; // this takes no time
    Manager.verifyInput(K);
    Context.Dims = dimensions(K);
    Context.Hidden = hiddenNames(Context.M);
    Kernel *Used = cloneKernel(Context.M, K, K.Name);
    dropUnused({Context.M, *Used});
    GroupsInOriginal = worksInGroups(*Used);
  }
  BytesAtStart = llvm::sys::Process::GetMallocUsage();
  try {
    Result.Before = Before = costBefore(Context, K);
    Result.ShareBefore = launchShare(Context, 1);
    Result.TripsBefore = tripsOfLoops(*Original.analysis());
    if (isRefused()) {
      Result.Refusals = Context.Refusals.take();
      return Result;
    }
    Context.BuffersShared = Shared.has_value();
    search();
    if (Options.Part && Options.Part->Instead)
      if (std::optional<double> PerItem = costOfForm(*Options.Part->Instead))
        Result.SpeedupInstead = Before.Cycles / std::max(*PerItem, 1e-9);
  } catch (const OutOfTime &) {
    Cut = true;
  }
  BudgetPause Writing; // what was found in time is written
  rank(Evaluated, D);
  preferLight(Evaluated, D);
  for (const EvaluatedCandidate *T : orderOfWriting(Evaluated, Context, Before)) {
    if (Result.Candidates.size() >= Options.MaxCandidates)
      break;
    Candidate C = writeCandidate(*T, Context, Before, GroupsInOriginal);
    if (IsWanted && !IsWanted(C))
      continue;
    // Two choices may give the same source.
    if (llvm::none_of(Result.Candidates, [&](const Candidate &X) { return X.Source == C.Source; }))
      Result.Candidates.push_back(std::move(C));
  }
  if (Result.Candidates.empty() && Context.launch().NoLocalSize && groupUse(K))
    Context.Refusals.add(groupsLeftOpen(Context));
  Result.Refusals = Context.Refusals.take();
  if (Result.Candidates.empty() && (Result.Refusals.empty() || !Evaluated.empty() || Cut))
    Result.Refusals.push_back({Refusal::NothingPays, "plan", whyNothingPays(), K.NameRange});
  return Result;
}

/// The facts of the family or model that Name means; those of "generic" if there is none.
static rules::DeviceFacts deviceFacts(llvm::StringRef Name) {
  const rules::DeviceFacts *Known = rules::findModel(Name);
  if (auto Set = rules::resolveDevice(Name)) {
    for (const rules::DeviceFacts &F : rules::families())
      if (!Known && ((*Set >> F.Index) & 1))
        Known = &F;
  } else {
    llvm::consumeError(Set.takeError());
  }
  return Known ? *Known : *rules::findFamily("generic");
}

double launchShareOf(const RewriteOptions &O, const WorkSize &Global, double Items) {
  double Original = O.Launch.SizesMadeUp ? 0 : 1;
  for (uint64_t Along : Global)
    Original *= double(Along);
  return launchShare(deviceFacts(O.Device), Original, Items);
}

bool outlastsItsStart(const RewriteOptions &O, const WorkSize &Global, double Cycles) {
  const rules::DeviceFacts D = deviceFacts(O.Device);
  const rules::Fact *Cores = D.fact("compute-units"), *Start = D.fact("launch-cycles");
  if (!Cores || !Start)
    return true;
  double Total = Cycles / double(Cores->Value);
  for (uint64_t Along : Global)
    Total *= double(Along);
  return Total >= double(Start->Value);
}

/// The buffers of K that one store may change for the load of another, by name: those that are not
/// restrict.
static std::vector<Var *> mayOverlap(const Kernel &K, const LaunchFacts &Launch) {
  llvm::DenseSet<const Var *> Read, Written;
  for (const Stmt *S : stmts(K.Body)) {
    if (S->K == StmtKind::Store || S->K == StmtKind::Atomic)
      Written.insert(S->Acc.Base);
    for (ExprAt E : exprs(*S))
      if (E->K == ExprKind::Load)
        Read.insert(E->Acc.Base);
  }
  auto IsOpen = [](const Var *P) {
    return P->isPointerParam() && P->space() == AddressSpace::Global && !P->Ty->Restrict;
  };
  std::vector<Var *> Open;
  for (Var *X : K.Params)
    if (IsOpen(X) && llvm::any_of(K.Params, [&](const Var *Y) {
          return X != Y && IsOpen(Y) && !Launch.maySameBuffer(*X, *Y) &&
                 ((Written.contains(X) && Read.contains(Y)) ||
                  (Written.contains(Y) && Read.contains(X)));
        }))
      Open.push_back(X);
  return Open;
}

/// Where nothing pays: would something, if the buffers were restrict? Then that is the reason.
/// Asked only while there is time to plan again.
static void explainAliasing(Module &M, Kernel &K, RewriteOptions O, const rules::DeviceFacts &D,
                            RewriteResult &R) {
  if (outOfTime())
    return;
  BudgetPause Short; // what stands outside of a planner; that one has the rest of the time
  auto Nothing =
      llvm::find_if(R.Refusals, [](const RefusalAt &X) { return X.Why == Refusal::NothingPays; });
  const std::vector<Var *> Open = mayOverlap(K, O.Launch);
  if (!R.Candidates.empty() || Nothing == R.Refusals.end() || Open.empty())
    return;
  O.MaxCandidates = 1;
  std::vector<const Type *> Types;
  for (Var *P : Open) {
    Types.push_back(P->Ty);
    P->Ty = M.pointer(P->Ty->Elem, P->Ty->AS, P->Ty->Const, P->Ty->Volatile, /*Restrict=*/true);
  }
  const RewriteResult Apart = Planner(M, K, O, D).run({});
  std::vector<std::string> Names;
  for (size_t I = 0; I < Open.size(); ++I) {
    Open[I]->Ty = Types[I];
    Names.push_back("'" + Open[I]->Name + "'");
  }
  if (Apart.Candidates.empty())
    return;
  const Candidate &Best = Apart.Candidates.front();
  std::string Gain;
  llvm::raw_string_ostream(Gain) << llvm::format("%.1fx", Best.PredictedSpeedup);
  *Nothing = {
      Refusal::Aliasing, "plan",
      llvm::join(Names, " and ") +
          " may overlap, so a store may change what later loads read: with restrict on them [" +
          llvm::join(Best.Passes, ", ") + "] is predicted to be " + Gain + " faster",
      Open.front()->Range.isValid() ? Open.front()->Range : K.NameRange};
}

RewriteResult rewriteKernel(Module &M, Kernel &K, const RewriteOptions &O,
                            const std::function<bool(const Candidate &)> &IsWanted) {
  rules::DeviceFacts D = deviceFacts(O.Device);
  if (O.VectorBits)
    D.VectorBits8 = D.VectorBits16 = D.VectorBits32 = D.VectorBits64 = D.RegisterBits =
        D.IdealAccessBits = O.VectorBits;
  RewriteResult R = Planner(M, K, O, D).run(IsWanted);
  if (!O.Part)
    explainAliasing(M, K, O, D, R);
  return R;
}

} // namespace clmali::rewrite
