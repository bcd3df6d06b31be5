//===-- checks/model/pattern/AtomicUpdates.cpp - Atomics in any order ------------------===//

#include "checks/model/pattern/AtomicUpdates.h"

#include "llvm/ADT/StringSwitch.h"

namespace clmali::model::pattern {

std::optional<AtomicUpdate> atomicUpdate(const Stmt &S) {
  if (S.K != StmtKind::Atomic || S.V || isFloat(S.Acc.Elem))
    return std::nullopt;
  llvm::StringRef Name = S.Name;
  const llvm::StringRef Prefix = Name.starts_with("atomic_") ? "atomic_" : "atom_";
  Name.consume_front(Prefix);
  using Kind = std::optional<AtomicUpdate::Kind>;
  Kind K = llvm::StringSwitch<Kind>(Name)
               .Cases("add", "sub", "inc", "dec", AtomicUpdate::Sum)
               .Case("min", AtomicUpdate::Min)
               .Case("max", AtomicUpdate::Max)
               .Case("and", AtomicUpdate::And)
               .Case("or", AtomicUpdate::Or)
               .Case("xor", AtomicUpdate::Xor)
               .Default(std::nullopt);
  if (!K)
    return std::nullopt;
  return AtomicUpdate{*K, isSigned(S.Acc.Elem), Name == "sub" || Name == "dec",
                      S.Args.empty() ? nullptr : S.Args[0], Prefix};
}

} // namespace clmali::model::pattern
