//===- Objects.cpp - programs and kernels of the program --------------------------------------===//

#include "tools/layer/Files.h"
#include "tools/layer/Inject.h"
#include "tools/layer/Record.h"
#include "tools/layer/State.h"
#include "tools/layer/text/Identity.h"
#include "tools/layer/text/Sha256.h"
#include <algorithm>
#include <cstdarg>
#include <cstdio>
#include <cstring>
#include <optional>
#include <set>
#include <string_view>

namespace clmali::layer {

const cl_icd_dispatch *Next = nullptr;
Settings Set;

HandleMap<cl_program, ProgramState> &programs() {
  static auto *All = new HandleMap<cl_program, ProgramState>;
  return *All;
}
HandleMap<cl_kernel, KernelState> &kernels() {
  static auto *All = new HandleMap<cl_kernel, KernelState>;
  return *All;
}

void log(const char *Format, ...) {
  if (!Set.Log)
    return;
  std::va_list Arguments;
  va_start(Arguments, Format);
  std::fputs("clmali: ", stderr);
  std::vfprintf(stderr, Format, Arguments);
  std::fputc('\n', stderr);
  va_end(Arguments);
}

cl_mem ArgumentValue::memory() const {
  cl_mem M = nullptr;
  if (K == Kind::Value && Bytes.size() == sizeof M)
    std::memcpy(&M, Bytes.data(), sizeof M);
  return M;
}

namespace {

std::string textOf(cl_kernel K, cl_uint Index, cl_kernel_arg_info What, bool &Known) {
  size_t Size = 0;
  if (Next->clGetKernelArgInfo(K, Index, What, 0, nullptr, &Size) != CL_SUCCESS || Size == 0) {
    Known = false;
    return {};
  }
  std::string Text(Size, 0);
  Next->clGetKernelArgInfo(K, Index, What, Size, Text.data(), nullptr);
  Text.resize(std::strlen(Text.c_str()));
  return Text;
}

/// Reads the names and types of the arguments, where the implementation has them.
void readInfos(cl_kernel Handle, KernelState &K) {
  cl_uint Count = 0;
  Next->clGetKernelInfo(Handle, CL_KERNEL_NUM_ARGS, sizeof Count, &Count, nullptr);
  K.Arguments.resize(Count);
  K.Infos.resize(Count);
  K.InfosKnown = Next->clGetKernelArgInfo != nullptr;
  for (cl_uint I = 0; I < Count && K.InfosKnown; ++I) {
    ArgumentInfo &A = K.Infos[I];
    A.Name = textOf(Handle, I, CL_KERNEL_ARG_NAME, K.InfosKnown);
    A.Type = textOf(Handle, I, CL_KERNEL_ARG_TYPE_NAME, K.InfosKnown);
    auto number = [&](cl_kernel_arg_info What, auto &Into) {
      K.InfosKnown &=
          Next->clGetKernelArgInfo(Handle, I, What, sizeof Into, &Into, nullptr) == CL_SUCCESS;
    };
    number(CL_KERNEL_ARG_ADDRESS_QUALIFIER, A.Address);
    number(CL_KERNEL_ARG_ACCESS_QUALIFIER, A.Access);
    number(CL_KERNEL_ARG_TYPE_QUALIFIER, A.Qualifier);
  }
}

void follow(cl_kernel Handle, const char *Name, cl_program Program) {
  auto K = std::make_shared<KernelState>();
  K->Name = Name;
  K->Program = programs().find(Program);
  readInfos(Handle, *K);
  if (!K->InfosKnown && K->Program && K->Program->Built)
    if (cl_kernel Same = Next->clCreateKernel(K->Program->Built.get(), Name, nullptr)) {
      readInfos(Same, *K);
      Next->clReleaseKernel(Same);
    }
  countCall("kernel");
  if (K->Program && Set.injects())
    injectKernel(Handle, *K);
  kernels().add(Handle, std::move(K));
}

void followProgram(cl_program Handle, cl_context Context, const char *Origin, std::string Source) {
  auto P = std::make_shared<ProgramState>();
  P->Context = Context;
  P->Origin = Origin;
  // Some programs count the NUL at the end of their text.
  while (!Source.empty() && !Source.back())
    Source.pop_back();
  P->Source = std::move(Source);
  countCall("program");
  if (P->Origin == "source")
    P->Sha = sha256(P->Source), P->Identity = sha256(withoutRandomNames(P->Source));
  programs().add(Handle, std::move(P));
}

cl_program CL_API_CALL createProgramWithSource(cl_context Context, cl_uint Count,
                                               const char **Strings, const size_t *Lengths,
                                               cl_int *Error) {
  cl_program P = Next->clCreateProgramWithSource(Context, Count, Strings, Lengths, Error);
  if (!P)
    return P;
  std::string Source;
  for (cl_uint I = 0; I < Count; ++I)
    Source += Lengths && Lengths[I] ? std::string(Strings[I], Lengths[I]) : Strings[I];
  followProgram(P, Context, "source", std::move(Source));
  return P;
}

/// Programs keep binaries in caches, and give no source when they find one. The layer remembers
/// from which source the binaries came that it saw. If the user wants it, another binary is refused
/// once, as after an update of the driver, so that the program compiles its source. Not always:
/// some programs (hashcat) give up then.
std::string binaryMemory(std::string_view Binary) {
  const std::string &Folder = Set.records() ? Set.RecordFolder : Set.InjectFolder;
  return Folder + "/binaries/" + sha256(Binary);
}

/// True the first time that a binary comes.
bool isNew(const std::string &Path) {
  static auto *Lock = new std::mutex;
  static auto *Seen = new std::set<std::string>;
  std::lock_guard<std::mutex> Guard(*Lock);
  return Seen->insert(Path).second;
}

cl_program CL_API_CALL createProgramWithBinary(cl_context Context, cl_uint Count,
                                               const cl_device_id *Devices, const size_t *Lengths,
                                               const unsigned char **Binaries, cl_int *Status,
                                               cl_int *Error) {
  std::optional<std::string> Known;
  std::string First;
  for (cl_uint I = 0; Binaries && Lengths && I < Count && !Known; ++I)
    if (Binaries[I]) {
      First = binaryMemory({reinterpret_cast<const char *>(Binaries[I]), Lengths[I]});
      Known = readFile(First);
    }
  if (!Known && !First.empty() && Set.RefusesBinaries && isNew(First)) {
    log("an unknown binary is refused, so that the program compiles its source");
    for (cl_uint I = 0; Status && I < Count; ++I)
      Status[I] = CL_INVALID_BINARY;
    if (Error)
      *Error = CL_INVALID_BINARY;
    return nullptr;
  }
  cl_program P =
      Next->clCreateProgramWithBinary(Context, Count, Devices, Lengths, Binaries, Status, Error);
  if (!P)
    return P;
  if (!Known) {
    noteUnrecorded("clCreateProgramWithBinary", "a binary whose source is not known");
    followProgram(P, Context, "binary", "");
    return P;
  }
  size_t Line = Known->find('\n');
  followProgram(P, Context, "source", Known->substr(Line + 1));
  programs().find(P)->Options = Known->substr(0, Line);
  return P;
}

/// Remembers the binaries that the program takes.
cl_int CL_API_CALL getProgramInfo(cl_program P, cl_program_info What, size_t Size, void *Value,
                                  size_t *Result) {
  cl_int Error = Next->clGetProgramInfo(P, What, Size, Value, Result);
  std::shared_ptr<ProgramState> S = programs().find(P);
  if (What != CL_PROGRAM_BINARIES || Error != CL_SUCCESS || !Value || !S || S->Sha.empty())
    return Error;
  std::vector<size_t> Sizes(Size / sizeof(unsigned char *));
  if (Next->clGetProgramInfo(P, CL_PROGRAM_BINARY_SIZES, Sizes.size() * sizeof(size_t),
                             Sizes.data(), nullptr) != CL_SUCCESS)
    return Error;
  for (size_t I = 0; I < Sizes.size(); ++I)
    if (const char *Binary = static_cast<char **>(Value)[I]; Binary && Sizes[I]) {
      std::string Path = binaryMemory({Binary, Sizes[I]});
      makeFolder(Path.substr(0, Path.rfind('/')));
      writeFile(Path, S->Options + "\n" + S->Source);
    }
  return Error;
}

cl_program CL_API_CALL createProgramWithIL(cl_context Context, const void *IL, size_t Length,
                                           cl_int *Error) {
  cl_program P = Next->clCreateProgramWithIL(Context, IL, Length, Error);
  if (P)
    followProgram(P, Context, "il", "");
  return P;
}

/// The source that a linked program is of, where it is the same as if that had been built: one
/// compiled program, and nothing else.
std::shared_ptr<ProgramState> builtFrom(cl_uint InputCount, const cl_program *Inputs,
                                        const char *LinkOptions) {
  const bool HasOptions =
      LinkOptions && std::string_view(LinkOptions).find_first_not_of(' ') != std::string::npos;
  std::shared_ptr<ProgramState> S =
      InputCount == 1 && Inputs && !HasOptions ? programs().find(Inputs[0]) : nullptr;
  return S && S->Origin == "compile" && !S->Sha.empty() ? S : nullptr;
}

/// The options of a build or compilation, with what recordings need: the names of the arguments.
std::string withArgumentNames(const std::string &Given) {
  if (!Set.records() || Given.find(InfoOption) != std::string::npos)
    return Given;
  return Given + (Given.empty() ? "" : " ") + InfoOption;
}

/// S, built once more from its source; null where that fails.
std::shared_ptr<_cl_program> built(const ProgramState &S, cl_uint DeviceCount,
                                   const cl_device_id *Devices) {
  const char *Text = S.Source.data();
  const size_t Length = S.Source.size();
  cl_program P = Next->clCreateProgramWithSource(S.Context, 1, &Text, &Length, nullptr);
  if (!P)
    return nullptr;
  std::shared_ptr<_cl_program> Owned(P, [](cl_program Old) { Next->clReleaseProgram(Old); });
  const std::string Options = withArgumentNames(S.Options);
  return Next->clBuildProgram(P, DeviceCount, Devices, Options.c_str(), nullptr, nullptr) ==
                 CL_SUCCESS
             ? Owned
             : nullptr;
}

cl_program CL_API_CALL linkProgram(cl_context Context, cl_uint DeviceCount,
                                   const cl_device_id *Devices, const char *Options,
                                   cl_uint InputCount, const cl_program *Inputs,
                                   void(CL_CALLBACK *Notify)(cl_program, void *), void *User,
                                   cl_int *Error) {
  cl_program P = Next->clLinkProgram(Context, DeviceCount, Devices, Options, InputCount, Inputs,
                                     Notify, User, Error);
  if (!P)
    return P;
  const std::shared_ptr<ProgramState> Of = builtFrom(InputCount, Inputs, Options);
  followProgram(P, Context, Of ? "source" : "link", Of ? Of->Source : "");
  if (!Of)
    return P;
  std::shared_ptr<ProgramState> S = programs().find(P);
  S->Options = Of->Options;
  if (Set.injects())
    injectProgram(*S, DeviceCount, Devices);
  if (Set.records())
    S->Built = built(*S, DeviceCount, Devices);
  return P;
}

cl_int CL_API_CALL compileProgram(cl_program P, cl_uint DeviceCount, const cl_device_id *Devices,
                                  const char *Options, cl_uint HeaderCount,
                                  const cl_program *Headers, const char **Names,
                                  void(CL_CALLBACK *Notify)(cl_program, void *), void *User) {
  const std::shared_ptr<ProgramState> S = programs().find(P);
  if (!S)
    return Next->clCompileProgram(P, DeviceCount, Devices, Options, HeaderCount, Headers, Names,
                                  Notify, User);
  S->Origin = "compile";
  S->Options = Options ? Options : "";
  if (HeaderCount) // its text is not the whole source
    S->Sha.clear();
  return Next->clCompileProgram(P, DeviceCount, Devices, withArgumentNames(S->Options).c_str(),
                                HeaderCount, Headers, Names, Notify, User);
}

/// Builds, and keeps the log of a failure.
cl_int buildAndNote(cl_program P, cl_uint Count, const cl_device_id *Devices, const char *Options,
                    void(CL_CALLBACK *Notify)(cl_program, void *), void *User) {
  cl_int Error = Next->clBuildProgram(P, Count, Devices, Options, Notify, User);
  if (Error == CL_SUCCESS || !Set.records())
    return Error;
  cl_device_id Device = Count && Devices ? *Devices : nullptr;
  if (!Device)
    Next->clGetProgramInfo(P, CL_PROGRAM_DEVICES, sizeof Device, &Device, nullptr);
  size_t Length = 0;
  Next->clGetProgramBuildInfo(P, Device, CL_PROGRAM_BUILD_LOG, 0, nullptr, &Length);
  std::string Log(Length + 1, 0);
  Next->clGetProgramBuildInfo(P, Device, CL_PROGRAM_BUILD_LOG, Length, Log.data(), nullptr);
  countCall("failed build");
  noteFailedBuild(Log.c_str());
  return Error;
}

cl_int CL_API_CALL buildProgram(cl_program P, cl_uint Count, const cl_device_id *Devices,
                                const char *Options, void(CL_CALLBACK *Notify)(cl_program, void *),
                                void *User) {
  std::shared_ptr<ProgramState> S = programs().find(P);
  std::string Given = Options ? Options : "";
  if (!S || S->Sha.empty())
    return Next->clBuildProgram(P, Count, Devices, Options, Notify, User);
  // A program from a binary may be built without the options of its source.
  if (!Given.empty() || S->Options.empty())
    S->Options = Given;
  if (Set.injects())
    injectProgram(*S, Count, Devices);
  return buildAndNote(P, Count, Devices, withArgumentNames(Given).c_str(), Notify, User);
}

/// The program sees the options that it gave.
cl_int CL_API_CALL getProgramBuildInfo(cl_program P, cl_device_id Device,
                                       cl_program_build_info What, size_t Size, void *Value,
                                       size_t *Result) {
  std::shared_ptr<ProgramState> S = programs().find(P);
  if (What != CL_PROGRAM_BUILD_OPTIONS || !Set.records() || !S || S->Sha.empty())
    return Next->clGetProgramBuildInfo(P, Device, What, Size, Value, Result);
  if (Value && Size < S->Options.size() + 1)
    return CL_INVALID_VALUE;
  if (Value)
    std::memcpy(Value, S->Options.c_str(), S->Options.size() + 1);
  if (Result)
    *Result = S->Options.size() + 1;
  return CL_SUCCESS;
}

cl_int CL_API_CALL retainProgram(cl_program P) {
  programs().retain(P);
  return Next->clRetainProgram(P);
}
cl_int CL_API_CALL releaseProgram(cl_program P) {
  std::shared_ptr<ProgramState> Last = programs().release(P);
  return Next->clReleaseProgram(P);
}

cl_kernel CL_API_CALL createKernel(cl_program P, const char *Name, cl_int *Error) {
  cl_kernel K = Next->clCreateKernel(P, Name, Error);
  if (K)
    follow(K, Name, P);
  return K;
}

cl_int CL_API_CALL createKernelsInProgram(cl_program P, cl_uint Room, cl_kernel *Into,
                                          cl_uint *Result) {
  cl_uint Count = 0;
  cl_int Error = Next->clCreateKernelsInProgram(P, Room, Into, &Count);
  if (Result)
    *Result = Count;
  for (cl_uint I = 0; Error == CL_SUCCESS && Into && I < std::min(Count, Room); ++I) {
    char Name[1024] = "";
    Next->clGetKernelInfo(Into[I], CL_KERNEL_FUNCTION_NAME, sizeof Name, Name, nullptr);
    follow(Into[I], Name, P);
  }
  return Error;
}

/// A copy has the arguments of its original. It is followed for recordings; when injecting, its
/// launches stay as they are.
cl_kernel CL_API_CALL cloneKernel(cl_kernel From, cl_int *Error) {
  cl_kernel Copy = Next->clCloneKernel(From, Error);
  std::shared_ptr<KernelState> S = kernels().find(From);
  if (!Copy || !S)
    return Copy;
  auto K = std::make_shared<KernelState>();
  std::lock_guard<std::mutex> Guard(S->Lock);
  K->Name = S->Name;
  K->Program = S->Program;
  K->Arguments = S->Arguments;
  K->Infos = S->Infos;
  K->InfosKnown = S->InfosKnown;
  if (S->Injected)
    noteLeft(K->Name, "a copy by clCloneKernel");
  kernels().add(Copy, std::move(K));
  return Copy;
}

cl_int CL_API_CALL setKernelArg(cl_kernel K, cl_uint Index, size_t Size, const void *Value) {
  std::shared_ptr<KernelState> S = kernels().find(K);
  if (!S || Index >= S->Arguments.size())
    return Next->clSetKernelArg(K, Index, Size, Value);
  std::lock_guard<std::mutex> Guard(S->Lock);
  cl_int Error = Next->clSetKernelArg(K, Index, Size, Value);
  if (Error != CL_SUCCESS)
    return Error;
  ArgumentValue &A = S->Arguments[Index];
  A.Size = Size;
  const bool IsLocal = S->InfosKnown && S->Infos[Index].Address == CL_KERNEL_ARG_ADDRESS_LOCAL;
  A.K = Value                               ? ArgumentValue::Kind::Value
        : IsLocal || Size != sizeof(cl_mem) ? ArgumentValue::Kind::Local
                                            : ArgumentValue::Kind::Null;
  const auto *Bytes = static_cast<const unsigned char *>(Value);
  A.Bytes.assign(Bytes, Value ? Bytes + Size : Bytes);
  if (S->Injected)
    injectArgument(*S, Index);
  return Error;
}

cl_int CL_API_CALL setKernelArgSvm(cl_kernel K, cl_uint Index, const void *Value) {
  cl_int Error = Next->clSetKernelArgSVMPointer(K, Index, Value);
  std::shared_ptr<KernelState> S = kernels().find(K);
  if (Error != CL_SUCCESS || !S || Index >= S->Arguments.size())
    return Error;
  std::lock_guard<std::mutex> Guard(S->Lock);
  S->Arguments[Index].K = ArgumentValue::Kind::Svm;
  S->Left = "an SVM pointer as argument";
  return Error;
}

cl_int CL_API_CALL setKernelExecInfo(cl_kernel K, cl_kernel_exec_info What, size_t Size,
                                     const void *Value) {
  if (std::shared_ptr<KernelState> S = kernels().find(K)) {
    std::lock_guard<std::mutex> Guard(S->Lock);
    S->Left = "clSetKernelExecInfo";
  }
  return Next->clSetKernelExecInfo(K, What, Size, Value);
}

cl_int CL_API_CALL retainKernel(cl_kernel K) {
  kernels().retain(K);
  return Next->clRetainKernel(K);
}
cl_int CL_API_CALL releaseKernel(cl_kernel K) {
  std::shared_ptr<KernelState> Last = kernels().release(K);
  return Next->clReleaseKernel(K);
}

} // namespace

void installObjects(cl_icd_dispatch &Table) {
  Table.clCreateProgramWithSource = createProgramWithSource;
  Table.clCreateProgramWithBinary = createProgramWithBinary;
  Table.clGetProgramInfo = getProgramInfo;
  Table.clCreateProgramWithIL = createProgramWithIL;
  Table.clLinkProgram = linkProgram;
  Table.clCompileProgram = compileProgram;
  Table.clBuildProgram = buildProgram;
  Table.clGetProgramBuildInfo = getProgramBuildInfo;
  Table.clRetainProgram = retainProgram;
  Table.clReleaseProgram = releaseProgram;
  Table.clCreateKernel = createKernel;
  Table.clCreateKernelsInProgram = createKernelsInProgram;
  Table.clCloneKernel = cloneKernel;
  Table.clSetKernelArg = setKernelArg;
  Table.clSetKernelArgSVMPointer = setKernelArgSvm;
  Table.clSetKernelExecInfo = setKernelExecInfo;
  Table.clRetainKernel = retainKernel;
  Table.clReleaseKernel = releaseKernel;
}

} // namespace clmali::layer
