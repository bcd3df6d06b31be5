//===- Baseline.cpp - findings that an earlier run recorded -----------------------------------===//
//
// A baseline lists findings by fingerprint, which does not depend on line numbers, with the text
// that a reviewer needs. An entry with count N matches up to N findings.
//
//===------------------------------------------------------------------------------------------===//

#include "tools/lint/Lint.h"
#include "tools/sarif/Sarif.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SHA256.h"

using namespace llvm;
using namespace clmali;
using namespace clmali::lint;

std::string lint::fingerprint(const LocatedFinding &F) {
  SHA256 Hash;
  // Relative to the root of the repository, so that it does not depend on how the file was named.
  std::string Path = sarif::pathFromRoot(F.At.File);
  for (StringRef Part : {StringRef(F.Rule->Id), StringRef(Path), StringRef(F.Kernel)}) {
    Hash.update(Part);
    Hash.update(StringRef("\0", 1));
  }
  // Reformatting must not change the fingerprint.
  std::string Line;
  for (char C : F.At.LineText)
    if (!isSpace(C))
      Line += C;
  Hash.update(Line);
  return toHex(Hash.final(), /*LowerCase=*/true).substr(0, 32);
}

std::string lint::baselineText(const Report &R) {
  struct Entry {
    const LocatedFinding *First = nullptr;
    int64_t Count = 0;
  };
  std::map<std::string, Entry> ByPrint;
  std::vector<std::string> Order; // in report order, so that diffs of a baseline are readable
  for (const LocatedFinding &F : R.Findings) {
    std::string Print = fingerprint(F);
    Entry &E = ByPrint[Print];
    if (!E.Count++) {
      E.First = &F;
      Order.push_back(Print);
    }
  }
  // Findings of an old baseline that this run found again stay in the new one.
  for (const LocatedFinding &F : R.Known) {
    std::string Print = fingerprint(F);
    Entry &E = ByPrint[Print];
    if (!E.Count++) {
      E.First = &F;
      Order.push_back(Print);
    }
  }
  json::Array Findings;
  for (const std::string &Print : Order) {
    const Entry &E = ByPrint[Print];
    Findings.push_back(json::Object{{"fingerprint", Print},
                                    {"count", E.Count},
                                    {"rule", E.First->Rule->Id},
                                    {"file", sarif::text(sarif::pathFromRoot(E.First->At.File))},
                                    {"line", E.First->At.Line},
                                    {"message", sarif::text(E.First->Message)}});
  }
  std::string Buffer;
  raw_string_ostream Out(Buffer);
  Out << formatv("{0:2}",
                 json::Value(json::Object{{"version", 2}, {"findings", std::move(Findings)}}))
      << "\n";
  return Buffer;
}

Error lint::subtractBaseline(Report &R, StringRef Path, bool Part) {
  auto Buffer = MemoryBuffer::getFile(Path);
  if (!Buffer)
    return createStringError(Buffer.getError(), "cannot read the baseline '" + Path +
                                                    "': " + Buffer.getError().message() +
                                                    "; --write-baseline=" + Path + " makes one");
  Error None =
      createStringError(inconvertibleErrorCode(), "'" + Path + "' is no baseline of clmali-lint");
  Expected<json::Value> Root = json::parse((*Buffer)->getBuffer());
  if (!Root) {
    consumeError(Root.takeError());
    return None;
  }
  struct Entry {
    int64_t Left = 0;
    AbsentFinding Description;
  };
  std::map<std::string, Entry> Known;
  const json::Object *Top = Root->getAsObject();
  if (const json::Array *List = Top ? Top->getArray("findings") : nullptr) {
    for (const json::Value &V : *List) {
      const json::Object *O = V.getAsObject();
      std::optional<StringRef> Print = O ? O->getString("fingerprint") : std::nullopt;
      std::optional<int64_t> Count = O ? O->getInteger("count") : std::nullopt;
      if (!Print || !Count || *Count < 1)
        return None;
      Known[Print->str()] = {
          *Count,
          {O->getString("rule").value_or("").str(), O->getString("file").value_or("").str(),
           O->getString("message").value_or("").str(), Print->str(),
           static_cast<unsigned>(
               std::clamp<int64_t>(O->getInteger("line").value_or(1), 1, INT32_MAX))}};
    }
  } else {
    return None;
  }
  consumeError(std::move(None));
  std::vector<LocatedFinding> New;
  for (LocatedFinding &F : R.Findings) {
    auto At = Known.find(fingerprint(F));
    bool Is = At != Known.end() && At->second.Left > 0;
    if (Is)
      --At->second.Left;
    (Is ? R.Known : New).push_back(std::move(F));
  }
  R.Findings = std::move(New);
  R.HasBaseline = true;
  if (Part)
    return Error::success(); // entries of other shards are not found either
  for (auto &[Print, E] : Known)
    for (int64_t I = 0; I < std::min<int64_t>(E.Left, 1000); ++I)
      R.Gone.push_back(E.Description);
  return Error::success();
}
