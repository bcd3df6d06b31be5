//===-- checks/model/host/parse/UnparsedKernels.cpp - Kernels of lost literals ------===//

#include "checks/model/host/parse/UnparsedKernels.h"
#include "checks/model/frontend/Embedded.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <map>
#include <tuple>

using namespace clang;
using namespace llvm;

namespace clmali::model {

namespace {
/// A text with the offset in the file of each character.
struct Spelled {
  std::string Text;
  std::vector<uint32_t> Offsets;
  void add(char C, size_t At) {
    Text += C;
    Offsets.push_back(At);
  }
};
} // namespace

/// One escape sequence; \p I is after the backslash, and then after the sequence.
static std::optional<char> escaped(StringRef Body, size_t &I) {
  char C = Body[I++];
  switch (C) {
  case 'n':
    return '\n';
  case 't':
    return '\t';
  case 'r':
    return '\r';
  case 'v':
    return '\v';
  case 'f':
    return '\f';
  case '\n':
    return std::nullopt; // the line continues
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

/// Adds the value of the literal Token, which begins at offset At.
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

/// Text is the definition of a kernel, and not a message about one.
static bool definesKernel(StringRef Text) {
  for (size_t At = Text.find("kernel"); At != StringRef::npos; At = Text.find("kernel", At + 1)) {
    StringRef Head = Text.drop_front(At + 6);
    if (Head.empty() || (!isSpace(Head.front()) && Head.front() != '\\'))
      continue;
    size_t Body = Head.find('{');
    Head = Head.take_front(Body);
    size_t Void = Head.find("void");
    if (Body != StringRef::npos && Void != StringRef::npos &&
        Head.find('(', Void) != StringRef::npos && !Head.contains(';') && Text.contains('}'))
      return true;
  }
  return false;
}

static bool isString(const Token &T) {
  return T.isOneOf(tok::string_literal, tok::utf8_string_literal);
}

namespace {

/// Kernels that statements compose: `s << "..." << T << endl;`, `s += "..." + n;`,
/// `s.append("...");`, in branches and loops once each. Parts that are no literals become names, to
/// be inferred.
class KernelComposer {
public:
  explicit KernelComposer(StringRef Text) : Text(Text) {}

  void brace(bool Opens) {
    Depth += Opens ? 1 : -1;
    for (auto It = Open.begin(); It != Open.end();)
      if (It->second.Depth > Depth) {
        Done.push_back(std::move(It->second));
        It = Open.erase(It);
      } else {
        ++It;
      }
  }

  void statement(ArrayRef<Token> S) {
    // Under a condition without braces.
    while (!S.empty() && S.front().is(tok::raw_identifier) &&
           is_contained({"if", "for", "while", "else"}, S.front().getRawIdentifier())) {
      bool Heads = S.size() > 1 && S[1].is(tok::l_paren);
      S = S.drop_front();
      if (Heads)
        S = S.drop_front(std::min(closing(S) + 1, S.size()));
    }
    if (S.size() < 3 || !S[0].is(tok::raw_identifier))
      return;
    StringRef Name = S[0].getRawIdentifier();
    if (S[1].is(tok::lessless))
      return pieces(Name, S.drop_front(2), tok::lessless, false);
    if (S[1].is(tok::plusequal))
      return pieces(Name, S.drop_front(2), tok::plus, false);
    if (S[1].isOneOf(tok::period, tok::arrow) && S.size() > 4 && S[2].is(tok::raw_identifier) &&
        S[2].getRawIdentifier() == "append" && S[3].is(tok::l_paren) && S.back().is(tok::r_paren))
      return pieces(Name, S.drop_front(4).drop_back(), tok::plus, false);
    for (size_t I = 0; I + 1 < S.size(); ++I) {
      if (S[I].is(tok::equal) && I && S[I - 1].is(tok::raw_identifier))
        return pieces(S[I - 1].getRawIdentifier(), S.drop_front(I + 1), tok::plus, true);
      if (!S[I].isOneOf(tok::raw_identifier, tok::coloncolon, tok::amp))
        return;
    }
  }

  struct Built {
    Spelled Run;
    uint32_t First = 0, Last = 0;
    int Depth = 0;
  };
  std::vector<Built> take() {
    for (auto &O : Open)
      Done.push_back(std::move(O.second));
    Open.clear();
    return std::move(Done);
  }

private:
  StringRef Text;
  int Depth = 0;
  std::map<std::string, Built> Open;
  std::vector<Built> Done;

  static size_t closing(ArrayRef<Token> S) {
    int Parens = 0;
    for (size_t I = 0; I < S.size(); ++I) {
      Parens += S[I].is(tok::l_paren) - S[I].is(tok::r_paren);
      if (!Parens)
        return I;
    }
    return S.size();
  }

  uint32_t at(const Token &T) const { return T.getLocation().getRawEncoding(); }

  void pieces(StringRef Name, ArrayRef<Token> S, tok::TokenKind Between, bool Starts) {
    auto It = Open.find(Name.str());
    if (Starts && It != Open.end()) {
      Done.push_back(std::move(It->second));
      Open.erase(It);
      It = Open.end();
    }
    if (It == Open.end()) {
      if (none_of(S, isString))
        return;
      It = Open.emplace(Name.str(), Built()).first;
      It->second.First = at(S.front());
      It->second.Depth = Depth;
    }
    Built &B = It->second;
    B.Last = at(S.back()) + S.back().getLength();
    for (size_t I = 0; I < S.size();) {
      size_t End = I;
      for (int Parens = 0; End < S.size() && (Parens || !S[End].is(Between)); ++End)
        Parens += S[End].is(tok::l_paren) - S[End].is(tok::r_paren);
      piece(S.slice(I, End - I), B.Run);
      I = End + 1;
    }
  }

  void piece(ArrayRef<Token> S, Spelled &To) {
    if (S.empty())
      return;
    // (single ? "float" : "double")
    for (size_t I = 0; I + 1 < S.size(); ++I)
      if (S[I].is(tok::question) && isString(S[I + 1]))
        S = S.slice(I + 1, 1);
    auto Spelling = [&](const Token &T) { return Text.substr(at(T), T.getLength()); };
    if (all_of(S, isString)) {
      for (const Token &T : S)
        spell(Spelling(T), at(T), To);
      return;
    }
    if (Spelling(S.back()) == "endl" || Spelling(S.back()) == "'\\n'")
      return To.add('\n', at(S.front()));
    std::string Name;
    if (S.size() == 1 && S[0].is(tok::numeric_constant))
      Name = Spelling(S[0]).str();
    for (const Token &T : S)
      if (T.is(tok::raw_identifier))
        Name = (HostStandIn + T.getRawIdentifier()).str();
    // At the start of a line it is whole lines: other kernels or statements.
    if (To.Text.empty() || To.Text.back() == '\n')
      return;
    for (char C : Name)
      To.add(C, at(S.front()));
  }
};

} // namespace

void addUnparsedKernels(HostModule &M, StringRef Text,
                        ArrayRef<std::pair<uint32_t, uint32_t>> LeftOut) {
  if (!Text.contains("kernel"))
    return;
  LangOptions Options;
  Options.CPlusPlus = Options.CPlusPlus11 = Options.LineComment = true; // raw strings
  std::string Buffer = Text.str(); // the lexer needs a terminating zero
  Lexer Lex(SourceLocation(), Options, Buffer.data(), Buffer.data(), Buffer.data() + Buffer.size());
  Token T;
  KernelComposer Sums(Buffer);
  SmallVector<Token, 32> Statement;
  int Parens = 0;
  Spelled Run;
  uint32_t First = 0, Last = 0; ///< bytes of its tokens
  auto Seen = [&](uint32_t First, uint32_t Last) {
    return any_of(M.LiteralsSeen, [&](uint32_t At) { return At >= First && At < Last; }) ||
           any_of(M.Kernels, [&](const EmbeddedKernel &E) {
             return E.Range.File == 0 && E.Range.Begin < Last && First < E.Range.End;
           });
  };
  auto Take = [&] {
    if (definesKernel(Run.Text) && !Seen(First, Last)) {
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
    // Conditions may be between the lines of a kernel.
    if (Directive || any_of(LeftOut, [&](const auto &R) { return At >= R.first && At < R.second; }))
      continue;
    Parens += T.is(tok::l_paren) - T.is(tok::r_paren);
    if (T.isOneOf(tok::l_brace, tok::r_brace)) {
      Sums.brace(T.is(tok::l_brace));
      Statement.clear();
      Parens = 0;
    } else if (T.is(tok::semi) && Parens <= 0) {
      Sums.statement(Statement);
      Statement.clear();
      Parens = 0;
    } else {
      Statement.push_back(T);
      Statement.back().setLocation(SourceLocation::getFromRawEncoding(At));
    }
    if (!isString(T)) {
      Take();
      continue;
    }
    if (Run.Text.empty())
      First = At;
    Last = At + T.getLength();
    spell(StringRef(Buffer).slice(At, Last), At, Run);
  }
  Take();
  for (KernelComposer::Built &B : Sums.take())
    if (definesKernel(B.Run.Text) && !Seen(B.First, B.Last) && B.Run.Text.size() < 1 << 20) {
      EmbeddedKernel &K = M.Kernels.emplace_back();
      K.Source = std::move(B.Run.Text);
      K.Offsets = std::move(B.Run.Offsets);
      K.Range = {0, B.First, B.Last};
      K.IsGuessed = true;
    }
  llvm::stable_sort(M.Kernels, [](const EmbeddedKernel &A, const EmbeddedKernel &B) {
    return std::tie(A.Range.File, A.Range.Begin) < std::tie(B.Range.File, B.Range.Begin);
  });
}

} // namespace clmali::model
