// What the specification leaves open about images, and what a device gets wrong: where the judge
// demands a tolerance, and where it must not say "held".
#include "rewriters/verify/rungs/Judgement.h"

#include "rewriters/verify/rungs/GenericRung.h"
#include "rewriters/verify/symbolic/Compile.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace clmali::verify {
namespace {

using symbolic::SamplerBits;

/// Adds the constant samplers of \p F and of what it calls.
void addSamplers(const Function &F, std::set<const Function *> &Seen,
                 std::vector<SamplerBits> &Into) {
  if (!Seen.insert(&F).second)
    return;
  for (const Instruction &I : instructions(F)) {
    const auto *Call = dyn_cast<CallBase>(&I);
    const Function *Callee = Call ? Call->getCalledFunction() : nullptr;
    if (!Callee)
      continue;
    if (Callee->getName() == "__translate_sampler_initializer") {
      if (const auto *Bits = dyn_cast<ConstantInt>(Call->getArgOperand(0)))
        Into.push_back({Bits->getZExtValue()});
    } else {
      addSamplers(*Callee, Seen, Into);
    }
  }
}

/// The samplers that are constants in \p Kernels of \p Program. Nothing where Clang does not
/// compile it.
std::optional<std::vector<SamplerBits>> samplersOf(ProgramText Program, const std::string &Options,
                                                   const std::set<std::string> &Kernels) {
  constexpr unsigned AddressBits = 64;
  Program.Source = withoutNone(Program.Source, NoneBecomes::Clamp);
  LLVMContext Context;
  Expected<symbolic::CompiledProgram> C =
      symbolic::compileProgram(programOf(Program, Options), AddressBits, "", Context);
  if (!C) {
    consumeError(C.takeError());
    return std::nullopt;
  }
  std::vector<SamplerBits> All;
  std::set<const Function *> Seen;
  for (const std::string &Name : Kernels)
    if (const Function *F = C->M->getFunction(Name))
      addSamplers(*F, Seen, All);
  return All;
}

/// True if the text has a word of samplers whose precision the specification leaves open.
bool mentionsInexact(StringRef Source) {
  return Source.contains("CLK_FILTER_LINEAR") || Source.contains("CLK_NORMALIZED_COORDS_TRUE");
}

bool hasTolerance(const launch::LaunchFile &F) {
  return F.Compare.isSet() ||
         any_of(F.Args, [](const launch::Argument &A) { return A.Compare.has_value(); });
}

} // namespace

Error Judgement::checkSamplers() {
  if (!usesImages(P))
    return Error::success();
  std::set<std::string> New;
  for (const launch::ManifestLaunch &L : R.Manifest.Launches)
    New.insert(L.Kernel);
  const std::optional<std::vector<SamplerBits>> Both[] = {
      samplersOf(R.Original, P.Launches[0].OriginalOptions, {R.Manifest.Original}),
      samplersOf(R.Rewritten, P.Launches[0].RewrittenOptions, New)};
  bool Exact = true;
  for (const auto &Samplers : Both) {
    const ProgramText &Text = &Samplers == Both ? R.Original : R.Rewritten;
    if (!Samplers) {
      Exact &= !mentionsInexact(Text.Source);
      ReadsBorder |= StringRef(Text.Source).contains("CLK_ADDRESS_CLAMP");
      continue;
    }
    Exact &= all_of(*Samplers, [](const SamplerBits &S) { return S.isExact(); });
    ReadsBorder |= any_of(*Samplers, [](const SamplerBits &S) { return S.isClamp(); });
    if (any_of(*Samplers, [](const SamplerBits &S) { return S.isNone(); }))
      inconclusive(Text.Name +
                   ": a sampler of address mode NONE is no initializer of a variable, so "
                   "reads outside the image, which are undefined, would not be seen");
  }
  for (const launch::LaunchFile &F : R.Launches) {
    bool ExactArguments = true;
    for (const launch::Argument &A : F.Args) {
      ExactArguments &= A.K != launch::Argument::Kind::Sampler || A.Sampler.isExact();
      ReadsBorder |= A.K == launch::Argument::Kind::Sampler &&
                     A.Sampler.Address == launch::SamplerSpec::AddressMode::Clamp;
    }
    if ((!Exact || !ExactArguments) && !hasTolerance(F))
      return createStringError(
          F.Path + ": images are read with normalized coordinates or by filter LINEAR, whose "
                   "precision the specification leaves open; say how near the results must be: "
                   "compare: { abs: X }, or { steps: N } of integers as they are stored");
  }
  return Error::success();
}

bool Judgement::imagesAreUnchecked(ArrayRef<const RungRun *> Runs) {
  if (!usesImages(P) ||
      any_of(Runs, [](const RungRun *Run) { return Run->ImagesChecked && !Run->Done.empty(); }))
    return false;
  inconclusive("accesses outside an image could not be looked for: neither Oclgrind nor a CPU "
               "device ran the kernels with checks");
  return true;
}

bool Judgement::bordersAreWrong() {
  if (!ReadsBorder || OclgrindClimbed)
    return false;
  std::set<std::string> Formats;
  for (unsigned L = 0; L < R.Launches.size(); ++L)
    for (unsigned I = 0; I < R.Launches[L].Args.size(); ++I)
      if (const launch::Argument &A = R.Launches[L].Args[I];
          A.K == launch::Argument::Kind::Image && launch::imageFormat(A.Format)->OpaqueBorder &&
          P.Launches[L].Shape.Params[I].Image.Use == ImageType::Access::Read)
        Formats.insert(A.Format);
  std::string Wrong;
  ChildTask T;
  T.SilenceSeconds = T.TotalSeconds = R.Options.LaunchTimeout;
  T.Work = [&](Channel &Out) {
    Expected<verify::Device> D = verify::Device::open(Main);
    if (!D)
      return consumeError(D.takeError());
    for (const std::string &Format : Formats) {
      Expected<bool> Opaque = D->hasOpaqueBorder(Format);
      if (!Opaque)
        consumeError(Opaque.takeError());
      else if (!*Opaque)
        Out.send("wrong", Format);
    }
  };
  T.OnMessage = [&Wrong](const json::Object &O) {
    if (std::optional<StringRef> Format = O.getString("wrong"))
      Wrong = Format->str();
    return true;
  };
  if (!Formats.empty())
    runChild(std::move(T));
  if (Wrong.empty())
    return false;
  inconclusive("outside an image of format " + Wrong +
               " this device reads alpha 0, where the "
               "specification says 1, and Oclgrind, which gives 1, did not run");
  return true;
}

} // namespace clmali::verify
