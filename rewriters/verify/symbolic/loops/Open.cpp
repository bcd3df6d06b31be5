// Work-items whose ids and sizes are terms, and whose buffers have any size.
//
// A read from a buffer is an uninterpreted function of the address, in pieces of the buffer's
// granule, so that vector and scalar accesses of the same bytes give the same terms. Accesses are
// listed with the conditions under which they are made.
//
// Signed integers of 32 bits also have their exact value in 64 bits (Lane::Wide): where the
// arithmetic overflows, the program is undefined. Each overflow that bounds do not exclude is a
// hazard. So an index is one polynomial, however the source adds it up.

#include "rewriters/verify/symbolic/Machine.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Operator.h"

#include <numeric>

namespace clmali::verify::symbolic {

using namespace llvm;

/// Iterations of a loop with an undecided condition, after which it must be proved by induction.
/// The largest block along one dimension is 32, whose remainder needs one more.
static constexpr unsigned MostUnrolled = 34;

bool Machine::runOpen(OpenItem &I, ArrayRef<BoundArgument> Args) {
  const Function *F = M.getFunction(I.Kernel);
  if (!F || F->isDeclaration() || F->arg_size() != Args.size()) {
    fail("no kernel named " + I.Kernel + " with these arguments");
    return false;
  }
  Open = &I;
  LocalKnown = false;
  T.expandProducts();
  Run R;
  R.Launch.Kernel = I.Kernel;
  Runs.push_back(R);
  Bound.assign(Args.begin(), Args.end());
  BoundLanes.clear();
  for (const BoundArgument &A : Bound) {
    Lanes L;
    if (A.K == BoundArgument::Kind::Buffer)
      L.push_back({T.constant(pointerBits(), 0), A.Buffer});
    else if (A.K == BoundArgument::Kind::Local)
      L.push_back({T.constant(pointerBits(), 0), NullObject});
    for (Term C : A.Components)
      L.push_back({C, NoObject});
    BoundLanes.push_back(std::move(L));
  }
  for (Object &O : Objects)
    O.Open = O.K == Object::Kind::Buffer;
  Item W;
  if (!enterKernel(W, *F))
    return false;
  if (run(W, 0, nullptr) == Halt::Barrier)
    fail("a barrier", StopKind::LocalMemory);
  return !failed();
}

Term Machine::openQuery(StringRef Name, unsigned D, unsigned Bits) {
  auto one = [&](const std::array<Term, 3> &Of, uint64_t Beyond) -> Term {
    if (D >= 3)
      return T.constant(Bits, Beyond);
    return Of[D] ? T.resize(Of[D], Bits, false) : 0;
  };
  if (Name == "get_global_id")
    return one(Open->Id, 0);
  if (Name == "get_global_size")
    return one(Open->Size, 1);
  if (Name == "get_global_offset")
    return one(Open->Offset, 0);
  if (Name == "get_work_dim")
    return Open->Dimensions ? T.resize(Open->Dimensions, Bits, false) : 0;
  return 0;
}

void Machine::widen(Item &W, const BinaryOperator &B, Lane X, Lane Y, Lane &Result) {
  const auto *O = dyn_cast<OverflowingBinaryOperator>(&B);
  if (!O || !O->hasNoSignedWrap() || T.width(X.T) != 32)
    return;
  Term P = wideOf(X), Q = wideOf(Y), Exact = 0;
  switch (B.getOpcode()) {
  case Instruction::Add:
    Exact = T.add(P, Q);
    break;
  case Instruction::Sub:
    Exact = T.sub(P, Q);
    break;
  case Instruction::Mul:
    Exact = T.mul(P, Q);
    break;
  default:
    return;
  }
  const Node &N = T.node(Exact);
  if (T.isUndef(Exact) || Exact == T.extend(Result.T, 64, true))
    return;
  Result.Wide = Exact;
  if (N.SLo >= INT32_MIN && N.SHi <= INT32_MAX)
    return;
  Term Shifted = T.addConst(Exact, uint64_t(1) << 31);
  Hazard H = hazard(W, Hazard::Kind::Overflow, T.ult(T.constant(64, UINT32_MAX), Shifted));
  H.What = "may overflow";
  addHazard(std::move(H));
}

bool Machine::leavesLongLoop(const Frame &F) {
  if (!Open)
    return false;
  for (const Loop *L = F.Info->Loops.getLoopFor(F.Block); L; L = L->getParentLoop()) {
    auto It = F.Trips.find(L->getHeader());
    const bool Leaves =
        any_of(successors(F.Block), [&](const BasicBlock *B) { return !L->contains(B); });
    if (!Leaves || It == F.Trips.end() || It->second < MostUnrolled)
      continue;
    Open->TooLong = L->getHeader();
    fail("a loop of symbolic trip count", StopKind::LoopForm);
    return true;
  }
  return false;
}

Term Machine::readOpen(unsigned Buffer, Term Offset, unsigned Bytes) {
  const unsigned Granule = std::min(Open->Granules[Buffer], Bytes);
  Term R = 0;
  for (unsigned N = 0; N < Bytes; N += Granule) {
    Term Next = T.read(Buffer, Granule * 8, T.addConst(Offset, N));
    R = R ? T.concat(Next, R) : Next;
  }
  return R;
}

Term Machine::splitAddress(Term Address) {
  const Node N = T.node(Address);
  SmallVector<Term, 8> Ops(T.operands(Address));
  if (N.O != Op::Sum)
    Ops = {Address, T.constant(N.Width, 1)};
  Term Result = T.constant(N.Width, N.O == Op::Sum ? N.Imm : 0);
  for (size_t I = 0; I < Ops.size(); I += 2) {
    Term Part = Ops[I];
    const Node P = T.node(Part);
    if (P.O == Op::ZExt || P.O == Op::SExt) {
      Term Inner = T.operands(Part)[0];
      const Node Sum = T.node(Inner);
      if (Sum.O == Op::Sum && Sum.Imm != 0) {
        const uint64_t By = uint64_t(signedOf(Sum.Imm, Sum.Width));
        Term Apart =
            T.addConst(T.extend(T.addConst(Inner, 0 - Sum.Imm), N.Width, P.O == Op::SExt), By);
        Claims.push_back(T.bitOr(T.bitNot(pathCondition()), T.eq(Part, Apart)));
        Part = Apart;
      }
    }
    Result = T.add(Result, T.mul(Part, Ops[I + 1]));
  }
  return Result;
}

void Machine::recordOpen(bool Write, Lane Address, unsigned Bytes, Term Value) {
  OpenAccess A;
  A.Write = Write;
  A.Buffer = Objects[Address.Object].Buffer;
  A.Bytes = Bytes;
  A.Offset = Address.T;
  A.Value = Value;
  A.Path.assign(Path.begin(), Path.end());
  A.Loops = LoopNest;
  Accesses.push_back(std::move(A));
  unsigned &Granule = Open->Granules[Accesses.back().Buffer];
  if (Granule > std::gcd(Granule, Bytes)) {
    // The terms that were made are too wide: the run begins again.
    Open->TooNarrow = {Accesses.back().Buffer, std::gcd(Granule, Bytes)};
    fail("accesses of several widths");
  }
}

Lane Machine::loadOpen(Lane Address, unsigned Bytes) {
  const unsigned Buffer = Objects[Address.Object].Buffer;
  Address.T = splitAddress(Address.T);
  recordOpen(false, Address, Bytes, 0);
  if (failed())
    return {T.undef(Bytes * 8), NoObject};
  // The last store comes first. Each is a choice, unless it was made on this path.
  Term Result = readOpen(Buffer, Address.T, Bytes);
  SmallVector<std::pair<Term, Term>, 4> Stored; // condition and value, the last store first
  for (const OpenAccess &S : reverse(Accesses)) {
    if (!S.Write || S.Buffer != Buffer)
      continue;
    if (S.Loops != LoopNest) {
      fail("a load of a buffer that is written in a loop", StopKind::StoreInLoop);
      break;
    }
    size_t Same = 0;
    while (Same < S.Path.size() && Same < Path.size() && S.Path[Same] == Path[Same])
      ++Same;
    if (Same < S.Path.size() && Same < Path.size() && S.Path[Same] == T.bitNot(Path[Same]))
      continue; // on the other side of a branch
    Term Distance = T.sub(Address.T, S.Offset);
    if (!T.isConst(Distance)) {
      if (Open->Apart && Open->Apart(Buffer, Address.T, S.Offset, pathCondition(), Claims))
        continue;
      fail("a load after a store that may be to the same address", StopKind::StoreOrder);
      break;
    }
    int64_t By = signedOf(T.value(Distance), T.width(Distance));
    if (By >= int64_t(S.Bytes) || By <= -int64_t(Bytes))
      continue;
    if (By < 0 || By + Bytes > S.Bytes) {
      fail("a load of bytes that are only in part stored before", StopKind::StoreOrder);
      break;
    }
    Term Condition = T.boolean(true);
    for (size_t I = Same; I < S.Path.size(); ++I)
      Condition = T.bitAnd(Condition, S.Path[I]);
    Stored.push_back({Condition, T.extract(S.Value, unsigned(By) * 8, Bytes * 8)});
    if (T.isConst(Condition, 1))
      break;
  }
  for (const auto &[Condition, Value] : reverse(Stored))
    Result = T.ite(Condition, Value, Result);
  return {Result, NoObject};
}

void Machine::storeOpen(Lane Address, Lane Value, unsigned Bytes) {
  if (Value.isPointer())
    return fail("a pointer that is stored in a buffer", StopKind::Pointer);
  Address.T = splitAddress(Address.T);
  recordOpen(true, Address, Bytes, Value.T);
}

} // namespace clmali::verify::symbolic
