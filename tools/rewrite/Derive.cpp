//===- Derive.cpp - derives a launch file from the kernel alone -------------------------------===//
//
// Before: if (i < n) y[i] = a * x[i];        and no launch file
// After:  global: [ "n" ], y and x of n elements, a = 1.5, three sizes
//
// How: guards and row pitches give the number of work-items along each dimension. Addresses, at the
// largest ids and loop variables, give the number of elements of each buffer; a clamped coordinate
// reaches as far as its clamp. If the kernel uses work-groups, get_group_id(0) * 16 +
// get_local_id(0) gives a local size of 16; otherwise a usual size is chosen for which every local
// array is large enough. Integers in memory that are used as indices are kept within the indexed
// arrays. What the kernel implies of its arguments is kept: a pitch is at least the length of a
// row, and work-items that share an element of local memory are not in one group. Components of
// vector arguments have names of their own: size_x, size_y.
//
// Images have as many texels as there are work-items, or as the coordinates of writes need; formats
// and samplers: derive/Images.h.
//
// Limits: the error says what could not be derived.
//
//===------------------------------------------------------------------------------------------===//

#include "checks/model/analysis/Analysis.h"
#include "checks/model/analysis/Slice.h"
#include "checks/model/ir/Traversal.h"
#include "rewriters/launch/Expression.h"
#include "tools/rewrite/Inputs.h"
#include "tools/rewrite/NamePoly.h"
#include "tools/rewrite/derive/Images.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/ADT/StringExtras.h"
#include <numeric>
#include <set>

using namespace llvm;
using namespace clmali;
using namespace clmali::tool;
using namespace clmali::model;

namespace {

class Deriver {
public:
  Deriver(Module &M, const Kernel &K, std::optional<std::array<uint64_t, 3>> HostLocal)
      : A(M, K), K(K), HostLocal(HostLocal) {}
  Expected<std::string> run();

private:
  Error no(const Twine &Why) { return createStringError(inconvertibleErrorCode(), Why); }
  std::optional<NamePoly> symbol(unsigned S, bool Largest, unsigned Depth);
  std::optional<NamePoly> id(const Expr *E, bool Largest);
  std::optional<NamePoly> atom(const Expr *E, bool Largest, unsigned Depth);
  std::optional<NamePoly> binary(const Expr *E, bool Largest, unsigned Depth);
  enum class Direction : uint8_t { None, Down, Up };
  Direction direction(const Stmt &S, unsigned Depth);
  std::optional<NamePoly> limitOf(const Stmt &Loop, const Var *V, unsigned Depth);
  std::optional<NamePoly> limitOf(const Expr *Test, const Var *V, unsigned Depth);
  std::optional<NamePoly> variable(const Var *V, bool Largest, unsigned Depth);
  std::optional<NamePoly> extreme(const Expr *E, bool Largest, unsigned Depth);
  std::optional<NamePoly> extreme(const Poly &P, bool Largest, unsigned Depth = 0);
  void findIds();
  Expected<std::string> argument(const Var &P);
  std::string sizes() const;
  std::string geometry() const;
  void findGeometry();
  void findLocal();
  void findIndices();
  bool fitsArrays();
  /// The work-group size that an unguarded size must be a multiple of; 0: none.
  unsigned groupOf(const std::string &Name) const {
    for (unsigned D = 0; D < Dims; ++D)
      if (Global[D] == Name && Whole.count(Name) && Local[D] > 1)
        return Local[D];
    return 0;
  }
  /// Number of work-items along D, in whole groups.
  std::string items(unsigned D) const {
    const std::string Group = std::to_string(Local[D]);
    return Local[D] > 1 && Global[D] != Group ? "roundup(" + Global[D] + ", " + Group + ")"
                                              : Global[D];
  }
  /// gid(Dim) <= Name + Offset
  struct Bound {
    unsigned Dim;
    std::string Name; ///< an argument, or (w * h)
    int64_t Offset;
    std::set<std::string> Of; ///< the arguments in it
  };
  void bounds(const Guard &G, std::vector<Bound> &Found) const;
  std::vector<std::string> extentsOf(const Var &Image);
  std::string countOf(const Var *Buffer, bool &Read, bool &Written, std::string &Why);

  KernelAnalysis A;
  const Kernel &K;
  const std::optional<std::array<uint64_t, 3>> HostLocal; ///< the host launches with it
  unsigned Dims = 1;
  uint8_t IdDims = 0; ///< dimensions in which ids differ
  /// Dimensions in which only local ids do: several groups would do the same work.
  uint8_t OneGroup = 0;
  static constexpr StringLiteral OneGroupText = "one group"; ///< until its size is known
  std::array<std::string, 3> Global;
  bool InGroups = false;                     ///< uses barriers, local memory, local or group ids
  std::array<unsigned, 3> Local = {0, 0, 0}; ///< 0: left to the runtime
  std::map<const Var *, unsigned>
      Indices;                 ///< buffers of integers used as indices, and their largest value
  std::set<std::string> Whole; ///< sizes without a guard: multiples of the group
  std::vector<Bound> Here;     ///< bounds from the guards of the current access
  std::vector<Bound> OfImages; ///< the same for all accesses to images
  std::set<std::string> Sizes; ///< names that the geometry, addresses or loops depend on
  /// A row of Length bytes lies in Pitch times PitchBytes.
  struct RowPitch {
    std::string Pitch;
    NamePoly Length;
    int64_t PitchBytes;
    auto operator<=>(const RowPitch &) const = default;
    /// The least pitch for these sizes.
    uint64_t least(const std::map<std::string, uint64_t> &Sizes) const;
    std::string text() const;
  };
  std::set<RowPitch> Pitches;
  void findPitches();
  void findPitch(const AccessSite &S, const std::string &Pitch, unsigned Symbol, int64_t PitchBytes,
                 const SymbolInfo &Row);
  bool sharesLocalMemoryAlong(unsigned D) const;
};

/// The names in Text, an expression of a launch file.
static std::vector<std::string> names(StringRef Text) {
  Expected<launch::Expression> E = launch::Expression::parse(Text);
  if (!E) {
    consumeError(E.takeError());
    return {};
  }
  return E->names();
}

/// size_x, size_y of `int2 size`.
static std::string componentName(const Var &P, unsigned Lane) {
  constexpr StringLiteral Few = "xyzw", Many = "0123456789abcdef";
  return P.Name + "_" + (P.Ty->Lanes <= Few.size() ? Few : Many)[Lane];
}

/// The name in the launch file of what I stands for: an integer argument, or a component of one
/// (size_x of size.x); empty: of nothing that a launch sets.
static std::string argumentName(const SymbolInfo &I) {
  const Expr *E = I.E;
  if (!E || !E->Ty->isInteger())
    return "";
  if (I.K == SymbolInfo::Param && E->K == ExprKind::VarRef && E->V->K == Var::Param)
    return E->V->Name;
  if (I.K == SymbolInfo::Atom && E->K == ExprKind::Swizzle && E->LaneIdx.size() == 1 &&
      E->Ops[0]->K == ExprKind::VarRef && E->Ops[0]->V->K == Var::Param)
    return componentName(*E->Ops[0]->V, E->LaneIdx[0]);
  return "";
}

/// The largest (or smallest) value of a symbol.
std::optional<NamePoly> Deriver::symbol(unsigned S, bool Largest, unsigned Depth) {
  const SymbolInfo &I = A.symbol(S);
  switch (I.K) {
  case SymbolInfo::Param: {
    const std::string Name = argumentName(I);
    if (Name.empty())
      return std::nullopt;
    Sizes.insert(Name);
    return NamePoly{{{Name}, 1}};
  }
  case SymbolInfo::WorkItem:
    return id(I.E, Largest);
  case SymbolInfo::LoopVar: {
    std::optional<CountedLoop> L = I.Loop ? A.countedLoop(I.Loop) : std::nullopt;
    if (!L && I.E && I.E->K == ExprKind::VarRef) // for (k = 0; k < n && k < m; ++k)
      return variable(I.E->V, Largest, Depth);
    if (!L || !L->Lower || !L->Bound)
      return std::nullopt;
    bool Up = L->Step >= 0; // a grid-stride loop
    if (Largest != Up)
      return extreme(A.poly(L->Lower), Largest, Depth + 1);
    std::optional<NamePoly> Bound = extreme(A.poly(L->Bound), Largest, Depth + 1);
    if (!Bound)
      return std::nullopt;
    bool Included = L->Compare == Op::LE || L->Compare == Op::GE;
    return add(*Bound, constant(Included ? 0 : Up ? -1 : 1));
  }
  case SymbolInfo::Iteration: {
    if (!Largest)
      return NamePoly{};
    std::optional<CountedLoop> L = I.Loop ? A.countedLoop(I.Loop) : std::nullopt;
    if (!L || !L->Lower || !L->Bound)
      return std::nullopt;
    bool Up = L->Step >= 0;
    std::optional<NamePoly> Step =
        L->Step ? constant(std::abs(L->Step)) : extreme(A.poly(L->StepExpr), false, Depth + 1);
    if (!Step || Step->empty())
      return std::nullopt;
    std::optional<NamePoly> From = extreme(A.poly(L->Lower), !Up, Depth + 1),
                            To = extreme(A.poly(L->Bound), Up, Depth + 1);
    if (!From || !To)
      return std::nullopt;
    NamePoly Way = add(Up ? add(*To, *From, -1) : add(*From, *To, -1),
                       constant(L->Compare == Op::LE || L->Compare == Op::GE ? 0 : -1));
    return quotient(Way, *Step);
  }
  case SymbolInfo::Atom:
    if (const std::string Name = argumentName(I); !Name.empty()) {
      Sizes.insert(Name);
      return NamePoly{{{Name}, 1}};
    }
    // For example i % 16, or a byte used as an index: a small known range.
    if (I.R.Lo >= 0 && I.R.Hi <= 65535)
      return constant(Largest ? I.R.Hi : I.R.Lo);
    return I.E ? atom(I.E, Largest, Depth + 1) : std::nullopt;
  }
  return std::nullopt;
}

std::optional<NamePoly> Deriver::id(const Expr *E, bool Largest) {
  unsigned D = E->Dim;
  if (D >= 3 || Global[D].empty())
    return std::nullopt;
  // A counter ends one below its bound.
  bool Counts = E->Query == WorkItemQuery::GlobalId || E->Query == WorkItemQuery::LocalId ||
                E->Query == WorkItemQuery::GroupId;
  if (E->Query == WorkItemQuery::GlobalOffset || (Counts && !Largest))
    return NamePoly{};
  NamePoly Items = {{{items(D)}, 1}};
  switch (E->Query) {
  case WorkItemQuery::GlobalSize:
    return Items;
  case WorkItemQuery::LocalSize:
  case WorkItemQuery::LocalId:
    return Local[D] ? std::optional(constant(int64_t(Local[D]) - Counts)) : std::nullopt;
  case WorkItemQuery::NumGroups:
  case WorkItemQuery::GroupId:
    if (!Local[D])
      return std::nullopt;
    return add({{{"(" + items(D) + " / " + std::to_string(Local[D]) + ")"}, 1}},
               constant(-int64_t(Counts)));
  case WorkItemQuery::GlobalId: {
    // Exactly the elements that the guards allow, so that out-of-bounds accesses are found.
    std::optional<int64_t> Offset;
    for (const Bound &B : Here)
      if (B.Dim == D && B.Name == Global[D])
        Offset = std::min(Offset.value_or(-1), B.Offset);
    return Offset ? add({{{Global[D]}, 1}}, constant(*Offset)) : add(Items, constant(-1));
  }
  default:
    return std::nullopt;
  }
}

/// The largest (smallest) value of a remainder, a mask, a quotient or a shift.
std::optional<NamePoly> Deriver::binary(const Expr *E, bool Largest, unsigned Depth) {
  auto Of = [&](unsigned N, bool Most) { return extreme(E->Ops[N], Most, Depth + 1); };
  if (E->O == Op::Rem || E->O == Op::And) {
    // Only for non-negative operands.
    if (!Largest)
      return constant(0);
    std::optional<NamePoly> By = Of(1, true);
    return By && E->O == Op::Rem ? add(*By, constant(-1)) : By;
  }
  std::optional<int64_t> C = constantValue(E->Ops[1]);
  std::optional<NamePoly> X = E->O == Op::Div || E->O == Op::Shr ? Of(0, Largest) : std::nullopt;
  if (!X)
    return std::nullopt;
  if (E->O == Op::Shr && (!C || *C < 0 || *C > 30))
    return std::nullopt;
  std::optional<NamePoly> By =
      E->O == Op::Shr ? std::optional(constant(int64_t(1) << *C)) : Of(1, !Largest);
  return By && !By->empty() ? std::optional(quotient(*X, *By)) : std::nullopt;
}

static const Expr *withoutCasts(const Expr *E) {
  while (E && E->K == ExprKind::Cast)
    E = E->Ops[0];
  return E;
}

static bool isReadOf(const Expr *E, const Var *V) {
  E = withoutCasts(E);
  return E->K == ExprKind::VarRef && E->V == V;
}

/// True if S assigns a variable that it also reads and steps: s >>= 1 (down), s *= 2 (up).
Deriver::Direction Deriver::direction(const Stmt &S, unsigned Depth) {
  const Expr *D = S.K == StmtKind::Assign ? withoutCasts(S.E) : nullptr;
  if (!D || D->K != ExprKind::Binary || !isReadOf(D->Ops[0], S.V) || !S.LaneIdx.empty())
    return Direction::None;
  bool Positive = constantValue(D->Ops[1]).value_or(-1) > 0;
  if (D->O == Op::Shr || D->O == Op::Div || (D->O == Op::Sub && Positive))
    return Direction::Down;
  bool Up = D->O == Op::Shl || D->O == Op::Mul ||
            (D->O == Op::Add && extreme(D->Ops[1], false, Depth + 1) == NamePoly{}) ||
            (D->O == Op::Add && Positive);
  return Up ? Direction::Up : Direction::None;
}

/// The largest value of V that `while (V < n)` allows; nullopt if Loop has no such condition.
std::optional<NamePoly> Deriver::limitOf(const Stmt &Loop, const Var *V, unsigned Depth) {
  return Loop.K == StmtKind::Loop && Loop.E ? limitOf(Loop.E, V, Depth) : std::nullopt;
}

std::optional<NamePoly> Deriver::limitOf(const Expr *E, const Var *V, unsigned Depth) {
  if (E->K == ExprKind::Binary && E->O == Op::LogicalAnd) {
    std::optional<NamePoly> X = limitOf(E->Ops[0], V, Depth), Y = limitOf(E->Ops[1], V, Depth);
    return X ? X : Y;
  }
  if (E->K != ExprKind::Binary || !isReadOf(E->Ops[0], V) || (E->O != Op::LT && E->O != Op::LE))
    return std::nullopt;
  std::optional<NamePoly> X = extreme(E->Ops[1], true, Depth + 1);
  return X ? std::optional(add(*X, constant(E->O == Op::LT ? -1 : 0))) : std::nullopt;
}

/// The largest (smallest) value over all definitions of V.
std::optional<NamePoly> Deriver::variable(const Var *V, bool Largest, unsigned Depth) {
  std::optional<NamePoly> R, Limit;
  bool Known = V->K == Var::Temp;
  walk(K.Body, [&](Stmt *S) {
    if (Largest)
      if (std::optional<NamePoly> X = limitOf(*S, V, Depth); X && Known)
        Limit = X;
    if (Limit)
      return false;
    if (S->V != V || (S->K == StmtKind::Decl && !S->E) || !Known)
      return Known;
    Direction Goes = direction(*S, Depth);
    if (Goes == Direction::Down && !Largest) {
      R = R ? outer(*R, {}, false) : NamePoly{};
      return true;
    }
    if (Goes == Direction::Down || (Goes == Direction::Up && !Largest))
      return true;
    std::optional<NamePoly> X =
        (S->K == StmtKind::Decl || S->K == StmtKind::Assign) && S->LaneIdx.empty() && S->E
            ? extreme(S->E, Largest, Depth + 1)
            : std::nullopt;
    Known = X.has_value();
    if (Known)
      R = R ? outer(*R, *X, Largest) : *X;
    return Known;
  });
  return Limit ? Limit : Known ? R : std::nullopt;
}

/// The largest (smallest) value of a non-polynomial expression: clamp, select, division.
std::optional<NamePoly> Deriver::atom(const Expr *E, bool Largest, unsigned Depth) {
  if (Depth > 6 || !E->Ty->isScalar() || !E->Ty->isInteger())
    return std::nullopt;
  auto Of = [&](unsigned N, bool Most) { return extreme(E->Ops[N], Most, Depth + 1); };
  auto Outer = [&](std::optional<NamePoly> X,
                   std::optional<NamePoly> Y) -> std::optional<NamePoly> {
    if (!X || !Y)
      return std::nullopt;
    return outer(*X, *Y, Largest);
  };
  // Use the bound of one operand if it holds for the whole expression.
  auto Inner = [&](std::optional<NamePoly> X,
                   std::optional<NamePoly> Y) -> std::optional<NamePoly> {
    if (!X || !Y)
      return X ? X : Y;
    return outer(*X, *Y, !Largest);
  };
  switch (E->K) {
  case ExprKind::Cast:
    return E->C == CastOp::Convert && E->Ops[0]->Ty->isInteger() ? Of(0, Largest) : std::nullopt;
  case ExprKind::Select:
    return Outer(Of(1, Largest), Of(2, Largest));
  case ExprKind::Call: {
    if (E->Name == "min" || E->Name == "max")
      return (E->Name == "min") == Largest ? Inner(Of(0, Largest), Of(1, Largest))
                                           : Outer(Of(0, Largest), Of(1, Largest));
    return E->Name == "clamp" ? Of(Largest ? 2 : 1, Largest) : std::nullopt;
  }
  case ExprKind::Binary:
    return binary(E, Largest, Depth);
  case ExprKind::VarRef:
    return variable(E->V, Largest, Depth);
  case ExprKind::Load: {
    const Var *B = E->Acc.Base;
    if (!B->isPointerParam())
      return std::nullopt;
    unsigned &Most = Indices.try_emplace(B, 63).first->second;
    return constant(Largest ? Most : 0);
  }
  default:
    return std::nullopt;
  }
}

std::optional<NamePoly> Deriver::extreme(const Expr *E, bool Largest, unsigned Depth) {
  Poly P = A.poly(E);
  // The same expression again: not a polynomial.
  if (P.Terms.size() == 1 && P.Terms.begin()->first.size() == 1 && P.Terms.begin()->second == 1)
    if (const SymbolInfo &I = A.symbol(P.Terms.begin()->first[0]);
        I.K == SymbolInfo::Atom && I.E == E)
      return I.R.Lo >= 0 && I.R.Hi <= 65535 ? constant(Largest ? I.R.Hi : I.R.Lo)
                                            : atom(E, Largest, Depth);
  return extreme(P, Largest, Depth + 1);
}

std::optional<NamePoly> Deriver::extreme(const Poly &P, bool Largest, unsigned Depth) {
  if (Depth > 8)
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

/// Bounds of global ids that a guard such as gid < n - 1 implies, in any of its forms.
void Deriver::bounds(const Guard &G, std::vector<Bound> &Found) const {
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
  bool Less = (O == Op::LT || O == Op::LE) == G.Holds,
       Strict = (O == Op::LT || O == Op::GT) == G.Holds;
  // The greater side minus the smaller one: name + constant - gid.
  Poly Distance = A.poly(E->Ops[Less ? 1 : 0]) - A.poly(E->Ops[Less ? 0 : 1]);
  Bound B{3, "", Distance.constantTerm() - Strict, {}};
  NamePoly Count;
  for (const auto &[Mono, C] : Distance.Terms) {
    if (Mono.empty())
      continue;
    const SymbolInfo &I = A.symbol(Mono[0]);
    if (Mono.size() == 1 && C == -1 && I.K == SymbolInfo::WorkItem &&
        I.E->Query == WorkItemQuery::GlobalId && B.Dim == 3) {
      B.Dim = I.E->Dim;
      continue;
    }
    Names Product;
    for (unsigned S : Mono) {
      const SymbolInfo &P = A.symbol(S);
      const std::string Argument = argumentName(P);
      const std::string Name = Argument.empty() ? extentName(K, P.E) : Argument;
      if (C < 0 || Name.empty())
        return;
      Product.push_back(Name);
      B.Of.insert(Name);
    }
    llvm::sort(Product);
    Count = add(Count, {{Product, C}});
  }
  if (B.Dim == 3 || Count.empty())
    return;
  bool One = B.Of.size() == 1 && text(Count) == *B.Of.begin();
  B.Name = One ? *B.Of.begin() : "(" + text(Count) + ")";
  Found.push_back(B);
}

void Deriver::findGeometry() {
  auto take = [&](const Guard &G) {
    std::vector<Bound> Found;
    bounds(G, Found);
    for (const Bound &B : Found)
      if (Global[B.Dim].empty()) {
        Global[B.Dim] = B.Name;
        Sizes.insert(B.Of.begin(), B.Of.end());
      }
  };
  for (const AccessSite &S : A.accesses())
    for (const Guard &G : S.Guards)
      take(G);
  // Of accesses to images: a condition that bounds an id bounds it on one side only.
  if (any_of(K.Params, [](const Var *P) { return P->isImage(); }))
    for (Stmt *S : stmts(K.Body))
      if (S->K == StmtKind::If)
        for (bool Holds : {true, false}) {
          take({S->E, Holds});
          bounds({S->E, Holds}, OfImages);
        }
  // Some accesses are under a stronger condition than others.
  erase_if(OfImages, [this](const Bound &B) {
    return any_of(OfImages, [&](const Bound &Other) {
      return Other.Dim == B.Dim && Other.Name == B.Name && Other.Offset > B.Offset;
    });
  });
  // A guard around an early return is among the guards of the following accesses. Without any
  // guard, a row pitch gives the length of a row: y * w + x.
  for (const AccessSite &S : A.accesses())
    for (const auto &[Mono, C] : S.Bytes.Terms) {
      if (Mono.size() != 2)
        continue;
      for (unsigned Which : {0u, 1u}) {
        const SymbolInfo &Id = A.symbol(Mono[Which]), &Pitch = A.symbol(Mono[1 - Which]);
        auto Moves = [](const SymbolInfo &I) {
          return I.K == SymbolInfo::WorkItem &&
                 (I.E->Query == WorkItemQuery::GlobalId || I.E->Query == WorkItemQuery::LocalId);
        };
        if (!Moves(Id) || argumentName(Pitch).empty())
          continue;
        for (unsigned D = 0; D < Dims; ++D)
          if (D != Id.E->Dim && Global[D].empty() && !(OneGroup >> D & 1))
            for (unsigned X = 0; X < A.numSymbols(); ++X)
              if (const SymbolInfo &Other = A.symbol(X);
                  Moves(Other) && Other.E->Dim == D && S.Bytes.degree(X) == 1) {
                Global[D] = argumentName(Pitch);
                Whole.insert(Global[D]);
              }
      }
    }
  static const char *const Free[] = {"items", "rows", "planes"};
  for (unsigned D = 0; D < Dims; ++D) {
    // Work-items along a dimension whose ids are unused would all access the same elements.
    if (Global[D].empty() && !(IdDims >> D & 1)) {
      Global[D] = "1";
      continue;
    }
    if (OneGroup >> D & 1) {
      Global[D] = OneGroupText;
      continue;
    }
    if (Global[D].empty()) {
      Global[D] = Free[D];
      Whole.insert(Global[D]);
    }
    if (!StringRef(Global[D]).ends_with(")"))
      Sizes.insert(Global[D]);
  }
}

std::string Deriver::RowPitch::text() const {
  int64_t Common = PitchBytes;
  for (const auto &[Name, C] : Length)
    Common = std::gcd(Common, C);
  NamePoly Bytes = Length;
  for (auto &[Name, C] : Bytes)
    C /= Common;
  return tool::text({{{Pitch}, PitchBytes / Common}}) + " >= " + tool::text(Bytes);
}

uint64_t Deriver::RowPitch::least(const std::map<std::string, uint64_t> &Sizes) const {
  Expected<launch::Expression> Bytes = launch::Expression::parse(tool::text(Length));
  Expected<int64_t> Value =
      Bytes ? Bytes->evaluate({Sizes.begin(), Sizes.end()}) : Expected<int64_t>(Bytes.takeError());
  if (!Value) { // of names that are no sizes
    consumeError(Value.takeError());
    return 0;
  }
  return divideCeil(std::max<int64_t>(*Value, 0), PitchBytes);
}

/// y * pitch + x: rows must not overlap. x is an id below another argument, or, where rows are
/// written, anything of which the largest value is known: get_global_id(0) / 32 * 32 + ..
void Deriver::findPitches() {
  for (const AccessSite &S : A.accesses()) {
    std::map<unsigned, std::pair<int64_t, unsigned>> Rows; // of a pitch: the shortest step, its id
    for (const auto &[Mono, C] : S.Bytes.Terms) {
      if (Mono.size() != 2 || C <= 0)
        continue;
      for (unsigned Which : {0u, 1u}) {
        const unsigned Pitch = Mono[1 - Which];
        if (argumentName(A.symbol(Pitch)).empty() || !A.symbol(Mono[Which]).Varies.Item)
          continue;
        auto [At, New] = Rows.try_emplace(Pitch, C, Mono[Which]);
        if (!New && C < At->second.first)
          At->second = {C, Mono[Which]};
      }
    }
    for (const auto &[Pitch, Row] : Rows)
      findPitch(S, argumentName(A.symbol(Pitch)), Pitch, Row.first, A.symbol(Row.second));
  }
}

void Deriver::findPitch(const AccessSite &S, const std::string &Pitch, unsigned Symbol,
                        int64_t PitchBytes, const SymbolInfo &Row) {
  // What chooses the row is no address within it: (pitch + 1) * y + x is pitch * y + (y + x).
  std::set<unsigned> OfRows;
  for (const auto &[Mono, C] : S.Bytes.Terms)
    if (is_contained(Mono, Symbol))
      OfRows.insert(Mono.begin(), Mono.end());
  Poly Along; // the address within a row
  for (const auto &[Mono, C] : S.Bytes.Terms) {
    bool Varies = any_of(Mono, [&](unsigned X) { return !A.symbol(X).Varies.uniformInLaunch(); });
    if (Varies && none_of(Mono, [&](unsigned X) { return OfRows.count(X); }))
      Along.Terms[Mono] = C;
  }
  bool AllIds = true, Any = false;
  for (const auto &[Mono, C] : Along.Terms) {
    const SymbolInfo &I = A.symbol(Mono[0]);
    Any = true;
    AllIds &= Mono.size() == 1 && C > 0 && I.K == SymbolInfo::WorkItem &&
              I.E->Query == WorkItemQuery::GlobalId;
    if (AllIds && Row.K == SymbolInfo::WorkItem && I.E->Dim < Dims && I.E->Dim != Row.E->Dim &&
        Sizes.count(Global[I.E->Dim]) && Global[I.E->Dim] != Pitch)
      Pitches.insert({Pitch, {{{Global[I.E->Dim]}, C}}, PitchBytes});
  }
  if (AllIds || !Any || !S.IsWrite || S.A->Base->space() != AddressSpace::Global)
    return;
  Here.clear();
  for (const Guard &G : S.Guards)
    bounds(G, Here);
  std::optional<NamePoly> Last = extreme(Along, /*Largest=*/true);
  // Where the pitch itself gives the number of work-items, the geometry says so.
  auto Mentions = [&](const auto &Term) {
    return any_of(Term.first, [&](StringRef Text) { return is_contained(names(Text), Pitch); });
  };
  if (Last && none_of(*Last, Mentions))
    Pitches.insert(
        {Pitch, add(*Last, constant(int64_t(sizeInBytes(S.A->Elem)) * S.A->Lanes)), PitchBytes});
}

/// True if work-items of one group that differ along D only would write one element of local
/// memory: its address and guards name other local ids, and not this one.
bool Deriver::sharesLocalMemoryAlong(unsigned D) const {
  auto ItemsIn = [&](const Poly &P) {
    uint8_t Items = 0;
    for (const auto &[Mono, C] : P.Terms)
      for (unsigned X : Mono)
        Items |= A.symbol(X).Varies.Item;
    return Items;
  };
  return any_of(A.accesses(), [&](const AccessSite &S) {
    uint8_t Items = ItemsIn(S.Bytes);
    if (!S.IsWrite || S.A->Base->space() != AddressSpace::Local || !Items || (Items >> D & 1))
      return false;
    return none_of(S.Guards, [&](const Guard &G) {
      // A size is no choice of one work-item.
      std::vector<Bound> Found;
      bounds(G, Found);
      return Found.empty() && (A.varies(G.Cond, S.S).Item >> D & 1);
    });
  });
}

/// For integers in memory that index arrays of fixed size (histogram[data[i]]), sets the largest
/// index that fits.
void Deriver::findIndices() {
  for (const AccessSite &S : A.accesses()) {
    if (S.A->Base->K != Var::Memory || !S.A->Base->Ty->Size)
      continue;
    // Elements after the constant offset: 8 in table[8 + data[i]].
    int64_t Size = int64_t(S.A->Base->Ty->Size) - std::max<int64_t>(0, S.Bytes.constantTerm());
    for (const auto &[Mono, C] : S.Bytes.Terms)
      for (unsigned X : Mono)
        if (const SymbolInfo &I = A.symbol(X); I.K == SymbolInfo::Atom && I.E &&
                                               I.E->K == ExprKind::Load && C > 0 &&
                                               I.E->Acc.Base->isPointerParam()) {
          unsigned &Most = Indices.try_emplace(I.E->Acc.Base, 63).first->second;
          int64_t Room = std::max<int64_t>(1, Size / C) - 1;
          Most = std::min<int64_t>(Most, Mono.size() == 1 ? Room : 1);
        }
  }
}

/// True if every local array of fixed size covers its accesses.
bool Deriver::fitsArrays() {
  return all_of(A.accesses(), [&](const AccessSite &S) {
    const Var *V = S.A->Base;
    if (V->K != Var::Memory || V->AS != AddressSpace::Local)
      return true;
    Here.clear();
    std::optional<NamePoly> Last = extreme(S.Bytes, /*Largest=*/true);
    // A copy loop adapts its trip count to the group.
    if (!Last || !all_of(*Last, [](const auto &T) { return T.first.empty(); }))
      return true;
    return add(*Last, constant(uint64_t(sizeInBytes(S.A->Elem)) * S.A->Lanes))[{}] <=
           int64_t(V->Ty->Size);
  });
}

void Deriver::findLocal() {
  if (K.ReqdWorkGroupSize)
    copy(*K.ReqdWorkGroupSize, Local.begin());
  else if (HostLocal)
    copy(*HostLocal, Local.begin());
  if (K.ReqdWorkGroupSize || HostLocal || !InGroups)
    return;
  std::array<unsigned, 3> Said = {0, 0, 0};
  const NDRangeUse Use = NDRangeUse::of(K);
  auto Look = [&](const Expr *E) {
    // The number of the group, where local ids are used, too: get_global_id(0) / 32.
    std::optional<int64_t> By =
        E->K == ExprKind::Binary && E->O == Op::Div ? constantValue(E->Ops[1]) : std::nullopt;
    if (By && *By > 1 && *By <= 1024 && Use.uses(WorkItemQuery::LocalId))
      for (unsigned D = 0; D < 3; ++D)
        if (const Expr *Id = origin(A, E->Ops[0]); Id->K == ExprKind::WorkItem &&
                                                   Id->Query == WorkItemQuery::GlobalId &&
                                                   Id->Dim == D && !Said[D])
          Said[D] = unsigned(*By);
    if (E->K != ExprKind::Binary || E->O != Op::Add || !E->Ty->isScalar() || !E->Ty->isInteger())
      return;
    Poly P = A.poly(E);
    std::array<int64_t, 3> Group = {0, 0, 0}, Item = {0, 0, 0};
    for (const auto &[Mono, C] : P.Terms)
      if (Mono.size() == 1)
        if (const SymbolInfo &I = A.symbol(Mono[0]); I.K == SymbolInfo::WorkItem && I.E->Dim < 3) {
          if (I.E->Query == WorkItemQuery::GroupId)
            Group[I.E->Dim] = C;
          if (I.E->Query == WorkItemQuery::LocalId)
            Item[I.E->Dim] = C;
        }
    for (unsigned D = 0; D < 3; ++D)
      if (Item[D] == 1 && Group[D] > 0 && Group[D] <= 1024)
        Said[D] = unsigned(Group[D]);
  };
  walk(K.Body, [&](Stmt *S) {
    forEachExpr(*S, [&](const Expr *Root) {
      walk(Root, [&](const Expr *E) {
        Look(E);
        return true;
      });
    });
    return true;
  });
  static constexpr std::array<unsigned, 3> Usual[][7] = {
      {{64, 1, 1}, {256, 1, 1}, {128, 1, 1}, {32, 1, 1}, {16, 1, 1}, {8, 1, 1}, {4, 1, 1}},
      {{16, 16, 1}, {32, 8, 1}, {32, 4, 1}, {16, 8, 1}, {8, 8, 1}, {8, 4, 1}, {4, 4, 1}},
      {{8, 8, 4}, {4, 4, 4}, {8, 4, 2}, {4, 4, 2}, {4, 2, 2}, {2, 2, 2}, {2, 2, 1}}};
  auto IsOne = [&](unsigned D) {
    return D >= Dims || Global[D] == "1" || sharesLocalMemoryAlong(D);
  };
  unsigned Extends =
      std::max(1u, unsigned(count_if(seq(3u), [&](unsigned D) { return !IsOne(D); })));
  for (const std::array<unsigned, 3> &Sizes : Usual[Extends - 1]) {
    for (unsigned D = 0, Next = 0; D < 3; ++D)
      Local[D] = IsOne(D) ? 1 : Said[D] ? (++Next, Said[D]) : Sizes[Next++];
    if (fitsArrays())
      return;
  }
}

/// Lower bound on the number of elements of Buffer; empty, with the reason in Why, if unknown.
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
    std::optional<NamePoly> Last = extreme(S.Bytes, /*Largest=*/true);
    if (!Last) {
      Why =
          "where it accesses '" + Buffer->Name + "' depends on more than ids, loops and arguments";
      return "";
    }
    uint64_t Width = uint64_t(sizeInBytes(S.A->Elem)) * S.A->Lanes;
    Ends.push_back(add(*Last, constant(Width)));
  }
  // Drop ends that another end always covers.
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
    std::string C = Divides
                        ? text(End)
                        : "(" + text(add(End, constant(Size - 1))) + ") / " + std::to_string(Size);
    Count = Count.empty() ? C : "max(" + Count + ", " + C + ")";
  }
  if (Count.empty())
    return "1";
  return Positive ? Count : "max(" + Count + ", 1)";
}

/// Sets Dims, InGroups and the dimensions along which ids are used.
void Deriver::findIds() {
  NDRangeUse Use = NDRangeUse::of(K);
  InGroups = A.hasBarrier() || Use.uses(WorkItemQuery::LocalId) ||
             Use.uses(WorkItemQuery::GroupId) || Use.uses(WorkItemQuery::LocalSize) ||
             Use.uses(WorkItemQuery::NumGroups);
  uint8_t Groups = 0;
  for (ExprAt X : exprs(K.Body))
    if (X->K == ExprKind::WorkItem) {
      Dims = std::max(Dims, std::min(X->Dim + 1u, 3u));
      uint8_t &Of = X->Query == WorkItemQuery::LocalId ? OneGroup : Groups;
      if (X->Query != WorkItemQuery::LocalSize && X->Dim < 3)
        Of |= 1u << X->Dim;
    }
  OneGroup &= ~Groups;
  IdDims = Use.ids() & 7;
}

/// Width, height, depth and layers of an image, as far as it has them.
std::vector<std::string> Deriver::extentsOf(const Var &Image) {
  // Layers and slices beyond the dimensions of the launch: some.
  constexpr const char *Some = "4";
  std::vector<std::string> All;
  // The guards tell the image from the padding of the last group.
  auto guarded = [&](unsigned D) { return D < Dims && !Whole.count(Global[D]); };
  for (unsigned D = 0; D < Image.Ty->Dims; ++D)
    All.push_back(D >= Dims || Global[D] == "1" ? Some : guarded(D) ? Global[D] : items(D));
  Here = OfImages;
  for (const Expr *At : writtenAt(K, Image)) {
    // The components of (int2)(x, y); an expression of vectors says nothing.
    if (Image.Ty->Dims > 1 && (At->K != ExprKind::VectorCtor || At->Ops.size() < Image.Ty->Dims))
      continue;
    for (unsigned D = 0; D < Image.Ty->Dims; ++D) {
      const Expr *X = Image.Ty->Dims > 1 ? At->Ops[D] : At;
      std::optional<NamePoly> Last =
          X->Ty->isScalar() ? extreme(X, /*Largest=*/true, 0) : std::nullopt;
      if (Last)
        All[D] = text(add(*Last, constant(1)));
    }
  }
  return All;
}

/// One entry of `args:`.
Expected<std::string> Deriver::argument(const Var &P) {
  std::string Text = "  - { name: " + P.Name;
  if (P.isImage())
    return Text + imageText(K, P, extentsOf(P)) + " }\n";
  if (P.Ty->K == Type::Sampler)
    return Text + samplerText() + " }\n";
  if (!P.isPointerParam()) {
    if (!P.Ty->isValue())
      return no("argument '" + P.Name + "' is no number");
    auto ValueOf = [&](const std::string &Name) {
      return "\"" + (P.Ty->isFloat() ? "1.5" : Sizes.count(Name) ? Name : "3") + "\"";
    };
    if (P.Ty->isScalar())
      return Text + ", value: " + ValueOf(P.Name) + " }\n";
    for (unsigned Lane = 0; Lane < P.Ty->Lanes; ++Lane)
      Text += (Lane ? ", " : ", value: [ ") + ValueOf(componentName(P, Lane));
    return Text + " ] }\n";
  }
  bool Read = false, Written = false;
  std::string Why, Count = countOf(&P, Read, Written, Why);
  if (P.Ty->AS == AddressSpace::Local)
    return Text + ", local: \"(" + Count + ") * " + std::to_string(P.Ty->Elem->Size) + "\" }\n";
  Text += std::string(", buffer: ") + (Written ? "inout" : "in") + ", count: \"" + Count + "\"";
  if (P.Ty->Elem->isFloat())
    Text += ", data: { uniform: [-1, 1] }";
  else if (auto It = Indices.find(&P); It != Indices.end())
    Text += ", data: { range: [0, " + std::to_string(It->second) + "] }";
  return Text + " }\n";
}

/// Three sizes: distinct numbers, so that swapped sizes are found; small if loops multiply the
/// work.
std::string Deriver::sizes() const {
  bool Loops = any_of(A.accesses(), [](const AccessSite &S) { return !S.Loops.empty(); });
  unsigned Count = Sizes.size() + Loops;
  const std::array<unsigned, 3> Base = Count <= 1   ? std::array<unsigned, 3>{4096, 1001, 5}
                                       : Count == 2 ? std::array<unsigned, 3>{96, 37, 5}
                                                    : std::array<unsigned, 3>{32, 19, 4};
  std::string Text;
  for (unsigned R = 0; R < 3; ++R) {
    Text += R ? ", { " : "{ ";
    std::map<std::string, uint64_t> Values;
    for (const std::string &Name : Sizes) {
      uint64_t Value = Base[R] + (R == 0 ? 16 : R == 1 ? 6 : 1) * Values.size();
      if (unsigned Group = groupOf(Name))
        Value = alignTo(Value, Group);
      Values[Name] = Value;
    }
    for (const RowPitch &P : Pitches) {
      uint64_t &Pitch = Values[P.Pitch];
      Pitch = std::max(Pitch, P.least(Values) + R);
      if (unsigned Group = groupOf(P.Pitch))
        Pitch = alignTo(Pitch, Group);
    }
    unsigned N = 0;
    for (const auto &[Name, Value] : Values)
      Text += (N++ ? ", " : "") + Name + ": " + std::to_string(Value);
    Text += " }";
  }
  return Text;
}

/// `global:`, and `local:` and `require:` if needed.
std::string Deriver::geometry() const {
  std::string Shape, Groups;
  std::vector<std::string> Require;
  for (unsigned D = 0; D < Dims; ++D) {
    Shape += (D ? ", \"" : "\"") + items(D) + "\"";
    if (Local[D])
      Groups += (D ? ", \"" : "\"") + std::to_string(Local[D]) + "\"";
  }
  for (const std::string &Name : Sizes)
    if (unsigned Group = groupOf(Name))
      Require.push_back(Name + " % " + std::to_string(Group) + " == 0");
  for (const RowPitch &P : Pitches)
    Require.push_back(P.text());
  return "global: [ " + Shape + " ]\n" + (Groups.empty() ? "" : "local: [ " + Groups + " ]\n") +
         (Require.empty() ? "" : "require: [ \"" + join(Require, "\", \"") + "\" ]\n");
}

Expected<std::string> Deriver::run() {
  if (!K.Opaques.empty())
    return no("the model cannot represent " + K.Opaques.front().What);
  findIds();
  for (const Var *P : K.Params)
    if (launch::isReservedName(P->Name) && P->Ty->isScalar() && P->Ty->isInteger())
      return no("its argument '" + P->Name + "' has a name that launch files reserve");
  for (const Var *P : K.Params)
    for (unsigned Lane = 0; P->Ty->isVector() && P->Ty->isInteger() && Lane < P->Ty->Lanes; ++Lane)
      if (any_of(K.Params,
                 [&](const Var *Other) { return Other->Name == componentName(*P, Lane); }))
        return no("its argument '" + P->Name + "' has components named as another argument");
  findGeometry();
  findIndices();
  findLocal();
  for (unsigned D = 0; D < 3; ++D)
    if (Global[D] == OneGroupText)
      Global[D] = std::to_string(std::max(1u, Local[D]));
  findPitches();
  // Counts first: they may add names to Sizes.
  for (const Var *P : K.Params) {
    if (!P->isPointerParam())
      continue;
    if (!P->Ty->Elem->isValue() && (P->Ty->Elem->K != Type::Struct || !P->Ty->Elem->Size))
      return no("argument '" + P->Name + "' is no buffer of numbers or structs");
    bool Read = false, Written = false;
    std::string Why;
    if (countOf(P, Read, Written, Why).empty())
      return no(Why);
  }
  std::string Args;
  for (const Var *P : K.Params) {
    Expected<std::string> One = argument(*P);
    if (!One)
      return One.takeError();
    Args += *One;
  }
  return "kernel: " + K.Name + "\nargs:\n" + Args + geometry() + "sizes: [ " + sizes() + " ]\n";
}

} // namespace

Expected<std::string> tool::deriveLaunch(Module &M, const Kernel &K,
                                         std::optional<std::array<uint64_t, 3>> HostLocal) {
  return Deriver(M, K, HostLocal).run();
}
