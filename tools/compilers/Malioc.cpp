//===- Malioc.cpp - runs Arm's offline compiler and reads its JSON ----------------------------===//

#include "tools/compilers/Compiled.h"
#include "tools/compilers/Run.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Program.h"
#include <cmath>

using namespace llvm;
using namespace clmali;
using namespace clmali::compilers;

Expected<std::string> compilers::findMalioc() {
  if (std::optional<std::string> Set = sys::Process::GetEnv("CLMALI_MALIOC")) {
    auto Found = sys::findProgramByName(*Set); // a path is returned unchecked
    if (Found && sys::fs::can_execute(*Found))
      return *Found;
    return failure("CLMALI_MALIOC names no program: " + *Set);
  }
  if (auto Found = sys::findProgramByName("malioc"))
    return *Found;
  return failure("Arm's offline compiler is not on PATH and CLMALI_MALIOC is not set; install Arm "
                 "Performance Studio, or use --cost=model");
}

/// The cycles of the pipeline \p Name in a list of cycles. malioc writes null for "not available".
static std::optional<double> cyclesOf(const json::Array &Pipelines, const json::Array &Cycles,
                                      StringRef Name) {
  for (size_t I = 0; I < Pipelines.size() && I < Cycles.size(); ++I)
    if (Pipelines[I].getAsString() == Name) {
      std::optional<double> X = Cycles[I].getAsNumber();
      return X && std::isfinite(*X) && *X >= 0 ? X : std::nullopt;
    }
  return std::nullopt;
}

/// All instructions counted once: total_cycles. The arithmetic pipeline is one figure (arithmetic,
/// or arith_total), or the largest of its parts.
static std::optional<Work> work(const json::Object &Performance) {
  const json::Array *Pipelines = Performance.getArray("pipelines");
  const json::Object *Total = Performance.getObject("total_cycles");
  const json::Array *Cycles = Total ? Total->getArray("cycle_count") : nullptr;
  if (!Pipelines || !Cycles || Pipelines->size() != Cycles->size())
    return std::nullopt;
  Work W;
  for (StringRef Name : {"arithmetic", "arith_total"})
    if (!W.Arithmetic)
      W.Arithmetic = cyclesOf(*Pipelines, *Cycles, Name);
  if (!W.Arithmetic)
    for (StringRef Name : {"arith_fma", "arith_cvt", "arith_sfu"})
      if (std::optional<double> X = cyclesOf(*Pipelines, *Cycles, Name))
        W.Arithmetic = std::max(W.Arithmetic.value_or(0), *X);
  W.LoadStore = cyclesOf(*Pipelines, *Cycles, "load_store");
  W.Texture = cyclesOf(*Pipelines, *Cycles, "texture");
  for (auto [Name, X] : {std::pair{"arithmetic", W.Arithmetic}, std::pair{"loadStore", W.LoadStore},
                         std::pair{"texture", W.Texture}})
    if (X && (!W.Cycles || *X > *W.Cycles)) {
      W.Cycles = X;
      W.Bound = Name;
    }
  return W.Cycles ? std::optional(W) : std::nullopt;
}

static void addProperties(const json::Array *Properties, Cost &C) {
  if (!Properties)
    return;
  for (const json::Value &V : *Properties) {
    const json::Object *O = V.getAsObject();
    std::optional<StringRef> Name = O ? O->getString("name") : std::nullopt;
    std::optional<int64_t> X = O ? O->getInteger("value") : std::nullopt;
    if (!Name || !X || *X < 0)
      continue;
    if (*Name == "work_registers_used")
      C.Registers = *X;
    else if (*Name == "thread_occupancy")
      C.Occupancy = *X;
    else if (*Name == "stack_spill_bytes")
      C.Spills = (*X + 3) / 4; // in registers of 32 bits
  }
}

static std::string joined(const json::Array *Messages) {
  std::vector<std::string> All;
  if (Messages)
    for (const json::Value &V : *Messages)
      All.push_back(V.getAsString().value_or("").str());
  return join(All, "; ");
}

Expected<Cost> compilers::parseMalioc(StringRef Json) {
  Expected<json::Value> Root = json::parse(Json);
  if (!Root)
    return Root.takeError();
  const json::Object *Report = Root->getAsObject();
  const json::Array *Shaders = Report ? Report->getArray("shaders") : nullptr;
  const json::Object *Shader =
      Shaders && Shaders->size() == 1 ? (*Shaders)[0].getAsObject() : nullptr;
  if (!Shader)
    return failure("the report of malioc has not exactly one kernel");
  Cost C;
  C.Compiler = "malioc";
  C.File = Shader->getString("filename").value_or("").str();
  if (const json::Object *Producer = Report->getObject("producer"))
    if (const json::Array *Version = Producer->getArray("version")) {
      std::vector<std::string> Parts;
      for (const json::Value &V : *Version)
        Parts.push_back(std::to_string(V.getAsInteger().value_or(0)));
      C.Version = join(Parts, ".");
    }
  if (const json::Object *Hardware = Shader->getObject("hardware"))
    C.Device = Hardware->getString("core").value_or("").lower();
  if (std::string Errors = joined(Shader->getArray("errors")); !Errors.empty()) {
    C.Reason = Errors;
    return C;
  }
  const json::Array *Variants = Shader->getArray("variants");
  const json::Object *Main =
      Variants && !Variants->empty() ? (*Variants)[0].getAsObject() : nullptr;
  const json::Object *Performance = Main ? Main->getObject("performance") : nullptr;
  std::optional<Work> W = Performance ? work(*Performance) : std::nullopt;
  if (!W) {
    C.Reason = "the report of malioc has no cycles";
    return C;
  }
  C.Once = *W;
  C.LoopsCountedOnce = true; // malioc does not say whether there are loops
  addProperties(Main->getArray("properties"), C);
  return C;
}

Expected<Cost> compilers::runMalioc(StringRef Path, StringRef Kernel, StringRef Device,
                                    ArrayRef<std::string> Options) {
  Expected<std::string> Program = findMalioc();
  if (!Program)
    return Program.takeError();
  StringRef Model = Device;
  Model.consume_front("mali-");
  std::string Core = "Mali-" + Model.upper();
  std::vector<StringRef> Args = {*Program, "--opencl", "--format", "json",
                                 "--core", Core,       "--name",   Kernel};
  for (const std::string &O : Options)
    if (StringRef(O).starts_with("-D"))
      Args.push_back(O);
  Args.push_back(Path);
  Expected<Output> Done = runProgram(Args, "", /*Seconds=*/60);
  if (!Done)
    return Done.takeError();
  // An error report is JSON as well, with another exit status.
  Expected<Cost> C = parseMalioc(Done->Out);
  if (!C) {
    std::string What = toString(C.takeError());
    std::string Said = StringRef(Done->Err + " " + Done->Out).trim().str();
    return failure("malioc failed on " + Path + ", kernel " + Kernel + ", " + Core + ": " +
                   (Done->Message.empty() ? Said : Done->Message) + " (" + What + ")");
  }
  C->File = Path.str();
  C->Kernel = Kernel.str();
  C->Device = Device.str();
  return C;
}
