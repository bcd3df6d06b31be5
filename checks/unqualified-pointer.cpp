//===- unqualified-pointer.cpp
//-----------------------------------------------------------------===//
//
// Before: __global float *in
// After:  __global const float *in
// Before: __global const float *in, __global float *out       of which the host makes two buffers
// After:  __global const float *restrict in, __global float *restrict out
// Limits: arguments of the kernel; silent where something opaque could write. No edit where the
//         pointer is handed to a function of the file, whose own argument would have to follow.
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

/// Does the text speak of it? Not all of it may have been understood.
static bool isNamed(StringRef Text, StringRef Name) {
  auto IsWord = [](char C) { return isAlnum(C) || C == '_'; };
  for (size_t At = Text.find(Name); At != StringRef::npos; At = Text.find(Name, At + 1))
    if ((At == 0 || !IsWord(Text[At - 1])) &&
        (At + Name.size() >= Text.size() || !IsWord(Text[At + Name.size()])))
      return true;
  return false;
}

/// Does the host give each pointer argument a buffer of its own, in each launch that is seen?
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

/// A store, and a load of another argument that has to wait for it: one behind it, or in a later
/// round of a loop around both.
static std::pair<const AccessSite *, const AccessSite *> loadBehindStore(const KernelAnalysis &K) {
  auto IsGlobal = [](const AccessSite &S) {
    return S.A->Base->space() == AddressSpace::Global && !S.A->Volatile &&
           S.A->Base->Range.isValid();
  };
  for (const AccessSite &L : K.accesses())
    for (const AccessSite &W : K.accesses()) {
      if (!L.IsRead || L.IsWrite || !W.IsWrite || W.IsAtomic || !IsGlobal(L) || !IsGlobal(W) ||
          !mayChange(*W.A, *L.A) || L.Interval != W.Interval)
        continue;
      bool Around = !L.Loops.empty() &&
                    any_of(L.Loops, [&](const Stmt *Loop) { return is_contained(W.Loops, Loop); });
      if (Around || (&W < &L && W.S != L.S && !exclude(W, L)))
        return {&W, &L};
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
  bool OtherWrites = false, Told = false;
  for (const Var *P : K.Params)
    OtherWrites |= P->isPointerParam() && P->Ty->AS == AddressSpace::Global && Written.count(P);
  for (const Var *P : K.Params) {
    if (!P->isPointerParam() || P->Ty->AS != AddressSpace::Global || P->Ty->Const ||
        P->Ty->Volatile || Written.count(P) || !P->Range.isValid() || opaqueTouches(C, K, *P) ||
        (!Read.count(P) && isNamed(Body, P->Name)))
      continue;
    // A declaration that a macro makes for many kernels is not this kernel's to change.
    StringRef Text = C.text(P->Range);
    size_t Star = Text.find('*');
    if (Star == StringRef::npos)
      continue;
    Told = true;
    Finding &F = C.report(P->Range, "'" + P->Name +
                                        (Read.count(P) ? "' is only read from, and not const"
                                                       : "' is not used, and not const"));
    if (!Read.count(P))
      F.atMost(rules::Severity::Info);
    std::vector<Edit> Edits;
    // One star, no macro in sight, and no helper that would get a const pointer.
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
  // Of what is read behind a store, or in the rounds after it, the compiler keeps nothing, unless
  // it is told that the two do not meet.
  const Var *First = nullptr;
  bool OtherReads = false;
  for (const Var *P : K.Params)
    if (P->isPointerParam() && P->Ty->AS == AddressSpace::Global) {
      OtherReads |= Read.count(P) && !Written.count(P);
      if (!First && !P->Ty->Restrict && !P->Ty->Volatile && P->Range.isValid() &&
          C.text(P->Range).contains('*'))
        First = P;
      if (P->Ty->Restrict)
        Told = true; // who has qualified one of them has thought of the others
    }
  if (Told || !First || !OtherWrites)
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
