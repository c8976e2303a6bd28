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

Error no_room(std::string why) {
  return {errc::overloaded, std::move(why), "Try again when others have ended."};
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
  if (period_s(now, 1) > limits_.most_period_s) {
    return no_room("With one more live session the text of all would come too late.");
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
  double most = 0;
  for (const LivePlace* place : places_) {
    if (place->is_busy(now)) most = std::max(most, place->lag_s_);
  }
  return most;
}

// All sessions of a model share its time, so each waits for the looks at all others.
double LivePlaces::period_s(Time now, std::size_t more) const {
  const auto busy = static_cast<std::size_t>(
      std::ranges::count_if(places_, [&](const LivePlace* place) { return place->is_busy(now); }));
  if (busy == 0) return 0;
  const double growth = static_cast<double>(busy + more) / static_cast<double>(busy);
  return period_of_look * lag_s(now) * growth;
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
