//===-- rewriters/blocking/KnownLoads.h - Loads that need not be repeated -*- C++ -*-===//
//
// What the new kernel has loaded so far, and in which variable it holds it. Stores and assignments
// remove what they may change.
//
//===----------------------------------------------------------------------===//
#ifndef CLMALI_REWRITERS_BLOCKING_KNOWNLOADS_H
#define CLMALI_REWRITERS_BLOCKING_KNOWNLOADS_H

#include "rewriters/lanes/Polynomials.h"

namespace clmali::rewrite {

struct KnownLoad {
  model::Var *Base;
  model::Poly Address;
  const model::Type *Ty;
  model::Var *V; ///< holds the value
};

/// A read of an image that the kernel does not write.
struct KnownTexel {
  const model::Expr *Read;
  llvm::SmallVector<model::Poly, 4> At; ///< its coordinates
  model::Var *V;                        ///< holds the texel
};

/// A vector whose lanes are loaded one by one.
struct KnownGather {
  model::Var *Base;
  std::vector<model::Poly> At; ///< the addresses of the lanes
  const model::Type *Ty;       ///< of the vector
  model::Var *V;               ///< holds the vector
};

class KnownLoads {
public:
  explicit KnownLoads(const Polynomials &Polys) : Polys(Polys) {}

  llvm::ArrayRef<KnownLoad> all() const { return Loads; }
  /// The variable that holds a load of type Ty from Base at Address; null: there is none.
  model::Var *find(const model::Var *Base, const model::Poly &Address, const model::Type *Ty) const;
  void add(KnownLoad L) { Loads.push_back(std::move(L)); }
  /// The variable that holds the texel of T's image, by the same sampler; null: there is none.
  model::Var *find(const KnownTexel &T) const;
  void add(KnownTexel T) { Texels.push_back(std::move(T)); }
  /// The variable that holds G's lanes; null: there is none.
  model::Var *find(const KnownGather &G) const;
  void add(KnownGather G) { Gathers.push_back(std::move(G)); }
  /// Memory may have changed; texels stay.
  void clear() {
    Loads.clear();
    Gathers.clear();
  }

  /// A store of Bytes bytes to Base at Address. Other buffers may be Base itself (in place); that
  /// they do not overlap it by a shift is an assumption (assumedNoOverlap).
  void stored(const model::Var *Base, const model::Poly &Address, unsigned Bytes);
  void assigned(const model::Var *V);
  bool assumedNoOverlap() const { return NoOverlap; }
  void setAssumedNoOverlap(bool Assumed) { NoOverlap = Assumed; }

  struct Snapshot {
    std::vector<KnownLoad> Loads;
    std::vector<KnownTexel> Texels;
    std::vector<KnownGather> Gathers;
  };
  /// Loads as they are now, and back to those of them that are still valid.
  Snapshot save() const { return {Loads, Texels, Gathers}; }
  void restore(Snapshot Saved);

  /// Loads under the mask of a row, with the number of branches around them. Another row may have
  /// other active lanes, so its loads do not serve this one. A deeper branch has fewer of them, so
  /// its loads do not serve the code around it.
  const KnownLoad *findGuarded(const model::Var *Base, const model::Poly &Address,
                               const model::Type *Ty, unsigned Row) const;
  void addGuarded(KnownLoad L, unsigned Row, unsigned Depth) {
    Guarded.push_back({std::move(L), Row, Depth});
  }
  void leaveGuard(unsigned Depth);
  void clearGuarded() { Guarded.clear(); }

private:
  struct GuardedLoad {
    KnownLoad Load;
    unsigned Row, Depth;
  };
  bool addressUses(const model::Poly &Address,
                   llvm::function_ref<bool(const model::Expr *)> Which) const;
  bool addressUses(const KnownTexel &T, llvm::function_ref<bool(const model::Expr *)> Which) const;

  const Polynomials &Polys;
  std::vector<KnownLoad> Loads;
  std::vector<KnownTexel> Texels;
  std::vector<KnownGather> Gathers;
  std::vector<GuardedLoad> Guarded;
  bool NoOverlap = false;
};

} // namespace clmali::rewrite
#endif
