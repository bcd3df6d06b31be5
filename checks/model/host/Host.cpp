//===-- checks/model/host/Host.cpp - From a host program's AST to its calls ----===//
//
// The first pass collects the writes to variables (Flow.h); the second visits calls, constructors
// and string literals, and evaluates their arguments with them.
//
//===----------------------------------------------------------------------===//

#include "checks/model/host/Host.h"
#include "checks/model/frontend/AstVisitor.h"
#include "checks/model/host/Api.h"
#include "checks/model/host/ArgumentReader.h"
#include "checks/model/host/Launches.h"
#include "checks/model/host/loops/Loops.h"
#include "checks/model/host/mapping/LoopBuffers.h"
#include "checks/model/host/mapping/Mapping.h"
#include "checks/model/host/summary/CallSummaryBuilder.h"
#include "checks/model/host/values/KernelStrings.h"
#include "checks/model/host/values/Programs.h"
#include "checks/model/host/values/Transfers.h"
#include "clang/AST/ASTContext.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace clang;
using namespace llvm;

namespace clmali::model {
namespace {

// The model has classes of these names, too.
using clang::Expr;
using clang::Stmt;

class HostLifter : public AstVisitor {
public:
  HostLifter(ASTContext &Ctx, HostModule &M)
      : Ctx(Ctx), SM(Ctx.getSourceManager()), M(M), Flow(Ctx), Known(Ctx, Flow), Loops(Flow),
        Passes(Ctx, Flow, Loops), Locations(Ctx, M), Strings(Ctx, M, Locations, Flow, Known),
        Sizes(Locations, Flow, Known) {
    Locations.fileIndex(SM.getMainFileID());
    // clangd narrows the scope to what does not come from its precompiled preamble.
    for (Decl *D : Ctx.getTraversalScope())
      Flow.collect(D);
    SummaryBuilder.begin(M.Summary);
  }

  /// Skips system headers and copies of the bindings: most of the time would be spent there.
  bool enters(Decl *D) override { return mayHoldUsers(D, SM); }
  void visit(Decl *D) override {
    if (auto *V = dyn_cast<VarDecl>(D))
      lift(V);
  }
  void visit(Stmt *S) override {
    if (auto *C = dyn_cast<CallExpr>(S))
      lift(C);
    if (auto *C = dyn_cast<CXXOperatorCallExpr>(S))
      liftOperator(C);
    if (auto *R = dyn_cast<RecoveryExpr>(S))
      lift(R);
    if (auto *R = dyn_cast<DeclRefExpr>(S))
      lift(R);
    if (auto *C = dyn_cast<CXXConstructExpr>(S))
      lift(C);
    if (auto *C = dyn_cast<CXXUnresolvedConstructExpr>(S))
      lift(C);
    if (auto *B = dyn_cast<BinaryOperator>(S))
      lift(B);
    if (auto *L = dyn_cast<clang::StringLiteral>(S))
      Strings.literal(L);
    if (auto *L = dyn_cast<InitListExpr>(S))
      Strings.list(L);
  }

  void lift(CallExpr *C) {
    const FunctionDecl *F = calleeOf(C);
    // A functor of unknown class, because its initialiser did not parse.
    if (!F && C->getNumArgs() && isEnqueueArgs(C->getArg(0)->getType())) {
      HostCall &Call = add("cl::KernelFunctor::operator()", C, C->getExprLoc());
      Call.IsCpp = true;
      Launches.add(C, C->getCallee(), [=, this](HostLaunch &L, const HostFrame *Frame) {
        Sizes.enqueueArgs(C->getArg(0), L, Frame);
      });
    } else if (!F && !isa<CXXOperatorCallExpr>(C) && isBoundFunctor(C->getCallee()->getType())) {
      // A functor of the first bindings, with arguments of unknown type.
      HostCall &Call = add("cl::KernelFunctor::operator()", C, C->getExprLoc());
      Call.IsCpp = true;
      Launches.add(C, C->getCallee(), [=, this](HostLaunch &L, const HostFrame *Frame) {
        Sizes.enqueueArgs(C->getCallee(), L, Frame);
      });
    }
    if (isa<CXXOperatorCallExpr>(C)) {
      // A function pointer of unknown class: x(a, b) is an operator call.
      if (cast<CXXOperatorCallExpr>(C)->getOperator() == OO_Call && C->getNumArgs())
        call(C, C->getArg(0), SmallVector<const Expr *, 8>(C->arg_begin() + 1, C->arg_end()),
             nullptr);
      return;
    }
    call(C, C->getCallee(), SmallVector<const Expr *, 8>(C->arg_begin(), C->arg_end()), C);
  }

  /// A call whose arguments do not fit, or did not parse.
  void lift(RecoveryExpr *R) {
    ArrayRef<Expr *> Parts = R->subExpressions();
    if (!Parts.empty() &&
        isa<DeclRefExpr, MemberExpr, OverloadExpr>(Parts[0]->IgnoreParenImpCasts()))
      call(R, Parts[0], SmallVector<const Expr *, 8>(Parts.begin() + 1, Parts.end()), nullptr);
  }

  /// The location of the name that is called.
  static SourceLocation nameLocation(const Expr *E, const Expr *Callee) {
    const Expr *X = Callee->IgnoreParenImpCasts();
    if (const auto *M = dyn_cast<MemberExpr>(X))
      return M->getMemberLoc();
    if (const auto *M = dyn_cast<CXXDependentScopeMemberExpr>(X))
      return M->getMemberLoc();
    if (const auto *O = dyn_cast<OverloadExpr>(X))
      return O->getNameLoc();
    return E->getExprLoc();
  }

  /// E calls Callee. C: E, if it is a CallExpr.
  void call(const Expr *E, const Expr *Callee, ArrayRef<const Expr *> Args, const CallExpr *C) {
    const Expr *Object = nullptr;
    SourceLocation At = nameLocation(E, Callee);
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
    // Without parentheses it is no call.
    if (!C && Args.empty() && Name != "finish")
      return;
    bool IsMember = isa_and_nonnull<CXXMemberCallExpr>(C) || Object;
    for (const Expr *A : Args) {
      // clCreateKernelsInProgram and similar functions write it: the kernel is not known then.
      if (const ValueDecl *D = declOf(A); D && isKernelType(D->getType()))
        Launches.addApiUse(D);
    }
    if (const ValueDecl *D = declOf(Object); D && isKernelType(D->getType()))
      Launches.addApiUse(D);
    HostCall &Call = add(Full, E, At);
    Call.IsCpp = IsMember || Full.rfind("cl::", 0) == 0;
    for (const Expr *A : Args)
      Call.Args.push_back(Reader.argument(A));
    if (StringRef Gl = glName(Name); !Gl.empty()) {
      if (glEffect(Gl) & GlTargets)
        Call.Gl.DrawsUncleared = Passes.drawsUncleared(E);
      Call.Gl.HostMemory = !Args.empty() && Passes.isHostMemory(Args.back());
      // Width and height of glTexImage2D and glTexStorage2D.
      Call.Gl.SizeVaries = Args.size() >= 5 && any_of(Args.slice(3, 2), [&](const Expr *A) {
                             return !Known.integer(A) && Passes.variesInLoop(A, E);
                           });
      return;
    }
    Call.Blocking = blocks(Args, Name, Known);
    if (C && calleeOf(C))
      Mapper.describe(C, Name, Call);
    Call.Blocking |= blocksByCallers(E, Args, Name, Flow, Known);
    Buffers.transfer(Name, Args, Call);
    maps(Name, Args, E, IsMember, Call);
    if (Name.starts_with("clCreateBuffer"))
      Call.ReleasedHere = Buffers.isReleasedHere(E);
    if (Full == "clCreateBuffer" && Args.size() == 5) {
      Call.PointerDone = isOnlyTransferredAfter(Args[3], E, Flow, SM);
      if (C)
        Call.LoopBuffer = loopBuffer(C, Ctx, Flow, Known);
    }
    if (Full == "clCreateProgramWithSource" && Args.size() > 2 && Known.integer(Args[1]) == 1)
      if (const auto *U = dyn_cast<clang::UnaryOperator>(Args[2]->IgnoreParenCasts());
          U && U->getOpcode() == UO_AddrOf)
        Call.Args[2].String = Known.string(U->getSubExpr());
    if (Name.starts_with("clCreateProgramWith"))
      Call.From = Name == "clCreateProgramWithSource"   ? HostCall::Source
                  : Name == "clCreateProgramWithBinary" ? HostCall::Binary
                                                        : HostCall::Other;
    if (Full == "clSetKernelArg" && Args.size() == 4)
      Launches.setArg(Args[0], Args[1], Args[2], Args[3], E);
    else if (Full == "cl::Kernel::setArg" && IsMember && Args.size() >= 2)
      Launches.setArg(Object, Args[0], Args.size() == 3 ? Args[1] : nullptr, Args.back(), E);
    addLaunch(Full, Name, E, Args);
    if ((Full == "clBuildProgram" || Full == "clCompileProgram") && Args.size() > 3) {
      buildOptions(Args[3], E, false);
      Call.From = Programs.madeOf(Args[0]);
    } else if (Name == "build" && IsMember) {
      if (Object)
        Call.From = Programs.madeOf(Object);
      for (const Expr *A : Args)
        buildOptions(A, E, true);
    }
  }

  /// The launch of a call that enqueues a kernel.
  void addLaunch(StringRef Full, StringRef Name, const Expr *E, ArrayRef<const Expr *> Args) {
    if (Full == "clEnqueueNDRangeKernel" && Args.size() >= 6)
      Launches.add(
          E, Args[1],
          [this, Dims = Args[2], Global = Args[4], Local = Args[5]](HostLaunch &L,
                                                                    const HostFrame *Frame) {
            Sizes.sizesC(Dims, Global, Local, L, Frame);
          },
          Args[5]);
    else if (Name == "enqueueNDRangeKernel" && Args.size() >= 3)
      Launches.add(
          E, Args[0],
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
          },
          Args.size() > 3 ? Args[3] : nullptr);
    else if ((Full == "clEnqueueTask" && Args.size() > 1) ||
             (Name == "enqueueTask" && !Args.empty()))
      Launches.add(E, Args[Full == "clEnqueueTask" ? 1 : 0],
                   [=, this](HostLaunch &L, const HostFrame *) {
                     L.Dims = 1;
                     L.Global[0] = 1;
                     L.GlobalRange[0] = Locations.range(E->getSourceRange());
                   });
  }

  /// The last argument of \p C is the variable for the error, and no argument of the kernel.
  static bool takesError(const CXXOperatorCallExpr *C) {
    const auto *F = dyn_cast_or_null<CXXMethodDecl>(C->getCalleeDecl());
    if (!F || F->getNumParams() + 1 != C->getNumArgs() || F->getNumParams() == 0)
      return false;
    QualType T = F->getParamDecl(F->getNumParams() - 1)->getType();
    return T->isLValueReferenceType() && !T->getPointeeType().isConstQualified() &&
           T->getPointeeType()->isIntegerType();
  }

  /// functor(cl::EnqueueArgs(queue, global, local), a, b)
  void liftOperator(CXXOperatorCallExpr *C) {
    if (C->getOperator() == OO_Plus && C->getNumArgs() == 2 && C->getType()->isRecordType())
      Strings.sum(C);
    bool Bound = isBoundFunctorCall(C);
    if (!Bound && !isFunctorCall(C))
      return;
    HostCall &Call = add("cl::KernelFunctor::operator()", C, C->getExprLoc());
    Call.IsCpp = true;
    Launches.add(C, C->getArg(0), [=, this](HostLaunch &L, const HostFrame *Frame) {
      const unsigned First = Bound ? 1 : 2;
      Sizes.enqueueArgs(C->getArg(First - 1), L, Frame);
      const unsigned End = C->getNumArgs() - (!Bound && takesError(C));
      for (unsigned I = First; I < End; ++I) {
        if (isa<CXXDefaultArgExpr>(C->getArg(I)))
          continue;
        HostKernelArg A;
        A.Index = I - First;
        A.Range = Locations.range(C->getArg(I)->getSourceRange());
        A.File = M.Files[A.Range.File].Name;
        // A functor converts the arguments to its types; the first functors did not.
        const Expr *Given = C->getArg(I);
        if (!Bound && Given->getType()->isArithmeticType())
          Arguments.number(Given->getType(), A);
        else
          Arguments.object(Given, A);
        if (A.K == HostKernelArg::Memory)
          Buffers.argument(Given, A);
        L.Args.push_back(std::move(A));
      }
      L.ArgsComplete = true;
    });
  }

  /// A kernel that is used other than by the API may have arguments that are not known here.
  void lift(DeclRefExpr *R) {
    const auto *V = dyn_cast<VarDecl>(R->getDecl());
    if (!V || !isKernelType(V->getType()))
      return;
    Launches.addUse(cast<ValueDecl>(V->getCanonicalDecl()));
  }

  void lift(CXXConstructExpr *C) {
    const CXXRecordDecl *R = C->getConstructor()->getParent();
    if (C->isElidable() || C->getConstructor()->isCopyOrMoveConstructor())
      return;
    std::string Qualified = R->getQualifiedNameAsString();
    if (!StringRef(Qualified).starts_with("cl::") || C->getNumArgs() == 0)
      return;
    bool Functor = isFunctor(R);
    if (!Functor && !is_contained({"cl::Buffer", "cl::Image1D", "cl::Image2D", "cl::Image3D",
                                   "cl::Program", "cl::Kernel", "cl::Context", "cl::CommandQueue"},
                                  StringRef(Qualified)))
      return;
    // A functor of an existing kernel creates none.
    if (Functor && isKernelType(C->getArg(0)->getType()))
      return;
    // cl::Kernel k(handle) creates none.
    if (Qualified == "cl::Kernel" && (C->getNumArgs() < 2 || isa<CXXDefaultArgExpr>(C->getArg(1))))
      return;
    HostCall &Call = add(Functor ? "cl::KernelFunctor" : Qualified, C, C->getLocation());
    Call.IsCpp = true;
    for (const Expr *A : C->arguments())
      if (!isa<CXXDefaultArgExpr>(A))
        Call.Args.push_back(Reader.argument(A));
    if (Qualified == "cl::Program")
      Call.From = Programs.madeBy(C);
    if (Qualified == "cl::Buffer")
      Call.ReleasedHere = Buffers.isReleasedHere(C);
    if (Qualified == "cl::Buffer" && C->getNumArgs() >= 4)
      Call.PointerDone = isOnlyTransferredAfter(C->getArg(3), C, Flow, SM);
    if (Qualified == "cl::Buffer" && usesHostPointer(C, Known))
      Call.Args.back().Macros.push_back("CL_MEM_USE_HOST_PTR");
  }

  /// A program with an initialiser that did not parse: of source, unless the text has a word for
  /// binaries.
  void brokenProgram(const Expr *E, QualType T, clang::SourceRange Written, SourceLocation At,
                     const FunctionDecl *F) {
    const CXXRecordDecl *R = T->getAsCXXRecordDecl();
    if ((E && !E->containsErrors()) || !R || R->getQualifiedNameAsString() != "cl::Program")
      return;
    SourceRange Range = Locations.range(Written);
    HostCall &Call = M.Calls.emplace_back();
    Nodes.push_back(nullptr);
    Call.Name = "cl::Program";
    Call.Function = F ? F->getNameAsString() : "";
    Call.InThisFile.Function = SummaryBuilder.indexOf(F);
    Call.FunctionAt = F ? SM.getFileOffset(SM.getExpansionLoc(F->getBeginLoc())) : 0;
    Call.Range = Range;
    Call.NameRange = Locations.range(clang::SourceRange(At, At));
    Call.IsCpp = true;
    StringRef Text = StringRef(M.Files[Range.File].Text).slice(Range.Begin, Range.End);
    Call.From = Text.contains_insensitive("binar") || Text.contains("bins") ? HostCall::Binary
                                                                            : HostCall::Source;
  }
  /// `cl::Buffer b(context, flags, n * sizeof(T))` in a template, or with arguments that did not
  /// parse: no constructor is chosen.
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
      Call.Args.push_back(Reader.argument(A));
  }
  void lift(VarDecl *D) {
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
  }
  void lift(CXXUnresolvedConstructExpr *E) {
    brokenProgram(E, E->getTypeAsWritten(), E->getSourceRange(), E->getBeginLoc(),
                  Flow.functionOf(E));
    unresolved(E, E->getTypeAsWritten(), SmallVector<const Expr *, 8>(E->arg_begin(), E->arg_end()),
               E->getBeginLoc());
  }

  void lift(BinaryOperator *B) {
    // k = clCreateKernel(...)
    if (B->getOpcode() == BO_Assign)
      if (const ValueDecl *D = declOf(B->getLHS()); D && isKernelType(D->getType()))
        Launches.addApiUse(D);
  }

  /// What is mapped, and whether the pitch of an image's rows is ignored.
  void maps(StringRef Name, ArrayRef<const Expr *> Args, const Expr *E, bool IsMember,
            HostCall &Call) {
    if (!Name.ends_with("nqueueMapBuffer") && !Name.ends_with("nqueueMapImage"))
      return;
    if (const unsigned Object = Name.starts_with("cl"); Object < Args.size())
      Call.Mapped = variableNumber(Args[Object]);
    if (Name.ends_with("Image"))
      Call.PitchIgnored = Buffers.ignoresPitch(E, Args, IsMember);
  }

  void finish() {
    Strings.finish();
    for (auto [Call, E] : zip_equal(M.Calls, Nodes)) {
      const bool Makes = Call.MakesKernel || Call.Name == "clCreateKernel" ||
                         Call.Name == "cl::Kernel" || Call.Name == "cl::KernelFunctor";
      if (const Stmt *Site = !E || !(Makes || Call.Mapped) ? nullptr
                             : Call.Mapped                 ? Loops.launchBehind(E)
                                                           : Loops.launchAfter(E, SM))
        Call.LaunchSite = Locations.range(Site->getSourceRange());
    }
    Launches.finish();
    M.MappingRoom = Mapper.room(M.Calls);
    M.HasOpenCL = !M.Calls.empty();
    for (const NamedDecl *D :
         Ctx.getTranslationUnitDecl()->lookup(&Ctx.Idents.get("clGetPlatformIDs")))
      if (const auto *F = dyn_cast<FunctionDecl>(D))
        M.HasHeaders |= F->hasPrototype() && !F->isImplicit();
    SummaryLinker Alone({&M.Summary});
    std::vector<bool> Reached = Alone.reachedBy(0);
    for (HostCall &C : M.Calls) {
      C.Idle = C.Range.File != 0 && C.InThisFile.Function != ~0u && !Reached[C.InThisFile.Function];
      M.Summary.LoadsBinaries |= C.From == HostCall::Binary && !C.Idle;
      M.Summary.AsksForUnity |= !C.Idle && any_of(C.Args, [](const HostArgument &A) {
        return is_contained(A.Macros, "CL_DEVICE_HOST_UNIFIED_MEMORY");
      });
      if (C.InThisFile.Function == ~0u)
        continue;
      CallSummary::Function &F = M.Summary.Functions[C.InThisFile.Function];
      F.HasCalls = true;
      StringRef Name = StringRef(C.Name).rsplit(':').second;
      if (!C.MakesProgram && (C.From != HostCall::Other || Name.starts_with("clCreateProgram") ||
                              Name == "clBuildProgram"))
        F.Effects |= CallSummary::MakesPrograms;
      if (StringSwitch<bool>(Name.empty() ? StringRef(C.Name) : Name)
              .Cases("clFinish", "clWaitForEvents", "finish", "wait", "waitForEvents",
                     "WaitForEvents", true)
              .Default(false))
        F.Effects |= CallSummary::WaitsForGpu;
    }
    // The facts of this file alone; with several files they are applied again.
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
  HostPasses Passes;
  CallSummaryBuilder SummaryBuilder{Ctx, Flow, Loops, Passes};
  HostMapper Mapper{Ctx, Flow, Known, [this](const Expr *Call) {
                      const Expr *Pointer = nullptr;
                      if (const auto *C = dyn_cast<CallExpr>(Call))
                        Pointer = C->getNumArgs() == 5 ? C->getArg(3) : nullptr;
                      else if (const auto *C = dyn_cast<CXXConstructExpr>(Call))
                        Pointer = C->getNumArgs() >= 4 ? C->getArg(3) : nullptr;
                      return Pointer && isOnlyTransferredAfter(Pointer, Call, Flow, SM);
                    }};
  HostLocations Locations;
  HostStrings Strings;
  HostSizes Sizes;
  HostArguments Arguments{Ctx, Flow, Known};
  HostKernels Kernels{Ctx, Flow, Known};
  HostBuffers Buffers{Locations, Flow, Known};
  HostPrograms Programs{Ctx, Flow, Known};
  ArgumentReader Reader{Ctx, M, Locations, Flow, Known};
  LaunchCollector Launches{M, Ctx, Locations, Flow, Known, Kernels, Sizes, Arguments, Buffers};
  std::vector<const Expr *> Nodes; ///< of M.Calls
  bool MayUseHostPointer = SM.getBufferData(SM.getMainFileID()).contains("CL_MEM_USE_HOST_PTR");

  /// `queue.finish()` of an object of unknown type, if the file enqueues work on it; else empty.
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
    for (StringRef Head : {"has", "is", "get", "check", "print", "to"}) // a query
      Makes &= !Name.starts_with(Head);
    if (!MayUseHostPointer || !Makes || (F && F->hasBody()))
      return;
    for (const Expr *A : Args) {
      if (!is_contained(Reader.macrosOf(A), "CL_MEM_USE_HOST_PTR"))
        continue;
      HostCall &Call = add(Name, E, E->getExprLoc());
      Call.Args.push_back(Reader.argument(A));
      return;
    }
  }

  /// A function of another file that makes a program, or waits for an event.
  void elsewhere(const Expr *E, ArrayRef<const Expr *> Args, SourceLocation At) {
    for (const Expr *A : isNamedLikeProgramMaker(calledName(E)) ? Args : ArrayRef<const Expr *>())
      buildOptions(A, E, true);
    if (HostCall::Origin From = Programs.madeElsewhere(E, Args); From != HostCall::Other) {
      HostCall &Call = add(calledName(E), E, At);
      Call.From = From;
      Call.MakesProgram = true;
      Call.InThisFile.Callee = SummaryBuilder.nameOf(E);
      for (const Expr *A : Args)
        Call.Args.push_back(Reader.argument(A));
    } else if (Programs.waitsElsewhere(E, Args)) {
      HostCall &Call = add(calledName(E), E, At);
      Call.Waits = true;
      Call.InThisFile.Callee = SummaryBuilder.nameOf(E);
    }
  }

  HostCall &add(StringRef Name, const Expr *E, SourceLocation At) {
    Nodes.push_back(E);
    HostCall &C = M.Calls.emplace_back();
    C.Name = Name.str();
    C.Range = Locations.range(E->getSourceRange());
    C.NameRange = Locations.range(clang::SourceRange(At, At));
    const FunctionDecl *F = Flow.functionOf(E);
    // A lambda is part of the function around it.
    const FunctionDecl *Named = F;
    for (const auto *Call = dyn_cast_or_null<CXXMethodDecl>(Named);
         Call && Call->getParent()->isLambda(); Call = dyn_cast_or_null<CXXMethodDecl>(Named))
      Named = dyn_cast<FunctionDecl>(Call->getParent()->getDeclContext());
    C.Function = Named ? Named->getNameAsString() : "";
    C.FunctionAt = Named ? SM.getFileOffset(SM.getExpansionLoc(Named->getBeginLoc())) : 0;
    auto &Out = C.InThisFile;
    bool Gl = !glName(Name).empty();
    Out.IsGl = Gl;
    Out.GlLoop = Gl ? Passes.ofLoops(E) : 0;
    Out.GlAround = Gl ? Passes.around(E) : 0;
    Out.Function = SummaryBuilder.indexOf(F);
    Out.IsSetup = (Gl && (Name.starts_with("glTex") || Name == "glGenTextures")) ||
                  Name.starts_with("clCreate") || Name == "clBuildProgram" || Name == "build" ||
                  (Name.starts_with("cl::") && !Name.drop_front(4).contains(':'));
    // Once per item in the inner loop is repeated work in an outer loop.
    bool Again = false, Missing = Out.IsSetup && Loops.whereMissing(E);
    bool Static = Loops.oncePerProcess(E);
    for (const Stmt *Loop : Static ? decltype(Loops.around(E))() : Loops.around(E)) {
      Out.InLoop = true;
      Out.OncePerItem = Missing || (Loops.oncePerItem(E, Loop) && !Loops.enqueuesWork(Loop));
      if ((Again = !Out.OncePerItem))
        break;
    }
    C.Trips = Sizes.trips(Loops.around(E));
    // A function that makes a context is the start of an application; one that makes a queue may be
    // called for each device.
    Out.OnlyQueue = !Again && Loops.onlyMakesQueue(F);
    Out.DependsOnCallers =
        (!Again || Gl) && !Missing && !Static && (Out.OnlyQueue || !Loops.makesContextOrQueue(F));
    Out.WorksForCallers =
        (Gl ? Passes.worksForCallers(F) : Loops.worksForCallers(F)) && !Loops.onlyOnce(E);
    return C;
  }

  //--- Programs -------------------------------------------------------------

  void buildOptions(const Expr *E, const Expr *Call, bool OnlyOptions) {
    forEachFrame(Flow, Call, [&](const HostFrame *Frame) {
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
};

} // namespace

std::unique_ptr<HostModule> liftHost(ASTContext &Ctx) {
  auto M = std::make_unique<HostModule>();
  HostLifter L(Ctx, *M);
  for (Decl *D : Ctx.getTraversalScope())
    L.traverse(D);
  L.finish();
  return M;
}

} // namespace clmali::model
