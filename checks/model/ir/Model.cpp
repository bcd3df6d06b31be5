//===-- checks/model/ir/Model.cpp - Nodes of the model, and walking them -----===//
//
// What it does: makes types (interned), nodes and variables, and walks, maps and compares trees of
// them. Copy.cpp copies them.
//
// Limits: expressions are immutable once built; a change makes a new one. Nothing here folds
// constants or simplifies: the user's expressions stay as written.
//
//===----------------------------------------------------------------------===//

#include "checks/model/ir/Model.h"
#include "checks/model/ir/Comparison.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/ErrorHandling.h"

using llvm::StringRef;

namespace clmali::model {

//===----------------------------------------------------------------------===//
// Scalars and names
//===----------------------------------------------------------------------===//

bool isFloat(ScalarKind K) {
  return K == ScalarKind::Half || K == ScalarKind::Float || K == ScalarKind::Double;
}

bool isSigned(ScalarKind K) {
  return K == ScalarKind::Char || K == ScalarKind::Short || K == ScalarKind::Int ||
         K == ScalarKind::Long;
}

bool isInteger(ScalarKind K) { return !isFloat(K); }

unsigned sizeInBytes(ScalarKind K) {
  switch (K) {
  case ScalarKind::Bool:
  case ScalarKind::Char:
  case ScalarKind::UChar:
    return 1;
  case ScalarKind::Short:
  case ScalarKind::UShort:
  case ScalarKind::Half:
    return 2;
  case ScalarKind::Int:
  case ScalarKind::UInt:
  case ScalarKind::Float:
    return 4;
  case ScalarKind::Long:
  case ScalarKind::ULong:
  case ScalarKind::Double:
    return 8;
  }
  llvm_unreachable("a scalar kind without a size");
}

unsigned sizeInBits(ScalarKind K) { return K == ScalarKind::Bool ? 1 : 8 * sizeInBytes(K); }

StringRef name(ScalarKind K) {
  static const char *const Names[] = {"bool", "char", "uchar", "short", "ushort", "int",
                                      "uint", "long", "ulong", "half",  "float",  "double"};
  return Names[static_cast<unsigned>(K)];
}

StringRef spelling(Op O) {
  switch (O) {
  case Op::None:
    return "";
  case Op::Neg:
    return "-";
  case Op::BitNot:
    return "~";
  case Op::LogicalNot:
    return "!";
  case Op::Add:
    return "+";
  case Op::Sub:
    return "-";
  case Op::Mul:
    return "*";
  case Op::Div:
    return "/";
  case Op::Rem:
    return "%";
  case Op::Shl:
    return "<<";
  case Op::Shr:
    return ">>";
  case Op::And:
    return "&";
  case Op::Or:
    return "|";
  case Op::Xor:
    return "^";
  case Op::LT:
    return "<";
  case Op::LE:
    return "<=";
  case Op::GT:
    return ">";
  case Op::GE:
    return ">=";
  case Op::EQ:
    return "==";
  case Op::NE:
    return "!=";
  case Op::LogicalAnd:
    return "&&";
  case Op::LogicalOr:
    return "||";
  }
  llvm_unreachable("an operator without a spelling");
}

Op mirrored(Op O) {
  switch (O) {
  case Op::LT:
    return Op::GT;
  case Op::LE:
    return Op::GE;
  case Op::GT:
    return Op::LT;
  case Op::GE:
    return Op::LE;
  default:
    return O;
  }
}

Op inverse(Op O) {
  switch (O) {
  case Op::LT:
    return Op::GE;
  case Op::LE:
    return Op::GT;
  case Op::GT:
    return Op::LE;
  case Op::GE:
    return Op::LT;
  case Op::EQ:
    return Op::NE;
  case Op::NE:
    return Op::EQ;
  default:
    return Op::None;
  }
}

bool isComparison(Op O) { return O >= Op::LT && O <= Op::NE; }

bool isExtent(const Expr &Query) {
  return Query.K == ExprKind::ImageQuery &&
         llvm::is_contained({"get_image_width", "get_image_height", "get_image_depth",
                             "get_image_dim", "get_image_array_size"},
                            StringRef(Query.Name));
}

static bool isLogical(Op O) {
  return O == Op::LogicalAnd || O == Op::LogicalOr || O == Op::LogicalNot;
}

StringRef builtinName(WorkItemQuery Q) {
  static const char *const Names[] = {"get_global_id",     "get_local_id",   "get_group_id",
                                      "get_global_size",   "get_local_size", "get_num_groups",
                                      "get_global_offset", "get_work_dim"};
  return Names[static_cast<unsigned>(Q)];
}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

Module::Module() = default;
Module::~Module() = default;

static bool sameType(const Type &A, const Type &B) {
  if (A.K != B.K)
    return false;
  switch (A.K) {
  case Type::Void:
    return true;
  case Type::Value:
    return A.Scalar == B.Scalar && A.Lanes == B.Lanes;
  case Type::Pointer:
    return A.Elem == B.Elem && A.AS == B.AS && A.Const == B.Const && A.Volatile == B.Volatile &&
           A.Restrict == B.Restrict;
  case Type::Array:
    return A.Elem == B.Elem && A.Count == B.Count;
  case Type::Struct:
    return A.Name == B.Name && A.Size == B.Size &&
           llvm::equal(A.Fields, B.Fields, [](const Field &X, const Field &Y) {
             return X.Name == Y.Name && X.Ty == Y.Ty && X.Offset == Y.Offset;
           });
  case Type::Sampler:
    return true;
  case Type::Image: // the spelling holds access and dimensions
  case Type::Other:
    return A.Name == B.Name;
  }
  llvm_unreachable("a type of no kind");
}

/// A translation unit has a few dozen types: a linear search is quick enough.
static const Type *intern(std::deque<std::unique_ptr<Type>> &Types, Type T) {
  for (const std::unique_ptr<Type> &Known : Types)
    if (sameType(*Known, T))
      return Known.get();
  Types.push_back(std::make_unique<Type>(std::move(T)));
  return Types.back().get();
}

const Type *Module::voidType() { return intern(Types, Type()); }

const Type *Module::value(ScalarKind K, unsigned Lanes) {
  Type T;
  T.K = Type::Value;
  T.Scalar = K;
  T.Lanes = static_cast<uint8_t>(Lanes);
  T.Size = uint64_t(sizeInBytes(K)) * (Lanes == 3 ? 4 : Lanes);
  return intern(Types, std::move(T));
}

const Type *Module::pointer(const Type *Pointee, AddressSpace AS, bool Const, bool Volatile,
                            bool Restrict) {
  Type T;
  T.K = Type::Pointer;
  T.Elem = Pointee;
  T.AS = AS;
  T.Const = Const;
  T.Volatile = Volatile;
  T.Restrict = Restrict;
  T.Size = 8;
  return intern(Types, std::move(T));
}

const Type *Module::array(const Type *Elem, uint64_t Count) {
  Type T;
  T.K = Type::Array;
  T.Elem = Elem;
  T.Count = Count;
  T.Size = Elem->Size * Count;
  return intern(Types, std::move(T));
}

const Type *Module::structType(StringRef Name, std::vector<Field> Fields, uint64_t Size) {
  Type T;
  T.K = Type::Struct;
  T.Name = Name.str();
  T.Fields = std::move(Fields);
  T.Size = Size;
  return intern(Types, std::move(T));
}

const Type *Module::image(StringRef Spelling, AccessQualifier Qualifier, unsigned Dims,
                          bool OfBuffer) {
  Type T;
  T.K = Type::Image;
  T.Name = Spelling.str();
  T.Qualifier = Qualifier;
  T.Dims = static_cast<uint8_t>(Dims);
  T.OfBuffer = OfBuffer;
  return intern(Types, std::move(T));
}

const Type *Module::sampler() {
  Type T;
  T.K = Type::Sampler;
  T.Name = "sampler_t";
  return intern(Types, std::move(T));
}

const Type *Module::other(StringRef Spelling) {
  Type T;
  T.K = Type::Other;
  T.Name = Spelling.str();
  return intern(Types, std::move(T));
}

static ScalarKind signedOfWidth(unsigned Bytes) {
  switch (Bytes) {
  case 1:
    return ScalarKind::Char;
  case 2:
    return ScalarKind::Short;
  case 4:
    return ScalarKind::Int;
  default:
    return ScalarKind::Long;
  }
}

const Type *Module::comparisonType(const Type *T) {
  if (!T->isVector())
    return value(ScalarKind::Int);
  return value(signedOfWidth(sizeInBytes(T->Scalar)), T->Lanes);
}

//===----------------------------------------------------------------------===//
// Nodes
//===----------------------------------------------------------------------===//

Expr *Module::newExpr(ExprKind K, const Type *Ty, SourceRange R) {
  Expr &E = Exprs.emplace_back();
  E.K = K;
  E.Ty = Ty;
  E.Range = R;
  return &E;
}

Stmt *Module::newStmt(StmtKind K, SourceRange R) {
  Stmt &S = Stmts.emplace_back();
  S.K = K;
  S.Range = R;
  return &S;
}

Var *Module::newVar(Var::Kind K, StringRef Name, const Type *Ty) {
  Var &V = Vars.emplace_back();
  V.K = K;
  V.Name = Name.str();
  V.Ty = Ty;
  return &V;
}

Kernel *Module::newKernel(StringRef Name) {
  Kernels.push_back(std::make_unique<Kernel>());
  Kernels.back()->Name = Name.str();
  return Kernels.back().get();
}

/// V as an object of kind K holds it, sign- or zero-extended to 64 bits.
static int64_t wrap(int64_t V, ScalarKind K) {
  if (K == ScalarKind::Bool)
    return V != 0;
  unsigned Bits = sizeInBits(K);
  if (Bits == 64)
    return V;
  uint64_t Low = static_cast<uint64_t>(V) & ((uint64_t(1) << Bits) - 1);
  if (isSigned(K) && (Low >> (Bits - 1)) & 1)
    Low |= ~uint64_t(0) << Bits;
  return static_cast<int64_t>(Low);
}

const Expr *Module::intConst(int64_t V, const Type *Ty) {
  if (Ty->isVector())
    return cast(intConst(V, value(Ty->Scalar)), Ty, /*Implicit=*/true);
  Expr *E = newExpr(ExprKind::IntConst, Ty);
  E->Int = wrap(V, Ty->Scalar);
  return E;
}

const Expr *Module::intConst(int64_t V, ScalarKind K) { return intConst(V, value(K)); }

const Expr *Module::floatConst(double V, const Type *Ty) {
  if (Ty->isVector())
    return cast(floatConst(V, value(Ty->Scalar)), Ty, /*Implicit=*/true);
  Expr *E = newExpr(ExprKind::FloatConst, Ty);
  E->Float = V;
  return E;
}

const Expr *Module::ref(Var *V) {
  Expr *E = newExpr(ExprKind::VarRef, V->Ty);
  E->V = V;
  return E;
}

const Expr *Module::workItem(WorkItemQuery Q, unsigned Dim) {
  bool IsDim = Q == WorkItemQuery::WorkDim;
  Expr *E = newExpr(ExprKind::WorkItem, value(IsDim ? ScalarKind::UInt : ScalarKind::ULong));
  E->Query = Q;
  E->Dim = static_cast<uint8_t>(Dim);
  return E;
}

const Expr *Module::unary(Op O, const Expr *A) {
  Expr *E = newExpr(ExprKind::Unary, isLogical(O) ? comparisonType(A->Ty) : A->Ty);
  E->O = O;
  E->Ops = {A};
  return E;
}

const Expr *Module::binary(Op O, const Expr *A, const Expr *B) {
  bool Truth = isComparison(O) || isLogical(O);
  Expr *E = newExpr(ExprKind::Binary, Truth ? comparisonType(A->Ty) : A->Ty);
  E->O = O;
  E->Ops = {A, B};
  return E;
}

const Expr *Module::cast(const Expr *A, const Type *Ty, bool Implicit) {
  if (A->Ty == Ty)
    return A;
  bool Splat = Ty->isVector() && A->Ty->isScalar();
  // A scalar is first converted to the element, then copied to every lane.
  if (Splat && A->Ty->Scalar != Ty->Scalar)
    A = cast(A, value(Ty->Scalar), Implicit);
  Expr *E = newExpr(ExprKind::Cast, Ty);
  E->C = Splat ? CastOp::Splat : CastOp::Convert;
  E->Implicit = Implicit;
  E->Ops = {A};
  return E;
}

const Expr *Module::select(const Expr *C, const Expr *A, const Expr *B) {
  Expr *E = newExpr(ExprKind::Select, A->Ty);
  E->Ops = {C, A, B};
  return E;
}

const Expr *Module::load(Access A) {
  Expr *E = newExpr(ExprKind::Load, value(A.Elem, A.Lanes), A.Range);
  E->Acc = std::move(A);
  return E;
}

const Expr *Module::swizzle(const Expr *A, llvm::ArrayRef<uint8_t> Lanes) {
  Expr *E = newExpr(ExprKind::Swizzle, value(A->Ty->Scalar, Lanes.size()));
  E->Ops = {A};
  E->LaneIdx.assign(Lanes.begin(), Lanes.end());
  return E;
}

const Expr *Module::vectorCtor(const Type *Ty, llvm::ArrayRef<const Expr *> Ops) {
  Expr *E = newExpr(ExprKind::VectorCtor, Ty);
  E->Ops.assign(Ops.begin(), Ops.end());
  return E;
}

const Expr *Module::call(StringRef Name, const Type *Ty, llvm::ArrayRef<const Expr *> Ops) {
  Expr *E = newExpr(ExprKind::Call, Ty);
  E->Name = Name.str();
  E->Ops.assign(Ops.begin(), Ops.end());
  return E;
}

bool hasTwoResults(StringRef Name) {
  return llvm::is_contained({"sincos", "fract", "modf", "frexp", "remquo", "lgamma_r"}, Name);
}

const Expr *Module::imageRead(const Expr *Read, llvm::ArrayRef<const Expr *> Ops) {
  Expr *E = newExpr(ExprKind::ImageRead, Read->Ty, Read->Range);
  E->Name = Read->Name;
  E->Image = Read->Image;
  E->Sampler = Read->Sampler;
  E->Ops.assign(Ops.begin(), Ops.end());
  return E;
}

//===----------------------------------------------------------------------===//
// Walking
//===----------------------------------------------------------------------===//

void forEachOperand(const Expr &E, llvm::function_ref<void(const Expr *)> F) {
  for (const Expr *Operand : E.Ops)
    F(Operand);
  for (const Expr *Index : E.Acc.Index)
    F(Index);
}

const Expr *mapOperands(Module &M, const Expr *E,
                        llvm::function_ref<const Expr *(const Expr *)> F) {
  llvm::SmallVector<const Expr *, 4> Ops, Index;
  bool Changed = false;
  for (const Expr *Operand : E->Ops) {
    Ops.push_back(F(Operand));
    Changed |= Ops.back() != Operand;
  }
  for (const Expr *Operand : E->Acc.Index) {
    Index.push_back(F(Operand));
    Changed |= Index.back() != Operand;
  }
  if (!Changed)
    return E;
  Expr *Copy = M.newExpr(E->K, E->Ty, E->Range);
  *Copy = *E;
  Copy->Ops.assign(Ops.begin(), Ops.end());
  Copy->Acc.Index.assign(Index.begin(), Index.end());
  return Copy;
}

void walk(const Expr *E, llvm::function_ref<bool(const Expr *)> F) {
  if (!E || !F(E))
    return;
  forEachOperand(*E, [&](const Expr *Operand) { walk(Operand, F); });
}

void forEachExpr(const Stmt &S, llvm::function_ref<void(const Expr *)> F) {
  if (S.E)
    F(S.E);
  for (const Expr *Index : S.Acc.Index)
    F(Index);
  for (const Expr *Index : S.Source.Index)
    F(Index);
  for (const Expr *Arg : S.Args)
    F(Arg);
}

void mapExprs(Module &M, Stmt &S, llvm::function_ref<const Expr *(const Expr *)> F) {
  if (S.E)
    S.E = F(S.E);
  for (const Expr *&Index : S.Acc.Index)
    Index = F(Index);
  for (const Expr *&Index : S.Source.Index)
    Index = F(Index);
  for (const Expr *&Arg : S.Args)
    Arg = F(Arg);
}

void forEachStmtList(Stmt &S, llvm::function_ref<void(StmtList &)> F) {
  F(S.Init);
  F(S.Body);
  F(S.Else);
  F(S.Step);
}

void walk(const StmtList &B, llvm::function_ref<bool(Stmt *)> F) {
  for (Stmt *S : B) {
    if (!F(S))
      continue;
    forEachStmtList(*S, [&](StmtList &Nested) { walk(Nested, F); });
  }
}

//===----------------------------------------------------------------------===//
// Comparing
//===----------------------------------------------------------------------===//

static bool equalList(llvm::ArrayRef<const Expr *> A, llvm::ArrayRef<const Expr *> B) {
  return llvm::equal(A, B, [](const Expr *X, const Expr *Y) { return equal(X, Y); });
}

bool equal(const Access &A, const Access &B) {
  return A.Base == B.Base && A.Disp == B.Disp && A.Elem == B.Elem && A.Lanes == B.Lanes &&
         A.F == B.F && A.Volatile == B.Volatile && A.Stride == B.Stride &&
         equalList(A.Index, B.Index);
}

/// The same bits: -0 is not 0, and a NaN is itself.
static bool sameFloat(double A, double B) {
  return llvm::bit_cast<uint64_t>(A) == llvm::bit_cast<uint64_t>(B);
}

bool equal(const Expr *A, const Expr *B) {
  if (A == B)
    return true;
  if (!A || !B || A->K != B->K || A->Ty != B->Ty)
    return false;
  switch (A->K) {
  case ExprKind::IntConst:
    return A->Int == B->Int;
  case ExprKind::FloatConst:
    return sameFloat(A->Float, B->Float);
  case ExprKind::VarRef:
    return A->V == B->V;
  case ExprKind::WorkItem:
    return A->Query == B->Query && A->Dim == B->Dim;
  case ExprKind::Unary:
  case ExprKind::Binary:
    return A->O == B->O && equalList(A->Ops, B->Ops);
  case ExprKind::Cast:
    return A->C == B->C && (A->C != CastOp::Builtin || A->Text == B->Text) &&
           equalList(A->Ops, B->Ops);
  case ExprKind::Select:
  case ExprKind::VectorCtor:
    return equalList(A->Ops, B->Ops);
  case ExprKind::Load:
    return equal(A->Acc, B->Acc);
  case ExprKind::Swizzle:
    return A->LaneIdx == B->LaneIdx && equalList(A->Ops, B->Ops);
  case ExprKind::Call:
  case ExprKind::HelperCall:
  case ExprKind::ImageRead:
  case ExprKind::ImageQuery:
    return A->Name == B->Name && A->Image == B->Image && A->Sampler == B->Sampler &&
           equalList(A->Ops, B->Ops);
  case ExprKind::Opaque:
    return false; // an opaque node equals only itself
  }
  llvm_unreachable("an expression of no kind");
}

} // namespace clmali::model
