//===- Rewrite.cpp - rewrites in a background process -----------------------------------------===//
//
// A child process, because the judge runs kernels for seconds, and because a device such as PoCL
// loads a Clang of its own, which must not share a process with this one.
//===------------------------------------------------------------------------------------------===//

#include "tools/clangd/Rewrite.h"
#include "tools/clangd/Contract.h"
#include "tools/clangd/Engine.h"
#include "tools/clangd/Session.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include <csignal>
#include <sys/resource.h>

using namespace llvm;
using namespace clmali;
using namespace clmali::editor;

std::vector<const rules::DeviceFacts *> editor::rewriteTargets(StringRef Device) {
  rules::FamilySet Set = rules::allFamilies();
  if (!Device.empty()) {
    Expected<rules::FamilySet> Known = rules::resolveDevice(Device);
    if (Known)
      Set = *Known;
    else
      consumeError(Known.takeError()); // the checks report it
  }
  std::vector<const rules::DeviceFacts *> Result;
  for (const rules::DeviceFacts &F : rules::families())
    if (Set & (1u << F.Index))
      Result.push_back(&F);
  return Result;
}

static std::string slurp(StringRef Path) {
  ErrorOr<std::unique_ptr<MemoryBuffer>> B = MemoryBuffer::getFile(
      Path, /*IsText=*/false, /*RequiresNullTerminator=*/false, /*IsVolatile=*/true);
  return B ? (*B)->getBuffer().str() : "";
}

static std::string lastLine(StringRef Text) {
  Text = Text.rtrim();
  size_t At = Text.rfind('\n');
  return (At == StringRef::npos ? Text : Text.drop_front(At + 1)).trim().str();
}

//===------------------------------------------------------------------------------------------===//
// Starting and stopping
//===------------------------------------------------------------------------------------------===//

void Session::startRewrite(StringRef Uri, StringRef Kernel, StringRef Device) {
  auto Job = std::make_shared<RewriteJob>();
  Job->Uri = Uri.str();
  Job->Kernel = Kernel.str();
  Job->Device = Device.empty() ? "generic" : Device.str();
  const rules::DeviceFacts *Family = rules::findFamily(Job->Device);
  Job->DeviceTitle = Family ? Family->Title : Job->Device;
  std::string Problem;
  {
    std::lock_guard Lock(Mutex);
    auto It = Documents.find(Uri);
    if (It == Documents.end() || It->second.Path.empty())
      Problem = "clmali: the file is not open, or is none on disk; open it, and save it once";
    for (const auto &[Token, Other] : Jobs)
      if (Other->Uri == Uri)
        Problem = "clmali: '" + Other->Kernel +
                  "' of this file is being rewritten; wait for it, or cancel it";
    if (!CanEdit)
      Problem =
          "clmali: this editor does not take edits from a server; use clmali-rewrite in a terminal";
    if (Problem.empty()) {
      Job->Path = It->second.Path;
      Job->Text = It->second.Text;
      Job->Version = It->second.Version;
      Job->Token = "clmali-rewrite-" + std::to_string(++LastId);
      Jobs[Job->Token] = Job;
    }
  }
  if (!Problem.empty())
    return show(Error, Problem);
  std::thread Thread([this, Job] {
    runRewrite(*Job);
    std::lock_guard Lock(Mutex);
    Jobs.erase(Job->Token);
  });
  std::lock_guard Lock(Mutex);
  Threads.push_back(std::move(Thread));
}

bool Session::cancelRewrite(StringRef Token) {
  std::lock_guard Lock(Mutex);
  auto It = Jobs.find(Token.str());
  if (It == Jobs.end())
    return Token.starts_with("clmali-");
  It->second->Cancelled = true;
  return true;
}

void Session::progress(const RewriteJob &Job, StringRef Kind, StringRef Title, StringRef Text) {
  if (!CanProgress)
    return;
  json::Object Value{{"kind", Kind}};
  if (!Title.empty())
    Value["title"] = Title;
  if (Kind == "begin")
    Value["cancellable"] = true;
  if (!Text.empty())
    Value["message"] = json::fixUTF8(Text);
  notify("$/progress", json::Object{{"token", Job.Token}, {"value", std::move(Value)}});
}

/// clmali-rewrite and its children form one process group.
static int waitFor(const sys::ProcessInfo &Child, function_ref<bool()> Stop,
                   function_ref<void()> Tick) {
  bool Killed = false;
  for (unsigned Round = 0;; ++Round) {
    sys::ProcessInfo Now =
        sys::Wait(Child, /*SecondsToWait=*/0, /*ErrMsg=*/nullptr, nullptr, /*Polling=*/true);
    if (Now.Pid == Child.Pid)
      return Killed ? -1 : Now.ReturnCode;
    if (Stop()) {
      // The child may not have become group leader yet: signal the process and the group until it
      // has ended.
      ::kill(-Child.Pid, SIGKILL);
      ::kill(Child.Pid, SIGKILL);
      Killed = true;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    if (Round % 4 == 3)
      Tick();
  }
}

//===------------------------------------------------------------------------------------------===//
// One rewrite
//===------------------------------------------------------------------------------------------===//

/// The program in the folder of this one, else the one in PATH. Packages that cannot hold links
/// have the one program `clmali`, which is clmali-rewrite if it is called so.
static std::string findRewriter(StringRef Program) {
  for (StringRef Name : {"clmali-rewrite", "clmali"}) {
    SmallString<256> Beside = sys::path::parent_path(Program);
    sys::path::append(Beside, Name);
    if (sys::fs::can_execute(Beside))
      return Beside.str().str();
  }
  ErrorOr<std::string> InPath = sys::findProgramByName("clmali-rewrite");
  return InPath ? *InPath : "";
}

/// Lines of Log about the result of the kernel: neither written files nor details.
static std::string fate(StringRef Log, size_t Most) {
  SmallVector<StringRef, 16> Lines;
  Log.split(Lines, '\n', -1, /*KeepEmpty=*/false);
  std::vector<std::string> Kept;
  for (StringRef L : Lines)
    if (!L.starts_with(" ") && !L.starts_with("wrote ") && !L.starts_with("launch file: ") &&
        !L.contains(": no launch file; derived"))
      Kept.push_back(L.str());
  // The last lines are the verdict.
  if (Kept.size() > Most)
    Kept.erase(Kept.begin(), Kept.end() - Most);
  return join(Kept, "\n");
}

/// The compiler's figures before and after, if a compiler chose; else empty.
static std::string compiledFigures(StringRef Log) {
  size_t At = Log.rfind("\n    compiled, ");
  return At == StringRef::npos ? "" : Log.drop_front(At + 1).split('\n').first.trim().str();
}

void Session::runRewrite(RewriteJob &Job) {
  std::string Rewriter = findRewriter(Program);
  if (Rewriter.empty())
    return show(Error,
                "clmali: clmali-rewrite is neither in the folder of clmali-clangd nor in PATH");
  SmallString<128> Folder;
  if (std::error_code EC = sys::fs::createUniqueDirectory("clmali-clangd", Folder))
    return show(Error, "clmali: cannot make a temporary folder: " + EC.message());
  auto Clean = make_scope_exit([&] { sys::fs::remove_directories(Folder); });
  auto In = [&](StringRef Name) { return (Folder + "/" + Name).str(); };
  std::error_code EC;
  {
    raw_fd_ostream Out(In("text.cl"), EC);
    Out << Job.Text;
  }
  if (EC)
    return show(Error, "clmali: cannot write a temporary file: " + EC.message());

  std::vector<std::string> Args = {"clmali-rewrite",
                                   "--device=" + Job.Device,
                                   "--kernel=" + Job.Kernel,
                                   "--text=" + In("text.cl"),
                                   "-o",
                                   In("out.cl"),
                                   "--manifest=" + In("out.json")};
  if (std::string Platform = verifyPlatform(); !Platform.empty())
    Args.push_back("--platform=" + Platform);
  Args.push_back(Job.Path);
  if (FileSettings S = settingsOf(Job.Path); !S.ClangArgs.empty()) {
    Args.push_back("--");
    Args.insert(Args.end(), S.ClangArgs.begin(), S.ClangArgs.end());
  }

  std::string What = "'" + Job.Kernel + "' for " + Job.DeviceTitle;
  if (CanProgress)
    ask("window/workDoneProgress/create", json::Object{{"token", Job.Token}});
  progress(Job, "begin", "clmali: rewriting " + What, "looking for a rewrite");
  auto End = make_scope_exit([&] { progress(Job, "end", "", ""); });

  std::vector<StringRef> Words(Args.begin(), Args.end());
  std::string OutFile = In("stdout"), LogFile = In("stderr"), Why;
  bool Failed = false;
  sys::ProcessInfo Child =
      sys::ExecuteNoWait(Rewriter, Words, /*Env=*/std::nullopt,
                         {StringRef(""), StringRef(OutFile), StringRef(LogFile)}, /*MemoryLimit=*/0,
                         &Why, &Failed, /*AffinityMask=*/nullptr, /*DetachProcess=*/true);
  if (Failed)
    return show(Error, "clmali: cannot run " + Rewriter + ": " + Why);
  ::setpriority(PRIO_PROCESS, Child.Pid, 10); // edits of the user come first
  std::string Said;
  int Code = waitFor(
      Child, [&] { return Over || Job.Cancelled; },
      [&] {
        if (std::string Line = lastLine(slurp(LogFile)); Line != Said)
          progress(Job, "report", "", Said = Line);
      });
  if (Over)
    return;
  if (Job.Cancelled)
    return show(Info, "clmali: rewriting " + What + " was cancelled");

  std::string Log = slurp(LogFile);
  log("clmali-rewrite " + What + ":\n" + Log);
  switch (Code) {
  case 0: {
    std::string New = slurp(In("out.cl"));
    if (New.empty() || New == Job.Text)
      return show(Warning, "clmali: nothing changes in '" + Job.Kernel + "'");
    // No manifest file is written, so the source itself must state the launch contract.
    Expected<launch::Manifest> M = launch::readManifest(In("out.json"));
    if (!M)
      return show(Error, "clmali: " + What + ": " + toString(M.takeError()));
    for (const launch::ManifestKernel &K : M->Kernels)
      New = withContract(New, K);
    std::string Line = lastLine(fate(Log, 1));
    StringRef Verdict = Line;
    Verdict.consume_front(Job.Kernel + ": ");
    std::string Figures = compiledFigures(Log);
    return offerEdit(Job, New,
                     Twine("clmali: ") + What + ": " + Verdict + (Figures.empty() ? "" : " (") +
                         Figures + (Figures.empty() ? "" : ")") +
                         ". The comment above the new kernel says how the host must launch it.");
  }
  case 1:
    return show(Warning, "clmali: " + What + " is left as it is, refused:\n" + fate(Log, 4));
  case 3:
    return show(Warning, "clmali: " + What + " is left as it is, every rewrite was refuted:\n" +
                             fate(Log, 4));
  case 4:
    return show(Warning, "clmali: " + What + " is left as it is, inconclusive:\n" + fate(Log, 4));
  case 2:
    return show(Error, "clmali: " + What + " cannot be rewritten:\n" + fate(Log, 4));
  default:
    return show(Error, "clmali: rewriting " + What + " ended unexpectedly (" + Twine(Code) +
                           "); the log has more");
  }
}

/// A single edit that covers the lines in which the texts differ.
void Session::offerEdit(const RewriteJob &Job, StringRef New, const Twine &Summary) {
  StringRef Old = Job.Text;
  size_t Head = 0, Tail = 0;
  for (size_t I = 0; I < std::min(Old.size(), New.size()) && Old[I] == New[I]; ++I)
    if (Old[I] == '\n')
      Head = I + 1;
  size_t Most = std::min(Old.size(), New.size()) - Head;
  for (size_t I = 1; I <= Most && Old[Old.size() - I] == New[New.size() - I]; ++I)
    if (I == Most || Old[Old.size() - I - 1] == '\n')
      Tail = I;
  json::Object Change;
  bool Stale;
  {
    std::lock_guard Lock(Mutex);
    auto It = Documents.find(Job.Uri);
    Stale = It == Documents.end() || It->second.Text != Old;
    int64_t Version = Stale ? 0 : It->second.Version;
    json::Object Edit{
        {"range", json::Object{{"start", positionAt(Old, Head, Positions)},
                               {"end", positionAt(Old, Old.size() - Tail, Positions)}}},
        {"newText", New.slice(Head, New.size() - Tail)}};
    if (CanVersion)
      Change["documentChanges"] = json::Array{
          json::Object{{"textDocument", json::Object{{"uri", Job.Uri}, {"version", Version}}},
                       {"edits", json::Array{std::move(Edit)}}}};
    else
      Change["changes"] = json::Object{{Job.Uri, json::Array{std::move(Edit)}}};
  }
  if (Stale)
    return show(
        Warning,
        "clmali: the file was changed meanwhile, so it is left as it is; run the rewrite of '" +
            Job.Kernel + "' again");
  ask("workspace/applyEdit",
      json::Object{{"label", "clmali: rewrite '" + Job.Kernel + "'"}, {"edit", std::move(Change)}},
      Summary.str());
}
