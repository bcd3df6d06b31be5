//===- Contiguity.cpp --------------------------------------------------------------------------===//

#include "checks/Contiguity.h"
#include "checks/Query.h"
#include "llvm/ADT/STLExtras.h"
#include <set>

using namespace llvm;
using namespace clmali;
using namespace clmali::checks;
using namespace clmali::model;

/// More elements than this for one work-item are a block of its own, no pixel.
static constexpr int64_t MaxComponents = 16;

namespace {
/// Accesses of one work-item whose addresses differ by constants.
struct Cluster {
  const AccessSite *Leader;
  std::vector<std::pair<const AccessSite *, int64_t>> Members; ///< with their distance in bytes
};
} // namespace

/// An element of the buffer, or one component of a vector in it (out[i].x = ..); no field of a structure.
static bool isElement(const Access &A) {
  if (A.Path.empty())
    return true;
  StringRef P = A.Path;
  return A.Base->isPointerParam() && A.Base->Ty->Elem && A.Base->Ty->Elem->isVector() && P.starts_with(".") &&
         !P.contains('[') && !P.drop_front().contains('.');
}

/// The residues of a cluster modulo the stride cover every element: no byte is left out.
static bool covers(const Cluster &C, int64_t Stride, int64_t Element) {
  if (Stride < 0)
    Stride = -Stride;
  if (Stride == 0 || Stride % Element || Stride / Element > MaxComponents)
    return false;
  std::set<int64_t> Residues;
  for (const auto &[Site, Distance] : C.Members)
    Residues.insert(((Distance % Stride) + Stride) % Stride);
  if (*Residues.begin() % Element)
    return false;
  return static_cast<int64_t>(Residues.size()) == Stride / Element;
}

/// Of all element sizes.
static std::vector<ContiguousBuffer> find(const KernelAnalysis &K) {
  // Buffers that somebody vectorized already.
  std::set<const Var *> Vectorized;
  for (const AccessSite &A : K.accesses())
    if (A.A->Lanes > 1)
      Vectorized.insert(A.A->Base);

  std::map<const Var *, ContiguousBuffer> Found;
  for (unsigned Dim = 0; Dim < 3; ++Dim) {
    for (bool Write : {false, true}) {
      std::vector<Cluster> Clusters;
      for (const AccessSite &Site : K.accesses()) {
        const Access &A = *Site.A;
        if (A.Base->space() != AddressSpace::Global || A.Lanes != 1 || A.Volatile || Site.IsAtomic ||
            !isRegular(K, Site) || !isElement(A) || Vectorized.count(A.Base) ||
            // Who computes bytes of tensors knows the layout, and which dimension is whose.
            (A.F == Access::Cast && Dim > 0) ||
            (Write ? !Site.IsWrite : !Site.IsRead) || isPinned(K, Site, Dim))
          continue;
        std::optional<int64_t> Stride = constantStride(K, A, Dim);
        if (!Stride || *Stride == 0)
          continue;
        auto At = find_if(Clusters, [&](const Cluster &C) {
          return C.Leader->A->Base == A.Base && K.distance(*C.Leader->A, A) &&
                 constantStride(K, *C.Leader->A, Dim) == Stride;
        });
        if (At == Clusters.end()) {
          Clusters.push_back({&Site, {}});
          At = std::prev(Clusters.end());
        }
        At->Members.emplace_back(&Site, K.distance(*At->Leader->A, A).value_or(0));
      }
      for (const Cluster &C : Clusters) {
        int64_t Element = sizeInBytes(C.Leader->A->Elem);
        int64_t Stride = *constantStride(K, *C.Leader->A, Dim);
        if (!covers(C, Stride, Element))
          continue;
        ContiguousBuffer &B = Found[C.Leader->A->Base];
        if (B.First && B.Dim != Dim)
          continue; // the lowest dimension is the one that neighbours run along
        B.Dim = Dim;
        B.Count += C.Members.size();
        B.ForEach = std::max<unsigned>(B.ForEach, std::abs(Stride) / Element);
        (Write ? B.Written : B.Read) = true;
        for (const auto &[Site, Distance] : C.Members)
          if (!B.First || Site->A->Range.Begin < B.First->A->Range.Begin)
            B.First = Site;
      }
    }
  }
  std::vector<ContiguousBuffer> Result;
  for (auto &[Base, B] : Found)
    if (B.First)
      Result.push_back(B);
  // The map is sorted by address; reports are not to depend on it.
  llvm::sort(Result, [](const ContiguousBuffer &A, const ContiguousBuffer &B) {
    return std::tie(A.First->A->Range.File, A.First->A->Range.Begin) <
           std::tie(B.First->A->Range.File, B.First->A->Range.Begin);
  });
  return Result;
}

std::vector<ContiguousBuffer> checks::contiguousScalars(Context &C, ArrayRef<unsigned> ElementBits) {
  using Buffers = std::vector<ContiguousBuffer>;
  Buffers Result;
  for (const ContiguousBuffer &B : C.once<Buffers>("contiguous", [&] { return find(C.analysis()); }))
    if (is_contained(ElementBits, sizeInBits(B.First->A->Elem)))
      Result.push_back(B);
  return Result;
}
