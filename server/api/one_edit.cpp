#include "server/api/one_edit.h"

#include <algorithm>

namespace server {
namespace {

std::string_view behind(std::string_view text, std::size_t count) {
  return text.substr(std::min(count, text.size()));
}

}  // namespace

bool is_one_edit_apart(std::string_view a, std::string_view b) {
  const auto [left, right] = std::ranges::mismatch(a, b);
  a.remove_prefix(static_cast<std::size_t>(left - a.begin()));
  b.remove_prefix(static_cast<std::size_t>(right - b.begin()));
  if (a.empty() && b.empty()) return false;
  const bool is_one_more = behind(a, 1) == b || a == behind(b, 1);
  const bool is_replaced = behind(a, 1) == behind(b, 1);
  const bool is_swapped =
      a.size() > 1 && b.size() > 1 && a[0] == b[1] && a[1] == b[0] && behind(a, 2) == behind(b, 2);
  return is_one_more || is_replaced || is_swapped;
}

}  // namespace server
