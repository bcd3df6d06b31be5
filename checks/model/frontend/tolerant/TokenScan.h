//===-- checks/model/frontend/tolerant/TokenScan.h - What a file's text says about names ----*- C++
//-*-===//
//
// What it is: a file's tokens and its conditional sections, without preprocessing. From them:
// what a name that nobody defines stands for (a type, a constant, a qualifier, a function), and
// which macros the kernels wait for that stand under #if.
//
//   before: #ifdef TYPE          __kernel void k(__global TYPE *x) { x[N] = ..; }
//   after:  wanted {TYPE}        meaning(TYPE) = float      meaning(N) = 16
//
// Limits: one meaning for each name; text that includes bring is not seen.
//
//===--------------------------------------------------------------------------------===//

#ifndef CLMALI_CHECKS_MODEL_FRONTEND_TOLERANT_TOKENSCAN_H
#define CLMALI_CHECKS_MODEL_FRONTEND_TOLERANT_TOKENSCAN_H

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace clmali::model {

/// Stands for what a function returns that is nowhere defined: a number, another one in each
/// work-item.
constexpr llvm::StringLiteral UnknownName = "clmali_unknown";

constexpr llvm::StringLiteral NameChars =
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";
inline bool isNameChar(char C) { return llvm::isAlnum(C) || C == '_'; }
inline bool isName(llvm::StringRef S) {
  return !S.empty() && !llvm::isDigit(S[0]) && llvm::all_of(S, isNameChar);
}

/// Comments become blanks; lines stay.
std::string withoutComments(llvm::StringRef Text);

/// What a macro of unknown definition is taken for.
struct Meaning {
  std::string Parameters; ///< "(...)" for a function, else ""
  std::string Value;
  bool IsType = false;
  bool MayBeInteger = false; ///< a type of which only the name's shape was known
};

/// A macro, and its value where a condition says one ("" otherwise).
struct WantedMacro {
  std::string Name, Value;
};

class TokenScan {
public:
  /// Given: macros that the command line defines, and their values.
  explicit TokenScan(llvm::StringRef Text, const llvm::StringMap<std::string> &Given = {});

  /// What Name, which is defined nowhere, stands for, from all of its uses.
  Meaning meaning(llvm::StringRef Name) const;
  /// As what kind of type, for a name that must be one.
  static Meaning asType(llvm::StringRef Name);
  /// The declarations of the members that a type Name must have, as its variables are used; empty
  /// where none of them is used like a structure.
  std::string membersOf(llvm::StringRef Name) const;
  /// Is there a #define of Name, not for other languages only?
  bool defines(llvm::StringRef Name) const;
  /// Is there a declaration of a variable or a parameter of that name?
  bool declares(llvm::StringRef Name) const;
  /// The declaration of a table Name, "int Name[4096]", where all uses are elements of it; else
  /// empty.
  std::string tableOf(llvm::StringRef Name) const;
  /// Does the line call Name, or a macro that stands for a call of it?
  bool calls(llvm::StringRef Line, llvm::StringRef Name) const;
  /// What stands before Suffix in a name that the file defines: relu, of relu_op.
  std::string stemOf(llvm::StringRef Suffix) const;
  bool uses(llvm::StringRef Name) const { return Uses.contains(Name); }
  /// Does the file ask whether Name is defined?
  bool tests(llvm::StringRef Name) const { return Tested.contains(Name); }
  /// The longest unknown macro that a pasted name ends or begins with: VEC_SIZE of vloadVEC_SIZE.
  std::string pastedMacro(llvm::StringRef Name) const;

  /// What has to be defined for the kernels under conditions to be seen. First of all the one at
  /// line Wanted, where one is given; others only beside it.
  std::vector<WantedMacro> wantedForKernels(unsigned Wanted = 0) const;
  /// Numbers that the host gives, as kernels show that use one where it is large enough, and lack a
  /// part without it: #if GROUP > 0, part[GROUP].
  std::vector<WantedMacro> wantedNumbers() const;
  /// The lines (of the word `kernel`) of the kernels that conditions leave out, but need not: what
  /// the host may define brings each of them in. InferredMacros: what is taken as given for the
  /// others.
  std::vector<unsigned> kernelsLeftOut(const llvm::StringMap<std::string> &InferredMacros) const;
  /// Macros that the file, or its Headers, define once, and whose number decides which kernels
  /// there are: #define METHOD 1.
  std::vector<std::string> settings(const TokenScan &Headers) const;
  /// The lines of the kernels for which conditions compare one of Names.
  std::vector<unsigned> kernelsThatAsk(llvm::ArrayRef<std::string> Names) const;
  /// What has to be defined so that a #define or typedef of Name under conditions is reached; empty
  /// where one is.
  std::vector<WantedMacro> wantedToDefine(llvm::StringRef Name) const;
  /// Could anything that the host defines let line Line be reached?
  bool mayReach(unsigned Line) const;
  /// The line of the #error that says Message, which stands at line Line of the file, or anywhere
  /// in its headers where that is 0. 0: there is none.
  unsigned errorLine(unsigned Line, llvm::StringRef Message) const;
  /// Kernels by name that stand in the text, under whatever condition.
  size_t numKernels() const { return Kernels.size(); }
  /// Do conditions decide which kernel has that name, or which parameters it has?
  bool hasVariants(llvm::StringRef Kernel) const;
  /// What has to be defined so that line Line (from 1; an #error) is not reached. InferredMacros:
  /// what is taken as given.
  std::vector<WantedMacro> wantedAgainst(unsigned Line,
                                         llvm::ArrayRef<WantedMacro> InferredMacros = {}) const;

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
    unsigned Line, Body, End; ///< of its name, and of what opens and closes its body
  };

  std::string Code; ///< without comments
  std::vector<Token> Tokens;
  llvm::StringMap<std::vector<unsigned>> Uses; ///< token indices
  llvm::StringSet<> Defined, Tested;
  llvm::StringMap<std::vector<unsigned>> DefineLines;
  std::map<unsigned, std::string> ErrorLines; ///< what they say
  std::map<size_t, llvm::StringRef>
      BodyBegins; ///< tokens in front of the bodies of #defines, and their names
  std::vector<Branch> Branches;
  std::vector<KernelAt> Kernels;

  void lex(llvm::StringRef Line, unsigned Number);
  void directive(llvm::StringRef Line, unsigned Number, std::vector<unsigned> &Open,
                 unsigned &Groups);
  void findKernels();
  /// The names that the conditions around a line compare with numbers, those of earlier branches
  /// too.
  std::vector<std::string> comparedAround(unsigned Line) const;
  /// Does a condition within the body of K ask for one of Names?
  bool asksFor(const KernelAt &K, const std::vector<WantedMacro> &Names) const;
  mutable llvm::StringSet<> Asking; ///< names whose definitions are being looked for
  /// What is defined before the text begins: by the command line, and, for the time of a question,
  /// what is wanted.
  mutable llvm::StringMap<std::string> Given;
  /// Numbers that the file defines unless the host does: #ifndef DIM, #define DIM 2.
  llvm::StringMap<int64_t> Defaults;
  /// Numbers that the file defines in one place: #define SQUARE 2, for #if SHAPE == SQUARE.
  llvm::StringMap<int64_t> Constants;
  /// The number that Name stands for in a condition; nothing: it may be any.
  std::optional<int64_t> numberOf(llvm::StringRef Name) const;
  /// NAME <op> NUMBER, where the number may be a character, or a name of one.
  bool comparison(llvm::StringRef Term, llvm::StringRef &Name, llvm::StringRef &Operator,
                  int64_t &Number) const;
  std::vector<WantedMacro> wantedAt(unsigned Line) const;
  /// Takes Wanted as given, until Given is set back.
  void assume(llvm::ArrayRef<WantedMacro> Wanted) const;
  bool isDefined(llvm::StringRef Name) const;
  /// Does the condition hold when only what the file defines, and what is given, is defined?
  bool holds(llvm::StringRef Condition) const;
  bool isActive(unsigned Line) const;
  /// What makes a condition false that is true, of two names compared the second one.
  void wantsNot(llvm::StringRef Condition, std::vector<WantedMacro> &Out) const;
  void wants(llvm::StringRef Condition, std::vector<WantedMacro> &Out) const;
  bool isImage(llvm::StringRef Name) const;
  /// The token behind the subscripts that begin at token J; Count grows by their number.
  unsigned pastBrackets(unsigned J, unsigned &Count) const;
  /// Does the star at that token multiply?
  bool isProduct(size_t Star) const;
  /// Does the token stand between the semicolons of for (...; more(&p); ...)?
  /// Does line Line stand under #ifdef __cplusplus, or what no compiler of OpenCL reaches?
  bool isOtherLanguage(unsigned Line) const;
  /// Does a macro stand there in the place of statements, without a semicolon behind it?
  bool isWholeStatement(size_t I) const;
  bool isInHeader(size_t I) const;
  /// How many names stand between the parenthesis at Open and the one that closes it, and nothing
  /// else; 0: there is more.
  unsigned namesFrom(size_t Open) const;
  /// Is the token an argument of a call whose value is used: x = f(A * B, 2)?
  bool isInCall(size_t I) const;
  llvm::StringRef at(size_t Index) const {
    return Index < Tokens.size() ? Tokens[Index].Text : llvm::StringRef();
  }
};

} // namespace clmali::model

#endif // CLMALI_CHECKS_MODEL_FRONTEND_TOLERANT_TOKENSCAN_H
