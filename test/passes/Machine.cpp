//===-- test/passes/Machine.cpp - Runs kernels of the model ----------------===//

#include "Machine.h"
#include "MachineImages.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringSwitch.h"
#include <cmath>
#include <cstring>
#include <functional>

namespace clmali::testing {

using namespace model;

namespace {

using Wide = __int128;

int64_t wrap(int64_t V, ScalarKind K) {
  if (K == ScalarKind::Bool)
    return V != 0;
  unsigned Bits = sizeInBits(K);
  if (Bits == 64)
    return V;
  uint64_t Low = uint64_t(V) & ((uint64_t(1) << Bits) - 1);
  if (isSigned(K) && (Low >> (Bits - 1)))
    Low |= ~uint64_t(0) << Bits;
  return int64_t(Low);
}

double rounded(double V, ScalarKind K) { return K == ScalarKind::Float ? double(float(V)) : V; }

struct Item {
  std::array<uint64_t, 3> Global, Local, Group;
  llvm::DenseMap<const Var *, Value> Vars;
  std::map<const Var *, std::vector<uint8_t>> Private;
  bool Returned = false, Broke = false, Continued = false;
};

class Machine {
public:
  Machine(const Kernel &K, const Launch &L) : K(K), L(L), Images(L, Out) {
    Out.Buffers = L.Buffers;
  }
  Outcome go();

private:
  const Kernel &K;
  const Launch &L;
  Outcome Out;
  MachineImages Images;
  std::vector<Item> Items;
  std::map<const Var *, std::vector<uint8_t>> Shared; ///< local memory of the group
  Item *Now = nullptr;
  uint64_t Steps = 0;

  bool stopped() const { return !Out.Wrong.empty() || !Out.Unknown.empty(); }
  void wrong(const std::string &What) {
    if (Out.Wrong.empty())
      Out.Wrong = What;
  }
  void unknown(const std::string &What) {
    if (Out.Unknown.empty())
      Out.Unknown = What;
  }
  using Mask = std::vector<uint32_t>; ///< items
  Mask live(const Mask &In) {
    Mask R;
    for (uint32_t I : In)
      if (!Items[I].Returned && !Items[I].Broke && !Items[I].Continued)
        R.push_back(I);
    return R;
  }
  void block(const StmtList &B, const Mask &In);
  void loop(const Stmt *S, const Mask &In);
  void simple(const Stmt *S);
  void copy(const Stmt *S);
  struct Moved {
    std::vector<uint8_t> *To;
    uint64_t Byte;
    std::vector<uint8_t> Data;
  };
  std::vector<Moved> Pending; ///< async copies that were not waited for
  Value eval(const Expr *E);
  Value call(const Expr *E);
  Value arithmetic(const Expr *E);
  Value convert(const Value &V, ScalarKind To, bool Saturate);
  std::vector<uint8_t> *memory(const Access &A, uint64_t &Byte, bool Write);
  Value load(const Access &A);
  void store(const Access &A, const Value &V);
  void atomic(const Stmt *S);
  Value make(const Type *T) {
    Value V;
    V.K = T->Scalar;
    V.Lanes = T->Lanes;
    V.Set = true;
    return V;
  }
  bool truth(const Value &V, unsigned I = 0) { return isFloat(V.K) ? V.F[I] != 0 : V.I[I] != 0; }
};

std::vector<uint8_t> *Machine::memory(const Access &A, uint64_t &Byte, bool Write) {
  int64_t At = A.Disp;
  for (unsigned I = 0; I < A.Index.size(); ++I) {
    Value V = eval(A.Index[I]);
    At += V.I[0] * int64_t(A.Stride[I]);
  }
  std::vector<uint8_t> *Memory = nullptr;
  const Var *V = A.Base;
  AddressSpace AS = V->space();
  if (V->isPointerParam() && AS != AddressSpace::Local) {
    auto It = Out.Buffers.find(V->Name);
    if (It != Out.Buffers.end())
      Memory = &It->second;
  } else if (AS == AddressSpace::Local) {
    auto &M = Shared[V];
    if (M.empty()) {
      uint64_t Size = V->K == Var::Memory ? V->Ty->Size : 0;
      if (auto It = L.LocalBytes.find(V->Name); It != L.LocalBytes.end())
        Size = It->second;
      M.assign(Size, 0xA5);
    }
    Memory = &M;
    ++Out.LocalAccesses;
  } else if (V->K == Var::Memory) {
    auto &M = V->ProgramScope ? Shared[V] : Now->Private[V];
    if (M.empty()) {
      M.assign(V->Ty->Size, 0xA5);
      const Type *Elem = V->Ty;
      while (Elem->K == Type::Array)
        Elem = Elem->Elem;
      if (Elem->isScalar()) {
        unsigned Size = sizeInBytes(Elem->Scalar);
        for (size_t I = 0; I < V->Ints.size(); ++I)
          std::memcpy(&M[I * Size], &V->Ints[I], Size);
        for (size_t I = 0; I < V->Floats.size(); ++I) {
          float F = float(V->Floats[I]);
          if (Size == 4)
            std::memcpy(&M[I * Size], &F, 4);
          else
            std::memcpy(&M[I * Size], &V->Floats[I], 8);
        }
      } else if (!V->Ints.empty() || !V->Floats.empty()) {
        unknown("a table of vectors");
      }
    }
    Memory = &M;
  }
  if (!Memory) {
    unknown("memory of " + V->Name);
    return nullptr;
  }
  uint64_t Bytes = sizeInBytes(A.Elem) * (A.F != Access::VLoad && A.Lanes == 3 ? 3 : A.Lanes);
  if (At < 0 || At + Bytes > Memory->size()) {
    wrong(std::string(Write ? "store" : "load") + " outside of " + V->Name + " at byte " +
          std::to_string(At));
    return nullptr;
  }
  Byte = At;
  return Memory;
}

/// Adds the bytes of A, from Byte on, to Of, if they are the host's.
static void note(const Access &A, uint64_t Byte, std::set<std::pair<std::string, uint64_t>> &Of) {
  if (A.Base->isPointerParam() && A.Base->space() != AddressSpace::Local)
    for (unsigned I = 0; I < sizeInBytes(A.Elem) * A.Lanes; ++I)
      Of.insert({A.Base->Name, Byte + I});
}

Value Machine::load(const Access &A) {
  Value V;
  V.K = A.Elem;
  V.Lanes = A.Lanes;
  V.Set = true;
  uint64_t Byte = 0;
  std::vector<uint8_t> *Memory = memory(A, Byte, false);
  ++Out.Loads;
  if (!Memory)
    return V;
  unsigned Size = sizeInBytes(A.Elem);
  note(A, Byte, Out.Reads);
  for (unsigned I = 0; I < A.Lanes; ++I) {
    const uint8_t *P = Memory->data() + Byte + I * Size;
    if (A.Elem == ScalarKind::Float) {
      float F;
      std::memcpy(&F, P, 4);
      V.F[I] = F;
    } else if (A.Elem == ScalarKind::Double) {
      std::memcpy(&V.F[I], P, 8);
    } else if (A.Elem == ScalarKind::Half) {
      unknown("half");
    } else {
      int64_t X = 0;
      std::memcpy(&X, P, Size);
      V.I[I] = wrap(X, A.Elem);
    }
  }
  return V;
}

void Machine::store(const Access &A, const Value &V) {
  uint64_t Byte = 0;
  std::vector<uint8_t> *Memory = memory(A, Byte, true);
  ++Out.Stores;
  if (!Memory)
    return;
  if (!V.Set)
    return wrong("an unset value is stored to " + A.Base->Name);
  note(A, Byte, Out.Writes);
  unsigned Size = sizeInBytes(A.Elem);
  for (unsigned I = 0; I < A.Lanes; ++I) {
    uint8_t *P = Memory->data() + Byte + I * Size;
    if (A.Elem == ScalarKind::Float) {
      float F = float(V.F[I]);
      std::memcpy(P, &F, 4);
    } else if (A.Elem == ScalarKind::Double) {
      std::memcpy(P, &V.F[I], 8);
    } else if (A.Elem == ScalarKind::Half) {
      unknown("half");
    } else {
      std::memcpy(P, &V.I[I], Size);
    }
  }
}

Value Machine::convert(const Value &V, ScalarKind To, bool Saturate) {
  Value R = V;
  R.K = To;
  for (unsigned I = 0; I < V.Lanes; ++I) {
    if (isFloat(V.K)) {
      if (isFloat(To)) {
        R.F[I] = rounded(V.F[I], To);
        continue;
      }
      double D = std::trunc(V.F[I]);
      if (To == ScalarKind::Bool) {
        R.I[I] = V.F[I] != 0;
        continue;
      }
      int64_t X = std::isnan(D)  ? 0
                  : D >= 9.2e18  ? INT64_MAX
                  : D <= -9.2e18 ? INT64_MIN
                                 : int64_t(D);
      R.I[I] = X;
      R.F[I] = 0;
    } else if (isFloat(To)) {
      double D = V.K == ScalarKind::ULong ? double(uint64_t(V.I[I])) : double(V.I[I]);
      if (To == ScalarKind::Float)
        D = V.K == ScalarKind::ULong ? float(uint64_t(V.I[I])) : float(V.I[I]);
      R.F[I] = D;
      continue;
    }
    int64_t X = R.I[I];
    if (Saturate && sizeInBits(To) < 64) {
      int64_t Max = isSigned(To) ? (int64_t(1) << (sizeInBits(To) - 1)) - 1
                                 : (int64_t(1) << sizeInBits(To)) - 1;
      int64_t Min = isSigned(To) ? -Max - 1 : 0;
      if (V.K == ScalarKind::ULong && X < 0)
        X = Max;
      X = std::clamp(X, Min, Max);
    }
    R.I[I] = wrap(X, To);
  }
  return R;
}

Value Machine::arithmetic(const Expr *E) {
  Value A = eval(E->Ops[0]);
  bool Logic = E->O == Op::LogicalAnd || E->O == Op::LogicalOr;
  Value R = make(E->Ty);
  if (Logic && R.Lanes == 1) {
    bool T = truth(A);
    if (T == (E->O == Op::LogicalAnd)) {
      T = truth(eval(E->Ops[1]));
    }
    R.I[0] = T;
    return R;
  }
  Value B = eval(E->Ops[1]);
  R.Set = A.Set && B.Set;
  bool Truth = Logic || isComparison(E->O);
  for (unsigned I = 0; I < A.Lanes; ++I) {
    if (isFloat(A.K)) {
      double X = A.F[I], Y = B.F[I];
      bool T = false;
      switch (E->O) {
      case Op::Add:
        R.F[I] = rounded(X + Y, A.K);
        break;
      case Op::Sub:
        R.F[I] = rounded(X - Y, A.K);
        break;
      case Op::Mul:
        R.F[I] = rounded(X * Y, A.K);
        break;
      case Op::Div:
        R.F[I] = rounded(X / Y, A.K);
        break;
      case Op::LT:
        T = X < Y;
        break;
      case Op::LE:
        T = X <= Y;
        break;
      case Op::GT:
        T = X > Y;
        break;
      case Op::GE:
        T = X >= Y;
        break;
      case Op::EQ:
        T = X == Y;
        break;
      case Op::NE:
        T = X != Y;
        break;
      case Op::LogicalAnd:
        T = X != 0 && Y != 0;
        break;
      case Op::LogicalOr:
        T = X != 0 || Y != 0;
        break;
      default:
        unknown("float operation");
      }
      if (Truth)
        R.I[I] = T ? (R.Lanes > 1 ? -1 : 1) : 0;
      continue;
    }
    bool U = !isSigned(A.K);
    Wide X = U ? Wide(uint64_t(A.I[I])) : Wide(A.I[I]),
         Y = U ? Wide(uint64_t(B.I[I])) : Wide(B.I[I]);
    Wide V = 0;
    unsigned Count = unsigned(uint64_t(B.I[std::min(I, B.Lanes - 1)]) & (sizeInBits(A.K) - 1));
    switch (E->O) {
    case Op::Add:
      V = X + Y;
      break;
    case Op::Sub:
      V = X - Y;
      break;
    case Op::Mul:
      V = U ? Wide(uint64_t(X) * uint64_t(Y)) : X * Y;
      break;
    case Op::Div:
    case Op::Rem:
      if (Y == 0) {
        wrong("division by zero");
        return R;
      }
      V = E->O == Op::Div ? X / Y : X % Y;
      break;
    case Op::Shl:
      V = wrap(int64_t(uint64_t(A.I[I]) << Count), A.K);
      break;
    case Op::Shr:
      V = X >> Count;
      break;
    case Op::And:
      V = A.I[I] & B.I[I];
      break;
    case Op::Or:
      V = A.I[I] | B.I[I];
      break;
    case Op::Xor:
      V = A.I[I] ^ B.I[I];
      break;
    case Op::LT:
      V = X < Y;
      break;
    case Op::LE:
      V = X <= Y;
      break;
    case Op::GT:
      V = X > Y;
      break;
    case Op::GE:
      V = X >= Y;
      break;
    case Op::EQ:
      V = X == Y;
      break;
    case Op::NE:
      V = X != Y;
      break;
    case Op::LogicalAnd:
      V = X != 0 && Y != 0;
      break;
    case Op::LogicalOr:
      V = X != 0 || Y != 0;
      break;
    default:
      unknown("operation");
    }
    if (Truth) {
      R.I[I] = V ? (R.Lanes > 1 ? -1 : 1) : 0;
      continue;
    }
    R.I[I] = wrap(int64_t(V), R.K);
    if (!U && Wide(R.I[I]) != V)
      Out.Overflowed = true;
  }
  return R;
}

Value Machine::call(const Expr *E) {
  Value R = make(E->Ty);
  std::vector<Value> A;
  for (const Expr *X : E->Ops)
    A.push_back(eval(X));
  if (A.empty()) {
    unknown("call of " + E->Name);
    return R;
  }
  const std::string &N = E->Name;
  if (N == "any" || N == "all") {
    bool Any = false, All = true;
    for (unsigned I = 0; I < A[0].Lanes; ++I) {
      Any |= A[0].I[I] < 0;
      All &= A[0].I[I] < 0;
    }
    R.I[0] = N == "any" ? Any : All;
    return R;
  }
  if (N == "select" && A.size() == 3 && A[2].Lanes == R.Lanes) {
    if (sizeInBytes(A[2].K) != sizeInBytes(R.K) || A[0].K != R.K || A[1].K != R.K)
      wrong("select with a mask of another shape");
    for (unsigned I = 0; I < R.Lanes; ++I) {
      bool T = R.Lanes == 1 ? A[2].I[I] != 0 : (A[2].I[I] >> (sizeInBits(A[2].K) - 1)) & 1;
      R.I[I] = A[T].I[I];
      R.F[I] = A[T].F[I];
    }
    return R;
  }
  for (unsigned L = 0; L < R.Lanes; ++L) {
    for (const Value &V : A)
      if (isInteger(V.K) && isInteger(R.K) && V.K != A[0].K)
        wrong("call of " + N + " with operands of two types");
    auto at = [&](unsigned Arg) { return std::min(L, A[Arg].Lanes - 1); };
    if (isFloat(A[0].K) && isFloat(R.K)) {
      auto f = [&](unsigned Arg) { return A[Arg].F[at(Arg)]; };
      double V = 0;
      if (N == "fabs")
        V = std::fabs(f(0));
      else if (N == "sqrt")
        V = std::sqrt(f(0));
      else if (N == "native_sqrt")
        V = std::sqrt(f(0));
      else if (N == "rsqrt" || N == "native_rsqrt")
        V = 1 / std::sqrt(f(0));
      else if (N == "fmin" || N == "min")
        V = std::fmin(f(0), f(1));
      else if (N == "fmax" || N == "max")
        V = std::fmax(f(0), f(1));
      else if (N == "clamp")
        V = std::fmin(std::fmax(f(0), f(1)), f(2));
      else if (N == "fma")
        V = R.K == ScalarKind::Float ? double(std::fmaf(float(f(0)), float(f(1)), float(f(2))))
                                     : std::fma(f(0), f(1), f(2));
      else if (N == "mad")
        V = rounded(f(0) * f(1), R.K) + f(2);
      else if (N == "floor")
        V = std::floor(f(0));
      else if (N == "exp" || N == "native_exp")
        V = std::exp(f(0));
      else if (N == "log" || N == "native_log")
        V = std::log(f(0));
      else if (N == "sin" || N == "native_sin")
        V = std::sin(f(0));
      else if (N == "cos" || N == "native_cos")
        V = std::cos(f(0));
      else if (N == "sincos" || N == "sincos.second")
        V = N == "sincos" ? std::sin(f(0)) : std::cos(f(0));
      else if (N == "modf.second")
        V = std::trunc(f(0));
      else if (N == "modf")
        V = std::copysign(f(0) - std::trunc(f(0)), f(0));
      else if (N == "hypot")
        V = std::hypot(f(0), f(1));
      else if (N == "pow")
        V = std::pow(f(0), f(1));
      else
        unknown("call of " + N);
      R.F[L] = rounded(V, R.K);
      continue;
    }
    if (N == "frexp.second") {
      int Exponent = 0;
      std::frexp(A[0].F[at(0)], &Exponent);
      R.I[L] = Exponent;
      continue;
    }
    if (!isInteger(A[0].K) || !isInteger(R.K)) {
      unknown("call of " + N);
      return R;
    }
    ScalarKind K = A[0].K;
    auto i = [&](unsigned Arg) {
      int64_t V = A[Arg].I[at(Arg)];
      return isSigned(K) ? Wide(V) : Wide(uint64_t(V));
    };
    Wide V = 0;
    Wide Max = isSigned(K) ? (Wide(1) << (sizeInBits(K) - 1)) - 1 : (Wide(1) << sizeInBits(K)) - 1;
    Wide Min = isSigned(K) ? -Max - 1 : 0;
    if (N == "min")
      V = std::min(i(0), i(1));
    else if (N == "max")
      V = std::max(i(0), i(1));
    else if (N == "clamp") {
      if (i(1) > i(2))
        wrong("clamp with bounds in the wrong order");
      V = std::min(std::max(i(0), i(1)), i(2));
    } else if (N == "abs")
      V = i(0) < 0 ? -i(0) : i(0);
    else if (N == "abs_diff")
      V = i(0) < i(1) ? i(1) - i(0) : i(0) - i(1);
    else if (N == "mul24")
      V = i(0) * i(1);
    else if (N == "mad24")
      V = i(0) * i(1) + i(2);
    else if (N == "mul_hi")
      V = (i(0) * i(1)) >> sizeInBits(K);
    else if (N == "mad_hi")
      V = ((i(0) * i(1)) >> sizeInBits(K)) + i(2);
    else if (N == "add_sat")
      V = std::clamp(i(0) + i(1), Min, Max);
    else if (N == "sub_sat")
      V = std::clamp(i(0) - i(1), Min, Max);
    else if (N == "hadd")
      V = (i(0) + i(1)) >> 1;
    else if (N == "rhadd")
      V = (i(0) + i(1) + 1) >> 1;
    else
      unknown("call of " + N);
    R.I[L] = wrap(int64_t(V), R.K);
  }
  return R;
}

Value Machine::eval(const Expr *E) {
  if (stopped())
    return make(E->Ty);
  switch (E->K) {
  case ExprKind::IntConst: {
    Value V = make(E->Ty);
    V.I[0] = E->Int;
    return V;
  }
  case ExprKind::FloatConst: {
    Value V = make(E->Ty);
    V.F[0] = rounded(E->Float, E->Ty->Scalar);
    return V;
  }
  case ExprKind::VarRef: {
    if (E->V->K == Var::Param) {
      auto It = L.Scalars.find(E->V->Name);
      if (!Now->Vars.contains(E->V)) {
        if (It == L.Scalars.end()) {
          unknown("argument " + E->V->Name);
          return make(E->Ty);
        }
        Value V = make(E->Ty);
        for (unsigned I = 0; I < V.Lanes; ++I) {
          double D = It->second[std::min<size_t>(I, It->second.size() - 1)];
          V.F[I] = rounded(D, V.K);
          V.I[I] = isFloat(V.K) ? 0 : wrap(int64_t(D), V.K);
        }
        return V;
      }
    }
    auto It = Now->Vars.find(E->V);
    if (It == Now->Vars.end()) {
      Value V = make(E->Ty);
      V.Set = false;
      return V;
    }
    if (It->second.K != E->Ty->Scalar || It->second.Lanes != E->Ty->Lanes)
      wrong("type of the reference to " + E->V->Name);
    return It->second;
  }
  case ExprKind::WorkItem: {
    Value V = make(E->Ty);
    unsigned D = E->Dim;
    if (D > 2 && E->Query != WorkItemQuery::WorkDim) {
      unknown("dimension");
      return V;
    }
    switch (E->Query) {
    case WorkItemQuery::GlobalId:
      V.I[0] = Now->Global[D] + L.Offset[D];
      break;
    case WorkItemQuery::LocalId:
      V.I[0] = Now->Local[D];
      break;
    case WorkItemQuery::GroupId:
      V.I[0] = Now->Group[D];
      break;
    case WorkItemQuery::GlobalSize:
      V.I[0] = L.Global[D];
      break;
    case WorkItemQuery::LocalSize:
      V.I[0] = L.Local[D];
      break;
    case WorkItemQuery::NumGroups:
      V.I[0] = L.Global[D] / L.Local[D];
      break;
    case WorkItemQuery::GlobalOffset:
      V.I[0] = L.Offset[D];
      break;
    case WorkItemQuery::WorkDim:
      V.I[0] = 3;
      break;
    }
    return V;
  }
  case ExprKind::Unary: {
    Value A = eval(E->Ops[0]), R = make(E->Ty);
    R.Set = A.Set;
    for (unsigned I = 0; I < A.Lanes; ++I) {
      if (E->O == Op::LogicalNot)
        R.I[I] = truth(A, I) ? 0 : (R.Lanes > 1 ? -1 : 1);
      else if (isFloat(A.K))
        R.F[I] = -A.F[I];
      else if (E->O == Op::Neg) {
        R.I[I] = wrap(int64_t(-uint64_t(A.I[I])), R.K);
        if (isSigned(A.K) && Wide(R.I[I]) != -Wide(A.I[I]))
          Out.Overflowed = true;
      } else
        R.I[I] = wrap(~A.I[I], R.K);
    }
    return R;
  }
  case ExprKind::Binary: {
    if (E->Ops[0]->Ty != E->Ops[1]->Ty && E->O != Op::Shl && E->O != Op::Shr &&
        E->O != Op::LogicalAnd && E->O != Op::LogicalOr)
      wrong("operands of two types: " + dump(E));
    return arithmetic(E);
  }
  case ExprKind::Cast: {
    Value A = eval(E->Ops[0]);
    if (E->C == CastOp::Splat) {
      if (A.K != E->Ty->Scalar)
        wrong("splat of another type");
      Value R = make(E->Ty);
      R.Set = A.Set;
      R.I.fill(A.I[0]);
      R.F.fill(A.F[0]);
      return R;
    }
    if (E->C == CastOp::Bitcast) {
      unsigned From = sizeInBytes(A.K), To = sizeInBytes(E->Ty->Scalar);
      if (From != To || isFloat(A.K) != isFloat(E->Ty->Scalar)) {
        if (From == 4 && To == 4) {
          Value R = make(E->Ty);
          for (unsigned I = 0; I < A.Lanes; ++I) {
            if (isFloat(A.K)) {
              float F = float(A.F[I]);
              int32_t X;
              std::memcpy(&X, &F, 4);
              R.I[I] = wrap(X, R.K);
            } else {
              int32_t X = int32_t(A.I[I]);
              float F;
              std::memcpy(&F, &X, 4);
              R.F[I] = F;
            }
          }
          return R;
        }
        unknown("as_type");
        return make(E->Ty);
      }
      Value R = A;
      R.K = E->Ty->Scalar;
      for (unsigned I = 0; I < A.Lanes; ++I)
        R.I[I] = wrap(A.I[I], R.K);
      return R;
    }
    if (A.Lanes != E->Ty->Lanes)
      wrong("conversion between lane counts");
    bool Sat = llvm::StringRef(E->Text).starts_with("_sat");
    if (E->C == CastOp::Builtin && !E->Text.empty() && E->Text != "_sat" && isFloat(A.K) &&
        isInteger(E->Ty->Scalar)) {
      if (!llvm::StringRef(E->Text).ends_with("_rte") &&
          !llvm::StringRef(E->Text).ends_with("_rtz"))
        unknown("rounding " + E->Text);
      if (llvm::StringRef(E->Text).ends_with("_rte"))
        for (double &D : A.F)
          D = std::nearbyint(D);
    }
    return convert(A, E->Ty->Scalar, Sat);
  }
  case ExprKind::Select: {
    Value C = eval(E->Ops[0]);
    if (E->Ops[1]->Ty != E->Ops[2]->Ty)
      wrong("select of two types");
    if (C.Lanes == 1)
      return eval(E->Ops[truth(C) ? 1 : 2]);
    Value A = eval(E->Ops[1]), B = eval(E->Ops[2]), R = make(E->Ty);
    if (C.Lanes != R.Lanes || sizeInBytes(C.K) != sizeInBytes(R.K))
      wrong("select with a mask of another shape");
    for (unsigned I = 0; I < R.Lanes; ++I) {
      bool T = isSigned(C.K) ? C.I[I] < 0 : (C.I[I] >> (sizeInBits(C.K) - 1)) & 1;
      R.I[I] = T ? A.I[I] : B.I[I];
      R.F[I] = T ? A.F[I] : B.F[I];
    }
    return R;
  }
  case ExprKind::Load: {
    Value V = load(E->Acc);
    if (V.K != E->Ty->Scalar || V.Lanes != E->Ty->Lanes)
      wrong("type of a load");
    return V;
  }
  case ExprKind::Swizzle: {
    Value A = eval(E->Ops[0]), R = make(E->Ty);
    R.Set = A.Set;
    for (unsigned I = 0; I < E->LaneIdx.size(); ++I) {
      if (E->LaneIdx[I] >= A.Lanes)
        wrong("a lane that is not there");
      R.I[I] = A.I[E->LaneIdx[I] & 15];
      R.F[I] = A.F[E->LaneIdx[I] & 15];
    }
    return R;
  }
  case ExprKind::VectorCtor: {
    Value R = make(E->Ty);
    unsigned Next = 0;
    for (const Expr *Op : E->Ops) {
      Value P = eval(Op);
      if (P.K != R.K)
        wrong("a vector of parts of another type");
      for (unsigned I = 0; I < P.Lanes && Next < 16; ++I, ++Next) {
        R.I[Next] = P.I[I];
        R.F[Next] = P.F[I];
      }
    }
    if (Next != R.Lanes)
      wrong("a vector of too many or few parts");
    return R;
  }
  case ExprKind::Call:
    return call(E);
  case ExprKind::ImageRead:
    return Images.read(E, eval(E->Ops[0]));
  case ExprKind::ImageQuery:
    return Images.extent(E);
  case ExprKind::Opaque:
    unknown("opaque " + E->Text);
    return make(E->Ty->isValue() ? E->Ty : Now->Vars.begin()->first->Ty);
  }
  return {};
}

/// Atomic operations whose old value is not used. Work-items make them in the order of their ids.
void Machine::atomic(const Stmt *S) {
  const llvm::StringRef Name = llvm::StringRef(S->Name).substr(S->Name.find('_') + 1);
  Value Old = load(S->Acc);
  if (stopped())
    return;
  Value Operand;
  Operand.Set = true;
  Operand.I[0] = 1;
  if (!S->Args.empty())
    Operand = eval(S->Args[0]);
  const int64_t X = Old.I[0], By = Operand.I[0];
  std::optional<int64_t> New = llvm::StringSwitch<std::optional<int64_t>>(Name)
                                   .Cases("add", "inc", int64_t(uint64_t(X) + uint64_t(By)))
                                   .Cases("sub", "dec", int64_t(uint64_t(X) - uint64_t(By)))
                                   .Case("min", std::min(X, By))
                                   .Case("max", std::max(X, By))
                                   .Case("and", X & By)
                                   .Case("or", X | By)
                                   .Case("xor", X ^ By)
                                   .Default(std::nullopt);
  if (!New || S->V || isFloat(S->Acc.Elem) || sizeInBits(S->Acc.Elem) > 32)
    return unknown(S->Name);
  if (!S->Args.empty() && S->Args[0]->Ty->Scalar != S->Acc.Elem)
    return wrong("type of the operand of " + S->Name);
  Old.I[0] = wrap(*New, Old.K);
  Old.Set &= Operand.Set;
  store(S->Acc, Old);
}

void Machine::simple(const Stmt *S) {
  switch (S->K) {
  case StmtKind::Decl:
    if (S->V->K == Var::Memory || !S->V->Ty->isValue())
      return;
    if (!S->E) {
      Now->Vars.erase(S->V);
      return;
    }
    [[fallthrough]];
  case StmtKind::Assign: {
    Value V = eval(S->E);
    if (stopped())
      return;
    if (S->LaneIdx.empty()) {
      if (S->E->Ty != S->V->Ty)
        return wrong("type of what is assigned to " + S->V->Name);
      Now->Vars[S->V] = V;
      return;
    }
    Value &Old = Now->Vars[S->V];
    Old.K = S->V->Ty->Scalar;
    Old.Lanes = S->V->Ty->Lanes;
    Old.Set = true;
    for (unsigned I = 0; I < S->LaneIdx.size(); ++I) {
      Old.I[S->LaneIdx[I]] = V.I[I];
      Old.F[S->LaneIdx[I]] = V.F[I];
    }
    return;
  }
  case StmtKind::Store: {
    if (!S->LaneIdx.empty())
      return unknown("store to components");
    if (S->E->Ty->Scalar != S->Acc.Elem || S->E->Ty->Lanes != S->Acc.Lanes)
      return wrong("type of a store");
    store(S->Acc, eval(S->E));
    return;
  }
  case StmtKind::Atomic:
    return atomic(S);
  case StmtKind::ImageWrite:
    return Images.write(S, eval(S->Args[0]), eval(S->E));
  case StmtKind::Call:
    if (S->Name == "mem_fence" || S->Name == "prefetch")
      return;
    if (S->Name == "wait_group_events") {
      for (auto &[To, Byte, Data] : Pending)
        std::memcpy(To->data() + Byte, Data.data(), Data.size());
      Pending.clear();
      return;
    }
    return unknown("call of " + S->Name);
  default:
    return unknown("statement");
  }
}

/// The group's copy: what it moves is there when it has been waited for.
void Machine::copy(const Stmt *S) {
  int64_t Count = eval(S->Args[0]).I[0];
  int64_t Step = S->Args.size() > 1 ? eval(S->Args[1]).I[0] : 1;
  if (Count < 0 || Count > 1000000)
    return wrong("the length of an async copy");
  for (int64_t I = 0; I < Count && !stopped(); ++I) {
    Access To = S->Acc, From = S->Source;
    bool In = To.Base->space() == AddressSpace::Local;
    uint32_t Size = sizeInBytes(To.Elem) * (To.Lanes == 3 ? 4 : To.Lanes);
    To.Disp += uint32_t(I * (In ? 1 : Step) * Size);
    From.Disp += uint32_t(I * (In ? Step : 1) * Size);
    uint64_t Here = 0, There = 0;
    load(From);
    std::vector<uint8_t> *Source = memory(From, Here, false), *Target = memory(To, There, true);
    if (!Source || !Target)
      return;
    Pending.push_back(
        {Target, There,
         std::vector<uint8_t>(Source->begin() + long(Here), Source->begin() + long(Here + Size))});
  }
}

void Machine::loop(const Stmt *S, const Mask &In) {
  block(S->Init, In);
  Mask Inside = live(In);
  for (bool First = true;; First = false) {
    if (stopped())
      return;
    if (!(First && S->Form == Stmt::DoWhile) && S->E) {
      Mask Next;
      for (uint32_t I : Inside) {
        Now = &Items[I];
        if (truth(eval(S->E)))
          Next.push_back(I);
      }
      Inside = std::move(Next);
    }
    if (Inside.empty())
      break;
    if (++Steps > 2000000)
      return unknown("too many steps");
    block(S->Body, Inside);
    Mask Next;
    for (uint32_t I : Inside) {
      Items[I].Continued = false;
      if (!Items[I].Broke && !Items[I].Returned)
        Next.push_back(I);
      Items[I].Broke = false;
    }
    Inside = std::move(Next);
    block(S->Step, Inside);
  }
}

void Machine::block(const StmtList &B, const Mask &In) {
  for (const Stmt *S : B) {
    Mask Active = live(In);
    if (Active.empty() || stopped())
      return;
    Steps += Active.size();
    if (Steps > 30000000)
      return unknown("too many steps");
    switch (S->K) {
    case StmtKind::If: {
      Mask Then, Else;
      for (uint32_t I : Active) {
        Now = &Items[I];
        (truth(eval(S->E)) ? Then : Else).push_back(I);
      }
      block(S->Body, Then);
      block(S->Else, Else);
      break;
    }
    case StmtKind::Loop:
      loop(S, Active);
      break;
    case StmtKind::Break:
    case StmtKind::Continue:
    case StmtKind::Return:
      for (uint32_t I : Active)
        (S->K == StmtKind::Break      ? Items[I].Broke
         : S->K == StmtKind::Continue ? Items[I].Continued
                                      : Items[I].Returned) = true;
      break;
    case StmtKind::AsyncCopy:
      if (Active.size() != Items.size())
        return wrong("an async copy that not all work-items reach");
      Now = &Items[0];
      copy(S);
      break;
    case StmtKind::Barrier:
      ++Out.Barriers;
      if (Active.size() != Items.size())
        return wrong("a barrier that not all work-items reach");
      break;
    default:
      for (uint32_t I : Active) {
        Now = &Items[I];
        simple(S);
        if (!Out.Wrong.empty()) {
          Kernel One;
          One.Body = {const_cast<Stmt *>(S)};
          Out.Wrong += " in " + dump(One);
          return;
        }
      }
    }
  }
}

Outcome Machine::go() {
  std::array<uint64_t, 3> Groups;
  for (unsigned D = 0; D < 3; ++D)
    Groups[D] = L.Global[D] / L.Local[D];
  for (uint64_t Z = 0; Z < Groups[2]; ++Z)
    for (uint64_t Y = 0; Y < Groups[1]; ++Y)
      for (uint64_t X = 0; X < Groups[0]; ++X) {
        Items.clear();
        Shared.clear();
        Mask All;
        for (uint64_t C = 0; C < L.Local[2]; ++C)
          for (uint64_t B = 0; B < L.Local[1]; ++B)
            for (uint64_t A = 0; A < L.Local[0]; ++A) {
              Item I;
              I.Group = {X, Y, Z};
              I.Local = {A, B, C};
              I.Global = {X * L.Local[0] + A, Y * L.Local[1] + B, Z * L.Local[2] + C};
              All.push_back(Items.size());
              Items.push_back(std::move(I));
            }
        block(K.Body, All);
        if (stopped())
          return std::move(Out);
      }
  return std::move(Out);
}

} // namespace

Outcome run(const Kernel &K, const Launch &L) { return Machine(K, L).go(); }

} // namespace clmali::testing
