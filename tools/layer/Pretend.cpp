//===- Pretend.cpp - answers of another device ------------------------------------------------===//

#include "tools/layer/Pretend.h"
#include "tools/layer/text/Json.h"
#include <algorithm>
#include <cstring>
#include <set>

namespace clmali::layer {
namespace {

struct Answers {
  Json All;
  std::string Device, Family;
  std::mutex Lock; // of what follows
  std::set<std::string> NotHonoured;
};
Answers &answers() {
  static auto *A = new Answers;
  return *A;
}

void note(const std::string &Text) {
  std::lock_guard<std::mutex> Guard(answers().Lock);
  answers().NotHonoured.insert(Text);
}

/// How the answer of the other device and that of the device at hand are joined.
enum class Join : uint8_t { Other, Least };

/// A query that is answered by a number.
struct Number {
  cl_device_info Query;
  const char *Fact;
  enum : uint8_t { Uint, Size, Ulong } As;
  Join How = Join::Other;
};

constexpr Number Numbers[] = {
    {CL_DEVICE_TYPE, "type", Number::Ulong},
    {CL_DEVICE_MAX_COMPUTE_UNITS, "compute-units", Number::Uint},
    {CL_DEVICE_MAX_CLOCK_FREQUENCY, "clock", Number::Uint},
    {CL_DEVICE_MAX_WORK_GROUP_SIZE, "max-work-group", Number::Size, Join::Least},
    {CL_DEVICE_PREFERRED_WORK_GROUP_SIZE_MULTIPLE, "work-group-multiple", Number::Size},
    {CL_DEVICE_LOCAL_MEM_TYPE, "local-type", Number::Uint},
    {CL_DEVICE_LOCAL_MEM_SIZE, "max-local-memory", Number::Ulong, Join::Least},
    {CL_DEVICE_HOST_UNIFIED_MEMORY, "unified-memory", Number::Uint},
    {CL_DEVICE_GLOBAL_MEM_CACHELINE_SIZE, "cache-line-bytes", Number::Uint},
    {CL_DEVICE_DOUBLE_FP_CONFIG, "double-config", Number::Ulong},
    {CL_DEVICE_PARTITION_MAX_SUB_DEVICES, "sub-devices", Number::Uint},
    {CL_DEVICE_PREFERRED_VECTOR_WIDTH_CHAR, "preferred-char", Number::Uint},
    {CL_DEVICE_PREFERRED_VECTOR_WIDTH_SHORT, "preferred-short", Number::Uint},
    {CL_DEVICE_PREFERRED_VECTOR_WIDTH_INT, "preferred-int", Number::Uint},
    {CL_DEVICE_PREFERRED_VECTOR_WIDTH_LONG, "preferred-long", Number::Uint},
    {CL_DEVICE_PREFERRED_VECTOR_WIDTH_HALF, "preferred-half", Number::Uint, Join::Least},
    {CL_DEVICE_PREFERRED_VECTOR_WIDTH_FLOAT, "preferred-float", Number::Uint},
    {CL_DEVICE_PREFERRED_VECTOR_WIDTH_DOUBLE, "preferred-double", Number::Uint},
    {CL_DEVICE_NATIVE_VECTOR_WIDTH_CHAR, "native-char", Number::Uint},
    {CL_DEVICE_NATIVE_VECTOR_WIDTH_SHORT, "native-short", Number::Uint},
    {CL_DEVICE_NATIVE_VECTOR_WIDTH_INT, "native-int", Number::Uint},
    {CL_DEVICE_NATIVE_VECTOR_WIDTH_LONG, "native-long", Number::Uint},
    {CL_DEVICE_NATIVE_VECTOR_WIDTH_HALF, "native-half", Number::Uint, Join::Least},
    {CL_DEVICE_NATIVE_VECTOR_WIDTH_FLOAT, "native-float", Number::Uint},
    {CL_DEVICE_NATIVE_VECTOR_WIDTH_DOUBLE, "native-double", Number::Uint},
};

cl_int answer(const void *Data, size_t Length, size_t Size, void *Value, size_t *Result) {
  if (Value && Size < Length)
    return CL_INVALID_VALUE;
  if (Value)
    std::memcpy(Value, Data, Length);
  if (Result)
    *Result = Length;
  return CL_SUCCESS;
}
cl_int answer(const std::string &Text, size_t Size, void *Value, size_t *Result) {
  return answer(Text.c_str(), Text.size() + 1, Size, Value, Result);
}

template <typename T> cl_int answer(uint64_t Number, size_t Size, void *Value, size_t *Result) {
  const T As = Number;
  return answer(&As, sizeof As, Size, Value, Result);
}

std::string realText(cl_device_id Device, cl_device_info What) {
  size_t Length = 0;
  if (Next->clGetDeviceInfo(Device, What, 0, nullptr, &Length) != CL_SUCCESS || Length == 0)
    return {};
  std::string Text(Length, 0);
  Next->clGetDeviceInfo(Device, What, Length, Text.data(), nullptr);
  return Text.c_str();
}

/// The number of the device at hand, whatever its width.
uint64_t realNumber(cl_device_id Device, cl_device_info What) {
  uint64_t Value = 0; // the queries of Numbers have 4 or 8 bytes, little-endian
  Next->clGetDeviceInfo(Device, What, sizeof Value, &Value, nullptr);
  return Value;
}

const Json *fact(const char *Name) {
  const Json &V = answers().All["numbers"][Name];
  return V.K == Json::Kind::Integer ? &V : nullptr;
}

uint64_t joined(const Number &N, uint64_t Other, cl_device_id Device) {
  if (N.How == Join::Other)
    return Other;
  const uint64_t Real = realNumber(Device, N.Query);
  if (Real < Other)
    note("the device at hand has " + std::to_string(Real) + " for " + N.Fact + ", " +
         answers().Device + " has " + std::to_string(Other) + ": the program is told " +
         std::to_string(Real));
  return std::min(Real, Other);
}

/// Words of a list that is separated by spaces.
std::set<std::string> words(const std::string &Text) {
  std::set<std::string> All;
  for (size_t At = 0; At < Text.size();) {
    size_t End = std::min(Text.find(' ', At), Text.size());
    if (End > At)
      All.insert(Text.substr(At, End - At));
    At = End + 1;
  }
  return All;
}

/// What both devices have: a program may call the functions of an extension.
std::string extensions(const std::string &Real) {
  const std::set<std::string> Has = words(Real);
  std::string Common, Missing;
  for (const Json &E : answers().All["extensions"].Array) {
    std::string &Into = Has.count(E.String) ? Common : Missing;
    Into += (Into.empty() ? "" : " ") + E.String;
  }
  if (!Missing.empty())
    note("extensions of " + answers().Device +
         " that the device at hand lacks; the program is not "
         "told of them: " +
         Missing);
  return Common;
}

/// "OpenCL 3.0 v1": the lower of both versions, with the text of the other device.
std::string version(const std::string &Head, const std::string &Real) {
  std::string Other = answers().All["version"].String;
  if (Real.size() >= Head.size() + 3 && Real.compare(0, Head.size(), Head) == 0 &&
      Real.compare(Head.size(), 3, Other, 0, 3) < 0) {
    note("the device at hand has OpenCL " + Real.substr(Head.size(), 3) + ", " + answers().Device +
         " has " + Other.substr(0, 3));
    Other.replace(0, 3, Real, Head.size(), 3);
  }
  return Head + Other;
}

/// The largest size in each dimension is that of a work-group.
cl_int itemSizes(cl_device_id Device, size_t Size, void *Value, size_t *Result) {
  const Json *Most = fact("max-work-group");
  std::vector<size_t> Sizes(realNumber(Device, CL_DEVICE_MAX_WORK_ITEM_DIMENSIONS));
  const size_t Bytes = Sizes.size() * sizeof(size_t);
  if (!Most || Next->clGetDeviceInfo(Device, CL_DEVICE_MAX_WORK_ITEM_SIZES, Bytes, Sizes.data(),
                                     nullptr) != CL_SUCCESS)
    return Next->clGetDeviceInfo(Device, CL_DEVICE_MAX_WORK_ITEM_SIZES, Size, Value, Result);
  for (size_t &S : Sizes)
    S = std::min<size_t>(S, Most->Integer);
  return answer(Sizes.data(), Bytes, Size, Value, Result);
}

cl_int CL_API_CALL getDeviceInfo(cl_device_id Device, cl_device_info What, size_t Size, void *Value,
                                 size_t *Result) {
  // Errors, such as an invalid device, are those of the device at hand.
  if (cl_int Error = Next->clGetDeviceInfo(Device, What, 0, nullptr, nullptr))
    return Error == CL_INVALID_VALUE ? Next->clGetDeviceInfo(Device, What, Size, Value, Result)
                                     : Error;
  const Json &All = answers().All;
  switch (What) {
  case CL_DEVICE_NAME:
    return answer(All["name"].String, Size, Value, Result);
  case CL_DEVICE_VENDOR:
    return answer(All["vendor"].String, Size, Value, Result);
  case CL_DEVICE_VERSION:
    return answer(version("OpenCL ", realText(Device, What)), Size, Value, Result);
  case CL_DEVICE_OPENCL_C_VERSION:
    return answer(version("OpenCL C ", realText(Device, What)), Size, Value, Result);
  case CL_DRIVER_VERSION:
    return answer(All["version"].String.substr(0, 3), Size, Value, Result);
  case CL_DEVICE_EXTENSIONS:
    return answer(extensions(realText(Device, What)), Size, Value, Result);
  case CL_DEVICE_MAX_WORK_ITEM_SIZES:
    return itemSizes(Device, Size, Value, Result);
  default:
    break;
  }
  for (const Number &N : Numbers) {
    const Json *Other = N.Query == What ? fact(N.Fact) : nullptr;
    if (!Other)
      continue;
    const uint64_t V = joined(N, Other->Integer, Device);
    return N.As == Number::Uint   ? answer<cl_uint>(V, Size, Value, Result)
           : N.As == Number::Size ? answer<size_t>(V, Size, Value, Result)
                                  : answer<cl_ulong>(V, Size, Value, Result);
  }
  return Next->clGetDeviceInfo(Device, What, Size, Value, Result);
}

cl_int CL_API_CALL getPlatformInfo(cl_platform_id Platform, cl_platform_info What, size_t Size,
                                   void *Value, size_t *Result) {
  auto real = [&] {
    char Text[4096] = "";
    Next->clGetPlatformInfo(Platform, What, sizeof Text, Text, nullptr);
    return std::string(Text);
  };
  const Json &All = answers().All;
  if (What == CL_PLATFORM_NAME)
    return answer(All["platform"].String, Size, Value, Result);
  if (What == CL_PLATFORM_VENDOR)
    return answer(All["vendor"].String, Size, Value, Result);
  if (What == CL_PLATFORM_VERSION)
    return answer(version("OpenCL ", real()), Size, Value, Result);
  return Next->clGetPlatformInfo(Platform, What, Size, Value, Result);
}

/// The types by which the devices at hand are found; 0: the other device is none of these.
cl_device_type typesBelow(cl_device_type Asked) {
  const Json *Own = fact("type");
  const auto Type = static_cast<cl_device_type>(Own ? Own->Integer : CL_DEVICE_TYPE_GPU);
  if (Asked == CL_DEVICE_TYPE_ALL || Asked == CL_DEVICE_TYPE_DEFAULT)
    return Asked;
  if (Asked & (Type | CL_DEVICE_TYPE_DEFAULT))
    return CL_DEVICE_TYPE_ALL;
  return 0;
}

cl_int CL_API_CALL getDeviceIDs(cl_platform_id Platform, cl_device_type Type, cl_uint Room,
                                cl_device_id *Into, cl_uint *Result) {
  if (cl_device_type Below = typesBelow(Type))
    return Next->clGetDeviceIDs(Platform, Below, Room, Into, Result);
  if (Result)
    *Result = 0;
  return CL_DEVICE_NOT_FOUND;
}

cl_context CL_API_CALL createContextFromType(const cl_context_properties *Properties,
                                             cl_device_type Type,
                                             void(CL_CALLBACK *Notify)(const char *, const void *,
                                                                       size_t, void *),
                                             void *User, cl_int *Error) {
  if (cl_device_type Below = typesBelow(Type))
    return Next->clCreateContextFromType(Properties, Below, Notify, User, Error);
  if (Error)
    *Error = CL_DEVICE_NOT_FOUND;
  return nullptr;
}

cl_int CL_API_CALL getKernelWorkGroupInfo(cl_kernel Kernel, cl_device_id Device,
                                          cl_kernel_work_group_info What, size_t Size, void *Value,
                                          size_t *Result) {
  const Json *Other = What == CL_KERNEL_WORK_GROUP_SIZE ? fact("max-work-group")
                      : What == CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE
                          ? fact("work-group-multiple")
                          : nullptr;
  size_t Real = 0;
  if (!Other || Next->clGetKernelWorkGroupInfo(Kernel, Device, What, sizeof Real, &Real, nullptr))
    return Next->clGetKernelWorkGroupInfo(Kernel, Device, What, Size, Value, Result);
  const size_t Number = Other->Integer;
  return answer<size_t>(What == CL_KERNEL_WORK_GROUP_SIZE ? std::min(Real, Number) : Number, Size,
                        Value, Result);
}

} // namespace

bool readPretended(const std::string &Text) {
  std::optional<Json> All = Text.empty() ? std::nullopt : parseJson(Text);
  if (!All)
    return false;
  answers().All = std::move(*All);
  answers().Device = answers().All["device"].String;
  answers().Family = answers().All["family"].String;
  return !answers().Device.empty();
}

const std::string &pretendedDevice() { return answers().Device; }
const std::string &pretendedFamily() { return answers().Family; }

std::vector<std::string> notHonoured() {
  std::lock_guard<std::mutex> Guard(answers().Lock);
  return {answers().NotHonoured.begin(), answers().NotHonoured.end()};
}

void noteRefusedLaunch(const std::string &Kernel, cl_int Error, cl_device_id Device, size_t Items) {
  if (pretendedDevice().empty() ||
      (Error != CL_INVALID_WORK_GROUP_SIZE && Error != CL_INVALID_WORK_ITEM_SIZE))
    return;
  note("kernel '" + Kernel + "': the device at hand refuses a local size of " +
       std::to_string(Items) + " work-items; it takes " +
       std::to_string(realNumber(Device, CL_DEVICE_MAX_WORK_GROUP_SIZE)) + " at most");
}

void installPretended(cl_icd_dispatch &Table) {
  Table.clGetDeviceInfo = getDeviceInfo;
  Table.clGetPlatformInfo = getPlatformInfo;
  Table.clGetDeviceIDs = getDeviceIDs;
  Table.clCreateContextFromType = createContextFromType;
  Table.clGetKernelWorkGroupInfo = getKernelWorkGroupInfo;
}

} // namespace clmali::layer
