#include "platform/secret_variable.h"

#include <unistd.h>

#include <cstdlib>
#include <cstring>

extern char** environ;

namespace platform {

void forget_variable(const char* name) {
  // unsetenv() alone leaves the value in memory.
  if (char* value = std::getenv(name)) ::explicit_bzero(value, std::strlen(value));
  ::unsetenv(name);
}

void forget_environment() {
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
    ::explicit_bzero(*entry, std::strlen(*entry));
  }
  environ = nullptr;
}

}  // namespace platform
