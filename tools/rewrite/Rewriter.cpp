//===- Rewriter.cpp - candidates, judged until one holds --------------------------------------===//
//
// For each kernel: the planner's candidates, best first (predicted, compiled, or measured with
// --tune), each parsed again and judged, until one holds. An accepted rewrite becomes the source
// for the next kernel, so that the output is one file with one manifest.
//
//===------------------------------------------------------------------------------------------===//

#include "checks/Check.h"
#include "checks/model/ir/Budget.h"
#include "rewriters/print/Print.h"
#include "rules/Models.h"
#include "tools/rewrite/FileRewriter.h"
#include "tools/version/Version.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"

using namespace llvm;
using namespace clmali;
using namespace clmali::tool;

namespace {

Error failure(const Twine &Message) { return createStringError(inconvertibleErrorCode(), Message); }

/// The device that --platform selects; nullopt if there is none.
std::optional<verify::DeviceInfo> deviceAtHand(const Options &O) {
  Expected<std::vector<verify::DeviceInfo>> Devices = verify::listDevices();
  if (!Devices) {
    consumeError(Devices.takeError());
    return std::nullopt;
  }
  for (const verify::DeviceInfo &D : *Devices)
    if (O.Platform.empty() || StringRef(D.Platform).contains_insensitive(O.Platform) ||
        StringRef(D.Device).contains_insensitive(O.Platform))
      return D;
  return std::nullopt;
}

/// The target of `generic`, the device at hand, for the cost model: the family in the device's name
/// ("Mali-G72"), otherwise a GPU or a CPU by its type and vector width.
void describeDevice(const verify::DeviceInfo &D, rewrite::RewriteOptions &R) {
  SmallVector<StringRef, 8> Words;
  StringRef(D.Device).split(Words, ' ', -1, false);
  for (StringRef Word : Words)
    if (Word.contains_insensitive("mali") || StringRef(D.Device).contains_insensitive("powervr")) {
      if (Expected<rules::FamilySet> Set = rules::resolveDevice(Word); Set && isPowerOf2_32(*Set)) {
        R.Device = rules::familyNames(*Set);
        return;
      } else if (!Set) {
        consumeError(Set.takeError());
      }
    }
  if (D.Type == "GPU")
    R.Device = "generic-gpu";
  else if (D.Type == "CPU")
    R.VectorBits = D.NativeFloats * 32;
}

/// The path of launches that no file gives.
constexpr StringLiteral DerivedLaunchName = "derived.launch.yaml";

/// True if the device called \p AtHand is of the family \p Device; `generic` is any device.
Expected<bool> isOf(StringRef AtHand, StringRef Device) {
  bool Mali = AtHand.contains_insensitive("mali");
  bool PowerVR = AtHand.contains_insensitive("powervr") || AtHand.contains_insensitive("rogue");
  if (rules::findModel(Device))
    return true; // facts for the cost model, not a family
  Expected<rules::FamilySet> Set = rules::resolveDevice(Device);
  if (!Set)
    return Set.takeError();
  for (const rules::DeviceFacts &F : rules::families())
    if (((*Set >> F.Index) & 1) && (F.Name == "generic" || (F.Group == "mali" ? Mali : PowerVR)))
      return true;
  return false;
}

/// --passes=none: prints the kernel from the model without changes.
rewrite::RewriteResult roundTrip(const model::Module &M, const model::Kernel &K, const Inputs &I) {
  rewrite::RewriteResult R;
  if (!K.Opaques.empty()) {
    R.Refusals.push_back({rewrite::Refusal::OpaqueConstruct, "none", K.Opaques.front().What,
                          K.Opaques.front().Range});
    return R;
  }
  rewrite::Candidate C;
  C.Source = rewrite::spliceFile(M, K, rewrite::printKernel(M, K, {}), /*After=*/false, I.Defines);
  launch::ManifestKernel E;
  E.Original = K.Name;
  launch::ManifestLaunch L;
  L.Kernel = K.Name;
  std::vector<launch::Expression> Local;
  auto Add = [](std::vector<launch::Expression> &To, StringRef Text) {
    To.push_back(cantFail(launch::Expression::parse(Text)));
  };
  for (StringRef D : {"x", "y", "z"}) {
    Add(L.Global, ("g" + D).str());
    Add(L.Offset, ("o" + D).str());
    Add(Local, ("l" + D).str());
  }
  L.Local = Local;
  E.Launches.push_back(L);
  E.Options = I.BuildOptions;
  E.Defines = I.Defines;
  E.Passes = {"none"};
  C.Passes = E.Passes;
  C.Manifest.Kernels.push_back(E);
  R.Candidates.push_back(C);
  return R;
}

unsigned lineOf(const model::Module &M, model::SourceRange R) {
  return R.isValid() && R.File == 0 ? StringRef(M.Files[0].Text).take_front(R.Begin).count('\n') + 1
                                    : 0;
}

/// The linter's findings for K, by line. Called before the planner adds kernels to M.
std::vector<report::LineNote> findingsOf(model::Module &M, const model::Kernel &K,
                                         StringRef Device) {
  checks::RunOptions Run;
  if (Expected<rules::FamilySet> Set = rules::resolveDevice(Device))
    Run.Families = *Set;
  else
    consumeError(Set.takeError());
  const rules::DeviceFacts *Generic = rules::findFamily("generic");
  Run.Families &= ~(1u << Generic->Index);
  if (!Run.Families) // no GPU is named: use all of them
    Run.Families = rules::allFamilies() & ~(1u << Generic->Index);
  std::vector<report::LineNote> Notes;
  for (const checks::Finding &F : checks::runKernelChecks(M, Run)) {
    rules::Severity S = checks::severity(F, Run.Families);
    if (F.Kernel != K.Name || S == rules::Severity::None || !lineOf(M, F.Range))
      continue;
    std::string Text = F.text(Run.Families);
    for (const checks::Fix &X : F.Fixes)
      Text += ("; fix (" + checks::name(X.How) + "): " + X.Message).str();
    Notes.push_back({lineOf(M, F.Range), rules::name(S).str(), F.Rule->Id, std::move(Text)});
  }
  return Notes;
}

/// The refusals, by line.
std::vector<report::LineNote> refusalsOf(const model::Module &M,
                                         const rewrite::RewriteResult &Plan) {
  std::vector<report::LineNote> Notes;
  for (const rewrite::RefusalAt &X : Plan.Refusals)
    if (lineOf(M, X.Range))
      Notes.push_back(
          {lineOf(M, X.Range), "refused", (rewrite::refusalName(X.Why) + " (" + X.Pass + ")").str(),
           (X.Detail + (X.Detail.empty() ? "" : ". ") + rewrite::refusalAdvice(X.Why)).str()});
  return Notes;
}

/// The lines of a definition in the main file, with the comment directly above it.
std::pair<unsigned, std::string> codeOf(const model::Module &M, model::SourceRange R) {
  if (!R.isValid() || R.File != 0)
    return {1, ""};
  StringRef Text = M.Files[0].Text;
  size_t Begin = Text.rfind('\n', R.Begin);
  Begin = Begin == StringRef::npos ? 0 : Begin + 1;
  while (Begin > 0) {
    size_t Above = Text.take_front(Begin - 1).rfind('\n');
    Above = Above == StringRef::npos ? 0 : Above + 1;
    StringRef Line = Text.slice(Above, Begin - 1).trim();
    if (!Line.starts_with("//") && !Line.starts_with("/*") && !Line.starts_with("*"))
      break;
    Begin = Above;
  }
  unsigned First = Text.take_front(Begin).count('\n') + 1;
  return {First, Text.slice(Begin, R.End).str()};
}

} // namespace

/// --tune measures on the device at hand. Where that is not of the family, the compiler chooses.
Error FileRewriter::checkTuning() {
  Expected<std::vector<verify::DeviceInfo>> Devices = verify::listDevices();
  if (!Devices)
    return failure("--tune measures on a device: " + toString(Devices.takeError()));
  AtHand = deviceAtHand(O);
  if (!*AtHand)
    return failure(
        Devices->empty()
            ? Twine("--tune measures on a device, and there is no OpenCL device; install one, "
                    "for instance pocl-opencl-icd")
            : "--tune: no OpenCL device is called '" + O.Platform +
                  "' (clmali-run --list-devices)");
  Expected<bool> Is = isOf((*AtHand)->Device, O.Device);
  if (!Is)
    return Is.takeError();
  if (*Is)
    return Error::success();
  By = Choice::Compiler;
  Say << "--tune: '" << (*AtHand)->Device << "' is no " << O.Device
      << "; a compiler for it chooses, not the time on this device\n";
  return Error::success();
}

verify::JudgeOptions FileRewriter::judgeOptions() const {
  verify::JudgeOptions J;
  J.Platform = O.Platform;
  J.Seed = O.Seed;
  J.TotalTimeout = O.JudgeTimeout;
  J.ExtraOptions = In.ExtraOptions;
  // Progress is shown on a terminal only; a log gets the verdicts.
  if (errs().is_displayed())
    J.Progress = [this](StringRef Text) { Say << "  " << Text << "\n"; };
  return J;
}

/// The manifest's entry, completed by what only the tool knows.
launch::ManifestKernel FileRewriter::entryOf(const rewrite::Candidate &C) const {
  launch::ManifestKernel E = C.Manifest.Kernels.front();
  if (auto It = In.Launches.find(E.Original); It != In.Launches.end()) {
    launch::ManifestRequire Require = launch::requireOf(It->second);
    append_range(E.Require, std::move(Require.Checked));
    launch::addImages(E, It->second);
    for (const std::string &Text : Require.Unchecked)
      E.Obligations.push_back({"the host launches " + E.Original + " only where " + Text +
                                   ", as the launch file requires",
                               launch::ObligationState::Assumed});
  }
  for (const model::SiblingFile &B : In.Before)
    E.Obligations.push_back({"the host builds the program of " + B.Path + " and this file",
                             launch::ObligationState::Assumed});
  E.Source = launch::sourceHash(In.Text);
  E.Tool = ToolVersion;
  E.Options = In.BuildOptions;
  E.Defines = In.Defines;
  return E;
}

void FileRewriter::sayRefusals(const model::Module &M, const rewrite::RewriteResult &R,
                               KernelOutcome &Out) {
  for (const rewrite::RefusalAt &X : R.Refusals) {
    std::string Text = refusalText(M, X);
    if (is_contained(Out.Refusals, Text))
      continue;
    Out.Refusals.push_back(Text);
    if (!O.ExplainRefusals && !R.Candidates.empty())
      continue;
    Say << Text << "\n";
    if (O.ExplainRefusals)
      Say << "    " << rewrite::refusalAdvice(X.Why) << "\n";
  }
}

/// Derives a launch file from the kernel and prints it.
Error FileRewriter::derive(model::Module &M, const model::Kernel &K,
                           std::vector<launch::LaunchFile> &Launches) {
  Expected<std::string> Text = deriveLaunch(M, K, localSizeOf(In.Host.Launches, K.Name));
  if (!Text)
    return Text.takeError();
  Expected<launch::LaunchFile> L = launch::parseLaunchFile(*Text, DerivedLaunchName);
  if (!L)
    return L.takeError();
  Say << K.Name << ": no launch file; derived from the kernel:\n";
  SmallVector<StringRef, 16> Lines;
  StringRef(*Text).rtrim().split(Lines, '\n');
  for (StringRef Line : Lines)
    Say << "    " << Line << "\n";
  In.LaunchText = "global size (";
  for (size_t D = 0; D < L->Global.size(); ++D)
    In.LaunchText += (D ? ", " : "") + L->Global[D].text();
  In.LaunchText += ")";
  L->Defines = In.Defines;
  L->Options = In.BuildOptions;
  Launches.push_back(std::move(*L));
  return Error::success();
}

/// True if the candidate holds (or, with --no-verify, parses).
Expected<bool> FileRewriter::tryCandidate(const rewrite::Candidate &C,
                                          const launch::ManifestKernel &Entry, KernelOutcome &Out,
                                          Attempt &A) {
  A.Passes = C.Passes;
  A.PredictedSpeedup = C.PredictedSpeedup;
  Expected<std::unique_ptr<model::Module>> Again = parse(O, In, C.Source);
  if (!Again) {
    A.Problem = "the rewritten source does not parse: " + toString(Again.takeError());
    Say << Out.Name << ": [" << join(C.Passes, ", ") << "] " << A.Problem << "\n";
    return false;
  }
  Out.CodeAfter.clear();
  for (const auto &K : (*Again)->Kernels)
    if (K->Name != Out.Name && any_of(Entry.Launches, [&](const launch::ManifestLaunch &L) {
          return L.Kernel == K->Name;
        })) {
      auto [Line, Code] = codeOf(**Again, K->Range);
      if (Out.CodeAfter.empty())
        Out.LineAfter = Line;
      Out.CodeAfter += (Out.CodeAfter.empty() ? "" : "\n\n") + Code;
    }
  if (O.NoVerify)
    return true;
  verify::JudgeRequest Request;
  SmallVector<StringRef, 4> Kept = {Out.Name};
  for (const launch::ManifestLaunch &L : Entry.Launches)
    Kept.push_back(L.Kernel);
  // In.Text may hold kernels that the device cannot build.
  if (!Source) {
    Expected<std::unique_ptr<model::Module>> Whole = parse(O, In, In.Text);
    if (!Whole)
      return Whole.takeError();
    Source = std::move(*Whole);
  }
  Request.Original = {programText(In, rewrite::onlyKernels(*Source, {Out.Name})), O.File,
                      launch::sourceHash(In.Text)};
  Request.Rewritten = {programText(In, rewrite::onlyKernels(**Again, Kept)),
                       O.Output.empty() ? O.File : O.Output, launch::sourceHash(C.Source)};
  Request.Manifest = Entry;
  Request.Launches = In.Launches[Out.Name];
  Request.Options = judgeOptions();
  Expected<verify::Verdict> V = verify::judge(Request);
  if (!V)
    return V.takeError();
  // A defect of the original may be one of the launch that was derived for it.
  const bool MayBeOurs = V->Result == verify::Outcome::Inconclusive &&
                         any_of(Request.Launches, [](const launch::LaunchFile &L) {
                           return L.Path == DerivedLaunchName;
                         });
  Say << Out.Name << ": [" << join(C.Passes, ", ") << "] " << verify::toString(V->Result)
      << (MayBeOurs ? " with the derived launch" : "") << ": " << V->Summary << "\n";
  if (V->Example) {
    Say << "    " << V->Example->What;
    if (!V->Example->Size.empty())
      Say << " (" << V->Example->Size << ")";
    if (!V->Example->Argument.empty())
      Say << ": " << V->Example->Argument << "[" << V->Example->Element << "] should be "
          << V->Example->Expected << ", is " << V->Example->Got;
    Say << "\n";
  }
  bool Accepted = V->Result == verify::Outcome::Held &&
                  (!O.RequireProved || V->RestsOn == verify::Basis::Proved);
  A.Verdict = std::move(*V);
  return Accepted;
}

/// True if the device at hand is a CPU, which only stands in for the GPU: a version that is slower
/// on it may be faster on the GPU.
bool FileRewriter::runsOnCpu() const { return AtHand && *AtHand && (*AtHand)->Type == "CPU"; }

/// The planner's options for K; for the device at hand if none is named.
rewrite::RewriteOptions FileRewriter::optionsFor(const model::Kernel &K) {
  rewrite::RewriteOptions R = planOptions(O, In, K);
  if (O.Device == "generic") {
    if (!AtHand)
      AtHand = deviceAtHand(O);
    if (*AtHand)
      describeDevice(**AtHand, R);
  }
  if (O.NoVerify)
    R.MaxCandidates = 2; // the second one if the first does not parse
  if (By != Choice::Model) {
    R.MaxCandidates = O.Tune ? 40 : 16;
    R.Diverse = true;
  }
  return R;
}

/// Nothing to do: the file is the output of an earlier run.
void FileRewriter::sayRewritten(const model::Module &M, const model::Kernel &K,
                                KernelOutcome &Out) {
  rewrite::RewriteResult Nothing;
  Nothing.Refusals.push_back(
      {rewrite::Refusal::NothingPays, "plan", "it is rewritten already", K.NameRange});
  sayRefusals(M, Nothing, Out);
  Out.Summary = "nothing pays: it is rewritten already";
}

/// The code of the original and its findings, for the report.
void FileRewriter::describeOriginal(model::Module &M, const model::Kernel &K, KernelOutcome &Out) {
  if (!O.Report.empty())
    Out.Notes = findingsOf(M, K, O.Device);
  std::tie(Out.LineBefore, Out.CodeBefore) = codeOf(M, K.Range);
  for (model::SourceRange Helper : K.HelperRanges)
    if (auto Code = codeOf(M, Helper); !Code.second.empty() && !is_contained(Out.Helpers, Code))
      Out.Helpers.push_back(std::move(Code));
  llvm::sort(Out.Helpers);
  for (const model::Var *P : K.Params)
    Out.Parameters.push_back(P->Name);
}

rewrite::RewriteResult FileRewriter::candidates(model::Module &M, model::Kernel &K,
                                                StringRef Without) {
  rewrite::RewriteOptions R = optionsFor(K);
  R.Without = Without.str();
  model::TimeBudget Budget(O.PlanTimeout);
  return rewrite::rewriteKernel(M, K, R);
}

/// Runs the planner. Out gets costs and notes for the report.
rewrite::RewriteResult FileRewriter::plan(model::Module &M, model::Kernel &K, KernelOutcome &Out) {
  rewrite::RewriteResult Plan =
      is_contained(O.Passes, "none") ? roundTrip(M, K, In) : candidates(M, K, "");
  Out.Before = Plan.Before;
  append_range(Out.Notes, refusalsOf(M, Plan));
  Out.CostOf = optionsFor(K).Device;
  sayRefusals(M, Plan, Out);
  if (!Plan.Candidates.empty())
    return Plan;
  Out.Summary = Plan.Refusals.empty() ? "nothing pays" : "refused: " + Out.Refusals.front();
  if (Plan.Refusals.empty())
    Say << placeText(M, K.NameRange) << ": nothing-pays (plan)\n";
  return Plan;
}

/// Leaves the candidates that the compiler finds faster, best first.
Error FileRewriter::rankCompiled(const model::Module &M, const model::Kernel &K,
                                 rewrite::RewriteResult &Plan, KernelOutcome &Out) {
  std::vector<std::string> Args = O.ClangArgs;
  for (const auto &[Name, Value] : In.Defines)
    Args.push_back("-D" + Name + "=" + Value);
  Expected<CompiledRanking> R = rankByCompiler(Plan, Current, K.Name, O.Device, Args);
  if (!R)
    return R.takeError();
  if (R->WithoutFigure)
    Say << K.Name << ": " << R->WithoutFigure << " candidates have no compiled figure ("
        << R->WhyNone << ")\n";
  if (Plan.Candidates.empty()) {
    Out.Summary = "nothing-pays (compiled): no candidate is faster by " + R->By;
    Say << placeText(M, K.NameRange) << ": " << Out.Summary << "\n";
  }
  Out.Compiled = std::move(*R);
  return Error::success();
}

Error FileRewriter::kernel(StringRef Name) {
  // run() has parsed the original file.
  Expected<std::unique_ptr<model::Module>> M = First ? std::move(First) : parse(O, In, Current);
  if (!M)
    return M.takeError();
  auto It = find_if((*M)->Kernels, [&](const auto &K) { return K->Name == Name; });
  if (It == (*M)->Kernels.end())
    return failure("kernel '" + Name + "' is not in the file any more");
  model::Kernel &K = **It;
  KernelOutcome &Out = Result.Kernels.emplace_back();
  Out.Name = Name.str();

  std::vector<launch::LaunchFile> &Launches = In.Launches[Out.Name];
  for (const launch::LaunchFile &L : Launches)
    if (Error E = fits(L, K))
      return E;
  if (rewrite::isRewritten(**M, K)) {
    sayRewritten(**M, K, Out);
    return Error::success();
  }
  describeOriginal(**M, K, Out);
  if (std::optional<rewrite::RefusalAt> Why = refusalOfOriginal(**M, K)) {
    rewrite::RewriteResult Nothing;
    Nothing.Refusals.push_back(std::move(*Why));
    append_range(Out.Notes, refusalsOf(**M, Nothing));
    sayRefusals(**M, Nothing, Out);
    Out.Summary = "refused: " + Out.Refusals.front();
    return Error::success();
  }
  bool Derived = Launches.empty() && !O.NoVerify;
  In.LaunchText.clear();
  if (Derived)
    if (Error E = derive(**M, K, Launches)) {
      Out.Code = NotJudged;
      Out.Summary = "no launch file says how the host runs it, and none can be derived: " +
                    toString(std::move(E)) + "; write " + sys::path::stem(O.File).str() +
                    ".launch.yaml, or see it unverified with --no-verify";
      Say << Name << ": " << Out.Summary << "\n";
      return Error::success();
    }
  rewrite::RewriteResult Plan = plan(**M, K, Out);
  if (By == Choice::Compiler && !Plan.Candidates.empty())
    if (Error E = rankCompiled(**M, K, Plan, Out))
      return E;
  if (!Plan.Candidates.empty()) {
    auto Replan = [&](StringRef Without) { return candidates(**M, K, Without); };
    if (Error E =
            Attempts(*this, Out, std::move(Plan), Replan, Derived, placeText(**M, K.NameRange))
                .run())
      return E;
  }
  return addForms(Out);
}

/// The kernels to rewrite, of those that are There.
std::vector<std::string> FileRewriter::wanted(ArrayRef<std::string> There) const {
  if (!O.Kernel.empty())
    return {O.Kernel};
  std::vector<std::string> Names;
  for (const std::string &Name : There)
    if (In.Launches.empty() || In.Launches.count(Name))
      Names.push_back(Name);
  auto Rank = [&](const std::string &Name) { return find(In.Order, Name) - In.Order.begin(); };
  if (!O.Launches.empty())
    stable_sort(Names, [&](const auto &A, const auto &B) { return Rank(A) < Rank(B); });
  return Names;
}

/// Result holds what was accepted so far.
void FileRewriter::addToResult(const KernelOutcome &K) {
  Result.Code = std::max(Result.Code, K.Code);
  if (K.Manifest)
    Result.Manifest.Kernels.push_back(*K.Manifest);
  bool Write = !Result.Manifest.Kernels.empty() &&
               (O.NoVerify || O.KeepHeld || Result.Code == Done || Result.Code == Refused);
  Result.Rewritten = Write ? Current : "";
}

Expected<Outcome> FileRewriter::run(const std::function<void(const Outcome &)> &Each) {
  Current = In.Text;
  Result.Original = In.Text;
  Expected<std::unique_ptr<model::Module>> M = parse(O, In, Current);
  if (!M)
    return M.takeError();
  std::vector<std::string> There;
  for (const auto &K : (*M)->Kernels)
    There.push_back(K->Name);
  std::string List = There.empty() ? "none" : join(There, ", ");
  if (There.empty())
    return failure("'" + O.File + "' holds no kernel");
  if (!O.Kernel.empty() && !is_contained(There, O.Kernel))
    return failure("there is no kernel '" + O.Kernel + "' in '" + O.File + "'; kernels: " + List);
  for (const auto &[Name, Launches] : In.Launches)
    if (!is_contained(There, Name))
      return failure(Launches.front().Path + ": it launches '" + Name + "', which is not in '" +
                     O.File + "'; kernels: " + List);
  if (O.Tune)
    if (Error E = checkTuning())
      return std::move(E);
  First = std::move(*M);

  Result.Code = Done;
  for (const std::string &Name : wanted(There)) {
    if (Error E = kernel(Name))
      return std::move(E);
    // A refuted or undecided kernel keeps the file from being written, even if others hold.
    const KernelOutcome &Out = Result.Kernels.back();
    addToResult(Out);
    if (Each)
      Each(Result);
    if (!O.NoVerify && !O.KeepHeld && (Out.Code == WasRefuted || Out.Code == NotJudged))
      break;
  }
  return std::move(Result);
}

Expected<Outcome> tool::rewriteFile(const Options &O, raw_ostream &Say,
                                    const std::function<void(const Outcome &)> &Each) {
  Expected<Inputs> In = readInputs(O, Say);
  if (!In)
    return In.takeError();
  return FileRewriter(O, std::move(*In), Say).run(Each);
}
