//===-- checks/model/pattern/ImageBorder.h - Tests of texel coordinates -*- C++ -*-===//
//
// Conditions that ask whether a texel lies inside its image, and coordinates that are kept inside:
//
//   x >= 0 && x < w && a > 0           tests of x, with w the width; a > 0 is another condition
//   (uint)x < (uint)w                  a test of both sides of x
//   clamp(x, 0, w - 1)                 x, kept inside on both sides
//
// Pass: use-address-mode.
//
//===----------------------------------------------------------------------===//
#ifndef CLMALI_CHECKS_MODEL_PATTERN_IMAGEBORDER_H
#define CLMALI_CHECKS_MODEL_PATTERN_IMAGEBORDER_H

#include "checks/model/analysis/Analysis.h"
#include "checks/model/launch/LaunchFacts.h"
#include <set>

namespace clmali::model::pattern {

/// Sides of an image: bit d for dimension d.
struct ImageSides {
  uint8_t Low = 0, High = 0;
  bool any() const { return Low || High; }
  ImageSides &operator|=(const ImageSides &O) {
    Low |= O.Low;
    High |= O.High;
    return *this;
  }
};

/// A condition that must hold, or must not.
struct Conjunct {
  const Expr *E;
  bool Holds;
};
/// What must be so where E holds, or does not: E taken apart at && and ||.
llvm::SmallVector<Conjunct, 4> conjunctsOf(const Expr *E, bool Holds);

/// The width, height or depth of Image, as an expression.
const Expr *extentOf(Module &M, Var *Image, unsigned D);

/// The coordinates of a texel: scalars of int. The layer of an array is none of them: a sampler
/// always keeps it inside.
class TexelCoordinates {
public:
  /// Of Image, which At reads or writes at these Coordinates.
  static std::optional<TexelCoordinates> of(Module &M, const KernelAnalysis &A, Var *Image,
                                            const Expr *Coordinates, const Stmt *At,
                                            const LaunchFacts &Launch);
  /// Of Read, an ImageRead in At; nothing: coordinates that are no integers, or have no components.
  /// What the launches say of extents may be used: see assumed().
  static std::optional<TexelCoordinates> of(Module &M, const KernelAnalysis &A, const Expr *Read,
                                            const Stmt *At, const LaunchFacts &Launch);

  /// What the answers so far are true for, as conditions of a manifest.
  const std::set<std::string> &assumed() const { return *Assumed; }

  unsigned size() const { return Parts.size(); }
  const Expr *operator[](unsigned D) const { return Parts[D]; }
  /// All sides of all coordinates.
  ImageSides allSides() const;
  /// The sides on which the values of the coordinates cannot leave the image.
  ImageSides inside() const;
  /// The sides on which C, evaluated at CondAt, asks for what every texel inside fulfils, and none
  /// outside on that side. None: it asks for something else.
  ImageSides testedBy(const Conjunct &C, const Stmt *CondAt) const;
  /// Coordinate D without what keeps it inside; Kept gets the sides. It may be used in place of
  /// the coordinate, in At.
  const Expr *unlimited(unsigned D, ImageSides &Kept) const;
  /// V of a coordinate D that is V where the texel at V is inside, as far as the choice asks, and a
  /// negative number elsewhere. Null: it is no such choice, or V may not be used in At.
  const Expr *chosenInside(unsigned D) const;
  /// The same texel at other coordinates.
  TexelCoordinates with(unsigned D, const Expr *Part) const;

private:
  TexelCoordinates(const KernelAnalysis &A, const Stmt *At) : A(&A), At(At) {}
  /// What an expression or the one definition of a variable computes, and where.
  struct Definition {
    const Expr *E;
    const Stmt *At;
  };
  /// A value that is kept inside on some sides.
  struct Limit {
    const Expr *Value;
    ImageSides Side;
    std::optional<Conjunct> If; ///< the value is chosen where this is so, else the texel there
  };
  std::optional<Limit> limitOf(const Definition &X, unsigned D) const;
  Definition definitionOf(const Expr *E, const Stmt *Where) const;
  bool isLast(unsigned D, const Poly &P) const;

  const KernelAnalysis *A;
  const Stmt *At;
  llvm::SmallVector<const Expr *, 3> Parts;
  llvm::SmallVector<Poly, 3> Polys;
  /// What is an extent under a condition; none: the image's own.
  struct Extent {
    Poly P;
    std::string Condition;
  };
  llvm::SmallVector<llvm::SmallVector<Extent, 2>, 3> Extents;
  std::shared_ptr<std::set<std::string>> Assumed = std::make_shared<std::set<std::string>>();
};

} // namespace clmali::model::pattern
#endif
