//===- Compiled.h - figures of kernels by real compilers --------------------------------------===//
//
// Before: OpenCL C sources with their build options, and the devices to compile for.
// After:  one Cost for each kernel and device: figures, or the reason why there are none.
// Limits: static figures. A loop counts once unless trip counts are given; both sides of a branch
//         count; memory, caches and the launch are not in them. Compare forms of one kernel on one
//         device, never two devices. See README.md.
//
//===------------------------------------------------------------------------------------------===//

#ifndef CLMALI_TOOLS_COMPILERS_COMPILED_H
#define CLMALI_TOOLS_COMPILERS_COMPILED_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"
#include <optional>
#include <string>
#include <vector>

namespace clmali::compilers {

/// What one work-item takes. Mali: cycles of each unit of a core; the units work in parallel.
/// PowerVR: instruction groups and bursts. nullopt: the compiler does not report it.
struct Work {
  std::optional<double> Arithmetic, LoadStore, Texture, Cycles; ///< Mali
  std::optional<double> Groups, Loads, Stores;                  ///< PowerVR
  std::string Bound; ///< the unit with the most cycles; empty if not known

  /// The figure to compare forms of one kernel by: cycles, else groups.
  std::optional<double> total() const { return Cycles ? Cycles : Groups; }
};

struct Cost {
  std::string File, Kernel, Device;
  std::string CompiledFor;                      ///< another model of the same generation, or empty
  std::string Compiler, Version;                ///< "mesa" or "malioc"
  std::string Reason;                           ///< why there is no figure; empty: there is one
  Work Once;                                    ///< each instruction counted once
  std::optional<Work> Weighted;                 ///< with trip counts
  std::optional<double> Main, Bitwise, Control; ///< groups by kind (PowerVR)
  std::optional<unsigned> Registers, Threads, Occupancy, MaxWorkGroup; ///< Occupancy: per cent
  std::optional<unsigned> Spills, Fills, Loops;
  bool LoopsCountedOnce = false;

  bool known() const { return Reason.empty(); }
  const Work &work() const { return Weighted ? *Weighted : Once; }
};

/// The work of one original work-item, where one work-item of the kernel does that of \p Items.
/// Weighted by trip counts if they are known.
Work perItem(const Cost &C, double Items);

/// How often a loop of a source runs.
struct LoopTrips {
  double Count;
  unsigned ConstantDepth = 0; ///< of a constant count, which a compiler may unroll: 1, outermost
};

/// A source to compile. Without a kernel named, all kernels.
struct Source {
  std::string Name, Text;
  std::vector<std::string> Options; ///< of the OpenCL compiler; see buildOptions
  std::vector<std::string> Kernels;
  std::vector<LoopTrips> Trips; ///< one for each loop; empty: loops count once
};

/// Those of \p ClangArgs that an OpenCL compiler takes: -D, -U, -I, -cl-*.
std::vector<std::string> buildOptions(llvm::ArrayRef<std::string> ClangArgs);

/// The path of clmali-compilers: in the folder of this program, else on PATH. Error: it is in
/// neither.
llvm::Expected<std::string> findMesa();
/// Arm's offline compiler: $CLMALI_MALIOC, or malioc on PATH.
llvm::Expected<std::string> findMalioc();

/// Compiles \p Sources for \p Devices (models or families, separated by commas) with Mesa.
llvm::Expected<std::vector<Cost>> runMesa(llvm::ArrayRef<Source> Sources, llvm::StringRef Devices);
/// The same from the output of clmali-compilers.
llvm::Expected<std::vector<Cost>> parseMesa(llvm::StringRef Json);

/// Compiles one kernel of the file \p Path for \p Device ("mali-g78") with malioc.
llvm::Expected<Cost> runMalioc(llvm::StringRef Path, llvm::StringRef Kernel, llvm::StringRef Device,
                               llvm::ArrayRef<std::string> Options);
/// The same from a report of malioc --format json (schemas "performance" and "error").
llvm::Expected<Cost> parseMalioc(llvm::StringRef Json);

/// The figures on one line, without file, kernel and device.
std::string costText(const Cost &C);
/// The members of an entry of "costs" (see the README of the linter's JSON). \p Items: original
/// work-items that one work-item does, for perItem; 0: left out.
llvm::json::Object costJson(const Cost &C, double Items = 0);

} // namespace clmali::compilers

#endif
