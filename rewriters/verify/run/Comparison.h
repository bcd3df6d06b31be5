// Differences between two results of one input, and the messages about them.
#ifndef CLMALI_REWRITERS_VERIFY_RUN_COMPARISON_H
#define CLMALI_REWRITERS_VERIFY_RUN_COMPARISON_H

#include "rewriters/verify/cases/TestPlan.h"
#include "rewriters/verify/run/Device.h"

#include "llvm/ADT/Twine.h"
#include "llvm/Support/JSON.h"

namespace clmali::verify {

/// The first buffer of two results that differs.
struct BufferDifference {
  unsigned Argument = 0;
  Difference D;
};

/// \p Exactly ignores the launch file's tolerances.
std::optional<BufferDifference> compareBuffers(const TestPlan &P, const TestInput &In,
                                               const RunResult &A, const RunResult &B,
                                               bool Exactly = false);

/// True if all buffers roughlyAgree() (Element.h).
bool roughlyEqual(const TestPlan &P, const TestInput &In, const std::vector<Bytes> &A,
                  const std::vector<Bytes> &B);

/// "element 7" of a buffer, "texel (3, 5)" of an image.
std::string elementText(const TestPlan &P, const TestInput &In, unsigned Argument,
                        uint64_t Element);

/// "before 'x' (4 bytes)", "past the end of 'x' (byte 64 of 64)".
std::string describeOffset(const std::string &Argument, int64_t Offset, uint64_t Size);

// What a `differs` message (Worker.h) says besides the number of the input.
llvm::json::Object describeDifference(const TestPlan &P, const TestInput &In,
                                      const BufferDifference &F, llvm::StringRef Kind,
                                      const llvm::Twine &Prefix);
/// \p Size: bytes of the buffer.
llvm::json::Object describeStray(const TestPlan &P, const TestInput &In, const Stray &S,
                                 uint64_t Size);
llvm::json::Object describeLaunchFailure(const std::string &Why);

} // namespace clmali::verify

#endif
