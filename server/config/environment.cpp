#include "server/config/environment.h"

#include <unistd.h>

#include <cstdlib>
#include <string_view>

namespace server {

std::string process_environment(const char* variable) {
  const char* value = std::getenv(variable);
  return value == nullptr ? "" : value;
}

bool is_in_environment(const char* variable) {
  return std::getenv(variable) != nullptr;
}

std::vector<std::string> own_variables() {
  std::vector<std::string> names;
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
    const std::string_view text = *entry;
    if (text.starts_with("SCRIBED_")) names.emplace_back(text.substr(0, text.find('=')));
  }
  return names;
}

}  // namespace server
