//===- manual-conversion.cpp --------------------------------------------------------------===//
//
// Before: (float4)((float)v.x, (float)v.y, (float)v.z, (float)v.w)
// After:  convert_float4(v)
// Before: r | g << 8 | b << 16 | a << 24
// After:  as_uint((uchar4)(r, g, b, a))
// Before: p & 255, (p >> 8) & 255, (p >> 16) & 255
// After:  as_uchar4(p).x, .y, .z
// Before: (ulong)hi << 32 | lo;           lo = v, hi = v >> 32
// After:  as_ulong((uint2)(lo, hi));     as_uint2(v)
// Before: out[i] = (uchar)(c.x * 255.0f), out[i + 1] = (uchar)(c.y * 255.0f), ...
// After:  convert_uchar4(c * 255.0f)
// Before: out[i] = (uchar)sum;
// After:  convert_uchar_sat(sum)
// Limits: explicit casts only. Patterns of several casts or shifts need three components, adjacent
//         elements or bytes, or a loop over them.
//
//===------------------------------------------------------------------------------------------===//

#include "checks/query/Bytes.h"
#include "checks/query/Query.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <map>
#include <set>

using namespace llvm;
using namespace clmali;
using namespace clmali::checks;
using namespace clmali::model;

/// True if E converts all components of one vector, in order, each by its own cast.
static bool isConvertedVector(const Expr *E) {
  if (E->K != ExprKind::VectorCtor || E->Ops.size() != E->Ty->Lanes || E->Ty->Lanes < 2)
    return false;
  const Expr *Of = nullptr;
  for (size_t I = 0; I < E->Ops.size(); ++I) {
    const Expr *X = E->Ops[I];
    if (X->K != ExprKind::Cast || X->C != CastOp::Convert)
      return false;
    X = stripCasts(X);
    if (X->K != ExprKind::Swizzle || X->LaneIdx.size() != 1 || X->LaneIdx[0] != I ||
        X->Ty->Scalar == E->Ty->Scalar)
      return false;
    if (Of && !model::equal(Of, X->Ops[0]))
      return false;
    Of = X->Ops[0];
  }
  return Of->Ty->Lanes == E->Ty->Lanes;
}

/// True for V.x = (float)v.x; V.y = (float)v.y; ... of all components, from statement B[At] on.
static bool isConvertedByParts(const StmtList &B, size_t At) {
  const Stmt &First = *B[At];
  if (First.K != StmtKind::Assign || First.LaneIdx.size() != 1 ||
      At + First.V->Ty->Lanes > B.size() ||
      (At > 0 && B[At - 1]->K == StmtKind::Assign && B[At - 1]->V == First.V &&
       !B[At - 1]->LaneIdx.empty()))
    return false;
  const Expr *Of = nullptr;
  std::set<unsigned> Lanes;
  for (size_t I = At; I < At + First.V->Ty->Lanes; ++I) {
    const Stmt &S = *B[I];
    if (S.K != StmtKind::Assign || S.V != First.V || S.LaneIdx.size() != 1 ||
        S.E->K != ExprKind::Cast || S.E->C != CastOp::Convert)
      return false;
    const Expr *X = stripCasts(S.E);
    if (X->K != ExprKind::Swizzle || X->LaneIdx.size() != 1 || X->LaneIdx[0] != S.LaneIdx[0] ||
        X->Ty->Scalar == First.V->Ty->Scalar || X->Ops[0]->Ty->Lanes != First.V->Ty->Lanes ||
        (Of && !model::equal(Of, X->Ops[0])))
      return false;
    Of = X->Ops[0];
    Lanes.insert(S.LaneIdx[0]);
  }
  return Lanes.size() == First.V->Ty->Lanes;
}

/// The number of bytes that E packs, if they are at least \p MinBytes; else none.
static std::optional<size_t> bytesPacked(const KernelAnalysis &K, const Expr *E, const Stmt *S,
                                         size_t MinBytes) {
  if (E->K != ExprKind::Binary || (E->O != Op::Or && E->O != Op::Add && E->O != Op::Xor))
    return std::nullopt;
  bool InLoop = false;
  size_t Bytes = packedBytes(K, E, S, [](const Expr *) { return false; }, InLoop).size();
  return Bytes >= MinBytes && !InLoop ? std::optional(Bytes) : std::nullopt;
}

/// The explicit conversion at the top of E, between integers and floating point or to another
/// width; null: there is none.
static const Expr *writtenCast(const Expr *E) {
  while (E->K == ExprKind::Cast && E->C == CastOp::Convert && E->Implicit)
    E = E->Ops[0];
  if (E->K != ExprKind::Cast || E->C != CastOp::Convert || !E->Ty->isScalar() ||
      !E->Ops[0]->Ty->isScalar())
    return nullptr;
  const Type *To = E->Ty, *From = E->Ops[0]->Ty;
  return To->isFloat() != From->isFloat() || sizeInBits(To->Scalar) != sizeInBits(From->Scalar)
             ? E
             : nullptr;
}

/// (uint4)((uint)r, (uint)g, (uint)b, 255): true if E is built of values of one type, each
/// converted to that of the vector.
static bool isVectorOfCasts(const Expr *E) {
  if (E->K != ExprKind::VectorCtor || E->Ops.size() != E->Ty->Lanes || E->Ty->Lanes < 3)
    return false;
  std::optional<ScalarKind> From;
  unsigned Converted = 0;
  for (const Expr *X : E->Ops) {
    const Expr *Cast = writtenCast(X);
    if (!Cast) {
      if (stripCasts(X)->K != ExprKind::IntConst && stripCasts(X)->K != ExprKind::FloatConst)
        return false;
      continue;
    }
    if (stripCasts(Cast)->K == ExprKind::WorkItem)
      return false; // a coordinate, not data
    ScalarKind Kind = stripCasts(Cast)->Ty->Scalar;
    if (From && *From != Kind)
      return false;
    From = Kind;
    ++Converted;
  }
  return Converted >= 3;
}

/// The one vector component that E is computed of; null: there are several, or other data.
static const Expr *componentBelow(const Expr *E) {
  const Expr *Found = nullptr;
  bool One = true;
  walk(E, [&](const Expr *X) {
    if (X->K == ExprKind::Swizzle && X->LaneIdx.size() == 1 && X->Ops[0]->Ty->isVector()) {
      One &= !Found || model::equal(Found, X);
      Found = X;
      return false;
    }
    One &= !isRead(X->K) && X->K != ExprKind::Opaque;
    return One;
  });
  return One ? Found : nullptr;
}

namespace {
/// Components of one vector that are converted to one type, each by its own cast.
struct ConvertedParts {
  const Expr *Of;
  const Type *To;
  SourceRange First;
  std::set<unsigned> Lanes;
};

/// The bytes that a kernel extracts from one value, or from the elements of one buffer.
struct Unpacked {
  const Expr *Of;
  SourceRange First;
  std::set<unsigned> Bytes;
  bool InLoop;
};

/// The bytes that a kernel packs into one value by a sequence of statements.
struct Packed {
  const Stmt *Target; ///< assigns or stores the value
  SourceRange First;
  std::set<unsigned> Bytes;
  bool InLoop; ///< a loop over the bytes packs them
  bool Ended;  ///< the value was overwritten
};

/// The halves that a kernel extracts from one value.
struct Halved {
  const Expr *Of;
  SourceRange First;
  std::set<unsigned> Halves;
};

/// Values that are converted to one type by casts.
struct CastValues {
  const Type *To;
  bool ToFloat;
  SourceRange First;
};
} // namespace

/// out[i] = (uchar)r; out[i + 1] = (uchar)g; ...: true if consecutive statements from B[At] on
/// store three or more adjacent elements, each converted from floating point to an integer. Sets At
/// to the last of them.
static bool isStoredByParts(const KernelAnalysis &K, const StmtList &B, size_t &At) {
  auto Converted = [](const Stmt &S) {
    if (S.K != StmtKind::Store || S.Acc.Lanes != 1 || S.Acc.Base->space() != AddressSpace::Global ||
        !S.E)
      return false;
    const Expr *Cast = writtenCast(S.E) ? writtenCast(S.E) : S.E;
    return Cast->K == ExprKind::Cast && Cast->C == CastOp::Convert && Cast->Ty->isInteger() &&
           Cast->Ops[0]->Ty->isFloat() && Cast->Ty->isScalar();
  };
  size_t Begin = At, End = At;
  while (End < B.size() && Converted(*B[End]) && B[End]->Acc.Base == B[Begin]->Acc.Base &&
         (End == Begin ||
          K.distance(B[End - 1]->Acc, B[End]->Acc) == int64_t(sizeInBytes(B[End]->Acc.Elem))))
    ++End;
  if (End - Begin < 3)
    return false;
  At = End - 1;
  return true;
}

/// True if Cast converts data between integers and floating point, from double to float, or to 8 or
/// 16 bits.
static bool convertsData(const KernelAnalysis &K, const Expr *Cast) {
  const Type *To = Cast->Ty, *From = Cast->Ops[0]->Ty;
  bool Narrower =
      From->isFloat() && To->isFloat() && sizeInBits(To->Scalar) < sizeInBits(From->Scalar);
  if (!Narrower && From->isFloat() == To->isFloat() &&
      !(To->isInteger() && sizeInBits(To->Scalar) <= 16 &&
        sizeInBits(From->Scalar) > sizeInBits(To->Scalar)))
    return false;
  const Expr *E = origin(K, Cast->Ops[0]);
  return E->K != ExprKind::IntConst && E->K != ExprKind::FloatConst && !constantValue(E) &&
         To->Scalar != ScalarKind::Bool && From->Scalar != ScalarKind::Bool;
}

/// True if A and B are one value, or elements of one array.
static bool isSameSource(const Expr *A, const Expr *B) {
  if (A->K == ExprKind::Load && B->K == ExprKind::Load)
    return A->Acc.Base == B->Acc.Base && A->Acc.Path == B->Acc.Path && A->Ty == B->Ty;
  return model::equal(A, B);
}

static std::string number(size_t N) {
  static const char *const Words[] = {"no",   "one", "two",   "three", "four",
                                      "five", "six", "seven", "eight"};
  return N < std::size(Words) ? Words[N] : utostr(N);
}

/// w = a << 24; w |= b << 16; w |= c << 8; ...: adds the bytes that S packs to those of the
/// statements before.
static void packStep(const KernelAnalysis &K, const Stmt *S, std::vector<Packed> &Packs) {
  bool Sets = (S->K == StmtKind::Assign || S->K == StmtKind::Decl) && S->V && S->LaneIdx.empty();
  if (!S->E || !(Sets || (S->K == StmtKind::Store && S->Acc.Lanes == 1)))
    return;
  bool KeepsOld = false;
  auto IsOld = [&](const Expr *E) {
    bool Old = Sets ? E->K == ExprKind::VarRef && E->V == S->V
                    : E->K == ExprKind::Load && model::equal(E->Acc, S->Acc);
    KeepsOld |= Old;
    return Old;
  };
  bool InLoop = false;
  std::set<unsigned> Positions = packedBytes(K, S->E, S, IsOld, InLoop);
  auto At = find_if(Packs, [&](const Packed &P) {
    return !P.Ended &&
           (Sets ? P.Target->V == S->V
                 : P.Target->K == StmtKind::Store && model::equal(P.Target->Acc, S->Acc));
  });
  if (At != Packs.end() && (!KeepsOld || Positions.empty() ||
                            any_of(Positions, [&](unsigned P) { return At->Bytes.count(P); }))) {
    At->Ended = true;
    At = Packs.end();
  }
  if (Positions.empty())
    return;
  if (At == Packs.end())
    At = Packs.insert(At, {S, S->E->Range.isValid() ? S->E->Range : S->Range, {}, false, false});
  At->Bytes.insert(Positions.begin(), Positions.end());
  At->InLoop |= InLoop && KeepsOld;
}

/// *(uint *)&f, or a field of a union after a store to another one: the loads of private variables
/// that read the bits as another type.
static std::vector<const AccessSite *> reinterpreted(const KernelAnalysis &K) {
  std::map<const Var *, std::set<ScalarKind>> Written;
  auto IsPrivate = [](const AccessSite &A) {
    return A.A->Base->K == Var::Memory && A.A->Base->space() == AddressSpace::Private;
  };
  for (const AccessSite &A : K.accesses())
    if (A.IsWrite && IsPrivate(A))
      Written[A.A->Base].insert(A.A->Elem);
  std::vector<const AccessSite *> Found;
  for (const AccessSite &A : K.accesses()) {
    const Type *Of = A.A->Base->Ty;
    if (!A.Load || !IsPrivate(A) || !(Of->isValue() || Of->isUnion()))
      continue;
    const std::set<ScalarKind> &Kinds = Written[A.A->Base];
    if (Kinds.size() == 1 && !Kinds.count(A.A->Elem) && sizeInBits(*Kinds.begin()) >= 16 &&
        sizeInBits(A.A->Elem) >= 16 && model::isFloat(*Kinds.begin()) != model::isFloat(A.A->Elem))
      Found.push_back(&A);
  }
  return Found;
}

namespace {
/// Collects conversions of a kernel and reports them, each once.
class Finder {
public:
  Finder(const Kernel &K, Context &C)
      : K(K), C(C), An(C.analysis()), MinBytes(size_t(C.option("MinBytes"))) {}
  void visitBlocks(const StmtList &B);
  void visitExprs();
  void reportBytes();
  void reportValues();

private:
  void report(SourceRange At, std::string What, std::string Instead);
  bool visit(const Expr *E, const Stmt *S);
  void addCast(const Expr *E, const Expr *Cast);
  bool reportIfConverted(const Expr *E, const Stmt *S);
  void addHalf(const Expr *E);
  bool addByte(const Expr *E, const Stmt *S);
  void addShift(const Stmt *S);
  bool isInLoopOverBytes(const Stmt *S);

  const Kernel &K;
  Context &C;
  const KernelAnalysis &An;
  const size_t MinBytes;
  std::set<std::pair<uint32_t, uint32_t>> Seen; ///< where findings begin
  std::vector<SourceRange> Reported;
  std::vector<Unpacked> Values;
  std::vector<Packed> Packs;
  std::vector<ConvertedParts> Parts;
  std::vector<CastValues> Casts;
  std::vector<Halved> Halves;
  /// How often a byte is appended to a variable, and where first.
  std::map<const Var *, std::pair<size_t, SourceRange>> Appended;
  std::map<const Var *, unsigned> Shifted; ///< bytes by which a variable was shifted down
};
} // namespace

static std::string convertTo(const Type *Ty) {
  return "convert_" + model::name(Ty->Scalar).str() + utostr(Ty->Lanes);
}

/// Reports once for each location, and nothing inside of a reported expression.
void Finder::report(SourceRange At, std::string What, std::string Instead) {
  if (any_of(Reported, [&](SourceRange R) {
        return R.File == At.File && R.Begin <= At.Begin && At.End <= R.End;
      }))
    return;
  Reported.push_back(At);
  if (At.isValid() && Seen.insert({At.File, At.Begin}).second)
    C.report(At, What).fix(Applicability::Verify, std::move(Instead));
}

/// Conversions over consecutive statements.
void Finder::visitBlocks(const StmtList &B) {
  for (size_t I = 0; I < B.size(); ++I) {
    if (isConvertedByParts(B, I))
      report(B[I]->Range, "a vector is converted component by component", convertTo(B[I]->V->Ty));
    size_t First = I;
    if (isStoredByParts(An, B, I))
      report(B[First]->Range, "neighbouring elements are converted one by one",
             "convert_" + model::name(B[First]->Acc.Elem).str() + "4 of a vector");
    forEachStmtList(*B[I], [&](StmtList &Nested) { visitBlocks(Nested); });
  }
}

/// Reports conversions of a single expression, and collects the others.
void Finder::visitExprs() {
  for (Stmt *S : stmts(K.Body)) {
    forEachExpr(*S,
                [&](const Expr *Root) { walk(Root, [&](const Expr *E) { return visit(E, S); }); });
    addShift(S);
    if (isByteAppended(An, S)) {
      auto &[Times, First] = Appended[S->V];
      First = First.isValid() ? First : S->E->Range;
      Times += isInLoopOverBytes(S) ? MinBytes : 1;
    }
    packStep(An, S, Packs);
  }
}

/// Returns whether to look at the operands of E.
bool Finder::visit(const Expr *E, const Stmt *S) {
  if (const Expr *Cast = E->K == ExprKind::Cast && !E->Implicit ? writtenCast(E) : nullptr)
    addCast(E, Cast);
  if (reportIfConverted(E, S))
    return false;
  if (isPackOfHalves(An, E, S))
    report(E->Range, "two halves are packed with shifts",
           "as_" + model::name(E->Ty->Scalar).str() + " of a vector of both");
  addHalf(E);
  return !addByte(E, S);
}

void Finder::addCast(const Expr *E, const Expr *Cast) {
  if (const Expr *Lane = componentBelow(Cast->Ops[0])) {
    auto At = find_if(Parts, [&](const ConvertedParts &P) {
      return P.To == Cast->Ty && model::equal(P.Of, Lane->Ops[0]);
    });
    if (At == Parts.end())
      At = Parts.insert(At, {Lane->Ops[0], Cast->Ty, E->Range, {}});
    At->Lanes.insert(Lane->LaneIdx[0]);
  }
  // The model represents convert_float as a cast, too.
  if (!convertsData(An, Cast) || !C.text(Cast->Range).ltrim().starts_with("("))
    return;
  auto At = find_if(Casts, [&](const CastValues &V) { return V.To == Cast->Ty; });
  if (At == Casts.end())
    Casts.push_back({Cast->Ty, Cast->Ty->isFloat(), E->Range});
  else if (isEarlier(K, E->Range, At->First))
    At->First = E->Range;
}

/// Reports E if it converts a whole vector, or packs bytes; returns whether it does.
bool Finder::reportIfConverted(const Expr *E, const Stmt *S) {
  if (isConvertedVector(E) || isVectorOfCasts(E)) {
    report(E->Range, "a vector is converted component by component", convertTo(E->Ty));
    return true;
  }
  std::optional<size_t> Bytes = bytesPacked(An, E, S, MinBytes);
  if (Bytes)
    report(E->Range, number(*Bytes) + " bytes are packed with shifts",
           "as_" + model::name(E->Ty->Scalar).str() + " of a vector of uchar");
  return Bytes.has_value();
}

void Finder::addHalf(const Expr *E) {
  const Expr *Whole = nullptr;
  std::optional<unsigned> Half = halfOf(E, Whole);
  if (!Half)
    return;
  auto At = find_if(Halves, [&](const Halved &H) { return model::equal(H.Of, Whole); });
  if (At == Halves.end())
    At = Halves.insert(At, {Whole, E->Range, {}});
  At->Halves.insert(*Half);
}

/// Collects E if it is a byte of a value; returns whether it is.
bool Finder::addByte(const Expr *E, const Stmt *S) {
  const Expr *Of = nullptr;
  bool InLoop = false;
  std::optional<unsigned> Byte = byteOf(An, E, S, Of, InLoop);
  if (!Byte)
    return false;
  auto At = find_if(Values, [&](const Unpacked &U) { return isSameSource(U.Of, Of); });
  if (At == Values.end())
    At = Values.insert(At, {Of, E->Range, {}, false});
  auto Before = Of->K == ExprKind::VarRef ? Shifted.find(Of->V) : Shifted.end();
  At->Bytes.insert(*Byte + (Before == Shifted.end() ? 0 : Before->second));
  At->InLoop |= InLoop;
  return true;
}

/// u >>= 8: byte 0 of the new value was byte 1 before. Another assignment starts a new value.
void Finder::addShift(const Stmt *S) {
  if (S->K != StmtKind::Assign || !S->V || !S->LaneIdx.empty())
    return;
  const Expr *E = stripCasts(S->E);
  bool Shifts = E->K == ExprKind::Binary && E->O == Op::Shr &&
                stripCasts(E->Ops[0])->K == ExprKind::VarRef && stripCasts(E->Ops[0])->V == S->V &&
                constantValue(E->Ops[1]) == 8;
  if (!Shifts) {
    Shifted.erase(S->V);
    return;
  }
  ++Shifted[S->V];
  if (isInLoopOverBytes(S))
    for (Unpacked &U : Values)
      U.InLoop |= U.Of->K == ExprKind::VarRef && U.Of->V == S->V;
}

/// True if the innermost loop around S runs over the bytes of a value.
bool Finder::isInLoopOverBytes(const Stmt *S) {
  auto Around = conditions(C).find(S);
  const Stmt *Loop = nullptr;
  if (Around != conditions(C).end())
    for (const Stmt *X : Around->second)
      Loop = X->K == StmtKind::Loop ? X : Loop;
  std::optional<CountedLoop> L = Loop ? An.countedLoop(Loop) : std::nullopt;
  return L && isLoopOverBytes(*L);
}

/// Bytes and halves that several expressions pack or extract, and vectors that they convert.
void Finder::reportBytes() {
  for (const Packed &P : Packs)
    if (P.Bytes.size() >= MinBytes || P.InLoop)
      report(P.First,
             P.InLoop ? "bytes are packed with shifts"
                      : number(P.Bytes.size()) + " bytes are packed with shifts",
             "as_T of a vector of uchar");
  for (const auto &[V, A] : Appended)
    if (A.first + 1 >= MinBytes) // the value before is a byte, too
      report(A.second, "bytes are packed with shifts", "as_T of a vector of uchar");
  for (const Halved &H : Halves)
    if (H.Halves.size() == 2)
      report(H.First,
             "the halves of a " + utostr(sizeInBits(H.Of->Ty->Scalar)) +
                 "-bit value are taken out with shifts",
             "as_" + std::string(sizeInBits(H.Of->Ty->Scalar) == 64 ? "uint2" : "ushort2"));
  for (const ConvertedParts &P : Parts)
    if (P.Lanes.size() >= 3)
      report(P.First, "a vector is converted component by component",
             "convert_" + model::name(P.To->Scalar).str() + "4");
  for (const Unpacked &U : Values)
    if (U.Bytes.size() >= MinBytes || U.InLoop)
      report(U.First,
             "the bytes of a " + utostr(sizeInBits(U.Of->Ty->Scalar)) +
                 "-bit value are taken out with shifts",
             "as_uchar" + utostr(sizeInBytes(U.Of->Ty->Scalar)));
}

/// Single values: bits that are read as another type, and the first cast to each type.
void Finder::reportValues() {
  for (const AccessSite *A : reinterpreted(An))
    report(A->A->Range.isValid() ? A->A->Range : A->Load->Range,
           "the bits of '" + A->A->Base->Name + "' are taken for another type through memory",
           "as_" + model::name(A->A->Elem).str());
  for (const CastValues &V : Casts)
    report(V.First, "a value is converted to " + model::name(V.To->Scalar).str() + " by a cast",
           "convert_" + model::name(V.To->Scalar).str());
}

static void run(const Kernel &K, Context &C) {
  Finder F(K, C);
  F.visitBlocks(K.Body);
  F.visitExprs();
  F.reportBytes();
  F.reportValues();
}

CLMALI_KERNEL_CHECK("manual-conversion", run);
