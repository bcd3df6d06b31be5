//===-- checks/model/cost/LoweringValues.cpp - Expressions of a lowered kernel ===//

#include "checks/model/analysis/eval/Interpreter.h"
#include "checks/model/cost/LoweringImpl.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/xxhash.h"

namespace clmali::model {

/// The class of a function that GPUs have as an instruction or a few.
static OpClass simpleFunction(llvm::StringRef Name) {
  return llvm::StringSwitch<OpClass>(Name)
      .Cases("min", "max", "fmin", "fmax", OpClass::MinMax)
      .Cases("mad", "mad24", "mad_hi", "mix", OpClass::MultiplyAdd)
      .Case("fma", OpClass::Fused)
      .Case("mul24", OpClass::Multiply)
      .Case("mul_hi", OpClass::MultiplyHigh)
      .Cases("add_sat", "sub_sat", OpClass::Saturate)
      .Cases("hadd", "rhadd", "abs_diff", "abs", "upsample", OpClass::Average)
      .Cases("select", "bitselect", "step", "sign", OpClass::Select)
      .Cases("isnan", "isinf", "signbit", "any", "all", OpClass::Compare)
      .Cases("rotate", "popcount", "clz", OpClass::Shift)
      .Cases("floor", "ceil", "trunc", "rint", "round", OpClass::Add)
      .Cases("fabs", "copysign", OpClass::Alias)
      .Default(OpClass::Function);
}

/// The cost class of a function. Where the family's documents have none, that of the vendor that
/// published them: which functions are cheap hardly differs between GPUs.
static rules::CostClass costClass(const rules::DeviceFacts &D, llvm::StringRef Name) {
  for (llvm::StringRef Prefix : {"native_", "half_"})
    if (Name.consume_front(Prefix))
      return rules::CostClass::Low;
  rules::CostClass C = D.functionCost(Name);
  for (const rules::DeviceFacts &F : rules::families())
    if (C == rules::CostClass::Unknown)
      C = F.functionCost(Name);
  return C;
}

std::optional<unsigned> Lowering::simplified(const Expr *E, unsigned X, unsigned Y) {
  if (!E->Ty->isScalar() || !E->Ty->isInteger())
    return std::nullopt;
  std::optional<int64_t> CX = constant(X), CY = constant(Y);
  if (CX && CY)
    if (std::optional<int64_t> V = applyBinary(E->O, *CX, *CY, *E->Ops[0]->Ty))
      return integer(*V, E->Ty);
  bool Wide = elementBits(E->Ty) >= 32;
  auto [BX, OX] = sum(X);
  auto [BY, OY] = sum(Y);
  switch (E->O) {
  case Op::Add:
  case Op::Sub: {
    bool Add = E->O == Op::Add;
    if (CY && Wide)
      return plus(BX, OX + (Add ? *CY : -*CY), E->Ty);
    if (CX && Add && Wide)
      return plus(BY, OY + *CX, E->Ty);
    if (!Wide || !(OX || OY))
      return std::nullopt;
    return plus(make(OpClass::Add, E->Ty, ordered(BX, BY, Add), {uint64_t(E->O)}),
                Add ? OX + OY : OX - OY, E->Ty);
  }
  case Op::Mul:
  case Op::Shl: {
    if (CX && E->O == Op::Mul) {
      std::swap(CX, CY);
      std::swap(BX, BY);
      std::swap(OX, OY);
    }
    if (!CY || *CY < 0 || (E->O == Op::Shl && *CY > 32))
      return std::nullopt;
    int64_t By = E->O == Op::Shl ? int64_t(1) << *CY : *CY;
    if (By == 0)
      return integer(0, E->Ty);
    if (!Wide)
      return std::nullopt;
    return plus(By == 1 ? BX : multiple(BX, By, E->Ty), OX * By, E->Ty);
  }
  case Op::Shr:
  case Op::Div:
    if (CY && *CY == (E->O == Op::Div))
      return X;
    return std::nullopt;
  case Op::LogicalAnd:
    return CX ? (*CX ? Y : X) : CY ? (*CY ? X : Y) : std::optional<unsigned>();
  case Op::LogicalOr:
    return CX ? (*CX ? X : Y) : CY ? (*CY ? Y : X) : std::optional<unsigned>();
  default:
    return std::nullopt;
  }
}

llvm::SmallVector<unsigned, 2> Lowering::ordered(unsigned X, unsigned Y, bool Commutes) {
  return Commutes && Y < X ? llvm::SmallVector<unsigned, 2>{Y, X}
                           : llvm::SmallVector<unsigned, 2>{X, Y};
}

unsigned Lowering::multiple(unsigned X, int64_t By, const Type *Ty) {
  bool Shift = (By & (By - 1)) == 0;
  unsigned N = make(Shift ? OpClass::Shift : OpClass::Multiply, Ty, {X}, {uint64_t(By)});
  Shifts[N] = By;
  return N;
}

std::optional<int64_t> Lowering::splatConstant(unsigned N) const {
  const Operation &O = P.Ops[N];
  if (O.Class == OpClass::Alias && O.Operands.size() == 1)
    return splatConstant(O.Operands[0]);
  return constant(N);
}

OpClass Lowering::classOf(const Expr *E, unsigned Y) const {
  std::optional<int64_t> C = E->Ty->isInteger() ? splatConstant(Y) : std::nullopt;
  bool Power = C && *C > 0 && (*C & (*C - 1)) == 0;
  switch (E->O) {
  case Op::Mul:
    return Power ? OpClass::Shift : OpClass::Multiply;
  case Op::Div:
  case Op::Rem:
    if (!E->Ty->isInteger())
      return OpClass::FloatDivide;
    return Power ? (E->O == Op::Rem ? OpClass::Bitwise : OpClass::Shift)
           : C   ? OpClass::DivideByConst
                 : OpClass::Divide;
  case Op::Shl:
  case Op::Shr:
    return OpClass::Shift;
  case Op::And:
  case Op::Or:
  case Op::Xor:
  case Op::LogicalAnd:
  case Op::LogicalOr:
    return OpClass::Bitwise;
  default:
    return isComparison(E->O) ? OpClass::Compare : OpClass::Add;
  }
}

unsigned Lowering::binary(const Expr *E) {
  // A product that is added is computed in the same instruction.
  if ((E->O == Op::Add || E->O == Op::Sub) && E->Ty->isFloat())
    for (unsigned I : {0u, 1u}) {
      const Expr *Product = E->Ops[I];
      if (Product->K != ExprKind::Binary || Product->O != Op::Mul)
        continue;
      unsigned X = value(Product->Ops[0]), Y = value(Product->Ops[1]), Z = value(E->Ops[1 - I]);
      return make(OpClass::MultiplyAdd, E->Ty, {X, Y, Z}, {uint64_t(E->O), I});
    }
  unsigned X = value(E->Ops[0]), Y = value(E->Ops[1]);
  if (std::optional<unsigned> S = simplified(E, X, Y))
    return *S;
  bool Commutes = E->O == Op::Add || E->O == Op::Mul || E->O == Op::And || E->O == Op::Or ||
                  E->O == Op::Xor || E->O == Op::EQ || E->O == Op::NE;
  const Type *Of = isComparison(E->O) ? E->Ops[0]->Ty : E->Ty;
  OpClass C = classOf(E, Y);
  if (C == OpClass::Shift && E->O == Op::Mul)
    Commutes = false;
  return makeWide(C, E->Ty, elementBits(Of), ordered(X, Y, Commutes), {uint64_t(E->O)});
}

unsigned Lowering::clamped(const Expr *E, unsigned X) {
  const Type *From = E->Ops[0]->Ty;
  llvm::StringRef How = E->Text;
  if (From->isFloat() && (How.contains("_rte") || How.contains("_rtp") || How.contains("_rtn")))
    X = make(OpClass::Add, From, {X}, {llvm::xxh3_64bits(How)});
  if (!How.contains("sat"))
    return X;
  if (From->isFloat() || isSigned(From->Scalar))
    X = make(OpClass::MinMax, From, {X}, {uint64_t(E->Ty->Scalar), 0});
  return make(OpClass::MinMax, From, {X}, {uint64_t(E->Ty->Scalar), 1});
}

unsigned Lowering::cast(const Expr *E) {
  const Type *To = E->Ty, *From = E->Ops[0]->Ty;
  unsigned X = value(E->Ops[0]);
  if (E->C == CastOp::Splat)
    return make(OpClass::Alias, To, {X});
  unsigned BT = elementBits(To), BF = elementBits(From);
  if (std::optional<int64_t> V = constant(X); V && To->isScalar())
    return To->isInteger() ? integer(*V, To) : floating(double(*V), To);
  if (isConstant(X) || E->C == CastOp::Bitcast)
    return make(OpClass::Alias, To, {X});
  if (To->isFloat() || From->isFloat()) {
    OpClass C = !From->isFloat() ? OpClass::FromInt
                : To->isFloat()  ? OpClass::Resize
                                 : OpClass::ToInt;
    if (C == OpClass::ToInt)
      X = clamped(E, X);
    return To->Scalar == From->Scalar ? X : makeWide(C, To, std::max(BT, BF), {X});
  }
  X = clamped(E, X);
  if (BT == BF)
    return X;
  if (BF == 64 && To->isScalar())
    if (std::optional<unsigned> Low = inLowBits(X, To); Low && BT == 32)
      return *Low;
  auto [Base, Offset] = sum(X);
  if (BT > BF && Offset && BF >= 32) // of signed integers, which do not wrap
    return plus(makeWide(OpClass::Widen, To, BT, {Base}), Offset, To);
  return makeWide(BT > BF ? OpClass::Widen : OpClass::Narrow, To, std::max(BT, BF), {X});
}

std::optional<unsigned> Lowering::inLowBits(unsigned N, const Type *Ty, unsigned Depth) {
  constexpr unsigned MostDepth = 8;
  if (std::optional<int64_t> V = constant(N))
    return integer(*V, Ty);
  const Operation O = P.Ops[N];
  if (isId(N))
    return make(OpClass::Alias, Ty, {N});
  if (O.Class == OpClass::Widen)
    return O.Operands[0];
  bool Low = O.Class == OpClass::Add || O.Class == OpClass::Multiply || Shifts.contains(N);
  if (!Low || O.Bits != 64 || O.Lanes != 1 || Depth > MostDepth || O.Operands.empty())
    return std::nullopt;
  if (auto It = Sums.find(N); It != Sums.end()) {
    std::optional<unsigned> Base = inLowBits(It->second.first, Ty, Depth + 1);
    return Base ? std::optional(plus(*Base, It->second.second, Ty)) : std::nullopt;
  }
  llvm::SmallVector<unsigned, 2> Ops;
  for (unsigned Op : O.Operands) {
    std::optional<unsigned> X = inLowBits(Op, Ty, Depth + 1);
    if (!X)
      return std::nullopt;
    Ops.push_back(*X);
  }
  auto By = Shifts.find(N);
  return make(O.Class, Ty, Ops, {By == Shifts.end() ? uint64_t(N) : uint64_t(By->second)});
}

void Lowering::lanesOf(unsigned N, Lanes &Out) const {
  const Operation &O = P.Ops[N];
  if (O.Class == OpClass::Pack) {
    Out.append(O.From.begin(), O.From.end());
    return;
  }
  for (unsigned I = 0; I < O.Lanes; ++I)
    Out.push_back({N, uint8_t(I)});
}

unsigned Lowering::pack(const Type *Ty, const Lanes &From) {
  auto [First, Lane] = From.front();
  bool Whole = P.Ops[First].Lanes == From.size(), Same = true;
  for (auto [I, L] : llvm::enumerate(From)) {
    Whole &= L.first == First && L.second == I;
    Same &= L == From.front();
  }
  if (Whole)
    return First;
  if (Same && P.Ops[First].Lanes == 1)
    return make(OpClass::Alias, Ty, {First});
  Operation O;
  O.Class = OpClass::Pack;
  O.Ty = Ty;
  O.Float = Ty->isFloat();
  O.Bits = elementBits(Ty);
  O.Lanes = Ty->Lanes;
  O.From.assign(From.begin(), From.end());
  for (auto [N, L] : From)
    if (!llvm::is_contained(O.Operands, N))
      O.Operands.push_back(N);
  return numbered(std::move(O));
}

unsigned Lowering::swizzle(const Expr *E) {
  Lanes All, Chosen;
  lanesOf(value(E->Ops[0]), All);
  for (uint8_t L : E->LaneIdx)
    Chosen.push_back(All[L]);
  return pack(E->Ty, Chosen);
}

unsigned Lowering::construct(const Expr *E) {
  Lanes All;
  for (const Expr *X : E->Ops)
    lanesOf(value(X), All);
  if (All.size() != E->Ty->Lanes)
    return make(OpClass::Alias, E->Ty, {All.front().first});
  return pack(E->Ty, All);
}

unsigned Lowering::call(const Expr *E) {
  llvm::SmallVector<unsigned, 3> Ops;
  for (const Expr *X : E->Ops)
    Ops.push_back(value(X));
  uint64_t Name = llvm::xxh3_64bits(E->Name);
  if (E->Name == "clamp" && Ops.size() == 3) {
    unsigned Low = make(OpClass::MinMax, E->Ty, {Ops[0], Ops[1]}, {1});
    return make(OpClass::MinMax, E->Ty, {Low, Ops[2]}, {2});
  }
  if (E->Name == "dot" && Ops.size() == 2) {
    const Type *Of = E->Ops[0]->Ty;
    unsigned Product = make(OpClass::Multiply, Of, {Ops[0], Ops[1]});
    return Of->Lanes == 1 ? Product : make(OpClass::MultiplyAdd, Of, {Product}, {Name});
  }
  OpClass C = simpleFunction(E->Name);
  Operation O;
  O.Class = C;
  O.Ty = E->Ty;
  O.Lanes = E->Ty->Lanes;
  O.Bits = elementBits(E->Ops.empty() ? E->Ty : E->Ops[0]->Ty);
  O.Float = E->Ty->isFloat();
  O.Operands = Ops;
  if (C == OpClass::Function)
    O.Special = costClass(D, E->Name);
  return numbered(std::move(O), {Name});
}

unsigned Lowering::variable(const Var *V) {
  if (auto It = Values.find(V); It != Values.end())
    return It->second;
  if (V->K == Var::Param)
    return make(OpClass::Leaf, V->Ty, {}, {3, uint64_t(reinterpret_cast<uintptr_t>(V))});
  return Values[V] = fresh(V->Ty); // not set yet
}

unsigned Lowering::value(const Expr *E) {
  const Expr *Outer = std::exchange(Of, E);
  unsigned N = lowered(E);
  Of = Outer;
  return N;
}

unsigned Lowering::lowered(const Expr *E) {
  switch (E->K) {
  case ExprKind::IntConst:
    return integer(E->Int, E->Ty);
  case ExprKind::FloatConst:
    return floating(E->Float, E->Ty);
  case ExprKind::VarRef:
    return variable(E->V);
  case ExprKind::WorkItem: {
    unsigned N = make(OpClass::Leaf, E->Ty, {}, {4, uint64_t(E->Query), E->Dim});
    Ids.insert(N);
    return N;
  }
  case ExprKind::Unary: {
    unsigned X = value(E->Ops[0]);
    if (std::optional<int64_t> C = constant(X); C && E->Ty->isInteger())
      return integer(E->O == Op::Neg ? -*C : E->O == Op::BitNot ? ~*C : !*C, E->Ty);
    OpClass C = E->O == Op::BitNot                      ? OpClass::Bitwise
                : E->O == Op::Neg && E->Ty->isInteger() ? OpClass::Add
                                                        : OpClass::Alias;
    return make(C, E->Ty, {X}, {uint64_t(E->O)});
  }
  case ExprKind::Binary:
    return binary(E);
  case ExprKind::Cast:
    return cast(E);
  case ExprKind::Select: {
    unsigned C = value(E->Ops[0]);
    if (std::optional<int64_t> V = constant(C); V && E->Ops[0]->Ty->isScalar())
      return value(E->Ops[*V ? 1 : 2]);
    unsigned X = value(E->Ops[1]), Y = value(E->Ops[2]);
    return X == Y ? X : make(OpClass::Select, E->Ty, {C, X, Y});
  }
  case ExprKind::Load:
    return load(E);
  case ExprKind::Swizzle:
    return swizzle(E);
  case ExprKind::VectorCtor:
    return construct(E);
  case ExprKind::Call:
    return call(E);
  case ExprKind::ImageRead:
    return texel(E);
  case ExprKind::ImageQuery:
    return make(OpClass::Leaf, E->Ty, {},
                {6, uint64_t(reinterpret_cast<uintptr_t>(E->Image)), llvm::xxh3_64bits(E->Name)});
  case ExprKind::HelperCall:
  case ExprKind::Opaque: {
    // An unknown operation: its result takes registers as a load's does.
    llvm::SmallVector<unsigned, 3> Operands;
    for (const Expr *X : E->Ops)
      Operands.push_back(value(X));
    if (Operands.empty())
      Operands.push_back(make(OpClass::Leaf, E->Ty, {}, {5}));
    unsigned N = fresh(E->Ty);
    P.Ops[N].Operands = Operands;
    return N;
  }
  }
  return fresh(E->Ty);
}

} // namespace clmali::model
