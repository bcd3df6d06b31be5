//===-- checks/model/cost/Lowering.cpp - A kernel as the compiler executes it --===//
//
// Executes the kernel symbolically: each variable has the number of an operation, and an operation
// that exists already is not made again (value numbering by a hash of class, type and operands).
//
//===----------------------------------------------------------------------===//

#include "checks/model/cost/Lowering.h"
#include "checks/model/cost/TripCount.h"
#include "checks/model/ir/Traversal.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/xxhash.h"
#include <cmath>
#include <cstring>
#include <map>

namespace clmali::model {

llvm::StringRef name(OpClass C) {
  static constexpr llvm::StringLiteral Names[] = {
      "leaf",    "alias",           "add",          "multiply", "multiply-high", "multiply-add",
      "shift",   "bitwise",         "compare",      "min-max",  "select",        "saturate",
      "average", "widen",           "narrow",       "from-int", "to-int",        "resize",
      "divide",  "divide-by-const", "float-divide", "function", "pack",          "extend",
      "scale",   "address",         "offset",       "control",  "barrier",       "copy",
      "load",    "store",           "atomic"};
  static_assert(std::size(Names) == OpClasses);
  return Names[unsigned(C)];
}

bool Program::isInside(unsigned R, unsigned Ancestor) const {
  for (; R != Ancestor; R = Regions[R].Parent)
    if (!R)
      return false;
  return true;
}

namespace {

/// Bits of an element in a register.
unsigned elementBits(const Type *Ty) {
  return Ty->Scalar == ScalarKind::Bool ? 32 : sizeInBits(Ty->Scalar);
}

int64_t wrapped(int64_t V, const Type *Ty) {
  unsigned Bits = elementBits(Ty);
  if (Bits >= 64)
    return V;
  uint64_t Low = uint64_t(V) & ((uint64_t(1) << Bits) - 1);
  bool Negative = isSigned(Ty->Scalar) && ((Low >> (Bits - 1)) & 1);
  return int64_t(Negative ? Low | ~((uint64_t(1) << Bits) - 1) : Low);
}

/// The class of a function that GPUs have as an instruction or a few.
OpClass simpleFunction(llvm::StringRef Name) {
  return llvm::StringSwitch<OpClass>(Name)
      .Cases("min", "max", "fmin", "fmax", OpClass::MinMax)
      .Cases("mad", "fma", "mad24", "mad_hi", "mix", OpClass::MultiplyAdd)
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
rules::CostClass costClass(const rules::DeviceFacts &D, llvm::StringRef Name) {
  for (llvm::StringRef Prefix : {"native_", "half_"})
    if (Name.consume_front(Prefix))
      return rules::CostClass::Low;
  rules::CostClass C = D.functionCost(Name);
  for (const rules::DeviceFacts &F : rules::families())
    if (C == rules::CostClass::Unknown)
      C = F.functionCost(Name);
  return C;
}

class Lowering {
public:
  Lowering(const KernelAnalysis &A, const rules::DeviceFacts &D) : A(A), D(D) {
    auto Number = [&](llvm::StringRef Name, unsigned Default) {
      const rules::Fact *F = D.fact(Name);
      return F ? unsigned(F->Value) : Default;
    };
    UnrolledTrips = Number("unrolled-trips", 0);
    UnrolledOperations = Number("unrolled-operations", 0);
    P.Regions.emplace_back();
  }

  Program run() {
    block(A.kernel().Body);
    markUsed();
    markNamed();
    return std::move(P);
  }

private:
  const KernelAnalysis &A;
  const rules::DeviceFacts &D;
  Program P;
  unsigned UnrolledTrips = 0, UnrolledOperations = 0;
  unsigned Now = 0; ///< the present region
  const Stmt *At = nullptr;
  llvm::DenseMap<uint64_t, unsigned> Known; ///< operations by their hash
  std::vector<uint64_t> Added;              ///< their hashes in the order of addition
  llvm::DenseMap<const Var *, unsigned> Values;
  std::map<std::pair<const Var *, int64_t>, unsigned> Elements; ///< of private arrays
  /// Constants: integers and floating point.
  llvm::DenseMap<unsigned, int64_t> Ints;
  llvm::DenseMap<unsigned, double> Floats;
  llvm::DenseSet<unsigned> Ids; ///< work-item functions
  /// Operation N is Sums[N].first + Sums[N].second.
  llvm::DenseMap<unsigned, std::pair<unsigned, int64_t>> Sums;
  unsigned Epoch = 0; ///< changes with each store and barrier

  //--- Operations.

  /// The region, at most the present one, in which an operation with these operands is executed:
  /// outside of loops that do not change them.
  unsigned regionFor(llvm::ArrayRef<unsigned> Operands) const {
    unsigned R = Now;
    while (P.Regions[R].K == Region::Loop &&
           llvm::none_of(Operands, [&](unsigned O) { return P.isInside(P.Ops[O].Region, R); }))
      R = P.Regions[R].Parent;
    return R;
  }

  unsigned append(Operation O, bool Hoist) {
    O.Region = Hoist ? regionFor(O.Operands) : Now;
    unsigned N = P.Ops.size();
    P.Regions[O.Region].Order.push_back(int(N));
    P.Ops.push_back(std::move(O));
    return N;
  }

  static uint64_t hash(const Operation &O, llvm::ArrayRef<uint64_t> More) {
    llvm::SmallVector<uint64_t, 24> Words = {uint64_t(O.Class) | uint64_t(O.Float) << 8 |
                                                 uint64_t(O.Bits) << 16 | uint64_t(O.Lanes) << 24 |
                                                 uint64_t(O.Special) << 32,
                                             uint64_t(reinterpret_cast<uintptr_t>(O.Ty))};
    llvm::append_range(Words, O.Operands);
    for (auto [Op, Lane] : O.From)
      Words.push_back(uint64_t(Op) << 8 | Lane);
    Words.push_back(~uint64_t(0));
    llvm::append_range(Words, More);
    return llvm::xxh3_64bits(llvm::ArrayRef<uint8_t>(
        reinterpret_cast<const uint8_t *>(Words.data()), Words.size() * sizeof(uint64_t)));
  }

  /// The operation O; More tells apart operations that are equal otherwise.
  unsigned numbered(Operation O, llvm::ArrayRef<uint64_t> More = {}) {
    uint64_t H = hash(O, More);
    auto [It, New] = Known.try_emplace(H, unsigned(P.Ops.size()));
    if (!New)
      return It->second;
    Added.push_back(H);
    return append(std::move(O), true);
  }

  unsigned makeWide(OpClass C, const Type *Ty, unsigned Bits, llvm::ArrayRef<unsigned> Operands,
                    llvm::ArrayRef<uint64_t> More = {}) {
    Operation O;
    O.Class = C;
    O.Ty = Ty;
    O.Float = Ty->isFloat();
    O.Bits = Bits;
    O.Lanes = Ty->Lanes;
    O.Operands.assign(Operands.begin(), Operands.end());
    return numbered(std::move(O), More);
  }
  unsigned make(OpClass C, const Type *Ty, llvm::ArrayRef<unsigned> Operands,
                llvm::ArrayRef<uint64_t> More = {}) {
    return makeWide(C, Ty, elementBits(Ty), Operands, More);
  }

  /// A value that equals no other one.
  unsigned fresh(const Type *Ty) {
    Operation O;
    O.Ty = Ty;
    O.Lanes = Ty->Lanes;
    O.Bits = Ty->isValue() ? elementBits(Ty) : 32;
    return append(std::move(O), false);
  }

  unsigned integer(int64_t V, const Type *Ty) {
    V = wrapped(V, Ty);
    unsigned N = make(OpClass::Leaf, Ty, {}, {1, uint64_t(V)});
    Ints[N] = V;
    return N;
  }
  unsigned floating(double V, const Type *Ty) {
    uint64_t Bits;
    std::memcpy(&Bits, &V, sizeof Bits);
    unsigned N = make(OpClass::Leaf, Ty, {}, {2, Bits});
    Floats[N] = V;
    return N;
  }
  std::optional<int64_t> constant(unsigned N) const {
    auto It = Ints.find(N);
    return It == Ints.end() ? std::nullopt : std::optional(It->second);
  }
  bool isConstant(unsigned N) const { return Ints.contains(N) || Floats.contains(N); }

  bool isId(unsigned N) const { return Ids.contains(N); }

  /// N as a value and a constant that is added to it.
  std::pair<unsigned, int64_t> sum(unsigned N) const {
    auto It = Sums.find(N);
    return It == Sums.end() ? std::pair(N, int64_t(0)) : It->second;
  }
  unsigned plus(unsigned Value, int64_t Constant, const Type *Ty) {
    if (!Constant)
      return Value;
    if (std::optional<int64_t> V = constant(Value))
      return integer(*V + Constant, Ty);
    unsigned N = make(OpClass::Add, Ty, {Value}, {uint64_t(Constant)});
    Sums[N] = {Value, Constant};
    return N;
  }

  //--- Expressions.

  static std::optional<int64_t> folded(Op O, int64_t X, int64_t Y) {
    switch (O) {
    case Op::Add:
      return int64_t(uint64_t(X) + uint64_t(Y));
    case Op::Sub:
      return int64_t(uint64_t(X) - uint64_t(Y));
    case Op::Mul:
      return int64_t(uint64_t(X) * uint64_t(Y));
    case Op::Div:
      return Y && Y != -1 ? std::optional(X / Y) : std::nullopt;
    case Op::Rem:
      return Y && Y != -1 ? std::optional(X % Y) : std::nullopt;
    case Op::Shl:
      return Y >= 0 && Y < 64 ? std::optional(int64_t(uint64_t(X) << Y)) : std::nullopt;
    case Op::Shr:
      return Y >= 0 && Y < 64 ? std::optional(X >> Y) : std::nullopt;
    case Op::And:
      return X & Y;
    case Op::Or:
      return X | Y;
    case Op::Xor:
      return X ^ Y;
    case Op::LT:
      return X < Y;
    case Op::LE:
      return X <= Y;
    case Op::GT:
      return X > Y;
    case Op::GE:
      return X >= Y;
    case Op::EQ:
      return X == Y;
    case Op::NE:
      return X != Y;
    case Op::LogicalAnd:
      return X && Y;
    case Op::LogicalOr:
      return X || Y;
    default:
      return std::nullopt;
    }
  }

  /// x + 0, x * 1, x << 0; sums and multiples of sums with constants.
  std::optional<unsigned> simplified(const Expr *E, unsigned X, unsigned Y) {
    if (!E->Ty->isScalar() || !E->Ty->isInteger())
      return std::nullopt;
    std::optional<int64_t> CX = constant(X), CY = constant(Y);
    if (CX && CY)
      if (std::optional<int64_t> V = folded(E->O, *CX, *CY))
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

  static llvm::SmallVector<unsigned, 2> ordered(unsigned X, unsigned Y, bool Commutes) {
    return Commutes && Y < X ? llvm::SmallVector<unsigned, 2>{Y, X}
                             : llvm::SmallVector<unsigned, 2>{X, Y};
  }

  unsigned multiple(unsigned X, int64_t By, const Type *Ty) {
    bool Shift = (By & (By - 1)) == 0;
    unsigned N = make(Shift ? OpClass::Shift : OpClass::Multiply, Ty, {X}, {uint64_t(By)});
    Shifts[N] = By;
    return N;
  }

  /// A constant, or a constant for all lanes.
  std::optional<int64_t> splatConstant(unsigned N) const {
    const Operation &O = P.Ops[N];
    if (O.Class == OpClass::Alias && O.Operands.size() == 1)
      return splatConstant(O.Operands[0]);
    return constant(N);
  }

  OpClass classOf(const Expr *E, unsigned Y) const {
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

  unsigned binary(const Expr *E) {
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

  /// X within the limits of the type that E converts to, and rounded, where E says so.
  unsigned clamped(const Expr *E, unsigned X) {
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

  unsigned cast(const Expr *E) {
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

  /// N, a scalar of 64 bits, with what depends on its low 32 bits alone computed in 32 bits; none:
  /// something else takes part.
  std::optional<unsigned> inLowBits(unsigned N, const Type *Ty, unsigned Depth = 0) {
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
  llvm::DenseMap<unsigned, int64_t> Shifts; ///< multiples by a constant, and that

  using Lanes = llvm::SmallVector<std::pair<unsigned, uint8_t>, 16>;

  /// Adds the lanes of operation N.
  void lanesOf(unsigned N, Lanes &Out) const {
    const Operation &O = P.Ops[N];
    if (O.Class == OpClass::Pack) {
      Out.append(O.From.begin(), O.From.end());
      return;
    }
    for (unsigned I = 0; I < O.Lanes; ++I)
      Out.push_back({N, uint8_t(I)});
  }

  unsigned pack(const Type *Ty, const Lanes &From) {
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

  unsigned swizzle(const Expr *E) {
    Lanes All, Chosen;
    lanesOf(value(E->Ops[0]), All);
    for (uint8_t L : E->LaneIdx)
      Chosen.push_back(All[L]);
    return pack(E->Ty, Chosen);
  }

  unsigned construct(const Expr *E) {
    Lanes All;
    for (const Expr *X : E->Ops)
      lanesOf(value(X), All);
    if (All.size() != E->Ty->Lanes)
      return make(OpClass::Alias, E->Ty, {All.front().first});
    return pack(E->Ty, All);
  }

  unsigned call(const Expr *E) {
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

  unsigned variable(const Var *V) {
    if (auto It = Values.find(V); It != Values.end())
      return It->second;
    if (V->K == Var::Param)
      return make(OpClass::Leaf, V->Ty, {}, {3, uint64_t(reinterpret_cast<uintptr_t>(V))});
    return Values[V] = fresh(V->Ty); // not set yet
  }

  unsigned value(const Expr *E) {
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
    case ExprKind::Opaque:
      for (const Expr *X : E->Ops)
        value(X);
      return fresh(E->Ty);
    }
    return fresh(E->Ty);
  }

  //--- Memory.

  struct Location {
    llvm::SmallVector<unsigned, 2> Index; ///< without their constants
    llvm::SmallVector<uint64_t, 4> Key;   ///< object, strides
    int64_t Offset = 0;                   ///< bytes
  };

  Location locate(const Access &Acc) {
    Location L;
    L.Offset = Acc.Disp;
    L.Key.push_back(uint64_t(reinterpret_cast<uintptr_t>(Acc.Base)));
    for (auto [I, Ix] : llvm::enumerate(Acc.Index)) {
      auto [N, Constant] = sum(value(Ix));
      if (std::optional<int64_t> V = constant(N)) {
        L.Offset += (*V + Constant) * int64_t(Acc.Stride[I]);
        continue;
      }
      L.Offset += Constant * int64_t(Acc.Stride[I]);
      L.Index.push_back(N);
      L.Key.push_back(Acc.Stride[I]);
    }
    return L;
  }

  static bool isPrivate(const Access &Acc) { return Acc.Base->space() == AddressSpace::Private; }

  /// The address of an access: indices are extended to its width, scaled, and added to the object.
  unsigned address(const Access &Acc, const Location &L) {
    const Type *Ty = addressType();
    unsigned Bits = Acc.Base->space() == AddressSpace::Local ? 32 : 64;
    llvm::SmallVector<unsigned, 2> Index;
    for (auto [I, Value] : llvm::enumerate(L.Index)) {
      unsigned N = Value;
      if (P.Ops[N].Bits < Bits)
        N = makeWide(OpClass::Extend, Ty, Bits, {N});
      uint64_t By = L.Key[1 + I];
      if (By > 1)
        N = makeWide(OpClass::Scale, Ty, Bits, {N}, {By});
      Index.push_back(N);
    }
    unsigned First = makeWide(OpClass::Address, Ty, Bits, Index, L.Key);
    if (auto [It, New] = FirstOffset.try_emplace(First, L.Offset); New || It->second == L.Offset)
      return First;
    llvm::SmallVector<unsigned, 3> From = {First};
    return makeWide(OpClass::Offset, Ty, Bits, From, {uint64_t(L.Offset)});
  }
  llvm::DenseMap<unsigned, int64_t> FirstOffset; ///< of the first access at an address

  static const Type *addressType() {
    static const Type Ty = [] {
      Type T;
      T.K = Type::Value;
      T.Scalar = ScalarKind::ULong;
      T.Size = 8;
      return T;
    }();
    return &Ty;
  }

  unsigned load(const Expr *E) {
    const Access &Acc = E->Acc;
    Location L = locate(Acc);
    if (isPrivate(Acc) && L.Index.empty())
      if (auto It = Elements.find({Acc.Base, L.Offset}); It != Elements.end())
        return It->second;
    if (L.Index.empty() && !Acc.Base->Ints.empty() && Acc.Lanes == 1 && !Acc.Disp) {
      size_t I = size_t(L.Offset) / sizeInBytes(Acc.Elem);
      if (I < Acc.Base->Ints.size())
        return integer(Acc.Base->Ints[I], E->Ty);
    }
    Operation O;
    O.Class = OpClass::Load;
    O.Ty = E->Ty;
    O.Lanes = E->Ty->Lanes;
    O.Bits = elementBits(E->Ty);
    if (!isPrivate(Acc))
      O.Operands.push_back(address(Acc, L));
    else
      O.Operands.assign(L.Index.begin(), L.Index.end());
    O.Acc = &Acc;
    O.At = At;
    uint64_t Version = Acc.Base->space() == AddressSpace::Constant ? 0 : Epoch + 1;
    L.Key.push_back(uint64_t(L.Offset));
    L.Key.push_back(Version);
    return numbered(std::move(O), L.Key);
  }

  void effect(OpClass C, const Access *Acc, llvm::ArrayRef<unsigned> Operands) {
    Operation O;
    O.Class = C;
    O.Acc = Acc;
    O.At = At;
    O.Operands.assign(Operands.begin(), Operands.end());
    if (Acc) {
      O.Lanes = Acc->Lanes;
      O.Bits = 8 * sizeInBytes(Acc->Elem);
    }
    append(std::move(O), false);
  }

  void store(const Stmt &S) {
    unsigned V = value(S.E);
    Location L = locate(S.Acc);
    if (isPrivate(S.Acc)) {
      if (L.Index.empty()) {
        Elements[{S.Acc.Base, L.Offset}] = V;
        return;
      }
      forgetElements(S.Acc.Base);
      effect(OpClass::Store, &S.Acc, {V});
      return;
    }
    effect(OpClass::Store, &S.Acc, {address(S.Acc, L), V});
    ++Epoch;
  }

  void forgetElements(const Var *Array) {
    for (auto It = Elements.begin(); It != Elements.end();)
      It = It->first.first == Array ? Elements.erase(It) : std::next(It);
  }

  //--- Statements.

  void block(const StmtList &B) {
    for (const Stmt *S : B)
      statement(*S);
  }

  void assign(const Stmt &S) {
    unsigned V = value(S.E);
    if (S.LaneIdx.empty()) {
      Values[S.V] = V;
      return;
    }
    Lanes Old, New;
    lanesOf(variable(S.V), Old);
    lanesOf(V, New);
    for (auto [I, Lane] : llvm::enumerate(S.LaneIdx))
      Old[Lane] = New[std::min(I, New.size() - 1)];
    Values[S.V] = pack(S.V->Ty, Old);
  }

  unsigned enter(Region::Kind K, double Times) {
    Region R;
    R.K = K;
    R.Parent = Now;
    R.Times = P.Regions[Now].Times * Times;
    unsigned N = P.Regions.size();
    P.Regions.push_back(std::move(R));
    P.Regions[Now].Order.push_back(~int(N));
    return Now = N;
  }
  /// What was computed inside the region is not known behind it.
  void leave(size_t AddedBefore) {
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

  void path(const StmtList &B) {
    size_t Before = Added.size();
    enter(Region::Path, 1);
    block(B);
    leave(Before);
  }

  void branch(const Stmt &S) {
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

  /// Values where two paths meet. A variable that only one of them has set has its value.
  void join(const llvm::DenseMap<const Var *, unsigned> &Then,
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

  /// Instructions of the statements, in registers of 32 bits.
  static double size(const StmtList &B) {
    double N = 0;
    for (ExprAt X : exprs(B))
      if (X->K == ExprKind::Binary || X->K == ExprKind::Call || X->K == ExprKind::Load ||
          X->K == ExprKind::Select)
        N += X->Ty->isValue() ? std::max(1.0, X->Ty->Lanes * elementBits(X->Ty) / 32.0) : 1;
    return N;
  }

  bool isUnrolled(const Stmt &S) const {
    std::optional<CountedLoop> L = A.countedLoop(&S);
    if (!L || !L->TripCount || *L->TripCount > int64_t(UnrolledTrips))
      return false;
    return size(S.Body) * double(*L->TripCount) <= UnrolledOperations;
  }

  void loop(const Stmt &S) {
    if (S.Rare)
      return;
    block(S.Init);
    if (isUnrolled(S)) {
      int64_t Trips = *A.countedLoop(&S)->TripCount;
      for (int64_t I = 0; I < Trips; ++I) {
        block(S.Body);
        block(S.Step);
      }
      return;
    }
    size_t Before = Added.size();
    // Variables that the loop sets, and memory, are unknown inside.
    enter(Region::Loop, expectedTrips(A, &S));
    std::vector<std::pair<const Var *, unsigned>> Carried;
    for (const StmtList *B : {&S.Body, &S.Step})
      for (const Stmt *X : stmts(*B)) {
        if (X->V && X->V->K == Var::Temp && Values.count(X->V) &&
            llvm::none_of(Carried, [&](auto &C) { return C.first == X->V; })) {
          unsigned N = fresh(X->V->Ty);
          P.Ops[N].Operands = {Values[X->V]};
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

  /// The elements of a private array that a loop sets.
  void carryElements(const Var *Array) {
    for (auto &[Key, N] : Elements)
      if (Key.first == Array && P.Ops[N].Region != Now) {
        unsigned New = fresh(P.Ops[N].Ty);
        P.Ops[New].Operands = {N};
        N = New;
      }
  }

  void statement(const Stmt &S) {
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

  /// Atomics, copies and calls.
  void other(const Stmt &S) {
    llvm::SmallVector<unsigned, 3> Ops;
    for (const Expr *X : S.Args)
      Ops.push_back(value(X));
    if (S.E)
      Ops.push_back(value(S.E));
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

  //--- The rest.

  void markUsed() {
    std::vector<unsigned> Pending;
    for (auto [N, O] : llvm::enumerate(P.Ops))
      if (O.Used || O.Class == OpClass::Store || O.Class == OpClass::Control ||
          O.Class == OpClass::Barrier || O.Class == OpClass::Copy || O.Class == OpClass::Atomic)
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

  /// A conversion of a lane takes it from any position of a register.
  void markNamed() {
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
};

} // namespace

Program lower(const KernelAnalysis &A, const rules::DeviceFacts &D) { return Lowering(A, D).run(); }

} // namespace clmali::model
