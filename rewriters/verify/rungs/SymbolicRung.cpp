#include "rewriters/verify/rungs/SymbolicRung.h"

#include "rewriters/verify/run/Worker.h"
#include "rewriters/verify/rungs/GenericRung.h"
#include "rewriters/verify/rungs/Shrink.h"
#include "rewriters/verify/rungs/Witness.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Base64.h"

#include <set>

using namespace llvm;

namespace clmali::verify {
namespace {

std::vector<SymbolicSize> candidates(const TestPlan &P) {
  std::vector<SymbolicSize> All;
  std::set<std::pair<unsigned, unsigned>> Seen;
  const bool HasNew = !newKernels(P).empty();
  for (const TestInput &In : P.Inputs) {
    // One pair of programs is compiled. Launch files with other options are left to the rungs that
    // run the kernels.
    if (In.Large || P.Launches[In.Launch].OriginalOptions != P.Launches[0].OriginalOptions)
      continue;
    if (!Seen.insert({In.Launch, In.SizeId}).second)
      continue;
    // Where the original is launched in any case there is nothing to prove.
    if (HasNew && newKernelsAt(P, In).empty())
      continue;
    SymbolicSize S;
    S.Launch = In.Launch;
    S.At = In.At;
    S.Items = In.Items;
    for (const Parameter &Param : P.Launches[In.Launch].Shape.Params)
      S.Fields.push_back({Param.Type.FloatFields, Param.Type.Padding});
    All.push_back(std::move(S));
  }
  return All;
}

void prove(Channel &Out, const TestPlan &P, double Seconds) {
  const JudgeRequest &R = *P.Request;
  SymbolicLadder L = proveAtSizes(programOf(R.Original, P.Launches[0].OriginalOptions),
                                  programOf(R.Rewritten, P.Launches[0].RewrittenOptions),
                                  R.Launches, R.Manifest, candidates(P), Seconds);
  json::Object Message{
      {"proved", L.Outcome == SymbolicOutcome::Proved},
      {"detail", json::fixUTF8(L.Detail)},
      {"record", toJson(L)},
  };
  json::Array ProvedAt;
  std::set<std::string> Assumptions;
  for (const SymbolicSize &S : L.Sizes)
    if (S.Result.Outcome == SymbolicOutcome::Proved && S.Result.ElementsCompared != 0) {
      ProvedAt.push_back(describe(S.At));
      Assumptions.insert(S.Result.Assumptions.begin(), S.Result.Assumptions.end());
    }
  Message["provedAt"] = std::move(ProvedAt);
  Message["assumptions"] = json::Array(Assumptions);
  Message["intervalClimbed"] = L.IntervalClimbed;
  Message["intervalDetail"] = json::fixUTF8(L.IntervalDetail);
  auto sizeOf = [](const launch::Size &Size) {
    json::Object At;
    for (const auto &[Name, Value] : Size)
      At[Name] = Value;
    return At;
  };
  auto inputsOf = [](const std::map<std::string, Bytes> &All) {
    json::Object Inputs;
    for (const auto &[Name, Data] : All)
      Inputs[Name] = encodeBase64(Data);
    return Inputs;
  };
  json::Array Corners;
  for (const SymbolicSize &S : L.Sizes)
    for (const SymbolicCorner &X : S.Result.Interval.Corners)
      Corners.push_back(json::Object{{"launch", static_cast<int64_t>(S.Launch)},
                                     {"at", sizeOf(S.At)},
                                     {"what", X.What},
                                     {"inputs", inputsOf(X.Inputs)}});
  Message["corners"] = std::move(Corners);
  if (L.Outcome == SymbolicOutcome::Counterexample && !L.Sizes.empty() &&
      L.Sizes.back().Result.Example) {
    const SymbolicSize &S = L.Sizes.back();
    const SymbolicExample &X = *S.Result.Example;
    std::string What = S.Result.Detail;
    if (!X.WorkItem.empty() && What.find(X.WorkItem) == std::string::npos)
      What += ", work-item " + X.WorkItem;
    Message["example"] = json::Object{{"launch", static_cast<int64_t>(S.Launch)},
                                      {"at", sizeOf(S.At)},
                                      {"what", json::fixUTF8(What)},
                                      {"argument", X.Argument},
                                      {"element", static_cast<int64_t>(X.Element)},
                                      {"expected", X.Expected},
                                      {"got", X.Got},
                                      {"mustBeReplayed", X.MustBeReplayed},
                                      {"inputs", inputsOf(X.Inputs)}};
  }
  Out.send("symbolic", std::move(Message));
}

std::string text(const json::Object &O, StringRef Key) {
  return O.getString(Key).value_or("").str();
}

std::map<std::string, Bytes> inputsFrom(const json::Object &O) {
  std::map<std::string, Bytes> All;
  if (const json::Object *Inputs = O.getObject("inputs"))
    for (const auto &[Name, Value] : *Inputs) {
      std::vector<char> Decoded;
      if (Error Bad = decodeBase64(Value.getAsString().value_or(""), Decoded)) {
        consumeError(std::move(Bad));
        continue;
      }
      All[Name.str()] = Bytes(Decoded.begin(), Decoded.end());
    }
  return All;
}

void receive(SymbolicRung &Into, const json::Object &S) {
  Into.Ended = true;
  Into.Proved = S.getBoolean("proved").value_or(false);
  Into.Detail = text(S, "detail");
  Into.ProvedAt = textsFromJson(S, "provedAt");
  Into.Assumptions = textsFromJson(S, "assumptions");
  if (const json::Object *Record = S.getObject("record"))
    Into.Record = *Record;
  Into.IntervalClimbed = S.getBoolean("intervalClimbed").value_or(false);
  Into.IntervalDetail = text(S, "intervalDetail");
  if (const json::Array *Corners = S.getArray("corners"))
    for (const json::Value &V : *Corners)
      if (const json::Object *O = V.getAsObject())
        Into.Corners.push_back({static_cast<unsigned>(O->getInteger("launch").value_or(0)),
                                sizeFromJson(*O), text(*O, "what"), inputsFrom(*O)});
  const json::Object *X = S.getObject("example");
  if (!X)
    return;
  SymbolicRung::Example E;
  E.Launch = X->getInteger("launch").value_or(0);
  E.At = sizeFromJson(*X);
  E.What = text(*X, "what");
  E.Argument = text(*X, "argument");
  E.Element = X->getInteger("element").value_or(0);
  E.Expected = text(*X, "expected");
  E.Got = text(*X, "got");
  E.MustBeReplayed = X->getBoolean("mustBeReplayed").value_or(false);
  E.Inputs = inputsFrom(*X);
  Into.Found = std::move(E);
}

} // namespace

ChildTask symbolicTask(SymbolicRung &Into, const TestPlan &P, unsigned Seconds) {
  ChildTask T;
  // The solver has its own limit. This one ends a solver that exceeds it.
  T.SilenceSeconds = T.TotalSeconds = 2 * Seconds + 5;
  T.Work = [&P, Seconds](Channel &Out) { prove(Out, P, Seconds); };
  T.OnMessage = [&Into](const json::Object &O) {
    if (const json::Object *S = O.getObject("symbolic"))
      receive(Into, *S);
    return true;
  };
  ChildTask Limits = T;
  T.Again = [&Into, Limits](const ChildEnd &End) {
    if (!Into.Ended)
      Into.Detail = "the solver " + describe(End, Limits);
    return false;
  };
  return T;
}

std::vector<size_t> cornerInputs(TestPlan &P, const SymbolicRung &Rung) {
  std::vector<size_t> Added;
  unsigned SizeId = 0;
  for (const TestInput &In : P.Inputs)
    SizeId = std::max(SizeId, In.SizeId + 1);
  for (const SymbolicRung::Corner &Corner : Rung.Corners) {
    // If the original makes invalid accesses on undeclared data, it may do so on a corner.
    const DataRules &Rules = P.Launches[Corner.Launch].Rules;
    if (Rules.LimitAddresses || Rules.LimitIntegers)
      continue;
    Expected<InputShape> Shape = shapeOf(P, Corner.Launch, Corner.At, 0);
    if (!Shape) {
      consumeError(Shape.takeError());
      continue;
    }
    const launch::LaunchFile &F = P.Request->Launches[Corner.Launch];
    auto Inputs = std::make_shared<std::map<unsigned, Bytes>>();
    for (unsigned I = 0; I < F.Args.size(); ++I)
      if (auto It = Corner.Inputs.find(F.Args[I].Name);
          It != Corner.Inputs.end() && F.Args[I].holdsData())
        (*Inputs)[I] = It->second;
    TestInput In;
    In.Launch = Corner.Launch;
    In.At = Corner.At;
    In.Items = Shape->Original.items();
    In.Bytes = Shape->Bytes;
    In.SizeId = SizeId++;
    // Undeclared data: the original's result on them may be undefined.
    In.Fill = Pattern::Extremes;
    In.Contents = std::move(Inputs);
    Added.push_back(P.Inputs.size());
    P.Inputs.push_back(std::move(In));
  }
  return Added;
}

Counterexample replaySymbolic(const TestPlan &Whole, const SymbolicRung::Example &Found,
                              ArrayRef<const RungRun *> Setups, std::string &OriginalRace) {
  Counterexample X;
  X.Rung = X.Part = "symbolic";
  X.What = Found.What;
  X.Size = describe(Found.At);
  X.Argument = Found.Argument;
  X.Element = Found.Element;
  X.Expected = Found.Expected;
  X.Got = Found.Got;

  TestPlan P = Whole;
  TestInput In;
  In.Launch = Found.Launch;
  In.At = Found.At;
  Expected<PreparedInput> Ready = prepare(P, In);
  if (!Ready) {
    consumeError(Ready.takeError());
    return X;
  }
  const launch::LaunchFile &F = P.Request->Launches[In.Launch];
  const KernelShape &Shape = P.Launches[In.Launch].Shape;
  ScalarVariant Scalars;
  for (unsigned I = 0; I < F.Args.size(); ++I) {
    auto It = Found.Inputs.find(F.Args[I].Name);
    if (It == Found.Inputs.end())
      continue;
    ArgumentValue &V = Ready->Values[I];
    if (V.Data.size() != It->second.size())
      continue;
    V.Data = It->second;
    const ElementType &T = Shape.Params[I].Type;
    if (V.K == ArgumentValue::Kind::Scalar && T.Lanes == 1 && T.K != ElementType::Kind::Raw)
      Scalars[I] = formatScalar(T, V.Data.data());
  }
  P.Launches[In.Launch].Variants.push_back(std::move(Scalars));
  In.Variant = P.Launches[In.Launch].Variants.size() - 1;
  for (const RungRun *Run : Setups)
    if (Run->Opened && showsAgain(P, In, *Ready, Run->Setup, X.LaunchFile)) {
      X.Replayed = true;
      break;
    }
  X.NonZero = nonZeroValues(*Ready, Shape);
  // At a size that the launch file does not list the original itself may be racy. Then a
  // difference says nothing about the rewrite.
  if (!is_contained(F.Sizes, In.At))
    OriginalRace = findOriginalRace(P, In, *Ready);
  if (X.Replayed && OriginalRace.empty())
    nameWriters(P, In, *Ready, X);
  return X;
}

} // namespace clmali::verify
