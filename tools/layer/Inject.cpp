//===- Inject.cpp - launches judged rewrites in place of the originals ------------------------===//

#include "tools/layer/Inject.h"
#include "tools/layer/Copy.h"
#include "tools/layer/Exchange.h"
#include "tools/layer/Files.h"
#include "tools/layer/Replacement.h"
#include "tools/layer/Worker.h"
#include "tools/layer/text/Json.h"
#include "tools/layer/text/Sha256.h"
#include <algorithm>
#include <cstdio>
#include <optional>
#include <unistd.h>

namespace clmali::layer {
namespace {

/// Copies of --check above this size are not made.
constexpr size_t MostCheckedBytes = 256ul << 20;

/// What the report says of one kernel.
struct KernelReport {
  uint64_t Injected = 0, Checked = 0, Differing = 0;
  uint64_t Nanoseconds = 0, Timed = 0;                      ///< of injected launches
  uint64_t CheckedNanoseconds = 0, OriginalNanoseconds = 0; ///< of checked launches, both ways
  std::map<std::string, uint64_t> Left;                     ///< launches of the original, by reason
  std::map<std::string, uint64_t> Kernels; ///< launches of rewritten kernels, by name
};

struct Injection {
  std::vector<ProgramRecipe> Recipes;
  std::vector<std::string> Problems;
  std::mutex Lock; // of what follows
  std::map<std::string, KernelReport> Kernels;
  pid_t Process = getpid();

  static Injection &get() {
    static auto *I = new Injection;
    return *I;
  }
  template <typename Change> void count(const std::string &Kernel, Change Apply) {
    std::lock_guard<std::mutex> Guard(Lock);
    Apply(Kernels[Kernel]);
  }
};

/// The first commands of events that stand for several launches.
class FirstEvents {
public:
  static FirstEvents &get() {
    static auto *F = new FirstEvents;
    return *F;
  }
  void add(cl_event Last, cl_event First) {
    std::unique_lock<std::shared_mutex> Guard(Lock);
    All[Last] = First;
    Any = true;
  }
  cl_event find(cl_event Last) const {
    if (!Any)
      return nullptr;
    std::shared_lock<std::shared_mutex> Guard(Lock);
    auto It = All.find(Last);
    return It == All.end() ? nullptr : It->second;
  }
  void forget(cl_event Last) {
    std::unique_lock<std::shared_mutex> Guard(Lock);
    if (auto It = All.find(Last); It != All.end()) {
      Next->clReleaseEvent(It->second);
      All.erase(It);
    }
  }

private:
  mutable std::shared_mutex Lock;
  std::unordered_map<cl_event, cl_event> All;
  std::atomic<bool> Any{false};
};

std::string deviceText(cl_device_id Device, cl_device_info What) {
  char Text[1024] = "";
  Next->clGetDeviceInfo(Device, What, sizeof Text, Text, nullptr);
  return Text;
}

bool isJudgedOn(const ProgramRecipe &R, cl_device_id Device) {
  cl_platform_id Platform = nullptr;
  char Name[1024] = "";
  Next->clGetDeviceInfo(Device, CL_DEVICE_PLATFORM, sizeof Platform, &Platform, nullptr);
  Next->clGetPlatformInfo(Platform, CL_PLATFORM_NAME, sizeof Name, Name, nullptr);
  return R.Platform == Name && R.Device == deviceText(Device, CL_DEVICE_NAME) &&
         R.Driver == deviceText(Device, CL_DRIVER_VERSION);
}

/// True if the included files are those that the rewrite was made with.
bool includesAreSame(const ProgramRecipe &R) {
  return std::all_of(R.Includes.begin(), R.Includes.end(), [](const auto &I) {
    std::optional<std::string> Text = readFile(I.first);
    return Text && "sha256:" + sha256(*Text) == I.second;
  });
}

std::vector<cl_device_id> devicesOf(const ProgramState &P, cl_uint Count,
                                    const cl_device_id *Devices) {
  if (Devices)
    return {Devices, Devices + Count};
  size_t Bytes = 0;
  Next->clGetContextInfo(P.Context, CL_CONTEXT_DEVICES, 0, nullptr, &Bytes);
  std::vector<cl_device_id> All(Bytes / sizeof(cl_device_id));
  Next->clGetContextInfo(P.Context, CL_CONTEXT_DEVICES, Bytes, All.data(), nullptr);
  return All;
}

uint64_t duration(cl_event From, cl_event To) {
  cl_ulong Start = 0, End = 0;
  if (Next->clGetEventProfilingInfo(From, CL_PROFILING_COMMAND_START, sizeof Start, &Start,
                                    nullptr) != CL_SUCCESS ||
      Next->clGetEventProfilingInfo(To, CL_PROFILING_COMMAND_END, sizeof End, &End, nullptr) !=
          CL_SUCCESS)
    return 0;
  return End > Start ? End - Start : 0;
}

/// Runs the original on copies of the buffers, to compare it with an injected launch.
class Check {
public:
  /// Null: this launch cannot be checked.
  static std::unique_ptr<Check> begin(KernelState &K, const Launch &L) {
    std::unique_ptr<Check> C(new Check(K, L));
    return C->copyBuffers() ? std::move(C) : nullptr;
  }
  ~Check() {
    for (const auto &[Real, Copy] : Copies)
      Next->clReleaseMemObject(Copy);
  }

  /// After the injected launch, whose first and last event are given.
  void end(cl_event First, cl_event Last) {
    InjectedKernel &I = *K.Injected;
    for (cl_uint A = 0; A < K.Arguments.size(); ++A) {
      const ArgumentValue &V = K.Arguments[A];
      auto It = Copies.find(isBuffer(A) ? V.memory() : nullptr);
      const void *Data = V.K == ArgumentValue::Kind::Value ? V.Bytes.data() : nullptr;
      if (It != Copies.end())
        Data = &It->second;
      if (Next->clSetKernelArg(I.Original, A, V.Size, Data) != CL_SUCCESS)
        return;
    }
    Launch Mine = L;
    Event Done;
    Mine.Kernel = I.Original;
    Mine.WaitCount = 0;
    Mine.Waits = nullptr;
    Mine.Event = Done.into();
    if (Mine.enqueue() != CL_SUCCESS)
      return;
    Injection::get().count(K.Name, [](KernelReport &R) { ++R.Checked; });
    compareBuffers(Done);
    time(First, Last, Done.get());
  }

private:
  Check(KernelState &K, const Launch &L) : K(K), L(L), Queue(queueInfo(L.Queue)) {}

  bool isBuffer(cl_uint A) const {
    const KernelRecipe::Argument &R = K.Injected->Recipe.Arguments[A];
    return R.IsBuffer && K.Arguments[A].memory();
  }
  bool copyBuffers() {
    if (!Queue.InOrder || !K.Injected->Original || !K.Injected->Recipe.Exact)
      return false;
    size_t Bytes = 0;
    for (cl_uint A = 0; A < K.Arguments.size(); ++A)
      if (isBuffer(A) && K.Injected->Recipe.Arguments[A].Written &&
          !Copies.count(K.Arguments[A].memory())) {
        MemoryInfo M = memoryInfo(K.Arguments[A].memory());
        Bytes += M.Size;
        Event Done;
        cl_mem Copy = Bytes > MostCheckedBytes || M.Parent
                          ? nullptr
                          : copyAlike(L.Queue, Queue.Context, K.Arguments[A].memory(), M,
                                      L.WaitCount, L.Waits, Done);
        if (!Copy)
          return false;
        Copies[K.Arguments[A].memory()] = Copy;
      }
    return !Copies.empty();
  }

  struct Pair {
    std::mutex Lock;
    std::optional<std::string> Injected, Original;
  };
  void compareBuffers(const Event &Done) {
    for (auto &[Real, Copy] : Copies) {
      const MemoryInfo Of = memoryInfo(Real);
      Event After, Copied;
      cl_mem Result = copyToBuffer(L.Queue, Queue.Context, Real, Of, 0, nullptr, After);
      if (!Result)
        continue;
      const cl_event Ran = Done.get();
      cl_mem Other = copyToBuffer(L.Queue, Queue.Context, Copy, Of, 1, &Ran, Copied);
      auto Both = std::make_shared<Pair>();
      std::string Name = K.Name;
      std::shared_ptr<InjectedKernel> I = K.Injected;
      auto take = [Both, Name, I](std::optional<std::string> Pair::*Which, const std::string *D) {
        std::lock_guard<std::mutex> Guard(Both->Lock);
        if (!D)
          return;
        (*Both).*Which = *D;
        if (Both->Injected && Both->Original && *Both->Injected != *Both->Original)
          differs(Name, *I);
      };
      readAndRelease(L.Queue, Result, Of.Size, After,
                     [take](const std::string *D) { take(&Pair::Injected, D); });
      if (Other)
        readAndRelease(L.Queue, Other, Of.Size, Copied,
                       [take](const std::string *D) { take(&Pair::Original, D); });
    }
  }
  static void differs(const std::string &Name, InjectedKernel &I) {
    I.Recipe.State->Failed = true;
    Injection::get().count(Name, [](KernelReport &R) { ++R.Differing; });
    std::fprintf(stderr,
                 "clmali: kernel %s: the injected launch gave another result than the original; "
                 "the original runs from now on\n",
                 Name.c_str());
  }
  void time(cl_event First, cl_event Last, cl_event Original) {
    if (!First || !Last)
      return;
    for (cl_event E : {First, Last, Original})
      Next->clRetainEvent(E);
    std::string Name = K.Name;
    whenDone(Original, [=](cl_int Status) {
      if (Status == CL_COMPLETE)
        Injection::get().count(Name, [=](KernelReport &R) {
          R.CheckedNanoseconds += duration(First, Last);
          R.OriginalNanoseconds += duration(Original, Original);
        });
      Next->clReleaseEvent(First);
      Next->clReleaseEvent(Last);
    });
  }

  KernelState &K;
  const Launch &L;
  QueueInfo Queue;
  std::map<cl_mem, cl_mem> Copies; ///< of the buffers that the kernel writes
};

/// Enqueues the launches, each after the one before.
class Sequence {
public:
  Sequence(const Launch &L, const std::vector<ResolvedLaunch> &All, bool WantsEvents)
      : L(L), All(All), WantsEvents(WantsEvents || L.Event) {}

  /// \p Started: at least one launch was accepted, so that the original must not run any more.
  cl_int enqueue(bool &Started) {
    for (size_t I = 0; I < All.size(); ++I) {
      const ResolvedLaunch &R = All[I];
      const bool IsLast = I + 1 == All.size();
      Event Done;
      cl_event After = Last.get();
      cl_int Error = Next->clEnqueueNDRangeKernel(
          L.Queue, R.Kernel, R.Dimensions, R.Offset, R.Global, R.local(), I ? 1 : L.WaitCount,
          I ? &After : L.Waits, !IsLast || WantsEvents ? Done.into() : nullptr);
      if (Error != CL_SUCCESS)
        return Error;
      Started = true;
      if (I == 0 && Done.get()) {
        Next->clRetainEvent(Done.get());
        First = Event(Done.get());
      }
      Last = std::move(Done);
    }
    return CL_SUCCESS;
  }
  Event First, Last;

private:
  const Launch &L;
  const std::vector<ResolvedLaunch> &All;
  const bool WantsEvents;
};

cl_int original(KernelState &K, const Launch &L, const std::string &Why) {
  noteLeft(K.Name, Why);
  return L.enqueue();
}

/// The program gets the event of the last launch; the report its time.
void handOver(KernelState &K, const Launch &L, Sequence &S) {
  if (!Set.Report.empty() && S.First.get()) {
    cl_event First = S.First.get(), Last = S.Last.get();
    Next->clRetainEvent(First);
    Next->clRetainEvent(Last);
    std::string Name = K.Name;
    whenDone(Last, [=](cl_int Status) {
      if (Status == CL_COMPLETE)
        Injection::get().count(Name, [=](KernelReport &R) {
          R.Nanoseconds += duration(First, Last);
          ++R.Timed;
        });
      Next->clReleaseEvent(First);
    });
  }
  if (!L.Event)
    return;
  *L.Event = S.Last.take();
  if (S.First.get() != *L.Event)
    FirstEvents::get().add(*L.Event, S.First.take());
}

} // namespace

void loadInjection() {
  Injection &I = Injection::get();
  I.Recipes = readRecipes(Set.InjectFolder, I.Problems);
  for (const std::string &P : I.Problems)
    std::fprintf(stderr, "clmali: %s\n", P.c_str());
  for (const ProgramRecipe &P : I.Recipes)
    for (const KernelRecipe &K : P.Kernels)
      for (const std::string &Name : K.AsBuffers)
        if (auto It = K.Formats.find(Name); It != K.Formats.end())
          makeFromBuffers(It->second);
  log("%zu rewritten programs", I.Recipes.size());
}

void injectProgram(ProgramState &P, cl_uint DeviceCount, const cl_device_id *Devices) {
  P.Injected.reset();
  const std::vector<std::string> Options = normalizedOptions(P.Options);
  for (const ProgramRecipe &R : Injection::get().Recipes) {
    const bool Same = R.SourceSha == P.Sha || (!P.Identity.empty() && R.Identity == P.Identity);
    if (!Same || R.Options != Options)
      continue;
    std::vector<cl_device_id> Judged = devicesOf(P, DeviceCount, Devices);
    std::erase_if(Judged, [&](cl_device_id D) { return !isJudgedOn(R, D); });
    if (Judged.empty() || !includesAreSame(R)) {
      std::string Why =
          Judged.empty() ? "another device than was judged" : "an included file was changed";
      for (const KernelRecipe &K : R.Kernels)
        noteLeft(K.Original, Why);
      return;
    }
    const char *Text = R.Rewritten.c_str();
    const size_t Length = R.Rewritten.size();
    cl_int Error = CL_SUCCESS;
    cl_program Hidden = Next->clCreateProgramWithSource(P.Context, 1, &Text, &Length, &Error);
    if (Hidden && Next->clBuildProgram(Hidden, Judged.size(), Judged.data(), P.Options.c_str(),
                                       nullptr, nullptr) == CL_SUCCESS) {
      P.Injected = std::make_shared<InjectedProgram>(Hidden, R, std::move(Judged));
      return;
    }
    if (Hidden)
      Next->clReleaseProgram(Hidden);
    for (const KernelRecipe &K : R.Kernels)
      noteLeft(K.Original, "the rewritten program does not build here");
    return;
  }
}

void injectKernel(cl_kernel Handle, KernelState &K) {
  const std::shared_ptr<InjectedProgram> P = K.Program->Injected;
  if (!P)
    return;
  for (const KernelRecipe &R : P->Recipe.Kernels) {
    if (R.Original != K.Name)
      continue;
    if (Set.RequireProved && !R.Proved)
      return noteLeft(K.Name, "it is only tested, and a proof is required");
    std::string Why;
    K.Injected = InjectedKernel::make(P, R, K.Arguments.size(), Why);
    if (!K.Injected)
      return noteLeft(K.Name, Why);
    cl_program Program = nullptr;
    Next->clGetKernelInfo(Handle, CL_KERNEL_PROGRAM, sizeof Program, &Program, nullptr);
    cl_int Error = CL_SUCCESS;
    if (Set.CheckEvery)
      K.Injected->Original = Next->clCreateKernel(Program, K.Name.c_str(), &Error);
    log("kernel %s is replaced", K.Name.c_str());
  }
}

void injectArgument(KernelState &K, cl_uint Index) {
  if (!K.Injected->setArgument(Index, K.Arguments[Index]))
    K.Injected->Broken = "an argument was refused";
}

cl_int injectLaunch(KernelState &K, const Launch &L) {
  std::lock_guard<std::mutex> Guard(K.Lock);
  InjectedKernel &I = *K.Injected;
  if (!I.Broken.empty() || !K.Left.empty())
    return original(K, L, I.Broken.empty() ? K.Left : I.Broken);
  if (I.Recipe.State->Failed)
    return original(K, L, "a check found another result");
  std::string Why;
  std::vector<ResolvedLaunch> All =
      I.resolve(L.Queue, L.Dimensions, L.Offset, L.Global, L.Local, Why);
  if (All.empty())
    return original(K, L, Why);
  std::unique_ptr<Check> Checked;
  if (Set.CheckEvery && ++I.Recipe.State->Launches % Set.CheckEvery == 0)
    Checked = Check::begin(K, L);
  Sequence S(L, All, !Set.Report.empty() || Checked);
  bool Started = false;
  cl_int Error = S.enqueue(Started);
  if (Error != CL_SUCCESS && !Started)
    return original(K, L, "the device refused the launch");
  if (Error != CL_SUCCESS)
    return Error;
  Injection::get().count(K.Name, [&](KernelReport &R) {
    ++R.Injected;
    for (const ResolvedLaunch &Part : All)
      ++R.Kernels[I.Recipe.Launches[Part.Index].Kernel];
  });
  if (Checked)
    Checked->end(S.First.get(), S.Last.get());
  handOver(K, L, S);
  return CL_SUCCESS;
}

void noteLeft(const std::string &Kernel, const std::string &Why) {
  if (!Set.injects())
    return;
  log("kernel %s: the original runs: %s", Kernel.c_str(), Why.c_str());
  Injection::get().count(Kernel, [&](KernelReport &R) { ++R.Left[Why]; });
}

cl_event firstOf(cl_event Last) { return FirstEvents::get().find(Last); }
void forgetEvent(cl_event Last) { FirstEvents::get().forget(Last); }

/// {"name":1,"other":2}
static std::string countsText(const std::map<std::string, uint64_t> &Counts) {
  std::string Text = "{";
  for (const auto &[Name, Count] : Counts)
    Text += (Text.size() > 1 ? "," : "") + quoted(Name) + ":" + std::to_string(Count);
  return Text + "}";
}

void finishInjection() {
  Injection &I = Injection::get();
  if (!Set.injects() || Set.Report.empty() || getpid() != I.Process)
    return;
  drain(2000);
  std::lock_guard<std::mutex> Guard(I.Lock);
  if (I.Kernels.empty() && I.Problems.empty())
    return; // a process that does not use OpenCL
  std::string T = "{\"version\":1,\"process\":" + std::to_string(getpid()) + ",\"problems\":[";
  for (size_t P = 0; P < I.Problems.size(); ++P)
    T += (P ? "," : "") + quoted(I.Problems[P]);
  T += "],\"kernels\":[";
  bool First = true;
  for (const auto &[Name, R] : I.Kernels) {
    auto number = [&](const char *Key, uint64_t Value) {
      T += std::string(",\"") + Key + "\":" + std::to_string(Value);
    };
    T += (First ? "\n  {" : ",\n  {") + ("\"kernel\":" + quoted(Name));
    number("injected", R.Injected);
    number("checked", R.Checked);
    number("differing", R.Differing);
    number("nanoseconds", R.Nanoseconds);
    number("timed", R.Timed);
    number("checkedNanoseconds", R.CheckedNanoseconds);
    number("originalNanoseconds", R.OriginalNanoseconds);
    T += ",\"original\":" + countsText(R.Left) + ",\"kernels\":" + countsText(R.Kernels) + "}";
    First = false;
  }
  appendFile(Set.Report, T + "\n]}\n");
}

} // namespace clmali::layer
