#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "server/api/api.h"
#include "server/api/event_hub.h"
#include "server/api/handlers.h"
#include "server/base/race.h"
#include "server/http/sse.h"

// One stream with all that a page shows of its caller, so that a browser needs one connection.
namespace server::api {
namespace {

using std::chrono::steady_clock;

// Short events are sent together, and a long one alone: it is not copied for each stream.
constexpr std::size_t events_at_once = 64;
constexpr std::size_t most_joined_bytes = 4 << 10;

std::string numbered(const EventFeed& feed, EventFeed::Place place, std::string_view data) {
  return "id: " + feed.id_of(place) + "\n" + sse_data(data);
}

// A browser sends the field by itself when it connects again; a page that goes on where another one
// has ended can set the parameter alone.
std::string last_event_id(const Exchange& exchange) {
  const auto asked = exchange.query("last_event_id");
  if (asked && !asked->empty()) return *asked;
  return std::string(exchange.headers()["Last-Event-ID"]);
}

// A reader of the caller's feed, and how far it is.
struct Reading {
  const EventFeed& feed;
  Audience audience;
  EventFeed::Place place;
};

std::string reset_at(Reading& reading) {
  reading.place = reading.feed.newest();
  return numbered(reading.feed, reading.place, R"({"type":"reset"})");
}

// Returns what comes first: the status, and whether the reader has to ask anew.
std::string opening(Reading& reading, const std::string& last_id) {
  std::string text;
  if (!last_id.empty()) {
    const auto known = reading.feed.place_of(last_id);
    if (known) reading.place = *known;
    if (!known) text = reset_at(reading);
  }
  const auto status = reading.feed.newest_of("status", reading.audience);
  return numbered(reading.feed, reading.place, status) + text;
}

// Returns the next events behind the reader's place, and moves it; nullptr: there are none.
EventText next_events(Reading& reading) {
  if (reading.feed.has_lost(reading.place)) {
    return std::make_shared<const std::string>(reset_at(reading));
  }
  const auto newest = reading.feed.newest();
  const auto events = reading.feed.behind(reading.place, reading.audience, events_at_once);
  // Events for other readers are passed over.
  if (events.empty()) {
    reading.place = newest;
    return nullptr;
  }
  reading.place = events.front().place;
  std::string joined;
  for (const auto& event : events) {
    if (joined.size() + event.text->size() > most_joined_bytes) break;
    joined += *event.text;
    reading.place = event.place;
  }
  if (joined.size() <= events.front().text->size()) return events.front().text;
  return std::make_shared<const std::string>(std::move(joined));
}

asio::awaitable<Elapsed> send_feed(Api& api, ApiCall& call) {
  const auto feed = api.events.feed_of(call.principal.name);
  const auto executor = co_await asio::this_coro::executor;
  FeedReader reader(executor, *feed);
  const bool may_read_status = call.principal.may(Right::read_status);
  Reading reading{*feed, may_read_status ? Audience::operators : Audience::others, feed->newest()};
  const std::string first = opening(reading, last_event_id(call.exchange));
  bool goes_on = co_await call.exchange.write(first);
  auto last = steady_clock::now();
  while (goes_on && !api.events.is_closed()) {
    EventText events = next_events(reading);
    if (!events && steady_clock::now() >= last + keep_alive_interval) {
      events = std::make_shared<const std::string>(sse_comment());
    }
    if (!events) {
      co_await reader.changed(reading.place, last + keep_alive_interval);
      continue;
    }
    auto starting = api.events.turn_of(call.principal.name);
    co_await std::move(starting);
    goes_on = co_await call.exchange.write(*events);
    last = steady_clock::now();
  }
  co_return Elapsed{};
}

}  // namespace

asio::awaitable<void> events(Api& api, ApiCall& call) {
  const Response head = sse_head();
  co_await call.exchange.start_stream(head);
  if (call.exchange.method() == http::verb::head) co_return;  // a HEAD has nothing to wait for
  auto sending = send_feed(api, call);
  auto leaving = client_left(call.exchange);
  co_await race(std::move(sending), std::move(leaving));
}

}  // namespace server::api
