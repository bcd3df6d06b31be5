// The work-items that wrote the first element that differs.
//
//   before   an input with its data, a buffer and an element
//   after    the work-item that writes it last, in each of the two programs
//   limits   small inputs only; a few seconds
//
// With Oclgrind: the buffer ends right before the element, so Oclgrind reports every store to it,
// with work-item and address. Without Oclgrind, on the device: the range is halved until one
// work-item (or one work-group, where the kernel depends on groups) is left whose launch alone
// changes the element. That needs a kernel whose work-items do not depend on the rest of the
// launch.
#include "rewriters/verify/rungs/Witness.h"
#include "rewriters/verify/run/Child.h"
#include "rewriters/verify/run/InputRunner.h"
#include "rewriters/verify/run/Oclgrind.h"

#include "llvm/ADT/STLExtras.h"

#include <cstdlib>

using namespace llvm;

namespace clmali::verify {
namespace {

constexpr uint64_t MostItems = 4096;
constexpr unsigned MostSeconds = 8;
constexpr char NoItem[] = "no work-item";

/// In a child process: runs both programs under Oclgrind, and calls \p Visit with the log of each.
void underOclgrind(const TestPlan &P, const TestInput &In, const PreparedInput &Ready,
                   function_ref<void(bool, StringRef)> Visit) {
  OclgrindLog Log;
  setenv("OCLGRIND_NUM_THREADS", "1", 1);
  setenv("OCLGRIND_MAX_ERRORS", "1000000", 1);
  Expected<Device> D = Device::open({findOclgrind(P.Request->Options), std::string()});
  if (!D)
    return consumeError(D.takeError());
  for (const char *Preamble : {"with", ""}) {
    InputRunner Runner(*D, P);
    if (*Preamble)
      Runner.Preamble = oclgrindPreamble();
    if (Error E = Runner.buildOriginal(In.Launch, true)) {
      consumeError(std::move(E)); // the program may define these names: without the preamble
      continue;
    }
    for (bool Rewritten : {false, true}) {
      (void)Log.take();
      Expected<RunResult> R =
          Rewritten ? Runner.rewritten(In, Ready, true, {}) : Runner.original(In, Ready, true, {});
      if (!R) {
        consumeError(R.takeError());
        continue;
      }
      Visit(Rewritten, Log.take());
    }
    return;
  }
}

/// True if a work-item may behave differently in a part of the launch.
bool dependsOnLaunch(StringRef Source) {
  for (StringRef Word : {"get_group_id", "get_global_size", "get_num_groups", "get_global_offset",
                         "get_global_linear_id", "get_enqueued", "atomic_", "atom_"})
    if (Source.contains(Word))
      return true;
  return false;
}
/// True if a work-item may behave differently in another work-group.
bool dependsOnGroups(StringRef Source) {
  for (StringRef Word :
       {"get_local", "barrier", "local", "async_work_group", "reqd_work_group_size", "work_group_"})
    if (Source.contains(Word))
      return true;
  return false;
}

/// In a child process: halves the range, on the device.
class Bisection {
public:
  Bisection(const TestPlan &P, const TestInput &In, const PreparedInput &Ready, unsigned Argument,
            size_t Offset, size_t Size, Device &D)
      : P(P), In(In), Ready(Ready), Argument(Argument), Offset(Offset), Size(Size), Runner(D, P) {}

  std::string original() {
    const std::string &Source = P.Request->Original.Source;
    if (dependsOnLaunch(Source))
      return {};
    return find(false, {P.Launches[In.Launch].Shape.Name, 0, Ready.Original, {}},
                dependsOnGroups(Source))
        .value_or(NoItem);
  }
  std::string rewritten() {
    const std::string &Source = P.Request->Rewritten.Source;
    if (dependsOnLaunch(Source))
      return {};
    for (const launch::ResolvedLaunch &L : reverse(Ready.Rewritten))
      if (std::optional<std::string> Item = find(true, L, dependsOnGroups(Source)))
        return *Item;
    return NoItem;
  }

private:
  /// True if the launch changes the element, filled with zeros or with ones.
  bool writes(bool Rewritten, const launch::ResolvedLaunch &L) {
    for (uint8_t Filling : {0x00, 0xff}) {
      PreparedInput One = Ready;
      Bytes &Data = One.Values[Argument].Data;
      std::fill(Data.begin() + Offset, Data.begin() + Offset + Size, Filling);
      One.Original = L.Shape;
      One.Rewritten = {L};
      Expected<RunResult> R =
          Rewritten ? Runner.rewritten(In, One, false, {}) : Runner.original(In, One, false, {});
      if (!R) {
        consumeError(R.takeError());
        return false;
      }
      const Bytes &Out = R->Buffers[Argument];
      if (!std::equal(Out.begin() + Offset, Out.begin() + Offset + Size, Data.begin() + Offset))
        return true;
    }
    return false;
  }

  /// The last work-item of \p L that writes the element. Nothing if the launch does not write it;
  /// "" if the launch writes it but no half does.
  std::optional<std::string> find(bool Rewritten, launch::ResolvedLaunch L, bool Groups) {
    if (!writes(Rewritten, L))
      return std::nullopt;
    bool Whole = Groups && L.Shape.hasLocal();
    if (Groups && !Whole)
      return ""; // the runtime chose the groups
    if (!Whole)
      L.Shape.Local = {1, 1, 1};
    std::array<uint64_t, 3> Unit{1, 1, 1};
    for (unsigned D = 0; D < 3 && Whole; ++D)
      Unit[D] = std::max<uint64_t>(L.Shape.Local[D], 1);
    for (unsigned D = 0; D < L.Shape.Dimensions; ++D)
      while (L.Shape.Global[D] > Unit[D]) {
        uint64_t Units = L.Shape.Global[D] / Unit[D];
        launch::ResolvedLaunch Low = L, High = L;
        Low.Shape.Global[D] = Units / 2 * Unit[D];
        High.Shape.Global[D] = L.Shape.Global[D] - Low.Shape.Global[D];
        High.Shape.Offset[D] += Low.Shape.Global[D];
        // The upper half first: its work-items are assumed to run last.
        if (writes(Rewritten, High))
          L = High;
        else if (writes(Rewritten, Low))
          L = Low;
        else
          return "";
      }
    auto text = [](const std::array<uint64_t, 3> &A) {
      return "(" + std::to_string(A[0]) + ", " + std::to_string(A[1]) + ", " +
             std::to_string(A[2]) + ")";
    };
    std::string Name = text(L.Shape.Offset);
    if (L.Shape.items() > 1) {
      std::array<uint64_t, 3> Last = L.Shape.Offset;
      for (unsigned D = 0; D < L.Shape.Dimensions; ++D)
        Last[D] += L.Shape.Global[D] - 1;
      Name = "one of " + Name + " to " + text(Last);
    }
    return Name + " of " + L.Kernel;
  }

  const TestPlan &P;
  const TestInput &In;
  const PreparedInput &Ready;
  unsigned Argument;
  size_t Offset, Size;
  InputRunner Runner;
};

ChildTask quickTask() {
  ChildTask T;
  T.SilenceSeconds = T.TotalSeconds = MostSeconds;
  return T;
}

} // namespace

Witness findWriters(const TestPlan &P, const TestInput &In, const PreparedInput &Ready,
                    unsigned Argument, uint64_t Element) {
  Witness W;
  const ElementType &T = P.Launches[In.Launch].Shape.Params[Argument].Type;
  const size_t Offset = Element * T.Size;
  if (In.Items > MostItems || Argument >= Ready.Values.size() ||
      !Ready.Values[Argument].holdsData() || Offset + T.Size > Ready.Values[Argument].Data.size())
    return W;
  auto onMessage = [&W](const json::Object &O) {
    if (std::optional<StringRef> Text = O.getString("original"))
      W.Original = Text->str();
    if (std::optional<StringRef> Text = O.getString("rewritten"))
      W.Rewritten = Text->str();
    return true;
  };
  // An image cannot end before a texel.
  const bool IsBuffer = Ready.Values[Argument].K == ArgumentValue::Kind::Buffer;
  if (IsBuffer && !findOclgrind(P.Request->Options).empty()) {
    ChildTask Task = quickTask();
    Task.OnMessage = onMessage;
    Task.Work = [&](Channel &Out) {
      PreparedInput Cut = Ready;
      ArgumentValue &V = Cut.Values[Argument];
      if (Offset > 0) {
        V.Data.resize(Offset);
      } else {
        // A buffer cannot have 0 bytes: pass the null pointer, whose address is 0 too.
        V.K = ArgumentValue::Kind::Scalar;
        V.Data.assign(sizeof(void *), 0);
      }
      underOclgrind(P, In, Cut, [&](bool Rewritten, StringRef Log) {
        std::string Item = NoItem;
        for (const OclgrindStore &S : invalidStores(Log))
          if (S.Offset < Offset + T.Size && S.Offset + S.Bytes > Offset)
            Item = S.Item;
        Out.send(Rewritten ? "rewritten" : "original", Item);
      });
    };
    runChild(std::move(Task));
  }
  if (W.Original.empty() || W.Rewritten.empty()) {
    Witness Known = W;
    ChildTask Task = quickTask();
    Task.OnMessage = onMessage;
    Task.Work = [&](Channel &Out) {
      Expected<Device> D = Device::open({std::string(), P.Request->Options.Platform});
      if (!D)
        return consumeError(D.takeError());
      Bisection B(P, In, Ready, Argument, Offset, T.Size, *D);
      if (Known.Original.empty())
        Out.send("original", B.original());
      if (Known.Rewritten.empty())
        Out.send("rewritten", B.rewritten());
    };
    runChild(std::move(Task));
  }
  return W;
}

std::string findInvalidAccess(const TestPlan &P, const TestInput &In, const PreparedInput &Ready) {
  std::string Item;
  if (In.Items > MostItems || findOclgrind(P.Request->Options).empty())
    return Item;
  ChildTask Task = quickTask();
  Task.OnMessage = [&Item](const json::Object &O) {
    if (std::optional<StringRef> Text = O.getString("item"))
      Item = Text->str();
    return true;
  };
  Task.Work = [&](Channel &Out) {
    underOclgrind(P, In, Ready, [&](bool Rewritten, StringRef Log) {
      if (!Rewritten)
        return;
      for (const auto &[Kind, Message] : parseLog(Log))
        if (errorClass(Kind) == "memory") {
          Out.send("item", entityOf(Message));
          return;
        }
    });
  };
  runChild(std::move(Task));
  return Item;
}

std::string findOriginalRace(const TestPlan &P, const TestInput &In, const PreparedInput &Ready) {
  std::string Race;
  if (In.Items > MostItems || findOclgrind(P.Request->Options).empty())
    return Race;
  ChildTask Task = quickTask();
  Task.OnMessage = [&Race](const json::Object &O) {
    if (std::optional<StringRef> Text = O.getString("race"))
      Race = Text->str();
    return true;
  };
  Task.Work = [&](Channel &Out) {
    setenv("OCLGRIND_DATA_RACES", "1", 1);
    underOclgrind(P, In, Ready, [&](bool Rewritten, StringRef Log) {
      if (Rewritten)
        return;
      for (const auto &[Kind, Message] : parseLog(Log))
        if (errorClass(Kind) == "race") {
          Out.send("race", inOneLine(Message));
          return;
        }
    });
  };
  runChild(std::move(Task));
  return Race;
}

} // namespace clmali::verify
