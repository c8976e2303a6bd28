#include "server/live/live_services.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <exception>
#include <utility>
#include <vector>

#include "server/base/race.h"
#include "server/live/adapter_driver.h"
#include "server/live/live_session.h"
#include "server/metrics/metrics.h"
#include "server/models/error.h"
#include "server/models/model_languages.h"
#include "server/models/model_store.h"
#include "server/submission/helpers.h"
#include "server/submission/model_name.h"
#include "server/submission/services.h"

namespace server {
namespace {

using std::chrono::steady_clock;

constexpr std::chrono::milliseconds drain_step{50};

Error without_model(const std::string& model) {
  return {errc::no_model, "The model for live sound, " + model + ", is not installed.",
          "The administrator can download it: scribed models pull " + model + "."};
}

}  // namespace

LiveServices::LiveServices(asio::any_io_executor executor, Services& services, Metrics& metrics,
                           Settings settings)
    : executor_(std::move(executor)),
      services_(services),
      metrics_(metrics),
      settings_(std::move(settings)),
      places_(LivePlaces::make(settings_.limits)),
      quota_(std::make_shared<SoundQuota>(executor_, services_.jobs)) {
  services_.jobs.count_live_by(
      [places = places_](const std::string& owner) { return places->taken_by(owner); });
}

LiveServices::~LiveServices() = default;

ModelPool& LiveServices::models() const {
  return services_.models;
}

asio::awaitable<Result<void>> LiveServices::fetch_helpers(const LiveRequest& request) const {
  auto options = request.options;
  options.vad_filter |= request.settings.live.turn_detection.has_value();
  return fetched_helpers(services_, std::move(options));
}

Result<std::string> LiveServices::find_model(const std::string& wanted) const {
  if (settings_.refusal) return *settings_.refusal;
  const std::string& usual = settings_.model.empty() ? services_.default_model : settings_.model;
  const std::string meant = meant_model(services_, wanted);
  const bool is_named = wanted == meant || services_.aliases.contains(wanted);
  if (is_named) {
    const auto named = services_.store.find(meant);
    if (named) return named->manifest.name;
    // OpenAI's models of conversations stand for the usual one, which may be a file or a folder.
    const bool means_usual =
        wanted.starts_with("gpt-") || meant == usual || meant == services_.default_model;
    if (!means_usual) return to_error(named.error());
  }
  const auto installed = services_.store.find(usual);
  if (installed) return installed->manifest.name;
  if (services_.store.resolve(usual)) return usual;
  return without_model(usual);
}

Result<void> LiveServices::check_languages(const std::string& model,
                                           std::span<const std::string> languages) const {
  if (std::ranges::all_of(languages, &std::string::empty)) return {};
  const auto installed = services_.store.find(model);
  if (!installed) return {};
  const auto known = languages_of(installed->manifest);
  const auto unknown = std::ranges::find_if(languages, [&](const std::string& language) {
    return !language.empty() && std::ranges::find(known, language) == known.end();
  });
  if (known.empty() || unknown == languages.end()) return {};
  return Error{errc::usage,
               fmt::format("The model {} does not support the language '{}'.", model, *unknown),
               known.size() == 1 ? fmt::format("Use {}, or a multilingual model.", known.front())
                                 : "Use a language that the model supports, or another model."};
}

Result<std::unique_ptr<LivePlace>> LiveServices::find_place(const std::string& principal) {
  if (is_stopping_) {
    return Error{errc::draining, "scribed is about to end.", "Try again when it is back."};
  }
  if (const auto model = find_model(""); !model) return model.error();
  return places_->take(principal, steady_clock::now());
}

Result<std::unique_ptr<LivePlace>> LiveServices::take_place(const std::string& principal) {
  auto place = find_place(principal);
  if (!place) metrics_.on_live_refused(place.error().code);
  return place;
}

asio::awaitable<Result<std::unique_ptr<LivePlace>>> LiveServices::admit(std::string principal) {
  auto place = take_place(principal);
  if (!place) co_return place;
  const auto fits = co_await quota_->check(std::move(principal));
  if (fits) co_return place;
  metrics_.on_live_refused(fits.error().code);
  co_return fits.error();
}

std::shared_ptr<KeptSession> LiveServices::keep(JobRequest request, KeptText::Settings text,
                                                KeptSession::OnNews on_news) {
  auto session = std::make_shared<KeptSession>(executor_, services_, std::move(request), text,
                                               std::move(on_news));
  ++*kept_;
  asio::co_spawn(executor_, KeptSession::run(session),
                 [kept = kept_](std::exception_ptr) { --*kept; });
  return session;
}

void LiveServices::leave(AdapterDriver& connection) {
  connections_.erase(&connection);
}

void LiveServices::begin_stop() {
  if (std::exchange(is_stopping_, true)) return;
  // A connection whose adapter has nothing to finish may leave the set meanwhile.
  const std::vector<AdapterDriver*> all(connections_.begin(), connections_.end());
  for (AdapterDriver* connection : all) {
    if (connections_.contains(connection)) connection->shut_down();
  }
}

asio::awaitable<void> LiveServices::drained(steady_clock::time_point deadline) {
  const auto is_busy = [this] {
    return !connections_.empty() || places_->taken() > 0 || *kept_ > 0 || quota_->is_busy();
  };
  while (is_busy() && steady_clock::now() < deadline) co_await sleep_for(drain_step);
}

}  // namespace server
