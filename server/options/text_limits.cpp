#include "server/options/text_limits.h"

#include <fmt/format.h>

#include <algorithm>

namespace server {

bool is_label(std::string_view word) {
  const auto is_control = [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; };
  return !word.empty() && std::ranges::none_of(word, is_control);
}

Result<void> check_bytes(std::string_view field, std::size_t bytes, std::size_t most) {
  if (bytes <= most) return {};
  return Error{errc::usage,
               fmt::format("The {} has {} bytes, and may have {} at most.", field, bytes, most),
               "Shorten it."};
}

Result<void> check_count(std::string_view field, std::size_t count, std::size_t most) {
  if (count <= most) return {};
  return Error{errc::usage,
               fmt::format("The {} has {} entries, and may have {} at most.", field, count, most),
               "Leave some out."};
}

}  // namespace server
