//===-- test/model/analysis_fuzz_test.cpp - Analyses against a run --------===//
//
// Random kernels of integers, loops and branches are executed, work-item by work-item, by a simple
// interpreter, and all results of the analyses are compared with the execution: ranges contain all
// values, polynomials without atoms equal the value, constant distances are exact, uniform values
// are equal in all work-items, guards hold where accesses are executed, trip counts are right, and
// accesses without a conflict touch no common byte. Simplified and split kernels store the same.
//
//===----------------------------------------------------------------------===//

#include "test/model/analysis_util.h"
#include <gtest/gtest.h>
#include <random>
#include <set>

using namespace clmali::model;
using clmali::model::testing::Builder;

namespace {

constexpr int Width = 3, Height = 2;

int64_t wrapTo(__int128 V, ScalarKind K) {
  if (K == ScalarKind::Bool)
    return V != 0;
  unsigned Bits = sizeInBits(K);
  uint64_t Low = uint64_t(V) & (Bits == 64 ? ~uint64_t(0) : (uint64_t(1) << Bits) - 1);
  if (isSigned(K) && Bits < 64 && (Low >> (Bits - 1)) & 1)
    Low |= ~uint64_t(0) << Bits;
  return int64_t(Low);
}

struct Event {
  const Expr *E;
  const Stmt *S;
  int64_t Value;
  std::vector<std::pair<const Stmt *, int64_t>> Rounds;
};

struct Touch {
  const Access *A;
  const Stmt *S;
  int64_t Byte, Width;
  bool Write;
  unsigned Epoch; ///< barriers passed
};

/// Runs one work-item.
struct Machine {
  const Kernel &K;
  std::array<int64_t, 2> Gid;
  std::array<int64_t, 2> Group{Width, Height};              ///< all work-items are one group
  std::map<const Var *, int64_t> Env;                       ///< parameters and variables
  std::map<const Var *, std::map<int64_t, int64_t>> Memory; ///< private, by byte
  std::vector<std::pair<const Stmt *, int64_t>> Rounds;
  std::map<const Stmt *, std::map<const Var *, int64_t>> AtHead;
  std::vector<Event> Events;
  std::vector<Touch> Touches;
  std::vector<std::array<int64_t, 2>> Stores; ///< byte, value
  std::map<const Stmt *, std::set<int64_t>> Trips;
  std::function<void(const Event &)> OnEvent;
  std::function<void(const Access &, const Stmt *, const Expr *)> OnAccess;
  bool Stopped = false, Wrapped = false, Recording = true;
  unsigned Fuel = 4000, Epoch = 0;
  const Stmt *Now = nullptr;
  enum Way { Next, Break, Continue };

  Machine(const Kernel &K, std::array<int64_t, 2> Gid, int64_t N) : K(K), Gid(Gid) {
    for (const Var *P : K.Params)
      if (P->Ty->isValue())
        Env[P] = wrapTo(N, P->Ty->Scalar);
  }

  int64_t stop() {
    Stopped = true;
    return 0;
  }

  int64_t fit(__int128 V, ScalarKind T) {
    int64_t R = wrapTo(V, T);
    __int128 Back =
        isSigned(T) || R >= 0 || sizeInBits(T) < 64 ? __int128(R) : __int128(uint64_t(R));
    if (Back != V) {
      if (isSigned(T))
        return stop(); // overflow is undefined
      Wrapped |= sizeInBits(T) >= 32;
    }
    return R;
  }

  int64_t byteOf(const Access &A) {
    int64_t B = A.Disp;
    for (unsigned I = 0; I < A.Index.size(); ++I)
      B += eval(A.Index[I]) * A.Stride[I];
    return B;
  }

  int64_t loadFrom(const Access &A, const Expr *E) {
    int64_t Byte = byteOf(A);
    if (Stopped)
      return 0;
    touch(A, Byte, false, E);
    if (A.Base->space() == AddressSpace::Private)
      return Memory[A.Base].count(Byte) ? Memory[A.Base][Byte] : stop();
    // The content of a buffer: arbitrary, but fixed.
    return wrapTo((Byte * 2654435761u) >> 7, A.Elem);
  }

  void touch(const Access &A, int64_t Byte, bool Write, const Expr *E) {
    if (!Recording)
      return;
    Touches.push_back({&A, Now, Byte, int64_t(sizeInBytes(A.Elem)), Write, Epoch});
    if (OnAccess)
      OnAccess(A, Now, E);
  }

  int64_t eval(const Expr *E) {
    if (Stopped)
      return 0;
    int64_t V = evalRaw(E);
    if (Stopped || !Recording)
      return V;
    Event Ev{E, Now, V, Rounds};
    if (OnEvent)
      OnEvent(Ev);
    Events.push_back(std::move(Ev));
    return V;
  }

  int64_t evalRaw(const Expr *E) {
    ScalarKind T = E->Ty->Scalar;
    switch (E->K) {
    case ExprKind::IntConst:
      return E->Int;
    case ExprKind::VarRef:
      return Env.count(E->V) ? Env[E->V] : stop();
    case ExprKind::WorkItem:
      switch (E->Query) {
      case WorkItemQuery::GlobalId:
        return Gid[E->Dim];
      case WorkItemQuery::LocalId:
        return Gid[E->Dim] % Group[E->Dim];
      default:
        return stop();
      }
    case ExprKind::Load:
      return loadFrom(E->Acc, E);
    case ExprKind::Select:
      return eval(E->Ops[0]) ? eval(E->Ops[1]) : eval(E->Ops[2]);
    case ExprKind::Cast: {
      int64_t V = eval(E->Ops[0]);
      if (E->C == CastOp::Builtin) {
        int64_t Lo = isSigned(T) ? -(int64_t(1) << (sizeInBits(T) - 1)) : 0;
        int64_t Hi = (int64_t(1) << (sizeInBits(T) - isSigned(T))) - 1;
        return V < Lo ? Lo : V > Hi ? Hi : V;
      }
      int64_t R = wrapTo(V, T);
      Wrapped |= R != V && sizeInBits(T) >= 32;
      return R;
    }
    case ExprKind::Unary: {
      int64_t V = eval(E->Ops[0]);
      return E->O == Op::LogicalNot ? !V
             : E->O == Op::BitNot   ? wrapTo(~V, T)
                                    : fit(-__int128(V), T);
    }
    case ExprKind::Call: {
      std::vector<int64_t> A;
      for (const Expr *X : E->Ops)
        A.push_back(eval(X));
      if (E->Name == "min")
        return std::min(A[0], A[1]);
      if (E->Name == "max")
        return std::max(A[0], A[1]);
      if (E->Name == "abs")
        return A[0] < 0 ? -A[0] : A[0];
      if (E->Name == "clamp")
        return std::min(std::max(A[0], A[1]), A[2]);
      return stop();
    }
    case ExprKind::Binary: {
      int64_t A = eval(E->Ops[0]);
      if (E->O == Op::LogicalAnd)
        return A ? eval(E->Ops[1]) != 0 : 0;
      if (E->O == Op::LogicalOr)
        return A ? 1 : eval(E->Ops[1]) != 0;
      int64_t B = eval(E->Ops[1]);
      if (Stopped)
        return 0;
      switch (E->O) {
      case Op::Add:
        return fit(__int128(A) + B, T);
      case Op::Sub:
        return fit(__int128(A) - B, T);
      case Op::Mul:
        return fit(__int128(A) * B, T);
      case Op::Div:
        return B ? fit(__int128(A) / B, T) : stop();
      case Op::Rem:
        return B && B != -1 ? A % B : stop();
      case Op::Shl: {
        int64_t R = wrapTo(__int128(A) << (B & (sizeInBits(T) - 1)), T);
        Wrapped |= R >> (B & (sizeInBits(T) - 1)) != A;
        return R;
      }
      case Op::Shr:
        return A >> (B & (sizeInBits(T) - 1)); // never ulong here
      case Op::And:
        return A & B;
      case Op::Or:
        return A | B;
      case Op::Xor:
        return A ^ B;
      case Op::LT:
        return A < B;
      case Op::LE:
        return A <= B;
      case Op::GT:
        return A > B;
      case Op::GE:
        return A >= B;
      case Op::EQ:
        return A == B;
      case Op::NE:
        return A != B;
      default:
        return stop();
      }
    }
    default:
      return stop();
    }
  }

  Way run(const StmtList &B) {
    for (const Stmt *S : B) {
      Way W = run(S);
      if (W != Next || Stopped)
        return W;
    }
    return Next;
  }

  Way run(const Stmt *S) {
    if (Stopped || !Fuel--) {
      stop();
      return Next;
    }
    Now = S;
    switch (S->K) {
    case StmtKind::Decl:
      if (S->V->K == Var::Temp) {
        Env.erase(S->V);
        if (S->E) {
          int64_t V = eval(S->E);
          Env[S->V] = V;
        }
      }
      return Next;
    case StmtKind::Assign: {
      int64_t V = eval(S->E);
      Env[S->V] = V;
      return Next;
    }
    case StmtKind::Store: {
      int64_t Byte = byteOf(S->Acc), V = eval(S->E);
      if (Stopped)
        return Next;
      touch(S->Acc, Byte, true, nullptr);
      if (S->Acc.Base->space() == AddressSpace::Private)
        Memory[S->Acc.Base][Byte] = V;
      else
        Stores.push_back({Byte, V});
      return Next;
    }
    case StmtKind::If:
      return eval(S->E) ? run(S->Body) : run(S->Else);
    case StmtKind::Break:
      return Break;
    case StmtKind::Continue:
      return Continue;
    case StmtKind::Barrier:
      ++Epoch;
      return Next;
    case StmtKind::Loop: {
      run(S->Init);
      Rounds.push_back({S, 0});
      int64_t Count = 0;
      bool Broke = false;
      for (;; ++Count) {
        Rounds.back().second = Count;
        AtHead[S] = Env;
        Now = S;
        if (S->Form != Stmt::DoWhile && S->E && !eval(S->E))
          break;
        Way W = run(S->Body);
        if (W == Break || Stopped) {
          Broke = true;
          break;
        }
        run(S->Step);
        Now = S;
        if (S->Form == Stmt::DoWhile && !eval(S->E))
          break;
        if (Stopped || !Fuel--) {
          stop();
          break;
        }
      }
      if (!Stopped && !Broke)
        Trips[S].insert(Count);
      Rounds.pop_back();
      return Next;
    }
    default:
      stop();
      return Next;
    }
  }
};

/// Makes kernels.
struct Generator : Builder {
  std::mt19937 Random;
  Var *Out = buffer("out", ScalarKind::Int), *In = buffer("in", ScalarKind::UChar);
  Var *N = param("n"), *U = param("u", ScalarKind::UInt);
  Var *Private = array("priv", ScalarKind::Int, 8, AddressSpace::Private);
  std::vector<Var *> Vars;
  unsigned Loops = 0, Names = 0;

  Generator(unsigned Seed) : Random(Seed) {}
  int pick(int Count) { return int(Random() % unsigned(Count)); }

  const Expr *value(ScalarKind T, int Depth) {
    const Type *Ty = ty(T);
    if (Depth == 0 || pick(5) == 0) {
      switch (pick(7)) {
      case 0:
        return i(pick(40) - 12, T);
      case 1:
        return i(pick(4), T);
      case 2:
        return to(T, gid(unsigned(pick(2))));
      case 3:
        return to(T, r(pick(2) ? N : U));
      case 4:
        return to(T, load(In, op(Op::And, value(ScalarKind::Int, 0), i(15))));
      default:
        return Vars.empty() ? i(3, T) : to(T, r(Vars[size_t(pick(int(Vars.size())))]));
      }
    }
    auto Sub = [&] { return value(T, Depth - 1); };
    // As C promotes: arithmetic is in int or wider.
    if (sizeInBits(T) < 32) {
      if (pick(4) == 0) {
        Expr *Sat = M.newExpr(ExprKind::Cast, Ty);
        Sat->C = CastOp::Builtin;
        Sat->Text = "_sat";
        Sat->Ops = {value(ScalarKind::Int, Depth - 1)};
        return Sat;
      }
      return to(T, value(ScalarKind::Int, Depth - 1));
    }
    switch (pick(18)) {
    case 0:
    case 1:
    case 2:
      return add(Sub(), Sub());
    case 3:
    case 4:
      return sub(Sub(), Sub());
    case 5:
      return mul(Sub(), pick(2) ? i(pick(9) - 2, T) : value(T, 0));
    case 6:
      return op(Op::Div, Sub(), i(1 + pick(6), T));
    case 7:
      return op(Op::Rem, Sub(), i(1 + pick(9), T));
    case 8:
      return op(pick(2) ? Op::And : Op::Or, Sub(), i(pick(64), T));
    case 9:
      return op(pick(2) ? Op::Shl : Op::Shr, Sub(), i(pick(5)));
    case 10:
      return M.call(pick(2) ? "min" : "max", Ty, {Sub(), Sub()});
    case 11:
      return M.call("clamp", Ty, {Sub(), i(1, T), i(9 + pick(200), T)});
    case 12:
      return M.select(condition(), Sub(), Sub());
    case 13:
      return to(T, value(pick(2) ? ScalarKind::UChar : ScalarKind::Short, Depth - 1));
    case 14:
      return pick(2) ? M.unary(isSigned(T) ? Op::Neg : Op::BitNot, Sub()) : to(T, condition());
    case 15:
      return to(T, value(pick(2) ? ScalarKind::UInt : ScalarKind::Long, Depth - 1));
    case 16: {
      // split and joined again, in most cases
      const Expr *X = Sub(), *C = i(2 + pick(5), T);
      return add(mul(op(Op::Div, X, C), pick(4) ? C : i(3, T)), op(Op::Rem, X, C));
    }
    default: {
      const Expr *X = Sub();
      int Bits = 1 + pick(3), Mask = (1 << (pick(4) ? Bits : 2)) - 1;
      return add(op(Op::Shl, op(Op::Shr, X, i(Bits)), i(Bits)), op(Op::And, X, i(Mask, T)));
    }
    }
  }

  /// An index into an image of rows, with guards of varying strictness.
  void picture() {
    const Expr *X = igid(0), *Y = igid(1), *Pitch = pick(3) ? r(N) : i(2 + pick(3));
    const Expr *Limit = pick(3) ? Pitch : add(Pitch, i(pick(3) - 1));
    int Scale = 1 + pick(2), Dx = pick(3) - 1, Dy = pick(2);
    const Expr *At = add(mul(mul(add(Y, i(Dy)), Pitch), i(Scale)), add(mul(X, i(Scale)), i(Dx)));
    auto Write = [&] { store(Out, At, value(ScalarKind::Int, 1)); };
    const Expr *In = pick(2) ? lt(X, Limit) : both(lt(X, Limit), lt(Y, i(1 + pick(3))));
    switch (pick(4)) {
    case 0:
      Write();
      return;
    case 1:
      branch(M.unary(Op::LogicalNot, In), [] {}, Write);
      return;
    default:
      branch(In, Write);
      return;
    }
  }

  const Expr *condition() {
    if (pick(6) == 0)
      return op(pick(2) ? Op::LogicalAnd : Op::LogicalOr, condition(), condition());
    if (pick(10) == 0)
      return M.unary(Op::LogicalNot, condition());
    ScalarKind T = pick(5) ? ScalarKind::Int : ScalarKind::UInt;
    Op Ops[] = {Op::LT, Op::LE, Op::GT, Op::GE, Op::EQ, Op::NE};
    return op(Ops[pick(6)], value(T, 1), pick(2) ? i(pick(20), T) : value(T, 1));
  }

  ScalarKind type() {
    ScalarKind T[] = {ScalarKind::Int,   ScalarKind::Int,   ScalarKind::Int, ScalarKind::UInt,
                      ScalarKind::UChar, ScalarKind::Short, ScalarKind::Long};
    return T[pick(7)];
  }

  void block(int Count, int Depth, bool InLoop) {
    size_t Known = Vars.size();
    for (int C = 0; C < Count; ++C)
      statement(Depth, InLoop);
    Vars.resize(Known); // out of scope
  }

  void statement(int Depth, bool InLoop) {
    switch (pick(Depth > 0 ? 13 : 8)) {
    case 0:
    case 1: {
      ScalarKind T = type();
      const Expr *E = value(T, 2);
      Var *V = temp("v" + std::to_string(Names++), T);
      decl(V, E);
      Vars.push_back(V);
      return;
    }
    case 2:
    case 3:
    case 4:
      if (!Vars.empty()) {
        Var *V = Vars[size_t(pick(int(Vars.size())))];
        // Frequently a step, as in loops.
        const Expr *E = pick(2) ? value(V->Ty->Scalar, 2)
                                : M.cast(add(to(ScalarKind::Int, r(V)),
                                             pick(2) ? i(pick(7) - 2) : to(ScalarKind::Int, r(N))),
                                         V->Ty, true);
        assign(V, E);
        return;
      }
      [[fallthrough]];
    case 5:
    case 6:
      store(Out, value(ScalarKind::Int, 2), value(ScalarKind::Int, 1));
      return;
    case 7:
      if (pick(2))
        store(Private, i(pick(3)), value(ScalarKind::Int, 1));
      else if (InLoop)
        branch(condition(),
               [&] { put(M.newStmt(pick(2) ? StmtKind::Break : StmtKind::Continue)); });
      return;
    case 8:
    case 9:
    case 10: {
      const Expr *C = condition();
      branch(
          C, [&] { block(1 + pick(3), Depth - 1, InLoop); },
          [&] { block(pick(3), Depth - 1, InLoop); });
      return;
    }
    default: {
      if (++Loops > 4)
        return;
      Var *V = temp("i" + std::to_string(Names++), pick(4) ? ScalarKind::Int : ScalarKind::UInt);
      const Expr *Lo = pick(3) ? i(pick(3), V->Ty->Scalar) : value(V->Ty->Scalar, 0);
      const Expr *Hi = pick(2)   ? i(2 + pick(6), V->Ty->Scalar)
                       : pick(3) ? to(V->Ty->Scalar, pick(2) ? r(N) : gid(unsigned(pick(2))))
                                 : value(V->Ty->Scalar, 1);
      Stmt *L = loop(V, Lo, Hi, 1 + pick(3), [&] {
        // Variables that move in each trip, by fixed and by other steps.
        if (!Vars.empty() && pick(2)) {
          Var *Along = Vars[size_t(pick(int(Vars.size())))];
          const Expr *Steps[] = {i(pick(5) - 1), to(ScalarKind::Int, r(N)),
                                 to(ScalarKind::Int, r(V)), igid(0)};
          assign(Along,
                 M.cast(add(to(ScalarKind::Int, r(Along)), Steps[pick(4)]), Along->Ty, true));
        }
        Vars.push_back(V);
        block(1 + pick(4), Depth - 1, true);
        Vars.pop_back();
      });
      if (pick(6) == 0) { // downwards
        L->E = op(Op::GE, r(V), i(0, V->Ty->Scalar));
        L->Step[0]->E = sub(r(V), M.intConst(1, V->Ty));
        L->Init[0]->E = i(5, V->Ty->Scalar);
      } else if (pick(5) == 0) { // while, stepping in the body
        L->Form = Stmt::While;
        StmtList Init = L->Init;
        Open.back()->pop_back();
        for (Stmt *S : Init)
          put(S);
        put(L);
        L->Init.clear();
        L->Body.insert(L->Body.begin() + pick(int(L->Body.size()) + 1), L->Step[0]);
        L->Step.clear();
        Vars.push_back(V);
      } else if (pick(8) == 0) {
        L->Form = Stmt::DoWhile;
      }
      return;
    }
    }
  }

  /// Local memory, and barriers that all work-items execute.
  Var *Tile = nullptr, *L = nullptr, *Flat = nullptr;
  std::vector<Var *> Counters;

  const Expr *place() {
    const Expr *Own = r(pick(2) ? L : Flat);
    if (!Counters.empty() && pick(2)) {
      const Expr *C = r(Counters[size_t(pick(int(Counters.size())))]);
      return pick(2) ? add(Own, C) : add(mul(C, i(3 + pick(4))), Own);
    }
    switch (pick(6)) {
    case 0:
      return add(Own, i(pick(4)));
    case 1:
      return add(mul(Own, i(2)), i(pick(2)));
    case 2:
      return sub(i(7), Own);
    case 3:
      return i(pick(6));
    default:
      return Own;
    }
  }

  void group(int Count, int Depth) {
    for (int C = 0; C < Count; ++C)
      switch (pick(Depth ? 8 : 6)) {
      case 0:
      case 1:
        barrier();
        break;
      case 2:
        store(Out, r(Flat), load(Tile, place()));
        break;
      case 3: {
        const Expr *Bound = !Counters.empty() && pick(2) ? r(Counters.back()) : i(1 + pick(4));
        branch(op(pick(3) ? Op::LT : Op::EQ, r(pick(2) ? L : Flat), Bound),
               [&] { store(Tile, place(), pick(2) ? load(Tile, place()) : r(Flat)); });
        break;
      }
      case 4:
      case 5:
        store(Tile, place(), r(Flat));
        break;
      default: {
        Var *V = temp("s" + std::to_string(Names++));
        bool Halves = pick(2) != 0;
        Stmt *S = loop(V, i(Halves ? 4 : 0), i(1 + pick(3)), 1, [&] {
          Counters.push_back(V);
          group(2 + pick(3), Depth - 1);
          Counters.pop_back();
        });
        if (Halves) {
          S->E = op(Op::GT, r(V), i(0));
          S->Step[0]->E = op(Op::Shr, r(V), i(1));
        }
      }
      }
  }

  void groupKernel() {
    Tile = array("tile", ScalarKind::Int, 64, AddressSpace::Local);
    L = temp("l");
    Flat = temp("flat");
    decl(L, ilid(0));
    decl(Flat, pick(4) ? add(mul(ilid(1), i(Width)), r(L)) : r(L));
    if (pick(2))
      K->ReqdWorkGroupSize = {{Width, Height, 1}};
    group(7, 2);
  }

  void kernel() {
    for (int P = 0; P < 3; ++P)
      store(Private, i(P), value(ScalarKind::Int, 1));
    block(6, 3, false);
    picture();
    if (pick(3) == 0)
      picture();
    // Loads of the private array, at the end.
    store(Out, i(1000), load(Private, i(pick(3))));
  }
};

std::vector<Machine> runAll(const Kernel &K, int64_t N) {
  std::vector<Machine> Items;
  for (int64_t Y = 0; Y < Height; ++Y)
    for (int64_t X = 0; X < Width; ++X)
      Items.emplace_back(K, std::array<int64_t, 2>{X, Y}, N).run(K.Body);
  return Items;
}

/// True if both are in the same trips of their common loops.
bool sameRound(const Event &A, const Event &B) {
  for (size_t I = 0; I < std::min(A.Rounds.size(), B.Rounds.size()); ++I) {
    if (A.Rounds[I].first != B.Rounds[I].first)
      return true;
    if (A.Rounds[I].second != B.Rounds[I].second)
      return false;
  }
  return true;
}

/// True if X and Y touch one byte in two work-items of one group, in some launch.
bool meets(Builder &B, const AccessSite &X, const AccessSite &Y) {
  std::array<int64_t, 2> Group{4, 4};
  if (B.K->ReqdWorkGroupSize)
    Group = {(*B.K->ReqdWorkGroupSize)[0], (*B.K->ReqdWorkGroupSize)[1]};
  for (int64_t N : {8, 10, 5}) {
    std::vector<Machine> Items;
    for (int64_t J = 0; J < 12; ++J)
      for (int64_t I = 0; I < 16; ++I) {
        Machine &M = Items.emplace_back(*B.K, std::array<int64_t, 2>{I, J}, N);
        M.Group = Group;
        M.run(B.K->Body);
        M.Events.clear();
      }
    std::map<std::tuple<int64_t, int64_t, int64_t, unsigned>, std::set<const Machine *>> Seen;
    auto Visit = [&](const AccessSite &S, bool Look) {
      for (Machine &M : Items)
        for (const Touch &T : M.Touches)
          if (T.A == S.A && T.S == S.S)
            for (int64_t Byte = T.Byte; Byte < T.Byte + T.Width; ++Byte) {
              auto &Who = Seen[{M.Gid[0] / Group[0], M.Gid[1] / Group[1], Byte, T.Epoch}];
              if (!Look)
                Who.insert(&M);
              else if (Who.size() > Who.count(&M))
                return true;
            }
      return false;
    };
    Visit(X, false);
    if (Visit(Y, true))
      return true;
  }
  return false;
}

struct Counts {
  unsigned Ranges = 0, Polys = 0, Distances = 0, Uniform = 0, Guards = 0, Apart = 0, Trips = 0,
           Runs = 0, Narrowed = 0;
};

void check(Builder &B, int64_t N, Counts &Count) {
  const Kernel &K = *B.K;
  KernelAnalysis A(B.M, K);
  std::map<std::pair<const Expr *, const Stmt *>, Poly> Polys;
  auto PolyOf = [&](const Expr *E, const Stmt *S) -> const Poly & {
    auto [It, New] = Polys.try_emplace({E, S});
    if (New)
      It->second = A.poly(E, S);
    return It->second;
  };
  std::vector<Machine> Items;
  for (int64_t Y = 0; Y < Height; ++Y)
    for (int64_t X = 0; X < Width; ++X) {
      Machine &M = Items.emplace_back(K, std::array<int64_t, 2>{X, Y}, N);
      M.OnEvent = [&](const Event &E) {
        // Ranges
        Range R = A.range(E.E, E.S);
        bool Huge = E.E->Ty->Scalar == ScalarKind::ULong && E.Value < 0;
        ASSERT_TRUE(Huge || (R.Lo <= E.Value && E.Value <= R.Hi))
            << dump(E.E) << " is " << E.Value << ", not in [" << R.Lo << ", " << R.Hi << "]\n"
            << B.text();
        ++Count.Ranges;
        Count.Narrowed += !(R == rangeOf(E.E->Ty->Scalar)) && E.E->K != ExprKind::IntConst;
        // Polynomials of known symbols
        if (M.Wrapped || M.Stopped)
          return;
        __int128 Sum = 0;
        for (const auto &[Mono, C] : PolyOf(E.E, E.S).Terms) {
          __int128 Term = C;
          for (unsigned S : Mono) {
            const SymbolInfo &Sym = A.symbol(S);
            if (Sym.K == SymbolInfo::WorkItem &&
                (Sym.E->Query == WorkItemQuery::GlobalId || Sym.E->Query == WorkItemQuery::LocalId))
              Term *= M.Gid[Sym.E->Dim];
            else if (Sym.K == SymbolInfo::Param)
              Term *= N;
            else if (Sym.K == SymbolInfo::LoopVar && M.AtHead.count(Sym.Loop))
              Term *= M.AtHead[Sym.Loop][Sym.E->V];
            else if (Sym.K == SymbolInfo::Iteration) {
              for (auto [L, Round] : M.Rounds)
                if (L == Sym.Loop)
                  Term *= Round;
            } else
              return;
          }
          Sum += Term;
        }
        ASSERT_EQ(int64_t(Sum), E.Value) << dump(E.E) << " as " << A.text(PolyOf(E.E, E.S)) << "\n"
                                         << B.text();
        ++Count.Polys;
      };
      M.OnAccess = [&](const Access &Acc, const Stmt *S, const Expr *) {
        for (const AccessSite &Site : A.accesses()) {
          if (Site.A != &Acc || Site.S != S)
            continue;
          M.Recording = false;
          bool WasWrapped = M.Wrapped;
          for (const Guard &G : Site.Guards) {
            int64_t V = M.eval(G.Cond);
            EXPECT_EQ(V != 0, G.Holds) << dump(G.Cond) << "\n" << B.text();
            ++Count.Guards;
          }
          M.Recording = true;
          M.Wrapped = WasWrapped;
        }
      };
      M.run(K.Body);
      if (::testing::Test::HasFatalFailure() || ::testing::Test::HasFailure())
        return;
    }
  ++Count.Runs;
  bool Clean = true;
  for (Machine &M : Items)
    Clean = Clean && !M.Wrapped && !M.Stopped;

  // Distances within a work-item
  for (Machine &M : Items) {
    if (M.Wrapped)
      continue;
    std::vector<const Event *> Some;
    for (const Event &E : M.Events)
      if (E.E->K != ExprKind::IntConst)
        Some.push_back(&E);
    // A sample, spread over the run.
    std::vector<const Event *> Sample;
    for (size_t I = 0; I < Some.size(); I += Some.size() / 40 + 1)
      Sample.push_back(Some[I]);
    Some = std::move(Sample);
    for (const Event *X : Some)
      for (const Event *Y : Some) {
        if (X == Y || !sameRound(*X, *Y))
          continue;
        Poly D = PolyOf(X->E, X->S) - PolyOf(Y->E, Y->S);
        if (!D.isConstant())
          continue;
        ASSERT_EQ(X->Value - Y->Value, D.constantTerm())
            << dump(X->E) << " and " << dump(Y->E) << "\n"
            << B.text();
        ++Count.Distances;
      }
  }

  // Uniform values
  std::map<std::tuple<const Expr *, const Stmt *, std::vector<std::pair<const Stmt *, int64_t>>>,
           std::vector<std::pair<const Machine *, int64_t>>>
      ByPlace;
  for (Machine &M : Items)
    for (const Event &E : M.Events)
      ByPlace[{E.E, E.S, E.Rounds}].push_back({&M, E.Value});
  for (auto &[Place, Values] : ByPlace) {
    Variation V = A.varies(std::get<0>(Place));
    for (auto &[MX, VX] : Values)
      for (auto &[MY, VY] : Values) {
        uint8_t Differ = (MX->Gid[0] != MY->Gid[0]) | (MX->Gid[1] != MY->Gid[1]) << 1;
        if (V.Item & Differ)
          continue;
        ASSERT_EQ(VX, VY) << dump(std::get<0>(Place)) << "\n" << B.text();
        ++Count.Uniform;
      }
  }

  // Trip counts
  for (Machine &M : Items)
    for (auto &[L, Seen] : M.Trips)
      if (auto C = A.countedLoop(L); C && C->TripCount) {
        for (int64_t T : Seen)
          ASSERT_EQ(T, *C->TripCount) << B.text();
        ++Count.Trips;
      }

  // Accesses without a conflict
  if (!Clean)
    return;
  // (a kernel that uses ids of one dimension is launched in one).
  uint8_t Used = 0;
  std::map<std::pair<const Access *, const Stmt *>, std::vector<std::pair<unsigned, const Touch *>>>
      BySite;
  for (unsigned I = 0; I < Items.size(); ++I) {
    for (const Event &E : Items[I].Events)
      if (E.E->K == ExprKind::WorkItem)
        Used |= uint8_t(1u << E.E->Dim);
    for (const Touch &T : Items[I].Touches)
      BySite[{T.A, T.S}].push_back({I, &T});
  }
  for (const AccessSite &X : A.accesses())
    for (const AccessSite &Y : A.accesses()) {
      if (X.A->Base->space() == AddressSpace::Private || (!X.IsWrite && !Y.IsWrite) ||
          X.A->Base != Y.A->Base || A.conflict(X, Y) != Conflict::No)
        continue;
      for (auto [IX, TX] : BySite[{X.A, X.S}])
        for (auto [IY, TY] : BySite[{Y.A, Y.S}]) {
          bool Others = false;
          for (unsigned D = 0; D < 2; ++D)
            Others |= (Used >> D & 1) && Items[IX].Gid[D] != Items[IY].Gid[D];
          // Barriers order the work-items of a group.
          bool Ordered = X.A->Base->space() == AddressSpace::Local && TX->Epoch != TY->Epoch;
          if (!Others || Ordered)
            continue;
          ASSERT_TRUE(TX->Byte + TX->Width <= TY->Byte || TY->Byte + TY->Width <= TX->Byte)
              << A.text(X.Bytes) << " and " << A.text(Y.Bytes) << "\n"
              << B.text();
          ++Count.Apart;
        }
    }
}

std::vector<std::vector<std::array<int64_t, 2>>> storesOf(const Kernel &K, int64_t N,
                                                          std::vector<bool> &Stopped) {
  std::vector<std::vector<std::array<int64_t, 2>>> All;
  Stopped.clear();
  for (Machine &M : runAll(K, N)) {
    All.push_back(M.Stores);
    Stopped.push_back(M.Stopped);
  }
  return All;
}

/// Checks the stores of every work-item that ran to its end before.
void expectSame(Builder &B, int64_t N, const std::vector<std::vector<std::array<int64_t, 2>>> &Was,
                const std::vector<bool> &Stopped, const std::string &Before) {
  std::vector<bool> Now;
  auto Is = storesOf(*B.K, N, Now);
  for (size_t I = 0; I < Was.size(); ++I)
    if (!Stopped[I]) {
      ASSERT_FALSE(Now[I]) << Before << "\nbecame\n" << B.text();
      ASSERT_EQ(Was[I], Is[I]) << Before << "\nbecame\n" << B.text();
    }
}

TEST(AnalysisFuzz, GroupsThatShareMemory) {
  Counts Count;
  unsigned Certain = 0;
  for (unsigned Seed = 1; Seed <= 150; ++Seed) {
    SCOPED_TRACE("seed " + std::to_string(Seed));
    Generator G(Seed);
    G.groupKernel();
    check(G, 3, Count);
    if (HasFailure())
      return;
    KernelAnalysis A(G.M, *G.K);
    unsigned Tried = 0;
    for (const AccessSite &X : A.accesses())
      for (const AccessSite &Y : A.accesses())
        if (Tried < 2 && A.conflict(X, Y) == Conflict::Must) {
          ASSERT_TRUE(meets(G, X, Y)) << A.text(X.Bytes) << " and " << A.text(Y.Bytes) << "\n"
                                      << G.text();
          ++Tried;
        }
    Certain += Tried;
  }
  EXPECT_GT(Count.Apart, 2000u);
  EXPECT_GT(Certain, 20u);
}

TEST(AnalysisFuzz, ClaimsHoldInRuns) {
  Counts Count;
  for (unsigned Seed = 1; Seed <= 60; ++Seed) {
    SCOPED_TRACE("seed " + std::to_string(Seed));
    Generator G(Seed);
    G.kernel();
    std::string Before = G.text();
    int64_t N = 1 + Seed % 7;
    check(G, N, Count);
    if (HasFailure())
      return;

    std::vector<bool> Stopped;
    auto Was = storesOf(*G.K, N, Stopped);
    splitLiveRanges(G.M, *G.K);
    expectSame(G, N, Was, Stopped, Before);
    check(G, N, Count);
    if (HasFailure())
      return;

    walk(G.K->Body, [&](Stmt *S) {
      mapExprs(G.M, *S, [&](const Expr *E) { return simplify(G.M, E); });
      return true;
    });
    expectSame(G, N, Was, Stopped, Before);
    if (HasFailure())
      return;
  }
  // A test without checks would pass as well.
  EXPECT_GT(Count.Ranges, 100000u);
  EXPECT_GT(Count.Narrowed, 20000u);
  EXPECT_GT(Count.Polys, 10000u);
  EXPECT_GT(Count.Distances, 10000u);
  EXPECT_GT(Count.Uniform, 10000u);
  EXPECT_GT(Count.Guards, 1000u);
  EXPECT_GT(Count.Trips, 50u);
  EXPECT_GT(Count.Apart, 10u);
}

} // namespace
