#include "server/mcp/tools/delivery.h"

#include <array>
#include <span>
#include <string>
#include <string_view>

#include "server/mcp/tools/local_path.h"
#include "server/mcp/tools/output_file.h"
#include "server/mcp/tools/schema.h"
#include "server/mcp/tools/subtitle_arguments.h"

namespace server {
namespace {

constexpr std::array<std::string_view, 8> formats{"text", "srt",  "vtt",  "ass",
                                                  "tsv",  "json", "rttm", "docx"};
constexpr std::array<std::string_view, 3> timestamp_kinds{"none", "segment", "word"};

// A docx can only be written into a file.
std::span<const std::string_view> formats_of(const ToolSettings& settings) {
  return std::span(formats).first(settings.may_write ? formats.size() : formats.size() - 1);
}

std::string format_words(const ToolSettings& settings) {
  std::string words =
      "text to read; srt, vtt, ass, tsv or json for a file; rttm: who speaks when, of a diarized "
      "recording. Default: text";
  if (settings.may_write) words += ". docx: with output_file alone";
  return words;
}

}  // namespace

nlohmann::json delivery_properties(const ToolSettings& settings) {
  nlohmann::json properties{
      {"format", schema::one_of(format_words(settings).c_str(), formats_of(settings))},
      {"timestamps",
       schema::one_of("segment: the text has a line with times for each passage; word: besides, "
                      "segments with the times of each word, if the job was started with it. "
                      "Default: none",
                      timestamp_kinds)},
      {"segments", schema::flag("Also give the segments as objects with times, speaker and "
                                "confidence. A page then holds a fraction of the text. Default: "
                                "false")}};
  properties.update(line_properties());
  if (settings.may_write) {
    properties["output_file"] =
        schema::text("Write the transcript to this new file, and answer with its beginning only");
  }
  return properties;
}

Delivery read_delivery(Arguments& arguments, const ToolSettings& settings) {
  Delivery delivery{.format = arguments.choice("format", formats_of(settings), "text")};
  const auto kind = arguments.choice("timestamps", timestamp_kinds, "none");
  delivery.with_words = kind == "word";
  delivery.with_times = kind != "none";
  const bool wants_segments = arguments.flag("segments");
  delivery.with_segments = wants_segments || delivery.with_words;
  delivery.subtitles.lines = read_lines(arguments, delivery.format);
  if (settings.may_write) {
    delivery.output_file = read_path(arguments, "output_file", settings.home);
  }
  return delivery;
}

Result<void> check_delivery(const ToolCall& call, const Delivery& delivery) {
  if (delivery.output_file.empty()) return {};
  const auto output = open_output(call.services.paths, delivery.output_file);
  if (!output) return output.error();
  return {};
}

}  // namespace server
