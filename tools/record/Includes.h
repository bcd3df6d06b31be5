//===- Includes.h - the files that a recorded program includes --------------------------------===//
//
// Before: options -I /home/me/lib, text #include "base.h", which includes "sub/deep.h"
// After:  PROGRAM/include/0/base.h, PROGRAM/include/0/sub/deep.h, options -I include/0
//
// Limits: the files are read when the recording is written, after the program's end. A file that
// lies in no folder of the build stays where it is, and so do all files of its program then.
//
//===------------------------------------------------------------------------------------------===//

#ifndef CLMALI_TOOLS_RECORD_INCLUDES_H
#define CLMALI_TOOLS_RECORD_INCLUDES_H

#include "checks/model/frontend/Frontend.h"
#include "tools/record/Recording.h"

namespace clmali::record {

struct IncludedFile {
  std::string Path; ///< absolute
  std::string Text;
};

/// Parses the text as File and returns the files that it includes, Clang's own excepted.
model::ParseResult parseWithIncludes(const std::string &File, const std::string &Text,
                                     const std::vector<std::string> &ClangArguments,
                                     std::vector<IncludedFile> &Included);

/// Copies the files below \p Folder/include and sets P.Includes to the new folders. Leaves both
/// alone if the text would find other files there, or none.
llvm::Error copyIncludes(const std::string &Folder, RecordedProgram &P,
                         const std::vector<IncludedFile> &Included);

/// The options of P with the include folders, those of the recording as seen from a folder: \p Up
/// is "" for the program's own, "../" for one below it.
std::string buildOptions(const RecordedProgram &P, llvm::StringRef Up);
/// The same as arguments for Clang, with the absolute path of the program's folder.
std::vector<std::string> clangArguments(const RecordedProgram &P, const std::string &Folder);

} // namespace clmali::record

#endif
