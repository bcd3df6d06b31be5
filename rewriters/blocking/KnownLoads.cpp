//===-- rewriters/blocking/KnownLoads.cpp - Loads that need not be repeated ---===//

#include "rewriters/blocking/KnownLoads.h"
#include "checks/model/ir/Traversal.h"
#include "checks/model/pattern/LoadGroups.h"
#include "llvm/ADT/STLExtras.h"

namespace clmali::rewrite {

using namespace model;

static bool isLoadOf(const KnownLoad &L, const Var *Base, const Poly &Address, const Type *Ty) {
  return L.Base == Base && L.Ty == Ty && L.Address == Address;
}

Var *KnownLoads::find(const Var *Base, const Poly &Address, const Type *Ty) const {
  for (const KnownLoad &L : Loads)
    if (isLoadOf(L, Base, Address, Ty))
      return L.V;
  return nullptr;
}

const KnownLoad *KnownLoads::findGuarded(const Var *Base, const Poly &Address, const Type *Ty,
                                         unsigned Row) const {
  for (const GuardedLoad &G : Guarded)
    if (G.Row == Row && isLoadOf(G.Load, Base, Address, Ty))
      return &G.Load;
  return nullptr;
}

void KnownLoads::leaveGuard(unsigned Depth) {
  llvm::erase_if(Guarded, [&](const GuardedLoad &G) { return G.Depth >= Depth; });
}

/// True if a symbol of L's address contains an expression of the kind Which.
bool KnownLoads::addressUses(const KnownLoad &L,
                             llvm::function_ref<bool(const Expr *)> Which) const {
  for (const auto &[Mono, C] : L.Address.Terms)
    for (unsigned Sym : Mono)
      if (llvm::any_of(exprs(Polys.symbol(Sym)), [&](ExprAt X) { return Which(X.E); }))
        return true;
  return false;
}

void KnownLoads::stored(const Var *Base, const Poly &Address, unsigned Bytes) {
  llvm::erase_if(Loads, [&](const KnownLoad &L) {
    if (addressUses(L, [](const Expr *E) { return E->K == ExprKind::Load; }))
      return true;
    bool BaseLocal = Base->space() == AddressSpace::Local;
    if (BaseLocal != (L.Base->space() == AddressSpace::Local) ||
        L.Base->space() == AddressSpace::Constant)
      return false;
    if (L.Base != Base && (Base->K == Var::Memory || L.Base->K == Var::Memory))
      return false;
    bool Disjoint = pattern::neverOverlap(L.Address - Address, Bytes,
                                          int64_t(sizeInBytes(L.Ty->Scalar)) * L.Ty->Lanes);
    NoOverlap |= Disjoint && L.Base != Base;
    return !Disjoint;
  });
}

void KnownLoads::assigned(const Var *V) {
  auto Uses = [&](const KnownLoad &L) {
    return addressUses(L, [&](const Expr *E) { return E->K == ExprKind::VarRef && E->V == V; });
  };
  llvm::erase_if(Loads, Uses);
  llvm::erase_if(Guarded, [&](const GuardedLoad &G) { return Uses(G.Load); });
}

void KnownLoads::restore(std::vector<KnownLoad> Saved) {
  llvm::erase_if(Saved, [&](const KnownLoad &L) {
    return llvm::none_of(Loads, [&](const KnownLoad &X) { return X.V == L.V; });
  });
  Loads = std::move(Saved);
}

} // namespace clmali::rewrite
