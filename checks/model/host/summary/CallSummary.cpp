//===-- checks/model/host/summary/CallSummary.cpp - Who runs what, over host files -----===//

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
// Kept
//===----------------------------------------------------------------------===//

static json::Array toJSON(const HostName &N) { return json::Array{N.Name, N.Types}; }

json::Value toJSON(const CallSummary &O) {
  json::Array Functions, Runs;
  for (const CallSummary::Function &F : O.Functions) {
    json::Array Overrides;
    for (const HostName &N : F.Overrides)
      Overrides.push_back(toJSON(N));
    Functions.push_back(json::Array{toJSON(F.Is), std::move(Overrides), json::Array(F.Aliases),
                                    F.At, F.Does, F.HasCalls});
  }
  for (const CallSummary::Run &R : O.Runs) {
    json::Array Loops;
    for (const CallSummary::Loop &L : R.Loops)
      Loops.push_back(json::Array{L.Begin, L.End, L.Item, L.Devices, L.Does});
    Runs.push_back(
        json::Array{toJSON(R.To), R.From, R.File, R.Begin, R.End, R.OnlyOnce, std::move(Loops)});
  }
  return json::Array{json::Array(O.Files), std::move(Functions), std::move(Runs), O.LoadsBinaries,
                     O.AsksForUnity};
}

namespace {
/// Anything that is not as written above makes the whole void.
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
    F.Does = R.number(R.at(A, 4));
    F.HasCalls = R.flag(R.at(A, 5));
  }
  for (const json::Value &X : R.list(R.at(Root, 2))) {
    const json::Array &A = R.list(X);
    CallSummary::Run &N = O.Runs.emplace_back();
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
                         R.flag(R.at(B, 3)), static_cast<uint8_t>(R.number(R.at(B, 4)))});
    }
  }
  O.LoadsBinaries = R.flag(R.at(Root, 3));
  O.AsksForUnity = R.flag(R.at(Root, 4));
  if (R.Bad)
    return std::nullopt;
  return O;
}

//===----------------------------------------------------------------------===//
// Joined
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
    Targets[F].resize(O.Runs.size());
    for (uint32_t I = 0; I < O.Functions.size(); ++I) {
      const CallSummary::Function &Function = O.Functions[I];
      Local[F][Function.Is.Name].push_back(I);
      for (const std::string &Alias : Function.Aliases)
        Local[F][Alias].push_back(I);
      for (const HostName &Base : Function.Overrides)
        Overriding[Base.Name].push_back({F, I});
      if (!(Function.Does & CallSummary::Hidden))
        Defined[Function.Is.Name].push_back({F, I});
    }
  }
  auto Folder = [&](uint32_t F) {
    return Files[F]->Files.empty() ? StringRef() : sys::path::parent_path(Files[F]->Files.front());
  };
  // A function of another file: the only one of that name and these types, else of that name; of
  // several, the only one in the folder.
  auto Foreign = [&](uint32_t From, const HostName &To) -> std::optional<Node> {
    auto At = Defined.find(To.Name);
    if (At == Defined.end())
      return std::nullopt;
    std::optional<Node> Found;
    for (bool Near : {false, true})
      for (bool Exact : {true, false}) {
        std::set<StringRef> Places;
        for (const Node &N : At->second)
          if ((!Exact || at(N).Is.Types == To.Types) && (!Near || Folder(N.File) == Folder(From)) &&
              Places.insert(at(N).At).second)
            Found = N;
        if (Places.size() == 1)
          return Found;
        // Overloads of a type that nobody else has are told apart by nothing.
      }
    return std::nullopt;
  };
  for (uint32_t F = 0; F < Files.size(); ++F)
    for (uint32_t I = 0; I < Files[F]->Runs.size(); ++I) {
      const CallSummary::Run &Run = Files[F]->Runs[I];
      if (Run.From != ~0u)
        Out[F][Run.From].push_back(I);
      std::vector<Node> &To = Targets[F][I];
      if (auto At = Local[F].find(Run.To.Name); At != Local[F].end())
        for (uint32_t Function : At->second)
          if (const CallSummary::Function &X = Files[F]->Functions[Function];
              X.Is == Run.To || X.Is.Name != Run.To.Name)
            To.push_back({F, Function});
      if (To.empty())
        if (std::optional<Node> Other = Foreign(F, Run.To))
          To.push_back(*Other);
      if (auto At = Overriding.find(Run.To.Name); At != Overriding.end())
        for (const Node &N : At->second)
          if (is_contained(at(N).Overrides, Run.To) &&
              none_of(To, [&](const Node &Known) { return at(Known).At == at(N).At; }) &&
              (N.File == F || none_of(At->second, [&](const Node &X) {
                 return X.File == F && at(X).At == at(N).At;
               })))
            To.push_back(N);
      for (const Node &N : To)
        Into[N.File][N.Function].push_back({F, I});
    }
  // The own file's first, in the order of the source.
  for (uint32_t F = 0; F < Files.size(); ++F)
    for (std::vector<RunAt> &List : Into[F])
      llvm::stable_sort(
          List, [&](const RunAt &A, const RunAt &B) { return (A.File == F) > (B.File == F); });
}

bool SummaryLinker::does(Node N, uint8_t Effect, unsigned Depth) const {
  return (at(N).Does & Effect) || doesElsewhere(N, Effect, Depth);
}

/// By what it calls in other files: what it does in its own is known of it, but for what only the
/// function itself says.
bool SummaryLinker::doesElsewhere(Node N, uint8_t Effect, unsigned Depth) const {
  return Files.size() > 1 && Depth < 4 &&
         any_of(
             Out[N.File][N.Function],
             [&](uint32_t Run) {
               return any_of(Targets[N.File][Run], [&](const Node &To) {
                 bool Known =
                     To.File == N.File && !(Effect & (CallSummary::Programs | CallSummary::Waits));
                 return Known ? doesElsewhere(To, Effect, Depth + 1) : does(To, Effect, Depth + 1);
               });
             });
}

bool SummaryLinker::does(RunAt At, const CallSummary::Loop &Loop, uint8_t Effect) const {
  if (Loop.Does & Effect)
    return true;
  if (Files.size() == 1)
    return false;
  const CallSummary &O = *Files[At.File];
  for (uint32_t I = 0; I < O.Runs.size(); ++I) {
    const CallSummary::Run &Run = O.Runs[I];
    if (Run.File == O.Runs[At.Run].File && Run.Begin >= Loop.Begin && Run.End <= Loop.End)
      for (const Node &To : Targets[At.File][I])
        if (To.File == At.File ? doesElsewhere(To, Effect, 1) : does(To, Effect, 1))
          return true;
  }
  return false;
}

/// Of several loops, the nearest that is no setting up.
CrossFileFacts::LoopContext SummaryLinker::loopContext(Node Of, bool SettingUp) const {
  CrossFileFacts::LoopContext Once;
  constexpr size_t Most = 64; // functions that call each other
  std::vector<Node> Above{Of};
  for (size_t I = 0; I < Above.size(); ++I) {
    Node Now = Above[I];
    if (at(Now).Does & CallSummary::Main)
      continue;
    // What sets up by other files is an application's start, too.
    if (doesElsewhere(Now, CallSummary::SetsUp, 1))
      continue;
    const std::vector<RunAt> &Runs = Into[Now.File][Now.Function];
    for (const RunAt &R : Runs) {
      const CallSummary::Run &Run = Files[R.File]->Runs[R.Run];
      if (SettingUp && Run.OnlyOnce)
        continue;
      for (const CallSummary::Loop &Loop : Run.Loops) {
        bool Item =
            Loop.Item && !does(R, Loop, SettingUp ? CallSummary::Launches : CallSummary::Works);
        CrossFileFacts::LoopContext Found{
            Files[R.File]->Files[Run.File], Run.Begin, Run.End, Item, Loop.Item, Loop.Devices};
        if (!Item)
          return Found;
        if (Once.File.empty())
          Once = Found;
      }
    }
    for (const RunAt &R : Runs)
      if (Node Caller{R.File, Files[R.File]->Runs[R.Run].From};
          !(SettingUp && Files[R.File]->Runs[R.Run].OnlyOnce) && Caller.Function != ~0u &&
          Above.size() < Most && !is_contained(Above, Caller) &&
          !(at(Caller).Does & CallSummary::SetsUp))
        Above.push_back(Caller);
  }
  return Once;
}

bool SummaryLinker::isStarted(Node Of) const {
  std::vector<Node> Above{Of};
  bool Left = false; // the file
  for (size_t I = 0; I < Above.size() && Above.size() < 64; ++I) {
    if (Left && (at(Above[I]).Does & CallSummary::Main))
      return true;
    for (const RunAt &R : Into[Above[I].File][Above[I].Function]) {
      Left |= R.File != Of.File;
      if (Node Caller{R.File, Files[R.File]->Runs[R.Run].From};
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
  auto Follow = [&](uint32_t Run) {
    for (const Node &To : Targets[File][Run])
      if (To.File == File)
        Add(To.Function);
  };
  for (uint32_t I = 0; I < O.Functions.size(); ++I)
    if (O.Functions[I].NameAt != ~0u)
      Add(I);
  for (uint32_t I = 0; I < O.Runs.size(); ++I)
    if (O.Runs[I].File == 0)
      Follow(I);
  while (!Left.empty()) {
    uint32_t Function = Left.back();
    Left.pop_back();
    for (uint32_t Run : Out[File][Function])
      Follow(Run);
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
    if (Files.size() > 1 && isStarted(N))
      S.Started.push_back(I);
  }
  if (Files.size() == 1)
    return S;
  for (uint32_t I = 0; I < O.Runs.size(); ++I)
    for (const Node &To : Targets[File][I])
      if (To.File != File)
        for (uint8_t Effect : {CallSummary::Programs, CallSummary::Waits})
          if (does(To, Effect, 0))
            S.Elsewhere[O.Runs[I].To] |= Effect;
  // Files that call each other are one program.
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
    for (const std::vector<RunAt> &List : Into[F])
      for (const RunAt &R : List)
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
  for (uint32_t F : Started)
    Out << "started " << F << '\n';
  for (const auto &[Name, Does] : Elsewhere)
    Out << Name.Name << ' ' << Name.Types << ' ' << unsigned(Does) << '\n';
  Out << LoadsBinaries << AsksForUnity;
  return Text;
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
    C.InLoop = C.Outside.InLoop;
    C.OncePerItem = C.Outside.OncePerItem;
    C.LoopSite = SourceRange();
    if (auto At = S.Loops.find(C.Outside.Function); C.Outside.Climbs && At != S.Loops.end()) {
      const CrossFileFacts::LoopContext &L = At->second[C.Outside.SettingUp];
      if (!L.File.empty() && !(C.Outside.OnlyQueue && (L.Item || L.Devices)))
        if (std::optional<uint32_t> File = FileOf(L.File)) {
          C.InLoop = true;
          C.LoopSite = {*File, L.Begin, L.End};
          C.OncePerItem = L.OncePerItem;
        }
    }
    C.AtEachCall =
        !C.InLoop && C.Outside.WorksAlone && !is_contained(S.Started, C.Outside.Function);
  }
  M.LoadsBinariesElsewhere = S.LoadsBinaries;
  M.AsksForUnityElsewhere = S.AsksForUnity;
  // What another file is seen to do is told there.
  erase_if(M.Calls, [&](const HostCall &C) {
    auto At = C.MakesProgram || C.Waits ? S.Elsewhere.find(C.Outside.Callee) : S.Elsewhere.end();
    return At != S.Elsewhere.end() &&
           (At->second & (C.MakesProgram ? CallSummary::Programs : CallSummary::Waits));
  });
}

} // namespace clmali::model
