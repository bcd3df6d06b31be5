//===- Options.cpp - the command line of clmali-run -------------------------------------------===//

#include "tools/run/Options.h"
#include "rewriters/verify/Judge.h"
#include "tools/options/Parse.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <optional>
#include <tuple>
#include <vector>

using namespace llvm;
using namespace clmali;
using namespace clmali::run;

namespace {

constexpr options::Option Known[] = {
    {"--list-devices", "", "list the OpenCL devices"},
    {"--platform", "SUBSTRING", "the device whose platform or name contains this"},
    {"--bench", "N", "median of N runs; default: 1"},
    {"--seed", "N", "for the random data; default: 1"},
    {"--against", "OUT.cl", "the rewritten kernel: judge it, in place of timing the original",
     "@file"},
    {"--manifest", "OUT.json", "how the rewritten kernel is launched; default: as the original is",
     "@file"},
    {"--kernel", "NAME",
     "the rewritten kernel's name, if it differs from the original's and there is no manifest"},
    {"--format", "FORMAT", "text (default), or the judge's whole record as json or sarif",
     "text json sarif"},
    {"--output", "FILE", "write that to a file, not to standard output", "@file"},
    {"--json", "FILE", "write the judge's record, or the times, to a file too", "@file"},
    {"--report", "OUT.html", "write a report: the verdict, or the times", "@file"},
    {"--counterexample", "FILE", "if refuted: write a launch file that reproduces it", "@file"},
    {"--require", "BASIS", "proved: exit code 4 unless it is proved for every size", "proved"},
    {"--time-limit", "SECONDS", "for the whole judgement; default: 300"},
    {"--launch-limit", "SECONDS",
     "after which a launch without progress counts as hung; default: 20"},
    {"--oclgrind", "LIBRARY",
     "Oclgrind's runtime; default: where it is installed; none: do not use it", "@file"},
    {"--symbolic", "SECONDS", "for the proof at some sizes; default: 5, 0: none"},
    {"--generic", "SECONDS",
     "of processor time for the proof for every size; default: 10, 0: none"},
    {"--prove", "", "only the proof for every size, as JSON; nothing runs; exit code 0 or 4"},
    {"--without", "LIST", "checks to leave out; the verdict names them"},
    {"--recording", "DIR",
     "run the launches that clmali-record recorded, and compare the results with what the program "
     "got",
     "@folder"},
    {"--quiet", "", "no progress"},
    {"--help", "", "print this"},
    {"--version", "", "print the versions"},
};

constexpr std::pair<int, StringLiteral> ExitCodes[] = {
    {0, "ran, or held"},
    {2, "usage, a file that is wrong, no device"},
    {3, "refuted"},
    {4, "inconclusive, or not proved as --require asks"}};

const options::Program Self = {
    "clmali-run",
    "runs and times a kernel as its launch file says, or judges a rewritten kernel",
    "LAUNCH.yaml [FILE.cl]",
    Known,
    "Runs the kernel at every size of the launch file, and prints its time and a checksum of what "
    "it wrote. With --against, judges a rewritten kernel instead.",
    ExitCodes};

class CommandLine {
public:
  Expected<Options> run(ArrayRef<const char *> Args) {
    bind();
    Expected<options::Arguments> A = Parser.parse(Args);
    if (!A)
      return A.takeError();
    Files = A->Operands;
    if (O.Help || O.Version || O.PrintOptions || O.ListDevices)
      return O;
    if (!O.Recording.empty() && Files.empty() && O.Against.empty())
      return O;
    if (!O.Recording.empty())
      return failure("--recording takes no launch file and no --against");
    if (Error E = takeFiles())
      return E;
    if (Error E = check())
      return E;
    return O;
  }

private:
  void bind() {
    constexpr unsigned Day = 86400, MostRuns = 100000;
    Parser.flag("--help", O.Help);
    Parser.flag("--version", O.Version);
    Parser.hidden("--print-options", O.PrintOptions); // used by tools/docs only
    Parser.text("--report", O.Report);
    Parser.flag("--list-devices", O.ListDevices);
    Parser.flag("--quiet", O.Quiet);
    Parser.flag("--prove", O.Prove);
    Parser.text("--platform", O.Platform);
    Parser.text("--against", O.Against);
    Parser.text("--manifest", O.Manifest);
    Parser.text("--kernel", O.Kernel);
    Parser.word("--format", O.Format);
    Parser.text("--output", O.Output);
    Parser.text("--json", O.Json);
    Parser.text("--counterexample", O.CounterexampleFile);
    Parser.text("--oclgrind", O.Oclgrind);
    Parser.text("--recording", O.Recording);
    Parser.word("--require", Basis);
    Parser.call("--without", [this](StringRef Value) { return parts(Value); });
    Parser.number("--bench", O.Bench, 1, MostRuns);
    Parser.number("--time-limit", O.TimeLimit, 1, Day);
    Parser.number("--launch-limit", O.LaunchLimit, 1, Day);
    Parser.number("--generic", O.Generic, 0, Day);
    Parser.number("--symbolic", O.Symbolic, 0, Day);
    Parser.number("--seed", O.Seed, 0, INT64_MAX);
  }

  Error parts(StringRef Value) {
    SmallVector<StringRef, 4> Names;
    Value.split(Names, ',', -1, false);
    for (StringRef One : Names) {
      if (!is_contained(verify::partNames(), One))
        return failure("--without=" + One + ": no such check; there are " +
                       join(verify::partNames(), ", "));
      O.Without.insert(One.str());
    }
    return Error::success();
  }

  /// The launch file and the kernel file, in either order: the kernel file ends in .cl.
  Error takeFiles() {
    if (Files.empty())
      return failure("no launch file given; see clmali-run --help");
    if (Files.size() > 2)
      return failure("too many files: one launch file and at most one kernel file");
    if (Files.size() == 2 && StringRef(Files[0]).ends_with(".cl") &&
        !StringRef(Files[1]).ends_with(".cl"))
      std::swap(Files[0], Files[1]);
    O.Launch = Files[0];
    if (Files.size() == 2)
      O.Source = Files[1];
    return Error::success();
  }

  /// Options that exclude or need one another.
  Error check() {
    O.RequireProved = !Basis.empty();
    if (O.Against.empty() && !(O.Manifest.empty() && O.Kernel.empty()))
      return failure("--manifest and --kernel say how another kernel is launched: "
                     "give that kernel's file with --against");
    if (!O.Manifest.empty() && !O.Kernel.empty())
      return failure("the manifest names the kernel: leave --kernel out");
    if (O.Prove && !O.Report.empty())
      return failure("--prove prints JSON only: leave --report out");
    if (O.Against.empty() && O.RequireProved)
      return failure("--require=proved is for a verdict: it needs --against");
    if (O.Against.empty() && O.Format != "text")
      return failure("--format=" + O.Format + " is for a verdict: it needs --against");
    return Error::success();
  }

  std::vector<std::string> Files;
  Options O;
  std::string Basis; ///< of --require
  options::Parser Parser{"clmali-run", Known};
};

} // namespace

Error run::failure(const Twine &Message) {
  return createStringError(inconvertibleErrorCode(), Message);
}

Expected<Options> run::parseCommandLine(ArrayRef<const char *> Arguments) {
  return CommandLine().run(Arguments);
}

void run::printHelp(raw_ostream &Out) { options::printHelp(Out, Self); }

void run::printOptions(raw_ostream &Out) { options::printJson(Out, Self); }
