//===-- checks/model/frontend/tolerant/Definitions.h - Steps of macro inference -*- C++ -*-===//
//
// From the diagnostics of a parse to definitions that avoid them; the parts of MacroInference.
//
//   propose (Proposals.cpp)      unknown names: what they may stand for
//   repair  (Repairs.cpp)        code that other compilers accept: as a macro of the same name
//   revise, contradicted (Revisions.cpp)   definitions that the errors show to be wrong
//
//===----------------------------------------------------------------------===//
#ifndef CLMALI_CHECKS_MODEL_FRONTEND_TOLERANT_DEFINITIONS_H
#define CLMALI_CHECKS_MODEL_FRONTEND_TOLERANT_DEFINITIONS_H

#include "checks/model/frontend/Frontend.h"
#include "checks/model/frontend/tolerant/TokenScan.h"
#include "llvm/ADT/ArrayRef.h"
#include <optional>

namespace clmali::model {

struct Definition {
  std::string Name, Value;
  bool MayBeInteger = false;
  std::string Members; ///< of a structure: the text between its braces
  std::string Repair;  ///< the note of a repair; empty: a macro of the host
  /// Of a repair: Value is text to include before the file, or Name is an option.
  bool IsText = false, IsOption = false;
};

/// The macro Name with that meaning.
Definition define(llvm::StringRef Name, const Meaning &M);
/// The same for a type; a structure, if the file uses members of it.
Definition defineType(const TokenScan &T, llvm::StringRef Name, const Meaning &M);
/// float, uint4
bool isVectorOrNumber(llvm::StringRef Word);

/// A definition that makes code parse which other compilers accept, or which a missing header
/// would have declared.
std::optional<Definition> repair(const TokenScan &T, const ParseDiagnostic &D,
                                 llvm::StringRef FileName, llvm::StringRef Text);

/// Definitions of the names in the errors. All types at once, because other errors may follow from
/// them; without types all macros; without these the first other name; else repairs. Known: names
/// that have a definition.
std::vector<Definition> propose(const TokenScan &T, llvm::ArrayRef<ParseDiagnostic> Diagnostics,
                                llvm::StringRef FileName, llvm::StringRef Text,
                                llvm::StringSet<> &Known);

/// Changes numbers that lead to an #error (#if BITS == 16, #elif BITS == 32, #else #error). True if
/// any is changed. Revised: names whose value was changed before.
bool contradicted(const TokenScan &T, llvm::ArrayRef<ParseDiagnostic> Diagnostics,
                  llvm::StringRef FileName, std::vector<Definition> &Definitions,
                  llvm::StringSet<> &Revised);

/// Changes definitions that the errors contradict, e.g. a name that is pasted to the name of a
/// function (`ACT##_op`, where the file defines relu_op). True if any is changed.
bool revise(const TokenScan &T, llvm::ArrayRef<ParseDiagnostic> Diagnostics,
            llvm::StringRef FileName, llvm::StringRef Text, std::vector<Definition> &Definitions,
            llvm::StringSet<> &Revised);

} // namespace clmali::model
#endif
