#include "rewriters/verify/run/ImageAccess.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/Regex.h"

#include <sys/mman.h>

using namespace llvm;

namespace clmali::verify {
namespace {

/// Far from what Linux gives to programs on 64-bit machines, and in Oclgrind no buffer's number.
constexpr uint64_t ZoneBegin = 0x200000000000;
constexpr uint64_t ZoneBytes = uint64_t(256) << 20;
/// Between the addresses of two lines. A device may store a whole vector.
constexpr unsigned LineBytes = 64;

/// One image type as the preamble needs it.
struct Form {
  StringLiteral Type, Coordinate;
  /// True where coordinate c lies outside image i.
  StringLiteral Outside;
};
constexpr Form Forms[] = {
    {"image1d_t", "int", "(uint)c >= (uint)get_image_width(i)"},
    {"image1d_buffer_t", "int", "clmali_behind_buffer(i, c)"},
    {"image1d_array_t", "int2",
     "(uint)c.x >= (uint)get_image_width(i) || (uint)c.y >= (uint)get_image_array_size(i)"},
    {"image2d_t", "int2",
     "(uint)c.x >= (uint)get_image_width(i) || (uint)c.y >= (uint)get_image_height(i)"},
    {"image2d_array_t", "int4",
     "(uint)c.x >= (uint)get_image_width(i) || (uint)c.y >= (uint)get_image_height(i) || "
     "(uint)c.z >= (uint)get_image_array_size(i)"},
    {"image3d_t", "int4",
     "(uint)c.x >= (uint)get_image_width(i) || (uint)c.y >= (uint)get_image_height(i) || "
     "(uint)c.z >= (uint)get_image_depth(i)"},
};

/// The suffix of a built-in, and the type of its texel.
constexpr std::pair<StringLiteral, StringLiteral> Texels[] = {
    {"f", "float4"}, {"i", "int4"}, {"ui", "uint4"}, {"h", "half4"}};

/// The functions for one access qualifier.
void define(std::string &Text, StringRef Access, const Form &F, bool Writes) {
  const std::string Zone =
      "(volatile __global int *)(" + utostr(ZoneBegin) + "ul + " + utostr(LineBytes) + "ul * line)";
  for (const auto &[Suffix, Texel] : Texels) {
    if (Suffix == "h")
      Text += "#ifdef cl_khr_fp16\n";
    const std::string Head =
        (Twine("__attribute__((overloadable)) clmali_") + (Writes ? "write" : "read") + "_image" +
         Suffix + "(" + Access + " " + F.Type + " i, " + F.Coordinate + " c, ")
            .str();
    const std::string Guard = (Twine("if (") + F.Outside + ") ").str();
    if (Writes)
      Text += ("void " + Head + Texel + " v, uint line) { " + Guard + "*" + Zone +
               " = 1; else write_image" + Suffix + "(i, c, v); }\n")
                  .str();
    else
      Text += (Texel + Twine(" ") + Head + "uint line) { " + Guard + "return (" + Texel + ")(*" +
               Zone + "); return read_image" + Suffix + "(i, c); }\n")
                  .str();
    if (Suffix == "h")
      Text += "#endif\n";
  }
}

bool isWord(char C) { return isAlnum(C) || C == '_'; }

/// The end of the comment or string at \p I of \p Text; \p I where there is none.
size_t skipped(StringRef Text, size_t I) {
  StringRef Rest = Text.substr(I);
  if (Rest.starts_with("//"))
    return std::min(Text.find('\n', I), Text.size());
  if (Rest.starts_with("/*"))
    return std::min(Text.find("*/", I + 2), Text.size() - 2) + 2;
  if (!Rest.starts_with("\""))
    return I;
  for (++I; I < Text.size() && Text[I] != '"'; ++I)
    if (Text[I] == '\\')
      ++I;
  return std::min(I + 1, Text.size());
}

/// True if \p I is in a line of the preprocessor.
bool inDirective(StringRef Text, size_t I) {
  size_t Begin = I;
  do
    Begin = Begin == 0 ? 0 : Text.rfind('\n', Begin - 1) + 1; // npos + 1 is 0
  while (Begin > 0 && Text.take_front(Begin - 1).ends_with("\\") && Begin-- > 0);
  return Text.substr(Begin).ltrim(" \t").starts_with("#");
}

/// The end of the initializer at \p I: before the comma or semicolon outside all parentheses, or at
/// the end of a directive's line.
size_t endOfInitializer(StringRef Text, size_t I) {
  const bool Directive = inDirective(Text, I);
  int Depth = 0;
  for (; I < Text.size(); ++I) {
    if (size_t Next = skipped(Text, I); Next != I) {
      I = Next - 1;
      continue;
    }
    if (Text[I] == '(')
      ++Depth;
    if (Text[I] == ')' && --Depth < 0)
      return I;
    const bool EndsLine = Directive && Text[I] == '\n' && !Text.take_front(I).ends_with("\\");
    if (EndsLine || Text[I] == ';' || (Text[I] == ',' && Depth == 0))
      return I;
  }
  return I;
}

} // namespace

FaultZone imageZone() {
  FaultZone Z;
  Z.Begin = Z.PayloadBegin = Z.PayloadEnd = ZoneBegin;
  Z.End = ZoneBegin + ZoneBytes;
  Z.Argument = NoArgument;
  return Z;
}

Error protectImageZone() {
  void *At = mmap(reinterpret_cast<void *>(ZoneBegin), ZoneBytes, PROT_NONE,
                  MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
  if (At != reinterpret_cast<void *>(ZoneBegin))
    return createStringError(inconvertibleErrorCode(), "no address space for accesses outside "
                                                       "images");
  return Error::success();
}

std::optional<unsigned> imageLine(uint64_t Address) {
  if (Address < ZoneBegin || Address >= ZoneBegin + ZoneBytes)
    return std::nullopt;
  return static_cast<unsigned>((Address - ZoneBegin) / LineBytes);
}

std::string imagePreamble() {
  std::string Text;
  // PoCL's headers rename the built-ins by macros.
  for (const auto &[Suffix, Texel] : Texels)
    Text += ("#ifdef read_image" + Suffix + "\n#define clmali_sampled_image" + Suffix +
             " _cl_read_image" + Suffix + "\n#else\n#define clmali_sampled_image" + Suffix +
             " read_image" + Suffix + "\n#endif\n")
                .str();
  // PoCL 3.1 has no get_image_width of an image1d_buffer_t: only Oclgrind checks those.
  Text += "#ifdef read_imagef\n#define clmali_behind_buffer(i, c) false\n#else\n"
          "#define clmali_behind_buffer(i, c) ((uint)(c) >= (uint)get_image_width(i))\n#endif\n";
  Text += "#ifdef cl_khr_fp16\n#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n#endif\n"
          "#ifdef cl_khr_3d_image_writes\n"
          "#pragma OPENCL EXTENSION cl_khr_3d_image_writes : enable\n#endif\n";
  for (const Form &F : Forms) {
    define(Text, "__read_only", F, /*Writes=*/false);
    if (F.Type == "image3d_t")
      Text += "#ifdef cl_khr_3d_image_writes\n";
    define(Text, "__write_only", F, /*Writes=*/true);
    Text += "#if __OPENCL_C_VERSION__ >= 200\n";
    define(Text, "__read_write", F, /*Writes=*/false);
    define(Text, "__read_write", F, /*Writes=*/true);
    Text += "#endif\n";
    if (F.Type == "image3d_t")
      Text += "#endif\n";
  }
  Text += "#define clmali_pick(a, b, c, name, ...) name\n";
  for (const auto &[Suffix, Texel] : Texels)
    Text += ("#undef read_image" + Suffix + "\n#undef write_image" + Suffix +
             "\n#define clmali_plain_image" + Suffix + "(...) clmali_read_image" + Suffix +
             "(__VA_ARGS__, __LINE__)\n#define read_image" + Suffix +
             "(...) clmali_pick(__VA_ARGS__, clmali_sampled_image" + Suffix +
             ", clmali_plain_image" + Suffix + ", 0)(__VA_ARGS__)\n#define write_image" + Suffix +
             "(...) clmali_write_image" + Suffix + "(__VA_ARGS__, __LINE__)\n")
                .str();
  return Text + "#line 1\n";
}

std::string withoutNone(StringRef Source, NoneBecomes To) {
  std::string Out;
  bool Any = false;
  size_t Copied = 0;
  for (size_t I = 0; I < Source.size();) {
    if (size_t Next = skipped(Source, I); Next != I) {
      I = Next;
      continue;
    }
    StringRef Word = Source.substr(I).take_while(isWord);
    if (Word != "sampler_t") {
      I += std::max<size_t>(1, Word.size());
      continue;
    }
    // sampler_t NAME = INITIALIZER, NAME = INITIALIZER
    I += Word.size();
    while (true) {
      StringRef Rest = Source.substr(I).ltrim().drop_while(isWord).ltrim();
      if (!Rest.consume_front("="))
        break;
      I = Source.size() - Rest.size();
      const size_t End = endOfInitializer(Source, I);
      Out += (Source.slice(Copied, I) + " clmali_address(" + Source.slice(I, End) + ")").str();
      I = Copied = End;
      Any = true;
      if (!Source.substr(End).starts_with(","))
        break;
      ++I;
    }
  }
  // Samplers of included files, and those that are no initializers, name the address mode.
  static const Regex Names("CLK_ADDRESS_NONE|#[ \t]*include");
  if (!Any && !Names.match(Source))
    return Source.str();
  Out += Source.substr(Copied);
  const std::string Mode =
      std::string("CLK_ADDRESS_CLAMP") + (To == NoneBecomes::ClampToEdge ? "_TO_EDGE" : "");
  const std::string All = "(CLK_ADDRESS_CLAMP_TO_EDGE | CLK_ADDRESS_CLAMP | CLK_ADDRESS_REPEAT | "
                          "CLK_ADDRESS_MIRRORED_REPEAT)";
  return "enum { clmali_address_none = CLK_ADDRESS_NONE };\n#undef CLK_ADDRESS_NONE\n"
         "#define CLK_ADDRESS_NONE " +
         Mode + "\n#define clmali_address(x) (((x) & " + All +
         ") == clmali_address_none ? ((x) & ~" + All + ") | " + Mode + " : (x))\n#line 1\n" + Out;
}

static bool anyImage(const TestPlan &P, function_ref<bool(const Parameter &)> Which) {
  return any_of(P.Launches, [&](const TestPlan::PerLaunch &L) {
    return any_of(L.Shape.Params, [&](const Parameter &Param) {
      return Param.Where == Parameter::Space::Image && Which(Param);
    });
  });
}

bool usesImages(const TestPlan &P) {
  return anyImage(P, [](const Parameter &) { return true; });
}

bool keepsPreamble(const TestPlan &P) {
  static const Regex Macro("#[ \t]*(define|undef)[ \t]+(read|write)_image");
  return !Macro.match(P.Request->Original.Source) && !Macro.match(P.Request->Rewritten.Source);
}

bool usesBufferImages(const TestPlan &P) {
  return anyImage(P, [](const Parameter &Param) { return Param.Image.Buffer; });
}

} // namespace clmali::verify
