#include "server/live/outbox.h"

#include <algorithm>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <utility>

namespace server {
namespace {

// What a frame takes besides its bytes, so that empty ones are not free.
constexpr std::size_t frame_cost = 64;

std::size_t cost_of(const protocol::live::Send& frame) {
  return frame.bytes.size() + frame.replaces.size() + frame_cost;
}

}  // namespace

Outbox::Outbox(asio::any_io_executor executor)
    : news_(std::move(executor), asio::steady_timer::time_point::max()) {}

void Outbox::tell() {
  news_.cancel();
}

void Outbox::send(protocol::live::Send frame) {
  if (closing_) return;
  if (!frame.replaces.empty()) {
    const auto older = std::ranges::find_if(waiting_, [&](const Waiting& waiting) {
      return !waiting.is_ping && waiting.send.replaces == frame.replaces;
    });
    if (older != waiting_.end()) {
      bytes_ -= cost_of(older->send);
      waiting_.erase(older);
    }
  }
  bytes_ += cost_of(frame);
  if (bytes_ > most_bytes) {
    waiting_.clear();
    bytes_ = 0;
    return close({1008, "the client reads too slowly"});
  }
  waiting_.push_back({std::move(frame), false});
  tell();
}

void Outbox::ping() {
  if (closing_ || (!waiting_.empty() && waiting_.front().is_ping)) return;
  waiting_.push_front({{}, true});
  tell();
}

void Outbox::close(protocol::live::Close how) {
  if (closing_) return;
  closing_ = std::move(how);
  tell();
}

asio::awaitable<std::optional<Outbox::Frame>> Outbox::next() {
  while (waiting_.empty() && !closing_) {
    boost::system::error_code woken;
    auto wait = asio::redirect_error(asio::use_awaitable, woken);
    co_await news_.async_wait(std::move(wait));
  }
  if (waiting_.empty()) co_return std::nullopt;
  Waiting first = std::move(waiting_.front());
  waiting_.pop_front();
  if (!first.is_ping) bytes_ -= cost_of(first.send);
  co_return Frame{std::move(first.send.bytes), first.is_ping};
}

}  // namespace server
