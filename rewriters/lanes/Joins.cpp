//===-- rewriters/lanes/Joins.cpp - Lanes reduced to one value ---------------===//

#include "rewriters/lanes/Joins.h"
#include "checks/model/ir/Range.h"

namespace clmali::rewrite {

using namespace model;

const Expr *join(Module &M, Join How, const Expr *X, const Expr *Y) {
  switch (How) {
  case Join::Sum:
    return M.binary(Op::Add, X, Y);
  case Join::Product:
    return M.binary(Op::Mul, X, Y);
  case Join::And:
    return M.binary(Op::And, X, Y);
  case Join::Or:
    return M.binary(Op::Or, X, Y);
  case Join::Xor:
    return M.binary(Op::Xor, X, Y);
  case Join::Min:
    return M.call("min", X->Ty, {X, Y});
  case Join::Max:
    return M.call("max", X->Ty, {X, Y});
  case Join::FMin:
    return M.call("fmin", X->Ty, {X, Y});
  case Join::FMax:
    return M.call("fmax", X->Ty, {X, Y});
  case Join::Choose:
    break;
  }
  llvm_unreachable("no such join");
}

ScalarKind joinedIn(Join How, ScalarKind Elem) {
  if (isFloat(Elem) || How >= Join::Min)
    return Elem;
  return sizeInBits(Elem) > 32 ? ScalarKind::ULong : ScalarKind::UInt;
}

const Expr *neutralFor(Module &M, Join How, const Type *Ty) {
  auto constant = [&](int64_t C) {
    return Ty->isFloat() ? M.floatConst(C, Ty) : M.intConst(C, Ty);
  };
  switch (How) {
  case Join::Sum:
  case Join::Or:
  case Join::Xor:
    return constant(0);
  case Join::Product:
    return constant(1);
  case Join::And:
    return M.unary(Op::BitNot, M.intConst(0, Ty));
  default:
    break;
  }
  if ((How != Join::Min && How != Join::Max) || Ty->isFloat() || sizeInBits(Ty->Scalar) > 32)
    return nullptr;
  const Range All = rangeOf(Ty->Scalar);
  return constant(How == Join::Min ? All.Hi : All.Lo);
}

const Expr *joinLanes(Module &M, const Expr *Vector,
                      llvm::function_ref<const Expr *(const Expr *, const Expr *)> Both,
                      llvm::function_ref<const Expr *(const Expr *, unsigned)> Hold) {
  const Expr *All = Vector;
  for (unsigned Half = Vector->Ty->Lanes / 2; Half > 1; Half /= 2) {
    llvm::SmallVector<uint8_t, 8> Low, High;
    for (unsigned L = 0; L < Half; ++L) {
      Low.push_back(uint8_t(L));
      High.push_back(uint8_t(L + Half));
    }
    All = Hold(Both(M.swizzle(All, Low), M.swizzle(All, High)), Half);
  }
  return Both(M.swizzle(All, {0}), M.swizzle(All, {1}));
}

} // namespace clmali::rewrite
