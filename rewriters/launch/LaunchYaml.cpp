// Reads launch files with LLVM's YAML I/O, and makes the checks that need no kernel.
#include "rewriters/launch/RawLaunchFile.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/StringSaver.h"
#include "llvm/Support/YAMLTraits.h"

#include <set>

using namespace llvm;

LLVM_YAML_IS_SEQUENCE_VECTOR(clmali::launch::RawArgument)
LLVM_YAML_IS_SEQUENCE_VECTOR(clmali::launch::NamedTexts)

namespace llvm::yaml {
using namespace clmali::launch;

template <> struct PolymorphicTraits<TextList> {
  static NodeKind getKind(const TextList &) { return NodeKind::Sequence; }
  static std::string &getAsScalar(TextList &L) {
    L.Items.resize(1);
    return L.Items.front();
  }
  static Texts &getAsSequence(TextList &L) { return L.Items; }
  // A mapping is an error here, which YAML I/O reports at its keys.
  struct Nothing {};
  static Nothing &getAsMap(TextList &) {
    static Nothing N;
    return N;
  }
};
template <> struct MappingTraits<PolymorphicTraits<TextList>::Nothing> {
  static void mapping(IO &Io, PolymorphicTraits<TextList>::Nothing &) {
    Io.setError("expected a value or a list of values");
  }
};

template <> struct MappingTraits<RawTolerance> {
  static void mapping(IO &Io, RawTolerance &T) {
    Io.mapOptional("ulp", T.Ulp);
    Io.mapOptional("rel", T.Relative);
    Io.mapOptional("abs", T.Absolute);
    Io.mapOptional("steps", T.Steps);
  }
};

template <> struct MappingTraits<RawData> {
  static void mapping(IO &Io, RawData &D) {
    Io.mapOptional("uniform", D.Uniform);
    Io.mapOptional("range", D.Range);
    std::optional<std::string> Zero;
    Io.mapOptional("zero", Zero);
    D.Zero = Zero.has_value();
    Io.mapOptional("values", D.Values);
    Io.mapOptional("file", D.File);
    Io.mapOptional("same-as", D.SameAs);
  }
};

template <> struct PolymorphicTraits<DataNode> {
  static NodeKind getKind(const DataNode &) { return NodeKind::Map; }
  static std::string &getAsScalar(DataNode &D) { return D.Word; }
  static Texts &getAsSequence(DataNode &D) {
    D.Word = "a list";
    return D.List.Items;
  }
  static RawData &getAsMap(DataNode &D) { return D.Map; }
};

template <> struct MappingTraits<RawSampler> {
  static void mapping(IO &Io, RawSampler &S) {
    Io.mapRequired("coords", S.Coordinates);
    Io.mapRequired("address", S.Address);
    Io.mapRequired("filter", S.Filter);
  }
};

template <> struct MappingTraits<RawArgument> {
  static void mapping(IO &Io, RawArgument &A) {
    Io.mapRequired("name", A.Name);
    Io.mapOptional("value", A.Value);
    Io.mapOptional("buffer", A.Buffer);
    Io.mapOptional("count", A.Count);
    Io.mapOptional("local", A.Local);
    Io.mapOptional("image", A.Image);
    Io.mapOptional("format", A.Format);
    Io.mapOptional("size", A.Extents);
    Io.mapOptional("sampler", A.Sampler);
    Io.mapOptional("data", A.Data);
    Io.mapOptional("compare", A.Compare);
  }
};

template <> struct CustomMappingTraits<NamedTexts> {
  static void inputOne(IO &Io, StringRef Key, NamedTexts &T) {
    std::string Value;
    Io.mapRequired(Key.str().c_str(), Value);
    T.Entries.emplace_back(Key.str(), std::move(Value));
  }
  static void output(IO &, NamedTexts &) {}
};

template <> struct MappingTraits<RawFile> {
  static void mapping(IO &Io, RawFile &F) {
    Io.mapOptional("source", F.Source);
    Io.mapRequired("kernel", F.Kernel);
    Io.mapOptional("options", F.Options);
    Io.mapOptional("defines", F.Defines);
    Io.mapRequired("args", F.Args);
    Io.mapRequired("global", F.Global);
    Io.mapOptional("local", F.Local);
    Io.mapOptional("offset", F.Offset);
    Io.mapOptional("sizes", F.Sizes);
    Io.mapOptional("compare", F.Compare);
    Io.mapOptional("require", F.Require);
  }
};
} // namespace llvm::yaml

namespace clmali::launch {
namespace {

/// Every expression of the file, with its location for messages.
std::vector<std::pair<std::string, Expression>> allExpressions(const LaunchFile &F) {
  std::vector<std::pair<std::string, Expression>> All;
  for (const Argument &A : F.Args) {
    std::string Where = "argument '" + A.Name + "'";
    for (const std::string &Text : A.Value) {
      double Ignored;
      if (parseDouble(Text, Ignored))
        continue;
      if (Expected<Expression> E = Expression::parse(Text))
        All.emplace_back(Where, *E);
      else
        consumeError(E.takeError());
    }
    if (A.K == Argument::Kind::Buffer)
      All.emplace_back(Where + ": count", A.Count);
    for (const Expression &E : A.Extents)
      All.emplace_back(Where + ": size", E);
    if (A.holdsData()) {
      if (A.Data.K == DataSpec::Kind::Range) {
        All.emplace_back(Where + ": range", A.Data.RangeLow);
        All.emplace_back(Where + ": range", A.Data.RangeHigh);
      }
    }
    if (A.K == Argument::Kind::Local)
      All.emplace_back(Where + ": local", A.LocalBytes);
  }
  for (const Expression &E : F.Global)
    All.emplace_back("global", E);
  for (const Expression &E : F.Local)
    All.emplace_back("local", E);
  for (const Expression &E : F.Offset)
    All.emplace_back("offset", E);
  for (const Expression &E : F.Require)
    All.emplace_back("require", E);
  return All;
}

/// True for a scalar argument with an integer value, which `require` may name.
bool isInteger(const Argument *A) {
  return A && A->K == Argument::Kind::Scalar && A->Value.size() == 1 &&
         !isFloatLiteral(A->Value.front());
}

Error checkNames(const LaunchFile &F) {
  std::set<std::string> Variables, Defines, Arguments;
  for (const auto &[Name, Value] : F.Sizes.front())
    Variables.insert(Name);
  for (const auto &[Name, Value] : F.Defines) {
    if (isReservedName(Name))
      return failure("define '" + Name +
                     "': the name is reserved for geometry "
                     "in manifests");
    Defines.insert(Name);
  }
  for (const Size &S : F.Sizes) {
    std::set<std::string> Here;
    for (const auto &[Name, Value] : S) {
      if (isReservedName(Name))
        return failure("sizes: the name '" + Name +
                       "' is reserved for geometry "
                       "in manifests; give the variable another name");
      if (Defines.count(Name))
        return failure("sizes: '" + Name +
                       "' is a define too; a define has one "
                       "value for all sizes");
      Here.insert(Name);
    }
    if (Here != Variables)
      return failure("sizes: every entry must give the same variables");
  }
  for (const Argument &A : F.Args) {
    if (!Arguments.insert(A.Name).second)
      return failure("argument '" + A.Name + "' is given twice");
  }
  for (const Argument &A : F.Args) {
    if (A.Data.K != DataSpec::Kind::SameAs)
      continue;
    const Argument *Other = F.findArgument(A.Data.SameAs);
    if (!Other || Other->K != A.K || Other == &A || Other->Data.K == DataSpec::Kind::SameAs)
      return failure("argument '" + A.Name + "': same-as must name " +
                     (A.K == Argument::Kind::Image ? "an image" : "a buffer") +
                     " that has data of its own, not '" + A.Data.SameAs + "'");
    if (A.Format != Other->Format || A.Extents != Other->Extents)
      return failure("argument '" + A.Name + "': '" + A.Data.SameAs +
                     "' is the same image, with another format or size");
  }
  Bindings Known = bindingsAt(F, F.Sizes.front());
  for (const auto &[Where, E] : allExpressions(F))
    for (const std::string &Name : E.names()) {
      if (Known.count(Name) || (Where == "require" && isInteger(F.findArgument(Name))))
        continue;
      if (isReservedName(Name))
        return failure(Where + ": '" + Name +
                       "' is reserved for manifests; a "
                       "launch file uses the variables of sizes");
      return failure(Where + ": unknown name '" + Name + "' in '" + E.text() +
                     "'; give it in sizes" +
                     (Where == "require" ? ", or name an integer argument" : ""));
    }
  return Error::success();
}

/// global, local, offset and require.
Error convertGeometry(const RawFile &Raw, LaunchFile &F) {
  auto geometry = [](const TextList &List, StringRef Name, std::vector<Expression> &Into) -> Error {
    Expected<std::vector<Expression>> All = parseAll(List.Items, Name);
    if (!All)
      return All.takeError();
    Into = std::move(*All);
    return Error::success();
  };
  if (Error E = geometry(Raw.Global, "global", F.Global))
    return E;
  if (Error E = geometry(Raw.Local, "local", F.Local))
    return E;
  if (Error E = geometry(Raw.Offset, "offset", F.Offset))
    return E;
  if (Error E = geometry(Raw.Require, "require", F.Require))
    return E;
  if (F.Global.empty() || F.Global.size() > 3)
    return failure("global: a launch has 1, 2 or 3 dimensions, not " + Twine(F.Global.size()));
  if (!F.Local.empty() && F.Local.size() != F.Global.size())
    return failure("local has " + Twine(F.Local.size()) + " dimensions where global has " +
                   Twine(F.Global.size()));
  if (!F.Offset.empty() && F.Offset.size() != F.Global.size())
    return failure("offset has " + Twine(F.Offset.size()) + " dimensions where global has " +
                   Twine(F.Global.size()));
  return Error::success();
}

Error convertSizes(const RawFile &Raw, LaunchFile &F) {
  for (const NamedTexts &Entry : Raw.Sizes) {
    Size S;
    for (const auto &[Name, Text] : Entry.Entries) {
      Expected<Expression> E = Expression::parse(Text);
      Expected<int64_t> Value = E ? E->evaluate({}) : Expected<int64_t>(E.takeError());
      if (!Value)
        return failure("sizes: " + Name + ": " + toString(Value.takeError()));
      S[Name] = *Value;
    }
    F.Sizes.push_back(std::move(S));
  }
  return Error::success();
}

Expected<LaunchFile> convert(const RawFile &Raw, StringRef Path) {
  LaunchFile F;
  F.Path = Path.str();
  F.Source = Raw.Source;
  F.Kernel = Raw.Kernel;
  F.Options = Raw.Options;
  F.Defines = Raw.Defines.Entries;
  std::set<std::string> Given;
  for (const auto &[Name, Value] : F.Defines)
    if (!Given.insert(Name).second)
      return failure("define '" + Name + "' is given twice");
  if (Error E = normalizeBuild(F.Options, F.Defines))
    return failure("options: " + toString(std::move(E)));
  if (F.Kernel.empty())
    return failure("kernel is empty: name the kernel to launch");
  for (const RawArgument &A : Raw.Args) {
    Expected<Argument> Converted = convert(A);
    if (!Converted)
      return Converted.takeError();
    F.Args.push_back(std::move(*Converted));
  }
  if (Error E = convertGeometry(Raw, F))
    return E;
  if (Error E = convertSizes(Raw, F))
    return E;
  if (F.Sizes.empty())
    F.Sizes.emplace_back();
  Expected<Tolerance> T = convert(Raw.Compare, "compare");
  if (!T)
    return T.takeError();
  F.Compare = *T;
  if (Error E = checkNames(F))
    return E;
  for (const Size &S : F.Sizes)
    if (Expected<Geometry> G = geometryAt(F, S); !G)
      return G.takeError();
  return F;
}

} // namespace

Expected<LaunchFile> parseLaunchFile(StringRef Text, StringRef Path) {
  std::string Problem;
  auto collect = [](const SMDiagnostic &D, void *Context) {
    auto &Into = *static_cast<std::string *>(Context);
    if (!Into.empty())
      return; // later errors follow from the first one
    Into = (Twine(D.getLineNo()) + ":" + Twine(D.getColumnNo() + 1) + ": " + D.getMessage()).str();
  };
  if (Text.contains('\0'))
    return failure(Path + ": this is a binary file, no launch file");
  yaml::Input In(Text, nullptr, collect, &Problem);
  RawFile Raw;
  In >> Raw;
  if (In.error() || !Problem.empty())
    return failure(Path + ":" +
                   (Problem.empty() ? " empty: a launch file has at least "
                                      "kernel, args and global"
                                    : Problem));
  if (Raw.Kernel.empty() && Raw.Args.empty() && Raw.Global.Items.empty())
    return failure(Path + ": empty: a launch file has at least kernel, args "
                          "and global");
  Expected<LaunchFile> F = convert(Raw, Path);
  if (!F)
    return failure(Path + ": " + toString(F.takeError()));
  return F;
}

/// Makes a relative include folder absolute if it exists in the folder of the launch file. Any
/// other is relative to the working folder.
static void resolveIncludeFolders(LaunchFile &F) {
  BumpPtrAllocator Memory;
  StringSaver Saver(Memory);
  SmallVector<const char *, 8> Words;
  cl::TokenizeGNUCommandLine(F.Options, Saver, Words);
  std::string Result;
  bool Any = false;
  auto add = [&](StringRef Word) {
    bool Quote = Word.contains(' ');
    Result +=
        (Twine(Result.empty() ? "" : " ") + (Quote ? "\"" : "") + Word + (Quote ? "\"" : "")).str();
  };
  for (size_t I = 0; I < Words.size(); ++I) {
    StringRef Folder = Words[I];
    if (!Folder.consume_front("-I") || (Folder.empty() && I + 1 == Words.size())) {
      add(Words[I]);
      continue;
    }
    if (Folder.empty())
      Folder = Words[++I];
    SmallString<256> Path(besideLaunchFile(F, Folder));
    if (sys::path::is_relative(Folder) && sys::fs::is_directory(Path)) {
      sys::fs::make_absolute(Path);
      sys::path::remove_dots(Path, /*remove_dot_dot=*/true);
      Folder = Saver.save(Path.str());
      Any = true;
    }
    add("-I");
    add(Folder);
  }
  if (Any)
    F.Options = Result;
}

Expected<LaunchFile> readLaunchFile(StringRef Path) {
  ErrorOr<std::unique_ptr<MemoryBuffer>> Buffer = MemoryBuffer::getFile(Path);
  if (!Buffer)
    return failure("cannot read the launch file '" + Path + "': " + Buffer.getError().message());
  Expected<LaunchFile> F = parseLaunchFile((*Buffer)->getBuffer(), Path);
  if (F)
    resolveIncludeFolders(*F);
  return F;
}

} // namespace clmali::launch
