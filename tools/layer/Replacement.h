//===- Replacement.h - rewritten programs on disk and in the implementation -------------------===//
//
// inject.json, which clmali-rewrite --recording writes, lists for each program text and options:
// the rewritten source, the manifest, the verdict (each with its hash), the device that it was
// judged on, the included files, and the arguments of each kernel.
//
//===------------------------------------------------------------------------------------------===//

#ifndef CLMALI_TOOLS_LAYER_REPLACEMENT_H
#define CLMALI_TOOLS_LAYER_REPLACEMENT_H

#include "tools/layer/Copy.h"
#include "tools/layer/Formula.h"
#include "tools/layer/State.h"
#include <optional>

namespace clmali::layer {

/// A launch of the manifest, as text.
struct LaunchRecipe {
  std::string Kernel, When = "1";
  std::vector<std::string> Global, Local, Offset; ///< Local is empty for NULL
  std::map<std::string, std::string> LocalBytes;
};

/// Slots before those of the arguments: gx, gy, gz, lx .. oz.
constexpr unsigned GeometrySlots = 9;
/// What expressions may ask of an image: width, height, depth, layers. Behind the slots of the
/// arguments there are so many for each of them.
constexpr const char *ExtentNames[] = {"width", "height", "depth", "layers"};
constexpr unsigned ExtentSlots = 4;

/// A kernel of the manifest.
struct KernelRecipe {
  std::string Original;
  std::vector<LaunchRecipe> Launches;
  std::vector<std::string> Require;
  struct Argument {
    std::string Name;
    unsigned Bytes = 0; ///< of an integer scalar; 0: another argument
    bool Signed = false;
    bool IsBuffer = false; ///< or an image
    bool Written = false;
  };
  std::vector<Argument> Arguments;
  /// Formats of images and samplers that the rewrite was judged with, by argument.
  std::map<std::string, std::vector<std::string>> Formats;
  std::map<std::string, std::vector<SamplerInfo>> Samplers;
  /// Images in whose place the rewritten kernels take a buffer: see Exchange.h.
  std::vector<std::string> AsBuffers;
  bool Exact = true;   ///< the results must be equal to the bit
  bool Proved = false; ///< for every size; else it is only tested
  /// The recorded launches, as InjectedKernel::Slots.
  std::vector<std::vector<int64_t>> Recorded;

  /// Of all kernel objects of the program that are replaced by it.
  struct Shared {
    std::atomic<uint64_t> Launches{0};
    std::atomic<bool> Failed{false}; ///< a check found another result
  };
  std::shared_ptr<Shared> State = std::make_shared<Shared>();
};

/// One entry of inject.json.
struct ProgramRecipe {
  std::string SourceSha;
  std::string Identity; ///< of the source, without random names
  std::vector<std::string> Options;
  std::string Rewritten; ///< source
  std::string Platform, Device, Driver;
  std::vector<std::pair<std::string, std::string>> Includes; ///< path, hash
  std::vector<KernelRecipe> Kernels;
};

/// Reads inject.json of the folder. \p Problem gets a line for each entry that is left out.
std::vector<ProgramRecipe> readRecipes(const std::string &Folder,
                                       std::vector<std::string> &Problems);

/// The rewritten program, built for the devices.
class InjectedProgram {
public:
  InjectedProgram(cl_program Hidden, const ProgramRecipe &Recipe, std::vector<cl_device_id> Devices)
      : Hidden(Hidden), Recipe(Recipe), Devices(std::move(Devices)) {}
  ~InjectedProgram() { Next->clReleaseProgram(Hidden); }
  InjectedProgram(const InjectedProgram &) = delete;
  InjectedProgram &operator=(const InjectedProgram &) = delete;

  const cl_program Hidden;
  const ProgramRecipe &Recipe;
  const std::vector<cl_device_id> Devices; ///< those that the program was judged on
};

/// One launch in numbers.
struct ResolvedLaunch {
  unsigned Index = 0; ///< of the recipe's launch
  cl_kernel Kernel = nullptr;
  cl_uint Dimensions = 1;
  size_t Global[3] = {1, 1, 1}, Local[3] = {0, 0, 0}, Offset[3] = {0, 0, 0};
  const size_t *local() const { return Local[0] ? Local : nullptr; }
};

/// The kernels that replace one kernel of the program, with its arguments.
class InjectedKernel {
public:
  /// Null, and why: the recipe cannot be used.
  static std::shared_ptr<InjectedKernel> make(std::shared_ptr<InjectedProgram> Program,
                                              const KernelRecipe &Recipe, cl_uint ArgumentCount,
                                              std::string &Why);
  ~InjectedKernel();

  /// False: the argument was refused.
  bool setArgument(cl_uint Index, const ArgumentValue &Value);
  /// The launches for one of the original. Empty, and why: the original must run.
  std::vector<ResolvedLaunch> resolve(cl_command_queue Queue, cl_uint Dimensions,
                                      const size_t *Offset, const size_t *Global,
                                      const size_t *Local, std::string &Why);

  const std::shared_ptr<InjectedProgram> Program;
  const KernelRecipe &Recipe;
  std::string Broken;           ///< why it is not used any more; empty: it is
  cl_kernel Original = nullptr; ///< for --check: the original with other arguments

private:
  struct Part {
    cl_kernel Kernel = nullptr;
    Formula When;
    std::vector<Formula> Global, Local, Offset;
    std::vector<std::pair<cl_uint, Formula>> LocalBytes;
    // Limits on the device.
    size_t MostItems = 0, Required[3] = {0, 0, 0};
  };
  InjectedKernel(std::shared_ptr<InjectedProgram> Program, const KernelRecipe &Recipe)
      : Program(std::move(Program)), Recipe(Recipe) {}
  bool addPart(const LaunchRecipe &L, std::string &Why);
  bool readLimits(cl_device_id Device);
  /// The launch in Slots is one of the recorded ones.
  bool wasRecorded();
  bool resolvePart(const Part &P, ResolvedLaunch &Out, std::string &Why) const;

  std::vector<Formula> Require;
  std::vector<Part> Parts;
  /// Value, or the buffer of its image where the rewritten kernels take one. Nothing: it has none.
  std::optional<ArgumentValue> exchanged(cl_uint Index, const ArgumentValue &Value) const;
  /// An image of a format, or a sampler, with which the rewrite was judged; keeps its extents.
  bool setObject(cl_uint Index, const ArgumentValue &Value);

  /// gx .. oz, then the arguments, then ExtentSlots for each argument: 0 where it has none.
  std::vector<int64_t> Slots;
  std::vector<bool> Known; ///< the argument was set
  std::vector<bool>
      Judged; ///< as an image of a format, or a sampler, that the rewrite was judged with
  std::vector<bool> HasBuffer; ///< nothing, or the buffer of an image, was exchanged for it
  size_t LastRecorded = 0;     ///< the recorded launch that was met last
  cl_device_id LimitsOf = nullptr;
  size_t MostSizes[3] = {0, 0, 0};
  cl_ulong LocalMemory = 0;
  bool HasLocalArguments = false;
};

} // namespace clmali::layer

#endif
