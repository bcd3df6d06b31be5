//===-- checks/model/ir/Dump.cpp - The model as text, for tests --------------===//
//
// What it does: prints a kernel, one line for each statement:
//
//   kernel scale(global float *x, float a, int n)
//     int i = <int>get_global_id(0)
//     if (i < n) {
//       store x[i] = (load x[i] * a)
//     }
//
// Implicit conversions are in <>, written ones in ().
// An index whose stride is not the size of the base's element shows its bytes:
// p[i *16]; the field's offset follows as +8; an access of another type than
// the base's element names it: p[i]:float4.
//
//===----------------------------------------------------------------------===//

#include "checks/model/ir/Model.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

using llvm::raw_ostream;
using llvm::StringRef;

namespace clmali::model {
namespace {

StringRef spaceName(AddressSpace AS) {
  switch (AS) {
  case AddressSpace::Private:
    return "private";
  case AddressSpace::Global:
    return "global";
  case AddressSpace::Constant:
    return "constant";
  case AddressSpace::Local:
    return "local";
  }
  return "";
}

void printType(raw_ostream &OS, const Type *T) {
  if (!T) {
    OS << "?";
    return;
  }
  switch (T->K) {
  case Type::Void:
    OS << "void";
    break;
  case Type::Value:
    OS << name(T->Scalar);
    if (T->Lanes > 1)
      OS << unsigned(T->Lanes);
    break;
  case Type::Pointer:
    OS << spaceName(T->AS) << ' ';
    if (T->Const)
      OS << "const ";
    if (T->Volatile)
      OS << "volatile ";
    printType(OS, T->Elem);
    OS << " *";
    if (T->Restrict)
      OS << "restrict ";
    break;
  case Type::Array:
    printType(OS, T->Elem);
    OS << '[' << T->Count << ']';
    break;
  case Type::Struct:
  case Type::Image:
  case Type::Sampler:
  case Type::Other:
    OS << T->Name;
    break;
  }
}

void printLanes(raw_ostream &OS, llvm::ArrayRef<uint8_t> Lanes) {
  OS << ".s";
  for (uint8_t L : Lanes)
    OS << llvm::hexdigit(L, /*LowerCase=*/true);
}

void printExpr(raw_ostream &OS, const Expr *E);

void printAccess(raw_ostream &OS, const Access &A) {
  if (A.F == Access::VLoad)
    OS << 'v';
  OS << (A.Base ? A.Base->Name : "?");
  const Type *At = A.Base ? A.Base->Ty : nullptr;
  for (size_t I = 0; I < A.Index.size(); ++I) {
    const Type *Elem = At && (At->K == Type::Pointer || At->K == Type::Array) ? At->Elem : nullptr;
    OS << '[';
    printExpr(OS, A.Index[I]);
    if (!Elem || Elem->Size != A.Stride[I])
      OS << " *" << A.Stride[I];
    else
      At = Elem;
    OS << ']';
  }
  if (A.Disp)
    OS << '+' << A.Disp;
  OS << A.Path;
  while (At && (At->K == Type::Pointer || At->K == Type::Array))
    At = At->Elem;
  bool Natural = At && At->isValue() && At->Scalar == A.Elem && At->Lanes == A.Lanes;
  if (!Natural || A.F == Access::Cast) {
    OS << ':' << name(A.Elem);
    if (A.Lanes > 1)
      OS << unsigned(A.Lanes);
    if (A.F == Access::Cast)
      OS << '!';
  }
  if (A.Volatile)
    OS << " volatile";
}

void printList(raw_ostream &OS, llvm::ArrayRef<const Expr *> Ops) {
  llvm::ListSeparator Comma;
  for (const Expr *Op : Ops) {
    OS << Comma;
    printExpr(OS, Op);
  }
}

void printInt(raw_ostream &OS, const Expr *E) {
  switch (E->Ty->isScalar() ? E->Ty->Scalar : ScalarKind::Int) {
  case ScalarKind::UInt:
    OS << static_cast<uint64_t>(E->Int) << 'u';
    break;
  case ScalarKind::Long:
    OS << E->Int << 'L';
    break;
  case ScalarKind::ULong:
    OS << static_cast<uint64_t>(E->Int) << "UL";
    break;
  case ScalarKind::Int:
    OS << E->Int;
    break;
  default:
    OS << '(' << name(E->Ty->Scalar) << ')' << E->Int;
  }
  if (!E->Text.empty() && E->Text != std::to_string(E->Int))
    OS << '{' << E->Text << '}';
}

void printFloat(raw_ostream &OS, const Expr *E) {
  if (!E->Text.empty()) {
    OS << E->Text;
    return;
  }
  OS << llvm::format("%.17g", E->Float);
  if (E->Ty->Scalar == ScalarKind::Float)
    OS << 'f';
  else if (E->Ty->Scalar == ScalarKind::Half)
    OS << 'h';
}

void printCast(raw_ostream &OS, const Expr *E) {
  switch (E->C) {
  case CastOp::Convert:
  case CastOp::Splat:
    OS << (E->Implicit ? '<' : '(');
    printType(OS, E->Ty);
    OS << (E->Implicit ? '>' : ')');
    printExpr(OS, E->Ops[0]);
    return;
  case CastOp::Builtin:
  case CastOp::Bitcast:
    OS << (E->C == CastOp::Builtin ? "convert_" : "as_");
    printType(OS, E->Ty);
    OS << (E->C == CastOp::Builtin ? E->Text : std::string()) << '(';
    printExpr(OS, E->Ops[0]);
    OS << ')';
    return;
  }
}

/// The bits of a constant sampler, or the name of an argument.
void printSampler(raw_ostream &OS, const Var *S) {
  OS << S->Name;
  if (S->K == Var::SamplerConst)
    OS << '{' << S->Ints.front() << '}';
}

void printImage(raw_ostream &OS, const Expr *E) {
  OS << E->Name << '(' << (E->Image ? E->Image->Name : "?");
  if (E->Sampler) {
    OS << ", ";
    printSampler(OS, E->Sampler);
  }
  if (!E->Ops.empty())
    OS << ", ";
  printList(OS, E->Ops);
  OS << ')';
}

void printExpr(raw_ostream &OS, const Expr *E) {
  if (!E) {
    OS << "<null>";
    return;
  }
  switch (E->K) {
  case ExprKind::IntConst:
    return printInt(OS, E);
  case ExprKind::FloatConst:
    return printFloat(OS, E);
  case ExprKind::VarRef:
    OS << (E->V ? E->V->Name : "?");
    return;
  case ExprKind::WorkItem:
    OS << builtinName(E->Query) << '(';
    if (E->Query != WorkItemQuery::WorkDim)
      OS << unsigned(E->Dim);
    OS << ')';
    return;
  case ExprKind::Unary:
    OS << '(' << spelling(E->O);
    printExpr(OS, E->Ops[0]);
    OS << ')';
    return;
  case ExprKind::Binary:
    OS << '(';
    printExpr(OS, E->Ops[0]);
    OS << ' ' << spelling(E->O) << ' ';
    printExpr(OS, E->Ops[1]);
    OS << ')';
    return;
  case ExprKind::Cast:
    return printCast(OS, E);
  case ExprKind::Select:
    OS << '(';
    printExpr(OS, E->Ops[0]);
    OS << " ? ";
    printExpr(OS, E->Ops[1]);
    OS << " : ";
    printExpr(OS, E->Ops[2]);
    OS << ')';
    return;
  case ExprKind::Load:
    OS << "load ";
    printAccess(OS, E->Acc);
    return;
  case ExprKind::Swizzle:
    OS << '(';
    printExpr(OS, E->Ops[0]);
    OS << ')';
    printLanes(OS, E->LaneIdx);
    return;
  case ExprKind::VectorCtor:
    OS << '(';
    printType(OS, E->Ty);
    OS << ")(";
    printList(OS, E->Ops);
    OS << ')';
    return;
  case ExprKind::Call:
  case ExprKind::HelperCall:
    OS << E->Name << '(';
    printList(OS, E->Ops);
    OS << ')';
    return;
  case ExprKind::ImageRead:
  case ExprKind::ImageQuery:
    return printImage(OS, E);
  case ExprKind::Opaque:
    OS << "opaque{" << E->Text << '}';
    if (!E->Ops.empty()) {
      OS << '(';
      printList(OS, E->Ops);
      OS << ')';
    }
    return;
  }
}

void printVar(raw_ostream &OS, const Var *V) {
  if (V->K == Var::Memory)
    OS << spaceName(V->AS) << ' ';
  const Type *T = V->Ty;
  std::string Dims;
  for (; T && T->K == Type::Array; T = T->Elem)
    Dims += llvm::formatv("[{0}]", T->Count).str();
  printType(OS, T);
  if (!T || T->K != Type::Pointer)
    OS << ' ';
  OS << V->Name << Dims;
}

/// Statements on one line, for the head of a loop.
void printInline(raw_ostream &OS, const StmtList &B);

void printDecl(raw_ostream &OS, const Stmt &S) {
  printVar(OS, S.V);
  if (!S.V->Ints.empty() || !S.V->Floats.empty()) {
    llvm::ListSeparator Comma;
    OS << " = {";
    for (int64_t I : S.V->Ints)
      OS << Comma << I;
    for (double F : S.V->Floats)
      OS << Comma << llvm::format("%.9g", F);
    OS << '}';
  }
  if (S.E) {
    OS << " = ";
    printExpr(OS, S.E);
  }
}

void printLoopHead(raw_ostream &OS, const Stmt &S) {
  OS << (S.Form == Stmt::For ? "for (" : S.Form == Stmt::While ? "while (" : "do-while (");
  if (S.Form == Stmt::For) {
    printInline(OS, S.Init);
    OS << "; ";
  }
  if (S.E)
    printExpr(OS, S.E);
  if (S.Form == Stmt::For) {
    OS << "; ";
    printInline(OS, S.Step);
  }
  OS << ')';
}

/// `V = Name(`, or without V
void printCallHead(raw_ostream &OS, const Stmt &S) {
  if (S.V)
    OS << S.V->Name << " = ";
  OS << S.Name << '(';
}

void printHead(raw_ostream &OS, const Stmt &S) {
  switch (S.K) {
  case StmtKind::Decl:
    return printDecl(OS, S);
  case StmtKind::Assign:
    OS << S.V->Name;
    if (!S.LaneIdx.empty())
      printLanes(OS, S.LaneIdx);
    OS << " = ";
    printExpr(OS, S.E);
    return;
  case StmtKind::Store:
    OS << "store ";
    printAccess(OS, S.Acc);
    OS << " = ";
    printExpr(OS, S.E);
    return;
  case StmtKind::If:
    OS << "if (";
    printExpr(OS, S.E);
    OS << ')';
    return;
  case StmtKind::Loop:
    return printLoopHead(OS, S);
  case StmtKind::Break:
    OS << "break";
    return;
  case StmtKind::Continue:
    OS << "continue";
    return;
  case StmtKind::Return:
    OS << "return";
    return;
  case StmtKind::Barrier:
    OS << S.Name << '(' << (S.LocalFence ? "local" : "")
       << (S.LocalFence && S.GlobalFence ? "|" : "") << (S.GlobalFence ? "global" : "") << ')';
    return;
  case StmtKind::Atomic:
    printCallHead(OS, S);
    OS << '&';
    printAccess(OS, S.Acc);
    if (!S.Args.empty())
      OS << ", ";
    printList(OS, S.Args);
    OS << ')';
    return;
  case StmtKind::AsyncCopy:
    printCallHead(OS, S);
    printAccess(OS, S.Acc);
    OS << " <- ";
    printAccess(OS, S.Source);
    OS << ", ";
    printList(OS, S.Args);
    OS << ')';
    return;
  case StmtKind::Call:
    OS << S.Name << '(';
    printList(OS, S.Args);
    OS << ')';
    return;
  case StmtKind::ImageWrite:
    OS << S.Name << '(' << S.Image->Name << ", ";
    printList(OS, S.Args);
    OS << ", ";
    printExpr(OS, S.E);
    OS << ')';
    return;
  case StmtKind::Opaque:
    if (S.V)
      OS << S.V->Name << " = ";
    OS << "opaque{" << S.Text << '}';
    return;
  }
}

void printInline(raw_ostream &OS, const StmtList &B) {
  llvm::ListSeparator Comma;
  for (const Stmt *S : B) {
    OS << Comma;
    printHead(OS, *S);
    if (!S->Body.empty() || !S->Else.empty())
      OS << " {...}";
  }
}

void printBlock(raw_ostream &OS, const StmtList &B, unsigned Depth) {
  for (const Stmt *S : B) {
    for (const std::string &C : S->Comments)
      OS.indent(2 * Depth) << "# " << C << '\n';
    OS.indent(2 * Depth);
    printHead(OS, *S);
    if (S->K == StmtKind::If || S->K == StmtKind::Loop) {
      OS << " {";
      if (S->EarlyReturn)
        OS << " // early return";
      if (S->UnrollHint)
        OS << " // unroll";
      OS << '\n';
      printBlock(OS, S->Body, Depth + 1);
      if (!S->Else.empty()) {
        OS.indent(2 * Depth) << "} else {\n";
        printBlock(OS, S->Else, Depth + 1);
      }
      // Init and Step with nested statements do not fit a line.
      for (const StmtList *Head : {&S->Init, &S->Step}) {
        if (llvm::none_of(*Head, [](const Stmt *X) { return !X->Body.empty(); }))
          continue;
        OS.indent(2 * Depth) << (Head == &S->Init ? "} init {\n" : "} step {\n");
        printBlock(OS, *Head, Depth + 1);
      }
      OS.indent(2 * Depth) << "}";
    }
    OS << '\n';
  }
}

} // namespace

std::string dump(const Expr *E) {
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  printExpr(OS, E);
  return Text;
}

std::string dump(const Kernel &K) {
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  OS << "kernel " << K.Name << '(';
  llvm::ListSeparator Comma;
  for (const Var *P : K.Params) {
    OS << Comma;
    printVar(OS, P);
  }
  OS << ")";
  if (K.ReqdWorkGroupSize)
    OS << llvm::formatv(" reqd({0},{1},{2})", (*K.ReqdWorkGroupSize)[0], (*K.ReqdWorkGroupSize)[1],
                        (*K.ReqdWorkGroupSize)[2]);
  OS << '\n';
  printBlock(OS, K.Body, 1);
  for (const OpaqueNote &N : K.Opaques)
    OS << "  ! opaque: " << N.What << '\n';
  return Text;
}

} // namespace clmali::model
