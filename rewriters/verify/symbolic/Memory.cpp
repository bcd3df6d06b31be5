// The machine's memory: loads, stores, choices among addresses, and races.
//
// A cell holds the stored lane and the index of its byte in it, so that a value read back as it was
// written is the same term. An address that depends on data is a choice among all its offsets.
//
// Races: for each byte of a buffer or local variable the last writer is kept, and the readers of
// the latest epoch (barriers passed by the group). Two accesses are ordered if they are by one
// work-item, or by one group in different epochs. Two accesses that are not ordered, one of them
// writing, are a race, unless the write leaves the byte unchanged. Readers of earlier epochs are
// not needed: a later write by the same group is ordered after them, and readers of two groups
// conflict with any writer.

#include "rewriters/verify/symbolic/Machine.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/GlobalVariable.h"

namespace clmali::verify::symbolic {

using namespace llvm;

uint32_t Machine::newObject(Object::Kind K, StringRef Name, uint64_t Size) {
  uint32_t Id = 0;
  if (FreeObjects.empty()) {
    Id = uint32_t(Objects.size());
    Objects.emplace_back();
  } else {
    Id = FreeObjects.back();
    FreeObjects.pop_back();
  }
  Object &O = Objects[Id];
  if (Size > Limits.BufferBytes) {
    fail("a variable of " + Twine(Size) + " bytes");
    Size = 0;
  }
  O.K = K;
  O.Name = Name.str();
  O.ElementBytes = 1;
  O.Alignment = 128;
  O.Shared = K == Object::Kind::Local;
  O.ReadOnly = O.Written = O.Dead = false;
  O.Cells.assign(Size, Cell{{T.undef(8), NoObject}, 0, 1});
  O.Shadows.clear();
  if (O.Shared)
    O.Shadows.resize(Size);
  return Id;
}

uint32_t Machine::objectOfGlobal(const GlobalVariable &G, const Item *W) {
  bool Local = G.getAddressSpace() == 3;
  auto &Known = Local ? LocalGlobals : ConstantGlobals;
  if (auto It = Known.find(&G); It != Known.end())
    return It->second;
  if (!Local && (!G.isConstant() || !G.hasInitializer())) {
    fail("the program-scope variable " + G.getName());
    return NullObject;
  }
  uint32_t Id = newObject(Local ? Object::Kind::Local : Object::Kind::Constant, G.getName(),
                          Layout.getTypeAllocSize(G.getValueType()));
  Known[&G] = Id;
  Objects[Id].Alignment = G.getPointerAlignment(Layout).value();
  if (!Local)
    initialize(Objects[Id], 0, G.getInitializer());
  return Id;
}

bool Machine::initialize(Object &O, uint64_t Offset, const Constant *C) {
  ArrayRef<Part> Parts = partsOf(C->getType());
  // constantLanes() may make objects: O may move.
  uint32_t Id = uint32_t(&O - Objects.data());
  const Lanes &L = constantLanes(C);
  if (failed())
    return false;
  for (size_t I = 0; I < Parts.size(); ++I) {
    unsigned Bytes = (Parts[I].Bits + 7) / 8;
    Lane X = L[I];
    if (!X.isPointer())
      X.T = T.resize(X.T, Bytes * 8, false);
    for (unsigned N = 0; N < Bytes; ++N)
      Objects[Id].Cells[Offset + Parts[I].Offset + N] = {X, uint8_t(N), uint8_t(Bytes)};
  }
  return true;
}

Term Machine::byteOf(const Cell &C) {
  if (C.L.isPointer())
    return T.undef(8); // mergeCell() handles pointers
  return T.extract(C.L.T, unsigned(C.Byte) * 8, 8);
}

Cell Machine::mergeCell(Term C, const Cell &A, const Cell &B) {
  if (A.L.isPointer() || B.L.isPointer())
    return {{T.undef(8), MixedObject}, 0, 1};
  return {{T.ite(C, byteOf(A), byteOf(B)), NoObject}, 0, 1};
}

Lane Machine::peek(const Object &O, uint64_t Offset, unsigned Bytes) {
  const Cell &First = O.Cells[Offset];
  bool Whole = First.Byte == 0 && First.Bytes == Bytes;
  for (unsigned N = 1; Whole && N < Bytes; ++N)
    Whole = O.Cells[Offset + N] == Cell{First.L, uint8_t(N), uint8_t(Bytes)};
  if (Whole)
    return First.L;
  Term R = 0;
  for (unsigned N = 0; N < Bytes; ++N) {
    const Cell C = O.Cells[Offset + N];
    if (C.L.isPointer())
      return {};
    Term Byte = byteOf(C);
    R = R ? T.concat(Byte, R) : Byte;
  }
  // The low byte comes first, so that adjacent bytes of one term are joined to that term.
  return {R, NoObject};
}

void Machine::writeCell(uint32_t Id, uint64_t Offset, const Cell &C) {
  Object &O = Objects[Id];
  if (O.Cells[Offset] == C) {
    O.Written = true;
    return;
  }
  if (!Journals.empty())
    Journals.back().try_emplace({Id, Offset}, O.Cells[Offset]);
  O.Cells[Offset] = C;
  O.Written = true;
}

void Machine::writeLane(uint32_t Id, uint64_t Offset, Lane L, unsigned Bytes) {
  for (unsigned N = 0; N < Bytes; ++N)
    writeCell(Id, Offset + N, {L, uint8_t(N), uint8_t(Bytes)});
}

Hazard Machine::hazard(const Item &W, Hazard::Kind K, Term Bad) const {
  Hazard H;
  H.K = K;
  H.Bad = Bad;
  H.WorkItem = nameOf(W);
  return H;
}

Term Machine::pathCondition() {
  Term C = T.boolean(true);
  for (Term P : Path)
    C = T.bitAnd(C, P);
  return C;
}

void Machine::addHazard(Hazard H) {
  H.Path = pathCondition();
  if (KnownHazards.insert({H.Path, H.Bad}).second)
    Hazards.push_back(std::move(H));
}

bool Machine::checkAccess(Item &W, Lane Address, unsigned Bytes, bool Write) {
  if (Address.Object >= MixedObject || Objects[Address.Object].Dead) {
    fail(Address.Object == MixedObject  ? "a pointer that depends on data"
         : Address.Object == NullObject ? "an access through a null pointer"
                                        : "an access through what is no pointer to a live variable",
         StopKind::Pointer);
    return false;
  }
  const Object &O = Objects[Address.Object];
  const Node &N = T.node(Address.T);
  if (N.HasUndef) {
    fail("an uninitialised address, in " + nameOf(W), StopKind::Uninitialised);
    return false;
  }
  if (O.K == Object::Kind::Local && !LocalKnown) {
    fail("local memory where the runtime chooses the group size", StopKind::LocalMemory);
    return false;
  }
  if (Write && O.ReadOnly) {
    fail("a store to " + O.Name + ", which is const");
    return false;
  }
  if (O.Open || (N.UHi + Bytes <= O.size() && N.UHi < O.size()))
    return true;
  Hazard H = hazard(W, Hazard::Kind::Bounds, T.boolean(true));
  H.Argument = O.Name;
  H.What = (Write ? "writes " : "reads ") + O.Name + " outside its " +
           std::to_string(O.size() / O.ElementBytes) + " elements";
  if (T.isConst(Address.T)) {
    H.Element = uint64_t(signedOf(N.Imm, N.Width) / int64_t(std::max(1u, O.ElementBytes)));
    addHazard(std::move(H));
    return false;
  }
  H.What += ", at an address that depends on data";
  if (O.size() >= Bytes)
    H.Bad = T.ult(T.constant(N.Width, O.size() - Bytes), Address.T);
  bool Never = T.isConst(H.Bad, 0), Always = T.isConst(H.Bad, 1);
  if (!Never)
    addHazard(std::move(H));
  return !Always;
}

void Machine::checkAlignment(Item &W, Lane Address, uint64_t Alignment) {
  // Without an object the access itself fails with a reason.
  if (Alignment <= 1 || Address.Object >= MixedObject || T.node(Address.T).HasUndef)
    return;
  const Object &O = Objects[Address.Object];
  unsigned Bits = unsigned(__builtin_ctzll(Alignment));
  Term Bad = O.Alignment % Alignment
                 ? T.boolean(true)
                 : T.bitNot(T.eq(T.trunc(Address.T, Bits), T.constant(Bits, 0)));
  if (T.isConst(Bad, 0))
    return;
  Hazard H = hazard(W, Hazard::Kind::Alignment, Bad);
  H.Argument = O.Name;
  H.What = "accesses " + O.Name + " at an address that is no multiple of " +
           std::to_string(Alignment) + " bytes";
  addHazard(std::move(H));
}

bool Machine::candidates(Lane Address, unsigned Bytes, SmallVectorImpl<uint64_t> &Offsets) {
  const Object &O = Objects[Address.Object];
  if (!T.offsets(Address.T, O.size(), Bytes, Limits.Choices, Offsets)) {
    fail("an address that depends on data, with more than " + Twine(Limits.Choices) +
         " possible offsets in " + O.Name);
    return false;
  }
  return true;
}

Lane Machine::load(Item &W, Lane Address, unsigned Bits, bool Pointer) {
  unsigned Bytes = (Bits + 7) / 8, Width = Bytes * 8;
  auto unknown = [&]() -> Lane {
    if (Pointer)
      return {T.undef(pointerBits()), MixedObject};
    // The path may be impossible, which the hazard decides; then any value is right.
    return {Path.empty() ? T.undef(Width) : T.variable(Width), NoObject};
  };
  if (!checkAccess(W, Address, Bytes, false))
    return unknown();
  uint32_t Id = Address.Object;
  if (Objects[Id].Open)
    return Pointer ? unknown() : loadOpen(W, Address, Bytes);
  if (isAlone() && Objects[Id].K == Object::Kind::Local) {
    // A variable has one value; in a loop each iteration reads another.
    if (Pointer || !LoopNest.empty())
      fail("local memory that is read in a loop", StopKind::LocalMemory);
    return {T.variable(Width), NoObject};
  }
  const Node N = T.node(Address.T);
  Lane R;
  if (N.O == Op::Const) {
    recordRead(W, Id, N.Imm, Bytes, false);
    R = peek(Objects[Id], N.Imm, Bytes);
  } else if (!Pointer && Objects[Id].K == Object::Kind::Buffer && !Objects[Id].Written &&
             Objects[Id].ReadOnly) {
    R = {T.read(Objects[Id].Buffer, Width, Address.T), NoObject};
  } else {
    SmallVector<uint64_t, 64> Offsets;
    if (!candidates(Address, Bytes, Offsets))
      return unknown();
    for (uint64_t At : Offsets)
      recordRead(W, Id, At, Bytes, true);
    if (!Pointer && Objects[Id].K == Object::Kind::Buffer && !Objects[Id].Written) {
      R = {T.read(Objects[Id].Buffer, Width, Address.T), NoObject};
    } else {
      for (uint64_t At : Offsets) {
        Lane X = peek(Objects[Id], At, Bytes);
        if (!X.T || X.isPointer() != Pointer) {
          fail("pointers and numbers in one variable");
          return unknown();
        }
        R = R.T ? choose(T.eq(Address.T, T.constant(N.Width, At)), X, R) : X;
      }
    }
  }
  if (!R.T || R.isPointer() != Pointer) {
    if (Pointer && R.T && T.isUndef(R.T))
      return unknown();
    fail(Pointer ? "a number read as a pointer" : "a pointer read as a number");
    return unknown();
  }
  return R;
}

void Machine::store(Item &W, Lane Address, Lane Value, unsigned Bits) {
  unsigned Bytes = (Bits + 7) / 8;
  if (!Value.isPointer())
    Value.T = T.resize(Value.T, Bytes * 8, false);
  if (!checkAccess(W, Address, Bytes, true))
    return;
  uint32_t Id = Address.Object;
  if (Objects[Id].Open)
    return storeOpen(W, Address, Value, Bytes);
  if (isAlone() && Objects[Id].K == Object::Kind::Local)
    return;
  const Node N = T.node(Address.T);
  if (N.O == Op::Const) {
    if (tracked(Objects[Id])) {
      SmallVector<Cell, 8> Cells;
      for (unsigned B = 0; B < Bytes; ++B)
        Cells.push_back({Value, uint8_t(B), uint8_t(Bytes)});
      recordWrite(W, Id, N.Imm, Bytes, Cells, 0, false);
    }
    writeLane(Id, N.Imm, Value, Bytes);
    return;
  }
  if (tracked(Objects[Id])) {
    fail("a store to " + Objects[Id].Name + " at an address that depends on data");
    return;
  }
  SmallVector<uint64_t, 64> Offsets;
  if (Value.isPointer() || !candidates(Address, Bytes, Offsets)) {
    fail("a pointer stored at an address that depends on data");
    return;
  }
  SmallVector<Lane, 64> New;
  for (uint64_t At : Offsets) {
    Lane Old = peek(Objects[Id], At, Bytes);
    if (!Old.T || Old.isPointer()) {
      fail("pointers and numbers in one variable");
      return;
    }
    New.push_back(choose(T.eq(Address.T, T.constant(N.Width, At)), Value, Old));
  }
  // The offsets overlap: bytes would be written twice.
  if (Offsets.size() > 1 && Offsets[1] - Offsets[0] < Bytes) {
    fail("a store that may be misaligned");
    return;
  }
  for (size_t I = 0; I < Offsets.size(); ++I)
    writeLane(Id, Offsets[I], New[I], Bytes);
}

Term updated(TermStore &T, UpdateKind K, Term Old, Term Operand) {
  switch (K) {
  case UpdateKind::None:
    break;
  case UpdateKind::Add:
    return T.add(Old, Operand);
  case UpdateKind::Min:
    return T.minMax(Op::SMin, Old, Operand);
  case UpdateKind::Max:
    return T.minMax(Op::SMax, Old, Operand);
  case UpdateKind::UMin:
    return T.minMax(Op::UMin, Old, Operand);
  case UpdateKind::UMax:
    return T.minMax(Op::UMax, Old, Operand);
  case UpdateKind::And:
    return T.bitAnd(Old, Operand);
  case UpdateKind::Or:
    return T.bitOr(Old, Operand);
  case UpdateKind::Xor:
    return T.bitXor(Old, Operand);
  }
  llvm_unreachable("no update");
}

Term neutralOperand(TermStore &T, UpdateKind K, unsigned Width) {
  const uint64_t All = ~uint64_t(0) >> (64 - Width), Sign = uint64_t(1) << (Width - 1);
  switch (K) {
  case UpdateKind::And:
  case UpdateKind::UMin:
    return T.constant(Width, All);
  case UpdateKind::Min:
    return T.constant(Width, Sign - 1);
  case UpdateKind::Max:
    return T.constant(Width, Sign);
  default:
    return T.constant(Width, 0);
  }
}

void Machine::update(Item &W, Lane Address, unsigned Bits, UpdateKind Kind, Term Operand) {
  unsigned Bytes = Bits / 8;
  if (!checkAccess(W, Address, Bytes, true))
    return;
  if (Open)
    return updateOpen(W, Address, Bytes, Kind, Operand);
  uint32_t Id = Address.Object;
  const Node N = T.node(Address.T);
  SmallVector<uint64_t, 64> Offsets;
  if (N.O == Op::Const)
    Offsets.push_back(N.Imm);
  else if (!candidates(Address, Bytes, Offsets))
    return;
  if (Offsets.size() > 1 && Offsets[1] - Offsets[0] < Bytes) {
    fail("an atomic operation that may be misaligned");
    return;
  }
  for (uint64_t At : Offsets) {
    recordWrite(W, Id, At, Bytes, {}, static_cast<uint8_t>(Kind), N.O != Op::Const);
    Lane Old = peek(Objects[Id], At, Bytes);
    if (!Old.T || Old.isPointer()) {
      fail("an atomic operation on a pointer");
      return;
    }
    Term Here = T.eq(Address.T, T.constant(N.Width, At));
    Term Its = T.ite(Here, Operand, neutralOperand(T, Kind, Bits));
    writeLane(Id, At, {updated(T, Kind, Old.T, Its), NoObject}, Bytes);
  }
}

Lanes Machine::loadType(Item &W, Lane Address, Type *Ty) {
  Lanes R;
  for (const Part &P : partsOf(Ty)) {
    Lane At{T.addConst(Address.T, P.Offset), Address.Object};
    Lane X = load(W, At, P.Bits, P.Pointer);
    if (!P.Pointer && T.width(X.T) != P.Bits)
      X.T = T.trunc(X.T, P.Bits);
    R.push_back(X);
    if (failed())
      break;
  }
  return R;
}

void Machine::storeType(Item &W, Lane Address, ArrayRef<Lane> L, Type *Ty) {
  ArrayRef<Part> Parts = partsOf(Ty);
  for (size_t I = 0; I < Parts.size() && !failed(); ++I)
    store(W, {T.addConst(Address.T, Parts[I].Offset), Address.Object}, L[I], Parts[I].Bits);
}

void Machine::copyBytes(Item &W, Lane To, Lane From, uint64_t Bytes) {
  if (Bytes == 0 || failed())
    return;
  auto isOpen = [&](Lane L) { return L.Object < MixedObject && Objects[L.Object].Open; };
  if (isOpen(To) || isOpen(From)) {
    const unsigned Step = Bytes % 4 ? 1 : 4;
    for (uint64_t N = 0; N < Bytes && !failed(); N += Step) {
      Lane X = load(W, {T.addConst(From.T, N), From.Object}, Step * 8, false);
      store(W, {T.addConst(To.T, N), To.Object}, X, Step * 8);
    }
    return;
  }
  if (!T.isConst(To.T) || !T.isConst(From.T) || Bytes > Limits.BufferBytes) {
    fail("a copy whose addresses depend on data");
    return;
  }
  // Both ends are checked first: a copy is complete or not done.
  for (uint64_t N : {uint64_t(0), Bytes - 1}) {
    if (!checkAccess(W, {T.addConst(From.T, N), From.Object}, 1, false) ||
        !checkAccess(W, {T.addConst(To.T, N), To.Object}, 1, true))
      return;
  }
  std::vector<Cell> Cells;
  uint64_t Source = T.value(From.T), Target = T.value(To.T);
  for (uint64_t N = 0; N < Bytes; ++N)
    Cells.push_back(Objects[From.Object].Cells[Source + N]);
  for (uint64_t N = 0; N < Bytes; ++N) {
    recordRead(W, From.Object, Source + N, 1, false);
    recordWrite(W, To.Object, Target + N, 1, Cells[N], 0, false);
    writeCell(To.Object, Target + N, Cells[N]);
  }
}

void Machine::fillBytes(Item &W, Lane To, Term Byte, uint64_t Bytes) {
  for (uint64_t N = 0; N < Bytes && !failed(); ++N)
    store(W, {T.addConst(To.T, N), To.Object}, {Byte, NoObject}, 8);
}

bool Machine::tracked(const Object &O) const { return O.Shared && !O.Shadows.empty(); }

void Machine::reportRace(const Object &O, uint64_t Offset, uint32_t First, uint32_t Second,
                         bool Definite) {
  RaceReport R;
  R.Definite = Definite;
  R.Argument = O.Name;
  R.Element = Offset / O.ElementBytes;
  R.First = nameOfItem(First);
  R.Second = nameOfItem(Second);
  Race = R;
  fail(Twine(Definite ? "a race on " : "what may be a race on ") + O.Name + "[" + Twine(R.Element) +
           "] between work-items " + R.First + " and " + R.Second,
       StopKind::Race);
}

void Machine::recordRead(const Item &W, uint32_t Id, uint64_t Offset, unsigned Bytes, bool Maybe) {
  Object &O = Objects[Id];
  if (!tracked(O))
    return;
  Maybe |= !Path.empty();
  const uint32_t FirstGroup = Runs.back().FirstGroup, Epoch = epochOf(O);
  for (uint64_t At = Offset; At < Offset + Bytes; ++At) {
    Shadow &S = O.Shadows[At];
    if (S.Writer != Shadow::None && S.WriteGroup >= FirstGroup && S.Writer != W.Number &&
        (S.AtomicGroups || !(S.WriteGroup == W.GroupNumber && S.WriteEpoch < Epoch))) {
      reportRace(O, At, S.Writer, W.Number, !Maybe && !S.WriteMaybe && S.Writer != Shadow::Atomic);
      return;
    }
    if (S.Reader == Shadow::None || S.ReadGroup < FirstGroup) {
      S.ManyReaders = S.ManyGroups = false;
      S.Reader = W.Number;
      S.ReadGroup = W.GroupNumber;
      S.ReadEpoch = Epoch;
      S.ReadMaybe = Maybe;
    } else if (S.ReadGroup != W.GroupNumber) {
      S.ManyGroups = true;
      S.ReadMaybe |= Maybe;
    } else if (S.ReadEpoch != Epoch) {
      S.Reader = W.Number;
      S.ReadEpoch = Epoch;
      S.ManyReaders = false;
      S.ReadMaybe = Maybe;
    } else if (S.Reader != W.Number) {
      S.ManyReaders = true;
      S.ReadMaybe |= Maybe;
    }
  }
}

void Machine::recordWrite(const Item &W, uint32_t Id, uint64_t Offset, unsigned Bytes,
                          ArrayRef<Cell> Cells, uint8_t AtomicKind, bool Maybe) {
  Object &O = Objects[Id];
  if (!tracked(O))
    return;
  Maybe |= !Path.empty();
  const uint32_t FirstGroup = Runs.back().FirstGroup, Epoch = epochOf(O);
  for (uint64_t At = Offset; At < Offset + Bytes; ++At) {
    Shadow &S = O.Shadows[At];
    bool Same = !Cells.empty() && O.Cells[At] == Cells[At - Offset];
    bool Written = S.Writer != Shadow::None && S.WriteGroup >= FirstGroup && S.Writer != W.Number &&
                   (S.AtomicGroups || !(S.WriteGroup == W.GroupNumber && S.WriteEpoch < Epoch));
    if (Written && !Same &&
        !(S.Writer == Shadow::Atomic && AtomicKind && S.AtomicKind == AtomicKind)) {
      reportRace(O, At, S.Writer, W.Number, !Maybe && !S.WriteMaybe && S.Writer != Shadow::Atomic);
      return;
    }
    bool ReadBefore = S.Reader != Shadow::None && S.ReadGroup >= FirstGroup;
    if (ReadBefore && !Same &&
        (S.ManyGroups || S.ReadGroup != W.GroupNumber ||
         (S.ReadEpoch == Epoch && (S.Reader != W.Number || S.ManyReaders)))) {
      reportRace(O, At, S.Reader, W.Number, !Maybe && !S.ReadMaybe);
      return;
    }
    S.AtomicGroups = AtomicKind && S.Writer == Shadow::Atomic && S.WriteGroup >= FirstGroup &&
                     (S.AtomicGroups || S.WriteGroup != W.GroupNumber);
    S.Writer = AtomicKind ? Shadow::Atomic : W.Number;
    S.AtomicKind = AtomicKind;
    S.WriteGroup = W.GroupNumber;
    S.WriteEpoch = Epoch;
    S.WriteMaybe = Maybe;
  }
}

std::string Machine::writerOf(unsigned Buffer, uint64_t Offset) const {
  const Object &O = Objects[Buffer];
  if (O.Shadows.empty() || O.Shadows[Offset].Writer == Shadow::None)
    return {};
  return nameOfItem(O.Shadows[Offset].Writer);
}

} // namespace clmali::verify::symbolic
