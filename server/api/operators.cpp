#include <nlohmann/json.hpp>
#include <utility>

#include "protocol/json_text.h"
#include "server/api/api.h"
#include "server/api/handlers.h"

// The operator's requests to a server that works.
namespace server::api {

using Json = nlohmann::ordered_json;

asio::awaitable<void> reload_config(Api& api, ApiCall& call) {
  const auto reloaded = api.reload();
  if (!reloaded) co_return co_await send_error(call.exchange, reloaded.error());
  const Json body{{"object", "reload"},
                  {"keys", reloaded->keys},
                  {"changed", reloaded->changed},
                  {"need_restart", reloaded->need_restart}};
  std::string text = protocol::json::dump(body);
  co_await send_json(call.exchange, std::move(text));
}

asio::awaitable<void> doctor(Api& api, ApiCall& call) {
  auto report = co_await api.doctor();
  if (!report) co_return co_await send_error(call.exchange, report.error());
  co_await send_json(call.exchange, *std::move(report));
}

asio::awaitable<void> backup(Api& api, ApiCall& call) {
  return api.backup(call.exchange);
}

}  // namespace server::api
