//===- Stream.h - language server protocol on file descriptors --------------------------------===//
//
// Before: bytes; "Content-Length: 42\r\n\r\n{...".
// After:  a sequence of messages, and positions as offsets into a document's text.
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

/// Reads messages. To be used by one thread at a time.
class Reader {
public:
  explicit Reader(int FD) : FD(FD) {}
  /// The next message's body; nullopt at the end of the stream or on a malformed header.
  std::optional<std::string> next();

private:
  int FD;
  std::string Buffer;
  bool fill();
};

/// Writes whole messages. Thread-safe.
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

/// The unit of a position's "character".
enum class Encoding { Utf8, Utf16, Utf32 };

/// Lines count from 0. A position past the end of a line or text means its end.
size_t offsetAt(llvm::StringRef Text, size_t Line, size_t Character, Encoding E);
size_t offsetAt(llvm::StringRef Text, const llvm::json::Object &Position, Encoding E);
llvm::json::Object positionAt(llvm::StringRef Text, size_t Offset, Encoding E);

/// Applies one element of didChange's contentChanges.
void applyChange(std::string &Text, const llvm::json::Object &Change, Encoding E);

/// The path of a URI: "file:///a%20b" is "/a b". Empty for other schemes.
std::string pathOf(llvm::StringRef Uri);
std::string uriOf(llvm::StringRef Path);

} // namespace clmali::editor

#endif
