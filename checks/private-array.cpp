//===- private-array.cpp ----------------------------------------------------------------------===//
//
// Before: table[index[i] & 3]      in memory
// After:  indices that are constants once loops are unrolled: in registers
// Limits: one finding for each array.
//
//===------------------------------------------------------------------------------------------===//

#include "checks/query/Query.h"
#include "checks/query/RareCode.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace clmali;
using namespace clmali::checks;
using namespace clmali::model;

/// Bytes of the array that is accessed: the variable, or the outermost array in it. None: a guessed
/// number declares its length.
static std::optional<uint64_t> sizeOfArray(Context &C, const Access &A) {
  if (guessed(C).hasGuessedSize(*A.Base))
    return std::nullopt;
  const Type *Ty = A.Base->Ty;
  SmallVector<StringRef, 4> Parts;
  StringRef(A.Path).split(Parts, '.', -1, /*KeepEmpty=*/false);
  for (StringRef Part : Parts) {
    const model::Field *Field = fieldOf(Ty, Part);
    if (!Field)
      break;
    Ty = Field->Ty;
  }
  return Ty->K == Type::Array ? Ty->Size : A.Base->Ty->Size;
}

/// "'sum'": the name of that array, without what follows it: the components of its elements.
static std::string arrayOf(const Access &A) {
  const Type *Ty = A.Base->Ty;
  std::string Name = A.Base->Name;
  SmallVector<StringRef, 4> Parts;
  StringRef(A.Path).split(Parts, '.', -1, /*KeepEmpty=*/false);
  for (StringRef Part : Parts) {
    const Field *F = Ty->K == Type::Array ? nullptr : fieldOf(Ty, Part);
    if (!F)
      break;
    Name += ("." + Part).str();
    Ty = F->Ty;
  }
  return "'" + Name + "'";
}

constexpr StringLiteral TooLarge = "a loop, and larger than what registers hold";

static void run(const Kernel &, Context &C) {
  const KernelAnalysis &K = C.analysis();
  const uint64_t MaxBytes = C.option("MaxBytes");
  // An array that fills the registers of a work-item leaves none for other values.
  const uint64_t MostInRegisters =
      uint64_t(C.device().RegistersQuarter) * C.device().RegisterBits / 8 - 1;
  std::vector<std::pair<const AccessSite *, std::string>> Found; // one for each array
  auto Outside = [&](SourceRange R) {
    return R.File != K.kernel().Range.File || R.Begin < K.kernel().Range.Begin ||
           R.End > K.kernel().Range.End;
  };
  for (const AccessSite &Site : K.accesses()) {
    const Access &A = *Site.A;
    if (A.Base->K != Var::Memory || A.Base->space() != AddressSpace::Private || A.Index.empty() ||
        (A.Base->Ty->K != Type::Array && A.Base->Ty->K != Type::Struct && !A.Base->Ty->isVector()))
      continue;
    // Prefer an unknown index over mere size, and the kernel's own text over called functions.
    auto Same = find_if(Found, [&](const auto &F) { return F.first->A->Base == A.Base; });
    bool Nearer = Same != Found.end() && Outside(Same->first->A->Range) && !Outside(A.Range);
    if (Same != Found.end() && Same->second != TooLarge && !Nearer)
      continue;
    std::string Why = whyUnknown(K, Site);
    // Elements of a constant table become immediate operands.
    std::optional<uint64_t> Size = sizeOfArray(C, A);
    bool IsTable = (!A.Base->Ints.empty() || !A.Base->Floats.empty()) && Size && *Size <= MaxBytes;
    if (Why.empty() && !IsTable && Size && *Size > MostInRegisters &&
        any_of(Site.Bytes.Terms, [](const auto &T) { return !T.first.empty(); }))
      Why = TooLarge.str();
    if (Why.empty() || (Same != Found.end() && Why == TooLarge && !Nearer) || isRare(C, Site.S))
      continue;
    if (Same == Found.end())
      Found.emplace_back(&Site, Why);
    else
      *Same = {&Site, Why};
  }
  for (const auto &[Site, Why] : Found) {
    std::optional<uint64_t> Size = sizeOfArray(C, *Site->A);
    // A function with an array parameter may be called with several arrays by several kernels.
    bool Elsewhere = Outside(Site->A->Range) && Site->A->Base->Range.isValid();
    Finding &F = C.report(Elsewhere ? Site->A->Base->Range : Site->A->Range,
                          (Site->A->Base->Ty->isVector() ? "the vector " : "the private array ") +
                              arrayOf(*Site->A) + " is indexed by " + Why);
    if (Elsewhere)
      F.note(Site->A->Range, "indexed here");
    else if (Site->A->Base->Range.isValid())
      F.note(Site->A->Base->Range, "declared here");
    // A compiler that unrolls all loops may need only a part of such an array at a time.
    bool MayUnroll = Why == TooLarge && Size && *Size <= MaxBytes;
    F.cost((Size ? "its " + utostr(*Size) + " bytes go" : "it goes") +
           " to memory instead of registers" +
           (MayUnroll ? ", unless the loops are unrolled and a part of it suffices" : ""));
    F.share(shareOfWork(C, *Site->A->Base));
    if (MayUnroll)
      F.atMost(rules::Severity::Info);
  }
}

CLMALI_KERNEL_CHECK("private-array", run);
