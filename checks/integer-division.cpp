//===- integer-division.cpp ------------------------------------------------------------------===//
//
// Before: row = i / width;
// After:  (advice; for a power of two and a value that is never negative: i >> 4, i & 15)
// Limits: silent about unsigned values divided by a power of two, which every compiler shifts. The
//         rewrite is offered for a remainder whose quotient is in a variable
//         (pattern/QuotientReuse).
//
//===------------------------------------------------------------------------------------------===//

#include "checks/model/cost/CostModel.h"
#include "checks/model/cost/Instructions.h"
#include "checks/model/cost/TripCount.h"
#include "checks/model/pattern/Opaque.h"
#include "checks/model/pattern/QuotientReuse.h"
#include "checks/query/Query.h"
#include "checks/query/RareCode.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;
using namespace clmali;
using namespace clmali::checks;
using namespace clmali::model;

namespace {
struct Division {
  const Expr *E;
  const Stmt *S;
  bool IsReported = false; ///< with the other one of its pair
};
/// The kernel's cost on each family.
struct CostByFamily : std::map<unsigned, Cost> {};
/// Constants, with the functions that divide by them.
using ConstantsSeen = std::set<std::pair<int64_t, unsigned>>;
} // namespace

/// A helper inlined twice, or an expression lifted as several nodes, is one location.
static std::vector<Division> divisionsOf(const Kernel &K) {
  std::set<std::tuple<uint32_t, uint32_t, uint32_t>> Seen;
  std::vector<Division> Result;
  for (const Stmt *S : stmts(K.Body))
    for (ExprAt X : exprs(*S))
      if (X->K == ExprKind::Binary && (X->O == Op::Div || X->O == Op::Rem) && X->Ty->isInteger() &&
          X->Range.isValid() && Seen.insert({X->Range.File, X->Range.Begin, X->Range.End}).second)
        Result.push_back({X.E, S});
  return Result;
}

static std::optional<int64_t> constantOf(const KernelAnalysis &K, const Expr *E) {
  std::optional<int64_t> C = pattern::laneConstant(E);
  return C ? C : pattern::laneConstant(origin(K, E));
}

/// True if A and B are quotient and remainder of the same operands: one follows from the other by a
/// multiplication.
static bool arePair(const KernelAnalysis &K, const Division &A, const Division &B) {
  if (A.E->O == B.E->O || !A.E->Ty->isScalar() || !B.E->Ty->isScalar())
    return false;
  for (unsigned I = 0; I < 2; ++I)
    if (!(K.poly(A.E->Ops[I], A.S) == K.poly(B.E->Ops[I], B.S)))
      return false;
  return true;
}

static std::string resultOf(const Division &D) {
  return D.E->O == Op::Rem ? "the remainder" : "the quotient";
}

/// x / 2^k is x >> k where x is never negative.
static void addShift(Context &C, Finding &F, const Expr *E, int64_t Divisor) {
  const Expr *Dividend = E->Ops[0];
  bool IsRemainder = E->O == Op::Rem;
  std::string Left = C.text(Dividend->Range).str();
  std::string By = itostr(IsRemainder ? Divisor - 1 : Log2_64(Divisor));
  bool Inside = Dividend->Range.File == E->Range.File && Dividend->Range.Begin == E->Range.Begin &&
                Dividend->Range.End < E->Range.End;
  std::string Text = "((" + Left + (IsRemainder ? ") & " : ") >> ") + By + ")";
  // x /= 4 is written into x.
  if (StringRef Operator = C.text(E->Range).drop_front(Inside ? Left.size() : 0).ltrim();
      Operator.starts_with("/=") || Operator.starts_with("%="))
    Text = Left + (IsRemainder ? " &= " : " >>= ") + By;
  std::vector<Edit> Edits;
  if (Inside && !Left.empty())
    Edits.push_back({E->Range, Text});
  F.fix(Applicability::Safe,
        IsRemainder ? "the value is never negative: mask it"
                    : "the value is never negative: shift it",
        std::move(Edits));
}

static void reportConstant(Context &C, const Division &D, int64_t Divisor, ConstantsSeen &Seen) {
  const KernelAnalysis &K = C.analysis();
  const Expr *E = D.E;
  if (Divisor == 0 || Divisor == 1 || constantOf(K, E->Ops[0]) ||
      (Divisor > 0 && isPowerOf2_64(Divisor) && !isSigned(E->Ty->Scalar)))
    return;
  // A named number may be changed later: the shift would not follow.
  StringRef Digits = C.text(E->Ops[1]->Range).trim();
  bool IsLiteral = !Digits.empty() && isDigit(Digits[0]) && all_of(Digits, isAlnum);
  bool Fixable = Divisor > 0 && isPowerOf2_64(Divisor) && E->Ty->isScalar() && IsLiteral &&
                 K.range(E->Ops[0], D.S).Lo >= 0;
  // Without a fix, one finding per function and constant is enough.
  std::pair<int64_t, unsigned> Key{Divisor, functionOf(K.kernel(), E->Range)};
  if (!Fixable && Seen.count(Key))
    return;
  Finding &F =
      C.report(E->Range, resultOf(D) + " by the constant " + itostr(Divisor) + " is computed");
  F.atMost(rules::Severity::Info)
      .cost(isPowerOf2_64(std::abs(Divisor))
                ? "the compiler shifts instead, and corrects what is negative"
                : "the compiler multiplies and shifts instead")
      .restsOn(E->Ops[1]);
  if (Fixable)
    addShift(C, F, E, Divisor);
  else if (F.stands())
    Seen.insert(Key);
}

/// The part of the kernel's cycles on this family that the division takes.
static double shareOf(Context &C, const Division &D) {
  if (isRare(C, D.S))
    return 0;
  const rules::DeviceFacts &Device = C.device();
  auto &Costs = C.cached<CostByFamily>([] { return CostByFamily(); });
  auto At = Costs.find(Device.Index);
  if (At == Costs.end())
    At = Costs.emplace(Device.Index, cost(C.analysis(), Device)).first;
  Operation O;
  O.Class = OpClass::Divide;
  O.Bits = sizeInBits(D.E->Ty->Scalar);
  O.Lanes = D.E->Ty->Lanes;
  return shareOfArithmetic(
      At->second, InstructionCosts(Device).of({}, O) * expectedExecutions(C.analysis(), D.E, D.S),
      Device);
}

static void report(Context &C, const Division &D, const Division *Partner) {
  const Expr *Divisor = D.E->Ops[1];
  bool IsUniform = C.analysis().varies(Divisor, D.S).uniformInLaunch();
  Finding &F = C.report(D.E->Range, resultOf(D) + " of two integers is computed, and the divisor" +
                                        (IsUniform ? " is the same for all work-items"
                                                   : " differs from work-item to work-item"));
  const rules::Fact *Cycles = C.device().fact("integer-divide-cycles");
  F.cost(Cycles && Cycles->Source != "E"
             ? itostr(Cycles->Value) + " cycles"
             : "a sequence of instructions, for there is none that divides");
  double Share = shareOf(C, D);
  if (Partner) {
    Share += shareOf(C, *Partner);
    F.note(Partner->E->Range, resultOf(*Partner) + " of the same two");
  }
  F.share(Share);
  const auto &Reuse = C.cached<pattern::QuotientReuse>(
      [&] { return pattern::QuotientReuse(C.analysis().kernel().Body); });
  if (Reuse.involves(D.S, D.E) && !pattern::hasOpaqueParts(C.analysis().kernel()))
    F.fix(Applicability::Verify, "clmali-rewrite --passes=strength-reduce");
}

static void run(const Kernel &K, Context &C) {
  std::vector<Division> Divisions = divisionsOf(K);
  ConstantsSeen Seen;
  for (auto D = Divisions.begin(); D != Divisions.end(); ++D) {
    const Expr *Divisor = D->E->Ops[1];
    if (std::optional<int64_t> Constant = constantOf(C.analysis(), Divisor)) {
      reportConstant(C, *D, *Constant, Seen);
    } else if (!D->IsReported) {
      auto Partner = std::find_if(D + 1, Divisions.end(), [&](const Division &Other) {
        return !Other.IsReported && arePair(C.analysis(), *D, Other);
      });
      report(C, *D, Partner == Divisions.end() ? nullptr : &*Partner);
      if (Partner != Divisions.end())
        Partner->IsReported = true;
    }
  }
}

CLMALI_KERNEL_CHECK("integer-division", run);
