//===-- checks/model/analysis/Affine.cpp - Addresses as polynomials ----------===//
//
// What it does: writes integer expressions as polynomials over symbols:
//
//   int x = get_global_id(0);               bytes of in[i]:
//   int i = mad24(y, w, x << 1);            4*y*w + 8*gid(0)
//   (i / w) * w + i % w                     i
//
// Components of vectors are expanded (ValueNumbers.cpp). A variable that a loop moves by a fixed
// step is its start plus the step times the number of the trip.
//
// Limits: arithmetic of 32 and 64 bits is taken as not wrapping; polynomials of more than 64 terms
// or with coefficients beyond 2^40 become atoms.
//
//===----------------------------------------------------------------------===//

#include "checks/model/analysis/AnalysisImpl.h"
#include "checks/model/ir/Constants.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"

namespace clmali::model {

//===----------------------------------------------------------------------===//
// Symbols
//===----------------------------------------------------------------------===//

unsigned KernelAnalysis::Impl::symbolOf(const Expr *E, const Stmt *At) {
  unsigned N = valueOf(E, At);
  if (Values[N].Symbol != None)
    return Values[N].Symbol;
  unsigned S = Symbols.size();
  Values[N].Symbol = S;
  Symbols.emplace_back();
  SymbolAt.push_back(At);
  SymbolInfo Info;
  Info.E = E;
  if (E->K == ExprKind::WorkItem) {
    Info.K = SymbolInfo::WorkItem;
  } else if (E->K == ExprKind::VarRef) {
    const Version &V = Versions[versionAt(E->V, At)];
    if (V.K == Version::Entry && V.V->K == Var::Param) {
      Info.K = SymbolInfo::Param;
    } else if (V.K == Version::LoopHead) {
      const auto &L = shape(V.S);
      if (L && &Versions[L->Head] == &V) {
        Info.K = SymbolInfo::LoopVar;
        Info.Loop = V.S;
      }
    }
  }
  findVariation();
  findRanges();
  findVariation();
  Info.Varies = varies(E, At);
  // Addresses are compared between groups, too, of which several may have one value.
  if (std::optional<unsigned> Dim = sameInGroup(E, At))
    Info.Varies = {uint8_t(1u << *Dim), 0, false};
  Info.R = E->Ty->isInteger() ? rangeAt(E, At) : Range();
  // In the loop's body its test holds.
  if (Info.K == SymbolInfo::LoopVar && !Info.Loop->Body.empty())
    Info.R = rangeAt(E, Info.Loop->Body.front());
  Symbols[S] = Info;
  return S;
}

unsigned KernelAnalysis::Impl::iterationSymbol(const Stmt *Loop) {
  auto [It, New] = IterationOf.try_emplace(Loop, Symbols.size());
  if (!New)
    return It->second;
  SymbolInfo Info;
  Info.K = SymbolInfo::Iteration;
  Info.Loop = Loop;
  findRanges();
  std::optional<int64_t> Trips = tripCount(Loop);
  Info.R = {0, Trips && *Trips > 0 ? *Trips - 1 : INT64_MAX};
  Symbols.push_back(Info);
  SymbolAt.push_back(Loop);
  return It->second;
}

bool KernelAnalysis::Impl::symbolInvariant(unsigned S, const Stmt *Loop) {
  const SymbolInfo &I = Symbols[S];
  switch (I.K) {
  case SymbolInfo::WorkItem:
  case SymbolInfo::Param:
    return true;
  case SymbolInfo::LoopVar:
  case SymbolInfo::Iteration:
    return !isInside(I.Loop, Loop);
  case SymbolInfo::Atom:
    return invariant(I.E, SymbolAt[S], Loop);
  }
  return false;
}

//===----------------------------------------------------------------------===//
// Polynomials
//===----------------------------------------------------------------------===//

static bool isSmall(const Poly &P) {
  if (P.Terms.size() > 64)
    return false;
  return llvm::all_of(P.Terms, [](const auto &T) {
    return T.first.size() <= 6 && T.second < (int64_t(1) << 40) && T.second > -(int64_t(1) << 40);
  });
}

std::optional<Poly> divided(const Poly &P, int64_t D) {
  Poly Q;
  for (const auto &[Mono, C] : P.Terms) {
    if (C % D)
      return std::nullopt;
    Q.Terms[Mono] = C / D;
  }
  return Q;
}

unsigned onlySymbol(const Poly &P) {
  if (P.Terms.size() != 1)
    return None;
  const auto &[Mono, C] = *P.Terms.begin();
  return C == 1 && Mono.size() == 1 ? Mono[0] : None;
}

Poly KernelAnalysis::Impl::atom(const Expr *E, const Stmt *At) {
  return Poly::symbol(symbolOf(E, At));
}

/// The symbol of the version V at the head of a loop itself.
Poly KernelAnalysis::Impl::headItself(unsigned V, const Expr *Ref) {
  const Version Ver = Versions[V];
  unsigned N = valueOfVersion(V);
  if (Values[N].Symbol == None) {
    SymbolInfo Info;
    Info.E = Ref;
    findRanges();
    Info.Varies = VersionVaries.size() > V ? VersionVaries[V] : Variation();
    const auto &L = shape(Ver.S);
    if (L && L->Head == V) {
      Info.K = SymbolInfo::LoopVar;
      Info.Loop = Ver.S;
    }
    Info.R = VersionRange[V];
    if (Info.K == SymbolInfo::LoopVar && !Ver.S->Body.empty())
      Info.R = rangeAt(Ref, Ver.S->Body.front());
    Values[N].Symbol = Symbols.size();
    Symbols.push_back(Info);
    SymbolAt.push_back(Ver.S);
  }
  return Poly::symbol(Values[N].Symbol);
}

/// A counting variable whose start differs between work-items (i = get_global_id(0)): start plus
/// step times trip. nullopt: it is its own symbol.
std::optional<Poly> KernelAnalysis::Impl::polyOfCounter(const LoopShape &Loop, const Stmt *S) {
  constexpr size_t MaxTerms = 32;
  if (!VersionVaries[Loop.Init].Item || polyOfVersion(Loop.Init).Terms.size() >= MaxTerms)
    return std::nullopt;
  Poly Step = Loop.C.StepExpr ? poly(Loop.C.StepExpr, S) : Poly::constant(Loop.C.Step);
  Poly P = polyOfVersion(Loop.Init) + Step * Poly::symbol(iterationSymbol(S));
  return isSmall(P) ? std::optional(P) : std::nullopt;
}

static bool isInvariant(KernelAnalysis::Impl &I, const Poly &P, const Stmt *Loop) {
  return llvm::all_of(P.Terms, [&](const auto &Term) {
    return llvm::all_of(Term.first, [&](unsigned S) { return I.symbolInvariant(S, Loop); });
  });
}

/// Another variable at the head of a counted loop that moves by a fixed step in each trip. Self:
/// its own symbol. nullopt: it does not.
std::optional<Poly> KernelAnalysis::Impl::polyOfMoving(const Version &Ver, const LoopShape &Loop,
                                                       unsigned Self) {
  Provisional.emplace_back();
  Poly Back = polyOfVersion(Ver.In[1]);
  Provisional.pop_back();
  Poly Step = Back - Poly::symbol(Self);
  // k = tid; before the loop and at the end of each trip.
  bool SetAgain =
      !Back.has(Self) && Back == polyOfVersion(Ver.In[0]) && isInvariant(*this, Back, Ver.S);
  bool Fixed = isSmall(Step) && !Step.has(Self) && isInvariant(*this, Step, Ver.S);
  if (SetAgain || (Fixed && Step.isZero()))
    return polyOfVersion(Ver.In[0]);
  if (!Fixed)
    return std::nullopt;
  Poly Start = polyOfVersion(Ver.In[0]);
  std::optional<Poly> PerStep; // of the counting variable
  if (Loop.C.Step && !VersionVaries[Loop.Init].Item)
    PerStep = divided(Step, Loop.C.Step);
  Poly P = PerStep ? Start + *PerStep * (polyOfVersion(Loop.Head) - polyOfVersion(Loop.Init))
                   : Start + Step * Poly::symbol(iterationSymbol(Ver.S));
  return isSmall(P) ? std::optional(P) : std::nullopt;
}

/// The version at the head of a loop: the counting variable itself, or one
/// that moves by a fixed step along with it, or an atom.
Poly KernelAnalysis::Impl::polyOfHead(unsigned V) {
  constexpr unsigned MaxHeads = 64;
  const Version Ver = Versions[V];
  const Expr *Ref = M.ref(const_cast<Var *>(Ver.V));
  // The version is current where the loop's test is evaluated.
  Owner[Ref] = Ver.S;
  valueOfVersion(V);
  findVariation();
  const auto Loop = shape(Ver.S);
  // The value before the loop first: an outer loop may need what this one leaves behind.
  if (Loop && Ver.In.size() == 2 && Loop->Head != V && !PolyOpen.contains(V))
    polyOfVersion(Ver.In[0]);
  // Of many values that a loop carries, each may be computed from all others: bounded.
  HeadsFollowed = Provisional.empty() ? 0 : HeadsFollowed + 1;
  if (!Loop || Ver.In.size() != 2 || HeadsFollowed > MaxHeads || !PolyOpen.insert(V).second)
    return headItself(V, Ref);
  Poly Itself = headItself(V, Ref);
  std::optional<Poly> Result = Loop->Head == V
                                   ? polyOfCounter(*Loop, Ver.S)
                                   : polyOfMoving(Ver, *Loop, Values[valueOfVersion(V)].Symbol);
  PolyOpen.erase(V);
  return Result.value_or(Itself);
}

/// The value behind a counted loop of a variable that moves by a fixed step in it: p += w, in all
/// trips.
std::optional<Poly> KernelAnalysis::Impl::polyOfExit(unsigned V) {
  const Version Ver = Versions[V];
  if (!Ver.V->Ty->isScalar() || !Ver.V->Ty->isInteger() || Ver.S->K != StmtKind::Loop)
    return std::nullopt;
  const auto Loop = shape(Ver.S);
  if (!Loop || Loop->LeavesEarly || Ver.S->Form == Stmt::DoWhile || Ver.In.size() != 1 ||
      Versions[Ver.In[0]].K != Version::LoopHead || Versions[Ver.In[0]].S != Ver.S ||
      !Loop->C.Lower || !Loop->C.Bound)
    return std::nullopt;
  std::optional<Poly> Trips;
  if (std::optional<int64_t> N = tripCount(Ver.S)) {
    Trips = Poly::constant(*N);
  } else if (Loop->C.Step == 1 && Loop->C.Compare == Op::LT && polyOfVersion(Loop->Init).isZero() &&
             isIntScalar(Loop->C.Bound)) {
    // No trip where the bound is negative.
    const Expr *Bound = Loop->C.Bound;
    Trips = rangeAt(Bound, Ver.S).Lo >= 0
                ? poly(Bound, Ver.S)
                : poly(M.call("max", Bound->Ty, {Bound, M.intConst(0, Bound->Ty)}), Ver.S);
  }
  if (!Trips)
    return std::nullopt;
  Poly P = polyOfVersion(Ver.In[0]);
  unsigned Trip = iterationSymbol(Ver.S);
  if (P.degree(Trip) > 1)
    return std::nullopt;
  P = P.substitute(Trip, *Trips);
  Poly Counter = polyOfVersion(Loop->Head);
  unsigned S = onlySymbol(Counter);
  if (S != None && Symbols[S].K == SymbolInfo::LoopVar && Symbols[S].Loop == Ver.S) {
    if (P.degree(S) > 1 || !Loop->C.Step)
      return std::nullopt;
    P = P.substitute(S, polyOfVersion(Loop->Init) + *Trips * Loop->C.Step);
  }
  return isSmall(P) && isInvariant(*this, P, Ver.S) ? std::optional(P) : std::nullopt;
}

/// if (first) at -= width; with an argument `first`: the value of the else branch plus an atom that
/// is the same for all work-items. Not inside a loop, whose trips may differ.
std::optional<Poly> KernelAnalysis::Impl::polyOfJoin(unsigned V) {
  const Version Ver = Versions[V];
  if (Ver.S->K != StmtKind::If || Ver.In.size() != 2 || !Ver.V->Ty->isScalar() ||
      !Ver.V->Ty->isInteger() || sizeInBits(Ver.V->Ty->Scalar) < 32)
    return std::nullopt;
  for (const Stmt *P = Info.lookup(Ver.S).Parent; P; P = Info.lookup(P).Parent)
    if (P->K == StmtKind::Loop)
      return std::nullopt;
  auto IsSame = [](const Variation &X) { return X.uniformInLaunch() && !X.Data; };
  findVariation();
  if (!IsSame(varies(Ver.S->E, Ver.S)))
    return std::nullopt;
  Poly Then = polyOfVersion(Ver.In[0]), Else = polyOfVersion(Ver.In[1]), Apart = Then - Else;
  bool Moves = false;
  for (const auto &[Mono, C] : Else.Terms)
    for (unsigned S : Mono)
      Moves |= !IsSame(Symbols[S].Varies);
  for (const auto &[Mono, C] : Apart.Terms)
    for (unsigned S : Mono)
      if (!IsSame(Symbols[S].Varies) || Symbols[S].Loop)
        return std::nullopt;
  if (!Moves || Apart.isZero())
    return std::nullopt;
  SymbolInfo Chosen;
  Chosen.K = SymbolInfo::Atom;
  Symbols.push_back(Chosen);
  SymbolAt.push_back(Ver.S);
  return Else + Poly::symbol(unsigned(Symbols.size()) - 1);
}

Poly KernelAnalysis::Impl::polyOfVersion(unsigned V) {
  for (const PolyMemo *Memo : {&FinalPolys, &currentPolys()})
    if (auto It = Memo->OfVersion.find(V); It != Memo->OfVersion.end())
      return It->second;
  const Version &Ver = Versions[V];
  Poly P;
  if (Ver.K == Version::Def && Ver.S->E && Ver.S->LaneIdx.empty() &&
      (Ver.S->K == StmtKind::Assign || Ver.S->K == StmtKind::Decl) && isIntScalar(Ver.S->E) &&
      Ver.S->E->Ty == Ver.V->Ty) {
    P = poly(Ver.S->E, Ver.S);
  } else if (Ver.K == Version::LoopHead) {
    P = polyOfHead(V);
  } else if (std::optional<Poly> Left = Ver.K == Version::LoopExit ? polyOfExit(V)
                                        : Ver.K == Version::Join   ? polyOfJoin(V)
                                                                   : std::nullopt) {
    P = *Left;
  } else {
    unsigned N = valueOfVersion(V);
    if (Values[N].Symbol == None) {
      SymbolInfo Info;
      Info.E = Values[N].E;
      Info.K =
          Ver.K == Version::Entry && Ver.V->K == Var::Param ? SymbolInfo::Param : SymbolInfo::Atom;
      findVariation();
      findRanges();
      if (V < VersionVaries.size()) {
        Info.Varies = VersionVaries[V];
        Info.R = VersionRange[V];
      }
      Values[N].Symbol = Symbols.size();
      Symbols.push_back(Info);
      SymbolAt.push_back(Ver.S);
    }
    P = Poly::symbol(Values[N].Symbol);
  }
  if (Ver.K != Version::Unknown)
    currentPolys().OfVersion[V] = P;
  return P;
}

/// (a / b) * b + a % b is a; so is ((a >> 4) << 4) + (a & 15).
Poly KernelAnalysis::Impl::joinedRemainders(Poly P) {
  llvm::SmallVector<unsigned, 4> Rests;
  for (const auto &[Mono, C] : P.Terms)
    for (unsigned S : Mono)
      if (Symbols[S].K == SymbolInfo::Atom && Symbols[S].E && !llvm::is_contained(Rests, S) &&
          Symbols[S].E->K == ExprKind::Binary &&
          (Symbols[S].E->O == Op::Rem || Symbols[S].E->O == Op::And))
        Rests.push_back(S);
  for (unsigned Rest : Rests) {
    const Expr *R = Symbols[Rest].E;
    const Stmt *At = SymbolAt[Rest];
    if (P.degree(Rest) != 1)
      continue;
    Expr *Quotient = M.newExpr(ExprKind::Binary, R->Ty, R->Range);
    Quotient->Ops = R->Ops;
    Poly Divisor;
    if (R->O == Op::Rem) {
      Quotient->O = Op::Div;
      Divisor = poly(R->Ops[1], At);
    } else {
      std::optional<int64_t> Mask = constantValue(R->Ops[1]);
      if (!Mask || *Mask <= 0 || *Mask >= (1 << 30) || !llvm::isPowerOf2_64(uint64_t(*Mask) + 1))
        continue;
      Quotient->O = Op::Shr;
      Quotient->Ops[1] = M.intConst(llvm::Log2_64(uint64_t(*Mask) + 1));
      Divisor = Poly::constant(*Mask + 1);
    }
    Poly Q = poly(Quotient, At);
    Poly Factor = P.coefficient(Rest);
    // As it stands in P: the quotient is one symbol.
    unsigned Symbol = onlySymbol(Q);
    if (Symbol == None || P.degree(Symbol) != 1 || !(P.coefficient(Symbol) == Factor * Divisor))
      continue;
    P = P - Factor * Poly::symbol(Rest) - Factor * Divisor * Poly::symbol(Symbol) +
        Factor * poly(R->Ops[0], At);
  }
  return P;
}

/// True if P has no symbols but ids and sizes of the launch.
bool KernelAnalysis::Impl::isOfIds(const Poly &P) const {
  return llvm::all_of(P.Terms, [&](const auto &T) {
    return llvm::all_of(T.first, [&](unsigned S) { return Symbols[S].K == SymbolInfo::WorkItem; });
  });
}

Poly KernelAnalysis::Impl::poly(const Expr *E, const Stmt *At) {
  spend();
  if (std::optional<int64_t> C = constantValue(E))
    return Poly::constant(*C);
  if (!isIntScalar(E))
    return atom(E, At);
  if (E->K == ExprKind::VarRef)
    return polyOfVersion(versionAt(E->V, At));
  if (auto C = componentOf(E, At)) {
    for (const PolyMemo *Memo : {&FinalPolys, &currentPolys()})
      if (auto It = Memo->OfComponent.find(*C); It != Memo->OfComponent.end())
        return It->second;
    Poly P = poly(C->first, C->second);
    currentPolys().OfComponent[*C] = P;
    return P;
  }
  std::optional<Poly> P;
  // A conversion or an exact quotient is as small as its operand.
  bool IsExact =
      E->K == ExprKind::Cast || (E->K == ExprKind::Binary && (E->O == Op::Shr || E->O == Op::Div));
  bool IsWide = sizeInBits(E->Ty->Scalar) >= 32; // components of vectors of chars add in chars
  if (E->K == ExprKind::Cast)
    P = polyOfCast(E, At);
  else if (E->K == ExprKind::Unary && E->O == Op::Neg && IsWide)
    P = poly(E->Ops[0], At) * -1;
  else if (E->K == ExprKind::Binary && IsWide && isIntScalar(E->Ops[0]) && isIntScalar(E->Ops[1]))
    P = polyOfBinary(E, At);
  else if (E->K == ExprKind::Call && E->Name == "mul24" && E->Ops.size() == 2)
    P = poly(E->Ops[0], At) * poly(E->Ops[1], At);
  else if (E->K == ExprKind::Call && E->Name == "mad24" && E->Ops.size() == 3)
    P = joinedRemainders(poly(E->Ops[0], At) * poly(E->Ops[1], At) + poly(E->Ops[2], At));
  return P && (IsExact || isSmall(*P)) ? *P : atom(E, At);
}

/// A conversion that keeps the value; nullopt: it may not.
std::optional<Poly> KernelAnalysis::Impl::polyOfCast(const Expr *E, const Stmt *At) {
  const Expr *From = E->Ops[0];
  if (E->C == CastOp::Splat || !isIntScalar(From) || E->Ty->Scalar == ScalarKind::Bool)
    return std::nullopt;
  if (E->C == CastOp::Bitcast && sizeInBits(E->Ty->Scalar) != sizeInBits(From->Ty->Scalar))
    return std::nullopt;
  bool Saturates = E->C == CastOp::Builtin && llvm::StringRef(E->Text).starts_with("_sat");
  bool BothWide = sizeInBits(E->Ty->Scalar) >= 32 && sizeInBits(From->Ty->Scalar) >= 32;
  if (BothWide && !Saturates)
    return poly(From, At);
  findRanges();
  Range R = rangeAt(From, At);
  bool Unbounded = From->Ty->Scalar == ScalarKind::ULong && R.Hi == INT64_MAX;
  if (rangeOf(E->Ty->Scalar).contains(R) && !Unbounded)
    return poly(From, At);
  // short x = get_global_id(0);
  if (Ids == NarrowIds::Fit && sizeInBits(E->Ty->Scalar) == 16)
    if (Poly P = poly(From, At); isOfIds(P))
      return P;
  return std::nullopt;
}

/// An operation on integers of at least 32 bits; nullopt: no polynomial.
std::optional<Poly> KernelAnalysis::Impl::polyOfBinary(const Expr *E, const Stmt *At) {
  const Expr *A = E->Ops[0], *B = E->Ops[1];
  // As a term of a sum or product, 4294967295u is -1.
  auto term = [&](const Expr *X) {
    std::optional<int64_t> C = constantValue(X);
    return C ? Poly::constant(asTerm(*C, X->Ty->Scalar)) : poly(X, At);
  };
  std::optional<int64_t> C = constantValue(B);
  bool IsCount = C && *C >= 0 && *C < 32;
  switch (E->O) {
  case Op::Add:
    return joinedRemainders(term(A) + term(B));
  case Op::Sub:
    return term(A) - term(B);
  case Op::Mul:
    return term(A) * term(B);
  case Op::Shl:
    return IsCount ? std::optional(poly(A, At) * (int64_t(1) << *C)) : std::nullopt;
  case Op::Shr:
    return IsCount ? divided(poly(A, At), int64_t(1) << *C) : std::nullopt;
  case Op::Div:
    return C && *C > 0 ? divided(poly(A, At), *C) : std::nullopt;
  case Op::Or:
    return polyOfOr(A, B, At);
  default:
    return std::nullopt;
  }
}

/// (x << 4) | y is a sum where y < 16.
std::optional<Poly> KernelAnalysis::Impl::polyOfOr(const Expr *A, const Expr *B, const Stmt *At) {
  findRanges();
  for (auto [High, Low] : {std::pair(A, B), std::pair(B, A)}) {
    Range R = rangeAt(Low, At);
    if (R.Lo < 0 || R.Hi >= (int64_t(1) << 31))
      continue;
    int64_t Unit = int64_t(llvm::NextPowerOf2(uint64_t(R.Hi)));
    Poly P = poly(High, At);
    if (divided(P, Unit))
      return P + poly(Low, At);
  }
  return std::nullopt;
}

Poly KernelAnalysis::Impl::bytes(const Access &A, const Stmt *At) {
  Poly P = Poly::constant(A.Disp);
  for (auto [Index, Stride] : llvm::zip_equal(A.Index, A.Stride))
    P = P + poly(Index, At) * Stride;
  return P;
}

std::optional<Poly> KernelAnalysis::Impl::strideOf(const Poly &Bytes, unsigned Dim) {
  Poly Stride;
  unsigned Bit = 1u << Dim;
  for (const auto &[Mono, C] : Bytes.Terms) {
    Monomial Rest;
    unsigned Moving = 0;
    for (unsigned S : Mono) {
      const SymbolInfo &I = Symbols[S];
      bool IsId = I.K == SymbolInfo::WorkItem && I.E->Dim == Dim &&
                  (I.E->Query == WorkItemQuery::GlobalId || I.E->Query == WorkItemQuery::LocalId);
      if (IsId)
        ++Moving;
      else if (I.Varies.Item & Bit)
        return std::nullopt;
      else
        Rest.push_back(S);
    }
    if (Moving > 1)
      return std::nullopt;
    if (Moving) {
      Poly Term;
      Term.Terms[Rest] = C;
      Stride = Stride + Term;
    }
  }
  return Stride;
}

} // namespace clmali::model
