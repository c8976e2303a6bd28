#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "server/api/event_hub.h"
#include "server/config/config.h"
#include "server/daemon/doctor.h"
#include "server/daemon/job_service.h"
#include "server/daemon/settled_clock.h"
#include "server/http/api_keys.h"
#include "server/log/log.h"
#include "server/sessions/client_secrets.h"
#include "server/sessions/sessions.h"
#include "server/sessions/shares.h"

namespace server {

// What the page of the daemon needs beside jobs: browsers that have signed in, links to jobs, one
// stream of events, and the doctor. It is used on the executor's thread.
class PageService {
 public:
  // The sessions and links that the page has at the start; those of a shared store are read in
  // start().
  struct Stored {
    std::unique_ptr<SessionStore> store{};
    std::vector<Session> sessions{};
    std::vector<Share> shares{};
  };

  // Opens sessions.sqlite, or the database that the configuration names, whose tables are there. A
  // damaged file is put aside, and people sign in again. Errors: io_error, out_of_disk.
  static Result<Stored> open(const std::filesystem::path& folder, const Config& config, Log& log);

  // `service`, `keys` and `log` must outlive this object.
  PageService(asio::any_io_executor executor, JobService& service, const ApiKeys& keys, Log& log,
              Stored stored, SetupSources sources);
  PageService(const PageService&) = delete;

  Sessions& sessions() { return sessions_; }
  Shares& shares() { return shares_; }
  ClientSecrets& client_secrets() { return client_secrets_; }
  EventHub& events() { return events_; }
  asio::awaitable<Result<std::string>> doctor() { return doctor_.report(); }

  // Begins to tell events, and to forget what has ended. `on_sessions_ended` is called when other
  // daemons have ended sessions, or may have done so for too long while the store was away.
  void start(std::function<void()> on_sessions_ended);
  // Ends all streams of events.
  void close() { events_.close(); }

 private:
  EventHub::Status status() const;
  asio::awaitable<void> forget_links(std::string job);
  asio::awaitable<void> keep_house();
  asio::awaitable<void> forget_ended(double now);
  asio::awaitable<void> follow_store();
  void listen();

  asio::any_io_executor executor_;
  JobService& service_;
  const ApiKeys& keys_;
  Log& log_;
  StoreCalls calls_;
  Sessions sessions_;
  Shares shares_;
  ClientSecrets client_secrets_;
  SettledClock clock_{};
  EventHub events_;
  Doctor doctor_;
  std::function<void()> on_sessions_ended_ = [] {};
};

}  // namespace server
