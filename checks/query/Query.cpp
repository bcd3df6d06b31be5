//===- Query.cpp - queries on the model that several checks use -------------------------------===//

#include "checks/query/Query.h"
#include "checks/query/Limits.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"
#include <cmath>

using namespace llvm;
using namespace clmali;
using namespace clmali::checks;
using namespace clmali::model;

std::string checks::nameOf(const Access &A) { return "'" + A.Base->Name + A.Path + "'"; }

AddressClass checks::addressClass(const AccessSite &Site) {
  std::map<Monomial, int64_t> Terms = Site.Bytes.Terms;
  Terms.erase(Monomial());
  return {Site.A->Base, std::move(Terms)};
}

std::string checks::typeOf(const Access &A) {
  std::string Name = model::name(A.Elem).str();
  return A.Lanes > 1 ? Name + utostr(A.Lanes) : Name;
}

unsigned checks::widthInBytes(const Access &A) { return sizeInBytes(A.Elem) * A.Lanes; }

std::optional<int64_t> checks::constantStride(const KernelAnalysis &K, const Access &A,
                                              unsigned Dim) {
  std::optional<Poly> P = K.stride(A, Dim);
  if (!P || !P->isConstant())
    return std::nullopt;
  return P->constantTerm();
}

/// True for n - 1, or 63: x & mask is a remainder if n is a power of two.
static bool isMask(const Expr *E) {
  E = stripCasts(E);
  if (std::optional<int64_t> Mask = constantValue(E))
    return *Mask > 0 && isPowerOf2_64(uint64_t(*Mask) + 1);
  return E->K == ExprKind::Binary && E->O == Op::Sub && constantValue(stripCasts(E->Ops[1])) == 1;
}

/// dominantStep for an index or an address.
static std::optional<Poly> dominantStep(const KernelAnalysis &K, Poly P, unsigned Dim,
                                        unsigned Depth) {
  for (unsigned Round = 0; Round < 8; ++Round) {
    if (std::optional<Poly> Moves = K.stride(P, Dim))
      return Moves;
    std::optional<unsigned> Found;
    for (const auto &[Mono, C] : P.Terms)
      for (unsigned S : Mono)
        if (K.symbol(S).K == SymbolInfo::Atom && (K.symbol(S).Varies.Item >> Dim & 1))
          Found = S;
    const Expr *E = Found ? K.symbol(*Found).E : nullptr;
    if (!E || P.degree(*Found) != 1 || !E->Ty->isScalar() || !E->Ty->isInteger())
      return std::nullopt;
    const Stmt *At = K.placeOf(*Found);
    // A load at an index with stride 0 has stride 0: starts[i / 32] + i % 32.
    if (E->K == ExprKind::Load && Depth < 4) {
      auto Moves = [&](const Expr *Index) {
        std::optional<Poly> Step = dominantStep(K, K.poly(Index, At), Dim, Depth + 1);
        return !Step || !Step->isZero();
      };
      if (any_of(E->Acc.Index, Moves))
        return std::nullopt;
      P = P.substitute(*Found, Poly());
      continue;
    }
    if (E->K == ExprKind::Call && (E->Name == "clamp" || E->Name == "min" || E->Name == "max")) {
      // The other operands are bounds that do not change along Dim.
      const Expr *Moved = nullptr;
      for (const Expr *X : E->Ops)
        if (K.varies(X, At).Item >> Dim & 1) {
          if (Moved)
            return std::nullopt;
          Moved = X;
        }
      if (!Moved)
        return std::nullopt;
      P = P.substitute(*Found, K.poly(Moved, At));
      continue;
    }
    if (E->K != ExprKind::Binary)
      return std::nullopt;
    std::optional<int64_t> By = constantValue(stripCasts(E->Ops[1]));
    bool Masks = E->O == Op::And && isMask(E->Ops[1]),
         Shifts = E->O == Op::Shr && By && *By >= 0 && *By < 31;
    if (Masks && By)
      ++*By;
    if (Shifts)
      By = int64_t(1) << *By;
    if ((E->O != Op::Rem && E->O != Op::Div && !Masks && !Shifts) ||
        (By && *By < limits::RowElements))
      return std::nullopt;
    P = P.substitute(*Found, E->O == Op::Rem || Masks ? K.poly(E->Ops[0], At) : Poly());
  }
  return std::nullopt;
}

std::optional<int64_t> checks::dominantStride(const KernelAnalysis &K, const AccessSite &Site,
                                              unsigned Dim) {
  if (auto Exact = constantStride(K, *Site.A, Dim))
    return Exact;
  std::optional<Poly> Step = dominantStep(K, Site.Bytes, Dim);
  return Step && Step->isConstant() ? std::optional(Step->constantTerm()) : std::nullopt;
}

std::optional<Poly> checks::dominantStep(const KernelAnalysis &K, const Poly &Bytes, unsigned Dim) {
  return ::dominantStep(K, Bytes, Dim, 0);
}

bool checks::sameControl(const AccessSite &A, const AccessSite &B) {
  if (A.Loops != B.Loops || A.Guards.size() != B.Guards.size())
    return false;
  for (auto [X, Y] : zip(A.Guards, B.Guards))
    if (X.Cond != Y.Cond || X.Holds != Y.Holds)
      return false;
  return true;
}

bool checks::usesIds(const KernelAnalysis &K) {
  return any_of(exprs(K.kernel().Body), [](const ExprAt &X) {
    return X->K == ExprKind::WorkItem &&
           (X->Query == WorkItemQuery::GlobalId || X->Query == WorkItemQuery::LocalId ||
            X->Query == WorkItemQuery::GroupId);
  });
}

bool checks::isAlike(const KernelAnalysis &K, const Poly &P) {
  return all_of(P.Terms, [&](const auto &Term) {
    return all_of(Term.first, [&](unsigned S) { return K.symbol(S).Varies.uniformInLaunch(); });
  });
}

bool checks::isUniform(const KernelAnalysis &K, const Poly &P) {
  return isAlike(K, P) && none_of(P.Terms, [&](const auto &Term) {
           return any_of(Term.first,
                         [&](unsigned S) { return K.symbol(S).K == SymbolInfo::LoopVar; });
         });
}

bool checks::isEarlier(const Kernel &K, SourceRange A, SourceRange B) {
  auto Outside = [&](SourceRange R) {
    return R.File != K.Range.File || R.Begin < K.Range.Begin || R.End > K.Range.End;
  };
  return std::make_tuple(Outside(A), A.File, A.Begin) <
         std::make_tuple(Outside(B), B.File, B.Begin);
}

const model::Field *checks::fieldOf(const Type *Ty, StringRef Part) {
  auto Field = find_if(
      Ty->Fields, [Name = Part.split('[').first](const model::Field &F) { return F.Name == Name; });
  return Ty->K == Type::Struct && Field != Ty->Fields.end() ? &*Field : nullptr;
}

bool checks::isUnknownValue(const Expr *E) {
  if (E->K != ExprKind::Call || E->Name != "native_exp2")
    return false;
  const Expr *Of = stripCasts(E->Ops[0]); // the front end's definition of the placeholder
  return Of->K == ExprKind::WorkItem && Of->Query == WorkItemQuery::GlobalId && Of->Dim == 0;
}

bool checks::isRegular(const KernelAnalysis &K, const Poly &P) {
  for (const auto &[M, Coefficient] : P.Terms)
    for (unsigned S : M) {
      // Data that is uniform in a work-group moves all its addresses equally.
      const Variation &V = K.symbol(S).Varies;
      if (V.Data && V.Item)
        return false;
    }
  return true;
}

bool checks::isRegular(const KernelAnalysis &K, const AccessSite &Site) {
  return isRegular(K, Site.Bytes);
}

bool checks::stepsByElement(const KernelAnalysis &K, const AccessSite &Site) {
  if (Site.Loops.empty())
    return false;
  for (unsigned S = 0; S < K.numSymbols(); ++S) {
    const SymbolInfo &Info = K.symbol(S);
    bool Counts = Info.K == SymbolInfo::LoopVar || Info.K == SymbolInfo::Iteration;
    if (!Counts || Info.Loop != Site.Loops.back() || Site.Bytes.degree(S) != 1)
      continue;
    Poly Step = Site.Bytes.coefficient(S);
    if (Info.K == SymbolInfo::LoopVar)
      if (std::optional<CountedLoop> Loop = K.countedLoop(Info.Loop))
        Step = Step * Loop->Step; // 0 if the step is not a constant
    if (Step.isConstant() && std::abs(Step.constantTerm()) == sizeInBytes(Site.A->Elem))
      return true;
  }
  return false;
}

bool checks::exclude(const AccessSite &A, const AccessSite &B) {
  return any_of(A.Guards, [&](const Guard &G) {
    return any_of(B.Guards, [&](const Guard &H) { return G.Cond == H.Cond && G.Holds != H.Holds; });
  });
}

unsigned checks::functionOf(const Kernel &K, SourceRange R) {
  auto Holds = [&](SourceRange F) {
    return F.File == R.File && F.Begin <= R.Begin && R.End <= F.End;
  };
  return unsigned(llvm::find_if(K.HelperRanges, Holds) - K.HelperRanges.begin());
}

bool checks::goesThroughLaunch(const KernelAnalysis &K, const Stmt *Loop) {
  bool Found = false;
  auto Look = [&](const Expr *Root, unsigned Depth, auto &&Self) -> void {
    walk(Root, [&](const Expr *E) {
      Found |= E->K == ExprKind::WorkItem &&
               (E->Query == WorkItemQuery::GlobalSize || E->Query == WorkItemQuery::NumGroups);
      if (E->K == ExprKind::VarRef && Depth < 4)
        if (const Stmt *Def = K.singleDef(E->V); Def && Def->E)
          Self(Def->E, Depth + 1, Self);
      return !Found && E->K != ExprKind::Load;
    });
  };
  for (const StmtList *B : {&Loop->Step, &Loop->Body})
    for (const Stmt *X : *B)
      if (X->K == StmtKind::Assign && K.defs(X->V).size() > 1)
        Look(X->E, 0, Look);
  return Found;
}

bool checks::isRowOfLaunch(const KernelAnalysis &K, const AccessSite &Site) {
  auto Coefficient = [&](unsigned Dim) -> int64_t {
    for (const auto &[M, Bytes] : Site.Bytes.Terms)
      if (M.size() == 1)
        if (const SymbolInfo &Info = K.symbol(M.front());
            Info.K == SymbolInfo::WorkItem && Info.E->Query == WorkItemQuery::GlobalId &&
            Info.E->Dim == Dim)
          return Bytes;
    return 0;
  };
  int64_t Element = widthInBytes(*Site.A);
  return Coefficient(0) > Element && (Coefficient(1) == Element || Coefficient(2) == Element);
}

bool checks::mayAlias(const Access &A) { return A.Base->isPointerParam() && !A.Base->Ty->Restrict; }

bool checks::mayChange(const Access &W, const Access &A) {
  auto Unsigned = [](ScalarKind K) {
    switch (K) {
    case ScalarKind::Char:
      return ScalarKind::UChar;
    case ScalarKind::Short:
      return ScalarKind::UShort;
    case ScalarKind::Int:
      return ScalarKind::UInt;
    case ScalarKind::Long:
      return ScalarKind::ULong;
    default:
      return K;
    }
  };
  ScalarKind Stored = Unsigned(W.Elem);
  return W.Base != A.Base && (Stored == Unsigned(A.Elem) || Stored == ScalarKind::UChar) &&
         mayAlias(W) && mayAlias(A);
}

bool checks::isHandTuned(const KernelAnalysis &K) {
  return any_of(K.accesses(),
                [](const AccessSite &A) {
                  return A.A->Lanes >= 4 && A.A->Base->space() == AddressSpace::Global;
                }) ||
         hasImages(K.kernel()) || any_of(K.kernel().Opaques, [](const OpaqueNote &N) {
           return StringRef(N.What).contains("sub-group") ||
                  StringRef(N.What).contains("sub_group");
         });
}

const Conditions &checks::conditions(Context &C) {
  return C.cached<Conditions>([&] {
    Conditions Result;
    std::vector<const Stmt *> Around;
    auto Visit = [&](const StmtList &B, auto &&Self) -> void {
      for (Stmt *S : B) {
        Result[S] = Around;
        bool Decides = S->K == StmtKind::If || S->K == StmtKind::Loop;
        if (Decides)
          Around.push_back(S);
        forEachStmtList(*S, [&](StmtList &Nested) { Self(Nested, Self); });
        if (Decides)
          Around.pop_back();
      }
    };
    Visit(C.analysis().kernel().Body, Visit);
    return Result;
  });
}

std::map<const Expr *, unsigned> checks::componentLoads(const Kernel &K) {
  std::map<const Expr *, unsigned> Result;
  for (ExprAt X : exprs(K.Body))
    if (X->K == ExprKind::Swizzle && X->LaneIdx.size() == 1 && X->Ops[0]->K == ExprKind::Load)
      Result[X->Ops[0]] = X->LaneIdx[0];
  return Result;
}

const Leaves &checks::leaves(Context &C) {
  return C.cached<Leaves>([&] {
    Leaves Result;
    std::vector<const Stmt *> Around; // the loop, and the branches in it
    auto Visit = [&](const StmtList &B, auto &&Self) -> void {
      for (Stmt *S : B) {
        bool Leaves =
            S->K == StmtKind::Break || S->K == StmtKind::Continue || S->K == StmtKind::Return;
        if (Leaves && !Around.empty())
          Result[Around.front()].insert(Result[Around.front()].end(), Around.begin() + 1,
                                        Around.end());
        std::vector<const Stmt *> Outer = Around;
        if (S->K == StmtKind::Loop)
          Around = {S};
        else if (S->K == StmtKind::If && !Around.empty())
          Around.push_back(S);
        forEachStmtList(*S, [&](StmtList &Nested) { Self(Nested, Self); });
        Around = std::move(Outer);
      }
    };
    Visit(C.analysis().kernel().Body, Visit);
    return Result;
  });
}

uint64_t checks::knownRounds(const GuessedFacts &G, const KernelAnalysis &K,
                             const Conditions &Around, const Stmt *S) {
  uint64_t N = 1;
  if (auto Found = Around.find(S); Found != Around.end())
    for (const Stmt *Loop : Found->second)
      if (Loop->K == StmtKind::Loop)
        if (std::optional<CountedLoop> L = K.countedLoop(Loop))
          if (int64_t Trips = G.knownTripCount(*L).value_or(0); Trips > 0)
            N = std::min(N * std::min<uint64_t>(Trips, limits::Iterations), limits::Iterations);
  return N;
}

bool checks::hasOpaque(const Expr *E) {
  bool Found = false;
  walk(E, [&](const Expr *X) {
    Found |= X->K == ExprKind::Opaque;
    return !Found;
  });
  return Found;
}

std::string checks::percent(double Part, double Whole) {
  double P = 100 * Part / Whole;
  std::string Text = P == std::floor(P) ? formatv("{0:F0}", P).str() : formatv("{0:F2}", P).str();
  return Text + " %";
}
