#include "server/api/event_feed.h"

#include <boost/asio/redirect_error.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <charconv>
#include <utility>

#include "server/base/random_id.h"

namespace server {
namespace {

// An event of one audience does not take the place of what another one reads.
std::string subject_key(const std::string& subject, Audience audience) {
  return std::to_string(static_cast<int>(audience)) + ":" + subject;
}

constexpr std::string_view data_field = "data: ";
constexpr std::string_view event_end = "\n\n";

bool may_read(Audience reader, Audience audience) {
  return audience == Audience::all || audience == reader;
}

}  // namespace

EventFeed::EventFeed() : name_(random_id()) {}

void EventFeed::add(FeedEvent event) {
  std::string key = subject_key(event.subject, event.audience);
  const auto known = places_.find(key);
  if (known != places_.end()) events_.erase(known->second);
  places_[std::move(key)] = ++newest_;
  // JSON has no line breaks, so it is one line of an event.
  std::string text = "id: " + id_of(newest_) + "\n" + std::string(data_field);
  const std::size_t head_bytes = text.size();
  text += event.data;
  text += event_end;
  events_.emplace(newest_, Kept{std::move(event.subject), event.audience,
                                std::make_shared<const std::string>(std::move(text)), head_bytes});
  if (events_.size() > most) {
    const auto oldest = events_.begin();
    forgotten_ = oldest->first;
    places_.erase(subject_key(oldest->second.subject, oldest->second.audience));
    events_.erase(oldest);
  }
  wake();
}

void EventFeed::wake() {
  for (auto* reader : readers_) reader->cancel();
}

std::vector<EventFeed::Numbered> EventFeed::behind(Place place, Audience audience,
                                                   std::size_t at_most) const {
  std::vector<Numbered> found;
  for (auto event = events_.upper_bound(place); event != events_.end(); ++event) {
    if (found.size() == at_most) break;
    if (!may_read(audience, event->second.audience)) continue;
    found.push_back({event->first, event->second.text});
  }
  return found;
}

std::string_view EventFeed::newest_of(const std::string& subject, Audience audience) const {
  const auto found = places_.find(subject_key(subject, audience));
  if (found == places_.end()) return "";
  const Kept& kept = events_.find(found->second)->second;
  std::string_view data = *kept.text;
  data.remove_prefix(kept.head_bytes);
  data.remove_suffix(event_end.size());
  return data;
}

std::string EventFeed::id_of(Place place) const {
  return name_ + "-" + std::to_string(place);
}

std::optional<EventFeed::Place> EventFeed::place_of(std::string_view id) const {
  if (!id.starts_with(name_) || id.substr(name_.size(), 1) != "-") return std::nullopt;
  const auto digits = id.substr(name_.size() + 1);
  Place place = 0;
  const auto* last = digits.data() + digits.size();
  const auto [end, failure] = std::from_chars(digits.data(), last, place);
  if (failure != std::errc() || end != last) return std::nullopt;
  if (has_lost(place) || place > newest_) return std::nullopt;
  return place;
}

FeedReader::FeedReader(asio::any_io_executor executor, EventFeed& feed)
    : feed_(feed),
      timer_(std::move(executor)),
      listed_(feed.readers_.insert(feed.readers_.end(), &timer_)) {}

FeedReader::~FeedReader() {
  feed_.readers_.erase(listed_);
}

asio::awaitable<void> FeedReader::changed(EventFeed::Place place,
                                          std::chrono::steady_clock::time_point deadline) {
  if (feed_.newest() > place) co_return;
  timer_.expires_at(deadline);
  boost::system::error_code woken;
  auto wait = asio::redirect_error(asio::use_awaitable, woken);
  co_await timer_.async_wait(std::move(wait));
}

}  // namespace server
