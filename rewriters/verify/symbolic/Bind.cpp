// Compiles both programs of a proof, and binds the same symbols to both.

#include "rewriters/verify/symbolic/Proof.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/Metadata.h"

namespace clmali::verify::symbolic {

using namespace llvm;

/// True if a buffer is passed as another argument too.
bool Proof::isShared(unsigned I) const {
  return R.Args[I].SameAs ||
         any_of(R.Args, [&](const SymbolicArgument &A) { return A.SameAs && *A.SameAs == I; });
}

/// True if an #if tests a macro that differs between devices. Clang defines those of SPIR.
static bool testsDeviceMacros(StringRef Source) {
  SmallVector<StringRef, 64> Lines;
  Source.split(Lines, '\n', -1, false);
  for (StringRef Line : Lines) {
    Line = Line.ltrim();
    if (!Line.consume_front("#"))
      continue;
    Line = Line.ltrim();
    if (!Line.starts_with("if") && !Line.starts_with("elif"))
      continue;
    for (StringRef Word :
         {"cl_", "__OPENCL", "__IMAGE", "__ENDIAN", "__GPU", "__CPU", "__POCL", "__FAST_REL",
          "FP_FAST", "__SPIR", "__NV", "__AMD", "__INTEL", "__x86", "__ARM"})
      if (Line.contains(Word))
        return true;
  }
  return false;
}

bool Proof::compileProgramOf(bool Rewritten) {
  const SymbolicProgram &P = Rewritten ? R.Rewritten : R.Original;
  Expected<CompiledProgram> C = compileProgram(P, R.AddressBits, R.Clang, Context);
  if (!C)
    return stop(Twine(Rewritten ? "rewritten" : "original") + ": " + llvm::toString(C.takeError()));
  Programs[Rewritten] = std::move(*C);
  const char *Macros = "macros that depend on the device have the values that Clang gives them";
  if (testsDeviceMacros(P.Source) && !is_contained(Result.Assumptions, Macros))
    Result.Assumptions.push_back(Macros);
  return true;
}

bool Proof::checkKernel(bool Rewritten, const SymbolicLaunch &L) {
  const Function *F = Programs[Rewritten].M->getFunction(L.Kernel);
  if (!F || F->isDeclaration() || F->getCallingConv() != CallingConv::SPIR_KERNEL)
    return stop("no kernel named " + L.Kernel + " in the " +
                (Rewritten ? "rewritten" : "original") + " program");
  Expected<std::vector<ParameterInfo>> P = parametersOf(*F);
  if (!P)
    return stop(llvm::toString(P.takeError()));
  if (P->size() != R.Args.size())
    return stop("kernel " + L.Kernel + " has " + Twine(P->size()) + " parameters, the request " +
                Twine(R.Args.size()));
  for (size_t I = 0; I < P->size(); ++I)
    ReadOnly[Rewritten][I] = ReadOnly[Rewritten][I] && (*P)[I].ReadOnly;
  for (size_t I = 0; Rewritten && I < P->size(); ++I)
    if ((*P)[I].Image != Parameters[I].Image)
      return stop("kernel " + L.Kernel + " has another kind of image than the original as " +
                  R.Args[I].Name);
  if (!Rewritten)
    Parameters = std::move(*P);
  if (const MDNode *Size = F->getMetadata("reqd_work_group_size"))
    for (unsigned D = 0; D < 3 && D < Size->getNumOperands(); ++D) {
      auto *C = mdconst::dyn_extract<ConstantInt>(Size->getOperand(D));
      if (!L.Shape.hasLocal() ||
          (C && C->getZExtValue() != std::max<uint64_t>(L.Shape.Local[D], 1)))
        return stop("kernel " + L.Kernel + " requires another group size than it is launched with");
    }
  for (size_t I = 0; I < P->size(); ++I)
    if (isShared(unsigned(I)) && F->getArg(unsigned(I))->hasNoAliasAttr())
      return stop("kernel " + L.Kernel + " declares restrict " + R.Args[I].Name +
                  ", which is passed twice");
  return true;
}

bool Proof::compile() {
  for (bool Rewritten : {false, true})
    if (!compileProgramOf(Rewritten))
      return false;
  for (bool Rewritten : {false, true}) {
    ReadOnly[Rewritten].assign(R.Args.size(), true);
    for (const SymbolicLaunch &L : launchesOf(Rewritten))
      if (!checkKernel(Rewritten, L))
        return false;
  }
  return true;
}

/// The little-endian number of \p Bytes bytes at \p Offset; bytes that are missing are zero.
static uint64_t numberAt(ArrayRef<uint8_t> Contents, size_t Offset, unsigned Bytes) {
  uint64_t Number = 0;
  for (unsigned I = 0; I < Bytes && Offset + I < Contents.size(); ++I)
    Number |= uint64_t(Contents[Offset + I]) << (8 * I);
  return Number;
}

bool Proof::bindScalar(unsigned I, const Argument &Parameter) {
  const SymbolicArgument &A = R.Args[I];
  const ParameterInfo &P = Parameters[I];
  BoundArgument &B = Bound[I];
  auto fresh = [&](unsigned Bits, bool Float) {
    FloatVariables.push_back(Float);
    return T.variable(Bits);
  };
  if (Parameter.hasByValAttr()) {
    uint64_t Bytes = Programs[0].M->getDataLayout().getTypeAllocSize(Parameter.getParamByValType());
    if (A.Values && A.Values->size() != Bytes)
      return stop("argument " + A.Name + " has " + Twine(A.Values->size()) + " bytes, its type " +
                  Twine(Bytes));
    for (uint64_t N = 0; N < Bytes; ++N) {
      Term Byte = A.Contents ? T.constant(8, numberAt(*A.Contents, N, 1))
                  : A.Values ? T.constant(8, uint64_t((*A.Values)[N]))
                             : fresh(8, false);
      B.Bytes.push_back({{Byte, NoObject}, 0, 1});
    }
    return true;
  }
  auto *V = dyn_cast<FixedVectorType>(Parameter.getType());
  unsigned Count = V ? V->getNumElements() : 1;
  unsigned Bits = Parameter.getType()->getScalarSizeInBits();
  if (Bits == 0 || Bits > 64)
    return stop("the type of argument " + A.Name);
  if (A.Values && !P.Float && A.Values->size() != Count)
    return stop("argument " + A.Name + " has " + Twine(A.Values->size()) + " values, its type " +
                Twine(Count));
  for (unsigned N = 0; N < Count; ++N)
    B.Components.push_back(A.Contents
                               ? T.constant(Bits, numberAt(*A.Contents, N * (Bits / 8), Bits / 8))
                           : A.Values && !P.Float ? T.constant(Bits, uint64_t((*A.Values)[N]))
                                                  : fresh(Bits, P.Float));
  return true;
}

bool Proof::bindSame(unsigned I) {
  const SymbolicArgument &A = R.Args[I];
  if (*A.SameAs >= I || Bound[*A.SameAs].K != BoundArgument::Kind::Buffer ||
      R.Args[*A.SameAs].K != A.K)
    return stop("argument " + A.Name + " is the same as no earlier " +
                (A.K == SymbolicArgument::Kind::Image ? "image" : "buffer"));
  if (Parameters[I].Image != Parameters[*A.SameAs].Image)
    return stop("images " + A.Name + " and " + R.Args[*A.SameAs].Name +
                " are one object, accessed in two ways");
  Bound[I].Buffer = Bound[*A.SameAs].Buffer;
  return true;
}

bool Proof::addBuffer(unsigned I, uint64_t &Total) {
  const SymbolicArgument &A = R.Args[I];
  const ParameterInfo &P = Parameters[I];
  const unsigned Bytes = P.Bits / 8;
  if (A.Count > R.Limits.BufferBytes ||
      (Total += A.Count * P.stride() * Bytes) > R.Limits.BufferBytes)
    return stop("buffers of more than " + Twine(R.Limits.BufferBytes) + " bytes");
  Buffer New;
  New.Argument = I;
  New.Info = P;
  for (uint64_t N = 0; N < A.Count * P.stride(); ++N) {
    Term X = A.Contents ? T.constant(P.Bits, numberAt(*A.Contents, N * Bytes, Bytes))
             : WithRanges && A.Range && !P.Float && !P.Bytes
                 ? T.variableBetween(P.Bits, A.Range->first, A.Range->second)
                 : T.variable(P.Bits);
    if (!A.Contents)
      FloatVariables.push_back(P.Float);
    for (unsigned Byte = 0; Byte < Bytes; ++Byte)
      New.Cells.push_back({{X, NoObject}, uint8_t(Byte), uint8_t(Bytes)});
  }
  Bound[I].Buffer = unsigned(Buffers.size());
  Buffers.push_back(std::move(New));
  return true;
}

bool Proof::bindBuffer(unsigned I, uint64_t &Total) {
  const SymbolicArgument &A = R.Args[I];
  ParameterInfo &P = Parameters[I];
  Bound[I].K = BoundArgument::Kind::Buffer;
  if (A.SameAs)
    return bindSame(I);
  if (P.Bits == 0) {
    // A struct: its bytes.
    Expected<uint64_t> Size = sizeOfType(R.Original, P.TypeName, R.AddressBits, R.Clang, Context);
    if (!Size || *Size == 0 || *Size > 4096) {
      consumeError(Size.takeError());
      return stop("argument " + A.Name + " is a buffer of " + P.TypeName);
    }
    P.Bits = 8;
    P.Signed = false;
    P.Bytes = true;
    P.Count = unsigned(*Size);
  }
  return addBuffer(I, Total);
}

bool Proof::bindImage(unsigned I, uint64_t &Total) {
  using FormatKind = launch::ImageFormat::Kind;
  const SymbolicArgument &A = R.Args[I];
  ParameterInfo &P = Parameters[I];
  Bound[I].K = BoundArgument::Kind::Buffer;
  const std::optional<launch::ImageFormat> Format = launch::imageFormat(A.Format);
  if (!Format)
    return stop("argument " + A.Name + " has no format");
  const bool Packed = Format->K == FormatKind::Packed;
  P.Bits = Format->ChannelBytes * 8;
  P.Count = Packed ? 1 : Format->Channels;
  P.Float = Format->K == FormatKind::Float;
  P.Signed = Format->K == FormatKind::Signed || Format->K == FormatKind::Snorm;
  if (A.SameAs)
    return bindSame(I);
  if (!addBuffer(I, Total))
    return false;
  ImageContents &Image = Buffers.back().Image.emplace();
  Image.Format = *Format;
  Image.Shape = *P.Image;
  for (unsigned D = 0; D < 3; ++D)
    Image.Extents[D] = T.constant(64, A.Extents[D]);
  return true;
}

bool Proof::bind() {
  const Function *F = Programs[0].M->getFunction(R.OriginalLaunch.Kernel);
  uint64_t Total = 0;
  Bound.resize(R.Args.size());
  for (unsigned I = 0; I < R.Args.size(); ++I) {
    const SymbolicArgument &A = R.Args[I];
    const ParameterInfo &P = Parameters[I];
    BoundArgument &B = Bound[I];
    B.Name = A.Name;
    if (P.Buffer != (A.K == SymbolicArgument::Kind::Buffer) ||
        P.Local != (A.K == SymbolicArgument::Kind::Local) ||
        P.Image.has_value() != (A.K == SymbolicArgument::Kind::Image) ||
        P.Sampler != (A.K == SymbolicArgument::Kind::Sampler))
      return stop("argument " + A.Name + " is of another kind than parameter " + Twine(I + 1) +
                  " of " + R.OriginalLaunch.Kernel);
    if (A.K == SymbolicArgument::Kind::Local) {
      B.K = BoundArgument::Kind::Local;
      B.LocalBytes = A.LocalBytes;
      continue;
    }
    if (A.K == SymbolicArgument::Kind::Scalar) {
      if (!bindScalar(I, *F->getArg(I)))
        return false;
      continue;
    }
    if (A.K == SymbolicArgument::Kind::Sampler) {
      B.Components.push_back(T.constant(Programs[0].M->getDataLayout().getPointerSizeInBits(0),
                                        SamplerBits::of(A.Sampler).Bits));
      continue;
    }
    if (!(A.K == SymbolicArgument::Kind::Image ? bindImage(I, Total) : bindBuffer(I, Total)))
      return false;
  }
  return true;
}

std::vector<BufferContents> Proof::contents(bool Rewritten) const {
  std::vector<BufferContents> C;
  for (const Buffer &B : Buffers) {
    BufferContents New;
    New.Name = R.Args[B.Argument].Name;
    New.ElementBytes = B.Info.stride() * B.Info.Bits / 8;
    New.ReadOnly = true;
    // Read-only only if every argument that passes it is const.
    for (unsigned I = 0; I < Bound.size(); ++I)
      if (Bound[I].K == BoundArgument::Kind::Buffer && Bound[I].Buffer == C.size())
        New.ReadOnly = New.ReadOnly && ReadOnly[Rewritten][I];
    New.Cells = B.Cells;
    New.Image = B.Image;
    C.push_back(std::move(New));
  }
  return C;
}

} // namespace clmali::verify::symbolic
