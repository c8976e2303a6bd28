#include "server/client/sse_reader.h"

#include <utility>

namespace server {

std::vector<std::string> SseReader::take(std::string_view bytes) {
  std::vector<std::string> events;
  for (const char byte : bytes) {
    const bool ends_pair = std::exchange(after_cr_, byte == '\r') && byte == '\n';
    if (is_too_long_ || ends_pair) continue;
    if (byte == '\r' || byte == '\n') {
      take_line(events);
    } else {
      line_ += byte;
    }
    is_too_long_ = line_.size() + data_.size() > most_bytes_;
  }
  return events;
}

void SseReader::take_line(std::vector<std::string>& events) {
  const std::string line = std::exchange(line_, {});
  if (line.empty()) {
    if (std::exchange(has_data_, false)) events.push_back(std::exchange(data_, {}));
    return;
  }
  constexpr std::string_view field = "data:";
  if (!line.starts_with(field)) return;  // a comment, or a field that has no meaning here
  std::string_view value = std::string_view(line).substr(field.size());
  if (value.starts_with(' ')) value.remove_prefix(1);
  if (std::exchange(has_data_, true)) data_ += '\n';
  data_ += value;
}

}  // namespace server
