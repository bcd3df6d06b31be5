#include "rewriters/verify/generic/Questions.h"

#include "rewriters/verify/symbolic/terms/Z3Terms.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <cstdio>
#include <ctime>

namespace clmali::verify::generic {

using namespace llvm;
using namespace symbolic;

/// Seconds for one question, with products as unknown numbers and as themselves.
static constexpr double CoarseSeconds = 2, ExactSeconds = 3;
/// Seconds for a question without facts.
static constexpr double FirstSeconds = 0.5;
/// Seconds for a question about data alone.
static constexpr double DataSeconds = 2;
/// Reads and calls in a claim about addresses.
static constexpr size_t MostData = 8;
/// Facts about single operations that are used before all of them are.
static constexpr size_t MostNear = 24;
/// Quotients, and products, among which lemmas are made.
static constexpr size_t MostQuotients = 64, MostProducts = 24;
/// Rows between the products that a lemma relates: those of a window of 5 x 5.
static constexpr uint64_t MostApart = 2;

/// Terms in Z3, with the equations of what stands for products and quotients.
class Questions::Translation : public Z3Terms {
public:
  Translation(TermStore &T, bool Products) : Z3Terms(T, 2048), Store(T), Products(Products) {}
  /// Asserts the bounds of variables and the equations of the terms in \p Roots.
  void assertDefinitions(Z3_solver S, ArrayRef<Term> Roots);
  ArrayRef<Term> variables() const { return Variables; }
  /// True if a term of the last assertDefinitions() is an unknown number.
  bool abstracts() const { return Abstracts; }

protected:
  Z3_ast read(Term Root, Z3_ast Offset) override {
    return apply("read#" + std::to_string(T.node(Root).Imm), Root, Offset);
  }
  Z3_ast instead(Term Root, ArrayRef<Z3_ast> Ops) override;

private:
  static bool isDivision(Op O) {
    return O == Op::UDiv || O == Op::URem || O == Op::SDiv || O == Op::SRem;
  }
  Z3_ast unknown(Term Root, const char *What) {
    std::string Name = What + std::to_string(Root);
    return Z3_mk_const(Context, Z3_mk_string_symbol(Context, Name.c_str()),
                       Z3_mk_bv_sort(Context, T.width(Root)));
  }
  void assertDivision(Z3_solver S, Term Root);
  Z3_ast isDivisible(Z3_ast X, Z3_ast Y, unsigned Width, bool Signed);
  void assertProduct(Z3_solver S, Term Root);
  void assertCommutes(Z3_solver S, Term Root);
  /// Products with a common factor are ordered as their other factors.
  void assertOrder(Z3_solver S, ArrayRef<Term> All);
  bool isExact(Term Product) const;
  void assertSameRow(Z3_solver S, ArrayRef<Term> Divisions);

  TermStore &Store;
  bool Products;
  std::vector<Term> Variables; ///< of the last assertDefinitions()
  bool Abstracts = false;
};

Z3_ast Questions::Translation::instead(Term Root, ArrayRef<Z3_ast> Ops) {
  const Node &N = T.node(Root);
  if (N.O == Op::Mul && !Products)
    return unknown(Root, "product#");
  if (isDivision(N.O) && !T.isConst(T.operands(Root)[1]))
    return unknown(Root, "division#");
  return nullptr;
}

/// Quotient and remainder of the same operands; signed ones where both are not negative.
void Questions::Translation::assertDivision(Z3_solver S, Term Root) {
  const Node N = T.node(Root);
  Term A = T.operands(Root)[0], B = T.operands(Root)[1];
  const bool Signed = N.O == Op::SDiv || N.O == Op::SRem;
  Z3_context C = Context;
  Z3_ast X = translate(A), Y = translate(B);
  Z3_ast Q = translate(Store.div(Signed ? Op::SDiv : Op::UDiv, A, B)),
         R = translate(Store.div(Signed ? Op::SRem : Op::URem, A, B));
  Z3_ast Valid = isDivisible(X, Y, N.Width, Signed);
  Z3_ast Less = Z3_mk_bvult(C, R, Y), NotMore = Z3_mk_bvule(C, Q, X);
  Z3_ast SmallRemainder = Z3_mk_bvule(C, R, X);
  Z3_ast Parts[] = {Less, NotMore, SmallRemainder};
  Z3_solver_assert(C, S, Z3_mk_implies(C, Valid, Z3_mk_and(C, 3, Parts)));
  if (!Products)
    return;
  Z3_ast Whole = Z3_mk_bvadd(C, Z3_mk_bvmul(C, Q, Y), R);
  Z3_ast Exact[] = {Z3_mk_eq(C, X, Whole), Z3_mk_bvmul_no_overflow(C, Q, Y, false)};
  Z3_solver_assert(C, S, Z3_mk_implies(C, Valid, Z3_mk_and(C, 2, Exact)));
}

/// The divisor is not 0, and signed numbers are not negative.
Z3_ast Questions::Translation::isDivisible(Z3_ast X, Z3_ast Y, unsigned Width, bool Signed) {
  Z3_context C = Context;
  Z3_ast Zero = number(Width, 0);
  if (!Signed)
    return Z3_mk_not(C, Z3_mk_eq(C, Y, Zero));
  Z3_ast Both[] = {Z3_mk_bvsle(C, Zero, X), Z3_mk_bvslt(C, Zero, Y)};
  return Z3_mk_and(C, 2, Both);
}

/// A + d has the same quotient as A, if A's remainder + d is a remainder and nothing wraps.
void Questions::Translation::assertSameRow(Z3_solver S, ArrayRef<Term> Divisions) {
  Z3_context C = Context;
  for (Term P : Divisions)
    for (Term Q : Divisions) {
      Term A = T.operands(P)[0], B = T.operands(Q)[0], Divisor = T.operands(P)[1];
      const unsigned W = T.width(P);
      auto isSigned = [&](Term D) { return T.node(D).O == Op::SDiv || T.node(D).O == Op::SRem; };
      const bool Signed = isSigned(P);
      if (P == Q || T.operands(Q)[1] != Divisor || W != T.width(Q) || Signed != isSigned(Q))
        continue;
      Term Difference = Store.sub(B, A);
      if (!T.isConst(Difference))
        continue;
      const int64_t D = signedOf(T.value(Difference), W);
      if (D <= 0)
        continue;
      const Op Quotient = Signed ? Op::SDiv : Op::UDiv, Remainder = Signed ? Op::SRem : Op::URem;
      Z3_ast By = number(W, uint64_t(D)), X = translate(A), Y = translate(Divisor);
      Z3_ast RA = translate(Store.div(Remainder, A, Divisor)),
             RB = translate(Store.div(Remainder, B, Divisor)),
             QA = translate(Store.div(Quotient, A, Divisor)),
             QB = translate(Store.div(Quotient, B, Divisor));
      Z3_ast Next = Z3_mk_bvadd(C, RA, By);
      Z3_ast If[] = {isDivisible(X, Y, W, Signed), Z3_mk_bvadd_no_overflow(C, X, By, Signed),
                     Z3_mk_bvadd_no_overflow(C, RA, By, Signed), Z3_mk_bvult(C, Next, Y)};
      Z3_ast Then[] = {Z3_mk_eq(C, QA, QB), Z3_mk_eq(C, RB, Next)};
      Z3_solver_assert(C, S, Z3_mk_implies(C, Z3_mk_and(C, 4, If), Z3_mk_and(C, 2, Then)));
    }
}

bool Questions::Translation::isExact(Term Product) const {
  const Node &X = T.node(T.operands(Product)[0]), &Y = T.node(T.operands(Product)[1]);
  for (__int128 A : {__int128(X.SLo), __int128(X.SHi)})
    for (__int128 B : {__int128(Y.SLo), __int128(Y.SHi)})
      if (A * B < signedMin(T.width(Product)) || A * B > signedMax(T.width(Product)))
        return false;
  return true;
}

/// The same with the first two operands exchanged.
void Questions::Translation::assertCommutes(Z3_solver S, Term Root) {
  SmallVector<Z3_ast, 4> Ops;
  for (Term Operand : T.operands(Root))
    Ops.push_back(translate(Operand));
  std::swap(Ops[0], Ops[1]);
  Z3_ast Other = apply(T.functionName(unsigned(T.node(Root).Imm)).str(), Root, Ops);
  Z3_solver_assert(Context, S, Z3_mk_eq(Context, translate(Root), Other));
}

/// Sign and size of an exact product.
void Questions::Translation::assertProduct(Z3_solver S, Term Root) {
  Z3_context C = Context;
  const unsigned W = T.width(Root);
  Z3_ast P = translate(Root), Zero = number(W, 0);
  Z3_ast X = translate(T.operands(Root)[0]), Y = translate(T.operands(Root)[1]);
  auto when = [&](Z3_ast A, Z3_ast B, Z3_ast Then) {
    Z3_ast If[] = {A, B};
    Z3_solver_assert(C, S, Z3_mk_implies(C, Z3_mk_and(C, 2, If), Then));
  };
  auto both = [&](Z3_ast A, Z3_ast B) {
    Z3_ast All[] = {A, B};
    return Z3_mk_and(C, 2, All);
  };
  Z3_ast PosX = Z3_mk_bvslt(C, Zero, X), PosY = Z3_mk_bvslt(C, Zero, Y);
  Z3_ast NegX = Z3_mk_bvslt(C, X, Zero), NegY = Z3_mk_bvslt(C, Y, Zero);
  when(PosX, PosY, both(Z3_mk_bvsle(C, X, P), Z3_mk_bvsle(C, Y, P)));
  when(PosX, NegY, Z3_mk_bvsle(C, P, Y));
  when(NegX, PosY, Z3_mk_bvsle(C, P, X));
  when(NegX, NegY, Z3_mk_bvslt(C, Zero, P));
  for (Z3_ast Factor : {X, Y}) {
    Z3_ast IsZero = Z3_mk_eq(C, Factor, Zero);
    when(IsZero, IsZero, Z3_mk_eq(C, P, Zero));
  }
}

void Questions::Translation::assertOrder(Z3_solver S, ArrayRef<Term> All) {
  Z3_context C = Context;
  for (Term P : All)
    for (Term Q : All) {
      if (P == Q || T.width(P) != T.width(Q))
        continue;
      for (unsigned I : {0u, 1u})
        for (unsigned J : {0u, 1u}) {
          if (T.operands(P)[I] != T.operands(Q)[J])
            continue;
          Z3_ast Zero = number(T.width(P), 0), Common = translate(T.operands(P)[I]);
          Z3_ast A = translate(T.operands(P)[1 - I]), B = translate(T.operands(Q)[1 - J]);
          Z3_ast X = translate(P), Y = translate(Q), Less = Z3_mk_bvslt(C, A, B);
          Z3_ast Up[] = {Less, Z3_mk_bvslt(C, Zero, Common)};
          Z3_ast Down[] = {Less, Z3_mk_bvslt(C, Common, Zero)};
          Z3_ast Next = Z3_mk_bvadd(C, X, Common);
          Z3_ast Above[] = {Z3_mk_bvsle(C, Next, Y), Z3_mk_bvslt(C, X, Next)};
          Z3_ast Below[] = {Z3_mk_bvsle(C, Y, Next), Z3_mk_bvslt(C, Next, X)};
          Z3_solver_assert(C, S, Z3_mk_implies(C, Z3_mk_and(C, 2, Up), Z3_mk_and(C, 2, Above)));
          Z3_solver_assert(C, S, Z3_mk_implies(C, Z3_mk_and(C, 2, Down), Z3_mk_and(C, 2, Below)));
          // (b + k) * c is b * c + k * c, which holds for numbers that wrap, too.
          for (uint64_t K = 0; K <= MostApart; ++K) {
            Z3_ast By = number(T.width(P), K);
            Z3_ast If = Z3_mk_eq(C, B, Z3_mk_bvadd(C, A, By));
            Z3_ast Sum = Z3_mk_bvadd(C, X, Z3_mk_bvmul(C, By, Common));
            Z3_solver_assert(C, S, Z3_mk_implies(C, If, Z3_mk_eq(C, Y, Sum)));
          }
        }
    }
}

void Questions::Translation::assertDefinitions(Z3_solver S, ArrayRef<Term> Roots) {
  Variables.clear();
  Abstracts = false;
  std::vector<Term> Divisions, Exact;
  DenseSet<Term> Seen;
  SmallVector<Term, 32> Stack(Roots.begin(), Roots.end());
  while (!Stack.empty()) {
    Term X = Stack.pop_back_val();
    if (!Seen.insert(X).second)
      continue;
    Stack.append(T.operands(X).begin(), T.operands(X).end());
    const Node &N = T.node(X);
    if (N.O == Op::Var)
      Variables.push_back(X);
    if (N.O == Op::Var || (N.O == Op::Mul && !Products))
      assertBounds(S, N, translate(X));
    Abstracts |= (N.O == Op::Mul && !Products) || (isDivision(N.O) && !T.isConst(T.operands(X)[1]));
    if (N.O == Op::Call && T.commutes(unsigned(N.Imm)))
      assertCommutes(S, X);
    if (isDivision(N.O) && !T.isConst(T.operands(X)[1]))
      Divisions.push_back(X);
    if (N.O == Op::Mul && !Products && isExact(X))
      Exact.push_back(X);
  }
  for (Term X : Exact)
    assertProduct(S, X);
  if (Exact.size() <= MostProducts)
    assertOrder(S, Exact);
  for (Term X : Divisions)
    assertDivision(S, X);
  if (Divisions.size() <= MostQuotients)
    assertSameRow(S, Divisions);
}

Questions::Questions(TermStore &T, std::function<double()> SecondsLeft)
    : T(T), SecondsLeft(std::move(SecondsLeft)) {
  DataLimits.SolverSeconds = DataSeconds / 2;
  DataLimits.LongSearch = 1e8;
}

Questions::~Questions() = default;

void Questions::assume(Term Bit, Term Of) {
  if (T.isConst(Bit, 1) || T.node(Bit).HasUndef || !IsFact.insert(Bit).second)
    return;
  Facts.push_back({Bit, Of});
  Known.clear();
}

const DenseSet<Term> &Questions::termsOf(Term Root) {
  auto [It, New] = Inside.try_emplace(Root);
  if (!New)
    return *It->second;
  It->second = std::make_unique<DenseSet<Term>>();
  SmallVector<Term, 32> Stack{Root};
  while (!Stack.empty()) {
    Term X = Stack.pop_back_val();
    if (It->second->insert(X).second)
      Stack.append(T.operands(X).begin(), T.operands(X).end());
  }
  return *It->second;
}

const DenseSet<Term> &Questions::atomsOf(Term Root) {
  auto [It, New] = Atoms.try_emplace(Root);
  if (!New)
    return *It->second;
  It->second = std::make_unique<DenseSet<Term>>();
  for (Term X : termsOf(Root)) {
    const Op O = T.node(X).O;
    if (O == Op::Var || O == Op::Call || O == Op::Read)
      It->second->insert(X);
  }
  return *It->second;
}

/// Bits that are known where \p Bit is 1.
static void addKnown(const TermStore &T, Term Bit, DenseMap<Term, Term> &Known, Term Zero,
                     Term One) {
  const Node &N = T.node(Bit);
  if (N.O == Op::And && N.Width == 1) {
    for (Term Part : T.operands(Bit))
      addKnown(T, Part, Known, Zero, One);
    return;
  }
  if (T.isConst(Bit))
    return;
  Known[Bit] = One;
  if (N.O == Op::Xor && T.isConst(T.operands(Bit)[1], 1))
    Known[T.operands(Bit)[0]] = Zero;
}

std::optional<std::vector<Questions::Fact>> Questions::factsAgainst(Term Claim) {
  DenseMap<Term, Term> Known;
  addKnown(T, T.bitNot(Claim), Known, T.boolean(false), T.boolean(true));
  std::vector<Fact> Result;
  for (const Fact &F : Facts) {
    Term Bit = T.substitute(F.Bit, Known);
    if (T.isConst(Bit, 0))
      return std::nullopt;
    if (!T.isConst(Bit))
      Result.push_back({Bit, F.About ? T.substitute(F.About, Known) : 0});
  }
  return Result;
}

/// Facts that share something with the claim that has no fixed value.
std::vector<Term> Questions::relevant(std::vector<Fact> Rest, Term Claim, Use Which) {
  DenseSet<Term> Wanted = atomsOf(Claim);
  const DenseSet<Term> Own = Wanted;
  const DenseSet<Term> &There = termsOf(Claim);
  auto isOther = [&](Term A) { return T.node(A).O != Op::Var && !Own.contains(A); };
  std::vector<Fact> Chosen;
  for (bool Grew = true; Grew;) {
    Grew = false;
    for (Fact &F : Rest) {
      if (!F.Bit || none_of(atomsOf(F.Bit), [&](Term A) { return Wanted.contains(A); }) ||
          (Which == Use::SameTerm && F.About && !There.contains(F.About)) ||
          (Which != Use::All && any_of(atomsOf(F.Bit), isOther)))
        continue;
      Chosen.push_back(F);
      const DenseSet<Term> &More = atomsOf(F.Bit);
      Wanted.insert(More.begin(), More.end());
      F.Bit = 0;
      Grew = true;
    }
  }
  if (Which == Use::Near)
    keepNear(Chosen, Claim);
  std::vector<Term> Bits;
  for (const Fact &F : Chosen)
    Bits.push_back(F.Bit);
  return Bits;
}

void Questions::keepNear(std::vector<Fact> &Of, Term Claim) {
  const DenseSet<Term> &There = termsOf(Claim);
  std::vector<std::pair<size_t, Fact>> Others;
  erase_if(Of, [&](const Fact &F) {
    if (F.About)
      Others.push_back({count_if(termsOf(F.Bit), [&](Term X) { return !There.contains(X); }), F});
    return F.About != 0;
  });
  sort(Others, [](const auto &A, const auto &B) {
    return std::pair(A.first, A.second.Bit) < std::pair(B.first, B.second.Bit);
  });
  for (const auto &[More, F] : ArrayRef(Others).take_front(MostNear))
    Of.push_back(F);
}

Truth Questions::check(Translation &Z, Term Claim, ArrayRef<Term> Given, double Seconds) {
  Seconds = std::min(Seconds, SecondsLeft());
  if (Seconds <= 0)
    return Truth::Unknown;
  ++Asked;
  Z3_context C = Z.context();
  Z3_ast Goal = Z.translate(Claim);
  SmallVector<Z3_ast, 16> Extra;
  for (Term F : Given)
    Extra.push_back(Z.translate(F));
  if (!Z.takeProblem().empty())
    return Truth::Unknown;
  Z3_solver S = Z3_mk_solver_for_logic(C, Z3_mk_string_symbol(C, "QF_UFBV"));
  Z3_solver_inc_ref(C, S);
  Z3_params P = Z3_mk_params(C);
  Z3_params_inc_ref(C, P);
  Z3_params_set_uint(C, P, Z3_mk_string_symbol(C, "timeout"), unsigned(Seconds * 1000) + 1);
  Z3_solver_set_params(C, S, P);
  Z3_solver_assert(C, S, Z3_mk_not(C, Z.isSet(Goal)));
  for (Z3_ast A : Extra)
    Z3_solver_assert(C, S, Z.isSet(A));
  SmallVector<Term, 16> Roots(Given.begin(), Given.end());
  Roots.push_back(Claim);
  Z.assertDefinitions(S, Roots);
  Truth Result = Truth::Unknown;
  Z3_lbool R = Z.takeProblem().empty() ? Z3_solver_check(C, S) : Z3_L_UNDEF;
  if (Z3_get_error_code(C) != Z3_OK)
    R = Z3_L_UNDEF;
  if (R == Z3_L_FALSE)
    Result = Truth::Always;
  if (R == Z3_L_TRUE) {
    Result = Truth::Sometimes;
    Model.clear();
    Z3_model M = Z3_solver_get_model(C, S);
    Z3_model_inc_ref(C, M);
    for (Term V : Z.variables()) {
      Z3_ast Value = nullptr;
      uint64_t Number = 0;
      if (Z3_model_eval(C, M, Z.translate(V), true, &Value) && Value)
        Z3_get_numeral_uint64(C, Value, &Number);
      Model[V] = Number;
    }
    Z3_model_dec_ref(C, M);
  }
  Z3_params_dec_ref(C, P);
  Z3_solver_dec_ref(C, S);
  return Result;
}

bool Questions::mayHold(Term Bit) {
  makeTranslations();
  std::vector<Term> Given;
  for (const Fact &F : Facts)
    Given.push_back(F.Bit);
  return check(*Coarse, T.bitNot(Bit), Given, CoarseSeconds) != Truth::Always;
}

void Questions::makeTranslations() {
  if (Coarse)
    return;
  Coarse = std::make_unique<Translation>(T, false);
  Exact = std::make_unique<Translation>(T, true);
  Integers = std::make_unique<IntegerTerms>(T);
}

bool Questions::holdsForAllData(Term Claim) {
  DenseSet<Term> Seen;
  SmallVector<Term, 32> Stack{Claim};
  while (!Stack.empty()) {
    Term X = Stack.pop_back_val();
    if (!Seen.insert(X).second || Abstracted.contains(X))
      continue;
    const Node N = T.node(X);
    const bool Divides =
        (N.O == Op::UDiv || N.O == Op::URem || N.O == Op::SDiv || N.O == Op::SRem) &&
        !T.isConst(T.operands(X)[1]);
    if (N.O == Op::Read || N.O == Op::Call || Divides) {
      Abstracted[X] = T.variable(N.Width);
      continue;
    }
    Stack.append(T.operands(X).begin(), T.operands(X).end());
  }
  Term Abstract = T.substitute(Claim, Abstracted);
  if (T.isConst(Abstract))
    return T.value(Abstract) != 0;
  auto Left = std::chrono::duration_cast<std::chrono::steady_clock::duration>(
      std::chrono::duration<double>(std::min(SecondsLeft(), DataSeconds)));
  if (!Data)
    Data = std::make_unique<Solver>(T, ArrayRef<BufferContents>(), std::vector<bool>(), DataLimits,
                                    std::chrono::steady_clock::now() + Left);
  Data->setFloatVariables(std::vector<bool>(T.variables(), false));
  Data->setDeadline(std::chrono::steady_clock::now() + Left);
  Assignment Example(T.variables(), 0);
  return Data->ask(T.bitNot(Abstract), Example) == Answer::Impossible;
}

bool Questions::followsInIntegers(Term Claim, ArrayRef<Term> Given, double Seconds) {
  const size_t Data = count_if(atomsOf(Claim), [&](Term A) { return T.node(A).O != Op::Var; });
  return Data <= MostData && Integers->follows(Claim, Given, std::min(Seconds, SecondsLeft()));
}

bool Questions::holdTogether(ArrayRef<Term> Claims) {
  Term All = T.boolean(true);
  for (Term Bit : Claims)
    All = T.bitAnd(All, Bit);
  if (T.isConst(All) || T.node(All).HasUndef)
    return T.isConst(All, 1);
  makeTranslations();
  const std::vector<Term> Given = relevant(Facts, All, Use::SameTerm);
  return followsInIntegers(All, Given, FirstSeconds) ||
         check(*Coarse, All, Given, FirstSeconds) == Truth::Always;
}

Truth Questions::ask(Term Claim, Term Stronger, ArrayRef<Term> Also) {
  if (T.isConst(Claim))
    return T.value(Claim) ? Truth::Always : Truth::Sometimes;
  if (T.node(Claim).HasUndef)
    return Truth::Unknown;
  if (auto It = Known.find(Claim); It != Known.end() && Also.empty())
    return It->second;
  makeTranslations();
  Truth R = Stronger && holdsForAllData(Stronger) ? Truth::Always : Truth::Unknown;
  std::vector<Term> Given;
  if (R != Truth::Always) {
    // Facts about other data than the claim's come last: they seldom help, and cost most.
    const std::optional<std::vector<Fact>> Against = factsAgainst(Claim);
    R = Against ? Truth::Unknown : Truth::Always;
    for (Use Which : {Use::SameTerm, Use::Near, Use::SameData}) {
      if (R == Truth::Always || Stronger)
        break;
      std::vector<Term> Near = relevant(*Against, Claim, Which);
      Near.insert(Near.end(), Also.begin(), Also.end());
      if (followsInIntegers(Claim, Near, Which == Use::SameData ? CoarseSeconds : FirstSeconds))
        R = Truth::Always;
    }
    if (R != Truth::Always)
      R = check(*Coarse, Claim, {}, FirstSeconds);
    for (Use Which : {Use::SameTerm, Use::Near, Use::SameData, Use::All}) {
      if (R == Truth::Always)
        break;
      std::vector<Term> More = relevant(*Against, Claim, Which);
      if (Which != Use::SameTerm && More.size() + Also.size() == Given.size())
        continue;
      Given = std::move(More);
      Given.insert(Given.end(), Also.begin(), Also.end());
      R = check(*Coarse, Claim, Given, CoarseSeconds);
    }
  }
  if (R != Truth::Always && Coarse->abstracts())
    if (Truth Again = check(*Exact, Claim, Given, ExactSeconds); Again != Truth::Unknown)
      R = Again;
  if (Also.empty())
    Known[Claim] = R;
  return R;
}

} // namespace clmali::verify::generic
