// Which built-ins these are: OpenCL C 1.2, 6.12.2 and 6.12.4, and the table of errors in 7.4.
#include "rewriters/verify/facts/OpenResults.h"

#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace clmali::verify {

/// The name of a built-in, and the letters of its parameters: "max" and "Dv4_ff" of _Z3maxDv4_ff.
static std::pair<StringRef, StringRef> demangled(StringRef Name) {
  unsigned Length = 0;
  if (!Name.consume_front("_Z") || Name.consumeInteger(10, Length) || Length > Name.size())
    return {};
  return {Name.take_front(Length), Name.drop_front(Length)};
}

static bool isOpen(StringRef Name, StringRef Parameters) {
  for (StringRef Prefix : {"native_", "half_", "fast_"})
    if (Name.starts_with(Prefix))
      return true;
  const bool OfFloats =
      Parameters.contains('f') || Parameters.contains('d') || Parameters.contains("Dh");
  return StringSwitch<bool>(Name)
      // Undefined for NaN, or either of two zeros.
      .Cases("min", "max", "clamp", "fmin", "fmax", OfFloats)
      .Cases("mad", "mix", "smoothstep", "degrees", "radians", "sqrt", "rsqrt", "cbrt", true)
      .Cases("dot", "cross", "length", "distance", "normalize", "hypot", true)
      .Cases("exp", "exp2", "exp10", "expm1", "log", "log2", "log10", "log1p", true)
      .Cases("pow", "pown", "powr", "rootn", "erf", "erfc", "lgamma", "lgamma_r", "tgamma", true)
      .Cases("sin", "cos", "tan", "sincos", "sinpi", "cospi", "tanpi", true)
      .Cases("asin", "acos", "atan", "atan2", "asinpi", "acospi", "atanpi", "atan2pi", true)
      .Cases("sinh", "cosh", "tanh", "asinh", "acosh", "atanh", true)
      .Default(false);
}

/// A division that is exact but for overflow and underflow.
static bool byPowerOfTwo(const Value *Divisor) {
  const auto *C = dyn_cast<Constant>(Divisor);
  if (C && C->getType()->isVectorTy())
    C = C->getSplatValue();
  const auto *F = dyn_cast_or_null<ConstantFP>(C);
  return F && F->getValueAPF().getExactInverse(nullptr);
}

void addOpenResults(const Function &Kernel, std::set<std::string> &Into) {
  SmallVector<const Function *, 8> Left{&Kernel};
  DenseSet<const Function *> Seen{&Kernel};
  while (!Left.empty())
    for (const BasicBlock &Block : *Left.pop_back_val())
      for (const Instruction &I : Block) {
        if (I.getOpcode() == Instruction::FDiv && !byPowerOfTwo(I.getOperand(1)))
          Into.insert("/");
        const auto *Call = dyn_cast<CallInst>(&I);
        const Function *Callee = Call ? Call->getCalledFunction() : nullptr;
        if (!Callee)
          continue;
        if (!Callee->isDeclaration()) {
          if (Seen.insert(Callee).second)
            Left.push_back(Callee);
          continue;
        }
        const auto [Name, Parameters] = demangled(Callee->getName());
        if (isOpen(Name, Parameters))
          Into.insert(Name.str());
      }
}

} // namespace clmali::verify
