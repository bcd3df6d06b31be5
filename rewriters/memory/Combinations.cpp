//===-- rewriters/memory/Combinations.cpp - What vectors combine ---------------===//

#include "rewriters/memory/Combinations.h"
#include "checks/model/ir/Traversal.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>

namespace clmali::rewrite {

llvm::StringRef extremumOf(const Expr *E) {
  bool Extremum = E->K == ExprKind::Call && (E->Name == "min" || E->Name == "max");
  return Extremum ? llvm::StringRef(E->Name) : llvm::StringRef();
}

void Combinations::enter(StmtList &B) {
  Here = &B;
  DeclaredAt.clear();
  Leaves.clear();
  Rows.clear();
  Known.clear();
  for (size_t At = 0; At < B.size(); ++At)
    if (B[At]->K == StmtKind::Decl)
      DeclaredAt[B[At]->V] = At;
}

const Stmt *Combinations::definition(const Var *V) const {
  const Stmt *D = V->K == Var::Temp ? A.singleDef(V) : nullptr;
  auto At = DeclaredAt.find(V);
  bool Own = D && D->K == StmtKind::Decl && D->E && At != DeclaredAt.end();
  return Own && (*Here)[At->second] == D ? D : nullptr;
}

const Expr *Combinations::valueOf(const Expr *E) const {
  while (E->K == ExprKind::VarRef) {
    const Stmt *D = definition(E->V);
    if (!D)
      return E;
    E = D->E;
  }
  return E;
}

/// Where the lanes of E lie in memory, if they are neighbours in lane order.
std::optional<Place> Combinations::place(const Expr *E, unsigned Depth) const {
  constexpr unsigned MaxDepth = 8;
  if (Depth > MaxDepth)
    return std::nullopt;
  if (E->K == ExprKind::VarRef) {
    const Stmt *D = definition(E->V);
    if (!D)
      return std::nullopt;
    if (D->E->K != ExprKind::Load)
      return place(D->E, Depth + 1);
    const Access &Acc = D->E->Acc;
    if (Acc.Volatile || Acc.Base->space() != AddressSpace::Global)
      return std::nullopt;
    size_t At = DeclaredAt.lookup(E->V);
    return Place{Acc.Base, A.bytes(Acc, D), At, At};
  }
  int64_t Size = sizeInBytes(E->Ty->Scalar);
  if (E->K == ExprKind::Swizzle) {
    std::optional<Place> P = place(E->Ops[0], Depth + 1);
    for (size_t I = 0; I < E->LaneIdx.size(); ++I)
      if (E->LaneIdx[I] != E->LaneIdx[0] + I)
        return std::nullopt;
    if (P)
      P->Bytes = P->Bytes + Poly::constant(Size * E->LaneIdx[0]);
    return P;
  }
  if (E->K != ExprKind::VectorCtor)
    return std::nullopt;
  std::optional<Place> Whole;
  int64_t Lanes = 0;
  for (const Expr *Part : E->Ops) {
    std::optional<Place> P = place(Part, Depth + 1);
    if (!P)
      return std::nullopt;
    if (!Whole) {
      Whole = P;
    } else {
      if (P->Base != Whole->Base || !(P->Bytes - Whole->Bytes == Poly::constant(Lanes * Size)))
        return std::nullopt;
      Whole->First = std::min(Whole->First, P->First);
      Whole->Last = std::max(Whole->Last, P->Last);
    }
    Lanes += Part->Ty->Lanes;
  }
  return Whole;
}

/// E, of type Ty, as a leaf: a variable that was loaded, converted to Ty.
std::optional<unsigned> Combinations::leaf(const Expr *E, const Type *Ty) {
  if (E->K == ExprKind::Cast && E->C == CastOp::Convert)
    E = E->Ops[0];
  const Type *Of = E->Ty;
  if (E->K != ExprKind::VarRef || !Of->isInteger() || Of->Lanes != Ty->Lanes ||
      !rangeOf(Ty->Scalar).contains(rangeOf(Of->Scalar)))
    return std::nullopt;
  for (unsigned N = 0; N < Leaves.size(); ++N)
    if (Leaves[N].Vector->V == E->V)
      return N;
  std::optional<Place> P = place(E);
  if (!P)
    return std::nullopt;
  const int64_t Size = sizeInBytes(Of->Scalar), Bytes = P->Bytes.constantTerm();
  if (Bytes % Size)
    return std::nullopt;
  const int64_t Offset = Bytes / Size;
  const Poly Start = P->Bytes - Poly::constant(Bytes);
  // Rows differ in a term that is not constant, or are far apart: then the first vectors of two
  // rows are taken to be at one shift. Any shift is correct; others find less.
  const Row *Like = nullptr;
  unsigned At = 0;
  for (; At < Rows.size(); ++At) {
    const Row &X = Rows[At];
    if (X.Base != P->Base || X.Size != Size || !(X.Start == Start))
      continue;
    if (std::abs(Offset - X.First) < int64_t(Ty->Lanes))
      break;
    Like = Like ? Like : &X;
  }
  if (At == Rows.size())
    Rows.push_back(
        {P->Base, Start, Size, Offset, Like ? Offset - (Like->First - Like->Origin) : 0});
  Leaves.push_back({At, Offset - Rows[At].Origin, E, DeclaredAt.lookup(E->V), P->First, P->Last});
  return Leaves.size() - 1;
}

//===----------------------------------------------------------------------===//
// What an expression combines
//===----------------------------------------------------------------------===//

std::optional<int64_t> constantLanes(const Expr *E) {
  while (E->K == ExprKind::Cast && E->C == CastOp::Splat)
    E = E->Ops[0];
  return E->Ty->isScalar() ? constantValue(E) : std::nullopt;
}

static void addTo(Form &F, const Form &G, int64_t Factor) {
  for (auto [L, By] : G.Of)
    if ((F.Of[L] += By * Factor) == 0)
      F.Of.erase(L);
  F.Constant += G.Constant * Factor;
}

std::optional<Form> Combinations::sum(const Expr *E, const Type *Ty) {
  Form F;
  if (auto C = constantLanes(E)) {
    F.Constant = *C;
    return F;
  }
  if (E->K == ExprKind::Unary && E->O == Op::Neg) {
    std::optional<Form> X = form(E->Ops[0], Ty, {});
    if (X)
      addTo(F, *X, -1);
    return X ? std::optional(F) : std::nullopt;
  }
  if (E->K != ExprKind::Binary)
    return std::nullopt;
  const Expr *X = E->Ops[0], *Y = E->Ops[1];
  if (E->O == Op::Add || E->O == Op::Sub) {
    std::optional<Form> L = form(X, Ty, {}), R = L ? form(Y, Ty, {}) : std::nullopt;
    if (!R)
      return std::nullopt;
    addTo(*L, *R, E->O == Op::Add ? 1 : -1);
    return L;
  }
  if (E->O == Op::Mul && constantLanes(X))
    std::swap(X, Y);
  std::optional<int64_t> By = constantLanes(Y);
  constexpr int64_t MaxFactor = 1 << 16, MaxShift = 16;
  if (E->O == Op::Shl && By && *By >= 0 && *By <= MaxShift)
    By = int64_t(1) << *By;
  else if (E->O != Op::Mul || !By || std::abs(*By) > MaxFactor)
    return std::nullopt;
  std::optional<Form> L = form(X, Ty, {});
  // Products of factors fit 64 bits.
  constexpr int64_t MaxProduct = int64_t(1) << 40;
  auto isLarge = [](int64_t N) { return std::abs(N) > MaxProduct; };
  if (!L || isLarge(L->Constant) ||
      llvm::any_of(L->Of, [&](auto &Term) { return isLarge(Term.second); }))
    return std::nullopt;
  addTo(F, *L, *By);
  return F;
}

std::optional<Form> Combinations::extremum(const Expr *E, const Type *Ty, llvm::StringRef Name) {
  Form F;
  F.Name = Name;
  if (E->K != ExprKind::Call || E->Name != Name || E->Ops.size() != 2) {
    F.Others.push_back(E);
    return F;
  }
  for (const Expr *X : E->Ops) {
    std::optional<Form> G = form(X, Ty, Name);
    if (!G)
      return std::nullopt;
    F.Of.insert(G->Of.begin(), G->Of.end());
    F.Others.append(G->Others.begin(), G->Others.end());
  }
  return F;
}

/// True if E has one value from here to the end of the statement list.
bool Combinations::stays(const Expr *E) const {
  return llvm::all_of(exprs(E), [&](ExprAt X) {
    if (X->K != ExprKind::VarRef)
      return !isRead(X->K) && X->K != ExprKind::Opaque;
    const Stmt *D = A.singleDef(X->V);
    return A.defs(X->V).empty() ? X->V->K == Var::Param : D && D->K == StmtKind::Decl;
  });
}

std::optional<Form> Combinations::form(const Expr *E, const Type *Ty, llvm::StringRef Name) {
  if (E->Ty != Ty)
    return std::nullopt;
  Form F;
  F.Name = Name;
  if (std::optional<unsigned> L = leaf(E, Ty)) {
    F.Of[*L] = 1;
    return F;
  }
  const Stmt *D = E->K == ExprKind::VarRef ? definition(E->V) : nullptr;
  if (!D)
    return Name.empty() ? sum(E, Ty) : extremum(E, Ty, Name);
  auto [It, New] = Known.try_emplace({E->V, Name.str()});
  if (!New)
    return It->second;
  std::optional<Form> Of = form(D->E, Ty, Name);
  // A value that is computed in another way is one operand. So is one whose operands may have other
  // values where the combination is computed.
  if (Of && !Name.empty() &&
      (Of->Of.empty() || !llvm::all_of(Of->Others, [&](const Expr *X) { return stays(X); }))) {
    Of->Of.clear();
    Of->Others = {E};
  }
  Known[{E->V, Name.str()}] = Of;
  return Of;
}

bool Combinations::isSafe(const Form &F, const Type *Ty) const {
  if (!F.Name.empty())
    return true;
  const double Largest = double(rangeOf(Ty->Scalar).Hi);
  if (!isSigned(Ty->Scalar)) // wraps in any order; the factors are constants of the type
    return std::abs(double(F.Constant)) <= Largest &&
           llvm::all_of(F.Of, [&](auto &Term) { return std::abs(double(Term.second)) <= Largest; });
  double Most = std::abs(double(F.Constant));
  for (auto [L, By] : F.Of) {
    Range R = rangeOf(Leaves[L].Vector->Ty->Scalar);
    Most += std::abs(double(By)) * std::max(std::abs(double(R.Lo)), std::abs(double(R.Hi)));
  }
  return Most <= Largest;
}

} // namespace clmali::rewrite
