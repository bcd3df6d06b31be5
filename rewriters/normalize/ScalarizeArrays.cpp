//===-- rewriters/normalize/ScalarizeArrays.cpp - Private memory becomes variables ---------===//
//
// What it does: makes variables of the elements of small private arrays, of the fields
// of structs, and of unions:
//
//   before                                after
//   float acc[2];                         float acc0;
//   acc[0] = 0; acc[1] = x;               float acc1;
//                                         acc0 = 0; acc1 = x;
//
//   struct P q; q.x = q.y + 1;            float q_x; float q_y; q_x = q_y + 1;
//
//   union { float f; uint u; } v;         uint v;
//   v.f = x; y = v.u >> 23;               v = as_uint(x); y = v >> 23;
//
//   union { float all[3]; struct { float x, y, z; } one; } v;   float v[3];
//   v.all[i] = v.one.y;                                         v[i] = v[1];
//
// Limits: arrays with constant indices only; unions only if each access is to all of it, or no
// byte is accessed in two ways.
// Nothing in kernels with opaque nodes.
//
//===----------------------------------------------------------------------===//

#include "checks/model/ir/Simplify.h"
#include "checks/model/ir/Traversal.h"
#include "checks/model/pattern/Opaque.h"
#include "rewriters/pass/Passes.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <cmath>
#include <functional>
#include <map>

namespace clmali::rewrite {

using namespace model;

/// Calls Note(Access, Plain) for each access of K; not plain: the whole element is not loaded or
/// stored by a plain statement.
static void forEachAccess(const Kernel &K,
                          llvm::function_ref<void(const Access &, bool Plain)> Note) {
  for (const Stmt *S : stmts(K.Body)) {
    Note(S->Acc, S->K == StmtKind::Store && S->LaneIdx.empty());
    Note(S->Source, false);
    for (ExprAt X : exprs(*S))
      if (X->K == ExprKind::Load)
        Note(X->Acc, true);
  }
}

//===----------------------------------------------------------------------===//
// Unions
//===----------------------------------------------------------------------===//

namespace {

/// union { float f; uint u; } v: v.f = x; y = v.u  becomes  v = as_uint(x); y = v: one variable,
/// read as another type.
class UnionScalarizer {
public:
  UnionScalarizer(Module &M, Kernel &K) : M(M), K(K) {}
  unsigned run();

private:
  Module &M;
  Kernel &K;
  struct Uses {
    bool Whole = true; ///< each access is to all of it
    unsigned Bytes = 0;
    const Type *Ty = nullptr;
  };
  llvm::DenseMap<const Var *, Uses> Unions;
  llvm::DenseMap<const Var *, unsigned> Decls;
  llvm::DenseMap<const Var *, Var *> New;

  void note(const Access &A, bool Plain);
  void makeVars();
  const Expr *bitcast(const Expr *E, const Type *Ty);
  const Expr *rewrite(const Expr *E);
};

} // namespace

void UnionScalarizer::note(const Access &A, bool Plain) {
  auto It = A.Base ? Unions.find(A.Base) : Unions.end();
  if (It == Unions.end())
    return;
  Uses &S = It->second;
  unsigned Bytes = sizeInBytes(A.Elem) * A.Lanes;
  S.Whole &= Plain && A.Index.empty() && !A.Disp && !A.Volatile && A.Lanes != 3 &&
             A.Elem != ScalarKind::Bool && (!S.Bytes || S.Bytes == Bytes);
  S.Bytes = Bytes;
  // An integer keeps all bits, also those that are no number.
  if (!S.Ty || (S.Ty->isFloat() && isInteger(A.Elem)))
    S.Ty = M.value(A.Elem, A.Lanes);
}

/// Replaces the unions in K.Vars that can be one variable.
void UnionScalarizer::makeVars() {
  for (Var *&V : K.Vars) {
    auto It = Unions.find(V);
    if (It == Unions.end() || !It->second.Whole || !It->second.Ty || Decls.lookup(V) != 1)
      continue;
    Var *W = M.newVar(Var::Temp, V->Name, It->second.Ty);
    W->Range = V->Range;
    W->FromHelper = V->FromHelper;
    New[V] = W;
    V = W;
  }
}

const Expr *UnionScalarizer::bitcast(const Expr *E, const Type *Ty) {
  if (E->Ty == Ty)
    return E;
  Expr *C = M.newExpr(ExprKind::Cast, Ty, E->Range);
  C->C = CastOp::Bitcast;
  C->Ops = {E};
  return C;
}

const Expr *UnionScalarizer::rewrite(const Expr *E) {
  if (E->K == ExprKind::Load)
    if (Var *W = New.lookup(E->Acc.Base))
      return bitcast(M.ref(W), E->Ty);
  return mapOperands(M, E, [&](const Expr *X) { return rewrite(X); });
}

unsigned UnionScalarizer::run() {
  for (Var *V : K.Vars)
    if (V->K == Var::Memory && V->AS == AddressSpace::Private && !V->ProgramScope &&
        V->Ty->isUnion())
      Unions.try_emplace(V);
  if (Unions.empty())
    return 0;
  forEachAccess(K, [&](const Access &A, bool Plain) { note(A, Plain); });
  for (const Stmt *S : stmts(K.Body))
    if (S->K == StmtKind::Decl && Unions.contains(S->V)) {
      ++Decls[S->V];
      Unions[S->V].Whole &= S->Text.empty();
    }
  makeVars();
  if (New.empty())
    return 0;
  walk(K.Body, [&](Stmt *S) {
    mapExprs(M, *S, [&](const Expr *E) { return rewrite(E); });
    if (S->K == StmtKind::Decl && New.contains(S->V)) {
      S->V = New[S->V];
    } else if (Var *W = S->K == StmtKind::Store ? New.lookup(S->Acc.Base) : nullptr) {
      S->K = StmtKind::Assign;
      S->V = W;
      S->E = bitcast(S->E, W->Ty);
      S->Acc = Access();
    }
    return true;
  });
  return New.size();
}

//===----------------------------------------------------------------------===//
// Elements and fields
//===----------------------------------------------------------------------===//

static const Type *elementOf(const Var *V) {
  const Type *T = V->Ty;
  while (T->K == Type::Array)
    T = T->Elem;
  return T;
}

/// True if A is a part of an element: a field of a struct, a component of a vector.
static bool isPart(const Access &A) {
  const Type *Elem = elementOf(A.Base);
  return Elem->K == Type::Struct || (Elem->isVector() && A.Lanes == 1 && A.Elem == Elem->Scalar);
}

/// The element that A accesses as a whole; of a part the byte at which it begins. Nothing: the
/// index is not constant, or only a part of that is accessed.
static std::optional<uint64_t> elementAt(const Access &A) {
  const Type *Elem = elementOf(A.Base);
  const bool Part = isPart(A);
  if (Part ? A.Volatile || A.F == Access::VLoad
           : !Elem->isValue() || Elem->Scalar != A.Elem || Elem->Lanes != A.Lanes || A.Volatile ||
                 A.F == Access::VLoad)
    return std::nullopt;
  uint64_t Byte = A.Disp;
  for (unsigned I = 0; I < A.Index.size(); ++I) {
    std::optional<int64_t> C = constantValue(A.Index[I]);
    if (!C || *C < 0 || uint64_t(*C) * A.Stride[I] >= A.Base->Ty->Size)
      return std::nullopt;
    Byte += uint64_t(*C) * A.Stride[I];
  }
  if (Byte >= A.Base->Ty->Size)
    return std::nullopt;
  if (Part)
    return Byte;
  return Byte % Elem->Size ? std::nullopt : std::optional<uint64_t>(Byte / Elem->Size);
}

/// pos.x and c[2].x as parts of a name: pos_x, c2_x.
static std::string fieldName(const Access &A) {
  std::string Name;
  size_t D = 0;
  auto index = [&] {
    if (D < A.Index.size())
      Name += std::to_string(constantValue(A.Index[D++]).value_or(0));
  };
  const Type *T = A.Base->Ty;
  for (; T->K == Type::Array; T = T->Elem)
    index();
  for (char C : A.Path) {
    if (C == '[')
      index();
    else if (C == '.')
      Name += '_';
    else if (C != ']')
      Name += C;
  }
  return Name;
}

//===----------------------------------------------------------------------===//
// Arrays and structs
//===----------------------------------------------------------------------===//

namespace {

constexpr uint64_t MaxElements = 256, MaxStructBytes = 1024;

/// A private array or struct.
struct Elements {
  bool Constant = true;              ///< each access is to one whole element at a constant index
  bool InParts = false;              ///< accesses are to parts of elements
  std::map<uint64_t, Var *> Vars;    ///< by element; by byte where they are parts
  std::map<uint64_t, Access> Fields; ///< of parts: one access, for its type and path
};

class ArrayScalarizer {
public:
  ArrayScalarizer(Module &M, Kernel &K) : M(M), K(K) {}
  unsigned run();

private:
  Module &M;
  Kernel &K;
  llvm::DenseMap<const Var *, Elements> Arrays;
  llvm::DenseMap<const Var *, unsigned> Decls;

  void note(const Access &A, bool Plain);
  bool canSplit(const Var *V, const Elements &E) const;
  std::string elementName(const Var *V, uint64_t At) const;
  void makeVars(Var *V, Elements &E, std::vector<Var *> &Vars);
  Var *element(const Access &A);
  const Expr *rewrite(const Expr *E);
  void rewrite(StmtList &B);
  void declare(const Stmt *S, StmtList &Into);
};

} // namespace

void ArrayScalarizer::note(const Access &A, bool Plain) {
  auto It = A.Base ? Arrays.find(A.Base) : Arrays.end();
  if (It == Arrays.end())
    return;
  Elements &Of = It->second;
  std::optional<uint64_t> At = elementAt(A);
  if (!At || !Plain) {
    Of.Constant = false;
    return;
  }
  if (Of.Vars.empty())
    Of.InParts = isPart(A);
  Of.Constant &= Of.InParts == isPart(A);
  Of.Vars[*At] = nullptr;
  if (!isPart(A))
    return;
  // Each byte belongs to one field.
  auto [Field, New] = Of.Fields.try_emplace(*At, A);
  auto bytes = [](const Access &X) {
    return uint64_t(sizeInBytes(X.Elem)) * (X.Lanes == 3 ? 4 : X.Lanes);
  };
  auto Next = std::next(Field);
  bool Overlaps = (Next != Of.Fields.end() && *At + bytes(A) > Next->first) ||
                  (Field != Of.Fields.begin() &&
                   std::prev(Field)->first + bytes(std::prev(Field)->second) > *At);
  if (Overlaps || Field->second.Elem != A.Elem || Field->second.Lanes != A.Lanes)
    Of.Constant = false;
}

bool ArrayScalarizer::canSplit(const Var *V, const Elements &E) const {
  bool HasValues = !V->Ints.empty() || !V->Floats.empty();
  return E.Constant && !E.Vars.empty() && Decls.lookup(V) == 1 &&
         (!HasValues || elementOf(V)->isScalar()) &&
         llvm::all_of(V->Floats, [](double D) { return std::isfinite(D); });
}

/// The part of a name for element At of V: m[1][2] is m1_2.
std::string ArrayScalarizer::elementName(const Var *V, uint64_t At) const {
  llvm::SmallVector<uint64_t, 3> Counts;
  for (const Type *T = V->Ty; T->K == Type::Array; T = T->Elem)
    Counts.push_back(T->Count);
  std::string Name;
  uint64_t Rest = At;
  for (unsigned D = Counts.size(); D-- > 0; Rest /= Counts[D])
    Name = (D ? "_" : "") + std::to_string(D ? Rest % Counts[D] : Rest) + Name;
  return Name;
}

/// x, y, z, w, s4, ..
static std::string componentName(uint64_t Index) {
  return Index < 4 ? std::string(1, "xyzw"[Index])
                   : "s" + llvm::utohexstr(Index, /*LowerCase=*/true);
}

/// Makes a variable for each element of V that is accessed, and adds them to Vars.
void ArrayScalarizer::makeVars(Var *V, Elements &E, std::vector<Var *> &Vars) {
  for (auto &[At, New] : E.Vars) {
    std::string Name = elementName(V, At);
    const Type *Ty = elementOf(V);
    if (auto Field = E.Fields.find(At); Field != E.Fields.end()) {
      const uint64_t Size = Ty->Size;
      Name = Ty->isVector() ? elementName(V, At / Size) + "_" +
                                  componentName(At % Size / sizeInBytes(Ty->Scalar))
                            : fieldName(Field->second);
      Ty = M.value(Field->second.Elem, Field->second.Lanes);
    }
    New = M.newVar(Var::Temp, uniqueName(K, V->Name + Name), Ty);
    New->Range = V->Range;
    New->FromHelper = V->FromHelper;
    Vars.push_back(New);
    K.Vars.push_back(New);
  }
}

Var *ArrayScalarizer::element(const Access &A) {
  auto It = A.Base ? Arrays.find(A.Base) : Arrays.end();
  return It == Arrays.end() ? nullptr : It->second.Vars[*elementAt(A)];
}

const Expr *ArrayScalarizer::rewrite(const Expr *E) {
  if (E->K == ExprKind::Load)
    if (Var *V = element(E->Acc))
      return M.ref(V);
  return mapOperands(M, E, [&](const Expr *X) { return rewrite(X); });
}

/// The declarations of the elements instead of S, that of the array.
void ArrayScalarizer::declare(const Stmt *S, StmtList &Into) {
  bool First = true;
  for (auto &[At, V] : Arrays[S->V].Vars) {
    Stmt *D = M.newStmt(StmtKind::Decl, S->Range);
    D->V = V;
    if (At < S->V->Ints.size())
      D->E = M.intConst(S->V->Ints[At], V->Ty);
    else if (At < S->V->Floats.size())
      D->E = M.floatConst(S->V->Floats[At], V->Ty);
    if (std::exchange(First, false))
      D->Comments = S->Comments;
    Into.push_back(D);
  }
}

void ArrayScalarizer::rewrite(StmtList &B) {
  StmtList Kept;
  for (Stmt *S : B) {
    forEachStmtList(*S, [&](StmtList &Nested) { rewrite(Nested); });
    if (S->K == StmtKind::Decl && Arrays.contains(S->V)) {
      declare(S, Kept);
      continue;
    }
    if (Var *V = S->K == StmtKind::Store ? element(S->Acc) : nullptr) {
      Stmt *A = M.newStmt(StmtKind::Assign, S->Range);
      A->V = V;
      A->E = S->E;
      A->Comments = S->Comments;
      S = A;
    }
    mapExprs(M, *S, [&](const Expr *E) { return rewrite(E); });
    Kept.push_back(S);
  }
  B = std::move(Kept);
}

unsigned ArrayScalarizer::run() {
  for (Var *V : K.Vars)
    if (V->K == Var::Memory && V->AS == AddressSpace::Private && !V->ProgramScope &&
        ((V->Ty->K == Type::Array && elementOf(V)->isValue() &&
          V->Ty->Size / elementOf(V)->Size <= MaxElements) ||
         (elementOf(V)->K == Type::Struct && V->Ty->Size <= MaxStructBytes)))
      Arrays.try_emplace(V);
  forEachAccess(K, [&](const Access &A, bool Plain) { note(A, Plain); });
  for (const Stmt *S : stmts(K.Body))
    if (S->K == StmtKind::Decl) {
      ++Decls[S->V];
      if (!S->Text.empty())
        Arrays.erase(S->V);
    }
  unsigned N = 0;
  std::vector<Var *> Vars;
  for (Var *V : std::vector<Var *>(K.Vars)) {
    auto It = Arrays.find(V);
    if (It == Arrays.end()) {
      Vars.push_back(V);
    } else if (!canSplit(V, It->second)) {
      Vars.push_back(V);
      Arrays.erase(It);
    } else {
      ++N;
      makeVars(V, It->second, Vars);
    }
  }
  if (!N)
    return 0;
  K.Vars = std::move(Vars);
  rewrite(K.Body);
  return N;
}

//===----------------------------------------------------------------------===//
// Structs of one type
//===----------------------------------------------------------------------===//

/// The type of every access to V, if all are to single values of one type and plain; else null.
static const Type *onlyElement(Module &M, const Kernel &K, const Var *V) {
  const Type *Only = nullptr;
  bool Plain = true;
  forEachAccess(K, [&](const Access &A, bool IsPlain) {
    if (A.Base != V)
      return;
    const Type *T = M.value(A.Elem, A.Lanes);
    Plain &= IsPlain && T->isScalar() && A.Elem != ScalarKind::Bool && !A.Volatile &&
             A.F == Access::Subscript && (!Only || Only == T) && A.Disp % T->Size == 0 &&
             llvm::all_of(A.Stride, [&](uint32_t S) { return S % T->Size == 0; });
    Only = T;
  });
  for (const Stmt *S : stmts(K.Body))
    Plain &= S->K != StmtKind::Decl || S->V != V || (S->Text.empty() && S->Args.empty());
  return Plain && Only && V->Ty->Size % Only->Size == 0 ? Only : nullptr;
}

/// union { float all[3]; struct { float x, y, z; } one; } v, indexed at run time, is an array of
/// floats: v.one.y is v[1].
static unsigned structsToArrays(Module &M, Kernel &K) {
  llvm::DenseMap<const Var *, Var *> New;
  for (Var *&V : K.Vars) {
    if (V->K != Var::Memory || V->AS != AddressSpace::Private || V->ProgramScope ||
        elementOf(V)->K != Type::Struct)
      continue;
    const Type *T = onlyElement(M, K, V);
    if (!T)
      continue;
    Var *W = M.newVar(Var::Memory, V->Name, M.array(T, V->Ty->Size / T->Size));
    W->Range = V->Range;
    W->FromHelper = V->FromHelper;
    New[V] = W;
    V = W;
  }
  if (New.empty())
    return 0;
  auto Flat = [&](Access &A) {
    const uint64_t Size = sizeInBytes(A.Elem);
    const Expr *Index = nullptr;
    for (unsigned D = 0; D < A.Index.size(); ++D) {
      const Expr *I = A.Index[D];
      if (A.Stride[D] != Size)
        I = M.binary(Op::Mul, I, M.intConst(A.Stride[D] / Size, I->Ty));
      Index = Index && Index->Ty != I->Ty
                  ? M.binary(Op::Add, M.cast(Index, M.value(ScalarKind::Long)),
                             M.cast(I, M.value(ScalarKind::Long)))
              : Index ? M.binary(Op::Add, Index, I)
                      : I;
    }
    if (!Index)
      Index = M.intConst(A.Disp / Size);
    else if (A.Disp)
      Index = M.binary(Op::Add, Index, M.intConst(A.Disp / Size, Index->Ty));
    A.Base = New.lookup(A.Base);
    A.Index = {simplify(M, Index)};
    A.Stride = {uint32_t(Size)};
    A.Disp = 0;
    A.Path.clear();
  };
  std::function<const Expr *(const Expr *)> Rewrite = [&](const Expr *E) -> const Expr * {
    E = mapOperands(M, E, Rewrite);
    if (E->K != ExprKind::Load || !New.contains(E->Acc.Base))
      return E;
    Access A = E->Acc;
    Flat(A);
    return M.load(A);
  };
  walk(K.Body, [&](Stmt *S) {
    mapExprs(M, *S, Rewrite);
    if (S->K == StmtKind::Decl && New.contains(S->V))
      S->V = New.lookup(S->V);
    if (New.contains(S->Acc.Base))
      Flat(S->Acc);
    return true;
  });
  return New.size();
}

unsigned scalarizeArrays(Module &M, Kernel &K) {
  if (pattern::hasOpaqueParts(K))
    return 0;
  unsigned Changes = UnionScalarizer(M, K).run();
  Changes += ArrayScalarizer(M, K).run();
  return Changes + structsToArrays(M, K);
}

} // namespace clmali::rewrite
