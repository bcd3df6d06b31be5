// Reads launch files with LLVM's YAML I/O, and makes the checks that need no kernel.
#include "rewriters/launch/LaunchFile.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/StringSaver.h"
#include "llvm/Support/YAMLTraits.h"

#include <limits>
#include <set>

using namespace llvm;

namespace clmali::launch {
namespace {

Error failure(const Twine &Message) { return createStringError(inconvertibleErrorCode(), Message); }

// The file's texts, before expressions are parsed: YAML I/O would report the location of a bad
// expression, but not what is wrong with it.
using Texts = std::vector<std::string>;
struct TextList {
  Texts Items;
};
struct RawData {
  std::optional<Texts> Uniform, Range, Values;
  bool Zero = false;
  std::string File, SameAs;
};
/// `data: zero` is a word; all else is a mapping.
struct DataNode {
  RawData Map;
  std::string Word;
  TextList List;
};
struct RawTolerance {
  std::optional<double> Ulp, Relative, Absolute;
};
struct RawArgument {
  std::string Name;
  std::optional<TextList> Value;
  std::optional<std::string> Buffer, Count, Local;
  std::optional<DataNode> Data;
  std::optional<RawTolerance> Compare;
};
struct NamedTexts {
  std::vector<std::pair<std::string, std::string>> Entries;
};
struct RawFile {
  std::string Source, Kernel, Options;
  NamedTexts Defines;
  std::vector<RawArgument> Args;
  TextList Global, Local, Offset, Require;
  std::vector<NamedTexts> Sizes;
  RawTolerance Compare;
};

} // namespace
} // namespace clmali::launch

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

template <> struct MappingTraits<RawArgument> {
  static void mapping(IO &Io, RawArgument &A) {
    Io.mapRequired("name", A.Name);
    Io.mapOptional("value", A.Value);
    Io.mapOptional("buffer", A.Buffer);
    Io.mapOptional("count", A.Count);
    Io.mapOptional("local", A.Local);
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

Expected<std::vector<Expression>> parseAll(const Texts &Items, const Twine &Where) {
  std::vector<Expression> Result;
  for (const std::string &Text : Items) {
    Expected<Expression> E = Expression::parse(Text);
    if (!E)
      return failure(Where + ": " + toString(E.takeError()));
    Result.push_back(std::move(*E));
  }
  return Result;
}

Expected<Expression> parseOne(const std::string &Text, const Twine &Where) {
  Expected<Expression> E = Expression::parse(Text);
  if (!E)
    return failure(Where + ": " + toString(E.takeError()));
  return E;
}

Expected<Tolerance> convert(const RawTolerance &Raw, const Twine &Where) {
  Tolerance T;
  T.Ulp = Raw.Ulp;
  T.Relative = Raw.Relative;
  T.Absolute = Raw.Absolute;
  for (const std::optional<double> &V : {T.Ulp, T.Relative, T.Absolute})
    if (V && !(*V >= 0 && *V <= std::numeric_limits<double>::max()))
      return failure(Where + ": a tolerance must be a finite number of 0 or more");
  return T;
}

Expected<DataSpec> convert(const DataNode &Node, const Twine &Where) {
  DataSpec D;
  if (Node.Word == "zero") {
    D.K = DataSpec::Kind::Zero;
    return D;
  }
  if (!Node.Word.empty())
    return failure(Where + ": expected zero, or { KIND: ... } with one of "
                           "uniform, range, zero, values, file, same-as");
  const RawData &Raw = Node.Map;
  unsigned Given = (Raw.Uniform ? 1 : 0) + (Raw.Range ? 1 : 0) + Raw.Zero + (Raw.Values ? 1 : 0) +
                   !Raw.File.empty() + !Raw.SameAs.empty();
  if (Given != 1)
    return failure(Where + ": give exactly one of uniform, range, zero, "
                           "values, file, same-as");
  if (Raw.Uniform) {
    D.K = DataSpec::Kind::Uniform;
    if (Raw.Uniform->size() != 2 || !parseDouble((*Raw.Uniform)[0], D.Low) ||
        !parseDouble((*Raw.Uniform)[1], D.High) || !(D.Low <= D.High))
      return failure(Where + ": uniform takes two numbers, the lower first");
  } else if (Raw.Range) {
    D.K = DataSpec::Kind::Range;
    if (Raw.Range->size() != 2)
      return failure(Where + ": range takes two integer expressions");
    Expected<std::vector<Expression>> Ends = parseAll(*Raw.Range, Where);
    if (!Ends)
      return Ends.takeError();
    D.RangeLow = (*Ends)[0];
    D.RangeHigh = (*Ends)[1];
  } else if (Raw.Zero) {
    D.K = DataSpec::Kind::Zero;
  } else if (Raw.Values) {
    D.K = DataSpec::Kind::Values;
    D.Values = *Raw.Values;
    if (D.Values.empty())
      return failure(Where + ": values needs at least one value");
  } else if (!Raw.File.empty()) {
    D.K = DataSpec::Kind::File;
    D.File = Raw.File;
  } else {
    D.K = DataSpec::Kind::SameAs;
    D.SameAs = Raw.SameAs;
  }
  return D;
}

Expected<Argument> convert(const RawArgument &Raw) {
  Argument A;
  A.Name = Raw.Name;
  std::string Where = "argument '" + Raw.Name + "'";
  unsigned Kinds = (Raw.Value ? 1 : 0) + (Raw.Buffer ? 1 : 0) + (Raw.Local ? 1 : 0);
  if (Kinds != 1)
    return failure(Where + ": give exactly one of value (a scalar), buffer "
                           "(in, out or inout) and local (bytes)");
  if (!Raw.Buffer && (Raw.Count || Raw.Data || Raw.Compare))
    return failure(Where + ": count, data and compare belong to a buffer");
  if (Raw.Value) {
    A.K = Argument::Kind::Scalar;
    A.Value = Raw.Value->Items;
    if (A.Value.empty())
      return failure(Where + ": value is empty");
    for (const std::string &Text : A.Value) {
      double Ignored;
      if (parseDouble(Text, Ignored))
        continue;
      Expected<Expression> E = Expression::parse(Text);
      if (!E)
        return failure(Where + ": " + toString(E.takeError()));
    }
    return A;
  }
  if (Raw.Local) {
    A.K = Argument::Kind::Local;
    Expected<Expression> Bytes = parseOne(*Raw.Local, Where);
    if (!Bytes)
      return Bytes.takeError();
    A.LocalBytes = *Bytes;
    return A;
  }
  A.K = Argument::Kind::Buffer;
  if (*Raw.Buffer == "in")
    A.Use = Argument::Access::In;
  else if (*Raw.Buffer == "out")
    A.Use = Argument::Access::Out;
  else if (*Raw.Buffer == "inout")
    A.Use = Argument::Access::InOut;
  else
    return failure(Where + ": buffer is in, out or inout, not '" + *Raw.Buffer + "'");
  if (Raw.Data) {
    Expected<DataSpec> D = convert(*Raw.Data, Where + ": data");
    if (!D)
      return D.takeError();
    A.Data = *D;
  }
  if (!Raw.Count && A.Data.K != DataSpec::Kind::SameAs)
    return failure(Where + ": a buffer needs count, its number of elements");
  if (Raw.Count) {
    Expected<Expression> Count = parseOne(*Raw.Count, Where + ": count");
    if (!Count)
      return Count.takeError();
    A.Count = *Count;
  }
  if (Raw.Compare) {
    Expected<Tolerance> T = convert(*Raw.Compare, Where + ": compare");
    if (!T)
      return T.takeError();
    A.Compare = *T;
  }
  return A;
}

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
    if (A.K == Argument::Kind::Buffer) {
      All.emplace_back(Where + ": count", A.Count);
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
    if (!Other || Other->K != Argument::Kind::Buffer || Other == &A ||
        Other->Data.K == DataSpec::Kind::SameAs)
      return failure("argument '" + A.Name +
                     "': same-as must name a buffer "
                     "that has data of its own, not '" +
                     A.Data.SameAs + "'");
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
