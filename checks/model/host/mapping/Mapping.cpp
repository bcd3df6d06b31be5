//===-- checks/model/host/mapping/Mapping.cpp - Copies that could be maps ----------===//

#include "checks/model/host/mapping/Mapping.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/StringExtras.h"

using namespace clang;
using namespace llvm;

namespace clmali::model {

// cl_mem_flags of the standard.
static constexpr int64_t UseHostPtr = 1 << 3, AllocHostPtr = 1 << 4, HostWriteOnly = 1 << 7,
                         HostReadOnly = 1 << 8, HostNoAccess = 1 << 9;
// cl_map_flags: read; write, or write all of it.
static constexpr int64_t MapRead = 1 << 0, MapWrite = 3 << 1;

SourceRange spelledInMainFile(clang::SourceRange R, const ASTContext &Ctx) {
  const SourceManager &SM = Ctx.getSourceManager();
  CharSourceRange C =
      Lexer::makeFileCharRange(CharSourceRange::getTokenRange(R), SM, Ctx.getLangOpts());
  if (C.isInvalid() || SM.getFileID(C.getBegin()) != SM.getMainFileID())
    return {};
  return {0, SM.getFileOffset(C.getBegin()), SM.getFileOffset(C.getEnd())};
}

void HostMapper::maker(const clang::Expr *Call, const clang::Expr *Flags, Made &M) const {
  M.Any = true;
  SourceRange At = spelled(Flags->getSourceRange());
  std::optional<int64_t> Value = Known.integer(Flags);
  M.Common &= Value.value_or(0);
  if (!Value || !At.isValid() || *Value & HostNoAccess) {
    M.Cannot = true;
    return;
  }
  if (*Value & AllocHostPtr)
    return;
  HostMapping::Flag F{At, HostMapping::Flag::Add};
  const clang::Expr *X = Flags->IgnoreParenImpCasts();
  if (*Value & UseHostPtr) {
    F.Does = HostMapping::Flag::OverHost;
    if (!OverHost(Call))
      M.Cannot = true;
  } else if (*Value == 0) {
    F.Does = HostMapping::Flag::Replace;
  } else if (const auto *B = dyn_cast<BinaryOperator>(X);
             !(B && B->getOpcode() == BO_Or) && !isa<IntegerLiteral, DeclRefExpr, MemberExpr>(X) &&
             !isa<ParenExpr>(Flags->IgnoreImpCasts())) {
    // CL_MEM_READ_ONLY itself is (1 << 2): a macro, and in parentheses.
    if (!Flags->getBeginLoc().isMacroID())
      M.Cannot = true;
  }
  if (none_of(M.Flags, [&](const HostMapping::Flag &G) { return G.Range.Begin == At.Begin; }))
    M.Flags.push_back(F);
}

/// Adds the calls that make the buffer in Buffer.
void HostMapper::makers(const clang::Expr *Buffer, Made &M, SmallPtrSetImpl<const Decl *> &Seen,
                        unsigned Depth) const {
  const clang::Expr *E = Buffer ? plain(Buffer) : nullptr;
  if (!E || Depth > 12)
    return;
  E = E->IgnoreParenCasts();
  if (const auto *Choice = dyn_cast<ConditionalOperator>(E)) {
    makers(Choice->getTrueExpr(), M, Seen, Depth + 1);
    return makers(Choice->getFalseExpr(), M, Seen, Depth + 1);
  }
  if (const auto *New = dyn_cast<CXXNewExpr>(E))
    return makers(New->getConstructExpr(), M, Seen, Depth + 1);
  if (const auto *C = dyn_cast<CXXConstructExpr>(E)) {
    if (C->getConstructor()->getParent()->getQualifiedNameAsString() != "cl::Buffer")
      return;
    // Buffer(context, flags, size, ..), Buffer(flags, size, ..); iterators have no flags.
    for (unsigned I = 0; I < 2 && I + 1 < C->getNumArgs(); ++I)
      if (C->getConstructor()->getParamDecl(I)->getType().getAsString() == "cl_mem_flags")
        maker(C, C->getArg(I), M);
    return;
  }
  if (const auto *C = dyn_cast<CallExpr>(E)) {
    const FunctionDecl *F = calleeOf(C);
    if (!F || !F->getDeclName().isIdentifier())
      return;
    if (F->getName() == "clCreateBuffer" && C->getNumArgs() == 5)
      return maker(C, C->getArg(1), M);
    // makeBuffer(context, n): its return values.
    const FunctionDecl *Definition = nullptr;
    if (Flow.callsOf(F).empty() || !F->hasBody(Definition) || !Seen.insert(Definition).second)
      return;
    auto Visit = [&](const clang::Stmt *S, auto &&Self) -> void {
      if (!S)
        return;
      if (const auto *R = dyn_cast<ReturnStmt>(S))
        makers(R->getRetValue(), M, Seen, Depth + 1);
      for (const clang::Stmt *Child : S->children())
        Self(Child, Self);
    };
    return Visit(Definition->getBody(), Visit);
  }
  if (const auto *Sub = dyn_cast<ArraySubscriptExpr>(E))
    E = Sub->getBase();
  else if (const auto *Op = dyn_cast<CXXOperatorCallExpr>(E);
           Op && Op->getOperator() == OO_Subscript)
    E = Op->getArg(0);
  else if (const auto *U = dyn_cast<UnaryOperator>(E); U && U->getOpcode() == UO_Deref)
    E = U->getSubExpr();
  const ValueDecl *D = declOf(E);
  if (!D || !Seen.insert(D).second)
    return;
  for (const HostWrite &W : Flow.writes(D))
    if (W.Value)
      makers(W.Value, M, Seen, Depth + 1);
  if (const auto *P = dyn_cast<ParmVarDecl>(D))
    if (const auto *F = dyn_cast<FunctionDecl>(P->getDeclContext()))
      for (const CallExpr *C : Flow.callsOf(F))
        if (!isa<CXXOperatorCallExpr>(C) && P->getFunctionScopeIndex() < C->getNumArgs())
          makers(C->getArg(P->getFunctionScopeIndex()), M, Seen, Depth + 1);
}

bool HostMapper::isForbidden(const CallExpr *C, StringRef Name) const {
  unsigned First = isa<CXXMemberCallExpr>(C) ? 0 : 1; // behind the queue
  if (!Name.contains("nqueue") || !Name.contains("Buffer") || First + 2 >= C->getNumArgs())
    return false;
  bool Reads = Name.contains("ReadBuffer"), Writes = Name.contains("WriteBuffer");
  if (Name.contains("MapBuffer")) {
    int64_t Flags = Known.integer(C->getArg(First + 2)).value_or(0);
    Reads = Flags & MapRead;
    Writes = Flags & MapWrite;
  }
  if (!Reads && !Writes)
    return false;
  Made M;
  SmallPtrSet<const Decl *, 8> Seen;
  makers(C->getArg(First), M, Seen, 0);
  int64_t Forbids = HostNoAccess | (Reads ? HostWriteOnly : 0) | (Writes ? HostReadOnly : 0);
  return M.Any && (M.Common & Forbids);
}

std::optional<HostMapping> HostMapper::mapping(const CallExpr *C, StringRef Name,
                                               bool Blocking) const {
  const auto *Member = dyn_cast<CXXMemberCallExpr>(C);
  HostMapping Result;
  Result.Writes = Name.contains("Write");
  unsigned First = 0; // the index of the buffer
  if (Name == "clEnqueueReadBuffer" || Name == "clEnqueueWriteBuffer") {
    if (C->getNumArgs() != 9)
      return std::nullopt;
    First = 1;
  } else if ((Name == "enqueueReadBuffer" || Name == "enqueueWriteBuffer") && Member) {
    if (C->getNumArgs() < 5)
      return std::nullopt;
    Result.IsMethod = true;
  } else {
    return std::nullopt;
  }
  const FunctionDecl *Callee = calleeOf(C);
  if (!Callee || Callee->isImplicit() || !Callee->hasPrototype())
    return std::nullopt;
  SourceRange Whole = spelled(C->getSourceRange()),
              Begins = spelled(C->getArg(0)->getSourceRange()),
              Flag = spelled(C->getArg(First + 1)->getSourceRange()),
              Offset = spelled(C->getArg(First + 2)->getSourceRange());
  if (!Whole.isValid() || !Begins.isValid() || !Flag.isValid() || !Offset.isValid())
    return std::nullopt;
  Result.Head = {0, Whole.Begin, Begins.Begin};
  Result.Waits = {0, Flag.Begin, Offset.Begin};
  if (Member) {
    const auto *Method = dyn_cast<clang::MemberExpr>(Member->getCallee()->IgnoreParenImpCasts());
    const clang::Expr *Object = Method ? Method->getBase() : nullptr;
    SourceRange Queue =
        Object && !Object->isImplicitCXXThis() ? spelled(Object->getSourceRange()) : SourceRange();
    if (!Queue.isValid())
      return std::nullopt;
    Result.Queue = Queue;
    Result.QueueIsPointer = Method->isArrow();
  }
  if (!Blocking) {
    // A wait for an event that only the host itself completes would never end.
    auto IsNull = [&](const clang::Expr *E) {
      return isa<CXXDefaultArgExpr>(E) ||
             (!E->isValueDependent() &&
              E->isNullPointerConstant(Ctx, clang::Expr::NPC_ValueDependentIsNotNull) !=
                  clang::Expr::NPCK_NotNull);
    };
    unsigned List = Member ? 5 : 7;
    if (Known.integer(C->getArg(First + 1)) != 0 || Flow.loopAround(C) ||
        (List < C->getNumArgs() && !IsNull(C->getArg(List))))
      return std::nullopt;
    Result.StartsToWait = true;
  }
  Made M;
  SmallPtrSet<const Decl *, 16> Seen;
  makers(C->getArg(First), M, Seen, 0);
  if (!M.Any || M.Cannot)
    return std::nullopt;
  Result.Flags = std::move(M.Flags);
  return Result;
}

namespace {

/// The #if, #endif and #include lines of a text.
struct Directives {
  struct Line {
    unsigned Begin, End; ///< End: after the line's end
    enum { If, Endif, Include } What;
  };
  std::vector<Line> Lines;

  explicit Directives(StringRef Text) {
    bool Comment = false;
    for (unsigned At = 0; At < Text.size();) {
      size_t Newline = Text.find('\n', At);
      unsigned End = Newline == StringRef::npos ? Text.size() : Newline + 1;
      StringRef L = Text.slice(At, End);
      StringRef T = L.ltrim();
      if (!Comment && T.consume_front("#")) {
        T = T.ltrim();
        if (T.starts_with("if"))
          Lines.push_back({At, End, Line::If});
        else if (T.starts_with("endif"))
          Lines.push_back({At, End, Line::Endif});
        else if (T.starts_with("include"))
          Lines.push_back({At, End, Line::Include});
      }
      for (size_t I = 0; I < L.size(); ++I) {
        if (Comment) {
          size_t Close = L.find("*/", I);
          if (Close == StringRef::npos)
            break;
          Comment = false;
          I = Close + 1;
        } else if (L.substr(I).starts_with("//")) {
          break;
        } else if (L.substr(I).starts_with("/*")) {
          Comment = true;
          ++I;
        } else if (L[I] == '"') {
          for (++I; I < L.size() && L[I] != '"'; ++I)
            if (L[I] == '\\')
              ++I;
        }
      }
      At = End;
    }
  }
  /// The begin of the outermost condition around Offset; nullopt: there is none.
  std::optional<unsigned> around(unsigned Offset) const {
    SmallVector<unsigned, 8> Open;
    for (const Line &L : Lines) {
      if (L.Begin >= Offset)
        break;
      if (L.What == Line::If)
        Open.push_back(L.Begin);
      else if (L.What == Line::Endif && !Open.empty())
        Open.pop_back();
    }
    return Open.empty() ? std::nullopt : std::optional<unsigned>(Open.front());
  }
  /// The end of the first include before Offset, and of the condition around it.
  std::optional<unsigned> behindFirstInclude(unsigned Offset) const {
    unsigned Depth = 0;
    bool Seen = false;
    for (const Line &L : Lines) {
      if (L.End > Offset)
        break;
      Depth += L.What == Line::If;
      Seen |= L.What == Line::Include;
      if (L.What == Line::Endif && Depth)
        --Depth;
      if (Seen && !Depth)
        return L.End;
    }
    return std::nullopt;
  }
  unsigned lastIncludeBefore(unsigned Offset) const {
    unsigned Last = 0;
    for (const Line &L : Lines)
      if (L.What == Line::Include && L.Begin < Offset)
        Last = L.End;
    return Last;
  }
};

/// The begin of the comment above a declaration, or of the declaration's line.
unsigned withComment(StringRef Text, unsigned Offset) {
  auto LineBegin = [&](unsigned At) {
    size_t Newline = Text.rfind('\n', At);
    return Newline == StringRef::npos ? 0u : unsigned(Newline + 1);
  };
  unsigned At = LineBegin(Offset);
  while (At) {
    unsigned Above = LineBegin(At - 1);
    StringRef L = Text.slice(Above, At).trim();
    if (L.starts_with("//")) {
      At = Above;
      continue;
    }
    if (L.ends_with("*/")) {
      size_t Open = Text.take_front(At).rfind("/*");
      unsigned Begin = Open == StringRef::npos ? At : LineBegin(Open);
      if (Begin < At && Text.slice(Begin, At).ltrim().starts_with("/*")) {
        At = Begin;
        continue;
      }
    }
    break;
  }
  return At;
}

} // namespace

std::optional<HostMappingRoom> HostMapper::room(ArrayRef<HostCall> Calls) const {
  std::optional<unsigned> FirstCall;
  for (const HostCall &C : Calls)
    if (C.Mapping && (!FirstCall || C.Mapping->Head.Begin < *FirstCall))
      FirstCall = C.Mapping->Head.Begin;
  if (!FirstCall)
    return std::nullopt;
  const SourceManager &SM = Ctx.getSourceManager();
  StringRef Text = SM.getBufferData(SM.getMainFileID());
  // The outermost declaration around the call.
  std::optional<unsigned> Around;
  bool UserEvents = false;
  for (const Decl *D : Ctx.getTranslationUnitDecl()->decls()) {
    CharSourceRange R = Lexer::makeFileCharRange(
        CharSourceRange::getTokenRange(D->getSourceRange()), SM, Ctx.getLangOpts());
    if (R.isInvalid() || SM.getFileID(R.getBegin()) != SM.getMainFileID())
      continue;
    unsigned Begin = SM.getFileOffset(R.getBegin()), End = SM.getFileOffset(R.getEnd());
    if (Begin <= *FirstCall && *FirstCall < End && (!Around || Begin < *Around))
      Around = Begin;
  }
  UserEvents = Text.contains("UserEvent");
  if (!Around)
    return std::nullopt;
  Directives Lines(Text);
  HostMappingRoom Room;
  Room.UserEvents = UserEvents;
  unsigned At = withComment(Text, *Around);
  if (std::optional<unsigned> Condition = Lines.around(At))
    At = withComment(Text, *Condition);
  // Not in a condition, and not before an include.
  if (Lines.around(At) || At < Lines.lastIncludeBefore(*FirstCall))
    return std::nullopt;
  Room.Functions = {0, At, At};
  auto Declared = [&](StringRef Name) -> const FunctionDecl * {
    for (const NamedDecl *D : Ctx.getTranslationUnitDecl()->lookup(&Ctx.Idents.get(Name)))
      if (const auto *F = dyn_cast<FunctionDecl>(D))
        return F;
    return nullptr;
  };
  // Declared by a header that the file includes, and not by one that only the linter added.
  auto Included = [&](const FunctionDecl *F) {
    if (!F || F->isImplicit())
      return false;
    FileID ID = SM.getFileID(SM.getExpansionLoc(F->getLocation()));
    if (ID == SM.getMainFileID())
      return false;
    while (true) {
      SourceLocation From = SM.getIncludeLoc(ID);
      if (From.isInvalid())
        return false;
      ID = SM.getFileID(SM.getExpansionLoc(From));
      if (ID == SM.getMainFileID())
        return SM.getFileOffset(SM.getExpansionLoc(From)) < At;
    }
  };
  if (!Included(Declared("memcpy"))) {
    std::optional<unsigned> Include = Lines.behindFirstInclude(At);
    if (!Include)
      return std::nullopt;
    Room.Include = SourceRange{0, *Include, *Include};
  }
  // CL_MAP_WRITE_INVALIDATE_REGION is of OpenCL 1.2, like this function.
  Room.Invalidates = Declared("clEnqueueMarkerWithWaitList") != nullptr;
  for (bool Writes : {false, true})
    if (const FunctionDecl *F = Declared(Writes ? "writeThroughMap" : "readThroughMap")) {
      SourceLocation L = SM.getExpansionLoc(F->getLocation());
      if (SM.getFileID(L) != SM.getMainFileID() || SM.getFileOffset(L) > *FirstCall)
        return std::nullopt;
      (Writes ? Room.HasWrite : Room.HasRead) = true;
    }
  return Room;
}

} // namespace clmali::model
