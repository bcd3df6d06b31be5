//===- unqualified-pointer.cpp ----------------------------------------------------------------===//
//
// Before: __global float *in
// After:  __global const float *in
// Before: __global const float *in, __global float *out       with two buffers in the host code
// After:  __global const float *restrict in, __global float *restrict out
// Limits: arguments of the kernel; silent if something that the model cannot represent could write.
//         No edit if the pointer is passed to a function of the file, whose parameter would have to
//         change, too.
//
//===------------------------------------------------------------------------------------------===//

#include "checks/model/frontend/tolerant/TokenScan.h"
#include "checks/query/Query.h"
#include "llvm/ADT/StringExtras.h"
#include <set>

using namespace llvm;
using namespace clmali;
using namespace clmali::checks;
using namespace clmali::model;

/// True if the text contains the name. Not all of it may have been parsed.
static bool isNamed(StringRef Text, StringRef Name) {
  auto IsWord = [](char C) { return isAlnum(C) || C == '_'; };
  for (size_t At = Text.find(Name); At != StringRef::npos; At = Text.find(Name, At + 1))
    if ((At == 0 || !IsWord(Text[At - 1])) &&
        (At + Name.size() >= Text.size() || !IsWord(Text[At + Name.size()])))
      return true;
  return false;
}

/// True if each launch in the host code passes a different buffer to each pointer argument.
static bool areOwnBuffers(const Kernel &K, Context &C) {
  if (C.launches().empty())
    return false;
  for (const HostLaunch &L : C.launches()) {
    std::set<unsigned> All; // buffers of the arguments before
    for (const Var *P : K.Params) {
      if (!P->isPointerParam() || P->space() == AddressSpace::Local)
        continue;
      std::set<unsigned> Mine;
      for (const HostKernelArg &A : L.Args)
        if (A.Index == P->Index)
          Mine.insert(A.MadeBy);
      if (Mine.empty() || Mine.count(0) || any_of(Mine, [&](unsigned M) { return All.count(M); }))
        return false;
      All.insert(Mine.begin(), Mine.end());
    }
  }
  return true;
}

/// A store, and a load of another argument that must wait for it: after it, or in a later iteration
/// of a common loop.
static std::pair<const AccessSite *, const AccessSite *> loadBehindStore(const KernelAnalysis &K) {
  auto IsGlobal = [](const AccessSite &S) {
    return S.A->Base->space() == AddressSpace::Global && !S.A->Volatile &&
           S.A->Base->Range.isValid();
  };
  std::vector<const AccessSite *> Loads, Stores;
  for (const AccessSite &S : K.accesses()) {
    if (S.IsRead && !S.IsWrite && IsGlobal(S))
      Loads.push_back(&S);
    if (S.IsWrite && !S.IsAtomic && IsGlobal(S))
      Stores.push_back(&S);
  }
  for (const AccessSite *L : Loads)
    for (const AccessSite *W : Stores) {
      if (!mayChange(*W->A, *L->A) || L->Interval != W->Interval)
        continue;
      bool Around =
          any_of(L->Loops, [&](const Stmt *Loop) { return is_contained(W->Loops, Loop); });
      if (Around || (W < L && W->S != L->S && !exclude(*W, *L)))
        return {W, L};
    }
  return {};
}

static void run(const Kernel &K, Context &C) {
  std::set<const Var *> Read, Written;
  for (const AccessSite &A : C.analysis().accesses()) {
    if (A.IsRead)
      Read.insert(A.A->Base);
    if (A.IsWrite || A.IsAtomic)
      Written.insert(A.A->Base);
  }
  std::string Body = withoutComments(C.text(K.BodyRange));
  bool OtherWrites = false, Handled = false;
  for (const Var *P : K.Params)
    OtherWrites |= P->isPointerParam() && P->Ty->AS == AddressSpace::Global && Written.count(P);
  for (const Var *P : K.Params) {
    if (!P->isPointerParam() || P->Ty->AS != AddressSpace::Global || P->Ty->Const ||
        P->Ty->Volatile || Written.count(P) || !P->Range.isValid() || opaqueTouches(C, K, *P) ||
        (!Read.count(P) && isNamed(Body, P->Name)))
      continue;
    // A declaration made by a macro may be part of many kernels.
    StringRef Text = C.text(P->Range);
    size_t Star = Text.find('*');
    if (Star == StringRef::npos)
      continue;
    Handled = true;
    Finding &F = C.report(P->Range, "'" + P->Name +
                                        (Read.count(P) ? "' is only read from, and not const"
                                                       : "' is not used, and not const"));
    if (!Read.count(P))
      F.atMost(rules::Severity::Info);
    std::vector<Edit> Edits;
    // The edit needs one star, no macro, and no called function that would get a const pointer.
    if (Text.find('*', Star + 1) == StringRef::npos && K.Helpers.empty() &&
        !opaqueTouchesBuffers(K)) {
      uint32_t At = P->Range.Begin + Star;
      while (At > P->Range.Begin && C.text({P->Range.File, At - 1, At}) == " ")
        --At;
      Edits.push_back({{P->Range.File, At, At}, " const"});
    }
    F.fix(Applicability::Safe, "make it const", std::move(Edits));
    if (OtherWrites && !P->Ty->Restrict)
      F.fix(Applicability::Unsafe, "restrict, where no other argument overlaps it");
  }
  // Values loaded after a store, or in later iterations, cannot be kept in registers unless
  // restrict excludes aliasing.
  const Var *First = nullptr;
  bool OtherReads = false;
  for (const Var *P : K.Params)
    if (P->isPointerParam() && P->Ty->AS == AddressSpace::Global) {
      OtherReads |= Read.count(P) && !Written.count(P);
      if (!First && !P->Ty->Restrict && !P->Ty->Volatile && P->Range.isValid() &&
          C.text(P->Range).contains('*'))
        First = P;
      if (P->Ty->Restrict)
        Handled = true; // one argument is qualified: the others were considered
    }
  if (Handled || !First || !OtherWrites)
    return;
  if (!C.launches().empty()) {
    if (OtherReads && areOwnBuffers(K, C))
      C.report(First->Range, "the host gives each pointer a buffer of its own, and '" +
                                 First->Name + "' is not restrict")
          .fix(Applicability::Unsafe, "restrict");
    return;
  }
  auto [Store, Load] = loadBehindStore(C.analysis());
  if (!Load)
    return;
  C.report(Load->A->Base->Range, nameOf(*Load->A) + " is not restrict: the stores to " +
                                     nameOf(*Store->A) +
                                     " may change it, as far as the compiler knows")
      .note(Store->A->Range, "such a store")
      .note(Load->A->Range, "this load waits for it")
      .fix(Applicability::Unsafe, "restrict, where the two do not overlap");
}

CLMALI_KERNEL_CHECK("unqualified-pointer", run);
