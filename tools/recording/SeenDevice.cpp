//===- SeenDevice.cpp -------------------------------------------------------------------------===//

#include "tools/recording/SeenDevice.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace llvm;

namespace clmali::record {

SeenDevice seenDevice(const json::Object &O) {
  auto text = [&](StringRef Key) { return O.getString(Key).value_or("").str(); };
  return {text("platform"), text("name"),      text("driver"),
          text("type"),     text("pretended"), text("family")};
}

json::Value toJson(const SeenDevice &D) {
  json::Object O{
      {"platform", D.Platform}, {"name", D.Name}, {"driver", D.Driver}, {"type", D.Type}};
  if (!D.Pretended.empty()) {
    O["pretended"] = D.Pretended;
    O["family"] = D.Family;
  }
  return O;
}

std::string description(const SeenDevice &D) {
  return D.Name + " (" + D.Type + ")" + (D.Pretended.empty() ? "" : ", seen as " + D.Pretended);
}

/// The families that the program took the device for; 0: none that rules know.
static rules::FamilySet familiesOf(const SeenDevice &D) {
  if (D.Type != "GPU" && D.Pretended.empty())
    return 0;
  Expected<rules::FamilySet> Set = rules::resolveDevice(D.Pretended.empty() ? D.Name : D.Pretended);
  if (Set)
    return *Set;
  consumeError(Set.takeError());
  return 0;
}

std::vector<std::string> otherDevices(const std::string &Recording, rules::FamilySet Target) {
  Target &= ~(1u << rules::findFamily("generic")->Index);
  ErrorOr<std::unique_ptr<MemoryBuffer>> Buffer = MemoryBuffer::getFile(Recording + "/index.json");
  if (!Buffer || !Target)
    return {};
  std::vector<std::string> Texts;
  Expected<json::Value> Index = json::parse((*Buffer)->getBuffer());
  const json::Object *Root = Index ? Index->getAsObject() : nullptr;
  if (!Index)
    consumeError(Index.takeError());
  const json::Array *Devices = Root ? Root->getArray("devices") : nullptr;
  for (const json::Value &V : Devices ? *Devices : json::Array())
    if (const json::Object *O = V.getAsObject()) {
      SeenDevice D = seenDevice(*O);
      if (familiesOf(D) & Target)
        continue;
      const bool IsGpu = D.Type == "GPU" || !D.Pretended.empty();
      Texts.push_back("recorded on " + description(D) + ", " +
                      (IsGpu ? "which is not of the family " : "no GPU such as ") +
                      rules::familyNames(Target) +
                      ": there the program may launch other kernels and sizes" +
                      (IsGpu ? "" : "; clmali-record --pretend answers as a GPU"));
    }
  return Texts;
}

} // namespace clmali::record
