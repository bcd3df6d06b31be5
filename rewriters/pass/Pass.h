//===-- rewriters/pass/Pass.h - The interface of a pass, and the registry -*- C++ -*-===//
//
// A pass is one object. Its file registers it by its last line; the order in which passes run is
// data (Pipeline.cpp). `--passes`, `--list-passes`, the table in rewriters/README.md, the golden
// tests and the `rewriter:` key of the rule pages read the registry.
//
//   static bool suits(const PassState &S) { return S.device().SimdWidth > 1; }
//   static unsigned edit(PassState &S) { return selectBranches(S.module(), S.kernel()); }
//   CLMALI_PASS(.Id = "select", .ShownAs = "select", .Does = "...", .Suits = suits, .Edit = edit);
//
//===----------------------------------------------------------------------===//
#ifndef CLMALI_REWRITERS_PASS_PASS_H
#define CLMALI_REWRITERS_PASS_PASS_H

#include "rewriters/pass/PassState.h"

namespace clmali::rewrite {

/// What normalize establishes: live ranges split, conditional loads under varying conditions made
/// statements, constants folded.
inline constexpr llvm::StringLiteral NormalForm = "normal form";

struct Pass {
  llvm::StringLiteral Id;
  /// The name in --passes, manifests and messages. Several passes may share one. Empty: a step of
  /// the pipeline that users do not see.
  llvm::StringLiteral ShownAs = "";
  llvm::StringLiteral Does = ""; ///< one plain sentence, for the table
  /// Is it meant for this device and launch? Not asked where the user named the pass. Null: always.
  bool (*Suits)(const PassState &) = nullptr;
  /// Returns the number of changes; 0: the kernel is as it was. Decides for the kernel, and for
  /// each location, whether the edit is legal and pays; reports what prevents it
  /// (PassState::refuse).
  unsigned (*Edit)(PassState &) = nullptr;
  /// Its variables may hold several values after an edit: live ranges are split again.
  bool ReusesVariables = false;
  llvm::StringLiteral Requires = "";    ///< a form that an earlier step has established
  llvm::StringLiteral Establishes = ""; ///< a form that later steps may rely on
};

/// All passes linked in, sorted by id.
llvm::ArrayRef<Pass> allPasses();
/// Null: there is none of that id.
const Pass *findPass(llvm::StringRef Id);
/// The names that --passes takes, sorted, each once.
std::vector<llvm::StringRef> publicPasses();

/// Used by the macro below.
struct PassRegistration {
  explicit PassRegistration(Pass P);
};
#define CLMALI_PASS_JOIN_(A, B) A##B
#define CLMALI_PASS_NAME_(N) CLMALI_PASS_JOIN_(Registration, N)
#define CLMALI_PASS(...)                                                                           \
  static const ::clmali::rewrite::PassRegistration CLMALI_PASS_NAME_(__COUNTER__)(                 \
      ::clmali::rewrite::Pass{__VA_ARGS__})

} // namespace clmali::rewrite
#endif
