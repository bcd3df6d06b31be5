// Checks before anything runs: both programs build, the kernels take the same arguments, each
// launch is valid, and the launches cover each work-item once.
#include "rewriters/verify/rungs/Judgement.h"

#include "rewriters/verify/cases/Solve.h"
#include "rewriters/verify/run/Worker.h"
#include "rewriters/verify/rungs/GenericRung.h"
#include "rewriters/verify/symbolic/Compile.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/Twine.h"

using namespace llvm;

namespace clmali::verify {

namespace {

Error failure(const Twine &Message) { return createStringError(inconvertibleErrorCode(), Message); }

/// True if results may depend on the local size. An include or a pasted name may hide such a word.
bool mayDependOnGroups(StringRef Source) {
  static constexpr StringRef Words[] = {"local", "group", "barrier", "mem_fence", "#include", "##"};
  return any_of(Words, [&](StringRef Word) { return Source.contains(Word); });
}

/// How exactly a launch file compares.
struct Exactness {
  bool AllExact, AnyTolerance, Absolute;

  explicit Exactness(const launch::LaunchFile &F)
      : AllExact(F.Compare.isExact()), AnyTolerance(F.Compare.isSet()),
        Absolute(F.Compare.Absolute.value_or(0) > 0) {
    for (const launch::Argument &A : F.Args)
      if (A.Compare) {
        AllExact &= A.Compare->isExact();
        Absolute |= A.Compare->Absolute.value_or(0) > 0;
        AnyTolerance = true;
      }
  }
};

} // namespace

Error Judgement::probeKernels() {
  Main.Wanted = R.Options.Platform;
  P.Launches.resize(R.Launches.size());
  ShapesByName New;
  if (!askForShapes(New))
    return Error::success();
  for (unsigned L = 0; L < R.Launches.size(); ++L)
    if (Error E = prepareLaunch(L))
      return E;
  if (std::string Why = exchangeFails(); !Why.empty()) {
    refuteStatically("launch", Why);
    return Error::success();
  }
  if (!without("launch"))
    for (const auto &[Name, Shapes] : New)
      for (const KernelShape &S : Shapes)
        if (std::string Why = signatureDiffers(P.Launches[0].Shape, S); !Why.empty()) {
          refuteStatically("launch", Why);
          return Error::success();
        }
  for (const auto &[Name, Shapes] : New)
    NewShapes[Name] = Shapes.front();
  collectConstants();
  collectFacts();
  if (Error E = checkSamplers())
    return E;
  P.InGroups =
      mayDependOnGroups(R.Original.Source) || mayDependOnGroups(R.Rewritten.Source) ||
      any_of(P.Launches, [](const TestPlan::PerLaunch &L) {
        return mayDependOnGroups(L.OriginalOptions) || mayDependOnGroups(L.RewrittenOptions);
      });
  P.UsesFloats = mentionsFloats(R.Original.Source);
  for (const TestPlan::PerLaunch &L : P.Launches)
    for (const Parameter &Param : L.Shape.Params)
      P.UsesFloats |= Param.Type.isFloat() || Param.Type.Normalized;
  return Error::success();
}

bool Judgement::askForShapes(ShapesByName &New) {
  std::string Cannot, Broken;
  bool Probed = false;
  ChildTask T;
  T.SilenceSeconds = std::max(R.Options.LaunchTimeout, 60u); // compiling
  T.TotalSeconds = R.Options.TotalTimeout;
  T.Work = [this](Channel &Out) { probe(Out, R, Main); };
  T.OnMessage = [&](const json::Object &O) {
    if (const json::Object *D = O.getObject("device")) {
      Device = infoFromJson(*D);
      P.Extensions = Device.Extensions;
    } else if (std::optional<StringRef> Text = O.getString("cannot"))
      Cannot = Text->str();
    else if (std::optional<StringRef> Text = O.getString("broken"))
      Broken = Text->str();
    else if (O.get("probed"))
      Probed = true;
    else if (const json::Object *S = O.getObject("shape")) {
      KernelShape Shape = shapeFromJson(*S);
      unsigned L = S->getInteger("launch").value_or(0);
      if (S->getBoolean("rewritten").value_or(false))
        New[Shape.Name].push_back(std::move(Shape));
      else
        P.Launches[L].Shape = std::move(Shape);
    }
    return true;
  };
  ChildTask Limits = T;
  ChildEnd End = runChild(std::move(T));
  if (!Cannot.empty())
    inconclusive(Cannot);
  else if (!Broken.empty())
    inconclusive("the rewritten program: " + Broken);
  else if (!Probed && End.K != ChildEnd::Kind::Finished)
    inconclusive("building the kernels: the device " + describe(End, Limits));
  return !Decided;
}

Error Judgement::prepareLaunch(unsigned Launch) {
  const launch::LaunchFile &F = R.Launches[Launch];
  TestPlan::PerLaunch &L = P.Launches[Launch];
  if (Error E = checkFits(F, L.Shape))
    return E;
  L.OriginalOptions = originalOptions(R, Launch);
  L.RewrittenOptions = rewrittenOptions(R, Launch);
  L.Variants.assign(1, {});
  const Exactness Compare(F);
  bool Fast = allowsFastMath(L.OriginalOptions);
  if (Fast && mentionsFloats(R.Original.Source) && !Compare.AnyTolerance)
    return failure(F.Path + ": the build options let the compiler change "
                            "floating-point results; say how near they must be: "
                            "compare: { ulp: N } or { rel: X }");
  L.Rules.Tame = !Compare.AllExact || Fast;
  // An absolute tolerance fits data as large as the declared ones only.
  L.Rules.LimitFloats = Compare.Absolute;
  return Error::success();
}

void Judgement::collectConstants() {
  P.Constants = scanConstants(R.Original.Source);
  for (double D : scanConstants(R.Rewritten.Source).Floats)
    P.Constants.add(D);
  for (const launch::LaunchFile &F : R.Launches)
    for (const auto &[Name, Text] : F.Defines) {
      double Value;
      if (!StringRef(Text).getAsDouble(Value))
        P.Constants.add(Value);
    }
}

/// The facts of \p Kernels in \p Program, as it is built with \p Options. Nothing where Clang
/// cannot compile it or a kernel is not in it.
static std::optional<KernelFacts> factsOf(const ProgramText &Program, const std::string &Options,
                                          const std::set<std::string> &Kernels) {
  constexpr unsigned AddressBits = 64;
  LLVMContext Context;
  Expected<symbolic::CompiledProgram> C =
      symbolic::compileProgram(programOf(Program, Options), AddressBits, "", Context);
  if (!C) {
    consumeError(C.takeError());
    return std::nullopt;
  }
  KernelFacts Facts;
  for (const std::string &Name : Kernels) {
    Function *Kernel = C->M->getFunction(Name);
    if (!Kernel || Kernel->isDeclaration())
      return std::nullopt;
    addFacts(*Kernel, Facts);
  }
  return Facts;
}

void Judgement::collectFacts() {
  std::set<std::string> Launched;
  for (const launch::ManifestLaunch &L : R.Manifest.Launches)
    Launched.insert(L.Kernel);
  std::optional<KernelFacts> Old =
      factsOf(R.Original, P.Launches[0].OriginalOptions, {R.Manifest.Original});
  std::optional<KernelFacts> New =
      Old ? factsOf(R.Rewritten, P.Launches[0].RewrittenOptions, Launched) : std::nullopt;
  P.Facts = New ? mergeFacts(*Old, *New)
                : factsOfText(P.Constants.Integers, P.Launches[0].Shape.Params.size());
  llvm::append_range(P.Facts.Constants, rareContents(P.Facts.Conditions));
  for (TestPlan::PerLaunch &L : P.Launches)
    for (const Origin *O : {&P.Facts.Addresses, &P.Facts.Exits})
      L.Rules.Addressing.insert(O->Buffers.begin(), O->Buffers.end());
}

/// An image or a sampler.
static bool isObject(const Parameter &P) {
  return P.Where == Parameter::Space::Image || P.Where == Parameter::Space::Sampler;
}

static std::string typeText(const Parameter &P) {
  return (P.Where == Parameter::Space::Image ? toString(P.Image.Use).str() + " " : "") + P.TypeName;
}

/// Why the manifest's `arguments` cannot be buffers.
std::string Judgement::exchangeFails() const {
  for (const std::string &Name : R.Manifest.AsBuffers)
    for (unsigned L = 0; L < R.Launches.size(); ++L) {
      const launch::LaunchFile &F = R.Launches[L];
      const launch::Argument *A = F.findArgument(Name);
      const Parameter *Param = A ? &P.Launches[L].Shape.Params[A - F.Args.data()] : nullptr;
      if (!Param || Param->Where != Parameter::Space::Image || Param->Image.Array ||
          Param->Image.Buffer || Param->Image.Dimensions != 2)
        return "the manifest makes a buffer of '" + Name + "', which is no two-dimensional image";
      if (!A->Data.SameAs.empty() ||
          any_of(F.Args, [&](const launch::Argument &Other) { return Other.Data.SameAs == Name; }))
        return "the manifest makes a buffer of '" + Name + "', which is two arguments of a launch";
    }
  return {};
}

std::string Judgement::signatureDiffers(const KernelShape &Old, const KernelShape &New) {
  if (Old.Params.size() != New.Params.size())
    return "kernel '" + New.Name + "' takes " + std::to_string(New.Params.size()) +
           " arguments, the original " + std::to_string(Old.Params.size()) +
           ": the host would pass the wrong ones";
  for (unsigned I = 0; I < Old.Params.size(); ++I) {
    const Parameter &A = Old.Params[I], &B = New.Params[I];
    if (is_contained(R.Manifest.AsBuffers, R.Launches[0].Args[I].Name)) {
      if (B.Where == Parameter::Space::Global)
        continue;
      return "argument " + std::to_string(I) + " ('" + A.Name +
             "') is a buffer in the manifest and " + typeText(B) + " in kernel '" + New.Name + "'";
    }
    bool Same = A.IsPointer == B.IsPointer &&
                (A.Where == Parameter::Space::Local) == (B.Where == Parameter::Space::Local) &&
                (A.IsPointer || isObject(A) || A.Type.Size == B.Type.Size);
    if (isObject(A) || isObject(B))
      Same = A.Where == B.Where && A.Image == B.Image;
    // A scalar keeps its kind; a pointer may point to wider elements.
    if (Same && !A.IsPointer && !isObject(A) && A.Type.K != ElementType::Kind::Raw)
      Same = A.Type.isFloat() == B.Type.isFloat();
    if (!Same)
      return "argument " + std::to_string(I) + " ('" + A.Name + "') is " + typeText(A) +
             " in the original and " + typeText(B) + " in kernel '" + New.Name + "'";
  }
  return {};
}

bool Judgement::checkStatically() {
  std::vector<CoverageSize> Sizes = coverageSizes(P);
  std::vector<launch::CoverageCase> Geometries;
  for (const CoverageSize &S : Sizes)
    Geometries.push_back(S.Geometry);
  if (without("launch")) {
    rung("launch", false, "left out by request");
  } else {
    for (const launch::CoverageCase &C : Geometries)
      if (!launchValid(C))
        return false;
    rung("launch", true, std::to_string(Geometries.size()) + " geometries give valid launches");
  }

  const std::vector<size_t> Holes = checkCoverage(Geometries);
  if (Error E = chooseInputs(P)) {
    inconclusive(llvm::toString(std::move(E)));
    return false;
  }
  if (!without("coverage")) {
    std::vector<CoverageSize> Suspect;
    for (size_t I : Holes)
      Suspect.push_back(Sizes[I]);
    addUncoveredSizes(P, Suspect);
  } else {
    V.Rungs.back() = {"coverage", false, "left out by request"};
  }
  for (const TestInput &In : P.Inputs) {
    Expected<InputShape> S = shapeOf(P, In.Launch, In.At, In.Variant);
    if (!S) {
      consumeError(S.takeError());
      continue;
    }
    if (!without("launch") && !launchValid({S->Original, S->Integers}))
      return false;
  }
  return true;
}

std::vector<size_t> Judgement::checkCoverage(const std::vector<launch::CoverageCase> &Geometries) {
  std::vector<size_t> Holes;
  Expected<std::map<std::string, launch::Blocks>> Shape =
      launch::inferBlocks(R.Manifest, Geometries, &Holes);
  if (Shape) {
    P.Blocks = *Shape;
    P.Disjoint = true;
    std::string Text =
        "each work-item once, at " + std::to_string(Geometries.size()) + " geometries";
    if (any_of(Geometries, [](const launch::CoverageCase &C) {
          return C.Needed != std::array<uint64_t, 3>{0, 0, 0};
        }))
      Text += ", without those that only round a size up";
    for (const auto &[Name, B] : *Shape)
      Text += "; " + Name + ": " + std::to_string(B.Factor[0]) + "x" + std::to_string(B.Factor[1]) +
              "x" + std::to_string(B.Factor[2]) + " each";
    rung("coverage", true, Text);
    return Holes;
  }
  std::string Why = llvm::toString(Shape.takeError());
  rung("coverage", false, "no block of work-items for each new one tiles the range: " + Why);
  // If the best blocks tile at less than half of the sizes, the kernel has no such blocks, and no
  // single size is suspect.
  if (Holes.size() * 2 > Geometries.size())
    Holes.clear();
  return Holes;
}

bool Judgement::launchValid(const launch::CoverageCase &C) {
  Expected<std::vector<launch::ResolvedLaunch>> L =
      launch::resolveLaunches(R.Manifest, C.Original, C.Arguments);
  auto where = [&] {
    std::string Text = "at global size (";
    for (unsigned D = 0; D < C.Original.Dimensions; ++D)
      Text += (D ? ", " : "") + std::to_string(C.Original.Global[D]);
    return Text + ")";
  };
  if (!L) {
    refuteStatically("launch", where() + ": " + llvm::toString(L.takeError()));
    return false;
  }
  for (const launch::ResolvedLaunch &One : *L) {
    auto It = NewShapes.find(One.Kernel);
    if (It == NewShapes.end())
      continue;
    const KernelShape &S = It->second;
    if (S.RequiredLocal[0] != 0 && One.Shape.Local != S.RequiredLocal) {
      refuteStatically("launch",
                       where() + ": kernel '" + One.Kernel +
                           "' has reqd_work_group_size, and the manifest's "
                           "launch has " +
                           (One.Shape.hasLocal() ? "another local size" : "no local size"));
      return false;
    }
    for (const auto &[Name, Bytes] : One.LocalBytes) {
      bool Known = false;
      for (unsigned I = 0; I < R.Launches[0].Args.size(); ++I)
        Known |= R.Launches[0].Args[I].Name == Name &&
                 R.Launches[0].Args[I].K == launch::Argument::Kind::Local;
      if (!Known) {
        refuteStatically("launch", "localBytes names '" + Name + "', which is no __local argument");
        return false;
      }
    }
    uint64_t Items = One.Shape.Local[0] * One.Shape.Local[1] * One.Shape.Local[2];
    if (Items > S.MostItems && S.MostItems > 0) {
      inconclusive(where() + ": kernel '" + One.Kernel + "' needs work-groups of " +
                   std::to_string(Items) + ", this device has at most " +
                   std::to_string(S.MostItems));
      return false;
    }
  }
  return true;
}

} // namespace clmali::verify
