// The judge: is the rewritten kernel, launched as its manifest says, the same
// as the original on every input that was tried, and does neither stray?
//
// Device work runs in child processes, so a kernel that hangs, crashes or eats
// the memory ends as a verdict. Nothing here throws or exits. No device, a
// time-out or a failed build is Inconclusive, never Held.
#ifndef CLMALI_REWRITERS_VERIFY_JUDGE_H
#define CLMALI_REWRITERS_VERIFY_JUDGE_H

#include "rewriters/launch/LaunchFile.h"
#include "rewriters/launch/Manifest.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace clmali::verify {

/// An OpenCL device as the loader shows it.
struct DeviceInfo {
  std::string Platform, PlatformVersion;
  std::string Device, DeviceVersion, Driver;
  std::string Type; ///< "CPU", "GPU", "accelerator", "custom"
  unsigned ComputeUnits = 0;
  unsigned NativeFloats = 0;                  ///< CL_DEVICE_NATIVE_VECTOR_WIDTH_FLOAT; 0: not told
  uint64_t GlobalMemory = 0, LocalMemory = 0; ///< bytes
};

/// Every device of every platform, in the loader's order. An error where the
/// loader is missing or crashes; an empty list where it finds none.
llvm::Expected<std::vector<DeviceInfo>> listDevices();

/// A program to run: source text with the options it is built with.
struct ProgramText {
  std::string Source;
  std::string Name; ///< file name, for messages
};

struct JudgeOptions {
  /// Part of the platform's or the device's name; empty: the first device.
  std::string Platform;
  uint64_t Seed = 1;
  /// Seconds without a sign of life after which a launch counts as hung.
  unsigned LaunchTimeout = 20;
  /// Seconds for the whole judgement; what is not reached by then makes the
  /// verdict Inconclusive.
  unsigned TotalTimeout = 300;
  /// Extra build options for both programs: include paths and such, which are
  /// no part of the manifest.
  std::string ExtraOptions;
  /// Where Oclgrind's runtime is; empty: the usual places.
  std::string OclgrindLibrary;
  bool UseOclgrind = true;
  /// Seconds for the symbolic rung; 0 leaves it out.
  unsigned SymbolicSeconds = 5;
  /// Parts of the ladder to leave out, of partNames(): the judge's own trial
  /// shows with it what each of them catches. The verdict names them.
  std::set<std::string> Without;
  /// One line of text now and then, while long work is under way.
  std::function<void(llvm::StringRef)> Progress;
};

struct JudgeRequest {
  ProgramText Original;
  ProgramText Rewritten;
  launch::ManifestKernel Manifest;
  /// Launches of that kernel by its host; at least one.
  std::vector<launch::LaunchFile> Launches;
  JudgeOptions Options;
};

/// What JudgeOptions::Without takes: rungs, and kinds of sizes and data.
llvm::ArrayRef<llvm::StringRef> partNames();

enum class Outcome { Held, Refuted, Inconclusive };
llvm::StringRef toString(Outcome O);

/// One rung of the ladder.
struct Rung {
  /// "launch", "coverage", "self-agreement", "oclgrind",
  /// "oclgrind-uninitialised", "differential", "guard-zones", "guard-pages",
  /// "reverse-order", "interval", "symbolic".
  std::string Name;
  bool Climbed = false;
  /// Climbed: what it covered ("48 runs at 12 sizes"); else: why not.
  std::string Detail;
};

/// The smallest input found on which the two kernels differ.
struct Counterexample {
  std::string Rung; ///< which rung found it
  /// What would have to be left out for this to be missed, of partNames(); a
  /// base kernel's own sizes and data cannot be, and are "declared".
  std::string Part;
  std::string What;     ///< one sentence
  std::string Size;     ///< "n=5, w=3"
  std::string Argument; ///< buffer that differs; empty for stray accesses
  uint64_t Element = 0; ///< first differing element
  std::string Expected, Got;
  /// The work-items that wrote that element last, or that did what no
  /// work-item may: "(5, 0, 0) of axpy_v4"; "no work-item"; empty: not known.
  std::string OriginalItem, RewrittenItem;
  uint64_t NonZero = 0; ///< input values that are not zero
  /// A launch file (text) that reproduces it with `clmali-run --against`.
  std::string LaunchFile;
  bool Replayed = false; ///< shown again, in a fresh process
};

struct Verdict {
  Outcome Result = Outcome::Inconclusive;
  /// One line: what was shown, what differs, or why nothing can be said.
  std::string Summary;
  std::vector<Rung> Rungs;
  std::optional<Counterexample> Example;
  /// Everything about how it was judged: devices, drivers, sizes, seeds,
  /// patterns, counts, tolerances, rungs, time.
  llvm::json::Object Record;
};

/// Judges \p Request. An error only for a request that makes no sense (a launch
/// file that does not fit the kernel); all that happens on the device is in the
/// verdict.
llvm::Expected<Verdict> judge(const JudgeRequest &Request);

/// Measured time of one launch (all launches of a manifest entry together).
struct Timing {
  double MedianMs = 0, BestMs = 0;
  unsigned Runs = 0;
  std::string Device;
  /// One number for the contents of each argument after the last run (0 bytes
  /// where it is no buffer): equal numbers, equal contents.
  std::vector<uint64_t> Checksums;
};

/// What to run for timing: the original as the launch file says, or, with a
/// manifest entry, the launches that replace it.
struct TimeRequest {
  ProgramText Program;
  launch::LaunchFile Launch;
  launch::Size At; ///< one entry of Launch.Sizes, usually
  std::optional<launch::ManifestKernel> Manifest;
  unsigned Runs = 5;
  /// Only Platform, Seed, LaunchTimeout and ExtraOptions count.
  JudgeOptions Options;
};

/// Median of profiled runs on the device, in milliseconds, after one run that
/// does not count.
llvm::Expected<Timing> timeLaunch(const TimeRequest &Request);

} // namespace clmali::verify

#endif
