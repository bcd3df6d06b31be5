//===- Record.cpp - writes what the program launches ------------------------------------------===//

#include "tools/layer/Record.h"
#include "tools/layer/Copy.h"
#include "tools/layer/Files.h"
#include "tools/layer/Pretend.h"
#include "tools/layer/Worker.h"
#include "tools/layer/text/Json.h"
#include <algorithm>
#include <cstring>
#include <ctime>
#include <optional>
#include <set>
#include <unistd.h>

namespace clmali::layer {
namespace {

/// Limits of what is kept; the counts go on.
constexpr unsigned MostShapes = 200;             // of one kernel
constexpr unsigned SampledShapes = 4;            // with contents, for --data=sampled
constexpr size_t MostSampledBytes = 128ul << 20; // of all buffers of a launch
constexpr size_t MostPendingBytes = 512ul << 20; // of copies that are not written yet

/// One shape of a kernel's launches: sizes, values of the scalars, geometry.
struct Shape {
  unsigned Number = 0;
  uint64_t Launches = 0;
  std::atomic<uint64_t> Nanoseconds{0}, Timed{0};
};

struct KernelRecord {
  std::map<std::string, std::unique_ptr<Shape>> Shapes; ///< by their text
  uint64_t MoreLaunches = 0;                            ///< of shapes above MostShapes
};

class Recorder {
public:
  static Recorder &get() {
    static auto *R = new Recorder;
    return *R;
  }
  cl_int launch(KernelState &K, const Launch &L);
  void note(const std::string &What, const std::string &Why) {
    std::lock_guard<std::mutex> Guard(Lock);
    ++Unrecorded[{What, Why}];
  }
  void count(const std::string &Call) {
    std::lock_guard<std::mutex> Guard(Lock);
    ++Calls[Call];
  }
  void failedBuild(const std::string &Log) {
    std::lock_guard<std::mutex> Guard(Lock);
    if (FailedBuild.empty())
      FailedBuild = Log;
  }
  void finish();

private:
  Recorder()
      : Process(getpid()), Folder(Set.RecordFolder + "/raw/" + std::to_string(std::time(nullptr)) +
                                  "-" + std::to_string(getpid())) {}
  bool writeProgram(const ProgramState &P);
  void writeDevice(cl_device_id Device);
  std::string counts(bool Complete);
  Shape *shapeOf(const KernelState &K, const std::string &Text, bool &IsNew, bool &WithData);

  const pid_t Process;
  const std::string Folder;
  std::mutex Lock; // of what follows
  std::map<std::string, KernelRecord> Kernels;
  std::map<std::pair<std::string, std::string>, uint64_t> Unrecorded;
  std::map<std::string, uint64_t> Calls;
  std::string FailedBuild;       ///< its log
  std::set<std::string> Written; ///< programs
  std::set<cl_device_id> Devices;
  unsigned Shapes = 0;
  std::atomic<size_t> Pending{0};

  friend class LaunchRecord;
};

/// The buffer that holds the memory of a sub-buffer, or of an image that was made from a buffer,
/// which may be a sub-buffer itself.
cl_mem rootOf(cl_mem M, const MemoryInfo &Info) {
  if (!Info.Parent)
    return M;
  cl_mem Whole = memoryInfo(Info.Parent).Parent;
  return Whole ? Whole : Info.Parent;
}

cl_sampler samplerOf(const ArgumentValue &V) {
  cl_sampler S = nullptr;
  if (V.K == ArgumentValue::Kind::Value && V.Bytes.size() == sizeof S)
    std::memcpy(&S, V.Bytes.data(), sizeof S);
  return S;
}

/// What keeps a launch from being recorded as a launch file; empty: nothing.
std::string obstacle(const KernelState &K, const std::vector<MemoryInfo> &Memory) {
  if (K.Program->Origin != "source")
    return "a program from " + K.Program->Origin + ", without source";
  if (!K.Left.empty())
    return K.Left;
  if (!K.InfosKnown)
    return "the implementation gives no names of arguments";
  for (size_t I = 0; I < K.Arguments.size(); ++I) {
    if (K.Infos[I].isImage() &&
        (!Memory[I].Image.Type || formatName(Memory[I].Image.Format).empty()))
      return "an image of a format that launch files do not have";
    if (SamplerInfo S; K.Infos[I].isSampler() && !samplerInfo(samplerOf(K.Arguments[I]), S))
      return "a sampler of an unknown kind";
    if (K.Arguments[I].K == ArgumentValue::Kind::Unset)
      return "an argument that was set by a way that the layer does not see";
    for (size_t J = 0; J < I; ++J) {
      if (!Memory[I].Size || !Memory[J].Size)
        continue;
      cl_mem A = K.Arguments[I].memory(), B = K.Arguments[J].memory();
      if (A != B && rootOf(A, Memory[I]) == rootOf(B, Memory[J]))
        return "two parts of one buffer as arguments";
    }
  }
  return {};
}

std::string hex(const std::vector<unsigned char> &Bytes) {
  static constexpr char Digits[] = "0123456789abcdef";
  std::string Text;
  for (unsigned char B : Bytes) {
    Text += Digits[B >> 4];
    Text += Digits[B & 15];
  }
  return Text;
}

std::string list(const size_t *Values, cl_uint Count) {
  std::string Text = "[";
  for (cl_uint I = 0; I < Count; ++I)
    Text += (I ? "," : "") + std::to_string(Values[I]);
  return Text + "]";
}

/// Include folders of build options may be relative to it.
const std::string &workingFolder() {
  static const auto *Folder = [] {
    char Path[4096] = "";
    return new std::string(getcwd(Path, sizeof Path) ? Path : "");
  }();
  return *Folder;
}

/// A launch in JSON, without the contents of its buffers.
class LaunchText {
public:
  LaunchText(const KernelState &K, const Launch &L, const std::vector<MemoryInfo> &Memory)
      : K(K), L(L), Memory(Memory) {}

  /// \p Files: where the contents of argument I are written; empty: they are not.
  std::string text(const std::string &Why, const std::vector<std::string> &Files) const {
    std::string T = "\"program\":" + quoted(K.Program->Sha) +
                    ",\"options\":" + quoted(K.Program->Options) +
                    ",\"folder\":" + quoted(workingFolder()) + ",\"kernel\":" + quoted(K.Name) +
                    ",\"global\":" + list(L.Global, L.Dimensions);
    if (L.Local)
      T += ",\"local\":" + list(L.Local, L.Dimensions);
    if (L.Offset && std::any_of(L.Offset, L.Offset + L.Dimensions, [](size_t V) { return V; }))
      T += ",\"offset\":" + list(L.Offset, L.Dimensions);
    if (!Why.empty())
      T += ",\"why\":" + quoted(Why);
    T += ",\"args\":[";
    for (size_t I = 0; I < K.Arguments.size(); ++I)
      T += (I ? ",{" : "{") + argument(I, I < Files.size() ? Files[I] : "") + "}";
    return T + "]";
  }

private:
  std::string argument(size_t I, const std::string &File) const {
    const ArgumentInfo &A = K.Infos[I];
    const ArgumentValue &V = K.Arguments[I];
    std::string T = "\"name\":" + quoted(A.Name) + ",\"type\":" + quoted(A.Type);
    if (SamplerInfo S; A.isSampler() && samplerInfo(samplerOf(V), S))
      return T + ",\"sampler\":{\"coords\":" + quoted(S.Coordinates) +
             ",\"address\":" + quoted(S.Address) + ",\"filter\":" + quoted(S.Filter) + "}";
    if (Memory[I].Image.Type)
      T += image(I);
    if (Memory[I].Size) {
      for (size_t J = 0; J < I; ++J)
        if (Memory[J].Size && K.Arguments[J].memory() == V.memory())
          return T + ",\"buffer\":" + std::to_string(Memory[I].Size) +
                 ",\"const\":" + (A.isConst() ? "true" : "false") +
                 ",\"same\":" + std::to_string(J);
      T += ",\"buffer\":" + std::to_string(Memory[I].Size) +
           ",\"const\":" + (A.isConst() ? "true" : "false");
      if (!File.empty())
        T += ",\"file\":" + quoted(File);
      return T;
    }
    const bool IsNull = V.K == ArgumentValue::Kind::Null ||
                        (V.K == ArgumentValue::Kind::Value && A.isPointer() && !V.memory());
    if (IsNull)
      return T + ",\"null\":true";
    if (V.K == ArgumentValue::Kind::Local)
      return T + ",\"local\":" + std::to_string(V.Size);
    return T + ",\"value\":\"" + hex(V.Bytes) + "\"";
  }

  std::string image(size_t I) const {
    const ImageInfo &Of = Memory[I].Image;
    const unsigned Axes = Of.Dimensions - Of.IsArray;
    auto number = [](const char *Key, size_t Value) {
      return ",\"" + std::string(Key) + "\":" + std::to_string(Value);
    };
    std::string T = ",\"image\":{\"kind\":\"" + std::string(kindName(Of.Type)) + "\"" +
                    number("order", Of.Format.image_channel_order) +
                    number("type", Of.Format.image_channel_data_type) +
                    number("width", Of.Extents[0]) +
                    number("height", Axes > 1 ? Of.Extents[1] : 1) +
                    number("depth", Axes > 2 ? Of.Extents[2] : 1) +
                    number("layers", Of.IsArray ? Of.Extents[Axes] : 1);
    if (Of.Buffer)
      T += ",\"bufferOf\":true";
    const cl_uint Access = K.Infos[I].Access;
    return T + "},\"access\":\"" +
           (Access == CL_KERNEL_ARG_ACCESS_WRITE_ONLY   ? "write_only"
            : Access == CL_KERNEL_ARG_ACCESS_READ_WRITE ? "read_write"
                                                        : "read_only") +
           "\"";
  }

  const KernelState &K;
  const Launch &L;
  const std::vector<MemoryInfo> &Memory;
};

std::vector<MemoryInfo> memoryOf(const KernelState &K) {
  std::vector<MemoryInfo> Memory(K.Arguments.size());
  for (size_t I = 0; I < Memory.size(); ++I)
    if (K.InfosKnown && !K.Infos[I].isSampler() && (K.Infos[I].isPointer() || K.Infos[I].isImage()))
      if (cl_mem M = K.Arguments[I].memory())
        Memory[I] = memoryInfo(M);
  return Memory;
}

/// Copies of the buffers and images of one launch, before and after it.
class Snapshot {
public:
  Snapshot(KernelState &K, const Launch &L, const std::vector<MemoryInfo> &Memory,
           std::atomic<size_t> &Pending)
      : K(K), L(L), Memory(Memory), Pending(Pending), Queue(queueInfo(L.Queue)) {}

  /// Enqueues copies of the buffers and images; the launch must wait for them.
  void before(const std::string &Stem, const std::string &Folder) {
    Files.resize(Memory.size());
    for (size_t I = 0; I < Memory.size(); ++I)
      if (Memory[I].Size && isFirst(I)) {
        std::string Name = Stem + "." + std::to_string(I) + ".bin";
        Event Done;
        if (!take(I, L.WaitCount, L.Waits, Folder + "/" + Name, Done))
          continue;
        Files[I] = Name;
        if (!Queue.InOrder)
          Waits.push_back(std::move(Done));
      }
  }
  /// After the launch, in a queue that runs commands in order: nothing can write in between.
  void after(const std::string &Stem, const std::string &Folder) {
    if (Queue.InOrder)
      for (size_t I = 0; I < Memory.size(); ++I)
        if (!Files[I].empty() && !K.Infos[I].isConst()) {
          Event Done;
          take(I, 0, nullptr, Folder + "/" + Stem + "." + std::to_string(I) + ".after.bin", Done);
        }
  }
  /// The events that the launch waits for.
  std::vector<cl_event> waits() const {
    std::vector<cl_event> All(L.Waits, L.Waits + L.WaitCount);
    for (const Event &E : Waits)
      All.push_back(E.get());
    return All;
  }
  const std::vector<std::string> &files() const { return Files; }

private:
  bool isFirst(size_t I) const {
    for (size_t J = 0; J < I; ++J)
      if (Memory[J].Size && K.Arguments[J].memory() == K.Arguments[I].memory())
        return false;
    return true;
  }
  bool take(size_t I, cl_uint Count, const cl_event *After, const std::string &Path, Event &Done) {
    const size_t Size = Memory[I].Size;
    cl_mem Copy = copyToBuffer(L.Queue, Queue.Context, K.Arguments[I].memory(), Memory[I], Count,
                               After, Done);
    if (!Copy)
      return false;
    Pending += Size;
    readAndRelease(L.Queue, Copy, Size, Done, [this_ = &Pending, Size, Path](const std::string *D) {
      if (D)
        writeFile(Path, *D);
      *this_ -= Size;
    });
    return true;
  }

  KernelState &K;
  const Launch &L;
  const std::vector<MemoryInfo> &Memory;
  std::atomic<size_t> &Pending;
  QueueInfo Queue;
  std::vector<std::string> Files;
  std::vector<Event> Waits;
};

bool Recorder::writeProgram(const ProgramState &P) {
  if (!Written.insert(P.Sha).second)
    return true;
  return makeFolder(Folder) && writeFile(Folder + "/" + P.Sha + ".cl", P.Source);
}

/// The device of a launch, as it is, and as the program saw it.
void Recorder::writeDevice(cl_device_id Device) {
  if (!Devices.insert(Device).second || !makeFolder(Folder))
    return;
  auto text = [&](cl_device_info What) {
    char Text[1024] = "";
    Next->clGetDeviceInfo(Device, What, sizeof Text, Text, nullptr);
    return quoted(Text);
  };
  cl_device_type Type = 0;
  cl_platform_id Platform = nullptr;
  char Name[1024] = "";
  Next->clGetDeviceInfo(Device, CL_DEVICE_TYPE, sizeof Type, &Type, nullptr);
  Next->clGetDeviceInfo(Device, CL_DEVICE_PLATFORM, sizeof Platform, &Platform, nullptr);
  Next->clGetPlatformInfo(Platform, CL_PLATFORM_NAME, sizeof Name, Name, nullptr);
  std::string T = "{\"platform\":" + quoted(Name) + ",\"name\":" + text(CL_DEVICE_NAME) +
                  ",\"driver\":" + text(CL_DRIVER_VERSION) + ",\"type\":\"" +
                  (Type & CL_DEVICE_TYPE_GPU   ? "GPU"
                   : Type & CL_DEVICE_TYPE_CPU ? "CPU"
                                               : "accelerator") +
                  "\"";
  if (!pretendedDevice().empty())
    T += ",\"pretended\":" + quoted(pretendedDevice()) + ",\"family\":" + quoted(pretendedFamily());
  appendFile(Folder + "/devices.json", T + "}\n");
}

Shape *Recorder::shapeOf(const KernelState &K, const std::string &Text, bool &IsNew,
                         bool &WithData) {
  KernelRecord &Of = Kernels[K.Program->Sha + "\n" + K.Program->Options + "\n" + K.Name];
  auto It = Of.Shapes.find(Text);
  IsNew = It == Of.Shapes.end();
  if (IsNew && Of.Shapes.size() >= MostShapes) {
    ++Of.MoreLaunches;
    return nullptr;
  }
  WithData =
      IsNew && (Set.Data == "full" || (Set.Data == "sampled" && Of.Shapes.size() < SampledShapes));
  if (IsNew) {
    It = Of.Shapes.emplace(Text, std::make_unique<Shape>()).first;
    It->second->Number = Shapes++;
  }
  ++It->second->Launches;
  return It->second.get();
}

cl_int Recorder::launch(KernelState &K, const Launch &L) {
  std::lock_guard<std::mutex> OfKernel(K.Lock);
  std::vector<MemoryInfo> Memory = memoryOf(K);
  std::string Why = obstacle(K, Memory);
  LaunchText Text(K, L, Memory);
  bool IsNew = false, WithData = false;
  Shape *S;
  const cl_device_id Device = queueInfo(L.Queue).Device;
  {
    std::lock_guard<std::mutex> Guard(Lock);
    S = shapeOf(K, Text.text(Why, {}), IsNew, WithData);
    if (IsNew && S)
      writeProgram(*K.Program);
    writeDevice(Device);
  }
  if (!S)
    return L.enqueue();
  size_t Bytes = 0;
  for (const MemoryInfo &M : Memory)
    Bytes += M.Size;
  bool Fits =
      Pending + 2 * Bytes <= MostPendingBytes && (Set.Data == "full" || Bytes <= MostSampledBytes);
  std::optional<Snapshot> Copies;
  if (WithData && Fits && Why.empty())
    Copies.emplace(K, L, Memory, Pending);
  Launch Mine = L;
  Event Own;
  std::vector<cl_event> Waits;
  const std::string Stem = std::to_string(S->Number);
  if (Copies) {
    Copies->before(Stem, Folder);
    Waits = Copies->waits();
    Mine.WaitCount = Waits.size();
    Mine.Waits = Waits.empty() ? nullptr : Waits.data();
  }
  if (!Mine.Event)
    Mine.Event = Own.into();
  cl_int Error = Mine.enqueue();
  if (Error != CL_SUCCESS) {
    size_t Items = 1;
    for (cl_uint D = 0; L.Local && D < L.Dimensions; ++D)
      Items *= L.Local[D];
    noteRefusedLaunch(K.Name, Error, Device, Items);
    return Error;
  }
  if (Copies)
    Copies->after(Stem, Folder);
  if (IsNew)
    appendFile(Folder + "/launches.json",
               "{\"shape\":" + Stem + "," +
                   Text.text(Why, Copies ? Copies->files() : std::vector<std::string>()) + "}\n");
  Next->clRetainEvent(*Mine.Event);
  cl_event Timed = *Mine.Event;
  whenDone(Timed, [S, Timed](cl_int Status) {
    cl_ulong Start = 0, End = 0;
    if (Status == CL_COMPLETE &&
        Next->clGetEventProfilingInfo(Timed, CL_PROFILING_COMMAND_START, sizeof Start, &Start,
                                      nullptr) == CL_SUCCESS &&
        Next->clGetEventProfilingInfo(Timed, CL_PROFILING_COMMAND_END, sizeof End, &End, nullptr) ==
            CL_SUCCESS &&
        End >= Start) {
      S->Nanoseconds += End - Start;
      ++S->Timed;
    }
  });
  return Error;
}

void Recorder::finish() {
  if (getpid() != Process)
    return;
  bool Complete = drain(2000);
  std::lock_guard<std::mutex> Guard(Lock);
  makeFolder(Folder);
  writeFile(Folder + "/counts.json", counts(Complete));
}

std::string Recorder::counts(bool Complete) {
  std::string T = "{\"complete\":" + std::string(Complete ? "true" : "false") + ",\"shapes\":[";
  bool First = true;
  for (const auto &[Name, K] : Kernels)
    for (const auto &[Text, S] : K.Shapes) {
      T += (First ? "" : ",") + ("{\"shape\":" + std::to_string(S->Number)) +
           ",\"launches\":" + std::to_string(S->Launches) +
           ",\"nanoseconds\":" + std::to_string(S->Nanoseconds.load()) +
           ",\"timed\":" + std::to_string(S->Timed.load()) + "}";
      First = false;
    }
  T += "],\"more\":[";
  First = true;
  for (const auto &[Name, K] : Kernels)
    if (K.MoreLaunches) {
      T += (First ? "" : ",") + ("{\"kernel\":" + quoted(Name.substr(Name.rfind('\n') + 1))) +
           ",\"launches\":" + std::to_string(K.MoreLaunches) + "}";
      First = false;
    }
  T += "],\"unrecorded\":[";
  First = true;
  for (const auto &[What, Count] : Unrecorded) {
    T += (First ? "" : ",") + ("{\"what\":" + quoted(What.first)) +
         ",\"why\":" + quoted(What.second) + ",\"count\":" + std::to_string(Count) + "}";
    First = false;
  }
  T += "],\"notHonoured\":[";
  First = true;
  for (const std::string &Text : notHonoured()) {
    T += (First ? "" : ",") + quoted(Text);
    First = false;
  }
  T += "],\"failedBuild\":" + quoted(FailedBuild) + ",\"calls\":{";
  First = true;
  for (const auto &[Name, Count] : Calls) {
    T += (First ? "" : ",") + quoted(Name) + ":" + std::to_string(Count);
    First = false;
  }
  return T + "}}\n";
}

} // namespace

cl_int recordLaunch(KernelState &K, const Launch &L) { return Recorder::get().launch(K, L); }

void noteUnrecorded(const std::string &What, const std::string &Why) {
  if (Set.records())
    Recorder::get().note(What, Why);
}

void countCall(const std::string &Name) {
  if (Set.records())
    Recorder::get().count(Name);
}

void noteFailedBuild(const std::string &Log) {
  if (Set.records())
    Recorder::get().failedBuild(Log);
}

void finishRecording() {
  if (Set.records())
    Recorder::get().finish();
}

} // namespace clmali::layer
