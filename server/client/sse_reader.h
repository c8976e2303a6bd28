#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace server {

// Takes a stream of server-sent events apart, as its bytes come. Of an event only the data is
// kept: what scribed says stands there, and its kind inside.
class SseReader {
 public:
  explicit SseReader(std::size_t most_bytes = 32U << 20) : most_bytes_(most_bytes) {}

  // Returns the data of the events that end within these bytes; lines of data are joined by '\n'.
  std::vector<std::string> take(std::string_view bytes);

  // Whether an event had more than the bytes that it may have. Nothing is read after that.
  bool is_too_long() const { return is_too_long_; }

 private:
  void take_line(std::vector<std::string>& events);

  std::size_t most_bytes_;
  std::string line_{};  // the one that is not complete yet
  std::string data_{};  // of the event that is not complete yet
  bool has_data_ = false;
  bool after_cr_ = false;  // the last byte was a '\r', and a '\n' after it belongs to it
  bool is_too_long_ = false;
};

}  // namespace server
