#include "server/daemon/live_service.h"

#include <utility>

#include "server/daemon/access_log.h"
#include "server/daemon/part_settings.h"
#include "server/live/stream_door.h"
#include "server/live/wyoming.h"

namespace server {
namespace {

// The time for connections that were cancelled.
constexpr std::chrono::seconds last_steps{2};

LiveServices::Settings with_log(LiveServices::Settings settings, Log& log) {
  settings.on_end = [&log](const LiveRecord& session) { log_live_session(log, session); };
  return settings;
}

}  // namespace

LiveService::LiveService(asio::any_io_executor executor, Services& services, Metrics& metrics,
                         Log& log, const Config& config, bool has_keys)
    : executor_(executor),
      services_(services),
      log_(log),
      config_(config.live),
      live_(std::move(executor), services, metrics,
            with_log(live_services_settings(config, has_keys), log)) {}

Result<void> LiveService::listen() {
  if (!config_.enabled || config_.wyoming_listen.empty()) return {};
  StreamListener::Settings settings{.address = config_.wyoming_listen};
  settings.serve = [this](StreamSocket socket, std::string peer,
                          std::shared_ptr<StreamConnection> connection) {
    // Home Assistant takes the first model: the one for live sound.
    const bool is_named = !config_.model.empty();
    const WyomingSettings wyoming{
        .default_model = is_named ? config_.model : services_.default_model,
        .options = services_.options,
        .requires_external_vad = config_.wyoming_external_vad};
    auto adapter = make_wyoming_adapter(services_.store, wyoming);
    return serve_stream(live_, std::move(socket), std::move(adapter), std::move(peer),
                        std::move(connection));
  };
  auto opened = StreamListener::open(executor_, std::move(settings));
  if (!opened) return opened.error();
  wyoming_.emplace(*std::move(opened));
  for (const auto& address : wyoming_->addresses()) {
    log_.info("listening for Wyoming", {{"address", address.text()}});
    if (!address.is_local()) {
      log_.warning("Wyoming has no keys: everyone who can reach this address can use scribed",
                   {{"address", address.text()}});
    }
  }
  return {};
}

void LiveService::begin_stop() {
  if (wyoming_) wyoming_->stop_accepting();
  live_.begin_stop();
}

asio::awaitable<bool> LiveService::stop(std::chrono::steady_clock::time_point deadline) {
  co_await live_.drained(deadline);
  if (!wyoming_) co_return true;
  wyoming_->close_all();
  const auto all_closed = co_await wyoming_->closed(std::chrono::steady_clock::now() + last_steps);
  co_return all_closed;
}

}  // namespace server
