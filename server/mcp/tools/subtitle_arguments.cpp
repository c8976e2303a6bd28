#include "server/mcp/tools/subtitle_arguments.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "protocol/option_table.h"
#include "server/mcp/tools/schema.h"
#include "server/options/line_options.h"

namespace server {
namespace {

constexpr auto& style_names = protocol::json::names<protocol::SubtitleStyle>;

bool is_subtitle_format(std::string_view format) {
  return format == "srt" || format == "vtt" || format == "ass";
}

void read_limit(Arguments& arguments, const char* name, std::optional<int>& limit) {
  constexpr int missing = 0;
  const int value = arguments.integer(name, 1, most_of_line_option, missing);
  if (value != missing) limit = value;
}

}  // namespace

nlohmann::json line_properties() {
  nlohmann::json properties = nlohmann::json::object();
  for (const LineOption& option : line_options) {
    properties[std::string(option.name)] = line_option_schema(option);
  }
  return properties;
}

protocol::WriterOptions read_lines(Arguments& arguments, std::string_view format) {
  protocol::WriterOptions lines;
  read_limit(arguments, "max_line_width", lines.max_line_width);
  read_limit(arguments, "max_line_count", lines.max_line_count);
  read_limit(arguments, "max_words_per_line", lines.max_words_per_line);
  lines.highlight_words = arguments.flag("highlight_words");
  if (has_line_option(lines) && !is_subtitle_format(format)) {
    arguments.fail(fmt::format("The format {} has no lines of subtitles.", format),
                   "Set format to srt, vtt or ass, or leave the arguments for lines out.");
  }
  return lines;
}

nlohmann::json another_style_property() {
  return schema::one_of("srt, vtt and ass: the style of this file. Default: the style of the job",
                        style_names);
}

std::optional<protocol::SubtitleStyle> read_another_style(Arguments& arguments) {
  std::array<std::string_view, style_names.size()> styles;
  std::ranges::copy(style_names, styles.begin());
  const auto wanted = arguments.choice("subtitle_style", styles, "");
  const auto found = std::ranges::find(styles, wanted);
  if (found == styles.end()) return std::nullopt;
  return static_cast<protocol::SubtitleStyle>(found - styles.begin());
}

std::string repeated_arguments(const SubtitleLooks& looks) {
  std::string text;
  const auto add_limit = [&](const char* name, std::optional<int> limit) {
    if (limit) text += fmt::format(", {}={}", name, *limit);
  };
  if (looks.style) {
    text += fmt::format(", subtitle_style=\"{}\"", protocol::json::name_of(*looks.style));
  }
  add_limit("max_line_width", looks.lines.max_line_width);
  add_limit("max_line_count", looks.lines.max_line_count);
  add_limit("max_words_per_line", looks.lines.max_words_per_line);
  if (looks.lines.highlight_words) text += ", highlight_words=true";
  return text;
}

}  // namespace server
