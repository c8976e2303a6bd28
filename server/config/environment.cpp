#include "server/config/environment.h"

#include <cstdlib>

namespace server {

std::string process_environment(const char* variable) {
  const char* value = std::getenv(variable);
  return value == nullptr ? "" : value;
}

bool is_in_environment(const char* variable) {
  return std::getenv(variable) != nullptr;
}

}  // namespace server
