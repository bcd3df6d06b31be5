// OpenCL's built-in functions over terms.
//
// Integer built-ins, conversions between integers, vloadN and vstoreN,
// relational and bit functions are computed exactly. Floating-point functions
// are functions nobody interprets; those that are exact, or rounded the same
// way in every form (floor, fmin, fma, sqrt ...), are one function for scalars
// and vectors. All others (exp, sin, pow ...) are other functions for vectors
// of another length: devices round them differently.
//
// Limits: no functions that return through a pointer (sincos, fract ...), no
// atomics whose old value is used, no images, pipes, sub-groups, printf.

#include "rewriters/verify/symbolic/Machine.h"

#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Demangle/Demangle.h"

namespace clmali::verify::symbolic {

using namespace llvm;

/// A scalar or vector type as a demangled name spells it, or a pointer to one.
struct SpelledType {
  bool Pointer = false, Float = false, Signed = true;
  unsigned Bits = 0; ///< 0: no number
  unsigned Count = 1;
  unsigned bytes() const { return Bits / 8 * (Count == 3 ? 4 : Count); }
};

static SpelledType parseType(StringRef Text) {
  SpelledType R;
  R.Pointer = Text.contains('*');
  Text = Text.take_until([](char C) { return C == '*'; });
  SmallVector<StringRef, 8> Words;
  Text.split(Words, ' ', -1, false);
  for (StringRef Word : Words) {
    if (Word.consume_front("vector[")) {
      Word.consumeInteger(10, R.Count);
      continue;
    }
    if (Word == "unsigned") {
      R.Signed = false;
      continue;
    }
    unsigned Bits = StringSwitch<unsigned>(Word)
                        .Case("char", 8)
                        .Cases("short", "half", 16)
                        .Cases("int", "float", 32)
                        .Cases("long", "double", 64)
                        .Default(0);
    if (Bits) {
      R.Bits = Bits;
      R.Float = Word == "half" || Word == "float" || Word == "double";
    }
  }
  return R;
}

/// A mangled built-in taken apart.
struct Signature {
  std::string Name;
  SmallVector<SpelledType, 4> Args;
};

static Signature parseSignature(StringRef Demangled) {
  Signature S;
  auto [Name, Rest] = Demangled.split('(');
  S.Name = Name.str();
  Rest.consume_back(")");
  SmallVector<StringRef, 4> Parts;
  Rest.split(Parts, ',', -1, false);
  for (StringRef P : Parts)
    S.Args.push_back(parseType(P.trim()));
  return S;
}

class Builtins {
public:
  Builtins(Machine &M, Item &W, const CallInst &C, Signature S)
      : M(M), T(M.T), W(W), C(C), S(std::move(S)), Name(this->S.Name) {
    for (const Use &U : C.args())
      Args.push_back(M.get(W.Frames.back(), U.get()));
    if (!C.getType()->isVoidTy()) {
      ArrayRef<Part> Parts = M.partsOf(C.getType());
      Count = unsigned(Parts.size());
      if (Count)
        Bits = Parts.front().Bits;
    }
  }

  bool run() {
    if (M.failed())
      return false;
    if (workItem() || synchronisation() || memory() || atomics() || conversion() || integers() ||
        relations() || floats() || M.failed())
      return !M.failed();
    M.fail("the built-in function " + Name);
    return false;
  }

private:
  void result(ArrayRef<Lane> L) { M.set(W.Frames.back(), &C, L); }
  void resultTerms(ArrayRef<Term> Terms) {
    Lanes L;
    for (Term X : Terms)
      L.push_back({X, NoObject});
    result(L);
  }
  Term arg(unsigned A, unsigned Lane) const { return Args[A][Args[A].size() == 1 ? 0 : Lane].T; }
  /// Applies \p F to each lane of the result.
  template <typename Function> bool each(Function F) {
    SmallVector<Term, 16> R;
    for (unsigned L = 0; L < Count && !M.failed(); ++L)
      R.push_back(F(L));
    if (!M.failed())
      resultTerms(R);
    return true;
  }
  bool isSigned(unsigned A) const { return A < S.Args.size() && S.Args[A].Signed; }
  bool isFloat(unsigned A) const { return A < S.Args.size() && S.Args[A].Float; }
  Term truth(Term Bit) { return T.extend(Bit, Bits, Count > 1); }

  bool workItem();
  bool synchronisation();
  void asyncCopy(bool Strided);
  bool memory();
  bool atomics();
  bool conversion();
  bool integers();
  bool relations();
  bool floats();
  Term saturate(Term Wide, unsigned Width, bool Signed);
  Term multiplyHigh(Term X, Term Y, bool Signed);
  Term multiply24(Term X, Term Y, bool Signed);

  Machine &M;
  TermStore &T;
  Item &W;
  const CallInst &C;
  Signature S;
  StringRef Name;
  SmallVector<Lanes, 4> Args;
  unsigned Count = 0; ///< lanes of the result
  unsigned Bits = 0;  ///< of each
};

bool Builtins::workItem() {
  if (!Name.starts_with("get_"))
    return false;
  const SymbolicLaunch &L = M.Runs.back().Launch;
  const launch::Geometry &G = L.Shape;
  uint64_t D = 0;
  if (!Args.empty()) {
    if (!T.isConst(Args[0][0].T)) {
      M.fail("a dimension that depends on data");
      return true;
    }
    D = T.value(Args[0][0].T);
  }
  bool In = D < 3;
  bool OfGroup = false;
  uint64_t R = 0;
  auto groups = [&](unsigned N) { return G.Global[N] / M.LocalSize[N]; };
  if (Name == "get_global_id")
    R = In ? W.Global[D] : 0;
  else if (Name == "get_global_size")
    R = In ? G.Global[D] : 1;
  else if (Name == "get_global_offset")
    R = In ? G.Offset[D] : 0;
  else if (Name == "get_work_dim")
    R = G.Dimensions;
  else if (Name == "get_global_linear_id")
    R = ((W.Global[2] - G.Offset[2]) * G.Global[1] + (W.Global[1] - G.Offset[1])) * G.Global[0] +
        (W.Global[0] - G.Offset[0]);
  else {
    OfGroup = true;
    if (Name == "get_local_id")
      R = In ? W.Local[D] : 0;
    else if (Name == "get_local_size" || Name == "get_enqueued_local_size")
      R = In ? M.LocalSize[D] : 1;
    else if (Name == "get_group_id")
      R = In ? W.Group[D] : 0;
    else if (Name == "get_num_groups")
      R = In ? groups(unsigned(D)) : 1;
    else if (Name == "get_local_linear_id")
      R = (W.Local[2] * M.LocalSize[1] + W.Local[1]) * M.LocalSize[0] + W.Local[0];
    else
      return false;
  }
  // Beyond the dimensions of the launch everything is 0 or 1 for any group.
  if (OfGroup && !M.LocalKnown && !(Args.size() == 1 && D >= G.Dimensions && D < 3)) {
    M.fail("the runtime chooses the group size, and the kernel asks for it");
    return true;
  }
  resultTerms({T.constant(Bits, R)});
  return true;
}

void Builtins::asyncCopy(bool Strided) {
  if (!M.Journals.empty()) {
    M.fail("an asynchronous copy that depends on data");
    return;
  }
  Lane To = Args[0][0], From = Args[1][0];
  Term Number = Args[2][0].T, Stride = Strided ? Args[3][0].T : T.constant(T.width(Number), 1);
  if (!T.isConst(Number) || !T.isConst(Stride) || S.Args[0].bytes() == 0) {
    M.fail("an asynchronous copy of a length that depends on data");
    return;
  }
  uint64_t Element = S.Args[0].bytes(), N = T.value(Number);
  Machine::AsyncCopy Copy{To, From, N * Element};
  unsigned Index = W.AsyncCopies++;
  if (Index < M.AsyncCopies.size()) {
    const Machine::AsyncCopy &Known = M.AsyncCopies[Index];
    if (!(Known.To == To && Known.From == From && Known.Bytes == Copy.Bytes))
      M.fail("an asynchronous copy that is not the same in the whole group");
  } else {
    M.AsyncCopies.push_back(Copy);
    // The copy is nobody's: who does not wait for it races with it.
    Item Nobody;
    Nobody.Global = W.Global;
    Nobody.Number = Shadow::GroupCopy;
    Nobody.GroupNumber = W.GroupNumber;
    if (!Strided) {
      M.copyBytes(Nobody, To, From, Copy.Bytes);
    } else {
      bool ToLocal = To.Object < MixedObject && M.Objects[To.Object].K == Object::Kind::Local;
      uint64_t Step = T.value(Stride) * Element;
      for (uint64_t I = 0; I < N && !M.failed(); ++I) {
        Lane A{T.addConst(To.T, I * (ToLocal ? Element : Step)), To.Object};
        Lane B{T.addConst(From.T, I * (ToLocal ? Step : Element)), From.Object};
        M.copyBytes(Nobody, A, B, Element);
      }
    }
  }
  Lanes Event;
  for (const Part &P : M.partsOf(C.getType()))
    Event.push_back({T.constant(P.Bits, 0), P.Pointer ? NullObject : NoObject});
  result(Event);
}

bool Builtins::synchronisation() {
  if (Name == "barrier" || Name == "work_group_barrier" || Name == "wait_group_events") {
    if (!M.LocalKnown)
      M.fail("a barrier where the runtime chooses the group size");
    W.Waiting = &C;
    W.Fences = 3;
    if (Name != "wait_group_events") {
      if (T.isConst(Args[0][0].T))
        W.Fences = unsigned(T.value(Args[0][0].T)) & 3;
      else
        M.fail("a barrier whose kind depends on data");
    }
    return true;
  }
  if (Name == "mem_fence" || Name == "read_mem_fence" || Name == "write_mem_fence" ||
      Name == "prefetch")
    return true;
  if (Name == "async_work_group_copy" || Name == "async_work_group_strided_copy") {
    asyncCopy(Name.contains("strided"));
    return true;
  }
  return false;
}

// vload4(offset, p), vstore4(data, offset, p), vload_half4, vstorea_half4_rte.
bool Builtins::memory() {
  StringRef Rest = Name;
  bool Load = Rest.consume_front("vload"), Store = false;
  if (!Load)
    Store = Rest.consume_front("vstore");
  if (!Load && !Store)
    return false;
  bool Aligned = Rest.consume_front("a_half"), Half = Aligned || Rest.consume_front("_half");
  unsigned N = 1;
  Rest.consumeInteger(10, N);
  StringRef Rounding = Rest;
  const SpelledType &Pointee = S.Args.back();
  if (!Pointee.Pointer || !Pointee.Bits || Pointee.Count != 1 || (!Half && !Rounding.empty()))
    return false;
  if (Rounding == "_rte")
    Rounding = "";
  uint64_t Element = Pointee.Bits / 8;
  unsigned Stride = Aligned && N == 3 ? 4 : N;
  Lane Base = Args.back()[0];
  Term Offset = T.resize(Args[Args.size() - 2][0].T, M.pointerBits(), false);
  Term At = T.add(Base.T, T.mul(Offset, T.constant(M.pointerBits(), Stride * Element)));
  M.checkAlignment(W, {At, Base.Object},
                   Aligned ? std::min<uint64_t>(Stride, 16) * Element : Element);
  if (Load) {
    Lanes R;
    for (unsigned I = 0; I < N && !M.failed(); ++I) {
      Lane X = M.load(W, {T.addConst(At, I * Element), Base.Object}, Pointee.Bits, false);
      if (Half && Bits != 16)
        X.T = T.call("fpext", Bits, {X.T});
      R.push_back(X);
    }
    result(R);
    return true;
  }
  for (unsigned I = 0; I < N && !M.failed(); ++I) {
    Lane X = Args[0][I];
    if (Half && T.width(X.T) != 16)
      X.T = T.call(("fptrunc" + Rounding).str(), 16, {X.T});
    M.store(W, {T.addConst(At, I * Element), Base.Object}, X, Pointee.Bits);
  }
  return true;
}

bool Builtins::atomics() {
  StringRef Rest = Name;
  if (!Rest.consume_front("atomic_") && !Rest.consume_front("atom_"))
    return false;
  if (S.Args.empty() || !S.Args[0].Pointer || S.Args[0].Float)
    return false;
  enum Kind : uint8_t { None, Add, Min, Max, UMin, UMax, And, Or, Xor };
  bool Signed = S.Args[0].Signed;
  uint8_t K = StringSwitch<uint8_t>(Rest)
                  .Cases("add", "sub", "inc", "dec", Add)
                  .Case("min", Signed ? Min : UMin)
                  .Case("max", Signed ? Max : UMax)
                  .Case("and", And)
                  .Case("or", Or)
                  .Case("xor", Xor)
                  .Default(None);
  if (K == None)
    return false;
  if (!C.use_empty()) {
    M.fail("an atomic operation whose old value is used");
    return true;
  }
  unsigned Width = S.Args[0].Bits;
  Term Operand = Args.size() > 1 ? Args[1][0].T : T.constant(Width, 1);
  if (Rest == "sub" || Rest == "dec")
    Operand = T.neg(Operand);
  M.update(W, Args[0][0], Width, K, [&](Term Old, Term Here) {
    switch (K) {
    case Add:
      return T.add(Old, T.ite(Here, Operand, T.constant(Width, 0)));
    case And:
      return T.ite(Here, T.bitAnd(Old, Operand), Old);
    case Or:
      return T.ite(Here, T.bitOr(Old, Operand), Old);
    case Xor:
      return T.ite(Here, T.bitXor(Old, Operand), Old);
    default:
      return T.ite(Here,
                   T.minMax(K == Min    ? Op::SMin
                            : K == Max  ? Op::SMax
                            : K == UMin ? Op::UMin
                                        : Op::UMax,
                            Old, Operand),
                   Old);
    }
  });
  return true;
}

Term Builtins::saturate(Term Wide, unsigned Width, bool Signed) {
  unsigned From = T.width(Wide);
  uint64_t Top = maskOf(Width) >> (Signed ? 1 : 0);
  uint64_t Bottom = Signed ? ~Top : 0;
  Term R = T.minMax(Op::SMax, Wide, T.constant(From, Bottom));
  return T.trunc(T.minMax(Op::SMin, R, T.constant(From, Top)), Width);
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
    if (!Saturate) {
      if (Bits < From.Bits)
        M.noteNarrow(W, C, Instruction::Trunc, Bits, X, 0);
      return T.resize(X, Bits, From.Signed);
    }
    // Clamped in the source's type, where its values and the limits that it
    // can reach both fit.
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
  // What happens beyond 24 bits is up to the device.
  auto fits = [&](Term A) {
    const Node &N = T.node(A);
    return Signed ? N.SLo >= -(1 << 23) && N.SHi < (1 << 23) : N.UHi < (1u << 24);
  };
  if (fits(X) && fits(Y))
    return T.mul(X, Y);
  return T.callCommutative(Signed ? "mul24.s" : "mul24.u", T.width(X), {X, Y});
}

bool Builtins::integers() {
  if (S.Args.empty() || isFloat(0) || !S.Args[0].Bits || S.Args[0].Pointer)
    return false;
  const bool Signed = isSigned(0);
  const unsigned W = S.Args[0].Bits;
  auto wide = [&](Term X) { return T.extend(X, 2 * W, Signed); };
  auto shifted = [&](Term X, unsigned N) {
    return T.shift(Signed ? Op::AShr : Op::LShr, X, T.constant(T.width(X), N));
  };
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
  if (Name == "mul_hi")
    return each([&](unsigned L) { return multiplyHigh(arg(0, L), arg(1, L), Signed); });
  if (Name == "mad_hi")
    return each(
        [&](unsigned L) { return T.add(multiplyHigh(arg(0, L), arg(1, L), Signed), arg(2, L)); });
  if (Name == "mad_sat" && W <= 16)
    return each([&](unsigned L) {
      auto extended = [&](Term X) { return T.extend(X, 64, Signed); };
      Term Product = T.mul(extended(arg(0, L)), extended(arg(1, L)));
      return saturate(T.add(Product, extended(arg(2, L))), W, Signed);
    });
  if (Name == "mul24")
    return each([&](unsigned L) { return multiply24(arg(0, L), arg(1, L), Signed); });
  if (Name == "mad24")
    return each(
        [&](unsigned L) { return T.add(multiply24(arg(0, L), arg(1, L), Signed), arg(2, L)); });
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

bool Builtins::relations() {
  auto nonZero = [&](Term X) { return T.bitNot(T.eq(X, T.constant(T.width(X), 0))); };
  auto topBit = [&](Term X) { return T.extract(X, T.width(X) - 1, 1); };
  if (Name == "select" && Args.size() == 3)
    return each([&](unsigned L) {
      Term Condition = arg(2, L);
      return T.ite(Count == 1 ? nonZero(Condition) : topBit(Condition), arg(1, L), arg(0, L));
    });
  if (Name == "bitselect" && Args.size() == 3)
    return each([&](unsigned L) {
      Term Mask = arg(2, L);
      return T.bitOr(T.bitAnd(arg(0, L), T.bitNot(Mask)), T.bitAnd(arg(1, L), Mask));
    });
  if ((Name == "any" || Name == "all") && Args.size() == 1) {
    Term R = T.boolean(Name == "all");
    for (const Lane &L : Args[0])
      R = Name == "all" ? T.bitAnd(R, topBit(L.T)) : T.bitOr(R, topBit(L.T));
    resultTerms({T.extend(R, Bits, false)});
    return true;
  }
  if (Name == "shuffle" || Name == "shuffle2") {
    Lanes Pool = Args[0];
    if (Name == "shuffle2")
      Pool.append(Args[1]);
    const Lanes &Mask = Args.back();
    // Three lanes are no legal operand here: the pool is a power of two.
    return each([&](unsigned L) {
      Term Index = T.bitAnd(Mask[L].T, T.constant(T.width(Mask[L].T), Pool.size() - 1));
      Term R = Pool[0].T;
      for (size_t I = 1; I < Pool.size(); ++I)
        R = T.ite(T.eq(Index, T.constant(T.width(Index), I)), Pool[I].T, R);
      return R;
    });
  }
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
    return each([&](unsigned L) { return truth(topBit(arg(0, L))); });
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
  // All lanes go into each result.
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

bool Machine::builtin(Item &W, const CallInst &C) {
  const Function *Callee = C.getCalledFunction();
  std::string &Known = Demangled[Callee];
  if (Known.empty())
    Known = demangle(Callee->getName());
  if (C.arg_size() > 0 && C.getArgOperand(0)->getType()->isMetadataTy()) {
    fail("the built-in function " + Known);
    return false;
  }
  return Builtins(*this, W, C, parseSignature(Known)).run();
}

} // namespace clmali::verify::symbolic
