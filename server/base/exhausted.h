#pragma once

#include "server/base/error.h"

namespace server {

namespace errc {
inline constexpr char out_of_descriptors[] = "out_of_descriptors";
}  // namespace errc

// Returns the error of a system call that has failed: `other`, unless this process or the machine
// has no descriptor or no memory left, which has nothing to do with what was being done.
Error exhausted_or(int error_number, Error other);

}  // namespace server
