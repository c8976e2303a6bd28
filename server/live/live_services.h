#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>

#include "server/base/error.h"
#include "server/live/kept_session.h"
#include "server/live/live_places.h"
#include "server/live/sound_quota.h"

namespace server {

namespace asio = boost::asio;

class AdapterDriver;
class Metrics;
class ModelPool;
struct LiveRequest;
struct Services;

// A session that has ended, for the log.
struct LiveRecord {
  std::string id{};
  std::string principal{};
  std::string request_id{};
  std::string model{};
  double sound_s = 0;
  int turns = 0;
  std::optional<Error> error{};
};

// What all live connections share. It is used on the executor's thread.
class LiveServices {
 public:
  struct Settings {
    bool enabled = true;
    LivePlaces::Limits limits{};
    std::chrono::seconds most_time = std::chrono::hours(4);  // of a connection
    std::optional<Error> refusal{};  // the error of every session, if there can be none here
    std::string model{};       // where a client names none that there is; empty: the default model
    bool second_look = false;  // for all sessions, beside those whose client asks for it
    std::function<void(const LiveRecord&)> on_end = [](const LiveRecord&) {};
  };

  // `services` and `metrics` must outlive this object.
  LiveServices(asio::any_io_executor executor, Services& services, Metrics& metrics,
               Settings settings);
  LiveServices(const LiveServices&) = delete;
  ~LiveServices();

  const asio::any_io_executor& executor() const { return executor_; }
  const Settings& settings() const { return settings_; }
  const LivePlaces& places() const { return *places_; }
  const std::shared_ptr<SoundQuota>& quota() const { return quota_; }
  ModelPool& models() const;
  Metrics& metrics() const { return metrics_; }

  // Returns the installed model that a client means. No name, and those of OpenAI's models, mean
  // the model for live audio. Errors: unknown_model, not_installed, no_model.
  Result<std::string> find_model(const std::string& wanted) const;
  // Returns an error (usage) if a model that find_model() returned does not support one of the
  // languages, which are codes; an empty one means auto-detection. A model that is not installed
  // is not checked. The manifest is read once.
  Result<void> check_languages(const std::string& model,
                               std::span<const std::string> languages) const;

  // Returns when the helper models that a session needs are installed. The error is
  // model_not_installed.
  asio::awaitable<Result<void>> fetch_helpers(const LiveRequest& request) const;

  // Takes the place of one more session, or says why there is none: draining, no_model, and those
  // of LivePlaces::take(). Refusals are counted.
  Result<std::unique_ptr<LivePlace>> take_place(const std::string& principal);
  // As take_place(), where the owner's limits leave something for a session. Errors: also those of
  // SoundQuota::check().
  asio::awaitable<Result<std::unique_ptr<LivePlace>>> admit(std::string principal);
  // Sets the limits for sessions that come from now on.
  void set_limits(const LivePlaces::Limits& limits) { places_->set_limits(limits); }

  // Keeps a session as a job, which it ends itself after KeptSession::finish().
  std::shared_ptr<KeptSession> keep(JobRequest request, KeptText::Settings text,
                                    KeptSession::OnNews on_news);

  // Connections name themselves, to be told of the end.
  void join(AdapterDriver& connection) { connections_.insert(&connection); }
  void leave(AdapterDriver& connection);

  // Accepts nothing from now on, and has what was said so far finished and its clients told.
  void begin_stop();
  bool is_stopping() const { return is_stopping_; }
  // Ends when no connection and no session is left, also none that is kept, or at the deadline.
  asio::awaitable<void> drained(std::chrono::steady_clock::time_point deadline);

 private:
  Result<std::unique_ptr<LivePlace>> find_place(const std::string& principal);

  asio::any_io_executor executor_;
  Services& services_;
  Metrics& metrics_;
  Settings settings_;
  std::shared_ptr<LivePlaces> places_;
  std::shared_ptr<SoundQuota> quota_;
  std::set<AdapterDriver*> connections_{};
  std::shared_ptr<int> kept_ = std::make_shared<int>(0);  // sessions whose job has not ended
  bool is_stopping_ = false;
};

}  // namespace server
