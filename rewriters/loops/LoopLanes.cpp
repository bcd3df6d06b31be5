//===-- rewriters/loops/LoopLanes.cpp - Rounds of a loop as lanes ----------------===//
//
// What it does: a loop that sums up (or multiplies, or takes the largest of) what its
// rounds give goes several rounds at once, with a partial sum in each lane:
//
//   before                               after, 4 lanes
//   float s = 0;                         float s = 0;
//   for (int k = 0; k < n; ++k)          float4 s_v = (float4)(0);
//     s += a[k] * b[k];                  int k = 0;
//                                        for (; k < (n & -4); k += 4)
//                                          s_v += vload4(0, a + k) * vload4(0, b + k);
//                                        for (; k < n; ++k)
//                                          s += a[k] * b[k];
//                                        s += s_v.s0 + s_v.s1 + s_v.s2 + s_v.s3;
//
// The partial sums live as long as nothing but such sums touches the variable: across
// the loops around, too. Integers wrap, so theirs are exact in any order (computed
// unsigned, where an overflow means nothing); floating point is regrouped only where
// that is allowed.
//
// What is a sum and how its lanes are joined stands in LoopSums.cpp.
//
// Limits: the body computes only, and each round is on its own but for the sums.
// Nothing is loaded that the rounds do not load. Where the best element's place is kept
// too, the order matters, and nothing is done.
//
//===----------------------------------------------------------------------===//

#include "rewriters/loops/LoopLanes.h"
#include "rewriters/pass/Passes.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/StringSwitch.h"

namespace clmali::rewrite {

using namespace model;

namespace {

/// Functions of one value for each lane, as exact for vectors as for scalars.
bool hasVectorForm(llvm::StringRef Name) {
  for (llvm::StringRef Prefix : {"native_", "half_"})
    if (Name.consume_front(Prefix))
      break;
  return llvm::StringSwitch<bool>(Name)
      .Cases("exp", "exp2", "exp10", "expm1", "log", "log2", "log10", "log1p", true)
      .Cases("pow", "powr", "sin", "cos", "tan", "asin", "acos", "atan", "atan2", true)
      .Cases("sinh", "cosh", "tanh", "sinpi", "cospi", "hypot", "cbrt", "rsqrt", true)
      .Cases("erf", "erfc", "fmod", "mix", "step", "smoothstep", "sign", "fdim", true)
      .Cases("recip", "divide", true)
      .Default(false);
}

} // namespace

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

const Type *LoopLanes::lanesOf(const Type *T) {
  return M.value(T->Scalar == ScalarKind::Bool ? ScalarKind::Int : T->Scalar, N);
}

Var *LoopLanes::newVar(llvm::StringRef Name, const Type *Ty) {
  Var *V = M.newVar(Var::Temp, uniqueName(K, Name), Ty);
  K.Vars.push_back(V);
  return V;
}

const Expr *LoopLanes::hold(const Expr *E, llvm::StringRef Name) {
  if (E->K == ExprKind::VarRef || E->K == ExprKind::IntConst || E->K == ExprKind::FloatConst)
    return E;
  Stmt *D = M.newStmt(StmtKind::Decl);
  D->V = newVar(Name, E->Ty);
  D->E = E;
  Cur->push_back(D);
  return M.ref(D->V);
}

const Expr *LoopLanes::splat(const Expr *E, const Type *Lanes) {
  if (E->Ty->Scalar != Lanes->Scalar)
    E = M.cast(E, M.value(Lanes->Scalar), true);
  Expr *S = M.newExpr(ExprKind::Cast, Lanes, E->Range);
  S->C = CastOp::Splat;
  S->Ops = {E};
  return S;
}

/// V, of scalar type Ty, as a vector.
const Expr *LoopLanes::vec(const Value &V, const Type *Ty) {
  const Type *Lanes = lanesOf(Ty);
  switch (V.K) {
  case Value::Vector:
    return V.E;
  case Value::Mask: {
    const Type *Ones = Ty->isFloat() ? M.value(ScalarKind::Int, N) : Lanes;
    const Expr *E = mask(V, Ones);
    if (E->Ty != Ones)
      E = M.cast(E, Ones);
    E = M.binary(Op::And, E, splat(M.intConst(1, Ones->Scalar), Ones));
    return Ones == Lanes ? E : M.cast(E, Lanes);
  }
  case Value::Uniform:
    return splat(V.E, Lanes);
  case Value::Linear:
    break;
  }
  llvm::SmallVector<const Expr *, 16> Steps;
  for (unsigned L = 0; L < N; ++L)
    Steps.push_back(M.intConst(int64_t(L) * V.Stride, M.value(Lanes->Scalar)));
  return M.binary(Op::Add, splat(V.E, Lanes), M.vectorCtor(Lanes, Steps));
}

/// V, a truth value, as a mask whose lanes are as wide as Like's.
const Expr *LoopLanes::mask(const Value &V, const Type *Like) {
  const Type *MT = M.comparisonType(lanesOf(Like)->isVector() ? lanesOf(Like) : Like);
  const Expr *E = V.E;
  if (V.K != Value::Mask) {
    const Type *Own = M.value(V.E->Ty->Scalar);
    E = vec(V, Own);
    const Type *Elem = M.value(E->Ty->Scalar);
    E = M.binary(Op::NE, E,
                 splat(Own->isFloat() ? M.floatConst(0, Elem) : M.intConst(0, Elem), E->Ty));
  }
  return E->Ty == MT ? E : M.cast(E, MT);
}

/// How E differs from round to round, nothing computed.
LoopLanes::Value LoopLanes::shape(const Expr *E) const {
  switch (E->K) {
  case ExprKind::VarRef: {
    auto It = Now.find(E->V);
    return It == Now.end() ? Value{Value::Uniform, E} : It->second;
  }
  case ExprKind::IntConst:
  case ExprKind::FloatConst:
  case ExprKind::WorkItem:
    return {Value::Uniform, E};
  default:
    break;
  }
  llvm::SmallVector<Value, 3> Ops;
  bool Same = true;
  forEachOperand(*E, [&](const Expr *X) {
    Ops.push_back(shape(X));
    Same &= Ops.back().K == Value::Uniform;
  });
  if (Same)
    return {Value::Uniform, E};
  Value Varies{Value::Vector, E};
  if (!isIntScalar(E->Ty) || sizeInBits(E->Ty->Scalar) < 32 ||
      llvm::any_of(Ops, [](const Value &V) { return V.K >= Value::Vector; }))
    return Varies;
  int64_t Stride = 0;
  if (E->K == ExprKind::Binary && (E->O == Op::Add || E->O == Op::Sub))
    Stride = E->O == Op::Add ? Ops[0].Stride + Ops[1].Stride : Ops[0].Stride - Ops[1].Stride;
  else if (E->K == ExprKind::Binary && E->O == Op::Mul && constantValue(E->Ops[1]))
    Stride = Ops[0].Stride * *constantValue(E->Ops[1]);
  else if (E->K == ExprKind::Binary && E->O == Op::Mul && constantValue(E->Ops[0]))
    Stride = Ops[1].Stride * *constantValue(E->Ops[0]);
  else if (E->K == ExprKind::Binary && E->O == Op::Shl && Ops[1].K == Value::Uniform &&
           constantValue(E->Ops[1]) && *constantValue(E->Ops[1]) >= 0 &&
           *constantValue(E->Ops[1]) < 16)
    Stride = Ops[0].Stride << *constantValue(E->Ops[1]);
  else if (E->K == ExprKind::Unary && E->O == Op::Neg)
    Stride = -Ops[0].Stride;
  else if (E->K == ExprKind::Cast && E->C == CastOp::Convert && isIntScalar(E->Ops[0]->Ty) &&
           // A number that wraps at 32 bits is none of steps at 64; an index in bounds does not
           // wrap.
           (InIndex || isSigned(E->Ops[0]->Ty->Scalar) ||
            sizeInBits(E->Ty->Scalar) <= sizeInBits(E->Ops[0]->Ty->Scalar)))
    Stride = Ops[0].Stride;
  else
    return Varies;
  if (!Stride || Stride > 65536 || Stride < -65536)
    return Varies;
  return {Value::Linear, E, Stride};
}

/// E for one lane, as a scalar.
const Expr *LoopLanes::lane(const Expr *E, unsigned L) {
  if (E->K == ExprKind::VarRef) {
    auto It = Now.find(E->V);
    return It == Now.end() ? E : laneOf(It->second, L, E->Ty);
  }
  Value Sh = shape(E);
  if (Sh.K == Value::Uniform || Sh.K == Value::Linear || E->K == ExprKind::Load ||
      E->K == ExprKind::Call) {
    Value V = eval(E);
    if (Failed)
      return E;
    if (V.K == Value::Vector && V.E->K != ExprKind::VarRef) {
      if (Lazy)
        return fail(E);
      V.E = hold(V.E, "lanes");
    }
    return laneOf(V, L, E->Ty);
  }
  return simplify(M, mapOperands(M, E, [&](const Expr *X) { return lane(X, L); }));
}

const Expr *LoopLanes::laneOf(const Value &V, unsigned L, const Type *Ty) {
  switch (V.K) {
  case Value::Uniform:
    return V.E;
  case Value::Linear:
    return L ? simplify(M, M.binary(Op::Add, V.E, M.intConst(int64_t(L) * V.Stride, V.E->Ty)))
             : V.E;
  case Value::Vector:
    return M.swizzle(V.E, {uint8_t(L)});
  case Value::Mask: {
    const Expr *Bit = M.swizzle(V.E, {uint8_t(L)});
    const Expr *Set = M.binary(Op::NE, Bit, M.intConst(0, Bit->Ty));
    return Set->Ty == Ty ? Set : M.cast(Set, Ty, true);
  }
  }
  return V.E;
}

LoopLanes::Value LoopLanes::evalLoad(const Expr *E) {
  const Access &Acc = E->Acc;
  Access First = Acc;
  int64_t Stride = 0;
  bool Linear = true;
  bool WasIndex = std::exchange(InIndex, true);
  for (size_t D = 0; D < Acc.Index.size() && !Failed; ++D) {
    if (shape(Acc.Index[D]).K >= Value::Vector) {
      Linear = false;
      break;
    }
    Value V = eval(Acc.Index[D]);
    First.Index[D] = V.E;
    Stride += V.K == Value::Linear ? V.Stride * int64_t(Acc.Stride[D]) : 0;
  }
  auto Restore = llvm::make_scope_exit([&] { InIndex = WasIndex; });
  if (Failed || Acc.Volatile)
    return {Value::Uniform, fail(E)};
  if (Linear) {
    // Lanes that would not load it: only what all of them have loaded.
    bool Known = llvm::any_of(Loaded, [&](const Access &X) { return equal(X, First); });
    if (Masked && !Known)
      return {Value::Uniform, fail(E)};
    if (!Masked && !Lazy && !Known)
      Loaded.push_back(First);
  } else if (Masked) {
    return {Value::Uniform, fail(E)};
  }
  if (Linear && !Stride)
    return {Value::Uniform, M.load(First)};
  if (Acc.Lanes > 1)
    return {Value::Uniform, fail(E)};
  const Type *Ty = lanesOf(E->Ty);
  int64_t Size = sizeInBytes(Acc.Elem);
  bool Whole = Acc.Base->space() != AddressSpace::Private && !Acc.Base->ProgramScope &&
               Acc.Elem != ScalarKind::Bool && Acc.Path.empty() && !Acc.Disp &&
               !Acc.Index.empty() && Acc.Stride.back() == Size;
  bool Down = Linear && Stride == -Size;
  // Only the last index moves, so that counting back from it is right.
  if (Down)
    for (size_t D = 0; D + 1 < Acc.Index.size(); ++D)
      Down &= shape(Acc.Index[D]).K == Value::Uniform;
  if (Linear && Whole && (Stride == Size || Down)) {
    First.F = Access::VLoad;
    First.Lanes = N;
    if (!Down)
      return {Value::Vector, M.load(First)};
    const Expr *&Last = First.Index.back();
    Last = simplify(M, M.binary(Op::Sub, Last, M.intConst(N - 1, Last->Ty)));
    llvm::SmallVector<uint8_t, 16> Reversed;
    for (unsigned L = N; L-- > 0;)
      Reversed.push_back(uint8_t(L));
    return {Value::Vector, M.swizzle(M.load(First), Reversed)};
  }
  if (Lazy)
    return {Value::Uniform, fail(E)};
  llvm::SmallVector<const Expr *, 16> Lanes;
  for (unsigned L = 0; L < N && !Failed; ++L) {
    Access One = Acc;
    for (const Expr *&Ix : One.Index)
      Ix = lane(Ix, L);
    Lanes.push_back(M.load(One));
  }
  if (Failed)
    return {Value::Uniform, E};
  return {Value::Vector, hold(M.vectorCtor(Ty, Lanes), Acc.Base->Name + "_v")};
}

const Expr *LoopLanes::fail(const Expr *E) {
  Failed = true;
  return E;
}

LoopLanes::Value LoopLanes::eval(const Expr *E) {
  if (Failed)
    return {Value::Uniform, E};
  Value Sh = shape(E);
  switch (E->K) {
  case ExprKind::VarRef:
    if (Joined.count(E->V) || Gone.count(E->V))
      return {Value::Uniform, fail(E)};
    return Sh;
  case ExprKind::IntConst:
  case ExprKind::FloatConst:
  case ExprKind::WorkItem:
    return Sh;
  case ExprKind::Load:
    return evalLoad(E);
  case ExprKind::Opaque:
    return {Value::Uniform, fail(E)};
  default:
    break;
  }
  bool Logical = E->K == ExprKind::Binary && (E->O == Op::LogicalAnd || E->O == Op::LogicalOr);
  llvm::SmallVector<Value, 3> Ops;
  for (size_t I = 0; I < E->Ops.size() && !Failed; ++I) {
    bool IsLazy = I > 0 && (Logical || (E->K == ExprKind::Select && E->Ops[0]->Ty->isScalar()));
    // Joined without short circuit, once they are vectors.
    bool Parts = IsLazy && (Logical || Ops[0].K != Value::Uniform);
    Lazy += IsLazy;
    Masked += Parts;
    Ops.push_back(eval(E->Ops[I]));
    Lazy -= IsLazy;
    Masked -= Parts;
  }
  if (Failed)
    return {Value::Uniform, E};
  bool Faults =
      E->K == ExprKind::Binary && (E->O == Op::Div || E->O == Op::Rem) && E->Ty->isInteger();
  if (auto C = Faults ? constantValue(E->Ops[1]) : std::nullopt; C && *C != 0 && *C != -1)
    Faults = false;
  if (Faults && Masked)
    return {Value::Uniform, fail(E)};
  if (llvm::all_of(Ops, [](const Value &V) { return V.K == Value::Uniform; })) {
    size_t I = 0;
    const Expr *X = mapOperands(M, E, [&](const Expr *) { return Ops[I++].E; });
    return {Value::Uniform, X == E ? E : simplify(M, X)};
  }
  if (Sh.K == Value::Linear) {
    size_t I = 0;
    return {Value::Linear, simplify(M, mapOperands(M, E, [&](const Expr *) { return Ops[I++].E; })),
            Sh.Stride};
  }
  if (!E->Ty->isScalar() || llvm::any_of(E->Ops, [](const Expr *X) { return !X->Ty->isScalar(); }))
    return {Value::Uniform, fail(E)};
  auto vector = [&](unsigned I) { return vec(Ops[I], E->Ops[I]->Ty); };
  switch (E->K) {
  case ExprKind::Unary:
    if (E->O == Op::LogicalNot) {
      const Type *Like = Ops[0].K == Value::Mask ? M.value(Ops[0].E->Ty->Scalar) : E->Ops[0]->Ty;
      return {Value::Mask, M.unary(Op::BitNot, mask(Ops[0], Like))};
    }
    return {Value::Vector, M.unary(E->O, vector(0))};
  case ExprKind::Binary:
    if (Logical) {
      const Type *Like = M.value(ScalarKind::Int);
      for (unsigned I : {1u, 0u})
        if (Ops[I].K == Value::Mask)
          Like = M.value(Ops[I].E->Ty->Scalar);
      auto truth = [&](unsigned I) {
        Value V = Ops[I];
        return mask(V, Like);
      };
      return {Value::Mask, M.binary(E->O == Op::LogicalAnd ? Op::And : Op::Or, truth(0), truth(1))};
    }
    if (isComparison(E->O))
      return {Value::Mask, M.binary(E->O, vector(0), vector(1))};
    return {Value::Vector, M.binary(E->O, vector(0), vector(1))};
  case ExprKind::Cast: {
    const Type *From = E->Ops[0]->Ty, *To = lanesOf(E->Ty);
    if (E->C == CastOp::Convert) {
      if (E->Ty->Scalar == ScalarKind::Bool)
        return {Value::Mask, mask(Ops[0], From)};
      if (Ops[0].K == Value::Mask)
        return {Value::Vector, vec(Ops[0], E->Ty)};
      const Expr *X = vector(0);
      // As scalars do it: through int.
      if (From->isFloat() && E->Ty->isInteger() && sizeInBits(E->Ty->Scalar) < 32)
        X = M.cast(X, M.value(ScalarKind::Int, N));
      return {Value::Vector, X->Ty == To ? X : M.cast(X, To)};
    }
    if (E->C == CastOp::Splat)
      return {Value::Uniform, fail(E)};
    Expr *C = M.newExpr(ExprKind::Cast, To, E->Range);
    C->C = E->C;
    C->Text = E->Text;
    C->Ops = {vector(0)};
    return {Value::Vector, C};
  }
  case ExprKind::Select: {
    const Expr *X = vec(Ops[1], E->Ty), *Y = vec(Ops[2], E->Ty);
    return {Value::Vector,
            M.select(Ops[0].K == Value::Uniform ? Ops[0].E : mask(Ops[0], E->Ty), X, Y)};
  }
  case ExprKind::Call: {
    if (E->Name == "select" && Ops.size() == 3)
      return {Value::Vector, M.select(mask(Ops[2], E->Ty), vector(1), vector(0))};
    llvm::SmallVector<const Expr *, 3> Args;
    for (unsigned I = 0; I < Ops.size(); ++I)
      Args.push_back(vector(I));
    if (isRelational(E->Name))
      return {Value::Mask, M.call(E->Name, M.comparisonType(Args[0]->Ty), Args)};
    if (isLanewise(E->Name) || (Reassociate && hasVectorForm(E->Name)))
      return {Value::Vector, M.call(E->Name, lanesOf(E->Ty), Args)};
    // Lane by lane.
    if (Lazy)
      return {Value::Uniform, fail(E)};
    for (Value &V : Ops)
      if (V.K >= Value::Vector)
        V.E = hold(V.E, "arg");
    llvm::SmallVector<const Expr *, 16> Lanes;
    for (unsigned L = 0; L < N; ++L) {
      llvm::SmallVector<const Expr *, 3> One;
      for (unsigned I = 0; I < Ops.size(); ++I)
        One.push_back(laneOf(Ops[I], L, E->Ops[I]->Ty));
      Lanes.push_back(M.call(E->Name, E->Ty, One));
    }
    return {Value::Vector, M.vectorCtor(lanesOf(E->Ty), Lanes)};
  }
  default:
    return {Value::Uniform, fail(E)};
  }
}

//===----------------------------------------------------------------------===//
// Statements
//===----------------------------------------------------------------------===//

void LoopLanes::set(Var *V, const Expr *E) {
  Masked += Mask != nullptr;
  Value X = eval(E);
  Masked -= Mask != nullptr;
  if (Failed)
    return;
  auto Old = Now.find(V);
  bool Fresh = Gone.erase(V) || Old == Now.end();
  if (Mask && !Fresh) {
    const Expr *New = vec(X, V->Ty), *Was = vec(Old->second, V->Ty);
    X = {Value::Vector, M.select(mask({Value::Mask, Mask}, V->Ty), New, Was)};
  }
  X.E = hold(X.E, X.K >= Value::Vector ? V->Name + "_v" : V->Name);
  Now[V] = X;
}

void LoopLanes::statements(const StmtList &B) {
  for (Stmt *S : B) {
    if (Failed)
      return;
    size_t First = Cur->size();
    statement(S);
    if (Cur->size() > First)
      (*Cur)[First]->Comments = S->Comments;
  }
}

void LoopLanes::statement(Stmt *S) {
  switch (S->K) {
  case StmtKind::Decl:
    if (S->V->K != Var::Temp || !S->V->Ty->isScalar())
      Failed = true;
    else if (S->E) {
      Now.erase(S->V);
      set(S->V, S->E);
    } else
      Gone.insert(S->V);
    return;
  case StmtKind::Assign: {
    if (auto It = Joined.find(S->V); It != Joined.end()) {
      Masked += Mask != nullptr;
      add(Sums[It->second], S->E);
      Masked -= Mask != nullptr;
      return;
    }
    if (auto It = Counts.find(S->V); It != Counts.end()) {
      Now[S->V] = {Value::Linear,
                   simplify(M, M.binary(Op::Add, Now[S->V].E, M.intConst(It->second, S->V->Ty))),
                   It->second};
      return;
    }
    set(S->V, S->E);
    return;
  }
  case StmtKind::If: {
    if (const Expr *E = asChoice(S)) {
      if (auto It = Joined.find(S->Body[0]->V); It != Joined.end()) {
        Masked += Mask != nullptr;
        add(Sums[It->second], E);
        Masked -= Mask != nullptr;
        return;
      }
    }
    Masked += Mask != nullptr;
    Value C = eval(S->E);
    Masked -= Mask != nullptr;
    if (Failed)
      return;
    if (C.K == Value::Uniform) {
      // One way for all rounds: what is set inside must not be seen outside.
      llvm::DenseSet<const Var *> Own;
      walk(StmtList{S}, [&](Stmt *X) {
        if (X->K == StmtKind::Decl)
          Own.insert(X->V);
        Failed |= X->K == StmtKind::Assign && !Own.count(X->V) && !Joined.count(X->V);
        return !Failed;
      });
      Stmt *I = M.newStmt(StmtKind::If, S->Range);
      I->E = C.E;
      for (bool Then : {true, false}) {
        size_t Known = Loaded.size();
        StmtList *Was = std::exchange(Cur, Then ? &I->Body : &I->Else);
        statements(Then ? S->Body : S->Else);
        Cur = Was;
        Loaded.resize(Known);
      }
      Cur->push_back(I);
      return;
    }
    const Type *Like = C.K == Value::Mask ? M.value(C.E->Ty->Scalar) : S->E->Ty;
    const Expr *Yes = hold(mask(C, Like), "mask"), *Outer = Mask;
    for (bool Then : {true, false}) {
      const StmtList &Arm = Then ? S->Body : S->Else;
      if (Arm.empty())
        continue;
      const Expr *Here = Then ? Yes : M.unary(Op::BitNot, Yes);
      if (Outer)
        Here = hold(M.binary(Op::And, mask({Value::Mask, Outer}, Like), Here), "mask");
      Mask = Here;
      statements(Arm);
    }
    Mask = Outer;
    return;
  }
  default:
    Failed = true;
  }
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

LoopLanes::LoopLanes(Module &M, Kernel &K, bool Reassociate)
    : M(M), K(K), Reassociate(Reassociate) {
  std::function<void(const StmtList &, Stmt *)> Place = [&](const StmtList &B, Stmt *Parent) {
    for (Stmt *S : B) {
      Parents[S] = Parent;
      forEachStmtList(*S, [&](StmtList &Inner) { Place(Inner, S); });
    }
  };
  Place(K.Body, nullptr);
}

bool LoopLanes::make(Stmt *Loop, Var *Counter, unsigned Lanes, LaneBody &Out) {
  N = Lanes;
  Failed = false;
  Lazy = Masked = 0;
  Mask = nullptr;
  InIndex = false;
  Now.clear(), Gone.clear(), Loaded.clear(), Joined.clear(), Counts.clear(), Sums.clear();
  size_t Known = K.Vars.size();
  auto fail = [&] {
    K.Vars.resize(Known);
    return false;
  };

  // Who is who: the body's own variables, sums, and what counts along.
  llvm::DenseSet<const Var *> Own;
  walk(Loop->Body, [&](Stmt *S) {
    if (S->K == StmtKind::Decl)
      Own.insert(S->V);
    return true;
  });
  std::vector<Var *> Others;
  walk(Loop->Body, [&](Stmt *S) {
    if (S->K != StmtKind::Decl && S->V && !Own.count(S->V) && !llvm::is_contained(Others, S->V))
      Others.push_back(S->V);
    return true;
  });
  for (Var *V : Others) {
    std::optional<Join> How;
    Op Takes = Op::None;
    unsigned Steps = 0;
    std::optional<int64_t> By;
    walk(Loop->Body, [&](Stmt *S) {
      const Expr *E = asChoice(S);
      Var *To = E ? S->Body[0]->V : S->K == StmtKind::Assign ? S->V : nullptr;
      if (To != V)
        return true;
      if (!E)
        E = S->E;
      if (auto J = joinOf(E, V)) {
        Failed |= How && *How != *J;
        How = J;
        if (J == Join::Choose) {
          // Which way round: what is taken compares so with what is kept.
          const Expr *C = E->Ops[0];
          bool MineLeft = C->Ops[0]->K == ExprKind::VarRef && C->Ops[0]->V == V;
          bool TakesOther = !(E->Ops[1]->K == ExprKind::VarRef && E->Ops[1]->V == V);
          Op O = C->O;
          if (MineLeft)
            O = O == Op::LT ? Op::GT : O == Op::LE ? Op::GE : O == Op::GT ? Op::LT : Op::LE;
          if (!TakesOther)
            O = Op::None; // keeps v where the comparison holds: NaN would be taken
          Failed |= O == Op::None || (Takes != Op::None && Takes != O);
          Takes = O;
        }
      }
      const Expr *X = E;
      if (S->K == StmtKind::Assign && isIntScalar(V->Ty) && sizeInBits(V->Ty->Scalar) >= 32 &&
          X->K == ExprKind::Binary && (X->O == Op::Add || X->O == Op::Sub) &&
          X->Ops[0]->K == ExprKind::VarRef && X->Ops[0]->V == V &&
          llvm::is_contained(Loop->Body, S))
        if (auto C = constantValue(X->Ops[1])) {
          ++Steps;
          By = X->O == Op::Add ? *C : -*C;
        }
      return true;
    });
    if (Failed)
      return fail();
    // A sum that nothing else in the loop looks at; else a variable that counts along.
    bool Looks = !How || !onlyJoins(Loop, V, *How);
    if (!Looks) {
      Sum S;
      S.V = V;
      S.How = *How;
      S.Takes = Takes;
      Joined[V] = Sums.size();
      Sums.push_back(S);
      continue;
    }
    unsigned Defs = 0;
    walk(Loop->Body, [&](Stmt *S) { return (Defs += S->V == V), true; });
    if (Steps != 1 || Defs != 1 || std::abs(*By) > 4096)
      return fail();
    Counts[V] = *By;
    Now[V] = {Value::Linear, M.ref(V), *By};
  }
  if (Sums.empty())
    return false;
  Now[Counter] = {Value::Linear, M.ref(Counter), 1};
  for (Sum &S : Sums) {
    bool Wraps = !S.V->Ty->isFloat() && S.How < Join::Min;
    ScalarKind Kind = !Wraps                             ? S.V->Ty->Scalar
                      : sizeInBits(S.V->Ty->Scalar) > 32 ? ScalarKind::ULong
                                                         : ScalarKind::UInt;
    S.Lanes = newVar(S.V->Name + "_v", M.value(Kind, N));
  }
  // Variables of the body that are seen elsewhere would need their last round's value.
  for (const Var *V : Own) {
    bool Outside = false;
    walk(K.Body, [&](Stmt *S) {
      if (S == Loop)
        return false;
      Outside |= S->V == V;
      forEachExpr(*S, [&](const Expr *E) { Outside |= mentions(E, V); });
      return !Outside;
    });
    if (Outside)
      return fail();
  }

  StmtList Body;
  Cur = &Body;
  statements(Loop->Body);
  if (Failed)
    return fail();
  for (auto [V, By] : Counts) {
    Stmt *A = M.newStmt(StmtKind::Assign);
    A->V = const_cast<Var *>(V);
    A->E = M.binary(Op::Add, M.ref(A->V), M.intConst(By * int64_t(N), V->Ty));
    Body.push_back(A);
  }

  for (const Sum &S : Sums) {
    // As far out as nothing else looks at it.
    Stmt *Place = Loop;
    while (Stmt *Up = Parents.lookup(Place)) {
      if (Up->Rare || !onlyJoins(Up, S.V, S.How))
        break;
      Place = Up;
    }
    Around &A = Place == Loop ? Out.Here : Elsewhere[Place];
    const Type *Elem = M.value(S.Lanes->Ty->Scalar);
    const Expr *Start = nullptr;
    switch (S.How) {
    case Join::Sum:
    case Join::Or:
    case Join::Xor:
      Start = Elem->isFloat() ? M.floatConst(0, Elem) : M.intConst(0, Elem);
      break;
    case Join::Product:
      Start = Elem->isFloat() ? M.floatConst(1, Elem) : M.intConst(1, Elem);
      break;
    case Join::And:
      Start = M.unary(Op::BitNot, M.intConst(0, Elem));
      break;
    default:
      Start = M.ref(S.V);
    }
    Stmt *D = M.newStmt(StmtKind::Decl);
    D->V = S.Lanes;
    D->E = splat(Start, S.Lanes->Ty);
    A.Before.push_back(D);
    const Expr *All = total(S, A.Behind);
    Stmt *Last = M.newStmt(StmtKind::Assign);
    Last->V = S.V;
    const Expr *Was = M.ref(S.V);
    if (Was->Ty != Elem)
      Was = M.cast(Was, Elem, true);
    Last->E = join(S, Was, All);
    if (Last->E->Ty != S.V->Ty)
      Last->E = M.cast(Last->E, S.V->Ty);
    A.Behind.push_back(Last);
  }
  Out.Body = std::move(Body);
  return true;
}

void LoopLanes::finish() {
  std::function<void(StmtList &)> Insert = [&](StmtList &B) {
    StmtList New;
    for (Stmt *S : B) {
      forEachStmtList(*S, Insert);
      auto It = Elsewhere.find(S);
      if (It != Elsewhere.end())
        llvm::append_range(New, It->second.Before);
      New.push_back(S);
      if (It != Elsewhere.end())
        llvm::append_range(New, It->second.Behind);
    }
    B = std::move(New);
  };
  if (!Elsewhere.empty())
    Insert(K.Body);
}

} // namespace clmali::rewrite
