//===-- rewriters/print/Printer.h - Inside the printer --------------*- C++ -*-===//
//
// The parts of the printer: Exprs.cpp and Constants.cpp (values), Memory.cpp (lvalues and
// pointers), Names.cpp (names and declarations), Print.cpp (statements), Signature.cpp, Format.cpp
// (line breaks) and Splice.cpp (the file around the kernel).
//
//===----------------------------------------------------------------------===//
#ifndef CLMALI_REWRITERS_PRINT_PRINTER_H
#define CLMALI_REWRITERS_PRINT_PRINTER_H

#include "rewriters/print/Print.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include <map>

namespace clmali::rewrite {

/// Widths in columns.
struct TextStyle {
  static constexpr unsigned MostColumns = 120;
  unsigned Columns = 100; ///< of a line
  unsigned Indent = 4;
};
/// The style of the user's kernel: wider if a line of File is, and indented as the first line of
/// Body, the kernel's text from '{'.
TextStyle styleOf(llvm::StringRef File, llvm::StringRef Body);

/// Code as it is shown: indented and broken into lines.
std::string formatted(const std::string &Code, const TextStyle &Style);

/// C's precedences, tightest last.
enum Precedence : uint8_t {
  PrecComma,
  PrecAssign,
  PrecConditional,
  PrecLogicalOr,
  PrecLogicalAnd,
  PrecOr,
  PrecXor,
  PrecAnd,
  PrecEquality,
  PrecRelation,
  PrecShift,
  PrecAdd,
  PrecMul,
  PrecUnary,
  PrecPostfix,
};

/// The C type of a text: what Clang computes for it, which need not be the
/// type of the model's node.
struct CType {
  model::ScalarKind Scalar = model::ScalarKind::Int;
  uint8_t Lanes = 1;
  bool operator==(const CType &O) const = default;
};
inline CType ctype(const model::Type *T) { return {T->Scalar, T->Lanes}; }

/// An expression's text. Converting its value from Ty to the type of the
/// model's node (a vector of one scalar: to every lane) gives the node's value.
struct ExprText {
  std::string S;
  Precedence Prec = PrecPostfix;
  CType Ty;
};

/// `#define NAME literal`, once in the files of the module.
struct MacroTable {
  /// End: of the main file, what stands behind this offset does not count.
  explicit MacroTable(const model::Module &M, size_t End = llvm::StringRef::npos);
  llvm::StringMap<std::string> Body; ///< of macros without parameters, defined once
  llvm::StringSet<> Names;           ///< all that are defined anywhere
  llvm::StringSet<> Defaults;        ///< of Names: defined unless the build gives another value
};

class ExprPrinter {
public:
  using NameFn = std::function<std::string(const model::Var *)>;
  using InlineMap = llvm::DenseMap<const model::Var *, const model::Expr *>;
  ExprPrinter(const model::Module *M, const MacroTable *Macros, NameFn Name, bool Faithful,
              const InlineMap *Inline = nullptr, std::string KernelName = "")
      : M(M), Macros(Macros), Name(std::move(Name)), Faithful(Faithful), Inline(Inline),
        KernelName(std::move(KernelName)) {}

  /// As short as C's own conversions allow; see ExprText.
  ExprText raw(const model::Expr *E) const;
  /// Of exactly E's type.
  ExprText exact(const model::Expr *E) const;
  /// For `object of E's type = ...`.
  std::string initialiser(const model::Expr *E) const;
  /// As an argument of a built-in: exact, no parentheses.
  std::string argument(const model::Expr *E) const { return exact(E).S; }
  /// For `if (...)`: the truth of E, or of its negation.
  ExprText condition(const model::Expr *E) const;
  ExprText negated(const model::Expr *E) const;
  /// The right side of `LValue op= right`, if storing E into the object of type
  /// Ty that is called LValue can be said so; Op gets "+=".
  std::optional<std::string> compound(const std::string &LValue, CType Ty, const model::Expr *E,
                                      std::string &Op) const;

  /// The object that A designates: "base[i].f", "*(__global uint *)(p + i)".
  ExprText lvalue(const model::Access &A) const;
  /// The address of A, as a pointer to A.Elem.
  std::string pointer(const model::Access &A) const;
  /// vloadN of A.
  ExprText vectorLoad(const model::Access &A) const;
  std::string vectorStore(const model::Access &A, const model::Expr *E) const;
  /// True if E converts between float and a half that is only in memory.
  bool isHalfInMemory(const model::Expr *E) const;
  /// vload_halfN of A, and vstore_halfN of E, a conversion to half.
  ExprText halfLoad(const model::Access &A) const;
  std::string halfStore(const model::Access &A, const model::Expr *E) const;

  /// `sincos(x, &c)`: both results of Call, the second one into variable To.
  std::string withBothResults(const model::Expr *Call, const std::string &To) const;
  /// The functions that expressions printed so far call for one result of a built-in that has two.
  std::string helpers() const;

private:
  std::string helper(const model::Expr *Call) const;
  struct Operands {
    ExprText A, B;
    CType Common;
  };
  Operands operands(const model::Expr *EA, const model::Expr *EB, bool Promote = true) const;
  Operands vectorOperands(const model::Expr *EA, const model::Expr *EB) const;
  Operands binaryOperands(const model::Expr *E) const;
  ExprText convertTo(ExprText T, const model::Expr *E) const;
  ExprText constant(const model::Expr *E) const;
  ExprText typedConstant(const model::Expr *E) const;
  ExprText binary(const model::Expr *E) const;
  ExprText cast(const model::Expr *E) const;
  ExprText select(const model::Expr *E) const;
  ExprText vectorSelect(const model::Expr *E) const;
  ExprText vectorCtor(const model::Expr *E) const;
  ExprText call(const model::Expr *E) const;
  ExprText helperCall(const model::Expr *E) const;
  ExprText image(const model::Expr *E) const;
  ExprText opaque(const model::Expr *E) const;
  const model::Expr *splatted(const model::Expr *E) const;
  /// The value that is printed for E, if E is a variable of Inline; else E.
  const model::Expr *shown(const model::Expr *E) const;
  /// Of a swizzle: the vector as printed, and its lanes.
  std::pair<const model::Expr *, llvm::SmallVector<uint8_t, 8>>
  components(const model::Expr *E) const;

  struct Natural {
    std::string S;
    CType Ty;                   ///< of the object
    bool Component = false;     ///< it is one component of a vector
    bool SimplePointer = false; ///< base[index] over a pointer or an array of one dimension
    std::string Index;
  };
  std::optional<Natural> natural(const model::Access &A) const;
  std::string halfArguments(const model::Access &A, const std::string &Pointer,
                            const std::string &Count) const;
  std::string index(const model::Expr *E) const;
  ExprText scaled(const model::Expr *E, uint64_t Factor) const;
  void addTerms(std::string &S, const model::Expr *E, uint64_t Factor) const;
  std::string sum(const model::Access &A, uint64_t Unit, std::string Base) const;
  ExprText address(const model::Access &A, CType Pointee, std::string *Count) const;
  std::string pointerType(const model::Access &A, CType Pointee) const;

  const model::Module *M;
  const MacroTable *Macros;
  NameFn Name;
  bool Faithful;
  const InlineMap *Inline;                            ///< variables that are printed as their value
  std::string KernelName;                             ///< begins the names of helpers
  mutable std::map<std::string, std::string> Helpers; ///< definitions by name
};

std::string typeName(CType T);
std::string typeName(const model::Type *T);
std::string swizzleText(llvm::ArrayRef<uint8_t> Lanes, unsigned OfLanes);
/// T in parentheses unless it binds at least as tightly as Min.
std::string paren(const ExprText &T, Precedence Min);
std::string binaryText(model::Op O, const ExprText &A, const ExprText &B);
Precedence precedence(model::Op O);
/// True if every value of From is a value of To.
bool preserves(model::ScalarKind From, model::ScalarKind To);

/// Signature.cpp: the source in R; empty where it is not known.
std::string sourceText(const model::Module &M, model::SourceRange R);
/// The position of Word in Text as a whole word.
size_t findWord(llvm::StringRef Text, llvm::StringRef Word, size_t From = 0);
bool startsWithWord(llvm::StringRef Text, llvm::StringRef Word);
/// V's type as the user wrote it, if that still is T.
std::string spelledType(const model::Var *V, const model::Type *T);
/// The signature of K, up to the body.
/// The built-in type that Text names, if it is one.
std::optional<CType> builtinType(llvm::StringRef Text);

std::string signatureText(const model::Module &M, const model::Kernel &K, const MacroTable &Macros);

/// Names and positions of declarations.
struct Layout {
  llvm::DenseMap<const model::Var *, std::string> Name;
  llvm::DenseSet<const model::Stmt *> Skip;     ///< declarations that are not printed
  llvm::DenseSet<const model::Stmt *> AsAssign; ///< declarations printed as assignments
  llvm::DenseSet<const model::Stmt *> AsDecl;   ///< assignments that declare their variable
  llvm::DenseMap<const model::Stmt *, llvm::SmallVector<const model::Var *, 2>> Before;
  /// A call whose value is used by the next statement only: that statement.
  llvm::DenseMap<const model::Stmt *, const model::Stmt *> Taker;
  /// A declaration before the only loop that uses it: printed in the loop's head.
  llvm::DenseMap<const model::Stmt *, const model::Stmt *> Head;
  llvm::DenseSet<const model::Var *> Reassigned;                  ///< may not be const
  llvm::DenseMap<const model::Var *, const model::Expr *> Inline; ///< printed where it is used
};
Layout layOut(const model::Kernel &K, const model::Module &M, const MacroTable &Macros,
              bool Faithful);

} // namespace clmali::rewrite
#endif
