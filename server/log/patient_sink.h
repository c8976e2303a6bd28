#pragma once

#include <spdlog/sinks/base_sink.h>

#include <cstdint>
#include <mutex>
#include <string_view>

namespace server {

// Writes lines to a descriptor, and waits for its reader no longer than a second. After that, lines
// are dropped at once until the reader reads again.
class PatientSink : public spdlog::sinks::base_sink<std::mutex> {
 public:
  explicit PatientSink(int fd) : fd_(fd) {}

 protected:
  void sink_it_(const spdlog::details::log_msg& message) override;
  void flush_() override {}

 private:
  bool write_all(std::string_view bytes);

  int fd_;
  bool is_stuck_ = false;
  bool is_torn_ = false;  // the last line was written without its end
};

}  // namespace server
