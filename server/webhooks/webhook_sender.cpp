#include "server/webhooks/webhook_sender.h"

#include <fmt/format.h>

#include <array>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <cstdint>
#include <random>
#include <utility>

#include "server/outbound/outbound_call.h"

namespace server {
namespace {

// They wait for others most of the time, and silent receivers of a few owners must not take all.
constexpr int threads = 16;
constexpr int most_threads_of_one = 2;  // of one owner

OutboundRules rules_of(const WebhookSender::Settings& settings) {
  return {.hosts = {"*"}, .own_hosts = settings.allow_hosts};
}

std::int64_t seconds_since_1970() {
  return std::chrono::duration_cast<std::chrono::seconds>(
             std::chrono::system_clock::now().time_since_epoch())
      .count();
}

std::vector<std::string> headers_of(const WebhookDelivery& delivery,
                                    const std::optional<WebhookSecret>& secret) {
  const std::int64_t now = seconds_since_1970();
  std::vector<std::string> headers{"Content-Type: application/json", "webhook-id: " + delivery.id,
                                   fmt::format("webhook-timestamp: {}", now),
                                   "Expect:"};  // curl sends the body without asking first
  if (secret) {
    headers.push_back("webhook-signature: " + secret->sign(delivery.id, now, delivery.body));
  }
  return headers;
}

// Returns whether another try would fail too: the address is not allowed, or the receiver says that
// it is gone for good.
bool is_final(const Error& error) {
  return error.code == errc::url_refused;
}

Result<void> judge(const OutboundCall& call, const OutboundAnswer& answer) {
  if (answer.status >= 200 && answer.status <= 299) return {};
  const auto message = fmt::format("{} answered {}", call.url.host, answer.status);
  if (answer.status == 410) return Error{errc::url_refused, message, "It wants no more."};
  return Error{errc::unreachable, message, "It must answer with 200 to 299, and not redirect."};
}

// Counts one while it lives.
class CountGuard {
 public:
  CountGuard(std::shared_ptr<std::map<std::string, int>> counts, std::string owner)
      : counts_(std::move(counts)), owner_(std::move(owner)) {
    ++(*counts_)[owner_];
  }
  CountGuard(const CountGuard&) = delete;
  ~CountGuard() {
    const auto it = counts_->find(owner_);
    if (--it->second == 0) counts_->erase(it);
  }

 private:
  std::shared_ptr<std::map<std::string, int>> counts_;
  std::string owner_;
};

double random_jitter() {
  std::random_device device;
  return std::uniform_real_distribution<double>(0, 1)(device);
}

}  // namespace

std::optional<std::chrono::milliseconds> webhook_wait(int failed_tries, double jitter) {
  constexpr std::array seconds{5, 30, 120, 600, 3600};
  if (failed_tries < 1 || failed_tries > static_cast<int>(seconds.size())) return std::nullopt;
  const double wait = seconds[static_cast<std::size_t>(failed_tries - 1)] * (1 + jitter / 5);
  return std::chrono::milliseconds(static_cast<std::int64_t>(wait * 1000));
}

WebhookSender::WebhookSender(Settings settings)
    : settings_(std::move(settings)),
      places_(std::make_shared<CallPlaces>(threads, most_threads_of_one)),
      calls_(threads, threads) {}

Result<void> WebhookSender::check(const std::string& url) const {
  const auto read = read_url(url, rules_of(settings_));
  if (!read) return read.error();
  return {};
}

asio::awaitable<Result<void>> WebhookSender::try_once(const WebhookDelivery& delivery) {
  auto url = read_url(delivery.url, rules_of(settings_));
  if (!url) co_return url.error();
  const auto executor = co_await asio::this_coro::executor;
  const auto place = std::make_shared<CallPlaces::Place>(places_, delivery.owner, executor);
  co_await place->turn();
  OutboundCall call{.url = *std::move(url), .body = delivery.body};
  call.headers = headers_of(delivery, settings_.secret);
  call.deadline = std::chrono::steady_clock::now() + settings_.limit;
  std::function<Result<void>(std::stop_token)> work = [call](std::stop_token stop) -> Result<void> {
    OutboundCall stoppable = call;
    stoppable.stop = std::move(stop);
    const auto answer = perform(stoppable);
    if (!answer) return answer.error();
    return judge(stoppable, *answer);
  };
  auto result = co_await calls_.run(std::move(work), place);
  co_return result;
}

asio::awaitable<Result<void>> WebhookSender::deliver(WebhookDelivery delivery,
                                                     std::function<void(int)> on_failure) {
  if ((*deliveries_)[delivery.owner] >= settings_.max_deliveries_of_one) {
    co_return Error{errc::queue_full, "too many webhooks are queued", "Try again later."};
  }
  const CountGuard counted(deliveries_, delivery.owner);
  const auto executor = co_await asio::this_coro::executor;
  asio::steady_timer timer(executor);
  while (true) {
    auto result = co_await try_once(delivery);
    if (result || is_final(result.error())) co_return result;
    ++delivery.tries;
    const auto wait = settings_.wait(delivery.tries, random_jitter());
    if (!wait) co_return result;
    if (on_failure) on_failure(delivery.tries);
    timer.expires_after(*wait);
    co_await timer.async_wait(asio::use_awaitable);
  }
}

}  // namespace server
