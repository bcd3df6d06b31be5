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

Var *KnownLoads::find(const KnownTexel &T) const {
  for (const KnownTexel &X : Texels)
    if (X.Read->Image == T.Read->Image && X.Read->Sampler == T.Read->Sampler &&
        X.Read->Name == T.Read->Name && X.Read->Ty == T.Read->Ty && X.At == T.At)
      return X.V;
  return nullptr;
}

/// True if a symbol of Address contains an expression of the kind Which.
bool KnownLoads::addressUses(const Poly &Address,
                             llvm::function_ref<bool(const Expr *)> Which) const {
  for (const auto &[Mono, C] : Address.Terms)
    for (unsigned Sym : Mono)
      if (llvm::any_of(exprs(Polys.symbol(Sym)), [&](ExprAt X) { return Which(X.E); }))
        return true;
  return false;
}

bool KnownLoads::addressUses(const KnownTexel &T,
                             llvm::function_ref<bool(const Expr *)> Which) const {
  return llvm::any_of(T.At, [&](const Poly &P) { return addressUses(P, Which); });
}

void KnownLoads::stored(const Var *Base, const Poly &Address, unsigned Bytes) {
  auto IsLoad = [](const Expr *E) { return E->K == ExprKind::Load; };
  llvm::erase_if(Texels, [&](const KnownTexel &T) { return addressUses(T, IsLoad); });
  llvm::erase_if(Loads, [&](const KnownLoad &L) {
    if (addressUses(L.Address, IsLoad))
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
  auto IsV = [&](const Expr *E) { return E->K == ExprKind::VarRef && E->V == V; };
  auto Uses = [&](const KnownLoad &L) { return addressUses(L.Address, IsV); };
  llvm::erase_if(Loads, Uses);
  llvm::erase_if(Texels, [&](const KnownTexel &T) { return addressUses(T, IsV); });
  llvm::erase_if(Guarded, [&](const GuardedLoad &G) { return Uses(G.Load); });
}

/// Now becomes what was known Before, as far as it still is.
template <typename T> static void keep(std::vector<T> &Before, std::vector<T> &Now) {
  llvm::erase_if(Before, [&](const T &L) {
    return llvm::none_of(Now, [&](const T &X) { return X.V == L.V; });
  });
  Now = std::move(Before);
}

void KnownLoads::restore(Snapshot Saved) {
  keep(Saved.Loads, Loads);
  keep(Saved.Texels, Texels);
}

} // namespace clmali::rewrite
