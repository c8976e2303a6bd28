#pragma once

#include <cstdint>
#include <vector>

#include "engine/speakers/voices.h"

namespace engine {

// The windows that cover a frame vote on it: how many speak, and whether the voice changes.
// It takes three bytes a frame, 6 MB for ten hours.
class FrameVotes {
 public:
  // Takes the windows in the order of their starts.
  void add(const VoiceWindow& window);

  // Returns the number of frames that any window covers.
  std::int64_t size() const { return static_cast<std::int64_t>(windows_.size()); }

  // Returns how many voices speak: the mean over the windows, rounded, halves to even.
  int count(std::int64_t frame) const;

  // Returns whether most windows hear one voice follow another within two frames: they differ by a
  // frame or two.
  bool changes(std::int64_t frame) const;

 private:
  std::vector<std::uint8_t> windows_;  // how many cover the frame
  std::vector<std::uint8_t> voices_;   // their sum
  std::vector<std::uint8_t> changes_;  // how many of them hear a change
};

}  // namespace engine
