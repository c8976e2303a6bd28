#include "server/base/exhausted.h"

#include <cerrno>

namespace server {

Error exhausted_or(int error_number, Error other) {
  switch (error_number) {
    case EMFILE:
    case ENFILE:
      return {errc::out_of_descriptors, "scribed has no file descriptor left.",
              "Try again later, or raise the limit (LimitNOFILE=, ulimit -n)."};
    case ENOMEM:
      return {errc::out_of_memory, "The system has no memory left for scribed.",
              "Try again later."};
    default:
      return other;
  }
}

}  // namespace server
