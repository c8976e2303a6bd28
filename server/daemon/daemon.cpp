#include "server/daemon/daemon.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <csignal>
#include <cstdlib>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "server/api/api.h"
#include "server/api/route.h"
#include "server/base/race.h"
#include "server/base/version.h"
#include "server/config/check_config.h"
#include "server/config/live_settings.h"
#include "server/daemon/access_log.h"
#include "server/daemon/backup_stream.h"
#include "server/daemon/job_service.h"
#include "server/daemon/live_service.h"
#include "server/daemon/open_service.h"
#include "server/daemon/page_service.h"
#include "server/daemon/part_settings.h"
#include "server/daemon/queue_figures.h"
#include "server/daemon/webhooks.h"
#include "server/http/api_keys.h"
#include "server/http/listener.h"
#include "server/http/origin_guard.h"
#include "server/lifecycle/inherited_sockets.h"
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
         std::unique_ptr<JobService> service, ApiKeys keys, WebhookSender::Settings webhooks,
         PageService::Stored stored)
      : executor_(io.get_executor()),
        log_(log),
        config_(settings.config),
        read_again_(settings.read_again),
        environment_(settings.sources.environment),
        service_(std::move(service)),
        backups_(service_->services(), settings.state_folder),
        keys_(std::move(keys)),
        page_(executor_, *service_, keys_, log, std::move(stored), settings.sources),
        guard_({.allowed_hosts = config_.server.allowed_hosts,
                .own_names = listening_names(config_),
                .allowed_origins = config_.server.allowed_origins,
                .is_public = is_public(config_),
                .has_keys = !keys_.is_open()}),
        metrics_(program_version()),
        live_(executor_, service_->services(), metrics_, log, config_, !keys_.is_open()),
        sender_(std::move(webhooks)),
        webhooks_(executor_, service_->jobs(), sender_, log),
        submission_(service_->services(), with_webhooks(submission_settings(config_))),
        tools_(service_->services(), submission_,
               http_tool_settings(config_, service_->services(), keys_), program_version()),
        endpoint_(executor_, tools_.features(), tools_, {.threads = &service_->services().texts}),
        api_{.services = service_->services(),
             .submission = submission_,
             .keys = keys_,
             .guard = guard_,
             .metrics = metrics_,
             .live = live_.services(),
             .sessions = page_.sessions(),
             .shares = page_.shares(),
             .client_secrets = page_.client_secrets(),
             .events = page_.events(),
             .pulls = service_->pulls(),
             .settings = api_settings(config_),
             .mcp =
                 [this](Exchange& exchange, std::string principal, McpCharge charge) {
                   return endpoint_.handle(exchange, std::move(principal), std::move(charge));
                 },
             .not_ready = [this] { return service_->not_ready(); },
             .reload = [this] { return reload(); },
             .doctor = [this] { return page_.doctor(); },
             .backup = [this](Exchange& exchange) { return backups_.send(exchange); },
             .ignored_fields = std::bind_front(log_ignored_fields, std::ref(log)),
             .text_warnings = std::bind_front(log_text_warnings, std::ref(log))},
        notifier_(settings.sources.environment) {}

  // `inherited` are the sockets that a service manager has opened, if any.
  Result<void> listen(std::vector<platform::UniqueFd> inherited) {
    has_inherited_ = !inherited.empty();
    auto proxies = TrustedProxies::parse(config_.server.trusted_proxies);
    if (!proxies) return proxies.error();
    auto server = HttpServer::open(
        executor_, {.addresses = config_.server.listen,
                    .inherited = std::move(inherited),
                    .limits = http_limits(config_),
                    .proxies = *std::move(proxies),
                    .dispatch = [this](Exchange& exchange) { return dispatch(api_, exchange); },
                    .on_done = [this](const AccessRecord& record) { done(record); }});
    if (!server) return server.error();
    server_.emplace(*std::move(server));
    service_->set_limits(config_, owners());
    return live_.listen();
  }

  // Returns true if the daemon ended in order, and false if a second signal came or something
  // cannot be ended.
  asio::awaitable<bool> run(StopSignals& signals) {
    service_->on_job_end([this](const Job& job) { job_ended(job); });
    service_->start();
    page_.start([this] { api_.key_watches.tell(); });
    asio::co_spawn(executor_, tell_webhooks(), asio::detached);
    if (service_->jobs().is_shared() && !config_.cluster.is_worker()) {
      asio::co_spawn(executor_, measure_queue(service_->jobs(), metrics_), asio::detached);
    }
    if (notifier_.watchdog_interval()) {
      asio::co_spawn(executor_, watch(*notifier_.watchdog_interval()), asio::detached);
    }
    log_.info("state", {{"folder", backups_.folder().string()}});
    for (const auto& address : server_->addresses()) log_listening(log_, address);
    log_openness(log_, config_, !keys_.is_open());
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
    const auto deadline = std::chrono::steady_clock::now() + drain_time(config_);
    live_.begin_stop();
    co_await service_->stop(drain_time(config_));
    const auto live_ended = co_await live_.stop(deadline);
    endpoint_.close();
    page_.close();
    server_->stop_accepting();
    server_->close_idle();
    auto drained = wait_drained();
    const auto limit = time_for_answers(config_, last_answers, deadline);
    co_await within(limit, std::move(drained));
    server_->close_all();
    auto closed = wait_drained();
    const auto all_closed = co_await within(last_answers, std::move(closed));
    co_return live_ended&& all_closed.has_value();
  }

  // Returns the next signal that ends the daemon, which SIGHUP does not.
  asio::awaitable<int> signal_to_end(StopSignals& signals) {
    while (true) {
      const int signal = co_await signals.next();
      if (signal != SIGHUP) co_return signal;
      static_cast<void>(reload());  // the log tells what became of it
    }
  }

  // Opens the log's file, and reads settings and keys again. With any mistake in them all stays as
  // it was, so nobody is let in who was not before.
  Result<Reloaded> reload() {
    if (!stderr_file_.reopen()) {
      log_.error("the log file cannot be reopened: the old one is still used");
    }
    auto reloaded = take_again();
    if (!reloaded) {
      log_.error("keys and settings are not valid: the old ones stay in use",
                 {{"error", reloaded.error().message}, {"fix", reloaded.error().fix}});
      return reloaded;
    }
    log_.info("read again", {{"keys", reloaded->keys},
                             {"changed", fmt::format("{}", fmt::join(reloaded->changed, ","))}});
    for (const auto& key : reloaded->need_restart) {
      log_.warning("this setting needs a restart", {{"setting", key}});
    }
    return reloaded;
  }

  Result<Reloaded> take_again() {
    auto fresh = read_again_();
    if (!fresh) return fresh.error();
    if (has_inherited_) fresh->server.listen = config_.server.listen;
    Config next = config_;
    auto changes = take_live_settings(*fresh, next);
    auto keys = read_keys(next);
    if (!keys) return keys.error();
    if (keys->is_open() && !keys_.is_open()) {
      return Error{errc::bad_config, "without keys everybody could use scribed from now on",
                   "To serve everybody start scribed again."};
    }
    if (const auto checked = check_config(next, !keys->is_open()); !checked) return checked.error();
    config_ = std::move(next);
    keys_ = *std::move(keys);
    apply_limits();
    return Reloaded{keys_.size(), std::move(changes.taken), std::move(changes.need_restart)};
  }

  // Hands settings that may change while scribed works to the parts that keep them.
  void apply_limits() {
    log_.set_level(log_settings(config_, LogLevel::info, environment_).level);
    server_->set_limits(http_limits(config_));
    api_.settings = api_settings(config_);
    submission_.set_limits(submission_settings(config_));
    service_->set_limits(config_, owners());
    live_.services().set_limits(live_services_settings(config_, !keys_.is_open()).limits);
    api_.key_watches.tell();
  }

  Owners owners() const { return {.names = keys_.names(), .limits = keys_.limits()}; }

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
    log_request(log_, record);
  }

  void job_ended(const Job& job) {
    metrics_.on_job_end(job);
    webhooks_.tell(job);
    if (job.request.options.language_only) return;  // it leaves nothing to read
    endpoint_.resource_updated(job.request.owner, "transcript://" + job.id);
    endpoint_.resources_changed(job.request.owner);
  }

  asio::any_io_executor executor_;
  Log& log_;
  Config& config_;  // changes with a reload alone
  const std::function<Result<Config>()> read_again_;
  const Environment environment_;
  std::unique_ptr<JobService> service_;
  BackupStream backups_;
  StderrFile stderr_file_{};
  ApiKeys keys_;  // others refer to it, so it is assigned to and never moved
  PageService page_;
  OriginGuard guard_;
  Metrics metrics_;
  LiveService live_;
  WebhookSender sender_;
  JobWebhooks webhooks_;
  Submission submission_;
  McpTools tools_;
  McpHttpEndpoint endpoint_;
  Api api_;
  ServiceNotifier notifier_;
  std::optional<HttpServer> server_{};
  bool has_inherited_ = false;  // sockets of a service manager
};

}  // namespace

Result<void> run_daemon(DaemonSettings settings) {
  auto inherited = inherited_sockets(settings.sources.environment);
  const auto taken = name_inherited(inherited, settings.config);
  if (!taken) return taken.error();
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
  auto service = open_service(io.get_executor(), *log, signals,
                              {.config = config,
                               .sources = settings.sources,
                               .state_folder = settings.state_folder,
                               .allow_paths = std::move(allowed),
                               .has_several_owners = keys->names() > 1,
                               .hub = settings.hub});
  if (!service) return service.error();
  if (*service == nullptr) return {};
  auto stored = PageService::open(settings.state_folder, config, *log);
  if (!stored) return stored.error();
  Daemon daemon(io, *log, settings, *std::move(service), *std::move(keys), *std::move(webhooks),
                *std::move(stored));
  if (const auto listening = daemon.listen(std::move(inherited)); !listening)
    return listening.error();
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
