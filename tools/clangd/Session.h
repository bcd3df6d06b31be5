//===- Session.h - what stands between an editor and clangd
//-------------------------------------===//
//
// Before: an editor's messages to clangd, and clangd's to the editor.
// After:  the same, and
//           findings with the severity and the address of their rule,
//           on hover over a finding, the rule's page,
//           on a kernel's head, and on findings that a rewrite mends, code actions that rewrite it.
// Limits: everything else passes as it came, byte for byte. Kernels in string literals of host
// files
//         have findings and fixes, but no rewrites.
//
// A rewrite runs in a process of its own (clmali-rewrite), behind the editor's back: the command is
// answered at once, progress is reported, and what the judge held arrives as an edit of the
// document. Refused, refuted or inconclusive: a message, and no edit.
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

/// An open document.
struct Document {
  std::string Path, Text;
  int64_t Version = 0;
  bool HasKernels = false;                         ///< an OpenCL C file
  std::optional<std::vector<KernelPlace>> Kernels; ///< of this text; not set: not looked at yet
  std::vector<std::pair<llvm::json::Object, std::string>>
      Findings; ///< range, rule; newest published
};

class Session {
public:
  Session(int FromEditor, int ToEditor, int ToEngine, int FromEngine, std::string Program);
  /// Shows it to the user. Any thread.
  void warn(const std::string &Text) { show(Warning, Text); }
  /// Ends rewrites that run, and waits for them.
  void stop();
  /// Until the editor hangs up. Closes the way to the engine.
  void serveEditor();
  /// Until the engine hangs up.
  void serveEngine();

private:
  enum class Asked { Initialize, Hover, CodeAction };
  struct Question {
    Asked What;
    llvm::json::Object Params;
  };
  enum MessageType { Error = 1, Warning = 2, Info = 3 }; ///< the protocol's

  // Messages of the editor. False: not for the engine.
  bool fromEditor(const llvm::json::Object &Message);
  void documentChanged(llvm::StringRef Method, const llvm::json::Object &Params);
  void initialize(const llvm::json::Object &Params);
  /// The editor said exit: the process ends, also where clangd does not.
  void endSoon();
  bool execute(const llvm::json::Value &Id, const llvm::json::Object &Params);
  void answered(llvm::StringRef Id, const llvm::json::Object &Message);

  // Messages of the engine. False: nothing was changed, or it is sent later.
  bool fromEngine(llvm::json::Object &Message);
  void publish(llvm::json::Object &Params);
  void addCapabilities(llvm::json::Object &Result);
  void addPages(const llvm::json::Object &Params, llvm::json::Object &Message);
  bool wantsRewrites(const llvm::json::Object &Params);
  void addRewrites(const llvm::json::Object &Params, llvm::json::Object &Message);
  std::vector<KernelPlace> kernelsOf(llvm::StringRef Uri);

  // Rewrites (Rewrite.cpp).
  void startRewrite(llvm::StringRef Uri, llvm::StringRef Kernel, llvm::StringRef Device);
  /// False: no token of ours.
  bool cancelRewrite(llvm::StringRef Token);
  void runRewrite(RewriteJob &Job);
  void offerEdit(const RewriteJob &Job, llvm::StringRef New, const llvm::Twine &Summary);
  void progress(const RewriteJob &Job, llvm::StringRef Kind, llvm::StringRef Title,
                llvm::StringRef Text);

  // Messages of our own.
  void show(MessageType Type, const llvm::Twine &Text);
  void log(const llvm::Twine &Text);
  void notify(llvm::StringRef Method, llvm::json::Object Params);
  /// WhenDone is shown when the editor says that it did what is asked.
  std::string ask(llvm::StringRef Method, llvm::json::Object Params, std::string WhenDone = "");

  Reader Editor, Engine;
  Writer ToEditor, ToEngine;
  std::string Program; ///< path of this program

  std::mutex Mutex;                           ///< of what follows
  std::map<std::string, Question> Questions;  ///< by the editor's id, as JSON
  std::map<std::string, std::string> Waiting; ///< our edits: id -> what to say when it is applied
  llvm::StringMap<Document> Documents;        ///< by URI
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
