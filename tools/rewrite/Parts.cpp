//===- Parts.cpp - other forms for parts of a kernel's launches -------------------------------===//
//
// The form that was accepted is the best for all launches. Another one may be much better for a
// part of them:
//
//   x[i * inc]    inc is 1 in some launches      a form for inc == 1, with vectors
//   64 x 64 and 1024 x 1024 work-items           a form with smaller blocks for small launches
//
// The manifest takes the first form whose `when` holds; all forms are judged together.
//
//===------------------------------------------------------------------------------------------===//

#include "tools/rewrite/Parts.h"
#include "checks/model/ir/Budget.h"
#include "rewriters/plan/Launches.h"
#include "tools/rewrite/FileRewriter.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <cmath>
#include <set>

using namespace llvm;
using namespace clmali;
using namespace clmali::tool;

namespace {

using GlobalSize = std::array<uint64_t, 3>;

/// One launch of the launch files.
struct OneLaunch {
  size_t File;
  launch::Size At;
  launch::Geometry Shape;
  launch::Bindings Scalars;
};

std::vector<OneLaunch> allLaunches(ArrayRef<launch::LaunchFile> Launches) {
  std::vector<OneLaunch> All;
  for (size_t I = 0; I < Launches.size(); ++I)
    for (const launch::Size &S : Launches[I].Sizes) {
      Expected<launch::Geometry> G = launch::geometryAt(Launches[I], S);
      Expected<launch::Bindings> A = launch::integerArgumentsAt(Launches[I], S);
      if (G && A)
        All.push_back({I, S, *G, *A});
      consumeError(G.takeError());
      consumeError(A.takeError());
    }
  return All;
}

/// The launch files with the launches of Part only; those without are left out.
std::vector<launch::LaunchFile> filesOf(ArrayRef<launch::LaunchFile> Launches,
                                        ArrayRef<const OneLaunch *> Part) {
  std::vector<launch::LaunchFile> Files;
  for (size_t I = 0; I < Launches.size(); ++I) {
    launch::LaunchFile File = Launches[I];
    File.Sizes.clear();
    for (const OneLaunch *L : Part)
      if (L->File == I)
        File.Sizes.push_back(L->At);
    if (!File.Sizes.empty())
      Files.push_back(std::move(File));
  }
  return Files;
}

bool isNumber(const launch::Argument &A) {
  int64_t Value;
  return A.Value.size() == 1 && !StringRef(A.Value.front()).trim().getAsInteger(10, Value);
}

/// True if argument Index says how the kernel is used, and not how large the data is.
bool isMode(ArrayRef<launch::LaunchFile> Launches, ArrayRef<OneLaunch> All, size_t Index) {
  constexpr size_t MostValues = 3;
  const std::string &Name = Launches.front().Args[Index].Name;
  std::map<int64_t, std::set<GlobalSize>> Sizes;
  std::map<GlobalSize, std::set<int64_t>> Values;
  std::map<int64_t, unsigned> Count;
  for (const OneLaunch &L : All) {
    auto It = L.Scalars.find(Name);
    if (It == L.Scalars.end())
      return false;
    Sizes[It->second].insert(L.Shape.Global);
    Values[L.Shape.Global].insert(It->second);
    Count[It->second] += isNumber(Launches[L.File].Args[Index]) ? 2 : 1;
  }
  if (Sizes.size() < 2 || Sizes.size() > MostValues)
    return false;
  // A value that was used once is that of a test.
  return all_of(Count, [](const auto &X) { return X.second > 1; }) &&
         any_of(Values, [](const auto &X) { return X.second.size() > 1; });
}

} // namespace

std::vector<LaunchPart> tool::partsByValue(ArrayRef<launch::LaunchFile> Launches,
                                           const model::Kernel &K) {
  constexpr size_t MostParts = 4;
  const std::vector<OneLaunch> All = allLaunches(Launches);
  std::vector<size_t> Modes;
  for (size_t I = 0; I < K.Params.size() && !Launches.empty(); ++I) {
    const bool Named = all_of(Launches, [&](const launch::LaunchFile &L) {
      return I < L.Args.size() && L.Args[I].K == launch::Argument::Kind::Scalar &&
             L.Args[I].Name == Launches.front().Args[I].Name;
    });
    if (Named && K.Params[I]->Ty->isInteger() &&
        !launch::isReservedName(Launches.front().Args[I].Name) && isMode(Launches, All, I))
      Modes.push_back(I);
  }
  std::map<std::vector<int64_t>, std::vector<const OneLaunch *>> Groups;
  for (const OneLaunch &L : All) {
    std::vector<int64_t> Key;
    for (size_t I : Modes)
      Key.push_back(L.Scalars.find(Launches.front().Args[I].Name)->second);
    Groups[Key].push_back(&L);
  }
  std::vector<LaunchPart> Parts;
  if (Modes.empty() || Groups.size() > MostParts)
    return Parts;
  for (const auto &[Key, Group] : Groups) {
    LaunchPart &P = Parts.emplace_back();
    P.Launches = filesOf(Launches, Group);
    std::vector<std::string> Texts;
    for (size_t I = 0; I < Modes.size(); ++I) {
      for (launch::LaunchFile &File : P.Launches)
        File.Args[Modes[I]].Value = {std::to_string(Key[I])};
      Texts.push_back(Launches.front().Args[Modes[I]].Name + " == " + std::to_string(Key[I]));
    }
    P.Text = join(Texts, " && ");
  }
  return Parts;
}

std::optional<LaunchPart> tool::smallLaunches(ArrayRef<launch::LaunchFile> Launches,
                                              const rewrite::RewriteOptions &O, double Items,
                                              double Cycles) {
  const std::vector<OneLaunch> All = allLaunches(Launches);
  std::vector<const OneLaunch *> Small;
  bool Others = false; // some launch fills the device
  uint64_t Fills = 0;  // work-items that do
  unsigned Dimensions = 1;
  for (const OneLaunch &L : All) {
    const double Share = rewrite::launchShareOf(O, L.Shape.Global, Items);
    Dimensions = std::max(Dimensions, L.Shape.Dimensions);
    if (Share < 1 && rewrite::outlastsItsStart(O, L.Shape.Global, Cycles)) {
      Small.push_back(&L);
      Fills = uint64_t(std::ceil(double(L.Shape.items()) / Share));
    }
  }
  for (const OneLaunch &L : All)
    Others |= L.Shape.items() >= Fills;
  if (Small.empty() || !Others)
    return std::nullopt;
  LaunchPart P;
  P.Launches = filesOf(Launches, Small);
  static constexpr const char *Product[] = {"gx", "gx * gy", "gx * gy * gz"};
  P.Text = std::string(Product[Dimensions - 1]) + " < " + std::to_string(Fills);
  P.When = {P.Text};
  return P;
}

void FileRewriter::acceptForm(const rewrite::Candidate &C, const launch::ManifestKernel &Entry,
                              const Attempt &A, KernelOutcome &Out) {
  Out.Manifest = Entry;
  if (A.Verdict) {
    Out.Manifest->Verdict = verify::manifestVerdict(*A.Verdict);
    verify::addRequire(*Out.Manifest, *A.Verdict);
  }
  Out.Forms.push_back({C.Kernel, C.How, C.Items});
  Current = C.Source;
}

/// The kernel that Entry runs in the largest launch of P, remainders aside.
static std::optional<std::string> kernelOf(const launch::ManifestKernel &Entry,
                                           const LaunchPart &P) {
  const std::vector<OneLaunch> All = allLaunches(P.Launches);
  auto Largest = llvm::max_element(All, [](const OneLaunch &X, const OneLaunch &Y) {
    return X.Shape.items() < Y.Shape.items();
  });
  if (Largest == All.end())
    return std::nullopt;
  Expected<std::vector<launch::ResolvedLaunch>> Runs =
      launch::resolveLaunches(Entry, Largest->Shape, Largest->Scalars);
  if (Runs)
    return Runs->front().Kernel;
  consumeError(Runs.takeError());
  return std::nullopt;
}

/// Judges C with the forms that are there. True if it was accepted.
Expected<bool> FileRewriter::tryForm(const LaunchPart &P, const rewrite::Candidate &C,
                                     double Faster, KernelOutcome &Out) {
  launch::ManifestKernel Entry = entryOf(C);
  if (Out.Manifest)
    Entry = rewrite::firstThatHolds(std::move(Entry), *Out.Manifest);
  Entry.Verdict.reset();
  Attempt A;
  const auto Shown = std::pair(Out.LineAfter, Out.CodeAfter);
  Expected<bool> Holds = tryCandidate(C, Entry, Out, A);
  if (!Holds)
    return Holds.takeError();
  if (*Holds) {
    const std::string Text = formatv(
        "where {0}: [{1}], predicted {2:f1}x{3}", P.Text, join(C.Passes, ", "), C.PredictedSpeedup,
        Out.Forms.empty() ? "" : formatv(", {0:f1}x the other form", Faster).str());
    acceptForm(C, Entry, A, Out);
    Out.Code = O.NoVerify ? NotJudged : Done;
    Out.Summary = Out.Forms.size() > 1 ? Out.Summary + "; " + Text : "held " + Text;
    if (Out.Forms.size() == 1) {
      Out.After = C.After;
      Out.Items = C.Items;
    }
    Say << Out.Name << ": " << Text << "\n";
  } else {
    std::tie(Out.LineAfter, Out.CodeAfter) = Shown;
  }
  auto At = *Holds ? Out.Attempts.end() : Out.Attempts.begin();
  Out.Attempts.insert(At, std::move(A));
  return *Holds;
}

/// The original runs the launches of P: the form that would is slower there.
Error FileRewriter::leaveOriginal(const LaunchPart &P, double Speedup, KernelOutcome &Out) {
  launch::ManifestKernel Original;
  Original.Launches = {rewrite::originalLaunch(Out.Name, P.Text)};
  rewrite::Candidate C;
  C.Source = Current;
  C.Passes = Out.Manifest->Passes;
  launch::ManifestKernel Entry = *Out.Manifest;
  Entry.Launches = rewrite::firstThatHolds(std::move(Original), *Out.Manifest).Launches;
  Attempt A;
  Expected<bool> Holds = tryCandidate(C, Entry, Out, A);
  if (!Holds)
    return Holds.takeError();
  if (!*Holds)
    return Error::success();
  Out.Manifest->Launches = Entry.Launches;
  const std::string Text = formatv(
      "where {0}: as it is, for that is predicted to take {1:f1}x as long", P.Text, 1 / Speedup);
  Out.Summary += "; " + Text;
  Say << Out.Name << ": " << Text << "\n";
  return Error::success();
}

/// Another form for the launches of P, if one is so much better there.
Error FileRewriter::addForm(const LaunchPart &P, KernelOutcome &Out) {
  std::optional<std::string> Otherwise = Out.Manifest ? kernelOf(*Out.Manifest, P) : Out.Name;
  if (!Otherwise)
    return Error::success();
  Expected<std::unique_ptr<model::Module>> M = parse(O, In, Current);
  if (!M)
    return M.takeError();
  auto It = find_if((*M)->Kernels, [&](const auto &K) { return K->Name == Out.Name; });
  model::Kernel &K = **It;
  rewrite::RewriteOptions R = optionsFor(K);
  R.Launch = launchFacts(P.Launches, K);
  R.Part.emplace().When = P.When;
  auto Known = find_if(Out.Forms, [&](const Form &F) { return F.Kernel == *Otherwise; });
  if (Known != Out.Forms.end())
    R.Part->Instead = Known->How;
  else if (*Otherwise != Out.Name)
    return Error::success();
  // Where the values of the part are not used, the form is one for all values.
  auto IsWanted = [&](const rewrite::Candidate &C) {
    return C.How.LaunchValues || !P.When.empty();
  };
  rewrite::RewriteResult Plan;
  {
    model::TimeBudget Budget(O.PlanTimeout);
    Plan = rewrite::rewriteKernel(**M, K, R, IsWanted);
  }
  const std::optional<double> Instead =
      R.Part->Instead ? Plan.SpeedupInstead : std::optional<double>(1);
  for (const rewrite::Candidate &C : Plan.Candidates) {
    if (!Instead || C.PredictedSpeedup < *Instead * rewrite::WorthAnotherForm)
      break;
    Expected<bool> Holds = tryForm(P, C, C.PredictedSpeedup / *Instead, Out);
    if (!Holds || *Holds)
      return Holds ? Error::success() : Holds.takeError();
  }
  return Instead && *Instead < 1 ? leaveOriginal(P, *Instead, Out) : Error::success();
}

Error FileRewriter::addForms(KernelOutcome &Out) {
  const std::vector<launch::LaunchFile> Launches = In.Launches[Out.Name];
  if (By != Choice::Model || !O.Passes.empty() || O.Block.any() || !In.LaunchText.empty() ||
      !(Out.Manifest || Out.Code == Refused))
    return Error::success();
  Expected<std::unique_ptr<model::Module>> M = parse(O, In, In.Text);
  if (!M)
    return M.takeError();
  auto It = find_if((*M)->Kernels, [&](const auto &K) { return K->Name == Out.Name; });
  std::vector<LaunchPart> Parts = partsByValue(Launches, **It);
  if (Out.Manifest)
    if (std::optional<LaunchPart> Small =
            smallLaunches(Launches, optionsFor(**It), Out.Forms.front().Items, Out.Before.Cycles))
      Parts.push_back(std::move(*Small));
  for (const LaunchPart &P : Parts)
    if (Error E = addForm(P, Out))
      return E;
  return Error::success();
}
