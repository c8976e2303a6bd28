#include <chrono>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "protocol/json_text.h"
#include "server/api/api.h"
#include "server/api/handlers.h"
#include "server/base/version.h"
#include "server/device/sandbox_check.h"
#include "server/jobs/job_queue.h"
#include "server/live/live_services.h"
#include "server/metrics/metrics.h"
#include "server/transcription/model_pool.h"

namespace server::api {

using Json = nlohmann::ordered_json;
using protocol::json::dump;

namespace {

// Returns why the daemon is not ready, in words that everybody may read; empty: it is ready.
std::string public_problem(Api& api) {
  const auto problem = api.not_ready();
  return problem ? "not ready: " + problem->for_everybody : "";
}

}  // namespace

asio::awaitable<void> livez(Api&, ApiCall& call) {
  Response response{.body = "ok\n", .content_type = "text/plain"};
  co_await call.exchange.send(std::move(response));
}

asio::awaitable<void> readyz(Api& api, ApiCall& call) {
  const std::string problem = public_problem(api);
  Response response{.body = "ok\n", .content_type = "text/plain; charset=utf-8"};
  if (!problem.empty()) {
    response.status = http::status::service_unavailable;
    response.body = problem + "\n";
  }
  co_await call.exchange.send(std::move(response));
}

asio::awaitable<void> health(Api& api, ApiCall& call) {
  const std::string problem = public_problem(api);
  Json body{{"status", problem.empty() ? "ok" : "error"}, {"version", program_version()}};
  if (!problem.empty()) body["error"] = problem;
  std::string text = dump(body);
  co_await send_json(call.exchange, std::move(text),
                     problem.empty() ? http::status::ok : http::status::service_unavailable);
}

asio::awaitable<void> metrics(Api& api, ApiCall& call) {
  api.metrics.set_ready(!api.not_ready());
  api.metrics.set_queue(api.services.jobs.waiting(), api.services.jobs.running());
  api.metrics.set_models(api.services.models.loaded());
  const LivePlaces& live = api.live.places();
  api.metrics.set_live(live.taken(), live.lag_s(std::chrono::steady_clock::now()));
  const DiskRoom& room = api.services.spool.room();
  api.metrics.set_disk(room.used(), room.free());
  Response response{.body = api.metrics.text(),
                    .content_type = "text/plain; version=0.0.4; charset=utf-8"};
  co_await call.exchange.send(std::move(response));
}

}  // namespace server::api
