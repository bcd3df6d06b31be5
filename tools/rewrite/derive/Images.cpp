//===- Images.cpp -----------------------------------------------------------------------------===//

#include "tools/rewrite/derive/Images.h"
#include "checks/model/ir/Traversal.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

namespace clmali::tool {

using namespace llvm;
using namespace model;

/// The value of a variable that is set once; else \p E.
static const Expr *onlyValue(const Kernel &K, const Expr *E) {
  if (E->K != ExprKind::VarRef)
    return E;
  const Expr *Value = nullptr;
  for (Stmt *S : stmts(K.Body)) {
    if (S->V != E->V || (S->K == StmtKind::Decl && !S->E))
      continue;
    if (Value || !S->LaneIdx.empty() || !S->E)
      return E;
    Value = S->E;
  }
  return Value ? Value : E;
}

std::string extentName(const Kernel &K, const Expr *E) {
  unsigned D = 0;
  if (E && E->K == ExprKind::Swizzle && E->LaneIdx.size() == 1) {
    D = E->LaneIdx.front();
    E = onlyValue(K, E->Ops[0]);
  } else if (E && !E->Ty->isScalar()) {
    return "";
  }
  if (!E || E->K != ExprKind::ImageQuery || !isExtent(*E))
    return "";
  constexpr StringLiteral Names[] = {"width", "height", "depth", "layers"};
  if (E->Name != "get_image_dim")
    D = StringSwitch<unsigned>(E->Name)
            .Case("get_image_height", 1)
            .Case("get_image_depth", 2)
            .Case("get_image_array_size", 3)
            .Default(0);
  return (Names[D] + "_" + E->Image->Name).str();
}

std::vector<const Expr *> writtenAt(const Kernel &K, const Var &Image) {
  std::vector<const Expr *> All;
  for (Stmt *S : stmts(K.Body))
    if (S->K == StmtKind::ImageWrite && S->Image == &Image && !S->Args.empty())
      All.push_back(S->Args.front());
  return All;
}

/// The last letters of the built-ins that access \p Image: f, h, i, ui; empty where none does.
static StringRef accessSuffix(const Kernel &K, const Var &Image) {
  StringRef Name;
  for (ExprAt X : exprs(K.Body))
    if (X->K == ExprKind::ImageRead && X->Image == &Image)
      Name = X->Name;
  for (Stmt *S : stmts(K.Body))
    if (S->K == StmtKind::ImageWrite && S->Image == &Image)
      Name = S->Name;
  return Name.ends_with("ui") ? "ui" : Name.take_back(1);
}

std::string imageText(const Kernel &K, const Var &Image, const std::vector<std::string> &Extents) {
  const AccessQualifier Use = Image.Ty->Qualifier;
  const StringRef Suffix = accessSuffix(K, Image);
  // Floats show a sum in another order, which bytes hide. No channel is left out.
  const StringRef Format = Suffix == "ui"  ? "rgba-uint8"
                           : Suffix == "i" ? "rgba-sint16"
                                           : "rgba-float";
  std::string Text = std::string(", image: ") +
                     (Use == AccessQualifier::ReadOnly    ? "in"
                      : Use == AccessQualifier::WriteOnly ? "out"
                                                          : "inout") +
                     ", format: " + Format.str();
  Text += ", size: [ \"" + join(Extents, "\", \"") + "\" ]";
  if (Format == "rgba-float" && Use != AccessQualifier::WriteOnly)
    Text += ", data: { uniform: [0, 1] }";
  return Text;
}

std::string samplerText() {
  return ", sampler: { coords: pixels, address: clamp-to-edge, filter: nearest }";
}

} // namespace clmali::tool
