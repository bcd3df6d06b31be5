//===-- checks/model/host/summary/CallSummary.h - Call graph over host files -*- C++ -*-===//
//
// The functions and call sites of a host file, without its syntax tree: small enough to be cached.
// Linked with the summaries of other files they show in which loop a function is called, whatever
// file the loop is in.
//
//   sim.cpp   void step(..) { clFinish(q); }     Function{ "step/1" }
//   main.cpp  while (run) step(q);               CallSite{ "step/1", in main, Loops }
//
// Limits: a call of a function that no file defines, or that several files define, has no target;
// pointers to functions are not followed. This header includes no Clang.
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

/// The name of a function in all files, qualified and with the number of its parameters; and the
/// types of these.
struct HostName {
  std::string Name, Types;
  auto operator<=>(const HostName &) const = default;
};

struct CallSummary {
  enum Effect : uint8_t {
    EnqueuesWork = 1,
    LaunchesKernels = 2,
    MakesContext = 4,  ///< or a queue
    MakesPrograms = 8, ///< or builds them, in its own body
    WaitsForGpu = 16,  ///< in its own body
    IsMain = 32,
    IsInternal = 64, ///< other files cannot call it
  };
  struct Function {
    HostName Is;
    std::vector<HostName> Overrides;  ///< methods of base classes
    std::vector<std::string> Aliases; ///< other names in this file
    std::string At;                   ///< file and offset: the same in all files with a header
    uint32_t NameAt = ~0u;            ///< in the main file
    uint8_t Effects = 0;              ///< also of functions of this file that it calls
    bool HasCalls = false;            ///< it calls the API itself
    uint8_t Gl = 0;                   ///< what each call of it does: bits of GlEffect (GlEffect.h)
  };
  struct Loop {
    uint32_t Begin = 0, End = 0; ///< in the file of the call site
    bool Item = false;           ///< each iteration has another object
    bool Devices = false;        ///< it is over devices
    uint8_t Effects = 0;
    uint8_t Gl = 0; ///< what each iteration does: bits of GlEffect
  };
  /// A call, or another expression that runs a function.
  struct CallSite {
    HostName To;
    uint32_t From = ~0u; ///< of Functions
    uint32_t File = 0;   ///< of Files
    uint32_t Begin = 0, End = 0;
    bool OnlyOnce = false; ///< under a condition that the call makes false: `if (!ready) setUp();`
    std::vector<Loop> Loops;    ///< around it in its function, innermost first
    uint8_t GlAround = 0;       ///< what is done around it in its function: bits of GlEffect
    bool Unconditional = false; ///< at each call of the function, in each iteration
  };
  std::vector<std::string> Files;
  std::vector<Function> Functions;
  std::vector<CallSite> CallSites; ///< in the order of the source
  bool LoadsBinaries = false;      ///< it makes programs of binaries
  bool AsksForUnity = false;       ///< whether memory is unified
};

llvm::json::Value toJSON(const CallSummary &O);
std::optional<CallSummary> callSummaryFromJSON(const llvm::json::Value &V);

/// What other files add to the facts of one file.
struct CrossFileFacts {
  /// The loop in which a function is called.
  struct LoopContext {
    std::string File; ///< of the call in the loop; empty: there is no loop
    uint32_t Begin = 0, End = 0;
    bool OncePerItem = false; ///< it sets something up for each item
    bool Item = false, Devices = false;
  };
  /// What is done with OpenGL around the calls of a function.
  struct GlContext {
    uint8_t Around = 0; ///< bits of GlEffect
    /// What the loop around a call does that computes (isComputation), and that call; 0: none.
    uint8_t Loop = 0;
    std::string File;
    uint32_t Begin = 0, End = 0;
    /// The loops in the function itself, by what functions of other files do in them.
    struct OwnLoop {
      std::string File;
      uint32_t Begin, End;
      uint8_t Gl;
    };
    std::vector<OwnLoop> Loops;
  };
  /// For each function that calls the API; [1] for calls that make textures.
  std::map<uint32_t, std::array<GlContext, 2>> Gl;
  /// For each function that calls the API; [1] for calls that make buffers, programs and kernels.
  std::map<uint32_t, std::array<LoopContext, 2>> Loops;
  std::vector<uint32_t> Started; ///< functions that `main` of another file reaches
  /// The effects of functions of other files.
  std::map<HostName, uint8_t> Elsewhere;
  bool LoadsBinaries = false, AsksForUnity = false; ///< another file of the same program does
  /// All facts as a text, for comparisons.
  std::string key() const;
};

class SummaryLinker {
public:
  explicit SummaryLinker(std::vector<const CallSummary *> Files);
  CrossFileFacts factsOf(size_t File) const;
  /// The functions that code of the main file reaches.
  std::vector<bool> reachedBy(size_t File) const;

private:
  struct Node {
    uint32_t File, Function;
    auto operator<=>(const Node &) const = default;
  };
  struct SiteAt {
    uint32_t File, Site;
  };
  std::vector<const CallSummary *> Files;
  std::vector<std::vector<std::vector<SiteAt>>> Into;  ///< call sites of a function
  std::vector<std::vector<std::vector<Node>>> Targets; ///< of a call site
  std::vector<std::vector<std::vector<uint32_t>>> Out; ///< call sites in a function

  const CallSummary::Function &at(Node N) const { return Files[N.File]->Functions[N.Function]; }
  /// N, or a function that it calls, has the effect.
  bool hasEffect(Node N, uint8_t Effect, unsigned Depth = 0) const;
  /// The same by functions of other files.
  bool hasForeignEffect(Node N, uint8_t Effect, unsigned Depth) const;
  bool hasEffect(SiteAt R, const CallSummary::Loop &Loop, uint8_t Effect) const;
  CrossFileFacts::LoopContext loopContext(Node N, bool IsSetup) const;
  CrossFileFacts::GlContext glContext(Node N, bool IsSetup) const;
  /// What a loop around R does in each iteration.
  uint8_t glOf(SiteAt R, const CallSummary::Loop &Loop) const;
  /// What functions of other files do by way of calls in the bytes [Begin, End) of a file, or
  /// anywhere in a function.
  uint8_t foreignGl(uint32_t File, uint32_t From, uint32_t Begin, uint32_t End,
                    unsigned Depth) const;
  bool isStarted(Node N) const;
};

/// Sets what other files decide for the calls of \p M: loops around their functions. \p TextOf
/// returns the text of another file.
void applyCrossFileFacts(
    HostModule &M, const CrossFileFacts &S,
    llvm::function_ref<std::optional<std::string>(llvm::StringRef File)> TextOf);

} // namespace clmali::model
#endif
