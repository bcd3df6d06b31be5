// The symbolic rung: both programs, all their work-items, and the comparison.
//
//   1  compile both, bind the same symbols to both (one for each element)
//   2  run the original; what it does wrong for some inputs is left out of the
//      question, what it does wrong for all makes the rung unclimbable
//   3  run the rewritten program; a hazard that the original has not is a
//      counterexample, or shown to be impossible
//   4  compare all buffers, element by element: same term, or ask the solver
//
// Where the host promises ranges for integers the proof is tried without them
// first, so that it says more than was asked for if it can.

#include "rewriters/verify/symbolic/Symbolic.h"

#include "rewriters/verify/symbolic/Compile.h"
#include "rewriters/verify/symbolic/Machine.h"
#include "rewriters/verify/symbolic/Solver.h"

#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Metadata.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

namespace clmali::verify {

using namespace llvm;
using namespace symbolic;
using Clock = std::chrono::steady_clock;

StringRef toString(SymbolicOutcome O) {
  switch (O) {
  case SymbolicOutcome::Proved:
    return "proved";
  case SymbolicOutcome::Counterexample:
    return "counterexample";
  case SymbolicOutcome::NotClimbed:
    return "not climbed";
  }
  return "not climbed";
}

namespace {

/// One proof under way.
class Proof {
public:
  Proof(const SymbolicRequest &R, bool WithRanges, Clock::time_point Deadline)
      : R(R), WithRanges(WithRanges), Deadline(Deadline) {}
  SymbolicResult run();

private:
  struct Buffer {
    unsigned Argument = 0;
    ParameterInfo Info;
    std::vector<Cell> Cells;
  };
  bool compile();
  bool isShared(unsigned I) const;
  bool bind();
  bool bindScalar(unsigned I, const Argument &Parameter);
  std::unique_ptr<Machine> execute(const Module &M, bool Rewritten);
  void boundNarrow(const Machine &Rewritten);
  bool checkOriginal(const Machine &Original);
  bool checkRewritten(const Machine &Original, Machine &Rewritten);
  void compareBuffers(Machine &Original, Machine &Rewritten);
  /// False: the proof ends here.
  bool compareElement(Machine &Original, Machine &Rewritten, unsigned B, uint64_t Element);
  SymbolicExample example(SymbolicExample::Kind K, Assignment Inputs) const;
  void simplifyExample(Term Differ, Assignment &Inputs) const;
  std::string print(const ParameterInfo &P, uint64_t Value) const;
  std::vector<BufferContents> contents(bool Rewritten) const;
  bool stop(const Twine &Why) {
    Result.Outcome = SymbolicOutcome::NotClimbed;
    Result.Detail = Why.str();
    return false;
  }

  const SymbolicRequest &R;
  bool WithRanges;
  Clock::time_point Deadline;
  SymbolicResult Result;
  LLVMContext Context;
  CompiledProgram Programs[2];
  std::vector<ParameterInfo> Parameters; ///< of the original
  std::vector<bool> ReadOnly[2];         ///< by argument
  TermStore T;
  std::vector<Buffer> Buffers;
  std::vector<BoundArgument> Bound;
  std::vector<bool> FloatVariables;
  std::unique_ptr<Solver> Questions;
  std::vector<BufferContents> SolverBuffers;
};

} // namespace

/// Whether a buffer is passed under another name too.
bool Proof::isShared(unsigned I) const {
  return R.Args[I].SameAs ||
         any_of(R.Args, [&](const SymbolicArgument &A) { return A.SameAs && *A.SameAs == I; });
}

/// Whether #if asks for what differs between devices: Clang answers for SPIR.
static bool asksForDevice(StringRef Source) {
  SmallVector<StringRef, 64> Lines;
  Source.split(Lines, '\n', -1, false);
  for (StringRef Line : Lines) {
    Line = Line.ltrim();
    if (!Line.consume_front("#"))
      continue;
    Line = Line.ltrim();
    if (!Line.starts_with("if") && !Line.starts_with("elif"))
      continue;
    for (StringRef Word :
         {"cl_", "__OPENCL", "__IMAGE", "__ENDIAN", "__GPU", "__CPU", "__POCL", "__FAST_REL",
          "FP_FAST", "__SPIR", "__NV", "__AMD", "__INTEL", "__x86", "__ARM"})
      if (Line.contains(Word))
        return true;
  }
  return false;
}

bool Proof::compile() {
  for (bool Rewritten : {false, true}) {
    const SymbolicProgram &P = Rewritten ? R.Rewritten : R.Original;
    Expected<CompiledProgram> C = compileProgram(P, R.AddressBits, R.Clang, Context);
    if (!C)
      return stop(Twine(Rewritten ? "rewritten" : "original") + ": " +
                  llvm::toString(C.takeError()));
    Programs[Rewritten] = std::move(*C);
    const char *Macros = "macros that depend on the device have the values that Clang gives them";
    if (asksForDevice(P.Source) && !is_contained(Result.Assumptions, Macros))
      Result.Assumptions.push_back(Macros);
  }
  for (bool Rewritten : {false, true}) {
    std::vector<SymbolicLaunch> Launches = R.RewrittenLaunches;
    if (!Rewritten)
      Launches = {R.OriginalLaunch};
    ReadOnly[Rewritten].assign(R.Args.size(), true);
    for (const SymbolicLaunch &L : Launches) {
      const Function *F = Programs[Rewritten].M->getFunction(L.Kernel);
      if (!F || F->isDeclaration() || F->getCallingConv() != CallingConv::SPIR_KERNEL)
        return stop("no kernel named " + L.Kernel + " in the " +
                    (Rewritten ? "rewritten" : "original") + " program");
      Expected<std::vector<ParameterInfo>> P = parametersOf(*F);
      if (!P)
        return stop(llvm::toString(P.takeError()));
      if (P->size() != R.Args.size())
        return stop("kernel " + L.Kernel + " has " + Twine(P->size()) +
                    " parameters, the request " + Twine(R.Args.size()));
      for (size_t I = 0; I < P->size(); ++I)
        ReadOnly[Rewritten][I] = ReadOnly[Rewritten][I] && (*P)[I].ReadOnly;
      if (!Rewritten)
        Parameters = std::move(*P);
      if (const MDNode *Size = F->getMetadata("reqd_work_group_size"))
        for (unsigned D = 0; D < 3 && D < Size->getNumOperands(); ++D) {
          auto *C = mdconst::dyn_extract<ConstantInt>(Size->getOperand(D));
          if (!L.Shape.hasLocal() ||
              (C && C->getZExtValue() != std::max<uint64_t>(L.Shape.Local[D], 1)))
            return stop("kernel " + L.Kernel +
                        " requires another group size than it is launched with");
        }
      for (size_t I = 0; I < P->size(); ++I)
        if (isShared(unsigned(I)) && F->getArg(unsigned(I))->hasNoAliasAttr())
          return stop("kernel " + L.Kernel + " says restrict of " + R.Args[I].Name +
                      ", which is passed twice");
    }
  }
  return true;
}

bool Proof::bindScalar(unsigned I, const Argument &Parameter) {
  const SymbolicArgument &A = R.Args[I];
  const ParameterInfo &P = Parameters[I];
  BoundArgument &B = Bound[I];
  auto fresh = [&](unsigned Bits, bool Float) {
    FloatVariables.push_back(Float);
    return T.variable(Bits);
  };
  if (Parameter.hasByValAttr()) {
    uint64_t Bytes = Programs[0].M->getDataLayout().getTypeAllocSize(Parameter.getParamByValType());
    if (A.Values && A.Values->size() != Bytes)
      return stop("argument " + A.Name + " has " + Twine(A.Values->size()) + " bytes, its type " +
                  Twine(Bytes));
    for (uint64_t N = 0; N < Bytes; ++N)
      B.Bytes.push_back(
          {{A.Values ? T.constant(8, uint64_t((*A.Values)[N])) : fresh(8, false), NoObject}, 0, 1});
    return true;
  }
  auto *V = dyn_cast<FixedVectorType>(Parameter.getType());
  unsigned Count = V ? V->getNumElements() : 1;
  unsigned Bits = Parameter.getType()->getScalarSizeInBits();
  if (Bits == 0 || Bits > 64)
    return stop("the type of argument " + A.Name);
  if (A.Values && !P.Float && A.Values->size() != Count)
    return stop("argument " + A.Name + " has " + Twine(A.Values->size()) + " values, its type " +
                Twine(Count));
  for (unsigned N = 0; N < Count; ++N)
    B.Components.push_back(A.Values && !P.Float ? T.constant(Bits, uint64_t((*A.Values)[N]))
                                                : fresh(Bits, P.Float));
  return true;
}

bool Proof::bind() {
  const Function *F = Programs[0].M->getFunction(R.OriginalLaunch.Kernel);
  uint64_t Total = 0;
  Bound.resize(R.Args.size());
  for (unsigned I = 0; I < R.Args.size(); ++I) {
    const SymbolicArgument &A = R.Args[I];
    ParameterInfo &P = Parameters[I];
    BoundArgument &B = Bound[I];
    B.Name = A.Name;
    if (P.Buffer != (A.K == SymbolicArgument::Kind::Buffer) ||
        P.Local != (A.K == SymbolicArgument::Kind::Local))
      return stop("argument " + A.Name + " is of another kind than parameter " + Twine(I + 1) +
                  " of " + R.OriginalLaunch.Kernel);
    if (A.K == SymbolicArgument::Kind::Local) {
      B.K = BoundArgument::Kind::Local;
      B.LocalBytes = A.LocalBytes;
      continue;
    }
    if (A.K == SymbolicArgument::Kind::Scalar) {
      if (!bindScalar(I, *F->getArg(I)))
        return false;
      continue;
    }
    B.K = BoundArgument::Kind::Buffer;
    if (A.SameAs) {
      if (*A.SameAs >= I || Bound[*A.SameAs].K != BoundArgument::Kind::Buffer)
        return stop("argument " + A.Name + " is the same as no earlier buffer");
      B.Buffer = Bound[*A.SameAs].Buffer;
      continue;
    }
    if (P.Bits == 0) {
      // A struct: its bytes.
      Expected<uint64_t> Size = sizeOfType(R.Original, P.TypeName, R.AddressBits, R.Clang, Context);
      if (!Size || *Size == 0 || *Size > 4096) {
        consumeError(Size.takeError());
        return stop("argument " + A.Name + " is a buffer of " + P.TypeName);
      }
      P.Bits = 8;
      P.Signed = false;
      P.Bytes = true;
      P.Count = unsigned(*Size);
    }
    unsigned Bytes = P.Bits / 8;
    if (A.Count > R.Limits.BufferBytes ||
        (Total += A.Count * P.stride() * Bytes) > R.Limits.BufferBytes)
      return stop("buffers of more than " + Twine(R.Limits.BufferBytes) + " bytes");
    Buffer New;
    New.Argument = I;
    New.Info = P;
    for (uint64_t N = 0; N < A.Count * P.stride(); ++N) {
      Term X = WithRanges && A.Range && !P.Float && !P.Bytes
                   ? T.variableBetween(P.Bits, A.Range->first, A.Range->second)
                   : T.variable(P.Bits);
      FloatVariables.push_back(P.Float);
      for (unsigned Byte = 0; Byte < Bytes; ++Byte)
        New.Cells.push_back({{X, NoObject}, uint8_t(Byte), uint8_t(Bytes)});
    }
    B.Buffer = unsigned(Buffers.size());
    Buffers.push_back(std::move(New));
  }
  return true;
}

std::vector<BufferContents> Proof::contents(bool Rewritten) const {
  std::vector<BufferContents> C;
  for (const Buffer &B : Buffers) {
    BufferContents New;
    New.Name = R.Args[B.Argument].Name;
    New.ElementBytes = B.Info.stride() * B.Info.Bits / 8;
    New.ReadOnly = true;
    // Under two names it is only as constant as the weaker one says.
    for (unsigned I = 0; I < Bound.size(); ++I)
      if (Bound[I].K == BoundArgument::Kind::Buffer && Bound[I].Buffer == C.size())
        New.ReadOnly = New.ReadOnly && ReadOnly[Rewritten][I];
    New.Cells = B.Cells;
    C.push_back(std::move(New));
  }
  return C;
}

std::unique_ptr<Machine> Proof::execute(const Module &M, bool Rewritten) {
  auto Run = std::make_unique<Machine>(T, R.Limits, M, contents(Rewritten), Deadline);
  std::vector<SymbolicLaunch> Launches = R.RewrittenLaunches;
  if (!Rewritten)
    Launches = {R.OriginalLaunch};
  for (const SymbolicLaunch &L : Launches)
    if (!Run->launch(L, Bound))
      break;
  Result.Instructions += Run->instructions();
  Result.LongestLoop = std::max(Result.LongestLoop, Run->longestLoop());
  (Rewritten ? Result.RewrittenItems : Result.OriginalItems) = Run->items();
  for (const std::string &A : Run->assumptions())
    if (!is_contained(Result.Assumptions, A))
      Result.Assumptions.push_back(A);
  // Variables made on the way stand for values that do not matter.
  FloatVariables.resize(T.variables(), false);
  return Run;
}

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
    if (B.K == BoundArgument::Kind::Local)
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

// As many zeros as possible: what is left is what matters.
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

void Proof::boundNarrow(const Machine &Rewritten) {
  constexpr size_t MostCorners = 8;
  const NarrowArithmetic &Narrow = Rewritten.narrow();
  SymbolicInterval &I = Result.Interval;
  I.Climbed = Rewritten.reason().empty();
  I.Sites = Narrow.sites();
  I.MayLeave = Narrow.mayLeave();
  I.Operations = Narrow.operations();
  for (NarrowCorner &C : Narrow.corners(T, MostCorners))
    I.Corners.push_back(
        {std::move(C.What), example(SymbolicExample::Kind::Value, std::move(C.Inputs)).Inputs});
}

bool Proof::checkOriginal(const Machine &Original) {
  for (const Hazard &H : Original.hazards())
    if (T.isConst(H.Path, 1) && T.isConst(H.Bad, 1))
      return stop("the original " + H.What + " at this size, in work-item " + H.WorkItem);
  if (!Original.reason().empty())
    return stop("original: " + Original.reason());
  for (const Hazard &H : Original.hazards())
    Questions->assume(T.bitNot(T.bitAnd(H.Path, H.Bad)));
  if (!Original.hazards().empty())
    Result.Assumptions.push_back(
        "inputs for which the original strays from its buffers, divides by "
        "zero or is misaligned are left out");
  return true;
}

bool Proof::checkRewritten(const Machine &Original, Machine &Rewritten) {
  DenseSet<Term> Known;
  for (const Hazard &H : Original.hazards())
    Known.insert(T.bitAnd(H.Path, H.Bad));
  for (const Hazard &H : Rewritten.hazards()) {
    Term Bad = T.bitAnd(H.Path, H.Bad);
    if (Known.count(Bad))
      continue;
    Assignment Inputs(T.variables(), 0);
    Answer A = Questions->ask(Bad, Inputs);
    if (A == Answer::Impossible)
      continue;
    std::string Text = "the rewritten program " + H.What +
                       ", which the original does not, in work-item " + H.WorkItem;
    if (A == Answer::Unknown)
      return stop("it is not shown that not " + Text + ": " + Questions->reason());
    if (H.K != Hazard::Kind::Bounds)
      return stop("for some inputs " + Text);
    Result.Example = example(SymbolicExample::Kind::OutOfBounds, std::move(Inputs));
    Result.Example->Argument = H.Argument;
    Result.Example->Element = H.Element;
    Result.Example->WorkItem = H.WorkItem;
    Result.Example->MustBeReplayed = T.node(Bad).HasCall;
    Result.Outcome =
        T.node(Bad).HasCall ? SymbolicOutcome::NotClimbed : SymbolicOutcome::Counterexample;
    Result.Detail = Text;
    return false;
  }
  if (const std::optional<RaceReport> &Race = Rewritten.race()) {
    if (!Race->Definite)
      return stop("rewritten: " + Rewritten.reason());
    Result.Example = example(SymbolicExample::Kind::Race, {});
    Result.Example->Argument = Race->Argument;
    Result.Example->Element = Race->Element;
    Result.Example->WorkItem = Race->First + " and " + Race->Second;
    Result.Outcome = SymbolicOutcome::Counterexample;
    Result.Detail =
        "the rewritten program has " + Rewritten.reason() + ", which the original has not";
    return false;
  }
  if (!Rewritten.reason().empty())
    return stop("rewritten: " + Rewritten.reason());
  return true;
}

bool Proof::compareElement(Machine &Original, Machine &Rewritten, unsigned B, uint64_t Element) {
  const Buffer &Buf = Buffers[B];
  const SymbolicArgument &Argument = R.Args[Buf.Argument];
  // What is compared as one: a lane, a floating-point field of a struct, a byte of the rest.
  std::vector<std::pair<unsigned, unsigned>> Units;
  const unsigned ElementBytes = Buf.Info.stride() * Buf.Info.Bits / 8;
  for (unsigned Offset = 0; Offset < ElementBytes;) {
    unsigned Size = Buf.Info.Bits / 8;
    for (const auto &[Start, Length] : Argument.Fields.Floats)
      if (Buf.Info.Bytes && Start == Offset)
        Size = Length;
    if (!Buf.Info.Bytes || !is_contained(Argument.Fields.Padding, Offset))
      Units.push_back({Offset, Size});
    Offset += Size;
  }
  bool Compared = false, AllStructural = true;
  for (const auto &[Offset, Bytes] : Units) {
    const unsigned N = Offset / Bytes;
    ParameterInfo P = Buf.Info;
    if (P.Bytes && Bytes > 1)
      P.Float = true;
    P.Bits = Bytes * 8;
    uint64_t At = Element * ElementBytes + Offset;
    const Object &X = Original.buffer(B), &Y = Rewritten.buffer(B);
    bool Unchanged = true;
    for (unsigned I = 0; I < Bytes && Unchanged; ++I)
      Unchanged = X.Cells[At + I] == Buf.Cells[At + I] && Y.Cells[At + I] == Buf.Cells[At + I];
    if (Unchanged)
      continue;
    Compared = true;
    Lane L = Original.peek(X, At, Bytes), K = Rewritten.peek(Y, At, Bytes);
    const std::string &Name = R.Args[Buf.Argument].Name;
    std::string Where = formatv("{0}[{1}]", Name, Element).str();
    if (!L.T || !K.T || L.isPointer() || K.isPointer())
      return stop("a pointer is stored in " + Where);
    // The fourth part of a vector of three is padding, and so is nobody's.
    if (N == 3 && P.Count == 3 && !P.Bytes && T.isUndef(L.T))
      continue;
    if (T.node(L.T).HasUndef || T.node(K.T).HasUndef)
      return stop("an uninitialised value may reach " + Where + " in the " +
                  (T.node(L.T).HasUndef ? "original" : "rewritten") + " program");
    bool Calls = T.node(L.T).HasCall || T.node(K.T).HasCall;
    if (Calls && (Programs[0].RelaxedMath || Programs[1].RelaxedMath))
      return stop("the build options let the device change floating-point "
                  "results");
    if (L.T == K.T)
      continue;
    AllStructural = false;
    Term Differ = T.bitNot(T.eq(L.T, K.T));
    if (P.Float) {
      auto nan = [&](Term V) {
        uint64_t Infinity = P.Bits == 16 ? 0x7c00 : P.Bits == 32 ? 0x7f800000 : 0x7ff0000000000000;
        return T.ult(T.constant(P.Bits, Infinity),
                     T.bitAnd(V, T.constant(P.Bits, maskOf(P.Bits) >> 1)));
      };
      Differ = T.bitAnd(Differ, T.bitNot(T.bitAnd(nan(L.T), nan(K.T))));
    }
    Assignment Inputs(T.variables(), 0);
    Answer A = Questions->ask(Differ, Inputs);
    if (A == Answer::Impossible)
      continue;
    if (A == Answer::Unknown)
      return stop(Where + " is not proved equal: " + Questions->reason());
    // Fewer inputs could be ones for which the original is not defined.
    if (Original.hazards().empty())
      simplifyExample(Differ, Inputs);
    Evaluator Values(T, SolverBuffers, {L.T, K.T});
    Values.run(Inputs);
    Result.Example = example(SymbolicExample::Kind::Value, Inputs);
    SymbolicExample &E = *Result.Example;
    E.Argument = Name;
    E.Element = Element;
    E.Expected = print(P, Values.value(L.T));
    E.Got = print(P, Values.value(K.T));
    E.WorkItem = Rewritten.writerOf(B, At);
    if (E.WorkItem.empty())
      E.WorkItem = Original.writerOf(B, At);
    E.MustBeReplayed = Calls;
    Result.Outcome = Calls ? SymbolicOutcome::NotClimbed : SymbolicOutcome::Counterexample;
    Result.Detail =
        formatv("{0} is {1} in the original and {2} in the rewritten program{3}", Where, E.Expected,
                E.Got, Calls ? ", as this host computes floating point: to be replayed" : "")
            .str();
    return false;
  }
  if (Compared) {
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
     << " turns";
}

SymbolicResult Proof::run() {
  if (!compile())
    return Result;
  uint64_t Items = R.OriginalLaunch.Shape.items();
  for (const SymbolicLaunch &L : R.RewrittenLaunches)
    Items += L.Shape.items();
  if (Items > R.Limits.WorkItems) {
    stop("more than " + Twine(R.Limits.WorkItems) + " work-items");
    return Result;
  }
  if (!bind())
    return Result;
  SolverBuffers = contents(false);
  std::unique_ptr<Machine> Original = execute(*Programs[0].M, false);
  // What the rewritten kernel can come to is worth knowing by itself.
  auto boundOnly = [&] {
    boundNarrow(*execute(*Programs[1].M, true));
    return Result;
  };
  Questions = std::make_unique<Solver>(T, SolverBuffers, FloatVariables, R.Limits, Deadline);
  if (!checkOriginal(*Original))
    return boundOnly();
  std::unique_ptr<Machine> Rewritten = execute(*Programs[1].M, true);
  Questions->setFloatVariables(FloatVariables);
  boundNarrow(*Rewritten);
  if (checkRewritten(*Original, *Rewritten))
    compareBuffers(*Original, *Rewritten);
  Result.Questions = Questions->questions();
  Result.QuestionsToZ3 = Questions->questionsToZ3();
  return Result;
}

SymbolicResult proveEquivalent(const SymbolicRequest &Request) {
  auto Start = Clock::now();
  auto Deadline = Start + std::chrono::milliseconds(uint64_t(Request.Limits.Seconds * 1000));
  SymbolicResult Result = Proof(Request, false, Deadline).run();
  bool Ranges = any_of(Request.Args, [](const SymbolicArgument &A) {
    return A.K == SymbolicArgument::Kind::Buffer && A.Range.has_value();
  });
  if (Ranges && Result.Outcome != SymbolicOutcome::Proved) {
    Result = Proof(Request, true, Deadline).run();
    for (const SymbolicArgument &A : Request.Args)
      if (A.K == SymbolicArgument::Kind::Buffer && A.Range)
        Result.Assumptions.push_back(
            formatv("{0} holds values from {1} to {2}", A.Name, A.Range->first, A.Range->second)
                .str());
  }
  for (const SymbolicArgument &A : Request.Args)
    if (A.Pinned && A.Values) {
      std::string Text = A.Name + " is";
      for (int64_t V : *A.Values)
        Text += " " + std::to_string(V);
      Result.Assumptions.push_back(std::move(Text));
    }
  Result.Seconds = std::chrono::duration<double>(Clock::now() - Start).count();
  Result.OutOfTime =
      Result.Outcome == SymbolicOutcome::NotClimbed && !Result.Example && Clock::now() > Deadline;
  return Result;
}

} // namespace clmali::verify
