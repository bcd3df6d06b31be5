//===-- rewriters/staging/Lower.cpp - Copies as loops over one element ----===//
//
// What it does: turns copies of several elements into loops over single elements, so that
// delocalize handles one form only:
//
//   before                                               after
//   e = async_work_group_copy(t, src + b, 66, 0);        for (int i = 0; i < 66; i++)
//   wait_group_events(1, &e);                              t[i] = src[b + i];
//                                                        barrier(CLK_LOCAL_MEM_FENCE);
//   vstore4(vload4(l, src), l, t);                       for (int i = 0; i < 4; i++)
//                                                          t[4 * l + i] = src[4 * l + i];
//   v = vload4(l, t);                                    v = (float4)(t[4 * l], ...);
//   if (c) t[l] = src[i]; else t[l] = 0;                 t[l] = c ? src[i] : 0;
//   t[l] = 0; if (c) t[l] = src[i];                      t[l] = c ? src[i] : 0;
//
// All work-items of the group then store the same values; this form is never run, since delocalize
// removes the copy.
//
// Limits: async copies from global to local memory only, all of them or none; vector stores of
// values that are plain loads in each lane.
//
//===----------------------------------------------------------------------===//

#include "rewriters/staging/Delocalizer.h"
#include "llvm/ADT/STLExtras.h"

namespace clmali::rewrite {

namespace {

class Lowerer : KernelEditor {
public:
  explicit Lowerer(const EditedKernel &E) : KernelEditor(E) {}

  llvm::DenseSet<const Stmt *> run() {
    (void)A.accesses(); // of the kernel as it is
    // In the model a wait is for all copies.
    bool Async = false, All = true;
    walk(K.Body, [&](Stmt *S) {
      if (S->K == StmtKind::AsyncCopy) {
        Async = true;
        All &= canLower(*S);
      }
      return true;
    });
    block(K.Body, Async && All);
    return std::move(Made);
  }

private:
  llvm::DenseSet<const Stmt *> Made;

  static const Type *elementOf(const Var *V) {
    const Type *T = V->Ty;
    while (T->K == Type::Array || T->K == Type::Pointer)
      T = T->Elem;
    return T;
  }
  static bool plain(const Access &Acc) {
    const Type *T = elementOf(Acc.Base);
    return T->isValue() && T->Scalar == Acc.Elem && T->Lanes == Acc.Lanes && !Acc.Disp &&
           Acc.Path.empty() && !Acc.Volatile && !Acc.Index.empty();
  }

  bool canLower(const Stmt &S) const {
    const Access &To = S.Acc, &From = S.Source;
    if (To.Base->space() != AddressSpace::Local || !plain(To) || !plain(From) ||
        To.Elem != From.Elem || To.Lanes != From.Lanes || S.Args.empty())
      return false;
    // Within one row of an array of rows.
    const Type *T = To.Base->Ty;
    for (size_t D = 0; D + 1 < To.Index.size(); ++D)
      T = T->Elem;
    if (To.Index.size() < 2)
      return true;
    auto Start = constantValue(To.Index.back()), Count = constantValue(S.Args[0]);
    return Start && Count && *Start >= 0 && *Start + *Count <= int64_t(T->Count);
  }

  /// E without implicit conversions, in 32 bits if it fits.
  const Expr *narrow(const Expr *E) {
    while (E->K == ExprKind::Cast && E->Implicit && E->C == CastOp::Convert &&
           E->Ops[0]->Ty->isInteger() && E->Ops[0]->Ty->isScalar() &&
           sizeInBytes(E->Ops[0]->Ty->Scalar) >= 4)
      E = E->Ops[0];
    if (auto C = constantValue(E); C && *C >= 0 && *C <= INT32_MAX)
      return M.intConst(*C, ScalarKind::Int);
    return E;
  }

  const Expr *plus(const Expr *E, const Expr *By) {
    if (auto C = constantValue(E); C && *C == 0)
      return By;
    const Type *Ty = sizeInBytes(E->Ty->Scalar) >= sizeInBytes(By->Ty->Scalar) ? E->Ty : By->Ty;
    return M.binary(Op::Add, M.cast(E, Ty, true), M.cast(By, Ty, true));
  }

  /// for (int i = 0; i < Count; i++)
  Stmt *loop(const Expr *Count, Var *&I) {
    const Type *Ty = Count->Ty;
    I = newTemp(M, K, "copied", Ty);
    Stmt *L = M.newStmt(StmtKind::Loop);
    Stmt *Init = M.newStmt(StmtKind::Decl);
    Init->V = I;
    Init->E = M.intConst(0, Ty);
    L->Init = {Init};
    L->E = M.binary(Op::LT, M.ref(I), Count);
    Stmt *Step = M.newStmt(StmtKind::Assign);
    Step->V = I;
    Step->E = M.binary(Op::Add, M.ref(I), M.intConst(1, Ty));
    L->Step = {Step};
    return L;
  }

  Stmt *async(const Stmt &S) {
    Var *I;
    Stmt *L = loop(narrow(S.Args[0]), I);
    L->Range = S.Range;
    Stmt *Copy = M.newStmt(StmtKind::Store, S.Range);
    Copy->Acc = S.Acc;
    Copy->Acc.Index.back() = plus(narrow(S.Acc.Index.back()), M.ref(I));
    Access From = S.Source;
    const Expr *Way = M.ref(I);
    if (S.Args.size() > 1) {
      const Expr *Stride = narrow(S.Args[1]);
      const Type *Ty =
          sizeInBytes(Stride->Ty->Scalar) >= sizeInBytes(Way->Ty->Scalar) ? Stride->Ty : Way->Ty;
      Way = M.binary(Op::Mul, M.cast(Way, Ty, true), M.cast(Stride, Ty, true));
    }
    From.Index.back() = plus(narrow(From.Index.back()), Way);
    Copy->E = M.load(From);
    L->Body = {Copy};
    Made.insert(Copy);
    return L;
  }

  /// The access to one of the elements of Acc, Lane further on.
  std::optional<Access> lane(const Access &Acc, const Expr *Lane) {
    const Type *T = elementOf(Acc.Base);
    uint32_t Bytes = sizeInBytes(Acc.Elem);
    if (!T->isScalar() || T->Scalar != Acc.Elem || Acc.Disp || !Acc.Path.empty() || Acc.Volatile ||
        Acc.Index.empty())
      return std::nullopt;
    Access One = Acc;
    One.Lanes = 1;
    One.F = Access::Subscript;
    const Expr *I = Acc.Index.back();
    if (Acc.Stride.back() % Bytes)
      return std::nullopt;
    if (uint32_t Times = Acc.Stride.back() / Bytes; Times > 1) {
      I = M.binary(Op::Mul, I, M.intConst(Times, I->Ty));
      One.Stride.back() = Bytes;
    }
    One.Index.back() = plus(I, Lane);
    return One;
  }

  /// Lane of the vector E, where that is a load or a constant.
  const Expr *lane(const Expr *E, const Expr *Lane, unsigned Depth = 0) {
    if (!E->Ty->isVector() || Depth > 6)
      return nullptr;
    const Type *One = M.value(E->Ty->Scalar);
    switch (E->K) {
    case ExprKind::IntConst:
      return M.intConst(E->Int, One);
    case ExprKind::FloatConst:
      return M.floatConst(E->Float, One);
    case ExprKind::Load:
      if (auto Acc = lane(E->Acc, Lane); Acc && E->Acc.Base->space() != AddressSpace::Private)
        return M.load(*Acc);
      return nullptr;
    case ExprKind::Cast:
      if (E->C == CastOp::Splat)
        return M.cast(E->Ops[0], One, true);
      if (E->C != CastOp::Convert)
        return nullptr;
      if (const Expr *X = lane(E->Ops[0], Lane, Depth + 1))
        return M.cast(X, One);
      return nullptr;
    case ExprKind::Select: {
      if (!E->Ops[0]->Ty->isScalar())
        return nullptr;
      const Expr *X = lane(E->Ops[1], Lane, Depth + 1), *Y = lane(E->Ops[2], Lane, Depth + 1);
      return X && Y ? M.select(E->Ops[0], X, Y) : nullptr;
    }
    case ExprKind::VarRef: {
      // v = vload4(...), of values that stay what they are.
      const Stmt *D = A.singleDef(E->V);
      if (!D || !D->E)
        return nullptr;
      bool Stays = true;
      walk(D->E, [&](const Expr *X) {
        if (X->K == ExprKind::VarRef)
          Stays &= X->V->K == Var::Param ? A.defs(X->V).empty() : A.singleDef(X->V) != nullptr;
        if (X->K == ExprKind::Load)
          Stays &= !writes(X->Acc.Base);
        return Stays;
      });
      return Stays ? lane(D->E, Lane, Depth + 1) : nullptr;
    }
    default:
      return nullptr;
    }
  }
  bool writes(const Var *V) const {
    return llvm::any_of(A.accesses(),
                        [&](const AccessSite &X) { return X.IsWrite && X.A->Base == V; });
  }

  static bool isLocal(const Access &Acc) {
    return Acc.Base && Acc.Base->space() == AddressSpace::Local && Acc.Lanes > 1 &&
           Acc.Lanes != 3 && elementOf(Acc.Base)->isScalar();
  }

  Stmt *vector(const Stmt &S) {
    Var *I;
    size_t Vars = K.Vars.size();
    Stmt *L = loop(M.intConst(S.Acc.Lanes, ScalarKind::Int), I);
    auto To = lane(S.Acc, M.ref(I));
    const Expr *Value = To ? lane(S.E, M.ref(I)) : nullptr;
    if (!Value) {
      K.Vars.resize(Vars);
      return nullptr;
    }
    L->Range = S.Range;
    Stmt *Copy = M.newStmt(StmtKind::Store, S.Range);
    Copy->Acc = *To;
    Copy->E = Value;
    L->Body = {Copy};
    Made.insert(Copy);
    return L;
  }

  /// Vector loads of a tile, element by element.
  const Expr *loads(const Expr *E) {
    E = mapOperands(M, E, [&](const Expr *X) { return loads(X); });
    if (E->K != ExprKind::Load || !isLocal(E->Acc))
      return E;
    llvm::SmallVector<const Expr *, 16> Parts;
    for (unsigned L = 0; L < E->Acc.Lanes; ++L) {
      auto One = lane(E->Acc, M.intConst(L, ScalarKind::Int));
      if (!One)
        return E;
      Parts.push_back(M.load(*One));
    }
    return M.vectorCtor(E->Ty, Parts);
  }

  /// Assignments to variables, and branches and declarations of such.
  static bool onlyComputes(const Stmt &S) {
    if (S.K == StmtKind::Decl || S.K == StmtKind::Assign)
      return S.V && S.V->K == Var::Temp;
    if (S.K != StmtKind::If)
      return false;
    auto Does = [](const Stmt *X) { return onlyComputes(*X); };
    return llvm::all_of(S.Body, Does) && llvm::all_of(S.Else, Does);
  }

  /// if (c) t[i] = a; else t[i] = b;  as  t[i] = c ? a : b;  with branches inside alike.
  std::optional<StmtList> merged(const Expr *Cond, const StmtList &X, const StmtList &Y) {
    // Computations of values for the copies move before them. They would run too often there, so
    // they must be removed together with the copies.
    StmtList New;
    std::array<std::vector<Stmt *>, 2> Sides;
    for (auto [Side, From] : {std::pair{0, &X}, {1, &Y}})
      for (Stmt *S : *From) {
        if (!onlyComputes(*S)) {
          Sides[Side].push_back(S);
          continue;
        }
        New.push_back(S);
        walk(StmtList{S}, [&](Stmt *Inner) {
          Copies.push_back(Inner);
          return true;
        });
      }
    const auto &[Ones, Others] = Sides;
    if (Ones.empty() || Ones.size() != Others.size())
      return std::nullopt;
    for (size_t I = 0; I < Ones.size(); ++I) {
      const Stmt &A = *Ones[I], &B = *Others[I];
      Stmt *S = M.newStmt(A.K, A.Range);
      if (A.K == StmtKind::Store && B.K == StmtKind::Store &&
          A.Acc.Base->space() == AddressSpace::Local && equal(A.Acc, B.Acc) && A.LaneIdx.empty() &&
          B.LaneIdx.empty() && A.E->Ty == B.E->Ty) {
        S->Acc = A.Acc;
        S->E = M.select(Cond, A.E, B.E);
        Copies.push_back(S);
      } else if (A.K == StmtKind::If && B.K == StmtKind::If && equal(A.E, B.E) && A.Else.empty() &&
                 B.Else.empty()) {
        auto Inside = merged(Cond, A.Body, B.Body);
        if (!Inside)
          return std::nullopt;
        S->E = A.E;
        S->Body = std::move(*Inside);
      } else {
        return std::nullopt;
      }
      New.push_back(S);
    }
    return New;
  }
  std::vector<const Stmt *> Copies; ///< made by merged

  static bool reads(const Stmt &S, const Var *V) {
    bool Reads = false;
    forEachExpr(S, [&](const Expr *E) {
      walk(E,
           [&](const Expr *X) { return !(Reads |= X->K == ExprKind::Load && X->Acc.Base == V); });
    });
    return Reads;
  }

  /// t[i] = a; if (c) t[i] = b;  with S the branch and Before the statements before it, as one copy
  /// instead of the first.
  std::optional<StmtList> overwritten(const Stmt &S, StmtList &Before) {
    if (!S.Else.empty())
      return std::nullopt;
    size_t At = Before.size();
    while (At > 0 && Before[At - 1]->K == StmtKind::Decl && Before[At - 1]->V->K == Var::Temp)
      --At;
    if (At == 0 || Before[At - 1]->K != StmtKind::Store)
      return std::nullopt;
    Stmt *First = Before[At - 1];
    const Var *Tile = First->Acc.Base;
    bool Reads = reads(S, Tile);
    auto look = [&](Stmt *X) { return !(Reads |= reads(*X, Tile)); };
    walk(S.Body, look);
    walk(StmtList(Before.begin() + At, Before.end()), look);
    if (Tile->space() != AddressSpace::Local || First->Acc.Volatile || Reads)
      return std::nullopt;
    const Expr *Cond = S.E;
    const StmtList *Inner = &S.Body;
    while (Inner->size() == 1 && Inner->front()->K == StmtKind::If &&
           Inner->front()->Else.empty() && Inner->front()->E->Ty->isScalar()) {
      Cond = M.binary(Op::LogicalAnd, Cond, Inner->front()->E);
      Inner = &Inner->front()->Body;
    }
    auto Both = merged(Cond, *Inner, {First});
    if (Both)
      Before.erase(Before.begin() + At - 1);
    return Both;
  }

  void block(StmtList &B, bool Async) {
    StmtList New;
    for (Stmt *S : B) {
      forEachStmtList(*S, [&](StmtList &Nested) { block(Nested, Async); });
      if (S->K == StmtKind::If && S->E->Ty->isScalar()) {
        Copies.clear();
        auto Both = merged(S->E, S->Body, S->Else);
        if (!Both) {
          Copies.clear();
          Both = overwritten(*S, New);
        }
        if (Both) {
          llvm::append_range(New, *Both);
          Made.insert(Copies.begin(), Copies.end());
          continue;
        }
      }
      mapExprs(M, *S, [&](const Expr *E) { return loads(E); });
      Stmt *Instead = S;
      if (Async && S->K == StmtKind::AsyncCopy) {
        Instead = async(*S);
      } else if (Async && S->K == StmtKind::Call && S->Name == "wait_group_events") {
        Instead = M.newStmt(StmtKind::Barrier, S->Range);
        Instead->Name = "barrier";
        Instead->LocalFence = true;
      } else if (Async && S->V && S->V->Ty->K == Type::Other) {
        continue; // the event
      } else if (S->K == StmtKind::Store && isLocal(S->Acc)) {
        if (Stmt *L = vector(*S))
          Instead = L;
      }
      New.push_back(Instead);
    }
    B = std::move(New);
  }
};

} // namespace

llvm::DenseSet<const Stmt *> lowerCopies(const EditedKernel &E) { return Lowerer(E).run(); }

} // namespace clmali::rewrite
