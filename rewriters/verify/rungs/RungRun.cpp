#include "rewriters/verify/rungs/RungRun.h"

#include "rewriters/verify/cases/Sizes.h"
#include "rewriters/verify/run/Comparison.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/Base64.h"

#include <algorithm>
#include <chrono>
#include <csignal>

using namespace llvm;

namespace clmali::verify {
namespace {

/// Every crash costs a new process. A kernel that crashes on this many inputs is given up.
constexpr unsigned MostRestarts = 40;
/// Each hang costs the time limit of a launch. Where the original hangs on this many inputs and has
/// run on none, it is given up: the device's compiler may take that long on every input.
constexpr unsigned MostHangs = 2;

size_t inputOf(const json::Object &O) {
  return static_cast<size_t>(O.getInteger("case").value_or(0));
}
std::string text(const json::Object &O, StringRef Key) {
  return O.getString(Key).value_or("").str();
}

/// The original makes an invalid access on the data of \p Index. If the declared data were harmless
/// at this size, undeclared data are the cause: the data rules get stricter, and the input is to be
/// run again; true then.
bool restrain(const RungRun &Runs, TestPlan &P, size_t Index) {
  const TestInput &In = P.Inputs[Index];
  DataRules &Rules = P.Launches[In.Launch].Rules;
  if (In.Fill == Pattern::Declared || In.Variant != 0)
    return false;
  bool DeclaredIsFine = any_of(Runs.Done, [&](size_t I) {
    const TestInput &Other = P.Inputs[I];
    return Other.Launch == In.Launch && Other.SizeId == In.SizeId &&
           Other.Fill == Pattern::Declared && Other.Variant == 0;
  });
  if (!DeclaredIsFine)
    return false;
  if (!Rules.LimitAddresses && !Rules.Addressing.empty()) {
    Rules.LimitAddresses = true;
    return true;
  }
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

/// Removes the inputs that are done or skipped, and all inputs of a size at which the original
/// makes an invalid access on declared data.
void dropFinished(RungRun &Run, const TestPlan &P) {
  std::set<std::pair<unsigned, unsigned>> BadSizes;
  for (const auto &[Index, Why] : Run.Skipped)
    if (P.Inputs[Index].Fill == Pattern::Declared && P.Inputs[Index].Variant == 0)
      BadSizes.insert({P.Inputs[Index].Launch, P.Inputs[Index].SizeId});
  // A scalar may be a size: then the original makes invalid accesses with every other value, and
  // each of them costs a process.
  constexpr unsigned MostInvalid = 3;
  std::map<std::pair<unsigned, std::vector<unsigned>>, unsigned> InvalidVariants;
  auto scalarsOf = [&P](const TestInput &In) {
    std::vector<unsigned> Scalars;
    for (const auto &[Index, Value] : P.Launches[In.Launch].Variants[In.Variant])
      Scalars.push_back(Index);
    return std::pair(In.Launch, std::move(Scalars));
  };
  for (const auto &[Index, Why] : Run.Skipped)
    if (const TestInput &One = P.Inputs[Index]; One.Variant != 0 && Why.Kind == "stray")
      ++InvalidVariants[scalarsOf(One)];
  // The same for large sizes: those that keep the order of their variables, and those that do not.
  std::map<std::pair<unsigned, bool>, unsigned> InvalidLarge;
  auto kindOf = [&P](const TestInput &In) {
    return std::pair(In.Launch, keepsOrder(P.Request->Launches[In.Launch], In.At));
  };
  for (const auto &[Index, Why] : Run.Skipped)
    if (const TestInput &One = P.Inputs[Index]; One.Large && Why.Kind == "stray")
      ++InvalidLarge[kindOf(One)];
  llvm::erase_if(Run.Setup.Inputs, [&](size_t Index) {
    const TestInput &One = P.Inputs[Index];
    if (One.Large && InvalidLarge[kindOf(One)] >= MostInvalid) {
      Run.Skipped.emplace(Index, RungRun::Skip{"stray", "at other large sizes the original makes "
                                                        "invalid accesses"});
      return true;
    }
    if (One.Variant != 0 && InvalidVariants[scalarsOf(One)] >= MostInvalid) {
      Run.Skipped.emplace(Index, RungRun::Skip{"stray", "with other values of the scalars the "
                                                        "original makes invalid accesses"});
      return true;
    }
    return Run.Done.count(Index) || Run.Skipped.count(Index) ||
           BadSizes.count({P.Inputs[Index].Launch, P.Inputs[Index].SizeId});
  });
}

/// The part of the ladder (partNames()) without which this would not have been found.
std::string partOfFinding(const RungRun &Run, const TestPlan &P, const Finding &F,
                          const std::string &Class) {
  bool Guards = Run.Setup.M == WorkerSetup::Mode::Guards;
  if (F.Kind == "oclgrind")
    return "oclgrind-" + Class;
  if (F.Kind == "order")
    return "reverse-order";
  if (F.Kind == "launch" || F.Kind == "device")
    return "launch";
  if (F.Kind == "stray-write" || F.Kind == "stray-read" || F.Kind == "crash")
    return !Guards ? "guard-pages" : F.Kind == "stray-read" ? "poison" : "guard-zones";
  if (Run.Setup.M == WorkerSetup::Mode::Oclgrind)
    return "oclgrind-values";
  return partOf(P.Inputs[F.Input]);
}

/// The result of a child that found the rewritten kernel to be wrong.
Finding findingFrom(const RungRun &Run, const TestPlan &P, const json::Object &O) {
  Finding F;
  F.Input = inputOf(O);
  F.Kind = text(O, "kind");
  F.What = text(O, "what");
  if (std::optional<int64_t> A = O.getInteger("argument"))
    F.Argument = static_cast<unsigned>(*A);
  F.Element = O.getInteger("element").value_or(0);
  F.Expected = text(O, "expected");
  F.Got = text(O, "got");
  F.Item = text(O, "item");
  F.Part = partOfFinding(Run, P, F, text(O, "class"));
  return F;
}

std::vector<Bytes> buffersFrom(const json::Object &O) {
  std::vector<Bytes> Buffers;
  if (const json::Array *A = O.getArray("buffers"))
    for (const json::Value &V : *A) {
      std::vector<char> Decoded;
      if (Error Bad = decodeBase64(V.getAsString().value_or(""), Decoded))
        consumeError(std::move(Bad));
      Buffers.emplace_back(Decoded.begin(), Decoded.end());
    }
  return Buffers;
}

/// A memory fault of the child, which ends it.
void takeFault(RungRun &Run, const json::Object &O) {
  Finding Fault;
  std::optional<int64_t> Argument = O.getInteger("argument");
  const bool Write = O.getBoolean("write").value_or(false);
  if (Argument == NoArgument) {
    Fault.Kind = Write ? "stray-write" : "stray-read";
    const uint64_t Address = imageZone().Begin + O.getInteger("offset").value_or(0);
    Fault.What = std::string(Write ? "writes" : "reads") + " outside an image, at line " +
                 std::to_string(imageLine(Address).value_or(0));
  } else if (Argument) {
    Fault.Kind = Write ? "stray-write" : "stray-read";
    Fault.Argument = static_cast<unsigned>(*Argument);
    Fault.What = Write ? "writes" : "reads";
    Fault.Element = static_cast<uint64_t>(O.getInteger("offset").value_or(0));
  } else {
    Fault.Kind = "crash";
    Run.Misaligned = !O.getBoolean("aligned").value_or(true);
  }
  Run.Fault = std::move(Fault);
}

/// Takes one message of the child (Worker.h lists them); false stops the child.
bool onMessage(RungRun &Run, TestPlan &P, const json::Object &O) {
  if (const json::Object *At = O.getObject("at")) {
    int64_t Index = At->getInteger("case").value_or(-1);
    Run.AtInput = Index < 0 ? std::nullopt : std::optional<size_t>(Index);
    Run.AtProgram = text(*At, "who");
  } else if (const json::Object *D = O.getObject("device")) {
    Run.Device = infoFromJson(*D);
    Run.Opened = true;
  } else if (O.get("imagesChecked")) {
    Run.ImagesChecked = true;
  } else if (std::optional<StringRef> T = O.getString("cannot")) {
    Run.Cannot = T->str();
  } else if (std::optional<StringRef> T = O.getString("broken")) {
    Run.Broken = T->str();
  } else if (const json::Object *D = O.getObject("done")) {
    Run.Done.insert(inputOf(*D));
    Run.Runs += D->getInteger("runs").value_or(0);
  } else if (const json::Object *S = O.getObject("skip")) {
    size_t Index = inputOf(*S);
    std::string Kind = text(*S, "kind");
    const bool Stricter = Kind == "stray" && restrain(Run, P, Index);
    if (!Stricter)
      Run.Skipped[Index] = {Kind, text(*S, "why")};
    // Outside its buffers the original may have changed the child itself: a new one goes on.
    Run.Requeue = Stricter || (Kind == "stray" && Run.Setup.M == WorkerSetup::Mode::Guards);
    return !Run.Requeue;
  } else if (const json::Object *S = O.getObject("suspect")) {
    Run.Suspect = {inputOf(*S), text(*S, "kind"), text(*S, "why")};
    return false;
  } else if (const json::Object *D = O.getObject("differs")) {
    Run.Found = findingFrom(Run, P, *D);
    return false;
  } else if (const json::Object *E = O.getObject("original")) {
    if (const json::Array *A = E->getArray("errors"))
      for (const json::Value &V : *A)
        Run.OriginalErrors.push_back({inputOf(*E), text(*V.getAsObject(), "kind"),
                                      text(*V.getAsObject(), "class"),
                                      text(*V.getAsObject(), "message")});
  } else if (const json::Object *E = O.getObject("output")) {
    Run.Outputs[inputOf(*E)] = buffersFrom(*E);
  } else if (const json::Object *F = O.getObject("fault")) {
    takeFault(Run, *F);
  }
  return true;
}

/// The location of a fault in words: before or past a buffer, and how far.
std::string locationOf(const Finding &Fault, const TestPlan &P, size_t Index) {
  const TestInput &In = P.Inputs[Index];
  const unsigned Argument = *Fault.Argument;
  uint64_t Size = 0;
  if (Expected<InputShape> S = shapeOf(P, In.Launch, In.At, In.Variant))
    Size = S->Counts[Argument] * P.Launches[In.Launch].Shape.Params[Argument].Type.Size;
  else
    consumeError(S.takeError());
  return describeOffset(P.Request->Launches[In.Launch].Args[Argument].Name,
                        static_cast<int64_t>(Fault.Element), Size);
}

/// What the child was doing when it ended; taken out of the run, for the next child.
struct Interrupted {
  bool Requeue;
  std::optional<Finding> Fault;
  bool Misaligned;
  std::optional<size_t> Input;
  std::string Program;

  explicit Interrupted(RungRun &Run)
      : Requeue(std::exchange(Run.Requeue, false)), Fault(std::exchange(Run.Fault, std::nullopt)),
        Misaligned(std::exchange(Run.Misaligned, false)),
        Input(std::exchange(Run.AtInput, std::nullopt)),
        Program(std::exchange(Run.AtProgram, std::string())) {}
};

/// True if another child is to run the inputs that are left.
bool restart(RungRun &Run, const TestPlan &P) {
  dropFinished(Run, P);
  if (Run.Setup.Inputs.empty())
    return false;
  if (++Run.Restarts > MostRestarts) {
    Run.Stopped = "it crashed " + std::to_string(MostRestarts) + " times";
    return false;
  }
  return true;
}

/// The rewritten kernel crashed, which refutes it, or hung.
void stopAtRewritten(RungRun &Run, const TestPlan &P, size_t Index, const Interrupted &Was,
                     const ChildEnd &End, const std::string &How) {
  if (End.K != ChildEnd::Kind::Crashed) {
    Run.Stopped = "the rewritten kernel " + How + " at " + describe(P.Inputs[Index].At);
    return;
  }
  Finding F = Was.Fault.value_or(Finding());
  F.Input = Index;
  if (F.Argument) {
    F.What = "the rewritten kernel " + F.What + " " + locationOf(F, P, Index);
    F.Element = 0;
  } else if (!F.What.empty()) {
    F.What = "the rewritten kernel " + F.What;
  } else {
    F.Kind = "crash";
    F.What = "the rewritten kernel " + How;
  }
  F.Part = partOfFinding(Run, P, F, "");
  Run.Found = std::move(F);
}

/// The original crashed or hung on an input: the input is skipped, or gets stricter data rules.
void skipAtOriginal(RungRun &Run, TestPlan &P, size_t Index, const Interrupted &Was,
                    const ChildEnd &End, const std::string &How) {
  using Kind = ChildEnd::Kind;
  if ((End.K == Kind::Crashed || End.K == Kind::Hung) && restrain(Run, P, Index))
    return;
  std::string Why = "the original " + How;
  if (Was.Fault && Was.Fault->Argument)
    Why = "the original " + Was.Fault->What + " " + locationOf(*Was.Fault, P, Index);
  else if (Was.Fault && !Was.Fault->What.empty())
    Why = "the original " + Was.Fault->What;
  else if (StringRef Said = StringRef(End.Text).trim(); !Said.empty())
    // A driver that fails reports why: no linker on the PATH, say.
    Why += "; the device says: " + Said.rsplit('\n').second.take_back(200).str() +
           (Said.contains('\n') ? "" : Said.take_back(200).str());
  Run.Skipped[Index] = {End.K == Kind::Hung ? "hang" : "stray", Why};
}

/// True if no variable is smaller in \p A than in \p B.
bool isAtLeast(const launch::Size &A, const launch::Size &B) {
  return all_of(A, [&B](const auto &One) {
    auto It = B.find(One.first);
    return It != B.end() && One.second >= It->second;
  });
}

/// The child ended while it ran an input. True to go on with another child.
bool endedAtInput(RungRun &Run, TestPlan &P, size_t Index, const Interrupted &Was,
                  const ChildEnd &End, const std::string &How) {
  using Kind = ChildEnd::Kind;
  // A vector access to a buffer that the judge pushed against the page, so that its start is less
  // aligned than on any device.
  if (Was.Misaligned && !P.AlignStart && Run.Setup.M == WorkerSetup::Mode::Pages) {
    P.AlignStart = true;
    return restart(Run, P);
  }
  // limitTime() of the worker ends a child with these signals.
  if (Was.Program == "original" && (End.Signal == SIGPROF || End.Signal == SIGALRM)) {
    const TestInput &Slow = P.Inputs[Index];
    for (size_t I = 0; I < P.Inputs.size(); ++I)
      if (P.Inputs[I].Launch == Slow.Launch && !Run.Done.count(I)) {
        if (Slow.Variant != 0 && P.Inputs[I].Variant == Slow.Variant)
          Run.Skipped[I] = {"slow", "with other scalars the original runs too long"};
        else if (Slow.Variant == 0 && P.Inputs[I].Large && isAtLeast(P.Inputs[I].At, Slow.At))
          Run.Skipped[I] = {"time", TooLarge.str()};
      }
    return restart(Run, P);
  }
  // Oclgrind crashes on code that devices run: the device decides.
  if (Run.Setup.M == WorkerSetup::Mode::Oclgrind && End.K == Kind::Crashed) {
    Run.Cannot = "Oclgrind itself " + How + " on the " + Was.Program + " kernel at " +
                 describe(P.Inputs[Index].At);
    return false;
  }
  if (Run.Setup.M == WorkerSetup::Mode::Oclgrind && End.K == Kind::Hung) {
    Run.OutOfTime = true; // Oclgrind is slow; the runs on the device find a hang
    return false;
  }
  if (Was.Program == "rewritten") {
    stopAtRewritten(Run, P, Index, Was, End, How);
    return false;
  }
  if (End.K == Kind::Hung && Run.Done.empty() && ++Run.Hangs >= MostHangs) {
    Run.Cannot = "the original " + How + " on each of the first " + std::to_string(MostHangs) +
                 " inputs" + (Run.Setup.Unoptimised ? ", without optimisation" : "");
    return false;
  }
  skipAtOriginal(Run, P, Index, Was, End, How);
  return restart(Run, P);
}

/// The child has ended. True to start another one for the inputs that are left.
bool again(RungRun &Run, TestPlan &P, const ChildEnd &End, const ChildTask &Task) {
  using Kind = ChildEnd::Kind;
  const Interrupted Was(Run);
  if (End.K == Kind::Finished || Run.Found || Run.Suspect || !Run.Cannot.empty() ||
      !Run.Broken.empty())
    return false;
  if (End.K == Kind::NotStarted) {
    Run.Cannot = "no child process could be started";
    return false;
  }
  if (End.OverTotal) {
    Run.OutOfTime = true;
    return false;
  }
  if (Was.Requeue)
    return restart(Run, P);
  if (End.K == Kind::Stopped)
    return false;
  const std::string How = describe(End, Task);
  if (Was.Input)
    return endedAtInput(Run, P, *Was.Input, Was, End, How);
  Run.Cannot =
      Was.Program == "build" ? "the device's compiler " + How : "the device's driver " + How;
  if (!End.Text.empty())
    Run.Cannot += ": " + StringRef(End.Text).trim().take_back(300).str();
  return false;
}

} // namespace

std::string whyNotClimbed(const RungRun &Run) {
  for (const std::string *Why : {&Run.Cannot, &Run.Broken, &Run.Stopped})
    if (!Why->empty())
      return *Why;
  if (Run.OutOfTime)
    return Run.Seconds ? "it took longer than " + std::to_string(Run.Seconds) + " s" : "too slow";
  if (!Run.Skipped.empty() && !Run.Skipped.begin()->second.Why.empty())
    return Run.Skipped.begin()->second.Why;
  return Run.Setup.Inputs.empty() ? "no input is small enough"
                                  : "another check found a fault first";
}

std::string because(const Twine &What, StringRef Why) {
  return Why.empty() ? What.str() : (What + ": " + Why).str();
}

ChildTask taskOf(RungRun &Run, TestPlan &P, const std::function<void(StringRef)> &Progress) {
  ChildTask T;
  T.SilenceSeconds = P.Request->Options.LaunchTimeout;
  T.TotalSeconds = P.Request->Options.TotalTimeout;
  if (Run.Seconds)
    T.TotalSeconds = std::min(T.TotalSeconds, Run.Seconds);
  Run.Seconds = T.TotalSeconds;
  T.Work = [&Run, &P](Channel &Out) { runInputs(Out, P, Run.Setup); };
  auto Last =
      std::make_shared<std::chrono::steady_clock::time_point>(std::chrono::steady_clock::now());
  size_t Total = Run.Setup.Inputs.size();
  size_t Before = Run.Done.size() + Run.Skipped.size(); // skipped by another check
  T.OnMessage = [&Run, &P, Progress, Last, Total, Before](const json::Object &O) {
    auto Now = std::chrono::steady_clock::now();
    if (Progress && Now - *Last > std::chrono::seconds(2)) {
      *Last = Now;
      size_t Ended = Run.Done.size() + Run.Skipped.size() - Before;
      Progress((Run.Rung + ": " + Twine(std::min(Ended, Total)) + " of " + Twine(Total) + " cases")
                   .str());
    }
    return onMessage(Run, P, O);
  };
  ChildTask Limits = T; // for messages about the limits
  T.Again = [&Run, &P, Limits](const ChildEnd &End) { return again(Run, P, End, Limits); };
  return T;
}

} // namespace clmali::verify
