//===-- rewriters/print/HiddenBuiltins.cpp - Macros named as built-ins ------===//
//
// A file may define a macro that has the name of a built-in function or type. The model's built-ins
// are OpenCL's, and no text means them where such a macro is defined (implementations define macros
// of these names themselves, so parentheses do not help):
//
//   #define clamp(lo, x, hi) ...        a candidate with clamp is dropped
//   #define uchar unsigned char         means the same type: printed
//   #ifdef NEED_CBRT                    not defined in this build: printed
//   #define cbrt(x) ...
//
// Limits: functions of the file that have the name of a built-in are not found.
//
//===----------------------------------------------------------------------===//

#include "checks/model/ir/Traversal.h"
#include "rewriters/print/Printer.h"

using namespace clmali::model;

namespace clmali::rewrite {

namespace {

/// The names of built-ins that a kernel's text may contain.
class BuiltinNames {
public:
  explicit BuiltinNames(const Kernel &K) {
    for (const Var *V : K.Vars)
      type(V->Ty);
    for (const Stmt *S : stmts(K.Body)) {
      if (!S->Name.empty())
        Names.insert(S->Name);
      access(S->Acc);
      for (ExprAt E : exprs(*S))
        expr(*E.E);
    }
  }
  llvm::StringSet<> Names;

private:
  void type(const Type *T) {
    while (T && (T->K == Type::Array || T->K == Type::Pointer))
      T = T->Elem;
    if (T && T->isValue() && T->Scalar != ScalarKind::Bool)
      Names.insert(typeName(T));
  }
  void access(const Access &Acc) {
    if (!Acc.Base || Acc.F != Access::VLoad)
      return;
    for (const char *Name : {"vload", "vstore"})
      Names.insert(Name + std::to_string(unsigned(Acc.Lanes)));
    Names.insert(name(Acc.Elem));
  }
  void expr(const Expr &E) {
    type(E.Ty);
    if (!E.Name.empty())
      Names.insert(functionOf(E.Name));
    if (E.K == ExprKind::WorkItem)
      Names.insert(builtinName(E.Query));
    if (E.K == ExprKind::Cast && E.Ty->isVector() && E.C != CastOp::Bitcast)
      Names.insert("convert_" + typeName(E.Ty) + E.Text);
    if (E.K == ExprKind::Cast && E.C == CastOp::Bitcast)
      Names.insert("as_" + typeName(E.Ty));
    if (E.K == ExprKind::Load)
      access(E.Acc);
  }
};

} // namespace

llvm::StringSet<> hiddenNames(const Module &M) {
  const MacroTable Macros(M);
  llvm::StringSet<> Hidden = Macros.Names;
  for (const auto &[Name, Body] : Macros.Body)
    if (std::optional<CType> Own = builtinType(Name); Own && builtinType(Body) == Own)
      Hidden.erase(Name);
  for (const auto &Entry : Macros.Names)
    if (M.DefinedMacros && !M.DefinedMacros->count(Entry.getKey().str()))
      Hidden.erase(Entry.getKey());
  return Hidden;
}

std::optional<std::string> hiddenBuiltin(const llvm::StringSet<> &Hidden, const Kernel &K) {
  if (Hidden.empty())
    return std::nullopt;
  const BuiltinNames Used(K);
  for (const auto &Entry : Used.Names)
    if (Hidden.contains(Entry.getKey()))
      return Entry.getKey().str();
  return std::nullopt;
}

} // namespace clmali::rewrite
