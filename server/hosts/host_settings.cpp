#include "server/hosts/host_settings.h"

#include <algorithm>
#include <vector>

#include "server/hosts/host_texts.h"

namespace server {
namespace {

constexpr std::size_t lines_around = 2;

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const auto end = std::min(text.find('\n'), text.size());
    lines.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

}  // namespace

std::string lines_to_paste(const McpHost& host, const McpCommand& command) {
  return host.format == McpHost::Format::json ? json_lines(host, command)
                                              : toml_lines(host, command);
}

Result<std::string> with_scribed(std::string_view text, const McpHost& host,
                                 const McpCommand& command) {
  auto changed = host.format == McpHost::Format::json ? json_with_scribed(text, host, command)
                                                      : toml_with_scribed(text, host, command);
  if (changed) return *std::move(changed);
  const bool json = host.format == McpHost::Format::json;
  return Error{errc::bad_config,
               json ? "these settings have comments, or are not understood: nothing is written"
                    : "these settings name scribed already, in another way, or are not understood: "
                      "nothing is written",
               "Put these lines into them by hand."};
}

std::string shown_change(std::string_view before, std::string_view after) {
  const auto old_lines = lines_of(before), new_lines = lines_of(after);
  const auto shorter = std::min(old_lines.size(), new_lines.size());
  std::size_t same = 0, same_at_end = 0;
  while (same < shorter && old_lines[same] == new_lines[same]) ++same;
  while (same_at_end < shorter - same && old_lines[old_lines.size() - 1 - same_at_end] ==
                                             new_lines[new_lines.size() - 1 - same_at_end]) {
    ++same_at_end;
  }
  std::string text;
  const auto add = [&](char sign, const auto& lines, std::size_t from, std::size_t to) {
    for (std::size_t i = from; i < to; ++i) text += sign + (" " + std::string(lines[i])) + "\n";
  };
  add(' ', old_lines, same - std::min(same, lines_around), same);
  add('-', old_lines, same, old_lines.size() - same_at_end);
  add('+', new_lines, same, new_lines.size() - same_at_end);
  const std::size_t rest = new_lines.size() - same_at_end;
  add(' ', new_lines, rest, std::min(rest + lines_around, new_lines.size()));
  return text;
}

}  // namespace server
