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
// Limits: only what constants index; unions only where all of one is accessed at once.
// Nothing in kernels with opaque nodes.
//
//===----------------------------------------------------------------------===//

#include "rewriters/pass/Passes.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>
#include <map>

namespace clmali::rewrite {

using namespace model;

namespace {

/// A private array or struct all of whose accesses are of one whole element, or
/// field, at a constant place.
struct Elements {
  bool Constant = true;
  std::map<uint64_t, Var *> Vars;    ///< by element; by byte in structs
  std::map<uint64_t, Access> Fields; ///< of structs: one access, for its type and path
};

const Type *elementOf(const Var *V) {
  const Type *T = V->Ty;
  while (T->K == Type::Array)
    T = T->Elem;
  return T;
}

std::optional<uint64_t> elementAt(const Access &A) {
  const Type *Elem = elementOf(A.Base);
  bool Struct = Elem->K == Type::Struct;
  if (Struct ? Elem->isUnion() || A.Volatile || A.F == Access::VLoad
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
  if (Struct)
    return Byte;
  return Byte % Elem->Size ? std::nullopt : std::optional<uint64_t>(Byte / Elem->Size);
}

/// pos.x and c[2].x as parts of a name: pos_x, c2_x.
std::string fieldName(const Access &A) {
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

} // namespace

/// union { float f; uint u; } v: v.f = x; y = v.u  becomes  v = as_uint(x); y = v: one
/// variable, seen as another type. Only where all of it is always accessed at once.
static unsigned scalarizeUnions(Module &M, Kernel &K) {
  struct Seen {
    bool Whole = true;
    unsigned Bytes = 0;
    const Type *Ty = nullptr;
  };
  llvm::DenseMap<const Var *, Seen> Unions;
  for (Var *V : K.Vars)
    if (V->K == Var::Memory && V->AS == AddressSpace::Private && !V->ProgramScope &&
        V->Ty->isUnion())
      Unions.try_emplace(V);
  if (Unions.empty())
    return 0;
  auto note = [&](const Access &A, bool Plain) {
    auto It = A.Base ? Unions.find(A.Base) : Unions.end();
    if (It == Unions.end())
      return;
    Seen &S = It->second;
    unsigned Bytes = sizeInBytes(A.Elem) * A.Lanes;
    S.Whole &= Plain && A.Index.empty() && !A.Disp && !A.Volatile && A.Lanes != 3 &&
               A.Elem != ScalarKind::Bool && (!S.Bytes || S.Bytes == Bytes);
    S.Bytes = Bytes;
    // Bits that are no number live in an integer.
    if (!S.Ty || (S.Ty->isFloat() && isInteger(A.Elem)))
      S.Ty = M.value(A.Elem, A.Lanes);
  };
  llvm::DenseMap<const Var *, unsigned> Decls;
  walk(K.Body, [&](Stmt *S) {
    note(S->Acc, S->K == StmtKind::Store && S->LaneIdx.empty());
    note(S->Source, false);
    if (S->K == StmtKind::Decl && Unions.contains(S->V)) {
      ++Decls[S->V];
      Unions[S->V].Whole &= S->Text.empty();
    }
    forEachExpr(*S, [&](const Expr *E) {
      walk(E, [&](const Expr *X) {
        if (X->K == ExprKind::Load)
          note(X->Acc, true);
        return true;
      });
    });
    return true;
  });
  llvm::DenseMap<const Var *, Var *> New;
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
  if (New.empty())
    return 0;
  auto seenAs = [&](const Expr *E, const Type *Ty) -> const Expr * {
    if (E->Ty == Ty)
      return E;
    Expr *C = M.newExpr(ExprKind::Cast, Ty, E->Range);
    C->C = CastOp::Bitcast;
    C->Ops = {E};
    return C;
  };
  std::function<const Expr *(const Expr *)> rewrite = [&](const Expr *E) -> const Expr * {
    if (E->K == ExprKind::Load)
      if (Var *W = New.lookup(E->Acc.Base))
        return seenAs(M.ref(W), E->Ty);
    return mapOperands(M, E, rewrite);
  };
  walk(K.Body, [&](Stmt *S) {
    mapExprs(M, *S, rewrite);
    if (S->K == StmtKind::Decl && New.contains(S->V)) {
      S->V = New[S->V];
    } else if (Var *W = S->K == StmtKind::Store ? New.lookup(S->Acc.Base) : nullptr) {
      S->K = StmtKind::Assign;
      S->V = W;
      S->E = seenAs(S->E, W->Ty);
      S->Acc = Access();
    }
    return true;
  });
  return New.size();
}

unsigned scalarizeArrays(Module &M, Kernel &K) {
  if (isOpaque(K))
    return 0;
  unsigned Unions = scalarizeUnions(M, K);
  llvm::DenseMap<const Var *, Elements> Arrays;
  for (Var *V : K.Vars)
    if (V->K == Var::Memory && V->AS == AddressSpace::Private && !V->ProgramScope &&
        ((V->Ty->K == Type::Array && elementOf(V)->isValue() &&
          V->Ty->Size / elementOf(V)->Size <= 256) ||
         (elementOf(V)->K == Type::Struct && !elementOf(V)->isUnion() && V->Ty->Size <= 1024)))
      Arrays.try_emplace(V);
  auto note = [&](const Access &A, bool Plain) {
    auto It = A.Base ? Arrays.find(A.Base) : Arrays.end();
    if (It == Arrays.end())
      return;
    std::optional<uint64_t> At = elementAt(A);
    if (!At || !Plain) {
      It->second.Constant = false;
      return;
    }
    It->second.Vars[*At] = nullptr;
    if (elementOf(A.Base)->K != Type::Struct)
      return;
    // Each byte belongs to one field.
    auto [Field, New] = It->second.Fields.try_emplace(*At, A);
    if (Field->second.Elem != A.Elem || Field->second.Lanes != A.Lanes)
      It->second.Constant = false;
    auto bytes = [](const Access &X) {
      return uint64_t(sizeInBytes(X.Elem)) * (X.Lanes == 3 ? 4 : X.Lanes);
    };
    auto Next = std::next(Field);
    if (Next != It->second.Fields.end() && *At + bytes(A) > Next->first)
      It->second.Constant = false;
    if (Field != It->second.Fields.begin() &&
        std::prev(Field)->first + bytes(std::prev(Field)->second) > *At)
      It->second.Constant = false;
  };
  llvm::DenseMap<const Var *, unsigned> Decls;
  walk(K.Body, [&](Stmt *S) {
    note(S->Acc, S->K == StmtKind::Store && S->LaneIdx.empty());
    note(S->Source, false);
    if (S->K == StmtKind::Decl) {
      ++Decls[S->V];
      if (!S->Text.empty())
        Arrays.erase(S->V);
    }
    forEachExpr(*S, [&](const Expr *E) {
      walk(E, [&](const Expr *X) {
        if (X->K == ExprKind::Load)
          note(X->Acc, true);
        return true;
      });
    });
    return true;
  });
  unsigned N = 0;
  std::vector<Var *> Vars;
  for (Var *V : std::vector<Var *>(K.Vars)) {
    Vars.push_back(V);
    auto It = Arrays.find(V);
    if (It == Arrays.end())
      continue;
    bool HasValues = !V->Ints.empty() || !V->Floats.empty();
    if (!It->second.Constant || It->second.Vars.empty() || Decls.lookup(V) != 1 ||
        (HasValues && !elementOf(V)->isScalar()) ||
        !llvm::all_of(V->Floats, [](double D) { return std::isfinite(D); })) {
      Arrays.erase(It);
      continue;
    }
    Vars.pop_back();
    ++N;
    llvm::SmallVector<uint64_t, 3> Counts;
    for (const Type *T = V->Ty; T->K == Type::Array; T = T->Elem)
      Counts.push_back(T->Count);
    for (auto &[At, New] : It->second.Vars) {
      // m[1][2] is m1_2
      std::string Name;
      uint64_t Rest = At;
      for (unsigned D = Counts.size(); D-- > 0; Rest /= Counts[D])
        Name = (D ? "_" : "") + std::to_string(D ? Rest % Counts[D] : Rest) + Name;
      const Type *Ty = elementOf(V);
      if (auto Field = It->second.Fields.find(At); Field != It->second.Fields.end()) {
        Name = fieldName(Field->second);
        Ty = M.value(Field->second.Elem, Field->second.Lanes);
      }
      New = M.newVar(Var::Temp, uniqueName(K, V->Name + Name), Ty);
      New->Range = V->Range;
      New->FromHelper = V->FromHelper;
      Vars.push_back(New);
      K.Vars.push_back(New);
    }
  }
  if (!N)
    return Unions;
  K.Vars = std::move(Vars);

  auto element = [&](const Access &A) -> Var * {
    auto It = A.Base ? Arrays.find(A.Base) : Arrays.end();
    return It == Arrays.end() ? nullptr : It->second.Vars[*elementAt(A)];
  };
  std::function<const Expr *(const Expr *)> rewrite = [&](const Expr *E) -> const Expr * {
    if (E->K == ExprKind::Load)
      if (Var *V = element(E->Acc))
        return M.ref(V);
    return mapOperands(M, E, rewrite);
  };
  std::function<void(StmtList &)> statements = [&](StmtList &B) {
    StmtList Kept;
    for (Stmt *S : B) {
      forEachStmtList(*S, statements);
      if (S->K == StmtKind::Decl && Arrays.contains(S->V)) {
        bool First = true;
        for (auto &[At, V] : Arrays[S->V].Vars) {
          Stmt *D = M.newStmt(StmtKind::Decl, S->Range);
          D->V = V;
          if (At < S->V->Ints.size())
            D->E = M.intConst(S->V->Ints[At], V->Ty);
          else if (At < S->V->Floats.size())
            D->E = M.floatConst(S->V->Floats[At], V->Ty);
          if (First)
            D->Comments = S->Comments;
          First = false;
          Kept.push_back(D);
        }
        continue;
      }
      if (Var *V = S->K == StmtKind::Store ? element(S->Acc) : nullptr) {
        Stmt *A = M.newStmt(StmtKind::Assign, S->Range);
        A->V = V;
        A->E = S->E;
        A->Comments = S->Comments;
        S = A;
      }
      mapExprs(M, *S, rewrite);
      Kept.push_back(S);
    }
    B = std::move(Kept);
  };
  statements(K.Body);
  return N + Unions;
}

} // namespace clmali::rewrite
