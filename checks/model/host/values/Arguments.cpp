//===-- checks/model/host/values/Arguments.cpp - Arguments of kernels --------------===//

#include "checks/model/host/values/Arguments.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/StringSwitch.h"

using namespace clang;
using namespace llvm;

namespace clmali::model {

using Object = HostKernelArg::Object;

void HostArguments::describe(QualType T, HostKernelArg &A, bool TakeSize) const {
  if (T.isNull() || T->isDependentType())
    return;
  A.Type = T.getUnqualifiedType().getAsString();
  QualType C = T.getNonReferenceType().getCanonicalType();
  if (C->isBooleanType())
    return;
  if (C->isIntegralOrEnumerationType())
    A.K = HostKernelArg::Integer;
  else if (C->isRealFloatingType())
    A.K = HostKernelArg::Float;
  else if (const auto *P = C->getAs<clang::PointerType>()) {
    const auto *R = P->getPointeeType()->getAsRecordDecl();
    if (R && (R->getName() == "_cl_mem" || R->getName() == "_cl_sampler")) {
      A.K = HostKernelArg::Memory;
      A.Holds = R->getName() == "_cl_sampler" ? HostKernelArg::Sampler : HostKernelArg::AnyMemory;
    }
  }
  if (TakeSize && (A.K == HostKernelArg::Integer || A.K == HostKernelArg::Float))
    A.Size = Ctx.getTypeSizeInChars(C).getQuantity();
}

void HostArguments::bytes(const clang::Expr *Size, const clang::Expr *Value,
                          HostKernelArg &A) const {
  if (std::optional<int64_t> Bytes = Known.integer(Size); Bytes && *Bytes >= 0)
    A.Size = *Bytes;
  if (Value->isNullPointerConstant(Ctx, clang::Expr::NPC_ValueDependentIsNotNull) !=
      clang::Expr::NPCK_NotNull) {
    A.K = HostKernelArg::Local;
    return;
  }
  const auto *U = dyn_cast<UnaryOperator>(Value->IgnoreParenCasts());
  if (!U || U->getOpcode() != UO_AddrOf)
    return;
  describe(U->getSubExpr()->getType(), A, /*TakeSize=*/false);
  // A variable ends where its type does; other elements may follow an element or member.
  // (cl_uint *)&n gives a part of n.
  const auto *Cast = dyn_cast<ExplicitCastExpr>(Value->IgnoreParenImpCasts());
  QualType Part = Cast ? Cast->getType()->getPointeeType() : QualType();
  if ((A.K == HostKernelArg::Integer || A.K == HostKernelArg::Float) &&
      isa<DeclRefExpr>(U->getSubExpr()->IgnoreParens()) && (Part.isNull() || Part->isVoidType()))
    A.ValueSize = Ctx.getTypeSizeInChars(U->getSubExpr()->getType()).getQuantity();
  if (A.K == HostKernelArg::Memory && A.Holds == HostKernelArg::AnyMemory)
    A.Holds = made(U->getSubExpr());
  if (A.K == HostKernelArg::Memory)
    A.MadeBy = madeBy(U->getSubExpr());
}

void HostArguments::object(const clang::Expr *Value, HostKernelArg &A) const {
  const clang::Expr *E = Value->IgnoreImplicit();
  // The type after conversion: setArg<int>(3, width) of an unsigned short sets an int.
  QualType T = Value->getType().getNonReferenceType();
  const CXXRecordDecl *R = T.isNull() ? nullptr : T->getAsCXXRecordDecl();
  if (!R) {
    describe(T, A, /*TakeSize=*/true);
    if (A.K == HostKernelArg::Memory && A.Holds == HostKernelArg::AnyMemory)
      A.Holds = made(E);
    if (A.K == HostKernelArg::Memory)
      A.MadeBy = madeBy(E);
    return;
  }
  std::string Name = R->getQualifiedNameAsString();
  A.Type = Name;
  if (Name == "cl::LocalSpaceArg")
    A.K = HostKernelArg::Local;
  else if (StringRef(Name).starts_with("cl::Buffer") || StringRef(Name).starts_with("cl::Image") ||
           Name == "cl::Memory" || Name == "cl::Sampler")
    A.K = HostKernelArg::Memory;
  A.Holds = StringSwitch<Object>(Name)
                .Cases("cl::Buffer", "cl::BufferGL", HostKernelArg::Buffer)
                .Case("cl::Image1D", HostKernelArg::Image1D)
                .Case("cl::Image1DBuffer", HostKernelArg::Image1DBuffer)
                .Case("cl::Image1DArray", HostKernelArg::Image1DArray)
                .Cases("cl::Image2D", "cl::Image2DGL", HostKernelArg::Image2D)
                .Case("cl::Image2DArray", HostKernelArg::Image2DArray)
                .Cases("cl::Image3D", "cl::Image3DGL", HostKernelArg::Image3D)
                .Case("cl::Sampler", HostKernelArg::Sampler)
                .Default(HostKernelArg::AnyMemory);
  if (A.Holds == HostKernelArg::Buffer)
    A.MadeBy = madeBy(E);
}

unsigned HostArguments::madeBy(const clang::Expr *E) const {
  const ValueDecl *D = declOf(E->IgnoreParenImpCasts());
  if (!D || D->getType()->isReferenceType() || D->getType()->isArrayType() || isa<ParmVarDecl>(D))
    return 0;
  // With another write, the buffer may be another one.
  const clang::Expr *Only = nullptr;
  for (const HostWrite &W : Flow.writes(D)) {
    if (W.Value ? !plain(W.Value)->getType()->isRecordType() && Known.isNull(W.Value, nullptr)
                : W.K == HostWrite::Start)
      continue; // before it is made, or after its release
    const auto *Empty = dyn_cast_or_null<CXXConstructExpr>(W.Value ? plain(W.Value) : nullptr);
    if (W.K == HostWrite::Start && Empty && Empty->getNumArgs() == 0)
      continue;
    if (Only || !W.Value || (W.K != HostWrite::Start && W.K != HostWrite::Assign))
      return 0;
    Only = plain(W.Value);
  }
  constexpr int64_t UseHostPtr = 1 << 3; // CL_MEM_USE_HOST_PTR
  auto Of = [&](const clang::Expr *Flags) -> unsigned {
    std::optional<int64_t> F = Known.integer(Flags);
    return F && !(*F & UseHostPtr) ? Only->getBeginLoc().getRawEncoding() : 0;
  };
  if (const auto *C = dyn_cast_or_null<CallExpr>(Only)) {
    const FunctionDecl *F = calleeOf(C);
    bool Makes = F && F->getDeclName().isIdentifier() && F->getName() == "clCreateBuffer";
    return Makes && C->getNumArgs() == 5 ? Of(C->getArg(1)) : 0;
  }
  const auto *X = dyn_cast_or_null<CXXConstructExpr>(Only);
  bool Makes = X && X->getNumArgs() >= 3 &&
               X->getConstructor()->getParent()->getQualifiedNameAsString() == "cl::Buffer" &&
               X->getArg(1)->getType()->isIntegralOrEnumerationType();
  return Makes ? Of(X->getArg(1)) : 0;
}

Object HostArguments::made(const clang::Expr *E) const {
  const auto *C = dyn_cast_or_null<CallExpr>(plain(Known.source(E, nullptr).Value));
  const FunctionDecl *F = C ? calleeOf(C) : nullptr;
  if (!F || !F->getDeclName().isIdentifier())
    return HostKernelArg::AnyMemory;
  StringRef Name = F->getName();
  if (Name == "clCreateImage" && C->getNumArgs() == 6)
    return described(C->getArg(3));
  return StringSwitch<Object>(Name)
      .Cases("clCreateBuffer", "clCreateBufferWithProperties", "clCreateSubBuffer",
             "clCreateFromGLBuffer", HostKernelArg::Buffer)
      .Cases("clCreateImage2D", "clCreateFromGLTexture2D", HostKernelArg::Image2D)
      .Cases("clCreateImage3D", "clCreateFromGLTexture3D", HostKernelArg::Image3D)
      .Case("clCreatePipe", HostKernelArg::Pipe)
      .Default(HostKernelArg::AnyMemory);
}

static Object imageOf(int64_t Type) {
  switch (Type) { // CL_MEM_OBJECT_IMAGE2D and its like
  case 0x10F1:
    return HostKernelArg::Image2D;
  case 0x10F2:
    return HostKernelArg::Image3D;
  case 0x10F3:
    return HostKernelArg::Image2DArray;
  case 0x10F4:
    return HostKernelArg::Image1D;
  case 0x10F5:
    return HostKernelArg::Image1DArray;
  case 0x10F6:
    return HostKernelArg::Image1DBuffer;
  default:
    return HostKernelArg::AnyMemory;
  }
}

Object HostArguments::described(const clang::Expr *E) const {
  const auto *U = dyn_cast<UnaryOperator>(plain(E)->IgnoreParenCasts());
  const auto *D = U && U->getOpcode() == UO_AddrOf
                      ? dyn_cast_or_null<VarDecl>(declOf(U->getSubExpr()))
                      : nullptr;
  const RecordDecl *R = D ? D->getType()->getAsRecordDecl() : nullptr;
  if (!R || !D->isLocalVarDecl() || D->isStaticLocal() || R->field_empty() || Flow.escapes(D))
    return HostKernelArg::AnyMemory;
  const FieldDecl *Type = *R->field_begin();
  if (Type->getName() != "image_type")
    return HostKernelArg::AnyMemory;
  // All writes must give the same type; an initialiser of zeros does not count.
  std::optional<int64_t> Only;
  auto Agrees = [&](const clang::Expr *Value, bool Starts) {
    std::optional<int64_t> V = Value ? Known.integer(Value) : std::nullopt;
    if (Starts && V && !*V)
      return true;
    bool Same = V && (!Only || *Only == *V);
    Only = V;
    return Same;
  };
  for (const HostWrite &W : Flow.writes(Type)) {
    const auto *B = dyn_cast_or_null<BinaryOperator>(W.At);
    const auto *M = B ? dyn_cast<MemberExpr>(B->getLHS()->IgnoreParenImpCasts()) : nullptr;
    if (!M)
      return HostKernelArg::AnyMemory;
    if (declOf(M->getBase()) == cast<ValueDecl>(D->getCanonicalDecl()) && !Agrees(W.Value, false))
      return HostKernelArg::AnyMemory;
  }
  for (const HostWrite &W : Flow.writes(D)) {
    if (!W.Value && W.K == HostWrite::Start)
      continue;
    const auto *List = W.K == HostWrite::Start || W.K == HostWrite::Assign
                           ? dyn_cast_or_null<InitListExpr>(plain(W.Value))
                           : nullptr;
    if (List && List->getSemanticForm())
      List = List->getSemanticForm();
    const auto *C = dyn_cast_or_null<CallExpr>(W.At);
    if (!List && (isa_and_nonnull<CXXConstructExpr>(W.Value) || (C && calledName(C) == "memset")))
      continue;
    if (!List || (List->getNumInits() && !isa<ImplicitValueInitExpr>(List->getInit(0)) &&
                  !Agrees(List->getInit(0), true)))
      return HostKernelArg::AnyMemory;
  }
  return Only ? imageOf(*Only) : HostKernelArg::AnyMemory;
}

} // namespace clmali::model
