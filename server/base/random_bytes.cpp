#include "server/base/random_bytes.h"

#include <sys/random.h>
#include <sys/types.h>

namespace server {

bool fill_with_random(std::span<unsigned char> bytes) {
#if defined(__APPLE__)
  return ::getentropy(bytes.data(), bytes.size()) == 0;
#else
  return ::getrandom(bytes.data(), bytes.size(), 0) == static_cast<ssize_t>(bytes.size());
#endif
}

}  // namespace server
