//===-- checks/model/host/summary/CallSummary.h - Who runs what, over host files -*- C++ -*-===//
//
// The functions of a host file and who calls them, without its syntax tree: small enough
// to be kept from one run to the next. Joined with the outlines of other files it says in
// which loop a function runs, wherever that loop stands.
//
//   sim.cpp   void step(..) { clFinish(q); }     Function{ "step/1" }
//   main.cpp  while (run) step(q);               Run{ "step/1", in main, Loops }
//
// Limits: a call of a function that no file defines, or that several files define, runs
// nothing; pointers to functions are not followed. This header includes no Clang.
//
//===----------------------------------------------------------------------===//
#ifndef CLMALI_CHECKS_MODEL_HOST_SUMMARY_CALLSUMMARY_H
#define CLMALI_CHECKS_MODEL_HOST_SUMMARY_CALLSUMMARY_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/JSON.h"
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace clmali::model {

struct HostModule;

/// By which name files know a function: qualified and with the number of its parameters; and of
/// which types these are.
struct HostName {
  std::string Name, Types;
  auto operator<=>(const HostName &) const = default;
};

struct CallSummary {
  enum Effect : uint8_t {
    Works = 1,    ///< gives the GPU work
    Launches = 2, ///< kernels
    SetsUp = 4,   ///< makes a context or a queue
    Programs = 8, ///< makes or builds programs itself
    Waits = 16,   ///< for the GPU, itself
    Main = 32,
    Hidden = 64, ///< from other files
  };
  struct Function {
    HostName Is;
    std::vector<HostName> Overrides;  ///< methods of base classes
    std::vector<std::string> Aliases; ///< what else this file calls it
    std::string At;                   ///< file and offset: several files see what a header defines
    uint32_t NameAt = ~0u;            ///< in the main file
    uint8_t Does = 0;                 ///< Effects, also by others of this file
    bool HasCalls = false;            ///< of the API, directly
  };
  struct Loop {
    uint32_t Begin = 0, End = 0; ///< in the file of its run
    bool Item = false;           ///< each turn has another object
    bool Devices = false;        ///< it speaks of devices
    uint8_t Does = 0;
  };
  /// A place where a function is run.
  struct Run {
    HostName To;
    uint32_t From = ~0u; ///< of Functions
    uint32_t File = 0;   ///< of Files
    uint32_t Begin = 0, End = 0;
    bool OnlyOnce = false;   ///< where what it sets up is missing: `if (!ready) setUp();`
    std::vector<Loop> Loops; ///< around it in its function, innermost first
  };
  std::vector<std::string> Files;
  std::vector<Function> Functions;
  std::vector<Run> Runs;      ///< in the order of the source
  bool LoadsBinaries = false; ///< it makes programs of binaries
  bool AsksForUnity = false;  ///< whether memory is unified
};

llvm::json::Value toJSON(const CallSummary &O);
std::optional<CallSummary> callSummaryFromJSON(const llvm::json::Value &V);

/// What the calls of one file owe to others.
struct CrossFileFacts {
  /// The loop in which a function runs.
  struct LoopContext {
    std::string File; ///< of the call in the loop; empty: there is no loop
    uint32_t Begin = 0, End = 0;
    bool OncePerItem = false; ///< it sets something up, once for each item
    bool Item = false, Devices = false;
  };
  /// For each function that calls the API; [1] is asked for what makes buffers, programs and
  /// kernels.
  std::map<uint32_t, std::array<LoopContext, 2>> Loops;
  std::vector<uint32_t> Started; ///< functions that `main` runs, of another file
  /// What calls of functions of other files are known to do, by the deeds of CallSummary.
  std::map<HostName, uint8_t> Elsewhere;
  bool LoadsBinaries = false, AsksForUnity = false; ///< another file of the same program does
  /// All of it, as a text.
  std::string key() const;
};

class SummaryLinker {
public:
  explicit SummaryLinker(std::vector<const CallSummary *> Files);
  CrossFileFacts factsOf(size_t File) const;
  /// Which functions the main file of this one comes to.
  std::vector<bool> reachedBy(size_t File) const;

private:
  struct Node {
    uint32_t File, Function;
    auto operator<=>(const Node &) const = default;
  };
  struct RunAt {
    uint32_t File, Run;
  };
  std::vector<const CallSummary *> Files;
  std::vector<std::vector<std::vector<RunAt>>> Into;   ///< of a function
  std::vector<std::vector<std::vector<Node>>> Targets; ///< of a run
  std::vector<std::vector<std::vector<uint32_t>>> Out; ///< runs from a function

  const CallSummary::Function &at(Node N) const { return Files[N.File]->Functions[N.Function]; }
  bool does(Node N, uint8_t Effect, unsigned Depth = 0) const;
  bool doesElsewhere(Node N, uint8_t Effect, unsigned Depth) const;
  bool does(RunAt R, const CallSummary::Loop &Loop, uint8_t Effect) const;
  CrossFileFacts::LoopContext loopContext(Node N, bool SettingUp) const;
  bool isStarted(Node N) const;
};

/// Tells the calls of \p M in which loops their functions run. \p TextOf gives the text of another
/// file.
void applyCrossFileFacts(
    HostModule &M, const CrossFileFacts &S,
    llvm::function_ref<std::optional<std::string>(llvm::StringRef File)> TextOf);

} // namespace clmali::model
#endif
