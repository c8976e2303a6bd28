#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace server {

namespace asio = boost::asio;

// Who may read an event.
enum class Audience {
  all,        // whoever reads the feed
  operators,  // keys with the right read_status
  others,     // keys without it
};

struct FeedEvent {
  std::string subject{};  // what the event is about: a later one takes its place
  Audience audience = Audience::all;
  std::string data{};  // JSON
};

// The text of an event, made once and shared by all streams: one that does not read holds no copy.
using EventText = std::shared_ptr<const std::string>;

// The events of one owner. Of each subject the newest is kept alone, so a reader who was away or is
// slow gets what is true now, and what is kept is bounded. It is used on one thread.
class EventFeed {
 public:
  static constexpr std::size_t most = 512;  // beyond it the oldest go

  // A reader's place: it has all events up to this number.
  using Place = std::uint64_t;

  struct Numbered {
    Place place = 0;
    EventText text{};
  };

  EventFeed();

  // Adds an event and wakes readers.
  void add(FeedEvent event);
  // Wakes all readers.
  void wake();

  Place newest() const { return newest_; }
  // Returns the events behind a place that this audience may read: at most so many, in order.
  std::vector<Numbered> behind(Place place, Audience audience, std::size_t at_most) const;

  // Returns the data of a subject's newest event for this audience; empty: there is none.
  std::string_view newest_of(const std::string& subject, Audience audience) const;

  // Returns whether events behind a place are gone, so that its reader has to ask anew.
  bool has_lost(Place place) const { return place < forgotten_; }

  // Writes a place as the id of an event, and reads it again. Nothing: it is of another feed, or
  // events behind it are gone.
  std::string id_of(Place place) const;
  std::optional<Place> place_of(std::string_view id) const;

 private:
  friend class FeedReader;

  struct Kept {
    std::string subject{};
    Audience audience = Audience::all;
    EventText text{};
    std::size_t head_bytes = 0;  // before the data
  };

  std::string name_;  // of this feed, in ids
  Place newest_ = 0;
  Place forgotten_ = 0;  // the last place that was dropped to keep the feed bounded
  std::map<Place, Kept> events_{};
  std::map<std::string, Place, std::less<>> places_{};  // by audience and subject
  std::list<asio::steady_timer*> readers_{};            // each is owned by its reader
};

// Waits for the events of a feed, which must outlive it.
class FeedReader {
 public:
  FeedReader(asio::any_io_executor executor, EventFeed& feed);
  FeedReader(const FeedReader&) = delete;
  ~FeedReader();

  // Returns when there is something behind that place, when it is woken, or at the deadline.
  asio::awaitable<void> changed(EventFeed::Place place,
                                std::chrono::steady_clock::time_point deadline);

 private:
  EventFeed& feed_;
  asio::steady_timer timer_;
  std::list<asio::steady_timer*>::iterator listed_;
};

}  // namespace server
