#include "rewriters/verify/run/Oclgrind.h"
#include "rewriters/verify/run/ImageAccess.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/Regex.h"

#include <cstdlib>
#include <set>
#include <sys/mman.h>
#include <unistd.h>

using namespace llvm;

namespace clmali::verify {

OclgrindLog::OclgrindLog() {
  File = memfd_create("oclgrind-log", 0);
  std::string Path = "/proc/self/fd/" + std::to_string(File);
  setenv("OCLGRIND_LOG", Path.c_str(), 1);
}

std::string OclgrindLog::take() {
  off_t End = lseek(File, 0, SEEK_END);
  std::string Text(End > Read ? End - Read : 0, '\0');
  ssize_t Got = pread(File, Text.data(), Text.size(), Read);
  Text.resize(Got > 0 ? Got : 0);
  Read += Text.size();
  return Text;
}

/// The source line of an access to imageZone() that \p Message reports.
static std::optional<unsigned> lineOfImageAccess(StringRef Message) {
  static const Regex Global("at global memory address 0x([0-9a-fA-F]+)");
  SmallVector<StringRef, 2> Parts;
  uint64_t Address = 0;
  if (!Global.match(Message, &Parts) || Parts[1].getAsInteger(16, Address))
    return std::nullopt;
  return imageLine(Address);
}

OclgrindErrors parseLog(StringRef Text) {
  OclgrindErrors Errors;
  SmallVector<StringRef, 64> Lines;
  Text.split(Lines, '\n');
  for (size_t I = 0; I < Lines.size(); ++I) {
    StringRef Line = Lines[I].rtrim();
    // A message starts in the first column and goes on in indented lines. Lines of kernel source
    // start in the first column too, but only below an indented "At line".
    if (Line.empty() || isSpace(Line.front()))
      continue;
    std::string Kind;
    for (char C : Line.take_until([](char C) { return isDigit(C); }))
      Kind += C;
    Kind = StringRef(Kind).rtrim().str();
    static constexpr StringLiteral Known[] = {"Invalid read",
                                              "Invalid write",
                                              "Read-write data race",
                                              "Write-write data race",
                                              "Work-group divergence",
                                              "Uninitialized",
                                              "Controlflow",
                                              "Unaligned",
                                              "Index",
                                              "Out-of-bounds",
                                              "Invalid"};
    if (none_of(Known, [&](StringRef K) { return Line.starts_with(K); }))
      continue;
    std::string Message = Line.str();
    const std::optional<unsigned> OfImage = lineOfImageAccess(Line);
    if (OfImage) {
      Kind = Line.contains("write") ? "Write outside an image" : "Read outside an image";
      Message = Kind + ", at line " + std::to_string(*OfImage);
    }
    for (size_t J = I + 1; J < Lines.size() && J < I + 18; ++J) {
      StringRef More = Lines[J];
      if (More.trim().empty())
        continue;
      if (!isSpace(More.front()) || (OfImage && More.trim().starts_with("At line")))
        break; // that line is one of the preamble
      Message += "\n" + More.rtrim().str();
    }
    Errors.emplace(std::move(Kind), std::move(Message));
  }
  return Errors;
}

json::Array toJson(const OclgrindErrors &Errors) {
  json::Array A;
  for (const auto &[Kind, Message] : Errors)
    A.push_back(json::Object{{"kind", Kind},
                             {"class", errorClass(Kind)},
                             {"message", json::fixUTF8(inOneLine(Message))}});
  return A;
}

StringRef errorClass(StringRef Kind) {
  if (Kind.contains("race"))
    return "race";
  if (Kind.contains("divergence"))
    return "divergence";
  if (Kind.contains_insensitive("uninitialized"))
    return "uninitialised";
  return "memory";
}

std::string inOneLine(StringRef Message) {
  SmallVector<StringRef, 16> Lines;
  Message.split(Lines, '\n');
  std::string Text = Lines.front().trim().str();
  for (StringRef Line : ArrayRef(Lines).drop_front()) {
    Line = Line.trim();
    if (Line.starts_with("Entity") || Line.starts_with("First entity") ||
        Line.starts_with("Second entity") || Line.starts_with("At line"))
      Text += "; " + Line.rtrim(":").str();
  }
  return Text;
}

std::string entityOf(StringRef Message) {
  SmallVector<StringRef, 16> Lines;
  Message.split(Lines, '\n');
  std::string Kernel, Items;
  for (StringRef Line : Lines) {
    Line = Line.trim();
    if (Line.consume_front("Kernel: "))
      Kernel = Line.str();
    static const Regex Global("[Ee]ntity: +Global\\(([0-9]+),([0-9]+),([0-9]+)\\)");
    SmallVector<StringRef, 4> Parts;
    if (Global.match(Line, &Parts))
      Items += (Items.empty() ? "(" : " and (") + Parts[1].str() + ", " + Parts[2].str() + ", " +
               Parts[3].str() + ")";
  }
  if (Items.empty())
    return {};
  return Items + (Kernel.empty() ? "" : " of " + Kernel);
}

std::string extensionsAsOn(StringRef Source, StringRef Extensions) {
  auto IsWord = [](char C) { return isAlnum(C) || C == '_'; };
  SmallVector<StringRef, 64> Has;
  Extensions.split(Has, ' ', -1, /*KeepEmpty=*/false);
  std::string Text;
  std::set<StringRef> Seen;
  while (!(Source = Source.drop_until(IsWord)).empty()) {
    StringRef Word = Source.take_while(IsWord);
    Source = Source.drop_front(Word.size());
    // cl_khr_fp64, cl_intel_subgroups: a vendor's short name, and what it adds.
    if (!Word.starts_with("cl_") || !Word.drop_front(3).contains('_') || !Seen.insert(Word).second)
      continue;
    Text += "#undef " + Word.str() + "\n";
    if (is_contained(Has, Word))
      Text += "#define " + Word.str() + " 1\n";
  }
  return Text.empty() ? Text : Text + "#line 1\n";
}

/// Oclgrind 21.10 gives a wrong result for the integer built-ins min, max and clamp of a vector
/// with scalars, and for ldexp of a vector with a scalar (it reads past the scalar). The text
/// defines them by the forms that are right; #line keeps the source's line numbers.
std::string oclgrindPreamble() {
  std::string Text;
  for (const char *Scalar : {"char", "uchar", "short", "ushort", "int", "uint", "long", "ulong"})
    for (const char *Lanes : {"2", "3", "4", "8", "16"}) {
      std::string S = Scalar, V = S + Lanes;
      auto function = [&](const std::string &Head, const std::string &Call) {
        Text += V + " __attribute__((overloadable)) " + Head + " { return " + Call + "; } ";
      };
      function("min(" + V + " x, " + S + " y)", "min(x, (" + V + ")(y))");
      function("max(" + V + " x, " + S + " y)", "max(x, (" + V + ")(y))");
      function("clamp(" + V + " x, " + S + " a, " + S + " b)",
               "clamp(x, (" + V + ")(a), (" + V + ")(b))");
    }
  for (const char *Lanes : {"2", "3", "4", "8", "16"}) {
    std::string V = std::string("float") + Lanes, I = std::string("int") + Lanes;
    Text += V + " __attribute__((overloadable)) ldexp(" + V + " x, int k) { return ldexp(x, (" + I +
            ")(k)); } ";
  }
  // mad_sat of 64 bits overflows in the product.
  for (const char *S : {"long", "ulong"}) {
    bool Signed = S[0] == 'l';
    std::string Head = std::string(S) + " __attribute__((overloadable)) mad_sat(" + S + " x, " + S +
                       " y, " + S + " z) { ";
    Text += Head + S +
            " h = mul_hi(x, y); ulong l = (ulong)x * (ulong)y; "
            "ulong t = l + (ulong)z; h += (t < l ? 1 : 0)" +
            (Signed ? " + (z >> 63); return h == ((long)t >> 63) ? (long)t : h < 0 "
                      "? (long)(1UL << 63) : (long)(~0UL >> 1); } "
                    : "; return h ? ~0UL : t; } ");
    for (const char *Lanes : {"2", "3", "4", "8", "16"}) {
      std::string V = std::string(S) + Lanes;
      Text += V + " __attribute__((overloadable)) mad_sat(" + V + " x, " + V + " y, " + V +
              " z) { return (" + V + ")(";
      unsigned N = StringRef(Lanes) == "16" ? 16 : Lanes[0] - '0';
      for (unsigned I = 0; I < N; ++I) {
        std::string L = std::string(".s") + "0123456789abcdef"[I];
        Text += (I ? ", " : "") + ("mad_sat(x" + L + ", y" + L + ", z" + L + ")");
      }
      Text += "); } ";
    }
  }
  return Text + "\n#line 1\n";
}

std::vector<OclgrindStore> invalidStores(StringRef Log) {
  std::vector<OclgrindStore> All;
  SmallVector<StringRef, 64> Lines;
  Log.split(Lines, '\n');
  static const Regex Write(
      "^Invalid write of size ([0-9]+) at global memory address 0x([0-9a-fA-F]+)");
  for (size_t I = 0; I < Lines.size(); ++I) {
    SmallVector<StringRef, 3> Parts;
    if (!Write.match(Lines[I], &Parts))
      continue;
    OclgrindStore S;
    uint64_t Address = 0;
    if (Parts[1].getAsInteger(10, S.Bytes) || Parts[2].getAsInteger(16, Address))
      continue;
    // The upper bits of an address are the buffer's number.
    S.Offset = Address & ((uint64_t(1) << 48) - 1);
    std::string Message = Lines[I].str();
    for (size_t J = I + 1; J < Lines.size() && J < I + 8 && Lines[J].starts_with("\t"); ++J)
      Message += "\n" + Lines[J].str();
    S.Item = entityOf(Message);
    All.push_back(std::move(S));
  }
  return All;
}

std::string findOclgrind(const JudgeOptions &Options) {
  if (!Options.UseOclgrind)
    return {};
  if (!Options.OclgrindLibrary.empty())
    return sys::fs::exists(Options.OclgrindLibrary) ? Options.OclgrindLibrary : std::string();
  std::vector<std::string> Folders{"/usr/lib/oclgrind", "/usr/lib64/oclgrind",
                                   "/usr/local/lib/oclgrind", "/usr/local/lib64/oclgrind"};
  if (ErrorOr<std::string> Program = sys::findProgramByName("oclgrind")) {
    SmallString<128> Folder(sys::path::parent_path(*Program));
    sys::path::append(Folder, "..", "lib", "oclgrind");
    Folders.insert(Folders.begin(), std::string(Folder));
  }
  for (const std::string &Folder : Folders) {
    std::string Library = Folder + "/liboclgrind-rt.so";
    if (sys::fs::exists(Library))
      return Library;
  }
  return {};
}

} // namespace clmali::verify
