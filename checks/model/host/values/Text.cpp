//===-- checks/model/host/values/Text.cpp - The text that host variables hold -----===//
//
// Names, options and kernels that a program composes of literals, with +, printf and streams. The
// parts that are known only at run time are marked in the text.
//
//===----------------------------------------------------------------------===//

#include "checks/model/host/values/Values.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace clang;
using namespace llvm;

namespace clmali::model {

// The model has classes of these names, too.
using clang::Expr;
using clang::Stmt;

std::optional<std::string> HostValues::string(const Expr *E, const HostFrame *F) const {
  std::optional<std::string> S = options(E, F);
  return S && StringRef(*S).find_first_of("\1\2") == StringRef::npos ? S : std::nullopt;
}

/// Around a part of a text that depends on a condition.
static constexpr char SometimesBegin = '\3', SometimesEnd = '\4';

static std::string sometimes(const std::string &Text) {
  return SometimesBegin + Text + SometimesEnd;
}

/// Text without the marks, and with one of the parts between them: the one of that number, from 1;
/// 0: all; more than Parts: none.
static std::string without(StringRef Text, unsigned Part, unsigned &Parts) {
  std::string Result;
  unsigned Depth = 0;
  bool Taken = true;
  Parts = 0;
  for (char C : Text) {
    if (C == SometimesBegin && ++Depth == 1)
      Taken = ++Parts == Part || Part == 0;
    else if (C == SometimesEnd && --Depth == 0)
      Taken = true;
    else if (C != SometimesBegin && C != SometimesEnd && Taken)
      Result += C;
  }
  return Result;
}

std::optional<std::string> HostValues::options(const Expr *E, const HostFrame *F) const {
  QueryScope Scope(*this);
  unsigned Parts;
  std::optional<std::string> Text = text(E, F, 0);
  return Text ? std::optional(without(*Text, 0, Parts)) : std::nullopt;
}

std::vector<std::string> HostValues::optionSets(const Expr *E, const HostFrame *F) const {
  QueryScope Scope(*this);
  std::optional<std::string> Text = text(E, F, 0);
  if (!Text)
    return {};
  unsigned Parts = 0, Ignored;
  std::vector<std::string> Result{without(*Text, 0, Parts)};
  for (unsigned Part = 1; Parts && Part <= Parts + 1; ++Part)
    Result.push_back(without(*Text, Part, Ignored));
  return Result;
}

std::optional<std::string> HostValues::text(const Expr *E, const HostFrame *F,
                                            unsigned Depth) const {
  if (!E || Depth > 24 || !Budget || E->isTypeDependent())
    return std::nullopt;
  --Budget;
  auto Down = [&](const Expr *X) { return text(X, F, Depth + 1); };
  auto OrUnknown = [&](const Expr *X) { return Down(X).value_or("\2"); };
  E = plain(E);
  if (const auto *L = dyn_cast<InitListExpr>(E);
      L && L->getNumInits() == 1 && L->getType()->isPointerType())
    return Down(L->getInit(0)); // const char *options = {""}
  if (const auto *S = dyn_cast<clang::StringLiteral>(E))
    return S->getCharByteWidth() == 1 ? std::optional(S->getString().str()) : std::nullopt;
  if (const auto *C = dyn_cast<CastExpr>(E))
    return E->getType()->isPointerType() || E->getType()->isRecordType() ? Down(C->getSubExpr())
                                                                         : std::nullopt;
  if (const auto *C = dyn_cast<CXXConstructExpr>(E)) {
    // Of strings and streams; an empty vector is no text.
    if (const CXXRecordDecl *R = C->getConstructor()->getParent();
        !R->getDeclName().isIdentifier() || !R->getName().contains_insensitive("str"))
      return std::nullopt;
    if (C->getNumArgs() == 0)
      return "";
    return C->getArg(0)->getType()->isIntegralOrEnumerationType() ? std::nullopt
                                                                  : Down(C->getArg(0));
  }
  if (const auto *C = dyn_cast<ConditionalOperator>(E)) {
    if (std::optional<bool> Cond = condition(C->getCond(), F, Depth))
      return Down(*Cond ? C->getTrueExpr() : C->getFalseExpr());
    std::optional<std::string> Then = Down(C->getTrueExpr()), Else = Down(C->getFalseExpr());
    // Both, and a mark: neither alone is the text.
    return Then || Else ? std::optional(sometimes(Then.value_or("\2")) + " " +
                                        sometimes(Else.value_or("\2")) + " \2")
                        : std::nullopt;
  }
  if (const auto *C = dyn_cast<CXXOperatorCallExpr>(E)) {
    if (C->getOperator() == OO_Plus && C->getNumArgs() == 2)
      return OrUnknown(C->getArg(0)) + OrUnknown(C->getArg(1));
    return std::nullopt;
  }
  if (const auto *C = dyn_cast<CXXMemberCallExpr>(E)) {
    const CXXMethodDecl *Method = C->getMethodDecl();
    // "-DN=" + toText(n), where toText is not declared, is converted to a string.
    if (isa_and_nonnull<CXXConversionDecl>(Method) &&
        isa<CXXOperatorCallExpr>(plain(C->getImplicitObjectArgument())))
      return Down(C->getImplicitObjectArgument());
    if (Method && Method->getDeclName().isIdentifier() &&
        StringSwitch<bool>(Method->getName()).Cases("c_str", "data", "str", true).Default(false))
      return Down(C->getImplicitObjectArgument());
    return std::nullopt;
  }
  if (const auto *C = dyn_cast<CallExpr>(E))
    return textOfCall(C, F, Depth);
  if (isa<DeclRefExpr>(E) || isa<MemberExpr>(E))
    return textOf(declOf(E), E, F, Depth + 1);
  if (const auto *Sub = dyn_cast<ArraySubscriptExpr>(E)) { // names[0]
    std::optional<int64_t> At = integer(Sub->getIdx(), F);
    Origin O = At && *At >= 0 ? origin(declOf(Sub->getBase()), *At, E, F) : Origin();
    return O.Value ? text(O.Value, O.Frame, Depth + 1) : std::nullopt;
  }
  if (E->isNullPointerConstant(Ctx, Expr::NPC_ValueDependentIsNotNull) != Expr::NPCK_NotNull)
    return std::nullopt;
  // ss << 16 or a number whose value is not known.
  return std::nullopt;
}

/// to_string(n), the calls that write texts, and functions that only return one.
std::optional<std::string> HostValues::textOfCall(const CallExpr *C, const HostFrame *F,
                                                  unsigned Depth) const {
  const FunctionDecl *Callee = calleeOf(C);
  if (!Callee || !Callee->getDeclName().isIdentifier())
    return std::nullopt;
  StringRef Name = Callee->getName();
  if (Name == "to_string" && C->getNumArgs() == 1) {
    Maybe N = eval(C->getArg(0), F, Depth + 1, nullptr);
    return N && !N->IsFloat && !N->ByDefault ? itostr(N->I) : std::string("\1");
  }
  if (Name == "sprintf" || Name == "snprintf")
    return formatted(C, F, Depth);
  if ((Name == "strcpy" || Name == "strncpy") && C->getNumArgs() >= 2)
    return text(C->getArg(1), F, Depth + 1);
  // const std::string &source() { static const std::string text = ".."; return text; }
  SmallVector<const FunctionDecl *, 4> Bodies = Flow.bodiesOf(C);
  if (C->getNumArgs() || Bodies.size() != 1 || Depth > MaxDepth)
    return std::nullopt;
  const auto *Body = dyn_cast_or_null<CompoundStmt>(Bodies.front()->getBody());
  const auto *Last =
      Body && !Body->body_empty() ? dyn_cast<ReturnStmt>(Body->body_back()) : nullptr;
  bool Plain = Last && Last->getRetValue() && llvm::all_of(Body->body(), [&](const Stmt *S) {
                 return S == Last || isa<DeclStmt>(S);
               });
  return Plain ? text(Last->getRetValue(), nullptr, Depth + 1) : std::nullopt;
}

bool HostValues::isNoText(const Expr *E, const HostFrame *F) const {
  E = plain(E);
  while (const auto *C = dyn_cast_or_null<CXXConstructExpr>(E)) // std::string(options)
    E = C->getNumArgs() ? plain(C->getArg(0)) : nullptr;
  return E && !E->isTypeDependent() && E->getType()->isPointerType() && isNull(E, F);
}

/// The text of a variable after some of its writes.
struct HostValues::TextSoFar {
  std::optional<std::string> Text;
  bool IsWhole = false; ///< a whole value was assigned
  // Of the next write.
  bool IsLocal = false;       ///< in the function of the use
  bool IsConditional = false; ///< under a condition, or in a loop, that is not around the use
};

std::optional<std::string> HostValues::textOf(const ValueDecl *D, const Expr *Use,
                                              const HostFrame *F, unsigned Depth) const {
  if (!D || Depth > 24 || isForeign(D))
    return std::nullopt;
  if (const auto *P = dyn_cast<ParmVarDecl>(D)) {
    const HostFrame *At = F;
    while (At && P->getDeclContext() != At->Callee)
      At = At->Up;
    if (Flow.writes(D).empty())
      return At && P->getFunctionScopeIndex() < At->Args.size()
                 ? text(At->Args[P->getFunctionScopeIndex()], At->Up, Depth + 1)
                 : std::nullopt;
  }
  // Whole values and what is added to them, in the order of the source. Text that is added under a
  // condition counts: the result is what may be in the variable.
  const SourceManager &SM = Ctx.getSourceManager();
  auto EndOf = [&](const Stmt *S) { return SM.getFileOffset(SM.getExpansionLoc(S->getEndLoc())); };
  unsigned Here = EndOf(Use);
  const FunctionDecl *Mine = Flow.functionOf(Use);
  TextSoFar So;
  for (const HostWrite &W : Flow.writes(D)) {
    So.IsLocal = W.At && Flow.functionOf(W.At) == Mine;
    if (So.IsLocal && EndOf(W.At) > Here && !Flow.isInside(Use, W.At))
      continue;
    if (W.At && Flow.isInside(Use, W.At))
      continue;
    So.IsConditional = isConditional(W, Use);
    switch (W.K) {
    case HostWrite::Start:
    case HostWrite::Assign:
    case HostWrite::Format:
      if (!assignText(W, So, F, Depth))
        return std::nullopt;
      break;
    case HostWrite::Append:
      appendText(W, So, F, Depth);
      break;
    default:
      // An argument of a function that may write to it.
      if (W.At && So.IsLocal && !isa<CXXConstructExpr>(W.At))
        So.Text = So.Text.value_or("") + "\2";
      break;
    }
  }
  return So.Text;
}

bool HostValues::isConditional(const HostWrite &W, const Expr *Use) const {
  for (const Stmt *P = W.At ? Flow.parent(W.At) : nullptr; P; P = Flow.parent(P))
    if ((isa<IfStmt>(P) || isa<SwitchStmt>(P) || Flow.isLoop(P)) && !Flow.isInside(Use, P))
      return true;
  return false;
}

/// Adds a write of a whole value. False: another value was assigned, and it is not known which of
/// them holds.
bool HostValues::assignText(const HostWrite &W, TextSoFar &So, const HostFrame *F,
                            unsigned Depth) const {
  if (W.K == HostWrite::Start && !W.Value)
    return true;
  std::optional<std::string> Text;
  if (W.Element) {
    Text = ""; // options[0] = 0;
  } else {
    bool IsList = false;
    if (W.K == HostWrite::Start && isa<InitListExpr>(plain(W.Value)) &&
        !elementOf(W.Value, 0, IsList))
      Text = "";
    else
      Text = text(W.Value, W.At ? F : nullptr, Depth + 1);
  }
  if (W.K == HostWrite::Start && (!Text || Text->empty())) {
    if (W.Value->isNullPointerConstant(Ctx, Expr::NPC_ValueDependentIsNotNull) !=
        Expr::NPCK_NotNull)
      return true;
    if (Text) {
      So.Text = "";
      return true;
    }
  }
  if (So.IsWhole && So.Text && W.At && !So.IsLocal)
    return false;
  So.IsWhole = true;
  if (!Text) {
    So.Text = "\2";
    return true;
  }
  // s = s + "..." contains the old text; a conditional value may be either.
  bool Either = So.IsConditional && *Text != "";
  if (Either)
    Text = sometimes(*Text);
  if (Either && So.Text && !So.Text->empty() && *So.Text != *Text)
    So.Text = *So.Text + " " + *Text;
  else
    So.Text = Text;
  return true;
}

void HostValues::appendText(const HostWrite &W, TextSoFar &So, const HostFrame *F,
                            unsigned Depth) const {
  std::optional<std::string> Text = text(W.Value, F, Depth + 1);
  if (!Text && isNoText(W.Value, F))
    Text = "";
  if (!Text) {
    Maybe N = eval(W.Value, F, Depth + 1, nullptr);
    if (N && !N->IsFloat && !N->ByDefault)
      Text = itostr(N->I);
    else if (W.Value->getType()->isArithmeticType())
      Text = "\1";
    else
      Text = "\2";
  }
  if (So.IsConditional)
    Text = sometimes(*Text);
  So.Text = So.Text.value_or("") + *Text;
}

std::optional<std::string> HostValues::formatted(const CallExpr *C, const HostFrame *F,
                                                 unsigned Depth) const {
  const FunctionDecl *Callee = calleeOf(C);
  unsigned Format = Callee && Callee->getName() == "snprintf" ? 2 : 1;
  std::optional<std::string> Text =
      Format < C->getNumArgs() ? text(C->getArg(Format), F, Depth + 1) : std::nullopt;
  if (!Text)
    return std::nullopt;
  std::string Result;
  unsigned Next = Format + 1;
  for (size_t I = 0; I < Text->size(); ++I) {
    if ((*Text)[I] != '%') {
      Result += (*Text)[I];
      continue;
    }
    size_t End = Text->find_first_of("diuxXfgeEscp%", I + 1);
    if (End == std::string::npos)
      return std::nullopt;
    char Conversion = (*Text)[End];
    bool Plain = StringRef(*Text).slice(I + 1, End).find_first_not_of("lzhj") == StringRef::npos;
    I = End;
    if (Conversion == '%') {
      Result += '%';
      continue;
    }
    const Expr *A = Next < C->getNumArgs() ? C->getArg(Next) : nullptr;
    ++Next;
    Maybe N = A && Plain && StringRef("diu").contains(Conversion) ? eval(A, F, Depth + 1, nullptr)
                                                                  : std::nullopt;
    if (N && !N->IsFloat && !N->ByDefault)
      Result += itostr(N->I);
    else if (A && Plain && Conversion == 's')
      Result += text(A, F, Depth + 1).value_or("\2");
    else
      Result += Conversion == 's' ? '\2' : '\1';
  }
  return Result;
}

} // namespace clmali::model
