//===-- rewriters/print/Components.cpp - Vectors and their components as text --===//

#include "rewriters/print/Printer.h"
#include "llvm/ADT/StringExtras.h"

using namespace clmali::model;

namespace clmali::rewrite {

std::string swizzleText(llvm::ArrayRef<uint8_t> Lanes, unsigned OfLanes) {
  unsigned Half = OfLanes / 2;
  if (OfLanes >= 8 && Lanes.size() == Half) {
    bool Low = true, High = true;
    for (unsigned I = 0; I < Half; ++I) {
      Low &= Lanes[I] == I;
      High &= Lanes[I] == Half + I;
    }
    if (Low)
      return ".lo";
    if (High)
      return ".hi";
  }
  std::string S = OfLanes <= 4 ? "." : ".s";
  for (uint8_t L : Lanes)
    S += OfLanes <= 4 ? "xyzw"[L] : llvm::hexdigit(L, /*LowerCase=*/true);
  return S;
}

const Expr *ExprPrinter::shown(const Expr *E) const {
  while (Inline && E->K == ExprKind::VarRef) {
    auto It = Inline->find(E->V);
    if (It == Inline->end())
      break;
    E = It->second;
  }
  return E;
}

std::pair<const Expr *, llvm::SmallVector<uint8_t, 8>>
ExprPrinter::components(const Expr *E) const {
  llvm::SmallVector<uint8_t, 8> Lanes(E->LaneIdx.begin(), E->LaneIdx.end());
  const Expr *Of = shown(E->Ops[0]);
  for (; Of->K == ExprKind::Swizzle && Of->Ops[0]->Ty->isVector(); Of = shown(Of->Ops[0]))
    for (uint8_t &Lane : Lanes)
      Lane = Of->LaneIdx[Lane];
  return {Of, Lanes};
}

ExprText ExprPrinter::vectorCtor(const Expr *E) const {
  std::string S = "(" + typeName(E->Ty) + ")(";
  llvm::StringRef Separator;
  for (const Expr *Op : E->Ops) {
    S += Separator;
    Separator = ", ";
    // Scalars are converted as by an assignment, vectors not at all.
    S += Op->Ty->isScalar() && Op->Ty->Scalar == E->Ty->Scalar ? initialiser(Op) : argument(Op);
  }
  return {S + ")", PrecUnary, ctype(E->Ty)};
}

} // namespace clmali::rewrite
