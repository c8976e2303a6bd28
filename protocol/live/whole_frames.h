#pragma once

#include <cstddef>
#include <string>

namespace protocol::live {

// Reassembles PCM that arrives in pieces of any length. A frame is one sample of each channel. The
// first bytes of an incomplete frame are kept until the next piece.
class WholeFrames {
 public:
  // Returns the complete frames, of `frame_bytes` bytes each. If the size of a frame changes, the
  // bytes that were kept are dropped.
  std::string take(std::string bytes, std::size_t frame_bytes);
  // Drops the bytes of an incomplete frame: the audio ends here.
  void drop() { begun_.clear(); }

 private:
  std::string begun_{};  // the first bytes of an incomplete frame
  std::size_t frame_bytes_ = 0;
};

}  // namespace protocol::live
