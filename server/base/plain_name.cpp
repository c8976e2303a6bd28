#include "server/base/plain_name.h"

#include <algorithm>
#include <cstddef>

namespace server {
namespace {

bool is_between(char byte, unsigned first, unsigned last) {
  const auto value = static_cast<unsigned char>(byte);
  return value >= first && value <= last;
}

// Returns the bytes of the first character; 1 where they are no UTF-8.
std::size_t bytes_of_first(std::string_view text) {
  const auto lead = static_cast<unsigned char>(text.front());
  const std::size_t bytes = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : lead >= 0xC2 ? 2 : 1;
  const auto rest = text.substr(1, bytes - 1);
  const bool is_whole = rest.size() == bytes - 1 && std::ranges::all_of(rest, [](char byte) {
                          return is_between(byte, 0x80, 0xBF);
                        });
  return is_whole ? bytes : 1;
}

bool is_steering(std::string_view character) {
  if (character.size() == 1) {
    return is_between(character[0], 0, 0x1F) || is_between(character[0], 0x7F, 0x9F);
  }
  if (character.size() == 2) return character[0] == '\xC2' && is_between(character[1], 0x80, 0x9F);
  if (character.starts_with("\xE2\x80")) return is_between(character[2], 0xA8, 0xAE);
  return character.starts_with("\xE2\x81") && is_between(character[2], 0xA6, 0xA9);
}

}  // namespace

std::string plain_name(std::string_view name) {
  std::string plain;
  while (!name.empty()) {
    const auto character = name.substr(0, bytes_of_first(name));
    if (!is_steering(character)) plain += character;
    name.remove_prefix(character.size());
  }
  return plain;
}

}  // namespace server
