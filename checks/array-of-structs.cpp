//===- array-of-structs.cpp --------------------------------------------------------------------===//
//
// Before: bodies[i].x          neighbours are sizeof(Body) apart
// After:  x[i]
// Limits: once for each buffer; information where the kernel touches every byte of the structure.
//
//===------------------------------------------------------------------------------------------===//

#include "checks/Query.h"
#include "llvm/ADT/StringExtras.h"
#include <utility>
#include <vector>

using namespace llvm;
using namespace clmali;
using namespace clmali::checks;
using namespace clmali::model;

/// Which bytes of its structure A may touch: an index that is not known may be any element of its array.
static std::pair<uint32_t, uint32_t> bytesOf(const Access &A) {
  uint32_t Begin = A.Disp;
  bool Known = true;
  for (size_t I = 1; I < A.Index.size(); ++I) {
    std::optional<int64_t> Value = constantValue(stripCasts(A.Index[I]));
    Known &= Value.has_value();
    Begin += Value.value_or(0) * A.Stride[I];
  }
  if (Known || !A.Base->Ty->Elem)
    return {Begin, Begin + widthInBytes(A)};
  const Type *Ty = A.Base->Ty->Elem;
  uint32_t Offset = 0;
  SmallVector<StringRef, 4> Parts;
  StringRef(A.Path).split(Parts, '.', -1, /*KeepEmpty=*/false);
  for (StringRef Part : Parts) {
    auto [Name, Brackets] = Part.split('[');
    auto Field = find_if(Ty->Fields, [&, Name = Name](const model::Field &F) { return F.Name == Name; });
    if (Ty->K != Type::Struct || Field == Ty->Fields.end())
      return {0, 0};
    Offset += Field->Offset;
    Ty = Field->Ty;
    if (Ty->K == Type::Array)
      return {Offset, Offset + uint32_t(Ty->Size)};
  }
  return {0, 0};
}

/// p[j].mass, for each j: the same structures for all neighbours, where Own is a work-item's own.
static bool isOfOthers(const KernelAnalysis &K, const AccessSite &Site, const AccessSite &Own) {
  if (!isRegular(K, Site) || (Site.Bytes - Own.Bytes).isConstant() || constantStride(K, *Site.A, 0) != 0)
    return false;
  return any_of(Site.Bytes.Terms, [&](const auto &Term) {
    return any_of(Term.first, [&](unsigned S) {
      SymbolInfo::Kind Kind = K.symbol(S).K;
      return Kind == SymbolInfo::LoopVar || Kind == SymbolInfo::Iteration;
    });
  });
}

/// How many bytes parts cover, which may overlap.
static int64_t covered(std::vector<std::pair<uint32_t, uint32_t>> Parts) {
  llvm::sort(Parts);
  int64_t Bytes = 0;
  uint32_t End = 0;
  for (auto [From, To] : Parts) {
    Bytes += std::max(To, End) - std::max(From, End);
    End = std::max(To, End);
  }
  return Bytes;
}

static void run(const Kernel &, Context &C) {
  const KernelAnalysis &K = C.analysis();
  struct Use {
    const AccessSite *First = nullptr;
    int64_t Stride = 0;
    bool Unknown = false; ///< what is used of it
    bool Swept = false;   ///< an array in it, of which any element may be
    bool Narrow = false;  ///< by accesses that could be wider
    bool Gathered = false; ///< memory says which ones: Stride is what a structure takes
    std::vector<const AccessSite *> Sites;
    std::vector<std::pair<uint32_t, uint32_t>> Parts; ///< bytes of the structure: from, to
  };
  std::map<const Var *, Use> Uses;
  for (const AccessSite &Site : K.accesses()) {
    const Access &A = *Site.A;
    if (A.Base->space() != AddressSpace::Global || A.Path.empty())
      continue;
    Use &U = Uses[A.Base];
    U.Sites.push_back(&Site);
    for (unsigned Dim = 0; Dim < 3; ++Dim) {
      std::optional<int64_t> Stride = constantStride(K, A, Dim);
      if (!Stride || std::abs(*Stride) < C.option("MinStride") || isPinned(K, Site, Dim))
        continue;
      if (!U.First || isEarlier(K.kernel(), A.Range, U.First->A->Range)) {
        U.First = &Site;
        U.Stride = std::abs(*Stride);
      }
      break;
    }
  }
  // particles[edge.first].pos: each work-item has a structure of its own all the same.
  for (auto &[Base, U] : Uses)
    if (const Type *Elem = Base->isPointerParam() ? Base->Ty->Elem : nullptr; !U.First && Elem && Elem->K == Type::Struct && int64_t(Elem->Size) >= C.option("MinStride"))
      for (const AccessSite *Site : U.Sites)
        if (!isRegular(K, *Site) && !isPinned(K, *Site, 0) && (!U.First || isEarlier(K.kernel(), Site->A->Range, U.First->A->Range))) {
          U.First = Site;
          U.Stride = Elem->Size;
          U.Gathered = true;
        }
  std::vector<const Use *> Order;
  for (auto &[Base, U] : Uses)
    for (const AccessSite *Site : U.Sites) {
      // What a loop reads of all structures, one after another, is not what a work-item uses of its own.
      if (U.First && isOfOthers(K, *Site, *U.First))
        continue;
      auto [From, To] = bytesOf(*Site->A);
      U.Unknown |= From == To;
      U.Swept |= To - From > widthInBytes(*Site->A);
      U.Narrow |= widthInBytes(*Site->A) * 8 < C.device().IdealAccessBits;
      U.Parts.push_back({From, To});
    }
  auto IsWhole = [](const Use &U) { return covered(U.Parts) >= U.Stride; };
  for (const auto &[Base, U] : Uses) {
    if (!U.First || U.Unknown)
      continue;
    // What memory chooses lies together best. Else the bytes are there for something, but no access takes the same field of several.
    bool Tell = U.Gathered ? covered(U.Parts) * 4 <= U.Stride : !IsWhole(U) || (U.Narrow && !U.Swept);
    if (Tell)
      Order.push_back(&U);
  }
  llvm::sort(Order, [&](const Use *A, const Use *B) {
    return isEarlier(K.kernel(), A->First->A->Range, B->First->A->Range);
  });
  for (const Use *U : Order) {
    Finding &F = C.report(U->First->A->Range,
                          nameOf(*U->First->A) + " of neighbouring work-items is " +
                              (U->Gathered ? std::string("in a structure that memory chooses") : itostr(U->Stride) + " bytes apart"));
    F.cost(IsWhole(*U) ? "all of each structure is used, but no access takes the same field of several"
                       : itostr(covered(U->Parts)) + " of the " + itostr(U->Stride) + " bytes of each structure are used");
    if (U->Gathered || IsWhole(*U))
      F.atMost(rules::Severity::Info);
  }
}

CLMALI_KERNEL_CHECK("array-of-structs", run);
