//===- Options.cpp - the command line of clmali-rewrite ---------------------------------------===//

#include "rewriters/pass/Pass.h"
#include "rules/Models.h"
#include "tools/options/Parse.h"
#include "tools/rewrite/Tool.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace clmali;
using namespace clmali::tool;

namespace {

constexpr options::Option Known[] = {
    {"--device", "D",
     "family that the kernel is for: mali-midgard, mali-bifrost, mali-valhall, powervr-rogue, "
     "generic (default: the device at hand), or a model such as mali-g72",
     "@device"},
    {"--platform", "SUBSTRING", "OpenCL platform or device to verify on; default: the first"},
    {"--kernel", "NAME", "rewrite this kernel; default: every kernel that has a launch file"},
    {"--launch", "FILE",
     "how the host runs a kernel; may be repeated; default: the *.launch.yaml next to FILE.cl"},
    {"-p", "BUILD",
     "take macros, options and launches from the host files of BUILD/compile_commands.json that "
     "load FILE.cl; default: from those next to it. Launch files go first"},
    {"--recording", "DIR",
     "rewrite the kernels of a recording of clmali-record, for clmali-inject; takes no FILE.cl"},
    {"--passes", "LIST", "only these, comma-separated: @PASSES@; none prints the kernel as it is"},
    {"--shape", "COLUMNSxROWS",
     "only blocks of so many work-items: columns along the dimension that walks along memory, rows "
     "along the others; 1x1: no blocks"},
    {"--fp", "MODE",
     "strict (default): the same bits; reassociate: the launch file must allow a tolerance",
     "strict reassociate"},
    {"--cost", "MODEL",
     "choose by: model (default), the cost model; mesa, the figures of Mesa's compiler for "
     "--device "
     "(tools/compilers/setup prepares it)",
     "model mesa"},
    {"--tune", "",
     "measure all candidates on the device, keep the fastest that holds; for another family than "
     "the device at hand: as --cost=mesa, with more candidates"},
    {"--require", "BASIS",
     "proved: accept only what is proved for every size; what is only tested has exit code 4",
     "proved"},
    {"--seed", "N", "seed of the judge's data; default 1"},
    {"--plan-timeout", "SECONDS",
     "processor time for planning each kernel; then the best candidate so far counts; "
     "default: 20, 0: no limit"},
    {"--judge-timeout", "SECONDS",
     "time for judging one candidate; inputs that were not run by then leave it inconclusive; "
     "default: 300"},
    {"--no-verify", "",
     "do not run anything: the result goes to standard output only, exit code 4"},
    {"--preview", "", "print a diff and write nothing"},
    {"--in-place", "", "replace FILE.cl; the manifest goes next to it"},
    {"-o", "OUT.cl", "write the rewritten file there; default: standard output"},
    {"--manifest", "OUT.json",
     "write there how the host must run it; default with -o: next to OUT.cl"},
    {"--sarif", "OUT.sarif",
     "write what became of each kernel, with the judge's records, as SARIF 2.1.0"},
    {"--report", "OUT.html", "write a report"},
    {"--text", "FILE",
     "read the kernels from here, in place of FILE.cl: what an editor holds and has not saved"},
    {"--explain-refusals", "", "say what stands in the way of each pass, and what would help"},
    {"--list-passes", "", "print the passes, one line for each"},
    {"--print-after", "PASS",
     "print the kernel to standard error after this pass, or after all, for each candidate that is "
     "looked at"},
    {"--help", "", "print this"},
    {"--version", "", "print the versions"},
};

bool takesNumber(StringRef Pass) { return Pass == "vectorize" || Pass == "coarsen"; }

/// The values of --passes as a list: "coarsen, delocalize, ...".
std::string passNames(bool WithNumbers = false) {
  std::string Names;
  for (StringRef Name : rewrite::publicPasses())
    Names +=
        (Names.empty() ? "" : ", ") + Name.str() + (WithNumbers && takesNumber(Name) ? "[:N]" : "");
  return Names;
}

Error usage(const Twine &Message) {
  return createStringError(inconvertibleErrorCode(), Message + " (clmali-rewrite --help)");
}

bool isLaneCount(unsigned N) { return isPowerOf2_32(N) && N >= 2 && N <= 16; }

/// The number behind vectorize (lanes) or coarsen (work-items that are not lanes).
Error parsePassNumber(StringRef Name, StringRef Number, Options &O) {
  if (!takesNumber(Name))
    return usage("--passes: '" + Name + "' takes no number");
  unsigned Count;
  if (Number.getAsInteger(10, Count))
    return usage("--passes: '" + Number + "' behind '" + Name + "' is no number");
  bool Lanes = Name == "vectorize";
  if (Lanes ? !isLaneCount(Count) : Count < 2)
    return usage("--passes: " + Name + ":" + Number + "; " +
                 (Lanes ? "lanes are 2, 4, 8 or 16" : "coarsen takes 2 or more"));
  unsigned &Wanted = Lanes ? O.Block.Lanes : O.Block.Coarsened;
  if (Wanted && Wanted != Count)
    return usage("--passes: two numbers behind '" + Name + "'");
  Wanted = Count;
  return Error::success();
}

/// "4x2".
Error parseShape(StringRef Text, Options &O) {
  auto [Columns, Rows] = Text.split('x');
  auto Parse = [](StringRef Number, unsigned &To) {
    return all_of(Number, isDigit) && !Number.getAsInteger(10, To) && To > 0;
  };
  if (!Parse(Columns, O.Block.Columns) || !Parse(Rows, O.Block.Rows))
    return usage("--shape: '" + Text + "' is no shape; COLUMNSxROWS is wanted, such as 4x2");
  return Error::success();
}

/// Rejects a --shape that the passes of --passes cannot make.
Error checkShape(const Options &O) {
  const rewrite::WantedBlock &W = O.Block;
  if (!W.Columns || O.Passes.empty())
    return Error::success();
  std::string Shape = "--shape=" + utostr(W.Columns) + "x" + utostr(W.Rows);
  auto Allows = [&](StringRef Pass) {
    return any_of(O.Passes, [&](StringRef P) { return P.split(':').first == Pass; });
  };
  auto Contradiction = [&](const Twine &Why) {
    return usage(Shape + " and --passes exclude each other: " + Why);
  };
  if (Allows("none"))
    return Contradiction("none prints the kernel as it is");
  bool Vectorize = Allows("vectorize"), Coarsen = Allows("coarsen");
  if (W.Columns > 1 && !Vectorize && !Coarsen)
    return Contradiction("columns need vectorize or coarsen");
  if (W.Rows > 1 && !Coarsen)
    return Contradiction("rows need coarsen");
  if (W.Columns > 1 && !Coarsen && !isLaneCount(W.Columns))
    return Contradiction("vectorize makes 2, 4, 8 or 16 columns, others need coarsen");
  if (W.Lanes && W.Lanes != W.Columns)
    return Contradiction("vectorize:" + Twine(W.Lanes) + " makes " + Twine(W.Lanes) + " columns");
  if (W.Coarsened && W.Coarsened != W.Rows && W.Coarsened != uint64_t(W.Columns) * W.Rows)
    return Contradiction("coarsen:" + Twine(W.Coarsened) + " makes another number of rows");
  if (W.Lanes && W.Coarsened && W.Coarsened != W.Rows)
    return Contradiction("coarsen:" + Twine(W.Coarsened) + " makes " + Twine(W.Coarsened) +
                         " rows");
  return Error::success();
}

Error parsePasses(StringRef List, Options &O) {
  SmallVector<StringRef, 8> Names;
  List.split(Names, ',', -1, /*KeepEmpty=*/false);
  for (StringRef N : Names) {
    auto [Name, Number] = N.trim().split(':');
    if (Name != "none" && !is_contained(rewrite::publicPasses(), Name))
      return usage("--passes: unknown pass '" + Name + "'; one of " + passNames() + ", none");
    if (N.contains(':'))
      if (Error E = parsePassNumber(Name, Number, O))
        return E;
    O.Passes.push_back(N.trim().str());
  }
  if (O.Passes.empty())
    return usage("--passes: no pass is named; one of " + passNames() + ", none");
  if (is_contained(O.Passes, "none") && O.Passes.size() > 1)
    return usage("--passes=none goes with no other pass");
  return Error::success();
}

/// --print-after also accepts ids of steps.
Error parsePrintAfter(StringRef Id, Options &O) {
  if (Id != "all" && !rewrite::findPass(Id)) {
    std::string Ids;
    for (const rewrite::Pass &P : rewrite::allPasses())
      Ids += P.Id.str() + ", ";
    return usage("--print-after: unknown pass '" + Id + "'; one of " + Ids + "all");
  }
  O.Pipeline.PrintAfter = Id.str();
  return Error::success();
}

/// Rejects combinations of options that exclude each other.
Error check(const Options &O) {
  if (O.Help || O.Version || O.ListPasses || O.PrintPasses || O.PrintOptions)
    return Error::success();
  if (O.File.empty() == O.Recording.empty())
    return usage(O.File.empty() ? "no kernel file is named"
                                : "--recording and a kernel file exclude each other");
  if (!O.Recording.empty() &&
      (O.InPlace || O.NoVerify || O.Preview || !O.Output.empty() || !O.Launches.empty()))
    return usage("--recording writes what holds into the recording; it takes no launch files, "
                 "--in-place, --no-verify, --preview or -o");
  if (rules::findModel(O.Device)) {
    // facts for the cost model, not a family
  } else if (Expected<rules::FamilySet> D = rules::resolveDevice(O.Device); !D)
    return usage("--device: " + toString(D.takeError()));
  if (O.InPlace && !O.Output.empty())
    return usage("--in-place and -o exclude each other");
  if (O.NoVerify && (O.InPlace || !O.Output.empty() || !O.Manifest.empty()))
    return usage("--no-verify writes to standard output only: a rewrite that was not judged goes "
                 "into no file");
  if (!O.Text.empty() && O.InPlace)
    return usage(
        "--text is what FILE.cl does not hold yet: save it, or use -o instead of --in-place");
  if (O.CostByMesa && O.Tune)
    return usage("--tune measures, --cost=mesa compiles: one of them chooses");
  if (O.CostByMesa && O.Device == "generic")
    return usage("--cost=mesa compiles for a GPU: name it with --device");
  if (O.NoVerify && O.RequireProved)
    return usage("--require=proved asks for a proof, --no-verify for none");
  if (O.NoVerify && O.Tune)
    return usage("--tune runs the candidates, --no-verify runs nothing");
  if (O.Preview && (O.InPlace || !O.Output.empty() || !O.Manifest.empty()))
    return usage("--preview prints a diff and writes nothing");
  StringRef Result = O.InPlace ? O.File : O.Output;
  if (!O.Manifest.empty() && Result == O.Manifest)
    return usage("the manifest would overwrite the rewritten file");
  return checkShape(O);
}

/// Options whose values have a form of their own.
void bindSpecial(options::Parser &P, Options &O) {
  auto Call = [&](StringRef Name, Error (*Set)(StringRef, Options &)) {
    P.call(Name, [&O, Set](StringRef Value) { return Set(Value, O); });
  };
  Call("--passes", parsePasses);
  Call("--shape", parseShape);
  Call("--print-after", parsePrintAfter);
  P.call("--device", [&O](StringRef Value) {
    O.Device = Value.str();
    O.DeviceGiven = true;
    return Error::success();
  });
}

/// Values of options that are one of a few words; empty: not given.
struct Words {
  std::string Cost, Fp, Require;
};

/// What each option of Known sets.
void bind(options::Parser &P, Options &O, Words &W) {
  bindSpecial(P, O);
  P.word("--cost", W.Cost);
  P.word("--fp", W.Fp);
  P.word("--require", W.Require);
  P.text("--platform", O.Platform);
  P.text("--kernel", O.Kernel);
  P.texts("--launch", O.Launches);
  P.text("--recording", O.Recording);
  P.flag("--tune", O.Tune);
  P.number("--seed", O.Seed);
  P.seconds("--plan-timeout", O.PlanTimeout);
  P.number("--judge-timeout", O.JudgeTimeout, 1);
  P.flag("--no-verify", O.NoVerify);
  P.flag("--preview", O.Preview);
  P.flag("--in-place", O.InPlace);
  P.text("-o", O.Output);
  P.text("--manifest", O.Manifest);
  P.text("--sarif", O.Sarif);
  P.text("--report", O.Report);
  P.text("--text", O.Text);
  P.text("-p", O.BuildPath);
  P.flag("--explain-refusals", O.ExplainRefusals);
  P.flag("--list-passes", O.ListPasses);
  P.flag("--help", O.Help);
  P.flag("--version", O.Version);
  P.hidden("--print-options", O.PrintOptions); // used by tools/docs only
  P.hidden("--print-passes", O.PrintPasses);
  P.hidden("--verify-ir", O.Pipeline.VerifyIR);
}

/// Puts the names of the passes into the help of --passes.
std::string completeHelp(StringRef Help) {
  auto [Before, After] = Help.split("@PASSES@");
  bool Names = Before.size() < Help.size();
  return Before.str() + (Names ? passNames(/*WithNumbers=*/true) : "") + After.str();
}

constexpr std::pair<int, StringLiteral> ExitCodes[] = {
    {0, "rewritten and held"},
    {1, "refused or nothing pays"},
    {2, "usage, parse or tool error"},
    {3, "refuted"},
    {4, "inconclusive, or not proved as --require asks; nothing is written with 3 and 4"}};

const options::Program Self = {
    "clmali-rewrite",
    "rewrites OpenCL C kernels for Mali and PowerVR, and shows on an OpenCL device that they "
    "still do the same",
    "FILE.cl [-- CLANG-ARGS]",
    Known,
    "Without -o and --in-place the rewritten source goes to standard output; messages go to "
    "standard error.",
    ExitCodes,
    completeHelp};

} // namespace

void tool::printHelp(raw_ostream &Out) { options::printHelp(Out, Self); }

void tool::printOptions(raw_ostream &Out) { options::printJson(Out, Self); }

Expected<Options> tool::parseCommandLine(ArrayRef<const char *> Args) {
  Options O;
  options::Parser P("clmali-rewrite", Known);
  Words W;
  bind(P, O, W);
  Expected<options::Arguments> A = P.parse(Args);
  if (!A)
    return A.takeError();
  O.CostGiven = !W.Cost.empty();
  O.CostByMesa = W.Cost == "mesa";
  O.Reassociate = W.Fp == "reassociate";
  O.RequireProved = W.Require == "proved";
  O.ClangArgs = A->Behind;
  if (is_contained(A->Operands, "-"))
    return usage("the kernel must be a file, not standard input: the manifest names it");
  if (A->Operands.size() > 1)
    return usage("one kernel file at a time: '" + A->Operands[0] + "' and '" + A->Operands[1] +
                 "'");
  if (!A->Operands.empty())
    O.File = A->Operands.front();
  if (Error E = check(O))
    return std::move(E);
  return O;
}
