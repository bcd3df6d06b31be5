//===- Start.cpp ------------------------------------------------------------------------------===//

#include "tools/record/Start.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace llvm;

namespace clmali::record {

static Error failure(const Twine &Message) {
  return createStringError(inconvertibleErrorCode(), Message);
}

Expected<std::string> layerFolder(const char *Argv0) {
  static int Anchor;
  std::string Program = sys::fs::getMainExecutable(Argv0, &Anchor);
  StringRef Bin = sys::path::parent_path(Program);
  for (const char *Folder : {"../lib", CLMALI_LAYER_FOLDER, "."}) {
    SmallString<256> Path(Bin);
    sys::path::append(Path, Folder);
    if (sys::fs::exists(Path + "/libclmali-layer.so")) {
      sys::path::remove_dots(Path, /*remove_dot_dot=*/true);
      return std::string(Path);
    }
  }
  return failure("libclmali-layer.so is not beside '" + Bin + "'; is clmali installed completely?");
}

/// Puts a value in front of a list variable.
static void prepend(const char *Name, const std::string &Value) {
  const char *Before = std::getenv(Name);
  setenv(Name, Before && *Before ? (Value + ":" + Before).c_str() : Value.c_str(), 1);
}

Expected<int> runWithLayer(ArrayRef<std::string> Command, const std::string &Folder, bool DropIn,
                           ArrayRef<std::pair<std::string, std::string>> Variables) {
  int Failed[2]; // the child reports here that it could not start the program
  if (pipe2(Failed, O_CLOEXEC) != 0)
    return failure(std::strerror(errno));
  pid_t Child = fork();
  if (Child < 0)
    return failure(std::strerror(errno));
  if (Child == 0) {
    for (const auto &[Name, Value] : Variables)
      setenv(Name.c_str(), Value.c_str(), 1);
    if (DropIn)
      prepend("LD_LIBRARY_PATH", Folder + "/clmali-dropin");
    else
      prepend("OPENCL_LAYERS", Folder + "/libclmali-layer.so");
    std::vector<char *> Arguments;
    for (const std::string &A : Command)
      Arguments.push_back(const_cast<char *>(A.c_str()));
    Arguments.push_back(nullptr);
    execvp(Arguments[0], Arguments.data());
    int Why = errno;
    (void)!write(Failed[1], &Why, sizeof Why);
    _exit(127);
  }
  close(Failed[1]);
  // The terminal sends these to the program too, which decides what they mean.
  auto OldInterrupt = std::signal(SIGINT, SIG_IGN), OldQuit = std::signal(SIGQUIT, SIG_IGN);
  int Status = 0, Why = 0;
  while (waitpid(Child, &Status, 0) < 0 && errno == EINTR)
    ;
  std::signal(SIGINT, OldInterrupt);
  std::signal(SIGQUIT, OldQuit);
  bool NotStarted = read(Failed[0], &Why, sizeof Why) == sizeof Why;
  close(Failed[0]);
  if (NotStarted)
    return failure("cannot start '" + Command.front() + "': " + std::strerror(Why));
  return WIFSIGNALED(Status) ? 128 + WTERMSIG(Status) : WEXITSTATUS(Status);
}

} // namespace clmali::record
