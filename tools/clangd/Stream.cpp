//===- Stream.cpp - language server protocol on file descriptors ------------------------------===//

#include "tools/clangd/Stream.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/ConvertUTF.h"
#include "llvm/Support/raw_ostream.h"
#include <cerrno>
#include <unistd.h>

using namespace llvm;
using namespace clmali;
using namespace clmali::editor;

//===------------------------------------------------------------------------------------------===//
// Messages
//===------------------------------------------------------------------------------------------===//

bool Reader::fill() {
  char Chunk[65536];
  ssize_t N;
  do
    N = ::read(FD, Chunk, sizeof(Chunk));
  while (N < 0 && errno == EINTR);
  if (N <= 0)
    return false;
  Buffer.append(Chunk, N);
  return true;
}

std::optional<std::string> Reader::next() {
  for (;;) {
    size_t End;
    while ((End = Buffer.find("\r\n\r\n")) == std::string::npos)
      if (!fill())
        return std::nullopt;
    size_t Length = 0;
    SmallVector<StringRef, 4> Lines;
    StringRef(Buffer).take_front(End).split(Lines, "\r\n");
    for (StringRef Line : Lines)
      if (Line.consume_front_insensitive("content-length:"))
        Line.trim().getAsInteger(10, Length);
    Buffer.erase(0, End + 4);
    if (!Length)
      continue;
    while (Buffer.size() < Length)
      if (!fill())
        return std::nullopt;
    std::string Body = Buffer.substr(0, Length);
    Buffer.erase(0, Length);
    return Body;
  }
}

void Writer::write(StringRef Body) {
  std::string All = ("Content-Length: " + Twine(Body.size()) + "\r\n\r\n" + Body).str();
  std::lock_guard Lock(Mutex);
  for (StringRef Rest = All; !Rest.empty() && FD >= 0;) {
    ssize_t N = ::write(FD, Rest.data(), Rest.size());
    if (N < 0 && errno == EINTR)
      continue;
    if (N < 0)
      return; // the peer has closed the stream; the reading side will notice
    Rest = Rest.drop_front(N);
  }
}

void Writer::send(json::Value Body) {
  if (json::Object *O = Body.getAsObject())
    O->try_emplace("jsonrpc", "2.0");
  std::string Text;
  raw_string_ostream(Text) << Body;
  write(Text);
}

void Writer::close() {
  std::lock_guard Lock(Mutex);
  if (FD >= 0)
    ::close(FD);
  FD = -1;
}

//===------------------------------------------------------------------------------------------===//
// Positions
//===------------------------------------------------------------------------------------------===//

/// Units of E for the UTF-8 sequence that starts with byte C; 0 for a continuation byte.
static unsigned unitsOf(unsigned char C, Encoding E) {
  if (E == Encoding::Utf8)
    return 1;
  if ((C & 0xC0) == 0x80)
    return 0;
  return E == Encoding::Utf16 && C >= 0xF0 ? 2 : 1;
}

size_t editor::offsetAt(StringRef Text, size_t Line, size_t Character, Encoding E) {
  size_t At = 0;
  for (; Line; --Line) {
    size_t Next = Text.find('\n', At);
    if (Next == StringRef::npos)
      return Text.size();
    At = Next + 1;
  }
  size_t Units = 0;
  for (; At < Text.size() && Text[At] != '\n'; ++At) {
    unsigned U = unitsOf(Text[At], E);
    if (U && Units >= Character)
      break;
    Units += U;
  }
  return At;
}

size_t editor::offsetAt(StringRef Text, const json::Object &Position, Encoding E) {
  return offsetAt(Text, std::max<int64_t>(0, Position.getInteger("line").value_or(0)),
                  std::max<int64_t>(0, Position.getInteger("character").value_or(0)), E);
}

json::Object editor::positionAt(StringRef Text, size_t Offset, Encoding E) {
  StringRef Before = Text.take_front(Offset);
  size_t Start = Before.rfind('\n');
  Start = Start == StringRef::npos ? 0 : Start + 1;
  int64_t Units = 0;
  for (char C : Before.drop_front(Start))
    Units += unitsOf(C, E);
  return json::Object{{"line", int64_t(Before.count('\n'))}, {"character", Units}};
}

void editor::applyChange(std::string &Text, const json::Object &Change, Encoding E) {
  StringRef New = Change.getString("text").value_or("");
  const json::Object *Range = Change.getObject("range");
  if (!Range) {
    Text = New.str();
    return;
  }
  const json::Object *Start = Range->getObject("start"), *End = Range->getObject("end");
  if (!Start || !End)
    return;
  size_t From = offsetAt(Text, *Start, E), To = std::max(From, offsetAt(Text, *End, E));
  Text.replace(From, To - From, New.str());
}

//===------------------------------------------------------------------------------------------===//
// Files
//===------------------------------------------------------------------------------------------===//

std::string editor::pathOf(StringRef Uri) {
  if (!Uri.consume_front("file://"))
    return "";
  Uri = Uri.drop_front(std::min(Uri.find('/'), Uri.size())); // a host, "localhost"
  std::string Path;
  for (size_t I = 0; I < Uri.size(); ++I) {
    if (Uri[I] == '%' && I + 2 < Uri.size() && isHexDigit(Uri[I + 1]) && isHexDigit(Uri[I + 2])) {
      Path += char(hexFromNibbles(Uri[I + 1], Uri[I + 2]));
      I += 2;
    } else {
      Path += Uri[I];
    }
  }
  return Path;
}

std::string editor::uriOf(StringRef Path) {
  std::string Uri = "file://";
  for (unsigned char C : Path)
    if (isAlnum(C) || StringRef("/-_.~").contains(C))
      Uri += C;
    else
      Uri += "%" + utohexstr(C, /*LowerCase=*/false, 2);
  return Uri;
}
