#include "server/daemon/daemon.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <csignal>
#include <cstdlib>
#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "server/api/api.h"
#include "server/api/route.h"
#include "server/base/race.h"
#include "server/config/check_config.h"
#include "server/daemon/job_service.h"
#include "server/daemon/part_settings.h"
#include "server/daemon/webhooks.h"
#include "server/http/api_keys.h"
#include "server/http/listener.h"
#include "server/http/origin_guard.h"
#include "server/lifecycle/service_notifier.h"
#include "server/lifecycle/stop_signals.h"
#include "server/log/stderr_file.h"
#include "server/mcp/http_endpoint.h"
#include "server/mcp/tools/mcp_tools.h"
#include "server/metrics/metrics.h"
#include "server/submission/submission.h"

namespace server {
namespace {

using std::chrono::milliseconds;

// The time for answers that are still being sent when everything else has ended.
constexpr milliseconds last_answers{2'000};

constexpr milliseconds webhook_interval{60'000};

// Owns the parts of the daemon, in the order in which they are made.
class Daemon {
 public:
  Daemon(asio::io_context& io, Log& log, DaemonSettings& settings,
         std::unique_ptr<JobService> service, ApiKeys keys, WebhookSender::Settings webhooks)
      : executor_(io.get_executor()),
        log_(log),
        config_(settings.config),
        state_folder_(settings.state_folder),
        service_(std::move(service)),
        keys_(std::move(keys)),
        guard_({.allowed_hosts = config_.server.allowed_hosts,
                .allowed_origins = config_.server.allowed_origins,
                .is_public = is_public(config_),
                .has_keys = !keys_.is_open()}),
        metrics_(SCRIBED_VERSION),
        sender_(std::move(webhooks)),
        webhooks_(executor_, service_->jobs(), sender_, log),
        submission_(service_->services(), with_webhooks(submission_settings(config_))),
        tools_(service_->services(), submission_, http_tool_settings(config_, keys_),
               SCRIBED_VERSION),
        endpoint_(executor_, tools_.features(), tools_, {}),
        api_{.services = service_->services(),
             .submission = submission_,
             .keys = keys_,
             .guard = guard_,
             .metrics = metrics_,
             .settings = api_settings(config_),
             .mcp =
                 [this](Exchange& exchange, std::string principal) {
                   return endpoint_.handle(exchange, std::move(principal));
                 },
             .not_ready = [this] { return service_->not_ready(); },
             .ignored_fields =
                 [&log](const Exchange& exchange, const std::vector<std::string>& fields) {
                   log.info("fields of a form ignored",
                            {{"fields", fmt::format("{}", fmt::join(fields, ","))},
                             {"request_id", exchange.request_id()}});
                 }},
        notifier_(settings.sources.environment) {}

  Result<void> listen() {
    auto proxies = TrustedProxies::parse(config_.server.trusted_proxies);
    if (!proxies) return proxies.error();
    auto server = HttpServer::open(
        executor_, {.addresses = config_.server.listen,
                    .limits = http_limits(config_),
                    .proxies = *std::move(proxies),
                    .dispatch = [this](Exchange& exchange) { return dispatch(api_, exchange); },
                    .on_done = [this](const AccessRecord& record) { done(record); }});
    if (!server) return server.error();
    server_.emplace(*std::move(server));
    return {};
  }

  // Returns true if the daemon ended in order, and false if a second signal came or something
  // cannot be ended.
  asio::awaitable<bool> run(StopSignals& signals) {
    service_->on_job_end([this](const Job& job) { job_ended(job); });
    service_->start();
    asio::co_spawn(executor_, tell_webhooks(), asio::detached);
    if (notifier_.watchdog_interval()) {
      asio::co_spawn(executor_, watch(*notifier_.watchdog_interval()), asio::detached);
    }
    log_.info("state", {{"folder", state_folder_}});
    for (const auto& endpoint : server_->endpoints()) {
      log_.info("listening",
                {{"address", endpoint.address().to_string()}, {"port", endpoint.port()}});
    }
    if (is_public(config_) && keys_.is_open()) {
      log_.warning("no key is asked for: whoever reaches these addresses can use scribed");
    }
    notifier_.ready();
    const int signal = co_await signal_to_end(signals);
    log_.info("stopping", {{"signal", signal}});
    notifier_.stopping();
    auto ending = end();
    auto again = signal_to_end(signals);
    const auto first = co_await race(std::move(ending), std::move(again));
    co_return first.index() == 0 && std::get<0>(first);
  }

 private:
  Submission::Settings with_webhooks(Submission::Settings settings) const {
    settings.check_webhook = [this](const std::string& url) { return sender_.check(url); };
    return settings;
  }

  // Health is still answered while jobs end; what is new is refused.
  asio::awaitable<bool> end() {
    co_await service_->stop(drain_time(config_));
    endpoint_.close();
    server_->stop_accepting();
    server_->close_idle();
    auto drained = wait_drained();
    co_await within(last_answers, std::move(drained));
    server_->close_all();
    auto closed = wait_drained();
    const auto all_closed = co_await within(last_answers, std::move(closed));
    co_return all_closed.has_value();
  }

  // Returns the next signal that ends the daemon, which SIGHUP does not.
  asio::awaitable<int> signal_to_end(StopSignals& signals) {
    while (true) {
      const int signal = co_await signals.next();
      if (signal != SIGHUP) co_return signal;
      reload();
    }
  }

  // Opens the log's file and reads the keys again. Whatever is wrong with the files, nobody is let
  // in who was not before.
  void reload() {
    const bool has_log = stderr_file_.reopen();
    if (!has_log) log_.error("the log's file cannot be opened again: the old one goes on");
    auto keys = read_keys(config_);
    if (!keys) {
      log_.error("the keys are not valid: the old ones go on",
                 {{"error", keys.error().message}, {"fix", keys.error().fix}});
      return;
    }
    keys_ = *std::move(keys);
    service_->set_several_owners(keys_.names() > 1);
    log_.info("read again", {{"keys", keys_.size()}});
  }

  asio::awaitable<Elapsed> wait_drained() {
    co_await server_->drained();
    co_return Elapsed{};
  }

  // Delivers the webhooks for which there was no room, or no process, when their job ended.
  asio::awaitable<void> tell_webhooks() {
    while (true) {
      co_await webhooks_.tell_the_rest();
      co_await sleep_for(webhook_interval);
    }
  }

  asio::awaitable<void> watch(std::chrono::microseconds interval) {
    while (true) {
      notifier_.watchdog();
      co_await sleep_for(std::chrono::duration_cast<milliseconds>(interval));
    }
  }

  void done(const AccessRecord& record) {
    const auto route = find_route(routes(), http::verb::get, record.path).pattern;
    metrics_.on_request(record, route);
    const LogFields fields{{"method", record.method},     {"path", record.path},
                           {"status", record.status},     {"seconds", record.seconds},
                           {"bytes_in", record.bytes_in}, {"bytes_out", record.bytes_out},
                           {"peer", record.peer},         {"request_id", record.request_id},
                           {"error", record.error}};
    const bool is_probe = record.path == "/livez" || record.path == "/readyz";
    if (record.status >= 500 && !is_probe) {
      log_.error("request", fields);
    } else if (is_probe) {
      log_.debug("request", fields);
    } else {
      log_.info("request", fields);
    }
  }

  void job_ended(const Job& job) {
    metrics_.on_job_end(job);
    webhooks_.tell(job);
    endpoint_.resource_updated(job.request.owner, "transcript://" + job.id);
    endpoint_.resources_changed(job.request.owner);
  }

  asio::any_io_executor executor_;
  Log& log_;
  const Config& config_;
  const std::string state_folder_;
  std::unique_ptr<JobService> service_;
  StderrFile stderr_file_{};
  ApiKeys keys_;  // others refer to it, so it is assigned to and never moved
  OriginGuard guard_;
  Metrics metrics_;
  WebhookSender sender_;
  JobWebhooks webhooks_;
  Submission submission_;
  McpTools tools_;
  McpHttpEndpoint endpoint_;
  Api api_;
  ServiceNotifier notifier_;
  std::optional<HttpServer> server_{};
};

}  // namespace

Result<void> run_daemon(DaemonSettings settings) {
  const Config& config = settings.config;
  auto keys = read_keys(config);
  if (!keys) return keys.error();
  if (const auto checked = check_config(config, !keys->is_open()); !checked) return checked.error();
  auto webhooks = webhook_settings(config);
  if (!webhooks) return webhooks.error();
  asio::io_context io(1);
  // The signals are blocked before any thread starts, because threads inherit that.
  StopSignals signals(io.get_executor());
  auto log =
      std::make_unique<Log>(log_settings(config, LogLevel::info, settings.sources.environment));
  std::vector<std::filesystem::path> allowed(config.inputs.allow_paths.begin(),
                                             config.inputs.allow_paths.end());
  auto service = JobService::open(io.get_executor(), *log,
                                  {.config = config,
                                   .sources = settings.sources,
                                   .state_folder = settings.state_folder,
                                   .allow_paths = std::move(allowed),
                                   .has_several_owners = keys->names() > 1,
                                   .hub = settings.hub});
  if (!service) return service.error();
  Daemon daemon(io, *log, settings, *std::move(service), *std::move(keys), *std::move(webhooks));
  if (const auto listening = daemon.listen(); !listening) return listening.error();
  bool in_order = false;
  asio::co_spawn(io, daemon.run(signals), [&](std::exception_ptr thrown, bool ended_in_order) {
    in_order = ended_in_order;
    if (thrown) std::rethrow_exception(thrown);
    io.stop();
  });
  std::string problem;
  try {
    io.run();
  } catch (const std::exception& failure) {
    problem = failure.what();
  }
  if (in_order) return {};
  // Coroutines that still run refer to objects that would be destroyed before them, so the process
  // exits here. Nothing is lost: jobs are on the disk, and the kernel kills our children with us.
  if (!problem.empty()) log->error("scribed failed", {{"error", problem}});
  log.reset();
  std::_Exit(static_cast<int>(problem.empty() ? ExitCode::ok : ExitCode::internal));
}

}  // namespace server
