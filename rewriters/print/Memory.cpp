//===-- rewriters/print/Memory.cpp - Accesses as text ----------------------===//
//
// What it does: prints the location of an access:
//
//   before (model)                          after (text)
//   load tile[i][j]                         tile[i][j]
//   vload x[i + 1]:float4                   vload4(0, x + i + 1)
//   vload x[i *16]:float4                   vload4(i, x)
//   load bytes[i]:uint                      *(__global uint *)(bytes + i)
//
// How: by subscripts, if the strides are those of the base's declaration; else by a pointer that is
// cast to the type of the access, with offsets in the largest unit that divides all strides.
//
//===----------------------------------------------------------------------===//

#include "rewriters/print/Printer.h"
#include "llvm/ADT/StringExtras.h"

using namespace clmali::model;
using llvm::StringRef;

namespace clmali::rewrite {

std::string typeName(const Type *T) {
  switch (T->K) {
  case Type::Void:
    return "void";
  case Type::Value:
    return typeName(ctype(T));
  case Type::Pointer:
    return typeName(T->Elem) + " *";
  case Type::Array:
    return typeName(T->Elem);
  case Type::Struct:
  case Type::Image:
  case Type::Sampler:
  case Type::Other:
    return T->Name;
  }
  return "";
}

static StringRef spaceName(AddressSpace AS) {
  switch (AS) {
  case AddressSpace::Private:
    return "__private";
  case AddressSpace::Global:
    return "__global";
  case AddressSpace::Constant:
    return "__constant";
  case AddressSpace::Local:
    return "__local";
  }
  return "";
}

static uint64_t sizeOf(CType T) {
  return uint64_t(sizeInBytes(T.Scalar)) * (T.Lanes == 3 ? 4 : T.Lanes);
}

std::string ExprPrinter::pointerType(const Access &A, CType Pointee) const {
  std::string S = spaceName(A.Base->space()).str();
  if (A.Base->isPointerParam() && A.Base->Ty->Const)
    S += " const";
  if (A.Volatile)
    S += " volatile";
  return S + " " + typeName(Pointee) + " *";
}

std::string ExprPrinter::index(const Expr *E) const {
  ExprText T = raw(E);
  bool Same =
      T.Ty == ctype(E->Ty) || E->K == ExprKind::IntConst || preserves(T.Ty.Scalar, E->Ty->Scalar);
  return Same ? T.S : convertTo(T, E).S;
}

/// base[i][j].field, if the strides are those of the declaration.
std::optional<ExprPrinter::Natural> ExprPrinter::natural(const Access &A) const {
  if (A.OverRows && !Faithful)
    return std::nullopt;
  Natural N;
  N.S = Name(A.Base);
  const Type *T = A.Base->Ty;
  StringRef Path = A.Path;
  uint64_t Disp = 0;
  size_t D = 0;
  unsigned Steps = 0;
  for (;; ++Steps) {
    if ((T->K == Type::Pointer || T->K == Type::Array) && D < A.Index.size()) {
      if (!T->Elem || T->Elem->Size != A.Stride[D])
        return std::nullopt;
      if (Steps > 0 && T->K == Type::Array && Path.starts_with("[]"))
        Path = Path.drop_front(2); // an array inside a struct
      N.Index = index(A.Index[D]);
      N.S += "[" + N.Index + "]";
      T = T->Elem;
      ++D;
      continue;
    }
    if (T->K == Type::Struct && !Path.empty()) {
      if (!Path.consume_front("."))
        return std::nullopt;
      StringRef Name = Path.take_while([](char C) { return llvm::isAlnum(C) || C == '_'; });
      const Field *Found = nullptr;
      for (const Field &F : T->Fields)
        if (F.Name == Name)
          Found = &F;
      if (!Found)
        return std::nullopt;
      Path = Path.drop_front(Name.size());
      N.S += ("." + Name).str();
      Disp += Found->Offset;
      T = Found->Ty;
      continue;
    }
    break;
  }
  if (D != A.Index.size() || T->K != Type::Value)
    return std::nullopt;
  // A component of a vector in memory.
  uint64_t Rest = A.Disp - Disp;
  unsigned Size = sizeInBytes(T->Scalar);
  if (T->isVector() && A.Lanes == 1 && A.Elem == T->Scalar && A.F == Access::Subscript &&
      A.Disp >= Disp && Rest % Size == 0 && Rest / Size < T->Lanes) {
    N.S += swizzleText({static_cast<uint8_t>(Rest / Size)}, T->Lanes);
    N.Ty = {T->Scalar, 1};
    N.Component = true;
    return N;
  }
  if (Rest || !Path.empty())
    return std::nullopt;
  N.Ty = ctype(T);
  N.SimplePointer = Steps == 1 && A.Index.size() == 1;
  return N;
}

/// E * Factor as a term of an address, which does not wrap at 32 bits.
ExprText ExprPrinter::scaled(const Expr *E, uint64_t Factor) const {
  if (E->K == ExprKind::IntConst) {
    int64_t V = E->Int * static_cast<int64_t>(Factor);
    if (Factor != 1 || E->Text.empty())
      return {std::to_string(V), V < 0 ? PrecUnary : PrecPostfix, {ScalarKind::Int, 1}};
  }
  if (Factor == 1) {
    ExprText T = raw(E);
    if (!(T.Ty == ctype(E->Ty) || E->K == ExprKind::IntConst ||
          preserves(T.Ty.Scalar, E->Ty->Scalar)))
      T = convertTo(T, E);
    return T;
  }
  ExprText T = exact(E);
  if (sizeInBytes(E->Ty->Scalar) < 8)
    T = {"(long)" + paren(T, PrecUnary), PrecUnary, {ScalarKind::Long, 1}};
  return {paren(T, PrecMul) + " * " + std::to_string(Factor), PrecMul, T.Ty};
}

/// Appends E * Factor to a sum of 64-bit addresses. The summands of a 64-bit
/// sum are added one after the other: p + i + 1 for p + ((long)i + 1L).
void ExprPrinter::addTerms(std::string &S, const Expr *E, uint64_t Factor) const {
  auto Add = [&](ExprText T, bool Open) {
    if (T.S == "0")
      return;
    if (T.S[0] == '-' && T.Prec == PrecUnary &&
        llvm::all_of(StringRef(T.S).drop_front(), llvm::isDigit))
      S += " - " + T.S.substr(1);
    else
      S += " + " + (Open && T.Prec >= PrecAdd && T.S[0] != '-' ? T.S : paren(T, PrecMul));
  };
  bool Wide = sizeInBytes(E->Ty->Scalar) == 8;
  if (Faithful || Factor != 1) {
    Add(scaled(E, Factor), false);
    return;
  }
  if (Wide && E->K == ExprKind::Binary && E->O == Op::Add) {
    addTerms(S, E->Ops[0], 1);
    addTerms(S, E->Ops[1], 1);
    return;
  }
  if (Wide && E->K == ExprKind::Binary && E->O == Op::Sub && E->Ops[1]->K == ExprKind::IntConst &&
      E->Ops[1]->Int > 0) {
    addTerms(S, E->Ops[0], 1);
    S += " - " + std::to_string(E->Ops[1]->Int);
    return;
  }
  // Pointer arithmetic extends an integer as a conversion to 64 bits does, and wraps.
  ExprText T = raw(E);
  const bool MadeUp = E->K == ExprKind::IntConst && E->Text.empty();
  if (MadeUp || !(Wide && T.Ty.Lanes == 1 && isInteger(T.Ty.Scalar)))
    T = scaled(E, 1);
  // p + i + 1 for p + (i + 1), unless the sum may wrap without being an error.
  Add(T, T.Ty.Scalar != ScalarKind::UInt);
}

/// Base plus the access's offset in Unit bytes; every stride divides by it.
std::string ExprPrinter::sum(const Access &A, uint64_t Unit, std::string S) const {
  for (size_t D = 0; D < A.Index.size(); ++D)
    addTerms(S, A.Index[D], A.Stride[D] / Unit);
  if (A.Disp)
    S += " + " + std::to_string(A.Disp / Unit);
  return S;
}

static bool dividesAll(const Access &A, uint64_t Unit) {
  if (!Unit || A.Disp % Unit)
    return false;
  return llvm::all_of(A.Stride, [&](uint32_t S) { return S % Unit == 0; });
}

/// A pointer to Pointee at A. Count: the first argument of vloadN.
ExprText ExprPrinter::address(const Access &A, CType Pointee, std::string *Count) const {
  std::string Base = Name(A.Base);
  const Type *T = A.Base->Ty;
  bool Indexable = T->K == Type::Pointer || (T->K == Type::Array && T->Elem->K != Type::Array);
  const Type *Elem = Indexable ? T->Elem : nullptr;
  bool Same = Elem && Elem->isValue() && ctype(Elem) == Pointee;
  if (Count) {
    *Count = "0";
    uint64_t Whole = uint64_t(sizeInBytes(A.Elem)) * A.Lanes;
    if (Same && A.Index.size() == 1 && A.Stride[0] == Whole && A.Lanes > 1 &&
        A.Disp % sizeOf(Pointee) == 0) {
      *Count = index(A.Index[0]);
      Access Rest = A;
      Rest.Index.clear();
      Rest.Stride.clear();
      std::string S = sum(Rest, sizeOf(Pointee), Base);
      return {S, S == Base ? PrecPostfix : PrecAdd, {}};
    }
    // vloadN(i, p) is lifted as p + i * N.
    const Expr *I = A.Index.size() == 1 ? A.Index[0] : nullptr;
    if (Same && I && A.Stride[0] == sizeOf(Pointee) && !A.Disp && I->K == ExprKind::Binary &&
        I->O == Op::Mul && sizeInBytes(I->Ty->Scalar) == 8 && I->Ops[1]->K == ExprKind::IntConst &&
        I->Ops[1]->Int == A.Lanes) {
      ExprText T = raw(I->Ops[0]);
      *Count = T.Ty.Lanes == 1 && isInteger(T.Ty.Scalar) ? T.S : argument(I->Ops[0]);
      return {Base, PrecPostfix, {}};
    }
  }
  // The address of a vector's component cannot be taken in OpenCL C.
  if (std::optional<Natural> N = natural(A); N && !N->Component) {
    ExprText At{"&" + N->S, PrecUnary, {}};
    if (N->SimplePointer && N->Index == "0")
      At = {Base, PrecPostfix, {}};
    else if (N->SimplePointer && T->K == Type::Pointer)
      At = {sum(A, T->Elem->Size, Base), PrecAdd, {}};
    bool Declared = A.Base->isPointerParam() && A.Base->Ty->Volatile;
    if (N->Ty == Pointee && (!A.Volatile || Declared))
      return At;
    return {"(" + pointerType(A, Pointee) + ")" + paren(At, PrecUnary), PrecUnary, {}};
  }
  std::string Start = Base;
  if (!Indexable && T->K != Type::Array)
    Start = "&" + Base;
  std::string Cast = "(" + pointerType(A, Pointee) + ")";
  if (Elem && dividesAll(A, Elem->Size)) {
    std::string S = sum(A, Elem->Size, Base);
    Precedence P = S == Base ? PrecPostfix : PrecAdd;
    if (Same)
      return {S, P, {}};
    return {Cast + paren({S, P, {}}, PrecUnary), PrecUnary, {}};
  }
  if (dividesAll(A, sizeOf(Pointee))) {
    std::string S = Cast + Start, Sum = sum(A, sizeOf(Pointee), S);
    return {Sum, Sum == S ? PrecUnary : PrecAdd, {}};
  }
  std::string Bytes = "(" + pointerType(A, {ScalarKind::UChar, 1}) + ")" + Start;
  std::string Sum = sum(A, 1, Bytes);
  return {Cast + paren({Sum, Sum == Bytes ? PrecUnary : PrecAdd, {}}, PrecUnary), PrecUnary, {}};
}

ExprText ExprPrinter::lvalue(const Access &A) const {
  CType Ty{A.Elem, A.Lanes};
  std::optional<Natural> N = natural(A);
  // Only the access is volatile: use a pointer to volatile.
  const Var *B = A.Base;
  bool Declared =
      B->isPointerParam() ? B->Ty->Volatile : StringRef(B->Spelling).contains("volatile");
  if (A.Volatile && !Declared && !(N && N->Component))
    return {"*" + paren(address(A, Ty, nullptr), PrecUnary), PrecUnary, Ty};
  // *(p + i * n + k) where the subscript would need a cast: p[(long)(i * n) + k].
  const bool IsSum = N && N->SimplePointer && B->Ty->K == Type::Pointer && !Faithful &&
                     A.Index[0]->K == ExprKind::Binary;
  const bool AsPointer = IsSum && sum(A, B->Ty->Elem->Size, "").size() < (" + " + N->Index).size();
  if (N && N->Ty == Ty && !AsPointer)
    return {N->S, PrecPostfix, Ty};
  const Type *Elem = A.Base->Ty->Elem;
  if (!N && A.Index.size() == 1 && A.Stride[0] == sizeOf(Ty) && !A.Disp && Elem &&
      (A.Base->Ty->K == Type::Pointer || Elem->K != Type::Array) && Elem->Size != A.Stride[0])
    return {"((" + pointerType(A, Ty) + ")" + Name(A.Base) + ")[" + index(A.Index[0]) + "]",
            PrecPostfix, Ty};
  return {"*" + paren(address(A, Ty, nullptr), PrecUnary), PrecUnary, Ty};
}

std::string ExprPrinter::pointer(const Access &A) const {
  return address(A, {A.Elem, A.Lanes}, nullptr).S;
}

ExprText ExprPrinter::vectorLoad(const Access &A) const {
  std::string Count;
  ExprText P = address(A, {A.Elem, 1}, &Count);
  return {"vload" + std::to_string(A.Lanes) + "(" + Count + ", " + P.S + ")",
          PrecPostfix,
          {A.Elem, A.Lanes}};
}

std::string ExprPrinter::vectorStore(const Access &A, const Expr *E) const {
  std::string Count;
  ExprText P = address(A, {A.Elem, 1}, &Count);
  return "vstore" + std::to_string(A.Lanes) + "(" + argument(E) + ", " + Count + ", " + P.S + ")";
}

bool ExprPrinter::isHalfInMemory(const Expr *E) const {
  if (E->K != ExprKind::Cast || E->Implicit)
    return false;
  const Type *From = E->Ops[0]->Ty, *To = E->Ty;
  const bool Load = E->C == CastOp::Convert && E->Ops[0]->K == ExprKind::Load &&
                    From->Scalar == ScalarKind::Half && To->Scalar == ScalarKind::Float;
  return Load || (From->isValue() && From->Scalar == ScalarKind::Float &&
                  To->Scalar == ScalarKind::Half && From->Lanes == To->Lanes);
}

/// The offset and the pointer that a built-in for halves takes: p[i] is i, p.
std::string ExprPrinter::halfArguments(const Access &A, const std::string &Pointer,
                                       const std::string &Count) const {
  const Type *T = A.Base->Ty;
  const bool Plain = A.Lanes == 1 && T->K == Type::Pointer && T->Elem && T->Elem->isScalar() &&
                     T->Elem->Scalar == ScalarKind::Half && A.Index.size() == 1 &&
                     A.Stride[0] == sizeInBytes(ScalarKind::Half) && !A.Disp && A.Path.empty();
  if (!Plain)
    return Count + ", " + Pointer;
  // The built-in's parameter converts as an implicit conversion to size_t does.
  const Expr *I = A.Index[0];
  const bool Converts = I->K == ExprKind::Cast && I->Implicit && sizeInBytes(I->Ty->Scalar) == 8;
  return (Converts ? argument(I->Ops[0]) : index(I)) + ", " + Name(A.Base);
}

static std::string halfLanes(const Access &A) {
  return A.Lanes > 1 ? std::to_string(A.Lanes) : std::string();
}

ExprText ExprPrinter::halfLoad(const Access &A) const {
  std::string Count;
  ExprText P = address(A, {A.Elem, 1}, &Count);
  return {"vload_half" + halfLanes(A) + "(" + halfArguments(A, P.S, Count) + ")",
          PrecPostfix,
          {ScalarKind::Float, A.Lanes}};
}

std::string ExprPrinter::halfStore(const Access &A, const Expr *E) const {
  std::string Count;
  ExprText P = address(A, {A.Elem, 1}, &Count);
  return "vstore_half" + halfLanes(A) + E->Text + "(" + argument(E->Ops[0]) + ", " +
         halfArguments(A, P.S, Count) + ")";
}

} // namespace clmali::rewrite
