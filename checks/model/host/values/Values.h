//===-- checks/model/host/values/Values.h - What host variables hold ----*- C++ -*-===//
//
// The values of a host program's expressions that are known without running it, at
// the place where they stand: what reaches it (Flow.h) is evaluated in turn, and
// a parameter is what a call gave.
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

/// A call under whose arguments a function's body is looked at; null: none.
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
  bool ByDefault = false; ///< the command line may say otherwise
  bool AtMost = false;    ///< or less (HostValues::Largest)
  double asFloat() const { return IsFloat ? F : double(I); }
};

class HostValues {
public:
  HostValues(clang::ASTContext &Ctx, const HostFlow &Flow) : Ctx(Ctx), Flow(Flow) {}

  /// Where a value comes from.
  struct Origin {
    const clang::Expr *Value = nullptr; ///< null: not known
    const HostFrame *Frame = nullptr;   ///< under which it holds
    bool ByDefault = false;
  };
  /// What the variable (or its element) holds where Use stands, as the expression that it was
  /// given.
  Origin origin(const clang::ValueDecl *D, std::optional<uint64_t> Element, const clang::Expr *Use,
                const HostFrame *F) const;
  /// E, with variables and calls of functions that only return followed to what makes the value.
  Origin source(const clang::Expr *E, const HostFrame *F) const;

  std::optional<HostNumber> number(const clang::Expr *E, const HostFrame *F = nullptr) const;
  /// An element of an array.
  std::optional<HostNumber> number(const clang::ValueDecl *D, uint64_t Element,
                                   const clang::Expr *Use, const HostFrame *F) const;
  std::optional<int64_t> integer(const clang::Expr *E, const HostFrame *F = nullptr) const;
  /// NULL, nullptr, 0, or a variable that holds it. \p Where: it is written there.
  bool isNull(const clang::Expr *E, const HostFrame *F, clang::SourceRange *Where = nullptr) const;
  /// Which of its two values, where known; else null.
  const clang::Expr *taken(const clang::ConditionalOperator *C, const HostFrame *F) const;
  std::optional<std::string> string(const clang::Expr *E, const HostFrame *F = nullptr) const;
  /// The text of E: '\1' is a number that is known only at run time, '\2' any text; nullopt:
  /// nothing is known.
  std::optional<std::string> options(const clang::Expr *E, const HostFrame *F = nullptr) const;
  /// First the same, then what it is with one only of the parts that it has under conditions, and
  /// with none of them.
  std::vector<std::string> optionSets(const clang::Expr *E, const HostFrame *F = nullptr) const;

  /// While it lives, a variable that may hold one of several numbers has the largest.
  class Largest {
  public:
    explicit Largest(const HostValues &V) : V(V) { V.TakesLargest = true; }
    ~Largest() { V.TakesLargest = false; }

  private:
    const HostValues &V;
  };

  /// While it lives, a loop's variable is what it is in one round.
  class InRound {
  public:
    InRound(const HostValues &V, const clang::ValueDecl *D, int64_t N) : V(V) {
      V.RoundOf = D;
      V.Round = N;
    }
    ~InRound() { V.RoundOf = nullptr; }

  private:
    const HostValues &V;
  };

private:
  clang::ASTContext &Ctx;
  const HostFlow &Flow;
  mutable const clang::ValueDecl *RoundOf = nullptr;
  mutable int64_t Round = 0;
  mutable bool TakesLargest = false;
  mutable bool SawLargest =
      false;                   ///< in this question: what does not carry it further is no answer
  mutable unsigned Budget = 0; ///< steps left of a question, against explosions
  mutable unsigned Nested = 0;

  using Env = std::map<const clang::ValueDecl *, HostNumber>; ///< of a function that is run
  using Maybe = std::optional<HostNumber>;
  /// Counts the steps of one question from outside.
  struct Question {
    const HostValues &V;
    explicit Question(const HostValues &V) : V(V) {
      if (V.Nested++ == 0) {
        V.Budget = V.TakesLargest ? 2000 : 20000;
        V.SawLargest = false;
      }
    }
    ~Question() { --V.Nested; }
  };
  /// Could another file write to it? A variable that only this file declares is taken for its own.
  bool isForeign(const clang::ValueDecl *D) const;
  /// An element of an initialiser list, wherever it hides (std::array, std::vector, arrays).
  static const clang::Expr *elementOf(const clang::Expr *Init, uint64_t Element, bool &IsList);
  /// What a parameter is where no call that the file shows gives it; null: some do, or it has no
  /// such value.
  const clang::Expr *defaultOf(const clang::ParmVarDecl *P) const;
  Maybe eval(const clang::Expr *E, const HostFrame *F, unsigned Depth, Env *Run) const;
  Maybe variable(const clang::ValueDecl *D, std::optional<uint64_t> Element, const clang::Expr *Use,
                 const HostFrame *F, unsigned Depth) const;
  Maybe written(const HostWrite &W, const clang::ValueDecl *D, std::optional<uint64_t> Element,
                const HostFrame *F, unsigned Depth) const;
  Maybe call(const clang::CallExpr *C, const HostFrame *F, unsigned Depth, Env *Run) const;
  Maybe binary(clang::BinaryOperatorKind Op, const HostNumber &L, const HostNumber &R) const;
  enum Outcome { GoesOn, Done, NotKnown };
  Outcome run(const clang::Stmt *S, const HostFrame *F, unsigned Depth, Env &Run,
              Maybe &Result) const;
  std::optional<std::string> text(const clang::Expr *E, const HostFrame *F, unsigned Depth) const;
  /// A null pointer in the place of a text: adding it stands under a condition that does not hold.
  bool isNoText(const clang::Expr *E, const HostFrame *F) const;
  std::optional<std::string> textOf(const clang::ValueDecl *D, const clang::Expr *Use,
                                    const HostFrame *F, unsigned Depth) const;
  std::optional<std::string> formatted(const clang::CallExpr *C, const HostFrame *F,
                                       unsigned Depth) const;
  std::optional<bool> condition(const clang::Expr *E, const HostFrame *F, unsigned Depth) const;
};

} // namespace clmali::model
#endif
