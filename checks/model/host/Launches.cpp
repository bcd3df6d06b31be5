//===-- checks/model/host/Launches.cpp - Launches with sizes and arguments ----------===//

#include "checks/model/host/Launches.h"
#include "checks/model/host/values/Frames.h"
#include "clang/AST/ASTContext.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;
using namespace llvm;

namespace clmali::model {

/// The integer that Value, the argument of a call that sets one, gives: n of &n. Null: another.
static const clang::Expr *integerOf(const clang::Expr *Value, bool ByAddress) {
  const clang::Expr *E = Value->IgnoreParenCasts();
  if (ByAddress) {
    const auto *U = dyn_cast<UnaryOperator>(E);
    E = U && U->getOpcode() == UO_AddrOf ? U->getSubExpr()->IgnoreParenImpCasts() : nullptr;
  }
  return E && E->getType()->isIntegralOrEnumerationType() ? E : nullptr;
}

void LaunchCollector::setArg(const clang::Expr *Kernel, const clang::Expr *Index,
                             const clang::Expr *Size, const clang::Expr *Value,
                             const clang::Expr *Call) {
  const ValueDecl *D = declOf(Kernel);
  if (!D)
    return;
  SetArgs &Set = ArgsOf[D];
  std::optional<int64_t> At = Known.integer(Index);
  if (!At || *At < 0 || *At > 1024) {
    Set.Unknown = true;
    return;
  }
  HostKernelArg A;
  A.Index = *At;
  A.Range = Locations.range(Call->getSourceRange());
  A.File = M.Files[A.Range.File].Name;
  if (Size)
    Arguments.bytes(Size, Value, A);
  else
    Arguments.object(Value, A);
  if (A.K == HostKernelArg::Memory) {
    Buffers.argument(Value, A);
    A.Variable = variableNumber(Value);
  }
  const clang::Expr *Integer =
      A.K == HostKernelArg::Integer ? integerOf(Value, /*ByAddress=*/Size != nullptr) : nullptr;
  if (Integer)
    A.Value = Known.integer(Integer);
  Set.List.push_back({Kernels.name(Kernel, nullptr).value_or(""), std::move(A), Integer});
}

/// The variable that holds the kernel: of a parameter, that of the caller.
const ValueDecl *LaunchCollector::kernelVariable(const clang::Expr *E, const HostFrame *Frame) {
  const ValueDecl *D = declOf(E);
  while (const auto *P = dyn_cast_or_null<ParmVarDecl>(D)) {
    const HostFrame *At = Frame;
    while (At && P->getDeclContext() != At->Callee)
      At = At->Up;
    const ValueDecl *Given = At && P->getFunctionScopeIndex() < At->Args.size()
                                 ? declOf(At->Args[P->getFunctionScopeIndex()])
                                 : nullptr;
    if (!Given || ArgsOf.count(D))
      break;
    D = Given;
    Frame = At->Up;
  }
  return D;
}

static bool sameSizes(const HostLaunch &A, const HostLaunch &B) {
  return A.Kernel == B.Kernel && A.Dims == B.Dims && A.Global == B.Global && A.Local == B.Local &&
         A.LocalIsNull == B.LocalIsNull && A.GlobalByDefault == B.GlobalByDefault &&
         A.LocalByDefault == B.LocalByDefault;
}

/// Sets the upper bounds of sizes that may be one of several numbers.
void LaunchCollector::addLargest(const clang::Expr *C, HostLaunch &L, const HostLaunch &Plain,
                                 function_ref<void(HostLaunch &)> SetSizes) {
  auto Open = [&](const auto &Sizes) {
    return any_of(ArrayRef(Sizes).take_front(L.Dims), [](const auto &S) { return !S; });
  };
  if (!Open(L.Global) && (L.LocalIsNull || !Open(L.Local)))
    return;
  {
    HostValues::Largest Now(Known);
    HostLaunch Most = Plain;
    SetSizes(Most);
    for (unsigned D = 0; D < L.Dims; ++D) {
      L.GlobalAtMost[D] = L.Global[D] ? L.Global[D] : Most.Global[D];
      L.LocalAtMost[D] = L.Local[D] ? L.Local[D] : Most.Local[D];
    }
  }
  // A loop around the call gives another size in each iteration.
  for (const clang::Stmt *Loop = Flow.loopAround(C); Loop && Open(L.GlobalAtMost);
       Loop = Flow.loopAround(Loop)) {
    HostSizes::Iterations R = Sizes.iterations(Loop);
    std::array<std::optional<uint64_t>, 3> Most = L.Global;
    for (int64_t Value : R.Values) {
      HostValues::InIteration Now(Known, R.Of, Value);
      HostLaunch One = Plain;
      SetSizes(One);
      for (unsigned D = 0; D < L.Dims; ++D)
        if (!L.Global[D])
          Most[D] = Value != R.Values.front() && !Most[D] ? std::nullopt
                    : One.Global[D]                       ? std::max(Most[D], One.Global[D])
                                                          : std::nullopt;
    }
    if (!Open(Most))
      L.GlobalAtMost = Most;
  }
}

/// Samples for the integer arguments that are variables, which are not written between the call
/// that sets the argument and the launch.
void LaunchCollector::addSamples(const clang::Expr *C, HostLaunch &L, const HostLaunch &Plain,
                                 const ValueDecl *Holder,
                                 function_ref<void(HostLaunch &)> SetSizes) {
  auto At = ArgsOf.find(Holder);
  if (At == ArgsOf.end())
    return;
  for (const SetArg &S : At->second.List) {
    const ValueDecl *D = S.Kernel == L.Kernel && S.Integer ? declOf(S.Integer) : nullptr;
    if (!D || !Sizes.isUnchanged(D, S.Integer, C))
      continue;
    HostValues::InIteration Now(Known, D, HostLaunch::Sample::Value);
    HostLaunch Then = Plain;
    SetSizes(Then);
    if (Then.Global != L.Global)
      L.Samples.push_back({S.Arg.Index, Then.Global});
  }
}

void LaunchCollector::add(const clang::Expr *C, const clang::Expr *KernelExpr,
                          const SizeSetter &SetSizes, const clang::Expr *Local) {
  HostLaunch Plain;
  if (Local)
    Plain.LocalQueries = Queries.of(Local, C);
  Plain.AsksKernelLimit = any_of(M.Files, [](const SourceFile &F) {
    return StringRef(F.Text).contains("CL_KERNEL_WORK_GROUP_SIZE");
  });
  Plain.Range = Locations.range(C->getSourceRange());
  Plain.File = M.Files[Plain.Range.File].Name;
  Plain.Line =
      StringRef(M.Files[Plain.Range.File].Text).take_front(Plain.Range.Begin).count('\n') + 1;
  Plain.InLoop = Flow.loopAround(C) != nullptr;
  std::vector<HostLaunch> Made;
  std::vector<const ValueDecl *> Holders; ///< the variable that holds each one's kernel
  auto Under = [&](const HostFrame *Frame) {
    HostLaunch L = Plain;
    L.Kernel = Kernels.name(KernelExpr, Frame).value_or("");
    SetSizes(L, Frame);
    addLargest(C, L, Plain, [&](HostLaunch &To) { SetSizes(To, Frame); });
    if (Frame)
      L.Site = Locations.range(Frame->Site->getSourceRange());
    const ValueDecl *D = kernelVariable(KernelExpr, Frame);
    addSamples(C, L, Plain, D, [&](HostLaunch &To) { SetSizes(To, Frame); });
    for (size_t I = 0; I < Made.size(); ++I)
      if (sameSizes(Made[I], L) && Holders[I] == D)
        return;
    Made.push_back(std::move(L));
    Holders.push_back(D);
  };
  // One launch without a site, if all calls give the same.
  HostLaunch Alone = Plain;
  Alone.Kernel = Kernels.name(KernelExpr, nullptr).value_or("");
  SetSizes(Alone, nullptr);
  addLargest(C, Alone, Plain, [&](HostLaunch &To) { SetSizes(To, nullptr); });
  addSamples(C, Alone, Plain, kernelVariable(KernelExpr, nullptr),
             [&](HostLaunch &To) { SetSizes(To, nullptr); });
  forEachFrame(Flow, C, Under);
  bool Same = Made.size() == 1 && sameSizes(Made.front(), Alone);
  if (Same)
    Made.assign(1, std::move(Alone));
  // Launches of which nothing is known are one.
  bool AnyKnown = any_of(Made, [](const HostLaunch &L) {
    return !L.Kernel.empty() || L.Global[0] || L.Local[0] || L.LocalIsNull || L.GlobalAtMost[0] ||
           L.LocalAtMost[0];
  });
  if (!AnyKnown)
    Made.resize(1);
  for (size_t I = 0; I < Made.size(); ++I) {
    if (Holders[I])
      KernelOf.emplace_back(M.Launches.size(), Holders[I]);
    M.Launches.push_back(std::move(Made[I]));
  }
}

void LaunchCollector::finish() {
  for (auto &[Index, D] : KernelOf) {
    HostLaunch &L = M.Launches[Index];
    if (!L.Args.empty() || L.ArgsComplete)
      continue;
    auto At = ArgsOf.find(D);
    if (At == ArgsOf.end())
      continue;
    const SetArgs &Set = At->second;
    // A variable may hold several kernels: only the arguments of this one.
    for (const SetArg &S : Set.List)
      if (S.Kernel == L.Kernel)
        L.Args.push_back(S.Arg);
    const auto *V = dyn_cast<VarDecl>(D);
    L.ArgsComplete = V && V->isLocalVarDecl() && !V->isStaticLocal() && !Set.Unknown &&
                     L.Args.size() == Set.List.size() && KernelUses.lookup(D) == ApiUses.lookup(D);
  }
}

} // namespace clmali::model
