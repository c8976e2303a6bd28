#pragma once

#include <chrono>
#include <cstddef>
#include <map>
#include <memory>
#include <set>
#include <string>

#include "server/base/error.h"

namespace server {

class LivePlace;

// The places of live sessions, and how busy those keep the model. Owners take turns at the model,
// whatever number of sessions each has (engine/whisper/runner/pass_queue.h), so what an owner may
// begin follows from how long its own sessions wait: one with many has no place for another while
// who has none yet begins the first. It is used on one thread and reads no clock.
class LivePlaces : public std::enable_shared_from_this<LivePlaces> {
 public:
  using Time = std::chrono::steady_clock::time_point;

  struct Limits {
    std::size_t sessions = 64;
    std::size_t sessions_of_one = 16;  // of one key, or of one network of Wyoming's clients
    // A further session is refused where the time between two looks at the sound of its owner's
    // sessions would be longer with it.
    double most_period_s = 3;
  };

  static std::shared_ptr<LivePlaces> make(const Limits& limits);

  // Takes a place for a session; it is given back when the object ends. Errors: overloaded,
  // too_many_sessions.
  Result<std::unique_ptr<LivePlace>> take(const std::string& principal, Time now);

  std::size_t taken() const { return places_.size(); }
  std::size_t taken_by(const std::string& principal) const;
  const Limits& limits() const { return limits_; }
  // Sets the limits for sessions that come from now on.
  void set_limits(const Limits& limits) { limits_ = limits; }

  // Returns how far behind its sound the text is, of the session that is furthest behind.
  double lag_s(Time now) const;
  // Returns the time between two looks at the sound of the session that is furthest behind; 0:
  // nobody speaks in any.
  double period_s(Time now) const;
  // Returns the time between two looks at the sound of the owner's sessions if there were one more.
  double period_with_one_more_s(const std::string& principal, Time now) const;

 private:
  friend class LivePlace;

  explicit LivePlaces(const Limits& limits) : limits_(limits) {}
  void leave(LivePlace& place);
  // Returns the session that is furthest behind, of `principal` or of all; nullptr: nobody speaks.
  const LivePlace* slowest(Time now, const std::string* principal = nullptr) const;
  // Returns how many sessions somebody speaks in, by owner.
  std::map<std::string, std::size_t> busy(Time now) const;

  Limits limits_;
  std::set<LivePlace*> places_{};
  std::map<std::string, std::size_t> of_principal_{};
};

// The place of one session, which tells of its lag. It may outlive the owner of LivePlaces.
class LivePlace {
 public:
  LivePlace(std::shared_ptr<LivePlaces> all, std::string principal);
  LivePlace(const LivePlace&) = delete;
  ~LivePlace();

  const std::string& principal() const { return principal_; }

  // The worker has looked at sound in which somebody speaks, and its text is so far behind the
  // sound that was given.
  void note_look(double lag_s, LivePlaces::Time now);

 private:
  friend class LivePlaces;

  bool is_busy(LivePlaces::Time now) const;

  std::shared_ptr<LivePlaces> all_;
  std::string principal_;
  double lag_s_ = 0;
  LivePlaces::Time looked_{};  // when lag_s_ was noted
};

}  // namespace server
