//===-- checks/model/ir/StructureExits.h - Exits become if/else ---------*- C++ -*-===//
#ifndef CLMALI_CHECKS_MODEL_IR_STRUCTUREEXITS_H
#define CLMALI_CHECKS_MODEL_IR_STRUCTUREEXITS_H

#include "checks/model/ir/Model.h"

namespace clmali::model {

/// Suffix of the name of a struct that is declared inside a function: its declaration cannot be
/// printed.
inline constexpr llvm::StringLiteral UnprintableType = " of a function";

/// Removes the region's Return markers (StmtKind::Return with Text Id) from B:
/// what follows a conditional exit goes into the other branch. Where that would
/// have to duplicate statements, NewFlag gives a variable that records the exit.
/// With InLoops, exits from inside loops become a flag and a break as well;
/// otherwise they stay.
void structureExits(Module &M, StmtList &B, llvm::StringRef Id, bool InLoops,
                    llvm::function_ref<Var *()> NewFlag);

/// The same for the `continue` of the loop whose body B is.
void structureContinues(Module &M, StmtList &B, llvm::function_ref<Var *()> NewFlag);

/// A test at the start of a loop's body goes to the loop's header (LoopTests.cpp).
void testInHeaders(Module &M, Kernel &K);

/// True if control may run off the end of B (exits not structured yet).
bool fallsThrough(const StmtList &B);

} // namespace clmali::model

#endif // CLMALI_CHECKS_MODEL_IR_STRUCTUREEXITS_H
