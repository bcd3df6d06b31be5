//===-- checks/model/analysis/Analysis.cpp - What is known of a kernel -------------===//
//
// What it does: the public queries of Analysis.h, from what the other files of this folder compute
// on demand.
//
//===----------------------------------------------------------------------===//

#include "checks/model/analysis/AnalysisImpl.h"
#include "checks/model/analysis/Reachable.h"
#include "llvm/ADT/STLExtras.h"

namespace clmali::model {

KernelAnalysis::KernelAnalysis(Module &M, const Kernel &K, NarrowIds Ids)
    : I(std::make_unique<Impl>(M, K)) {
  I->Ids = Ids;
  I->buildVersions();
}

KernelAnalysis::~KernelAnalysis() = default;

const Kernel &KernelAnalysis::kernel() const { return I->K; }

llvm::ArrayRef<const Stmt *> KernelAnalysis::defs(const Var *V) const {
  auto It = I->DefsOf.find(V);
  return It == I->DefsOf.end() ? llvm::ArrayRef<const Stmt *>()
                               : llvm::ArrayRef<const Stmt *>(It->second);
}

const Stmt *KernelAnalysis::singleDef(const Var *V) const {
  llvm::ArrayRef<const Stmt *> D = defs(V);
  if (D.size() != 1 || V->K != Var::Temp || !D[0]->LaneIdx.empty())
    return nullptr;
  return D[0]->K == StmtKind::Decl || D[0]->K == StmtKind::Assign ? D[0] : nullptr;
}

const Stmt *KernelAnalysis::parentOf(const Stmt *S) const { return I->Info.lookup(S).Parent; }

std::vector<const Stmt *> KernelAnalysis::loopsOf(const Stmt *S) const { return I->loopsOf(S); }

bool KernelAnalysis::isLoopInvariant(const Expr *E, const Stmt *At, const Stmt *Loop) const {
  return I->invariant(E, At, Loop);
}

std::optional<CountedLoop> KernelAnalysis::countedLoop(const Stmt *Loop) const {
  I->findRanges();
  const auto &L = I->shape(Loop);
  if (!L || L->HasOtherTests)
    return std::nullopt;
  CountedLoop C = L->C;
  C.TripCount = I->tripCount(Loop);
  return C;
}

std::optional<int64_t> KernelAnalysis::mostTrips(const Stmt *Loop) const {
  I->findRanges();
  return I->mostTrips(Loop);
}

Variation KernelAnalysis::varies(const Expr *E, const Stmt *At) const {
  I->findVariation();
  return I->varies(E, At ? At : I->owner(E));
}

Variation KernelAnalysis::varies(const Var *V) const {
  I->findVariation();
  if (V->isMemory())
    return V->space() == AddressSpace::Private ? I->MemoryVaries.lookup(V) : Variation();
  auto It = I->SlotOf.find(V);
  return It == I->SlotOf.end() ? Variation() : I->VersionVaries[I->UnknownOf[It->second]];
}

/// True if A and B are in different branches of one if: a work-item executes at most one of them
/// (in one trip).
static bool areExclusive(const KernelAnalysis::Impl &I, const Stmt *A, const Stmt *B) {
  llvm::DenseMap<const Stmt *, const Stmt *> Below; // enclosing statement -> its child around A
  for (const Stmt *At = A, *P = I.Info.lookup(A).Parent; P; At = P, P = I.Info.lookup(P).Parent)
    Below[P] = At;
  for (const Stmt *At = B, *P = I.Info.lookup(B).Parent; P; At = P, P = I.Info.lookup(P).Parent)
    if (const Stmt *Other = Below.lookup(P))
      return P->K == StmtKind::If &&
             llvm::is_contained(P->Body, At) != llvm::is_contained(P->Body, Other);
  return false;
}

Variation KernelAnalysis::controlOf(const Stmt *S) const {
  I->findVariation();
  I->findRanges();
  Variation R = I->control(S, nullptr, /*ByRanges=*/true);
  // A work-item that has returned (inside a loop) does not reach S, unless the return is in another
  // branch.
  std::vector<const Stmt *> Loops = I->loopsOf(S);
  for (const Stmt *X : I->Returns) {
    if (X == S)
      continue;
    bool Before = I->Info.lookup(X).Time < I->Info.lookup(S).Time;
    bool Shared = llvm::any_of(Loops, [&](const Stmt *L) { return I->isInside(X, L); });
    if (Shared || (Before && !areExclusive(*I, X, S)))
      if (!isDead(*this, X))
        R = R | I->control(X, nullptr, /*ByRanges=*/true);
  }
  return R;
}

Poly KernelAnalysis::poly(const Expr *E, const Stmt *At) const {
  return I->poly(E, At ? At : I->owner(E));
}

Poly KernelAnalysis::bytes(const Access &A, const Stmt *At) const {
  I->findSites();
  return I->bytes(A, At ? At : I->AccessOwner.lookup(&A));
}

unsigned KernelAnalysis::symbolFor(const Expr *Atom) const {
  return I->symbolOf(Atom, I->owner(Atom));
}

const SymbolInfo &KernelAnalysis::symbol(unsigned S) const { return I->Symbols[S]; }
unsigned KernelAnalysis::numSymbols() const { return I->Symbols.size(); }
const Stmt *KernelAnalysis::placeOf(unsigned S) const { return I->SymbolAt[S]; }

std::optional<Poly> KernelAnalysis::stride(const Access &A, unsigned Dim) const {
  return I->strideOf(bytes(A), Dim);
}

std::optional<Poly> KernelAnalysis::stride(const Poly &Bytes, unsigned Dim) const {
  return I->strideOf(Bytes, Dim);
}

Range KernelAnalysis::range(const Expr *E, const Stmt *At) const {
  I->findRanges();
  return I->rangeAt(E, At ? At : I->owner(E));
}

Range KernelAnalysis::range(const Var *V) const {
  I->findRanges();
  auto It = I->SlotOf.find(V);
  if (It == I->SlotOf.end() || V->isMemory())
    return V->Ty->isInteger() ? rangeOf(V->Ty->Scalar) : Range();
  return I->VersionRange[I->UnknownOf[It->second]];
}

llvm::ArrayRef<AccessSite> KernelAnalysis::accesses() const {
  I->findSites();
  return I->Sites;
}

AccessSite KernelAnalysis::siteOf(const Stmt *S) const { return I->siteOf(S); }

bool KernelAnalysis::hasBarrier() const { return I->Barriers; }

std::optional<int64_t> KernelAnalysis::distance(const Access &A, const Access &B) const {
  if (A.Base != B.Base)
    return std::nullopt;
  Poly D = bytes(B) - bytes(A);
  if (!D.isConstant())
    return std::nullopt;
  return D.constantTerm();
}

std::optional<int64_t> KernelAnalysis::distance(const AccessSite &A, const AccessSite &B) const {
  Poly D = B.Bytes - A.Bytes;
  if (A.A->Base != B.A->Base || !D.isConstant())
    return std::nullopt;
  return D.constantTerm();
}

std::string KernelAnalysis::text(const Poly &P) const {
  std::string T;
  for (const auto &[Mono, C] : P.Terms) {
    int64_t Abs = C < 0 ? -C : C;
    T += T.empty() ? (C < 0 ? "-" : "") : (C < 0 ? " - " : " + ");
    bool First = true;
    if (Abs != 1 || Mono.empty()) {
      T += std::to_string(Abs);
      First = false;
    }
    for (unsigned S : Mono) {
      const SymbolInfo &Sym = symbol(S);
      T += First ? "" : "*";
      T += Sym.E ? dump(Sym.E) : "round";
      First = false;
    }
  }
  return T.empty() ? "0" : T;
}

} // namespace clmali::model
