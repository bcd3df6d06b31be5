//===-- rewriters/staging/Cover.cpp - Copied before it is read ------------===//
//
// What it does: shows that each element of a tile that is read was stored by one of the copies. By
// the conditions of one copy, if they hold at the read for every work-item; else by enumeration:
// for a known local size, the elements of all work-items and iterations are marked, and every
// element that is read is looked up.
//
// Limits: a read under a data-dependent condition may not happen, so it proves no error; indices
// that depend on arguments (except for the length of a row) are not enumerated.
//
//===----------------------------------------------------------------------===//

#include "rewriters/staging/Delocalizer.h"
#include "llvm/ADT/STLExtras.h"

namespace clmali::rewrite {

namespace {

using Values = std::map<unsigned, int64_t>;

/// More steps are not enumerated.
constexpr unsigned MaxSteps = 400000;

/// Values of polynomials, given those of ids and iterations; quotients and remainders follow from
/// them.
class Evaluator {
public:
  explicit Evaluator(const KernelAnalysis &A) : A(A) {}

  std::optional<int64_t> operator()(const Poly &P, const Values &At, unsigned Depth = 0) {
    int64_t Sum = 0;
    for (const auto &[Mono, C] : P.Terms) {
      int64_t Term = C;
      for (unsigned S : Mono) {
        std::optional<int64_t> V;
        if (auto It = At.find(S); It != At.end())
          V = It->second;
        else
          V = quotient(S, At, Depth);
        if (!V)
          return std::nullopt;
        Term *= *V;
      }
      Sum += Term;
    }
    return Sum;
  }

  /// True if S is a quotient or remainder of what is enumerated.
  bool follows(unsigned S, unsigned Depth = 0) {
    const Known &K = division(S);
    return K.D && Depth < 8 &&
           !mentions(
               K.Of,
               [&](unsigned X) {
                 const SymbolInfo &I = A.symbol(X);
                 bool Counted =
                     I.K == SymbolInfo::LoopVar || I.K == SymbolInfo::Iteration ||
                     (I.K == SymbolInfo::WorkItem && (I.E->Query == WorkItemQuery::LocalId ||
                                                      I.E->Query == WorkItemQuery::LocalSize));
                 return !Counted && !follows(X, Depth + 1);
               });
  }

private:
  const KernelAnalysis &A;
  struct Known {
    std::optional<Division> D;
    Poly Of;
  };
  std::map<unsigned, Known> Divisions;

  const Known &division(unsigned S) {
    auto [It, New] = Divisions.try_emplace(S);
    if (New && A.symbol(S).K == SymbolInfo::Atom && A.symbol(S).E) {
      It->second.D =
          divisionOf(A.symbol(S).E, [&](const Expr *E) { return A.poly(E, A.placeOf(S)); });
      if (It->second.D)
        It->second.Of = A.poly(It->second.D->Of, A.placeOf(S));
    }
    return It->second;
  }

  std::optional<int64_t> quotient(unsigned S, const Values &At, unsigned Depth) {
    const auto &[D, Of] = division(S);
    if (!D || Depth > 8)
      return std::nullopt;
    auto V = (*this)(Of, At, Depth + 1);
    if (!V || *V < 0)
      return std::nullopt;
    return D->Rest ? *V % D->By : *V / D->By;
  }
};

/// Enumerates local ids and loops.
class Counting {
public:
  Counting(Module &M, const KernelAnalysis &A, const PathFacts &P, std::array<uint64_t, 3> Size)
      : evaluate(A), A(A), P(P), Size(Size) {
    for (unsigned D = 0; D < 3; ++D)
      Sizes[D] = A.symbolFor(M.workItem(WorkItemQuery::LocalSize, D));
  }

  Evaluator evaluate;
  bool Exact = true; ///< everything that was enumerated happens
  bool Done = true;  ///< nothing was left out

  /// Loops: outermost first. Ranged: symbols that have any value of a range.
  void each(llvm::ArrayRef<const Stmt *> Loops, llvm::ArrayRef<Guard> Facts,
            const std::map<unsigned, Range> &Ranged, llvm::function_ref<bool(const Values &)> Use) {
    for (int64_t Z = 0; Z < int64_t(std::max<uint64_t>(1, Size[2])); ++Z)
      for (int64_t Y = 0; Y < int64_t(std::max<uint64_t>(1, Size[1])); ++Y)
        for (int64_t X = 0; X < int64_t(Size[0]); ++X) {
          Values At = {{P.localId(0), X}, {P.localId(1), Y}, {P.localId(2), Z}};
          for (unsigned D = 0; D < 3; ++D)
            At[Sizes[D]] = int64_t(std::max<uint64_t>(1, Size[D]));
          if (!ranged(Ranged.begin(), Ranged.end(), At,
                      [&] { return loops(Loops, Facts, At, Use); }))
            return;
        }
  }

private:
  const KernelAnalysis &A;
  const PathFacts &P;
  std::array<uint64_t, 3> Size;
  std::array<unsigned, 3> Sizes;
  unsigned Steps = 0;

  using It = std::map<unsigned, Range>::const_iterator;
  bool ranged(It I, It End, Values &At, llvm::function_ref<bool()> Use) {
    if (I == End)
      return Use();
    for (int64_t V = I->second.Lo; V <= I->second.Hi; ++V) {
      At[I->first] = V;
      if (!ranged(std::next(I), End, At, Use))
        return false;
    }
    return true;
  }

  /// Whether F holds. Nothing: not known.
  std::optional<bool> truth(const Guard &F, const Values &At) {
    if (!P.isComparison(F))
      return std::nullopt;
    const Expr *C = F.Cond;
    auto X = evaluate(A.poly(C->Ops[0], F.At), At), Y = evaluate(A.poly(C->Ops[1], F.At), At);
    if (!X || !Y || (!isSigned(C->Ops[0]->Ty->Scalar) && (*X < 0 || *Y < 0)))
      return std::nullopt;
    bool T = false;
    switch (C->O) {
    case Op::LT:
      T = *X < *Y;
      break;
    case Op::LE:
      T = *X <= *Y;
      break;
    case Op::GT:
      T = *X > *Y;
      break;
    case Op::GE:
      T = *X >= *Y;
      break;
    case Op::EQ:
      T = *X == *Y;
      break;
    case Op::NE:
      T = *X != *Y;
      break;
    default:
      return std::nullopt;
    }
    return T == F.Holds;
  }

  bool loops(llvm::ArrayRef<const Stmt *> Loops, llvm::ArrayRef<Guard> Facts, Values &At,
             llvm::function_ref<bool(const Values &)> Use) {
    if (++Steps > MaxSteps)
      return Done = false;
    if (Loops.empty()) {
      for (const Guard &F : Facts) {
        auto Holds = truth(F, At);
        Exact &= Holds.has_value();
        if (Holds && !*Holds)
          return true;
      }
      return Use(At);
    }
    const Stmt *L = Loops.front();
    auto Counted = A.countedLoop(L);
    if (!Counted)
      return Done = false;
    int64_t Step = Counted->Step;
    if (!Step)
      Step = Counted->StepExpr ? evaluate(A.poly(Counted->StepExpr, L), At).value_or(0) : 0;
    if (!Step)
      return Done = false;
    auto Lower = evaluate(A.poly(Counted->Lower, L), At),
         Bound = evaluate(A.poly(Counted->Bound, L), At);
    // The symbols of this loop: its variable, or the number of its iteration.
    std::optional<unsigned> Var, Round;
    for (unsigned S = 0; S < A.numSymbols(); ++S)
      if (A.symbol(S).Loop == L)
        (A.symbol(S).K == SymbolInfo::LoopVar ? Var : Round) = S;
    if (!Lower || !Bound)
      return Done = false;
    int64_t N = 0;
    for (int64_t V = *Lower;; V += Step, ++N) {
      bool Goes = true;
      switch (Counted->Compare) {
      case Op::LT:
        Goes = V < *Bound;
        break;
      case Op::LE:
        Goes = V <= *Bound;
        break;
      case Op::GT:
        Goes = V > *Bound;
        break;
      case Op::GE:
        Goes = V >= *Bound;
        break;
      case Op::NE:
        Goes = V != *Bound;
        break;
      default:
        return Done = false;
      }
      if (!Goes || N > 65536)
        return true;
      if (Var)
        At[*Var] = V;
      if (Round)
        At[*Round] = N;
      if (!loops(Loops.drop_front(), Facts, At, Use))
        return false;
    }
  }
};

} // namespace

/// The loops around S, outermost first, inside Stop.
static std::vector<const Stmt *> loopsOf(const PathFacts &P, const Stmt *S, const Stmt *Stop) {
  std::vector<const Stmt *> R;
  for (const Stmt *X : P.ancestors(S)) {
    if (X == Stop)
      break;
    if (X->K == StmtKind::Loop)
      R.insert(R.begin(), X);
  }
  return R;
}

/// Every element that is stored, for the known local size.
std::optional<std::set<Element>> Delocalizer::marked(const Tile &T) {
  std::array<uint64_t, 3> Size = P.LocalSize;
  if (!Size[0] && Needs)
    Size = Needs->KnownLocal;
  if (!Size[0])
    return std::nullopt;
  std::set<Element> Marked;
  Counting Count(M, A, P, Size);
  const Stmt *Owner = P.Positions.lookup(T.Barrier).Parent;
  for (const Copy &C : T.Copies) {
    auto Index = stored(T, C);
    if (!Index)
      return std::nullopt;
    std::vector<const Stmt *> Loops = loopsOf(P, C.S, Owner);
    if (!llvm::all_of(Loops, runsWhole))
      return std::nullopt;
    Count.each(Loops, C.OwnerGuards, {}, [&](const Values &At) {
      Element E;
      for (const Poly &I : *Index) {
        auto V = Count.evaluate(I, At);
        if (!V)
          return Count.Done = false;
        E.push_back(*V);
      }
      Marked.insert(E);
      return true;
    });
  }
  if (!Count.Done || !Count.Exact)
    return std::nullopt;
  return Marked;
}

bool runsWhole(const Stmt *L) {
  bool Whole = L->E && L->Form != Stmt::DoWhile;
  walk(L->Body, [&](Stmt *S) {
    return (Whole &=
            S->K != StmtKind::Break && S->K != StmtKind::Continue && S->K != StmtKind::Return);
  });
  return Whole;
}

/// True if a copy certainly stores what R reads, by the guards of R. Tested: set if the value of a
/// copy tests itself whether it was copied.
bool Delocalizer::provedByGuards(const Tile &T, const Read &R, bool &Tested) {
  std::vector<Poly> Known = known(R), Index = indexOf(T, R.Load->Acc, R.S);
  Here = Known;
  if (T.Row && Index.size() == 1)
    if (auto Divided = divide(Index[0], *T.Row, Known))
      Index = *Divided;
  bool Proved = false;
  for (const Copy &C : T.Copies) {
    Answer Says = answer(T, C, R, Index, Known);
    if (Says.Never)
      continue;
    Tested |= Says.Asked;
    Proved |= Says.Value && Says.Exact && Says.Open.empty() && !Says.Asked &&
              llvm::all_of(Says.Upper, [&](const Condition &U) { return holds(U, Known); });
  }
  return Proved;
}

/// Looks up all elements that R reads in Marked. Nothing: the row of its index is not known.
std::optional<Covered> Delocalizer::coveredByEnumeration(const Tile &T, const Read &R,
                                                         const std::set<Element> &Marked,
                                                         std::array<uint64_t, 3> Size) {
  std::vector<Poly> Index = indexOf(T, R.Load->Acc, R.S);
  if (T.Row && Index.size() == 1) {
    auto Divided = divide(Index[0], *T.Row, known(R));
    if (!Divided)
      return std::nullopt;
    Index = *Divided;
  }
  Counting Reads(M, A, P, Size);
  std::vector<const Stmt *> Loops;
  for (const Stmt *L : loopsOf(P, R.S, nullptr)) {
    auto Counted = A.countedLoop(L);
    bool Moves = llvm::any_of(Index, [&](const Poly &I) {
      return mentions(I, [&](unsigned S) { return A.symbol(S).Loop == L; });
    });
    if (Moves)
      Loops.push_back(L);
    // A loop that may be left early may not reach the read.
    Reads.Exact &= Counted && Counted->TripCount.value_or(0) > 0 && runsWhole(L);
  }
  constexpr int64_t MaxRange = 65536;
  std::map<unsigned, Range> Ranged;
  for (const Poly &I : Index)
    mentions(I, [&](unsigned S) {
      const SymbolInfo &Info = A.symbol(S);
      if (Info.K == SymbolInfo::Atom && !Reads.evaluate.follows(S)) {
        Reads.Exact = false;
        Reads.Done &= Info.R.Lo > -MaxRange && Info.R.Hi < MaxRange;
        Ranged[S] = Info.R;
      }
      return false;
    });
  if (!Reads.Done)
    return Covered::Assumed;
  std::vector<Guard> Guards = P.factsAt(R.S);
  Guards.insert(Guards.end(), R.Inside.begin(), R.Inside.end());
  // The conditions of enumerated loops hold by enumeration.
  llvm::erase_if(Guards, [&](const Guard &F) { return llvm::is_contained(Loops, F.At); });
  bool Missing = false;
  const std::vector<uint64_t> Lengths = lengths(T);
  Reads.each(Loops, Guards, Ranged, [&](const Values &At) {
    Element E;
    for (size_t D = 0; D < Index.size(); ++D) {
      auto V = Reads.evaluate(Index[D], At);
      if (!V)
        return Reads.Done = false;
      if (D < Lengths.size() && !T.Row && (*V < 0 || *V >= int64_t(Lengths[D])))
        return true; // out of bounds: it does not happen
      E.push_back(*V);
    }
    Missing |= !Marked.count(E);
    return !Missing;
  });
  if (Missing && Reads.Exact && Reads.Done)
    return Covered::Never;
  return Missing || !Reads.Done ? Covered::Assumed : Covered::Proved;
}

Covered Delocalizer::covered(const Tile &T) {
  std::array<uint64_t, 3> Size = P.LocalSize;
  if (!Size[0] && Needs)
    Size = Needs->KnownLocal;
  std::vector<const Read *> Open;
  bool Assumed = false;
  for (const Read &R : T.Reads) {
    bool Tested = false, Proved = provedByGuards(T, R, Tested);
    // If the copy tests the size of the data, so does the read.
    Assumed |= !Proved && Tested;
    if (!Proved && !Tested)
      Open.push_back(&R);
  }
  auto Result = [&] { return Assumed ? Covered::Assumed : Covered::Proved; };
  if (Open.empty())
    return Result();
  auto Marked = Size[0] ? marked(T) : std::nullopt;
  if (!Marked)
    return Covered::Assumed;
  uint64_t All = 1;
  for (const Type *Part = T.V->Ty; Part->K == Type::Array; Part = Part->Elem)
    All *= Part->Count;
  if (T.V->Ty->K == Type::Array && Marked->size() >= All && !T.Row)
    return Result(); // the whole tile is stored
  for (const Read *R : Open) {
    auto ByR = coveredByEnumeration(T, *R, *Marked, Size);
    if (!ByR)
      return Covered::Assumed;
    if (*ByR == Covered::Never)
      return Covered::Never;
    Assumed |= *ByR == Covered::Assumed;
  }
  return Result();
}

} // namespace clmali::rewrite
