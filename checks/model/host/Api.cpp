//===-- checks/model/host/Api.cpp - The API function that is called ----------------===//

#include "checks/model/host/Api.h"
#include "checks/model/host/repair/MissingDeclarations.h"
#include "checks/model/host/values/Flow.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace clang;
using namespace llvm;

namespace clmali::model {

namespace {
struct GlFunction {
  llvm::StringLiteral Name;
  uint8_t Effect;
};
} // namespace

/// Sorted by name.
static constexpr GlFunction GlFunctions[] = {
    {"eglSwapBuffers", GlShows},
    {"eglSwapInterval", 0},
    {"glBindBuffer", 0},
    {"glBindFramebuffer", GlTargets},
    {"glBindVertexArray", 0},
    {"glBufferData", 0},
    {"glClear", GlClears},
    {"glClearBufferfv", GlClears},
    {"glCopyTexImage2D", 0},
    {"glCopyTexSubImage2D", 0},
    {"glDiscardFramebuffer", GlClears},
    {"glDispatchCompute", GlDraws},
    {"glDrawArrays", GlDraws},
    {"glDrawArraysInstanced", GlDraws},
    {"glDrawElements", GlDraws},
    {"glDrawElementsBaseVertex", GlDraws},
    {"glDrawElementsInstanced", GlDraws},
    {"glDrawRangeElements", GlDraws},
    {"glEnable", 0},
    {"glFinish", 0},
    {"glFramebufferTexture", GlTargets},
    {"glFramebufferTexture2D", GlTargets},
    {"glGenTextures", 0},
    {"glGetBufferSubData", GlReadsBack},
    {"glGetTexImage", GlReadsBack},
    {"glInvalidateFramebuffer", GlClears},
    {"glReadPixels", GlReadsBack},
    {"glReadnPixels", GlReadsBack},
    {"glScissor", 0},
    {"glTexImage2D", 0},
    {"glTexImage3D", 0},
    {"glTexStorage2D", 0},
    {"glTexStorage3D", 0},
    {"glTexSubImage2D", 0},
    {"glVertexAttribPointer", 0},
};

static const GlFunction *glFunction(StringRef Name) {
  const auto *At = llvm::lower_bound(GlFunctions, Name,
                                     [](const GlFunction &F, StringRef N) { return F.Name < N; });
  return At != std::end(GlFunctions) && At->Name == Name ? At : nullptr;
}

StringRef glName(StringRef Name) {
  if (!Name.contains("gl"))
    return "";
  for (StringRef Tail : {"EXT", "OES", "ARB", "KHR", "NV", "_p", "_ptr", "_fn", "_", "Ptr", "Proc"})
    if (Name.consume_back(Tail))
      break;
  for (size_t At = 0; At + 2 < Name.size(); ++At) {
    StringRef Rest = Name.drop_front(At);
    if (!Rest.starts_with("gl") && !Rest.starts_with("egl"))
      continue;
    // What precedes belongs to a loader: `glad_`, `epoxy_`, `p`, `pfn`.
    if (At > 3 && Name[At - 1] != '_')
      break;
    if (const GlFunction *F = glFunction(Rest))
      return F->Name;
  }
  if (Name.consume_front("__glew"))
    if (const GlFunction *F = glFunction(("gl" + Name).str()))
      return F->Name;
  return "";
}

uint8_t glEffect(StringRef Name) {
  if (const GlFunction *F = glFunction(glName(Name)))
    return F->Effect;
  return StringSwitch<uint8_t>(Name)
      .Cases("glfwSwapBuffers", "glutSwapBuffers", "SDL_GL_SwapWindow", "SDL_GL_SwapBuffers",
             GlShows)
      .Cases("glXSwapBuffers", "swapBuffers", "SwapBuffers", GlShows)
      .Cases("glfwPollEvents", "glfwWaitEvents", "glfwWindowShouldClose", "glfwGetKey", GlInteracts)
      .Cases("SDL_PollEvent", "SDL_WaitEvent", "SDL_PumpEvents", "XNextEvent", "XPending",
             "XCheckWindowEvent", GlInteracts)
      .Cases("ALooper_pollAll", "ALooper_pollOnce", "PeekMessage", "PeekMessageA", "PeekMessageW",
             "GetMessage", GlInteracts)
      .Cases("wl_display_dispatch", "wl_display_dispatch_pending", "glutMainLoopEvent",
             "processEvents", "xcb_poll_for_event", GlInteracts)
      .Default(0);
}

/// The API's own function of that name, if its header is included.
static const FunctionDecl *functionOfApi(ASTContext &Ctx, StringRef Name) {
  for (const NamedDecl *D : Ctx.getTranslationUnitDecl()->lookup(&Ctx.Idents.get(Name)))
    if (const auto *Api = dyn_cast<FunctionDecl>(D))
      return Api;
  return nullptr;
}

/// `Library::enqueueReadBuffer(queue, ..)` of another file: a function with the name of an API
/// function without `cl`, and with its parameters, forwards to it. Empty: F is none.
static std::string forwardedName(const FunctionDecl *F) {
  StringRef Name = F->getName();
  if (F->isDefined() || !F->getNumParams() || !isLower(Name.front()))
    return "";
  std::string Full = "cl" + std::string(1, toUpper(Name.front())) + Name.drop_front().str();
  ASTContext &Ctx = F->getASTContext();
  const FunctionDecl *Api = functionOfApi(Ctx, Full);
  bool Same = Api && Api->getNumParams() == F->getNumParams() &&
              all_of(zip_equal(Api->parameters(), F->parameters()), [&](const auto &Pair) {
                auto [A, B] = Pair;
                return Ctx.hasSameUnqualifiedType(A->getType(), B->getType());
              });
  return Same ? Full : "";
}

/// The API function by the name alone, where the type is unknown: `clFinish_p`, `p_clFinish`,
/// `lib_clFinish`, a queue's `enqueueReadBuffer`.
static std::string unknownName(StringRef Name) {
  if (StringRef Gl = glName(Name); !Gl.empty())
    return Gl.str();
  if (Name.starts_with("enqueue") && Name.size() > 7 && isUpper(Name[7]))
    return ("cl::CommandQueue::" + Name).str();
  for (StringRef Head : {"m_", "s_", "g_", "pfn_", "ptr_", "fn_", "p_", "pfn", "_", "p"})
    if (Name.drop_front(std::min(Head.size(), Name.size())).starts_with("cl") &&
        Name.consume_front(Head))
      break;
  for (StringRef Tail : {"_p", "_ptr", "_fn", "_pfn", "_func", "_f", "_", "Ptr", "Fn", "Func"})
    if (Name.consume_back(Tail))
      break;
  // lib_clFinish: a pointer to a function that is loaded at run time
  if (size_t At = Name.find("_cl");
      At != StringRef::npos && At + 3 < Name.size() && isUpper(Name[At + 3]))
    Name = Name.drop_front(At + 1);
  StringRef Rest = Name;
  if (!Rest.consume_front("cl") || Name.contains('_'))
    return "";
  for (StringRef Verb : {"Enqueue", "Create", "Build", "Compile", "Link", "Set", "Get", "Finish",
                         "Flush", "Wait", "Release", "Retain", "SVM"})
    if (Rest.starts_with(Verb))
      return Name.str();
  return "";
}

/// lib_clFinish(queue), of a missing header: a call with as many arguments as the API's function.
static std::string undeclaredName(const FunctionDecl *F, unsigned Args) {
  std::string Name = unknownName(F->getName());
  const FunctionDecl *Api = Name.empty() ? nullptr : functionOfApi(F->getASTContext(), Name);
  return Api && Api->getNumParams() == Args ? Name : "";
}

std::string apiName(const clang::Expr *Callee, unsigned Args, const clang::Expr *&Object) {
  const clang::Expr *X = Callee->IgnoreParenImpCasts();
  if (const auto *U = dyn_cast<UnaryOperator>(X); U && U->getOpcode() == UO_Deref) // (*pointer)(..)
    X = U->getSubExpr()->IgnoreParenImpCasts();
  const NamedDecl *D = nullptr;
  if (const auto *M = dyn_cast<MemberExpr>(X)) {
    D = M->getMemberDecl();
    Object = M->getBase();
  } else if (const auto *R = dyn_cast<DeclRefExpr>(X)) {
    D = R->getDecl();
  } else if (const auto *O = dyn_cast<OverloadExpr>(X)) {
    // With arguments of unknown type, or that do not fit.
    if (O->getNumDecls())
      D = (*O->decls_begin())->getUnderlyingDecl();
    if (const auto *M = dyn_cast<UnresolvedMemberExpr>(X); M && !M->isImplicitAccess())
      Object = M->getBase();
  } else if (const auto *M = dyn_cast<CXXDependentScopeMemberExpr>(X)) {
    Object = M->isImplicitAccess() ? nullptr : M->getBase();
    return M->getMember().isIdentifier()
               ? unknownName(M->getMember().getAsIdentifierInfo()->getName())
               : "";
  }
  if (const auto *T = dyn_cast_or_null<FunctionTemplateDecl>(D))
    D = T->getTemplatedDecl();
  if (!D || !D->getDeclName().isIdentifier())
    return "";
  StringRef Name = D->getName();
  const auto *F = dyn_cast<FunctionDecl>(D);
  // Also of an object of functions: `QOpenGLFunctions *f; f->glClear(..)`.
  if (StringRef Gl = F ? glName(Name) : StringRef(); !Gl.empty()) {
    Object = nullptr;
    return Gl.str();
  }
  if (!F) { // a pointer to a function, of a library that is loaded at run time
    Object = nullptr;
    return isa<VarDecl, FieldDecl>(D) ? unknownName(Name) : "";
  }
  const auto *Method = dyn_cast<CXXMethodDecl>(F);
  if (!Method)
    Object = nullptr;
  if (!Method && Name.starts_with("cl") && Name.size() > 2 && isUpper(Name[2]))
    return Name.str();
  std::string Qualified =
      Method ? Method->getParent()->getQualifiedNameAsString() : F->getQualifiedNameAsString();
  if (StringRef(Qualified).starts_with(MissingDeclarations::Namespace))
    return unknownName(Name);
  if (!StringRef(Qualified).starts_with("cl::"))
    return F->hasPrototype() ? forwardedName(F) : undeclaredName(F, Args);
  // Projects have namespaces cl of their own (cl::sdk::fill, cl::queue).
  if (!Method)
    return StringRef(Qualified).count("::") == 1 ? Qualified : "";
  if (Name.starts_with("enqueue") && Qualified != "cl::CommandQueue")
    return "";
  return Qualified + "::" + Name.str();
}

std::string madeInside(const CallExpr *C) {
  StringRef Name = calledName(C);
  const CXXRecordDecl *In = nullptr;
  if ((Name == "make_unique" || Name == "make_shared") && C->getNumArgs())
    In = C->getType()->getAsCXXRecordDecl();
  else if (const auto *M = dyn_cast<CXXMemberCallExpr>(C);
           M && Name == "emplace_back" && C->getNumArgs() > 1)
    In = M->getRecordDecl();
  const auto *Of = dyn_cast_or_null<ClassTemplateSpecializationDecl>(In);
  if (!Of || Of->getTemplateArgs().size() == 0 ||
      Of->getTemplateArgs()[0].getKind() != TemplateArgument::Type)
    return "";
  const CXXRecordDecl *R = Of->getTemplateArgs()[0].getAsType()->getAsCXXRecordDecl();
  std::string Made = R ? R->getQualifiedNameAsString() : "";
  return is_contained({"cl::Buffer", "cl::Image1D", "cl::Image2D", "cl::Image3D", "cl::Kernel"},
                      StringRef(Made))
             ? Made
             : "";
}

} // namespace clmali::model
