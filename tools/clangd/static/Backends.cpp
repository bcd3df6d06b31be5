//===- Backends.cpp - LLVM's back ends, left out ----------------------------------------------===//
//
// clangd registers all back ends of LLVM, for inline assembly in Microsoft's syntax. These
// functions take the place of those that would bring them into the portable program. Names and
// descriptions of targets (LLVMInitialize*TargetInfo) stay.
//
//===------------------------------------------------------------------------------------------===//

#include "llvm/Config/llvm-config.h"

extern "C" {
#define LLVM_TARGET(Name)                                                                          \
  void LLVMInitialize##Name##Target() {}                                                           \
  void LLVMInitialize##Name##TargetMC() {}
#include "llvm/Config/Targets.def"
#define LLVM_ASM_PARSER(Name)                                                                      \
  void LLVMInitialize##Name##AsmParser() {}
#include "llvm/Config/AsmParsers.def"
#define LLVM_ASM_PRINTER(Name)                                                                     \
  void LLVMInitialize##Name##AsmPrinter() {}
#include "llvm/Config/AsmPrinters.def"
#define LLVM_DISASSEMBLER(Name)                                                                    \
  void LLVMInitialize##Name##Disassembler() {}
#include "llvm/Config/Disassemblers.def"
}
