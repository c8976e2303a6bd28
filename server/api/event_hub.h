#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "server/api/event_feed.h"
#include "server/http/start_queue.h"
#include "server/jobs/job_queue.h"
#include "server/pulls/model_pulls.h"

namespace server {

// Tells the readers of /v1/events what has changed: there is a feed for each owner who reads, or
// has read a moment ago. A job is read once for all of its owner's readers, some times a second at
// most. It is used on the executor's thread.
class EventHub {
 public:
  using Json = nlohmann::ordered_json;

  // The event `status` has two bodies: keys with the right read_status get the first.
  struct Status {
    Json for_operators{};
    Json for_others{};
  };

  // `jobs` must outlive this object.
  EventHub(asio::any_io_executor executor, JobQueue& jobs, std::function<Status()> status);

  // Returns when a reader of that owner may send what it has. A feed wakes all of its readers at
  // once, and others would wait for all of them.
  asio::awaitable<void> turn_of(const std::string& owner);
  // Returns the feed of that owner, which has a status in it. Whoever holds it reads it.
  std::shared_ptr<EventFeed> feed_of(const std::string& owner);

  void job_changed(const JobNotice& change);
  // Jobs have changed that are not named one by one: readers have to ask for all of theirs.
  void jobs_changed();
  void pull_changed(const PullState& state);
  void pull_ended(const std::string& model, const std::optional<Error>& error);
  void model_removed(const std::string& model);

  // Works until close(), after which all readers leave.
  asio::awaitable<void> run();
  void close();
  bool is_closed() const { return is_closed_; }

 private:
  struct Known {
    std::shared_ptr<EventFeed> feed{};
    std::chrono::steady_clock::time_point last_read{};
  };

  void wake();
  asio::awaitable<void> wait_for_changes();
  asio::awaitable<void> tell_jobs();
  asio::awaitable<void> tell_job(std::string id, JobNotice change);
  void tell_status(EventFeed& feed) const;
  void tell_model(const std::string& model, const Json& event);
  void forget_unread();

  asio::any_io_executor executor_;
  JobQueue& jobs_;
  std::function<Status()> status_;
  std::map<std::string, Known> feeds_{};        // by owner
  std::map<std::string, JobNotice> changed_{};  // jobs that readers have not heard of yet, by id
  asio::steady_timer timer_;
  StartQueue turns_;
  bool is_closed_ = false;
};

}  // namespace server
