// From OpenCL C to the LLVM IR that the symbolic machine executes.
#ifndef CLMALI_REWRITERS_VERIFY_SYMBOLIC_COMPILE_H
#define CLMALI_REWRITERS_VERIFY_SYMBOLIC_COMPILE_H

#include "rewriters/verify/symbolic/Symbolic.h"
#include "rewriters/verify/symbolic/images/Images.h"

#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"

#include <memory>
#include <string>
#include <vector>

namespace clmali::verify::symbolic {

struct CompiledProgram {
  std::unique_ptr<llvm::Module> M;
  /// Options allow the device compiler to change floating-point results.
  bool RelaxedMath = false;
};

/// Runs Clang as a child process, without optimisation: each operation of the source stays; a*b+c
/// in one expression becomes llvm.fmuladd. The error holds Clang's first message.
llvm::Expected<CompiledProgram> compileProgram(const SymbolicProgram &P, unsigned AddressBits,
                                               const std::string &Clang,
                                               llvm::LLVMContext &Context);

/// One parameter of a kernel, from its metadata.
struct ParameterInfo {
  bool Buffer = false; ///< pointer to __global or __constant memory
  bool Local = false;
  bool Sampler = false;
  std::optional<ImageShape> Image;
  bool ReadOnly = false;
  bool Float = false; ///< components are floating-point numbers
  bool Signed = true;
  unsigned Bits = 0;    ///< of a component; 0: a struct or another type
  unsigned Count = 1;   ///< components of the (pointee) type
  bool Bytes = false;   ///< a struct, seen as Count bytes
  std::string TypeName; ///< as the source spells it, without the star
  /// Components in memory: a vector of three takes four.
  unsigned stride() const { return Count == 3 && !Bytes && !Image ? 4 : Count; }
};

llvm::Expected<std::vector<ParameterInfo>> parametersOf(const llvm::Function &Kernel);

/// sizeof(\p TypeName) at the end of \p P.
llvm::Expected<uint64_t> sizeOfType(SymbolicProgram P, llvm::StringRef TypeName,
                                    unsigned AddressBits, const std::string &Clang,
                                    llvm::LLVMContext &Context);

} // namespace clmali::verify::symbolic

#endif
