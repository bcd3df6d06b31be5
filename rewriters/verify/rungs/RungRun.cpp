#include "rewriters/verify/rungs/RungRun.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/Base64.h"

#include <algorithm>
#include <chrono>
#include <csignal>

using namespace llvm;

namespace clmali::verify {
namespace {

/// Every crash costs a new process; a kernel that crashes at every case is not
/// worth more.
constexpr unsigned MostRestarts = 40;

size_t caseOf(const json::Object &O) {
  return static_cast<size_t>(O.getInteger("case").value_or(0));
}
std::string text(const json::Object &O, StringRef Key) {
  return O.getString(Key).value_or("").str();
}

/// The data of \p Index leads the original astray. Where that can be laid to
/// data that nobody declared (at this size the declared data were harmless), the
/// rules get stricter and the case is tried again; true then.
bool restrain(const RungRun &Runs, TestPlan &P, size_t Index) {
  const TestInput &C = P.TestInputs[Index];
  DataRules &Rules = P.Launches[C.Launch].Rules;
  if (C.P == Pattern::Declared || C.Variant != 0)
    return false;
  bool DeclaredIsFine = any_of(Runs.Done, [&](size_t Other) {
    const TestInput &O = P.TestInputs[Other];
    return O.Launch == C.Launch && O.SizeId == C.SizeId && O.P == Pattern::Declared &&
           O.Variant == 0;
  });
  if (!DeclaredIsFine)
    return false;
  if (!Rules.LimitIntegers) {
    Rules.LimitIntegers = true;
    return true;
  }
  if (!Rules.LimitFloats) {
    Rules.LimitFloats = true;
    return true;
  }
  return false;
}

/// Takes from the list what is done or skipped; a size at which the original
/// strays on declared data goes as a whole.
void dropFinished(RungRun &C, const TestPlan &P) {
  std::set<std::pair<unsigned, unsigned>> BadSizes;
  for (const auto &[Index, Why] : C.Skipped)
    if (P.TestInputs[Index].P == Pattern::Declared && P.TestInputs[Index].Variant == 0)
      BadSizes.insert({P.TestInputs[Index].Launch, P.TestInputs[Index].SizeId});
  // A scalar may be a size in disguise: then other values lead the original
  // astray, one after the other, and each costs a process.
  constexpr unsigned MostVariantsAstray = 3;
  std::map<unsigned, unsigned> VariantsAstray;
  for (const auto &[Index, Why] : C.Skipped)
    if (P.TestInputs[Index].Variant != 0 && Why.Kind != "slow")
      ++VariantsAstray[P.TestInputs[Index].Launch];
  llvm::erase_if(C.Setup.TestInputs, [&](size_t Index) {
    const TestInput &One = P.TestInputs[Index];
    if (One.Variant != 0 && VariantsAstray[One.Launch] >= MostVariantsAstray) {
      C.Skipped.emplace(Index, RungRun::Skip{"stray", "other values of the "
                                                      "scalars lead the original astray"});
      return true;
    }
    return C.Done.count(Index) || C.Skipped.count(Index) ||
           BadSizes.count({P.TestInputs[Index].Launch, P.TestInputs[Index].SizeId});
  });
}

/// Without which part of the ladder this would not have been seen.
std::string partOfFinding(const RungRun &C, const TestPlan &P, const Finding &F,
                          const std::string &Class) {
  bool Guards = C.Setup.M == WorkerSetup::Mode::Guards;
  if (F.Kind == "oclgrind")
    return "oclgrind-" + Class;
  if (F.Kind == "order")
    return "reverse-order";
  if (F.Kind == "launch" || F.Kind == "device")
    return "launch";
  if (F.Kind == "stray-write" || F.Kind == "stray-read" || F.Kind == "crash")
    return !Guards ? "guard-pages" : F.Kind == "stray-read" ? "poison" : "guard-zones";
  if (C.Setup.M == WorkerSetup::Mode::Oclgrind)
    return "oclgrind-values";
  return partOf(P.TestInputs[F.TestInput]);
}

bool onMessage(RungRun &C, TestPlan &P, const json::Object &O) {
  if (const json::Object *At = O.getObject("at")) {
    int64_t Index = At->getInteger("case").value_or(-1);
    C.AtCase = Index < 0 ? std::nullopt : std::optional<size_t>(Index);
    C.AtWho = text(*At, "who");
  } else if (const json::Object *D = O.getObject("device")) {
    C.Device = infoFromJson(*D);
    C.Opened = true;
  } else if (std::optional<StringRef> T = O.getString("cannot")) {
    C.Cannot = T->str();
  } else if (std::optional<StringRef> T = O.getString("broken")) {
    C.Broken = T->str();
  } else if (const json::Object *D = O.getObject("done")) {
    C.Done.insert(caseOf(*D));
    C.Runs += D->getInteger("runs").value_or(0);
  } else if (const json::Object *S = O.getObject("skip")) {
    size_t Index = caseOf(*S);
    std::string Kind = text(*S, "kind");
    if (Kind == "stray" && restrain(C, P, Index)) {
      C.Requeue = true;
      return false;
    }
    C.Skipped[Index] = {Kind, text(*S, "why")};
  } else if (const json::Object *S = O.getObject("suspect")) {
    C.Suspect = {caseOf(*S), text(*S, "kind"), text(*S, "why")};
    return false;
  } else if (const json::Object *D = O.getObject("differs")) {
    Finding F;
    F.TestInput = caseOf(*D);
    F.Kind = text(*D, "kind");
    F.What = text(*D, "what");
    if (std::optional<int64_t> A = D->getInteger("argument"))
      F.Argument = static_cast<unsigned>(*A);
    F.Element = D->getInteger("element").value_or(0);
    F.Expected = text(*D, "expected");
    F.Got = text(*D, "got");
    F.Item = text(*D, "item");
    F.Part = partOfFinding(C, P, F, text(*D, "class"));
    C.Found = std::move(F);
    return false;
  } else if (const json::Object *E = O.getObject("original")) {
    if (const json::Array *A = E->getArray("errors"))
      for (const json::Value &V : *A)
        C.OriginalErrors.push_back({caseOf(*E), text(*V.getAsObject(), "kind"),
                                    text(*V.getAsObject(), "class"),
                                    text(*V.getAsObject(), "message")});
  } else if (const json::Object *E = O.getObject("output")) {
    std::vector<Bytes> Buffers;
    if (const json::Array *A = E->getArray("buffers"))
      for (const json::Value &V : *A) {
        std::vector<char> Decoded;
        if (Error Bad = decodeBase64(V.getAsString().value_or(""), Decoded))
          consumeError(std::move(Bad));
        Buffers.emplace_back(Decoded.begin(), Decoded.end());
      }
    C.Outputs[caseOf(*E)] = std::move(Buffers);
  } else if (const json::Object *F = O.getObject("fault")) {
    Finding Found;
    std::optional<int64_t> Argument = F->getInteger("argument");
    if (Argument) {
      bool Write = F->getBoolean("write").value_or(false);
      Found.Kind = Write ? "stray-write" : "stray-read";
      Found.Argument = static_cast<unsigned>(*Argument);
      Found.What = Write ? "writes" : "reads";
      Found.Element = static_cast<uint64_t>(F->getInteger("offset").value_or(0));
      C.Fault = Found;
    } else {
      Found.Kind = "crash";
      C.Fault = Found;
      C.Misaligned = !F->getBoolean("aligned").value_or(true);
    }
  }
  return true;
}

/// A fault's place in words: before or past a buffer, and how far.
std::string placeOf(const Finding &Fault, const TestPlan &P, size_t Index) {
  const TestInput &C = P.TestInputs[Index];
  const launch::Argument &A = P.Request->Launches[C.Launch].Args[*Fault.Argument];
  int64_t Offset = static_cast<int64_t>(Fault.Element);
  uint64_t Size = 0;
  if (Expected<CaseShape> S = shapeOf(P, C.Launch, C.At, C.Variant))
    Size =
        S->Counts[*Fault.Argument] * P.Launches[C.Launch].Shape.Params[*Fault.Argument].Type.Size;
  else
    consumeError(S.takeError());
  if (Offset < 0)
    return "before '" + A.Name + "' (" + std::to_string(-Offset) + " bytes)";
  return "past the end of '" + A.Name + "' (byte " + std::to_string(Offset) + " of " +
         std::to_string(Size) + ")";
}

bool again(RungRun &C, TestPlan &P, const ChildEnd &End, const ChildTask &Task) {
  using Kind = ChildEnd::Kind;
  bool Requeue = std::exchange(C.Requeue, false);
  std::optional<Finding> Fault = std::exchange(C.Fault, std::nullopt);
  bool Misaligned = std::exchange(C.Misaligned, false);
  if (End.K == Kind::Finished || C.Found || C.Suspect || !C.Cannot.empty() || !C.Broken.empty())
    return false;
  if (End.K == Kind::NotStarted) {
    C.Cannot = "no child process could be started";
    return false;
  }
  if (End.OverTotal) {
    C.OutOfTime = true;
    return false;
  }
  std::optional<size_t> AtCase = std::exchange(C.AtCase, std::nullopt);
  std::string AtWho = std::exchange(C.AtWho, std::string());
  auto restart = [&] {
    dropFinished(C, P);
    if (C.Setup.TestInputs.empty())
      return false;
    if (++C.Restarts > MostRestarts) {
      C.Stopped = "it crashed " + std::to_string(MostRestarts) + " times";
      return false;
    }
    return true;
  };
  if (Requeue)
    return restart();
  if (End.K == Kind::Stopped)
    return false;
  std::string How = describe(End, Task);
  if (!AtCase) {
    C.Cannot = AtWho == "build" ? "the device's compiler " + How : "the device's driver " + How;
    if (!End.Text.empty())
      C.Cannot += ": " + StringRef(End.Text).trim().take_back(300).str();
    return false;
  }
  size_t Index = *AtCase;
  // A vector access to a buffer that begins where no device would let it: our
  // own doing, by pushing the buffer against the page.
  if (Misaligned && !P.AlignStart && C.Setup.M == WorkerSetup::Mode::Pages) {
    P.AlignStart = true;
    return restart();
  }
  // Oclgrind crashes on code that devices run; the device has its own say.
  if (C.Setup.M == WorkerSetup::Mode::Oclgrind && End.K == Kind::Crashed) {
    C.Cannot = "Oclgrind itself " + How + " on the " + AtWho + " kernel at " +
               describe(P.TestInputs[Index].At);
    return false;
  }
  if (C.Setup.M == WorkerSetup::Mode::Oclgrind && End.K == Kind::Hung) {
    C.OutOfTime = true; // it is slow; the device tells what hangs
    return false;
  }
  if (AtWho == "original" && (End.Signal == SIGPROF || End.Signal == SIGALRM)) {
    for (size_t I = 0; I < P.TestInputs.size(); ++I)
      if (P.TestInputs[I].Launch == P.TestInputs[Index].Launch &&
          P.TestInputs[I].Variant == P.TestInputs[Index].Variant && !C.Done.count(I))
        C.Skipped[I] = {"slow", "with other scalars the original runs too long"};
    return restart();
  }
  if (AtWho == "rewritten") {
    if (End.K == Kind::Crashed) {
      Finding F = Fault.value_or(Finding());
      F.TestInput = Index;
      if (F.Argument) {
        F.What = "the rewritten kernel " + F.What + " " + placeOf(F, P, Index);
        F.Element = 0;
      } else {
        F.Kind = "crash";
        F.What = "the rewritten kernel " + How;
      }
      F.Part = partOfFinding(C, P, F, "");
      C.Found = std::move(F);
      return false;
    }
    C.Stopped = "the rewritten kernel " + How + " at " + describe(P.TestInputs[Index].At);
    return false;
  }
  // The original: its own fault, on this input.
  if (End.K == Kind::Crashed && restrain(C, P, Index))
    return restart();
  if (End.K == Kind::Hung && restrain(C, P, Index))
    return restart();
  std::string Why = "the original " + How;
  if (Fault && Fault->Argument)
    Why = "the original " + Fault->What + " " + placeOf(*Fault, P, Index);
  else if (StringRef Said = StringRef(End.Text).trim(); !Said.empty())
    // A device's driver that gives up says why: no linker on the PATH, say.
    Why += "; the device says: " + Said.rsplit('\n').second.take_back(200).str() +
           (Said.contains('\n') ? "" : Said.take_back(200).str());
  C.Skipped[Index] = {End.K == Kind::Hung ? "hang" : "stray", Why};
  return restart();
}

} // namespace

ChildTask taskOf(RungRun &C, TestPlan &P, const std::function<void(StringRef)> &Progress) {
  ChildTask T;
  T.SilenceSeconds = P.Request->Options.LaunchTimeout;
  T.TotalSeconds = P.Request->Options.TotalTimeout;
  T.Work = [&C, &P](Channel &Out) { workOnCases(Out, P, C.Setup); };
  auto Last =
      std::make_shared<std::chrono::steady_clock::time_point>(std::chrono::steady_clock::now());
  size_t Total = C.Setup.TestInputs.size();
  size_t Before = C.Done.size() + C.Skipped.size(); // skipped by another rung
  T.OnMessage = [&C, &P, Progress, Last, Total, Before](const json::Object &O) {
    auto Now = std::chrono::steady_clock::now();
    if (Progress && Now - *Last > std::chrono::seconds(2)) {
      *Last = Now;
      size_t Ended = C.Done.size() + C.Skipped.size() - Before;
      Progress(
          (C.Rung + ": " + Twine(std::min(Ended, Total)) + " of " + Twine(Total) + " cases").str());
    }
    return onMessage(C, P, O);
  };
  ChildTask Limits = T; // for messages about the limits
  T.Again = [&C, &P, Limits](const ChildEnd &End) { return again(C, P, End, Limits); };
  return T;
}

} // namespace clmali::verify
