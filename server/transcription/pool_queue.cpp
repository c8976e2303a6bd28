#include <algorithm>
#include <chrono>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <tuple>
#include <utility>

#include "server/transcription/pool_waiter.h"

// Who is served next of the calls that wait for a model.
namespace server {
namespace {

// How many places in memory the calls of each owner have.
using Places = std::map<std::string, int>;

Places places_by_owner(const std::map<std::string, std::shared_ptr<PoolModel>>& models) {
  Places places;
  for (const auto& [name, model] : models) {
    std::set<std::string> owners;
    for (const ModelHolder& holder : model->holders) owners.insert(holder.owner);
    for (const auto& owner : owners) ++places[owner];
  }
  return places;
}

int places_of(const Places& places, const std::string& owner) {
  const auto found = places.find(owner);
  return found == places.end() ? 0 : found->second;
}

}  // namespace

bool PoolState::has_places(const std::string& owner) const {
  return std::ranges::any_of(models_,
                             [&](const auto& named) { return named.second->is_of(owner); });
}

bool PoolState::has_calls_beside(const std::string& owner, const PoolModel& one) const {
  const auto holds = [&](const auto& named) {
    return named.second.get() != &one && named.second->is_of(owner);
  };
  const auto waits = [&](const Waiter* waiter) {
    return waiter->holder.owner == owner && !models_.contains(waiter->name);
  };
  return std::ranges::any_of(models_, holds) || std::ranges::any_of(waiters_, waits);
}

// Owners take turns, so that the models of one owner do not come before another's one by one: who
// has the fewest places comes first, then who got the last one the longest ago, then who came
// first.
PoolState::Waiter* PoolState::next_for_place() const {
  const Places places = places_by_owner(models_);
  const auto rank = [&](const Waiter& waiter) {
    const auto& owner = waiter.holder.owner;
    const auto last = last_places_.find(owner);
    return std::tuple(places_of(places, owner), last == last_places_.end() ? 0 : last->second);
  };
  Waiter* next = nullptr;
  for (Waiter* const waiter : waiters_) {
    if (models_.contains(waiter->name)) continue;
    if (!next || rank(*waiter) < rank(*next)) next = waiter;
  }
  return next;
}

void PoolState::give_free_places() {
  while (static_cast<int>(models_.size()) < settings_.max_loaded) {
    Waiter* const next = next_for_place();
    if (!next) return;
    auto model = std::make_shared<PoolModel>(executor_, next->name);
    models_.emplace(next->name, model);
    last_places_[next->holder.owner] = ++given_places_;
    waiters_.remove(next);
    serve(*next, std::move(model));
  }
}

// Lets calls join a model that has its place, in the order of asking. Those that need a place hold
// back the later ones, or a stream of calls for a loaded model would keep them waiting for ever.
// But nobody is held back by an owner who has more places: that one waits for what is his own.
void PoolState::serve_joiners() {
  const Places places = places_by_owner(models_);
  std::map<std::string, int> in_need;  // owners of calls that need a place, and how many they have
  const auto is_held_back = [&](const Waiter& waiter, const PoolModel& model) {
    const auto& mine = waiter.holder.owner;
    const int others = places_of(places, mine) - (model.is_of(mine) ? 1 : 0);
    return std::ranges::any_of(in_need, [&](const auto& one) {
      return model.turn_is_over || one.first == mine || one.second <= others;
    });
  };
  for (auto next = waiters_.begin(); next != waiters_.end();) {
    Waiter& waiter = **next++;
    auto model = find(waiter.name);
    if (!model) {
      in_need.emplace(waiter.holder.owner, places_of(places, waiter.holder.owner));
    } else if (is_held_back(waiter, *model) && !waiter.may_pass(*model)) {
      continue;
    } else if (has_room(*model)) {
      waiters_.remove(&waiter);
      serve(waiter, std::move(model));
    } else if (!model->takes_jobs() && model->jobs() == 0) {
      begin_end(*model);
    }
  }
}

void PoolState::serve_waiters() {
  if (is_closed_) return;
  give_free_places();
  serve_joiners();
  wants_place_ = false;
  const bool needs_place = next_for_place() != nullptr;
  if (!needs_place)
    std::erase_if(last_places_, [&](const auto& one) { return !has_places(one.first); });
  const auto is_ending = [](const auto& named) { return named.second->is_ending; };
  if (needs_place && std::ranges::none_of(models_, is_ending)) {
    const auto idle = least_recently_used();
    if (idle) begin_end(*idle);
    wants_place_ = !idle;
  }
  if (wants_place_) refuse_beside_live();
  if (wants_place_) return watch_turns();
  for (const auto& [name, model] : models_) model->turn_is_over = false;
}

// A model without room for a job asks for a further card, so that the job may get it there.
bool PoolState::has_room(PoolModel& model) const {
  if (!model.takes_jobs()) return false;
  const int workers = model.workers ? model.workers->size() : 1;
  if (model.jobs() < settings_.jobs_per_worker * workers) return true;
  if (model.workers) model.workers->spread();
  return false;
}

void PoolState::serve(Waiter& waiter, std::shared_ptr<PoolModel> model) {
  const bool is_live = waiter.holder.work_class == protocol::WorkClass::live;
  if (is_live && !model->live_since) model->live_since = std::chrono::steady_clock::now();
  waiter.place = model->holders.insert(model->holders.end(), std::move(waiter.holder));
  model->idle.cancel();
  waiter.model = std::move(model);
  waiter.served.set();
}

void PoolState::release(PoolModel& model, Holder holder) {
  model.holders.erase(holder);
  if (!model.has(protocol::WorkClass::live)) model.live_since.reset();
  if (is_closed_) return;
  model.last_use = ++uses_;
  if (model.workers && model.workers->is_loaded()) revival_->forget(model.name);
  if (model.jobs() == 0) settle(model);
  serve_waiters();
}

}  // namespace server
