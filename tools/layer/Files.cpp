//===- Files.cpp ------------------------------------------------------------------------------===//

#include "tools/layer/Files.h"
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace clmali::layer {
namespace {

/// A file descriptor that is closed at the end; programs that are started do not inherit it.
class Descriptor {
public:
  Descriptor(const std::string &Path, int Flags)
      : Number(open(Path.c_str(), Flags | O_CLOEXEC, 0600)) {}
  ~Descriptor() {
    if (Number >= 0)
      close(Number);
  }
  Descriptor(const Descriptor &) = delete;
  Descriptor &operator=(const Descriptor &) = delete;
  bool isOpen() const { return Number >= 0; }
  int number() const { return Number; }

  bool write(std::string_view Data) const {
    while (!Data.empty()) {
      ssize_t N = ::write(Number, Data.data(), Data.size());
      if (N < 0 && errno == EINTR)
        continue;
      if (N <= 0)
        return false;
      Data.remove_prefix(N);
    }
    return true;
  }
  std::optional<std::string> read() const {
    std::string Data;
    char Part[65536];
    for (;;) {
      ssize_t N = ::read(Number, Part, sizeof Part);
      if (N < 0 && errno == EINTR)
        continue;
      if (N < 0)
        return std::nullopt;
      if (N == 0)
        return Data;
      Data.append(Part, N);
    }
  }

private:
  int Number;
};

std::string whyUnsafe(const struct stat &S) {
  if (S.st_uid != geteuid() && S.st_uid != 0)
    return "it belongs to another user";
  if (S.st_mode & (S_IWGRP | S_IWOTH))
    return "others may write to it";
  return {};
}

} // namespace

bool makeFolder(const std::string &Path) {
  for (size_t At = Path.find('/', 1);; At = Path.find('/', At + 1)) {
    std::string Part = Path.substr(0, At);
    if (mkdir(Part.c_str(), 0700) != 0 && errno != EEXIST)
      return false;
    if (At == std::string::npos)
      break;
  }
  struct stat S;
  return stat(Path.c_str(), &S) == 0 && S_ISDIR(S.st_mode);
}

bool writeFile(const std::string &Path, std::string_view Data) {
  std::string Temporary = Path + "." + std::to_string(getpid()) + ".tmp";
  bool Ok;
  {
    Descriptor File(Temporary, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW);
    Ok = File.isOpen() && File.write(Data);
  }
  if (Ok && rename(Temporary.c_str(), Path.c_str()) == 0)
    return true;
  unlink(Temporary.c_str());
  return false;
}

bool appendFile(const std::string &Path, std::string_view Data) {
  Descriptor File(Path, O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW);
  return File.isOpen() && File.write(Data);
}

std::optional<std::string> readFile(const std::string &Path) {
  Descriptor File(Path, O_RDONLY);
  return File.isOpen() ? File.read() : std::nullopt;
}

std::string whyUnsafe(const std::string &Path) {
  struct stat S;
  if (stat(Path.c_str(), &S) != 0)
    return std::strerror(errno);
  return whyUnsafe(S);
}

std::optional<std::string> readSafely(const std::string &Path, std::string &Why) {
  Descriptor File(Path, O_RDONLY | O_NOFOLLOW);
  struct stat S;
  if (!File.isOpen() || fstat(File.number(), &S) != 0) {
    Why = std::strerror(errno);
    return std::nullopt;
  }
  Why = S_ISREG(S.st_mode) ? whyUnsafe(S) : "it is no file";
  if (!Why.empty())
    return std::nullopt;
  return File.read();
}

bool matches(std::string_view Glob, std::string_view Name) {
  if (Glob.empty())
    return Name.empty();
  if (Glob.front() == '*')
    return matches(Glob.substr(1), Name) || (!Name.empty() && matches(Glob, Name.substr(1)));
  return !Name.empty() && (Glob.front() == '?' || Glob.front() == Name.front()) &&
         matches(Glob.substr(1), Name.substr(1));
}

} // namespace clmali::layer
