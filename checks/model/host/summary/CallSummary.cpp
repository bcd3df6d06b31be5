//===-- checks/model/host/summary/CallSummary.cpp - Call graph over host files ---------===//

#include "checks/model/host/summary/CallSummary.h"
#include "checks/model/host/Host.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Path.h"
#include <set>

using namespace llvm;

namespace clmali::model {

//===----------------------------------------------------------------------===//
// JSON
//===----------------------------------------------------------------------===//

static json::Array toJSON(const HostName &N) { return json::Array{N.Name, N.Types}; }

json::Value toJSON(const CallSummary &O) {
  json::Array Functions, Runs;
  for (const CallSummary::Function &F : O.Functions) {
    json::Array Overrides;
    for (const HostName &N : F.Overrides)
      Overrides.push_back(toJSON(N));
    Functions.push_back(json::Array{toJSON(F.Is), std::move(Overrides), json::Array(F.Aliases),
                                    F.At, F.Effects, F.HasCalls, F.Gl});
  }
  for (const CallSummary::CallSite &R : O.CallSites) {
    json::Array Loops;
    for (const CallSummary::Loop &L : R.Loops)
      Loops.push_back(json::Array{L.Begin, L.End, L.Item, L.Devices, L.Effects, L.Gl});
    Runs.push_back(json::Array{toJSON(R.To), R.From, R.File, R.Begin, R.End, R.OnlyOnce,
                               std::move(Loops), R.GlAround, R.Unconditional});
  }
  return json::Array{json::Array(O.Files), std::move(Functions), std::move(Runs), O.LoadsBinaries,
                     O.AsksForUnity};
}

namespace {
/// Reads what toJSON wrote; Bad: it is something else.
struct Reader {
  bool Bad = false;
  const json::Array &list(const json::Value &V) {
    static const json::Array Empty;
    const json::Array *A = V.getAsArray();
    Bad |= !A;
    return A ? *A : Empty;
  }
  const json::Value &at(const json::Array &A, size_t I) {
    static const json::Value Null = nullptr;
    Bad |= I >= A.size();
    return I < A.size() ? A[I] : Null;
  }
  std::string text(const json::Value &V) {
    std::optional<StringRef> S = V.getAsString();
    Bad |= !S;
    return S.value_or("").str();
  }
  uint32_t number(const json::Value &V) {
    std::optional<int64_t> N = V.getAsInteger();
    Bad |= !N || *N < 0 || *N > UINT32_MAX;
    return N.value_or(0);
  }
  bool flag(const json::Value &V) {
    std::optional<bool> B = V.getAsBoolean();
    Bad |= !B;
    return B.value_or(false);
  }
  HostName name(const json::Value &V) {
    const json::Array &A = list(V);
    return {text(at(A, 0)), text(at(A, 1))};
  }
};
} // namespace

std::optional<CallSummary> callSummaryFromJSON(const json::Value &V) {
  Reader R;
  CallSummary O;
  const json::Array &Root = R.list(V);
  for (const json::Value &X : R.list(R.at(Root, 0)))
    O.Files.push_back(R.text(X));
  for (const json::Value &X : R.list(R.at(Root, 1))) {
    const json::Array &A = R.list(X);
    CallSummary::Function &F = O.Functions.emplace_back();
    F.Is = R.name(R.at(A, 0));
    for (const json::Value &N : R.list(R.at(A, 1)))
      F.Overrides.push_back(R.name(N));
    for (const json::Value &N : R.list(R.at(A, 2)))
      F.Aliases.push_back(R.text(N));
    F.At = R.text(R.at(A, 3));
    F.Effects = R.number(R.at(A, 4));
    F.HasCalls = R.flag(R.at(A, 5));
    F.Gl = R.number(R.at(A, 6));
  }
  for (const json::Value &X : R.list(R.at(Root, 2))) {
    const json::Array &A = R.list(X);
    CallSummary::CallSite &N = O.CallSites.emplace_back();
    N.To = R.name(R.at(A, 0));
    N.From = R.number(R.at(A, 1));
    N.File = R.number(R.at(A, 2));
    N.Begin = R.number(R.at(A, 3));
    N.End = R.number(R.at(A, 4));
    N.OnlyOnce = R.flag(R.at(A, 5));
    R.Bad |= (N.From != ~0u && N.From >= O.Functions.size()) || N.File >= O.Files.size();
    for (const json::Value &Y : R.list(R.at(A, 6))) {
      const json::Array &B = R.list(Y);
      N.Loops.push_back({R.number(R.at(B, 0)), R.number(R.at(B, 1)), R.flag(R.at(B, 2)),
                         R.flag(R.at(B, 3)), static_cast<uint8_t>(R.number(R.at(B, 4))),
                         static_cast<uint8_t>(R.number(R.at(B, 5)))});
    }
    N.GlAround = R.number(R.at(A, 7));
    N.Unconditional = R.flag(R.at(A, 8));
  }
  O.LoadsBinaries = R.flag(R.at(Root, 3));
  O.AsksForUnity = R.flag(R.at(Root, 4));
  if (R.Bad)
    return std::nullopt;
  return O;
}

//===----------------------------------------------------------------------===//
// Linked
//===----------------------------------------------------------------------===//

SummaryLinker::SummaryLinker(std::vector<const CallSummary *> Given) : Files(std::move(Given)) {
  Into.resize(Files.size());
  Targets.resize(Files.size());
  Out.resize(Files.size());
  StringMap<std::vector<Node>> Defined, Overriding; // by name
  std::vector<StringMap<std::vector<uint32_t>>> Local(Files.size());
  for (uint32_t F = 0; F < Files.size(); ++F) {
    const CallSummary &O = *Files[F];
    Into[F].resize(O.Functions.size());
    Out[F].resize(O.Functions.size());
    Targets[F].resize(O.CallSites.size());
    for (uint32_t I = 0; I < O.Functions.size(); ++I) {
      const CallSummary::Function &Function = O.Functions[I];
      Local[F][Function.Is.Name].push_back(I);
      for (const std::string &Alias : Function.Aliases)
        Local[F][Alias].push_back(I);
      for (const HostName &Base : Function.Overrides)
        Overriding[Base.Name].push_back({F, I});
      if (!(Function.Effects & CallSummary::IsInternal))
        Defined[Function.Is.Name].push_back({F, I});
    }
  }
  auto Folder = [&](uint32_t F) {
    return Files[F]->Files.empty() ? StringRef() : sys::path::parent_path(Files[F]->Files.front());
  };
  // A function of another file: the only one with that name and these types, else with that name;
  // of several, the only one in the same folder.
  auto Foreign = [&](uint32_t From, const HostName &To) -> std::optional<Node> {
    auto At = Defined.find(To.Name);
    if (At == Defined.end())
      return std::nullopt;
    std::optional<Node> Found;
    for (bool Near : {false, true})
      for (bool Exact : {true, false}) {
        std::set<StringRef> Locations;
        for (const Node &N : At->second)
          if ((!Exact || at(N).Is.Types == To.Types) && (!Near || Folder(N.File) == Folder(From)) &&
              Locations.insert(at(N).At).second)
            Found = N;
        if (Locations.size() == 1)
          return Found;
      }
    return std::nullopt;
  };
  for (uint32_t F = 0; F < Files.size(); ++F)
    for (uint32_t I = 0; I < Files[F]->CallSites.size(); ++I) {
      const CallSummary::CallSite &Site = Files[F]->CallSites[I];
      if (Site.From != ~0u)
        Out[F][Site.From].push_back(I);
      std::vector<Node> &To = Targets[F][I];
      if (auto At = Local[F].find(Site.To.Name); At != Local[F].end())
        for (uint32_t Function : At->second)
          if (const CallSummary::Function &X = Files[F]->Functions[Function];
              X.Is == Site.To || X.Is.Name != Site.To.Name)
            To.push_back({F, Function});
      if (To.empty())
        if (std::optional<Node> Other = Foreign(F, Site.To))
          To.push_back(*Other);
      if (auto At = Overriding.find(Site.To.Name); At != Overriding.end())
        for (const Node &N : At->second)
          if (is_contained(at(N).Overrides, Site.To) &&
              none_of(To, [&](const Node &Known) { return at(Known).At == at(N).At; }) &&
              (N.File == F || none_of(At->second, [&](const Node &X) {
                 return X.File == F && at(X).At == at(N).At;
               })))
            To.push_back(N);
      for (const Node &N : To)
        Into[N.File][N.Function].push_back({F, I});
    }
  // Call sites of the function's own file first, in the order of the source.
  for (uint32_t F = 0; F < Files.size(); ++F)
    for (std::vector<SiteAt> &List : Into[F])
      llvm::stable_sort(
          List, [&](const SiteAt &A, const SiteAt &B) { return (A.File == F) > (B.File == F); });
}

bool SummaryLinker::hasEffect(Node N, uint8_t Effect, unsigned Depth) const {
  return (at(N).Effects & Effect) || hasForeignEffect(N, Effect, Depth);
}

// Effects of functions in its own file are already those of N, except for MakesPrograms and
// WaitsForGpu, which only the function itself has.
bool SummaryLinker::hasForeignEffect(Node N, uint8_t Effect, unsigned Depth) const {
  return Files.size() > 1 && Depth < 4 &&
         any_of(
             Out[N.File][N.Function],
             [&](uint32_t Site) {
               return any_of(Targets[N.File][Site], [&](const Node &To) {
                 bool Known = To.File == N.File &&
                              !(Effect & (CallSummary::MakesPrograms | CallSummary::WaitsForGpu));
                 return Known ? hasForeignEffect(To, Effect, Depth + 1)
                              : hasEffect(To, Effect, Depth + 1);
               });
             });
}

bool SummaryLinker::hasEffect(SiteAt At, const CallSummary::Loop &Loop, uint8_t Effect) const {
  if (Loop.Effects & Effect)
    return true;
  if (Files.size() == 1)
    return false;
  const CallSummary &O = *Files[At.File];
  for (uint32_t I = 0; I < O.CallSites.size(); ++I) {
    const CallSummary::CallSite &Site = O.CallSites[I];
    if (Site.File == O.CallSites[At.Site].File && Site.Begin >= Loop.Begin && Site.End <= Loop.End)
      for (const Node &To : Targets[At.File][I])
        if (To.File == At.File ? hasForeignEffect(To, Effect, 1) : hasEffect(To, Effect, 1))
          return true;
  }
  return false;
}

/// The nearest loop around calls of a function; one that sets up items only if there is no other.
CrossFileFacts::LoopContext SummaryLinker::loopContext(Node Of, bool IsSetup) const {
  CrossFileFacts::LoopContext Once;
  constexpr size_t Most = 64; // functions that call each other
  std::vector<Node> Above{Of};
  for (size_t I = 0; I < Above.size(); ++I) {
    Node Now = Above[I];
    if (at(Now).Effects & CallSummary::IsMain)
      continue;
    // A function that makes a context by functions of other files is the start of an application.
    if (hasForeignEffect(Now, CallSummary::MakesContext, 1))
      continue;
    const std::vector<SiteAt> &Runs = Into[Now.File][Now.Function];
    for (const SiteAt &R : Runs) {
      const CallSummary::CallSite &Site = Files[R.File]->CallSites[R.Site];
      if (IsSetup && Site.OnlyOnce)
        continue;
      for (const CallSummary::Loop &Loop : Site.Loops) {
        bool Item =
            Loop.Item && !(glOf(R, Loop) & GlDraws) &&
            !hasEffect(R, Loop, IsSetup ? CallSummary::LaunchesKernels : CallSummary::EnqueuesWork);
        CrossFileFacts::LoopContext Found{
            Files[R.File]->Files[Site.File], Site.Begin, Site.End, Item, Loop.Item, Loop.Devices};
        if (!Item)
          return Found;
        if (Once.File.empty())
          Once = Found;
      }
    }
    for (const SiteAt &R : Runs)
      if (Node Caller{R.File, Files[R.File]->CallSites[R.Site].From};
          !(IsSetup && Files[R.File]->CallSites[R.Site].OnlyOnce) && Caller.Function != ~0u &&
          Above.size() < Most && !is_contained(Above, Caller) &&
          !(at(Caller).Effects & CallSummary::MakesContext))
        Above.push_back(Caller);
  }
  return Once;
}

bool SummaryLinker::isStarted(Node Of) const {
  std::vector<Node> Above{Of};
  bool LeftFile = false;
  for (size_t I = 0; I < Above.size() && Above.size() < 64; ++I) {
    if (LeftFile && (at(Above[I]).Effects & CallSummary::IsMain))
      return true;
    for (const SiteAt &R : Into[Above[I].File][Above[I].Function]) {
      LeftFile |= R.File != Of.File;
      if (Node Caller{R.File, Files[R.File]->CallSites[R.Site].From};
          Caller.Function != ~0u && !is_contained(Above, Caller))
        Above.push_back(Caller);
    }
  }
  return false;
}

std::vector<bool> SummaryLinker::reachedBy(size_t File) const {
  const CallSummary &O = *Files[File];
  std::vector<bool> Reached(O.Functions.size());
  std::vector<uint32_t> Left;
  auto Add = [&](uint32_t Function) {
    if (!Reached[Function])
      Left.push_back(Function);
    Reached[Function] = true;
  };
  auto Follow = [&](uint32_t Site) {
    for (const Node &To : Targets[File][Site])
      if (To.File == File)
        Add(To.Function);
  };
  for (uint32_t I = 0; I < O.Functions.size(); ++I)
    if (O.Functions[I].NameAt != ~0u)
      Add(I);
  for (uint32_t I = 0; I < O.CallSites.size(); ++I)
    if (O.CallSites[I].File == 0)
      Follow(I);
  while (!Left.empty()) {
    uint32_t Function = Left.back();
    Left.pop_back();
    for (uint32_t Site : Out[File][Function])
      Follow(Site);
  }
  return Reached;
}

CrossFileFacts SummaryLinker::factsOf(size_t File) const {
  CrossFileFacts S;
  const CallSummary &O = *Files[File];
  for (uint32_t I = 0; I < O.Functions.size(); ++I) {
    if (!O.Functions[I].HasCalls)
      continue;
    Node N{static_cast<uint32_t>(File), I};
    std::array<CrossFileFacts::LoopContext, 2> Of{loopContext(N, false), loopContext(N, true)};
    if (!Of[0].File.empty() || !Of[1].File.empty())
      S.Loops[I] = Of;
    std::array<CrossFileFacts::GlContext, 2> Gl{glContext(N, false), glContext(N, true)};
    if (Gl[0].Around || !Gl[0].Loops.empty())
      S.Gl[I] = std::move(Gl);
    if (Files.size() > 1 && isStarted(N))
      S.Started.push_back(I);
  }
  if (Files.size() == 1)
    return S;
  for (uint32_t I = 0; I < O.CallSites.size(); ++I)
    for (const Node &To : Targets[File][I])
      if (To.File != File)
        for (uint8_t Effect : {CallSummary::MakesPrograms, CallSummary::WaitsForGpu})
          if (hasEffect(To, Effect, 0))
            S.Elsewhere[O.CallSites[I].To] |= Effect;
  // Files with calls between them are one program.
  std::vector<char> Seen(Files.size());
  std::vector<uint32_t> Program{static_cast<uint32_t>(File)};
  Seen[File] = 1;
  auto Add = [&](uint32_t F) {
    if (!std::exchange(Seen[F], 1))
      Program.push_back(F);
  };
  for (size_t I = 0; I < Program.size(); ++I) {
    uint32_t F = Program[I];
    S.LoadsBinaries |= F != File && Files[F]->LoadsBinaries;
    S.AsksForUnity |= F != File && Files[F]->AsksForUnity;
    for (const std::vector<Node> &List : Targets[F])
      for (const Node &N : List)
        Add(N.File);
    for (const std::vector<SiteAt> &List : Into[F])
      for (const SiteAt &R : List)
        Add(R.File);
  }
  return S;
}

std::string CrossFileFacts::key() const {
  std::string Text;
  raw_string_ostream Out(Text);
  for (const auto &[Function, Of] : Loops)
    for (const LoopContext &L : Of)
      Out << Function << ' ' << L.File << ' ' << L.Begin << ' ' << L.End << ' ' << L.OncePerItem
          << L.Item << L.Devices << '\n';
  for (const auto &[Function, Both] : Gl)
    for (const GlContext &Of : Both) {
      Out << "gl " << Function << ' ' << unsigned(Of.Loop) << ' ' << unsigned(Of.Around) << ' '
          << Of.File << ' ' << Of.Begin << ' ' << Of.End << '\n';
      for (const GlContext::OwnLoop &L : Of.Loops)
        Out << L.File << ' ' << L.Begin << ' ' << L.End << ' ' << unsigned(L.Gl) << '\n';
    }
  for (uint32_t F : Started)
    Out << "started " << F << '\n';
  for (const auto &[Name, Does] : Elsewhere)
    Out << Name.Name << ' ' << Name.Types << ' ' << unsigned(Does) << '\n';
  Out << LoadsBinaries << AsksForUnity;
  return Text;
}

/// The loops around a call of OpenGL: those of its function, or else one around a call of it, if
/// that loop computes.
static void applyGl(HostCall &C, const CrossFileFacts &S, StringRef File,
                    function_ref<std::optional<uint32_t>(const std::string &)> FileOf) {
  C.Gl.Loop = C.InThisFile.GlLoop;
  C.Gl.Around = C.InThisFile.GlAround;
  auto At = S.Gl.find(C.InThisFile.Function);
  if (At == S.Gl.end())
    return;
  const CrossFileFacts::GlContext &Of = At->second[C.InThisFile.IsSetup];
  C.Gl.Around |= Of.Around;
  for (const auto &L : Of.Loops)
    if (L.File == File && L.Begin <= C.Range.Begin && C.Range.End <= L.End)
      C.Gl.Loop |= L.Gl;
  bool Own = C.InLoop && !C.OncePerItem && isComputation(C.Gl.Loop, C.Gl.Around);
  if (Own || !Of.Loop || !C.InThisFile.DependsOnCallers)
    return;
  if (std::optional<uint32_t> Caller = FileOf(Of.File)) {
    C.InLoop = true;
    C.OncePerItem = false;
    C.LoopSite = {*Caller, Of.Begin, Of.End};
    C.Gl.Loop = Of.Loop;
  }
}

void applyCrossFileFacts(HostModule &M, const CrossFileFacts &S,
                         function_ref<std::optional<std::string>(StringRef)> TextOf) {
  auto FileOf = [&](const std::string &Name) -> std::optional<uint32_t> {
    for (uint32_t I = 0; I < M.Files.size(); ++I)
      if (M.Files[I].Name == Name)
        return I;
    std::optional<std::string> Text = TextOf(Name);
    if (!Text)
      return std::nullopt;
    M.Files.push_back({Name, std::move(*Text)});
    return M.Files.size() - 1;
  };
  for (HostCall &C : M.Calls) {
    C.InLoop = C.InThisFile.InLoop;
    C.OncePerItem = C.InThisFile.OncePerItem;
    C.LoopSite = SourceRange();
    if (auto At = S.Loops.find(C.InThisFile.Function);
        !C.InThisFile.IsGl && C.InThisFile.DependsOnCallers && At != S.Loops.end()) {
      const CrossFileFacts::LoopContext &L = At->second[C.InThisFile.IsSetup];
      if (!L.File.empty() && !(C.InThisFile.OnlyQueue && (L.Item || L.Devices)))
        if (std::optional<uint32_t> File = FileOf(L.File)) {
          C.InLoop = true;
          C.LoopSite = {*File, L.Begin, L.End};
          C.OncePerItem = L.OncePerItem;
        }
    }
    if (C.InThisFile.IsGl)
      applyGl(C, S, M.Files[C.Range.File].Name, FileOf);
    C.AtEachCall = !C.InLoop && C.InThisFile.WorksForCallers &&
                   !is_contained(S.Started, C.InThisFile.Function);
  }
  M.LoadsBinariesElsewhere = S.LoadsBinaries;
  M.AsksForUnityElsewhere = S.AsksForUnity;
  // Calls of functions whose file is known: the API calls in that file are reported.
  erase_if(M.Calls, [&](const HostCall &C) {
    auto At = C.MakesProgram || C.Waits ? S.Elsewhere.find(C.InThisFile.Callee) : S.Elsewhere.end();
    return At != S.Elsewhere.end() &&
           (At->second & (C.MakesProgram ? CallSummary::MakesPrograms : CallSummary::WaitsForGpu));
  });
}

} // namespace clmali::model
