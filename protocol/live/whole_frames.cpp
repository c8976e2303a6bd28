#include "protocol/live/whole_frames.h"

#include <utility>

namespace protocol::live {

std::string WholeFrames::take(std::string bytes, std::size_t frame_bytes) {
  if (std::exchange(frame_bytes_, frame_bytes) != frame_bytes) drop();
  if (!begun_.empty()) bytes.insert(0, begun_);
  const std::size_t whole = bytes.size() - bytes.size() % frame_bytes;
  begun_ = bytes.substr(whole);
  bytes.resize(whole);
  return bytes;
}

}  // namespace protocol::live
