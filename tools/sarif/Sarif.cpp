//===- Sarif.cpp - parts of SARIF 2.1.0 logs that all programs share --------------------------===//

#include "tools/sarif/Sarif.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/ConvertUTF.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace clmali;

static constexpr StringLiteral Base = "%SRCROOT%";

json::Value sarif::text(StringRef S) {
  return json::isUTF8(S) ? json::Value(S.str()) : json::Value(json::fixUTF8(S));
}

static std::string workingFolder() {
  SmallString<256> Here;
  (void)sys::fs::current_path(Here);
  return Here.str().str();
}

static std::string absolute(StringRef File) {
  SmallString<256> Full(File);
  sys::fs::make_absolute(Full);
  sys::path::remove_dots(Full, /*remove_dot_dot=*/true);
  return Full.str().str();
}

/// The nearest folder with .git at or above Folder, or empty.
static std::string repository(StringRef Folder) {
  for (; !Folder.empty(); Folder = sys::path::parent_path(Folder)) {
    SmallString<256> Git(Folder);
    sys::path::append(Git, ".git");
    if (sys::fs::exists(Git))
      return Folder.str();
  }
  return "";
}

std::string sarif::rootOf(StringRef File) {
  std::string Full = absolute(File);
  std::string Root = repository(sys::path::parent_path(Full));
  return Root.empty() ? workingFolder() : Root;
}

/// Path relative to Root, or empty.
static std::string below(StringRef Root, StringRef Full) {
  if (!Full.consume_front(Root) || !(Root.ends_with("/") || Full.consume_front("/")))
    return "";
  return sys::path::convert_to_slash(Full);
}

std::string sarif::pathFromRoot(StringRef File) {
  std::string Full = absolute(File);
  std::string Short = below(rootOf(File), Full);
  return Short.empty() ? sys::path::convert_to_slash(Full) : Short;
}

static std::string logRoot() {
  std::string Here = workingFolder();
  std::string Root = repository(Here);
  return Root.empty() ? Here : Root;
}

static std::string escaped(StringRef Path) {
  std::string Result;
  for (unsigned char C : Path) {
    if (isAlnum(C) || StringRef("/-._~").contains(static_cast<char>(C)))
      Result += static_cast<char>(C);
    else
      Result += "%" + toHex(StringRef(reinterpret_cast<char *>(&C), 1));
  }
  return Result;
}

json::Object sarif::artifactLocation(StringRef File) {
  std::string Full = absolute(File);
  std::string Short = below(logRoot(), Full);
  if (Short.empty())
    return json::Object{{"uri", "file://" + escaped(sys::path::convert_to_slash(Full))}};
  return json::Object{{"uri", escaped(Short)}, {"uriBaseId", Base}};
}

unsigned sarif::utf16Column(StringRef Line, unsigned Column) {
  StringRef Before = Line.take_front(Column - 1);
  SmallVector<UTF16, 128> Units;
  if (!convertUTF8ToUTF16String(Before, Units))
    return Column;
  return Units.size() + 1 + (Column - 1 - Before.size());
}

std::string sarif::log(json::Object Driver, json::Object Run) {
  Run["tool"] = json::Object{{"driver", std::move(Driver)}};
  Run["columnKind"] = "utf16CodeUnits";
  std::string Root = "file://" + escaped(sys::path::convert_to_slash(logRoot()));
  Run["originalUriBaseIds"] = json::Object{
      {Base, json::Object{{"uri", StringRef(Root).ends_with("/") ? Root : Root + "/"}}}};
  json::Object Log{{"$schema", "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/"
                               "sarif-schema-2.1.0.json"},
                   {"version", "2.1.0"},
                   {"runs", json::Array{std::move(Run)}}};
  std::string Buffer;
  raw_string_ostream Out(Buffer);
  Out << formatv("{0:2}", json::Value(std::move(Log))) << "\n";
  return Buffer;
}
