//===-- checks/model/host/HostLocations.cpp - Locations in a host program ---------===//

#include "checks/model/host/HostLocations.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"
#include "llvm/Support/Path.h"

using namespace clang;
using namespace llvm;

namespace clmali::model {

uint32_t HostLocations::fileIndex(FileID ID) {
  const SourceManager &SM = Ctx.getSourceManager();
  auto [At, New] = Indices.try_emplace(ID, M.Files.size());
  if (New) {
    auto Ref = SM.getFileEntryRefForID(ID);
    // `"./k.h"` and `"k.h"` are one file for the reader.
    StringRef Name = Ref ? Ref->getName() : "<unknown>";
    M.Files.push_back({sys::path::remove_leading_dotslash(Name).str(), SM.getBufferData(ID).str()});
  }
  return At->second;
}

SourceRange HostLocations::range(clang::SourceRange R) {
  const SourceManager &SM = Ctx.getSourceManager();
  SourceLocation First = SM.getFileLoc(R.getBegin()), Last = R.getEnd();
  while (Last.isMacroID())
    Last = SM.isMacroArgExpansion(Last) ? SM.getImmediateSpellingLoc(Last)
                                        : SM.getImmediateExpansionRange(Last).getEnd();
  auto [File, Begin] = SM.getDecomposedLoc(First);
  auto [EndFile, End] = SM.getDecomposedLoc(Last);
  End += Lexer::MeasureTokenLength(Last, SM, Ctx.getLangOpts());
  if (File != EndFile || End <= Begin)
    End = Begin + 1;
  return {fileIndex(File), Begin, End};
}

} // namespace clmali::model
