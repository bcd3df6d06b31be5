// The parameters of a kernel: names and address spaces from the runtime, layouts of types that
// are no built-in ones from the device's own compiler.
#include "rewriters/verify/run/Device.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/Twine.h"

#include <cstring>

using namespace llvm;

namespace clmali::verify {
namespace {

Error failure(const Twine &Message) { return createStringError(inconvertibleErrorCode(), Message); }

} // namespace

Expected<KernelShape> Device::shapeOf(cl_kernel Kernel, const std::string &Source,
                                      const std::string &Options) {
  KernelShape Shape;
  char Name[1024] = "";
  Cl.clGetKernelInfo(Kernel, CL_KERNEL_FUNCTION_NAME, sizeof(Name) - 1, Name, nullptr);
  Shape.Name = Name;
  Shape.MostItems = mostItems(Kernel);
  size_t Required[3] = {0, 0, 0};
  Cl.clGetKernelWorkGroupInfo(Kernel, Id, CL_KERNEL_COMPILE_WORK_GROUP_SIZE, sizeof(Required),
                              Required, nullptr);
  for (unsigned I = 0; I < 3; ++I)
    Shape.RequiredLocal[I] = Required[I];
  cl_uint Count = 0;
  cl_int Code = Cl.clGetKernelInfo(Kernel, CL_KERNEL_NUM_ARGS, sizeof(Count), &Count, nullptr);
  if (Code != CL_SUCCESS)
    return callFailed("clGetKernelInfo", Code);
  for (cl_uint I = 0; I < Count; ++I) {
    Expected<Parameter> P = parameterOf(Kernel, I, Source, Options);
    if (!P)
      return P.takeError();
    Shape.Params.push_back(std::move(*P));
  }
  return Shape;
}

Expected<Parameter> Device::parameterOf(cl_kernel Kernel, cl_uint I, const std::string &Source,
                                        const std::string &Options) {
  Parameter P;
  auto text = [&](cl_kernel_arg_info What, std::string &Into) -> cl_int {
    char Text[1024] = "";
    cl_int C = Cl.clGetKernelArgInfo(Kernel, I, What, sizeof(Text) - 1, Text, nullptr);
    Into = Text;
    return C;
  };
  if (cl_int C = text(CL_KERNEL_ARG_TYPE_NAME, P.TypeName))
    return callFailed("the device gives no information about the kernel's arguments "
                      "(clGetKernelArgInfo)",
                      C);
  text(CL_KERNEL_ARG_NAME, P.Name);
  // PoCL's headers rename what is spelled like a built-in: step is _cl_step there.
  if (StringRef(P.Name).starts_with("_cl_"))
    P.Name.erase(0, 4);
  cl_kernel_arg_address_qualifier Space = CL_KERNEL_ARG_ADDRESS_PRIVATE;
  Cl.clGetKernelArgInfo(Kernel, I, CL_KERNEL_ARG_ADDRESS_QUALIFIER, sizeof(Space), &Space, nullptr);
  cl_kernel_arg_access_qualifier Access = CL_KERNEL_ARG_ACCESS_NONE;
  Cl.clGetKernelArgInfo(Kernel, I, CL_KERNEL_ARG_ACCESS_QUALIFIER, sizeof(Access), &Access,
                        nullptr);
  StringRef Type = StringRef(P.TypeName).trim();
  if (Type == "sampler_t") {
    P.Where = Parameter::Space::Sampler;
    return P;
  }
  if (Access != CL_KERNEL_ARG_ACCESS_NONE || Type.starts_with("image") ||
      Type.starts_with("pipe")) {
    std::optional<ImageType> Image = imageFromName(Type);
    P.Where = Image ? Parameter::Space::Image : Parameter::Space::Other;
    P.Image = Image.value_or(ImageType());
    P.Image.Use = Access == CL_KERNEL_ARG_ACCESS_WRITE_ONLY   ? ImageType::Access::Write
                  : Access == CL_KERNEL_ARG_ACCESS_READ_WRITE ? ImageType::Access::ReadWrite
                                                              : ImageType::Access::Read;
    return P;
  }
  P.Where = Space == CL_KERNEL_ARG_ADDRESS_GLOBAL     ? Parameter::Space::Global
            : Space == CL_KERNEL_ARG_ADDRESS_CONSTANT ? Parameter::Space::Constant
            : Space == CL_KERNEL_ARG_ADDRESS_LOCAL    ? Parameter::Space::Local
                                                      : Parameter::Space::Private;
  P.IsPointer = Type.consume_back("*");
  Type = Type.rtrim();
  if (P.IsPointer && Type == "void") {
    P.Type = ElementType(); // bytes
  } else if (std::optional<ElementType> T = elementFromName(Type)) {
    P.Type = *T;
  } else {
    Expected<ElementType> Asked = askCompiler(Type.str(), Source, Options);
    if (!Asked)
      return failure("argument '" + P.Name + "': " + llvm::toString(Asked.takeError()));
    P.Type = *Asked;
  }
  return P;
}

/// The layout of a typedef or struct, by a kernel that writes sizeof and conversions of the type.
Expected<ElementType> Device::askCompiler(const std::string &TypeName, const std::string &Source,
                                          const std::string &Options) {
  // A scalar, a vector, any type: the first question that compiles answers.
  static const char *const Questions[] = {
      "o[0]=sizeof(T); o[1]=1; o[2]=sizeof(T); o[3]=((T)(-1)<(T)(0)); "
      "o[4]=((T)(0.5f)!=(T)(0));",
      "o[0]=sizeof(T); o[1]=vec_step(T); T v=(T)(0); o[2]=sizeof(v.s0); "
      "v=(T)(-1); o[3]=(v.s0<0); v=(T)(0.5f); o[4]=(v.s0!=0);",
      "o[0]=sizeof(T); o[1]=1; o[2]=0; o[3]=0; o[4]=0;"};
  for (const char *Question : Questions) {
    std::string Text = Source + "\n#undef T\ntypedef " + TypeName +
                       " clmali_probed_type;\n#define T clmali_probed_type\n"
                       "__kernel void clmali_probe(__global ulong *o) { " +
                       Question + " }\n";
    Expected<cl_program> Program = build(Text, Options);
    if (!Program) {
      consumeError(Program.takeError());
      continue;
    }
    Expected<cl_kernel> Kernel = kernel(*Program, "clmali_probe");
    if (!Kernel)
      return Kernel.takeError();
    ArgumentValue Out;
    Out.K = ArgumentValue::Kind::Buffer;
    Out.Data.assign(5 * sizeof(uint64_t), 0);
    Step S;
    S.Kernel = *Kernel;
    Expected<RunResult> R = run({S}, {Out}, {});
    Cl.clReleaseKernel(*Kernel);
    Cl.clReleaseProgram(*Program);
    if (!R)
      return R.takeError();
    uint64_t Answers[5];
    std::memcpy(Answers, R->Buffers[0].data(), sizeof(Answers));
    ElementType T;
    T.Size = Answers[0];
    if (T.Size == 0 || T.Size > 65536)
      continue;
    if (Answers[2] == 0) {
      T.Lanes = T.Size; // raw bytes
      askFields(T, TypeName, Source, Options);
      return T;
    }
    T.Lanes = Answers[1];
    T.ScalarBytes = Answers[2];
    T.K = Answers[4]   ? ElementType::Kind::Float
          : Answers[3] ? ElementType::Kind::Signed
                       : ElementType::Kind::Unsigned;
    return T;
  }
  return failure("the type '" + TypeName +
                 "' is not known to the device's "
                 "compiler at the end of the file");
}

/// Finds the floating-point fields and the padding of a struct: a constant has all scalars set to
/// -1, and the bytes of each show its type. If that does not compile, each byte counts.
void Device::askFields(ElementType &T, const std::string &TypeName, const std::string &Source,
                       const std::string &Options) {
  // Of a union only the first member would be set.
  if (T.Size > 1024 || StringRef(Source).contains("union"))
    return;
  std::string Text = Source + "\n#undef T\n__constant " + TypeName + " clmali_probed = {-1";
  for (unsigned I = 1; I < T.Size; ++I)
    Text += ",-1";
  Text += "};\n__kernel void clmali_probe(__global uchar *o) { "
          "for (int i = 0; i < " +
          std::to_string(T.Size) + "; ++i) o[i] = ((__constant uchar *)&clmali_probed)[i]; }\n";
  Expected<cl_program> Program = build(Text, Options);
  if (!Program) {
    consumeError(Program.takeError());
    return;
  }
  Expected<cl_kernel> Kernel = kernel(*Program, "clmali_probe");
  if (!Kernel) {
    consumeError(Kernel.takeError());
    Cl.clReleaseProgram(*Program);
    return;
  }
  ArgumentValue Out;
  Out.K = ArgumentValue::Kind::Buffer;
  Out.Data.assign(T.Size, 0);
  Step S;
  S.Kernel = *Kernel;
  Expected<RunResult> R = run({S}, {Out}, {});
  Cl.clReleaseKernel(*Kernel);
  Cl.clReleaseProgram(*Program);
  if (!R) {
    consumeError(R.takeError());
    return;
  }
  const Bytes &B = R->Buffers[0];
  static constexpr uint8_t Double[] = {0, 0, 0, 0, 0, 0, 0xf0, 0xbf}, Float[] = {0, 0, 0x80, 0xbf},
                           Half[] = {0, 0xbc};
  for (unsigned I = 0; I < T.Size;) {
    auto is = [&](ArrayRef<uint8_t> Wanted) {
      return I % Wanted.size() == 0 && I + Wanted.size() <= T.Size &&
             std::equal(Wanted.begin(), Wanted.end(), B.begin() + I);
    };
    unsigned Bytes = is(Double) ? 8 : is(Float) ? 4 : is(Half) ? 2 : 0;
    if (Bytes != 0)
      T.FloatFields.push_back({I, Bytes});
    else if (B[I] == 0)
      T.Padding.push_back(I);
    I += std::max(Bytes, 1u);
  }
  if (T.Padding.size() == T.Size) // nothing was set
    T.Padding.clear();
}

} // namespace clmali::verify
