//===-- checks/model/host/values/Values.h - What host variables hold ----*- C++ -*-===//
//
// Evaluates expressions of a host program at their position, as far as that needs no run: reaching
// definitions (Flow.h) are evaluated in turn, and a parameter has the value of a call's argument.
//
//   size_t n = 1000, g[2];            integer(g[0]'s value)   1008
//   g[0] = roundUp(n, 16);            options(text)           "-DTILE=16"
//   sprintf(text, "-DTILE=%d", 16);
//   if (argc > 1) n = atoi(argv[1]);  integer(n)              1000, by default
//
// Limits: one translation unit. Objects of one class share the values of its fields.
//
//===----------------------------------------------------------------------===//
#ifndef CLMALI_CHECKS_MODEL_HOST_VALUES_VALUES_H
#define CLMALI_CHECKS_MODEL_HOST_VALUES_VALUES_H

#include "checks/model/host/values/Flow.h"
#include <map>
#include <optional>
#include <string>

namespace clmali::model {

/// The call whose arguments are the values of a function's parameters; null: none is assumed.
struct HostFrame {
  const clang::FunctionDecl *Callee = nullptr;
  const clang::Expr *Site = nullptr; ///< the call
  llvm::ArrayRef<const clang::Expr *> Args;
  const HostFrame *Up = nullptr;
};

struct HostNumber {
  bool IsFloat = false;
  int64_t I = 0;
  double F = 0;
  bool ByDefault = false; ///< the command line may change it
  bool AtMost = false;    ///< or less (HostValues::Largest)
  double asFloat() const { return IsFloat ? F : double(I); }

  static HostNumber whole(int64_t I, bool ByDefault = false) {
    HostNumber N;
    N.I = I;
    N.ByDefault = ByDefault;
    return N;
  }
  static HostNumber real(double F, bool ByDefault = false) {
    HostNumber N;
    N.IsFloat = true;
    N.F = F;
    N.ByDefault = ByDefault;
    return N;
  }
  friend bool sameValue(const HostNumber &A, const HostNumber &B) {
    return A.IsFloat == B.IsFloat && (A.IsFloat ? A.F == B.F : A.I == B.I);
  }
};

class HostValues {
public:
  HostValues(clang::ASTContext &Ctx, const HostFlow &Flow) : Ctx(Ctx), Flow(Flow) {}

  /// Where a value comes from.
  struct Origin {
    const clang::Expr *Value = nullptr; ///< null: not known
    const HostFrame *Frame = nullptr;   ///< of Value
    bool ByDefault = false;
  };
  /// The expression whose value the variable (or its element) has at Use.
  Origin origin(const clang::ValueDecl *D, std::optional<uint64_t> Element, const clang::Expr *Use,
                const HostFrame *F) const;
  /// E, with variables followed to the expression that makes the value.
  Origin source(const clang::Expr *E, const HostFrame *F) const;

  std::optional<HostNumber> number(const clang::Expr *E, const HostFrame *F = nullptr) const;
  /// An element of an array.
  std::optional<HostNumber> number(const clang::ValueDecl *D, uint64_t Element,
                                   const clang::Expr *Use, const HostFrame *F) const;
  std::optional<int64_t> integer(const clang::Expr *E, const HostFrame *F = nullptr) const;
  /// NULL, nullptr, 0, or a variable that holds it. \p Where: the range of the null.
  bool isNull(const clang::Expr *E, const HostFrame *F, clang::SourceRange *Where = nullptr) const;
  /// The operand that C selects; null: not known.
  const clang::Expr *taken(const clang::ConditionalOperator *C, const HostFrame *F) const;
  std::optional<std::string> string(const clang::Expr *E, const HostFrame *F = nullptr) const;
  /// The text of E: '\1' is a number that is known only at run time, '\2' any text; nullopt:
  /// nothing is known.
  std::optional<std::string> options(const clang::Expr *E, const HostFrame *F = nullptr) const;
  /// First the same with all parts that are added under conditions, then with one of them each, and
  /// with none.
  std::vector<std::string> optionSets(const clang::Expr *E, const HostFrame *F = nullptr) const;

  /// During its lifetime, a variable that may have one of several numbers has the largest.
  class Largest {
  public:
    explicit Largest(const HostValues &V) : V(V) { V.TakesLargest = true; }
    ~Largest() { V.TakesLargest = false; }

  private:
    const HostValues &V;
  };

  /// During its lifetime, a loop's variable has its value of one iteration.
  class InIteration {
  public:
    InIteration(const HostValues &V, const clang::ValueDecl *D, int64_t N) : V(V) {
      V.LoopVariable = D;
      V.LoopValue = N;
    }
    ~InIteration() { V.LoopVariable = nullptr; }

  private:
    const HostValues &V;
  };

private:
  clang::ASTContext &Ctx;
  const HostFlow &Flow;
  static constexpr unsigned MaxDepth = 40; ///< of recursion
  mutable const clang::ValueDecl *LoopVariable = nullptr;
  mutable int64_t LoopValue = 0;
  mutable bool TakesLargest = false;
  /// The query met a largest value: a result without AtMost lost it, and is not valid.
  mutable bool SawLargest = false;
  mutable unsigned Budget = 0; ///< steps that are left to the query
  mutable unsigned Nested = 0; ///< queries in progress

  using Env = std::map<const clang::ValueDecl *, HostNumber>; ///< of an interpreted function
  using Maybe = std::optional<HostNumber>;
  /// Limits the steps of one query from outside.
  struct QueryScope {
    const HostValues &V;
    explicit QueryScope(const HostValues &V) : V(V) {
      if (V.Nested++ == 0) {
        V.Budget = V.TakesLargest ? 2000 : 20000;
        V.SawLargest = false;
      }
    }
    ~QueryScope() { --V.Nested; }
  };
  /// Another file may write to D. A variable that only this file declares is its own.
  bool isForeign(const clang::ValueDecl *D) const;
  /// An element of an initialiser list of an array, std::array or std::vector.
  static const clang::Expr *elementOf(const clang::Expr *Init, uint64_t Element, bool &IsList);
  /// The default argument of a parameter that no call in the file gives; null: a call does, or
  /// there is no default.
  const clang::Expr *defaultOf(const clang::ParmVarDecl *P) const;
  // Run: the variables of an interpreted function, if E is in one.
  Maybe eval(const clang::Expr *E, const HostFrame *F, unsigned Depth, Env *Run) const;
  Maybe evalCast(const clang::Expr *E, Maybe V) const;
  Maybe evalUnary(const clang::UnaryOperator *U, Maybe V) const;
  Maybe evalConditional(const clang::ConditionalOperator *C, const HostFrame *F, unsigned Depth,
                        Env *Run) const;
  Maybe variable(const clang::ValueDecl *D, std::optional<uint64_t> Element, const clang::Expr *Use,
                 const HostFrame *F, unsigned Depth) const;
  Maybe parameter(const clang::ParmVarDecl *P, std::optional<uint64_t> Element, const HostFrame *F,
                  unsigned Depth) const;
  Maybe sharedVariable(const clang::ValueDecl *D, std::optional<uint64_t> Element,
                       unsigned Depth) const;
  Maybe mergeWrite(Maybe Base, const HostWrite &W, const clang::ValueDecl *D,
                   std::optional<uint64_t> Element, bool HasBefore, const HostFrame *F,
                   unsigned Depth) const;
  /// What D holds after W.
  Maybe written(const HostWrite &W, const clang::ValueDecl *D, std::optional<uint64_t> Element,
                const HostFrame *F, unsigned Depth) const;
  Maybe call(const clang::CallExpr *C, const HostFrame *F, unsigned Depth, Env *Run) const;
  Maybe containerSize(const clang::CXXMemberCallExpr *C, const HostFrame *F, unsigned Depth) const;
  Maybe libraryCall(const clang::CallExpr *C, llvm::StringRef Name, const HostFrame *F,
                    unsigned Depth, Env *Run, bool &IsKnown) const;
  Maybe binary(clang::BinaryOperatorKind Op, const HostNumber &L, const HostNumber &R) const;
  /// Of interpreting a statement; Done: it returned.
  enum Outcome { GoesOn, Done, NotKnown };
  Outcome run(const clang::Stmt *S, const HostFrame *F, unsigned Depth, Env &Run,
              Maybe &Result) const;
  Outcome runLoop(const clang::Expr *Cond, const clang::Stmt *Body, const clang::Stmt *Step,
                  bool BodyFirst, const HostFrame *F, unsigned Depth, Env &Run,
                  Maybe &Result) const;
  Outcome runDeclarations(const clang::DeclStmt *S, const HostFrame *F, unsigned Depth,
                          Env &Run) const;
  Outcome runExpression(const clang::Expr *E, const HostFrame *F, unsigned Depth, Env &Run) const;
  std::optional<bool> truth(const clang::Expr *E, const HostFrame *F, unsigned Depth,
                            Env &Run) const;

  // Text.cpp.
  std::optional<std::string> text(const clang::Expr *E, const HostFrame *F, unsigned Depth) const;
  /// A null pointer in the place of a text: it is never added, because its condition is false.
  bool isNoText(const clang::Expr *E, const HostFrame *F) const;
  std::optional<std::string> textOf(const clang::ValueDecl *D, const clang::Expr *Use,
                                    const HostFrame *F, unsigned Depth) const;
  std::optional<std::string> textOfCall(const clang::CallExpr *C, const HostFrame *F,
                                        unsigned Depth) const;
  struct TextSoFar; ///< Text.cpp
  bool assignText(const HostWrite &W, TextSoFar &So, const HostFrame *F, unsigned Depth) const;
  void appendText(const HostWrite &W, TextSoFar &So, const HostFrame *F, unsigned Depth) const;
  bool isConditional(const HostWrite &W, const clang::Expr *Use) const;
  std::optional<std::string> formatted(const clang::CallExpr *C, const HostFrame *F,
                                       unsigned Depth) const;
  std::optional<bool> condition(const clang::Expr *E, const HostFrame *F, unsigned Depth) const;
};

} // namespace clmali::model
#endif
