//===-- checks/model/frontend/tolerant/TokenScan.h - Names and conditions of a file -*- C++ -*-===//
//
// The tokens of a file and its conditional sections, without preprocessing. From them follow what
// an unknown name stands for (a type, a constant, a qualifier, a function), and the macros under
// which #if shows a kernel.
//
//   before: #ifdef TYPE          __kernel void k(__global TYPE *x) { x[N] = ..; }
//   after:  wanted {TYPE}        meaning(TYPE) = float      meaning(N) = 16
//
// Limits: one meaning for each name; included text is not seen.
//
// TokenScan.cpp reads the text, NameUses.cpp and Meaning.cpp answer questions about names,
// ConditionSolver.cpp those about conditions.
//
//===--------------------------------------------------------------------------------===//

#ifndef CLMALI_CHECKS_MODEL_FRONTEND_TOLERANT_TOKENSCAN_H
#define CLMALI_CHECKS_MODEL_FRONTEND_TOLERANT_TOKENSCAN_H

#include "checks/model/frontend/tolerant/SourceText.h"
#include "llvm/ADT/StringMap.h"
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace clmali::model {

/// The result of a function that is nowhere defined: a number that differs between work-items.
constexpr llvm::StringLiteral UnknownName = "clmali_unknown";

/// What a macro of unknown definition is taken for.
struct Meaning {
  std::string Parameters; ///< "(...)" for a function, else ""
  std::string Value;
  bool IsType = false;
  bool MayBeInteger = false; ///< a type that follows only from the form of the name
};

/// A macro, and its value where a condition requires one ("" otherwise).
struct WantedMacro {
  std::string Name, Value;
};

class TokenScan {
public:
  /// Given: macros that the command line defines, and their values.
  explicit TokenScan(llvm::StringRef Text, const llvm::StringMap<std::string> &Given = {});

  // Names.

  /// What Name, which is not defined, stands for, from all its uses.
  Meaning meaning(llvm::StringRef Name) const;
  /// The names that are not defined and make names of their arguments, in all of the text: NAME in
  /// `uint NAME(index)(uint x)`.
  std::vector<std::string> nameMakers() const;
  /// The same for a name that must be a type.
  static Meaning asType(llvm::StringRef Name);
  /// Declarations of the members that a type Name must have, from the uses of its variables; empty
  /// where no variable is used like a structure.
  std::string membersOf(llvm::StringRef Name) const;
  /// There is a #define of Name that is not for other languages only.
  bool defines(llvm::StringRef Name) const;
  /// There is a declaration of a variable or a parameter of that name.
  bool declares(llvm::StringRef Name) const;
  /// The declaration of a table Name, "int Name[4096]", if all uses are elements of it; else empty.
  std::string tableOf(llvm::StringRef Name) const;
  /// The line calls Name, or a macro whose body is a call of it.
  bool calls(llvm::StringRef Line, llvm::StringRef Name) const;
  /// The part before Suffix of a name that the file defines: relu, of relu_op.
  std::string stemOf(llvm::StringRef Suffix) const;
  bool uses(llvm::StringRef Name) const { return Uses.contains(Name); }
  /// A condition tests whether Name is defined.
  bool tests(llvm::StringRef Name) const { return Tested.contains(Name); }
  /// The longest unknown macro that a pasted name ends or begins with: VEC_SIZE of vloadVEC_SIZE.
  std::string pastedMacro(llvm::StringRef Name) const;

  // Conditions.

  /// Macros under which #if shows the most kernels. Wanted: the line of a kernel that must be
  /// shown; macros for others are added only if it stays shown.
  std::vector<WantedMacro> wantedForKernels(unsigned Wanted = 0) const;
  /// Numbers of the host that a kernel uses where they are large enough; without them the kernel
  /// lacks a part: #if GROUP > 0, part[GROUP].
  std::vector<WantedMacro> wantedNumbers() const;
  /// The lines (of the word `kernel`) of the kernels that #if hides under Inferred, and that other
  /// macros of the host would show.
  std::vector<unsigned> kernelsLeftOut(const llvm::StringMap<std::string> &Inferred) const;
  /// Macros that the file or its Headers define once, and whose number decides which kernels are
  /// shown: #define METHOD 1.
  std::vector<std::string> settings(const TokenScan &Headers) const;
  /// The lines of the kernels for which conditions compare one of Names.
  std::vector<unsigned> kernelsThatTest(llvm::ArrayRef<std::string> Names) const;
  /// Macros under which a #define or typedef of Name is reached; empty where one is.
  std::vector<WantedMacro> wantedToDefine(llvm::StringRef Name) const;
  /// Some macros of the host let line Line be reached.
  bool mayReach(unsigned Line) const;
  /// The line of the #error with that message: Line, or anywhere in the headers where Line is 0.
  /// 0: there is none.
  unsigned errorLine(unsigned Line, llvm::StringRef Message) const;
  /// Conditions decide which kernel has that name, or which parameters it has.
  bool hasVariants(llvm::StringRef Kernel) const;
  /// Macros under which line Line (from 1; an #error) is not reached. Inferred: macros to take as
  /// given.
  std::vector<WantedMacro> wantedAgainst(unsigned Line,
                                         llvm::ArrayRef<WantedMacro> Inferred = {}) const;

  struct NameUse; ///< Meaning.cpp

private:
  struct Token {
    llvm::StringRef Text;
    unsigned Line;
  };
  struct Branch {
    std::string Condition; ///< of #if and #elif; "defined(X)" for #ifdef; "" for #else
    unsigned Begin, End;   ///< lines
    unsigned Group;
    bool IsElse = false;
  };
  struct KernelAt {
    std::string Name;
    unsigned Line, Body, End; ///< of its name, and of the braces of its body
  };

  std::string Code; ///< without comments
  std::vector<Token> Tokens;
  llvm::StringMap<std::vector<unsigned>> Uses; ///< token indices
  llvm::StringSet<> Defined, Tested;
  llvm::StringMap<std::vector<unsigned>> DefineLines;
  std::map<unsigned, std::string> ErrorLines; ///< with their messages
  /// The tokens before the bodies of #defines, with the names that these define.
  std::map<size_t, llvm::StringRef> BodyBegins;
  std::vector<Branch> Branches;
  std::vector<KernelAt> Kernels;
  /// Numbers that the file defines unless the host does: #ifndef DIM, #define DIM 2.
  llvm::StringMap<int64_t> Defaults;
  /// Numbers that the file defines once: #define SQUARE 2, for #if SHAPE == SQUARE.
  llvm::StringMap<int64_t> Constants;
  /// Macros that are defined before the text begins: on the command line, and, during a query, what
  /// is assumed.
  mutable llvm::StringMap<std::string> Given;
  mutable llvm::StringSet<> InProgress; ///< names in recursive queries
  /// Answers of declares(): a file may have thousands of errors about one name.
  mutable llvm::StringMap<bool> Declared;

  bool isDeclaredAt(size_t Use) const;

  // Reading the text.
  void lex(llvm::StringRef Line, unsigned Number);
  void directive(llvm::StringRef Line, unsigned Number, std::vector<unsigned> &Open,
                 unsigned &Groups);
  void defineDirective(llvm::StringRef Rest, unsigned Number, const std::vector<unsigned> &Open);
  void findKernels();
  llvm::StringRef at(size_t Index) const {
    return Index < Tokens.size() ? Tokens[Index].Text : llvm::StringRef();
  }
  llvm::StringRef before(size_t Index) const { return Index ? at(Index - 1) : llvm::StringRef(); }

  // Conditions.

  /// The names that the conditions around a line compare with numbers, those of earlier branches
  /// included.
  std::vector<std::string> comparedAround(unsigned Line) const;
  /// A condition within the body of K tests one of Names.
  bool testsIn(const KernelAt &K, const std::vector<WantedMacro> &Names) const;
  /// The kernels that are shown under the macros that are given.
  std::vector<const KernelAt *> shownKernels() const;
  /// Macros under which K is shown; nothing: a condition that must be false holds, by the file or
  /// by AlreadyWanted.
  std::optional<std::vector<WantedMacro>>
  wantedForKernel(const KernelAt &K, llvm::ArrayRef<WantedMacro> AlreadyWanted) const;
  /// The number that Name has in a condition; nothing: any.
  std::optional<int64_t> numberOf(llvm::StringRef Name) const;
  /// NAME <op> NUMBER, where the number may be a character or a macro.
  bool comparison(llvm::StringRef Term, llvm::StringRef &Name, llvm::StringRef &Operator,
                  int64_t &Number) const;
  std::vector<WantedMacro> wantedAt(unsigned Line) const;
  /// Takes Wanted as given, until Given is set back.
  void assume(llvm::ArrayRef<WantedMacro> Wanted) const;
  /// A #define of Name is reached.
  bool isDefined(llvm::StringRef Name) const;
  /// The condition is true if only what the file defines, and what is given, is defined.
  bool holds(llvm::StringRef Condition) const;
  bool isActive(unsigned Line) const;
  /// Adds macros that make a true condition false; of two names that are compared the second one.
  void wantsNot(llvm::StringRef Condition, std::vector<WantedMacro> &Out) const;
  /// Adds macros that make a false condition true.
  void wants(llvm::StringRef Condition, std::vector<WantedMacro> &Out) const;
  /// Line is under #ifdef __cplusplus or another condition that is false for OpenCL.
  bool isOtherLanguage(unsigned Line) const;

  // Names.

  bool isImage(llvm::StringRef Name) const;
  /// It is declared as a read_only image.
  bool isReadOnly(llvm::StringRef Image) const;
  /// It is declared as a scalar integer.
  bool isInteger(llvm::StringRef Name) const;
  /// The token after the subscripts that begin at token J; Count grows by their number.
  unsigned pastBrackets(unsigned J, unsigned &Count) const;
  /// The star at that token multiplies.
  bool isProduct(size_t Star) const;
  /// Token I is a macro in the place of statements, without a semicolon.
  bool isWholeStatement(size_t I) const;
  /// Token I is in the parentheses of a statement: for (...; more(&p); ...).
  bool isInHeader(size_t I) const;
  /// The number of names between the parenthesis at Open and the one that closes it; 0: other
  /// tokens are there.
  unsigned namesFrom(size_t Open) const;
  /// The token is an argument of a call whose value is used: x = f(A * B, 2).
  bool isInCall(size_t I) const;
  bool isBetweenValues(size_t I) const;
  bool isDefinedProduct(size_t I) const;
  /// The macro whose body begins with token I; empty: none.
  llvm::StringRef definedBy(size_t I) const;
  void addUse(llvm::StringRef Name, size_t I, NameUse &U) const;
  void addCall(llvm::StringRef Name, size_t I, NameUse &U) const;
  void addStar(size_t I, NameUse &U) const;
  void addParenthesized(size_t I, NameUse &U) const;
  /// The meaning of Alias, another name for Name; an empty one while that is computed.
  Meaning meaningOfAlias(llvm::StringRef Name, llvm::StringRef Alias) const;
};

} // namespace clmali::model

#endif // CLMALI_CHECKS_MODEL_FRONTEND_TOLERANT_TOKENSCAN_H
