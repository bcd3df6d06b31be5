//===-- checks/model/lift/Images.cpp - Images and samplers -------------------===//
//
// What it does: lifts the types of images, the reads, writes and queries of them, and samplers that
// are constants of the program or of a function.
//
//   before                                       after
//   const sampler_t s = CLK_FILTER_NEAREST;
//   float4 v = read_imagef(src, s, (int2)(x, y));   float4 v = read_imagef(src, s{16}, (int2)(x,
//   y)) write_imagef(dst, (int2)(x, y), v);             write_imagef(dst, (int2)(x, y), v)
//
// Limits: an image or a sampler is an argument of the kernel or a constant; others are opaque.
//
//===----------------------------------------------------------------------===//

#include "checks/model/lift/Lifter.h"

using llvm::StringRef;

namespace clmali::model {

const Type *Lifter::handleType(clang::QualType T) {
  if (T->isSamplerT())
    return M.sampler();
  if (!T->isImageType())
    return nullptr;
  std::string Spelling = T.getUnqualifiedType().getAsString(Ctx.getPrintingPolicy());
  StringRef Name = Spelling;
  AccessQualifier Qualifier = Name.contains("read_write")   ? AccessQualifier::ReadWrite
                              : Name.contains("write_only") ? AccessQualifier::WriteOnly
                                                            : AccessQualifier::ReadOnly;
  unsigned Dims = Name.contains("image1d") ? 1 : Name.contains("image2d") ? 2 : 3;
  return M.image(Spelling, Qualifier, Dims + Name.contains("_array"), Name.contains("1d_buffer"));
}

/// Init without what makes a sampler of it. Clang puts the value of a sampler at program scope in
/// place of its name.
static const clang::Expr *samplerBits(const clang::Expr *Init) {
  while (Init && Init->getType()->isSamplerT()) {
    if (const auto *C = llvm::dyn_cast<clang::CastExpr>(Init))
      Init = C->getSubExpr();
    else if (const auto *P = llvm::dyn_cast<clang::ParenExpr>(Init))
      Init = P->getSubExpr();
    else
      break;
  }
  return Init;
}

const clang::VarDecl *Lifter::programSampler(const ClangExpr *E) {
  const clang::Expr *Bits = samplerBits(E);
  for (const clang::Decl *D : Ctx.getTranslationUnitDecl()->decls())
    if (const auto *V = llvm::dyn_cast<clang::VarDecl>(D);
        V && V->getType()->isSamplerT() && V->getInit() && samplerBits(V->getInit()) == Bits)
      return V;
  return nullptr;
}

Place Lifter::samplerConstant(StringRef Name, const ClangExpr *Init, SourceRange R,
                              bool ProgramScope) {
  Init = samplerBits(Init);
  clang::Expr::EvalResult Value;
  if (!Init || Init->isValueDependent() || Init->containsErrors() ||
      !Init->getType()->isIntegerType() || !Init->EvaluateAsInt(Value, Ctx))
    return Place::bad("sampler_t");
  int64_t Bits = bits(Value.Val.getInt());
  // Helpers that are inlined repeatedly, and calls with the same literal, share one.
  Var *V = nullptr;
  for (Var *Known : K->Vars)
    if (Known->K == Var::SamplerConst && !Known->ProgramScope && !ProgramScope &&
        Known->Ints.front() == Bits)
      V = Known;
  if (!V && ProgramScope) {
    V = M.newVar(Var::SamplerConst, Name, M.sampler());
    V->ProgramScope = true;
    V->Range = R;
    K->Vars.push_back(V);
  } else if (!V) {
    V = newVar(Var::SamplerConst, Name, M.sampler(), R);
  }
  V->Ints = {Bits};
  Place P;
  P.K = Place::Handle;
  P.V = V;
  P.Ty = P.NatTy = V->Ty;
  return P;
}

void Lifter::bindSampler(const clang::VarDecl *D, const ClangExpr *Init, bool ProgramScope,
                         Binding &Slot) {
  Binding B;
  B.P = samplerConstant(D->getName(), Init, range(D->getSourceRange()), ProgramScope);
  B.K = B.P ? Binding::Object : Binding::Bad;
  Slot = B;
}

Place Lifter::handle(const ClangExpr *E) {
  const ClangExpr *Bare = E->IgnoreParenImpCasts();
  const auto *D = llvm::dyn_cast<clang::DeclRefExpr>(Bare);
  const auto *V = D ? llvm::dyn_cast<clang::VarDecl>(D->getDecl()) : nullptr;
  if (!V && E->getType()->isSamplerT())
    V = programSampler(E);
  if (V && handleType(V->getType().getCanonicalType())) {
    const Binding &B = bindingOf(V);
    return B.K == Binding::Object || B.K == Binding::Bad ? B.P : Place::bad("image access");
  }
  if (E->getType()->isSamplerT())
    return samplerConstant("sampler", E, range(E), /*ProgramScope=*/false);
  return Place::bad("image access");
}

bool Lifter::imageCall(StringRef Name, const clang::CallExpr *E, bool Want, const Expr *&Value) {
  const bool Reads = Name.starts_with("read_image"), Writes = Name.starts_with("write_image");
  if ((!Reads && !Writes && !Name.starts_with("get_image")) || E->getNumArgs() == 0)
    return false;
  const Place Image = handle(E->getArg(0));
  if (Image.K != Place::Handle || !Image.V->isImage())
    return false;
  Var *Sampler = nullptr;
  const bool Samples = Reads && E->getNumArgs() > 1 && E->getArg(1)->getType()->isSamplerT();
  if (Samples) {
    const Place S = handle(E->getArg(1));
    if (S.K != Place::Handle)
      return false;
    Sampler = S.V;
  }
  for (const clang::Expr *A : llvm::drop_begin(E->arguments(), Samples ? 2 : 1))
    if (!type(A->getType())->isValue())
      return false;
  SourceRange R = range(E);
  llvm::SmallVector<const Expr *, 4> Args = valueArgs(E);
  Value = nullptr;
  if (Writes) {
    if (Args.size() < 2)
      return false;
    Stmt *S = emit(StmtKind::ImageWrite, R);
    S->Name = Name.str();
    S->Image = Image.V;
    S->E = Args.pop_back_val();
    S->Args.assign(Args.begin(), Args.end());
    return true;
  }
  if (!Want)
    return true;
  const Type *Ty = type(E->getType());
  if (!Ty->isValue() || (Reads && Args.empty()))
    return false;
  Expr *X = M.newExpr(Reads ? ExprKind::ImageRead : ExprKind::ImageQuery, Ty, R);
  X->Name = Name.str();
  X->Image = Image.V;
  X->Sampler = Sampler;
  X->Ops.assign(Args.begin(), Args.end());
  Value = X;
  return true;
}

} // namespace clmali::model
