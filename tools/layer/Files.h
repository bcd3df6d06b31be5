//===- Files.h - private files ----------------------------------------------------------------===//
//
// Recordings hold the data of the user: folders are made with mode 0700, files with mode 0600.
// What is injected is code: files that others may change are refused.
//
//===------------------------------------------------------------------------------------------===//

#ifndef CLMALI_TOOLS_LAYER_FILES_H
#define CLMALI_TOOLS_LAYER_FILES_H

#include <optional>
#include <string>
#include <string_view>

namespace clmali::layer {

/// Makes the folder and those above it; true if it is there.
bool makeFolder(const std::string &Path);
/// Writes under a temporary name and renames: a reader never sees a part.
bool writeFile(const std::string &Path, std::string_view Data);
bool appendFile(const std::string &Path, std::string_view Data);
std::optional<std::string> readFile(const std::string &Path);

/// Why code must not be taken from the folder or file: it belongs to another user, or others may
/// write to it. Empty: it is safe.
std::string whyUnsafe(const std::string &Path);
/// Reads a file that must be safe.
std::optional<std::string> readSafely(const std::string &Path, std::string &Why);

/// True if Name matches Glob (* and ?).
bool matches(std::string_view Glob, std::string_view Name);

} // namespace clmali::layer

#endif
