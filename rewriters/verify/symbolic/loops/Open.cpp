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
  LocalKnown = I.Local[0] != 0;
  T.expandProducts();
  Run R;
  for (unsigned D = 0; D < 3; ++D)
    LocalSize[D] = LocalKnown && !isAlone() ? I.Local[D] : 1;
  // Work-items are named by their local ids.
  R.Launch.Kernel = I.Kernel;
  R.Launch.Shape.Global = R.LocalSize = LocalSize;
  R.Launch.LocalBytes = I.LocalBytes;
  Runs.push_back(R);
  Bound.assign(Args.begin(), Args.end());
  std::vector<uint32_t> GroupObjects;
  bindGroup(GroupObjects);
  for (Object &O : Objects)
    O.Open = O.K == Object::Kind::Buffer;
  std::vector<Item> Items(LocalSize[0] * LocalSize[1] * LocalSize[2]);
  if (!startGroup(*F, 0, {1, 1, 1}, Items))
    return false;
  for (Item &W : Items)
    for (unsigned D = 0; D < 3; ++D)
      W.OpenId[D] = T.addConst(I.Id[D], W.Local[D]);
  if (I.Exists && !T.isConst(I.Exists, 1))
    Path.push_back(I.Exists);
  const bool Completed = runGroup(Items);
  Path.clear();
  endGroup(GroupObjects);
  return Completed;
}

Term Machine::openQuery(const Item &W, StringRef Name, unsigned D, unsigned Bits) {
  auto one = [&](const std::array<Term, 3> &Of, uint64_t Beyond) -> Term {
    if (D >= 3)
      return T.constant(Bits, Beyond);
    return Of[D] ? T.resize(Of[D], Bits, false) : 0;
  };
  if (Name == "get_global_id")
    return one(W.OpenId, 0);
  if (Name == "get_global_size")
    return one(Open->Size, 1);
  if (Name == "get_global_offset")
    return one(Open->Offset, 0);
  if (Name == "get_work_dim")
    return Open->Dimensions ? T.resize(Open->Dimensions, Bits, false) : 0;
  if (!LocalKnown)
    return 0;
  if (Name == "get_group_id")
    return one(Open->Group, 0);
  if (Name == "get_num_groups")
    return one(Open->Groups, 1);
  std::array<Term, 3> Size{}, Id{};
  for (unsigned N = 0; N < 3; ++N) {
    Size[N] = T.constant(64, Open->Local[N]);
    Id[N] = isAlone() ? Open->Alone[N] : T.constant(64, W.Local[N]);
  }
  if (Name == "get_local_size" || Name == "get_enqueued_local_size")
    return one(Size, 1);
  if (Name == "get_local_id")
    return one(Id, 0);
  if (Name == "get_local_linear_id")
    return T.resize(T.add(T.mul(T.add(T.mul(Id[2], Size[1]), Id[1]), Size[0]), Id[0]), Bits, false);
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
  H.Exact = Exact;
  H.Result = Result.T;
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

Term Machine::replaceIf(Term Equal, Term Part, Term Simple, bool OfSizes) {
  if (T.isConst(Equal, 1))
    return Simple;
  if (!Open || (Open->Wrapping && Open->Wrapping->contains(Part)) ||
      (!LoopNest.empty() && Open->Kept && Open->Kept->contains(Current)))
    return Part;
  Splits.push_back({Part, T.bitOr(T.bitNot(pathCondition()), Equal), OfSizes,
                    LoopNest.empty() ? nullptr : Current});
  return Simple;
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
        Part = replaceIf(T.eq(Part, Apart), Part, Apart, false);
      }
    }
    Result = T.add(Result, T.mul(Part, Ops[I + 1]));
  }
  return Result;
}

void Machine::recordOpen(const Item &W, bool Write, Lane Address, unsigned Bytes, Term Value,
                         UpdateKind Update) {
  OpenAccess A;
  A.Write = Write;
  A.Update = Update;
  A.Buffer = Objects[Address.Object].Buffer;
  A.Bytes = Bytes;
  A.Item = W.Number == Shadow::GroupCopy ? 0 : W.Number;
  A.Phase = GlobalEpoch;
  A.Offset = Address.T;
  A.Value = Value;
  A.Path.assign(Path.begin(), Path.end());
  A.Loops = LoopNest;
  if (Write)
    StoredBuffers.insert(A.Buffer);
  Accesses.push_back(std::move(A));
  unsigned &Granule = Open->Granules[Accesses.back().Buffer];
  if (Granule > std::gcd(Granule, Bytes)) {
    // The terms that were made are too wide: the run begins again.
    Open->TooNarrow = {Accesses.back().Buffer, std::gcd(Granule, Bytes)};
    fail("accesses of several widths");
  }
}

bool Machine::storedThere(const Item &W, const OpenAccess &S, Term Address, unsigned Bytes,
                          Term &Value) {
  Term Distance = T.sub(Address, S.Offset);
  if (!T.isConst(Distance)) {
    if (!Open->Apart || !Open->Apart(S.Buffer, Address, S.Offset, pathCondition(), Claims))
      fail("a load after a store that may be to the same address", StopKind::StoreOrder);
    return false;
  }
  int64_t By = signedOf(T.value(Distance), T.width(Distance));
  if (By >= int64_t(S.Bytes) || By <= -int64_t(Bytes))
    return false;
  if (S.Item != W.Number && S.Phase == GlobalEpoch)
    fail("work-items of a group access " + Objects[S.Buffer].Name + " between the same barriers",
         StopKind::Race);
  else if (By < 0 || By + Bytes > S.Bytes)
    fail("a load of bytes that are only in part stored before", StopKind::StoreOrder);
  else
    Value = T.extract(S.Value, unsigned(By) * 8, Bytes * 8);
  return !failed();
}

Lane Machine::loadOpen(const Item &W, Lane Address, unsigned Bytes) {
  const unsigned Buffer = Objects[Address.Object].Buffer;
  Address.T = splitAddress(Address.T);
  recordOpen(W, false, Address, Bytes, 0);
  if (failed())
    return {T.undef(Bytes * 8), NoObject};
  Term Result = readOpen(Buffer, Address.T, Bytes);
  if (!StoredBuffers.contains(Buffer))
    return {Result, NoObject};
  // The last store comes first. Each is a choice, unless it was made on this path.
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
    Term Value = 0;
    if (!storedThere(W, S, Address.T, Bytes, Value)) {
      if (failed())
        break;
      continue;
    }
    Term Condition = T.boolean(true);
    for (size_t I = Same; I < S.Path.size(); ++I)
      Condition = T.bitAnd(Condition, S.Path[I]);
    Stored.push_back({Condition, Value});
    if (T.isConst(Condition, 1))
      break;
  }
  for (const auto &[Condition, Value] : reverse(Stored))
    Result = T.ite(Condition, Value, Result);
  return {Result, NoObject};
}

void Machine::storeOpen(const Item &W, Lane Address, Lane Value, unsigned Bytes) {
  if (Value.isPointer())
    return fail("a pointer that is stored in a buffer", StopKind::Pointer);
  Address.T = splitAddress(Address.T);
  recordOpen(W, true, Address, Bytes, Value.T);
}

void Machine::updateOpen(Item &W, Lane Address, unsigned Bytes, UpdateKind Kind, Term Operand) {
  if (!Objects[Address.Object].Open)
    return fail("an atomic operation on local memory", StopKind::Atomics);
  if (!LoopNest.empty())
    return fail("an atomic operation in a loop of symbolic trip count", StopKind::Atomics);
  Address.T = splitAddress(Address.T);
  recordOpen(W, false, Address, Bytes, Operand, Kind);
}

} // namespace clmali::verify::symbolic
