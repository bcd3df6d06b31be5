//===- nan-test-under-fast-math.cpp -----------------------------------------------------------===//
//
// Before: clBuildProgram(.., "-cl-fast-relaxed-math", ..), and isnan(v) ? 0 : v      folds to v
// After:  -cl-mad-enable -cl-no-signed-zeros -cl-denorms-are-zero, or a test of the bits
// Limits: options of the host in the same run, of the command line behind `--`.
//
//===------------------------------------------------------------------------------------------===//

#include "checks/query/Query.h"
#include <cmath>
#include <set>

using namespace llvm;
using namespace clmali;
using namespace clmali::checks;
using namespace clmali::model;

/// The option by which the compiler may assume that no value is NaN or infinite; empty: none.
static StringRef finiteOption(StringRef Options) {
  for (StringRef Option : {"-cl-fast-relaxed-math", "-cl-finite-math-only"})
    if (Options.contains(Option))
      return Option;
  return "";
}

/// "NAN" or "INFINITY" where E is such a constant; empty: it is none.
static StringRef specialConstant(const Expr *E) {
  E = stripCasts(E);
  while (E->K == ExprKind::Unary && E->O == Op::Neg)
    E = stripCasts(E->Ops[0]);
  if (E->K == ExprKind::FloatConst)
    return std::isnan(E->Float) ? "NAN" : std::isinf(E->Float) ? "INFINITY" : "";
  if (E->K == ExprKind::Call && E->Name == "nan")
    return "NAN";
  // NAN is as_float(INT_MAX) in OpenCL's headers.
  if (E->K == ExprKind::Cast && E->C == CastOp::Bitcast && E->Ty->isScalar() && E->Ty->isFloat() &&
      E->Ty->Scalar == ScalarKind::Float) {
    const Expr *Bits = stripCasts(E->Ops[0]);
    if (Bits->K == ExprKind::IntConst && (Bits->Int & 0x7f800000) == 0x7f800000)
      return Bits->Int & 0x7fffff ? "NAN" : "INFINITY";
  }
  return "";
}

/// What X tests, for the message; empty: X is no test for NaN or infinity.
static std::string testOf(const Expr &X) {
  static const std::set<StringRef> Tests = {"isnan",    "isinf",       "isfinite",
                                            "isnormal", "isunordered", "isordered"};
  if (X.K == ExprKind::Call && Tests.count(X.Name))
    return "'" + X.Name + "'";
  if (X.K != ExprKind::Binary || !isComparison(X.O) || !X.Ops[0]->Ty->isFloat())
    return "";
  for (const Expr *Operand : X.Ops)
    if (StringRef Constant = specialConstant(Operand); !Constant.empty())
      return "the comparison with " + Constant.str();
  if ((X.O == Op::EQ || X.O == Op::NE) && equal(stripCasts(X.Ops[0]), stripCasts(X.Ops[1])))
    return "the comparison of a value with itself";
  return "";
}

static void run(const Kernel &K, Context &C) {
  const BuildOptions *By = nullptr;
  bool All = true;
  for (const BuildOptions &O : C.buildOptions()) {
    bool Is = !finiteOption(O.Text).empty();
    if (Is && !By)
      By = &O;
    All &= Is;
  }
  if (!By)
    return;
  std::string Option = finiteOption(By->Text).str();
  auto Report = [&](SourceRange At, const Twine &What, StringRef Cost) -> Finding & {
    Finding &F = C.report(At, What);
    F.cost(Cost);
    if (By->Range.isValid())
      F.Notes.push_back({By->Range, "the options", By->File});
    // Another build of the program is without the option.
    if (!All)
      F.atMost(rules::Severity::Info);
    return F;
  };
  bool Tested = false;
  std::set<const Expr *> Seen;
  for (ExprAt X : exprs(K.Body)) {
    std::string Test = testOf(*X.E);
    if (Test.empty() || !Seen.insert(X.E).second)
      continue;
    Tested = true;
    Report(X->Range, Test + " may be folded: the program is built with " + Option,
           "the option promises that no value is NaN or infinite");
  }
  if (Tested)
    return;
  // A value that is never tested: an initial minimum, a mark for missing data.
  for (ExprAt X : exprs(K.Body))
    if (StringRef Constant = specialConstant(X.E);
        !Constant.empty() && X->K != ExprKind::Cast && X->K != ExprKind::Unary) {
      Report(X->Range, Constant + " is computed with in a program that is built with " + Option,
             "the option promises that no value is NaN or infinite; FLT_MAX is a value")
          .atMost(rules::Severity::Info);
      return;
    }
}

CLMALI_KERNEL_CHECK("nan-test-under-fast-math", run);
