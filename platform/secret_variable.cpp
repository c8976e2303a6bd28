#if defined(__APPLE__)
#define __STDC_WANT_LIB_EXT1__ 1  // memset_s
#endif

#include "platform/secret_variable.h"

#include <unistd.h>

#include <cstdlib>
#include <cstring>

extern char** environ;

namespace platform {
namespace {

// Overwrites a text that nobody reads any more, which a compiler may do without otherwise.
void wipe(char* text) {
  const std::size_t size = std::strlen(text);
#if defined(__APPLE__)
  ::memset_s(text, size, 0, size);
#else
  ::explicit_bzero(text, size);
#endif
}

}  // namespace

void forget_variable(const char* name) {
  // unsetenv() alone leaves the value in memory.
  if (char* value = std::getenv(name)) wipe(value);
  ::unsetenv(name);
}

void forget_environment() {
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
    wipe(*entry);
  }
  environ = nullptr;
}

}  // namespace platform
