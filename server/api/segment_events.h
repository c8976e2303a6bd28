#pragma once

#include <boost/asio/awaitable.hpp>
#include <functional>
#include <string>
#include <vector>

#include "protocol/transcript.h"

namespace server::api {

namespace asio = boost::asio;

// Returns the server-sent event of a segment.
using SegmentEvent = std::function<std::string(const protocol::Segment& segment)>;
// Writes events; returns false if the client is gone.
using WriteEvents = std::function<asio::awaitable<bool>(std::string events)>;

// Writes the events of segments, which may be those of a whole recording: a few at a time, and
// others are served in between. Returns false if the client is gone.
asio::awaitable<bool> write_segment_events(const std::vector<protocol::Segment>& segments,
                                           SegmentEvent event_of, WriteEvents write);

}  // namespace server::api
