#include <algorithm>
#include <array>

#include "platform/matrix/rows.h"

namespace platform {
namespace {

constexpr std::array<std::string_view, 6> placeholders{"{card}", "{found}", "{needed}",
                                                       "{pack}", "{model}", "{value}"};

// Returns whether every brace belongs to a known placeholder.
bool placeholders_are_known(std::string_view text) {
  while (true) {
    const auto brace = text.find_first_of("{}");
    if (brace == std::string_view::npos) return true;
    text.remove_prefix(brace);
    const auto it = std::find_if(placeholders.begin(), placeholders.end(),
                                 [&](std::string_view name) { return text.starts_with(name); });
    if (it == placeholders.end()) return false;
    text.remove_prefix(it->size());
  }
}

// Returns whether optional parts are closed and do not nest.
bool brackets_are_paired(std::string_view text) {
  bool open = false;
  for (const char c : text) {
    if (c != '[' && c != ']') continue;
    if (open == (c == '[')) return false;
    open = !open;
  }
  return !open;
}

bool is_code(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) {
    return (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  });
}

}  // namespace

FindingRow read_finding(RowReader& row) {
  FindingRow finding{
      .code = row.text("code"),
      .vendor = row.text_of("vendor", {"nvidia", "amd", "apple", "other", "cpu", "any"}),
      .headline = row.text("headline"),
      .meaning = row.text("meaning"),
      .fix = row.texts("fix"),
      .match = row.text_lists("match")};
  if (!is_code(finding.code)) row.refuse("code holds more than A to Z, 0 to 9 and _");
  if (!brackets_are_paired(finding.headline)) row.refuse("headline has a bracket without its pair");
  if (!placeholders_are_known(finding.headline)) row.refuse("headline has an unknown placeholder");
  for (const auto& step : finding.fix) {
    if (!placeholders_are_known(step)) row.refuse("fix has an unknown placeholder");
  }
  return finding;
}

}  // namespace platform
