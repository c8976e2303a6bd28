#include "server/api/text_looks.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "protocol/docx/document.h"
#include "protocol/docx/transcript_files.h"
#include "protocol/option_table.h"
#include "protocol/text_rules.h"
#include "server/options/line_options.h"
#include "server/options/set_option.h"

namespace server {
namespace {

FormProblem read_look(const Exchange& exchange, const char* name, std::optional<bool>& look) {
  const auto text = exchange.query(name);
  if (!text) return {};
  bool value = false;
  if (const auto problem = read_flag(name, *text, value)) return problem;
  look = value;
  return {};
}

FormProblem read_style(const Exchange& exchange, std::optional<protocol::SubtitleStyle>& style) {
  const auto text = exchange.query("subtitle_style");
  if (!text || text->empty()) return {};
  protocol::TranscribeOptions options;
  const auto set = set_option(*protocol::find_option("subtitle_style"), "parameter subtitle_style",
                              *text, options);
  if (!set) return FormError{set.error(), "subtitle_style"};
  style = options.subtitle_style;
  return {};
}

// Returns "0:14" or "1:02:41", as players write times.
std::string reading_clock(double seconds) {
  const auto whole = static_cast<long long>(std::floor(std::max(0.0, seconds)));
  if (whole < 3600) return fmt::format("{}:{:02}", whole / 60, whole % 60);
  return fmt::format("{}:{:02}:{:02}", whole / 3600, whole / 60 % 60, whole % 60);
}

std::string name_of(const protocol::Segment& segment, const protocol::WriterOptions& options) {
  if (!segment.speaker.empty()) return segment.speaker;
  const auto& labels = options.channel_labels;
  const std::size_t channel = static_cast<std::size_t>(segment.channel.value_or(0));
  return segment.channel && channel < labels.size() ? labels[channel] : "";
}

// The lines of txt, each behind its time: "[0:14] Ada: You were how old then?"
std::string timed_lines(const protocol::Transcript& transcript,
                        const protocol::WriterOptions& options) {
  std::string text;
  for (const auto& segment : transcript.segments) {
    const std::string name = name_of(segment, options);
    text += fmt::format("[{}] {}{}{}\n", reading_clock(segment.start), name,
                        name.empty() ? "" : ": ", protocol::strip(segment.text));
  }
  return text;
}

}  // namespace

QueryResult<TextLooks> text_looks(const Exchange& exchange) {
  std::optional<bool> times, speakers;
  if (const auto problem = read_look(exchange, "times", times)) return *problem;
  if (const auto problem = read_look(exchange, "speakers", speakers)) return *problem;
  TextLooks looks{.times = times, .speakers = speakers.value_or(true)};
  if (const auto problem = read_style(exchange, looks.subtitles.style)) return *problem;
  for (const LineOption& option : line_options) {
    const auto text = exchange.query(option.name);
    if (!text || text->empty()) continue;
    const auto set = set_line_option("parameter ", option.name, *text, looks.subtitles.lines);
    if (!set) return FormError{set.error(), std::string(option.name)};
  }
  return looks;
}

Result<std::string> written_text(std::string_view format, protocol::Transcript transcript,
                                 protocol::WriterOptions options, const TextLooks& looks) {
  if (!looks.speakers) {
    for (auto& segment : transcript.segments) segment.speaker.clear();
    options.channel_labels.clear();
  }
  if (format == "txt" && looks.times.value_or(false)) return timed_lines(transcript, options);
  if (format == protocol::docx_format && !looks.times.value_or(true)) {
    return protocol::write_docx(
        transcript, {options.recording, std::move(options.channel_labels), /*times=*/false});
  }
  options = with_looks(std::move(options), looks.subtitles);
  auto text = protocol::write_transcript_file(format, transcript, options);
  if (!text) return text.error();
  return *std::move(text);
}

}  // namespace server
