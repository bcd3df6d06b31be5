// OpenCL's built-in functions over terms.
//
// Integer built-ins, conversions between integers, vloadN and vstoreN, relational
// and bit functions are computed exactly. Floating-point functions are
// uninterpreted. Those that are exact, or rounded the same way in every form
// (floor, fmin, fma, sqrt ...), are one function for scalars and vectors. All
// others (exp, sin, pow ...) are another function for each vector length, since
// devices may round them differently.
//
// Images: see images/Images.h.
//
// Limits: no functions that return through a pointer (sincos, fract ...), no
// atomics whose old value is used, no pipes, sub-groups, printf.
#ifndef CLMALI_REWRITERS_VERIFY_SYMBOLIC_BUILTINS_H
#define CLMALI_REWRITERS_VERIFY_SYMBOLIC_BUILTINS_H

#include "rewriters/verify/symbolic/Machine.h"

namespace clmali::verify::symbolic {

/// A scalar or vector type as a demangled name spells it, or a pointer to one.
struct SpelledType {
  bool Pointer = false, Float = false, Signed = true;
  unsigned Bits = 0; ///< 0: no number
  unsigned Count = 1;
  unsigned bytes() const { return Bits / 8 * (Count == 3 ? 4 : Count); }
};

/// The name and the argument types of a built-in.
struct Signature {
  std::string Name;
  llvm::SmallVector<SpelledType, 4> Args;
};

/// One call of a built-in function by one work-item.
class Builtins {
public:
  Builtins(Machine &M, Item &W, const llvm::CallInst &C, Signature S)
      : M(M), T(M.T), W(W), C(C), S(std::move(S)), Name(this->S.Name) {
    for (const llvm::Use &U : C.args())
      Args.push_back(M.get(W.Frames.back(), U.get()));
    if (!C.getType()->isVoidTy()) {
      llvm::ArrayRef<Part> Parts = M.partsOf(C.getType());
      Count = unsigned(Parts.size());
      if (Count)
        Bits = Parts.front().Bits;
    }
  }

  /// Computes the call; false where the machine stopped.
  bool run() {
    if (M.failed())
      return false;
    if (images() || workItem() || synchronisation() || memory() || atomics() || conversion() ||
        integers() || relations() || floats() || M.failed())
      return !M.failed();
    M.fail("the built-in function " + Name);
    return false;
  }

private:
  void result(llvm::ArrayRef<Lane> L) { M.set(W.Frames.back(), &C, L); }
  void resultTerms(llvm::ArrayRef<Term> Terms) {
    Lanes L;
    for (Term X : Terms)
      L.push_back({X, NoObject});
    result(L);
  }
  Term arg(unsigned A, unsigned Lane) const { return Args[A][Args[A].size() == 1 ? 0 : Lane].T; }
  /// Applies \p F to each lane of the result.
  template <typename Function> bool each(Function F) {
    llvm::SmallVector<Term, 16> R;
    for (unsigned L = 0; L < Count && !M.failed(); ++L)
      R.push_back(F(L));
    if (!M.failed())
      resultTerms(R);
    return true;
  }
  bool isSigned(unsigned A) const { return A < S.Args.size() && S.Args[A].Signed; }
  bool isFloat(unsigned A) const { return A < S.Args.size() && S.Args[A].Float; }
  Term truth(Term Bit) { return T.extend(Bit, Bits, Count > 1); }

  // Each computes its functions and returns true; false for any other function.
  bool workItem();
  bool synchronisation();
  void asyncCopy(bool Strided);
  bool memory();
  bool images();
  bool atomics();
  bool conversion();
  bool integers();
  bool saturatingIntegers(bool Signed, unsigned W);
  bool bitFunctions(unsigned W);
  bool relations();
  bool classifications();
  bool floats();
  Term convertLane(Term X, bool ToSigned, bool Saturate);
  Term saturate(Term Wide, unsigned Width, bool Signed);
  Term multiplyHigh(Term X, Term Y, bool Signed);
  Term multiply24(Term X, Term Y, bool Signed);

  // ImageBuiltins.cpp
  /// A texel: its coordinates within the image, in 64 bits.
  struct Texel {
    std::array<Term, 3> At{};
    Term Inside = 0; ///< one bit: the coordinates that are given are inside, too
  };
  void imageQuery(const ImageContents &I);
  void readImage(uint32_t Id);
  void sampleImage(const Object &O);
  void writeImage(uint32_t Id);
  /// The texel at argument \p A, coordinates outside moved to the edge. \p Sampled: a layer is
  /// always one of the image's.
  Texel texelAt(const ImageContents &I, unsigned A, bool Sampled);
  /// Coordinate \p X as the specification rounds it, in 64 bits.
  Term roundedCoordinate(Term X, bool Layer);
  Term exactCoordinate(Lane X);
  /// Of the first byte of the texel.
  Term offsetOf(const ImageContents &I, const Texel &At);
  Term readChannel(uint32_t Id, Term Offset, unsigned Bytes);
  /// False: the coordinates are outside in every case, and no access may follow.
  bool demandInside(const Object &O, Term Inside, bool Write);
  bool fitsFormat(const Object &O);

  Machine &M;
  TermStore &T;
  Item &W;
  const llvm::CallInst &C;
  Signature S;
  llvm::StringRef Name;
  llvm::SmallVector<Lanes, 4> Args;
  unsigned Count = 0; ///< lanes of the result
  unsigned Bits = 0;  ///< of each
};

} // namespace clmali::verify::symbolic

#endif
