//===- Guess.cpp - values of macros that had to be guessed ------------------------------------===//

#include "checks/model/frontend/tolerant/DialectFixes.h"
#include "checks/query/Query.h"
#include "llvm/ADT/StringExtras.h"
#include <deque>
#include <functional>
#include <set>

using namespace llvm;
using namespace clmali;
using namespace clmali::checks;
using namespace clmali::model;

static constexpr StringLiteral GuessNote = "the host defines macros that were not given; taken as ";

/// True if Text contains one of Names. A template placeholder counts as the name that replaces it.
static bool mentionsFilled(const std::set<StringRef> &Names, StringRef Text) {
  std::string Filled;
  return containsWord(Names, Text) ||
         (Text.find_first_of("%$") != StringRef::npos && model::namePlaceholders(Text, Filled) &&
          containsWord(Names, Filled));
}

/// Names of macros with guessed values, and of macros that the file computes from them (#define
/// SIZE (GROUPS * 32)).
static const std::set<StringRef> &guessedNumbers(const Module &M) {
  // Called for each access: the last result is cached.
  struct Last {
    const Module *Of = nullptr;
    std::vector<std::string> Notes;
    const char *Text = nullptr;
    std::set<StringRef> Names;
    std::deque<std::string> Held;
  };
  static thread_local Last L;
  const char *Text = M.Files.empty() ? nullptr : M.Files.front().Text.data();
  if (L.Of == &M && L.Text == Text && L.Notes == M.Notes)
    return L.Names;
  L = Last{&M, M.Notes, Text, {}, {}};
  std::set<StringRef> Result;
  for (StringRef N : M.Notes) {
    if (!N.consume_front(GuessNote))
      continue;
    SmallVector<StringRef, 8> Parts;
    N.split(Parts, ", ");
    for (StringRef P : Parts)
      if (auto [Name, Value] = P.split('='); !Value.empty() && all_of(Value, isDigit))
        Result.insert(L.Held.emplace_back(Name.str()));
  }
  for (size_t Before = 0; !Result.empty() && Before != Result.size();) {
    Before = Result.size();
    for (const SourceFile &File : M.Files)
      for (StringRef Rest = File.Text; Rest.contains("#define");) {
        Rest = Rest.drop_front(Rest.find("#define") + 7);
        size_t End = Rest.find('\n');
        while (End != StringRef::npos && Rest.take_front(End).rtrim("\r").ends_with("\\"))
          End = Rest.find('\n', End + 1);
        StringRef Line = Rest.take_front(End).ltrim();
        StringRef Name = Line.take_while([](char C) { return isAlnum(C) || C == '_'; });
        StringRef Body = Line.drop_front(Name.size());
        if (!Name.empty() && !Body.starts_with("(") && !Result.count(Name) &&
            mentionsFilled(Result, Body))
          Result.insert(L.Held.emplace_back(Name.str()));
      }
  }
  L.Names = std::move(Result);
  return L.Names;
}

bool checks::hasGuessedNumbers(const Module &M) { return !guessedNumbers(M).empty(); }

bool checks::mentionsGuess(const Module &M, StringRef Text) {
  return mentionsFilled(guessedNumbers(M), Text);
}

bool checks::isGuessedNumber(const Module &M, const Expr *E) {
  const std::set<StringRef> &Names = guessedNumbers(M);
  bool Found = false;
  if (!Names.empty())
    walk(E, [&](const Expr *X) {
      Found |= X->K == ExprKind::IntConst && Names.count(X->Text);
      return !Found;
    });
  return Found;
}

bool checks::hasGuessedFloats(const Module &M) {
  return any_of(M.Notes, [](StringRef N) {
    return N.starts_with("the host defines macros that were not given") && N.contains("=float");
  });
}

bool checks::mentionsGuessedText(const Module &M, StringRef Text) {
  std::set<StringRef> Names;
  for (StringRef N : M.Notes)
    if (N.consume_front(GuessNote))
      for (StringRef Rest = N; Rest.contains("(...)=");) {
        auto [Before, After] = Rest.split("(...)=");
        if (After.empty() || After.starts_with(",") || After.starts_with("(__VA_ARGS__)"))
          Names.insert(
              Before.drop_front(Before.find_last_of(" ,") + 1)); // npos + 1: from the start
        Rest = After;
      }
  return containsWord(Names, Text);
}

bool checks::mentionsGuessedType(const Module &M, StringRef Text) {
  for (StringRef N : M.Notes) {
    if (!N.consume_front(GuessNote))
      continue;
    std::set<StringRef> Names;
    SmallVector<StringRef, 8> Parts;
    N.split(Parts, ", ");
    for (StringRef P : Parts)
      if (auto [Name, Value] = P.split('='); !Value.empty() && isAlpha(Value.front()))
        Names.insert(Name);
    if (containsWord(Names, Text))
      return true;
  }
  return false;
}

static bool restOnGuess(const Module &M, const KernelAnalysis &K, ArrayRef<const Expr *> Roots) {
  const std::set<StringRef> &Names = guessedNumbers(M);
  if (Names.empty())
    return false;
  std::set<const Var *> Seen;
  bool Found = false;
  std::function<void(const Expr *)> Look = [&](const Expr *E) {
    walk(E, [&](const Expr *X) {
      Found |= X->K == ExprKind::IntConst && Names.count(X->Text);
      if (X->K == ExprKind::VarRef && Seen.insert(X->V).second)
        for (const Stmt *Def : K.defs(X->V))
          if (Def->E)
            Look(Def->E);
      return !Found;
    });
  };
  for (const Expr *E : Roots)
    if (E)
      Look(E);
  return Found;
}

bool checks::restsOnGuess(const Module &M, const KernelAnalysis &K, const Expr *E) {
  return restOnGuess(M, K, E);
}

bool checks::restsOnGuess(const Module &M, const KernelAnalysis &K, const AccessSite &Site) {
  SmallVector<const Expr *, 8> Roots(Site.A->Index.begin(), Site.A->Index.end());
  for (const Guard &G : Site.Guards)
    Roots.push_back(G.Cond);
  return restOnGuess(M, K, Roots);
}

bool checks::restsOnGuess(const Module &M, const KernelAnalysis &K, const CountedLoop &L) {
  return restOnGuess(M, K, {L.Lower, L.Bound, L.StepExpr});
}
