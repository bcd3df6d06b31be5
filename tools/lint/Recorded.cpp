//===- Recorded.cpp - findings of a recording -------------------------------------------------===//
//
// Programs have many kernels that they never launch, and build one text with many options. Of
// --recording, only findings of launched kernels are shown (--all-kernels: all), those of one text
// once. The kernels of each program are in the recording's index.json.
//
//===------------------------------------------------------------------------------------------===//

#include "tools/lint/Lint.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace llvm;
using namespace clmali;
using namespace clmali::lint;

namespace {

struct Program {
  std::string Source; ///< hash of the text
  StringSet<> Launched;
};

/// By the folder, with a slash at its end.
StringMap<Program> programsOf(const std::string &Recording) {
  StringMap<Program> All;
  ErrorOr<std::unique_ptr<MemoryBuffer>> Buffer = MemoryBuffer::getFile(Recording + "/index.json");
  Expected<json::Value> Index = json::parse(Buffer ? (*Buffer)->getBuffer() : StringRef("{}"));
  const json::Object *Root = Index ? Index->getAsObject() : nullptr;
  if (!Index)
    consumeError(Index.takeError());
  const json::Array *Programs = Root ? Root->getArray("programs") : nullptr;
  for (const json::Value &V : Programs ? *Programs : json::Array()) {
    const json::Object *Entry = V.getAsObject();
    const json::Array *Kernels = Entry ? Entry->getArray("kernels") : nullptr;
    if (!Kernels)
      continue;
    Program &P = All[Recording + "/" + Entry->getString("key").value_or("").str() + "/"];
    P.Source = Entry->getString("sha256").value_or("").str();
    for (const json::Value &K : *Kernels)
      if (const json::Object *O = K.getAsObject())
        P.Launched.insert(O->getString("kernel").value_or(""));
  }
  return All;
}

} // namespace

void lint::selectRecorded(const Options &O, Report &R) {
  for (const std::string &Recording : O.Recordings) {
    const StringMap<Program> Programs = programsOf(Recording);
    StringSet<> Seen;
    unsigned NotLaunched = 0, Again = 0;
    erase_if(R.Findings, [&](const LocatedFinding &F) {
      auto It = find_if(
          Programs, [&](const auto &P) { return StringRef(F.At.File).starts_with(P.getKey()); });
      if (It == Programs.end())
        return false;
      const Program &P = It->second;
      if (!O.AllKernels && !F.Kernel.empty() && !P.Launched.contains(F.Kernel)) {
        ++NotLaunched;
        return true;
      }
      const std::string Key = P.Source + StringRef(F.At.File).drop_front(It->getKeyLength()).str() +
                              ":" + std::to_string(F.At.Offset) + F.Rule->Id + F.Kernel + F.Message;
      const bool IsNew = Seen.insert(Key).second;
      Again += !IsNew;
      return !IsNew;
    });
    if (NotLaunched)
      R.Notes.push_back({Recording, 0, 0,
                         std::to_string(NotLaunched) +
                             " findings of kernels that were not launched are left out; "
                             "--all-kernels shows them"});
    if (Again)
      R.Notes.push_back({Recording, 0, 0,
                         std::to_string(Again) +
                             " findings are left out that other builds of the text have, too"});
  }
}
