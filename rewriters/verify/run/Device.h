// One OpenCL device, inside a child process: build, look at kernels, run them
// over buffers that notice who strays.
#ifndef CLMALI_REWRITERS_VERIFY_RUN_DEVICE_H
#define CLMALI_REWRITERS_VERIFY_RUN_DEVICE_H

#include "rewriters/launch/LaunchFile.h"
#include "rewriters/launch/Manifest.h"
#include "rewriters/verify/Judge.h"
#include "rewriters/verify/cases/Element.h"
#include "rewriters/verify/run/Child.h"
#include "rewriters/verify/run/OpenCL.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"

#include <map>
#include <string>
#include <vector>

namespace clmali::verify {

struct Parameter {
  enum class Space { Global, Constant, Local, Private, Image, Other };
  std::string Name;
  std::string TypeName;
  Space Where = Space::Private;
  bool IsPointer = false;
  /// Of the pointee for pointers, of the value for scalars.
  ElementType Type;
};

struct KernelShape {
  std::string Name;
  std::vector<Parameter> Params;
  /// reqd_work_group_size; zeros where there is none.
  std::array<uint64_t, 3> RequiredLocal{0, 0, 0};
  uint64_t MostItems = 0; ///< that fit one work-group, on this device
};

/// A value for each argument of a kernel.
struct ArgumentValue {
  enum class Kind { Scalar, Buffer, Local, Alias };
  Kind K = Kind::Scalar;
  Bytes Data;              ///< Scalar: its bytes; Buffer: its contents
  uint64_t LocalBytes = 0; ///< Local
  unsigned SameAs = 0;     ///< Alias: index of the buffer that is passed again
};

/// How buffers lie in memory.
enum class Placement {
  Exact,     ///< a buffer of its own, of exactly the size
  Guarded,   ///< between two zones of poison, which begin at its very ends
  PagesEnd,  ///< ends where a protected page begins (CPU devices)
  PagesStart ///< begins where a protected page ends
};

struct Surroundings {
  Placement Where = Placement::Exact;
  uint8_t Poison = 0x7f;
  /// PagesEnd: keep the start aligned as a device would, at the cost of up to
  /// 127 bytes of poison between the end and the page.
  bool AlignStart = false;
};

/// A guard byte that was overwritten.
struct Stray {
  unsigned Argument = 0;
  int64_t Offset = 0; ///< from the buffer's begin; below 0, or its size and up
};

struct RunResult {
  std::vector<Bytes> Buffers; ///< by argument; empty where it is no buffer
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
  /// \p Source and \p Options are needed to ask the compiler about typedefs.
  llvm::Expected<KernelShape> shapeOf(cl_kernel Kernel, const std::string &Source,
                                      const std::string &Options);
  uint64_t mostItems(cl_kernel Kernel) const;

  llvm::Expected<RunResult> run(llvm::ArrayRef<Step> Steps, llvm::ArrayRef<ArgumentValue> Values,
                                const Surroundings &Around);

  /// Milliseconds of each of \p Runs runs over the same buffers: a buffer's first
  /// use moves it to the device, which is no part of a kernel's time. What a
  /// kernel may have written is put back before each run, unmeasured. The
  /// buffers after the last run go to \p Last.
  llvm::Expected<std::vector<double>> time(llvm::ArrayRef<Step> Steps,
                                           llvm::ArrayRef<ArgumentValue> Values, unsigned Runs,
                                           RunResult &Last, llvm::function_ref<void()> Alive);

  /// Protected zones of the buffers of the run that is under way.
  std::vector<FaultZone> Zones;

private:
  Device() = default;
  struct Memory;
  void askFields(ElementType &T, const std::string &TypeName, const std::string &Source,
                 const std::string &Options);
  llvm::Expected<ElementType> askCompiler(const std::string &TypeName, const std::string &Source,
                                          const std::string &Options);
  llvm::Expected<Memory> allocate(const Bytes &Data, const Surroundings &Around, unsigned Argument);
  llvm::Error readBack(const Memory &M, size_t Size, unsigned Argument, const Surroundings &Around,
                       RunResult &Into);
  void release(Memory &M);
  llvm::Error enqueue(const Step &S, llvm::ArrayRef<ArgumentValue> Values,
                      llvm::ArrayRef<Memory> Memories, double &Milliseconds);

  Api Cl;
  DeviceInfo Info;
  cl_device_id Id = nullptr;
  cl_context Context = nullptr;
  cl_command_queue Queue = nullptr;
};

/// In a child: every device of every platform.
llvm::Expected<std::vector<DeviceInfo>> enumerateDevices(const Api &Cl);

} // namespace clmali::verify

#endif
