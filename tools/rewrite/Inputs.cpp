//===- Inputs.cpp - the kernel file, its launch files and its build options -------------------===//
//
// Before: the command line.
// After:  the text, the launch files of each kernel, and one set of defines and build options that
//         is used for parsing, for building and in the manifest.
// Limits: one run uses one set of defines, because the output is specialized for it.
//
//===------------------------------------------------------------------------------------------===//

#include "tools/rewrite/Inputs.h"
#include "checks/model/host/Host.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Regex.h"

using namespace llvm;
using namespace clmali;
using namespace clmali::tool;

namespace {

Error failure(const Twine &Message) { return createStringError(inconvertibleErrorCode(), Message); }

Expected<std::string> readKernelFile(StringRef Path) {
  if (!sys::fs::exists(Path))
    return failure("cannot read '" + Path + "': there is no such file");
  if (sys::fs::is_directory(Path))
    return failure("cannot read '" + Path + "': it is a folder; name one .cl file");
  ErrorOr<std::unique_ptr<MemoryBuffer>> Buffer = MemoryBuffer::getFile(Path, /*IsText=*/false);
  if (!Buffer)
    return failure("cannot read '" + Path + "': " + Buffer.getError().message());
  std::string Text = (*Buffer)->getBuffer().str();
  if (StringRef(Text).contains('\0'))
    return failure("'" + Path + "' is a binary file; OpenCL C source is needed");
  if (StringRef(Text).trim().empty())
    return failure("'" + Path + "' is empty: there is no kernel to rewrite");
  return Text;
}

bool samePath(StringRef A, StringRef B) {
  bool Same = false;
  return A == B || (!sys::fs::equivalent(A, B, Same) && Same);
}

/// True if L launches the kernel file, by its `source:`, or without one by its name.
bool isFor(const launch::LaunchFile &L, StringRef File) {
  if (!L.Source.empty())
    return samePath(launch::besideLaunchFile(L, L.Source), File);
  return sys::path::filename(L.Path).starts_with(sys::path::stem(File).str() + ".");
}

/// Every *.launch.yaml in the folder of File that launches its kernels.
Expected<std::vector<launch::LaunchFile>> findLaunches(StringRef File) {
  std::vector<std::string> Paths;
  SmallString<256> Folder = sys::path::parent_path(File);
  if (Folder.empty())
    Folder = ".";
  std::error_code EC;
  for (sys::fs::directory_iterator It(Folder, EC), End; It != End && !EC; It.increment(EC))
    if (StringRef(It->path()).ends_with(".launch.yaml"))
      Paths.push_back(It->path());
  llvm::sort(Paths);
  std::vector<launch::LaunchFile> Found;
  for (const std::string &Path : Paths) {
    Expected<launch::LaunchFile> L = launch::readLaunchFile(Path);
    if (!L) {
      // A broken launch file is ignored unless it has the name of the kernel file.
      std::string Why = toString(L.takeError());
      if (sys::path::filename(Path).starts_with(sys::path::stem(File).str() + "."))
        return failure(Why);
      continue;
    }
    if (isFor(*L, File))
      Found.push_back(std::move(*L));
  }
  return Found;
}

/// Adds -D and -cl-... of host code or of the command line to the recorded build.
void addClangArgs(ArrayRef<std::string> Args, Inputs &I) {
  for (size_t N = 0; N < Args.size(); ++N) {
    StringRef A = Args[N];
    bool Separate = (A == "-D" || A == "-I") && N + 1 < Args.size();
    StringRef Value =
        Separate ? StringRef(Args[N + 1]) : A.drop_front(std::min<size_t>(2, A.size()));
    if (A.starts_with("-D")) {
      auto [Head, Text] = Value.split('=');
      std::string Name = Head.str();
      erase(Name, ' '); // MAX(a, b): devices split options at blanks
      std::string Given = Value.contains('=') ? Text.str() : "1";
      auto It = find_if(I.Defines, [&](const auto &D) { return D.first == Name; });
      if (It != I.Defines.end())
        It->second = Given;
      else
        I.Defines.push_back({Name, Given});
    } else if (A.starts_with("-I")) {
      I.ExtraOptions += (I.ExtraOptions.empty() ? "-I " : " -I ") + Value.str();
      I.ClangArgs.push_back("-I" + Value.str());
    } else if (A.starts_with("-cl-")) {
      I.BuildOptions += (I.BuildOptions.empty() ? "" : " ") + A.str();
    } else {
      I.ClangArgs.push_back(A.str());
    }
    N += Separate;
  }
}

bool hasFastMath(StringRef Options) {
  return Options.contains("-cl-fast-relaxed-math") ||
         Options.contains("-cl-unsafe-math-optimizations") ||
         Options.contains("-cl-finite-math-only");
}

/// Macros, options and launches of the host code.
Error readHost(const Options &O, Inputs &I, raw_ostream &Say) {
  Expected<HostCode> Host = readHostCode(O);
  if (!Host)
    return Host.takeError();
  I.Host = std::move(*Host);
  if (I.Host.Files.empty())
    return Error::success();
  Say << "host code: " << join(I.Host.Files, ", ");
  if (!I.Host.Options.empty())
    Say << "; options: " << join(I.Host.Options, " ");
  if (I.Host.Builds > 1)
    Say << " (the first of " << I.Host.Builds << " builds; others behind --)";
  Say << "\n";
  addClangArgs(I.Host.Options, I);
  return Error::success();
}

Error checkTolerance(const launch::LaunchFile &L, bool Reassociate) {
  bool Exact = L.Compare.isExact();
  for (const launch::Argument &A : L.Args)
    Exact &= !A.Compare || A.Compare->isExact();
  if (!Exact)
    return Error::success();
  if (Reassociate)
    return failure(L.Path + ": --fp=reassociate changes bits; say what is near enough, such as "
                            "`compare: { rel: 1e-5, abs: 1e-6 }` (abs: "
                            "for sums that cancel out)");
  if (hasFastMath(L.Options))
    return failure(
        L.Path +
        ": with fast-math options the compiler may change bits; say what is near enough, such as "
        "`compare: { rel: 1e-5 }`");
  return Error::success();
}

} // namespace

/// The error for a host program: its kernels have to be moved to a file of their own.
static Error hostFile(const Options &O) {
  Expected<std::string> Text = readKernelFile(O.File);
  if (!Text)
    return Text.takeError();
  std::string Why = "'" + O.File + "' is host code, and kernel files are rewritten";
  model::HostParse Parsed = model::parseHost(O.File, *Text, O.ClangArgs);
  std::string Where, Names;
  Regex Head("kernel[^;{]*void[[:space:]]+([A-Za-z_][A-Za-z0-9_]*)[[:space:]]*\\(");
  if (Parsed.M) {
    for (const model::EmbeddedKernel &E : Parsed.M->Kernels) {
      if (E.Range.File) // of a header
        continue;
      unsigned Line = StringRef(*Text).take_front(E.Range.Begin).count('\n') + 1;
      SmallVector<StringRef, 2> Found;
      Where += (Where.empty() ? "" : ", ") +
               std::string(Head.match(E.Source, &Found) ? "'" + Found[1].str() + "' " : "") +
               "at line " + utostr(Line);
    }
    for (const std::string &File : Parsed.M->KernelFiles)
      Names += (Names.empty() ? "" : ", ") + ("'" + File + "'");
  }
  if (!Where.empty())
    Why += "; its strings hold kernels (" + Where +
           "): put that text into a .cl file, name that file here, and have the "
           "host load what comes out, or paste it back";
  else if (!Names.empty())
    Why += "; it loads " + Names + ": name that here";
  else
    Why += "; name the .cl file that it loads";
  return failure(Why);
}

/// The options and macros of the program are the parser's, too.
static void addBuildOptions(Inputs &I) {
  SmallVector<const char *, 8> Words;
  BumpPtrAllocator Memory;
  StringSaver Saver(Memory);
  cl::TokenizeGNUCommandLine(I.BuildOptions, Saver, Words);
  I.ClangArgs.insert(I.ClangArgs.begin(), Words.begin(), Words.end());
  for (const auto &[Name, Value] : I.Defines)
    I.ClangArgs.push_back("-D" + Name + "=" + Value);
}

Expected<Inputs> tool::readInputs(const Options &O, raw_ostream &Say) {
  Inputs I;
  if (O.Text.empty() && StringSwitch<bool>(sys::path::extension(O.File).lower())
                            .Cases(".c", ".cc", ".cpp", ".cxx", ".c++", true)
                            .Default(false))
    return hostFile(O);
  Expected<std::string> Text = readKernelFile(O.Text.empty() ? O.File : O.Text);
  if (!Text)
    return Text.takeError();
  I.Text = std::move(*Text);
  std::vector<launch::LaunchFile> All;
  for (const std::string &Path : O.Launches) {
    Expected<launch::LaunchFile> L = launch::readLaunchFile(Path);
    if (!L)
      return L.takeError();
    if (!O.Kernel.empty() && L->Kernel != O.Kernel)
      return failure(Path + ": it launches '" + L->Kernel + "', but --kernel=" + O.Kernel);
    All.push_back(std::move(*L));
  }
  if (O.Launches.empty()) {
    Expected<std::vector<launch::LaunchFile>> Found = findLaunches(O.File);
    if (!Found)
      return Found.takeError();
    for (launch::LaunchFile &L : *Found)
      if (O.Kernel.empty() || L.Kernel == O.Kernel) {
        Say << "launch file: " << L.Path << "\n";
        All.push_back(std::move(L));
      }
  }
  for (const launch::LaunchFile &L : All) {
    if (Error E = checkTolerance(L, O.Reassociate))
      return std::move(E);
    const launch::LaunchFile &First = All.front();
    auto sorted = [](auto Defines) {
      llvm::sort(Defines);
      return Defines;
    };
    if (sorted(L.Defines) != sorted(First.Defines) || L.Options != First.Options)
      return failure(L.Path + " and " + First.Path +
                     " build the program differently (defines or options); a rewritten file is "
                     "made for one build: "
                     "name the launch files of one with --launch");
  }
  I.Defines = O.Defines;
  if (!All.empty()) {
    for (const auto &[Name, Value] : All.front().Defines) {
      auto It = find_if(I.Defines, [&, Name = Name](const auto &D) { return D.first == Name; });
      if (It != I.Defines.end())
        It->second = Value;
      else
        I.Defines.push_back({Name, Value});
    }
    I.BuildOptions = All.front().Options;
  }
  if (All.empty())
    if (Error E = readHost(O, I, Say))
      return std::move(E);
  addClangArgs(O.ClangArgs, I);
  SmallString<256> Folder = sys::path::parent_path(O.File);
  if (StringRef(I.Text).contains("#include") || StringRef(I.Text).contains("# include")) {
    if (Folder.empty())
      Folder = ".";
    sys::fs::make_absolute(Folder);
    I.ExtraOptions += (I.ExtraOptions.empty() ? "-I " : " -I ") + Folder.str().str();
  }
  for (launch::LaunchFile &L : All) {
    L.Defines = I.Defines;
    L.Options = I.BuildOptions;
    if (!I.Launches.count(L.Kernel))
      I.Order.push_back(L.Kernel);
    I.Launches[L.Kernel].push_back(std::move(L));
  }
  addBuildOptions(I);
  addMissingParts(O, I, Say);
  return I;
}

bool tool::reordersFloats(const Inputs &I) {
  return hasFastMath(I.BuildOptions) || StringRef(I.BuildOptions).contains("-cl-mad-enable");
}

Error tool::fits(const launch::LaunchFile &L, const model::Kernel &K) {
  auto No = [&](const Twine &Why) {
    return failure(L.Path + ": does not fit kernel '" + K.Name + "': " + Why);
  };
  if (L.Args.size() != K.Params.size())
    return No(Twine("it gives ") + Twine(L.Args.size()) + " arguments, the kernel takes " +
              Twine(K.Params.size()));
  for (size_t N = 0; N < L.Args.size(); ++N) {
    const launch::Argument &A = L.Args[N];
    const model::Var &P = *K.Params[N];
    if (A.Name != P.Name)
      return No(Twine("argument ") + Twine(N + 1) + " is called '" + A.Name +
                "', the kernel's is '" + P.Name + "'");
    bool Pointer = P.isPointerParam();
    bool Local = Pointer && P.Ty->AS == model::AddressSpace::Local;
    bool Scalar = A.K == launch::Argument::Kind::Scalar;
    if (Local != (A.K == launch::Argument::Kind::Local))
      return No("'" + A.Name + "' is " +
                (Local ? "a __local pointer: give its bytes with `local:`" : "no __local pointer"));
    const bool IsNull = Pointer && Scalar && A.Value.size() == 1 && A.Value.front() == "0";
    const bool Passed = Pointer || P.Ty->isValue() || P.Ty->K == model::Type::Struct;
    if (!Local && Pointer == Scalar && !IsNull && Passed)
      return No("'" + A.Name + "' is " +
                (Pointer ? "a pointer: give a `buffer:`" : "a value: give a `value:`"));
  }
  return Error::success();
}

/// The local size that all launches have at every size, or 0.
static model::WorkSize knownLocal(ArrayRef<launch::LaunchFile> Launches) {
  std::optional<model::WorkSize> Known;
  for (const launch::LaunchFile &L : Launches)
    for (const launch::Size &S : L.Sizes) {
      Expected<launch::Geometry> G = launch::geometryAt(L, S);
      if (!G) {
        consumeError(G.takeError());
        continue; // the judge reports the error
      }
      if (!Known)
        Known = G->Local;
      for (unsigned D = 0; D < 3; ++D)
        if ((*Known)[D] != G->Local[D])
          (*Known)[D] = 0;
    }
  return Known.value_or(model::WorkSize{0, 0, 0});
}

/// Global sizes and offsets of the launches at all sizes.
static std::vector<model::LaunchRange> rangesOf(ArrayRef<launch::LaunchFile> Launches) {
  std::vector<model::LaunchRange> Ranges;
  for (const launch::LaunchFile &L : Launches)
    for (const launch::Size &S : L.Sizes) {
      Expected<launch::Geometry> G = launch::geometryAt(L, S);
      if (!G) {
        consumeError(G.takeError());
        continue; // the judge reports the error
      }
      if (model::LaunchRange R = {G->Global, G->Offset}; !is_contained(Ranges, R))
        Ranges.push_back(R);
    }
  return Ranges;
}

rewrite::RewriteOptions tool::planOptions(const Options &O, const Inputs &I,
                                          const model::Kernel &K) {
  auto It = I.Launches.find(K.Name);
  ArrayRef<launch::LaunchFile> Launches;
  if (It != I.Launches.end())
    Launches = It->second;
  rewrite::RewriteOptions R;
  R.Device = O.Device;
  R.Passes = O.Passes;
  R.Block = O.Block;
  R.ReassociateFloat = O.Reassociate;
  R.Defines = I.Defines;
  R.BuildOptions = I.BuildOptions;
  R.FloatsReordered = reordersFloats(I);
  R.Pipeline = O.Pipeline;
  // The rewritten kernel takes buffers in place of images. clmali-inject makes them; a user who
  // names the pass changes the host program.
  R.ExchangesImages = !O.Recording.empty() || is_contained(O.Passes, "exchange-images");
  R.Launch = launchFacts(Launches, K);
  R.Launch.SizesMadeUp = !I.LaunchText.empty();
  return R;
}

/// The integer that A, an argument of a launch file, is in words: no expression over sizes.
static std::optional<int64_t> literalOf(const launch::Argument &A) {
  int64_t Value;
  if (A.K != launch::Argument::Kind::Scalar || A.Value.size() != 1 ||
      StringRef(A.Value.front()).trim().getAsInteger(10, Value) || Value < 0)
    return std::nullopt;
  return Value;
}

static std::vector<model::KnownScalar> knownScalars(ArrayRef<launch::LaunchFile> Launches,
                                                    const model::Kernel &K) {
  std::vector<model::KnownScalar> Known;
  for (size_t I = 0; I < K.Params.size() && !Launches.empty(); ++I) {
    auto ValueIn = [&](const launch::LaunchFile &L) {
      return I < L.Args.size() ? literalOf(L.Args[I]) : std::nullopt;
    };
    std::optional<int64_t> First = ValueIn(Launches.front());
    const bool Same =
        First && all_of(Launches, [&](const launch::LaunchFile &L) {
          return ValueIn(L) == First && L.Args[I].Name == Launches.front().Args[I].Name;
        });
    if (Same && !launch::isReservedName(Launches.front().Args[I].Name))
      Known.push_back({K.Params[I]->Name, Launches.front().Args[I].Name, *First});
  }
  return Known;
}

/// How a format stores its texels; nothing where a kernel cannot store them itself.
static std::optional<model::StoredTexel> storedTexel(const launch::Argument &Image) {
  using Kind = launch::ImageFormat::Kind;
  using model::ScalarKind;
  const launch::ImageFormat F = *launch::imageFormat(Image.Format);
  model::StoredTexel T;
  T.Name = Image.Name;
  T.Channels = uint8_t(F.Channels);
  T.Normalized = F.K == Kind::Unorm;
  static constexpr ScalarKind Signed[] = {ScalarKind::Char, ScalarKind::Short, ScalarKind::Int},
                              Unsigned[] = {ScalarKind::UChar, ScalarKind::UShort,
                                            ScalarKind::UInt};
  if (!is_contained({"r", "rg", "rgba"}, StringRef(Image.Format).split('-').first))
    return std::nullopt;
  if (F.K == Kind::Float && F.ChannelBytes == sizeof(float))
    T.Channel = ScalarKind::Float;
  else if (F.K == Kind::Signed)
    T.Channel = Signed[Log2_32(F.ChannelBytes)];
  else if (F.K == Kind::Unorm || F.K == Kind::Unsigned)
    T.Channel = Unsigned[Log2_32(F.ChannelBytes)];
  else
    return std::nullopt;
  return T;
}

/// Sets what \p Launches say of the formats of K's images.
static void addFormats(model::LaunchFacts &F, ArrayRef<launch::LaunchFile> Launches,
                       const model::Kernel &K) {
  for (size_t I = 0; I < K.Params.size() && !Launches.empty(); ++I) {
    const std::string &Name = K.Params[I]->Name;
    SmallVector<launch::ImageFormat, 2> All;
    for (const launch::LaunchFile &L : Launches)
      if (I < L.Args.size() && L.Args[I].K == launch::Argument::Kind::Image)
        All.push_back(*launch::imageFormat(L.Args[I].Format));
    for (const launch::ImageFormat &X : All) {
      model::TexelFormat &Widest = F.Texels[Name];
      Widest.Bits = std::max(Widest.Bits, 8 * X.texelBytes());
      Widest.IsFloat32 |= X.K == launch::ImageFormat::Kind::Float && X.ChannelBytes == 4;
    }
    const bool HasOne = all_of(Launches, [&](const launch::LaunchFile &L) {
      return I < L.Args.size() && L.Args[I].K == launch::Argument::Kind::Image &&
             L.Args[I].Format == Launches.front().Args[I].Format &&
             L.Args[I].Name == Launches.front().Args[I].Name;
    });
    if (HasOne)
      if (std::optional<model::StoredTexel> T = storedTexel(Launches.front().Args[I]))
        F.StoredTexels[Name] = *T;
    for (const bool Opaque : {false, true})
      if (All.size() == Launches.size() &&
          all_of(All, [&](const auto &X) { return X.OpaqueBorder == Opaque; }))
        (Opaque ? F.OpaqueBorders : F.TransparentBorders).push_back(Name);
  }
}

/// Sets F.SameExtents: an argument that is written as the extent of an image is, in all launches.
static void addExtents(model::LaunchFacts &F, ArrayRef<launch::LaunchFile> Launches,
                       const model::Kernel &K) {
  static constexpr StringLiteral Names[] = {"width", "height", "depth"};
  auto TextIn = [](const launch::Argument &A, unsigned D) -> StringRef {
    if (A.K == launch::Argument::Kind::Scalar)
      return A.Value.size() == 1 ? StringRef(A.Value.front()).trim() : "";
    return A.K == launch::Argument::Kind::Image && D < A.Extents.size()
               ? StringRef(A.Extents[D].text()).trim()
               : "";
  };
  for (size_t I = 0; I < K.Params.size() && !Launches.empty(); ++I)
    for (size_t J = 0; J < K.Params.size(); ++J)
      for (unsigned D = 0; D < std::size(Names); ++D) {
        const model::Var &Image = *K.Params[I], &Other = *K.Params[J];
        const bool Same = all_of(Launches, [&](const launch::LaunchFile &L) {
          return I < L.Args.size() && J < L.Args.size() &&
                 L.Args[I].Name == Launches.front().Args[I].Name &&
                 L.Args[J].Name == Launches.front().Args[J].Name &&
                 !launch::isReservedName(L.Args[J].Name) && !TextIn(L.Args[I], D).empty() &&
                 TextIn(L.Args[I], D) == TextIn(L.Args[J], D);
        });
        if (I == J || !Image.isImage() || D >= Image.Ty->Dims || !Same ||
            (Other.isImage() ? D >= Other.Ty->Dims : !Other.Ty->isInteger()))
          continue;
        const std::string &Name = Launches.front().Args[J].Name;
        F.SameExtents.push_back(
            {Image.Name, D, Other.Name, Other.isImage(),
             launch::extentName(Names[D], Launches.front().Args[I].Name) +
                 " == " + (Other.isImage() ? launch::extentName(Names[D], Name) : Name)});
      }
}

model::LaunchFacts tool::launchFacts(ArrayRef<launch::LaunchFile> Launches,
                                     const model::Kernel &K) {
  model::LaunchFacts F;
  F.KnownLocal = knownLocal(Launches);
  F.Ranges = rangesOf(Launches);
  for (const model::LaunchRange &R : F.Ranges)
    for (unsigned D = 0; D < 3; ++D)
      F.LargestGlobal[D] = std::max(F.LargestGlobal[D], R.Global[D]);
  // No launch gives a local size: the runtime chooses one for each launch.
  F.NoLocalSize = !Launches.empty() &&
                  all_of(Launches, [](const launch::LaunchFile &L) { return L.Local.empty(); });
  F.KnownScalars = knownScalars(Launches, K);
  addFormats(F, Launches, K);
  addExtents(F, Launches, K);
  // Arguments are in the kernel's order; their names are those of the launch file.
  for (const launch::LaunchFile &L : Launches)
    for (size_t A = 0; A < L.Args.size() && A < K.Params.size(); ++A)
      for (size_t B = 0; B < L.Args.size() && B < K.Params.size(); ++B)
        if (!L.Args[A].Data.SameAs.empty() && L.Args[B].Name == L.Args[A].Data.SameAs)
          F.SameBuffers.push_back({K.Params[A]->Name, K.Params[B]->Name});
  return F;
}

std::string tool::refusalText(const model::Module &M, const rewrite::RefusalAt &X) {
  return placeText(M, X.Range) + ": " + rewrite::refusalName(X.Why).str() + " (" + X.Pass + ")" +
         (X.Detail.empty() ? "" : ": " + X.Detail);
}

std::string tool::placeText(const model::Module &M, model::SourceRange R) {
  if (!R.isValid() || R.File >= M.Files.size())
    return "?";
  const model::SourceFile &F = M.Files[R.File];
  StringRef Before = StringRef(F.Text).take_front(R.Begin);
  size_t Line = Before.count('\n') + 1, Start = Before.rfind('\n');
  size_t Column = Start == StringRef::npos ? Before.size() + 1 : Before.size() - Start;
  return F.Name + ":" + std::to_string(Line) + ":" + std::to_string(Column);
}
