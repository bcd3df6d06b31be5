//===- Session.h - a filter between an editor and clangd --------------------------------------===//
//
// Before: an editor's messages to clangd, and clangd's to the editor.
// After:  the same, and
//         findings with the severity and the page of their rule,
//         on hover over a finding, the rule's page,
//         on a kernel's head, and on findings that a rewrite fixes, code actions that rewrite it.
// Limits: all other messages pass unchanged, byte for byte. Kernels in string literals of host
//         files have findings and fixes, but no rewrites.
//
// A rewrite runs in a separate process (clmali-rewrite) in the background: the command is answered
// at once, progress is reported, and an accepted rewrite arrives as an edit of the document. If it
// was refused, refuted or inconclusive, a message is shown and nothing is edited.
//
//===------------------------------------------------------------------------------------------===//

#ifndef CLMALI_TOOLS_CLANGD_SESSION_H
#define CLMALI_TOOLS_CLANGD_SESSION_H

#include "tools/clangd/Rewrite.h"
#include "tools/clangd/Stream.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/ThreadPool.h"
#include <atomic>
#include <chrono>
#include <map>
#include <memory>
#include <thread>

namespace clmali::editor {

/// A kernel of a document: its name, and the bytes of its head (up to the body) and of its body.
struct KernelPlace {
  std::string Name;
  size_t Begin = 0, Body = 0, End = 0;
};

/// A line and a character of it, as the protocol counts them.
using Position = std::pair<int64_t, int64_t>;

/// A finding that was published.
struct FindingPlace {
  Position Begin, End;
  std::string Rule;

  bool contains(Position At) const { return Begin <= At && At <= End; }
};

/// An open document.
struct Document {
  std::string Path, Text;
  int64_t Version = 0;
  bool HasKernels = false;                         ///< an OpenCL C file
  std::optional<std::vector<KernelPlace>> Kernels; ///< of this text; not set: not computed yet
  std::vector<FindingPlace> Findings;              ///< most recently published
};

class Session {
public:
  Session(int FromEditor, int ToEditor, int ToEngine, int FromEngine, std::string Program);
  /// Shows a message to the user. Thread-safe.
  void warn(const std::string &Text) { show(Warning, Text); }
  /// Ends running rewrites and waits for them.
  void stop();
  /// Runs until the editor closes its stream; then closes the stream to the engine.
  void serveEditor();
  /// Runs until the engine closes its stream.
  void serveEngine();

private:
  enum class Asked { Initialize, Hover, CodeAction };
  struct Question {
    Asked What;
    llvm::json::Object Params;
  };
  enum MessageType { Error = 1, Warning = 2, Info = 3 }; ///< as the protocol defines it

  // Messages of the editor. False: do not forward to the engine.
  bool fromEditor(const llvm::json::Object &Message);
  void documentChanged(llvm::StringRef Method, const llvm::json::Object &Params);
  void initialize(const llvm::json::Object &Params);
  /// The editor sent exit: end the process, even if clangd does not.
  void endSoon();
  bool execute(const llvm::json::Value &Id, const llvm::json::Object &Params);
  void answered(llvm::StringRef Id, const llvm::json::Object &Message);

  // Messages of the engine. False: unchanged, or sent later.
  bool fromEngine(llvm::json::Object &Message);
  void publish(llvm::json::Object &Params);
  void addCapabilities(llvm::json::Object &Result);
  void addPages(const llvm::json::Object &Params, llvm::json::Object &Message);
  bool wantsRewrites(const llvm::json::Object &Params);
  void addRewrites(const llvm::json::Object &Params, llvm::json::Object &Message);
  std::vector<KernelPlace> kernelsOf(llvm::StringRef Uri);

  // Rewrites (Rewrite.cpp).
  void startRewrite(llvm::StringRef Uri, llvm::StringRef Kernel, llvm::StringRef Device);
  /// False: not one of our tokens.
  bool cancelRewrite(llvm::StringRef Token);
  void runRewrite(RewriteJob &Job);
  void offerEdit(const RewriteJob &Job, llvm::StringRef New, const llvm::Twine &Summary);
  void progress(const RewriteJob &Job, llvm::StringRef Kind, llvm::StringRef Title,
                llvm::StringRef Text);

  // Requests and notifications of the session itself.
  void show(MessageType Type, const llvm::Twine &Text);
  void log(const llvm::Twine &Text);
  void notify(llvm::StringRef Method, llvm::json::Object Params);
  /// WhenDone is shown when the editor confirms the request.
  std::string ask(llvm::StringRef Method, llvm::json::Object Params, std::string WhenDone = "");

  Reader Editor, Engine;
  Writer ToEditor, ToEngine;
  std::string Program; ///< path of this program

  std::mutex Mutex;                          ///< guards the members below
  std::map<std::string, Question> Questions; ///< by the editor's id, as JSON
  std::map<std::string, std::string>
      Waiting;                         ///< our edits: id -> message to show once it is applied
  llvm::StringMap<Document> Documents; ///< by URI
  std::map<std::string, std::shared_ptr<RewriteJob>> Jobs; ///< running, by token
  std::vector<std::thread> Threads;
  uint64_t LastId = 0;
  Encoding Positions = Encoding::Utf16;
  bool CanProgress = false, CanEdit = false, CanVersion = false, CanLiterals = false,
       WantsMarkdown = true;
  std::atomic<bool> Over{false}, AskedToShutDown{false};
  llvm::StdThreadPool Pool{llvm::hardware_concurrency(1)}; ///< parses; last: ends before the rest
};

} // namespace clmali::editor

#endif
