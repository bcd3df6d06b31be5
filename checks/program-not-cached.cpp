//===- program-not-cached.cpp (host) ----------------------------------------------------------===//
//
// Before: program = clCreateProgramWithSource(..), or loadProgram(context, "scale.cl") of another
// file
// After:  the binary of CL_PROGRAM_BINARIES, stored, and clCreateProgramWithBinary
// Limits: functions of other files are known by name only.
//
//===------------------------------------------------------------------------------------------===//

#include "checks/model/frontend/tolerant/TokenScan.h"
#include "checks/query/HostCalls.h"
#include "llvm/ADT/STLExtras.h"
#include <set>

using namespace llvm;
using namespace clmali;
using namespace clmali::checks;
using namespace clmali::model;

/// True if the code mentions Name outside of `#if 0`. Comments are removed already.
static bool speaksOf(StringRef Text, StringRef Name) {
  unsigned LeftOut = 0; ///< conditions that are open since #if 0
  while (!Text.empty()) {
    auto [Line, Rest] = Text.split('\n');
    Text = Rest;
    StringRef Code = Line.ltrim();
    if (Code.consume_front("#")) {
      Code = Code.ltrim();
      bool Opens = Code.starts_with("if");
      if (LeftOut)
        LeftOut += Opens ? 1
                   : Code.starts_with("endif") ||
                           (LeftOut == 1 && (Code.starts_with("else") || Code.starts_with("elif")))
                       ? -1
                       : 0;
      else if (Code.consume_front("if") && Code.trim() == "0")
        LeftOut = 1;
      continue;
    }
    if (!LeftOut && Code.contains(Name))
      return true;
  }
  return false;
}

static void run(const HostModule &H, Context &C) {
  if (H.Files.empty() || H.LoadsBinariesElsewhere)
    return;
  std::string Text = withoutComments(H.Files.front().Text);
  // The file may load binaries in a way that is no recognised call (through a pointer, or under a
  // condition).
  if (any_of(H.Calls,
             [](const HostCall &Call) { return Call.From == HostCall::Binary && !Call.Idle; }) ||
      speaksOf(Text, "ProgramWithBinary") || speaksOf(Text, "Program::Binaries"))
    return;
  // A file that fetches the binary where it builds the program caches it. A function that only
  // stores binaries may serve other programs, as may one that loads them.
  bool Fetched = speaksOf(Text, "CL_PROGRAM_BINARIES");
  auto Fetches = [&](const HostCall &Call) {
    return Call.Range.File == 0 && C.text(Call.Range).contains("CL_PROGRAM_BINARIES");
  };
  auto MakesOne = [&](const HostCall &Fetch) {
    return any_of(H.Calls, [&](const HostCall &Call) {
      return Call.From == HostCall::Source && Call.Function == Fetch.Function &&
             Call.FunctionAt == Fetch.FunctionAt;
    });
  };
  if (Fetched && (none_of(H.Calls, Fetches) || any_of(H.Calls, [&](const HostCall &Call) {
                    return Fetches(Call) && !MakesOne(Call);
                  })))
    return;
  // An included library header does not count as part of the file.
  auto LoadsThere = [&](uint32_t File) {
    return any_of(H.Calls, [&](const HostCall &Call) {
      return Call.From == HostCall::Binary && Call.Range.File == File;
    });
  };
  auto Builds = [](const HostCall &Call) {
    return shortName(Call) == "build" || shortName(Call) == "clBuildProgram";
  };
  // Prefer calls that create a program, then functions of other files that do, then calls that
  // build it.
  auto Rank = [&](const HostCall &Call) { return Call.MakesProgram ? 1 : Builds(Call) ? 2 : 0; };
  int Best = 3;
  for (const HostCall &Call : H.Calls)
    if (Call.From == HostCall::Source && !LoadsThere(Call.Range.File))
      Best = std::min(Best, Rank(Call));
  std::set<std::pair<StringRef, uint32_t>> Reported; ///< functions
  for (const HostCall &Call : H.Calls)
    if (Call.From == HostCall::Source && !LoadsThere(Call.Range.File) && Rank(Call) == Best &&
        (Best == 0 || Reported.insert({Call.Function, Call.FunctionAt}).second))
      C.report(Call.NameRange,
               Fetched
                   ? "the program is built from source each time: its binary is fetched, but "
                     "nothing here loads it"
                   : "the program is built from source each time, and its binary is never stored");
}

CLMALI_HOST_CHECK("program-not-cached", run);
