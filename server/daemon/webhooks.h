#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <map>
#include <string>
#include <utility>

#include "server/jobs/job_queue.h"
#include "server/log/log.h"
#include "server/webhooks/webhook_sender.h"

namespace server {

// Notifies the addresses that jobs name when they end, at least once. The sender limits how many go
// out for one owner at once: the others wait in the store for tell_the_rest(), as do those that an
// earlier process left undelivered. The parts that it uses must outlive the executor's run. All
// calls are on the executor's thread.
class JobWebhooks {
 public:
  JobWebhooks(asio::any_io_executor executor, JobQueue& queue, WebhookSender& sender, Log& log)
      : executor_(std::move(executor)), queue_(queue), sender_(sender), log_(log) {}

  // Notifies the address of a job that has ended.
  void tell(const Job& job);
  // Delivers notifications for which there was no room, and those that an earlier process left.
  // Call it every now and then: it asks the store only if there may be some, and room for them.
  asio::awaitable<void> tell_the_rest();

 private:
  bool has_room(const std::string& owner) const;
  asio::awaitable<void> deliver(Job job);

  asio::any_io_executor executor_;
  JobQueue& queue_;
  WebhookSender& sender_;
  Log& log_;
  std::map<std::string, std::string> in_flight_{};  // ids of jobs, to their owners
  bool some_wait_ = true;  // in the store; at the start an earlier process may have left some
};

}  // namespace server
