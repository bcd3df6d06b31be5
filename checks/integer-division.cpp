//===- integer-division.cpp
//------------------------------------------------------------------------===//
//
// Before: row = i / width;
// After:  (advice; for a power of two and a value that is never negative: i >> 4, i & 15)
// Limits: divisions that are the same for all work-items and stand in no loop are left alone where
// it is not
//         known how many cycles one takes, and so are unsigned values divided by a power of two,
//         which every compiler shifts.
//
//===------------------------------------------------------------------------------------------===//

#include "checks/query/Query.h"
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

/// Does a work-item do so much else that a division before it does not show: a loop, many accesses,
/// or a computation?
static bool isAmortized(const KernelAnalysis &K) {
  constexpr size_t Many = 8; // accesses of one work-item without a loop: a tile, a block
  if (K.accesses().size() >= Many ||
      any_of(K.accesses(), [](const AccessSite &A) { return !A.Loops.empty(); }))
    return true;
  // A computation of its own.
  size_t Operations = 0;
  walk(K.kernel().Body, [&](Stmt *S) {
    forEachExpr(*S, [&](const Expr *Root) {
      walk(Root, [&](const Expr *E) {
        Operations += E->Ty->isFloat() && (E->K == ExprKind::Call || E->K == ExprKind::Binary);
        return true;
      });
    });
    return true;
  });
  return Operations >= Many;
}

/// Is E computed anew in each round, or could it as well stand before the loop?
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

/// Does E come from floating point: no coordinate, but what is computed?
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

/// Only arguments that are never assigned, sizes of the launch, numbers (or ids as well), and what
/// is not understood and made of these? Nothing says that it differs (or is data).
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

/// Only ids and arguments, outside of loops: which row, which channel.
static bool isSetup(const KernelAnalysis &K, const Expr *E, bool InLoop) {
  return (!InLoop || !changesInLoop(K, E)) &&
         (!K.varies(E).Data || ofArguments(K, E, /*OrIds=*/true)) && !comesFromFloat(K, E->Ops[0]);
}

/// Does the kernel ask for its place in all three dimensions? Then there is none left to launch the
/// quotient in.
static bool usesAllDimensions(const Kernel &K) {
  uint8_t Used = 0;
  walk(K.Body, [&](Stmt *S) {
    forEachExpr(*S, [&](const Expr *Root) {
      walk(Root, [&](const Expr *E) {
        if (E->K == ExprKind::WorkItem &&
            (E->Query == WorkItemQuery::GlobalId || E->Query == WorkItemQuery::GroupId))
          Used |= 1 << E->Dim;
        return true;
      });
    });
    return true;
  });
  return Used == 7;
}

/// Quotient and remainder of the same two: who computes one of them has the other for a product.
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
  unsigned Count = 0;
  walk(B, [&](Stmt *S) {
    forEachExpr(*S, [&](const Expr *Root) {
      walk(Root, [&](const Expr *E) {
        Count += E->K == ExprKind::Opaque ||
                 (E->K == ExprKind::Load && E->Acc.Base->space() != AddressSpace::Private);
        return true;
      });
    });
    return true;
  });
  return Count;
}

/// Does a loop hold another one that reads memory? What stands in the outer one, then, is done once
/// for many accesses. So is what a loop over the lanes of a vector does.
static bool isAroundAccesses(const KernelAnalysis &K, const Stmt *Loop) {
  constexpr int64_t Lanes = 4;
  auto Rounds = [&](const Stmt *S) -> std::optional<int64_t> {
    std::optional<CountedLoop> L = K.countedLoop(S);
    if (!L || L->TripCount)
      return L ? L->TripCount : std::nullopt;
    // At most, where it may be left early.
    std::optional<int64_t> From = constantValue(L->Lower), To = constantValue(L->Bound);
    return From && To && L->Step == 1 && L->Compare == Op::LT ? std::optional(*To - *From)
                                                              : std::nullopt;
  };
  if (std::optional<int64_t> Few = Rounds(Loop); Few && *Few <= Lanes)
    return true;
  bool Found = false;
  walk(Loop->Body, [&](Stmt *Inner) {
    if (Inner->K == StmtKind::Loop)
      Found |= Rounds(Inner).value_or(Lanes) > 2 && readsIn(Inner->Body);
    return !Found;
  });
  return Found;
}

/// Does memory have a part in E, through whatever variables?
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

/// By a number of the host's build: worth a word where ids are, for each work-item, and where data
/// are divided, or what is 64 bits wide, again and again.
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
      .atMost(rules::Severity::Info);
}

/// Is a division the same for all work-items, and one of many things that a round does?
static bool isShared(const KernelAnalysis &K, const Expr *E, const Stmt *S, const Stmt *Loop) {
  constexpr unsigned Many = 4; // accesses
  return Loop && K.varies(E, S).uniformInLaunch() && readsIn(Loop->Body) >= Many;
}

namespace {
/// Of the kernel, computed once.
struct Tuned {
  bool Holds;
};
struct Amortized {
  bool Holds;
};
} // namespace

/// True: told, and no divisor of a known value.
static bool reportDivision(const Expr *E, const Stmt *S, bool InLoop, bool Outside,
                           const Expr *Partner, std::set<std::pair<int64_t, unsigned>> &Told,
                           Context &C) {
  const KernelAnalysis &K = C.analysis();
  const Expr *Dividend = E->Ops[0], *Divisor = E->Ops[1];
  bool IsRemainder = E->O == Op::Rem;
  std::optional<int64_t> Constant = constantOf(K, Divisor);
  if (constantOf(K, Dividend) && Constant)
    return false;
  // A macro of the host's: whether it is a power of two, or 1, nobody knows here.
  if (Constant && isGuessedNumber(C.module(), Divisor)) {
    reportGuessed(E, S, InLoop, C);
    return false;
  }
  bool Signed = isSigned(E->Ty->Scalar);
  if (Constant && *Constant > 0 && isPowerOf2_64(*Constant) && !Signed)
    return false;
  if (Constant && (*Constant == 1 || *Constant == 0))
    return false;
  const rules::Fact *Documented = C.device().fact("integer-divide-cycles");
  bool HasFigure = Documented && Documented->Source != "E";
  // Once, and the same for all work-items, each of which computes it: worth a word where it is
  // known what that takes.
  bool Once =
      (ofArguments(K, E) || K.varies(E, S).uniformInLaunch()) && !(InLoop && changesInLoop(K, E));
  bool IsTuned = !HasFigure && C.cached<Tuned>([&] { return Tuned{takesWholeVectors(K)}; }).Holds;
  bool Setup = isSetup(K, E, InLoop) && !HasFigure;
  if (IsTuned && (Once || Setup))
    return false;
  bool IsAmortized = Setup && C.cached<Amortized>([&] {
                                 return Amortized{isAmortized(K) || usesAllDimensions(K.kernel())};
                               }).Holds;

  std::string What = IsRemainder ? "the remainder" : "the quotient";
  std::string Of = " of two integers ";
  std::string Cost =
      HasFigure ? utostr(Documented->Value) + " cycles"
                : std::string("a sequence of instructions, for there is none that divides");

  if (Constant) {
    // A number with a name is one that somebody may change.
    StringRef Digits = C.text(Divisor->Range).trim();
    bool IsLiteral = !Digits.empty() && isDigit(Digits[0]) && all_of(Digits, isAlnum);
    bool Fixable = *Constant > 0 && isPowerOf2_64(*Constant) && E->Ty->isScalar() && IsLiteral &&
                   K.range(Dividend, S).Lo >= 0;
    // One word of a function on a constant is enough where there is nothing to do about it.
    if (!Fixable && !Told.insert({*Constant, functionOf(K.kernel(), E->Range)}).second)
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
  if (Partner)
    F.note(Partner->Range,
           IsRemainder ? "the quotient of the same two" : "the remainder of the same two");
  F.fix(Applicability::Verify, "clmali-rewrite --passes=strength-reduce");
  return true;
}

static void run(const Kernel &K, Context &C) {
  // A helper inlined twice, or an expression that became several nodes, is one place.
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
      bool Around = IsLoop ? isAroundAccesses(C.analysis(), S) : Outside;
      forEachExpr(*S, [&](const Expr *Root) {
        walk(Root, [&](const Expr *E) {
          if (E->K == ExprKind::Binary && (E->O == Op::Div || E->O == Op::Rem) &&
              E->Ty->isInteger() && E->Range.isValid() &&
              Seen.insert({E->Range.File, E->Range.Begin, E->Range.End}).second)
            Divisions.push_back(
                {E, S, Inside != nullptr, Around || isShared(C.analysis(), E, S, Inside)});
          return true;
        });
      });
      forEachStmtList(*S, [&](StmtList &Nested) { Self(Nested, Inside, Around, Self); });
    }
  };
  Visit(K.Body, nullptr, false, Visit);
  std::set<std::pair<int64_t, unsigned>> Told; // constants, with the functions that divide by them
  for (auto D = Divisions.begin(); D != Divisions.end(); ++D) {
    auto Pair = std::find_if(D, Divisions.end(), [&](const Division &Other) {
      return !Other.Done && D->InLoop == Other.InLoop &&
             arePair(C.analysis(), D->E, D->S, Other.E, Other.S);
    });
    if (!D->Done &&
        reportDivision(D->E, D->S, D->InLoop, D->Outside,
                       Pair == Divisions.end() ? nullptr : Pair->E, Told, C) &&
        Pair != Divisions.end())
      Pair->Done = true;
  }
}

CLMALI_KERNEL_CHECK("integer-division", run);
