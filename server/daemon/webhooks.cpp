#include "server/daemon/webhooks.h"

#include <algorithm>
#include <boost/asio/co_spawn.hpp>
#include <exception>
#include <functional>
#include <nlohmann/json.hpp>
#include <ranges>
#include <utility>

#include "protocol/json_numbers.h"
#include "protocol/json_text.h"
#include "server/api/job_json.h"

namespace server {
namespace {

using Json = nlohmann::ordered_json;

// The payload has neither text nor who said it: a receiver who may read the transcript can fetch
// it, and nobody else gets it.
std::string payload(const Job& job) {
  Json data = api::job_body(job);
  data["speaker_names"] = Json::object();
  const Json body{{"type", std::string("job.") + name(job.state)},
                  {"timestamp", protocol::json::seconds(job.finished)},
                  {"data", std::move(data)}};
  return protocol::json::dump(body);
}

}  // namespace

void JobWebhooks::tell(const Job& job) {
  if (job.request.webhook.empty() || in_flight_.contains(job.id)) return;
  if (!has_room(job.request.owner)) {
    some_wait_ = true;
    return;
  }
  in_flight_.emplace(job.id, job.request.owner);
  asio::co_spawn(executor_, deliver(job),
                 [this, id = job.id](std::exception_ptr) { in_flight_.erase(id); });
}

bool JobWebhooks::has_room(const std::string& owner) const {
  const auto count = std::ranges::count(in_flight_ | std::views::values, owner);
  return count < sender_.max_deliveries_of_one();
}

asio::awaitable<void> JobWebhooks::tell_the_rest() {
  // Where the jobs are shared, those of a process that has died are left for others.
  if (!some_wait_ && !queue_.is_shared()) co_return;
  some_wait_ = false;
  const auto jobs = co_await queue_.undelivered();
  if (!jobs) {
    some_wait_ = true;
    co_return;
  }
  for (const auto& job : *jobs) tell(job);
}

asio::awaitable<void> JobWebhooks::deliver(Job job) {
  WebhookDelivery delivery{
      .id = job.id, .url = job.request.webhook, .body = payload(job), .owner = job.request.owner};
  const std::string request = job.request.trace.request_id;
  std::function<void(int)> on_failure = [this, id = job.id, request](int tries) {
    log_.warning("webhook not delivered yet",
                 {{"job", id}, {"request_id", request}, {"tries", tries}});
  };
  const auto delivered = co_await sender_.deliver(std::move(delivery), std::move(on_failure));
  if (!delivered && delivered.error().code == errc::queue_full) {
    some_wait_ = true;
    co_return;
  }
  if (!delivered) {
    log_.error("webhook given up",
               {{"job", job.id}, {"request_id", request}, {"error", delivered.error().message}});
  }
  co_await queue_.set_delivered(job.id);
}

}  // namespace server
