#include "rewriters/verify/rungs/GenericRung.h"

#include "rewriters/verify/run/Child.h"
#include "rewriters/verify/run/Worker.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Path.h"

#include <algorithm>

using namespace llvm;

namespace clmali::verify {
namespace {

/// The proof as the child sent it.
GenericProof proofFrom(const json::Object &O) {
  GenericProof P;
  P.Result = static_cast<GenericProof::Outcome>(
      O.getInteger("result").value_or(int64_t(GenericProof::Outcome::NotProved)));
  P.Why = static_cast<GenericProof::Reason>(O.getInteger("why").value_or(0));
  P.Detail = O.getString("detail").value_or("").str();
  P.Seconds = O.getNumber("seconds").value_or(0);
  P.Assumptions = textsFromJson(O, "assumptions");
  P.Pinned = textsFromJson(O, "pinned");
  P.Require = textsFromJson(O, "require");
  if (const json::Array *All = O.getArray("candidates"))
    for (const json::Value &V : *All)
      if (const json::Object *X = V.getAsObject()) {
        GenericCandidate C;
        C.Launch = static_cast<unsigned>(X->getInteger("launch").value_or(0));
        C.What = X->getString("what").value_or("").str();
        C.At = sizeFromJson(*X);
        P.Candidates.push_back(std::move(C));
      }
  return P;
}

void prove(Channel &Out, const TestPlan &P, double Seconds) {
  const JudgeRequest &R = *P.Request;
  const SymbolicProgram Original = programOf(R.Original, P.Launches[0].OriginalOptions);
  const SymbolicProgram Rewritten = programOf(R.Rewritten, P.Launches[0].RewrittenOptions);
  GenericRequest Request{Original, Rewritten, R.Launches, R.Manifest, Seconds, 64, {}};
  GenericProof Proof = proveForEverySize(Request);
  json::Object Message = toJson(Proof);
  Message["result"] = static_cast<int64_t>(Proof.Result);
  Message["why"] = static_cast<int64_t>(Proof.Why);
  Out.send("generic", std::move(Message));
}

} // namespace

SymbolicProgram programOf(const ProgramText &Text, const std::string &Options) {
  SymbolicProgram S;
  S.Source = Text.Source;
  S.Options = Options;
  // The judge adds this option for the device; Clang does not know it.
  StringRef Flag = "-cl-kernel-arg-info";
  if (size_t At = S.Options.find(Flag.str()); At != std::string::npos)
    S.Options.erase(At, Flag.size());
  S.Directory = sys::path::parent_path(Text.Name).str();
  return S;
}

void addCandidates(TestPlan &P, const GenericProof &Proof) {
  constexpr uint64_t MostBytes = uint64_t(256) << 20, MostItems = uint64_t(1) << 23;
  unsigned SizeId = 0;
  for (const TestInput &In : P.Inputs)
    SizeId = std::max(SizeId, In.SizeId + 1);
  for (const GenericCandidate &C : Proof.Candidates) {
    Expected<InputShape> Shape = shapeOf(P, C.Launch, C.At, 0);
    if (!Shape) {
      consumeError(Shape.takeError());
      continue;
    }
    if (Shape->Original.items() > MostItems || Shape->Bytes > MostBytes ||
        any_of(P.Inputs,
               [&](const TestInput &In) { return In.Launch == C.Launch && In.At == C.At; }))
      continue;
    TestInput In;
    In.Launch = C.Launch;
    In.At = C.At;
    In.Items = Shape->Original.items();
    In.Bytes = Shape->Bytes;
    In.SizeId = SizeId++;
    for (Pattern Fill : {Pattern::Declared, Pattern::RandomBits, Pattern::Ramp}) {
      In.Fill = Fill;
      P.Inputs.push_back(In);
    }
  }
}

GenericProof proveOnly(const JudgeRequest &R) {
  TestPlan P;
  P.Request = &R;
  P.Launches.resize(R.Launches.size());
  for (unsigned L = 0; L < R.Launches.size(); ++L) {
    P.Launches[L].OriginalOptions = originalOptions(R, L);
    P.Launches[L].RewrittenOptions = rewrittenOptions(R, L);
  }
  return runGenericRung(P, R.Options.GenericSeconds);
}

GenericProof runGenericRung(const TestPlan &P, unsigned Seconds) {
  GenericProof Proof;
  if (!P.Request->Manifest.AsBuffers.empty()) {
    Proof.Why = GenericProof::Reason::Images;
    Proof.Detail = ImageAgainstBuffer;
    return Proof;
  }
  for (const TestPlan::PerLaunch &L : P.Launches)
    if (L.OriginalOptions != P.Launches[0].OriginalOptions) {
      Proof.Why = GenericProof::Reason::Launches;
      Proof.Detail = "the launch files give different build options";
      return Proof;
    }
  bool Ended = false;
  ChildTask T;
  // The proof keeps its own limit of processor time. This one ends a solver that exceeds it.
  T.SilenceSeconds = T.TotalSeconds = 10 * Seconds + 20;
  T.Work = [&P, Seconds](Channel &Out) { prove(Out, P, Seconds); };
  T.OnMessage = [&](const json::Object &O) {
    if (const json::Object *S = O.getObject("generic")) {
      Proof = proofFrom(*S);
      Ended = true;
    }
    return true;
  };
  ChildTask Limits = T;
  ChildEnd End = runChild(std::move(T));
  if (!Ended) {
    Proof.Why = GenericProof::Reason::OutOfTime;
    Proof.Detail = "the prover " + describe(End, Limits);
  }
  return Proof;
}

} // namespace clmali::verify
