//===-- rewriters/staging/Exchange.cpp - Values that a group exchanges ---------===//
//
// Part of `delocalize`: what local memory is for that holds no copies, for the refusal.
//
//   a = t[l]; b = t[l ^ j]; .. a > b ..      partners are compared: a sorting network
//   a = t[l]; b = t[l + h]; a + b, a - b     sums and differences: an FFT or a like transform
//
//===----------------------------------------------------------------------===//

#include "rewriters/staging/Delocalizer.h"

namespace clmali::rewrite {

using namespace model;

namespace {

/// What the kernel makes of the elements of one array in local memory.
class ExchangeFinder {
public:
  ExchangeFinder(const KernelAnalysis &A, const Var &Tile) : A(A), Tile(Tile) {
    for (size_t Known = ~size_t(0); Known != Derived.size();) {
      Known = Derived.size();
      for (const Stmt *S : stmts(A.kernel().Body))
        if (S->E && isDerived(S->E))
          add(S);
    }
  }
  /// Two elements, or values made of them, are compared.
  bool compares() const {
    return any([](const Expr &E) {
      return (E.K == ExprKind::Binary &&
              (E.O == Op::LT || E.O == Op::LE || E.O == Op::GT || E.O == Op::GE)) ||
             (E.K == ExprKind::Call &&
              (E.Name == "min" || E.Name == "max" || E.Name == "fmin" || E.Name == "fmax" ||
               E.Name == "isless" || E.Name == "isgreater"));
    });
  }
  bool adds(Op Which) const {
    return any([Which](const Expr &E) { return E.K == ExprKind::Binary && E.O == Which; });
  }
  /// An index that is made of the bits of an id: l ^ j, 2 * l - (l & (j - 1)).
  const Access *partner() const {
    for (const AccessSite &X : A.accesses())
      if (X.A->Base == &Tile)
        for (const Expr *Index : X.A->Index)
          if (usesBits(Index, X.S, 0))
            return X.A;
    return nullptr;
  }

private:
  const KernelAnalysis &A;
  const Var &Tile;
  llvm::DenseSet<const Var *> Derived;

  void add(const Stmt *S) {
    if (S->V)
      Derived.insert(S->V);
    else if (S->K == StmtKind::Store && S->Acc.Base->space() == AddressSpace::Private)
      Derived.insert(S->Acc.Base);
  }
  bool isDerived(const Expr *Root) const {
    bool Found = false;
    walk(Root, [&](const Expr *E) {
      if (E->K == ExprKind::Load)
        Found |= E->Acc.Base == &Tile || Derived.contains(E->Acc.Base);
      if (E->K == ExprKind::VarRef)
        Found |= Derived.contains(E->V);
      return !Found && E->K != ExprKind::Load;
    });
    return Found;
  }
  bool any(llvm::function_ref<bool(const Expr &)> Is) const {
    return llvm::any_of(exprs(A.kernel().Body), [&](ExprAt E) {
      return Is(*E.E) && E->Ops.size() == 2 && isDerived(E->Ops[0]) && isDerived(E->Ops[1]);
    });
  }
  bool usesBits(const Expr *Index, const Stmt *At, unsigned Depth) const {
    constexpr unsigned MaxDepth = 4;
    bool Found = false;
    walk(Index, [&](const Expr *E) {
      if (E->K == ExprKind::Binary && (E->O == Op::Xor || E->O == Op::And))
        Found |= A.varies(E, At).Item;
      if (E->K == ExprKind::VarRef && Depth < MaxDepth && !Found)
        for (const Stmt *D : A.defs(E->V))
          Found |= D->E && usesBits(D->E, D, Depth + 1);
      return !Found && E->K != ExprKind::Load;
    });
    return Found;
  }
};

} // namespace

std::optional<std::string> Delocalizer::exchange(const Tile &T) const {
  const ExchangeFinder Of(A, *T.V);
  const Access *Partner = Of.partner();
  if (Partner && Of.compares()) {
    const SourceRange R = Partner->Range;
    const llvm::StringRef Text =
        R.isValid() ? llvm::StringRef(M.Files[R.File].Text).slice(R.Begin, R.End) : "";
    return "holds values that work-items compare with those of a partner" +
           (Text.empty() ? std::string() : " (" + Text.str() + ")") +
           " between barriers: a sorting network";
  }
  if (Of.adds(Op::Add) && Of.adds(Op::Sub))
    return std::string("holds values of which work-items make sums and differences between "
                       "barriers: the butterflies of an FFT or a like transform");
  return std::nullopt;
}

} // namespace clmali::rewrite
