#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "server/mcp/tools/arguments.h"
#include "server/mcp/tools/tool.h"

namespace server {

// More segments than any transcript has.
inline constexpr int most_segments = 1'000'000;

// How a job's text reaches the model: as the answer, page by page, or as a file.
struct Delivery {
  std::string format = "text";
  bool with_times = false;    // in the text
  bool with_segments = true;  // beside it, in the structured content
  bool with_words = false;    // in the segments, where the job has them
  std::string output_file{};  // empty: none
  int offset = 0;             // of the first segment
  int limit = 0;              // segments; 0: as many as fit

  // The whole transcript at once, which is there only when the job is done.
  bool is_file() const { return format != "text" || !output_file.empty(); }
};

nlohmann::json delivery_properties();
Delivery read_delivery(Arguments& arguments);

// Whether the output_file can be written, as far as that is known before there is a transcript.
Result<void> check_delivery(const ToolCall& call, const Delivery& delivery);

}  // namespace server
