#include "server/inputs/name_search.h"

#include <algorithm>
#include <cstring>

namespace server {
namespace {

std::string lower_case_name(std::string_view name) {
  std::string lower(name);
  std::ranges::transform(lower, lower.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  return lower;
}

}  // namespace

NameSearch::NameSearch(std::string_view text) : text_(lower_case_name(text)) {}

bool NameSearch::matches(std::string_view name) const {
  if (text_.empty()) return true;
  const std::string lower = lower_case_name(name);
  return ::memmem(lower.data(), lower.size(), text_.data(), text_.size()) != nullptr;
}

}  // namespace server
