#include "server/transcription/channel_merge.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace server {

std::vector<protocol::Segment> ChannelMerge::add(std::size_t channel, protocol::Segment segment) {
  segment.channel = static_cast<int>(channel);
  channels_[channel].waiting.push_back(std::move(segment));
  return release();
}

std::vector<protocol::Segment> ChannelMerge::advance(std::size_t channel, double position) {
  channels_[channel].position = std::max(channels_[channel].position, position);
  return release();
}

std::vector<protocol::Segment> ChannelMerge::end(std::size_t channel) {
  return advance(channel, std::numeric_limits<double>::infinity());
}

std::vector<protocol::Segment> ChannelMerge::release() {
  std::vector<protocol::Segment> ready;
  // Returns the earliest start that the next segment of a channel can have.
  const auto next_start = [](const Channel& channel) {
    return channel.waiting.empty() ? channel.position : channel.waiting.front().start;
  };
  while (true) {
    Channel& first =
        next_start(channels_[1]) < next_start(channels_[0]) ? channels_[1] : channels_[0];
    if (first.waiting.empty()) return ready;
    first.waiting.front().id = next_id_++;
    ready.push_back(std::move(first.waiting.front()));
    first.waiting.pop_front();
  }
}

}  // namespace server
