#include "server/transcription/text_limits.h"

#include <fmt/format.h>

namespace server {

bool is_label(std::string_view word) {
  return !word.empty() && word.find_first_of("\r\n") == word.npos;
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
