//===- main.cpp - clmali-rewrite --------------------------------------------------------------===//
//
// Rewrites kernels for a GPU family and verifies, on an OpenCL device, that their results are the
// same.
//
//   clmali-rewrite --device=mali-bifrost -o out.cl kernel.cl
//     kernel.cl, kernel.launch.yaml  ->  out.cl, out.manifest.json, out.verdict.json (how it was
//     judged)
//
// Exit codes: Tool.h.
//
//===------------------------------------------------------------------------------------------===//

#include "tools/rewrite/Tool.h"
#include "tools/version/Version.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

using namespace llvm;
using namespace clmali;
using namespace clmali::tool;

/// The path of the judge's records: NAME.verdict.json for NAME.manifest.json and NAME.json.
static std::string recordsPath(StringRef Manifest) {
  if (Manifest.empty())
    return {};
  StringRef Stem = Manifest;
  if (!Stem.consume_back(".manifest.json"))
    Stem.consume_back(".json");
  return (Stem + ".verdict.json").str();
}

std::string tool::verdictRecords(const Outcome &Result) {
  json::Array All;
  for (const KernelOutcome &K : Result.Kernels)
    for (const Attempt &A : K.Attempts)
      if (A.Verdict) {
        json::Object One(A.Verdict->Record);
        One["passes"] = json::Array(A.Passes);
        All.push_back(std::move(One));
      }
  std::string Text;
  raw_string_ostream OS(Text);
  OS << formatv("{0:2}", json::Value(json::Object{{"version", 1}, {"verdicts", std::move(All)}}))
     << "\n";
  return Text;
}

static int fail(Error E) {
  errs() << "clmali-rewrite: " << toString(std::move(E)) << "\n";
  return BadInput;
}

/// True if an option asks to print something and no more.
static bool printOnly(const Options &O) {
  if (O.Help)
    printHelp(outs());
  else if (O.Version)
    printVersion("clmali-rewrite");
  else if (O.PrintOptions)
    printOptions(outs());
  else if (O.ListPasses)
    listPasses(outs());
  else if (O.PrintPasses)
    printPasses(outs());
  else
    return false;
  return true;
}

int main(int Argc, char **Argv) {
  Expected<Options> Parsed = parseCommandLine(ArrayRef<const char *>(Argv + 1, Argv + Argc));
  if (!Parsed)
    return fail(Parsed.takeError());
  Options &O = *Parsed;
  if (printOnly(O))
    return Done;

  if (!O.Recording.empty()) {
    Expected<int> Code = rewriteRecording(O, errs());
    return Code ? *Code : fail(Code.takeError());
  }
  if (Error E = applyConfiguration(O, errs()))
    return fail(std::move(E));
  // Check the output paths before minutes of judging, not after.
  std::string Source = O.InPlace ? O.File : O.Output;
  std::string Manifest = O.Manifest;
  if (!Source.empty() && Manifest.empty()) {
    SmallString<256> Beside(Source);
    sys::path::replace_extension(Beside, ".manifest.json");
    Manifest = Beside.str().str();
  }
  std::string Records = recordsPath(Manifest);
  for (const std::string &Path : {Source, Manifest, Records, O.Report, O.Sarif})
    if (!Path.empty())
      if (Error E = checkWritable(Path))
        return fail(std::move(E));

  Expected<Outcome> Result = rewriteFile(O, errs());
  if (!Result)
    return fail(Result.takeError());

  std::vector<OutputFile> Files;
  bool Writes = !Result->Rewritten.empty();
  if (!O.Report.empty())
    Files.push_back({O.Report, htmlReport(*Result, O)});
  if (!O.Sarif.empty())
    Files.push_back({O.Sarif, sarifLog(*Result, O)});
  if (Writes && !Source.empty()) {
    // The user may have edited the file meanwhile.
    if (O.InPlace) {
      ErrorOr<std::unique_ptr<MemoryBuffer>> Now = MemoryBuffer::getFile(O.File, /*IsText=*/false);
      if (!Now || (*Now)->getBuffer() != Result->Original)
        return fail(createStringError(
            inconvertibleErrorCode(),
            "'" + O.File + "' was changed meanwhile; it is left as it is, run again"));
    }
    Files.push_back({Source, Result->Rewritten});
  }
  if (Writes && !Manifest.empty()) {
    Files.push_back({Manifest, launch::printManifest(Result->Manifest)});
    Files.push_back({Records, verdictRecords(*Result)});
  }
  if (Error E = writeAll(Files))
    return fail(std::move(E));
  if (Writes && O.Preview)
    outs() << unifiedDiff(Result->Original, Result->Rewritten, O.File);
  else if (Writes && Source.empty())
    outs() << Result->Rewritten;
  for (const OutputFile &F : Files)
    errs() << "wrote " << F.Path << "\n";
  outs().flush();
  return Result->Code;
}
