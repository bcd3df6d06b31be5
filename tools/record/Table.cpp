//===- Table.cpp ------------------------------------------------------------------------------===//

#include "tools/record/Table.h"
#include "tools/recording/SeenDevice.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace clmali::record {
namespace {

struct Row {
  std::string Program, Sha, Kernel;
  unsigned Builds = 0; ///< of the program text, with different options
  uint64_t Launches = 0, Shapes = 0, Nanoseconds = 0;
  std::map<std::string, uint64_t> Why;
};

/// Longest first.
std::vector<Row> rowsOf(const Recording &R) {
  std::vector<Row> Rows;
  for (const RecordedProgram &P : R.Programs)
    for (const auto &[Name, K] : P.Kernels) {
      auto It = find_if(Rows, [&](const Row &X) { return X.Sha == P.Sha && X.Kernel == K.Name; });
      if (It == Rows.end())
        It = Rows.insert(Rows.end(), {P.Key, P.Sha, K.Name, 0, 0, 0, 0, {}});
      ++It->Builds;
      It->Launches += K.Launches;
      It->Shapes += K.Points.size();
      It->Nanoseconds += K.Nanoseconds;
      for (const auto &[Why, Count] : K.Why)
        It->Why[Why] += Count;
    }
  llvm::stable_sort(Rows, [](const Row &A, const Row &B) { return A.Nanoseconds > B.Nanoseconds; });
  return Rows;
}

} // namespace

void printTable(const Recording &R, raw_ostream &Say) {
  for (const SeenDevice &D : R.Devices)
    Say << "recorded on " << description(D) << "\n";
  const std::vector<Row> Rows = rowsOf(R);
  uint64_t Total = 0;
  for (const Row &X : Rows)
    Total += X.Nanoseconds;
  Say << formatv("{0,-36} {1,9} {2,7} {3,7}  {4,-19} {5}\n", "kernel", "launches", "shapes", "time",
                 "program", "recorded");
  for (const Row &X : Rows) {
    std::string What;
    for (const auto &[Why, Count] : X.Why)
      What += formatv("{0}{1} not: {2}", What.empty() ? "" : "; ", Count, Why).str();
    const std::string Program =
        X.Program + (X.Builds > 1 ? " +" + std::to_string(X.Builds - 1) : "");
    Say << formatv("{0,-36} {1,9} {2,7} {3,6:f0}%  {4,-19} {5}\n", X.Kernel, X.Launches, X.Shapes,
                   Total ? 100.0 * X.Nanoseconds / Total : 0.0, Program,
                   What.empty() ? "all" : What);
  }
  for (const Unrecorded &U : R.Others)
    Say << formatv("{0}: {1} ({2} times)\n", U.What, U.Why, U.Count);
  if (any_of(R.Others, [](const Unrecorded &U) { return U.What == "clCreateProgramWithBinary"; }))
    Say << "to record kernels of binaries, empty the program's cache of binaries, or try "
           "--refuse-binaries\n";
  printNotHonoured(R, Say);
}

void printNotHonoured(const Recording &R, raw_ostream &Say) {
  for (const std::string &Text : R.NotHonoured)
    Say << "not as on the other device: " << Text << "\n";
}

std::string whyNothing(const Recording &R, StringRef Program, StringRef Kernels, int ExitCode) {
  auto calls = [&](const char *Name) {
    auto It = R.Calls.find(Name);
    return It == R.Calls.end() ? uint64_t(0) : It->second;
  };
  const std::string Head = ("'" + Program + "' launched no kernel").str();
  const std::string End =
      ExitCode ? "; it ended with exit code " + std::to_string(ExitCode) : std::string();
  if (!R.Loaded)
    return Head +
           ": it never called OpenCL through a library that knows layers. If it uses OpenCL, try "
           "--drop-in" +
           End;
  if (uint64_t N = calls("launch of another name"))
    return ("'" + Program + "' launched no kernel of the name '" + Kernels + "' (" + Twine(N) +
            " launches of others)" + End)
        .str();
  if (calls("kernel"))
    return Head + ", although it made " + std::to_string(calls("kernel")) + " kernels" + End;
  if (calls("failed build"))
    return Head + ": " + std::to_string(calls("failed build")) + " of " +
           std::to_string(calls("program")) +
           " programs failed to build: " + StringRef(R.FailedBuild).trim().split('\n').first.str() +
           End;
  if (calls("program"))
    return Head + ": it made " + std::to_string(calls("program")) +
           " programs, and no kernel of them" + End;
  return Head +
         ": it called OpenCL, and made no program. It may look for another kind of device, such as "
         "a GPU (--pretend)" +
         End;
}

} // namespace clmali::record
