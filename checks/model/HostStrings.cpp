//===-- checks/model/HostStrings.cpp - Kernels in strings -----------------===//

#include "checks/model/HostStrings.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;
using namespace llvm;

namespace clmali::model {

static bool isText(const clang::StringLiteral *S) {
  return (S->isOrdinary() || S->isUTF8() || S->isUnevaluated()) && S->getCharByteWidth() == 1;
}

/// A kernel, not a message that speaks of one.
static bool looksLikeKernel(StringRef Text) {
  return Text.contains("kernel") && Text.contains('(') && Text.contains('{') && Text.contains('}');
}

void HostStrings::piece(const clang::StringLiteral *S, EmbeddedKernel &K, Pieces &Used) {
  const SourceManager &SM = Ctx.getSourceManager();
  StringRef Text = S->getString();
  bool Exact = K.Offsets.size() == K.Source.size();
  if (K.Source.empty())
    K.Range = Places.range(S->getSourceRange());
  K.Source += Text;
  Used.push_back(S);
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
  if (const auto *C = dyn_cast<CXXOperatorCallExpr>(E); C && C->getOperator() == OO_Plus && C->getNumArgs() == 2)
    return pieces(C->getArg(0), K, Used, Depth + 1) && pieces(C->getArg(1), K, Used, Depth + 1);
  if (const auto *C = dyn_cast<CXXConstructExpr>(E); C && C->getNumArgs() >= 1)
    return pieces(C->getArg(0), K, Used, Depth + 1);
  if (const ValueDecl *D = declOf(E)) {
    HostValues::Origin O = Known.origin(D, std::nullopt, E, nullptr);
    if (O.Value && !O.ByDefault)
      return pieces(O.Value, K, Used, Depth + 1);
  }
  std::optional<std::string> Text = Known.string(E);
  if (!Text)
    return false;
  // Computed: all of it lies at the expression.
  SourceRange At = Places.range(E->getSourceRange());
  if (K.Source.empty())
    K.Range = At;
  bool Exact = K.Offsets.size() == K.Source.size() && At.File == 0;
  K.Source += *Text;
  if (Exact)
    K.Offsets.resize(K.Source.size(), At.Begin);
  else
    K.Offsets.clear();
  return true;
}

void HostStrings::joined(EmbeddedKernel K, ArrayRef<const clang::StringLiteral *> Used) {
  if (Used.empty() || !looksLikeKernel(K.Source) || K.Source.size() > 1 << 20)
    return;
  // Parts of something that was seen before.
  if (all_of(Used, [&](const auto *S) { return Joined.count(S) != 0; }))
    return;
  Joined.insert(Used.begin(), Used.end());
  // The place of the whole is that of its kernel.
  for (const auto *S : Used)
    if (S->getString().contains("kernel")) {
      K.Range = Places.range(S->getSourceRange());
      break;
    }
  embed(std::move(K));
}

void HostStrings::embed(EmbeddedKernel K) {
  if (K.Range.File == 0)
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
  if (looksLikeKernel(Text))
    Literals.push_back(S);
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
    if (!S && E && E->isNullPointerConstant(Ctx, clang::Expr::NPC_ValueDependentIsNotNull) != clang::Expr::NPCK_NotNull)
      break;
    if (!S || !isText(S))
      return;
    // Whole sources, one of which is taken, are not joined.
    Fragments |= !looksLikeKernel(S->getString()) || S->getString().count('{') != S->getString().count('}');
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
    if (W.Element || (W.K != HostWrite::Start && W.K != HostWrite::Assign && W.K != HostWrite::Append))
      return;
    if (W.K != HostWrite::Append) {
      if (!K.Source.empty())
        return;
      if (const auto *Made = dyn_cast<CXXConstructExpr>(plain(W.Value)); Made && Made->getNumArgs() == 0)
        continue;
    }
    if (!pieces(W.Value, K, Used, 0))
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
    return A.Range.Begin < B.Range.Begin;
  });
}

} // namespace clmali::model
