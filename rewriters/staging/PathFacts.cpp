//===-- rewriters/staging/PathFacts.cpp - Guards and expressions -------------===//
//
// What it does: collects the guards of a location, proves simple inequalities from them, and writes
// a polynomial as an expression of the variables that are in scope there:
//
//   gid(0) + 3 + k   where  int g = get_global_id(0) + 3   is in scope:   g + k
//
// How it proves T >= 0: the least value of T, or of T less one or two facts, by
// the ranges of its symbols.
//
//===----------------------------------------------------------------------===//

#include "checks/model/ir/Budget.h"
#include "rewriters/staging/Delocalizer.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <set>

namespace clmali::rewrite {

using namespace model;

PathFacts::PathFacts(Module &M, Kernel &K, const KernelAnalysis &A) : M(M), K(K), A(A) {
  for (unsigned D = 0; D < 3; ++D) {
    Lid[D] = A.symbolFor(M.workItem(WorkItemQuery::LocalId, D));
    Gid[D] = A.symbolFor(M.workItem(WorkItemQuery::GlobalId, D));
  }
  place(K.Body, nullptr);
}

void PathFacts::place(StmtList &B, Stmt *Parent) {
  for (size_t I = 0; I < B.size(); ++I) {
    Positions[B[I]] = {Parent, &B, I};
    forEachStmtList(*B[I], [&](StmtList &N) { place(N, B[I]); });
  }
}

std::vector<Stmt *> PathFacts::ancestors(const Stmt *S) const {
  std::vector<Stmt *> R;
  for (Stmt *P = Positions.lookup(S).Parent; P; P = Positions.lookup(P).Parent)
    R.push_back(P);
  return R;
}

bool PathFacts::isInside(const Stmt *S, const Stmt *Of) const {
  for (const Stmt *P = S; P; P = Positions.lookup(P).Parent)
    if (P == Of)
      return true;
  return false;
}

//===----------------------------------------------------------------------===//
// Guards
//===----------------------------------------------------------------------===//

void PathFacts::split(const Expr *Cond, bool Holds, const Stmt *At, std::vector<Guard> &Into) {
  if (Cond->K == ExprKind::Unary && Cond->O == Op::LogicalNot)
    return split(Cond->Ops[0], !Holds, At, Into);
  if (Cond->K == ExprKind::Binary && Cond->O == (Holds ? Op::LogicalAnd : Op::LogicalOr)) {
    split(Cond->Ops[0], Holds, At, Into);
    split(Cond->Ops[1], Holds, At, Into);
    return;
  }
  Into.push_back({Cond, Holds, At});
}

std::vector<Guard> PathFacts::factsAt(const Stmt *S, const Stmt *Stop) const {
  std::vector<Guard> Facts;
  for (const Stmt *X = S;;) {
    Position At = Positions.lookup(X);
    const Stmt *P = At.Parent;
    if (!P || P == Stop)
      return Facts;
    if (P->K == StmtKind::If)
      split(P->E, At.In == &P->Body, P, Facts);
    if (P->K == StmtKind::Loop && P->E && P->Form != Stmt::DoWhile && At.In == &P->Body)
      split(P->E, true, P, Facts);
    X = P;
  }
}

/// True if V counts a loop and stays within the loop's bounds: what is added to it cannot carry an
/// unsigned counter past its type's end, and a signed one that is carried past it is negative,
/// which no index may be.
bool PathFacts::isExactCounter(const Var *V, Polynomials &Polys,
                               llvm::SmallPtrSetImpl<const Var *> &Asked) const {
  for (const Stmt *L : stmts(K.Body)) {
    std::optional<CountedLoop> C =
        L->K == StmtKind::Loop ? A.countedLoop(L) : std::optional<CountedLoop>();
    if (!C || C->V != V)
      continue;
    if (!C->Lower || !C->Bound || !isExact(C->Lower, Polys, Asked))
      return false;
    const bool Up = C->Compare == Op::LT || C->Compare == Op::LE;
    const Range Step = C->Step ? Range{C->Step, C->Step} : A.range(C->StepExpr, L);
    if (!Up || Step.Lo < 0 || Step.Hi > int64_t(UINT32_MAX))
      return isSigned(V->Ty->Scalar) && C->Step && std::abs(C->Step) < IdsThatFitInt;
    return isSigned(V->Ty->Scalar) ||
           (C->Step && A.range(C->Bound, L).Hi <= int64_t(UINT32_MAX) - C->Step);
  }
  return false;
}

/// True if the value of E is that of its polynomial. Asked: variables that are looked at.
bool PathFacts::isExact(const Expr *E, Polynomials &Polys,
                        llvm::SmallPtrSetImpl<const Var *> &Asked) const {
  auto OperandIsExact = [&](const Expr *X) {
    return !X->Ty->isScalar() || !X->Ty->isInteger() || isExact(X, Polys, Asked);
  };
  if (E->K == ExprKind::Load || E->K == ExprKind::WorkItem || constantValue(E))
    return true;
  Poly Value = Polys.of(E);
  llvm::SmallVector<const Expr *, 4> Symbols;
  for (const auto &[Mono, Factor] : Value.Terms)
    for (unsigned S : Mono)
      Symbols.push_back(Polys.symbol(S));
  if (llvm::none_of(Symbols, [&](const Expr *X) { return equal(X, E); }) && Polys.fits(Value, E) &&
      llvm::all_of(Symbols, OperandIsExact))
    return true;
  if (E->K == ExprKind::VarRef) {
    if (E->V->K != Var::Temp || !Asked.insert(E->V).second || isExactCounter(E->V, Polys, Asked))
      return true;
    return llvm::all_of(A.defs(E->V), [&](const Stmt *D) {
      return !D->E || !D->LaneIdx.empty() || OperandIsExact(D->E);
    });
  }
  bool MayWrap = E->K == ExprKind::Cast || (E->K == ExprKind::Unary && E->O == Op::Neg) ||
                 (E->K == ExprKind::Binary &&
                  (E->O == Op::Add || E->O == Op::Sub || E->O == Op::Mul || E->O == Op::Shl));
  return llvm::all_of(E->Ops, OperandIsExact) && (!MayWrap || Polys.operations().isExact(E));
}

bool PathFacts::isExact(const Expr *E) const {
  IdSpace Ids;
  for (unsigned D = 0; D < 3; ++D)
    Ids.LocalItems[D] = unsigned(LocalSize[D]);
  int64_t Limit = 0;
  Polynomials Polys(
      Ids, Limit,
      [this](const Var *V) -> const Expr * {
        const Stmt *D = V->K == Var::Temp ? A.singleDef(V) : nullptr;
        return D && D->LaneIdx.empty() ? D->E : nullptr;
      },
      [this](const Expr *X) { return A.range(X); });
  llvm::SmallPtrSet<const Var *, 8> Asked;
  if (!isExact(E, Polys, Asked))
    return false;
  if (Limit)
    lowerTo(IdsBelow, Limit);
  return true;
}

bool PathFacts::isComparison(const Guard &F) const {
  const Expr *C = F.Cond;
  return C->K == ExprKind::Binary && model::isComparison(C->O) && C->Ops[0]->Ty->isScalar() &&
         C->Ops[0]->Ty->isInteger() && C->Ops[1]->Ty->isInteger() && isExact(C->Ops[0]) &&
         isExact(C->Ops[1]);
}

void PathFacts::nonNegative(const Guard &F, std::vector<Poly> &Into) const {
  if (!isComparison(F))
    return;
  const Expr *C = F.Cond;
  Poly X = A.poly(C->Ops[0], F.At), Y = A.poly(C->Ops[1], F.At);
  // Compared as unsigned, a negative number would be a large one.
  if (!isSigned(C->Ops[0]->Ty->Scalar)) {
    auto LX = least(X), LY = least(Y);
    if (!LX || !LY || *LX < 0 || *LY < 0)
      return;
  }
  Poly One = Poly::constant(1);
  Op O = C->O;
  if (!F.Holds)
    O = O == Op::LT   ? Op::GE
        : O == Op::LE ? Op::GT
        : O == Op::GT ? Op::LE
        : O == Op::GE ? Op::LT
        : O == Op::EQ ? Op::NE
                      : Op::EQ;
  switch (O) {
  case Op::LT:
    Into.push_back(Y - X - One);
    break;
  case Op::LE:
    Into.push_back(Y - X);
    break;
  case Op::GT:
    Into.push_back(X - Y - One);
    break;
  case Op::GE:
    Into.push_back(X - Y);
    break;
  case Op::EQ:
    Into.push_back(X - Y);
    Into.push_back(Y - X);
    break;
  default:
    break;
  }
}

/// The least value of C * Mono by the ranges of its symbols. Nothing: not known.
std::optional<__int128> PathFacts::leastOf(const Monomial &Mono, int64_t C) const {
  // Products of symbols that are not negative only.
  __int128 Lo = 1, Hi = 1;
  for (unsigned S : Mono) {
    Range R = A.symbol(S).R;
    if (auto It = Bounds.find(S); It != Bounds.end())
      R = {std::max(R.Lo, It->second.Lo), std::min(R.Hi, It->second.Hi)};
    for (unsigned D = 0; D < 3; ++D)
      if (S == Lid[D]) {
        if (LocalSize[D])
          R.Hi = std::min<int64_t>(R.Hi, int64_t(LocalSize[D]) - 1);
        if (LocalMax[D])
          R.Hi = std::min(R.Hi, *LocalMax[D]);
      }
    if (Mono.size() > 1 && R.Lo < 0)
      return std::nullopt;
    Lo *= R.Lo;
    Hi = Hi > (__int128(1) << 62) ? Hi : Hi * R.Hi;
  }
  return C > 0 ? C * Lo : C * Hi;
}

/// The least value of P - X - Y (X and Y may be null) by the ranges of the symbols, if known. Makes
/// no polynomial: this is a hot path.
std::optional<int64_t> PathFacts::least(const Poly &P, const Poly *X, const Poly *Y) const {
  static const Poly Zero;
  using It = std::map<Monomial, int64_t>::const_iterator;
  std::array<It, 3> At = {P.Terms.begin(), (X ? X : &Zero)->Terms.begin(),
                          (Y ? Y : &Zero)->Terms.begin()},
                    End = {P.Terms.end(), (X ? X : &Zero)->Terms.end(),
                           (Y ? Y : &Zero)->Terms.end()};
  __int128 Sum = 0;
  for (;;) {
    const Monomial *Next = nullptr;
    for (unsigned I = 0; I < 3; ++I)
      if (At[I] != End[I] && (!Next || At[I]->first < *Next))
        Next = &At[I]->first;
    if (!Next)
      break;
    __int128 C = 0;
    const Monomial &Mono = *Next;
    std::array<bool, 3> Here;
    for (unsigned I = 0; I < 3; ++I)
      Here[I] = At[I] != End[I] && !(Mono < At[I]->first);
    for (unsigned I = 0; I < 3; ++I)
      if (Here[I])
        C += I ? -__int128(At[I]->second) : __int128(At[I]->second);
    if (C > INT64_MAX || C < INT64_MIN)
      return std::nullopt;
    if (C) {
      std::optional<__int128> L = leastOf(Mono, int64_t(C));
      if (!L)
        return std::nullopt;
      Sum += *L;
    }
    for (unsigned I = 0; I < 3; ++I)
      if (Here[I])
        ++At[I];
  }
  if (Sum < -(__int128(1) << 62))
    return std::nullopt;
  return Sum > INT64_MAX ? INT64_MAX : int64_t(Sum);
}

bool PathFacts::prove(const Poly &T, llvm::ArrayRef<Poly> Known, bool Assume) {
  auto holds = [&](const Poly &P, const Poly *X = nullptr, const Poly *Y = nullptr) {
    auto L = least(P, X, Y);
    return L && *L >= 0;
  };
  if (holds(T))
    return true;
  for (size_t I = 0; I < Known.size(); ++I) {
    if (holds(T, &Known[I]))
      return true;
    for (size_t J = I; J < Known.size(); ++J)
      if (holds(T, &Known[I], &Known[J]))
        return true;
  }
  // A bound of the row counts once for each element of a row: 18 * y + x < 324 from y < 18.
  for (const Poly &F : Known)
    for (const auto &[Mono, C] : T.Terms) {
      auto It = Mono.empty() || C >= 0 ? F.Terms.end() : F.Terms.find(Mono);
      if (It == F.Terms.end() || It->second >= 0 || C % It->second || C / It->second < 2)
        continue;
      Poly Less = T - F * (C / It->second);
      if (holds(Less) || llvm::any_of(Known, [&](const Poly &G) { return holds(Less, &G); }))
        return true;
    }
  if (!Assume)
    return false;
  // T = T' - c * lid: a bound of the local size suffices.
  for (unsigned D = 0; D < 3; ++D) {
    auto It = T.Terms.find(Monomial{Lid[D]});
    if (It == T.Terms.end() || It->second >= 0 || T.degree(Lid[D]) != 1)
      continue;
    Poly Rest = T - Poly::symbol(Lid[D]) * It->second;
    if (Rest.has(Lid[D]))
      continue;
    std::optional<int64_t> Least = least(Rest);
    for (const Poly &F : Known)
      if (!F.has(Lid[D]))
        if (auto L = least(Rest - F); L && (!Least || *L > *Least))
          Least = L;
    if (!Least || *Least < 0)
      continue;
    int64_t Max = *Least / -It->second;
    LocalMax[D] = std::min(LocalMax[D].value_or(INT64_MAX), Max);
    return true;
  }
  return false;
}

//===----------------------------------------------------------------------===//
// Polynomials as expressions
//===----------------------------------------------------------------------===//

Poly substituteAll(const Poly &P, llvm::function_ref<Poly(unsigned)> By) {
  Poly Sum;
  for (const auto &[Mono, C] : P.Terms) {
    Poly Term = Poly::constant(C);
    for (unsigned S : Mono)
      Term = Term * By(S);
    Sum = Sum + Term;
  }
  return Sum;
}

/// Scalar integer variables that are declared at S, outermost first.
std::vector<Var *> PathFacts::inScope(const Stmt *S) const {
  std::vector<Var *> R;
  auto add = [&](Var *V) {
    if (V && V->K != Var::Memory && V->Ty->isScalar() && V->Ty->isInteger() &&
        sizeInBytes(V->Ty->Scalar) >= 4 && !V->IsPointerOffset)
      R.push_back(V);
  };
  for (Var *P : K.Params)
    add(P);
  std::vector<const Stmt *> Chain;
  for (const Stmt *X = S; X; X = Positions.lookup(X).Parent)
    Chain.push_back(X);
  for (const Stmt *X : llvm::reverse(Chain)) {
    Position At = Positions.lookup(X);
    for (size_t I = 0; I < At.Index; ++I)
      if ((*At.In)[I]->K == StmtKind::Decl)
        add((*At.In)[I]->V);
    if (X != S && X->K == StmtKind::Loop)
      for (Stmt *Init : X->Init)
        if (Init->K == StmtKind::Decl)
          add(Init->V);
  }
  return R;
}

bool PathFacts::isVisible(const Expr *E, const Stmt *S) const {
  bool Visible = true;
  std::optional<llvm::DenseSet<const Var *>> Facts;
  walk(E, [&](const Expr *X) {
    if (X->K != ExprKind::VarRef || X->V->K == Var::Param)
      return Visible;
    if (!Facts) {
      Facts.emplace();
      for (const Stmt *Y = S; Y; Y = Positions.lookup(Y).Parent) {
        Position At = Positions.lookup(Y);
        for (size_t I = 0; I < At.Index; ++I)
          if ((*At.In)[I]->K == StmtKind::Decl)
            Facts->insert((*At.In)[I]->V);
        if (Y != S && Y->K == StmtKind::Loop)
          for (Stmt *Init : Y->Init)
            if (Init->K == StmtKind::Decl)
              Facts->insert(Init->V);
      }
    }
    Visible &= Facts->contains(X->V);
    return Visible;
  });
  return Visible;
}

bool PathFacts::isValid(unsigned Symbol, const Stmt *S) const {
  const SymbolInfo &I = A.symbol(Symbol);
  switch (I.K) {
  case SymbolInfo::WorkItem:
    return true;
  case SymbolInfo::Iteration:
    return isInside(S, I.Loop) && S != I.Loop;
  case SymbolInfo::LoopVar:
    if (!isInside(S, I.Loop) || S == I.Loop)
      return false;
    [[fallthrough]];
  case SymbolInfo::Param:
  case SymbolInfo::Atom:
    return I.E && isVisible(I.E, S) && A.poly(I.E, S) == Poly::symbol(Symbol);
  }
  return false;
}

/// The variables that can be used at S in Ty.
PathFacts::Expressible &PathFacts::expressibleAt(const Stmt *S, const Type *Ty) {
  Expressible &Say = Expressibles[{S, Ty}];
  if (Say.Made)
    return Say;
  Say.Made = true;
  for (Var *V : inScope(S)) {
    spend();
    const Expr *Ref = M.ref(V);
    Poly Q = A.poly(Ref, S);
    if (!Q.isConstant())
      Say.Candidates.push_back({M.cast(Ref, Ty, true), Q});
  }
  for (unsigned X = 0; X < Say.Candidates.size(); ++X)
    for (const auto &[Mono, C] : Say.Candidates[X].P.Terms)
      Say.With[Mono].push_back(X);
  return Say;
}

/// Mono without the symbols of By, if it holds them all. Both are sorted.
static std::optional<Monomial> quotient(const Monomial &Mono, const Monomial &By) {
  if (!std::includes(Mono.begin(), Mono.end(), By.begin(), By.end()))
    return std::nullopt;
  Monomial Rest;
  std::set_difference(Mono.begin(), Mono.end(), By.begin(), By.end(), std::back_inserter(Rest));
  return Rest;
}

/// Products of two variables, the second of one term, that have a term in common with P.
///
/// P: 4*g*w + 4*l    variables: g, w, l, s = 4*w    gives g*s, g*w, w*g, s*g
std::vector<PathFacts::Known> PathFacts::productsIn(const Poly &P, Expressible &Say) {
  constexpr size_t MaxTerms = 8; // of the first variable
  std::set<std::pair<unsigned, unsigned>> Pairs;
  for (unsigned Y = 0; Y < Say.Candidates.size(); ++Y) {
    const Poly &Second = Say.Candidates[Y].P;
    if (Second.Terms.size() != 1)
      continue;
    for (const auto &[Mono, C] : P.Terms) {
      spend();
      std::optional<Monomial> Rest = quotient(Mono, Second.Terms.begin()->first);
      auto Firsts = Rest ? Say.With.find(*Rest) : Say.With.end();
      if (Firsts == Say.With.end())
        continue;
      for (unsigned X : Firsts->second)
        if (Say.Candidates[X].P.Terms.size() <= MaxTerms)
          Pairs.insert({X, Y});
    }
  }
  std::vector<Known> Products;
  for (auto [X, Y] : Pairs)
    Products.push_back({nullptr, Say.Candidates[X].P * Say.Candidates[Y].P, X, Y});
  return Products;
}

/// True if the expression of symbol Sym can be used at S.
bool PathFacts::isExpressible(Expressible &Say, unsigned Sym, const Stmt *S) {
  auto [It, New] = Say.Valid.try_emplace(Sym, false);
  if (New)
    It->second = A.symbol(Sym).E && isValid(Sym, S);
  return It->second;
}

/// The length of C * Mono as text; what cannot be expressed is very long.
int64_t PathFacts::lengthOf(Expressible &Say, const Monomial &Mono, int64_t C, const Stmt *S) {
  constexpr int64_t NotExpressible = 1000;
  if (!C)
    return 0;
  int64_t W = 2 + (C != 1 && C != -1 && !Mono.empty());
  for (unsigned Sym : Mono)
    W += !isExpressible(Say, Sym, S)               ? NotExpressible
         : A.symbol(Sym).K == SymbolInfo::WorkItem ? 4
                                                   : 1;
  return W;
}

/// Subtracts multiples of variables in scope from P as long as that makes it shorter; returns them.
std::vector<PathFacts::Summand> PathFacts::takeVariables(Poly &P, Expressible &Say, const Stmt *S) {
  constexpr unsigned MaxVariables = 8;
  bool HasProducts = llvm::any_of(P.Terms, [](const auto &T) { return T.first.size() > 1; });
  std::vector<Known> Products;
  /// The change of P's length if F times Q is subtracted.
  auto change = [&](const Poly &Q, int64_t F) {
    int64_t W = 0;
    for (const auto &[Mono, C] : Q.Terms) {
      auto It = P.Terms.find(Mono);
      int64_t Was = It == P.Terms.end() ? 0 : It->second;
      W += lengthOf(Say, Mono, Was - C * F, S) - lengthOf(Say, Mono, Was, S);
    }
    return W;
  };
  std::vector<Summand> Taken;
  for (unsigned I = 0; I < MaxVariables && !P.isConstant(); ++I) {
    int64_t Whole = 0;
    for (const auto &[Mono, C] : P.Terms)
      Whole += lengthOf(Say, Mono, C, S);
    int64_t Best = Whole, Times = 0;
    const Known *Take = nullptr;
    if (HasProducts)
      Products = productsIn(P, Say);
    for (const Known &Q : llvm::concat<const Known>(Say.Candidates, Products))
      for (const auto &[Mono, C] : Q.P.Terms) {
        auto It = Mono.empty() ? P.Terms.end() : P.Terms.find(Mono);
        if (It == P.Terms.end() || It->second % C)
          continue;
        int64_t F = It->second / C;
        int64_t W = Whole + change(Q.P, F) + 2 + (F != 1 && F != -1) + (Q.E ? 0 : 2);
        if (W < Best) {
          Best = W;
          Take = &Q;
          Times = F;
        }
      }
    if (!Take)
      break;
    const Expr *Used =
        Take->E ? Take->E
                : M.binary(Op::Mul, Say.Candidates[Take->First].E, Say.Candidates[Take->Second].E);
    Taken.push_back({Used, Times});
    P = P - Take->P * Times;
  }
  return Taken;
}

/// The sum of Parts and Constant in Ty: what is added before what is subtracted, the constant last.
const Expr *PathFacts::sumOf(std::vector<Summand> Parts, int64_t Constant, const Type *Ty) {
  llvm::stable_sort(Parts,
                    [](const Summand &X, const Summand &Y) { return (X.C > 0) > (Y.C > 0); });
  const Expr *Sum = nullptr;
  for (const Summand &X : Parts) {
    int64_t Abs = X.C < 0 ? -X.C : X.C;
    const Expr *Term = Abs == 1 ? X.E : M.binary(Op::Mul, M.intConst(Abs, Ty), X.E);
    if (!Sum)
      Sum = X.C > 0 ? Term : M.binary(Op::Sub, M.intConst(0, Ty), Term);
    else
      Sum = M.binary(X.C > 0 ? Op::Add : Op::Sub, Sum, Term);
  }
  if (!Sum)
    return M.intConst(Constant, Ty);
  if (Constant)
    Sum = M.binary(Constant > 0 ? Op::Add : Op::Sub, Sum, M.intConst(std::abs(Constant), Ty));
  return Sum;
}

const Expr *PathFacts::express(Poly P, const Type *Ty, const Stmt *S) {
  if (sizeInBytes(Ty->Scalar) < 4) {
    const Expr *Wide = express(P, M.value(ScalarKind::Int), S);
    return Wide ? M.cast(Wide, Ty, true) : nullptr;
  }
  Expressible &Say = expressibleAt(S, Ty);
  std::vector<Summand> Parts = takeVariables(P, Say, S);
  for (const auto &[Mono, C] : P.Terms) {
    if (Mono.empty())
      continue;
    const Expr *Product = nullptr;
    for (unsigned Sym : Mono) {
      if (!isExpressible(Say, Sym, S))
        return nullptr;
      const Expr *Factor = M.cast(A.symbol(Sym).E, Ty, true);
      Product = Product ? M.binary(Op::Mul, Product, Factor) : Factor;
    }
    Parts.push_back({Product, C});
  }
  return sumOf(std::move(Parts), P.constantTerm(), Ty);
}

} // namespace clmali::rewrite
