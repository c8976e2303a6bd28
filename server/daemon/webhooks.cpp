#include "server/daemon/webhooks.h"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <nlohmann/json.hpp>
#include <utility>

#include "server/api/job_json.h"

namespace server {
namespace {

using Json = nlohmann::ordered_json;

// Without the text: whoever is told can read it, and nobody else.
std::string payload(const Job& job) {
  const Json body{{"type", std::string("job.") + name(job.state)},
                  {"timestamp", job.finished},
                  {"data", api::job_body(job)}};
  return body.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace

void JobWebhooks::tell(const Job& job) {
  if (job.request.webhook.empty()) return;
  asio::co_spawn(executor_, deliver(job), asio::detached);
}

asio::awaitable<void> JobWebhooks::tell_the_rest() {
  const auto jobs = co_await queue_.untold();
  if (!jobs) co_return;
  for (const auto& job : *jobs) tell(job);
}

asio::awaitable<void> JobWebhooks::deliver(Job job) {
  WebhookDelivery delivery{.id = job.id, .url = job.request.webhook, .body = payload(job)};
  std::function<void(int)> on_failure = [this, id = job.id](int tries) {
    log_.warning("webhook not delivered yet", {{"job", id}, {"tries", tries}});
  };
  const auto delivered = co_await sender_.deliver(std::move(delivery), std::move(on_failure));
  if (!delivered) {
    log_.error("webhook given up", {{"job", job.id}, {"error", delivered.error().message}});
    // One for which there was no room is told after the next start.
    if (delivered.error().code == errc::queue_full) co_return;
  }
  co_await queue_.set_told(job.id);
}

}  // namespace server
