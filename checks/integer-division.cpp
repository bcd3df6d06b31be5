//===- integer-division.cpp ------------------------------------------------------------------===//
//
// Before: row = i / width;
// After:  (advice; for a power of two and a value that is never negative: i >> 4, i & 15)
// Limits: where a division is not known to be costly, silent about divisions that are the same
//         for all work-items and in no loop, and about unsigned values divided by a power of
//         two, which every compiler shifts. The rewrite is offered for a remainder whose
//         quotient is in a variable (pattern/QuotientReuse).
//
//===------------------------------------------------------------------------------------------===//

#include "checks/model/cost/Constants.h"
#include "checks/model/pattern/Opaque.h"
#include "checks/model/pattern/QuotientReuse.h"
#include "checks/query/Query.h"
#include "checks/query/RareCode.h"
#include "llvm/ADT/SmallSet.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;
using namespace clmali;
using namespace clmali::checks;
using namespace clmali::model;

static std::optional<int64_t> constantOf(const KernelAnalysis &K, const Expr *E) {
  // (ushort8)(2): the same in all lanes.
  while ((E->K == ExprKind::Cast || E->K == ExprKind::VectorCtor) && E->Ty->isVector() &&
         E->Ops.size() == 1)
    E = stripCasts(E->Ops[0]);
  if (std::optional<int64_t> C = constantValue(E))
    return C;
  return constantValue(origin(K, E));
}

/// True if a work-item does enough other work to hide a division: a loop with accesses, many
/// accesses, or many floating-point operations.
static bool isAmortized(const KernelAnalysis &K, size_t Many) {
  if (K.accesses().size() >= Many ||
      any_of(K.accesses(), [](const AccessSite &A) { return !A.Loops.empty(); }))
    return true;
  return size_t(count_if(exprs(K.kernel().Body), [](ExprAt X) {
           return X->Ty->isFloat() && (X->K == ExprKind::Call || X->K == ExprKind::Binary);
         })) >= Many;
}

/// True if E may have another value in each iteration: it cannot move before the loop.
static bool changesInLoop(const KernelAnalysis &K, const Expr *Root, unsigned Depth = 0) {
  bool Changes = false;
  walk(Root, [&](const Expr *E) {
    if (E->K == ExprKind::Load || E->K == ExprKind::Opaque || E->K == ExprKind::Call)
      Changes = true;
    if (E->K == ExprKind::VarRef && E->V->K == Var::Temp) {
      const Stmt *Def = K.singleDef(E->V);
      Changes |= !Def || !Def->E || Depth > 16 || changesInLoop(K, Def->E, Depth + 1);
    }
    // offset *= 2 with an argument
    if (E->K == ExprKind::VarRef && E->V->K == Var::Param)
      Changes |= !K.defs(E->V).empty();
    return !Changes;
  });
  return Changes;
}

/// True if E is computed from floating-point values: data, not a coordinate.
static bool comesFromFloat(const KernelAnalysis &K, const Expr *Root, unsigned Depth = 0) {
  bool Found = false;
  walk(Root, [&](const Expr *E) {
    Found |= E->Ty->isFloat();
    if (E->K == ExprKind::VarRef && Depth < 4)
      if (const Stmt *Def = K.singleDef(E->V); Def && Def->E)
        Found |= comesFromFloat(K, Def->E, Depth + 1);
    return !Found;
  });
  return Found;
}

/// True if E is made only of unassigned arguments, sizes of the launch and numbers (OrIds: ids,
/// too), through operations known or opaque: nothing shows that it differs between work-items (or
/// is data).
static bool ofArguments(const KernelAnalysis &K, const Expr *Root, bool OrIds = false,
                        unsigned Depth = 0) {
  auto IsId = [](const Expr *E) {
    return E->Query == WorkItemQuery::GlobalId || E->Query == WorkItemQuery::LocalId ||
           E->Query == WorkItemQuery::GroupId;
  };
  bool Result = true;
  walk(Root, [&](const Expr *E) {
    if (E->K == ExprKind::VarRef) {
      const Stmt *Def = E->V->K == Var::Temp ? K.singleDef(E->V) : nullptr;
      Result &= E->V->K == Var::Param
                    ? K.defs(E->V).empty()
                    : Def && Def->E && Depth < 8 && ofArguments(K, Def->E, OrIds, Depth + 1);
    } else if (E->K == ExprKind::WorkItem) {
      Result &= OrIds || !IsId(E);
    } else {
      Result &= E->K == ExprKind::IntConst || E->K == ExprKind::Unary || E->K == ExprKind::Binary ||
                E->K == ExprKind::Cast || E->K == ExprKind::Opaque;
    }
    return Result;
  });
  return Result;
}

/// True for index arithmetic: only ids and arguments, not changed in a loop (a row, a channel).
static bool isSetup(const KernelAnalysis &K, const Expr *E, bool InLoop) {
  return (!InLoop || !changesInLoop(K, E)) &&
         (!K.varies(E).Data || ofArguments(K, E, /*OrIds=*/true)) && !comesFromFloat(K, E->Ops[0]);
}

/// True if the kernel uses ids of all three dimensions: none is left to launch the quotient in.
static bool usesAllDimensions(const Kernel &K) {
  NDRangeUse Use = NDRangeUse::of(K);
  return (Use[WorkItemQuery::GlobalId] | Use[WorkItemQuery::GroupId]) == 7;
}

/// True if A and B are quotient and remainder of the same operands: one follows from the other by a
/// multiplication.
static bool arePair(const KernelAnalysis &K, const Expr *A, const Stmt *AtA, const Expr *B,
                    const Stmt *AtB) {
  if (A->O == B->O || !A->Ty->isScalar() || !B->Ty->isScalar())
    return false;
  for (unsigned I = 0; I < 2; ++I)
    if (!(K.poly(A->Ops[I], AtA) == K.poly(B->Ops[I], AtB)))
      return false;
  return true;
}

/// How often memory and images are read in a block, nested ones included.
static unsigned readsIn(const StmtList &B) {
  return count_if(exprs(B), [](ExprAt X) {
    return X->K == ExprKind::Opaque ||
           (X->K == ExprKind::Load && X->Acc.Base->space() != AddressSpace::Private);
  });
}

/// True if Loop contains another loop that reads memory: a division in Loop is then done once for
/// many accesses. Also true for a loop of few trips, as over the lanes of a vector.
static bool isAroundAccesses(const KernelAnalysis &K, const Stmt *Loop, int64_t Lanes) {
  auto Trips = [&](const Stmt *S) -> std::optional<int64_t> {
    std::optional<CountedLoop> L = K.countedLoop(S);
    if (!L || L->TripCount)
      return L ? L->TripCount : std::nullopt;
    // At most, where it may be left early.
    std::optional<int64_t> From = constantValue(L->Lower), To = constantValue(L->Bound);
    return From && To && L->Step == 1 && L->Compare == Op::LT ? std::optional(*To - *From)
                                                              : std::nullopt;
  };
  if (std::optional<int64_t> Few = Trips(Loop); Few && *Few <= Lanes)
    return true;
  bool Found = false;
  walk(Loop->Body, [&](Stmt *Inner) {
    if (Inner->K == StmtKind::Loop)
      Found |= Trips(Inner).value_or(Lanes) > 2 && readsIn(Inner->Body);
    return !Found;
  });
  return Found;
}

/// True if E depends on a load, through variables, too.
static bool readsMemory(const KernelAnalysis &K, const Expr *Root, std::set<const Var *> &Seen) {
  bool Found = false;
  walk(Root, [&](const Expr *E) {
    Found |= E->K == ExprKind::Load;
    if (E->K == ExprKind::VarRef && !Found && Seen.insert(E->V).second)
      Found = any_of(K.defs(E->V),
                     [&](const Stmt *Def) { return Def->E && readsMemory(K, Def->E, Seen); });
    return !Found;
  });
  return Found;
}

/// A division by a macro that the host's build defines. Reported where ids are divided once per
/// work-item, or where a loop divides data or 64-bit values.
static void reportGuessed(const Expr *E, const Stmt *S, bool InLoop, Context &C) {
  const KernelAnalysis &K = C.analysis();
  std::set<const Var *> Seen;
  bool Pays = sizeInBits(E->Ty->Scalar) == 64 || readsMemory(K, E->Ops[0], Seen);
  bool OfIds = !InLoop && K.varies(E->Ops[0], S).Item && !K.varies(E->Ops[0], S).Data;
  if (!OfIds && (!InLoop || !Pays || isSetup(K, E, InLoop) || constantOf(K, E->Ops[0])))
    return;
  C.report(E->Range, Twine(E->O == Op::Rem ? "the remainder" : "the quotient") +
                         " by a number that the host defines is computed")
      .cost("a few instructions, unless it is a power of two and the dividend unsigned")
      .restsOn(E->Ops[1]);
}

/// True if the division is uniform, in a loop with at least Many reads.
static bool isShared(const KernelAnalysis &K, const Expr *E, const Stmt *S, const Stmt *Loop,
                     unsigned Many) {
  return Loop && K.varies(E, S).uniformInLaunch() && readsIn(Loop->Body) >= Many;
}

namespace {
/// Properties of the kernel, computed once.
struct Tuned {
  bool Holds;
};
struct Amortized {
  bool Holds;
};
} // namespace

/// True if it was reported and the divisor is not a constant.
static bool reportDivision(const Expr *E, const Stmt *S, bool InLoop, bool Outside,
                           const Expr *Partner, std::set<std::pair<int64_t, unsigned>> &Reported,
                           Context &C) {
  const KernelAnalysis &K = C.analysis();
  const Expr *Dividend = E->Ops[0], *Divisor = E->Ops[1];
  bool IsRemainder = E->O == Op::Rem;
  std::optional<int64_t> Constant = constantOf(K, Divisor);
  if (constantOf(K, Dividend) && Constant)
    return false;
  // Another message, not only another severity: the number may be a power of two, or 1.
  if (Constant && guessed(C).isGuessed(Divisor)) {
    reportGuessed(E, S, InLoop, C);
    return false;
  }
  bool Signed = isSigned(E->Ty->Scalar);
  if (Constant && *Constant > 0 && isPowerOf2_64(*Constant) && !Signed)
    return false;
  if (Constant && (*Constant == 1 || *Constant == 0))
    return false;
  uint64_t Cycles = C.device().IntegerDivideCycles;
  bool IsCostly = Cycles >= uint64_t(C.option("CostlyCycles"));
  // Computed once by each work-item, with the same result: worth a finding only where it is costly.
  bool Once =
      (ofArguments(K, E) || K.varies(E, S).uniformInLaunch()) && !(InLoop && changesInLoop(K, E));
  bool IsTuned = !IsCostly && C.cached<Tuned>([&] { return Tuned{isHandTuned(K)}; }).Holds;
  bool Setup = isSetup(K, E, InLoop) && !IsCostly;
  if (IsTuned && (Once || Setup))
    return false;
  bool IsAmortized = Setup && C.cached<Amortized>([&] {
                                 return Amortized{isAmortized(K, C.option("ManyAccesses")) ||
                                                  usesAllDimensions(K.kernel())};
                               }).Holds;

  std::string What = IsRemainder ? "the remainder" : "the quotient";
  std::string Of = " of two integers ";
  std::string Cost =
      IsCostly ? utostr(Cycles) + " cycles"
               : std::string("a sequence of instructions, for there is none that divides");

  if (Constant) {
    // A named number may be changed later: the shift would not follow.
    StringRef Digits = C.text(Divisor->Range).trim();
    bool IsLiteral = !Digits.empty() && isDigit(Digits[0]) && all_of(Digits, isAlnum);
    bool Fixable = *Constant > 0 && isPowerOf2_64(*Constant) && E->Ty->isScalar() && IsLiteral &&
                   K.range(Dividend, S).Lo >= 0;
    // Without a fix, one finding per function and constant is enough.
    if (!Fixable && !Reported.insert({*Constant, functionOf(K.kernel(), E->Range)}).second)
      return false;
    Finding &F =
        C.report(E->Range, What + " by the constant " + itostr(*Constant) + " is computed");
    F.atMost(rules::Severity::Info);
    F.cost(isPowerOf2_64(std::abs(*Constant))
               ? "the compiler shifts instead, and corrects what is negative"
               : "the compiler multiplies and shifts instead");
    // x / 2^k is x >> k where x is never negative.
    if (Fixable) {
      StringRef Left = C.text(Dividend->Range);
      bool Inside = Dividend->Range.File == E->Range.File &&
                    Dividend->Range.Begin == E->Range.Begin && Dividend->Range.End < E->Range.End;
      std::vector<Edit> Edits;
      std::string Text = IsRemainder
                             ? "((" + Left.str() + ") & " + itostr(*Constant - 1) + ")"
                             : "((" + Left.str() + ") >> " + itostr(Log2_64(*Constant)) + ")";
      // x /= 4 is written into x.
      if (StringRef Operator = C.text(E->Range).drop_front(Inside ? Left.size() : 0).ltrim();
          Operator.starts_with("/=") || Operator.starts_with("%="))
        Text = Left.str() + (IsRemainder ? " &= " + itostr(*Constant - 1)
                                         : " >>= " + itostr(Log2_64(*Constant)));
      if (Inside && !Left.empty())
        Edits.push_back({E->Range, Text});
      F.fix(Applicability::Safe,
            IsRemainder ? "the value is never negative: mask it"
                        : "the value is never negative: shift it",
            std::move(Edits));
    }
    return false;
  }
  bool UniformDivisor = ofArguments(K, Divisor) || K.varies(Divisor, S).uniformInLaunch();
  Finding &F = C.report(E->Range, What + Of + "is computed, and the divisor" +
                                      (UniformDivisor ? " is the same for all work-items"
                                                      : " differs from work-item to work-item"));
  F.cost(Cost);
  if (Once || Outside || IsAmortized)
    F.atMost(rules::Severity::Info);
  F.share(shareOfWork(C, S, (Partner ? 2 : 1) * estimate::DivisionWork));
  if (Partner)
    F.note(Partner->Range,
           IsRemainder ? "the quotient of the same two" : "the remainder of the same two");
  const auto &Reuse =
      C.cached<pattern::QuotientReuse>([&] { return pattern::QuotientReuse(K.kernel().Body); });
  if (Reuse.involves(S, E) && !pattern::hasOpaqueParts(K.kernel()))
    F.fix(Applicability::Verify, "clmali-rewrite --passes=strength-reduce");
  return true;
}

static void run(const Kernel &K, Context &C) {
  // A helper inlined twice, or an expression lifted as several nodes, is one location.
  std::set<std::tuple<uint32_t, uint32_t, uint32_t>> Seen;
  struct Division {
    const Expr *E;
    const Stmt *S;
    bool InLoop;
    bool Outside; ///< of the loops that access memory, within one around them
    bool Done = false;
  };
  std::vector<Division> Divisions;
  auto Visit = [&](const StmtList &B, const Stmt *Loop, bool Outside, auto &&Self) -> void {
    for (Stmt *S : B) {
      bool IsLoop = S->K == StmtKind::Loop;
      const Stmt *Inside = IsLoop && !goesThroughLaunch(C.analysis(), S) ? S : Loop;
      bool Around = IsLoop ? isAroundAccesses(C.analysis(), S, C.option("FewTrips")) : Outside;
      forEachExpr(*S, [&](const Expr *Root) {
        walk(Root, [&](const Expr *E) {
          if (E->K == ExprKind::Binary && (E->O == Op::Div || E->O == Op::Rem) &&
              E->Ty->isInteger() && E->Range.isValid() &&
              Seen.insert({E->Range.File, E->Range.Begin, E->Range.End}).second)
            Divisions.push_back(
                {E, S, Inside != nullptr,
                 Around || isShared(C.analysis(), E, S, Inside, C.option("ReadsInLoop"))});
          return true;
        });
      });
      forEachStmtList(*S, [&](StmtList &Nested) { Self(Nested, Inside, Around, Self); });
    }
  };
  Visit(K.Body, nullptr, false, Visit);
  std::set<std::pair<int64_t, unsigned>>
      Reported; // constants, with the functions that divide by them
  for (auto D = Divisions.begin(); D != Divisions.end(); ++D) {
    auto Pair = std::find_if(D, Divisions.end(), [&](const Division &Other) {
      return !Other.Done && D->InLoop == Other.InLoop &&
             arePair(C.analysis(), D->E, D->S, Other.E, Other.S);
    });
    if (!D->Done &&
        reportDivision(D->E, D->S, D->InLoop, D->Outside,
                       Pair == Divisions.end() ? nullptr : Pair->E, Reported, C) &&
        Pair != Divisions.end())
      Pair->Done = true;
  }
}

CLMALI_KERNEL_CHECK("integer-division", run);
