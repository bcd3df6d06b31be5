//===- State.h - the objects of the program that the layer follows ----------------------------===//
//
// The layer lies between a program and its OpenCL library. It follows programs (their text and
// build options) and kernels (their arguments); the program keeps its own handles and all its
// answers.
//
// Nothing here is destroyed at exit: other threads of the program may still call OpenCL then.
//
//===------------------------------------------------------------------------------------------===//

#ifndef CLMALI_TOOLS_LAYER_STATE_H
#define CLMALI_TOOLS_LAYER_STATE_H

#include "tools/layer/Options.h"

#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl_layer.h>
#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <string>
#include <unordered_map>
#include <vector>

namespace clmali::layer {

/// The functions below the layer.
extern const cl_icd_dispatch *Next;

/// Settings, from the environment of clmali-record and clmali-inject. A program that gained rights
/// by its file's mode (set-uid) gets none of them.
struct Settings {
  std::string RecordFolder, Kernels = "*", Data = "sampled";
  std::string InjectFolder, Report;
  unsigned CheckEvery = 0;    ///< 0: never
  bool RequireProved = false; ///< inject only what is proved for every size
  bool AllowTested = false;   ///< inject what is only tested at every shape, not the recorded ones
  bool RefusesBinaries = false; ///< once each, those whose source is not known
  bool Log = false;
  bool records() const { return !RecordFolder.empty(); }
  bool injects() const { return !InjectFolder.empty(); }
};
extern Settings Set;

/// A line on stderr, if CLMALI_LOG is set.
void log(const char *Format, ...) __attribute__((format(printf, 1, 2)));

class InjectedProgram;
class InjectedKernel;

struct ProgramState {
  std::string Source;
  std::string Sha;               ///< of Source; empty: the program is not made of it alone
  std::string Identity;          ///< as Sha, of Source without random names
  std::string Origin = "source"; ///< "source", "binary", "il", "link", "compile"
  std::string Options;           ///< of the last build, as the program gave them
  cl_context Context = nullptr;
  std::atomic<unsigned> References{1};
  std::shared_ptr<InjectedProgram> Injected; ///< set by clBuildProgram
  /// The same source, built: it has the names of arguments where a linked program has none.
  std::shared_ptr<_cl_program> Built;
};

struct ArgumentValue {
  enum class Kind : uint8_t { Unset, Value, Local, Null, Svm };
  Kind K = Kind::Unset;
  size_t Size = 0;
  std::vector<unsigned char> Bytes;
  /// The handle, for an argument that may be a memory object.
  cl_mem memory() const;
};

struct ArgumentInfo {
  std::string Name, Type;
  cl_uint Address = 0, Access = 0;
  cl_ulong Qualifier = 0;
  bool isPointer() const { return Address != CL_KERNEL_ARG_ADDRESS_PRIVATE; }
  bool isImage() const {
    return (Access != 0 && Access != CL_KERNEL_ARG_ACCESS_NONE) || Type.find("image") == 0;
  }
  bool isSampler() const { return Type == "sampler_t"; }
  bool isConst() const {
    if (isImage())
      return Access == CL_KERNEL_ARG_ACCESS_READ_ONLY;
    return Address == CL_KERNEL_ARG_ADDRESS_CONSTANT || (Qualifier & CL_KERNEL_ARG_TYPE_CONST);
  }
};

struct KernelState {
  std::string Name;
  std::shared_ptr<ProgramState> Program; ///< null: not followed
  std::mutex Lock;                       ///< of what follows
  std::vector<ArgumentValue> Arguments;
  std::vector<ArgumentInfo> Infos;
  bool InfosKnown = false; ///< the implementation gave the names of all arguments
  std::string Left;        ///< why its launches stay as they are, or are not recorded; empty: none
  std::shared_ptr<InjectedKernel> Injected;
  std::atomic<unsigned> References{1};
};

/// Handles and their states.
template <typename Handle, typename State> class HandleMap {
public:
  std::shared_ptr<State> find(Handle H) const {
    std::shared_lock<std::shared_mutex> Guard(Lock);
    auto It = All.find(H);
    return It == All.end() ? nullptr : It->second;
  }
  void add(Handle H, std::shared_ptr<State> S) {
    std::unique_lock<std::shared_mutex> Guard(Lock);
    All[H] = std::move(S);
  }
  void retain(Handle H) {
    if (std::shared_ptr<State> S = find(H))
      ++S->References;
  }
  /// To be called before the handle is released below: its address may be used again after that.
  std::shared_ptr<State> release(Handle H) {
    std::unique_lock<std::shared_mutex> Guard(Lock);
    auto It = All.find(H);
    if (It == All.end() || --It->second->References != 0)
      return nullptr;
    std::shared_ptr<State> S = std::move(It->second);
    All.erase(It);
    return S;
  }

private:
  mutable std::shared_mutex Lock;
  std::unordered_map<Handle, std::shared_ptr<State>> All;
};

HandleMap<cl_program, ProgramState> &programs();
HandleMap<cl_kernel, KernelState> &kernels();

/// The functions that follow programs and kernels.
void installObjects(cl_icd_dispatch &Table);
/// The functions that see launches.
void installLaunches(cl_icd_dispatch &Table);

} // namespace clmali::layer

#endif
