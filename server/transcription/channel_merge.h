#pragma once

#include <array>
#include <cstddef>
#include <deque>
#include <vector>

#include "protocol/transcript.h"

namespace server {

// Brings the segments of a recording's two channels, which are transcribed separately, into one
// order: that of their starts. A segment waits until the other channel is past its start.
class ChannelMerge {
 public:
  // Each of these returns the segments that can go out, with their ids and channels.
  std::vector<protocol::Segment> add(std::size_t channel, protocol::Segment segment);
  // No further segment of the channel starts before `position` (seconds).
  std::vector<protocol::Segment> advance(std::size_t channel, double position);
  // No further segment of the channel comes.
  std::vector<protocol::Segment> end(std::size_t channel);

 private:
  struct Channel {
    std::deque<protocol::Segment> waiting{};
    double position = -1;  // nothing before its first segment or progress
  };

  std::vector<protocol::Segment> release();

  std::array<Channel, 2> channels_{};
  int next_id_ = 0;
};

}  // namespace server
