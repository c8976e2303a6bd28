#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstddef>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "server/transcription/place_turns.h"
#include "server/transcription/pool_waiter.h"

// Who gives a place up for whom: the turns of models, and the places that live sessions leave.
namespace server {
namespace {

using protocol::WorkClass;
using std::chrono::steady_clock;

bool is_ready(const ModelHolder& holder) {
  return holder.give_way.is_ready && holder.give_way.is_ready();
}

bool can_be_ended(const ModelHolder& holder) {
  return holder.give_way.is_ready != nullptr;
}

// Calls that clients wait for end by themselves, or are ready sooner or later: each decides a
// window after the other, also of silence, or its worker is ended (WorkerLimits::stall). A
// background job that has got no further yet, as while it listens to a long recording, keeps the
// place until it is late: to keep others out before would free nothing.
bool may_give_way(const ModelHolder& holder) {
  return holder.work_class == WorkClass::interactive ? can_be_ended(holder) : is_ready(holder);
}

Error held_by_live_sessions(const std::string& name, const std::vector<std::string>& held) {
  return {errc::overloaded,
          fmt::format("'{}' cannot be loaded: live sessions of {} use every model slot", name,
                      fmt::join(held, ", ")),
          fmt::format("Use {}, wait until the sessions end, or have the operator raise "
                      "model.max_loaded.",
                      fmt::join(held, " or "))};
}

}  // namespace

HeldPlace PoolState::place_of(const PoolModel& model) const {
  const auto& loaded = model.workers->first().loaded();
  const auto& holders = model.holders;
  HeldPlace place{.held = steady_clock::now() - model.since,
                  .loading = std::chrono::duration<double>(loaded ? loaded->load_s : 0),
                  .is_ready = std::ranges::all_of(holders, is_ready),
                  .gives_way = std::ranges::all_of(holders, may_give_way),
                  .can_be_ended = std::ranges::all_of(holders, can_be_ended),
                  .is_waited_for = model.has(WorkClass::interactive)};
  const auto has_more = [&](const ModelHolder& holder) {
    return holder.work_class != WorkClass::interactive || has_calls_beside(holder.owner, model);
  };
  place.owners_have_more = std::ranges::all_of(holders, has_more);
  for (const auto& holder : holders) {
    place.ended_early = std::max(place.ended_early, holder.give_way.ended_early);
  }
  return place;
}

PlaceWanted PoolState::wanted() const {
  PlaceWanted wanted;
  for (const Waiter* waiter : waiters_) {
    const bool needs_place = !models_.contains(waiter->name);
    if (!needs_place || waiter->holder.work_class == WorkClass::background) continue;
    wanted.by_client = true;
    wanted.by_new_owner |= !has_places(waiter->holder.owner);
  }
  return wanted;
}

void PoolState::watch_turns() {
  if (std::exchange(watches_turns_, true)) return;
  turns_.expires_after(settings_.look);
  turns_.async_wait([self = weak_from_this()](boost::system::error_code cancelled) {
    const auto pool = self.lock();
    if (cancelled || !pool) return;
    pool->watches_turns_ = false;
    pool->end_a_turn();
    pool->serve_waiters();
  });
}

// Has the calls of one model end, which are made again later, if its turn is over. No other joins
// them from then on, so that a stream of clips does not keep the place.
void PoolState::end_a_turn() {
  if (is_closed_ || !wants_place_) return;
  std::vector<std::shared_ptr<PoolModel>> models;
  std::vector<HeldPlace> places;
  for (const auto& [name, model] : models_) {
    if (model->is_leaving) return;  // its place is coming
    if (!model->workers || !model->workers->is_loaded()) continue;
    models.push_back(model);
    places.push_back(place_of(*model));
  }
  const auto given_up = place_to_give_up(places, wanted(), settings_.turns);
  if (!given_up) return;
  PoolModel& model = *models[given_up->index];
  model.turn_is_over = true;
  if (!given_up->ends_now) return;
  model.is_leaving = true;
  const auto holders = model.holders;  // which leave it while they are asked
  for (const auto& holder : holders) holder.give_way.begin();
}

// Nobody knows when a live session ends, so clients are told, and may use another model, instead of
// waiting for hours. A session that has just begun may be a command of a few seconds. Jobs for
// which nobody waits go on waiting.
void PoolState::refuse_beside_live() {
  const auto now = steady_clock::now();
  std::vector<std::string> held;
  for (const auto& [name, model] : models_) {
    if (!model->live_since || now - *model->live_since < settings_.turns.turn) return;
    held.push_back(name);
  }
  wants_place_ = false;
  for (auto next = waiters_.begin(); next != waiters_.end();) {
    Waiter& waiter = **next++;
    if (models_.contains(waiter.name)) continue;
    if (waiter.holder.work_class == WorkClass::background) {
      wants_place_ = true;
      continue;
    }
    waiters_.remove(&waiter);
    waiter.refusal = held_by_live_sessions(waiter.name, held);
    waiter.served.set();
  }
}

std::optional<Error> PoolState::check_live(const std::string& name) const {
  const auto& left = settings_.beside_live;
  if (left.empty() || left.contains(name)) return {};
  std::set<std::string> others{name};
  for (const auto& [loaded, model] : models_) {
    if (model->has(WorkClass::live) && !left.contains(loaded)) others.insert(loaded);
  }
  for (const Waiter* waiter : waiters_) {
    const bool is_live = waiter->holder.work_class == WorkClass::live;
    if (is_live && !left.contains(waiter->name)) others.insert(waiter->name);
  }
  if (others.size() + left.size() <= static_cast<std::size_t>(settings_.max_loaded)) return {};
  return Error{errc::overloaded,
               fmt::format("live sessions leave {} a place in memory, and there is none for '{}'",
                           fmt::join(left, ", "), name),
               fmt::format("Use {} for live sessions, or have the operator raise model.max_loaded.",
                           fmt::join(left, " or "))};
}

}  // namespace server
