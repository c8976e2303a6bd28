#pragma once

#include <atomic>
#include <chrono>
#include <stop_token>
#include <string>
#include <thread>

#include "platform/wake_fd.h"
#include "server/jobs/job_news.h"
#include "server/jobs_postgres/connection.h"
#include "server/jobs_postgres/news_outbox.h"
#include "server/jobs_postgres/session.h"

namespace server::postgres {

// The news of daemons by NOTIFY, on a thread and a connection of their own. PostgreSQL wakes every
// connection that listens at every notification, so where many daemons live only gateways listen,
// and others look. A pooler between transactions lets no notification through: a daemon that does
// not hear what it has said itself by another connection takes news for absent.
class NewsLine final : public JobNews {
 public:
  struct Settings {
    ConnectionSettings connection{};
    bool is_gateway = false;  // it listens however many daemons live
    int most_listeners = 32;  // beyond so many daemons only gateways listen
    std::chrono::milliseconds check_interval{60'000};  // of what it can hear
  };

  NewsLine(Settings settings, Hear hear);
  NewsLine(const NewsLine&) = delete;
  ~NewsLine() override;

  void tell_work(bool waited_for) override;
  void tell(const JobNotice& notice) override;
  bool arrive() const override { return arrive_; }

 private:
  using Clock = std::chrono::steady_clock;

  void run(const std::stop_token& stop);
  void talk(Connection& connection, const std::stop_token& stop);
  // Listens or not, as many daemons live, and calls out to itself.
  void check(Connection& connection);
  void send(Connection& connection);
  void receive(Connection& connection);

  const Settings settings_;
  const std::string channel_;
  const Hear hear_;
  NewsOutbox outbox_{};
  std::string call_{};  // by which it hears itself; empty: it has, or does not listen
  std::atomic<bool> arrive_ = false;
  platform::WakeFd wake_{};
  std::jthread thread_;  // last: it ends before what it uses
};

// Tells, when the transaction is committed, that there are jobs to begin.
void tell_of_work(Step& step);

}  // namespace server::postgres
