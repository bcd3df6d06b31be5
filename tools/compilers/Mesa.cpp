//===- Mesa.cpp - runs clmali-compilers and reads its JSON ------------------------------------===//

#include "tools/compilers/Compiled.h"
#include "tools/compilers/Run.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"
#include <cmath>

using namespace llvm;
using namespace clmali;
using namespace clmali::compilers;

Expected<std::string> compilers::findMesa() {
  static int Anchor;
  std::string Self = sys::fs::getMainExecutable(nullptr, &Anchor);
  StringRef Beside = sys::path::parent_path(Self);
  if (auto Found = sys::findProgramByName("clmali-compilers", {Beside}))
    return *Found;
  if (auto Found = sys::findProgramByName("clmali-compilers"))
    return *Found;
  return failure("clmali-compilers is neither in the folder of this program nor on PATH");
}

/// A finite number that is not negative; anything else is no figure.
static std::optional<double> number(const json::Object &O, StringRef Name) {
  std::optional<double> X = O.getNumber(Name);
  return X && std::isfinite(*X) && *X >= 0 ? X : std::nullopt;
}

static std::optional<unsigned> whole(const json::Object &O, StringRef Name) {
  std::optional<double> X = number(O, Name);
  if (!X || *X > 1e9 || *X != std::floor(*X))
    return std::nullopt;
  return static_cast<unsigned>(*X);
}

static Work work(const json::Object &O) {
  Work W;
  W.Arithmetic = number(O, "arithmetic");
  W.LoadStore = number(O, "loadStore");
  W.Texture = number(O, "texture");
  W.Cycles = number(O, "cycles");
  W.Groups = number(O, "groups");
  W.Loads = number(O, "loads");
  W.Stores = number(O, "stores");
  W.Bound = O.getString("bound").value_or("").str();
  return W;
}

static Cost cost(const json::Object &O) {
  auto Text = [&](StringRef Name) { return O.getString(Name).value_or("").str(); };
  Cost C;
  C.File = Text("file");
  C.Kernel = Text("kernel");
  C.Device = Text("device");
  C.CompiledFor = Text("compiledFor");
  C.Compiler = Text("compiler");
  C.Version = Text("version");
  if (Text("status") != "ok") {
    C.Reason = Text("reason");
    if (C.Reason.empty())
      C.Reason = "the compiler gave none";
    return C;
  }
  C.Once = work(O);
  if (!C.Once.total()) {
    C.Reason = "the compiler reported neither cycles nor instruction groups";
    return C;
  }
  if (const json::Object *W = O.getObject("weighted"))
    C.Weighted = work(*W);
  C.Main = number(O, "main");
  C.Bitwise = number(O, "bitwise");
  C.Control = number(O, "control");
  C.Registers = whole(O, "registers");
  C.Threads = whole(O, "threads");
  C.Occupancy = whole(O, "occupancy");
  C.MaxWorkGroup = whole(O, "maxWorkGroup");
  C.Spills = whole(O, "spills");
  C.Fills = whole(O, "fills");
  C.Loops = whole(O, "loops");
  C.LoopsCountedOnce = O.getBoolean("loopsCountedOnce").value_or(C.Loops.value_or(0) != 0);
  return C;
}

Expected<std::vector<Cost>> compilers::parseMesa(StringRef Json) {
  Expected<json::Value> Root = json::parse(Json);
  if (!Root)
    return Root.takeError();
  const json::Object *Object = Root->getAsObject();
  const json::Array *Costs = Object ? Object->getArray("costs") : nullptr;
  if (!Costs)
    return failure("the output of clmali-compilers has no list of costs");
  std::vector<Cost> All;
  for (const json::Value &V : *Costs) {
    const json::Object *O = V.getAsObject();
    if (!O)
      return failure("an entry of the costs is no object");
    All.push_back(cost(*O));
  }
  return All;
}

Expected<std::vector<Cost>> compilers::runMesa(ArrayRef<Source> Sources, StringRef Devices) {
  Expected<std::string> Program = findMesa();
  if (!Program)
    return Program.takeError();
  json::Array Jobs;
  for (const Source &S : Sources) {
    json::Object Job{{"name", json::fixUTF8(S.Name)},
                     {"source", json::fixUTF8(S.Text)},
                     {"options", json::Array(S.Options)},
                     {"kernels", json::Array(S.Kernels)}};
    json::Array Trips;
    for (const LoopTrips &L : S.Trips)
      Trips.push_back(L.ConstantDepth ? json::Value(json::Array{L.Count, L.ConstantDepth})
                                      : json::Value(L.Count));
    if (!Trips.empty())
      Job["trips"] = std::move(Trips);
    Jobs.push_back(std::move(Job));
  }
  std::string Input;
  raw_string_ostream(Input) << json::Value(std::move(Jobs));
  std::string Device = ("--device=" + Devices).str();
  // The driver has its own time limit for each source.
  Expected<Output> Done = runProgram({*Program, Device, "--jobs=-"}, Input, /*Seconds=*/0);
  if (!Done)
    return Done.takeError();
  if (Done->Status != 0 && Done->Status != 1) {
    StringRef Why = Done->Message.empty() ? StringRef(Done->Err).trim() : StringRef(Done->Message);
    return failure(Why.empty() ? StringRef("clmali-compilers failed") : Why);
  }
  return parseMesa(Done->Out);
}
