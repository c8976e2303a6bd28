#include "server/api/segment_events.h"

#include <boost/asio/post.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <cstddef>
#include <utility>

namespace server::api {
namespace {

// Events that are made and written in one go.
constexpr std::size_t events_bytes_at_once = 16 << 10;

}  // namespace

asio::awaitable<bool> write_segment_events(const std::vector<protocol::Segment>& segments,
                                           SegmentEvent event_of, WriteEvents write) {
  const auto executor = co_await asio::this_coro::executor;
  std::string events;
  for (std::size_t i = 0; i < segments.size(); ++i) {
    events += event_of(segments[i]);
    const bool is_last = i + 1 == segments.size();
    if (events.size() < events_bytes_at_once && !is_last) continue;
    auto writing = write(std::exchange(events, {}));
    const bool sent = co_await std::move(writing);
    if (!sent) co_return false;
    if (!is_last) co_await asio::post(executor, asio::use_awaitable);
  }
  co_return true;
}

}  // namespace server::api
