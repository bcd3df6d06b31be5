//===- Main.cpp - clmali-inject ---------------------------------------------------------------===//
//
// Runs a program with the layer, which launches the rewritten kernels of a recording in place of
// the originals.
//
//   clmali-inject --report=report.json recording -- python3 tools/photo.py
//
//===------------------------------------------------------------------------------------------===//

#include "tools/options/Parse.h"
#include "tools/record/Pretend.h"
#include "tools/record/Start.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include <optional>

using namespace llvm;
using namespace clmali;

namespace {

constexpr options::Option Options[] = {
    {"--check", "N",
     "run every Nth launch of a kernel also as the original, on copies, and compare"},
    {"--report", "FILE", "add what was launched, how often and how long to FILE (JSON)", "@file"},
    {"--require", "BASIS", "proved: launch only what is proved for every size", "proved"},
    {"--allow-tested", "",
     "launch what is only tested at every shape; default: at the recorded shapes alone"},
    {"--pretend", "DEVICE",
     "answer device queries as DEVICE would, as clmali-record --pretend does", "@device"},
    {"--drop-in", "", "stand in for libOpenCL.so.1, if that knows no layers"},
    {"--help", "", "this text"},
    {"--version", "", "the version"}};

constexpr std::pair<int, StringLiteral> ExitCodes[] = {{2, "the program could not be started"}};

const options::Program Self = {
    "clmali-inject",
    "launches rewritten kernels in place of the originals",
    "DIR -- PROGRAM ARGUMENTS...",
    Options,
    "DIR is a recording after clmali-rewrite --recording=DIR. The program is not changed; its "
    "exit\n"
    "code is that of clmali-inject. In any doubt the original kernel runs.",
    ExitCodes};

int fail(const Twine &Message) {
  errs() << "clmali-inject: " << Message << "\n";
  return 2;
}

struct Given {
  std::string Folder, Report, Pretend;
  unsigned Check = 0;
  bool DropIn = false, RequireProved = false, AllowTested = false;
  std::vector<std::string> Command;
};

/// An exit code, if the program ends here.
std::optional<int> parse(ArrayRef<const char *> Args, Given &G) {
  options::Printed Only;
  std::string Basis;
  options::Parser P(Self.Name, Options);
  Only.bind(P);
  P.flag("--drop-in", G.DropIn);
  P.flag("--allow-tested", G.AllowTested);
  P.word("--require", Basis);
  P.number("--check", G.Check, 1);
  P.text("--report", G.Report);
  P.text("--pretend", G.Pretend);
  Expected<options::Arguments> A = P.parse(Args);
  if (!A)
    return fail(toString(A.takeError()));
  if (Only.print(Self))
    return 0;
  G.Command = A->Behind;
  G.RequireProved = Basis == "proved";
  if (G.RequireProved && G.AllowTested)
    return fail("--require=proved and --allow-tested exclude each other");
  if (A->Operands.size() != 1 || G.Command.empty())
    return fail("name the recording and the program: clmali-inject DIR -- PROGRAM ARGUMENTS...");
  G.Folder = A->Operands.front();
  return std::nullopt;
}

std::string absolute(StringRef Path) {
  SmallString<256> Full(Path);
  sys::fs::make_absolute(Full);
  return std::string(Full);
}

} // namespace

int main(int Argc, char **Argv) {
  Given G;
  if (std::optional<int> Code = parse(ArrayRef<const char *>(Argv + 1, Argv + Argc), G))
    return *Code;
  Expected<std::string> Layer = record::layerFolder(Argv[0]);
  if (!Layer)
    return fail(toString(Layer.takeError()));
  if (!sys::fs::exists(G.Folder + "/inject.json"))
    return fail("'" + G.Folder + "' holds no rewritten kernels; run clmali-rewrite --recording=" +
                G.Folder + " first");
  std::vector<std::pair<std::string, std::string>> Variables{
      {"CLMALI_INJECT", absolute(G.Folder)}, {"CLMALI_INJECT_CHECK", std::to_string(G.Check)}};
  if (!G.Pretend.empty()) {
    Expected<std::pair<std::string, std::string>> Answers = record::pretendVariable(G.Pretend);
    if (!Answers)
      return fail("--pretend: " + toString(Answers.takeError()));
    Variables.push_back(std::move(*Answers));
  }
  if (!G.Report.empty())
    Variables.emplace_back("CLMALI_INJECT_REPORT", absolute(G.Report));
  if (G.RequireProved)
    Variables.emplace_back("CLMALI_INJECT_REQUIRE", "proved");
  if (G.AllowTested)
    Variables.emplace_back("CLMALI_INJECT_ALLOW_TESTED", "1");
  Expected<int> Code = record::runWithLayer(G.Command, *Layer, G.DropIn, Variables);
  return Code ? *Code : fail(toString(Code.takeError()));
}
