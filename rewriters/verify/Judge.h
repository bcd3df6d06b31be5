// The judge: compares the rewritten kernel, launched as its manifest says, with the original on
// many inputs, and checks that it makes no access outside its buffers.
//
// Device work runs in child processes, so a kernel that hangs, crashes or uses too much memory
// gives a verdict. Nothing here throws or exits. No device, a time-out or a failed build is
// Inconclusive, never Held.
#ifndef CLMALI_REWRITERS_VERIFY_JUDGE_H
#define CLMALI_REWRITERS_VERIFY_JUDGE_H

#include "rewriters/launch/LaunchFile.h"
#include "rewriters/launch/Manifest.h"
#include "rewriters/verify/generic/Generic.h"

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
  std::string Type;       ///< "CPU", "GPU", "accelerator", "custom"
  std::string Extensions; ///< CL_DEVICE_EXTENSIONS: names with blanks between
  unsigned ComputeUnits = 0;
  unsigned NativeFloats = 0;                  ///< CL_DEVICE_NATIVE_VECTOR_WIDTH_FLOAT; 0: unknown
  uint64_t GlobalMemory = 0, LocalMemory = 0; ///< bytes
};

/// Every device of every platform, in the loader's order. An error if the loader is missing or
/// crashes; an empty list if it finds none.
llvm::Expected<std::vector<DeviceInfo>> listDevices();

/// A program to run: source text with the options it is built with.
struct ProgramText {
  std::string Source;
  std::string Name; ///< file name, for messages
  /// Of the whole file, where Source is a part of it; empty: Source's own.
  std::string Hash = {};
};

struct JudgeOptions {
  /// Part of the platform's or the device's name; empty: the first device.
  std::string Platform;
  uint64_t Seed = 1;
  /// Seconds without a message of the child process after which a launch counts as hung.
  unsigned LaunchTimeout = 20;
  /// Seconds for the whole judgement. Inputs that are not run by then make the verdict
  /// Inconclusive.
  unsigned TotalTimeout = 300;
  /// Extra build options for both programs that the manifest does not contain: include paths.
  std::string ExtraOptions;
  /// Oclgrind's runtime library; empty: the usual folders.
  std::string OclgrindLibrary;
  bool UseOclgrind = true;
  /// Seconds for the symbolic rung; 0 leaves it out.
  unsigned SymbolicSeconds = 5;
  /// Seconds of processor time for the proof for every size; 0 leaves it out.
  unsigned GenericSeconds = 10;
  /// Parts of the ladder to leave out, of partNames(). The judge's own tests find with it what each
  /// part catches. The verdict names them.
  std::set<std::string> Without;
  /// Called with one line of text every few seconds.
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

/// The names that JudgeOptions::Without accepts: rungs, and kinds of sizes and data.
llvm::ArrayRef<llvm::StringRef> partNames();

enum class Outcome { Held, Refuted, Inconclusive };
llvm::StringRef toString(Outcome O);

/// What a held verdict rests on.
enum class Basis {
  Proved,   ///< for every size and value that the launch files allow
  ProvedAt, ///< for every value, at Verdict::Sizes
  Tested    ///< in Verdict::Runs runs at Verdict::Sizes
};
/// "proved", "proved-at", "tested".
llvm::StringRef toString(Basis B);

/// One rung of the ladder.
struct Rung {
  /// "launch", "coverage", "self-agreement", "oclgrind",
  /// "oclgrind-uninitialised", "differential", "guard-zones", "guard-pages",
  /// "reverse-order", "interval", "symbolic", "generic".
  std::string Name;
  bool Climbed = false;
  /// Climbed: what it covered ("48 runs at 12 sizes"); else the reason why it was not.
  std::string Detail;
};

/// The smallest input found on which the two kernels differ.
struct Counterexample {
  std::string Rung; ///< the rung that found it
  /// The part of partNames() without which it would not have been found; "declared" for the launch
  /// file's own sizes and data, which cannot be left out.
  std::string Part;
  std::string What;     ///< one sentence
  std::string Size;     ///< "n=5, w=3"
  std::string Argument; ///< buffer that differs; empty for accesses outside the buffers
  uint64_t Element = 0; ///< first differing element
  std::string Expected, Got;
  /// The work-items that wrote that element last, or that made the invalid access:
  /// "(5, 0, 0) of axpy_v4"; "no work-item"; empty: not known.
  std::string OriginalItem, RewrittenItem;
  uint64_t NonZero = 0; ///< input values that are not zero
  /// A launch file (text) that reproduces it with `clmali-run --against`.
  std::string LaunchFile;
  bool Replayed = false; ///< reproduced in a fresh process
};

struct Verdict {
  Outcome Result = Outcome::Inconclusive;
  /// One line: what was shown, what differs, or why there is no verdict. Of a held one it begins
  /// with the basis: "proved for every size", "tested at 20 sizes, up to 4096 work-items".
  std::string Summary;
  Basis RestsOn = Basis::Tested; ///< if held
  /// Held: those that were proved; where none was or all are, those that were run. Else those that
  /// were to be run.
  std::vector<std::string> Sizes;
  uint64_t Runs = 0;
  std::vector<launch::SkippedInputs> Skipped;
  std::vector<Rung> Rungs;
  std::optional<Counterexample> Example;
  GenericProof Generic; ///< the rung "generic": whether the result is proved for every size
  /// Inconclusive: the original can be compared at none of the listed sizes, with any rewrite.
  bool NoListedSize = false;
  /// Held without a proof for every size: kernels of the manifest that no compared size launches.
  std::vector<std::string> NeverLaunched;
  /// Everything about how it was judged: devices, drivers, sizes, seeds,
  /// patterns, counts, tolerances, rungs, time.
  llvm::json::Object Record;
};

/// "passed", "failed", "no proof" or "not run".
llvm::StringRef stateOf(const Rung &Check, const Verdict &V);

/// What a manifest says of \p V, which is held.
launch::ManifestVerdict manifestVerdict(const Verdict &V);
/// Adds what a proof for every size takes for granted of a launch, or, without one, that kernels
/// that were not compared are not launched: elsewhere the original runs.
void addRequire(launch::ManifestKernel &K, const Verdict &V);

/// Judges \p Request. An error only for an inconsistent request (a launch file that does not fit
/// the kernel); the verdict holds everything that happens on the device.
llvm::Expected<Verdict> judge(const JudgeRequest &Request);

/// Only the proof for every size; runs nothing on a device.
GenericProof proveOnly(const JudgeRequest &Request);

/// Measured time of one launch (all launches of a manifest entry together).
struct Timing {
  double MedianMs = 0, BestMs = 0;
  unsigned Runs = 0;
  std::string Device;
  /// A checksum of each argument after the last run (of 0 bytes for an argument that is no buffer).
  std::vector<uint64_t> Checksums;
};

/// What to time: the original as the launch file says, or, with a manifest entry, the launches that
/// replace it.
struct TimeRequest {
  ProgramText Program;
  launch::LaunchFile Launch;
  launch::Size At; ///< usually one entry of Launch.Sizes
  std::optional<launch::ManifestKernel> Manifest;
  unsigned Runs = 5;
  /// Only Platform, Seed, LaunchTimeout and ExtraOptions count.
  JudgeOptions Options;
};

/// Median of profiled runs on the device, in milliseconds, after one run that does not count.
llvm::Expected<Timing> timeLaunch(const TimeRequest &Request);

} // namespace clmali::verify

#endif
