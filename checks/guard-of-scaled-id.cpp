//===- guard-of-scaled-id.cpp -----------------------------------------------------------------===//
//
// Before: x = 2 * id; if (x >= items) return;  out[x] = ..; if (x + 1 < w) out[x + 1] = ..
// After:  if (x >= w) return;
// Limits: guards on k * id + c and one argument, or the global size. Of launches, those in host
// code
//         that give the argument's value, or compute the global size from it.
//
//===------------------------------------------------------------------------------------------===//

#include "checks/query/Query.h"
#include "llvm/ADT/StringExtras.h"
#include <map>

using namespace llvm;
using namespace clmali;
using namespace clmali::checks;
using namespace clmali::model;

namespace {
/// Times * global id of Dim + Offset, compared with Limit: an argument, or the global size.
struct ScaledGuard {
  SourceRange Range;
  unsigned Dim = 0;
  int64_t Times = 0, Offset = 0;
  const Expr *Limit = nullptr;
};
} // namespace

static std::optional<ScaledGuard> scaledGuard(const KernelAnalysis &K, const Expr *E,
                                              const Stmt *At) {
  bool Orders = E->K == ExprKind::Binary &&
                (E->O == Op::LT || E->O == Op::LE || E->O == Op::GT || E->O == Op::GE);
  if (!Orders || !E->Ops[0]->Ty->isInteger() || !E->Ops[0]->Ty->isScalar() || !E->Range.isValid())
    return std::nullopt;
  bool Below = E->O == Op::LT || E->O == Op::GE;
  Poly P = K.poly(E->Ops[0], At) - K.poly(E->Ops[1], At);
  ScaledGuard G;
  G.Range = E->Range;
  int64_t LimitTimes = 0;
  for (const auto &[Mono, Coefficient] : P.Terms) {
    const SymbolInfo *S = Mono.size() == 1 ? &K.symbol(Mono[0]) : nullptr;
    if (Mono.empty())
      continue;
    bool IsQuery = S && S->K == SymbolInfo::WorkItem;
    if (IsQuery && S->E->Query == WorkItemQuery::GlobalId && !G.Times) {
      G.Times = Coefficient;
      G.Dim = S->E->Dim;
    } else if (S && !G.Limit &&
               (S->K == SymbolInfo::Param ||
                (IsQuery && S->E->Query == WorkItemQuery::GlobalSize))) {
      G.Limit = S->E;
      LimitTimes = Coefficient;
    } else {
      return std::nullopt;
    }
  }
  // limit > k * id is the same as k * id < limit.
  int64_t Sign = G.Times < 0 ? -1 : 1;
  Below ^= Sign < 0;
  G.Times *= Sign;
  // k * id + c <= limit - 1 is k * id + c < limit.
  G.Offset = Sign * P.constantTerm() - (Below ? 0 : 1);
  bool Fits = G.Times > 1 && Sign * LimitTimes == -1;
  return Fits ? std::optional(G) : std::nullopt;
}

namespace {
/// What a launch shows of the limit of a guard.
enum class Counts : uint8_t { Unknown, WorkItems, Elements };
} // namespace

/// Limit is an integer argument: the number of work-items of the dimension, or that of the elements
/// of all of them.
static Counts countedBy(const HostLaunch &L, const ScaledGuard &G, unsigned Index) {
  auto Of = [&](int64_t Limit, std::optional<uint64_t> Global) {
    if (!Global || Limit <= 0)
      return Counts::Unknown;
    const uint64_t N = Limit, Items = *Global, Times = G.Times;
    // The global size may be rounded up to whole groups.
    const uint64_t Group = L.Local[G.Dim].value_or(1);
    if (N <= Items && Items - N < Group)
      return Counts::WorkItems;
    return N > Items * (Times - 1) ? Counts::Elements : Counts::Unknown;
  };
  for (const HostLaunch::Sample &S : L.Samples)
    if (S.Index == Index)
      if (Counts What = Of(HostLaunch::Sample::Value, S.Global[G.Dim]); What != Counts::Unknown)
        return What;
  for (const HostKernelArg &A : L.Args)
    if (A.Index == Index && A.Value)
      return Of(*A.Value, L.Global[G.Dim]);
  return Counts::Unknown;
}

static void run(const Kernel &K, Context &C) {
  const KernelAnalysis &An = C.analysis();
  std::map<std::pair<unsigned, int64_t>, ScaledGuard> First; ///< on the id alone, by Dim and Times
  std::set<std::pair<uint32_t, uint32_t>> Reported;
  auto Report = [&](const ScaledGuard &G, const Twine &Limit) -> Finding * {
    if (!Reported.insert({G.Range.File, G.Range.Begin}).second)
      return nullptr;
    return &C.report(G.Range, itostr(G.Times) + " times the global id is compared with " + Limit)
                .restsOn(G.Range);
  };
  for (ExprAt X : exprs(K.Body)) {
    std::optional<ScaledGuard> G = scaledGuard(An, X.E, X.S);
    if (!G)
      continue;
    if (G->Limit->K == ExprKind::WorkItem) {
      if (G->Limit->Dim == G->Dim && G->Offset >= 0 && G->Offset < G->Times)
        if (Finding *F = Report(*G, "the number of work-items"))
          F->cost("only one of " + itostr(G->Times) +
                  " passes; compare with the number of elements");
      continue;
    }
    unsigned Index = unsigned(find(K.Params, G->Limit->V) - K.Params.begin());
    auto Shows = [&](Counts What) {
      return [&, What](const HostLaunch &L) { return countedBy(L, *G, Index) == What; };
    };
    if (auto L = find_if(C.launches(), Shows(Counts::WorkItems));
        L != C.launches().end() && G->Offset >= 0 && G->Offset < G->Times) {
      if (Finding *F = Report(*G, "'" + G->Limit->V->Name + "', the number of work-items"))
        F->cost("only one of " + itostr(G->Times) + " passes; compare with the number of elements")
            .Notes.push_back({L->Range, "the launch", L->File});
      continue;
    }
    // All launches show that it is the number of elements.
    if (!C.launches().empty() && all_of(C.launches(), Shows(Counts::Elements)))
      continue;
    if (G->Offset == 0) {
      First.try_emplace({G->Dim, G->Times}, *G);
      continue;
    }
    // The work-item's next elements have another limit.
    auto At = First.find({G->Dim, G->Times});
    if (At == First.end() || G->Offset < 0 || G->Offset >= G->Times ||
        At->second.Limit->V == G->Limit->V)
      continue;
    const ScaledGuard &Of = At->second;
    if (Finding *F = Report(Of, "'" + Of.Limit->V->Name + "', and its next element with '" +
                                    G->Limit->V->Name + "'"))
      F->restsOn(G->Range)
          .cost("if '" + Of.Limit->V->Name + "' is the number of work-items, only one of " +
                itostr(G->Times) + " passes, and elements stay unwritten")
          .note(G->Range, "the other limit");
  }
}

CLMALI_KERNEL_CHECK("guard-of-scaled-id", run);
