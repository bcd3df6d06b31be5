//===-- checks/model/cost/Lowering.cpp - A kernel as the compiler executes it ===//

#include "checks/model/cost/LoweringImpl.h"
#include "checks/model/cost/TripCount.h"
#include "checks/model/ir/Traversal.h"
#include "llvm/Support/xxhash.h"
#include <cstring>

namespace clmali::model {

llvm::StringRef name(OpClass C) {
  static constexpr llvm::StringLiteral Names[] = {
      "leaf",         "alias",         "add",
      "multiply",     "multiply-high", "multiply-add",
      "fused",        "shift",         "bitwise",
      "compare",      "min-max",       "select",
      "saturate",     "average",       "widen",
      "narrow",       "from-int",      "to-int",
      "resize",       "divide",        "divide-by-const",
      "float-divide", "function",      "pack",
      "extend",       "scale",         "address",
      "offset",       "control",       "barrier",
      "copy",         "load",          "store",
      "atomic",       "texture",       "texel-store"};
  static_assert(std::size(Names) == OpClasses);
  return Names[unsigned(C)];
}

bool Program::isInside(unsigned R, unsigned Ancestor) const {
  for (; R != Ancestor; R = Regions[R].Parent)
    if (!R)
      return false;
  return true;
}

static int64_t wrapped(int64_t V, const Type *Ty) {
  unsigned Bits = elementBits(Ty);
  if (Bits >= 64)
    return V;
  uint64_t Low = uint64_t(V) & ((uint64_t(1) << Bits) - 1);
  bool Negative = isSigned(Ty->Scalar) && ((Low >> (Bits - 1)) & 1);
  return int64_t(Negative ? Low | ~((uint64_t(1) << Bits) - 1) : Low);
}

/// The region that executes O, whose value depends on its operands alone.
unsigned Lowering::regionFor(const Operation &O) const {
  unsigned R = Now;
  while (HoistsInvariants && P.Regions[R].K == Region::Loop &&
         (O.Class != OpClass::Load || !P.Regions[R].Writes) && O.Class != OpClass::Texture &&
         llvm::none_of(O.Operands, [&](unsigned X) { return P.isInside(P.Ops[X].Region, R); }))
    R = P.Regions[R].Parent;
  return R;
}

unsigned Lowering::append(Operation O, bool Hoist) {
  O.Region = Hoist ? regionFor(O) : Now;
  O.E = Of;
  O.At = At;
  unsigned N = P.Ops.size();
  std::vector<int> &Order = P.Regions[O.Region].Order;
  // Before the loop that it is hoisted from.
  auto At = Order.end();
  if (O.Region != Now)
    At = std::find_if(Order.begin(), Order.end(),
                      [&](int Item) { return Item < 0 && P.isInside(Now, unsigned(~Item)); });
  Order.insert(At, int(N));
  P.Ops.push_back(std::move(O));
  return N;
}

uint64_t Lowering::hash(const Operation &O, llvm::ArrayRef<uint64_t> More) {
  llvm::SmallVector<uint64_t, 24> Words = {uint64_t(O.Class) | uint64_t(O.Float) << 8 |
                                               uint64_t(O.Bits) << 16 | uint64_t(O.Lanes) << 24 |
                                               uint64_t(O.Special) << 32,
                                           uint64_t(reinterpret_cast<uintptr_t>(O.Ty))};
  llvm::append_range(Words, O.Operands);
  for (auto [Op, Lane] : O.From)
    Words.push_back(uint64_t(Op) << 8 | Lane);
  Words.push_back(~uint64_t(0));
  llvm::append_range(Words, More);
  return llvm::xxh3_64bits(llvm::ArrayRef<uint8_t>(reinterpret_cast<const uint8_t *>(Words.data()),
                                                   Words.size() * sizeof(uint64_t)));
}

unsigned Lowering::numbered(Operation O, llvm::ArrayRef<uint64_t> More) {
  uint64_t H = hash(O, More);
  auto [It, New] = Known.try_emplace(H, unsigned(P.Ops.size()));
  if (!New)
    return It->second;
  Added.push_back(H);
  return append(std::move(O), true);
}

unsigned Lowering::makeWide(OpClass C, const Type *Ty, unsigned Bits,
                            llvm::ArrayRef<unsigned> Operands, llvm::ArrayRef<uint64_t> More) {
  Operation O;
  O.Class = C;
  O.Ty = Ty;
  O.Float = Ty->isFloat();
  O.Bits = Bits;
  O.Lanes = Ty->Lanes;
  O.Operands.assign(Operands.begin(), Operands.end());
  return numbered(std::move(O), More);
}

unsigned Lowering::make(OpClass C, const Type *Ty, llvm::ArrayRef<unsigned> Operands,
                        llvm::ArrayRef<uint64_t> More) {
  return makeWide(C, Ty, elementBits(Ty), Operands, More);
}

unsigned Lowering::fresh(const Type *Ty) {
  Operation O;
  O.Ty = Ty;
  O.Lanes = Ty->Lanes;
  O.Bits = Ty->isValue() ? elementBits(Ty) : 32;
  return append(std::move(O), false);
}

unsigned Lowering::integer(int64_t V, const Type *Ty) {
  V = wrapped(V, Ty);
  unsigned N = make(OpClass::Leaf, Ty, {}, {1, uint64_t(V)});
  Ints[N] = V;
  return N;
}

unsigned Lowering::floating(double V, const Type *Ty) {
  uint64_t Bits;
  std::memcpy(&Bits, &V, sizeof Bits);
  unsigned N = make(OpClass::Leaf, Ty, {}, {2, Bits});
  Floats[N] = V;
  return N;
}

std::optional<int64_t> Lowering::constant(unsigned N) const {
  auto It = Ints.find(N);
  return It == Ints.end() ? std::nullopt : std::optional(It->second);
}

std::pair<unsigned, int64_t> Lowering::sum(unsigned N) const {
  auto It = Sums.find(N);
  return It == Sums.end() ? std::pair(N, int64_t(0)) : It->second;
}

unsigned Lowering::plus(unsigned Value, int64_t Constant, const Type *Ty) {
  if (!Constant)
    return Value;
  if (std::optional<int64_t> V = constant(Value))
    return integer(*V + Constant, Ty);
  unsigned N = make(OpClass::Add, Ty, {Value}, {uint64_t(Constant)});
  Sums[N] = {Value, Constant};
  return N;
}

void Lowering::block(const StmtList &B) {
  for (const Stmt *S : B)
    statement(*S);
}

void Lowering::assign(const Stmt &S) {
  unsigned V = value(S.E);
  if (S.LaneIdx.empty()) {
    // What the model does not represent may have no type of a vector.
    Values[S.V] = P.Ops[V].Lanes == S.V->Ty->Lanes ? V : make(OpClass::Alias, S.V->Ty, {V});
    return;
  }
  Lanes Old, New;
  lanesOf(variable(S.V), Old);
  lanesOf(V, New);
  for (auto [I, Lane] : llvm::enumerate(S.LaneIdx))
    Old[Lane] = New[std::min(I, New.size() - 1)];
  Values[S.V] = pack(S.V->Ty, Old);
}

unsigned Lowering::enter(Region::Kind K, double Times) {
  Region R;
  R.K = K;
  R.Parent = Now;
  R.Times = P.Regions[Now].Times * Times;
  unsigned N = P.Regions.size();
  P.Regions.push_back(std::move(R));
  P.Regions[Now].Order.push_back(~int(N));
  return Now = N;
}

void Lowering::leave(size_t AddedBefore) {
  unsigned Left = Now;
  llvm::SmallVector<uint64_t, 8> Kept;
  for (size_t I = AddedBefore; I < Added.size(); ++I) {
    auto It = Known.find(Added[I]);
    if (It == Known.end())
      continue;
    if (P.isInside(P.Ops[It->second].Region, Left))
      Known.erase(It);
    else
      Kept.push_back(Added[I]);
  }
  Added.resize(AddedBefore);
  llvm::append_range(Added, Kept);
  Now = P.Regions[Left].Parent;
}

void Lowering::path(const StmtList &B) {
  size_t Before = Added.size();
  enter(Region::Path, 1);
  block(B);
  leave(Before);
}

void Lowering::branch(const Stmt &S) {
  unsigned C = value(S.E);
  if (std::optional<int64_t> V = constant(C); V && !S.Rare)
    return block(*V ? S.Body : S.Else);
  effect(OpClass::Control, nullptr, {C});
  if (S.Rare)
    return;
  // `if (all(mask)) whole; else if (any(mask)) lanes`: the fall-back is no alternative.
  bool FallsBack = llvm::all_of(S.Else, [](const Stmt *X) { return X->Rare; });
  auto Before = Values;
  auto BeforeElements = Elements;
  unsigned First = P.Regions.size();
  path(S.Body);
  auto Then = std::move(Values);
  auto ThenElements = std::move(Elements);
  if (FallsBack && !S.Else.empty()) {
    Values = std::move(Then);
    Elements = std::move(ThenElements);
    return;
  }
  Values = std::move(Before);
  Elements = std::move(BeforeElements);
  unsigned Second = P.Regions.size();
  path(S.Else);
  if (!S.Body.empty() && !S.Else.empty())
    P.Regions[Second].Instead = First;
  join(Then, ThenElements);
}

void Lowering::join(const llvm::DenseMap<const Var *, unsigned> &Then,
                    const std::map<std::pair<const Var *, int64_t>, unsigned> &ThenElements) {
  auto Meet = [&](unsigned X, unsigned Y, const Type *Ty) {
    if (X == Y)
      return X;
    Operation O;
    O.Ty = Ty;
    O.Lanes = Ty->Lanes;
    O.Bits = elementBits(Ty);
    O.Operands = {X, Y};
    return append(std::move(O), false);
  };
  llvm::SmallVector<const Var *, 8> Order;
  for (auto &[V, N] : Then)
    if (auto It = Values.find(V); It == Values.end() || It->second != N)
      Order.push_back(V);
  llvm::sort(Order, [&](const Var *X, const Var *Y) { return Then.lookup(X) < Then.lookup(Y); });
  for (const Var *V : Order)
    if (auto It = Values.find(V); It == Values.end())
      Values[V] = Then.lookup(V);
    else
      It->second = Meet(Then.lookup(V), It->second, V->Ty);
  for (auto &[Key, N] : ThenElements)
    if (auto It = Elements.find(Key); It == Elements.end())
      Elements[Key] = N;
    else if (It->second != N)
      It->second = Meet(N, It->second, P.Ops[N].Ty);
}

double Lowering::size(const StmtList &B) const {
  constexpr double OfAccess = 5; // with its address
  double N = 0;
  for (const Stmt *S : B) {
    for (ExprAt X : exprs(*S))
      if (X->K == ExprKind::Load)
        N += OfAccess;
      else if (X->K == ExprKind::Binary || X->K == ExprKind::Unary || X->K == ExprKind::Call ||
               X->K == ExprKind::Select || X->K == ExprKind::Cast)
        ++N;
    if (S->K == StmtKind::Store)
      N += OfAccess;
    double Inner = size(S->Body) + size(S->Else) + size(S->Init) + size(S->Step);
    std::optional<CountedLoop> L = S->K == StmtKind::Loop ? A.countedLoop(S) : std::nullopt;
    bool Unrolled = L && L->TripCount && *L->TripCount <= int64_t(UnrolledTrips) &&
                    Inner * double(*L->TripCount) <= UnrolledOperations;
    N += Inner * (Unrolled ? double(*L->TripCount) : 1);
  }
  return N;
}

std::optional<int64_t> Lowering::constantTrips(const Stmt &S) {
  std::optional<CountedLoop> L = A.countedLoop(&S);
  if (!L)
    return std::nullopt;
  if (L->TripCount)
    return L->TripCount;
  // for (j = i + 1; j < 9; ++j) in an iteration of a loop over i that is unrolled.
  if (!L->Bound || !L->Step || !Values.contains(L->V))
    return std::nullopt;
  std::optional<int64_t> From = constant(Values[L->V]), To = constant(value(L->Bound));
  if (!From || !To)
    return std::nullopt;
  int64_t Span = L->Step > 0 ? *To - *From : *From - *To, By = std::abs(L->Step);
  if (L->Compare == Op::LE || L->Compare == Op::GE)
    ++Span;
  return std::max<int64_t>(0, (Span + By - 1) / By);
}

bool Lowering::isUnrolled(const Stmt &S, int64_t Trips) const {
  return Trips <= int64_t(UnrolledTrips) && size(S.Body) * double(Trips) <= UnrolledOperations;
}

void Lowering::loop(const Stmt &S) {
  // A remainder, which goes on where another loop ended, counts if the launch tells how often it
  // runs: five times, if the other loop does eight at once.
  if (S.Rare && !S.Init.empty())
    return;
  block(S.Init);
  const std::optional<int64_t> Trips = constantTrips(S);
  if (S.Rare && !Trips)
    return;
  if (Trips && isUnrolled(S, *Trips)) {
    for (int64_t I = 0; I < *Trips; ++I) {
      block(S.Body);
      block(S.Step);
    }
    return;
  }
  size_t Before = Added.size();
  // Variables that the loop sets, and memory, are unknown inside.
  enter(Region::Loop, expectedTrips(A, &S));
  P.Regions[Now].Writes = llvm::any_of(stmts(S.Body), [](const Stmt *X) {
    return (X->K == StmtKind::Store && !isPrivate(X->Acc)) || X->K == StmtKind::Atomic ||
           X->K == StmtKind::AsyncCopy || X->K == StmtKind::Barrier;
  });
  std::vector<std::pair<const Var *, unsigned>> Carried;
  for (const StmtList *B : {&S.Body, &S.Step})
    for (const Stmt *X : stmts(*B)) {
      if (X->V && X->V->K == Var::Temp && Values.count(X->V) &&
          llvm::none_of(Carried, [&](auto &C) { return C.first == X->V; })) {
        unsigned N = fresh(X->V->Ty);
        P.Ops[N].Operands = {Values[X->V]};
        P.Ops[N].Carried = true;
        Carried.push_back({X->V, N});
        Values[X->V] = N;
      }
      if (X->K == StmtKind::Store && isPrivate(X->Acc))
        carryElements(X->Acc.Base);
    }
  ++Epoch;
  At = &S;
  unsigned C = S.E ? value(S.E) : integer(1, addressType());
  effect(OpClass::Control, nullptr, {C});
  block(S.Body);
  block(S.Step);
  for (auto [V, N] : Carried) {
    P.Ops[N].Operands.push_back(Values[V]);
    Values[V] = N;
  }
  leave(Before);
  ++Epoch;
  for (auto [V, N] : Carried) {
    unsigned Exit = fresh(V->Ty);
    P.Ops[Exit].Operands = {N};
    Values[V] = Exit;
  }
}

void Lowering::carryElements(const Var *Array) {
  for (auto &[Key, N] : Elements)
    if (Key.first == Array && P.Ops[N].Region != Now) {
      unsigned New = fresh(P.Ops[N].Ty);
      P.Ops[New].Operands = {N};
      P.Elements.push_back({Array, New});
      N = New;
    }
}

void Lowering::statement(const Stmt &S) {
  At = &S;
  switch (S.K) {
  case StmtKind::Decl:
  case StmtKind::Assign:
    if (S.V && S.E)
      assign(S);
    return;
  case StmtKind::If:
    return branch(S);
  case StmtKind::Loop:
    return loop(S);
  case StmtKind::Store:
    return store(S);
  case StmtKind::Barrier:
    ++Epoch;
    return effect(OpClass::Barrier, nullptr, {});
  default:
    return other(S);
  }
}

void Lowering::other(const Stmt &S) {
  llvm::SmallVector<unsigned, 3> Ops;
  for (const Expr *X : S.Args)
    Ops.push_back(value(X));
  if (S.E)
    Ops.push_back(value(S.E));
  if (S.K == StmtKind::ImageWrite)
    return effect(OpClass::TexelStore, nullptr, Ops);
  if (S.K == StmtKind::Atomic) {
    Ops.push_back(address(S.Acc, locate(S.Acc)));
    effect(OpClass::Atomic, &S.Acc, Ops);
  } else if (S.K == StmtKind::AsyncCopy || S.Name == "wait_group_events") {
    effect(S.K == StmtKind::AsyncCopy ? OpClass::Copy : OpClass::Barrier, nullptr, Ops);
  } else {
    for (unsigned O : Ops)
      P.Ops[O].Used = true;
  }
  ++Epoch;
  if (S.V && S.V->K == Var::Temp)
    Values[S.V] = fresh(S.V->Ty);
}

void Lowering::markUsed() {
  std::vector<unsigned> Pending;
  for (auto [N, O] : llvm::enumerate(P.Ops))
    if (O.Used || O.Class == OpClass::Store || O.Class == OpClass::TexelStore ||
        O.Class == OpClass::Control || O.Class == OpClass::Barrier || O.Class == OpClass::Copy ||
        O.Class == OpClass::Atomic)
      Pending.push_back(N);
  for (unsigned N : Pending)
    P.Ops[N].Used = true;
  while (!Pending.empty()) {
    unsigned N = Pending.back();
    Pending.pop_back();
    for (unsigned Op : P.Ops[N].Operands)
      if (!P.Ops[Op].Used) {
        P.Ops[Op].Used = true;
        Pending.push_back(Op);
      }
  }
}

void Lowering::markNamed() {
  for (Operation &O : P.Ops)
    O.Named = O.Class == OpClass::Pack;
  for (const Operation &O : llvm::reverse(P.Ops)) {
    bool Converts = O.Class == OpClass::Widen || O.Class == OpClass::FromInt ||
                    (O.Class == OpClass::Pack && (O.Named || O.Lanes == 1));
    if (O.Used && !Converts)
      for (unsigned Op : O.Operands)
        P.Ops[Op].Named = false;
  }
}

Program lower(const KernelAnalysis &A, const rules::DeviceFacts &D) { return Lowering(A, D).run(); }
} // namespace clmali::model
