// Functions of the C library that are newer than the oldest one that the archive runs with (2.35).
// libstdc++.a asks for them, having been built on the distribution's.
#include <cstdint>
#include <cstdlib>
#include <sys/random.h>

/// Since glibc 2.36; behind std::random_device.
extern "C" __attribute__((visibility("hidden"))) uint32_t arc4random() noexcept {
  uint32_t Value;
  if (getentropy(&Value, sizeof Value) != 0)
    std::abort();
  return Value;
}
