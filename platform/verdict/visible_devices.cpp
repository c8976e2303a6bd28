#include "platform/verdict/visible_devices.h"

#include <charconv>
#include <string_view>

namespace platform {
namespace {

bool may_name(std::string_view part, const HiddenCard& card) {
  std::size_t index = 0;
  const auto parsed = std::from_chars(part.data(), part.data() + part.size(), index);
  if (parsed.ec == std::errc{} && parsed.ptr == part.data() + part.size()) {
    return card.cards == 0 || index < card.cards;
  }
  // A MIG instance has a UUID of its own.
  return card.uuid.empty() || part.starts_with("MIG-") || card.uuid.starts_with(part);
}

std::string_view trimmed(std::string_view part) {
  while (part.starts_with(' ')) part.remove_prefix(1);
  while (part.ends_with(' ')) part.remove_suffix(1);
  return part;
}

}  // namespace

bool hides(const std::string& value, const HiddenCard& card) {
  if (card.others_listed) return true;
  std::string_view rest = value;
  while (true) {
    const auto comma = rest.find(',');
    const std::string_view part = trimmed(rest.substr(0, comma));
    if (part.empty() || part.starts_with('-')) return true;
    if (may_name(part, card)) return false;
    if (comma == std::string_view::npos) return true;
    rest.remove_prefix(comma + 1);
  }
}

}  // namespace platform
