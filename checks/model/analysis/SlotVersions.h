//===-- checks/model/analysis/SlotVersions.h - A version for each slot --*- C++ -*-===//
//
// A persistent map from slots (numbers below a fixed size) to versions: a tree whose nodes are
// shared. A copy takes constant time, a change logarithmic time, and a comparison time for the
// slots that differ. A kernel with many branches copies and compares its state at each of them.
//
//===----------------------------------------------------------------------===//

#ifndef CLMALI_CHECKS_MODEL_ANALYSIS_SLOTVERSIONS_H
#define CLMALI_CHECKS_MODEL_ANALYSIS_SLOTVERSIONS_H

#include "llvm/ADT/IntrusiveRefCntPtr.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <array>

namespace clmali::model {

class SlotVersions {
public:
  SlotVersions() = default; ///< empty
  /// Size slots, all with version 0.
  explicit SlotVersions(unsigned Size) : Size(Size), Root(new Node) {
    while (Size > Fanout << Shift)
      Shift += Bits;
  }
  bool empty() const { return !Root; }
  unsigned size() const { return Size; }
  void clear() { *this = SlotVersions(); }
  unsigned operator[](unsigned Slot) const;
  void set(unsigned Slot, unsigned Version);
  /// Calls Visit for each slot whose versions differ, in ascending order. Both have the same size.
  static void forEachDifference(const SlotVersions &A, const SlotVersions &B,
                                llvm::function_ref<void(unsigned)> Visit);

private:
  static constexpr unsigned Bits = 4, Fanout = 1u << Bits;
  struct Node;
  using Link = llvm::IntrusiveRefCntPtr<Node>;
  struct Node : llvm::RefCountedBase<Node> {
    std::array<Link, Fanout> Below;             ///< of an inner node; null: all versions are 0
    std::array<unsigned, Fanout> Versions = {}; ///< of a leaf
  };
  unsigned Size = 0, Shift = 0; ///< Shift: of the root's index
  Link Root;

  static void compare(const Node *A, const Node *B, unsigned Shift, unsigned First,
                      llvm::function_ref<void(unsigned)> Visit);
};

inline unsigned SlotVersions::operator[](unsigned Slot) const {
  const Node *N = Root.get();
  for (unsigned S = Shift; S && N; S -= Bits)
    N = N->Below[Slot >> S & (Fanout - 1)].get();
  return N ? N->Versions[Slot & (Fanout - 1)] : 0;
}

inline void SlotVersions::set(unsigned Slot, unsigned Version) {
  Link *At = &Root;
  for (unsigned S = Shift;; S -= Bits) {
    if (!*At)
      *At = new Node;
    else if ((*At)->UseCount() > 1)
      *At = new Node(**At);
    if (!S)
      break;
    At = &(*At)->Below[Slot >> S & (Fanout - 1)];
  }
  (*At)->Versions[Slot & (Fanout - 1)] = Version;
}

inline void SlotVersions::compare(const Node *A, const Node *B, unsigned Shift, unsigned First,
                                  llvm::function_ref<void(unsigned)> Visit) {
  if (A == B)
    return;
  for (unsigned I = 0; I < Fanout; ++I) {
    unsigned Slot = First + (I << Shift);
    if (Shift)
      compare(A ? A->Below[I].get() : nullptr, B ? B->Below[I].get() : nullptr, Shift - Bits, Slot,
              Visit);
    else if ((A ? A->Versions[I] : 0) != (B ? B->Versions[I] : 0))
      Visit(Slot);
  }
}

inline void SlotVersions::forEachDifference(const SlotVersions &A, const SlotVersions &B,
                                            llvm::function_ref<void(unsigned)> Visit) {
  compare(A.Root.get(), B.Root.get(), A.Shift, 0, Visit);
}

} // namespace clmali::model

#endif // CLMALI_CHECKS_MODEL_ANALYSIS_SLOTVERSIONS_H
