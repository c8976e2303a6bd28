#pragma once

#include <string>

#include "protocol/decoder_messages.h"

namespace engine::media {

// Writes the report of one run to a descriptor that it does not own; -1 writes nowhere. Failures to
// write are ignored, because decoding goes on without a reader.
class Report {
 public:
  explicit Report(int fd) : fd_(fd) {}

  void send(const protocol::decoder::Message& message);
  void warn(std::string code, std::string message);

 private:
  int fd_;
};

}  // namespace engine::media
