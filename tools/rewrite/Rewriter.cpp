//===- Rewriter.cpp - candidates, tried until one holds
//-----------------------------------------===//
//
// For each kernel: the planner's candidates, best predicted first (with --tune: fastest measured
// first), each parsed again and judged, until one holds. What is accepted becomes the source of the
// next kernel, so that the output is one file with one manifest.
//
//===------------------------------------------------------------------------------------------===//

#include "checks/Check.h"
#include "rewriters/print/Print.h"
#include "rules/Models.h"
#include "tools/rewrite/Inputs.h"
#include "tools/rewrite/Measure.h"
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

/// The device that --platform means; nothing where there is none.
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

/// What `generic`, the device at hand, is for the cost model: the family that
/// its name tells ("Mali-G72"), else by its kind a GPU or a CPU and the width of
/// its vectors.
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

/// The device to measure on, if it is one of the family that is asked for.
Error checkTuning(const Options &O) {
  Expected<std::vector<verify::DeviceInfo>> Devices = verify::listDevices();
  if (!Devices)
    return failure("--tune measures on a device: " + toString(Devices.takeError()));
  std::optional<verify::DeviceInfo> Found = deviceAtHand(O);
  if (!Found)
    return failure(
        Devices->empty()
            ? Twine("--tune measures on a device, and there is no OpenCL device; install one, "
                    "for instance pocl-opencl-icd")
            : "--tune: no OpenCL device is called '" + O.Platform +
                  "' (clmali-run --list-devices)");
  if (rules::findModel(O.Device))
    return Error::success();
  Expected<rules::FamilySet> Set = rules::resolveDevice(O.Device);
  if (!Set)
    return Set.takeError();
  bool Generic = false, Is = false;
  StringRef Name = Found->Device;
  for (const rules::DeviceFacts &F : rules::families()) {
    if (!((*Set >> F.Index) & 1))
      continue;
    Generic |= F.Name == "generic";
    Is |= F.Group == "mali" && Name.contains_insensitive("mali");
    Is |= StringRef(F.Name).contains("powervr") &&
          (Name.contains_insensitive("powervr") || Name.contains_insensitive("rogue"));
  }
  if (!Generic && !Is)
    return failure(
        "--tune: '" + Found->Device + "' is no " + O.Device +
        "; measure with --device=generic, or name a device of that family with --platform");
  return Error::success();
}

/// --passes=none: the kernel through the model and the printer, unchanged.
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

/// The pipes before and after, each for one work-item of the original.
std::string costText(const KernelOutcome &K) {
  if (!K.After)
    return "";
  const rewrite::Cost &B = K.Before, &A = *K.After;
  return formatv("    cost model, {0}: cycles for each original work-item A {1:f2}, L/S {2:f2} -> "
                 "A {3:f2}, L/S {4:f2}; "
                 "memory operations {5:f1} -> {6:f1}; registers {7:f0} -> {8:f0}",
                 K.CostOf, B.Arithmetic, B.LoadStore, A.Arithmetic / K.Items, A.LoadStore / K.Items,
                 B.MemoryOps, A.MemoryOps / K.Items, B.Registers, A.Registers);
}

unsigned lineOf(const model::Module &M, model::SourceRange R) {
  return R.isValid() && R.File == 0 ? StringRef(M.Files[0].Text).take_front(R.Begin).count('\n') + 1
                                    : 0;
}

/// What the linter says of K, at its lines. Before the planner adds kernels of its own to M.
std::vector<report::LineNote> findingsOf(model::Module &M, const model::Kernel &K,
                                         StringRef Device) {
  checks::RunOptions Run;
  if (Expected<rules::FamilySet> Set = rules::resolveDevice(Device))
    Run.Families = *Set;
  else
    consumeError(Set.takeError());
  const rules::DeviceFacts *Generic = rules::findFamily("generic");
  Run.Families &= ~(1u << Generic->Index);
  if (!Run.Families) // no GPU is named: what all of them say
    Run.Families = rules::allFamilies() & ~(1u << Generic->Index);
  std::vector<report::LineNote> Notes;
  for (const checks::Finding &F : checks::runKernelChecks(M, Run)) {
    rules::Severity S = checks::severity(F, Run.Families);
    if (F.Kernel == K.Name && S != rules::Severity::None && lineOf(M, F.Range))
      Notes.push_back({lineOf(M, F.Range), rules::name(S).str(), F.Rule->Id, F.text(Run.Families)});
  }
  return Notes;
}

/// What was refused, at its lines.
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

/// The lines of K's definition in its file, with the comment that stands right above it.
std::pair<unsigned, std::string> codeOf(const model::Module &M, const model::Kernel &K) {
  if (!K.Range.isValid() || K.Range.File != 0)
    return {1, ""};
  StringRef Text = M.Files[0].Text;
  size_t Begin = Text.rfind('\n', K.Range.Begin);
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
  return {First, Text.slice(Begin, K.Range.End).str()};
}

class FileRewriter {
public:
  FileRewriter(const Options &O, Inputs In, raw_ostream &Say) : O(O), In(std::move(In)), Say(Say) {}
  Expected<Outcome> run();

private:
  Error kernel(StringRef Name);
  Error derive(model::Module &M, const model::Kernel &K, std::vector<launch::LaunchFile> &Launches);
  Expected<bool> tryCandidate(const rewrite::Candidate &C, const launch::ManifestKernel &Entry,
                              KernelOutcome &Out, Attempt &A);
  verify::JudgeOptions judgeOptions() const;
  launch::ManifestKernel entryOf(const rewrite::Candidate &C) const;
  void sayRefusals(const model::Module &M, const rewrite::RewriteResult &R, KernelOutcome &Out);

  const Options &O;
  Inputs In;
  raw_ostream &Say;
  std::string Current; ///< the file as it is after the kernels so far
  std::optional<std::optional<verify::DeviceInfo>> AtHand; ///< asked for once
  std::unique_ptr<model::Module> First; ///< of the original file, for the first kernel
  Outcome Result;
};

verify::JudgeOptions FileRewriter::judgeOptions() const {
  verify::JudgeOptions J;
  J.Platform = O.Platform;
  J.Seed = O.Seed;
  J.ExtraOptions = In.ExtraOptions;
  // Someone is waiting at a terminal; a log wants the verdicts only.
  if (errs().is_displayed())
    J.Progress = [this](StringRef Text) { Say << "  " << Text << "\n"; };
  return J;
}

/// The manifest's entry, with what only the tool knows.
launch::ManifestKernel FileRewriter::entryOf(const rewrite::Candidate &C) const {
  launch::ManifestKernel E = C.Manifest.Kernels.front();
  E.Source = launch::sourceHash(In.Text);
  E.Tool = CLMALI_VERSION;
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

/// A launch from the kernel alone, said aloud.
Error FileRewriter::derive(model::Module &M, const model::Kernel &K,
                           std::vector<launch::LaunchFile> &Launches) {
  Expected<std::string> Text = deriveLaunch(M, K);
  if (!Text)
    return Text.takeError();
  Expected<launch::LaunchFile> L = launch::parseLaunchFile(*Text, "derived.launch.yaml");
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
      auto [Line, Code] = codeOf(**Again, *K);
      if (Out.CodeAfter.empty())
        Out.LineAfter = Line;
      Out.CodeAfter += (Out.CodeAfter.empty() ? "" : "\n\n") + Code;
    }
  if (O.NoVerify)
    return true;
  verify::JudgeRequest Request;
  Request.Original = {In.Text, O.File};
  Request.Rewritten = {C.Source, O.Output.empty() ? O.File : O.Output};
  Request.Manifest = Entry;
  Request.Launches = In.Launches[Out.Name];
  Request.Options = judgeOptions();
  Expected<verify::Verdict> V = verify::judge(Request);
  if (!V)
    return V.takeError();
  Say << Out.Name << ": [" << join(C.Passes, ", ") << "] " << verify::toString(V->Result) << ": "
      << V->Summary << "\n";
  if (V->Example) {
    Say << "    " << V->Example->What;
    if (!V->Example->Size.empty())
      Say << " (" << V->Example->Size << ")";
    if (!V->Example->Argument.empty())
      Say << ": " << V->Example->Argument << "[" << V->Example->Element << "] should be "
          << V->Example->Expected << ", is " << V->Example->Got;
    Say << "\n";
  }
  bool Held = V->Result == verify::Outcome::Held;
  A.Verdict = std::move(*V);
  return Held;
}

Error FileRewriter::kernel(StringRef Name) {
  // run() has parsed the file as it was.
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
  bool Derived = false;
  if (rewrite::isRewritten(**M, K)) {
    rewrite::RewriteResult Nothing;
    Nothing.Refusals.push_back(
        {rewrite::Refusal::NothingPays, "plan", "it is rewritten already", K.NameRange});
    sayRefusals(**M, Nothing, Out);
    Out.Summary = "nothing pays: it is rewritten already";
    return Error::success();
  }

  if (Launches.empty() && !O.NoVerify) {
    if (Error E = derive(**M, K, Launches)) {
      Out.Code = NotJudged;
      Out.Summary = "no launch file says how the host runs it, and none can be derived: " +
                    toString(std::move(E)) + "; write " + sys::path::stem(O.File).str() +
                    ".launch.yaml, or see it unverified with --no-verify";
      Say << Name << ": " << Out.Summary << "\n";
      return Error::success();
    }
    Derived = true;
  }

  if (!O.Report.empty())
    Out.Notes = findingsOf(**M, K, O.Device);
  rewrite::RewriteOptions R = planOptions(O, In, K);
  if (O.Device == "generic") {
    if (!AtHand)
      AtHand = deviceAtHand(O);
    if (*AtHand)
      describeDevice(**AtHand, R);
  }
  if (O.NoVerify)
    R.MaxCandidates = 2; // the second where the first does not parse
  if (O.Tune) {
    R.MaxCandidates = 40;
    R.Diverse = true;
  }
  rewrite::RewriteResult Plan =
      is_contained(O.Passes, "none") ? roundTrip(**M, K, In) : rewrite::rewriteKernel(**M, K, R);
  Out.Before = Plan.Before;
  std::tie(Out.LineBefore, Out.CodeBefore) = codeOf(**M, K);
  for (const model::Var *P : K.Params)
    Out.Parameters.push_back(P->Name);
  append_range(Out.Notes, refusalsOf(**M, Plan));
  Out.CostOf = R.Device;
  sayRefusals(**M, Plan, Out);
  if (Plan.Candidates.empty()) {
    Out.Summary = Plan.Refusals.empty() ? "nothing pays" : "refused: " + Out.Refusals.front();
    if (Plan.Refusals.empty())
      Say << placeText(**M, K.NameRange) << ": nothing-pays (plan)\n";
    return Error::success();
  }
  // A GPU is meant as it is. A CPU stands in for one: what it takes longer for may be right
  // elsewhere.
  bool OnCpu = AtHand && *AtHand && (*AtHand)->Type == "CPU";
  Measure Clock(
      {In.Text, O.File}, Launches.empty() ? launch::LaunchFile() : Launches.front(), judgeOptions(),
      [this](const rewrite::Candidate &C) { return entryOf(C); }, /*Grows=*/O.Tune || !OnCpu, Say);
  auto SlowerHere = [&](const rewrite::Candidate &C, Attempt &A) {
    bool Slower = Clock.isSlower(C);
    Out.OriginalMilliseconds = Clock.originalMs();
    A.Milliseconds = Clock.lastMs();
    return Slower;
  };
  std::vector<double> Times;
  if (O.Tune) {
    Clock.rank(Plan.Candidates, Times);
    Out.OriginalMilliseconds = Clock.originalMs();
    if (Plan.Candidates.empty()) {
      Out.Code = Out.OriginalMilliseconds ? Refused : NotJudged;
      Out.Summary = Out.OriginalMilliseconds
                        ? "nothing-pays (tune): no candidate is faster on this device"
                        : "it could not be measured";
      Say << placeText(**M, K.NameRange) << ": " << Out.Summary << "\n";
      return Error::success();
    }
  }

  // The device at hand is the one that the kernel is for, and nobody asked for these passes.
  bool Measures = O.Device == "generic" && !O.Tune && !O.NoVerify && O.Passes.empty();
  auto Accept = [&](const rewrite::Candidate &C, const launch::ManifestKernel &Entry,
                    std::optional<double> Ms) {
    Out.Code = O.NoVerify ? NotJudged : Done;
    Out.Manifest = Entry;
    Out.Summary = formatv("{0} with [{1}], predicted {2:f1}x", O.NoVerify ? "not verified" : "held",
                          join(C.Passes, ", "), C.PredictedSpeedup);
    if (Ms && Out.OriginalMilliseconds)
      Out.Summary += formatv(", measured {0:f1}x", *Out.OriginalMilliseconds / *Ms);
    Current = C.Source;
    Out.After = C.After;
    Out.Items = C.Items;
    Say << Name << ": " << Out.Summary << "\n" << costText(Out) << "\n";
  };
  bool SawRefuted = false;
  std::optional<size_t> Slower; ///< the first that holds and is slower here
  size_t SlowerAttempt = 0;
  launch::ManifestKernel SlowerEntry;
  std::pair<unsigned, std::string> SlowerCode;
  auto SaySlower = [&](const rewrite::Candidate &C, const Attempt &A) {
    Say << formatv("{0}: [{1}] is slower on this device: {2:f3} ms, as it is {3:f3} ms\n", Out.Name,
                   join(C.Passes, ", "), *A.Milliseconds, *Out.OriginalMilliseconds);
  };
  for (size_t N = 0; N < Plan.Candidates.size(); ++N) {
    const rewrite::Candidate &C = Plan.Candidates[N];
    Attempt A;
    if (N < Times.size())
      A.Milliseconds = Times[N];
    launch::ManifestKernel Entry = entryOf(C);
    if (Derived)
      Entry.Obligations.push_back({"the host launches " + Out.Name +
                                       " as was derived from the kernel alone: " + In.LaunchText,
                                   launch::ObligationState::Assumed});
    // Measuring is quicker than judging.
    if (Slower && SlowerHere(C, A)) {
      SaySlower(C, A);
      continue;
    }
    Expected<bool> Holds = tryCandidate(C, Entry, Out, A);
    if (!Holds)
      return Holds.takeError();
    SawRefuted |= A.Verdict && A.Verdict->Result == verify::Outcome::Refuted;
    bool Unclear = A.Verdict && A.Verdict->Result == verify::Outcome::Inconclusive;
    if (*Holds && Measures && !Slower && SlowerHere(C, A)) {
      SaySlower(C, A);
      Slower = N;
      SlowerAttempt = Out.Attempts.size();
      SlowerEntry = Entry;
      SlowerCode = {Out.LineAfter, Out.CodeAfter};
    } else if (*Holds) {
      Out.Attempts.push_back(std::move(A));
      Accept(C, Entry, Out.Attempts.back().Milliseconds);
      return Error::success();
    }
    Out.Attempts.push_back(std::move(A));
    // What the judge cannot decide for one candidate, it will hardly decide for the third.
    if (Unclear && count_if(Out.Attempts, [](const Attempt &X) {
                     return X.Verdict && X.Verdict->Result == verify::Outcome::Inconclusive;
                   }) >= 2)
      break;
  }
  if (Slower && OnCpu) {
    std::tie(Out.LineAfter, Out.CodeAfter) = SlowerCode;
    // The report and the records speak of the accepted form last.
    auto At = Out.Attempts.begin() + SlowerAttempt;
    std::rotate(At, At + 1, Out.Attempts.end());
    Accept(Plan.Candidates[*Slower], SlowerEntry, Out.Attempts.back().Milliseconds);
    Say << "    slower on this CPU, with fewer memory operations: --device=FAMILY names the GPU "
           "that it is for, "
           "--tune keeps what is faster here\n";
    return Error::success();
  }
  if (Slower && !SawRefuted) {
    Out.Code = Refused;
    Out.Summary = "nothing-pays (measured): what holds is slower on this device";
    Say << placeText(**M, K.NameRange) << ": " << Out.Summary << "\n";
    return Error::success();
  }
  Out.Code = SawRefuted ? WasRefuted : NotJudged;
  bool NoneParsed = all_of(Out.Attempts, [](const Attempt &A) { return !A.Problem.empty(); });
  if (NoneParsed)
    return failure(Name + ": every rewrite failed to parse; this is a defect of clmali: " +
                   Out.Attempts.front().Problem);
  Out.Summary = SawRefuted ? "refuted: no candidate does the same as the original"
                           : "inconclusive: nothing could be shown";
  Say << Name << ": " << Out.Summary << "\n";
  return Error::success();
}

Expected<Outcome> FileRewriter::run() {
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
    if (Error E = checkTuning(O))
      return std::move(E);
  First = std::move(*M);

  std::vector<std::string> Wanted;
  for (const std::string &Name : There)
    if (O.Kernel.empty() ? In.Launches.empty() || In.Launches.count(Name) : Name == O.Kernel)
      Wanted.push_back(Name);
  for (const std::string &Name : Wanted) {
    if (Error E = kernel(Name))
      return std::move(E);
    // Whatever holds, a refuted or undecided kernel keeps the file from being written.
    const KernelOutcome &Out = Result.Kernels.back();
    if (!O.NoVerify && (Out.Code == WasRefuted || Out.Code == NotJudged))
      break;
  }
  Result.Code = Done;
  for (const KernelOutcome &K : Result.Kernels) {
    Result.Code = std::max(Result.Code, K.Code);
    if (K.Manifest)
      Result.Manifest.Kernels.push_back(*K.Manifest);
  }
  bool Write = !Result.Manifest.Kernels.empty() &&
               (O.NoVerify || Result.Code == Done || Result.Code == Refused);
  if (Write)
    Result.Rewritten = Current;
  return std::move(Result);
}

} // namespace

Expected<Outcome> tool::rewriteFile(const Options &O, raw_ostream &Say) {
  Expected<Inputs> In = readInputs(O, Say);
  if (!In)
    return In.takeError();
  return FileRewriter(O, std::move(*In), Say).run();
}
