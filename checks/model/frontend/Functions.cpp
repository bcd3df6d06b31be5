//===-- checks/model/frontend/Functions.cpp - The functions of a file, by its tokens -===//

#include "checks/model/frontend/Functions.h"
#include "clang/Basic/LangOptions.h"
#include "clang/Lex/Lexer.h"
#include <algorithm>
#include <utility>
#include <vector>

using llvm::StringRef;

namespace clmali::model {

std::string withoutFunctions(StringRef Text,
                             llvm::function_ref<bool(const FunctionText &)> LeftOut) {
  clang::LangOptions Options;
  Options.LineComment = true;
  std::string Result = Text.str();
  const std::string Buffer = Result; // the lexer needs a terminating zero
  clang::Lexer Lex(clang::SourceLocation(), Options, Buffer.data(), Buffer.data(),
                   Buffer.data() + Buffer.size());
  clang::Token T;
  int Depth = 0;
  bool InDirective = false;
  FunctionText Current;
  StringRef LastName; ///< outside of parentheses
  bool HasValue = false;
  std::vector<std::pair<size_t, size_t>> Tokens; ///< offsets and lengths, of the declaration so far
  unsigned Line = 1;
  size_t LineUntil = 0; ///< Line is that of this offset
  auto LineOf = [&](size_t At) {
    Line += StringRef(Buffer).slice(LineUntil, At).count('\n');
    LineUntil = At;
    return Line;
  };
  for (bool End = false; !End;) {
    End = Lex.LexFromRawLexer(T);
    if (T.isAtStartOfLine())
      InDirective = T.is(clang::tok::hash);
    if (InDirective || T.is(clang::tok::eof))
      continue;
    const size_t At = Lex.getBufferLocation() - Buffer.data() - T.getLength();
    if (Tokens.empty())
      Current.FirstLine = LineOf(At);
    Tokens.push_back({At, T.getLength()});
    if (!Depth && T.is(clang::tok::raw_identifier)) {
      LastName = T.getRawIdentifier();
      Current.IsKernel |= LastName == "__kernel" || LastName == "kernel";
    }
    HasValue |= !Depth && T.is(clang::tok::equal);
    // The last name before parentheses that are no attribute's: void __attribute__((..)) f(..) {
    if (!Depth && T.is(clang::tok::l_paren) && !LastName.starts_with("__attribute") && !HasValue)
      Current.Name = LastName;
    Depth += T.isOneOf(clang::tok::l_paren, clang::tok::l_brace)   ? 1
             : T.isOneOf(clang::tok::r_paren, clang::tok::r_brace) ? -1
                                                                   : 0;
    if (Depth > 0 || !T.isOneOf(clang::tok::r_brace, clang::tok::semi))
      continue;
    Current.LastLine = LineOf(At);
    const bool IsFunction = !Current.Name.empty() && !HasValue && T.is(clang::tok::r_brace);
    if ((IsFunction || Current.IsKernel) && LeftOut(Current))
      for (auto [Start, Length] : Tokens)
        std::fill_n(Result.begin() + Start, Length, ' ');
    Tokens.clear();
    Current = {};
    HasValue = false;
    LastName = "";
  }
  return Result;
}

} // namespace clmali::model
