// Terms as Z3 expressions: bit-vectors, and uninterpreted functions for calls.
#ifndef CLMALI_REWRITERS_VERIFY_SYMBOLIC_Z3TERMS_H
#define CLMALI_REWRITERS_VERIFY_SYMBOLIC_Z3TERMS_H

#include "rewriters/verify/symbolic/terms/Terms.h"

#include "llvm/ADT/DenseMap.h"

#include <z3.h>

#include <map>
#include <string>

namespace clmali::verify::symbolic {

class Z3Terms {
public:
  /// \p Megabytes: the memory that the solver may use. The limit holds for the process.
  Z3Terms(const TermStore &T, unsigned Megabytes);
  virtual ~Z3Terms() { Z3_del_context(Context); }
  Z3Terms(const Z3Terms &) = delete;
  Z3Terms &operator=(const Z3Terms &) = delete;

  Z3_context context() const { return Context; }
  Z3_ast number(unsigned Width, uint64_t Value) {
    return Z3_mk_unsigned_int64(Context, Value, Z3_mk_bv_sort(Context, Width));
  }
  Z3_ast bit(Z3_ast Condition) { return Z3_mk_ite(Context, Condition, number(1, 1), number(1, 0)); }
  Z3_ast isSet(Z3_ast Bit) { return Z3_mk_eq(Context, Bit, number(1, 1)); }
  /// \p Root and all its operands; each term once.
  Z3_ast translate(Term Root);
  /// What the last translations could not translate; empty: nothing. No answer counts then. Terms
  /// are translated again afterwards.
  std::string takeProblem();
  /// Asserts in \p S that \p A lies within the bounds of its term \p N.
  void assertBounds(Z3_solver S, const Node &N, Z3_ast A);

protected:
  /// The bytes of a buffer at \p Offset.
  virtual Z3_ast read(Term Root, Z3_ast Offset) = 0;
  /// Another translation of \p Root than the usual one; null: none.
  virtual Z3_ast instead(Term, llvm::ArrayRef<Z3_ast>) { return nullptr; }
  /// The function \p Name applied, of the widths of \p Root and its operands.
  Z3_ast apply(std::string Name, Term Root, llvm::ArrayRef<Z3_ast> Ops);

  const TermStore &T;
  Z3_context Context = nullptr;
  std::string Problem;

private:
  Z3_ast sum(Term Root, llvm::ArrayRef<Z3_ast> Ops);
  /// Translates \p Root, whose operands are translated already.
  Z3_ast one(Term Root);

  llvm::DenseMap<Term, Z3_ast> Terms;
  std::map<std::string, Z3_func_decl> Functions;
};

} // namespace clmali::verify::symbolic

#endif
