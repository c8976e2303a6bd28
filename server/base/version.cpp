#include "server/base/version.h"

namespace server {

const char* program_version() {
  return SCRIBED_VERSION;
}

}  // namespace server
