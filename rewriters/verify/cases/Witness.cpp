// Who wrote the first element that differs?
//
//   before   a case, its data, a buffer and an element
//   after    the work-item that writes it last, in each of the two programs
//   limits   small cases only; a few seconds
//
// Oclgrind knows: the buffer is cut off right before the element, so every store
// to it is reported, with the work-item and the address. Where Oclgrind cannot
// be asked, the device is: the range is launched in halves until one work-item
// (or one work-group, where the kernel needs groups) is left whose launch alone
// changes the element. That asks for a kernel to which its launch is no matter.
#include "rewriters/verify/cases/Witness.h"
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
constexpr char Nobody[] = "no work-item";

/// In a child: both programs under Oclgrind, on data that may have been cut.
/// Calls \p Visit with the log of each.
void underOclgrind(const TestPlan &P, const TestInput &C, const PreparedCase &Ready,
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
    if (Error E = Runner.buildOriginal(C.Launch, true)) {
      consumeError(std::move(E)); // names of its own: then without
      continue;
    }
    for (bool Rewritten : {false, true}) {
      (void)Log.take();
      Expected<RunResult> R =
          Rewritten ? Runner.rewritten(C, Ready, true, {}) : Runner.original(C, Ready, true, {});
      if (!R) {
        consumeError(R.takeError());
        continue;
      }
      Visit(Rewritten, Log.take());
    }
    return;
  }
}

/// Whether a part of a launch does what it does in the whole.
bool launchMatters(StringRef Source) {
  for (StringRef Word : {"get_group_id", "get_global_size", "get_num_groups", "get_global_offset",
                         "get_global_linear_id", "get_enqueued", "atomic_", "atom_"})
    if (Source.contains(Word))
      return true;
  return false;
}
bool groupsMatter(StringRef Source) {
  for (StringRef Word :
       {"get_local", "barrier", "local", "async_work_group", "reqd_work_group_size", "work_group_"})
    if (Source.contains(Word))
      return true;
  return false;
}

/// In a child: halves on the device.
class Bisection {
public:
  Bisection(const TestPlan &P, const TestInput &C, const PreparedCase &Ready, unsigned Argument,
            size_t Offset, size_t Size, Device &D)
      : P(P), C(C), Ready(Ready), Argument(Argument), Offset(Offset), Size(Size), Runner(D, P) {}

  std::string original() {
    const std::string &Source = P.Request->Original.Source;
    if (launchMatters(Source))
      return {};
    return find(false, {P.Launches[C.Launch].Shape.Name, 0, Ready.Original, {}},
                groupsMatter(Source))
        .value_or(Nobody);
  }
  std::string rewritten() {
    const std::string &Source = P.Request->Rewritten.Source;
    if (launchMatters(Source))
      return {};
    for (const launch::ResolvedLaunch &L : reverse(Ready.Rewritten))
      if (std::optional<std::string> Item = find(true, L, groupsMatter(Source)))
        return *Item;
    return Nobody;
  }

private:
  /// Whether the launch changes the element from one of two fillings.
  bool writes(bool Rewritten, const launch::ResolvedLaunch &L) {
    for (uint8_t Filling : {0x00, 0xff}) {
      PreparedCase One = Ready;
      Bytes &Data = One.Values[Argument].Data;
      std::fill(Data.begin() + Offset, Data.begin() + Offset + Size, Filling);
      One.Original = L.Shape;
      One.Rewritten = {L};
      Expected<RunResult> R =
          Rewritten ? Runner.rewritten(C, One, false, {}) : Runner.original(C, One, false, {});
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

  /// Nothing where the whole launch does not write it; "" where no part does.
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
        // The upper half first: what runs last there counts.
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
  const TestInput &C;
  const PreparedCase &Ready;
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

Witness findWriters(const TestPlan &P, const TestInput &C, const PreparedCase &Ready,
                    unsigned Argument, uint64_t Element) {
  Witness W;
  const ElementType &T = P.Launches[C.Launch].Shape.Params[Argument].Type;
  const size_t Offset = Element * T.Size;
  if (C.Items > MostItems || Argument >= Ready.Values.size() ||
      Ready.Values[Argument].K != ArgumentValue::Kind::Buffer ||
      Offset + T.Size > Ready.Values[Argument].Data.size())
    return W;
  auto onMessage = [&W](const json::Object &O) {
    if (std::optional<StringRef> Text = O.getString("original"))
      W.Original = Text->str();
    if (std::optional<StringRef> Text = O.getString("rewritten"))
      W.Rewritten = Text->str();
    return true;
  };
  if (!findOclgrind(P.Request->Options).empty()) {
    ChildTask Task = quickTask();
    Task.OnMessage = onMessage;
    Task.Work = [&](Channel &Out) {
      PreparedCase Cut = Ready;
      ArgumentValue &V = Cut.Values[Argument];
      if (Offset > 0) {
        V.Data.resize(Offset);
      } else {
        // No buffer is of no bytes: the null pointer, whose address is 0 too.
        V.K = ArgumentValue::Kind::Scalar;
        V.Data.assign(sizeof(void *), 0);
      }
      underOclgrind(P, C, Cut, [&](bool Rewritten, StringRef Log) {
        std::string Item = Nobody;
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
      Bisection B(P, C, Ready, Argument, Offset, T.Size, *D);
      if (Known.Original.empty())
        Out.send("original", B.original());
      if (Known.Rewritten.empty())
        Out.send("rewritten", B.rewritten());
    };
    runChild(std::move(Task));
  }
  return W;
}

std::string findCulprit(const TestPlan &P, const TestInput &C, const PreparedCase &Ready) {
  std::string Item;
  if (C.Items > MostItems || findOclgrind(P.Request->Options).empty())
    return Item;
  ChildTask Task = quickTask();
  Task.OnMessage = [&Item](const json::Object &O) {
    if (std::optional<StringRef> Text = O.getString("item"))
      Item = Text->str();
    return true;
  };
  Task.Work = [&](Channel &Out) {
    underOclgrind(P, C, Ready, [&](bool Rewritten, StringRef Log) {
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

} // namespace clmali::verify
