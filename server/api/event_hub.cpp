#include "server/api/event_hub.h"

#include <boost/asio/redirect_error.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <functional>
#include <utility>

#include "protocol/json_text.h"
#include "server/api/job_json.h"
#include "server/base/race.h"

namespace server {
namespace {

using protocol::json::dump;
using std::chrono::steady_clock;

// A job is told of so often at most.
constexpr std::chrono::milliseconds job_interval{300};

// The status is looked at so often while somebody reads it.
constexpr std::chrono::milliseconds status_interval{1'000};

// A reader who comes back within this time is told what it has missed.
constexpr std::chrono::seconds time_to_come_back{120};

// Returns the type of the event by which readers hear of a job. A job that is over and changes is
// edited: its name, its text, its speakers.
const char* event_type(JobNotice::Kind kind, const Job& job) {
  if (kind == JobNotice::Kind::created) return "job.created";
  if (!has_ended(job.state)) return "job.progress";
  return kind == JobNotice::Kind::ended ? "job.ended" : "job.edited";
}

}  // namespace

EventHub::EventHub(asio::any_io_executor executor, JobQueue& jobs, std::function<Status()> status)
    : executor_(std::move(executor)),
      jobs_(jobs),
      status_(std::move(status)),
      timer_(executor_, steady_clock::time_point::max()),
      turns_(executor_) {}

asio::awaitable<void> EventHub::turn_of(const std::string& owner) {
  return turns_.start({.credential = std::hash<std::string>()(owner)});
}

std::shared_ptr<EventFeed> EventHub::feed_of(const std::string& owner) {
  Known& known = feeds_[owner];
  if (!known.feed) known.feed = std::make_shared<EventFeed>();
  known.last_read = steady_clock::now();
  tell_status(*known.feed);
  wake();  // from now on somebody reads
  return known.feed;
}

void EventHub::job_changed(const JobNotice& change) {
  const bool is_read = change.owner.empty() ? !feeds_.empty() : feeds_.contains(change.owner);
  if (!is_read || is_closed_) return;
  const auto [place, is_new] = changed_.emplace(change.id, change);
  if (!is_new && change.kind > place->second.kind) place->second = change;
  wake();
}

void EventHub::jobs_changed() {
  for (const auto& [owner, known] : feeds_) {
    known.feed->add({"reset", Audience::all, dump(Json{{"type", "reset"}})});
  }
}

void EventHub::pull_changed(const PullState& state) {
  tell_model(state.model, {{"type", "model.progress"},
                           {"model", state.model},
                           {"done_bytes", state.done_bytes},
                           {"total_bytes", state.total_bytes ? Json(*state.total_bytes) : Json()}});
}

void EventHub::pull_ended(const std::string& model, const std::optional<Error>& error) {
  Json why;
  if (error) why = {{"code", error->code}, {"message", error->message}, {"fix", error->fix}};
  tell_model(model, {{"type", "model.ended"}, {"model", model}, {"error", std::move(why)}});
}

void EventHub::model_removed(const std::string& model) {
  tell_model(model, {{"type", "model.removed"}, {"model", model}});
}

void EventHub::tell_model(const std::string& model, const Json& event) {
  const std::string text = dump(event);
  for (const auto& [owner, known] : feeds_) {
    known.feed->add({"model:" + model, Audience::operators, text});
  }
}

void EventHub::tell_status(EventFeed& feed) const {
  const Status status = status_();
  for (const auto& [audience, body] : {std::pair(Audience::operators, status.for_operators),
                                       std::pair(Audience::others, status.for_others)}) {
    std::string text = dump(body);
    if (text != feed.newest_of("status", audience)) feed.add({"status", audience, std::move(text)});
  }
}

asio::awaitable<void> EventHub::run() {
  while (!is_closed_) {
    co_await wait_for_changes();
    co_await tell_jobs();
    forget_unread();
    for (const auto& [owner, known] : feeds_) tell_status(*known.feed);
    if (!is_closed_) co_await sleep_for(job_interval);
  }
}

asio::awaitable<void> EventHub::wait_for_changes() {
  if (is_closed_ || !changed_.empty()) co_return;
  const auto next = feeds_.empty() ? steady_clock::time_point::max()
                                   : steady_clock::now() + status_interval - job_interval;
  timer_.expires_at(next);
  boost::system::error_code woken;
  auto wait = asio::redirect_error(asio::use_awaitable, woken);
  co_await timer_.async_wait(std::move(wait));
}

asio::awaitable<void> EventHub::tell_jobs() {
  const auto changed = std::exchange(changed_, {});
  for (const auto& [id, change] : changed) co_await tell_job(id, change);
}

// Whoever changes a job does not always know whose it is; the job itself does.
asio::awaitable<void> EventHub::tell_job(std::string id, JobNotice change) {
  std::string owner = change.owner;
  Json event{{"type", "job.deleted"}, {"job", {{"id", id}}}};
  if (change.kind != JobNotice::Kind::removed) {
    const auto job = co_await jobs_.find(id, std::nullopt);
    if (!job || !*job) co_return;  // it was removed meanwhile, which is another change
    // It has ended meanwhile, which is another change, too: it was not edited.
    const bool will_end = change.kind == JobNotice::Kind::changed && changed_.contains(id);
    if (will_end && has_ended((*job)->state)) co_return;
    owner = (*job)->request.owner;
    if (!feeds_.contains(owner)) co_return;
    event = {{"type", event_type(change.kind, **job)}, {"job", api::job_body(**job)}};
  }
  const auto known = feeds_.find(owner);
  if (known == feeds_.end()) co_return;
  known->second.feed->add({"job:" + id, Audience::all, dump(event)});
}

// A feed that only the hub holds has no readers.
void EventHub::forget_unread() {
  const auto now = steady_clock::now();
  for (auto& [owner, known] : feeds_) {
    if (known.feed.use_count() > 1) known.last_read = now;
  }
  std::erase_if(feeds_, [now](const auto& entry) {
    return now - entry.second.last_read > time_to_come_back;
  });
}

void EventHub::wake() {
  timer_.cancel();
}

void EventHub::close() {
  is_closed_ = true;
  wake();
  for (const auto& [owner, known] : feeds_) known.feed->wake();
}

}  // namespace server
