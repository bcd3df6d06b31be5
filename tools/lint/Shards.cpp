//===- Shards.cpp - parts of a large tree, and their reports as one ---------------------------===//
//
// Each machine of a build farm lints one part (--shard) and writes JSON or SARIF; --merge makes of
// these what one run over all files would have written. It works on the written reports: no source
// is needed, and reports of another version or with other fields are kept as they are.
//
//===------------------------------------------------------------------------------------------===//

#include "tools/lint/Lint.h"
#include "tools/sarif/Sarif.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/xxhash.h"

using namespace llvm;
using namespace clmali;
using namespace clmali::lint;

unsigned lint::shardOf(StringRef File, unsigned Shards) {
  return xxh3_64bits(sarif::pathFromRoot(File)) % Shards + 1;
}

std::string lint::shardName(const Options &O) {
  return O.Shards ? utostr(O.Shard) + "/" + utostr(O.Shards) : "";
}

namespace {

Error failure(const Twine &Message) { return createStringError(inconvertibleErrorCode(), Message); }

/// A report of one shard.
struct Shard {
  std::string Path;
  json::Object Root;
  bool IsSarif = false;

  json::Object *run() {
    json::Array *Runs = Root.getArray("runs");
    return Runs && Runs->size() == 1 ? Runs->front().getAsObject() : nullptr;
  }
  StringRef name() {
    const json::Object *Holder = IsSarif ? run()->getObject("properties") : &Root;
    return Holder ? Holder->getString("shard").value_or("") : "";
  }
  StringRef version() {
    const json::Object *Holder = &Root;
    if (IsSarif)
      Holder = run()->getObject("tool") ? run()->getObject("tool")->getObject("driver") : nullptr;
    return Holder ? Holder->getString("version").value_or("") : "";
  }
};

Expected<Shard> readShard(const std::string &Path) {
  auto Buffer = MemoryBuffer::getFile(Path);
  if (!Buffer)
    return failure("cannot read '" + Path + "': " + Buffer.getError().message());
  Expected<json::Value> Root = json::parse((*Buffer)->getBuffer());
  if (!Root)
    return failure("'" + Path + "' is no JSON: " + toString(Root.takeError()));
  Shard S;
  S.Path = Path;
  if (json::Object *O = Root->getAsObject())
    S.Root = std::move(*O);
  S.IsSarif = S.Root.get("runs") != nullptr;
  if (S.IsSarif ? !S.run() || !S.run()->getArray("results") : !S.Root.getArray("findings"))
    return failure("'" + Path + "' is no report of clmali-lint in JSON or SARIF");
  if (S.name().empty())
    return failure("'" + Path + "' is no report of a shard; clmali-lint --shard=I/N writes them");
  return S;
}

/// All shards of one run, each once.
Error checkComplete(MutableArrayRef<Shard> All) {
  unsigned Count = 0;
  if (All.front().name().split('/').second.getAsInteger(10, Count) || Count == 0)
    return failure("'" + All.front().Path + "': '" + All.front().name() + "' names no shard");
  std::vector<const Shard *> Seen(Count);
  for (Shard &S : All) {
    unsigned Index = 0, Of = 0;
    auto [First, Second] = S.name().split('/');
    if (First.getAsInteger(10, Index) || Second.getAsInteger(10, Of) || Of != Count || Index < 1 ||
        Index > Count)
      return failure("'" + S.Path + "' is shard " + S.name() + ", '" + All.front().Path + "' is " +
                     All.front().name());
    if (Seen[Index - 1])
      return failure("'" + S.Path + "' and '" + Seen[Index - 1]->Path + "' are both shard " +
                     S.name());
    if (S.IsSarif != All.front().IsSarif)
      return failure("'" + S.Path + "' and '" + All.front().Path + "' have different formats");
    if (S.version() != All.front().version())
      return failure("'" + S.Path + "' is of version " + S.version() + ", '" + All.front().Path +
                     "' of version " + All.front().version());
    Seen[Index - 1] = &S;
  }
  for (unsigned I = 0; I < Count; ++I)
    if (!Seen[I])
      return failure("shard " + Twine(I + 1) + "/" + Twine(Count) + " is missing");
  return Error::success();
}

/// What orders an entry, and equals that of an entry that another shard has, too.
using Key = std::tuple<std::string, int64_t, int64_t, std::string, int64_t, int64_t, std::string>;

Key jsonKey(const json::Object &F) {
  auto number = [&](StringRef Name) { return F.getInteger(Name).value_or(0); };
  auto string = [&](StringRef Name) { return F.getString(Name).value_or("").str(); };
  return {string("file"),    number("line"),      number("column"), string("rule"),
          number("endLine"), number("endColumn"), string("message")};
}

/// The object at a path of members; a number is an index. Null: there is none.
const json::Object *member(const json::Object *O, ArrayRef<StringRef> Path) {
  for (StringRef Name : Path) {
    if (!O)
      return nullptr;
    const json::Array *List = O->getArray(Name);
    O = !List ? O->getObject(Name) : List->empty() ? nullptr : List->front().getAsObject();
  }
  return O;
}

/// Of a result, or of a notification.
Key sarifKey(const json::Object &R) {
  const json::Object *Place = member(&R, {"locations", "physicalLocation"});
  const json::Object *File = member(Place, {"artifactLocation"});
  const json::Object *Region = member(Place, {"region"});
  const json::Object *Message = member(&R, {"message"});
  auto number = [&](StringRef Name) { return Region ? Region->getInteger(Name).value_or(0) : 0; };
  auto string = [](const json::Object *O, StringRef Name) {
    return O ? O->getString(Name).value_or("").str() : "";
  };
  return {string(File, "uri"), number("startLine"), number("startColumn"),  string(&R, "ruleId"),
          number("endLine"),   number("endColumn"), string(Message, "text")};
}

/// The entries of all lists, sorted; those with equal keys once.
json::Array joined(ArrayRef<json::Array *> Lists, function_ref<Key(const json::Object &)> KeyOf) {
  std::vector<std::pair<Key, json::Value *>> All;
  for (json::Array *List : Lists)
    if (List)
      for (json::Value &V : *List)
        if (const json::Object *O = V.getAsObject())
          All.emplace_back(KeyOf(*O), &V);
  llvm::stable_sort(All, [](const auto &A, const auto &B) { return A.first < B.first; });
  json::Array Result;
  for (size_t I = 0; I < All.size(); ++I)
    if (I == 0 || All[I].first != All[I - 1].first)
      Result.push_back(std::move(*All[I].second));
  return Result;
}

bool fails(StringRef Severity, const Options &O) {
  Expected<rules::Severity> S = rules::parseSeverity(Severity);
  if (!S) {
    consumeError(S.takeError());
    return false;
  }
  return *S >= O.FailOn;
}

MergedReport mergeJson(std::vector<Shard> &All, const Options &O) {
  json::Object Root = std::move(All.front().Root);
  auto join = [&](StringRef Name) {
    std::vector<json::Array *> Lists{Root.getArray(Name)};
    for (Shard &S : MutableArrayRef(All).drop_front())
      Lists.push_back(S.Root.getArray(Name));
    if (any_of(Lists, [](const json::Array *L) { return L != nullptr; }))
      Root[Name] = joined(Lists, jsonKey);
  };
  for (StringRef Name : {"findings", "notes", "errors"})
    join(Name);
  if (json::Array *Costs = Root.getArray("costs")) {
    for (Shard &S : MutableArrayRef(All).drop_front())
      if (json::Array *More = S.Root.getArray("costs"))
        std::move(More->begin(), More->end(), std::back_inserter(*Costs));
    auto file = [](const json::Value &V) {
      return V.getAsObject()->getString("file").value_or("").str();
    };
    std::stable_sort(Costs->begin(), Costs->end(),
                     [&](const auto &A, const auto &B) { return file(A) < file(B); });
  }
  if (json::Object *Counts = Root.getObject("statistics"))
    for (auto &[Name, Count] : *Counts) {
      int64_t Sum = Count.getAsInteger().value_or(0);
      for (Shard &S : MutableArrayRef(All).drop_front())
        if (const json::Object *More = S.Root.getObject("statistics"))
          Sum += More->getInteger(Name).value_or(0);
      Count = Sum;
    }
  Root.erase("shard");
  MergedReport M;
  M.ExitCode = any_of(*Root.getArray("findings"), [&](const json::Value &F) {
    return fails(F.getAsObject()->getString("severity").value_or(""), O);
  });
  if (const json::Array *Errors = Root.getArray("errors"); Errors && !Errors->empty())
    M.ExitCode = 2;
  M.Text = formatv("{0:2}", json::Value(std::move(Root))).str() + "\n";
  return M;
}

/// Equal fingerprints are numbered in report order: again, now that their order is known.
void renumber(json::Array &Results) {
  std::map<std::string, unsigned> Equal;
  for (json::Value &V : Results)
    if (json::Object *Prints = V.getAsObject()->getObject("partialFingerprints"))
      for (auto &[Name, Print] : *Prints) {
        std::string Bare = Print.getAsString().value_or("").rsplit(':').first.str();
        Print = Bare + ":" + utostr(++Equal[Bare]);
      }
}

/// A result that makes a run fail: neither suppressed nor known, at or above --fail-on.
bool counts(const json::Object &R, const Options &O) {
  StringRef State = R.getString("baselineState").value_or("new");
  StringRef Level = R.getString("level").value_or("warning");
  return State == "new" && !R.getArray("suppressions") &&
         fails(Level == "note" ? "info" : Level, O);
}

MergedReport mergeSarif(std::vector<Shard> &All, const Options &O) {
  json::Object Root = std::move(All.front().Root);
  All.front().Root = json::Object{};
  json::Object &Run = *Root.getArray("runs")->front().getAsObject();
  std::vector<json::Array *> Results{Run.getArray("results")}, Notifications;
  auto invocation = [](json::Object &Run) -> json::Object * {
    json::Array *List = Run.getArray("invocations");
    return List && !List->empty() ? List->front().getAsObject() : nullptr;
  };
  bool Successful = true;
  auto addInvocation = [&](json::Object &Of) {
    if (json::Object *I = invocation(Of)) {
      Successful &= I->getBoolean("executionSuccessful").value_or(true);
      Notifications.push_back(I->getArray("toolExecutionNotifications"));
    }
  };
  addInvocation(Run);
  for (Shard &S : MutableArrayRef(All).drop_front()) {
    Results.push_back(S.run()->getArray("results"));
    addInvocation(*S.run());
  }
  json::Array Joined = joined(Results, sarifKey);
  renumber(Joined);
  MergedReport M;
  M.ExitCode = any_of(Joined, [&](const json::Value &R) { return counts(*R.getAsObject(), O); });
  if (!Successful)
    M.ExitCode = 2;
  // Errors are listed before notes.
  json::Array Said = joined(Notifications, sarifKey);
  std::stable_partition(Said.begin(), Said.end(), [](const json::Value &V) {
    return V.getAsObject()->getString("level").value_or("") == "error";
  });
  Run["results"] = std::move(Joined);
  if (json::Object *I = invocation(Run)) {
    (*I)["executionSuccessful"] = Successful;
    (*I)["toolExecutionNotifications"] = std::move(Said);
  }
  Run.erase("properties");
  M.Text = formatv("{0:2}", json::Value(std::move(Root))).str() + "\n";
  return M;
}

} // namespace

Expected<MergedReport> lint::mergeShards(const Options &O) {
  std::vector<std::string> Paths = O.Merge;
  Paths.insert(Paths.end(), O.Paths.begin(), O.Paths.end());
  std::vector<Shard> All;
  for (const std::string &Path : Paths) {
    Expected<Shard> S = readShard(Path);
    if (!S)
      return S.takeError();
    All.push_back(std::move(*S));
  }
  if (Error E = checkComplete(All))
    return std::move(E);
  return All.front().IsSarif ? mergeSarif(All, O) : mergeJson(All, O);
}
