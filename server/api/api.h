#pragma once

#include <boost/asio/awaitable.hpp>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "server/api/doors.h"
#include "server/api/event_hub.h"
#include "server/api/key_watch.h"
#include "server/api/model_reports.h"
#include "server/api/open_requests.h"
#include "server/api/sound_places.h"
#include "server/api/sound_sum.h"
#include "server/api/transcription_form.h"
#include "server/base/race.h"
#include "server/http/exchange.h"
#include "server/http/rate_limiter.h"
#include "server/sessions/wrong_keys.h"
#include "server/submission/not_ready.h"
#include "server/submission/services.h"

namespace server {

class ApiKeys;
class LiveServices;
class Metrics;
class ModelPulls;
class OriginGuard;
class Sessions;
class Shares;
class ClientSecrets;
class Submission;

struct ApiSettings {
  std::uint64_t max_body_bytes = 512ULL << 20;  // the recording of a client that waits
  std::uint64_t max_upload_bytes = 2ULL << 30;  // the recording of a job or an upload
  double max_audio_seconds = 36'000;            // of a recording
  double keep_results_s = 0;                    // how long an ended job is kept; 0: for good
  bool is_worker = false;                       // it serves no clients: health and metrics alone
  // The limit of one owner at once. Each request has a connection, so nobody can take all of them.
  std::size_t max_requests_of_one = 1024;
  // After how long the head of a JSON answer is sent before the answer is known; see early_head.h.
  std::optional<std::chrono::milliseconds> early_head_after = std::chrono::seconds(15);
  FormLimits forms{};
  Doors doors{};
};

// Counts the calls of a message of MCP, and returns the refusal if they are too many.
using McpCharge = std::function<std::optional<Response>(std::size_t calls)>;

// The settings that a reload has changed.
struct Reloaded {
  std::size_t keys = 0;                     // keys that are known now
  std::vector<std::string> changed{};       // settings that hold from now on
  std::vector<std::string> need_restart{};  // settings that differ, and stay as they were
};

// The objects that the routes work with. The composition root makes it, for as long as the daemon
// runs.
struct Api {
  Services& services;
  Submission& submission;
  const ApiKeys& keys;
  const OriginGuard& guard;
  Metrics& metrics;
  LiveServices& live;
  Sessions& sessions;
  Shares& shares;
  ClientSecrets& client_secrets;
  EventHub& events;
  ModelPulls& pulls;
  ApiSettings settings{};
  // Answers POST /mcp, and other methods as the endpoint's specification says.
  std::function<asio::awaitable<void>(Exchange& exchange, std::string principal, McpCharge charge)>
      mcp{};
  // Returns why the daemon cannot work; nothing if it can.
  std::function<std::optional<NotReady>()> not_ready{};
  // Reads keys and settings again.
  std::function<Result<Reloaded>()> reload{};
  // Returns what `scribed doctor --json` would print. It takes seconds, and no thread of the
  // caller.
  std::function<asio::awaitable<Result<std::string>>()> doctor{};
  // Answers with a backup.
  std::function<asio::awaitable<void>(Exchange& exchange)> backup{};
  // Hears which fields of a form were ignored, for the log.
  std::function<void(const Exchange& exchange, const std::vector<std::string>& fields)>
      ignored_fields = [](const Exchange&, const std::vector<std::string>&) {};
  // Receives the warnings of a transcript that a client was sent, for the log.
  std::function<void(const Exchange& exchange, const std::vector<std::string>& warnings)>
      text_warnings = [](const Exchange&, const std::vector<std::string>&) {};
  OpenRequest::Counts open_requests{};
  RateLimiter rate_limiter{};
  KeyWatches key_watches{};  // told by whoever replaces the keys, or ends a session
  WrongKeys wrong_keys{};
  SoundPlaces sound_places{};
  SoundSum sound_sum{};
  ModelReports model_reports{services.store};
  // Pages of texts and of their versions: readers take turns.
  std::shared_ptr<CallPlaces> text_places = std::make_shared<CallPlaces>(16, 2);
};

// Finds the route, checks the caller's rights, and answers.
asio::awaitable<void> dispatch(Api& api, Exchange& exchange);

// Sends an error that belongs to the parameter of that name; empty: to none.
asio::awaitable<void> send_error(Exchange& exchange, const Error& error,
                                 std::string_view parameter = {});
asio::awaitable<void> send_form_error(Exchange& exchange, const FormError& wrong);
// Answers that there is nothing at the path of this request.
asio::awaitable<void> send_not_found(Exchange& exchange);
asio::awaitable<void> send_json(Exchange& exchange, std::string body,
                                http::status status = http::status::ok);

// The longest silence of a stream: proxies cut off streams that are silent for a minute.
inline constexpr std::chrono::seconds keep_alive_interval{15};

// For race(): ends when the client no longer waits.
asio::awaitable<Elapsed> client_left(Exchange& exchange);
// The error of a request whose client no longer waits; nobody reads it.
Error client_has_left();

// Returns nothing where the client leaves before the work has ended, which is cancelled then.
template <class T>
asio::awaitable<std::optional<T>> unless_client_leaves(Exchange& exchange,
                                                       asio::awaitable<T> work) {
  auto leaving = client_left(exchange);
  auto winner = co_await race(std::move(work), std::move(leaving));
  if (winner.index() == 1) co_return std::nullopt;
  co_return std::get<0>(std::move(winner));
}

}  // namespace server
