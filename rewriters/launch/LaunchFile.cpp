// Launch files at one size: the geometry and the arguments in numbers.
#include "rewriters/launch/LaunchFile.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/StringSaver.h"

#include <cstdlib>
#include <limits>

using namespace llvm;

namespace clmali::launch {
namespace {

Error failure(const Twine &Message) { return createStringError(inconvertibleErrorCode(), Message); }

std::string describe(const Size &At) {
  std::string Text;
  for (const auto &[Name, Value] : At)
    Text += (Text.empty() ? "" : ", ") + Name + " = " + std::to_string(Value);
  return Text.empty() ? "" : " at " + Text;
}

} // namespace

bool parseDouble(StringRef Text, double &Value) {
  Text = Text.trim();
  if (Text.empty())
    return false;
  StringRef Body = Text;
  if (!Body.starts_with_insensitive("0x") && !Body.ends_with_insensitive("inf"))
    if (Body.ends_with("f") || Body.ends_with("F"))
      Body = Body.drop_back();
  std::string Owned = Body.str();
  char *End = nullptr;
  Value = std::strtod(Owned.c_str(), &End);
  return End && *End == 0 && End != Owned.c_str();
}

const Argument *LaunchFile::findArgument(StringRef Name) const {
  for (const Argument &A : Args)
    if (A.Name == Name)
      return &A;
  return nullptr;
}

std::string besideLaunchFile(const LaunchFile &File, StringRef Path) {
  if (sys::path::is_absolute(Path))
    return Path.str();
  SmallString<256> Full(sys::path::parent_path(File.Path));
  sys::path::append(Full, Path);
  return std::string(Full);
}

/// Adds the extents of image \p A. What \p A does not have has no name.
static void addExtents(const Argument &A, Bindings &Into) {
  const size_t Count = A.Extents.size();
  for (size_t D = 0; D < Count; ++D) {
    Expected<int64_t> Value = A.Extents[D].evaluate(Into);
    if (!Value) {
      consumeError(Value.takeError()); // extentsOf() says why
      continue;
    }
    Into[extentName(extentNames()[D], A.Name)] = *Value;
    if (D > 0 && D + 1 == Count)
      Into[extentName("layers", A.Name)] = *Value;
  }
}

Bindings bindingsAt(const LaunchFile &File, const Size &At) {
  Bindings All = At;
  for (const auto &[Name, Text] : File.Defines) {
    int64_t Value;
    if (!StringRef(Text).trim().getAsInteger(0, Value))
      All.emplace(Name, Value);
  }
  for (const Argument &A : File.Args)
    addExtents(A, All);
  return All;
}

Expected<std::array<uint64_t, 3>> extentsOf(const Argument &A, const Bindings &Values) {
  std::array<uint64_t, 3> Extents{1, 1, 1};
  for (size_t D = 0; D < A.Extents.size(); ++D) {
    Expected<int64_t> Value = A.Extents[D].evaluate(Values);
    if (!Value)
      return failure("argument '" + A.Name + "': size: " + toString(Value.takeError()));
    if (*Value < 1 || *Value > std::numeric_limits<int32_t>::max())
      return failure("argument '" + A.Name + "': size: '" + A.Extents[D].text() + "' is " +
                     Twine(*Value));
    Extents[D] = static_cast<uint64_t>(*Value);
  }
  return Extents;
}

Expected<Geometry> geometryAt(const LaunchFile &File, const Size &At) {
  Bindings Values = bindingsAt(File, At);
  Geometry G;
  G.Dimensions = File.Global.size();
  uint64_t Items = 1;
  auto evaluate = [&](const Expression &E, StringRef Name, int64_t Least) -> Expected<uint64_t> {
    Expected<int64_t> Value = E.evaluate(Values);
    if (!Value)
      return failure(Name + ": " + toString(Value.takeError()) + describe(At));
    if (*Value < Least)
      return failure(Name + ": '" + E.text() + "' is " + Twine(*Value) + describe(At) +
                     "; it must be " + Twine(Least) + " or more");
    return static_cast<uint64_t>(*Value);
  };
  for (unsigned D = 0; D < G.Dimensions; ++D) {
    Expected<uint64_t> Global = evaluate(File.Global[D], "global", 1);
    if (!Global)
      return Global.takeError();
    G.Global[D] = *Global;
    bool Overflowed = false;
    Items = SaturatingMultiply(Items, *Global, &Overflowed);
    if (Overflowed)
      return failure("global: more than 2^64 work-items" + describe(At));
    if (D < File.Local.size()) {
      Expected<uint64_t> Local = evaluate(File.Local[D], "local", 1);
      if (!Local)
        return Local.takeError();
      if (*Global % *Local != 0)
        return failure("local: " + Twine(*Local) +
                       " does not divide the global "
                       "size " +
                       Twine(*Global) + " in dimension " + Twine(D) + describe(At) +
                       "; OpenCL 1.2 refuses such a launch");
      G.Local[D] = *Local;
    }
    if (D < File.Offset.size()) {
      Expected<uint64_t> Offset = evaluate(File.Offset[D], "offset", 0);
      if (!Offset)
        return Offset.takeError();
      G.Offset[D] = *Offset;
    }
  }
  if (!File.Local.empty())
    for (unsigned D = G.Dimensions; D < 3; ++D)
      G.Local[D] = 1;
  return G;
}

Expected<bool> meetsRequirements(const LaunchFile &File, const Size &At,
                                 const Bindings *Arguments) {
  if (File.Require.empty())
    return true;
  Bindings Values = bindingsAt(File, At);
  if (Arguments) {
    Values.insert(Arguments->begin(), Arguments->end());
  } else {
    Expected<Bindings> Declared = integerArgumentsAt(File, At);
    if (!Declared)
      return Declared.takeError();
    Values.insert(Declared->begin(), Declared->end());
  }
  for (const Expression &E : File.Require) {
    Expected<int64_t> Value = E.evaluate(Values);
    if (!Value)
      return failure("require: " + toString(Value.takeError()) + describe(At));
    if (!*Value)
      return false;
  }
  return true;
}

std::array<uint64_t, 3> unroundedGlobal(const LaunchFile &File, const Size &At) {
  std::array<uint64_t, 3> Result{0, 0, 0};
  Bindings Values = bindingsAt(File, At);
  for (unsigned D = 0; D < File.Global.size() && D < 3; ++D)
    if (std::optional<Expression> Inner = File.Global[D].roundedValue()) {
      if (Expected<int64_t> Value = Inner->evaluate(Values))
        Result[D] = std::max<int64_t>(*Value, 0);
      else
        consumeError(Value.takeError());
    }
  return Result;
}

bool isFloatLiteral(StringRef Text) {
  double Ignored;
  if (!parseDouble(Text, Ignored))
    return false;
  // "nan" and "inf" could be names, and are never meant so.
  StringRef Word = Text.trim().ltrim("+-");
  if (Word.equals_insensitive("nan") || Word.equals_insensitive("inf") ||
      Word.equals_insensitive("infinity"))
    return true;
  Expected<Expression> E = Expression::parse(Text);
  if (E)
    return false;
  consumeError(E.takeError());
  return true;
}

Expected<Bindings> integerArgumentsAt(const LaunchFile &File, const Size &At) {
  Bindings Values = bindingsAt(File, At), Result;
  for (const auto &[Name, Value] : Values)
    if (StringRef(Name).contains('('))
      Result[Name] = Value;
  for (const Argument &A : File.Args) {
    if (A.K != Argument::Kind::Scalar || A.Value.size() != 1)
      continue;
    if (isFloatLiteral(A.Value.front()))
      continue;
    Expected<Expression> E = Expression::parse(A.Value.front());
    if (!E)
      return E.takeError();
    Expected<int64_t> Value = E->evaluate(Values);
    if (!Value)
      return failure("argument '" + A.Name + "': " + toString(Value.takeError()) + describe(At));
    Result[A.Name] = *Value;
  }
  return Result;
}

StringRef toString(SamplerSpec::AddressMode Mode) {
  switch (Mode) {
  case SamplerSpec::AddressMode::None:
    return "none";
  case SamplerSpec::AddressMode::ClampToEdge:
    return "clamp-to-edge";
  case SamplerSpec::AddressMode::Clamp:
    return "clamp";
  case SamplerSpec::AddressMode::Repeat:
    return "repeat";
  case SamplerSpec::AddressMode::MirroredRepeat:
    return "mirrored-repeat";
  }
  return "none";
}

Expected<SamplerSpec> samplerFrom(StringRef Coordinates, StringRef Address, StringRef Filter) {
  SamplerSpec S;
  if (Coordinates != "pixels" && Coordinates != "normalized")
    return failure("coords is pixels or normalized, not '" + Coordinates + "'");
  S.Normalized = Coordinates == "normalized";
  if (Filter != "nearest" && Filter != "linear")
    return failure("filter is nearest or linear, not '" + Filter + "'");
  S.Linear = Filter == "linear";
  using Mode = SamplerSpec::AddressMode;
  static constexpr Mode All[] = {Mode::None, Mode::ClampToEdge, Mode::Clamp, Mode::Repeat,
                                 Mode::MirroredRepeat};
  const Mode *Found = find_if(All, [&](Mode One) { return toString(One) == Address; });
  if (Found == std::end(All))
    return failure("address is none, clamp-to-edge, clamp, repeat or mirrored-repeat, not '" +
                   Address + "'");
  S.Address = *Found;
  if (!S.Normalized && (S.Address == Mode::Repeat || S.Address == Mode::MirroredRepeat))
    return failure("address " + Address + " needs coords: normalized");
  return S;
}

static bool isIdentifier(StringRef Name) {
  return !Name.empty() && !isDigit(Name.front()) &&
         all_of(Name, [](char C) { return isAlnum(C) || C == '_'; });
}

Error normalizeBuild(std::string &Options,
                     std::vector<std::pair<std::string, std::string>> &Defines) {
  BumpPtrAllocator Memory;
  StringSaver Saver(Memory);
  SmallVector<const char *, 8> Words;
  cl::TokenizeGNUCommandLine(Options, Saver, Words);
  std::string Left;
  for (size_t I = 0; I < Words.size(); ++I) {
    StringRef Word = Words[I];
    bool Separate = Word == "-D" && I + 1 < Words.size();
    StringRef Definition = Separate ? StringRef(Words[++I]) : Word;
    auto [Name, Value] = Definition.split('=');
    if (!Separate && !Name.consume_front("-D"))
      Name = "";
    if (isIdentifier(Name)) {
      std::string Text = Definition.contains('=') ? Value.str() : "1";
      auto It = find_if(Defines, [&, N = Name](const auto &D) { return D.first == N; });
      if (It == Defines.end())
        Defines.push_back({Name.str(), Text});
      else if (It->second != Text)
        return failure("define '" + Name + "' has two values: '" + It->second + "' and '" + Text +
                       "'");
      continue;
    }
    std::string One = (Separate ? "-D" + Definition : Definition).str();
    if (StringRef(One).contains(' '))
      One = "\"" + One + "\"";
    Left += (Left.empty() ? "" : " ") + One;
  }
  Options = std::move(Left);
  return Error::success();
}

std::string buildOptions(StringRef Options, ArrayRef<std::pair<std::string, std::string>> Defines) {
  std::string All = Options.trim().str();
  for (const auto &[Name, Value] : Defines) {
    if (!All.empty())
      All += ' ';
    // Build options are split at spaces; quotes keep a value together.
    All += "-D" + Name + (StringRef(Value).contains(' ') ? "=\"" + Value + "\"" : "=" + Value);
  }
  return All;
}

} // namespace clmali::launch
