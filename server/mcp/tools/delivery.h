#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "server/mcp/tools/arguments.h"
#include "server/mcp/tools/tool.h"
#include "server/options/subtitle_looks.h"

namespace server {

// No transcript has this many segments.
inline constexpr int most_segments = 1'000'000;

// The way a job's text reaches the model: as the answer, page by page, or as a file.
struct Delivery {
  std::string format = "text";
  bool with_times = false;     // times in the text
  bool with_segments = false;  // segments beside the text, in the structured content
  bool with_words = false;     // words in the segments, if the job has them
  SubtitleLooks subtitles{};   // of srt, vtt and ass
  std::string output_file{};   // absolute, or below the first allowed folder; empty: none
  int offset = 0;              // the first segment
  int limit = 0;               // segments; 0: as many as fit

  // A file is the whole transcript at once, which exists only when the job is done.
  bool is_file() const { return format != "text" || !output_file.empty(); }
};

nlohmann::json delivery_properties(const ToolSettings& settings);
Delivery read_delivery(Arguments& arguments, const ToolSettings& settings);

// Checks that the output_file can be written, as far as that is known before the transcript exists.
Result<void> check_delivery(const ToolCall& call, const Delivery& delivery);

}  // namespace server
