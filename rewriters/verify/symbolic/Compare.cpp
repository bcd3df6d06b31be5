// Compares the buffers of both programs, and builds counterexamples.

#include "rewriters/verify/symbolic/Proof.h"

#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

namespace clmali::verify::symbolic {

using namespace llvm;

std::string Proof::print(const ParameterInfo &P, uint64_t Value) const {
  if (!P.Float)
    return P.Signed ? std::to_string(signedOf(Value, P.Bits)) : std::to_string(Value);
  APFloat F(P.Bits == 16   ? APFloat::IEEEhalf()
            : P.Bits == 32 ? APFloat::IEEEsingle()
                           : APFloat::IEEEdouble(),
            APInt(P.Bits, Value));
  SmallString<24> Text;
  F.toString(Text);
  return std::string(Text);
}

SymbolicExample Proof::example(SymbolicExample::Kind K, Assignment Inputs) const {
  SymbolicExample E;
  E.K = K;
  Inputs.resize(T.variables(), 0);
  auto valueOf = [&](Term X) -> uint64_t {
    return T.isConst(X) ? T.value(X) : Inputs[T.node(X).Imm];
  };
  for (unsigned I = 0; I < R.Args.size(); ++I) {
    std::vector<uint8_t> Bytes;
    const BoundArgument &B = Bound[I];
    if (B.K == BoundArgument::Kind::Local || R.Args[I].K == SymbolicArgument::Kind::Sampler)
      continue;
    if (B.K == BoundArgument::Kind::Buffer)
      for (const Cell &C : Buffers[B.Buffer].Cells)
        Bytes.push_back(uint8_t(valueOf(C.L.T) >> (8 * C.Byte)));
    for (Term X : B.Components)
      for (unsigned Byte = 0; Byte < T.width(X) / 8; ++Byte)
        Bytes.push_back(uint8_t(valueOf(X) >> (8 * Byte)));
    for (const Cell &C : B.Bytes)
      Bytes.push_back(uint8_t(valueOf(C.L.T)));
    E.Inputs[R.Args[I].Name] = std::move(Bytes);
  }
  return E;
}

// Sets as many inputs to zero as possible.
void Proof::simplifyExample(Term Differ, Assignment &Inputs) const {
  Evaluator E(T, SolverBuffers, Differ);
  std::vector<bool> Inside(Inputs.size(), false);
  for (unsigned V : E.variables())
    Inside[V] = true;
  for (unsigned V = 0; V < Inputs.size(); ++V) {
    const Node &N = T.node(T.variableTerm(V));
    if (!Inside[V] && N.SLo <= 0 && N.SHi >= 0 && N.ULo == 0)
      Inputs[V] = 0;
  }
  if (E.size() * E.variables().size() > 20'000'000)
    return;
  for (unsigned V : E.variables()) {
    const Node &N = T.node(T.variableTerm(V));
    uint64_t Old = Inputs[V];
    if (Old == 0 || N.SLo > 0 || N.SHi < 0 || N.ULo > 0)
      continue;
    Inputs[V] = 0;
    E.run(Inputs);
    if (!E.value(Differ))
      Inputs[V] = Old;
  }
}

std::vector<std::pair<unsigned, unsigned>> Proof::unitsOf(const Buffer &B) const {
  const StructFields &Fields = R.Args[B.Argument].Fields;
  std::vector<std::pair<unsigned, unsigned>> Units;
  const unsigned ElementBytes = B.Info.stride() * B.Info.Bits / 8;
  for (unsigned Offset = 0; Offset < ElementBytes;) {
    unsigned Size = B.Info.Bits / 8;
    for (const auto &[Start, Length] : Fields.Floats)
      if (B.Info.Bytes && Start == Offset)
        Size = Length;
    if (!B.Info.Bytes || !is_contained(Fields.Padding, Offset))
      Units.push_back({Offset, Size});
    Offset += Size;
  }
  return Units;
}

Term Proof::differ(const ParameterInfo &P, Term X, Term Y) {
  Term Differ = T.bitNot(T.eq(X, Y));
  if (!P.Float)
    return Differ;
  // Any NaN equals any NaN.
  auto nan = [&](Term V) {
    uint64_t Infinity = P.Bits == 16 ? 0x7c00 : P.Bits == 32 ? 0x7f800000 : 0x7ff0000000000000;
    return T.ult(T.constant(P.Bits, Infinity),
                 T.bitAnd(V, T.constant(P.Bits, maskOf(P.Bits) >> 1)));
  };
  return T.bitAnd(Differ, T.bitNot(T.bitAnd(nan(X), nan(Y))));
}

Proof::Compared Proof::reportValue(const Machine &Original, const Machine &Rewritten, unsigned B,
                                   uint64_t Element, uint64_t Offset, const ParameterInfo &P,
                                   Term X, Term Y, const Assignment &Inputs) {
  bool Calls = T.node(X).HasCall || T.node(Y).HasCall;
  Evaluator Values(T, SolverBuffers, {X, Y});
  Values.run(Inputs);
  Result.Example = example(SymbolicExample::Kind::Value, Inputs);
  SymbolicExample &E = *Result.Example;
  E.Argument = R.Args[Buffers[B].Argument].Name;
  E.Element = Element;
  E.Expected = print(P, Values.value(X));
  E.Got = print(P, Values.value(Y));
  E.WorkItem = Rewritten.writerOf(B, Offset);
  if (E.WorkItem.empty())
    E.WorkItem = Original.writerOf(B, Offset);
  E.MustBeReplayed = Calls;
  Result.Outcome = Calls ? SymbolicOutcome::NotClimbed : SymbolicOutcome::Counterexample;
  Result.Detail = formatv("{0}[{1}] is {2} in the original and {3} in the rewritten program{4}",
                          E.Argument, Element, E.Expected, E.Got,
                          Calls ? ", as this host computes floating point: to be replayed" : "")
                      .str();
  return Compared::Ended;
}

Proof::Compared Proof::compareUnit(Machine &Original, Machine &Rewritten, unsigned B,
                                   uint64_t Element, std::pair<unsigned, unsigned> Unit) {
  const Buffer &Buf = Buffers[B];
  const auto [Offset, Bytes] = Unit;
  ParameterInfo P = Buf.Info;
  if (P.Bytes && Bytes > 1)
    P.Float = true;
  P.Bits = Bytes * 8;
  const uint64_t At = Element * (Buf.Info.stride() * Buf.Info.Bits / 8) + Offset;
  const Object &X = Original.buffer(B), &Y = Rewritten.buffer(B);
  bool Unchanged = true;
  for (unsigned I = 0; I < Bytes && Unchanged; ++I)
    Unchanged = X.Cells[At + I] == Buf.Cells[At + I] && Y.Cells[At + I] == Buf.Cells[At + I];
  if (Unchanged)
    return Compared::Unchanged;
  auto end = [this](const Twine &Why) {
    stop(Why);
    return Compared::Ended;
  };
  const Lane L = Original.peek(X, At, Bytes), K = Rewritten.peek(Y, At, Bytes);
  std::string Where = formatv("{0}[{1}]", R.Args[Buf.Argument].Name, Element).str();
  if (!L.T || !K.T || L.isPointer() || K.isPointer())
    return end("a pointer is stored in " + Where);
  // The fourth component of a vector of three is padding.
  if (Offset / Bytes == 3 && P.Count == 3 && !P.Bytes && T.isUndef(L.T))
    return Compared::SameTerm;
  if (T.node(L.T).HasUndef || T.node(K.T).HasUndef)
    return end("an uninitialised value may reach " + Where + " in the " +
               (T.node(L.T).HasUndef ? "original" : "rewritten") + " program");
  bool Calls = T.node(L.T).HasCall || T.node(K.T).HasCall;
  if (Calls && (Programs[0].RelaxedMath || Programs[1].RelaxedMath))
    return end("the build options let the device change floating-point results");
  if (L.T == K.T)
    return Compared::SameTerm;
  const Term Differ = differ(P, L.T, K.T);
  Assignment Inputs(T.variables(), 0);
  Answer A = Questions->ask(Differ, Inputs);
  if (A == Answer::Impossible)
    return Compared::Proved;
  if (A == Answer::Unknown)
    return end(Where + " is not proved equal: " + Questions->reason());
  // Not if the original has hazards: it may be undefined on the simpler inputs.
  if (Original.hazards().empty())
    simplifyExample(Differ, Inputs);
  return reportValue(Original, Rewritten, B, Element, At, P, L.T, K.T, Inputs);
}

bool Proof::compareElement(Machine &Original, Machine &Rewritten, unsigned B, uint64_t Element) {
  bool Changed = false, AllStructural = true;
  for (const auto &Unit : unitsOf(Buffers[B])) {
    Compared C = compareUnit(Original, Rewritten, B, Element, Unit);
    if (C == Compared::Ended)
      return false;
    Changed |= C != Compared::Unchanged;
    AllStructural &= C != Compared::Proved;
  }
  if (Changed) {
    ++Result.ElementsCompared;
    Result.Structural += AllStructural;
  } else {
    ++Result.ElementsUnchanged;
  }
  return true;
}

void Proof::compareBuffers(Machine &Original, Machine &Rewritten) {
  for (unsigned B = 0; B < Buffers.size(); ++B) {
    uint64_t Count = R.Args[Buffers[B].Argument].Count;
    for (uint64_t Element = 0; Element < Count; ++Element)
      if (!compareElement(Original, Rewritten, B, Element))
        return;
  }
  Result.Outcome = SymbolicOutcome::Proved;
  if (Result.ElementsCompared == 0) {
    Result.Detail = "neither program writes anything at this size";
    return;
  }
  raw_string_ostream OS(Result.Detail);
  OS << "equal for all inputs at this size: " << Result.OriginalItems << " work-items against "
     << Result.RewrittenItems << ", " << Result.ElementsCompared << " elements written ("
     << Result.Structural << " by the same operations";
  if (Questions->questions())
    OS << ", the rest by proof, " << Questions->questionsToZ3()
       << " of them by Z3 and repeated by shape";
  OS << "), " << Result.ElementsUnchanged << " unchanged, loops up to " << Result.LongestLoop
     << " iterations";
}

} // namespace clmali::verify::symbolic
