#include "rewriters/verify/run/DeviceMemory.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/Regex.h"

#include <cstring>
#include <sys/mman.h>
#include <unistd.h>

using namespace llvm;

namespace clmali::verify {
namespace {

Error failure(const Twine &Message) { return createStringError(inconvertibleErrorCode(), Message); }

std::string platformText(const Api &Cl, cl_platform_id P, cl_platform_info What) {
  char Text[512] = "";
  Cl.clGetPlatformInfo(P, What, sizeof(Text) - 1, Text, nullptr);
  return StringRef(Text).trim().str();
}
std::string deviceText(const Api &Cl, cl_device_id D, cl_device_info What) {
  char Text[512] = "";
  Cl.clGetDeviceInfo(D, What, sizeof(Text) - 1, Text, nullptr);
  return StringRef(Text).trim().str();
}
template <typename T> T deviceNumber(const Api &Cl, cl_device_id D, cl_device_info What) {
  T Value{};
  Cl.clGetDeviceInfo(D, What, sizeof(Value), &Value, nullptr);
  return Value;
}

DeviceInfo describeDevice(const Api &Cl, cl_platform_id P, cl_device_id D) {
  DeviceInfo I;
  I.Platform = platformText(Cl, P, CL_PLATFORM_NAME);
  I.PlatformVersion = platformText(Cl, P, CL_PLATFORM_VERSION);
  I.Device = deviceText(Cl, D, CL_DEVICE_NAME);
  I.DeviceVersion = deviceText(Cl, D, CL_DEVICE_VERSION);
  I.Driver = deviceText(Cl, D, CL_DRIVER_VERSION);
  I.Extensions = deviceText(Cl, D, CL_DEVICE_EXTENSIONS);
  cl_device_type Type = deviceNumber<cl_device_type>(Cl, D, CL_DEVICE_TYPE);
  I.Type = (Type & CL_DEVICE_TYPE_CPU)           ? "CPU"
           : (Type & CL_DEVICE_TYPE_GPU)         ? "GPU"
           : (Type & CL_DEVICE_TYPE_ACCELERATOR) ? "accelerator"
                                                 : "custom";
  I.ComputeUnits = deviceNumber<cl_uint>(Cl, D, CL_DEVICE_MAX_COMPUTE_UNITS);
  I.NativeFloats = deviceNumber<cl_uint>(Cl, D, CL_DEVICE_NATIVE_VECTOR_WIDTH_FLOAT);
  I.GlobalMemory = deviceNumber<cl_ulong>(Cl, D, CL_DEVICE_GLOBAL_MEM_SIZE);
  I.LocalMemory = deviceNumber<cl_ulong>(Cl, D, CL_DEVICE_LOCAL_MEM_SIZE);
  return I;
}

template <typename Visitor> void eachDevice(const Api &Cl, Visitor &&Visit) {
  cl_uint Platforms = 0;
  if (Cl.clGetPlatformIDs(0, nullptr, &Platforms) != CL_SUCCESS)
    return;
  std::vector<cl_platform_id> P(Platforms);
  Cl.clGetPlatformIDs(Platforms, P.data(), nullptr);
  for (cl_platform_id Platform : P) {
    cl_uint Devices = 0;
    if (Cl.clGetDeviceIDs(Platform, CL_DEVICE_TYPE_ALL, 0, nullptr, &Devices) != CL_SUCCESS)
      continue;
    std::vector<cl_device_id> D(Devices);
    Cl.clGetDeviceIDs(Platform, CL_DEVICE_TYPE_ALL, Devices, D.data(), nullptr);
    for (cl_device_id Device : D)
      if (!Visit(Platform, Device))
        return;
  }
}

/// More than an index that is off by a row or a plane. Costs address space only.
constexpr size_t ProtectedBytes = size_t(256) << 20;
/// Alignment that every device gives to a buffer (sizeof(long16)).
constexpr size_t BufferAlignment = 128;
/// NVIDIA's code for a kernel that read or wrote outside of its buffers.
constexpr cl_int IllegalAccess = -9999;

size_t guardBytes(size_t Size) {
  size_t Wanted = std::min<size_t>(std::max<size_t>(Size, 4096), 65536);
  return (Wanted + 4095) / 4096 * 4096;
}

} // namespace

Expected<std::vector<DeviceInfo>> enumerateDevices(const Api &Cl) {
  std::vector<DeviceInfo> All;
  eachDevice(Cl, [&](cl_platform_id P, cl_device_id D) {
    All.push_back(describeDevice(Cl, P, D));
    return true;
  });
  return All;
}

Expected<Device> Device::open(const DeviceChoice &Choice) {
  Expected<Api> Cl = loadApi(Choice.Library);
  if (!Cl)
    return Cl.takeError();
  Device D;
  D.Cl = *Cl;
  std::string Seen;
  eachDevice(D.Cl, [&](cl_platform_id Platform, cl_device_id Device) {
    DeviceInfo I = describeDevice(D.Cl, Platform, Device);
    Seen += (Seen.empty() ? "'" : ", '") + I.Platform + ": " + I.Device + "'";
    if (!StringRef(I.Platform).contains_insensitive(Choice.Wanted) &&
        !StringRef(I.Device).contains_insensitive(Choice.Wanted))
      return true;
    D.Id = Device;
    D.Info = std::move(I);
    return false;
  });
  if (!D.Id)
    return failure(Seen.empty() ? Twine("no OpenCL device; install one, on Debian: apt install "
                                        "pocl-opencl-icd")
                                : "no OpenCL platform or device matches '" + Choice.Wanted +
                                      "'; there are " + Seen);
  cl_int Code;
  D.Context = D.Cl.clCreateContext(nullptr, 1, &D.Id, nullptr, nullptr, &Code);
  if (!D.Context)
    return callFailed("clCreateContext", Code);
  D.Queue = D.Cl.clCreateCommandQueue(D.Context, D.Id, CL_QUEUE_PROFILING_ENABLE, &Code);
  if (!D.Queue)
    return callFailed("clCreateCommandQueue", Code);
  return D;
}

Expected<cl_program> Device::build(const std::string &Source, const std::string &Options) {
  const char *Text = Source.c_str();
  size_t Length = Source.size();
  cl_int Code;
  cl_program Program = Cl.clCreateProgramWithSource(Context, 1, &Text, &Length, &Code);
  if (!Program)
    return callFailed("clCreateProgramWithSource", Code);
  Code = Cl.clBuildProgram(Program, 1, &Id, Options.c_str(), nullptr, nullptr);
  if (Code == CL_SUCCESS)
    return Program;
  size_t Size = 0;
  Cl.clGetProgramBuildInfo(Program, Id, CL_PROGRAM_BUILD_LOG, 0, nullptr, &Size);
  std::string Log(Size, '\0');
  if (Size)
    Cl.clGetProgramBuildInfo(Program, Id, CL_PROGRAM_BUILD_LOG, Size, Log.data(), nullptr);
  Cl.clReleaseProgram(Program);
  // Some drivers compile from a file of their own and name it.
  std::string Readable = Log.c_str();
  static const Regex Temporary("[^ \n\"]*tempfile_[A-Za-z0-9]+\\.cl");
  while (Temporary.match(Readable))
    Readable = Temporary.sub("source", Readable);
  StringRef Shown = StringRef(Readable).trim();
  std::string Message = "it does not build on " + Info.Device + ", " + errorName(Code);
  if (!Shown.empty())
    Message += ":\n" + Shown.take_front(4000).str();
  return failure(Message);
}

Expected<cl_kernel> Device::kernel(cl_program Program, const std::string &Name) {
  cl_int Code;
  cl_kernel Kernel = Cl.clCreateKernel(Program, Name.c_str(), &Code);
  if (!Kernel)
    return Code == CL_INVALID_KERNEL_NAME ? failure("there is no kernel '" + Name + "'")
                                          : callFailed("clCreateKernel('" + Name + "')", Code);
  return Kernel;
}

uint64_t Device::mostItems(cl_kernel Kernel) const {
  size_t Most = 0;
  Cl.clGetKernelWorkGroupInfo(Kernel, Id, CL_KERNEL_WORK_GROUP_SIZE, sizeof(Most), &Most, nullptr);
  return Most;
}

Expected<Device::Memory> Device::allocate(const ArgumentValue &V, const Surroundings &Around,
                                          unsigned Argument) {
  return V.K == ArgumentValue::Kind::Image ? allocateImage(V)
                                           : allocateBuffer(V.Data, Around, Argument);
}

Expected<Device::Memory> Device::allocateBuffer(const Bytes &Data, const Surroundings &Around,
                                                unsigned Argument) {
  Memory M;
  cl_int Code = CL_SUCCESS;
  size_t Size = Data.size();
  auto check = [&](StringRef Call) -> Error {
    return Code == CL_SUCCESS ? Error::success()
                              : failure(Call + " of " + Twine(Size) + " bytes: " + errorName(Code));
  };
  auto write = [&](cl_mem Into, size_t At, const uint8_t *From, size_t Count) -> Error {
    Code = Cl.clEnqueueWriteBuffer(Queue, Into, CL_TRUE, At, Count, From, 0, nullptr, nullptr);
    return check("clEnqueueWriteBuffer");
  };
  if (Around.Where == Placement::Exact) {
    M.Buffer = Cl.clCreateBuffer(Context, CL_MEM_READ_WRITE, Size, nullptr, &Code);
    if (Error E = check("clCreateBuffer"))
      return E;
    if (Error E = write(M.Buffer, 0, Data.data(), Size))
      return E;
    return M;
  }
  if (Around.Where == Placement::Guarded) {
    M.Front = guardBytes(Size);
    M.Back = guardBytes(Size);
    M.Parent =
        Cl.clCreateBuffer(Context, CL_MEM_READ_WRITE, M.Front + Size + M.Back, nullptr, &Code);
    if (Error E = check("clCreateBuffer"))
      return E;
    Bytes Image(M.Front + Size + M.Back, Around.Poison);
    std::memcpy(Image.data() + M.Front, Data.data(), Size);
    if (Error E = write(M.Parent, 0, Image.data(), Image.size()))
      return E;
    cl_buffer_region Region{M.Front, Size};
    M.Buffer = Cl.clCreateSubBuffer(M.Parent, CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION,
                                    &Region, &Code);
    if (Error E = check("clCreateSubBuffer"))
      return E;
    return M;
  }
  return allocatePages(Data, Around, Argument);
}

// Layout: [protected][accessible, payload at one end][protected]
Expected<Device::Memory> Device::allocatePages(const Bytes &Data, const Surroundings &Around,
                                               unsigned Argument) {
  Memory M;
  size_t Size = Data.size();
  cl_int Code = CL_SUCCESS;
  size_t Page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  M.UsableBytes = (Size + BufferAlignment + Page - 1) / Page * Page;
  M.ReservedBytes = ProtectedBytes + M.UsableBytes + ProtectedBytes;
  M.Reserved =
      mmap(nullptr, M.ReservedBytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (M.Reserved == MAP_FAILED) {
    M.Reserved = nullptr;
    return failure("no address space for protected pages");
  }
  M.Usable = static_cast<uint8_t *>(M.Reserved) + ProtectedBytes;
  if (mprotect(M.Usable, M.UsableBytes, PROT_READ | PROT_WRITE) != 0)
    return failure("mprotect fails");
  std::memset(M.Usable, Around.Poison, M.UsableBytes);
  M.Payload = M.Usable;
  if (Around.Where == Placement::PagesEnd) {
    M.Payload = M.Usable + M.UsableBytes - Size;
    if (Around.AlignStart)
      M.Payload -= reinterpret_cast<uintptr_t>(M.Payload) % BufferAlignment;
  }
  std::memcpy(M.Payload, Data.data(), Size);
  M.Buffer =
      Cl.clCreateBuffer(Context, CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR, Size, M.Payload, &Code);
  if (Code != CL_SUCCESS)
    return callFailed("clCreateBuffer of " + std::to_string(Size) + " bytes", Code);
  FaultZone Z;
  Z.Begin = reinterpret_cast<uintptr_t>(M.Reserved);
  Z.End = Z.Begin + M.ReservedBytes;
  Z.PayloadBegin = reinterpret_cast<uintptr_t>(M.Payload);
  Z.PayloadEnd = Z.PayloadBegin + Size;
  Z.Argument = Argument;
  Zones.push_back(Z);
  return M;
}

void Device::release(Memory &M) {
  if (M.Buffer)
    Cl.clReleaseMemObject(M.Buffer);
  if (M.Parent)
    Cl.clReleaseMemObject(M.Parent);
  if (M.Reserved)
    munmap(M.Reserved, M.ReservedBytes);
  M = Memory();
}

Error Device::readBack(const Memory &M, size_t Size, unsigned Argument, const Surroundings &Around,
                       RunResult &Into) {
  Bytes &Out = Into.Buffers[Argument];
  if (M.Image)
    return readImage(M, Out);
  Bytes Image;
  size_t Front = 0;
  if (M.Parent) {
    Image.resize(M.Front + Size + M.Back);
    cl_int Code = Cl.clEnqueueReadBuffer(Queue, M.Parent, CL_TRUE, 0, Image.size(), Image.data(), 0,
                                         nullptr, nullptr);
    if (Code != CL_SUCCESS)
      return callFailed("clEnqueueReadBuffer", Code);
    Front = M.Front;
    Out.assign(Image.begin() + Front, Image.begin() + Front + Size);
  } else {
    Out.resize(Size);
    cl_int Code =
        Cl.clEnqueueReadBuffer(Queue, M.Buffer, CL_TRUE, 0, Size, Out.data(), 0, nullptr, nullptr);
    if (Code != CL_SUCCESS)
      return callFailed("clEnqueueReadBuffer", Code);
    if (!M.Usable)
      return Error::success();
    // The bytes between payload and page are filled with poison too.
    Front = M.Payload - M.Usable;
    Image.assign(M.Usable, M.Usable + M.UsableBytes);
  }
  for (size_t I = 0; I < Image.size(); ++I) {
    if (I == Front)
      I += Size;
    if (I < Image.size() && Image[I] != Around.Poison) {
      Into.Strays.push_back({Argument, static_cast<int64_t>(I) - static_cast<int64_t>(Front)});
      break;
    }
  }
  return Error::success();
}

Error Device::setArguments(const Step &S, ArrayRef<ArgumentValue> Values, ArrayRef<Memory> Memories,
                           NoneBecomes None) {
  for (unsigned I = 0; I < Values.size(); ++I) {
    const ArgumentValue &V = Values[I];
    cl_int Code = CL_SUCCESS;
    switch (V.K) {
    case ArgumentValue::Kind::Scalar:
      Code = Cl.clSetKernelArg(S.Kernel, I, V.Data.size(), V.Data.data());
      break;
    case ArgumentValue::Kind::Buffer:
    case ArgumentValue::Kind::Image:
      Code = Cl.clSetKernelArg(S.Kernel, I, sizeof(cl_mem), &Memories[I].Buffer);
      break;
    case ArgumentValue::Kind::Alias:
      Code = Cl.clSetKernelArg(S.Kernel, I, sizeof(cl_mem), &Memories[V.SameAs].Buffer);
      break;
    case ArgumentValue::Kind::Sampler: {
      Expected<cl_sampler> Sampler = samplerFor(V.Sampler, None);
      if (!Sampler)
        return Sampler.takeError();
      Code = Cl.clSetKernelArg(S.Kernel, I, sizeof(cl_sampler), &*Sampler);
      break;
    }
    case ArgumentValue::Kind::Local: {
      auto It = S.LocalBytes.find(I);
      Code = Cl.clSetKernelArg(S.Kernel, I, It == S.LocalBytes.end() ? V.LocalBytes : It->second,
                               nullptr);
      break;
    }
    }
    if (Code != CL_SUCCESS)
      return callFailed("clSetKernelArg(" + std::to_string(I) + ")", Code);
  }
  return Error::success();
}

Error Device::enqueue(const Step &S, double &Milliseconds) {
  size_t Global[3], Local[3], Offset[3];
  for (unsigned D = 0; D < 3; ++D) {
    Global[D] = S.Shape.Global[D];
    Local[D] = S.Shape.Local[D];
    Offset[D] = S.Shape.Offset[D];
  }
  cl_event Event = nullptr;
  cl_int Code = Cl.clEnqueueNDRangeKernel(Queue, S.Kernel, S.Shape.Dimensions, Offset, Global,
                                          S.Shape.hasLocal() ? Local : nullptr, 0, nullptr, &Event);
  if (Code != CL_SUCCESS)
    return callFailed("clEnqueueNDRangeKernel", Code);
  Code = Cl.clWaitForEvents(1, &Event);
  if (Code == IllegalAccess) {
    // Nothing works in this context any more: the parent handles it as a crash.
    errs() << "the device reports an illegal access (OpenCL error " << Code << ")\n";
    std::abort();
  }
  if (Code != CL_SUCCESS) {
    Cl.clReleaseEvent(Event);
    return callFailed("the kernel failed", Code);
  }
  cl_ulong Start = 0, End = 0;
  if (Cl.clGetEventProfilingInfo(Event, CL_PROFILING_COMMAND_START, sizeof(Start), &Start,
                                 nullptr) == CL_SUCCESS &&
      Cl.clGetEventProfilingInfo(Event, CL_PROFILING_COMMAND_END, sizeof(End), &End, nullptr) ==
          CL_SUCCESS)
    Milliseconds += static_cast<double>(End - Start) * 1e-6;
  Cl.clReleaseEvent(Event);
  return Error::success();
}

Expected<RunResult> Device::run(ArrayRef<Step> Steps, ArrayRef<ArgumentValue> Values,
                                const Surroundings &Around) {
  RunResult Result;
  Result.Buffers.resize(Values.size());
  Zones.clear();
  // The fault handler of another thread may walk the zones while they grow.
  Zones.reserve(Values.size() + 1);
  Zones.push_back(imageZone());
  std::vector<Memory> Memories(Values.size());
  auto Cleanup = make_scope_exit([&] {
    for (Memory &M : Memories)
      release(M);
  });
  for (unsigned I = 0; I < Values.size(); ++I) {
    if (!Values[I].holdsData())
      continue;
    Expected<Memory> M = allocate(Values[I], Around, I);
    if (!M)
      return M.takeError();
    Memories[I] = *M;
  }
  for (const Step &S : Steps) {
    if (Error E = setArguments(S, Values, Memories, Around.none()))
      return E;
    if (Error E = enqueue(S, Result.Milliseconds))
      return E;
  }
  Cl.clFinish(Queue);
  for (unsigned I = 0; I < Values.size(); ++I)
    if (Values[I].holdsData())
      if (Error E = readBack(Memories[I], Values[I].Data.size(), I, Around, Result))
        return E;
  return Result;
}

Expected<std::vector<double>> Device::time(ArrayRef<Step> Steps, ArrayRef<ArgumentValue> Values,
                                           unsigned Runs, RunResult &Last,
                                           function_ref<void()> Alive) {
  std::vector<Memory> Memories(Values.size());
  auto Cleanup = make_scope_exit([&] {
    for (Memory &M : Memories)
      release(M);
  });
  Surroundings Plain;
  for (unsigned I = 0; I < Values.size(); ++I) {
    if (!Values[I].holdsData())
      continue;
    Expected<Memory> M = allocate(Values[I], Plain, I);
    if (!M)
      return M.takeError();
    Memories[I] = *M;
  }
  auto readAll = [&]() -> Error {
    Last = {};
    Last.Buffers.resize(Values.size());
    for (unsigned I = 0; I < Values.size(); ++I)
      if (Values[I].holdsData())
        if (Error E = readBack(Memories[I], Values[I].Data.size(), I, Plain, Last))
          return E;
    return Error::success();
  };
  std::vector<double> Times;
  std::vector<unsigned> Written;
  for (unsigned R = 0; R <= Runs; ++R) {
    Alive();
    for (unsigned I : Written)
      if (cl_int Code = write(Memories[I], Values[I].Data))
        return callFailed("restoring an argument", Code);
    double Milliseconds = 0;
    for (const Step &S : Steps) {
      if (Error E = setArguments(S, Values, Memories, Plain.none()))
        return E;
      if (Error E = enqueue(S, Milliseconds))
        return E;
    }
    Cl.clFinish(Queue);
    if (R > 0) { // the first run compiles, and moves the buffers to the device
      Times.push_back(Milliseconds);
      continue;
    }
    if (Error E = readAll())
      return E;
    for (unsigned I = 0; I < Values.size(); ++I)
      if (Values[I].holdsData() && Last.Buffers[I] != Values[I].Data)
        Written.push_back(I);
  }
  if (Error E = readAll())
    return E;
  return Times;
}

} // namespace clmali::verify
