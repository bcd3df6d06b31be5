//===- Run.cpp - one run over all inputs ------------------------------------------------------===//
//
// Host files come first, because the launches that they contain feed the kernel rules. Each is
// parsed to a summary; the linked summaries give the host rules the facts from other files (such as
// a loop around a call of this file's functions). Results and summaries of unchanged files come
// from the cache, separately; a host file is parsed again only if a kernel file, or a change of the
// facts from other files, needs it. Inputs are sorted, so that the result does not depend on their
// order.
//
//===------------------------------------------------------------------------------------------===//

#include "checks/model/host/RecordedLaunches.h"
#include "checks/model/ir/Budget.h"
#include "tools/lint/Cache.h"
#include "tools/lint/Linter.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/ThreadPool.h"
#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

using namespace llvm;
using namespace clmali;
using namespace clmali::lint;

/// Generated kernels reach a few MiB.
static constexpr size_t MaxFileBytes = 16 << 20;

namespace {

Expected<std::string> readInput(const InputFile &In) {
  auto Fail = [](const Twine &Message) {
    return createStringError(inconvertibleErrorCode(), Message);
  };
  std::unique_ptr<MemoryBuffer> Buffer;
  if (In.Text) {
    Buffer = MemoryBuffer::getMemBuffer(*In.Text, In.Name, /*RequiresNullTerminator=*/false);
  } else {
    // The error names the kind: folder, missing file or device.
    sys::fs::file_status Status;
    if (!sys::fs::status(In.Name, Status) && Status.type() != sys::fs::file_type::regular_file &&
        Status.type() != sys::fs::file_type::fifo_file)
      return Fail("this is no regular file; give a source file");
    ErrorOr<std::unique_ptr<MemoryBuffer>> Read =
        MemoryBuffer::getFile(In.Name, /*IsText=*/false, /*RequiresNullTerminator=*/false);
    if (!Read)
      return Fail("cannot read it: " + Read.getError().message());
    Buffer = std::move(*Read);
  }
  StringRef Text = Buffer->getBuffer();
  if (Text.starts_with("\xFF\xFE") || Text.starts_with("\xFE\xFF"))
    return Fail("this is UTF-16 text; save it as UTF-8");
  if (Text.contains('\0'))
    return Fail("this is a binary file, no OpenCL C; give a source file");
  if (Text.size() > MaxFileBytes)
    return Fail("it has " + Twine(Text.size() >> 20) +
                " MiB, which is no source that a person wrote; at most " +
                Twine(MaxFileBytes >> 20) + " MiB are read");
  return Text.str();
}

void merge(Report &Into, Report &&From) {
  auto Append = [](auto &A, auto &B) {
    A.insert(A.end(), std::make_move_iterator(B.begin()), std::make_move_iterator(B.end()));
  };
  Append(Into.Findings, From.Findings);
  Append(Into.Errors, From.Errors);
  Append(Into.Notes, From.Notes);
  Append(Into.Suppressed, From.Suppressed);
  Append(Into.Silenced, From.Silenced);
  Append(Into.Costs, From.Costs);
  Into.FilesSeen += From.FilesSeen;
  Into.KernelsSeen += From.KernelsSeen;
  Into.FromCache += From.FromCache;
  Into.OutOfTime |= From.OutOfTime;
}

template <typename Function> void forEach(size_t Count, unsigned Jobs, Function F) {
  if (Jobs <= 1 || Count <= 1) {
    for (size_t I = 0; I < Count; ++I)
      F(I);
    return;
  }
  DefaultThreadPool Pool(hardware_concurrency(std::min<size_t>(Jobs, Count)));
  std::atomic<size_t> Next{0};
  for (unsigned J = 0; J < std::min<size_t>(Jobs, Count); ++J)
    Pool.async([&] {
      for (size_t I; (I = Next++) < Count;)
        F(I);
    });
  Pool.wait();
}

/// Prints "[12/340] a.cl" on a terminal, once a run has taken a second: the file begun last. A
/// thread prints it, so that a file that takes long is named while it does.
class Progress {
public:
  explicit Progress(size_t Total) : Total(Total) {
    if (errs().is_displayed())
      Printer = std::thread([this] { print(); });
  }
  ~Progress() {
    if (!Printer.joinable())
      return;
    {
      std::lock_guard<std::mutex> Guard(Lock);
      Ended = true;
    }
    Changed.notify_one();
    Printer.join();
    if (Shown)
      errs() << "\r\x1b[K";
  }
  void step(StringRef Name) {
    std::lock_guard<std::mutex> Guard(Lock);
    ++Done;
    Current = Name.str();
  }

private:
  size_t Total, Done = 0, Shown = 0; ///< Shown: the file on the terminal
  bool Ended = false;
  std::string Current;
  std::mutex Lock;
  std::condition_variable Changed;
  std::thread Printer;

  void print() {
    std::unique_lock<std::mutex> Guard(Lock);
    Changed.wait_for(Guard, std::chrono::seconds(1), [&] { return Ended; });
    while (!Ended) {
      if (Done != Shown) {
        StringRef Name = Current;
        errs() << "\r\x1b[K[" << std::min(Done, Total) << "/" << Total << "] "
               << (Name.size() > 60 ? ("..." + Name.take_back(57)).str() : Name.str());
        errs().flush();
        Shown = Done;
      }
      Changed.wait_for(Guard, std::chrono::milliseconds(100), [&] { return Ended; });
    }
  }
};

template <typename Item, typename Function> void sortUnique(std::vector<Item> &List, Function Key) {
  std::stable_sort(List.begin(), List.end(),
                   [&](const Item &A, const Item &B) { return Key(A) < Key(B); });
  List.erase(std::unique(List.begin(), List.end(),
                         [&](const Item &A, const Item &B) { return Key(A) == Key(B); }),
             List.end());
}

/// A finding in a header that two files include is reported once.
void sortAndJoin(Report &R) {
  auto Key = [](const LocatedFinding &F) {
    return std::make_tuple(StringRef(F.At.File), F.At.Line, F.At.Column, StringRef(F.Rule->Id),
                           F.At.Offset + F.At.Length, StringRef(F.Message));
  };
  auto TroubleKey = [](const InputMessage &T) {
    return std::tie(T.File, T.Line, T.Column, T.Message);
  };
  sortUnique(R.Findings, Key);
  sortUnique(R.Suppressed, Key);
  sortUnique(R.Errors, TroubleKey);
  sortUnique(R.Notes, TroubleKey);
}

class Runner {
public:
  explicit Runner(const Options &O) : O(O), Kept(O) {}
  Report run();

private:
  struct HostState {
    std::string Digest;                   ///< of the file and all that it includes; empty: none
    bool Parsed = false;                  ///< in this run
    std::unique_ptr<model::HostModule> M; ///< null: not parsed, or it does not parse
    std::optional<model::CallSummary> Summary;
    Dependencies On;
    model::CrossFileFacts Facts; ///< facts from other files
    std::string FactsKey;
  };
  const Options &O;
  Cache Kept;
  std::vector<InputFile> Inputs;
  std::vector<char> Mine;         ///< in this shard: reported, not only read
  std::vector<std::string> Texts; ///< empty if it could not be read
  std::vector<Report> Parts;
  std::vector<HostState> Hosts; ///< in the order of Inputs
  std::vector<const model::HostModule *> Seen;
  std::optional<HostJoin> Joined;
  std::string HostsDigest;

  std::string keyOf(size_t I, StringRef What) const;
  std::optional<Cache::Entry> kept(size_t I, StringRef What);
  void read(size_t I);
  void outlineHost(size_t I);
  void joinHosts();
  void lintHost(size_t I);
  Report parseHost(size_t I, Dependencies &On);
  std::optional<std::string> textOf(StringRef File) const;
  void lintKernelsOf(size_t I);
  void findUnused(Report &R);
};

/// Everything that a result depends on, apart from included files.
std::string Runner::keyOf(size_t I, StringRef What) const {
  const InputFile &In = Inputs[I];
  std::string Set, Args;
  for (const auto &[Name, Value] : In.Effective->CheckOptions)
    Set += Name + "=" + Value + "\n";
  for (const std::vector<std::string> *List :
       {&In.Effective->KernelArgs, &In.HostArgs, &O.ClangArgs}) {
    for (const std::string &A : *List)
      Args += A + std::string(1, '\0');
    Args += "\1";
  }
  // Kernel rules use the launches of all host files; host rules use their own file and the facts
  // from the others.
  StringRef Others = What == "outline" ? StringRef()
                     : What == "host"  ? StringRef(Hosts[I].FactsKey)
                                       : StringRef(HostsDigest);
  return hashOf({Kept.base(), What, In.Name, Texts[I], Others, utostr(In.Named),
                 utostr(In.Effective->Families), In.Effective->Checks, Set, Args});
}

std::optional<Cache::Entry> Runner::kept(size_t I, StringRef What) {
  if (Inputs[I].Text || !Kept.enabled())
    return std::nullopt;
  return Kept.find(keyOf(I, What));
}

void Runner::read(size_t I) {
  Expected<std::string> Text = readInput(Inputs[I]);
  if (Text)
    Texts[I] = std::move(*Text);
  else
    Parts[I].Errors.push_back({Inputs[I].Name, 0, 0, toString(Text.takeError())});
}

/// Parses a host file and keeps its module.
Report Runner::parseHost(size_t I, Dependencies &On) {
  const InputFile &In = Inputs[I];
  std::vector<std::string> Args = In.HostArgs;
  Args.insert(Args.end(), O.ClangArgs.begin(), O.ClangArgs.end());
  auto Recorder = makeIntrusiveRefCnt<DependencyRecorder>();
  Report Part;
  {
    std::optional<model::FileSystemScope> Scope;
    if (Kept.enabled())
      Scope.emplace(Recorder);
    model::HostParse Parsed = model::isRecordedLaunches(In.Name)
                                  ? model::parseRecordedLaunches(In.Name, Texts[I])
                                  : model::parseHost(In.Name, Texts[I], Args);
    Hosts[I].Parsed = true;
    Part.FilesSeen = 1;
    for (const model::ParseDiagnostic &D : Parsed.Diagnostics)
      if (D.IsError)
        Part.Errors.push_back({D.File, D.Line, D.Column, D.Message});
    Hosts[I].M = std::move(Parsed.M);
  }
  On = std::move(Recorder->Found);
  return Part;
}

void Runner::outlineHost(size_t I) {
  HostState &H = Hosts[I];
  if (std::optional<Cache::Entry> E = kept(I, "outline"); E && E->Summary) {
    Parts[I] = std::move(E->Result);
    Parts[I].FromCache = 1;
    H.On = std::move(E->On);
    H.Summary = std::move(E->Summary);
  } else {
    Parts[I] = parseHost(I, H.On);
    H.Summary = H.M ? std::move(H.M->Summary) : model::CallSummary();
    if (!Inputs[I].Text)
      Kept.store(keyOf(I, "outline"), Parts[I], H.On, &*H.Summary);
  }
  std::string All = keyOf(I, "outline");
  for (const auto &[Path, State] : H.On)
    All += Path + "=" + State + "\n";
  H.Digest = hashOf({All});
}

/// The text of a host file, or of a header of one.
std::optional<std::string> Runner::textOf(StringRef File) const {
  for (size_t I = 0; I < Inputs.size(); ++I)
    if (StringRef(Inputs[I].Name) == File)
      return Texts[I];
  ErrorOr<std::unique_ptr<MemoryBuffer>> Read =
      MemoryBuffer::getFile(File, /*IsText=*/false, /*RequiresNullTerminator=*/false);
  return Read ? std::optional((*Read)->getBuffer().str()) : std::nullopt;
}

/// The facts that each host file needs from the others.
void Runner::joinHosts() {
  std::vector<const model::CallSummary *> Summaries;
  std::vector<size_t> Of;
  for (size_t I = 0; I < Hosts.size(); ++I)
    if (Hosts[I].Summary) {
      Summaries.push_back(&*Hosts[I].Summary);
      Of.push_back(I);
    }
  model::SummaryLinker Join(std::move(Summaries));
  for (auto [Number, I] : enumerate(Of)) {
    HostState &H = Hosts[I];
    H.Facts = Join.factsOf(Number);
    H.FactsKey = H.Facts.key();
    // Findings in other files are shown with their source lines.
    for (const auto &[Function, Loops] : H.Facts.Loops)
      for (const model::CrossFileFacts::LoopContext &L : Loops)
        if (!L.File.empty() && L.File != Inputs[I].Name)
          if (std::optional<std::string> Text = textOf(L.File)) {
            StringRef Before = StringRef(*Text).take_front(L.Begin),
                      Line = StringRef(*Text).drop_front(Before.rfind('\n') + 1);
            H.FactsKey += utostr(Before.count('\n')) +
                          Line.take_until([](char C) { return C == '\n'; }).str() + "\n";
          }
  }
}

/// The host rules.
void Runner::lintHost(size_t I) {
  HostState &H = Hosts[I];
  Report Part;
  if (std::optional<Cache::Entry> E = kept(I, "host")) {
    Part = std::move(E->Result);
  } else {
    Parts[I].FromCache = 0;
    Dependencies Ignored;
    if (!H.Parsed)
      (void)parseHost(I, Ignored);
    // These rules also look at the kernel files that the host names.
    auto Recorder = makeIntrusiveRefCnt<DependencyRecorder>();
    if (H.M) {
      std::optional<model::FileSystemScope> Scope;
      if (Kept.enabled())
        Scope.emplace(Recorder);
      model::applyCrossFileFacts(*H.M, H.Facts, [&](StringRef File) { return textOf(File); });
      checkHost(*H.M, *Inputs[I].Effective, Part);
    }
    Dependencies On = H.On;
    On.insert(Recorder->Found.begin(), Recorder->Found.end());
    if (!Inputs[I].Text)
      Kept.store(keyOf(I, "host"), Part, On);
  }
  merge(Parts[I], std::move(Part));
}

/// Lints a kernel file, or the kernels in the string literals of a host file.
void Runner::lintKernelsOf(size_t I) {
  const InputFile &In = Inputs[I];
  bool IsHost = In.IsHost;
  model::WorkCounters Before = model::Work;
  double Started = model::processorTime();
  Report Part;
  auto Recorder = makeIntrusiveRefCnt<DependencyRecorder>();
  {
    model::FileSystemScope Scope(Recorder); // without a cache, too: it keeps what files hold
    model::TimeBudget Budget(O.FileTimeout);
    try {
      if (!IsHost) {
        Part.FilesSeen = 1;
        lintKernels(In.Name, Texts[I], In.Named, *In.Effective, Joined->hostsOf(In.Name), nullptr,
                    nullptr, Part);
      } else if (const model::HostModule *H = Hosts[I].M.get()) {
        // The build options and launches of its own host; those of other hosts if it launches
        // nothing itself.
        std::vector<const model::HostModule *> Order{H};
        if (H->Launches.empty())
          copy_if(Seen, std::back_inserter(Order), [&](const auto *X) {
            return X != H && X->KernelFiles.empty() && X->Kernels.empty();
          });
        for (const model::EmbeddedKernel &E : H->Kernels)
          lintKernels(In.Name, E.Source, false, *In.Effective, Order, &H->Files[E.Range.File], &E,
                      Part);
      }
    } catch (const model::OutOfTime &) { // --cost
      Part.Errors.push_back({In.Name, 0, 0, "not analysed in time (--file-timeout)"});
      Part.OutOfTime = true;
    }
  }
  if (O.PrintWork)
    errs() << formatv("{0}: {1} kernels, {2} parses, {3} steps, {4:f3} s\n", In.Name,
                      Part.KernelsSeen, model::Work.Parses - Before.Parses,
                      model::Work.Steps - Before.Steps, model::processorTime() - Started);
  // The next run may have more time.
  if (!In.Text && !Part.OutOfTime)
    Kept.store(keyOf(I, IsHost ? "embedded" : "kernels"), Part, Recorder->Found);
  merge(Parts[I], std::move(Part));
}

/// Name a header as the file that includes it does.
static std::string absolute(StringRef Name) {
  SmallString<256> Path(Name);
  sys::fs::make_absolute(Path);
  sys::path::remove_dots(Path, /*remove_dot_dot=*/true);
  return Path.str().str();
}

/// Runs last: a comment in one file may suppress a finding that the parse of another file produced.
void Runner::findUnused(Report &R) {
  for (size_t I = 0; I < Inputs.size(); ++I) {
    const InputFile &In = Inputs[I];
    // If some input was skipped or guessed, the comment may refer to that.
    if (!StringRef(Texts[I]).contains("NOLINT") || !Parts[I].Errors.empty() ||
        !Parts[I].Notes.empty() || !isEnabled(In.Effective->Checks, "unused-suppression"))
      continue;
    std::vector<SilencedAt> Of;
    copy_if(R.Silenced, std::back_inserter(Of),
            [&](const SilencedAt &S) { return absolute(S.File) == absolute(In.Name); });
    NoLint Quiet(In.Name, Texts[I]);
    for (LocatedFinding &F : unusedSuppressions(In.Name, Texts[I], Of)) {
      F.Families = F.Asked = In.Effective->Families;
      F.Fails = F.Severity >= In.Effective->FailOn;
      (Quiet.suppresses(F.At.Offset, F.Rule->Id) ? R.Suppressed : R.Findings)
          .push_back(std::move(F));
    }
  }
}

Report Runner::run() {
  Report R;
  Inputs = collectInputs(O, R);
  for (const InputFile &In : Inputs)
    Mine.push_back(!O.Shards || shardOf(In.Name, O.Shards) == O.Shard);
  Parts.resize(Inputs.size());
  Hosts.resize(Inputs.size());
  Texts.resize(Inputs.size());

  // Initialize lazily built shared data before threads use it.
  (void)rules::allRules();
  (void)unusedSuppressionRule();

  auto IsHost = [&](size_t I) { return Inputs[I].IsHost; };
  Progress Bar(Inputs.size() + count_if(Inputs, [](const InputFile &In) { return In.IsHost; }));
  forEach(Inputs.size(), O.Jobs, [&](size_t I) {
    read(I);
    if (IsHost(I) && Parts[I].Errors.empty()) {
      Bar.step(Inputs[I].Name);
      outlineHost(I);
    }
  });
  joinHosts();
  forEach(Inputs.size(), O.Jobs, [&](size_t I) {
    if (Mine[I] && Hosts[I].Summary)
      lintHost(I);
  });
  for (const HostState &H : Hosts)
    HostsDigest += H.Digest;
  // Which host belongs to a kernel file depends on the other kernel files (Join.cpp).
  if (!HostsDigest.empty())
    for (const InputFile &In : Inputs)
      if (!In.IsHost)
        HostsDigest += In.Name + "\n";

  // Cached results of kernels first; if any kernel is left, it needs the host programs.
  std::vector<char> Left(Inputs.size());
  forEach(Inputs.size(), O.Jobs, [&](size_t I) {
    if (!Mine[I] || (IsHost(I) ? Hosts[I].Digest.empty() : !Parts[I].Errors.empty()))
      return; // not of this shard, or it could not be read
    std::optional<Cache::Entry> E = kept(I, IsHost(I) ? "embedded" : "kernels");
    Left[I] = !E;
    if (!E)
      return;
    E->Result.FromCache = !IsHost(I);
    merge(Parts[I], std::move(E->Result));
  });
  if (any_of(Left, [](char L) { return L != 0; }))
    forEach(Inputs.size(), O.Jobs, [&](size_t I) {
      Dependencies Ignored;
      if (!Hosts[I].Digest.empty() && !Hosts[I].Parsed)
        (void)parseHost(I, Ignored);
    });
  for (const HostState &H : Hosts)
    if (H.M)
      Seen.push_back(H.M.get());
  Joined.emplace(Seen, Inputs);
  forEach(Inputs.size(), O.Jobs, [&](size_t I) {
    if (!Left[I])
      return;
    Bar.step(Inputs[I].Name);
    lintKernelsOf(I);
  });

  for (size_t I = 0; I < Inputs.size(); ++I) {
    if (!Mine[I])
      continue;
    for (std::vector<LocatedFinding> *List : {&Parts[I].Findings, &Parts[I].Suppressed})
      for (LocatedFinding &F : *List) {
        F.Asked = Inputs[I].Effective->Families;
        F.Fails = F.Severity >= Inputs[I].Effective->FailOn;
      }
    Report Copy = Parts[I]; // findUnused needs its errors
    merge(R, std::move(Copy));
  }
  if (!O.Shards)
    findUnused(R);
  sortAndJoin(R);
  return R;
}

} // namespace

Report lint::lint(const Options &O) {
  Report R = Runner(O).run();
  selectRecorded(O, R);
  return R;
}
