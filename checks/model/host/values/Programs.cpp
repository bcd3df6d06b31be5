//===-- checks/model/host/values/Programs.cpp - Origins of programs ---------------===//

#include "checks/model/host/values/Programs.h"
#include "clang/AST/ASTContext.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;
using namespace llvm;

namespace clmali::model {

HostCall::Origin HostPrograms::madeOf(const clang::Expr *E) const {
  HostValues::Origin O = Known.source(E, nullptr);
  if (!O.Value)
    return HostCall::Other;
  if (const auto *C = dyn_cast<CallExpr>(plain(O.Value));
      C && calledName(C) == "clCreateProgramWithBinary")
    return HostCall::Binary;
  const auto *C = dyn_cast<CXXConstructExpr>(plain(O.Value));
  return C ? madeBy(C) : HostCall::Other;
}

HostCall::Origin HostPrograms::madeBy(const CXXConstructExpr *C) const {
  HostCall::Origin From = HostCall::Other;
  for (const clang::Expr *A : C->arguments()) {
    std::string Type =
        A->getType().getNonReferenceType().getCanonicalType().getUnqualifiedType().getAsString(
            Ctx.getPrintingPolicy());
    if (StringRef(Type).contains("vector<std::vector<unsigned char") ||
        StringRef(Type).contains("const void *"))
      From = HostCall::Binary;
    else if (From == HostCall::Other &&
             (StringRef(Type).contains("basic_string<char") || Type == "const char *" ||
              Type == "char *" || StringRef(Type).contains("std::pair<const char *")))
      From = HostCall::Source;
  }
  return From;
}

/// T is one of these classes, or a pointer or reference to it.
static bool isOf(QualType T, ArrayRef<StringRef> Names) {
  if (T.isNull())
    return false;
  T = T.getNonReferenceType().getCanonicalType().getUnqualifiedType();
  for (unsigned Depth = 0; Depth < 2; ++Depth)
    if (const auto *P = T->getAs<clang::PointerType>())
      T = P->getPointeeType();
  const RecordDecl *R = T->getAsRecordDecl();
  return R && is_contained(Names, StringRef(R->getQualifiedNameAsString()));
}

static bool isProgram(QualType T) { return isOf(T, {"_cl_program", "cl::Program"}); }

static bool hasWord(StringRef Name, ArrayRef<StringRef> Words) {
  return any_of(Words, [&](StringRef Word) { return Name.contains_insensitive(Word); });
}

/// The name has a verb of making, and no word about the result (log, status, release).
static bool hasVerb(StringRef Name) {
  return hasWord(Name, {"creat", "build", "load", "compil", "make", "from"}) &&
         !hasWord(Name, {"log", "info", "print", "check", "error", "status", "release", "delete",
                         "destroy", "free", "save", "dump"});
}

bool isNamedLikeProgramMaker(StringRef Name) {
  return Name.contains_insensitive("program") && hasVerb(Name);
}

bool isNamedLikeWait(StringRef Name) {
  return hasWord(Name, {"waitfor", "wait_for"}) && Name.contains_insensitive("event");
}

StringRef HostPrograms::foreignName(const clang::Expr *Call) const {
  const auto *C = dyn_cast<CallExpr>(Call);
  const FunctionDecl *F = C && !isa<CXXOperatorCallExpr>(C) ? calleeOf(C) : nullptr;
  return F && (F->hasBody() || F->getBuiltinID() ||
               Ctx.getSourceManager().isInSystemHeader(F->getLocation()))
             ? StringRef()
             : calledName(Call);
}

bool HostPrograms::waitsElsewhere(const clang::Expr *Call,
                                  ArrayRef<const clang::Expr *> Args) const {
  return foreignName(Call).contains_insensitive("wait") && any_of(Args, [](const clang::Expr *A) {
           return isOf(plain(A)->getType(), {"_cl_event", "cl::Event"});
         });
}

HostCall::Origin HostPrograms::madeElsewhere(const clang::Expr *Call,
                                             ArrayRef<const clang::Expr *> Args) const {
  StringRef Name = foreignName(Call);
  bool Makes = hasVerb(Name);
  if (!Makes && !Name.contains_insensitive("program"))
    return HostCall::Other;
  // The type of the result, or of the variable that it is assigned to.
  bool Result = isProgram(Call->getType());
  const clang::Stmt *P = Flow.parent(Call);
  // A result of unknown type is converted by an operator.
  auto Converts = [](const clang::Stmt *S) {
    const auto *C = dyn_cast<CXXMemberCallExpr>(S);
    return C && isa_and_nonnull<CXXConversionDecl>(C->getMethodDecl());
  };
  while (P && (isa<CastExpr, ParenExpr, ExprWithCleanups, MaterializeTemporaryExpr,
                   CXXConstructExpr, MemberExpr>(P) ||
               Converts(P)))
    P = Flow.parent(P);
  if (const auto *B = dyn_cast_or_null<BinaryOperator>(P); B && B->getOpcode() == BO_Assign)
    Result |= isProgram(B->getLHS()->getType());
  if (const auto *D = dyn_cast_or_null<DeclStmt>(P))
    for (const Decl *One : D->decls())
      if (const auto *V = dyn_cast<VarDecl>(One);
          V && V->getInit() && Flow.isInside(Call, V->getInit()))
        Result |= isProgram(V->getType());
  bool OfFile = false, Stored = hasWord(Name, {"binar", "cache"}), Given = false;
  for (const clang::Expr *A : Args) {
    Given |= isProgram(A->getType());
    std::optional<std::string> Text = Known.string(A);
    StringRef File = Text ? StringRef(*Text) : StringRef();
    OfFile |= File.size() > 3 && File.ends_with(".cl");
    for (StringRef End : {".bin", ".aocx", ".xclbin", ".spv", ".clb", ".clbin"})
      Stored |= File.ends_with(End);
  }
  bool Named = Name.contains_insensitive("program");
  if (!(Result && (Makes || OfFile)) && !(Given && Named && Makes) &&
      !(OfFile && Makes && (Named || Name.contains_insensitive("kernel"))))
    return HostCall::Other;
  return Stored ? HostCall::Binary : HostCall::Source;
}

} // namespace clmali::model
