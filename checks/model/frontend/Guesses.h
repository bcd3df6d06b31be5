//===-- checks/model/frontend/Guesses.h - What was guessed ------------------*- C++ -*-===//
//
// The names that the tolerant frontend had to define for the host, by what they were taken for.
//
//   T=float, N=16, F(...)=        T is a type, N a number, F text
//   #define ALL (N * 8)           ALL is a guessed number, too
//
//===----------------------------------------------------------------------===//
#ifndef CLMALI_CHECKS_MODEL_FRONTEND_GUESSES_H
#define CLMALI_CHECKS_MODEL_FRONTEND_GUESSES_H

#include "checks/model/ir/Model.h"
#include <optional>
#include <set>

namespace clmali::model {

/// A note: double literals that are combined with float vectors are float.
inline constexpr llvm::StringLiteral FloatLiterals =
    "literals of type double are taken as float: they are combined with vectors of float";

/// Empty after a strict parse, and where all macros were given.
struct Guesses {
  using Names = std::set<std::string, std::less<>>;
  Names Numbers;           ///< N=16, and macros that the files compute from them
  Names Types;             ///< T=float
  Names Texts;             ///< F(...)=, F(...)=(__VA_ARGS__): replaced by nothing or its arguments
  Names Erased;            ///< those of Texts that were replaced by nothing: F(...)=
  bool Functions = false;  ///< any macro with arguments
  bool Floats = false;     ///< a type was taken as float, which may be half
  bool OnlyNumbers = true; ///< each guess is a number
};

/// The note that lists Defines: "T=float", "F(...)=".
std::string noteOfGuesses(llvm::ArrayRef<std::string> Defines);
/// What such notes of M list. Matters: false for names to leave out.
Guesses guessesOf(
    const Module &M,
    llvm::function_ref<bool(llvm::StringRef Name)> Matters = [](llvm::StringRef) { return true; });

/// Adds to G.Numbers the placeholders of M, and the macros that the files compute from them: sizes
/// with a default of 0 or 1, which lets the file parse and which the host overrides.
///
///   #ifndef WIDTH
///   #define WIDTH 1
///   #endif
///
/// IsInUse(Name, Default): false where the host gave another value.
void addPlaceholders(Guesses &G, const Module &M,
                     llvm::function_ref<bool(llvm::StringRef, int64_t)> IsInUse);

/// Text with names in the place of what a host or a template engine fills in; nothing: it has none.
std::optional<std::string> withPlaceholdersNamed(llvm::StringRef Text);

/// True if Text contains one of Names as a whole word.
bool containsWord(const Guesses::Names &Names, llvm::StringRef Text);
/// The same; a placeholder of a template engine counts as the name that replaces it
/// (namePlaceholders).
bool mentions(const Guesses::Names &Names, llvm::StringRef Text);

} // namespace clmali::model
#endif
