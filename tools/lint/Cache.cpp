//===- Cache.cpp - results kept between runs --------------------------------------------------===//

#include "tools/lint/Cache.h"
#include "tools/version/Version.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/BLAKE3.h"
#include "llvm/Support/CachePruning.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include <cstdlib>

using namespace llvm;
using namespace clmali;
using namespace clmali::lint;

/// Increment this when the stored format changes.
static constexpr StringLiteral FormatVersion = "clmali-lint-cache-3";

static std::string hashBytes(StringRef Text) {
  BLAKE3 Hash;
  Hash.update(Text);
  auto Result = Hash.final<16>();
  return toHex(ArrayRef<uint8_t>(Result.data(), Result.size()), /*LowerCase=*/true);
}

std::string lint::hashOf(ArrayRef<StringRef> Parts) {
  BLAKE3 Hash;
  for (StringRef Part : Parts) {
    uint64_t Size = Part.size(); // so that ("ab", "c") is not ("a", "bc")
    Hash.update(StringRef(reinterpret_cast<const char *>(&Size), sizeof Size));
    Hash.update(Part);
  }
  auto Result = Hash.final<16>();
  return toHex(ArrayRef<uint8_t>(Result.data(), Result.size()), /*LowerCase=*/true);
}

//===------------------------------------------------------------------------------------------===//
// Dependencies of a parse
//===------------------------------------------------------------------------------------------===//

static std::string listState(const sys::fs::file_status &S) {
  return "list:" + utostr(S.getLastModificationTime().time_since_epoch().count());
}

static std::string kindState(bool Exists, bool Folder) {
  return !Exists ? "absent" : Folder ? "folder" : "there";
}

std::string DependencyRecorder::absolute(const Twine &Path) const {
  SmallString<256> Full;
  Path.toVector(Full);
  if (!sys::path::is_absolute(Full)) {
    if (Working.empty())
      sys::fs::current_path(Working);
    sys::fs::make_absolute(Working, Full);
  }
  return Full.str().str();
}

ErrorOr<vfs::Status> DependencyRecorder::status(const Twine &Path) {
  ErrorOr<vfs::Status> S = ProxyFileSystem::status(Path);
  // "there" is weaker than a hash or a listing.
  Found.emplace(absolute(Path), kindState(bool(S), S && S->isDirectory()));
  return S;
}

bool DependencyRecorder::exists(const Twine &Path) { return bool(status(Path)); }

namespace {
/// The bytes of a file, and their hash.
struct Content {
  sys::TimePoint<> Modified;
  uint64_t Size;
  sys::fs::UniqueID Id;
  std::string Hash;
  std::shared_ptr<const MemoryBuffer> Bytes;
};

/// Contents of small files that were read before in this process: each kernel file of a folder
/// looks at all others. A file that has changed since is read again.
class Contents {
public:
  std::optional<Content> find(const std::string &Path, const vfs::Status &Now) {
    std::lock_guard<std::mutex> Guard(Lock);
    auto At = Known.find(Path);
    if (At == Known.end() || At->second.Modified != Now.getLastModificationTime() ||
        At->second.Size != Now.getSize() || At->second.Id != Now.getUniqueID())
      return std::nullopt;
    return At->second;
  }
  void add(const std::string &Path, const Content &C) {
    constexpr uint64_t MaxFile = 1 << 20, MaxAll = 32 << 20;
    if (C.Size > MaxFile)
      return;
    std::lock_guard<std::mutex> Guard(Lock);
    if ((Bytes += C.Size) > MaxAll) {
      Known.clear();
      Bytes = C.Size;
    }
    Known[Path] = C;
  }

private:
  std::mutex Lock;
  std::map<std::string, Content> Known;
  uint64_t Bytes = 0;
};

class BufferFile : public vfs::File {
public:
  BufferFile(vfs::Status S, std::shared_ptr<const MemoryBuffer> B)
      : S(std::move(S)), B(std::move(B)) {}
  ErrorOr<vfs::Status> status() override { return S; }
  ErrorOr<std::unique_ptr<MemoryBuffer>> getBuffer(const Twine &Name, int64_t, bool,
                                                   bool) override {
    return MemoryBuffer::getMemBufferCopy(B->getBuffer(), Name);
  }
  std::error_code close() override { return {}; }

private:
  vfs::Status S;
  std::shared_ptr<const MemoryBuffer> B;
};
} // namespace

static Contents &contents() {
  static Contents All;
  return All;
}

ErrorOr<std::unique_ptr<vfs::File>> DependencyRecorder::openFileForRead(const Twine &Path) {
  std::string Full = absolute(Path);
  ErrorOr<vfs::Status> Now = ProxyFileSystem::status(Path);
  if (Now)
    if (std::optional<Content> C = contents().find(Full, *Now)) {
      Found[Full] = C->Hash;
      return std::make_unique<BufferFile>(*Now, C->Bytes);
    }
  ErrorOr<std::unique_ptr<vfs::File>> F = ProxyFileSystem::openFileForRead(Path);
  if (!F) {
    Found.emplace(Full, F.getError() == std::errc::is_a_directory ? "folder" : "absent");
    return F;
  }
  ErrorOr<vfs::Status> S = (*F)->status();
  if (!S || S->getType() != sys::fs::file_type::regular_file) {
    Found.emplace(Full, kindState(bool(S), S && S->isDirectory()));
    return F;
  }
  ErrorOr<std::unique_ptr<MemoryBuffer>> B = (*F)->getBuffer(Path);
  if (!B)
    return B.getError();
  Content C{S->getLastModificationTime(), S->getSize(), S->getUniqueID(),
            hashBytes((*B)->getBuffer()), std::move(*B)};
  Found[Full] = C.Hash;
  // A size that changed while the file was read.
  if (C.Bytes->getBufferSize() == C.Size)
    contents().add(Full, C);
  return std::make_unique<BufferFile>(*S, C.Bytes);
}

vfs::directory_iterator DependencyRecorder::dir_begin(const Twine &Folder, std::error_code &EC) {
  sys::fs::file_status S;
  std::string Full = absolute(Folder);
  Found[Full] = sys::fs::status(Full, S) ? "absent" : listState(S);
  return ProxyFileSystem::dir_begin(Folder, EC);
}

/// The present state of a path, in as much detail as \p Like has.
std::string Cache::state(const std::string &Path, StringRef Like) {
  bool Kind = Like == "absent" || Like == "folder" || Like == "there";
  std::string Slot = (Kind ? "k" : Like.starts_with("list:") ? "l" : "h") + Path;
  {
    std::lock_guard<std::mutex> Guard(Lock);
    auto At = States.find(Slot);
    if (At != States.end())
      return At->second;
  }
  sys::fs::file_status S;
  std::string Now;
  bool Absent = bool(sys::fs::status(Path, S));
  if (Kind) {
    Now = kindState(!Absent, sys::fs::is_directory(S));
  } else if (Absent) {
    Now = "absent";
  } else if (Like.starts_with("list:")) {
    Now = listState(S);
  } else {
    auto B = MemoryBuffer::getFile(Path, /*IsText=*/false, /*RequiresNullTerminator=*/false);
    Now = B ? hashBytes((*B)->getBuffer()) : "absent";
  }
  std::lock_guard<std::mutex> Guard(Lock);
  return States[Slot] = Now;
}

//===------------------------------------------------------------------------------------------===//
// Results as JSON
//===------------------------------------------------------------------------------------------===//

static json::Value toJSON(const Location &P) {
  return json::Array{P.File,   P.Offset,  P.Length,    P.Line,
                     P.Column, P.EndLine, P.EndColumn, P.LineText};
}

static json::Array toJSON(const std::vector<InputMessage> &List) {
  json::Array Result;
  for (const InputMessage &T : List)
    Result.push_back(json::Array{T.File, T.Line, T.Column, T.Message, T.Linted});
  return Result;
}

static json::Array toJSON(const std::vector<LocatedFinding> &List) {
  json::Array Result;
  for (const LocatedFinding &F : List) {
    json::Array Notes, Fixes;
    for (const LocatedNote &N : F.Notes)
      Notes.push_back(json::Array{toJSON(N.At), N.Message});
    for (const LocatedFix &X : F.Fixes) {
      json::Array Edits;
      for (const LocatedEdit &E : X.Edits)
        Edits.push_back(
            json::Array{E.File, E.Offset, E.Length, E.Text, static_cast<int>(E.Shared)});
      Fixes.push_back(json::Array{static_cast<int>(X.How), X.Message, std::move(Edits)});
    }
    json::Object ByFamily;
    for (const auto &[Family, Message] : F.MessageByFamily)
      ByFamily[Family] = Message;
    Result.push_back(json::Array{F.Rule->Id, static_cast<int>(F.Severity), toJSON(F.At), F.Kernel,
                                 F.Message, F.Families, std::move(Notes), std::move(Fixes),
                                 std::move(ByFamily)});
  }
  return Result;
}

namespace {
/// Decodes arrays; any unexpected value invalidates the whole entry.
struct Reader {
  bool Bad = false;
  const json::Value &at(const json::Array *A, size_t I) {
    static const json::Value Null = nullptr;
    if (A && I < A->size())
      return (*A)[I];
    Bad = true;
    return Null;
  }
  const json::Array &list(const json::Value &V) {
    static const json::Array Empty;
    const json::Array *A = V.getAsArray();
    Bad |= !A;
    return A ? *A : Empty;
  }
  std::string text(const json::Value &V) {
    std::optional<StringRef> S = V.getAsString();
    Bad |= !S;
    return S.value_or("").str();
  }
  unsigned number(const json::Value &V) {
    std::optional<int64_t> N = V.getAsInteger();
    Bad |= !N || *N < 0 || *N > UINT32_MAX;
    return N.value_or(0);
  }
  Location locate(const json::Value &V) {
    const json::Array *A = &list(V);
    Location P;
    P.File = text(at(A, 0));
    P.Offset = number(at(A, 1));
    P.Length = number(at(A, 2));
    P.Line = number(at(A, 3));
    P.Column = number(at(A, 4));
    P.EndLine = number(at(A, 5));
    P.EndColumn = number(at(A, 6));
    P.LineText = text(at(A, 7));
    return P;
  }
  std::vector<InputMessage> messages(const json::Value &V) {
    std::vector<InputMessage> Result;
    for (const json::Value &X : list(V)) {
      const json::Array *A = &list(X);
      Result.push_back({text(at(A, 0)), number(at(A, 1)), number(at(A, 2)), text(at(A, 3)),
                        at(A, 4).getAsBoolean().value_or(false)});
    }
    return Result;
  }
  std::vector<LocatedFinding> findings(const json::Value &V) {
    std::vector<LocatedFinding> Result;
    for (const json::Value &X : list(V)) {
      const json::Array *A = &list(X);
      LocatedFinding F;
      F.Rule = rules::findRule(text(at(A, 0)));
      unsigned Severity = number(at(A, 1));
      Bad |= !F.Rule || Severity > static_cast<unsigned>(rules::Severity::Error);
      F.Severity = static_cast<rules::Severity>(Severity);
      F.At = locate(at(A, 2));
      F.Kernel = text(at(A, 3));
      F.Message = text(at(A, 4));
      F.Families = number(at(A, 5));
      for (const json::Value &N : list(at(A, 6)))
        F.Notes.push_back({locate(at(&list(N), 0)), text(at(&list(N), 1))});
      for (const json::Value &N : list(at(A, 7))) {
        LocatedFix Fix;
        unsigned How = number(at(&list(N), 0));
        Bad |= How > static_cast<unsigned>(checks::Applicability::Unsafe);
        Fix.How = static_cast<checks::Applicability>(How);
        Fix.Message = text(at(&list(N), 1));
        for (const json::Value &E : list(at(&list(N), 2))) {
          const json::Array *B = &list(E);
          Fix.Edits.push_back({text(at(B, 0)), number(at(B, 1)), number(at(B, 2)), text(at(B, 3)),
                               number(at(B, 4)) != 0});
        }
        F.Fixes.push_back(std::move(Fix));
      }
      const json::Object *ByFamily = at(A, 8).getAsObject();
      Bad |= !ByFamily;
      if (ByFamily)
        for (const auto &[Family, Message] : *ByFamily)
          F.MessageByFamily[Family.str()] = text(Message);
      Result.push_back(std::move(F));
      if (Bad)
        break;
    }
    return Result;
  }
};
} // namespace

//===------------------------------------------------------------------------------------------===//
// The folder
//===------------------------------------------------------------------------------------------===//

Cache::Cache(const Options &O) {
  // Costs are not cached.
  if (O.NoCache || O.Cost != CostSource::None)
    return;
  SmallString<128> Path;
  if (const char *Given = std::getenv("XDG_CACHE_HOME"); Given && sys::path::is_absolute(Given))
    Path = Given;
  else if (const char *Home = std::getenv("HOME"); Home && sys::path::is_absolute(Home))
    (Path = Home) += "/.cache";
  else
    return;
  sys::path::append(Path, "clmali", "lint");
  if (sys::fs::create_directories(Path) || sys::fs::access(Path, sys::fs::AccessMode::Write))
    return;
  // The program itself: a rebuilt one may find other things under the same version number.
  static int Anchor;
  std::string Program = sys::fs::getMainExecutable("clmali-lint", &Anchor);
  sys::fs::file_status S;
  if (sys::fs::status(Program, S))
    return;
  SmallString<128> Here;
  (void)sys::fs::current_path(Here);
  // Environment variables that Clang's driver reads.
  std::string Environment;
  for (const char *Name : {"CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH"})
    if (const char *Value = std::getenv(Name))
      Environment += std::string(Name) + "=" + Value + "\n";
  Base =
      hashOf({FormatVersion, ToolVersion, LLVM_VERSION_STRING, Program, utostr(S.getSize()),
              utostr(S.getLastModificationTime().time_since_epoch().count()), Here, Environment});
  Folder = Path.str().str();
  // Removes old entries; checked at most every twenty minutes.
  CachePruningPolicy Policy;
  Policy.Expiration = std::chrono::hours(30 * 24);
  Policy.MaxSizeBytes = uint64_t(512) << 20;
  (void)pruneCache(Folder, Policy);
}

std::optional<Cache::Entry> Cache::find(const std::string &Key) {
  if (!enabled())
    return std::nullopt;
  auto Buffer = MemoryBuffer::getFile(Folder + "/llvmcache-" + Key);
  if (!Buffer)
    return std::nullopt;
  Expected<json::Value> Root = json::parse((*Buffer)->getBuffer());
  if (!Root) {
    consumeError(Root.takeError());
    return std::nullopt;
  }
  const json::Object *O = Root->getAsObject();
  const json::Object *On = O ? O->getObject("on") : nullptr;
  if (!On)
    return std::nullopt;
  Entry E;
  for (const auto &[Path, State] : *On) {
    std::optional<StringRef> Was = State.getAsString();
    std::string P = StringRef(Path).str();
    if (!Was || state(P, *Was) != *Was)
      return std::nullopt;
    E.On[P] = Was->str();
  }
  Reader R;
  auto Get = [&](StringRef Name) -> const json::Value & {
    static const json::Value Null = nullptr;
    const json::Value *V = O->get(Name);
    return V ? *V : Null;
  };
  E.Result.Findings = R.findings(Get("findings"));
  E.Result.Suppressed = R.findings(Get("suppressed"));
  E.Result.Errors = R.messages(Get("errors"));
  E.Result.Notes = R.messages(Get("notes"));
  for (const json::Value &V : R.list(Get("silenced"))) {
    const json::Array *A = &R.list(V);
    const rules::Rule *Rule = rules::findRule(R.text(R.at(A, 2)));
    R.Bad |= !Rule;
    E.Result.Silenced.push_back({R.text(R.at(A, 0)), R.number(R.at(A, 1)), Rule});
  }
  E.Result.FilesSeen = R.number(Get("files"));
  E.Result.KernelsSeen = R.number(Get("kernels"));
  if (const json::Value *V = O->get("outline"); V && !(E.Summary = model::callSummaryFromJSON(*V)))
    return std::nullopt;
  if (R.Bad)
    return std::nullopt;
  return E;
}

void Cache::store(const std::string &Key, const Report &R, const Dependencies &On,
                  const model::CallSummary *Summary) {
  if (!enabled())
    return;
  json::Object Paths;
  for (const auto &[Path, State] : On) {
    if (!json::isUTF8(Path))
      return;
    Paths[Path] = State;
  }
  auto IsText = [](const std::vector<LocatedFinding> &List) {
    return all_of(List, [](const LocatedFinding &F) {
      return json::isUTF8(F.At.LineText) && json::isUTF8(F.At.File) && json::isUTF8(F.Message) &&
             json::isUTF8(F.Kernel) &&
             all_of(F.Notes,
                    [](const LocatedNote &N) {
                      return json::isUTF8(N.At.LineText) && json::isUTF8(N.Message) &&
                             json::isUTF8(N.At.File);
                    }) &&
             all_of(F.Fixes, [](const LocatedFix &X) {
               return json::isUTF8(X.Message) &&
                      all_of(X.Edits, [](const LocatedEdit &E) { return json::isUTF8(E.Text); });
             });
    });
  };
  auto AreTexts = [](const std::vector<InputMessage> &List) {
    return all_of(List, [](const InputMessage &T) {
      return json::isUTF8(T.File) && json::isUTF8(T.Message);
    });
  };
  if (!IsText(R.Findings) || !IsText(R.Suppressed) || !AreTexts(R.Errors) || !AreTexts(R.Notes))
    return;
  json::Array Silent;
  for (const SilencedAt &S : R.Silenced) {
    if (!json::isUTF8(S.File))
      return;
    Silent.push_back(json::Array{S.File, S.Offset, S.Rule->Id});
  }
  json::Object Root{{"on", std::move(Paths)},
                    {"findings", toJSON(R.Findings)},
                    {"suppressed", toJSON(R.Suppressed)},
                    {"errors", toJSON(R.Errors)},
                    {"notes", toJSON(R.Notes)},
                    {"silenced", std::move(Silent)},
                    {"files", R.FilesSeen},
                    {"kernels", R.KernelsSeen}};
  if (Summary)
    Root["outline"] = model::toJSON(*Summary);
  std::string Text;
  raw_string_ostream Out(Text);
  Out << json::Value(std::move(Root));
  // A temporary file and a rename, so that concurrent runs cannot corrupt each other's entries.
  consumeError(writeFile(Folder + "/llvmcache-" + Key, Text));
}
