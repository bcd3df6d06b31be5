//===- Stream.h - the language server protocol on file descriptors
//------------------------------===//
//
// Before: bytes; "Content-Length: 42\r\n\r\n{...".
// After:  one message after the other, and positions as offsets into a document's text.
//
//===------------------------------------------------------------------------------------------===//

#ifndef CLMALI_TOOLS_CLANGD_STREAM_H
#define CLMALI_TOOLS_CLANGD_STREAM_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/JSON.h"
#include <mutex>
#include <optional>
#include <string>

namespace clmali::editor {

/// Reads messages. One thread at a time.
class Reader {
public:
  explicit Reader(int FD) : FD(FD) {}
  /// The next message's body; nullopt at the end of the stream, or where it makes no sense.
  std::optional<std::string> next();

private:
  int FD;
  std::string Buffer;
  bool fill();
};

/// Writes messages, whole. Any thread.
class Writer {
public:
  explicit Writer(int FD) : FD(FD) {}
  void write(llvm::StringRef Body);
  void send(llvm::json::Value Body);
  void close();

private:
  std::mutex Mutex;
  int FD;
};

/// In what a position's "character" counts.
enum class Encoding { Utf8, Utf16, Utf32 };

/// Lines from 0. Past a line's or the text's end means that end.
size_t offsetAt(llvm::StringRef Text, size_t Line, size_t Character, Encoding E);
size_t offsetAt(llvm::StringRef Text, const llvm::json::Object &Position, Encoding E);
llvm::json::Object positionAt(llvm::StringRef Text, size_t Offset, Encoding E);

/// Applies one element of didChange's contentChanges.
void applyChange(std::string &Text, const llvm::json::Object &Change, Encoding E);

/// "file:///a%20b" is "/a b"; empty for anything but files.
std::string pathOf(llvm::StringRef Uri);
std::string uriOf(llvm::StringRef Path);

} // namespace clmali::editor

#endif
