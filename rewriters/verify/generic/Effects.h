// What work-items do to buffers: stores by address, in units of a buffer's granule, with the
// condition and the value of each; and every address that they touch.
#ifndef CLMALI_REWRITERS_VERIFY_GENERIC_EFFECTS_H
#define CLMALI_REWRITERS_VERIFY_GENERIC_EFFECTS_H

#include "rewriters/verify/symbolic/Machine.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"

#include <optional>
#include <string>
#include <vector>

namespace clmali::verify::generic {

using symbolic::OpenAccess;
using symbolic::Term;
using symbolic::TermStore;

/// A unit of a buffer, by the term of its address.
using Unit = std::pair<unsigned, Term>;

struct Stored {
  Term Written = 0; ///< one bit
  /// A value that a store leaves there, where it is the last store.
  struct Case {
    Term Last = 0; ///< one bit
    Term Value = 0;
  };
  llvm::SmallVector<Case, 2> Cases;
  /// The stores, in order.
  struct Store {
    unsigned Item = 0, Group = 0, Phase = 0; ///< see Effects::add() and OpenAccess
    Term Guard = 0, Value = 0;
  };
  llvm::SmallVector<Store, 1> Stores;
  unsigned First = 0, Last = 0; ///< numbers of the stores
  bool InLoop = false;
  bool Mixed = false; ///< stores of several loops, or in and outside of loops
  llvm::SmallVector<unsigned, 2> Loops;

  /// The work-item that stores; nothing where there are several.
  std::optional<unsigned> item() const {
    const unsigned One = Stores.front().Item;
    if (llvm::any_of(Stores, [&](const Store &S) { return S.Item != One; }))
      return std::nullopt;
    return One;
  }
  /// True if one of the stores comes first in every run.
  static bool areOrdered(const Store &A, const Store &B) {
    return A.Item == B.Item || (A.Group == B.Group && A.Phase != B.Phase);
  }
  bool isUndefined(const TermStore &T) const {
    return llvm::all_of(Cases, [&](const Case &C) { return T.isUndef(C.Value); });
  }
};

/// An atomic update; units of its buffer are as wide as it.
struct Update {
  Unit At;
  symbolic::UpdateKind Kind = symbolic::UpdateKind::None;
  unsigned Bytes = 0;
  Term Guard = 0, Operand = 0;
  llvm::SmallVector<Term, 8> Path; ///< the parts of Guard, as OpenAccess has them
  Term OfData = 0;                 ///< Guard may be split in two: the parts that read buffers
};

class Effects {
public:
  Effects(TermStore &T, llvm::ArrayRef<unsigned> Granules) : T(&T), Granules(Granules) {}
  /// Adds the accesses of work-items after those that are there. \p FirstItem: the number of the
  /// first one; those of one machine are a group.
  void add(llvm::ArrayRef<OpenAccess> Accesses, unsigned FirstItem);

  /// Adds the loads of another iteration: those here with the terms of \p Map replaced, where
  /// \p Condition is 1.
  void addStep(Term Condition, const llvm::DenseMap<Term, Term> &Map);

  /// What is stored at \p From is now listed at \p To, where nothing was.
  void rename(Unit From, Unit To);

  llvm::MapVector<Unit, Stored> Stores;
  std::vector<Update> Updates;
  /// Under which condition an address is accessed, stores included.
  llvm::MapVector<Unit, Term> Touched;
  /// The same for loads.
  llvm::MapVector<Unit, Term> Loaded;
  /// The work-items that load a unit, with the conditions.
  llvm::MapVector<Unit, llvm::SmallVector<std::pair<unsigned, Term>, 2>> Readers;
  /// True if an access to the buffer is in an inductive loop.
  bool inLoop(unsigned Buffer) const { return InLoop.contains(Buffer); }
  bool writes(unsigned Buffer) const;
  bool loads(unsigned Buffer) const;

private:
  Term guardOf(const OpenAccess &A);
  void addStore(Unit At, const OpenAccess &A, unsigned Part, Term Guard, unsigned Item);
  unsigned Group = 0; ///< of the accesses that are added

  TermStore *T;
  llvm::ArrayRef<unsigned> Granules;
  llvm::DenseSet<unsigned> InLoop;
  unsigned Count = 0;
};

} // namespace clmali::verify::generic

#endif
