#include "server/api/key_limits.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <string>
#include <utility>

#include "server/base/counted.h"
#include "server/http/error_response.h"
#include "server/inputs/spool.h"
#include "server/jobs/job_queue.h"

namespace server {
namespace {

// Adds what there is in all and what is left of it; `what` is "requests", "jobs" …
void add_left(Headers& headers, const char* what, std::int64_t limit, std::int64_t left) {
  headers.emplace_back(fmt::format("x-ratelimit-limit-{}", what), std::to_string(limit));
  headers.emplace_back(fmt::format("x-ratelimit-remaining-{}", what),
                       std::to_string(std::max<std::int64_t>(0, left)));
}

Response too_fast(std::int64_t most, std::string what_to_do, const RateLimiter::Answer& answer) {
  const auto requests = counted(static_cast<std::uint64_t>(most), "request");
  return error_response(
      {errc::rate_limited, fmt::format("Your key may send {} a minute.", requests),
       std::move(what_to_do)},
      {}, answer.next);
}

// Adds headers for what jobs and recordings leave, before the request adds its own.
asio::awaitable<void> add_use(Api& api, const Principal& principal, Headers& headers) {
  const KeyLimits& limits = principal.limits;
  if (limits.stored_bytes) {
    const auto used = static_cast<std::int64_t>(api.services.spool.room().used_by(principal.name));
    add_left(headers, "bytes", *limits.stored_bytes, *limits.stored_bytes - used);
  }
  if (!limits.running_jobs && !limits.sound_seconds_per_day) co_return;
  const auto use = co_await api.services.jobs.use_of(principal.name);
  if (!use) co_return;  // the store tells its trouble to whoever wants something of it
  if (limits.running_jobs) {
    add_left(headers, "jobs", *limits.running_jobs, *limits.running_jobs - use->open_jobs);
  }
  if (limits.sound_seconds_per_day) {
    const auto used = static_cast<std::int64_t>(use->sound_seconds + use->held_seconds);
    add_left(headers, "sound-seconds", *limits.sound_seconds_per_day,
             *limits.sound_seconds_per_day - used);
  }
}

}  // namespace

asio::awaitable<std::optional<Response>> apply_key_limits(Api& api, Exchange& exchange,
                                                          const Principal& principal,
                                                          Access access) {
  if (principal.limits == KeyLimits{}) co_return std::nullopt;
  Headers headers;
  std::optional<Response> refusal;
  if (const auto most = principal.limits.requests_per_minute) {
    const auto answer = api.rate_limiter.take(principal.name, *most, RateLimiter::Clock::now());
    add_left(headers, "requests", *most, answer.left);
    headers.emplace_back("x-ratelimit-reset-requests", fmt::format("{}s", answer.all_back.count()));
    if (!answer.is_allowed) {
      refusal = too_fast(*most, fmt::format("Try again in {} s.", answer.next.count()), answer);
    }
  }
  if (access == Access::transcribe && !refusal) co_await add_use(api, principal, headers);
  exchange.add_headers(std::move(headers));
  co_return refusal;
}

std::optional<Response> charge_requests(Api& api, const Principal& principal, std::size_t more) {
  const auto most = principal.limits.requests_per_minute;
  if (!most || more == 0) return std::nullopt;
  const auto calls = static_cast<std::int64_t>(more);
  const auto answer =
      api.rate_limiter.take(principal.name, *most, RateLimiter::Clock::now(), calls);
  if (answer.is_allowed) return std::nullopt;
  const std::string what_to_do =
      calls < *most
          ? fmt::format("Try this batch again in {} s.", answer.next.count())
          : fmt::format("Each call of a batch counts as one: send at most {} in one.", *most);
  return too_fast(*most, what_to_do, answer);
}

}  // namespace server
