// Built-ins of work-items, synchronisation, memory and atomics; the signatures of all.

#include "rewriters/verify/symbolic/Builtins.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/Demangle/Demangle.h"

namespace clmali::verify::symbolic {

using namespace llvm;

static SpelledType parseType(StringRef Text) {
  SpelledType R;
  R.Pointer = Text.contains('*');
  Text = Text.take_until([](char C) { return C == '*'; });
  SmallVector<StringRef, 8> Words;
  Text.split(Words, ' ', -1, false);
  for (StringRef Word : Words) {
    if (Word.consume_front("vector[")) {
      Word.consumeInteger(10, R.Count);
      continue;
    }
    if (Word == "unsigned") {
      R.Signed = false;
      continue;
    }
    unsigned Bits = StringSwitch<unsigned>(Word)
                        .Case("char", 8)
                        .Cases("short", "half", 16)
                        .Cases("int", "float", 32)
                        .Cases("long", "double", 64)
                        .Default(0);
    if (Bits) {
      R.Bits = Bits;
      R.Float = Word == "half" || Word == "float" || Word == "double";
    }
  }
  return R;
}

static Signature parseSignature(StringRef Demangled) {
  Signature S;
  auto [Name, Rest] = Demangled.split('(');
  S.Name = Name.str();
  Rest.consume_back(")");
  SmallVector<StringRef, 4> Parts;
  Rest.split(Parts, ',', -1, false);
  for (StringRef P : Parts)
    S.Args.push_back(parseType(P.trim()));
  return S;
}

bool Builtins::workItem() {
  if (!Name.starts_with("get_"))
    return false;
  const SymbolicLaunch &L = M.Runs.back().Launch;
  const launch::Geometry &G = L.Shape;
  uint64_t D = 0;
  if (!Args.empty()) {
    if (!T.isConst(Args[0][0].T)) {
      M.fail("a dimension that depends on data");
      return true;
    }
    D = T.value(Args[0][0].T);
  }
  if (M.Open) {
    if (Term X = M.openQuery(W, Name, unsigned(std::min<uint64_t>(D, 3)), Bits))
      resultTerms({X});
    else
      M.fail((Name + " at a symbolic size").str(), StopKind::Groups);
    return true;
  }
  bool In = D < 3;
  bool OfGroup = false;
  uint64_t R = 0;
  auto groups = [&](unsigned N) { return G.Global[N] / M.LocalSize[N]; };
  if (Name == "get_global_id")
    R = In ? W.Global[D] : 0;
  else if (Name == "get_global_size")
    R = In ? G.Global[D] : 1;
  else if (Name == "get_global_offset")
    R = In ? G.Offset[D] : 0;
  else if (Name == "get_work_dim")
    R = G.Dimensions;
  else if (Name == "get_global_linear_id")
    R = ((W.Global[2] - G.Offset[2]) * G.Global[1] + (W.Global[1] - G.Offset[1])) * G.Global[0] +
        (W.Global[0] - G.Offset[0]);
  else {
    OfGroup = true;
    if (Name == "get_local_id")
      R = In ? W.Local[D] : 0;
    else if (Name == "get_local_size" || Name == "get_enqueued_local_size")
      R = In ? M.LocalSize[D] : 1;
    else if (Name == "get_group_id")
      R = In ? W.Group[D] : 0;
    else if (Name == "get_num_groups")
      R = In ? groups(unsigned(D)) : 1;
    else if (Name == "get_local_linear_id")
      R = (W.Local[2] * M.LocalSize[1] + W.Local[1]) * M.LocalSize[0] + W.Local[0];
    else
      return false;
  }
  // Beyond the dimensions of the launch everything is 0 or 1 for any group.
  if (OfGroup && !M.LocalKnown && !(Args.size() == 1 && D >= G.Dimensions && D < 3)) {
    M.fail("the runtime chooses the group size, and the kernel uses it");
    return true;
  }
  resultTerms({T.constant(Bits, R)});
  return true;
}

void Builtins::asyncCopy(bool Strided) {
  if (M.Open && (!M.LocalKnown || M.isAlone()))
    return M.fail("an asynchronous copy", StopKind::LocalMemory);
  if (!M.Journals.empty()) {
    M.fail("an asynchronous copy that depends on data");
    return;
  }
  Lane To = Args[0][0], From = Args[1][0];
  Term Number = Args[2][0].T, Stride = Strided ? Args[3][0].T : T.constant(T.width(Number), 1);
  if (!T.isConst(Number) || !T.isConst(Stride) || S.Args[0].bytes() == 0) {
    M.fail("an asynchronous copy of a length that depends on data");
    return;
  }
  uint64_t Element = S.Args[0].bytes(), N = T.value(Number);
  Machine::AsyncCopy Copy{To, From, N * Element};
  unsigned Index = W.AsyncCopies++;
  if (Index < M.AsyncCopies.size()) {
    const Machine::AsyncCopy &Known = M.AsyncCopies[Index];
    if (!(Known.To == To && Known.From == From && Known.Bytes == Copy.Bytes))
      M.fail("an asynchronous copy that is not the same in the whole group");
  } else {
    M.AsyncCopies.push_back(Copy);
    // The copy belongs to no work-item: it races with accesses that do not wait for it.
    Item Group;
    Group.Global = W.Global;
    Group.Number = Shadow::GroupCopy;
    Group.GroupNumber = W.GroupNumber;
    if (!Strided) {
      M.copyBytes(Group, To, From, Copy.Bytes);
    } else {
      bool ToLocal = To.Object < MixedObject && M.Objects[To.Object].K == Object::Kind::Local;
      uint64_t Step = T.value(Stride) * Element;
      for (uint64_t I = 0; I < N && !M.failed(); ++I) {
        Lane A{T.addConst(To.T, I * (ToLocal ? Element : Step)), To.Object};
        Lane B{T.addConst(From.T, I * (ToLocal ? Step : Element)), From.Object};
        M.copyBytes(Group, A, B, Element);
      }
    }
  }
  Lanes Event;
  for (const Part &P : M.partsOf(C.getType()))
    Event.push_back({T.constant(P.Bits, 0), P.Pointer ? NullObject : NoObject});
  result(Event);
}

bool Builtins::synchronisation() {
  if (Name == "barrier" || Name == "work_group_barrier" || Name == "wait_group_events") {
    if (M.isAlone())
      return true;
    if (!M.LocalKnown)
      M.fail("a barrier where the runtime chooses the group size", StopKind::LocalMemory);
    W.Waiting = &C;
    W.Fences = 3;
    if (Name != "wait_group_events") {
      if (T.isConst(Args[0][0].T))
        W.Fences = unsigned(T.value(Args[0][0].T)) & 3;
      else
        M.fail("a barrier whose kind depends on data");
    }
    return true;
  }
  if (Name == "mem_fence" || Name == "read_mem_fence" || Name == "write_mem_fence" ||
      Name == "prefetch")
    return true;
  if (Name == "async_work_group_copy" || Name == "async_work_group_strided_copy") {
    asyncCopy(Name.contains("strided"));
    return true;
  }
  return false;
}

// vload4(offset, p), vstore4(data, offset, p), vload_half4, vstorea_half4_rte.
bool Builtins::memory() {
  StringRef Rest = Name;
  bool Load = Rest.consume_front("vload"), Store = false;
  if (!Load)
    Store = Rest.consume_front("vstore");
  if (!Load && !Store)
    return false;
  bool Aligned = Rest.consume_front("a_half"), Half = Aligned || Rest.consume_front("_half");
  unsigned N = 1;
  Rest.consumeInteger(10, N);
  StringRef Rounding = Rest;
  const SpelledType &Pointee = S.Args.back();
  if (!Pointee.Pointer || !Pointee.Bits || Pointee.Count != 1 || (!Half && !Rounding.empty()))
    return false;
  if (Rounding == "_rte")
    Rounding = "";
  uint64_t Element = Pointee.Bits / 8;
  unsigned Stride = Aligned && N == 3 ? 4 : N;
  Lane Base = Args.back()[0];
  Term Offset = T.resize(Args[Args.size() - 2][0].T, M.pointerBits(), false);
  Term At = T.add(Base.T, T.mul(Offset, T.constant(M.pointerBits(), Stride * Element)));
  M.checkAlignment(W, {At, Base.Object},
                   Aligned ? std::min<uint64_t>(Stride, 16) * Element : Element);
  if (Load) {
    Lanes R;
    for (unsigned I = 0; I < N && !M.failed(); ++I) {
      Lane X = M.load(W, {T.addConst(At, I * Element), Base.Object}, Pointee.Bits, false);
      if (Half && Bits != 16)
        X.T = T.call("fpext", Bits, {X.T});
      R.push_back(X);
    }
    result(R);
    return true;
  }
  for (unsigned I = 0; I < N && !M.failed(); ++I) {
    Lane X = Args[0][I];
    if (Half && T.width(X.T) != 16)
      X.T = T.call(("fptrunc" + Rounding).str(), 16, {X.T});
    M.store(W, {T.addConst(At, I * Element), Base.Object}, X, Pointee.Bits);
  }
  return true;
}

bool Builtins::atomics() {
  StringRef Rest = Name;
  if (!Rest.consume_front("atomic_") && !Rest.consume_front("atom_"))
    return false;
  if (S.Args.empty() || !S.Args[0].Pointer || S.Args[0].Float)
    return false;
  bool Signed = S.Args[0].Signed;
  UpdateKind K = StringSwitch<UpdateKind>(Rest)
                     .Cases("add", "sub", "inc", "dec", UpdateKind::Add)
                     .Case("min", Signed ? UpdateKind::Min : UpdateKind::UMin)
                     .Case("max", Signed ? UpdateKind::Max : UpdateKind::UMax)
                     .Case("and", UpdateKind::And)
                     .Case("or", UpdateKind::Or)
                     .Case("xor", UpdateKind::Xor)
                     .Default(UpdateKind::None);
  if (K == UpdateKind::None)
    return false;
  if (!C.use_empty()) {
    M.fail("an atomic operation whose old value is used", StopKind::Atomics);
    return true;
  }
  unsigned Width = S.Args[0].Bits;
  Term Operand = Args.size() > 1 ? Args[1][0].T : T.constant(Width, 1);
  if (Rest == "sub" || Rest == "dec")
    Operand = T.neg(Operand);
  M.update(W, Args[0][0], Width, K, Operand);
  return true;
}

bool Machine::builtin(Item &W, const CallInst &C) {
  const Function *Callee = C.getCalledFunction();
  std::string &Known = Demangled[Callee];
  if (Known.empty())
    Known = demangle(Callee->getName());
  if (C.arg_size() > 0 && C.getArgOperand(0)->getType()->isMetadataTy()) {
    fail("the built-in function " + Known);
    return false;
  }
  return Builtins(*this, W, C, parseSignature(Known)).run();
}

} // namespace clmali::verify::symbolic
