#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "server/outbound/outbound_url.h"

namespace server {

// One HTTP request to an address that somebody else named. Redirects are not followed; proxies of
// the environment are not used, because then the proxy and not this process would decide where the
// request goes.
struct OutboundCall {
  OutboundUrl url{};
  std::optional<std::string> body{};   // a call with a body is a POST
  std::vector<std::string> headers{};  // "Name: value"
  // Receives the bytes of an answer of status 200 to 299, as they come. An error ends the call.
  std::function<Result<void>(std::span<const char>)> on_bytes{};
  std::uint64_t max_bytes = 0;  // limit of what on_bytes receives
  std::chrono::steady_clock::time_point deadline{};
  std::stop_token stop{};
};

struct OutboundAnswer {
  long status = 0;
  std::string redirect{};  // the absolute target of a status of 300 to 399
};

// Performs the call and blocks until it ends. The connection goes to a public address, or to one of
// ours where the rules say so: the address that is connected to is checked, so a name that changes
// its address gains nothing. Errors: url_refused, too_large, unreachable, timed_out, client_gone
// (`stop`), and those of on_bytes.
Result<OutboundAnswer> perform(const OutboundCall& call);

}  // namespace server
