//===- kernel-launch-mismatch.cpp ---------------------------------------------------------===//
//
// Before: reqd_work_group_size(64, 1, 1), and a launch with a local size of 32
//         clSetKernelArg(k, 2, sizeof(double), &x) for an int, or an argument that is never set
//         a 2D image for an image2d_array_t
// Limits: launches whose kernel is known. Types are not compared if the value of a macro was
// guessed.
//         An argument counts as never set only if no code outside the file's function can set it.
//         Silent for kernels whose parameters depend on #if.
//
//===------------------------------------------------------------------------------------------===//

#include "checks/model/frontend/tolerant/TokenScan.h"
#include "checks/query/Evidence.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <set>

using namespace llvm;
using namespace clmali;
using namespace clmali::checks;
using namespace clmali::model;

/// "argument 1, 'n'".
static std::string describe(const Var &P, unsigned Index) {
  return "argument " + utostr(Index) + ", '" + P.Name + "'";
}

static std::string typeName(const Type &T) {
  if (T.K == Type::Value)
    return name(T.Scalar).str() + (T.Lanes > 1 ? utostr(T.Lanes) : "");
  return T.Name;
}

/// Size and type of the value that the host passes: "8 bytes of type double".
static std::string given(const HostKernelArg &A) {
  std::string Result = A.Size ? utostr(*A.Size) + (*A.Size == 1 ? " byte" : " bytes") : "";
  if (!A.Type.empty())
    Result += Result.empty() ? "a " + A.Type : " of type " + A.Type;
  return Result;
}

static StringRef name(HostKernelArg::Object O) {
  switch (O) {
  case HostKernelArg::AnyMemory:
    return "a memory object";
  case HostKernelArg::Buffer:
    return "a buffer";
  case HostKernelArg::Image1D:
    return "a one-dimensional image";
  case HostKernelArg::Image1DBuffer:
    return "a one-dimensional image of a buffer";
  case HostKernelArg::Image1DArray:
    return "an array of one-dimensional images";
  case HostKernelArg::Image2D:
    return "a two-dimensional image";
  case HostKernelArg::Image2DArray:
    return "an array of two-dimensional images";
  case HostKernelArg::Image3D:
    return "a three-dimensional image";
  case HostKernelArg::Pipe:
    return "a pipe";
  case HostKernelArg::Sampler:
    return "a sampler";
  }
  llvm_unreachable("no such object");
}

/// The kind of object that a parameter takes; none: a value, or an unknown type.
static std::optional<HostKernelArg::Object> objectOf(const Type &T) {
  if (T.K == Type::Pointer)
    return T.AS == AddressSpace::Global || T.AS == AddressSpace::Constant
               ? std::optional(HostKernelArg::Buffer)
               : std::nullopt;
  StringRef N = T.Name;
  if (T.K == Type::Sampler)
    return HostKernelArg::Sampler;
  if (T.K == Type::Other && N.contains("pipe"))
    return HostKernelArg::Pipe;
  if (T.K != Type::Image)
    return std::nullopt;
  if (N.contains("image1d_buffer"))
    return HostKernelArg::Image1DBuffer;
  if (N.contains("image1d_array"))
    return HostKernelArg::Image1DArray;
  if (N.contains("image1d"))
    return HostKernelArg::Image1D;
  if (N.contains("image2d_array"))
    return HostKernelArg::Image2DArray;
  if (N.contains("image2d"))
    return HostKernelArg::Image2D;
  if (N.contains("image3d"))
    return HostKernelArg::Image3D;
  return std::nullopt;
}

namespace {
/// What is wrong with an argument.
struct Mismatch {
  enum Effect { Fails, OtherBits, LowBytes };
  std::string What; ///< empty: nothing, or nothing is known
  Effect E = Fails; ///< of setting it
};
/// The arguments that were reported, by index and location; of those that are never set, by index.
using ReportedArgs = std::set<std::pair<unsigned, std::pair<std::string, unsigned>>>;
} // namespace

static bool isNumber(const HostKernelArg &A) {
  return A.K == HostKernelArg::Integer || A.K == HostKernelArg::Float;
}

/// For parameters that are memory objects, samplers or pointers to local memory.
static std::string objectMismatch(const Type &T, const HostKernelArg &A) {
  if (T.K == Type::Pointer && T.AS == AddressSpace::Local)
    return A.K == HostKernelArg::Memory || isNumber(A)
               ? "is local memory, which takes a size and a null pointer, and is given " + given(A)
               : "";
  if (isNumber(A))
    return "is a memory object, and is given " + given(A);
  // The size of a handle is that of a host pointer.
  if (A.K == HostKernelArg::Unknown && A.Size && *A.Size != 8 && *A.Size != 4)
    return "is a memory object, and is given " + given(A);
  std::optional<HostKernelArg::Object> Wants = objectOf(T);
  if (A.K == HostKernelArg::Memory && A.Holds != HostKernelArg::AnyMemory && Wants &&
      *Wants != A.Holds)
    return ("takes " + name(*Wants) + ", and is given " + name(A.Holds)).str();
  return "";
}

/// For parameters that are passed by value.
static Mismatch valueMismatch(const Type &T, const HostKernelArg &A) {
  if (A.K == HostKernelArg::Memory || A.K == HostKernelArg::Local)
    return {"is passed by value, and is given " +
            std::string(A.K == HostKernelArg::Local ? "a null pointer" : "a memory object")};
  if (A.Size && *A.Size != T.Size)
    return {"takes " + utostr(T.Size) + " bytes (" + typeName(T) + "), and is given " + given(A)};
  if (isNumber(A) && T.isScalar() && T.isFloat() != (A.K == HostKernelArg::Float))
    return {"is a " + typeName(T) + ", and is given " + given(A), Mismatch::OtherBits};
  // clSetKernelArg(k, 1, sizeof(int), &n), where n is a size_t.
  if (A.Size && A.ValueSize && *A.Size != *A.ValueSize)
    return {"is given " + utostr(*A.Size) + " bytes of a variable of " + utostr(*A.ValueSize) +
                (A.Type.empty() ? "" : " (" + A.Type + ")"),
            *A.Size < *A.ValueSize ? Mismatch::LowBytes : Mismatch::OtherBits};
  return {};
}

static Mismatch mismatch(const Var &P, const HostKernelArg &A) {
  const Type &T = *P.Ty;
  if (is_contained({Type::Pointer, Type::Image, Type::Sampler, Type::Other}, T.K))
    return {objectMismatch(T, A)};
  return T.K == Type::Value || T.K == Type::Struct ? valueMismatch(T, A) : Mismatch();
}

/// True if the types of the parameters rest on a guess. A guessed number changes no type, unless a
/// parameter or the members of a structure are declared with it.
static bool areTypesGuessed(const Kernel &K, const GuessedFacts &G) {
  auto HasGuess = [&](const Var *P) {
    return !P->Range.isValid() || P->Ty->K == Type::Struct || G.hasGuessedSize(*P);
  };
  return !G.names().OnlyNumbers || (G.hasNumbers() && any_of(K.Params, HasGuess));
}

/// Reports the arguments of a launch that do not fit the parameters, are too many, or never set.
static void checkArguments(const Kernel &K, const HostLaunch &L, ReportedArgs &Reported,
                           Context &C) {
  bool Guessed = areTypesGuessed(K, guessed(C));
  std::set<unsigned> Set;
  for (const HostKernelArg &A : L.Args) {
    Set.insert(A.Index);
    if (!Reported.insert({A.Index, {A.File, A.Range.Begin}}).second)
      continue;
    if (A.Index >= K.Params.size()) {
      C.report(K.NameRange, "argument " + utostr(A.Index) + " is set, and it has only " +
                                utostr(K.Params.size()))
          .restsOnGuess(Guessed)
          .cost("setting it fails")
          .inHost(A.Range, A.File, "the kernel");
      continue;
    }
    const Var &P = *K.Params[A.Index];
    Mismatch M = mismatch(P, A);
    if (M.What.empty())
      continue;
    Finding &F =
        C.report(P.Range.isValid() ? P.Range : K.NameRange, describe(P, A.Index) + " " + M.What)
            .restsOnGuess(Guessed);
    switch (M.E) {
    case Mismatch::Fails:
      F.cost("setting it fails");
      break;
    case Mismatch::OtherBits:
      F.cost("the bits are read as another type").atMost(rules::Severity::Warning);
      break;
    case Mismatch::LowBytes:
      F.cost("the value is right only in little-endian order").atMost(rules::Severity::Info);
      break;
    }
    F.inHost(A.Range, A.File, "declared here");
  }
  if (!L.ArgsComplete || L.Args.empty())
    return;
  for (unsigned I = 0; I < K.Params.size(); ++I) {
    if (Set.count(I) || !Reported.insert({I, {}}).second)
      continue;
    C.report(K.Params[I]->Range.isValid() ? K.Params[I]->Range : K.NameRange,
             describe(*K.Params[I], I) + " is never set")
        .restsOnGuess(Guessed)
        .cost("the launch fails")
        .inHost(L.Range, L.File, "declared here");
  }
}

/// Reports a launch whose local size is not the one that the kernel requires.
static void checkLocalSize(const Kernel &K, const HostLaunch &L, Context &C) {
  if (!K.ReqdWorkGroupSize)
    return;
  const auto &Required = *K.ReqdWorkGroupSize;
  std::string Wanted =
      utostr(Required[0]) + " x " + utostr(Required[1]) + " x " + utostr(Required[2]);
  auto Report = [&](const Twine &What, StringRef Cost) {
    C.report(K.NameRange, "it requires groups of " + Wanted + ", and is launched " + What)
        .cost(Cost)
        .inHost(L.Range, L.File, "the kernel");
  };
  if (L.LocalIsNull)
    return Report("without a local size", "the launch fails");
  for (unsigned D = 0; D < L.Dims; ++D) {
    if (L.Local[D] && *L.Local[D] != Required[D])
      return Report("with " + utostr(*L.Local[D]) + " in dimension " + utostr(D),
                    "the launch fails");
    if (L.Global[D] && *L.Global[D] % Required[D])
      return Report("over " + utostr(*L.Global[D]) + " work-items in dimension " + utostr(D) +
                        ", no multiple of them",
                    "the launch fails before OpenCL 2.0");
  }
}

static void run(const Kernel &K, Context &C) {
  // The host selects a variant of the kernel by the build options.
  if (!C.launches().empty() && K.NameRange.isValid() &&
      TokenScan(C.module().Files[K.NameRange.File].Text).hasVariants(K.Name))
    return;
  ReportedArgs Reported;
  for (const HostLaunch &L : C.launches()) {
    checkLocalSize(K, L, C);
    checkArguments(K, L, Reported, C);
  }
}

CLMALI_KERNEL_CHECK("kernel-launch-mismatch", run);
