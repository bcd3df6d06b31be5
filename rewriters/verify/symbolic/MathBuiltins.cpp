// Built-ins that compute: conversions, integers, bits, relations and floating point.

#include "rewriters/verify/symbolic/Builtins.h"

#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/StringSwitch.h"

namespace clmali::verify::symbolic {

using namespace llvm;

Term Builtins::saturate(Term Wide, unsigned Width, bool Signed) {
  unsigned From = T.width(Wide);
  uint64_t Top = maskOf(Width) >> (Signed ? 1 : 0);
  uint64_t Bottom = Signed ? ~Top : 0;
  Term R = T.minMax(Op::SMax, Wide, T.constant(From, Bottom));
  return T.trunc(T.minMax(Op::SMin, R, T.constant(From, Top)), Width);
}

// From an integer to an integer of Bits bits.
Term Builtins::convertLane(Term X, bool ToSigned, bool Saturate) {
  const SpelledType &From = S.Args[0];
  if (!Saturate) {
    if (Bits < From.Bits)
      M.noteNarrow(W, C, Instruction::Trunc, Bits, X, 0);
    return T.resize(X, Bits, From.Signed);
  }
  // Clamped in the source's type, which holds its values and the limits that they can reach.
  uint64_t Top = maskOf(Bits) >> (ToSigned ? 1 : 0);
  unsigned Width = From.Bits;
  if (From.Signed) {
    int64_t Low = ToSigned ? -int64_t(Top) - 1 : 0;
    int64_t Min = signedOf(1ull << (Width - 1), Width), Max = int64_t(maskOf(Width) >> 1);
    if (Low > Min)
      X = T.minMax(Op::SMax, X, T.constant(Width, uint64_t(Low)));
    if (Top < uint64_t(Max))
      X = T.minMax(Op::SMin, X, T.constant(Width, Top));
    return T.resize(X, Bits, true);
  }
  if (Top < maskOf(Width))
    X = T.minMax(Op::UMin, X, T.constant(Width, Top));
  return T.resize(X, Bits, false);
}

bool Builtins::conversion() {
  StringRef Rest = Name;
  if (!Rest.consume_front("convert_") || S.Args.size() != 1)
    return false;
  bool ToSigned = !Rest.consume_front("u");
  StringRef Base = Rest.take_while([](char X) { return X >= 'a' && X <= 'z'; });
  Rest = Rest.drop_front(Base.size());
  Rest = Rest.drop_while([](char X) { return X >= '0' && X <= '9'; });
  bool Saturate = Rest.consume_front("_sat");
  std::string Rounding = Rest.str();
  bool ToFloat = Base == "float" || Base == "double" || Base == "half";
  const SpelledType &From = S.Args[0];
  if (!From.Bits)
    return false;
  return each([&](unsigned L) -> Term {
    Term X = arg(0, L);
    if (ToFloat) {
      std::string Mode = Rounding == "_rte" ? "" : Rounding;
      if (!From.Float)
        return M.integerToFloat(X, From.Signed, Bits, Mode);
      if (From.Bits == Bits)
        return X;
      return From.Bits < Bits ? T.call("fpext", Bits, {X}) : T.call("fptrunc" + Mode, Bits, {X});
    }
    if (From.Float) {
      std::string Mode = Rounding == "_rtz" ? "" : Rounding;
      return M.floatToInteger(X, ToSigned, Bits, (Saturate ? "_sat" : "") + Mode);
    }
    return convertLane(X, ToSigned, Saturate);
  });
}

Term Builtins::multiplyHigh(Term X, Term Y, bool Signed) {
  unsigned W = T.width(X);
  if (W > 32)
    return T.callCommutative(Signed ? "mul_hi.s" : "mul_hi.u", W, {X, Y});
  Term Wide = T.mul(T.extend(X, 2 * W, Signed), T.extend(Y, 2 * W, Signed));
  return T.extract(Wide, W, W);
}

Term Builtins::multiply24(Term X, Term Y, bool Signed) {
  // The result is implementation-defined for operands of more than 24 bits.
  auto fits = [&](Term A) {
    const Node &N = T.node(A);
    return Signed ? N.SLo >= -(1 << 23) && N.SHi < (1 << 23) : N.UHi < (1u << 24);
  };
  if (fits(X) && fits(Y))
    return T.mul(X, Y);
  return T.callCommutative(Signed ? "mul24.s" : "mul24.u", T.width(X), {X, Y});
}

bool Builtins::saturatingIntegers(bool Signed, unsigned W) {
  auto wide = [&](Term X) { return T.extend(X, 2 * W, Signed); };
  auto shifted = [&](Term X, unsigned N) {
    return T.shift(Signed ? Op::AShr : Op::LShr, X, T.constant(T.width(X), N));
  };
  if ((Name == "add_sat" || Name == "sub_sat") && W <= 32) {
    bool Add = Name == "add_sat";
    return each([&](unsigned L) {
      Term X = wide(arg(0, L)), Y = wide(arg(1, L));
      return saturate(Add ? T.add(X, Y) : T.sub(X, Y), W, Signed);
    });
  }
  if ((Name == "hadd" || Name == "rhadd") && W <= 32)
    return each([&](unsigned L) {
      Term Sum = T.add(wide(arg(0, L)), wide(arg(1, L)));
      if (Name == "rhadd")
        Sum = T.addConst(Sum, 1);
      return T.trunc(shifted(Sum, 1), W);
    });
  if (Name == "mad_sat" && W <= 16)
    return each([&](unsigned L) {
      auto extended = [&](Term X) { return T.extend(X, 64, Signed); };
      Term Product = T.mul(extended(arg(0, L)), extended(arg(1, L)));
      return saturate(T.add(Product, extended(arg(2, L))), W, Signed);
    });
  return false;
}

bool Builtins::bitFunctions(unsigned W) {
  if (Name == "rotate")
    return each([&](unsigned L) {
      Term X = arg(0, L);
      Term N = T.bitAnd(arg(1, L), T.constant(W, W - 1));
      Term Back = T.bitAnd(T.neg(N), T.constant(W, W - 1));
      return T.bitOr(T.shift(Op::Shl, X, N), T.shift(Op::LShr, X, Back));
    });
  if (Name == "upsample")
    return each([&](unsigned L) { return T.concat(arg(0, L), arg(1, L)); });
  if (Name == "popcount")
    return each([&](unsigned L) {
      Term Sum = T.constant(W, 0);
      for (unsigned I = 0; I < W; ++I)
        Sum = T.add(Sum, T.extend(T.extract(arg(0, L), I, 1), W, false));
      return Sum;
    });
  if (Name == "clz" || Name == "ctz") {
    bool Leading = Name == "clz";
    return each([&](unsigned L) {
      Term R = T.constant(W, W);
      for (unsigned I = 0; I < W; ++I) {
        unsigned Bit = Leading ? I : W - 1 - I;
        R = T.ite(T.extract(arg(0, L), Bit, 1), T.constant(W, Leading ? W - 1 - Bit : Bit), R);
      }
      return R;
    });
  }
  return false;
}

bool Builtins::integers() {
  if (S.Args.empty() || isFloat(0) || !S.Args[0].Bits || S.Args[0].Pointer)
    return false;
  const bool Signed = isSigned(0);
  const unsigned W = S.Args[0].Bits;
  if (Name == "max" || Name == "min") {
    Op O = Name == "max" ? (Signed ? Op::SMax : Op::UMax) : (Signed ? Op::SMin : Op::UMin);
    return each([&](unsigned L) { return T.minMax(O, arg(0, L), arg(1, L)); });
  }
  if (Name == "clamp")
    return each([&](unsigned L) {
      Term X = T.minMax(Signed ? Op::SMax : Op::UMax, arg(0, L), arg(1, L));
      return T.minMax(Signed ? Op::SMin : Op::UMin, X, arg(2, L));
    });
  if (Name == "abs")
    return each([&](unsigned L) {
      Term X = arg(0, L);
      return Signed ? T.ite(T.slt(X, T.constant(W, 0)), T.neg(X), X) : X;
    });
  if (Name == "abs_diff")
    return each([&](unsigned L) {
      Term X = arg(0, L), Y = arg(1, L);
      Term Less = Signed ? T.slt(X, Y) : T.ult(X, Y);
      return T.ite(Less, T.sub(Y, X), T.sub(X, Y));
    });
  if (Name == "mul_hi")
    return each([&](unsigned L) { return multiplyHigh(arg(0, L), arg(1, L), Signed); });
  if (Name == "mad_hi")
    return each(
        [&](unsigned L) { return T.add(multiplyHigh(arg(0, L), arg(1, L), Signed), arg(2, L)); });
  if (Name == "mul24")
    return each([&](unsigned L) { return multiply24(arg(0, L), arg(1, L), Signed); });
  if (Name == "mad24")
    return each(
        [&](unsigned L) { return T.add(multiply24(arg(0, L), arg(1, L), Signed), arg(2, L)); });
  return saturatingIntegers(Signed, W) || bitFunctions(W);
}

/// The sign of a lane of a vector condition, or of a float.
static Term topBit(TermStore &T, Term X) { return T.extract(X, T.width(X) - 1, 1); }

bool Builtins::relations() {
  auto nonZero = [&](Term X) { return T.bitNot(T.eq(X, T.constant(T.width(X), 0))); };
  if (Name == "select" && Args.size() == 3)
    return each([&](unsigned L) {
      Term Condition = arg(2, L);
      return T.ite(Count == 1 ? nonZero(Condition) : topBit(T, Condition), arg(1, L), arg(0, L));
    });
  if (Name == "bitselect" && Args.size() == 3)
    return each([&](unsigned L) {
      Term Mask = arg(2, L);
      return T.bitOr(T.bitAnd(arg(0, L), T.bitNot(Mask)), T.bitAnd(arg(1, L), Mask));
    });
  if ((Name == "any" || Name == "all") && Args.size() == 1) {
    Term R = T.boolean(Name == "all");
    for (const Lane &L : Args[0])
      R = Name == "all" ? T.bitAnd(R, topBit(T, L.T)) : T.bitOr(R, topBit(T, L.T));
    resultTerms({T.extend(R, Bits, false)});
    return true;
  }
  if (Name == "shuffle" || Name == "shuffle2") {
    Lanes Pool = Args[0];
    if (Name == "shuffle2")
      Pool.append(Args[1]);
    const Lanes &Mask = Args.back();
    // Operands have 2, 4, 8 or 16 lanes: the size of the pool is a power of two.
    return each([&](unsigned L) {
      Term Index = T.bitAnd(Mask[L].T, T.constant(T.width(Mask[L].T), Pool.size() - 1));
      Term R = Pool[0].T;
      for (size_t I = 1; I < Pool.size(); ++I)
        R = T.ite(T.eq(Index, T.constant(T.width(Index), I)), Pool[I].T, R);
      return R;
    });
  }
  return classifications();
}

/// Comparisons and classes of floating-point values.
bool Builtins::classifications() {
  if (!isFloat(0))
    return false;
  auto compare = [&](CmpInst::Predicate P) {
    return each([&, P](unsigned L) { return truth(M.compareFloats(P, arg(0, L), arg(1, L))); });
  };
  auto P = StringSwitch<CmpInst::Predicate>(Name)
               .Case("isequal", CmpInst::FCMP_OEQ)
               .Case("isnotequal", CmpInst::FCMP_UNE)
               .Case("isgreater", CmpInst::FCMP_OGT)
               .Case("isgreaterequal", CmpInst::FCMP_OGE)
               .Case("isless", CmpInst::FCMP_OLT)
               .Case("islessequal", CmpInst::FCMP_OLE)
               .Case("islessgreater", CmpInst::FCMP_ONE)
               .Case("isordered", CmpInst::FCMP_ORD)
               .Case("isunordered", CmpInst::FCMP_UNO)
               .Default(CmpInst::BAD_ICMP_PREDICATE);
  if (P != CmpInst::BAD_ICMP_PREDICATE)
    return compare(P);
  unsigned W = S.Args[0].Bits;
  uint64_t Infinity = W == 16 ? 0x7c00 : W == 32 ? 0x7f800000 : 0x7ff0000000000000;
  auto magnitude = [&](unsigned L) { return T.bitAnd(arg(0, L), T.constant(W, maskOf(W) >> 1)); };
  if (Name == "isnan")
    return each([&](unsigned L) { return truth(M.isNan(arg(0, L))); });
  if (Name == "isinf")
    return each([&](unsigned L) { return truth(T.eq(magnitude(L), T.constant(W, Infinity))); });
  if (Name == "isfinite")
    return each([&](unsigned L) { return truth(T.ult(magnitude(L), T.constant(W, Infinity))); });
  if (Name == "signbit")
    return each([&](unsigned L) { return truth(topBit(T, arg(0, L))); });
  return false;
}

bool Builtins::floats() {
  const Function *Callee = C.getCalledFunction();
  if (!Callee->doesNotAccessMemory() || Count == 0)
    return false;
  bool AnyFloat = false;
  for (const SpelledType &A : S.Args) {
    if (A.Pointer || !A.Bits)
      return false;
    AnyFloat |= A.Float;
  }
  if (!AnyFloat)
    return false;
  if (Name == "fabs")
    return each(
        [&](unsigned L) { return T.bitAnd(arg(0, L), T.constant(Bits, maskOf(Bits) >> 1)); });
  if (Name == "copysign")
    return each([&](unsigned L) {
      Term Sign = T.constant(Bits, 1ull << (Bits - 1));
      return T.bitOr(T.bitAnd(arg(0, L), T.constant(Bits, maskOf(Bits) >> 1)),
                     T.bitAnd(arg(1, L), Sign));
    });
  // Each result depends on all lanes.
  static const StringSet<> Whole = {"dot",       "cross",       "length",        "distance",
                                    "normalize", "fast_length", "fast_distance", "fast_normalize"};
  if (Whole.contains(Name)) {
    SmallVector<Term, 8> Ops;
    for (const Lanes &A : Args)
      for (const Lane &L : A)
        Ops.push_back(L.T);
    std::string Base = (Name + ".v" + Twine(Args[0].size())).str();
    return each([&](unsigned L) {
      return T.call(Count > 1 ? Base + "#" + std::to_string(L) : Base, Bits, Ops);
    });
  }
  for (const Lanes &A : Args)
    if (A.size() != Count && A.size() != 1)
      return false;
  static const StringSet<> SameInAllForms = {"fmin", "fmax",  "min",  "max",   "clamp", "floor",
                                             "ceil", "trunc", "rint", "round", "sqrt",  "fma",
                                             "mad",  "fdim",  "step", "sign"};
  std::string Function = Name.str();
  if (!SameInAllForms.contains(Name) && Count > 1)
    Function += ".v" + std::to_string(Count);
  bool Commutes = Name == "fma" || Name == "mad";
  return each([&](unsigned L) {
    SmallVector<Term, 4> Ops;
    for (unsigned A = 0; A < Args.size(); ++A)
      Ops.push_back(arg(A, L));
    return Commutes ? T.callCommutative(Function, Bits, Ops) : T.call(Function, Bits, Ops);
  });
}

} // namespace clmali::verify::symbolic
