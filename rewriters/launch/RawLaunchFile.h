// What a launch file says, before expressions are parsed: between LaunchYaml.cpp, which reads it,
// and RawArguments.cpp, which converts its arguments.
#ifndef CLMALI_REWRITERS_LAUNCH_RAWLAUNCHFILE_H
#define CLMALI_REWRITERS_LAUNCH_RAWLAUNCHFILE_H

#include "rewriters/launch/LaunchFile.h"

#include "llvm/ADT/Twine.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace clmali::launch {

// The file's texts, before expressions are parsed: YAML I/O would report the location of a bad
// expression, but not what is wrong with it.
using Texts = std::vector<std::string>;
struct TextList {
  Texts Items;
};
struct RawData {
  std::optional<Texts> Uniform, Range, Values;
  bool Zero = false;
  std::string File, SameAs;
};
/// `data: zero` is a word; all else is a mapping.
struct DataNode {
  RawData Map;
  std::string Word;
  TextList List;
};
struct RawTolerance {
  std::optional<double> Ulp, Relative, Absolute, Steps;
};
struct RawSampler {
  std::string Coordinates, Address, Filter;
};
struct RawArgument {
  std::string Name;
  std::optional<TextList> Value;
  std::optional<std::string> Buffer, Count, Local, Image, Format;
  std::optional<TextList> Extents;
  std::optional<RawSampler> Sampler;
  std::optional<DataNode> Data;
  std::optional<RawTolerance> Compare;
};
struct NamedTexts {
  std::vector<std::pair<std::string, std::string>> Entries;
};
struct RawFile {
  std::string Source, Kernel, Options;
  NamedTexts Defines;
  std::vector<RawArgument> Args;
  TextList Global, Local, Offset, Require;
  std::vector<NamedTexts> Sizes;
  RawTolerance Compare;
};

inline llvm::Error failure(const llvm::Twine &Message) {
  return llvm::createStringError(llvm::inconvertibleErrorCode(), Message);
}

/// \p Where begins the messages: "argument 'src': compare".
llvm::Expected<Tolerance> convert(const RawTolerance &Raw, const llvm::Twine &Where);
llvm::Expected<Argument> convert(const RawArgument &Raw);
llvm::Expected<std::vector<Expression>> parseAll(const Texts &Items, const llvm::Twine &Where);

} // namespace clmali::launch

#endif
