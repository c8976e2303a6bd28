#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>

#include "server/jobs/job_queue.h"
#include "server/log/log.h"
#include "server/webhooks/webhook_sender.h"

namespace server {

// Tells the addresses that jobs name of their end; what could not be told when the process ended is
// told after its next start. All of it must outlive the executor's run.
class JobWebhooks {
 public:
  JobWebhooks(asio::any_io_executor executor, JobQueue& queue, WebhookSender& sender, Log& log)
      : executor_(std::move(executor)), queue_(queue), sender_(sender), log_(log) {}

  // Of a job that has ended.
  void tell(const Job& job);
  // Those that were not told before.
  asio::awaitable<void> tell_the_rest();

 private:
  asio::awaitable<void> deliver(Job job);

  asio::any_io_executor executor_;
  JobQueue& queue_;
  WebhookSender& sender_;
  Log& log_;
};

}  // namespace server
