// Satisfiability: shapes with a known answer, some values, all values, Z3.
//
// Adjacent work-items give the same question about other elements. So an answer is kept by the
// shape of the question: the terms, with their variables numbered in the order of a walk, and their
// bounds.

#include "rewriters/verify/symbolic/Solver.h"
#include "rewriters/verify/symbolic/terms/Z3Terms.h"

#include <algorithm>
#include <random>
#include <utility>

namespace clmali::verify::symbolic {

using namespace llvm;

/// Reads from buffers become choices among their first contents.
struct Solver::Z3 : Z3Terms {
  Z3(const TermStore &T, ArrayRef<BufferContents> Buffers, const SymbolicLimits &Limits)
      : Z3Terms(T, Limits.Megabytes), Buffers(Buffers), Choices(Limits.Choices) {}

protected:
  Z3_ast read(Term Root, Z3_ast Offset) override;

private:
  ArrayRef<BufferContents> Buffers;
  size_t Choices;
};

Solver::Solver(TermStore &T, ArrayRef<BufferContents> Buffers, std::vector<bool> FloatVariables,
               const SymbolicLimits &Limits, std::chrono::steady_clock::time_point Deadline)
    : T(T), Buffers(Buffers), FloatVariables(std::move(FloatVariables)), Limits(Limits),
      Deadline(Deadline) {}

Solver::~Solver() = default;

double Solver::secondsLeft() const {
  return std::chrono::duration<double>(Deadline - std::chrono::steady_clock::now()).count();
}

void Solver::assume(Term Bit) {
  if (!T.isConst(Bit, 1) && std::find(Assumed.begin(), Assumed.end(), Bit) == Assumed.end())
    Assumed.push_back(Bit);
}

std::string Solver::shapeOf(Term Root) const {
  std::string Shape;
  auto put = [&](uint64_t Value) {
    do {
      Shape.push_back(char(Value & 127) | (Value > 127 ? char(128) : char(0)));
      Value >>= 7;
    } while (Value);
  };
  DenseMap<Term, uint32_t> Numbers;
  DenseMap<uint64_t, uint32_t> Renamed;
  std::string Names; // of variables, as they are
  bool Gathers = false;
  std::vector<std::pair<Term, bool>> Stack{{Root, false}};
  while (!Stack.empty()) {
    auto [X, Done] = Stack.back();
    Stack.pop_back();
    if (Numbers.contains(X))
      continue;
    if (!Done) {
      Stack.push_back({X, true});
      ArrayRef<Term> Ops = T.operands(X);
      for (size_t I = Ops.size(); I-- > 0;)
        Stack.push_back({Ops[I], false});
      continue;
    }
    Numbers[X] = uint32_t(Numbers.size());
    const Node &N = T.node(X);
    put(unsigned(N.O));
    put(N.Width);
    if (N.O == Op::Var) {
      put(Renamed.try_emplace(N.Imm, uint32_t(Renamed.size())).first->second);
      put(uint64_t(N.SLo));
      put(uint64_t(N.SHi));
      put(N.ULo);
      put(N.UHi);
      Names += std::to_string(N.Imm) + ' ';
      continue;
    }
    Gathers |= N.O == Op::Read;
    put(N.Imm);
    put(N.Count);
    for (Term Operand : T.operands(X))
      put(Numbers[Operand]);
  }
  // A gather may read any variable of its buffer, so the variables themselves belong to the shape.
  return Gathers ? Shape + Names : Shape;
}

bool Solver::holds(Evaluator &E, Term Bit) const {
  if (!E.value(Bit))
    return false;
  for (Term A : Assumed)
    if (!E.value(A))
      return false;
  return true;
}

uint64_t Solver::sampleOf(unsigned V, unsigned Try, uint64_t R) const {
  static const float Floats[] = {0.0f, 1.0f,  -1.0f, 0.5f,  2.0f,     3.0f,
                                 0.1f, 1e10f, 1e-8f, -7.3f, 16384.0f, 0.7f};
  const Node &N = T.node(T.variableTerm(V));
  uint64_t X = 0;
  if (FloatVariables[V] && Try % 4 != 3) {
    double F = Try % 4 == 0 ? Floats[R % 12] : double(R >> 40) / double(1 << 24) - 0.25;
    X = N.Width == 64   ? llvm::bit_cast<uint64_t>(F)
        : N.Width == 32 ? llvm::bit_cast<uint32_t>(float(F))
                        : R;
  } else {
    switch (Try % 6) {
    case 0:
      X = 0;
      break;
    case 1:
      X = ~0ull;
      break;
    case 2:
      X = R & 1 ? N.UHi : N.ULo;
      break;
    case 3:
      X = R & 1 ? uint64_t(N.SHi) : uint64_t(N.SLo);
      break;
    case 4:
      X = R % 5;
      break;
    default:
      X = R;
      break;
    }
  }
  X &= maskOf(N.Width);
  int64_t S = signedOf(X, N.Width);
  if (X >= N.ULo && X <= N.UHi && S >= N.SLo && S <= N.SHi)
    return X;
  uint64_t Span = N.UHi - N.ULo;
  X = N.SLo < 0 ? uint64_t(N.SLo) + R % (uint64_t(N.SHi - N.SLo) + 1)
                : N.ULo + (Span == ~0ull ? R : R % (Span + 1));
  return X & maskOf(N.Width);
}

bool Solver::tryValues(Evaluator &E, Term Bit, Assignment &Example) {
  constexpr unsigned Tries = 48;
  std::mt19937_64 Random(20240229);
  for (unsigned Try = 0; Try < Tries; ++Try) {
    for (unsigned V : E.variables())
      Example[V] = sampleOf(V, Try, Random());
    E.run(Example);
    if (holds(E, Bit))
      return true;
  }
  return false;
}

Answer Solver::tryAll(Evaluator &E, Term Bit, double Work, Assignment &Example) {
  struct Digit {
    unsigned Variable;
    uint64_t Low, Count, At;
  };
  std::vector<Digit> Digits;
  double Total = double(E.size());
  for (unsigned V : E.variables()) {
    const Node &N = T.node(T.variableTerm(V));
    uint64_t Low = N.SLo < 0 ? uint64_t(N.SLo) : N.ULo;
    uint64_t Span = N.SLo < 0 ? uint64_t(N.SHi - N.SLo) : N.UHi - N.ULo;
    Total *= double(Span) + 1;
    if (Total > Work)
      return Answer::Unknown;
    Digits.push_back({V, Low, Span + 1, 0});
  }
  for (uint64_t Try = 0;; ++Try) {
    for (const Digit &D : Digits)
      Example[D.Variable] = (D.Low + D.At) & maskOf(T.width(T.variableTerm(D.Variable)));
    E.run(Example);
    if (holds(E, Bit))
      return Answer::Possible;
    if ((Try & 4095) == 0 && secondsLeft() < 0)
      return Answer::Unknown;
    size_t I = 0;
    for (; I < Digits.size(); ++I) {
      if (++Digits[I].At < Digits[I].Count)
        break;
      Digits[I].At = 0;
    }
    if (I == Digits.size())
      return Answer::Impossible;
  }
}

Z3_ast Solver::Z3::read(Term Root, Z3_ast Offset) {
  const Node &N = T.node(Root);
  Z3_context C = Context;
  const BufferContents &B = Buffers[N.Imm];
  Term Address = T.operands(Root)[0];
  SmallVector<uint64_t, 64> Offsets;
  if (!T.offsets(Address, B.Cells.size(), N.Width / 8, Choices, Offsets)) {
    Problem = "a gather with too many possible offsets in " + B.Name;
    return number(N.Width, 0);
  }
  // Outside the buffer the value is that of the first element; such inputs are a hazard, which is
  // checked by itself.
  Z3_ast R = nullptr;
  for (uint64_t At : Offsets) {
    Z3_ast X = nullptr;
    for (unsigned I = 0; I < N.Width / 8u; ++I) {
      const Cell &Byte = B.Cells[At + I];
      Z3_ast Whole = translate(Byte.L.T);
      Z3_ast Part = Z3_mk_extract(C, Byte.Byte * 8u + 7, Byte.Byte * 8u, Whole);
      X = X ? Z3_mk_concat(C, Part, X) : Part;
    }
    R = R ? Z3_mk_ite(C, Z3_mk_eq(C, Offset, number(T.width(Address), At)), X, R) : X;
  }
  return R;
}

Answer Solver::askZ3(Term Bit, bool WithAssumptions, Assignment &Example) {
  if (!Z)
    Z = std::make_unique<Z3>(T, Buffers, Limits);
  Z3_context C = Z->context();
  Z3_ast Goal = Z->translate(Bit);
  SmallVector<Term, 8> Roots{Bit};
  if (WithAssumptions)
    Roots.append(Assumed.begin(), Assumed.end());
  SmallVector<Z3_ast, 8> Extra;
  bool HasCall = T.node(Bit).HasCall;
  if (WithAssumptions)
    for (Term A : Assumed) {
      Extra.push_back(Z->translate(A));
      HasCall |= T.node(A).HasCall;
    }
  if (std::string Why = Z->takeProblem(); !Why.empty()) {
    Reason = Why;
    return Answer::Unknown;
  }
  double Seconds = std::min(Limits.SolverSeconds, secondsLeft());
  if (Seconds <= 0) {
    Reason = "out of time";
    return Answer::Unknown;
  }
  ++QuestionsToZ3;
  Z3_solver S = Z3_mk_solver_for_logic(C, Z3_mk_string_symbol(C, HasCall ? "QF_UFBV" : "QF_BV"));
  Z3_solver_inc_ref(C, S);
  Z3_params P = Z3_mk_params(C);
  Z3_params_inc_ref(C, P);
  Z3_params_set_uint(C, P, Z3_mk_string_symbol(C, "timeout"), unsigned(Seconds * 1000) + 1);
  Z3_solver_set_params(C, S, P);
  Z3_solver_assert(C, S, Z->isSet(Goal));
  for (Z3_ast A : Extra)
    Z3_solver_assert(C, S, Z->isSet(A));
  Evaluator E(T, Buffers, Roots);
  for (unsigned V : E.variables()) {
    Term X = T.variableTerm(V);
    Z->assertBounds(S, T.node(X), Z->translate(X));
  }
  Z3_lbool R = Z3_solver_check(C, S);
  Answer Result = Answer::Unknown;
  if (Z3_get_error_code(C) != Z3_OK) {
    Reason = std::string("Z3: ") + Z3_get_error_msg(C, Z3_get_error_code(C));
  } else if (R == Z3_L_FALSE) {
    Result = Answer::Impossible;
  } else if (R == Z3_L_UNDEF) {
    Reason = std::string("Z3 gave no answer: ") + Z3_solver_get_reason_unknown(C, S);
  } else {
    Z3_model M = Z3_solver_get_model(C, S);
    Z3_model_inc_ref(C, M);
    for (unsigned V : E.variables()) {
      Z3_ast Value = nullptr;
      uint64_t Number = 0;
      Z3_ast A = Z->translate(T.variableTerm(V));
      if (Z3_model_eval(C, M, A, true, &Value) && Value)
        Z3_get_numeral_uint64(C, Value, &Number);
      Example[V] = Number;
    }
    Z3_model_dec_ref(C, M);
    E.run(Example);
    // The solver may choose any value for an uninterpreted function; the real value decides.
    bool Shown = E.value(Bit);
    for (Term A : WithAssumptions ? ArrayRef<Term>(Assumed) : ArrayRef<Term>())
      Shown &= E.value(A) != 0;
    Result = Shown ? Answer::Possible : Answer::Unknown;
    if (!Shown)
      Reason = HasCall ? "floating-point operations differ in kind or order"
                       : "the solver's model does not show the difference";
  }
  Z3_params_dec_ref(C, P);
  Z3_solver_dec_ref(C, S);
  return Result;
}

Answer Solver::ask(Term Bit, Assignment &Example) {
  if (T.isConst(Bit, 0))
    return Answer::Impossible;
  ++Questions;
  if (T.node(Bit).HasUndef) {
    Reason = "an uninitialised value";
    return Answer::Unknown;
  }
  std::string Shape = shapeOf(Bit);
  if (Impossible.count(Shape))
    return Answer::Impossible;
  if (secondsLeft() < 0) {
    Reason = "out of time";
    return Answer::Unknown;
  }
  std::vector<Term> Roots{Bit};
  Roots.insert(Roots.end(), Assumed.begin(), Assumed.end());
  Evaluator E(T, Buffers, Roots);
  Assignment Tried(T.variables(), 0);
  if (tryValues(E, Bit, Tried)) {
    Example = std::move(Tried);
    return Answer::Possible;
  }
  Tried.assign(T.variables(), 0);
  bool HasCall = T.node(Bit).HasCall;
  // A small search is faster than the solver. A large one follows if the solver gave no answer.
  Answer R = Answer::Unknown;
  if (!HasCall && Assumed.empty())
    R = tryAll(E, Bit, 1e7, Tried);
  // If it is 0 for every value of a sum, it is 0 for those that the sum takes.
  if (R == Answer::Unknown && !HasCall && impossibleForSums(Bit, 1e7))
    R = Answer::Impossible;
  if (R == Answer::Unknown) {
    R = askZ3(Bit, false, Tried);
    if (R == Answer::Possible && !Assumed.empty()) {
      E.run(Tried);
      if (!holds(E, Bit)) {
        // Inputs on which the original is undefined do not count.
        R = askZ3(Bit, true, Tried);
        if (R == Answer::Impossible)
          return R;
      }
    }
  }
  if (R == Answer::Unknown && !HasCall && Assumed.empty()) {
    Answer All = tryAll(E, Bit, Limits.LongSearch, Tried);
    if (All != Answer::Unknown)
      R = All;
  }
  if (R == Answer::Impossible)
    Impossible.insert(std::move(Shape));
  if (R == Answer::Possible)
    Example = std::move(Tried);
  return R;
}

} // namespace clmali::verify::symbolic
