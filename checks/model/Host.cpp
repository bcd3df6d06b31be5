//===-- checks/model/Host.cpp - From a host program's AST to its calls ----===//
//
// One pass collects how variables get their values (HostValues.h); the second
// visits calls, constructors and string literals, and evaluates what the first
// allows.
//
//===----------------------------------------------------------------------===//

#include "checks/model/Host.h"
#include "checks/model/HostValues.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringExtras.h"
#include <map>
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
  HostLifter(ASTContext &Ctx, HostModule &M) : Ctx(Ctx), SM(Ctx.getSourceManager()), M(M), Known(Ctx) {
    fileIndex(SM.getMainFileID());
    // clangd narrows the scope to what does not come from its precompiled preamble.
    for (Decl *D : Ctx.getTraversalScope())
      Known.collect(D);
  }

  // Loops and functions around a call.
#define CLMALI_LOOP(CLASS)                                                                         \
  bool Traverse##CLASS(CLASS *S) {                                                                 \
    ++LoopDepth;                                                                                   \
    bool Result = RecursiveASTVisitor::Traverse##CLASS(S);                                         \
    --LoopDepth;                                                                                   \
    return Result;                                                                                 \
  }
  CLMALI_LOOP(ForStmt)
  CLMALI_LOOP(WhileStmt)
  CLMALI_LOOP(DoStmt)
  CLMALI_LOOP(CXXForRangeStmt)
#undef CLMALI_LOOP

  /// Nothing in system headers is the user's; skipping them is most of the speed.
  bool TraverseDecl(Decl *D) {
    if (D && !isa<TranslationUnitDecl>(D) && SM.isInSystemHeader(SM.getExpansionLoc(D->getLocation())))
      return true;
    auto *F = dyn_cast_or_null<FunctionDecl>(D);
    std::string Outer = Function;
    unsigned OuterDepth = LoopDepth;
    if (F) {
      Function = F->getNameAsString();
      LoopDepth = 0;
    }
    bool Result = RecursiveASTVisitor::TraverseDecl(D);
    Function = Outer;
    LoopDepth = OuterDepth;
    return Result;
  }

  bool VisitCallExpr(CallExpr *C) {
    const FunctionDecl *F = C->getDirectCallee();
    if (!F || !F->getDeclName().isIdentifier())
      return true;
    StringRef Name = F->getName();
    bool IsMember = isa<CXXMemberCallExpr>(C);
    std::string Full;
    if (!IsMember && Name.starts_with("cl") && Name.size() > 2 && isUpper(Name[2]))
      Full = Name.str();
    else if (StringRef Qualified = className(F); Qualified.starts_with("cl::"))
      Full = (Qualified + "::" + Name).str();
    if (Full.empty())
      return true;
    for (const Expr *A : C->arguments()) {
      // clCreateKernelsInProgram and the like fill it in: then it is not known which it is.
      if (const ValueDecl *D = declOf(A); D && isKernelType(D->getType()))
        ++ApiUses[D];
    }
    if (const auto *Member = dyn_cast<CXXMemberCallExpr>(C))
      if (const ValueDecl *D = declOf(Member->getImplicitObjectArgument());
          D && isKernelType(D->getType()))
        ++ApiUses[D];
    HostCall &Call = add(Full, C->getSourceRange(), C->getExprLoc());
    Call.IsCpp = IsMember;
    for (const Expr *A : C->arguments())
      Call.Args.push_back(argument(A));
    Call.Blocking = any_of(Call.Args, [](const HostArgument &A) {
      return is_contained(A.Macros, "CL_TRUE") || is_contained(A.Macros, "CL_BLOCKING");
    });
    if (Full == "clSetKernelArg" && C->getNumArgs() == 4)
      setArg(declOf(C->getArg(0)), C->getArg(1), C->getArg(2), C->getArg(3), C);
    else if (Full == "cl::Kernel::setArg" && IsMember && C->getNumArgs() >= 2)
      setArg(declOf(cast<CXXMemberCallExpr>(C)->getImplicitObjectArgument()), C->getArg(0),
             C->getNumArgs() == 3 ? C->getArg(1) : nullptr, C->getArg(C->getNumArgs() - 1), C);
    if (Full == "clEnqueueNDRangeKernel" && C->getNumArgs() >= 6)
      launch(C, C->getArg(1), C->getArg(2), C->getArg(4), C->getArg(5));
    else if (Name == "enqueueNDRangeKernel" && C->getNumArgs() >= 3)
      launchCpp(C);
    else if (Full == "clBuildProgram" && C->getNumArgs() > 3) {
      if (std::optional<std::string> S = Known.partly(C->getArg(3)))
        M.BuildOptions.push_back(*S);
    } else if (Name == "build" && IsMember) {
      for (const Expr *A : C->arguments())
        if (std::optional<std::string> S = Known.partly(A); S && StringRef(*S).ltrim().starts_with("-"))
          M.BuildOptions.push_back(*S);
    }
    return true;
  }

  /// functor(cl::EnqueueArgs(queue, global, local), a, b)
  bool VisitCXXOperatorCallExpr(CXXOperatorCallExpr *C) {
    if (C->getOperator() != OO_Call || C->getNumArgs() < 2)
      return true;
    const auto *Method = dyn_cast_or_null<CXXMethodDecl>(C->getDirectCallee());
    if (!Method || !isFunctor(Method->getParent()))
      return true;
    HostLaunch &L = newLaunch(C, C->getArg(0));
    enqueueArgs(C->getArg(1), L);
    unsigned Line = L.Line;
    for (unsigned I = 2; I < C->getNumArgs(); ++I) {
      if (isa<CXXDefaultArgExpr>(C->getArg(I)))
        continue;
      HostKernelArg A;
      A.Index = I - 2;
      A.Line = Line;
      describeCpp(C->getArg(I), A);
      L.Args.push_back(std::move(A));
    }
    L.ArgsComplete = true;
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
    if (!is_contained({"cl::Buffer", "cl::Image1D", "cl::Image2D", "cl::Image3D", "cl::Program",
                       "cl::Kernel", "cl::Context", "cl::CommandQueue"},
                      StringRef(Qualified)))
      return true;
    HostCall &Call = add(Qualified, C->getSourceRange(), C->getLocation());
    Call.IsCpp = true;
    for (const Expr *A : C->arguments())
      if (!isa<CXXDefaultArgExpr>(A))
        Call.Args.push_back(argument(A));
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
    if (!S->isOrdinary() && !S->isUTF8() && !S->isUnevaluated())
      return true;
    if (S->getCharByteWidth() != 1)
      return true;
    StringRef Text = S->getString();
    if (Text.size() < 256 && !Text.contains('\n')) {
      size_t At = Text.rfind(".cl");
      if (At != StringRef::npos && At + 3 == Text.size() && At > 0 &&
          !is_contained(M.KernelFiles, Text))
        M.KernelFiles.push_back(Text.str());
    }
    // A kernel, not a message that speaks of one.
    if (!Text.contains("kernel") || !Text.contains('(') || !Text.contains('{') ||
        !Text.contains('}'))
      return true;
    EmbeddedKernel K;
    K.Source = Text.str();
    K.Range = range(S->getSourceRange());
    if (K.Range.File != 0)
      return true;
    bool Exact = true;
    unsigned TokenByte = 0, Token = 0;
    for (unsigned I = 0; I < Text.size() && Exact; ++I) {
      SourceLocation L =
          S->getLocationOfByte(I, SM, Ctx.getLangOpts(), Ctx.getTargetInfo(), &Token, &TokenByte);
      if (L.isMacroID() || SM.getFileID(L) != SM.getMainFileID())
        Exact = false;
      else
        K.Offsets.push_back(SM.getFileOffset(L));
    }
    if (!Exact)
      K.Offsets.clear();
    M.Kernels.push_back(std::move(K));
    return true;
  }

  void finish() {
    // A kernel's name is known where its variable is created once, with a literal.
    for (auto &[Index, D] : KernelOf)
      if (auto At = NameOf.find(D); At != NameOf.end() && !At->second.empty())
        M.Launches[Index].Kernel = At->second;
    for (auto &[Index, D] : KernelOf) {
      HostLaunch &L = M.Launches[Index];
      if (!L.Args.empty() || L.ArgsComplete)
        continue;
      auto At = ArgsOf.find(D);
      if (At == ArgsOf.end())
        continue;
      L.Args = At->second.List;
      const auto *V = dyn_cast<VarDecl>(D);
      L.ArgsComplete = V && V->isLocalVarDecl() && !V->isStaticLocal() && !At->second.Unknown &&
                       KernelUses.lookup(D) == ApiUses.lookup(D);
    }
    M.HasOpenCL = !M.Calls.empty();
  }

  void collectKernelNames() {
    for (auto &[D, V] : Known.all()) {
      std::set<std::string> Names;
      for (const Expr *E : V.Whole)
        if (!isEmptyKernel(E))
          Names.insert(kernelName(E).value_or(""));
      if (Names.size() == 1)
        NameOf[D] = *Names.begin();
    }
  }

private:
  ASTContext &Ctx;
  SourceManager &SM;
  HostModule &M;
  HostValues Known;
  DenseMap<const ValueDecl *, std::string> NameOf;
  std::vector<std::pair<size_t, const ValueDecl *>> KernelOf;
  struct SetArgs {
    std::vector<HostKernelArg> List;
    bool Unknown = false; ///< an index that is not known
  };
  DenseMap<const ValueDecl *, SetArgs> ArgsOf;
  DenseMap<const ValueDecl *, unsigned> KernelUses, ApiUses; ///< all of them; those by the API
  std::map<FileID, uint32_t> Indices;
  std::string Function;
  unsigned LoopDepth = 0;

  static StringRef className(const FunctionDecl *F) {
    const auto *Method = dyn_cast<CXXMethodDecl>(F);
    if (!Method)
      return "";
    static thread_local std::string Name;
    Name = Method->getParent()->getQualifiedNameAsString();
    return Name;
  }

  //--- Places ---------------------------------------------------------------

  uint32_t fileIndex(FileID ID) {
    auto [At, New] = Indices.try_emplace(ID, M.Files.size());
    if (New) {
      auto Ref = SM.getFileEntryRefForID(ID);
      M.Files.push_back({Ref ? Ref->getName().str() : "<unknown>", SM.getBufferData(ID).str()});
    }
    return At->second;
  }

  SourceRange range(clang::SourceRange R) {
    CharSourceRange C = SM.getExpansionRange(R);
    auto [File, Begin] = SM.getDecomposedLoc(C.getBegin());
    auto [EndFile, End] = SM.getDecomposedLoc(C.getEnd());
    if (C.isTokenRange())
      End += Lexer::MeasureTokenLength(C.getEnd(), SM, Ctx.getLangOpts());
    if (File != EndFile)
      End = Begin + 1;
    return {fileIndex(File), Begin, End};
  }

  HostCall &add(StringRef Name, clang::SourceRange R, SourceLocation At) {
    HostCall &C = M.Calls.emplace_back();
    C.Name = Name.str();
    C.Range = range(R);
    C.NameRange = range(clang::SourceRange(At, At));
    C.Function = Function;
    C.InLoop = LoopDepth != 0;
    return C;
  }

  //--- Arguments ------------------------------------------------------------

  HostArgument argument(const Expr *E) {
    HostArgument A;
    A.Range = range(E->getSourceRange());
    A.Text = StringRef(M.Files[A.Range.File].Text).slice(A.Range.Begin, A.Range.End).str();
    A.Value = Known.integer(E);
    A.String = Known.string(E);
    A.IsNull = E->isNullPointerConstant(Ctx, Expr::NPC_ValueDependentIsNotNull) !=
               Expr::NPCK_NotNull;
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
        SourceRange R = range(clang::SourceRange(Up, Up));
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
    const HostValues::Writes *W = Known.writes(D);
    if (!W)
      return;
    // The flags of integers; following everything would wander through the whole program.
    if (!D->getType()->isIntegralOrEnumerationType())
      return;
    for (const Expr *E : W->Whole)
      macros(E, A, Seen);
    for (const Expr *E : W->Mixed)
      macros(E, A, Seen);
  }


  //--- Launches -------------------------------------------------------------

  /// The kernel's name where E creates one: clCreateKernel(p, "name", ..), cl::Kernel(p, "name").
  std::optional<std::string> kernelName(const Expr *E) {
    E = E->IgnoreParenImpCasts();
    if (const auto *C = dyn_cast<ExprWithCleanups>(E))
      E = C->getSubExpr()->IgnoreParenImpCasts();
    if (const auto *C = dyn_cast<CallExpr>(E)) {
      const FunctionDecl *F = C->getDirectCallee();
      if (F && F->getDeclName().isIdentifier() && F->getName() == "clCreateKernel" &&
          C->getNumArgs() > 1)
        return Known.string(C->getArg(1));
      return std::nullopt;
    }
    if (const auto *T = dyn_cast<CXXFunctionalCastExpr>(E))
      return kernelName(T->getSubExpr());
    if (const auto *T = dyn_cast<MaterializeTemporaryExpr>(E))
      return kernelName(T->getSubExpr());
    if (const auto *T = dyn_cast<CXXBindTemporaryExpr>(E))
      return kernelName(T->getSubExpr());
    if (const auto *C = dyn_cast<CXXConstructExpr>(E)) {
      if (C->getNumArgs() >= 2 &&
          (C->getConstructor()->getParent()->getQualifiedNameAsString() == "cl::Kernel" ||
           isFunctor(C->getConstructor()->getParent())))
        return Known.string(C->getArg(1));
      if (C->getNumArgs() == 1)
        return kernelName(C->getArg(0));
    }
    if (const auto *R = dyn_cast<DeclRefExpr>(E); R && isKernelType(R->getType()))
      return kernelName(Known.onlyValue(declOf(R)));
    return std::nullopt;
  }

  /// cl_kernel k = NULL; cl::Kernel k; what it is comes later.
  bool isEmptyKernel(const Expr *E) {
    if (E->isNullPointerConstant(Ctx, Expr::NPC_ValueDependentIsNotNull) != Expr::NPCK_NotNull)
      return true;
    const auto *C = dyn_cast<CXXConstructExpr>(E->IgnoreParenImpCasts());
    return C && C->getNumArgs() == 0;
  }

  static bool isFunctor(const CXXRecordDecl *R) {
    std::string Name = R->getQualifiedNameAsString();
    return Name == "cl::KernelFunctor" || Name == "cl::make_kernel" ||
           Name == "cl::compatibility::make_kernel";
  }

  static bool isKernelType(QualType T) {
    T = T.getNonReferenceType().getCanonicalType().getUnqualifiedType();
    if (const auto *P = T->getAs<clang::PointerType>())
      if (const auto *R = P->getPointeeType()->getAsRecordDecl())
        return R->getName() == "_cl_kernel";
    const CXXRecordDecl *R = T->getAsCXXRecordDecl();
    return R && R->getQualifiedNameAsString() == "cl::Kernel";
  }

  //--- Arguments of kernels -------------------------------------------------

  void setArg(const ValueDecl *D, const Expr *Index, const Expr *Size, const Expr *Value,
              const CallExpr *Call) {
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
    SourceRange R = range(Call->getSourceRange());
    A.Line = StringRef(M.Files[R.File].Text).take_front(R.Begin).count('\n') + 1;
    if (!Size) {
      describeCpp(Value, A);
    } else {
      if (std::optional<int64_t> Bytes = Known.integer(Size); Bytes && *Bytes >= 0)
        A.Size = *Bytes;
      const Expr *V = Value->IgnoreParenCasts();
      if (Value->isNullPointerConstant(Ctx, Expr::NPC_ValueDependentIsNotNull) !=
          Expr::NPCK_NotNull)
        A.K = HostKernelArg::Local;
      else if (const auto *U = dyn_cast<UnaryOperator>(V); U && U->getOpcode() == UO_AddrOf)
        describe(U->getSubExpr()->getType(), A, /*TakeSize=*/false);
    }
    Set.List.push_back(std::move(A));
  }

  void describe(QualType T, HostKernelArg &A, bool TakeSize) {
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
      if (R && (R->getName() == "_cl_mem" || R->getName() == "_cl_sampler"))
        A.K = HostKernelArg::Memory;
    }
    if (TakeSize && (A.K == HostKernelArg::Integer || A.K == HostKernelArg::Float))
      A.Size = Ctx.getTypeSizeInChars(C).getQuantity();
  }

  void describeCpp(const Expr *E, HostKernelArg &A) {
    QualType T = E->IgnoreImplicit()->getType().getNonReferenceType();
    if (const CXXRecordDecl *R = T->getAsCXXRecordDecl()) {
      std::string Name = R->getQualifiedNameAsString();
      A.Type = Name;
      if (Name == "cl::LocalSpaceArg")
        A.K = HostKernelArg::Local;
      else if (StringRef(Name).starts_with("cl::Buffer") ||
               StringRef(Name).starts_with("cl::Image") || Name == "cl::Memory" ||
               Name == "cl::Sampler")
        A.K = HostKernelArg::Memory;
      return;
    }
    describe(T, A, /*TakeSize=*/true);
  }

  /// The sizes among the arguments of cl::EnqueueArgs: global, then local; three with an offset first.
  void enqueueArgs(const Expr *E, HostLaunch &L, unsigned Depth = 0) {
    if (!E || Depth > 8)
      return;
    E = E->IgnoreParenImpCasts();
    if (const auto *X = dyn_cast<ExprWithCleanups>(E))
      return enqueueArgs(X->getSubExpr(), L, Depth + 1);
    if (const auto *X = dyn_cast<MaterializeTemporaryExpr>(E))
      return enqueueArgs(X->getSubExpr(), L, Depth + 1);
    if (const auto *X = dyn_cast<CXXBindTemporaryExpr>(E))
      return enqueueArgs(X->getSubExpr(), L, Depth + 1);
    if (const auto *X = dyn_cast<CXXFunctionalCastExpr>(E))
      return enqueueArgs(X->getSubExpr(), L, Depth + 1);
    if (const auto *X = dyn_cast<CXXConstructExpr>(E)) {
      if (X->getConstructor()->isCopyOrMoveConstructor())
        return enqueueArgs(X->getArg(0), L, Depth + 1);
      SmallVector<const Expr *, 3> Ranges;
      for (const Expr *A : X->arguments()) {
        const CXXRecordDecl *R = A->getType().getNonReferenceType()->getAsCXXRecordDecl();
        if (R && R->getQualifiedNameAsString() == "cl::NDRange")
          Ranges.push_back(A);
      }
      if (Ranges.empty())
        return;
      bool Ignored = false;
      unsigned LocalDims = 0;
      ndrange(Ranges[Ranges.size() == 3 ? 1 : 0], L.Dims, L.Global, L.GlobalRange, Ignored);
      if (Ranges.size() == 1)
        L.LocalIsNull = true;
      else
        ndrange(Ranges.back(), LocalDims, L.Local, L.LocalRange, L.LocalIsNull);
      return;
    }
    if (const ValueDecl *D = declOf(E))
      enqueueArgs(Known.onlyValue(D), L, Depth + 1);
  }

  HostLaunch &newLaunch(const CallExpr *C, const Expr *KernelExpr) {
    HostLaunch &L = M.Launches.emplace_back();
    L.Range = range(C->getSourceRange());
    L.File = M.Files[L.Range.File].Name;
    L.Line = StringRef(M.Files[L.Range.File].Text).take_front(L.Range.Begin).count('\n') + 1;
    L.InLoop = LoopDepth != 0;
    if (const ValueDecl *D = declOf(KernelExpr))
      KernelOf.emplace_back(M.Launches.size() - 1, D);
    return L;
  }

  void launch(const CallExpr *C, const Expr *KernelExpr, const Expr *Dims, const Expr *Global,
              const Expr *Local) {
    HostLaunch &L = newLaunch(C, KernelExpr);
    if (std::optional<int64_t> N = Known.integer(Dims); N && *N >= 1 && *N <= 3)
      L.Dims = *N;
    L.LocalIsNull = Local->isNullPointerConstant(Ctx, Expr::NPC_ValueDependentIsNotNull) !=
                    Expr::NPCK_NotNull;
    sizes(Global, L.Dims, L.Global, L.GlobalRange);
    if (!L.LocalIsNull)
      sizes(Local, L.Dims, L.Local, L.LocalRange);
  }

  /// The elements of a size_t array: initialised, filled element by element, a compound literal, or
  /// the address of a scalar.
  void sizes(const Expr *E, unsigned Dims, std::array<std::optional<uint64_t>, 3> &To,
             std::array<SourceRange, 3> &Where) {
    E = E->IgnoreParenCasts();
    for (unsigned D = 0; D < 3; ++D)
      Where[D] = range(E->getSourceRange());
    auto Put = [&](unsigned D, const Expr *Value) {
      if (D >= 3 || !Value)
        return;
      if (std::optional<int64_t> N = Known.integer(Value); N && *N > 0)
        To[D] = *N;
      Where[D] = range(Value->getSourceRange());
    };
    auto FromList = [&](const Expr *Init) {
      Init = Init->IgnoreParenImpCasts();
      if (const auto *List = dyn_cast<InitListExpr>(Init))
        for (unsigned D = 0; D < List->getNumInits(); ++D)
          Put(D, List->getInit(D));
    };
    if (const auto *U = dyn_cast<UnaryOperator>(E); U && U->getOpcode() == UO_AddrOf) {
      Put(0, U->getSubExpr());
      if (const Expr *Value = Known.onlyValue(declOf(U->getSubExpr())))
        Where[0] = range(Value->getSourceRange());
      return;
    }
    if (const auto *Literal = dyn_cast<CompoundLiteralExpr>(E))
      return FromList(Literal->getInitializer());
    const ValueDecl *D = declOf(E);
    if (!D)
      return;
    const HostValues::Writes *W = Known.writes(D);
    if (!W || W->Escapes)
      return;
    if (const auto *Var = dyn_cast<VarDecl>(D))
      if (Var->hasGlobalStorage() && Var->isExternallyVisible() && !Var->getType().isConstQualified())
        return;
    if (W->Whole.size() == 1 && W->Element.empty())
      return FromList(W->Whole.front());
    if (W->Whole.size() > 1)
      return;
    if (W->Whole.size() == 1)
      FromList(W->Whole.front());
    for (const auto &[Index, List] : W->Element) {
      if (Index >= 3)
        continue;
      To[Index] = std::nullopt;
      // A second value for an element that had one: not known which.
      if (List.size() == 1 && W->Whole.empty())
        Put(Index, List.front());
    }
  }

  void launchCpp(const CallExpr *C) {
    HostLaunch &L = newLaunch(C, C->getArg(0));
    bool GlobalNull = false;
    ndrange(C->getArg(2), L.Dims, L.Global, L.GlobalRange, GlobalNull);
    unsigned LocalDims = 0;
    if (C->getNumArgs() > 3)
      ndrange(C->getArg(3), LocalDims, L.Local, L.LocalRange, L.LocalIsNull);
    else
      L.LocalIsNull = true;
  }

  void ndrange(const Expr *E, unsigned &Dims, std::array<std::optional<uint64_t>, 3> &To,
               std::array<SourceRange, 3> &Where, bool &IsNull, unsigned Depth = 0) {
    if (Depth > 8 || !E)
      return;
    E = E->IgnoreParenImpCasts();
    for (unsigned D = 0; D < 3 && Depth == 0; ++D)
      Where[D] = range(E->getSourceRange());
    auto Down = [&](const Expr *X) { ndrange(X, Dims, To, Where, IsNull, Depth + 1); };
    if (const auto *X = dyn_cast<CXXDefaultArgExpr>(E))
      return Down(X->getExpr());
    if (const auto *X = dyn_cast<ExprWithCleanups>(E))
      return Down(X->getSubExpr());
    if (const auto *X = dyn_cast<MaterializeTemporaryExpr>(E))
      return Down(X->getSubExpr());
    if (const auto *X = dyn_cast<CXXFunctionalCastExpr>(E))
      return Down(X->getSubExpr());
    if (const auto *X = dyn_cast<CXXConstructExpr>(E)) {
      if (X->getConstructor()->isCopyOrMoveConstructor())
        return Down(X->getArg(0));
      Dims = X->getNumArgs();
      IsNull = Dims == 0;
      for (unsigned D = 0; D < Dims && D < 3; ++D) {
        if (std::optional<int64_t> N = Known.integer(X->getArg(D)); N && *N > 0)
          To[D] = *N;
        Where[D] = range(X->getArg(D)->getSourceRange());
      }
      return;
    }
    if (const ValueDecl *D = declOf(E)) {
      if (D->getDeclName().isIdentifier() && D->getName() == "NullRange") {
        IsNull = true;
        return;
      }
      Down(Known.onlyValue(D));
    }
  }
};


} // namespace

std::unique_ptr<HostModule> liftHost(ASTContext &Ctx) {
  auto M = std::make_unique<HostModule>();
  HostLifter L(Ctx, *M);
  L.collectKernelNames();
  for (Decl *D : Ctx.getTraversalScope())
    L.TraverseDecl(D);
  L.finish();
  return M;
}


} // namespace clmali::model
