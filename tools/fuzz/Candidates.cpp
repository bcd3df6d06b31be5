//===- Candidates.cpp - all candidates of the planner, without verification -------------------===//
//
// Before: a kernel file and its launch file, as clmali-rewrite takes them.
// After:  each candidate as OUT/N.cl with its manifest OUT/N.json, best predicted first;
//         OUT/N.fast.cl: its kernel without remainders and borders, for compilers that count
//         instructions; on standard output the model's figures, and refusals as
//         --explain-refusals prints them.
//
// The judge may miss a wrong candidate, so tests examine all of them, including those ranked below
// an accepted one. The IR is verified after each pass; a pass that breaks it ends the program.
//
// Limits: one kernel in the file; not installed.
// Exit codes: 0 candidates, 1 none, 2 it could not be planned.
//
//===------------------------------------------------------------------------------------------===//

#include "tools/rewrite/Inputs.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"

using namespace llvm;
using namespace clmali;
using namespace clmali::tool;

static int fail(Error E) {
  errs() << "clmali-candidates: " << toString(std::move(E)) << "\n";
  return BadInput;
}

static Error save(const Twine &Path, StringRef Text) {
  std::error_code EC;
  raw_fd_ostream Out(Path.str(), EC);
  if (EC)
    return errorCodeToError(EC);
  Out << Text;
  return Error::success();
}

/// "  trips 16, 4@2": expected trips of the loops in the order of the code; behind @ the nesting
/// depth of a loop of constant trips, which compilers may unroll.
static void printTrips(ArrayRef<rewrite::LoopTrips> Trips) {
  if (Trips.empty())
    return;
  outs() << "  trips";
  for (auto [N, T] : enumerate(Trips)) {
    outs() << formatv("{0} {1:f1}", N ? "," : "", T.Count);
    if (T.ConstantDepth)
      outs() << "@" << T.ConstantDepth;
  }
  outs() << "\n";
}

int main(int Argc, char **Argv) {
  // Arguments: OUT, maximum number of candidates, vector bits of the device (0: the family's); the
  // rest is passed to clmali-rewrite's parser.
  unsigned Most = 0, Bits = 0;
  if (Argc < 5 || StringRef(Argv[2]).getAsInteger(10, Most) ||
      StringRef(Argv[3]).getAsInteger(10, Bits)) {
    errs() << "usage: clmali-candidates OUT MOST VECTOR-BITS [--device=D] [--passes=LIST] "
              "--launch=FILE FILE.cl\n";
    return BadInput;
  }
  std::string Folder = Argv[1];
  Expected<Options> O = parseCommandLine(ArrayRef<const char *>(Argv + 4, Argv + Argc));
  if (!O)
    return fail(O.takeError());
  Expected<Inputs> In = readInputs(*O, errs());
  if (!In)
    return fail(In.takeError());
  Expected<std::unique_ptr<model::Module>> M = parse(*O, *In, In->Text);
  if (!M)
    return fail(M.takeError());
  if (In->Launches.size() != 1 || In->Launches.begin()->second.empty())
    return fail(createStringError("one kernel with a launch file is wanted"));
  const std::string &Name = In->Launches.begin()->first;
  auto It = find_if((*M)->Kernels, [&](const auto &K) { return K->Name == Name; });
  if (It == (*M)->Kernels.end())
    return fail(createStringError("there is no kernel '" + Name + "'"));

  rewrite::RewriteOptions R = planOptions(*O, *In, **It);
  R.VectorBits = Bits;
  R.MaxCandidates = Most;
  R.Diverse = Most > 6;
  R.Pipeline.VerifyIR = true;
  rewrite::RewriteResult Plan = rewrite::rewriteKernel(**M, **It, R);
  outs() << formatv("original: predicted A {0:f2}, L/S {1:f2}, cycles {2:f2}, registers {3:f0}\n",
                    Plan.Before.Arithmetic, Plan.Before.LoadStore, Plan.Before.Cycles,
                    Plan.Before.Registers);
  printTrips(Plan.TripsBefore);
  for (const rewrite::RefusalAt &X : Plan.Refusals)
    outs() << refusalText(**M, X) << "\n    " << rewrite::refusalAdvice(X.Why) << "\n";
  for (auto [N, C] : enumerate(Plan.Candidates)) {
    launch::Manifest &Entry = C.Manifest;
    Entry.Kernels.front().Options = In->BuildOptions;
    Entry.Kernels.front().Defines = In->Defines;
    SmallString<128> Path(Folder);
    sys::path::append(Path, std::to_string(N));
    if (Error E = save(Path + ".cl", C.Source))
      return fail(std::move(E));
    if (Error E = save(Path + ".json", launch::printManifest(Entry)))
      return fail(std::move(E));
    if (Error E = save(Path + ".fast.cl", C.FastPath))
      return fail(std::move(E));
    outs() << "candidate " << N << ": " << join(C.Passes, ",") << "\n"
           << formatv("  {0}: {1} work-items, predicted A {2:f2}, L/S {3:f2}, cycles {4:f2}, "
                      "registers {5:f0}, spilled {6:f0}\n",
                      C.Kernel, C.Items, C.After.Arithmetic, C.After.LoadStore, C.After.Cycles,
                      C.After.Registers, C.After.Spilled);
    printTrips(C.Trips);
  }
  return Plan.Candidates.empty() ? Refused : Done;
}
