#pragma once

#include <boost/asio/awaitable.hpp>
#include <chrono>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "server/base/blocking_calls.h"
#include "server/base/call_places.h"
#include "server/outbound/outbound_url.h"
#include "server/webhooks/signature.h"

namespace server {

// A message and the address that it goes to.
struct WebhookDelivery {
  std::string id{};  // the same for every try, so that the receiver can tell repetitions
  std::string url{};
  std::string body{};   // JSON
  int tries = 0;        // tries that were made before
  std::string owner{};  // owners take turns
};

// Returns the wait after so many failed tries: 5 s, 30 s, 2 min, 10 min, 1 h; nothing: no more
// tries. `jitter` from 0 to 1 makes it up to a fifth longer, so that not all come at once.
std::optional<std::chrono::milliseconds> webhook_wait(int failed_tries, double jitter);

// Sends webhooks as Standard Webhooks describes: a POST, signed if there is a secret, repeated
// until the receiver has answered with 200 to 299. Addresses are public https ones, and hosts of
// the own network that are allowed. It keeps nothing: a caller that wants a delivery to outlive the
// process stores it, with its tries, and hands it in again. It is used on one thread.
class WebhookSender {
 public:
  struct Settings {
    std::optional<WebhookSecret> secret{};
    std::vector<std::string> allow_hosts{};  // hosts that may have private addresses and plain http
    std::chrono::seconds limit{15};          // for one try
    int max_deliveries_of_one = 64;          // of one owner at once, also those between two tries
    std::function<std::optional<std::chrono::milliseconds>(int, double)> wait = webhook_wait;
  };

  explicit WebhookSender(Settings settings);

  // Checks whether such an address may be used, as far as that shows before it is resolved. The
  // error is url_refused.
  Result<void> check(const std::string& url) const;

  int max_deliveries_of_one() const { return settings_.max_deliveries_of_one; }

  // Ends when the receiver has accepted it, or there are no more tries. `on_failure`, which may be
  // empty, is called after each failed try that another one follows, with the number of tries so
  // far. Errors: url_refused, unreachable, timed_out, queue_full.
  asio::awaitable<Result<void>> deliver(WebhookDelivery delivery,
                                        std::function<void(int)> on_failure);

 private:
  asio::awaitable<Result<void>> try_once(const WebhookDelivery& delivery);

  Settings settings_;
  using Counts = std::map<std::string, int>;  // by owner

  std::shared_ptr<Counts> deliveries_ = std::make_shared<Counts>();
  std::shared_ptr<CallPlaces> places_;
  BlockingCalls calls_;  // last: its threads end before what they use
};

}  // namespace server
