//===-- checks/model/host/Host.h - The host program ------------------*- C++ -*-===//
//
// The OpenCL calls of a C or C++ translation unit in a flat form: the call, its arguments, its
// function, and whether it is in a loop; the launches with their sizes, as far as these can be
// evaluated; and the kernels in string literals.
//
//   before (C)                              after (this form)
//   size_t g[1] = {1009};                   HostLaunch{ Kernel "scale",
//   clEnqueueNDRangeKernel(q, k, 1, NULL,     Dims 1, Global {1009},
//                          g, NULL, ...);     LocalIsNull, Range ... }
//
// A launch in a function that has kernel or sizes as parameters becomes one launch for each call of
// that function. A size that the command line may change has its default value.
//
// Limits: one translation unit at a time, except for loops around calls of its functions, which
// the summaries of other files show (CallSummary.h). A value that cannot be evaluated is left out,
// never guessed. This header includes no Clang.
//
//===----------------------------------------------------------------------===//

#ifndef CLMALI_CHECKS_MODEL_HOST_HOST_H
#define CLMALI_CHECKS_MODEL_HOST_HOST_H

#include "checks/model/frontend/Frontend.h"
#include "checks/model/host/GlEffect.h"
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
  /// The same with '\1' for numbers that are known only at run time; no value: it may contain other
  /// text.
  std::optional<std::string> Options;
  std::string Type; ///< as the program spells it
  bool IsNull = false;
  std::vector<std::string>
      Macros; ///< macros that were expanded in it, constants and variables followed
  bool FromCallers =
      false; ///< a parameter of the function around the call: the macros are its callers'
  /// The macros of flags with their ranges in the main file, for fixes.
  std::vector<std::pair<std::string, SourceRange>> MacroPlaces;
};

/// What a fix needs to copy through a mapping instead of a transfer (Mapping.h). All ranges are in
/// the main file.
struct HostMapping {
  bool Writes = false;
  bool IsMethod = false;       ///< of cl::CommandQueue
  bool QueueIsPointer = false; ///< queue->enqueueReadBuffer
  bool StartsToWait = false;   ///< the transfer does not block, a map does
  SourceRange
      Head; ///< up to the first argument: `clEnqueueReadBuffer(`, `queue.enqueueReadBuffer(`
  SourceRange Queue; ///< of a method: the object
  SourceRange Waits; ///< the blocking flag and its comma
  struct Flag {
    SourceRange Range; ///< the flags of a call that makes the buffer
    enum Action : uint8_t {
      Add,      ///< add CL_MEM_ALLOC_HOST_PTR
      Replace,  ///< they are 0: replace them
      OverHost, ///< CL_MEM_USE_HOST_PTR, which the program does not need
    } Does;
  };
  std::vector<Flag> Flags;
};

/// Where a fix may insert functions that copy through mappings.
struct HostMappingRoom {
  SourceRange Functions;                  ///< empty, before a declaration
  std::optional<SourceRange> Include;     ///< where to include <string.h>, unless it is included
  bool Invalidates = false;               ///< CL_MAP_WRITE_INVALIDATE_REGION is declared
  bool HasRead = false, HasWrite = false; ///< these functions exist
  bool UserEvents = false;                ///< the host completes events itself
};

/// A buffer over memory of the host that a loop makes and releases in each iteration. It can be
/// made once, before the loop, and be mapped while the host fills it (LoopBuffers.h). All ranges
/// are in the main file.
struct HostLoopBuffer {
  SourceRange Loop, FirstUse;         ///< the loop; its first statement that uses the pointer
  SourceRange Creation, Release;      ///< statements of the loop's body
  SourceRange Context, Flags, Size;   ///< arguments of clCreateBuffer
  SourceRange Status;                 ///< its last argument, `&error`; not valid: a null pointer
  std::string Buffer, Pointer, Queue; ///< names of variables
  std::string Type, TypedPointer;     ///< "unsigned char *", "unsigned char *frame"
  bool Declares = false;              ///< Creation declares the buffer's variable
};

struct HostCall {
  std::string Name; ///< "clCreateBuffer", "cl::Buffer::Buffer"
  std::vector<HostArgument> Args;
  std::string Function;    ///< the function around it
  uint32_t FunctionAt = 0; ///< its offset: several may have one name
  /// In a loop, or in a function that is called in one, at LoopSite.
  bool InLoop = false;
  SourceRange LoopSite; ///< not valid where the call itself is in the loop
  unsigned Trips = 0;   ///< iterations of the loops around it in its function; 0: not known
  /// Each iteration has another object (`queues[i]`, `buffers[i] = `), and the loop enqueues no
  /// work: it sets up or releases something for each item.
  bool OncePerItem = false;
  /// Of a call of OpenGL or EGL (RenderPasses.h); bits of GlEffect.
  struct {
    uint8_t Loop = 0;            ///< what the loops around it do in each iteration
    uint8_t Around = 0;          ///< what is done around it, in those loops or not
    bool DrawsUncleared = false; ///< selects a framebuffer that is drawn to without a clear
    bool HostMemory = false;     ///< its last argument is certainly memory of the host
    bool SizeVaries = false;     ///< of a texture: differs from one iteration to the next
  } Gl;
  bool Blocking = false; ///< a transfer that waits (CL_TRUE)
  /// A transfer or map of a buffer, and all calls that make it have a flag that forbids the host
  /// this access, such as CL_MEM_HOST_NO_ACCESS.
  bool Forbidden = false;
  enum Origin : uint8_t { Other, Source, Binary } From = Other; ///< what a program is made of
  /// A buffer over the memory of a local variable that is afterwards only freed, or an argument of
  /// transfers.
  bool PointerDone = false;
  /// Of a mapping of an image: the memory is walked, and the row pitch that it returns is not read.
  bool PitchIgnored = false;
  /// Of a call that makes a buffer: it is released in the function that makes it.
  bool ReleasedHere = false;
  /// Of a copy, fill, read or write: flags of the buffers that it writes and reads, where they are
  /// made in view, and the calls that make them.
  struct Transferred {
    bool ReadOnly = false, WriteOnly = false;
    SourceRange MadeAt;
  } Target, SourceBuffer;
  bool MakesKernel = false;  ///< calls a function of the program that creates and returns a kernel
  bool MakesProgram = false; ///< calls another file's function: loadProgram(context, "scale.cl")
  bool Waits = false;        ///< calls another file's function with an event and `wait` in its name
  /// Its function works for callers in other files: `program = ..` in `apply(queue, image)`. Each
  /// call repeats it.
  bool AtEachCall = false;
  /// Of a call that creates a kernel: a later call in the same function that launches kernels. Of a
  /// map: a statement that is executed behind it and launches kernels.
  SourceRange LaunchSite;
  unsigned Mapped = 0;                ///< of a map: as Variable of HostKernelArg
  std::optional<HostMapping> Mapping; ///< of a transfer that could be a map
  std::optional<HostLoopBuffer> LoopBuffer;
  SourceRange Range;     ///< the whole call
  SourceRange NameRange; ///< the position of diagnostics
  bool IsCpp = false;
  bool Idle = false; ///< in a header, and not reached from the main file
  /// The facts of this file, from which applyCrossFileFacts computes those above.
  struct {
    uint32_t Function = ~0u;                  ///< of the summary
    bool InLoop = false, OncePerItem = false; ///< in its own function
    bool DependsOnCallers = false;            ///< loops around calls of its function count
    bool IsSetup = false;                     ///< it makes a buffer, program or kernel
    bool OnlyQueue = false;           ///< its function makes a queue, possibly one for each device
    bool WorksForCallers = false;     ///< AtEachCall by this file alone
    bool IsGl = false;                ///< of OpenGL or EGL
    uint8_t GlLoop = 0, GlAround = 0; ///< Gl of its own function
    HostName Callee;                  ///< of MakesProgram and Waits
  } InThisFile;
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
  /// The kind of Memory, where the call that makes it is known.
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
  std::optional<int64_t> Value; ///< of an Integer, where known without running
  unsigned Variable = 0; ///< a number, within a file, of the variable or field that holds memory;
                         ///< 0: not known
  unsigned MadeBy = 0;   ///< a number, within a file, of the call that makes the buffer with memory
                         ///< of its own; 0: not known
  std::string Type;      ///< of the value, as the host spells it; "" where not known
  std::optional<uint64_t> ValueSize; ///< bytes of the variable whose address is the argument
  /// Of a buffer that is made in this function and goes nowhere else: what the file shows of it.
  struct {
    SourceRange MadeAt;                       ///< the call that makes it; not valid: not known
    bool ReadOnly = false, WriteOnly = false; ///< CL_MEM_READ_ONLY, CL_MEM_WRITE_ONLY
    bool Empty = false; ///< no data, and nothing writes to it before the first launch with it
    /// Over memory of the host: a launch, and a use of this memory that no map keeps apart from it.
    struct UnmappedUse {
      SourceRange Launch, Access;
      bool Writes; ///< before the launch, or before the next one; else it reads behind it
    };
    std::vector<UnmappedUse> Unmapped;
  } Made;
  SourceRange Range; ///< the call that sets it, or the argument of a functor
  std::string File;  ///< of Range
};

/// The queries from which a size is computed, through variables, fields, parameters and functions.
struct HostSizeQueries {
  bool KernelLimit = false;       ///< CL_KERNEL_WORK_GROUP_SIZE or the preferred multiple
  bool DeviceLimit = false;       ///< CL_DEVICE_MAX_WORK_GROUP_SIZE
  bool ItemSizes = false;         ///< CL_DEVICE_MAX_WORK_ITEM_SIZES
  uint64_t AtMost = ~uint64_t(0); ///< the smallest number that min() or ?: compares with
};

struct HostLaunch {
  std::string Kernel; ///< the kernel's name; empty: not known
  unsigned Dims = 0;  ///< 0: not known
  std::array<std::optional<uint64_t>, 3> Global, Local;
  /// Of a size that is one of several numbers, the largest.
  std::array<std::optional<uint64_t>, 3> GlobalAtMost, LocalAtMost;
  std::array<SourceRange, 3> GlobalRange, LocalRange; ///< the expression of each size
  bool LocalIsNull = false;                           ///< the runtime chooses
  HostSizeQueries LocalQueries;                       ///< of the local size
  bool AsksKernelLimit = false; ///< the file asks for CL_KERNEL_WORK_GROUP_SIZE somewhere
  bool OneGroup = false;        ///< the global size is the local one
  bool GlobalByDefault = false, LocalByDefault = false; ///< the command line may change them
  bool InLoop = false;
  SourceRange Range; ///< the call of the API
  SourceRange Site;  ///< the call of the function around it with these sizes, if there is one
  std::string File;  ///< of Range, for notes of other files
  unsigned Line = 0;
  std::vector<HostKernelArg> Args; ///< set for this kernel anywhere in the file
  /// The global size that the launch would have if the integer argument Index were Value: how the
  /// size depends on a number that is known only at run time. Value is a multiple of all numbers up
  /// to 16, so that sizes are no less for its remainders.
  struct Sample {
    static constexpr int64_t Value = 720720;
    unsigned Index;
    std::array<std::optional<uint64_t>, 3> Global;
  };
  std::vector<Sample> Samples; ///< of arguments on which the size depends
  /// All arguments are known: the kernel is a local variable that only the API uses, and every
  /// index is known.
  bool ArgsComplete = false;
};

/// OpenCL C in a string literal, or in several that the program concatenates.
struct EmbeddedKernel {
  std::string Source;
  SourceRange Range; ///< of the literal, of several that with the word `kernel`
  /// Offset in the file of Range of byte i of Source; exact for raw, concatenated, escaped and
  /// stringified literals. Empty: no exact positions.
  std::vector<uint32_t> Offsets;
  std::vector<uint32_t> OffsetFiles; ///< the file of each offset; empty: that of Range
  bool IsProgram = false;            ///< the whole text of a program, and it holds no kernel
  bool IsGuessed = false;            ///< names stand in for parts that are known only at run time
};

struct HostModule {
  std::vector<SourceFile> Files; ///< [0] is the main file
  std::vector<HostCall> Calls;   ///< source order
  std::vector<HostLaunch> Launches;
  std::vector<EmbeddedKernel> Kernels;
  /// Offsets of literal tokens in the main file that look like kernels.
  std::vector<uint32_t> LiteralsSeen;
  /// Option strings of clBuildProgram; values that are known only at run time are '\1'.
  std::vector<std::string> BuildOptions;
  std::optional<HostMappingRoom> MappingRoom; ///< if a call has a Mapping
  std::vector<std::string> KernelFiles;       ///< string literals that name a .cl file
  bool HasOpenCL = false;                     ///< it includes CL headers or calls the API
  bool HasHeaders = false;                    ///< the API is declared, not only called
  CallSummary Summary;
  // In another file of the same program.
  bool LoadsBinariesElsewhere = false; ///< it makes programs of binaries
  bool AsksForUnityElsewhere = false;  ///< it queries whether memory is unified
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
