//===- Changed.cpp - findings on changed lines only -------------------------------------------===//

#include "tools/lint/Lint.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"

using namespace llvm;
using namespace clmali;
using namespace clmali::lint;

using LineRanges = std::vector<std::pair<unsigned, unsigned>>; ///< first and last

static bool touches(const Location &At, const LineRanges &Lines) {
  // A range that ends before the first byte of a line does not include that line.
  unsigned Last = At.EndLine > At.Line && At.EndColumn == 1 ? At.EndLine - 1 : At.EndLine;
  return any_of(Lines,
                [&](auto L) { return At.Line <= L.second && std::max(At.Line, Last) >= L.first; });
}

/// Runs git in a folder and returns its standard output.
static Expected<std::string> git(StringRef Folder, std::vector<StringRef> Args) {
  ErrorOr<std::string> Program = sys::findProgramByName("git");
  if (!Program)
    return createStringError(inconvertibleErrorCode(), "--diff needs git, and there is none");
  SmallString<128> Out, Err;
  int Descriptor;
  if (sys::fs::createTemporaryFile("clmali", "diff", Out) ||
      sys::fs::createTemporaryFile("clmali", "diff", Descriptor, Err))
    return createStringError(inconvertibleErrorCode(), "--diff: no temporary file can be made");
  FileRemover RemoveOut(Out), RemoveErr(Err);
  // File names are literal, whatever characters they contain.
  std::vector<StringRef> All{"git", "--literal-pathspecs", "-C", Folder};
  All.insert(All.end(), Args.begin(), Args.end());
  std::optional<StringRef> Redirects[] = {StringRef(""), StringRef(Out), StringRef(Err)};
  int Status = sys::ExecuteAndWait(*Program, All, std::nullopt, Redirects);
  auto Text = MemoryBuffer::getFile(Status ? Err : Out);
  StringRef Read = Text ? (*Text)->getBuffer() : StringRef();
  if (Status)
    return createStringError(inconvertibleErrorCode(), "--diff: git says: " + Read.trim());
  return Read.str();
}

namespace {
/// State of the files directly in one folder, according to git. Computed once for each folder: a
/// process for each file would cost more than linting it.
struct FolderState {
  std::string From;             ///< the commit to compare with
  StringSet<> Changed, Unknown; ///< file names; untracked files
};
} // namespace

static Expected<FolderState> folderState(StringRef Folder, StringRef Base) {
  FolderState S;
  // Compare with the merge base, so that later commits of the other branch do not count as changes.
  // Without a common commit (a shallow clone), compare with the base itself.
  S.From = Base.str();
  if (Expected<std::string> Fork = git(Folder, {"merge-base", Base, "HEAD"}))
    S.From = StringRef(*Fork).trim().str();
  else
    consumeError(Fork.takeError());
  Expected<std::string> Changed =
      git(Folder, {"diff", "--name-only", "-z", "--relative", "--no-ext-diff", S.From, "--", "."});
  if (!Changed)
    return Changed.takeError();
  Expected<std::string> Unknown = git(Folder, {"ls-files", "-z", "--others", "--", "."});
  if (!Unknown)
    return Unknown.takeError();
  for (StringRef Name : split(*Changed, '\0'))
    S.Changed.insert(Name);
  for (StringRef Name : split(*Unknown, '\0'))
    S.Unknown.insert(Name);
  return S;
}

/// Lines of a file in the working tree that are not in \p Base.
static Expected<LineRanges> changedLines(StringRef File, StringRef Base,
                                         std::map<std::string, FolderState> &Known) {
  SmallString<128> Folder(sys::path::parent_path(File));
  if (Folder.empty())
    Folder = ".";
  StringRef Name = sys::path::filename(File);
  auto At = Known.find(Folder.str().str());
  if (At == Known.end()) {
    Expected<FolderState> S = folderState(Folder, Base);
    if (!S)
      return S.takeError();
    At = Known.emplace(Folder.str().str(), std::move(*S)).first;
  }
  // All lines of an untracked file are new.
  if (At->second.Unknown.contains(Name))
    return LineRanges{{1, ~0u}};
  if (!At->second.Changed.contains(Name))
    return LineRanges();
  Expected<std::string> Diff = git(Folder, {"diff", "--unified=0", "--no-color", "--no-ext-diff",
                                            "--no-textconv", At->second.From, "--", Name});
  if (!Diff)
    return Diff.takeError();
  LineRanges Result;
  for (StringRef Line : split(*Diff, '\n')) {
    // @@ -a,b +c,d @@
    if (!Line.starts_with("@@ "))
      continue;
    StringRef New = Line.split('+').second.take_until([](char C) { return C == ' '; });
    unsigned Start = 0, Count = 1;
    auto [First, Number] = New.split(',');
    if (First.getAsInteger(10, Start) || (!Number.empty() && Number.getAsInteger(10, Count)))
      continue;
    if (Count)
      Result.push_back({Start, Start + Count - 1});
  }
  return Result;
}

Error lint::keepChangedLines(Report &R, StringRef Base) {
  std::map<std::string, FolderState> Folders;
  std::map<std::string, LineRanges> Changed;
  for (std::vector<LocatedFinding> *List : {&R.Findings, &R.Suppressed}) {
    for (const LocatedFinding &F : *List) {
      if (Changed.count(F.At.File))
        continue;
      Expected<LineRanges> Lines = changedLines(F.At.File, Base, Folders);
      if (!Lines)
        return Lines.takeError();
      Changed[F.At.File] = std::move(*Lines);
    }
    erase_if(*List, [&](const LocatedFinding &F) { return !touches(F.At, Changed[F.At.File]); });
  }
  return Error::success();
}

Error lint::filterLines(Report &R, StringRef Json) {
  auto Fail = [](const Twine &Message) {
    return createStringError(inconvertibleErrorCode(),
                             "--line-filter: " + Message +
                                 "; it is written as [{\"name\": \"a.cl\", \"lines\": [[1, 9]]}]");
  };
  Expected<json::Value> Root = json::parse(Json);
  if (!Root)
    return Fail(toString(Root.takeError()));
  if (!Root->getAsArray())
    return Fail("this is no list");
  std::vector<std::pair<std::string, LineRanges>> Filters;
  for (const json::Value &V : *Root->getAsArray()) {
    const json::Object *O = V.getAsObject();
    std::optional<StringRef> Name = O ? O->getString("name") : std::nullopt;
    if (!Name || Name->empty())
      return Fail("each part needs a name");
    LineRanges Lines;
    if (const json::Value *Given = O->get("lines")) {
      if (!Given->getAsArray())
        return Fail("lines is no list");
      for (const json::Value &Range : *Given->getAsArray()) {
        const json::Array *Pair = Range.getAsArray();
        std::optional<int64_t> From =
            Pair && Pair->size() == 2 ? (*Pair)[0].getAsInteger() : std::nullopt;
        std::optional<int64_t> To =
            Pair && Pair->size() == 2 ? (*Pair)[1].getAsInteger() : std::nullopt;
        if (!From || !To || *From < 0 || *To < *From || *To > UINT32_MAX)
          return Fail("lines are given as pairs of first and last");
        Lines.push_back({*From, *To});
      }
    }
    // A name without lines means the whole file.
    if (Lines.empty())
      Lines.push_back({0, ~0u});
    Filters.push_back({Name->str(), std::move(Lines)});
  }
  // As in clang-tidy, a name matches every file whose path ends with it; files that match no name
  // are left out.
  auto Kept = [&](const LocatedFinding &F) {
    for (const auto &[Name, Lines] : Filters)
      if (StringRef(F.At.File).ends_with(Name))
        return any_of(Lines, [&](auto L) { return F.At.Line >= L.first && F.At.Line <= L.second; });
    return false;
  };
  if (!Filters.empty())
    for (std::vector<LocatedFinding> *List : {&R.Findings, &R.Suppressed})
      erase_if(*List, [&](const LocatedFinding &F) { return !Kept(F); });
  return Error::success();
}
