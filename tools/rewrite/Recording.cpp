//===- Recording.cpp - rewrites the programs of a recording -----------------------------------===//
//
// Before: DIR of clmali-record: index.json, PROGRAM/program.cl, PROGRAM/KERNEL.launch.yaml
// After:  PROGRAM/rewritten.cl, rewritten.manifest.json, rewritten.verdict.json for each program of
//         which a kernel holds, inject.json for clmali-inject, and a table.
//
//===------------------------------------------------------------------------------------------===//

#include "tools/layer/Options.h"
#include "tools/layer/text/Identity.h"
#include "tools/recording/OutcomeTable.h"
#include "tools/recording/SeenDevice.h"
#include "tools/rewrite/Inputs.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include <set>

using namespace llvm;
using namespace clmali;
using namespace clmali::tool;

namespace {

Error failure(const Twine &Message) { return createStringError(inconvertibleErrorCode(), Message); }

/// The device that judged, as the layer compares it; nothing if there is none.
std::optional<verify::DeviceInfo> judgingDevice(const Options &O) {
  Expected<std::vector<verify::DeviceInfo>> All = verify::listDevices();
  if (!All) {
    consumeError(All.takeError());
    return std::nullopt;
  }
  for (const verify::DeviceInfo &D : *All)
    if (O.Platform.empty() || StringRef(D.Platform).contains_insensitive(O.Platform) ||
        StringRef(D.Device).contains_insensitive(O.Platform))
      return D;
  return std::nullopt;
}

/// What the layer must know of each argument.
json::Array argumentsOf(const model::Kernel &K) {
  json::Array All;
  for (const model::Var *P : K.Params) {
    json::Object A{{"name", P->Name}};
    bool Integer = P->Ty->isScalar() && P->Ty->isInteger();
    const bool Buffer =
        P->isImage() || (P->isPointerParam() && P->Ty->AS != model::AddressSpace::Local);
    const bool Written = P->isImage() ? model::isWritable(*P)
                                      : P->Ty->AS != model::AddressSpace::Constant && !P->Ty->Const;
    A["bytes"] = Integer ? static_cast<int64_t>(P->Ty->Size) : 0;
    A["signed"] = Integer && model::isSigned(P->Ty->Scalar);
    A["buffer"] = Buffer;
    A["written"] = Buffer && Written;
    All.push_back(std::move(A));
  }
  return All;
}

bool isExact(ArrayRef<launch::LaunchFile> Launches) {
  return all_of(Launches, [](const launch::LaunchFile &L) {
    return L.Compare.isExact() && all_of(L.Args, [](const launch::Argument &A) {
             return !A.Compare || A.Compare->isExact();
           });
  });
}

/// The launches of \p Files in numbers, each once: what the rewrite was tested on for certain.
json::Array recordedLaunches(ArrayRef<launch::LaunchFile> Files) {
  json::Array All;
  auto numbers = [](const std::array<uint64_t, 3> &Values) {
    json::Array List;
    for (uint64_t V : Values)
      List.push_back(static_cast<int64_t>(V));
    return List;
  };
  for (const launch::LaunchFile &F : Files)
    for (const launch::Size &At : F.Sizes) {
      Expected<launch::Geometry> G = launch::geometryAt(F, At);
      Expected<launch::Bindings> Arguments = launch::integerArgumentsAt(F, At);
      if (!G || !Arguments) {
        consumeError(G.takeError());
        consumeError(Arguments.takeError());
        continue;
      }
      json::Object Values;
      for (const auto &[Name, Value] : *Arguments)
        Values[Name] = Value;
      json::Value One = json::Object{{"global", numbers(G->Global)},
                                     {"local", numbers(G->Local)},
                                     {"offset", numbers(G->Offset)},
                                     {"arguments", std::move(Values)}};
      if (!is_contained(All, One))
        All.push_back(std::move(One));
    }
  return All;
}

class RecordingRewriter {
public:
  RecordingRewriter(const Options &O, raw_ostream &Say) : O(O), Say(Say) {}

  Expected<int> run() {
    std::string Path = O.Recording + "/index.json";
    ErrorOr<std::unique_ptr<MemoryBuffer>> Buffer = MemoryBuffer::getFile(Path);
    if (!Buffer)
      return failure("cannot read '" + Path + "': " + Buffer.getError().message() +
                     "; clmali-record writes it");
    Expected<json::Value> Index = json::parse((*Buffer)->getBuffer());
    if (!Index)
      return failure(Path + ": " + toString(Index.takeError()));
    const json::Object *Root = Index->getAsObject();
    const json::Array *Programs = Root ? Root->getArray("programs") : nullptr;
    if (!Programs)
      return failure(Path + ": this is no index of a recording");
    std::optional<verify::DeviceInfo> Judging = judgingDevice(O);
    if (!Judging)
      return failure("there is no OpenCL device to verify on; install one, for instance "
                     "pocl-opencl-icd");
    Device = *Judging;
    // A target that is a model of the device at hand is no family.
    if (Expected<rules::FamilySet> Target = rules::resolveDevice(O.Device))
      for (const std::string &Text : record::otherDevices(O.Recording, *Target))
        Table.note(Text);
    else
      consumeError(Target.takeError());
    for (const json::Object *Entry : longestFirst(*Programs))
      if (Error E = program(*Entry))
        return std::move(E);
    if (Error E = writeList())
      return std::move(E);
    Table.finish();
    return Worst;
  }

private:
  /// The layer loads code only from files that no other user may write.
  static Error writePrivate(ArrayRef<OutputFile> Files) {
    if (Error E = writeAll(Files))
      return E;
    for (const OutputFile &F : Files)
      if (std::error_code Code = sys::fs::setPermissions(F.Path, sys::fs::perms::owner_read |
                                                                     sys::fs::perms::owner_write))
        return failure("cannot make '" + F.Path + "' private: " + Code.message());
    return Error::success();
  }

  /// After each kernel that holds: a run that is ended leaves what it has verified.
  Error writeList() {
    json::Array All;
    for (const auto &[Key, Entry] : Injected)
      All.push_back(json::Object(Entry));
    std::string Text =
        formatv("{0:2}\n", json::Value(json::Object{{"version", 1}, {"programs", std::move(All)}}));
    return writePrivate({{O.Recording + "/inject.json", Text}});
  }

  /// A run that is cut short has reached what takes the most time.
  std::vector<const json::Object *> longestFirst(const json::Array &Programs) {
    double Total = 0;
    std::vector<std::pair<double, const json::Object *>> Timed;
    for (const json::Value &P : Programs) {
      const json::Object *Entry = P.getAsObject();
      const json::Array *Kernels = Entry ? Entry->getArray("kernels") : nullptr;
      double Time = 0;
      for (const json::Value &V : Kernels ? *Kernels : json::Array())
        if (const json::Object *K = V.getAsObject())
          Time += K->getNumber("milliseconds").value_or(0);
      Total += Time;
      if (Entry)
        Timed.emplace_back(Time, Entry);
    }
    llvm::stable_sort(Timed, [](const auto &A, const auto &B) { return A.first > B.first; });
    Table.setTotal(Total);
    std::vector<const json::Object *> Sorted;
    for (const auto &[Time, Entry] : Timed)
      Sorted.push_back(Entry);
    return Sorted;
  }

  Error program(const json::Object &Entry) {
    const std::string Key = Entry.getString("key").value_or("").str();
    const json::Array *Kernels = Entry.getArray("kernels");
    if (Key.empty() || StringRef(Key).contains('/') || !Kernels)
      return Error::success();
    const std::string Sha = Entry.getString("sha256").value_or("").str();
    Options Own = O;
    Own.File = O.Recording + "/" + Key + "/program.cl";
    Own.KeepHeld = true;
    std::map<std::string, double> Times;
    for (const auto &[Time, K] : byTime(*Kernels)) {
      std::string Name = K->getString("kernel").value_or("").str();
      const json::Array *Files = K->getArray("launchFiles");
      if (!O.Kernel.empty() && O.Kernel != Name)
        continue;
      if (!Files || Files->empty())
        Table.add({Name, Key, Sha, "not recorded" + whyNot(*K), Time});
      else
        Times[Name] = Time;
      for (size_t I = 0; Files && I < Files->size(); ++I)
        if (std::optional<StringRef> F = (*Files)[I].getAsString())
          Own.Launches.push_back(O.Recording + "/" + Key + "/" + F->str());
    }
    if (Own.Launches.empty())
      return Error::success();
    std::set<std::string> Known;
    Error Unwritten = Error::success();
    Expected<Outcome> Result = rewriteFile(Own, Say, [&](const Outcome &SoFar) {
      const KernelOutcome &K = SoFar.Kernels.back();
      Table.add({K.Name, Key, Sha, withoutFolder(K.Summary, Key), Times[K.Name]});
      Known.insert(K.Name);
      Worst = std::max(Worst, int(K.Code));
      if (K.Manifest && !SoFar.Rewritten.empty())
        Unwritten = joinErrors(std::move(Unwritten), write(Entry, Key, Own, SoFar));
    });
    if (!Result) {
      consumeError(std::move(Unwritten));
      std::string Why = toString(Result.takeError());
      Say << Own.File << ": " << Why << "\n";
      for (const auto &[Name, Time] : Times)
        if (!Known.count(Name))
          Table.add({Name, Key, Sha,
                     "error: " + StringRef(withoutFolder(Why, Key)).split('\n').first.str(), Time});
      Worst = std::max(Worst, int(BadInput));
      return Error::success();
    }
    return Unwritten;
  }

  /// Kernels of the index with the milliseconds that they took together, most first.
  static std::vector<std::pair<double, const json::Object *>> byTime(const json::Array &Kernels) {
    std::vector<std::pair<double, const json::Object *>> Timed;
    for (const json::Value &V : Kernels)
      if (const json::Object *K = V.getAsObject())
        Timed.emplace_back(K->getNumber("milliseconds").value_or(0), K);
    stable_sort(Timed, [](const auto &A, const auto &B) { return A.first > B.first; });
    return Timed;
  }

  /// The table names the program in a column of its own, so that equal outcomes of two builds are
  /// one text.
  std::string withoutFolder(std::string Text, const std::string &Key) const {
    const std::string Folder = O.Recording + "/" + Key + "/";
    for (size_t At; (At = Text.find(Folder)) != std::string::npos;)
      Text.erase(At, Folder.size());
    return Text;
  }

  static std::string whyNot(const json::Object &Kernel) {
    const json::Array *All = Kernel.getArray("notRecorded");
    if (All && !All->empty())
      if (const json::Object *First = All->front().getAsObject())
        return ": " + First->getString("why").value_or("").str();
    return "";
  }

  /// The files of one program with what holds so far, and its entry of inject.json.
  Error write(const json::Object &Entry, const std::string &Key, const Options &Own,
              const Outcome &Result) {
    const std::string Manifest = launch::printManifest(Result.Manifest);
    const std::string Verdict = verdictRecords(Result);
    Expected<Inputs> In = readInputs(Own, nulls());
    if (!In)
      return In.takeError();
    Expected<std::unique_ptr<model::Module>> M = parse(Own, *In, In->Text);
    if (!M)
      return M.takeError();
    json::Object Kernels;
    for (const launch::ManifestKernel &K : Result.Manifest.Kernels)
      for (const auto &X : (*M)->Kernels)
        if (X->Name == K.Original)
          Kernels[K.Original] =
              json::Object{{"verdict", "held"},
                           {"basis", K.Verdict ? K.Verdict->Basis : std::string("tested")},
                           {"exact", isExact(In->Launches[K.Original])},
                           {"recorded", recordedLaunches(In->Launches[K.Original])},
                           {"arguments", argumentsOf(*X)}};
    json::Array Options;
    for (const std::string &Option :
         layer::normalizedOptions(Entry.getString("options").value_or("").str()))
      Options.push_back(Option);
    auto file = [&](StringRef Name, StringRef Text) {
      return json::Object{{"file", Key + "/" + Name.str()}, {"sha256", launch::sourceHash(Text)}};
    };
    const json::Array *Includes = Entry.getArray("includes");
    Injected[Key] = json::Object{
        {"source", "sha256:" + Entry.getString("sha256").value_or("").str()},
        {"identity", launch::sourceHash(layer::withoutRandomNames(In->Text)).substr(7)},
        {"options", std::move(Options)},
        {"includes", Includes ? json::Array(*Includes) : json::Array()},
        {"device", json::Object{{"platform", Device.Platform},
                                {"name", Device.Device},
                                {"driver", Device.Driver}}},
        {"rewritten", file("rewritten.cl", Result.Rewritten)},
        {"manifest", file("rewritten.manifest.json", Manifest)},
        {"verdict", file("rewritten.verdict.json", Verdict)},
        {"kernels", std::move(Kernels)}};
    const std::string Stem = O.Recording + "/" + Key + "/rewritten";
    if (Error E = writePrivate({{Stem + ".cl", Result.Rewritten},
                                {Stem + ".manifest.json", Manifest},
                                {Stem + ".verdict.json", Verdict}}))
      return E;
    return writeList();
  }

  const Options &O;
  raw_ostream &Say;
  verify::DeviceInfo Device;
  record::OutcomeTable Table;
  std::map<std::string, json::Object> Injected; ///< by the key of the program
  int Worst = Done;
};

} // namespace

Expected<int> tool::rewriteRecording(const Options &O, raw_ostream &Say) {
  return RecordingRewriter(O, Say).run();
}
