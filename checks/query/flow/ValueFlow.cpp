//===- ValueFlow.cpp --------------------------------------------------------------------------===//

#include "checks/query/flow/ValueFlow.h"
#include "checks/query/Query.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace clmali;
using namespace clmali::checks;
using namespace clmali::model;

/// True for a counter: x[i]++
static bool isCounter(const Stmt *S) {
  const Expr *E = stripCasts(S->E);
  if (E->K != ExprKind::Binary || (E->O != Op::Add && E->O != Op::Sub) || !E->Ty->isInteger())
    return false;
  const Expr *Old = stripCasts(E->Ops[0]), *By = stripCasts(E->Ops[1]);
  return Old->K == ExprKind::Load && Old->Acc.Base == S->Acc.Base && By->K == ExprKind::IntConst &&
         By->Int == 1;
}

/// True if what O accesses stays within the work-group and is known: private memory, and local
/// memory that nothing else accesses.
bool ValueFlow::isOwn(const Operation &O) const {
  AddressSpace Space = O.Acc ? O.Acc->Base->space() : AddressSpace::Global;
  return Space == AddressSpace::Private || (Space == AddressSpace::Local && KnowsLocal);
}

ValueFlow::ValueFlow(const KernelAnalysis &K, const rules::DeviceFacts &D) : P(lower(K, D)), K(K) {
  Uses.resize(P.Ops.size());
  for (BitVector *B : {&Varies, &Data, &OwnData, &Mixes})
    B->resize(P.Ops.size());
  for (const auto &[Array, N] : P.Elements) {
    Contents[Array].push_back(N);
    if (P.Ops[N].Class == OpClass::Leaf)
      Holds[N] = Array;
  }
  KnowsLocal = K.kernel().Opaques.empty() && none_of(stmts(K.kernel().Body), [](const Stmt *S) {
                 return S->K == StmtKind::AsyncCopy;
               });
  for (auto [N, O] : enumerate(P.Ops))
    if (O.Class == OpClass::Store && isOwn(O) && !isCounter(O.At))
      Contents[O.Acc->Base].push_back(O.Operands.back());
    else if (O.Class == OpClass::Load && isOwn(O))
      Holds[N] = O.Acc->Base;
  followData();
  followUses();
}

/// The values that are stored in the array that N is an element of.
ArrayRef<unsigned> ValueFlow::contents(unsigned N) const {
  auto Array = Holds.find(N);
  auto Of = Array == Holds.end() ? Contents.end() : Contents.find(Array->second);
  return Of == Contents.end() ? ArrayRef<unsigned>() : ArrayRef(Of->second);
}

/// Operands of loops come later: until nothing changes.
void ValueFlow::followData() {
  const bool Alone = !usesIds(K); // a kernel without ids has one work-item
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (auto [N, O] : enumerate(P.Ops)) {
      bool IsRead = O.Class == OpClass::Texture ||
                    (O.Class == OpClass::Load && O.Acc->Base->space() != AddressSpace::Private) ||
                    (O.Class == OpClass::Leaf && O.Operands.empty());
      bool IsUnknown = O.E && isUnknownValue(O.E); // of a missing function
      bool V = IsUnknown, D = IsUnknown, Own = IsUnknown;
      if (IsRead) {
        Variation Of;
        if (!O.E && O.At->K != StmtKind::Assign) // the result of an atomic
          Of = {1, 0, true};
        else if (O.E && (O.E->K != ExprKind::VarRef || O.E->V->K != Var::Param))
          Of = K.varies(O.E);
        V = !Of.uniform();
        D = Of.Data;
        Own = D && (Alone || !Of.uniformInLaunch());
      } else {
        for (ArrayRef<unsigned> From : {ArrayRef<unsigned>(O.Operands), contents(N)})
          for (unsigned Op : From) {
            V |= Varies[Op];
            D |= Data[Op];
            Own |= OwnData[Op];
          }
      }
      bool M = !IsRead && (V || D) && mixes(O);
      Changed |= V != Varies[N] || D != Data[N] || Own != OwnData[N] || M != Mixes[N];
      Varies[N] = V;
      Data[N] = D;
      OwnData[N] = Own;
      Mixes[N] = M;
    }
  }
}

/// True for a xor of varying values or data, and for what is computed from it.
bool ValueFlow::mixes(const Operation &O) const {
  if (!O.Ty || !O.Ty->isInteger() || O.Class == OpClass::Compare)
    return false;
  const Expr *E = O.E && O.E->K == ExprKind::Binary ? O.E : nullptr;
  if (E && E->O == Op::Xor)
    return !constantValue(E->Ops[0]) && !constantValue(E->Ops[1]);
  // (a ^ b) & 255 selects an element.
  if (E && (E->O == Op::And || E->O == Op::Shr || E->O == Op::Rem) && constantValue(E->Ops[1]))
    return false;
  return any_of(O.Operands, [&](unsigned Op) { return Mixes[Op]; });
}

/// True if statements in S decide how a loop or the kernel goes on.
static bool mayLeave(const Stmt *S) {
  return any_of(ArrayRef{&S->Body, &S->Else}, [](const StmtList *B) {
    return any_of(stmts(*B), [](const Stmt *X) {
      return X->K == StmtKind::Break || X->K == StmtKind::Continue || X->K == StmtKind::Return;
    });
  });
}

void ValueFlow::use(unsigned N) {
  const Operation &O = P.Ops[N];
  const uint8_t Of = Uses[N];
  const bool IsEffect = O.Class == OpClass::TexelStore || O.Class == OpClass::Atomic ||
                        (O.Class == OpClass::Store && (!isOwn(O) || Uses[O.Operands.back()]));
  for (const Stmt *S = Of || IsEffect ? O.At : nullptr; S && Matters.insert(S).second;)
    S = K.parentOf(S);
  for (unsigned Op : contents(N))
    Uses[Op] |= Of;
  for (auto [I, Op] : enumerate(O.Operands)) {
    const bool Last = I + 1 == O.Operands.size();
    uint8_t For = Of | (Of && O.Class == OpClass::FromInt ? Converted : 0);
    if (O.Class == OpClass::Store)
      For = !Last ? (IsEffect ? Index : 0) : isOwn(O) || isCounter(O.At) ? 0 : Value;
    else if (O.Class == OpClass::Atomic)
      For = Last ? Index : Value;
    else if (O.Class == OpClass::TexelStore)
      For = Last ? Value : 0;
    else if (O.Class == OpClass::Control) // what ends a loop that counts only tells how often
      For = (Matters.count(O.At) || (mayLeave(O.At) && !Matters.empty())) &&
                    (O.At->K != StmtKind::Loop || !K.countedLoop(O.At))
                ? Decision
                : 0;
    else if (O.Class == OpClass::Load)
      For = Of ? Index : 0;
    else if (O.Class == OpClass::Texture)
      For = Of ? Coordinate : 0;
    Uses[Op] |= For;
  }
}

void ValueFlow::followUses() {
  // What the model does not represent may do anything with its arguments.
  for (const Stmt *S : stmts(K.kernel().Body))
    if (S->K == StmtKind::Opaque)
      for (; S && Matters.insert(S).second;)
        S = K.parentOf(S);
  BitVector HasUser(P.Ops.size());
  for (const Operation &O : P.Ops)
    for (unsigned Op : O.Operands)
      HasUser.set(Op);
  for (auto [N, O] : enumerate(P.Ops))
    if (O.Used && !HasUser[N] && O.Ty)
      Uses[N] = Value;
  for (std::vector<uint8_t> Before; Before != Uses;) {
    Before = Uses;
    for (size_t N = P.Ops.size(); N-- > 0;)
      use(N);
  }
}
