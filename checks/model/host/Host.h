//===-- checks/model/host/Host.h - The host program ------------------*- C++ -*-===//
//
// What it is: the OpenCL calls of a C or C++ translation unit, in a flat form
// that rules can ask: which call, with which arguments, in which function,
// inside a loop or not; the launches with their sizes where these can be
// evaluated; and the kernels that stand in string literals.
//
//   before (C)                              after (this form)
//   size_t g[1] = {1009};                   HostLaunch{ Kernel "scale",
//   clEnqueueNDRangeKernel(q, k, 1, NULL,     Dims 1, Global {1009},
//                          g, NULL, ...);     LocalIsNull, Range ... }
//
// A launch in a function that gets kernel or sizes as parameters is one launch for
// each call of that function. A size that the command line may change is the default.
//
// Limits: one translation unit at a time, but for loops around calls of its functions, of
// which the outlines of other files tell (CallSummary.h). A value that cannot be evaluated is
// left out, never guessed. This header includes no Clang.
//
//===----------------------------------------------------------------------===//

#ifndef CLMALI_CHECKS_MODEL_HOST_HOST_H
#define CLMALI_CHECKS_MODEL_HOST_HOST_H

#include "checks/model/frontend/Frontend.h"
#include "checks/model/host/summary/CallSummary.h"
#include "checks/model/ir/Model.h"
#include "llvm/Support/Error.h"
#include <array>
#include <optional>
#include <string>
#include <vector>

namespace clang {
class ASTContext;
}

namespace clmali::model {

/// One argument of an API call.
struct HostArgument {
  SourceRange Range;
  std::string Text;                  ///< as written
  std::optional<int64_t> Value;      ///< where it is an integer known without running
  std::optional<std::string> String; ///< where it is a string known without running
  /// The same with '\1' for numbers that are known only at run time; no value: other text may be in
  /// it.
  std::optional<std::string> Options;
  std::string Type; ///< as the program names it
  bool IsNull = false;
  std::vector<std::string>
      Macros; ///< macros that were expanded in it, constants and variables followed
  bool FromCallers =
      false; ///< a parameter of the function around the call: the macros are its callers'
  /// Where the macro is spelled that gave a flag, for fixes: valid only in this file.
  std::vector<std::pair<std::string, SourceRange>> MacroPlaces;
};

/// What it takes to copy through a mapping in place of a transfer (Mapping.h). All places lie in
/// the main file.
struct HostMapping {
  bool Writes = false;
  bool IsMethod = false;       ///< of cl::CommandQueue
  bool QueueIsPointer = false; ///< queue->enqueueReadBuffer
  bool StartsToWait = false;   ///< the transfer does not wait, a map does
  SourceRange
      Head; ///< up to the first argument: `clEnqueueReadBuffer(`, `queue.enqueueReadBuffer(`
  SourceRange Queue; ///< of a method: the object
  SourceRange Waits; ///< the blocking flag and its comma
  struct Flag {
    SourceRange Range; ///< the flags of a call that makes the buffer
    enum Action : uint8_t {
      Add,      ///< CL_MEM_ALLOC_HOST_PTR is to be added
      Replace,  ///< they are 0
      OverHost, ///< they say CL_MEM_USE_HOST_PTR, and need not
    } Does;
  };
  std::vector<Flag> Flags;
};

/// Where a file has room for functions that copy through mappings.
struct HostMappingRoom {
  SourceRange Functions;              ///< empty, in front of a declaration
  std::optional<SourceRange> Include; ///< empty: where <string.h> is to be included, if it is not
  bool Invalidates = false;           ///< CL_MAP_WRITE_INVALIDATE_REGION is declared
  bool HasRead = false, HasWrite = false; ///< these functions are there
  bool UserEvents = false;                ///< the file makes events that the host itself ends
};

struct HostCall {
  std::string Name; ///< "clCreateBuffer", "cl::Buffer::Buffer"
  std::vector<HostArgument> Args;
  std::string Function;    ///< the function it stands in
  uint32_t FunctionAt = 0; ///< where that begins: several have one name
  bool InLoop = false;  ///< also where its function is called in a loop: then LoopSite says where
  SourceRange LoopSite; ///< that call; not valid where the call itself stands in the loop
  /// Each turn of the loop has another object (`queues[i]`, `buffers[i] = `), and the loop gives
  /// the GPU no work: it sets up or ends something, once for each.
  bool OncePerItem = false;
  bool Blocking = false;                                        ///< a transfer that waits (CL_TRUE)
  enum Origin : uint8_t { Other, Source, Binary } From = Other; ///< what a program is made of
  /// A buffer made over a local variable's memory that is, from then on, only freed or given to
  /// transfers.
  bool PointerDone = false;
  bool MakesKernel = false;  ///< of a function of the program that returns a kernel that it makes
  bool MakesProgram = false; ///< of a function of another file: loadProgram(context, "scale.cl")
  bool Waits =
      false; ///< of a function of another file that is given an event and says that it waits
  /// Nobody in the file calls its function, which works for who does: `program = ..` in
  /// `apply(queue, image)`.
  bool AtEachCall = false;
  SourceRange LaunchSite; ///< of a kernel that is made: a later call of this function, by which
                          ///< kernels are launched
  std::optional<HostMapping> Mapping; ///< of a transfer that could be a map
  SourceRange Range;                  ///< the whole call
  SourceRange NameRange;              ///< what to point at
  bool IsCpp = false;
  bool Idle = false; ///< of a header, and nothing that the main file does comes to it
  /// What a join with other files starts from; what it tells stands above (applyCrossFileFacts).
  struct {
    uint32_t Function = ~0u;                  ///< of the outline
    bool InLoop = false, OncePerItem = false; ///< in its own function
    bool Climbs = false;                      ///< who runs its function matters
    bool SettingUp = false;                   ///< it makes a buffer, program or kernel
    bool OnlyQueue = false;  ///< its function makes a queue, which may be one for each device
    bool WorksAlone = false; ///< AtEachCall, as far as the file shows
    HostName Callee;         ///< of MakesProgram and Waits
  } Outside;
};

/// A kernel argument that the host sets.
struct HostKernelArg {
  enum Kind : uint8_t {
    Unknown,
    Integer, ///< a built-in integer of Size bytes
    Float,   ///< float or double
    Memory,  ///< cl_mem, cl::Buffer, cl::Image2D
    Local,   ///< a null pointer and a size, cl::Local
  };
  /// What Memory is, where the program shows how it is made.
  enum Object : uint8_t {
    AnyMemory,
    Buffer,
    Image1D,
    Image1DBuffer,
    Image1DArray,
    Image2D,
    Image2DArray,
    Image3D,
    Pipe,
    Sampler
  };
  unsigned Index = 0;
  std::optional<uint64_t> Size; ///< bytes, where known without running
  Kind K = Unknown;
  Object Holds = AnyMemory;
  unsigned MadeBy = 0; ///< tells apart, within a file, the calls that make buffers of their own
                       ///< memory; 0: not known
  std::string Type;    ///< of the value, as the host names it; "" where not known
  std::optional<uint64_t> ValueSize; ///< bytes of the variable whose address is given
  SourceRange Range;                 ///< the call that sets it, or the argument of a functor
  std::string File;                  ///< of Range
};

struct HostLaunch {
  std::string Kernel; ///< the kernel's name where the program shows it, else empty
  unsigned Dims = 0;  ///< 0: not known
  std::array<std::optional<uint64_t>, 3> Global, Local;
  /// Of a size that is one of several numbers, the largest.
  std::array<std::optional<uint64_t>, 3> GlobalAtMost, LocalAtMost;
  std::array<SourceRange, 3> GlobalRange, LocalRange;   ///< where each size is written
  bool LocalIsNull = false;                             ///< the runtime chooses
  bool OneGroup = false;                                ///< the global size is the local one
  bool GlobalByDefault = false, LocalByDefault = false; ///< the command line may say otherwise
  bool InLoop = false;
  SourceRange Range; ///< the call of the API
  SourceRange Site; ///< the call of the function around it that gives these sizes; may be not valid
  std::string File; ///< of Range, for notes of other files
  unsigned Line = 0;
  std::vector<HostKernelArg> Args; ///< what is set on this kernel anywhere in the file
  /// Nobody else can set one: the kernel is a local variable, only the API gets it, and every index
  /// is known.
  bool ArgsComplete = false;
};

/// OpenCL C in a string literal, or in several that the program joins.
struct EmbeddedKernel {
  std::string Source;
  SourceRange Range; ///< the literal, of several the first
  /// Offset in the file of Range of byte i of Source; exact for raw, concatenated, escaped and
  /// stringified literals. Empty: of several files, no exact place.
  std::vector<uint32_t> Offsets;
  bool IsGuessed = false; ///< parts of it are known only at run time, and have names in their place
};

struct HostModule {
  std::vector<SourceFile> Files; ///< [0] is the main file
  std::vector<HostCall> Calls;   ///< source order
  std::vector<HostLaunch> Launches;
  std::vector<EmbeddedKernel> Kernels;
  std::vector<uint32_t>
      LiteralsSeen; ///< where tokens of literals begin that look like kernels, in the main file
  /// Option strings given to clBuildProgram; what is known only at run time in them is '\1'.
  std::vector<std::string> BuildOptions;
  std::optional<HostMappingRoom> MappingRoom; ///< where a call has a Mapping
  std::vector<std::string> KernelFiles;       ///< string literals that name a .cl file
  bool HasOpenCL = false;                     ///< it includes CL headers or calls the API
  bool HasHeaders = false;                    ///< the API is declared, not only called
  CallSummary Summary;
  bool LoadsBinariesElsewhere =
      false; ///< another file of the same program makes programs of binaries
  bool AsksForUnityElsewhere = false; ///< and asks whether memory is unified
};

/// Lifts the host calls of Ctx. Never fails.
std::unique_ptr<HostModule> liftHost(clang::ASTContext &Ctx);

struct HostParse {
  std::unique_ptr<HostModule> M; ///< null when nothing could be parsed
  std::vector<ParseDiagnostic> Diagnostics;
};

/// Parses FileName with a compiler's command line (without the compiler's name
/// and the file). Never prints.
HostParse parseHost(llvm::StringRef FileName, llvm::StringRef Text,
                    const std::vector<std::string> &Args);

} // namespace clmali::model

#endif
