//===-- checks/model/HostLiterals.cpp - Kernels in literals that did not parse ----===//

#include "checks/model/HostLiterals.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <tuple>

using namespace clang;
using namespace llvm;

namespace clmali::model {

namespace {
/// A text, and the byte of the file that each of its characters comes from.
struct Spelled {
  std::string Text;
  std::vector<uint32_t> Offsets;
  void add(char C, size_t At) {
    Text += C;
    Offsets.push_back(At);
  }
};
} // namespace

/// One escape sequence; \p I is behind the backslash, and then behind all of it.
static std::optional<char> escaped(StringRef Body, size_t &I) {
  char C = Body[I++];
  switch (C) {
  case 'n': return '\n';
  case 't': return '\t';
  case 'r': return '\r';
  case 'v': return '\v';
  case 'f': return '\f';
  case '\n': return std::nullopt; // the line goes on
  case '\r':
    I += I < Body.size() && Body[I] == '\n';
    return std::nullopt;
  case 'x': {
    unsigned Value = 0;
    while (I < Body.size() && isHexDigit(Body[I]))
      Value = Value * 16 + hexDigitValue(Body[I++]);
    return char(Value);
  }
  default:
    break;
  }
  if (C < '0' || C > '7')
    return C;
  unsigned Value = C - '0';
  for (unsigned N = 1; N < 3 && I < Body.size() && Body[I] >= '0' && Body[I] <= '7'; ++N)
    Value = Value * 8 + (Body[I++] - '0');
  return char(Value);
}

/// Adds what the literal Token, which begins at byte At, stands for.
static void spell(StringRef Token, size_t At, Spelled &To) {
  size_t Quote = Token.find('"');
  if (Token.take_front(Quote).ends_with("R")) {
    size_t Open = Token.find('(', Quote), Close = Token.rfind(')');
    for (size_t I = Open + 1; Open != StringRef::npos && Close != StringRef::npos && I < Close; ++I)
      if (Token[I] != '\r' || Token[I + 1] != '\n')
        To.add(Token[I], At + I);
    return;
  }
  StringRef Body = Token.drop_back();
  for (size_t I = Quote + 1; I < Body.size();) {
    size_t Begin = I;
    if (Body[I] != '\\' || I + 1 == Body.size()) {
      To.add(Body[I++], At + Begin);
      continue;
    }
    if (std::optional<char> C = escaped(Body, ++I))
      To.add(*C, At + Begin);
  }
}

/// A definition of a kernel, not a message that speaks of one.
static bool definesKernel(StringRef Text) {
  for (size_t At = Text.find("kernel"); At != StringRef::npos; At = Text.find("kernel", At + 1)) {
    StringRef Head = Text.drop_front(At + 6);
    if (Head.empty() || (!isSpace(Head.front()) && Head.front() != '\\'))
      continue;
    size_t Body = Head.find('{');
    Head = Head.take_front(Body);
    size_t Void = Head.find("void");
    if (Body != StringRef::npos && Void != StringRef::npos && Head.find('(', Void) != StringRef::npos && !Head.contains(';') &&
        Text.contains('}'))
      return true;
  }
  return false;
}

void addUnparsedKernels(HostModule &M, StringRef Text, ArrayRef<std::pair<uint32_t, uint32_t>> LeftOut) {
  if (!Text.contains("kernel"))
    return;
  LangOptions Options;
  Options.CPlusPlus = Options.CPlusPlus11 = Options.LineComment = true; // raw strings
  std::string Buffer = Text.str(); // the lexer wants a zero behind it
  Lexer Lex(SourceLocation(), Options, Buffer.data(), Buffer.data(), Buffer.data() + Buffer.size());
  Token T;
  Spelled Run;
  uint32_t First = 0, Last = 0; ///< bytes of its tokens
  auto Seen = [&] {
    return any_of(M.LiteralsSeen, [&](uint32_t At) { return At >= First && At < Last; }) ||
           any_of(M.Kernels, [&](const EmbeddedKernel &E) { return E.Range.File == 0 && E.Range.Begin < Last && First < E.Range.End; });
  };
  auto Take = [&] {
    if (definesKernel(Run.Text) && !Seen()) {
      EmbeddedKernel &K = M.Kernels.emplace_back();
      K.Source = std::move(Run.Text);
      K.Offsets = std::move(Run.Offsets);
      K.Range = {0, First, Last};
    }
    Run = {};
  };
  bool Directive = false;
  for (bool End = false; !End;) {
    End = Lex.LexFromRawLexer(T);
    uint32_t At = Lex.getBufferLocation() - Buffer.data() - T.getLength();
    if (T.isAtStartOfLine())
      Directive = T.is(tok::hash);
    // Conditions may stand between the lines of a kernel.
    if (Directive || any_of(LeftOut, [&](const auto &R) { return At >= R.first && At < R.second; }))
      continue;
    if (!T.isOneOf(tok::string_literal, tok::utf8_string_literal)) {
      Take();
      continue;
    }
    if (Run.Text.empty())
      First = At;
    Last = At + T.getLength();
    spell(StringRef(Buffer).slice(At, Last), At, Run);
  }
  Take();
  llvm::stable_sort(M.Kernels, [](const EmbeddedKernel &A, const EmbeddedKernel &B) {
    return std::tie(A.Range.File, A.Range.Begin) < std::tie(B.Range.File, B.Range.Begin);
  });
}

} // namespace clmali::model
