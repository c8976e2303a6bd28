#include "server/http/sse.h"

#include <algorithm>

namespace server {
namespace {

// Each of CR LF, CR and LF ends a line of an event stream.
std::string lines_with(std::string_view prefix, std::string_view text) {
  std::string lines;
  while (true) {
    const auto end = std::min(text.find_first_of("\r\n"), text.size());
    lines.append(prefix).append(text.substr(0, end)) += '\n';
    if (end == text.size()) return lines;
    text.remove_prefix(text.substr(end).starts_with("\r\n") ? end + 2 : end + 1);
  }
}

}  // namespace

Response sse_head() {
  // The last header is for nginx, which otherwise buffers the events.
  return {.content_type = "text/event-stream",
          .headers = {{"cache-control", "no-cache"}, {"x-accel-buffering", "no"}}};
}

std::string sse_data(std::string_view text) {
  return lines_with("data: ", text) + "\n";
}

std::string sse_event(std::string_view name, std::string_view text) {
  return lines_with("event: ", name) + sse_data(text);
}

std::string sse_comment(std::string_view text) {
  return lines_with(": ", text) + "\n";
}

}  // namespace server
