//===-- rewriters/print/Print.cpp - Statements and kernels as text --------------===//
//
// What it does: prints the statements of a kernel in C's idioms (for, else if, early return, +=,
// ++), the signature (Signature.cpp) and the contract comment, and formats them with LibFormat.
//
//   before (model)                        after (text)
//   if (i >= n) {} else { // early return if (i >= n)
//     store y[i] = load y[i] + 1            return;
//   }                                     y[i] += 1;
//
//===----------------------------------------------------------------------===//

#include "checks/model/ir/Samplers.h"
#include "checks/model/ir/StructureExits.h"
#include "rewriters/launch/Expression.h"
#include "rewriters/print/KernelPrinter.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <set>

using namespace clmali::model;
using llvm::StringRef;

namespace clmali::rewrite {

//===----------------------------------------------------------------------===//
// Statements
//===----------------------------------------------------------------------===//

std::string KernelPrinter::typeOf(const Var *V) const {
  const Type *T = V->Ty;
  while (T->K == Type::Array)
    T = T->Elem;
  const auto Local = LocalTypes.find(T);
  std::string S = Local == LocalTypes.end() ? spelledType(V, T) : Local->second;
  bool Const = startsWithWord(sourceText(V->Range), "const") && !L.Reassigned.contains(V);
  if (V->K != Var::Memory)
    return (Const ? "const " : "") + S;
  if (V->AS == AddressSpace::Local)
    return "__local " + S;
  if (V->AS == AddressSpace::Constant)
    return "__constant " + S;
  return Const || !V->Ints.empty() || !V->Floats.empty() ? "const " + S : S;
}

std::string KernelPrinter::declarator(const Var *V) const {
  std::string S = nameOf(V);
  // Lengths as the user wrote them (tile[TILE][TILE + 1]), if they still have these values.
  std::string Source = sourceText(V->Range);
  size_t At = findWord(Source, V->Name);
  StringRef Written =
      At == StringRef::npos ? StringRef() : StringRef(Source).substr(At + V->Name.size()).ltrim();
  for (const Type *T = V->Ty; T->K == Type::Array; T = T->Elem) {
    std::string Length = std::to_string(T->Count);
    if (Written.consume_front("[")) {
      auto [Text, Rest] = Written.split(']');
      if (lengthIs(Text, T->Count))
        Length = Text.trim().str();
      Written = Rest.ltrim();
    }
    S += "[" + Length + "]";
  }
  return S;
}

/// True if Text, an expression of the file's integer macros, has the value Count.
bool KernelPrinter::lengthIs(StringRef Text, uint64_t Count) const {
  llvm::Expected<launch::Expression> E = launch::Expression::parse(Text);
  if (!E) {
    llvm::consumeError(E.takeError());
    return false;
  }
  launch::Bindings Values;
  for (const std::string &Name : E->names()) {
    auto It = Macros.Body.find(Name);
    StringRef Body = It == Macros.Body.end() ? StringRef() : StringRef(It->second).trim();
    if (Body.consume_front("(") && !Body.consume_back(")"))
      return false;
    int64_t Value;
    if (Body.getAsInteger(0, Value))
      return false;
    Values[Name] = Value;
  }
  llvm::Expected<int64_t> Value = E->evaluate(Values);
  if (!Value) {
    llvm::consumeError(Value.takeError());
    return false;
  }
  return *Value >= 0 && uint64_t(*Value) == Count;
}

/// `x = e`, `x += e` or `++x`.
std::string KernelPrinter::assignment(const std::string &LValue, CType Ty, const Expr *E) const {
  std::string OpText;
  if (std::optional<std::string> Right = Print.compound(LValue, Ty, E, OpText))
    return Right->empty() ? OpText + LValue : LValue + " " + OpText + " " + *Right;
  return LValue + " = " + Print.initialiser(E);
}

/// `T v = ` or `v = ` before a call that gives V its value.
std::string KernelPrinter::target(const Stmt *S) const {
  if (const Stmt *T = L.Taker.lookup(S))
    return (T->K == StmtKind::Decl && !L.AsAssign.contains(T) ? declaration(T->V) : nameOf(T->V)) +
           " = ";
  if (!S->V)
    return "";
  return (L.AsDecl.contains(S) ? declaration(S->V) : nameOf(S->V)) + " = ";
}

static std::string fenceText(const Stmt *S) {
  if (S->LocalFence && S->GlobalFence)
    return "CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE";
  if (S->LocalFence)
    return "CLK_LOCAL_MEM_FENCE";
  return S->GlobalFence ? "CLK_GLOBAL_MEM_FENCE" : "0";
}

static std::string escaped(StringRef Text) {
  std::string S;
  for (unsigned char C : Text) {
    if (C == '\n')
      S += "\\n";
    else if (C == '\t')
      S += "\\t";
    else if (C == '"' || C == '\\')
      S += std::string("\\") + char(C);
    else if (C < ' ')
      S += llvm::formatv("\\{0}{1}{2}", C >> 6, (C >> 3) & 7, C & 7);
    else
      S += char(C);
  }
  return S;
}

/// The model does not record which events a wait is for: the one of its own statement, the one that
/// the user named, or all pending ones.
std::string KernelPrinter::waitText(const Stmt *S) const {
  if (S->V)
    return "wait_group_events(1, &" + nameOf(S->V) + ")";
  std::string Text;
  std::string Copy = sourceText(S->Range);
  for (const Var *V : Events)
    if (findWord(Copy, V->Name) != StringRef::npos || Events.size() == 1)
      return "wait_group_events(1, &" + nameOf(V) + ")";
  for (const Var *V : Events)
    Text += (Text.empty() ? "" : ";\n") + ("wait_group_events(1, &" + nameOf(V) + ")");
  return Text.empty() ? Copy : Text;
}

/// Finds copies that share an event with an earlier, pending one.
void KernelPrinter::followEvents(const StmtList &B, llvm::DenseSet<const Var *> &Waiting) {
  for (Stmt *S : B) {
    if (S->K == StmtKind::AsyncCopy && S->V) {
      if (!llvm::is_contained(Events, S->V))
        Events.push_back(S->V);
      if (!Waiting.insert(S->V).second)
        Joined.insert(S);
    }
    if (S->K == StmtKind::Call && S->Name == "wait_group_events")
      Waiting.clear();
    forEachStmtList(*S, [&](StmtList &Nested) { followEvents(Nested, Waiting); });
    // Pending at the back edge.
    if (S->K == StmtKind::Loop && !Waiting.empty())
      forEachStmtList(*S, [&](StmtList &Nested) { followEvents(Nested, Waiting); });
  }
}

/// S as one expression statement, without the semicolon.
std::optional<std::string> KernelPrinter::expression(const Stmt *S) const {
  auto Arguments = [&](bool Comma) {
    std::string List;
    bool Counts =
        S->K == StmtKind::AsyncCopy || S->Name == "prefetch"; // a size_t, converted implicitly
    for (const Expr *A : S->Args)
      List += (Comma || !List.empty() ? ", " : "") +
              (Counts ? Print.initialiser(A) : Print.argument(A));
    return List;
  };
  switch (S->K) {
  case StmtKind::Decl: {
    if (!L.AsAssign.contains(S))
      return std::nullopt;
    if (takesSecondResult(S))
      return Print.withBothResults(S->E, nameOf(S->V));
    return assignment(nameOf(S->V), ctype(S->V->Ty), S->E);
  }
  case StmtKind::Assign: {
    if (L.AsDecl.contains(S))
      return target(S) + Print.initialiser(S->E);
    if (takesSecondResult(S))
      return Print.withBothResults(S->E, nameOf(S->V));
    CType Ty = ctype(S->V->Ty);
    std::string LValue = nameOf(S->V);
    if (!S->LaneIdx.empty()) {
      LValue += swizzleText(S->LaneIdx, Ty.Lanes);
      Ty.Lanes = S->LaneIdx.size();
    }
    return assignment(LValue, Ty, S->E);
  }
  case StmtKind::Store: {
    if (S->Acc.Elem == ScalarKind::Half && Print.isHalfInMemory(S->E))
      return Print.halfStore(S->Acc, S->E);
    if (S->Acc.F == Access::VLoad && S->Acc.Lanes > 1)
      return Print.vectorStore(S->Acc, S->E);
    std::string LValue = Print.lvalue(S->Acc).S;
    if (S->Acc.Volatile)
      return LValue + " = " + Print.initialiser(S->E);
    return assignment(LValue, {S->Acc.Elem, S->Acc.Lanes}, S->E);
  }
  case StmtKind::ImageWrite:
    return S->Name + "(" + nameOf(S->Image) + Arguments(true) + ", " + Print.argument(S->E) + ")";
  case StmtKind::Barrier:
    return S->Name + "(" + fenceText(S) + ")";
  case StmtKind::Atomic: {
    // The built-in takes a pointer to volatile; no qualifier is needed.
    Access Acc = S->Acc;
    Acc.Volatile = false;
    std::string Address = Print.pointer(Acc);
    if (ExprText At = Print.lvalue(Acc);
        At.Prec == PrecPostfix && StringRef(Address).contains(" + "))
      Address = "&" + At.S;
    return target(S) + S->Name + "(" + Address + Arguments(true) + ")";
  }
  case StmtKind::AsyncCopy: {
    // Joined to the event that has not been waited for yet.
    std::string Event = S->V && Joined.contains(S) ? nameOf(S->V) : "0";
    return target(S) + S->Name + "(" + Print.pointer(S->Acc) + ", " + Print.pointer(S->Source) +
           Arguments(true) + ", " + Event + ")";
  }
  case StmtKind::Call:
    if (S->Name == "printf")
      return "printf(\"" + escaped(S->Text) + "\"" + Arguments(true) + ")";
    if (S->Name == "prefetch" && S->Acc.Base)
      return "prefetch(" + Print.pointer(S->Acc) + Arguments(true) + ")";
    if (S->Name == "wait_group_events")
      return waitText(S);
    return target(S) + S->Name + "(" + Arguments(false) + ")";
  default:
    return std::nullopt;
  }
}

/// True if the source has an empty line above S (and its comments).
bool KernelPrinter::spacedFrom(const Stmt *Before, const Stmt *S) const {
  const SourceRange &A = Before->Range, &B = S->Range;
  auto IsOwn = [&](const SourceRange &R) { // not of a helper
    return R.isValid() && R.File == K.BodyRange.File && K.BodyRange.Begin <= R.Begin &&
           R.End <= K.BodyRange.End;
  };
  if (!IsOwn(A) || !IsOwn(B) || B.File >= M.Files.size() || A.End > B.Begin)
    return false;
  StringRef Gap = StringRef(M.Files[B.File].Text).slice(A.End, B.Begin);
  for (size_t At = Gap.find('\n'); At != StringRef::npos; At = Gap.find('\n', At + 1))
    if (Gap.substr(At + 1).ltrim(" \t\r").starts_with("\n"))
      return true;
  return false;
}

void KernelPrinter::block(const StmtList &B, bool Tail) {
  const Stmt *Before = nullptr;
  for (size_t I = 0; I < B.size(); ++I) {
    if (Before && Pending.empty() && prints(B[I]) && spacedFrom(Before, B[I]))
      line("");
    if (I + 1 < B.size() && bothResults(B[I], B[I + 1]))
      ++I;
    else
      stmt(B[I], Tail, I + 1 == B.size(), B);
    if (B[I]->Range.isValid())
      Before = B[I];
  }
}

/// The value of a constant sampler, as a program writes it.
static std::string samplerText(SamplerBits Bits) {
  static constexpr llvm::StringLiteral Address[] = {"NONE", "CLAMP_TO_EDGE", "CLAMP", "REPEAT",
                                                    "MIRRORED_REPEAT"};
  std::string S = Bits.Normalized ? "CLK_NORMALIZED_COORDS_TRUE" : "CLK_NORMALIZED_COORDS_FALSE";
  S += (" | CLK_ADDRESS_" + Address[std::min<unsigned>(Bits.Mode, 4)]).str();
  return S + (Bits.Linear ? " | CLK_FILTER_LINEAR" : " | CLK_FILTER_NEAREST");
}

/// Samplers that were constants of the original's body, and parameters that it uses and this one
/// does not. The argument list stays, so they are marked as unused.
void KernelPrinter::unusedNow() {
  llvm::DenseSet<const Var *> Used;
  llvm::SetVector<const Var *> Samplers;
  auto See = [&](const Expr *E) {
    walk(E, [&](const Expr *X) {
      for (const Var *V : {X->V, X->Acc.Base, X->Image, X->Sampler})
        Used.insert(V);
      if (X->Sampler && X->Sampler->K == Var::SamplerConst && !X->Sampler->ProgramScope)
        Samplers.insert(X->Sampler);
      return true;
    });
  };
  walk(K.Body, [&](Stmt *S) {
    for (const Var *V : {S->V, S->Acc.Base, S->Source.Base, S->Image})
      Used.insert(V);
    forEachExpr(*S, See);
    return true;
  });
  std::string Original = sourceText(K.BodyRange);
  // The work-items that a block runs one by one may come from another copy of the kernel, with a
  // sampler of the same name and bits.
  std::set<std::string> Declared;
  for (const Var *V : Samplers) {
    const std::string Text =
        "const sampler_t " + nameOf(V) + " = " + samplerText(*constantSampler(*V)) + ";";
    if (Declared.insert(Text).second)
      line(Text);
  }
  for (const Var *P : K.Params)
    if (!Used.contains(P) && K.Opaques.empty() && findWord(Original, P->Name) != StringRef::npos)
      line("(void)" + P->Name + ";");
}

void KernelPrinter::braced(const StmtList &B, bool Tail) {
  line("{");
  block(B, Tail);
  flushComments();
  line("}");
}

/// The only statement that B prints; null: none, or several.
const Stmt *KernelPrinter::only(const StmtList &B) const {
  const Stmt *Only = nullptr;
  for (const Stmt *S : B) {
    if (!S->Comments.empty() || L.Before.count(S))
      return nullptr;
    if (L.Skip.contains(S))
      continue;
    if (Only)
      return nullptr;
    Only = S;
  }
  return Only;
}

/// True for one statement that needs no braces.
bool KernelPrinter::isPlain(const StmtList &B) const {
  const Stmt *S = only(B);
  if (!S)
    return false;
  if (S->K == StmtKind::Break || S->K == StmtKind::Return)
    return true;
  if (S->K == StmtKind::Continue)
    return Steps.empty() || !Steps.back();
  return expression(S) && !L.AsDecl.contains(S);
}

/// `int a = 0, b = 0;`: constants of one type share a line.
void KernelPrinter::declare(const Stmt *S) {
  if (takesSecondResult(S) && !StringRef(typeOf(S->V)).starts_with("const ")) {
    line(declaration(S->V) + ";");
    return line(Print.withBothResults(S->E, nameOf(S->V)) + ";");
  }
  std::string Value;
  if (S->E)
    Value = " = " + Print.initialiser(S->E);
  else if (llvm::is_contained(Events, S->V) && S->Text.empty())
    Value = " = 0";
  else if (!S->Text.empty())
    Value = " = " + S->Text;
  constexpr size_t MostLength = 80;
  const Expr *E = S->E;
  while (E && E->K == ExprKind::Cast)
    E = E->Ops[0];
  bool Joins = !Faithful && S->V->K == Var::Temp && S->V->Ty->isValue() && S->Text.empty() &&
               (!E || E->K == ExprKind::IntConst || E->K == ExprKind::FloatConst);
  std::string Type = typeOf(S->V), Text = declarator(S->V) + Value + ";\n";
  size_t Start = Out.rfind('\n', Out.size() - 2) + 1;
  if (Joins && Declared && Declared == Out.size() && DeclaredType == Type &&
      Out.size() - Start + Text.size() <= MostLength)
    Out.replace(Out.size() - 2, 2, ", " + Text);
  else
    Out += Type + " " + Text;
  Declared = Joins ? Out.size() : 0;
  DeclaredType = Type;
}

void KernelPrinter::stmt(const Stmt *S, bool Tail, bool Last, const StmtList &B) {
  Pending.insert(Pending.end(), S->Comments.begin(), S->Comments.end());
  if (auto It = L.Before.find(S); It != L.Before.end())
    for (const Var *V : It->second)
      line(declaration(V) + ";");
  if (L.Skip.contains(S))
    return;
  flushComments();
  // Two variables of the model that are one in the text. (A block that would be left
  // empty keeps it.)
  bool Assigns = S->K == StmtKind::Decl ? L.AsAssign.contains(S)
                                        : S->K == StmtKind::Assign && !L.AsDecl.contains(S);
  if (Assigns && !only(B) && S->E && S->E->K == ExprKind::VarRef && S->LaneIdx.empty() &&
      S->E->Ty == S->V->Ty && nameOf(S->E->V) == nameOf(S->V))
    return;
  if (std::optional<std::string> Text = expression(S)) {
    line(*Text + ";");
    return;
  }
  switch (S->K) {
  case StmtKind::Decl:
    return declare(S);
  case StmtKind::If:
    return ifStmt(S, Tail && Last);
  case StmtKind::Loop:
    return loop(S);
  case StmtKind::Break:
    return line("break;");
  case StmtKind::Continue:
    if (!Steps.empty() && Steps.back()) {
      line("{");
      block(*Steps.back(), false);
      flushComments();
      line("continue;");
      return line("}");
    }
    return line("continue;");
  case StmtKind::Return:
    return line("return;");
  case StmtKind::Opaque: {
    std::string Text = sourceText(S->Range);
    bool Ended = StringRef(Text).rtrim().ends_with(";") || StringRef(Text).rtrim().ends_with("}");
    return line(Text + (Ended ? "" : ";"));
  }
  default:
    return;
  }
}

std::string printKernel(const Module &M, const Kernel &K, llvm::ArrayRef<std::string> Contract,
                        bool Faithful) {
  KernelPrinter P(M, K, Faithful);
  std::string Text;
  if (!Contract.empty() && !StringRef(Contract.front()).starts_with(RewrittenMarker)) {
    std::string From = K.Name;
    if (K.NameRange.isValid() && K.NameRange.File < M.Files.size())
      From =
          StringRef(M.Files[K.NameRange.File].Text).slice(K.NameRange.Begin, K.NameRange.End).str();
    Text += "// " + RewrittenMarker.str() + From + "\n";
  }
  for (const std::string &Line : Contract)
    Text += Line.empty() ? "//\n" : "// " + Line + "\n";
  std::string Body = P.body();
  Text = P.helpers() + Text + P.signature() + " {\n" + Body + "}\n";
  // Comments and signature of a CRLF file have CRLF; use one kind of line end.
  std::string Clean;
  for (char C : Text)
    if (C != '\r')
      Clean += C;
  TextStyle Style;
  if (K.BodyRange.isValid() && K.BodyRange.File < M.Files.size())
    Style = styleOf(M.Files[K.BodyRange.File].Text, sourceText(M, K.BodyRange));
  return formatted(Clean, Style);
}

} // namespace clmali::rewrite
