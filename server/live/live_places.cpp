#include "server/live/live_places.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace server {
namespace {

// Nobody has spoken in a session whose worker has not looked at it for this long.
constexpr std::chrono::seconds silence{10};

// A worker leaves a quarter more time between two looks than they take, so a look that took a
// second comes every 1.25 (reference: the policy of engine/whisper/transcriber).
constexpr double period_of_look = 1.25;

// Returns the looks that are made, at all sessions, until each of so many of an owner has had one:
// owners take turns, so another one has no more of them.
double looks_in_turn(const std::map<std::string, std::size_t>& busy, const std::string& principal,
                     std::size_t sessions) {
  std::size_t looks = sessions;
  for (const auto& [other, theirs] : busy) {
    if (other != principal) looks += std::min(theirs, sessions);
  }
  return static_cast<double>(looks);
}

Error no_room(std::string why) {
  return {errc::overloaded, std::move(why), "Try again when others are finished."};
}

}  // namespace

std::shared_ptr<LivePlaces> LivePlaces::make(const Limits& limits) {
  return std::shared_ptr<LivePlaces>(new LivePlaces(limits));
}

Result<std::unique_ptr<LivePlace>> LivePlaces::take(const std::string& principal, Time now) {
  if (places_.size() >= limits_.sessions) {
    return no_room(fmt::format("{} live sessions are going on already.", places_.size()));
  }
  const std::size_t mine = taken_by(principal);
  if (mine >= limits_.sessions_of_one) {
    return Error{errc::too_many_sessions,
                 fmt::format("{} of your live sessions {} going on already.", mine,
                             mine == 1 ? "is" : "are"),
                 "End some of them, or try again later."};
  }
  if (period_with_one_more_s(principal, now) > limits_.most_period_s) {
    return no_room("With one more live session the latency would be too high.");
  }
  return std::make_unique<LivePlace>(shared_from_this(), principal);
}

std::size_t LivePlaces::taken_by(const std::string& principal) const {
  const auto found = of_principal_.find(principal);
  return found == of_principal_.end() ? 0 : found->second;
}

void LivePlaces::leave(LivePlace& place) {
  places_.erase(&place);
  const auto mine = of_principal_.find(place.principal_);
  if (--mine->second == 0) of_principal_.erase(mine);
}

double LivePlaces::lag_s(Time now) const {
  const LivePlace* const place = slowest(now);
  return place == nullptr ? 0 : place->lag_s_;
}

double LivePlaces::period_s(Time now) const {
  return period_of_look * lag_s(now);
}

// The time of a look is measured at the owner's own sessions, or else at the slowest of all.
double LivePlaces::period_with_one_more_s(const std::string& principal, Time now) const {
  const auto busy = this->busy(now);
  const LivePlace* known = slowest(now, &principal);
  if (known == nullptr) known = slowest(now);
  if (known == nullptr) return 0;
  const auto mine = busy.find(principal);
  const std::size_t with_it = 1 + (mine == busy.end() ? 0 : mine->second);
  const double now_in_turn = looks_in_turn(busy, known->principal_, busy.at(known->principal_));
  const double growth = looks_in_turn(busy, principal, with_it) / now_in_turn;
  return period_of_look * known->lag_s_ * growth;
}

const LivePlace* LivePlaces::slowest(Time now, const std::string* principal) const {
  const LivePlace* slowest = nullptr;
  for (const LivePlace* place : places_) {
    if (!place->is_busy(now) || (principal != nullptr && place->principal_ != *principal)) continue;
    if (slowest == nullptr || place->lag_s_ > slowest->lag_s_) slowest = place;
  }
  return slowest;
}

std::map<std::string, std::size_t> LivePlaces::busy(Time now) const {
  std::map<std::string, std::size_t> busy;
  for (const LivePlace* place : places_) {
    if (place->is_busy(now)) ++busy[place->principal_];
  }
  return busy;
}

LivePlace::LivePlace(std::shared_ptr<LivePlaces> all, std::string principal)
    : all_(std::move(all)), principal_(std::move(principal)) {
  all_->places_.insert(this);
  ++all_->of_principal_[principal_];
}

LivePlace::~LivePlace() {
  all_->leave(*this);
}

void LivePlace::note_look(double lag_s, LivePlaces::Time now) {
  lag_s_ = lag_s;
  looked_ = now;
}

bool LivePlace::is_busy(LivePlaces::Time now) const {
  return looked_ != LivePlaces::Time() && now - looked_ < silence;
}

}  // namespace server
