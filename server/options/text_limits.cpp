#include "server/options/text_limits.h"

#include <fmt/format.h>

#include <algorithm>

namespace server {
namespace {

bool is_label(std::string_view word) {
  const auto is_control = [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; };
  return !word.empty() && std::ranges::none_of(word, is_control);
}

}  // namespace

Result<void> check_labels(std::string_view field, std::span<const std::string> labels,
                          bool is_split) {
  if (labels.empty()) return {};
  if (!is_split) {
    return Error{errc::usage, fmt::format("The {} needs channels that are split.", field),
                 "Split the channels, or leave it out."};
  }
  if (labels.size() != 2 || !std::ranges::all_of(labels, is_label)) {
    return Error{errc::usage, fmt::format("The {} must be two words, one for each channel.", field),
                 "For instance Agent and Caller."};
  }
  return check_bytes(field, std::max(labels[0].size(), labels[1].size()), max_name_bytes);
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
