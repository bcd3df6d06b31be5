// Deterministic input data: random, extreme, structured, and values next to the kernel's own
// constants. The same seed gives the same bytes on every machine.
#ifndef CLMALI_REWRITERS_VERIFY_CASES_DATA_H
#define CLMALI_REWRITERS_VERIFY_CASES_DATA_H

#include "rewriters/verify/cases/Element.h"
#include "rewriters/verify/facts/KernelFacts.h"

#include "llvm/ADT/StringRef.h"

#include <set>
#include <string>
#include <vector>

namespace clmali::verify {

enum class Pattern {
  Declared,    ///< as the launch file says
  RandomBits,  ///< every bit random: for floats NaNs, infinities, denormals too
  Extremes,    ///< each element one of the type's extremes
  ExtremeRuns, ///< runs of equal extremes, so that sums and filters saturate
  Constants,   ///< the kernel's constants and scalar arguments, and the values next to them
  Ramp,        ///< every element different, so that misplaced elements are found
  Sparse,      ///< zeros with a few ones and extremes
  AllMost,     ///< all elements the largest
  Mixed        ///< each element as one of the others has it; for sizes that are run once
};
llvm::StringRef toString(Pattern P);
inline constexpr Pattern AllPatterns[] = {
    Pattern::Declared, Pattern::RandomBits,  Pattern::Constants, Pattern::Extremes,
    Pattern::Ramp,     Pattern::ExtremeRuns, Pattern::Sparse,    Pattern::AllMost};

/// The numeric literals of a source, outside comments and strings: as doubles, and as integers if
/// they are integral.
struct SourceConstants {
  std::vector<int64_t> Integers;
  std::vector<double> Floats;
  void add(double Value);
};
SourceConstants scanConstants(llvm::StringRef Source);
/// True if the source names a floating-point type.
bool mentionsFloats(llvm::StringRef Source);

struct DataRules {
  /// Integers of the buffers in Addressing stay inside the declared data: addresses and trip counts
  /// are computed from them, and the original makes invalid accesses on others.
  bool LimitAddresses = false;
  std::set<unsigned> Addressing; ///< arguments by index
  /// Integers stay inside the declared data: the values are indices or counts, and the original
  /// makes invalid accesses on others.
  bool LimitIntegers = false;
  /// The same for floats.
  bool LimitFloats = false;
  /// No NaN, infinity or denormal, and no values that overflow: neither a tolerance nor a fast-math
  /// build defines the result for those.
  bool Tame = false;
};

/// The description of one buffer's contents.
struct DataRequest {
  const launch::LaunchFile *File = nullptr;
  const launch::Argument *Arg = nullptr;
  ElementType Type;
  uint64_t Count = 0;
  launch::Bindings Values; ///< for range expressions
  Pattern P = Pattern::Declared;
  uint64_t Seed = 0;
  const SourceConstants *Constants = nullptr;
  std::vector<ConstantUse> Compared; ///< with this buffer's values
  /// What Pattern::Mixed may take.
  std::vector<Pattern> Mix;
  bool Limited = false; ///< LimitAddresses holds for this buffer
  DataRules Rules;
};
llvm::Expected<Bytes> makeData(const DataRequest &Request);

/// A random generator whose numbers do not depend on a library.
class Random {
public:
  explicit Random(uint64_t Seed) : State(Seed) {}
  uint64_t next();
  /// In [0, Bound), nearly uniform; Bound > 0.
  uint64_t below(uint64_t Bound) { return next() % Bound; }
  double unit() { return static_cast<double>(next() >> 11) * 0x1p-53; }

private:
  uint64_t State;
};

/// Mixes \p Text into \p Seed.
uint64_t mixSeed(uint64_t Seed, llvm::StringRef Text);

} // namespace clmali::verify

#endif
