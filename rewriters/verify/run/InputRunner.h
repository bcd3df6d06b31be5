// In a child process: the programs and kernels of a plan on one device, and calls that run the
// original or the manifest's launches.
#ifndef CLMALI_REWRITERS_VERIFY_RUN_INPUTRUNNER_H
#define CLMALI_REWRITERS_VERIFY_RUN_INPUTRUNNER_H

#include "rewriters/verify/cases/TestPlan.h"
#include "rewriters/verify/run/Device.h"

#include <map>
#include <string>
#include <utility>

namespace clmali::verify {

class InputRunner {
public:
  InputRunner(Device &D, const TestPlan &P)
      : D(D), P(P), ChecksImages(usesImages(P) && D.info().Type == "CPU" && keepsPreamble(P)) {}

  /// Builds the original, resp. the rewritten program, for \p Launch.
  llvm::Error buildOriginal(unsigned Launch, bool Unoptimised);
  llvm::Error buildRewritten(unsigned Launch, bool Unoptimised);

  llvm::Expected<RunResult> original(const TestInput &In, const PreparedInput &Ready,
                                     bool Unoptimised, const Surroundings &Around);
  /// \p Reverse runs the manifest's launches last to first.
  llvm::Expected<RunResult> rewritten(const TestInput &In, const PreparedInput &Ready,
                                      bool Unoptimised, const Surroundings &Around,
                                      bool Reverse = false);

  /// The times of \p Runs runs, in milliseconds; see Device::time.
  llvm::Expected<std::vector<double>> time(const TestInput &In, const PreparedInput &Ready,
                                           bool Rewritten, unsigned Runs, RunResult &Last,
                                           llvm::function_ref<void()> Alive);

  /// Text put before both sources when they are built.
  std::string Preamble;
  /// Accesses outside images go to imageZone(); false where the programs do not build so, and on
  /// devices to which an address of this process means nothing.
  bool checksImages() const { return ChecksImages; }
  /// Build the programs as they are, for times.
  void leaveImages() { ChecksImages = false; }

private:
  launch::Geometry chosenLocal(launch::Geometry G, const TestInput &In, bool Unoptimised) const;
  llvm::Expected<std::vector<Step>> originalSteps(const TestInput &In, const PreparedInput &Ready,
                                                  bool Unoptimised);
  llvm::Expected<std::vector<Step>> rewrittenSteps(const TestInput &In, const PreparedInput &Ready,
                                                   bool Unoptimised);
  std::vector<ArgumentValue> rewrittenValues(const TestInput &In, const PreparedInput &Ready) const;
  llvm::Expected<cl_kernel> kernel(bool Rewritten, unsigned Launch, bool Unoptimised,
                                   const std::string &Name);
  llvm::Expected<cl_program> program(bool Rewritten, unsigned Launch, bool Unoptimised);

  Device &D;
  const TestPlan &P;
  bool ChecksImages;
  NoneBecomes None = NoneBecomes::Clamp; ///< in programs and kernels that are asked for
  /// By the source with all that is put before it, and the whole option text.
  std::map<std::pair<std::string, std::string>, cl_program> Programs;
  std::map<std::pair<cl_program, std::string>, cl_kernel> Kernels;
};

} // namespace clmali::verify

#endif
