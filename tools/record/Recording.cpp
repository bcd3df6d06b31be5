//===- Recording.cpp - reads what the layer wrote ---------------------------------------------===//

#include "tools/record/Recording.h"
#include "rewriters/launch/ImageFormat.h"
#include "tools/layer/Options.h"
#include "tools/recording/SeenDevice.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/SHA256.h"

using namespace llvm;

namespace clmali::record {
namespace {

Error failure(const Twine &Message) { return createStringError(inconvertibleErrorCode(), Message); }

std::string textOf(StringRef Path) {
  ErrorOr<std::unique_ptr<MemoryBuffer>> Buffer = MemoryBuffer::getFile(Path, /*IsText=*/false);
  return Buffer ? (*Buffer)->getBuffer().str() : std::string();
}

std::vector<uint64_t> numbers(const json::Object &O, StringRef Key) {
  std::vector<uint64_t> All;
  if (const json::Array *A = O.getArray(Key))
    for (const json::Value &V : *A)
      All.push_back(V.getAsUINT64().value_or(0));
  return All;
}

/// Relative include folders as absolute ones: the program's working folder is not ours.
std::string absoluteIncludes(const std::string &Options, StringRef WorkingFolder) {
  std::string Result = Options;
  for (const std::string &Folder : layer::includeFolders(Options)) {
    if (sys::path::is_absolute(Folder) || Folder.empty())
      continue;
    SmallString<256> Full(WorkingFolder);
    sys::path::append(Full, Folder);
    for (StringRef Before : {"-I ", "-I"})
      if (size_t At = Result.find((Before + Folder).str()); At != std::string::npos) {
        Result.replace(At + Before.size(), Folder.size(), std::string(Full));
        break;
      }
  }
  return Result;
}

class Reader {
public:
  explicit Reader(std::string Folder) : Folder(std::move(Folder)) {}

  Expected<Recording> run() {
    std::error_code Code;
    std::vector<std::string> Processes;
    for (sys::fs::directory_iterator It(Folder + "/raw", Code), End; It != End && !Code;
         It.increment(Code))
      Processes.push_back(It->path());
    llvm::sort(Processes);
    for (const std::string &P : Processes)
      if (Error E = process(P))
        return std::move(E);
    for (auto &[Key, P] : Programs)
      Result.Programs.push_back(std::move(P));
    return std::move(Result);
  }

private:
  Error process(const std::string &Path) {
    Result.Loaded = true;
    devices(textOf(Path + "/devices.json"));
    Expected<json::Value> Counts = json::parse(textOf(Path + "/counts.json"));
    const json::Object *Totals = Counts ? Counts->getAsObject() : nullptr;
    if (!Counts)
      consumeError(Counts.takeError());
    Result.Complete &= Totals && Totals->getBoolean("complete").value_or(false);
    std::map<int64_t, const json::Object *> ByShape;
    if (const json::Array *Shapes = Totals ? Totals->getArray("shapes") : nullptr)
      for (const json::Value &S : *Shapes)
        if (const json::Object *O = S.getAsObject())
          ByShape[O->getInteger("shape").value_or(-1)] = O;
    SmallVector<StringRef, 0> Lines;
    std::string Text = textOf(Path + "/launches.json");
    StringRef(Text).split(Lines, '\n', -1, /*KeepEmpty=*/false);
    for (StringRef Line : Lines) {
      Expected<json::Value> V = json::parse(Line);
      const json::Object *O = V ? V->getAsObject() : nullptr;
      if (!V)
        consumeError(V.takeError()); // the program ended while it was written
      if (O)
        launch(Path, *O, ByShape[O->getInteger("shape").value_or(-2)]);
    }
    if (Totals)
      others(*Totals);
    return Error::success();
  }

  void devices(StringRef Text) {
    SmallVector<StringRef, 0> Lines;
    Text.split(Lines, '\n', -1, /*KeepEmpty=*/false);
    for (StringRef Line : Lines) {
      Expected<json::Value> V = json::parse(Line);
      const json::Object *O = V ? V->getAsObject() : nullptr;
      if (!V)
        consumeError(V.takeError()); // the program ended while it was written
      if (SeenDevice D = O ? seenDevice(*O) : SeenDevice(); O && !is_contained(Result.Devices, D))
        Result.Devices.push_back(std::move(D));
    }
  }

  void others(const json::Object &Totals) {
    if (const json::Array *All = Totals.getArray("notHonoured"))
      for (const json::Value &V : *All)
        if (std::string Text = V.getAsString().value_or("").str();
            !is_contained(Result.NotHonoured, Text))
          Result.NotHonoured.push_back(Text);
    if (const json::Object *All = Totals.getObject("calls"))
      for (const auto &[Name, Count] : *All)
        Result.Calls[Name.str()] += Count.getAsInteger().value_or(0);
    if (Result.FailedBuild.empty())
      Result.FailedBuild = Totals.getString("failedBuild").value_or("").str();
    if (const json::Array *All = Totals.getArray("unrecorded"))
      for (const json::Value &V : *All)
        if (const json::Object *O = V.getAsObject())
          Result.Others.push_back({O->getString("what").value_or("").str(),
                                   O->getString("why").value_or("").str(),
                                   O->getInteger("count").value_or(0) + uint64_t(0)});
    if (const json::Array *All = Totals.getArray("more"))
      for (const json::Value &V : *All)
        if (const json::Object *O = V.getAsObject())
          Result.Others.push_back({O->getString("kernel").value_or("").str(),
                                   "more shapes of launches than are kept",
                                   O->getInteger("launches").value_or(0) + uint64_t(0)});
  }

  void launch(const std::string &Path, const json::Object &O, const json::Object *Counts) {
    std::string Sha = O.getString("program").value_or("").str();
    std::string Options = absoluteIncludes(O.getString("options").value_or("").str(),
                                           O.getString("folder").value_or(""));
    std::string Normal = join(layer::normalizedOptions(Options), "\n");
    RecordedProgram &P = Programs[Sha + "\n" + Normal];
    if (P.Key.empty()) {
      SHA256 Hash;
      Hash.update(Sha + "\n" + Normal);
      P.Key = toHex(Hash.final(), /*LowerCase=*/true).substr(0, 16);
      P.Sha = Sha;
      P.Options = Options;
      P.WorkingFolder = O.getString("folder").value_or("").str();
      P.Source = textOf(Path + "/" + Sha + ".cl");
    }
    std::string Name = O.getString("kernel").value_or("").str();
    RecordedKernel &K = P.Kernels[Name];
    K.Name = Name;
    uint64_t Launches = Counts ? Counts->getInteger("launches").value_or(1) : 1;
    uint64_t Time = Counts ? Counts->getInteger("nanoseconds").value_or(0) : 0;
    K.Launches += Launches;
    K.Nanoseconds += Time;
    Point X;
    X.Global = numbers(O, "global");
    X.Local = numbers(O, "local");
    X.Offset = numbers(O, "offset");
    X.Launches = Launches;
    X.Nanoseconds = Time;
    if (std::optional<StringRef> Why = O.getString("why")) {
      K.Why[Why->str()] += Launches;
      if (!X.Global.empty())
        K.Others.push_back(std::move(X));
      return;
    }
    if (const json::Array *All = O.getArray("args"))
      for (const json::Value &V : *All)
        if (const json::Object *A = V.getAsObject())
          X.Arguments.push_back(argument(*A, Path));
    K.Points.push_back(std::move(X));
  }

  PointArgument argument(const json::Object &O, const std::string &Path) {
    PointArgument A;
    A.Name = O.getString("name").value_or("").str();
    A.Type = O.getString("type").value_or("").str();
    A.Const = O.getBoolean("const").value_or(false);
    A.Same = O.getInteger("same").value_or(-1);
    A.Null = O.getBoolean("null").value_or(false);
    if (std::optional<int64_t> Bytes = O.getInteger("buffer")) {
      A.K = PointArgument::Kind::Buffer;
      A.Size = *Bytes;
      if (const json::Object *Image = O.getObject("image"))
        image(*Image, O, A);
    } else if (const json::Object *S = O.getObject("sampler")) {
      A.K = PointArgument::Kind::Sampler;
      A.Coordinates = S->getString("coords").value_or("").str();
      A.Address = S->getString("address").value_or("").str();
      A.Filter = S->getString("filter").value_or("").str();
    } else if (std::optional<int64_t> Bytes = O.getInteger("local")) {
      A.K = PointArgument::Kind::Local;
      A.Size = *Bytes;
    } else {
      std::string Raw;
      if (tryGetFromHex(O.getString("value").value_or(""), Raw))
        A.Bytes.assign(Raw.begin(), Raw.end());
    }
    if (std::optional<StringRef> File = O.getString("file")) {
      std::string Name = "raw/" + sys::path::filename(Path).str() + "/" + File->str();
      // A copy that was not complete when the program ended is not there.
      if (sys::fs::exists(Folder + "/" + Name))
        A.File = Name;
      std::string After = StringRef(Name).drop_back(4).str() + ".after.bin";
      if (sys::fs::exists(Folder + "/" + After))
        A.After = After;
    }
    return A;
  }

  static void image(const json::Object &Image, const json::Object &O, PointArgument &A) {
    A.K = PointArgument::Kind::Image;
    A.Format = launch::imageFormatName(Image.getInteger("order").value_or(0),
                                       Image.getInteger("type").value_or(0));
    A.Access = O.getString("access").value_or("").str();
    const StringRef Kind = Image.getString("kind").value_or("");
    auto extent = [&](StringRef Key) { A.Extents.push_back(Image.getInteger(Key).value_or(1)); };
    extent("width");
    if (!Kind.starts_with("image1d"))
      extent("height");
    if (Kind == "image3d")
      extent("depth");
    if (Kind.ends_with("_array"))
      extent("layers");
  }

  const std::string Folder;
  Recording Result;
  std::map<std::string, RecordedProgram> Programs;
};

} // namespace

Expected<Recording> readRecording(const std::string &Folder) {
  if (!sys::fs::is_directory(Folder))
    return failure("'" + Folder + "' is no folder");
  return Reader(Folder).run();
}

} // namespace clmali::record
