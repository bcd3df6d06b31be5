//===- main.cpp - clmali-clangd ---------------------------------------------------------------===//
//
// Runs clangd with clmali's checks (Engine) and, between it and the editor, a session that adds
// rule pages and rewrites (Session). Both live in this process: clangd uses stdin and stdout, which
// are replaced by pipes.
//
//   editor  <-stdin, stdout->  Session  <-pipes->  clangd
//
//===------------------------------------------------------------------------------------------===//

#include "tools/clangd/Engine.h"
#include "tools/clangd/Session.h"
#include "tools/version/Version.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"
#include <csignal>
#include <fcntl.h>
#include <unistd.h>

using namespace llvm;
using namespace clmali::editor;

/// True if clangd prints something and exits instead of talking to an editor.
static bool printsAndEnds(StringRef Arg) {
  if (!Arg.consume_front("-"))
    return false;
  Arg.consume_front("-");
  return Arg.starts_with("check") || Arg.starts_with("help") || Arg == "h" || Arg == "version";
}

int main(int Argc, char **Argv) {
  std::vector<std::string> Args(Argv, Argv + Argc);
  if (any_of(ArrayRef(Args).drop_front(),
             [](StringRef A) { return A == "--version" || A == "-version"; })) {
    clmali::printVersion("clmali-clangd");
  }
  if (any_of(ArrayRef(Args).drop_front(),
             [](StringRef A) { return A == "--help" || A == "-help"; })) {
    outs() << "clmali-clangd: clangd with clmali's checks and rewrites\n\n"
              "  --clmali-device=D            GPU family of files whose settings name none\n"
              "  --clmali-platform=SUBSTRING  OpenCL platform that rewrites are verified on; "
              "default: the first\n\n"
              "and all of clangd's:\n\n";
    outs().flush();
  }
  if (std::optional<std::string> Problem = checkArguments(Args)) {
    errs() << "clmali-clangd: " << *Problem << "\n";
    return 2;
  }
  if (any_of(ArrayRef(Args).drop_front(), printsAndEnds))
    return runEngine(std::move(Args));

  int In[2], Out[2];
  int FromEditor = ::fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3),
      ToEditor = ::fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
  if (FromEditor < 0 || ToEditor < 0 || ::pipe2(In, O_CLOEXEC) || ::pipe2(Out, O_CLOEXEC) ||
      ::dup2(In[0], STDIN_FILENO) < 0 || ::dup2(Out[1], STDOUT_FILENO) < 0) {
    errs() << "clmali-clangd: cannot make pipes\n";
    return 2;
  }
  ::close(In[0]);
  ::close(Out[1]);
  ::signal(SIGPIPE, SIG_IGN);

  static int Anchor;
  auto S = std::make_unique<Session>(FromEditor, ToEditor, In[1], Out[0],
                                     sys::fs::getMainExecutable(Argv[0], &Anchor));
  onProblem([&](const std::string &Text) { S->warn(Text); });
  std::thread Editor([&] { S->serveEditor(); });
  std::thread Engine([&] { S->serveEngine(); });
  int Code = runEngine(std::move(Args));
  // Forward the last output of clangd.
  outs().flush();
  ::close(STDOUT_FILENO);
  Engine.join();
  // The editor may keep its end open; do not wait for it.
  ::close(STDIN_FILENO);
  Editor.detach();
  S->stop();
  ::_exit(Code);
}
