#include "rewriters/verify/run/Child.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/raw_ostream.h"

#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/ucontext.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace llvm;

namespace clmali::verify {
namespace {

using Clock = std::chrono::steady_clock;

void writeAll(int Descriptor, const char *Data, size_t Size) {
  while (Size > 0) {
    ssize_t Written = ::write(Descriptor, Data, Size);
    if (Written < 0 && errno == EINTR)
      continue;
    if (Written <= 0)
      _exit(3); // the parent is gone
    Data += Written;
    Size -= Written;
  }
}

struct Running {
  ChildTask *Task = nullptr;
  ChildEnd *End = nullptr;
  pid_t Pid = -1;
  int Pipe = -1;
  int Stderr = -1; ///< a memory file
  std::string Pending;
  Clock::time_point Start, LastSign;
  bool Done = false;
};

uint64_t residentBytes(pid_t Pid) {
  char Path[64];
  std::snprintf(Path, sizeof(Path), "/proc/%d/statm", static_cast<int>(Pid));
  std::FILE *F = std::fopen(Path, "r");
  if (!F)
    return 0;
  unsigned long long Total = 0, Resident = 0;
  int Read = std::fscanf(F, "%llu %llu", &Total, &Resident);
  std::fclose(F);
  return Read == 2 ? Resident * static_cast<uint64_t>(sysconf(_SC_PAGESIZE)) : 0;
}

uint64_t halfTheMemory() {
  return static_cast<uint64_t>(sysconf(_SC_PHYS_PAGES)) *
         static_cast<uint64_t>(sysconf(_SC_PAGESIZE)) / 2;
}

[[noreturn]] void childMain(ChildTask &Task, int Pipe, int Stderr) {
  // The child ends when the parent is interrupted.
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  int Null = ::open("/dev/null", O_RDWR);
  if (Null >= 0) {
    dup2(Null, STDIN_FILENO);
    dup2(Null, STDOUT_FILENO);
  }
  if (Stderr >= 0)
    dup2(Stderr, STDERR_FILENO);
  rlimit NoCore{0, 0};
  setrlimit(RLIMIT_CORE, &NoCore);
  // A crash in here must not run the parent's crash handlers.
  for (int Signal : {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGINT, SIGTERM})
    std::signal(Signal, SIG_DFL);
  Channel Out(Pipe);
  Task.Work(Out);
  Out.send("end", true);
  // No destructors and no atexit: OpenCL drivers hang in theirs.
  _exit(0);
}

bool start(Running &R) {
  int Ends[2];
  if (pipe2(Ends, O_CLOEXEC) != 0)
    return false;
  R.Stderr = memfd_create("stderr", MFD_CLOEXEC);
  // Text left in a buffer would be written by both processes.
  std::fflush(nullptr);
  outs().flush();
  R.Pid = fork();
  if (R.Pid == 0) {
    ::close(Ends[0]);
    childMain(*R.Task, Ends[1], R.Stderr);
  }
  ::close(Ends[1]);
  if (R.Pid < 0) {
    ::close(Ends[0]);
    return false;
  }
  R.Pipe = Ends[0];
  R.Start = R.LastSign = Clock::now();
  return true;
}

std::string tailOf(int Descriptor) {
  constexpr off_t Most = 2000;
  if (Descriptor < 0)
    return {};
  off_t Size = lseek(Descriptor, 0, SEEK_END);
  if (Size <= 0)
    return {};
  off_t From = Size > Most ? Size - Most : 0;
  std::string Text(Size - From, '\0');
  ssize_t Read = pread(Descriptor, Text.data(), Text.size(), From);
  Text.resize(Read > 0 ? Read : 0);
  return Text;
}

void finish(Running &R, std::optional<ChildEnd::Kind> Forced) {
  if (Forced)
    kill(R.Pid, SIGKILL);
  int Status = 0;
  while (waitpid(R.Pid, &Status, 0) < 0 && errno == EINTR)
    ;
  if (Forced) {
    R.End->K = *Forced;
  } else if (WIFSIGNALED(Status)) {
    R.End->K = ChildEnd::Kind::Crashed;
    R.End->Signal = WTERMSIG(Status);
  } else if (WEXITSTATUS(Status) != 0) {
    R.End->K = ChildEnd::Kind::Crashed;
  } else {
    R.End->K = ChildEnd::Kind::Finished;
  }
  R.End->Text = tailOf(R.Stderr);
  ::close(R.Pipe);
  if (R.Stderr >= 0)
    ::close(R.Stderr);
  R.Done = true;
}

/// Passes whole lines to the handler; false if the handler stops the child.
bool deliver(Running &R, bool &SawEnd) {
  size_t Newline;
  while ((Newline = R.Pending.find('\n')) != std::string::npos) {
    std::string Line = R.Pending.substr(0, Newline);
    R.Pending.erase(0, Newline + 1);
    Expected<json::Value> V = json::parse(Line);
    if (!V) {
      consumeError(V.takeError());
      continue;
    }
    if (const json::Object *O = V->getAsObject()) {
      if (O->getBoolean("end")) {
        SawEnd = true;
        continue;
      }
      if (R.Task->OnMessage && !R.Task->OnMessage(*O))
        return false;
    }
  }
  return true;
}

/// Reads what the child sent, and ends the child where it is over a limit.
void serve(Running &R, bool Readable) {
  bool Closed = false, SawEnd = false;
  if (Readable) {
    char Buffer[65536];
    ssize_t Read = ::read(R.Pipe, Buffer, sizeof(Buffer));
    if (Read > 0) {
      R.Pending.append(Buffer, Read);
      R.LastSign = Clock::now();
      if (!deliver(R, SawEnd)) {
        finish(R, ChildEnd::Kind::Stopped);
        return;
      }
    } else if (Read == 0 || errno != EINTR) {
      Closed = true;
    }
  }
  if (SawEnd || Closed) {
    finish(R, std::nullopt);
    // A child that ends without the end message did not finish its work.
    if (Closed && !SawEnd && R.End->K == ChildEnd::Kind::Finished)
      R.End->K = ChildEnd::Kind::Crashed;
    return;
  }
  Clock::time_point Now = Clock::now();
  auto since = [Now](Clock::time_point Then) {
    return std::chrono::duration_cast<std::chrono::seconds>(Now - Then).count();
  };
  if (since(R.LastSign) >= R.Task->SilenceSeconds) {
    finish(R, ChildEnd::Kind::Hung);
  } else if (since(R.Start) >= R.Task->TotalSeconds) {
    R.End->OverTotal = true;
    finish(R, ChildEnd::Kind::Hung);
  } else if (residentBytes(R.Pid) > (R.Task->MemoryBytes ? R.Task->MemoryBytes : halfTheMemory())) {
    finish(R, ChildEnd::Kind::Memory);
  }
}

// The data of the fault handler.
int FaultDescriptor = -1;
const std::vector<FaultZone> *FaultZones = nullptr;

void onFault(int Signal, siginfo_t *Info, void *Context) {
  char Line[200];
  int Size = 0;
  uintptr_t Address = reinterpret_cast<uintptr_t>(Info->si_addr);
  // SI_KERNEL: a misaligned or non-canonical access; there is no address.
  bool HasAddress = Info->si_code > 0 && Info->si_code != SI_KERNEL;
  const FaultZone *Hit = nullptr;
  if (HasAddress && FaultZones)
    for (const FaultZone &Z : *FaultZones)
      if (Address >= Z.Begin && Address < Z.End)
        Hit = &Z;
  bool Write = false;
#if defined(__x86_64__)
  Write = (static_cast<ucontext_t *>(Context)->uc_mcontext.gregs[REG_ERR] & 2) != 0;
#endif
  if (Hit)
    Size = std::snprintf(
        Line, sizeof(Line), "{\"fault\":{\"argument\":%u,\"offset\":%lld,\"write\":%s}}\n",
        Hit->Argument, static_cast<long long>(Address) - static_cast<long long>(Hit->PayloadBegin),
        Write ? "true" : "false");
  else
    Size = std::snprintf(Line, sizeof(Line), "{\"fault\":{\"signal\":%d,\"aligned\":%s}}\n", Signal,
                         HasAddress ? "true" : "false");
  if (FaultDescriptor >= 0 && Size > 0) {
    ssize_t Ignored = ::write(FaultDescriptor, Line, Size);
    (void)Ignored;
  }
  _exit(77);
}

} // namespace

void Channel::send(StringRef Key, json::Value What) {
  json::Object Message{{Key, std::move(What)}};
  std::string Line;
  raw_string_ostream OS(Line);
  OS << json::Value(std::move(Message)) << "\n";
  OS.flush();
  writeAll(Descriptor, Line.data(), Line.size());
}

std::vector<ChildEnd> runChildren(std::vector<ChildTask> Tasks) {
  std::vector<ChildEnd> Ends(Tasks.size());
  std::vector<Running> All(Tasks.size());
  for (size_t I = 0; I < Tasks.size(); ++I) {
    All[I].Task = &Tasks[I];
    All[I].End = &Ends[I];
    if (!start(All[I]))
      All[I].Done = true;
  }
  while (true) {
    std::vector<pollfd> Polled;
    std::vector<Running *> Alive;
    for (Running &R : All)
      if (!R.Done) {
        Polled.push_back({R.Pipe, POLLIN, 0});
        Alive.push_back(&R);
      }
    if (Alive.empty())
      return Ends;
    poll(Polled.data(), Polled.size(), 200);
    for (size_t I = 0; I < Alive.size(); ++I) {
      Running &R = *Alive[I];
      serve(R, Polled[I].revents != 0);
      if (R.Done && R.Task->Again && R.Task->Again(*R.End)) {
        Clock::time_point Began = R.Start;
        R.Done = false;
        R.Pending.clear();
        *R.End = ChildEnd();
        if (!start(R))
          R.Done = true;
        R.Start = Began; // the total time is that of the task
      }
    }
  }
}

ChildEnd runChild(ChildTask Task) {
  std::vector<ChildTask> One;
  One.push_back(std::move(Task));
  return runChildren(std::move(One)).front();
}

/// Drivers count processors and memory in /sys and /proc, and some crash where these are not
/// mounted, as in a bare root file system.
static std::string unmounted() {
  std::string Text;
  for (const auto &[Folder, Entry] : {std::pair("/proc", "/proc/self"), {"/sys", "/sys/devices"}})
    if (::access(Entry, F_OK) != 0)
      Text += std::string(Text.empty() ? "" : ", ") + Folder;
  return Text.empty() ? "" : "; OpenCL drivers need what is not mounted here: " + Text;
}

std::string describe(const ChildEnd &End, const ChildTask &Task) {
  switch (End.K) {
  case ChildEnd::Kind::Finished:
    return "finished";
  case ChildEnd::Kind::Stopped:
    return "was stopped";
  case ChildEnd::Kind::Crashed:
    return (End.Signal ? std::string("crashed (") + strsignal(End.Signal) + ")"
                       : std::string("crashed")) +
           unmounted();
  case ChildEnd::Kind::Hung:
    return End.OverTotal ? "took longer than " + std::to_string(Task.TotalSeconds) + " s in all"
                         : "gave no sign of life for " + std::to_string(Task.SilenceSeconds) + " s";
  case ChildEnd::Kind::Memory:
    return "used too much memory";
  case ChildEnd::Kind::NotStarted:
    return "could not be started";
  }
  return "ended";
}

void reportFaults(Channel &Out, const std::vector<FaultZone> &Zones) {
  FaultDescriptor = Out.descriptor();
  FaultZones = &Zones;
  struct sigaction Action;
  std::memset(&Action, 0, sizeof(Action));
  Action.sa_sigaction = onFault;
  Action.sa_flags = SA_SIGINFO;
  sigaction(SIGSEGV, &Action, nullptr);
  sigaction(SIGBUS, &Action, nullptr);
}

} // namespace clmali::verify
