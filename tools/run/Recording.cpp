//===- Recording.cpp - replays what clmali-record recorded ------------------------------------===//

#include "tools/run/Recording.h"
#include "rewriters/verify/cases/Data.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace llvm;

namespace clmali::run {
namespace {

Error failure(const Twine &Message) { return createStringError(inconvertibleErrorCode(), Message); }

Expected<std::string> textOf(const std::string &Path) {
  ErrorOr<std::unique_ptr<MemoryBuffer>> Buffer = MemoryBuffer::getFile(Path, /*IsText=*/false);
  if (!Buffer)
    return failure("cannot read '" + Path + "': " + Buffer.getError().message());
  return (*Buffer)->getBuffer().str();
}

/// What one replay gave, in words; empty: the same result.
Expected<std::string> replay(const std::string &Recording, const std::string &Folder,
                             const json::Object &Entry, const verify::JudgeOptions &Options,
                             double &Milliseconds) {
  Expected<launch::LaunchFile> L =
      launch::readLaunchFile(Folder + "/" + Entry.getString("launch").value_or("").str());
  if (!L)
    return L.takeError();
  Expected<std::string> Source = textOf(launch::besideLaunchFile(*L, L->Source));
  if (!Source)
    return Source.takeError();
  verify::TimeRequest T;
  T.Program = {*Source, L->Source};
  T.Launch = *L;
  T.At = L->Sizes.front();
  T.Runs = 1;
  T.Options = Options;
  Expected<verify::Timing> Time = verify::timeLaunch(T);
  if (!Time)
    return Time.takeError();
  Milliseconds = Time->MedianMs;
  std::string Differing;
  const json::Object *Expect = Entry.getObject("expect");
  for (size_t I = 0; Expect && I < L->Args.size(); ++I) {
    std::optional<StringRef> File = Expect->getString(L->Args[I].Name);
    if (!File)
      continue;
    Expected<std::string> Want = textOf(Recording + "/" + File->str());
    if (!Want)
      return Want.takeError();
    if (I >= Time->Checksums.size() || Time->Checksums[I] != verify::mixSeed(0, *Want) >> 1)
      Differing += (Differing.empty() ? "" : ", ") + L->Args[I].Name;
  }
  return Differing;
}

} // namespace

Expected<int> replayRecording(const std::string &Folder, const verify::JudgeOptions &Options,
                              raw_ostream &Out) {
  Expected<std::string> Text = textOf(Folder + "/index.json");
  if (!Text)
    return Text.takeError();
  Expected<json::Value> Index = json::parse(*Text);
  if (!Index)
    return Index.takeError();
  const json::Object *Root = Index->getAsObject();
  const json::Array *Programs = Root ? Root->getArray("programs") : nullptr;
  if (!Programs)
    return failure(Folder + "/index.json: this is no index of a recording");
  unsigned Same = 0, Different = 0, Failed = 0;
  for (const json::Value &V : *Programs) {
    const json::Object *P = V.getAsObject();
    const json::Array *Kernels = P ? P->getArray("kernels") : nullptr;
    for (const json::Value &W : Kernels ? *Kernels : json::Array()) {
      const json::Object *K = W.getAsObject();
      const json::Array *Replays = K ? K->getArray("replays") : nullptr;
      for (const json::Value &X : Replays ? *Replays : json::Array()) {
        const json::Object *R = X.getAsObject();
        if (!R)
          continue;
        double Ms = 0;
        Expected<std::string> Differing =
            replay(Folder, Folder + "/" + P->getString("key").value_or("").str(), *R, Options, Ms);
        std::string Name = R->getString("launch").value_or("").str();
        if (!Differing) {
          ++Failed;
          Out << Name << ": not run: " << toString(Differing.takeError()) << "\n";
        } else if (Differing->empty()) {
          ++Same;
          Out << formatv("{0}: same result, {1:f3} ms\n", Name, Ms);
        } else {
          ++Different;
          Out << Name << ": another result in " << *Differing << "\n";
        }
      }
    }
  }
  Out << Same << " launches replayed with the same result, " << Different << " with another, "
      << Failed << " not run\n";
  return Different ? 3 : Failed ? 2 : 0;
}

} // namespace clmali::run
