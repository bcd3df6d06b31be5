//===- Output.cpp - writes all files or none; diffs -------------------------------------------===//
//
// Files are written under temporary names next to their targets, which a signal removes, and
// renamed when all of them are complete.
//
//===------------------------------------------------------------------------------------------===//

#include "tools/rewrite/Tool.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;
using namespace clmali;

namespace {
Error cannotWrite(StringRef Path, Error Why) {
  std::string Text = toString(std::move(Why));
  return createStringError(inconvertibleErrorCode(),
                           "cannot write '" + Path + "': " + Text +
                               "; choose a folder that can be written to");
}

Expected<sys::fs::TempFile> temporary(StringRef Path) {
  if (sys::fs::is_directory(Path))
    return createStringError(inconvertibleErrorCode(),
                             "cannot write '" + Path + "': it is a folder");
  // An existing file without write permission must not be replaced.
  if (sys::fs::exists(Path) && sys::fs::access(Path, sys::fs::AccessMode::Write))
    return cannotWrite(Path, createStringError(inconvertibleErrorCode(), "it is read-only"));
  Expected<sys::fs::TempFile> T = sys::fs::TempFile::create(Path + ".%%%%%%.tmp", 0644);
  if (!T)
    return cannotWrite(Path, T.takeError());
  return std::move(*T);
}
} // namespace

Error tool::checkWritable(StringRef Path) {
  Expected<sys::fs::TempFile> T = temporary(Path);
  if (!T)
    return T.takeError();
  return T->discard();
}

Error tool::writeAll(ArrayRef<OutputFile> Files) {
  std::vector<sys::fs::TempFile> Made;
  auto Undo = [&](Error E) {
    for (sys::fs::TempFile &T : Made)
      consumeError(T.discard());
    return E;
  };
  for (const OutputFile &F : Files) {
    Expected<sys::fs::TempFile> T = temporary(F.Path);
    if (!T)
      return Undo(T.takeError());
    Made.push_back(std::move(*T));
    raw_fd_ostream Out(Made.back().FD, /*shouldClose=*/false);
    Out << F.Text;
    Out.flush();
    if (std::error_code EC = Out.error()) {
      Out.clear_error();
      return Undo(cannotWrite(F.Path, errorCodeToError(EC)));
    }
    if (ErrorOr<sys::fs::perms> Mode = sys::fs::getPermissions(F.Path))
      (void)sys::fs::setPermissions(Made.back().TmpName, *Mode);
  }
  Error Result = Error::success();
  for (size_t I = 0; I < Files.size(); ++I)
    if (Error E = Made[I].keep(Files[I].Path))
      Result = joinErrors(std::move(Result), cannotWrite(Files[I].Path, std::move(E)));
  return Result;
}

std::string tool::unifiedDiff(StringRef Before, StringRef After, StringRef Name) {
  SmallVector<StringRef, 0> A, B;
  Before.split(A, '\n');
  After.split(B, '\n');
  // The common prefix and suffix need no search.
  size_t Head = 0, Tail = 0;
  while (Head < A.size() && Head < B.size() && A[Head] == B[Head])
    ++Head;
  while (Tail < A.size() - Head && Tail < B.size() - Head &&
         A[A.size() - 1 - Tail] == B[B.size() - 1 - Tail])
    ++Tail;
  size_t N = A.size() - Head - Tail, M = B.size() - Head - Tail;
  // Longest common subsequence of the middle, backwards.
  bool Search = N * M <= 16'000'000;
  std::vector<std::vector<unsigned>> Common(Search ? N + 1 : 0,
                                            std::vector<unsigned>(Search ? M + 1 : 0));
  for (size_t I = N; Search && I-- > 0;)
    for (size_t J = M; J-- > 0;)
      Common[I][J] = A[Head + I] == B[Head + J] ? Common[I + 1][J + 1] + 1
                                                : std::max(Common[I + 1][J], Common[I][J + 1]);
  struct Line {
    char Sign;
    StringRef Text;
    size_t InA, InB; ///< number of lines before this one
  };
  std::vector<Line> Lines;
  size_t I = 0, J = 0;
  auto Push = [&](char Sign, StringRef Text) {
    Lines.push_back({Sign, Text, I, J});
    I += Sign != '+';
    J += Sign != '-';
  };
  while (I < A.size() || J < B.size()) {
    bool Edge = I < Head || I >= Head + N;
    if (Edge && J >= Head && J < Head + M)
      Push('+', B[J]);
    else if (Edge)
      Push(' ', A[I]);
    else if (J >= Head + M)
      Push('-', A[I]);
    else if (Search && A[I] == B[J])
      Push(' ', A[I]);
    else if (!Search || Common[I - Head + 1][J - Head] >= Common[I - Head][J - Head + 1])
      Push('-', A[I]);
    else
      Push('+', B[J]);
  }
  std::string Text;
  for (size_t K = 0; K < Lines.size();) {
    if (Lines[K].Sign == ' ') {
      ++K;
      continue;
    }
    // A hunk ends at six equal lines in a row.
    size_t Start = K < 3 ? 0 : K - 3, End = K;
    for (size_t Same = 0, L = K; L < Lines.size() && Same <= 6; ++L) {
      Same = Lines[L].Sign == ' ' ? Same + 1 : 0;
      if (Same == 0)
        End = L + 1;
    }
    End = std::min(End + 3, Lines.size());
    size_t CountA = 0, CountB = 0;
    for (size_t L = Start; L < End; ++L) {
      CountA += Lines[L].Sign != '+';
      CountB += Lines[L].Sign != '-';
    }
    if (Text.empty())
      Text = formatv("--- a/{0}\n+++ b/{0}\n", Name.ltrim('/'));
    Text += formatv("@@ -{0},{1} +{2},{3} @@\n", Lines[Start].InA + (CountA != 0), CountA,
                    Lines[Start].InB + (CountB != 0), CountB);
    for (size_t L = Start; L < End; ++L)
      if (L + 1 < Lines.size() || !Lines[L].Text.empty())
        Text += std::string(1, Lines[L].Sign) + Lines[L].Text.str() + "\n";
    K = End;
  }
  return Text;
}
