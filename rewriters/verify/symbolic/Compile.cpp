// Clang as a child process, and the parameters of a kernel from its metadata.
//
//   before   OpenCL C and build options
//   after    an unoptimised LLVM module for SPIR
//   limits   -cl-std=CL1.2 unless the options name another; include paths only
//            through the options and the program's own folder

#include "rewriters/verify/symbolic/Compile.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Metadata.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"

#include <deque>
#include <mutex>

namespace clmali::verify::symbolic {

using namespace llvm;

/// Seconds for one run of Clang.
static constexpr unsigned CompileSeconds = 30;

static Error problem(const Twine &Text) { return createStringError(Text); }

static bool relaxesMath(StringRef Option) {
  return StringSwitch<bool>(Option)
      .Cases("-cl-fast-relaxed-math", "-cl-unsafe-math-optimizations", "-cl-mad-enable",
             "-cl-finite-math-only", "-cl-no-signed-zeros", true)
      .Default(false);
}

static SmallVector<const char *, 16> tokens(StringRef Options, StringSaver &Saver) {
  SmallVector<const char *, 16> Given;
  cl::TokenizeGNUCommandLine(Options, Saver, Given);
  return Given;
}

static Expected<CompiledProgram> parse(MemoryBufferRef Bitcode, const SymbolicProgram &P,
                                       LLVMContext &Context) {
  Expected<std::unique_ptr<Module>> M = parseBitcodeFile(Bitcode, Context);
  if (!M)
    return M.takeError();
  CompiledProgram Result;
  Result.M = std::move(*M);
  BumpPtrAllocator Memory;
  StringSaver Saver(Memory);
  for (const char *Option : tokens(P.Options, Saver))
    Result.RelaxedMath |= relaxesMath(Option);
  return Result;
}

// The bitcode of the last programs: proofs at several sizes compile a program once.
namespace {
struct Remembered {
  std::mutex Lock;
  std::deque<std::pair<std::string, std::string>> Programs;
};
} // namespace
static Remembered &memory() {
  static Remembered R;
  return R;
}

static std::string remembered(const std::string &Key) {
  Remembered &R = memory();
  std::lock_guard<std::mutex> Guard(R.Lock);
  for (const auto &[K, Bitcode] : R.Programs)
    if (K == Key)
      return Bitcode;
  return {};
}

static void remember(const std::string &Key, StringRef Bitcode) {
  Remembered &R = memory();
  std::lock_guard<std::mutex> Guard(R.Lock);
  R.Programs.emplace_back(Key, Bitcode.str());
  if (R.Programs.size() > 4)
    R.Programs.pop_front();
}

Expected<CompiledProgram> compileProgram(const SymbolicProgram &P, unsigned AddressBits,
                                         const std::string &Clang, LLVMContext &Context) {
  std::string Program = Clang;
  for (const char *Name : {"clang-19", "clang"})
    if (Program.empty())
      if (ErrorOr<std::string> Found = sys::findProgramByName(Name))
        Program = *Found;
  if (Program.empty())
    return problem("no clang-19 on the PATH");

  const std::string Key = Program + '\n' + std::to_string(AddressBits) + '\n' + P.Options + '\n' +
                          P.Directory + '\n' + P.Source;
  if (std::string Known = remembered(Key); !Known.empty())
    return parse(MemoryBufferRef(Known, "symbolic"), P, Context);

  SmallString<128> Source, Output, Messages;
  if (sys::fs::createTemporaryFile("symbolic", "cl", Source) ||
      sys::fs::createTemporaryFile("symbolic", "bc", Output) ||
      sys::fs::createTemporaryFile("symbolic", "txt", Messages))
    return problem("no temporary file can be made");
  FileRemover RemoveSource(Source), RemoveOutput(Output), RemoveMessages(Messages);
  {
    std::error_code Code;
    raw_fd_ostream OS(Source, Code);
    if (!Code)
      OS << P.Source;
    OS.close();
    if (Code || OS.has_error()) {
      OS.clear_error();
      return problem("the temporary file " + Source + " cannot be written");
    }
  }

  BumpPtrAllocator Memory;
  StringSaver Saver(Memory);
  std::vector<StringRef> Args = {
      Program, AddressBits == 32 ? "--target=spir" : "--target=spir64", "-x", "cl", "-O0",
      // An inline function is emitted even if no other definition exists.
      "-fgnu89-inline", "-ffp-contract=on", "-w", "-emit-llvm", "-c", "-o", Output,
      "-ferror-limit=1", "-fno-caret-diagnostics"};
  bool HasStandard = false;
  for (const char *Option : tokens(P.Options, Saver)) {
    // The terms are those of the source; parse() sets RelaxedMath.
    if (relaxesMath(Option))
      continue;
    HasStandard |= StringRef(Option).starts_with("-cl-std=");
    Args.push_back(Option);
  }
  if (!HasStandard)
    Args.push_back("-cl-std=CL1.2");
  if (!P.Directory.empty()) {
    Args.push_back("-I");
    Args.push_back(P.Directory);
  }
  Args.push_back(Source);

  std::optional<StringRef> Redirects[] = {StringRef(""), Messages.str(), Messages.str()};
  std::string Why;
  int Status = sys::ExecuteAndWait(Program, Args, std::nullopt, Redirects, CompileSeconds, 0, &Why);
  if (Status != 0) {
    std::string Text = Why;
    if (auto Buffer = MemoryBuffer::getFile(Messages)) {
      SmallVector<StringRef, 8> Lines;
      (*Buffer)->getBuffer().split(Lines, '\n', -1, false);
      for (StringRef Line : Lines)
        if (size_t At = Line.find("error: "); At != StringRef::npos) {
          Text = Line.drop_front(At + 7).str();
          break;
        }
    }
    return problem("Clang: " + (Text.empty() ? "it failed" : Text));
  }
  ErrorOr<std::unique_ptr<MemoryBuffer>> Bitcode = MemoryBuffer::getFile(Output);
  if (!Bitcode)
    return problem("Clang wrote no bitcode");
  remember(Key, (*Bitcode)->getBuffer());
  return parse((*Bitcode)->getMemBufferRef(), P, Context);
}

static StringRef metadataText(const MDNode *N, unsigned I) {
  if (!N || I >= N->getNumOperands())
    return {};
  const auto *S = dyn_cast<MDString>(N->getOperand(I));
  return S ? S->getString() : StringRef();
}

// "uchar __attribute__((ext_vector_type(16)))*", "float*", "uint4".
static void parseBaseType(StringRef Text, ParameterInfo &Info) {
  Text = Text.take_until([](char C) { return C == '*'; }).trim();
  auto [Scalar, Rest] = Text.split(' ');
  if (size_t At = Rest.find("ext_vector_type("); At != StringRef::npos) {
    Rest = Rest.drop_front(At + 16);
    Rest.consumeInteger(10, Info.Count);
    Rest = {};
  }
  if (Scalar == "unsigned") {
    Scalar = Rest;
    Info.Signed = false;
  } else if (!Rest.empty()) {
    return;
  }
  if (Scalar.size() > 1 && Scalar.front() == 'u') {
    Info.Signed = false;
    Scalar = Scalar.drop_front();
  }
  Info.Float = Scalar == "float" || Scalar == "double" || Scalar == "half";
  Info.Bits = StringSwitch<unsigned>(Scalar)
                  .Case("char", 8)
                  .Cases("short", "half", 16)
                  .Cases("int", "float", 32)
                  .Cases("long", "double", 64)
                  .Default(0);
}

Expected<std::vector<ParameterInfo>> parametersOf(const Function &Kernel) {
  std::vector<ParameterInfo> Result;
  const MDNode *Spaces = Kernel.getMetadata("kernel_arg_addr_space"),
               *Types = Kernel.getMetadata("kernel_arg_base_type"),
               *Names = Kernel.getMetadata("kernel_arg_type"),
               *Qualifiers = Kernel.getMetadata("kernel_arg_type_qual");
  if (!Types && Kernel.arg_size())
    return problem("kernel " + Kernel.getName() + " carries no description of its parameters");
  for (const Argument &A : Kernel.args()) {
    unsigned I = A.getArgNo();
    ParameterInfo Info;
    StringRef Type = metadataText(Types, I);
    uint64_t Space = 0;
    if (Spaces && I < Spaces->getNumOperands())
      if (auto *C = mdconst::dyn_extract<ConstantInt>(Spaces->getOperand(I)))
        Space = C->getZExtValue();
    if (Type.contains('*')) {
      if (Type.count('*') > 1)
        return problem("parameter " + Twine(I + 1) + " of " + Kernel.getName() +
                       " is a pointer to pointers");
      Info.Buffer = Space == 1 || Space == 2;
      Info.Local = Space == 3;
      if (!Info.Buffer && !Info.Local)
        return problem("parameter " + Twine(I + 1) + " of " + Kernel.getName() +
                       " is a pointer of another kind");
      Info.ReadOnly = Space == 2 || metadataText(Qualifiers, I).contains("const");
    } else if (std::optional<ImageShape> Image = imageShapeOf(A.getType())) {
      Info.Image = Image;
      Info.ReadOnly = Image->Use == ImageShape::Access::Read;
    } else if (isSampler(A.getType())) {
      Info.Sampler = true;
    } else if (A.getType()->isTargetExtTy() || (A.getType()->isPointerTy() && !A.hasByValAttr())) {
      return problem("parameter " + Twine(I + 1) + " of " + Kernel.getName() + " is a " +
                     Type.str());
    }
    parseBaseType(Type, Info);
    Info.TypeName = metadataText(Names, I).rtrim("* ").str();
    Result.push_back(std::move(Info));
  }
  return Result;
}

Expected<uint64_t> sizeOfType(SymbolicProgram P, StringRef TypeName, unsigned AddressBits,
                              const std::string &Clang, LLVMContext &Context) {
  constexpr const char *Variable = "symbolic_size_of_element";
  P.Source += ("\n__constant ulong " + Twine(Variable) + " = sizeof(" + TypeName + ");\n").str();
  Expected<CompiledProgram> C = compileProgram(P, AddressBits, Clang, Context);
  if (!C)
    return C.takeError();
  const GlobalVariable *G = C->M->getGlobalVariable(Variable);
  const auto *Size =
      G && G->hasInitializer() ? dyn_cast<ConstantInt>(G->getInitializer()) : nullptr;
  if (!Size)
    return problem("the size of " + TypeName + " is not known");
  return Size->getZExtValue();
}

} // namespace clmali::verify::symbolic
