// Values of terms for given inputs, with this host's floating point.
//
// On integers it is exact, so that trying all values of a term is a proof. With floating point it
// only searches for differences, which must be replayed on a device.

#include "rewriters/verify/symbolic/Solver.h"

#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/ADT/bit.h"

#include <algorithm>
#include <cmath>

namespace clmali::verify::symbolic {

using namespace llvm;

Evaluator::Evaluator(const TermStore &T, ArrayRef<BufferContents> Buffers, ArrayRef<Term> Roots,
                     const DenseMap<Term, unsigned> *Cuts)
    : T(T), Buffers(Buffers), Cuts(Cuts) {
  if (Cuts)
    CutValues.resize(Cuts->size());
  for (Term R : Roots)
    visit(R);
  Values.resize(Order.size());
}

void Evaluator::visit(Term Root) {
  std::vector<std::pair<Term, bool>> Stack{{Root, false}};
  while (!Stack.empty()) {
    auto [X, Done] = Stack.back();
    Stack.pop_back();
    if (Index.count(X))
      continue;
    const Node &N = T.node(X);
    if (Cuts && Cuts->contains(X)) {
      Index[X] = uint32_t(Order.size());
      Order.push_back(X);
      FirstOperand.push_back(uint32_t(Operands.size()));
      CutOf.push_back(int(Cuts->lookup(X)));
      continue;
    }
    if (!Done) {
      Stack.push_back({X, true});
      for (Term Operand : T.operands(X))
        Stack.push_back({Operand, false});
      // A gather may read every variable of its buffer.
      if (N.O == Op::Read)
        for (const Cell &C : Buffers[N.Imm].Cells)
          if (C.Byte == 0)
            Stack.push_back({C.L.T, false});
      continue;
    }
    Index[X] = uint32_t(Order.size());
    Order.push_back(X);
    CutOf.push_back(-1);
    FirstOperand.push_back(uint32_t(Operands.size()));
    for (Term Operand : T.operands(X))
      Operands.push_back(Index[Operand]);
    if (N.O == Op::Var)
      Variables.push_back(unsigned(N.Imm));
  }
}

void Evaluator::run(const Assignment &A) {
  Current = &A;
  for (size_t I = 0; I < Order.size(); ++I) {
    const Node &N = T.node(Order[I]);
    if (CutOf[I] >= 0) {
      Values[I] = CutValues[unsigned(CutOf[I])] & maskOf(N.Width);
      continue;
    }
    Values[I] =
        evaluate(N, ArrayRef<uint32_t>(Operands).slice(FirstOperand[I], N.Count)) & maskOf(N.Width);
  }
}

uint64_t Evaluator::readBytes(const Node &N, uint64_t Offset) const {
  const std::vector<Cell> &Cells = Buffers[N.Imm].Cells;
  uint64_t R = 0;
  for (unsigned I = 0; I < N.Width / 8u; ++I) {
    if (Offset + I >= Cells.size() || Offset + I < Offset)
      return 0;
    const Cell &C = Cells[Offset + I];
    uint64_t Whole = Values[Index.lookup(C.L.T)];
    R |= (Whole >> (8 * C.Byte) & 255) << (8 * I);
  }
  return R;
}

uint64_t Evaluator::evaluate(const Node &N, ArrayRef<uint32_t> Ops) const {
  auto u = [&](unsigned I) { return Values[Ops[I]]; };
  auto widthOf = [&](unsigned I) { return T.width(Order[Ops[I]]); };
  auto s = [&](unsigned I) { return signedOf(Values[Ops[I]], widthOf(I)); };
  const unsigned W = N.Width;
  switch (N.O) {
  case Op::Const:
    return N.Imm;
  case Op::Var:
    return (*Current)[N.Imm];
  case Op::Undef:
    return 0;
  case Op::Sum: {
    uint64_t R = N.Imm;
    for (unsigned I = 0; I < Ops.size(); I += 2)
      R += u(I) * u(I + 1);
    return R;
  }
  case Op::Mul:
    return u(0) * u(1);
  // Division by zero: as SMT-LIB defines it, so that Evaluator and Z3 agree.
  case Op::UDiv:
    return u(1) ? u(0) / u(1) : ~0ull;
  case Op::URem:
    return u(1) ? u(0) % u(1) : u(0);
  case Op::SDiv:
    if (s(1) == 0)
      return s(0) < 0 ? 1 : ~0ull;
    return s(1) == -1 ? 0 - u(0) : uint64_t(s(0) / s(1));
  case Op::SRem:
    if (s(1) == 0)
      return u(0);
    return s(1) == -1 ? 0 : uint64_t(s(0) % s(1));
  case Op::And:
    return u(0) & u(1);
  case Op::Or:
    return u(0) | u(1);
  case Op::Xor:
    return u(0) ^ u(1);
  case Op::Shl:
    return u(1) >= W ? 0 : u(0) << u(1);
  case Op::LShr:
    return u(1) >= W ? 0 : u(0) >> u(1);
  case Op::AShr:
    return uint64_t(s(0) >> std::min<uint64_t>(u(1), W - 1));
  case Op::Ite:
    return u(0) ? u(1) : u(2);
  case Op::Eq:
    return u(0) == u(1);
  case Op::Ult:
    return u(0) < u(1);
  case Op::Slt:
    return s(0) < s(1);
  case Op::SMin:
    return uint64_t(std::min(s(0), s(1)));
  case Op::SMax:
    return uint64_t(std::max(s(0), s(1)));
  case Op::UMin:
    return std::min(u(0), u(1));
  case Op::UMax:
    return std::max(u(0), u(1));
  case Op::Concat:
    return u(0) << widthOf(1) | u(1);
  case Op::Extract:
    return u(0) >> N.Imm;
  case Op::ZExt:
    return u(0);
  case Op::SExt:
    return uint64_t(s(0));
  case Op::Read:
    return readBytes(N, u(0));
  case Op::Call:
    return call(N, Ops);
  }
  return 0;
}

static double toDouble(uint64_t Bits, unsigned Width) {
  if (Width == 64)
    return bit_cast<double>(Bits);
  if (Width == 32)
    return bit_cast<float>(uint32_t(Bits));
  APFloat F(APFloat::IEEEhalf(), APInt(16, Bits));
  bool Lost = false;
  F.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven, &Lost);
  return F.convertToDouble();
}

static uint64_t fromDouble(double V, unsigned Width) {
  if (Width == 64)
    return bit_cast<uint64_t>(V);
  if (Width == 32)
    return bit_cast<uint32_t>(float(V));
  APFloat F(V);
  bool Lost = false;
  F.convert(APFloat::IEEEhalf(), APFloat::rmNearestTiesToEven, &Lost);
  return F.bitcastToAPInt().getZExtValue();
}

using Unary = double (*)(double);
using Binary = double (*)(double, double);

/// The C function of a built-in with one operand that is exact, or the same in every form.
static Unary unaryFunction(StringRef Name) {
  return StringSwitch<Unary>(Name)
      .Case("sqrt", [](double X) { return std::sqrt(X); })
      .Case("floor", [](double X) { return std::floor(X); })
      .Case("ceil", [](double X) { return std::ceil(X); })
      .Case("trunc", [](double X) { return std::trunc(X); })
      .Case("rint", [](double X) { return std::nearbyint(X); })
      .Case("round", [](double X) { return std::round(X); })
      .Cases("fpext", "fptrunc", [](double X) { return X; })
      .Default(nullptr);
}

static Binary binaryFunction(StringRef Name) {
  return StringSwitch<Binary>(Name)
      .Case("fadd", [](double X, double Y) { return X + Y; })
      .Case("fmul", [](double X, double Y) { return X * Y; })
      .Case("fdiv", [](double X, double Y) { return X / Y; })
      .Cases("frem", "fmod", [](double X, double Y) { return std::fmod(X, Y); })
      .Case("fmin", [](double X, double Y) { return std::fmin(X, Y); })
      .Case("fmax", [](double X, double Y) { return std::fmax(X, Y); })
      .Case("min", [](double X, double Y) { return Y < X ? Y : X; })
      .Case("max", [](double X, double Y) { return X < Y ? Y : X; })
      .Default(nullptr);
}

/// Functions that devices round differently; \p Base is the name without the vector length.
static Unary inexactFunction(StringRef Base) {
  return StringSwitch<Unary>(Base)
      .Case("exp", [](double X) { return std::exp(X); })
      .Case("log", [](double X) { return std::log(X); })
      .Case("sin", [](double X) { return std::sin(X); })
      .Case("cos", [](double X) { return std::cos(X); })
      .Default(nullptr);
}

/// A conversion to an integer of \p Width bits, saturated; rounded as the name says.
static uint64_t toInteger(StringRef Name, double V, unsigned Width) {
  V = Name.contains("_rte")   ? std::nearbyint(V)
      : Name.contains("_rtp") ? std::ceil(V)
      : Name.contains("_rtn") ? std::floor(V)
                              : std::trunc(V);
  bool Signed = Name[2] == 'i';
  double Top = std::ldexp(1.0, int(Width) - (Signed ? 1 : 0)), Bottom = Signed ? -Top : 0.0;
  if (std::isnan(V))
    return 0;
  if (V >= Top)
    return maskOf(Width) >> (Signed ? 1 : 0);
  if (V < Bottom)
    return Signed ? 1ull << (Width - 1) : 0;
  return Signed ? uint64_t(int64_t(V)) : uint64_t(V);
}

/// What a read of a channel of \p Bits bits gives; the names of types are those of formats.
static double channelValue(StringRef Type, uint64_t Stored, unsigned Bits) {
  if (Type.starts_with("unorm"))
    return double(Stored) / double(maskOf(Bits));
  if (Type.starts_with("snorm"))
    return std::max(-1.0, double(signedOf(Stored, Bits)) / double(signedMax(Bits)));
  return toDouble(Stored, Bits);
}

/// The channel that a write leaves, rounded to even.
static uint64_t channelBits(StringRef Type, double V, unsigned Bits) {
  auto scaled = [&](double Low, double Most) {
    return std::nearbyint((std::isnan(V) ? 0.0 : std::clamp(V, Low, 1.0)) * Most);
  };
  if (Type.starts_with("unorm"))
    return uint64_t(scaled(0, double(maskOf(Bits))));
  if (Type.starts_with("snorm"))
    return uint64_t(int64_t(scaled(-1, double(signedMax(Bits)))));
  return fromDouble(V, Bits);
}

// Single precision is computed in double and rounded once. That is exact for + - * / and sqrt, and
// close enough for a search otherwise.
uint64_t Evaluator::call(const Node &N, ArrayRef<uint32_t> Ops) const {
  StringRef Name = T.functionName(unsigned(N.Imm));
  auto f = [&](unsigned I) { return toDouble(Values[Ops[I]], T.width(Order[Ops[I]])); };
  auto back = [&](double V) { return fromDouble(V, N.Width); };
  if (Binary F = binaryFunction(Name))
    return back(F(f(0), f(1)));
  if (Unary F = unaryFunction(Name))
    return back(F(f(0)));
  if (Name == "fmuladd" || Name == "mad")
    return back(toDouble(back(f(0) * f(1)), N.Width) + f(2));
  if (Name == "fma")
    return back(std::fma(f(0), f(1), f(2)));
  if (Name == "clamp")
    return back(std::fmin(std::fmax(f(0), f(1)), f(2)));
  if (Name == "fcmp.oeq")
    return f(0) == f(1);
  if (Name == "fcmp.olt")
    return f(0) < f(1);
  if (Name == "fcmp.ole")
    return f(0) <= f(1);
  if (Name == "i2f")
    return back(double(int64_t(Values[Ops[0]])));
  if (Name == "u2f")
    return back(double(Values[Ops[0]]));
  if (StringRef Rest = Name; Rest.consume_front("image.read."))
    return back(channelValue(Rest, Values[Ops[0]], T.width(Order[Ops[0]])));
  if (StringRef Rest = Name; Rest.consume_front("image.write."))
    return channelBits(Rest, f(0), N.Width);
  if (Name.starts_with("f2i") || Name.starts_with("f2u"))
    return toInteger(Name, f(0), N.Width);
  auto [Base, Form] = Name.split(".v");
  if (Unary F = inexactFunction(Base))
    return back(F(f(0)));
  if (Base == "pow")
    return back(std::pow(f(0), f(1)));
  if (Base == "dot") {
    double Sum = 0;
    for (unsigned I = 0; I < Ops.size() / 2; ++I)
      Sum += f(I) * f(I + unsigned(Ops.size() / 2));
    return back(Sum);
  }
  return hashOf(Base, N.Width, Ops);
}

// A function that is not modelled: some value that depends on its operands only. As a float it lies
// in [0, 1).
uint64_t Evaluator::hashOf(StringRef Function, unsigned Width, ArrayRef<uint32_t> Ops) const {
  uint64_t Hash = 0x9e3779b97f4a7c15ull;
  for (char C : Function)
    Hash = (Hash ^ uint64_t(uint8_t(C))) * 0x100000001b3ull;
  for (uint32_t Operand : Ops)
    Hash = (Hash ^ Values[Operand]) * 0xff51afd7ed558ccdull ^ (Hash >> 29);
  if (Width == 32 || Width == 64)
    return fromDouble(double(Hash >> 40) / double(1 << 24), Width);
  return Hash;
}

} // namespace clmali::verify::symbolic
