//===- Main.cpp - clmali-record ---------------------------------------------------------------===//
//
// Runs a program with the layer, which writes what it launches, and makes launch files of that.
//
//   clmali-record --output=recording -- python3 tools/photo.py
//
//===------------------------------------------------------------------------------------------===//

#include "tools/layer/Files.h"
#include "tools/options/Parse.h"
#include "tools/record/Merge.h"
#include "tools/record/Pretend.h"
#include "tools/record/Start.h"
#include "tools/record/Table.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"
#include <cstdlib>
#include <optional>
#include <set>

using namespace llvm;
using namespace clmali;

namespace {

constexpr options::Option Options[] = {
    {"--output", "DIR", "the folder of the recording (recording); a further run adds to it",
     "@folder"},
    {"--kernels", "GLOB", "record only kernels with such names"},
    {"--data", "KIND", "contents of buffers: full, sampled (a few launches of each kernel) or none",
     "full sampled none"},
    {"--refuse-binaries", "",
     "refuse binaries of unknown source once, so that programs with a cache compile the source; "
     "some programs end then"},
    {"--pretend", "DEVICE",
     "answer device queries as DEVICE would (mali-g610); the kernels run on the device at hand. "
     "What it cannot do is said, and the recording names both",
     "@device"},
    {"--keep-caches", "",
     "let the program use its caches; else it gets an empty folder for them (XDG_CACHE_HOME), so "
     "that it compiles its kernels from source"},
    {"--drop-in", "", "stand in for libOpenCL.so.1, if that knows no layers"},
    {"--help", "", "this text"},
    {"--version", "", "the version"}};

constexpr std::pair<int, StringLiteral> ExitCodes[] = {
    {2, "the program could not be started, or nothing could be written"}};

const options::Program Self = {"clmali-record",
                               "records what a program launches with OpenCL",
                               "-- PROGRAM ARGUMENTS...",
                               Options,
                               "The program is not changed. Its exit code is that of "
                               "clmali-record. A recording holds data of\n"
                               "the program: its files are for their owner only.",
                               ExitCodes};

int fail(const Twine &Message) {
  errs() << "clmali-record: " << Message << "\n";
  return 2;
}

struct Given {
  std::string Output = "recording", Kernels = "*", Data = "sampled", Pretend;
  bool DropIn = false, RefuseBinaries = false, KeepCaches = false;
  std::vector<std::string> Command;
};

/// An exit code, if the program ends here.
std::optional<int> parse(ArrayRef<const char *> Args, Given &G) {
  options::Printed Only;
  options::Parser P(Self.Name, Options);
  Only.bind(P);
  P.flag("--drop-in", G.DropIn);
  P.flag("--refuse-binaries", G.RefuseBinaries);
  P.flag("--keep-caches", G.KeepCaches);
  P.text("--output", G.Output);
  P.text("--kernels", G.Kernels);
  P.word("--data", G.Data);
  P.text("--pretend", G.Pretend);
  Expected<options::Arguments> A = P.parse(Args);
  if (!A)
    return fail(toString(A.takeError()));
  if (Only.print(Self))
    return 0;
  G.Command = A->Behind;
  if (!A->Operands.empty() || G.Command.empty())
    return fail("name the program: clmali-record [options] -- PROGRAM ARGUMENTS...");
  return std::nullopt;
}

/// What of the environment gives a program empty caches, in Folder. The device's own cache stays:
/// it holds what was compiled from sources that the layer sees.
std::vector<std::pair<std::string, std::string>> emptyCaches(StringRef Folder) {
  auto Text = [](const char *Name) {
    const char *Value = std::getenv(Name);
    return std::string(Value ? Value : "");
  };
  std::string Own = Text("XDG_CACHE_HOME");
  if (Own.empty() && !Text("HOME").empty())
    Own = Text("HOME") + "/.cache";
  std::vector<std::pair<std::string, std::string>> Variables = {{"XDG_CACHE_HOME", Folder.str()}};
  if (Text("POCL_CACHE_DIR").empty() && !Own.empty())
    Variables.emplace_back("POCL_CACHE_DIR", Own + "/pocl/kcache");
  return Variables;
}

} // namespace

int main(int Argc, char **Argv) {
  Given G;
  if (std::optional<int> Code = parse(ArrayRef<const char *>(Argv + 1, Argv + Argc), G))
    return *Code;
  Expected<std::string> Layer = record::layerFolder(Argv[0]);
  if (!Layer)
    return fail(toString(Layer.takeError()));
  SmallString<256> Folder(G.Output);
  sys::fs::make_absolute(Folder);
  if (!layer::makeFolder(std::string(Folder)))
    return fail("cannot make the folder '" + Folder + "'");
  const std::string Caches = std::string(Folder) + "/caches";
  std::vector<std::pair<std::string, std::string>> Variables = {
      {"CLMALI_RECORD", std::string(Folder)},
      {"CLMALI_RECORD_KERNELS", G.Kernels},
      {"CLMALI_RECORD_DATA", G.Data},
      {"CLMALI_REFUSE_BINARIES", G.RefuseBinaries ? "1" : ""}};
  if (!G.Pretend.empty()) {
    Expected<std::pair<std::string, std::string>> Answers = record::pretendVariable(G.Pretend);
    if (!Answers)
      return fail("--pretend: " + toString(Answers.takeError()));
    Variables.push_back(std::move(*Answers));
  }
  // Programs look elsewhere if the folder is not there.
  if (!G.KeepCaches) {
    if (!layer::makeFolder(Caches))
      return fail("cannot make the folder '" + Caches + "'");
    append_range(Variables, emptyCaches(Caches));
  }
  Expected<int> Code = record::runWithLayer(G.Command, *Layer, G.DropIn, Variables);
  if (!G.KeepCaches)
    sys::fs::remove_directories(Caches);
  if (!Code)
    return fail(toString(Code.takeError()));
  Expected<record::Recording> R = record::readRecording(std::string(Folder));
  if (!R)
    return fail(toString(R.takeError()));
  if (R->Programs.empty() && R->Others.empty()) {
    record::printNotHonoured(*R, errs());
    return fail(record::whyNothing(*R, G.Command.front(), G.Kernels, *Code));
  }
  if (Error E = record::writeLaunchFiles(std::string(Folder), std::move(*R), errs()))
    return fail(toString(std::move(E)));
  errs() << "recorded in " << G.Output << "; next: clmali-rewrite --recording=" << G.Output << "\n";
  return *Code;
}
