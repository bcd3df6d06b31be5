//===- Options.cpp - the command line of clmali-run -------------------------------------------===//

#include "tools/run/Options.h"
#include "rewriters/verify/Judge.h"
#include "tools/options/Table.h"
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
  explicit CommandLine(ArrayRef<const char *> Arguments) : Arguments(Arguments) {}

  Expected<Options> run() {
    for (; Next < Arguments.size(); ++Next) {
      StringRef A = Arguments[Next];
      if (!A.starts_with("-") || A == "-")
        Files.push_back(A.str());
      else if (Error E = option(A))
        return E;
    }
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
  Error option(StringRef A) {
    StringRef Body = A.ltrim('-');
    std::tie(Name, Value) = Body.split('=');
    HasValue = Body.contains('=');
    if (Name == "help" || Name == "h")
      return flag(O.Help);
    if (Name == "version")
      return flag(O.Version);
    if (Name == "print-options") // used by tools/docs only
      return flag(O.PrintOptions);
    if (Name == "report")
      return text(O.Report);
    if (Name == "list-devices")
      return flag(O.ListDevices);
    if (Name == "quiet")
      return flag(O.Quiet);
    if (Name == "prove")
      return flag(O.Prove);
    if (Name == "platform")
      return text(O.Platform);
    if (Name == "against")
      return text(O.Against);
    if (Name == "manifest")
      return text(O.Manifest);
    if (Name == "kernel")
      return text(O.Kernel);
    if (Name == "format")
      return text(O.Format);
    if (Name == "output")
      return text(O.Output);
    if (Name == "json")
      return text(O.Json);
    if (Name == "counterexample")
      return text(O.CounterexampleFile);
    if (Name == "oclgrind")
      return text(O.Oclgrind);
    if (Name == "recording")
      return text(O.Recording);
    if (Name == "require")
      return requirement();
    if (Name == "without")
      return parts(O.Without);
    if (Name == "bench")
      return number(O.Bench, 1, 100000);
    if (Name == "time-limit")
      return number(O.TimeLimit, 1, 86400);
    if (Name == "launch-limit")
      return number(O.LaunchLimit, 1, 86400);
    if (Name == "generic")
      return number(O.Generic, 0, 86400);
    if (Name == "symbolic")
      return number(O.Symbolic, 0, 86400);
    if (Name == "seed")
      return number(O.Seed, 0, INT64_MAX);
    StringRef Best = options::nearest(Known, ("--" + Name).str());
    return failure("unknown option " + A +
                   (Best.empty() ? "; see clmali-run --help" : "; did you mean '" + Best + "'?"));
  }

  Error flag(bool &Into) {
    if (HasValue)
      return failure("--" + Name + " takes no value");
    Into = true;
    return Error::success();
  }
  Expected<StringRef> value() {
    if (!HasValue && Next + 1 < Arguments.size())
      return StringRef(Arguments[++Next]);
    if (!HasValue || Value.empty())
      return failure("--" + Name + " needs a value");
    return Value;
  }
  Error text(std::string &Into) {
    Expected<StringRef> V = value();
    if (!V)
      return V.takeError();
    Into = V->str();
    return Error::success();
  }
  template <typename Number> Error number(Number &Into, uint64_t Least, uint64_t Most) {
    Expected<StringRef> V = value();
    if (!V)
      return V.takeError();
    uint64_t N = 0;
    if (V->getAsInteger(10, N) || N < Least || N > Most)
      return failure("--" + Name + "=" + *V + ": a whole number from " + Twine(Least) + " to " +
                     Twine(Most) + " is needed");
    Into = N;
    return Error::success();
  }
  Error requirement() {
    Expected<StringRef> V = value();
    if (!V)
      return V.takeError();
    if (*V != "proved")
      return failure("--require=" + *V + ": there is only --require=proved");
    O.RequireProved = true;
    return Error::success();
  }
  Error parts(std::set<std::string> &Into) {
    Expected<StringRef> V = value();
    if (!V)
      return V.takeError();
    SmallVector<StringRef, 4> Names;
    V->split(Names, ',', -1, false);
    for (StringRef One : Names) {
      if (!is_contained(verify::partNames(), One))
        return failure("--without=" + One + ": no such check; there are " +
                       join(verify::partNames(), ", "));
      Into.insert(One.str());
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
  Error check() const {
    if (O.Against.empty() && !(O.Manifest.empty() && O.Kernel.empty()))
      return failure("--manifest and --kernel say how another kernel is launched: "
                     "give that kernel's file with --against");
    if (!O.Manifest.empty() && !O.Kernel.empty())
      return failure("the manifest names the kernel: leave --kernel out");
    if (!is_contained({"text", "json", "sarif"}, StringRef(O.Format)))
      return failure("--format=" + O.Format + ": text, json or sarif");
    if (O.Prove && !O.Report.empty())
      return failure("--prove prints JSON only: leave --report out");
    if (O.Against.empty() && O.RequireProved)
      return failure("--require=proved is for a verdict: it needs --against");
    if (O.Against.empty() && O.Format != "text")
      return failure("--format=" + O.Format + " is for a verdict: it needs --against");
    return Error::success();
  }

  ArrayRef<const char *> Arguments;
  size_t Next = 0;
  std::vector<std::string> Files;
  Options O;
  // The option under way.
  StringRef Name, Value;
  bool HasValue = false;
};

} // namespace

Error run::failure(const Twine &Message) {
  return createStringError(inconvertibleErrorCode(), Message);
}

Expected<Options> run::parseCommandLine(ArrayRef<const char *> Arguments) {
  return CommandLine(Arguments).run();
}

void run::printHelp(raw_ostream &Out) { options::printHelp(Out, Self); }

void run::printOptions(raw_ostream &Out) {
  Out << formatv("{0:2}", json::Value(options::toJson(Self))) << "\n";
}
