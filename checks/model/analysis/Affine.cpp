//===-- checks/model/analysis/Affine.cpp - Addresses as polynomials ----------===//
//
// What it does: gives equal values equal numbers, and writes integer
// expressions as polynomials over symbols:
//
//   int x = get_global_id(0);               bytes of in[i]:
//   int i = mad24(y, w, x << 1);            4*y*w + 8*gid(0)
//   (i / w) * w + i % w                     i
//
// Components of vectors are looked through: in int2 p = (int2)(x, y), p.y is y.
// A variable that a loop moves by a fixed step is its start plus the step
// times the loop's iteration.
//
// Limits: arithmetic of 32 and 64 bits is taken as not wrapping; polynomials
// of more than 64 terms or of coefficients beyond 2^40 become atoms.
//
//===----------------------------------------------------------------------===//

#include "checks/model/analysis/AnalysisImpl.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"

namespace clmali::model {

//===----------------------------------------------------------------------===//
// Components
//===----------------------------------------------------------------------===//

std::optional<KernelAnalysis::Impl::Component>
KernelAnalysis::Impl::component(const Expr *E, unsigned Lane, const Stmt *At) {
  auto Key = std::tuple(E, Lane, At);
  if (auto It = Components.find(Key); It != Components.end())
    return It->second;
  std::optional<Component> C = findComponent(E, Lane, At);
  return Components[Key] = C;
}

std::optional<KernelAnalysis::Impl::Component>
KernelAnalysis::Impl::findComponent(const Expr *E, unsigned Lane, const Stmt *At) {
  if (E->Ty->isScalar())
    return Component(E, At);
  auto LaneOf = [&](const Expr *X) -> const Expr * {
    uint8_t L = uint8_t(Lane);
    if (X->K == ExprKind::Cast && X->C == CastOp::Splat && X->Ops[0]->Ty == M.value(X->Ty->Scalar))
      return X->Ops[0];
    return X->Ty->isScalar() ? X : M.swizzle(X, L);
  };
  switch (E->K) {
  case ExprKind::VectorCtor:
    for (const Expr *Part : E->Ops) {
      if (Lane < Part->Ty->Lanes)
        return component(Part, Lane, At);
      Lane -= Part->Ty->Lanes;
    }
    return std::nullopt;
  case ExprKind::Swizzle:
    return Lane < E->LaneIdx.size() ? component(E->Ops[0], E->LaneIdx[Lane], At) : std::nullopt;
  case ExprKind::VarRef: {
    unsigned N = versionAt(E->V, At);
    for (unsigned Steps = 0; Steps < 64; ++Steps) {
      const Version &V = Versions[N];
      if (V.K != Version::Def || V.V->isMemory() || !V.S->E ||
          (V.S->K != StmtKind::Assign && V.S->K != StmtKind::Decl))
        return std::nullopt;
      if (V.S->LaneIdx.empty())
        return V.S->E->Ty == E->Ty ? component(V.S->E, Lane, V.S) : std::nullopt;
      // v.yz = e: y is e's first component.
      auto It = llvm::find(V.S->LaneIdx, uint8_t(Lane));
      if (It != V.S->LaneIdx.end())
        return component(V.S->E, unsigned(It - V.S->LaneIdx.begin()), V.S);
      if (V.Prev == None)
        return std::nullopt;
      N = V.Prev;
    }
    return std::nullopt;
  }
  case ExprKind::Cast:
    if (E->C == CastOp::Splat)
      return Component(E->Ops[0], At);
    if (E->C == CastOp::Convert && E->Ops[0]->Ty->Lanes == E->Ty->Lanes)
      return Component(M.cast(LaneOf(E->Ops[0]), M.value(E->Ty->Scalar)), At);
    return std::nullopt;
  case ExprKind::Unary:
    if (E->O == Op::Neg)
      return Component(M.unary(E->O, LaneOf(E->Ops[0])), At);
    return std::nullopt;
  case ExprKind::Binary:
    // Comparisons have another type in vectors.
    if (!isComparison(E->O) && E->O != Op::LogicalAnd && E->O != Op::LogicalOr)
      return Component(M.binary(E->O, LaneOf(E->Ops[0]), LaneOf(E->Ops[1])), At);
    return std::nullopt;
  case ExprKind::Call:
    if (E->Name == "min" || E->Name == "max" || E->Name == "clamp" || E->Name == "mul24" ||
        E->Name == "mad24") {
      llvm::SmallVector<const Expr *, 3> Lanes;
      for (const Expr *X : E->Ops)
        Lanes.push_back(LaneOf(X));
      return Component(M.call(E->Name, M.value(E->Ty->Scalar), Lanes), At);
    }
    return std::nullopt;
  default:
    return std::nullopt;
  }
}

/// Where an access begins, if that is a number: bytes from its object.
static std::optional<int64_t> constantPlace(const Access &A) {
  int64_t Place = A.Disp;
  for (auto [Index, Stride] : llvm::zip_equal(A.Index, A.Stride)) {
    std::optional<int64_t> N = constantValue(Index);
    if (!N)
      return std::nullopt;
    Place += *N * int64_t(Stride);
  }
  return Place;
}

/// What was stored to an element of a private array: at[1] = i + w; .. in[at[1]].
std::optional<KernelAnalysis::Impl::Component> KernelAnalysis::Impl::storedElement(const Expr *E,
                                                                                   const Stmt *At) {
  const Access &A = E->Acc;
  std::optional<int64_t> Place =
      A.Base->K == Var::Memory && A.Base->AS == AddressSpace::Private && A.Lanes == 1 && !A.Volatile
          ? constantPlace(A)
          : std::nullopt;
  if (!Place)
    return std::nullopt;
  unsigned N = versionAt(A.Base, At);
  for (unsigned Steps = 0; Steps < 64 && N != None; ++Steps, N = Versions[N].Prev) {
    const Version &V = Versions[N];
    if (V.K != Version::Def || V.S->K != StmtKind::Store || V.S->Acc.Base != A.Base ||
        V.S->Acc.Volatile)
      return std::nullopt;
    const Access &Into = V.S->Acc;
    std::optional<int64_t> Other = constantPlace(Into);
    if (!Other)
      return std::nullopt;
    if (*Other == *Place && Into.Lanes == 1 && V.S->E->Ty == E->Ty)
      return Component(V.S->E, V.S);
    // One that touches it otherwise leaves something else.
    if (*Other < *Place + int64_t(sizeInBytes(A.Elem)) &&
        *Place < *Other + int64_t(sizeInBytes(Into.Elem)) * (Into.Lanes == 3 ? 4 : Into.Lanes))
      return std::nullopt;
  }
  return std::nullopt;
}

/// Of a single component of an integer vector, or an element of a private array.
std::optional<KernelAnalysis::Impl::Component> KernelAnalysis::Impl::componentOf(const Expr *E,
                                                                                 const Stmt *At) {
  if (E->K == ExprKind::Load && isIntScalar(E))
    return storedElement(E, At);
  if (E->K != ExprKind::Swizzle || !isIntScalar(E))
    return std::nullopt;
  return component(E->Ops[0], E->LaneIdx[0], At);
}

//===----------------------------------------------------------------------===//
// Value numbers
//===----------------------------------------------------------------------===//

unsigned KernelAnalysis::Impl::intern(std::vector<uint64_t> Key, const Expr *E, const Stmt *At) {
  auto [It, New] = ValueOf.try_emplace(std::move(Key), Values.size());
  if (New)
    Values.push_back({E, At});
  return It->second;
}

/// Definitions are looked through: two variables of one value share a number.
unsigned KernelAnalysis::Impl::valueOfVersion(unsigned V) {
  // Of what may be any of several values, no two are known to be equal.
  if (Versions[V].K == Version::Unknown) {
    Values.push_back({M.ref(const_cast<Var *>(Versions[V].V)), nullptr});
    return Values.size() - 1;
  }
  if (V >= VersionValue.size())
    VersionValue.resize(Versions.size(), None);
  if (VersionValue[V] != None)
    return VersionValue[V];
  const Version &Ver = Versions[V];
  unsigned N;
  if (Ver.K == Version::Def && !Ver.V->isMemory() && Ver.S->E && Ver.S->LaneIdx.empty() &&
      (Ver.S->K == StmtKind::Assign || Ver.S->K == StmtKind::Decl) && Ver.S->E->Ty == Ver.V->Ty)
    N = valueOf(Ver.S->E, Ver.S);
  else
    N = intern({~uint64_t(0), V}, M.ref(const_cast<Var *>(Ver.V)), Ver.S);
  return VersionValue[V] = N;
}

unsigned KernelAnalysis::Impl::valueOf(const Expr *E, const Stmt *At) {
  if (E->K == ExprKind::VarRef)
    return valueOfVersion(versionAt(E->V, At));
  if (auto C = componentOf(E, At))
    return valueOf(C->first, C->second);
  auto MemoKey = std::pair(E, At);
  if (auto It = ValueMemo.find(MemoKey); It != ValueMemo.end())
    return It->second;
  std::vector<uint64_t> Key;
  auto Put = [&Key](uint64_t X) { Key.push_back(X); };
  auto PutText = [&](llvm::StringRef T) {
    Put(TextIds.try_emplace(T, TextIds.size()).first->second);
  };
  Put(uint64_t(E->K));
  Put(reinterpret_cast<uintptr_t>(E->Ty));
  switch (E->K) {
  case ExprKind::IntConst:
    Put(uint64_t(E->Int));
    break;
  case ExprKind::FloatConst:
    Put(llvm::bit_cast<uint64_t>(E->Float));
    break;
  case ExprKind::WorkItem:
    Put(uint64_t(E->Query) * 8 + E->Dim);
    break;
  case ExprKind::Unary:
  case ExprKind::Binary:
    Put(uint64_t(E->O));
    break;
  case ExprKind::Cast:
    Put(uint64_t(E->C));
    PutText(E->Text);
    break;
  case ExprKind::Swizzle:
    for (uint8_t L : E->LaneIdx)
      Put(L);
    break;
  case ExprKind::Call:
    PutText(E->Name);
    break;
  case ExprKind::Load:
    if (E->Acc.Volatile)
      Put(reinterpret_cast<uintptr_t>(E));
    Put(versionAt(E->Acc.Base, At));
    Put(uint64_t(E->Acc.Elem) << 40 | uint64_t(E->Acc.Lanes) << 32 | E->Acc.Disp);
    Put(uint64_t(E->Acc.F));
    for (uint32_t S : E->Acc.Stride)
      Put(S);
    break;
  case ExprKind::Opaque:
    Put(reinterpret_cast<uintptr_t>(E));
    break;
  case ExprKind::VarRef:
  case ExprKind::Select:
  case ExprKind::VectorCtor:
    break;
  }
  forEachOperand(*E, [&](const Expr *X) { Put(valueOf(X, At)); });
  unsigned N = intern(std::move(Key), E, At);
  ValueMemo[MemoKey] = N;
  return N;
}

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
  Info.R = E->Ty->isInteger() ? rangeAt(E, At) : Range();
  // In the body: the test at the head has succeeded.
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

/// The version at the head of a loop: the counting variable itself, or one
/// that moves by a fixed step along with it, or an atom.
Poly KernelAnalysis::Impl::polyOfHead(unsigned V) {
  const Version Ver = Versions[V];
  const Expr *Ref = M.ref(const_cast<Var *>(Ver.V));
  // The reference is made where the version is current: the loop's test.
  Owner[Ref] = Ver.S;
  unsigned N = valueOfVersion(V);
  auto Itself = [&] {
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
  };
  findVariation();
  const auto Loop = shape(Ver.S);
  // What goes into it first: a loop around may ask what this one leaves behind.
  if (Loop && Ver.In.size() == 2 && Loop->Head != V && !PolyOpen.contains(V))
    polyOfVersion(Ver.In[0]);
  // Of many values that a loop carries, each may be made of all others.
  HeadsFollowed = Provisional.empty() ? 0 : HeadsFollowed + 1;
  if (!Loop || Ver.In.size() != 2 || HeadsFollowed > 64 || !PolyOpen.insert(V).second)
    return Itself();
  Poly Result = Itself();
  if (Loop->Head == V) {
    // for (i = get_global_id(0); ...): the start moves along the items.
    if (VersionVaries[Loop->Init].Item && polyOfVersion(Loop->Init).Terms.size() < 32) {
      Poly Step = Loop->C.StepExpr ? poly(Loop->C.StepExpr, Ver.S) : Poly::constant(Loop->C.Step);
      Poly P = polyOfVersion(Loop->Init) + Step * Poly::symbol(iterationSymbol(Ver.S));
      if (isSmall(P))
        Result = P;
    }
  } else {
    unsigned Self = Values[N].Symbol;
    Provisional.emplace_back();
    Poly Back = polyOfVersion(Ver.In[1]);
    Provisional.pop_back();
    Poly Step = Back - Poly::symbol(Self);
    // k = tid; in front of the loop and at the end of each round.
    bool Again = !Back.has(Self) && Back == polyOfVersion(Ver.In[0]);
    for (const auto &[Mono, C] : Back.Terms)
      for (unsigned S : Mono)
        Again = Again && symbolInvariant(S, Ver.S);
    bool Fixed = isSmall(Step);
    for (const auto &[Mono, C] : Step.Terms)
      for (unsigned S : Mono)
        Fixed = Fixed && S != Self && symbolInvariant(S, Ver.S);
    if (Again || (Fixed && Step.isZero())) {
      Result = polyOfVersion(Ver.In[0]);
    } else if (Fixed) {
      Poly Start = polyOfVersion(Ver.In[0]);
      std::optional<Poly> ForEach;
      if (Loop->C.Step && !VersionVaries[Loop->Init].Item)
        ForEach = divided(Step, Loop->C.Step);
      Poly P = ForEach ? Start + *ForEach * (polyOfVersion(Loop->Head) - polyOfVersion(Loop->Init))
                       : Start + Step * Poly::symbol(iterationSymbol(Ver.S));
      if (isSmall(P))
        Result = P;
    }
  }
  PolyOpen.erase(V);
  return Result;
}

/// What a counted loop leaves behind of what moves by one pace in it: p += w, in all rounds.
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
    // No round, where the bound is negative.
    const Expr *Bound = Loop->C.Bound;
    Trips = rangeAt(Bound, Ver.S).Lo >= 0
                ? poly(Bound, Ver.S)
                : poly(M.call("max", Bound->Ty, {Bound, M.intConst(0, Bound->Ty)}), Ver.S);
  }
  if (!Trips)
    return std::nullopt;
  Poly P = polyOfVersion(Ver.In[0]);
  unsigned Round = iterationSymbol(Ver.S);
  if (P.degree(Round) > 1)
    return std::nullopt;
  P = P.substitute(Round, *Trips);
  Poly Counter = polyOfVersion(Loop->Head);
  unsigned S = onlySymbol(Counter);
  if (S != None && Symbols[S].K == SymbolInfo::LoopVar && Symbols[S].Loop == Ver.S) {
    if (P.degree(S) > 1 || !Loop->C.Step)
      return std::nullopt;
    P = P.substitute(S, polyOfVersion(Loop->Init) + *Trips * Loop->C.Step);
  }
  for (const auto &[Mono, C] : P.Terms)
    for (unsigned S : Mono)
      if (!symbolInvariant(S, Ver.S))
        return std::nullopt;
  return isSmall(P) ? std::optional(P) : std::nullopt;
}

/// if (first) at -= width; with an argument `first`: what it was before, and a number that is the
/// same for all work-items. None within a loop, whose rounds may differ.
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

/// Ids, sizes of the launch and numbers alone?
bool KernelAnalysis::Impl::isOfIds(const Poly &P) const {
  return llvm::all_of(P.Terms, [&](const auto &T) {
    return llvm::all_of(T.first, [&](unsigned S) { return Symbols[S].K == SymbolInfo::WorkItem; });
  });
}

Poly KernelAnalysis::Impl::poly(const Expr *E, const Stmt *At) {
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
  auto Or = [&](const Poly &P) { return isSmall(P) ? P : atom(E, At); };
  // Vectors of chars add in chars; scalars have been promoted.
  bool Wide = sizeInBits(E->Ty->Scalar) >= 32;
  switch (E->K) {
  case ExprKind::Cast: {
    const Expr *From = E->Ops[0];
    if (E->C == CastOp::Splat || !isIntScalar(From) || E->Ty->Scalar == ScalarKind::Bool)
      return atom(E, At);
    if (E->C == CastOp::Bitcast && sizeInBits(E->Ty->Scalar) != sizeInBits(From->Ty->Scalar))
      return atom(E, At);
    bool Saturates = E->C == CastOp::Builtin && llvm::StringRef(E->Text).starts_with("_sat");
    bool BothWide = Wide && sizeInBits(From->Ty->Scalar) >= 32;
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
    return atom(E, At);
  }
  case ExprKind::Unary:
    if (E->O == Op::Neg && Wide)
      return Or(poly(E->Ops[0], At) * -1);
    return atom(E, At);
  case ExprKind::Binary: {
    const Expr *A = E->Ops[0], *B = E->Ops[1];
    if (!Wide || !isIntScalar(A) || !isIntScalar(B))
      return atom(E, At);
    switch (E->O) {
    case Op::Add:
      return Or(joinedRemainders(poly(A, At) + poly(B, At)));
    case Op::Sub:
      return Or(poly(A, At) - poly(B, At));
    case Op::Mul:
      return Or(poly(A, At) * poly(B, At));
    case Op::Shl: {
      std::optional<int64_t> C = constantValue(B);
      return C && *C >= 0 && *C < 32 ? Or(poly(A, At) * (int64_t(1) << *C)) : atom(E, At);
    }
    case Op::Shr: {
      std::optional<int64_t> C = constantValue(B);
      if (C && *C >= 0 && *C < 32)
        if (std::optional<Poly> Q = divided(poly(A, At), int64_t(1) << *C))
          return *Q;
      return atom(E, At);
    }
    case Op::Div: {
      std::optional<int64_t> C = constantValue(B);
      if (C && *C > 0)
        if (std::optional<Poly> Q = divided(poly(A, At), *C))
          return *Q;
      return atom(E, At);
    }
    case Op::Or: {
      // (x << 4) | y is a sum where y < 16.
      findRanges();
      for (auto [High, Low] : {std::pair(A, B), std::pair(B, A)}) {
        Range R = rangeAt(Low, At);
        if (R.Lo < 0 || R.Hi >= (int64_t(1) << 31))
          continue;
        int64_t Unit = int64_t(llvm::NextPowerOf2(uint64_t(R.Hi)));
        Poly P = poly(High, At);
        if (divided(P, Unit))
          return Or(P + poly(Low, At));
      }
      return atom(E, At);
    }
    default:
      return atom(E, At);
    }
  }
  case ExprKind::Call:
    if (E->Name == "mul24" && E->Ops.size() == 2)
      return Or(poly(E->Ops[0], At) * poly(E->Ops[1], At));
    if (E->Name == "mad24" && E->Ops.size() == 3)
      return Or(joinedRemainders(poly(E->Ops[0], At) * poly(E->Ops[1], At) + poly(E->Ops[2], At)));
    return atom(E, At);
  default:
    return atom(E, At);
  }
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
