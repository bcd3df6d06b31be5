//===- Derive.cpp - a launch file from the kernel alone -----------------------------------------===//
//
// Before: if (i < n) y[i] = a * x[i];        and no launch file
// After:  global: [ "n" ], y and x of n elements, a = 1.5, three sizes
//
// How: guards and row pitches say how many work-items there are along each dimension; the addresses,
// at the largest ids and loop variables, say how many elements each buffer has.
//
// Limits: no local memory, group ids or barriers (the local size would be a guess), no addresses that
// depend on data, no structs or images. What it cannot derive it says; it does not guess.
//
//===------------------------------------------------------------------------------------------===//

#include "checks/model/Analysis.h"
#include "tools/rewrite/Inputs.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <set>

using namespace llvm;
using namespace clmali;
using namespace clmali::tool;
using namespace clmali::model;

namespace {

/// A polynomial over names of the launch file.
using Names = std::vector<std::string>;
using NamePoly = std::map<Names, int64_t>;

NamePoly constant(int64_t C) { return C ? NamePoly{{{}, C}} : NamePoly{}; }

NamePoly add(NamePoly A, const NamePoly &B, int64_t Factor = 1) {
  for (const auto &[N, C] : B)
    if ((A[N] += C * Factor) == 0)
      A.erase(N);
  return A;
}

NamePoly multiply(const NamePoly &A, const NamePoly &B) {
  NamePoly R;
  for (const auto &[NA, CA] : A)
    for (const auto &[NB, CB] : B) {
      Names N = NA;
      N.insert(N.end(), NB.begin(), NB.end());
      llvm::sort(N);
      R = add(std::move(R), {{N, CA * CB}});
    }
  return R;
}

std::string text(const NamePoly &P) {
  std::string S;
  for (const auto &[N, C] : reverse(P)) {
    std::string Term = join(N, " * ");
    int64_t Magnitude = C < 0 ? -C : C;
    if (Term.empty() || Magnitude != 1)
      Term = std::to_string(Magnitude) + (Term.empty() ? "" : " * " + Term);
    S += S.empty() ? (C < 0 ? "0 - " : "") : C < 0 ? " - " : " + ";
    S += Term;
  }
  return S.empty() ? "0" : S;
}

class Deriver {
public:
  Deriver(Module &M, const Kernel &K) : A(M, K), K(K) {}
  Expected<std::string> run();

private:
  Error no(const Twine &Why) { return createStringError(inconvertibleErrorCode(), Why); }
  std::optional<NamePoly> symbol(unsigned S, bool Largest, unsigned Depth);
  std::optional<NamePoly> extreme(const Poly &P, bool Largest, unsigned Depth = 0);
  void findGeometry();
  /// gid(Dim) <= Name + Offset
  struct Bound {
    unsigned Dim;
    std::string Name;
    int64_t Offset;
  };
  void bounds(const Guard &G, std::vector<Bound> &Found);
  std::string countOf(const Var *Buffer, bool &Read, bool &Written, std::string &Why);

  KernelAnalysis A;
  const Kernel &K;
  unsigned Dims = 1;
  std::array<std::string, 3> Global;
  std::vector<Bound> Here;     ///< what the guards of the access in hand say
  std::set<std::string> Sizes; ///< names that geometry, addresses or loops depend on
};

/// The largest (or smallest) value of a symbol.
std::optional<NamePoly> Deriver::symbol(unsigned S, bool Largest, unsigned Depth) {
  const SymbolInfo &I = A.symbol(S);
  switch (I.K) {
  case SymbolInfo::Param:
    if (I.E->K != ExprKind::VarRef || I.E->V->K != Var::Param)
      return std::nullopt;
    Sizes.insert(I.E->V->Name);
    return NamePoly{{{I.E->V->Name}, 1}};
  case SymbolInfo::WorkItem:
    if (I.E->Dim >= 3 || Global[I.E->Dim].empty())
      return std::nullopt;
    if (I.E->Query == WorkItemQuery::GlobalSize)
      return NamePoly{{{Global[I.E->Dim]}, 1}};
    if (I.E->Query == WorkItemQuery::GlobalOffset)
      return NamePoly{};
    if (I.E->Query != WorkItemQuery::GlobalId)
      return std::nullopt;
    if (!Largest)
      return NamePoly{};
    {
      // Not one element more than the guards let it reach: what strays must show.
      int64_t Offset = -1;
      for (const Bound &B : Here)
        if (B.Dim == I.E->Dim && B.Name == Global[B.Dim])
          Offset = std::min(Offset, B.Offset);
      return add({{{Global[I.E->Dim]}, 1}}, constant(Offset));
    }
  case SymbolInfo::LoopVar: {
    std::optional<CountedLoop> L = I.Loop ? A.countedLoop(I.Loop) : std::nullopt;
    if (!L || !L->Lower || !L->Bound || !L->Step)
      return std::nullopt;
    bool Up = L->Step > 0;
    if (Largest != Up)
      return extreme(A.poly(L->Lower), Largest, Depth + 1);
    std::optional<NamePoly> Bound = extreme(A.poly(L->Bound), Largest, Depth + 1);
    if (!Bound)
      return std::nullopt;
    bool Included = L->Compare == Op::LE || L->Compare == Op::GE;
    return add(*Bound, constant(Included ? 0 : Up ? -1 : 1));
  }
  case SymbolInfo::Iteration:
  case SymbolInfo::Atom:
    // Such as i % 16, or a byte used as an index: the range is small and known.
    if (I.R.Lo >= 0 && I.R.Hi <= 65535)
      return constant(Largest ? I.R.Hi : I.R.Lo);
    return std::nullopt;
  }
  return std::nullopt;
}

std::optional<NamePoly> Deriver::extreme(const Poly &P, bool Largest, unsigned Depth) {
  if (Depth > 4)
    return std::nullopt;
  NamePoly R;
  for (const auto &[Mono, C] : P.Terms) {
    NamePoly Term = constant(C);
    for (unsigned S : Mono) {
      std::optional<NamePoly> Value = symbol(S, (C > 0) == Largest, Depth);
      if (!Value)
        return std::nullopt;
      Term = multiply(Term, *Value);
    }
    R = add(std::move(R), Term);
  }
  return R;
}

/// What a guard such as gid < n - 1, in any of its forms, says of ids.
void Deriver::bounds(const Guard &G, std::vector<Bound> &Found) {
  const Expr *E = G.Cond;
  while (E->K == ExprKind::Cast && E->C == CastOp::Convert)
    E = E->Ops[0];
  if (E->K == ExprKind::Unary && E->O == Op::LogicalNot)
    return bounds({E->Ops[0], !G.Holds}, Found);
  if (E->K != ExprKind::Binary)
    return;
  if ((E->O == Op::LogicalAnd && G.Holds) || (E->O == Op::LogicalOr && !G.Holds)) {
    bounds({E->Ops[0], G.Holds}, Found);
    return bounds({E->Ops[1], G.Holds}, Found);
  }
  Op O = E->O;
  if (O != Op::LT && O != Op::LE && O != Op::GT && O != Op::GE)
    return;
  bool Less = (O == Op::LT || O == Op::LE) == G.Holds, Strict = (O == Op::LT || O == Op::GT) == G.Holds;
  // What the smaller side is below the greater one: name + constant - gid.
  Poly Distance = A.poly(E->Ops[Less ? 1 : 0]) - A.poly(E->Ops[Less ? 0 : 1]);
  Bound B{3, "", Distance.constantTerm() - Strict};
  for (const auto &[Mono, C] : Distance.Terms) {
    if (Mono.empty())
      continue;
    const SymbolInfo &I = A.symbol(Mono[0]);
    bool One = Mono.size() == 1;
    if (One && C == -1 && I.K == SymbolInfo::WorkItem && I.E->Query == WorkItemQuery::GlobalId && B.Dim == 3)
      B.Dim = I.E->Dim;
    else if (One && C == 1 && I.K == SymbolInfo::Param && I.E->K == ExprKind::VarRef && B.Name.empty())
      B.Name = I.E->V->Name;
    else
      return;
  }
  if (B.Dim < 3 && !B.Name.empty())
    Found.push_back(B);
}

void Deriver::findGeometry() {
  for (const AccessSite &S : A.accesses())
    for (const Guard &G : S.Guards) {
      std::vector<Bound> Found;
      bounds(G, Found);
      for (const Bound &B : Found)
        if (Global[B.Dim].empty())
          Global[B.Dim] = B.Name;
    }
  // Conditions that guard nothing but a return are among the guards of what follows. Where there
  // is none, a row's pitch says how long a row is: y * w + x.
  for (const AccessSite &S : A.accesses())
    for (const auto &[Mono, C] : S.Bytes.Terms) {
      if (Mono.size() != 2)
        continue;
      for (unsigned Which : {0u, 1u}) {
        const SymbolInfo &Id = A.symbol(Mono[Which]), &Pitch = A.symbol(Mono[1 - Which]);
        if (Id.K != SymbolInfo::WorkItem || Id.E->Query != WorkItemQuery::GlobalId || Pitch.K != SymbolInfo::Param ||
            Pitch.E->K != ExprKind::VarRef)
          continue;
        for (unsigned D = 0; D < Dims; ++D)
          if (D != Id.E->Dim && Global[D].empty())
            for (unsigned X = 0; X < A.numSymbols(); ++X)
              if (const SymbolInfo &Other = A.symbol(X);
                  Other.K == SymbolInfo::WorkItem && Other.E->Query == WorkItemQuery::GlobalId && Other.E->Dim == D &&
                  S.Bytes.degree(X) == 1)
                Global[D] = Pitch.E->V->Name;
      }
    }
  static const char *const Free[] = {"items", "rows", "planes"};
  for (unsigned D = 0; D < Dims; ++D) {
    if (Global[D].empty())
      Global[D] = Free[D];
    Sizes.insert(Global[D]);
  }
}

/// How many elements Buffer has at least; empty, and Why, if that cannot be said.
std::string Deriver::countOf(const Var *Buffer, bool &Read, bool &Written, std::string &Why) {
  uint64_t Size = std::max<uint64_t>(Buffer->Ty->Elem->Size, 1);
  std::vector<NamePoly> Ends; ///< bytes
  for (const AccessSite &S : A.accesses()) {
    if (S.A->Base != Buffer)
      continue;
    Read |= S.IsRead || S.IsAtomic;
    Written |= S.IsWrite;
    Here.clear();
    for (const Guard &G : S.Guards)
      bounds(G, Here);
    std::optional<NamePoly> Last = S.Affine ? extreme(S.Bytes, /*Largest=*/true) : std::nullopt;
    if (!Last) {
      Why = "where it accesses '" + Buffer->Name + "' depends on more than ids, loops and arguments";
      return "";
    }
    uint64_t Width = uint64_t(sizeInBytes(S.A->Elem)) * S.A->Lanes;
    Ends.push_back(add(*Last, constant(Width)));
  }
  // Only ends that no other one is always behind.
  auto Covers = [](const NamePoly &X, const NamePoly &Y) {
    return all_of(add(X, Y, -1), [](const auto &T) { return T.second >= 0; });
  };
  std::string Count;
  bool Positive = true;
  for (size_t I = 0; I < Ends.size(); ++I) {
    bool Covered = false;
    for (size_t J = 0; J < Ends.size() && !Covered; ++J)
      Covered = J != I && Covers(Ends[J], Ends[I]) && (J < I || Ends[J] != Ends[I]);
    if (Covered)
      continue;
    NamePoly End = Ends[I];
    Positive &= all_of(End, [](const auto &T) { return T.second > 0; });
    bool Divides = all_of(End, [&](const auto &T) { return T.second % int64_t(Size) == 0; });
    if (Divides)
      for (auto &[N, C] : End)
        C /= int64_t(Size);
    std::string C = Divides ? text(End) : "(" + text(add(End, constant(Size - 1))) + ") / " + std::to_string(Size);
    Count = Count.empty() ? C : "max(" + Count + ", " + C + ")";
  }
  if (Count.empty())
    return "1";
  return Positive ? Count : "max(" + Count + ", 1)";
}

Expected<std::string> Deriver::run() {
  if (!K.Opaques.empty())
    return no("the model cannot represent " + K.Opaques.front().What);
  if (A.hasBarrier())
    return no("it has barriers, and the work-group size cannot be seen in the kernel");
  bool Groups = false;
  auto Look = [&](const Expr *E) {
    walk(E, [&](const Expr *X) {
      if (X->K == ExprKind::WorkItem) {
        Groups |= X->Query == WorkItemQuery::LocalId || X->Query == WorkItemQuery::GroupId ||
                  X->Query == WorkItemQuery::LocalSize || X->Query == WorkItemQuery::NumGroups;
        Dims = std::max(Dims, std::min(X->Dim + 1u, 3u));
      }
      return true;
    });
  };
  walk(K.Body, [&](Stmt *S) {
    forEachExpr(*S, Look);
    return true;
  });
  if (Groups)
    return no("it uses work-group ids or sizes, which cannot be seen in the kernel");
  for (const Var *P : K.Params)
    if (launch::isReservedName(P->Name))
      return no("its argument '" + P->Name + "' has a name that launch files reserve");
  findGeometry();

  std::string Args, Why;
  for (const Var *P : K.Params) {
    if (!P->isPointerParam())
      continue;
    if (P->Ty->AS == AddressSpace::Local || !P->Ty->Elem->isValue())
      return no("argument '" + P->Name + "' is " + (P->Ty->Elem->isValue() ? "local memory" : "no buffer of numbers"));
    bool Read = false, Written = false;
    std::string Count = countOf(P, Read, Written, Why);
    if (Count.empty())
      return no(Why);
  }
  for (const Var *P : K.Params) {
    Args += "  - { name: " + P->Name;
    if (P->isPointerParam()) {
      bool Read = false, Written = false;
      std::string Count = countOf(P, Read, Written, Why);
      Args += std::string(", buffer: ") + (Written ? "inout" : "in") + ", count: \"" + Count + "\"";
      if (P->Ty->Elem->isFloat())
        Args += ", data: { uniform: [-1, 1] }";
    } else if (!P->Ty->isScalar()) {
      return no("argument '" + P->Name + "' is no number");
    } else if (P->Ty->isFloat()) {
      Args += ", value: \"1.5\"";
    } else {
      Args += ", value: \"" + (Sizes.count(P->Name) ? P->Name : "3") + "\"";
    }
    Args += " }\n";
  }
  // Sizes in different numbers, so that mixing them up shows; small where loops multiply the work.
  bool Loops = any_of(A.accesses(), [](const AccessSite &S) { return !S.Loops.empty(); });
  unsigned Count = Sizes.size() + Loops;
  const std::array<unsigned, 3> Base = Count <= 1   ? std::array<unsigned, 3>{4096, 1001, 5}
                                       : Count == 2 ? std::array<unsigned, 3>{96, 37, 5}
                                                    : std::array<unsigned, 3>{32, 19, 4};
  std::string Runs;
  for (unsigned R = 0; R < 3; ++R) {
    Runs += R ? ", { " : "{ ";
    unsigned N = 0;
    for (const std::string &Name : Sizes)
      Runs += (N ? ", " : "") + Name + ": " + std::to_string(Base[R] + (R == 0 ? 16 : R == 1 ? 6 : 1) * N), ++N;
    Runs += " }";
  }
  std::string Shape;
  for (unsigned D = 0; D < Dims; ++D)
    Shape += (D ? ", \"" : "\"") + Global[D] + "\"";
  std::string Local;
  if (K.ReqdWorkGroupSize) {
    Shape.clear();
    for (unsigned D = 0; D < Dims; ++D) {
      std::string Size = std::to_string((*K.ReqdWorkGroupSize)[D]);
      Shape += std::string(D ? ", " : "") + "\"roundup(" + Global[D] + ", " + Size + ")\"";
      Local += (D ? ", \"" : "\"") + Size + "\"";
    }
  }
  return "kernel: " + K.Name + "\nargs:\n" + Args + "global: [ " + Shape + " ]\n" +
         (Local.empty() ? "" : "local: [ " + Local + " ]\n") + "sizes: [ " + Runs + " ]\n";
}

} // namespace

Expected<std::string> tool::deriveLaunch(Module &M, const Kernel &K) {
  return Deriver(M, K).run();
}
