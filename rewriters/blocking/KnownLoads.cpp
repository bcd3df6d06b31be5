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

Var *KnownLoads::find(const KnownGather &G) const {
  for (const KnownGather &X : Gathers)
    if (X.Base == G.Base && X.Ty == G.Ty && X.At == G.At)
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
  auto MayChange = [&](const Var *Of, const Poly &At, int64_t Size) {
    if (addressUses(At, IsLoad))
      return true;
    bool BaseLocal = Base->space() == AddressSpace::Local;
    if (BaseLocal != (Of->space() == AddressSpace::Local) || Of->space() == AddressSpace::Constant)
      return false;
    if (Of != Base && (Base->K == Var::Memory || Of->K == Var::Memory))
      return false;
    bool Disjoint = pattern::neverOverlap(At - Address, Bytes, Size);
    NoOverlap |= Disjoint && Of != Base;
    return !Disjoint;
  };
  llvm::erase_if(Loads, [&](const KnownLoad &L) {
    return MayChange(L.Base, L.Address, int64_t(sizeInBytes(L.Ty->Scalar)) * L.Ty->Lanes);
  });
  llvm::erase_if(Gathers, [&](const KnownGather &G) {
    return llvm::any_of(
        G.At, [&](const Poly &At) { return MayChange(G.Base, At, sizeInBytes(G.Ty->Scalar)); });
  });
}

void KnownLoads::assigned(const Var *V) {
  auto IsV = [&](const Expr *E) { return E->K == ExprKind::VarRef && E->V == V; };
  auto Uses = [&](const KnownLoad &L) { return addressUses(L.Address, IsV); };
  llvm::erase_if(Loads, Uses);
  llvm::erase_if(Texels, [&](const KnownTexel &T) { return addressUses(T, IsV); });
  llvm::erase_if(Gathers, [&](const KnownGather &G) {
    return G.V == V || llvm::any_of(G.At, [&](const Poly &At) { return addressUses(At, IsV); });
  });
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
  keep(Saved.Gathers, Gathers);
}

} // namespace clmali::rewrite
