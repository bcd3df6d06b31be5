//===-- rewriters/print/LocalTypes.cpp - Types declared inside a function -------===//
//
// A struct or union that the user declared inside a function disappears with the function's text.
// The new kernel declares it again, where several variables have the type under a name:
//
//   before                                   after
//   union { uint u; float f; } bits;         union { uint u; float f; } bits;
//   the same unrolled                        union bits_t { uint u; float f; };
//                                            union bits_t bits, bits_2;
//
// Limits: fields that are pointers, or of such a type themselves; a layout that attributes changed.
//
//===----------------------------------------------------------------------===//

#include "checks/model/ir/StructureExits.h"
#include "checks/model/ir/Traversal.h"
#include "rewriters/print/KernelPrinter.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Support/MathExtras.h"

using namespace clmali::model;
using llvm::StringRef;

namespace clmali::rewrite {

static const Type *element(const Type *T) {
  while (T && (T->K == Type::Array || T->K == Type::Pointer))
    T = T->Elem;
  return T;
}

static bool isLocalType(const Type *T) {
  return T && T->K == Type::Struct && StringRef(T->Name).ends_with(UnprintableType);
}

/// True if C lays the fields of T, values and arrays of values, out as they are in T.
static bool canDeclare(const Type *T) {
  uint64_t End = 0, Align = 1;
  for (const Field &F : T->Fields) {
    const Type *Elem = F.Ty;
    while (Elem->K == Type::Array)
      Elem = Elem->Elem;
    if (!Elem->isValue() || F.Name.empty())
      return false;
    Align = std::max(Align, Elem->Size);
    if (F.Offset != (T->isUnion() ? 0 : llvm::alignTo(End, Elem->Size)))
      return false;
    End = std::max(End, F.Offset + F.Ty->Size);
  }
  return !T->Fields.empty() && llvm::alignTo(End, Align) == T->Size;
}

const Var *unprintable(const Kernel &K) {
  for (const Stmt *S : stmts(K.Body))
    if (S->K == StmtKind::Decl && S->V->K == Var::Memory && isLocalType(element(S->V->Ty)) &&
        !canDeclare(element(S->V->Ty)))
      return S->V;
  return nullptr;
}

/// The fields of T, a type that canDeclare() accepts, in braces.
static std::string fieldsText(const Type *T) {
  std::string Text = " {\n";
  for (const Field &F : T->Fields) {
    std::string Lengths;
    const Type *Elem = F.Ty;
    for (; Elem->K == Type::Array; Elem = Elem->Elem)
      Lengths += "[" + std::to_string(Elem->Count) + "]";
    Text += typeName(Elem) + " " + F.Name + Lengths + ";\n";
  }
  return Text + "}";
}

void KernelPrinter::declareTypes() {
  llvm::MapVector<const Type *, llvm::SmallVector<const Var *, 2>> Users;
  for (const Stmt *S : stmts(K.Body))
    if (const Type *T = S->K == StmtKind::Decl ? element(S->V->Ty) : nullptr;
        isLocalType(T) && canDeclare(T) && !llvm::is_contained(Users[T], S->V))
      Users[T].push_back(S->V);
  for (const auto &[T, Vars] : Users) {
    std::string Name = StringRef(T->Name).drop_back(UnprintableType.size()).str();
    if (Vars.size() == 1) {
      LocalTypes[T] = Name + fieldsText(T);
      continue;
    }
    auto IsTaken = [&](const std::string &N) {
      return llvm::any_of(K.Vars, [&](const Var *V) { return nameOf(V) == N; }) ||
             llvm::any_of(M.Files, [&](const SourceFile &F) {
               return findWord(F.Text, N) != StringRef::npos;
             });
    };
    if (!StringRef(Name).contains(' ')) { // unnamed
      std::string Tag = nameOf(Vars.front()) + "_t";
      while (IsTaken(Tag))
        Tag += "_";
      Name += " " + Tag;
    }
    LocalTypes[T] = Name;
    line(Name + fieldsText(T) + ";");
  }
}

} // namespace clmali::rewrite
