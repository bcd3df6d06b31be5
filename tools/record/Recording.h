//===- Recording.h - what the layer wrote -----------------------------------------------------===//

#ifndef CLMALI_TOOLS_RECORD_RECORDING_H
#define CLMALI_TOOLS_RECORD_RECORDING_H

#include "tools/recording/SeenDevice.h"
#include "llvm/Support/Error.h"
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace clmali::record {

/// An argument of a recorded launch.
struct PointArgument {
  enum class Kind { Value, Buffer, Local, Image, Sampler };
  Kind K = Kind::Value;
  std::string Name, Type;
  std::vector<uint8_t> Bytes;    ///< Value
  uint64_t Size = 0;             ///< Buffer, Local: bytes; Image: of its texels, without gaps
  std::string Format;            ///< Image: as launch files name it
  std::string Access;            ///< Image: "read_only", "write_only", "read_write"
  std::vector<uint64_t> Extents; ///< Image: as `size` of a launch file
  std::string Coordinates, Address, Filter; ///< Sampler: as a launch file gives it
  bool Null = false;                        ///< Value: a null buffer
  bool Const = false;
  int Same = -1;           ///< the argument with the same buffer or image
  std::string File, After; ///< contents before and after the launch, in the recording's folder
};

inline bool holdsData(const PointArgument &A) {
  return A.K == PointArgument::Kind::Buffer || A.K == PointArgument::Kind::Image;
}

/// A shape of launches that was recorded.
struct Point {
  std::vector<uint64_t> Global, Local, Offset; ///< Local: empty for NULL
  std::vector<PointArgument> Arguments;
  uint64_t Launches = 1, Nanoseconds = 0;
};

/// The launches of one kernel of one program.
struct RecordedKernel {
  std::string Name;
  std::vector<Point> Points; ///< those that a launch file can hold
  std::vector<Point> Others; ///< the others; without their arguments
  uint64_t Launches = 0, Nanoseconds = 0;
  std::map<std::string, uint64_t> Why; ///< launches that have no launch file, by reason
};

/// A program text and the options that it was built with.
struct RecordedProgram {
  std::string Key; ///< names its files
  std::string Sha, Source, Options;
  std::string WorkingFolder; ///< of the process that built it
  /// Folders with copies of the included files, relative to the program's; none: the files are
  /// where Options say.
  std::vector<std::string> Includes;
  std::map<std::string, RecordedKernel> Kernels;
};

struct Unrecorded {
  std::string What, Why;
  uint64_t Count = 0;
};

struct Recording {
  std::vector<RecordedProgram> Programs;
  std::vector<Unrecorded> Others;
  std::vector<SeenDevice> Devices;
  std::vector<std::string> NotHonoured;  ///< what --pretend could not answer, each once
  std::map<std::string, uint64_t> Calls; ///< "program", "kernel", ...: how far a process came
  std::string FailedBuild;               ///< the log of a build that failed; empty: none did
  bool Loaded = false;                   ///< a process called OpenCL through the layer
  bool Complete = true;                  ///< every process wrote its counts at its end
};

/// Reads raw/*/ of the recording's folder.
llvm::Expected<Recording> readRecording(const std::string &Folder);

} // namespace clmali::record

#endif
