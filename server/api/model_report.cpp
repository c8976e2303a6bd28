#include "server/models/model_report.h"

#include <functional>
#include <nlohmann/json.hpp>
#include <stop_token>
#include <string>
#include <utility>

#include "protocol/json_text.h"
#include "server/api/api.h"
#include "server/api/handlers.h"
#include "server/base/blocking_calls.h"
#include "server/submission/model_name.h"

namespace server::api {
namespace {

// Reading the headers and the vocabulary takes some tenths of a second.
asio::awaitable<Result<std::string>> read_report(Api& api, std::string name, std::string id) {
  std::function<Result<std::string>(std::stop_token)> work =
      [&store = api.services.store, name = std::move(name),
       id = std::move(id)](std::stop_token) -> Result<std::string> {
    const auto report = check_installed(store, name);
    if (!report) return to_error(report.error());
    nlohmann::ordered_json body{{"id", id}};
    body.update(report_json(*report));
    return protocol::json::dump(body);
  };
  co_return co_await api.services.disk.run<std::string>(std::move(work));
}

}  // namespace

asio::awaitable<void> model_report(Api& api, ApiCall& call) {
  const auto name = model_for(api.services, call.id);
  if (!name) co_return co_await send_error(call.exchange, name.error(), "model");
  auto reading = read_report(api, *name, call.id);
  auto text = co_await std::move(reading);
  if (!text) co_return co_await send_error(call.exchange, text.error(), "model");
  co_await send_json(call.exchange, std::move(*text));
}

}  // namespace server::api
