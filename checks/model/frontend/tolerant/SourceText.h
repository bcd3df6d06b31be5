//===-- checks/model/frontend/tolerant/SourceText.h - Names, lines, comments -*- C++ -*-===//
//
// Small functions over the text of a source file, and over the messages and positions of
// diagnostics. The tolerant parse works on text: what it repairs does not parse.
//
//===----------------------------------------------------------------------===//
#ifndef CLMALI_CHECKS_MODEL_FRONTEND_TOLERANT_SOURCETEXT_H
#define CLMALI_CHECKS_MODEL_FRONTEND_TOLERANT_SOURCETEXT_H

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/StringSet.h"
#include <string>

namespace clmali::model {

struct ParseDiagnostic;

constexpr llvm::StringLiteral NameChars =
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";
inline bool isNameChar(char C) { return llvm::isAlnum(C) || C == '_'; }
inline bool isName(llvm::StringRef S) {
  return !S.empty() && !llvm::isDigit(S[0]) && llvm::all_of(S, isNameChar);
}
/// The word that S begins with; empty: it begins with none.
inline llvm::StringRef wordAt(llvm::StringRef S) { return S.take_while(isNameChar); }

/// Text with comments replaced by blanks; line ends stay.
std::string withoutComments(llvm::StringRef Text);
/// Text with the #defines of Names replaced by blanks. Definitions over several lines stay.
std::string withoutDefines(llvm::StringRef Text, const llvm::StringSet<> &Names);
/// Text in which the conditions (#if, #ifdef, #ifndef, #elif) name a macro without a definition in
/// the place of Name. Its length stays.
std::string withoutInConditions(llvm::StringRef Text, llvm::StringRef Name);
/// Replaces [Begin, End) by blanks; line ends stay.
void blank(std::string &Text, size_t Begin, size_t End);

/// Text from the position of D to its end.
llvm::StringRef textFrom(llvm::StringRef Text, const ParseDiagnostic &D);
/// The line of D.
llvm::StringRef lineOf(llvm::StringRef Text, const ParseDiagnostic &D);
/// What a message has between its first pair of quotes; empty: it has none.
llvm::StringRef quoted(llvm::StringRef Message);

} // namespace clmali::model
#endif
