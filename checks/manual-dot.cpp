//===- manual-dot.cpp ---------------------------------------------------------------------===//
//
// Before: a.x * b.x + a.y * b.y + a.z * b.z
// After:  dot(a.xyz, b.xyz)           (unsafe: another order of additions)
// Before: 0.299f * p.x + 0.587f * p.y + 0.114f * p.z
// After:  dot(p.xyz, (float3)(0.299f, 0.587f, 0.114f))
// Before: for (...) sum += a[k] * b[k];
// After:  dot of four elements at a time
// Before: x * x + y * y, c * x - s * y    if nothing else is found
// After:  dot((float2)(x, y), (float2)(x, y)), dot((float2)(c, s), (float2)(x, -y))
// Limits: sums in floating point; each component once. A sum may extend over consecutive statements
//         (s += a.x * b.x; s += a.y * b.y; ...). Powers of one value are no inner product.
//
//===------------------------------------------------------------------------------------------===//

#include "checks/query/Query.h"
#include "llvm/ADT/StringExtras.h"
#include <set>

using namespace llvm;
using namespace clmali;
using namespace clmali::checks;
using namespace clmali::model;

namespace {
/// A component that a sum multiplies by that of another vector, or by a uniform factor.
struct Term {
  const Expr *A = nullptr, *B = nullptr; ///< the vectors; B null: a uniform factor
  unsigned Lane = 0;
};
} // namespace

/// The operands of a chain of additions.
static void addends(const Expr *E, std::vector<const Expr *> &Out) {
  if (E->K == ExprKind::Binary && E->O == Op::Add && E->Ty->isScalar()) {
    addends(E->Ops[0], Out);
    addends(E->Ops[1], Out);
    return;
  }
  Out.push_back(E);
}

/// mad(a, b, c), which adds the product of the first two.
static bool isMad(const Expr *E) {
  return E->K == ExprKind::Call && (E->Name == "mad" || E->Name == "fma") && E->Ops.size() == 3;
}

/// The operands that are added, and those that are subtracted: c - a.x * b.x - a.y * b.y - a.z *
/// b.z is c - dot(a, b). A mad counts as its product.
static void addends(const Expr *E, std::vector<const Expr *> &Added,
                    std::vector<const Expr *> &Subtracted) {
  if (isMad(E) && E->Ty->isScalar()) {
    Added.push_back(E);
    addends(E->Ops[2], Added, Subtracted);
    return;
  }
  bool Sub = E->K == ExprKind::Binary && E->O == Op::Sub;
  if ((!Sub && (E->K != ExprKind::Binary || E->O != Op::Add)) || !E->Ty->isScalar()) {
    Added.push_back(E);
    return;
  }
  addends(E->Ops[0], Added, Subtracted);
  addends(E->Ops[1], Sub ? Subtracted : Added, Sub ? Added : Subtracted);
}

/// E, if it is one component of a vector; else null.
static const Expr *component(const Expr *E) {
  E = stripCasts(E);
  return E->K == ExprKind::Swizzle && E->LaneIdx.size() == 1 ? E : nullptr;
}

/// The product that E is, if it has the form of a Term.
static std::optional<Term> termOf(const KernelAnalysis &K, const Expr *E) {
  if (const Expr *X = component(E)) {
    // A component of a product of whole vectors.
    const Expr *Of = origin(K, X->Ops[0]);
    if (Of->K != ExprKind::Binary || Of->O != Op::Mul || !Of->Ty->isFloat())
      return std::nullopt;
    return Term{Of, Of, X->LaneIdx[0]};
  }
  if (!isMad(E) && (E->K != ExprKind::Binary || E->O != Op::Mul || !E->Ty->isFloat()))
    return std::nullopt;
  const Expr *A = component(E->Ops[0]), *B = component(E->Ops[1]);
  if (A && B && A->LaneIdx[0] == B->LaneIdx[0])
    return Term{A->Ops[0], B->Ops[0], A->LaneIdx[0]};
  if (!A == !B)
    return std::nullopt;
  const Expr *Other = E->Ops[A ? 1 : 0];
  if (!K.varies(Other).uniformInLaunch())
    return std::nullopt;
  return Term{(A ? A : B)->Ops[0], nullptr, (A ? A : B)->LaneIdx[0]};
}

static bool ofSameVectors(const Term &X, const Term &Y) {
  if (!X.B || !Y.B)
    return !X.B && !Y.B && model::equal(X.A, Y.A);
  return (model::equal(X.A, Y.A) && model::equal(X.B, Y.B)) ||
         (model::equal(X.A, Y.B) && model::equal(X.B, Y.A));
}

/// The number of components of an inner product in the sum: 2 to 4, or 0.
static unsigned innerProduct(const KernelAnalysis &K, ArrayRef<const Expr *> Sum) {
  std::vector<Term> Terms;
  for (const Expr *E : Sum)
    if (std::optional<Term> T = termOf(K, E))
      Terms.push_back(*T);
  for (const Term &First : Terms) {
    std::set<unsigned> Lanes;
    unsigned Matching = 0;
    for (const Term &T : Terms)
      if (ofSameVectors(First, T)) {
        ++Matching;
        Lanes.insert(T.Lane);
      }
    bool Pair = Matching == 2 && First.B && Lanes == std::set<unsigned>{0, 1};
    if ((Pair || Matching == 3 || Matching == 4) && Lanes.size() == Matching)
      return Matching;
  }
  return 0;
}

/// The operands of a chain of multiplications; of a power, its base.
static void factors(const Expr *E, std::vector<const Expr *> &Out) {
  if (E->K == ExprKind::Binary && E->O == Op::Mul) {
    factors(E->Ops[0], Out);
    factors(E->Ops[1], Out);
    return;
  }
  bool Power =
      E->K == ExprKind::Call && (E->Name == "pow" || E->Name == "pown" || E->Name == "powr");
  Out.push_back(Power ? E->Ops[0] : E); // a polynomial may use pow
}

/// The number of scalar products in the sum, directly or through variables; 0 if there are fewer
/// than three, or if they have a common factor (as a polynomial has).
static unsigned scalarProducts(const KernelAnalysis &K, ArrayRef<const Expr *> Sum) {
  std::vector<std::vector<const Expr *>> Products;
  for (const Expr *E : Sum)
    if (E = stripCasts(origin(K, E)); E->K == ExprKind::Binary && E->O == Op::Mul &&
                                      E->Ty->isScalar() && E->Ty->isFloat() &&
                                      !(constantValue(E->Ops[0]) && constantValue(E->Ops[1])))
      factors(E, Products.emplace_back());
  if (Products.size() < 3)
    return 0;
  for (const Expr *F : Products.front())
    if (F->K != ExprKind::FloatConst && F->K != ExprKind::IntConst &&
        all_of(Products, [&](const std::vector<const Expr *> &P) {
          return any_of(P, [&](const Expr *X) { return model::equal(X, F); });
        }))
      return 0;
  return unsigned(Products.size());
}

/// True if E is an element of memory, directly or through variables. Components of vectors are not:
/// innerProduct() finds them; nor are elements of small private arrays at constant indices.
static bool isLoaded(Context &C, const Expr *E) {
  E = stripCasts(origin(C.analysis(), stripCasts(E)));
  return E->K == ExprKind::Load && E->Acc.Lanes == 1 &&
         (E->Acc.Base->space() != AddressSpace::Private ||
          (E->Acc.Base->Ty->K == Type::Array &&
           E->Acc.Base->Ty->Count > uint64_t(C.option("MaxSmallArray"))) ||
          any_of(E->Acc.Index, [](const Expr *I) { return !constantValue(I); })); // a small matrix
}

/// True if E is loaded, or a difference with a loaded operand, directly or through variables.
static bool isDifference(Context &C, const Expr *E) {
  const Expr *Of = stripCasts(origin(C.analysis(), stripCasts(E)));
  return isLoaded(C, E) || (Of->K == ExprKind::Binary && Of->O == Op::Sub && Of->Ty->isFloat() &&
                            (isLoaded(C, Of->Ops[0]) || isLoaded(C, Of->Ops[1])));
}

/// d * d or pow(d, 2), where d is a difference of elements, as in the distance of two points.
static bool isSquare(Context &C, const Expr *E) {
  if (E->K == ExprKind::Binary && E->O == Op::Mul)
    return model::equal(stripCasts(E->Ops[0]), stripCasts(E->Ops[1])) && isDifference(C, E->Ops[0]);
  if (E->K != ExprKind::Call || (E->Name != "pow" && E->Name != "pown" && E->Name != "powr") ||
      E->Ops.size() != 2)
    return false;
  const Expr *Power = stripCasts(E->Ops[1]);
  return (Power->K == ExprKind::FloatConst ? Power->Float == 2 : constantValue(Power) == 2) &&
         isDifference(C, E->Ops[0]);
}

/// True if the address of a store is the same in all iterations of the loop around it.
static bool isInvariantInLoop(const KernelAnalysis &K, const Stmt *S) {
  for (const AccessSite &Site : K.accesses())
    if (Site.S == S && Site.IsWrite)
      return !Site.Loops.empty() && none_of(Site.Bytes.Terms, [&](const auto &Term) {
        return any_of(Term.first, [&](unsigned Symbol) {
          const SymbolInfo &Info = K.symbol(Symbol);
          return Info.Loop == Site.Loops.back() ||
                 (Info.K == SymbolInfo::Atom && (!Info.E || Info.Varies.Data));
        });
      });
  return false;
}

/// True if S adds a product of two elements of memory, or the square of a difference, to its
/// target. In a loop that is an inner product. The target may be in memory.
static bool addsProduct(Context &C, const Stmt *S) {
  bool Stored = S->K == StmtKind::Store;
  if ((!Stored && (S->K != StmtKind::Assign || !S->V || !S->LaneIdx.empty())) ||
      !S->E->Ty->isScalar() || !S->E->Ty->isFloat())
    return false;
  auto IsSum = [&](const Expr *E) {
    return Stored ? E->K == ExprKind::Load && equal(E->Acc, S->Acc)
                  : E->K == ExprKind::VarRef && E->V == S->V;
  };
  auto AreLoaded = [&](const Expr *A, const Expr *B) {
    return (isLoaded(C, A) && isLoaded(C, B)) ||
           (model::equal(stripCasts(A), stripCasts(B)) && isDifference(C, A));
  };
  const Expr *E = stripCasts(S->E);
  bool Adds = false;
  if (isMad(E)) {
    Adds = IsSum(E->Ops[2]) && AreLoaded(E->Ops[0], E->Ops[1]);
  } else if (E->K == ExprKind::Binary && E->O == Op::Sub) {
    const Expr *Product = stripCasts(E->Ops[1]);
    Adds = IsSum(E->Ops[0]) && Product->K == ExprKind::Binary && Product->O == Op::Mul &&
           AreLoaded(Product->Ops[0], Product->Ops[1]);
  } else {
    std::vector<const Expr *> Added;
    addends(E, Added);
    Adds = any_of(Added, IsSum) && any_of(Added, [&](const Expr *X) {
             X = stripCasts(X);
             return isSquare(C, X) || (X->K == ExprKind::Binary && X->O == Op::Mul &&
                                       AreLoaded(X->Ops[0], X->Ops[1]));
           });
  }
  return Adds && (!Stored || isInvariantInLoop(C.analysis(), S));
}

/// A sum or difference of two scalar products without a common factor: x * x + y * y, but not a * f
/// + b * f.
static bool isSumOfTwoProducts(const Expr *E) {
  // For vectors, the sum is lane by lane; dot would add the lanes.
  if (E->K != ExprKind::Binary || (E->O != Op::Add && E->O != Op::Sub) || !E->Ty->isFloat() ||
      !E->Ty->isScalar())
    return false;
  std::vector<const Expr *> Factors[2];
  for (unsigned I : {0u, 1u}) {
    const Expr *X = stripCasts(E->Ops[I]);
    if (X->K != ExprKind::Binary || X->O != Op::Mul || !X->Ty->isFloat())
      return false;
    factors(X, Factors[I]);
  }
  // 2 * x + y * z only scales x.
  auto IsScaled = [](ArrayRef<const Expr *> Of) {
    return Of.size() == 2 &&
           any_of(Of, [](const Expr *F) { return stripCasts(F)->K == ExprKind::IntConst; });
  };
  if (IsScaled(Factors[0]) != IsScaled(Factors[1]))
    return false;
  return none_of(Factors[0], [&](const Expr *F) {
    return F->K != ExprKind::FloatConst && F->K != ExprKind::IntConst &&
           any_of(Factors[1], [&](const Expr *X) { return model::equal(X, F); });
  });
}

/// a * x + y of data, which mad computes.
static bool isMultiplyAdd(const KernelAnalysis &K, const Expr *E) {
  if (E->K != ExprKind::Binary || (E->O != Op::Add && E->O != Op::Sub) || !E->Ty->isFloat() ||
      !E->Ty->isScalar())
    return false;
  return any_of(E->Ops, [&](const Expr *X) {
    X = stripCasts(X);
    return X->K == ExprKind::Binary && X->O == Op::Mul && X->Ty->isFloat() && K.varies(X).Data &&
           !K.varies(X).uniformInLaunch();
  });
}

/// x * x + y * y: the length of a vector.
static bool isSumOfTwoSquares(const Expr *E) {
  return isSumOfTwoProducts(E) && E->O == Op::Add && all_of(E->Ops, [](const Expr *X) {
           X = stripCasts(X);
           return model::equal(stripCasts(X->Ops[0]), stripCasts(X->Ops[1]));
         });
}

namespace {
/// Reports the sums of products of a kernel, each once.
class Finder {
public:
  explicit Finder(Context &C) : C(C), K(C.analysis()) {}
  void visit(const StmtList &B, bool InLoop = false) {
    const Var *Target = nullptr; ///< the variable to which the previous statements add
    std::vector<const Expr *> Sum;
    SourceRange First;
    unsigned Statements = 0;
    for (Stmt *S : B) {
      forEachExpr(*S, [&](const Expr *Root) { visit(Root); });
      if (InLoop && addsProduct(C, S) && S->E->Range.isValid() &&
          Seen.insert({S->E->Range.File, S->E->Range.Begin}).second)
        C.report(S->E->Range, "an inner product is added up one product at a time")
            .fix(Applicability::Unsafe,
                 "dot of four elements at a time, where the order of additions does not matter");
      std::vector<const Expr *> Added;
      if (S->K == StmtKind::Assign && S->LaneIdx.empty() && S->E->Ty->isScalar() &&
          S->E->Ty->isFloat())
        addends(S->E, Added);
      size_t Before = Added.size();
      erase_if(Added, [&](const Expr *E) { return E->K == ExprKind::VarRef && E->V == S->V; });
      if (Added.empty() || Added.size() == Before || S->V != Target) {
        reportSum(First, Sum, Statements);
        Statements = 0;
        Target = Added.empty() ? nullptr : S->V;
        Sum.clear();
        First = S->Range;
      }
      Sum.insert(Sum.end(), Added.begin(), Added.end());
      Statements += !Added.empty();
      forEachStmtList(*S,
                      [&](StmtList &Nested) { visit(Nested, InLoop || S->K == StmtKind::Loop); });
    }
    reportSum(First, Sum, Statements);
  }
  /// Reports sums of two squares; and if no inner product was found, the first sum of two products,
  /// or else the first multiply-add.
  void finish() {
    const Expr *Reported = Seen.empty() ? Pair : nullptr;
    if (Reported)
      reportPair(Reported);
    else if (Seen.empty() && Squares.empty() && Added && !Vectors)
      C.report(Added->Range, "a product is added")
          .fix(Applicability::Unsafe, "mad, where rounding does not matter");
    for (const Expr *E : Squares)
      if (E != Reported && Seen.insert({E->Range.File, E->Range.Begin}).second)
        reportPair(E);
  }

private:
  void visit(const Expr *Root) {
    walk(Root, [&](const Expr *E) {
      if (isSumOfTwoSquares(E) && E->Range.isValid() &&
          none_of(Squares, [&](const Expr *X) { return model::equal(X, E); }))
        Squares.push_back(E);
      if (isSumOfTwoProducts(E) && E->Range.isValid() &&
          (!Pair || isEarlier(K.kernel(), E->Range, Pair->Range)))
        Pair = E;
      Vectors |= E->K == ExprKind::Binary && E->Ty->isVector();
      if (E->Range.isValid() && isMultiplyAdd(K, E) &&
          (!Added || isEarlier(K.kernel(), E->Range, Added->Range)))
        Added = E;
      bool Sum = isMad(E) || (E->K == ExprKind::Binary && (E->O == Op::Add || E->O == Op::Sub));
      if (!Sum || !E->Ty->isScalar() || !E->Ty->isFloat())
        return true;
      std::vector<const Expr *> Sums[2];
      addends(E, Sums[0], Sums[1]);
      unsigned N = 0;
      for (ArrayRef<const Expr *> Sum : Sums)
        if (!N && !(N = innerProduct(K, Sum)))
          N = scalarProducts(K, Sum);
      report(E->Range, N);
      return !N;
    });
  }
  void reportPair(const Expr *E) {
    C.report(E->Range, "two products are added up")
        .fix(Applicability::Unsafe,
             "dot of two components, or mad, where rounding does not matter");
  }
  /// A sum over several statements.
  void reportSum(SourceRange First, ArrayRef<const Expr *> Sum, unsigned Statements) {
    if (Statements > 1)
      report(First, innerProduct(K, Sum));
  }
  void report(SourceRange At, unsigned N) {
    if (N && At.isValid() && Seen.insert({At.File, At.Begin}).second)
      C.report(At, "an inner product of " + utostr(N) + " components is written out")
          .fix(Applicability::Unsafe, "dot, where the order of additions does not matter");
  }
  Context &C;
  const KernelAnalysis &K;
  std::set<std::pair<uint32_t, uint32_t>> Seen;
  bool Vectors = false;              ///< the kernel computes on vectors
  const Expr *Added = nullptr;       ///< the first product that is added
  const Expr *Pair = nullptr;        ///< the first sum of two products
  std::vector<const Expr *> Squares; ///< sums of two squares, each once
};
} // namespace

static void run(const Kernel &K, Context &C) {
  Finder F(C);
  F.visit(K.Body);
  F.finish();
}

CLMALI_KERNEL_CHECK("manual-dot", run);
