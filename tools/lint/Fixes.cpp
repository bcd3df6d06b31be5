//===- Fixes.cpp - applies fixes; baselines; changed lines --------------------------------------===//

#include "tools/lint/Lint.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include <algorithm>

using namespace llvm;
using namespace clmali;
using namespace clmali::lint;

void lint::applyFixes(Report &R, bool Unsafe) {
  std::map<std::string, std::vector<PlacedEdit>> Taken;
  std::vector<const PlacedFinding *> Mended;
  auto Overlaps = [](const PlacedEdit &A, const PlacedEdit &B) {
    return A.Offset < B.Offset + B.Length && B.Offset < A.Offset + A.Length;
  };
  auto Fits = [&](const PlacedFix &Fix) {
    return none_of(Fix.Edits, [&](const PlacedEdit &E) {
      return any_of(Taken[E.File], [&](const PlacedEdit &T) {
        return Overlaps(E, T) || (E.Offset == T.Offset && E.Length == T.Length);
      });
    });
  };
  for (const PlacedFinding &F : R.Findings) {
    for (const PlacedFix &Fix : F.Fixes) {
      bool Wanted = Fix.How == checks::Applicability::Safe ||
                    (Unsafe && Fix.How == checks::Applicability::Unsafe);
      if (!Wanted || Fix.Edits.empty() || !Fits(Fix))
        continue;
      for (const PlacedEdit &E : Fix.Edits)
        Taken[E.File].push_back(E);
      Mended.push_back(&F);
      break;
    }
  }
  std::vector<std::string> Failed;
  for (auto &[File, Edits] : Taken) {
    if (Edits.empty())
      continue;
    auto Buffer = MemoryBuffer::getFile(File, /*IsText=*/false, /*RequiresNullTerminator=*/false);
    if (!Buffer) {
      R.Errors.push_back({File, 0, 0, "cannot be fixed: " + Buffer.getError().message()});
      Failed.push_back(File);
      continue;
    }
    std::string Text = (*Buffer)->getBuffer().str();
    Buffer->reset(); // the file is replaced below
    llvm::sort(Edits, [](const auto &A, const auto &B) { return A.Offset > B.Offset; });
    for (const PlacedEdit &E : Edits)
      Text.replace(E.Offset, E.Length, E.Text);
    if (Error E = writeFile(File, Text)) {
      R.Errors.push_back({File, 0, 0, toString(std::move(E))});
      Failed.push_back(File);
    }
  }
  std::vector<PlacedFinding> Left;
  for (PlacedFinding &F : R.Findings) {
    if (is_contained(Mended, &F) && !is_contained(Failed, F.At.File))
      ++R.Fixed;
    else
      Left.push_back(std::move(F));
  }
  R.Findings = std::move(Left);
}

std::string lint::baselineText(const Report &R) {
  std::map<std::string, int64_t> Count;
  for (const PlacedFinding &F : R.Findings)
    ++Count[fingerprint(F)];
  json::Object Prints;
  for (auto &[Print, Number] : Count)
    Prints[Print] = Number;
  std::string Buffer;
  raw_string_ostream Out(Buffer);
  Out << formatv("{0:2}", json::Value(json::Object{{"version", 1}, {"findings", std::move(Prints)}}))
      << "\n";
  return Buffer;
}

Error lint::subtractBaseline(Report &R, StringRef Path) {
  auto Buffer = MemoryBuffer::getFile(Path);
  if (!Buffer)
    return createStringError(Buffer.getError(),
                             "cannot read the baseline '" + Path +
                                 "': " + Buffer.getError().message() +
                                 "; --write-baseline=" + Path + " makes one");
  Expected<json::Value> Root = json::parse((*Buffer)->getBuffer());
  const json::Object *Findings = nullptr;
  if (Root && Root->getAsObject())
    Findings = Root->getAsObject()->getObject("findings");
  else if (!Root)
    consumeError(Root.takeError());
  if (!Findings)
    return createStringError(inconvertibleErrorCode(), "'" + Path + "' is no baseline of clmali-lint");
  std::map<std::string, int64_t> Left;
  for (const auto &[Print, Number] : *Findings)
    Left[StringRef(Print).str()] = Number.getAsInteger().value_or(0);
  erase_if(R.Findings, [&](const PlacedFinding &F) {
    if (Left[fingerprint(F)]-- <= 0)
      return false;
    ++R.Known;
    return true;
  });
  return Error::success();
}

/// Runs git in a folder and returns what it prints.
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
  std::vector<StringRef> All{"git", "-C", Folder};
  All.insert(All.end(), Args.begin(), Args.end());
  std::optional<StringRef> Redirects[] = {StringRef(""), StringRef(Out), StringRef(Err)};
  int Status = sys::ExecuteAndWait(*Program, All, std::nullopt, Redirects);
  auto Text = MemoryBuffer::getFile(Status ? Err : Out);
  StringRef Read = Text ? (*Text)->getBuffer() : StringRef();
  if (Status)
    return createStringError(inconvertibleErrorCode(), "--diff: git says: " + Read.trim());
  return Read.str();
}

Error lint::keepChangedLines(Report &R, StringRef Base) {
  // File, then ranges of lines in it that are new.
  std::map<std::string, std::vector<std::pair<unsigned, unsigned>>> Changed;
  std::map<std::string, bool> Asked;
  for (const PlacedFinding &F : R.Findings) {
    if (!Asked.emplace(F.At.File, true).second)
      continue;
    StringRef Folder = sys::path::parent_path(F.At.File);
    Expected<std::string> Diff =
        git(Folder.empty() ? "." : Folder,
            {"diff", "--unified=0", "--no-color", "--no-ext-diff", Base, "--",
             sys::path::filename(F.At.File)});
    if (!Diff)
      return Diff.takeError();
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
        Changed[F.At.File].push_back({Start, Start + Count - 1});
    }
    // A file that git does not know is new from its first line to its last.
    Expected<std::string> Known = git(Folder.empty() ? "." : Folder,
                                      {"ls-files", "--", sys::path::filename(F.At.File)});
    if (!Known)
      return Known.takeError();
    if (Known->empty())
      Changed[F.At.File].push_back({1, ~0u});
  }
  erase_if(R.Findings, [&](const PlacedFinding &F) {
    return none_of(Changed[F.At.File], [&](auto Lines) {
      return F.At.Line <= Lines.second && F.At.EndLine >= Lines.first;
    });
  });
  return Error::success();
}
