// Manifests as JSON, and the launches they give for one original launch.
#include "rewriters/launch/Manifest.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SHA256.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace clmali::launch {
namespace {

Error failure(const Twine &Message) { return createStringError(inconvertibleErrorCode(), Message); }

/// Reads a JSON object and records the keys that were read, so that a misspelt key is an error and
/// not a default.
class ObjectReader {
public:
  ObjectReader(const json::Object &O, std::string Where) : O(O), Where(std::move(Where)) {}

  const json::Value *take(StringRef Key) {
    Known.push_back(Key);
    return O.get(Key);
  }
  Error missing(StringRef Key, StringRef What) const {
    return failure(Where + ": '" + Key + "' must be " + What);
  }
  Error string(StringRef Key, std::string &Into, bool Required) {
    const json::Value *V = take(Key);
    if (!V)
      return Required ? missing(Key, "given, as a string") : Error::success();
    std::optional<StringRef> S = V->getAsString();
    if (!S)
      return missing(Key, "a string");
    Into = S->str();
    return Error::success();
  }
  Expected<Expression> expression(StringRef Key, const json::Value &V) const {
    std::optional<StringRef> Text = V.getAsString();
    if (!Text) {
      if (std::optional<int64_t> Number = V.getAsInteger())
        return Expression::constant(*Number);
      return missing(Key, "an expression in a string");
    }
    Expected<Expression> E = Expression::parse(*Text);
    if (!E)
      return failure(Where + ": " + Key + ": " + llvm::toString(E.takeError()));
    return E;
  }
  Expected<std::vector<Expression>> expressions(StringRef Key, const json::Value &V) const {
    const json::Array *A = V.getAsArray();
    if (!A || A->empty() || A->size() > 3)
      return missing(Key, "a list of 1 to 3 expressions");
    return expressions(Key, *A);
  }
  Expected<std::vector<Expression>> expressions(StringRef Key, const json::Array &A) const {
    std::vector<Expression> Result;
    for (const json::Value &Item : A) {
      Expected<Expression> E = expression(Key, Item);
      if (!E)
        return E.takeError();
      Result.push_back(std::move(*E));
    }
    return Result;
  }
  Error finish() const {
    for (const auto &[Key, Value] : O)
      if (!is_contained(Known, StringRef(Key)))
        return failure(Where + ": unknown key '" + StringRef(Key) + "'");
    return Error::success();
  }
  const std::string &where() const { return Where; }

private:
  const json::Object &O;
  std::string Where;
  SmallVector<StringRef, 8> Known;
};

Expected<ManifestLaunch> readLaunch(const json::Value &V, std::string Where) {
  const json::Object *O = V.getAsObject();
  if (!O)
    return failure(Where + ": a launch is an object");
  ObjectReader R(*O, std::move(Where));
  ManifestLaunch L;
  if (Error E = R.string("kernel", L.Kernel, true))
    return E;
  if (L.Kernel.empty())
    return R.missing("kernel", "the name of a kernel");
  if (const json::Value *When = R.take("when")) {
    Expected<Expression> E = R.expression("when", *When);
    if (!E)
      return E.takeError();
    L.When = *E;
  }
  const json::Value *Global = R.take("global");
  if (!Global)
    return R.missing("global", "given");
  Expected<std::vector<Expression>> G = R.expressions("global", *Global);
  if (!G)
    return G.takeError();
  L.Global = std::move(*G);
  const json::Value *Local = R.take("local");
  // An empty list means the same as null.
  auto given = [](const json::Value *V) {
    return V && !V->getAsNull() && !(V->getAsArray() && V->getAsArray()->empty());
  };
  if (given(Local)) {
    Expected<std::vector<Expression>> E = R.expressions("local", *Local);
    if (!E)
      return E.takeError();
    L.Local = std::move(*E);
  }
  const json::Value *Offset = R.take("offset");
  if (given(Offset)) {
    Expected<std::vector<Expression>> E = R.expressions("offset", *Offset);
    if (!E)
      return E.takeError();
    L.Offset = std::move(*E);
  }
  if (L.Local && L.Local->size() != L.Global.size())
    return R.missing("local", "null, or as long as global");
  if (!L.Offset.empty() && L.Offset.size() != L.Global.size())
    return R.missing("offset", "as long as global");
  if (const json::Value *Bytes = R.take("localBytes")) {
    const json::Object *Map = Bytes->getAsObject();
    if (!Map)
      return R.missing("localBytes", "an object: bytes by argument name");
    for (const auto &[Name, Value] : *Map) {
      Expected<Expression> E = R.expression("localBytes", Value);
      if (!E)
        return E.takeError();
      L.LocalBytes.emplace(Name.str(), *E);
    }
  }
  if (Error E = R.finish())
    return E;
  return L;
}

std::optional<ObligationState> parseState(StringRef Text) {
  for (ObligationState S : {ObligationState::Proved, ObligationState::ShownByHostCode,
                            ObligationState::Tested, ObligationState::Assumed})
    if (toString(S) == Text)
      return S;
  return std::nullopt;
}

Error readObligations(ObjectReader &R, std::vector<Obligation> &Into) {
  const json::Value *V = R.take("obligations");
  if (!V)
    return Error::success();
  const json::Array *A = V->getAsArray();
  if (!A)
    return R.missing("obligations", "a list");
  for (const json::Value &Item : *A) {
    const json::Object *O = Item.getAsObject();
    if (!O)
      return R.missing("obligations", "a list of objects with text and state");
    ObjectReader Inner(*O, R.where() + ": obligation");
    Obligation Ob;
    std::string State;
    if (Error E = Inner.string("text", Ob.Text, true))
      return E;
    if (Error E = Inner.string("state", State, true))
      return E;
    std::optional<ObligationState> Known = parseState(State);
    if (!Known)
      return Inner.missing("state", "proved, shown by host code, tested or assumed");
    Ob.State = *Known;
    if (Error E = Inner.finish())
      return E;
    Into.push_back(std::move(Ob));
  }
  return Error::success();
}

/// The strings of the list \p Key; nothing where the key is not given.
Error readTexts(ObjectReader &R, StringRef Key, std::vector<std::string> &Into) {
  const json::Value *V = R.take(Key);
  if (!V)
    return Error::success();
  const json::Array *A = V->getAsArray();
  if (!A)
    return R.missing(Key, "a list of strings");
  for (const json::Value &Item : *A) {
    std::optional<StringRef> S = Item.getAsString();
    if (!S)
      return R.missing(Key, "a list of strings");
    Into.push_back(S->str());
  }
  return Error::success();
}

/// The objects of `formats` and `samplers`: lists by argument name.
Error readLists(ObjectReader &R, StringRef Key,
                function_ref<Error(StringRef Name, const json::Value &Item)> Take) {
  const json::Value *V = R.take(Key);
  if (!V)
    return Error::success();
  const json::Object *Map = V->getAsObject();
  if (!Map)
    return R.missing(Key, "an object: lists by argument name");
  for (const auto &[Name, List] : *Map) {
    const json::Array *All = List.getAsArray();
    if (!All)
      return R.missing(Key, "an object: lists by argument name");
    for (const json::Value &Item : *All)
      if (Error E = Take(Name, Item))
        return E;
  }
  return Error::success();
}

Error readImages(ObjectReader &R, ManifestKernel &K) {
  if (Error E = readLists(R, "formats", [&](StringRef Name, const json::Value &Item) -> Error {
        std::optional<StringRef> Format = Item.getAsString();
        if (!Format || !imageFormat(*Format))
          return R.missing("formats", "lists of formats such as rgba-unorm8");
        K.Formats[Name.str()].push_back(Format->str());
        return Error::success();
      }))
    return E;
  return readLists(R, "samplers", [&](StringRef Name, const json::Value &Item) -> Error {
    const json::Object *O = Item.getAsObject();
    if (!O)
      return R.missing("samplers", "lists of objects with coords, address and filter");
    ObjectReader Inner(*O, R.where() + ": samplers: " + Name.str());
    std::string Coordinates, Address, Filter;
    if (Error E = Inner.string("coords", Coordinates, true))
      return E;
    if (Error E = Inner.string("address", Address, true))
      return E;
    if (Error E = Inner.string("filter", Filter, true))
      return E;
    Expected<SamplerSpec> S = samplerFrom(Coordinates, Address, Filter);
    if (!S)
      return failure(Inner.where() + ": " + llvm::toString(S.takeError()));
    K.Samplers[Name.str()].push_back(*S);
    return Inner.finish();
  });
}

/// The key arguments: [{ "name": "dst", "as": "buffer" }].
Error readArguments(ObjectReader &R, ManifestKernel &K) {
  const json::Value *V = R.take("arguments");
  if (!V)
    return Error::success();
  const json::Array *A = V->getAsArray();
  if (!A)
    return R.missing("arguments", "a list");
  for (const json::Value &Item : *A) {
    const json::Object *O = Item.getAsObject();
    if (!O)
      return R.missing("arguments", "a list of objects with name and as");
    ObjectReader Inner(*O, R.where() + ": arguments");
    std::string Name, As;
    if (Error E = Inner.string("name", Name, true))
      return E;
    if (Error E = Inner.string("as", As, true))
      return E;
    if (As != "buffer")
      return Inner.missing("as", "buffer");
    if (Error E = Inner.finish())
      return E;
    if (is_contained(K.AsBuffers, Name))
      return failure(Inner.where() + ": '" + Name + "' is given twice");
    K.AsBuffers.push_back(std::move(Name));
  }
  return Error::success();
}

Error readCount(ObjectReader &R, StringRef Key, uint64_t &Into) {
  const json::Value *V = R.take(Key);
  std::optional<int64_t> Number = V ? V->getAsInteger() : std::optional<int64_t>(0);
  if (!Number || *Number < 0)
    return R.missing(Key, "a number of 0 or more");
  Into = *Number;
  return Error::success();
}

Error readSkipped(ObjectReader &R, std::vector<SkippedInputs> &Into) {
  const json::Value *V = R.take("skipped");
  if (!V)
    return Error::success();
  const json::Array *A = V->getAsArray();
  if (!A)
    return R.missing("skipped", "a list");
  for (const json::Value &Item : *A) {
    const json::Object *O = Item.getAsObject();
    if (!O)
      return R.missing("skipped", "a list of objects with why and count");
    ObjectReader Inner(*O, R.where() + ": skipped");
    SkippedInputs S;
    if (Error E = Inner.string("why", S.Why, true))
      return E;
    if (Error E = readCount(Inner, "count", S.Count))
      return E;
    if (Error E = Inner.finish())
      return E;
    Into.push_back(std::move(S));
  }
  return Error::success();
}

/// The keys verdict, basis, sizes, runs and skipped; without a verdict there is none of them.
Error readVerdict(ObjectReader &R, std::optional<ManifestVerdict> &Into) {
  ManifestVerdict V;
  if (Error E = R.string("verdict", V.Verdict, false))
    return E;
  if (Error E = R.string("basis", V.Basis, false))
    return E;
  if (Error E = readTexts(R, "sizes", V.Sizes))
    return E;
  if (Error E = readCount(R, "runs", V.Runs))
    return E;
  if (Error E = readSkipped(R, V.Skipped))
    return E;
  if (!V.Basis.empty() && !is_contained({"proved", "proved-at", "tested"}, StringRef(V.Basis)))
    return R.missing("basis", "proved, proved-at or tested");
  if (!V.Verdict.empty())
    Into = std::move(V);
  return Error::success();
}

Expected<ManifestKernel> readKernel(const json::Value &V, std::string Where) {
  const json::Object *O = V.getAsObject();
  if (!O)
    return failure(Where + ": a kernel is an object");
  ObjectReader R(*O, std::move(Where));
  ManifestKernel K;
  if (Error E = R.string("original", K.Original, true))
    return E;
  const json::Value *Launches = R.take("launches");
  const json::Array *List = Launches ? Launches->getAsArray() : nullptr;
  if (!List || List->empty())
    return R.missing("launches", "a list of at least one launch");
  unsigned Index = 0;
  for (const json::Value &L : *List) {
    Expected<ManifestLaunch> Read =
        readLaunch(L, "kernel '" + K.Original + "', launch " + std::to_string(Index++));
    if (!Read)
      return Read.takeError();
    K.Launches.push_back(std::move(*Read));
  }
  if (const json::Value *Require = R.take("require")) {
    const json::Array *All = Require->getAsArray();
    if (!All)
      return R.missing("require", "a list of expressions");
    Expected<std::vector<Expression>> E = R.expressions("require", *All);
    if (!E)
      return E.takeError();
    K.Require = std::move(*E);
  }
  if (Error E = readImages(R, K))
    return E;
  if (Error E = readArguments(R, K))
    return E;
  if (Error E = readObligations(R, K.Obligations))
    return E;
  if (Error E = R.string("options", K.Options, false))
    return E;
  if (const json::Value *D = R.take("defines")) {
    const json::Object *Map = D->getAsObject();
    if (!Map)
      return R.missing("defines", "an object: values by name");
    std::map<std::string, std::string> Sorted; // json::Object has no order
    for (const auto &[Name, Value] : *Map) {
      if (std::optional<StringRef> S = Value.getAsString())
        Sorted[Name.str()] = S->str();
      else if (std::optional<int64_t> N = Value.getAsInteger())
        Sorted[Name.str()] = std::to_string(*N);
      else
        return R.missing("defines", "an object of strings or integers");
    }
    K.Defines.assign(Sorted.begin(), Sorted.end());
  }
  if (Error E = normalizeBuild(K.Options, K.Defines))
    return failure(R.where() + ": options: " + llvm::toString(std::move(E)));
  if (Error E = R.string("source", K.Source, false))
    return E;
  if (Error E = R.string("tool", K.Tool, false))
    return E;
  if (Error E = readTexts(R, "passes", K.Passes))
    return E;
  if (Error E = readVerdict(R, K.Verdict))
    return E;
  if (Error E = R.finish())
    return E;
  return K;
}

Expected<Manifest> convert(const json::Value &Root) {
  const json::Object *O = Root.getAsObject();
  if (!O)
    return failure("a manifest is an object with version and kernels");
  ObjectReader R(*O, "manifest");
  Manifest M;
  const json::Value *Version = R.take("version");
  std::optional<int64_t> V = Version ? Version->getAsInteger() : std::nullopt;
  if (!V || *V != 1)
    return R.missing("version", "1");
  const json::Value *Kernels = R.take("kernels");
  const json::Array *List = Kernels ? Kernels->getAsArray() : nullptr;
  if (!List)
    return R.missing("kernels", "a list");
  for (const json::Value &K : *List) {
    Expected<ManifestKernel> Read = readKernel(K, "kernel " + std::to_string(M.Kernels.size()));
    if (!Read)
      return Read.takeError();
    if (M.findKernel(Read->Original))
      return failure("kernel '" + Read->Original + "' is given twice");
    M.Kernels.push_back(std::move(*Read));
  }
  if (Error E = R.finish())
    return E;
  return M;
}

json::Array texts(ArrayRef<Expression> All) {
  json::Array A;
  for (const Expression &E : All)
    A.push_back(E.text());
  return A;
}

} // namespace

StringRef toString(ObligationState State) {
  switch (State) {
  case ObligationState::Proved:
    return "proved";
  case ObligationState::ShownByHostCode:
    return "shown by host code";
  case ObligationState::Tested:
    return "tested";
  case ObligationState::Assumed:
    return "assumed";
  }
  return "assumed";
}

const ManifestKernel *Manifest::findKernel(StringRef Original) const {
  for (const ManifestKernel &K : Kernels)
    if (K.Original == Original)
      return &K;
  return nullptr;
}

Expected<Manifest> parseManifest(StringRef Json, StringRef Name) {
  Expected<json::Value> Root = json::parse(Json);
  if (!Root)
    return failure(Name + ": " + llvm::toString(Root.takeError()));
  Expected<Manifest> M = convert(*Root);
  if (!M)
    return failure(Name + ": " + llvm::toString(M.takeError()));
  return M;
}

Expected<Manifest> readManifest(StringRef Path) {
  ErrorOr<std::unique_ptr<MemoryBuffer>> Buffer = MemoryBuffer::getFile(Path);
  if (!Buffer)
    return failure("cannot read the manifest '" + Path + "': " + Buffer.getError().message());
  return parseManifest((*Buffer)->getBuffer(), Path);
}

static void printLaunch(json::OStream &J, const ManifestLaunch &L) {
  J.attribute("kernel", L.Kernel);
  J.attribute("when", L.When.text());
  J.attribute("global", texts(L.Global));
  if (L.Local)
    J.attribute("local", texts(*L.Local));
  else
    J.attribute("local", nullptr);
  if (!L.Offset.empty())
    J.attribute("offset", texts(L.Offset));
  if (L.LocalBytes.empty())
    return;
  J.attributeObject("localBytes", [&] {
    for (const auto &[Name, E] : L.LocalBytes)
      J.attribute(Name, E.text());
  });
}

void addImages(ManifestKernel &K, ArrayRef<LaunchFile> Files) {
  auto add = [](auto &Into, const auto &One) {
    if (!is_contained(Into, One))
      Into.push_back(One);
  };
  K.Formats.clear();
  K.Samplers.clear();
  for (const LaunchFile &F : Files)
    for (const Argument &A : F.Args) {
      if (A.K == Argument::Kind::Image)
        add(K.Formats[A.Name], A.Format);
      if (A.K == Argument::Kind::Sampler)
        add(K.Samplers[A.Name], A.Sampler);
    }
}

static void printImages(json::OStream &J, const ManifestKernel &K) {
  if (!K.Formats.empty())
    J.attributeObject("formats", [&] {
      for (const auto &[Name, All] : K.Formats)
        J.attribute(Name, json::Array(All));
    });
  if (K.Samplers.empty())
    return;
  J.attributeObject("samplers", [&] {
    for (const auto &[Name, All] : K.Samplers)
      J.attributeArray(Name, [&] {
        for (const SamplerSpec &S : All)
          J.value(json::Object{{"coords", S.Normalized ? "normalized" : "pixels"},
                               {"address", toString(S.Address)},
                               {"filter", S.Linear ? "linear" : "nearest"}});
      });
  });
}

static void printKernel(json::OStream &J, const ManifestKernel &K) {
  J.attribute("original", K.Original);
  J.attributeArray("launches", [&] {
    for (const ManifestLaunch &L : K.Launches)
      J.object([&] { printLaunch(J, L); });
  });
  J.attribute("require", texts(K.Require));
  printImages(J, K);
  if (!K.AsBuffers.empty())
    J.attributeArray("arguments", [&] {
      for (const std::string &Name : K.AsBuffers)
        J.object([&] {
          J.attribute("name", Name);
          J.attribute("as", "buffer");
        });
    });
  J.attributeArray("obligations", [&] {
    for (const Obligation &O : K.Obligations)
      J.object([&] {
        J.attribute("text", O.Text);
        J.attribute("state", toString(O.State));
      });
  });
  J.attribute("options", K.Options);
  J.attributeObject("defines", [&] {
    for (const auto &[Name, Value] : K.Defines)
      J.attribute(Name, Value);
  });
  J.attribute("source", K.Source);
  J.attribute("tool", K.Tool);
  J.attribute("passes", json::Array(K.Passes));
  if (!K.Verdict)
    return;
  const ManifestVerdict &V = *K.Verdict;
  J.attribute("verdict", V.Verdict);
  J.attribute("basis", V.Basis);
  J.attribute("sizes", json::Array(V.Sizes));
  J.attribute("runs", static_cast<int64_t>(V.Runs));
  J.attributeArray("skipped", [&] {
    for (const SkippedInputs &S : V.Skipped)
      J.object([&] {
        J.attribute("why", json::fixUTF8(S.Why));
        J.attribute("count", static_cast<int64_t>(S.Count));
      });
  });
}

std::string printManifest(const Manifest &M) {
  std::string Text;
  raw_string_ostream OS(Text);
  // Key by key, not as a json::Object, which would sort the keys.
  json::OStream J(OS, 2);
  J.objectBegin();
  J.attribute("version", M.Version);
  J.attributeArray("kernels", [&] {
    for (const ManifestKernel &K : M.Kernels)
      J.object([&] { printKernel(J, K); });
  });
  J.objectEnd();
  OS << "\n";
  return Text;
}

std::string sourceHash(StringRef Source) {
  SHA256 Hash;
  Hash.update(Source);
  return "sha256:" + toHex(Hash.final(), /*LowerCase=*/true);
}

} // namespace clmali::launch
