#include "server/api/admission.h"

#include <charconv>
#include <string>
#include <string_view>

#include "server/inputs/spool.h"
#include "server/jobs/job_queue.h"

namespace server {

std::uint64_t announced_bytes(const Exchange& exchange) {
  const std::string_view text = exchange.headers()[http::field::content_length];
  std::uint64_t bytes = 0;
  std::from_chars(text.data(), text.data() + text.size(), bytes);
  return bytes;
}

Result<void> admit_bytes(const Api& api, const ApiCall& call) {
  return api.services.spool.room().check(call.principal.name, announced_bytes(call.exchange));
}

asio::awaitable<Result<void>> admit_job(Api& api, const ApiCall& call) {
  std::string key = call.exchange.headers()["idempotency-key"];
  const auto taken = co_await api.services.jobs.check(call.principal.name, std::move(key));
  if (!taken) co_return taken.error();
  co_return admit_bytes(api, call);
}

}  // namespace server
