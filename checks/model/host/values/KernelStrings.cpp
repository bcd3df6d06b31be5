//===-- checks/model/host/values/KernelStrings.cpp - Kernels in strings -----------------===//

#include "checks/model/host/values/KernelStrings.h"
#include "checks/model/frontend/Embedded.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace clang;
using namespace llvm;

namespace clmali::model {

constexpr llvm::StringLiteral NameCharacters =
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";

static bool isText(const clang::StringLiteral *S) {
  return (S->isOrdinary() || S->isUTF8() || S->isUnevaluated()) && S->getCharByteWidth() == 1;
}

/// Text is a kernel, and not a message about one.
static bool looksLikeKernel(StringRef Text) {
  return Text.contains("kernel") && Text.contains('(') && Text.contains('{') && Text.contains('}');
}

/// The offsets in the file of the characters of Text, which `#argument` made of an argument in
/// Source: the same characters, except for white space, comments and escapes outside of literals
/// (`\n#if` is a line of its own in the string). Base: the offset of Source.
/// Empty: Text is none of the arguments.
static std::vector<uint32_t> stringified(StringRef Source, uint32_t Base, StringRef Text) {
  auto Skip = [&](size_t At) {
    for (;;) {
      size_t Before = At;
      while (At < Source.size() &&
             (isSpace(Source[At]) || (Source[At] == '\\' && At + 1 < Source.size() &&
                                      (Source[At + 1] == '\n' || Source[At + 1] == '\r'))))
        ++At;
      if (Source.substr(At).starts_with("//"))
        At = std::min(Source.find('\n', At), Source.size());
      else if (Source.substr(At).starts_with("/*"))
        At = std::min(Source.find("*/", At + 2), Source.size() - 2) + 2;
      if (At == Before)
        return At;
    }
  };
  /// The character that the escape at \p At stands for; 0: there is none.
  auto Escaped = [&](size_t At) -> char {
    if (At + 1 >= Source.size() || Source[At] != '\\')
      return 0;
    switch (Source[At + 1]) {
    case 'n':
      return '\n';
    case 't':
      return '\t';
    case 'r':
      return '\r';
    default:
      return 0;
    }
  };
  std::vector<uint32_t> Result;
  constexpr unsigned MaxArguments = 256;
  unsigned Arguments = 0;
  for (size_t Start = Source.find_first_of("(,");
       Start != StringRef::npos && Arguments < MaxArguments;
       Start = Source.find_first_of("(,", Start + 1), ++Arguments) {
    Result.clear();
    size_t At = Start + 1;
    bool Same = true;
    for (char C : Text) {
      if (C != ' ' && isSpace(C))
        if (size_t Next = Skip(At); Escaped(Next) == C) {
          Result.push_back(Base + Next);
          At = Next + 2;
          continue;
        }
      if (isSpace(C)) {
        Result.push_back(Base + (Result.empty() ? At : Result.back() + 1 - Base));
        continue;
      }
      At = Skip(At);
      Same = At < Source.size() && Source[At] == C;
      if (!Same)
        break;
      Result.push_back(Base + At++);
    }
    if (Same)
      return Result;
  }
  return {};
}

/// The same for a token of a literal that the operator # made.
static std::vector<uint32_t> stringified(SourceLocation Token, StringRef Text, FileID &In,
                                         const ASTContext &Ctx) {
  const SourceManager &SM = Ctx.getSourceManager();
  CharSourceRange All = SM.getExpansionRange(Token);
  In = SM.getFileID(All.getBegin());
  if (In != SM.getFileID(All.getEnd()))
    return {};
  uint32_t Begin = SM.getFileOffset(All.getBegin());
  uint32_t End = SM.getFileOffset(All.getEnd()) +
                 Lexer::MeasureTokenLength(All.getEnd(), SM, Ctx.getLangOpts());
  return stringified(SM.getBufferData(In).slice(Begin, End), Begin, Text);
}

void HostStrings::piece(const clang::StringLiteral *S, EmbeddedKernel &K, Pieces &Used) {
  const SourceManager &SM = Ctx.getSourceManager();
  StringRef Text = S->getString();
  bool Exact = K.Offsets.size() == K.Source.size();
  if (K.Source.empty())
    K.Range = Locations.range(S->getSourceRange());
  K.Source += Text;
  Used.push_back(S);
  std::vector<std::pair<SourceLocation, unsigned>> Bytes; ///< and the token of each
  unsigned TokenByte = 0, Token = 0;
  for (unsigned I = 0; I < Text.size() && Exact; ++I) {
    SourceLocation L =
        S->getLocationOfByte(I, SM, Ctx.getLangOpts(), Ctx.getTargetInfo(), &Token, &TokenByte);
    Bytes.emplace_back(L, Token);
  }
  // A kernel in the definition of a macro is located there: #define CODE "..."
  bool Defined =
      K.Source.size() == Text.size() && looksLikeKernel(Text) && all_of(Bytes, [&](const auto &B) {
        return SM.isMacroBodyExpansion(B.first) &&
               !SM.isWrittenInScratchSpace(SM.getSpellingLoc(B.first)) &&
               Locations.fileIndex(SM.getFileID(SM.getSpellingLoc(B.first))) == K.Range.File;
      });
  for (size_t I = 0; I < Bytes.size() && Exact;) {
    SourceLocation L = Bytes[I].first;
    FileID In;
    if (Defined) {
      K.Offsets.push_back(SM.getFileOffset(SM.getSpellingLoc(L)));
      K.OffsetFiles.push_back(K.Range.File);
      ++I;
      continue;
    }
    if (L.isMacroID() && SM.isWrittenInScratchSpace(SM.getSpellingLoc(L))) {
      size_t End = I;
      while (End < Bytes.size() && Bytes[End].second == Bytes[I].second)
        ++End;
      std::vector<uint32_t> Made = stringified(L, Text.slice(I, End), In, Ctx);
      Exact = In.isValid();
      // Otherwise all of it is located at the use of the macro.
      if (Made.empty())
        Made.assign(End - I, SM.getFileOffset(SM.getExpansionRange(L).getBegin()));
      K.Offsets.insert(K.Offsets.end(), Made.begin(), Made.end());
      K.OffsetFiles.resize(K.Offsets.size(), Exact ? Locations.fileIndex(In) : 0);
      I = End;
      continue;
    }
    // Text of another macro is located at the use of that.
    L = SM.getFileLoc(L);
    K.Offsets.push_back(SM.getFileOffset(L));
    K.OffsetFiles.push_back(Locations.fileIndex(SM.getFileID(L)));
    ++I;
  }
  if (!Exact)
    K.Offsets.clear();
  else if (Defined && !K.Offsets.empty())
    K.Range = {K.Range.File, K.Offsets.front() - 1, K.Offsets.back() + 2};
}

/// Locates the text that was added to K at At. Exact: all before it is located, too.
static void locate(EmbeddedKernel &K, SourceRange At, bool Exact) {
  if (!Exact) {
    K.Offsets.clear();
    return;
  }
  K.Offsets.resize(K.Source.size(), At.Begin);
  K.OffsetFiles.resize(K.Source.size(), At.File);
}

/// A text or number that is known only at run time: a name, which is inferred like a macro of the
/// host.
void HostStrings::unknown(const clang::Expr *E, EmbeddedKernel &K) {
  // At the start of a line it is whole lines: other kernels or statements.
  K.IsGuessed = true;
  if (!E->getType()->isArithmeticType() && (K.Source.empty() || K.Source.back() == '\n'))
    return;
  const ValueDecl *D = declOf(E);
  std::string Name = HostStandIn.str() + (D && D->getDeclName().isIdentifier()
                                              ? D->getName().str()
                                              : "TEXT" + std::to_string(++Unknowns));
  SourceRange At = Locations.range(E->getSourceRange());
  if (K.Source.empty())
    K.Range = At;
  bool Exact = K.Offsets.size() == K.Source.size();
  // Two of them in a row are two texts.
  StringRef Last = StringRef(K.Source);
  Last = Last.drop_front(Last.find_last_not_of(NameCharacters) + 1);
  if (Last.contains(HostStandIn))
    Name = " " + Name;
  K.Source += Name;
  locate(K, At, Exact);
}

/// Computed text is located at its expression.
void HostStrings::known(StringRef Text, const clang::Expr *E, EmbeddedKernel &K) {
  SourceRange At = Locations.range(E->getSourceRange());
  if (K.Source.empty())
    K.Range = At;
  bool Exact = K.Offsets.size() == K.Source.size();
  K.Source += Text;
  locate(K, At, Exact);
}

bool HostStrings::pieces(const clang::Expr *E, EmbeddedKernel &K, Pieces &Used, unsigned Depth) {
  E = plain(E);
  if (!E || Depth > 64)
    return false;
  if (const auto *S = dyn_cast<clang::StringLiteral>(E)) {
    if (isText(S))
      piece(S, K, Used);
    return isText(S);
  }
  if (const auto *C = dyn_cast<CXXOperatorCallExpr>(E);
      C && C->getOperator() == OO_Plus && C->getNumArgs() == 2)
    return pieces(C->getArg(0), K, Used, Depth + 1) && pieces(C->getArg(1), K, Used, Depth + 1);
  if (const auto *C = dyn_cast<CXXConstructExpr>(E); C && C->getNumArgs() >= 1)
    return pieces(C->getArg(0), K, Used, Depth + 1);
  // (single ? "float" : "double"): one of them
  if (const auto *C = dyn_cast<clang::ConditionalOperator>(E);
      C && isa<clang::StringLiteral>(plain(C->getTrueExpr())))
    return pieces(C->getTrueExpr(), K, Used, Depth + 1);
  // '\n' and std::endl are known as they are.
  std::optional<char> Single;
  if (const auto *C = dyn_cast<clang::CharacterLiteral>(E); C && C->getValue() < 128)
    Single = char(C->getValue());
  if (const auto *R = dyn_cast<clang::DeclRefExpr>(E);
      R && R->getNameInfo().getAsString() == "endl")
    Single = '\n';
  if (const auto *U = dyn_cast<clang::UnresolvedLookupExpr>(E);
      U && U->getName().getAsString() == "endl")
    Single = '\n';
  if (Single) {
    known(std::string(1, *Single), E, K);
    return true;
  }
  if (const ValueDecl *D = declOf(E)) {
    HostValues::Origin O = Known.origin(D, std::nullopt, E, nullptr);
    if (O.Value && !O.ByDefault)
      return pieces(O.Value, K, Used, Depth + 1);
  }
  std::optional<std::string> Text = Known.string(E);
  if (!Text) {
    // Only between known pieces.
    if (!Depth || E->isTypeDependent())
      return false;
    unknown(E, K);
    return true;
  }
  known(*Text, E, K);
  return true;
}

void HostStrings::joined(EmbeddedKernel K, ArrayRef<const clang::StringLiteral *> Used) {
  if (Used.empty() || !looksLikeKernel(K.Source) || K.Source.size() > 1 << 20)
    return;
  // All are parts of a text that was added before.
  if (all_of(Used, [&](const auto *S) { return Joined.count(S) != 0; }))
    return;
  Joined.insert(Used.begin(), Used.end());
  // The range of the whole is that of the literal with the word `kernel`.
  for (const auto *S : Used)
    if (S->getString().contains("kernel")) {
      K.Range = Locations.range(S->getSourceRange());
      break;
    }
  embed(std::move(K));
}

void HostStrings::embed(EmbeddedKernel K) {
  if (K.Offsets.empty() || all_of(K.OffsetFiles, [&](uint32_t F) { return F == K.Range.File; }))
    K.OffsetFiles.clear();
  // A macro that is used twice gives one text.
  if (!K.Offsets.empty() && any_of(M.Kernels, [&](const EmbeddedKernel &E) {
        return E.Range.File == K.Range.File && E.Offsets == K.Offsets && E.Source == K.Source;
      }))
    return;
  M.Kernels.push_back(std::move(K));
}

void HostStrings::literal(const clang::StringLiteral *S) {
  if (!isText(S))
    return;
  StringRef Text = S->getString();
  if (Text.size() < 256 && !Text.contains('\n')) {
    size_t At = Text.rfind(".cl");
    if (At != StringRef::npos && At + 3 == Text.size() && At > 0 &&
        !is_contained(M.KernelFiles, Text))
      M.KernelFiles.push_back(Text.str());
  }
  if (!looksLikeKernel(Text))
    return;
  Literals.push_back(S);
  const SourceManager &SM = Ctx.getSourceManager();
  for (unsigned I = 0; I < S->getNumConcatenated(); ++I)
    if (SourceLocation At = SM.getFileLoc(S->getStrTokenLoc(I)); SM.isInMainFile(At))
      M.LiteralsSeen.push_back(SM.getFileOffset(At));
}

void HostStrings::list(const InitListExpr *L) {
  if (L->getNumInits() < 2)
    return;
  EmbeddedKernel K;
  SmallVector<const clang::StringLiteral *, 16> Used;
  bool Fragments = false;
  for (const clang::Expr *E : L->inits()) {
    const auto *S = dyn_cast_or_null<clang::StringLiteral>(E ? plain(E) : nullptr);
    // {"...", NULL}
    if (!S && E &&
        E->isNullPointerConstant(Ctx, clang::Expr::NPC_ValueDependentIsNotNull) !=
            clang::Expr::NPCK_NotNull)
      break;
    if (const auto *C = dyn_cast_or_null<clang::ConditionalOperator>(E ? plain(E) : nullptr);
        C && pieces(C, K, Used, 1))
      continue;
    if (!S || !isText(S))
      return;
    // A list of whole sources is a choice, and not one text.
    Fragments |=
        !looksLikeKernel(S->getString()) || S->getString().count('{') != S->getString().count('}');
    piece(S, K, Used);
  }
  if (Fragments)
    joined(std::move(K), Used);
}

void HostStrings::sum(const clang::Expr *E) {
  EmbeddedKernel K;
  SmallVector<const clang::StringLiteral *, 16> Used;
  if (pieces(E, K, Used, 0))
    joined(std::move(K), Used);
}

void HostStrings::sum(const ValueDecl *D) {
  ArrayRef<HostWrite> All = Flow.writes(D);
  if (none_of(All, [](const HostWrite &W) { return W.K == HostWrite::Append; }))
    return;
  EmbeddedKernel K;
  SmallVector<const clang::StringLiteral *, 16> Used;
  for (const HostWrite &W : All) {
    if (W.K == HostWrite::Start && !W.Value)
      continue;
    if (W.Element ||
        (W.K != HostWrite::Start && W.K != HostWrite::Assign && W.K != HostWrite::Append))
      return;
    if (W.K != HostWrite::Append) {
      if (!K.Source.empty())
        return;
      if (const auto *Made = dyn_cast<CXXConstructExpr>(plain(W.Value));
          Made && Made->getNumArgs() == 0)
        continue;
    }
    if (!pieces(W.Value, K, Used, W.K == HostWrite::Append))
      return;
  }
  joined(std::move(K), Used);
}

void HostStrings::finish() {
  for (const clang::StringLiteral *S : Literals) {
    if (Joined.count(S))
      continue;
    EmbeddedKernel K;
    SmallVector<const clang::StringLiteral *, 16> Used;
    piece(S, K, Used);
    embed(std::move(K));
  }
  llvm::stable_sort(M.Kernels, [](const EmbeddedKernel &A, const EmbeddedKernel &B) {
    return std::tie(A.Range.File, A.Range.Begin) < std::tie(B.Range.File, B.Range.Begin);
  });
}

} // namespace clmali::model
