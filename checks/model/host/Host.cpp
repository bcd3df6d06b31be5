//===-- checks/model/host/Host.cpp - From a host program's AST to its calls ----===//
//
// One pass collects how variables get their values (Values.h); the second
// visits calls, constructors and string literals, and evaluates what the first
// allows.
//
//===----------------------------------------------------------------------===//

#include "checks/model/host/Host.h"
#include "checks/model/host/Api.h"
#include "checks/model/host/loops/Loops.h"
#include "checks/model/host/mapping/Mapping.h"
#include "checks/model/host/repair/MissingDeclarations.h"
#include "checks/model/host/summary/CallSummaryBuilder.h"
#include "checks/model/host/values/Arguments.h"
#include "checks/model/host/values/KernelStrings.h"
#include "checks/model/host/values/Kernels.h"
#include "checks/model/host/values/Programs.h"
#include "checks/model/host/values/Sizes.h"
#include "checks/model/host/values/Values.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include <functional>
#include <set>

using namespace clang;
using namespace llvm;

namespace clmali::model {
namespace {

// The model has classes of these names, too.
using clang::Expr;
using clang::Stmt;

class HostLifter : public RecursiveASTVisitor<HostLifter> {
public:
  HostLifter(ASTContext &Ctx, HostModule &M)
      : Ctx(Ctx), SM(Ctx.getSourceManager()), M(M), Flow(Ctx), Known(Ctx, Flow), Loops(Flow),
        Places(Ctx, M), Strings(Ctx, M, Places, Flow, Known), Sizes(Places, Flow, Known) {
    Places.fileIndex(SM.getMainFileID());
    // clangd narrows the scope to what does not come from its precompiled preamble.
    for (Decl *D : Ctx.getTraversalScope())
      Flow.collect(D);
    SummaryBuilder.begin(M.Summary);
  }

  /// Nothing in system headers is the user's; skipping them is most of the speed.
  bool TraverseDecl(Decl *D) {
    if (D && !isa<TranslationUnitDecl>(D) && !isa<NamespaceDecl>(D) && !isa<LinkageSpecDecl>(D) &&
        !isUsers(D, SM))
      return true;
    return RecursiveASTVisitor::TraverseDecl(D);
  }

  bool VisitCallExpr(CallExpr *C) {
    const FunctionDecl *F = calleeOf(C);
    // A functor of which nothing is known, because what it is made of did not parse.
    if (!F && C->getNumArgs() && isEnqueueArgs(C->getArg(0)->getType())) {
      HostCall &Call = add("cl::KernelFunctor::operator()", C, C->getExprLoc());
      Call.IsCpp = true;
      launch(C, C->getCallee(), [=, this](HostLaunch &L, const HostFrame *Frame) {
        Sizes.enqueueArgs(C->getArg(0), L, Frame);
      });
    } else if (!F && !isa<CXXOperatorCallExpr>(C) && isBoundFunctor(C->getCallee()->getType())) {
      // One of the first bindings, with arguments of which nothing is known.
      HostCall &Call = add("cl::KernelFunctor::operator()", C, C->getExprLoc());
      Call.IsCpp = true;
      launch(C, C->getCallee(), [=, this](HostLaunch &L, const HostFrame *Frame) {
        Sizes.enqueueArgs(C->getCallee(), L, Frame);
      });
    }
    if (isa<CXXOperatorCallExpr>(C)) {
      // A pointer that is of an unknown class: x(a, b) is an operator of it.
      if (cast<CXXOperatorCallExpr>(C)->getOperator() == OO_Call && C->getNumArgs())
        call(C, C->getArg(0), SmallVector<const Expr *, 8>(C->arg_begin() + 1, C->arg_end()),
             nullptr);
      return true;
    }
    call(C, C->getCallee(), SmallVector<const Expr *, 8>(C->arg_begin(), C->arg_end()), C);
    return true;
  }

  /// A call whose arguments do not fit, or hold what could not be parsed.
  bool VisitRecoveryExpr(RecoveryExpr *R) {
    ArrayRef<Expr *> Parts = R->subExpressions();
    if (!Parts.empty() &&
        isa<DeclRefExpr, MemberExpr, OverloadExpr>(Parts[0]->IgnoreParenImpCasts()))
      call(R, Parts[0], SmallVector<const Expr *, 8>(Parts.begin() + 1, Parts.end()), nullptr);
    return true;
  }

  /// E calls Callee. \p C: it is such a node.
  void call(const Expr *E, const Expr *Callee, ArrayRef<const Expr *> Args, const CallExpr *C) {
    const Expr *Object = nullptr;
    const Expr *X = Callee->IgnoreParenImpCasts();
    SourceLocation At = E->getExprLoc();
    if (const auto *M = dyn_cast<MemberExpr>(X))
      At = M->getMemberLoc();
    else if (const auto *M = dyn_cast<CXXDependentScopeMemberExpr>(X))
      At = M->getMemberLoc();
    else if (const auto *O = dyn_cast<OverloadExpr>(X))
      At = O->getNameLoc();
    std::string Full = apiName(Callee, Args.size(), Object);
    if (Full.empty())
      Full = ofQueue(E);
    if (Full.empty())
      Full = C ? madeInside(C) : "";
    if (Full.empty()) {
      wrapper(E, Args);
      elsewhere(E, Args, At);
      if (C && Kernels.makes(C))
        add(calledName(C), C, At).MakesKernel = true;
      return;
    }
    StringRef Name = StringRef(Full).rsplit(':').second;
    if (Name.empty())
      Name = Full;
    // A name alone is no call.
    if (!C && Args.empty() && Name != "finish")
      return;
    bool IsMember = isa_and_nonnull<CXXMemberCallExpr>(C) || Object;
    for (const Expr *A : Args) {
      // clCreateKernelsInProgram and the like fill it in: then it is not known which it is.
      if (const ValueDecl *D = declOf(A); D && isKernelType(D->getType()))
        ++ApiUses[D];
    }
    if (const ValueDecl *D = declOf(Object); D && isKernelType(D->getType()))
      ++ApiUses[D];
    HostCall &Call = add(Full, E, At);
    Call.IsCpp = IsMember || Full.rfind("cl::", 0) == 0;
    for (const Expr *A : Args)
      Call.Args.push_back(argument(A));
    Call.Blocking = blocks(Args, Name);
    if (C && calleeOf(C))
      Call.Mapping = Mapper.mapping(C, Name, Call.Blocking);
    Call.Blocking |= blocksByCallers(E, Args, Name);
    if (Full == "clCreateBuffer" && Args.size() == 5)
      Call.PointerDone = pointerDone(Args[3], E);
    if (Name.starts_with("clCreateProgramWith"))
      Call.From = Name == "clCreateProgramWithSource"   ? HostCall::Source
                  : Name == "clCreateProgramWithBinary" ? HostCall::Binary
                                                        : HostCall::Other;
    if (Full == "clSetKernelArg" && Args.size() == 4)
      setArg(Args[0], Args[1], Args[2], Args[3], E);
    else if (Full == "cl::Kernel::setArg" && IsMember && Args.size() >= 2)
      setArg(Object, Args[0], Args.size() == 3 ? Args[1] : nullptr, Args.back(), E);
    if (Full == "clEnqueueNDRangeKernel" && Args.size() >= 6)
      launch(E, Args[1],
             [this, Dims = Args[2], Global = Args[4], Local = Args[5]](HostLaunch &L,
                                                                       const HostFrame *Frame) {
               Sizes.sizesC(Dims, Global, Local, L, Frame);
             });
    else if (Name == "enqueueNDRangeKernel" && Args.size() >= 3)
      launch(E, Args[0],
             [this, Global = Args[2],
              Local = Args.size() > 3 ? Args[3] : nullptr](HostLaunch &L, const HostFrame *Frame) {
               unsigned LocalDims = 0;
               bool GlobalNull = false;
               Sizes.ndrange(Global, L.Dims, L.Global, L.GlobalRange, GlobalNull, L.GlobalByDefault,
                             Frame);
               if (Local)
                 Sizes.ndrange(Local, LocalDims, L.Local, L.LocalRange, L.LocalIsNull,
                               L.LocalByDefault, Frame);
               else
                 L.LocalIsNull = true;
             });
    else if ((Full == "clEnqueueTask" && Args.size() > 1) ||
             (Name == "enqueueTask" && !Args.empty()))
      launch(E, Args[Full == "clEnqueueTask" ? 1 : 0], [=, this](HostLaunch &L, const HostFrame *) {
        L.Dims = 1;
        L.Global[0] = 1;
        L.GlobalRange[0] = Places.range(E->getSourceRange());
      });
    else if ((Full == "clBuildProgram" || Full == "clCompileProgram") && Args.size() > 3) {
      buildOptions(Args[3], E, false);
      Call.From = Programs.madeOf(Args[0]);
    } else if (Name == "build" && IsMember) {
      if (Object)
        Call.From = Programs.madeOf(Object);
      for (const Expr *A : Args)
        buildOptions(A, E, true);
    }
  }

  /// Is the last argument of \p C where a functor writes its error to? It is no argument of the
  /// kernel.
  static bool takesError(const CXXOperatorCallExpr *C) {
    const auto *F = dyn_cast_or_null<CXXMethodDecl>(C->getCalleeDecl());
    if (!F || F->getNumParams() + 1 != C->getNumArgs() || F->getNumParams() == 0)
      return false;
    QualType T = F->getParamDecl(F->getNumParams() - 1)->getType();
    return T->isLValueReferenceType() && !T->getPointeeType().isConstQualified() &&
           T->getPointeeType()->isIntegerType();
  }

  /// functor(cl::EnqueueArgs(queue, global, local), a, b)
  bool VisitCXXOperatorCallExpr(CXXOperatorCallExpr *C) {
    if (C->getOperator() == OO_Plus && C->getNumArgs() == 2 && C->getType()->isRecordType())
      Strings.sum(C);
    bool Bound = isBoundFunctorCall(C);
    if (!Bound && !isFunctorCall(C))
      return true;
    HostCall &Call = add("cl::KernelFunctor::operator()", C, C->getExprLoc());
    Call.IsCpp = true;
    launch(C, C->getArg(0), [=, this](HostLaunch &L, const HostFrame *Frame) {
      const unsigned First = Bound ? 1 : 2;
      Sizes.enqueueArgs(C->getArg(First - 1), L, Frame);
      const unsigned End = C->getNumArgs() - (!Bound && takesError(C));
      for (unsigned I = First; I < End; ++I) {
        if (isa<CXXDefaultArgExpr>(C->getArg(I)))
          continue;
        HostKernelArg A;
        A.Index = I - First;
        A.Range = Places.range(C->getArg(I)->getSourceRange());
        A.File = M.Files[A.Range.File].Name;
        // What a functor's types are converts the arguments; the first functors took what they were
        // given.
        const Expr *Given = C->getArg(I);
        if (!Bound && Given->getType()->isArithmeticType())
          Arguments.number(Given->getType(), A);
        else
          Arguments.object(Given, A);
        L.Args.push_back(std::move(A));
      }
      L.ArgsComplete = true;
    });
    return true;
  }

  /// A kernel that anything but the API gets has arguments that are not seen here.
  bool VisitDeclRefExpr(DeclRefExpr *R) {
    const auto *V = dyn_cast<VarDecl>(R->getDecl());
    if (!V || !isKernelType(V->getType()))
      return true;
    ++KernelUses[cast<ValueDecl>(V->getCanonicalDecl())];
    return true;
  }

  bool VisitCXXConstructExpr(CXXConstructExpr *C) {
    const CXXRecordDecl *R = C->getConstructor()->getParent();
    if (C->isElidable() || C->getConstructor()->isCopyOrMoveConstructor())
      return true;
    std::string Qualified = R->getQualifiedNameAsString();
    if (!StringRef(Qualified).starts_with("cl::") || C->getNumArgs() == 0)
      return true;
    bool Functor = isFunctor(R);
    if (!Functor && !is_contained({"cl::Buffer", "cl::Image1D", "cl::Image2D", "cl::Image3D",
                                   "cl::Program", "cl::Kernel", "cl::Context", "cl::CommandQueue"},
                                  StringRef(Qualified)))
      return true;
    // A functor of a kernel that is there makes none.
    if (Functor && isKernelType(C->getArg(0)->getType()))
      return true;
    // cl::Kernel k(handle): made elsewhere.
    if (Qualified == "cl::Kernel" && (C->getNumArgs() < 2 || isa<CXXDefaultArgExpr>(C->getArg(1))))
      return true;
    HostCall &Call = add(Functor ? "cl::KernelFunctor" : Qualified, C, C->getLocation());
    Call.IsCpp = true;
    for (const Expr *A : C->arguments())
      if (!isa<CXXDefaultArgExpr>(A))
        Call.Args.push_back(argument(A));
    if (Qualified == "cl::Program")
      Call.From = Programs.madeBy(C);
    if (Qualified == "cl::Buffer" && C->getNumArgs() >= 4)
      Call.PointerDone = pointerDone(C->getArg(3), C);
    if (Qualified == "cl::Buffer" && usesHostPointer(C))
      Call.Args.back().Macros.push_back("CL_MEM_USE_HOST_PTR");
    return true;
  }

  /// A program made of something that could not be parsed: of source, unless it speaks of binaries.
  void brokenProgram(const Expr *E, QualType T, clang::SourceRange Written, SourceLocation At,
                     const FunctionDecl *F) {
    const CXXRecordDecl *R = T->getAsCXXRecordDecl();
    if ((E && !E->containsErrors()) || !R || R->getQualifiedNameAsString() != "cl::Program")
      return;
    SourceRange Place = Places.range(Written);
    HostCall &Call = M.Calls.emplace_back();
    Nodes.push_back(nullptr);
    Call.Name = "cl::Program";
    Call.Function = F ? F->getNameAsString() : "";
    Call.Outside.Function = SummaryBuilder.indexOf(F);
    Call.FunctionAt = F ? SM.getFileOffset(SM.getExpansionLoc(F->getBeginLoc())) : 0;
    Call.Range = Place;
    Call.NameRange = Places.range(clang::SourceRange(At, At));
    Call.IsCpp = true;
    StringRef Text = StringRef(M.Files[Place.File].Text).slice(Place.Begin, Place.End);
    Call.From = Text.contains_insensitive("binar") || Text.contains("bins") ? HostCall::Binary
                                                                            : HostCall::Source;
  }
  /// `cl::Buffer b(context, flags, n * sizeof(T))` in a template, or with what did not parse: no
  /// constructor is chosen yet.
  void unresolved(const Expr *E, QualType T, ArrayRef<const Expr *> Args, SourceLocation At) {
    const CXXRecordDecl *R = T.isNull() ? nullptr : T->getAsCXXRecordDecl();
    std::string Name = R ? R->getQualifiedNameAsString() : "";
    if (!is_contained({"cl::Buffer", "cl::Image1D", "cl::Image2D", "cl::Image3D", "cl::Kernel"},
                      StringRef(Name)) ||
        Args.size() < 2 || R->isDependentContext())
      return;
    HostCall &Call = add(Name, E, At);
    Call.IsCpp = true;
    for (const Expr *A : Args)
      Call.Args.push_back(argument(A));
  }
  bool VisitVarDecl(VarDecl *D) {
    const Expr *Init = D->getInit();
    if (const auto *List = dyn_cast_or_null<ParenListExpr>(Init))
      unresolved(List, D->getType(),
                 SmallVector<const Expr *, 8>(const_cast<ParenListExpr *>(List)->getExprs(),
                                              const_cast<ParenListExpr *>(List)->getExprs() +
                                                  List->getNumExprs()),
                 D->getLocation());
    else if (const auto *List = dyn_cast_or_null<InitListExpr>(Init))
      unresolved(List, D->getType(),
                 SmallVector<const Expr *, 8>(List->inits().begin(), List->inits().end()),
                 D->getLocation());
    else if (const auto *Lost = dyn_cast_or_null<RecoveryExpr>(Init)) {
      ArrayRef<const Expr *> Parts = Lost->subExpressions();
      if (const auto *List = Parts.size() == 1 ? dyn_cast<InitListExpr>(Parts[0]) : nullptr)
        Parts = ArrayRef<const Expr *>(List->getInits(), List->getNumInits());
      unresolved(Lost, D->getType(), Parts, D->getLocation());
    }
    if (D->getType()->isRecordType() || D->getType()->isArrayType())
      Strings.sum(D);
    if (!isa<ParmVarDecl>(D) && D->isThisDeclarationADefinition() != VarDecl::DeclarationOnly)
      brokenProgram(D->getInit(), D->getType(), D->getSourceRange(), D->getLocation(),
                    dyn_cast_or_null<FunctionDecl>(D->getParentFunctionOrMethod()));
    return true;
  }
  bool VisitCXXUnresolvedConstructExpr(CXXUnresolvedConstructExpr *E) {
    brokenProgram(E, E->getTypeAsWritten(), E->getSourceRange(), E->getBeginLoc(),
                  Flow.functionOf(E));
    unresolved(E, E->getTypeAsWritten(), SmallVector<const Expr *, 8>(E->arg_begin(), E->arg_end()),
               E->getBeginLoc());
    return true;
  }

  bool VisitBinaryOperator(BinaryOperator *B) {
    // k = clCreateKernel(...)
    if (B->getOpcode() == BO_Assign)
      if (const ValueDecl *D = declOf(B->getLHS()); D && isKernelType(D->getType()))
        ++ApiUses[D];
    return true;
  }

  bool VisitStringLiteral(clang::StringLiteral *S) {
    Strings.literal(S);
    return true;
  }

  bool VisitInitListExpr(InitListExpr *L) {
    Strings.list(L);
    return true;
  }

  void finish() {
    Strings.finish();
    for (auto [Call, E] : zip_equal(M.Calls, Nodes))
      if (E && (Call.MakesKernel || Call.Name == "clCreateKernel" || Call.Name == "cl::Kernel" ||
                Call.Name == "cl::KernelFunctor"))
        if (const Expr *Site = Loops.launchBehind(E, SM))
          Call.LaunchSite = Places.range(Site->getSourceRange());
    for (auto &[Index, D] : KernelOf) {
      HostLaunch &L = M.Launches[Index];
      if (!L.Args.empty() || L.ArgsComplete)
        continue;
      auto At = ArgsOf.find(D);
      if (At == ArgsOf.end())
        continue;
      const SetArgs &Set = At->second;
      // A variable that holds one kernel after another: only what was set on this one.
      for (const auto &[Name, Arg] : Set.List)
        if (Name == L.Kernel)
          L.Args.push_back(Arg);
      const auto *V = dyn_cast<VarDecl>(D);
      L.ArgsComplete = V && V->isLocalVarDecl() && !V->isStaticLocal() && !Set.Unknown &&
                       L.Args.size() == Set.List.size() &&
                       KernelUses.lookup(D) == ApiUses.lookup(D);
    }
    M.MappingRoom = Mapper.room(M.Calls);
    M.HasOpenCL = !M.Calls.empty();
    for (const NamedDecl *D :
         Ctx.getTranslationUnitDecl()->lookup(&Ctx.Idents.get("clGetPlatformIDs")))
      if (const auto *F = dyn_cast<FunctionDecl>(D))
        M.HasHeaders |= F->hasPrototype() && !F->isImplicit();
    SummaryLinker Alone({&M.Summary});
    std::vector<bool> Reached = Alone.reachedBy(0);
    for (HostCall &C : M.Calls) {
      C.Idle = C.Range.File != 0 && C.Outside.Function != ~0u && !Reached[C.Outside.Function];
      M.Summary.LoadsBinaries |= C.From == HostCall::Binary && !C.Idle;
      M.Summary.AsksForUnity |= !C.Idle && any_of(C.Args, [](const HostArgument &A) {
        return is_contained(A.Macros, "CL_DEVICE_HOST_UNIFIED_MEMORY");
      });
      if (C.Outside.Function == ~0u)
        continue;
      CallSummary::Function &F = M.Summary.Functions[C.Outside.Function];
      F.HasCalls = true;
      StringRef Name = StringRef(C.Name).rsplit(':').second;
      if (!C.MakesProgram && (C.From != HostCall::Other || Name.starts_with("clCreateProgram") ||
                              Name == "clBuildProgram"))
        F.Does |= CallSummary::Programs;
      if (StringSwitch<bool>(Name.empty() ? StringRef(C.Name) : Name)
              .Cases("clFinish", "clWaitForEvents", "finish", "wait", "waitForEvents",
                     "WaitForEvents", true)
              .Default(false))
        F.Does |= CallSummary::Waits;
    }
    // Of this file alone; who lints several asks again.
    applyCrossFileFacts(M, Alone.factsOf(0),
                        [&](StringRef File) { return SummaryBuilder.text(File); });
  }

private:
  ASTContext &Ctx;
  SourceManager &SM;
  HostModule &M;
  HostFlow Flow;
  HostValues Known;
  HostLoops Loops;
  CallSummaryBuilder SummaryBuilder{Ctx, Flow, Loops};
  HostMapper Mapper{Ctx, Flow, Known, [this](const Expr *Call) {
                      const Expr *Pointer = nullptr;
                      if (const auto *C = dyn_cast<CallExpr>(Call))
                        Pointer = C->getNumArgs() == 5 ? C->getArg(3) : nullptr;
                      else if (const auto *C = dyn_cast<CXXConstructExpr>(Call))
                        Pointer = C->getNumArgs() >= 4 ? C->getArg(3) : nullptr;
                      return Pointer && pointerDone(Pointer, Call);
                    }};
  HostLocations Places;
  HostStrings Strings;
  HostSizes Sizes;
  HostArguments Arguments{Ctx, Flow, Known};
  HostKernels Kernels{Ctx, Flow, Known};
  HostPrograms Programs{Ctx, Flow, Known};
  std::vector<std::pair<size_t, const ValueDecl *>> KernelOf;
  std::vector<const Expr *> Nodes; ///< of M.Calls
  bool MayUseHostPointer = SM.getBufferData(SM.getMainFileID()).contains("CL_MEM_USE_HOST_PTR");
  struct SetArgs {
    std::vector<std::pair<std::string, HostKernelArg>> List; ///< and the kernel's name there
    bool Unknown = false;                                    ///< an index that is not known
  };
  DenseMap<const ValueDecl *, SetArgs> ArgsOf;
  DenseMap<const ValueDecl *, unsigned> KernelUses, ApiUses; ///< all of them; those by the API

  /// `queue.finish()` of something whose type says nothing, and on which work is enqueued
  /// elsewhere.
  std::string ofQueue(const Expr *E) const {
    StringRef Name = calledName(E);
    const auto *C = dyn_cast<CallExpr>(E);
    const FunctionDecl *F = C && !isa<CXXOperatorCallExpr>(C) ? calleeOf(C) : nullptr;
    return (Name == "finish" || Name == "flush") && !F && Flow.isQueue(calledObject(E))
               ? ("cl::CommandQueue::" + Name).str()
               : "";
  }

  /// pool->createBuffer(data, n, CL_MEM_USE_HOST_PTR): a function of another file that makes a
  /// memory object.
  void wrapper(const Expr *E, ArrayRef<const Expr *> Args) {
    const auto *C = dyn_cast<CallExpr>(E);
    const FunctionDecl *F = C && !isa<CXXOperatorCallExpr>(C) ? calleeOf(C) : nullptr;
    StringRef Name = calledName(E);
    bool Makes = any_of(ArrayRef<StringRef>{"creat", "alloc", "make", "buffer", "image", "wrap"},
                        [&](StringRef Word) { return Name.contains_insensitive(Word); });
    for (StringRef Head : {"has", "is", "get", "check", "print", "to"}) // asks for it
      Makes &= !Name.starts_with(Head);
    if (!MayUseHostPointer || !Makes || (F && F->hasBody()))
      return;
    for (const Expr *A : Args) {
      HostArgument Given;
      std::set<const ValueDecl *> Seen;
      macros(A, Given, Seen);
      if (!is_contained(Given.Macros, "CL_MEM_USE_HOST_PTR"))
        continue;
      HostCall &Call = add(Name, E, E->getExprLoc());
      Call.Args.push_back(argument(A));
      return;
    }
  }

  /// A function of another file that makes a program, or waits for an event.
  void elsewhere(const Expr *E, ArrayRef<const Expr *> Args, SourceLocation At) {
    if (HostCall::Origin From = Programs.madeElsewhere(E, Args); From != HostCall::Other) {
      HostCall &Call = add(calledName(E), E, At);
      Call.From = From;
      Call.MakesProgram = true;
      Call.Outside.Callee = SummaryBuilder.nameOf(E);
      for (const Expr *A : Args)
        Call.Args.push_back(argument(A));
    } else if (Programs.waitsElsewhere(E, Args)) {
      HostCall &Call = add(calledName(E), E, At);
      Call.Waits = true;
      Call.Outside.Callee = SummaryBuilder.nameOf(E);
    }
  }

  HostCall &add(StringRef Name, const Expr *E, SourceLocation At) {
    Nodes.push_back(E);
    HostCall &C = M.Calls.emplace_back();
    C.Name = Name.str();
    C.Range = Places.range(E->getSourceRange());
    C.NameRange = Places.range(clang::SourceRange(At, At));
    const FunctionDecl *F = Flow.functionOf(E);
    // A lambda is a part of the function that it stands in.
    const FunctionDecl *Named = F;
    for (const auto *Call = dyn_cast_or_null<CXXMethodDecl>(Named);
         Call && Call->getParent()->isLambda(); Call = dyn_cast_or_null<CXXMethodDecl>(Named))
      Named = dyn_cast<FunctionDecl>(Call->getParent()->getDeclContext());
    C.Function = Named ? Named->getNameAsString() : "";
    C.FunctionAt = Named ? SM.getFileOffset(SM.getExpansionLoc(Named->getBeginLoc())) : 0;
    auto &Out = C.Outside;
    Out.Function = SummaryBuilder.indexOf(F);
    Out.SettingUp = Name.starts_with("clCreate") || Name == "clBuildProgram" || Name == "build" ||
                    (Name.starts_with("cl::") && !Name.drop_front(4).contains(':'));
    // What is done once for each item is done again where that loop stands in another one.
    bool Again = false, Missing = Out.SettingUp && Loops.whereMissing(E);
    for (const Stmt *Loop : Loops.around(E)) {
      Out.InLoop = true;
      Out.OncePerItem = Missing || (Loops.oncePerItem(E, Loop) && !Loops.givesWork(Loop));
      if ((Again = !Out.OncePerItem))
        break;
    }
    // One that makes a context is an application's start, and one that makes a queue may be it, for
    // one device after the other.
    Out.OnlyQueue = !Again && Loops.onlyMakesQueue(F);
    Out.Climbs = !Again && !Missing && (Out.OnlyQueue || !Loops.setsUp(F));
    Out.WorksAlone = Loops.worksForCallers(F) && !Loops.onlyOnce(E);
    return C;
  }

  static bool isTransfer(StringRef Name) {
    for (StringRef Head : {"clEnqueueRead", "clEnqueueWrite", "clEnqueueMap", "enqueueRead",
                           "enqueueWrite", "enqueueMap"})
      if (Name.starts_with(Head))
        return Name != "enqueueMapSVM";
    return false;
  }

  /// Does a transfer wait? Its flag is the third argument in C, the second of a method.
  bool blocks(ArrayRef<const Expr *> Args, StringRef Name) {
    unsigned Flag;
    if (Name.starts_with("clEnqueueSVMM") || Name.starts_with("enqueueMapSVM"))
      Flag = 1;
    else if (Name.starts_with("clEnqueueRead") || Name.starts_with("clEnqueueWrite") ||
             Name.starts_with("clEnqueueMap"))
      Flag = 2;
    else if (Name.starts_with("enqueueRead") || Name.starts_with("enqueueWrite") ||
             Name.starts_with("enqueueMap"))
      Flag = 1;
    else
      return false;
    if (Flag >= Args.size())
      return false;
    std::optional<int64_t> V = Known.integer(Args[Flag]);
    return V && *V != 0;
  }

  /// Does it wait because every call of the function around it says so?
  bool blocksByCallers(const Expr *E, ArrayRef<const Expr *> Args, StringRef Name) {
    unsigned Flag = Name.starts_with("cl") ? 2 : 1;
    if (!isTransfer(Name) || Flag >= Args.size() ||
        !isa_and_nonnull<ParmVarDecl>(declOf(Args[Flag])))
      return false;
    bool All = true;
    expand(E, [&](const HostFrame *Frame) {
      std::optional<int64_t> V = Frame ? Known.integer(Args[Flag], Frame) : std::nullopt;
      All &= V && *V != 0;
    });
    return All;
  }

  //--- Programs -------------------------------------------------------------

  void buildOptions(const Expr *E, const Expr *Call, bool OnlyOptions) {
    expand(Call, [&](const HostFrame *Frame) {
      std::vector<std::string> Sets = Known.optionSets(E, Frame);
      if (Sets.empty() || (OnlyOptions && !StringRef(Sets.front()).ltrim().starts_with("-")))
        return;
      for (std::string &S : Sets) {
        std::replace(S.begin(), S.end(), '\2', '\1');
        if (!is_contained(M.BuildOptions, S))
          M.BuildOptions.push_back(std::move(S));
      }
    });
  }

  /// cl::Buffer(context, begin, end, readOnly, useHostPtr)
  bool usesHostPointer(const CXXConstructExpr *C) {
    const CXXConstructorDecl *F = C->getConstructor();
    for (unsigned I = 0; I < C->getNumArgs() && I < F->getNumParams(); ++I)
      if (F->getParamDecl(I)->getName() == "useHostPtr" && !isa<CXXDefaultArgExpr>(C->getArg(I))) {
        std::optional<int64_t> V = Known.integer(C->getArg(I));
        return V && *V;
      }
    return false;
  }

  /// Is the variable that Pointer names, a local one, only freed or given to transfers behind Call?
  /// Then the program reads and writes the memory through the API alone.
  bool pointerDone(const Expr *Pointer, const Expr *Call) {
    const Expr *P = Pointer->IgnoreParenCasts();
    if (const auto *Data = dyn_cast<CXXMemberCallExpr>(plain(P))) // v.data()
      P = Data->getImplicitObjectArgument();
    const auto *D = dyn_cast_or_null<VarDecl>(declOf(P));
    const FunctionDecl *F = Flow.functionOf(Call);
    if (!D || !D->isLocalVarDecl() || D->isStaticLocal() || !F || Flow.escapes(D) ||
        Flow.loopAround(Call))
      return false;
    unsigned Here = SM.getFileOffset(SM.getExpansionLoc(Call->getEndLoc()));
    bool Done = true;
    auto Visit = [&](const Stmt *S, bool Allowed, auto &&Self) -> void {
      if (!S)
        return;
      if (const auto *R = dyn_cast<DeclRefExpr>(S); R && declOf(R) == D && !Flow.isInside(R, Call))
        Done &= Allowed || SM.getFileOffset(SM.getExpansionLoc(R->getBeginLoc())) < Here;
      // A copy of the pointer is another way to the memory.
      if (const auto *X = dyn_cast<DeclStmt>(S))
        for (const Decl *One : X->decls())
          if (const auto *V = dyn_cast<VarDecl>(One); V && V != D && V->getInit() &&
                                                      V->getType()->isPointerType() &&
                                                      declOf(V->getInit()->IgnoreParenCasts()) == D)
            Done = false;
      bool Inside = Allowed;
      if (const auto *C = dyn_cast<CallExpr>(S)) {
        const FunctionDecl *Callee = calleeOf(C);
        StringRef Name = Callee && Callee->getDeclName().isIdentifier() ? Callee->getName() : "";
        Inside = Name == "free" || Name.starts_with("clEnqueueRead") ||
                 Name.starts_with("clEnqueueWrite") || Name.starts_with("enqueueRead") ||
                 Name.starts_with("enqueueWrite");
      }
      if (isa<CXXDeleteExpr>(S) || isa<UnaryExprOrTypeTraitExpr>(S))
        Inside = true;
      for (const Stmt *C : S->children())
        Self(C, Inside, Self);
    };
    Visit(F->getBody(), false, Visit);
    return Done;
  }

  //--- Arguments ------------------------------------------------------------

  /// Of a text that is one of several, as a condition or the callers of the function decide: all of
  /// them, one behind the other. \p At: it is an argument there.
  std::optional<std::string> anyOptions(const Expr *E, const Expr *At) {
    const auto *Pointer = E->getType()->getAs<clang::PointerType>();
    if (!(Pointer && Pointer->getPointeeType()->isCharType()) && !E->getType()->isRecordType())
      return std::nullopt;
    if (const auto *C = dyn_cast<ConditionalOperator>(plain(E))) {
      std::optional<std::string> One = Known.options(C->getTrueExpr()),
                                 Other = Known.options(C->getFalseExpr());
      return One && Other ? std::optional(*One + " " + *Other) : std::nullopt;
    }
    std::set<std::string> All;
    bool Every = true;
    expand(At, [&](const HostFrame *Frame) {
      std::optional<std::string> One = Frame ? Known.options(E, Frame) : std::nullopt;
      Every &= One.has_value();
      if (One)
        All.insert(*One);
    });
    return Every ? std::optional(join(All, " ")) : std::nullopt;
  }

  HostArgument argument(const Expr *E) {
    HostArgument A;
    if (!isa<CXXDefaultArgExpr>(E))
      A.Range = Places.range(E->getSourceRange());
    A.Text = StringRef(M.Files[A.Range.File].Text).slice(A.Range.Begin, A.Range.End).str();
    A.Value = Known.integer(E);
    auto IsWhole = [&] { return A.Options && !StringRef(*A.Options).contains('\2'); };
    A.Options = Known.options(E);
    bool IsOne = IsWhole();
    if (!IsOne)
      A.Options = anyOptions(E, E);
    if (!IsWhole())
      A.Options = std::nullopt;
    if (IsOne && !StringRef(*A.Options).contains('\1'))
      A.String = A.Options;
    A.Type = E->getType().getAsString(Ctx.getPrintingPolicy());
    A.IsNull = Known.isNull(E, nullptr);
    std::set<const ValueDecl *> Seen;
    macros(E, A, Seen);
    return A;
  }

  /// Every macro that was expanded below E; variables are followed to what they were given.
  void macros(const Stmt *S, HostArgument &A, std::set<const ValueDecl *> &Seen) {
    if (!S)
      return;
    for (SourceLocation L = S->getBeginLoc(); L.isMacroID();) {
      std::string Name = Lexer::getImmediateMacroName(L, SM, Ctx.getLangOpts()).str();
      SourceLocation Up = SM.getImmediateMacroCallerLoc(L);
      if (!is_contained(A.Macros, Name))
        A.Macros.push_back(Name);
      if (!Up.isMacroID() && SM.getFileID(Up) == SM.getMainFileID()) {
        SourceRange R = Places.range(clang::SourceRange(Up, Up));
        bool Known = any_of(A.MacroPlaces, [&](const auto &P) {
          return P.first == Name && P.second.Begin == R.Begin;
        });
        if (!Known && StringRef(M.Files[R.File].Text).slice(R.Begin, R.End) == Name)
          A.MacroPlaces.emplace_back(Name, R);
      }
      L = Up;
    }
    if (const auto *R = dyn_cast<DeclRefExpr>(S))
      follow(R->getDecl(), A, Seen);
    else if (const auto *Mem = dyn_cast<MemberExpr>(S))
      follow(Mem->getMemberDecl(), A, Seen);
    for (const Stmt *Child : S->children())
      macros(Child, A, Seen);
  }

  void follow(const ValueDecl *D, HostArgument &A, std::set<const ValueDecl *> &Seen) {
    if (!D)
      return;
    D = cast<ValueDecl>(D->getCanonicalDecl());
    if (!Seen.insert(D).second)
      return;
    if (const auto *P = dyn_cast<ParmVarDecl>(D);
        P && D->getType()->isIntegralOrEnumerationType()) {
      const auto *F = dyn_cast<FunctionDecl>(P->getDeclContext());
      size_t Before = A.Macros.size();
      for (const CallExpr *C : F ? Flow.callsOf(F) : ArrayRef<const CallExpr *>())
        if (P->getFunctionScopeIndex() < C->getNumArgs() && !isa<CXXOperatorCallExpr>(C))
          macros(C->getArg(P->getFunctionScopeIndex()), A, Seen);
      A.FromCallers |= A.Macros.size() != Before;
    }
    // The flags of integers; following everything would wander through the whole program.
    if (!D->getType()->isIntegralOrEnumerationType())
      return;
    for (const HostWrite &W : Flow.writes(D))
      if (W.Value)
        macros(W.Value, A, Seen);
  }

  //--- Arguments of kernels -------------------------------------------------

  void setArg(const Expr *Kernel, const Expr *Index, const Expr *Size, const Expr *Value,
              const Expr *Call) {
    const ValueDecl *D = declOf(Kernel);
    if (!D)
      return;
    SetArgs &Set = ArgsOf[D];
    std::optional<int64_t> At = Known.integer(Index);
    if (!At || *At < 0 || *At > 1024) {
      Set.Unknown = true;
      return;
    }
    HostKernelArg A;
    A.Index = *At;
    A.Range = Places.range(Call->getSourceRange());
    A.File = M.Files[A.Range.File].Name;
    if (Size)
      Arguments.bytes(Size, Value, A);
    else
      Arguments.object(Value, A);
    Set.List.emplace_back(Kernels.name(Kernel, nullptr).value_or(""), std::move(A));
  }

  /// The function that S stands in, under each call of it that the file shows: Then is called for
  /// each, once without a frame where there is none.
  void expand(const Stmt *S, const std::function<void(const HostFrame *)> &Then) {
    unsigned Left = 24;
    expand(Flow.functionOf(S), Then, 0, Left);
  }
  void expand(const FunctionDecl *F, const std::function<void(const HostFrame *)> &Then,
              unsigned Depth, unsigned &Left) {
    bool Any = false;
    if (Depth < 3 && F && F->getNumParams() && !F->isVariadic())
      for (const CallExpr *C : Flow.callsOf(F)) {
        unsigned First = isa<CXXOperatorCallExpr>(C) && isa<CXXMethodDecl>(F) ? 1 : 0;
        const FunctionDecl *Caller = Flow.functionOf(C);
        if (C->getNumArgs() != F->getNumParams() + First || Caller == F || !Left)
          continue;
        --Left;
        Any = true;
        SmallVector<const Expr *, 8> Args(C->arg_begin() + First, C->arg_end());
        expand(
            Caller,
            [&](const HostFrame *Up) {
              HostFrame Frame{F, C, Args, Up};
              Then(&Frame);
            },
            Depth + 1, Left);
      }
    if (!Any)
      Then(nullptr);
  }

  /// The variable that holds the kernel: of a parameter, what the caller gave.
  const ValueDecl *kernelVariable(const Expr *E, const HostFrame *Frame) {
    const ValueDecl *D = declOf(E);
    while (const auto *P = dyn_cast_or_null<ParmVarDecl>(D)) {
      const HostFrame *At = Frame;
      while (At && P->getDeclContext() != At->Callee)
        At = At->Up;
      const ValueDecl *Given = At && P->getFunctionScopeIndex() < At->Args.size()
                                   ? declOf(At->Args[P->getFunctionScopeIndex()])
                                   : nullptr;
      if (!Given || ArgsOf.count(D))
        break;
      D = Given;
      Frame = At->Up;
    }
    return D;
  }

  static bool sameSizes(const HostLaunch &A, const HostLaunch &B) {
    return A.Kernel == B.Kernel && A.Dims == B.Dims && A.Global == B.Global && A.Local == B.Local &&
           A.LocalIsNull == B.LocalIsNull && A.GlobalByDefault == B.GlobalByDefault &&
           A.LocalByDefault == B.LocalByDefault;
  }

  /// The largest of what sizes may be that are not one number.
  void largest(const Expr *C, HostLaunch &L, const HostLaunch &Plain,
               function_ref<void(HostLaunch &)> SetSizes) {
    auto Open = [&](const auto &Sizes) {
      return any_of(ArrayRef(Sizes).take_front(L.Dims), [](const auto &S) { return !S; });
    };
    if (!Open(L.Global) && (L.LocalIsNull || !Open(L.Local)))
      return;
    {
      HostValues::Largest Now(Known);
      HostLaunch Most = Plain;
      SetSizes(Most);
      for (unsigned D = 0; D < L.Dims; ++D) {
        L.GlobalAtMost[D] = L.Global[D] ? L.Global[D] : Most.Global[D];
        L.LocalAtMost[D] = L.Local[D] ? L.Local[D] : Most.Local[D];
      }
    }
    // Each round of a loop has another size.
    for (const Stmt *Loop = Flow.loopAround(C); Loop && Open(L.GlobalAtMost);
         Loop = Flow.loopAround(Loop)) {
      HostSizes::Rounds R = Sizes.rounds(Loop);
      std::array<std::optional<uint64_t>, 3> Most = L.Global;
      for (int64_t Round : R.Values) {
        HostValues::InRound Now(Known, R.Of, Round);
        HostLaunch One = Plain;
        SetSizes(One);
        for (unsigned D = 0; D < L.Dims; ++D)
          if (!L.Global[D])
            Most[D] = Round != R.Values.front() && !Most[D] ? std::nullopt
                      : One.Global[D]                       ? std::max(Most[D], One.Global[D])
                                                            : std::nullopt;
      }
      if (!Open(Most))
        L.GlobalAtMost = Most;
    }
  }

  /// One launch, or where the function around it is given kernel or sizes, one for each call of it.
  template <typename Function>
  void launch(const Expr *C, const Expr *KernelExpr, Function SetSizes) {
    HostLaunch Plain;
    Plain.Range = Places.range(C->getSourceRange());
    Plain.File = M.Files[Plain.Range.File].Name;
    Plain.Line =
        StringRef(M.Files[Plain.Range.File].Text).take_front(Plain.Range.Begin).count('\n') + 1;
    Plain.InLoop = Flow.loopAround(C) != nullptr;
    std::vector<HostLaunch> Made;
    std::vector<const ValueDecl *> Holders; ///< the variable that holds each one's kernel
    auto Under = [&](const HostFrame *Frame) {
      HostLaunch L = Plain;
      L.Kernel = Kernels.name(KernelExpr, Frame).value_or("");
      SetSizes(L, Frame);
      largest(C, L, Plain, [&](HostLaunch &To) { SetSizes(To, Frame); });
      if (Frame)
        L.Site = Places.range(Frame->Site->getSourceRange());
      const ValueDecl *D = kernelVariable(KernelExpr, Frame);
      for (size_t I = 0; I < Made.size(); ++I)
        if (sameSizes(Made[I], L) && Holders[I] == D)
          return;
      Made.push_back(std::move(L));
      Holders.push_back(D);
    };
    // What is the same for all calls needs none of them.
    HostLaunch Alone = Plain;
    Alone.Kernel = Kernels.name(KernelExpr, nullptr).value_or("");
    SetSizes(Alone, nullptr);
    largest(C, Alone, Plain, [&](HostLaunch &To) { SetSizes(To, nullptr); });
    expand(C, Under);
    bool Same = Made.size() == 1 && sameSizes(Made.front(), Alone);
    if (Same)
      Made.assign(1, std::move(Alone));
    // A call of which nothing is known says no more than the launch alone.
    bool AnyKnown = any_of(Made, [](const HostLaunch &L) {
      return !L.Kernel.empty() || L.Global[0] || L.Local[0] || L.LocalIsNull || L.GlobalAtMost[0] ||
             L.LocalAtMost[0];
    });
    if (!AnyKnown)
      Made.resize(1);
    for (size_t I = 0; I < Made.size(); ++I) {
      if (Holders[I])
        KernelOf.emplace_back(M.Launches.size(), Holders[I]);
      M.Launches.push_back(std::move(Made[I]));
    }
  }
};

} // namespace

std::unique_ptr<HostModule> liftHost(ASTContext &Ctx) {
  auto M = std::make_unique<HostModule>();
  HostLifter L(Ctx, *M);
  for (Decl *D : Ctx.getTraversalScope())
    L.TraverseDecl(D);
  L.finish();
  return M;
}

} // namespace clmali::model
