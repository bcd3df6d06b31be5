// Coverage in integer arithmetic, by Z3.
//
// Launch expressions are exact: an overflow is an error of the launch, and nothing runs. Division
// by constants is linear. The blocks are those that tile the launch files' own sizes; the proof
// then is for all sizes.
#include "rewriters/verify/generic/Coverage.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/MathExtras.h"

#include <z3.h>

#include <algorithm>
#include <functional>

namespace clmali::verify::generic {

using namespace llvm;
using launch::Expression;
using launch::ManifestKernel;
using launch::ManifestLaunch;

namespace {

/// Milliseconds for one question.
constexpr unsigned QuestionTime = 1500;

/// Integers and conditions in Z3.
class Integers {
public:
  Integers() {
    Z3_config Config = Z3_mk_config();
    C = Z3_mk_context(Config);
    Z3_del_config(Config);
    Z3_set_error_handler(C, [](Z3_context, Z3_error_code) {});
    S = Z3_mk_solver(C);
    Z3_solver_inc_ref(C, S);
    Z3_params P = Z3_mk_params(C);
    Z3_params_inc_ref(C, P);
    Z3_params_set_uint(C, P, Z3_mk_string_symbol(C, "timeout"), QuestionTime);
    Z3_solver_set_params(C, S, P);
    Z3_params_dec_ref(C, P);
  }
  ~Integers() {
    Z3_solver_dec_ref(C, S);
    Z3_del_context(C);
  }
  Integers(const Integers &) = delete;
  Integers &operator=(const Integers &) = delete;

  Z3_ast number(int64_t V) { return Z3_mk_int64(C, V, Z3_mk_int_sort(C)); }
  Z3_ast name(const std::string &Name) {
    if (auto It = Known.find(Name); It != Known.end())
      return number(It->second);
    return Z3_mk_const(C, Z3_mk_string_symbol(C, Name.c_str()), Z3_mk_int_sort(C));
  }
  Z3_ast both(ArrayRef<Z3_ast> All) { return Z3_mk_and(C, All.size(), All.data()); }
  Z3_ast either(ArrayRef<Z3_ast> All) { return Z3_mk_or(C, All.size(), All.data()); }
  Z3_ast no(Z3_ast X) { return Z3_mk_not(C, X); }
  Z3_ast le(Z3_ast A, Z3_ast B) { return Z3_mk_le(C, A, B); }
  Z3_ast lt(Z3_ast A, Z3_ast B) { return Z3_mk_lt(C, A, B); }
  Z3_ast eq(Z3_ast A, Z3_ast B) { return Z3_mk_eq(C, A, B); }
  Z3_ast add(Z3_ast A, Z3_ast B) {
    Z3_ast Both[] = {A, B};
    return Z3_mk_add(C, 2, Both);
  }
  Z3_ast sub(Z3_ast A, Z3_ast B) {
    Z3_ast Both[] = {A, B};
    return Z3_mk_sub(C, 2, Both);
  }
  Z3_ast mul(Z3_ast A, Z3_ast B) {
    Z3_ast Both[] = {A, B};
    return Z3_mk_mul(C, 2, Both);
  }
  Z3_ast mod(Z3_ast A, Z3_ast B) { return Z3_mk_mod(C, A, B); }
  Z3_ast ite(Z3_ast Condition, Z3_ast A, Z3_ast B) { return Z3_mk_ite(C, Condition, A, B); }
  void assume(Z3_ast X) { Z3_solver_assert(C, S, X); }
  Z3_lbool possible(Z3_ast X) {
    Z3_solver_push(C, S);
    Z3_solver_assert(C, S, X);
    Z3_lbool R = Z3_solver_check(C, S);
    if (Z3_get_error_code(C) != Z3_OK)
      R = Z3_L_UNDEF;
    if (R == Z3_L_TRUE) {
      Z3_model M = Z3_solver_get_model(C, S);
      if (M)
        Example = Z3_model_to_string(C, M);
    }
    Z3_solver_pop(C, S, 1);
    return R;
  }
  std::string Example;                  ///< of the last question that was possible
  std::map<std::string, int64_t> Known; ///< names that stand for numbers

  Z3_ast integer(const Expression &E);
  Z3_ast condition(const Expression &E);

private:
  struct Value {
    Z3_ast Integer = nullptr, Condition = nullptr;
  };
  Z3_ast asInteger(Value V) {
    return V.Integer ? V.Integer : ite(V.Condition, number(1), number(0));
  }
  Z3_ast asCondition(Value V) { return V.Condition ? V.Condition : no(eq(V.Integer, number(0))); }
  Value translate(const Expression &E);
  Z3_ast divide(Z3_ast A, Z3_ast B, bool Remainder);
  Value binary(Expression::Op Kind, Value A, Value B);

  Z3_context C = nullptr;
  Z3_solver S = nullptr;
};

/// With C's truncation; Z3's quotient is rounded down where the divisor is positive.
Z3_ast Integers::divide(Z3_ast A, Z3_ast B, bool Remainder) {
  auto magnitude = [&](Z3_ast X) { return ite(lt(X, number(0)), sub(number(0), X), X); };
  Z3_ast P = magnitude(A), Q = magnitude(B);
  if (Remainder) {
    Z3_ast R = Z3_mk_mod(C, P, Q);
    return ite(lt(A, number(0)), sub(number(0), R), R);
  }
  Z3_ast R = Z3_mk_div(C, P, Q);
  return ite(eq(lt(A, number(0)), lt(B, number(0))), R, sub(number(0), R));
}

Integers::Value Integers::binary(Expression::Op Kind, Value L, Value R) {
  using Op = Expression::Op;
  if (Kind == Op::And || Kind == Op::Or) {
    Z3_ast Both[] = {asCondition(L), asCondition(R)};
    return {nullptr, Kind == Op::And ? both(Both) : either(Both)};
  }
  Z3_ast A = asInteger(L), B = asInteger(R);
  switch (Kind) {
  case Op::Add:
    return {add(A, B), nullptr};
  case Op::Subtract:
    return {sub(A, B), nullptr};
  case Op::Multiply:
    return {mul(A, B), nullptr};
  case Op::Divide:
  case Op::Remainder:
    return {divide(A, B, Kind == Op::Remainder), nullptr};
  case Op::Less:
    return {nullptr, lt(A, B)};
  case Op::LessEqual:
    return {nullptr, le(A, B)};
  case Op::Greater:
    return {nullptr, lt(B, A)};
  case Op::GreaterEqual:
    return {nullptr, le(B, A)};
  case Op::Equal:
    return {nullptr, eq(A, B)};
  case Op::NotEqual:
    return {nullptr, no(eq(A, B))};
  case Op::RoundUp: {
    Z3_ast Over = Z3_mk_mod(C, A, B);
    return {ite(eq(Over, number(0)), A, sub(add(A, B), Over)), nullptr};
  }
  case Op::Minimum:
    return {ite(le(A, B), A, B), nullptr};
  default:
    return {ite(le(A, B), B, A), nullptr};
  }
}

Integers::Value Integers::translate(const Expression &E) {
  std::vector<Value> Done;
  for (const Expression::Node &N : E.nodes()) {
    if (N.Kind == Expression::Op::Number)
      Done.push_back({number(N.Value), nullptr});
    else if (N.Kind == Expression::Op::Name)
      Done.push_back({name(N.Name), nullptr});
    else if (N.Kind == Expression::Op::Negate)
      Done.push_back({sub(number(0), asInteger(Done[N.Left])), nullptr});
    else
      Done.push_back(binary(N.Kind, Done[N.Left], Done[N.Right]));
  }
  return Done.back();
}

Z3_ast Integers::integer(const Expression &E) { return asInteger(translate(E)); }
Z3_ast Integers::condition(const Expression &E) { return asCondition(translate(E)); }

std::string axisName(char Kind, unsigned D) { return {Kind, "xyz"[D]}; }

/// One proof of coverage.
class CoverageProof {
public:
  CoverageProof(const ManifestKernel &M, const LaunchFacts &Original, ArrayRef<ScalarRange> Scalars)
      : M(M), Original(Original), Scalars(Scalars) {
    for (unsigned D = 0; D < 3; ++D) {
      if (Original.Local[0])
        Z.Known[axisName('l', D)] = int64_t(Original.Local[D]);
      if (Original.NoOffset)
        Z.Known[axisName('o', D)] = 0;
    }
    assumeOriginal();
  }
  Covered run(const std::map<std::string, launch::Blocks> &Blocks);
  bool consistsOfBlocks(const LaunchClaim &Claim, const std::array<uint64_t, 3> &Size);

private:
  void assumeOriginal();
  bool describe(unsigned Index);
  bool never(Z3_ast Bad, const Twine &What);
  std::optional<uint64_t> largest(Z3_ast When, Z3_ast Value);

  struct Box {
    Z3_ast When = nullptr;
    std::array<Z3_ast, 3> Low{}, High{}; ///< by axis of the original
  };
  Box boxOf(const ManifestLaunch &L, const LaunchClaim &Claim);
  Z3_ast sizeOf(const ManifestLaunch &L, unsigned D) {
    return D < L.Global.size() ? Z.integer(L.Global[D]) : Z.number(1);
  }
  Z3_ast offsetOf(const ManifestLaunch &L, unsigned D) {
    return D < L.Offset.size() ? Z.integer(L.Offset[D]) : Z.number(0);
  }
  const ManifestKernel &M;
  const LaunchFacts &Original;
  ArrayRef<ScalarRange> Scalars;
  Integers Z;
  Covered Result;
  std::vector<Box> Boxes;
};

void CoverageProof::assumeOriginal() {
  const Z3_ast Zero = Z.number(0), One = Z.number(1);
  for (unsigned D = 0; D < 3; ++D) {
    Z3_ast G = Z.name(axisName('g', D)), L = Z.name(axisName('l', D)), O = Z.name(axisName('o', D));
    Z.assume(Z.le(One, G));
    Z.assume(Z.le(Zero, O));
    Z.assume(Z.le(Zero, L));
    // NULL in every dimension, or a size that divides the range.
    Z.assume(Z.eq(Z.eq(L, Zero), Z.eq(Z.name("lx"), Zero)));
    Z.assume(Z.le(L, G));
    if (Original.Local[0])
      Z.assume(Z.eq(Z.mod(G, L), Zero));
    if (D < Original.Dimensions)
      continue;
    Z.assume(Z.eq(G, One));
    Z.assume(Z.eq(O, Zero));
  }
  for (const ScalarRange &S : Scalars) {
    Z.assume(Z.le(Z.number(S.Low), Z.name(S.Name)));
    Z.assume(Z.le(Z.name(S.Name), Z.number(S.High)));
  }
}

bool CoverageProof::never(Z3_ast Bad, const Twine &What) {
  Z3_lbool R = Z.possible(Bad);
  if (R == Z3_L_FALSE)
    return true;
  Result.Unmodelled = R == Z3_L_UNDEF;
  std::string Where = Result.Unmodelled ? "the solver has no answer" : Z.Example;
  std::replace(Where.begin(), Where.end(), '\n', ';');
  Result.Problem = (What + ": " + Where).str();
  return false;
}

std::optional<uint64_t> CoverageProof::largest(Z3_ast When, Z3_ast Value) {
  auto isAbove = [&](uint64_t Limit) {
    Z3_ast Both[] = {When, Z.lt(Z.number(int64_t(Limit)), Value)};
    return Z.possible(Z.both(Both)) != Z3_L_FALSE;
  };
  uint64_t Low = 0, High = uint64_t(1) << 62;
  if (isAbove(High))
    return std::nullopt;
  while (Low < High) {
    uint64_t Middle = Low + (High - Low) / 2;
    if (isAbove(Middle))
      Low = Middle + 1;
    else
      High = Middle;
  }
  return Low;
}

CoverageProof::Box CoverageProof::boxOf(const ManifestLaunch &L, const LaunchClaim &Claim) {
  Box B;
  B.When = Z.condition(L.When);
  for (unsigned D = 0; D < 3; ++D) {
    const unsigned Axis = Claim.Block.Axis[D];
    Z3_ast Factor = Z.number(int64_t(Claim.Block.Factor[Axis]));
    B.Low[Axis] = Z.mul(offsetOf(L, D), Factor);
    B.High[Axis] = Z.mul(Z.add(offsetOf(L, D), sizeOf(L, D)), Factor);
  }
  return B;
}

bool CoverageProof::describe(unsigned Index) {
  const ManifestLaunch &L = M.Launches[Index];
  LaunchClaim &Claim = Result.Claims[Index];
  Box &B = Boxes[Index];
  B = boxOf(L, Claim);
  Claim.Never = Z.possible(B.When) == Z3_L_FALSE;
  if (Claim.Never)
    return true;
  SmallVector<Z3_ast, 8> Same;
  SmallVector<Z3_ast, 3> Sizes, Offsets;
  for (unsigned D = 0; D < 3; ++D) {
    Z3_ast G = sizeOf(L, D), O = offsetOf(L, D);
    Z3_ast Bad[] = {Z.lt(G, Z.number(1)), Z.lt(O, Z.number(0))};
    Z3_ast AndWhen[] = {B.When, Z.either(Bad)};
    if (!never(Z.both(AndWhen), "launch " + Twine(Index) + " has no work-items"))
      return false;
    Same.push_back(Z.eq(G, Z.name(axisName('g', D))));
    Same.push_back(Z.eq(O, Z.name(axisName('o', D))));
    Z3_ast OfGroup = L.Local && D < L.Local->size() ? Z.integer((*L.Local)[D]) : nullptr;
    // A launch of fewer dimensions has groups of one there.
    Z3_ast Its = Z.name(axisName('l', D));
    if (D < Original.Dimensions)
      Same.push_back(OfGroup ? Z.eq(OfGroup, Its) : Z.eq(Its, Z.number(0)));
    Sizes.push_back(G);
    Offsets.push_back(O);
  }
  Z3_ast Differs[] = {B.When, Z.no(Z.both(Same))};
  Claim.Whole = Z.possible(Z.both(Differs)) == Z3_L_FALSE;
  auto last = [&](Z3_ast Offset, Z3_ast Size) {
    return largest(B.When, Z.sub(Z.add(Offset, Size), Z.number(1)));
  };
  for (unsigned D = 0; D < 3 && !Claim.Whole; ++D) {
    Claim.LargestId[D] = last(Offsets[D], Sizes[D]);
    Claim.LargestOriginal[D] = last(Z.name(axisName('o', D)), Z.name(axisName('g', D)));
  }
  for (unsigned A = 0; A < 3; ++A) {
    Z3_ast O = Z.name(axisName('o', A)), G = Z.name(axisName('g', A)), End = Z.add(O, G);
    Z3_ast Beyond = Z.lt(End, B.High[A]);
    Z3_ast LastBlock = Z.sub(B.High[A], Z.number(int64_t(Claim.Block.Factor[A])));
    Z3_ast Out[] = {Z.lt(B.Low[A], O), Z.le(End, LastBlock)};
    Z3_ast AndWhen[] = {B.When, Z.either(Out)};
    if (!never(Z.both(AndWhen),
               "launch " + Twine(Index) + " does work-items outside the original's range"))
      return false;
    Z3_ast Exceeds[] = {B.When, Beyond};
    Claim.Exceeds[A] = Z.possible(Z.both(Exceeds)) != Z3_L_FALSE;
    if (Claim.Exceeds[A])
      B.High[A] = Z.ite(Beyond, End, B.High[A]);
  }
  return true;
}

bool CoverageProof::consistsOfBlocks(const LaunchClaim &Claim,
                                     const std::array<uint64_t, 3> &Size) {
  const ManifestLaunch &L = M.Launches[Claim.Index];
  const Box B = boxOf(L, Claim);
  SmallVector<Z3_ast, 6> Parts;
  for (unsigned A = 0; A < 3; ++A)
    for (Z3_ast X : {B.Low[A], B.High[A]})
      Parts.push_back(Z.no(Z.eq(Z.mod(X, Z.number(int64_t(Size[A]))), Z.number(0))));
  Z3_ast AndWhen[] = {B.When, Z.either(Parts)};
  return Z.possible(Z.both(AndWhen)) == Z3_L_FALSE;
}

Covered CoverageProof::run(const std::map<std::string, launch::Blocks> &Blocks) {
  const unsigned Count = M.Launches.size();
  Result.Claims.resize(Count);
  Boxes.resize(Count);
  for (unsigned I = 0; I < Count; ++I) {
    LaunchClaim &Claim = Result.Claims[I];
    Claim.Index = I;
    Claim.Kernel = M.Launches[I].Kernel;
    if (auto It = Blocks.find(Claim.Kernel); It != Blocks.end())
      Claim.Block = It->second;
    if (!describe(I))
      return std::move(Result);
  }
  for (unsigned I = 0; I < Count; ++I)
    for (unsigned J = 0; J < I; ++J) {
      if (Result.Claims[I].Never || Result.Claims[J].Never)
        continue;
      SmallVector<Z3_ast, 8> Meet{Boxes[I].When, Boxes[J].When};
      for (unsigned A = 0; A < 3; ++A) {
        Meet.push_back(Z.lt(Boxes[I].Low[A], Boxes[J].High[A]));
        Meet.push_back(Z.lt(Boxes[J].Low[A], Boxes[I].High[A]));
      }
      if (!never(Z.both(Meet), "launches " + Twine(J) + " and " + Twine(I) + " overlap"))
        return std::move(Result);
    }
  // A work-item in no block.
  SmallVector<Z3_ast, 16> Lost;
  std::array<Z3_ast, 3> X{};
  for (unsigned A = 0; A < 3; ++A) {
    X[A] = Z.name(std::string("work-item ") + "xyz"[A]);
    Z3_ast O = Z.name(axisName('o', A));
    Lost.push_back(Z.le(O, X[A]));
    Lost.push_back(Z.lt(X[A], Z.add(O, Z.name(axisName('g', A)))));
  }
  for (unsigned I = 0; I < Count; ++I) {
    if (Result.Claims[I].Never)
      continue;
    SmallVector<Z3_ast, 8> Inside{Boxes[I].When};
    for (unsigned A = 0; A < 3; ++A) {
      Inside.push_back(Z.le(Boxes[I].Low[A], X[A]));
      Inside.push_back(Z.lt(X[A], Boxes[I].High[A]));
    }
    Lost.push_back(Z.no(Z.both(Inside)));
  }
  never(Z.both(Lost), "an original work-item is in no launch");
  return std::move(Result);
}

/// Launches at which the blocks are found: the launch files' own sizes, and larger ones.
std::vector<launch::CoverageCase> casesOf(const ManifestKernel &M,
                                          ArrayRef<launch::LaunchFile> Launches,
                                          const LaunchFacts &Original) {
  std::vector<launch::CoverageCase> Cases;
  auto add = [&](launch::CoverageCase C) {
    Expected<std::vector<launch::ResolvedLaunch>> L =
        launch::resolveLaunches(M, C.Original, C.Arguments);
    if (L)
      Cases.push_back(std::move(C));
    else
      consumeError(L.takeError());
  };
  for (const launch::LaunchFile &F : Launches)
    for (const launch::Size &At : F.Sizes) {
      Expected<launch::Geometry> G = launch::geometryAt(F, At);
      Expected<launch::Bindings> A = launch::integerArgumentsAt(F, At);
      if (G && A)
        add({*G, *A, {0, 0, 0}});
      consumeError(G.takeError());
      consumeError(A.takeError());
    }
  const size_t Own = Cases.size();
  for (size_t I = 0; I < std::min<size_t>(Own, 3); ++I)
    for (uint64_t Size : {720, 1009}) {
      launch::CoverageCase C = Cases[I];
      C.Original.Local = Original.Local;
      for (unsigned D = 0; D < Original.Dimensions; ++D)
        C.Original.Global[D] = alignTo(Size, std::max<uint64_t>(Original.Local[D], 1));
      add(std::move(C));
    }
  return Cases;
}

} // namespace

bool consistsOfBlocks(const ManifestKernel &Manifest, const LaunchClaim &L,
                      const LaunchFacts &Original, ArrayRef<ScalarRange> Scalars,
                      const std::array<uint64_t, 3> &Size) {
  return CoverageProof(Manifest, Original, Scalars).consistsOfBlocks(L, Size);
}

Covered proveCoverage(const ManifestKernel &Manifest, ArrayRef<launch::LaunchFile> Launches,
                      const LaunchFacts &Original, ArrayRef<ScalarRange> Scalars) {
  Covered R;
  std::vector<std::string> Known;
  for (const ScalarRange &S : Scalars)
    Known.push_back(S.Name);
  auto check = [&](const Expression &E) {
    for (const std::string &Name : E.names())
      if (!launch::isReservedName(Name) && !is_contained(Known, Name)) {
        R.Problem = "the launch expression '" + E.text() + "' depends on " + Name;
        R.Unmodelled = true;
      }
  };
  for (const ManifestLaunch &L : Manifest.Launches) {
    check(L.When);
    for (const std::vector<Expression> &Part : {L.Global, L.Offset})
      for_each(Part, check);
  }
  if (!R.Problem.empty())
    return R;
  Expected<std::map<std::string, launch::Blocks>> Blocks =
      launch::inferBlocks(Manifest, casesOf(Manifest, Launches, Original));
  if (!Blocks) {
    R.Problem = llvm::toString(Blocks.takeError());
    return R;
  }
  return CoverageProof(Manifest, Original, Scalars).run(*Blocks);
}

} // namespace clmali::verify::generic
