//===- array-of-structs.cpp
//--------------------------------------------------------------------===//
//
// Before: bodies[i].x          neighbours are sizeof(Body) apart
// After:  x[i]
// Limits: once for each buffer; information where the kernel touches every byte of the structure,
// or memory chooses which one.
//
//===------------------------------------------------------------------------------------------===//

#include "checks/query/Query.h"
#include "llvm/ADT/StringExtras.h"
#include <utility>
#include <vector>

using namespace llvm;
using namespace clmali;
using namespace clmali::checks;
using namespace clmali::model;

/// What one of A's indices chooses, and the path of fields that follows it.
struct Chosen {
  const Type *Ty = nullptr;       ///< null: not known
  SmallVector<StringRef, 4> Path; ///< "pos", "m[]"
};

/// Index 0 chooses an element of the buffer, each further one an element of an array in it:
/// cells[c].bodies[i].mass.
static Chosen chosenBy(const Access &A, unsigned Index) {
  Chosen Of;
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

/// Which bytes of what index \p From - 1 chooses A may touch: an index that is not known may be any
/// element of its array.
static std::pair<uint32_t, uint32_t> bytesOf(const Access &A, unsigned From) {
  uint32_t Begin = 0;
  Chosen Of = chosenBy(A, From - 1);
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
      std::optional<int64_t> Value = constantValue(stripCasts(A.Index[I]));
      if (!Value)
        return {Begin, Begin + uint32_t(Ty->Size)};
      Begin += *Value * A.Stride[I];
      Ty = Ty->Elem;
    }
  }
  return {Begin, Begin + widthInBytes(A)};
}

/// How far the structures of neighbouring work-items are apart.
struct Step {
  int64_t Bytes = 0;
  unsigned Index = 0; ///< which of the access' indices moves
  bool Rows = false;  ///< each has a row of structures, of which Bytes is one
};

/// The structure that a work-item of dimension Dim takes where its neighbour takes another one, of
/// at least \p Least bytes.
static std::optional<Step> stepOf(const KernelAnalysis &K, const AccessSite &Site, unsigned Dim,
                                  int64_t Least) {
  const Access &A = *Site.A;
  std::optional<unsigned> Moved;
  for (unsigned I = 0; I < A.Index.size(); ++I)
    if (K.varies(A.Index[I], Site.S).Item & (1u << Dim)) {
      if (Moved)
        return std::nullopt;
      Moved = I;
    }
  Chosen Of = Moved ? chosenBy(A, *Moved) : Chosen();
  if (!Of.Ty || Of.Ty->K != Type::Struct || Of.Path.empty() || int64_t(Of.Ty->Size) < Least)
    return std::nullopt;
  if (std::optional<int64_t> Stride = dominantStride(K, Site, Dim))
    return std::abs(*Stride) >= Least ? std::optional(Step{std::abs(*Stride), *Moved, false})
                                      : std::nullopt;
  // bodies[id * n + k]
  std::optional<Poly> Stride = K.stride(A, Dim);
  if (!Stride || !isAlike(K, *Stride))
    return std::nullopt;
  return Step{int64_t(Of.Ty->Size), *Moved, true};
}

/// p[j].mass, for each j: the same structures for all neighbours, where Own is a work-item's own.
static bool isOfOthers(const KernelAnalysis &K, const AccessSite &Site, const AccessSite &Own) {
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
    unsigned Index = 0; ///< which of the indices says whose structure it is
    bool Rows = false;
    bool Unknown = false;  ///< what is used of it
    bool Swept = false;    ///< an array in it, of which any element may be
    bool Narrow = false;   ///< by accesses that could be wider
    bool Gathered = false; ///< memory says which ones: Stride is what a structure takes
    std::vector<const AccessSite *> Sites;
    std::vector<std::pair<uint32_t, uint32_t>> Parts; ///< bytes of the structure: from, to
  };
  std::map<const Var *, Use> Uses;
  for (const AccessSite &Site : K.accesses()) {
    const Access &A = *Site.A;
    if ((A.Base->space() != AddressSpace::Global &&
         !(A.Base->space() == AddressSpace::Constant && A.Base->isPointerParam())) ||
        A.Path.empty())
      continue;
    Use &U = Uses[A.Base];
    U.Sites.push_back(&Site);
    for (unsigned Dim = 0; Dim < 3; ++Dim) {
      std::optional<Step> By = stepOf(K, Site, Dim, C.option("MinStride"));
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
  // Which of the buffer's elements; not by a loop alone, whose rounds all go through.
  auto IsItems = [&](const AccessSite &Site) {
    const Expr *Of = Site.A->Index.empty() ? nullptr : Site.A->Index.front();
    return Of && any_of(K.poly(Of, Site.S).Terms, [&](const auto &Term) {
             return any_of(Term.first, [&](unsigned S) {
               const SymbolInfo &Info = K.symbol(S);
               return Info.K == SymbolInfo::Atom && Info.Varies.Item;
             });
           });
  };
  // particles[edge.first].pos: each work-item has a structure of its own all the same.
  for (auto &[Base, U] : Uses)
    if (const Type *Elem = Base->isPointerParam() ? Base->Ty->Elem : nullptr;
        !U.First && Elem && Elem->K == Type::Struct && int64_t(Elem->Size) >= C.option("MinStride"))
      for (const AccessSite *Site : U.Sites)
        if (!isRegular(K, *Site) && IsItems(*Site) && !isPinned(K, *Site, 0) &&
            (!U.First || isEarlier(K.kernel(), Site->A->Range, U.First->A->Range))) {
          U.First = Site;
          U.Stride = Elem->Size;
          U.Gathered = true;
        }
  std::vector<const Use *> Order;
  for (auto &[Base, U] : Uses)
    for (const AccessSite *Site : U.Sites) {
      // What a loop reads of all structures, one after another, is not what a work-item uses of its
      // own.
      if (U.First && isOfOthers(K, *Site, *U.First))
        continue;
      // cells[c].n beside cells[c].bodies[i].mass is of no body.
      if (U.First && U.Index >= Site->A->Index.size())
        continue;
      auto [From, To] = bytesOf(*Site->A, U.Index + 1);
      U.Unknown |= From == To;
      U.Swept |= To - From > widthInBytes(*Site->A);
      U.Narrow |= widthInBytes(*Site->A) * 8 < C.device().IdealAccessBits;
      U.Parts.push_back({From, To});
    }
  auto IsWhole = [](const Use &U) { return covered(U.Parts) >= U.Stride; };
  for (const auto &[Base, U] : Uses) {
    if (!U.First || U.Unknown)
      continue;
    // The bytes are there for something, but no access takes the same field of several.
    // A structure that is larger than a cache line shares none with its neighbours, whatever is
    // read of it.
    bool Tell =
        !IsWhole(U) || (U.Narrow && (!U.Swept || U.Stride > int64_t(C.device().CacheLineBytes)));
    if (Tell)
      Order.push_back(&U);
  }
  llvm::sort(Order, [&](const Use *A, const Use *B) {
    return isEarlier(K.kernel(), A->First->A->Range, B->First->A->Range);
  });
  for (const Use *U : Order) {
    Finding &F = C.report(U->First->A->Range,
                          nameOf(*U->First->A) + " of neighbouring work-items is " +
                              (U->Gathered ? std::string("in a structure that memory chooses")
                               : U->Rows   ? std::string("a row of structures apart")
                                           : itostr(U->Stride) + " bytes apart"));
    F.cost(IsWhole(*U)
               ? "all of each structure is used, but no access takes the same field of several"
               : itostr(covered(U->Parts)) + " of the " + itostr(U->Stride) +
                     " bytes of each structure are used");
    if (U->Gathered || IsWhole(*U))
      F.atMost(rules::Severity::Info);
  }
}

CLMALI_KERNEL_CHECK("array-of-structs", run);
