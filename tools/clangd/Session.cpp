//===- Session.cpp - messages between an editor and clangd ------------------------------------===//

#include "tools/clangd/Session.h"
#include "checks/model/frontend/Frontend.h"
#include "rules/Rules.h"
#include "tools/clangd/Engine.h"
#include "tools/clangd/Pages.h"
#include "tools/clangd/Rewrite.h"
#include "llvm/ADT/STLExtras.h"
#include <unistd.h>

using namespace llvm;
using namespace clmali;
using namespace clmali::editor;

static std::string textOf(const json::Value &V) {
  std::string S;
  raw_string_ostream(S) << V;
  return S;
}

/// A nested member by its path of names; null if one is missing.
static const json::Value *find(const json::Object &O, ArrayRef<StringRef> Way) {
  const json::Object *At = &O;
  for (StringRef Step : Way.drop_back()) {
    At = At->getObject(Step);
    if (!At)
      return nullptr;
  }
  return At->get(Way.back());
}

static bool flag(const json::Object &O, ArrayRef<StringRef> Way) {
  const json::Value *V = find(O, Way);
  return V && V->getAsBoolean().value_or(false);
}

Session::Session(int FromEditor, int ToEditor, int ToEngine, int FromEngine, std::string Program)
    : Editor(FromEditor), Engine(FromEngine), ToEditor(ToEditor), ToEngine(ToEngine),
      Program(std::move(Program)) {}

void Session::stop() {
  Over = true;
  std::vector<std::thread> Last;
  {
    std::lock_guard Lock(Mutex);
    Last.swap(Threads);
  }
  for (std::thread &T : Last)
    T.join();
  Pool.wait();
}

void Session::serveEditor() {
  while (std::optional<std::string> Body = Editor.next()) {
    Expected<json::Value> V = json::parse(*Body);
    if (!V)
      consumeError(V.takeError());
    else if (const json::Object *O = V->getAsObject(); O && !fromEditor(*O))
      continue;
    ToEngine.write(*Body);
  }
  Over = true;
  ToEngine.close();
}

void Session::serveEngine() {
  while (std::optional<std::string> Body = Engine.next()) {
    Expected<json::Value> V = json::parse(*Body);
    json::Object *O = V ? V->getAsObject() : nullptr;
    if (!V)
      consumeError(V.takeError());
    if (!O)
      ToEditor.write(*Body);
    else if (fromEngine(*O))
      ToEditor.send(std::move(*V));
    else if (O->size())
      ToEditor.write(*Body);
  }
  Over = true;
}

//===------------------------------------------------------------------------------------------===//
// From the editor
//===------------------------------------------------------------------------------------------===//

bool Session::fromEditor(const json::Object &M) {
  StringRef Method = M.getString("method").value_or("");
  const json::Value *Id = M.get("id");
  if (Method.empty()) {
    std::optional<StringRef> Ours = Id ? Id->getAsString() : std::nullopt;
    if (!Ours || !Ours->starts_with("clmali-"))
      return true;
    answered(*Ours, M);
    return false;
  }
  static const json::Object Nothing;
  const json::Object *Given = M.getObject("params");
  const json::Object &Params = Given ? *Given : Nothing;
  if (Method == "window/workDoneProgress/cancel")
    return !cancelRewrite(Params.getString("token").value_or(""));
  if (Method == "workspace/executeCommand" && Id)
    return execute(*Id, Params);
  if (Method == "shutdown")
    AskedToShutDown = true;
  if (Method == "exit")
    endSoon();
  std::lock_guard Lock(Mutex);
  if (Method == "initialize")
    initialize(Params);
  if (Method.starts_with("textDocument/did"))
    documentChanged(Method, Params);
  if (Id) {
    if (Method == "initialize")
      Questions[textOf(*Id)] = {Asked::Initialize, Params};
    if (Method == "textDocument/hover")
      Questions[textOf(*Id)] = {Asked::Hover, Params};
    if (Method == "textDocument/codeAction")
      Questions[textOf(*Id)] = {Asked::CodeAction, Params};
  }
  return true;
}

// clangd may hang at exit: a changed file waits for the preamble thread to process its previous
// version, and that thread has ended.
void Session::endSoon() {
  constexpr std::chrono::seconds Patience(5);
  Over = true;
  std::thread([Code = AskedToShutDown ? 0 : 1, Patience] {
    std::this_thread::sleep_for(Patience);
    ::_exit(Code);
  }).detach();
}

void Session::initialize(const json::Object &P) {
  CanProgress = flag(P, {"capabilities", "window", "workDoneProgress"});
  CanEdit = flag(P, {"capabilities", "workspace", "applyEdit"});
  CanVersion = flag(P, {"capabilities", "workspace", "workspaceEdit", "documentChanges"});
  CanLiterals = find(P, {"capabilities", "textDocument", "codeAction", "codeActionLiteralSupport"});
  const json::Value *Formats = find(P, {"capabilities", "textDocument", "hover", "contentFormat"});
  const json::Array *List = Formats ? Formats->getAsArray() : nullptr;
  WantsMarkdown =
      List && any_of(*List, [](const json::Value &V) { return V.getAsString() == "markdown"; });
}

void Session::documentChanged(StringRef Method, const json::Object &P) {
  const json::Object *T = P.getObject("textDocument");
  StringRef Uri = T ? T->getString("uri").value_or("") : "";
  if (Uri.empty())
    return;
  if (Method == "textDocument/didClose") {
    Documents.erase(Uri);
    return;
  }
  bool Opened = Method == "textDocument/didOpen";
  if (!Opened && !Documents.count(Uri))
    return;
  Document &D = Documents[Uri];
  if (Opened) {
    D = Document();
    D.Path = pathOf(Uri);
    D.Text = T->getString("text").value_or("").str();
    StringRef Language = T->getString("languageId").value_or("");
    D.HasKernels = isKernelFile(D.Path) || Language.starts_with("opencl");
  } else if (Method == "textDocument/didChange") {
    if (const json::Array *Changes = P.getArray("contentChanges"))
      for (const json::Value &C : *Changes)
        if (const json::Object *O = C.getAsObject())
          applyChange(D.Text, *O, Positions);
  } else {
    return;
  }
  D.Version = T->getInteger("version").value_or(D.Version + 1);
  D.Kernels.reset();
}

bool Session::execute(const json::Value &Id, const json::Object &P) {
  if (P.getString("command") != RewriteCommand)
    return true;
  ToEditor.send(json::Object{{"id", Id}, {"result", nullptr}});
  const json::Array *Args = P.getArray("arguments");
  const json::Object *A = Args && !Args->empty() ? Args->front().getAsObject() : nullptr;
  auto Get = [&](StringRef Name) {
    return A ? A->getString(Name).value_or("").str() : std::string();
  };
  startRewrite(Get("uri"), Get("kernel"), Get("device"));
  return false;
}

void Session::answered(StringRef Id, const json::Object &M) {
  std::string Text;
  {
    std::lock_guard Lock(Mutex);
    auto It = Waiting.find(Id.str());
    if (It == Waiting.end())
      return; // a token was created
    Text = It->second;
    Waiting.erase(It);
  }
  const json::Object *Result = M.getObject("result");
  if (Result && Result->getBoolean("applied").value_or(false))
    return show(Info, Text);
  StringRef Why = Result ? Result->getString("failureReason").value_or("") : "";
  show(Warning, "clmali: the editor did not take the edit" + (Why.empty() ? "" : ": " + Why) +
                    "; was the file changed meanwhile? Run it again. What it is: " + Text);
}

//===------------------------------------------------------------------------------------------===//
// From the engine
//===------------------------------------------------------------------------------------------===//

/// True: send M now, as it is. False: send the original message, or, if M was emptied, send it
/// later.
bool Session::fromEngine(json::Object &M) {
  if (std::optional<StringRef> Method = M.getString("method")) {
    json::Object *Params = M.getObject("params");
    if (*Method != "textDocument/publishDiagnostics" || !Params)
      return false;
    publish(*Params);
    return true;
  }
  const json::Value *Id = M.get("id");
  if (!Id)
    return false;
  Question Q;
  {
    std::lock_guard Lock(Mutex);
    auto It = Questions.find(textOf(*Id));
    if (It == Questions.end())
      return false;
    Q = std::move(It->second);
    Questions.erase(It);
  }
  if (M.get("error"))
    return false;
  switch (Q.What) {
  case Asked::Initialize:
    if (json::Object *Result = M.getObject("result"))
      addCapabilities(*Result);
    return true;
  case Asked::Hover:
    addPages(Q.Params, M);
    return true;
  case Asked::CodeAction:
    if (!wantsRewrites(Q.Params))
      return false;
    // The kernels of a text are found once; other threads do not wait for it.
    Pool.async([this, Params = std::move(Q.Params), Answer = std::move(M)]() mutable {
      addRewrites(Params, Answer);
      ToEditor.send(std::move(Answer));
    });
    M.clear();
    return false;
  }
  return false;
}

void Session::addCapabilities(json::Object &Result) {
  std::lock_guard Lock(Mutex);
  json::Object *C = Result.getObject("capabilities");
  if (!C)
    return;
  StringRef E = Result.getString("offsetEncoding")
                    .value_or(C->getString("positionEncoding").value_or("utf-16"));
  Positions = E == "utf-8" ? Encoding::Utf8 : E == "utf-32" ? Encoding::Utf32 : Encoding::Utf16;
  json::Object *Commands = C->getObject("executeCommandProvider");
  if (!Commands) {
    (*C)["executeCommandProvider"] = json::Object{};
    Commands = C->getObject("executeCommandProvider");
  }
  if (!Commands->getArray("commands"))
    (*Commands)["commands"] = json::Array{};
  Commands->getArray("commands")->push_back(RewriteCommand);
  if (json::Object *Actions = C->getObject("codeActionProvider"))
    if (json::Array *Kinds = Actions->getArray("codeActionKinds"))
      Kinds->push_back(RewriteKind);
  if (json::Object *Info = Result.getObject("serverInfo"))
    (*Info)["name"] = "clmali-clangd";
}

static Position positionOf(const json::Object *P) {
  return {P ? P->getInteger("line").value_or(-1) : -1,
          P ? P->getInteger("character").value_or(-1) : -1};
}

/// Fills in source, severity and page of clmali's findings, and keeps them for hovers.
void Session::publish(json::Object &P) {
  std::vector<FindingPlace> Ours;
  json::Array *List = P.getArray("diagnostics");
  std::string Path = pathOf(P.getString("uri").value_or(""));
  StringMap<std::string> Pages; ///< of each rule; empty: it has none
  for (size_t I = 0; List && I < List->size(); ++I) {
    json::Object *D = (*List)[I].getAsObject();
    StringRef Code = D ? D->getString("code").value_or("") : "";
    const rules::Rule *Rule = Code.starts_with("clmali-") ? rules::findRule(Code) : nullptr;
    if (!Rule)
      continue;
    if (const json::Object *Range = D->getObject("range"))
      Ours.push_back(
          {positionOf(Range->getObject("start")), positionOf(Range->getObject("end")), Rule->Id});
    (*D)["source"] = "clmali";
    rules::Severity S = severityOf(Path, D->getString("message").value_or(""));
    (*D)["severity"] = int(S == rules::Severity::Error  ? Error
                           : S == rules::Severity::Info ? Info
                                                        : Warning);
    // Replaces the link to clang-tidy's site.
    D->erase("codeDescription");
    auto [Page, IsNew] = Pages.try_emplace(Rule->Id);
    if (IsNew)
      if (std::string File = pageFile(Rule->Id, Program); !File.empty())
        Page->second = uriOf(File);
    if (!Page->second.empty())
      (*D)["codeDescription"] = json::Object{{"href", Page->second}};
  }
  std::lock_guard Lock(Mutex);
  if (auto It = Documents.find(P.getString("uri").value_or("")); It != Documents.end())
    It->second.Findings = std::move(Ours);
}

void Session::addPages(const json::Object &Params, json::Object &M) {
  std::vector<std::string> Ids;
  bool Markdown;
  {
    std::lock_guard Lock(Mutex);
    Markdown = WantsMarkdown;
    const json::Object *T = Params.getObject("textDocument"), *At = Params.getObject("position");
    auto It = Documents.find(T ? T->getString("uri").value_or("") : "");
    if (!At || It == Documents.end())
      return;
    for (const FindingPlace &F : It->second.Findings)
      if (F.contains(positionOf(At)) && !is_contained(Ids, F.Rule))
        Ids.push_back(F.Rule);
  }
  if (Ids.empty())
    return;
  std::string Text = pagesFor(Ids);
  json::Object *Hover = M.getObject("result");
  json::Object *Contents = Hover ? Hover->getObject("contents") : nullptr;
  if (Contents) {
    StringRef Kind = Contents->getString("kind").value_or("plaintext");
    std::string Before = Contents->getString("value").value_or("").str();
    (*Contents)["value"] = Text + (Kind == "markdown" ? "\n\n---\n\n" : "\n\n") + Before;
  } else {
    M["result"] = json::Object{
        {"contents", json::Object{{"kind", Markdown ? "markdown" : "plaintext"}, {"value", Text}}}};
  }
}

//===------------------------------------------------------------------------------------------===//
// Code actions
//===------------------------------------------------------------------------------------------===//

bool Session::wantsRewrites(const json::Object &P) {
  const json::Object *T = P.getObject("textDocument");
  const json::Object *Context = P.getObject("context");
  if (const json::Array *Only = Context ? Context->getArray("only") : nullptr)
    if (none_of(*Only, [](const json::Value &V) {
          StringRef K = V.getAsString().value_or("");
          return K.empty() || RewriteKind == K || RewriteKind.starts_with((K + ".").str());
        }))
      return false;
  std::lock_guard Lock(Mutex);
  auto It = Documents.find(T ? T->getString("uri").value_or("") : "");
  return It != Documents.end() && It->second.HasKernels && !It->second.Path.empty();
}

std::vector<KernelPlace> Session::kernelsOf(StringRef Uri) {
  Document D;
  {
    std::lock_guard Lock(Mutex);
    D = Documents.lookup(Uri);
  }
  if (D.Kernels)
    return *D.Kernels;
  model::ParseOptions O;
  FileSettings S = settingsOf(D.Path);
  O.ClangArgs = S.ConfigArgs;
  O.ClangArgs.insert(O.ClangArgs.end(), S.ClangArgs.begin(), S.ClangArgs.end());
  O.Tolerant = true;
  model::ParseResult R = model::parseOpenCL(D.Path, D.Text, O);
  std::vector<KernelPlace> Kernels;
  if (R.M)
    for (const std::unique_ptr<model::Kernel> &K : R.M->Kernels)
      if (K->NameRange.File == 0)
        Kernels.push_back({K->Name, std::min(K->Range.Begin, K->NameRange.Begin),
                           std::max(K->BodyRange.Begin, K->NameRange.End), K->BodyRange.End});
  std::lock_guard Lock(Mutex);
  if (auto It = Documents.find(Uri); It != Documents.end() && It->second.Version == D.Version)
    It->second.Kernels = Kernels;
  return Kernels;
}

void Session::addRewrites(const json::Object &Params, json::Object &M) {
  StringRef Uri = Params.getObject("textDocument")->getString("uri").value_or("");
  std::vector<KernelPlace> Kernels = kernelsOf(Uri);
  const json::Object *Range = Params.getObject("range");
  const json::Object *Start = Range ? Range->getObject("start") : nullptr,
                     *End = Range ? Range->getObject("end") : nullptr;
  if (!Start || !End)
    return;
  std::string Name, Path;
  bool Literals;
  {
    std::lock_guard Lock(Mutex);
    Literals = CanLiterals;
    Document D = Documents.lookup(Uri);
    Path = D.Path;
    size_t From = offsetAt(D.Text, *Start, Positions), To = offsetAt(D.Text, *End, Positions);
    bool Mends = any_of(D.Findings, [&](const FindingPlace &F) {
      const rules::Rule *Rule = rules::findRule(F.Rule);
      return Rule && !Rule->Rewriter.empty() && F.contains(positionOf(Start));
    });
    for (const KernelPlace &K : Kernels)
      if (Name.empty() && To >= K.Begin && From <= (Mends ? K.End : K.Body))
        Name = K.Name;
  }
  if (Name.empty())
    return;
  if (!M.getArray("result"))
    M["result"] = json::Array{};
  json::Array &Actions = *M.getArray("result");
  for (const rules::DeviceFacts *F : rewriteTargets(settingsOf(Path).Device)) {
    std::string Title = "Rewrite '" + Name + "' for " + F->Title + ", verified";
    json::Object Command{{"title", Title},
                         {"command", RewriteCommand},
                         {"arguments", json::Array{json::Object{
                                           {"uri", Uri}, {"kernel", Name}, {"device", F->Name}}}}};
    if (Literals)
      Actions.push_back(
          json::Object{{"title", Title}, {"kind", RewriteKind}, {"command", std::move(Command)}});
    else
      Actions.push_back(std::move(Command));
  }
}

//===------------------------------------------------------------------------------------------===//
// Requests and notifications of the session itself
//===------------------------------------------------------------------------------------------===//

void Session::notify(StringRef Method, json::Object Params) {
  ToEditor.send(json::Object{{"method", Method}, {"params", std::move(Params)}});
}

std::string Session::ask(StringRef Method, json::Object Params, std::string WhenDone) {
  std::string Id;
  {
    std::lock_guard Lock(Mutex);
    Id = "clmali-" + std::to_string(++LastId);
    if (!WhenDone.empty())
      Waiting[Id] = std::move(WhenDone);
  }
  ToEditor.send(json::Object{{"id", Id}, {"method", Method}, {"params", std::move(Params)}});
  return Id;
}

void Session::show(MessageType Type, const Twine &Text) {
  notify("window/showMessage",
         json::Object{{"type", int(Type)}, {"message", json::fixUTF8(Text.str())}});
}

void Session::log(const Twine &Text) {
  notify("window/logMessage",
         json::Object{{"type", int(Info)}, {"message", json::fixUTF8(Text.str())}});
}
