//===- Replacement.cpp - the kernels that replace one kernel ----------------------------------===//

#include "tools/layer/Replacement.h"
#include "tools/layer/Exchange.h"
#include <algorithm>
#include <cstring>

namespace clmali::layer {

std::shared_ptr<InjectedKernel> InjectedKernel::make(std::shared_ptr<InjectedProgram> Program,
                                                     const KernelRecipe &Recipe,
                                                     cl_uint ArgumentCount, std::string &Why) {
  if (Recipe.Arguments.size() != ArgumentCount) {
    Why = "it takes another number of arguments";
    return nullptr;
  }
  std::shared_ptr<InjectedKernel> K(new InjectedKernel(std::move(Program), Recipe));
  K->Slots.assign(GeometrySlots + ArgumentCount * (1 + ExtentSlots), 0);
  K->Known.assign(ArgumentCount, false);
  K->Judged.assign(ArgumentCount, true);
  K->HasBuffer.assign(ArgumentCount, true);
  for (const LaunchRecipe &L : Recipe.Launches)
    if (!K->addPart(L, Why))
      return nullptr;
  return K;
}

InjectedKernel::~InjectedKernel() {
  for (const Part &P : Parts)
    if (P.Kernel)
      Next->clReleaseKernel(P.Kernel);
  if (Original)
    Next->clReleaseKernel(Original);
}

bool InjectedKernel::addPart(const LaunchRecipe &L, std::string &Why) {
  auto slotOf = [this](const std::string &Name) -> int {
    if (Name.size() == 2 && std::string("glo").find(Name[0]) != std::string::npos &&
        Name[1] >= 'x' && Name[1] <= 'z')
      return static_cast<int>(std::string("glo").find(Name[0])) * 3 + (Name[1] - 'x');
    for (size_t I = 0; I < Recipe.Arguments.size(); ++I) {
      if (Recipe.Arguments[I].Name == Name && Recipe.Arguments[I].Bytes)
        return GeometrySlots + I;
      for (unsigned E = 0; E < ExtentSlots && Recipe.Formats.count(Recipe.Arguments[I].Name); ++E)
        if (std::string(ExtentNames[E]) + "(" + Recipe.Arguments[I].Name + ")" == Name)
          return GeometrySlots + Recipe.Arguments.size() + I * ExtentSlots + E;
    }
    return -1;
  };
  bool Ok = true;
  auto formula = [&](const std::string &Text) {
    std::optional<Formula> F = Formula::parse(Text, slotOf);
    Ok &= F.has_value();
    return F ? *F : Formula();
  };
  auto formulas = [&](const std::vector<std::string> &Texts) {
    std::vector<Formula> All;
    for (const std::string &T : Texts)
      All.push_back(formula(T));
    return All;
  };
  if (Parts.empty())
    Require = formulas(Recipe.Require);
  Part P;
  P.When = formula(L.When);
  P.Global = formulas(L.Global);
  P.Local = formulas(L.Local);
  P.Offset = formulas(L.Offset);
  for (const auto &[Name, Text] : L.LocalBytes) {
    size_t At = 0;
    while (At < Recipe.Arguments.size() && Recipe.Arguments[At].Name != Name)
      ++At;
    Ok &= At < Recipe.Arguments.size();
    P.LocalBytes.emplace_back(At, formula(Text));
  }
  const size_t Dimensions = P.Global.size();
  Ok &= Dimensions >= 1 && Dimensions <= 3;
  Ok &= P.Local.empty() || P.Local.size() == Dimensions;
  Ok &= P.Offset.empty() || P.Offset.size() == Dimensions;
  if (!Ok) {
    Why = "its manifest cannot be evaluated";
    return false;
  }
  cl_int Error = CL_SUCCESS;
  P.Kernel = Next->clCreateKernel(Program->Hidden, L.Kernel.c_str(), &Error);
  if (Error != CL_SUCCESS || !P.Kernel) {
    Why = "the rewritten program has no kernel " + L.Kernel;
    return false;
  }
  Parts.push_back(std::move(P));
  return true;
}

std::optional<ArgumentValue> InjectedKernel::exchanged(cl_uint Index,
                                                       const ArgumentValue &Value) const {
  const std::vector<std::string> &All = Recipe.AsBuffers;
  if (std::find(All.begin(), All.end(), Recipe.Arguments[Index].Name) == All.end())
    return Value;
  cl_mem Image = Value.memory(), Buffer = Image ? texelsOf(Image) : nullptr;
  if (!Buffer)
    return std::nullopt;
  ArgumentValue New = Value;
  std::memcpy(New.Bytes.data(), &Buffer, sizeof Buffer);
  return New;
}

bool InjectedKernel::setArgument(cl_uint Index, const ArgumentValue &Value) {
  const std::optional<ArgumentValue> New = exchanged(Index, Value);
  HasBuffer[Index] = New.has_value();
  const void *Data = New && New->K == ArgumentValue::Kind::Value ? New->Bytes.data() : nullptr;
  for (const Part &P : Parts)
    if (New && Next->clSetKernelArg(P.Kernel, Index, New->Size, Data) != CL_SUCCESS)
      return false;
  Known[Index] = true;
  HasLocalArguments |= Value.K == ArgumentValue::Kind::Local;
  const KernelRecipe::Argument &A = Recipe.Arguments[Index];
  Judged[Index] = setObject(Index, Value);
  if (!A.Bytes)
    return true;
  if (Value.Bytes.size() != A.Bytes || A.Bytes > sizeof(int64_t))
    return false;
  // Little-endian, as all targets are.
  uint64_t Bits = 0;
  std::memcpy(&Bits, Value.Bytes.data(), A.Bytes);
  const unsigned Unused = 64 - 8 * A.Bytes;
  auto Number = static_cast<int64_t>(Bits);
  if (A.Signed)
    Number = static_cast<int64_t>(Bits << Unused) >> Unused;
  else if (Unused == 0 && Number < 0)
    return false; // an unsigned 64-bit value that the manifest's arithmetic does not have
  Slots[GeometrySlots + Index] = Number;
  return true;
}

bool InjectedKernel::setObject(cl_uint Index, const ArgumentValue &Value) {
  const std::string &Name = Recipe.Arguments[Index].Name;
  if (auto It = Recipe.Samplers.find(Name); It != Recipe.Samplers.end()) {
    cl_sampler Handle = nullptr;
    SamplerInfo S;
    if (Value.Bytes.size() != sizeof Handle)
      return false;
    std::memcpy(&Handle, Value.Bytes.data(), sizeof Handle);
    return samplerInfo(Handle, S) &&
           std::find(It->second.begin(), It->second.end(), S) != It->second.end();
  }
  ImageInfo I;
  cl_mem Memory = Recipe.Arguments[Index].IsBuffer ? Value.memory() : nullptr;
  const bool IsImage = Memory && imageInfo(Memory, I);
  int64_t *Extents = &Slots[GeometrySlots + Recipe.Arguments.size() + Index * ExtentSlots];
  std::fill(Extents, Extents + ExtentSlots, 0);
  auto It = Recipe.Formats.find(Name);
  if (It == Recipe.Formats.end())
    return !IsImage;
  if (!IsImage)
    return false;
  std::copy(I.Extents, I.Extents + I.Dimensions, Extents);
  if (I.Dimensions > 1)
    Extents[ExtentSlots - 1] = I.Extents[I.Dimensions - 1];
  const std::vector<std::string> &All = It->second;
  return std::find(All.begin(), All.end(), formatName(I.Format)) != All.end();
}

bool InjectedKernel::readLimits(cl_device_id Device) {
  if (LimitsOf == Device)
    return true;
  bool Ok = Next->clGetDeviceInfo(Device, CL_DEVICE_MAX_WORK_ITEM_SIZES, sizeof MostSizes,
                                  MostSizes, nullptr) == CL_SUCCESS;
  Ok &= Next->clGetDeviceInfo(Device, CL_DEVICE_LOCAL_MEM_SIZE, sizeof LocalMemory, &LocalMemory,
                              nullptr) == CL_SUCCESS;
  for (Part &P : Parts) {
    Ok &= Next->clGetKernelWorkGroupInfo(P.Kernel, Device, CL_KERNEL_WORK_GROUP_SIZE,
                                         sizeof P.MostItems, &P.MostItems, nullptr) == CL_SUCCESS;
    Ok &= Next->clGetKernelWorkGroupInfo(P.Kernel, Device, CL_KERNEL_COMPILE_WORK_GROUP_SIZE,
                                         sizeof P.Required, P.Required, nullptr) == CL_SUCCESS;
  }
  if (Ok)
    LimitsOf = Device;
  return Ok;
}

bool InjectedKernel::resolvePart(const Part &P, ResolvedLaunch &Out, std::string &Why) const {
  Out.Kernel = P.Kernel;
  Out.Dimensions = P.Global.size();
  size_t Items = 1;
  unsigned Nulls = 0;
  for (unsigned D = 0; D < Out.Dimensions; ++D) {
    std::optional<int64_t> G = P.Global[D].evaluate(Slots);
    std::optional<int64_t> L = P.Local.empty() ? 0 : P.Local[D].evaluate(Slots);
    std::optional<int64_t> O = P.Offset.empty() ? 0 : P.Offset[D].evaluate(Slots);
    if (!G || !L || !O || *G < 1 || *L < 0 || *O < 0 || (*L && *G % *L)) {
      Why = "the manifest gives no valid launch";
      return false;
    }
    Out.Global[D] = *G;
    Out.Local[D] = *L;
    Out.Offset[D] = *O;
    Nulls += *L == 0;
    Items *= *L ? *L : 1;
    if (*L && static_cast<size_t>(*L) > MostSizes[D]) {
      Why = "the device does not allow the group size";
      return false;
    }
  }
  if (Nulls && Nulls != Out.Dimensions) {
    Why = "the manifest gives no valid launch";
    return false;
  }
  bool Fixed = P.Required[0] != 0;
  for (unsigned D = 0; Fixed && D < 3; ++D)
    Fixed = P.Required[D] == (D < Out.Dimensions ? Out.Local[D] : 1);
  if ((P.Required[0] != 0 && !Fixed) || Items > P.MostItems) {
    Why = "the device does not allow the group size";
    return false;
  }
  return true;
}

bool InjectedKernel::wasRecorded() {
  const std::vector<std::vector<int64_t>> &All = Recipe.Recorded;
  for (size_t I = 0; I < All.size(); ++I) {
    const size_t At = (LastRecorded + I) % All.size();
    if (All[At] == Slots) {
      LastRecorded = At;
      return true;
    }
  }
  return false;
}

std::vector<ResolvedLaunch> InjectedKernel::resolve(cl_command_queue Queue, cl_uint Dimensions,
                                                    const size_t *Offset, const size_t *Global,
                                                    const size_t *Local, std::string &Why) {
  cl_device_id Device = nullptr;
  Next->clGetCommandQueueInfo(Queue, CL_QUEUE_DEVICE, sizeof Device, &Device, nullptr);
  if (std::find(Program->Devices.begin(), Program->Devices.end(), Device) ==
          Program->Devices.end() ||
      !readLimits(Device)) {
    Why = "another device than was judged";
    return {};
  }
  for (unsigned D = 0; D < 3; ++D) {
    Slots[D] = D < Dimensions ? Global[D] : 1;
    Slots[3 + D] = !Local ? 0 : D < Dimensions ? Local[D] : 1;
    Slots[6 + D] = Offset && D < Dimensions ? Offset[D] : 0;
  }
  for (size_t I = 0; I < Known.size(); ++I)
    if (!Known[I]) {
      Why = "an argument is not set";
      return {};
    }
  if (std::find(Judged.begin(), Judged.end(), false) != Judged.end()) {
    Why = "an image format or a sampler that was not verified";
    return {};
  }
  if (std::find(HasBuffer.begin(), HasBuffer.end(), false) != HasBuffer.end()) {
    Why = "an image that could not be made from a buffer";
    return {};
  }
  for (const Formula &F : Require) {
    std::optional<int64_t> Holds = F.evaluate(Slots);
    if (!Holds || !*Holds) {
      Why = "a shape that was not verified";
      return {};
    }
  }
  if (!Recipe.Proved && !Set.AllowTested && !wasRecorded()) {
    Why = "a shape that was not recorded, and the rewrite is only tested";
    return {};
  }
  std::vector<ResolvedLaunch> All;
  for (size_t I = 0; I < Parts.size(); ++I) {
    const Part &P = Parts[I];
    std::optional<int64_t> When = P.When.evaluate(Slots);
    if (!When) {
      Why = "the manifest gives no valid launch";
      return {};
    }
    if (!*When)
      continue;
    ResolvedLaunch R;
    R.Index = I;
    if (!resolvePart(P, R, Why))
      return {};
    for (const auto &[Argument, Bytes] : P.LocalBytes) {
      std::optional<int64_t> N = Bytes.evaluate(Slots);
      if (!N || *N < 1 || Next->clSetKernelArg(P.Kernel, Argument, *N, nullptr) != CL_SUCCESS) {
        Why = "the manifest gives no valid launch";
        return {};
      }
    }
    All.push_back(R);
  }
  // The bytes of __local arguments are known when they are set.
  for (const ResolvedLaunch &R : All)
    if (HasLocalArguments) {
      cl_ulong Needs = 0;
      Next->clGetKernelWorkGroupInfo(R.Kernel, Device, CL_KERNEL_LOCAL_MEM_SIZE, sizeof Needs,
                                     &Needs, nullptr);
      if (Needs > LocalMemory) {
        Why = "the device has less local memory";
        return {};
      }
    }
  if (All.empty())
    Why = "the manifest has no launch for this shape";
  return All;
}

} // namespace clmali::layer
