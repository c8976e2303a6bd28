#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "server/http/header_params.h"
#include "server/http/request_target.h"

namespace {

bool has_upper_case(std::string_view text) {
  return text.find_first_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ") != text.npos;
}

bool is_path(std::string_view path) {
  return path.starts_with('/') && path.find('\0') == path.npos && path.find("//") == path.npos &&
         (std::string(path) + "/").find("/../") == std::string::npos &&
         (std::string(path) + "/").find("/./") == std::string::npos;
}

}  // namespace

// Parses the values of a request: a field with parameters, and its address.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  if (const auto params = server::parse_header_params(text)) {
    if (has_upper_case(params->value)) std::abort();
    for (const auto& [name, value] : params->params) {
      if (has_upper_case(name) || *params->find(name) != value) std::abort();
    }
  }
  if (const auto target = server::parse_target(text); target && !is_path(target->path)) {
    std::abort();
  }
  return 0;
}
