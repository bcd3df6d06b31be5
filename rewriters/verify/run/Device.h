// One OpenCL device, inside a child process: builds programs, describes kernels, and runs them on
// buffers that detect accesses outside them.
#ifndef CLMALI_REWRITERS_VERIFY_RUN_DEVICE_H
#define CLMALI_REWRITERS_VERIFY_RUN_DEVICE_H

#include "rewriters/launch/LaunchFile.h"
#include "rewriters/launch/Manifest.h"
#include "rewriters/verify/Judge.h"
#include "rewriters/verify/cases/Kernel.h"
#include "rewriters/verify/run/Child.h"
#include "rewriters/verify/run/ImageAccess.h"
#include "rewriters/verify/run/OpenCL.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"

#include <map>
#include <string>
#include <tuple>
#include <vector>

namespace clmali::verify {

/// How buffers lie in memory.
enum class Placement {
  Exact,     ///< a buffer of its own, of exactly the size
  Guarded,   ///< between two zones of poison, without a gap
  PagesEnd,  ///< the end lies at the start of a protected page (CPU devices)
  PagesStart ///< the start lies at the end of a protected page
};

/// Fillings of memory outside the buffers. A result that uses them changes with the filling: as a
/// float one is huge and positive, the other large and negative; as a byte they are 127 and 206.
inline constexpr uint8_t FirstPoison = 0x7f;
inline constexpr uint8_t SecondPoison = 0xce;

struct Surroundings {
  Placement Where = Placement::Exact;
  uint8_t Poison = FirstPoison;
  /// PagesEnd: align the start as a device would. Up to 127 bytes of poison then lie between the
  /// end and the page.
  bool AlignStart = false;
  /// What reads outside an image give by a sampler of address mode NONE changes with the poison
  /// too.
  NoneBecomes none() const {
    return Poison == FirstPoison ? NoneBecomes::Clamp : NoneBecomes::ClampToEdge;
  }
};

/// A guard byte that was overwritten.
struct Stray {
  unsigned Argument = 0;
  int64_t Offset = 0; ///< from the buffer's begin; below 0, or its size and up
};

struct RunResult {
  std::vector<Bytes> Buffers; ///< by argument, images too; empty where it is neither
  std::vector<Stray> Strays;
  double Milliseconds = 0; ///< of the kernels, by the device's own clock
};

/// One launch of one kernel, ready to run.
struct Step {
  cl_kernel Kernel = nullptr;
  launch::Geometry Shape;
  std::map<unsigned, uint64_t> LocalBytes; ///< that differ from the values
};

struct DeviceChoice {
  std::string Library; ///< empty: the system's loader
  std::string Wanted;  ///< part of the platform's or device's name
};

class Device {
public:
  static llvm::Expected<Device> open(const DeviceChoice &Choice);

  const DeviceInfo &info() const { return Info; }

  /// The error holds the compiler's log.
  llvm::Expected<cl_program> build(const std::string &Source, const std::string &Options);
  llvm::Expected<cl_kernel> kernel(cl_program Program, const std::string &Name);
  /// \p Source and \p Options: to compile a question about a typedef or struct.
  llvm::Expected<KernelShape> shapeOf(cl_kernel Kernel, const std::string &Source,
                                      const std::string &Options);
  uint64_t mostItems(cl_kernel Kernel) const;

  /// True if a read outside an image of \p Format by address mode CLAMP gives alpha 1.
  llvm::Expected<bool> hasOpaqueBorder(const std::string &Format);

  llvm::Expected<RunResult> run(llvm::ArrayRef<Step> Steps, llvm::ArrayRef<ArgumentValue> Values,
                                const Surroundings &Around);

  /// Milliseconds of each of \p Runs runs over the same buffers, after one run that moves the
  /// buffers to the device. Buffers that the kernel writes are restored before each run; that
  /// time does not count. The buffers after the last run go to \p Last.
  llvm::Expected<std::vector<double>> time(llvm::ArrayRef<Step> Steps,
                                           llvm::ArrayRef<ArgumentValue> Values, unsigned Runs,
                                           RunResult &Last, llvm::function_ref<void()> Alive);

  /// Protected zones of the buffers of the run that is under way.
  std::vector<FaultZone> Zones;

private:
  Device() = default;
  struct Memory;
  llvm::Expected<Parameter> parameterOf(cl_kernel Kernel, cl_uint Index, const std::string &Source,
                                        const std::string &Options);
  void askFields(ElementType &T, const std::string &TypeName, const std::string &Source,
                 const std::string &Options);
  llvm::Expected<ElementType> askCompiler(const std::string &TypeName, const std::string &Source,
                                          const std::string &Options);
  llvm::Expected<Memory> allocate(const ArgumentValue &V, const Surroundings &Around,
                                  unsigned Argument);
  llvm::Expected<Memory> allocateBuffer(const Bytes &Data, const Surroundings &Around,
                                        unsigned Argument);
  llvm::Expected<Memory> allocateImage(const ArgumentValue &V);
  llvm::Expected<cl_image_format> formatFor(const ArgumentValue &V);
  llvm::Expected<cl_sampler> samplerFor(const launch::SamplerSpec &S, NoneBecomes None);
  /// Fills a buffer or image with \p Data.
  cl_int write(const Memory &M, const Bytes &Data);
  llvm::Expected<Memory> allocatePages(const Bytes &Data, const Surroundings &Around,
                                       unsigned Argument);
  llvm::Error readBack(const Memory &M, size_t Size, unsigned Argument, const Surroundings &Around,
                       RunResult &Into);
  void release(Memory &M);
  llvm::Error readImage(const Memory &M, Bytes &Into);
  static size_t bytesOnDevice(const Memory &M);
  llvm::Error setArguments(const Step &S, llvm::ArrayRef<ArgumentValue> Values,
                           llvm::ArrayRef<Memory> Memories, NoneBecomes None);
  llvm::Error enqueue(const Step &S, double &Milliseconds);

  Api Cl;
  DeviceInfo Info;
  cl_device_id Id = nullptr;
  cl_context Context = nullptr;
  cl_command_queue Queue = nullptr;
  /// By coordinates, address mode and filter.
  std::map<std::tuple<bool, cl_addressing_mode, bool>, cl_sampler> Samplers;
};

/// In a child: every device of every platform.
llvm::Expected<std::vector<DeviceInfo>> enumerateDevices(const Api &Cl);

} // namespace clmali::verify

#endif
