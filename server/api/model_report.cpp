#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "protocol/json_text.h"
#include "server/api/api.h"
#include "server/api/handlers.h"
#include "server/submission/model_name.h"

namespace server::api {

// The report says the name by which the client knows the model first.
asio::awaitable<void> model_report(Api& api, ApiCall& call) {
  const auto name = model_for(api.services, call.id);
  if (!name) co_return co_await send_error(call.exchange, name.error(), "model");
  auto finding =
      unless_client_leaves(call.exchange, api.model_reports.find(*name, call.principal.name));
  const auto found = co_await std::move(finding);
  if (!found) co_return;
  const auto& report = *found;
  if (!report) co_return co_await send_error(call.exchange, report.error(), "model");
  std::string text =
      "{\"id\":" + protocol::json::dump(nlohmann::json(call.id)) + "," + report->substr(1);
  co_await send_json(call.exchange, std::move(text));
}

}  // namespace server::api
