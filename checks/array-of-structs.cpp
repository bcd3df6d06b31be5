//===- array-of-structs.cpp ---------------------------------------------------------------===//
//
// Before: bodies[i].x          adjacent work-items access bytes that are sizeof(Body) apart
// After:  x[i]
// Limits: one finding for each buffer; information if the kernel accesses every byte of the
//         structure, or if the index of the structure is loaded from memory.
//
//===------------------------------------------------------------------------------------------===//

#include "checks/query/Query.h"
#include "checks/query/RareCode.h"
#include "llvm/ADT/StringExtras.h"
#include <utility>
#include <vector>

using namespace llvm;
using namespace clmali;
using namespace clmali::checks;
using namespace clmali::model;

/// The object that one index of an access selects, and the fields that the access names in it.
struct Subobject {
  const Type *Ty = nullptr;       ///< of the object; null: unknown
  SmallVector<StringRef, 4> Path; ///< "pos", "m[]"
};

/// The object that index \p Index of A selects. Index 0 selects an element of the buffer, each
/// further index an element of an array in it: cells[c].bodies[i].mass.
static Subobject subobjectAt(const Access &A, unsigned Index) {
  Subobject Of;
  Of.Ty = A.Base->Ty->Elem;
  StringRef(A.Path).split(Of.Path, '.', -1, /*KeepEmpty=*/false);
  while (Index > 0 && Of.Ty && !Of.Path.empty()) {
    StringRef Part = Of.Path.front();
    const model::Field *Field = fieldOf(Of.Ty, Part);
    Of.Path.erase(Of.Path.begin());
    Of.Ty = Field ? Field->Ty : nullptr;
    for (unsigned Brackets = Part.count('['); Brackets > 0 && Of.Ty; --Brackets, Index -= Index > 0)
      Of.Ty = Of.Ty->K == Type::Array ? Of.Ty->Elem : nullptr;
  }
  return Of;
}

/// The bytes that A may access in the object selected by index \p From - 1, as offsets [begin,
/// end); an empty range: unknown. Of an array that a loop walks, the elements in the range of the
/// index count; without a range, any element.
static std::pair<uint32_t, uint32_t> bytesOf(const KernelAnalysis &K, const AccessSite &Site,
                                             unsigned From) {
  const Access &A = *Site.A;
  uint32_t Begin = 0;
  Subobject Of = subobjectAt(A, From - 1);
  const Type *Ty = Of.Ty;
  unsigned I = From;
  for (StringRef Part : Of.Path) {
    const model::Field *Field = Ty ? fieldOf(Ty, Part) : nullptr;
    if (!Field && Ty && Ty->isVector())
      return {Begin, Begin + uint32_t(Ty->Size)}; // one of its components
    if (!Field)
      return {0, 0};
    Begin += Field->Offset;
    Ty = Field->Ty;
    for (unsigned Brackets = Part.count('['); Brackets > 0; --Brackets, ++I) {
      if (!Ty || Ty->K != Type::Array || I >= A.Index.size())
        return {0, 0};
      Range Of = K.range(A.Index[I], Site.S);
      int64_t Step = A.Stride[I], Last = Step ? int64_t(Ty->Size) / Step - 1 : 0;
      if (!Of.isConstant()) {
        int64_t Low = std::clamp<int64_t>(Of.Lo, 0, Last),
                High = std::clamp<int64_t>(Of.Hi, 0, Last);
        return {Begin + uint32_t(Low * Step), Begin + uint32_t((High + 1) * Step)};
      }
      if (Of.Lo < 0 || Of.Lo > Last) // beyond the array: it says nothing of what is used
        return {0, 0};
      Begin += Of.Lo * Step;
      Ty = Ty->Elem;
    }
  }
  return {Begin, Begin + widthInBytes(A)};
}

/// The distance of the structures that adjacent work-items access.
struct StructStride {
  int64_t Bytes = 0;
  unsigned Index = 0; ///< the index of the access that depends on the work-item
  bool Rows = false;  ///< each work-item has a row of structures; Bytes is the size of one
};

/// The distance in dimension Dim, if adjacent work-items access different structures of at least
/// \p Least bytes.
static std::optional<StructStride> structStrideOf(const KernelAnalysis &K, const AccessSite &Site,
                                                  unsigned Dim, int64_t Least) {
  const Access &A = *Site.A;
  std::optional<unsigned> Moved;
  for (unsigned I = 0; I < A.Index.size(); ++I)
    if (K.varies(A.Index[I], Site.S).Item & (1u << Dim)) {
      if (Moved)
        return std::nullopt;
      Moved = I;
    }
  Subobject Of = Moved ? subobjectAt(A, *Moved) : Subobject();
  if (!Of.Ty || Of.Ty->K != Type::Struct || Of.Path.empty() || int64_t(Of.Ty->Size) < Least)
    return std::nullopt;
  if (std::optional<int64_t> Stride = dominantStride(K, Site, Dim))
    return std::abs(*Stride) >= Least
               ? std::optional(StructStride{std::abs(*Stride), *Moved, false})
               : std::nullopt;
  // bodies[id * n + k]
  std::optional<Poly> Stride = K.stride(A, Dim);
  if (!Stride || !isAlike(K, *Stride))
    return std::nullopt;
  return StructStride{int64_t(Of.Ty->Size), *Moved, true};
}

/// True if a loop accesses the same structures for all work-items (p[j].mass for each j), unlike
/// Own, which accesses one structure for each work-item.
static bool isSharedSweep(const KernelAnalysis &K, const AccessSite &Site, const AccessSite &Own) {
  if (!isRegular(K, Site) || (Site.Bytes - Own.Bytes).isConstant() ||
      constantStride(K, *Site.A, 0) != 0)
    return false;
  return any_of(Site.Bytes.Terms, [&](const auto &Term) {
    return any_of(Term.first, [&](unsigned S) {
      SymbolInfo::Kind Kind = K.symbol(S).K;
      return Kind == SymbolInfo::LoopVar || Kind == SymbolInfo::Iteration;
    });
  });
}

/// The number of bytes in the union of the ranges.
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

namespace {
/// The accesses of a kernel to one buffer of structures.
struct Use {
  const AccessSite *First = nullptr; ///< where the finding is reported; null: no finding
  int64_t Stride = 0;                ///< bytes between the structures of adjacent work-items
  unsigned Index = 0;                ///< the index that selects a work-item's structure
  bool Rows = false;                 ///< each work-item has a row of structures
  bool Unknown = false;              ///< the accessed bytes of some access are unknown
  bool Swept = false;                ///< some access may select any element of an array
  bool Narrow = false;               ///< some access is narrower than the ideal width
  bool Gathered = false;             ///< memory selects the structure: Stride is the size of one
  std::vector<const AccessSite *> Sites;
  std::vector<std::pair<uint32_t, uint32_t>> Parts; ///< accessed bytes of the structure

  bool isWhole() const { return covered(Parts) >= Stride; }
};
using Uses = std::map<const Var *, Use>;
} // namespace

/// The accesses to structures in global memory by buffer, with the first access of which adjacent
/// work-items access different structures.
static Uses collectUses(const KernelAnalysis &K, const Context &C) {
  Uses Result;
  for (const AccessSite &Site : K.accesses()) {
    const Access &A = *Site.A;
    if ((A.Base->space() != AddressSpace::Global &&
         !(A.Base->space() == AddressSpace::Constant && A.Base->isPointerParam())) ||
        A.Path.empty())
      continue;
    Use &U = Result[A.Base];
    U.Sites.push_back(&Site);
    for (unsigned Dim = 0; Dim < 3; ++Dim) {
      std::optional<StructStride> By = structStrideOf(K, Site, Dim, C.option("MinStride"));
      if (!By || isPinned(K, Site, Dim))
        continue;
      if (!U.First || isEarlier(K.kernel(), A.Range, U.First->A->Range)) {
        U.First = &Site;
        U.Stride = By->Bytes;
        U.Index = By->Index;
        U.Rows = By->Rows;
      }
      break;
    }
  }
  return Result;
}

/// True if a value of the work-item selects the buffer's element, and not loop counters alone.
static bool isSelectedByItem(const KernelAnalysis &K, const AccessSite &Site) {
  const Expr *Of = Site.A->Index.empty() ? nullptr : Site.A->Index.front();
  return Of && any_of(K.poly(Of, Site.S).Terms, [&](const auto &Term) {
           return any_of(Term.first, [&](unsigned S) {
             const SymbolInfo &Info = K.symbol(S);
             return Info.K == SymbolInfo::Atom && Info.Varies.Item;
           });
         });
}

/// particles[edge.first].pos: each work-item accesses a structure of its own here, too. Sets the
/// first access of buffers that have none yet.
static void addGathers(const KernelAnalysis &K, const Context &C, Uses &Buffers) {
  for (auto &[Base, U] : Buffers)
    if (const Type *Elem = Base->isPointerParam() ? Base->Ty->Elem : nullptr;
        !U.First && Elem && Elem->K == Type::Struct && int64_t(Elem->Size) >= C.option("MinStride"))
      for (const AccessSite *Site : U.Sites)
        if (!isRegular(K, *Site) && isSelectedByItem(K, *Site) && !isPinned(K, *Site, 0) &&
            (!U.First || isEarlier(K.kernel(), Site->A->Range, U.First->A->Range))) {
          U.First = Site;
          U.Stride = Elem->Size;
          U.Gathered = true;
        }
}

/// Collects the bytes of a work-item's structure that the kernel accesses.
static void addParts(const KernelAnalysis &K, const Context &C, Uses &Buffers) {
  for (auto &[Base, U] : Buffers)
    for (const AccessSite *Site : U.Sites) {
      // Accesses of a loop to all structures are not accesses to the work-item's own.
      if (U.First && isSharedSweep(K, *Site, *U.First))
        continue;
      // cells[c].n is no part of the structure in cells[c].bodies[i].mass.
      if (U.First && U.Index >= Site->A->Index.size())
        continue;
      auto [From, To] = bytesOf(K, *Site, U.Index + 1);
      U.Unknown |= From == To;
      U.Swept |= To - From > widthInBytes(*Site->A);
      U.Narrow |= widthInBytes(*Site->A) * 8 < C.device().IdealAccessBits;
      U.Parts.push_back({From, To});
    }
}

static void run(const Kernel &, Context &C) {
  const KernelAnalysis &K = C.analysis();
  Uses Buffers = collectUses(K, C);
  addGathers(K, C, Buffers);
  addParts(K, C, Buffers);
  std::vector<const Use *> Order;
  for (const auto &[Base, U] : Buffers) {
    if (!U.First || U.Unknown)
      continue;
    // If all bytes are used, separate arrays still allow wider accesses. Arrays in a structure are
    // accessed contiguously, unless it is larger than a cache line.
    if (!U.isWhole() || (U.Narrow && (!U.Swept || U.Stride > int64_t(C.device().CacheLineBytes))))
      Order.push_back(&U);
  }
  llvm::sort(Order, [&](const Use *A, const Use *B) {
    return isEarlier(K.kernel(), A->First->A->Range, B->First->A->Range);
  });
  for (const Use *U : Order) {
    Finding &F =
        C.report(U->First->A->Range,
                 nameOf(*U->First->A) + " of neighbouring work-items is " +
                     (U->Gathered ? std::string("in a structure that a loaded index selects")
                      : U->Rows   ? std::string("a row of structures apart")
                                  : itostr(U->Stride) + " bytes apart"));
    F.cost(U->isWhole()
               ? "all of each structure is used, but no access takes the same field of several"
               : itostr(covered(U->Parts)) + " of the " + itostr(U->Stride) +
                     " bytes of each structure are used");
    if (U->Gathered || U->isWhole())
      F.atMost(rules::Severity::Info);
    F.share(shareOfWork(C, U->Sites));
  }
}

CLMALI_KERNEL_CHECK("array-of-structs", run);
